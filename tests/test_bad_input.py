"""Bad and hostile files from end to end: one clear line and exit 2, or a noted problem and the rest is told."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

import cli
from converter.vassal import pieces
from converter.vassal.obfuscation import Form, Hidden, hide
from referee.table.replay import open_replay

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT.parent / "shared" / "oracle" / "samples"
HEAD = "begin_save\x1b\x1bPLAYER\tannpw\tAnn\tRed\x1b"
INF = "+/1/piece;;;;Inf/Main;1;2"
GOOD = f"{HEAD}{INF}\x1bend_save\x1bLOG\tM/1/Main/3/4/null/Main/1/2/null/annpw"
TIME = 30.0
"""Seconds that the worst file may take; slow machines included."""


def game(path: Path, text: str = GOOD, **entries: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {"savedGame": hide(Hidden(text, Form.HEX, 0x42)), **entries}.items():
            archive.writestr(name, data)
    return path


def module(path: Path, build_file: bytes, **entries: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {"buildFile.xml": build_file, **entries}.items():
            archive.writestr(name, data)
    return path


def raw(data: bytes) -> Callable[[Path], Path]:
    def make(path: Path) -> Path:
        path.write_bytes(data)
        return path

    return make


def entry(name: str, data: bytes) -> Callable[[Path], Path]:
    def make(path: Path) -> Path:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, data)
        return path

    return make


def cut_off(path: Path) -> Path:
    whole = game(path, GOOD * 100).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    return path


def cut_directory(path: Path) -> Path:
    whole = game(path).read_bytes()
    path.write_bytes(whole[:-10])
    return path


def flipped(path: Path) -> Path:
    whole = bytearray(game(path, GOOD * 100).read_bytes())
    whole[6000] ^= 0xFF
    path.write_bytes(whole)
    return path


def encrypted(path: Path) -> Path:
    whole = game(path).read_bytes()
    at = whole.index(b"PK\x01\x02")
    path.write_bytes(whole[: at + 8] + b"\x01\x08" + whole[at + 10 :])
    return path


def zip_bomb(path: Path) -> Path:
    return entry("savedGame", b"\0" * (64 << 20))(path)


def bomb_that_lies(path: Path) -> Path:
    """Its directory says one byte."""
    whole = zip_bomb(path).read_bytes()
    at = whole.index(b"PK\x01\x02")
    path.write_bytes(whole[: at + 24] + struct.pack("<L", 1) + whole[at + 28 :])
    return path


def deflated_bomb(path: Path) -> Path:
    machine = zlib.compressobj(9)
    start = machine.compress(b"\0" * (1 << 20)) + machine.flush(zlib.Z_FULL_FLUSH)
    mebibyte = machine.compress(b"\0" * (1 << 20)) + machine.flush(zlib.Z_FULL_FLUSH)
    return entry("savedGame", b"!VCSZ00" + (start + mebibyte * 2000).hex().encode())(path)


def many_entries(path: Path) -> Path:
    whole = game(path).read_bytes()
    at, end = whole.index(b"PK\x01\x02"), whole.index(b"PK\x05\x06")
    directory = whole[at:end] * 100_001
    tail = struct.pack("<4sHHHHLLH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, len(directory), at, 0)
    path.write_bytes(whole[:at] + directory + tail)
    return path


REFUSED: dict[str, tuple[Callable[[Path], Path], str]] = {
    "empty": (raw(b""), "is empty"),
    "one byte": (raw(b"P"), "not a VASSAL file"),
    "text": (raw(b"Dear Sir,\n"), "not a VASSAL file"),
    "picture": (raw(b"\x89PNG\r\n\x1a\n" + b"\0" * 100), "not a VASSAL file"),
    "git lfs pointer": (raw(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"), "Git LFS pointer"),
    "cut off": (cut_off, "cut off"),
    "directory cut off": (cut_directory, "cut off"),
    "a bit flipped": (flipped, "damaged"),
    "encrypted": (encrypted, "encrypted"),
    "a zip of something else": (entry("readme.txt", b"hello"), "no VASSAL file"),
    "traversal instead of a game": (entry("../../savedGame", b"begin_save"), "no VASSAL file"),
    "a module": (lambda path: module(path, b"<VASSAL.launch.BasicModule/>"), "is a module"),
    "zip bomb": (zip_bomb, "zip bomb"),
    "zip bomb that lies": (bomb_that_lies, "damaged"),
    "deflated bomb": (deflated_bomb, "larger than"),
    "100000 entries": (many_entries, "more than 100000 entries"),
    "odd hex": (entry("savedGame", b"!VCSK42202"), "odd number of hex digits"),
    "bad hex": (entry("savedGame", b"!VCSK4220zz"), "byte 9 is not a hex digit"),
    "no key": (entry("savedGame", b"!VCSK"), "hex digits"),
    "raw without a key": (entry("savedGame", b"VOBS"), "key is missing"),
    "not deflated": (entry("savedGame", b"!VCSZ4220"), "!VCSZ"),
    "too many commands": (lambda path: game(path, "\x1b" * 2_000_001), "more than 2000000 commands"),
}


def deep(count: int, start: str = "") -> str:
    return start + "\x1b".join("c" + "\\" * depth for depth in range(1, count))


ABSURD: dict[str, str] = {
    "wrong key": "".join(chr(ord(letter) ^ 0x17) for letter in GOOD),
    "nothing": "",
    "no begin and no end": INF,
    "ten thousand levels": deep(10_000),
    "quoted levels": deep(3_000, "'"),
    "quoted levels in a step": GOOD + "\x1bLOG\t" + deep(500, "'x\\\x1b'"),
    "ten million backslashes": HEAD + "\\" * 10_000_000,
    "a state of backslashes": HEAD + "+/1/mark;a\tpiece;;;;Inf/" + "\\" * 10_000_000 + "\tx",
    "a chat of backslashes": f"{GOOD}\x1bLOG\tCHAT" + "\\" * 10_000_000,
    "a million quotes": HEAD + "'" * 1_000_000 + "\x1b" + "'" * 1_000_000,
    "broken escapes": HEAD + r"+/1\/piece;;;;Inf\\/Main;\\\1;2\/'" + "\x1bD/\\/\\\x1b+/'/'/'",
    "a hundred thousand traits": HEAD + "+/1/" + "mark;a\t" * 100_000 + "piece;;;;Inf/x",
    "three thousand nested traits": f"{HEAD}+/1/{pieces.roll(['mark;a'] * 3000 + ['piece;;;;Inf'])}/x",
    "three thousand quoted traits": f"{HEAD}+/1/{pieces.roll([chr(39) + 'a'] * 3000 + ['piece;;;;Inf'])}/x",
    "a state longer than its type": HEAD + "+/1/piece;;;;Inf/" + "a\t" * 100_000,
    "a deck with too many claimed": HEAD + INF + "\x1b+/2/deck;/Main;1;2;false;" + "1," * 500_000,
    "a stack of strangers": HEAD + "+/2/stack/Main;1;2;" + "7;" * 500_000,
    "a trail with a billion points": HEAD + "+/1/footprint;\tpiece;;;;Inf/true;Main;1000000000;1,2\tMain;1;2",
    "a mat with a billion pieces": HEAD + "+/1/mat;\tpiece;;;;Inf/1000000000;1\tMain;1;2",
    "a billion property pairs": HEAD + "+/1/piece;;;;Inf/Main;1;2;;1000000000;a;b",
    "a billion facings": HEAD + "+/1/rotate;1000000000\tpiece;;;;Inf/999999999\tMain;1;2",
    "a button with a billion corners": HEAD + "+/1/button;;;;;;;;;1;1000000000;1\tpiece;;;;Inf/\tMain;1;2",
    "numbers without end": HEAD + "+/1/piece;;;;Inf/Main;" + "9" * 100_000 + ";" + "9" * 5_000,
    "colours and keys without end": HEAD + f"+/1/label;{'9' * 5000},1;;;{'9' * 5000},1,1\tpiece;;;;Inf/x\tMain;1;2",
    "moves off the world": GOOD
    + "".join(f"\x1bLOG\tM/1/Main/{x}/0/null/Main/1/2/null/p" for x in (2**31 - 1, 2**31, "x")),
    "a layer without pictures": HEAD + "+/1/emb2;;;;;;;;;;;;;;;;;;;Step;;;true;P\tpiece;;;;Inf/5\tMain;1;2",
    "labels that double": HEAD
    + f"+/1/{pieces.roll(['label;;;;;;;;;;;;$pieceName$$pieceName$'] * 300 + ['piece;;;;Inf'])}/"
    + pieces.roll(["x"] * 300 + ["Main;1;2"]),
    "an entity without end": f"{GOOD}\x1bLOG\tCHAT&#" + "9" * 5000 + ";",
    "an escape in an entity": f"{GOOD}\x1bLOG\tCHAT&#27;[2J&#155;x",
    "undos of nothing": GOOD + "\x1bLOG\tCHAT* UNDO: x" * 1_000,
    "everybody at one point": HEAD + "\x1b".join(f"+/{n}/piece;;;;I/Main;1;2" for n in range(8_000)),
    "a pile turned over again and again": HEAD
    + "\x1b".join(f"+/{n}/piece;;;;I/Main;1;2" for n in range(5_000))
    + f"\x1b+/s/stack/Main;1;2;{';'.join(map(str, range(5_000)))}"
    + f"\x1bLOG\tD/s/Main;1;2;{';'.join(map(str, range(4_999, -1, -1)))}" * 20,
    "stacks that hold each other": HEAD
    + "+/a/stack/Main;1;2;b\x1b+/b/stack/Main;1;2;a;b\x1bLOG\tM/a/Main/1/2/b/Main/1/2/a/p",
    "a map of no name": HEAD + "+/1/piece;;;;Inf/;1;2\x1bLOG\tM/1//1/2/null//1/2/null/p",
    "boards without end": HEAD + "MainBoardPicker" + "\tB\t2147483647\t-2147483648" * 50_000,
    "a tracker without a module": f"{GOOD}\x1bLOG\tTURNTurnTracker0\t" + "|" * 100_000,
    "control characters": HEAD + "+/1/piece;;;;I\0\x07\x9bnf/Ma\0in;1;2",
}  # fmt: skip

METADATA = {
    "entity bomb": b'<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><data><name>&b;</name></data>',
    "outside entity": b'<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><data><name>&a;</name></data>',
    "outside DTD": b'<!DOCTYPE d SYSTEM "http://example.org/d.dtd"><data/>',
    "not XML": b"\0\1\2",
    "UTF-16": '<?xml version="1.0" encoding="UTF-16"?><data/>'.encode("utf-16"),
    "nested": b"<data>" + b"<name>" * 100_000,
}
NAMES = ["../../evil", "/etc/evil", "C:\\evil", "..\\evil", "a/../../evil", "CON", "evil\x1b", "savedGame/../x"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    begun = time.perf_counter()
    status = cli.main([str(argument) for argument in arguments])
    assert time.perf_counter() - begun < TIME
    out, err = capsys.readouterr()
    return status, out, err


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert err.startswith("hexref: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    make, said = REFUSED[name]
    path = make(tmp_path / "bad.vlog")
    message = refused(capsys, "state", path, "--json")
    assert said in message
    assert "bad.vlog" in message
    if path.stat().st_size < 100_000:
        assert refused(capsys, "replay", path) == message


@pytest.mark.parametrize("name", ABSURD)
def test_absurd_games_are_told_as_far_as_they_make_sense(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = game(tmp_path / "a.vlog", ABSURD[name])
    status, out, err = run(capsys, "state", path, "--json")
    assert status == 0, err
    answer = json.loads(out)
    assert set(answer) >= {"module", "steps", "pieces"}
    status, out, err = run(capsys, "replay", path, "--json")
    assert status == 0, err
    assert [json.loads(line)["step"] for line in out.splitlines()] == list(range(1, answer["steps"] + 1))
    for command in ("state", "replay") if len(ABSURD[name]) < 1_000_000 else ():
        status, out, err = run(capsys, command, path)
        assert status == 0
        assert not set(out + err) & set("\x1b\x9b\0\x07")


def test_a_damaged_piece_does_not_hide_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"{ABSURD['three thousand nested traits']}\x1b+/2/wonder;/x\x1b+/3/piece;;;;Tank/Main;1;2"
    answer = json.loads(run(capsys, "state", game(tmp_path / "a.vsav", text), "--json")[1])
    assert [piece["name"] for piece in answer["pieces"]] == ["Tank"]
    assert len(answer["problems"]) == 2


@pytest.mark.parametrize("name", METADATA)
def test_hostile_metadata_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    path = game(tmp_path / "a.vsav", moduledata=METADATA[name], savedata=METADATA[name])
    status, out, err = run(capsys, "state", path, "--json")
    assert status == 0, err
    answer = json.loads(out)
    assert len(answer["problems"]) == 2
    assert "root:" not in out
    assert len(answer["pieces"]) == 1


@pytest.mark.parametrize("name", METADATA)
def test_hostile_build_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    bad = module(tmp_path / "bad.vmod", METADATA[name].replace(b"data>", b"VASSAL.build.GameModule>"))
    message = refused(capsys, "state", game(tmp_path / "a.vsav"), "--module", bad)
    assert "bad.vmod" in message
    assert "root:" not in message


@pytest.mark.parametrize("name", NAMES)
def test_names_that_lead_outside_lead_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    folder = tmp_path / "in" / "here"
    folder.mkdir(parents=True)
    path = folder / "a.vsav"
    game(path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, b"evil")
    assert run(capsys, "state", path)[0] == 0
    assert [found.name for found in tmp_path.rglob("*") if found.is_file()] == ["a.vsav"]


@pytest.mark.parametrize(
    "arguments",
    [["state", "nowhere.vsav"], ["state", "."], ["state", "a.vsav", "--at", "5"], ["state", "a.vsav", "--at", "-1"],
     ["state", "a.vsav", "--module", "nowhere"], ["state", "a.vsav", "--module", "a.vsav"], ["replay", "nowhere.vlog"]],
)  # fmt: skip
def test_wrong_calls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    game(tmp_path / "a.vsav")
    monkeypatch.chdir(tmp_path)
    refused(capsys, *arguments)


def test_an_absurd_file_stays_within_its_memory(tmp_path: Path) -> None:
    """In a process of its own that may not take more than 1.5 GiB."""
    for name, text in (("a", ABSURD["ten thousand levels"]), ("b", ABSURD["ten million backslashes"])):
        path = game(tmp_path / f"{name}.vlog", text)
        limited = (
            "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29)); "
            "import cli; sys.exit(cli.main(sys.argv[1:]))"
        )
        done = subprocess.run(
            [sys.executable, "-c", limited, "state", str(path), "--json"], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr


# --- passwords ---

LOGS = sorted([*SAMPLES.glob("*.vsav"), *SAMPLES.glob("*.vlog")])


@pytest.mark.skipif(not LOGS, reason="no reference material beside the project")
@pytest.mark.parametrize("path", LOGS, ids=[path.name for path in LOGS])
@pytest.mark.parametrize("options", [[], ["--json"], ["--json", "--reveal"]], ids=["text", "json", "revealed"])
def test_no_password_is_ever_shown(capsys: pytest.CaptureFixture[str], path: Path, options: list[str]) -> None:
    replay = open_replay(path)
    replay.play_to()
    secrets = set(replay.game.players)
    assert secrets
    assert all(len(secret) > 3 and secret in replay.saved.hidden.text for secret in secrets)
    shown = repr(replay.all_problems()) + repr(replay.game.players.values()) + repr(replay.saved)
    for command in ("state", "replay"):
        for module_option in ([], ["--module", str(SAMPLES / "small.vmod")]):
            status, out, err = run(capsys, command, path, *options, *module_option)
            assert status == 0
            shown += out + err
    assert not [secret for secret in secrets if secret in shown]


@pytest.mark.parametrize("options", [[], ["--json"], ["--json", "--reveal"]], ids=["text", "json", "revealed"])
def test_no_password_is_shown_however_it_got_into_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    text = (
        f"{HEAD}+/1/hide;\trestrict;\\\tobs;;m;;B;?\\\\\tlabel;\\\\\\\tpiece;;;;Inf"
        "/null\tannpw\\\tannpw;true|1|annpw\\\\\tannpw was here\\\\\\\tMain;1;2;;1;Owner;annpw"
        "\x1bUNMASK\tannpw\x1bPNOTE\tannpw\tx\x1bSNOTE\tn\tannpw\ttrue\tx\x1bLOCKSPOTAB\tt\tannpw\tannpw\td\x1bend_save"
        "\x1bLOG\tM/1/Main/3/4/null/Main/1/2/null/annpw\\\x1bLOG\tCHAT* &lt;annpw&gt; moves"
        "\x1bLOG\tD/1/annpw\tannpw\\\tannpw\\\\\tx\\\\\\\tMain;1;2/null\tannpw\\\tannpw\\\\\tx\\\\\\\tMain;1;2"
        "\x1bLOG\tPYREMOVE\tannpw\x1bLOG\tCHATannpw left\x1bLOG\tGlobalProperty\t;PlayerId;annpw;annpw"
        "\x1bLOG\tMutableProperty\tannpw_result\t\tannpw\tModule\x1bLOG\tSHOW_RESULTS\tannpw\tannpw"
        "\x1bLOG\tM/1/annpw/3/4/annpw/annpw/1/2/annpw/annpw\x1bLOG\t+/annpw/wonder;/annpw\x1bLOG\tannpw"
        "\x1bLOG\tPLAYER\tbobpw\tBob\tBlue\x1bLOG\tD/1/annpw/annpw"
    )
    shown = ""
    for command in ("state", "replay"):
        status, out, err = run(capsys, command, game(tmp_path / "a.vlog", text), *options)
        assert status == 0
        shown += out + err
    assert "annpw" not in shown
    assert "bobpw" not in shown
