"""Completion for shells: commands, options, and file names where a file is meant."""

from __future__ import annotations

import argparse
from typing import Any

import shtab

FILES = {"FILE", "LOG", "IMAGE", "SHEET", "STORY.yaml", "RESULTS", "SCENARIO", "DIR_OR_UNITS", "UNITS.yaml", "M", "F"}
FOLDERS = {"DIR"}


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The text that a shell's start-up file takes in."""
    _mark(parser)
    text: str = shtab.complete(parser, shell)
    return text


def _mark(parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in set(action.choices.values()):
                _mark(command)
        elif action.metavar in FILES | FOLDERS:
            marked: Any = action
            marked.complete = shtab.DIRECTORY if action.metavar in FOLDERS else shtab.FILE
