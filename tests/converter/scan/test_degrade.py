"""Worn scans: what was done to the sheet is known to the pixel, and can be done again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from converter.scan.degrade import USED, Picture, Wear, degrade


def sheet() -> Picture:
    """A pale sheet with nine dark dots."""
    picture = np.full((300, 400, 3), 225, np.uint8)
    for x, y in DOTS:
        picture[y - 3 : y + 4, x - 3 : x + 4] = 10
    return picture


DOTS = [(x, y) for x in (60, 200, 340) for y in (50, 150, 250)]


@pytest.mark.parametrize(
    "wear",
    [
        Wear(rotation=2),
        Wear(rotation=-1.5, scale=2),
        Wear(scale=0.5),
        Wear(perspective=0.03),
        replace(USED, coffee=False, folds=0, noise=3),
    ],
)
def test_the_matrix_tells_where_each_dot_went(wear: Wear) -> None:
    scan = degrade(sheet(), wear)
    grey = scan.picture.mean(axis=2)
    for x, y in DOTS:
        at_x, at_y = scan.place(x, y)
        reach = int(8 * max(wear.scale, 0.6))
        around = grey[round(at_y) - reach : round(at_y) + reach + 1, round(at_x) - reach : round(at_x) + reach + 1]
        weight = np.clip(np.median(around) - around - 30, 0, None)
        rows, cols = np.mgrid[0 : around.shape[0], 0 : around.shape[1]]
        found_x = round(at_x) - reach + (weight * cols).sum() / weight.sum()
        found_y = round(at_y) - reach + (weight * rows).sum() / weight.sum()
        assert abs(found_x - at_x) < 0.7
        assert abs(found_y - at_y) < 0.7


@pytest.mark.parametrize(
    "wear",
    [
        Wear(light=0.4),
        Wear(folds=2),
        Wear(noise=8),
        Wear(blur=1.5),
        Wear(jpeg=30),
        Wear(coffee=True),
    ],
)
def test_each_kind_of_wear_shows_and_leaves_the_sheet_in_place(wear: Wear) -> None:
    clean = sheet()
    scan = degrade(clean, wear)
    assert scan.picture.shape == clean.shape
    assert np.abs(scan.picture.astype(int) - clean).max() > 15
    assert scan.place(123.0, 45.0) == pytest.approx((123, 45))


def test_no_wear_changes_nothing() -> None:
    assert (degrade(sheet(), Wear()).picture == sheet()).all()


def test_the_same_seed_gives_the_same_scan() -> None:
    first, again, other = (degrade(sheet(), replace(USED, seed=seed)).picture for seed in (5, 5, 6))
    assert first.shape == again.shape
    assert (first == again).all()
    assert other.shape != first.shape or (other != first).any()


def test_the_whole_sheet_stays_on_the_scan() -> None:
    scan = degrade(sheet(), replace(USED, rotation=4, perspective=0.03))
    for corner in ((0, 0), (400, 0), (400, 300), (0, 300)):
        x, y = scan.place(*corner)
        assert -1 <= x <= scan.picture.shape[1] + 1
        assert -1 <= y <= scan.picture.shape[0] + 1
