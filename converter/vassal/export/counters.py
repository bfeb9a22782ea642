"""A unit of units.yaml as a counter of the palette: its traits, its markers (docs/binding.md) and its images."""

from __future__ import annotations

from dataclasses import dataclass

from converter.scenario import Face, Unit
from converter.vassal.fields import Key
from converter.vassal.new_module import CounterPlan
from converter.vassal.pieces import roll
from converter.vassal.traits import write_state, write_type

CTRL = 130
FLIP, LESS = Key(70, CTRL), Key(71, CTRL)  # Ctrl F, Ctrl G
UNIT, MARKER, SUPPORT = "Unit", "Marker", "Support"
"""Prototypes: what all units, all markers and all support markers can do."""
CALLED = "CalledOut"
"""What a call-out calls a unit: its name, and where several have it the number of the piece besides."""
FACTOR_LIST = "|"
SUPPORTING = ("support", "support-fire", "barrage", "air", "mortar", "artillery")
"""How the types of markers end that go into a combat."""


@dataclass(frozen=True)
class CounterImages:
    """The names of a counter's pictures in the module, full side first; equal ones are one picture."""

    faces: tuple[str, ...]
    size: tuple[int, int]


def piece_name(unit: Unit) -> str:
    """What the counter is called on the table."""
    return unit.name or unit.id


def steps_of(unit: Unit) -> int:
    """How many faces a counter has to show: a unit of which nothing is told has two, a marker one."""
    if unit.steps is not None:
        return max(unit.steps, 2 if unit.back is not None else 1)
    return 1 if unit.back is None and unit.kind != "unit" else 2


def counter_plan(unit: Unit, images: CounterImages, formations: bool, alone: bool = True) -> CounterPlan:
    """The counter; `formations`: the palette sorts by formation too; `alone`: no other counter has its name."""
    marks = {name: value for name, value in markers(unit).items() if value}
    kind = UNIT if unit.kind == "unit" else SUPPORT if (unit.type or "").endswith(SUPPORTING) else MARKER
    links = [(f"prototype;{kind}", "")]
    if steps_of(unit) > 1:
        links.append((_layer(images.faces, steps_of(unit)), write_state("emb2", level=1)))
    if unit.kind == "unit":
        name = "{BasicName}" if alone and unit.count == 1 else '{BasicName + " #" + PieceUID}'
        links.append((write_type("calcProp", property=CALLED, expression=name), ""))
    links.append((write_type("mark", names=tuple(marks)), write_state("mark", values=tuple(marks.values()))))
    basic = write_type("piece", clone_key="", delete_key="", image=images.faces[0], name=piece_name(unit))
    links.append((basic, "null;0;0;;0"))
    tab = f"{unit.side} markers" if unit.kind == "marker" else unit.side
    group = (unit.formation or "") if formations and unit.kind != "marker" else ""
    types, states = roll([link for link, _ in links]), roll([state for _, state in links])
    return CounterPlan(unit.id, types, states, tab, group, images.size)


def markers(unit: Unit) -> dict[str, str]:
    """The markers a counter carries, by name; empty where nothing is known.

    Only units have a `Side`: the referee takes what has none for no unit.
    """
    factors = dict(unit.front.factors)
    named = {factor_mark(name): _text(value) for name, value in factors.items()}
    own = {"UnitId": unit.id, "Factors": FACTOR_LIST.join(factors)}
    if unit.kind != "unit":
        return {"Owner": unit.side, "Kind": unit.kind, "Marker": unit.type or "", **named, **own}
    return {
        "Side": unit.side,
        "Nation": unit.nation or "",
        "Size": unit.size or "",
        "Type": unit.type or "",
        "Class": unit.class_ or "",
        **named,
        "Back": _values(unit.back),
        "Division": str(dict(unit.extra).get("division") or ""),
        "Formation": unit.formation or "",
        **own,
        "Dummy": "true" if unit.type == "dummy" else "",
    }


def factor_mark(name: str) -> str:
    """The marker that holds a factor.

    >>> factor_mark("attack"), factor_mark("anti tank")
    ('Attack', 'Antitank')
    """
    return name.capitalize().replace(" ", "")


def _values(face: Face | None) -> str:
    """The factors as `2-3-4`; nothing where one of them is not known."""
    if face is None or any(value is None for _, value in face.factors):
        return ""
    return "-".join(_text(value) for _, value in face.factors)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _layer(faces: tuple[str, ...], steps: int) -> str:
    """The layer `Step`: level 1 is the full side, shown by the counter's own picture."""
    two = steps == 2
    return write_type(
        "emb2",
        activate_modifiers=CTRL,
        activate_key="",
        increase_command="Flip" if two else "Lose a step",
        increase_modifiers=CTRL,
        decrease_command="" if two else "Regain a step",
        decrease_modifiers=CTRL,
        images=("", *faces[1:steps]),
        level_names=("", *(["+ (depleted)"] if two else [f"+ (step {at})" for at in range(2, steps + 1)])),
        loop=two,
        layer="Step",
        version=1,
        always_active=True,
        increase_stroke=FLIP,
        decrease_stroke=None if two else LESS,
        scale=1.0,
    )
