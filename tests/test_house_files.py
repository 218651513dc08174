"""What each file of the house may do and must have, held by reading the source."""

import ast

import pytest

from pigevo.studies.find import experiments_folder
from tests.house import FILES, STUDIES, all_files, beside_the_package, imports, in_rooms, name_of, tree_of

MAY_TOUCH_RANDOM = {"evolution/deap_adapter.py"}
MAY_LOOK_AT_RANDOM = {"settings/operator_checks.py"}  # whether an operator has drawn from what is not its own


def calls(path):
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]


@pytest.mark.parametrize("path", in_rooms("evolution", "games", "figures"))
def test_evolution_games_and_figures_open_no_file(path):
    opening = {
        "open",
        "save",
        "load",
        "savez",
        "savefig",
        "read_text",
        "read_bytes",
        "write_text",
        "write_bytes",
    }
    named = {getattr(c.func, "id", getattr(c.func, "attr", "")) for c in calls(path)}
    assert named & opening == set()
    assert {"pigevo.storage.files", "pathlib", "io"} & set(imports(path)) == set()


@pytest.mark.parametrize("path", [p for p in all_files() if p.id in MAY_LOOK_AT_RANDOM])
def test_who_may_look_at_random_does_no_more(path):
    used = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)]
    of_random = {node.attr for node in used if ast.unparse(node.value) in ("random", "np.random", "numpy.random")}
    assert of_random == {"getstate", "get_state"}
    assert "from random" not in path.read_text()


@pytest.mark.parametrize("path", [p for p in all_files() if p.id not in MAY_TOUCH_RANDOM | MAY_LOOK_AT_RANDOM])
def test_no_file_but_the_adapter_touches_random(path):
    named = set(imports(path))
    assert {n for n in named if n.split(".")[0] in ("random", "secrets")} == set()
    assert {n for n in named if n.startswith("numpy.random")} <= {"numpy.random", "numpy.random.Philox"}
    if name_of(path) != "dice/__init__.py":
        assert not any(n.startswith("numpy.random") for n in named)
    attributes = [
        node for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr == "random" and getattr(node.value, "id", "") in ("np", "numpy")
    ]  # fmt: skip
    assert attributes == []


@pytest.mark.parametrize("path", all_files())
def test_nothing_is_pickled(path):
    assert {n.split(".")[0] for n in imports(path)} & {
        "pickle",
        "cPickle",
        "dill",
        "cloudpickle",
        "shelve",
        "joblib",
    } == set()
    for call in calls(path):
        for keyword in call.keywords:
            if keyword.arg == "allow_pickle":
                assert isinstance(keyword.value, ast.Constant)
                assert keyword.value.value is False


def test_the_files_beside_the_package_are_read():
    assert {one.id.split("/")[0] for one in beside_the_package()} == {"docs", "experiments", "tests"}


@pytest.mark.parametrize("path", [*all_files(), *beside_the_package()])
def test_files_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 450


def public(node, inside=""):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not child.name.startswith("_"):
            yield f"{inside}{child.name}", child
            if isinstance(child, ast.ClassDef):
                yield from public(child, f"{child.name}.")


@pytest.mark.parametrize("path", all_files())
def test_every_public_name_has_a_docstring(path):
    tree = tree_of(path)
    assert ast.get_docstring(tree), "the module itself"
    assert [name for name, node in public(tree) if not ast.get_docstring(node)] == []


def test_every_kernel_file_is_part_of_the_key_of_the_cache():
    from pigevo.compiled.kernel import kernel_files

    keyed = set(kernel_files())
    using = {
        path for path in [*FILES, *STUDIES]
        if any(n in ("pigevo.compiled.kernel.kernel", "numba.njit", "numba.jit", "numba.extending.intrinsic") for n in imports(path))
    }  # fmt: skip
    assert experiments_folder() / "bonnet2018" / "iteration_kernels.py" in using
    assert using <= keyed
