"""Grids from the elements of a build file, with the engine's defaults."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from converter.errors import Problem
from converter.vassal.buildfile import class_name, components
from converter.vassal.grids.attributes import Attributes
from converter.vassal.grids.hex_grid import DEFAULT_DX, DEFAULT_DY, SQRT3_2, HexGrid
from converter.vassal.grids.java_math import parse_int, trim
from converter.vassal.grids.location_format import LocationFormat
from converter.vassal.grids.numbering import PLAIN, Numbering
from converter.vassal.grids.polygon import Point, Polygon
from converter.vassal.grids.region_grid import Region, RegionGrid
from converter.vassal.grids.square_grid import SquareGrid
from converter.vassal.grids.zoned_grid import Grid, Zone, ZonedGrid
from converter.vassal.sequence import decode

DEEPEST = 8  # zoned grids within zones
MOST_LEADING_ZEROS = 20
MOST_SNAP_SCALE = 1000
_GRIDS = ("HexGrid", "SquareGrid", "RegionGrid", "ZonedGrid")
_NUMBERINGS = ("HexGridNumbering", "SquareGridNumbering", "ObliqueHexGridNumbering")


def grid_of(container: etree._Element, problems: list[Problem] | None = None, where: str = "") -> Grid | None:
    """The grid of a Board, a Zone or a ZonedGrid's background: its last grid child, as the last one set wins."""
    return _grid_of(container, [] if problems is None else problems, where, 0)


def grid_from_element(element: etree._Element, problems: list[Problem] | None = None, where: str = "") -> Grid | None:
    """The grid that an element describes; None for other elements and for a grid that cannot be.

    >>> grid = grid_from_element(etree.fromstring('<HexGrid dx="55.42562584220407" dy="72.0" x0="5"/>'))
    >>> round(grid.dx, 3), grid.dy, grid.x0, grid.y0
    (62.354, 72.0, 5, 32)
    """
    return _read(element, [] if problems is None else problems, where, 0)


def hex_grid(attributes: Attributes, numbering: Numbering | None = None) -> HexGrid | None:
    """A HexGrid from its attributes; None where its spacing cannot be."""
    dx, dy = attributes.spacing("dx", DEFAULT_DX), attributes.spacing("dy", DEFAULT_DY)
    if dx is None or dy is None:
        return None
    if dx == DEFAULT_DX and "dy" in attributes.values:  # set after dx, dy takes a default dx along, written or not
        dx = SQRT3_2 * dy
    return HexGrid(
        dx=dx,
        dy=dy,
        x0=attributes.whole("x0", 0),
        y0=attributes.whole("y0", 32),
        sideways=attributes.flag("sideways", False),
        edges_legal=attributes.flag("edgesLegal", False),
        corners_legal=attributes.flag("cornersLegal", False),
        snap_to=attributes.flag("snapTo", True),
        snap_scale=attributes.whole("snapscale", 0, MOST_SNAP_SCALE),
        numbering=numbering,
    )


def square_grid(attributes: Attributes, numbering: Numbering | None = None) -> SquareGrid | None:
    """A SquareGrid from its attributes; None where its spacing cannot be."""
    dx, dy = attributes.spacing("dx", 48.0), attributes.spacing("dy", 48.0)
    if dx is None or dy is None:
        return None
    return SquareGrid(
        dx=dx,
        dy=dy,
        x0=attributes.whole("x0", 24),
        y0=attributes.whole("y0", 24),
        edges_legal=attributes.flag("edgesLegal", False),
        corners_legal=attributes.flag("cornersLegal", False),
        snap_to=attributes.flag("snapTo", True),
        manhattan=attributes.text("range", "Metric") != "Metric",
        numbering=numbering,
    )


def numbering(attributes: Attributes, oblique: bool = False) -> Numbering:
    """A numbering from its attributes."""
    made = Numbering(
        first=attributes.first_letter("first", "H"),
        sep=attributes.text("sep", ""),
        h_type=attributes.first_letter("hType", "N"),
        v_type=attributes.first_letter("vType", "N"),
        h_leading=attributes.whole("hLeading", 1, MOST_LEADING_ZEROS),
        v_leading=attributes.whole("vLeading", 1, MOST_LEADING_ZEROS),
        h_off=attributes.whole("hOff", 1),
        v_off=attributes.whole("vOff", 1),
        h_descend=attributes.flag("hDescend", False),
        v_descend=attributes.flag("vDescend", False),
        stagger=attributes.flag("stagger", True),
        location_format=attributes.text("locationFormat", PLAIN),
        oblique=oblique,
    )
    _check_format(made.format, {"gridLocation", "row", "column"}, attributes)
    return made


def polygon(path: str) -> Polygon:
    """A zone's path, `x,y;x,y;...`; pairs that are no numbers are passed over, as in the engine.

    >>> polygon("0,0;10, 0;x,5;10,10").points
    ((0, 0), (10, 0), (10, 10))
    """
    points: list[Point] = []
    for pair in decode(path, ";"):
        numbers = [parse_int(trim(part)) for part in decode(pair, ",")[:2]]
        if len(numbers) == 2 and numbers[0] is not None and numbers[1] is not None:
            points.append((numbers[0], numbers[1]))
    return Polygon(tuple(points))


def _grid_of(container: etree._Element, problems: list[Problem], where: str, depth: int) -> Grid | None:
    grid = None
    for child in components(container):
        name = class_name(child)
        if name in _GRIDS:
            grid = _read(child, problems, where, depth)
        elif name.endswith("Grid"):
            problems.append(Problem(where or name, f"{child.tag} is a grid of the module's own making; it is left out"))
    return grid


def _read(element: etree._Element, problems: list[Problem], where: str, depth: int) -> Grid | None:
    name = class_name(element)
    place = f"{where}, {name}" if where else name
    attributes = Attributes(_values(element), place, problems)
    if name == "HexGrid":
        return hex_grid(attributes, _read_numbering(element, place, problems))
    if name == "SquareGrid":
        return square_grid(attributes, _read_numbering(element, place, problems))
    if name == "RegionGrid":
        return _read_regions(element, attributes)
    if name == "ZonedGrid":
        if depth >= DEEPEST:
            problems.append(Problem(place, f"zoned grids nested deeper than {DEEPEST}; the rest is left out"))
            return None
        zones = tuple(
            _read_zone(child, problems, where, depth) for child in components(element) if class_name(child) == "Zone"
        )
        return ZonedGrid(zones, _grid_of(element, problems, where, depth + 1))
    return None


def _read_numbering(element: etree._Element, where: str, problems: list[Problem]) -> Numbering | None:
    made = None
    for child in components(element):
        name = class_name(child)
        if name in _NUMBERINGS:
            made = numbering(Attributes(_values(child), f"{where} numbering", problems), name.startswith("Oblique"))
        elif name.endswith("Numbering"):
            problems.append(Problem(where, f"{child.tag} is a numbering of the module's own making; it is left out"))
    return made


def _read_regions(element: etree._Element, attributes: Attributes) -> RegionGrid:
    regions = []
    for child in components(element):
        if class_name(child) == "Region":
            own = Attributes(_values(child), f"{attributes.where} region", attributes.problems)
            regions.append(Region(own.text("name", ""), own.whole("originx", 0), own.whole("originy", 0)))
    return RegionGrid(tuple(regions), attributes.exact_flag("snapto", True))


def _read_zone(element: etree._Element, problems: list[Problem], where: str, depth: int) -> Zone:
    name = element.get("name", "")
    place = f"{where}, zone '{name}'" if where else f"zone '{name}'"
    attributes = Attributes(_values(element), place, problems)
    zone = Zone(
        name=name,
        polygon=polygon(attributes.text("path", "")),
        location_format=attributes.text("locationFormat", "$name$"),
        use_parent_grid=attributes.exact_flag("useParentGrid", False),
        grid=_grid_of(element, problems, place, depth + 1),
    )
    if len(zone.polygon.points) < 3:
        problems.append(Problem(place, "its path has fewer than three corners; nothing lies in it"))
    _check_format(zone.format, {"name", "gridLocation"}, attributes)
    return zone


def _check_format(form: LocationFormat, known: Iterable[str], attributes: Attributes) -> None:
    """Tell of location names that hang on the running game: they cannot be known from the file."""
    if form.is_expression:
        what = "locationFormat is an expression, which is not run: the names are unknown"
        attributes.problems.append(Problem(attributes.where, what))
    elif strange := sorted(form.variables - set(known)):
        what = f"locationFormat uses ${'$, $'.join(strange)}$ of the running game, whose value is unknown"
        attributes.problems.append(Problem(attributes.where, what))


def _values(element: etree._Element) -> dict[str, str]:
    return {str(name): str(value) for name, value in element.attrib.items()}
