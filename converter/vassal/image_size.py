"""The size of a picture from its first bytes, without decoding it: PNG, GIF, JPEG, BMP, SVG."""

from __future__ import annotations

import re
import struct

HEAD = 1 << 20  # enough to get past the colour profiles and previews that JPEGs carry in front
LARGEST = 1 << 20  # pixels on a side; anything above is nonsense

Size = tuple[int, int]

_SVG = re.compile(rb"<(?:\w{1,20}:)?svg\b([^>]{0,20000})>")
_PIXELS = {"": 1.0, "px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "pt": 96 / 72, "pc": 16.0}
_NO_SIZE_MARKERS = frozenset({0xC4, 0xC8, 0xCC})  # tables among the JPEG frame markers


def image_size(data: bytes) -> Size | None:
    r"""Width and height in pixels; None where the start of the file does not tell.

    >>> image_size(b"GIF89a\x20\x03\x58\x02\x00\x00\x00")
    (800, 600)
    """
    try:
        size = _read(data[:HEAD])
    except (struct.error, IndexError):
        return None
    return size if size and 0 < size[0] <= LARGEST and 0 < size[1] <= LARGEST else None


def _read(data: bytes) -> Size | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        width, height = struct.unpack_from(">LL", data, 16)
        return width, height
    if data.startswith((b"GIF87a", b"GIF89a")):
        return _gif(data)
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    if data.startswith(b"BM"):
        if struct.unpack_from("<L", data, 14)[0] == 12:
            width, height = struct.unpack_from("<HH", data, 18)
        else:
            width, height = struct.unpack_from("<ll", data, 18)
        return width, abs(height)
    return _svg(data)


def _gif(data: bytes) -> Size:
    """The first frame's size, which is what VASSAL shows; the canvas's where no frame is in reach."""
    canvas: Size = struct.unpack_from("<HH", data, 6)
    at = 13 + (3 << (data[10] & 7) + 1 if data[10] & 0x80 else 0)
    while at < len(data) and data[at] == 0x21:
        at += 2
        while at < len(data) and data[at]:
            at += data[at] + 1
        at += 1
    if at + 9 <= len(data) and data[at] == 0x2C:
        frame: Size = struct.unpack_from("<HH", data, at + 5)
        return frame
    return canvas


def _jpeg(data: bytes) -> Size | None:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE_MARKERS:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    return None


def _svg(data: bytes) -> Size | None:
    found = _SVG.search(data)
    if not found:
        return None
    attributes = {
        name.decode(): value.decode("latin-1")
        for name, _, value in re.findall(rb"\b(width|height|viewBox)\s*=\s*(['\"])(.{0,200}?)\2", found[1])
    }
    width, height = _length(attributes.get("width", "")), _length(attributes.get("height", ""))
    if width is None or height is None:
        box = re.findall(r"[-+]?[0-9]{0,9}\.?[0-9]{1,9}", attributes.get("viewBox", ""))
        if len(box) != 4:
            return None
        width, height = float(box[2]), float(box[3])
    return int(width + 0.5), int(height + 0.5)


def _length(text: str) -> float | None:
    found = re.fullmatch(r"\s*([0-9]{0,9}\.?[0-9]{1,9})\s*([a-z]{0,2})\s*", text)
    return float(found[1]) * _PIXELS[found[2]] if found and found[2] in _PIXELS else None
