"""Does a file have the right shape? The published JSON Schema files decide; this reads the part of them they use.

The standard validators know no lines and bring a tree of packages; this one yields a path for each mistake, which
`Document.problem` turns into file and line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from converter.errors import Problem
from converter.scenario.yaml_reading import Document, Path_

FOLDER = Path(__file__).parents[2] / "data" / "schema"

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_SAY = {"object": "a mapping", "array": "a list", "string": "text", "integer": "a whole number", "number": "a number"}
_SAY |= {"boolean": "true or false", "null": "null"}


def shape_problems(document: Document, name: str) -> list[Problem]:
    """Each place where a file does not have the shape of the schema `name`, with its line and the item in words."""
    return [document.problem(path, _at(path) + what) for path, what in mistakes(document.data, schema(name))]


def _at(path: Path_) -> str:
    """The item in words: `terrain 3, hexes 2: `, counted from 1."""
    said = ""
    for step in path:
        said += f" {step + 1}" if isinstance(step, int) else f", {step}"
    return f"{said.removeprefix(', ')}: " if said else ""


@cache
def schema(name: str) -> dict[str, Any]:
    """One of the published schemas: "map", "units" or "setup"."""
    loaded: dict[str, Any] = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    return loaded


def mistakes(
    data: Any, rules: dict[str, Any], root: dict[str, Any] | None = None, path: Path_ = ()
) -> Iterator[tuple[Path_, str]]:
    """Each place where `data` does not fit, with what was expected there.

    >>> rules = {"type": "object", "properties": {"rows": {"type": "integer", "minimum": 1}}, "required": ["name"]}
    >>> for path, what in mistakes({"rows": 0}, rules): print(path, what)
    () 'name' is missing
    ('rows',) expected at least 1, found 0
    """
    root = root or rules
    if "$ref" in rules:
        yield from mistakes(data, _referred(root, rules["$ref"]), root, path)
        return
    if "type" in rules:
        types = [rules["type"]] if isinstance(rules["type"], str) else rules["type"]
        if not any(_is(data, kind) for kind in types):
            wanted = (rules.get("title") if path else None) or " or ".join(_SAY[kind] for kind in types)
            quotes = "string" in types and isinstance(data, (int, float)) and "in quotes" not in wanted
            hint = ", in quotes" if quotes else ""
            yield path, f"expected {wanted}{hint}, found {_told(data)}"
            return
    if "enum" in rules and not any(
        data == one and isinstance(data, bool) == isinstance(one, bool) for one in rules["enum"]
    ):
        wanted = ", ".join(map(str, rules["enum"]))
        yield path, f"expected {'one of ' if len(rules['enum']) > 1 else ''}{wanted}, found {_told(data)}"
    if "anyOf" in rules and all(any(mistakes(data, branch, root, path)) for branch in rules["anyOf"]):
        yield path, f"expected {rules.get('title', 'another form')}, found {_told(data)}"
    if "oneOf" in rules:
        fits = sum(not any(mistakes(data, branch, root, path)) for branch in rules["oneOf"])
        if fits != 1:
            yield path, f"expected exactly one of {', '.join(' and '.join(b['required']) for b in rules['oneOf'])}"
    if isinstance(data, str):
        yield from ((path, what) for what in _text_mistakes(data, rules))
    elif isinstance(data, (int, float)) and not isinstance(data, bool):
        yield from ((path, what) for what in _number_mistakes(data, rules))
    elif isinstance(data, list):
        yield from _list_mistakes(data, rules, root, path)
    elif isinstance(data, dict):
        yield from _mapping_mistakes(data, rules, root, path)


def _referred(root: dict[str, Any], reference: str) -> dict[str, Any]:
    found: dict[str, Any] = root["$defs"][reference.removeprefix("#/$defs/")]
    return found


def _is(data: Any, kind: str) -> bool:
    if isinstance(data, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(data, float):
        return data.is_integer()
    return isinstance(data, _TYPES[kind])


def _told(data: Any) -> str:
    if data is None:
        return "nothing"
    if isinstance(data, (dict, list)):
        return _SAY["object" if isinstance(data, dict) else "array"]
    text = json.dumps(data, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."


def _text_mistakes(data: str, rules: dict[str, Any]) -> Iterator[str]:
    if len(data) < rules.get("minLength", 0):
        yield "expected text, found none"
    if len(data) > rules.get("maxLength", len(data)):
        yield f"expected at most {rules['maxLength']} characters, found {len(data)}"
    if "pattern" in rules and not re.search(rules["pattern"], data):
        yield f"expected {rules.get('title', rules['pattern'])}, found {_told(data)}"


def _number_mistakes(data: float, rules: dict[str, Any]) -> Iterator[str]:
    if "minimum" in rules and data < rules["minimum"]:
        yield f"expected at least {rules['minimum']}, found {data}"
    if "exclusiveMinimum" in rules and data <= rules["exclusiveMinimum"]:
        yield f"expected more than {rules['exclusiveMinimum']}, found {data}"
    if "maximum" in rules and data > rules["maximum"]:
        yield f"expected at most {rules['maximum']}, found {data}"


def _list_mistakes(
    data: list[Any], rules: dict[str, Any], root: dict[str, Any], path: Path_
) -> Iterator[tuple[Path_, str]]:
    least, most = rules.get("minItems", 0), rules.get("maxItems", len(data))
    if not least <= len(data) <= most:
        wanted = f"{least}" if least == most else f"at least {least}" if len(data) < least else f"at most {most}"
        yield path, f"expected a list of {wanted}, found {len(data)}"
    if "items" in rules:
        fits = _plain_text(rules["items"], root)
        for i, item in enumerate(data):
            if fits is not None and type(item) is str and len(item) in fits:
                continue
            yield from mistakes(item, rules["items"], root, (*path, i))


def _plain_text(rules: dict[str, Any], root: dict[str, Any]) -> range | None:
    """The lengths a text may have, where nothing else is asked of it: maps list thousands of hexes."""
    while "$ref" in rules:
        rules = _referred(root, rules["$ref"])
    if rules.keys() - {"title", "description"} != {"type", "minLength", "maxLength"} or rules["type"] != "string":
        return None
    return range(rules["minLength"], rules["maxLength"] + 1)


def _mapping_mistakes(
    data: dict[str, Any], rules: dict[str, Any], root: dict[str, Any], path: Path_
) -> Iterator[tuple[Path_, str]]:
    yield from ((path, f"{name!r} is missing") for name in rules.get("required", ()) if name not in data)
    known, other = rules.get("properties", {}), rules.get("additionalProperties", True)
    for name, item in data.items():
        if name in known:
            yield from mistakes(item, known[name], root, (*path, name))
        elif other is False:
            from difflib import get_close_matches  # slow to load, and seldom needed

            near = get_close_matches(name, known, 1)
            meant = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(known)}"
            yield (*path, name), f"{name!r} is not known here; {meant}"
        elif isinstance(other, dict):
            yield from mistakes(item, other, root, (*path, name))
