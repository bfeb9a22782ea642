"""Which result a combat had: what the table gives, narrowed by what the players said."""

from __future__ import annotations

import re
from functools import cache

from referee.games.korean_battles import facts
from referee.games.korean_battles.arithmetic import attack_total, crt, defence_total, differential, results, rows
from referee.games.korean_battles.court import Court
from referee.games.korean_battles.figures import GAP, number_in
from referee.table.combat import Combat


@cache
def codes() -> tuple[str, ...]:
    """Every result that the table has."""
    return tuple(dict.fromkeys(code for row in facts.BOOK.tables["results"].values() for code in row))


def code_in(text: object) -> str | None:
    """A result code as people write it.

    >>> code_in("de"), code_in("(a)"), code_in("no effect"), code_in("A2"), code_in("zzz")
    ('De', '(A)', '.', 'A2', None)
    """
    word = str(text).strip().lower()
    if word in (".", "•", "dot", "-", "no effect", "none", "ne", "no result"):
        return "."
    return next((code for code in codes() if code.lower() == word), None)


def outcomes(court: Court, combat: Combat) -> set[str]:
    """The results that may have been. A result the players agreed on counts, even if the table gives another; and a
    wrong differential is a breach of its own, and the result that follows from it is none.
    """
    said = code_in(combat.said["result"]) if combat.said.get("result") is not None else None
    if said is not None:
        return {said}
    return results(court, combat) | _by_wrong_sum(court, combat)


def _by_wrong_sum(court: Court, combat: Combat) -> set[str]:
    """What the table gives for a differential that is not the right one, unless it is beyond all support."""
    gap, table, die = number_in(combat.said, GAP), crt(court), combat.die
    defence = defence_total(court, combat)
    whole, bare = (differential(attack_total(court, combat, support=told), defence) for told in (True, False))
    if gap is None or die is None or die not in table.results or whole is None or gap in whole | (bare or whole):
        return set()
    most = facts.rules()["support_limit"] * facts.rules()["support_highest"]
    if min(abs(gap - sum) for sum in whole) > most:
        return set()
    return {table.result(table.column_in(row, gap), die) for row in rows(court, combat)}


@cache
def retreat_length(code: str, attacker: bool) -> int | None:
    """How far a side must retreat after a result; None where it need not."""
    found = re.fullmatch(r"A(\d)" if attacker else r"D(\d)", code)
    return int(found[1]) if found else None
