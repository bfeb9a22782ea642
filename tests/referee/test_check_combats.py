"""Combats in logs: what proves a wrong result, and all that honest players do and are not accused of."""

from __future__ import annotations

from pathlib import Path

import pytest
from korean_battles_play import write
from written_log import Writer

from referee.check import Checked, check

UNITS: dict[str, str | None] = {
    "5/1M": "0710", "7/1M": "0708", "1/1M": "0907", "59/1": "0711", "59/2": "0810", "58/1": "1111", "31/7": "0706",
    "HQ 27": "0407", "Chinese +4": None, "Chinese +2": None, "Chinese +9": None, "UN +3": None, "UN +2": None,
}  # fmt: skip
CLEAR = """
version: 1
name: clear
grid: {columns: 19, rows: 18}
complete: [hexsides, links]
default_terrain: {kind: clear, source: {person: a test}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("combats")
    write(where / "chosin.vmod", "chosin-few")
    (where / "map.yaml").write_text(CLEAR, encoding="utf-8")
    return where


def opened(folder: Path) -> Writer:
    """Up to the Chinese combat phase."""
    log = Writer(folder, UNITS)
    for phase in ("support", "Chinese movement"):
        log.say(f"@phase turn 1 {phase}")
    return log.move("58/1", "1110").say("@phase turn 1 Chinese combat")


def ended(log: Writer) -> Writer:
    """Both sides play on."""
    for phase in ("Chinese mobile movement", "Chinese mobile combat", "UN movement"):
        log.say(f"@phase turn 1 {phase}")
    log.move("1/1M", "0908")
    for phase in ("UN combat", "UN mobile movement", "UN mobile combat"):
        log.say(f"@phase turn 1 {phase}")
    return log.say("@phase turn 2 Chinese movement").move("58/1", "1109").say("@phase turn 2 Chinese combat")


def judged(folder: Path, log: Writer) -> Checked:
    return check([log.write(folder / "a.vlog")], map=folder / "map.yaml")[0]


def said(told: Checked, verdict: str = "illegal") -> list[tuple[int, str]]:
    return [(finding.step, finding.check) for finding in told.findings if finding.verdict == verdict]


ATTACK = "@attack 59/1, 59/2 -> 0710"
"""6 against 7: with a 3 to 6 an attacker loses a step, with a 1 both go back two, with a 2 three."""


def test_a_loss_as_the_table_asks(folder: Path) -> None:
    log = opened(folder).say(ATTACK).say("@odds -1").roll(3).flip("59/1", "1", "2")
    assert said(judged(folder, ended(log))) == []


@pytest.mark.parametrize(
    "acts",
    [
        [("flip", "59/1", "1", "2"), ("flip", "59/1", "2", "1"), ("flip", "59/2", "1", "2")],  # the other one after all
        [("flip", "59/1", "1", "2"), ("move", "59/2", "0811"), ("move", "59/2", "0810")],  # picked up, put back
        [("flip", "59/1", "1", "2"), ("move", "5/1M", None), ("move", "5/1M", "0710")],  # put aside, to see below
        [("say", "oops"), ("flip", "59/1", "1", "2"), ("say", "@odds -1")],
    ],
)
def test_what_it_comes_to_counts(folder: Path, acts: list[tuple[str, ...]]) -> None:
    log = opened(folder).say(ATTACK).roll(3)
    for verb, *rest in acts:
        getattr(log, verb)(*rest)
    assert said(judged(folder, ended(log))) == []


def test_a_retreat_in_several_drags(folder: Path) -> None:
    log = opened(folder).say(ATTACK).roll(1)
    log.move("59/1", "0712").move("59/1", "0713").move("59/2", "0912").move("59/2", "1010")
    assert said(judged(folder, ended(log))) == []


def test_a_retreat_cut_short(folder: Path) -> None:
    log = opened(folder).say(ATTACK).roll(1).move("59/1", "0712").move("59/2", "1010")
    assert (7, "RET-SHORT-NO-LOSS") in said(judged(folder, ended(log)))


def test_a_loss_that_nobody_took(folder: Path) -> None:
    log = opened(folder).say(ATTACK).roll(4)
    assert said(judged(folder, ended(log))) == [(7, "RES-A-LOSS")]


def test_a_loss_that_may_be_taken_in_the_next_log(folder: Path) -> None:
    log = opened(folder).say(ATTACK).roll(4).say("@phase turn 1 Chinese mobile movement")
    told = judged(folder, log)
    assert said(told) == []
    assert (7, "RES-A-LOSS") in said(told, "unsure")


def test_a_loss_taken_late(folder: Path) -> None:
    log = opened(folder).say(ATTACK).roll(4).say("@phase turn 1 Chinese mobile movement").flip("59/1", "1", "2")
    assert said(judged(folder, ended(log))) == []


def test_the_wrong_side_loses(folder: Path) -> None:
    log = opened(folder).say(ATTACK).roll(3).flip("59/1", "1", "2").flip("5/1M", "1", "2")
    assert {step for step, _ in said(judged(folder, ended(log)))} == {8}
    assert (8, "RES-EXCESS") in said(judged(folder, ended(log)))


def test_a_die_rolled_twice(folder: Path) -> None:
    log = opened(folder).say(ATTACK).roll(3).say("cocked, again").roll(1).move("59/1", "0713").move("59/2", "1010")
    assert said(judged(folder, ended(log))) == []


def test_a_die_before_the_words(folder: Path) -> None:
    """Whoever rolls first and types then is not judged by the next one's die."""
    log = opened(folder).roll(3).say(ATTACK).flip("59/1", "1", "2").roll(1)
    assert said(judged(folder, ended(log))) == []


def test_typed_wrong_and_put_right(folder: Path) -> None:
    log = opened(folder).say("@attack 58/1 -> 0710").say(ATTACK).say("@odds +5").say("@odds -1").roll(3)
    assert said(judged(folder, ended(log.flip("59/1", "1", "2")))) == []


def test_taken_back(folder: Path) -> None:
    log = opened(folder).say("@attack 58/1 -> 0710").say("@cancel").say(ATTACK).roll(3).flip("59/1", "1", "2")
    assert said(judged(folder, ended(log))) == []


def test_a_marker_in_the_hex_supports(folder: Path) -> None:
    """6 and 4 against 7 is +3."""
    log = opened(folder).say(ATTACK).move("Chinese +4", "0710").say("@odds +3").roll(5).move("Chinese +4", None)
    assert said(judged(folder, ended(log.flip("59/1", "1", "2")))) == []
    log = opened(folder).say(ATTACK).move("Chinese +4", "0710").say("@odds +9").roll(5).flip("59/1", "1", "2")
    assert (7, "CMB-WRONG-SUM") in said(judged(folder, ended(log)))


def test_a_marker_laid_and_called_out_is_one(folder: Path) -> None:
    log = opened(folder).say(ATTACK).move("Chinese +4", "0710").say("@support Chinese +4 for 0710").say("@odds +3")
    assert said(judged(folder, ended(log.roll(5).flip("59/1", "1", "2")))) == []


def test_three_markers(folder: Path) -> None:
    log = opened(folder).say(ATTACK)
    for marker in ("Chinese +4", "Chinese +2", "Chinese +9"):
        log.move(marker, "0710")
    assert (8, "SF-THREE") in said(judged(folder, ended(log.roll(3))))


def test_a_marker_used_twice(folder: Path) -> None:
    """The same piece in two combats of a turn; another one of the same value is another one."""
    units = {**UNITS, "60/1": "0807"}
    log = Writer(folder, units)
    for phase in ("support", "Chinese movement", "Chinese combat"):
        log.say(f"@phase turn 1 {phase}")
    log.say(ATTACK).move("Chinese +4", "0710").roll(3).flip("59/1", "1", "2").move("Chinese +4", None)
    log.say("@attack 60/1 -> 0708").move("Chinese +4", "0708").roll(4).flip("60/1", "1", "2")
    found = said(judged(folder, ended(log)))
    assert (10, "SF-REUSE") in found
    log = Writer(folder, units)
    for phase in ("support", "Chinese movement", "Chinese combat"):
        log.say(f"@phase turn 1 {phase}")
    log.say(ATTACK).say("@support Chinese +4 for 0710").roll(3).flip("59/1", "1", "2")
    log.say("@attack 60/1 -> 0708").say("@support Chinese +4 for 0708").roll(4).flip("60/1", "1", "2")
    assert "SF-REUSE" not in {id for _, id in said(judged(folder, ended(log)))}


def test_a_marker_by_the_bind_file(folder: Path) -> None:
    names = {name: f"x {name}" for name in UNITS}
    log = Writer(folder, UNITS, names).say("@attack x 59/1, x 59/2 -> 0710").move("Chinese +4", "0710").say("@odds +9")
    lines = ["game: korean-battles", "scenario: chosin-few", "units:"]
    for name, hex in UNITS.items():
        if hex is not None:
            side = "Chinese, values: 3-3-4" if name[0] in "5" and "M" not in name else "UN"
            side = "Chinese" if name.startswith("HQ") else side
            lines.append(f'  "x {name}": {{unit: "{name}", side: {side}}}')
    lines += ["markers:", '  "x Chinese +4": {kind: support, side: Chinese, value: 4}']
    (folder / "bind.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    path = log.write(folder / "bound.vlog")
    told = check([path], map=folder / "map.yaml", bind=folder / "bind.yaml")[0]
    assert not any("not bound" in missing for finding in told.findings for missing in finding.missing)


def under(folder: Path, *words: str) -> list[tuple[int, str]]:
    """Phases called out in turn 1, each followed by what is done: `58/1 1109` is a drag."""
    log = Writer(folder, UNITS)
    for word in words:
        if " " in word and word[0].isdigit():
            log.move(*word.split())
        else:
            log.say(word if word.startswith("@") else f"@phase turn 1 {word}")
    return said(judged(folder, log))


def test_a_phase_called_by_a_wrong_name(folder: Path) -> None:
    """Combat is said where movement is meant: it comes again, and movement nowhere. Else the name counts."""
    rest = ("Chinese mobile movement", "Chinese mobile combat", "UN movement")
    assert under(folder, "support", "Chinese combat", "58/1 1110", "Chinese combat", *rest) == []
    moved = under(folder, "support", "Chinese movement", "Chinese combat", "58/1 1109", *rest)
    assert moved == [(4, "SEQ-MOVE-WRONG-PHASE")]


def test_a_drag_too_far_after_a_die_in_a_phase_called_movement(folder: Path) -> None:
    """A unit that stood next to an enemy may have been driven back; one that did not moved."""

    def dragged(origin: str, to: str) -> list[tuple[int, str]]:
        log = Writer(folder, {**UNITS, "HQ 27": origin})
        log.say("@phase turn 1 support").say("@phase turn 1 Chinese movement").roll(3).move("HQ 27", to)
        return said(judged(folder, ended(log.say("@phase turn 1 Chinese combat"))))

    assert dragged("0407", "0411") == [(4, "MOVE-OVER-MA")]
    assert dragged("0809", "0813") == []


def test_support_that_was_only_talked_about(folder: Path) -> None:
    """Figures that it explains are in doubt, others are wrong; and those that were taken back do not count."""

    def told(*words: str) -> list[tuple[int, str]]:
        log = opened(folder).say(ATTACK)
        for word in words:
            log.say(word)
        return said(judged(folder, ended(log.roll(3).flip("59/1", "1", "2"))))

    assert told("we add the +4 here", "@odds +3") == []
    assert told("we add the +4 here", "@odds +5") == [(7, "CMB-WRONG-SUM")]
    assert told("@odds +5", "sorry, wrong") == []
    assert told("@odds +5", "good luck") == [(6, "CMB-WRONG-SUM")]


def test_a_combat_called_out_after_its_result(folder: Path) -> None:
    """The die before it may be its own; without such a die the attackers stand where they stand."""
    log = opened(folder).roll(1).move("59/1", "0713").move("59/2", "0812").say(ATTACK)
    assert said(judged(folder, ended(log))) == []
    log = opened(folder).say(ATTACK.replace("59/2", "58/1"))
    assert (5, "CMB-NOT-ADJACENT") in said(judged(folder, ended(log.roll(3).flip("59/1", "1", "2"))))


def test_support_for_an_attack_that_nobody_called_out(folder: Path) -> None:
    """It is not taken for support of the combat before it, whose result stays proved."""
    log = opened(folder).say(ATTACK).say("@odds -1").roll(1).move("59/1", "0713").move("59/2", "0812")
    other = ("@support Chinese +2 for 0706", "@odds +40")
    fine = log.say(other[0]).say(other[1]).roll(4).flip("31/7", "1", "2")
    assert said(judged(folder, ended(fine))) == []
    wrong = opened(folder).say(ATTACK).say("@odds -1").roll(1).move("59/1", "0714").move("59/2", "0812")
    assert "RET-LENGTH" in {id for _, id in said(judged(folder, ended(wrong.say(other[0]).roll(4))))}
