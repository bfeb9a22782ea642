"""Logs of Yalu: a whole game turn by the rules, and breaches of many kinds planted in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from converter.scenario import MapFile, read_map_text
from referee.court import Court
from referee.games.yalu import facts
from referee.games.yalu.charts import Charts, take
from referee.games.yalu.logs import LOGS
from referee.logs.judging import judge_log, open_log
from referee.table.acts import Step
from referee.table.binding import Piece
from referee.table.events import Changed, Chat, Event, Moved, Place, Rolled, Turn
from referee.verdict import Judged, Verdict

CLEAR = """
version: 1
name: clear
grid: {columns: 27, rows: 37}
complete: [hexsides, links]
default_terrain: {kind: clear, source: {person: a test}}
"""
MAIN = "Main Map"
PVA = {"Side": "Communist", "Nation": "PVA", "Size": "division", "Combat": "4", "Move": "6", "Step_Level": "1"}
US = {"Side": "UN", "Nation": "US", "Size": "division", "Combat": "10", "Move": "5", "Step_Level": "1"}
ROK = {"Side": "UN", "Nation": "ROK", "Size": "division", "Combat": "4", "Move": "5", "Step_Level": "1"}
BATTALION = US | {"Size": "battalion", "Combat": "1", "Move": "6"}
UNITS = {
    "PVA 58": ("1010", PVA), "PVA 59": ("1010", PVA), "PVA 60": ("1010", PVA), "PVA 112": ("0808", PVA),
    "PVA 113": ("0808", PVA), "PVA 124": ("0606", PVA), "NKPA 5": ("0606", PVA | {"Nation": "NKPA", "Combat": "2"}),
    "ROK 8": ("1014", ROK), "ROK 7": ("1216", ROK), "ROK 1": ("1418", ROK), "US 2": ("1620", US),
    "US 3": ("1820", US), "US 7": ("1822", US), "1/9/2": ("2020", BATTALION), "US 24": ("0811", US),
    "Garrison Wonsan": ("2222", US | {"Size": "", "Type": "garrison", "Combat": "2", "Move": "0"}),
}  # fmt: skip
PHASES = [f"{side or ''} {phase}".strip() for side, phase in facts.moments("deluxe")]


def land(text: str = CLEAR) -> MapFile:
    return read_map_text(text)


@dataclass
class Game:
    """A log as it is written down: what players do, and what was done against the rules."""

    phases: bool = True  # the tracker is used
    called: bool = True  # call-outs are typed
    steps: list[Step] = field(default_factory=list)
    where: dict[str, str] = field(default_factory=lambda: {name: hex for name, (hex, _) in UNITS.items()})
    planted: list[tuple[int, str]] = field(default_factory=list)

    def _do(self, *events: Event) -> int:
        self.steps.append(Step(len(self.steps) + 1, events))
        return len(self.steps)

    def to(self, phase: str, turn: str = "Jan II") -> None:
        if self.phases:
            self._do(Turn("Turn", (("TurnNo", turn), ("Phase", phase.title()))))
        self.say(f"@phase {turn} {phase}")

    def move(self, name: str, hex: str, *, foul: str = "") -> None:
        step = self._do(Moved(name, name, Place(MAIN, hex=self.where[name]), Place(MAIN, hex=hex)))
        self.where[name] = hex
        if foul:
            self.planted.append((step, foul))

    def say(self, text: str, foul: str = "") -> None:
        if self.called:
            step = self._do(Chat(f"<Ann> - {text}", "Ann"))
            if foul:
                self.planted.append((step, foul))

    def roll(self, *dice: int) -> None:
        self._do(Rolled(dice, 6, f"{len(dice)}d6"))

    def judge(self, sheet: MapFile | None = None) -> tuple[Judged, Court]:  # type: ignore[type-arg]
        pieces = [Piece(name, name, Place(MAIN, hex=hex), marks) for name, (hex, marks) in UNITS.items()]
        charts = Charts()
        take(charts, "regions", {"North of the Weather Line": ["1014", "0811"], "Between the lines": ["1216"]})
        court = open_log(LOGS, "deluxe", pieces, sheet or land(), charts)
        return judge_log(LOGS, court, self.steps), court


def turn(game: Game, plant: Callable[[Game, str], None]) -> None:
    """A game turn; `plant` may add a breach to any phase."""
    for phase in PHASES:
        game.to(phase)
        if phase == "Communist movement":
            game.move("PVA 58", "1012")
            game.move("PVA 112", "0810")
            game.move("NKPA 5", "0609")
        if phase == "Communist designation":
            game.say("@attack PVA 112 -> 0811, 1 ASP")
        if phase == "Communist defensive-fire":
            game.say("@defend US 24 -> 0810")
            game.roll(6, 6)
        if phase == "Communist assault":
            game.say("@fire PVA 112 -> 0811")
            game.say("@odds 1-3")
            game.roll(5, 6)
        if phase == "UN movement":
            game.move("US 2", "1619")
            game.move("1/9/2", "2018")
        plant(game, phase)
    game.to("weather", "Jan III")


FOULS: dict[str, Callable[[Game, str], None]] = {}


def foul(id: str, phase: str) -> Callable[[Callable[[Game], None]], Callable[[Game], None]]:
    def keep(play: Callable[[Game], None]) -> Callable[[Game], None]:
        FOULS[f"{id}-{play.__name__}"] = lambda game, now: play(game) if now == phase else None
        return play

    return keep


@foul("MOVE-MP", "Communist movement")
def too_far(game: Game) -> None:
    game.move("PVA 59", "1018", foul="MOVE-MP")


@foul("MOVE-MP", "UN movement")
def too_far_un(game: Game) -> None:
    game.move("US 3", "1826", foul="MOVE-MP")


@foul("MOVE-GARRISON", "UN movement")
def garrison(game: Game) -> None:
    game.move("Garrison Wonsan", "2221", foul="MOVE-GARRISON")


@foul("STACK-ENEMY", "UN movement")
def into_enemy(game: Game) -> None:
    game.move("ROK 8", "1012", foul="STACK-ENEMY")


@foul("STACK-COM-LIMIT", "Communist movement")
def overstack(game: Game) -> None:
    game.move("PVA 124", "0808")
    game.move("PVA 59", "0808")
    game.move("PVA 60", "0808", foul="STACK-COM-LIMIT")


@foul("SEQ-MOVE-OUTSIDE", "Communist morale")
def in_morale(game: Game) -> None:
    game.move("PVA 113", "0804", foul="SEQ-MOVE-OUTSIDE")


@foul("SEQ-MOVE-OUTSIDE", "UN bombardment")
def in_bombardment(game: Game) -> None:
    game.move("US 7", "1826", foul="SEQ-MOVE-OUTSIDE")


@foul("SEQ-MOVE-OUTSIDE", "Communist movement")
def wrong_side(game: Game) -> None:
    game.move("US 3", "1823", foul="SEQ-MOVE-OUTSIDE")


@foul("MOVE-ZOC-CONTINUE", "UN movement")
def through_zone(game: Game) -> None:
    game.move("US 24", "0809", foul="MOVE-ZOC-CONTINUE")


@foul("CBT-ADJACENT", "Communist designation")
def from_afar(game: Game) -> None:
    game.say("@attack PVA 60 -> 1216, 2 ASP", "CBT-ADJACENT")


@foul("CBT-TWO-TARGETS", "Communist designation")
def two_targets(game: Game) -> None:
    game.say("@attack PVA 112 -> 0811, 0812", "CBT-TWO-TARGETS")


@foul("ASP-COST", "Communist designation")
def price(game: Game) -> None:
    game.where["PVA 60"] = "1010"
    game.say("@attack PVA 113 -> 0811, 2 ASP", "ASP-COST")


@foul("CBT-ODDS", "Communist assault")
def odds(game: Game) -> None:
    game.say("@odds 3-1", "CBT-ODDS")


@foul("CBT-FIRE-TWICE", "Communist assault")
def twice(game: Game) -> None:
    game.say("@fire PVA 112 -> 0811", "CBT-FIRE-TWICE")


@foul("SUR-WINDOW", "Communist designation")
def late_surprise(game: Game) -> None:
    game.say("@surprise US 24")
    game.roll(3)
    game.planted.append((len(game.steps), "SUR-WINDOW"))


@foul("INF-SIDE", "UN movement")
def un_infiltrates(game: Game) -> None:
    game.say("@infiltrate US 24 -> 0812")
    game.roll(1)
    game.planted.append((len(game.steps), "INF-SIDE"))


@foul("ASP-OVERSPEND", "Communist reinforcement")
def below_zero(game: Game) -> None:
    game.say("@asp -1", "ASP-OVERSPEND")


@foul("STACK-UN-LIMIT", "UN movement")
def un_overstack(game: Game) -> None:
    game.move("US 3", "1821")
    game.move("US 7", "1821")
    game.move("ROK 1", "1720")
    game.move("ROK 7", "1219")
    game.move("US 2", "1821")
    game.planted.append((len(game.steps) + 2, "STACK-UN-LIMIT"))


@pytest.mark.parametrize("name", ["fair", *FOULS])
def test_a_turn(name: str) -> None:
    """Each breach is found at its step under its id; nothing else is accused."""
    game = Game()
    turn(game, FOULS.get(name, lambda game, phase: None))
    judged, _ = game.judge()
    illegal = {(one.step, one.check) for one in judged.findings if one.verdict == Verdict.ILLEGAL}
    assert set(game.planted) <= illegal or not game.planted
    steps = {step for step, _ in game.planted}
    assert [one for one in sorted(illegal) if one[0] not in steps] == []


@pytest.mark.parametrize(("phases", "called"), [(False, True), (True, False), (False, False)])
@pytest.mark.parametrize("known", [True, False])
def test_what_a_log_does_not_show_is_held_against_nobody(phases: bool, called: bool, known: bool) -> None:
    """The fair game without its tracker, its call-outs, its terrain: no accusation."""
    game = Game(phases, called)
    turn(game, lambda game, phase: None)
    sheet = None if known else land(CLEAR.replace("complete: [hexsides, links]\n", "").split("default_terrain")[0])
    judged, _ = game.judge(sheet)
    assert [one for one in judged.findings if one.verdict == Verdict.ILLEGAL] == []


@pytest.mark.parametrize(
    "slip", ["@attack PVA 112 -> 1014", "@attack PVA 112, PVA 60 -> 0811", "@hwa PVA 112 -> 0811, 1 ASP"]
)
def test_the_last_word_on_an_attack_counts(slip: str) -> None:
    """Another hex, another unit, another type: nothing having been rolled, what is said again replaces it."""
    game = Game()

    def wrong_first(game: Game, phase: str) -> None:
        if phase == "Communist designation":
            game.say(slip)
            game.say("@attack PVA 112 -> 0811, 1 ASP")

    turn(game, wrong_first)
    judged, _ = game.judge()
    assert [one for one in judged.findings if one.verdict == Verdict.ILLEGAL] == []


def result(*events: Event, said: str = "NR") -> list[tuple[int, str]]:
    """A turn in which US 24 is driven from 0811 with these events; what is accused."""
    game = Game()

    def driven(game: Game, phase: str) -> None:
        if phase == "Communist assault":
            game.say(f"@result {said}")
            for event in events:
                game._do(event)

    turn(game, driven)
    judged, _ = game.judge()
    return [(one.step, one.check) for one in judged.findings if one.verdict == Verdict.ILLEGAL]


def drag(to: str | None, name: str = "US 24", origin: str = "0811") -> Event:
    return Moved(name, name, Place(MAIN, hex=origin), Place(MAIN, hex=to) if to else Place("Box"))


TIRED = Changed("US 24", "US 24", (("Step_Level", "1", "2"),))


def test_a_retreat_of_two_hexes() -> None:
    assert result(TIRED, drag("0813")) == []
    assert result(drag("0813"), TIRED) == []
    assert result(drag("0812"), drag("0813", origin="0812"), TIRED) == []
    assert result(TIRED, drag("0813"), drag("0811", "PVA 112", "0810")) == []  # and an advance


def test_retreats_and_losses_against_the_rules() -> None:
    assert [id for _, id in result(TIRED, drag("0814"))] == ["RET-DISTANCE"]
    assert [id for _, id in result(drag("0813"), said="D")] == ["RET-D-SURVIVES"]
    assert [id for _, id in result()] == ["RET-MISSING"]
    assert [id for _, id in result(TIRED, drag("0813"), drag("0811", "NKPA 5", "0609"))] != []


def test_a_die_called_out_for_infiltration() -> None:
    game = Game()
    for phase in PHASES[:4]:
        game.to(phase)
    game.say("@infiltrate PVA 58 -> 1112")
    game.roll(1)
    _, court = game.judge()
    assert [fact.who for fact in court.ledger.find("roll-infiltration")] == ["PVA 58"]
