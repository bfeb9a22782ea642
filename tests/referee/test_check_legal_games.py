"""Games played at random by the rules, by players who are careless about everything else: nobody is accused."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from field import Field
from forgetful import HABITS, AfterTheDie, AllBack, Habit, NoAttack, WrongCounter
from honest import Honest
from korean_battles_play import phase_words, write
from thorough import Thorough
from written_log import Paper

from referee.check import Checked, check
from referee.games.korean_battles import facts

BATTLES = ("chosin-few", "inchon-seoul", "pusan")
CLEAR = """
version: 1
name: clear
grid: {{columns: {0}, rows: {1}}}
complete: [hexsides, links]
default_terrain: {{kind: clear, source: {{person: a test}}}}
"""
PHASES = ("movement", "combat", "mobile-movement", "mobile-combat")
GAMES = int(os.environ.get("HEXREF_GAMES", "30"))
SEED = int(os.environ.get("HEXREF_SEED", "0"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("legal")
    for battle in BATTLES:
        write(where / f"{battle}.vmod", battle)
        grid = Field(battle).grid
        (where / f"{battle}.yaml").write_text(CLEAR.format(grid.columns, grid.rows), encoding="utf-8")
    return where


class Evening:
    """A game of two or three turns. Some players call out each phase, some click, some do neither."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.battle = BATTLES[seed % 3]
        self.habit = ("words", "clicks", "both", "little", "nothing")[seed // 3 % 5]
        self.field = self._set_up()
        self.paper = Paper(folder, self.battle, self.field.where, seed)
        self.honest = Honest(self.paper, self.field, self.dice, sloppy=self.dice.choice([0.0, 0.5, 1.0]))

    def _set_up(self) -> Field:
        field = Field(self.battle)
        middle = [hex for hex in field.grid.numbers if 2 < int(hex[:2]) < 15 and 2 < int(hex[2:]) < 15]
        sides: dict[str, list[str]] = {side: [] for side in field.scenario.sides}
        for unit in field.counters.values():
            if unit.kind not in ("depot", "cadre"):
                sides[unit.side].append(unit.name)
        names = [name for own in sides.values() for name in self.dice.sample(own, min(len(own), 9))]
        field.where = dict(zip(names, self.dice.sample(middle, len(names)), strict=True))
        return field

    def announce(self, side: str | None, phase: str) -> None:
        """A phase begins. Those who click do so late, early, or several clicks at once."""
        paper = self.paper
        if self.habit in ("clicks", "both") and self.dice.random() < 0.8:
            while tuple(paper.moments[paper.place_in_turn]) != (side, phase) or paper.turn_number != self.field.turn:
                paper.click()
        said = self.habit in ("words", "both") or (self.habit == "little" and self.dice.random() < 0.5)
        if said and phase not in ("support", "rebuild", "turn-end"):
            paper.say(f"@phase turn {self.field.turn} {phase_words(side, phase)}")

    def amid_movement(self, side: str, moved: set[str]) -> None:
        """Before the last move of a phase."""

    def play(self) -> None:
        honest = self.honest
        for turn in range(1, self.dice.randint(2, 3) + 1):
            self.field.turn = turn
            self.announce(None, "support")
            for side in self.field.scenario.sides:
                self.announce(side, "movement")
                moved = honest.movement(side)
                self.amid_movement(side, moved)
                self.announce(side, "combat")
                before = set(self.field.where)
                places = dict(self.field.where)
                honest.combat(side, set())
                shifted = {name for name in before if self.field.where.get(name) != places[name]}
                self.announce(side, "mobile-movement")
                honest.movement(side, mobile=True, moved=moved | shifted)
                self.announce(side, "mobile-combat")

    def judged(self, folder: Path, seed: int) -> Checked:
        log = self.paper.end(folder / f"{seed}.vlog")
        return check([log], f"{facts.GAME}/{self.battle}", map=folder / f"{self.battle}.yaml")[0]


class ByMail(Evening):
    """The same in several logs: one is sent off when a phase begins, or while a result waits for its owner."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self.folder = folder
        self.honest.pause = self.perhaps_send

    def perhaps_send(self) -> None:
        if self.dice.random() < 0.15:
            self.paper.next_log(self.folder / f"mail-{len(self.paper.logs)}.vlog")

    def announce(self, side: str | None, phase: str) -> None:
        self.perhaps_send()
        super().announce(side, phase)


@pytest.mark.parametrize("seed", range(SEED, SEED + GAMES))
def test_a_legal_game_by_mail(folder: Path, seed: int) -> None:
    evening = ByMail(folder, seed)
    evening.play()
    logs = [*evening.paper.logs, evening.paper.end(folder / "mail-last.vlog")]
    sheet = folder / f"{evening.battle}.yaml"
    for told in (check(logs, f"{facts.GAME}/{evening.battle}", map=sheet), [check([logs[0]], map=sheet)[0]]):
        assert [finding for one in told for finding in one.findings if finding.verdict == "illegal"] == []


@pytest.mark.parametrize("seed", range(SEED, SEED + GAMES))
def test_a_legal_game(folder: Path, seed: int) -> None:
    evening = Evening(folder, seed)
    evening.play()
    told = evening.judged(folder, seed)
    assert told.judged > 0
    assert [finding for finding in told.findings if finding.verdict == "illegal"] == []


TALK = (
    "mobile movement phase next?", "sorry, that was my combat phase", "turn 2 then?",
    "Ready for your movement phase...",
    "I go back to movement for a sec, forgot the HQ", "attack with everything on 0907, +2", "your combat phase", "Ex",
    "end of NK turn", "combat: 2-1", "differential +4, roll please", "that's a D2", "A2, I'll take the step loss", "6",
    "stiff resistance", "I retreat 3 hexes", "human wave with all", "support +3 for me", "bombarding 1010 with +6",
    "wait, that is not adjacent", "turn 3 combat phase?", "shouldn't this be Mobile Combat", "I pass", "De!!!",
    "rolled a 3 for the 1M attack", "5 to 3 so +2, hill so column 6", "next: 1/1M vs 0808", "no supply for you",
)  # fmt: skip


class Tracked(Evening):
    """Something happens on paper around each act of the players."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self.chance = random.Random(seed + 1)
        for verb in ("move", "roll", "flip"):
            setattr(self.paper, verb, partial(self.act, getattr(self.paper, verb)))

    def act(self, do: Callable[..., Any], *told: Any) -> Any:
        raise NotImplementedError


class Talkative(Tracked):
    """Players who talk about the game while they play it."""

    def act(self, do: Callable[..., Any], *told: Any) -> Any:
        for text in self.chance.sample(TALK, self.chance.choice((0, 0, 1, 2))):
            self.paper.say(text)
        return do(*told)


class Late(Tracked):
    """Every phase is called out, some after its first acts, some not at all."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self.honest.sloppy = 0.0
        self.wait, self.words = 0, ""

    def act(self, do: Callable[..., Any], *told: Any) -> Any:
        done = do(*told)
        self.wait -= 1
        if self.wait <= 0:
            self.speak()
        return done

    def speak(self) -> None:
        if self.words:
            self.paper.say(self.words)
        self.words = ""

    def announce(self, side: str | None, phase: str) -> None:
        if phase == "support":
            return
        self.speak()
        self.words = f"@phase turn {self.field.turn} {phase_words(side, phase)}"
        self.wait = self.chance.choice((0, 0, 1, 2, 3))
        if self.chance.random() < 0.15:
            self.words = ""
        if not self.wait:
            self.speak()


class Mistaken(Evening):
    """Every phase is called out, one of them by a wrong name; with its turn, with the turn at its start, or without."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self.chance = random.Random(seed + 1)
        self.right = self.chance.randint(0, 8)
        self.numbers = self.chance.choice(("always", "at its start", "never"))

    def announce(self, side: str | None, phase: str) -> None:
        if phase not in PHASES:
            return
        begins = side == self.field.scenario.sides[0] and phase == "movement"
        told = self.numbers == "always" or (begins and self.numbers == "at its start")
        if self.right == 0:
            others = [moment for moment in self.paper.moments if moment.phase in PHASES and moment != (side, phase)]
            side, phase = self.chance.choice(others)
        self.right -= 1
        self.paper.say(f"@phase {f'turn {self.field.turn} ' if told else ''}{phase_words(side, phase)}")


class LateClicks(Tracked):
    """The tracker is clicked after the first acts of a phase, or amid a combat, or several phases at once."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self.wait = 0
        self.coming: tuple[str | None, str, int] | None = None

    def act(self, do: Callable[..., Any], *told: Any) -> Any:
        done = do(*told)
        self.wait -= 1
        if self.wait <= 0:
            self.click()
        return done

    def click(self) -> None:
        paper = self.paper
        while self.coming not in (None, (*paper.moments[paper.place_in_turn], paper.turn_number)):
            paper.click()
        self.coming = None

    def announce(self, side: str | None, phase: str) -> None:
        self.coming = (side, phase, self.field.turn)
        self.wait = self.chance.choice((0, 0, 1, 2, 4))
        if not self.wait:
            self.click()


class LateAndSloppy(Late):
    """Words that come while a hand is still putting a drag right."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self.honest.sloppy = 0.5


@pytest.mark.parametrize("kind", [Talkative, Late, Mistaken, LateClicks, LateAndSloppy])
@pytest.mark.parametrize("seed", range(SEED, SEED + GAMES))
def test_a_legal_game_with_talk_and_words_that_are_late_or_wrong(folder: Path, seed: int, kind: type[Evening]) -> None:
    evening = kind(folder, seed)
    evening.play()
    assert [one for one in evening.judged(folder, seed).findings if one.verdict == "illegal"] == []


@pytest.mark.parametrize("seed", [209, 299, 336, 486, 530, 728, 848])
def test_a_result_or_a_move_just_before_its_phase_is_called_out(folder: Path, seed: int) -> None:
    """A retreat under a movement phase that was over, and a mobile move after the last combat: no proof of anything."""
    evening = Late(folder, seed)
    evening.play()
    assert [one for one in evening.judged(folder, seed).findings if one.verdict == "illegal"] == []


class Campaign(Evening):
    """Everything that a player turn may have in it: arrivals, bombardment, human waves, mobile combat, rebuilding."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.battle = BATTLES[seed % 3]
        self.habit = ("words", "words", "both", "little", "nothing")[seed // 3 % 5]
        self.field = self._set_up()
        names = [line.id for line in self.field.scenario.units]
        self.waiting = {
            line.id
            for line in self.field.scenario.units
            if line.turn is not None and line.id not in self.field.where and names.count(line.id) == 1
        } - {name for name, unit in self.field.counters.items() if unit.kind in ("depot", "cadre")}
        laid = {**self.field.where, **dict.fromkeys(sorted(self.waiting & set(self.field.counters)))}
        self.paper = Paper(folder, self.battle, laid, seed)
        self.player = Thorough(self.paper, self.field, self.dice, sloppy=self.dice.choice([0.0, 0.0, 0.5]))

    def play(self) -> None:
        player = self.player
        for turn in range(1, self.dice.randint(3, 5)):
            self.field.turn = turn
            player.shelled.clear()
            self.announce(None, "support")
            for side in self.field.scenario.sides:
                player.fought.clear()
                player.done.clear()
                self.announce(side, "movement")
                moved = player.movement(side) | player.arrive(side, self.waiting)
                self.announce(side, "combat")
                player.bombard(side)
                player.combat(side, set())
                self.announce(side, "mobile-movement")
                player.movement(side, mobile=True, moved=moved | player.done)
                self.announce(side, "mobile-combat")
                player.combat(side, player.fought | player.done, mobile=True)
                if self.field.scenario.rules["rebuild"]:
                    player.rebuild(side)


@pytest.mark.parametrize("seed", range(SEED, SEED + GAMES))
def test_a_legal_campaign(folder: Path, seed: int) -> None:
    """With the map and without it."""
    evening = Campaign(folder, seed)
    evening.play()
    assert [one for one in evening.judged(folder, seed).findings if one.verdict == "illegal"] == []
    told = check([folder / f"{seed}.vlog"], f"{facts.GAME}/{evening.battle}")[0]
    assert [one for one in told.findings if one.verdict == "illegal"] == []


class MistakenCampaign(Campaign):
    """One phase is called out by a wrong name."""

    announce = Mistaken.announce

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self.chance = random.Random(seed + 1)
        self.right = self.chance.randint(0, 8)
        self.numbers = self.chance.choice(("always", "at its start", "never"))


class LateCampaign(Campaign):
    """Phases are called out after their first acts, or amid a combat, or not at all."""

    act, speak, announce = Late.act, Late.speak, Late.announce

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self.chance = random.Random(seed + 1)
        self.wait, self.words = 0, ""
        for verb in ("move", "roll", "flip"):
            setattr(self.paper, verb, partial(self.act, getattr(self.paper, verb)))


class ClickedCampaign(Campaign):
    """The tracker is clicked late, several phases at once, or between a die and its result."""

    act, click, announce = LateClicks.act, LateClicks.click, LateClicks.announce

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self.chance = random.Random(seed + 1)
        self.wait = 0
        self.coming: tuple[str | None, str, int] | None = None
        for verb in ("move", "roll", "flip"):
            setattr(self.paper, verb, partial(self.act, getattr(self.paper, verb)))


@pytest.mark.parametrize("kind", [MistakenCampaign, LateCampaign, ClickedCampaign])
@pytest.mark.parametrize("seed", range(SEED, SEED + GAMES))
def test_a_legal_campaign_by_careless_players(folder: Path, seed: int, kind: type[Campaign]) -> None:
    evening = kind(folder, seed)
    evening.play()
    assert [one for one in evening.judged(folder, seed).findings if one.verdict == "illegal"] == []


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        (LateCampaign, 191), (LateCampaign, 4052), (LateCampaign, 9053), (LateCampaign, 14066), (LateCampaign, 20039),
        (LateCampaign, 40034), (ClickedCampaign, 20018), (MistakenCampaign, 100), (MistakenCampaign, 144),
        (MistakenCampaign, 1084),
    ],
)  # fmt: skip
def test_campaigns_in_which_somebody_was_accused_once(folder: Path, seed: int, kind: type[Campaign]) -> None:
    test_a_legal_campaign_by_careless_players(folder, seed, kind)


@pytest.mark.parametrize(
    ("kind", "habit"),
    [
        *((kind, habit) for kind in (Evening, Campaign) for habit in HABITS),
        *((LateCampaign, habit) for habit in (NoAttack, AfterTheDie, WrongCounter, AllBack)),
    ],
)
@pytest.mark.parametrize("seed", range(SEED, SEED + GAMES // 3))
def test_a_legal_game_with_call_outs_forgotten_or_late(
    folder: Path, seed: int, kind: type[Evening], habit: type[Habit]
) -> None:
    evening = kind(folder, seed)
    habit(evening, seed)
    evening.play()
    assert [one for one in evening.judged(folder, seed).findings if one.verdict == "illegal"] == []


def test_campaigns_have_everything_in_them(folder: Path) -> None:
    acts: set[str] = set()
    for seed in range(30):
        evening = Campaign(folder, seed)
        evening.play()
        acts |= evening.player.acts
    assert acts == {"arrival", "bombardment", "human wave", "advance", "mobile combat", "rebuild"}


class OneFoul(Evening):
    """The same, with one breach of the rules among the moves."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self.planted: tuple[int, str] | None = None
        self.when = (self.dice.randint(1, 2), self.dice.choice(self.field.scenario.sides))

    def amid_movement(self, side: str, moved: set[str]) -> None:
        if (self.field.turn, side) != self.when:
            return
        field, grid = self.field, self.field.grid
        foe = self.dice.random() < 0.4
        still = [one.name for one in field.units(field.enemy(side) if foe else side) if one.name not in moved]
        if not still:
            return
        unit = self.dice.choice(still)
        least = 5 if foe else 2 * field.counters[unit].reach + 1
        free = [hex for hex in grid.numbers if grid.distance(field.where[unit], hex) == least and not field.at(hex)]
        if not free:
            return
        field.put(unit, self.dice.choice(free))
        step = self.paper.move(unit, field.where[unit])
        moved.add(unit)
        self.planted = (step, "SEQ-MOVE-WRONG-PLAYER" if foe else "MOVE-DIST-BOUND")
        for own in field.units(side):
            paths = field.paths(own.name)
            if own.name not in (unit, *moved) and not own.kind and paths:
                self.honest.go(own.name, min(paths))
                moved.add(own.name)
                break


@pytest.mark.parametrize("seed", range(SEED, SEED + GAMES))
def test_one_breach_among_legal_moves(folder: Path, seed: int) -> None:
    """It is found where the phases are called out, and nobody else is accused in any case."""
    evening = OneFoul(folder, seed)
    evening.play()
    told = evening.judged(folder, seed)
    accused = {(finding.step, finding.check) for finding in told.findings if finding.verdict == "illegal"}
    steps = {step for step, _ in accused}
    assert steps <= ({evening.planted[0]} if evening.planted else set())
    if evening.planted and (evening.habit in ("words", "both") or evening.planted[1] == "MOVE-DIST-BOUND"):
        assert evening.planted in accused
