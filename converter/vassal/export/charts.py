"""Charts as HTML pages: the game's own tables, and what every scenario can tell of itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from converter.scenario import Chart, Level, Placement, ScenarioFolder, SetupFile
from converter.vassal.new_module import Part

_STYLE = (
    "body{font-family:sans-serif;margin:8px} table{border-collapse:collapse} "
    "td,th{border:1px solid #888888;padding:2px 6px;text-align:left} th{background:#dddddd}"
)


def scenario_charts(scenario: ScenarioFolder) -> tuple[Chart, ...]:
    """Charts from the folder's own facts: the sequence of play, and who comes when and where."""
    made: list[Chart] = []
    play = scenario.play
    if play and play.tracker:
        phases = tuple((str(i), entry) for i, entry in enumerate(_phases(play.tracker), 1))
        made += [Chart("Sequence of play", ("", "Phase"), phases)] if phases else []
    for setup in scenario.setups:
        title = setup.title or setup.scenario or "Scenario"
        rows = tuple(_row(placement) for placement in setup.placements)
        more = "\n".join(f"{note.text} ({note.source.ref})" for note in setup.notes) or None
        columns = ("Unit", "Number", "Action", "Turn", "Where", "Rule")
        made.append(Chart(f"Set-up: {title}", columns, rows, more))
    return tuple(made)


def _phases(levels: Iterable[Level]) -> list[str]:
    """The entries of the innermost wheels."""
    found: list[str] = []
    for level in levels:
        found += _phases(level.levels) if level.levels else level.entries
    return found


def _row(placement: Placement) -> tuple[str, ...]:
    turn = "" if placement.turn is None else str(placement.turn)
    when = " ".join(filter(None, (turn, placement.when)))
    note = f" ({placement.note})" if placement.note else ""
    return (
        placement.unit + (" (back)" if placement.face == "back" else ""),
        str(placement.count),
        placement.action,
        when,
        where_in_words(placement) + note,
        placement.source.ref,
    )


def where_in_words(placement: Placement) -> str:
    """The place of a placement for a reader."""
    if placement.near is not None:
        return f"within {placement.within} of {placement.near}"
    listed = " or ".join(placement.hexes)
    return placement.hex or listed or placement.region or placement.box or placement.where or ""


def html_page(chart: Chart) -> str:
    """A chart as a page that VASSAL's old HTML viewer shows."""
    parts = [f"<html><head><style>{_STYLE}</style></head><body><h3>{escape(chart.title)}</h3>"]
    if chart.image:
        parts.append(f'<p><img src="{escape(chart.image)}"></p>')
    if chart.rows:
        head = "".join(f"<th>{escape(cell)}</th>" for cell in chart.columns)
        parts.append("<table>" + (f"<tr>{head}</tr>" if chart.columns else ""))
        parts += ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in chart.rows]
        parts.append("</table>")
    parts += [f"<p>{escape(line)}</p>" for line in (chart.text or "").splitlines() if line]
    if chart.source:
        parts.append(f"<p><i>{escape(str(chart.source))}</i></p>")
    return "\n".join([*parts, "</body></html>"])


def chart_window(charts: Sequence[Chart]) -> tuple[tuple[Part, ...], dict[str, bytes]]:
    """The window with a tab for each chart, and the files of the pages."""
    if not charts:
        return (), {}
    files, tabs = {}, []
    for number, chart in enumerate(charts, 1):
        file = f"chart-{number}.html"
        files[file] = html_page(chart).encode("utf-8")
        tabs.append(Part("widget.HtmlChart", {"chartName": chart.title, "fileName": file}))
    window = {"name": "Charts", "text": "Charts", "tooltip": "Charts", "icon": "", "hotkey": ""}
    inner = Part("widget.TabWidget", {"entryName": "Charts"}, parts=tuple(tabs))
    return (Part("module.ChartWindow", window, parts=(inner,)),), files


def setup_title(setup: SetupFile) -> str:
    """What the set-up is called in VASSAL's list."""
    return setup.title or setup.scenario or "Set-up"
