"""What players of Yalu call out in the chat, besides the call-outs of every game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.table import callouts
from referee.table.callouts import Verb


def _way(rest: str) -> dict[str, Any]:
    """`UNITS -> HEX`."""
    said = callouts.attack(rest)
    return {"units": said["attackers"], **({"to": said["target"]} if "target" in said else {})}


def _die_for(purpose: str) -> Verb:
    return "expect", lambda rest: {"for": purpose, **_way(rest)}


def _fire(kind: str) -> Verb:
    def read(rest: str) -> dict[str, Any]:
        said = callouts.attack(rest)
        return {**said, "type": kind}

    return "fire", read


_TERMS = re.compile(r",?\s*\b(?:\d+\s*asp|artillery|unsupplied|supplied)\b", re.I)


def _designate(kind: str | None) -> Verb:
    def read(rest: str) -> dict[str, Any]:
        paid = re.search(r"\b(\d+)\s*asp\b", rest, re.I)
        guns = re.search(r"\bartillery\s*(-?\d)", rest, re.I)
        said = callouts.attack(_TERMS.split(rest, maxsplit=1)[0])
        if paid:
            said["asp"] = int(paid[1])
        if guns:
            said["artillery"] = int(guns[1])
        word = kind or ("unsupplied" if re.search(r"\bunsupplied\b", rest, re.I) else None)
        return {**said, **({"type": word} if word else {})}

    return "designate", read


def _asp(rest: str) -> dict[str, Any]:
    found = re.search(r"-?\d+", rest)
    return {"what": "asp", "to": int(found[0])} if found else {"what": "asp"}


CALLOUTS: Mapping[str, Verb] = {
    "attack": _designate(None),
    "hwa": _designate("hwa"),
    "wave": _designate("hwa"),
    "fire": _fire("assault"),
    "assault": _fire("assault"),
    "defend": _fire("defensive"),
    "bugfire": _fire("bugout"),
    "infiltrate": _die_for("infiltration"),
    "surprise": _die_for("surprise"),
    "regroup": _die_for("regroup"),
    "isolation": _die_for("isolation"),
    "sea": ("leave", callouts.units),
    "isolated": ("isolate", callouts.units),
    "supplied": ("unisolate", callouts.units),
    "evacuate": _die_for("evacuation"),
    "drop": _die_for("airdrop"),
    "hunt": _die_for("hunt"),
    "ambush": _die_for("guerrilla stop"),
    "weatherroll": _die_for("weather"),
    "ridgway": _die_for("ridgway"),
    "asp": ("set", _asp),
    "bombard": ("strike", callouts.bombard),
    "weather": ("set", lambda rest: {"what": "weather", "to": rest.strip()}),
}
