"""What time it is in a log of Yalu, where a subphase is named after the side that fires in the other's turn (3.1)."""

from __future__ import annotations

import pytest

from referee.games.yalu.logs import LOGS
from referee.logs.clock import Span, Timetable
from referee.logs.reckoning import Doing
from referee.table.acts import Step
from referee.table.clock import Moment
from referee.table.events import Chat

CALENDAR = LOGS.calendar(LOGS.scenario("deluxe"))


def told(*phases: str) -> list[str]:
    """The phases of spans that begin with these call-outs, as `turn side phase`."""
    steps = [Step(n, (Chat(f"<Ann> - {text}", "Ann"),)) for n, text in enumerate(phases, 1)]
    found = []
    for span in Timetable(CALENDAR, steps).spans:
        clock = span.clock
        found.append(f"{clock.turn} {clock.side} {clock.phase}")
    return found


@pytest.mark.parametrize("names", ["UN defensive fire", "Communist defensive fire", "UN Defensive Fire Subphase"])
@pytest.mark.parametrize("turn", ["", "turn 2 "])
def test_defensive_fire_after_designation_is_of_the_same_turn(turn: str, names: str) -> None:
    found = told(
        "@phase turn 2 Communist designation",
        f"@phase {turn}{names}",
        "@phase Communist assault",
        "@phase Communist morale",
    )
    assert found[:3] == ["2 Communist designation", "2 Communist defensive-fire", "2 Communist assault"]


def test_communist_fire_in_the_un_turn() -> None:
    found = told(
        "@phase turn 2 UN designation", "@phase Communist defensive fire", "@phase UN assault", "@phase UN morale"
    )
    assert found[:3] == ["2 UN designation", "2 UN defensive-fire", "2 UN assault"]


def test_where_much_is_passed_over_it_may_be_either() -> None:
    found = told("@phase turn 2 Communist movement", "@phase UN defensive fire", "@phase Communist assault")
    assert found[1] == "None None None"


def spans(phases: list[str], acts: dict[int, Doing]) -> list[Span]:
    """The spans of a log in which steps hold a call-out each, or an act."""
    last = max(len(phases), *acts)
    texts = iter(phases)
    steps = [Step(n, () if n in acts else (Chat(f"<Ann> - @phase {next(texts)}", "Ann"),)) for n in range(1, last + 1)]
    return list(Timetable(CALENDAR, steps, acts=lambda: [(n, (doing,)) for n, doing in acts.items()]).spans)


MARCH, FIRE = Doing("move", "UN", times=frozenset({Moment("UN", "movement")})), Doing("fight")


def test_a_phase_called_out_by_mistake_says_nothing_of_the_one_before() -> None:
    """After the reinforcements somebody moves and names a wrong phase; then the Assault begins."""
    phases = ["turn 2 UN bombardment", "turn 2 UN reinforcement", "turn 2 Communist movement", "turn 2 UN assault"]
    found = spans([*phases, "turn 2 UN morale"], {3: MARCH, 6: FIRE})
    assert Moment("UN", "movement") in found[1].clock.open_moments
    assert not found[1].certain


def test_a_ship_that_sails_after_the_last_fire_shows_that_time_went_on() -> None:
    sails = Doing("sail", "UN", times=frozenset({Moment("UN", "bombardment")}))
    names = [f"turn 2 Communist {name}" for name in ("movement", "bugout", "designation", "defensive fire", "assault")]
    for last, unsaid in ((sails, True), (MARCH, False)):
        found = spans(names, {6: FIRE, 7: last})
        assert found[-1].unsaid == unsaid
