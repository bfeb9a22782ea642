"""What each act does to the table, once it has been judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.yalu.court import Court
from referee.games.yalu.doing import breakdown, combat, dice, markers, moves, time
from referee.games.yalu.units import BOMBARDED, ISOLATED, NEUTRALIZED, REGROUPING
from referee.table.acts import Act

DOING: Mapping[str, Callable[[Court, Act], None]] = {
    **dict.fromkeys(("move", "rail", "sail", "airdrop", "bugout"), moves.move),
    **dict.fromkeys(("enter", "place"), moves.enter),
    **dict.fromkeys(("exit", "embark", "evacuate"), moves.leave),
    "retreat": moves.retreat, "advance": moves.advance, "remove": moves.remove,
    "designate": combat.designate, "fire": combat.open_fire, "claim": combat.claim, "bombard": combat.bombard,
    "roll": dice.roll,
    "isolate": markers.state(ISOLATED, True), "unisolate": markers.state(ISOLATED, False),
    "neutralize": markers.state(NEUTRALIZED, True), "recover": markers.recover,
    "mark-regroup": markers.state(REGROUPING, True), "unmark-regroup": markers.state(REGROUPING, False),
    "mark-bombard": markers.state(BOMBARDED, True), "unmark-bombard": markers.state(BOMBARDED, False),
    "interdict": markers.interdict, "uninterdict": markers.uninterdict, "artillery": markers.artillery,
    "control": markers.control,
    **dict.fromkeys((f"set-{track}" for track in markers.TRACKS), markers.set_track),
    "break": breakdown.break_down, "combine": breakdown.combine, "phase": time.phase, "end_phase": time.end_phase,
}  # fmt: skip
