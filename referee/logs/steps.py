"""A log's steps in the court's terms: pieces that are units, hexes of the battlefield, names in call-outs as ids."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from referee.court import Court
from referee.logs.clock import spoken
from referee.logs.docket import Case, Docket, at
from referee.logs.game import LogGame
from referee.logs.markers import SupportPieces, bind_markers
from referee.logs.reckoning import Doing
from referee.table import callouts
from referee.table.acts import Step
from referee.table.binding import STEP_PROPERTY, Binding, Piece
from referee.table.events import Added, Changed, Chat, Declared, Event, Moved, Place, Removed, Rolled
from referee.table.ledger import Fact, Ledger
from referee.table.position import Position
from referee.table.units import Unit

_NAMES = ("attackers", "defenders", "units", "by")
_NUMBERED = re.compile(r"#(\w+)$")
_OF_COMBAT = ("claim", "support", "wave", "stiff", "pass", "reveal")


class LogLedger(Ledger):
    """While the phase is not certain, what belongs to a phase is not noted: it might be held against a later one."""

    certain = False

    def __init__(self, passing: Collection[str]) -> None:
        super().__init__()
        self.passing = passing

    def add(self, fact: Fact) -> None:
        if fact.what == "eliminated" and self.any("eliminated", fact.who):
            return  # the same counter, seen to go and then judged
        if fact.what not in self.passing or (self.certain and fact.phase is not None):
            super().add(fact)


class Waiting(NamedTuple):
    """Something that was said, to be judged later by the table as it lay then."""

    step: int
    event: Declared
    position: Position


@dataclass
class LogTable:
    """What a log's reader remembers besides the court."""

    game: LogGame
    court: Court[Any, Any]
    battlefield: str | None = None
    step_property: str = STEP_PROPERTY
    certain: bool = False
    tracked: bool = False  # the time is only what the turn tracker shows
    between_own_moves: bool = False  # the side that the tracker shows moves before and after this step
    begun: bool = False  # some phase was announced: the set-up is over
    dice_used: bool = False
    strays: dict[str, str] = field(default_factory=dict)  # pieces that are no units, and the hexes they lie in
    seen: set[str] = field(default_factory=set)  # units that have been on the map
    rolls: int = 0
    rolls_before: int = 0  # in the phase before in which something was done, as announced
    engaged: set[str] = field(default_factory=set)  # units next to an enemy when a die was thrown in this phase
    looked_at: object = None  # the state of the table when they were last looked for
    quiet: bool = True  # nothing was done since the last announcement
    stray_moves: int = 0  # since the last declaration
    newcomers: Mapping[str, Unit] = field(default_factory=dict)
    left: dict[str, list[str]] = field(default_factory=dict)  # hexes that a unit was taken from in this phase
    last_dragged: str = ""
    taken_from: list[str | None] = field(default_factory=list)  # where its last drags began, nothing else being touched
    drags: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)  # the last of each unit in this phase
    drags_before: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)  # in the one before
    put_back: dict[str, str | None] = field(default_factory=dict)  # units dragged back to where that drag began
    turned: set[str] = field(default_factory=set)  # units turned to a worse side in this phase
    last_turned: str = ""  # such a unit, if nothing was done since
    setting_up: bool = False  # most units come on the map while the log runs
    support: SupportPieces = field(default_factory=SupportPieces)
    case: Case | None = None  # the combat that is judged just now
    docket: Docket = field(init=False)

    def __post_init__(self) -> None:
        self.docket = Docket(self.court)

    def take_markers(self, pieces: Iterable[Piece], binding: Binding | None, on_the_map: bool = True) -> None:
        """Know the support markers among the pieces, and where they lie."""
        for piece, marker in bind_markers(self.game, self.court.scenario, pieces, binding):
            known = self.support.add(piece.id, marker)
            self.court.markers[known.name] = known
            if on_the_map:
                self.support.put(piece.id, self.hex(piece.place), 0)

    def hex(self, place: Place) -> str | None:
        """The hex of the battlefield at a place."""
        if place.map is None or (self.battlefield is not None and place.map != self.battlefield):
            return None
        return place.hex if place.hex is not None and place.hex in self.court.grid else None

    def new_phase(self) -> None:
        """Forget what counted for the phase that is over."""
        if not self.quiet:
            self.rolls_before, self.rolls, self.quiet = self.rolls, 0, True
        self.left.clear()
        self.turned.clear()
        self.drags_before, self.drags = self.drags, {}
        self.put_back.clear()
        self.docket.engaged_before, self.engaged = self.engaged, set()
        self.looked_at = None

    def events(self, step: Step) -> Iterator[Event]:
        """What the court judges of a step. The rest is done to the table without a word."""
        for event in step.events:
            if isinstance(event, (Moved, Added, Removed, Rolled)):
                self.last_turned = ""
            self.quiet = self.quiet and not isinstance(event, (Moved, Added, Removed, Changed, Rolled))
            if isinstance(event, Moved):
                yield from self._moved(event, step.number)
            elif isinstance(event, Added):
                yield from self._added(event, step.number)
            elif isinstance(event, Removed):
                self._removed(event, step.number)
            elif isinstance(event, Changed):
                yield from self._changed(event, step.number)
            elif isinstance(event, Rolled):
                yield from self._rolled(event, step.number)
            elif isinstance(event, Chat):
                yield from self._chat(event, step.number)

    def doings(self, step: Step) -> Iterator[Doing]:
        """What a step does that belongs into certain phases."""
        for event in step.events:
            if isinstance(event, (Moved, Added)):
                unit = self.court.position.units.get(event.piece) or self.newcomers.get(event.piece)
                to = self.hex(event.to if isinstance(event, Moved) else event.at)
                here = self.hex(event.origin) if isinstance(event, Moved) else None
                if unit is not None and to is not None and to != here:
                    yield Doing("move", unit.side, unit.mobile is False)
            elif isinstance(event, Rolled):
                yield Doing("fight")
            elif isinstance(event, Chat) and (text := spoken(event)) is not None:
                found = callouts.read(text) if text.lstrip("-* ").startswith("@") else None
                if found is not None and found.what in (*self.game.declaring, "support", "wave", "stiff"):
                    yield Doing("fight")

    def arriving(self, step: Step) -> int:
        """How many units come on the map in a step."""
        known = self.court.position.units
        put_down = (isinstance(event, Added) and event.piece in self.newcomers for event in step.events)
        brought = (
            isinstance(event, Moved)
            and event.piece in known
            and self.hex(event.origin) is None
            and self.hex(event.to) is not None
            for event in step.events
        )
        return sum(put_down) + sum(brought)

    def quietly(self, step: Step) -> None:
        """Do a step without judging it."""
        for event in step.events:
            if isinstance(event, Moved) and event.piece in self.court.position.units:
                self.court.position.put(event.piece, self.hex(event.to))
            elif isinstance(event, Added):
                self._join(event)
            elif isinstance(event, Removed) and event.piece in self.court.position.units:
                self.court.position.take(event.piece)
            elif isinstance(event, Changed):
                self._show(event)

    def any_move(self, unit: Unit) -> Doing:
        """A move of a unit, in any phase that lets it."""
        return Doing("move", unit.side, unit.mobile is False)

    def waiting(self) -> Iterator[Waiting]:
        """What was said and waits for the end of the phase."""
        return iter(())

    # --- pieces

    def _moved(self, event: Moved, step: int) -> Iterator[Event]:
        origin, to = self.hex(event.origin), self.hex(event.to)
        court = self.court
        if event.piece not in court.position.units:
            self._stray(event.piece, to, step)
            return
        if court.position.where(event.piece) != origin:
            court.position.put(event.piece, origin)
        if origin is not None:
            self.seen.add(event.piece)
        elif to is not None:
            court.ledger.forget("eliminated", event.piece)  # it was only put aside
        if origin == to:
            return
        if self.drags_before.pop(event.piece, None) == (to, origin):
            self.put_back[event.piece] = to
        self.drags[event.piece] = (origin, to)
        self.taken_from = [*self.taken_from, origin] if event.piece == self.last_dragged else [origin]
        self.last_dragged = event.piece
        if self.docket.open and (origin is not None or event.piece in self.docket.histories):
            self.docket.moved(step, event.piece, origin, to)
            if to is not None:
                self._put(event.piece, to, step)
                return
        if to is None:
            self._off(event.piece, step)
        elif self._is_judged(event.piece, origin, to):
            yield Moved(event.piece, event.name, at(origin), at(to))
        else:
            self._put(event.piece, to, step)

    def _put(self, id: str, to: str, step: int) -> None:
        """Move a unit without a word; the hex is its side's from now on."""
        court = self.court
        unit = court.unit(id)
        court.position.put(id, to)
        told = {"by": unit.side, "unit": id, "size": unit.size, "dummy": unit.dummy}
        court.ledger.add(Fact("captured", to, court.turn, court.phasing, court.phase, step, told))

    def _is_judged(self, id: str, origin: str | None, to: str) -> bool:
        """A unit that comes (back) from off the map may be set up, rebuilt or corrected; a drag may be a result."""
        if self.setting_up and not self.begun and not self.rolls:
            return False
        if origin is None:
            return self.begun and self._turn_known and id not in self.seen
        return not self._is_combat_result(id, origin, to)

    @property
    def _turn_known(self) -> bool:
        return self.certain or (self.tracked and self.court.turn is not None)

    def _added(self, event: Added, step: int) -> Iterator[Event]:
        if not self._join(event):
            self._stray(event.piece, self.hex(event.at), step)
            return
        to = self.hex(event.at)
        if to is None:
            return
        unit = self.court.unit(event.piece)
        friends = self.court.position.friends_at(to, unit.side)
        swapped = len(friends) > 1 or unit.side in self.left.get(to, ())  # one counter put down for another
        if self.begun and self._turn_known and not swapped:
            self.court.position.take(event.piece)
            yield Moved(event.piece, event.name, at(None), at(to))

    def _join(self, event: Added) -> bool:
        unit = self.newcomers.get(event.piece)
        if unit is not None:
            self.court.position.add(unit, self.hex(event.at))
        return unit is not None

    def _removed(self, event: Removed, step: int) -> None:
        self.strays.pop(event.piece, None)
        if event.piece in self.support.known:
            self.support.put(event.piece, None, step)
        if event.piece in self.court.position.units:
            if self.docket.open:
                self.docket.moved(step, event.piece, self.hex(event.origin), None, deleted=True)
            self._off(event.piece, step)

    def _off(self, id: str, step: int) -> None:
        """Off the map, to a pool, a box or out of the game: eliminated for all we can see, and free to come back."""
        court = self.court
        hex = court.position.where(id)
        if hex is None:
            return
        court.position.take(id)
        self.left.setdefault(hex, []).append(court.unit(id).side)
        court.ledger.add(Fact("eliminated", id, court.turn, court.phasing, court.phase, step, {"hex": hex}))
        self.seen.add(id)

    def _changed(self, event: Changed, step: int) -> Iterator[Event]:
        told = next(((old, new) for name, old, new in event.properties if name == self.step_property), None)
        if told is None or event.piece not in self.court.position.units:
            return
        before = self.court.unit(event.piece)
        after = self.face(before, told[1])
        put_right = event.piece in {*self.turned, self.last_turned} and _level(told[1]) < _level(told[0])
        self.last_turned = event.piece if _level(told[1]) > _level(told[0]) else ""
        if self.docket.open and (_level(told[1]) > _level(told[0]) or put_right):
            self.docket.turned(step, event.piece, *told)
            if put_right and not self.court.must_be(None, self.court.fighting):
                self.docket.turned_up.add(event.piece)
            self.turned.add(event.piece)
            self.court.position.change(after)
            return
        lost = _level(told[1]) > _level(told[0]) and not self.certain  # in some combat, for all that is known
        if self.court.position.where(event.piece) is None or not self.begun or put_right or lost:
            self.court.position.change(after)
        elif _level(told[1]) > _level(told[0]):
            self.turned.add(event.piece)
            yield Changed(event.piece, event.name, (("step", str(before.face), str(after.face)),))
        elif _level(told[1]) < _level(told[0]):
            yield Changed(event.piece, event.name, (("step", str(before.face), "full"),))

    def _show(self, event: Changed) -> None:
        """Turn a unit to the face its counter shows."""
        for name, _, new in event.properties:
            if name == self.step_property and event.piece in self.court.position.units:
                self.court.position.change(self.face(self.court.unit(event.piece), new))

    def settle_faces(self, step: Step) -> None:
        """After a step was judged: whatever the court made of a flip, the counter shows what it shows."""
        for event in step.events:
            if isinstance(event, Changed):
                self._show(event)

    def face(self, unit: Unit, level: str) -> Unit:
        """The unit on the side that a level of its step layer shows."""
        return self.game.as_shown(unit, {self.step_property: level}, self.step_property)

    def _stray(self, piece: str, hex: str | None, step: int) -> None:
        if piece in self.support.known:
            self.support.put(piece, hex, step)
            return
        self.stray_moves += 1
        if hex is None:
            self.strays.pop(piece, None)
        else:
            self.strays[piece] = hex

    def strays_in_combat(self) -> int:
        """Pieces that are no units and may belong to the combat that is judged."""
        return self.case.strays if self.case is not None else self.stray_moves

    def _around(self, case: Case) -> int:
        """Pieces that are no units near a combat, or moved since it was declared."""
        near = sum(hex in case.hexes for hex in self.strays.values())
        return self.stray_moves + near + self.support.left_over(case, self.docket.since())

    def settle_strays(self) -> None:
        """The last combat of a phase that nobody rolled for: what lies around it now."""
        for case in self.docket.cases[-1:]:
            if not case.rolls:
                case.strays = self._around(case)

    def _rolled(self, event: Rolled, step: int) -> Iterable[Event]:
        self.rolls += 1
        self.drags.clear()
        self.drags_before.clear()
        if self.game.fought_in_contact and self.looked_at is not self.court.position.state:
            self.looked_at = self.court.position.state
            self.engaged |= self._in_contact()
        case = self.docket.cases[-1] if self.docket.cases else None
        if case is not None and not case.rolls:
            case.strays = self._around(case)
            case.markers = self.support.in_case(case, self.docket.since())
        self.docket.roll(step, event)
        return ()

    def _in_contact(self) -> set[str]:
        """The units with an enemy in a neighbouring hex."""
        court, index = self.court, self.court.grid.index
        units = [(unit, index.of[hex]) for unit, hex in court.position.on_map() if hex in index.of]
        held = {side: court.blocked_for(side) for side in {unit.side for unit, _ in units}}
        return {unit.id for unit, at in units if not held[unit.side].isdisjoint(index.neighbours[at])}

    # --- combat

    def _is_combat_result(self, id: str, origin: str, to: str) -> bool:
        """May a drag be a retreat, an advance or a displacement, in a phase that is not known to be one of movement?"""
        court = self.court
        if not court.must_be(None, court.fighting) and (self.certain or court.may_be(None, court.moving)):
            return False
        return court.distance(origin, to) <= self.game.farthest

    def may_be_result(self) -> bool:
        """May a short drag be the result of a combat? If dice are rolled at this table, only after one."""
        if self.certain:
            return False
        return not (self.tracked and self.dice_used) or bool(self.rolls + self.rolls_before)

    # --- call-outs

    def _chat(self, event: Chat, step: int) -> Iterator[Event]:
        text = spoken(event)
        found = (
            callouts.read(text, verbs=self.game.callouts)
            if text is not None and text.lstrip("-* ").startswith("@")
            else None
        )
        if found is None and text is not None:
            self.docket.heard(text)
        if found is None or found.what == "phase":
            return
        fields = dict(found.fields)
        for key in _NAMES:
            if key in fields and not self._resolve(fields, key, found.what):
                self.court.notes.append(f"'{text}' was not used: it is not clear which units are meant")
                self.docket.blurred = self.docket.blurred or found.what in self.game.declaring
                return
        if found.what == "support" and isinstance(fields.get("for"), str) and fields["for"] not in self.court.grid:
            ids = self._ids(fields["for"])
            fields["for"] = ids[0] if len(ids) == 1 else None
        slip = self._slip(fields) if found.what in self.game.declaring else None
        if slip is not None:
            self.court.notes.append(f"'{text}' was not used: {slip}")
            self.docket.blurred = True
            return
        if found.what == "cancel":
            self.docket.cancel()
            return
        declared = Declared(found.what, tuple(fields.items()), found.text)
        if found.what in self.game.declaring:
            self.stray_moves = 0
            self.docket.declare(step, declared, self.certain)
        elif found.what not in _OF_COMBAT or not self.docket.say(step, declared):
            yield declared

    def _slip(self, fields: Mapping[str, Any]) -> str | None:
        """Why a declaration cannot be what was played: it names units of both sides, or a hex without an enemy."""
        court, target = self.court, fields.get("target")
        sides = {court.unit(id).side for id in fields.get("attackers") or ()}
        if not sides and "attackers" in fields:
            return "it names nobody"
        if len(sides) > 1:
            return "it names attackers of both sides"
        if isinstance(target, str) and target in court.grid and sides and not self._held(target, *sides):
            return f"no enemy unit is in {target}"
        return None

    def _held(self, hex: str, side: str) -> bool:
        """Is an enemy of a side, or a piece that may be one, in a hex?"""
        return bool(self.court.position.enemies_at(hex, side)) or hex in self.strays.values()

    def _resolve(self, fields: dict[str, Any], key: str, what: str) -> bool:
        """Put ids for the names under a key; False where a name fits no unit or several. Markers are not units."""
        if what == "bombard" and key == "by":
            return True
        ids: list[str] = []
        for name in fields[key]:
            found = self._ids(str(name))
            if len(found) != 1:
                return False
            ids += found
        fields[key] = tuple(ids)
        return True

    def _ids(self, name: str) -> list[str]:
        """The units on the map that players may mean by a name; `6 #10031` is the piece of that number."""
        position = self.court.position
        if number := _NUMBERED.search(name):
            return [number[1]] if number[1] in position.units else []
        known = [unit for unit, _ in position.on_map()] or list(position.units.values())
        exact = [unit.id for unit in known if unit.name.lower() == name.lower()]
        wanted = self.game.words(name)
        return exact or [unit.id for unit in known if wanted and self.game.words(unit.name) == wanted]


def _level(text: str) -> int:
    return int(text) if text.lstrip("-").isdigit() else 0
