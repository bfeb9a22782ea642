"""Names for cut counters: from a list, a table or a units.yaml in the sheet's order, or read off the counters."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from converter.errors import BadInput
from converter.scan.ocr import ocr_engine
from converter.scenario import read_units

_SURE = 0.6
_READING = 200  # pixels that small counters are enlarged to
_MISSING = (
    "--ocr: the OCR package is not installed; get it with  pip install 'hexref[ocr]'  (or: pip install rapidocr"
    " onnxruntime), or give --names"
)


def read_names(path: Path) -> list[str]:
    """Names in order: a line each in a text file, the first (or `name`) column of a CSV, or the ids of a units.yaml.

    A `count` (in a CSV's column or a units.yaml) repeats a name.
    """
    if path.suffix.lower() in (".yaml", ".yml"):
        return [unit.id for unit in read_units(path).units for _ in range(unit.count)]
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise BadInput(f"{path}: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not UTF-8 text") from None
    if path.suffix.lower() == ".csv":
        return _table(text, path)
    return [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _table(text: str, path: Path) -> list[str]:
    rows = [row for row in csv.reader(io.StringIO(text)) if any(field.strip() for field in row)]
    if not rows:
        return []
    heads = [field.strip().lower() for field in rows[0]]
    if "name" not in heads:
        return [row[0].strip() for row in rows]
    name, count = heads.index("name"), heads.index("count") if "count" in heads else None
    names = []
    for number, row in enumerate(rows[1:], 2):
        copies = row[count].strip() if count is not None and count < len(row) else ""
        if copies and not (copies.isdigit() and int(copies) <= 1000):
            raise BadInput(f"{path}: row {number}: count {copies!r} is no number up to 1000")
        if name < len(row) and row[name].strip():
            names += [row[name].strip()] * int(copies or 1)
    return names


def given(names: Sequence[str], first: Sequence[int], path: Path) -> list[str]:
    """A name for each counter: one a counter in reading order, or one a different counter."""
    different = [i for i, leader in enumerate(first) if leader == i]
    if len(names) == len(first):
        return list(names)
    if len(names) == len(different):
        by_leader = dict(zip(different, names, strict=True))
        return [by_leader[leader] for leader in first]
    raise BadInput(
        f"{path}: {len(names)} names for a sheet of {len(first)} counters, {len(different)} of them different;"
        " expected one name for each or for each different one"
    )


def read_off(images: Sequence[Image.Image], progress: Callable[[str], None]) -> list[str | None]:
    """What is printed on each counter, as far as an OCR package can read it."""
    engine = ocr_engine(_MISSING)
    read: list[str | None] = []
    for number, image in enumerate(images, 1):
        if number % 20 == 1:
            progress(f"reading counter {number} of {len(images)}")
        times = max(1, round(_READING / image.width))
        large = image.convert("RGB").resize((image.width * times, image.height * times), Image.Resampling.BICUBIC)
        seen = engine.page(np.ascontiguousarray(np.asarray(large)[..., ::-1]))
        words = [re.sub(r"\s+", " ", text).strip() for _, text, sure in seen if sure >= _SURE]
        read.append(" ".join(words) or None)
    return read
