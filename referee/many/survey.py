"""A first look at each file: is it a log, of which module, by whom, and where it begins and ends.

A position is kept as a sketch, the smallest few of the hashes of all "this piece lies there": enough to tell whether
one log goes on where another stopped, and small enough to keep for a hundred thousand logs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from converter.errors import BadInput
from converter.vassal.archive import open_archive
from converter.vassal.module import read_build_file
from converter.vassal.surface import Counter
from referee.table.replay import Replay, open_replay

SKETCH = 96
MODULES = (".vmod", ".mod", ".vmdx")
GAMES = (".vlog", ".vsav", ".log", ".sav", "")


@dataclass(frozen=True)
class Survey:
    """What one file is. `kind` is log, save, module, other or bad; `why` says what is wrong or what else it is.

    `module` is the name of the module a log was played with, or the module's own.
    """

    kind: str
    why: str = ""
    module: str = ""
    players: tuple[str, ...] = ()
    opening: tuple[int, ...] = ()
    end: tuple[int, ...] = ()


def survey(path: str) -> Survey:
    """Look at one file. Whatever is wrong with it, this answers."""
    if Path(path).suffix.lower() in MODULES:
        return Survey("module", module=_own_name(path))
    try:
        replay = open_replay(path)
        if not replay.step_count:
            return Survey("save", "a saved position, no steps to judge", replay.saved.module_name)
        opening = sketch(replay.game.counters.values())
        replay.play_to()
    except BadInput as error:
        return Survey("bad" if Path(path).suffix.lower() in GAMES else "other", _without(path, error))
    end = sketch(replay.game.counters.values())
    return Survey("log", "", replay.saved.module_name, _roster(replay), opening, end)


def sketch(counters: Iterable[Counter]) -> tuple[int, ...]:
    """The position in short."""
    lying = (f"{counter.id}\t{counter.map.name if counter.map else ''}\t{counter.point}" for counter in counters)
    hashes = (int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest()) for text in lying)
    return tuple(sorted(set(hashes))[:SKETCH])


def likeness(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Which part of two positions is the same, judged by their sketches.

    >>> likeness((1, 2, 3, 4), (1, 2, 3, 9)), likeness((), (1,))
    (0.6, 0.0)
    """
    both = sorted({*one, *other})[:SKETCH]
    shared = {*one} & {*other}
    return sum(value in shared for value in both) / len(both) if both else 0.0


def _own_name(module: str) -> str:
    try:
        with open_archive(module) as archive:
            return read_build_file(archive, [])[0].root.get("name", "")
    except BadInput:
        return ""


def _roster(replay: Replay) -> tuple[str, ...]:
    return tuple(sorted({replay.blotter.text(player.name) for player in replay.game.players.values()}))


def _without(path: str, error: BadInput) -> str:
    """The message without the path, which may be of a temporary folder."""
    return str(error).removeprefix(f"{path}: ").replace(path, Path(path).name)
