"""The engine in the page gives what pigevo's own gives, to 1e-9."""

import numpy as np
import pytest

import pigevo
from pigevo.exact.choices import Choices
from pigevo.web.site import GAME, page_strategies
from tests.web.in_node import floats, needs_node, run

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


def game_of(game):
    return f"const game = {{ target: {game.target}, sides: {game.sides} }};"


EVALUATE = """
import { evaluate } from "./js/engine.js";
const found = evaluate(game, read("a"), read("b"));
write("own", found.own);
write("other", found.other);
say([found.first, found.second, found.overall]);
"""


@pytest.mark.parametrize(("game", "a", "b"), PAIRS)
def test_win_probabilities_and_all_states(tmp_path, game, a, b):
    figures = run(game_of(game) + EVALUATE, tmp_path, a=a.roll, b=b.roll)
    exact = pigevo.win_probability(a, b)
    assert figures == pytest.approx([exact.first, exact.second, exact.overall], abs=CLOSE)
    shape = (game.target,) * 3
    np.testing.assert_allclose(floats(tmp_path / "own", *shape), pigevo.state_values(a, b), rtol=0, atol=CLOSE)
    np.testing.assert_allclose(floats(tmp_path / "other", *shape), pigevo.state_values(b, a), rtol=0, atol=CLOSE)


RESPOND = """
import { bestResponse } from "./js/response.js";
import { evaluate } from "./js/engine.js";
const roll = bestResponse(game, read("b"));
const found = evaluate(game, roll, read("b"));
write("roll", roll);
write("own", found.own);
say([found.first, found.second]);
"""


@pytest.mark.parametrize(("game", "b"), [(game, b) for game, _, b in PAIRS] + [(GAME, pigevo.optimal(GAME).strategy)])
def test_best_responses(tmp_path, game, b):
    response, best = run(game_of(game) + RESPOND, tmp_path, b=b.roll), pigevo.best_response(b)
    assert response == pytest.approx([best.value, best.second], abs=CLOSE)
    own = floats(tmp_path / "own", *(game.target,) * 3)
    np.testing.assert_allclose(own, pigevo.state_values(best.strategy, b), rtol=0, atol=CLOSE)
    roll = np.frombuffer((tmp_path / "roll").read_bytes(), np.uint8).reshape(own.shape)
    assert pigevo.Strategy(game, roll).roll.sum() == roll.sum()  # nothing is set where nobody asks


WORTH = """
import { evaluate, worth } from "./js/engine.js";
const found = evaluate(game, read("a"), read("b"));
say(PLACES.map(([own, opponent, total]) => worth(game, found, own, opponent, total)));
"""


def test_worth_of_both_choices(tmp_path):
    game, a, b = PAIRS[-1]
    places = [(0, 0, 0), (0, 0, 5), (70, 85, 21), (96, 3, 2), (96, 3, 3), (12, 99, 40)]
    worths = run(game_of(game) + WORTH.replace("PLACES", str([list(p) for p in places])), tmp_path, a=a.roll, b=b.roll)
    choices = Choices(a, b)
    for (i, j, k), worth in zip(places, worths, strict=True):
        right = choices.at(i * game.target + j, k)
        assert worth["roll"] == pytest.approx(right.roll, abs=CLOSE)
        assert worth["hold"] == (None if k == 0 else pytest.approx(right.hold, abs=CLOSE))


UNPACK = """
import { unpack } from "./js/engine.js";
for (const name of NAMES) write(name, unpack(read(`${name}.bits`), game.target ** 3));
"""


def test_packed_strategies_are_read(tmp_path):
    rolls = {one.id: one.strategy.roll for one in page_strategies()}
    packed = {f"{name}.bits": np.packbits(roll) for name, roll in rolls.items()}
    run(game_of(GAME) + UNPACK.replace("NAMES", str(list(rolls))), tmp_path, **packed)
    for name, roll in rolls.items():
        assert (tmp_path / name).read_bytes() == roll.astype(np.uint8).tobytes()


MAPS = """
import { covered, csvOf, evenMap, painted, rollOfMap } from "./js/draw/hold_map.js";
import { firstHolds } from "./js/look/states.js";
const map = Uint8Array.from(firstHolds(game, read("a")));
painted(game, map, covered(game, "5", 1, 20), () => 7);
painted(game, map, covered(game, "own", 4, 0), (value) => value + 100);
write("roll", rollOfMap(game, map));
write("even", rollOfMap(game, evenMap(game, 9)));
say(csvOf(game, map));
"""


def test_a_drawn_map_is_the_table_that_pigevo_reads(tmp_path):
    a = pigevo.keep_pace_and_end_race(SMALL, c=6, d=3, e=7)
    csv = run(game_of(SMALL) + MAPS, tmp_path, a=a.roll)
    (tmp_path / "mine.csv").write_text(csv)
    expected = np.array(a.roll)
    k = np.arange(SMALL.target)
    expected[0:4, 18:23] = k < 7
    expected[4] = True
    roll = np.frombuffer((tmp_path / "roll").read_bytes(), np.uint8).reshape(expected.shape)
    from pigevo.strategies.parse import hold_table

    drawn = hold_table(tmp_path / "mine.csv", SMALL)
    np.testing.assert_array_equal(drawn.roll, roll)
    np.testing.assert_array_equal(roll, pigevo.Strategy(SMALL, expected).roll)
    even = np.frombuffer((tmp_path / "even").read_bytes(), np.uint8).reshape(expected.shape)
    np.testing.assert_array_equal(even, pigevo.hold_at(SMALL, 9).roll)
