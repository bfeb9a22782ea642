"""Counters laid out on paper: which stands where on which page, front and back, with crop marks. All in millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from converter.counters.scene import Anchor, Scene
from converter.errors import BadInput

INCH = 25.4
PAPERS = {"a4": (210.0, 297.0), "letter": (8.5 * INCH, 11 * INCH)}
LEAST, MOST = 4.0, 120.0  # of a counter's side
Flip = Literal["long", "short"]
_MARK, _AWAY = 4.0, 1.2  # crop marks: length, distance from the counters
_EDGE = 5.0  # what most printers cannot print on
_FOOT = _EDGE + 3.4  # room that the small print and the ruler take at the edge away from the counters


@dataclass(frozen=True)
class Piece:
    """A counter to print `count` times. Without a back, the back of the page stays empty there."""

    name: str
    front: Scene
    back: Scene | None = None
    count: int = 1


@dataclass(frozen=True)
class Paper:
    """The sheet: paper and counter size, gutter between counters, how the printer turns the page for the backs.

    `shift_x`, `shift_y` tell how far right and down the backs lie that the printer makes, seen through the front.
    """

    paper: str = "a4"
    size: float = INCH / 2
    gutter: float = 0.0
    margin: float = 10.0
    flip: Flip = "long"
    shift_x: float = 0.0
    shift_y: float = 0.0

    @property
    def width(self) -> float:
        return PAPERS[self.paper][0]

    @property
    def height(self) -> float:
        return PAPERS[self.paper][1]

    def fitting(self, length: float) -> int:
        """How many counters fit into a length.

        >>> Paper().fitting(210), Paper(gutter=2).fitting(210)
        (14, 13)
        """
        return int((length - 2 * self.margin + self.gutter + 1e-9) / (self.size + self.gutter))

    @property
    def back_move(self) -> tuple[float, float]:
        """By how much a back page's print is moved, right and down, to make up for the printer's shift.

        Through the paper left and right are exchanged where it turns on its long edge, top and bottom on the short.
        """
        return (self.shift_x, -self.shift_y) if self.flip == "long" else (-self.shift_x, self.shift_y)

    @property
    def columns(self) -> int:
        return self.fitting(self.width)

    @property
    def rows(self) -> int:
        return self.fitting(self.height)


@dataclass(frozen=True)
class Placed:
    """A counter's face on the page: its upper left corner and its side."""

    scene: Scene
    x: float
    y: float
    size: float
    name: str


@dataclass(frozen=True)
class Line:
    """A hairline."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True)
class Note:
    """Small print on the page, its baseline at `x`, `y`."""

    text: str
    x: float
    y: float
    height: float = 2.4
    anchor: Anchor = "left"


@dataclass(frozen=True)
class Page:
    """One side of a printed sheet."""

    name: str
    width: float
    height: float
    placed: tuple[Placed, ...] = ()
    lines: tuple[Line, ...] = field(default=(), repr=False)
    notes: tuple[Note, ...] = ()


def checked(paper: Paper) -> Paper:
    """The paper, if counters fit on it; BadInput in words where not."""
    if paper.paper not in PAPERS:
        raise BadInput(f"no paper {paper.paper!r}; expected one of {', '.join(PAPERS)}")
    if not LEAST <= paper.size <= MOST:
        raise BadInput(f"a counter of {paper.size:g} mm; expected {LEAST:g} to {MOST:g} mm")
    if paper.gutter < 0 or paper.margin < 0:
        raise BadInput("gutter and margin cannot be less than nothing")
    if paper.columns < 1 or paper.rows < 1:
        raise BadInput(f"no counter of {paper.size:g} mm fits on {paper.paper} with margins of {paper.margin:g} mm")
    return paper


def pages(pieces: Sequence[Piece], paper: Paper, title: str = "counters", backs: bool = True) -> list[Page]:
    """All pages: each sheet's front, then its back, mirrored so that they meet when the paper is turned."""
    checked(paper)
    copies = [piece for piece in pieces for _ in range(piece.count)]
    if not copies:
        raise BadInput(f"{title}: no counters to print")
    most = paper.columns * paper.rows
    sheets = [copies[i : i + most] for i in range(0, len(copies), most)]
    told = []
    for number, sheet in enumerate(sheets, 1):
        said = f"{title}, sheet {number} of {len(sheets)}"
        told.append(_page(sheet, paper, said, number, back=False))
        if backs and any(piece.back for piece in copies):
            told.append(_page(sheet, paper, said, number, back=True))
    return told


def _page(sheet: Sequence[Piece], paper: Paper, title: str, number: int, *, back: bool) -> Page:
    columns = paper.columns
    rows = -(-len(sheet) // columns)
    step = paper.size + paper.gutter
    wide, high = columns * step - paper.gutter, rows * step - paper.gutter
    left, top = (paper.width - wide) / 2, paper.margin
    turned = back and paper.flip == "short"
    if turned:
        top = paper.height - top - high
    if back:
        left, top = left + paper.back_move[0], top + paper.back_move[1]
    placed = []
    for i, piece in enumerate(sheet):
        row, column = divmod(i, columns)
        if back and not turned:
            column = columns - 1 - column
        if turned:
            row = rows - 1 - row
        scene = piece.back if back else piece.front
        if scene:
            placed.append(Placed(scene, left + column * step, top + row * step, paper.size, piece.name))
    name = f"{number}-{'back' if back else 'front'}"
    foot = _EDGE + 2.0 if turned else paper.height - _EDGE - 0.4
    said = Note(f"{title}, {'backs' if back else 'fronts'}; print at 100 %", left, foot)
    lines = [*_crop_marks(left, top, columns, rows, paper), *_ruler(left + wide, foot - 0.6)]
    ruler = Note("50 mm", left + wide - 50 - 1.5, foot, anchor="right")
    return Page(name, paper.width, paper.height, tuple(placed), tuple(lines), (said, ruler))


def _crop_marks(left: float, top: float, columns: int, rows: int, paper: Paper) -> list[Line]:
    """Marks outside the block at every edge of every column and row."""
    step = paper.size + paper.gutter
    right, bottom = left + columns * step - paper.gutter, top + rows * step - paper.gutter
    reach = min(_MARK, max(paper.margin - _AWAY, 1.0))
    xs = {round(left + column * step + edge, 6) for column in range(columns) for edge in (0.0, paper.size)}
    ys = {round(top + row * step + edge, 6) for row in range(rows) for edge in (0.0, paper.size)}
    lines = []
    above, below = (min(reach, max(room - _AWAY - _FOOT, 0.5)) for room in (top, paper.height - bottom))
    for x in sorted(xs):
        lines += [Line(x, top - _AWAY - above, x, top - _AWAY), Line(x, bottom + _AWAY, x, bottom + _AWAY + below)]
    for y in sorted(ys):
        lines += [Line(left - _AWAY - reach, y, left - _AWAY, y), Line(right + _AWAY, y, right + _AWAY + reach, y)]
    return lines


def _ruler(right: float, y: float) -> list[Line]:
    """50 mm to measure on the print."""
    ends = [Line(x, y - 1, x, y + 1) for x in (right - 50, right)]
    return [Line(right - 50, y, right, y), *ends]


def offset_test(paper: Paper) -> list[Page]:
    """A front and a back to find out how far off the backs are: held to the light, the cross is read on the scale."""
    x, y, reach = paper.width / 2, paper.height / 2, 10
    scale = [Line(x - reach, y, x + reach, y), Line(x, y - reach, x, y + reach)]
    notes = [
        Note("Print on both sides and hold this side to the light.", x, y - 35, 3, "middle"),
        Note("Where the back's cross stands on these scales (millimetres) is --shift X,Y.", x, y - 30, 3, "middle"),
    ]
    for step in range(-reach, reach + 1):
        tick = 2.0 if step % 5 == 0 else 1.0
        scale += [Line(x + step, y - tick, x + step, y + tick), Line(x - tick, y + step, x + tick, y + step)]
        if step % 5 == 0 and step:
            notes.append(Note(f"{step:+d}", x + step, y - 3, 2.2, "middle"))
        if abs(step) == reach:  # nearer ones would lie on those of the other scale
            notes.append(Note(f"{step:+d}", x + 3.2, y + step + 0.8, 2.2))
    bx, by = x + paper.back_move[0], y + paper.back_move[1]
    cross = [Line(bx - 15, by, bx + 15, by), Line(bx, by - 15, bx, by + 15)]
    return [
        Page("test-front", paper.width, paper.height, (), tuple(scale), tuple(notes)),
        Page("test-back", paper.width, paper.height, (), tuple(cross), (Note("back", bx + 16, by + 0.8, 2.4),)),
    ]
