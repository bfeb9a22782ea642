"""A story's `terrain`, in the rules' own names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from referee.rulebook import Rulebook
from referee.rules.ground import UNKNOWN, Ground
from referee.story import Story
from referee.story_events import as_list


def read_ground(
    story: Story,
    book: Rulebook,
    hex_of: Callable[[Any], str | None],
    touch: Callable[[str, str], bool],
    same: Mapping[str, str] | None = None,
) -> Ground:
    """The ground of a story; nothing told of terrain at all gives a ground that is held against nobody.

    `touch` says whether two hexes share a side. `same` are the battle's own names for what the words mean elsewhere.
    """
    told = story.terrain
    if told is None:
        return Ground()
    frozen = same or {}
    lists = book.rules["terrain_lists"]

    def refuse(what: str, *path: str | int) -> None:
        story.refuse(what, "terrain", *path)

    def hexes(value: Any, *path: str | int) -> list[str]:
        found = []
        for item in as_list(value):
            number = hex_of(item)
            if number is None:
                refuse(f"hex {item!r} is not on the map", *path)
            found.append(str(number))
        return found

    def between(value: Any, *path: str | int) -> list[frozenset[str]]:
        """The hexsides between hexes that follow one another: two, or a whole line of them."""
        ends = hexes(value, *path)
        if len(ends) < 2:
            refuse("expected hexsides named by two hexes each", *path)
        for one, other in pairwise(ends):
            if not touch(one, other):
                refuse(f"{one} and {other} do not touch", *path)
        return [frozenset(two) for two in pairwise(ends)]

    def kind(word: Any, *path: str | int) -> str:
        if str(word).strip().lower() == UNKNOWN:
            return UNKNOWN
        name = book.terrain_name(word)
        if name is None:
            refuse(f"unknown terrain {word!r}", *path)
        return str(frozen.get(str(name), name))

    def pairs(name: str) -> list[frozenset[str]]:
        told_pairs = as_list(told.get(name)) if not isinstance(told.get(name), Mapping) else []
        return [two for i, pair in enumerate(told_pairs) for two in between(pair, name, i)]

    ground = Ground(kind(told["default"], "default") if told.get("default") is not None else "clear")
    for hex, word in (told.get("hexes") or {}).items():
        here = hexes([hex], "hexes", hex)[0]
        word = word.get("terrain") or word.get("type") or word.get("kind") if isinstance(word, Mapping) else word
        ground.hexes[here] = tuple(kind(one, "hexes", hex) for one in as_list(word))
        if UNKNOWN in ground.hexes[here]:
            ground.unknown.add(here)
    ground.unknown.update(hexes(told.get("unknown"), "unknown"))
    for name in ("fortifications", "forts"):
        for hex in hexes(told.get(name), name):
            ground.hexes[hex] = (*tuple(one for one in ground.terrain(hex) if one != "fortification"), "fortification")
    for name in ("prohibited", "sea"):
        for i, item in enumerate(as_list(told.get(name))):
            if isinstance(item, (list, tuple)):
                ground.add_sides(between(item, name, i), book.rules["sea_hexside"] if name == "sea" else "prohibited")
            else:
                ground.hexes[hexes(item, name, i)[0]] = (book.rules["sea_hex"],)
    ground.roads.update(pairs("roads"))
    ground.trails.update(pairs("trails"))
    ground.rails.update(pairs("rails"))
    ground.bridges.update(pairs("bridges"))
    for name, feature in ((name, frozen.get(kind, kind)) for name, kind in lists.items()):
        value = told.get(name)
        if isinstance(value, Mapping):
            for word, sides in value.items():
                ground.add_sides(
                    [two for pair in as_list(sides) for two in between(pair, name, word)],
                    frozen.get(str(book.terrain_name(word)), str(book.terrain_name(word) or feature)),
                )
        elif (
            name == "coast"
            and value is not None
            and all(not isinstance(item, (list, tuple)) for item in as_list(value))
        ):
            ground.regions["coast"] = set(hexes(value, name))
        elif any(
            isinstance(pair, (list, tuple)) and len(pair) == 3 and hex_of(pair[2]) is None for pair in as_list(value)
        ):
            for i, (*ends, word) in enumerate(as_list(value)):
                ground.add_sides(between(ends, name, i), _side_kind(book, word, frozen, refuse, name))
        else:
            ground.add_sides(pairs(name), feature)
    _hexsides(told.get("hexsides"), ground, between, lambda word, *path: _side_kind(book, word, frozen, refuse, *path))
    for region, value in {**(told.get("regions") or {}), **(told.get("places") or {})}.items():
        ground.regions[str(region)] = set(hexes(value, "regions", region))
    return ground


def _side_kind(
    book: Rulebook, word: Any, frozen: Mapping[str, str], refuse: Callable[..., None], *path: str | int
) -> str:
    name = book.hexside_name(word)
    if name is None:
        refuse(f"unknown hexside {word!r}", *path)
    return frozen.get(str(name), str(name))


def _hexsides(
    value: Any, ground: Ground, between: Callable[..., list[frozenset[str]]], kind: Callable[..., str]
) -> None:
    """`hexsides`: {kind: [[a, b], ...]} or a list of {between: [a, b], kind: ...} or of [a, b, kind]."""
    found: list[tuple[str, frozenset[str]]] = []
    if isinstance(value, Mapping):
        for word, sides in value.items():
            if isinstance(sides, str):  # "1010/1011": minor-river
                pairs = between(str(word).replace("-", "/").split("/"), "hexsides", word)
                found += [(kind(sides, "hexsides", word), pair) for pair in pairs]
                continue
            pairs = [pair for ends in as_list(sides) for pair in between(ends, "hexsides", word)]
            found += [(kind(word, "hexsides", word), pair) for pair in pairs]
    else:
        for i, item in enumerate(as_list(value)):
            if isinstance(item, Mapping):
                word = item.get("kind") or item.get("type") or item.get("terrain")
                ends = as_list(item.get("between") or item.get("hexes") or item.get("hexside"))
            else:
                *ends, word = item
            found += [(kind(word, "hexsides", i), pair) for pair in between(ends, "hexsides", i)]
    for name, pair in found:
        if name == "bridge":
            ground.bridges.add(pair)
        else:
            ground.add_sides([pair], name)
