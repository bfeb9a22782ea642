"""What the referee says: a finding is an argument that a player can check against the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """`illegal` only where no reading of the evidence is legal; `unsure` names what is missing."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNSURE = "unsure"


@dataclass(slots=True)
class Finding:
    """One breach, proved or possible. `step` counts steps of a log or actions of a story; `when` is turn and phase.
    It never changes; that is not enforced because thousands are made."""

    step: int
    check: str
    rule: str
    verdict: Verdict
    message: str
    side: str | None = None
    units: tuple[str, ...] = ()
    origin: str | None = None
    to: str | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    when: str = ""

    def in_doubt(self, *missing: str) -> Finding:
        """The same finding, said with a doubt.

        >>> Finding(3, "X", "5.1", Verdict.ILLEGAL, "too far").in_doubt("terrain of 1011").verdict
        <Verdict.UNSURE: 'unsure'>
        """
        lacking = tuple(dict.fromkeys((*self.missing, *missing)))
        return replace(self, verdict=Verdict.UNSURE, missing=lacking)

    def as_json(self, counted: str = "step") -> dict[str, Any]:
        """The shape of the JSON contract; a story counts its steps as `action`."""
        evidence = dict(self.evidence)
        if self.missing:
            evidence["missing"] = list(self.missing)
        return {
            counted: self.step,
            "check": self.check,
            "rule": self.rule,
            "verdict": str(self.verdict),
            "side": self.side,
            "units": list(self.units),
            "from": self.origin,
            "to": self.to,
            "when": self.when,
            "message": self.message,
            "evidence": evidence,
        }


@dataclass(frozen=True)
class Judged:
    """What came of a story or a log: findings in order, how many acts were looked at, remarks for the user."""

    findings: tuple[Finding, ...]
    judged: int
    notes: tuple[str, ...] = ()
    times: tuple[tuple[int, str], ...] = ()  # from which step on it is which turn and phase, of a log
