"""A path as evidence: hex by hex, what each step cost and where the enemy's zone of control lies."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Any

from referee.rules.board import Board, points
from referee.rules.paths import NOTHING, Path


def arithmetic(board: Board, path: Path, zone: Collection[int] = NOTHING) -> dict[str, Any]:
    """The path, what each step cost and why, the sum, and the hexes of it that lie in a zone of control."""
    steps = []
    for (here, there), cost in zip(pairwise(path.hexes), path.costs, strict=True):
        printed = board.cost(here, there)
        extra = cost - printed.low
        why = printed.why + (f" and {points(extra)} for the zone of control" if extra > 0 else "")
        steps.append(f"{board.numbers[there]}: {points(cost)}" + (f" ({why})" if why else ""))
    told: dict[str, Any] = {"path": [board.numbers[hex] for hex in path.hexes], "costs": steps}
    if held := [board.numbers[hex] for hex in path.hexes if hex in zone]:
        told["in_zone"] = held
    return told | {"total": points(path.total)}
