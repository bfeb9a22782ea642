"""What a piece's type makes of it at the table: of what kind it is, and how it stacks, hides and is laid down anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from converter.vassal.pieces import type_links
from converter.vassal.traits import trait_id


@dataclass(slots=True, eq=False)
class Build:
    """A type, read once for all the pieces that have it. `kind` is `piece`, `stack`, `deck` or some module's own."""

    type: str
    links: tuple[str, ...]
    kind: str
    length: int
    """The number of its links."""
    no_stack: bool
    """Never joins a stack: its outermost `Does not stack` trait says so."""
    hide_links: tuple[int, ...]
    """Where in the chain the Invisible traits are."""
    property_links: tuple[int, ...]
    """Where in the chain the Dynamic Property traits are."""


@lru_cache(maxsize=20_000)
def build_of(type_text: str) -> Build:
    r"""What this type makes of a piece.

    >>> [build_of(f"{trait}\tpiece;;;;Sea").no_stack for trait in ("immob;n;N;R;", "immob;n;N;L;", "mark;Side")]
    [True, False, False]
    """
    links = type_links(type_text)
    kind = links[-1].partition(";")[0]
    return Build(type_text, links, kind, len(links), *_made_by(links[:-1]))


@lru_cache(maxsize=5_000)
def _made_by(outer: tuple[str, ...]) -> tuple[bool, tuple[int, ...], tuple[int, ...]]:
    """Whether the traits around a piece keep it out of stacks, and where among them the Invisible and the Dynamic
    Property ones are. Counters differ most in the piece itself, so these are remembered."""
    immobile = next((link for link in outer if link.startswith("immob;")), None)
    words = [trait_id(link) for link in outer]
    hidden = tuple(index for index, word in enumerate(words) if word == "hide")
    dynamic = tuple(index for index, word in enumerate(words) if word == "PROP")
    return immobile is not None and _never_stacks(immobile), hidden, dynamic


def _never_stacks(immobile: str) -> bool:
    fields = immobile.split(";")
    return len(fields) < 4 or fields[3][:1] != "L"
