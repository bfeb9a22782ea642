"""The referee on VASSAL logs: whose game it is, which module, and what each log comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from filecmp import cmp
from functools import lru_cache
from pathlib import Path
from typing import Any

from converter.collecting import no_collection
from converter.errors import BadInput, OtherGame
from converter.scenario import MapFile
from converter.vassal.module import Module, read_module
from referee.games import game_ids, game_of, log_game
from referee.logs.binding import draft_binding
from referee.logs.session import LogSession, recognise
from referee.many.survey import likeness, sketch
from referee.report.json import check_json
from referee.table.binding import SCENARIO_PROPERTY, Binding, read_binding
from referee.table.replay import Replay, open_replay
from referee.verdict import Finding, Judged, Verdict

KIN = 0.5
"""A log can only go on from another if that part of the pieces lies where the other left them."""


@dataclass(frozen=True)
class Checked:
    """One log and what the referee says of it. Nothing in it holds a player's password."""

    log: str
    game: str
    scenario: str
    steps: int
    findings: tuple[Finding, ...]
    judged: int
    problems: tuple[str, ...]
    json: dict[str, Any]
    module: Path | None = None  # the file the hexes and pictures are from
    times: tuple[tuple[int, str], ...] = ()  # from which step on it is which turn and phase
    ground: MapFile | None = None  # the map it was judged on

    @property
    def illegal(self) -> bool:
        """Was something proved?"""
        return any(finding.verdict == Verdict.ILLEGAL for finding in self.findings)


@no_collection()
def check(
    logs: Sequence[str | Path],
    game: str | None = None,
    map: str | Path | None = None,
    module: str | Path | None = None,
    bind: str | Path | None = None,
    charts: str | Path | None = None,
) -> list[Checked]:
    """Judge the logs of one game in the order given; each begins where the last one ended."""
    wanted = _named(module)
    replays = [open_log(path, wanted) for path in logs]
    name, scenario, binding = _whose(Path(logs[0]), replays[0], game, Path(bind) if bind is not None else None)
    logged = log_game(name)
    told: list[Checked] = []
    session: LogSession | None = None
    before: _Course | None = None
    for path, replay in zip(logs, replays, strict=True):
        opening = sketch(replay.game.counters.values())
        apart = before is not None and not before.goes_on(opening, path)
        try:
            if session is None or apart:
                scenario = recognise(logged, replay, binding, scenario)
                session = LogSession(logged, scenario, binding, _path(map), _path(charts))
            judged: Judged = session.judge(replay)
        except BadInput as error:
            named = _names_a_file(str(error), (map, charts))
            raise type(error)(str(error) if named else f"{path}: {_why(error, replay)}") from None
        problems: list[object] = [*session.problems]
        if before is not None and apart:
            problems.append(f"does not begin where {before.log} ended, and is judged by itself")
        before = _Course(Path(path), opening, sketch(replay.game.counters.values()))
        checked = _checked(str(path), name, str(scenario), replay, judged, problems)
        told.append(replace(checked, ground=session.map_file))
    return told


@dataclass(frozen=True)
class _Course:
    """Where a log began and where it ended."""

    log: Path
    opening: tuple[int, ...]
    end: tuple[int, ...]

    def goes_on(self, opening: tuple[int, ...], log: str | Path) -> bool:
        """Does a log with this opening go on where this one stopped? Not if it begins nearer to where this one began,
        or as another game would; players may have put a few things right in between."""
        fit = likeness(self.end, opening)
        return fit >= KIN and fit >= likeness(self.opening, opening) and not cmp(self.log, log, shallow=False)


def _why(error: BadInput, replay: Replay) -> str:
    """What is wrong; where the module is missing it is always that."""
    if replay.module is not None or isinstance(error, OtherGame):
        return str(error)
    return f"to know which hex a piece is in, the module '{replay.saved.module_name}' is needed (--module)"


def draft(log: str | Path, game: str | None, module: str | Path | None = None) -> str:
    """A bind.yaml to begin with, for a module that nobody has bound yet."""
    replay = open_log(log, _named(module))
    if replay.module is None:
        raise BadInput(f"{log}: a draft is made from the module '{replay.saved.module_name}'; name its file (--module)")
    name, scenario, _ = _whose(Path(log), replay, game, None)
    if scenario is None:
        raise BadInput(f"say which battle it is: --game {name}/SCENARIO")
    return draft_binding(log_game(name), replay.module, scenario)


def draft_for_module(module: str | Path, game: str) -> str:
    """The same from a module alone; `game` is GAME/SCENARIO."""
    name, _, scenario = game.partition("/")
    if name not in game_ids():
        raise BadInput(f"there is no game '{name}' to referee; there is {', '.join(game_ids())}")
    known: Sequence[str] = getattr(game_of(name), "SCENARIOS", ())
    if scenario not in known:
        raise BadInput(f"say which battle it is: --game {name}/SCENARIO, one of {', '.join(known)}")
    return draft_binding(log_game(name), read_module(module), scenario)


def _path(value: str | Path | None) -> Path | None:
    return Path(value) if value is not None else None


def _names_a_file(message: str, files: Sequence[str | Path | None]) -> bool:
    return any(file is not None and message.startswith(str(file)) for file in files)


def open_log(path: str | Path, module: Module | str | Path | None = None) -> Replay:
    """The log or save with its module: the one given, else the one of that name that lies beside the log."""
    if module is not None:
        return open_replay(path, module)
    replay = open_replay(path)
    for beside in sorted(Path(path).parent.glob("*.vmod")) if replay.saved.module_name else ():
        try:
            found = _module(beside, beside.stat().st_mtime_ns)
        except (BadInput, OSError):
            continue
        if found.name == replay.saved.module_name:
            return open_replay(path, found)
    return replay


def _named(module: str | Path | None) -> Module | None:
    """The module that the call names; a file is read once for all games."""
    if module is None or not Path(module).is_file():
        return read_module(module) if module is not None else None
    return _module(Path(module), Path(module).stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _module(path: Path, changed: int) -> Module:
    """A module, read once for all the logs that lie beside it. `changed` is when its file was written."""
    return read_module(path)


def _whose(path: Path, replay: Replay, game: str | None, bind: Path | None) -> tuple[str, str | None, Binding]:
    """Game, scenario if it is told, and binding: by the call, the bind file, then the module itself."""
    said = game or ""
    if not said and bind is not None:
        first = read_binding(bind, _all_fields())
        said = "/".join(filter(None, (first.game, first.scenario)))
    said = said or _by_module(replay)
    name, _, scenario = said.partition("/")
    if not name:
        name = replay.saved.module_name
        if name and replay.module is None:
            judged = f"judged are {_known()}"
            raise OtherGame(f"{path}: its module '{name}' is not beside it; name its file with --module ({judged})")
        module = f"module '{name}' does not say" if name else "it names no module"
        raise OtherGame(f"{path}: which game is it? {module}; name it with --game ({_known()})")
    if game_of(name) is None:
        raise BadInput(f"there is no game '{name}'; there is {_known()}")
    binding = read_binding(bind, log_game(name).unit_fields) if bind is not None else Binding()
    if binding.game not in (None, name):
        raise BadInput(f"{bind}: is for {binding.game}, not for {name}")
    return name, scenario or binding.scenario or None, binding


def _known() -> str:
    return ", ".join(game_ids())


def _all_fields() -> list[str]:
    return [field for id in game_ids() for field in log_game(id).unit_fields]


def _by_module(replay: Replay) -> str:
    """GAME/SCENARIO as a module of ours says it, or the game whose name the module bears."""
    module = replay.module
    for held in module.properties if module else ():
        if held.name == SCENARIO_PROPERTY and held.initial.partition("/")[0] in game_ids():
            return held.initial
    title = " ".join(replay.saved.module_name.lower().replace("-", " ").split())
    return next((id for id in game_ids() if id.replace("-", " ") in title), "")


def _checked(
    path: str, game: str, scenario: str, replay: Replay, judged: Judged, problems: Sequence[object]
) -> Checked:
    clean = replay.blotter
    notes = [*map(str, problems), *map(str, replay.all_problems()), *judged.notes]
    told = check_json(path, game, scenario, replay.step_count, judged.findings, judged.judged, notes)
    told["players"] = [{"name": player.name, "side": player.side} for player in replay.game.players.values()]
    shown = {key: value if key == "log" else clean.clean(value) for key, value in told.items()}
    findings = tuple(map(_clean, judged.findings, shown["findings"]))
    problems_told = tuple(map(clean.text, notes))
    module = replay.module.source if replay.module else None
    return Checked(
        path, game, scenario, replay.step_count, findings, judged.judged, problems_told, shown, module, judged.times
    )


def _clean(finding: Finding, shown: Mapping[str, Any]) -> Finding:
    """The finding as its JSON shows it, without any player's password in it."""
    told = dict(shown["evidence"])
    missing = tuple(told.pop("missing")) if finding.missing else ()
    return replace(finding, message=shown["message"], units=tuple(shown["units"]), evidence=told, missing=missing)
