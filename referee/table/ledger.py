"""What happened so far: a list of facts, from the acts as they are judged and from a story's `history`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Fact(NamedTuple):
    """`what` happened to or by `who` (a unit, a hex or a marker). None: not told."""

    what: str
    who: str
    turn: int | None = None
    side: str | None = None
    phase: str | None = None
    step: int = 0
    more: Mapping[str, Any] = _NOTHING


class Ledger:
    """Facts in the order they happened."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self._by_kind: dict[str, list[Fact]] = {}
        self._by_kind_and_who: dict[tuple[str, str], list[Fact]] = {}

    def add(self, fact: Fact) -> None:
        """Note a fact."""
        self.facts.append(fact)
        what, who, *_ = fact
        self._by_kind.setdefault(what, []).append(fact)
        self._by_kind_and_who.setdefault((what, who), []).append(fact)

    def cut(self, number: int) -> list[Fact]:
        """Take out all but the first so many facts.

        >>> ledger = Ledger()
        >>> for who in ("5/1M", "7/1M"):
        ...     ledger.add(Fact("moved", who))
        >>> [fact.who for fact in ledger.cut(1)], [fact.who for fact in ledger.find("moved")]
        (['7/1M'], ['5/1M'])
        """
        rest = self.facts[number:]
        del self.facts[number:]
        for what, who, *_ in rest:
            self._by_kind[what].pop()
            self._by_kind_and_who[what, who].pop()
        return rest

    def forget(self, what: str, who: str, since: int = 0) -> None:
        """Strike out every fact of a kind about somebody (from a step on): it was not so.

        >>> ledger = Ledger()
        >>> ledger.add(Fact("eliminated", "5/1M"))
        >>> ledger.forget("eliminated", "5/1M")
        >>> ledger.facts, list(ledger.find("eliminated"))
        ([], [])
        """
        known = self._by_kind_and_who.get((what, who), [])
        kept = [fact for fact in known if fact.step < since]
        if len(kept) < len(known):
            self._by_kind_and_who[what, who] = kept
            self.facts[:] = [fact for fact in self.facts if fact[:2] != (what, who) or fact.step < since]
            self._by_kind[what][:] = [fact for fact in self._by_kind[what] if fact.who != who or fact.step < since]

    def find(
        self,
        what: str,
        who: str | None = None,
        *,
        turn: int | None = None,
        side: str | None = None,
        phase: str | None = None,
    ) -> Iterator[Fact]:
        """Facts of a kind; a turn, side or phase that was not told fits any."""
        known = self._by_kind.get(what, ()) if who is None else self._by_kind_and_who.get((what, who), ())
        for fact in tuple(known):
            if turn is not None and fact.turn is not None and fact.turn != turn:
                continue
            if side is not None and fact.side is not None and fact.side != side:
                continue
            if phase is not None and fact.phase is not None and fact.phase != phase:
                continue
            yield fact

    def any(self, what: str, who: str | None = None, **when: Any) -> Fact | None:
        """The first such fact."""
        known = self._by_kind if who is None else self._by_kind_and_who
        key: Any = what if who is None else (what, who)
        return next(self.find(what, who, **when), None) if key in known else None
