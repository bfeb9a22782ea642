"""The whole run: find the files, look at each, put games together, judge them, keep and tell what comes."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from referee.many.files import Found, find_files
from referee.many.games import module_for, put_together
from referee.many.pools import Cluster, Died, Pool, Processes, ThisProcess
from referee.many.results import Results
from referee.many.survey import Survey
from referee.many.work import Answer, GameTask, Settings, judge_games, look_at, page_of

Say = Callable[[str], None]
BATCH = 8
"""Files or games in one call: enough that handing them out costs little."""
KILLER = "the process that read it died twice"


@dataclass(frozen=True)
class Outcome:
    """What became of all files: how many of each status, how many games there are, how many logs broke a rule."""

    files: dict[str, int]
    games: int
    illegal_logs: int

    @property
    def exit_code(self) -> int:
        """1 where something illegal was proved, 2 where nothing at all could be judged."""
        return 1 if self.illegal_logs else 0 if self.files.get("judged") else 2


@dataclass
class _File:
    """A file on its way: what it holds, what was seen of it, what became of it."""

    found: Found
    sha: str = ""
    survey: Survey | None = None
    status: str = ""
    why: str = ""
    game: str | None = None


def check_many(
    paths: Sequence[str | Path],
    settings: Settings,
    results_path: str | Path,
    jobs: int = 1,
    cluster: str | None = None,
    tell: Say = lambda line: None,
    say: Say = lambda text: None,
) -> Outcome:
    """Judge everything. `tell` gets the JSON line of each log in order, `say` what a person waits for."""
    with tempfile.TemporaryDirectory(prefix="hexref-") as folder:
        files = [_File(found) for found in find_files(paths, Path(folder))]
        results = Results(results_path)
        pool: Pool = Cluster(cluster) if cluster else Processes(jobs) if jobs > 1 else ThisProcess()
        try:
            _sort_out(files)
            _survey([file for file in files if not file.status], results, pool, say)
            games, illegal = _judge(files, settings, results, pool, tell, say)
            results.keep_files((f.found.shown, f.sha, f.status, f.why, f.game) for f in files)
            return Outcome(dict(Counter(file.status for file in files)), games, illegal)
        finally:
            pool.close()
            results.close()


def _sort_out(files: Sequence[_File]) -> None:
    """Tell what cannot be read and what is there twice."""
    first: dict[str, str] = {}
    for file in files:
        if file.found.why:
            file.status, file.why = "bad", file.found.why
            continue
        try:
            file.sha = _sha(file.found.path)
        except OSError as error:
            file.status, file.why = "bad", f"can't be read ({error.strerror or error})"
            continue
        same = first.setdefault(file.sha, file.found.shown)
        if same != file.found.shown:
            file.status, file.why = "duplicate", f"the same as {same}"


def _survey(files: Sequence[_File], results: Results, pool: Pool, say: Say) -> None:
    """A first look at every file; what was looked at before is taken from the results."""
    todo = []
    for file in files:
        file.survey = results.surveyed(file.sha)
        if file.survey is None:
            todo.append(file)
    looks = _in_batches(pool, look_at, [file.found.path for file in todo])
    for number, (file, seen) in enumerate(zip(todo, looks, strict=True), 1):
        file.survey = seen if isinstance(seen, Survey) else Survey("bad", KILLER)
        results.keep_survey(file.sha, file.survey)
        say(f"looked at {number} of {len(todo)} files")
    for file in files:
        assert file.survey is not None
        if file.survey.kind != "log":
            file.status, file.why = file.survey.kind, file.survey.why


def _judge(
    files: Sequence[_File], settings: Settings, results: Results, pool: Pool, tell: Say, say: Say
) -> tuple[int, int]:
    """Judge every game that was not judged before, telling all in order; how many games, how many illegal logs."""
    logs = [file for file in files if not file.status]
    by_found = {file.found: file for file in logs}
    chains = put_together([(file.found, file.survey) for file in logs if file.survey is not None])
    with_what = _fingerprint(settings)
    modules = {file.found: file for file in files if file.status == "module"}
    tasks = [_task([by_found[found] for found in chain], modules, with_what) for chain in chains]
    todo = [task for task in tasks if not _is_done(task, settings, results)]
    undone = {task.key for task in todo}
    answers = _in_batches(pool, judge_games, todo, settings)
    illegal = 0
    waiting = iter(zip(todo, answers, strict=True))
    for number, (task, chain) in enumerate(zip(tasks, chains, strict=True), 1):
        if task.key in undone:
            _, answer = next(waiting)
            came = answer if isinstance(answer, Answer) else Answer(task.key, (), KILLER)
            results.keep_game(came.key, came.lines, came.why, came.foreign, len(task.paths))
        why, foreign, lines = results.game(task.key, task.shown)
        for found in chain:
            file = by_found[found]
            file.game = task.key
            file.status, file.why = ("foreign" if foreign else "bad", why) if why else ("judged", "")
        for line in lines:
            illegal += bool(json.loads(line)["summary"]["illegal"])
            tell(line)
        say(f"judged {number} of {len(tasks)} games")
    return len(tasks), illegal


def _is_done(task: GameTask, settings: Settings, results: Results) -> bool:
    """Was it judged before, is all of it still known, and is its page still there?"""
    if not results.done(task.key):
        return False
    why, _, lines = results.game(task.key, task.shown)
    page = page_of(task, settings)
    return bool(why) or (len(lines) == len(task.shown) and (page is None or page.exists()))


def _in_batches(pool: Pool, function: Callable[..., list[Any]], items: Sequence[Any], *more: Any) -> Iterator[Any]:
    """The answer for each item, in order; a batch that killed its worker is tried item by item."""
    batches = [tuple(items[at : at + BATCH]) for at in range(0, len(items), BATCH)]
    for batch, answers in zip(batches, pool.run(function, ((batch, *more) for batch in batches)), strict=True):
        if isinstance(answers, Died):
            for answer in pool.run(function, (((item,), *more) for item in batch)):
                yield answer if isinstance(answer, Died) else answer[0]
        else:
            yield from answers


def _task(files: Sequence[_File], modules: Mapping[Found, _File], with_what: str) -> GameTask:
    first = files[0]
    named = first.survey.module if first.survey else ""
    known = [(found, file.survey) for found, file in modules.items() if file.survey is not None]
    module = module_for(first.found.shown.rpartition("/")[0], named, known)
    told = [with_what, modules[module].sha if module else "", *(file.sha for file in files)]
    key = hashlib.sha256("\n".join(told).encode()).hexdigest()
    paths, shown = tuple(file.found.path for file in files), tuple(file.found.shown for file in files)
    return GameTask(key, paths, shown, module.path if module else None)


def _fingerprint(settings: Settings) -> str:
    """What every verdict hangs on besides logs and their modules: settings, charts, maps."""
    told = [json.dumps(asdict(settings))]
    for path in (settings.map, settings.module, settings.bind, settings.charts):
        told += [_sha(str(file)) for file in _files_of(path)]
    return "\n".join(told)


def _files_of(path: str | None) -> list[Path]:
    if path is None or not Path(path).exists():
        return []
    return sorted(file for file in Path(path).rglob("*") if file.is_file()) if Path(path).is_dir() else [Path(path)]


def _sha(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
