"""Reading a scan safely: whatever kind of image file it is, out come plain RGB pixels, or one clear line why not."""

from __future__ import annotations

import struct
import warnings
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps, UnidentifiedImageError

from converter.errors import BadInput

Pixels = npt.NDArray[np.uint8]

FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP", "PPM", "TGA", "PCX", "JPEG2000")
MOST_PIXELS = 160_000_000
LONGEST_SIDE = 32_000


@dataclass(frozen=True)
class Picture:
    """An image in memory: rows x columns x RGB, 8 bit, the right way up."""

    pixels: Pixels
    name: str = "picture"

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    def grey(self) -> Pixels:
        """Brightness alone: rows x columns.

        >>> Picture(np.full((1, 2, 3), 200, np.uint8)).grey().tolist()
        [[200, 200]]
        """
        return np.asarray(cv2.cvtColor(self.pixels, cv2.COLOR_RGB2GRAY), np.uint8)


def read_picture(path: str | Path) -> Picture:
    """Read a scan: 1-bit, 16-bit, palette, CMYK and transparent images become RGB, a camera's rotation is applied."""
    path = Path(path)
    if not path.is_file():
        raise BadInput(f"{path}: there is no such file" if not path.exists() else f"{path}: not a file")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path, formats=FORMATS) as image:
                _refuse_giants(path, *image.size)
                return Picture(_pixels(image), path.name)
    except Image.DecompressionBombError:
        raise BadInput(f"{path}: too large an image; the most is {MOST_PIXELS // 1_000_000} megapixels") from None
    except UnidentifiedImageError:
        raise BadInput(f"{path}: {_what_else(path)}") from None
    except (OSError, ValueError, SyntaxError, EOFError, KeyError, IndexError, struct.error, MemoryError) as problem:
        raise BadInput(f"{path}: the image is damaged: {problem or type(problem).__name__}") from None


def _what_else(path: Path) -> str:
    """What a file is that is no image we can read, with a way out where it is a likely one."""
    with path.open("rb") as file:
        start = file.read(12)
    if start.startswith(b"%PDF"):
        return "a PDF; save the page as PNG or JPEG first"
    if start[4:8] == b"ftyp":
        return "a HEIC or AVIF photo; save it as JPEG first"
    return "not an image (PNG, JPEG, GIF, TIFF, BMP or WebP is wanted)"


def _refuse_giants(path: Path, width: int, height: int) -> None:
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
        raise BadInput(
            f"{path}: {width} x {height} pixels is too large; the most is {MOST_PIXELS // 1_000_000} megapixels"
            f" and {LONGEST_SIDE} on a side"
        )


def _pixels(image: Image.Image) -> Pixels:
    image = ImageOps.exif_transpose(image)
    if image.mode.startswith("I") or image.mode == "F":
        return _from_deep(np.asarray(image))
    if image.has_transparency_data:
        return _on_paper(np.asarray(image.convert("RGBA")))
    return np.asarray(image.convert("RGB"))


def _from_deep(values: npt.NDArray[np.generic]) -> Pixels:
    """16-bit or floating grey to 8 bit, by the least power of two that holds the brightest pixel."""
    deep = np.nan_to_num(values.astype(np.float32))
    brightest = float(deep.max(initial=0))
    full = 255.0 if brightest <= 255 else 2.0 ** np.ceil(np.log2(brightest + 1)) - 1
    if brightest <= 1 and values.dtype.kind == "f":
        full = 1.0
    grey = np.clip(deep * np.float32(255 / full), 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, 2)


def _on_paper(rgba: Pixels) -> Pixels:
    """Lay a transparent image on white; on black where what shows is pale, so that it goes on showing."""
    alpha = rgba[..., 3]
    clear = int((alpha < 128).sum())
    if not clear:
        return np.ascontiguousarray(rgba[..., :3])
    shown = rgba[..., :3][alpha >= 128]
    pale = len(shown) > 0 and clear > alpha.size // 2 and float(shown.mean()) > 160
    paper = 0 if pale else 255
    out = np.empty((*rgba.shape[:2], 3), np.uint8)
    for k in range(3):
        layer = rgba[..., k].astype(np.uint16) * alpha + np.uint16(paper) * (255 - alpha)
        out[..., k] = (layer + 127) // 255
    return out
