"""Korean Battles played in the real engine, by the rules and against them: each breach is found, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from engine import Engine
from korean_battles_play import Table, write

from converter.vassal import commands
from converter.vassal.savegame import read_game, write_game
from converter.vassal.stream import Element, Stream
from referee.check import Checked, check
from referee.games.korean_battles import facts
from referee.table.maps import sheet
from referee.verdict import Verdict

CHARTS = "options: {mobile_ezoc_surcharge: direct}\n"


def clear_map(battle: str) -> str:
    """The whole map clear, without roads and rivers."""
    grid = sheet(facts.GAME, facts.scenario(battle).map).grid
    return (
        f"version: 1\nname: {battle}\ngame: korean-battles\ngrid: {{columns: {grid.columns}, rows: {grid.rows + 6}}}\n"
        "complete: [hexsides, links]\ndefault_terrain: {kind: clear, source: {person: a test}}\n"
    )


SETUP = {
    "chosin-few": {
        "5/1M": "0710", "7/1M": "0709", "1/1M": "0907", "HQ 1M": "0907", "31/7": "0706", "Army Cadre": "1206",
        "59/1": "0912", "59/2": "0911", "59/3": "0811", "58/1": "1111", "58/2": "1112", "60/1": "1211", "80/1": "0605",
        "79/1": "0408", "89/1": "0611", "89/2": "0512", "HQ 20": "0611", "HQ 27": "0407", "Interdicted": "0303",
    },
    "inchon-seoul": {
        "1/1M": "0209", "5/1M": "0109", "1KM": "0108", "107": "0805", "226": "0208", "42/1": "0708", "42/2": "1211",
        "877": "0906", "Depot": "1107", "18/70": "1412", "31": "1307",
    },
    "pusan": {
        "24/25": "0506", "35/25": "0706", "34/24": "0906", "21/24": "1105", "19/24": "1305", "5/1M": "0509",
        "9/2": "1111", "HQ 25": "0507", "NK HQ 1": "2501", "766": "3418", "109": "3603", "83": "0105", "Depot": "3706",
    },
}  # fmt: skip
WAITING = {
    "chosin-few": ("41", "Mar", "17/7", "94/1"),
    "inchon-seoul": ("HQ 1M", "7/1M", "25"),
    "pusan": ("HQ 2", "23/2", "89", "72", "16"),
}


@dataclass
class Played:
    """A game that was played and logged, with what was done against the rules: step and catalogue id."""

    log: Path
    planted: list[tuple[int, str]] = field(default_factory=list)


def chosin_clean(t: Table, foul: Callable[[int, str], None]) -> None:
    t.to("Chinese", "movement")
    t.move("58/1", "1109")
    t.move("59/1", "0711")
    t.slip()
    t.move("59/2", "0810")
    t.move("79/1", "0509")
    t.undo()
    t.move("Interdicted", "0410")
    t.move("79/1", "0508")
    t.say("good luck, 3-1 is my favourite")
    t.to("Chinese", "combat")
    t.say("@attack 59/1, 59/2 -> 0710")
    t.say("@odds -1")
    t.roll()
    t.flip("59/1")
    t.roll()  # a combat nobody called out, and a retreat
    t.move("31/7", "0705")
    t.to("Chinese", "mobile-movement")
    t.to("UN", "movement")
    t.move("1/1M", "0607")  # put down in the wrong place
    t.move("1/1M", "0907")
    t.move("Mar", "1903")
    t.move("1/1M", "0909")
    t.move("HQ 1M", "0905")
    t.to("UN", "combat")
    t.to("UN", "mobile-movement")
    t.to(None, "turn-end")


def chosin_foul(t: Table, foul: Callable[[int, str], None]) -> None:
    t.to("Chinese", "movement")
    foul(t.move("58/1", "1106"), "MOVE-OVER-MA")
    foul(t.move("58/2", "1102"), "MOVE-DIST-BOUND")
    foul(t.move("80/1", "0706"), "MOVE-ENEMY-HEX")
    foul(t.move("7/1M", "0708"), "SEQ-MOVE-WRONG-PLAYER")
    foul(t.move("59/3", "0609"), "MOVE-ZOC-LEG-NO-STOP")
    t.move("59/1", "0711")
    t.move("59/2", "0810")
    t.move("89/1", "0411")
    foul(t.move("89/2", "0411"), "STACK-BREAKDOWN")
    t.move("HQ 20", "0410")
    t.move("HQ 27", "0410")
    foul(t.move("79/1", "0410"), "STACK-THREE")
    foul(t.move("94/1", "0407"), "REINF-EARLY")
    t.to("Chinese", "combat")
    foul(t.move("60/1", "1210"), "SEQ-MOVE-WRONG-PHASE")
    t.say("@attack 59/1, 59/2 -> 0710")
    foul(t.say("@odds +5"), "CMB-WRONG-SUM")
    t.roll()
    t.flip("59/1")
    foul(t.move("5/1M", "0809"), "RET-EZOC")
    again = t.say("@attack 59/2 -> 0809")
    foul(again, "CMB-UNIT-TWICE")
    foul(again, "CMB-TARGET-TWICE")
    foul(t.say("@attack 60/1 -> 0907"), "CMB-NOT-ADJACENT")
    t.to("Chinese", "mobile-movement")
    foul(t.flip("59/1"), "RB-CHOSIN")
    foul(t.move("60/1", "1209"), "SEQ-LEG-IN-MOBILE-MOVE")
    t.to("UN", "movement")
    foul(t.move("Mar", "1001"), "REINF-WRONG-HEX")
    foul(t.move("17/7", "1301"), "REINF-EARLY")
    foul(t.move("Army Cadre", "1207"), "MOVE-CADRE-T1")
    t.to("UN", "combat")
    foul(t.move("41", "1903"), "REINF-WRONG-PHASE")
    t.to("UN", "mobile-movement")
    foul(t.move("Mar", "1002"), "SEQ-MOBILE-MOVED-TWICE")
    t.to("UN", "mobile-combat")
    foul(t.say("@attack 5/1M -> 0810"), "SEQ-LEG-IN-MOBILE-COMBAT")
    t.to(None, "turn-end")


def inchon_clean(t: Table, foul: Callable[[int, str], None]) -> None:
    t.to("UN", "movement")
    t.move("5/1M", "0308")
    t.to("UN", "combat")
    t.say("@attack 5/1M, 1/1M -> 0208")
    t.say("@odds +13")
    t.roll()
    t.kill("226")
    t.to("NK", "movement")
    t.move("42/1", "0707")
    t.move("18/70", "1410")
    t.move("877", "0905")
    t.to("NK", "combat")
    t.to("NK", "mobile-movement")
    t.to(None, "turn-end")


def inchon_foul(t: Table, foul: Callable[[int, str], None]) -> None:
    t.to("UN", "movement")
    foul(t.move("5/1M", "0209"), "STACK-TWO-LARGE")
    foul(t.move("1KM", "0608"), "MOVE-OVER-MA")
    foul(t.move("7/1M", "0109"), "REINF-EARLY")
    foul(t.move("107", "0806"), "SEQ-MOVE-WRONG-PLAYER")
    t.to("UN", "combat")
    foul(t.say("@attack 226 -> 0209"), "CMB-WRONG-PLAYER")
    foul(t.say("@wave 226"), "HW-WRONG-SCENARIO")
    t.to("NK", "movement")
    foul(t.move("18/70", "0909"), "MOVE-OVER-MA")
    foul(t.move("25", "1701"), "REINF-EARLY")
    t.move("31", "1207")
    t.to("NK", "combat")
    foul(t.say("@attack Depot -> 0209"), "CMB-DEPOT-ATTACKS")
    t.to("NK", "mobile-movement")
    t.to(None, "turn-end")


def pusan_clean(t: Table, foul: Callable[[int, str], None]) -> None:
    t.to("NK", "movement")
    t.move("83", "0204")
    t.move("766", "3317")
    t.to("NK", "combat")
    t.to("NK", "mobile-movement")
    t.move("109", "3604")
    t.to("UN", "movement")
    t.move("23/2", "0216")
    t.move("24/25", "0505")
    t.move("9/2", "1109")
    t.to("UN", "combat")
    t.to("UN", "mobile-movement")
    t.to(None, "turn-end")


def pusan_foul(t: Table, foul: Callable[[int, str], None]) -> None:
    t.to("NK", "movement")
    foul(t.move("766", "3410"), "MOVE-OVER-MA")
    foul(t.move("9/2", "1110"), "SEQ-MOVE-WRONG-PLAYER")
    foul(t.move("16", "2501"), "REINF-EARLY")
    t.to("NK", "combat")
    foul(t.say("@attack 34/24 -> 1105"), "CMB-WRONG-PLAYER")
    t.roll()
    t.to("NK", "mobile-movement")
    t.move("109", "3604")
    t.to("UN", "movement")
    t.move("23/2", "0216")
    foul(t.flip("83"), "RB-TIMING")
    foul(t.move("72", "0216"), "REINF-EARLY")
    t.move("24/25", "0706")
    foul(t.move("HQ 25", "0706"), "STACK-THREE")
    t.to("UN", "combat")
    foul(t.move("5/1M", "0508"), "SEQ-MOVE-WRONG-PHASE")
    t.to("UN", "mobile-movement")
    foul(t.move("9/2", "1112"), "SEQ-LEG-IN-MOBILE-MOVE")
    t.to(None, "turn-end")


GAMES = {
    "chosin-few": (chosin_clean, chosin_foul),
    "inchon-seoul": (inchon_clean, inchon_foul),
    "pusan": (pusan_clean, pusan_foul),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("korean-battles")
    (where / "charts.yaml").write_text(CHARTS, encoding="utf-8")
    for battle in GAMES:
        write(where / f"{battle}.vmod", battle)
        (where / f"{battle}.yaml").write_text(clear_map(battle), encoding="utf-8")
    return where


@pytest.fixture(scope="module", params=list(GAMES))
def battle(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def play(engine: Engine, folder: Path, battle: str, which: int) -> Played:
    """Set up, begin the log, and play one of the two games."""
    table = Table(engine, folder / f"{battle}.vmod", battle)
    for name, hex in SETUP[battle].items():
        table.place(name, hex)
    for name in WAITING[battle]:
        table.hold(name)
    if battle == "pusan":
        table.flip("83")
    played = Played(folder / f"{battle}-{which}.vlog")
    table.begin(played.log)
    GAMES[battle][which](table, lambda step, id: played.planted.append((step, id)))
    table.end()
    return played


@pytest.fixture(scope="module")
def games(engine_for: Callable[..., Engine], folder: Path, battle: str) -> tuple[Played, Played]:
    engine = engine_for(folder / f"{battle}.vmod", side="UN", user="Ann", password="annpw", seed=1)
    return play(engine, folder, battle, 0), play(engine, folder, battle, 1)


def judged(log: Path, folder: Path, battle: str, terrain: bool = True) -> Checked:
    module, sheet_ = folder / f"{battle}.vmod", folder / f"{battle}.yaml" if terrain else None
    return check([log], f"korean-battles/{battle}", sheet_, module, charts=folder / "charts.yaml")[0]


def accused(told: Checked) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for finding in told.findings:
        if finding.verdict == Verdict.ILLEGAL:
            found.setdefault(finding.step, set()).add(finding.check)
    return found


def test_a_clean_turn(games: tuple[Played, Played], folder: Path, battle: str) -> None:
    told = judged(games[0].log, folder, battle)
    assert told.judged > 10
    assert accused(told) == {}
    assert [finding.check for finding in told.findings if not finding.check.startswith("SEQ-")] == []


def test_each_breach_is_found_and_nothing_else(games: tuple[Played, Played], folder: Path, battle: str) -> None:
    told = judged(games[1].log, folder, battle)
    found = accused(told)
    missed = [(step, id, found.get(step)) for step, id in games[1].planted if id not in found.get(step, ())]
    assert missed == []
    assert set(found) == {step for step, _ in games[1].planted}


def silent(played: Played, chat: bool = True, turns: bool = True) -> Path:
    """The same log without the call-outs and without the turn tracker."""
    game = read_game(played.log)

    def is_told(element: Element) -> bool:
        for text in element.heads():
            command = commands.parse(text)
            if chat and isinstance(command, commands.Chat) and "- @" in command.text:
                return True
            if turns and isinstance(command, commands.TurnState):
                return True
        return False

    steps = set(map(id, game.stream.steps))
    elements = [element for element in game.stream.elements if id(element) not in steps or not is_told(element)]
    game.stream = Stream(elements)
    path = played.log.with_name(f"{played.log.stem}-silent.vlog")
    write_game(path, game)
    return path


@pytest.mark.parametrize("which", [0, 1])
def test_without_a_word_nobody_is_accused_wrongly(
    games: tuple[Played, Played], folder: Path, battle: str, which: int
) -> None:
    """What is still proved is a move of more than any retreat, too far for any phase."""
    told = judged(silent(games[which]), folder, battle)
    planted = {id for _, id in games[which].planted}
    for checks in accused(told).values():
        assert checks & planted, checks
    assert {"MOVE-OVER-MA"} & planted <= {check for checks in accused(told).values() for check in checks}


def test_without_terrain(games: tuple[Played, Played], folder: Path, battle: str) -> None:
    """Distance, stacking, sequence, reinforcements and adjacency need no terrain; the rest names the hexes."""
    assert accused(judged(games[0].log, folder, battle, terrain=False)) == {}
    told = judged(games[1].log, folder, battle, terrain=False)
    found = accused(told)
    assert set(found) <= {step for step, _ in games[1].planted}
    free = ("SEQ-", "STACK-", "REINF-EARLY", "CMB-NOT", "CMB-WRONG-PLAYER", "MOVE-DIST", "MOVE-ENEMY")
    for step, id in games[1].planted:
        if id.startswith(free):
            assert id in found.get(step, ()), (step, id)
        elif id == "MOVE-OVER-MA" and step not in found:
            doubts = [finding for finding in told.findings if finding.step == step]
            assert any("from" in what for finding in doubts for what in finding.missing)


def test_no_password(games: tuple[Played, Played], folder: Path, battle: str) -> None:
    told = judged(games[1].log, folder, battle)
    assert "annpw" not in repr(told)
