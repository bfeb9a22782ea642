"""The counters on a scanned sheet: every one's four corners, in blocks of rows and columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from converter.errors import BadInput
from converter.scan.picture import Picture
from converter.scan.sheet.blocks import Block, Cell, Found
from converter.scan.sheet.divide import LEAST_SIDE, ONE, Division, Grid, divide, flattened
from converter.scan.sheet.ground import Mask, edges, foregrounds
from converter.scan.sheet.quads import Patch, patches, refined
from converter.scan.sheet.settle import settled

Points = NDArray[np.float64]
Progress = Callable[[str], None]
_WORKING = 2800  # longest side of the picture that is searched
_ALIKE = 0.08  # sizes that differ by no more are one size
_FILLED = 0.8  # how much of its four corners a lone counter covers


@dataclass(frozen=True)
class _Idea:
    """Counters found in one idea of what is ground."""

    blocks: list[tuple[Block, NDArray[np.bool_]]]
    seen: float

    @property
    def cells(self) -> int:
        return sum(int(there.sum()) for _, there in self.blocks)

    @property
    def worth(self) -> float:
        """Much of the picture explained, by clear lines, with many counters that are about square."""
        told = 0.0
        for block, there in self.blocks:
            whole, one = Patch(block.corners, 1.0), Patch(block.cell(0, 0), 1.0)
            lean = abs(float(np.log(one.width / one.height)))
            told += whole.width * whole.height * float(there.mean()) * float(np.exp(-lean))
        return float(told * self.seen * (1 - 1 / max(self.cells, 1) ** 0.5))


def find_counters(picture: Picture, progress: Progress = lambda _: None) -> Found:
    """Every counter of a sheet; BadInput where there are none to be found."""
    scale = min(1.0, _WORKING / max(picture.width, picture.height))
    pixels = picture.pixels
    if scale < 1:
        size = (round(picture.width * scale), round(picture.height * scale))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    best = _Idea([], 0.0)
    for number, mask in enumerate(foregrounds(pixels), 1):
        progress(f"looking for counters, idea {number}")
        idea = _search(pixels, mask)
        if idea.cells >= 2 and idea.worth > 1.02 * best.worth:
            best = idea
    if best.cells < 2:
        raise BadInput(
            f"{picture.name}: no counters found: expected rows and columns of equal counters with lines, gutters or"
            " colours between them; tell the blocks in a sheet.yaml (--config) if they are there"
        )
    scales = np.array([picture.width / pixels.shape[1], picture.height / pixels.shape[0]])
    return listed([(settled(_scaled(block, scales), there, picture.pixels), there) for block, there in best.blocks])


def _scaled(block: Block, scales: Points) -> Block:
    corners = (block.corners + 0.5) * scales - 0.5
    return Block(corners, block.columns, block.rows, block.gutter_x, block.gutter_y)


def listed(blocks: Sequence[tuple[Block, NDArray[np.bool_]]]) -> Found:
    """Blocks in reading order, and their counters."""
    ordered = sorted(blocks, key=lambda item: _reading(item[0], [block for block, _ in blocks]))
    cells = [
        Cell(number, row + 1, column + 1, block.cell(row, column))
        for number, (block, there) in enumerate(ordered, 1)
        for row in range(block.rows)
        for column in range(block.columns)
        if there[row, column]
    ]
    return Found(tuple(cells), tuple(block for block, _ in ordered))


def _reading(block: Block, blocks: Iterable[Block]) -> tuple[float, float]:
    """Blocks that begin at about the same height are read from left to right."""
    heights = sorted(float(other.corners[:, 1].min()) for other in blocks)
    top = float(block.corners[:, 1].min())
    side = float(np.hypot(*(block.corners[3] - block.corners[0]))) / block.rows
    level = next(height for height in heights if height > top - side)
    return level, float(block.corners[:, 0].min())


def _search(pixels: NDArray[np.uint8], mask: Mask) -> _Idea:
    found = [
        patch
        for patch in patches(mask, LEAST_SIDE)
        if patch.width * patch.height < 0.995 * mask.size or patch.fill > 0.9
    ]
    found = [patch for patch in found if patch.fill > 0.3]
    usual = _usual_size(found)
    pitch = _pitch(found, usual) if usual else (0.0, 0.0)
    blocks: list[tuple[Block, NDArray[np.bool_]]] = []
    lone: list[Patch] = []
    weights: list[tuple[float, float]] = []
    for patch in found:
        if usual and _same(patch, *usual):
            lone.append(patch)
            continue
        wide, high = round(patch.width), round(patch.height)
        flat, inside = flattened(pixels, mask, patch.corners, wide, high)
        grid = divide(flat, inside)
        touching = grid.cells > 1 and grid.seen > 0.9 and not (grid.columns.gutter or grid.rows.gutter)
        if usual and not touching and (single := _parts(patch, usual, pitch, mask)):
            lone += single
            continue
        if grid.cells < 2 or (usual and not 0.4 * usual[0] < wide / grid.columns.count < 1.8 * usual[0]):
            continue
        block, there = _block(refined(pixels, patch), grid, inside)
        if (block.gutter_x or block.gutter_y) and there.sum() >= 4:
            seen = [(int(row), int(column)) for row, column in np.argwhere(there)]
            parts = [(refined(pixels, Patch(block.cell(row, column), 1.0)), (column, row)) for row, column in seen]
            block, there = _fitted(parts, pixels, mask)
        if there.sum() >= 2:
            blocks.append((block, there))
            weights.append((grid.seen, float(there.sum())))
    blocks = _usual_blocks(blocks, lone)
    grouped = group([refined(pixels, patch) for patch in lone], pixels, mask) if len(lone) >= 2 else []
    weights += [(1.0, float(there.sum())) for _, there in grouped]
    taken = np.array([cell.middle for cell in listed(grouped).cells]).reshape(-1, 2)
    blocks = [item for item in blocks if not _taken(item, taken)]
    total = sum(weight for _, weight in weights)
    return _Idea(blocks + grouped, sum(seen * weight for seen, weight in weights) / total if total else 0.0)


def _taken(item: tuple[Block, NDArray[np.bool_]], taken: Points) -> bool:
    """Whether a block lies on counters that were found already."""
    for cell in listed([item]).cells:
        if len(taken) and float(np.hypot(*(taken - cell.middle).T).min()) < 0.5 * min(cell.side):
            return True
    return False


def _usual_size(found: Sequence[Patch]) -> tuple[float, float] | None:
    """The size of lone counters with gutters round them: the one that most patches have; None where there are few."""
    square = [patch for patch in found if patch.fill > _FILLED]
    best: list[Patch] = []
    for patch in square:
        alike = [other for other in square if _same(other, patch.width, patch.height)]
        if len(alike) > len(best):
            best = alike
    if len(best) < max(4, 0.3 * len(square)):
        return None
    largest = max(found, key=lambda patch: patch.width * patch.height)
    size = float(np.median([patch.width for patch in best])), float(np.median([patch.height for patch in best]))
    lone = size[0] * size[1] * len(best)
    return size if lone > 0.5 * largest.width * largest.height or (len(best) > 8 and max(size) > 40) else None


def _same(patch: Patch, wide: float, high: float) -> bool:
    near = abs(patch.width - wide) <= _ALIKE * wide and abs(patch.height - high) <= _ALIKE * high
    return near and patch.fill > _FILLED


def _pitch(found: Sequence[Patch], size: tuple[float, float]) -> tuple[float, float]:
    """From counter to counter across and down, where lone ones stand beside each other; 0 where none do."""
    lone = [patch for patch in found if _same(patch, *size)]
    middles = np.array([patch.corners.mean(axis=0) for patch in lone])
    told = []
    for axis in (0, 1):
        gaps = []
        for middle in middles:
            away = middles - middle
            beside = (np.abs(away[:, 1 - axis]) < 0.3 * size[1 - axis]) & (away[:, axis] > 0.8 * size[axis])
            if beside.any():
                gaps.append(float(away[beside, axis].min()))
        told.append(float(np.median(gaps)) if gaps else 0.0)
    return told[0], told[1]


def _parts(patch: Patch, size: tuple[float, float], pitch: tuple[float, float], mask: Mask) -> list[Patch]:
    """The counters, of known size, in a patch of several whose gutters were too narrow to see."""
    grid = _known(patch, size, pitch)
    if grid.cells < 2:
        return []
    _, inside = flattened(
        np.zeros((*mask.shape, 3), np.uint8), mask, patch.corners, round(patch.width), round(patch.height)
    )
    block, there = _block(patch, grid, inside)
    return [Patch(block.cell(int(row), int(column)), 1.0) for row, column in np.argwhere(there)]


def _known(patch: Patch, size: tuple[float, float], pitch: tuple[float, float]) -> Grid:
    """A patch of several counters whose size and pitch are known: their number, if the patch's size is right for it."""
    parts = []
    for length, side, step in ((patch.width, size[0], pitch[0]), (patch.height, size[1], pitch[1])):
        gutter = step - side if step else 0.0
        count = round((length + gutter) / (side + gutter))
        if (
            count < 1
            or gutter > 0.6 * side
            or abs(length - count * side - (count - 1) * gutter) > _ALIKE * side * min(3.0, max(1.0, count / 4))
        ):
            return Grid(ONE, ONE)
        parts.append(Division(count, max(0.0, (length - count * side) / (count - 1)) if count > 1 else 0.0, 1.0, 1.0))
    return Grid(parts[0], parts[1])


def _block(patch: Patch, grid: Grid, inside: Mask) -> tuple[Block, NDArray[np.bool_]]:
    """The patch as a block, and which of its counters are there."""
    columns, rows = grid.columns, grid.rows
    side_x = (patch.width - (columns.count - 1) * columns.gutter) / columns.count
    side_y = (patch.height - (rows.count - 1) * rows.gutter) / rows.count
    block = Block(patch.corners, columns.count, rows.count, columns.gutter / side_x, rows.gutter / side_y)
    there = np.zeros((rows.count, columns.count), bool)
    for row in range(rows.count):
        for column in range(columns.count):
            left, top = column * (side_x + columns.gutter), row * (side_y + rows.gutter)
            part = inside[round(top) : round(top + side_y), round(left) : round(left + side_x)]
            there[row, column] = part.size > 0 and float(part.mean()) > 0.5
    return block, there


def _usual_blocks(
    blocks: list[tuple[Block, NDArray[np.bool_]]], lone: Sequence[Patch]
) -> list[tuple[Block, NDArray[np.bool_]]]:
    """The blocks without those of a few small cells: headlines and legends."""
    if not blocks:
        return blocks
    sizes = [Patch(block.cell(0, 0), 1.0) for block, _ in blocks]
    most = max(int(there.sum()) for _, there in blocks)
    largest = max(max(patch.width, patch.height) for patch in [*sizes, *lone])
    return [
        item
        for item, size in zip(blocks, sizes, strict=True)
        if min(size.width, size.height) > 0.4 * largest
        and (int(item[1].sum()) > 3 or int(item[1].sum()) >= 0.2 * most or lone)
    ]


def group(lone: Sequence[Patch], pixels: NDArray[np.uint8], mask: Mask) -> list[tuple[Block, NDArray[np.bool_]]]:
    """Lone counters put together to blocks; a gap inside a block that has something printed on it is a counter too."""
    left = dict(enumerate(lone))
    size = float(np.median([patch.width for patch in lone])), float(np.median([patch.height for patch in lone]))
    across, down = _pitch(lone, size)
    step = (across / size[0] or 1.1, down / size[1] or 1.1)
    blocks = []
    while left:
        first = min(left, key=lambda i: float(left[i].corners.sum(axis=1).min()))
        members = _neighbours(first, left, step)
        for i in members:
            del left[i]
        blocks.append(_fitted([(lone[i], place) for i, place in members.items()], pixels, mask))
    return blocks


def _neighbours(first: int, left: dict[int, Patch], step: tuple[float, float]) -> dict[int, tuple[int, int]]:
    """Everyone who stands beside or below someone of the block, with column and row."""
    places = {first: (0, 0)}
    queue = [first]
    middles = {i: patch.corners.mean(axis=0) for i, patch in left.items()}
    while queue:
        now = queue.pop()
        a, b, _, d = left[now].corners
        across, down = b - a, d - a
        frame = np.linalg.inv(np.stack([across, down], axis=1))
        column, row = places[now]
        for i, middle in middles.items():
            if i in places:
                continue
            x, y = frame @ (middle - middles[now])
            k, m = round(x / step[0]), round(y / step[1])
            if 1 <= abs(k) + abs(m) <= 4 and abs(x - k * step[0]) < 0.2 and abs(y - m * step[1]) < 0.2:
                places[i] = (column + k, row + m)
                queue.append(i)
    return places


def _fitted(
    members: list[tuple[Patch, tuple[int, int]]], pixels: NDArray[np.uint8], mask: Mask
) -> tuple[Block, NDArray[np.bool_]]:
    """One straight block for counters that were found one by one."""
    least_column, least_row = (min(place[axis] for _, place in members) for axis in (0, 1))
    spots = [(patch, (column - least_column, row - least_row)) for patch, (column, row) in members]
    columns, rows = (max(place[axis] for _, place in spots) + 1 for axis in (0, 1))
    gutter_x, gutter_y = _gutters(spots)
    flat, seen = [], []
    for patch, (column, row) in spots:
        x, y = column * (1 + gutter_x), row * (1 + gutter_y)
        flat += [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]
        seen += list(patch.corners)
    if columns > 1 and rows > 1 and len(spots) >= 4:
        matrix, _ = cv2.findHomography(np.array(flat), np.array(seen), cv2.RANSAC, 3.0)
    else:
        affine, _ = cv2.estimateAffine2D(np.array(flat), np.array(seen), method=cv2.RANSAC, ransacReprojThreshold=3.0)
        matrix = np.vstack([affine, [0, 0, 1]])
    wide, high = columns + (columns - 1) * gutter_x, rows + (rows - 1) * gutter_y
    ends = np.array([[[0, 0], [wide, 0], [wide, high], [0, high]]], np.float64)
    block = Block(cv2.perspectiveTransform(ends, matrix)[0], columns, rows, gutter_x, gutter_y)
    there = np.zeros((rows, columns), bool)
    for _, (column, row) in spots:
        there[row, column] = True
    block, there = _widened(block, there, mask)
    _fill_gaps(block, there, pixels, mask)
    return block, there


def _widened(block: Block, there: NDArray[np.bool_], mask: Mask) -> tuple[Block, NDArray[np.bool_]]:
    """The block with the rows and columns at its edges whose counters were found only as parts of larger patches."""
    for _ in range(8):
        rows, columns = there.shape
        grown = []
        for side, line in (
            ("top", [(-1, c) for c in range(columns)]), ("bottom", [(rows, c) for c in range(columns)]),
            ("left", [(r, -1) for r in range(rows)]), ("right", [(r, columns) for r in range(rows)]),
        ):  # fmt: skip
            if any(_covered(block.cell(row, column), mask) > 0.9 for row, column in line):
                grown.append(side)
        if not grown:
            break
        up, left = int("top" in grown), int("left" in grown)
        last_row, last_column = rows - 1 + int("bottom" in grown), columns - 1 + int("right" in grown)
        corners = [block.cell(-up, -left)[0], block.cell(-up, last_column)[1],
                   block.cell(last_row, last_column)[2], block.cell(last_row, -left)[3]]  # fmt: skip
        there = np.pad(there, ((up, last_row - rows + 1), (left, last_column - columns + 1)))
        block = Block(np.array(corners), there.shape[1], there.shape[0], block.gutter_x, block.gutter_y)
    return block, there


def _covered(corners: Points, mask: Mask) -> float:
    """How much of a counter's place is foreground; nothing where it is not wholly on the picture."""
    high, wide = mask.shape
    if corners.min() < 0 or corners[:, 0].max() >= wide or corners[:, 1].max() >= high:
        return 0.0
    inner = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 0.8
    _, inside = flattened(np.zeros((1, 1, 3), np.uint8), mask, inner, 24, 24)
    return float(inside.mean())


def _gutters(spots: list[tuple[Patch, tuple[int, int]]]) -> tuple[float, float]:
    """The usual space between neighbours, as shares of a counter's width and height."""
    by_place = {place: patch for patch, place in spots}
    across, down = [], []
    for (column, row), patch in by_place.items():
        a, b, _, d = patch.corners
        frame = np.linalg.inv(np.stack([b - a, d - a], axis=1))
        if right := by_place.get((column + 1, row)):
            across.append(float((frame @ (right.corners[0] - a))[0]) - 1)
        if below := by_place.get((column, row + 1)):
            down.append(float((frame @ (below.corners[0] - a))[1]) - 1)
    return (max(0.0, float(np.median(gaps))) if gaps else 0.0 for gaps in (across, down))  # type: ignore[return-value]


def _fill_gaps(block: Block, there: NDArray[np.bool_], pixels: NDArray[np.uint8], mask: Mask) -> None:
    """Counters that have the ground's own colour: found by what is printed on them."""
    missing = np.argwhere(~there)
    if not len(missing):
        return
    strong = edges(pixels)
    printed = (np.maximum(strong.across, strong.down) > strong.least).astype(np.uint8)
    for row, column in missing:
        corners = block.cell(int(row), int(column))
        inner = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 0.8
        side = Patch(corners, 1.0)
        size = max(4, round(side.width)), max(4, round(side.height))
        flat, covered = flattened(np.repeat(printed[..., None], 3, 2), mask, inner, *size)
        beside = there[row, :column].any() and there[row, column:].any()
        between = beside or (there[:row, column].any() and there[row:, column].any())
        there[row, column] = float(covered.mean()) > 0.9 or (between and float(flat.mean()) > 0.04)
