"""The chain on material of our own: a printed map, a scan of it, its grid found again, a module, a log, its replay."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from converter.drawing import draw_map
from converter.scan.degrade import USED, degrade
from converter.scan.lattice import find_lattice
from converter.scan.picture import read_picture
from converter.scenario import MapFile, read_map
from converter.vassal.commands import (
    AddPiece,
    Boards,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    MutableProperty,
    Player,
    Spot,
)
from converter.vassal.compose import opening, step
from converter.vassal.dice import DiceButton
from converter.vassal.grids import HexGrid, Numbering
from converter.vassal.metadata import Metadata
from converter.vassal.module import read_module
from converter.vassal.new_module import VASSAL_VERSION, BoardPlan, CounterPlan, MapPlan, ModulePlan, write_module
from converter.vassal.pieces import roll
from converter.vassal.savegame import new_game, write_game
from converter.vassal.stream import Stream
from referee.table import as_json, show
from referee.table.replay import open_replay

PRACTICE = Path(__file__).resolve().parents[1] / "maps" / "practice" / "peninsula.yaml"
NAME, BOARD, MAP = "Practice", "Peninsula", "Main Map"
FLIP = "emb2;;130;;Flip;130;;;130;;;;1;false;0;0;,;,+ (reduced);true;Step;;;false;;1;1;true;;70,130;;;1.0"

# Who starts where, then what happens: counter, and the hex it is dragged to.
UNITS = {"1/7 Inf": ("Blue", "1506"), "2/7 Inf": ("Blue", "1506"), "59 Rgt": ("Red", "1704"), "60 Rgt": ("Red", "1705")}
MOVES = (("59 Rgt", "1605"), ("60 Rgt", "1606"), ("2/7 Inf", "1507"))


def run(folder: Path, say: Callable[[str], None]) -> None:
    """Make every piece of the chain in a folder and say where each is and what to look at."""
    folder.mkdir(parents=True, exist_ok=True)
    practice = read_map(PRACTICE)
    drawing = draw_map(practice, "relief", hex_height=56)
    picture = folder / "1-map.png"
    Image.fromarray(drawing.picture).save(picture)
    say(f"{picture}: the practice map, printed from {PRACTICE.name}")

    scan = folder / "2-scan.jpg"
    Image.fromarray(degrade(drawing.picture, USED).picture).save(scan, quality=85)
    say(f"{scan}: the same sheet folded, stained, turned and scanned")
    lattice = find_lattice(read_picture(scan))
    (folder / "2-grid.json").write_text(json.dumps(lattice.as_json(), indent=1) + "\n", encoding="utf-8")
    say(f"{folder / '2-grid.json'}: its hex grid, found by itself (turned {lattice.rotation:.2f} degrees)")

    module = folder / "3-practice.vmod"
    write_module(module, _plan(drawing.map, drawing.picture.shape[1::-1], picture.read_bytes()))
    say(f"{module}: a module with that map and {len(UNITS)} counters; VASSAL opens it")

    log = folder / "4-practice.vlog"
    write_game(log, new_game(_played(module), Metadata(name=NAME, version="1.0"), VASSAL_VERSION))
    say(f"{log}: a log of a few moves; VASSAL steps through it")

    replay = open_replay(log, module)
    told = [as_json.step(played, replay) for played in replay.steps()]
    text = "\n".join([*(show.step_text(line) for line in told), "", show.state_text(as_json.state(replay))])
    report = folder / "5-replay.txt"
    report.write_text(text + "\n", encoding="utf-8")
    say(f"{report}: what happened in it, step by step, and who is where at the end:")
    say(text)


def _plan(map_file: MapFile, size: tuple[int, int], picture: bytes) -> ModulePlan:
    assert map_file.picture is not None
    at = map_file.picture
    grid = HexGrid(dx=at.dx, dy=at.dy, x0=round(at.x0), y0=round(at.y0), numbering=Numbering(stagger=False))
    counters = tuple(CounterPlan(name, _type(name), _state(side, "null;0;0;;0")) for name, (side, _) in UNITS.items())
    return ModulePlan(
        NAME,
        sides=("Blue", "Red"),
        maps=(MapPlan(MAP, (BoardPlan(BOARD, size, "board.png", grid),)),),
        counters=counters,
        dice=(DiceButton("dice", "1d6", count=1),),
        images={"board.png": _as_png(picture)},
    )


def _as_png(picture: bytes) -> bytes:
    stream = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("P", palette=Image.Palette.ADAPTIVE).save(stream, "PNG")
    return stream.getvalue()


def _type(name: str) -> str:
    return roll([FLIP, "markmoved;;36;-38;Mark moved;77,130;", "mark;Side", f"piece;;;;{name}"])


def _state(side: str, place: str, moved: bool = False, level: int = 1) -> str:
    return roll([str(level), "true" if moved else "false", side, place])


def _played(module: Path) -> Stream:
    layout = read_module(module).maps[0].layout()

    def spot(hex: str) -> tuple[int, int]:
        point = layout.point(hex)
        assert point is not None, hex
        return point

    where = {name: hex for name, (_, hex) in UNITS.items()}
    ids = {name: str(1000 + number) for number, name in enumerate(UNITS)}
    adds = []
    for name, (side, hex) in UNITS.items():
        x, y = spot(hex)
        adds.append(AddPiece(ids[name], _type(name), _state(side, f"{MAP};{x};{y};;0")))
    for number, hex in enumerate(dict.fromkeys(where.values())):
        members = [ids[name] for name in UNITS if where[name] == hex]
        adds.append(AddPiece(str(2000 + number), "stack", ";".join([MAP, *map(str, spot(hex)), *members, "@@-1"])))
    players: list[Command] = [Player("practice", "Ann", "Blue"), Player("drill", "Bob", "Red")]
    elements = opening(adds, [*players, Boards(MAP, ((BOARD, 0, 0, False),))])
    for name, hex in MOVES:
        (x, y), side = spot(where[name]), UNITS[name][0]
        to = spot(hex)
        basic = f"{MAP};{x};{y};;0"
        marked = ChangePiece(ids[name], _state(side, basic, moved=True), _state(side, basic))
        who = "practice" if side == "Blue" else "drill"
        moved = MovePiece(ids[name], Spot(MAP, *to, None), Spot(MAP, x, y, None), who)
        elements.append(step([marked, moved, Chat(f"* {name} moves {where[name]} &rarr; {hex} *")]))
        where[name] = hex
    elements.append(step([Chat("&lt;Bob&gt; - 59 and 60 attack 1506")]))
    rolled = MutableProperty("1d6_result", "", "4", "Module")
    elements.append(step([Chat("*** 1d6 = 4 *** &lt;Bob&gt;"), rolled]))
    x, y = spot("1506")
    basic = f"{MAP};{x};{y};;0"
    elements.append(step([ChangePiece(ids["1/7 Inf"], _state("Blue", basic, level=2), _state("Blue", basic))]))
    return Stream(elements)
