"""A full turn of each Korean battle in the real engine, by the rules and against them: each breach is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from engine import Engine
from fair_play import FAIR_CHARTS, Defence, rich_map, waiting_fair
from foul_play import CASTS, CHARTS, Planted, Prosecution, set_up, waiting
from korean_battles_play import Table, write
from silenced import MUTE, silent

from referee.check import Checked, check
from referee.verdict import Verdict

LOCAL = {
    "chosin-few": {"MOVE-CADRE-T1", "ENG-SCENARIO", "AIR-THIRD", "HW-WRONG-SCENARIO"},
    "inchon-seoul": {"REINF-187-CONDITION", "ENG-RANGE", "ENG-PHASE", "AIR-THIRD", "AIR-NOT-UN", "HW-WRONG-SCENARIO"},
    "pusan": {"CMB-DEPOT-ATTACKS", "ENG-SCENARIO", "AIR-THIRD", "HW-LATE", "HW-NO-LOSS"},
}


@dataclass
class Played:
    """A game that was played and logged, with what was done against the rules: step and catalogue id."""

    log: Path
    map: str
    planted: list[tuple[int, str]] = field(default_factory=list)
    botched: set[int] = field(default_factory=set)
    codes: list[str] = field(default_factory=list)
    mobile_fights: int = 0


def clear_map(battle: str) -> str:
    """The whole map clear, without roads and rivers."""
    grid = set_up(battle).grid
    return (
        f"version: 1\nname: {battle}\ngame: korean-battles\ngrid: {{columns: {grid.columns}, rows: {grid.rows}}}\n"
        "complete: [hexsides, links]\ndefault_terrain: {kind: clear, source: {person: a test}}\n"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("korean-battles")
    (where / "charts.yaml").write_text(CHARTS + FAIR_CHARTS, encoding="utf-8")
    for battle in CASTS:
        write(where / f"{battle}.vmod", battle)
        (where / f"{battle}-clear.yaml").write_text(clear_map(battle), encoding="utf-8")
        (where / f"{battle}-rich.yaml").write_text(rich_map(set_up(battle)), encoding="utf-8")
    return where


@pytest.fixture(scope="module", params=list(CASTS))
def battle(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def play(engine: Engine, folder: Path, battle: str, fair: bool) -> Played:
    """Set up, begin the log, and play one of the two games."""
    table = Table(engine, folder / f"{battle}.vmod", battle)
    placed = set_up(battle)
    for name, hex in placed.where.items():
        table.place(name, hex)
    for name in waiting_fair(placed) if fair else waiting(battle):
        table.hold(name)
    played = Played(folder / f"{battle}-{'fair' if fair else 'foul'}.vlog", "rich" if fair else "clear")
    table.begin(played.log)
    if fair:
        defence = Defence(table, placed)
        defence.play()
        played.codes, played.mobile_fights = defence.codes, defence.mobile_fights
    else:
        planted = Planted()
        Prosecution(table, placed, planted).play()
        played.planted, played.botched = planted.fouls, planted.botched
    table.end()
    return played


@pytest.fixture(scope="module")
def engine(engine_for: Callable[..., Engine], folder: Path, battle: str) -> Engine:
    return engine_for(folder / f"{battle}.vmod", side="UN", user="Ann", password="annpw", seed=1)


@pytest.fixture(scope="module")
def fair(engine: Engine, folder: Path, battle: str) -> Played:
    return play(engine, folder, battle, fair=True)


@pytest.fixture(scope="module")
def foul(engine: Engine, folder: Path, battle: str) -> Played:
    return play(engine, folder, battle, fair=False)


def judged(played: Played, folder: Path, battle: str, terrain: bool = True, log: Path | None = None) -> Checked:
    module, sheet = folder / f"{battle}.vmod", folder / f"{battle}-{played.map}.yaml" if terrain else None
    return check([log or played.log], f"korean-battles/{battle}", sheet, module, charts=folder / "charts.yaml")[0]


def accused(told: Checked) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for finding in told.findings:
        if finding.verdict == Verdict.ILLEGAL:
            found.setdefault(finding.step, set()).add(finding.check)
    return found


def test_a_clean_turn(fair: Played, folder: Path, battle: str) -> None:
    """Nothing to say of it, not even a doubt."""
    told = judged(fair, folder, battle)
    assert told.judged > 60
    assert len(set(fair.codes)) > 3, "results of several kinds"
    assert fair.mobile_fights
    assert told.findings == ()


def test_each_breach_is_found_and_nothing_else(foul: Played, folder: Path, battle: str) -> None:
    told = judged(foul, folder, battle)
    found = accused(told)
    missed = [(step, id, found.get(step)) for step, id in foul.planted if id not in found.get(step, ())]
    assert missed == []
    assert set(found) == {step for step, _ in foul.planted}
    assert len({id for _, id in foul.planted}) >= 29
    assert LOCAL[battle] <= {id for _, id in foul.planted}, "what only this battle forbids"


@pytest.mark.parametrize(("chat", "turns", "terrain"), MUTE)
def test_with_less_told_nobody_is_accused_wrongly(
    fair: Played, foul: Played, folder: Path, battle: str, chat: bool, turns: bool, terrain: bool
) -> None:
    """Without call-outs, tracker or terrain, or without any of them. What is still proved is found."""
    path, _ = silent(fair.log, chat, turns)
    assert accused(judged(fair, folder, battle, terrain, path)) == {}
    path, kept = silent(foul.log, chat, turns)
    told = judged(foul, folder, battle, terrain, path)
    found = {kept[step - 1]: checks for step, checks in accused(told).items()}
    planted: dict[int, set[str]] = {}
    for step, id in foul.planted:
        planted.setdefault(step, set()).add(id)
    assert set(found) <= set(planted) | (set() if terrain else foul.botched)
    proved = {id for checks in found.values() for id in checks}
    expected = {"MOVE-DIST-BOUND", "MOVE-OVER-MA"} if terrain else {"MOVE-DIST-BOUND"}
    if not (chat and turns):
        expected.add("MOVE-ENEMY-HEX")  # without a phase a short drag may be an advance before the retreat
    if not chat:  # the phases are called out
        for step, ids in planted.items():
            for id in ids:
                if id.startswith(("SEQ-", "STACK-", "REINF-EARLY", "CMB-NOT", "CMB-WRONG-PLAYER", "SF-", "BOMB-")):
                    assert id in found.get(step, ()), (step, id)
    elif not turns:  # the tracker alone
        expected |= {"SEQ-MOVE-WRONG-PLAYER", "REINF-EARLY"}
    else:
        assert not any(id.startswith(("SEQ-", "REINF-", "CMB-", "RES-", "RET-")) for id in proved)
    assert expected <= proved


def test_no_password(foul: Played, folder: Path, battle: str) -> None:
    assert "annpw" not in repr(judged(foul, folder, battle))
