"""Positions and steps as text for people, from the same values that go out as JSON."""

from __future__ import annotations

import re
from typing import Any

Json = dict[str, Any]

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def plain(line: str) -> str:
    r"""The line with control characters spelled out: a file may not steer the reader's terminal.

    >>> plain("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), line)


def state_text(state: Json) -> str:
    """Who is where, map by map and hex by hex, each stack from bottom to top."""
    lines = [f"{state['module'] or 'unknown module'}: {len(state['pieces'])} pieces, {state['steps']} steps"]
    lines += [f"  {player['name']} plays {player['side']}" for player in state["players"]]
    names = {piece["id"]: piece["name"] or "(hidden)" for piece in state["pieces"]}
    told: set[str] = set()
    spots: dict[str, list[tuple[str, str]]] = {}
    for piece in state["pieces"]:
        if piece["map"] is None or piece["id"] in told:
            continue
        stack = piece["stack"] or [piece["id"]]
        told.update(stack)
        where = piece["hex"] or f"{piece['x']},{piece['y']}"
        spots.setdefault(piece["map"], []).append((where, ", ".join(names.get(member, "?") for member in stack)))
    for name in sorted(spots):
        lines.append(f"{name}:")
        lines += [f"  {where:>9}  {stack}" for where, stack in sorted(spots[name])]
    off = sum(piece["map"] is None for piece in state["pieces"])
    if off:
        lines.append(f"{off} pieces are on no map or hidden")
    lines += [f"problem: {problem}" for problem in state["problems"]]
    return "\n".join(map(plain, lines))


def step_text(step: Json) -> str:
    """One step: its number, who made it, and what happened."""
    head = plain(f"{step['step']:>5}  {step['player'] or '':<12}")
    lines = event_lines(step) or [""]
    return "\n".join(f"{head if not index else ' ' * len(head)} {line}" for index, line in enumerate(lines))


def event_lines(step: Json) -> list[str]:
    """What happened in a step, a line each."""
    lines = [text for event in step["events"] if (text := _event_text(event))]
    return [plain(line) for line in (*lines, *(f"problem: {problem}" for problem in step["problems"]))]


def _event_text(event: Json) -> str:
    kind = event["type"]
    name = event.get("name") or "(no name)"
    if kind == "moved":
        return f"{name}: {_place(event['from'])} -> {_place(event['to'])}"
    if kind == "added":
        return f"{name} comes into play at {_place(event['at'])}"
    if kind == "removed":
        return f"{name} leaves play from {_place(event['from'])}"
    if kind == "changed":
        pairs = event["properties"].items()
        changes = "; ".join(f"{key} {before or '-'} -> {after or '-'}" for key, (before, after) in pairs)
        return f"{name}: {changes}" if changes else ""
    if kind == "rolled":
        dice = ", ".join(map(str, event["dice"]))
        return f"rolled {event['name']}: {dice or event['total']}"
    if kind == "turn":
        return event["text"] or " ".join(value for _, value in event["levels"]) or "the turn tracker moves"
    if kind == "property":
        return f"{event['name']}: {event['from'] or '-'} -> {event['to'] or '-'}"
    if kind == "undone":
        return f"takes back step {event['step']}" if event["step"] else "takes back an earlier step"
    if kind == "chat":
        return str(event["text"])
    if kind == "other":
        return f"({event['what']}) {event['text']}".rstrip()
    return ""


def _place(where: Json) -> str:
    if where["map"] is None:
        return "off the map"
    return str(where["hex"] or f"{where['map']} {where['x']},{where['y']}")
