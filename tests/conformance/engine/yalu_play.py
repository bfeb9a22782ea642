"""Two turns of Yalu at the real engine's table, with everything in them; where asked, breaches are planted."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from engine import Engine
from korean_battles_play import Table

from converter.vassal.module import read_module
from referee.games.yalu import facts

MAP = """
version: 1
name: clear
game: yalu
grid: {columns: 27, rows: 37}
complete: [hexsides, links]
default_terrain: {kind: clear, source: {person: a test}}
terrain:
  - {kind: full-sea, source: {person: a test}, hexes: ["2710", "2711", "2712", "2713", "2714", "2715"]}
links:
  - {kind: rail, source: {person: a test}, path: [%s]}
"""
OFF = "Off-map"
RAIL = [f"{column:02d}30" for column in range(1, 27)]
SETUP = {
    "PVA 58": "1010", "PVA 59": "1010", "PVA 60": "1010", "PVA 112": "0808", "PVA 113": "0808", "PVA 124": "0606",
    "PVA 125": "0604", "PVA 148": "0406", "ROK 8": "1014", "ROK 7": "1216", "ROK 1": "1418", "US 2": "0811",
    "US 7": "1822", "27 BC": "2020", "29 Br": "2024", "3/31/7": "2422", "1/32/7": "2402", "PVA 149": "1410",
    "PVA 198": "2203", "17/7": "2204", "PVA 116": "2211", "32/7": "2212", "19/24": "2212", "PVA 115": "2415",
    "Conscript 1": "2415", "9/2": "2416", "PVA 114": "2417", "PVA 117": "1222", "PVA 150": "0130", "PVA 197": "0230",
    "23/2": "2630", "Battleship": "2710", "Cruiser": "2714", "Artillery 1": "0811", "Guerrilla 1": "1925",
    "Garrison Wonsan": "2226", "PVA 196": "0310", "24/25": "0313", "PVA 79": "0515", "35/25": "0516",
    "PVA 81": "1612", "31/7": "1613", "PVA 90": "2511", "38/2": "2411",
}  # fmt: skip
WAITING = ("PVA 76", "65/3", "15/3")
FACTORS = {"PVA": "factor: 4, move: 6", "ROK": "factor: 4, move: 5", "US": "factor: 10, move: 5"}
KINDS = ("Battleship", "Cruiser", "Artillery 1", "Guerrilla 1", "Garrison Wonsan")
INFILTRATION = 3
CELLS = {"D": (2, 3), "NR": (4, 6), "-": (7, 15)}  # the same in every column: what matters is how it is applied


def sheet() -> str:
    return MAP % ", ".join(f'"{hex}"' for hex in RAIL)


def charts() -> str:
    """Factors, lines on the map and tables of our own."""
    names = [name for name in (*SETUP, *WAITING) if name not in KINDS]
    lines = [f'  "{name}": {{{FACTORS.get(name.split()[0], "factor: 2, move: 6")}}}' for name in names]
    lines += ["  Cruiser: {support: 2}", "  Artillery 1: {support: 1, move: 6}"]
    cells = ", ".join(f"{n}: '{code}'" for code, (low, high) in CELLS.items() for n in range(low, high + 1))
    columns = ("1-6", "1-4", "1-2", "1-1", "3-2", "2-1", "3-1", "4-1", "5-1", "6-1", "8-1")
    north = ["0811", "1014", "2204", "2212", "2416", "0313", "0516", "1613"]
    regions = {
        "North of the Weather Line": north, "Between the lines": ["1216"], "Seoul": ["1424"],
        "Inchon": ["1325"], "Staging Area 1": ["0505"],
    }  # fmt: skip
    return "\n".join([
        "units:", *lines, f"regions: {regions}", "surprise_table: {US: 0, ROK: 0, UK: 0}",
        f"infiltration: {{clear: {INFILTRATION}}}",
        "drm: {assault: {clear: 0}, defensive: {clear: 0}}",
        "crt:", *(f"  {column}: {{{cells}}}" for column in columns),
    ]) + "\n"  # fmt: skip


class YaluTable(Table):
    """The engine's table, with this game's sequence of play and dice."""

    def __init__(self, engine: Engine, module: Path, edition: str) -> None:
        super().__init__(engine, module, "chosin-few")
        self.edition = edition
        self.moments = facts.moments(edition)
        self.layout = read_module(module).maps[0].layout()

    def hold(self, name: str) -> None:
        """A unit waits off the map."""
        self.ids[name] = self._do("place", slot=name, map=OFF, x=60 + 8 * len(self.ids), y=60)["id"]

    def kill(self, name: str) -> int:
        self._do("move", id=self.ids[name], map=OFF, x=200, y=120)
        return self.step

    off = kill

    def roll2(self) -> int:
        """Throw two dice; answers their sum."""
        told = " ".join(map(str, self._do("dice", name="2d6")["logged"]))
        found = re.search(r"2d6 = (\d)\D+(\d)", told)
        assert found, told
        return int(found[1]) + int(found[2])


Foul = Callable[[int, str], None] | None


class Evening:
    """Plays the turns. `foul` takes the step and the id of each breach; None: nobody breaks a rule."""

    def __init__(self, table: YaluTable, foul: Foul) -> None:
        self.t, self.foul = table, foul
        self.deluxe = table.edition == "deluxe"
        self.where = dict(SETUP)

    def go(self, name: str, hex: str) -> int:
        self.where[name] = hex
        return self.t.move(name, hex)

    def bad(self, id: str, step: int | None = None) -> None:
        """The last step, or this one, breaks a rule."""
        assert self.foul is not None
        self.foul(self.t.step if step is None else step, id)

    def code(self) -> str:
        total = self.t.roll2()
        return next(code for code, (low, high) in CELLS.items() if low <= total <= high)

    def fire(self, verb: str, firers: str, hex: str, shot: str, away: str | None, odds: str) -> str:
        """A fire at one unit in a hex, with its result applied; `away` None: every way is barred."""
        self.t.say(f"@{verb} {firers} -> {hex}")
        self.t.say(f"@odds {odds}")
        code = self.code()
        self.t.say(f"@result {code}")
        if code == "NR" and away:
            self.t.flip(shot)
            self.go(shot, away)
        elif code != "-":
            self.t.kill(shot)
        return code

    def play(self) -> None:
        self.communist_moves()
        self.communist_fights()
        self.un_turn()
        self.second_turn()

    # --- first turn

    def communist_moves(self) -> None:
        t = self.t
        t.to("Communist", "reinforcement")
        t.say("@asp 12")
        self.go("PVA 76", "0505")
        if self.foul:
            self.bad("SEQ-MOVE-OUTSIDE", self.go("ROK 7", "1220"))
        t.to("Communist", "movement")
        self.go("PVA 58", "1012")
        self.go("PVA 112", "0810")
        self.go("PVA 148", "0409")
        self.go("PVA 150", "1230")  # eleven hexes by rail
        self.go("Guerrilla 1", "1927")
        self.go("PVA 196", "0312")  # into a zone of control
        t.say("@infiltrate PVA 196 -> 0412")
        if t.roll() <= INFILTRATION:
            self.go("PVA 196", "0412")
        if self.foul:
            self.foul_communist_moves()
        t.to("Communist", "bugout")
        if self.foul:
            self.bad("BUG-TURN", self.go("US 7", "1820"))
            self.bad("BUG-ROK", self.go("ROK 1", "1420"))
            if self.deluxe:
                self.bad("BUG-BATTALION", self.go("1/32/7", "2403"))
            self.bad("BUG-NOT-IN-ZOC", self.go("29 Br", "2025"))

    def foul_communist_moves(self) -> None:
        t = self.t
        self.bad("MOVE-MP", self.go("PVA 59", "1018"))
        self.go("PVA 113", "0606")
        self.go("PVA 60", "0606")
        self.bad("STACK-COM-LIMIT", self.go("PVA 125", "0606"))
        self.bad("MOVE-BANKED-MP", self.go("PVA 148", "0414"))
        self.bad("MOVE-ENEMY-HEX", self.go("PVA 149", "1418"))
        self.bad("MOVE-MP", self.go("PVA 197", "1630"))  # fourteen hexes by rail
        self.bad("MOVE-GUER-RANGE", self.go("Guerrilla 1", "1931"))
        t.say("@hunt US 7")
        t.roll()
        self.bad("GUER-HUNT-PHASE")
        t.say("@weatherroll")
        t.roll()
        self.bad("WX-ROLL-TURN1")
        if self.deluxe:
            t.say("@ridgway")
            t.roll()
            self.bad("RDG-ROLL")
        t.say("@bombard US 2 -> 0810")
        self.bad("BMB-PHASE")
        self.bad("BMB-WHO")

    def communist_fights(self) -> None:
        t = self.t
        t.to("Communist", "designation")
        t.say("@attack PVA 112 -> 0812, 1 ASP")  # nobody is there: a slip, and put right
        t.say("@attack PVA 112 -> 0811, 1 ASP")
        t.say("@attack PVA 198 -> 2204, 1 ASP")
        t.say("@attack PVA 116 -> 2212, 1 ASP")
        t.say("@hwa PVA 115 -> 2416, 1 ASP")
        for name in ("US 2", "17/7", "32/7", "19/24"):
            t.say(f"@surprise {name}")
            t.roll()
        if self.foul:
            self.foul_designations()
        t.to("Communist", "defensive-fire")
        self.fire("defend", "17/7", "2203", "PVA 198", "2201", "1-2")
        if self.foul:
            t.say("@defend 29 Br -> 1012")
            self.bad("CBT-ADJACENT")
            t.say("@defend 9/2 -> 2415")
            self.bad("HWA-DEFFIRE")
        t.to("Communist", "assault")
        code = self.fire("fire", "PVA 112", "0811", "US 2", "0813", "1-2")
        if code == "D":
            t.off("Artillery 1")
        elif code == "NR":
            self.go("Artillery 1", "0813")
        if code != "-":
            self.go("PVA 112", "0811")
        self.fire("fire", "PVA 116", "2212", "32/7", "2214", "2-1")  # the other unit in the hex is not fired at
        if self.foul:
            self.foul_assaults()
        else:
            self.fire("fire", "PVA 115", "2416", "9/2", None, "5-1")
            t.kill("PVA 115")
            t.kill("Conscript 1")
        over = t.step + 2  # a click, and the next phase is called out
        t.to("Communist", "morale") if self.deluxe else t.to("UN", "bombardment")
        if self.foul:
            self.bad("HWA-SURVIVOR", over)
            self.bad("CON-FIRE-STAYS", over)

    def foul_designations(self) -> None:
        t = self.t
        t.say("@attack PVA 124 -> 1014, 1 ASP")
        self.bad("CBT-ADJACENT")
        t.say("@hwa PVA 115, Conscript 1 -> 2416, 1 ASP")
        self.bad("CON-HWA")
        if self.deluxe:
            t.say("@attack PVA 116 -> 2212, 2213")
            self.bad("CBT-TWO-TARGETS")
            t.say("@attack PVA 79 -> 0516, unsupplied, artillery -1")
            self.bad("ART-UNSUPPLIED")
            t.say("@attack PVA 81 -> 1613, 2 ASP")
            self.bad("ASP-COST")
            t.say("@hwa PVA 196 -> 0313, 0 ASP")
            self.bad("ASP-HWA-UNSUPPLIED")
        t.flip("PVA 114")
        t.say("@attack PVA 114 -> 2416, 1 ASP")
        self.bad("CBT-ATTACKER-NEUTRALIZED")
        t.say("@asp -2")
        self.bad("ASP-OVERSPEND")

    def foul_assaults(self) -> None:
        t = self.t
        t.say("@fire PVA 116 -> 2212")
        self.bad("CBT-FIRE-TWICE")
        t.say("@fire PVA 115, Conscript 1 -> 2416")
        t.say("@odds 8-1")
        self.bad("CBT-ODDS")
        t.roll2()
        t.flip("9/2")
        self.bad("RET-DISTANCE", self.go("9/2", "2419"))
        t.say("@attack PVA 116 -> 2212, 1 ASP")
        self.bad("SEQ-SUBPHASE")

    # --- UN turn

    def un_turn(self) -> None:
        t = self.t
        if self.deluxe:
            t.to("UN", "bombardment")
        self.go("Battleship", "2711")
        t.say("@bombard Battleship -> 2511")
        tired = t.roll() == 1
        if tired:
            t.flip("PVA 90")
        if self.foul:
            t.say("@bombard Cruiser -> 2211")
            self.bad("NAV-RANGE")
            self.bad("STACK-NAVAL-LAND", self.go("Cruiser", "2614"))
            self.bad("SEQ-MOVE-OUTSIDE", self.go("27 BC", "2024"))
        t.to("UN", "reinforcement")
        self.go("65/3", "1325")
        if self.foul:
            self.bad("REINF-UN-OTHER", self.go("15/3", "1424"))
        t.to("UN", "movement")
        self.go("27 BC", "2022")
        self.go("23/2", "1930")  # seven hexes by rail
        self.go("ROK 1", "1419")
        if self.foul:
            self.foul_un_moves()
        t.to("UN", "designation")
        t.say("@attack 38/2 -> 2511")
        t.to("UN", "defensive-fire")
        code = self.fire("defend", "PVA 90", "2411", "38/2", "2413", "2-1")
        t.to("UN", "assault")
        if code == "-":
            t.say("@fire 38/2 -> 2511")
            t.say("@odds 1-2")
            if self.code() != "-":
                t.kill("PVA 90")  # its ways are barred, or the table says so
        t.to("UN", "morale")

    def foul_un_moves(self) -> None:
        t = self.t
        self.bad("MOVE-MP", self.go("29 Br", "2017"))
        self.go("ROK 7", "1221")
        self.go("24/25", "0314")
        self.bad("MOVE-ZOC-CONTINUE", self.go("ROK 7", "1322"))
        self.bad("STACK-ENEMY", self.go("ROK 8", "1012"))
        self.bad("MOVE-GARRISON", self.go("Garrison Wonsan", "2227"))
        self.bad("NAV-MOVE-PHASE", self.go("Battleship", "2713"))
        t.say("@infiltrate 3/31/7 -> 2423")
        t.roll()
        self.bad("INF-SIDE")

    # --- second turn

    def second_turn(self) -> None:
        t = self.t
        t.to(None, "weather")
        t.say("@weatherroll")
        t.roll()
        t.say("@weather SO")
        if self.foul:
            t.say("@weatherroll")
            t.roll()
            self.bad("WX-NO-ROLL")
        t.to("Communist", "reinforcement")
        t.say("@asp 14")
        t.to("Communist", "movement")
        self.go("PVA 76", "0508")
        t.to("Communist", "bugout")
        self.go("31/7", "1619")  # six hexes, out of every zone of control
        t.flip("31/7")
        self.go("PVA 81", "1613")
        t.to("UN", "movement")
        self.go("65/3", "1327")
        t.to(None, "weather")
