"""Logs with something wrong in them: clear words or a doubt, never a breakdown and never an accusation."""

from __future__ import annotations

from pathlib import Path

import pytest
from korean_battles_play import write
from written_log import Writer

from converter.errors import BadInput
from referee.check import Checked, check

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
UNITS = {"5/1M": "0710", "7/1M": "0709", "1/1M": "0907", "59/1": "0912", "59/2": "0911", "58/1": "1111"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("odd")
    write(where / "chosin.vmod", "chosin-few")
    return where


def judged(folder: Path, writer: Writer) -> Checked:
    return check([writer.write(folder / "a.vlog")])[0]


def found(told: Checked, verdict: str) -> set[tuple[int, str]]:
    return {(finding.step, finding.check) for finding in told.findings if finding.verdict == verdict}


def phase(folder: Path, said: str) -> Writer:
    return Writer(folder, UNITS).say(f"@phase turn 2 {said}")


def over(writer: Writer, side: str) -> Writer:
    return writer.say(f"@phase turn 2 {side} combat").say(f"@phase turn 2 {side} mobile movement")


def test_a_log_of_nothing(folder: Path) -> None:
    assert judged(folder, Writer(folder, UNITS)).findings == ()


@pytest.mark.parametrize(
    "lines",
    [
        ["@phase turn 3 UN combat", "@phase turn 1 Chinese movement", "@phase turn 7 UN movement", "@phase turn 2 NK"],
        ["@phase turn 3 UN movement", "@phase turn 3 Chinese movement", "@phase turn 3 UN movement"],
        ["@phase turn 3 Chinse movment", "@atack 58/1 -> 0710", "@attack", "@odds", "@attack -> ", "@odds lots"],
        ["@bombard", "@support", "@wave", "@turn", "@phase", "@turn 99", "@phase turn 99 UN movement"],
        ["@attack 59/1 -> 0911", "@attack 59/1, 5/1M -> 0911", "@attack 59/1 -> 0101"],
    ],
)
def test_call_outs_that_contradict_one_another_or_say_nothing(folder: Path, lines: list[str]) -> None:
    """Between any two of them a unit of each side makes a short move."""
    writer = Writer(folder, UNITS)
    for number, line in enumerate(lines):
        writer.say(line).move("58/1", ("1109", "1111")[number % 2]).move("1/1M", ("0906", "0907")[number % 2])
    assert found(judged(folder, writer), "illegal") == set()


def test_a_log_that_begins_in_the_middle_of_a_phase(folder: Path) -> None:
    writer = Writer(folder, UNITS).move("58/1", "1109").say("@phase turn 3 UN combat").move("1/1M", "0906")
    assert found(judged(folder, writer), "illegal") == set()


def test_an_attack_on_an_empty_hex_is_a_slip_of_the_pen(folder: Path) -> None:
    told = judged(folder, Writer(folder, UNITS).say("@attack 59/1 -> 0101"))
    assert told.findings == ()
    assert any("no enemy unit is in 0101" in problem for problem in told.problems)


class TestWithoutTerrain:
    """Nobody told of the map's terrain: what does not hang on it is found, what does is unsure and names the hexes."""

    def test_distance(self, folder: Path) -> None:
        told = judged(folder, over(phase(folder, "Chinese movement").move("58/1", "1101"), "Chinese"))
        assert (2, "MOVE-DIST-BOUND") in found(told, "illegal")

    def test_a_move_that_terrain_decides(self, folder: Path) -> None:
        told = judged(folder, over(phase(folder, "Chinese movement").move("58/1", "1106"), "Chinese"))
        assert found(told, "illegal") == set()
        doubt = next(finding for finding in told.findings if finding.check == "MOVE-OVER-MA")
        assert {"1110", "1106"} <= {word for what in doubt.missing for word in what.split()}

    def test_stacking(self, folder: Path) -> None:
        told = judged(folder, over(phase(folder, "Chinese movement").move("59/1", "0911"), "Chinese"))
        assert (2, "STACK-TWO-LARGE") in found(told, "illegal")

    def test_sequence(self, folder: Path) -> None:
        told = judged(folder, over(phase(folder, "Chinese movement").move("1/1M", "0906"), "Chinese"))
        assert found(told, "illegal") == {(2, "SEQ-MOVE-WRONG-PLAYER")}

    def test_reinforcements(self, folder: Path) -> None:
        told = judged(folder, over(phase(folder, "UN movement").place("17/7", "0101"), "UN"))
        assert (2, "REINF-EARLY") in found(told, "illegal")

    def test_adjacency(self, folder: Path) -> None:
        told = judged(folder, phase(folder, "Chinese combat").say("@attack 58/1 -> 0710").roll(3))
        assert (2, "CMB-NOT-ADJACENT") in found(told, "illegal")

    def test_enemy_hex(self, folder: Path) -> None:
        told = judged(folder, over(phase(folder, "Chinese movement").move("59/2", "0710"), "Chinese"))
        assert (2, "MOVE-ENEMY-HEX") in found(told, "illegal")


@pytest.mark.skipif(not CORPUS.is_dir(), reason="needs the corpus of other people's modules")
@pytest.mark.parametrize("number", [1, 2])
def test_another_game_is_refused(number: int) -> None:
    log = CORPUS / "logs" / "longest-day" / f"0606-{number}.log"
    with pytest.raises(BadInput, match="is not korean-battles"):
        check([log], game="korean-battles")
