"""The logs of Korean Battles: whose unit a piece is, how the time is told, and what a log of it may not show."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from referee.games.korean_battles import facts, names
from referee.games.korean_battles.charts import Charts, read_charts
from referee.games.korean_battles.court import Court
from referee.games.korean_battles.journeys import Journey, attempt, frames
from referee.games.korean_battles.play import close_combat, play
from referee.games.korean_battles.story_units import build, field, values_in
from referee.logs.base import GameLogs
from referee.logs.docket import Case
from referee.logs.game import Laid, LogGame
from referee.logs.guessing import best_line, heard
from referee.logs.steps import LogTable
from referee.rules.steps import as_shown
from referee.table.acts import Act, Step
from referee.table.binding import Piece
from referee.table.callouts import Verb
from referee.table.events import Declared, Event
from referee.table.units import Unit, Values
from referee.verdict import Finding

_FACTORS = re.compile(r"(?<!\d)(\d{1,2}-\d{1,2}-\d{1,2})(?!\d)")
_BONUS = re.compile(r"(?<![\d-])\+\s?(\d)\b")
_HISTORY = (
    "REINF-187-CONDITION", "REINF-ARMY-CADRE", "REINF-MARINE-CADRE", "REINF-94-RATE", "REINF-EXTRA", "SF-",
    "VP-", "SET-",
)  # fmt: skip
"""Findings that rest on all that happened since the game began."""
_SUMS = ("CMB-WRONG-SUM", "CMB-OOS", "CMB-FORT", "CMB-CRT", "CMB-ROW", "CMB-COLUMN", "CMB-TERRAIN", "RET-LENGTH")
"""Findings that rest on knowing everything that counted in a combat."""
_SUPPLY = ("OOS", "SUP-", "RB-UNSUPPLIED")
"""Findings that rest on knowing every depot."""
_RIVERS = ("MOVE-PROHIBITED-TERRAIN", "MOVE-HEXSIDE-UNPAID", "MOVE-BRIDGE-UNBUILT", "MOVE-OVER-MA")
"""Findings that rest on knowing every bridge, where engineers lay them."""

_TIMING = (
    "SEQ-", "REINF-WRONG-PHASE", "CMB-WRONG-PLAYER", "BOMB-WRONG-PLAYER", "RB-TIMING", "ENG-PHASE", "MOVE-OOS",
    "CMB-OOS", "STACK-",
)  # fmt: skip
"""Findings that rest on knowing the very phase."""
_EARLIER = (
    "CMB-UNIT-TWICE", "CMB-TARGET-TWICE", "CMB-SPLIT", "CMB-AFTER", "MOVE-AFTER", "SEQ-MOBILE-", "SEQ-BOMBARD",
    "SF-REUSE", "SF-OVER", "SF-CARRY", "BOMB-TWICE", "BOMB-THREE", "RB-TWO", "AIR-", "REINF-COST", "ENG-",
)  # fmt: skip
"""Findings that rest on what was done before in the same phase or turn."""


class KoreanBattlesLogs(GameLogs):
    """What the judging of logs asks of this game."""

    id = facts.GAME
    facts = facts
    scenarios: tuple[str, ...] = facts.SCENARIOS
    unit_fields: tuple[str, ...] = tuple(facts.word_map("unit_fields"))
    marks: tuple[str, ...] = (
        "Nation",
        "Size",
        "Class",
        "Type",
        "Attack",
        "Defense",
        "Move",
        "Back",
        "Division",
        "Dummy",
    )
    farthest = 4  # CRT
    fought_in_contact = True  # 7.0, 7.9; bombardment drives only the other side's units (8.4)
    passing: Collection[str] = frozenset({
        "moved", "advanced", "displaced", "retreated", "attacked", "target", "target-hex", "bombarded", "ground",
        "used", "rebuilt", "entered", "steps",
    })  # fmt: skip

    out_of_phase: tuple[str, ...] = (
        "SEQ-", "REINF-WRONG-PHASE", "CMB-WRONG-PLAYER", "BOMB-WRONG-PLAYER", "RB-TIMING", "ENG-PHASE", "DISP-",
        "CMB-UNIT-TWICE", "CMB-TARGET-TWICE", "CMB-SPLIT", "CMB-AFTER",
    )  # fmt: skip
    at_turns_end: Collection[str] = ("RB-TIMING",)
    omissions: Collection[str] = frozenset({
        "RES-DE-IGNORED", "RES-AE-IGNORED", "RES-EX-PARTIAL", "RES-A-LOSS", "RET-NONE", "RET-SHORT-NO-LOSS",
        "RET-LENGTH", "HW-NO-LOSS", "BOMB-FRIENDLY-MISSED", "HID-DUMMY-SURVIVES", "CMB-CRT-MISREAD",
    })  # fmt: skip
    callouts: Mapping[str, Verb] = {}

    def read_charts(self, path: Path | None, scenario: facts.Scenario) -> Charts:
        return read_charts(path, scenario) if path is not None else Charts()

    def told(self, scenario: facts.Scenario, charts: Charts, entry: Mapping[str, Any]) -> Unit | None:
        fields = {field(key): value for key, value in entry.items() if key != "unit" and value is not None}
        fields["name"] = str(entry.get("unit") or fields.get("name") or "")
        spoken = fields.get("side") or fields.get("nation")
        sides = [side] if (side := facts.side_of(spoken or "", scenario.id)) in scenario.sides else list(scenario.sides)
        nation = facts.nation_of(fields.get("nation") or "") or facts.nation_of(spoken or "")
        found = [build({**fields, "side": one, "nation": nation}, scenario, charts) for one in sides]
        if len(found) > 1:
            found = [unit for unit in found if self.is_listed(scenario, unit)]
        return found[0] if len(found) == 1 else None

    def line_of(self, scenario: facts.Scenario, unit: Unit) -> facts.Listed | None:
        return next(iter(names.listed(scenario, unit)), None)

    def is_listed(self, scenario: facts.Scenario, unit: Unit) -> bool:
        division = names.division_of(scenario, unit) if unit.side == "Chinese" else None
        return bool(names.listed(scenario, unit)) or division is not None

    def guess(self, scenario: facts.Scenario, piece: Piece) -> facts.Listed | None:
        """The one line that a piece's name and the factors in it fit best."""
        factors = _FACTORS.search(piece.name)
        face = values_in(factors[1]) if factors else None
        side = facts.side_of(piece.side or "", scenario.id)
        nation = facts.nation_of(piece.side or piece.name.split()[0] if piece.name.split() else "")
        if piece.name.strip().isdigit() and side is None:
            return None  # many a game has counters called 1, 2 and 3
        found: list[facts.Listed] = []
        for one in [side] if side in scenario.sides else scenario.sides:
            sketch = Unit("", piece.name, str(one), nation, names.kind_in(piece.name), face=face or Values())
            found += names.listed(scenario, sketch)
        if face is not None:
            found = [line for line in found if line.values == face] or found
        ids = {line.id for line in found}
        exact = [line for line in found if names.words(line.id) == names.words(piece.name)]
        best = exact if len({line.id for line in exact}) == 1 else found if len(ids) == 1 else []
        if best:
            return best[0]
        told = heard(piece.name, lambda word: facts.side_of(word, scenario.id), facts.nation_of, side)
        return best_line(told, (*scenario.units, *_regiments(scenario)))

    def as_shown(self, unit: Unit, properties: Mapping[str, str], step: str) -> Unit:
        return as_shown(unit, properties, step)

    def words(self, name: str) -> frozenset[str]:
        return names.words(name)

    def open(self, laid: Laid) -> Court:
        frozen = facts.rules()["frozen_map"] if laid.scenario.crt == "B" else {}

        def name(kind: str) -> str:
            known = facts.BOOK.terrain_name(kind) or kind
            return str(frozen.get(known, known))

        return Court(*laid._replace(ground=laid.ground.renamed(name)))

    def could_move(self, court: Court, unit: Unit, way: tuple[str, ...]) -> bool:
        start, *stops = map(court.at, way)
        journey = Journey(unit, start, tuple(stops), exact=False)
        board = court.board(unit.side)
        return any(attempt(board, journey, frame.reading) is not None for frame in frames(court, unit))

    def table(self, court: Any, battlefield: str | None, step: str) -> LogTable:
        return LogTable(self, court, battlefield, step)

    def play(self, court: Court, step: Step) -> None:
        play(court, step)

    def close(self, court: Court, step: int) -> None:
        close_combat(court, Act(step, "phase"))

    def unsaid(self, court: Court, case: Case) -> Iterable[tuple[str, Sequence[Event]]]:
        """A human wave that nobody called out (14.0), and support that was only talked about (8.3)."""
        attackers = [str(id) for id in dict(case.event.fields).get("attackers") or ()]
        waved = any(isinstance(event, Declared) and event.what == "wave" for _, event in case.said)
        if court.scenario.rules["human_wave"] and attackers and not waved:
            for ids in _groups(attackers, len(attackers)):
                yield "whether it was a human wave", [Declared("wave", (("units", ids),))]
        values = [value for text in case.talk for value in _BONUS.findall(text)][:3]
        for group in _groups([f"{side} +{value}" for value in values for side in court.scenario.sides], 2):
            markers = [{"marker": f"+{name.split('+')[1]}", "side": name.split(" +")[0]} for name in group]
            told = [(("marker", marker), ("side", marker["side"]), ("unordered", True)) for marker in markers]
            yield f"whether {' and '.join(group)} was meant", [Declared("support", fields) for fields in told]

    def missing(self, table: LogTable, finding: Finding, from_the_start: bool) -> Iterable[str]:
        court: Court = table.court  # type: ignore[assignment]
        if not from_the_start and finding.check.startswith(_HISTORY):
            yield "what happened before the log begins"
        losable = finding.side == "UN" and court.scenario.supply["UN"].get("until_occupied")
        if not from_the_start and losable and finding.check.startswith(_SUMS):
            yield "whether a supply source was lost before the log begins"
        if finding.check.startswith(_SUMS) and (around := table.strays_in_combat()):
            yield f"what {around} pieces that are not bound to units mean for the combat (bind.yaml)"
        if table.strays and any(word in finding.check for word in _SUPPLY):
            yield f"whether one of the {len(table.strays)} pieces that are not bound gives supply (bind.yaml)"
        bridges = court.scenario.rules["bridging"] and court.ground.sides and finding.side == "UN"
        if table.strays and bridges and finding.check in _RIVERS:
            yield f"whether one of the {len(table.strays)} pieces that are not bound is a bridge (bind.yaml)"
        if finding.check in ("CMB-REROLL", "CMB-DIE-COUNT"):
            yield "what the dice were for: the next combat may not have been called out"
        if not table.certain and finding.check.startswith(_EARLIER):
            yield "which phase it is (call the phases out): what was done before may belong to another"
        if table.tracked and finding.check.startswith(_TIMING) and not table.between_own_moves:
            yield "whether the turn tracker was clicked in time (call the phases out)"


def _groups(names: Sequence[str], most: int) -> Iterable[tuple[str, ...]]:
    """Each choice of so many names at most; of many names, only one by one and all together."""
    if len(names) > 6:
        return (*((name,) for name in names), tuple(names))
    return chain.from_iterable(combinations(names, number) for number in range(1, most + 1))


def _regiments(scenario: facts.Scenario) -> Iterable[facts.Listed]:
    """The regiments of the Chinese divisions, which the lists name by their divisions only (11.0, 29.0)."""
    for _, values in facts.units()["breakdown"]["Chinese"].items() if scenario.formations else ():
        for formation in scenario.formations:
            for number in (1, 2, 3):
                id = f"{formation['division']}/{number}"
                yield facts.Listed(id, "Chinese", "Chinese", Values.read(values), size="regiment")


LOGS: LogGame = KoreanBattlesLogs()
