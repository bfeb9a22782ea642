"""Logs of Korean Battles written by hand, as the engine would write them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from korean_battles_play import MAIN, POOL, phase_words

from converter.vassal.commands import (
    AddPiece,
    Boards,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    Player,
    RemovePiece,
    Spot,
    TurnState,
)
from converter.vassal.compose import opening, step
from converter.vassal.metadata import Metadata
from converter.vassal.module import read_module
from converter.vassal.new_module import VASSAL_VERSION
from converter.vassal.pieces import roll, unroll
from converter.vassal.savegame import new_game, write_game
from converter.vassal.stream import Stream
from converter.vassal.turn_tracker import encode_state, start_state
from referee.games.korean_battles import facts

_module = cache(read_module)


class Writer:
    """A log as the engine would write it, in a few words. A unit without a hex lies in the pool."""

    def __init__(
        self,
        folder: Path,
        units: Mapping[str, str | None],
        rename: dict[str, str] | None = None,
        module_name: str = "chosin",
        levels: Mapping[str, int] | None = None,
    ) -> None:
        module = _module(folder / f"{module_name}.vmod")
        self.name = module.name
        tracker = module.turn_tracker("TurnTracker0")
        assert tracker is not None
        self.tracker = tracker
        self.layout = module.maps[0].layout()
        self.where = dict(units)
        self.ids = {name: str(100 + number) for number, name in enumerate(units)}
        self.slots = slots = {slot.name: slot for slot in module.slots}
        self.types: dict[str, tuple[str, str]] = {}
        pieces = []
        for name, hex in units.items():
            slot = slots[name]
            kind, state = slot.type, self._at(slot.state, hex)
            if rename:  # a stranger's counter: another name, and nothing else told
                kind, state = f"piece;;;;{rename[name]}", unroll(state)[-1]
            elif levels and name in levels:
                states = unroll(state)
                state = roll([*states[:2], str(levels[name]), *states[3:]])
            self.types[name] = (kind, state)
            pieces.append(AddPiece(self.ids[name], kind, state))
        seats: list[Command] = [Player("annpw", "Ann", "UN"), Boards(MAIN, (("Board", 0, 0, False),))]
        self.elements = opening(pieces, seats)
        self.before = len(self.elements)

    @property
    def step(self) -> int:
        """The number of steps so far."""
        return len(self.elements) - self.before

    def spot(self, hex: str) -> tuple[int, int]:
        point = self.layout.point(hex)
        assert point is not None
        return point

    def _place(self, hex: str | None) -> Spot:
        return Spot(MAIN, *self.spot(hex), None) if hex is not None else Spot(POOL, 100, 100, None)

    def _at(self, state: str, hex: str | None) -> str:
        *links, basic = unroll(state)
        place = self._place(hex)
        return roll([*links, ";".join([str(place.map), str(place.x), str(place.y), *basic.split(";")[3:]])])

    def place(self, name: str, hex: str) -> Writer:
        """A counter from the palette."""
        self.ids[name] = str(500 + len(self.ids))
        self.where[name] = hex
        slot = self.slots[name]
        self.types[name] = (slot.type, slot.state)
        self.elements.append(step([AddPiece(self.ids[name], slot.type, self._at(slot.state, hex))]))
        return self

    def move(self, name: str, hex: str | None) -> Writer:
        here, there = self._place(self.where[name]), self._place(hex)
        self.elements.append(step([MovePiece(self.ids[name], there, here, "annpw")]))
        self.where[name] = hex
        return self

    def delete(self, name: str) -> Writer:
        self.elements.append(step([RemovePiece(self.ids[name])]))
        self.where[name] = None
        return self

    def say(self, text: str) -> Writer:
        self.elements.append(step([Chat(f"&lt;Ann&gt; - {text}")]))
        return self

    def roll(self, die: int) -> Writer:
        self.elements.append(step([Chat(f"*** 1d6 = {die} *** &lt;Ann&gt;")]))
        return self

    def flip(self, name: str, old: str, new: str) -> Writer:
        states = unroll(self._at(self.types[name][1], self.where[name]))
        before, after = ([*states[:2], level, *states[3:]] for level in (old, new))
        self.elements.append(step([ChangePiece(self.ids[name], roll(after), roll(before))]))
        return self

    def click(self, turn: int, place: int) -> Writer:
        """The turn tracker comes to a phase."""
        start = start_state(self.tracker)
        (outer,) = start.levels
        inner = replace(outer.levels[0], current=place)
        shown = replace(start, levels=(replace(outer, current=turn, levels=(inner,)),))
        self.elements.append(step([TurnState(self.tracker.id, encode_state(self.tracker, shown))]))
        return self

    def write(self, path: Path) -> Path:
        write_game(path, new_game(Stream(self.elements), Metadata(name=self.name, version="1.0"), VASSAL_VERSION))
        return path


class Paper:
    """What a player does at the engine's table, written straight into a log: fast, and with dice of our own."""

    def __init__(self, folder: Path, battle: str, where: Mapping[str, str | None], seed: int = 1) -> None:
        self.folder, self.battle = folder, battle
        self.writer = Writer(folder, where, module_name=battle)
        self.logs: list[Path] = []
        self.dice = random.Random(seed)
        self.moments = facts.moments(battle)
        self.place_in_turn = 0
        self.turn_number = 1
        self.levels: dict[str, int] = {}

    @property
    def step(self) -> int:
        return self.writer.step

    def move(self, name: str, hex: str) -> int:
        return self.writer.move(name, hex).step

    def kill(self, name: str) -> int:
        return self.writer.move(name, None).step

    off = kill

    def flip(self, name: str) -> int:
        level = self.levels.get(name, 1)
        self.levels[name] = level + 1
        return self.writer.flip(name, str(level), str(level + 1)).step

    def unflip(self, name: str) -> int:
        level = self.levels[name]
        self.levels[name] = level - 1
        return self.writer.flip(name, str(level), str(level - 1)).step

    def say(self, text: str) -> int:
        return self.writer.say(text).step

    def roll(self) -> int:
        die = self.dice.randint(1, 6)
        self.writer.roll(die)
        return die

    def click(self) -> int:
        """Press the tracker's button once."""
        self.place_in_turn = (self.place_in_turn + 1) % len(self.moments)
        self.turn_number += self.place_in_turn == 0
        return self.writer.click(self.turn_number, self.place_in_turn).step

    def to(self, side: str | None, phase: str) -> int:
        """Press the tracker's button until this phase comes, calling each phase out."""
        while True:
            self.click()
            now = self.moments[self.place_in_turn]
            self.say(f"@phase turn {self.turn_number} {phase_words(*now)}")
            if tuple(now) == (side, phase):
                return self.step

    def next_log(self, path: Path) -> None:
        """Save the log, send it to the opponent, and go on in a new one."""
        self.logs.append(self.writer.write(path))
        self.writer = Writer(self.folder, self.writer.where, module_name=self.battle, levels=self.levels)

    def end(self, path: Path) -> Path:
        return self.writer.write(path)
