"""Support markers that are pieces: one that lies in the hex of a combat when the die is thrown is put into it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.court import Marker
from referee.logs.docket import Case
from referee.logs.game import LogGame
from referee.table.binding import Binding, Piece
from referee.table.events import Declared, Event

_VALUE = re.compile(r"\+\s*(\d{1,2})(?!\d)")
_BARE = re.compile(r"\W*(?:(?P<side>[A-Za-z]+)\W+)?\+?(?P<value>\d{1,2})\W*")


def marker_for(game: LogGame, scenario: Any, piece: Piece, binding: Binding | None = None) -> Marker | None:
    """The support marker that a piece is, by the bind file or by the markers of modules made by hexref."""
    own = piece.properties
    told: Mapping[str, Any] = (binding.marker(piece) if binding is not None else None) or {}
    kind = str(told.get("kind") or own.get("Marker") or "")
    if "support" not in kind.lower():
        return None
    spoken = told.get("side") or own.get("Owner") or piece.side or piece.name.split("+")[0].strip()
    side = game.calendar(scenario).side_of(spoken)
    value = told.get("value", own.get("Support"))
    found = re.fullmatch(r"\+?(\d{1,2})", str(value)) if value is not None else _VALUE.search(piece.name)
    return Marker(piece.name, "support", side if side in scenario.sides else None, int(found[1]) if found else None)


@dataclass
class SupportPieces:
    """The support markers on the table, by their pieces: each has a name of its own, whatever is printed on it."""

    known: dict[str, Marker] = field(default_factory=dict)
    lying: dict[str, tuple[str, int]] = field(default_factory=dict)  # the hex a piece lies in, and since which step

    def add(self, id: str, marker: Marker) -> Marker:
        """Take a piece in; the second one of a name is told from the first."""
        if id not in self.known:
            names = {other.name for other in self.known.values()}
            number = 2
            name = marker.name
            while name in names:
                name, number = f"{marker.name} ({number})", number + 1
            marker.name = name
            self.known[id] = marker
        return self.known[id]

    def put(self, id: str, hex: str | None, step: int) -> None:
        """A marker is laid into a hex, or taken off the map."""
        self.known[id].hex = hex
        if hex is None:
            self.lying.pop(id, None)
        else:
            self.lying[id] = (hex, step)

    def in_case(self, case: Case, since: int) -> list[tuple[int, str]]:
        """The pieces that lie in the hexes of a combat and were laid there after step `since`."""
        found = ((step, id) for id, (hex, step) in self.lying.items() if hex in case.hexes and step > since)
        return sorted(found)

    def left_over(self, case: Case, since: int) -> int:
        """How many lie there from before: used up, or meant for this combat, who knows."""
        return sum(hex in case.hexes and step <= since for hex, step in self.lying.values())

    def support(self, case: Case) -> Iterator[tuple[int, Event]]:
        """What was said of a combat's support, with its pieces put for names, and those that nobody spoke of."""
        spare = list(case.markers)
        for number, event in case.said:
            if isinstance(event, Declared) and event.what == "support":
                fields = dict(event.fields)
                fields["marker"] = self._identified(fields.get("marker"), spare)
                yield number, Declared("support", tuple(fields.items()), event.text)
            else:
                yield number, event
        for step, id in spare:
            marker = self.known[id]
            fields = {"marker": marker.name, "side": marker.side, "unordered": True}
            yield step, Declared("support", tuple(fields.items()))

    def declaration(self, case: Case) -> Declared:
        """The call-out with its pieces put for the markers it names."""
        fields = dict(case.event.fields)
        if case.event.what == "bombard" and fields.get("by"):
            fields["by"] = tuple(self._identified(one, case.markers) for one in fields["by"])
        return Declared(case.event.what, tuple(fields.items()), case.event.text)

    def _identified(self, spoken: Any, spare: list[tuple[int, str]]) -> Any:
        """The piece that a name means, which is then no longer spare. `UN +4` alone may be any of its value."""
        text = str(spoken or "").strip()
        bare = _BARE.fullmatch(text)
        for entry in spare:
            marker = self.known[entry[1]]
            same = bare is not None and int(bare["value"]) == marker.value
            if text.lower() == marker.name.lower() or same:
                spare.remove(entry)
                return marker.name
        if bare is None:
            return spoken
        return {"marker": f"+{bare['value']}", **({"side": bare["side"]} if bare["side"] else {})}


def bind_markers(
    game: LogGame, scenario: Any, pieces: Iterable[Piece], binding: Binding | None
) -> Iterator[tuple[Piece, Marker]]:
    """The support markers among the pieces."""
    for piece in pieces:
        marker = marker_for(game, scenario, piece, binding)
        if marker is not None:
            yield piece, marker
