"""A scenario put together as the plan of a module, and written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from converter.counters import theme_of, usual_theme
from converter.errors import BadInput
from converter.scenario import Level, PlayFile, ScenarioFolder, SetupFile, Unit
from converter.vassal.archive_writing import write_archive
from converter.vassal.dice import DiceButton
from converter.vassal.export import charts, off_map
from converter.vassal.export.boards import MadeBoard, ReadImage, make_board
from converter.vassal.export.buttons import call_out_buttons
from converter.vassal.export.counters import CounterImages, counter_plan, piece_name, steps_of
from converter.vassal.export.cups import draw_pile
from converter.vassal.export.faces import counter_images
from converter.vassal.export.keepsake import keepsake
from converter.vassal.export.menus import ATTACKERS, prototypes
from converter.vassal.export.plain_names import plain_names
from converter.vassal.export.positions import Spot, spots_of
from converter.vassal.export.saves import Deck, Placed, saved_setup
from converter.vassal.metadata import Metadata
from converter.vassal.new_module import CounterPlan, MapPlan, ModulePlan, Part, module_entries
from converter.vassal.turn_tracker import TurnLevel, TurnTracker

MAIN = "Main Map"
SCENARIO_PROPERTY = "Scenario"
PROPERTIES = ("TurnNo", "Phase")  # of the outer and the inner wheel of the turn track
VERSION = "1.0"


def build_module(scenario: ScenarioFolder, path: Path, read_image: ReadImage) -> ModulePlan:
    """Write the module of a scenario, and the folders on the way; everything is made before anything is written."""
    workshop = _Workshop(plain_names(scenario), read_image)
    plan = workshop.plan()
    entries = module_entries(plan)
    entries |= keepsake(scenario, workshop.origins, entries["buildFile.xml"])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror})") from None
    write_archive(path, entries)
    return plan


@dataclass
class _Workshop:
    """What is needed in several places while a module is made."""

    scenario: ScenarioFolder
    read_image: ReadImage

    def __post_init__(self) -> None:
        play = self.scenario.play
        self.play = play or PlayFile()
        self.units: dict[str, Unit] = (
            {unit.id: unit for unit in self.scenario.units.units} if self.scenario.units else {}
        )
        self.setups = self.scenario.setups
        self.boards: list[MadeBoard] = [make_board(sheet, self.read_image) for sheet in self.scenario.maps]
        self.windows = _window_names(self.boards)
        self.spots = [spots_of(setup, self.units, self.scenario.maps) for setup in self.setups]
        self.off_map = off_map.make_off_map(self._boxes())
        self.images: dict[str, bytes] = {made.plan.image: made.image for made in self.boards if made.plan.image}
        self.origins = {
            sheet.picture.image: made.plan.image
            for sheet, made in zip(self.scenario.maps, self.boards, strict=True)
            if sheet.picture and sheet.picture.image
        }
        self.counters: dict[str, CounterPlan] = {}
        self.gpids: dict[str, int] = {}
        crowded = sum(1 for unit in self.units.values() if unit.formation) > 0
        theme = theme_of(self.scenario.units) if self.scenario.units else usual_theme()
        shared = Counter(piece_name(unit) for unit in self.units.values() if unit.kind == "unit")
        for gpid, unit in enumerate(self.units.values(), 1):
            drawn = counter_images(unit, theme, steps_of(unit), self.read_image)
            self.images.update(drawn.files)
            self.origins.update(drawn.origins)
            self.counters[unit.id] = counter_plan(
                unit, CounterImages(drawn.names, drawn.size), crowded, shared[piece_name(unit)] == 1
            )
            self.gpids[unit.id] = gpid

    def _boxes(self) -> dict[str, int]:
        """The boxes beside the map, each with the most counters that any set-up has in it."""
        need: Counter[str] = Counter()
        for spots in self.spots:
            need |= Counter(spot.box for spot in spots if spot.box is not None and spot.sheet is None)
        printed = [box.name for sheet in self.scenario.maps for box in sheet.boxes if not box.outline]
        turns = [box for box in need if box not in printed]
        cups = [cup.name for cup in self.play.cups]
        names = dict.fromkeys([*sorted(turns, key=_turn_order), *cups, *printed])
        return {name: need[name] for name in names}

    def plan(self) -> ModulePlan:
        scenario, setups = self.scenario, self.setups
        titles = [charts.setup_title(setup) for setup in setups]
        if len(set(titles)) != len(titles):
            twice = next(title for title in titles if titles.count(title) > 1)
            raise BadInput(f"two set-ups are called {twice!r}; a module could not tell them apart")
        name = _module_name(scenario)
        ids = [scenario_id(setup) for setup in setups]
        written = self.play.call_outs
        book = prototypes(written)
        maps = self._maps()
        tracker = turn_tracker(self.play, setups)
        window, pages = charts.chart_window([*self.play.charts, *charts.scenario_charts(scenario)])
        files = dict(pages)
        parts: list[Part] = list(window)
        module = Metadata(version=VERSION, name=name)
        for number, title in enumerate(titles):
            file = f"setup-{number + 1}.vsav"
            changed = {SCENARIO_PROPERTY: (ids[0], ids[number])} if ids[number] != ids[0] else {}
            decks = [] if not self.play.cups else self._decks()
            files[file] = saved_setup(self._placed(self.spots[number]), decks, maps, book, module, changed, tracker)
            attributes = {"name": title, "isMenu": "false", "useFile": "true", "file": file, "description": ""}
            parts.append(Part("module.PredefinedSetup", attributes))
        sides = side_names(scenario)
        parts += call_out_buttons(self.play, sides, tracker_format(tracker))
        return ModulePlan(
            name,
            VERSION,
            "made by hexref",
            sides,
            maps,
            tuple(self.counters.values()),
            tuple(
                DiceButton("dice", die.name, count=die.count, sides=die.sides, plus=die.plus, report_total=die.total)
                for die in self.play.dice
            ),
            tracker,
            book,
            {SCENARIO_PROPERTY: ids[0] if ids else "", ATTACKERS: ""},
            {**self.images, **({self.off_map.board.image: self.off_map.image} if self.off_map.boxes else {})},
            tuple(parts),
            files,
        )

    def _maps(self) -> tuple[MapPlan, ...]:
        maps = [
            MapPlan(self.windows[i], (made.plan,), mark_moved=True, parts=_MAP_EXTRAS)
            for i, made in enumerate(self.boards)
        ]
        if self.off_map.boxes:
            piles = tuple(draw_pile(deck.name, off_map.NAME, deck.point, deck.held) for deck in self._decks())
            maps.append(MapPlan(off_map.NAME, (self.off_map.board,), parts=(*piles, *_MAP_EXTRAS)))
        return tuple(maps)

    def _decks(self) -> list[Deck]:
        return [
            Deck(
                cup.name,
                off_map.NAME,
                self.off_map.spots(cup.name)[0],
                tuple((self.counters[id], self.gpids[id]) for id, count in cup.units for _ in range(count)),
            )
            for cup in self.play.cups
        ]

    def _placed(self, spots: Sequence[Spot]) -> list[Placed]:
        used: Counter[str] = Counter()
        placed = []
        for spot in spots:
            step = 2 if spot.placement.face == "back" and steps_of(spot.unit) > 1 else 1
            where, point = self._point(spot, used)
            placed.append(Placed(self.counters[spot.unit.id], self.gpids[spot.unit.id], where, point, step))
        return placed

    def _point(self, spot: Spot, used: Counter[str]) -> tuple[str, tuple[int, int]]:
        if spot.hex is not None and spot.sheet is not None:
            point = self.boards[spot.sheet].point(spot.hex)
            assert point is not None
            return self.windows[spot.sheet], point
        if spot.sheet is not None and spot.point is not None:
            return self.windows[spot.sheet], spot.point
        assert spot.box is not None
        if spot.sheet is not None:
            zone = next(zone for zone in self.boards[spot.sheet].plan.zones if zone.name == spot.box)
            middle = zone.polygon.anchor()
            if middle is None:
                raise BadInput(f"box {spot.box!r}: its outline has no inside to put counters in")
            return self.windows[spot.sheet], middle
        free = self.off_map.spots(spot.box)
        point = free[min(used[spot.box], len(free) - 1)]
        used[spot.box] += 1
        return off_map.NAME, point


_MAP_EXTRAS = (
    Part(
        "module.map.CounterDetailViewer",
        {
            "delay": "400",
            "showgraph": "true",
            "graphicsZoom": "1.0",
            "zoomlevel": "0.5",
            "display": "from top-most layer only",
            "minDisplayPieces": "2",
            "showtext": "true",
            "showtextsingle": "false",
            "counterReportFormat": "",
            "summaryReportFormat": "$LocationName$",
            "fontSize": "11",
        },
    ),
)


def _window_names(boards: Sequence[MadeBoard]) -> list[str]:
    """A name of its own for each map window, none of which begins like a command of VASSAL's: D/7, M/Yudam-ni."""
    names = [MAIN]
    for made in boards[1:]:
        name = plain = f"Map {made.plan.name}" if re.match("[-+DM]/", made.plan.name) else made.plan.name
        number = 2
        while name in (*names, off_map.NAME):
            name, number = f"{plain} ({number})", number + 1
        names.append(name)
    return names


def _module_name(scenario: ScenarioFolder) -> str:
    setup = scenario.setup
    titles = [
        scenario.units.title if scenario.units else None,
        setup.title if setup and not scenario.more_setups else None,
    ]
    said = ": ".join(title for title in titles if title)
    return said or scenario.map.title or scenario.map.name


def scenario_id(setup: SetupFile) -> str:
    """GAME/SCENARIO as far as they are known."""
    return "/".join(filter(None, (setup.game, setup.scenario)))


def side_names(scenario: ScenarioFolder) -> tuple[str, ...]:
    """The sides that players take: those of the set-up, else of the units file, else of the units."""
    listed = next((setup.sides for setup in scenario.setups if setup.sides), ())
    if not listed and scenario.units:
        listed = tuple(side.name for side in scenario.units.sides) or tuple(
            dict.fromkeys(unit.side for unit in scenario.units.units if unit.kind == "unit")
        )
    return listed


def _turn_order(box: str) -> tuple[int, int]:
    word, _, number = box.rpartition(" ")
    return (0, int(number)) if word == "Turn" and number.isdigit() else (1, 0)


def turn_tracker(play: PlayFile, setups: Sequence[SetupFile] = ()) -> TurnTracker | None:
    """The turn track; without levels none. It has the turns of the set-up, where all have the same."""
    if not play.tracker:
        return None
    levels = tuple(_level(level, 0) for level in _turns_played(play.tracker, setups))
    return TurnTracker("TurnTracker0", "Turn", levels, report_format="$newTurn$")


def _turns_played(levels: tuple[Level, ...], setups: Sequence[SetupFile]) -> tuple[Level, ...]:
    spans = {(setup.first_turn, setup.turns) for setup in setups}
    first, turns = spans.pop() if len(spans) == 1 else (None, None)
    if first is None or turns is None:
        return levels
    wheel, *others = levels
    if first not in wheel.entries:
        raise BadInput(f"the turn track has no {first!r}; it has {', '.join(wheel.entries) or 'numbers'}")
    start = wheel.entries.index(first)
    return (replace(wheel, entries=wheel.entries[start : start + turns]), *others)


def _level(level: Level, depth: int) -> TurnLevel:
    inner = tuple(_level(each, depth + 1) for each in level.levels)
    name = PROPERTIES[depth] if depth < len(PROPERTIES) else level.name
    kind = "list" if level.entries else "counter"
    shown = "$value$" if level.entries else f"{level.name} $value$"
    made = TurnLevel("list", level.name, name, shown, level.start, level.step, entries=level.entries, levels=inner)
    return made if kind == "list" else replace(made, kind="counter")


def tracker_format(tracker: TurnTracker | None) -> str:
    """The wheels' values as a report names them: `turn $TurnNo$ $Phase$`."""
    words: list[str] = []
    levels: tuple[TurnLevel, ...] = tracker.levels if tracker else ()
    while levels:
        level = levels[0]
        words.append(f"turn ${level.property}$" if level.kind == "counter" else f"${level.property}$")
        levels = level.levels
    return " ".join(words)
