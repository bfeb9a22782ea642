"""The metadata XML: what VASSAL writes comes back, in every version's manner."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import BadInput
from converter.vassal.metadata import Metadata, build_file_name, decode, encode, version_key

GENUINE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<data version="1">
  <version>1.2</version>
  <extra1/>
  <extra2>more</extra2>
  <VassalVersion>{version}</VassalVersion>
  <dateSaved>1700000000000</dateSaved>
  <description> text </description>
  <name>Capture</name>
  <name {translated}</name>
</data>
"""

texts = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"), max_size=20
)
trimmed = texts.map(str.strip)
languages = st.sampled_from(["de", "fr", "pt-BR"])
translations = st.lists(st.tuples(languages, trimmed), max_size=3).map(tuple)
metadatas = st.builds(
    Metadata,
    version=trimmed,
    vassal_version=st.sampled_from(["", "3.1.15", "3.6.10", "3.6.11", "3.7.0-beta1", "3.7.9"]),
    date_saved=st.none() | st.integers(0, 10**15),
    description=trimmed,
    name=st.none() | trimmed,
    universal=st.none() | st.booleans(),
    extra1=st.none() | trimmed,
    extra2=st.none() | trimmed,
    names=translations,
    descriptions=translations,
)


@given(metadatas)
def test_round_trip(metadata: Metadata) -> None:
    read = decode(encode(metadata))
    if metadata.name is None and metadata.names:  # a translation stands in for a missing name
        assert read.names == metadata.names
    else:
        assert read == metadata


def test_genuine_file() -> None:
    metadata = decode(GENUINE.format(version="3.7.0", translated='lang="ru">Захват').encode())
    assert metadata == Metadata(
        "1.2", "3.7.0", 1700000000000, "text", "Capture", None, "", "more", (("ru", "Захват"),), ()
    )


def test_language_and_text_were_swapped_before_3_6_11() -> None:
    old = decode(GENUINE.format(version="3.6.10", translated='lang="Захват">ru').encode())
    assert old.names == (("ru", "Захват"),)
    assert 'lang="Захват">ru<' in encode(old).decode()


def test_nonsense_gives_defaults() -> None:
    metadata = decode(b"<data><dateSaved>soon</dateSaved><unknown>1</unknown><universal>maybe</universal></data>")
    assert metadata == Metadata(universal=False)


@pytest.mark.parametrize(
    "data", [b"", b"no xml", b"<data>", b"<!DOCTYPE data><data/>", b"<data>" + b" " * (2 << 20) + b"</data>"]
)
def test_bad_metadata(data: bytes) -> None:
    with pytest.raises(BadInput):
        decode(data)


def test_control_characters_cannot_be_written() -> None:
    with pytest.raises(BadInput, match="control characters"):
        encode(Metadata(description="bell\x07"))


def test_versions_in_order() -> None:
    ordered = [
        "2.0b6", "2.0", "2.9b2", "2.9.9", "3.0.18", "3.1.0-beta1", "3.1.0", "3.1.15", "3.2.17", "3.5.0-alpha",
        "3.5.0-beta2", "3.5.0-rc1", "3.5.0-SNAPSHOT-bugfix-554-a8f2c3033", "3.5.0", "3.5.8", "3.6.0-SNAPSHOT",
        "3.6.0", "3.6.9", "3.6.11", "3.7.0-beta1", "3.7", "3.7.1", "3.10",
    ]  # fmt: skip
    keys = [version_key(version) for version in ordered]
    assert all(left < right for left, right in pairwise(keys))
    assert version_key("3.5") == version_key("3.5.0") == version_key("3.5.0-final")


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_versions_compare(left: str, right: str) -> None:
    assert (version_key(left) < version_key(right)) + (version_key(left) >= version_key(right)) == 1


@pytest.mark.parametrize(
    ("version", "name"),
    [("3.7.0", "buildFile.xml"), ("3.5.0-SNAPSHOT", "buildFile.xml"), ("3.4.13", "buildFile"), ("2.0b6", "buildFile"),
     ("", "buildFile.xml"), ("odd", "buildFile.xml"), ("4", "buildFile.xml"), ("3", "buildFile")],
)  # fmt: skip
def test_build_file_name(version: str, name: str) -> None:
    assert build_file_name(version) == name
