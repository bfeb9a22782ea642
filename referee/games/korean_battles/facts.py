"""What the rulebook prints, read once from data/korean-battles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from converter.errors import BadInput
from referee.rulebook import Rulebook, plain
from referee.rules.tables import DifferentialTable, Row
from referee.table import callouts
from referee.table.calendar import Calendar
from referee.table.clock import Moment
from referee.table.units import Values

GAME = "korean-battles"


@dataclass(frozen=True)
class Listed:
    """A line of a set-up or reinforcement list."""

    id: str
    side: str
    nation: str
    values: Values | None
    kind: str | None = None
    size: str | None = None
    hexes: tuple[str, ...] = ()
    region: str | None = None
    next_to: str | None = None
    turn: int | None = None
    at: tuple[str, ...] = ()
    depleted: bool = False
    when: str | None = None
    with_unit: str | None = None
    accelerated: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def arrives(self) -> bool:
        """A reinforcement, not part of the set-up."""
        return self.turn is not None or self.when is not None


@dataclass(frozen=True)
class Scenario:
    """One battle: who, when, where, which rules."""

    id: str
    title: str
    map: str
    turns: int
    sides: tuple[str, str]
    crt: str
    rules: Mapping[str, bool]
    supply: Mapping[str, Mapping[str, Any]]
    cities: Mapping[str, tuple[str, ...]]
    units: tuple[Listed, ...]
    formations: tuple[Mapping[str, Any], ...]
    raw: Mapping[str, Any]

    def enemy(self, side: str) -> str:
        """The other side."""
        return self.sides[1] if side == self.sides[0] else self.sides[0]


BOOK = Rulebook(GAME)
MOVEMENT = ("movement", "mobile-movement")
COMBAT = ("combat", "mobile-combat")
REBUILDING = ("mobile-combat", "rebuild", "turn-end")  # 15.0: when a player turn ends, whatever the players call it
word_map = BOOK.word_map
nation_of = BOOK.nation_of


def rules() -> Mapping[str, Any]:
    """rules.yaml."""
    return BOOK.rules


def units() -> Mapping[str, Any]:
    """units.yaml."""
    return BOOK.units


def words() -> Mapping[str, Any]:
    """words.yaml."""
    return BOOK.words


def options() -> Mapping[str, Mapping[str, Any]]:
    """The readings that players may settle, by id."""
    return BOOK.options


def phase_names() -> Mapping[str, str]:
    """Every name of a phase and the phase it means."""
    return BOOK.phase_names


@cache
def table(which: str, right_aligned: bool = False) -> DifferentialTable:
    """The combat table of a map: A for Pusan and Inchon, B for Chosin."""
    data = BOOK.tables
    rows = tuple(Row(tuple(row["terrain"]), tuple(row["from"])) for row in data["headings"][which])
    return DifferentialTable(rows, {int(die): tuple(cells) for die, cells in data["results"].items()}, right_aligned)


_LISTED = {
    "id", "side", "nation", "values", "kind", "size", "hex", "region", "next_to", "turn", "at", "depleted", "when",
    "with", "accelerated",
}  # fmt: skip


def _listed(line: Mapping[str, Any]) -> Listed:
    return Listed(
        id=line["id"],
        side=line["side"],
        nation=line["nation"],
        values=Values.read(line["values"]),
        kind=line.get("kind"),
        size=line.get("size"),
        hexes=tuple(line.get("hex", ())),
        region=line.get("region"),
        next_to=line.get("next_to"),
        turn=line.get("turn"),
        at=tuple(line.get("at", ())),
        depleted=bool(line.get("depleted")),
        when=line.get("when"),
        with_unit=line.get("with"),
        accelerated=line.get("accelerated"),
        more={key: value for key, value in line.items() if key not in _LISTED},
    )


SCENARIOS = ("pusan", "inchon-seoul", "chosin-few", "practice")


@cache
def scenario(id: str) -> Scenario:
    """A scenario by its id."""
    if id not in SCENARIOS:
        raise BadInput(f"korean-battles has no scenario '{id}'; it has {', '.join(SCENARIOS)}")
    data = BOOK.read(f"scenarios/{id}.yaml")
    lists = ("setup_un", "setup_enemy", "reinforcements_un", "reinforcements_enemy")
    return Scenario(
        id=data["id"],
        title=data["title"],
        map=data["map"],
        turns=data["turns"],
        sides=(data["first_player"], data["second_player"]),
        crt=data["crt"],
        rules=data["rules"],
        supply=data["supply"],
        cities={name: tuple(hexes) for name, hexes in data["cities"].items()},
        units=tuple(_listed(line) for name in lists for line in data.get(name, ())),
        formations=tuple(data.get("formations", ())),
        raw=data,
    )


@cache
def moments(id: str) -> tuple[Moment, ...]:
    """The phases of a game turn in order (4.1), with the unnamed steps at its start and end."""
    phases = [phase["id"] for phase in rules()["phases"]]
    sides = scenario(id).sides
    middle = [Moment(side, phase) for side in sides for phase in phases]
    return (Moment(None, rules()["turn_start"]["id"]), *middle, Moment(None, rules()["turn_end"]["id"]))


def phase_of(word: object, side: str | None, scenario_id: str) -> str | None:
    """The phase that a word names. The end of a turn said of one side is the end of its player turn."""
    phase = phase_names().get(plain(word)) if word is not None else None
    if phase == rules()["turn_end"]["id"] and side == scenario(scenario_id).sides[0]:
        return "rebuild"
    return phase


def side_of(word: object, scenario_id: str | None = None) -> str | None:
    """The side that a word names."""
    low = str(word).strip().lower()
    for side, names in units()["sides"].items():
        if low == side.lower() or low in names:
            if side != "UN" and scenario_id is not None and side not in scenario(scenario_id).sides:
                return next(other for other in scenario(scenario_id).sides if other != "UN")
            return str(side)
    return None


@cache
def calendar(scenario_id: str) -> Calendar:
    """The moments of a turn and how players write them."""
    return Calendar(
        moments(scenario_id),
        scenario(scenario_id).sides,
        (*MOVEMENT, *COMBAT),
        ("support", "turn-end"),
        callouts.phase_words,
        lambda word: side_of(word, scenario_id),
        lambda word, side: phase_of(word, side, scenario_id),
        frozenset(words()["phase_line"]),
        moving=MOVEMENT,
        fighting=COMBAT,
        mobile=MOVEMENT[1:],
    )


def turn_of(word: object) -> int | None:
    """The turn that a word names."""
    return word if isinstance(word, int) else None
