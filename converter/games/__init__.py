"""The games that come with hexref, as scenarios in the one shape of a scenario folder."""

from converter.games.library import game_names, scenario_names, scenario_of

__all__ = ["game_names", "scenario_names", "scenario_of"]
