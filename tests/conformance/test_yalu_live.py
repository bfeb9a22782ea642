"""Yalu played in the real engine, in the modules that `hexref build` makes: by the rules, and against them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from button_play import ButtonTable
from engine import Engine
from silenced import MUTE, silent
from yalu_play import SETUP, WAITING, Evening, YaluTable, charts, sheet

from converter.vassal.export import boards
from converter.vassal.export.command import run_build
from referee.check import Checked, check
from referee.games.yalu import facts
from referee.verdict import Verdict

HEX = 24.0  # pixels: small boards are drawn quickly


@dataclass
class Played:
    """A game that was played and logged, with what was done against the rules: step and catalogue id."""

    log: Path
    planted: list[tuple[int, str]] = field(default_factory=list)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("yalu")
    (where / "charts.yaml").write_text(charts(), encoding="utf-8")
    (where / "map.yaml").write_text(sheet(), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boards, "HEX_HEIGHT", HEX)
        for edition in facts.SCENARIOS:
            run_build(f"yalu/{edition}", where / f"{edition}.vmod")
    return where


@pytest.fixture(scope="module", params=facts.SCENARIOS)
def edition(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def play(engine: Engine, folder: Path, edition: str, fair: bool) -> Played:
    table = YaluTable(engine, folder / f"{edition}.vmod", edition)
    for name, hex in SETUP.items():
        table.place(name, hex)
    for name in WAITING:
        table.hold(name)
    played = Played(folder / f"{edition}-{'fair' if fair else 'foul'}.vlog")
    table.begin(played.log)
    Evening(table, None if fair else lambda step, id: played.planted.append((step, id))).play()
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


@pytest.mark.parametrize("honest", [True, False])
def test_a_turn_said_by_buttons_alone_is_judged(
    engine_for: Callable[..., Engine], folder: Path, edition: str, honest: bool
) -> None:
    """Nobody types a word: attacks, fires, odds, results, special dice are clicks. Odds announced wrongly are found."""
    engine = engine_for(folder / f"{edition}.vmod", side="UN", user="Ann", password="annpw", seed=1, visible=True)
    table = ButtonTable(engine, folder / f"{edition}.vmod", edition)
    for name, hex in SETUP.items():
        table.place(name, hex)
    for name in WAITING:
        table.hold(name)
    log = folder / f"{edition}-clicks-{honest}.vlog"
    table.begin(log)
    if not honest:
        table.instead = {"@odds 5-1": "@odds 8-1"}
    Evening(table, None).play()
    table.end()
    told = judged(log, folder, edition)
    assert {check for _, check in accused(told)} == (set() if honest else {"CBT-ODDS"})
    assert told.judged > 80
    assert table.clicks > 60
    assert table.unsaid <= {"asp", "weather", "bombard"}


def judged(log: Path, folder: Path, edition: str, terrain: bool = True) -> Checked:
    module, sheet = folder / f"{edition}.vmod", folder / "map.yaml" if terrain else None
    return check([log], f"yalu/{edition}", sheet, module, charts=folder / "charts.yaml")[0]


def accused(told: Checked) -> set[tuple[int, str]]:
    return {(one.step, one.check) for one in told.findings if one.verdict == Verdict.ILLEGAL}


def test_a_fair_turn_is_clean(fair: Played, folder: Path, edition: str) -> None:
    told = judged(fair.log, folder, edition)
    assert accused(told) == set()
    assert told.judged > 80


def test_every_planted_breach_is_found(foul: Played, folder: Path, edition: str) -> None:
    found = accused(judged(foul.log, folder, edition))
    assert sorted(set(foul.planted) - found) == []
    steps = {step for step, _ in foul.planted}
    assert sorted(one for one in found if one[0] not in steps) == []
    assert len({id for _, id in foul.planted}) >= 33


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
        spoken = {one for one in foul.planted if one[1].startswith(("CBT-", "ASP-", "SEQ-", "STACK-", "RET-", "HWA-"))}
        spoken -= {one for one in spoken if one[1] == "STACK-NAVAL-LAND" and not terrain}
        assert sorted(spoken - found) == []
