"""Lines go on: which hexsides a line may come from and go to, and how likely it is there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from converter.scan.worksheet import Worksheet, side_of

Likely = npt.NDArray[np.float64]
_NONE = -1


@dataclass(frozen=True)
class Onward:
    """For each hexside, the others that it meets at its one end and at its other end (-1 fills up)."""

    ends: npt.NDArray[np.int64]
    """Sides x 2 x the most that meet."""

    @classmethod
    def links(cls, sheet: Worksheet) -> Onward:
        """What crosses a side goes on across the other sides of both hexes."""
        return cls(_meeting(sheet.sides))

    @classmethod
    def hexsides(cls, sheet: Worksheet) -> Onward:
        """What runs along a side goes on along those that share a corner."""
        corners = []
        for one, other in sheet.sides:
            ends = sheet.layout.side_ends(side_of(sheet, one, other))
            corners.append(tuple((round(x * 4 / sheet.unit), round(y * 4 / sheet.unit)) for x, y in ends))
        return cls(_meeting([(pair[0], pair[1]) for pair in corners]))

    def best(self, likely: Likely) -> Likely:
        """The best likelihood that each end of each side meets: sides x 2."""
        padded = np.append(likely, 0.0)
        return np.asarray(padded[self.ends].max(2))

    def features(self, likely: Likely) -> Likely:
        """The better and the worse end."""
        return np.sort(self.best(likely), 1)


def _meeting(ends: Sequence[tuple[Hashable, Hashable]]) -> npt.NDArray[np.int64]:
    at: defaultdict[Hashable, list[int]] = defaultdict(list)
    for i, pair in enumerate(ends):
        for end in pair:
            at[end].append(i)
    most = max((len(sides) for sides in at.values()), default=1)
    out = np.full((len(ends), 2, most), _NONE, np.int64)
    for i, pair in enumerate(ends):
        for k, end in enumerate(pair):
            others = [side for side in at[end] if side != i]
            out[i, k, : len(others)] = others
    return out
