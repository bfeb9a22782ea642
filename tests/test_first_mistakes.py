"""What somebody new to hexref gets wrong, and what it says then."""

from __future__ import annotations

import io
import shutil
import sqlite3
import zipfile
from pathlib import Path

import pytest
from korean_battles_play import write
from written_log import Writer

import cli
from referee.check import check
from referee.many.files import find_files
from referee.report.text import coloured

UNITS = {"5/1M": "0710", "7/1M": "0709", "1/1M": "0907", "59/1": "0912", "59/2": "0911", "58/1": "1111"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A module with a log beside it, in which one move is too long."""
    folder = tmp_path_factory.mktemp("mistakes")
    write(folder / "chosin.vmod", "chosin-few")
    Writer(folder, UNITS).move("58/1", "1101").write(folder / "a.vlog")
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same as one's own place to work in."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *call: str) -> str:
    """The one line that a wrong call gets."""
    try:
        status: int | str | None = cli.main(call)
    except SystemExit as end:
        status = end.code
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1), err
    return err


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["chekc", "a.vlog"], "did you mean 'check'?; see 'hexref --help'"),
        (["check", "a.vlog", "--chart", "x"], "did you mean '--charts'?; see 'hexref check --help'"),
        (["counters", "sheet", "u.yaml", "-o", "x.pdf", "--test-pages"], "see 'hexref counters sheet --help'"),
        (["stats", "x", "--by", "week"], "expected one of rule, player"),
        (["check", ""], "an argument is empty"),
        (["check", "a.vlog", "--html", ""], "an argument is empty"),
        (["check", "none.zip"], "no such file or folder"),
        (["check", "empty"], "there are no files"),
        (["check", "a.vlog", "--html", "none/page.html"], "can't be written"),
        (["check", "a.vlog", "--csv", "none/t.csv", "--jobs", "1"], "can't be written"),
        (["check", "a.vlog", "--html", "a.vlog"], "to write over a file its name must end in .html"),
        (["check", "a.vlog", "--csv", "a.vlog"], "to write over a file its name must end in .csv"),
        (["check", ".", "--csv", "a.vlog"], "to write over a file its name must end in .csv"),
        (["build", "korean-battles/pusan", "-o", "chosin.vmod"], "was not built by hexref"),
        (["check", ".", "--html", "a.vlog"], "the pages go into a folder"),
        (["check", ".", "--results", "other.sqlite"], "another SQLite file"),
        (["check", ".", "--results", "none/r.sqlite"], "can't be written"),
        (["demo", "-o", "a.vlog"], "a.vlog/3-scenario: Not a directory"),
        (["state", "a" * 300], "File name too long"),
        (["stats", "other.sqlite"], "another SQLite file"),
        (["stats", "chosin.vmod"], "neither a file of results nor lines of `check --json`"),
        (["check", "alone/a.vlog"], "module 'The Chosin Few for tests' is not beside it"),
        (["check", "alone/a.vlog", "--game", "korean-battles/chosin-few"], "is needed (--module)"),
        (["build", "korean-battles", "-o", "x.vmod"], "say which: korean-battles/SCENARIO"),
        (["build", "a.vlog", "-o", "x.vmod"], "a.vlog: is a file; a scenario folder is needed"),
        (["rules", "korean-battles/seoul"], "has no scenario 'seoul'"),
        (["map", "scan.png", "--rectify", "./scan.png"], "would write over the scan itself"),
        (["map", "--from", "board"], "map.yaml: has no hexes; name another map: map-2.yaml"),
        (["judge", "story.yaml"], "there is no game 'chosen'; there is korean-battles"),
    ],
)
def test_one_line_says_what_is_wrong(
    folder: Path, capsys: pytest.CaptureFixture[str], call: list[str], said: str
) -> None:
    (folder / "alone").mkdir()
    shutil.copy(folder / "a.vlog", folder / "alone")
    (folder / "empty").mkdir()
    (folder / "board").mkdir()
    for name, more in (("map", ', absent: ["0101"]'), ("map-2", "")):
        picture = "picture: {image: a.png, width: 9, height: 9, dx: 9, dy: 9, x0: 4, y0: 4}"
        text = f"version: 1\nname: board\ngrid: {{columns: 1, rows: 1{more}}}\n{picture}\n"
        (folder / "board" / f"{name}.yaml").write_text(text, encoding="utf-8")
    (folder / "story.yaml").write_text("- {id: a, game: chosen, scenario: x, units: [], actions: []}", encoding="utf-8")
    base = sqlite3.connect(folder / "other.sqlite")
    base.execute("create table bookmarks (address text)")
    base.close()
    before = {path: path.stat().st_size for path in folder.rglob("*")}
    assert said in refused(capsys, *call)
    assert {path: path.stat().st_size for path in folder.rglob("*")} == before


def test_a_length_below_zero_is_a_value(tmp_path: Path) -> None:
    units = str(Path(cli.__file__).parent / "data" / "chosin" / "units.yaml")
    assert cli.main(["counters", "sheet", units, "-o", str(tmp_path / "x.pdf"), "--shift", "-0.5mm,1mm"]) == 0


def test_what_hexref_made_is_written_over(folder: Path) -> None:
    for _ in range(2):
        assert cli.main(["build", "korean-battles/pusan", "-o", "pusan.vmod"]) == 0
        assert cli.main(["check", "a.vlog", "--csv", "t.csv", "--html", "p.html"]) == 1


def test_counters_of_a_scenario_folder(tmp_path: Path) -> None:
    assert cli.main(["counters", "draw", str(Path(cli.__file__).parent / "data" / "chosin"), "-o", str(tmp_path)]) == 0
    assert list(tmp_path.glob("*.png"))


def test_the_table_of_one_log(folder: Path) -> None:
    assert cli.main(["check", "a.vlog", "--csv", "t.csv"]) == 1
    assert "MOVE-DIST-BOUND" in Path("t.csv").read_text(encoding="utf-8")
    assert not Path("hexref-results.sqlite").exists()


def test_colours_only_where_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert coloured(terminal)
    assert not coloured(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not coloured(terminal)


def test_state_and_replay_find_the_module_beside(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("state", "replay"):
        assert cli.main([command, "a.vlog", "--json"]) == 0
        assert '"1101"' in capsys.readouterr().out


def test_logs_that_do_not_continue_one_another_are_judged_apart(folder: Path) -> None:
    """The same log twice, two games from one set-up, the second log before the first: nothing adds up over both."""
    phase, moved = "@phase turn 1 Chinese movement", {**UNITS, "58/1": "1110"}
    first = Writer(folder, UNITS).say(phase).move("58/1", "1110").write(folder / "1.vlog")
    other = Writer(folder, UNITS).say(phase).move("58/1", "1112").write(folder / "2.vlog")
    after = Writer(folder, moved).move("58/1", "1109").move("59/1", "0913").write(folder / "3.vlog")
    for logs, apart in [((first, after), False), *(((one, first), True) for one in (first, other, after))]:
        one, two = check(logs)
        assert any("judged by itself" in problem for problem in two.problems) is apart
        assert [f.check for told in (one, two) for f in told.findings if f.verdict == "illegal"] == []
        if apart:
            assert two.findings == check([logs[1]])[0].findings


def test_a_module_above_the_logs_is_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One module for the league, logs in a folder for each round; the same in an archive."""
    (folder / "league" / "round 1").mkdir(parents=True)
    shutil.move(folder / "chosin.vmod", folder / "league")
    shutil.move(folder / "a.vlog", folder / "league" / "round 1")
    assert cli.main(["check", "league", "--quiet"]) == 1
    shutil.make_archive("packed", "zip", "league")
    assert cli.main(["check", "packed.zip", "--quiet"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in told] == ["league/round 1/a.vlog", "packed.zip/round 1/a.vlog"]
    assert cli.main(["stats", "hexref-results.sqlite"]) == 0  # the same log under another name is one log
    assert capsys.readouterr().out.startswith("1 logs of 1 games")


def test_pages_that_were_thrown_away_are_made_again(folder: Path) -> None:
    for _ in range(2):
        assert cli.main(["check", ".", "--html", "pages", "--quiet"]) == 1
        (page,) = Path("pages").iterdir()
        page.unlink()


def test_names_in_archives_that_do_not_say_they_are_utf8(tmp_path: Path) -> None:
    packed = tmp_path / "a.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("서울.vlog", b"x")
    packed.write_bytes(packed.read_bytes().replace(b"\x00\x08", b"\x00\x00"))
    with zipfile.ZipFile(packed) as archive:
        assert not archive.infolist()[0].flag_bits & 0x800
    (found,) = find_files([packed], tmp_path / "u")
    assert Path(found.path).name == "서울.vlog"


def test_the_games_with_their_maps_and_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["games"]) == 0
    told = capsys.readouterr().out
    assert "map peninsula: terrain of 952 of 952 hexes known" in told
    assert all(game in told for game in ("fire-and-ice/invasion", "--template", "--map"))
    assert cli.main(["rules", "yalu/deluxe"]) == cli.main(["rules", "yalu"]) == 0


def test_logs_that_exchanged_their_names_are_told_under_the_new_ones(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Writer(folder, UNITS).move("58/1", "1110").write(folder / "b.vlog")
    assert cli.main(["check", ".", "--quiet"]) == 1
    before = capsys.readouterr().out.splitlines()
    for old, new in [("a", "c"), ("b", "a"), ("c", "b")]:
        Path(f"{old}.vlog").rename(f"{new}.vlog")
    assert cli.main(["check", ".", "--quiet"]) == 1
    after = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[2] for line in after] == [line.partition(": ")[2] for line in reversed(before)]
    assert [line.partition(": ")[0] for line in after] == ["./a.vlog", "./b.vlog"]
