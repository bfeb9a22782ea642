"""The logs of one game, in order: which battle it is, which map of the module it is fought on, and the verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import dist
from pathlib import Path

from converter.collecting import no_collection
from converter.errors import BadInput, OtherGame, Problem
from converter.hexgrid import Grid
from converter.scenario import MapFile
from converter.vassal.grids import BoardLayout
from converter.vassal.surface import Counter
from converter.vassal.turn_tracker import decode_state, readings, turn_text
from referee.logs.binding import fit, slots_of
from referee.logs.game import LogGame
from referee.logs.judging import continued, judge_log, open_log
from referee.logs.steps import LogTable
from referee.table.binding import Binding, Piece, piece_of, pieces_of
from referee.table.events import Added, Turn
from referee.table.replay import Replay
from referee.verdict import Judged

FEWEST = 3
SHARE = 0.25
"""A log is this game's if at least that many, and that part, of a battle's listed units are among its pieces."""
SKEW = 1.4


def recognise(game: LogGame, replay: Replay, binding: Binding, scenario: str | None = None) -> str:
    """Which battle a log is of; BadInput where it is none of them, or none can be told from the others."""
    if scenario is not None:
        game.scenario(scenario)
    pieces = [*pieces_of(replay), *(slots_of(replay.module) if replay.module else ())]
    found = {id: fit(game, game.scenario(id), pieces, binding) for id in ([scenario] if scenario else game.scenarios)}
    best = max(found, key=lambda id: found[id])
    listed = len({line.id for line in game.lines(game.scenario(best))})
    if found[best] < max(FEWEST, SHARE * listed) and not (binding.pieces and found[best]):
        name = replay.saved.module_name
        module = f"made with '{name}', which" if name else "it names no module, and this"
        raise OtherGame(
            f"{module} is not {game.id}: of {listed} units of {best} {found[best]} are among "
            "its pieces; if it is that game, a bind.yaml must say which piece is which unit (--bind)"
        )
    if list(found.values()).count(found[best]) > 1:
        raise BadInput(f"it is not clear which battle this is; say --game {game.id}/SCENARIO")
    return best


class LogSession:
    """Logs of one game, each beginning where the last one ended."""

    def __init__(
        self,
        game: LogGame,
        scenario: str,
        binding: Binding,
        map_path: Path | None = None,
        charts_path: Path | None = None,
    ) -> None:
        self.game = game
        self.scenario = game.scenario(scenario)
        self.binding = binding
        self.problems: list[Problem] = []
        self.map_file = self._map(map_path)
        self.charts = game.read_charts(charts_path, self.scenario)
        self.table: LogTable | None = None

    def _map(self, path: Path | None) -> MapFile:
        """What the rulebook tells of the map, completed with the user's."""
        wide = replace(self.game.sheet(self.scenario), grid=self.game.wide_grid(self.scenario))
        if path is None:
            return wide
        from converter.scenario import complete_map, read_map  # slow to load, and seldom needed

        merged, told = complete_map(wide, read_map(path / "map.yaml" if path.is_dir() else path))
        self.problems += told
        return merged

    @no_collection()
    def judge(self, replay: Replay) -> Judged:
        """Play a log to its end and judge it. Problems that concern this log are added to `problems`."""
        pieces = pieces_of(replay)
        battlefield, layout = self._battlefield(replay)
        if self.table is None or not continued(self.table, pieces, self.binding):
            self.table = self._open(pieces, battlefield)
        table = self.table
        court = table.court
        court.notes.clear()
        court.doubts[:] = self._skewed(layout, court.grid)
        opening = _tracker(replay)
        steps, newcomers = [], []
        for step in replay.steps():
            steps.append(step)
            for event in step.events:
                counter = replay.game.things.get(event.piece) if isinstance(event, Added) else None
                if isinstance(counter, Counter):
                    newcomers.append(piece_of(replay, counter))
        judged = judge_log(self.game, court, steps, newcomers, opening, table, self.binding)
        return replace(judged, notes=(*self._unbound(pieces, table), *judged.notes))

    def _open(self, pieces: Iterable[Piece], battlefield: str) -> LogTable:
        lying = [
            piece if piece.place.map == battlefield else replace(piece, place=replace(piece.place, hex=None))
            for piece in pieces
        ]
        court = open_log(self.game, self.scenario.id, lying, self.map_file, self.charts, self.binding)
        table = self.game.table(court, battlefield, self.binding.step)
        table.seen.update(unit.id for unit, _ in court.position.on_map())
        table.take_markers(lying, self.binding)
        for piece in lying:
            hex = table.hex(piece.place) if piece.id not in table.support.known else None
            if hex is not None and piece.id not in court.position.units:
                table.strays[piece.id] = hex
        return table

    def _battlefield(self, replay: Replay) -> tuple[str, BoardLayout]:
        """The map window whose hexes are numbered as the battle's."""
        module = replay.module
        if module is None:
            raise BadInput(
                f"to know which hex a piece is in, the module '{replay.saved.module_name}' is needed (--module)"
            )
        numbers = self.game.sheet(self.scenario).grid.numbers
        found: list[tuple[int, str, BoardLayout]] = []
        for game_map in module.maps:
            if self.binding.map not in (None, game_map.name, game_map.id):
                continue
            boards = replay.game.boards
            layout = game_map.layout(boards.get(game_map.name) or boards.get(game_map.id))
            known = sum(layout.point(number) is not None for number in numbers)
            found.append((known, game_map.name or game_map.id, layout))
        if not found:
            raise BadInput(f"the module has no map '{self.binding.map}', which the bind file names")
        known, name, layout = max(found, key=lambda entry: entry[0])
        if known * 2 < len(numbers):
            raise BadInput(
                f"no map of the module is numbered as {self.scenario.map}: {known} of its {len(numbers)} hexes are on "
                f"'{name}'"
            )
        return name, layout

    def _skewed(self, layout: BoardLayout, grid: Grid) -> list[str]:
        """Do hexes that touch by our map touch on the module's? If not, no distance on it is sure."""
        named = self.game.sheet(self.scenario).grid
        points = {number: point for number in named.numbers if (point := layout.point(number)) is not None}
        gaps = {
            (one, other): dist(points[one], points[other])
            for one in points
            for other in grid.neighbours(one)
            if other in points
        }
        if not gaps:
            return []
        lengths = sorted(gaps.values())
        usual = (lengths[(len(lengths) - 1) // 2] + lengths[len(lengths) // 2]) / 2
        for (one, other), gap in gaps.items():
            if gap > SKEW * usual:
                return [f"the lie of the hexes: {one} and {other} touch on the referee's map, not on the module's"]
        return []

    def _unbound(self, pieces: Iterable[Piece], table: LogTable) -> Iterable[str]:
        names = sorted({piece.name for piece in pieces if piece.id in table.strays and not self.binding.knows(piece)})
        if names:
            shown = ", ".join(names[:8]) + (" ..." if len(names) > 8 else "")
            yield f"{len(names)} kinds of pieces on the map are no units as far as is known: {shown}"


def _tracker(replay: Replay) -> Turn | None:
    """Where the module's turn tracker stands before the first step."""
    for id, state in replay.game.trackers.items():
        tracker = replay.module.turn_tracker(id) if replay.module else None
        if tracker is not None:
            decoded = decode_state(tracker, state)
            return Turn(tracker.name, tuple(readings(tracker, decoded)), turn_text(tracker, decoded))
    return None
