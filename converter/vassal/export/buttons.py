"""Buttons of the toolbar that write call-outs: the phase, the odds, a side that passes."""

from __future__ import annotations

from collections.abc import Sequence

from converter.vassal import sequence
from converter.vassal.new_module import Part

PHASE, ODDS = "Call out the phase", "Odds"


def call_out_buttons(verbs: Sequence[str], odds: Sequence[str], sides: Sequence[str], phase: str) -> tuple[Part, ...]:
    """The buttons for the verbs that no counter speaks; `phase` is the turn track's own text as a format."""
    parts: list[Part] = []
    if "phase" in verbs and phase:
        parts.append(_button(PHASE, PHASE, f"@phase {phase}"))
    if "odds" in verbs and odds:
        names = [f"Odds {value}" for value in odds]
        parts += [_button(name, name, f"@odds {value}") for name, value in zip(names, odds, strict=True)]
        parts.append(_menu(ODDS, names))
    if "pass" in verbs:
        names = [f"{side} passes" for side in sides]
        parts += [_button(name, name, f"@pass {side}") for name, side in zip(names, sides, strict=True)]
    return tuple(parts)


def _button(name: str, text: str, line: str) -> Part:
    attributes = {
        "name": name,
        "text": text,
        "tooltip": f"Writes {line.replace('$', '')} into the chat",
        "icon": "",
        "hotkey": f"0,0,hexref {name}",
        "doReport": "true",
        "reportFormat": line,
        "doSound": "false",
        "doHotkey": "false",
        "doLoop": "false",
    }
    return Part("module.DoActionButton", attributes)


def _menu(name: str, items: Sequence[str]) -> Part:
    listed = sequence.encode_safe(list(items), ",") or ""
    attributes = {"name": name, "text": name, "tooltip": "Announce the odds", "icon": "", "hotkey": ""}
    return Part("module.ToolbarMenu", {**attributes, "menuItems": listed})
