"""theme.yaml: how a game's counters look. What it leaves out comes from the usual theme (docs/counters.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from converter.counters.colour import ink_for, mixed
from converter.errors import BadInput
from converter.scenario import Unit, UnitsFile
from converter.scenario.schema import mistakes, schema
from converter.scenario.yaml_reading import read_file

Mark = Literal["none", "bar", "bars", "frame", "ticks"]
MARKS: tuple[Mark, ...] = ("none", "bar", "bars", "frame", "ticks")
_GROUNDS = ("#4f6b3a", "#e3b7a0", "#a9bdd6", "#efe6b0", "#7a2f2f")  # sides that no file gives a colour
DATA = Path(__file__).parents[2] / "data"


@dataclass(frozen=True)
class Look:
    """A counter's colours: ground, what is printed on it, the paper inside the symbol; and its side's mark."""

    colour: str
    ink: str
    paper: str
    mark: Mark = "none"


@dataclass(frozen=True)
class MarkerLook:
    """A marker: its text, a sign above it, colours."""

    text: str | None = None
    sign: str | None = None
    colour: str | None = None
    ink: str | None = None


@dataclass(frozen=True)
class Theme:
    """How counters look. `slots` says which fields stand where; nations and sides hold what their looks override."""

    slots: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    join: str = "-"
    corners: float = 8.0
    nations: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sides: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    markers: Mapping[str, MarkerLook] = field(default_factory=dict)
    signs: Mapping[str, str] = field(default_factory=dict)
    named: frozenset[str] = frozenset()
    """Markers that bear their own name, because others of their type would look the same."""

    def look(self, unit: Unit) -> Look:
        """A unit's colours: its own, else its nation's, else its side's."""
        side, nation = self.sides.get(unit.side, {}), self.nations.get(unit.nation or "", {})
        told = {**side, **{k: v for k, v in nation.items() if k != "mark"}}
        told |= {key: value for key in ("colour", "ink") if (value := getattr(unit, key)) is not None}
        if unit.colour and unit.ink is None:
            told.pop("ink", None)
        colour = told.get("colour", "#d8d2c0")
        mark: Mark = next((mark for mark in MARKS if mark == side.get("mark")), "none")
        return Look(colour, told.get("ink", ink_for(colour)), told.get("paper", mixed(colour, "#ffffff", 0.82)), mark)

    def marker(self, unit: Unit) -> MarkerLook:
        """How a marker looks: by its type, else its id."""
        return self.markers.get(unit.type or "") or self.markers.get(unit.id) or MarkerLook()


@cache
def usual_theme() -> Theme:
    """The theme that others build on."""
    return _decode(_checked(Path(__file__).parent / "theme.yaml"), Theme())


def read_theme(path: Path) -> Theme:
    """Read a theme.yaml; BadInput names file, line and what was expected."""
    return _decode(_checked(path), usual_theme())


@cache
def game_theme(game: str | None) -> Theme:
    """The theme that hexref has for a game, else the usual one."""
    path = DATA / (game or "") / "theme.yaml"
    return read_theme(path) if game and game.replace("-", "").isalnum() and path.is_file() else usual_theme()


def theme_of(units: UnitsFile, theme: Theme | None = None) -> Theme:
    """A theme (the game's own where none is given) in which every side of a units.yaml has a ground and a mark."""
    theme = theme or game_theme(units.game)
    names = list(dict.fromkeys([side.name for side in units.sides] + [unit.side for unit in units.units]))
    known = {side.name: side for side in units.sides}
    sides: dict[str, dict[str, str]] = {}
    for i, name in enumerate(names):
        usual = {"colour": _GROUNDS[i % len(_GROUNDS)], "mark": MARKS[i % len(MARKS)]}
        side = known.get(name)
        if side and side.colour:
            usual["colour"] = side.colour
        if side and side.ink:
            usual["ink"] = side.ink
        given = dict(theme.sides.get(name, {}))
        if "colour" in given and "ink" not in given:
            usual.pop("ink", None)
        sides[name] = {**usual, **given}
    return replace(theme, sides={**theme.sides, **sides}, named=_alike(units, theme))


def _alike(units: UnitsFile, theme: Theme) -> frozenset[str]:
    """The markers of which another counter with another name has the same type and figures."""
    seen: dict[object, list[str]] = {}
    for unit in units.units:
        if unit.kind == "marker" and theme.marker(unit).text is not None:
            seen.setdefault((theme.marker(unit), unit.front, unit.colour, unit.ink), []).append(unit.id)
    return frozenset(id for ids in seen.values() if len(ids) > 1 for id in ids)


def _checked(path: Path) -> dict[str, Any]:
    document = read_file(path)
    problems = [document.problem(at, what) for at, what in mistakes(document.data, schema("theme"))]
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise BadInput(f"{problems[0]}{more}")
    data: dict[str, Any] = document.data
    return data


def _decode(data: dict[str, Any], base: Theme) -> Theme:
    slots = {name: tuple(fields) for name, fields in data["slots"].items()} if "slots" in data else base.slots
    markers = {
        name: replace(base.markers.get(name, MarkerLook()), **told) for name, told in data.get("markers", {}).items()
    }
    return Theme(
        slots,
        data.get("join", base.join),
        float(data.get("corners", base.corners)),
        {**base.nations, **data.get("nations", {})},
        {**base.sides, **data.get("sides", {})},
        {**base.markers, **markers},
        {**base.signs, **data.get("signs", {})},
    )
