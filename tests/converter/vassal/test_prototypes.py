"""Prototypes put in place, as the real engine does it when a piece enters play."""

from __future__ import annotations

import time

from converter.vassal.prototypes import Definition, Prototypes


def piece(*traits: str, states: tuple[str, ...] = ()) -> str:
    """A slot's text of these traits around a plain counter; nested TABs get one backslash a level."""
    kinds = [*traits, "piece;;;;Inf"]
    held = [*states, *[""] * (len(traits) - len(states)), "null;0;0;1;0"]

    def chain(parts: list[str]) -> str:
        return "".join(part + "\\" * index + "\t" for index, part in enumerate(parts[:-1])) + parts[-1]

    return f"+/null/{chain(kinds)}/{chain(held)}"


def test_traits_go_where_the_prototype_stood() -> None:
    book = Prototypes(
        {
            "Outer": piece("mark;A", "prototype;Inner", "mark;C", states=("a", "", "c")),
            "Inner": piece("mark;B", states=("b",)),
        }
    )
    played = book.expand(piece("mark;X", "prototype;Outer", "mark;Y", states=("x", "", "y")))
    wanted = piece("mark;X", "mark;A", "mark;B", "mark;C", "mark;Y", states=("x", "a", "b", "c", "y"))
    assert played is not None
    assert f"+/null/{played.type}/{played.state}" == wanted
    assert not book.problems


def test_parameters_as_vassal_3_6_fills_them() -> None:
    book = Prototypes(
        {"Unit": "+/null/mark;Strength\treport;K;$pieceName$ $Other$ got $A$;;;\\\tpiece;;;;/$A$\t\\\tnull;0;0;;0"}
    )
    played = book.expand("+/null/prototype;Unit;A=3,B\tmark;Side\\\tpiece;;;;1st Inf/\tRed\\\tnull;0;0;1;0")
    assert played == Definition(
        "mark;Strength\treport;K;pieceName Other got 3;;;\\\tmark;Side\\\\\tpiece;;;;1st Inf",
        "3\t\\\tRed\\\\\tnull;0;0;1;0",
    )


def test_parameters_reach_the_prototypes_within() -> None:
    book = Prototypes({"P": piece("prototype;$kind$"), "Inf": piece("mark;Foot", states=("true",))})
    played = book.expand(piece("prototype;P;kind=Inf"))
    assert played == Definition("mark;Foot\tpiece;;;;Inf", "true\tnull;0;0;1;0")


def test_comments_are_dropped_and_the_plain_is_untouched() -> None:
    book = Prototypes({})
    assert book.expand(piece("cmt;why")) == Definition("piece;;;;Inf", "null;0;0;1;0")
    assert book.expand("+/null/mark;'q\tpiece;;;;Inf/\tx") == Definition("mark;'q\tpiece;;;;Inf", "\tx")


def test_unknown_and_broken_prototypes_give_nothing() -> None:
    book = Prototypes({"Broken": "hello"})
    assert book.expand(piece("prototype;None", "prototype;Broken")) == Definition("piece;;;;Inf", "null;0;0;1;0")
    assert {str(problem) for problem in book.problems} == {
        "prototype 'None': is not defined",
        "prototype 'Broken': is no piece definition",
    }
    for text in ("", "hello", "+/null", "-/null/piece;;;;x/"):
        assert book.expand(text) is None


def test_an_endless_piece_is_a_problem_of_its_own() -> None:
    book = Prototypes({"Long": piece(*["mark;x"] * 2500)})
    assert book.expand(piece("prototype;Long")) is None
    assert "more than" in str(book.problems[0])
    assert book.expand(piece("cmt;fine")) is not None


def test_cycles_end() -> None:
    book = Prototypes(
        {"A": piece("mark;a", "prototype;B"), "B": piece("mark;b", "prototype;A"), "S": piece("prototype;S")}
    )
    played = book.expand(piece("prototype;A", "prototype;S"))
    assert played is not None
    assert played.type.split(";")[0] == "mark"
    assert played.type.count("mark;") == 2
    assert any("uses itself" in problem.what for problem in book.problems)


def test_growth_is_bounded() -> None:
    doubling = {f"P{n}": piece(f"prototype;P{n + 1}", f"prototype;P{n + 1}") for n in range(40)}
    book = Prototypes({**doubling, "P40": piece("mark;x")})
    started = time.process_time()
    played = book.expand(piece("prototype;P0"))
    assert time.process_time() - started < 5
    assert played is not None
    assert any("too many traits" in problem.what for problem in book.problems)
    empty = Prototypes({**doubling, "P40": "+/null/piece;;;;/"})
    started = time.process_time()
    empty.expand(piece("prototype;P0"))
    assert time.process_time() - started < 5
