"""The counters to print: drawn from units.yaml, or pictures in a folder."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from converter.counters.face import Which, compose, has_back
from converter.counters.pages import Piece
from converter.counters.scene import Photo, Scene
from converter.counters.theme import Theme, theme_of
from converter.errors import BadInput
from converter.scenario import SetupFile, Unit, UnitsFile

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")
_BACK = re.compile(r"^(?P<front>.+?)[-_ ]\(?back\)?$", re.IGNORECASE)


def entries(setup: SetupFile | None) -> dict[str, str]:
    """What each counter says of its arrival: its set-up hex, or the turn it comes in (T3). Two places: neither."""
    told: dict[str, set[str]] = {}
    for placement in setup.placements if setup else ():
        if placement.action == "set-up" and placement.hex:
            told.setdefault(placement.unit, set()).add(placement.hex)
        elif placement.action == "reinforcement" and placement.turn is not None:
            told.setdefault(placement.unit, set()).add(f"T{placement.turn}")
    return {unit: next(iter(said)) for unit, said in told.items() if len(said) == 1}


def unit_scene(unit: Unit, theme: Theme, which: Which, entry: str | None, folder: Path | None) -> Scene:
    """One side of a counter: its picture where units.yaml names one, else drawn."""
    face = unit.front if which == "front" else unit.back
    if face and face.image and folder:
        return picture_scene(folder / face.image)
    return compose(unit, theme, which, entry)


def unit_pieces(
    units: UnitsFile, theme: Theme | None = None, setup: SetupFile | None = None, folder: Path | None = None
) -> list[Piece]:
    """Every counter of a units.yaml, square to the edge as sheets are cut. `folder` is where its pictures are."""
    square = replace(theme_of(units, theme), corners=0.0)
    arrival = entries(setup)
    pieces = []
    for unit in units.units:
        front = unit_scene(unit, square, "front", arrival.get(unit.id), folder)
        drawn = not unit.front.image
        back = unit_scene(unit, square, "back", arrival.get(unit.id), folder) if has_back(unit) or drawn else None
        pieces.append(Piece(unit.id, front, back, unit.count))
    return pieces


def folder_pieces(folder: Path, counts: dict[str, int] | None = None) -> list[Piece]:
    """Every picture of a folder as a counter. `NAME-back.png` is the back of `NAME.png`."""
    files = sorted((path for path in folder.iterdir() if path.suffix.lower() in PICTURES), key=lambda p: p.name.lower())
    stems = {path.stem.lower() for path in files}
    backs: dict[str, Path] = {}
    fronts = []
    for path in files:
        found = _BACK.match(path.stem)
        if found and found["front"].lower() in stems:
            backs[found["front"].lower()] = path
        else:
            fronts.append(path)
    if not fronts:
        raise BadInput(f"{folder}: no pictures ({', '.join(PICTURES)}) and no units.yaml in this folder")
    pieces = []
    for path in fronts:
        back = backs.get(path.stem.lower())
        pieces.append(Piece(path.stem, picture_scene(path), picture_scene(back) if back else None))
    return with_counts(pieces, counts or {})


def with_counts(pieces: Iterable[Piece], counts: dict[str, int]) -> list[Piece]:
    """The pieces with other numbers of copies; 0 leaves one out. BadInput where a name is no piece's."""
    told = list(pieces)
    unknown = sorted(set(counts) - {piece.name for piece in told})
    if unknown:
        raise BadInput(f"--count {unknown[0]}: there is no counter of that name")
    return [replace(piece, count=counts.get(piece.name, piece.count)) for piece in told]


def picture_scene(path: Path) -> Scene:
    """A picture as a counter, in the whole; what resvg cannot read is given to it as PNG."""
    try:
        with Image.open(path) as picture:
            if picture.width * picture.height > 40_000_000:
                raise BadInput(f"{path}: {picture.width} x {picture.height} pixels is too large for a counter")
            if picture.format in ("PNG", "JPEG") and picture.mode in ("RGB", "RGBA", "L", "P"):
                picture.load()
                return Scene((Photo(path.read_bytes()),))
            file = io.BytesIO()
            picture.convert("RGBA").save(file, "PNG")
            return Scene((Photo(file.getvalue()),))
    except FileNotFoundError:
        raise BadInput(f"{path}: there is no such picture") from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as problem:
        raise BadInput(f"{path}: not a picture that can be read ({type(problem).__name__})") from None
