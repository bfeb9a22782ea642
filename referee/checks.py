"""The catalogue and the code that answers for it: every id is a check, a part of one, or listed with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from converter.errors import BadInput
from converter.kept import kept

DATA = Path(__file__).resolve().parents[1] / "data"
T = TypeVar("T")


def facts(path: Path) -> Any:
    """What a file of data/ holds."""
    return kept(path, _read)


def _read(path: Path) -> Any:
    import yaml  # slow to load, and seldom needed

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same in C where it is there
    return yaml.load(path.read_text(encoding="utf-8"), Loader=loader)


@dataclass(frozen=True)
class Entry:
    """One line of a game's catalogue. `severity` W: the referee never says more than `unsure` (see the catalogue)."""

    id: str
    rule: str
    severity: str
    forbids: str
    not_checked: str = ""


@cache
def catalogue_of(game: str) -> dict[str, Entry]:
    """A game's catalogue, read once."""
    return read_catalogue(game)


def read_catalogue(game: str) -> dict[str, Entry]:
    """A game's catalogue, in its order."""
    path = DATA / game / "catalogue.yaml"
    if not path.is_file():
        raise BadInput(f"there is no game '{game}' with a catalogue")
    lines: list[Mapping[str, Any]] = facts(path)
    return {
        line["id"]: Entry(line["id"], str(line["rule"]), line["severity"], line["forbids"], line.get("not_checked", ""))
        for line in lines
    }


@dataclass
class Checks(Generic[T]):
    """The checks of one game, each registered under the catalogue ids it can raise and the verbs that call it.

    >>> checks: Checks[Callable[[], None]] = Checks("some-game")
    >>> @checks.on("move", ids=["MOVE-OFF-MAP"])
    ... def off_map() -> None: ...
    >>> checks.of("move") == [off_map], checks.status("MOVE-OFF-MAP"), checks.status("X")
    (True, ('checked', ''), ('not', ''))
    """

    game: str
    by_verb: dict[str, list[T]] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)

    def on(self, *verbs: str, ids: Iterable[str], partly: Mapping[str, str] | None = None) -> Callable[[T], T]:
        """Register a check: called on each of `verbs`, it answers for `ids`; `partly` says what an id still lacks."""

        def register(check: T) -> T:
            for verb in verbs:
                self.by_verb.setdefault(verb, []).append(check)
            for id in ids:
                if not self.ids.get(id):
                    self.ids[id] = (partly or {}).get(id, "")
            return check

        return register

    def of(self, verb: str) -> list[T]:
        """The checks that a verb calls, in the order they were registered."""
        return self.by_verb.get(verb, [])

    def status(self, id: str) -> tuple[str, str]:
        """`checked`, `partly` or `not`, and why."""
        if id not in self.ids:
            return "not", ""
        return ("partly", self.ids[id]) if self.ids[id] else ("checked", "")

    def table(self, catalogue: Mapping[str, Entry]) -> list[dict[str, str]]:
        """Every id of the catalogue with its rule and what the code does about it."""
        unknown = sorted(set(self.ids) - set(catalogue))
        if unknown:
            raise ValueError(f"checks for ids that the catalogue of {self.game} does not have: {', '.join(unknown)}")
        rows = []
        for entry in catalogue.values():
            status, why = self.status(entry.id)
            rows.append({"check": entry.id, "rule": entry.rule, "status": status, "why": why or entry.not_checked})
        return rows
