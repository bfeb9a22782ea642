"""Games played at random by the real engine, for comparing its replay with ours."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from engine import Engine, EngineError

from converter.vassal.commands import AddPiece, Boards, Player
from converter.vassal.compose import opening
from converter.vassal.dice import DiceButton
from converter.vassal.grids import HexGrid, Numbering
from converter.vassal.new_module import BoardPlan, CounterPlan, MapPlan, ModulePlan
from converter.vassal.pieces import roll, unroll
from converter.vassal.stream import Element
from converter.vassal.traits import write_type
from converter.vassal.turn_tracker import TurnLevel, TurnTracker

MAIN, POOL = "Main Map", "Dead Pool"
PHASES = TurnLevel("list", "Phase", "Phase", entries=("Movement", "Combat"))
TURN = TurnTracker("TurnTracker0", "Turn", (TurnLevel("counter", "Turn", "TurnNo", start=1, levels=(PHASES,)),))
SPOTS = 40
DECK_SPOT = (300, 300)


def counter(name: str, side: str, stacks: bool) -> CounterPlan:
    """A counter that can be flipped, turned, cloned, deleted, hidden and masked, and that marks its moves."""
    links = [
        ("hide;73,130;Hide;;player:;0.3;;", "null"),
        ("obs;80,130;;Mask;B;?;player:;;;false;;", "null"),
        ("delete;Delete;68,130;", ""),
        ("clone;Clone;67,130;", ""),
        ("markmoved;;36;-38;Mark moved;77,130;", "false"),
        ("emb2;;130;;Flip;130;;;130;;;;1;false;0;0;,;,+ (reduced);true;Step;;;false;;1;1;true;;70,130;;;1.0", "1"),
        ("rotate;6;93,130;91,130;Right;Left;;;Rotate;;;;;true", "0"),
        ("footprint;84,130;Trail;false;true;10;255,255,255;0,0,0;100;50;20;30;5.0", "false;;0"),
        ("PROP;Fuel;true,0,9,false;Burn:66\\,130:I\\,1;", "3"),
        (write_type("mark", names=("Side", "Strength")), f"{side},4-3-6"),
        ("piece;;;;" + name, "null;0;0;;0"),
    ]
    if not stacks:
        links.insert(0, ("immob;g;N;R;", ""))
    return CounterPlan(name, roll([link for link, _ in links]), roll([state for _, state in links]), side)


def plan() -> ModulePlan:
    """Two maps (one with padding and a hex grid), 24 counters of which 4 never stack, dice, turn track, properties."""
    grid = HexGrid(dx=62.35, dy=72.0, x0=50, y0=40, numbering=Numbering())
    counters = [counter(f"{side} {n}", side, n % 6 != 0) for side in ("Red", "Blue") for n in range(1, 13)]
    return ModulePlan(
        "Random play",
        sides=("Red", "Blue"),
        maps=(
            MapPlan(MAIN, (BoardPlan("Field", (900, 700), grid=grid),), edge=(20, 10)),
            MapPlan(POOL, (BoardPlan("Pool", (400, 300)),)),
        ),
        counters=tuple(counters),
        dice=(DiceButton("dice", "2d6"), DiceButton("dice", "1d10", count=1, sides=10)),
        turn_tracker=TURN,
        properties={"Weather": "Clear"},
    )


def deck_elements() -> list[Element]:
    """A save with a deck of six counters, face up, on the main map."""
    cards = [counter(f"Red {number}", "Red", stacks=number != 6) for number in range(1, 7)]
    place = f"{MAIN};{DECK_SPOT[0]};{DECK_SPOT[1]}"
    pieces = []
    for number, card in enumerate(cards):
        *links, basic = unroll(card.state)
        state = roll([*links, basic.replace("null;0;0", place, 1)])
        pieces.append(AddPiece(str(100 + number), card.type, state))
    deck = write_type("deck", face_down="Never", shuffle="Never", name="Draw pile", width=80, height=80)
    pieces.append(AddPiece("99", deck, f"{place};false;{','.join(str(100 + number) for number in range(6))}"))
    boards = [Boards(MAIN, (("Field", 0, 0, False),)), Boards(POOL, (("Pool", 0, 0, False),))]
    return opening(pieces, [Player("annpw", "Ann", "Red"), *boards])


class RandomGame:
    """One game: `play` makes that many logged operations. Few spots, so that counters meet and stack."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.engine = engine
        self.random = random.Random(seed)
        self.spots = [(self.random.randrange(60, 860), self.random.randrange(60, 660)) for _ in range(SPOTS)]
        self.done: dict[str, int] = {}

    def play(self, log: Path, operations: int, deck: Path | None = None) -> dict[str, Any]:
        """Set up, log the operations, and give the engine's own view of the position at the end.

        `deck` is a save with a deck on the map, to begin with instead of an empty table.
        """
        if deck is not None:
            self.engine("load", file=deck)
            self.spots[:8] = [DECK_SPOT] * 8
        else:
            self.engine("new")
            self.engine("new")
        for _ in range(12):
            self._place()
        self.engine("beginlog", file=log)
        for _ in range(operations):
            self._operate()
        state: dict[str, Any] = self.engine("dump")["state"]
        self.engine("endlog")
        return state

    def _operate(self) -> None:
        name, act = self.random.choices(ACTS, WEIGHTS)[0]
        try:
            act(self)
        except EngineError as error:
            if not any(word in str(error) for word in ("no key command", "not possible now", "no piece")):
                raise
            return
        self.done[name] = self.done.get(name, 0) + 1

    def _pieces(self) -> list[dict[str, Any]]:
        pieces: list[dict[str, Any]] = self.engine("dump")["state"]["pieces"]
        return pieces

    def _some(self, most: int = 1) -> list[str]:
        ids = [piece["id"] for piece in self._pieces() if piece["map"]]
        return self.random.sample(ids, min(len(ids), self.random.randint(1, most)))

    def _spot(self) -> dict[str, Any]:
        if self.random.random() < 0.12:
            return {"map": POOL, "x": self.random.choice((100, 160)), "y": 100}
        x, y = self.random.choice(self.spots)
        return {"map": MAIN, "x": x + self.random.randint(-6, 6), "y": y + self.random.randint(-6, 6)}

    def _place(self) -> None:
        side, number = self.random.choice(("Red", "Blue")), self.random.randint(1, 12)
        self.engine("place", slot=f"{side} {number}", **self._spot())

    def _move(self) -> None:
        if chosen := self._some():
            self.engine("move", id=chosen[0], **self._spot())

    def _move_several(self) -> None:
        if chosen := self._some(4):
            self.engine("move", ids=chosen, **self._spot())

    def _move_stack(self) -> None:
        stacks = sorted({piece["stack"] for piece in self._pieces() if piece["stack"]})
        if stacks:
            self.engine("move", id=self.random.choice(stacks), **self._spot())

    def _gather(self) -> None:
        """Drop a counter exactly on another: splits its old stack, joins a new one."""
        pieces = [piece for piece in self._pieces() if piece["map"]]
        if len(pieces) > 1:
            mover, target = self.random.sample(pieces, 2)
            self.engine("move", id=mover["id"], map=target["map"], x=target["x"], y=target["y"])

    def _key(self) -> None:
        command = self.random.choice(("Flip", "Right", "Left", "Clone", "Mask", "Hide", "Trail", "Burn", "Mark moved"))
        if chosen := self._some(3):
            self.engine("key", ids=chosen, command=command)

    def _delete(self) -> None:
        pieces = self._pieces()
        if len(pieces) > 8:
            self.engine("key", id=self.random.choice(pieces)["id"], command="Delete")

    def _stack_key(self) -> None:
        """Shift a counter up, down, to the top or to the bottom of its stack."""
        stacked = [piece["id"] for piece in self._pieces() if piece["stack"]]
        if stacked:
            key = self.random.choice(("UP", "DOWN", "LEFT", "RIGHT"))
            self.engine("key", id=self.random.choice(stacked), key=key)

    def _dice(self) -> None:
        self.engine("dice", name=self.random.choice(("2d6", "1d10")))

    def _chat(self) -> None:
        self.engine("chat", text=self.random.choice(("hold the line", "a/b\\;c|d,\té→漢 'q' <b>&</b>", "'")))

    def _turn(self) -> None:
        self.engine("turn", dir=self.random.choice(("next", "next", "prev")))

    def _undo(self) -> None:
        self.engine("undo")


ACTS = [
    ("place", RandomGame._place),
    ("move", RandomGame._move),
    ("several", RandomGame._move_several),
    ("stack", RandomGame._move_stack),
    ("gather", RandomGame._gather),
    ("key", RandomGame._key),
    ("delete", RandomGame._delete),
    ("stack key", RandomGame._stack_key),
    ("dice", RandomGame._dice),
    ("chat", RandomGame._chat),
    ("turn", RandomGame._turn),
    ("undo", RandomGame._undo),
]
WEIGHTS = [6, 22, 10, 14, 16, 16, 4, 3, 6, 5, 4, 10]
