"""The pictures of a counter: the user's own, or drawn from the unit's data."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from converter.counters import Theme, draw, has_back
from converter.errors import BadInput
from converter.scenario import Unit
from converter.vassal.export.boards import ReadImage
from converter.vassal.image_size import image_size

SIDE = 48


@dataclass(frozen=True)
class Faces:
    """The file names of a counter's faces, full side first, the files, and the counter's size in pixels.

    `origins` are the user's own pictures and what they are called in the module.
    """

    names: tuple[str, ...]
    files: dict[str, bytes]
    size: tuple[int, int]
    origins: dict[str, str]


def counter_images(unit: Unit, theme: Theme, steps: int, read_image: ReadImage) -> Faces:
    """The pictures of a unit's faces; a step beyond the back side shows the back."""
    names: list[str] = []
    files: dict[str, bytes] = {}
    origins: dict[str, str] = {}
    size = (SIDE, SIDE)
    for step in range(1, steps + 1):
        face = unit.front if step == 1 else unit.back
        if face is not None and face.image is not None:
            data = read_image(face.image)
            shape = image_size(data)
            if shape is None:
                raise BadInput(f"unit {unit.id!r}: {face.image} is not a picture VASSAL can show")
            size = shape if step == 1 else size
            kind = PurePosixPath(face.image).suffix.lower()
            name = origins[face.image] = f"own-{hashlib.sha256(data).hexdigest()[:16]}{kind}"
        else:
            data = _draw(unit, theme, step)
            name = f"unit-{hashlib.sha256(data).hexdigest()[:16]}.png"
        names.append(name)
        files[name] = data
    return Faces(tuple(names), files, size, origins)


def _draw(unit: Unit, theme: Theme, step: int) -> bytes:
    shown = unit if step == 1 or has_back(unit) else replace(unit, steps=2)
    stream = io.BytesIO()
    draw(shown, theme, SIDE, "front" if step == 1 else "back").save(stream, "PNG")
    return stream.getvalue()
