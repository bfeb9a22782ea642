"""Counters that tests draw."""

from __future__ import annotations

import pytest

from converter.scenario import Face, Side, Source, Unit, UnitsFile

SOURCE = Source("person", "a test")


def factors(**values: int | None) -> Face:
    return Face(tuple(values.items()))


@pytest.fixture
def marines() -> Unit:
    return Unit(
        "5/1M", "UN", SOURCE, nation="US", type="marine-infantry", size="regiment", steps=2,
        front=factors(attack=8, defense=7, move=5), back=factors(attack=6, defense=6, move=5),
    )  # fmt: skip


@pytest.fixture
def units(marines: Unit) -> UnitsFile:
    """A small game: two sides, units with and without a back, and markers."""
    guards = Unit(
        "105", "NK", SOURCE, type="armor", size="division", steps=2, front=factors(attack=9, defense=8, move=6)
    )
    staff = Unit("HQ 1C", "UN", SOURCE, type="headquarters", front=factors(attack=0, defense=2, move=4))
    turn = Unit("turn", "UN", SOURCE, kind="marker", type="turn")
    plus = Unit("plus-3", "UN", SOURCE, kind="marker", type="support-fire", count=4, front=factors(support=3))
    return UnitsFile((marines, staff, guards, turn, plus), None, "A small game", (Side("UN"), Side("NK")))
