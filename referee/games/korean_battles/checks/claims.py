"""Claims: totals, differential, row, column and result as a player announced them, against the arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from referee.games.korean_battles import facts
from referee.games.korean_battles.arithmetic import (
    Numbers,
    attack_total,
    columns,
    crt,
    defence_total,
    differential,
    features_for,
    fortified,
    results,
    rows,
    shown,
)
from referee.games.korean_battles.charts import terrain_name
from referee.games.korean_battles.court import Court, check
from referee.games.korean_battles.figures import ATTACK, COLUMN, DEFENCE, GAP, RESULT, ROW, SHIFTS, TABLE, number_in
from referee.games.korean_battles.outcome import code_in
from referee.rules.tables import Row
from referee.story_events import as_list
from referee.table.acts import Act
from referee.table.combat import Combat
from referee.verdict import Finding

_NUMBERS = ["CMB-WRONG-SUM", "CMB-OOS-NOT-HALVED", "CMB-OOS-ROUND", "CMB-OOS-DEFENCE", "CMB-FORT"]

_ROWS = [
    "CMB-ROW-WRONG", "CMB-RIVER-MIXED", "CMB-TERRAIN-ADDED", "CMB-WRONG-TABLE", "CMB-CRT-MISREAD", "BOMB-TERRAIN",
]  # fmt: skip


def _combat(court: Court, act: Act) -> Combat | None:
    """The combat a claim is about: the open one, or the one that a declaration is just making."""
    return court.combat if court.combat is not None and not court.combat.closed else None


@check("claim", "after-declare", "after-bombard", ids=_NUMBERS)
def sums(court: Court, act: Act) -> Iterator[Finding]:
    """Attack, defence and differential."""
    combat = _combat(court, act)
    if combat is None:
        return
    attack, defence = attack_total(court, combat), defence_total(court, combat)
    gap = differential(attack, defence)
    said_attack, said_defence, said_gap = (number_in(act.fields, words) for words in (ATTACK, DEFENCE, GAP))
    if (
        said_gap is None
        and isinstance(act.get("odds"), (int, str))
        and re.fullmatch(r"\s*[+-]?\d+\s*", str(act.get("odds")))
    ):
        said_gap = int(str(act.get("odds")))
    total = number_in(act.fields, ("total", "strength", "sum"))
    if total is not None and attack is not None:
        base = attack_total(court, combat, support=False) or frozenset()
        if total not in attack | base | (gap or frozenset()) | (defence or frozenset()):
            said_attack = total
    wrong = False
    if said_attack is not None and attack is not None:
        early = attack_total(court, combat, support=False) or frozenset()
        if said_attack not in attack | (early if act.verb != "claim" else frozenset()):
            wrong = True
            yield from _attack_reasons(court, act, combat, lambda number, total: number in total, said_attack)
            yield court.find(
                "CMB-WRONG-SUM",
                act,
                f"the attack is announced as {said_attack}; counters and markers give {shown(attack)}",
                side=combat.side,
                units=combat.attackers,
                **_parts(court, combat),
            )
    if said_defence is not None and defence is not None and said_defence not in defence:
        wrong = True
        yield from _defence_reasons(court, act, combat, said_defence)
        yield court.find(
            "CMB-WRONG-SUM",
            act,
            f"the defence is announced as {said_defence}; counters and markers give {shown(defence)}",
            units=combat.defenders,
            **_parts(court, combat),
        )
    if said_gap is not None and gap is not None and said_gap not in gap and not wrong:
        attack_told, defence_told = said_attack is not None, said_defence is not None
        if defence is not None and not attack_told:
            yield from _attack_reasons(
                court, act, combat, lambda number, total: number in (differential(total, defence) or ()), said_gap
            )
        if attack is not None and not defence_told:
            for needed in sorted({total - said_gap for total in attack}):
                yield from _defence_reasons(court, act, combat, needed)
        yield court.find(
            "CMB-WRONG-SUM",
            act,
            f"the differential is announced as {said_gap:+d}; it is {shown(attack)} - {shown(defence)} = {shown(gap)}",
            side=combat.side,
            units=combat.attackers,
            **_parts(court, combat),
        )


_SUPPLY_WORDS = {True: "", False: ", out of supply", None: ", supply not known"}


def _parts(court: Court, combat: Combat) -> dict[str, Any]:
    """What goes into the totals, as evidence."""

    def shows(id: str) -> str:
        return str(combat.units[id].face) + (", doubled" if id in combat.doubled else "")

    return {
        "attackers": {court.name(id): shows(id) + _SUPPLY_WORDS[combat.supplied[id]] for id in combat.attackers},
        "defenders": {court.name(id): shows(id) for id in combat.defenders},
        "support": [f"{use.side or '?'} {use.marker}" for use in combat.support],
        "fortification": fortified(court, combat),
    }


def _attack_reasons(court: Court, act: Act, combat: Combat, fits: Any, said: int) -> Iterator[Finding]:
    """Which rule was forgotten, if the claim is right without it."""
    full = attack_total(court, combat, halve=False)
    down = attack_total(court, combat, rounded_up=False)
    plain = attack_total(court, combat, fort=False)
    upward = attack_total(court, combat, fort_down=False)
    lacking = [id for id in combat.attackers if combat.supplied[id] is False]
    names = ", ".join(map(court.name, lacking))
    if lacking and full is not None and fits(said, full):
        yield court.find(
            "CMB-OOS-NOT-HALVED", act, f"{names} out of supply attacks with half, not in full", units=tuple(lacking)
        )
    elif lacking and down is not None and fits(said, down):
        yield court.find("CMB-OOS-ROUND", act, f"half of {names} is rounded up", units=tuple(lacking))
    if fortified(court, combat) and any(total is not None and fits(said, total) for total in (plain, upward)):
        yield court.find(
            "CMB-FORT",
            act,
            "the attacker's markers count half, rounded down, against a fortification",
            side=combat.side,
        )


def _defence_reasons(court: Court, act: Act, combat: Combat, said: int) -> Iterator[Finding]:
    halved = defence_total(court, combat, halved=True)
    single = defence_total(court, combat, fort=False)
    lacking = [id for id in combat.defenders if combat.supplied[id] is not True]
    if lacking and halved is not None and said in halved:
        yield court.find(
            "CMB-OOS-DEFENCE",
            act,
            "lack of supply does not change the defence",
            units=tuple(lacking),
        )
    if fortified(court, combat) and single is not None and said in single:
        yield court.find("CMB-FORT", act, "a unit in a fortification defends doubled", units=combat.defenders)


@check(
    "claim",
    "after-declare",
    "after-bombard",
    ids=_ROWS,
)
def row_and_table(court: Court, act: Act) -> Iterator[Finding]:
    """The terrain row, the column and the table."""
    table_said = act.get(*TABLE)
    if table_said is not None:
        letter = re.search(r"\b(?:crt[-\s]*)?([ab])\b", str(table_said).lower())
        maps = facts.BOOK.tables["maps"]
        named = next((id for id, words in maps.items() if any(word in str(table_said).lower() for word in words)), None)
        which = letter[1].upper() if letter else named
        if which is not None and which != court.scenario.crt:
            yield court.find(
                "CMB-WRONG-TABLE",
                act,
                f"table {which} is used; {court.scenario.title} has table {court.scenario.crt}",
                side=court.phasing,
            )
    combat = _combat(court, act)
    if combat is None:
        return
    benefits = as_list(act.get(*SHIFTS))
    if isinstance(act.get(*SHIFTS), Mapping):
        benefits = list(act.get(*SHIFTS))
    benefits = [name for word in benefits if (name := terrain_name(word))]
    row_words = as_list(act.get(*ROW))
    if len(row_words) == 1 and isinstance(row_words[0], str):
        row_words = [word for word in re.split(r"\s*(?:\+|&|,| and | plus )\s*", row_words[0]) if word]
    named_rows = [name for word in row_words if (name := _row_name(court, word))]
    same_row = len({id(crt(court).row(name)) for name in named_rows}) <= 1
    if len(benefits) > 1 or (len(named_rows) > 1 and not same_row):
        yield court.find(
            "CMB-TERRAIN-ADDED",
            act,
            f"{' and '.join(benefits or named_rows)} are counted together; only the best terrain counts",
            side=combat.side,
        )
        return
    possible = rows(court, combat)
    if named_rows and possible:
        row = crt(court).row(named_rows[0])
        if row is not None and row not in possible:
            yield from _wrong_row(court, act, combat, named_rows[0], possible)
            return
    column = number_in(act.fields, COLUMN)
    known = columns(court, combat)
    if column is not None and known is not None and column not in known:
        yield from _wrong_column(court, act, combat, column, known)


def _row_name(court: Court, word: object) -> str | None:
    name = terrain_name(word)
    if name is None:
        return None
    frozen = facts.rules()["frozen_map"] if court.scenario.crt == "B" else {}
    name = frozen.get(name, name)
    if name == "frozen-reservoir":
        name = "frozen-reservoir-hexside"
    return name if crt(court).row(name) else None


def _wrong_row(court: Court, act: Act, combat: Combat, said: str, possible: list[Row]) -> Iterator[Finding]:
    right = " or ".join("/".join(row.terrain) for row in possible)
    told: dict[str, Any] = {
        "hex": combat.target,
        "terrain": [sorted(reading) for reading in features_for(court, combat)],
        "rows": right,
    }
    if said in facts.rules()["rivers"] or said == "frozen-reservoir-hexside":
        crossing = [
            id
            for id in combat.attackers
            if id in combat.stood and combat.target and court.ground.features(combat.stood[id], combat.target)
        ]
        if len(crossing) < len(combat.attackers) or not crossing or any(_bridged(court, combat, id) for id in crossing):
            dry = (
                ", ".join(court.name(id) for id in combat.attackers if id not in crossing) or "an attacker at a bridge"
            )
            yield court.find(
                "CMB-RIVER-MIXED",
                act,
                f"the river row needs every attacker across an unbridged river; {dry} is not",
                side=combat.side,
                **told,
            )
    if combat.kind == "bombardment":
        yield court.find(
            "BOMB-TERRAIN", act, f"the {said} row is read for a target in {right}", side=combat.side, **told
        )
    yield court.find(
        "CMB-ROW-WRONG",
        act,
        f"the {said} row is read; the defender's best terrain is {right}",
        side=combat.side,
        **told,
    )


def _bridged(court: Court, combat: Combat, id: str) -> bool:
    pair = frozenset((combat.stood[id], combat.target or ""))
    return pair in court.ground.bridges or pair in court.bridges


def _wrong_column(court: Court, act: Act, combat: Combat, said: int, known: Numbers) -> Iterator[Finding]:
    table = crt(court)
    gaps = differential(attack_total(court, combat), defence_total(court, combat)) or frozenset()
    told: dict[str, Any] = {
        "differential": sorted(gaps),
        "rows": [list(row.terrain) for row in rows(court, combat)],
        "columns": sorted(known),
    }
    message = f"column {said} is used; differential {shown(gaps)} gives column {shown(known)}"
    clear = table.rows[-1]
    shifts = {table.column_in(clear, gap) - table.column_in(row, gap) for gap in gaps for row in table.rows}
    readings = features_for(court, combat)

    def shift(kind: str, gap: int) -> int:
        return table.column_in(clear, gap) - table.column(kind, gap) if table.row(kind) else 0

    added = {
        max(1, table.column_in(clear, gap) - sum(shift(kind, gap) for kind in reading))
        for gap in gaps
        for reading in readings
        if len(reading) > 1
    }
    if said in added:
        yield court.find(
            "CMB-TERRAIN-ADDED", act, f"{message}; two terrain benefits were added", side=combat.side, **told
        )
    elif any(table.column_in(row, gap) == said for row in table.rows for gap in gaps) and shifts:
        id = "BOMB-TERRAIN" if combat.kind == "bombardment" else "CMB-ROW-WRONG"
        if id == "BOMB-TERRAIN":
            yield court.find("CMB-ROW-WRONG", act, message, side=combat.side, **told)
        yield court.find(id, act, message, side=combat.side, **told)
    else:
        other = facts.table("B" if court.scenario.crt == "A" else "A")
        elsewhere = any(other.column_in(row, gap) == said for row in other.rows for gap in gaps)
        sum_right = number_in(act.fields, GAP) in gaps  # else it may as well be the sum that is wrong
        if elsewhere:
            missing = () if sum_right else ("which table was read",)
            yield court.find("CMB-WRONG-TABLE", act, message, side=combat.side, sure=sum_right, missing=missing, **told)
        if not (elsewhere and sum_right):
            yield court.find(
                "CMB-CRT-MISREAD" if sum_right else "CMB-WRONG-SUM", act, message, side=combat.side, **told
            )


@check("claim", ids=["CMB-CRT-MISREAD"])
def misread(court: Court, act: Act) -> Iterator[Finding]:
    """The result announced for a die, against the cell of the table."""
    combat = _combat(court, act)
    said = act.get(*RESULT)
    if combat is None or said is None or not combat.rolls:
        return
    code = code_in(said)
    given = results(court, combat)
    if code is None or not given or code in given:
        return
    told: dict[str, Any] = {
        "die": combat.die,
        "columns": shown(columns(court, combat)),
        "results": sorted(given),
        "rows": [list(row.terrain) for row in rows(court, combat)],
    }
    yield court.find(
        "CMB-CRT-MISREAD",
        act,
        f"{code} is read for a {combat.die} in column {told['columns']}; the table gives {' or '.join(sorted(given))}",
        side=combat.side,
        units=combat.attackers,
        **told,
    )
