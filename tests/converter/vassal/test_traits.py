"""Traits: every id with a minimal and a full definition and one token too many; states absent, empty and bad."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.vassal.fields import Key, Kind
from converter.vassal.traits import SPECS, Field, Trait, read_type, trait_id, write_state, write_type

ENGINE_IDS = [
    "piece",
    "stack",
    "deck",
    "mark",
    "emb2",
    "emb",
    "PROP",
    "calcProp",
    "propertysheet",
    "label",
    "hide",
    "obs",
    "restrict",
    "markmoved",
    "footprint",
    "rotate",
    "immob",
    "basicName",
    "cmt",
    "locmsg",
    "mat",
    "matPiece",
    "attach",
    "prototype",
    "AreaOfEffect",
    "report",
    "table",
    "clone",
    "delete",
    "placemark",
    "replace",
    "return",
    "sendto",
    "translate",
    "pivot",
    "macro",
    "setprop",
    "setpieceprop",
    "globalkey",
    "globalhotkey",
    "hideCmd",
    "submenu",
    "menuSeparator",
    "deselect",
    "playSound",
    "button",
    "border",
    "locCommand",
    "nonRect",
    "nonRect2",
]

# The number of fields after the id, where the format's table numbers them.
FIELD_COUNTS = {
    "deck": 49, "emb2": 33, "label": 18, "placemark": 15, "replace": 15, "sendto": 18, "translate": 10, "pivot": 10,
    "macro": 17, "globalkey": 14, "attach": 21, "AreaOfEffect": 16, "footprint": 17, "border": 6, "return": 8,
    "setpieceprop": 12, "locCommand": 9, "playSound": 6, "rotate": 13, "rotate1": 11, "markmoved": 11, "obs": 11,
}  # fmt: skip

VALUES: dict[Kind, Any] = {
    Kind.STRING: "some; 'text\\", Kind.INT: 3, Kind.LONG: 4, Kind.DOUBLE: 2.5, Kind.BOOL: True, Kind.CHAR: "x",
    Kind.COLOUR: (1, 2, 3), Kind.KEY: Key(65, 130, "go"), Kind.KEYS: (Key(1, 2),), Kind.ARRAY: ("a,b", "c;d"),
}  # fmt: skip


def full(fields: tuple[Field, ...], word: str) -> dict[str, Any]:
    values = {field.name: ("p", "q;r") if field.spread == "+" else VALUES[field.kind] for field in fields}
    if word == "rotate1":
        values["facings"] = 1
    return values


def test_every_trait_of_the_engine_is_known() -> None:
    assert set(ENGINE_IDS) | {"rotate1"} == set(SPECS)


def test_names_and_defaults_have_single_blanks() -> None:
    fields = [field for spec in SPECS.values() for field in (*spec.type, *spec.state)]
    assert not [field for field in fields if "  " in field.name or "  " in str(field.default)]
    assert Trait("label;")["name format"] == "$pieceName$ ($label$)"
    assert Trait("report;")["format"] == "$location$: $newPieceName$ *"


@pytest.mark.parametrize(("word", "count"), FIELD_COUNTS.items())
def test_number_of_fields(word: str, count: int) -> None:
    assert len(SPECS[word].type) == count


@pytest.mark.parametrize("word", SPECS)
def test_minimal_definition_takes_the_defaults(word: str) -> None:
    text = {"rotate1": "rotate;1"}.get(word, f"{word};" if word != "stack" else "stack")
    trait = Trait(text)
    assert trait.id == word
    assert trait.known
    assert trait.name == SPECS[word].name
    fields = trait.type
    assert set(fields) == {field.name for field in SPECS[word].type}
    for field in SPECS[word].type[1:]:  # the first token is there, and empty
        if not field.spread:
            expected = () if field.default is None and field.kind is Kind.ARRAY else field.default
            assert fields[field.name] == expected


@pytest.mark.parametrize("word", SPECS)
def test_full_definition_comes_back(word: str) -> None:
    values = full(SPECS[word].type, word)
    text = write_type(word, **{name.replace(" ", "_"): value for name, value in values.items()})
    assert dict(read_type(text)) == values
    assert trait_id(text) == word


@pytest.mark.parametrize("word", SPECS)
def test_one_token_too_many_is_kept_and_changes_nothing(word: str) -> None:
    fields = SPECS[word].type
    if any(field.spread for field in fields):
        return
    text = write_type(word, **{name.replace(" ", "_"): value for name, value in full(fields, word).items()})
    longer = Trait(text + ";surplus")
    assert longer.type == read_type(text)
    assert longer.text == text + ";surplus"


@pytest.mark.parametrize("word", SPECS)
def test_full_state_comes_back(word: str) -> None:
    fields = SPECS[word].state
    values = full(fields, "")
    state = write_state(word, **{name.replace(" ", "_"): value for name, value in values.items()})
    text = "rotate;1" if word == "rotate1" else f"{word};"
    assert dict(Trait(text, state).state) == values


@pytest.mark.parametrize("word", SPECS)
@pytest.mark.parametrize("state", ["", ";", "bad", "bad;bad;bad;bad;bad", "99999999999999999999", "'", "\\"])
def test_states_absent_empty_or_bad_give_defaults(word: str, state: str) -> None:
    text = "rotate;1" if word == "rotate1" else f"{word};"
    fields = Trait(text, state).state
    assert set(fields) == {field.name for field in SPECS[word].state}
    for field in SPECS[word].state:
        if field.kind in (Kind.INT, Kind.DOUBLE) and state in ("bad", ";", "\\"):
            assert fields[field.name] == field.default


@pytest.mark.parametrize(
    ("text", "state", "field", "value"),
    [
        ("emb2;", "", "level", -1),
        ("emb2;", "x", "level", -1),
        ("emb2;", "3;AB", "level", 3),
        ("hide;", "null", "owner", "null"),
        ("obs;", "", "owner", ""),
        ("markmoved;", "true", "moved", True),
        ("markmoved;", "TRUE", "moved", False),
        ("report;", "", "cycle", -1),
        ("matPiece;", "", "mat", ""),
        ("footprint;", "true;Map;999999999;1,2;3,4", "rest", ("1,2", "3,4")),
        ("mat;", "1000000000;7", "cargo", ("7",)),
        ("table;", "a,b\\,c", "cells", ("a", "b,c")),
        ("piece;;;a.png;Inf", "Map;x;7", "x", 0),
    ],
)
def test_states_a_referee_reads(text: str, state: str, field: str, value: object) -> None:
    assert Trait(text, state).state[field] == value


def test_unknown_traits_keep_their_texts() -> None:
    trait = Trait("turr;1;2", "x\\;y")
    assert (trait.known, trait.name, dict(trait.type), dict(trait.state)) == (False, "turr", {}, {})
    assert (trait.text, trait.state_text) == ("turr;1;2", "x\\;y")


def test_a_trait_is_still_a_pair() -> None:
    text, state = Trait("mark;Side", "Red")
    assert (text, state) == ("mark;Side", "Red")
    assert Trait("mark;Side", "Red")[1] == "Red"


def test_writing_an_unknown_field_is_our_mistake() -> None:
    with pytest.raises(TypeError, match="no field"):
        write_type("mark", colour="red")


def test_real_definition_of_a_dynamic_property() -> None:
    trait = Trait("PROP;Note;false,0,100,false;Set:57348\\,0\\,setNote:P\\,new\\\\, value;desc", "a/b;c")
    assert trait["property"] == "Note"
    assert trait["description"] == "desc"
    assert trait.state["value"] == "a/b;c"


@given(
    st.sampled_from(sorted(SPECS)),
    st.text(alphabet="ab;,\\'1-", max_size=20),
    st.text(alphabet="ab;,\\'1-", max_size=20),
)
def test_no_text_is_too_odd(word: str, text: str, state: str) -> None:
    trait = Trait(f"{word};{text}", state)
    assert trait.known
    assert isinstance(dict(trait.type), dict)
    assert isinstance(dict(trait.state), dict)
