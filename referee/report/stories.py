"""Judged stories as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def stories_text(results: Iterable[dict[str, Any]]) -> str:
    """Each story with what the referee says of it and where that is not what the story expects.

    >>> print(stories_text([{"id": "a", "judged": 1, "findings": [], "mismatches": []}]))
    a: nothing illegal in 1 act
    1 story, 0 mismatches
    """
    lines: list[str] = []
    count = wrong = 0
    for result in results:
        count += 1
        wrong += len(result["mismatches"])
        findings, judged = result["findings"], result["judged"]
        said = _number(len(findings), "finding") if findings else "nothing illegal"
        lines.append(f"{result['id']}: {said} in {_number(judged, 'act')}")
        for finding in findings:
            lines.append(f"  action {finding['action']}: {finding['verdict']} {finding['check']} ({finding['rule']})")
            lines.append(f"    {finding['message']}")
        lines += [f"  not as expected: {mismatch}" for mismatch in result["mismatches"]]
        lines += [f"  note: {note}" for note in result.get("notes", ())]
    lines.append(f"{_number(count, 'story', 'stories')}, {_number(wrong, 'mismatch', 'mismatches')}")
    return "\n".join(lines)


def _number(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
