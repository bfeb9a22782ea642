"""A log as a film: for every counter a track of where it lies and how it looks, from the opening to the last step.

A track is a flat list of whole numbers, `step, map, x, y, height, look` again and again, one group for each change;
map -1 is nowhere (not in play, hidden, or face down in a deck). The viewer finds any moment by looking it up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from converter.vassal import piece_view
from converter.vassal.piece_look import look
from converter.vassal.surface import Counter, Pile
from referee.table import as_json, show
from referee.table.events import Added, Changed, Event, Moved, Removed, Stacked
from referee.table.replay import Replay

Json = dict[str, Any]
MARK = {"Moved"}
"""What VASSAL notes on every counter that is dragged; that it moved is told anyway."""
OUT_OF_SIGHT = (-1, 0, 0, 0, 0)


class Film:
    """Records a replay while it is played."""

    def __init__(self, replay: Replay, reveal: bool = False) -> None:
        self.replay = replay
        self.reveal = reveal
        self.maps: dict[str, int] = {}
        self.looks: dict[str, int] = {}
        self.look_list: list[Json] = []
        self.tracks: dict[str, list[int]] = {}
        self.rows: list[Json] = []
        self._last: dict[str, tuple[int, ...]] = {}
        self._piles: dict[str, Pile | None] = {}
        self._known_looks: dict[tuple[str, tuple[str, ...]], int] = {}

    def record(self) -> Json:
        """Play the whole log; what the viewer needs of it."""
        self._note(0, self.replay.game.counters.values())
        for step in self.replay.steps():
            self._note(step.number, self._touched(step.events))
            told = as_json.step(step, self.replay, self.reveal)
            self.rows.append(_row(told))
        return {
            "maps": list(self.maps),
            "looks": self.replay.blotter.clean(self.look_list),
            "tracks": list(self.tracks.values()),
            "rows": self.rows,
        }

    def _touched(self, events: Iterable[Event]) -> dict[str, Counter | None]:
        """The counters that a step may have shifted: those it names, and those they lay or lie with."""
        named: set[str] = set()
        for event in events:
            if isinstance(event, Moved | Added | Removed | Changed):
                named.add(event.piece)
            elif isinstance(event, Stacked):
                named.update(event.pieces)
        touched: dict[str, Counter | None] = {}
        for id in named:
            thing = self.replay.game.things.get(id)
            counter = thing if isinstance(thing, Counter) else None
            touched[id] = counter
            for pile in (self._piles.get(id), counter.pile if counter else None):
                if pile is not None:
                    touched.update((member.id, member) for member in pile.members)
        return touched

    def _note(self, step: int, counters: Iterable[Counter] | dict[str, Counter | None]) -> None:
        pairs = counters.items() if isinstance(counters, dict) else [(counter.id, counter) for counter in counters]
        heights: dict[Pile, dict[str, int]] = {}
        for id, counter in pairs:
            pile = counter.pile if counter is not None else None
            if pile is not None and pile not in heights:
                heights[pile] = {member.id: height for height, member in enumerate(pile.members)}
            self._piles[id] = pile
            height = heights[pile].get(id, 0) if pile is not None else 0
            now = self._seen(counter, height) if counter is not None else OUT_OF_SIGHT
            if self._last.get(id, OUT_OF_SIGHT) != now:
                self._last[id] = now
                self.tracks.setdefault(id, []).extend((step, *now))

    def _seen(self, counter: Counter, height: int) -> tuple[int, ...]:
        pile = counter.pile
        covered = counter.hidden_by is not None or (pile is not None and pile.deck is not None and pile.face_down)
        place = self.replay.layout.place(counter)
        if place.map is None or (covered and not self.reveal):
            return OUT_OF_SIGHT
        index = self.maps.setdefault(place.map, len(self.maps))
        return index, place.x, place.y, height, self._look(counter)

    def _look(self, counter: Counter) -> int:
        key = (counter.type, counter.states[:-1])  # the last state is where it lies
        known = self._known_looks.get(key)
        if known is None:
            traits = counter.traits
            seen = look(traits, public=not self.reveal)
            told: Json = {"name": piece_view.name(traits, public=not self.reveal)}
            told["pictures"] = [[p.image, p.dx, p.dy, p.degrees, p.scale] for p in seen.pictures]
            told["labels"] = [asdict(label) for label in seen.labels]
            side = piece_view.properties(traits, public=not self.reveal).get("Side")
            if side:
                told["side"] = side
            known = self._known_looks[key] = self.looks.setdefault(repr(told), len(self.looks))
            if known == len(self.look_list):
                self.look_list.append(told)
        return known


def _row(told: Json) -> Json:
    """A step for the viewer's list: who did it, what happened, what was said."""
    said = [event["text"] for event in told["events"] if event["type"] == "chat"]
    silent = [event for event in told["events"] if event["type"] != "chat"]
    done = show.event_lines({**told, "events": [e for e in silent if e.get("properties", {}).keys() != MARK]})
    row: Json = {}
    if told["player"]:
        row["player"] = told["player"]
    if done:
        row["done"] = done
    if said:
        row["said"] = list(map(show.plain, said))
    return row
