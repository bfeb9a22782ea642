"""Logs of Yalu in which players call out what no piece shows: units that leave by sea, and Isolated units."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from converter.scenario import read_map_text
from referee.games.yalu import facts
from referee.games.yalu.charts import Charts, take
from referee.games.yalu.logs import LOGS
from referee.logs.judging import judge_log, open_log
from referee.table.acts import Step
from referee.table.binding import Piece
from referee.table.events import Chat, Event, Moved, Place, Rolled
from referee.verdict import Verdict

MAP = """
version: 1
name: clear
grid: {columns: 27, rows: 31}
complete: [hexsides, links]
default_terrain: {kind: clear, source: {person: a test}}
terrain: [{kind: full-sea, source: {person: a test}, hexes: ["1517", "1617", "1717"]}]
"""
PORTS = {"Iwon": "2104", "Chinampo": "0823", "Hungnam": "1714", "Wonsan": "1518", "Inchon": "1027"}
US = {"Side": "UN", "Nation": "US", "Size": "division", "Combat": "10", "Move": "5", "Step_Level": "1"}
PVA = {"Side": "Communist", "Nation": "PVA", "Size": "division", "Combat": "4", "Move": "6", "Step_Level": "1"}
UNITS = {
    "US 2": ("1518", US), "US 3": ("1520", US), "US 7": ("1523", US), "29 Br": ("0823", US | {"Nation": "UK"}),
    "PVA 58": ("1010", PVA), "PVA 59": ("1012", PVA),
}  # fmt: skip
PHASES = [f"{side or ''} {phase}".strip() for side, phase in facts.moments("deluxe")]


@dataclass
class Game:
    """A log as it is written down, every phase of it called out."""

    steps: list[Step] = field(default_factory=list)
    where: dict[str, str | None] = field(default_factory=lambda: {name: hex for name, (hex, _) in UNITS.items()})

    def do(self, *events: Event) -> None:
        self.steps.append(Step(len(self.steps) + 1, events))

    def say(self, text: str) -> None:
        self.do(Chat(f"<Ann> - {text}", "Ann"))

    def move(self, name: str, hex: str | None) -> None:
        ends = [Place("Main Map", hex=at) if at else Place("Boxes") for at in (self.where[name], hex)]
        self.where[name] = hex
        self.do(Moved(name, name, *ends))

    def act(self, text: str) -> None:
        """A call-out, dice (`roll 3`), or a drag: `US 2 to 1518`, `US 2 off`."""
        if text.startswith("@"):
            self.say(text)
        elif text.startswith("roll "):
            dice = tuple(map(int, text.split()[1:]))
            self.do(Rolled(dice, 6, text))
        elif text.endswith(" off"):
            self.move(text.removesuffix(" off"), None)
        else:
            name, hex = text.split(" to ")
            self.move(name, hex)

    def accused(self) -> list[str]:
        charts = Charts()
        take(charts, "regions", {name: [hex] for name, hex in PORTS.items()})
        pieces = [Piece(name, name, Place("Main Map", hex=hex), marks) for name, (hex, marks) in UNITS.items()]
        court = open_log(LOGS, "deluxe", pieces, read_map_text(MAP), charts)
        told = judge_log(LOGS, court, self.steps)
        return [one.check for one in told.findings if one.verdict == Verdict.ILLEGAL]


def judged(*turns: dict[str, list[str]]) -> list[str]:
    """Who is accused where this is done in the phases of these turns."""
    game = Game()
    for name, acts in zip(("Jan II", "Jan III", "Jan IV"), (*turns, {}), strict=False):
        for phase in PHASES:
            game.say(f"@phase {name} {phase}")
            for text in acts.get(phase, ()):
                game.act(text)
    return game.accused()


MOVE, ARRIVE = "UN movement", "UN reinforcement"
ABOARD = {MOVE: ["@sea US 2", "US 2 off"]}


def test_from_a_port() -> None:
    assert judged(ABOARD, {ARRIVE: ["US 2 to 1027"]}) == []


def test_from_no_port() -> None:
    assert judged({MOVE: ["@sea US 3", "US 3 off"]}) == ["SEA-PORT"]


def test_without_a_word() -> None:
    assert judged({MOVE: ["US 3 off"]}, {ARRIVE: ["US 3 to 1226"]}) == []


def test_a_march_that_leaves_two_points() -> None:
    assert judged({MOVE: ["US 3 to 1518", "@sea US 3", "US 3 off"]}) == []


def test_a_march_that_leaves_none() -> None:
    assert judged({MOVE: ["US 7 to 1518", "@sea US 7", "US 7 off"]}) == ["SEA-MP"]


@pytest.mark.parametrize("between", [[], ["US 7 to 1522"]])
def test_a_march_with_a_slip_in_it(between: list[str]) -> None:
    assert judged({MOVE: ["US 3 to 1523", "US 3 to 1518", *between, "@sea US 3", "US 3 off"]}) == []


def test_a_division_through_a_minor_port() -> None:
    assert judged({MOVE: ["@sea 29 Br", "29 Br off"]}) == ["SEA-LIMIT"]


def test_in_the_communist_turn() -> None:
    assert judged({"Communist bugout": ["@sea US 2", "US 2 off"]}) == ["SEA-PHASE"]


@pytest.mark.parametrize("back", ["1518", "1027", "1226"])
def test_put_down_again_in_the_same_phase(back: str) -> None:
    assert judged({MOVE: ["@sea US 2", "US 2 off", f"US 2 to {back}"]}) == []


def test_taken_back_later_to_where_it_was() -> None:
    assert judged({**ABOARD, "UN designation": ["US 2 to 1518"]}) == []


def test_lands_inland() -> None:
    assert "SEA-DEST" in judged(ABOARD, {ARRIVE: ["US 2 to 1226"]})


def test_lands_in_the_same_turn() -> None:
    assert "SEA-EARLY" in judged({**ABOARD, "UN morale": ["US 2 to 1027"]})


@pytest.mark.parametrize(
    "between", [["PVA 58 to 1011"], ["@attack US 2 -> 1010"], ["US 3 to 1521"], ["@sea US 3", "US 3 to 1521"]]
)
def test_a_call_out_that_nothing_followed(between: list[str]) -> None:
    """The counter goes off the map later, for another reason."""
    assert "SEA-PHASE" not in judged({MOVE: ["@sea US 2", *between], "UN assault": ["US 2 off"]})


def test_an_evacuation_from_the_coast() -> None:
    assert judged({MOVE: ["@evacuate US 2", "roll 5", "US 2 off"]}, {ARRIVE: ["US 2 to 1226"]}) == []


def test_an_evacuation_after_a_march() -> None:
    assert judged({MOVE: ["US 3 to 1518", "@evacuate US 3", "US 3 off", "roll 5"]}) == ["EVAC-START"]


SUPPLY, MARCH = "Communist supply", "Communist movement"


def test_an_isolated_unit_marches_too_far() -> None:
    assert judged({SUPPLY: ["@isolated PVA 58"], MARCH: ["PVA 58 to 1006"]}) == ["SUP-HALF-MP"]


def test_an_isolated_unit_marches_half_its_way() -> None:
    assert judged({SUPPLY: ["@isolated PVA 58"], MARCH: ["PVA 58 to 1007"]}) == []


def test_a_unit_that_was_said_to_be_isolated_and_is_not() -> None:
    assert judged({SUPPLY: ["@isolated PVA 58", "@supplied PVA 58"], MARCH: ["PVA 58 to 1006"]}) == []


def test_isolation_lasts_a_turn() -> None:
    assert judged({SUPPLY: ["@isolated PVA 58"]}, {MARCH: ["PVA 58 to 1006"]}) == []
