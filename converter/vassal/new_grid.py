"""Grids as the build file holds them: hexes with their numbering, named points, zones."""

from __future__ import annotations

from lxml import etree

from converter.vassal.grids import HexGrid, Numbering, RegionGrid, SquareGrid, Zone

BOARD = "VASSAL.build.module.map.boardPicker."


def add_grid(board: etree._Element, grid: HexGrid | SquareGrid | RegionGrid | None, zones: tuple[Zone, ...]) -> None:
    """Put a grid on a board, with the zones on top of it."""
    holder = board
    if zones:
        holder = etree.SubElement(board, BOARD + "board.ZonedGrid")
        for zone in zones:
            holder.append(_zone_element(zone))
    if isinstance(grid, HexGrid):
        holder.append(hex_grid_element(grid))
    elif isinstance(grid, SquareGrid):
        holder.append(_square_grid_element(grid))
    elif grid is not None:
        holder.append(_regions_element(grid))


def _zone_element(zone: Zone) -> etree._Element:
    attributes = {
        "name": zone.name,
        "locationFormat": zone.location_format,
        "path": ";".join(f"{x},{y}" for x, y in zone.polygon.points),
        "useParentGrid": _flag(zone.use_parent_grid),
        "useHighlight": "false",
        "highlightProperty": "",
    }
    return etree.Element(BOARD + "board.mapgrid.Zone", attributes)


def _regions_element(grid: RegionGrid) -> etree._Element:
    element = etree.Element(BOARD + "board.RegionGrid", snapto=_flag(grid.snap_to), visible="false", fontsize="9")
    for region in grid.regions:
        attributes = {"name": region.name, "originx": str(region.x), "originy": str(region.y)}
        etree.SubElement(element, BOARD + "board.Region", attributes)
    return element


def hex_grid_element(grid: HexGrid) -> etree._Element:
    """The HexGrid element, with its numbering, as the build file holds it."""
    element = etree.Element(
        BOARD + "board.HexGrid",
        {
            "dx": repr(float(grid.dx)),
            "dy": repr(float(grid.dy)),
            "x0": str(grid.x0),
            "y0": str(grid.y0),
            "sideways": _flag(grid.sideways),
            "snapTo": _flag(grid.snap_to),
            "edgesLegal": _flag(grid.edges_legal),
            "cornersLegal": _flag(grid.corners_legal),
            "visible": "false",
            "dotsVisible": "false",
            "color": "0,0,0",
        },
    )
    if grid.numbering is not None:
        element.append(_numbering_element("HexGridNumbering", grid.numbering, stagger=_flag(grid.numbering.stagger)))
    return element


def _square_grid_element(grid: SquareGrid) -> etree._Element:
    attributes = {
        "dx": repr(float(grid.dx)),
        "dy": repr(float(grid.dy)),
        "x0": str(grid.x0),
        "y0": str(grid.y0),
        "snapTo": _flag(grid.snap_to),
        "edgesLegal": _flag(grid.edges_legal),
        "cornersLegal": _flag(grid.corners_legal),
        "visible": "false",
        "dotsVisible": "false",
        "range": "Manhattan" if grid.manhattan else "Metric",
        "color": "0,0,0",
    }
    element = etree.Element(BOARD + "board.SquareGrid", attributes)
    if grid.numbering is not None:
        element.append(_numbering_element("SquareGridNumbering", grid.numbering))
    return element


def _numbering_element(kind: str, numbering: Numbering, **more: str) -> etree._Element:
    attributes = {
        "first": numbering.first,
        "sep": numbering.sep,
        "hType": numbering.h_type,
        "vType": numbering.v_type,
        "hLeading": str(numbering.h_leading),
        "vLeading": str(numbering.v_leading),
        "hOff": str(numbering.h_off),
        "vOff": str(numbering.v_off),
        "hDescend": _flag(numbering.h_descend),
        "vDescend": _flag(numbering.v_descend),
        "locationFormat": numbering.location_format,
        "visible": "false",
    }
    return etree.Element(f"{BOARD}board.mapgrid.{kind}", {**attributes, **more})


def _flag(value: bool) -> str:
    return "true" if value else "false"
