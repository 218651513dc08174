"""The page of optimisers: each of the three libraries finds the rule that the page promises."""

import sys

import pytest

import pigevo
from tests.docs.pages import EXAMPLES


@pytest.fixture
def optimise(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    import optimise

    yield optimise
    del sys.modules["optimise"]


@pytest.mark.slow
@pytest.mark.parametrize("library", ["cma", "optuna", "pymoo"])
def test_it_finds_a_rule_that_wins_495(optimise, library):
    pytest.importorskip(library)
    found = getattr(optimise, f"by_{library}")(seed=2)
    assert pigevo.win_probability(found, optimise.OPTIMUM).overall > 0.495


def test_the_loss_is_exact(optimise):
    plain = pigevo.win_probability(pigevo.hold_at(optimise.GAME, 20), optimise.OPTIMUM).overall
    assert optimise.loss([20, 0, 100]) == 0.5 - plain
    paced = pigevo.Strategy.from_function(
        optimise.GAME, lambda i, j, k: (max(i, j) >= 71) or k < 21 + (j - i) / 8
    )  # fmt: skip
    assert optimise.strategy_of([21, 0.125, 71]) == paced
