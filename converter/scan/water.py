"""Land and water told apart by the coast between them, and bodies of water as wholes.

On an old two-colour sheet the open sea is as bare as a plain: only the coastline tells. So land and water are weighed
together over the whole map: they meet where a coast is drawn, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

TURNS = 60
SAME_COLOUR = 5.0
EVEN = 0.5
"""Looks that speak for one side by no more than this, as log odds, say nothing: hundreds of them would add up."""
LEAST = 0.03
"""Nothing is less likely than this to be so after all: a coast unseen, a hex that looks otherwise."""


def weigh_water(water: Floats, sides: Rows, coast: Floats, most: float = 13.0) -> Floats:
    """How likely each hex is water, given how likely by its looks, and how likely a coast is on each side.

    `most`: looks are never believed beyond these log odds.

    `sides` are pairs of hexes. Belief propagation: each hex tells its neighbours what it takes itself for.

    >>> row = np.array([[0, 1], [1, 2], [2, 3]])
    >>> seen = np.array([0.99, 0.5, 0.5, 0.02])
    >>> weigh_water(seen, row, np.array([0.02, 0.97, 0.02])).round().tolist()
    [1.0, 1.0, 0.0, 0.0]
    """
    odds = np.clip(_odds(water), -most, most)
    odds = np.sign(odds) * np.maximum(np.abs(odds) - EVEN, 0.0)
    one, other = np.concatenate([sides[:, 0], sides[:, 1]]), np.concatenate([sides[:, 1], sides[:, 0]])
    back = np.concatenate([np.arange(len(sides), 2 * len(sides)), np.arange(len(sides))])
    differ = np.clip(np.concatenate([coast, coast]), LEAST, 1 - LEAST)
    said = np.zeros(len(one))
    for _ in range(TURNS):
        heard = odds + np.bincount(other, said, len(water))
        mine = 1 / (1 + np.exp(-(heard[one] - said[back])))
        toward = mine * (1 - differ) + (1 - mine) * differ
        said = 0.5 * said + 0.5 * np.log(toward / (1 - toward))
    return np.asarray(1 / (1 + np.exp(-(odds + np.bincount(other, said, len(water))))))


def _odds(likely: Floats) -> Floats:
    held = np.clip(likely, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(held / (1 - held)))


def told_apart(colours: npt.NDArray[np.floating], water: Rows, land: Rows) -> float:
    """From 0 to 1, whether examples of water have a colour of their own: is each likest to other water, and no land so?

    The first three numbers of `colours` are the ground's, in Lab.

    >>> ground = np.array([[60, 0, -30], [62, 0, -30], [80, 5, 20], [82, 5, 20], [61, 0, -29]])
    >>> told_apart(ground, np.array([0, 1]), np.array([2, 3])), told_apart(ground, np.array([0, 1]), np.array([2, 4]))
    (1.0, 0.0)
    """
    if len(water) < 2 or not len(land):
        return 1.0
    rows = np.concatenate([water, land])
    z = colours[rows] / (colours.std(0) + 1e-6)
    apart = ((z[:, None] - z) ** 2).sum(-1)
    np.fill_diagonal(apart, np.inf)
    is_water = np.arange(len(rows)) < len(water)
    wrong = (is_water[apart.argmin(1)] != is_water).sum()
    ground = colours[:, :3]
    close = np.linalg.norm(ground[water][:, None] - ground[land], axis=-1).min(1) < SAME_COLOUR
    wrong += close.sum()
    return float(max(0.0, 1 - 2 * wrong / len(water)) ** 2)


def split_by_water(likely: Floats, wet: Sequence[bool], water: Floats) -> Floats:
    """Each hex's likelihoods again, land and water kinds now sharing what `water` gives each."""
    kinds = np.array(wet)
    out = np.maximum(likely, 1e-9)
    for part, total in ((kinds, water), (~kinds, 1 - water)):
        if part.any():
            out[:, part] *= (total / out[:, part].sum(1))[:, None]
    return out


def one_body(likely: Floats, wet: Sequence[bool], sides: Rows, shown: Rows) -> Floats:
    """Water that joins is one body, and all of it one kind: its hexes vote, each a little; but where some of them are
    `shown` by the legend these decide.

    >>> sea_or_lake = np.array([[0.1, 0.9], [0.2, 0.8], [1.0, 0.0]])
    >>> one_body(sea_or_lake, (True, True), np.array([[0, 1], [1, 2]]), np.array([2])).round().argmax(1).tolist()
    [0, 0, 0]
    """
    kinds = np.flatnonzero(wet)
    if len(kinds) < 2:
        return likely
    is_water = likely[:, kinds].sum(1) > 0.5
    out = likely.copy()
    for body in _bodies(is_water, sides):
        told = np.intersect1d(body, shown)
        votes = np.log(np.maximum(likely[np.ix_(told if len(told) else body, kinds)], 1e-4)).mean(0)
        votes *= min(len(body), 12)
        share = np.exp(votes - votes.max())
        share /= share.sum()
        out[np.ix_(body, kinds)] = likely[np.ix_(body, kinds)].sum(1, keepdims=True) * share
    return out


def _bodies(inside: npt.NDArray[np.bool_], sides: Rows) -> list[Rows]:
    """The hexes that are inside, in groups that touch."""
    label = np.where(inside, np.arange(len(inside)), len(inside))
    joined = sides[inside[sides].all(1)]
    while len(joined):
        least = np.minimum(label[joined[:, 0]], label[joined[:, 1]])
        before = label.copy()
        np.minimum.at(label, joined[:, 0], least)
        np.minimum.at(label, joined[:, 1], least)
        if (before == label).all():
            break
    return [np.flatnonzero(label == name) for name in np.unique(label[inside])]
