"""Maps read off pictures and held against what was printed; the whole table is `benchmarks/map_quality.py`."""

from __future__ import annotations

from pathlib import Path

import pytest
from map_marks import Marks, mark
from other_map import other_map, other_style
from practice_legend import legend_of, legend_text, plain_legend_text

from converter.drawing import draw_map
from converter.drawing.styles import Style
from converter.scan.degrade import Wear, degrade
from converter.scan.lattice import find_lattice
from converter.scan.legend import Legend, read_legend_text
from converter.scan.numbers import Sighting
from converter.scan.picture import Picture
from converter.scan.whole_map import read_whole_map
from converter.scenario import MapFile, read_map

PENINSULA = read_map(Path(__file__).parents[3] / "maps" / "practice" / "peninsula.yaml")
WORN = Wear(rotation=3, jpeg=40, noise=8, folds=4, seed=3)


def read(truth: MapFile, style: str | Style, wear: Wear, legend: Legend) -> Marks:
    """Print, wear out, find the grid, read, compare. The reader is told where two hexes are, and the legend."""
    drawing = draw_map(truth, style, hex_height=64)
    worn = degrade(drawing.picture, wear)
    picture, layout = Picture(worn.picture, "scan.png"), drawing.map.layout
    assert layout is not None
    ends = (truth.grid.numbers[0], truth.grid.numbers[-1])
    seen = [Sighting(n, *worn.place(*layout.centre(truth.grid.hex(n))), given=True) for n in ends]
    whole = read_whole_map(picture, find_lattice(picture), seen, legend, lambda _: None)
    return mark(whole.map, truth, legend)


@pytest.mark.parametrize(
    ("style", "wear", "terrain", "links", "hexsides"),
    [("flat", Wear(), 0.99, 0.97, 0.97), ("relief", WORN, 0.96, 0.92, 0.92)],
    ids=["a clean print", "a worn scan"],
)
def test_the_practice_map_is_read_right(
    style: str, wear: Wear, terrain: float, links: float, hexsides: float
) -> None:
    """What the legend shows as examples does not count."""
    marks = read(PENINSULA, style, wear, legend_of(PENINSULA))
    assert marks.terrain_rest >= terrain
    assert marks.links_rest >= links
    assert marks.hexsides_rest >= hexsides
    assert marks.places >= 0.75


def test_the_first_five_hexes_of_each_terrain_are_examples_enough() -> None:
    """A legend written without care: the sea of its examples is all coast, the clear hexes all lie in one corner."""
    marks = read(PENINSULA, "relief", Wear(), read_legend_text(plain_legend_text(PENINSULA, examples=5, first=True)))
    assert marks.terrain_rest >= 0.97


def test_a_map_in_other_colours() -> None:
    truth = other_map(0)
    marks = read(truth, other_style(0), Wear(), read_legend_text(legend_text(truth)))
    assert marks.terrain_rest >= 0.99
    assert marks.links_rest >= 0.95
    assert marks.hexsides_rest >= 0.97
