"""Step losses: a unit turns to its worse side, down a ladder of faces where it has one, and up again when rebuilt."""

from __future__ import annotations

from collections.abc import Mapping

from referee.table.units import Unit, Values


def down(unit: Unit, told: str = "") -> Unit:
    """The unit after losing a step; `told` is the face a player named. The new face may be unknown.

    >>> ladder = (Values(8, 7, 5), Values(6, 6, 5), Values(4, 5, 5))
    >>> marine = Unit("m", "5/1M", "UN", face=ladder[0], faces=ladder)
    >>> down(marine).face, down(down(marine)).depleted
    (Values(attack=6, defense=6, move=5), True)
    """
    try:
        named = Values.read(told)
    except ValueError:
        named = None
    if named is None and unit.face in unit.faces[:-1]:
        named = unit.faces[unit.faces.index(unit.face) + 1]
    last = named is None or not unit.faces or named == unit.faces[-1]
    return unit.but(face=named or Values(None, None, None), depleted=last or len(unit.faces) <= 2, one_sided=False)


def up(unit: Unit) -> Unit:
    """The unit on its full side."""
    full = unit.faces[0] if unit.faces and unit.faces[0] != unit.face else Values(None, None, None)
    return unit.but(face=full, depleted=False)


def ladder_place(unit: Unit, face: Values) -> int | None:
    """How far down a face is; None where the ladder does not have it."""
    return unit.faces.index(face) if face in unit.faces else None


def as_shown(unit: Unit, properties: Mapping[str, str], step: str) -> Unit:
    """The unit on the face that its counter shows. Where layers are there and none is the step's, the face is unknown.

    >>> unit = Unit("a", "5/1M", "UN", face=Values(5, 6, 4), faces=(Values(5, 6, 4), Values(2, 3, 4)))
    >>> as_shown(unit, {"Step_Level": "2"}, "Step_Level").face, as_shown(unit, {"Face_Level": "2"}, "Step_Level").face
    (Values(attack=2, defense=3, move=4), Values(attack=None, defense=None, move=4))
    """
    level = properties.get(step)
    if level is None or not level.lstrip("-").isdigit():
        if any(name.endswith("_Level") for name in properties):
            return unit.but(face=Values(None, None, unit.face.move), depleted=None)
        return unit
    down = max(int(level), 1) - 1
    faces = unit.faces or ((unit.face,) if not unit.depleted else ())
    if down == 0:
        return unit.but(face=faces[0] if faces else unit.face, depleted=False)
    face = faces[down] if down < len(faces) else Values(None, None, None)
    return unit.but(face=face, faces=faces, depleted=down >= max(len(faces), 2) - 1, one_sided=False)
