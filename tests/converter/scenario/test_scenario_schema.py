"""The published schemas and our reader say the same: both take or refuse every file, whole or spoilt."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from converter.scenario.map_codec import decode_map, encode_map
from converter.scenario.schema import FOLDER, mistakes, schema
from converter.scenario.setup_file import decode_setup, encode_setup
from converter.scenario.units_file import decode_units, encode_units
from converter.scenario.yaml_reading import read_file, read_text

jsonschema = pytest.importorskip("jsonschema", reason="the standard validator is not installed")

HERE = Path(__file__).parent


def samples() -> Iterator[tuple[str, Any]]:
    """The files of the two tests next to this one."""
    for test, names in (
        ("test_scenario_map.py", {"VALLEY": "map"}),
        ("test_scenario_folder.py", {"UNITS": "units", "SETUP": "setup"}),
    ):
        source = (HERE / test).read_text(encoding="utf-8")
        for name, kind in names.items():
            text = source.split(f'{name} = """\\\n', 1)[1].split('"""', 1)[0]
            yield kind, read_text(text, test).data


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items: Any = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def spoilt(data: Any, chance: random.Random) -> Any:
    """A copy with one item dropped, added or exchanged."""
    data = copy.deepcopy(data)
    *path, last = chance.choice(list(places(data)))
    holder = data
    for key in path:
        holder = holder[key]
    what = chance.randrange(4)
    odd = [
        None,
        True,
        0,
        -1,
        1.0,
        2.5,
        10**6,
        "",
        "word",
        "Two Words",
        "0101",
        "x" * 3000,
        [],
        {},
        ["0101"],
        {"rule": "1"},
    ]
    if what == 0:
        del holder[last]
    elif what == 1 and isinstance(holder, dict):
        holder[chance.choice(["extra", "hex", "near", "scan", "route", "side"])] = chance.choice(odd)
    elif what == 2 and isinstance(holder, list):
        holder.append(chance.choice([*odd, *holder]))
    else:
        holder[last] = chance.choice(odd)
    return data


@pytest.mark.parametrize("kind", ["map", "units", "setup"])
def test_the_schemas_are_schemas(kind: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(kind))


@pytest.mark.parametrize("kind", ["map", "units", "setup"])
def test_both_take_and_refuse_the_same_files(kind: str) -> None:
    standard = jsonschema.Draft202012Validator(schema(kind))
    chance = random.Random(1950)
    taken = refused = 0
    for sample_kind, data in samples():
        if sample_kind != kind:
            continue
        assert standard.is_valid(data)
        assert not list(mistakes(data, schema(kind)))
        for _ in range(700):
            bad = spoilt(data, chance)
            if chance.random() < 0.3:
                bad = spoilt(bad, chance)
            fits = standard.is_valid(bad)
            assert fits == (not list(mistakes(bad, schema(kind)))), json.dumps(bad)[:2000]
            taken, refused = taken + fits, refused + (not fits)
    assert taken > 20
    assert refused > 100


def test_the_schemas_use_only_words_our_reader_knows() -> None:
    """A keyword the small reader does not know would be published and never checked."""
    known = {"type", "properties", "required", "additionalProperties", "items", "enum", "pattern", "minimum", "maximum"}
    known |= {"exclusiveMinimum", "minItems", "maxItems", "minLength", "maxLength", "oneOf", "anyOf", "$ref"}
    silent = {"$schema", "title", "description", "$defs"}

    def keywords(rules: Any) -> Iterator[str]:
        if isinstance(rules, dict):
            yield from rules
            for word, inner in rules.items():
                named = word in ("properties", "$defs")
                for item in inner.values() if named else inner if isinstance(inner, list) else [inner]:
                    yield from keywords(item)

    for path in FOLDER.glob("*.schema.json"):
        if path.name.split(".")[0] in ("map", "units", "setup"):
            assert set(keywords(json.loads(path.read_text(encoding="utf-8")))) <= known | silent


@pytest.mark.parametrize("path", sorted((HERE.parents[2] / "maps").glob("*/*.yaml")), ids=lambda path: path.stem)
def test_the_maps_of_the_project_fit_the_published_schema(path: Path) -> None:
    jsonschema.Draft202012Validator(schema("map")).validate(read_file(path).data)


def whole(rules: Any, root: Any, branch: int, name: str = "") -> Any:
    """Data with every field the schema knows, none at its usual value; of fields that exclude each other, one."""
    if "$ref" in rules:
        target = rules["$ref"].removeprefix("#/$defs/")
        return whole(root["$defs"][target], root, branch, "hex" if target in ("hex", "hexes") else name)
    if "anyOf" in rules:
        return whole(rules["anyOf"][branch % len(rules["anyOf"])], root, branch, name)
    if "enum" in rules:
        return rules["enum"][-1]
    kind = rules["type"] if isinstance(rules["type"], str) else rules["type"][0]
    if kind == "object":
        choices = [set(choice["required"]) for choice in rules.get("oneOf", ())]
        excluded = set().union(*choices) - choices[branch % len(choices)] if choices else set()
        fields = rules.get("properties") or {"morale": rules["additionalProperties"]}
        return {key: whole(inner, root, branch, key) for key, inner in fields.items() if key not in excluded}
    if kind == "array":
        inner = "hex" if name in ("absent", "half") else name
        return [whole(rules["items"], root, branch, inner)] * max(rules.get("minItems", 1), 1)
    if kind == "string":
        special = {"hex": "0303", "format": "{row:02}{column:02}", "colour": "#102030", "ink": "#405060"}
        return special.get(name, "images/a.png" if name == "image" else "word")
    if kind == "boolean":
        return name != "complete"
    return 0.5 if name == "confidence" else 3


@pytest.mark.parametrize(
    ("kind", "decode", "encode"),
    [("map", decode_map, encode_map), ("units", decode_units, encode_units), ("setup", decode_setup, encode_setup)],
)
def test_no_field_is_lost_between_reading_and_writing(kind: str, decode: Any, encode: Any) -> None:
    for branch in range(5):
        data = whole(schema(kind), schema(kind), branch)
        assert not list(mistakes(data, schema(kind)))
        assert encode(decode(data)) == data
