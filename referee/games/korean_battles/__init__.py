"""Korean Battles: three battles on the Folio rules (Pusan Perimeter, Inchon & Seoul, The Chosin Few)."""

from __future__ import annotations

from referee.games.korean_battles import charts, facts
from referee.games.korean_battles.checks import CHECKS
from referee.games.korean_battles.opening import open_story
from referee.games.korean_battles.play import finish, play
from referee.games.package import Package

SCENARIOS = facts.SCENARIOS
_GAME = Package(open_story, play, finish, CHECKS, lambda scenario: charts.template(scenario or SCENARIOS[0]))
judge_story, rules_table, charts_template = _GAME.judge_story, _GAME.rules_table, _GAME.charts_template
