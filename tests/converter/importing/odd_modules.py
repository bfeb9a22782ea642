"""Small modules of strangers, odd in one way each."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from PIL import Image

from converter.vassal.obfuscation import Form, Hidden, hide

GRID = "VASSAL.build.module.map.boardPicker.board."
HEXES = f"""<{GRID}HexGrid dx="50" dy="60" x0="0" y0="30" sideways="false"><{GRID}mapgrid.HexGridNumbering first="H"
 hDescend="false" hLeading="1" hOff="1" hType="N" sep="" stagger="true" vDescend="false" vLeading="1" vOff="1" vType="N"
 locationFormat="$gridLocation$"/></{GRID}HexGrid>"""


def picture() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (400, 300), "red").save(stream, "PNG")
    return stream.getvalue()


PNG = picture()
PICTURES = {"images/map.png": PNG, "images/inf.png": PNG}


def hex_grid(dx: str, dy: str, x0: str = "0", y0: str = "0") -> str:
    return f'<{GRID}HexGrid dx="{dx}" dy="{dy}" x0="{x0}" y0="{y0}" sideways="false"/>'


def zone(inner: str = "", name: str = "Z", path: str = "0,0;100,0;100,100;0,100") -> str:
    told = f"name={quoteattr(name)} path={quoteattr(path)}"
    return f'<{GRID}mapgrid.Zone {told} useParentGrid="false">{inner}</{GRID}mapgrid.Zone>'


def zoned(inner: str) -> str:
    return f"<{GRID}ZonedGrid>{inner}</{GRID}ZonedGrid>"


def board(name: str = "Board", image: str = "map.png", grid: str = HEXES, more: str = "") -> str:
    told = f"name={quoteattr(name)} image={quoteattr(image)} {more}"
    return f"<VASSAL.build.module.map.boardPicker.Board {told}>{grid}</VASSAL.build.module.map.boardPicker.Board>"


def slot(name: str = "Inf", image: str = "inf.png", gpid: str = "1", marks: Mapping[str, str] | None = None) -> str:
    names, values = ",".join(marks or ()), ",".join((marks or {}).values())
    kind, state = (f"mark;{names}\t", f"{values}\t") if marks else ("", "")
    plain = name.replace("/", "\\/")
    text = f"+/null/{kind}piece;;;{image};{plain}/{state}null;0;0;{gpid};0"
    told = f"entryName={quoteattr(name)} gpid={quoteattr(gpid)}"
    return f"<VASSAL.build.widget.PieceSlot {told}>{escape(text)}</VASSAL.build.widget.PieceSlot>"


def part(tag: str, inner: str = "", **attributes: str) -> str:
    told = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    return f"<VASSAL.build.{tag} {told}>{inner}</VASSAL.build.{tag}>"


def setup(name: str, file: str) -> str:
    return part("module.PredefinedSetup", name=name, file=file, isMenu="false", useFile="true")


def build_file(
    slots: str = "",
    boards: str = "",
    sides: tuple[str, ...] = ("Red", "Blue"),
    in_map: str = "",
    more: str = "",
    name: str = "Odd",
) -> str:
    roster = "".join(f"<entry>{escape(side)}</entry>" for side in sides)
    window = part("module.Map", part("module.map.BoardPicker", boards or board()) + in_map, mapName="Main")
    palette = part("module.PieceWindow", part("widget.ListWidget", slots or slot(), entryName="Army"), name="Pieces")
    parts = part("module.PlayerRoster", roster) + window + palette + more
    return f'<VASSAL.launch.BasicModule name={quoteattr(name)} version="1">{parts}</VASSAL.launch.BasicModule>'


def save(*commands: str) -> bytes:
    """A saved game of these commands."""
    stream = io.BytesIO()
    text = "\x1b".join(["begin_save", *commands, "end_save"])
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("savedGame", hide(Hidden(text, Form.HEX, 0x42)))
    return stream.getvalue()


def pack(path: Path, text: str, files: Mapping[str, bytes] | None = None) -> Path:
    """Zip a module."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("buildFile.xml", text)
        for name, data in (PICTURES if files is None else files).items():
            archive.writestr(name, data)
    return path
