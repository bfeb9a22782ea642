"""`hexref counters cut`: a scanned sheet becomes a folder of counters, with what is needed to check and correct it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from converter.counters.command import finished_folder
from converter.counters.file_names import file_stems
from converter.errors import BadInput
from converter.scan.picture import read_picture
from converter.scan.sheet.config import encode_blocks, read_config
from converter.scan.sheet.contact import Shown, contact_image, contact_page, outlined
from converter.scan.sheet.cut import Cut, CutOptions, CutSheet, cut_sheet
from converter.scenario.yaml_writing import write

Progress = Callable[[str], None]


def run_cut(
    sheet: Path, out: Path, back: Path | None, config: Path | None, options: CutOptions, every: bool, progress: Progress
) -> int:
    """Cut a sheet into `out`: NAME.png and NAME-back.png, sheet.yaml, contact.html, contact.png, overlay.png."""
    if options.size is not None and not 8 <= options.size <= 2000:
        raise BadInput(f"--size {options.size}: expected 8 to 2000 pixels")
    if config:
        options = replace(options, config=read_config(config))
    picture = read_picture(sheet)
    told = cut_sheet(picture, read_picture(back) if back else None, options, progress)
    said = [f"in doubt: {doubt}" for doubt in told.doubts]
    chosen = [i for i, cut in enumerate(told.cuts) if every or cut.first == i]
    stems = file_stems(told.cuts[i].name for i in chosen)
    counts = {i: sum(cut.first == told.cuts[i].first for cut in told.cuts) if not every else 1 for i in chosen}
    progress("writing")
    with finished_folder(out) as draft:
        shown = []
        for i, stem in zip(chosen, stems, strict=True):
            cut = told.cuts[i]
            cut.front.save(draft / f"{stem}.png")
            if cut.back:
                cut.back.save(draft / f"{stem}-back.png")
            shown.append(_shown(cut, counts[i], stem))
        (draft / "sheet.yaml").write_text(write(_sheet(told, sheet, back)), encoding="utf-8")
        check = draft / "check"
        check.mkdir()
        page = contact_page([_beside(item) for item in shown], f"{sheet.name} cut", (*told.notes, *said))
        (check / "contact.html").write_text(page, encoding="utf-8")
        contact_image(shown).save(check / "contact.png")
        outlined(picture, told.found.cells).save(check / "overlay.png")
    print(f"{out}: {'; '.join(told.notes)}")
    for line in said:
        print(f"{out}: {line}; look at check/overlay.png and correct sheet.yaml")
    print(f"{out / 'check' / 'contact.html'}: open it in a browser to check")
    return 0


def _shown(cut: Cut, count: int, stem: str) -> Shown:
    back = f"{stem}-back.png" if cut.back else ""
    return Shown(cut.name, cut.cell.place, cut.front, cut.back, count, cut.blank, f"{stem}.png", back)


def _beside(item: Shown) -> Shown:
    """The pictures as seen from the folder of the page."""
    return replace(item, file=f"../{item.file}", back_file=f"../{item.back_file}" if item.back_file else "")


def _sheet(told: CutSheet, sheet: Path, back: Path | None) -> dict[str, Any]:
    """The sheet.yaml of what was done."""
    data: dict[str, Any] = {"version": 1, "sheet": sheet.name, "blocks": encode_blocks(told.found)}
    if back and told.back_found and told.pairs:
        data |= {"back_sheet": back.name, "back_blocks": encode_blocks(told.back_found), "turn": told.pairs.turn}
    data |= {"doubts": list(told.doubts)} if told.doubts else {}
    data["corners"] = told.radius
    data["names"] = {cut.cell.place: cut.name for cut in told.cuts}
    return data
