"""Yalu at the engine's table where nobody types: every call-out is a click on a button or in a counter's menu."""

from __future__ import annotations

from pathlib import Path

from engine import Engine
from yalu_play import YaluTable

from converter.games import scenario_of
from converter.vassal.export.buttons import PHASE
from converter.vassal.export.menus import JOIN, JOINED_VERBS, SPOKEN_ALONE, UNIT_VERBS


class ButtonTable(YaluTable):
    """Says what the module can say; the verbs that it has nothing to click for are `unsaid`."""

    def __init__(self, engine: Engine, module: Path, edition: str) -> None:
        super().__init__(engine, module, edition)
        play = scenario_of(f"yalu/{edition}").play
        assert play
        self.verbs = play.call_outs
        self.clicks = 0
        self.unsaid: set[str] = set()
        self.instead: dict[str, str] = {}

    def say(self, text: str) -> int:
        verb, _, rest = self.instead.get(text, text).removeprefix("@").partition(" ")
        who, _, where = rest.partition(" -> ")
        if verb == "phase":
            self._press(PHASE)
        elif verb in ("odds", "result"):
            self._press(f"{verb.title()} {rest}")
        elif verb in SPOKEN_ALONE:
            self._press(SPOKEN_ALONE[verb])
        elif verb in JOINED_VERBS:
            for name in who.split(", "):
                self._choose(name, JOIN)
            if target := self._someone_in(where.partition(",")[0]):
                self._choose(target, JOINED_VERBS[verb])
        elif verb in self.verbs:
            self._choose(who, UNIT_VERBS.get(verb, f"Call out: {verb}"))
        else:
            self.unsaid.add(verb)
        return self.step

    def _press(self, name: str) -> None:
        self._do("hotkey", key=f"named:hexref {name}")
        self.clicks += 1

    def _choose(self, name: str, menu: str) -> None:
        self._do("key", id=self.ids[name], command=menu)
        self.clicks += 1

    def _someone_in(self, hex: str) -> str | None:
        """A counter that lies in the hex now."""
        spot = self._spot(hex)
        lying = {
            piece["id"]
            for piece in self.engine("dump")["state"]["pieces"]
            if all(piece[key] == spot[key] for key in ("map", "x", "y"))
        }
        return next((name for name, id in self.ids.items() if id in lying), None)
