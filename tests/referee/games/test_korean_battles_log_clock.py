"""What time it is in a log: only what the players announced, and never more than that."""

from __future__ import annotations

import pytest

from referee.games.korean_battles.logs import LOGS
from referee.logs.clock import Said, Timetable, said_in
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


def test_each_phase_announced_is_that_phase() -> None:
    table = times(tracker(1, "Chinese Movement"), tracker(1, "Chinese Combat"), tracker(1, "Chinese Mobile Movement"))
    assert [span.clock.times() for span in table.spans] == [
        frozenset({Time(1, 1)}),
        frozenset({Time(1, 2)}),
        frozenset({Time(1, 3)}),
    ]
    assert all(span.certain for span in table.spans)


def test_a_phase_passed_over_may_have_been_played() -> None:
    first, second = times(tracker(1, "Chinese Movement"), tracker(1, "Chinese Mobile Movement")).spans
    assert first.clock.times() == frozenset({Time(1, 1), Time(1, 2)})
    assert not first.certain
    assert not second.certain


def test_quiet_phases_passed_over_do_no_harm() -> None:
    """Nobody announces rebuilding; the mobile combat phase before it is still certain."""
    table = times(tracker(1, "Chinese Mobile Combat"), tracker(1, "UN Movement"), tracker(1, "UN Combat"))
    assert table.spans[0].clock.times() == frozenset({Time(1, 4), Time(1, 5)})
    assert table.spans[0].certain
    assert table.spans[-1].certain


def test_one_announcement_alone_does_not_last() -> None:
    (span,) = times(tracker(1, "Chinese Movement")).spans
    assert not span.certain
    assert span.clock.turn is None


def test_back_is_told() -> None:
    spans = times(tracker(1, "Chinese Combat"), tracker(1, "Chinese Movement")).spans
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
    assert begun.clock.times() == frozenset({Time(2, 6)})
    assert times(opening=tracker(2, "UN Movement")).before is None
