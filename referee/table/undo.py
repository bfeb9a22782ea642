"""Which step an undo takes back. Engines from 3.6.7 on mark an undo; before, only the inverse commands tell."""

from __future__ import annotations

from collections.abc import Sequence

from converter.vassal import commands, formats
from referee.table.events import Undone

UNDO_WORD = "* UNDO: "

LOOK_BACK = 1_000
"""Steps in which an undo's original is sought."""

Deed = tuple[str, ...]


class UndoBook:
    """Remembers the steps, so that a step which does the exact opposite of one can be matched with it."""

    def __init__(self) -> None:
        self._standing: list[_Entry] = []

    def enter(self, number: int, step: Sequence[commands.Command]) -> Undone | None:
        """Note a step. If it is an undo, say of which step; a step that was taken back can't be taken back again."""
        undone = self._find(step)
        self._standing.append(_Entry(number, step))  # an undo can be undone in its turn
        return undone

    def _find(self, step: Sequence[commands.Command]) -> Undone | None:
        marked, bare = False, True
        for command in step:
            kind = type(command)
            marked = marked or kind is commands.Undo or (kind is commands.Chat and command.text.startswith(UNDO_WORD))
            bare = bare and kind is not commands.Chat and kind is not commands.MovePiece
        # Early engines left no mark where nothing was reported. A bare step that reverses the newest one is an undo;
        # had a player done it by hand, nothing would be lost by passing over both.
        if not (marked or bare):
            return None
        opposite = frozenset(deed for deed in map(_opposite, step) if deed is not None)
        newest = len(self._standing) - 1
        for index in range(newest, max(-1, newest - LOOK_BACK), -1):
            deeds = self._standing[index].deeds
            if deeds and opposite and (deeds <= opposite or opposite <= deeds):
                return Undone(self._standing.pop(index).number)
            if not marked and deeds:
                return None
        return Undone(None) if marked else None


class _Entry:
    """A step that stands. What it did is worked out when an undo first asks for it."""

    __slots__ = ("_deeds", "number", "step")

    def __init__(self, number: int, step: Sequence[commands.Command]) -> None:
        self.number = number
        self.step = step
        self._deeds: frozenset[Deed] | None = None

    @property
    def deeds(self) -> frozenset[Deed]:
        if self._deeds is None:
            self._deeds = frozenset(deed for deed in map(_deed, self.step) if deed is not None)
        return self._deeds


def _deed(command: commands.Command) -> Deed | None:
    """What a command did, in a form that can be compared."""
    if isinstance(command, commands.MovePiece):
        return ("M", str(command.id), *map(str, command.origin[:3]), *map(str, command.to[:3]))
    if isinstance(command, commands.ChangePiece) and command.old is not None:
        return ("D", command.id, command.old, command.new)
    if isinstance(command, commands.AddPiece):
        return ("+", str(command.id))
    if isinstance(command, commands.RemovePiece):
        return ("-", command.id)
    if isinstance(command, commands.MutableProperty):
        return ("P", command.name, command.old, command.new)
    if isinstance(command, commands.Chat):
        return ("C", formats.resolve_entities(command.text))
    return None


def _opposite(command: commands.Command) -> Deed | None:
    """What this command would take back."""
    if isinstance(command, commands.MovePiece):
        return _deed(command._replace(to=command.origin, origin=command.to))
    if isinstance(command, commands.ChangePiece) and command.old is not None:
        return ("D", command.id, command.new, command.old)
    if isinstance(command, commands.AddPiece):
        return ("-", str(command.id))
    if isinstance(command, commands.RemovePiece):
        return ("+", command.id)
    if isinstance(command, commands.MutableProperty):
        return ("P", command.name, command.new, command.old)
    if isinstance(command, commands.Chat):
        return ("C", formats.resolve_entities(command.text.removeprefix(UNDO_WORD)))
    return None
