"""play.yaml: what a table needs besides map and counters: turn track, dice, cups, charts and call-outs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from converter.errors import Problem
from converter.scenario.sources import Source
from converter.scenario.yaml_reading import Document

VERSION = 1


@dataclass(frozen=True)
class Level:
    """A wheel of the turn track: a list of `entries` (phases, months), or without any a counter from `start` on."""

    name: str
    entries: tuple[str, ...] = ()
    start: int = 1
    step: int = 1
    levels: tuple[Level, ...] = ()

    @classmethod
    def decode(cls, data: dict[str, Any]) -> Level:
        inner = tuple(map(cls.decode, data.get("levels", ())))
        return cls(
            data["name"], tuple(data.get("entries", ())), int(data.get("start", 1)), int(data.get("step", 1)), inner
        )

    def encode(self) -> dict[str, Any]:
        said: dict[str, Any] = {"name": self.name}
        if self.entries:
            said["entries"] = list(self.entries)
        if self.start != 1:
            said["start"] = self.start
        if self.step != 1:
            said["step"] = self.step
        return said | ({"levels": [level.encode() for level in self.levels]} if self.levels else {})


@dataclass(frozen=True)
class Dice:
    """A button that rolls `count` dice of `sides` sides, each with `plus` added; `total`: only the sum is told."""

    name: str
    count: int = 1
    sides: int = 6
    plus: int = 0
    total: bool = False

    @classmethod
    def decode(cls, data: dict[str, Any]) -> Dice:
        numbers = {key: int(data[key]) for key in ("count", "sides", "plus") if key in data}
        return cls(data["name"], **numbers, total=data.get("total", False))

    def encode(self) -> dict[str, Any]:
        usual = Dice(self.name)
        fields = ("count", "sides", "plus", "total")
        changed = {key: value for key in fields if (value := getattr(self, key)) != getattr(usual, key)}
        return {"name": self.name} | changed


@dataclass(frozen=True)
class Cup:
    """A cup or deck that counters are drawn from at random, with what is in it at the start: unit and number."""

    name: str
    units: tuple[tuple[str, int], ...] = ()
    side: str | None = None
    note: str | None = None

    @classmethod
    def decode(cls, data: dict[str, Any]) -> Cup:
        held = tuple((unit, int(count)) for unit, count in data.get("units", {}).items())
        return cls(data["name"], held, data.get("side"), data.get("note"))

    def encode(self) -> dict[str, Any]:
        said: dict[str, Any] = {"name": self.name, "side": self.side, "units": dict(self.units) or None}
        said["note"] = self.note
        return {key: value for key, value in said.items() if value is not None}


@dataclass(frozen=True)
class Chart:
    """A chart to look at: a table, some lines of text, a picture of the folder, or several of these."""

    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    text: str | None = None
    image: str | None = None
    source: Source | None = None

    @classmethod
    def decode(cls, data: dict[str, Any]) -> Chart:
        rows = tuple(tuple(map(str, row)) for row in data.get("rows", ()))
        source = Source.decode(data["source"]) if "source" in data else None
        return cls(data["title"], tuple(data.get("columns", ())), rows, data.get("text"), data.get("image"), source)

    def encode(self) -> dict[str, Any]:
        said: dict[str, Any] = {"title": self.title, "columns": list(self.columns) or None}
        said |= {"rows": [list(row) for row in self.rows] or None, "text": self.text, "image": self.image}
        said["source"] = self.source.encode() if self.source else None
        return {key: value for key, value in said.items() if value is not None}


@dataclass(frozen=True)
class PlayFile:
    """What a game is played with. `call_outs` are the verbs of docs/call-outs.md that the game has use for."""

    game: str | None = None
    tracker: tuple[Level, ...] = ()
    dice: tuple[Dice, ...] = ()
    cups: tuple[Cup, ...] = ()
    charts: tuple[Chart, ...] = ()
    call_outs: tuple[str, ...] = ()
    odds: tuple[str, ...] = ()
    results: tuple[str, ...] = ()


def decode_play(data: dict[str, Any]) -> PlayFile:
    """From data of the right shape."""
    return PlayFile(
        data.get("game"),
        tuple(map(Level.decode, data.get("tracker", ()))),
        tuple(map(Dice.decode, data.get("dice", ()))),
        tuple(map(Cup.decode, data.get("cups", ()))),
        tuple(map(Chart.decode, data.get("charts", ()))),
        tuple(data.get("call_outs", ())),
        tuple(data.get("odds", ())),
        tuple(data.get("results", ())),
    )


def encode_play(it: PlayFile) -> dict[str, Any]:
    """The plain data of a play.yaml."""
    data: dict[str, Any] = {"version": VERSION}
    if it.game is not None:
        data["game"] = it.game
    for key in ("tracker", "dice", "cups", "charts"):
        if items := getattr(it, key):
            data[key] = [item.encode() for item in items]
    return data | {key: list(words) for key in ("call_outs", "odds", "results") if (words := getattr(it, key))}


def check_play(document: Document) -> Iterator[Problem]:
    """What is wrong with a play.yaml whose shape is right: names used twice, rows that do not fit their columns."""
    for section, key in (("dice", "name"), ("cups", "name"), ("charts", "title")):
        seen: set[str] = set()
        for i, item in enumerate(document.data.get(section, ())):
            if item[key] in seen:
                yield document.problem((section, i, key), f"the name {item[key]!r} is used twice")
            seen.add(item[key])
    for i, chart in enumerate(document.data.get("charts", ())):
        width = len(chart.get("columns", ()))
        for j, row in enumerate(chart.get("rows", ())):
            if width and len(row) != width:
                what = f"a row of {len(row)} cells under {width} columns"
                yield document.problem(("charts", i, "rows", j), what)
