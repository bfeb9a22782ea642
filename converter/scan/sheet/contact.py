"""To check a cut sheet at a glance: its counters with their names, and the scan with every counter outlined."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from converter.scan.picture import Picture
from converter.scan.sheet.blocks import Cell

_THUMB, _LABEL, _WIDE = 84, 16, 12


@dataclass(frozen=True)
class Shown:
    """A counter on the contact sheet."""

    name: str
    place: str
    front: Image.Image
    back: Image.Image | None = None
    count: int = 1
    blank: bool = False
    file: str = ""
    back_file: str = ""


def contact_image(shown: Sequence[Shown]) -> Image.Image:
    """Fronts with their backs beside them, name and number below."""
    pairs = any(item.back for item in shown)
    wide = (2 if pairs else 1) * _THUMB + 10
    columns = max(1, min(len(shown), _WIDE if not pairs else _WIDE // 2))
    rows = -(-len(shown) // columns)
    sheet = Image.new("RGB", (columns * wide + 10, rows * (_THUMB + _LABEL + 8) + 10), "#e8e8e8")
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(11)
    for i, item in enumerate(shown):
        x, y = 10 + (i % columns) * wide, 10 + (i // columns) * (_THUMB + _LABEL + 8)
        for image, left in ((item.front, x), (item.back, x + _THUMB + 2)):
            if image:
                thumb = image.copy()
                thumb.thumbnail((_THUMB, _THUMB))
                sheet.paste(thumb, (left, y), thumb if thumb.mode == "RGBA" else None)
        pen.text((x, y + _THUMB + 1), _label(item)[:30], fill="#000000", font=font)
    return sheet


def _label(item: Shown) -> str:
    said = item.name + (f" x{item.count}" if item.count > 1 else "")
    return said + (" (blank)" if item.blank else "")


def contact_page(shown: Sequence[Shown], title: str, notes: Sequence[str]) -> str:
    """The same as a page that shows the cut files themselves."""
    figures = []
    for item in shown:
        pictures = "".join(
            f'<img src="{html.escape(file, quote=True)}" alt="">' for file in (item.file, item.back_file) if file
        )
        figures.append(
            f"<figure>{pictures}<figcaption>{html.escape(_label(item))}<br><small>{item.place}</small></figcaption></figure>"
        )
    said = "".join(f"<li>{html.escape(note)}</li>" for note in notes)
    return (
        f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}</title><style>"
        "body{font:14px sans-serif;background:#e8e8e8}main{display:flex;flex-wrap:wrap;gap:10px}"
        "figure{margin:0;max-width:220px}img{height:96px;margin-right:2px}figcaption{font-size:12px}</style>"
        f"<h1>{html.escape(title)}</h1><ul>{said}</ul>"
        "<p>Wrong somewhere? Correct sheet.yaml and give it with --config.</p>"
        f"<main>{''.join(figures)}</main>"
    )


def outlined(picture: Picture, cells: Sequence[Cell], most: int = 1800) -> Image.Image:
    """The scan with every counter outlined."""
    scale = min(1.0, most / max(picture.width, picture.height))
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    image = np.ascontiguousarray(cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA))
    for cell in cells:
        points = np.rint((cell.corners + 0.5) * scale * 16).astype(np.int32)
        cv2.polylines(image, [points], True, (255, 0, 200), 2, cv2.LINE_AA, 4)
    return Image.fromarray(image)
