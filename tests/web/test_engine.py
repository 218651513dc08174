"""The engine in the page gives what pigevo's own gives, to 1e-9."""

import numpy as np
import pytest

import pigevo
from pigevo.strategies.parse import hold_table
from pigevo.web.site import GAME, page_strategies
from tests.web.in_node import needs_node, run, written

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
