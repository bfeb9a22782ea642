r"""Texts with `$variables$`, as VASSAL's report formats and prototype parameters use them.

Every second part between dollar signs is a variable, provided another part follows; `\$` is a plain dollar sign.

>>> split("** $name$ = $result$ ***")
[(False, '** '), (True, 'name'), (False, ' = '), (True, 'result'), (False, ' ***')]
>>> split("costs 5$")
[(False, 'costs 5')]
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from converter.vassal import sequence

LONGEST = 16 << 20
"""Characters that a filled text may grow to: a hostile one could name a long value a million times."""

_HUGE = re.compile("&#[0-9]{9,}")


def split(text: str) -> list[tuple[bool, str]]:
    """The parts as (is a variable, text); empty parts are left out."""
    tokens = sequence.decode(text, "$")
    last = len(tokens) - 1
    return [(index % 2 == 1 and index < last, token) for index, token in enumerate(tokens) if token]


def fill(text: str, values: Mapping[str, str], longest: int = LONGEST) -> str:
    """Put in the values; a variable without one gives its bare name, as the engine does.

    >>> fill("$level1$ of $year$", {"level1": "Turn 3"})
    'Turn 3 of year'
    """
    filled: list[str] = []
    room = longest
    for variable, part in split(text):
        shown = values.get(part, part) if variable else part
        filled.append(shown[:room])
        room -= len(shown)
        if room <= 0:
            break
    return "".join(filled)


def resolve_entities(text: str) -> str:
    """HTML entities as the characters they stand for, however long the number in one is.

    >>> resolve_entities("&lt;Ann&gt; - 4 &times; 2")
    '<Ann> - 4 × 2'
    """
    if "&" not in text:
        return text
    return html.unescape(_HUGE.sub("&#65533", text) if "&#" in text else text)


def is_code(text: str) -> bool:
    """Is it a BeanShell expression in braces? Those we never run."""
    return text.strip().startswith("{")
