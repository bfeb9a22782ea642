"""What a player reads off a counter."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.vassal.builds import build_of
from converter.vassal.piece_view import LONGEST_NAME, export, is_masked, layer_level, name, name_of, properties
from converter.vassal.pieces import Piece, roll
from converter.vassal.traits import SPECS, Trait, write_type

BASIC = ("piece;;;inf.png;1st Inf", "Main;1;2;7;1;UniqueID;9")


def counter(*traits: tuple[str, str]) -> tuple[Trait, ...]:
    """A counter with these traits around a basic piece."""
    chain = [*traits, BASIC]
    return Piece(roll([text for text, _ in chain]), roll([state for _, state in chain])).traits


def layer(names: tuple[str, ...] = ("Full", "Reduced", "+ (remnant)"), **values: object) -> str:
    return write_type("emb2", **{"images": ("a.png", "b.png", "c.png"), "level_names": names, "layer": "Step"} | values)


@pytest.mark.parametrize(
    ("state", "level", "shown", "active"),
    [("3", 3, "1st Inf (remnant)", True), ("-2", -2, "1st Inf", False), ("0", 0, "1st Inf", False),
     ("99", 3, "1st Inf (remnant)", True), ("-99", -3, "1st Inf", False), ("", -1, "1st Inf", False),
     ("x", -1, "1st Inf", False), ("2;AB", 2, "Reduced", True), ("99999999999", -1, "1st Inf", False)],
)  # fmt: skip
def test_layers(state: str, level: int, shown: str, active: bool) -> None:
    traits = counter((layer(), state))
    found = properties(traits)
    assert layer_level(traits[0], {}) == level
    assert name(traits) == shown
    assert found["Step_Level"] == str(level)
    assert found["Step_Active"] == ("true" if active else "false")
    if not active:
        assert (found["Step_Name"], found["Step_Image"]) == ("", "")


def test_names_of_layers_lose_their_plus_sign() -> None:
    found = properties(counter((layer(), "3")))
    assert (found["Step_Name"], found["Step_Image"]) == (" (remnant)", "c.png")


@pytest.mark.parametrize(("level_name", "shown"), [("X", "X"), ("X+", "X1st Inf"), ("+X", "1st InfX"), ("", "1st Inf")])
def test_how_a_layer_changes_the_name(level_name: str, shown: str) -> None:
    assert name(counter((layer((level_name,)), "1"))) == shown


@pytest.mark.parametrize(
    ("value", "level"), [("0", 1), ("1", 1), ("2", 2), ("3", 3), ("7", 3), ("-5", 1), ("", 1), ("x", 1)]
)
def test_a_layer_that_follows_a_property(value: str, level: int) -> None:
    traits = counter((layer(follow=True, property="Loss", first_value=1), "3"), ("PROP;Loss", value))
    assert properties(traits)["Step_Level"] == str(level)
    assert name(traits) == ["Full", "Reduced", "1st Inf (remnant)"][level - 1]


@pytest.mark.parametrize("state", ["1", "-1", "0", "5"])
@pytest.mark.parametrize("follow", [True, False])
def test_a_layer_without_images(state: str, follow: bool) -> None:
    traits = counter((write_type("emb2", images=(), layer="Step", follow=follow, property="X"), state))
    assert name(traits) == "1st Inf"
    assert properties(traits)["Step_Image"] == ""


def test_old_layers() -> None:
    text = "emb;A;Activate;U;Up;D;Down;0;0;a.png,Full;b.png,+ spent;c.png"
    assert name(counter((text, "2"))) == "1st Inf spent"
    assert name(counter((text, "1"))) == "Full"
    assert name(counter((text, "3"))) == name(counter((text, "-2"))) == "1st Inf"


def test_labels_are_trimmed_and_filled() -> None:
    label = "label;;;10;;;t;0;c;0;b;c;$pieceName$ ($label$)"
    assert name(counter((label, "  4-3 \n"))) == "1st Inf (4-3)"
    assert name(counter((label, "   "))) == "1st Inf"
    assert name(counter((label, "$Side$!"), ("mark;Side", "Red"))) == "1st Inf (Red!)"
    assert properties(counter((label, "  4-3 ")))["TextLabel"] == "4-3"
    assert name(counter(("label;", "x"))) == "1st Inf (x)"


def test_labels_on_labels_cannot_grow_without_bound() -> None:
    label = ("label;;;10;;;t;0;c;0;b;c;$pieceName$$pieceName$$label$", "$Note$" * 100)
    traits = counter(*[label] * 200, ("PROP;Note", "x" * 100_000))
    begun = time.process_time()
    assert len(name(traits)) == LONGEST_NAME
    assert time.process_time() - begun < 5


def test_property_sheet() -> None:
    found = properties(counter(("propertysheet;0Str~3Steps~1Notes~~7Spin;menu", "5~2/4~l1|l2~9")))
    assert (found["Str"], found["Steps"], found["Notes"], found["Spin"]) == ("5", "2", "l1|l2", "9")


def test_property_sheet_with_too_few_values() -> None:
    found = properties(counter(("propertysheet;0Str~4Steps", "5")))
    assert (found["Str"], found["Steps"]) == ("5", "")


@pytest.mark.parametrize(
    ("text", "state", "found"),
    [
        ("rotate;6;;;;;;;Dir", "2", {"Dir_Facing": "3", "Dir_Degrees": "120"}),
        ("rotate;6;;;;;;;Dir", "0", {"Dir_Facing": "1", "Dir_Degrees": "0"}),
        ("rotate;12;;;;;;;Dir", "11", {"Dir_Facing": "12", "Dir_Degrees": "330"}),
        ("rotate;6;;;;;;;Dir", "x", {"Dir_Facing": "1", "Dir_Degrees": "0"}),
        ("rotate;0;;;;;;;Dir", "2", {"Dir_Facing": "3", "Dir_Degrees": "0"}),
        ("rotate;1;;;;;Dir", "-60.0", {"Dir_Degrees": "-60.0"}),
    ],
)
def test_rotation(text: str, state: str, found: dict[str, str]) -> None:
    assert found.items() <= properties(counter((text, state))).items()


def test_markers_with_too_few_values() -> None:
    found = properties(counter(("mark;Side,Strength,Nation", "Red,4-3-6")))
    assert (found["Side"], found["Strength"], found["Nation"]) == ("Red", "4-3-6", "")


def test_the_outer_of_two_traits_is_heard() -> None:
    assert properties(counter(("mark;Side", "Red"), ("mark;Side", "Blue")))["Side"] == "Red"
    assert properties(counter(("basicName;2nd Inf", "")))["BasicName"] == "2nd Inf"


def test_only_as_many_pairs_as_are_said_to_be() -> None:
    for pairs, found in (("1", {"a": "b"}), ("0", {}), ("-1", {}), ("999999999", {"a": "b", "c": "d"}), ("x", {})):
        traits = Piece("piece;;;;Inf", f"Map;0;0;;{pairs};a;b;c;d").traits
        assert properties(traits) == {"BasicName": "Inf", **found}


@pytest.mark.parametrize(("state", "masked"), [("null", False), ("", False), ("annpw", True), ("nobody;true|0", True)])
@pytest.mark.parametrize("access", ["player:", "side:", "sides:Red:Blue", ""])
def test_masks(state: str, masked: bool, access: str) -> None:
    traits = counter(("mark;Open", "yes"), (f"obs;;back.png;Mask;B;Enemy;{access}", state), ("mark;Secret", "no"))
    assert is_masked(traits[1]) is masked
    assert name(traits) == "1st Inf"
    assert name(traits, public=True) == ("Enemy" if masked else "1st Inf")
    seen = properties(traits, public=True)
    assert seen["Open"] == "yes"
    assert ("Secret" in seen) is not masked
    assert ("BasicName" in seen) is not masked
    assert properties(traits)["Secret"] == "no"
    assert properties(traits)["ObscuredToOthers"] == ("true" if masked else "false")


def test_a_label_outside_a_mask_does_not_tell_what_is_inside() -> None:
    traits = counter(("label;", "$Secret$"), ("obs;;back.png;Mask;B;Enemy", "annpw"), ("mark;Secret", "no"))
    assert name(traits, public=True) == "Enemy (Secret)"
    assert name(traits) == "1st Inf (no)"


def test_a_mask_without_a_name() -> None:
    assert name(counter(("obs;;back.png;Mask;B;", "annpw")), public=True) == "?"


@pytest.mark.parametrize(("state", "hidden"), [("null", "false"), ("", "false"), ("annpw", "true"), ("Red", "true")])
@pytest.mark.parametrize("access", ["player:", "side:", "sides:Red:Blue"])
def test_hiding_is_told_without_saying_by_whom(state: str, hidden: str, access: str) -> None:
    found = properties(counter((f"hide;;Hide;;{access}", state)))
    assert found["InvisibleToOthers"] == hidden
    assert "annpw" not in found.values()


@pytest.mark.parametrize(("state", "moved"), [("true", "true"), ("false", "false"), ("", "false"), ("yes", "false")])
def test_movement_mark(state: str, moved: str) -> None:
    assert properties(counter(("markmoved;m.png", state)))["Moved"] == moved


def test_other_properties() -> None:
    found = properties(counter(("PROP;Note", " a;b "), ("locmsg;Hello;;Bonjour", ""), ("turr;1", "secret")))
    assert (found["Note"], found["Hello"], found["UniqueID"]) == (" a;b ", "Bonjour", "9")
    assert "secret" not in found.values()


def test_names_are_remembered_by_type_and_states() -> None:
    build = build_of(roll([layer(), BASIC[0]]))
    assert name_of(build, ("2", BASIC[1])) == "Reduced"
    assert name_of(build, ("1", BASIC[1])) == "Full"


@given(
    st.lists(
        st.tuples(
            st.tuples(st.sampled_from(sorted(SPECS)), st.text(alphabet="ab;,$+~1-\\'", max_size=20)).map(";".join),
            st.text(alphabet="ab;,$+~/1-\\'", max_size=10),
        ),
        max_size=4,
    )
)
def test_no_counter_is_too_odd(traits: list[tuple[str, str]]) -> None:
    chain = counter(*traits)
    for public in (False, True):
        assert isinstance(name(chain, public), str)
        found = properties(chain, public)
        assert all(isinstance(key, str) and isinstance(value, str) for key, value in found.items())
    for trait in chain:
        export(trait, {})
