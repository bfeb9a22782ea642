"""Logs of Korean Battles written by hand, as the engine would write them."""

from __future__ import annotations

from pathlib import Path

from korean_battles_play import MAIN

from converter.vassal.commands import AddPiece, Boards, ChangePiece, Chat, Command, MovePiece, Player, Spot
from converter.vassal.compose import opening, step
from converter.vassal.metadata import Metadata
from converter.vassal.module import read_module
from converter.vassal.new_module import VASSAL_VERSION
from converter.vassal.pieces import roll, unroll
from converter.vassal.savegame import new_game, write_game
from converter.vassal.stream import Stream


class Writer:
    """A log as the engine would write it, in a few words."""

    def __init__(self, folder: Path, units: dict[str, str], rename: dict[str, str] | None = None) -> None:
        module = read_module(folder / "chosin.vmod")
        self.name = module.name
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
            self.types[name] = (kind, state)
            pieces.append(AddPiece(self.ids[name], kind, state))
        seats: list[Command] = [Player("annpw", "Ann", "UN"), Boards(MAIN, (("Board", 0, 0, False),))]
        self.elements = opening(pieces, seats)

    def spot(self, hex: str) -> tuple[int, int]:
        point = self.layout.point(hex)
        assert point is not None
        return point

    def _at(self, state: str, hex: str) -> str:
        *links, basic = unroll(state)
        x, y = self.spot(hex)
        return roll([*links, ";".join([MAIN, str(x), str(y), *basic.split(";")[3:]])])

    def place(self, name: str, hex: str) -> Writer:
        """A counter from the palette."""
        self.ids[name] = str(500 + len(self.ids))
        self.where[name] = hex
        slot = self.slots[name]
        self.elements.append(step([AddPiece(self.ids[name], slot.type, self._at(slot.state, hex))]))
        return self

    def move(self, name: str, hex: str) -> Writer:
        here, there = (Spot(MAIN, *self.spot(at), None) for at in (self.where[name], hex))
        self.elements.append(step([MovePiece(self.ids[name], there, here, "annpw")]))
        self.where[name] = hex
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

    def write(self, path: Path) -> Path:
        write_game(path, new_game(Stream(self.elements), Metadata(name=self.name, version="1.0"), VASSAL_VERSION))
        return path
