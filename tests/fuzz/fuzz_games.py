"""Damaged and hostile files: mutates real ones at every level and runs them through reader, replay and output.

Whatever comes in, the answer is a position with its problems noted, or `BadInput` with one line. Anything else is a
crash: another exception, more than 20 seconds, or more than 3 GiB. A crash leaves its input in the `--keep` folder.

    python tests/fuzz/fuzz_games.py --seconds 600 --seed 1

With `atheris` installed and `--guided`, the fuzzer's own search for new paths through the code chooses the inputs.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]
GUIDED = "--guided" in sys.argv

if GUIDED:
    import atheris  # type: ignore[import-untyped,import-not-found,unused-ignore]

    with atheris.instrument_imports(include=["converter", "referee"]):
        from converter.errors import BadInput
        from converter.vassal import commands, pieces, stream
        from converter.vassal.module import Module, read_module
        from converter.vassal.obfuscation import Form, Hidden, hide, unhide
        from converter.vassal.savegame import read_game
        from converter.vassal.traits import SPECS
        from referee.table import as_json, show
        from referee.table.replay import Replay
else:
    from converter.errors import BadInput
    from converter.vassal import commands, pieces, stream
    from converter.vassal.module import Module, read_module
    from converter.vassal.obfuscation import Form, Hidden, hide, unhide
    from converter.vassal.savegame import read_game
    from converter.vassal.traits import SPECS
    from referee.table import as_json, show
    from referee.table.replay import Replay

SECONDS_EACH = 20
BYTES_EACH = 3 << 30
LARGEST_SEED = 60_000
LARGEST = 400_000
SPECIAL = [
    "\x1b",
    "\\",
    "\t",
    "'",
    ";",
    "/",
    ",",
    "|",
    "~",
    "$",
    "+",
    "&#",
    "<",
    "null",
    "\\\x1b",
    "\\\t",
    "@@",
    "\0",
    "é",
]
NUMBERS = [
    "0",
    "-1",
    "1",
    "2147483647",
    "-2147483648",
    "2147483648",
    "99999999999999999999",
    "1.5",
    "",
    "9" * 5000,
    "1e9",
    "NaN",
]
ATTRIBUTES = [
    "",
    "0",
    "-1",
    "1e308",
    "NaN",
    "0.0000001",
    "true",
    "2147483647",
    "9" * 5000,
    "a;b,c",
    "$x$",
    "*" * 300,
    "1,2;3,4;5,6",
]

WORKED = (
    "begin_save\x1b\x1b\\\x1b+/100/mark;Side\thide;\\\tpiece;;;;Inf/Red\tnull\\\tMain Map;108;96;1;1;UniqueID;100"
    "\\\x1b+/101/stack/Main Map;108;96;100;@@-1"
    "\\\x1b+/102/emb2;;128;A;;128;;;128;;;;1;false;0;0;a.png,b.png;,+ x;true;Step\tobs;;m;;B;?\\\tlabel;\\\\\trotate;6"
    "\\\\\\\tpropertysheet;0Str~3Steps\\\\\\\\\tPROP;Layer\\\\\\\\\\\tmarkmoved;m.png\\\\\\\\\\\\\tpiece;;;;Tank"
    "/2\tnull\\\t$Step_Name$\\\\\t3\\\\\\\t5~2/4\\\\\\\\\t1\\\\\\\\\\\ttrue\\\\\\\\\\\\\tMain Map;1;2;3;0"
    "\\\x1b+/103/deck;true;;1;1;;;;;;;;;Cards/Main Map;1;2;false;102"
    "\x1bPLAYER\tannpw\tAnn\tRed\x1bMain MapBoardPicker\tB\t0\t0\x1bGlobalProperty\t;W;dry;Module\x1bend_save"
    "\x1bLOG\tM/100/Main Map/162/128/null/Main Map/108/96/null/annpw\\\x1bLOG\tCHAT* Inf moves"
    "\x1bLOG\tD/100/Blue\tnull\\\tMain Map;162;128;1;0/Red\tnull\\\tMain Map;162;128;1;0\\\x1bLOG\tCHAT* Inf now Blue"
    "\x1bLOG\tUNDO\ttrue\\\x1bLOG\tCHAT* UNDO: * Inf now Blue\\\x1bLOG\tUNDO\tfalse"
    "\x1bLOG\tM/102/Main Map/162/128/100/Main Map/1/2/null/annpw\x1bLOG\tTURNTurnTracker0\t0|1941;0;false;-1;1"
    "\x1bLOG\tCHAT*** 2d6 = 3,5 *** &lt;Ann&gt;\\\x1bLOG\tMutableProperty\t2d6_result\t\t3,5\tModule"
    "\x1bLOG\tSHOW_RESULTS\tdie\t0\t1\x1bLOG\t-/100\x1bLOG\tCHAT&lt;Ann&gt; - hi\x1bLOG\tnull\x1bLOG\tbd\tx"
)
BUILD_FILE = """<VASSAL.build.GameModule name="Small" version="1">
  <VASSAL.build.module.Map mapName="Main Map"><VASSAL.build.module.map.BoardPicker>
    <setup>Main MapBoardPicker\tB\t0\t0</setup>
    <VASSAL.build.module.map.boardPicker.Board name="B" width="1000" height="800" reversible="true">
      <VASSAL.build.module.map.boardPicker.board.ZonedGrid>
        <VASSAL.build.module.map.boardPicker.board.mapgrid.Zone name="Z" path="0,0;90,0;90,90" locationFormat="$name$">
          <VASSAL.build.module.map.boardPicker.board.SquareGrid dx="48" dy="48"/>
        </VASSAL.build.module.map.boardPicker.board.mapgrid.Zone>
        <VASSAL.build.module.map.boardPicker.board.HexGrid dx="54" dy="64" x0="0" y0="32">
          <VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering first="H" hType="A" hDescend="true"/>
        </VASSAL.build.module.map.boardPicker.board.HexGrid>
      </VASSAL.build.module.map.boardPicker.board.ZonedGrid>
    </VASSAL.build.module.map.boardPicker.Board>
  </VASSAL.build.module.map.BoardPicker>
  <VASSAL.build.module.map.LayeredPieceCollection property="Layer" layerOrder="1,2"/>
  <VASSAL.build.module.map.DrawPile name="Cards" x="1" y="2"/></VASSAL.build.module.Map>
  <VASSAL.build.module.PrototypesContainer><VASSAL.build.module.PrototypeDefinition name="P"
    >+/null/mark;$x$\tpiece;;;;/v\tnull;0;0;;0</VASSAL.build.module.PrototypeDefinition></VASSAL.build.module.PrototypesContainer>
  <VASSAL.build.module.PieceWindow name="W"><VASSAL.build.widget.PieceSlot entryName="Inf" gpid="1"
    >+/null/prototype;P;x=y\tpiece;;;a.png;Inf/\tnull;0;0;1;0</VASSAL.build.widget.PieceSlot></VASSAL.build.module.PieceWindow>
  <VASSAL.build.module.DiceButton name="2d6" nDice="2" reportFormat="** $name$ = $result$ *** &lt;$PlayerName$&gt;"/>
  <VASSAL.build.module.SpecialDiceButton name="die"><VASSAL.build.module.SpecialDie name="d">
    <VASSAL.build.module.SpecialDieFace text="hit" value="1"/>
  </VASSAL.build.module.SpecialDie></VASSAL.build.module.SpecialDiceButton>
  <VASSAL.build.module.turn.TurnTracker name="Turn">
    <VASSAL.build.module.turn.CounterTurnLevel property="Year" start="1941">
      <VASSAL.build.module.turn.ListTurnLevel property="Season" list="Summer,Winter"/>
    </VASSAL.build.module.turn.CounterTurnLevel>
  </VASSAL.build.module.turn.TurnTracker>
</VASSAL.build.GameModule>"""


class TooSlow(BaseException):
    """An input took too long. Not an `Exception`, so that nothing on the way swallows it."""


def pack(entries: dict[str, bytes]) -> bytes:
    """A zip of these entries, not deflated, so that its bytes can be mutated to some effect."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in entries.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return target.getvalue()


def unpack(data: bytes) -> dict[str, bytes]:
    """The entries of a zip; none where it is none or a big one."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(info.file_size for info in archive.infolist()) > 20 * LARGEST:
                return {}
            return {info.filename: archive.read(info) for info in archive.infolist()[:50]}
    except Exception:  # a mutated zip may fail in any way; it is not what is tested here
        return {}


def seeds(folders: Iterable[Path] = ()) -> list[bytes]:
    """What the mutations start from: composed files, and small real ones from these folders."""
    found = [
        pack(
            {
                "savedGame": hide(Hidden(WORKED, Form.HEX, 0x42)),
                "savedata": b"<data><VassalVersion>3.7.0</VassalVersion></data>",
            }
        ),
        pack({"savedGame": WORKED.encode()}),
        WORKED.encode(),
        pack({"buildFile.xml": BUILD_FILE.encode(), "moduledata": b"<data><name>Small</name></data>"}),
    ]
    for folder in folders:
        for path in sorted(folder.rglob("*.*")):
            if (
                path.suffix in (".vlog", ".vsav", ".log", ".sav", ".vmod", ".mod")
                and path.stat().st_size < LARGEST_SEED
            ):
                found.append(path.read_bytes())
    return found


class Mutator:
    """Makes one file out of another. The same random numbers make the same file."""

    def __init__(self, rng: random.Random, others: list[bytes]) -> None:
        self.rng = rng
        self.others = others

    def mutate(self, data: bytes) -> bytes:
        """The file with one to four things wrong with it."""
        for _ in range(self.rng.choice([1, 1, 2, 4])):
            data = self.rng.choice(self._ways(data))(data)[:LARGEST]
        return data

    def _ways(self, data: bytes) -> list[Callable[[bytes], bytes]]:
        entries = unpack(data)
        if "savedGame" in entries or data.startswith((b"begin_save", b"!VCSK", b"VOBS")):
            return [self._bytes, self._payload, self._commands, self._commands, self._pieces, self._pieces]
        if entries:
            return [self._bytes, self._build_file, self._build_file, self._build_file]
        return [self._bytes]

    def _bytes(self, data: bytes) -> bytes:
        rng = self.rng
        changed = bytearray(data)
        for _ in range(rng.choice([1, 3, 20])):
            at = rng.randrange(len(changed) + 1)
            way = rng.randrange(5)
            if way == 0:
                changed[at : at + 1] = bytes([rng.randrange(256)])
            elif way == 1:
                del changed[at : at + rng.choice([1, 4, 100, 10_000])]
            elif way == 2:
                changed[at:at] = rng.randbytes(rng.choice([1, 4, 50]))
            elif way == 3:
                source = rng.randrange(len(changed) + 1)
                changed[at:at] = changed[source : source + rng.choice([4, 50, 2000])]
            else:
                changed[at : at + 4] = rng.choice(
                    [b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"PK\x05\x06"]
                )
        return bytes(changed)

    def _text(self, text: str) -> str:
        rng = self.rng
        for _ in range(rng.choice([1, 2, 8])):
            at = rng.randrange(len(text) + 1)
            way = rng.randrange(6)
            if way == 0:
                text = text[:at] + rng.choice(SPECIAL) * rng.choice([1, 1, 2, 300]) + text[at:]
            elif way == 1:
                text = text[:at] + text[at + rng.choice([1, 5, 200]) :]
            elif way == 2:
                text = text[:at] + text[max(0, at - rng.choice([5, 200])) :]
            elif way == 3:
                numbers = [found.span() for found in re.finditer(r"-?\d+", text[at : at + 2000])]
                if numbers:
                    start, end = rng.choice(numbers)
                    text = text[: at + start] + rng.choice(NUMBERS) + text[at + end :]
            elif way == 4:
                text = text[:at] + rng.choice(SPECIAL) + text[at + 1 :]
            else:
                text = text[:at] + rng.choice(NUMBERS) + text[at:]
        return text

    def _repacked(self, data: bytes, change: Callable[[str], str]) -> bytes:
        """The game with its text changed and hidden again, perhaps another way."""
        entries = unpack(data)
        try:
            hidden = unhide(entries["savedGame"] if entries else data)
        except (BadInput, KeyError):
            return self._bytes(data)
        form = self.rng.choice([hidden.form, hidden.form, *Form])
        payload = hide(Hidden(change(hidden.text), form, self.rng.randrange(256)))
        if self.rng.random() < 0.1:
            payload = self._bytes(payload)
        return pack({**entries, "savedGame": payload}) if entries else payload

    def _payload(self, data: bytes) -> bytes:
        return self._repacked(data, self._text)

    def _commands(self, data: bytes) -> bytes:
        return self._repacked(data, self._shuffled)

    def _shuffled(self, text: str) -> str:
        """Commands left out, doubled, moved, changed in a field, nested, or taken from another file."""
        rng = self.rng
        parts = text.split("\x1b")
        for _ in range(rng.choice([1, 3, 10])):
            at = rng.randrange(len(parts))
            way = rng.randrange(7)
            if way == 0 and len(parts) > 1:
                del parts[at]
            elif way == 1:
                parts[at:at] = [parts[rng.randrange(len(parts))]] * rng.choice([1, 2, 50])
            elif way == 2:
                parts[at] = self._text(parts[at])
            elif way == 3:
                fields = re.split(r"([/;\t])", parts[at])
                fields[rng.randrange(len(fields))] = rng.choice([*NUMBERS, *SPECIAL, rng.choice(fields)])
                parts[at] = "".join(fields)
            elif way == 4:
                parts[at] = rng.choice(["", "LOG\t", "'", "LOG\t'"]) + parts[at] + "\\" * rng.choice([1, 2, 199, 250])
            elif way == 5:
                foreign = unpack(rng.choice(self.others)).get("savedGame", b"")
                try:
                    parts[at:at] = unhide(foreign).text.split("\x1b")[: rng.choice([3, 30])]
                except BadInput:
                    continue
            else:
                parts[at:at] = [f"LOG\t{rng.choice(commands.SHAPES).prefix}{rng.choice([*NUMBERS, *SPECIAL])}"]
        return "\x1b".join(parts)

    def _pieces(self, data: bytes) -> bytes:
        return self._repacked(data, self._chained)

    def _chained(self, text: str) -> str:
        """Trait chains with traits left out, put in, swapped or broken."""
        rng = self.rng
        parts = text.split("\x1b")
        adds = [index for index, part in enumerate(parts) if part.startswith(("+/", "LOG\t+/"))]
        for index in rng.sample(adds, min(len(adds), rng.choice([1, 3, 10]))):
            body = parts[index].rstrip("\\")
            command = commands.parse(body.removeprefix("LOG\t"))
            if not isinstance(command, commands.AddPiece):
                continue
            try:
                links = list(zip(pieces.unroll(command.type), pieces.unroll(command.state), strict=False))
            except BadInput:
                continue
            for _ in range(rng.choice([1, 2, 5])):
                at = rng.randrange(len(links) + 1)
                way = rng.randrange(5)
                if way == 0 and links:
                    del links[at - 1]
                elif way == 1:
                    word = rng.choice(sorted(SPECS)).removesuffix("1")
                    fields = [
                        rng.choice([*NUMBERS, *SPECIAL, "true", "a,b", "$x$"]) for _ in range(rng.choice([0, 3, 40]))
                    ]
                    links.insert(at, (";".join([word, *fields]), rng.choice([*NUMBERS, *SPECIAL, "annpw"])))
                elif way == 2 and links:
                    kind, state = links[at - 1]
                    links[at - 1] = (self._text(kind), state) if rng.random() < 0.5 else (kind, self._text(state))
                elif way == 3 and links:
                    links[at:at] = [links[at - 1]] * rng.choice([1, 5, 200])
                elif links:
                    links[at - 1] = rng.choice(links)
            if links:
                kinds, states = zip(*links, strict=True)
                changed = command._replace(type=pieces.roll(kinds), state=pieces.roll(states))
                logged = "LOG\t" if body.startswith("LOG\t") else ""
                parts[index] = logged + commands.write(changed) + parts[index][len(body) :]
        return "\x1b".join(parts)

    def _build_file(self, data: bytes) -> bytes:
        """Elements left out or doubled, attributes changed, texts broken."""
        rng = self.rng
        entries = unpack(data)
        name = next((name for name in ("buildFile.xml", "buildFile") if name in entries), None)
        if name is None:
            return self._bytes(data)
        text = entries[name].decode("utf-8", "replace")
        for _ in range(rng.choice([1, 2, 6])):
            attributes = [found.span(1) for found in re.finditer(r'="([^"]*)"', text)]
            tags = [found.span() for found in re.finditer(r"<[^>]*>", text)]
            way = rng.randrange(4)
            if way < 2 and attributes:
                start, end = rng.choice(attributes)
                text = text[:start] + rng.choice(ATTRIBUTES) + text[end:]
            elif way == 2 and tags:
                start, end = rng.choice(tags)
                text = text[:start] + text[start:end] * rng.choice([0, 2]) + text[end:]
            else:
                text = self._text(text)
        return pack({**entries, name: text.encode("utf-8", "replace")})


class Subject:
    """What is tested: files go through everything `state` and `replay` do, and modules through the reader."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "input"
        (folder / "buildFile.xml").write_text(BUILD_FILE, encoding="utf-8")
        self.module: Module = read_module(folder)

    def examine(self, data: bytes) -> str:
        """Read and play a file: what came of it in a word. Any exception but `BadInput` goes through."""
        self.path.write_bytes(data)
        try:
            game = read_game(self.path)
        except BadInput as error:
            one_line(error)
            if "not a saved game" not in str(error):
                return "refused"
            return self._examine_module()
        for module in (None, self.module):
            replay = Replay(game, module)
            lines = [as_json.step(step, replay, reveal=module is None) for step in replay.steps()]
            state = as_json.state(replay, reveal=module is None)
            json.dumps([*lines, state], allow_nan=False).encode("utf-8")
            text = "\n".join([*map(show.step_text, lines), show.state_text(state)])
            if "\x1b" in text:
                raise AssertionError("an escape character in the output")
        stream.encode(game.stream)
        return "noted" if replay.all_problems() else "clean"

    def _examine_module(self) -> str:
        try:
            module = read_module(self.path)
        except BadInput as error:
            one_line(error)
            return "refused"
        for game_map in module.maps:
            layout = game_map.layout()
            for point in ((0, 0), (108, 96), (-5, 2**31 - 1), (999, 799)):
                layout.location(*point)
        for line in ("*** 2d6 = 3,5 *** &lt;Ann&gt;", "* die"):
            module.parse_roll(line)
        return "noted" if module.problems else "clean"


def one_line(error: BadInput) -> None:
    """What the user is told fits in one line."""
    if "\n" in str(error) or len(str(error)) > 1000:
        raise AssertionError(f"not one line: {str(error)[:2000]!r}")


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Stop after so many seconds with `TooSlow`."""

    def ring(signum: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fuzz(
    seed: int,
    start: list[bytes],
    keep: Path | None = None,
    seconds: float | None = None,
    inputs: int | None = None,
    tell: Callable[[str], None] = print,
) -> tuple[Counter[str], list[str]]:
    """Mutate and examine for so many seconds or inputs. Gives how often each outcome came and the crashes."""
    rng = random.Random(seed)
    pool = list(start)
    outcomes: Counter[str] = Counter()
    crashes: list[str] = []
    begun = told = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        subject = Subject(Path(folder))
        while (inputs is None or outcomes.total() < inputs) and (seconds is None or time.monotonic() - begun < seconds):
            data = Mutator(rng, start).mutate(rng.choice(pool))
            try:
                with time_limit(SECONDS_EACH):
                    outcome = subject.examine(data)
            except (Exception, TooSlow) as error:
                outcome = "crash"
                crashes.append("".join(traceback.format_exception(error)))
                tell(crashes[-1])
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"crash-{seed}-{outcomes.total()}").write_bytes(data)
            outcomes[outcome] += 1
            if outcome in ("clean", "noted") and rng.random() < 0.05:  # go on from what was still read
                pool.append(data)
                del pool[len(start) : max(len(start), len(pool) - 200)]
            if time.monotonic() - told > 60:
                told = time.monotonic()
                tell(f"{told - begun:.0f} s: {dict(outcomes)}")
    return outcomes, crashes


def fuzz_guided(seed: int, start: list[bytes], seconds: float) -> None:
    """The same mutations, chosen by the paths through the code that they open. Ends the process."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for index, data in enumerate(start):
            (corpus / str(index)).write_bytes(data)
        subject = Subject(Path(folder))

        def one_input(data: bytes) -> None:
            subject.examine(data)

        def mutator(data: bytes, largest: int, number: int) -> bytes:
            return Mutator(random.Random(number), start).mutate(bytes(data))[:largest]

        options = [f"-max_total_time={seconds:.0f}", f"-seed={seed}", f"-timeout={SECONDS_EACH}", "-rss_limit_mb=3072"]
        atheris.Setup([sys.argv[0], str(corpus), *options, f"-max_len={LARGEST}"], one_input, custom_mutator=mutator)
        atheris.Fuzz()


def main() -> int:
    """Run from the command line: 0 when nothing crashed, 1 when something did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--corpus", type=Path, nargs="*", default=[ROOT.parent / "shared"], help="folders of real files"
    )
    parser.add_argument("--keep", type=Path, help="where crashing inputs are put")
    parser.add_argument("--guided", action="store_true", help="let atheris choose the inputs")
    args = parser.parse_args()
    start = seeds(folder for folder in args.corpus if folder.is_dir())
    print(f"{len(start)} files to start from, seed {args.seed}, {args.seconds:.0f} s", flush=True)
    if args.guided:
        fuzz_guided(args.seed, start, args.seconds)
        return 0
    import resource  # not on every system; the tests do without

    resource.setrlimit(resource.RLIMIT_AS, (BYTES_EACH, BYTES_EACH))
    outcomes, crashes = fuzz(args.seed, start, args.keep, args.seconds, tell=lambda line: print(line, flush=True))
    print(f"{outcomes.total()} inputs: {dict(outcomes)}; {len(crashes)} crashes")
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
