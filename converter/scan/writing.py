"""What `hexref map` leaves in its folder: map.yaml, its picture, overlay.png and review.html."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from converter.errors import BadInput
from converter.scan.overlay import draw_overlay
from converter.scan.picture import Picture
from converter.scan.review import jpeg, named_picture, page_with, scan_data
from converter.scenario import MapFile, read_map, write_map

SCAN_QUALITY = 92


@dataclass(frozen=True)
class Target:
    """A folder and a map in it; the second map of a scenario, map-north.yaml, has review-north.html beside it.

    >>> Target(Path("korea"), "map-north.yaml").review.name
    'review-north.html'
    """

    folder: Path
    name: str = "map.yaml"

    @property
    def map(self) -> Path:
        return self.folder / self.name

    @property
    def overlay(self) -> Path:
        return self.folder / self._beside("overlay", ".png")

    @property
    def review(self) -> Path:
        return self.folder / self._beside("review", ".html")

    @property
    def image(self) -> str:
        """The straightened scan, as map.yaml names it."""
        return f"images/{self._beside('map', '.jpg')}"

    def _beside(self, what: str, ending: str) -> str:
        return f"{what}{self.name.removeprefix('map').removesuffix('.yaml')}{ending}"


@dataclass(frozen=True)
class Written:
    """A map that was written, and its scan packed for the page."""

    target: Target
    map: MapFile
    tiles: str
    size: tuple[int, int]

    def page(self, it: MapFile, *, served: bool = False) -> str:
        """The review page of the map, or of a corrected one."""
        return page_with(it, self.tiles, *self.size, served=served)

    def keep_page(self, it: MapFile) -> None:
        """Bring review.html up to date with a corrected map."""
        self.target.review.write_text(self.page(it), encoding="utf-8")


def refuse_to_lose(target: Target) -> None:
    """BadInput where a map is there that a person has corrected."""
    if not target.map.exists():
        return
    try:
        there = read_map(target.map)
    except BadInput:
        raise BadInput(f"{target.map}: not a map that hexref wrote; take another -o, or move it away") from None
    sources = [entry.source for entry in there.terrains] + [side.source for side in there.hexsides]
    sources += [link.source for link in there.all_links] + [place.source for place in there.places]
    by_hand = sum(source.kind == "person" for source in sources)
    if by_hand:
        raise BadInput(
            f"{target.map}: a person made {by_hand} of its entries, which would be lost; go on from it with"
            f" --from {target.folder}, or take another -o"
        )


def write_result(it: MapFile, flat: Picture, target: Target, *, keep_image: bool = False) -> Written:
    """Write the folder: everything is made before anything is put in place. `keep_image`: its picture is there."""
    if not keep_image:
        it = named_picture(it, target.image)
    written = Written(target, it, scan_data(flat), (flat.width, flat.height))
    page, overlay = written.page(it), draw_overlay(it, flat)
    folder = target.folder
    try:
        (folder / "images" if not keep_image else folder).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".hexref-") as name:
            draft = Path(name)
            moves = [(draft / "review.html", target.review), (draft / "overlay.png", target.overlay)]
            (draft / "review.html").write_text(page, encoding="utf-8")
            Image.fromarray(overlay).save(draft / "overlay.png")
            if not keep_image:
                (draft / "map.jpg").write_bytes(jpeg(flat.pixels, SCAN_QUALITY))
                moves.append((draft / "map.jpg", folder / target.image))
            for made, place in moves:
                if place.is_dir():
                    raise BadInput(f"{place}: a folder is in the way")
                shutil.move(made, place)
        write_map(it, target.map)
    except OSError as problem:
        raise BadInput(f"{problem.filename or folder}: {problem.strerror or problem}") from None
    return written


def check_writable(folder: Path) -> None:
    """BadInput at once, not after minutes of work, where nothing can be written to a folder."""
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        raise BadInput(f"{there}: not a folder; -o names a folder to write to")
    if not os.access(there, os.W_OK | os.X_OK):
        raise BadInput(f"{there}: may not be written to; take another -o")


def save_image(picture: Picture, path: Path) -> None:
    """Write a picture in the format that its name tells."""
    try:
        Image.fromarray(picture.pixels).save(path)
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else problem
        raise BadInput(f"{path}: cannot be written: {reason}") from None
