r"""What a player reads off a counter: its name and its properties, as its traits make them.

Traits *inside* a mask (nearer the basic piece) are its secret; `public` leaves them out, as an opponent would see it.

>>> from converter.vassal.pieces import Piece
>>> layer = "emb2;;128;A;;128;;;128;;;;1;false;0;0;a,b;,+ (reduced);true;Step"
>>> piece = Piece(layer + "\tmark;Side\\\tpiece;;;;Inf", "2\tRed\\\tMain;0;0;7;0")
>>> name(piece.traits)
'Inf (reduced)'
>>> properties(piece.traits) == {"BasicName": "Inf", "Side": "Red", "Step_Level": "2", "Step_Active": "true",
...     "Step_Name": " (reduced)", "Step_Image": "b"}
True
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Sequence
from functools import lru_cache

from converter.vassal import formats, sequence
from converter.vassal.builds import Build
from converter.vassal.fields import read_int
from converter.vassal.traits import Trait

Values = dict[str, str]

LONGEST_NAME = 4_000
"""Characters: labels that repeat the name they add to could double it a hundred times over."""


def name(traits: Sequence[Trait], public: bool = False) -> str:
    """The counter's name with everything its traits add to it. `public` shows a masked counter's mask."""
    text = ""
    known: Values | None = None
    for trait in reversed(traits):
        kind = trait.id
        if kind == "piece":
            text = str(trait["name"])
        elif kind in ("emb2", "emb"):
            if kind == "emb2" and trait["follow"] and known is None:
                known = properties(traits, public)
            text = _layer_name(trait, text, known or {})
        elif kind == "label":
            label = trait.state_text.strip()
            if label:
                if known is None:
                    known = properties(traits, public)
                own = {"pieceName": text, "label": formats.fill(label, known, LONGEST_NAME)}
                text = formats.fill(str(trait["name format"]), ChainMap(own, known), LONGEST_NAME)
        elif kind == "obs" and public and is_masked(trait):
            text = str(trait["mask name"]) or "?"
    return text


@lru_cache(maxsize=20_000)
def name_of(build: Build, states: tuple[str, ...]) -> str:
    """The name of a counter with this type and these states; most steps change neither."""
    return name(tuple(map(Trait, build.links, states)))


def properties(traits: Sequence[Trait], public: bool = False) -> Values:
    """The properties the traits export; of two with one name the outer trait's counts. No owner's id is among them."""
    found: Values = {}
    for trait in reversed(traits):
        if public and trait.id == "obs" and is_masked(trait):
            found.clear()
        export(trait, found)
    return found


def export(trait: Trait, found: Values) -> None:
    """Add the properties of one trait to those of the traits inside it."""
    exporter = _EXPORTS.get(trait.id)
    if exporter is not None:
        exporter(trait, found)


def is_masked(trait: Trait) -> bool:
    """Whether a Mask trait now hides what is inside it, or an Invisible trait the whole piece."""
    return trait.state_text.partition(";")[0] not in ("", "null")


def layer_level(trait: Trait, known: Values) -> int:
    """A layer's level as it is shown: positive and counted from 1, or not positive where the layer is off."""
    fields = trait.type
    images = max(1, len(fields["images"] if "images" in fields else fields["levels"]))
    if fields.get("follow"):
        first = int(fields["first value"])
        value: int = read_int(known.get(str(fields["property"]), ""), first)
        return max(1, min(images, value - first + 1))
    level: int = read_int(trait.state_text.partition(";")[0], -1)
    return max(-images, min(images, level))


def _level_name(trait: Trait, level: int) -> str:
    names: Sequence[str]
    if trait.id == "emb2":
        names = trait["level names"]
    else:
        names = [[*sequence.decode(text, ","), ""][1] for text in trait["levels"]]
    return names[level - 1] if 0 < level <= len(names) else ""


def _layer_name(trait: Trait, inner: str, known: Values) -> str:
    """`X` replaces the name, `X+` goes before it, `+X` after it."""
    level_name = _level_name(trait, layer_level(trait, known))
    if not level_name:
        return inner
    first, *rest = sequence.decode(level_name, "+")
    if not rest:
        return first
    return inner + rest[0] if not first else first + inner


def _export_piece(trait: Trait, found: Values) -> None:
    found["BasicName"] = str(trait["name"])
    state = trait.state
    pairs = state["properties"][: 2 * max(0, state["pairs"])]
    found.update(zip(pairs[::2], pairs[1::2], strict=False))


def _export_marker(trait: Trait, found: Values) -> None:
    names, values = trait["names"], trait.state["values"]
    for index, key in enumerate(names):
        found[key] = values[index] if index < len(values) else ""


def _export_layer(trait: Trait, found: Values) -> None:
    level = layer_level(trait, found)
    prefix = trait["layer"]
    found[f"{prefix}_Level"] = str(level)
    found[f"{prefix}_Active"] = "true" if level > 0 else "false"
    found[f"{prefix}_Name"] = _plain_name(_level_name(trait, level))
    images = trait["images"]
    found[f"{prefix}_Image"] = images[level - 1] if 0 < level <= len(images) else ""


def _plain_name(level_name: str) -> str:
    first, *rest = sequence.decode(level_name, "+")
    return first or (rest[0] if rest else "")


def _export_sheet(trait: Trait, found: Values) -> None:
    values = iter(sequence.decode(trait.state_text, "~"))
    for token in filter(None, sequence.decode(str(trait["definition"]), "~")):
        value = next(values, "")
        kind, key = token[0], token[1:]
        found[key] = value.partition("/")[0] if kind in "3456" else value


def _export_rotation(trait: Trait, found: Values) -> None:
    prefix = trait["property"]
    if trait.id == "rotate1":
        found[f"{prefix}_Degrees"] = trait.state_text
        return
    facings = max(1, int(trait["facings"]))
    index = read_int(trait.state_text, 0)
    found[f"{prefix}_Facing"] = str(index + 1)
    found[f"{prefix}_Degrees"] = str(int(index * 360 / facings + 0.5) % 360)


def _export_whole_state(key: str) -> Callable[[Trait, Values], None]:
    def export(trait: Trait, found: Values) -> None:
        found[str(trait[key])] = trait.state_text.strip()

    return export


_EXPORTS: dict[str, Callable[[Trait, Values], None]] = {
    "piece": _export_piece,
    "mark": _export_marker,
    "emb2": _export_layer,
    "propertysheet": _export_sheet,
    "rotate": _export_rotation,
    "rotate1": _export_rotation,
    "PROP": lambda trait, found: found.__setitem__(str(trait["property"]), trait.state_text),
    "label": _export_whole_state("property"),
    "locmsg": lambda trait, found: found.__setitem__(str(trait["property"]), str(trait["text"])),
    "basicName": lambda trait, found: found.__setitem__("BasicName", str(trait["name"])),
    "obs": lambda trait, found: found.__setitem__("ObscuredToOthers", "true" if is_masked(trait) else "false"),
    "hide": lambda trait, found: found.__setitem__("InvisibleToOthers", "true" if is_masked(trait) else "false"),
    "markmoved": lambda trait, found: found.__setitem__("Moved", "true" if trait.state_text == "true" else "false"),
}
