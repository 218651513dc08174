"""What every file of the package may do and must have, checked by reading the source."""

import ast

from pigevo.studies.find import experiments_folder
from tests.house import FILES, STUDIES, calls, files_of, imports, name_of, tree_of

SEEDS_RANDOM = {"evolution/deap_adapter.py"}
LOOKS_AT_RANDOM = {"settings/operator_checks.py"}  # whether an operator has drawn from what is not its own
OPENING = {"open", "save", "load", "savez", "savefig", "read_text", "read_bytes", "write_text", "write_bytes"}
PICKLING = {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "joblib"}


def test_evolution_games_and_figures_open_no_file():
    for path in files_of("evolution", "games", "figures"):
        named = {getattr(call.func, "id", getattr(call.func, "attr", "")) for call in calls(path)}
        assert not named & OPENING, name_of(path)
        assert not {"pigevo.storage.files", "pathlib", "io"} & set(imports(path)), name_of(path)


def test_the_check_of_operators_only_looks_at_random():
    for path in [p for p in FILES if name_of(p) in LOOKS_AT_RANDOM]:
        used = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)]
        of_random = {node.attr for node in used if ast.unparse(node.value) in ("random", "np.random", "numpy.random")}
        assert of_random == {"getstate", "get_state"}
        assert "from random" not in path.read_text()


def test_only_the_adapter_touches_random():
    for path in [p for p in FILES if name_of(p) not in SEEDS_RANDOM | LOOKS_AT_RANDOM]:
        named = set(imports(path))
        assert not {n for n in named if n.split(".")[0] in ("random", "secrets")}, name_of(path)
        allowed = {"numpy.random", "numpy.random.Philox"} if name_of(path) == "dice/__init__.py" else set()
        assert {n for n in named if n.startswith("numpy.random")} <= allowed, name_of(path)
        assert not [
            node for node in ast.walk(tree_of(path))
            if isinstance(node, ast.Attribute) and node.attr == "random" and getattr(node.value, "id", "") in ("np", "numpy")
        ], name_of(path)  # fmt: skip


def test_nothing_is_pickled():
    for path in FILES:
        assert not {n.split(".")[0] for n in imports(path)} & PICKLING, name_of(path)
        for keyword in [keyword for call in calls(path) for keyword in call.keywords if keyword.arg == "allow_pickle"]:
            assert isinstance(keyword.value, ast.Constant)
            assert keyword.value.value is False


def public(node, inside=""):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not child.name.startswith("_"):
            yield f"{inside}{child.name}", child
            if isinstance(child, ast.ClassDef):
                yield from public(child, f"{child.name}.")


def test_every_public_name_has_a_docstring():
    for path in FILES:
        assert ast.get_docstring(tree_of(path)), name_of(path)
        assert [name for name, node in public(tree_of(path)) if not ast.get_docstring(node)] == [], name_of(path)


def test_every_kernel_file_is_part_of_the_key_of_the_cache():
    from pigevo.compiled.cache import kernel_files

    making = {"pigevo.compiled.kernel.kernel", "numba.njit", "numba.jit", "numba.extending.intrinsic"}
    using = {path for path in [*FILES, *STUDIES] if making & set(imports(path))}
    assert experiments_folder() / "bonnet2018" / "iteration_kernels.py" in using
    assert using <= set(kernel_files())
