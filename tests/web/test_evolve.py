"""Evolution in the page: the same settings and seed give the populations of `python -m pigevo`, to the bit."""

import hashlib
import json
import shlex
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.core.portable_math import log1m
from pigevo.dice import LARGEST_SEED, Draw
from pigevo.evolution.random_search import search
from tests.web.in_node import needs_node, run, written

pytestmark = needs_node
CLOSE = 1e-12

EVOLVE = """
import { crowning, finished, firstState, nextState, planOf } from "./js/evolve/loop.js";
import { seedWords } from "./js/dice.js";
import { againstAll, turnsOfRoll } from "./js/evolve/grid.js";
import { randomSearch } from "./js/evolve/loop.js";
const { seed, fitness, ...settings } = SETTINGS;
const optimum = turnsOfRoll(settings.target, read("optimum"));
const plan = planOf({ ...settings, seed: seedWords(BigInt(seed)), optimum: fitness === "games" ? null : optimum });
const said = [];
let state = firstState(plan);
for (;;) {
  write(`genomes-${state.generation}`, state.genomes);
  const is_recorded = state.generation % EVERY === 0 || state.generation === plan.generations;
  const champion = is_recorded ? finished(crowning(plan, state)) : null;
  const exact = is_recorded ? Array.from(againstAll(plan.grids[state.wave], state.genomes, optimum)) : null;
  said.push({ evaluations: state.evaluations, games: state.games, champion, exact });
  if (state.generation === plan.generations) break;
  state = nextState(plan, state);
}
const search = randomSearch(plan, plan.grids[0]);
const strategies = state.evaluations + state.fresh;
const counts = [1, 2, 3, 4, 5].map((groups) => groups * plan.size);
say({ said, searches: [...counts, strategies].map((count) => search.best(count, optimum)) });
"""
DEFAULTS = {
    "seed": "0", "target": 100, "fitness": "games", "size": 20, "games": 100, "mutation": 0.005, "selection": "knockout",
    "replacement": "offspring", "sizes": [20, 10, 5], "lengths": [3, 3, 3],
}  # fmt: skip
SMALL = {"target": 20, "size": 8, "games": 10, "mutation": 0.02, "sizes": [6, 4, 1], "lengths": [2, 30, 20]}
RUNS = {
    "the defaults": {},
    "another seed": {"seed": str(LARGEST_SEED), "lengths": [2, 1, 2]},
    "round robin": {"selection": "round_robin", "size": 7, "games": 20, "sizes": [20, 10], "lengths": [2, 2]},
    "parents stay": {"replacement": "survivors_and_offspring", "lengths": [2, 2, 1]},
    "small": SMALL,
    "small, everyone meets and parents stay": {
        **SMALL, "selection": "round_robin", "replacement": "survivors_and_offspring", "size": 9,
    },
    "small, an odd number of survivors": {**SMALL, "size": 6, "games": 3},
    "cubes": {**SMALL, "sizes": [[7, 20, 3], [5, 3, 2]], "lengths": [5, 5], "seed": "12345678901234567"},
    "every gene flips": {**SMALL, "mutation": 1, "lengths": [2, 2, 2]},
    "no gene flips": {**SMALL, "mutation": 0, "lengths": [2, 2, 2]},
    "without luck": {"fitness": "exact_vs_optimal", "lengths": [2, 2, 1]},
    "small, without luck": {**SMALL, "fitness": "exact_vs_optimal", "lengths": [20, 30, 20]},
    "one game in a match": {**SMALL, "games": 1, "size": 16, "lengths": [3, 3, 3]},
    "one cell": {"target": 3, "size": 4, "games": 5, "sizes": [1], "lengths": [5]},
}  # fmt: skip


def words_of(settings):
    """The words of `python -m pigevo` for settings of the page."""
    sizes, lengths = (json.dumps(settings[name]).replace(" ", "") for name in ("sizes", "lengths"))
    return [
        "experiment=cube_random", "baseline=none", f"seed={settings['seed']}", f"game.target={settings['target']}",
        f"population.size={settings['size']}", f"mutation={settings['mutation']}", f"fitness={settings['fitness']}",
        *([f"fitness.games={settings['games']}"] if settings["fitness"] == "games" else []),
        f"selection={settings['selection']}", f"replacement={settings['replacement']}", f"cubes.sizes={sizes}",
        f"cubes.generations={lengths}",
    ]  # fmt: skip


WHOLE = "the whole run"
GOLDEN = json.loads(Path(__file__).with_name("golden_evolve.json").read_text())
"""The digest of the populations of each run, all generations one after the other."""


@pytest.mark.parametrize("name", [*RUNS, pytest.param(WHOLE, marks=pytest.mark.slow)])
def test_every_generation_is_the_same_to_the_bit(tmp_path, name):
    settings = DEFAULTS | ({"lengths": [100, 100, 100]} if name == WHOLE else RUNS[name])
    every = 5
    generations = list(pigevo.generations(*words_of(settings)))
    plan = generations[0].plan
    script = EVOLVE.replace("SETTINGS", json.dumps(settings)).replace("EVERY", str(every))
    page = run(script, tmp_path, optimum=pigevo.optimal(plan.game).strategy.roll)
    assert len(page["said"]) == len(generations) == sum(settings["lengths"]) + 1
    digest = hashlib.sha256()
    for said, one in zip(page["said"], generations, strict=True):
        genomes = written(tmp_path / f"genomes-{one.number}", one.genomes.shape)
        np.testing.assert_array_equal(genomes, one.genomes)
        digest.update(genomes.tobytes())
        assert (said["evaluations"], said["games"]) == (one.state.evaluations, one.state.games)
        if one.number % every == 0 or one.is_last:
            assert said["champion"]["member"] == one.best
            assert said["exact"] == pytest.approx(one.exact.tolist(), abs=CLOSE)
    assert digest.hexdigest() == GOLDEN[name]
    counts = [groups * plan.size for groups in range(1, 6)]
    for strategies, found in zip([*counts, one.state.evaluations + one.state.fresh], page["searches"], strict=True):
        assert found == pytest.approx(search(plan, plan.waves[0].grid, strategies).by_matches, abs=CLOSE)


def test_random_numbers_are_those_of_a_draw(tmp_path):
    draw, count = Draw(LARGEST_SEED, "mutation", 3, part=2), 300
    script = """
    import { bits, drawOf, log1m, permutation, positions, seedWords } from "./js/dice.js";
    const draw = drawOf(seedWords(SEEDn), "mutation", 3, 2);
    const placed = [];
    for (const rate of RATES) positions(draw, COUNT, rate, (place) => placed.push(place));
    say([Array.from(bits(draw, COUNT)), permutation(draw, COUNT), placed, NUMBERS.map(log1m)]);
    """
    rates, numbers = [0.0, 1e-300, 0.001, 0.3, 0.999999, 1.0], [0, 2.0**-53, 0.1, 0.25, 0.5, 0.75, 0.9, 1 - 2.0**-53]
    values = {"SEED": LARGEST_SEED, "RATES": rates, "COUNT": count, "NUMBERS": numbers}
    for name, value in values.items():
        script = script.replace(name, str(value))
    bits, order, placed, logarithms = run(script, tmp_path)
    assert bits == draw.bits(count).tolist()
    assert order == draw.permutation(count).tolist()
    assert placed == [place for rate in rates for place in draw.positions(count, rate).tolist()]
    assert logarithms == log1m(numbers).tolist()


LINKS = {
    "": [],
    "mutation=0.02&seed=7": ["mutation=0.02", "seed=7"],
    "population.size=9&selection=round_robin&fitness.games=7&cubes.sizes=[50,7]&cubes.generations=3": [
        "population.size=9", "selection=round_robin", "fitness.games=7", "cubes.sizes=[50,7]", "cubes.generations=3",
    ],
    "fitness=exact_vs_optimal&fitness.games=7&replacement=survivors_and_offspring&mutation=1e-3": [
        "fitness=exact_vs_optimal", "replacement=survivors_and_offspring", "mutation=0.001",
    ],
    "mutation=2&population.size=1&fitness.games=0&cubes.sizes=5,x&cubes.generations=-1&selection=no&seed=1e5": [],
}  # fmt: skip


def test_a_link_its_command_and_its_plan_say_the_same(tmp_path):
    script = """
    import { addressOf, commandOf, flipsOf, planSettings, settingsOf } from "./js/evolve/settings.js";
    say(LINKS.map((link) => {
      const settings = settingsOf(`evolve&${link}`);
      const plan = planSettings(settings, 100);
      const same = commandOf(settingsOf(addressOf(settings))) === commandOf(settings);
      return { words: commandOf(settings), same, plan, flips: flipsOf(plan) };
    }));
    """
    for said, words in zip(run(script.replace("LINKS", json.dumps([*LINKS])), tmp_path), LINKS.values(), strict=True):
        command = shlex.split(said["words"])
        usual = [word for word in ("mutation=0.005", "seed=0") if word.split("=")[0] not in str(words)]
        assert command[:4] == ["python", "-m", "pigevo", "experiment=cube_random"]
        assert sorted(command[4:]) == sorted([*words, *usual])
        assert said["same"]
        plan, ours = pigevo.Settings.of(*command[3:]).plan, said["plan"]
        assert [wave.grid.edges[0] for wave in plan.waves] == ours["sizes"]
        assert [wave.generations for wave in plan.waves] == ours["lengths"]
        assert (plan.size, plan.rate, plan.seed) == (ours["size"], ours["mutation"], ours["seed"][0])
        assert plan.fitness.plays.games == (0 if ours["exact"] else ours["games"])
        for wave, row in zip(plan.waves, said["flips"], strict=True):
            genes = wave.grid.genes
            assert row == pytest.approx({
                "size": wave.grid.edges[0], "genes": genes, "flips": genes * plan.rate,
                "untouched": (1 - plan.rate) ** genes,
            })  # fmt: skip


COURSE = """
import { courseSentence } from "./js/tabs/evolve.js";
const records = [0.2, MIDDLE, 0.36603].map((mean, n) => ({ mean, generation: 10 * n }));
say(courseSentence({ ends: [20] }, records, 0).replaceAll("\u00a0", " "));
"""


@pytest.mark.parametrize(("middle", "most"), [(0.36612, ""), (0.37, ", with at most 37.0 % in generation 10")])
def test_a_top_of_the_line_is_said_if_it_differs_from_its_ends_as_they_are_shown(tmp_path, middle, most):
    said = run(COURSE.replace("MIDDLE", str(middle)), tmp_path)
    assert said == f" In this run the line goes from 20.0 % in generation 0 to 36.6 % in generation 20{most}."
