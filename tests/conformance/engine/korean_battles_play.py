"""Korean Battles in the real engine: a bare module for each battle, and a table to play and log a game at."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from engine import Engine

from converter.vassal.dice import DiceButton
from converter.vassal.grids import HexGrid, Numbering
from converter.vassal.module import read_module
from converter.vassal.new_module import BoardPlan, CounterPlan, MapPlan, ModulePlan, write_module
from converter.vassal.pieces import roll
from converter.vassal.traits import write_type
from converter.vassal.turn_tracker import TurnLevel, TurnTracker
from referee.games.korean_battles import facts
from referee.table.binding import SCENARIO_PROPERTY
from referee.table.maps import wide_grid

MAIN, POOL = "Main Map", "Pool"
SUPPORT = (1, 2, 3, 4, 5, 6, 8, 9)
MARKS = ("Side", "Nation", "Size", "Class", "Type", "Attack", "Defense", "Move", "Back", "Division")
LAYER = "emb2;;130;;Flip;130;;;130;;;;1;false;0;0;{images};{names};true;Step;;;false;;1;1;true;;70,130;;;1.0"


def counter(name: str, marks: dict[str, str], levels: int = 2) -> CounterPlan:
    """A counter with its markers, a flip for each step, and the usual rest."""
    layer = LAYER.format(images="," * (levels - 1), names=",+ (depleted)" + ",+ (depleted)" * (levels - 2))
    links = [
        ("delete;Delete;68,130;", ""),
        ("markmoved;;36;-38;Mark moved;77,130;", "false"),
        (layer, "1"),
        (write_type("mark", names=MARKS), ",".join(marks.get(mark, "") for mark in MARKS)),
        ("piece;;;;" + name, "null;0;0;;0"),
    ]
    return CounterPlan(name, roll([link for link, _ in links]), roll([state for _, state in links]), marks["Side"])


def unit_marks(scenario: facts.Scenario) -> dict[str, dict[str, str]]:
    """The scenario's listed units; what the lists leave to the printed counter is made up here, for play."""
    ladder = facts.units()["marine_ladder"]
    made: dict[str, dict[str, str]] = {}
    for line in scenario.units:
        if line.values is None or line.id in made:
            continue
        attack, defense, move = (number or 0 for number in line.values)
        big = attack + defense >= 5 and move < 6
        size = line.size or ("" if line.kind in ("hq", "depot", "cadre") else "regiment" if big else "battalion")
        marks = {
            "Side": line.side, "Nation": line.nation, "Size": size, "Type": line.kind or "",
            "Class": "mobile" if move >= 6 else "leg",
            "Attack": str(attack), "Defense": str(defense), "Move": str(move),
        }  # fmt: skip
        if (size or line.kind == "hq") and not (scenario.rules["marine_ladder"] and line.id in ladder["units"]):
            marks["Back"] = f"{attack // 2}-{defense // 2}-{move}"
        made[line.id] = marks
    for formation in scenario.formations:
        for number in (1, 2, 3):
            made[f"{formation['division']}/{number}"] = {
                "Side": "Chinese", "Nation": "Chinese", "Size": "regiment", "Class": "leg", "Attack": "3",
                "Defense": "3", "Move": "4", "Back": "1-1-4", "Division": f"{formation['division']} ID",
            }  # fmt: skip
    return made


def faces_of(scenario: facts.Scenario, name: str) -> list[tuple[int, int, int]]:
    """Attack, defence and movement of a unit's sides, as far as they are printed."""
    ladder = facts.units()["marine_ladder"]
    if scenario.rules["marine_ladder"] and name in ladder["units"]:
        return [tuple(map(int, text.split("-"))) for text in ladder["values"]]  # type: ignore[misc]
    marks = unit_marks(scenario)[name]
    faces = [(int(marks["Attack"]), int(marks["Defense"]), int(marks["Move"]))]
    back = marks.get("Back")
    return [*faces, tuple(map(int, back.split("-")))] if back else faces  # type: ignore[list-item]


def counters(scenario: facts.Scenario) -> list[CounterPlan]:
    """A counter for each unit."""
    return [counter(name, marks, max(2, len(faces_of(scenario, name)))) for name, marks in unit_marks(scenario).items()]


def support_markers(scenario: facts.Scenario) -> list[CounterPlan]:
    """Support markers of each side, as modules made by hexref have them."""
    made = []
    for side in scenario.sides:
        for value in SUPPORT:
            marks = {"Owner": side, "Kind": "marker", "Marker": "support-fire", "Support": str(value)}
            links = [
                (write_type("mark", names=tuple(marks)), ",".join(marks.values())),
                (f"piece;;;;{side} +{value}", "null;0;0;;0"),
            ]
            types, states = roll([link for link, _ in links]), roll([state for _, state in links])
            made.append(CounterPlan(f"{side} +{value}", types, states, f"{side} markers"))
    return made


def phase_words(side: str | None, phase: str) -> str:
    """A phase as the tracker shows it."""
    return f"{side or ''} {phase.replace('-', ' ')}".strip().title() if phase != "turn-end" else "End of Turn"


def plan(scenario_id: str) -> ModulePlan:
    """A module for a battle: its numbered hexes, its units, one die, the sequence of play."""
    scenario = facts.scenario(scenario_id)
    grid = wide_grid(facts.GAME, scenario.map)
    dx, dy = 54.0, 62.0
    size = (round(dx * (grid.columns + 1)), round(dy * (grid.rows + 1)))
    board = BoardPlan("Board", size, grid=HexGrid(dx=dx, dy=dy, x0=40, y0=40, numbering=Numbering(stagger=False)))
    phases = TurnLevel(
        "list", "Phase", "Phase", entries=tuple(phase_words(*moment) for moment in facts.moments(scenario_id))
    )
    marker = counter("Interdicted", {"Side": ""})
    return ModulePlan(
        f"{scenario.title} for tests",
        sides=scenario.sides,
        maps=(MapPlan(MAIN, (board,)), MapPlan(POOL, (BoardPlan("Pool", (600, 400)),))),
        counters=(*counters(scenario), *support_markers(scenario), CounterPlan(marker.name, marker.type, marker.state)),
        dice=(DiceButton("dice", "1d6", count=1),),
        turn_tracker=TurnTracker(
            "TurnTracker0", "Turn", (TurnLevel("counter", "Turn", "TurnNo", start=1, levels=(phases,)),)
        ),
        properties={SCENARIO_PROPERTY: f"{facts.GAME}/{scenario_id}"},
    )


def write(path: Path, scenario_id: str) -> Path:
    """Write the battle's module."""
    write_module(path, plan(scenario_id))
    return path


class Table:
    """A game at the real engine. Each call is one thing a player does; `step` counts as the Step button will."""

    def __init__(self, engine: Engine, module: Path, scenario_id: str) -> None:
        self.engine = engine
        self.layout = read_module(module).maps[0].layout()
        self.moments = facts.moments(scenario_id)
        self.place_in_turn = 0
        self.turn_number = 1
        self.ids: dict[str, str] = {}
        self.step = 0
        self.engine("new")
        self.engine("new")

    def _do(self, op: str, **arguments: Any) -> dict[str, Any]:
        answer = self.engine(op, **arguments)
        self.step += len(answer.get("logged", ()))
        return answer

    def _spot(self, hex: str) -> dict[str, Any]:
        point = self.layout.point(hex)
        assert point is not None, hex
        return {"map": MAIN, "x": point[0], "y": point[1]}

    def place(self, name: str, hex: str) -> int:
        self.ids[name] = self._do("place", slot=name, **self._spot(hex))["id"]
        return self.step

    def hold(self, name: str) -> None:
        """A unit waits off the map."""
        self.ids[name] = self._do("place", slot=name, map=POOL, x=100 + 8 * len(self.ids), y=100)["id"]

    def begin(self, log: Path) -> None:
        self.engine("beginlog", file=log)
        self.step = 0

    def end(self) -> None:
        self.engine("endlog")

    def move(self, name: str, hex: str) -> int:
        self._do("move", id=self.ids[name], **self._spot(hex))
        return self.step

    def unflip(self, name: str) -> int:
        return self.flip(name)

    def kill(self, name: str) -> int:
        self._do("move", id=self.ids[name], map=POOL, x=300, y=200)
        return self.step

    def flip(self, name: str) -> int:
        self._do("key", id=self.ids[name], command="Flip")
        return self.step

    def say(self, text: str) -> int:
        self._do("chat", text=text)
        return self.step

    def roll(self) -> int:
        """Throw the die; answers what it shows."""
        told = " ".join(map(str, self._do("dice", name="1d6")["logged"]))
        found = re.search(r"1d6 = (\d)", told)
        assert found, told
        return int(found[1])

    def off(self, name: str) -> int:
        """To the side box, to make room."""
        self._do("move", id=self.ids[name], map=POOL, x=500, y=300)
        return self.step

    def undo(self) -> int:
        self._do("undo")
        return self.step

    def slip(self) -> int:
        """Press the tracker's button once too often, and back."""
        self._do("turn")
        self._do("turn", dir="prev")
        return self.step

    def to(self, side: str | None, phase: str) -> int:
        """Press the tracker's button until this phase comes, calling each phase out."""
        while True:
            self._do("turn")
            self.place_in_turn = (self.place_in_turn + 1) % len(self.moments)
            self.turn_number += self.place_in_turn == 0
            now = self.moments[self.place_in_turn]
            self.say(f"@phase turn {self.turn_number} {phase_words(*now)}")
            if tuple(now) == (side, phase):
                return self.step
