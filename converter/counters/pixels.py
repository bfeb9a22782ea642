"""A counter face as SVG, and as pixels of any size."""

from __future__ import annotations

import base64
import io
from xml.sax.saxutils import quoteattr

import resvg_py
from PIL import Image

from converter.counters.lettering import CAPITALS, runs, width
from converter.counters.pages import INCH, Page
from converter.counters.scene import SIDE, Outline, Photo, Scene, Words, box, rounded


def as_svg(scene: Scene, size: int = 100) -> str:
    """The scene as an SVG document without text elements: letters are outlines, so it looks the same everywhere."""
    body = "".join(_svg_item(item) for item in scene.items)
    clip = f'<clipPath id="edge"><path d="{rounded(0, 0, SIDE, SIDE, scene.radius)}"/></clipPath>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {SIDE:g} {SIDE:g}">'
        f'{clip}<g clip-path="url(#edge)">{body}</g></svg>'
    )


def missing_box(at: float, number: int, size: float, squeeze: float) -> str:
    """The empty box that stands for a character no font has: the `number`-th of a run that begins at `at`."""
    return box(at + number * 0.7 * size * squeeze, -CAPITALS * size, 0.5 * size * squeeze, CAPITALS * size)


def page_image(page: Page, dpi: int) -> Image.Image:
    """A printed page as pixels, to scale at so many dots per inch."""
    per_mm = dpi / INCH
    width, height = round(page.width * per_mm), round(page.height * per_mm)
    scenes = {id(placed.scene): placed.scene for placed in page.placed}
    parts = []
    for i, (key, scene) in enumerate(scenes.items()):
        parts.append(f'<clipPath id="edge{i}"><path d="{rounded(0, 0, SIDE, SIDE, scene.radius)}"/></clipPath>')
        body = "".join(_svg_item(item) for item in scene.items)
        for placed in page.placed:
            if id(placed.scene) == key:
                moved = f"translate({placed.x:.6f},{placed.y:.6f}) scale({placed.size / SIDE:.8f})"
                parts.append(f'<g transform="{moved}"><g clip-path="url(#edge{i})">{body}</g></g>')
    for line in page.lines:
        parts.append(
            f'<path d="M{line.x1:.4f},{line.y1:.4f}L{line.x2:.4f},{line.y2:.4f}" stroke="#000000" stroke-width="0.1"/>'
        )
    for note in page.notes:
        parts.append(_svg_words(Words(note.text, note.x, note.y, note.height, "#000000", note.anchor)))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width / per_mm:.6f} {height / per_mm:.6f}">{"".join(parts)}</svg>'
    )
    data = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, background="#ffffff")
    return Image.open(io.BytesIO(bytes(data))).convert("RGB")


def as_image(scene: Scene, size: int) -> Image.Image:
    """The scene as RGBA pixels, `size` on a side; outside its rounded corners it is transparent."""
    data = resvg_py.svg_to_bytes(svg_string=as_svg(scene, size), skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(data))).convert("RGBA")


def _svg_item(item: Outline | Words | Photo) -> str:
    if isinstance(item, Outline):
        return _svg_outline(item)
    if isinstance(item, Words):
        return _svg_words(item)
    kind = "png" if item.data.startswith(b"\x89PNG") else "jpeg"
    data = base64.b64encode(item.data).decode()
    return (
        f'<image x="{item.x:g}" y="{item.y:g}" width="{item.width:g}" height="{item.height:g}"'
        f' preserveAspectRatio="xMidYMid meet" href="data:image/{kind};base64,{data}"/>'
    )


def _svg_outline(item: Outline) -> str:
    moved = f"translate({item.x:g},{item.y:g}) scale({item.scale:g})"
    line = f'stroke={quoteattr(item.stroke)} stroke-width="{item.width:g}"' if item.stroke else ""
    return f'<path d="{item.path}" transform="{moved}" fill={quoteattr(item.fill or "none")} {line}/>'


def _svg_words(item: Words) -> str:
    """Letters as outlines; a character that no font has is an empty box."""
    long = width(item.text) * item.size * item.squeeze
    at = -long * {"left": 0.0, "middle": 0.5, "right": 1.0}[item.anchor]
    parts = []
    for run in runs(item.text):
        if run.font:
            path = run.font.outline(run.text, at, 0, item.size, item.squeeze)
            parts.append(f'<path d="{path}" fill={quoteattr(item.ink)}/>')
        else:
            for i in range(len(run.text)):
                path = missing_box(at, i, item.size, item.squeeze)
                parts.append(
                    f'<path d="{path}" fill="none" stroke={quoteattr(item.ink)} stroke-width="{item.size / 14:g}"/>'
                )
        at += run.width * item.size * item.squeeze
    return f'<g transform="translate({item.x:g},{item.y:g}) rotate({item.turn:g})">{"".join(parts)}</g>'
