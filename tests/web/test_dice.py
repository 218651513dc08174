"""The dice in the page: those of `pigevo play --seed`, by a seed from the address or by one that nobody can foresee."""

from itertools import islice

import pytest

from pigevo.dice import LARGEST_SEED, Die, Draw
from pigevo.games import GAMES
from pigevo.web.site import GAME
from tests.web.in_node import needs_node, run

pytestmark = needs_node
SEEDED = """
import { seededDice } from "./js/dice.js";
const dice = seededDice(%sn, %s, game.die);
say(Array.from({ length: 2000 }, () => dice.next().value));
"""


@pytest.mark.parametrize("game", [GAME, GAMES["big_pig"].bind({})], ids=str)
@pytest.mark.parametrize(("seed", "part"), [(0, 0), (7, 3), (LARGEST_SEED, 1)])
def test_seeded_dice_are_pigevos(tmp_path, game, seed, part):
    rolls = Draw(seed, "dice").at(part=part).rolls(Die.of(game.die, game.bust))
    assert run(SEEDED % (seed, part), tmp_path, game) == list(islice(rolls, 2000))


def test_a_seed_is_a_number_that_pigevo_takes(tmp_path):
    script = 'import { readSeed } from "./js/dice.js"; say(TEXTS.map((text) => String(readSeed(text))));'
    texts = ["0", "7", str(LARGEST_SEED), str(LARGEST_SEED + 1), "-1", "1.5", "", "x", "9" * 40]
    seeds = run(script.replace("TEXTS", str(texts)), tmp_path)
    assert seeds == [*texts[:3], *["null"] * 6]


def test_a_fresh_seed_is_one_that_pigevo_takes_and_another_each_time(tmp_path):
    script = 'import { freshSeed } from "./js/dice.js"; say(Array.from({ length: 1000 }, () => String(freshSeed())));'
    seeds = {int(seed) for seed in run(script, tmp_path)}
    assert len(seeds) == 1000
    assert 0 <= min(seeds) < LARGEST_SEED // 100
    assert LARGEST_SEED - LARGEST_SEED // 100 < max(seeds) <= LARGEST_SEED


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles"])
def test_the_seed_of_a_day_is_the_same_everywhere(tmp_path, monkeypatch, zone):
    monkeypatch.setenv("TZ", zone)
    script = 'import { seedOfDay } from "./js/dice.js"; say(TIMES.map((time) => String(seedOfDay(new Date(time)))));'
    times = ["2026-01-31T00:00:00Z", "2026-01-31T23:59:59Z", "2026-02-01T00:00:00Z", "2026-01-31T23:00:00-02:00"]
    assert run(script.replace("TIMES", str(times)), tmp_path) == ["20260131", "20260131", "20260201", "20260201"]
