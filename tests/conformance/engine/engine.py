"""The real VASSAL engine as a Python object: one process opens one module and plays any number of games of it.

    with Engine("game.vmod", side="Red") as engine:
        engine("load", file="game.vlog")
        steps = engine("replay")["steps"]
        state = engine("dump")["state"]

`README.md` beside this file lists the operations.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
HOME = Path(os.environ.get("HEXREF_ENGINE_HOME") or Path.home() / ".cache/hexref/engine")
BOARD = "VASSAL.build.module.map.boardPicker.Board"
GRIDS = "VASSAL.build.module.map.boardPicker.board."

Point = tuple[int, int]


class EngineError(RuntimeError):
    """The engine refused an operation or died."""


@dataclass(frozen=True)
class GridAnswer:
    """What the engine says of a grid: a point's name (None without numbering) and snap, and where each label lies."""

    names: list[str | None]
    snaps: list[Point]
    found: list[Point | None]


class Engine:
    """A running engine with a module open; `opened` is its answer to opening it."""

    def __init__(self, module: str | Path, **options: Any) -> None:
        self.dialogs: list[dict[str, Any]] = []
        self._process = subprocess.Popen(
            [str(HERE / "run.sh")],
            env={**os.environ, "HEXREF_ENGINE_HOME": str(HOME)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        try:
            self.opened = self("open", module=module, **options)
        except BaseException:
            self.close()
            raise

    def __call__(self, op: str, **arguments: Any) -> dict[str, Any]:
        """Ask for one operation and wait for its answer; EngineError where it fails."""
        for name in ("file", "module"):
            if name in arguments:
                arguments[name] = str(Path(arguments[name]).resolve())
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(json.dumps({"op": op, **arguments}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise EngineError(f"the engine died in {op!r}")
        answer: dict[str, Any] = json.loads(line)
        self.dialogs += answer["dialogs"]
        if not answer["ok"]:
            raise EngineError(f"{op}: {answer['error']}\n{answer['trace']}")
        return answer

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def grid(
        self,
        kind: str,
        size: Point,
        attributes: Mapping[str, object],
        numbering: Mapping[str, object] | None = None,
        points: Iterable[Sequence[int]] = (),
        labels: Iterable[str] = (),
    ) -> GridAnswer:
        """Ask about a HexGrid or SquareGrid (`kind`) made for the question, on an empty board of `size` pixels.

        `attributes` and `numbering` are the attributes of the two elements in a module's build file.
        """
        board = ElementTree.Element(BOARD, name="Board", image="", width=str(size[0]), height=str(size[1]))
        grid = ElementTree.SubElement(board, GRIDS + kind, written(attributes))
        if numbering is not None:
            ElementTree.SubElement(grid, f"{GRIDS}mapgrid.{kind}Numbering", written(numbering))
        return self.board(ElementTree.tostring(board, encoding="unicode"), points, labels)

    def board(self, xml: str, points: Iterable[Sequence[int]] = (), labels: Iterable[str] = ()) -> GridAnswer:
        """The same for any board as a build file writes it, zones and regions included."""
        answer = self("grid", board=xml, points=[list(point) for point in points], labels=list(labels))
        return GridAnswer(
            names=answer["names"],
            snaps=[(x, y) for x, y in answer["snaps"]],
            found=[place and (place[0], place[1]) for place in answer["found"]],
        )

    def close(self) -> None:
        """End the process and the X server it runs in."""
        assert self._process.stdin
        assert self._process.stdout
        with contextlib.suppress(OSError):
            self._process.stdin.write('{"op":"quit"}\n')
            self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGTERM)  # a session of its own: nothing else is in it
            self._process.wait(10)
        self._process.stdout.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def written(attributes: Mapping[str, object]) -> dict[str, str]:
    """Attributes as a build file writes them.

    >>> written({"dx": 62.35, "sideways": True})
    {'dx': '62.35', 'sideways': 'true'}
    """
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in attributes.items()}


def why_not() -> str | None:
    """None where an engine can be started (its driver compiled anew if the sources changed), else the reason."""
    if not (HOME / "engines").is_dir():
        return f"no VASSAL engine in {HOME}: run {HERE / 'setup.sh'}"
    done = subprocess.run(
        [str(HERE / "compile-driver.sh")],
        env={**os.environ, "HEXREF_ENGINE_HOME": str(HOME)},
        capture_output=True,
        text=True,
    )
    return f"the driver of the VASSAL engine does not compile: {done.stderr}" if done.returncode else None
