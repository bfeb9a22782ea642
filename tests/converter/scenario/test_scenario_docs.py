"""The page on the scenario folder shows files that the reader takes."""

from __future__ import annotations

import re
from pathlib import Path

from converter.scenario import read_folder, write_folder

PAGE = Path(__file__).parents[3] / "docs" / "scenario-folder.md"


def test_the_example_on_the_page_is_a_good_folder(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, text in re.findall(r"## (\w+\.yaml)\n\n```yaml\n(.*?)```", page, re.DOTALL):
        (tmp_path / name).write_text(text, encoding="utf-8")
    valley = read_folder(tmp_path)
    assert valley.map.terrain("0102") == "mountain"
    assert valley.map.terrain("0405") == "clear"
    assert valley.units is not None
    assert valley.setup is not None
    write_folder(valley, tmp_path / "copy")
    assert read_folder(tmp_path / "copy") == valley
