"""The referee's answer as text: what is proved, by turn and phase, then what is in doubt, by what would settle it."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TextIO

from referee.report.json import counts
from referee.verdict import Finding, Verdict

RED, YELLOW, BOLD, PLAIN = "\x1b[31m", "\x1b[33m", "\x1b[1m", "\x1b[0m"
SHOWN, HEXES = 8, 12
"""Steps, and hexes, named for one kind of thing that is missing; the JSON has them all."""
_HEX = re.compile(r"\b\d{4}\b")


def coloured(out: TextIO) -> bool:
    """Is it read on a terminal that shows colours, by somebody who wants them (https://no-color.org)?"""
    return out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def report(
    title: str, findings: Sequence[Finding], judged: int, problems: Iterable[object] = (), colour: bool = False
) -> str:
    """The whole report of a log.

    >>> found = Finding(3, "MOVE-ENEMY-HEX", "5.1", Verdict.ILLEGAL, "59/20 enters 1011", "Chinese", when="turn 2")
    >>> doubt = Finding(4, "MOVE-OVER-MA", "5.2", Verdict.UNSURE, "58/1 to 1012", missing=("the cost of 1012",))
    >>> print(report("a.vlog", [found, doubt], 5))
    a.vlog: 5 acts judged, 1 illegal, 1 in doubt
      Chinese: 1 illegal (5.1 MOVE-ENEMY-HEX)
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
    lines += _summary(proved)
    for when, group in groupby(proved, key=lambda finding: finding.when):
        lines += ["", _painted(when or "time not known", BOLD, colour)]
        for _, step in groupby(group, key=lambda finding: finding.step):
            lines += _step(list(step), colour)
    lines += _doubts([finding for finding in findings if finding.verdict != Verdict.ILLEGAL], colour)
    noted = [str(problem) for problem in problems]
    if noted:
        lines += ["", "notes", *(f"  {problem}" for problem in noted)]
    return "\n".join(lines)


def _painted(text: str, paint: str, colour: bool) -> str:
    return f"{paint}{text}{PLAIN}" if colour else text


def _summary(proved: Sequence[Finding]) -> Iterator[str]:
    """Who broke which rules how often, a line a side."""
    sides: dict[str, list[Finding]] = {}
    for finding in proved:
        sides.setdefault(finding.side or "side not known", []).append(finding)
    for side, found in sides.items():
        rules = Counter(f"{finding.rule} {finding.check}" for finding in found)
        often = [f"{rule} x{count}" if count > 1 else rule for rule, count in rules.most_common(SHOWN)]
        rest = f", and {len(rules) - SHOWN} other rules" if len(rules) > SHOWN else ""
        yield f"  {side}: {counts(found)['illegal']} illegal ({', '.join(often)}{rest})"


def _step(findings: Sequence[Finding], colour: bool) -> Iterator[str]:
    """What is proved of one step; what several findings share is said once."""
    head = f"step {findings[0].step}"
    indent = " " * (len(head) + 4)
    said: set[str] = set()
    for number, finding in enumerate(findings):
        first = head if number == 0 else " " * len(head)
        yield f"  {first}  {_painted('ILLEGAL', RED, colour)}  {finding.message}"
        yield f"{indent}rule {finding.rule}, {finding.check}"
        way = f"{finding.origin} to {finding.to or 'off the map'}" if finding.origin else f"in {finding.to}"
        known = [way] if finding.origin or finding.to else []
        for line in [*known, *_evidence(finding.evidence)]:
            if line not in said:
                said.add(line)
                yield f"{indent}{line}"


def _doubts(findings: Sequence[Finding], colour: bool) -> Iterator[str]:
    """What is in doubt, by the kind of thing that would settle it; what would settle most comes first."""
    kinds: dict[str, list[Finding]] = {}
    for finding in findings:
        missing = dict.fromkeys(_HEX.sub("...", what) for what in finding.missing)
        kinds.setdefault("; ".join(missing) or "more evidence", []).append(finding)
    if kinds:
        yield from ("", _painted("could not be judged without", BOLD, colour))
    for kind, found in sorted(kinds.items(), key=lambda item: -len(item[1])):
        exact = {"; ".join(finding.missing) for finding in found}
        yield f"  {_painted(exact.pop() if len(exact) == 1 else kind, YELLOW, colour)}"
        if exact:
            yield from _hexes_wanted(found)
        steps: dict[tuple[int, str], list[str]] = {}
        for finding in found:
            steps.setdefault((finding.step, finding.message), []).append(f"{finding.rule} {finding.check}")
        for (step, message), rules in list(steps.items())[:SHOWN]:
            yield f"    step {step}  {message} (rule {', '.join(rules)})"
        if len(steps) > SHOWN:
            yield f"    and {len(steps) - SHOWN} more"


def _hexes_wanted(findings: Sequence[Finding]) -> Iterator[str]:
    """The hexes that most doubts hang on."""
    wanted: Counter[str] = Counter()
    for finding in findings:
        wanted.update({hex for what in finding.missing for hex in _HEX.findall(what)})
    if wanted:
        most = ", ".join(hex for hex, _ in sorted(wanted.items(), key=lambda item: (-item[1], item[0]))[:HEXES])
        yield f"    {len(wanted)} hexes, most often {most}"


def _evidence(evidence: Mapping[str, Any]) -> Iterator[str]:
    for name, value in evidence.items():
        if value in (None, [], {}, "") or (name == "path" and evidence.get("costs")):  # the costs name every hex
            continue
        if isinstance(value, Mapping):
            value = "; ".join(f"{key}: {item}" for key, item in value.items())
        elif isinstance(value, (list, tuple)):
            value = ", ".join(map(str, value))
        elif isinstance(value, bool):
            value = "yes" if value else "no"
        yield f"{name.replace('_', ' ')}: {value}"
