"""Opening a court: the table as a story sets it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from converter.hexgrid import Grid
from referee import story_past
from referee.games.yalu import facts
from referee.games.yalu.charts import Charts, hexes_of, take
from referee.games.yalu.cities import control_city, note_city
from referee.games.yalu.court import Court
from referee.games.yalu.doing.combat import designate, open_fire
from referee.games.yalu.interpret import hex_in, units_in, weather_code, word_in
from referee.games.yalu.units import ISOLATED, NEUTRALIZED, build
from referee.rulebook import plain
from referee.rules.board import ticks
from referee.story import Story
from referee.story_events import StoryEvents, as_list
from referee.story_ground import read_ground
from referee.story_past import Happened, past, text_of
from referee.story_units import brought_in, clock_of, unit_lines
from referee.table.acts import Act
from referee.table.ledger import Fact
from referee.table.maps import hex_reader, sheet, wide_grid
from referee.table.position import Position

BOXES = (
    "dead pile", "oob", "oob card", "conscript box", "conscripts box", "pva conscripts box", "at sea", "available",
    "unavailable", "off map box", "sea", "airpower box", "breakdown", "breakdown chart", "map edge",
    "oob conscript box",
)  # fmt: skip
_DATED_ONLY_IF_SAID = {
    "eliminated", "captured", "vacated", "entered", "placed", "conditional", "embarked", "evacuated", "exited",
    "ridgway", "announced", "set-up", "rolled", "delayed",
}  # fmt: skip
_MARKS = {"isolated": ISOLATED, "neutralized": NEUTRALIZED, "regroup": "regrouping", "bombard": "bombarded"}


def _reader(grid: Grid) -> Callable[[Any], str | None]:
    """Reads a hex; the number that two rules misprint is the To Pusan hex it stands for (6.3, 9.3.5.1)."""
    plain_read, rules = hex_reader(grid), facts.BOOK.rules
    meant = rules["to_pusan"][-1] if rules["to_pusan_misprint"] not in grid else None

    def read(value: Any) -> str | None:
        return plain_read(meant if meant and str(value) == rules["to_pusan_misprint"] else value)

    return read


def open_story(story: Story) -> tuple[Court, StoryEvents]:
    """The court of a story and its actions as events."""
    edition = story.scenario or facts.SCENARIOS[0]
    if edition not in facts.SCENARIOS:
        story.refuse(f"yalu has no scenario '{edition}'; it has {', '.join(facts.SCENARIOS)}", "scenario")
    scenario = facts.scenario(edition)
    calendar = facts.calendar(edition)
    grid = wide_grid(facts.GAME, scenario.map)
    read = _reader(grid)
    charts = Charts()
    for name, value in story.assume.items():
        take(charts, name, value)
    clock = clock_of(facts.BOOK, story, calendar, lambda word: facts.turn_of(edition, word))
    ground = read_ground(story, facts.BOOK, read, grid.touch)
    court = Court(scenario, grid, ground, charts, Position(), clock, complete=True)
    open_court(court)
    _places(story, court, read)
    where: dict[str, str | None] = {}
    for i, told, hex in unit_lines(facts.BOOK, story, calendar, read, BOXES):
        unit = build(told, charts)
        if unit.id in where:
            story.refuse(f"two units are called '{unit.id}'", "units", i, "name")
        court.position.add(unit, hex)
        where[unit.id] = hex
        if told.get("hex") is not None and hex is None:
            court.position.change(unit.but(more={**unit.more, "box": plain(told["hex"])}))
            told["eliminated"] = told.get("eliminated") or "dead" in plain(told["hex"])
        if told.get("eliminated"):
            court.position.kill(unit.id)
            when = told.get("turn", None if told["eliminated"] is True else told["eliminated"])
            court.ledger.add(Fact("eliminated", unit.id, facts.turn_of(edition, when) if when is not None else None))
        if told.get("surprised") is not None:
            court.surprised[unit.id] = bool(told["surprised"])
    _markers(story, court)
    story_past.read_given(
        story, court, lambda name, value: take(charts, name, value), lambda name, value: _given(court, name, value)
    )
    for line in past(
        facts.BOOK, story, court, calendar, lambda word: facts.turn_of(edition, word), _DATED_ONLY_IF_SAID
    ):
        _happened(court, line)
    court.start = {unit.id: hex for unit, hex in court.position.on_map()} | court.start
    _newcomers(story, court)
    return court, StoryEvents(story, read, where | dict.fromkeys(court.markers))


def open_court(court: Court) -> None:
    """What is known when a game is opened: the first turn's weather, the regions that the text tells of."""
    map_file = sheet(facts.GAME, court.scenario.map)
    for place in map_file.places:
        if place.name:
            court.bundled.setdefault(place.name, set()).update(place.hexes)
    for region in map_file.regions:
        court.bundled.setdefault(region.name, set()).update(region.hexes)
    if court.turn == 1:
        court.weather, court.weather_die = (
            court.scenario.raw["start"]["weather"],
            court.scenario.raw["start"]["weather_die"],
        )
        if court.complete and court.phase in (None, "setup", "weather", "supply", "reinforcement"):
            court.asp = court.scenario.raw["start"]["asp"]


def _places(story: Story, court: Court, read: Any) -> None:
    """`cities` and `ports` of a story's terrain: names with hexes, or only hexes."""
    told = story.terrain or {}
    if "roads" in told or "rails" in told:
        court.ground.whole.add("roads")  # an empty list says that there are none
    for key in ("cities", "ports", "lines", "coastal"):
        value = told.get(key)
        if isinstance(value, Mapping):
            for name, hexes in value.items():
                court.ground.regions.setdefault(str(name), set()).update(hexes_of(hexes))
        elif value is not None:
            name = {"coastal": "coast"}.get(key, key)
            court.ground.regions.setdefault(name, set()).update(hex for one in as_list(value) if (hex := read(one)))


def _markers(story: Story, court: Court) -> None:
    for told in story.markers:
        line = told if isinstance(told, Mapping) else {"name": told}
        name = str(line.get("name") or line.get("marker") or line.get("type") or line.get("id") or "")
        kind = word_in("markers", name)
        where = line.get("unit") or line.get("on") or line.get("units") or line.get("hex") or line.get("at")
        value = line.get("value") or line.get("factors") or 1
        if kind in _MARKS:
            for id in units_in(court, where):
                court.mark(id, _MARKS[kind])
        elif kind in ("rail-break", "interdiction") and (hex := hex_in(court, where)):
            court.breaks[kind, hex] = int(value)
        elif kind == "bridge":
            pair = frozenset(map(text_of, as_list(line.get("hexside") or line.get("between") or where)))
            court.breaks[kind, pair] = 1
        elif kind == "artillery" and (hex := hex_in(court, where)) and hex in court.designations:
            court.designations[hex].artillery = int(value)
        elif "ridgway" in plain(name):
            court.ridgway = _ridgway(line.get("value") or line.get("face") or "waiting")


def _ridgway(value: Any) -> str:
    word = plain(value)
    if value is False or word in (
        "waiting",
        "not yet",
        "no",
        "not arrived",
        "none",
        "front",
        "dec iii",
        "not in command",
    ):
        return "waiting"
    if any(part in word for part in ("flip", "drm", "+1", "1 drm", "back")):
        return "drm"
    return "removed" if "remov" in word else "commands"


def _given(court: Court, name: str, value: Any) -> bool:
    """Understand one fact; False where it is none that this game knows."""
    key = plain(name)
    words = facts.BOOK.words["given"]
    meaning = next((own for own, names in words.items() if key == plain(own) or key in names), None)
    if meaning is None:
        return False
    if meaning == "weather":
        told = value if isinstance(value, Mapping) else {"code": value}
        if any(isinstance(inner, Mapping) for inner in told.values()):
            return False
        code = next((told[field] for field in ("code", "name", "weather", "type") if field in told), None)
        court.weather = weather_code(code) or court.weather
        die = told.get("die") or told.get("number")
        court.weather_die = die if isinstance(die, int) else court.weather_die
        return weather_code(code) is not None
    if meaning in ("weather_die", "asp", "conscripts"):
        if not isinstance(value, int):
            return False
        setattr(court, meaning, value) if meaning != "conscripts" else court.given.update(conscripts=value)
        return True
    if meaning == "air":
        told = value if isinstance(value, Mapping) else {"available": value}
        numbers = [told[field] for field in ("available", "defensive", "now") if isinstance(told.get(field), int)]
        court.air = numbers[0] if numbers else court.air
        offensive = told.get("offensive", value if "offensive" in key else None)
        if isinstance(offensive, int):
            court.air_offensive = offensive
            court.air = offensive if not numbers else court.air
        return True
    if meaning == "ridgway":
        court.ridgway = _ridgway(value)
        return True
    if meaning == "isolated":
        court.given["isolated"] = units_in(court, list(value) if isinstance(value, Mapping) else value)
        return _states(court, ISOLATED, value)
    if meaning == "in_supply":
        story_past.supply(court, value, True, facts.side_of)
        for unit in list(court.position.units.values()):
            if unit.supplied is False:
                court.mark(unit.id, ISOLATED)
        return True
    if meaning == "neutralized":
        return _states(court, NEUTRALIZED, value)
    if meaning in ("surprised", "not_surprised"):
        for id in units_in(court, list(value) if isinstance(value, Mapping) else value):
            court.surprised[id] = meaning == "surprised"
        return True
    if meaning == "control":
        return _control(court, value)
    if meaning == "first_captured":
        for city, turn in value.items() if isinstance(value, Mapping) else ():
            court.captured[plain(city)] = facts.turn_of(court.scenario.id, turn)
        return isinstance(value, Mapping)
    if meaning in ("zoc", "no_zoc"):
        return story_past.has_zone(court, value, meaning == "zoc")
    if meaning == "dead":
        for one in as_list(value):
            court.ledger.add(Fact("eliminated", text_of(one)))
            if text_of(one) in court.position.units:
                court.position.kill(text_of(one))
        return True
    if meaning == "designated":
        return _designated(court, value)
    if meaning == "asp_zone":
        court.given["asp_zone"] = (
            {text_of(hex): zone for hex, zone in value.items()} if isinstance(value, Mapping) else value
        )
        return True
    court.given[meaning] = value
    return True


def _states(court: Court, state: str, value: Any) -> bool:
    if isinstance(value, Mapping):
        value = [name for name, on in value.items() if on not in (False, "no", None)]
    if value is True:
        value = list(court.position.units)
    for id in units_in(court, value):
        court.mark(id, state)
    return True


def _control(court: Court, value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    for key, told in value.items():
        side = facts.side_of(key)
        if side is not None and facts.side_of(told) is None:
            for city in as_list(told):
                control_city(court, str(city), side)
        elif (owner := facts.side_of(told)) is not None:
            control_city(court, str(key), owner)
        else:
            return False
    return True


def _designated(court: Court, value: Any) -> bool:
    lines = as_list(value)
    if isinstance(value, Mapping):
        told = ((hex, line if isinstance(line, Mapping) else {"attackers": line}) for hex, line in value.items())
        lines = [{"target": hex, **line} for hex, line in told]
    for line in lines:
        if isinstance(line, Mapping):
            designate(court, Act(0, "designate", fields=dict(line)))
    return True


def _happened(court: Court, line: Happened) -> None:
    what, value, rest, when, side, phase = line
    if what == "designated":
        fields = {"attackers": value, **rest}
        if not any(key in fields for key in ("target", "hex", "targets")):
            court.doubts.append("which hex the designated units attack")
        designate(court, Act(0, "designate", fields=fields))
        return
    if what == "captured":
        owner = side or facts.side_of(rest.get("side") or rest.get("by") or "") or court.phasing
        for city in as_list(value):
            if owner is not None:
                note_city(court, text_of(city), owner, when)
        return
    if what == "ridgway":
        court.ridgway = _ridgway(value)
        return
    if what == "surprised":
        for id in units_in(court, value):
            court.surprised[id] = True
        return
    if what == "fired" and rest.get("result") is not None:
        named = ("target", "hex", "units", "type", "odds", "drm")
        open_fire(court, Act(0, "fire", fields={"by": value, **{key: rest[key] for key in named if key in rest}}))
        if court.combat is not None:
            court.combat.said["result"] = rest["result"]
        return
    for who in as_list(value) or [""]:
        name = text_of(who)
        for id in units_in(court, name) or (name,):
            court.ledger.add(Fact(what, id, when, side, phase, 0, dict(rest)))
            if id in court.position.units:
                if what == "neutralized":
                    court.mark(id, NEUTRALIZED)
                if what == "eliminated":
                    court.position.kill(id)
                if what == "railed":
                    court.railed[id] = 0
                if what == "moved" and when == court.turn and phase in (None, court.phase):
                    _marched(court, id, rest)


def _marched(court: Court, id: str, told: Mapping[str, Any]) -> None:
    """A unit moved before in this phase: along these hexes, or for so many movement points."""
    way = [hex for one in as_list(told.get("path")) if (hex := hex_in(court, one))]
    here = court.position.where(id)
    if not way and told.get("from") is not None and here is not None:
        way = [hex for hex in (hex_in(court, told["from"]), here) if hex]
    points = next((told[key] for key in ("mp", "mps", "spent", "cost") if isinstance(told.get(key), int)), None)
    if len(way) > 1:
        court.trails[id] = [(0, tuple(way), "path" in told)]
        court.start[id] = way[0]
    elif points is not None:
        court.spent[id] = ticks(points)


_TOLD_WITH_ENTRY = ("class", "size", "type", "kind", "division", "nation", "attack", "army", "factors")


def _newcomers(story: Story, court: Court) -> None:
    """Units that an action brings in without the story having listed them."""
    for action in story.actions:
        for name in brought_in(action):
            if name in court.position.units or name in court.markers:
                continue
            spoken = action.get("side") or action.get("nation") or name.split(" ")[0]
            owner = facts.side_of(spoken) if isinstance(spoken, str) else None
            told = {key: action[key] for key in _TOLD_WITH_ENTRY if key in action and action[key] is not None}
            fields = facts.BOOK.word_map("unit_fields")
            told = {fields.get(key, key): value for key, value in told.items()}
            side = owner or court.phasing or facts.COMMUNIST
            nation = facts.BOOK.nation_of(action.get("nation") or "")
            court.position.add(build({**told, "name": name, "side": side, "nation": nation}, court.charts), None)
