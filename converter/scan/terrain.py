"""The terrain of every hex from a few examples of each kind.

Each kind is one or two clouds of looks (open sea and the lined sea off a coast are two) that share one shape. The
examples place the clouds, and every other hex then helps to shape them: some hundred hexes show how widely looks vary
on this sheet, which a handful of examples never could.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

ROUNDS = 5
TEMPER = 0.25
"""Features overlap in what they tell: they are believed by this share."""
TWO_CLOUDS = 12.0
"""Examples are two clouds when these lie so much further apart than each is wide (as squares)."""
EXAMPLE_WEIGHT = 5.0
COLOURS = 17
"""So many numbers of a look come first that are its ground's colour; the others are texture."""
TEXTURE_DOUBT = 0.4
HELD = 30.0
"""The middle of a cloud is held to that of its examples as by so many hexes."""


@dataclass(frozen=True)
class Sorted:
    """How likely each kind is for each hex, and how odd each hex looks: its distance from the nearest kind, where 1 is
    the rim of what the map has plenty of."""

    kinds: tuple[str, ...]
    likely: Floats
    odd: Floats


def sort_hexes(looks: npt.NDArray[np.float32], places: Floats, examples: Mapping[str, Sequence[int]]) -> Sorted:
    """Sort all hexes into the kinds that have examples (rows of `looks`); `places` are their middles on the sheet.

    What changes slowly over the sheet, whatever the terrain, is the light and not the ground: it is taken out.
    """
    kinds = tuple(examples)
    z = np.clip((looks - looks.mean(0)) / (looks.std(0) + 1e-6), -5, 5).astype(np.float64)
    clouds: list[Rows] = []
    owner: list[int] = []
    for k, kind in enumerate(kinds):
        for cloud in _clouds(z, np.array(examples[kind], np.int64)):
            clouds.append(cloud)
            owner.append(k)
    taught = np.zeros((len(z), len(clouds)))
    for c, cloud in enumerate(clouds):
        taught[cloud, c] = EXAMPLE_WEIGHT
    known = taught.sum(1) > 0
    share = taught.copy()
    anchor = np.stack([_ground(z[cloud]) for cloud in clouds])
    doubt = TEXTURE_DOUBT * _told_by_colour(z[:, :COLOURS], [np.array(rows, np.int64) for rows in examples.values()])
    distance = np.zeros_like(share)
    belongs = share
    for turn in range(ROUNDS):
        size = share.sum(0)
        middle = (share.T @ z + HELD * anchor) / (size + HELD)[:, None]
        spread = _shared_spread(z, middle, share, 0.1 if turn else 0.5, doubt if not turn else 0.0)
        factor = np.linalg.cholesky(np.linalg.inv(spread))
        distance = np.stack([(((z - one) @ factor) ** 2).sum(1) for one in middle], 1)
        common = np.log((size + 3) / (size.sum() + 3 * len(clouds))) if turn else np.zeros(len(clouds))
        belongs = _shares(common - 0.5 * TEMPER * distance)
        share = np.where(known[:, None], taught, belongs)
        z = z - _drift(z, middle, share, places)
    owners = np.array(owner)
    likely = np.stack([belongs[:, owners == k].sum(1) for k in range(len(kinds))], 1)
    nearest = distance.min(1)
    return Sorted(kinds, likely, np.sqrt(nearest / max(float(np.quantile(nearest, 0.97)), 1e-9)))


def _ground(examples: Floats) -> Floats:
    """What the ground of some examples looks like: their mean colour, and the texture of those that have least of it,
    for what is printed over the ground only adds to it."""
    barer = np.sort(examples, 0)[: (len(examples) + 1) // 2].mean(0)
    return np.asarray(np.where(np.arange(len(barer)) < COLOURS, examples.mean(0), barer))


def _told_by_colour(colours: Floats, examples: Sequence[Rows]) -> float:
    """How well (0 to 1) colour alone tells the examples apart, each held against the middles of the others.

    Where it does, texture is not believed at first: roads, towns and names in a few examples would look like terrain.
    """
    right, count = 0.0, 0
    for k, rows in enumerate(examples):
        for row in rows:
            rest = list(examples)
            rest[k] = np.setdiff1d(rows, row) if len(rows) > 1 else rows
            away = [((colours[row] - np.median(colours[other], 0)) ** 2).sum() for other in rest]
            right += int(np.argmin(away)) == k
            count += 1
    return max(0.0, 2 * right / max(count, 1) - 1) ** 2


def _drift(z: Floats, middle: Floats, share: Floats, places: Floats) -> Floats:
    """How looks change over the sheet apart from terrain: a bowl or slope through what the clouds leave over."""
    x, y = ((places - places.mean(0)) / (np.ptp(places, axis=0).max() / 2)).T
    bowl = np.stack([x, y, x * x, x * y, y * y], 1)
    bowl -= bowl.mean(0)
    left = z - (share / share.sum(1, keepdims=True)) @ middle
    left = np.clip(left, -1, 1)
    slope = np.linalg.solve(bowl.T @ bowl + 0.02 * len(z) * np.eye(5), bowl.T @ left)
    return np.asarray(bowl @ slope)


def _shared_spread(z: Floats, middle: Floats, share: Floats, shrink: float, doubt: float) -> Floats:
    """The covariance about the clouds' middles, held toward independent features."""
    total = np.zeros((z.shape[1], z.shape[1]))
    for c, one in enumerate(middle):
        off = z - one
        total += (off * share[:, c : c + 1]).T @ off
    total /= share.sum()
    least = np.where(np.arange(len(total)) < COLOURS, 0.01, 0.01 + doubt)
    return np.asarray((1 - shrink) * total + shrink * np.diag(np.diag(total)) + np.diag(least))


def _shares(scores: Floats) -> Floats:
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True))


def _clouds(z: Floats, rows: Rows) -> list[Rows]:
    """Examples as one cloud, or as two where they plainly are two."""
    if len(rows) < 4:
        return [rows]
    points = z[rows]
    apart = ((points[:, None] - points) ** 2).mean(-1)
    first, second = np.unravel_index(apart.argmax(), apart.shape)
    middle = points[[first, second]]
    side = np.zeros(len(rows), np.int64)
    for _ in range(8):
        side = ((points[:, None] - middle) ** 2).mean(-1).argmin(1)
        if min(np.bincount(side, minlength=2)) < 2:
            return [rows]
        middle = np.stack([points[side == k].mean(0) for k in (0, 1)])
    wide = np.mean([((points[side == k] - middle[k]) ** 2).mean() for k in (0, 1)])
    if ((middle[0] - middle[1]) ** 2).mean() < TWO_CLOUDS * wide:
        return [rows]
    return [rows[side == k] for k in (0, 1)]
