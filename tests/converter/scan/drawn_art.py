"""Map-like art made from random numbers: what the drawn grids and the pictures without hexes are painted on."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Rng = np.random.Generator

WORDS = ("HILL", "RIVER", "Ford", "Bridge", "Sector", "7th", "Corps", "Depot", "Road", "Mill", "Creek", "104", "Supply")


def fractal(rng: Rng, h: int, w: int, coarsest: int = 8, roughness: float = 0.6) -> npt.NDArray[np.float32]:
    """Cloudy noise from -1 to 1: random fields at doubling fineness, each fainter by `roughness`."""
    out = np.zeros((h, w), np.float32)
    cell, weight = max(h, w) / coarsest, 1.0
    while cell >= 2:
        field = rng.standard_normal((int(h / cell) + 2, int(w / cell) + 2)).astype(np.float32)
        out += weight * cv2.resize(field, (w, h), interpolation=cv2.INTER_CUBIC)
        cell, weight = cell / 2, weight * roughness
    return out / float(np.abs(out).max() + 1e-6)


def colour(rng: Rng, low: float, high: float) -> tuple[int, int, int]:
    base = rng.uniform(low, high)
    r, g, b = (int(v) for v in np.clip(base + rng.uniform(-30, 30, 3), 0, 255))
    return r, g, b


def wobble(rng: Rng, h: int, w: int, turns: int = 12) -> npt.NDArray[np.int32]:
    """A road or a river: a wandering line right across the picture."""
    along = np.linspace(-0.05, 1.05, turns)
    across = rng.uniform(0.1, 0.9) + np.cumsum(rng.normal(0, 0.06, turns))
    points = np.stack([along * w, across * h], 1)
    if rng.random() < 0.5:
        points = np.stack([across * w, along * h], 1)
    fine = np.linspace(0, turns - 1, 120)
    smooth = [np.interp(fine, np.arange(turns), points[:, k]) for k in (0, 1)]
    return cv2.blur(np.stack(smooth, 1), (1, 9)).round().astype(np.int32)


def words(rng: Rng, art: Image, count: int, size: float = 1.0) -> None:
    h, w = art.shape[:2]
    for _ in range(count):
        at = (int(rng.uniform(0, w * 0.9)), int(rng.uniform(20, h)))
        ink = colour(rng, 0, 60) if rng.random() < 0.8 else colour(rng, 200, 255)
        cv2.putText(art, str(rng.choice(WORDS)), at, cv2.FONT_HERSHEY_SIMPLEX, rng.uniform(0.4, 0.9) * size, ink,
                    int(rng.integers(1, 3)), cv2.LINE_AA)


def patches(rng: Rng, art: Image, count: int, low: float, high: float) -> None:
    """Woods, lakes and fields: blobs of one colour, some with an outline."""
    h, w = art.shape[:2]
    for _ in range(count):
        corners = 24
        angle = np.linspace(0, 2 * np.pi, corners, endpoint=False)
        ragged = 1 + 0.4 * cv2.blur(rng.standard_normal((corners, 1)), (1, 5))[:, 0]
        radius = rng.uniform(0.03, 0.14) * max(h, w) * ragged
        shape = np.stack([rng.uniform(0, w) + radius * np.cos(angle), rng.uniform(0, h) + radius * np.sin(angle)], 1)
        outline = [shape.astype(np.int32)]
        cv2.fillPoly(art, outline, colour(rng, low, high), cv2.LINE_AA)
        if rng.random() < 0.4:
            cv2.polylines(art, outline, True, colour(rng, 0, 100), int(rng.integers(1, 4)), cv2.LINE_AA)


def scatter(rng: Rng, art: Image, count: int) -> None:
    """Trees and houses: many small marks of a few kinds, at random."""
    h, w = art.shape[:2]
    for _ in range(count):
        x, y, r = int(rng.uniform(0, w)), int(rng.uniform(0, h)), int(rng.integers(2, 9))
        if rng.random() < 0.6:
            cv2.circle(art, (x, y), r, colour(rng, 20, 120), -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints(((x, y), (2.0 * r, 3.0 * r), rng.uniform(0, 180)))
            cv2.fillPoly(art, [box.astype(np.int32)], colour(rng, 30, 150), cv2.LINE_AA)


def paint(rng: Rng, h: int, w: int, kind: str, low: float, high: float) -> Image:
    """One ground of the given kind with most of its brightness between `low` and `high`."""
    middle, reach = (low + high) / 2, (high - low) / 2
    grey = np.full((h, w), middle, np.float32)
    if kind == "gradient":
        angle = rng.uniform(0, 2 * np.pi)
        yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
        ramp = np.cos(angle) * xx / w + np.sin(angle) * yy / h
        grey += reach * 1.6 * (ramp - float(ramp.mean()))
    elif kind == "texture":
        grey += reach * fractal(rng, h, w, roughness=rng.uniform(0.55, 0.85))
    else:
        grey += 0.3 * reach * fractal(rng, h, w)
    tint = 1 + rng.uniform(-0.12, 0.12, 3).astype(np.float32)
    art: Image = np.clip(grey[..., None] * tint, 0, 255).astype(np.uint8)
    scale = h * w / 1e6
    if kind == "map":
        patches(rng, art, int(6 + 8 * scale), low, high)
        for _ in range(int(rng.integers(2, 7))):
            cv2.polylines(art, [wobble(rng, h, w)], False, colour(rng, 0, 255), int(rng.integers(2, 12)), cv2.LINE_AA)
        scatter(rng, art, int(60 * scale))
        words(rng, art, int(12 * scale) + 3)
    elif kind == "patches":
        patches(rng, art, int(20 * scale) + 5, low, high)
    return art


def chart(rng: Rng, art: Image, x0: int, y0: int, x1: int, y1: int) -> None:
    """A ruled table with figures in it, as printed in a map's margin."""
    if x1 - x0 < 30 or y1 - y0 < 30:
        return
    cv2.rectangle(art, (x0, y0), (x1, y1), colour(rng, 200, 250), -1)
    columns, rows = max(1, (x1 - x0) // int(rng.integers(30, 70))), max(1, (y1 - y0) // int(rng.integers(18, 40)))
    for x in np.linspace(x0, x1, columns + 1).astype(int):
        cv2.line(art, (int(x), y0), (int(x), y1), (30, 30, 30), 1)
    for y in np.linspace(y0, y1, rows + 1).astype(int):
        cv2.line(art, (x0, int(y)), (x1, int(y)), (30, 30, 30), 1)
        for x in np.linspace(x0, x1, columns + 1).astype(int)[:-1]:
            at = (int(x) + 4, int(y) - 4)
            cv2.putText(art, str(rng.integers(0, 99)), at, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (20, 20, 20), 1)


def wear(rng: Rng, picture: Image, blur: float, grain: float, jpeg: int | None) -> Image:
    """What a scanner does: a little blur, grain, and JPEG blocks."""
    if blur > 0.1:
        picture = cv2.GaussianBlur(picture, (0, 0), blur)
    if grain > 0:
        noise = rng.standard_normal(picture.shape[:2]).astype(np.float32)[..., None] * grain
        picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if jpeg is not None:
        picture = cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, jpeg])[1], cv2.IMREAD_COLOR)
    return picture
