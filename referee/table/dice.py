"""Dice in a log: told by chat lines in whatever form the module writes them, and from 3.x on by properties too."""

from __future__ import annotations

import re
from collections.abc import Iterable

from converter.vassal import commands, formats
from converter.vassal.dice import Roll
from converter.vassal.module import Module
from referee.table.events import Rolled

_DEFAULT = re.compile(r"\*+ (?P<name>[^=*]{1,80}?) = (?P<result>-?\d+(?:, ?-?\d+)*) \*\*\* <(?P<player>.*)>\s*")
_LABELLED = re.compile(r"\*+ \((?P<name>[^()*]{1,80})\) (?P<result>\d+(?:, ?\d+)*) \*\*\* +<(?P<player>[^<>]*)>.*")
_SHAPE = re.compile(r"(?<![a-z0-9])(\d*)\s*d\s*(\d+)", re.IGNORECASE)
RESULT = "_result"
TELLING = frozenset({commands.Chat, commands.MutableProperty, commands.ShowResults})
"""The commands that may tell of a roll."""


def rolls(step: Iterable[commands.Command], module: Module | None) -> list[Rolled]:
    """The rolls of one step. Where properties carry the result they count, and the chat line only tells how it read."""
    said: list[tuple[Roll, str]] = []
    results: dict[str, str] = {}
    totals: dict[str, str] = {}
    faces: list[commands.ShowResults] = []
    for command in step:
        kind = type(command)
        if kind is commands.Chat:
            if command.text[:1] not in ("*", "&"):  # every roll begins with a star, which may be written as an entity
                continue
            line = formats.resolve_entities(command.text)
            roll = (module.parse_roll(command.text) if module else None) or default_roll(line)
            if roll is not None:
                said.append((roll, line))
        elif kind is commands.MutableProperty:
            if command.name.endswith(RESULT):
                results[command.name.removesuffix(RESULT)] = command.new
            elif command.name.endswith("_total"):
                totals[command.name.removesuffix("_total")] = command.new
        elif kind is commands.ShowResults:
            faces.append(command)
    if not (said or results or faces):
        return []
    rolled = []
    lines = {roll.name: line for roll, line in reversed(said)}
    for name, value in results.items():
        line = lines.get(name, "")
        if line or name in totals or _is_die(name, module):
            rolled.append(_from_result(name, value, totals.get(name), line, module))
    rolled += [_from_chat(roll, line) for roll, line in said if roll.name not in results]
    rolled += [_from_faces(shown, module) for shown in faces if shown.name not in results]
    return rolled


def default_roll(line: str) -> Roll | None:
    """A roll in the form that dice buttons have by default, or in VASL's.

    >>> default_roll("*** 2d6 = 3,5 *** <Ann>")
    Roll(name='2d6', dice=(3, 5), total=8, sides=6)
    >>> default_roll("*** (Rally DR) 4,1 ***   <Ann>      [1 / 2   avg   5.00 (7.00)]")
    Roll(name='Rally DR', dice=(4, 1), total=5, sides=None)
    """
    if line[:1] != "*" or len(line) >= 500:
        return None
    found = _DEFAULT.fullmatch(line) or _LABELLED.fullmatch(line)
    if found is None:
        return None
    numbers = tuple(int(number) for number in found["result"].split(","))
    count, sides = shape(found["name"])
    if count is not None and count > 1 and len(numbers) == 1:
        return Roll(found["name"], (), numbers[0], sides)
    return Roll(found["name"], numbers, sum(numbers), sides)


def shape(name: str) -> tuple[int | None, int | None]:
    """Number of dice and sides, where the button's name says so.

    >>> shape("Attack 2d6"), shape("d6"), shape("Morale")
    ((2, 6), (1, 6), (None, None))
    """
    found = _SHAPE.search(name[:80])
    return (int(found[1] or 1), int(found[2])) if found and len(found[0]) < 12 else (None, None)


def _is_die(name: str, module: Module | None) -> bool:
    return module is not None and any(button.name == name for button in module.dice)


def _from_result(name: str, value: str, total: str | None, line: str, module: Module | None) -> Rolled:
    button = next((button for button in module.dice if button.name == name), None) if module else None
    count, sides = (button.count, button.sides) if button else shape(name)
    numbers = tuple(int(number) for number in re.findall(r"-?\d+", value)) if len(value) < 500 else ()
    whole = int(total) if total and re.fullmatch(r"-?\d{1,9}", total) else None
    if count is not None and count > 1 and len(numbers) == 1:
        return Rolled((), sides, line or value, name, numbers[0])
    return Rolled(numbers, sides, line or value, name, whole if whole is not None else sum(numbers))


def _from_chat(roll: Roll, line: str) -> Rolled:
    numbers = tuple(die for die in roll.dice if isinstance(die, int))
    return Rolled(numbers, roll.sides, line, roll.name, roll.total)


def _from_faces(shown: commands.ShowResults, module: Module | None) -> Rolled:
    """Symbolic dice tell the index of each face, counted from 0."""
    button = next((button for button in module.dice if button.name == shown.name), None) if module else None
    texts = []
    for index, face in enumerate(shown.faces):
        die = button.dice[index] if button and index < len(button.dice) else None
        number = int(face) if re.fullmatch(r"\d{1,4}", face) else -1
        texts.append(die.faces[number].text if die and 0 <= number < len(die.faces) else face)
    numbers = tuple(int(text) for text in texts if re.fullmatch(r"-?\d{1,6}", text))
    return Rolled(numbers, None, ", ".join(texts), shown.name)
