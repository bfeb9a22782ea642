"""What a piece's type makes of it at the table: of what kind it is, and how it stacks, hides and is laid down anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from converter.vassal.pieces import type_links
from converter.vassal.traits import trait_id


@dataclass(frozen=True, slots=True)
class Build:
    """A type, read once for all the pieces that have it. `kind` is `piece`, `stack`, `deck` or some module's own."""

    type: str
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
    immobile = next((link for link in links if link.startswith("immob;")), None) if "immob;" in type_text else None
    return Build(
        type_text,
        links[-1].partition(";")[0],
        len(links),
        immobile is not None and _never_stacks(immobile),
        _links_of(links, "hide") if "hide" in type_text else (),
        _links_of(links, "PROP") if "PROP" in type_text else (),
    )


def _never_stacks(immobile: str) -> bool:
    fields = immobile.split(";")
    return len(fields) < 4 or fields[3][:1] != "L"


def _links_of(links: tuple[str, ...], word: str) -> tuple[int, ...]:
    return tuple(index for index, link in enumerate(links) if trait_id(link) == word)
