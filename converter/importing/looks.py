"""What a counter is called and looks like: the name and picture of its basic piece, and its layers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from converter.vassal import sequence
from converter.vassal.traits import Trait, token_places

RENAMED = "basicName"
_TELLING = {"emb2", "emb;", "mark", "basi"}  # how the traits begin that tell something of a look
_STEP_LAYERS = re.compile(r"step|flip|side|strength|reduc|deplet|loss|back|state|face", re.I)
_NAME, _IMAGE = token_places("piece", "name", "image")
_LAYER, _IMAGES, _LEVELS = (place - 1 for place in token_places("emb2", "layer", "images", "level names"))
_LAST = 1 + max(_LAYER, _IMAGES, _LEVELS)


class Layer(NamedTuple):
    """A layer: what the editor calls it, and the pictures and names of its levels as the trait tells them."""

    name: str
    pictures: str
    levels: str

    @property
    def images(self) -> list[str]:
        """Its pictures, a level each. Few layers are asked for them."""
        return sequence.decode(self.pictures, ",") if self.pictures else []

    @property
    def size(self) -> int:
        """How many levels it has.

        >>> Layer("Step", "a.png,b.png", "").size
        2
        """
        return self.pictures.count(",") + 1 if self._plain else len(self.images)

    @property
    def key(self) -> str:
        """Equal for layers with the same pictures."""
        return self.pictures if self._plain else ",".join(self.images)

    @property
    def _plain(self) -> bool:
        return self.pictures != "" and "\\" not in self.pictures and "'" not in self.pictures

    @property
    def label(self) -> str:
        """What to call it when speaking of it: its name, else that of its first level."""
        return self.name or next(filter(None, sequence.decode(self.levels, ",")), "unnamed")


class Look(NamedTuple):
    """What a counter is called and looks like: its own name and picture; its layers and markers, outermost first."""

    name: str
    image: str
    layers: Sequence[Layer] = ()
    markers: Sequence[Trait] = ()

    @property
    def key(self) -> str:
        """Equal for counters that look alike, whatever they are called."""
        return "|".join([self.image, *[layer.key for layer in self.layers]]) if self.layers else self.image


def look_of(traits: Sequence[Trait]) -> Look:
    """The look of a counter.

    >>> look_of([Trait("mark;Side"), Trait("delete;;"), Trait("piece;;;inf.png;1st Inf")])
    Look(name='1st Inf', image='inf.png', layers=[], markers=[Trait(text='mark;Side', state_text='')])
    """
    name, image = basic_fields(traits)
    telling = [trait for trait in traits if trait[0][:4] in _TELLING]
    if not telling:
        return Look(name, image)
    layers: list[Layer] = []
    markers: list[Trait] = []
    for trait in telling:
        word, _, rest = trait[0].partition(";")
        if word == "emb2":
            layers.append(_layer(rest))
        elif word == "mark":
            markers.append(trait)
        elif word == "emb":
            layers.append(_old_layer(trait))
        elif word == RENAMED:
            name = name_of(telling)
    return Look(name, image, layers, markers)


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


def _layer(fields: str) -> Layer:
    tokens = sequence.decode(fields, ";")
    tokens += [""] * (_LAST - len(tokens))
    return Layer(tokens[_LAYER], tokens[_IMAGES], tokens[_LEVELS])


def _old_layer(trait: Trait) -> Layer:
    """Its levels have no names, nor has it one itself."""
    images = [str(level).split(",")[0] for level in trait.type.get("levels", ())]
    return Layer("", sequence.encode_safe(images, ",") or ("''" if images else ""), "")


def step_layer(layers: Sequence[Layer]) -> Layer | None:
    """The layer that tells the steps: by its name, else the only one of two to four levels."""
    if not layers:
        return None
    named = [layer for layer in layers if layer.name == "Step"]
    hinted = [layer for layer in layers if _STEP_LAYERS.search(layer.name)]
    few = [layer for layer in layers if 2 <= layer.size <= 4]
    for group in (named, hinted, few if len(few) == 1 else []):
        if group:
            return group[0]
    return None
