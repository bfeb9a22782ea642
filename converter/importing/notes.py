"""What an import could not understand, by name; it goes into the folder's import-report.txt."""

from __future__ import annotations

from dataclasses import dataclass, field

NAMED = 200  # names listed for one reason


@dataclass
class Notes:
    """What was read, and what was not: for each reason the things it holds for.

    >>> notes = Notes()
    >>> notes.missing("counter 'Inf'", "its layer is not kept")
    >>> notes.missing("counter 'Tank'", "its layer is not kept")
    >>> notes.lines()
    ["its layer is not kept (2): counter 'Inf', counter 'Tank'"]
    """

    facts: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, dict[str, None]] = field(default_factory=dict)

    def missing(self, where: str, what: str) -> None:
        """Something that is not in the scenario folder, or only in part."""
        names = self.reasons.get(what)
        if names is None:
            names = self.reasons.setdefault(" ".join(what.split()), {})
        names[" ".join(where.split())] = None

    def count(self, what: str, number: int = 1) -> None:
        """One more of a kind that was read."""
        self.facts[what] = self.facts.get(what, 0) + number

    @property
    def missing_count(self) -> int:
        """How many things are not kept, or not as they were."""
        return sum(map(len, self.reasons.values()))

    def lines(self) -> list[str]:
        """A line for each reason, with the names."""
        told = []
        for what, names in self.reasons.items():
            more = f", and {len(names) - NAMED} more" if len(names) > NAMED else ""
            told.append(f"{what} ({len(names)}): {', '.join(list(names)[:NAMED])}{more}")
        return told

    def text(self, source: str) -> str:
        """The report."""
        lines = [f"Imported from {source}", "", *(f"{number:6} {what}" for what, number in self.facts.items()), ""]
        if not self.reasons:
            return "\n".join([*lines, "Everything was understood."]) + "\n"
        return "\n".join([*lines, "Not understood, or not kept:", *(f"- {line}" for line in self.lines())]) + "\n"
