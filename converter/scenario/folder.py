"""Reading and writing the files of a scenario folder, and telling what is wrong with them."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from converter.errors import BadInput, Problem, refuse
from converter.scenario.map_codec import check_map, decode_map, encode_map
from converter.scenario.map_file import MapFile
from converter.scenario.play_file import PlayFile, check_play, decode_play, encode_play
from converter.scenario.schema import shape_problems
from converter.scenario.setup_file import SetupFile, check_setup, decode_setup, encode_setup
from converter.scenario.units_file import UnitsFile, check_units, decode_units, encode_units
from converter.scenario.yaml_reading import Document, read_file, read_text
from converter.scenario.yaml_writing import write

Model = TypeVar("Model")
_CHECKS: dict[str, Callable[[Document], Iterator[Problem]]] = {
    "map": check_map,
    "units": check_units,
    "setup": check_setup,
    "play": check_play,
}


@dataclass(frozen=True)
class ScenarioFolder:
    """A scenario: its map (further ones as `map-NAME.yaml`), its counters, its set-up (further ones as
    `setup-NAME.yaml`) and what it is played with, as far as they are there."""

    map: MapFile
    more_maps: tuple[MapFile, ...] = ()
    units: UnitsFile | None = None
    setup: SetupFile | None = None
    more_setups: tuple[SetupFile, ...] = ()
    play: PlayFile | None = None

    @property
    def maps(self) -> tuple[MapFile, ...]:
        """All maps, the main one first."""
        return (self.map, *self.more_maps)

    @property
    def setups(self) -> tuple[SetupFile, ...]:
        """All set-ups, the main one first."""
        return (*((self.setup,) if self.setup else ()), *self.more_setups)


def problems_in(document: Document, kind: str) -> list[Problem]:
    """Everything wrong with a map, units or setup file. A wrong shape is told before wrong facts."""
    return shape_problems(document, kind) or list(_CHECKS[kind](document))


def read_map(path: Path) -> MapFile:
    """Read a map.yaml; BadInput names the file, the line and what was expected there."""
    return decode_map(read_map_data(path))


def read_map_data(path: Path) -> dict[str, Any]:
    """The plain data of a map.yaml that has no mistakes."""
    return _read(read_file(path), "map", lambda data: data)


def read_map_text(text: str, file: str = "map.yaml") -> MapFile:
    """The same from text at hand."""
    return _read(read_text(text, file), "map", decode_map)


def read_units(path: Path) -> UnitsFile:
    """Read a units.yaml."""
    return _read(read_file(path), "units", decode_units)


def read_setup(path: Path) -> SetupFile:
    """Read a setup.yaml."""
    return _read(read_file(path), "setup", decode_setup)


def read_play(path: Path) -> PlayFile:
    """Read a play.yaml."""
    return _read(read_file(path), "play", decode_play)


def _read(document: Document, kind: str, decode: Callable[[dict[str, Any]], Model]) -> Model:
    refuse(problems_in(document, kind))
    return decode(document.data)


def map_text(it: MapFile) -> str:
    """A map as the text of its map.yaml."""
    return write(encode_map(it))


def write_map(it: MapFile, path: Path) -> None:
    """Write a map.yaml; an old one stays whole until the new one is."""
    _put(path, map_text(it))


def write_units(it: UnitsFile, path: Path) -> None:
    """Write a units.yaml."""
    _put(path, write(encode_units(it)))


def write_setup(it: SetupFile, path: Path) -> None:
    """Write a setup.yaml."""
    _put(path, write(encode_setup(it)))


def write_play(it: PlayFile, path: Path) -> None:
    """Write a play.yaml."""
    _put(path, write(encode_play(it)))


def _put(path: Path, text: str) -> None:
    import tempfile  # slow to load, and not needed to read

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(draft, 0o644)
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


def read_folder(path: Path) -> ScenarioFolder:
    """Read a scenario folder; BadInput tells the first problem and how many more there are."""
    refuse(folder_problems(path))
    units, setup, play = (path / f"{kind}.yaml" for kind in ("units", "setup", "play"))
    return ScenarioFolder(
        read_map(path / "map.yaml"),
        tuple(read_map(more) for more in sorted(path.glob("map-*.yaml"))),
        read_units(units) if units.exists() else None,
        read_setup(setup) if setup.exists() else None,
        tuple(read_setup(more) for more in sorted(path.glob("setup-*.yaml"))),
        read_play(play) if play.exists() else None,
    )


def write_folder(it: ScenarioFolder, path: Path) -> None:
    """Write all files of a scenario folder, each whole or not at all."""
    for name, text in folder_texts(it):
        _put(path / name, text)


def folder_texts(it: ScenarioFolder) -> Iterator[tuple[str, str]]:
    """The files of a scenario folder: name and text of each."""
    yield "map.yaml", map_text(it.map)
    for more, name in zip(it.more_maps, _file_names(sheet.name for sheet in it.more_maps), strict=True):
        yield f"map-{name}.yaml", map_text(more)
    if it.units:
        yield "units.yaml", write(encode_units(it.units))
    if it.setup:
        yield "setup.yaml", write(encode_setup(it.setup))
    names = _file_names(setup.scenario or setup.title or "" for setup in it.more_setups)
    for other, name in zip(it.more_setups, names, strict=True):
        yield f"setup-{name}.yaml", write(encode_setup(other))
    if it.play:
        yield "play.yaml", write(encode_play(it.play))


def _file_names(names: Iterable[str]) -> list[str]:
    """Names as parts of file names, each different from the others; the order of the files is that of the names.

    >>> _file_names(["Night Battle", "night/battle", "강"])
    ['1-night-battle', '2-night-battle', '3']
    """
    given = list(names)
    plain = [re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] for name in given]
    if plain == given and plain == sorted(set(plain)):
        return plain
    digits = len(str(len(given)))
    return [f"{i:0{digits}}-{name}".rstrip("-") for i, name in enumerate(plain, 1)]


def folder_problems(path: Path) -> list[Problem]:
    """Everything wrong with a scenario folder, each with file and line; no problems: an empty list."""
    if not path.is_dir():
        return [Problem(str(path), "no such folder")]
    if not (path / "map.yaml").exists():
        return [Problem(str(path), "no map.yaml in this folder")]
    found: list[Problem] = []
    documents: dict[str, Document] = {}
    kinds = ("map", "units", "setup", "play")
    for file in (file for kind in kinds for file in [path / f"{kind}.yaml", *sorted(path.glob(f"{kind}-*.yaml"))]):
        if not file.exists() or file.stem.startswith(("units-", "play-")):
            continue
        try:
            document = read_file(file)
        except BadInput as error:
            where, _, what = str(error).partition(": ")
            found.append(Problem(where, what))
            continue
        kind = file.stem.split("-")[0]
        wrong = problems_in(document, kind)
        found += wrong
        if not wrong:
            documents[file.stem] = document
    if not found:
        found += _names_twice(documents)
    if not found:
        for name, document in documents.items():
            found += _loose_ends(document, documents) if name.startswith("setup") else ()
        found += _loose_play(documents)
    return found


def _names_twice(documents: dict[str, Document]) -> Iterator[Problem]:
    """Maps or scenarios that share a name: a module could not tell them apart."""
    for kind, key in (("map", "name"), ("setup", "scenario")):
        seen: dict[str, str] = {}
        for stem, document in documents.items():
            name = document.data.get(key)
            if not stem.startswith(kind) or name is None:
                continue
            if name in seen:
                what = f"the {'map' if kind == 'map' else 'scenario'} {name!r} is already in {seen[name]}.yaml"
                yield document.problem((key,), what)
            seen.setdefault(name, stem)


def _loose_play(documents: dict[str, Document]) -> Iterator[Problem]:
    """Cups with units that units.yaml does not have."""
    if "play" not in documents or "units" not in documents:
        return
    units = {unit["id"] for unit in documents["units"].data["units"]}
    for i, cup in enumerate(documents["play"].data.get("cups", ())):
        for unit in cup.get("units", {}):
            if unit not in units:
                yield documents["play"].problem(("cups", i, "units", unit), f"unit {unit!r} is not in units.yaml")


def _loose_ends(setup: Document, documents: dict[str, Document]) -> Iterator[Problem]:
    """Placements of units, hexes, regions and boxes that the other files do not have."""
    maps = [decode_map(document.data) for name, document in documents.items() if name.startswith("map")]
    units = {unit["id"] for unit in documents["units"].data["units"]} if "units" in documents else None
    for i, told in enumerate(setup.data["placements"]):
        at = ("placements", i)
        if units is not None and told["unit"] not in units:
            yield setup.problem((*at, "unit"), f"unit {told['unit']!r} is not in units.yaml")
        for number in (*(told[key] for key in ("hex", "near") if key in told), *told.get("hexes", ())):
            if not any(number in sheet.grid for sheet in maps):
                yield setup.problem(at, f"hex {number!r} is on no map of this folder")
        if "map" in told and not any(told["map"] == sheet.name for sheet in maps):
            yield setup.problem((*at, "map"), f"map {told['map']!r} is not in this folder")
        if "region" in told and not any(sheet.region(told["region"]) for sheet in maps):
            yield setup.problem((*at, "region"), f"region {told['region']!r} is on no map of this folder")
        if "box" in told and not any(sheet.box(told["box"]) for sheet in maps):
            yield setup.problem((*at, "box"), f"box {told['box']!r} is on no map of this folder")
