"""The report as one self-contained page: the game to step through, and the findings beside it."""

from referee.report.html.page import html_report, write_report

__all__ = ["html_report", "write_report"]
