"""What `state` and `replay` print, and what they keep to themselves."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from converter.vassal import stream
from converter.vassal.obfuscation import Hidden
from converter.vassal.savegame import SavedGame
from referee.table import as_json, show
from referee.table.replay import Replay

MASKED = "mark;Open\tobs;;back.png;Mask;B;Enemy\\\tmark;Secret\\\\\tpiece;;;;Panzer"
SPY = "hide;\tpiece;;;;Spy"


def replay_of(*commands: str, log: tuple[str, ...] = ()) -> Replay:
    state = ["begin_save", "PLAYER\tannpw\tAnn\tRed", *commands, "end_save"]
    steps = ["\\\x1b".join("LOG\t" + command for command in step.split("|")) for step in log]
    text = "\x1b".join([*state, *steps])
    return Replay(SavedGame(stream.decode(text), Hidden(text)))


def told(*log: str, reveal: bool = False, start: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    replay = replay_of(*start, log=log)
    return [as_json.step(step, replay, reveal) for step in replay.steps()]


def pieces(replay: Replay, reveal: bool = False) -> dict[str, dict[str, Any]]:
    return {piece["id"]: piece for piece in as_json.state(replay, reveal)["pieces"]}


def test_state_as_the_contract_has_it() -> None:
    replay = replay_of(
        "+/1/mark;Side\tpiece;;;;Inf/Red\tMain;3;4;;0", "+/2/piece;;;;Tank/Main;0;0", "+/9/stack/Main;3;4;1;2"
    )
    answer = as_json.state(replay)
    assert answer["steps"] == 0
    assert answer["players"] == [{"name": "Ann", "side": "Red"}]
    assert answer["pieces"][0] == {
        "id": "1", "name": "Inf", "map": "Main", "x": 3, "y": 4, "hex": None, "stack": ["1", "2"],
        "properties": {"BasicName": "Inf", "Side": "Red"},
    }  # fmt: skip
    assert json.loads(json.dumps(answer)) == answer


def test_a_piece_on_no_map() -> None:
    piece = pieces(replay_of("+/1/piece;;;;Inf/null;0;0"))["1"]
    assert (piece["map"], piece["hex"], piece["stack"]) == (None, None, ["1"])


def test_steps_as_the_contract_has_them() -> None:
    steps = told("M/1/Main/3/4/null/Main/1/2/null/annpw|CHAThi", start=("+/1/piece;;;;Inf/Main;1;2",))
    assert steps == [
        {
            "step": 1,
            "player": "Ann",
            "events": [
                {
                    "type": "moved", "piece": "1", "name": "Inf",
                    "from": {"map": "Main", "x": 1, "y": 2, "hex": None},
                    "to": {"map": "Main", "x": 3, "y": 4, "hex": None},
                },
                {"type": "chat", "text": "hi", "speaker": None},
            ],
            "problems": [],
        }
    ]  # fmt: skip


ALL_KINDS = (
    "+/7/piece;;;;Tank/Main;1;2|M/7/Main/5/6/null/Main/1/2/null/annpw|M/7/Main/1/2/1/Main/5/6/null/annpw",
    "D/1/Blue\tMain;1;2/Red\tMain;1;2",
    "CHAT*** 2d6 = 3,5 *** &lt;Ann&gt;|MutableProperty\ta\tb\tc\tModule|TURNTurnTracker0\t0|AUDIO\tx|bd\tx",
    "UNDO\ttrue|D/1/Red\tMain;1;2/Blue\tMain;1;2|UNDO\tfalse",
    "-/1",
)


def test_every_kind_of_event_becomes_json_and_text() -> None:
    steps = told(*ALL_KINDS, start=("+/1/mark;Side\tpiece;;;;Inf/Red\tMain;1;2",))
    kinds = {event["type"] for step in steps for event in step["events"]}
    assert kinds == {
        "added", "moved", "stacked", "changed", "chat", "rolled", "property", "turn", "other", "undone", "removed",
    }  # fmt: skip
    assert json.loads(json.dumps(steps)) == steps
    assert steps[2]["problems"] == ["1 command(s) of the module's own code were passed over"]
    for step in steps:
        assert show.step_text(step).lstrip().startswith(str(step["step"]))


def test_a_masked_counter_is_told_as_the_opponent_sees_it() -> None:
    replay = replay_of(f"+/1/{MASKED}/yes\tannpw\\\tno\\\\\tMain;1;2")
    seen = pieces(replay)["1"]
    assert seen["name"] == "Enemy"
    assert seen["properties"] == {"Open": "yes", "ObscuredToOthers": "true"}
    assert seen["x"] == 1
    revealed = pieces(replay, reveal=True)["1"]
    assert revealed["name"] == "Panzer"
    assert revealed["properties"]["Secret"] == "no"


def test_a_hidden_counter_is_not_given_away() -> None:
    start = (f"+/1/{SPY}/annpw\tMain;1;2", "+/2/piece;;;;Inf/Main;1;2", "+/9/stack/Main;1;2;1;2")
    seen = pieces(replay_of(*start))
    assert seen["1"] == {
        "id": "1", "name": "", "map": None, "x": None, "y": None, "hex": None, "stack": [], "properties": {},
        "hidden": True,
    }  # fmt: skip
    assert seen["2"]["stack"] == ["2"]
    assert pieces(replay_of(*start), reveal=True)["2"]["stack"] == ["1", "2"]


@pytest.mark.parametrize(
    "step",
    [
        "M/1/Main/8/9/null/Main/1/2/null/annpw",
        "-/1",
        "M/1/Main/8/9/null/Main/1/2/null/annpw|-/1",
        "M/2/Main/1/2/1/Main/5/5/null/annpw",
        "D/1/annpw\tMain;8;9/annpw\tMain;1;2",
    ],
)
@pytest.mark.parametrize("piece", [f"+/1/{SPY}/annpw\tMain;1;2"])
def test_events_of_a_hidden_counter_do_not_give_it_away(step: str, piece: str) -> None:
    start = (piece, "+/2/piece;;;;Inf/Main;5;5")
    seen = json.dumps([event for event in told(step, start=start)[0]["events"] if event.get("piece") != "2"])
    assert "Spy" not in seen
    assert '"x": 8' not in seen
    assert '"pieces": ["1"' not in seen
    assert "annpw" not in seen
    assert "Spy" in json.dumps(told(step, start=start, reveal=True)) or step.startswith("M/2")


def test_events_of_a_masked_counter_do_not_name_it() -> None:
    start = (f"+/1/{MASKED}/yes\tannpw\\\tno\\\\\tMain;1;2",)
    steps = told(
        "M/1/Main/8/9/null/Main/1/2/null/annpw",
        "D/1/no\tannpw\\\tyes\\\\\tMain;8;9/yes\tannpw\\\tno\\\\\tMain;8;9",
        "-/1",
        start=start,
    )
    assert [event["name"] for step in steps for event in step["events"]] == ["Enemy"] * 3
    assert steps[1]["events"][0]["properties"] == {"Open": ["yes", "no"]}
    assert "Panzer" not in json.dumps(steps)


def test_cards_are_told_with_their_deck() -> None:
    replay = replay_of("+/1/piece;;;;Ace/Main;1;2", "+/d/deck;true;;1;1;;;;;;;;;Cards/Main;1;2;false;1")
    assert pieces(replay)["1"]["deck"] == "Cards"


def test_the_order_of_a_deck_that_lies_face_down_stays_unknown() -> None:
    cards = [f"+/{number}/piece;;;;Card {number}/Main;1;2" for number in (3, 1, 2)]
    start = (*cards, "+/d/deck;true;;1;1;;;;;;;;;Cards/Main;1;2;true;3,1,2")
    seen = as_json.state(replay_of(*start))["pieces"]
    assert [piece["id"] for piece in seen] == ["1", "2", "3"]
    assert seen[0]["stack"] == ["1", "2", "3"]
    assert pieces(replay_of(*start), reveal=True)["1"]["stack"] == ["3", "1", "2"]
    shuffled = "D/d/Main;1;2;true;2,3,1/Main;1;2;true;3,1,2"
    for reveal, order in ((False, ["1", "2", "3"]), (True, ["2", "3", "1"])):
        stacked = [event for event in told(shuffled, reveal=reveal, start=start)[-1]["events"] if "stack" in event]
        assert [event["pieces"] for event in stacked] == [order]


def test_no_password_in_any_text() -> None:
    replay = replay_of(
        "+/1/restrict;\tpiece;;;;annpw's own/annpw\tMain;1;2;;2;Owner;annpw;x;y", "bogus\tannpw",
        log=("CHAT* &lt;annpw&gt; rolls|MutableProperty\tPlayerId\t\tannpw\tModule|PNOTE\tannpw\thello",),
    )  # fmt: skip
    text = json.dumps([as_json.state(replay, True), *(as_json.step(step, replay, True) for step in replay.steps())])
    assert "annpw" not in text
    assert "Ann's own" in text


def test_problems_are_told_with_the_state() -> None:
    answer = as_json.state(replay_of("+/1/wonder;/x"))
    assert answer["problems"] == ["savedGame: a piece of unknown kind was left out"]
    assert "problem: savedGame" in show.state_text(answer)


def test_huge_stacks_are_told_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(as_json, "MOST_IN_STACKS", 250)
    ids = [str(number) for number in range(100)]
    replay = replay_of(*[f"+/{key}/piece;;;;a/Main;1;2" for key in ids], f"+/s/stack/Main;1;2;{';'.join(ids)}")
    answer = as_json.state(replay)
    assert [len(piece["stack"]) for piece in answer["pieces"]] == [100] * 3 + [1] * 97
    assert answer["problems"] == ["the stacks are too big to be told for every piece in them"]


def test_a_long_log_full_of_oddities_is_not_slow() -> None:
    begun = time.process_time()
    steps = told(*["bd\tx"] * 4000)
    assert time.process_time() - begun < 5
    assert all(step["problems"] for step in steps)
