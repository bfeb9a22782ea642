r"""How a counter looks on the table: the pictures and labels its traits paint, from the bottom up.

>>> from converter.vassal.pieces import Piece
>>> layer = "emb2;;128;A;;128;;;128;;;;1;false;4;0;a.png,b.png;,+ (reduced);true;Step"
>>> look(Piece(layer + "\tpiece;;;inf.png;Inf", "2\tMain;0;0;7;0").traits)
Look(pictures=(Paint(image='inf.png', dx=0, dy=0, degrees=0.0, scale=1.0), Paint(image='b.png', dx=4, dy=0, degrees=0.0, scale=1.0)), labels=())
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from converter.vassal import formats, piece_view, sequence
from converter.vassal.fields import read_int
from converter.vassal.traits import Trait


@dataclass(frozen=True, slots=True)
class Paint:
    """One picture, centred on the counter's point plus an offset in pixels, turned clockwise about that point."""

    image: str
    dx: int = 0
    dy: int = 0
    degrees: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Label:
    """A text beside the counter. `vertical` is t, c or b, `horizontal` l, c or r; colours are CSS or empty."""

    text: str
    size: int
    colour: str
    ground: str
    vertical: str
    horizontal: str


@dataclass(frozen=True, slots=True)
class Look:
    """What is painted, bottom first."""

    pictures: tuple[Paint, ...] = ()
    labels: tuple[Label, ...] = ()


def look(traits: Sequence[Trait], public: bool = False) -> Look:
    """The look of a counter. `public` shows a masked counter's mask only, as an opponent sees it."""
    pictures: list[Paint] = []
    labels: list[Label] = []
    known = piece_view.properties(traits, public)
    for trait in reversed(traits):
        kind = trait.id
        if kind == "piece" and trait.type["image"]:
            pictures.append(Paint(trait.type["image"]))
        elif kind == "emb2":
            paint = _layer(trait, known)
            if paint is not None:
                pictures.insert(0 if trait.type["draw under"] else len(pictures), paint)
        elif kind == "emb":
            pictures += _old_layer(trait, known)
        elif kind in ("rotate", "rotate1"):
            turn = _turn(trait)
            pictures = [replace(paint, degrees=(paint.degrees + turn) % 360) for paint in pictures]
        elif kind == "label":
            labels += _label(trait, known)
        elif kind == "markmoved" and trait.state_text == "true" and trait.type["image"]:
            pictures.append(Paint(trait.type["image"], trait.type["x"], trait.type["y"]))
        elif kind == "obs" and public and piece_view.is_masked(trait):
            pictures = [Paint(trait.type["image"])] if trait.type["image"] else []
            labels.clear()
    return Look(tuple(pictures), tuple(labels))


def _layer(trait: Trait, known: dict[str, str]) -> Paint | None:
    level = piece_view.layer_level(trait, known)
    images = trait.type["images"]
    if not 0 < level <= len(images) or not images[level - 1]:
        return None
    return Paint(images[level - 1], trait.type["x"], trait.type["y"], scale=trait.type["scale"] or 1.0)


def _old_layer(trait: Trait, known: dict[str, str]) -> list[Paint]:
    level = piece_view.layer_level(trait, known)
    levels = trait.type["levels"]
    image = next(iter(sequence.decode(levels[level - 1], ",")), "") if 0 < level <= len(levels) else ""
    return [Paint(image, trait.type["x"], trait.type["y"])] if image else []


def _turn(trait: Trait) -> float:
    """Clockwise degrees: facings count clockwise, a free angle counts the other way round."""
    if trait.id == "rotate1":
        return -float(trait.state["angle"] or 0.0)
    index: int = read_int(trait.state_text, 0)
    return index * 360 / max(1, int(trait.type["facings"]))


def _label(trait: Trait, known: dict[str, str]) -> list[Label]:
    text = formats.fill(trait.state_text.strip(), known, piece_view.LONGEST_NAME)
    if not text:
        return []
    fields = trait.type
    colour, ground = (_css(fields[name]) for name in ("colour", "background"))
    return [Label(text, fields["size"], colour, ground, fields["vertical"] or "t", fields["horizontal"] or "c")]


def _css(colour: object) -> str:
    """A colour field as CSS; empty where there is none."""
    if isinstance(colour, tuple | list) and len(colour) >= 3:
        return "rgb({},{},{})".format(*colour[:3])
    return ""
