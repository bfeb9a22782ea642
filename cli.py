#!/usr/bin/env python3
"""hexref's commands, each a few lines that call the packages: `python3 cli.py COMMAND`, or `hexref COMMAND`."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 (said here, before anything that an older Python can't read)
    sys.stderr.write("hexref: Python 3.11 or newer is needed, this is {}.{}\n".format(*sys.version_info))
    sys.exit(2)

import argparse
import atexit
import gc
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from converter import bootstrap
from converter.calling import Parser, count, disk_trouble, joined, port
from converter.collecting import no_collection
from converter.errors import BadInput

__version__ = "0.1.0"


def demo(args: argparse.Namespace) -> int:
    """Show what there is on bundled material: a map, a scan of it, its grid, a module, a log and its replay."""
    from referee.demo import run

    run(Path(args.output), print)
    return 0


def state(args: argparse.Namespace) -> int:
    """Tell who is where at the end of a log or in a save, or at one step of a log (0 is the opening position)."""
    from referee.check import open_log
    from referee.table import as_json, show

    replay = open_log(args.file, args.module)
    replay.play_to(args.at)
    answer = as_json.state(replay, args.reveal)
    print(json.dumps(answer, ensure_ascii=False) if args.json else show.state_text(answer))
    return 0


def replay(args: argparse.Namespace) -> int:
    """Tell what happened in a log, step by step as VASSAL's Step button counts."""
    from referee.check import open_log
    from referee.table import as_json, show

    game = open_log(args.file, args.module)
    for step in game.steps():
        told = as_json.step(step, game, args.reveal)
        print(json.dumps(told, ensure_ascii=False) if args.json else show.step_text(told))
    for problem in [] if args.quiet else game.all_problems():
        print("note:", show.plain(game.blotter.text(str(problem))), file=sys.stderr)
    return 0


def map_(args: argparse.Namespace) -> int:
    """Read a scanned map: its hex grid, and with a legend (--config) terrain, roads, rivers and places too."""
    from converter.scan.command import MapOptions, run_map

    def progress(text: str) -> None:
        if not args.quiet:
            print(text, file=sys.stderr)

    def path(name: str | None) -> Path | None:
        return Path(name) if name else None

    options = MapOptions(
        image=path(args.image),
        out=path(args.out),
        config=path(args.config),
        at=args.at,
        grid_only=args.grid_only,
        json=args.json,
        rectify=path(args.rectify),
        serve=args.serve,
        port=args.port,
        folder=path(args.folder),
        ocr=args.ocr,
    )
    return run_map(options, progress)


def counters(args: argparse.Namespace) -> int:
    """Draw counters from data, lay them out on sheets to print, or cut a scanned sheet into counters."""
    from converter.scan.sheet.arguments import run_counters

    def progress(text: str) -> None:
        if not args.quiet:
            print(text, file=sys.stderr)

    return run_counters(args, progress)


def import_(args: argparse.Namespace) -> int:
    """Read a VASSAL module, save or log into a scenario folder; import-report.txt lists what was not understood."""
    from converter.importing import run_import, survey

    if args.survey:
        print(survey([Path(file) for file in args.file]), end="")
        return 0
    if len(args.file) != 1 or not args.output:
        raise BadInput("import takes one FILE and -o DIR, or --survey and any number of files")
    source, out, module = Path(args.file[0]), Path(args.output), Path(args.module) if args.module else None
    binding = None
    if args.game:
        from referee.check import draft_for_module

        binding = draft_for_module(module or source, args.game)
    told = run_import(source, out, module, args.at, binding)
    if not args.quiet:
        print(told)
    return 0


def build(args: argparse.Namespace) -> int:
    """Make a module that VASSAL opens from a scenario folder or from a GAME/SCENARIO that hexref knows."""
    from converter.vassal.export.command import run_build

    told = run_build(args.scenario, Path(args.output))
    if not args.quiet:
        print(told)
    return 0


def check(args: argparse.Namespace) -> int:
    """Judge VASSAL logs of one game, in order; or all the games in folders and archives. Exit 1 where something illegal
    is proved.
    """
    with no_collection():
        from referee import check as referee
        from referee.many.files import is_many
        from referee.report.text import coloured, report

    if args.jobs or args.cluster or args.results or any(map(is_many, args.log)):
        return check_many(args)

    if args.draft:
        print(referee.draft(args.log[0], args.game, args.module), end="")
        return 0
    told = referee.check(args.log, args.game, args.map, args.module, args.bind, args.charts)
    if args.html:
        from referee.report.html import write_report

        write_report(told, args.html, args.reveal)
    if args.csv:
        from referee.report.many import write_csv

        write_csv([json.dumps(log.json) for log in told], args.csv)
    for log in told:
        problems = () if args.quiet else log.problems
        if args.json:
            print(json.dumps(log.json, ensure_ascii=False))
        else:
            print(report(log.log, log.findings, log.judged, problems, coloured(sys.stdout)))
    if args.html and not args.quiet:
        print(f"{args.html}: the game to step through, with the findings", file=sys.stderr)
    return 1 if any(log.illegal for log in told) else 0


def check_many(args: argparse.Namespace) -> int:
    """Judge folders and archives of logs; every file is accounted for at the end."""
    from referee.many.run import check_many as run
    from referee.many.work import Settings
    from referee.report.many import closing_table, log_line, must_be_writable, write_csv
    from referee.report.progress import Progress

    progress = Progress(sys.stderr, args.quiet)

    def tell(line: str) -> None:
        progress.clear()
        print(line if args.json else log_line(line), flush=True)

    settings = Settings(
        args.game, args.map, args.module, args.bind, args.charts, args.html, args.reveal, version=__version__
    )
    results = args.results or "hexref-results.sqlite"
    must_be_writable(args.csv, args.html)
    outcome = run(args.log, settings, results, args.jobs or 1, args.cluster, tell, progress)
    if args.csv:
        write_csv(Path(results), args.csv)
    if not args.quiet:
        progress.clear()
        print(closing_table(outcome, results), file=sys.stderr)
        print(f"\n{results}: the results, for `hexref stats` and queries", file=sys.stderr)
    if outcome.exit_code == 2:
        raise BadInput(f"{', '.join(args.log)}: no log that can be judged")
    return outcome.exit_code


def stats(args: argparse.Namespace) -> int:
    """Tell which rules are broken most, over the logs that `hexref check` judged."""
    from referee import stats as counting

    rows, totals = counting.stats(args.results, args.by), counting.totals(args.results)
    if args.json:
        print(json.dumps({**totals, "by": args.by, "rows": rows}, ensure_ascii=False, indent=1))
        return 0
    print("{logs} logs of {games} games: {judged} acts judged, {illegal} illegal, {unsure} in doubt".format(**totals))
    print(f"\n{counting.table(rows)}")
    return 0


def judge(args: argparse.Namespace) -> int:
    """Judge stories: is this legal? Exit 1 where a story's `expect` is not met."""
    from referee.judge import judge as judge_stories
    from referee.report.stories import stories_text

    results = judge_stories(args.story)
    print(json.dumps(results, ensure_ascii=False, indent=1) if args.json else stories_text(results))
    return 1 if any(result["mismatches"] for result in results) else 0


def rules(args: argparse.Namespace) -> int:
    """Print a game's catalogue of what its rulebook forbids: what is checked, what is not, and why."""
    from referee.report.catalogue import rules_json, rules_text

    print(json.dumps(rules_json(args.game), ensure_ascii=False, indent=1) if args.json else rules_text(args.game))
    return 0


def games(args: argparse.Namespace) -> int:
    """List the games with their scenarios, or write a charts.yaml to fill in with what a printed map holds."""
    from referee.report.catalogue import games_text, template

    print(template(args.template) if args.template else games_text())
    return 0


def completion(args: argparse.Namespace) -> int:
    """Print what makes a shell complete hexref's commands: `eval "$(hexref completion bash)"` in its start-up file."""
    from converter.completion import script

    print(script(parser(), args.shell))
    return 0


def test(args: argparse.Namespace) -> int:
    """Run the project's tests: style, types, doctests and behaviour. Further arguments go to pytest."""
    if not bootstrap.is_checkout():
        raise BadInput("the tests come with a checkout of the project, not with an installed hexref")
    import subprocess

    quiet = ["-q"] if args.quiet else []
    return subprocess.call([sys.executable, "-m", "pytest", *quiet, *args.rest], cwd=bootstrap.ROOT)


def parser() -> Parser:
    """All commands. A new one: a function above, `add(...)` and its arguments here."""
    top = Parser(prog="hexref", description="Converts wargames to and from VASSAL, and referees VASSAL logs.")
    top.add_argument("--version", action="version", version=f"hexref {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(name: str, function: Callable[[argparse.Namespace], int], help: str, extra: str = "") -> Parser:
        """`extra` names the optional libraries (in pyproject.toml) that the command needs besides the core ones."""
        command = commands.add_parser(name, help=help, description=function.__doc__, allow_abbrev=False)
        command.add_argument("-q", "--quiet", action="store_true", help="no progress on standard error")
        command.set_defaults(run=function, extra=extra, parser=command)
        return command

    command = add("demo", demo, "what there is, on bundled material")
    command.add_argument("-o", "--output", metavar="DIR", default="hexref-demo", help="where to (hexref-demo)")
    for name, function, help in (
        ("state", state, "who is where, at the end of a log or at a step"),
        ("replay", replay, "what happened in a log, step by step"),
    ):
        command = add(name, function, help)
        command.add_argument("file", metavar="FILE", help="a save or log: .vsav, .vlog, .sav, .log")
        command.add_argument("--module", metavar="M", help="the module's file or folder (the one beside FILE)")
        command.add_argument("--json", action="store_true", help="for programs: JSON on standard output")
        command.add_argument("--reveal", action="store_true", help="show what players hid or masked")
        if function is state:
            command.add_argument("--at", type=int, metavar="STEP", help="after this step instead of at the end")
    command = add("map", map_, "a scanned map becomes map.yaml, overlay.png and review.html")
    command.add_argument("image", metavar="IMAGE", nargs="?", help="a picture of the map: PNG, JPEG, GIF, TIFF ...")
    command.add_argument("-o", "--output", dest="out", metavar="DIR", help="the folder to write to")
    command.add_argument("--config", metavar="FILE", help="the legend: terrain and lines by example (YAML)")
    command.add_argument("--at", metavar="HEX=X,Y", action="append", default=[], help="a hex and its middle in pixels")
    command.add_argument("--grid-only", action="store_true", help="only the grid")
    command.add_argument("--json", action="store_true", help="for programs: JSON on standard output")
    command.add_argument("--rectify", metavar="FILE", help="write the straightened image")
    command.add_argument("--ocr", action="store_true", help="read the printed hex numbers (needs hexref[ocr])")
    command.add_argument("--serve", action="store_true", help="correct the map in the browser, straight to disk")
    command.add_argument("--port", type=port, default=0, metavar="N", help="the port to serve on (any free one)")
    command.add_argument("--from", dest="folder", metavar="DIR", help="go on from a scenario folder with its picture")
    command = add("counters", counters, "draw counters, print sheets of them, cut scanned sheets")
    _counters_arguments(command.add_subparsers(title="what to do", metavar="ACTION", required=True, dest="action"))
    command = add("import", import_, "a module, save or log becomes a scenario folder")
    command.add_argument("file", metavar="FILE", nargs="+", help="a module (file or folder), save or log")
    command.add_argument("-o", "--output", metavar="DIR", help="the folder to make")
    command.add_argument("--module", metavar="M", help="of a save or log: its module (the one beside it)")
    command.add_argument("--at", type=int, default=0, metavar="STEP", help="of a log: the position after this step (0)")
    command.add_argument("--game", metavar="ID", help="GAME/SCENARIO: add a bind.yaml to begin with for the referee")
    command.add_argument("--survey", action="store_true", help="only a table of what each file holds, in Markdown")
    command = add("build", build, "a scenario becomes a module that VASSAL opens")
    command.add_argument("scenario", metavar="SCENARIO", help="a scenario folder, or GAME/SCENARIO that hexref knows")
    command.add_argument("-o", "--output", metavar="GAME.vmod", required=True, help="the module to write")
    command = add("check", check, "the referee: judge logs of a game")
    command.add_argument(
        "log", metavar="LOG", nargs="+", help="logs of one game in order; or folders, .zip or .tar archives of logs"
    )
    command.add_argument("--game", metavar="ID", help="GAME or GAME/SCENARIO, where the module does not say")
    command.add_argument("--map", metavar="F", help="your map.yaml or scenario folder: terrain, rivers, roads")
    command.add_argument("--module", metavar="M", help="the module's file or folder (the one beside the log)")
    command.add_argument("--bind", metavar="F", help="bind.yaml: which piece is which unit (docs/binding.md)")
    command.add_argument("--charts", metavar="F", help="charts.yaml: what only printed map and counters tell")
    command.add_argument("--html", metavar="FILE", help="also write a page to step through (many logs: a folder)")
    command.add_argument("--jobs", type=count, metavar="N", help="many logs: so many processes at once")
    command.add_argument("--cluster", metavar="ADDR", help="many logs: the Dask scheduler whose workers do it")
    command.add_argument("--results", metavar="FILE", help="many logs: where results are kept (hexref-results.sqlite)")
    command.add_argument("--csv", metavar="FILE", help="also write every finding as a table")
    command.add_argument("--reveal", action="store_true", help="show in the page what players hid or masked")
    command.add_argument("--draft", action="store_true", help="print a bind.yaml to begin with, and judge nothing")
    command.add_argument("--json", action="store_true", help="for programs: JSON, one object a log")
    command = add("stats", stats, "which rules are broken most, over many checked logs")
    command.add_argument("results", metavar="RESULTS", help="the results of `check`: SQLite, or its JSON lines")
    command.add_argument("--by", choices=("rule", "player", "side", "scenario", "game"), default="rule", help="(rule)")
    command.add_argument("--json", action="store_true", help="for programs: JSON on standard output")
    command = add("judge", judge, "is this legal? A position and actions in a few lines")
    command.add_argument("story", metavar="STORY.yaml", nargs="+", help="files of stories")
    command.add_argument("--json", action="store_true", help="for programs: JSON on standard output")
    command = add("rules", rules, "what a game's rulebook forbids, and what of it is checked")
    command.add_argument("game", metavar="GAME", nargs="?", help="a game's id; without it all games")
    command.add_argument("--json", action="store_true", help="for programs: JSON on standard output")
    command = add("games", games, "games and scenarios, and what each needs from you")
    command.add_argument("--template", metavar="GAME", help="print a charts.yaml for a GAME or GAME/SCENARIO")
    command = add("completion", completion, "completion for your shell")
    command.add_argument("shell", choices=("bash", "zsh", "tcsh"))
    add("test", test, "the project's tests (from a checkout)", extra="test")
    return top


def _counters_arguments(actions: "argparse._SubParsersAction[Parser]") -> None:
    def add(name: str, help: str) -> Parser:
        action = actions.add_parser(name, help=help, description=help, allow_abbrev=False)
        action.add_argument("-q", "--quiet", action="store_true", help="no progress on standard error")
        action.set_defaults(parser=action)
        return action

    cut = add("cut", "cut a scanned counter sheet: NAME.png, NAME-back.png, and pages to check")
    cut.add_argument("sheet", metavar="SHEET", help="the scan: PNG, JPEG, TIFF ...")
    cut.add_argument("-o", "--output", dest="out", metavar="DIR", required=True, help="the folder to write to")
    cut.add_argument("--backs", metavar="SCAN", help="the scan of the backs")
    cut.add_argument(
        "--turn", choices=("mirrored", "same", "upside", "turned"), help="how the backs lie (as their colours tell)"
    )
    cut.add_argument("--names", metavar="FILE", help="names in reading order: text, CSV or units.yaml")
    cut.add_argument("--ocr", action="store_true", help="read the names off the counters (needs an OCR package)")
    cut.add_argument("--config", metavar="FILE", help="a corrected sheet.yaml")
    cut.add_argument("--size", type=int, metavar="PX", help="pixels on the longer side (as scanned)")
    cut.add_argument("--all", action="store_true", help="a file for each counter, also for those that are the same")
    cut.add_argument("--keep-grain", action="store_true", help="leave the scan's noise in")
    action = add("draw", "draw every counter of a units.yaml: NAME.png and NAME-back.png")
    action.add_argument("units", metavar="UNITS.yaml", help="the units, or a scenario folder with them")
    action.add_argument("-o", "--output", dest="out", metavar="DIR", required=True, help="the folder to write to")
    action.add_argument("--size", type=int, default=100, metavar="PX", help="pixels on a side (100)")
    action.add_argument("--svg", action="store_true", help="SVG files as well")
    sheet = add("sheet", "counters on paper: a PDF, or PNG pages")
    sheet.add_argument("source", metavar="DIR_OR_UNITS", help="units.yaml, a scenario folder, or a folder of pictures")
    sheet.add_argument("-o", "--output", dest="out", metavar="FILE", required=True, help="sheet.pdf or sheet.png")
    sheet.add_argument("--paper", default="a4", metavar="PAPER", help="a4 or letter (a4)")
    sheet.add_argument("--size", default="0.5in", metavar="LENGTH", help="of a counter: 0.5in, 15mm ... (0.5in)")
    sheet.add_argument("--gutter", default="0", metavar="LENGTH", help="between counters (0)")
    sheet.add_argument("--margin", default="10mm", metavar="LENGTH", help="of the paper (10mm)")
    sheet.add_argument("--no-backs", action="store_true", help="fronts only")
    sheet.add_argument("--flip", choices=("long", "short"), default="long", help="the edge the printer turns on (long)")
    sheet.add_argument("--shift", default="0,0", metavar="X,Y", help="how far off the backs are, see --test-page")
    sheet.add_argument("--test-page", action="store_true", help="begin with a page to read --shift from")
    sheet.add_argument("--dpi", type=int, default=300, help="of PNG pages (300)")
    sheet.add_argument("--count", metavar="NAME=N", action="append", default=[], help="print this counter N times")
    for either in (action, sheet):
        either.add_argument("--theme", metavar="FILE", help="theme.yaml (the game's own)")
        either.add_argument("--setup", metavar="FILE", help="setup.yaml for set-up hexes and turns (the one beside)")


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run one command. 0 done, 1 something illegal, 2 the input or the call is wrong, 130 interrupted."""
    arguments = joined(sys.argv[1:] if argv is None else argv)
    args, rest = parser().parse_known_args(arguments)
    if rest and args.run is not test:
        args.parser.refuse(rest[0])
    if "" in arguments and args.run is not test:  # a variable that was not set; Path("") would be the folder one is in
        args.parser.error("an argument is empty")
    args.rest = rest
    atexit.register(gc.freeze)  # then everything goes at once: nothing need be looked through for garbage
    try:
        bootstrap.ensure(args.extra, args.quiet)
        status: int = args.run(args)
        sys.stdout.flush()
        return status
    except BadInput as problem:
        print("hexref:", " ".join(str(problem).split()), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader (head, less) had enough; leave nothing for the interpreter to flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as problem:
        print("hexref:", disk_trouble(problem), file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
