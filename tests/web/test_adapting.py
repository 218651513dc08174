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
import { account, estimate, firstBelief, learned, plan } from "./js/play/opponents.js";
const data = JSON.parse(readFileSync(`${place}/adapting.json`));
const games = JSON.parse(readFileSync(`${place}/games.json`));
let belief = firstBelief(data);
const plans = [];
const beliefs = games.map((turns, n) => {
  plans.push(plan(data, belief, n % 2));
  belief = learned(data, belief, turns);
  const chances = belief.joint.map((row) => row.reduce((sum, chance) => sum + chance));
  return { plan: plans.at(-1), chances, ...estimate(belief), turns: belief.turns, decisions: belief.decisions };
});
say({ beliefs, account: account(plans, belief) });
"""


def as_the_page_has_it(turn):
    throws = [{"points": points, "ends": None if points else "turn"} for points in turn.dice]
    return {"player": 0, "own": turn.own, "score": turn.score, "throws": throws, "banked": turn.banked}


@pytest.mark.parametrize("value", [3, 8, 15])
def test_beliefs_and_plans_are_those_of_pigevo(tmp_path, value):
    games = [turns_by(GAME, value, float(SLIPS[3]), float(SLIPS[4]), seed=10 * value + n) for n in range(5)]
    (tmp_path / "adapting.json").write_bytes(adapting_file(GAME))
    (tmp_path / "games.json").write_text(json.dumps([[as_the_page_has_it(turn) for turn in turns] for turns in games]))
    output, answers = run(LEARN, tmp_path), answers_to_holds(GAME)
    belief, plans = first_belief(GAME), []
    for n, (turns, page) in enumerate(zip(games, output["beliefs"], strict=True)):
        plans.append(plan(belief, answers, n % 2))
        ours, theirs = plans[-1], page["plan"]
        assert (theirs["answer"], theirs["to"]) == (ours.answer, ours.to)
        assert [theirs["share"], theirs["mostLoss"]] == pytest.approx([ours.share, ours.most_loss], abs=1e-12)
        assert theirs["gain"] == pytest.approx(ours.gain, abs=1e-7)
        belief = learned(belief, turns)
        assert np.array(page["chances"]) == pytest.approx(belief.chances, abs=1e-5)
        low, high = belief.interval
        assert (page["low"], page["value"], page["high"]) == (low, belief.value, high)
        assert (page["turns"], page["decisions"]) == (belief.turns, belief.decisions)
    right = account(plans, belief)
    figures = [output["account"][name] for name in ("games", "gain", "low", "high", "mostLoss")]
    assert figures == pytest.approx([right.games, right.gain, right.low, right.high, right.most_loss], abs=1e-9)
    assert right.gain > 0


def test_the_numbers_drawn_beside_the_dice_are_those_of_the_terminal(tmp_path):
    script = 'import { uniform } from "./js/dice.js"; say([0, 1, 5].map((part) => uniform(77n, part)));'
    right = [float(Draw(77, "selection").at(part=part).uniforms(1)[0]) for part in (0, 1, 5)]
    assert run(script, tmp_path) == right
