"""What time it is in a log: only what the players announced, and never more than that."""

from __future__ import annotations

import pytest

from referee.games.korean_battles.logs import LOGS
from referee.logs.clock import Timetable, said_in
from referee.logs.reckoning import Doing, Said
from referee.table.acts import Step
from referee.table.clock import Time
from referee.table.events import Chat, Event, Turn

CALENDAR = LOGS.calendar(LOGS.scenario("chosin-few"))


def tracker(turn: int, phase: str) -> Turn:
    return Turn("Turn", (("TurnNo", str(turn)), ("Phase", phase)))


def times(*events: Event, opening: Turn | None = None) -> Timetable:
    return Timetable(CALENDAR, [Step(n, (event,)) for n, event in enumerate(events, 1)], opening)


def spoken(text: str) -> Chat:
    return Chat(f"<Ann> - {text}", "Ann")


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (tracker(3, "Chinese Mobile Movement"), Said(3, "Chinese", "mobile-movement")),
        (tracker(3, "End of Turn"), Said(3, None, "turn-end")),
        (tracker(1, "Support"), Said(1, None, "support")),
        (spoken("@phase turn 2 UN combat"), Said(2, "UN", "combat")),
        (spoken("Turn 2, Chinese movement phase"), Said(2, "Chinese", "movement")),
        (spoken("Chinese movement phase done"), None),
        (spoken("was that the end of your movement phase?"), None),
        (Chat("* Turn updated from 1 Support to 1 Chinese Movement"), None),
        (Turn("Victory", (("VP", "5"),)), None),
    ],
)
def test_what_an_event_announces(event: Event, said: Said | None) -> None:
    assert said_in(event, CALENDAR) == said


def called(turn: int, phase: str) -> Chat:
    return spoken(f"@phase turn {turn} {phase}")


def test_each_phase_called_out_is_that_phase() -> None:
    table = times(called(1, "Chinese Movement"), called(1, "Chinese Combat"), called(1, "Chinese Mobile Movement"))
    assert [span.clock.times() for span in table.spans] == [
        frozenset({Time(1, 1)}),
        frozenset({Time(1, 2)}),
        frozenset({Time(1, 3)}),
    ]
    assert all(span.certain for span in table.spans)


def test_a_phase_passed_over_may_have_been_played() -> None:
    first, second = times(called(1, "Chinese Movement"), called(1, "Chinese Mobile Movement")).spans
    assert first.clock.times() == frozenset({Time(1, 1), Time(1, 2)})
    assert not first.certain
    assert not second.certain


def test_quiet_phases_passed_over_do_no_harm() -> None:
    """Nobody announces rebuilding; the mobile combat phase before it is still certain."""
    table = times(called(1, "Chinese Mobile Combat"), called(1, "UN Movement"), called(1, "UN Combat"))
    assert table.spans[0].clock.times() == frozenset({Time(1, 4), Time(1, 5)})
    assert table.spans[0].certain
    assert table.spans[-1].certain


def test_a_button_of_the_module_calls_out_too() -> None:
    assert said_in(Chat("* @phase turn 2 UN combat"), CALENDAR) == Said(2, "UN", "combat")


MOVE, FIGHT = Doing("move", "Chinese", True), Doing("fight")


def clicked(*doings: tuple[str, Doing | None]) -> list[set[int]]:
    """The moments that may be, where a click on the tracker is followed by something done, or by nothing."""
    steps: list[Step] = []
    acts: list[tuple[int, tuple[Doing, ...]]] = []
    for phase, done in doings:
        steps.append(Step(len(steps) + 1, (tracker(1, phase),)))
        if done is not None:
            steps.append(Step(len(steps) + 1, ()))
            acts.append((len(steps), (done,)))
    table = Timetable(CALENDAR, steps, None, lambda: acts)
    assert all(span.tracked and not span.certain for span in table.spans)
    return [{time.place for time in span.clock.possible} for span in table.spans]


def test_a_click_reaches_to_the_neighbouring_phases() -> None:
    found = clicked(
        ("Chinese Movement", MOVE), ("Chinese Combat", FIGHT), ("Chinese Mobile Movement", MOVE), ("UN Movement", None)
    )
    assert found == [{0, 1, 2}, {1, 2, 3}, {2, 3, 4, 5, 6}, set()]


def test_clicks_in_a_burst_were_late() -> None:
    """Everything was played under the first one."""
    found = clicked(("Chinese Movement", MOVE), ("Chinese Combat", None), ("UN Movement", MOVE), ("UN Combat", None))
    assert found[0] == {0, 1, 2, 3, 4, 5, 6}


def test_where_phases_are_called_out_the_clicks_do_not_count() -> None:
    table = times(
        called(1, "Chinese Movement"), tracker(2, "UN Combat"), called(1, "Chinese Combat"), called(1, "UN Movement")
    )
    assert not any(span.tracked for span in table.spans)
    assert len(table.spans) == 3


def late(*acts: Doing) -> int:
    """The step at which the combat phase begins that is called out after these acts."""
    steps = [Step(1, (called(1, "Chinese Movement"),)), *(Step(n + 2, ()) for n in range(len(acts)))]
    steps += [Step(len(acts) + 2, (called(1, "Chinese Combat"),)), Step(20, (called(1, "Chinese Mobile Movement"),))]
    done = [(n + 2, (act,)) for n, act in enumerate(acts)]
    table = Timetable(CALENDAR, steps, None, lambda: done)
    return next(step.number for step in steps[1:] if table.beginning_at(step.number))


def test_a_call_out_that_comes_late_holds_for_the_acts_before_it() -> None:
    assert late(MOVE, FIGHT, FIGHT) == 3
    assert late(MOVE, MOVE) == 4
    assert late(FIGHT, MOVE) == 4, "a move after it: this was no late call-out"


def test_one_announcement_alone_does_not_last() -> None:
    (span,) = times(tracker(1, "Chinese Movement")).spans
    assert not span.certain
    assert span.clock.turn is None


def test_back_is_told() -> None:
    spans = times(called(1, "Chinese Combat"), called(1, "Chinese Movement")).spans
    assert [span.back for span in spans] == [False, True]


def test_turns_without_a_word() -> None:
    """From turn 1 to turn 3 and nothing between: what happened between is at no known time."""
    spans = times(tracker(1, "Chinese Movement"), tracker(3, "Chinese Movement")).spans
    assert spans[0].clock.turn is None
    assert not spans[0].clock.possible


def test_the_opening() -> None:
    """A tracker that still stands at its start says nothing; one in mid-game does, if it is used at all."""
    later = (tracker(2, "UN Combat"), tracker(2, "UN Mobile Movement"))
    assert times(*later, opening=tracker(1, "Support")).before is None
    begun = times(*later, opening=tracker(2, "UN Movement")).before
    assert begun is not None
    assert Time(2, 6) in begun.clock.possible
    assert times(opening=tracker(2, "UN Movement")).before is None
