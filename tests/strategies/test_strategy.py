"""A strategy: its array, the rules that make one, equality and digest, on disk, and on a grid of cubes."""

import itertools
import json
import math
import os
import pickle
import time
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import GAMES, Pig, Piglet, Race
from pigevo.strategies import CubeGrid, Strategy, hold_at, load_strategy, random_strategy
from pigevo.strategies.strategy import SAMPLE

GAME = Pig(target=9)
PASSING = Pig(target=9, allow_pass=True)
OWN, _, TOTAL = np.indices(GAME.shape)


def coins(game):
    roll = Draw(1, "population").bits(*game.shape).astype(bool)
    return roll if game.allow_pass else roll | (TOTAL == 0)


@pytest.mark.parametrize(
    ("roll", "message"),
    [
        *((np.ones(shape), r"has the shape \(9, 9, 9\)") for shape in [(9, 9), (9, 9, 10), (8, 9, 9), (100, 100, 100)]),
        *((np.where(TOTAL == 3, value, 1), "zeros and ones") for value in (2, -1, 1.5, np.nan)),
        (np.full(GAME.shape, "roll"), "zeros and ones"),
        (TOTAL > 0, "allow_pass=True"),
    ],
)
def test_arrays_that_are_no_strategy_are_refused(roll, message):
    with pytest.raises(InputError, match=message):
        Strategy(GAME, roll)


@pytest.mark.parametrize("game", [GAME, PASSING], ids=["forced", "passing"])
@pytest.mark.parametrize("kind", [bool, np.uint8, np.int64, np.float32])
def test_decisions_are_as_given_and_cells_where_the_game_is_won_hold(game, kind):
    roll = coins(game)
    strategy = Strategy(game, roll.astype(kind))
    assert strategy.roll.dtype == bool
    assert np.array_equal(strategy.roll, roll & (OWN + TOTAL < 9))


def test_other_numbers_seen_as_booleans_become_zeros_and_ones():
    sevens = coins(GAME).astype(np.uint8) * 7
    strategy = Strategy(GAME, sevens.view(bool))
    assert np.array_equal(strategy.table, Strategy(GAME, sevens > 0).table)
    assert strategy.digest == Strategy(GAME, sevens > 0).digest


def test_a_strategy_has_a_read_only_copy_and_a_table_with_the_opponent_last():
    roll = coins(GAME)
    strategy = Strategy(GAME, roll)
    before = strategy.roll.copy()
    roll[:, :, 1:] ^= True
    assert np.array_equal(strategy.roll, before)
    assert strategy.table.dtype == np.uint8
    assert strategy.table.flags.c_contiguous
    assert np.array_equal(strategy.table, before.transpose(0, 2, 1))
    for array in (strategy.roll, strategy.table):
        with pytest.raises(ValueError, match="read-only"):
            array[2, 2, 2] = 1


RULES = {
    "totals": (lambda i, j, k: k < 4, lambda i, j, k: k < 4),
    "scores": (lambda i, j, k: (i < j) | (k < 3), lambda i, j, k: True if i < j else k < 3),
    "minimum": (lambda i, j, k: k < np.minimum(i, j) + 1, lambda i, j, k: k < min(i, j) + 1),
    "constant": (lambda i, j, k: True, lambda i, j, k: 1),
    "and": (lambda i, j, k: (k < 5) & (i > 2), lambda i, j, k: k < 5 and i > 2),
    "what only integers have": (lambda i, j, k: k < 4, lambda i, j, k: k.bit_length() < 3),
}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("game", [GAME, PASSING], ids=["forced", "passing"])
def test_a_rule_for_arrays_and_one_for_numbers_give_the_same(game, rule):
    for_arrays, for_numbers = RULES[rule]
    fast, slow = Strategy.from_function(game, for_arrays), Strategy.from_function(game, for_numbers)
    assert fast == slow
    for i, j, k in np.ndindex(9, 9, 9):
        decides = i + k < 9 and (k > 0 or game.allow_pass)
        forced = k == 0 and not game.allow_pass
        assert fast.roll[i, j, k] == (bool(for_numbers(i, j, k)) if decides else forced)


def test_a_rule_is_called_twice_for_each_decision_in_two_orders():
    calls = []

    def rule(i, j, k):
        calls.append((i, j, k))
        return k < 4

    Strategy.from_function(GAME, rule)
    states = {(i, j, k) for i, j, k in np.ndindex(9, 9, 9) if i + k < 9 and k > 0}
    assert len(calls) == 2 * len(states)
    assert set(calls[: len(states)]) == set(calls[len(states) :]) == states
    assert calls[: len(states)] != calls[len(states) :]
    assert all(type(number) is int for state in calls for number in state)


WRONG_ANSWERS = ["hold", "", b"hold", 2, 1.5, -0.5, np.nan, np.inf, 1j, [], "True", {}, object(), [True, False]]


@pytest.mark.parametrize("answer", WRONG_ANSWERS, ids=range(len(WRONG_ANSWERS)))
@pytest.mark.parametrize("way", ["for all states", "for one state"])
def test_a_rule_that_returns_no_decision_is_refused(answer, way):
    def rule(i, j, k):
        return answer if way == "for all states" or (i, j, k) == (0, 0, 3) else True

    with pytest.raises(InputError, match=r"it must return True .* or a chance of rolling between 0 and 1\.$"):
        Strategy.from_function(GAME, rule)


def test_a_rule_that_returns_all_decisions_at_once_is_refused():
    sentence = r"an array of shape \(9, 9, 9\) at i = 0, j = 0, k = 1: .* Strategy\(game, array\) takes an array"
    with pytest.raises(InputError, match=sentence):
        Strategy.from_function(GAME, lambda i, j, k: np.ones((9, 9, 9)))


def test_the_state_of_a_wrong_answer_is_named():
    with pytest.raises(InputError, match="the rule returns 'hold' at i = 2, j = 5, k = 1: it must"):
        Strategy.from_function(GAME, lambda i, j, k: "hold" if i == 2 and j == 5 else True)
    with pytest.raises(InputError, match="the rule returns nothing at i = 0, j = 1, k = 1: it must"):
        Strategy.from_function(GAME, lambda i, j, k: None if i < j else True)
    with pytest.raises(InputError, match="the rule returns 2 at i = 0, j = 0, k = 1: it must"):
        Strategy.from_function(GAME, lambda i, j, k: (k < 3) * 1 + (i < 9))


ANSWERS = {
    "booleans": (1, lambda k: k < 4),
    "integers": (1, lambda k: (k < 4) * 1),
    "bytes": (1, lambda k: np.uint8(k < 4) if np.ndim(k) == 0 else (k < 4).astype(np.uint8)),
    "floats": (1, lambda k: (k < 4) * 1.0),
    "objects": (1, lambda k: np.asarray(k < 4).astype(object)),
    "lists": (1, lambda k: np.asarray(k < 4).tolist()),
    "arrays of one": (1, lambda k: np.array([k < 4]) if np.ndim(k) == 0 else k < 4),
    "chances": (0.75, lambda k: np.where(k < 4, 0.75, 0.0)),
    "chances in single precision": (0.75, lambda k: np.where(k < 4, 0.75, 0.0).astype(np.float32)),
    "chances as objects": (0.75, lambda k: np.where(k < 4, 0.75, False).astype(object)),
    "fractions": (0.75, lambda k: Fraction(3, 4) if k < 4 else 0),
    "chances beside booleans": (0.75, lambda k: 0.75 if k < 4 else False),
}


@pytest.mark.parametrize("kind", ANSWERS)
@pytest.mark.parametrize("way", ["array", "numbers"])
def test_zeros_ones_and_chances_of_any_kind_are_answers(kind, way):
    chance, answer = ANSWERS[kind]
    made = Strategy.from_function(GAME, lambda i, j, k: True if way == "numbers" and i < 0 else answer(k))
    assert made.is_mixed == (chance < 1)
    assert np.array_equal(made.roll, np.select([OWN + TOTAL > 8, TOTAL == 0, TOTAL < 4], [0, 1, chance]))


def test_chances_are_refused_on_demand():
    with pytest.raises(
        InputError, match=r"returns 0\.75.*it must return True .* to roll and False \(or 0\) to hold\.$"
    ):
        Strategy.from_function(GAME, lambda i, j, k: 0.75, mixed=False)
    assert Strategy.from_function(GAME, lambda i, j, k: (k < 4) * 1.0, mixed=False) == hold_at(GAME, 4)


def test_an_answer_where_there_is_no_decision_does_not_matter():
    def rule(i, j, k):
        return np.where(i + k >= 9, np.nan, np.where(k == 0, 7.0, k < 4))

    assert Strategy.from_function(GAME, rule) == hold_at(GAME, 4)


CHANGING = {
    "each state": lambda draw, calls: lambda i, j, k: draw.random() < 0.5 if k > 2 else True,
    "few states": lambda draw, calls: lambda i, j, k: draw.random() < 0.5 if i == 1 and j == 7 else True,
    "one number for all": lambda draw, calls: lambda i, j, k: (k < 4) | (draw.random() < 0.5),
    "seldom": lambda draw, calls: lambda i, j, k: (draw.random() < 0.9) | (k < 4),
    "chances": lambda draw, calls: lambda i, j, k: draw.random() + 0 * (i + j + k),
    "earlier calls": lambda draw, calls: lambda i, j, k: k < 4 + next(calls) % 3,
    "earlier calls with numbers": lambda draw, calls: lambda i, j, k: i < 0 or k < 4 + next(calls) % 3,
}  # fmt: skip


@pytest.mark.parametrize("rule", CHANGING)
def test_a_rule_that_draws_random_numbers_or_remembers_is_refused(rule):
    message = r"it says .* at i = \d, j = \d, k = \d and .* when it is called again: .* depends on the state alone"
    with pytest.raises(InputError, match=message):
        Strategy.from_function(GAME, CHANGING[rule](np.random.default_rng(1), itertools.count()))


def test_in_a_large_game_a_rule_is_called_again_in_a_sample_of_the_states():
    calls = Counter()

    def rule(i, j, k):
        calls[i, j, k] += 1
        return k < 20

    game = Pig(target=60)
    assert Strategy.from_function(game, rule) == hold_at(game, 20)
    twice = [state for state, times in calls.items() if times == 2]
    assert set(calls.values()) == {1, 2}
    assert len(calls) == np.count_nonzero(np.broadcast_to(game.decision_states, game.shape))
    assert SAMPLE <= len(twice) < len(calls) // 3
    for axis in range(3):
        assert {state[axis] for state in twice} == {state[axis] for state in calls}


def test_in_a_large_game_a_rule_that_is_random_in_one_row_is_refused():
    draw = np.random.default_rng(1)
    for row in (0, 31, 58):
        with pytest.raises(InputError, match=f"at i = {row}, j = .* when it is called again"):
            Strategy.from_function(Pig(target=60), lambda i, j, k, row=row: draw.random() < 0.5 if i == row else k < 20)


def test_a_rule_that_changes_its_arguments_does_not_change_the_game():
    def rule(i, j, k):
        k += 3
        return k < 7

    assert Strategy.from_function(GAME, rule) == hold_at(GAME, 4)
    assert GAME.mesh["total"].ravel().tolist() == list(range(9))


def test_an_error_in_one_state_is_raised_with_its_state():
    for rule, state in DIVIDING_BY_ZERO.items():
        with pytest.raises(ZeroDivisionError) as caught:
            Strategy.from_function(GAME, eval(f"lambda i, j, k: {rule}"))
        assert caught.value.__notes__ == [f"at {state}"]


DIVIDING_BY_ZERO = {
    "100 / (k - 5) > 5": "i = 0, j = 0, k = 5",
    "k < 20 * (i / j)": "i = 0, j = 0, k = 1",
    "1 / (j - 7) < 2 * k": "i = 0, j = 7, k = 1",
}


def test_a_rule_means_what_it_means_for_three_numbers():
    def rule(i, j, k):
        return k < 2 ** (5 - i) or ~(i > j) == -2  # `or` and `~` mean something else for arrays

    made = Strategy.from_function(GAME, rule)
    for i, j, k in np.ndindex(9, 9, 9):
        if k and i + k < 9:
            assert made.roll[i, j, k] == rule(i, j, k)


def test_strategies_are_equal_by_rules_and_decisions_and_not_by_name():
    roll = coins(GAME)
    a, b = Strategy(GAME, roll, "a"), Strategy(Race(9, GAME.die, GAME.bust), roll, "b")
    assert (a, hash(a), a.digest) == (b, hash(b), b.digest)
    changed = roll.copy()
    changed[0, 0, 5] ^= True
    others = [Strategy(game, roll) for game in (PASSING, Pig(target=9, sides=5), Piglet(target=9))]
    others.append(Strategy(GAME, changed))
    assert len({a, *others}) == len({s.digest for s in (a, *others)}) == 5
    assert a != "a"


def test_a_digest_outlives_the_process():
    hold = Strategy.from_function(Piglet(target=3), lambda i, j, k: k < 2)
    assert hold.digest == "4f46308760cd5d70d9d9f272ff07ce36c94bde47e032951e22a2bf8b53e5da19"


def test_repr_has_the_share_of_rolls():
    half = Strategy.from_function(Piglet(target=5), lambda i, j, k: k < 2, "two")
    assert repr(half).startswith("Strategy('two', Piglet to 5")
    assert "rolls in 40.0 % of the decision states" in repr(half)  # 4 of the 10 pairs of i and k >= 1
    assert "100.0 %" in repr(Strategy(Pig(target=1), np.ones((1, 1, 1))))  # of none


@pytest.fixture
def saved(tmp_path):
    return random_strategy(Pig(target=23), seed=4).save(tmp_path / "mine.npz")


@pytest.mark.parametrize(
    "game",
    [Pig(target=1), Pig(target=37), Pig(target=21, allow_pass=True), Piglet(target=13, heads=0.3),
     Race(17, {3: 0.4, 5: 0.2}, 0.4, allow_pass=True)],
    ids=repr,
)  # fmt: skip
def test_a_saved_strategy_comes_back(tmp_path, game):
    strategy = random_strategy(game, seed=7)
    again = load_strategy(strategy.save(tmp_path / "s.npz"))
    assert again == strategy
    assert again.name == "random_strategy:7"
    assert again.game == game
    assert type(again.game) is type(game)
    assert again.digest == strategy.digest


def test_a_strategy_takes_a_bit_a_cell(tmp_path):
    size = os.path.getsize(random_strategy(Pig(target=60), seed=1).save(tmp_path / "s.npz"))
    assert size < 60**3 / 8 + 2000


def rewritten(path, change):
    arrays = dict(np.load(path))
    record = json.loads(str(arrays["pigevo_strategy"]))
    record, arrays["bits"] = change(record, arrays["bits"])
    np.savez(path, **(arrays | {"pigevo_strategy": np.array(json.dumps(record))}))


@pytest.mark.parametrize(
    "change",
    [
        lambda r, bits: ({k: v for k, v in r.items() if k != "game"}, bits),
        lambda r, bits: ([r], bits),
        lambda r, bits: ("words", bits),
        lambda r, bits: (r | {"game": r["game"] | {"target": "23"}}, bits),
        lambda r, bits: (r | {"game": r["game"] | {"gains": [[2, 0.1]]}}, bits),
        lambda r, bits: (r | {"game": None}, bits),
        lambda r, bits: (r | {"format": "one"}, bits),
        lambda r, bits: (r, bits[:-1]),
        lambda r, bits: (r, np.append(bits, bits)),
        lambda r, bits: (r, bits.astype(float)),
    ],
)
def test_a_record_that_does_not_fit_is_refused(saved, change):
    rewritten(saved, change)
    with pytest.raises(InputError):
        load_strategy(saved)


def test_a_future_format_is_refused_with_advice(saved):
    rewritten(saved, lambda r, bits: (r | {"format": 3}, bits))
    with pytest.raises(InputError, match=r"later pigevo \(format 3\): update pigevo"):
        load_strategy(saved)


class Trap:
    sprung = False

    def __reduce__(self):
        return (setattr, (Trap, "sprung", True))


def test_nothing_is_unpickled(tmp_path):
    np.savez(tmp_path / "trap.npz", pigevo_strategy=np.array([Trap()], dtype=object), bits=np.zeros(1))
    (tmp_path / "bare.npz").write_bytes(pickle.dumps(Trap()))
    Trap.sprung = False
    for name in ("trap.npz", "bare.npz"):
        with pytest.raises(InputError):
            load_strategy(tmp_path / name)
    assert not Trap.sprung


ROUNDS = GAMES["ten_rounds"].bind({"turns": 2, "cap": 20})


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (lambda i, j, k, rolls: rolls < 4, r"called with \(left, second, difference, total\) in Pig of 2 rounds"),
        (lambda i, j, k, rolls: rolls < 4, r"not with \(i, j, k, rolls\): name them so, or take three arguments"),
        (lambda left, second, total, difference: total < 4, r"not with \(left, second, total, difference\)"),
        (lambda n, own, lead, total: total < 4, r"not with \(n, own, lead, total\)"),
    ],
)
def test_arguments_that_have_the_names_of_other_quantities_are_refused(rule, said):
    with pytest.raises(InputError, match=said):
        Strategy.from_function(ROUNDS, rule)


@pytest.mark.parametrize(
    "rule",
    [
        lambda left, second, difference, total: total < 4,
        lambda a, b, lead, k: k < 4,  # other names are the author's own
        lambda i, j, k: k < 4,
    ],
)
def test_arguments_that_are_named_rightly_or_freely_are_given_in_the_order_of_the_axes(rule):
    assert Strategy.from_function(ROUNDS, rule) == hold_at(ROUNDS, 4)


@pytest.mark.parametrize("name", [*sorted(GAMES), "pig with passing"])
def test_hold_values_are_the_rule_that_rolls_below_them(name):
    game = GAMES[name].bind({}) if name in GAMES else Pig(target=20, allow_pass=True)
    allow_pass = game.allow_pass
    shape = game.shape[: len(game.between)]
    holds = Draw(1, "population").uniforms(math.prod(shape)).reshape(shape) * 30 - 2

    def below(values):
        at_target = game.must_hold and game.mesh["own"] + game.mesh["total"] >= game.target  # there a hold wins
        rolls = (game.mesh["total"] < values) & np.logical_not(at_target)
        return Strategy(game, np.broadcast_to(rolls, game.shape) | (game.starts & (not allow_pass)))

    expected = below(holds.reshape(shape + (1,) * len(game.within)))
    made = Strategy.from_holds(game, holds, "mine")
    assert made == expected
    assert made.name == "mine"
    assert made.table.flags.c_contiguous
    assert not made.roll.flags.writeable
    by_scores = sum([*game.mesh.values()][: len(shape)]) / 4 + 5
    assert Strategy.from_holds(game, lambda *axes: sum(axes) / 4 + 5) == below(by_scores)


def test_hold_values_may_be_infinite_and_broadcast():
    game = Pig(target=20)
    assert Strategy.from_holds(game, np.inf) == pigevo.roll_to_win(game)
    assert Strategy.from_holds(game, np.full((20, 1), 7)) == pigevo.hold_at(game, 7)
    assert Strategy.from_holds(game, -3.5) == pigevo.hold_at(game, 1)  # a roll at the beginning of a turn


@pytest.mark.parametrize(
    ("holds", "words"),
    [
        (np.zeros((19, 20)), r"have the shape \(20, 20\), not \(19, 20\)"),
        (np.zeros((20, 20, 20)), r"have the shape \(20, 20\)"),
        (np.nan, "are numbers"),
        (np.ones((20, 20), bool), "are numbers"),
        ("20", "are numbers"),
        (lambda i, j: None, "are numbers"),
    ],
)
def test_wrong_hold_values_are_refused(holds, words):
    with pytest.raises(InputError, match=words):
        Strategy.from_holds(Pig(target=20), holds)


def test_hold_values_take_a_fraction_of_the_time_of_a_function():
    game, times = Pig(), {}
    for how, rule in ((Strategy.from_function, lambda i, j, k: k < 20), (Strategy.from_holds, lambda i, j: 20)):
        begin = time.process_time()
        for _ in range(5):
            how(game, rule)
        times[how] = time.process_time() - begin
    assert times[Strategy.from_holds] < times[Strategy.from_function] / 5


sizes = st.tuples(*[st.integers(1, 14)] * 3)
games = st.builds(lambda t, p: Piglet(target=t, allow_pass=p), st.integers(1, 12), st.booleans())
seeds = st.integers(0, 10**6)
fast = settings(max_examples=60, deadline=None)


def decision_cells(game):
    t = game.target
    return [(i, k, j) for i in range(t) for k in range(t) for j in range(t) if i + k < t and (k > 0 or game.allow_pass)]


def cubes(game, edges):
    """Decisions of each cube that has one, in the order of the genes: by i-, k- and j-slice."""
    a, b, c = edges
    cells_of = {}
    for i, k, j in decision_cells(game):
        cells_of.setdefault((i // a, k // c, j // b), []).append((i, k, j))
    return [cells_of[key] for key in sorted(cells_of)]


def genomes_of(grid, seed, n=3):
    return Draw(seed, "population").bits(n, grid.genes)


@given(games, sizes, seeds)
@fast
def test_every_decision_has_the_gene_of_its_cube_and_all_other_cells_are_fixed(game, size, seed):
    grid = CubeGrid(game, size)
    assert grid.genes == len(cubes(game, size))
    genomes = genomes_of(grid, seed)
    expected = np.zeros((3, *game.shape), dtype=np.uint8)
    own, total, _ = np.indices(game.shape)
    expected[:, own + total < game.target] = 1  # the forced first roll; all others are decisions
    for gene, cells in enumerate(cubes(game, size)):
        for cell in cells:
            expected[:, *cell] = genomes[:, gene]
    tables = grid.to_tables(genomes)
    assert np.array_equal(tables, expected)
    assert tables.dtype == np.uint8
    assert tables.flags.c_contiguous
    assert np.array_equal(grid.from_tables(tables), genomes)
    strategy = grid.strategy(genomes[1], "second")
    assert strategy.name == "second"
    assert np.array_equal(strategy.table, tables[1])


@given(games, sizes, seeds)
@fast
def test_a_strategy_becomes_the_majority_of_each_cube_and_a_tie_rolls(game, size, seed):
    strategy = random_strategy(game, seed=seed)
    genome = CubeGrid(game, size).from_strategies([strategy])[0]
    for gene, members in enumerate(cubes(game, size)):
        rolls = sum(bool(strategy.roll[i, j, k]) for i, k, j in members)
        assert genome[gene] == (rolls >= len(members) - rolls)


@given(games, sizes, sizes, seeds)
@fast
def test_refining_to_sizes_that_divide_changes_no_decision(game, fine, factors, seed):
    finer = CubeGrid(game, fine)
    coarse = CubeGrid(game, tuple(a * b for a, b in zip(fine, factors, strict=True)))
    genomes = genomes_of(coarse, seed)
    refined = coarse.refine(genomes, finer)
    assert refined.shape == (3, finer.genes)
    assert np.array_equal(finer.to_tables(refined), coarse.to_tables(genomes))


@given(games, sizes, sizes, seeds)
@fast
def test_refining_to_any_sizes_takes_the_gene_of_the_lowest_decision(game, before, after, seed):
    coarse, finer = CubeGrid(game, before), CubeGrid(game, after)
    genomes = genomes_of(coarse, seed)
    refined = coarse.refine(genomes, finer)
    rows = coarse.to_tables(genomes)
    for gene, members in enumerate(cubes(game, after)):
        i, k, j = (min(axis) for axis in zip(*members, strict=True))
        assert (i, k, j) in members
        assert (refined[:, gene] == rows[:, i, k, j]).all()


def test_a_game_without_decisions_has_no_genes():
    grid = CubeGrid(Pig(target=1), 4)
    assert grid.genes == 0
    assert grid.to_tables(np.empty((2, 0), dtype=np.uint8)).tolist() == [[[[1]]], [[[1]]]]
    assert grid.refine(np.empty((2, 0), dtype=np.uint8), CubeGrid(Pig(target=1), 1)).shape == (2, 0)


def test_hold_at_20_lies_on_the_grid_of_20_but_for_the_shared_first_slice():
    game = Pig()
    grid = CubeGrid(game, 20)
    assert grid.genes == 75  # 15 pairs of slices with i + k < 100, times 5
    assert grid.strategy(grid.from_strategies([hold_at(game, 20)])[0]) == hold_at(game, 20)
    assert CubeGrid(game, 1).genes == 4950 * 100


@pytest.mark.parametrize(
    ("size", "label"), [(20, "20"), ((20, 20, 20), "20"), ((20, 10, 5), "20x10x5"), ([7, 7, 8], "7x7x8")]
)
def test_the_label_tells_the_size(size, label):
    assert CubeGrid(Pig(), size).label == label


@pytest.mark.parametrize("size", [0, -1, (1, 2), (1, 2, 3, 4), (1, 2, 0), (1, 2.5, 3), (True, 1, 1)])
def test_wrong_sizes_are_refused(size):
    with pytest.raises(InputError, match="a cube"):
        CubeGrid(Pig(), size)


@pytest.mark.parametrize("shape", [(1, 7), (7,), (2, 3, 4)])
def test_genomes_of_another_length_are_refused(shape):
    with pytest.raises(InputError, match="has 75 genes"):
        CubeGrid(Pig(target=50), 10).to_tables(np.zeros(shape, dtype=np.uint8))


@pytest.mark.parametrize("rule", [lambda total, own, opponent: total < 6, lambda k, i, j: k < 6])
def test_arguments_of_a_rule_in_another_order_are_refused(rule):
    """They were given the own score for the turn total."""
    with pytest.raises(InputError, match=r"called with \(own, opponent, total\).*name them so"):
        pigevo.Strategy.from_function(pigevo.Pig(target=12), rule)


def test_a_rule_that_finds_nothing_left_is_told_of_with_its_state():
    def rule(i, j, k):
        return next(n for n in range(k) if n > 5) > 0

    with pytest.raises(RuntimeError, match="StopIteration") as raised:
        pigevo.Strategy.from_function(pigevo.Pig(target=12), rule)
    assert raised.value.__notes__ == ["at i = 0, j = 0, k = 1"]


def test_a_zero_has_no_sign():
    game = pigevo.Pig(target=12)
    chances = np.full(game.shape, 0.5)
    chances[..., 0] = 1
    chances[2, 2, 2] = 0.0
    plus = pigevo.Strategy(game, chances)
    chances[2, 2, 2] = -0.0
    minus = pigevo.Strategy(game, chances)
    assert (plus, plus.digest, hash(plus)) == (minus, minus.digest, hash(minus))
