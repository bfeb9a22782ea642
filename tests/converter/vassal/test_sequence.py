"""The sequence encoding against VASSAL's own answers, and its round trips."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.vassal import sequence

# What VASSAL 3.7 answered: tokens, their text, and the text's tokens.
BOTH_WAYS: list[tuple[list[str | None], str | None, list[str]]] = [
    ([], None, []),
    ([None], "", [""]),
    ([""], "", [""]),
    (["", ""], ";", ["", ""]),
    ([None, "a"], ";a", ["", "a"]),
    (["a", None, "b"], "a;;b", ["a", "", "b"]),
    (["a;b"], r"a\;b", ["a;b"]),
    ([";"], r"\;", [";"]),
    (["a;"], r"a\;", ["a;"]),
    ([";;"], r"\;\;", [";;"]),
    (["a\\"], "a\\", ["a\\"]),
    (["a\\", "b"], r"a\;b", ["a;b"]),  # the lossy case
    ([r"\a"], r"'\a'", [r"\a"]),
    (["\\", "b"], r"'\';b", ["\\", "b"]),
    ([r"a\;b"], r"a\\;b", [r"a\;b"]),
    ([r"a\\;b"], r"a\\\;b", [r"a\\;b"]),
    ([r"\;"], r"'\\;'", [r"\;"]),
    (["'a'"], "''a''", ["'a'"]),
    (["'"], "'''", ["'"]),
    (["''"], "''''", ["''"]),
    (["'a"], "'a", ["'a"]),
    (["'a", "b'"], "'a;b'", ["'a", "b'"]),
    (["'a;b'"], r"''a\;b''", ["'a;b'"]),
    (["it's"], "it's", ["it's"]),
]

DECODED: list[tuple[str | None, list[str]]] = [
    (None, []),
    ("", [""]),
    (";", ["", ""]),
    ("a;", ["a", ""]),
    (r"a\;b;c", ["a;b", "c"]),
    (r"\;a", [";a"]),
    (r"a\;", ["a;"]),
    (r"a\\;b", [r"a\;b"]),
    ("''", [""]),
    ("'", ["'"]),
    ("'a;b'", ["'a", "b'"]),
    (r"'a\;b'", ["a;b"]),
    ("\\", ["\\"]),
    ("a;\\", ["a", "\\"]),
    ("';'", ["'", "'"]),
    (r"\;\;;\;", [";;", ";"]),
]

tokens = st.lists(st.text(alphabet="ab;\\'\t", max_size=6), max_size=5)


@pytest.mark.parametrize(("given_tokens", "text", "back"), BOTH_WAYS)
def test_truth_table_both_ways(given_tokens: list[str | None], text: str | None, back: list[str]) -> None:
    assert sequence.encode(given_tokens, ";") == text
    assert sequence.decode(text, ";") == back


@pytest.mark.parametrize(("text", "back"), DECODED)
def test_truth_table_of_texts(text: str | None, back: list[str]) -> None:
    assert sequence.decode(text, ";") == back


def test_recorded_answers_of_the_engine(shared: Path) -> None:
    path = shared / "spec" / "vassal-vectors" / "sequence.jsonl"
    if not path.is_file():
        pytest.skip("the engine's recorded answers are not there")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 3000
    for row in rows:
        assert sequence.encode(row["tokens"], row["delim"]) == row["encoded"], row
        assert sequence.decode(row["encoded"], row["delim"]) == row["decoded"], row
        assert sequence.decode(row["raw"], row["delim"]) == row["raw_decoded"], row


@given(tokens)
def test_safe_encoding_always_comes_back(words: list[str]) -> None:
    assert sequence.decode(sequence.encode_safe(words, ";"), ";") == words


@given(st.lists(st.text(max_size=8), max_size=5), st.sampled_from(";,|/\t\x1b~:+"))
def test_safe_encoding_with_every_delimiter_in_use(words: list[str], delimiter: str) -> None:
    assert sequence.decode(sequence.encode_safe(words, delimiter), delimiter) == words


@given(tokens)
def test_plain_encoding_loses_only_the_known_case(words: list[str]) -> None:
    lossy = any(word[-1:] == "\\" and word[:1] != "\\" for word in words[:-1])
    assert lossy or sequence.decode(sequence.encode(words, ";"), ";") == words


@given(tokens)
def test_the_old_rule_reads_back_but_for_leading_backslashes(words: list[str]) -> None:
    assert sequence.decode(sequence.encode_old(words, ";"), ";") == words


@given(st.text(alphabet="ab;\\'", max_size=12))
def test_decoding_is_the_engines_procedure(text: str) -> None:
    """One character at a time, as the engine goes about it."""
    words, word, at = [], "", 0
    while True:
        if at == len(text) or (text[at] == ";" and not word.endswith("\\")):
            if len(word) > 1 and word[0] == word[-1] == "'":
                word = word[1:-1]
            words.append(word)
            word = ""
            if at == len(text):
                break
        elif text[at] == ";":
            word = word[:-1] + ";"
        else:
            word += text[at]
        at += 1
    assert sequence.decode(text, ";") == words


def test_nesting_adds_one_backslash_a_level() -> None:
    inner = sequence.encode(["c", "d"], "\t")
    middle = sequence.encode(["b", inner], "\t")
    assert sequence.encode(["a", middle], "\t") == "a\tb\\\tc\\\\\td"
