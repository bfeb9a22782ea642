"""Phases as players name them, in the order of play; and one named by mistake, known by what was done under it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from referee.table.calendar import Calendar
from referee.table.clock import Moment, Time


class Said(NamedTuple):
    """A phase as announced; None where that part was not told."""

    turn: int | None
    side: str | None
    phase: str | None


class Doing(NamedTuple):
    """Something done that belongs into certain phases: `move` or `fight`, by which side, and by a leg unit or not.

    `times` are the sides and phases it belongs to, where the game tells them one by one.
    """

    what: str
    side: str | None = None
    leg: bool = False
    times: frozenset[Moment] = frozenset()

    def fits(self, moment: Moment, calendar: Calendar) -> bool:
        """Is this the time for it?"""
        if self.times:
            return moment in self.times
        if self.side is not None and moment.side != self.side:
            return False
        if self.what == "fight":
            return moment.phase in calendar.fighting
        return moment.phase in calendar.moving and not (self.leg and moment.phase in calendar.mobile)


Acts = tuple[int, tuple[Doing, ...]]  # a step and what is done in it


class Reckoning:
    """Counts the moments of a game from its first turn on."""

    def __init__(self, calendar: Calendar) -> None:
        self.calendar = calendar
        self.clock = calendar.clock(strict=False)

    def times(self, found: Sequence[Said]) -> list[Time | None]:
        """The moment of each announcement, where it is one; a turn nobody named is that of the moment before."""
        times: list[Time | None] = []
        last: Time | None = None
        for i, said in enumerate(found):
            now = last.place if last else -1
            places = self.clock.meant(said.side, said.phase, now) if said.phase is not None else []
            if said.phase in self.clock.reactions and not self._is_next(said, places, found[i + 1 : i + 2]):
                places = self.clock.places(None, said.phase)
            if len(places) != 1 and not self._is_group(said, places):
                times.append(None)
                continue
            turn = said.turn
            if turn is None and last is not None and last.turn is not None:
                turn = last.turn + (places[0] < last.place)
            last = Time(turn, places[0])
            times.append(last)
        return times

    def _is_next(self, said: Said, places: Sequence[int], coming: Sequence[Said]) -> bool:
        """Is a reaction the one it is taken for? If it is named after who reacts, the next announcement shows it."""
        literal = self.clock.places(said.side, said.phase)
        if list(places) == literal or not literal:
            return True
        same = [one for one in coming if one.phase is not None and one.turn in (None, said.turn)]
        ahead = [place for one in same for place in self.clock.places(one.side, one.phase)]
        behind = bool(places) and literal[0] < min(places)  # what the words say is over
        return bool(ahead) and min(places) < min(ahead) and (behind or min(ahead) < literal[0])

    def _is_group(self, said: Said, places: Sequence[int]) -> bool:
        """Is it one phase that is several moments? Then it begins with the first of them."""
        sides = {self.clock.moments[place].side for place in places}
        return said.phase in dict(self.clock.groups) and len(sides) == 1

    def phase(self, time: Time, ahead: int) -> str:
        """The phase so many moments later."""
        return self.clock.moments[(time.place + ahead) % len(self.clock.moments)].phase

    def order(self, time: Time | None) -> int | None:
        """The how many-th moment of the game it is."""
        return (time.turn or 0) * len(self.clock.moments) + time.place if time is not None else None

    def orders(self, times: Sequence[Time | None]) -> list[int | None]:
        """The same for a row of announcements. Where no turns were told, one begins when the phases begin again."""
        found: list[int | None] = []
        turn, last = 0, -1
        for time in times:
            if time is not None and time.turn is None:
                turn, last = turn + (time.place < last), time.place
                found.append(turn * len(self.clock.moments) + time.place)
            else:
                found.append(self.order(time))
        return found

    def readings(self, time: Time, after: int) -> Sequence[int]:
        """The moments that an announcement may mean that comes after another; one with its turn means but one."""
        if time.turn is not None:
            return (self.order(time) or 0,)
        turns = after // len(self.clock.moments)
        return tuple((turns + more) * len(self.clock.moments) + time.place for more in (0, 1))

    def at(self, order: int) -> Time:
        """The so many-th moment of the game."""
        turn, place = divmod(order, len(self.clock.moments))
        return Time(turn, place)

    def later(self, time: Time, ahead: int) -> Time:
        """So many moments later."""
        turns, place = divmod(time.place + ahead, len(self.clock.moments))
        return Time(time.turn + turns if time.turn is not None else None, place)

    def fit(self, moment: Moment, acts: Sequence[Acts]) -> bool:
        """May all of this have been done in one phase? In a phase of combat drags after a fight may be its results."""
        fought = False
        for _, done in acts:
            for one in done:
                if not one.fits(moment, self.calendar) and not (fought and one.what == "move"):
                    return False
                fought = fought or one.what == "fight"
        return True


def misnamed(reckoning: Reckoning, heard: Sequence[Said], under: Sequence[Sequence[Acts]]) -> dict[int, Time]:
    """Call-outs that were a slip of the tongue: which, and the phase that was meant.

    The others stand in order without it, and it not between its neighbours; all that was done under it fits a phase
    between them that nobody called out. Where nothing was done under it, the phase before may as well have gone on.
    """
    found: dict[int, Time] = {}
    said = list(heard)
    times = reckoning.times(said)
    orders = reckoning.orders(times)
    for i, acts in enumerate(under[:-1]):
        time = times[i]
        if time is None or (_in_order(orders, i) and not _begins_anew(said, times, i)):
            continue
        if not acts and not under[i + 1] and _next_is_odd(orders, i):
            continue
        meant = _meant(reckoning, said, i, time, acts)
        if meant is not None:
            found[i] = meant
            said[i] = Said(meant.turn, *reckoning.clock.moment(meant))
            times = reckoning.times(said)
            orders = reckoning.orders(times)
    return found


def _meant(reckoning: Reckoning, said: Sequence[Said], i: int, time: Time, acts: Sequence[Acts]) -> Time | None:
    """The phase meant by a call-out that may be a slip; None where it is none."""
    following = said[i + 1]
    if i == 0 and following.turn is None:
        following = following._replace(turn=time.turn)
    others = reckoning.times([*said[:i], following, *said[i + 2 :]])
    orders = reckoning.orders(others)
    before, after = (orders[i - 1] if i else None), orders[i]
    if after is None or (before is None and (i or not acts)):
        return None
    low = before if before is not None else after - len(reckoning.clock.moments)
    if any(low < order < after for order in reckoning.readings(time, low)):
        return None
    meant = _free(reckoning, range(low + 1, after), set(orders), acts)
    if meant is None:
        return others[i - 1] if i and not acts else None
    next_time, found = others[i], reckoning.at(meant)
    return found if next_time is not None and next_time.turn is not None else Time(None, found.place)


def _in_order(orders: Sequence[int | None], i: int) -> bool:
    """Does a call-out come after the one before and before the one after?"""
    before, here, after = (orders[i - 1] if i else None), orders[i], orders[i + 1]
    return here is None or after is None or ((before is None or before < here) and here < after)


def _next_is_odd(orders: Sequence[int | None], i: int) -> bool:
    """Does a call-out stand in order with those around it, if the one after it is left out?"""
    before, here, after = (orders[i - 1] if i else None), orders[i], orders[i + 1]
    following = orders[i + 2] if i + 2 < len(orders) else None
    if here is None or after is None or following is None:
        return False
    return (before is None or before < here) and after <= here < following


def _begins_anew(said: Sequence[Said], times: Sequence[Time | None], i: int) -> bool:
    """Do the phases begin again with a call-out or with the next one, without a word of another turn?"""
    row = [(one.turn, time.place) for one, time in list(zip(said, times, strict=True))[max(0, i - 1) : i + 2] if time]
    return any(turn is None and there <= here for (_, here), (turn, there) in pairwise(row))


def _free(reckoning: Reckoning, orders: range, called: set[int | None], acts: Sequence[Acts]) -> int | None:
    """The first phase among these moments in which all this may have been done and that nobody called out."""
    for order in orders:
        moment = reckoning.clock.moment(reckoning.at(order))
        if order not in called and moment.phase in reckoning.calendar.busy and reckoning.fit(moment, acts):
            return order
    return None
