"""The tuning study: its budget, and a tiny form."""

import csv

import pytest

from pigevo.errors import InputError
from pigevo.experiments import load_study
from pigevo.experiments.common.tables import read_sections
from pigevo.settings.settings import Settings
from pigevo.sweeps.tuning import search_space

STUDY = load_study("tuning")
PAPER = {
    "mutation": "0.005",
    "population.size": "20",
    "fitness.games": "100",
    "cubes.sizes": "[20,10,5]",
    "replacement": "offspring",
}


def spent(words):
    """The games of a run by its plan: those of all generations, and those that name the champion."""
    plan = Settings.of(*STUDY.WORDS, *words, "workers=1").plan
    return plan.fitness.games * (plan.generations * plan.size // 2 + plan.champion_matches)


def test_the_papers_own_settings_have_their_own_generations():
    assert STUDY.at_budget(PAPER)[-1] == "cubes.generations=100"
    assert spent(STUDY.at_budget(PAPER)) == STUDY.BUDGET
    for words in STUDY.PAPER.values():
        assert spent([words]) == STUDY.BUDGET


@pytest.mark.parametrize(
    "changed",
    [{"population.size": "60", "fitness.games": "20"}, {"population.size": "10", "fitness.games": "400"},
     {"cubes.sizes": "[10]", "fitness.games": "33"}, {"population.size": "38", "cubes.sizes": "[20,10]"}],
)  # fmt: skip
def test_no_proposal_spends_more_and_none_much_less(changed):
    values = PAPER | changed
    games = spent(STUDY.at_budget(values))
    a_generation = 3 * int(values["population.size"]) // 2 * int(values["fitness.games"])
    assert STUDY.BUDGET - a_generation < games <= STUDY.BUDGET


def test_what_leaves_no_generation_is_refused():
    with pytest.raises(InputError, match="leave no generation in 319,000 games"):
        STUDY.at_budget(PAPER | {"population.size": "60", "fitness.games": "180"})


def test_the_papers_settings_are_among_those_that_are_searched():
    space = {option.key: option.distribution for option in search_space(STUDY.SEARCHED)[1]}
    for key, value in PAPER.items():
        assert space[key]._contains(space[key].to_internal_repr(type(getattr(space[key], "low", ""))(value)))


@pytest.mark.slow
def test_the_study_writes_its_tables(monkeypatch, tmp_path):
    monkeypatch.setattr(STUDY, "BUDGET", 6_000)
    monkeypatch.setattr(STUDY, "WORDS", (*STUDY.WORDS, "debug=fast", "game.target=20"))
    monkeypatch.setattr(STUDY, "with_stated", lambda words, _: [*words])
    monkeypatch.setattr(STUDY, "RUNS", 120)
    monkeypatch.setattr(STUDY, "SEARCHED", ("mutation=0..0.1", "population.size=4..8:2", "fitness.games=2..4",
                                            "cubes.sizes=[10],[5]", "replacement=offspring"))  # fmt: skip
    STUDY.run(tmp_path, 2, 2)
    table = read_sections(tmp_path)["table"]
    assert table.count("| tuned | ") == 1 + 4
    assert "| random search | 2 | " in table
    assert len(list(csv.DictReader((tmp_path / "proposals.csv").open()))) == 2
