"""A log with less told: without its call-outs, without its turn tracker, or without both."""

from __future__ import annotations

from pathlib import Path

from converter.vassal import commands
from converter.vassal.savegame import read_game, write_game
from converter.vassal.stream import Element, Stream

MUTE = [(True, False, True), (False, True, True), (True, True, True), (False, False, False), (True, True, False)]
"""Call-outs taken away, tracker taken away, terrain left: one at a time, and all together."""


def silent(log: Path, chat: bool, turns: bool) -> tuple[Path, list[int]]:
    """The same log without the call-outs or without the turn tracker, and the old number of each step that is left."""
    game = read_game(log)

    def is_told(element: Element) -> bool:
        for text in element.heads():
            command = commands.parse(text)
            if chat and isinstance(command, commands.Chat) and "- @" in command.text:
                return True
            if turns and isinstance(command, commands.TurnState):
                return True
        return False

    numbers = {id(element): number for number, element in enumerate(game.stream.steps, 1)}
    left = [element for element in game.stream.elements if id(element) not in numbers or not is_told(element)]
    kept = [numbers[id(element)] for element in left if id(element) in numbers]
    game.stream = Stream(left)
    path = log.with_name(f"{log.stem}-{chat}-{turns}.vlog")
    write_game(path, game)
    return path, kept
