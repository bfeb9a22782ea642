"""A score as a range: what is certain, and what hangs on something nobody told."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Score:
    """Points from `low` to `high`, with the lines that make them up.

    >>> score = Score(); score.add(5, "HQ 1M dead"); score.add(10, "Taegu", certain=False); (score.low, score.high)
    (5, 15)
    """

    low: int = 0
    high: int = 0
    lines: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def add(self, points: int, why: str, *, certain: bool = True) -> None:
        """Count points, surely or perhaps."""
        self.high += points
        if certain:
            self.low += points
        else:
            self.missing.append(why)
        self.lines.append(f"{points:+d}{'' if certain else '?'} {why}")

    def allows(self, claimed: int) -> bool:
        """Could this be the score?"""
        return self.low <= claimed <= self.high
