"""Which step an undo takes back. Engines from 3.6.7 on mark an undo; before, only the inverse commands tell."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence

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

    def enter(self, number: int, step: Sequence[commands.Command], kinds: Sequence[type]) -> Undone | None:
        """Note a step's commands, of these kinds. If it is an undo, say of which step; what was taken back can't be
        taken back again, unless that undo was itself undone."""
        marked = commands.Undo in kinds or (commands.Chat in kinds and any(map(_says_undo, step)))
        bare = commands.Chat not in kinds and commands.MovePiece not in kinds
        # Early engines left no mark where nothing was reported. A bare step that reverses the newest one is an undo;
        # had a player done it by hand, nothing would be lost by passing over both.
        original = self._original(step, marked) if marked or (bare and self._may_reverse(step)) else None
        self._standing.append(_Entry(number, step, original))  # an undo can be undone in its turn
        if len(self._standing) > 4 * LOOK_BACK:
            del self._standing[: 2 * LOOK_BACK]  # further back than an undo's original is sought
        if original is not None:
            self._standing.remove(original)
            if original.undid is not None:
                insort(self._standing, original.undid, key=lambda entry: entry.number)
            return Undone(original.number)
        return Undone(None) if marked else None

    def _may_reverse(self, step: Sequence[commands.Command]) -> bool:
        """Whether a step is about the same pieces as the newest one: if not, it is quickly told that it reverses
        nothing of it."""
        newest = _touched(self._standing[-1].step) if self._standing else set()
        return not newest or not newest.isdisjoint(_touched(step))

    def _original(self, step: Sequence[commands.Command], marked: bool) -> _Entry | None:
        """The newest step whose whole effect on the board this one takes back. Having undone an undo, the engine at
        times takes back only a part, or just says so: such a step has no original."""
        opposite = _deeds(map(_opposite, reversed(step)))  # an undo begins with what was done last
        on_board = _on_board(opposite)
        newest = len(self._standing) - 1
        for index in range(newest, max(-1, newest - LOOK_BACK), -1):
            entry = self._standing[index]
            deeds = entry.deeds
            if deeds and opposite and (deeds <= opposite or opposite <= deeds) and _on_board(deeds) == on_board:
                return entry
            if not marked and deeds:
                return None
        return None


_DEEDS = (
    commands.MovePiece,
    commands.ChangePiece,
    commands.AddPiece,
    commands.RemovePiece,
    commands.MutableProperty,
    commands.Chat,
)
"""The commands that do something which can be taken back. Each begins with what it does it to."""


def _touched(step: Sequence[commands.Command]) -> set[str]:
    """The pieces and properties that a step's deeds are done to, and what it says."""
    return {
        str(command[0])
        for command in step
        if isinstance(command, _DEEDS) and not (isinstance(command, commands.ChangePiece) and command.old is None)
    }


def _says_undo(command: commands.Command) -> bool:
    return isinstance(command, commands.Chat) and command.text.startswith(UNDO_WORD)


class _Entry:
    """A step that stands. What it did is worked out when an undo first asks for it."""

    __slots__ = ("_deeds", "number", "step", "undid")

    def __init__(self, number: int, step: Sequence[commands.Command], undid: _Entry | None) -> None:
        self.number = number
        self.step = step
        self.undid = undid
        self._deeds: frozenset[Deed] | None = None

    @property
    def deeds(self) -> frozenset[Deed]:
        if self._deeds is None:
            self._deeds = _deeds(map(_deed, self.step))
        return self._deeds


def _deeds(in_order: Iterable[Deed | None]) -> frozenset[Deed]:
    """What a step's commands did. Where a change of a piece goes on from its last one the two count as one: the engine
    joins some of them when it undoes a step."""
    deeds: set[Deed] = set()
    changed: dict[str, Deed] = {}
    for deed in in_order:
        if deed is None:
            continue
        if deed[0] == "D":
            kind, piece, old, _ = deed
            last = changed.get(piece)
            if last is not None and last[3] == old:
                deeds.discard(last)
                deed = (kind, piece, last[2], deed[3])
            changed[piece] = deed
        deeds.add(deed)
    return frozenset(deeds)


def _on_board(deeds: frozenset[Deed]) -> frozenset[Deed]:
    """What of it moved, added or removed pieces, or changed those that were there before and after."""
    passing = {deed[1] for deed in deeds if deed[0] in "+-"}
    return frozenset(deed for deed in deeds if deed[0] in "M+-" or (deed[0] == "D" and deed[1] not in passing))


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
