"""A few seconds of fuzzing with fixed random numbers; docs/fuzzing.md tells of the long runs."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest

from tests.fuzz.fuzz_games import LARGEST, WORKED, Mutator, Subject, fuzz, pack, seeds, unpack

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="no alarm clock on this system")


def test_a_few_hundred_mutations_of_composed_files() -> None:
    outcomes, crashes = fuzz(seed=20, start=seeds(), inputs=400, tell=lambda line: None)
    assert not crashes, crashes[0]
    assert outcomes.total() == 400
    assert set(outcomes) == {"clean", "noted", "refused"}


def test_the_files_to_start_from_are_good(tmp_path: Path) -> None:
    subject = Subject(tmp_path)
    assert [subject.examine(data) for data in seeds()] == ["noted", "noted", "noted", "clean"]


def test_the_same_numbers_make_the_same_file() -> None:
    start = seeds()
    one, other = (Mutator(random.Random(5), start) for _ in range(2))
    for data in start * 5:
        made = one.mutate(data)
        assert made == other.mutate(data)
        assert len(made) <= LARGEST


def test_a_crash_is_seen_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(subject: Subject, data: bytes) -> str:
        raise KeyError("our own mistake")

    monkeypatch.setattr(Subject, "examine", broken)
    outcomes, crashes = fuzz(seed=1, start=[WORKED.encode()], keep=tmp_path / "kept", inputs=3, tell=lambda line: None)
    assert outcomes["crash"] == len(crashes) == 3
    assert "our own mistake" in crashes[0]
    assert len(list((tmp_path / "kept").iterdir())) == 3


def test_packing_comes_back() -> None:
    assert unpack(pack({"a": b"1", "b/c": b""})) == {"a": b"1", "b/c": b""}
    assert unpack(b"no zip") == {}
