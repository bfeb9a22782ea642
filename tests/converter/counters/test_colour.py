"""Can everybody read the counters? Contrast of every ink, and sides that differ in more than hue."""

from __future__ import annotations

from itertools import combinations

import pytest

from converter.counters.colour import READABLE, SIGHTS, contrast, ink_for, lightness, seen_as
from converter.counters.theme import DATA, Theme, game_theme, usual_theme

GAMES = sorted(path.parent.name for path in DATA.glob("*/theme.yaml"))


def themes() -> list[tuple[str, Theme]]:
    return [("usual", usual_theme()), *((game, game_theme(game)) for game in GAMES)]


def test_every_game_has_a_theme() -> None:
    assert GAMES == ["chosin", "fire-and-ice", "forgotten-war", "korean-battles", "yalu"]


@pytest.mark.parametrize(("name", "theme"), themes())
def test_ink_reads_on_its_ground_for_every_eye(name: str, theme: Theme) -> None:
    grounds = {who: (look["colour"], look.get("ink") or ink_for(look["colour"]))
               for who, look in {**theme.sides, **theme.nations}.items()}  # fmt: skip
    grounds |= {who: (look.colour or "#000000", look.ink or "#000000") for who, look in theme.markers.items()}
    weak = {
        (who, sight): round(value, 2)
        for who, (colour, ink) in grounds.items()
        for sight in SIGHTS
        if (value := contrast(colour, ink, sight)) < READABLE
    }
    assert not weak


@pytest.mark.parametrize("game", GAMES)
def test_sides_differ_without_colour(game: str) -> None:
    """Any two sides that can meet have different marks, or grounds of clearly different lightness for every eye."""
    theme = game_theme(game)
    alike = []
    for (one, first), (other, second) in combinations(theme.sides.items(), 2):
        apart = min(abs(lightness(first["colour"], sight) - lightness(second["colour"], sight)) for sight in SIGHTS)
        same_players = {one, other} <= {"UN", "US"} or {one, other} <= {"CCF", "Communist", "NKPA"}
        if apart < 25 and first.get("mark") == second.get("mark") and not same_players:
            alike.append((one, other, round(apart)))
    assert not alike


def test_a_red_green_pair_is_seen_as_alike_and_told_apart_by_lightness_only() -> None:
    """The simulation does something: these two differ for usual eyes and hardly at all without red-sensitive cones."""
    red, green = "#b35a3c", "#7d7a2a"
    assert seen_as(red, "usual") == red
    usual = [abs(int(red[i : i + 2], 16) - int(green[i : i + 2], 16)) for i in (1, 3, 5)]
    a, b = seen_as(red, "deuteranopia"), seen_as(green, "deuteranopia")
    assert sum(abs(int(a[i : i + 2], 16) - int(b[i : i + 2], 16)) for i in (1, 3, 5)) < sum(usual) / 2
