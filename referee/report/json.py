"""The referee's answer as JSON: one object a log (docs of the contract: `check --json`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from referee.verdict import Finding, Verdict


def check_json(
    log: str,
    game: str,
    scenario: str,
    steps: int,
    findings: Sequence[Finding],
    judged: int,
    problems: Iterable[object] = (),
) -> dict[str, Any]:
    """What `check --json` prints for one log.

    >>> check_json("a.vlog", "korean-battles", "pusan", 3, [], 2)["summary"]
    {'illegal': 0, 'unsure': 0, 'judged': 2}
    """
    return {
        "log": log,
        "game": game,
        "scenario": scenario,
        "steps": steps,
        "findings": [finding.as_json() for finding in findings],
        "summary": {**counts(findings), "judged": judged},
        "problems": [str(problem) for problem in problems],
    }


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    """How many acts are illegal and how many in doubt; an act with several findings counts once, as its worst."""
    worst: dict[tuple[int, tuple[str, ...]], Verdict] = {}
    for finding in findings:
        key = (finding.step, finding.units)
        if worst.get(key) != Verdict.ILLEGAL:
            worst[key] = finding.verdict
    said = list(worst.values())
    return {"illegal": said.count(Verdict.ILLEGAL), "unsure": said.count(Verdict.UNSURE)}
