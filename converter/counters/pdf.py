"""Pages as a PDF: shapes as vectors, words as text, to scale."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path
from PIL import Image
from reportlab.lib.colors import HexColor
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen.canvas import Canvas

from converter.counters.lettering import Face, runs, width
from converter.counters.pages import Page, Placed
from converter.counters.pixels import missing_box
from converter.counters.scene import SIDE, Item, Outline, Photo, Scene, Words, rounded

POINT = 25.4 / 72  # millimetres
_INK = "#000000"
_HAIRLINE = 0.1  # millimetres


def as_pdf(pages: Sequence[Page], title: str) -> bytes:
    """All pages as one PDF. The same counters give the same file."""
    file = io.BytesIO()
    first = pages[0]
    canvas = Canvas(file, (first.width / POINT, first.height / POINT), invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("hexref")
    forms: dict[int, str] = {}
    for page in pages:
        _page(canvas, page, forms)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _page(canvas: Any, page: Page, forms: dict[int, str]) -> None:
    for placed in page.placed:
        _stamp(canvas, page, placed, forms)
    canvas.saveState()
    canvas.scale(1 / POINT, 1 / POINT)
    canvas.translate(0, page.height)
    canvas.scale(1, -1)
    canvas.setStrokeColor(HexColor(_INK))
    canvas.setLineWidth(_HAIRLINE)
    for line in page.lines:
        canvas.line(line.x1, line.y1, line.x2, line.y2)
    for note in page.notes:
        _words(canvas, Words(note.text, note.x, note.y, note.height, _INK, note.anchor))
    canvas.restoreState()


def _stamp(canvas: Any, page: Page, placed: Placed, forms: dict[int, str]) -> None:
    """A counter; one that comes again is only referred to."""
    key = id(placed.scene)
    scale = placed.size / SIDE / POINT
    if key not in forms:
        forms[key] = f"counter{len(forms)}"
        canvas.beginForm(forms[key], 0, 0, SIDE, SIDE)
        _scene(canvas, placed.scene)
        canvas.endForm()
    canvas.saveState()
    canvas.translate(placed.x / POINT, (page.height - placed.y - placed.size) / POINT)
    canvas.scale(scale, scale)
    canvas.doForm(forms[key])
    canvas.restoreState()


def _scene(canvas: Any, scene: Scene) -> None:
    canvas.saveState()
    canvas.translate(0, SIDE)
    canvas.scale(1, -1)
    canvas.clipPath(_path(canvas, rounded(0, 0, SIDE, SIDE, scene.radius)), stroke=0, fill=0)
    for item in scene.items:
        _item(canvas, item)
    canvas.restoreState()


def _item(canvas: Any, item: Item) -> None:
    if isinstance(item, Outline):
        _outline(canvas, item)
    elif isinstance(item, Words):
        _words(canvas, item)
    else:
        _photo(canvas, item)


def _outline(canvas: Any, item: Outline) -> None:
    canvas.saveState()
    canvas.translate(item.x, item.y)
    canvas.scale(item.scale, item.scale)
    if item.fill:
        canvas.setFillColor(HexColor(item.fill))
    if item.stroke:
        canvas.setStrokeColor(HexColor(item.stroke))
        canvas.setLineWidth(item.width)
    path = _path(canvas, item.path)
    canvas.drawPath(path, stroke=int(bool(item.stroke)), fill=int(bool(item.fill)), fillMode=1)
    canvas.restoreState()


def _words(canvas: Any, item: Words) -> None:
    """Text as text where the font may be put into a PDF; else as outlines."""
    canvas.saveState()
    canvas.translate(item.x, item.y)
    canvas.rotate(item.turn)
    at = -width(item.text) * item.size * item.squeeze * {"left": 0.0, "middle": 0.5, "right": 1.0}[item.anchor]
    canvas.setFillColor(HexColor(item.ink))
    for run in runs(item.text):
        long = run.width * item.size * item.squeeze
        if run.font is None:
            canvas.setStrokeColor(HexColor(item.ink))
            canvas.setLineWidth(item.size / 14)
            for i in range(len(run.text)):
                canvas.drawPath(_path(canvas, missing_box(at, i, item.size, item.squeeze)), stroke=1, fill=0)
        elif (name := _registered(run.font)) is not None:
            canvas.saveState()
            canvas.translate(at, 0)
            canvas.scale(item.squeeze, -1)
            canvas.setFont(name, item.size)
            canvas.drawString(0, 0, run.text)
            canvas.restoreState()
        else:
            outline = run.font.outline(run.text, at, 0, item.size, item.squeeze)
            canvas.drawPath(_path(canvas, outline), stroke=0, fill=1, fillMode=1)
        at += long
    canvas.restoreState()


def _registered(face: Face) -> str | None:
    """The font's name in the PDF; None where it cannot be embedded."""
    name = f"hexref-{face.name}"
    if name not in pdfmetrics.getRegisteredFontNames():
        if not face.embeddable:
            return None
        try:
            pdfmetrics.registerFont(TTFont(name, str(face.path), subfontIndex=face.number))
        except TTFError:
            return None
    return name


def _photo(canvas: Any, item: Photo) -> None:
    with Image.open(io.BytesIO(item.data)) as picture:
        wide, high = picture.size
        scale = min(item.width / wide, item.height / high)
        canvas.saveState()
        canvas.translate(item.x + (item.width - wide * scale) / 2, item.y + (item.height + high * scale) / 2)
        canvas.scale(1, -1)
        canvas.drawImage(ImageReader(picture), 0, 0, wide * scale, high * scale, mask="auto")
        canvas.restoreState()


class _Pen(BasePen):  # type: ignore[misc]
    """Draws outlines onto a path of the canvas."""

    def __init__(self, path: Any) -> None:
        super().__init__(None)
        self.path = path

    def _moveTo(self, pt: tuple[float, float]) -> None:
        self.path.moveTo(*pt)

    def _lineTo(self, pt: tuple[float, float]) -> None:
        self.path.lineTo(*pt)

    def _curveToOne(self, pt1: tuple[float, float], pt2: tuple[float, float], pt3: tuple[float, float]) -> None:
        self.path.curveTo(*pt1, *pt2, *pt3)

    def _closePath(self) -> None:
        self.path.close()


def _path(canvas: Any, data: str) -> Any:
    path = canvas.beginPath()
    parse_path(data, _Pen(path))
    return path
