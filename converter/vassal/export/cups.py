"""Cups and decks that counters are drawn from, as VASSAL's draw piles."""

from __future__ import annotations

from collections.abc import Sequence

from converter.vassal.new_module import CounterPlan, Part, definition, with_gpid

SIZE = 56


def draw_pile(name: str, board: str, point: tuple[int, int], held: Sequence[tuple[CounterPlan, int]]) -> Part:
    """The pile with its counters; each is known by the number (gpid) of its slot in the palette."""
    slots = tuple(
        Part(
            "widget.CardSlot",
            {
                "entryName": counter.name,
                "gpid": str(gpid),
                "width": str(counter.size[0]),
                "height": str(counter.size[1]),
            },
            definition(counter.type, with_gpid(counter.state, str(gpid))),
        )
        for counter, gpid in held
    )
    attributes = {
        "name": name,
        "owningBoard": board,
        "useGridLocation": "false",
        "location": "",
        "x": str(point[0]),
        "y": str(point[1]),
        "width": str(SIZE),
        "height": str(SIZE),
        "allowMultiple": "true",
        "allowSelect": "false",
        "faceDown": "Always",
        "drawFaceUp": "true",
        "faceDownFormat": "",
        "shuffle": "Always",
        "shuffleCommand": "",
        "shuffleFormat": "",
        "reversible": "false",
        "draw": "true",
        "color": "60,60,60",
        "hotkeyOnEmpty": "false",
        "reshufflable": "false",
        "canSave": "false",
        "maxStack": "15",
        "expressionCounting": "false",
        "countExpressions": "",
        "restrictOption": "false",
        "restrictExpression": "",
    }
    return Part("module.map.DrawPile", attributes, parts=slots)
