"""What counters can do and say: the prototypes, with menu items that write the call-outs of docs/call-outs.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from converter.vassal import sequence
from converter.vassal.export.counters import CALLED, CTRL, MARKER, SUPPORT, UNIT
from converter.vassal.fields import Key, Kind, write_field
from converter.vassal.new_module import definition
from converter.vassal.pieces import roll
from converter.vassal.traits import write_type

ATTACKERS = "Attackers"
"""The global property that holds the counters which joined the attack to be declared."""
JOIN, DECLARE, FORGET = "Attack with this", "Attack this hex", "Attack: start anew"
# Verb of the call-out -> what the menu of a unit in the target's hex calls it; those who joined are named first.
JOINED_VERBS = {
    "attack": DECLARE,
    "hwa": "Human wave attack on this hex",
    "defend": "Defensive Fire at this hex",
    "fire": "Assault this hex",
    "bugfire": "Fire at the Bug-out in this hex",
}

# Verb of the call-out -> what the menu of a unit calls it. Others are offered under their own name.
UNIT_VERBS = {
    "wave": "Call out: human wave",
    "stiff": "Call out: stiff resistance",
    "rebuild": "Call out: rebuilt",
    "reveal": "Call out: revealed",
    "air": "Call out: Air Supply",
}
MARKER_VERBS = {
    "support": ("Call out: supports the combat here", "@support $BasicName$ for $LocationName$"),
    "bombard": ("Call out: bombards this hex", "@bombard $BasicName$ -> $LocationName$"),
}
SPOKEN_ALONE = {"cancel": "Take the attack back", "weatherroll": "Weather die", "ridgway": "Ridgway die"}
"""Verbs that stand alone, and what their buttons are called."""
NOT_ON_UNITS = ("phase", "turn", "odds", "result", "claim", "pass", *SPOKEN_ALONE, *JOINED_VERBS, *MARKER_VERBS)
"""Verbs that buttons or markers speak, or that have a menu item of their own."""

Link = tuple[str, str]


def prototypes(call_outs: Sequence[str]) -> dict[str, str]:
    """The prototypes by name, as the build file holds them."""
    unit = [*_handling(), *_unit_call_outs(call_outs)]
    support = [*_usual(), *_marker_call_outs(call_outs)]
    return {name: _prototype(links) for name, links in ((UNIT, unit), (MARKER, _usual()), (SUPPORT, support))}


def _prototype(links: Iterable[Link]) -> str:
    chain = [*links, ("piece;;;;", "null;0;0;;0")]
    return definition(roll([link for link, _ in chain]), roll([state for _, state in chain]))


def _usual() -> list[Link]:
    return [
        (write_type("delete", command="Delete", key=Key(68, CTRL)), ""),
        (write_type("clone", command="Clone", key=Key(67, CTRL)), ""),
    ]


def _handling() -> list[Link]:
    moved = write_type("markmoved", image="moved.gif", x=16, y=-28, command="Mark moved", key=Key(77, CTRL))
    trail = write_type("footprint", key=Key(84, CTRL), menu="Movement trail", clear_key=Key(0, 0, "hexrefClearTrail"))
    return [*_usual(), (moved, "false"), (trail, "false;;0")]


def _unit_call_outs(verbs: Sequence[str]) -> list[Link]:
    links: list[Link] = []
    if joined := [verb for verb in verbs if verb in JOINED_VERBS]:
        links += _attack(joined)
    for verb in (verb for verb in verbs if verb not in NOT_ON_UNITS):
        text = UNIT_VERBS.get(verb, f"Call out: {verb.replace('-', ' ')}")
        links += _saying(text, f"hexref-{verb}", f"@{verb} ${CALLED}$")
    return links


def _marker_call_outs(verbs: Sequence[str]) -> list[Link]:
    return [
        link
        for verb in verbs
        if verb in MARKER_VERBS
        for link in _saying(MARKER_VERBS[verb][0], f"hexref-{verb}", MARKER_VERBS[verb][1])
    ]


def _saying(menu: str, command: str, line: str) -> list[Link]:
    """A menu item, and the report that it writes into the chat."""
    key = Key(0, 0, command)
    return [(write_type("report", keys=write_field((key,), Kind.KEYS), format=line), "-1"), _trigger(menu, key)]


def _trigger(menu: str, key: Key, *actions: str) -> Link:
    keys = write_field(tuple(Key(0, 0, action) for action in actions), Kind.KEYS)
    return write_type("macro", name=menu, command=menu, key=key, actions=keys), ""


def _attack(verbs: Sequence[str]) -> list[Link]:
    """Attackers join one by one; the target's menu declares, and the list is empty again."""
    again = f'(", " + {ATTACKERS} + ",").contains(", " + {CALLED} + ",")'
    joined = f'{{{ATTACKERS} == "" ? {CALLED} : {again} ? {ATTACKERS} : {ATTACKERS} + ", " + {CALLED}}}'
    changes = [
        _change(JOIN, Key(0, 0, "hexrefJoin"), joined),
        _change(FORGET, Key(0, 0, "hexrefForget"), ""),
    ]
    return [
        *(link for verb in verbs for link in _declaring(verb)),
        (
            write_type(
                "setprop",
                property=ATTACKERS,
                constraints="false,0,100,false",
                commands=sequence.encode_safe(changes, ","),
                level="Module",
            ),
            "",
        ),
    ]


def _declaring(verb: str) -> list[Link]:
    said, declared = f"hexrefSay-{verb}", Key(0, 0, f"hexrefDeclare-{verb}")
    keys = write_field((Key(0, 0, said),), Kind.KEYS)
    report = write_type("report", keys=keys, format=f"@{verb} ${ATTACKERS}$ -> $LocationName$")
    return [_trigger(JOINED_VERBS[verb], declared, said, "hexrefForget"), (report, "-1")]


def _change(menu: str, key: Key, value: str) -> str:
    changer = sequence.encode_safe(["P", value], ",") or ""
    return sequence.encode_safe([menu, write_field(key, Kind.KEY), changer], ":") or ""
