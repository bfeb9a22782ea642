"""Counters, piles and maps: the engine's book-keeping."""

from __future__ import annotations

import time

import pytest

from converter.vassal.builds import build_of
from converter.vassal.surface import CROWD, Counter, Pile, Surface

INF = "piece;;;;Inf"
HIDING = "hide;\tpiece;;;;Inf"


def counters(count: int, type_text: str = INF) -> list[Counter]:
    return [Counter(str(number), build_of(type_text)) for number in range(count)]


def test_a_counter_in_a_pile_is_where_the_pile_is() -> None:
    main, other = Surface("Main"), Surface("Other")
    [one] = counters(1)
    one.own_point = (1, 1)
    other.add(one)
    pile = Pile("p")
    pile.own_point = (5, 6)
    main.add(pile)
    pile.put_in(one, 0)
    assert one.map is main
    assert one.point == (5, 6)
    assert one not in other
    pile.take_out(one)
    assert one.map is other  # it goes on believing what it last knew of itself
    assert one.point == (1, 1)
    assert pile in main


def test_taking_out_what_is_not_there_only_forgets_the_pile() -> None:
    one, two = counters(2)
    pile = Pile("p")
    pile.put_in(one, 0)
    two.pile = pile
    pile.take_out(two)
    assert two.pile is None
    assert pile.members == [one]


@pytest.mark.parametrize(("index", "order"), [(0, "201"), (1, "021"), (2, "012"), (9, "012"), (-3, "201")])
def test_reordering(index: int, order: str) -> None:
    pile = Pile("p")
    for counter in counters(3):
        pile.put_in(counter, len(pile.members))
    pile.reorder(pile.members[2], index)
    assert "".join(member.id for member in pile.members) == order


def test_what_may_be_joined_comes_in_the_maps_order() -> None:
    main = Surface("Main")
    one, two = counters(2)
    sea = Counter("sea", build_of("immob;n;N;R;\tpiece;;;;Sea"))
    for thing in (one, two, sea):
        main.add(thing)
    assert main.joinable((0, 0)) == [one, two]
    assert list(main) == [sea, one, two]
    main.lift(one)
    assert main.joinable((0, 0)) == [two, one]
    assert list(main) == [sea, two, one]
    main.shift(two, (9, 9))
    main.shift(sea, (9, 9))
    assert main.joinable((9, 9)) == [two]
    assert main.joinable((0, 0)) == [one]
    main.discard(one)
    main.discard(one)
    main.discard(sea)
    assert main.joinable((0, 0)) == main.joinable((3, 3)) == []
    assert list(main) == [two]
    assert one not in main


def test_a_map_that_does_not_lift_what_moved_last() -> None:
    main = Surface("Main", lifts_last_moved=False)
    one, two = counters(2)
    main.add(one)
    main.add(two)
    main.lift(one)
    assert main.joinable((0, 0)) == [one, two]


def test_adding_takes_a_thing_from_where_it_was() -> None:
    main, other = Surface("Main"), Surface("Other")
    [one] = counters(1)
    other.add(one)
    main.add(one)
    main.add(one)
    assert one not in other
    assert list(main) == [one]
    pile = Pile("p")
    other.add(pile)
    pile.put_in(one, 0)
    main.add(one)
    assert pile.members == []
    assert one.pile is None


def test_layers_never_mix_and_sort_first() -> None:
    levels = {"0": 1, "1": 0}
    main = Surface("Main", layer_of=lambda counter: levels[counter.id] if counter else 2)
    one, two = counters(2)
    pile, deck = Pile("p"), Pile("d", "Cards")
    for thing in (pile, deck, one, two):
        main.add(thing)
    assert main.joinable((0, 0)) == [two, one, pile, deck]
    assert not main.can_merge(one, two, None)
    assert main.can_merge(one, one, None)


def test_who_may_stack() -> None:
    main = Surface("Main")
    one, two = counters(2)
    sea = Counter("sea", build_of("immob;n;N;R;\tpiece;;;;Sea"))
    spy = Counter("spy", build_of(HIDING))
    spy.states = ("annpw", "")
    assert main.can_merge(one, two, None)
    assert not main.can_merge(one, sea, None)
    assert not main.can_merge(spy, one, "bobpw")
    assert main.can_merge(spy, one, "annpw")


def test_the_top_is_what_the_viewer_sees() -> None:
    pile = Pile("p")
    [one] = counters(1)
    spy = Counter("spy", build_of(HIDING))
    spy.states = ("annpw", "")
    pile.put_in(one, 0)
    pile.put_in(spy, 1)
    assert pile.top("annpw") is spy
    assert pile.top("bobpw") is pile.top(None) is one
    assert Pile("empty").top(None) is None


@pytest.mark.parametrize(
    ("type_text", "alone"),
    [
        ("immob;n;N;R;\tpiece;;;;a", True),
        ("immob;n;N;L;\tpiece;;;;a", False),
        ("immob;n\tpiece;;;;a", True),
        ("immob;;\timmob;n;N;L\\\tpiece;;;;a", True),
        (INF, False),
    ],
)
def test_counters_that_never_stack(type_text: str, alone: bool) -> None:
    assert build_of(type_text).no_stack is alone


def test_where_in_the_chain() -> None:
    text = "PROP;a\thide;\\\tPROP;b\\\\\tpiece;;;;a"
    assert build_of(text).hide_links == (1,)
    assert build_of(text).property_links == (0, 2)


def test_in_a_crowd_emptied_stacks_do_not_hide_the_others() -> None:
    main = Surface("Main")
    spent = [Pile(f"p{number}") for number in range(CROWD + 10)]
    deck, [one] = Pile("deck", "Cards"), counters(1)
    for thing in (*spent, deck, one):
        main.add(thing)
    assert main.joinable((0, 0)) == [deck, one]


def test_a_crowd_at_one_point_leaves_quickly() -> None:
    main = Surface("Main")
    crowd = counters(50_000)
    for counter in crowd:
        main.add(counter)
    begun = time.process_time()
    for counter in reversed(crowd):
        main.discard(counter)
    assert time.process_time() - begun < 5
