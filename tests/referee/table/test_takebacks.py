"""What a player put right by hand is no move: folded before judging, as undo is."""

from __future__ import annotations

from referee.table.acts import Step, without_undone
from referee.table.events import Added, Changed, Chat, Event, Moved, Place, Removed, Rolled, Undone
from referee.table.takebacks import without_takebacks


def at(hex: str) -> Place:
    return Place("Main Map", int(hex), 0, hex)


def moved(piece: str, origin: str, to: str) -> Moved:
    return Moved(piece, piece, at(origin), at(to))


def left(*events: Event) -> list[Event]:
    steps = [Step(number, (event,)) for number, event in enumerate(events, 1)]
    return [event for step in without_takebacks(steps) for event in step.events]


def test_a_piece_put_back() -> None:
    assert left(moved("a", "0101", "0105"), moved("b", "0201", "0202"), moved("a", "0105", "0101")) == [
        moved("b", "0201", "0202")
    ]


def test_a_second_correction() -> None:
    """There, back, there again: the last one stands."""
    there, back = moved("a", "0101", "0105"), moved("a", "0105", "0101")
    assert left(there, back, there) == [there]


def test_after_a_roll_nothing_is_taken_back() -> None:
    there, back, die = moved("a", "0101", "0105"), moved("a", "0105", "0101"), Rolled((3,), 6, "3")
    assert left(there, die, back) == [there, die, back]


def test_a_flip_turned_back_and_a_piece_put_down_and_taken_up() -> None:
    down, up = Changed("a", "a", (("Step_Level", "1", "2"),)), Changed("a", "a", (("Step_Level", "2", "1"),))
    assert left(down, up) == []
    assert left(Added("b", "b", at("0101")), Removed("b", "b", at("0101"))) == []


def test_an_undo_that_is_undone() -> None:
    said = [Step(1, (Chat("a"),)), Step(2, (Undone(1),)), Step(3, (Undone(2),))]
    assert [step.number for step in without_undone(said)] == [1]
    again = [*said, Step(4, (Undone(1),))]
    assert without_undone(again) == []


def test_an_undo_of_nobody_knows_what_is_kept() -> None:
    """It moved pieces; whoever judges must follow them."""
    steps = [Step(1, (moved("a", "0101", "0102"),)), Step(2, (Undone(None), moved("a", "0102", "0101")))]
    assert [step.number for step in without_undone(steps)] == [1, 2]
