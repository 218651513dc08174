"""Functions of users are told apart by everything that they are made of."""

import dataclasses
import functools
import importlib.metadata
import os
import re
import reprlib
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from unittest.mock import MagicMock

import numpy as np
import pytest
import scipy.special
import scipy.stats

import pigevo
from pigevo.user_code.loading import file_and_line, identity_of_object, load
from pigevo.user_code.source import DEPENDENCIES, packages_of
from tests.cases import sample
from tests.own import identity, typed, write
from tests.user_code.captured import DIFFERENT, UNKNOWN, captured_by


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_an_identity_is_the_same_in_any_process():
    write("ops.py", "def mine(names={'a', 'b', 'c'}, f=lambda: 1): return {'a', 'b'} - names\n")
    code = "from pigevo.user_code.loading import load, identity_of_object as i; print(load('ops.py:mine').identity)\n"
    code += 'm = {}; exec(\'def f(x, a={"x", "y"}): return x in {"a", "b"}\', m); print(i(m[\'f\']).identity)'
    env = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    first, second = (
        subprocess.check_output([sys.executable, "-c", code], env=env | {"PYTHONHASHSEED": n}) for n in "12"
    )
    assert first == second
    assert first.decode().split()[0] == load("ops.py:mine").identity


def test_functions_of_installed_packages(monkeypatch):
    own = load("scipy.stats:rankdata")
    halves = [functools.partial(own.function, axis=axis) for axis in (0, 1)]
    made = [reprlib.recursive_repr(n) for n in (1, 2)]
    functions = [own.function, *halves, np.add, scipy.special.expit, pigevo.hold_at, *made, max, min]
    before = [identity(function) for function in functions]
    assert (len(set(before)), before[0]) == (len(functions), own.identity)
    assert not any(identity_of_object(function).files for function in functions)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.0")
    monkeypatch.setattr(pigevo.user_code.identity, "__version__", "0.0")
    after = [identity(function) for function in functions]
    assert [now == then for now, then in zip(after, before, strict=True)] == [False] * 6 + [True] * 4


def test_functions_of_a_notebook_are_told_apart_by_their_text():
    texts = ["x + 1", "x + 2", "x - 1", "abs(x) + 1", "len(x) + 1", "(lambda: 1)()", "(lambda: 2)()"]
    made = [*EMPTY_CELLS, *(typed(f"def f(x): return {text}") for text in texts)]
    made += [typed(f"def f(x, {y}): return x + 1") for y in ("y=1", "y=2", "*, y=2", "*, y=3", "y", "z")]
    made += [typed(f"def f(x): return {n}", __name__="numpy") for n in (1, 2)]
    made += [typed("def f(x): return [x + RATE for _ in x]", RATE=rate) for rate in (1, 2)]
    made += [typed("def f(x): return g(x)", g=typed(f"def f(x): return {n}")) for n in (1, 2)]
    made += [typed(f"class f:\n  def __call__(self): return {n}\n  a = {m}") for n in (1, 2) for m in (1, 2)]
    made += [typed(f"class f:\n  @classmethod\n  def g(self): return {n}") for n in (1, 2)]
    made += typed("f = [lambda x: x + 1, lambda x: x + 2]")
    assert len({identity(function) for function in made}) == len(made)
    own = identity_of_object(typed("def f(x): return x + 1"))
    assert (own.name, own.path, own.files, own.identity) == ("f", None, (), identity(made[2]))
    assert identity_of_object(type("New", (), {})).files == ()


MAKERS = """
import functools, helper_of_test, numba, numpy as np
RATE = 1
class Base:
    rate = 1
class Reading(Base):
    def __call__(self, x): return self.rate + other()
def other(): return RATE + helper_of_test.RATE
PAIR = (lambda x: x + 1), (lambda x: x + 2)
def make(value):
    def inner(x): return value
    return inner
def takes(x, value=None): return value
class Kind:
    def __init__(self, value): self.value = value
    def __call__(self, x): return self.value
    def method(self, x): return self.value
class Wrapper(Kind):
    def __init__(self, value): self.value = functools.update_wrapper(self, takes) and value
def decorated(value): return functools.wraps(takes)(make(value))
wrapped = decorated(1)
@numba.njit
def compiled(value): return value
short = lambda a: 1
WAYS = [
    make, lambda value: functools.partial(takes, value=value), decorated, Kind, lambda value: Kind(value).method, Wrapper,
    lambda value: type(takes)(takes.__code__, globals(), "takes", (value,)), lambda value: np.vectorize(make(value)),
    lambda value: make({1: [make(Kind(value))]})]
"""


@pytest.fixture
def ops(tmp_path, monkeypatch):
    write("imported/helper_of_test.py", "RATE = 1\n")
    write("imported/makers_of_test.py", MAKERS)
    monkeypatch.syspath_prepend(tmp_path / "imported")
    yield __import__("makers_of_test")
    del sys.modules["makers_of_test"], sys.modules["helper_of_test"]


def test_an_object_is_known_by_its_file_if_that_still_holds_it(ops):
    path = Path(ops.__file__)
    assert ops.compiled(1) == 1
    assert load(f"{path}:short").identity == identity(ops.short)
    assert file_and_line(ops.wrapped) == file_and_line(ops.takes)
    path.write_text("# above\n" + MAKERS)
    before = {name: identity_of_object(getattr(ops, name)) for name in ("Kind", "takes", "wrapped", "compiled")}
    for name, own in before.items():
        assert dataclasses.replace(load(f"{path}:{name}"), name=own.name, function=own.function) == own
        assert (own.path, own.files) == (path, (path, path.parent / "helper_of_test.py"))
    path.write_text(MAKERS.replace("value\n", "value, 1\n"))
    for name, then in before.items():
        assert identity(then.function) not in (then.identity, load(f"{path}:{name}").identity)
        assert identity_of_object(then.function).files == ()
        assert identity_of_object(then.function).edited in ("Kind.__call__", "takes", "compiled")
    path.write_text("def (")
    assert identity(ops.takes)


@pytest.mark.parametrize("change", ["ops.RATE", "ops.helper_of_test.RATE", "ops.Base.rate", "ops.other"])
def test_a_value_that_is_changed_from_outside_makes_another_function(ops, change, monkeypatch):
    before = identity(ops.Reading)
    owner, name = change.rsplit(".", 1)
    monkeypatch.setattr(eval(owner), name, len if name == "other" else 2)
    assert identity(ops.Reading) != before


@pytest.mark.parametrize("way", sample(range(9), 0, 4, 8))
def test_the_values_that_it_carries_belong_to_it(way, ops):
    values = [
        1, 2, 1.0, True, "1", b"1", None, (1, 2), [1, 2], (2, 1), {1: 2}, {2: 1}, {1, 2}, frozenset({1, 2}), ((1,), 2),
        1j, range(3), np.arange(3), np.arange(4), np.arange(3.0), np.arange(3.0, dtype='f4'), np.arange(4).reshape(2, 2), np.float32(1), np.uint8(1),
        pigevo.Pig(target=9), pigevo.Pig(target=10), ops.make(1), ops.make(2), ops.takes, max, min, *ops.PAIR,
    ]  # fmt: skip
    made = [ops.WAYS[way](value) for value in values]
    assert len({identity(function) for function in made}) == len(values)
    assert {identity_of_object(function).path for function in made} == {Path(ops.__file__)}
    for value, equal in ((1, 1), ({"b", "a"}, {"a", "b"}), (object(), object())):
        assert identity(ops.WAYS[way](value)) == identity(ops.WAYS[way](equal))


@pytest.mark.parametrize("name", sample(DIFFERENT, 0, 4, 8, 12, 16))
def test_other_values_make_another_function_however_it_reads_them(name):
    def identities(value):
        functions = [identity_of_object(function) for function in captured_by(value())]
        assert {own.unknown for own in functions} == {""}
        assert len({own.identity for own in functions}) == len(functions)
        return [own.identity for own in functions]

    value, other = DIFFERENT[name]
    assert identities(value) == identities(value)
    assert not set(identities(value)) & set(identities(other))


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_value_whose_content_cannot_be_read_is_named(name):
    sentence = re.compile(
        rf"(module\.)?(value|other) of .*(takes|given|attributed|f|Kind) is a {name}, whose content .*"
    )
    for function in captured_by(UNKNOWN[name]()):
        assert sentence.fullmatch(identity_of_object(function).unknown)
    assert identity_of_object(UNKNOWN[name]()).unknown.startswith(f"it is a {name}, ")


def test_what_an_installed_object_is_bound_to_belongs_to_it():
    assert identity_of_object(scipy.stats.norm(1).rvs).unknown.startswith("it is a method, ")
    assert identity_of_object(scipy.stats.norm.rvs).unknown == ""


def test_a_function_whose_source_is_not_known_is_named():
    for function in (eval("lambda x: x", {}), functools.partial(eval("lambda x: x"), 1)):
        assert identity_of_object(function).unknown == "<lambda> has no source: write it into a file"


HOSTILE = type("Hostile", (), {"__getattr__": lambda self, name: 1 / 0, "__call__": lambda self: None})()
RECURSIVE = typed("def g():\n  def f(n): return f(n - 1)\n  return f\nf = g()")
LATE = "def g():\n  def f(): return late, {}\n  if 0: late = 1\n  return f\nf = g()"
EMPTY_CELLS = [typed(LATE.format(n)) for n in (1, 2)]
LOOP = []
LOOP += [LOOP] * 10
ODD = [
    HOSTILE, RECURSIVE, *EMPTY_CELLS, functools.partial(max, LOOP), functools.partial(max, HOSTILE), functools.partial(max, type("Odd", (list,), {"__iter__": None})()), str.upper,
    "x".upper, type, dict.fromkeys, len, type("New", (), {}), functools.lru_cache(RECURSIVE), 3, None, object(), os.path,
    np.frompyfunc(lambda x: x, 1, 1), typed("class f: x = 1"), classmethod(RECURSIVE), property(len), MagicMock(),
    eval("lambda x: x", {}), functools.partial(functools.partial(max, 1), 2), lambda self=LOOP: self,
]  # fmt: skip


def test_it_never_fails():
    for thing in ODD:
        own = identity_of_object(thing)
        assert all((own.identity == identity(thing), own.name, file_and_line(thing)))


def test_the_package_of_a_module_is_that_which_lists_it_whether_it_was_looked_up_or_known():
    listed = packages_distributions()
    for module, package in DEPENDENCIES.items():
        assert packages_of(module) == [package] == sorted(set(listed[module]))
    assert packages_of("pytest") == ["pytest"]
    assert packages_of("json") == packages_of("no_such_module") == []
