"""Korean Battles as a scenario folder, made from the lists that the referee judges by (data/korean-battles)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from converter.scenario import (
    Chart,
    Cup,
    Dice,
    Face,
    Level,
    MapFile,
    Placement,
    PlayFile,
    ScenarioFolder,
    SetupFile,
    Side,
    Source,
    Unit,
    UnitsFile,
    read_map,
)
from converter.scenario.setup_file import Action
from converter.scenario.yaml_reading import read_file

GAME = "korean-battles"
TITLE = "Korean Battles"
CALL_OUTS = ("phase", "attack", "odds", "result", "support", "bombard", "pass", "stiff", "reveal", "air", "cancel")
SUPPORT_VALUES = range(1, 7)


def scenario(data: Path, maps: Path, id: str) -> ScenarioFolder:
    """A battle by its id."""
    battle = read_file(data / "scenarios" / f"{id}.yaml").data
    rules, lists, tables = (read_file(data / f"{name}.yaml").data for name in ("rules", "units", "tables"))
    sheet = read_map(maps / f"{battle['map']}.yaml")
    book = _Book(battle, lists, sheet)
    sides = (battle["first_player"], battle["second_player"])
    placements = tuple(book.placements())
    units = UnitsFile(tuple(book.units.values()), GAME, TITLE, tuple(Side(side) for side in sides))
    setup = SetupFile(placements, GAME, id, battle["title"], battle["map"], battle["turns"], sides)
    return ScenarioFolder(sheet, units=units, setup=setup, play=_play(battle, rules, tables, _pools(sheet, sides)))


@dataclass
class _Book:
    """The battle's counters, gathered line by line."""

    battle: Mapping[str, Any]
    lists: Mapping[str, Any]
    sheet: MapFile
    units: dict[str, Unit] = field(default_factory=dict)
    known: dict[tuple[str, ...], str] = field(default_factory=dict)

    @property
    def rule(self) -> str:
        return str(self.battle["rule"])

    def placements(self) -> Iterator[Placement]:
        """All lines in order; each makes its unit known."""
        source = Source("rule", self.rule)
        names = [line["id"] for line in self._lines()]
        nations = {name: {line["nation"] for line in self._lines() if line["id"] == name} for name in names}
        for part in ("setup_un", "setup_enemy"):
            for line in self.battle[part]:
                yield self._placement(line, source, nations)
        yield from self._formations(source)
        for part in ("reinforcements_enemy", "reinforcements_un"):
            for line in self.battle[part]:
                yield self._placement(line, source, nations)
        for line in self.battle["withdrawals"]:
            unit = next(
                unit.id for unit in self.units.values() if unit.name == line["id"] and unit.nation == line["nation"]
            )
            note = f"each turn too late costs {line['overdue_vp']} VP" if "overdue_vp" in line else None
            yield Placement(unit, source, "withdrawal", turn=line["turn"], where="off the map", note=note)
        self._more(source)

    def _lines(self) -> Iterator[Mapping[str, Any]]:
        for part in ("setup_un", "setup_enemy", "reinforcements_un", "reinforcements_enemy"):
            yield from self.battle[part]

    def _placement(self, line: Mapping[str, Any], source: Source, nations: Mapping[str, set[str]]) -> Placement:
        unit = self._unit(line, len(nations[line["id"]]) > 1, source)
        arrives = "at" in line or "turn" in line or "when" in line
        place = self._place(line.get("hex") or line.get("at") or (), line)
        if line.get("within") is not None:
            place = {"near": line["of"], "within": line["within"]}
        return Placement(
            unit,
            source,
            "reinforcement" if arrives else "set-up",
            turn=line.get("turn"),
            when=self.battle["conditions"][line["when"]] if "when" in line else None,
            face="back" if line.get("depleted") else "front",
            note=_note(line),
            **place,
        )

    def _place(self, hexes: Any, line: Mapping[str, Any]) -> dict[str, Any]:
        if len(hexes) == 1:
            return {"hex": hexes[0]}
        if hexes:
            return {"hexes": tuple(hexes)}
        if "next_to" in line:
            return {"where": f"next to a {line['next_to']} unit"}
        if "with" in line:
            return {"where": f"with {line['with']}"}
        region = line.get("region", "")
        known = self.sheet.region(region)
        return {"region": region} if known is not None else {"where": f"in {region}"}

    def _unit(self, line: Mapping[str, Any], shared: bool, source: Source) -> str:
        """The unit of a line: a new one, or one more of a kind."""
        key = (line["side"], line["nation"], line["id"], line["values"])
        if key in self.known:
            id = self.known[key]
            self.units[id] = replace(self.units[id], count=self.units[id].count + 1)
            return id
        id = f"{line['nation']} {line['id']}" if shared else line["id"]
        if id in self.units:
            id = f"{id} ({line['values']})"
        ladder = self.lists["marine_ladder"]
        marine = self.battle["rules"]["marine_ladder"] and line["id"] in ladder["units"]
        self.known[key] = id
        self.units[id] = Unit(
            id,
            line["side"],
            source,
            name=line["id"],
            designation=line["id"],
            nation=line["nation"],
            type=line.get("kind") or line.get("type"),
            size=line.get("size"),
            steps=len(ladder["values"]) if marine else None,
            front=_face(line["values"]),
            back=_face(ladder["values"][1]) if marine else None,
        )
        return id

    def _formations(self, source: Source) -> Iterator[Placement]:
        """The Chinese divisions as regiments, with the division's own counter beside them (29.0, 11.0)."""
        ((whole, part),) = self.lists["breakdown"]["Chinese"].items()
        for formation in self.battle.get("formations", ()):
            number = formation["division"]
            name = f"{number} ID"
            ids = [f"{number}/{i}" for i in range(1, self.lists["breakdown_parts"] + 1)]
            blank = Unit(name, "Chinese", source, nation="Chinese", class_="leg", formation=name)
            extra = (("division", name),)
            for id in ids:
                told = replace(blank, id=id, name=id, size="regiment", front=_face(part), extra=extra)
                self.units[id] = told
            self.units[name] = replace(blank, name=name, size="division", front=_face(whole))
            start = formation.get("start")
            waiting = list(ids)
            for told in [*([start] if start else ()), *formation.get("arrive", ())]:
                for _ in range(told["count"]):
                    place = (
                        {"near": told["of"], "within": told["within"]}
                        if "of" in told
                        else self._place(told.get("at", ()), told)
                    )
                    turn = told.get("turn")
                    kind: Action = "reinforcement" if turn is not None else "set-up"
                    only = "only with the accelerated entry" if formation.get("only_accelerated") else None
                    yield Placement(waiting.pop(0), source, kind, turn=turn, note=only, **place)

    def _more(self, source: Source) -> None:
        """Counters that no list places: regiments for broken-down divisions, dummies, markers."""
        rules = self.battle["rules"]
        sides = {unit.nation: unit.side for unit in self.units.values() if unit.nation}
        for nation, parts in self.lists["breakdown"].items():
            for whole, part in parts.items():
                divisions = sum(
                    unit.count for unit in self.units.values() if unit.nation == nation and _values(unit) == whole
                )
                if divisions and not (nation == "Chinese" and self.battle.get("formations")):
                    id = f"{nation} {part} (breakdown)"
                    told = Unit(id, sides[nation], Source("rule", "11.0"), name=f"{nation} {part}", nation=nation)
                    parts_of = self.lists["breakdown_parts"] * divisions
                    size = replace(told, class_="leg", size="regiment", count=parts_of, front=_face(part))
                    self.units.setdefault(id, size)
        enemy = next(side for side in (self.battle["first_player"], self.battle["second_player"]) if side != "UN")
        if rules["hidden"]:
            dummies = self.lists["dummies"]
            front = Face((("attack", None), ("defense", None), ("move", dummies["move"])))
            self.units["Dummy"] = Unit(
                "Dummy", enemy, Source("rule", "16.0"), type="dummy", count=dummies["count"], front=front, steps=1
            )
        for side in (self.battle["first_player"], self.battle["second_player"]):
            for value in SUPPORT_VALUES:
                why = "which values there are is printed on the counters; take those you have"
                self.units[f"{side} +{value}"] = Unit(
                    f"{side} +{value}",
                    side,
                    Source("rule", "8.0", inferred=why),
                    kind="marker",
                    type="support-fire",
                    front=Face((("support", value),)),
                )
        for line in self.lists["markers"]:
            if rules.get(line.get("with"), True):
                source, id = Source("rule", line["rule"]), line["id"]
                self.units[id] = Unit(id, "UN", source, kind="marker", type=line["type"], count=line["count"])


def _face(values: str) -> Face:
    return Face(tuple(zip(("attack", "defense", "move"), map(int, values.split("-")), strict=True)))


def _values(unit: Unit) -> str:
    return "-".join(str(value) for _, value in unit.front.factors)


def _note(line: Mapping[str, Any]) -> str | None:
    said = []
    if line.get("optional"):
        said.append("may be left out")
    if "entry_vp" in line:
        said.append(f"costs {line['entry_vp']} VP")
    if "accelerated" in line:
        said.append(f"turn {line['accelerated']} with the accelerated entry")
    if "no_zoc_until" in line:
        said.append(f"no zone of control before turn {line['no_zoc_until']}")
    return "; ".join(said) or None


def _play(
    battle: Mapping[str, Any], rules: Mapping[str, Any], tables: Mapping[str, Any], pools: Mapping[str, str]
) -> PlayFile:
    phases = [_phase(side, phase["id"]) for side in pools for phase in rules["phases"]]
    entries = (_phase(None, rules["turn_start"]["id"]), *phases, "End of Turn")
    verbs = [*CALL_OUTS]
    verbs += ["wave"] if battle["rules"]["human_wave"] else []
    verbs += ["rebuild"] if battle["rules"]["rebuild"] else []
    return PlayFile(
        GAME,
        (Level("Turn", levels=(Level("Phase", entries),)),),
        (Dice("1d6"),),
        tuple(Cup(name, side=side, note="fill it with your own markers") for side, name in pools.items()),
        (_combat_table(battle["crt"], tables), _victory_levels(tables)),
        tuple(verbs),
        tuple(f"{value:+d}" if value else "0" for value in range(-6, 13)),
        tuple(dict.fromkeys(code for line in tables["results"].values() for code in line)),
    )


def _pools(sheet: MapFile, sides: tuple[str, ...]) -> dict[str, str]:
    """Each side's pool of support markers, by the name that the map gives it."""
    boxes = [box for box in sheet.boxes if box.kind == "pool"]
    ours = next((box.name for box in boxes if box.side == "UN"), "UN support fire pool")
    theirs = next((box.name for box in boxes if box.side != "UN"), "Enemy support fire pool")
    return {side: ours if side == "UN" else theirs for side in sides}


def _phase(side: str | None, phase: str) -> str:
    """A phase as the turn track shows it.

    >>> _phase("UN", "mobile-movement"), _phase(None, "support")
    ('UN Mobile Movement', 'Support')
    """
    words = phase.replace("-", " ").title()
    return f"{side} {words}" if side else words


def _victory_levels(tables: Mapping[str, Any]) -> Chart:
    """What a side's points are worth."""
    rows = tuple(tuple(line) for line in tables["victory_levels"])
    return Chart("Victory levels", ("points", "result"), rows, source=Source("rule", "22.0"))


def _combat_table(which: str, tables: Mapping[str, Any]) -> Chart:
    """The table with the headings of one map over it; a heading's last column is `or more`."""
    columns = len(next(iter(tables["results"].values())))
    rows = []
    for heading in tables["headings"][which]:
        cells = [str(value) for value in heading["from"]]
        cells[-1] += "+"
        rows.append((", ".join(heading["terrain"]), *cells, *([""] * (columns - len(cells)))))
    for die, results in tables["results"].items():
        rows.append((f"die {die}", *results))
    titles = ("defender's terrain", *(str(column) for column in range(1, columns + 1)))
    text = "Find the attack's differential in the row of the defender's terrain, then the die below it."
    return Chart(f"Combat results table {which}", titles, tuple(rows), text, source=Source("rule", f"CRT-{which}"))
