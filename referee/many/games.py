"""Logs put together into games: one goes on where another stopped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from referee.many.files import Found, in_order
from referee.many.survey import Survey, likeness

GOES_ON = 0.9
"""A log continues another if that part of the pieces lies where the other left them."""

Log = tuple[Found, Survey]


def put_together(logs: Sequence[Log]) -> list[list[Found]]:
    """The games, each a list of its logs in order. A log that continues none begins a game of its own.

    Two games from one set-up begin alike, so a log must begin nearer to the other's end than to its beginning; players
    who are named in both must not be wholly different people.
    """
    games: list[list[Found]] = []
    for _, kin in sorted(_kin(logs).items()):
        after = _followers(kin)
        taken = {number for number in after.values() if number is not None}
        for number, (found, _) in enumerate(kin):
            if number not in taken:
                chain, at = [found], after.get(number)
                while at is not None:
                    chain.append(kin[at][0])
                    at = after.get(at)
                games.append(chain)
    return sorted(games, key=lambda chain: in_order(chain[0].shown))


def module_for(folder: str, name: str, modules: Sequence[Log]) -> Found | None:
    """The module of that name: in the folder, in the nearest one above it, or elsewhere if there is only one.

    >>> top, other = (Found("", "top/a.vmod"), Survey("module", module="A")), (Found("", "b/a.vmod"), Survey("module"))
    >>> module_for("top/round 1", "A", [top, other]).shown, module_for("top", "B", [top, other])
    ('top/a.vmod', None)
    """
    named = sorted((found for found, seen in modules if name and seen.module == name), key=lambda found: found.shown)
    above = [found for found in named if f"{folder}/".startswith(_folder(found) + "/")]
    if above:
        return max(above, key=lambda found: len(_folder(found)))
    return named[0] if len(named) == 1 else None


def _folder(found: Found) -> str:
    return found.shown.rpartition("/")[0]


def _kin(logs: Iterable[Log]) -> dict[tuple[str, str], list[Log]]:
    """Logs that may belong together: of one module, in one folder."""
    kin: dict[tuple[str, str], list[Log]] = defaultdict(list)
    for found, seen in logs:
        kin[_folder(found), seen.module].append((found, seen))
    return kin


def _followers(kin: Sequence[Log]) -> dict[int, int]:
    """For each log the one that goes on from it; the best fits are made first, and nothing goes round in a ring."""
    by_piece: dict[int, list[int]] = defaultdict(list)
    for number, (_, seen) in enumerate(kin):
        for value in seen.opening[:8]:
            by_piece[value].append(number)
    fits: list[tuple[float, int, int]] = []
    for one, (_, before) in enumerate(kin):
        candidates = {other for value in before.end for other in by_piece.get(value, ())} - {one}
        for other in candidates:
            after = kin[other][1]
            fit = likeness(before.end, after.opening)
            moved = before.end != before.opening
            nearer = fit > likeness(before.opening, after.opening)
            strangers = before.players and after.players and not {*before.players} & {*after.players}
            if fit >= GOES_ON and moved and nearer and not strangers:
                fits.append((-fit, one, other))
    after_of: dict[int, int] = {}
    led: set[int] = set()
    for _, one, other in sorted(fits):
        if one not in after_of and other not in led and not _leads_to(after_of, other, one):
            after_of[one] = other
            led.add(other)
    return after_of


def _leads_to(after_of: dict[int, int], start: int, goal: int) -> bool:
    at: int | None = start
    while at is not None and at != goal:
        at = after_of.get(at)
    return at == goal
