"""The referee's answer as text: what is proved, by turn and phase, then what is in doubt, by what would settle it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from referee.report.json import counts
from referee.verdict import Finding, Verdict

RED, YELLOW, BOLD, PLAIN = "\x1b[31m", "\x1b[33m", "\x1b[1m", "\x1b[0m"
SHOWN = 8
"""Steps named for one thing that is missing; the JSON has them all."""


def report(
    title: str, findings: Sequence[Finding], judged: int, problems: Iterable[object] = (), colour: bool = False
) -> str:
    """The whole report of a log.

    >>> found = Finding(3, "MOVE-ENEMY-HEX", "5.1", Verdict.ILLEGAL, "59/20 enters 1011", when="turn 2")
    >>> doubt = Finding(4, "MOVE-OVER-MA", "5.2", Verdict.UNSURE, "58/1 to 1012", missing=("the cost of 1012",))
    >>> print(report("a.vlog", [found, doubt], 5))
    a.vlog: 5 acts judged, 1 illegal, 1 in doubt
    <BLANKLINE>
    turn 2
      step 3  ILLEGAL  59/20 enters 1011
              rule 5.1, MOVE-ENEMY-HEX
    <BLANKLINE>
    could not be judged without
      the cost of 1012
        step 4  58/1 to 1012 (rule 5.2 MOVE-OVER-MA)
    """
    numbers = counts(findings)
    head = f"{title}: {judged} acts judged, {numbers['illegal']} illegal, {numbers['unsure']} in doubt"
    lines = [_painted(head, BOLD, colour)]
    proved = [finding for finding in findings if finding.verdict == Verdict.ILLEGAL]
    for when, group in groupby(proved, key=lambda finding: finding.when):
        lines += ["", _painted(when or "time not known", BOLD, colour)]
        for finding in group:
            lines += _finding(finding, colour)
    lines += _doubts([finding for finding in findings if finding.verdict != Verdict.ILLEGAL], colour)
    noted = [str(problem) for problem in problems]
    if noted:
        lines += ["", "notes", *(f"  {problem}" for problem in noted)]
    return "\n".join(lines)


def _painted(text: str, paint: str, colour: bool) -> str:
    return f"{paint}{text}{PLAIN}" if colour else text


def _finding(finding: Finding, colour: bool) -> Iterator[str]:
    head = f"step {finding.step}"
    yield f"  {head}  {_painted('ILLEGAL', RED, colour)}  {finding.message}"
    indent = " " * (len(head) + 4)
    yield f"{indent}rule {finding.rule}, {finding.check}"
    if finding.origin or finding.to:
        yield f"{indent}{finding.origin or 'off the map'} to {finding.to or 'off the map'}"
    yield from (f"{indent}{line}" for line in _evidence(finding.evidence))


def _doubts(findings: Sequence[Finding], colour: bool) -> Iterator[str]:
    """What is in doubt, by what would settle it; what would settle most comes first."""
    settles: dict[str, dict[tuple[int, str], list[str]]] = {}
    for finding in findings:
        missing = "; ".join(finding.missing) or "more evidence"
        rules = settles.setdefault(missing, {}).setdefault((finding.step, finding.message), [])
        rules.append(f"{finding.rule} {finding.check}")
    if settles:
        yield from ("", _painted("could not be judged without", BOLD, colour))
    for missing, found in sorted(settles.items(), key=lambda item: -len(item[1])):
        yield f"  {_painted(missing, YELLOW, colour)}"
        for (step, message), rules in list(found.items())[:SHOWN]:
            yield f"    step {step}  {message} (rule {', '.join(rules)})"
        if len(found) > SHOWN:
            yield f"    and {len(found) - SHOWN} more"


def _evidence(evidence: Mapping[str, Any]) -> Iterator[str]:
    for name, value in evidence.items():
        if value in (None, [], {}, ""):
            continue
        if isinstance(value, Mapping):
            value = "; ".join(f"{key}: {item}" for key, item in value.items())
        elif isinstance(value, (list, tuple)):
            value = ", ".join(map(str, value))
        yield f"{name.replace('_', ' ')}: {value}"
