"""An evening of Yalu: two turns played by the rules at random, by players who tell much, little, late or nothing."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

from yalu_honest import COM, DRM, INFILTRATION, PORT, RAIL_ROW, SEA_FROM, SURPRISE, UN, Log, Man, Table, odds, pieces

from referee.games.yalu import facts
from referee.games.yalu.logs import LOGS
from referee.logs.judging import judge_log, open_log
from referee.table.acts import Step
from referee.table.binding import Piece
from referee.table.events import Changed, Chat, Moved
from referee.verdict import Judged

HABITS = ("words", "clicks", "both", "little", "nothing", "late", "late-clicks")
TALK = (
    "your move", "combat phase?", "I attack with everything on 0907", "ok 2-1", "that's a D", "movement phase next?",
    "Turn 3 then?", "PVA turn over", "end of turn", "un movement done", "assault: 3-1, +1", "bug out?", "6!",
    "retreat 2 hexes", "designate your attacks", "defensive fire?", "supply phase: all fine", "Dec II", "weather is SO",
    "wait, undo that", "@ hm", "@attack nobody", "@fire", "firing on 0907 at 3-1 odds",
)  # fmt: skip
WAITING = ("PVA 150", "ROK 8", "US 24")


class Evening:
    """Two players who know the rules."""

    def __init__(self, seed: int, edition: str) -> None:
        self.dice = random.Random(seed)
        self.edition = edition
        self.habit = HABITS[seed % len(HABITS)]
        self.known = self.dice.random() < 0.8  # the referee has the map
        self.sloppy = self.dice.choice((0.0, 0.3, 1.0))
        self.table = Table(edition, self.dice)
        self.log = Log()
        self.names = facts.turn_names(edition)
        self.first = self.dice.choice((1, 1, 2, 4, 7, 12))
        self.turn = self.first
        self.asp = self.dice.randint(3, 12)
        self.busy: set[str] = set()  # Regrouping, or spent this phase
        self.words: list[str] = []  # call-outs that are still to come
        self.wait = 0
        self._set_up()
        self.opening = pieces(self.table)

    def _set_up(self) -> None:
        table = self.table
        for man in table.men.values():
            if man.name in WAITING:
                continue
            north = man.side == COM
            if man.kind == "naval":
                man.hex = f"{SEA_FROM:02d}{self.dice.randint(3, 14):02d}"
                continue
            while man.hex is None:
                rows = (2, 9) if north else (7, 15)
                hex = f"{self.dice.randint(2, SEA_FROM - 1):02d}{self.dice.randint(*rows):02d}"
                if man.kind == "artillery":
                    hex = next(one.hex for one in table.here(UN) if one.hex)
                taken = table.at(hex, table.foe(man.side)) or (man.kind == "guerrilla" and table.at(hex))
                if table.land(hex) and not taken and table.room(hex, [man]):
                    man.hex = hex
            if not man.kind and self.dice.random() < 0.1:
                man.tired = True

    # --- telling

    def announce(self, side: str | None, phase: str) -> None:
        name = self.names[self.turn - 1]
        words = f"{side or ''} {phase.replace('-', ' ')}".strip()
        self.speak()
        clicks = self.habit in ("clicks", "both") or (self.habit == "late-clicks" and self.dice.random() < 0.5)
        if clicks:
            self.log.click(name, words.title())
        if self.habit in ("words", "both") or (self.habit == "little" and self.dice.random() < 0.5):
            if self.dice.random() < 0.05 * self.sloppy:
                self.log.say(f"@phase {name} {'UN' if side == COM else 'Communist'} movement")  # a slip
            self.log.say(f"@phase {name} {words}")
        elif self.habit == "late":
            self.words = [f"@phase {name} {words}"]
            self.wait = self.dice.choice((0, 0, 1, 2))
            if self.dice.random() < 0.1:
                self.words = []
            if not self.wait:
                self.speak()

    def speak(self) -> None:
        for text in self.words:
            self.log.say(text)
        self.words = []

    def done(self) -> None:
        """After an act: a call-out that waited may come."""
        self.wait -= 1
        if self.wait <= 0:
            self.speak()

    def call(self, text: str) -> bool:
        """A call-out of an act, if these players make any."""
        chance = {"words": 1.0, "both": 1.0, "late": 0.9, "little": 0.5, "clicks": 0.5, "late-clicks": 0.2}
        if self.dice.random() < chance.get(self.habit, 0.0) and (not self.sloppy or self.dice.random() < 0.8):
            self.log.say(text)
            return True
        return False

    def d6(self, count: int = 1) -> list[int]:
        return [self.dice.randint(1, 6) for _ in range(count)]

    # --- doing

    def go(self, man: Man, hex: str | None, path: list[str] | None = None) -> None:
        """A drag, or several."""
        if path and len(path) > 2 and self.dice.random() < 0.3:
            for stop in path[1:]:
                self.log.move(man, stop)
        else:
            if self.dice.random() < 0.1 * self.sloppy and man.hex and hex:  # dropped in the wrong place
                wrong = self.dice.choice(list(self.table.grid.neighbours(hex)))
                if wrong != man.hex:
                    self.log.move(man, wrong)
            self.log.move(man, hex)
        self.done()

    def tire(self, man: Man) -> None:
        self.log.turn(man, True)
        self.done()

    def kill(self, man: Man) -> None:
        self.log.move(man, None)
        man.tired = False
        self.done()

    # --- phases

    def play(self) -> None:
        for turn in range(self.first, self.first + self.dice.choice((1, 2))):
            self.turn = turn
            for side, phase in facts.moments(self.edition):
                if turn == 1 and phase in ("weather", "supply"):
                    continue
                self.announce(side, phase)
                self.busy = set() if phase in ("movement", "supply", "bombardment") else self.busy
                act = getattr(self, f"in_{phase.replace('-', '_')}", None)
                if act is not None:
                    act(side)
        self.speak()

    def in_weather(self, side: str | None) -> None:
        self.call("@weatherroll")
        self.log.roll(*self.d6())
        self.call("@weather SO")
        self.done()

    def in_reinforcement(self, side: str) -> None:
        table = self.table
        if side == COM:
            more = 12 if self.turn == 1 and self.edition == "deluxe" else self.dice.randint(2, 6)
            self.asp = more if self.turn == 1 else self.asp + more
            self.call(f"@asp {self.asp}")
        elif self.turn >= facts.dated(self.edition, 4) and self.edition == "deluxe" and self.turn < self.first + 1:
            self.call("@ridgway")
            self.log.roll(self.dice.randint(1, 5))
        for name in WAITING:
            man = table.men[name]
            place = {"PVA 150": f"{self.dice.randint(2, 10):02d}01", "ROK 8": "0816", "US 24": "0717"}[name]
            if man.side != side or man.hex or man.name in self.busy or not table.land(place):
                continue
            if table.room(place, [man]) and not table.held(place, side) and self.dice.random() < 0.7:
                self.go(man, place)
                self.busy.add(name)

    def in_movement(self, side: str) -> None:
        table = self.table
        rails = 0
        for man in self.dice.sample(table.here(side), len(table.here(side))):
            if man.tired and self.dice.random() < 0.5:
                self.regroup(man)
                continue
            if man.name in self.busy or self.dice.random() < 0.3:
                continue
            if rails < 2 and self.rail(man):
                rails += 1
                continue
            if man.side == UN and man.hex == PORT and self.dice.random() < 0.3:
                if self.habit in ("words", "both"):
                    self.log.say(f"@sea {man.name}")
                self.go(man, None)
                continue
            self.march(man)
        self.guerrillas(side)

    def march(self, man: Man, spent: int = 0) -> None:
        table = self.table
        ways = {hex: way for hex, way in table.reach(man).items() if way[0] + spent <= man.move}
        if man.side == UN:
            ways = {hex: way for hex, way in ways.items() if table.room(hex, [man])}
        if not ways:
            return
        start, hex = man.hex, self.dice.choice(sorted(ways))
        cost, path = ways[hex]
        assert start
        self.go(man, hex, path)
        direct = table.zone(start, man.side) and len(path) == 2
        left = man.move - spent - cost
        while man.side == COM and table.zone(hex, COM) and not direct and self.dice.random() < 0.6:
            goals = [
                there
                for there in table.grid.neighbours(hex)
                if table.land(there) and not table.held(there, COM) and table.room(there, [man])
                and table.pay(man, hex, there) <= left
            ]  # fmt: skip
            if not goals:
                return
            goal = self.dice.choice(goals)
            die = self.dice.randint(1, 6)
            left -= table.pay(man, hex, goal)
            self.call(f"@infiltrate {man.name} -> {goal}")
            self.log.roll(die)
            if die > INFILTRATION[table.ground[hex]]:
                return
            self.go(man, goal)
            hex = goal

    def regroup(self, man: Man) -> None:
        self.busy.add(man.name)
        if self.edition == "deluxe":
            return  # a marker: the check comes in the morale phase
        if man.side == COM or not self.table.zone(man.hex or "", UN):
            self.log.turn(man, False)
            if man.side == COM and self.dice.random() < 0.5:
                self.march(man, 3)

    def rail(self, man: Man) -> bool:
        table = self.table
        row = f"{RAIL_ROW:02d}"
        if not man.hex or man.hex[2:] != row or man.size != "division" or self.dice.random() < 0.3:
            return False

        def free(hex: str) -> bool:
            near = [one for other in table.grid.neighbours(hex) for one in table.at(other, table.foe(man.side))]
            barred = any(one.kind not in ("guerrilla", "naval") for one in near) or table.zone(hex, man.side)
            full = man.side == COM and not table.room(hex, [man])
            return not barred and not full and not table.held(hex, man.side)

        column, step = int(man.hex[:2]), self.dice.choice((1, -1))
        goal, limit = man.hex, 12 if man.side == COM else 24
        if not free(goal):
            return False
        for at in range(column + step, column + step * limit, step):
            hex = f"{at:02d}{row}"
            if not 1 <= at < SEA_FROM or not free(hex):
                break
            goal = hex
        if goal == man.hex or not table.room(goal, [man]):
            return False
        self.go(man, goal)
        return True

    def guerrillas(self, side: str) -> None:
        table = self.table
        for man in table.men.values():
            if man.kind != "guerrilla" or side != COM or not man.hex or self.dice.random() < 0.4:
                continue
            goals = [
                hex for hex in table.grid.neighbours(man.hex)
                if table.land(hex) and not table.at(hex) and (table.deluxe or not table.zone(hex, COM))
            ]  # fmt: skip
            if goals:
                self.go(man, self.dice.choice(goals))

    def in_bugout(self, side: str) -> None:
        table = self.table
        if self.turn == 1:
            return
        left: list[str] = []
        for man in table.here(UN):
            sized = man.size != "battalion" or self.edition == "classic"
            if man.tired or man.nation == "ROK" or not sized or not table.zone(man.hex or "", UN):
                continue
            if self.dice.random() < 0.8:
                continue
            ways = {hex: way for hex, way in table.reach(man).items() if self.spends_all(man, hex, *way)}
            if ways and man.hex:
                left.append(man.hex)
                hex = self.dice.choice(sorted(ways))
                self.go(man, hex, ways[hex][1])
                self.tire(man)
        for hex in left:
            self.advance(hex, [one for near in table.grid.neighbours(hex) for one in table.at(near, COM)])

    def spends_all(self, man: Man, hex: str, cost: Fraction, path: list[str]) -> bool:
        """A Bug-out that meets no zone of control and leaves no point for another hex."""
        table = self.table
        further = min(table.pay(man, hex, on) for on in table.grid.neighbours(hex) if table.land(on))
        shot_at = any(table.zone(over, UN) for over in path[1:])
        return table.room(hex, [man]) and not shot_at and further > man.move - cost

    def advance(self, hex: str, who: list[Man]) -> None:
        table = self.table
        if table.at(hex, table.foe(who[0].side) if who else None) or not who:
            return
        for man in who:
            if not man.kind and not man.tired and man.hex and table.room(hex, [man]) and self.dice.random() < 0.5:
                self.go(man, hex)

    # --- combat

    def in_designation(self, side: str) -> None:
        table = self.table
        self.attacks: dict[str, list[Man]] = {}
        self.kinds: dict[str, str] = {}
        self.surprised: set[str] = set()
        for man in table.here(side):
            goals = [hex for hex in table.grid.neighbours(man.hex or "") if self.targets(hex, side)]
            if man.tired or man.name in self.busy or not goals or self.dice.random() < 0.3:
                continue
            self.attacks.setdefault(self.dice.choice(goals), []).append(man)
        for hex, men in self.attacks.items():
            self.designate(hex, men, side)
        if side != COM or self.turn > (5 if table.deluxe else 1):
            return
        for hex in self.attacks:
            for man in self.targets(hex, COM):
                if self.kinds[hex] != "hwa":
                    die = self.dice.randint(1, 6)
                    self.call(f"@surprise {man.name}")
                    self.log.roll(die)
                    if die + self.turn - 1 <= SURPRISE[man.nation]:
                        self.surprised.add(man.name)
                    self.done()

    def targets(self, hex: str, side: str) -> list[Man]:
        return [man for man in self.table.at(hex, self.table.foe(side)) if not man.kind]

    def designate(self, hex: str, men: list[Man], side: str) -> None:
        self.kinds[hex] = "supplied"
        terms = ""
        if side == COM:
            cost = self.table.zone_cost(hex)
            wave = self.dice.random() < 0.15 and self.asp >= cost
            self.kinds[hex] = "hwa" if wave else "supplied" if self.asp >= cost else "unsupplied"
            self.asp -= cost if self.asp >= cost else 0
            terms = ", unsupplied" if self.kinds[hex] == "unsupplied" else f", {cost} ASP"
        verb = "hwa" if self.kinds[hex] == "hwa" else "attack"
        if self.dice.random() < 0.15 * self.sloppy and verb == "attack":
            wrong = [man for man in men if self.dice.random() < 0.5] or men
            if self.call(f"@attack {', '.join(man.name for man in wrong)} -> {hex}{terms}"):  # and then said in full
                self.log.say(f"@attack {', '.join(man.name for man in men)} -> {hex}{terms}")
        self.call(f"@{verb} {', '.join(man.name for man in men)} -> {hex}{terms}")
        if side == COM:
            self.call(f"@asp {self.asp}")
        self.done()

    def in_defensive_fire(self, side: str) -> None:
        table = self.table
        for hex, men in self.attacks.items():
            able = [man for man in self.targets(hex, side) if man.name not in self.surprised]
            if self.kinds[hex] == "hwa":
                able = [man for man in able if man.name in ("27 BC", "29 Br")] if table.deluxe else []
            foes = [man for man in men if man.hex]
            if not able or not foes or self.dice.random() < 0.4:
                continue
            place = self.dice.choice(foes).hex
            shot = [man for man in foes if man.hex == place]
            if self.dice.random() < 0.3:
                shot = [self.dice.choice(shot)]
            self.fire("defend", able, shot, str(place), side, self.kinds[hex])

    def in_assault(self, side: str) -> None:
        for hex, men in self.attacks.items():
            able = [man for man in men if man.hex and not man.tired]
            shot = self.targets(hex, side)
            if not able or not shot:
                continue
            if self.dice.random() < 0.3 and self.kinds[hex] != "hwa":  # at one of the stack
                shot = [self.dice.choice(shot)]
            self.fire("fire", able, shot, hex, side, self.kinds[hex])
            if self.kinds[hex] == "hwa":
                for man in able:
                    self.kill(man)
            elif not self.table.at(hex, self.table.foe(side)):
                self.advance(hex, able)

    def fire(self, verb: str, men: list[Man], shot: list[Man], hex: str, phasing: str, kind: str) -> None:
        table = self.table
        assault = verb == "fire"
        rate = Fraction(1)
        if kind == "unsupplied" and phasing == COM and table.deluxe:
            rate = Fraction(1, 2)
        firing = sum((Fraction(man.factor) for man in men), Fraction()) * (rate if assault else 1)
        firing *= 2 if assault and kind == "hwa" else 1
        hit = sum((Fraction(man.factor) for man in shot), Fraction()) * (1 if assault else rate)
        value = firing / hit
        if not table.deluxe and value < Fraction(1, 6):
            return
        if not table.deluxe and kind == "unsupplied" and assault and phasing == COM:
            value = min(value, Fraction(1, 2))
        column = odds(value)
        named = self.call(f"@{verb} {', '.join(man.name for man in men)} -> {hex}")
        if named:
            if self.dice.random() < 0.2 * self.sloppy:
                self.call("@odds 8-1")  # put right at once
                self.log.say(f"@odds {column}")
            else:
                self.call(f"@odds {column}")
        unharmed = assault and all(man.name in self.surprised for man in shot)
        drm = 0 if unharmed else terrain_drm(table, verb, hex)
        if men[0].side == UN and any(one.kind == "artillery" for man in men for one in table.at(man.hex or "")):
            drm -= 1  # nobody says so
        dice = self.d6(2)
        self.log.roll(*dice)
        code = table.cell(column, sum(dice) + drm)
        if named:
            self.call(f"@result {code}")
        self.done()
        self.apply(code, shot, phasing)

    def apply(self, code: str, shot: list[Man], phasing: str) -> None:
        away = {man.name for man in shot}
        if code == "-":
            return
        for man in shot:
            goals = self.table.retreats(man, away, phasing)
            if code == "D" or man.tired or not goals:
                self.kill(man)
                continue
            first = self.dice.random() < 0.5
            if first:
                self.tire(man)
            self.go(man, self.dice.choice(goals))
            if not first:
                self.tire(man)
        for man in list(self.table.men.values()):  # a support dies with its stack, or goes with it
            if man.kind == "artillery" and man.hex and not any(not one.kind for one in self.table.at(man.hex, UN)):
                self.kill(man)

    def in_morale(self, side: str) -> None:
        for man in self.table.here(side):
            if man.tired and man.name in self.busy and self.edition == "deluxe":
                self.call(f"@regroup {man.name}")
                dice = self.d6(2)
                self.log.roll(*dice)
                if sum(dice) <= 7:
                    self.log.turn(man, False)
                self.done()

    def in_bombardment(self, side: str) -> None:
        table = self.table
        ship = table.men["Cruiser"]
        if self.dice.random() < 0.5:
            self.go(ship, f"{SEA_FROM:02d}{self.dice.randint(3, 14):02d}")
        near = [man for man in table.here(COM) if man.hex and table.grid.distance(ship.hex or "", man.hex) <= 2]
        if near and self.dice.random() < 0.7:
            hex = self.dice.choice(near).hex
            self.call(f"@bombard Cruiser -> {hex}")
            struck = [man for man in table.at(hex or "", COM) if not man.kind]
            self.log.roll(*self.d6(len(struck)))
            for man in struck:
                if self.dice.random() < 0.3:
                    self.kill(man) if man.tired else self.tire(man)
            self.done()

    # --- judging

    def judged(self, opening: list[Piece] | None = None, steps: list[Step] | None = None) -> Judged:
        laid = self.opening if opening is None else opening
        court = open_log(LOGS, self.edition, laid, self.table.map_file(self.known), self.table.charts())
        return judge_log(LOGS, court, self.log.steps if steps is None else steps)

    def talked_over(self) -> list[Step]:
        """The log with talk between its steps."""
        said: list[Step] = []
        for step in self.log.steps:
            if self.dice.random() < 0.3:
                said.append(Step(len(said) + 1, (Chat(f"<Bob> - {self.dice.choice(TALK)}", "Bob"),)))
            said.append(Step(len(said) + 1, step.events))
        return said

    def split(self) -> tuple[list[Step], list[Piece], list[Step]]:
        """The log cut in two anywhere: the first part, and the table and the steps of the second."""
        at = self.dice.randrange(len(self.log.steps))
        table = {piece.id: piece for piece in self.opening}
        for step in self.log.steps[:at]:
            for event in step.events:
                if isinstance(event, Moved):
                    table[event.piece] = replace(table[event.piece], place=event.to)
                elif isinstance(event, Changed):
                    shown = {name: new for name, _, new in event.properties}
                    own = table[event.piece]
                    table[event.piece] = replace(own, properties={**own.properties, **shown})
        rest = [Step(number, step.events) for number, step in enumerate(self.log.steps[at:], 1)]
        return self.log.steps[:at], list(table.values()), rest


def terrain_drm(table: Table, verb: str, hex: str) -> int:
    """What the ground of those fired at adds to the dice."""
    return DRM["assault" if verb == "fire" else "defensive"][table.ground[hex]]
