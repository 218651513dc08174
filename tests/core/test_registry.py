"""Registries of choices: options by signature, checked values, and functions of users."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from inspect import Parameter
from typing import Annotated, Literal

import pytest

from pigevo.core.checked_values import Within, checked
from pigevo.core.registry import Registry
from pigevo.errors import InputError


@pytest.fixture
def registry():
    colours = Registry("colour", given=1)

    @colours.register(source="A book")
    def red(context, shade: Annotated[float, Within(0, 1)] = 0.5, names: Sequence[str] = ()):
        return ("red", context, shade, tuple(names))

    @colours.register(name="blue")
    @dataclass(frozen=True)
    class Blue:
        depth: Annotated[int, Within(1)]

    return colours


def test_options_are_those_of_the_signature(registry):
    assert list(registry) == ["blue", "red"]
    assert list(registry["red"].options) == ["shade", "names"]
    assert registry["red"].defaults == {"shade": 0.5, "names": ()}
    assert registry["red"].source == "A book"
    assert registry["blue"].defaults == {}


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"name": "rad"}, "there is no colour 'rad'; did you mean red"),
        ({"name": "red", "shad": 1}, "there is no setting paint.shad; red takes shade, names"),
        ({"name": "red", "context": 1}, "there is no setting paint.context"),
        ({"name": "red", "shade": 2}, "paint.shade = 2.0 is out of range: it must be from 0 to 1"),
        ({"name": "red", "shade": "dark"}, "paint.shade = 'dark' must be a number"),
        ({"name": "red", "names": "ab"}, "paint.names = 'ab' must be a list"),
        ({"name": "blue"}, "paint.depth is missing: blue needs it"),
        ({"name": "blue", "depth": 0}, "paint.depth = 0 is out of range: it must be at least 1"),
        ({"name": "blue", "depth": True}, "paint.depth = True must be a whole number"),
    ],
)
def test_wrong_options_are_refused(registry, choice, message):
    with pytest.raises(InputError) as caught:
        registry[choice["name"]].check({key: value for key, value in choice.items() if key != "name"}, "paint")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("value", "hint", "result"),
    [
        (1, float, 1.0),
        (None, int | None, None),
        (3, int | Sequence[int], 3),
        ([3, 4], int | Sequence[int], (3, 4)),
        ("a", Literal["a", "b"], "a"),
        ([[1, 2], [3]], Sequence[Sequence[int]], ((1, 2), (3,))),
        (1.5, int, InputError),
        ("1", float, InputError),
        (1, bool, InputError),
        (3, str, InputError),
        ("c", Literal["a", "b"], InputError),
        (["x"], int | None, InputError),
        ([1, 2], tuple[int, float], (1, 2.0)),
        ([1, 2], tuple[int, ...], (1, 2)),
        ([1], tuple[int, float], InputError),
        ([1, 2, 3], tuple[int, float], InputError),
    ],
)
def test_values_are_checked_by_type(value, hint, result):
    if result is InputError:
        with pytest.raises(InputError, match="x"):
            checked(value, hint, "x")
    else:
        assert checked(value, hint, "x") == result


def test_a_message_names_all_types_that_fit():
    hint = Annotated[int, Within(1)] | Sequence[int]
    with pytest.raises(InputError, match=r"x = 'a' must be a whole number or a list\."):
        checked("a", hint, "x")
    with pytest.raises(InputError, match="x = 0 is out of range"):
        checked(0, hint, "x")


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        (Within(1), "at least 1"),
        (Within(0, 2**63 - 1), "from 0 to 9223372036854775807"),
        (Within(0.0, 1e6), "from 0 to 1000000"),
        (Within(0, 1, above=True), "above 0 and at most 1"),
        (Within(0.5, above=True), "above 0.5"),
        (Within(0.25, 1e-9), "from 0.25 to 1e-09"),
    ],
)
def test_a_range_prints_its_ends_in_full(bounds, text):
    assert str(bounds) == text


def test_options_that_follow_from_others_are_filled_in():
    shapes = Registry("shape")

    @shapes.register(complete=lambda options: {**options, "area": options["side"] ** 2})
    def square(side: int = 2, area: int | None = None):
        return area

    assert shapes["square"].completed({}) == {"side": 2, "area": 4}
    assert shapes["square"].completed({"side": 3}) == {"side": 3, "area": 9}


def test_an_entry_knows_the_general_settings_that_it_uses():
    shapes = Registry("shape")

    @shapes.register(uses=("seed",))
    def plain():
        return None

    @shapes.register(uses=lambda options: ("seed",) if options["random"] else ())
    def perhaps(random: bool = False):
        return None

    assert shapes["plain"].uses({}) == ("seed",)
    assert shapes["perhaps"].uses({"random": True}) == ("seed",)
    assert shapes["perhaps"].uses({"random": False}) == ()


@pytest.mark.parametrize("form", ["function", "partial", "object", "method"])
def test_own_functions_may_be_anything_callable(registry, form):
    def mine(context, share: "float" = 0.5):  # as text, as `from __future__ import annotations` leaves it
        return context, share

    class Mine:
        def __call__(self, context, share: "float" = 0.5):
            return context, share

    functions = {"function": mine, "partial": partial(mine, share=0.2), "object": Mine(), "method": Mine().__call__}
    entry = registry.user_entry("mine", functions[form])
    assert entry.defaults == {"share": 0.2 if form == "partial" else 0.5}
    assert entry.bind(entry.check({"share": 1}, "paint"))("canvas") == ("canvas", 1.0)
    with pytest.raises(InputError, match=r"paint\.share = 'a' must be a number"):
        entry.check({"share": "a"}, "paint")
    assert "mine" not in registry


def test_an_own_class_is_made_of_its_options_alone(registry):
    class Mine:
        def __init__(self, share: float = 0.5):
            self.share = share

    entry = registry.user_entry("Mine", Mine)
    assert entry.defaults == {"share": 0.5}
    assert entry.bind(entry.check({"share": 1}, "paint")).share == 1.0
    assert registry.user_entry("Plain", type("Plain", (), {"__init__": lambda self: None})).defaults == {}


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: 0, "mine takes 0 arguments: a colour is handed 1."),
        (lambda *args, **kw: 0, "mine takes \\*args, which hides its parameters: give them names"),
        (lambda *, context: 0, "mine takes 0 arguments: a colour is handed 1."),
        (lambda context, *more: 0, r"mine has the parameter \*more: its options must have names of their own."),
        (lambda context, **more: 0, r"mine has the parameter \*\*more"),
        (lambda context, more, /: 0, "mine has the parameter more"),
        (dict, "mine has no signature that can be read: write it in Python."),
    ],
)
def test_own_functions_with_a_wrong_signature_are_refused(registry, function, message):
    with pytest.raises(InputError, match=message):
        registry.user_entry("mine", function)


def test_common_options_are_not_handed_to_the_function():
    size = Parameter("size", Parameter.KEYWORD_ONLY, default=20, annotation=int)
    shapes = Registry("shape", 1, common=[size])

    @shapes.register()
    def square(context, side: int = 2):
        return context, side

    assert shapes["square"].defaults == {"size": 20, "side": 2}
    assert shapes["square"].bind({"size": 9, "side": 3})("given") == ("given", 3)
    own = shapes.user_entry("mine", lambda context: context)
    assert own.check({"size": 7}, "shape") == {"size": 7}
    assert own.bind({"size": 7})("given") == "given"
