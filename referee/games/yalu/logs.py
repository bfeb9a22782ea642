"""The logs of Yalu: whose unit a piece is, what its players call out, and what a log of it may not show."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from referee.games.yalu import facts
from referee.games.yalu.charts import Charts, read_charts
from referee.games.yalu.court import Court
from referee.games.yalu.journeys import Search, allowance
from referee.games.yalu.opening import open_court
from referee.games.yalu.play import close_fire, play
from referee.games.yalu.units import NEUTRALIZED, UNSURE, army_of, build, known_line, nation_in, words
from referee.logs.base import GameLogs
from referee.logs.game import Laid, LogGame
from referee.logs.reckoning import Doing
from referee.logs.steps import LogTable
from referee.table import callouts
from referee.table.acts import Act, Step
from referee.table.binding import Piece
from referee.table.callouts import Verb
from referee.table.events import Changed, Chat, Declared, Event, Rolled
from referee.table.units import Unit
from referee.verdict import Finding

_HISTORY = (
    "REINF-",
    "REPL-",
    "CON-",
    "ASP-INCOME",
    "ASP-BONUS",
    "OFF-ENTRY",
    "EVAC-DEST",
    "SEA-EARLY",
    "RDG-",
    "VIC-",
    "SETUP-",
)
"""Findings that rest on all that happened since the game began."""
_MARKERS = (
    "SUP-COM-UNMARKED", "SUP-UN-UNMARKED", "SUP-COM-OVERMARKED", "STACK-NOT-NEUTRALIZED", "RET-NO-MARKER",
    "RET-MISSING", "BUG-NOT-NEUTRAL", "BRK-NEUTRAL", "RCB-NEUTRAL", "NEU-", "REG-", "RET-NEUTRAL", "RET-D-SURVIVES",
    "HWA-SURVIVOR",
    "EVAC-RESULT", "DROP-RESULT", "MOVE-GUER-ROLL", "INF-NO-ROLL", "MOR-", "RET-SUPPORT", "STACK-AIR-MAP",
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


def _way(rest: str) -> dict[str, Any]:
    """`UNITS -> HEX`."""
    said = callouts.attack(rest)
    return {"units": said["attackers"], **({"to": said["target"]} if "target" in said else {})}


def _die_for(purpose: str) -> Verb:
    return "expect", lambda rest: {"for": purpose, **_way(rest)}


def _fire(kind: str) -> Verb:
    def read(rest: str) -> dict[str, Any]:
        said = callouts.attack(rest)
        return {"by": said["attackers"], "type": kind, **({"target": said["target"]} if "target" in said else {})}

    return "fire", read


_TERMS = re.compile(r",?\s*\b(?:\d+\s*asp|artillery|unsupplied|supplied)\b", re.I)


def _designate(kind: str | None) -> Verb:
    def read(rest: str) -> dict[str, Any]:
        paid = re.search(r"\b(\d+)\s*asp\b", rest, re.I)
        guns = re.search(r"\bartillery\s*(-?\d)", rest, re.I)
        said = callouts.attack(
            re.split(r",?\s*\b(?:\d+\s*asp|artillery|unsupplied|supplied)\b", rest, maxsplit=1, flags=re.I)[0]
        )
        if paid:
            said["asp"] = int(paid[1])
        if guns:
            said["artillery"] = int(guns[1])
        word = kind or ("unsupplied" if re.search(r"\bunsupplied\b", rest, re.I) else None)
        return {**said, **({"type": word} if word else {})}

    return "designate", read


def _asp(rest: str) -> dict[str, Any]:
    found = re.search(r"-?\d+", rest)
    return {"what": "asp", "to": int(found[0])} if found else {"what": "asp"}


CALLOUTS: Mapping[str, Verb] = {
    "attack": _designate(None),
    "hwa": _designate("hwa"),
    "wave": _designate("hwa"),
    "fire": _fire("assault"),
    "assault": _fire("assault"),
    "defend": _fire("defensive"),
    "bugfire": _fire("bugout"),
    "infiltrate": _die_for("infiltration"),
    "surprise": _die_for("surprise"),
    "regroup": _die_for("regroup"),
    "isolation": _die_for("isolation"),
    "evacuate": _die_for("evacuation"),
    "drop": _die_for("airdrop"),
    "hunt": _die_for("hunt"),
    "ambush": _die_for("guerrilla stop"),
    "weatherroll": _die_for("weather"),
    "ridgway": _die_for("ridgway"),
    "asp": ("set", _asp),
    "bombard": ("strike", callouts.bombard),
    "weather": ("set", lambda rest: {"what": "weather", "to": rest.strip()}),
}


@dataclass
class YaluTable(LogTable):
    """A counter's second step is its Neutralized state; a call-out says what the next die is for."""

    expected: dict[str, Any] = field(default_factory=dict)

    def doings(self, step: Step) -> Iterator[Doing]:
        """Dice, arrivals and ships belong into many phases: nothing is read from them about the time."""
        return iter(())

    def _chat(self, event: Chat, step: int) -> Iterator[Event]:
        for told in super()._chat(event, step):
            if isinstance(told, Declared) and told.what == "expect":
                self.expected = dict(told.fields)
            else:
                yield told

    def _rolled(self, event: Rolled, step: int) -> Iterable[Event]:
        self.rolls += 1
        told, self.expected = self.expected, {}
        if not told:
            return (event,)
        about = tuple((key, value) for key, value in told.items() if key != "for")
        return (replace(event, label=str(told["for"]), about=about),)

    def _changed(self, event: Changed, step: int) -> Iterator[Event]:
        told = next(((old, new) for name, old, new in event.properties if name == self.step_property), None)
        if told is None or event.piece not in self.court.position.units:
            return
        verb = "neutralize" if told[1] == "2" else "recover" if told[0] == "2" else None
        if verb is None or not self.begun or not self.certain or self.court.position.where(event.piece) is None:
            self._show(event)
        else:
            yield Declared(verb, (("units", (event.piece,)),))


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
    omissions: Collection[str] = frozenset()  # what may still be done is doubted in `missing`
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
        have = allowance(court, unit).usable
        spent = Search(court, unit).cost(list(way[:-1]), [])
        if have is None or spent is None:
            return True
        reach, start, goal = court.reach_for(unit), court.at(way[-2]), court.at(way[-1])
        return reach.within(start, goal, have - spent) or not reach.leads(start, goal)

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
        if finding.check == "MOVE-ZOC-CONTINUE" and finding.side == facts.COMMUNIST:
            yield "whether an infiltration die was rolled (9.2.3); call out @infiltrate UNIT -> HEX"
        if finding.check.startswith(_ZONES) and self._marked(table, finding.side):
            yield "whether one of the pieces that are not bound is a Neutralized marker (bind.yaml)"

    def _marked(self, table: LogTable, side: str | None) -> bool:
        """Does a piece that is no unit lie with an enemy unit?"""
        hexes = set(table.strays.values())
        return any(hex in hexes for unit, hex in table.court.position.on_map() if unit.side != side)


LOGS: LogGame = YaluLogs()
