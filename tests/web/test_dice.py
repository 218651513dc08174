"""The dice in the page: with a seed those of `pigevo play --seed`, without one nobody's."""

import json
from itertools import islice

import pytest

from pigevo.dice import LARGEST_SEED, Die, Draw
from pigevo.games import GAMES
from pigevo.web.site import GAME, rules_of
from tests.web.in_node import needs_node, run

pytestmark = needs_node
SEEDED = """
import { seededDice } from "./js/dice.js";
const dice = seededDice(%sn, %s, %s);
say(Array.from({ length: 2000 }, () => dice.next().value));
"""


@pytest.mark.parametrize("game", [GAME, GAMES["big_pig"].bind({})], ids=str)
@pytest.mark.parametrize(("seed", "part"), [(0, 0), (7, 3), (LARGEST_SEED, 1)])
def test_seeded_dice_are_pigevos(tmp_path, game, seed, part):
    rolls = Draw(seed, "dice").at(part=part).rolls(Die.of(game.die, game.bust))
    die = json.dumps(rules_of("it", game)["die"])
    assert run(SEEDED % (seed, part, die), tmp_path) == list(islice(rolls, 2000))


def test_a_seed_is_a_number_that_pigevo_takes(tmp_path):
    script = 'import { readSeed } from "./js/dice.js"; say(TEXTS.map((text) => String(readSeed(text))));'
    texts = ["0", "7", str(LARGEST_SEED), str(LARGEST_SEED + 1), "-1", "1.5", "", "x", "9" * 40]
    seeds = run(script.replace("TEXTS", str(texts)), tmp_path)
    assert seeds == [*texts[:3], *["null"] * 6]


def test_fresh_dice_are_fair(tmp_path):
    """60,000 rolls of a die whose faces differ from 10,000 by more than 600 come less often than once in a billion."""
    script = """
    import { dice } from "./js/dice.js";
    const game = RULES, throwAll = dice(game, null, 0), counts = {};
    for (let n = 0; n < 60000; n++) { const face = throwAll(game.throws).faces[0]; counts[face] = (counts[face] ?? 0) + 1; }
    say(counts);
    """
    counts = run(script.replace("RULES", json.dumps(rules_of("pig", GAME))), tmp_path)
    assert sorted(counts) == ["1", "2", "3", "4", "5", "6"]
    assert all(abs(count - 10_000) < 600 for count in counts.values())
