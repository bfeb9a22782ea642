"""Where things are: regions by name and kind, cities and seas, from all that tell of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.games.yalu import facts
from referee.games.yalu.charts import hexes_of
from referee.rulebook import plain

if TYPE_CHECKING:
    from referee.games.yalu.court import Court


@dataclass(frozen=True)
class Gazetteer:
    """Hexes by the plain name of their region; by kind of region, with whether all are told; cities by hex; seas."""

    places: dict[str, set[str]]
    kinds: dict[str, tuple[set[str], bool]]
    cities: dict[str, str]
    seas: tuple[frozenset[str], frozenset[str]]


def gazetteer_of(court: Court) -> Gazetteer:
    """The names and kinds of regions that map, charts and the bundled map tell of."""
    places: dict[str, set[str]] = {}
    kinds: dict[str, tuple[set[str], bool]] = {kind: (set(), False) for kind in facts.BOOK.words["regions"]}
    sources = ((court.ground.regions, None), (court.charts.regions, True), (court.bundled, False))
    for regions, whole in sources:
        for name, told in regions.items():
            hexes, simple = hexes_of(told), plain(name)
            places.setdefault(simple, set()).update(hexes)
            complete = (name in court.ground.whole or court.complete) if whole is None else whole
            for kind, words in facts.BOOK.words["regions"].items():
                if any(plain(word) in simple for word in words):
                    known, all_told = kinds[kind]
                    if regions is court.bundled and all_told:
                        continue  # the players' own map tells it
                    kinds[kind] = (known | hexes, all_told or complete)
    names = dict.fromkeys([*facts.BOOK.rules["ports"], *facts.BOOK.rules["inland_cities"]])
    cities = {hex: name for name in reversed(names) for hex in places.get(plain(name), ())}
    ground, waters = court.ground, kinds["east-sea"][0] | kinds["west-sea"][0]
    seas = frozenset(hex for hex in court.grid.numbers if "full-sea" in ground.terrain(hex) or hex in waters)
    doubtful = frozenset(hex for hex in court.grid.numbers if hex not in seas and not ground.is_known(hex))
    return Gazetteer(places, kinds, cities, (seas, doubtful))
