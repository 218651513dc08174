"""What a run is: its settings, the source of what is not pigevo's own, and the versions of the dice and the engine."""

import shutil

import numpy as np
import pytest

import pigevo
from pigevo.evolution.operators import KINDS
from pigevo.settings.settings import Settings

OPS = """
from helper import few
def population(size, context): return context.draw.bits(size, context.grid.genes)
def fitness(tables, context): return tables.mean(axis=(1, 2, 3))
def selection(scores, context): return few(scores)
def crossover(first, second, context, share: float = 0.5): return first
def mutator(genomes, context): return genomes
def replacement(survivors, context): return survivors[:0]
"""
HELPER = "def few(scores): return scores.argsort()[: len(scores) // 2]\n"


@pytest.fixture
def ops(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "helper.py").write_text(HELPER)
    (tmp_path / "own" / "ops.py").write_text(OPS)
    return tmp_path / "own" / "ops.py"


def of(kind, path, *words):
    return Settings.of("game.target=12", f"{kind}=custom", f"{kind}.function={path}:{kind}", *words)


def test_an_edited_operator_or_what_it_imports_is_another_run_and_what_it_does_not_import_is_not(ops):
    before = {kind: of(kind, ops) for kind in KINDS}
    (ops.parent / "other.py").write_text("few = 3\n")
    assert of("selection", ops).hash == before["selection"].hash
    (ops.parent / "helper.py").write_text(HELPER + "# edited\n")
    assert of("selection", ops).hash != before["selection"].hash
    (ops.parent / "helper.py").write_text(HELPER)
    ops.write_text(OPS + "# edited\n")
    for kind in KINDS:
        after = of(kind, ops)
        assert (after.hash != before[kind].hash, after.folder != before[kind].folder) == (True, True), kind


def test_the_same_file_elsewhere_is_the_same_run(ops, tmp_path, monkeypatch):
    shutil.copytree(ops.parent, tmp_path / "moved")
    here, moved = of("crossover", ops), of("crossover", tmp_path / "moved" / "ops.py")
    assert (here.hash, here.folder) == (moved.hash, moved.folder)
    assert here.name.startswith("crossover.function=ops.py_crossover,")
    monkeypatch.chdir(ops.parent)
    assert of("crossover", "ops.py").folder == here.folder
    assert of("crossover", "ops.py").values["crossover"]["function"] == f"{ops}:crossover"  # found from any folder


def test_options_and_other_functions_of_the_file_are_other_runs(ops):
    default, changed = of("crossover", ops), of("crossover", ops, "crossover.options.share=0.3")
    assert len({settings.hash for settings in (default, changed, of("mutator", ops))}) == 3
    assert of("crossover", ops, "crossover.options.share=0.5").hash == default.hash


def test_functions_without_a_file_are_known_by_what_they_do():
    def made(number):
        return lambda first, second, context: first ^ np.uint8(number)

    hashes = [Settings.of("game.target=12", crossover=made(number)).hash for number in (0, 0, 1)]
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.parametrize("version", ["STREAM_VERSION", "ENGINE_VERSION"])
def test_the_versions_of_the_dice_and_of_the_engine_belong_to_it(monkeypatch, version):
    before = Settings.of("seed=3").folder
    monkeypatch.setattr(f"pigevo.settings.settings.{version}", -1)
    assert Settings.of("seed=3").folder != before


def saved(path, threshold):
    path.parent.mkdir(exist_ok=True)
    if path.suffix == ".csv":
        path.write_text("\n".join([",".join([str(threshold)] * 12)] * 12) + "\n")
    elif path.suffix == ".py":
        path.write_text(f"def rule(i, j, k): return k < {threshold}\n")
        return f"{path}:rule"
    else:
        pigevo.hold_at(pigevo.Pig(target=12), threshold).save(path)
    return str(path)


@pytest.mark.parametrize(
    ("suffix", "words"),
    [
        ("npz", ("fitness=exact_vs", "fitness.opponent={}")),
        ("csv", ("population=named", "population.names=['{}']")),
        ("py", ("population=named", "population.names=['{}']")),
    ],
)
def test_a_strategy_from_a_file_counts_by_its_content(tmp_path, suffix, words):
    def settings(word):
        return Settings.of("game.target=12", *(part.format(word) for part in words))

    path = tmp_path / f"a.{suffix}"
    before = settings(saved(path, 5))
    assert settings(saved(tmp_path / "other" / f"b.{suffix}", 5)).hash == before.hash
    assert settings(saved(tmp_path / "other" / f"a.{suffix}", 5)).folder == before.folder
    assert settings(saved(tmp_path / "a.npz", 5)).hash == before.hash  # from whatever kind of file
    after = settings(saved(path, 6))
    assert after.hash != before.hash
    assert after.folder != before.folder
