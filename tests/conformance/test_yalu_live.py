"""Yalu played in the real engine, in the modules that `hexref build` makes: by the rules, and against them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from engine import Engine
from korean_battles_play import Table
from silenced import MUTE, silent

from converter.vassal.export import boards
from converter.vassal.export.command import run_build
from converter.vassal.module import read_module
from referee.check import Checked, check
from referee.games.yalu import facts
from referee.verdict import Verdict

HEX = 24.0  # pixels: small boards are drawn quickly
MAP = """
version: 1
name: clear
game: yalu
grid: {columns: 27, rows: 37}
complete: [hexsides, links]
default_terrain: {kind: clear, source: {person: a test}}
"""
SETUP = {
    "PVA 58": "1010", "PVA 59": "1010", "PVA 60": "1010", "PVA 112": "0808", "PVA 113": "0808", "PVA 124": "0606",
    "PVA 125": "0604", "PVA 148": "0406", "ROK 8": "1014", "ROK 7": "1216", "ROK 1": "1418", "US 2": "0811",
    "US 7": "1822", "27 BC": "2020", "29 Br": "2024", "3/31/7": "2422",
    "1/32/7": "2402", "PVA 149": "1410", "PVA 198": "2203", "17/7": "2204", "PVA 116": "2211",
    "32/7": "2212", "PVA 115": "2215", "9/2": "2216", "PVA 114": "2217", "PVA 120": "0812", "PVA 119": "0911",
    "PVA 117": "1222",
}  # fmt: skip
FACTORS = {"PVA": "factor: 4, move: 6", "ROK": "factor: 4, move: 5", "US": "factor: 10, move: 5"}


def charts() -> str:
    lines = [f'  "{name}": {{{FACTORS.get(name.split()[0], "factor: 2, move: 6")}}}' for name in SETUP]
    north = 'North of the Weather Line: ["0811", "1014", "2204", "2212", "2216"]'
    return "\n".join(["units:", *lines, f'regions: {{{north}, Between the lines: ["1216"]}}']) + "\n"


class YaluTable(Table):
    """The engine's table, with this game's sequence of play."""

    def __init__(self, engine: Engine, module: Path, edition: str) -> None:
        super().__init__(engine, module, "chosin-few")
        self.moments = facts.moments(edition)
        self.layout = read_module(module).maps[0].layout()


@dataclass
class Played:
    """A game that was played and logged, with what was done against the rules: step and catalogue id."""

    log: Path
    planted: list[tuple[int, str]] = field(default_factory=list)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("yalu")
    (where / "charts.yaml").write_text(charts(), encoding="utf-8")
    (where / "map.yaml").write_text(MAP, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boards, "HEX_HEIGHT", HEX)
        for edition in facts.SCENARIOS:
            run_build(f"yalu/{edition}", where / f"{edition}.vmod")
    return where


@pytest.fixture(scope="module", params=facts.SCENARIOS)
def edition(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def turn(t: YaluTable, edition: str, foul: Callable[[int, str], None] | None) -> None:
    """One game turn. Where `foul` is given, breaches are planted on the way."""
    t.to("Communist", "reinforcement")
    if foul:
        foul(t.move("ROK 7", "1217"), "SEQ-MOVE-OUTSIDE")
    t.to("Communist", "movement")
    t.move("PVA 58", "1012")
    t.move("PVA 112", "0810")
    t.move("PVA 148", "0409")
    if foul:
        foul(t.move("PVA 59", "1018"), "MOVE-MP")
        t.move("PVA 113", "0606")
        t.move("PVA 60", "0606")
        foul(t.move("PVA 125", "0606"), "STACK-COM-LIMIT")
        foul(t.move("PVA 148", "0414"), "MOVE-BANKED-MP")
        foul(t.move("PVA 149", "1418"), "MOVE-ENEMY-HEX")
        t.say("@hunt US 7")
        t.roll()
        foul(t.step, "GUER-HUNT-PHASE")
        t.say("@ridgway")
        t.roll()
        foul(t.step, "RDG-ROLL")
        foul(t.say("@bombard US 2 -> 0810"), "BMB-PHASE")
        foul(t.step, "BMB-WHO")
    t.to("Communist", "bugout")
    if foul:
        foul(t.move("US 7", "1827"), "BUG-TURN")
        foul(t.move("ROK 7", "1219"), "BUG-ROK")
        if edition == "deluxe":
            foul(t.move("1/32/7", "2403"), "BUG-BATTALION")
        foul(t.move("27 BC", "2021"), "BUG-NOT-IN-ZOC")
    t.to("Communist", "designation")
    t.say("@attack PVA 112 -> 0811, 1 ASP")
    t.say("@surprise US 2")
    t.roll()
    if foul:
        foul(t.say("@attack PVA 124 -> 1014, 1 ASP"), "CBT-ADJACENT")
        foul(t.say("@hwa PVA 112 -> 0811"), "CBT-TYPE-MIX")
        if edition == "deluxe":
            foul(t.say("@attack PVA 112 -> 0809, 1 ASP"), "CBT-TWO-TARGETS")
        foul(t.say("@attack PVA 198 -> 2204, unsupplied, artillery -1"), "ART-UNSUPPLIED")
        if edition == "deluxe":
            foul(t.say("@attack PVA 116 -> 2212, 3 ASP"), "ASP-COST")
            foul(t.say("@hwa PVA 115 -> 2216, 0 ASP"), "ASP-HWA-UNSUPPLIED")
        t.flip("PVA 114")
        foul(t.say("@attack PVA 114 -> 2216, 1 ASP"), "CBT-ATTACKER-NEUTRALIZED")
        foul(t.say("@asp -2"), "ASP-OVERSPEND")
    t.to("Communist", "defensive-fire")
    if foul:
        foul(t.say("@defend 29 Br -> 1010"), "DF-WHO" if edition == "deluxe" else "CBT-ADJACENT")
    t.to("Communist", "assault")
    t.say("@fire PVA 112 -> 0811")
    t.say("@odds 1-2")
    if foul:
        foul(t.say("@odds 3-1"), "CBT-ODDS")
        foul(t.say("@fire PVA 112 -> 0811"), "CBT-FIRE-TWICE")
        foul(t.say("@fire PVA 120 -> 0811"), "CBT-UNDESIGNATED")
        foul(t.step, "CBT-TARGET-TWICE")
        foul(t.say("@attack PVA 119 -> 0811, 1 ASP"), "SEQ-SUBPHASE")
    t.to("UN", "bombardment")
    if foul:
        foul(t.move("ROK 1", "1422"), "SEQ-MOVE-OUTSIDE")
    t.to("UN", "movement")
    t.move("27 BC", "2018")
    t.move("ROK 1", "1420")
    if foul:
        foul(t.move("29 Br", "2031"), "MOVE-MP")
        t.move("ROK 7", "1221")
        foul(t.move("ROK 7", "1322"), "MOVE-ZOC-CONTINUE")
        foul(t.move("ROK 8", "1012"), "STACK-ENEMY")
        t.say("@infiltrate 3/31/7 -> 2423")
        t.roll()
        foul(t.step, "INF-SIDE")
    t.to(None, "weather")


def play(engine: Engine, folder: Path, edition: str, fair: bool) -> Played:
    table = YaluTable(engine, folder / f"{edition}.vmod", edition)
    for name, hex in SETUP.items():
        table.place(name, hex)
    played = Played(folder / f"{edition}-{'fair' if fair else 'foul'}.vlog")
    table.begin(played.log)
    turn(table, edition, None if fair else lambda step, id: played.planted.append((step, id)))
    table.end()
    return played


@pytest.fixture(scope="module")
def engine(engine_for: Callable[..., Engine], folder: Path, edition: str) -> Engine:
    return engine_for(folder / f"{edition}.vmod", side="UN", user="Ann", password="annpw", seed=1)


@pytest.fixture(scope="module")
def fair(engine: Engine, folder: Path, edition: str) -> Played:
    return play(engine, folder, edition, fair=True)


@pytest.fixture(scope="module")
def foul(engine: Engine, folder: Path, edition: str) -> Played:
    return play(engine, folder, edition, fair=False)


def judged(log: Path, folder: Path, edition: str, terrain: bool = True) -> Checked:
    module, sheet = folder / f"{edition}.vmod", folder / "map.yaml" if terrain else None
    return check([log], f"yalu/{edition}", sheet, module, charts=folder / "charts.yaml")[0]


def accused(told: Checked) -> set[tuple[int, str]]:
    return {(one.step, one.check) for one in told.findings if one.verdict == Verdict.ILLEGAL}


def test_a_fair_turn_is_clean(fair: Played, folder: Path, edition: str) -> None:
    told = judged(fair.log, folder, edition)
    assert accused(told) == set()
    assert told.judged > 10


def test_every_planted_breach_is_found(foul: Played, folder: Path, edition: str) -> None:
    found = accused(judged(foul.log, folder, edition))
    assert sorted(set(foul.planted) - found) == []
    steps = {step for step, _ in foul.planted}
    assert sorted(one for one in found if one[0] not in steps) == []
    assert len({id for _, id in foul.planted}) >= 25


@pytest.mark.parametrize(("chat", "turns", "terrain"), MUTE)
def test_with_less_told_nobody_is_accused_wrongly(
    fair: Played, foul: Played, folder: Path, edition: str, chat: bool, turns: bool, terrain: bool
) -> None:
    """Without call-outs, tracker or terrain, or without any of them. What is called out is still found."""
    path, _ = silent(fair.log, chat, turns)
    assert accused(judged(path, folder, edition, terrain)) == set()
    path, kept = silent(foul.log, chat, turns)
    found = {(kept[step - 1], id) for step, id in accused(judged(path, folder, edition, terrain))}
    assert {step for step, _ in found} <= {step for step, _ in foul.planted}
    if not chat:
        spoken = {one for one in foul.planted if one[1].startswith(("CBT-", "ASP-", "SEQ-", "STACK-"))}
        assert sorted(spoken - found) == []
