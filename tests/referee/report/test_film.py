"""The page's film against the replay itself: at every step each counter is where `hexref state` says it is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from korean_battles_play import write
from written_log import Writer

from referee.check import Checked, check
from referee.report.html import html_report
from referee.report.html.film import Film
from referee.table import as_json
from referee.table.replay import open_replay

Json = dict[str, Any]
UNITS = {"5/1M": "0710", "7/1M": "0709", "1/1M": "0907", "59/1": "0912", "59/2": "0911", "58/1": "1111"}
PASSWORDS = ("annpw", "bobpw")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("film")
    write(where / "chosin.vmod", "chosin-few")
    return where


@pytest.fixture(scope="module")
def checked(folder: Path) -> Checked:
    writer = Writer(folder, UNITS).say("@phase turn 1 Chinese movement").move("58/1", "1101").move("59/2", "0912")
    return check([writer.flip("5/1M", "1", "2").say("@phase turn 1 Chinese combat").write(folder / "a.vlog")])[0]


def seen_at(film: Json, step: int) -> dict[tuple[str, int, int], list[str]]:
    """Names by place, bottom to top, read from the film as the viewer does."""
    found: dict[tuple[str, int, int], list[tuple[int, str]]] = {}
    for track in film["tracks"]:
        groups = [track[at : at + 6] for at in range(0, len(track), 6)]
        assert [group[0] for group in groups] == sorted({group[0] for group in groups})
        now = next((group for group in reversed(groups) if group[0] <= step), None)
        if now is not None and now[1] >= 0:
            place = (film["maps"][now[1]], now[2], now[3])
            found.setdefault(place, []).append((now[4], film["looks"][now[5]]["name"]))
    return {place: [name for _, name in sorted(stack)] for place, stack in found.items()}


def lying_at(log: Path, module: Path, step: int) -> dict[tuple[str, int, int], list[str]]:
    """The same from the position itself."""
    replay = open_replay(log, module)
    replay.play_to(step)
    state = as_json.state(replay)
    found: dict[tuple[str, int, int], list[tuple[int, str]]] = {}
    for piece in state["pieces"]:
        if piece["map"] is not None:
            place = (piece["map"], piece["x"], piece["y"])
            found.setdefault(place, []).append((piece["stack"].index(piece["id"]), piece["name"]))
    return {place: [name for _, name in sorted(stack)] for place, stack in found.items()}


def test_every_step_of_a_written_log(folder: Path, checked: Checked) -> None:
    film = Film(open_replay(checked.log, folder / "chosin.vmod")).record()
    for step in range(checked.steps + 1):
        assert seen_at(film, step) == lying_at(Path(checked.log), folder / "chosin.vmod", step)


@pytest.mark.parametrize("name", ["s1-moves", "s2-stacks", "s3-undo", "s5-palette", "v37-s3-undo"])
def test_every_step_of_logs_the_engine_wrote(shared: Path, name: str) -> None:
    samples = shared / "oracle" / "samples"
    log, module = samples / f"{name}.vlog", samples / "small.vmod"
    replay = open_replay(log, module)
    film = Film(replay).record()
    for step in range(0, replay.step_count + 1, max(1, replay.step_count // 12)):
        assert seen_at(film, step) == lying_at(log, module, step)


def page_data(page: str) -> Json:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: Json = json.loads(found[1])
    return data


def test_the_page_says_what_the_json_says(checked: Checked) -> None:
    (reel,) = page_data(html_report([checked]))["reels"]
    assert reel["report"]["findings"] == checked.json["findings"] != []
    assert reel["report"]["summary"] == checked.json["summary"]
    assert [words for _, words in reel["sections"]] == ["turn 1, Chinese movement", "turn 1, Chinese combat or later"]
    assert ["0710", *reel["windows"][0]["hexes"][0][1:]][1:] != []
    assert {hex[0] for hex in reel["windows"][0]["hexes"]} >= set(UNITS.values())


def test_nothing_from_outside_and_no_password(checked: Checked) -> None:
    page = html_report([checked])
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", page)
    for password in PASSWORDS:
        assert password not in page


def test_data_cannot_end_the_script(folder: Path) -> None:
    writer = Writer(folder, UNITS).say("</script><script>alert(1)</script>")
    page = html_report([check([writer.write(folder / "evil.vlog")])[0]])
    assert page.count("</script>") == 2
    assert any("</script>" in line for line in page_data(page)["reels"][0]["rows"][0]["said"])
