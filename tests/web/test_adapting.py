"""The opponent that adapts believes and plans in the page's modules what it does in pigevo."""

import json

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.people import account, answers_to_holds, first_belief, learned, plan
from pigevo.people.habits import SLIPS
from pigevo.web.site import adapting_file
from tests.people.games import turns_by
from tests.web.in_node import needs_node, run

pytestmark = needs_node
GAME = pigevo.Pig(target=24)

LEARN = """
import { account, estimate, firstBelief, learned, plan } from "./js/play/adapting.js";
const data = JSON.parse(readFileSync(`${place}/adapting.json`));
const games = JSON.parse(readFileSync(`${place}/games.json`));
let belief = firstBelief(data);
const plans = [];
const found = games.map((turns, n) => {
  plans.push(plan(data, belief, n % 2));
  const { answer, to, share, mostLoss, gain } = plans.at(-1);
  belief = learned(data, belief, turns);
  const chances = belief.joint.map((row) => row.reduce((sum, one) => sum + one));
  return { answer, to, share, mostLoss, gain, chances, ...estimate(belief), turns: belief.turns, decisions: belief.decisions };
});
say({ found, account: account(plans, belief) });
"""


def as_the_page_has_it(turn):
    throws = [{"points": points, "ends": None if points else "turn"} for points in turn.dice]
    return {"player": 0, "own": turn.own, "score": turn.score, "throws": throws, "banked": turn.banked}


@pytest.mark.parametrize("value", [3, 8, 15])
def test_beliefs_and_plans_are_those_of_pigevo(tmp_path, value):
    games = [turns_by(GAME, value, float(SLIPS[3]), float(SLIPS[4]), seed=10 * value + n) for n in range(5)]
    (tmp_path / "adapting.json").write_bytes(adapting_file(GAME))
    (tmp_path / "games.json").write_text(json.dumps([[as_the_page_has_it(turn) for turn in one] for one in games]))
    answered, answers = run(LEARN, tmp_path), answers_to_holds(GAME)
    belief, plans = first_belief(GAME), []
    for n, (turns, believed) in enumerate(zip(games, answered["found"], strict=True)):
        plans.append(plan(belief, answers, n % 2))
        assert (believed["answer"], believed["to"]) == (plans[-1].answer, plans[-1].to)
        assert [believed["share"], believed["mostLoss"]] == pytest.approx(
            [plans[-1].share, plans[-1].most_loss], abs=1e-12
        )
        assert believed["gain"] == pytest.approx(plans[-1].gain, abs=1e-7)
        belief = learned(belief, turns)
        assert np.array(believed["chances"]) == pytest.approx(belief.chances, abs=1e-5)
        assert (believed["low"], believed["value"], believed["high"]) == (
            belief.interval[0],
            belief.value,
            belief.interval[1],
        )
        assert (believed["turns"], believed["decisions"]) == (belief.turns, belief.decisions)
    right = account(plans, belief)
    whole = [answered["account"][name] for name in ("games", "gain", "low", "high", "mostLoss")]
    assert whole == pytest.approx([right.games, right.gain, right.low, right.high, right.most_loss], abs=1e-9)
    assert right.gain > 0


def test_what_is_drawn_beside_the_dice_is_that_of_the_terminal(tmp_path):
    script = 'import { uniform } from "./js/dice.js";\nsay([0, 1, 5].map((part) => uniform(77n, part)));'
    right = [float(Draw(77, "selection").at(part=part).uniforms(1)[0]) for part in (0, 1, 5)]
    assert run(script, tmp_path) == right
