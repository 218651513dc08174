"""What the Look part computes of a strategy, against pigevo's own figures."""

import numpy as np
import pytest

import pigevo
from pigevo.exact.choices import Choices
from pigevo.figures.decisions import decisions_data
from pigevo.web.site import GAME
from tests.web.in_node import needs_node, run, written

pytestmark = needs_node

SMALL = pigevo.Pig(target=21, sides=4)
STRATEGIES = [
    pigevo.random_strategy(SMALL, seed=4),
    pigevo.optimal(SMALL).strategy,
    pigevo.roll_to_win(SMALL),
    pigevo.hold_at(GAME, 20),
    pigevo.optimal(GAME).strategy,
]

STATES = """
import { firstHolds, rollsAgain, seenCells } from "./js/engine.js";
const roll = read("roll");
const holds = firstHolds(game, roll);
const again = rollsAgain(game, roll, holds);
write("seen", seenCells(game, roll));
say({ holds: [...holds], cells: again.cells, pairs: again.pairs });
"""


def states_of(strategy, folder):
    """What the page computes of a strategy, and the cells that it says are seen."""
    states = run(STATES, folder, strategy.game, roll=strategy.roll)
    return states, written(folder / "seen", strategy.roll.shape).astype(bool)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=str)
def test_the_surface_is_where_it_first_holds_and_what_rolls_above_it_is_listed(tmp_path, strategy):
    states, _ = states_of(strategy, tmp_path)
    data, target = decisions_data(strategy), strategy.game.target
    np.testing.assert_array_equal(np.reshape(states["holds"], (target, target)), data.first_hold)
    assert 1 - states["pairs"] / target**2 == pytest.approx(data.agrees)
    above = strategy.roll & (np.arange(target) > data.first_hold[:, :, None])
    above &= np.add.outer(np.arange(target), np.arange(target))[:, None, :] < target
    np.testing.assert_array_equal(np.reshape(states["cells"], (-1, 3)), np.argwhere(above))


def reached_in_play(strategy):
    """The cells that a player reaches against an opponent who may move to any score 2 or more higher: by brute force."""
    target, sides = strategy.game.target, strategy.game.sides
    seen, open_ = set(), [(0, j, 0) for j in range(target) if j != 1]
    while open_:
        i, j, k = state = open_.pop()
        if state in seen or i + k >= target:
            continue
        seen.add(state)
        rolls = k == 0 or strategy.roll[state]
        if rolls:
            open_ += [(i, j, k + face) for face in range(2, sides + 1)]
        open_ += [(i if rolls else i + k, later, 0) for later in range(j, target) if later != j + 1]
    return seen


@pytest.mark.parametrize("strategy", STRATEGIES[:3], ids=str)
def test_cells_that_are_seen(tmp_path, strategy):
    _, seen = states_of(strategy, tmp_path)
    assert set(map(tuple, np.argwhere(seen).tolist())) == reached_in_play(strategy)
    for opponent in STRATEGIES[:3]:
        visits = pigevo.reach(strategy, opponent)
        assert not ((visits.first + visits.second > 0) & ~seen).any()


JUDGED = """
import { evaluate, worth } from "./js/engine.js";
import { judged, sentences } from "./js/look/slice.js";
const values = evaluate(game, read("optimum"), read("optimum"));
const cells = CELLS;
const verdicts = cells.map(([i, j, k]) => judged(game, (...at) => worth(game, ...at), values, read("optimum"), read("other"), i, j, k))
  .map((verdict) => ({ ...verdict, sentences: sentences(verdict, "Hold at 20") }));
say({ verdicts, atTheStart: worth(game, values, 0, 0, 0) });
"""

CELLS = [(0, 0, 20), (0, 40, 20), (93, 12, 6), (31, 99, 5), (62, 40, 18), (98, 98, 1), (55, 70, 30), (42, 40, 20)]


def test_what_choices_are_worth_and_what_the_worse_one_costs(tmp_path):
    best, other = pigevo.optimal(GAME).strategy, pigevo.hold_at(GAME, 20)
    script, choices = JUDGED.replace("CELLS", str([list(c) for c in CELLS])), Choices(best, best)
    worths = run(script, tmp_path, GAME, optimum=best.roll, other=other.roll)
    assert worths["atTheStart"] == {"roll": pytest.approx(choices.at(0, 0).roll, abs=1e-9), "hold": None}
    for (i, j, k), verdict in zip(CELLS, worths["verdicts"], strict=True):
        exact = choices.at(i * 100 + j, k)
        expected = [exact.roll, exact.hold, abs(exact.gain)]
        assert [verdict[name] for name in ("roll", "hold", "cost")] == pytest.approx(expected, abs=1e-9)
        assert verdict["better"] == exact.better
        assert verdict["optimum"] == ("roll" if best.roll[i, j, k] else "hold")
        assert verdict["other"] == ("roll" if other.roll[i, j, k] else "hold")
        assert ("gives away" in verdict["sentences"][1]) == (verdict["better"] not in ("either", verdict["other"]))
        cost = f"{100 * verdict['cost']:.2f}".replace("0.00", "less than 0.01")
        assert verdict["better"] == "either" or f"would cost {cost} percentage points" in verdict["sentences"][0]
    assert "less than 0.01" in worths["verdicts"][-1]["sentences"][0]
