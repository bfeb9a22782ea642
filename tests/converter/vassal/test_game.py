"""A game in play: what each command does to the position."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.vassal import commands, pieces, stream
from converter.vassal.game import MOST_PROBLEMS, Game
from converter.vassal.surface import Counter

INF = "piece;;;;Inf"


def play(*texts: str) -> Game:
    game = Game()
    for text in texts:
        game.execute(commands.parse(text))
    return game


def where(game: Game, piece: str) -> tuple[str | None, tuple[int, int]]:
    thing = game.things[piece]
    return thing.map.name if thing.map else None, thing.point


def pile_of(game: Game, piece: str) -> list[str]:
    pile = game.counters[piece].pile
    return [member.id for member in pile.members] if pile else []


def set_up(count: int = 3) -> list[str]:
    """Counters 1 to count at (10,20), in the stack 90."""
    adds = [f"+/{number}/{INF}/Main;10;20;;0" for number in range(1, count + 1)]
    return [*adds, f"+/90/stack/Main;10;20;{';'.join(str(number) for number in range(1, count + 1))};@@-1"]


def test_a_stack_takes_in_its_members_and_skips_strangers() -> None:
    game = play(f"+/1/{INF}/Main;1;1", "+/90/stack/Main;10;20;1;777;@@5")
    assert pile_of(game, "1") == ["1"]
    assert where(game, "1") == ("Main", (10, 20))
    assert game.piles["90"].layer == 5
    assert not game.problems


def test_a_deck() -> None:
    game = play(f"+/1/{INF}/null;0;0", f"+/2/{INF}/null;0;0", "+/d/deck;true;;1;1;;;;;;;;;Cards/Main;5;6;true;2,1,3")
    assert pile_of(game, "1") == ["2", "1"]
    assert game.piles["d"].deck == "Cards"
    assert game.piles["d"].face_down
    assert where(game, "2") == ("Main", (5, 6))


def test_a_deck_inside_a_chain_of_traits() -> None:
    assert play("+/d/mark;a\tdeck;true;;1;1;;;;;;;;;Cards/x\tMain;5;6").piles["d"].deck == "Cards"


def test_an_empty_deck() -> None:
    assert play("+/d/deck;/Main;5;6;false").piles["d"].members == []


def test_a_deck_that_is_moved_joins_no_stack_but_another_deck() -> None:
    deck = ("+/d/deck;/Main;5;5;false;8", f"+/8/{INF}/Main;5;5", "D/d/Main;5;5;false;8")
    game = play(f"+/1/{INF}/Main;50;60", "+/s/stack/Main;50;60;1", *deck, "M/d/Main/50/60/null/Main/5/5/null/pw")
    assert [member.id for member in game.piles["d"].members] == ["8"]
    assert [member.id for member in game.piles["s"].members] == ["1"]
    game = play("+/e/deck;/Main;50;60;false", *deck, "M/d/Main/50/60/null/Main/5/5/null/pw")
    assert [member.id for member in game.piles["e"].members] == ["8"]


def test_moving_out_of_a_stack() -> None:
    game = play(*set_up(), "M/2/Main/50/60/null/Main/10/20/1/pw")
    assert where(game, "2") == ("Main", (50, 60))
    assert pile_of(game, "1") == ["1", "3"]


def test_moving_onto_a_counter_with_and_without_one_beneath() -> None:
    start = [*set_up(2), f"+/7/{INF}/Main;50;60"]
    above = play(*start, "M/7/Main/10/20/1/Main/50/60/null/pw")
    assert pile_of(above, "7") == ["1", "7", "2"]
    bottom = play(*start, "M/7/Main/10/20/null/Main/50/60/null/pw")
    assert pile_of(bottom, "7") == ["7", "1", "2"]


def test_a_new_stack_is_made_of_two_single_counters() -> None:
    game = play(f"+/1/{INF}/Main;1;1", f"+/2/{INF}/Main;5;5", "M/2/Main/1/1/1/Main/5/5/null/pw")
    assert pile_of(game, "1") == ["1", "2"]
    game.execute(commands.parse("+/91/stack/Main;1;1;1;2;@@-1"))
    assert game.counters["1"].pile is game.things["91"]
    assert pile_of(game, "2") == ["1", "2"]


def test_moving_a_whole_stack() -> None:
    game = play(*set_up(), "M/90/Main/50/60/null/Main/10/20/null/pw")
    assert where(game, "3") == ("Main", (50, 60))
    assert pile_of(game, "3") == ["1", "2", "3"]


def test_moving_a_stack_onto_another() -> None:
    game = play(*set_up(2), f"+/7/{INF}/Main;50;60", "+/91/stack/Main;50;60;7", "M/90/Main/50/60/7/Main/10/20/null/pw")
    assert pile_of(game, "7") == ["7", "1", "2"]


def test_moving_to_no_map_takes_it_off() -> None:
    game = play(f"+/1/{INF}/Main;1;1", "M/1/null/0/0/null/Main/1/1/null/pw")
    assert game.counters["1"] not in game.surfaces["Main"]


@pytest.mark.parametrize(
    "text", ["M/9/Main/1/1/null/Main/0/0/null", "-/9", "D/9/x/y", "D/9/x", "M/null/Main/1/1/null/null/0/0/null"]
)
def test_unknown_pieces_are_passed_over(text: str) -> None:
    game = play(*set_up(), text)
    assert pile_of(game, "1") == ["1", "2", "3"]
    assert not game.problems


def test_removing() -> None:
    game = play(*set_up(), "-/2")
    assert "2" not in game.things
    assert game.removed["2"].id == "2"
    assert pile_of(game, "1") == ["1", "3"]
    game.execute(commands.parse("-/90"))
    assert "90" not in game.things


def test_a_change_sets_only_what_differs() -> None:
    text = "mark;Side\tmark;Other\\\tpiece;;;;Inf"
    game = play(f"+/1/{text}/Red\tx\\\tMain;1;2", "D/1/Red\ty\\\tMain;1;2/Blue\tx\\\tMain;1;2")
    assert game.counters["1"].states == ("Red", "y", "Main;1;2")
    game.execute(commands.parse("D/1/Blue\tx\\\tMain;8;9"))
    assert game.counters["1"].states == ("Blue", "x", "Main;8;9")
    assert where(game, "1") == ("Main", (8, 9))


def test_a_state_that_is_too_short_is_told() -> None:
    game = play(f"+/1/mark;Side\t{INF}/Red")
    assert game.counters["1"].states == ("Red", "")
    assert "shorter than the piece has traits" in game.problems[0].what
    game.execute(commands.parse("D/1/Blue/Red"))
    assert game.counters["1"].states == ("Blue", "")
    assert len(game.problems) == 2


def test_a_tab_in_what_a_counter_remembers() -> None:
    game = play(f"+/1/mark;Side\t{INF}/Red\tMain;1;2;;1;Old;a\\\tb")
    assert game.counters["1"].states == ("Red", "Main;1;2;;1;Old;a\tb")
    assert where(game, "1") == ("Main", (1, 2))


def test_a_stacks_change_keeps_whom_neither_text_knows() -> None:
    game = play(*set_up(), f"+/7/{INF}/Main;50;60", "D/90/Main;10;20;7;1;3/Main;10;20;1;3")
    assert pile_of(game, "1") == ["7", "1", "2", "3"]


def test_a_changed_deck_has_the_new_members() -> None:
    game = play(*set_up(), "+/d/deck;/Main;5;5;false;1,2", "D/d/Main;5;5;false;3/Main;5;5;false;1,2")
    assert [member.id for member in game.piles["d"].members] == ["3"]


def test_a_piece_of_unknown_kind_and_one_with_too_many_traits_do_not_hide_the_others() -> None:
    endless = pieces.roll(["it's"] * 2100 + [INF])
    game = play("+/1/wonder;/x", f"+/2/{endless}/x", f"+/3/{INF}/Main;1;1")
    assert list(game.things) == ["3"]
    assert [problem.what for problem in game.problems] == [
        "a piece of unknown kind was left out",
        "a piece has more than 2000 traits",
    ]


def test_an_id_that_exists_is_replaced() -> None:
    game = play(f"+/1/{INF}/Main;1;1", "+/1/piece;;;;Tank/Main;2;2")
    assert game.counters["1"].type == "piece;;;;Tank"


def test_pieces_without_an_id_get_fresh_ones() -> None:
    game = play(*[f"+/null/{INF}/Main;1;1"] * 3, f"+/new4/{INF}/Main;1;1", f"+/null/{INF}/Main;1;1")
    assert len(game.counters) == 5


def test_numbers_that_are_none_count_as_nought() -> None:
    game = play(f"+/1/{INF}/Main;x;99999999999")
    assert where(game, "1") == ("Main", (0, 0))


def test_players_boards_properties_and_trackers() -> None:
    game = play(
        "PLAYER\tpw\tAnn\tRed", "PLAYER\tpw\tAnn\tRed", "PLAYER\tbw\tBob\tBlue", "PYREMOVE\tbw",
        "MainBoardPicker\tB\t0\t0", "GlobalProperty\t;Weather;snow;Module",
        "MutableProperty\tWeather\tsnow\train\tModule",
        "GlobalProperty\t;Old;1", "TURNTurnTracker0\t0|3", "CHAThello", "bd\tx",
    )  # fmt: skip
    assert [(player.name, player.side) for player in game.players.values()] == [("Ann", "Red")]
    assert "pw" not in repr(game.players["pw"])
    assert game.boards == {"Main": (("B", 0, 0, False),)}
    assert game.properties == {("Module", "Weather"): "rain", ("Module", "Old"): "1"}
    assert game.trackers == {"TurnTracker0": "0|3"}


def test_problems_are_not_collected_without_end() -> None:
    game = play(*["+/1/wonder;/x"] * (MOST_PROBLEMS + 50))
    assert len(game.problems) == MOST_PROBLEMS


def test_hidden_counters_are_not_joined_by_others() -> None:
    spy = "hide;\tpiece;;;;Spy"
    start = [f"+/1/{spy}/annpw\tMain;1;1", f"+/2/{INF}/Main;5;5"]
    assert pile_of(play(*start, "M/2/Main/1/1/null/Main/5/5/null/bobpw"), "2") == []
    assert pile_of(play(*start, "M/2/Main/1/1/null/Main/5/5/null/annpw"), "2") == ["2", "1"]


@pytest.mark.parametrize("state", [";".join(["Main", "1", "1", *map(str, range(20_000, 0, -1))])])
def test_a_huge_stack_is_shuffled_in_no_time(state: str) -> None:
    game = play(*set_up(20_000))
    begun = time.process_time()
    for _ in range(3):
        game.execute(commands.parse(f"D/90/{state}"))
    assert time.process_time() - begun < 5
    assert pile_of(game, "1")[:2] == ["20000", "19999"]


def test_a_deck_that_claims_what_it_has_not() -> None:
    game = play("+/d/deck;/Main;5;5;false;" + ",".join(["1"] * 100_000), f"+/1/{INF}/Main;1;1")
    assert game.piles["d"].members == []
    game = play(f"+/1/{INF}/Main;1;1", "+/d/deck;/Main;5;5;false;" + ",".join(["1"] * 100_000))
    assert pile_of(game, "1") == ["1"]


@pytest.mark.parametrize("type_text", [INF, f"immob;n\t{INF}", f"hide;\t{INF}"])
def test_moving_about_in_a_crowd(type_text: str) -> None:
    state = {INF: "", f"hide;\t{INF}": "annpw\t"}.get(type_text, "\t") + "Main;1;2"
    game = play(*[f"+/{number}/{type_text}/{state}" for number in range(1_500)])
    begun = time.process_time()
    for number in range(1_500):
        game.execute(commands.parse(f"M/{number}/Main/1/2/null/Main/1/2/null/bobpw"))
    assert time.process_time() - begun < 20


ids = st.sampled_from(["1", "2", "3", "90", "91", "d", "null", "9", ""])
maps = st.sampled_from(["Main", "Other", "null", ""])
number = st.sampled_from(["0", "1", "x", "-5", "2147483647", "99999999999"])
piece_types = st.sampled_from(
    [INF, "stack", "deck;", f"mark;a\t{INF}", f"hide;\t{INF}", f"immob;n\t{INF}", f"PROP;L\t{INF}", "", "x"]
)
states = st.one_of(
    st.lists(st.one_of(ids, maps, number), max_size=6).map(";".join), st.text(alphabet="a\t\\';,/", max_size=8)
)
random_commands = st.one_of(
    st.tuples(st.just("+"), ids, piece_types, states),
    st.tuples(st.just("D"), ids, states, states),
    st.tuples(st.just("-"), ids),
    st.tuples(st.just("M"), ids, maps, number, number, ids, maps, number, number, ids, ids),
).map("/".join)


@given(st.lists(random_commands, max_size=25))
def test_books_balance_whatever_is_played(texts: list[str]) -> None:
    game = play(*set_up(), *texts)
    for surface in game.surfaces.values():
        for thing in surface:
            alone = isinstance(thing, Counter) and thing.build.no_stack
            assert (thing in surface.joinable(thing.own_point)) is not alone
    for pile in game.piles.values():
        assert len({id(member) for member in pile.members}) == len(pile.members)
        assert all(member.pile is pile for member in pile.members)


def test_a_whole_save_in_order() -> None:
    text = "begin_save\x1b\x1b\\\x1b" + "\\\x1b".join(set_up()) + "\x1bend_save"
    game = Game()
    for element in stream.decode(text).elements:
        for head in element.heads():
            game.execute(commands.parse(head))
    assert pile_of(game, "1") == ["1", "2", "3"]
