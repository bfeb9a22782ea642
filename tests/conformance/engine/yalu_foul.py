"""An evening of Yalu with one breach of the rules in it."""

from __future__ import annotations

from yalu_evening import Evening
from yalu_honest import COM, COST, INFILTRATION, RAIL_ROW, ROAD_ROW, UN, Man

KINDS = (
    "MOVE-MP", "SEQ-MOVE-OUTSIDE", "STACK-ENEMY", "MOVE-ZOC-CONTINUE", "INF-RESULT", "NAV-MOVE-PHASE", "CBT-ADJACENT",
    "CBT-FIRE-TWICE", "CBT-ODDS", "RET-DISTANCE", "RET-MISSING", "RET-D-SURVIVES", "HWA-SURVIVOR", "ADV-WHO",
)  # fmt: skip


class Foul(Evening):
    """The first occasion is taken."""

    def __init__(self, seed: int, edition: str, kind: str) -> None:
        super().__init__(seed, edition)
        self.kind = kind
        self.planted: int | None = None
        self.own = self.dice.choice((COM, UN))

    @property
    def free(self) -> bool:
        return self.planted is None

    def plant(self, step: int) -> None:
        self.planted = step

    def still(self, side: str) -> list[Man]:
        """Units that did not move, away from roads and rails."""
        busy = {event.piece for step in self.log.steps[-60:] for event in step.events if event.type == "moved"}
        rows = {f"{RAIL_ROW:02d}", f"{ROAD_ROW:02d}"}
        busy |= self.busy
        return [man for man in self.table.here(side) if man.name not in busy and man.hex and man.hex[2:] not in rows]

    def in_movement(self, side: str) -> None:
        super().in_movement(side)
        if self.free and self.kind in (
            "MOVE-MP",
            "STACK-ENEMY",
            "SEQ-MOVE-OUTSIDE",
            "NAV-MOVE-PHASE",
            "MOVE-ZOC-CONTINUE",
        ):
            getattr(self, "foul_" + self.kind.lower().replace("-", "_"))(side)
            if not self.free:
                for man in self.still(side)[:2]:
                    self.march(man)

    def foul_move_mp(self, side: str) -> None:
        table = self.table
        for man in self.still(side):
            far = [
                hex for hex in table.grid.numbers
                if table.grid.distance(hex, man.hex or hex) in (7, 8, 9) and table.land(hex) and not table.at(hex)
                and int(hex[2:]) < ROAD_ROW - 1 and int(man.hex[2:] if man.hex else 0) < ROAD_ROW - 1
                and hex[2:] != f"{RAIL_ROW:02d}"
            ]  # fmt: skip
            if far:
                return self.plant(self.log.move(man, self.dice.choice(far)))

    def foul_stack_enemy(self, side: str) -> None:
        for man in self.still(side):
            foes = [hex for hex in self.table.grid.neighbours(man.hex or "") if self.table.held(hex, side)]
            if foes:
                return self.plant(self.log.move(man, foes[0]))

    def foul_seq_move_outside(self, side: str) -> None:
        table = self.table
        foe = table.foe(side)
        for man in self.still(foe):
            far = [
                hex for hex in table.grid.numbers
                if table.grid.distance(hex, man.hex or hex) == 4 and table.land(hex) and not table.at(hex)
            ]  # fmt: skip
            if far and not table.zone(man.hex or "", foe):
                return self.plant(self.log.move(man, self.dice.choice(far)))

    def foul_nav_move_phase(self, side: str) -> None:
        ship = self.table.men["Cruiser"]
        self.plant(self.log.move(ship, "1602" if ship.hex != "1602" else "1603"))

    def foul_move_zoc_continue(self, side: str) -> None:
        table = self.table
        for man in self.still(UN) if side == UN else ():
            for over in table.grid.neighbours(man.hex or ""):
                if not table.zone(over, UN) or table.zone(man.hex or "", UN) or not table.land(over) or table.at(over):
                    continue
                for goal in table.grid.neighbours(over):
                    cheap = (
                        table.land(over)
                        and table.land(goal)
                        and COST[table.ground[over]] + COST[table.ground[goal]] <= 4
                    )
                    if cheap and not table.at(goal) and goal != man.hex and goal not in table.reach(man):
                        self.log.move(man, over)
                        return self.plant(self.log.move(man, goal))

    def march(self, man: Man, spent: int = 0) -> None:
        if self.kind != "INF-RESULT" or not self.free or man.side != COM or spent:
            return super().march(man, spent)
        table = self.table
        for hex, (cost, _) in table.reach(man).items():
            start = man.hex or ""
            if not table.zone(hex, COM) or table.zone(start, COM) or cost > man.move - 3:
                continue
            for goal in table.grid.neighbours(hex):
                if table.land(goal) and not table.at(goal) and table.pay(man, hex, goal) + cost <= man.move:
                    self.log.move(man, hex)
                    if self.call(f"@infiltrate {man.name} -> {goal}"):
                        self.log.roll(INFILTRATION[table.ground[hex]] + 1)
                        self.plant(self.log.move(man, goal))
                    return None
        return super().march(man, spent)

    # --- combat

    def designate(self, hex: str, men: list[Man], side: str) -> None:
        super().designate(hex, men, side)
        if self.kind == "CBT-ADJACENT" and self.free:
            for man in self.table.here(side):
                idle = (
                    not man.tired and man.name not in self.busy and not any(man in men for men in self.attacks.values())
                )
                if idle and man.hex and self.table.grid.distance(man.hex, hex) > 2:
                    return self.plant(self.log.say(f"@attack {man.name} -> {hex}"))

    def fire(self, verb: str, men: list[Man], shot: list[Man], hex: str, phasing: str, kind: str) -> None:
        before = len(self.log.steps)
        super().fire(verb, men, shot, hex, phasing, kind)
        called = any(
            "@" + verb in getattr(event, "text", "") for step in self.log.steps[before:] for event in step.events
        )
        if not self.free or not called:
            return
        if self.kind == "CBT-FIRE-TWICE":
            here = [man for man in self.table.at(hex, self.table.foe(men[0].side)) if not man.kind]
            if here and all(man.hex and hex in self.table.grid.neighbours(man.hex) for man in men):
                self.plant(self.log.say(f"@{verb} {', '.join(man.name for man in men)} -> {hex}"))
                self.log.roll(6, 6)
        if self.kind == "CBT-ODDS" and verb == "fire":
            self.plant(self.log.say("@odds 8-1"))

    def apply(self, code: str, shot: list[Man], phasing: str) -> None:
        alone = len(shot) == 1 and len([man for man in self.table.at(shot[0].hex or "") if not man.kind]) == 1
        said = any("@result" in getattr(event, "text", "") for event in self.log.steps[-1].events)
        if not self.free or not alone or not said or shot[0].tired:
            return super().apply(code, shot, phasing)
        if (self.kind == "RET-MISSING" and code == "NR") or (self.kind == "RET-D-SURVIVES" and code == "D"):
            return self.plant(0)
        if self.kind == "RET-DISTANCE" and code == "NR":
            man = shot[0]
            near = [hex for hex in self.table.grid.numbers if self.table.grid.distance(hex, man.hex or hex) == 3]
            far = [hex for hex in near if self.table.land(hex) and not self.table.at(hex)]
            if far:
                self.log.turn(man, True)
                return self.plant(self.log.move(man, self.dice.choice(far)))
        return super().apply(code, shot, phasing)

    def kill(self, man: Man) -> None:
        wave = any(man in men and self.kinds.get(hex) == "hwa" for hex, men in getattr(self, "attacks", {}).items())
        if self.kind == "HWA-SURVIVOR" and self.free and wave and not man.tired and man.side == COM:
            return self.plant(0)
        return super().kill(man)

    def advance(self, hex: str, who: list[Man]) -> None:
        super().advance(hex, who)
        if self.kind != "ADV-WHO" or not self.free or not who or self.table.at(hex, self.table.foe(who[0].side)):
            return
        for near in self.table.grid.neighbours(hex):
            for man in self.table.at(near, who[0].side):
                if not man.kind and man not in who and self.table.room(hex, [man]):
                    return self.plant(self.log.move(man, hex))
