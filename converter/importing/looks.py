"""What a counter is called and looks like: the name and picture of its basic piece, and its layers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from converter.vassal import sequence
from converter.vassal.traits import Trait, token_places

RENAMED = "basicName"
LAYERS = frozenset({"emb2", "emb"})
_STEP_LAYERS = re.compile(r"step|flip|side|strength|reduc|deplet|loss|back|state|face", re.I)
_NAME, _IMAGE = token_places("piece", "name", "image")
_LAYER, _IMAGES = token_places("emb2", "layer", "images")


class Layer(NamedTuple):
    """A layer: what the editor calls it and its pictures, a level each."""

    name: str
    images: tuple[str, ...]
    trait: Trait

    @property
    def label(self) -> str:
        """What to call it when speaking of it: its name, else that of its first level."""
        return self.name or next(filter(None, self.trait.type.get("level names", ())), "") or "unnamed"


class Look(NamedTuple):
    """What a counter is called and looks like: its own name and picture, and its layers, outermost first."""

    name: str
    image: str
    layers: Sequence[Layer]

    @property
    def key(self) -> str:
        """Equal for counters that look alike, whatever they are called."""
        return "|".join([self.image, *[",".join(layer.images) for layer in self.layers]]) if self.layers else self.image


def look_of(traits: Sequence[Trait], ids: Sequence[str]) -> Look:
    """The look of a counter; `ids` are the words that name its traits.

    >>> look_of([Trait("mark;Side"), Trait("piece;;;inf.png;1st Inf")], ["mark", "piece"])
    Look(name='1st Inf', image='inf.png', layers=())
    """
    name, image = basic_fields(traits)
    if RENAMED in ids:
        name = name_of(traits)
    if LAYERS.isdisjoint(ids):
        return Look(name, image, ())
    return Look(name, image, [_layer(trait, id) for trait, id in zip(traits, ids, strict=True) if id in LAYERS])


def basic_fields(traits: Sequence[Trait]) -> tuple[str, str]:
    """Name and picture of the basic piece; empty where there is none."""
    if not traits or not traits[-1].text.startswith("piece;"):
        return "", ""
    tokens = sequence.decode(traits[-1].text, ";")
    return (tokens[_NAME], tokens[_IMAGE]) if len(tokens) > _NAME else ("", "".join(tokens[_IMAGE:]))


def name_of(traits: Sequence[Trait]) -> str:
    """What a counter is called: as its outermost `Basic name` trait says, else as its basic piece does.

    >>> name_of([Trait("basicName;Reval"), Trait("piece;;;;")])
    'Reval'
    """
    told = next((trait.text for trait in traits if trait.text.startswith(f"{RENAMED};")), None)
    return basic_fields(traits)[0] if told is None else (*sequence.decode(told, ";"), "")[1]


def _layer(trait: Trait, id: str) -> Layer:
    if id == "emb2":
        tokens = sequence.decode(trait.text, ";")
        images = tokens[_IMAGES] if len(tokens) > _IMAGES else ""
        name = tokens[_LAYER] if len(tokens) > _LAYER else ""
        return Layer(name, tuple(sequence.decode(images, ",")) if images else (), trait)
    return Layer("", tuple(str(level).split(",")[0] for level in trait.type.get("levels", ())), trait)


def step_layer(layers: Sequence[Layer]) -> Layer | None:
    """The layer that tells the steps: by its name, else the only one of two to four levels."""
    if not layers:
        return None
    named = [layer for layer in layers if layer.name == "Step"]
    hinted = [layer for layer in layers if _STEP_LAYERS.search(layer.name)]
    few = [layer for layer in layers if 2 <= len(layer.images) <= 4]
    for group in (named, hinted, few if len(few) == 1 else []):
        if group:
            return group[0]
    return None
