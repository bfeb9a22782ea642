"""The command stream: grouping, execution order, and text that comes back to the byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import BadInput
from converter.vassal import sequence, stream
from converter.vassal.stream import DEEPEST, ESC, Element, Node, Stream

WORKED_LOG = (
    "begin_save\x1b\x1b\\\x1b+/100/mark;Side\tpiece;;;;Inf/Red\tMain Map;108;96;1;1;UniqueID;100"
    "\\\x1b+/101/stack/Main Map;108;96;100;@@-1"
    "\x1bPLAYER\tpw\tAnn\tSolo\x1bMain MapBoardPicker\tB\t0\t0\x1bend_save"
    "\x1bLOG\tM/100/Main Map/162/128/null/Main Map/108/96/null/pw\\\x1bLOG\tCHAT* Inf moves"
    "\x1bLOG\tD/100/Blue\tMain Map;162;128;1;1;UniqueID;100/Red\tMain Map;162;128;1;1;UniqueID;100"
    "\\\x1bLOG\tCHAT* Inf now Blue"
    "\x1bLOG\tUNDO\ttrue\\\x1bLOG\tD/100/Red\tMain Map;162;128;1;1;UniqueID;100/Blue\tMain Map;162;128;1;1;UniqueID;100"
    "\\\x1bLOG\tCHAT* UNDO: * Inf now Blue\\\x1bLOG\tUNDO\tfalse"
    "\x1bLOG\tCHAT&lt;Ann&gt; - hi"
)


def as_the_engine_reads(text: str) -> Node:
    """The engine's own procedure, to the letter."""
    words = sequence.decode(text, ESC)
    if words[0] == text:
        return Node(text)
    node = as_the_engine_reads(words[0])
    node.children += [as_the_engine_reads(word) for word in words[1:]]
    return node


def flat(node: Node) -> list[str]:
    return [node.text, *(text for child in node.children for text in flat(child))]


def whole_tree(read: Stream) -> Node:
    """The elements as the engine sees them: the first is the head, the others are its children."""
    first, *rest = [element.tree for element in read.elements]
    return Node(first.text, [*first.children, *rest])


raw_text = st.text(alphabet="ab\x1b\x1b\\\\'", max_size=20)
# No command starts with a quote: the engine takes a text in quotes for a wrapped one, again and again.
command_text = st.text(alphabet="ab\\'\t/;", max_size=5).filter(lambda text: text[:1] != "'")
trees = st.recursive(
    st.builds(Node, command_text),
    lambda inner: st.builds(Node, command_text, st.lists(inner, max_size=3)),
    max_leaves=8,
)


def test_the_worked_log_is_cut_as_the_engine_cuts_it() -> None:
    read = stream.decode(WORKED_LOG)
    assert [len(element.heads()) for element in read.elements] == [1, 1, 3, 1, 1, 1, 2, 2, 4, 1]
    assert len(read.state) == 6
    assert [step.heads()[0][:4] for step in read.steps] == ["M/10", "D/10", "UNDO", "CHAT"]
    assert read.steps[2].heads()[::3] == ["UNDO\ttrue", "UNDO\tfalse"]
    group = read.elements[2].tree
    assert group.text == ""
    assert [child.text[:6] for child in group.children] == ["+/100/", "+/101/"]


def test_the_worked_log_comes_back_to_the_byte() -> None:
    read = stream.decode(WORKED_LOG)
    assert stream.encode(read) == WORKED_LOG
    assert stream.encode(Stream([Element.of(element.tree) for element in read.elements])) == WORKED_LOG


def test_depth_is_the_number_of_backslashes() -> None:
    element = Element("LOG\ta\\\x1bLOG\tb\\\\\x1bLOG\tc\\\x1bLOG\td")
    assert element.tree == Node("LOG\ta", [Node("LOG\tb", [Node("LOG\tc")]), Node("LOG\td")])
    assert element.heads() == ["a", "b", "c", "d"]


def test_steps_are_what_the_step_button_stops_at() -> None:
    texts = ["LOG\t", "LOG\tnull", "LOG\tnull\\\x1bLOG\tCHATx", "LOG\tnull\\\x1bLOG\tnull", "CHATy", "'LOG\t\\\\x'"]
    assert [Element(text).is_step for text in texts] == [True, False, True, False, False, True]
    assert [Element(text).is_logged for text in texts] == [True, True, True, True, False, True]


@given(raw_text)
def test_cutting_is_the_engines_procedure(text: str) -> None:
    read = stream.decode(text)
    assert stream.encode(read) == text
    engine = as_the_engine_reads(text)
    assert whole_tree(read) == engine
    assert [head for element in read.elements for head in element.heads()] == flat(engine)


@given(raw_text)
def test_heads_are_the_tree_laid_flat(text: str) -> None:
    element = stream.decode(text).elements[0]
    assert element.heads() == flat(element.tree)


@given(st.lists(trees, min_size=1, max_size=4))
def test_trees_come_back(nodes: list[Node]) -> None:
    text = stream.encode(Stream([Element.of(node) for node in nodes]))
    back = [element.tree for element in stream.decode(text).elements]
    assert [flat(node) for node in back] == [flat(node) for node in nodes]


@given(st.lists(st.text(alphabet="abc/;\t", min_size=1, max_size=5), min_size=1, max_size=60))
def test_chains_come_back_with_their_shape(texts: list[str]) -> None:
    node = Node(texts[-1])
    for text in reversed(texts[:-1]):
        node = Node(text, [node])
    assert stream.decode(Element.of(node).raw).elements[0].tree == node


def test_ten_thousand_levels_do_not_break_anything() -> None:
    levels = 10_000
    deep = ESC.join(f"c{level}" + "\\" * level for level in range(1, levels))
    element = stream.decode(deep).elements[0]
    assert len(element.heads()) == levels - 1
    with pytest.raises(BadInput, match="nested more than"):
        _ = element.tree
    with pytest.raises(BadInput, match="nested more than"):
        Element("'" + deep).heads()
    assert Element("LOG\tnull" + "\\\x1b'" + deep).is_step


def test_just_deep_enough() -> None:
    deep = ESC.join("c" + "\\" * level for level in range(1, DEEPEST + 1)) + ESC + "end"
    assert len(flat(stream.decode(deep).elements[0].tree)) == DEEPEST + 1


def test_absurdly_many_commands_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MOST_COMMANDS", 10)
    assert len(stream.decode(ESC * 9).elements) == 10
    with pytest.raises(BadInput, match="more than 10 commands"):
        stream.decode(ESC * 10)


def test_nodes_compare_by_what_they_say() -> None:
    assert Node("a", [Node("b")]) == Node("a", [Node("b")])
    assert Node("a") != Node("b")
    assert Node("a", [Node("b")]) != Node("a")
    assert repr(Node("a", [Node("b")])) == "Node('a', [Node('b')])"
