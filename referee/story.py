"""Stories: a position, some actions, and what the referee should say. A mistake in one is told with file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from converter.errors import BadInput
from converter.scenario.yaml_reading import Document, Path_, read_file

FIELDS = {
    "id", "rule", "title", "game", "scenario", "phase", "assume", "given", "terrain", "units", "markers", "history",
    "actions", "expect", "why", "note", "options", "map", "source",
}  # fmt: skip
PHASE = {"turn", "side", "name", "segment", "player", "step", "impulse", "phase", "day"}
TERRAIN = {
    "default", "hexes", "roads", "rivers", "bridges", "unknown", "trails", "rails", "coast", "regions", "hexsides",
    "minefields", "fortifications", "forts", "prohibited", "sea", "places", "ditches", "destroyed_bridges", "han",
    "estuaries", "reservoirs", "cities", "ports", "coastal", "lines",
}  # fmt: skip
EXPECT = {"action", "verdict", "check", "accept", "rule", "why", "note", "missing"}
MOVING = {"move", "retreat", "advance", "displace", "enter", "exit", "place", "withdraw"}
VERBS = MOVING | {
    "declare", "fire", "bombard", "assault", "support", "assign", "mark", "unmark", "roll", "flip", "remove",
    "eliminate", "neutralize", "disrupt", "spend", "recover", "break", "combine", "set", "claim", "phase",
    "end_phase", "pass", "chat", "rebuild", "reveal", "hide", "draw", "bridge", "air_supply", "wave", "stiff",
    "announce", "counter_battery", "replace", "declare_wave", "human_wave", "stiff_resistance", "step_loss", "peek",
    "infiltrate", "hunt", "regroup", "evacuate", "airdrop", "isolate",
}  # fmt: skip
BESIDE = {  # what may stand beside a verb in an action
    "to", "path", "as", "mode", "at", "from", "hex", "sides", "for", "by", "unit", "units", "into", "with", "value",
    "turn", "side", "note", "why", "target", "result", "side_up", "face", "depleted", "via", "hexside", "random",
    "count", "marker", "supply", "source", "hidden", "reason", "of", "segment", "phase", "name", "player", "die",
    "attack", "defense", "move_allowance", "class", "size", "type", "kind", "nation", "factors", "division", "dummy",
    "road", "cost", "mp", "back", "using", "bridge", "stack", "asp", "odds", "drm", "modified", "number", "success",
    "artillery", "air", "mission", "result_of", "army", "box", "weather", "from_box", "target_number", "modifier",
}  # fmt: skip


@dataclass(frozen=True)
class Story:
    """One story as its file tells it, checked for unknown fields."""

    id: str
    game: str
    scenario: str
    document: Document
    place: Path_
    phase: Mapping[str, Any] = field(default_factory=dict)
    assume: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)
    terrain: Mapping[str, Any] | None = None
    units: Sequence[Mapping[str, Any]] = ()
    markers: Sequence[Any] = ()
    history: Sequence[Mapping[str, Any]] = ()
    actions: Sequence[Mapping[str, Any]] = ()
    expect: Sequence[Mapping[str, Any]] = ()

    def refuse(self, what: str, *path: str | int) -> NoReturn:
        """Raise BadInput that names the file and the line of an item of this story."""
        raise BadInput(str(self.document.problem((*self.place, *path), what)))


def read_stories(path: Path) -> list[Story]:
    """All stories of a file."""
    document = read_file(path)
    data = document.data
    if isinstance(data, dict):
        data = [data]
        places: list[Path_] = [()]
    elif isinstance(data, list):
        places = [(i,) for i in range(len(data))]
    else:
        raise BadInput(f"{path}:1: expected a list of stories")
    return [_read(document, place, item) for place, item in zip(places, data, strict=True)]


def _read(document: Document, place: Path_, data: Any) -> Story:
    if not isinstance(data, dict):
        raise BadInput(str(document.problem(place, "expected a story: a mapping with game, units and actions")))
    shell = Story(str(data.get("id", "?")), str(data.get("game", "")), str(data.get("scenario", "")), document, place)
    _only(shell, data, FIELDS, "story")
    for name in ("id", "game"):
        if not isinstance(data.get(name), (str, int)):
            shell.refuse(f"the story has no '{name}'")
    for name, kind in (("phase", dict), ("assume", dict), ("given", dict), ("terrain", dict)):
        if data.get(name) is not None and not isinstance(data[name], kind):
            shell.refuse(f"'{name}' should be a mapping", name)
    for name in ("units", "markers", "history", "actions", "expect"):
        if data.get(name) is not None and not isinstance(data[name], list):
            shell.refuse(f"'{name}' should be a list", name)
    _only(shell, data.get("phase") or {}, PHASE, "phase", "phase")
    _only(shell, data.get("terrain") or {}, TERRAIN, "terrain", "terrain")
    actions = data.get("actions") or []
    for i, action in enumerate(actions):
        verb_of(shell, action, i)
    for i, expected in enumerate(data.get("expect") or []):
        if not isinstance(expected, dict):
            shell.refuse("expected {action, verdict, check}", "expect", i)
        _only(shell, expected, EXPECT, "expect", "expect", i)
        if not isinstance(expected.get("action"), int) or not 0 <= expected["action"] <= len(actions):
            shell.refuse(f"'action' should be a number from 1 to {len(actions)}", "expect", i)
        if expected.get("verdict") not in ("legal", "illegal", "unsure"):
            shell.refuse("'verdict' should be legal, illegal or unsure", "expect", i)
    return Story(
        shell.id, shell.game, shell.scenario, document, place,
        data.get("phase") or {}, data.get("assume") or {}, (data.get("given") or {}) | (data.get("options") or {}),
        data.get("terrain"), data.get("units") or [], data.get("markers") or [], data.get("history") or [], actions,
        data.get("expect") or [],
    )  # fmt: skip


def _only(story: Story, data: Mapping[str, Any], known: set[str], what: str, *path: str | int) -> None:
    for name in data:
        if name not in known:
            story.refuse(f"unknown field '{name}' in {what}", *path, name)


def verb_of(story: Story, action: Any, i: int) -> str:
    """The one verb of an action."""
    if not isinstance(action, dict) or not action:
        story.refuse("expected an action such as {move: UNIT, to: HEX}", "actions", i)
    found = [name for name in action if name in VERBS]
    found = [name for name in found if name != "phase" or len(found) == 1] or found
    if not found:
        story.refuse(f"no known verb in the action {{{', '.join(map(str, action))}}}", "actions", i)
    verb = found[0]
    for name in action:
        if name != verb and name not in BESIDE and name not in VERBS:
            story.refuse(f"unknown field '{name}' beside '{verb}'", "actions", i, name)
    if len(found) > 1 and not set(found[1:]) <= BESIDE | {"support"}:
        story.refuse(f"more than one verb in an action: {', '.join(found)}", "actions", i)
    return str(verb)


def mismatches(story: Story, findings: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Where the findings are not what the story expects. An action without an `expect` is not compared."""
    for expected in story.expect:
        number, verdict = expected["action"], expected["verdict"]
        here = [finding for finding in findings if finding["action"] == number]
        said = {finding["verdict"] for finding in here}
        worst = next((word for word in ("illegal", "unsure") if word in said), "legal")
        ids = [expected["check"]] if expected.get("check") else []
        ids += expected.get("accept") or []
        if worst != verdict:
            told = "; ".join(f"{finding['check']}: {finding['message']}" for finding in here)
            yield f"action {number}: expected {verdict}, the referee says {worst}{f' ({told})' if told else ''}"
        elif ids and verdict != "legal":
            fitting = [finding["check"] for finding in here if finding["verdict"] == verdict]
            if not set(ids) & set(fitting):
                yield f"action {number}: expected {' or '.join(ids)}, the referee says {', '.join(fitting)}"
