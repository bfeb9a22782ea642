"""Yalu: the Chinese counteroffensive in Korea, Deluxe edition of 2009 and Classic edition of 1977."""

from __future__ import annotations

from referee.games.package import Package
from referee.games.yalu import charts, facts
from referee.games.yalu.checks import CHECKS
from referee.games.yalu.opening import open_story
from referee.games.yalu.play import finish, play

SCENARIOS = facts.SCENARIOS
_GAME = Package(open_story, play, finish, CHECKS, lambda scenario: charts.template())
judge_story, rules_table, charts_template = _GAME.judge_story, _GAME.rules_table, _GAME.charts_template
