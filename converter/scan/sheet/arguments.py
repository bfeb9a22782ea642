"""`hexref counters ACTION`: the command line's arguments handed to what they ask for."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from converter.counters.command import SheetOptions, length, run_draw, run_sheet, shift
from converter.counters.pages import Paper
from converter.scan.sheet.command import run_cut
from converter.scan.sheet.cut import CutOptions


def run_counters(args: argparse.Namespace, progress: Callable[[str], None]) -> int:
    """Do what the command line asks."""

    def path(name: str | None) -> Path | None:
        return Path(name) if name else None

    if args.action == "cut":
        cutting = CutOptions(args.size, path(args.names), args.ocr, not args.keep_grain, args.turn)
        return run_cut(
            Path(args.sheet), Path(args.out), path(args.backs), path(args.config), cutting, args.all, progress
        )
    if args.action == "draw":
        return run_draw(
            Path(args.units), Path(args.out), args.size, path(args.theme), path(args.setup), args.svg, progress
        )
    across, down = shift(args.shift)
    paper = Paper(
        args.paper.lower(), length(args.size), length(args.gutter), length(args.margin), args.flip, across, down
    )
    options = SheetOptions(
        Path(args.source), Path(args.out), path(args.theme), path(args.setup), paper, not args.no_backs,
        args.test_page, args.dpi, args.count,
    )  # fmt: skip
    return run_sheet(options, progress)
