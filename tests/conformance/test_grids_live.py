"""Fresh random grids, points and labels: our location names, snaps and label positions are the engine's own."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest
from engine import Engine
from lxml import etree
from seeds import chosen_seed

from converter.vassal.grids import BoardCell, Grid, grid_of, lay_out

BOARD = "VASSAL.build.module.map.boardPicker.Board"
GRIDS = "VASSAL.build.module.map.boardPicker.board."
MODULE_DATA = (
    '<data version="1"><version>1.0</version><VassalVersion>3.5.8</VassalVersion><name>Maps</name><description/></data>'
)
POINTS = 250
SEED = chosen_seed("HEXREF_GRID_SEED")


def element(name: str, attributes: dict[str, object], *children: str) -> str:
    written = (
        f"{key}={quoteattr(str(value).lower() if isinstance(value, bool) else str(value))}"
        for key, value in attributes.items()
    )
    return f"<{name} {' '.join(written)}>{''.join(children)}</{name}>"


def some(rng: random.Random, **choices: Callable[[], object]) -> dict[str, object]:
    """Each attribute, or now and then its default."""
    return {name: make() for name, make in choices.items() if rng.random() < 0.85}


def flip(rng: random.Random) -> Callable[[], bool]:
    return lambda: rng.random() < 0.5


def spacing(rng: random.Random) -> float:
    return rng.choice(
        [rng.randrange(9, 200), round(rng.uniform(9, 200), 2), rng.uniform(9, 200), 64.0, 55.42562584220407]
    )


def numbering(rng: random.Random, kind: str) -> str:
    formats = ["$gridLocation$"] * 5 + [
        "$column$/$row$",
        "hex $gridLocation$",
        "$row$$column$.",
        "$gridLocation$ $row$",
    ]
    attributes = some(
        rng,
        first=lambda: rng.choice(["H", "V", "Horizontal first"]),
        sep=lambda: rng.choice(["", "", ".", "-", " - ", "("]),
        hType=lambda: rng.choice("NNA"),
        vType=lambda: rng.choice("NNA"),
        hLeading=lambda: rng.randrange(4),
        vLeading=lambda: rng.randrange(4),
        hOff=lambda: rng.randrange(-5, 30),
        vOff=lambda: rng.randrange(-5, 30),
        hDescend=flip(rng),
        vDescend=flip(rng),
        locationFormat=lambda: rng.choice(formats),
    )
    if kind == "HexGrid":
        attributes |= some(rng, stagger=flip(rng))
    return element(f"{GRIDS}mapgrid.{kind}Numbering", attributes)


def regular(rng: random.Random, kind: str) -> str:
    attributes = some(
        rng,
        dx=lambda: spacing(rng),
        dy=lambda: spacing(rng),
        x0=lambda: rng.randrange(-150, 250),
        y0=lambda: rng.randrange(-150, 250),
        edgesLegal=lambda: rng.random() < 0.35,
        cornersLegal=lambda: rng.random() < 0.35,
        snapTo=lambda: rng.random() < 0.9,
    )
    if kind == "HexGrid":
        attributes |= some(rng, sideways=flip(rng))
        if rng.random() < 0.1:
            attributes["snapscale"] = rng.randrange(1, 5)
    return element(GRIDS + kind, attributes, numbering(rng, kind) if rng.random() < 0.95 else "")


def regions(rng: random.Random) -> str:
    """Often on a coarse lattice, so that many points are as near to one region as to another."""
    step = rng.choice([1, 20, 100])
    spots = [(rng.randrange(0, 1200, step), rng.randrange(0, 1000, step)) for _ in range(rng.randrange(0, 60))]
    inner = [
        element(f"{GRIDS}Region", {"name": f"Area {rng.randrange(50)}", "originx": x, "originy": y}) for x, y in spots
    ]
    return element(f"{GRIDS}RegionGrid", some(rng, snapto=flip(rng)), *inner)


def zoned(rng: random.Random) -> str:
    def plain() -> str:
        return rng.choice(["", regular(rng, "HexGrid"), regular(rng, "SquareGrid"), regions(rng)])

    def zone(number: int) -> str:
        corners = [(rng.randrange(-50, 1250, 25), rng.randrange(-50, 1050, 25)) for _ in range(rng.randrange(1, 8))]
        formats = [
            "$name$",
            "$gridLocation$",
            "$name$ $gridLocation$",
            "[$name$]",
            "$gridLocation$.$name$",
            "fixed",
            "",
        ]
        attributes = {
            "name": f"Zone {number}",
            "path": ";".join(f"{x},{y}" for x, y in corners),
            **some(rng, locationFormat=lambda: rng.choice(formats), useParentGrid=flip(rng)),
        }
        return element(f"{GRIDS}mapgrid.Zone", attributes, plain())

    return element(f"{GRIDS}ZonedGrid", {}, *(zone(number) for number in range(rng.randrange(6))), plain())


def random_board(rng: random.Random, kind: str, **extra: object) -> tuple[str, tuple[int, int], Grid | None]:
    """The XML of a board with one random grid, its size, and our reading of it."""
    size = rng.randrange(300, 1400), rng.randrange(300, 1200)
    if kind in ("HexGrid", "SquareGrid"):
        grid = regular(rng, kind)
    else:
        grid = regions(rng) if kind == "RegionGrid" else zoned(rng)
    xml = element(BOARD, {"name": "Board", "image": "", "width": size[0], "height": size[1], **extra}, grid)
    return xml, size, grid_of(etree.fromstring(xml))


def labels(rng: random.Random, names: list[str | None]) -> list[str]:
    """Names the grid gives, names of others, and nonsense."""
    known = [name for name in names if name]
    made = [
        f"{rng.randrange(40):02}{rng.randrange(40):02}",
        "",
        "A1",
        "Zone 1",
        f"Zone {rng.randrange(6)} 0101",
        "Area 7",
    ]
    return rng.sample(known, min(60, len(known))) + made


KINDS = ["HexGrid"] * 18 + ["SquareGrid"] * 8 + ["ZonedGrid"] * 9 + ["RegionGrid"] * 5


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_a_random_grid(any_engine: Engine, number: int) -> None:
    rng = random.Random(f"{SEED} {number}")
    xml, size, grid = random_board(rng, KINDS[number])
    assert grid is not None
    points = [(rng.randrange(-100, size[0] + 100), rng.randrange(-100, size[1] + 100)) for _ in range(POINTS)]
    names = [grid.location(x, y, size) for x, y in points]
    asked = labels(rng, names)
    engine = any_engine.board(xml, points, asked)
    told = f"HEXREF_GRID_SEED={SEED}: {xml}"
    assert dict(zip(points, names, strict=True)) == dict(zip(points, engine.names, strict=True)), told
    assert {point: grid.snap(*point, hexagons=False) for point in points} == dict(
        zip(points, engine.snaps, strict=True)
    ), told
    assert {label: grid.point(label, size) for label in asked} == dict(zip(asked, engine.found, strict=True)), told


FORMATS = [
    "$name$", " $name$ ", "$name$$", "$$name$", "a $gridLocation$ b", "$nothing$", "$nothing$ $name$", "007", " 7 ", "",
    "  ", " x ", r"\$name\$", "'$name$'", "$name", "name$", "{", "$Name$", "$gridLocation$", "$column$-$row$",
]  # fmt: skip
NUMBERS = f"{GRIDS}mapgrid.HexGridNumbering"
SQUARE = "0,0;300,0;300,300;0,300"
ASKED = [
    "A [b]", "A [b]$", "a 0302 b", "0302", "7", "07", "x", " x ", "nothing", "nothing A [b]", "name", "03-02", "$name$",
]  # fmt: skip


def hexes(*numbers: str) -> str:
    return element(f"{GRIDS}HexGrid", {"dx": 54, "dy": 64}, *numbers)


def zone(path: str, text: str, *inner: str) -> str:
    return element(f"{GRIDS}mapgrid.Zone", {"name": "A [b]", "path": path, "locationFormat": text}, *inner)


def agree(engine: Engine, grid_xml: str) -> None:
    """One board with this grid: the engine and we say the same of points all over it and of the labels asked."""
    xml = element(BOARD, {"name": "B", "image": "", "width": 400, "height": 400}, grid_xml)
    grid = grid_of(etree.fromstring(xml))
    assert grid is not None
    points = [(x, y) for x in range(0, 400, 20) for y in range(0, 400, 20)]
    answer = engine.board(xml, points, ASKED)
    assert [grid.location(x, y, (400, 400)) for x, y in points] == answer.names
    assert [grid.snap(x, y, hexagons=False) for x, y in points] == answer.snaps
    assert [grid.point(label, (400, 400)) for label in ASKED] == answer.found


@pytest.mark.parametrize("text", FORMATS)
def test_location_formats_of_a_numbering(any_engine: Engine, text: str) -> None:
    agree(any_engine, hexes(element(NUMBERS, {"locationFormat": text})))


@pytest.mark.parametrize("text", FORMATS)
@pytest.mark.parametrize("inner", ["", hexes(), hexes(element(NUMBERS, {}))], ids=["no grid", "no numbers", "numbers"])
def test_location_formats_of_a_zone(any_engine: Engine, text: str, inner: str) -> None:
    agree(any_engine, element(f"{GRIDS}ZonedGrid", {}, zone(SQUARE, text, inner)))


CORNERS = {
    "concave, first corner within": "0,0;300,0;300,300;280,300;280,20;20,20;20,300;0,300",
    "concave, first corner without": "300,300;280,300;280,20;20,20;20,300;0,300;0,0;300,0",
    "crossing itself": "0,0;300,300;300,0;0,300",
    "two corners": "0,0;300,300",
    "bad pairs": "0,0; 300 ,0;oops;7;1.5,2;300,300;0,300,9",
    "negative mean": "-301,-200;100,-200;100,99;-301,99",
}


@pytest.mark.parametrize("path", CORNERS.values(), ids=CORNERS.keys())
def test_zones_of_odd_shape(any_engine: Engine, path: str) -> None:
    agree(any_engine, element(f"{GRIDS}ZonedGrid", {}, zone(path, "$name$")))


def test_a_descending_numbering_counts_from_the_far_side_of_its_zone(any_engine: Engine) -> None:
    numbers = element(NUMBERS, {"hDescend": True, "vDescend": True})
    agree(any_engine, element(f"{GRIDS}ZonedGrid", {}, zone(SQUARE, "$gridLocation$", hexes(numbers))))


def test_maps_of_several_boards(engine_for: Callable[..., Engine], tmp_path: Path) -> None:
    """Boards beside and below each other, some turned round, within an edge: names, snaps and decks of each map."""
    rng = random.Random(f"{SEED} maps")
    maps, layouts = [], {}
    for number in range(12):
        name = f"Map {number}"
        edge = rng.randrange(0, 80), rng.randrange(0, 80)
        cells, boards, setup = [], [], [f"{name}BoardPicker"]
        places = [(column, row) for column in range(3) for row in range(2)]
        for column, row in rng.sample(places, rng.randrange(1, 5)):
            kind = rng.choice(["HexGrid", "SquareGrid", "RegionGrid", "ZonedGrid"])
            reversible, turned = rng.random() < 0.7, rng.random() < 0.5
            board = f"B{column}{row}"
            xml, size, grid = random_board(rng, kind, reversible=reversible)
            boards.append(xml.replace('name="Board"', f'name="{board}"', 1))
            cells.append(BoardCell(board, size, grid, column, row, reversible and turned))
            setup += [f"{board}/rev" if turned else board, str(column), str(row)]
        picker = element(
            "VASSAL.build.module.map.BoardPicker", {}, f"<setup>{escape('	'.join(setup))}</setup>", *boards
        )
        deck = rng.randrange(edge[0], 500), rng.randrange(edge[1], 500)
        pile = element("VASSAL.build.module.map.DrawPile", {"name": "Draw", "x": deck[0], "y": deck[1]})
        attributes = {"mapName": name, "edgeWidth": edge[0], "edgeHeight": edge[1], "launch": True}
        maps.append(
            element("VASSAL.build.module.Map", attributes, picker, "<VASSAL.build.module.map.StackMetrics/>", pile)
        )
        layouts[name] = lay_out(cells, edge, {deck: "Draw"})
    module = tmp_path / "maps.vmod"
    with zipfile.ZipFile(module, "w") as archive:
        inner = ["<VASSAL.build.module.BasicCommandEncoder/>", *maps]
        root = {"name": "Maps", "version": "1.0", "VassalVersion": "3.5.8"}
        archive.writestr("buildFile.xml", element("VASSAL.build.GameModule", root, *inner))
        archive.writestr("moduledata", MODULE_DATA)
    engine = engine_for(module, user="Ann")
    engine("new")
    for name, layout in layouts.items():
        points = [(rng.randrange(-20, 3000), rng.randrange(-20, 2000)) for _ in range(300)]
        for board in layout.boards:
            assert board.size
            width, height = board.size
            points += [(board.left + rng.randrange(width), board.top + rng.randrange(height)) for _ in range(100)]
            edges_x, edges_y = (board.left - 1, board.left, board.left + width - 1), (board.top, board.top + height - 1)
            points += [(x, board.top + rng.randrange(height)) for x in edges_x for _ in range(20)]
            points += [(board.left + rng.randrange(width), y) for y in edges_y for _ in range(20)]
        points += list(layout.decks)
        answers = engine("location", map=name, points=[list(point) for point in points])["locations"]
        for point, answer in zip(points, answers, strict=True):
            ours = layout.location(*point), layout.snap(*point, hexagons=False)
            told = f"HEXREF_GRID_SEED={SEED}, {name} {point}: {layout}"
            assert ours == (answer["name"], (answer["snapX"], answer["snapY"])), told
