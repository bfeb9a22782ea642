"""Counters drawn: what stands on them, at which size, in which colours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from converter.counters import as_svg, compose, draw, game_theme, has_back, theme_of, usual_theme
from converter.counters.face import field_of
from converter.counters.lettering import CAPITALS, width
from converter.counters.scene import Words
from converter.counters.symbols import _facts, known_types
from converter.counters.theme import DATA, read_theme
from converter.errors import BadInput
from converter.games import game_names, scenario_names, scenario_of
from converter.scenario import Face, Source, Unit, UnitsFile

SOURCE = Source("person", "a test")


def said(unit: Unit, units: UnitsFile, which: str = "front", entry: str | None = None) -> list[str]:
    """The texts on one side of a counter."""
    scene = compose(unit, theme_of(units), "back" if which == "back" else "front", entry)
    return [item.text for item in scene.items if isinstance(item, Words)]


def test_a_counter_says_who_it_is_and_what_it_can_do(units: UnitsFile, marines: Unit) -> None:
    assert said(marines, units, entry="0509") == ["5/1M", "0509", "8-7-5"]
    assert said(marines, units, "back") == ["5/1M", "6-6-5"]


@pytest.mark.parametrize("name", ["A1", "A Recon", "1/187 RCT", "a name that is far too long"])
def test_designation_and_entry_do_not_touch(units: UnitsFile, marines: Unit, name: str) -> None:
    scene = compose(replace(marines, designation=name), theme_of(units), "front", "1824")
    words = [item for item in scene.items if isinstance(item, Words)]
    lines, (right,) = ([item for item in words if item.anchor == side] for side in ("left", "right"))
    assert (" ".join(item.text for item in lines), right.text) == (name, "1824")
    for left in lines:
        ends = left.x + width(left.text) * left.size * left.squeeze
        assert ends + 2 < right.x - width("1824") * right.size * right.squeeze


def test_a_long_designation_stands_in_two_lines_above_the_size_mark(marines: Unit) -> None:
    scene = compose(replace(marines, designation="175 Regiment company"), usual_theme(), "front", "T12")
    first, second = [item for item in scene.items if isinstance(item, Words) and item.anchor == "left"]
    assert (first.text, second.text) == ("175 Regiment", "company")
    assert min(first.size, second.size) >= 7
    assert second.y - CAPITALS * second.size > first.y + 1
    assert first.y - CAPITALS * first.size > 2
    assert second.y < 22


SIGNED = [("Ammo Shortage", "ammunition-out"), ("Ammo Out", "ammunition-out"), ("Fuel Out", "fuel-out")]


def test_markers_that_would_look_alike_bear_their_names() -> None:
    markers = [Unit(name, "UN", SOURCE, kind="marker", type=type) for name, type in SIGNED]
    markers += [
        Unit(f"{side} +3", side, SOURCE, kind="marker", type="support-fire", front=Face((("support", 3),)))
        for side in ("UN", "NK")
    ]
    file = UnitsFile(tuple(markers))
    told = [" ".join(said(marker, file)) for marker in markers]
    assert told == ["Ammo Shortage", "Ammo Out", "Fuel out", "UN +3", "NK +3"]


@pytest.mark.parametrize("id", [f"{game}/{scenario}" for game in game_names() for scenario in scenario_names(game)])
def test_no_two_counters_of_a_scenario_look_the_same(id: str) -> None:
    units = scenario_of(id).units
    assert units
    theme = theme_of(units)
    seen: dict[object, str] = {}
    for unit in units.units:
        drawn = compose(unit, theme).items
        assert drawn not in seen, (unit.id, seen[drawn])
        seen[drawn] = unit.id


def test_a_designation_goes_before_the_id(units: UnitsFile, marines: Unit) -> None:
    assert said(replace(marines, designation="5 Mar"), units)[0] == "5 Mar"


def test_an_unknown_factor_is_a_question_mark_and_an_absent_one_nothing(units: UnitsFile, marines: Unit) -> None:
    assert said(replace(marines, front=Face((("attack", 8), ("move", None)))), units)[-1] == "8-?"


def test_a_second_step_nobody_told_has_unknown_factors(units: UnitsFile) -> None:
    guards = units.units[2]
    assert has_back(guards)
    assert said(guards, units, "back")[-1] == "?-?-?"


def test_a_one_step_unit_has_a_plain_back(units: UnitsFile) -> None:
    staff = units.units[1]
    assert not has_back(staff)
    assert said(staff, units, "back") == []
    pixels = np.asarray(draw(staff, theme_of(units), 60, "back"))[6:-6, 6:-6, :3]
    assert (pixels == pixels[0, 0]).all()


def test_markers_say_what_they_mark(units: UnitsFile) -> None:
    assert said(units.units[3], units) == ["Turn"]
    assert said(units.units[4], units) == ["+3"]


@pytest.mark.parametrize("marker", sorted(usual_theme().markers))
def test_every_marker_has_a_sign_that_exists(marker: str) -> None:
    theme = usual_theme()
    assert theme.markers[marker].sign in theme.signs


def test_games_lay_their_factors_out_in_their_own_way(marines: Unit) -> None:
    yalu = replace(marines, front=Face((("combat", 4), ("move", 6))))
    assert [i.text for i in compose(yalu, game_theme("yalu")).items if isinstance(i, Words)][-1] == "4-6"
    fire = replace(marines, designation="5 Mar", front=Face())
    assert [i.text for i in compose(fire, game_theme("fire-and-ice")).items if isinstance(i, Words)][-1] == "5 Mar"


@pytest.mark.parametrize("size", [50, 75, 150, 300])
def test_pictures_have_the_asked_size_and_clear_corners(units: UnitsFile, marines: Unit, size: int) -> None:
    pixels = np.asarray(draw(marines, theme_of(units), size))
    assert pixels.shape == (size, size, 4)
    assert pixels[0, 0, 3] == pixels[-1, -1, 3] == 0
    assert pixels[size // 2, 2, 3] == 255


@pytest.mark.parametrize("size", [50, 100, 300])
def test_factors_are_crisp(units: UnitsFile, marines: Unit, size: int) -> None:
    """The factor line holds real ink and real ground, and little that is neither: at 50 pixels as at 300."""
    theme = theme_of(units)
    look = theme.look(marines)
    rows = np.asarray(draw(marines, theme, size))[
        int(0.74 * size) : int(0.95 * size), int(0.1 * size) : int(0.9 * size), :3
    ]
    ink, ground = (np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)]) for c in (look.ink, look.colour))
    near_ink = np.abs(rows.astype(int) - ink).max(axis=2) < 40
    near_ground = np.abs(rows.astype(int) - ground).max(axis=2) < 40
    assert near_ink.mean() > 0.15
    assert (near_ink | near_ground).mean() > (0.7 if size == 50 else 0.85)


def test_long_names_stay_on_the_counter(units: UnitsFile, marines: Unit) -> None:
    long = replace(marines, designation="A designation much too long for a counter")
    for item in compose(long, theme_of(units), entry="(T12)").items:
        if isinstance(item, Words):
            assert width(item.text) * item.size * item.squeeze <= 88.01


def test_symbols_exist_for_every_type() -> None:
    for kind in known_types():
        as_svg(compose(Unit("1", "UN", SOURCE, type=kind, size="company"), usual_theme()))
    assert set(_facts()["same"].values()) <= set(_facts()["types"])


def test_a_type_without_symbol_is_spelled_out() -> None:
    scene = compose(Unit("1", "UN", SOURCE, type="zeppelin"), usual_theme())
    assert "ZEPP" in [item.text for item in scene.items if isinstance(item, Words)]


def test_sizes_put_their_mark_above_the_frame(marines: Unit) -> None:
    plain = np.asarray(draw(replace(marines, size=None), size=200)).astype(int)
    marked = np.asarray(draw(replace(marines, size="division"), size=200)).astype(int)
    rows, cols = np.nonzero(np.abs(plain - marked).sum(axis=2))
    assert 0.2 * 200 < rows.min() < rows.max() < 0.34 * 200
    assert 0.3 * 200 < cols.min() < cols.max() < 0.7 * 200


def test_names_that_are_not_latin_do_not_break(units: UnitsFile, marines: Unit) -> None:
    for name in ('제1사단 "수도"', "a/b\\c", "🙂", "<&>"):
        draw(replace(marines, designation=name), theme_of(units), 50)


def test_fields_come_from_factors_then_extra_then_the_unit(marines: Unit) -> None:
    richer = replace(marines, extra=(("morale", "A"), ("nation", "USMC")))
    assert field_of(richer, richer.front, "attack") == "8"
    assert field_of(richer, richer.front, "morale") == "A"
    assert field_of(richer, richer.front, "nation") == "USMC"
    assert field_of(richer, richer.front, "size") == "regiment"
    assert field_of(richer, richer.front, "no such") is None


@pytest.mark.parametrize("game", sorted(path.parent.name for path in DATA.glob("*/theme.yaml")))
def test_game_themes_read(game: str) -> None:
    assert read_theme(DATA / game / "theme.yaml").slots["bottom"]


def test_a_wrong_theme_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "theme.yaml"
    path.write_text("version: 1\nnations:\n  US: {colour: green}\n")
    with pytest.raises(BadInput, match=r"theme\.yaml:3: expected a colour like #1a2b3c"):
        read_theme(path)
