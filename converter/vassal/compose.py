r"""Saves and logs made from nothing: the opening position as the engine lays it out, then steps.

>>> from converter.vassal.commands import AddPiece, Boards, Chat
>>> elements = opening([AddPiece("1", "piece;;;;Inf", "Main;10;20;1;0")], [Boards("Main", (("B", 0, 0, False),))])
>>> [element.raw for element in elements]
['begin_save', '', '\\\x1b+/1/piece;;;;Inf/Main;10;20;1;0', 'MainBoardPicker\tB\t0\t0', 'SETUP_STACK\t', 'end_save']
>>> step([Chat("* hello"), Chat("* again")]).raw
'LOG\tCHAT* hello\\\x1bLOG\tCHAT* again'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from converter.vassal.commands import AddPiece, BeginSave, Command, EndSave, Null, SetupStack, write
from converter.vassal.stream import LOG, Element, Node


def opening(pieces: Iterable[AddPiece], components: Iterable[Command] = ()) -> list[Element]:
    """The elements of a save: the pieces in one group, then players, boards, properties and trackers.

    Members of a stack must come before the stack. At-start stacks of the module are told not to come on again.
    """
    group = Node(write(Null()), [Node(write(piece)) for piece in pieces])
    commands: list[Command] = [*components, SetupStack(), EndSave()]
    nodes = [Node(write(BeginSave())), Node(write(Null())), group, *(Node(write(command)) for command in commands)]
    return [Element.of(node) for node in nodes]


def step(commands: Sequence[Command]) -> Element:
    """One logged step: the first command with the others under it."""
    first, *others = (Node(LOG + write(command)) for command in commands)
    first.children = others
    return Element.of(first)
