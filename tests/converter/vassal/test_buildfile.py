"""The build file's XML: kept byte for byte, read as VASSAL reads it, and deaf to attacks."""

from __future__ import annotations

import time

import pytest
from lxml import etree

from converter.errors import BadInput
from converter.vassal.buildfile import components, element_text, parse_xml, serialise

MODULE = (
    b'<?xml version="1.0" encoding="UTF-8"?>\r\n<VASSAL.build.GameModule   name=\'A\' version="1">\r\n'
    b"<!-- kept --><entry>Red\tArmy &amp; co</entry>\r\n</VASSAL.build.GameModule>\r\n"
)


def refusal(data: bytes) -> str:
    started = time.process_time()
    with pytest.raises(BadInput) as caught:
        parse_xml(data, "buildFile")
    assert time.process_time() - started < 5
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_unchanged_means_the_same_bytes() -> None:
    build_file = parse_xml(MODULE, "buildFile")
    assert not build_file.problems
    assert build_file.to_bytes() == MODULE
    build_file.root.set("version", "2")
    assert build_file.to_bytes() != MODULE
    build_file.root.set("version", "1")
    assert build_file.to_bytes() == MODULE


def test_a_changed_tree_reads_the_same() -> None:
    build_file = parse_xml(MODULE, "buildFile")
    build_file.root.set("note", "a\tb\nc\"<&'")
    build_file.root[1].text = "x\ty\\\tz"
    written = build_file.to_bytes()
    assert b"a&#9;b&#10;c" in written
    assert b"x\ty\\\tz" in written
    assert b"CDATA" not in written
    again = parse_xml(written, "buildFile")
    assert again.root.get("note") == "a\tb\nc\"<&'"
    assert element_text(again.root[1]) == "x\ty\\\tz"
    assert not again.problems


def test_text_is_taken_as_vassal_takes_it() -> None:
    element = etree.fromstring("<entry> \t\n Red <!-- no --> and <b>not</b>Blue\u3000 </entry>")
    assert element_text(element) == "Red  and Blue\u3000"


def test_cdata_is_nothing() -> None:
    text = b"<a><b>one<![CDATA[two]]>three</b><!-- <![CDATA[x]]> --><b><![CDATA[]]]]></b></a>"
    build_file = parse_xml(text, "buildFile")
    assert [element_text(child) for child in build_file.root.iter("b")] == ["onethree", ""]
    assert [str(problem) for problem in build_file.problems] == [
        "buildFile line 1: a CDATA section, which VASSAL reads as nothing",
        "buildFile line 1: a CDATA section, which VASSAL reads as nothing",
    ]
    assert build_file.to_bytes() == text


def test_windows_letters() -> None:
    build_file = parse_xml(b'<?xml version="1.0"?><a n="Gr\xf6\xdfe \x96 1"/>', "buildFile")
    assert build_file.root.get("n") == "Größe \u2013 1"
    assert len(build_file.problems) == 1
    assert "neither UTF-8 nor Windows-1252" in refusal(b"<a>\x81</a>")
    assert "UTF-16" in refusal("<a/>".encode("utf-16"))


def test_byte_order_mark_and_junk_in_front() -> None:
    assert not parse_xml(b"\xef\xbb\xbf" + MODULE, "buildFile").problems
    build_file = parse_xml(b">" + MODULE, "buildFile")
    assert build_file.root.get("name") == "A"
    assert "before <?xml" in str(build_file.problems[0])
    assert "not well-formed" in refusal(b"junk <a/>")


def test_folders_are_looked_through() -> None:
    root = etree.fromstring(
        "<r><a/><VASSAL.build.module.folder.MapSubFolder><b/><VASSAL.build.module.folder.DeckSubFolder><c/>"
        "</VASSAL.build.module.folder.DeckSubFolder></VASSAL.build.module.folder.MapSubFolder><!-- x --><?p i?><d/></r>"
    )
    assert [element.tag for element in components(root)] == ["a", "b", "c", "d"]


LAUGHS = b'<!DOCTYPE l [<!ENTITY l "lol">' + b"".join(
    f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">'.encode() for n in range(1, 10)
)


@pytest.mark.parametrize(
    "data",
    [
        LAUGHS + b"]><l>&l9;</l>",
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        b'<?xml version="1.0"?><!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a/>',
        b'<!DOCTYPE a [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]><a/>',
        b"<!DOCTYPE a><a/>",
    ],
)
def test_no_doctype(data: bytes) -> None:
    assert "DOCTYPE" in refusal(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"<a>",
        b"<a></b>",
        b"<a>&unknown;</a>",
        b"<a>\x1b</a>",
        b"<a>&#27;</a>",
        b"<a/><b/>",
        b"<a" + b" x='1'" * 2 + b"/>",
        b"<!doctype a><a/>",
        b"<![CDATA[" * 100_000,
        b"<a>" + b"<!--" * 100_000,
    ],
)
def test_not_well_formed(data: bytes) -> None:
    assert "XML" in refusal(data)


def test_depth_and_width_are_capped() -> None:
    refusal(b"<a>" * 100_000 + b"</a>" * 100_000)
    refusal(b"<a>" * 257 + b"</a>" * 257)
    assert parse_xml(b"<a>" * 200 + b"</a>" * 200, "buildFile").root.tag == "a"
    many = b" ".join(b"a%d='1'" % number for number in range(200_000))
    refusal(b"<a " + many + b"/>")


def test_size_is_capped() -> None:
    assert "bigger than 64 MiB" in refusal(bytes((64 << 20) + 1))
    refusal(b"<a>" + b"x" * (30 << 20) + b"</a>")


def test_written_from_nothing() -> None:
    root = etree.Element("VASSAL.build.GameModule", name="Größe")
    data = serialise(root)
    assert data.startswith(b'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n')
    assert parse_xml(data, "buildFile").root.get("name") == "Größe"
