"""`hexref map`: from a scanned map to map.yaml, overlay.png and review.html."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from converter.errors import BadInput
from converter.scan.found import Lattice, NoGrid
from converter.scan.imported import Imported, completed, read_imported
from converter.scan.known_hexes import KnownHex, known_hex
from converter.scan.lattice import find_lattice
from converter.scan.legend import Legend, read_legend
from converter.scan.number_reading import read_numbers
from converter.scan.numbers import Sighting
from converter.scan.overlay import DOUBTFUL
from converter.scan.picture import Picture, read_picture
from converter.scan.serving import make_server, serve
from converter.scan.whole_map import read_whole_map, straighten
from converter.scan.writing import Target, check_writable, refuse_to_lose, save_image, write_result
from converter.scenario import MapFile

Progress = Callable[[str], None]
UNSURE = 0.5
"""With less confidence than this the grid is told as unsure."""


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
    port: int = 0
    folder: Path | None = None
    ocr: bool = False


def run_map(options: MapOptions, progress: Progress) -> int:
    """Do what the options ask; 0 where it was done, BadInput where the call or a file is wrong."""
    legend = read_legend(options.config) if options.config else Legend()
    known = _known_hexes(options.at, legend)
    source = read_imported(options.folder) if options.folder else None
    target = _target(options, source)
    if options.rectify and options.rectify.resolve() == _image_path(options, source).resolve():
        raise BadInput(f"--rectify {options.rectify}: would write over the scan itself; name another file")
    picture = read_picture(_image_path(options, source))
    if source:
        lattice = source.lattice(picture)
    else:
        progress(f"finding the grid of {picture.width} x {picture.height} pixels")
        lattice = _found(picture, known, progress)
    if options.grid_only:
        _tell_grid(lattice, options.json)
    flat = straighten(picture, lattice) if target or options.rectify else picture
    if options.rectify:
        progress("straightening")
        save_image(flat, options.rectify)
    if target is None:
        return 0
    if source:
        it = completed(source, picture, legend, progress)
    else:
        seen = [Sighting(hex.number, hex.x, hex.y, given=True) for hex in known]
        if options.ocr:
            seen += read_numbers(picture, lattice, legend.grid, progress)
        it = read_whole_map(picture, lattice, seen, legend, progress).map
    progress("drawing what was found")
    own_image = source is not None and source.holds(target.folder, options.image)
    written = write_result(it, flat, target, keep_image=own_image)
    _tell_result(written.map, target, lattice, options.json)
    if options.serve:
        server, address = make_server(
            lambda now: written.page(now, served=True), target.map, options.port, written.keep_page
        )
        said = json.dumps({"review": address}) if options.json else f"review it at {address} (Ctrl+C ends)"
        print(said, flush=True)
        serve(server)
    return 0


def _found(picture: Picture, known: Sequence[KnownHex], progress: Progress) -> Lattice:
    try:
        return find_lattice(picture, known if len(known) > 1 else None, progress)
    except NoGrid as problem:
        if len(known) > 1:
            raise
        raise NoGrid(
            f"{problem}; if it has hexes, point at two or three far apart: --at 0101=123,456 --at 2015=1800,990"
        ) from None


def _target(options: MapOptions, source: Imported | None) -> Target | None:
    """Where to write the map: -o, or the folder that it comes from; nowhere where only the grid is asked for."""
    if options.grid_only:
        if options.serve:
            raise BadInput("map: --serve shows a whole map; leave --grid-only out")
        return None
    if options.out is None and source is None:
        if options.rectify and not options.serve:
            return None
        raise BadInput("map: -o DIR is needed, the folder to write map.yaml, overlay.png and review.html to")
    folder = options.out or (source.folder if source else Path())
    target = Target(folder, source.name if source else "map.yaml")
    check_writable(folder)
    if source is None or folder.resolve() != source.folder.resolve():
        refuse_to_lose(target)
    return target


def _image_path(options: MapOptions, source: Imported | None) -> Path:
    if options.image:
        return options.image
    if source is None:
        raise BadInput("map: an image is needed, or --from DIR with one in it")
    return source.image


def _known_hexes(told: Sequence[str], legend: Legend) -> list[KnownHex]:
    """The hexes that --at points at, and those of the legend besides."""
    known = [known_hex(text) for text in told]
    said = {hex.number for hex in known}
    return known + [
        known_hex(f"{number}={x},{y}") for number, (x, y) in legend.grid.get("at", {}).items() if number not in said
    ]


def _tell_grid(lattice: Lattice, as_json: bool) -> None:
    told = lattice.as_json()
    if as_json:
        print(json.dumps(told))
    else:
        print(", ".join(f"{key} {value}" for key, value in told.items()))


def _tell_result(it: MapFile, target: Target, lattice: Lattice, as_json: bool) -> None:
    told = _summary(it)
    if as_json:
        print(json.dumps(told | {"confidence": round(lattice.confidence, 3)}), flush=True)
        return
    doubtful = told["doubtful"]
    assert isinstance(doubtful, list)
    print(
        f"{target.map}: {told['hexes']} hexes, {told['links']} links, {told['hexsides']} hexsides,"
        f" {told['places']} places; {len(doubtful)} hexes in doubt"
    )
    if it.grid_note:
        print(f"note: {it.grid_note}; say where a hex is with --at 0101=123,456")
    if lattice.confidence < UNSURE:
        print(
            f"note: the grid is unsure ({lattice.confidence:.0%}): see whether it fits the print in {target.overlay};"
            " a third hex with --at, far from the others, makes it better"
        )
    print(f"{target.review}: open it in a browser to check and correct", flush=True)


def _summary(it: MapFile) -> dict[str, object]:
    doubtful = [n for entry in it.terrains if _sure(entry.source.confidence) < DOUBTFUL for n in entry.hexes]
    return {
        "hexes": len(it.grid),
        "terrain": {kind: sum(len(e.hexes) for e in it.terrains if e.kinds == (kind,))
                    for kind in sorted({e.kinds[0] for e in it.terrains if len(e.kinds) == 1})},
        "links": sum(max(0, len(link.path) - 1) for link in it.all_links),
        "hexsides": sum(len(feature.between) for feature in it.hexsides),
        "places": sum(len(place.hexes) for place in it.places),
        "doubtful": doubtful,
    }  # fmt: skip


def _sure(confidence: float | None) -> float:
    return 1.0 if confidence is None else confidence
