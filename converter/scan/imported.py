"""`hexref map --from`: a scenario folder that has grid and picture already (a module's board, an earlier scan).

What a rulebook, the module or a person says stays; what an earlier scan said makes room for what is read now.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from converter.errors import BadInput
from converter.scan.found import Lattice
from converter.scan.legend import Legend
from converter.scan.numbers import Numbered
from converter.scan.picture import Picture
from converter.scan.result import paths
from converter.scan.whole_map import read_whole_map
from converter.scenario import HexsideFeature, Link, MapFile, Place, Terrain, complete_map, read_map

Item = TypeVar("Item", Terrain, HexsideFeature, Link, Place)
SAME_SHAPE = 0.01


@dataclass(frozen=True)
class Imported:
    """A map with a picture, and the folder and file that it stands in."""

    folder: Path
    name: str
    map: MapFile

    @property
    def image(self) -> Path:
        """The picture's file."""
        told = self.map.picture
        if not (told and told.image):
            raise BadInput(f"{self.folder / self.name}: 'picture' names no image; give the image as well")
        return self.folder / told.image

    def holds(self, folder: Path, image: Path | None) -> bool:
        """Whether the picture is in that folder already, as the map tells it."""
        told = self.map.picture
        if told is None or told.image is None or told.rotation != 0:
            return False
        return folder.resolve() == self.folder.resolve() and image in (None, self.image)

    def scale(self, picture: Picture) -> float:
        """How much larger the picture at hand is than the map tells."""
        told = self.map.picture
        assert told is not None
        scale = picture.width / told.width
        if abs(picture.height / told.height / scale - 1) > SAME_SHAPE:
            raise BadInput(
                f"{self.folder / self.name}: its picture is {told.width} x {told.height} pixels,"
                f" {picture.name} of another shape, {picture.width} x {picture.height}"
            )
        return scale

    def lattice(self, picture: Picture) -> Lattice:
        """The grid as it lies on the picture."""
        told, scale = self.map.picture, self.scale(picture)
        assert told is not None
        dx, dy, x0, y0 = (value * scale for value in (told.dx, told.dy, told.x0, told.y0))
        sure = 1.0 if told.confidence is None else told.confidence
        return Lattice(dx, dy, x0, y0, self.map.grid.sideways, told.rotation, sure)

    def numbered(self, picture: Picture) -> Numbered:
        """The grid with its numbers, on the straightened picture."""
        it, layout = self.lattice(picture), self.map.layout
        assert layout is not None
        return Numbered(self.map.grid, replace(layout, dx=it.dx, dy=it.dy, x0=it.x0, y0=it.y0, rotation=0.0), 1.0)


def read_imported(path: Path) -> Imported:
    """A scenario folder, or one of its maps: `korea`, `korea/map-north.yaml`."""
    folder, name = (path, "map.yaml") if path.is_dir() else (path.parent, path.name)
    if not path.exists():
        raise BadInput(f"{path}: there is no such folder")
    if not (folder / name).is_file():
        raise BadInput(f"{folder}: there is no map.yaml in this folder")
    it = read_map(folder / name)
    if it.picture is None:
        raise BadInput(f"{folder / name}: no 'picture' tells where the grid lies; give the image and -o instead")
    if not it.grid.hexes:
        others = ", ".join(sorted(file.name for file in folder.glob("map*.yaml") if file.name != name))
        raise BadInput(f"{folder / name}: has no hexes" + (f"; name another map: {others}" if others else ""))
    return Imported(folder, name, it)


def completed(source: Imported, picture: Picture, legend: Legend, progress: Callable[[str], None]) -> MapFile:
    """The imported map with what the legend lets us read off its picture; without a legend as it is."""
    numbered, scale = source.numbered(picture), source.scale(picture)
    read = read_whole_map(picture, source.lattice(picture), (), legend, progress, numbered).map
    boxes = tuple(
        replace(box, outline=tuple((x * scale, y * scale) for x, y in box.outline)) for box in source.map.boxes
    )
    here = replace(source.map, boxes=boxes) if scale != 1 else source.map
    same = source.map.picture is not None and source.map.picture.rotation == 0 and scale == 1
    if not same:
        here = replace(here, picture=read.picture)
    if not legend.terrain:
        return here
    kept = _without_scans(here)
    merged, told = complete_map(kept, _news(kept, read))
    for problem in told:
        progress(f"note: {problem}; the first stands")
    return merged


def _without_scans(it: MapFile) -> MapFile:
    def kept(items: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(item for item in items if item.source.kind != "scan")

    return replace(
        it, terrains=kept(it.terrains), hexsides=kept(it.hexsides), all_links=kept(it.all_links), places=kept(it.places)
    )


def _news(known: MapFile, read: MapFile) -> MapFile:
    """What was read, without what is known already or ruled out ('none')."""

    def open_side(kind: str, one: str, other: str) -> bool:
        return kind not in known.hexside_features(one, other) and not known.hexside_is_certain(one, other)

    def open_link(kind: str, one: str, other: str) -> bool:
        return kind not in known.links(one, other) and not known.links_are_certain(one, other)

    return replace(
        read,
        hexsides=tuple(
            replace(item, between=tuple(pair for pair in item.between if open_side(item.kind, *pair)))
            for item in read.hexsides
        ),
        all_links=tuple(
            replace(item, path=path)
            for item in read.all_links
            for path in paths([step for step in pairwise(item.path) if open_link(item.kind, *step)])
        ),
        places=tuple(
            replace(item, hexes=tuple(n for n in item.hexes if not set(item.kinds) & known.kinds_at(n)))
            for item in read.places
        ),
    )
