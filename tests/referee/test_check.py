"""hexref check: logs written for the purpose, judged through the front door."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from korean_battles_play import plan, write
from written_log import Writer

import cli
from converter.errors import BadInput
from converter.vassal.grids import Numbering
from converter.vassal.module import read_module
from converter.vassal.new_module import CounterPlan, write_module
from referee.check import Checked, check, draft
from referee.games.korean_battles.logs import LOGS
from referee.logs.binding import draft_binding, slots_of
from referee.table.binding import read_binding

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
UNITS = {"5/1M": "0710", "7/1M": "0709", "1/1M": "0907", "59/1": "0912", "59/2": "0911", "58/1": "1111"}
CLEAR = """
version: 1
name: clear
grid: {columns: 19, rows: 18}
complete: [hexsides, links]
default_terrain: {kind: clear, source: {person: a test}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("check")
    write(where / "chosin.vmod", "chosin-few")
    (where / "map.yaml").write_text(CLEAR, encoding="utf-8")
    return where


def illegal(told: Checked) -> list[tuple[int, str]]:
    return [(finding.step, finding.check) for finding in told.findings if finding.verdict == "illegal"]


def judged(folder: Path, writer: Writer, name: str = "a.vlog") -> Checked:
    return check([writer.write(folder / name)], map=folder / "map.yaml")[0]


def test_the_module_beside_the_log_tells_game_and_hexes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = Writer(folder, UNITS).move("58/1", "1101").write(folder / "far.vlog")
    assert cli.main(["check", str(log)]) == 1
    assert "1111 to 1101" in capsys.readouterr().out
    assert cli.main(["check", str(log), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["game"], told["scenario"], told["steps"]) == ("korean-battles", "chosin-few", 1)
    assert told["summary"]["illegal"] == 1
    assert {finding["check"] for finding in told["findings"]} >= {"MOVE-DIST-BOUND"}
    assert "annpw" not in json.dumps(told)


def test_nothing_illegal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = Writer(folder, UNITS).move("58/1", "1109").write(folder / "near.vlog")
    assert cli.main(["check", str(log), "--map", str(folder / "map.yaml")]) == 0
    assert "0 illegal" in capsys.readouterr().out


def test_without_a_phase_a_short_drag_may_be_a_retreat(folder: Path) -> None:
    """Four hexes through a zone of control: no legal move, but nobody said that it was one."""
    writer = Writer(folder, UNITS).move("59/2", "0708")
    assert illegal(judged(folder, writer)) == []
    spoken = Writer(folder, UNITS)
    for phase in ("movement", "combat", "mobile movement"):
        spoken.say(f"@phase turn 1 Chinese {phase}")
        if phase == "movement":
            spoken.move("59/2", "0708")
    assert (2, "MOVE-ZOC-LEG-NO-STOP") in illegal(judged(folder, spoken))


def test_the_same_drag_in_two_turns(folder: Path) -> None:
    """Without a word of time between them two moves are never added up."""
    writer = Writer(folder, UNITS).move("58/1", "1108").move("58/1", "1104")
    assert illegal(judged(folder, writer)) == []


def test_put_back_by_hand(folder: Path) -> None:
    writer = Writer(folder, UNITS).move("58/1", "1101").move("58/1", "1111")
    assert illegal(judged(folder, writer)) == []


def test_talk_accuses_nobody(folder: Path) -> None:
    writer = Writer(folder, UNITS).say("I saved those movement points").say("attack at 3-1 odds, +2")
    assert judged(folder, writer).findings == ()


def test_a_name_that_fits_nobody_is_passed_over(folder: Path) -> None:
    told = judged(folder, Writer(folder, UNITS).say("@attack 77/9 -> 0710"))
    assert told.findings == ()
    assert any("not clear which units" in problem for problem in told.problems)


def test_an_attack_from_afar_needs_no_phase(folder: Path) -> None:
    told = judged(folder, Writer(folder, UNITS).say("@attack 58/1 -> 0710"))
    assert illegal(told) == [(1, "CMB-NOT-ADJACENT")]
    assert told.findings[0].units == ("58/1",)


def test_the_depleted_side_counts(folder: Path) -> None:
    """5/1M turned to 6-6-5 defends with 6: 59/1 and 59/2 attack at 6 - 6 = 0."""
    where = {**UNITS, "59/1": "0711", "59/2": "0810"}
    right = Writer(folder, where).flip("5/1M", "1", "2").say("@attack 59/1, 59/2 -> 0710").say("@odds 0")
    assert illegal(judged(folder, right)) == []
    wrong = Writer(folder, where).flip("5/1M", "1", "2").say("@attack 59/1, 59/2 -> 0710").say("@odds -1")
    assert illegal(judged(folder, wrong)) == [(3, "CMB-WRONG-SUM")]


def test_a_marker_in_the_hex_makes_the_sum_unsure(folder: Path) -> None:
    where = {**UNITS, "59/1": "0711", "59/2": "0810", "Interdicted": "0710"}
    told = judged(folder, Writer(folder, where).say("@attack 59/1, 59/2 -> 0710").say("@odds +5"))
    assert illegal(told) == []
    assert any("bind.yaml" in what for finding in told.findings for what in finding.missing)


def test_several_logs_continue_one_another(folder: Path) -> None:
    """The second log opens where the first ended; the unit's place is that of the second's opening."""
    first = Writer(folder, UNITS).move("58/1", "1109").write(folder / "one.vlog")
    second = Writer(folder, {**UNITS, "58/1": "1109"}).move("58/1", "1101").write(folder / "two.vlog")
    told = check([first, second], map=folder / "map.yaml")
    assert [illegal(one) for one in told] == [[], [(1, "MOVE-OVER-MA")]]


def test_a_set_up_in_the_log_is_not_play(folder: Path) -> None:
    """Counters are put down and shifted about before anybody speaks of a phase."""
    writer = Writer(folder, {})
    for name, hex in UNITS.items():
        writer.place(name, hex)
    told = judged(folder, writer.move("58/1", "1101").move("5/1M", "0310"))
    assert told.findings == ()


def test_a_reinforcement_from_the_palette(folder: Path) -> None:
    """17/7 comes on turn 9; once phases are announced a counter put on the map has entered it."""
    writer = Writer(folder, UNITS)
    for phase in ("movement", "combat", "mobile movement"):
        writer.say(f"@phase turn 1 UN {phase}")
        if phase == "movement":
            writer.place("17/7", "1301")
    assert illegal(judged(folder, writer)) == [(2, "REINF-EARLY")]


def test_a_module_whose_hexes_lie_otherwise_accuses_nobody(tmp_path: Path) -> None:
    made = plan("chosin-few")
    main, pool = made.maps
    (board,) = main.boards
    assert board.grid is not None
    skewed = replace(board, grid=replace(board.grid, numbering=Numbering(stagger=True)))
    write_module(tmp_path / "chosin.vmod", replace(made, maps=(replace(main, boards=(skewed,)), pool)))
    told = check([Writer(tmp_path, UNITS).move("58/1", "1101").write(tmp_path / "a.vlog")])[0]
    assert told.findings
    assert illegal(told) == []


def bound(folder: Path, names: Sequence[str]) -> Path:
    path = folder / "bind.yaml"
    lines = ["game: korean-battles", "scenario: chosin-few", "units:"]
    for name in names:
        told = "side: UN" if "M" in name else "side: Chinese, values: 3-3-4"
        lines.append(f'  "{name}": {{unit: "{name[2:]}", {told}}}')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_strangers_counters_by_bind_file(folder: Path) -> None:
    strange = {name: f"x {name}" for name in UNITS}
    log = Writer(folder, UNITS, strange).move("58/1", "1101").write(folder / "strange.vlog")
    told = check([log], bind=bound(folder, list(strange.values())))[0]
    assert {finding.units for finding in told.findings if finding.verdict == "illegal"} == {("58/1",)}


def test_a_strangers_counters_without_one_accuse_nobody(folder: Path) -> None:
    log = Writer(folder, UNITS, {name: f"x {name}" for name in UNITS}).move("58/1", "1101")
    assert judged(folder, log).findings == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("units: {a: {unit: b, colour: red}}", r"bind\.yaml:1: unknown field 'colour'"),
        ("game: korean-battles\nflags: 3", r"bind\.yaml:2: unknown field 'flags'"),
        ("units:\n  a: [1]", r"bind\.yaml:2: expected a unit's name"),
        ("game: chess\nunits: {}", r"there is no game 'chess'"),
    ],
)
def test_a_mistake_in_the_bind_file(folder: Path, tmp_path: Path, text: str, message: str) -> None:
    log = Writer(folder, UNITS).write(folder / "plain.vlog")
    (tmp_path / "bind.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        check([log], bind=tmp_path / "bind.yaml")


def test_a_draft_names_what_fits_and_what_does_not(folder: Path) -> None:
    log = Writer(folder, UNITS).write(folder / "draft.vlog")
    text = draft(log, "korean-battles/chosin-few", folder / "chosin.vmod")
    assert '  "5/1M": {unit: "5/1M", side: UN, nation: US}' in text
    assert '#   "Interdicted"' in text


def strange(tmp_path: Path, names: Sequence[str]) -> Path:
    """A stranger's module: our map, counters of his own."""
    made = plan("chosin-few")
    counters = tuple(CounterPlan(name, f"piece;;;;{name}", "null;0;0;;0", "All") for name in names)
    write_module(tmp_path / "strange.vmod", replace(made, counters=counters))
    return tmp_path / "strange.vmod"


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("USMC 5th Marines 8-7-5", "5/1M"),
        ("31st RCT 5-6-5", "31/7"),
        ("CCF 58th Div 2nd Rgt", "58/2"),
        ("59-3 (3-3-4)", "59/3"),
        ("HQ 1st Mar Div", "HQ 1M"),
        ("20 Army HQ 0-2-3", "HQ 20"),
    ],
)
def test_a_draft_guesses_by_numbers_words_and_factors(tmp_path: Path, name: str, unit: str) -> None:
    text = draft_binding(LOGS, read_module(strange(tmp_path, [name])), "chosin-few")
    told = yaml.safe_load(text)
    assert told["units"][name]["unit"] == unit
    assert "# a guess" in text


def test_a_draft_lists_what_it_could_not_match(tmp_path: Path) -> None:
    names = ["Game Turn", "5-6-5", "UN Arty +4", "9th Panzer 7-7-7", "1 Marines", "1st Marine Regiment"]
    text = draft_binding(LOGS, read_module(strange(tmp_path, names)), "chosin-few")
    told = yaml.safe_load(text)
    assert told["markers"] == {"UN Arty +4": {"kind": "support", "side": "UN", "value": 4}}
    assert set(told["units"]) == {"1 Marines", "1st Marine Regiment"}
    assert "perhaps its other side" in text
    for name in ("Game Turn", "5-6-5", "9th Panzer 7-7-7"):
        assert f'#   "{name}"' in text
    (tmp_path / "bind.yaml").write_text(text, encoding="utf-8")
    assert read_binding(tmp_path / "bind.yaml", LOGS.unit_fields).markers


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the project")
@pytest.mark.parametrize("module", ["hex-template.vmod", "longest-day", "republic-of-rome.vmod", "tour.mod", "kassala"])
def test_a_draft_for_another_game_matches_next_to_nothing(module: str) -> None:
    read = read_module(CORPUS / "modules" / module)
    told = yaml.safe_load(draft_binding(LOGS, read, "pusan"))
    pieces = {piece.name for piece in slots_of(read)}
    assert len(told["units"] or ()) <= 0.05 * len(pieces) + 1


def test_not_a_log(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", str(folder / "map.yaml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the project")
@pytest.mark.parametrize("extra", [[], ["--module", str(CORPUS / "modules" / "longest-day")]])
def test_another_game_is_refused(capsys: pytest.CaptureFixture[str], extra: list[str]) -> None:
    log = CORPUS / "logs" / "longest-day" / "0606-1.log"
    assert cli.main(["check", str(log), "--game", "korean-battles", *extra]) == 2
    assert "is not korean-battles" in capsys.readouterr().err
    assert cli.main(["check", str(log), *extra]) == 2
    assert "--game" in capsys.readouterr().err


def test_a_map_in_other_words(folder: Path) -> None:
    """A lake of the user's map is water to the rules."""
    lake = CLEAR + "terrain:\n  - {kind: lake, source: {person: a test}, hexes: ['1109']}\n"
    (folder / "lake.yaml").write_text(lake, encoding="utf-8")
    log = Writer(folder, UNITS).move("58/1", "1109").write(folder / "wet.vlog")
    found = {name: {f.check for f in check([log], map=folder / name)[0].findings} for name in ("lake.yaml", "map.yaml")}
    assert "MOVE-PROHIBITED-TERRAIN" in found["lake.yaml"]
    assert "MOVE-PROHIBITED-TERRAIN" not in found["map.yaml"]


PHASES = ("combat", "mobile movement", "mobile combat")


def in_movement(folder: Path, *drags: tuple[str, str]) -> Checked:
    """Drags of a Chinese movement phase that is called out, and so is what follows."""
    writer = Writer(folder, UNITS).say("@phase turn 1 Chinese movement")
    for name, hex in drags:
        writer.move(name, hex)
    for phase in PHASES:
        writer.say(f"@phase turn 1 Chinese {phase}")
    return judged(folder, writer)


@pytest.mark.parametrize(
    "drags",
    [
        [("58/1", "1101"), ("58/1", "1109")],
        [("58/1", "1101"), ("59/1", "0913"), ("58/1", "1109")],
        [("59/2", "0710"), ("59/2", "0811")],
    ],
)
def test_a_drag_that_is_put_right_proves_nothing(folder: Path, drags: list[tuple[str, str]]) -> None:
    assert illegal(in_movement(folder, *drags)) == []


def test_a_drag_that_is_not_put_right_does(folder: Path) -> None:
    assert (2, "MOVE-OVER-MA") in illegal(in_movement(folder, ("58/1", "1101"), ("59/1", "0913")))
    still_too_far = illegal(in_movement(folder, ("58/1", "1101"), ("58/1", "1102")))
    assert (2, "MOVE-OVER-MA") in still_too_far
