r"""VASSAL's one encoding primitive: tokens joined with a delimiter, delimiters inside a token escaped with a backslash.

Backslashes themselves are never doubled, so one case is lossy in the engine's own writer: a token that ends in a
backslash and is neither quoted nor last swallows the delimiter after it. `encode` writes what the engine writes;
`encode_safe` also quotes such tokens, which every version reads back right.

>>> encode(["a;b", "", "c"], ";")
'a\\;b;;c'
>>> decode('a\\;b;;c', ";")
['a;b', '', 'c']
>>> decode(encode(["a\\", "b"], ";"), ";")
['a;b']
>>> decode(encode_safe(["a\\", "b"], ";"), ";")
['a\\', 'b']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Token = str | None
MANY = 40  # tokens from which on they are told apart by whole texts instead of one by one
STAND_IN = "\0"  # for an escaped delimiter while the others are looked for; no genuine text holds it


def decode(text: str | None, delimiter: str) -> list[str]:
    """Split `text` into its tokens, exactly as the engine does. None (no text at all) has no tokens."""
    if text is None:
        return []
    escaped = "\\" + delimiter
    tokens = text.split(delimiter)
    if escaped in text:
        if len(tokens) > MANY and STAND_IN not in text:
            tokens = text.replace(escaped, STAND_IN).split(delimiter)
            tokens = [token.replace(STAND_IN, delimiter) for token in tokens]
        else:
            tokens = _rejoin(tokens, delimiter)
    if "'" in text:
        tokens = [unquote(token) for token in tokens]
    return tokens


def encode(tokens: Iterable[Token], delimiter: str) -> str | None:
    """Join tokens as the engine of today (3.4 and later) does; no tokens at all give None."""
    return _join(tokens, delimiter, lambda token: token[0] == "\\")


def encode_old(tokens: Iterable[Token], delimiter: str) -> str | None:
    """Join tokens as engines up to 3.3 did: they quoted a token for its last backslash, not its first."""
    return _join(tokens, delimiter, lambda token: token[-1] == "\\")


def encode_safe(tokens: Iterable[Token], delimiter: str) -> str | None:
    """Join tokens so that every version reads them back right: quoted where either rule asks for it."""
    return _join(tokens, delimiter, lambda token: token[0] == "\\" or token[-1] == "\\")


def unquote(token: str) -> str:
    """Strip one quote from each end where both ends have one.

    >>> unquote("''a''"), unquote("'"), unquote("''")
    ("'a'", "'", '')
    """
    if len(token) > 1 and token[0] == "'" and token[-1] == "'":
        return token[1:-1]
    return token


def _rejoin(parts: list[str], delimiter: str) -> list[str]:
    """The tokens of a text that was split at every delimiter: a part that ends in a backslash goes on."""
    tokens: list[str] = []
    held: list[str] = []
    *before, last = parts
    for part in before:
        if part[-1:] == "\\":
            held.append(part[:-1])
        elif held:
            tokens.append(delimiter.join([*held, part]))
            held = []
        else:
            tokens.append(part)
    tokens.append(delimiter.join([*held, last]))
    return tokens


def _join(tokens: Iterable[Token], delimiter: str, needs_quotes: Callable[[str], bool]) -> str | None:
    parts = []
    for token in tokens:
        if not token:
            parts.append("")
            continue
        escaped = token.replace(delimiter, "\\" + delimiter)
        in_quotes = token[0] == "'" and token[-1] == "'"
        parts.append(f"'{escaped}'" if in_quotes or needs_quotes(token) else escaped)
    return delimiter.join(parts) if parts else None
