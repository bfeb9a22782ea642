"""The scenario folder: map.yaml, units.yaml and setup.yaml, read, checked and written (docs/scenario-folder.md)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from converter.scenario.map_file import MapFile, OtherGrid, Picture
from converter.scenario.map_items import Box, HexsideFeature, Line, Link, Note, Place, Region, Terrain
from converter.scenario.sources import Source

if TYPE_CHECKING:
    from converter.scenario.folder import (
        ScenarioFolder,
        folder_problems,
        folder_texts,
        map_text,
        read_folder,
        read_map,
        read_map_text,
        read_play,
        read_setup,
        read_units,
        write_folder,
        write_map,
        write_play,
        write_setup,
        write_units,
    )
    from converter.scenario.merging import complete_map
    from converter.scenario.play_file import Chart, Cup, Dice, Level, PlayFile
    from converter.scenario.setup_file import Placement, SetupFile
    from converter.scenario.units_file import Face, Side, Unit, UnitsFile

__all__ = [
    "Box",
    "Chart",
    "Cup",
    "Dice",
    "Face",
    "HexsideFeature",
    "Level",
    "Line",
    "Link",
    "MapFile",
    "Note",
    "OtherGrid",
    "Picture",
    "Place",
    "Placement",
    "PlayFile",
    "Region",
    "ScenarioFolder",
    "SetupFile",
    "Side",
    "Source",
    "Terrain",
    "Unit",
    "UnitsFile",
    "complete_map",
    "folder_problems",
    "folder_texts",
    "map_text",
    "read_folder",
    "read_map",
    "read_map_text",
    "read_play",
    "read_setup",
    "read_units",
    "write_folder",
    "write_map",
    "write_play",
    "write_setup",
    "write_units",
]

_LOADED_WHEN_ASKED_FOR = ("folder", "merging", "units_file", "setup_file", "play_file")
"""The referee needs only maps, and is called often."""


def __getattr__(name: str) -> Any:
    if name in __all__:
        for part in _LOADED_WHEN_ASKED_FOR:
            module = import_module(f"{__name__}.{part}")
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
