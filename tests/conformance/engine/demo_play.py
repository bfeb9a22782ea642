"""The game of the demo, played in the real VASSAL engine: honest moves and a dozen mistakes.

    python tests/conformance/engine/demo_play.py MODULE.vmod LOG.vlog

plays it anew in the module that `hexref demo` builds; data/demo/practice.vlog is what came of it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from engine import Engine

from converter.vassal.module import read_module

MAIN, SETUP = "Main Map", "Practice on the Peninsula"


class Player:
    """Does at the table what a player does. `mistakes` collects the step of each mistake and what it is called."""

    def __init__(self, engine: Engine, module: Path) -> None:
        self.engine = engine
        layout = next(held for held in read_module(module).maps if held.name == MAIN).layout()
        self.layout = layout
        self.engine("setup", name=SETUP)
        pieces = self.engine("dump")["state"]["pieces"]
        self.ids = {piece["properties"]["BasicName"]: piece["id"] for piece in pieces}
        self.step = self.turn = 0
        self.mistakes: list[tuple[int, str]] = []

    def do(self, op: str, **arguments: Any) -> dict[str, Any]:
        answer = self.engine(op, **arguments)
        self.step += len(answer.get("logged", ()))
        return answer

    def move(self, name: str, hex: str, *mistakes: str) -> None:
        point = self.layout.point(hex)
        assert point is not None, hex
        self.do("move", id=self.ids[name], map=MAIN, x=point[0], y=point[1])
        self._wrong(mistakes)

    def say(self, text: str, *mistakes: str) -> None:
        self.do("chat", text=text)
        self._wrong(mistakes)

    def phase(self, wanted: str) -> None:
        """Press the turn track until it stands there, and call the phase out."""
        for _ in range(20):
            told = self.do("turn")
            if any(wanted.lower() in str(line).lower() for line in told.get("chat", ())):
                self.turn += wanted == "NK Movement"
                self.say(f"@phase turn {self.turn} {wanted}")
                return
        raise AssertionError(f"the turn track never shows {wanted}")

    def attack(self, names: list[str], target: str, *mistakes: str) -> None:
        """By the counters' own menus: each attacker joins, then the hex is named on a defender."""
        for name in names:
            self.do("key", id=self.ids[name], command="Attack with this")
        self.do("key", id=self.ids[target], command="Attack this hex")
        self._wrong(mistakes)

    def roll(self) -> int:
        told = self.do("dice", name="1d6")
        line = next(str(line["text"]) for line in told["chat"] if "=" in str(line["text"]))
        return int(line.split("=")[1].split()[0])

    def flip(self, name: str) -> None:
        self.do("key", id=self.ids[name], command="Flip")

    def _wrong(self, mistakes: tuple[str, ...]) -> None:
        self.mistakes += [(self.step, mistake) for mistake in mistakes]


def play(player: Player) -> None:
    """Turn 1, and the beginning of turn 2."""
    player.phase("NK Movement")
    player.move("K2", "1919")
    player.move("K2", "1920")  # dragged on by road
    player.move("K1", "1820")
    player.move("K3", "1719")
    player.move("K3", "1720")
    player.move("K HQ", "1718")
    player.say("K4 comes up through the hills")
    player.move("K4", "1811", "MOVE-OVER-MA")
    player.move("A HQ", "1824", "SEQ-MOVE-WRONG-PLAYER")
    player.move("K5", "1601", "REINF-EARLY")
    player.move("K Tank", "1719")
    player.do("undo")
    player.move("K Tank", "1819")
    player.phase("NK Combat")
    player.attack(["K1", "K2"], "A3")
    player.say("@odds +2")
    assert player.roll() == 5  # A3: back three hexes
    player.move("K1", "1817")
    player.move("K2", "1917")
    player.attack(["K3"], "A3", "CMB-NOT-ADJACENT", "CMB-TARGET-TWICE")
    player.phase("NK Mobile Movement")
    player.move("K4", "1812", "SEQ-LEG-IN-MOBILE-MOVE", "SEQ-MOBILE-MOVED-TWICE")
    player.phase("NK Mobile Combat")
    player.phase("UN Movement")
    player.move("A1", "1820")  # over the bridge
    player.move("A Recon", "1822")
    player.move("A HQ", "1822")
    player.move("A Tank", "1822", "STACK-THREE")
    player.move("A4", "1927", "REINF-EARLY")
    player.move("K4", "1811", "SEQ-MOVE-WRONG-PLAYER")
    player.move("A2", "1720", "MOVE-ENEMY-HEX", "STACK-ENEMY")
    player.phase("UN Combat")
    player.move("A HQ", "1823", "SEQ-MOVE-WRONG-PHASE", "SEQ-PHASE-ORDER")
    player.attack(["A1"], "K3")
    player.say("@odds +4", "CMB-WRONG-SUM")
    assert player.roll() == 3  # exchange
    player.flip("A1")
    player.flip("K3")
    player.attack(["A1"], "K3", "CMB-UNIT-TWICE", "CMB-SPLIT-STRENGTH", "CMB-TARGET-TWICE")
    player.phase("UN Mobile Movement")
    player.phase("UN Mobile Combat")
    player.phase("End of Turn")
    player.phase("NK Movement")
    player.move("K2", "1919")
    player.say("good game so far, the rest on Sunday")
    player.phase("NK Combat")
    player.phase("NK Mobile Movement")


if __name__ == "__main__":
    module, log = map(Path, sys.argv[1:3])
    with Engine(module, side="NK", user="Kim", password="practice-kim", seed=7) as engine:
        player = Player(engine, module)
        engine("beginlog", file=log)
        play(player)
        engine("endlog")
        for step, mistake in player.mistakes:
            print(step, mistake)
