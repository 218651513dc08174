"""Sentences of the lessons that no command beside them prints."""

from itertools import permutations

import pytest

import pigevo
from tests.docs.pages import DOCS


def simple_strategies(target):
    """The different ones among all turtles, hold values, ways to wait, and roll to win."""
    game = pigevo.Pig(target, allow_pass=True)
    values = range(1, target)
    words = [f"turtle:{n}" for n in values] + [f"hold_at:{n}" for n in range(2, target + 1)] + ["roll_to_win"]
    words += [f"roll_and_wait:{score},{n}" for score in values for n in values]
    return [
        *{
            strategy.roll.tobytes(): strategy for strategy in (pigevo.parse_strategy(word, game) for word in words)
        }.values()
    ]


@pytest.mark.parametrize("target", [3, 4, 5, 6])
def test_circles_of_simple_strategies_begin_with_a_target_of_6(target):
    matrix = pigevo.win_matrix(simple_strategies(target)) > 0.5 + 1e-9
    circles = [trio for trio in permutations(range(len(matrix)), 3)
               if matrix[trio[0], trio[1]] and matrix[trio[1], trio[2]] and matrix[trio[2], trio[0]]]  # fmt: skip
    assert bool(circles) == (target == 6)
    assert "circles begin with a target of 6" in (DOCS / "tutorial/circle.md").read_text(encoding="utf-8")


def test_hold_at_20_does_better_against_the_optimum_than_its_best_response():
    game = pigevo.Pig()
    best = pigevo.optimal(game).strategy
    own, answer = (
        pigevo.win_probability(strategy, best).overall
        for strategy in (pigevo.hold_at(game, 20), pigevo.best_response(pigevo.hold_at(game, 20)).strategy)
    )
    text = " ".join((DOCS / "tutorial/responses.md").read_text(encoding="utf-8").split())
    assert (
        f"against the optimum it wins {100 * answer:.1f} % only, less than hold at 20 itself, which wins {100 * own:.1f} %"
        in text
    )
