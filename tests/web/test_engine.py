"""The page's engine, run in node, against pigevo: win probabilities, rules, figures, choices, and evolution to the bit."""

import hashlib
import json
import shlex
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import pigevo
from pigevo.core.portable_math import log1m
from pigevo.dice import LARGEST_SEED, Draw
from pigevo.errors import InputError
from pigevo.evolution.random_search import search
from pigevo.exact.choices import Choices
from pigevo.figures.decisions import decisions_data
from pigevo.strategies.parse import hold_table
from pigevo.strategies.rules import parse_rule
from pigevo.strategies.rules.reading import known_rules
from pigevo.web.site import GAME, page_strategies
from tests.cases import rules
from tests.web.browser import needs_node, run, written

pytestmark = needs_node
CLOSE = 1e-9
SMALL = pigevo.Pig(target=23, sides=4)
PAIRS = [
    (SMALL, pigevo.random_strategy(SMALL, seed=1), pigevo.random_strategy(SMALL, seed=2)),
    (SMALL, pigevo.roll_to_win(SMALL), pigevo.roll_to_win(SMALL)),
    (pigevo.Pig(target=9, sides=8), *2 * (pigevo.hold_at(pigevo.Pig(target=9, sides=8), 3),)),
    (pigevo.Pig(target=1), *2 * (pigevo.hold_at(pigevo.Pig(target=1), 3),)),
    (GAME, pigevo.hold_at(GAME, 20), pigevo.random_strategy(GAME, seed=3)),
]


EVALUATE = """
import { evaluate } from "./js/engine.js";
const values = evaluate(game, read("a"), read("b"));
write("own", values.own);
write("other", values.other);
say([values.first, values.second, values.overall]);
"""


def check_values(path, a, b):
    """Hold what the page has written of all states to pigevo."""
    exact = pigevo.state_values(a, b)
    np.testing.assert_allclose(written(path, exact.shape, float), exact, rtol=0, atol=CLOSE)


@pytest.mark.parametrize(("game", "a", "b"), PAIRS)
def test_win_probabilities_and_all_states(tmp_path, game, a, b):
    figures, exact = run(EVALUATE, tmp_path, game, a=a.roll, b=b.roll), pigevo.win_probability(a, b)
    assert figures == pytest.approx([exact.first, exact.second, exact.overall], abs=CLOSE)
    check_values(tmp_path / "own", a, b)
    check_values(tmp_path / "other", b, a)


RESPOND = """
import { bestResponse, evaluate } from "./js/engine.js";
const roll = bestResponse(game, read("b"));
const values = evaluate(game, roll, read("b"));
write("roll", roll);
write("own", values.own);
say([values.first, values.second]);
"""


@pytest.mark.parametrize(("game", "b"), [(game, b) for game, _, b in PAIRS] + [(GAME, pigevo.optimal(GAME).strategy)])
def test_best_responses(tmp_path, game, b):
    response, best = run(RESPOND, tmp_path, game, b=b.roll), pigevo.best_response(b)
    assert response == pytest.approx([best.value, best.second], abs=CLOSE)
    check_values(tmp_path / "own", best.strategy, b)
    roll = written(tmp_path / "roll", game.shape)
    assert pigevo.Strategy(game, roll).roll.sum() == roll.sum()  # nothing is set where nobody decides


UNPACK = """
import { unpack } from "./js/engine.js";
for (const name of NAMES) write(name, unpack(read(`${name}.bits`), game.target ** 3));
"""


def test_packed_strategies_are_read(tmp_path):
    rolls = {strategy.id: strategy.strategy.roll for strategy in page_strategies()}
    packed = {f"{name}.bits": np.packbits(roll) for name, roll in rolls.items()}
    run(UNPACK.replace("NAMES", str(list(rolls))), tmp_path, GAME, **packed)
    for name, roll in rolls.items():
        assert (tmp_path / name).read_bytes() == roll.astype(np.uint8).tobytes()


MAPS = """
import { covered, csvOf, evenMap, painted, rollOfMap } from "./js/draw/hold_map.js";
import { firstHolds } from "./js/engine.js";
const map = Uint8Array.from(firstHolds(game, read("a")));
painted(game, map, covered(game, "5", 1, 20), () => 7);
painted(game, map, covered(game, "own", 4, 0), (value) => value + 100);
write("roll", rollOfMap(game, map));
write("even", rollOfMap(game, evenMap(game, 9)));
say(csvOf(game, map));
"""


def test_a_drawn_map_is_the_table_that_pigevo_reads(tmp_path):
    a = pigevo.keep_pace_and_end_race(SMALL, c=6, d=3, e=7)
    (tmp_path / "mine.csv").write_text(run(MAPS, tmp_path, SMALL, a=a.roll))
    expected = np.array(a.roll)
    expected[0:4, 18:23] = np.arange(SMALL.target) < 7
    expected[4] = True
    roll = written(tmp_path / "roll", SMALL.shape)
    np.testing.assert_array_equal(hold_table(tmp_path / "mine.csv", SMALL).roll, roll)
    np.testing.assert_array_equal(roll, pigevo.Strategy(SMALL, expected).roll)
    np.testing.assert_array_equal(written(tmp_path / "even", SMALL.shape), pigevo.hold_at(SMALL, 9).roll)


FAILS = """
const made = [];
globalThis.Worker = class {
  constructor() { made.push(this); }
  postMessage({ number }) { if (made.length > 1) this.onmessage({ data: { number, result: "done" } }); }
};
const { startEngine } = await import("./js/shared.js");
const engine = startEngine({});
const lost = engine.evaluate().catch(({ message }) => message);
made[0].onerror();
say([await lost, await engine.evaluate()]);
"""


def test_after_a_failure_the_engine_is_started_anew_and_nothing_waits_for_ever(tmp_path):
    assert run(FAILS, tmp_path) == ["The exact engine could not be started.", "done"]


TO_21 = pigevo.Pig(target=21, sides=4)
STRATEGIES = [
    pigevo.random_strategy(TO_21, seed=4),
    pigevo.optimal(TO_21).strategy,
    pigevo.roll_to_win(TO_21),
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


TO_37 = pigevo.Pig(target=37)

PLANS = """
import { planOf, readRule, RuleError } from "./js/draw/rules.js";
import { mapOfPlan, rollOfMap } from "./js/draw/hold_map.js";
const texts = JSON.parse(new TextDecoder().decode(read("texts")));
const wrong = [];
const plans = texts.flatMap((text) => {
  try {
    const plan = planOf(game, readRule(text));
    if (text === texts[0]) write("roll", rollOfMap(game, mapOfPlan(game, plan)));
    return [...plan];
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    wrong.push([text, error.message]);
    return [];
  }
});
write("plans", Int32Array.from(plans));
say(wrong);
"""


def by_the_page(folder, game, texts):
    """The plans that the page makes of texts, and what it says of those that are no rules."""
    wrong = run(PLANS, folder, game, texts=np.frombuffer(json.dumps(texts).encode(), np.uint8))
    return written(folder / "plans", (-1, game.target, game.target), np.int32), wrong


def check(folder, game, texts):
    plans, wrong = by_the_page(folder, game, texts)
    assert wrong == []
    for text, plan in zip(texts, plans, strict=True):
        np.testing.assert_array_equal(plan, parse_rule(text).planned(game), text)
    np.testing.assert_array_equal(written(folder / "roll", game.shape), parse_rule(texts[0]).strategy(game).roll)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("rules")


@settings(max_examples=3, deadline=None, phases=[Phase.generate])  # every example starts node: none is made smaller
@given(random=st.lists(rules, min_size=20, max_size=30))
def test_random_rules(folder, random):
    check(folder, TO_37, [rule.text for rule in random if len(rule.text) <= 500])


SPELLINGS = [
    "rule: 25", " rule:25 ", "21 + ( j - i ) / 8 ;  race  either >= 71", "(21)+((j-i))/8", "21+j-i/8-(j-i)",
    "(19 if ahead else 24) if own>=50 else 17 if behind else end", "multiple( 25, )", "max(25,(j-i)-10)", "max(25,j-i-0+1)",
    "25; race (own)>=(60) and leaves<=25 or own + (2*opponent)>=178 and behind", "00", "21+(j-i)/8;race (own>=3 and ahead) or (behind)",
    "end if own>=3 else (25)", "25; race (own>=60 or opponent>=74)", "max(25,j-i+0)", "max(17, 18+(j-i)/8)",
    "21\t+\f(j-i)/8", "max(17,(18)+i)", "max(17,18-j/9+i)",
]  # fmt: skip


FRONTS = sorted({entry.rule.text for entry in known_rules(GAME)})
DIVISIONS = [f"21{sign}{of}/{by}" for sign in "+-" for of in ("(j-i)", "i", "j") for by in range(1, 21)]


@pytest.mark.parametrize("texts", [FRONTS, DIVISIONS, SPELLINGS], ids=["the fronts", "roundings", "spellings"])
def test_rules_are_read_as_pigevo_reads_them(tmp_path, texts):
    assert len(texts) > 10
    check(tmp_path, GAME, texts)


WRONG = [
    "25; last 9", "18+(j-i)/turns", "max(17,18*2)", "max(17,18/2)", "max(17,18)", "max(17,2*own+opponent)", "max(17,18+(j-i)/8,3)",
    "max(17,18+(j-i)/turns)", "max(17,18+max(3,j-i))", "max(25,(j-i)/1)", "max(25,(j-i)*1)",
    "", "rule:", "foo", "25 25", "5+", "+5", "-5", "21+(j-i)/0", "21+(i-j)/8", "21+(j-i)*8", "j-i+5", "21+(j-i)/8.0", "1.5", "1e3", "025",
    "25;", "25; race", "25; run own>=3", "25; race own", "25; race own>3", "25; race own>=3 or", "25; race own>=3; race ahead",
    "25; race 3<=own", "25; race not ahead", "25; race (own>=3 or ahead) and behind", "25; race lead>=5>=3", "25; race leaves>=3",
    "19 if leaves<=3 else 2", "19 if own>=3", "19 if ahead and behind else 3", "multiple()", "multiple(0)", "multiple(2,3)", "marks()",
    "marks(5,5)", "marks(5,3)", "quarters(1,2,3)", "max(25)", "max(25,i-j)", "max(25,j-i+2)", "max(j-i,25)", "5001", "own>=3", "ahead",
    "constructor", "toString(3)", "25; race constructor>=3", "21+constructor/3", "x()", "25; race own>=(3", "25]", "'25'", "21+(j-i)/8/2",
    "2*own+opponent", "9" * 501, "25; race own>=-3", "marks(2,3,x)", "(" * 400, "multiple=3", "21+(j-i)//8", "25, 26", "race own>=3", "else", "25; race own>=5 if ahead else behind",
    "25; race\u00a0own>=3 !", "multiple(n=3)", "Multiple(3)", "End", "(21+(j-i)/8", "max(25,j-(i-10))", "25; race (own+2)*opponent>=3",
    *(f"21+{blank}(j-i)/8" for blank in "\u00a0\u2009\u3000\ufeff\x0b"), "19\u00a0if ahead else 24",
]  # fmt: skip


def test_examples_are_in_the_words_of_pigevo(tmp_path):
    examples = run('import { EXAMPLES } from "./js/draw/rules.js"; say(EXAMPLES);', tmp_path)
    assert len(examples) == 12
    for text, sentence in examples:
        assert sentence.replace("\u2019", "'") == parse_rule(text).sentence


def test_what_is_no_rule_gets_one_sentence(tmp_path):
    plans, wrong = by_the_page(tmp_path, GAME, WRONG)
    assert ([text for text, _ in wrong], len(plans)) == (WRONG, 0)
    for text, sentence in wrong:
        with pytest.raises(InputError):
            parse_rule(text).planned(GAME)
        assert sentence.endswith("."), text
        assert len(sentence) < 700
        assert "undefined" not in sentence
        assert "\n" not in sentence


FIGURES = """
import { counted, genesText, percent, thousands, worthTexts } from "./js/numbers.js";
say({
  worths: [[0.565346, 0.565263], [0.3089, 0.3083], [0.848927, 0.830272], [0.5, 0.5]].map((pair) => worthTexts(...pair)),
  shares: [percent(7e-10), percent(7e-10, 2), percent(0), percent(0.0006)],
  counts: [thousands(3600), counted(1234, "game"), genesText(1), genesText(5)],
});
"""


def test_figures_agree_with_their_difference_and_are_never_0_where_they_are_not_0(tmp_path):
    said = run(FIGURES, tmp_path)
    assert [[text.replace("\u00a0", " ") for text in pair] for pair in said["worths"]] == [
        ["56.535 %", "56.526 %"],  # 0.01 apart
        ["30.89 %", "30.83 %"],
        ["84.893 %", "83.027 %"],  # 1.87 apart
        ["50.00 %", "50.00 %"],
    ]
    shares = [text.replace("\u00a0", " ") for text in said["shares"]]
    assert shares == ["less than 0.1 %", "less than 0.01 %", "0.0 %", "0.1 %"]
    assert said["counts"] == ["3,600", "1,234 games", "single cells", "cubes of 5"]


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
const counts = [1, 2, 5, 4, 3].map((groups) => groups * plan.size); // an earlier one may be asked for after a later one
say({ said, searches: [...counts, strategies].map((count) => search.best(count, optimum)) });
"""
DEFAULTS = {
    "seed": "0", "target": 100, "fitness": "games", "size": 20, "games": 100, "mutation": 0.005, "selection": "knockout",
    "replacement": "offspring", "sizes": [20, 10, 5], "lengths": [3, 3, 3],
}  # fmt: skip
SMALL_RUN = {"target": 20, "size": 8, "games": 10, "mutation": 0.02, "sizes": [6, 4, 1], "lengths": [2, 30, 20]}
RUNS = {
    "the defaults": {},
    "another seed": {"seed": str(LARGEST_SEED), "lengths": [2, 1, 2]},
    "round robin": {"selection": "round_robin", "size": 7, "games": 20, "sizes": [20, 10], "lengths": [2, 2]},
    "parents stay": {"replacement": "survivors_and_offspring", "lengths": [2, 2, 1]},
    "small": SMALL_RUN,
    "small, everyone meets and parents stay": {
        **SMALL_RUN, "selection": "round_robin", "replacement": "survivors_and_offspring", "size": 9,
    },
    "small, an odd number of survivors": {**SMALL_RUN, "size": 6, "games": 3},
    "cubes": {**SMALL_RUN, "sizes": [[7, 20, 3], [5, 3, 2]], "lengths": [5, 5], "seed": "12345678901234567"},
    "every gene flips": {**SMALL_RUN, "mutation": 1, "lengths": [2, 2, 2]},
    "no gene flips": {**SMALL_RUN, "mutation": 0, "lengths": [2, 2, 2]},
    "without luck": {"fitness": "exact_vs_optimal", "lengths": [2, 2, 1]},
    "small, without luck": {**SMALL_RUN, "fitness": "exact_vs_optimal", "lengths": [20, 30, 20]},
    "one game in a match": {**SMALL_RUN, "games": 1, "size": 16, "lengths": [3, 3, 3]},
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
            assert said["exact"] == pytest.approx(one.exact.tolist(), abs=1e-12)
    assert digest.hexdigest() == GOLDEN[name]
    counts = [groups * plan.size for groups in (1, 2, 5, 4, 3)]
    for strategies, found in zip([*counts, one.state.evaluations + one.state.fresh], page["searches"], strict=True):
        assert found == pytest.approx(search(plan, plan.waves[0].grid, strategies).by_matches, abs=1e-12)


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


WAVE = """
import { waveSentence } from "./js/tabs/evolve.js";
import { planOf } from "./js/evolve/loop.js";
import { planSettings, settingsOf } from "./js/evolve/settings.js";
const plan = planOf(planSettings(settingsOf("?evolve&mutation=RATE&fitness=exact_vs_optimal"), 100));
say(waveSentence(plan, 2));
"""


@pytest.mark.parametrize(("rate", "flips"), [("0.005", "21"), ("0.1", "420")])
def test_of_a_run_without_luck_nothing_is_said_that_its_line_may_contradict(tmp_path, rate, flips):
    """At 0.1 the line falls nearly to that of coin tosses, though selection makes no error."""
    said = run(WAVE.replace("RATE", rate), tmp_path)
    assert said == (
        f"Cubes of 5: 4,200 genes \u00d7 {rate} = {flips} flips in a child. Most flips make play a little worse. "
        "Selection sees exactly who plays better, but parents do not stay: what flips spoil in all children is lost."
    )
