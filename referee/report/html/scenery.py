"""What lies under and on the counters in the page: board pictures, the hexes with their numbers, counter pictures."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from PIL import Image

from converter.errors import BadInput
from converter.scenario import MapFile
from converter.vassal.archive import Archive, open_archive
from converter.vassal.grids import BoardLayout, HexGrid
from converter.vassal.grids.board import OFFBOARD, PlacedBoard
from converter.vassal.grids.zoned_grid import ZonedGrid
from converter.vassal.image_size import image_size
from converter.vassal.maps import GameMap
from referee.report.html.own_map import own_map
from referee.table.replay import Replay

Json = dict[str, Any]

MOST_HEXES = 20_000
BOARD_BYTES, BOARD_PIXELS, BOARD_SIDE = 4_000_000, 24_000_000, 5_000
"""A board picture bigger than that goes into the page as a smaller JPEG."""
MOST_PIXELS = 200_000_000
COUNTER_BYTES = 400_000
_KINDS = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif", b"RIFF": "image/webp"}


def scenery(
    replay: Replay, module_path: Path | None, maps: Iterable[str], looks: Iterable[Json], ground: MapFile | None = None
) -> Json:
    """The map windows that are used, and all pictures by name as data addresses.

    `ground` is the map as the referee knows it; it is drawn where the module has no picture of it.
    """
    wanted = {paint[0] for look in looks for paint in look["pictures"]}
    pictures: dict[str, str] = {}
    if module_path is None:
        return {"windows": [{"name": name, "boards": [], "hexes": []} for name in maps], "pictures": pictures}
    with open_archive(module_path) as archive:
        windows = [_window(name, replay, archive, pictures, ground) for name in maps]
        for name in sorted(wanted):
            _add(pictures, name, _small(_bytes(archive, name)))
    return {"windows": windows, "pictures": pictures}


def _window(name: str, replay: Replay, archive: Archive, pictures: dict[str, str], ground: MapFile | None) -> Json:
    game_map = replay.module.map(name) if replay.module else None
    layout = replay.layout.boards_of(name)
    if game_map is None or layout is None:
        return {"name": name, "boards": [], "hexes": []}
    boards = [_board(placed, game_map, archive, pictures) for placed in layout.boards]
    window: Json = {"name": name, "boards": boards, "hexes": list(_hexes(layout))}
    grid = next((found for placed in layout.boards if (found := _hex_grid(placed)) is not None), None)
    if grid is not None:
        window["hex"] = {"dx": grid.dx, "dy": grid.dy, "sideways": grid.sideways}
    if ground is not None and not any("picture" in board for board in boards):
        _draw(window, ground, layout, pictures)
    return window


def _draw(window: Json, ground: MapFile, layout: BoardLayout, pictures: dict[str, str]) -> None:
    """Put a drawing of ours into a window without any picture of its map."""
    own = own_map(ground, layout)
    if own is None:
        return
    width, height = own.size
    board = {"name": ground.title or ground.name, "x": 0, "y": 0, "width": width, "height": height}
    window["boards"].append({**board, "picture": "own map", "matrix": list(own.matrix)})
    window["hexes"] = window["hexes"] or [list(hex) for hex in own.hexes]
    _add(pictures, "own map", own.picture)


def _board(placed: PlacedBoard, game_map: GameMap, archive: Archive, pictures: dict[str, str]) -> Json:
    board = game_map.board(placed.name)
    width, height = placed.size or (0, 0)
    told: Json = {"name": placed.name, "x": placed.left, "y": placed.top, "width": width, "height": height}
    if board is not None and board.image and placed.size:
        key = f"board:{board.image}"
        if key not in pictures:
            _add(pictures, key, _board_picture(_bytes(archive, board.image)))
        if key in pictures:
            told["picture"] = key
            told["turned"] = placed.reversed
    return told


def _hexes(layout: BoardLayout) -> Iterator[list[Any]]:
    """Every hex of the boards as [number, x, y] of its middle."""
    seen: set[tuple[int, int]] = set()
    for placed in layout.boards:
        grid = _hex_grid(placed)
        if grid is None or placed.size is None or not layout.known:
            continue
        across, down = (grid.dy, grid.dx) if grid.sideways else (grid.dx, grid.dy)
        columns, rows = int(placed.size[0] / across) + 2, int(placed.size[1] / down * 2) + 2
        if columns * rows > 4 * MOST_HEXES:
            continue
        for column in range(columns):
            for row in range(rows):
                x, y = placed.left + int(column * across), placed.top + int(row * down / 2)
                if not placed.contains(x, y):
                    continue
                point = layout.snap(x, y)
                label = layout.location(*point) if point not in seen else None
                seen.add(point)
                if label not in (None, "", OFFBOARD):
                    yield [label, *point]


def _hex_grid(placed: PlacedBoard) -> HexGrid | None:
    grid = placed.grid.background if isinstance(placed.grid, ZonedGrid) else placed.grid
    return grid if isinstance(grid, HexGrid) and grid.dx > 1 and grid.dy > 1 else None


def _bytes(archive: Archive, name: str) -> bytes | None:
    try:
        return archive.image(name)
    except BadInput:  # a damaged picture is left out; the counter shows its name instead
        return None


def _small(data: bytes | None) -> bytes | None:
    return data if data is not None and len(data) <= COUNTER_BYTES else None


def _board_picture(data: bytes | None) -> bytes | None:
    """The picture as it is, or smaller where it is very big; None where it cannot be shown."""
    size = image_size(data) if data is not None else None
    if data is None or size is None or size[0] * size[1] > MOST_PIXELS:
        return None
    if len(data) <= BOARD_BYTES and size[0] * size[1] <= BOARD_PIXELS:
        return data
    try:
        with Image.open(io.BytesIO(data)) as picture:
            smaller = picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    smaller.thumbnail((BOARD_SIDE, BOARD_SIDE))
    stream = io.BytesIO()
    smaller.save(stream, "JPEG", quality=82)
    return stream.getvalue()


def _add(pictures: dict[str, str], name: str, data: bytes | None) -> None:
    if data is None:
        return
    kind = next((kind for start, kind in _KINDS.items() if data.startswith(start)), None)
    if kind is None and b"<svg" in data[:4096]:
        kind = "image/svg+xml"
    if kind is not None:
        pictures[name] = f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"
