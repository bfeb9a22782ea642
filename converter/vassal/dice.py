"""Dice buttons of a module, and the rolls their lines in the chat report.

A button's own report format, turned into a pattern, takes its lines apart; what no button explains is tried with the
form every module starts from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from lxml import etree

from converter.vassal import formats
from converter.vassal.buildfile import class_name, components
from converter.vassal.fields import Kind, read_field, read_int

DiceKind = Literal["dice", "internet", "text", "symbols"]

KINDS: dict[str, DiceKind] = {
    "DiceButton": "dice",
    "InternetDiceButton": "internet",
    "RandomTextButton": "text",
    "SpecialDiceButton": "symbols",
}
REPORT_FORMAT = "** $name$ = $result$ *** <$PlayerName$>"
SYMBOLS_FORMAT = "** $name$ = [$result1$] *** <$PlayerName$>"
LONGEST_LINE = 4000

_NUMBER = r"[+-]?[0-9]{1,9}"
_NUMBERS = rf"(?>{_NUMBER}(?:\s?,\s?{_NUMBER})*)"
_RESULT = re.compile(r"result|numericalTotal|rawRolls")
_COUNTS = frozenset({"nDice", "nSides", "plus", "addToTotal", "numericalTotal", "keepCount"})
_DEFAULT = re.compile(r"\*{2,3} (?P<name>[^=]{1,200}) = \[?(?P<result>[^*]{1,1000}?)\]? \*{3}.*", re.DOTALL)


@dataclass(frozen=True)
class Face:
    """One face of a symbol die."""

    text: str
    value: int
    image: str = ""


@dataclass(frozen=True)
class SymbolDie:
    """A die with faces of its own."""

    name: str
    faces: tuple[Face, ...]


@dataclass(frozen=True)
class Roll:
    """What a line of chat says was rolled. `dice` are numbers, or face texts where the faces are no numbers."""

    name: str
    dice: tuple[int | str, ...]
    total: int | None
    sides: int | None = None


@dataclass(frozen=True)
class DiceButton:
    """A button that rolls. `sides` of a text die is the number of its faces."""

    kind: DiceKind
    name: str
    count: int = 2
    sides: int = 6
    plus: int = 0
    add_to_total: int = 0
    report_total: bool = False
    faces: tuple[str, ...] = ()
    dice: tuple[SymbolDie, ...] = ()
    report_format: str = REPORT_FORMAT

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """Matches the button's report once entities are resolved; None where the format is code or names no result."""
        parts = formats.split(formats.resolve_entities(self.report_format))
        asks = {part for variable, part in parts if variable}
        if formats.is_code(self.report_format) or not any(_RESULT.match(name) for name in asks):
            return None
        seen: set[str] = set()
        pieces = [self._piece(part, seen) if variable else _literal(part) for variable, part in parts]
        out = [_star(parts)]
        for index, piece in enumerate(pieces):
            if piece is None:
                continue
            wild = index > 0 and pieces[index - 1] is None
            last = index == len(pieces) - 1
            # Atomic, so that a hostile format cannot make matching take for ever; the last part is found from the end.
            out.append(piece if not wild else f".*{piece}" if last else f"(?>.*?{piece})")
        return re.compile("".join(out) + (".*" if pieces[-1] is None else r"\s*"), re.DOTALL)

    def parse(self, line: str) -> Roll | None:
        """The roll in this line of chat, if it is this button's.

        >>> DiceButton("dice", "2d6").parse("*** 2d6 = 3,5 *** &lt;Ann&gt;")
        Roll(name='2d6', dice=(3, 5), total=8, sides=6)
        """
        if self.pattern is None or len(line) > LONGEST_LINE:
            return None
        found = self.pattern.fullmatch(formats.resolve_entities(line))
        return None if found is None else self._roll({key: value for key, value in found.groupdict().items() if value})

    def _piece(self, variable: str, seen: set[str]) -> str | None:
        """The pattern for a variable; None is any text."""
        if variable == "name":
            return _literal(self.name)
        numbered = re.fullmatch(r"result([1-9][0-9]?)", variable)
        if variable in ("result", "rawRolls"):
            body = self._texts() if self.kind == "text" else _NUMBERS
        elif numbered and self.kind == "symbols":
            body = _any_of(face.text for die in self.dice[int(numbered[1]) - 1 :][:1] for face in die.faces)
        elif variable in _COUNTS or numbered:
            body = _NUMBER
        else:
            return None
        if variable in seen:
            return f"(?:{body})"
        seen.add(variable)
        return f"(?P<{variable}>{body})"

    def _texts(self) -> str:
        face = _any_of(self.faces)
        return rf"(?>{face}(?:,{face})*|{_NUMBERS})"

    def _roll(self, found: dict[str, str]) -> Roll:
        total = _whole(found.get("numericalTotal"))
        numbered = sorted((key for key in found if re.fullmatch(r"result[0-9]+", key)), key=lambda key: int(key[6:]))
        text = found.get("rawRolls") or found.get("result", "")
        dice = _values(re.findall(_any_of(self.faces), text) if self.kind == "text" else text.split(","))
        if numbered and not dice:
            dice = tuple(value for key in numbered for value in _values([found[key]]))
        if self.report_total and "rawRolls" not in found and len(dice) == 1 and isinstance(dice[0], int):
            total = dice[0]
            dice = (total - self.add_to_total,) if self.count == 1 else ()
        sides = _whole(found.get("nSides")) or (None if self.kind == "symbols" else self.sides)
        if total is None:
            total = _sum(dice)
        return Roll(self.name, dice, total, sides)


def read_dice_button(element: etree._Element) -> DiceButton:
    """The button of a build file element."""
    kind = KINDS[class_name(element)]
    faces: tuple[str, ...] = read_field(element.get("faces", ""), Kind.ARRAY)
    dice = tuple(_read_die(die) for die in components(element) if class_name(die) == "SpecialDie")
    if kind == "symbols":
        report = element.get("format", SYMBOLS_FORMAT) if element.get("resultChatter", "true").lower() == "true" else ""
    else:
        report = element.get("reportFormat", REPORT_FORMAT)
    return DiceButton(
        kind=kind,
        name=element.get("name", element.get("label", "")),
        count=len(dice) if kind == "symbols" else read_int(element.get("nDice", ""), 2),
        sides=len(faces) if kind == "text" else read_int(element.get("nSides", ""), 6),
        plus=read_int(element.get("plus", ""), 0),
        add_to_total=read_int(element.get("addToTotal", ""), 0),
        report_total=element.get("reportTotal") == "true",
        faces=faces,
        dice=dice,
        report_format=report,
    )


def parse_roll(buttons: Iterable[DiceButton], line: str) -> Roll | None:
    """The roll a line of chat reports: by the buttons' own formats, else by the form modules start from.

    >>> parse_roll([], "*** Morale = 7 *** <Ann>")
    Roll(name='Morale', dice=(7,), total=7, sides=None)
    >>> parse_roll([], "<Ann> - I rolled *** 2d6 = 12 ***") is None
    True
    """
    if not line.startswith("*") or len(line) > LONGEST_LINE:
        return None
    for button in buttons:
        roll = button.parse(line)
        if roll is not None:
            return roll
    found = _DEFAULT.fullmatch(formats.resolve_entities(line))
    if found is None:
        return None
    dice = _values(found["result"].split(","))
    return Roll(found["name"].strip(), dice, _sum(dice))


def _read_die(element: etree._Element) -> SymbolDie:
    faces = (
        Face(face.get("text", ""), read_int(face.get("value", ""), 0), face.get("icon", ""))
        for face in components(element)
        if class_name(face) == "SpecialDieFace"
    )
    return SymbolDie(element.get("name", ""), tuple(faces))


def _star(parts: list[tuple[bool, str]]) -> str:
    """A report that starts with a star gets one more, any other a star and a space."""
    variable, first = parts[0] if parts else (False, "")
    if variable:
        return r"\*\s?"
    return r"\*" if first.startswith("*") else r"\* "


def _literal(text: str) -> str:
    return re.escape(formats.resolve_entities(text))


def _any_of(texts: Iterable[str]) -> str:
    known = sorted({text for text in texts if text}, key=len, reverse=True)
    return "(?:" + ("|".join(map(_literal, known)) or _NUMBER) + ")"


def _values(parts: Iterable[str]) -> tuple[int | str, ...]:
    stripped = (part.strip() for part in parts)
    return tuple(int(part) if re.fullmatch(_NUMBER, part) else part for part in stripped if part)


def _sum(dice: tuple[int | str, ...]) -> int | None:
    numbers = [die for die in dice if isinstance(die, int)]
    return sum(numbers) if numbers and len(numbers) == len(dice) else None


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(_NUMBER, text) else None
