"""sheet.yaml: what was found on a scanned sheet. Corrected by hand and given back, it is what holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from converter.errors import BadInput, Problem
from converter.scan.sheet.blocks import Block, Found
from converter.scan.sheet.find import listed
from converter.scan.sheet.pairing import Turn
from converter.scenario.schema import mistakes, schema
from converter.scenario.yaml_reading import read_file


@dataclass(frozen=True)
class SheetConfig:
    """What a person says of a sheet; whatever is None is found or guessed."""

    found: Found | None = None
    back_found: Found | None = None
    turn: Turn | None = None
    corners: float | None = None
    names: dict[str, str] = field(default_factory=dict)
    skip: frozenset[str] = frozenset()


def read_config(path: Path) -> SheetConfig:
    """Read a sheet.yaml; BadInput names file and line."""
    document = read_file(path)
    data = document.data
    problems = [document.problem(at, what) for at, what in mistakes(data, schema("sheet"))]
    if not problems:
        for key in ("blocks", "back_blocks"):
            problems += [
                document.problem((key, i), "the corners do not go round: expected upper left, upper right, lower right,"
                                           " lower left")
                for i, told in enumerate(data.get(key, ())) if not _goes_round(told["corners"])
            ]  # fmt: skip
    _raise(problems)
    return SheetConfig(
        _found(data["blocks"]) if "blocks" in data else None,
        _found(data["back_blocks"]) if "back_blocks" in data else None,
        data.get("turn"),
        data.get("corners"),
        data.get("names", {}),
        frozenset(data.get("skip", ())),
    )


def _raise(problems: list[Problem]) -> None:
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise BadInput(f"{problems[0]}{more}")


def _goes_round(corners: list[list[float]]) -> bool:
    """Four corners that turn clockwise at each."""
    points = np.array(corners, np.float64)
    sides = np.roll(points, -1, axis=0) - points
    after = np.roll(sides, -1, axis=0)
    return bool((sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 0).all())


def _found(blocks: list[dict[str, Any]]) -> Found:
    told = []
    for data in blocks:
        block = Block(
            np.array(data["corners"], np.float64), int(data["columns"]), int(data["rows"]),
            float(data.get("gutter_x", 0)), float(data.get("gutter_y", 0)),
        )  # fmt: skip
        there = np.ones((block.rows, block.columns), bool)
        for row, column in data.get("absent", ()):
            if row <= block.rows and column <= block.columns:
                there[int(row) - 1, int(column) - 1] = False
        told.append((block, there))
    return listed(told)


def encode_blocks(found: Found) -> list[dict[str, Any]]:
    """The blocks as plain data."""
    places = {(cell.block, cell.row, cell.column) for cell in found.cells}
    told = []
    for number, block in enumerate(found.blocks, 1):
        absent = [
            [row, column]
            for row in range(1, block.rows + 1)
            for column in range(1, block.columns + 1)
            if (number, row, column) not in places
        ]
        data: dict[str, Any] = {
            "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in block.corners],
            "columns": block.columns,
            "rows": block.rows,
        }
        data |= {key: round(value, 4) for key in ("gutter_x", "gutter_y") if (value := getattr(block, key))}
        told.append(data | ({"absent": absent} if absent else {}))
    return told
