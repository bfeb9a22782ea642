"""The YAML our files use: what is written comes back, and what could bite is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import BadInput
from converter.scenario.yaml_reading import read_file, read_text
from converter.scenario.yaml_writing import scalar, write

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
scalars = st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.floats(-1e9, 1e9) | text
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(text, inner, max_size=5), max_leaves=12
)


@given(st.dictionaries(text, values, max_size=6))
def test_what_is_written_is_read_back(data: dict[str, Any]) -> None:
    written = write(data)
    assert read_text(written, "x.yaml").data == (data or None)
    assert max(map(len, written.splitlines()), default=0) < 2000


@given(text)
def test_other_readers_see_the_same_text(value: str) -> None:
    assert yaml.safe_load(write({"key": [value, {"inner": value}]})) == {"key": [value, {"inner": value}]}


@pytest.mark.parametrize(
    "number", ["0101", "0108", "1908", "1.01", "A1", "12-C", "1e5", "0x1F", "1_000", "12:30", "=", "~", ""]
)
def test_hex_numbers_stay_text(number: str) -> None:
    assert read_text(f"a: {scalar(number)}", "x").data == {"a": number}
    assert yaml.safe_load(f"a: {scalar(number)}") == {"a": number}


def test_long_lists_are_wrapped_and_short_items_stand_on_one_line() -> None:
    numbers = [f"{n:04}" for n in range(100, 160)]
    written = write({"terrain": [{"kind": "rough", "hexes": numbers}, {"kind": "clear", "hexes": ["0101"]}]})
    lines = written.splitlines()
    assert lines[0] == "terrain:"
    assert lines[1] == "  - kind: rough"
    assert lines[-1] == '  - {kind: clear, hexes: ["0101"]}'
    assert all(len(line) <= 120 for line in lines)
    assert len(lines) < 10


@pytest.mark.parametrize(
    ("source", "line", "what"),
    [
        ("a: 1\nb: &x [1]\nc: *x", 2, "anchor"),
        ("a: *x", 1, "alias"),
        ("a: !!python/object/apply:os.system ['true']", 1, "tag"),
        ("a: 1\n---\nb: 2", 2, "second document"),
        ("a: 1\nb: 2\na: 3", 3, "twice"),
        ("? [a, b]\n: 1", 1, "key"),
        ("a: [1, 2", 1, "not YAML"),
        ("a: 1\n b: 2", 2, "not YAML"),
        ("[" * 100 + "]" * 100, 1, "nested deeper"),
        ("a: '\x00'", None, "not YAML"),
    ],
)
def test_what_can_bite_is_refused_with_its_line(source: str, line: int | None, what: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_text(source, "map.yaml")
    assert what in str(refused.value)
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith(f"map.yaml:{line}: " if line else "map.yaml: ")


def test_a_billion_laughs_stop_at_the_first() -> None:
    bomb = "a: &a [x, x]\n" + "\n".join(f"{b}: &{b} [*{a}, *{a}]" for a, b in zip("abcdefg", "bcdefgh", strict=True))
    with pytest.raises(BadInput, match="anchor"):
        read_text(bomb, "map.yaml")


def test_too_many_items_are_refused() -> None:
    with pytest.raises(BadInput, match="too many items"):
        read_text("a: [" + "1," * 1_000_001 + "1]", "map.yaml")


def test_every_item_has_its_line() -> None:
    document = read_text("a: 1\nb:\n  - x\n  - {c: 1,\n     d: [2,\n      3]}\n", "x")
    assert document.lines[("b", 0)] == 3
    assert document.lines[("b", 1, "d")] == 5
    assert document.lines[("b", 1, "d", 1)] == 6
    assert document.problem(("b", 1, "d", 7), "?").where == "x:5"


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        read_file(tmp_path / "none.yaml")
    with pytest.raises(BadInput, match="directory"):
        read_file(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"a: \xe9")
    with pytest.raises(BadInput, match="UTF-8"):
        read_file(tmp_path / "latin.yaml")
    (tmp_path / "bom.yaml").write_bytes(b"\xef\xbb\xbfa: 1")
    assert read_file(tmp_path / "bom.yaml").data == {"a": 1}
