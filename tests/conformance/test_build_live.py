"""Modules that `hexref build` makes, in the real engine: opened, set up, every button and menu item used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine import Engine
from PIL import Image

from converter.games import game_names, scenario_names, scenario_of
from converter.scenario import Level, Placement, ScenarioFolder
from converter.vassal.export import boards, faces
from converter.vassal.export.buttons import PHASE
from converter.vassal.export.command import run_build
from converter.vassal.export.counters import SUPPORTING, piece_name
from converter.vassal.export.menus import (
    DECLARE,
    JOIN,
    JOINED_VERBS,
    MARKER_VERBS,
    NOT_ON_UNITS,
    SPOKEN_ALONE,
    UNIT_VERBS,
)
from converter.vassal.export.positions import in_words, waiting_box
from converter.vassal.grids import BoardLayout
from converter.vassal.module import Module, read_module
from referee.check import check
from referee.games import game_ids, log_game
from referee.table import callouts
from referee.table.events import Declared
from referee.verdict import Verdict

HEX = 24.0  # pixels: small boards are drawn quickly
IDS = [f"{game}/{scenario}" for game in game_names() for scenario in scenario_names(game)]


class Built:
    """A scenario, its module, and the engine that has it open and set up."""

    def __init__(self, id: str, folder: Path, engine_for: Callable[..., Engine]) -> None:
        self.id = id
        self.scenario: ScenarioFolder = scenario_of(id)
        self.path = folder / f"{id.replace('/', '-')}.vmod"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(boards, "HEX_HEIGHT", HEX)
            if not id.startswith("korean-battles/"):  # hundreds of counters: one picture does for all
                patch.setattr(faces, "draw", lambda *_: Image.new("RGB", (48, 48), "grey"))
            run_build(id, self.path)
        self.module: Module = read_module(self.path)
        side = self.module.sides[0]
        self.engine = engine_for(self.path, side=side, user="Ann", password="annpw", seed=1, visible=True)
        self.answer = self.engine("setup")
        self.units = self.scenario.units.units if self.scenario.units else ()
        self.pieces: list[dict[str, Any]] = self.engine("dump")["state"]["pieces"]


@pytest.fixture(scope="module", params=IDS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, engine_for: Any) -> Built:
    return Built(request.param, tmp_path_factory.mktemp("built"), engine_for)


def test_it_opens_without_a_dialog(built: Built) -> None:
    assert built.engine.opened["dialogs"] == []
    assert built.answer["dialogs"] == []
    assert built.module.problems == ()


def allowed(placement: Placement, scenario: ScenarioFolder) -> set[str]:
    """The location names where a counter may be at the start."""
    if placement.action == "reinforcement":
        return {waiting_box(placement)}
    if placement.hex:
        return {placement.hex}
    if placement.hexes:
        return set(placement.hexes)
    if placement.near:
        return set(scenario.map.grid.within(placement.near, placement.within or 0))
    if placement.box:
        return {placement.box}
    region = scenario.map.region(placement.region) if placement.region else None
    return set(region.hexes) if region and region.hexes else {in_words(placement)}


def test_every_counter_of_the_set_up_is_in_its_place(built: Built) -> None:
    waiting = [
        (piece["properties"]["UnitId"], piece["properties"]["LocationName"], piece["properties"].get("Step_Level", "1"))
        for piece in built.pieces
        if piece["properties"].get("DeckName") in (None, "")
    ]
    cups = built.scenario.play.cups if built.scenario.play else ()
    boxed = {cup.name for cup in cups}
    waiting = [found for found in waiting if found[1] not in boxed]
    assert built.scenario.setup
    placements = [told for told in built.scenario.setup.placements if told.action != "withdrawal"]
    assert len(waiting) == sum(told.count for told in placements)
    for told in sorted(placements, key=lambda told: len(allowed(told, built.scenario))):
        places = allowed(told, built.scenario)
        for _ in range(told.count):
            fitting = [found for found in waiting if found[0] == told.unit and found[1] in places]
            assert fitting, (told, [found for found in waiting if found[0] == told.unit])
            faces = {"2"} if told.face == "back" else {"1"}
            best = next((found for found in fitting if found[2] in faces), None)
            assert best, (told, fitting)
            waiting.remove(best)


def test_every_counter_of_a_cup_is_in_it(built: Built) -> None:
    cups = built.scenario.play.cups if built.scenario.play else ()
    told = {(cup.name, unit): count for cup in cups for unit, count in cup.units}
    held = [piece["properties"] for piece in built.pieces]
    found = Counter((it["DeckName"], it["UnitId"]) for it in held if it.get("DeckName"))
    assert found == told


def test_the_palette_is_units_yaml(built: Built) -> None:
    assert built.scenario.units
    slots = [slot for palette in built.module.palettes for slot in palette.slots]
    assert sorted(slot.name for slot in slots) == sorted(unit.id for unit in built.scenario.units.units)
    names = [component["name"] for component in built.engine("components")["components"]]
    assert not [unit.id for unit in built.scenario.units.units if unit.id not in names]


def read(built: Built, line: str) -> Declared | None:
    """What the line tells the referee of this game; of a game that it does not judge yet, any referee."""
    game, scenario = built.id.split("/")
    if game not in game_ids():
        return callouts.read(line)
    judge = log_game(game)
    return callouts.read(line, judge.calendar(judge.scenario(scenario)).read, judge.callouts)


def entries(levels: tuple[Level, ...]) -> list[str]:
    return [entry for level in levels for entry in (entries(level.levels) or level.entries)]


def test_the_turn_track_walks_the_sequence_of_play(built: Built) -> None:
    assert built.scenario.play
    phases = entries(built.scenario.play.tracker)
    assert len(phases) > 3
    built.engine("setup")  # puts the track back to its start
    turns = built.scenario.setup.turns if built.scenario.setup else None
    seen, called = [], []
    for _ in range(turns or 1):
        for _ in phases:
            called.append(built.engine("hotkey", key=f"named:hexref {PHASE}")["chat"][-1]["text"])
            seen.append(built.engine("turn")["chat"][-1]["text"])
    for said, expected in zip(seen, [*phases[1:], phases[0]] * (turns or 1), strict=True):
        assert said.endswith(expected), (said, expected)
    assert len(set(seen)) == len(seen)
    heard = [read(built, line) for line in called]
    assert all(heard)
    if built.id.split("/")[0] in game_ids():  # others do not know the game's phases yet
        fields = [dict(told.fields) for told in heard if told]
        assert all({"turn", "name"} <= told.keys() for told in fields)
        assert [told["turn"] for told in fields] == [n for n in range(1, (turns or 1) + 1) for _ in phases]


def test_each_dice_button_rolls(built: Built) -> None:
    assert built.scenario.play
    assert built.scenario.play.dice
    for die in built.scenario.play.dice:
        lines = [line["text"] for line in built.engine("dice", name=die.name)["chat"]]
        roll = next((roll for line in lines if (roll := built.module.parse_roll(line))), None)
        assert roll, lines
        assert roll.name == die.name
        assert len(roll.dice) == die.count or die.total


def test_each_call_out_button_writes_a_line_the_referee_reads(built: Built) -> None:
    buttons = [
        element for element in built.module.build_file.root.iter() if str(element.tag).endswith("DoActionButton")
    ]
    assert built.scenario.play
    verbs = set(built.scenario.play.call_outs)
    assert {"phase"} | verbs & {"odds", "result", "pass", *SPOKEN_ALONE} == {
        button.get("reportFormat", "").removeprefix("@").split()[0] for button in buttons
    }
    for button in buttons:
        key = button.get("hotkey", "").split(",", 2)[2]
        lines = [line["text"] for line in built.engine("hotkey", key=f"named:{key}")["chat"]]
        assert len(lines) == 1, button.get("name")
        assert lines[0].startswith("* @")
        assert read(built, lines[0]), lines[0]


def test_counters_speak_the_call_outs(built: Built) -> None:
    assert built.scenario.play
    assert built.scenario.units
    verbs = built.scenario.play.call_outs
    units = {unit.id: unit for unit in built.scenario.units.units}
    on_map = [
        piece
        for piece in built.pieces
        if piece["map"] == "Main Map" and units[piece["properties"]["UnitId"]].kind == "unit"
    ]
    if not on_map:
        pytest.skip("nothing stands on the map at the start")
    one, other = on_map[0], on_map[-1]
    if "attack" in verbs:
        built.engine("key", id=one["id"], command=JOIN)
        for _ in range(2):  # a second click changes nothing
            built.engine("key", id=other["id"], command=JOIN)
        lines = built.engine("key", id=other["id"], command=DECLARE)["chat"]
        names = ", ".join(dict.fromkeys(piece["properties"]["CalledOut"] for piece in (one, other)))
        assert lines[-1]["text"] == f"* @attack {names} -> {other['properties']['LocationName']}"
        again = built.engine("key", id=other["id"], command=DECLARE)["chat"][-1]["text"]
        assert again == f"* @attack -> {other['properties']['LocationName']}"
    for verb in JOINED_VERBS.keys() & set(verbs):
        built.engine("key", id=one["id"], command=JOIN)
        line = built.engine("key", id=other["id"], command=JOINED_VERBS[verb])["chat"][-1]["text"]
        assert line == f"* @{verb} {one['properties']['CalledOut']} -> {other['properties']['LocationName']}"
        assert read(built, line), line
    for verb in verbs:
        if verb not in NOT_ON_UNITS:
            menu = UNIT_VERBS.get(verb, f"Call out: {verb.replace('-', ' ')}")
            lines = built.engine("key", id=one["id"], command=menu)["chat"]
            assert lines[-1]["text"].startswith(f"* @{verb} ")
            assert read(built, lines[-1]["text"]), lines
    supporting = [unit for unit in units.values() if unit.kind != "unit" and (unit.type or "").endswith(SUPPORTING)]
    assert supporting or "support" not in verbs
    for verb, (menu, _) in MARKER_VERBS.items():
        if verb in verbs and supporting:
            where = {"map": "Main Map", "x": one["x"], "y": one["y"]}
            marker = built.engine("place", slot=supporting[0].id, **where)["id"]
            line = built.engine("key", id=marker, command=menu)["chat"][-1]["text"]
            assert read(built, line), line


def test_counters_of_one_name_are_told_apart(built: Built, tmp_path: Path) -> None:
    """The menus' declarations are clear to the referee, whichever counters join."""
    if not built.id.startswith("korean-battles/"):
        pytest.skip("the referee does not judge logs of this game yet")
    log = tmp_path / "game.vlog"
    built.engine("setup")
    built.engine("beginlog", file=log)
    on_map = [piece for piece in built.engine("dump")["state"]["pieces"] if piece["map"] == "Main Map"]
    enemies = {side: [piece for piece in on_map if piece["properties"]["Side"] == side] for side in built.module.sides}
    one, other = enemies.values()
    for piece in on_map:
        built.engine("key", id=piece["id"], command=JOIN)
        target = other[0] if piece in one else one[0]
        said = built.engine("key", id=target["id"], command=DECLARE)["chat"][-1]["text"]
        assert piece_name({unit.id: unit for unit in built.units}[piece["properties"]["UnitId"]]) in said
    built.engine("endlog")
    told = check([log], None, None, built.path)[0]
    assert [problem for problem in told.json["problems"] if "not clear which units" in str(problem)] == []


def test_a_log_played_in_it_is_bound_exactly(built: Built, tmp_path: Path) -> None:
    """Every unit that moves is the unit of the lists, and nothing else is one."""
    if not built.id.startswith("korean-battles/"):
        pytest.skip("the referee does not judge logs of this game yet")
    log = tmp_path / "game.vlog"
    built.engine("setup")
    built.engine("beginlog", file=log)
    units = [piece for piece in built.engine("dump")["state"]["pieces"] if piece["map"] == "Main Map"]
    layout = built.module.maps[0].layout()
    units = [
        piece for piece in units if layout.location(piece["x"], piece["y"] - round(HEX)) in built.scenario.map.grid
    ]
    for piece in units:
        built.engine("move", id=piece["id"], map="Main Map", x=piece["x"], y=piece["y"] - round(HEX))
    built.engine("place", slot="UN +3", map="Main Map", x=units[0]["x"], y=units[0]["y"])
    built.engine("endlog")
    told = check([log], None, None, built.path)[0]
    assert told.json["game"] + "/" + told.json["scenario"] == built.id
    moved = Counter(name for finding in told.findings for name in finding.units)
    assert set(moved) <= {piece["properties"]["BasicName"] for piece in units}
    assert told.judged == len(units)
    assert "annpw" not in str(told.json)


CLEAR = """version: 1
name: chosin-few
game: korean-battles
grid: {columns: 19, rows: 18}
complete: [hexsides, links]
default_terrain: {kind: clear, source: {person: a test}}
"""


@pytest.mark.parametrize(("odds", "breaches"), [("-1", set()), ("+5", {"CMB-WRONG-SUM"})])
def test_a_combat_played_by_menus_and_buttons_is_judged(
    built: Built, tmp_path: Path, odds: str, breaches: set[str]
) -> None:
    """Two regiments of 3 against a defender of 7: the differential is -1, whatever a player announces."""
    if built.id != "korean-battles/chosin-few":
        pytest.skip("one battle is enough")
    log, sheet, engine = tmp_path / "game.vlog", tmp_path / "map.yaml", built.engine
    sheet.write_text(CLEAR, encoding="utf-8")
    layout = built.module.maps[0].layout()
    engine("setup")
    ids = {piece["properties"]["UnitId"]: piece["id"] for piece in engine("dump")["state"]["pieces"]}
    engine("move", id=ids["89/2"], **_spot(layout, "0512"))
    engine("beginlog", file=log)
    engine("turn")
    for unit, hex in (("59/2", "0810"), ("59/3", "0711")):
        engine("move", id=ids[unit], **_spot(layout, hex))
    engine("turn")
    for unit in ("59/3", "59/2"):
        engine("key", id=ids[unit], command=JOIN)
    engine("key", id=ids["5/1M"], command=DECLARE)
    engine("hotkey", key=f"named:hexref Odds {odds}")
    engine("dice", name="1d6")
    for _ in range(3):
        engine("turn")
    engine("endlog")
    told = check([log], None, sheet, built.path)[0]
    assert told.json["problems"] == []
    assert {finding.check for finding in told.findings if finding.verdict == Verdict.ILLEGAL} == breaches
    assert told.judged >= 5


def _spot(layout: BoardLayout, hex: str) -> dict[str, Any]:
    point = layout.point(hex)
    assert point
    return {"map": "Main Map", "x": point[0], "y": point[1]}
