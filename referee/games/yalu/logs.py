"""The logs of Yalu: whose unit a piece is, what its players call out, and what a log of it may not show."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from referee.games.yalu import facts
from referee.games.yalu.charts import Charts, read_charts
from referee.games.yalu.court import Court
from referee.games.yalu.journeys import Search, allowance, may_ride
from referee.games.yalu.log_callouts import CALLOUTS
from referee.games.yalu.log_table import YaluTable
from referee.games.yalu.opening import open_court
from referee.games.yalu.play import close_fire, play
from referee.games.yalu.units import NEUTRALIZED, UNSURE, army_of, build, known_line, nation_in, words
from referee.logs.base import GameLogs
from referee.logs.game import Laid, LogGame
from referee.logs.steps import LogTable
from referee.table.acts import Act, Step
from referee.table.binding import Piece
from referee.table.callouts import Verb
from referee.table.events import Declared, Event
from referee.table.units import Unit
from referee.verdict import Finding

_HISTORY = (
    "REINF-",
    "REPL-",
    "CON-",
    "ASP-INCOME",
    "ASP-BONUS",
    "OFF-ENTRY",
    "RDG-",
    "VIC-",
    "SETUP-",
)
"""Findings that rest on all that happened since the game began."""
_MARKERS = (
    "SUP-COM-UNMARKED", "SUP-UN-UNMARKED", "SUP-COM-OVERMARKED", "STACK-NOT-NEUTRALIZED", "RET-NO-MARKER",
    "SUP-MARK-EARLY-REMOVE", "BUG-NOT-NEUTRAL", "BRK-NEUTRAL", "RCB-NEUTRAL", "NEU-", "REG-",
    "EVAC-RESULT", "DROP-RESULT", "MOVE-GUER-ROLL", "INF-NO-ROLL", "MOR-", "STACK-AIR-MAP", "STACK-GUER-COM",
    "CON-ALONE", "ASP-LATE", "MOVE-INTERDICT-STALE",
)  # fmt: skip
"""Findings that rest on seeing every marker and every die, put down at once."""
_SUMS = (
    "CBT-ODDS",
    "CBT-DRM",
    "CBT-RESULT",
    "SUP-HALF-CF",
    "SUP-UN-HALVED",
    "UNSUP-FULL",
    "HWA-DEF-DOUBLE",
    "BUG-FIRE-ODDS",
)
"""Findings that rest on knowing everything that counted in a fire."""
_ZONES = ("MOVE-ZOC", "RET-ZOC", "DROP-TARGET", "RET-SELF-CLEAR", "STACK-COM-LIMIT")
"""Findings that rest on knowing who is Neutralized, for such a unit has no zone of control."""

_MARCHES = ("MOVE-", "SUP-HALF-MP", "BRK-MP", "WX-MOVE")
"""Findings of a march that was too long, or went where it may not."""


class YaluLogs(GameLogs):
    """What the judging of logs asks of this game."""

    id = facts.GAME
    facts = facts
    scenarios: tuple[str, ...] = facts.SCENARIOS
    unit_fields: tuple[str, ...] = tuple(facts.BOOK.word_map("unit_fields"))
    marks: tuple[str, ...] = (
        "Nation", "Size", "Type", "Combat", "Move", "Support", "Army", "Formation", "Circled",
    )  # fmt: skip
    farthest = 2  # 10.3.3
    passing: Collection[str] = frozenset({
        "moved", "advanced", "retreated", "fired", "fired-at", "used", "bombarded", "entered", "vacated", "rolled",
        "twice", "broken", "combined", "dropped", "designation", "bug-advance",
    })  # fmt: skip
    omissions: Collection[str] = frozenset({
        "RET-MISSING", "RET-NEUTRAL", "RET-D-SURVIVES", "RET-SUPPORT", "HWA-SURVIVOR",
    })  # fmt: skip
    declaring: tuple[str, ...] = ("fire",)
    displaces: bool = False
    out_of_phase: tuple[str, ...] = (
        "SEQ-", "REINF-PHASE", "NAV-MOVE", "BMB-PHASE", "SEA-PHASE", "BRK-PHASE", "GUER-HUNT-PHASE", "RDG-ROLL", "WX-",
        "SUR-", "MOVE-", "RAIL-", "BUG-", "INF-", "NEU-", "STACK-", "DF-", "CBT-", "ASP-",
    )  # fmt: skip
    callouts: Mapping[str, Verb] = CALLOUTS

    def read_charts(self, path: Path | None, scenario: facts.Scenario) -> Charts:
        return read_charts(path, scenario)

    def told(self, scenario: facts.Scenario, charts: Charts, entry: Mapping[str, Any]) -> Unit | None:
        fields = facts.BOOK.word_map("unit_fields")
        said = {fields.get(key, key): value for key, value in entry.items() if key != "unit" and value is not None}
        said["name"] = str(entry.get("unit") or said.get("name") or "")
        spoken = said.get("side") or said.get("nation") or nation_in(said["name"]) or ""
        side = facts.side_of(spoken)
        if side is None:
            return None
        nation = facts.BOOK.nation_of(said.get("nation") or "") or facts.BOOK.nation_of(spoken)
        army = re.fullmatch(r"(\d+)\w* army", str(said.get("parent") or "").lower())
        if army:
            said["army"] = army[1]
        return build({**said, "side": side, "nation": nation}, charts)

    def line_of(self, scenario: facts.Scenario, unit: Unit) -> facts.Listed | None:
        wanted = words(unit.name) | ({unit.nation.lower()} if unit.nation else set())
        return next((line for line in scenario.units if words(line.id) | {line.nation.lower()} == wanted), None)

    def is_listed(self, scenario: facts.Scenario, unit: Unit) -> bool:
        known = known_line(unit.name, unit.nation) or army_of(unit.name, unit.nation)
        return bool(known) or self.line_of(scenario, unit) is not None or unit.kind in ("guerrilla", "conscript")

    def guess(self, scenario: facts.Scenario, piece: Piece) -> facts.Listed | None:
        nation = facts.BOOK.nation_of(piece.side or "") or nation_in(piece.name)
        wanted = words(piece.name) | ({nation.lower()} if nation else set())
        found = [line for line in scenario.units if words(line.id) | {line.nation.lower()} == wanted]
        return found[0] if len(found) == 1 else None

    def as_shown(self, unit: Unit, properties: Mapping[str, str], step: str) -> Unit:
        level = properties.get(step)
        if level is None:
            layered = any(name.endswith("_Level") for name in properties)
            return unit.but(traits=unit.traits | {UNSURE}) if layered else unit
        traits = unit.traits - {UNSURE, NEUTRALIZED}
        return unit.but(traits=traits | {NEUTRALIZED} if level == "2" else traits)

    def words(self, name: str) -> frozenset[str]:
        return words(name)

    def open(self, laid: Laid) -> Court:
        named = laid.ground.renamed(lambda kind: facts.BOOK.terrain_name(kind) or kind)
        court = Court(*laid._replace(ground=named))
        open_court(court)
        return court

    def could_move(self, court: Court, unit: Unit, way: tuple[str, ...]) -> bool:
        if unit.kind == "naval":
            return True
        have = allowance(court, unit).usable
        spent = Search(court, unit).cost(list(way[:-1]), [])
        if have is None or spent is None:
            return True
        reach, start, goal = court.reach_for(unit), court.at(way[-2]), court.at(way[-1])
        near = reach.within(start, goal, have - spent) or not reach.leads(start, goal)
        return near or may_ride(court, unit, list(way))

    def turned(self, unit: Unit, before: Unit, after: Unit) -> Event:
        verb = "neutralize" if NEUTRALIZED in after.traits else "recover"
        return Declared(verb, (("units", (unit.id,)),))

    def table(self, court: Any, battlefield: str | None, step: str) -> LogTable:
        return YaluTable(self, court, battlefield, step)

    def play(self, court: Court, step: Step) -> None:
        play(court, step)

    def close(self, court: Court, step: int) -> None:
        close_fire(court, Act(step, "phase"))

    def missing(self, table: LogTable, finding: Finding, from_the_start: bool) -> Iterable[str]:
        if not from_the_start and finding.check.startswith(_HISTORY):
            yield "what happened before the log begins"
        if finding.check.startswith(_MARKERS):
            yield "whether a marker or a die is yet to come: a log does not show what players keep in mind"
        if finding.check.startswith(_SUMS) and (around := table.strays_in_combat()):
            yield f"what {around} pieces that are not bound to units mean for the fire (bind.yaml)"
        if finding.check.startswith(_SUMS) and self._loose_figures(table, finding):
            yield "whether the figures were said of this fire, or put right before the dice"
        if finding.check == "SEQ-MOVE-OUTSIDE" and self._may_bug_out(table.court, finding):
            yield "whether the UN Bug-out phase had begun"
        if finding.check == "INF-MP" and self._straight(table.court, finding):
            yield "whether a drag of its march was only a slip"
        if finding.check == "BUG-ADVANCE" and len(table.taken_from) > 1:
            yield "whether the drag before it was only a slip"
        if finding.check.startswith("INF-AFTER") and not table.certain:
            yield "which phase it is (turn tracker or call-outs): where the unit stood when it began is not known"
        if finding.check.startswith(_MARCHES) and len(table.taken_from) > 1 and self._put_right(table, finding):
            yield "whether the drag before it was only a slip"
        if finding.check.startswith("SUP-HALF") and not table.certain:
            yield "which turn it is (turn tracker or call-outs): whether the unit is Isolated still is not known"
        if finding.check == "SEA-MP" and self._dragged_twice(table.court, finding):
            yield "whether a drag of its march was only a slip"
        if finding.check == "MOVE-ZOC-CONTINUE" and finding.side == facts.COMMUNIST:
            yield "whether an infiltration die was rolled; call out @infiltrate UNIT -> HEX"
        if finding.check.startswith(_ZONES) and self._marked(table, finding.side):
            yield "whether one of the pieces that are not bound is a Neutralized marker (bind.yaml)"

    def _loose_figures(self, table: LogTable, finding: Finding) -> bool:
        """Were figures said of a fire that was never rolled for, or between its dice and others of no call-out?"""
        case = table.case
        if case is None or not case.rolls:
            return case is not None
        later = (*table.docket.loose, *(number for number, _ in case.rolls[1:]))
        return finding.step > case.rolls[0][0] and any(number > finding.step for number in later)

    def _may_bug_out(self, court: Any, finding: Finding) -> bool:
        """Does a UN unit leave a Communist zone of control in the Communist turn before combat (9.4)?"""
        units = [unit for unit in court.position.units.values() if (unit.name,) == finding.units]
        right = units and units[0].side == facts.UN and units[0].nation != "ROK" and court.turn != 1
        early = court.may_be(facts.COMMUNIST, ("movement",)) or court.may_be(facts.COMMUNIST, ("designation",))
        if not right or not early or finding.origin is None:
            return False
        trail = court.trails.get(units[0].id)
        start = trail[0][1][0] if trail else finding.origin
        return start in court.grid and court.in_zone(start, facts.UN) is not False

    def _straight(self, court: Any, finding: Finding) -> bool:
        """Could the unit pay for the hex if it had marched straight to where it stands?"""
        for id, trail in court.trails.items():
            if (court.name(id),) == finding.units and finding.to is not None:
                way = (trail[0][1][0], trail[-1][1][-1], finding.to)
                return all(hex in court.grid for hex in way) and self.could_move(court, court.unit(id), way)
        return False

    def _dragged_twice(self, court: Any, finding: Finding) -> bool:
        """Was the unit dragged more than once this phase?"""
        return any(len(trail) > 1 and (court.name(id),) == finding.units for id, trail in court.trails.items())

    def _put_right(self, table: LogTable, finding: Finding) -> bool:
        """May the unit have gone straight to where it was dragged last?"""
        court = table.court
        for id, trail in court.trails.items():
            if (court.name(id),) == finding.units and finding.to is not None:
                unit = court.unit(id)
                zone = court.zones_against(unit.side).sure if finding.check.startswith("MOVE-ZOC") else ()
                starts = {hexes[0] for _, hexes, _ in trail[-2:] if hexes[0] != finding.origin}
                return any(self._direct(court, unit, start, finding.to, zone) for start in starts)
        return False

    def _direct(self, court: Any, unit: Unit, start: str, to: str, zone: Collection[int]) -> bool:
        """Is a march from one hex to another legal, as far as these zones of control go?"""
        if start not in court.grid or to not in court.grid:
            return False
        if not zone:
            return self.could_move(court, unit, (start, to))
        have = allowance(court, unit).usable
        cost = Search(court, unit, zone, court.blocked_for(unit.side) - {court.at(start)}).cost([start, to], [])
        return cost is not None and (have is None or cost <= have)

    def _marked(self, table: LogTable, side: str | None) -> bool:
        """Does a piece that is no unit lie with an enemy unit?"""
        hexes = set(table.strays.values())
        return any(hex in hexes for unit, hex in table.court.position.on_map() if unit.side != side)


LOGS: LogGame = YaluLogs()
