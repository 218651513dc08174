"""The study of co-evolution from beginning to end: every table and picture, and going on."""

import pytest

from pigevo.studies.find import load_study
from tests.experiments.coevolution import SMALL

load_study("coevolution")
from pigevo_study_coevolution import (  # noqa: E402
    contest,
    disengagement,
    fitnessless,
    generalised,
    interaction,
    kept,
    matches,
    memories,
    study,
    tops,
    worlds,
)


@pytest.fixture
def tiny(monkeypatch):
    """The study with next to nothing to do."""
    for module, name, value in (
        (interaction, "STEPS", 20), (interaction, "BUDGET", 1800), (memories, "BUDGET", 800), (matches, "BUDGET", 24_000),
        (matches, "GAMES", (6, 60)), (matches, "SIZES", (4, 8)), (matches, "PER_GENERATION", (80,)),
        (matches, "GENERATIONS", 2), (disengagement, "GENERATIONS", 1), (disengagement, "SHARES", (0.5, 1.0)),
        (fitnessless, "GENERATIONS", 1), (tops, "MIXTURES", 30), (tops, "EXHAUSTED", {}), (generalised, "SAMPLES", 2),
        (generalised, "WORLDS", {"small": SMALL}), (generalised, "TESTS", (5, 9)),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(study, "find_spec", lambda name: None)
    monkeypatch.setattr(fitnessless, "WORLDS", {worlds.TEN.name: worlds.TEN})
    monkeypatch.setattr(contest, "SUITE", "t10-d2-c2-exact")
    generalised.truth.cache_clear()
    yield
    generalised.truth.cache_clear()


@pytest.mark.slow
def test_the_study_writes_every_table_and_picture_and_goes_on(tiny, tmp_path, monkeypatch):
    study.run(tmp_path, 2, 1)
    names = {path.name for path in tmp_path.iterdir() if path.is_file()}
    parts = {"interaction", "fitnessless", "memories", "generalised", "tops", "disengagement", "games", "sizes"}
    assert {f"{part}.md" for part in parts} | {f"{part}.csv" for part in parts} <= names
    pictures = {f"{one}.png" for one in ("bilinear", "tops", "generalised", "disengagement", "games", "sizes")}
    assert {name for name in names if name.endswith(".png")} == pictures
    claims = (tmp_path / "claims.md").read_text()
    assert claims.count("\n") > 15
    assert claims.count(": ") >= claims.count("\n") - 2
    assert "| nash_memory |" in (tmp_path / "benchmark.md").read_text()
    before = {name: (tmp_path / name).read_bytes() for name in names if not name.endswith(".png")}
    monkeypatch.setattr(kept, "_done", lambda work, keys, workers: iter([] if not keys else [None]))
    study.run(tmp_path, 2, 1)
    assert before == {name: (tmp_path / name).read_bytes() for name in before}
