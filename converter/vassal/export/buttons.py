"""Buttons of the toolbar that write call-outs: the phase, the odds, the result, a side that passes."""

from __future__ import annotations

from collections.abc import Sequence

from converter.scenario import PlayFile
from converter.vassal import sequence
from converter.vassal.export.menus import SPOKEN_ALONE
from converter.vassal.new_module import Part

PHASE = "Call out the phase"


def call_out_buttons(play: PlayFile, sides: Sequence[str], phase: str) -> tuple[Part, ...]:
    """The buttons for the verbs that no counter speaks; `phase` is the turn track's own text as a format."""
    verbs = play.call_outs
    parts: list[Part] = []
    if "phase" in verbs and phase:
        parts.append(_button(PHASE, PHASE, f"@phase {phase}"))
    for verb, values in (("odds", play.odds), ("result", play.results)):
        if verb in verbs and values:
            names = [f"{verb.title()} {value}" for value in values]
            parts += [_button(name, name, f"@{verb} {value}") for name, value in zip(names, values, strict=True)]
            parts.append(_menu(verb.title(), names, f"Announce the {verb}"))
    if "pass" in verbs:
        names = [f"{side} passes" for side in sides]
        parts += [_button(name, name, f"@pass {side}") for name, side in zip(names, sides, strict=True)]
    parts += [_button(name, name, f"@{verb}") for verb, name in SPOKEN_ALONE.items() if verb in verbs]
    return tuple(parts)


def _button(name: str, text: str, line: str) -> Part:
    attributes = {
        "name": name,
        "text": text,
        "tooltip": f"Writes {line.replace('$', '')} into the chat",
        "icon": "",
        "hotkey": "0,0,hexref " + name.replace(",", ""),
        "doReport": "true",
        "reportFormat": line,
        "doSound": "false",
        "doHotkey": "false",
        "doLoop": "false",
    }
    return Part("module.DoActionButton", attributes)


def _menu(name: str, items: Sequence[str], tooltip: str) -> Part:
    listed = sequence.encode_safe(list(items), ",") or ""
    attributes = {"name": name, "text": name, "tooltip": tooltip, "icon": "", "hotkey": ""}
    return Part("module.ToolbarMenu", {**attributes, "menuItems": listed})
