"""How the command line is read: one clear line where a call is wrong, and what was perhaps meant."""

import argparse
import errno
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from converter.errors import BadInput


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with a call."""

    def error(self, message: str) -> NoReturn:
        wrong = re.fullmatch(r"argument (.+?): invalid choice: '(.*)' \(choose from (.*)\)", message, re.DOTALL)
        if wrong:
            choices = re.findall(r"[\w-]+", wrong[3])
            message = f"{wrong[1]} '{wrong[2]}': {_meant(wrong[2], choices) or 'expected one of ' + ', '.join(choices)}"
        self.exit(2, f"hexref: {' '.join(message.split())}; see '{self.prog} --help'\n")

    def refuse(self, unknown: str) -> NoReturn:
        """An argument that the command has no use for."""
        options = [option for action in self._actions for option in action.option_strings]
        meant = _meant(unknown.partition("=")[0], options)
        self.error(f"unknown argument {unknown}" + (f"; {meant}" if meant else ""))


def _meant(said: str, known: Iterable[str]) -> str:
    """What was perhaps meant.

    >>> _meant("chekc", ["check", "judge"]), _meant("nonsense", ["check", "judge"])
    ("did you mean 'check'?", '')
    """
    import difflib  # slow to load, and seldom needed

    near = difflib.get_close_matches(said, list(known), 1)
    return f"did you mean '{near[0]}'?" if near else ""


def joined(arguments: Sequence[str]) -> list[str]:
    """A value below zero put to its option: it begins like an option, and argparse would take it for one.

    >>> joined(["sheet", "--shift", "-0.5mm,1mm", "-q"])
    ['sheet', '--shift=-0.5mm,1mm', '-q']
    """
    told: list[str] = []
    for argument in arguments:
        if told and re.match(r"-\.?\d", argument) and re.fullmatch(r"--[\w-]+", told[-1]):
            told[-1] += f"={argument}"
        else:
            told.append(argument)
    return told


_DISK = {"EACCES", "EPERM", "EEXIST", "EISDIR", "ENOTDIR", "ENAMETOOLONG", "ENOSPC", "EDQUOT", "EROFS", "EMFILE"}


def disk_trouble(problem: OSError) -> str:
    """What the disk has against a file, in a line. What is no such thing is a mistake of ours, and raised again.

    >>> disk_trouble(PermissionError(13, "Permission denied", "ro/map.yaml"))
    'ro/map.yaml: Permission denied'
    >>> disk_trouble(FileNotFoundError(2, "No such file or directory", "hexref's own"))
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: "hexref's own"
    """
    if errno.errorcode.get(problem.errno or 0) not in _DISK:
        raise problem
    return f"{problem.filename}: {problem.strerror}" if problem.filename else str(problem.strerror)


def must_not_be_lost(target: Path, *endings: str) -> None:
    """Refuse to write over what is surely something else: a log that was named in the wrong place."""
    if target.suffix.lower() not in endings and target.is_file() and target.stat().st_size:
        raise BadInput(f"{target}: is there already; to write over a file its name must end in {' or '.join(endings)}")


def count(text: str) -> int:
    """A number of at least one, as an argument."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of 1 or more")
    return int(text)


def port(text: str) -> int:
    """A port as an argument."""
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; expected 0 to 65535")
    return number
