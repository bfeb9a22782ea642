"""`hexref map`: from a scanned map to map.yaml, overlay.png and review.html."""

from __future__ import annotations

import importlib.util
import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image

from converter.errors import BadInput
from converter.scan.found import Lattice
from converter.scan.known_hexes import known_hex
from converter.scan.lattice import find_lattice
from converter.scan.legend import Legend, read_legend
from converter.scan.number_reading import read_numbers
from converter.scan.numbers import Numbered, Sighting
from converter.scan.overlay import draw_overlay
from converter.scan.picture import Picture, read_picture
from converter.scan.review import jpeg, named_picture, review_page
from converter.scan.serving import serve
from converter.scan.whole_map import WholeMap, read_whole_map, straighten
from converter.scenario import MapFile, read_map, write_map

Progress = Callable[[str], None]
SCAN_QUALITY = 92
IMAGE = "images/map.jpg"


@dataclass(frozen=True)
class MapOptions:
    """The arguments of `hexref map`; `folder` is --from, `out` is -o."""

    image: Path | None = None
    out: Path | None = None
    config: Path | None = None
    at: Sequence[str] = ()
    grid_only: bool = False
    json: bool = False
    rectify: Path | None = None
    serve: bool = False
    folder: Path | None = None
    ocr: bool = False


def run_map(options: MapOptions, progress: Progress) -> int:
    """Do what the options ask; 0 where it was done, BadInput where the call or a file is wrong."""
    legend = read_legend(options.config) if options.config else Legend()
    if options.out is None and not options.grid_only and options.rectify is None:
        raise BadInput("map: -o DIR is needed, the folder to write map.yaml, overlay.png and review.html to")
    if options.serve and options.out is None:
        raise BadInput("map: --serve needs -o DIR, the folder whose map.yaml it writes")
    known = [known_hex(text) for text in options.at]
    source = _imported(options.folder) if options.folder else None
    picture = read_picture(_image_path(options, source))
    if source:
        lattice, numbered = _as_imported(source, picture)
    else:
        progress(f"finding the grid of {picture.width} x {picture.height} pixels")
        lattice, numbered = find_lattice(picture, known if len(known) > 1 else None, progress), None
    if options.grid_only:
        _tell_grid(lattice, options.json)
    if options.rectify:
        progress("straightening")
        _save_image(straighten(picture, lattice), options.rectify)
    if options.grid_only or options.out is None:
        return 0
    seen = [Sighting(hex.number, hex.x, hex.y, given=True) for hex in known]
    if numbered is None and not seen and not legend.grid.get("at"):
        seen = _read_numbers(picture, lattice, options.ocr, progress)
    whole = read_whole_map(picture, lattice, seen, legend, progress, numbered)
    progress("drawing what was found")
    page = write_result(whole, straighten(picture, lattice), options.out, served=options.serve)
    if options.json:
        print(json.dumps(_summary(whole.map)))
    else:
        print(f"{options.out / 'map.yaml'}: {_said(whole.map)}")
        print(f"{options.out / 'review.html'}: open it in a browser to check and correct")
    if options.serve:
        serve(page, options.out / "map.yaml", progress)
    return 0


def write_result(whole: WholeMap, flat: Picture, out: Path, *, served: bool = False) -> str:
    """Write the folder: everything is made before anything is put in place. The page that was written comes back."""
    it = named_picture(whole.map, IMAGE)
    page = review_page(it, flat)
    overlay = draw_overlay(it, flat)
    try:
        (out / "images").mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out) as draft:
            (Path(draft) / "map.jpg").write_bytes(jpeg(flat.pixels, flat.pixels.size, SCAN_QUALITY))
            (Path(draft) / "review.html").write_text(page, encoding="utf-8")
            Image.fromarray(overlay).save(Path(draft) / "overlay.png")
            for name, target in (("map.jpg", IMAGE), ("review.html", "review.html"), ("overlay.png", "overlay.png")):
                shutil.move(Path(draft) / name, out / target)
        write_map(it, out / "map.yaml")
    except OSError as problem:
        raise BadInput(f"{out}: {problem.strerror or problem}") from None
    return review_page(it, flat, served=True) if served else page


def _image_path(options: MapOptions, source: tuple[Path, MapFile] | None) -> Path:
    if options.image:
        return options.image
    if source is None:
        raise BadInput("map: an image is needed, or --from DIR with one in it")
    folder, it = source
    if not (it.picture and it.picture.image):
        raise BadInput(f"{folder / 'map.yaml'}: the map has no picture; give the image as well")
    return folder / it.picture.image


def _imported(folder: Path) -> tuple[Path, MapFile]:
    it = read_map(folder / "map.yaml")
    if it.picture is None:
        raise BadInput(f"{folder / 'map.yaml'}: no picture section tells where the grid lies")
    return folder, it


def _as_imported(source: tuple[Path, MapFile], picture: Picture) -> tuple[Lattice, Numbered]:
    """The grid of an imported map; its picture may have been scaled."""
    folder, it = source
    told = it.picture
    assert told is not None
    assert it.layout is not None
    scale = picture.width / told.width
    if abs(picture.height / told.height / scale - 1) > 0.01:
        raise BadInput(f"{folder / 'map.yaml'}: its picture is {told.width} x {told.height} pixels, of another shape")
    dx, dy, x0, y0 = (value * scale for value in (told.dx, told.dy, told.x0, told.y0))
    lattice = Lattice(dx, dy, x0, y0, it.grid.sideways, told.rotation, told.confidence or 1.0)
    return lattice, Numbered(it.grid, replace(it.layout, dx=dx, dy=dy, x0=x0, y0=y0, rotation=0.0), 1.0)


def _read_numbers(picture: Picture, lattice: Lattice, wanted: bool, progress: Progress) -> list[Sighting]:
    """Numbers off the map where they can be read; none where that was not asked for and is not installed."""
    if not wanted and importlib.util.find_spec("rapidocr_onnxruntime") is None:
        return []
    return read_numbers(picture, lattice, progress)


def _tell_grid(lattice: Lattice, as_json: bool) -> None:
    told = lattice.as_json()
    if as_json:
        print(json.dumps(told))
    else:
        print(", ".join(f"{key} {value}" for key, value in told.items()))


def _save_image(picture: Picture, path: Path) -> None:
    try:
        Image.fromarray(picture.pixels).save(path)
    except (OSError, ValueError) as problem:
        raise BadInput(f"{path}: cannot be written: {problem}") from None


def _summary(it: MapFile) -> dict[str, object]:
    doubtful = [number for entry in it.terrains if (entry.source.confidence or 1) < 0.8 for number in entry.hexes]
    return {
        "hexes": len(it.grid),
        "terrain": {kind: sum(len(e.hexes) for e in it.terrains if e.kinds == (kind,))
                    for kind in sorted({e.kinds[0] for e in it.terrains if len(e.kinds) == 1})},
        "links": sum(len(link.path) - 1 for link in it.all_links),
        "hexsides": sum(len(feature.between) for feature in it.hexsides),
        "places": sum(len(place.hexes) for place in it.places),
        "doubtful": doubtful,
    }  # fmt: skip


def _said(it: MapFile) -> str:
    told = _summary(it)
    doubtful = told["doubtful"]
    assert isinstance(doubtful, list)
    return (f"{told['hexes']} hexes, {told['links']} links, {told['hexsides']} hexsides, {told['places']} places;"
            f" {len(doubtful)} hexes in doubt")  # fmt: skip
