"""The letters on counters: measured and drawn from font files, so that pixels and PDF agree to a hair."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

import reportlab
from fontTools.misc.transform import Transform
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTCollection, TTFont, TTLibError

CAPITALS = 0.73  # height of a capital letter, as a share of the size
MISSING = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True)
class Run:
    """A stretch of text in one font; `font` is None where no font on this machine has its characters."""

    text: str
    font: Face | None
    width: float


@dataclass(frozen=True, eq=False)
class Face:
    """A font file, opened."""

    path: Path
    number: int
    font: TTFont

    @property
    def name(self) -> str:
        return f"{self.path.stem}-{self.number}" if self.number else self.path.stem

    @property
    def embeddable(self) -> bool:
        """Whether a PDF can carry it as text (TrueType outlines)."""
        return "glyf" in self.font

    def has(self, letter: str) -> bool:
        return ord(letter) in self.font.getBestCmap()

    def width(self, text: str) -> float:
        """The text's width at size 1."""
        units, metrics, cmap = self.font["head"].unitsPerEm, self.font["hmtx"], self.font.getBestCmap()
        return float(sum(metrics[cmap[ord(letter)]][0] for letter in text) / units)

    def outline(self, text: str, x: float, y: float, size: float, squeeze: float) -> str:
        """The letters as path data, the baseline beginning at `x`, `y`."""
        glyphs, cmap = self.font.getGlyphSet(), self.font.getBestCmap()
        units, metrics = self.font["head"].unitsPerEm, self.font["hmtx"]
        pen = SVGPathPen(glyphs, ntos=lambda value: f"{value:.4g}")
        scale = size / units
        for letter in text:
            name = cmap[ord(letter)]
            glyphs[name].draw(TransformPen(pen, Transform(scale * squeeze, 0, 0, -scale, x, y)))
            x += metrics[name][0] * scale * squeeze
        return str(pen.getCommands())


@cache
def bold() -> Face:
    """The font of all counters: Bitstream Vera Sans Bold, which comes with reportlab."""
    return _open(Path(reportlab.__file__).parent / "fonts" / "VeraBd.ttf", 0)


def _open(path: Path, number: int) -> Face:
    return Face(path, number, TTFont(path, fontNumber=number, lazy=True))


def runs(text: str) -> list[Run]:
    """The text cut into stretches of one font each: ours, else one that the machine has.

    >>> [(run.text, run.font.name) for run in runs("5/1M")]
    [('5/1M', 'VeraBd')]
    """
    found = []
    for font, letters in groupby(text, _font_for):
        stretch = "".join(letters)
        found.append(Run(stretch, font, font.width(stretch) if font else 0.7 * len(stretch)))
    return found


def width(text: str) -> float:
    """How wide a text is at size 1.

    >>> width("8-7-5") > width("875") > width("87") > 1
    True
    """
    return sum(run.width for run in runs(text))


def unprintable(text: str) -> str:
    """The characters that no font on this machine has, each once; they are printed as empty boxes."""
    return "".join(dict.fromkeys(letter for run in runs(text) if run.font is None for letter in run.text))


def fitted(text: str, size: float, room: float, least: float = 0.62) -> tuple[float, float]:
    """The size and squeeze at which a text fits into `room`: narrowed down to `least` first, then smaller.

    >>> fitted("5", 20, 30)
    (20, 1.0)
    >>> fitted("a very long name", 20, 30)[0] < 20
    True
    """
    wanted = width(text) * size
    if wanted <= room:
        return size, 1.0
    squeeze = max(room / wanted, least)
    return min(size, room / (width(text) * squeeze)), squeeze


@cache
def _font_for(letter: str) -> Face | None:
    if bold().has(letter):
        return bold()
    if not letter.isprintable() or letter.isspace():
        return None
    return next((face for face in _installed() if face.has(letter)), None)


@cache
def _installed() -> tuple[Face, ...]:
    """All fonts of this machine, bold ones first. Only asked for where our own font lacks a character."""
    found = []
    for path in _font_files():
        try:
            count = len(TTCollection(path, lazy=True).fonts) if path.suffix.lower() in (".ttc", ".otc") else 1
            faces = [_open(path, number) for number in range(count)]
            found += [face for face in faces if face.font.getBestCmap() and {"glyf", "CFF "} & set(face.font.keys())]
        except (TTLibError, OSError, KeyError, ValueError, AssertionError):
            continue  # a broken font of the machine's is no fault of the user's counters
    return tuple(sorted(found, key=lambda face: ("bold" not in face.name.lower(), face.name)))


def _font_files() -> Iterator[Path]:
    home = Path.home()
    if sys.platform == "win32":
        roots = [Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts"]
    elif sys.platform == "darwin":
        roots = [Path("/Library/Fonts"), Path("/System/Library/Fonts"), home / "Library" / "Fonts"]
    else:
        roots = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), home / ".fonts", home / ".local/share/fonts"]
    kinds = (".ttf", ".otf", ".ttc", ".otc")
    for root in roots:
        if root.is_dir():
            yield from sorted(path for path in root.rglob("*") if path.suffix.lower() in kinds)
