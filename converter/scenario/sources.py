"""Where a fact comes from. Every item of a scenario folder says it: players can check, a better source can win."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

SourceKind = Literal["rule", "scan", "module", "person"]
KINDS: tuple[SourceKind, ...] = ("rule", "scan", "module", "person")


@dataclass(frozen=True)
class Source:
    """`ref` is the rule's number, the picture's or module's name, or who says so.

    `confidence` (0 to 1) is the scanner's. `inferred` says how the fact follows where the source does not state it.

    >>> Source.decode({"rule": "18.0", "inferred": "called the northern hex of the city"}).ref
    '18.0'
    """

    kind: SourceKind
    ref: str
    confidence: float | None = None
    inferred: str | None = None

    @classmethod
    def decode(cls, data: dict[str, Any]) -> Source:
        kind = next(kind for kind in KINDS if kind in data)
        return cls(kind, data[kind], data.get("confidence"), data.get("inferred"))

    def encode(self) -> dict[str, Any]:
        data: dict[str, Any] = {self.kind: self.ref}
        if self.confidence is not None:
            data["confidence"] = self.confidence
        if self.inferred is not None:
            data["inferred"] = self.inferred
        return data

    def __str__(self) -> str:
        said = f"{self.kind} {self.ref}"
        if self.confidence is not None:
            said += f" ({self.confidence:.0%} sure)"
        return said + (f", inferred: {self.inferred}" if self.inferred else "")
