"""A worksheet read with a legend: what terrain, which lines, which places, and how likely each is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from converter.scan.beside import beside
from converter.scan.continuity import Onward
from converter.scan.hex_look import hex_looks
from converter.scan.hidden_lines import follow_hidden, lead_on
from converter.scan.ink import Codes, coded_image
from converter.scan.legend import Legend
from converter.scan.lines import Found, LineKind, find_lines, paint, surest
from converter.scan.places import find_places
from converter.scan.stray_lines import doubt_strays
from converter.scan.terrain import COLOURS, sort_hexes
from converter.scan.water import one_body, split_by_water, told_apart, weigh_water
from converter.scan.worksheet import Worksheet

Likely = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
LEAST_SURE, SURER = 1.0, 11.0
"""How sure (as log odds) looks can be that a hex is water: where no colour tells, a blank plain looks like open sea."""
PLAINLY = 0.9
"""Where colour tells water this well (see `told_apart`), coasts are not asked."""
SEEN_BESIDE = 3
"""So many railways seen beside roads that run the same way: there roads do not hide them."""
ODD = 2.0
"""A hex that looks this much unlike every example of its kind is doubted."""


@dataclass(frozen=True)
class Reading:
    """What was found: rows are hexes in the order of the grid's numbers, or sides in that of `Worksheet.sides`."""

    sheet: Worksheet
    terrain: tuple[str, ...]
    terrain_likely: Likely
    links: dict[str, Likely]
    hexsides: dict[str, Likely]
    places: dict[str, Likely]


def read_sheet(sheet: Worksheet, legend: Legend, progress: Callable[[str], None]) -> Reading:
    """Read everything that the legend shows; it must name only hexes of the sheet's grid."""
    sides = _side_hexes(sheet)
    codes = coded_image(sheet.pixels, sheet.unit)
    nothing, none = np.zeros(len(sides)), np.zeros(0, np.int64)
    progress("following roads")
    links = _find(sheet, codes, legend, True, nothing, none, 2)
    links = _close_by(sheet, codes, legend, links)
    covered = np.zeros(sheet.pixels.shape[:2], np.uint8)
    for found in links.values():
        paint(sheet, found, covered)
    progress("sorting hexes by terrain")
    examples = _terrain_examples(sheet, legend)
    looks = hex_looks(sheet, covered)
    sorted_ = sort_hexes(looks, sheet.centres, examples)
    shown = np.array([row for rows in examples.values() for row in rows], np.int64)
    likely, kinds = _pinned(sorted_.likely, examples, sorted_.kinds), sorted_.kinds
    progress("following rivers and coasts")
    crossed = np.max([found.likely for found in links.values()], 0) if links else nothing
    wet = [sign.water for sign in legend.terrain]
    if any(wet):
        told = told_apart(looks[:, :COLOURS], *_wet_and_dry(examples, wet))
        if any(sign.separates and sign.pairs for sign in legend.lines) and told < PLAINLY:
            drawn = _find(sheet, codes, legend, False, crossed, none, 1)
            coasts = [drawn[sign.kind].likely for sign in legend.lines if sign.separates and sign.kind in drawn]
            water = weigh_water(likely[:, wet].sum(1), sides, np.max(coasts, 0), LEAST_SURE + SURER * told)
            likely = _pinned(split_by_water(likely, wet, water), examples, kinds)
        likely = _pinned(one_body(likely, wet, sides, shown), examples, kinds)
    shore = _shore(likely, wet, sides)
    along = _find(sheet, codes, legend, False, crossed, np.flatnonzero(shore > 0.5), 2)
    doubt = np.clip(1.5 - sorted_.odd / (2 * ODD), 0.3, 1.0)
    progress("looking for towns and other signs")
    places = find_places(sheet, _place_rows(sheet, legend)) if legend.places else {}
    places = {kind: _sure(row, _place_rows(sheet, legend)[kind]) for kind, row in places.items()}
    link_likely = {kind: _sure(found.likely, _example_rows(sheet, legend, kind)) for kind, found in links.items()}
    link_likely = _unhide(sheet, links, link_likely, places)
    link_likely = doubt_strays(sheet.sides, link_likely, _places_at(sheet, places))
    link_likely = {kind: _sure(row, _example_rows(sheet, legend, kind)) for kind, row in link_likely.items()}
    hexside_likely = {kind: _sure(found.likely * (1 - shore), _example_rows(sheet, legend, kind))
                      for kind, found in along.items()}  # fmt: skip
    for sign in legend.lines:
        if sign.separates:
            hexside_likely[sign.kind] = _between(likely, kinds, wet, sides, *sign.separates)
    for sign in legend.lines:
        if sign.carries:
            above = np.max([link_likely.get(kind, nothing) for kind in sign.carries], 0)
            below = np.max([hexside_likely.get(kind, nothing) for kind in sign.over], 0)
            hexside_likely[sign.kind] = np.minimum(above, below)
    ignored = {sign.kind for sign in legend.lines if sign.ignore}
    return Reading(
        sheet, kinds, likely * doubt[:, None],
        {kind: row for kind, row in link_likely.items() if kind not in ignored},
        {kind: row for kind, row in hexside_likely.items() if kind not in ignored}, places,
    )  # fmt: skip


def _side_hexes(sheet: Worksheet) -> Rows:
    of = sheet.grid.index.of
    return np.array([(of[one], of[other]) for one, other in sheet.sides], np.int64).reshape(-1, 2)


def _find(
    sheet: Worksheet, codes: Codes, legend: Legend, crosses: bool, crossed: Likely, no: Rows, looks: int
) -> dict[str, Found]:
    kinds = [LineKind(s.kind, crosses, s.pairs, s.colour) for s in legend.lines if s.crosses is crosses]
    if looks > 1:
        kinds = [k for k in kinds if not any(s.kind == k.kind and s.separates for s in legend.lines)]
    return find_lines(sheet, codes, kinds, crossed, no, _busy(sheet, legend), looks) if kinds else {}


def _busy(sheet: Worksheet, legend: Legend) -> Rows:
    """The sides of hexes with a town or another sign: names and houses hide what is there."""
    signs = {number for numbers in legend.places.values() for number in numbers}
    return np.array([i for i, pair in enumerate(sheet.sides) if signs & {*pair}], np.int64)


def _terrain_examples(sheet: Worksheet, legend: Legend) -> dict[str, list[int]]:
    """Example hexes of each kind; a point of the scan stands for the hex it lies in."""
    of, back = sheet.grid.index.of, np.linalg.inv(sheet.to_scan)
    examples: dict[str, list[int]] = {}
    for sign in legend.terrain:
        rows = [of[number] for number in sign.hexes]
        for x, y in sign.points:
            across, down, depth = back @ (x, y, 1.0)
            number = sheet.grid.number(sheet.layout.hex_at(across / depth, down / depth))
            if number is not None:
                rows.append(of[number])
        examples[sign.kind] = rows
    return examples


def _wet_and_dry(examples: dict[str, list[int]], wet: list[bool]) -> tuple[Rows, Rows]:
    """The example hexes that are water and those that are land."""
    parts: tuple[list[int], list[int]] = ([], [])
    for rows, is_wet in zip(examples.values(), wet, strict=True):
        parts[0 if is_wet else 1].extend(rows)
    return np.array(parts[0], np.int64), np.array(parts[1], np.int64)


def _pinned(likely: Likely, examples: dict[str, list[int]], kinds: tuple[str, ...]) -> Likely:
    """The legend's own hexes are what it says."""
    out = likely.copy()
    for k, kind in enumerate(kinds):
        out[examples[kind]] = np.eye(len(kinds))[k]
    return out


def _sure(likely: Likely, rows: Rows) -> Likely:
    out = likely.copy()
    out[rows] = 1.0
    return out


def _example_rows(sheet: Worksheet, legend: Legend, kind: str) -> Rows:
    place = {frozenset(pair): i for i, pair in enumerate(sheet.sides)}
    sign = next(sign for sign in legend.lines if sign.kind == kind)
    return np.array([place[frozenset(pair)] for pair in sign.pairs], np.int64)


def _place_rows(sheet: Worksheet, legend: Legend) -> dict[str, Rows]:
    of = sheet.grid.index.of
    return {kind: np.array([of[number] for number in hexes], np.int64) for kind, hexes in legend.places.items()}


def _shore(likely: Likely, wet: list[bool], sides: Rows) -> Likely:
    """How likely one hex of a side is water and the other land."""
    water = likely[:, wet].sum(1)
    one, other = water[sides[:, 0]], water[sides[:, 1]]
    return np.asarray(one * (1 - other) + other * (1 - one))


def _between(likely: Likely, kinds: tuple[str, ...], wet: list[bool], sides: Rows, first: str, second: str) -> Likely:
    """How likely two kinds of terrain meet at each side; `land` is all that is no water."""

    def share(kind: str) -> Likely:
        return np.asarray(likely[:, ~np.array(wet)].sum(1) if kind == "land" else likely[:, kinds.index(kind)])

    a, b = share(first), share(second)
    return np.asarray(a[sides[:, 0]] * b[sides[:, 1]] + b[sides[:, 0]] * a[sides[:, 1]])


def _places_at(sheet: Worksheet, places: dict[str, Likely]) -> frozenset[str]:
    """The hexes with a place of any kind."""
    return frozenset(sheet.grid.numbers[i] for row in places.values() for i in np.flatnonzero(row > 0.5))


def _close_by(sheet: Worksheet, codes: Codes, legend: Legend, links: dict[str, Found]) -> dict[str, Found]:
    """Each line that crosses hexsides, with what runs close beside a wider one and goes on from there."""
    onward = Onward.links(sheet)
    shown = {kind: np.union1d(_example_rows(sheet, legend, kind), surest(kind, links)) for kind in links}
    out = dict(links)
    for kind, line in links.items():
        for other, wider in links.items() if line.width else ():
            roads = np.flatnonzero(wider.likely > 0.5)
            if wider.width > line.width and len(roads):
                likely = line.likely.copy()
                likely[roads] = np.maximum(
                    likely[roads], beside(sheet, codes, shown[kind], roads, shown[other], likely[roads])
                )
                lone = onward.best(likely).max(1) < 0.5
                likely[lone] = np.minimum(likely[lone], np.maximum(line.likely[lone], 0.4))
                out[kind] = replace(line, likely=likely)
    return out


def _unhide(
    sheet: Worksheet, found: dict[str, Found], links: dict[str, Likely], places: dict[str, Likely]
) -> dict[str, Likely]:
    """Each line that crosses hexsides, followed under wider ones; a broken line ends where it meets one."""
    towns, rim = _places_at(sheet, places), frozenset(sheet.grid.edge)
    links = {kind: lead_on(sheet.sides, line, towns, rim) for kind, line in links.items()}
    out: dict[str, Likely] = {}
    for kind, line in links.items():
        covers = [links[other] for other in links if found[other].width > found[kind].width]
        out[kind] = line
        if covers and found[kind].width:
            cover = np.max(covers, 0)
            plain = _shows(sheet, line, cover) & (line < 0.05) & [not towns & {*pair} for pair in sheet.sides]
            out[kind] = follow_hidden(sheet.sides, line, np.where(plain, 0.0, cover), towns)
    return out


def _shows(sheet: Worksheet, line: Likely, cover: Likely) -> npt.NDArray[np.bool_]:
    """The sides that lie in a direction in which the line is seen beside others: there it would not go unseen."""
    over = sheet.side_frames[:, 2]
    way = np.rint(np.degrees(np.arctan2(over[:, 1], over[:, 0])) / 30).astype(np.int64) % 6
    both = np.bincount(way[(line > 0.5) & (cover > 0.5)], minlength=6)
    return np.asarray((both >= SEEN_BESIDE)[way])
