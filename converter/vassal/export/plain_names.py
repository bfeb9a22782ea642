"""Names as a module can hold them: VASSAL's files are parted by control characters, and it trims the names of sides."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from converter.errors import BadInput
from converter.scenario import ScenarioFolder, Side, Unit, UnitsFile
from converter.vassal.buildfile import JAVA_SPACE

Item = TypeVar("Item")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]+")


def plain_names(scenario: ScenarioFolder) -> ScenarioFolder:
    """The same scenario with a space instead of control characters, and sides without spaces at the ends.

    BadInput where two units are called the same then, or a side has no name left.
    """
    made = _each_text(scenario, lambda text: _CONTROL.sub(" ", text))
    units = made.units
    if units:
        made = replace(made, units=_sides(units))
        ids = [unit.id for unit in units.units]
        twice = next((id for id in ids if ids.count(id) > 1), None) if len(set(ids)) < len(ids) else None
        if twice is not None:
            raise BadInput(f"two units are called {twice!r} once control characters are spaces")
    setups = [replace(setup, sides=tuple(map(_side, setup.sides))) for setup in made.setups]
    return replace(made, setup=setups[0] if setups else None, more_setups=tuple(setups[1:]))


def _sides(file: UnitsFile) -> UnitsFile:
    units: tuple[Unit, ...] = tuple(
        replace(unit, side=_side(unit.side)) if unit.side != unit.side.strip(JAVA_SPACE) else unit
        for unit in file.units
    )
    sides: tuple[Side, ...] = tuple(replace(side, name=_side(side.name)) for side in file.sides)
    return replace(file, units=units, sides=sides)


def _side(name: str) -> str:
    plain = name.strip(JAVA_SPACE)
    if not plain:
        raise BadInput(f"side {name!r}: has no letters, and players could not choose it in VASSAL")
    return plain


def _each_text(item: Item, change: Callable[[str], str]) -> Item:
    """The item with each text in it changed; what has none to change stays the very same."""
    made: Any = item
    if isinstance(item, str):
        made = change(item)
    elif isinstance(item, tuple):
        parts = [_each_text(part, change) for part in item]
        made = tuple(parts) if any(one is not other for one, other in zip(parts, item, strict=True)) else item
    elif is_dataclass(item) and not isinstance(item, type):
        told = {field.name: getattr(item, field.name) for field in fields(item)}
        new = {name: _each_text(value, change) for name, value in told.items()}
        changed = {name: value for name, value in new.items() if value is not told[name]}
        made = replace(item, **changed) if changed else item
    result: Item = made
    return result
