"""Judging the logs of any game: binding pieces to units, the time, and what a log may not show."""
