r"""Every trait VASSAL's own editor offers, as a table of its fields; a trait we do not know is kept to the letter.

A trait's *type* is its definition, its *state* is what changes in play. Both are read by the same small language:
`name:KIND=default` for a token, `*` before the kind for all the text that is left, `+` for all the tokens left.

>>> trait = Trait("emb2;;128;A;;128;;;128;;;;1;false;0;0;a.png,b.png;Full,Reduced;true;Step", "2")
>>> trait.name, trait["layer"], trait["level names"], trait.state["level"]
('Layer', 'Step', ('Full', 'Reduced'), 2)
>>> Trait("turr;1;2", "x").known
False
>>> write_type("mark", names=("Side", "Strength"))
'mark;Side,Strength'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from converter.vassal import sequence
from converter.vassal.fields import Kind, read_field, write_field

_TABLE = """
piece | Basic piece | clone key:C; delete key:C; image:S; name:S | map:S; x:I=0; y:I=0; gpid:S=; pairs:I=0; \
    properties:+S
stack | Stack |  | map:S; x:I=0; y:I=0; members:+S
deck | Deck | outline:B=true; outline colour:R=0,0,0; width:I=40; height:I=40; face down:S=Always; \
    shuffle:S=Always; allow multiple:B=true; allow select:B=true; reversible:B=true; send command:S=; send \
    target:S=; send message:S=; name:S=; shuffle message:S=; reverse message:S=; face-down message:S=; draw face \
    up:B=false; can save:B=false; shuffle key:K; send key:K; max stack:I=10; counts:A; count expressions:B=false; \
    global commands:A; key on empty:B=false; empty key:K; select display:S=$BasicName$; select sort:S=; restrict \
    drop:B=false; restrict expression:S=; shuffle command:S=; reverse command:S=; reverse key:K; draw multiple \
    text:S=; draw specific text:S=; face up text:S=; face down text:S=; face up key:K; face up message:S=; flip \
    key:K; face down key:K; save text:S=; save key:K; save report:S=; load text:S=; load key:K; load report:S=; \
    restrict access:B=false; owners:A | map:S; x:I=0; y:I=0; face down:B=false; members:A
mark | Marker | names:*A | values:*A
emb2 | Layer | activate command:S=; activate modifiers:I=128; activate key:S=A; increase command:S=; increase \
    modifiers:I=128; increase key:S=; decrease command:S=; decrease modifiers:I=128; decrease key:S=; reset \
    command:S=; reset key:K; reset level:S=1; draw under:B=false; x:I=0; y:I=0; images:A; level names:A; \
    loop:B=true; layer:S=; random key:K; random text:S=; follow:B=false; property:S=; first value:I=1; version:I=0; \
    always active:B=true; activate stroke:K; increase stroke:K; decrease stroke:K; description:S=; scale:D=1.0; \
    only-if property:S=; only-if state:S=true | level:I=-1; activation:S=
emb | Old layer | activation:S=; activate command:S=; up key:S=; up command:S=; down key:S=; down command:S=; \
    x:I=0; y:I=0; levels:+S | level:I=-1; activation:S=
PROP | Dynamic property | property:S=name; constraints:S=; commands:S=; description:S= | value:*S
calcProp | Calculated property | property:S=; expression:S=; description:S= |
propertysheet | Property sheet | definition:S=; menu:S=; old key:C; commit:I=0; red:S=; green:S=; blue:S=; key:K; \
    description:S= | values:*S
label | Text label | key:K; menu:S=; size:I=10; background:R; colour:R=0,0,0; vertical:C=t; vertical offset:I=0; \
    horizontal:C=c; horizontal offset:I=0; vertical justify:C=b; horizontal justify:C=c; name format:S=$pieceName$ \
    ($label$); font:S=Dialog; style:I=0; rotation:I=0; property:S=TextLabel; description:S=; always format:B=false \
    | text:*S
hide | Invisible | key:K; command:S=; colour:R; access:S=; transparency:D=0.3; description:S=; no report:B=false | \
    owner:*S=null
obs | Mask | key:K; image:S=; command:S=; display:S=B; mask name:S=?; access:S=; peek command:S=; description:S=; \
    auto peek:B=false; deal key:K; deal expression:S= | owner:S=null; options:S=
restrict | Restricted access | sides:A; by player:B=false; restrict movement:B=true; description:S= | owner:*S=
markmoved | Movement mark | image:S=; x:I=0; y:I=0; command:S=; key:K; description:S=; ignore same place:B=false; \
    true text:S=; true key:K; false text:S=; false key:K | moved:*B=false
footprint | Trail | key:K; menu:S=; visible:B=false; visible to all:B=false; radius:I=10; fill:R=255,255,255; \
    line:R=0,0,0; selected opacity:I=100; unselected opacity:I=50; edge point buffer:I=20; edge display \
    buffer:I=30; line width:D=1.0; on key:K; off key:K; clear key:K; description:S=; ignore same place:B=false | \
    visible:B=false; map:S=; points:I=0; rest:+S
rotate | Rotate | facings:I=6; clockwise key:K; counterclockwise key:K; clockwise text:S=; counterclockwise \
    text:S=; random key:K; random text:S=; property:S=; description:S=; direct key:K; direct text:S=; direct \
    expression:S=; direct facing:B=true | facing:*S=0
rotate1 | Rotate freely | facings:I=1; set key:K; set text:S=; random key:K; random text:S=; property:S=; \
    description:S=; direct key:K; direct text:S=; direct expression:S=; direct facing:B=true | angle:*D=0.0
immob | Does not stack | select:S=; move:S=N; stack:S=R; description:S= |
basicName | Basic name | name:S= |
cmt | Comment | text:S= |
locmsg | Translated message | property:S=; description:S=; text:S= |
mat | Mat | property:S=; description:S= | count:I=0; cargo:+S
matPiece | Cargo | description:S=; keep facing:B=true; dx:I=0; dy:I=0; find key:K; detach key:K | mat:*S=noMat
attach | Attachment | property:S=; description:S=; attach text:S=; attach key:K; clear all text:S=; clear all \
    key:K; filter:S=; restrict range:B=false; range:I=1; fixed range:B=true; range property:S=; selection:S=-1; \
    target:S=; clear text:S=; clear key:K; clear filter:S=; on attach:S=; on detach:S=; before attach:S=; allow \
    self:B=false; auto:B=true | count:I=0; pieces:+S
prototype | Prototype | prototype:S=; parameters:S= |
AreaOfEffect | Area of effect | colour:R; opacity:I=30; radius:I=1; always active:B=true; command:S=; key:K; \
    shader:S=; fixed radius:B=true; radius marker:S=; description:S=; property:S=; on text:S=; on key:K; off \
    text:S=; off key:K; global:B=true | active:*B=false
report | Report | keys:S=; format:S=$location$: $newPieceName$ *; cycle keys:S=; cycle formats:A; description:S=; \
    no suppress:B=false | cycle:*I=-1
table | Table | rows:I=1; columns:I=1; command:S=; key:K; description:S= | cells:*A
clone | Clone | command:S=; key:K; description:S= |
delete | Delete | command:S=; key:K; description:S= |
placemark | Place marker | command:S=; key:K; piece:S=; text:S=; x:S=0; y:S=0; match rotation:B=false; after key:K; \
    description:S=; gpid:S=; placement:I=0; above:B=false; copy properties:B=false; parameters:S=; version:I=0 |
replace | Replace | command:S=; key:K; piece:S=; text:S=; x:S=0; y:S=0; match rotation:B=false; after key:K; \
    description:S=; gpid:S=; placement:I=0; above:B=false; copy properties:B=false; parameters:S=; version:I=0 |
return | Return to deck | command:S=; key:K; deck:S=; prompt:S=; description:S=; version:I=0; choose:B=true; deck \
    expression:S= |
sendto | Send to location | command:S=; key:K; map:S=; board:S=; x:S=0; y:S=0; back command:S=; back key:K; x \
    index:S=0; y index:S=0; x offset:S=1; y offset:S=1; description:S=; destination:S=L; zone:S=; region:S=; \
    filter:S=; grid location:S= | back map:S=; back x:S=; back y:S=
translate | Move fixed distance | command:S=; key:K; dx:S=0; dy:S=60; move stack:B=false; x index:S=0; y index:S=0; \
    x offset:S=0; y offset:S=0; description:S= |
pivot | Pivot | command:S=; key:K; x:I=0; y:I=0; fixed:B=true; angle:D=90.0; description:S=; command 2:S=; key 2:K; \
    angle 2:D=270.0 |
macro | Trigger | name:S=; command:S=; key:K; condition:S=; watch:S=; actions:S=; loop:B=false; pre key:K; post \
    key:K; loop type:S=counted; while:S=; until:S=; count:S=; index:B=false; index property:S=; start:S=1; step:S=1 \
    |
setprop | Set global property | property:S=name; constraints:S=; commands:S=; description:S=; level:S=; search:S= | \

setpieceprop | Set piece property | property:S=name; constraints:S=; commands:S=; description:S=; target:S=; \
    filter:S=; restrict:B=false; range:I=1; fixed:B=true; range property:S=; deck:S=-1; override:B=false |
globalkey | Global key command | command:S=; key:K; global key:K; filter:S=; restrict:B=false; range:I=1; report \
    single:B=true; fixed:B=true; range property:S=; description:S=; deck:S=-1; target:S=; suppress sounds:B=false; \
    parameters:S= |
globalhotkey | Global hotkey | command:S=; key:K; hotkey:K; description:S= |
hideCmd | Restrict commands | name:S=; action:S=; condition:S=; keys:S= |
submenu | Sub-menu | menu:S=; commands:A; description:S= |
menuSeparator | Menu separator | description:S=; key:K |
deselect | Deselect | command:S=; key:K; description:S=; unstack:B=false; which:S= |
playSound | Play sound | clip:S=; menu:S=; key:K; send:B=false; description:S=; no suppress:B=false |
button | Action button | key:K; x:I=0; y:I=0; width:I=0; height:I=0; description:S=; menu:B=false; whole \
    shape:B=false; version:I=0; points:+S |
border | Border outline | property:S=; description:S=; thickness:I=2; colour:R=255,0,0; property 2:S=; mode:S=AND | \

locCommand | Location command | description:S=; type:S=; filter:S=; menu:S=; key:K; current map only:B=true; \
    sort:S=; ascending:B=true; numeric:B=false |
nonRect | Old shape | shape:*S |
nonRect2 | Shape | scale:D=1.0; shape:+S |
"""


class Field(NamedTuple):
    """One field of a trait: its name, what it holds, its default, and whether it takes one token or all the rest."""

    name: str
    kind: Kind
    default: Any
    spread: str = ""


class Spec(NamedTuple):
    """A trait's name for people and its fields."""

    id: str
    name: str
    type: tuple[Field, ...]
    state: tuple[Field, ...]


def _read_spec(line: str) -> Spec:
    trait_id, name, type_fields, *state_fields = (part.strip() for part in line.split("|"))
    return Spec(trait_id, name, _read_columns(type_fields), _read_columns(state_fields[0] if state_fields else ""))


def _read_columns(text: str) -> tuple[Field, ...]:
    fields = []
    for column in filter(None, (part.strip() for part in text.split("; "))):
        name, _, rest = column.rstrip(";").partition(":")
        spread = rest[0] if rest[0] in "*+" else ""
        letter, has_default, default = rest[len(spread) :].partition("=")
        kind = Kind(letter)
        fields.append(Field(name, kind, read_field(default, kind) if has_default else None, spread))
    return tuple(fields)


SPECS: dict[str, Spec] = {spec.id: spec for spec in map(_read_spec, re.sub(" +", " ", _TABLE.strip()).splitlines())}
"""All traits by the word before the first semicolon; a rotate trait with one facing is `rotate1`."""


@lru_cache(maxsize=20_000)
def trait_id(type_text: str) -> str:
    """The word that names a trait.

    >>> trait_id("mark;Side"), trait_id("stack"), trait_id("rotate;1;;")
    ('mark', 'stack', 'rotate1')
    """
    word = type_text.partition(";")[0]
    if word == "rotate" and type_text[7:].partition(";")[0] == "1":
        return "rotate1"
    return word


class Trait(NamedTuple):
    """One trait of a piece: the text of its definition and of its state, and typed views of both."""

    text: str
    state_text: str = ""

    @property
    def id(self) -> str:
        """The word that names this trait."""
        return trait_id(self.text)

    @property
    def known(self) -> bool:
        """Whether its fields are known; the texts are kept in any case."""
        return self.id in SPECS

    @property
    def name(self) -> str:
        """What the editor calls it."""
        spec = SPECS.get(self.id)
        return spec.name if spec else self.id

    @property
    def type(self) -> Mapping[str, Any]:
        """The fields of the definition; none for an unknown trait."""
        return read_type(self.text)

    @property
    def state(self) -> Mapping[str, Any]:
        """The fields of the state; none for an unknown trait."""
        spec = SPECS.get(self.id)
        return _read(self.state_text, spec.state) if spec else {}

    def __getitem__(self, name: Any) -> Any:
        return read_type(self.text)[name] if isinstance(name, str) else tuple.__getitem__(self, name)


def pair(types: Iterable[str], states: Iterable[str]) -> Iterator[Trait]:
    """Definitions and states as traits, as far as both go. There are thousands, so no call of ours for each.

    >>> list(pair(["mark;Side"], ["Red", "of no trait"]))
    [Trait(text='mark;Side', state_text='Red')]
    """
    return map(_new_trait, zip(types, states, strict=False))


def trait_ids(traits: Sequence[Trait]) -> list[str]:
    """The words that name traits, without a memory of each: for who looks at each definition but once.

    >>> trait_ids([Trait("mark;Side"), Trait("rotate;1;;")])
    ['mark', 'rotate1']
    """
    words = [text.partition(";")[0] for text, _ in traits]
    if "rotate" in words:
        return [trait_id(text) if word == "rotate" else word for word, (text, _) in zip(words, traits, strict=True)]
    return words


_new_trait: Callable[[tuple[str, str]], Trait] = partial(tuple.__new__, Trait)


@lru_cache(maxsize=20_000)
def read_type(type_text: str) -> Mapping[str, Any]:
    """The fields of a trait's definition. Definitions repeat a thousandfold, so they are remembered."""
    spec = SPECS.get(trait_id(type_text))
    return _read(type_text.partition(";")[2], spec.type) if spec else {}


def token_places(trait_id: str, *names: str) -> list[int]:
    """Where fields stand among the tokens of a definition, its word being the first: for who looks at each definition
    but once, and at little of it.

    >>> token_places("piece", "name", "image")
    [4, 3]
    """
    places = {field.name: index for index, field in enumerate(SPECS[trait_id].type, 1)}
    return [places[name] for name in names]


def write_type(trait_id: str, **values: Any) -> str:
    """A definition with these fields, the others at their defaults up to the last one given.

    Field names with blanks are given with underscores: `write_type("emb2", layer="Step", level_names=("", "+ spent"))`.
    """
    word = "rotate" if trait_id == "rotate1" else trait_id
    return f"{word};{_write(SPECS[trait_id].type, values)}"


def write_state(trait_id: str, **values: Any) -> str:
    """A state with these fields."""
    return _write(SPECS[trait_id].state, values)


def _read(text: str, fields: tuple[Field, ...]) -> dict[str, Any]:
    if fields and fields[0].spread == "*":
        return {fields[0].name: read_field(text, fields[0].kind, fields[0].default)}
    tokens = sequence.decode(text, ";")
    values = {}
    for index, field in enumerate(fields):
        if field.spread == "+":
            values[field.name] = tuple(tokens[index:])
        else:
            values[field.name] = read_field(tokens[index] if index < len(tokens) else None, field.kind, field.default)
    return values


def _write(fields: tuple[Field, ...], values: Mapping[str, Any]) -> str:
    given = {name.replace("_", " "): value for name, value in values.items()}
    unknown = given.keys() - {field.name for field in fields}
    if unknown:
        raise TypeError(f"no field {sorted(unknown)}")
    last = max((index for index, field in enumerate(fields) if field.name in given), default=-1)
    tokens: list[str] = []
    for field in fields[: last + 1]:
        value = given.get(field.name, field.default)
        if field.spread == "*":
            return write_field(value, field.kind)
        if field.spread == "+":
            tokens.extend(value)
        else:
            tokens.append(write_field(value, field.kind))
    return sequence.encode_safe(tokens, ";") or ""
