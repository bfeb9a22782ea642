"""`hexref counters draw` and `hexref counters sheet`."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from converter.counters.face import Which, has_back
from converter.counters.file_names import file_stems
from converter.counters.lettering import unprintable
from converter.counters.pages import INCH, Page, Paper, Piece, offset_test, pages
from converter.counters.pdf import as_pdf
from converter.counters.pieces import entries, folder_pieces, unit_pieces, unit_scene, with_counts
from converter.counters.pixels import as_image, as_svg, page_image
from converter.counters.theme import read_theme, theme_of
from converter.errors import BadInput
from converter.games.library import units_of
from converter.scenario import SetupFile, UnitsFile, read_setup

Progress = Callable[[str], None]
_LENGTH = re.compile(r"(\d+(?:\.\d+)?)\s*(mm|cm|in|\")?")
_UNITS = {"mm": 1.0, "cm": 10.0, "in": INCH, '"': INCH}


@dataclass(frozen=True)
class SheetOptions:
    """The arguments of `hexref counters sheet`."""

    source: Path
    out: Path
    theme: Path | None = None
    setup: Path | None = None
    paper: Paper = field(default_factory=Paper)
    backs: bool = True
    test_page: bool = False
    dpi: int = 300
    counts: Iterable[str] = ()


def length(text: str) -> float:
    """A length in millimetres.

    >>> length("0.5in"), length("15"), length("1.5 cm"), length('1/2"')
    (12.7, 15.0, 15.0, 12.7)
    """
    text = text.strip().lower()
    whole = re.fullmatch(r"(\d+)/(\d+)\s*(in|\")", text)
    if whole and int(whole[2]):
        return int(whole[1]) / int(whole[2]) * INCH
    found = _LENGTH.fullmatch(text)
    if not found:
        raise BadInput(f"{text!r} is no length; expected one like 12.7mm, 0.5in or 1/2in")
    return float(found[1]) * _UNITS[found[2] or "mm"]


def shift(text: str) -> tuple[float, float]:
    """Two lengths that may be negative.

    >>> shift("-0.5,1mm")
    (-0.5, 1.0)
    """
    parts = text.split(",")
    if len(parts) != 2:
        raise BadInput(f"--shift {text}: expected two lengths, like 0.5mm,-1mm")
    across, down = (length(part.strip().lstrip("+-")) * (-1 if part.strip().startswith("-") else 1) for part in parts)
    return across, down


def run_draw(
    source: Path, out: Path, size: int, theme: Path | None, setup: Path | None, svg: bool, progress: Progress
) -> int:
    """Draw every counter of a units.yaml into a folder: NAME.png and NAME-back.png."""
    if not 16 <= size <= 2000:
        raise BadInput(f"--size {size}: expected 16 to 2000 pixels")
    units, arrivals = _units(source / "units.yaml" if source.is_dir() else source, setup)
    look = theme_of(units, read_theme(theme) if theme else None)
    entry = entries(arrivals)
    stems = file_stems(unit.id for unit in units.units)
    progress(f"drawing {len(units.units)} counters")
    with finished_folder(out) as draft:
        for unit, stem in zip(units.units, stems, strict=True):
            sides: list[tuple[Which, str]] = [("front", ""), ("back", "-back")] if has_back(unit) else [("front", "")]
            for which, end in sides:
                scene = unit_scene(unit, look, which, entry.get(unit.id), source.parent)
                as_image(scene, size).save(draft / f"{stem}{end}.png")
                if svg:
                    (draft / f"{stem}{end}.svg").write_text(as_svg(scene, size), encoding="utf-8")
    _tell_unprintable(units, progress)
    print(f"{out}: {len(units.units)} counters, {size} pixels")
    return 0


def run_sheet(options: SheetOptions, progress: Progress) -> int:
    """Lay counters out on paper: one PDF, or a PNG a page."""
    if options.out.suffix.lower() not in (".pdf", ".png"):
        raise BadInput(f"{options.out}: expected a name that ends in .pdf or .png")
    if not 50 <= options.dpi <= 1200:
        raise BadInput(f"--dpi {options.dpi}: expected 50 to 1200")
    title, pieces = _pieces(options, progress)
    pieces = with_counts(pieces, _counts(options.counts))
    sheets = pages(pieces, options.paper, title, options.backs)
    if options.test_page:
        sheets = [*offset_test(options.paper), *sheets]
    printed = sum(piece.count for piece in pieces)
    told = f"{len(sheets)} page{'s' if len(sheets) > 1 else ''}"
    progress(f"{printed} counters on {told}")
    files = _write(sheets, options, title, progress)
    size = f"{options.paper.size:g} mm"
    print(f"{', '.join(map(str, files))}: {printed} counters of {size}, {told}, {options.paper.paper}")
    return 0


def _write(sheets: list[Page], options: SheetOptions, title: str, progress: Progress) -> list[Path]:
    out = options.out
    if out.suffix.lower() == ".pdf":
        with finished_folder(out.parent) as draft:
            (draft / out.name).write_bytes(as_pdf(sheets, title))
        return [out]
    names = [f"{out.stem}-{page.name}{out.suffix}" for page in sheets]
    with finished_folder(out.parent) as draft:
        for name, page in zip(names, sheets, strict=True):
            progress(f"page {page.name}")
            page_image(page, options.dpi).save(draft / name, dpi=(options.dpi, options.dpi))
    return [out.parent / name for name in names]


def _pieces(options: SheetOptions, progress: Progress) -> tuple[str, list[Piece]]:
    source = options.source
    if not source.exists():
        raise BadInput(f"{source}: there is no such file or folder")
    if source.is_dir() and not (source / "units.yaml").exists():
        return source.resolve().name, folder_pieces(source)
    path = source / "units.yaml" if source.is_dir() else source
    units, arrivals = _units(path, options.setup)
    theme = read_theme(options.theme) if options.theme else None
    _tell_unprintable(units, progress)
    return units.title or units.game or path.parent.resolve().name, unit_pieces(units, theme, arrivals, path.parent)


def _units(path: Path, setup: Path | None) -> tuple[UnitsFile, SetupFile | None]:
    """The units, and the set-up given or beside them."""
    units = units_of(path)
    beside = path.parent / "setup.yaml"
    return units, read_setup(setup) if setup else read_setup(beside) if beside.exists() else None


def _counts(told: Iterable[str]) -> dict[str, int]:
    counts = {}
    for text in told:
        name, _, number = text.rpartition("=")
        if not name or not number.isdigit() or int(number) > 1000:
            raise BadInput(f"--count {text}: expected NAME=NUMBER, like 5/1M=2")
        counts[name] = int(number)
    return counts


def _tell_unprintable(units: UnitsFile, progress: Progress) -> None:
    """Say which characters no font here has."""
    said = "".join(dict.fromkeys("".join(unit.designation or unit.id for unit in units.units)))
    if missing := unprintable(said):
        progress(f"no font on this machine has {' '.join(missing)}: an empty box is printed instead")


@contextlib.contextmanager
def finished_folder(out: Path) -> Iterator[Path]:
    """A folder to write into that becomes part of `out` once everything in it is there; BadInput where that fails.

    Where nothing comes of it no empty folder stays.
    """
    new: list[Path] = []
    try:
        new += [folder for folder in (out, *out.parents) if not folder.exists()]
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=".hexref-") as draft:
            yield Path(draft)
            for path in sorted(Path(draft).iterdir()):
                target = out / path.name
                if path.is_dir():
                    target.mkdir(exist_ok=True)
                    for inner in sorted(path.iterdir()):
                        os.replace(inner, target / inner.name)
                else:
                    os.replace(path, target)
    except OSError as problem:
        raise BadInput(f"{problem.filename2 or out}: {problem.strerror or problem}") from None
    finally:
        for folder in new:
            with contextlib.suppress(OSError):
                folder.rmdir()
