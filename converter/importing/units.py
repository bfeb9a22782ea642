"""Counters of a module as units: name, side, factors, the faces that a layer shows, and other markers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from converter.importing.looks import Look, basic_fields, look_of, name_of, step_layer
from converter.importing.notes import Notes
from converter.scenario import Face, Source, Unit
from converter.vassal.export.counters import FACTOR_LIST, factor_mark
from converter.vassal.piece_view import export
from converter.vassal.traits import SPECS, Trait, trait_ids

NEUTRAL = "Neutral"
SIDE_MARKS = ("Side", "side", "Army", "army", "Owner", "Nation", "nation", "Nationality", "PlayerSide", "Faction")
FACTORS = {
    "attack": ("attack", "att", "attack factor", "combat", "combat factor", "cf", "firepower"),
    "defense": ("defense", "defence", "def", "defense factor"),
    "move": ("move", "movement", "mp", "ma", "movement allowance", "mov"),
    "strength": ("strength", "str"),
    "support": ("support",),
    "morale": ("morale",),
    "range": ("range",),
}
_FACTOR_OF = {word: name for name, words in FACTORS.items() for word in words}
_OWN = {"Side", "Nation", "Size", "Type", "Class", "Back", "Division", "Formation", "Kind", "UnitId", "Dummy", "Owner"}
_OWN |= {"Marker", "Factors"}
_THREE = re.compile(r"(?<![\d-])(\d{1,2})-(\d{1,2})-(\d{1,2})(?![\d-])")
_TWO = re.compile(r"(?<![\d-])(\d{1,2})-(\d{1,2})(?![\d-])")
_MARKER_WORDS = re.compile(r"\b(marker|markers|status|info|information|counter sheet extras)\b")
_QUIET = {
    "piece", "mark", "emb2", "emb", "prototype", "delete", "clone", "markmoved", "footprint", "cmt", "basicName",
    "menuSeparator", "submenu", "hideCmd", "locmsg",
}  # fmt: skip
"""Traits that are kept, or that a built module gives to every counter."""
LONGEST = 100
NO_PLACE = "null;0;0;;0"
NOTHING = (Trait("piece;;;;", NO_PLACE),)
"""The traits of a counter whose definition cannot be read."""

KeepImage = Callable[[str], str | None]
"""Takes a picture into the folder: its name in the module -> its path in the folder, None where it is missing."""


def free_name(name: str, taken: Container[str], longest: int = LONGEST) -> str:
    """The name, or the first like it that is not taken.

    >>> free_name("Deck", {"Deck", "Deck (2)"})
    'Deck (3)'
    """
    free, number = name[:longest], 2
    while free in taken:
        free, number = f"{name[: longest - 8]} ({number})", number + 1
    return free


def fit_sides(names: Iterable[str]) -> tuple[str, ...]:
    """Sides as units.yaml can name them, each once; blank ones are none.

    >>> fit_sides(["Red", " ", "Red", "Blue"])
    ('Red', 'Blue')
    """
    return tuple(dict.fromkeys(name[:LONGEST] for name in names if name.strip()))


class Slot(NamedTuple):
    """A counter as the module defines it, with the palette's tabs it was found under. Equal `text`: equal traits."""

    name: str
    gpid: str
    text: str
    traits: Sequence[Trait]
    path: tuple[str, ...] = ()
    is_card: bool = False


@dataclass
class Roll:
    """All units so far. A counter on the table is found by its number in the module, else by name and picture."""

    sides: Sequence[str]
    source: Source
    keep_image: KeepImage
    notes: Notes
    units: dict[str, Unit] = field(default_factory=dict)
    by_gpid: dict[str, str] = field(default_factory=dict)
    by_definition: dict[tuple[str, str, str], str] = field(default_factory=dict)
    by_look: dict[tuple[str, str], str] = field(default_factory=dict)
    palette: tuple[str, ...] = ()
    """The units that the module itself defines, once all are there."""
    traits_met: list[Trait] = field(default_factory=list)

    def __post_init__(self) -> None:
        lower = [(side, side.lower()) for side in self.sides]
        self._spoken = [(name, word, re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")) for name, word in lower]

    @property
    def traits_left(self) -> Counter[str]:
        """How often each trait was met that is not kept, by the name the editor has for it."""
        left: Counter[str] = Counter()
        met = Counter(self.traits_met)  # most are of a prototype, so the same ones come again
        for id, number in zip(trait_ids(list(met)), met.values(), strict=True):
            if id not in _QUIET:
                left[SPECS[id].name if id in SPECS else id] += number
        return left

    def add(self, slot: Slot) -> str:
        """The unit of a slot: a new one, or the one that is just the same."""
        same = self.by_definition.get((slot.name, slot.text, slot.gpid))
        if same is not None:
            return same
        look = look_of(slot.traits)
        key = look.key
        known = self.by_look.get((slot.name, key))
        if known is None:
            unit = self._unit(slot, look, _marks(look.markers))
            self.traits_met += slot.traits
            self.units[unit.id] = unit
            known = unit.id
        self.by_definition[slot.name, slot.text, slot.gpid] = known
        if slot.gpid:
            self.by_gpid.setdefault(slot.gpid, known)
        self.by_look.setdefault((slot.name, key), known)
        if look.name != slot.name:
            self.by_look.setdefault((look.name, key), known)
        return known

    @cached_property
    def by_name(self) -> dict[str, str]:
        """Those of the palette that alone are called so."""
        names = [(self.units[id].name or id, id) for id in self.palette]
        number = Counter(name for name, _ in names)
        return {name: id for name, id in names if number[name] == 1}

    def find(self, gpid: str, traits: Sequence[Trait]) -> str | None:
        """The unit of a counter on the table."""
        name, (_, image) = name_of(traits), basic_fields(traits)
        found = self.by_gpid.get(gpid)
        if found is not None and name in (self.units[found].name, found, ""):
            return found
        found = self.by_look.get((name, look_of(traits).key), found)
        if found is None and name in self.by_name and image and self.keep_image(image) is None:
            return self.by_name[name]  # drawn otherwise in the version of the module that it was played with
        return found

    def _unit(self, slot: Slot, look: Look, marks: dict[str, str]) -> Unit:
        basic = look.name
        spoken = " ".join((*slot.path, slot.name)).lower()
        told = marks.get("UnitId", "")
        fit = told and told not in self.units and len(told) <= LONGEST
        id = told if fit else self._free(told or slot.name or basic or "counter")
        pictures = self._pictures(slot, look)
        factors = _factors(marks, (slot.name, basic, look.image))
        back = Face(_back_factors(marks, factors), image=pictures[1]) if len(pictures) > 1 else None
        return Unit(
            id,
            self._side(slot, marks, spoken),
            self.source,
            name=basic[:200] if basic and basic != id else None,
            kind=_kind(slot, marks, factors, spoken),
            formation=(marks.get("Formation") or (slot.path[1] if len(slot.path) > 1 else ""))[:200] or None,
            steps=len(pictures),
            front=Face(factors, image=pictures[0]),
            back=back,
            **(_by_marks(marks) if marks else {}),
        )

    def _free(self, name: str) -> str:
        """An id that is not taken."""
        return free_name(" ".join(name.split()) or "counter", self.units)

    def _side(self, slot: Slot, marks: dict[str, str], spoken: str) -> str:
        for name in SIDE_MARKS if marks else ():
            if marks.get(name, "").strip():
                return marks[name][:LONGEST]
        for side, word, alone in self._spoken:
            if word in spoken and alone.search(spoken):
                return side
        return (slot.path[0][:LONGEST] if slot.path and slot.path[0].strip() else "") or NEUTRAL

    def _pictures(self, slot: Slot, look: Look) -> list[str | None]:
        """The pictures of the counter's faces: its own and, from the layer that tells its steps, the others."""
        image = look.image
        if not look.layers:
            return [self._picture(image, slot.name)]
        layers = [layer for layer in look.layers if layer.pictures]
        step = step_layer(layers)
        for layer in layers:
            if layer is not step:
                self.notes.missing(f"'{layer.label}' of '{slot.name}'", "layers that are not kept")
        shown = [image]
        if step is not None:
            levels = step.images
            if not image and levels:  # the layer is the whole counter
                shown = levels
            else:
                shown = [levels[0] or image, *levels[1:]] if levels else shown
        if len(shown) > 20:
            self.notes.missing(f"'{slot.name}'", "counters with more than 20 levels, of which 20 are kept")
        if len(shown) > 2:
            self.notes.missing(f"'{slot.name}'", "counters of which only the pictures of two levels are kept")
        return [self._picture(name, slot.name) for name in shown[:20]]

    def _picture(self, name: str, of: str) -> str | None:
        path = self.keep_image(name) if name else None
        if name and path is None:
            self.notes.missing(f"'{name}' of '{of}'", "pictures that are missing")
        return path


def _marks(markers: Sequence[Trait]) -> dict[str, str]:
    """The values of markers: they are the module's own, never a player's."""
    found: dict[str, str] = {}
    for trait in reversed(markers):
        export(trait, found)
    found.pop("", None)
    return found


def _by_marks(marks: dict[str, str]) -> dict[str, Any]:
    """What only markers tell of a unit."""
    ours = {factor_mark(name) for name in marks["Factors"].split(FACTOR_LIST)} if marks.get("Factors") else ()
    extra = [
        (name[:LONGEST], value)
        for name, value in marks.items()
        if value and name not in _OWN and name not in ours and name.lower() not in _FACTOR_OF
    ]
    return {
        "nation": marks.get("Nation", "")[:LONGEST] or None,
        "type": _word(marks.get("Type") or marks.get("Marker")),
        "class_": _word(marks.get("Class")),
        "size": _word(marks.get("Size")),
        "extra": tuple(extra),
    }


def _factors(marks: dict[str, str], texts: Sequence[str]) -> tuple[tuple[str, int | float | str | None], ...]:
    """From markers, else from a name like 5-6-8 or 4-2. A counter of ours says which markers are its factors."""
    if told := marks.get("Factors"):
        names = told.split(FACTOR_LIST)
        return tuple((name, _number(value) if (value := marks.get(factor_mark(name))) else None) for name in names)
    found: dict[str, int | float | str | None] = {}
    for name, value in marks.items():
        factor = _FACTOR_OF.get(name.lower())
        if factor and value and factor not in found:
            found[factor] = _number(value)
    if found:
        return tuple(found.items())
    texts = [text for text in texts if "-" in text]
    for text in texts:
        if three := _THREE.search(text):
            return tuple(zip(("attack", "defense", "move"), map(int, three.groups()), strict=True))
    for text in texts:
        if two := _TWO.search(text):
            return tuple(zip(("strength", "move"), map(int, two.groups()), strict=True))
    return ()


def _back_factors(
    marks: dict[str, str], front: tuple[tuple[str, int | float | str | None], ...]
) -> tuple[tuple[str, int | float | str | None], ...]:
    values = marks.get("Back", "").split("-")
    if len(values) == len(front) and all(values):
        return tuple((name, _number(value)) for (name, _), value in zip(front, values, strict=True))
    return ()


def _number(value: str) -> int | float | str:
    """
    >>> _number("4"), _number("2.5"), _number("A")
    (4, 2.5, 'A')
    """
    text = value.strip()
    if re.fullmatch(r"-?[0-9]{1,9}", text):
        return int(text)
    return float(text) if re.fullmatch(r"-?[0-9]{1,9}\.[0-9]{1,6}", text) else text[:LONGEST]


def _kind(slot: Slot, marks: dict[str, str], factors: object, spoken: str) -> str:
    if marks.get("Kind"):
        return _word(marks["Kind"]) or "marker"
    if slot.is_card:
        return "card"
    if factors or marks.get("Size"):
        return "unit"
    return "marker" if _MARKER_WORDS.search(spoken) else "unit"


def _word(value: str | None) -> str | None:
    """A value as a word of units.yaml.

    >>> _word("Heavy Tank (T-34)"), _word("--")
    ('heavy-tank-t-34', None)
    """
    if not value:
        return None
    return re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-")[:60].strip("-") or None
