"""A combat judged once more as players may have meant it: what they did not call out is not held against them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from referee.court import Court
from referee.table.ledger import Ledger
from referee.verdict import Finding, Verdict


class Before(NamedTuple):
    """How far the court had come before it judged a combat."""

    facts: int
    combats: int
    seen: set[tuple[object, ...]]

    @classmethod
    def of(cls, court: Court[Any, Any]) -> Before:
        return cls(len(court.ledger.facts), len(court.combats), set(court._seen))

    def found(self, court: Court[Any, Any], judge: Callable[[], None]) -> set[tuple[int, str]]:
        """What is wrong, if it is judged like this: steps and checks. The court is left as it was."""
        kept = court.findings, court.judged, court._seen, court.combats
        noted = court.ledger.cut(self.facts)
        court.findings, court._seen, court.combats = [], set(self.seen), court.combats[: self.combats]
        judge()
        found = illegal(court.findings)
        court.findings, court.judged, court._seen, court.combats = kept
        court.ledger.cut(self.facts)
        for fact in noted:
            Ledger.add(court.ledger, fact)
        return found


def illegal(findings: Iterable[Finding]) -> set[tuple[int, str]]:
    """The steps and checks of what is wrong."""
    return {(finding.step, finding.check) for finding in findings if finding.verdict == Verdict.ILLEGAL}
