"""Simulated matches: what is counted and refused, the exact figures, and their plain twin, game by game."""

import itertools

import numpy as np
import pytest

import pigevo
from pigevo.dice import STREAMS, Die, Draw
from pigevo.errors import InputError
from pigevo.evolution.fitness.win_rates import Games
from pigevo.exact import win_probability
from pigevo.games import GAMES as NAMED
from pigevo.games import Pig, Piglet, Race
from pigevo.simulation import Match, match, play_match, play_pairs
from pigevo.simulation.kernels import play_couples, play_games, tally
from pigevo.simulation.lane_kernels import pack, packed_bytes, philox_block, read_fair, read_with_alias, reader, unpack
from pigevo.simulation.match import player_on_board
from pigevo.simulation.stepwise import Turn, outcome, play_turns
from pigevo.strategies import CubeGrid, Members, Strategy, hold_at, random_strategy, roll_to_win, skip_when_level
from tests.reference import two
from tests.reference.any_game import TINY

GAME = Pig(target=30)
A, B = hold_at(GAME, 8), hold_at(GAME, 15)


@pytest.mark.parametrize("games", [1, 2, 7, 1000])
def test_every_game_is_counted_once(games):
    match = play_match(A, B, games=games, seed=3)
    assert match.games == games
    assert match.wins + match.losses == games
    assert all(type(n) is int for n in (match.wins, match.losses, match.stalemates, match.unfinished))


def test_seats_alternate_beginning_with_the_first_named():
    sure = Race(5, {1: 1.0}, 0.0)  # who moves first wins
    always = roll_to_win(sure)
    for games in (1, 2, 9):
        match = play_match(always, always, games=games)
        assert (match.wins, match.losses) == (games - games // 2, games // 2)


def test_a_match_is_the_beginning_of_a_longer_one():
    totals = [play_match(A, B, games=n, seed=5).wins for n in range(1, 60)]
    assert set(np.diff([0, *totals]).tolist()) == {0, 1}


@pytest.mark.parametrize("paired", [False, True])
def test_the_result_does_not_depend_on_workers_or_batches(monkeypatch, paired):
    expected = play_match(A, B, games=334, seed=2, workers=1, paired=paired)
    for batch in (2, 8, 64):
        monkeypatch.setattr(match, "BATCH", batch)
        for workers in (1, 2, None):
            assert play_match(A, B, games=334, seed=2, workers=workers, paired=paired) == expected


def test_seeds_give_other_games_and_the_same_seed_the_same():
    assert len({play_match(A, B, games=1000, seed=s) for s in range(8)}) > 4
    assert play_match(A, B, games=30, seed=np.uint32(4)) == play_match(A, B, games=np.int64(30), seed=4)


@pytest.mark.parametrize(("confidence", "z"), [(0.95, 1.959963984540054), (0.99, 2.5758293035489004)])
def test_the_interval_is_wilsons_and_stalemates_count_as_lost(confidence, z):
    for wins, games in [(0, 10), (10, 10), (53, 100), (1, 1)]:
        p = wins / games
        middle = (p + z * z / (2 * games)) / (1 + z * z / games)
        half = z / (1 + z * z / games) * (p * (1 - p) / games + z * z / (4 * games * games)) ** 0.5
        expected = pytest.approx((middle - half, middle + half), abs=1e-12)
        assert Match(wins, games - wins).interval(confidence) == expected
        assert Match(wins, 0, games - wins).interval(confidence) == expected


def test_strategies_must_play_by_the_same_rules_under_whatever_name():
    for other in (Pig(target=31), Pig(target=30, allow_pass=True)):
        with pytest.raises(InputError, match="must play the same game"):
            play_match(A, hold_at(other, 8))
    piglet, race = Piglet(target=8), Race(8, {1: 0.5}, 0.5)
    assert play_match(hold_at(piglet, 2), hold_at(race, 3), games=50).games == 50


@pytest.mark.parametrize("games", [0, 1.5, "100", True])
def test_a_number_of_games_that_is_none_is_refused(games):
    with pytest.raises(InputError, match=r"games = .*at least 1"):
        play_match(A, B, games=games)


class TestPairedDice:
    def test_a_strategy_wins_every_couple_of_games_with_itself_once(self):
        for game in (GAME, Pig(target=100), Piglet(target=12, heads=0.6), Race(25, {1: 0.1, 4: 0.3, 7: 0.25}, 0.35)):
            a = random_strategy(game, seed=3)
            match = play_match(a, Strategy(game, a.roll, "copy"), games=600, seed=1, paired=True)
            assert match == Match(300, 300, couples_won=0)

    def test_swapped_names_swap_the_games_of_every_couple(self):
        forth, back = (play_match(*seats, games=500, seed=2, paired=True) for seats in ((A, B), (B, A)))
        assert (forth.wins, forth.losses) == (back.losses, back.wins)

    def test_pairs_of_a_judge_are_the_matches(self):
        rows = np.stack([A.table, B.table])
        counts = play_pairs(GAME, rows, [(0, 1)], 500, Draw(2, "dice"), paired=True)
        match = play_match(A, B, games=500, seed=2, paired=True)
        assert counts.tolist() == [[match.wins, match.losses, 0, 0, 0]]

    def test_saves_two_thirds_of_the_variance_between_hold_at_20_and_25(self):
        a, b = hold_at(Pig(), 20), hold_at(Pig(), 25)
        (low, high), (paired_low, paired_high) = (
            play_match(a, b, games=200_000, seed=1, paired=paired).interval(0.999) for paired in (False, True)
        )
        assert ((paired_high - paired_low) / (high - low)) ** 2 == pytest.approx(0.33, abs=0.02)
        assert paired_low <= win_probability(a, b).overall <= paired_high

    @pytest.mark.parametrize("games", [40, pytest.param(400, marks=pytest.mark.slow)])
    def test_the_interval_holds_the_exact_figure_as_often_as_it_says(self, games):
        matches = (play_match(A, B, games=games, seed=seed, workers=1, paired=True) for seed in range(1000))
        intervals = np.array([match.interval(0.9) for match in matches])
        truth = win_probability(A, B).overall
        assert 0.86 < ((intervals[:, 0] <= truth) & (truth <= intervals[:, 1])).mean() < 0.95

    def test_couples_that_are_independent_give_wilsons_interval(self):
        alone, coupled = Match(5000, 5000).interval(), Match(5000, 5000, couples_won=1250).interval()
        assert coupled == pytest.approx(alone, abs=1e-5)

    def test_a_short_match_of_equals_is_not_certain(self):
        low, high = Match(10, 10, couples_won=0).interval()
        assert low < 0.42
        assert high > 0.58

    def test_an_odd_number_of_games_is_refused(self):
        rows, pairs = np.stack([A.table, B.table]), [(0, 1)]
        for make in (
            lambda: play_match(A, B, games=3, paired=True),
            lambda: play_pairs(GAME, rows, pairs, 3, Draw(1, "dice"), paired=True),
            lambda: Games(games=3, paired=True),
        ):
            with pytest.raises(InputError, match="must be even"):
                make()


MANY = 100_000
DEVIATIONS = 3.2905  # 99.9 % of a normal distribution

PIG = pigevo.Pig()
PASSING = pigevo.Pig(allow_pass=True)
PAIRS = {
    "hold_at 20 v 25": (pigevo.hold_at(PIG, 20), pigevo.hold_at(PIG, 25)),
    "score v keep pace": (pigevo.score(PIG, 20), pigevo.keep_pace_and_end_race(PIG)),
    "turtle v roll_to_win": (pigevo.turtle(PIG, 5), pigevo.roll_to_win(PIG)),
    "random v hold_at 20": (pigevo.random_strategy(PIG, seed=4), pigevo.hold_at(PIG, 20)),
    "roll_and_wait v turtle": (pigevo.roll_and_wait(PASSING), pigevo.turtle(PASSING, 5)),
    "skip_when_level v itself": (pigevo.skip_when_level(PASSING), pigevo.skip_when_level(PASSING)),
    "biased Piglet": tuple(pigevo.hold_at(pigevo.Piglet(10, 0.7), n) for n in (2, 5)),
    "ten-sided": tuple(pigevo.hold_at(pigevo.Pig(60, 10), n) for n in (12, 30)),
}


def assert_near(count, games, p):
    assert abs(count - games * p) <= DEVIATIONS * np.sqrt(games * p * (1 - p)) + 1e-6


@pytest.mark.parametrize("name", PAIRS)
def test_a_match_lies_around_the_exact_win_and_stalemate_probabilities(name):
    a, b = PAIRS[name]
    m = pigevo.play_match(a, b, games=MANY, seed=11)
    p, q = pigevo.win_probability(a, b), pigevo.win_probability(b, a)
    assert m.unfinished == 0
    assert m.wins + m.losses + m.stalemates == MANY
    assert_near(m.wins, MANY, p.overall)
    assert_near(m.losses, MANY, q.overall)
    assert_near(m.stalemates, MANY, (p.stalemate_first + p.stalemate_second) / 2)
    low, high = m.interval(0.999)
    assert low <= p.overall <= high
    assert high - low < 0.011
    assert m.win_rate == m.wins / MANY


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("name", ["skip_when_level v itself", "biased Piglet", "ten-sided"])
def test_an_independent_simulator_lies_around_the_same_figures(name, starter):
    a, b = PAIRS[name]
    games = 1500
    won_a, won_b, nobody = two.play_many(a.game, a.roll, b.roll, games, seed=17, starter=starter)
    p, q = pigevo.win_probability(a, b), pigevo.win_probability(b, a)
    assert_near(won_a, games, (p.first, p.second)[starter])
    assert_near(won_b, games, (q.second, q.first)[starter])
    assert_near(nobody, games, (p.stalemate_first, p.stalemate_second)[starter])


def test_a_match_that_would_take_ages_is_given_up_and_said_to_be_unfinished():
    """With two sides, rolling to 100 takes 2 ** 50 tries."""
    rolls = pigevo.roll_to_win(pigevo.Pig(100, 2))
    m = pigevo.play_match(rolls, rolls, games=2, seed=1)
    assert (m.wins, m.losses, m.stalemates, m.unfinished) == (0, 0, 0, 2)


def outcomes(a, b, draw, start, stop, most_turns, paired=False):
    """The games `start .. stop - 1` of a match at `draw`'s pair, as the kernel plays them: 0 is a win of `a`."""
    game = a.game
    place = draw.pair, *map(np.uint64, (draw.generation, draw.seed, STREAMS[draw.stream]))
    tables, dice = pack([a.table, b.table]), reader(Die.of(game.die, game.bust), game.target)
    play = play_couples if paired else play_games
    return play(tables, dice, np.array([[0, 1]]), 10**6, start, stop, most_turns, *place)


def twin(a, b, draw, part, most_turns, paired=False):
    """The same game in plain Python."""
    draw = draw.at(pair=draw.pair, part=part)
    if part % 2 == 0:
        return plain(a, b, draw, most_turns, paired)
    ended = plain(b, a, draw, most_turns, paired)
    return {0: 1, 1: 0}.get(ended, ended)


def plain(first, second, draw, most_turns, paired=False):
    return outcome(list(play_turns(first, second, draw, most_turns, paired)), first.game)


def test_long_turns_read_as_many_dice_alike():
    game = Race(200, {1: 0.9}, 0.1)
    a, draw = hold_at(game, 60), Draw(3, "dice")
    assert any(len(turn.rolls) > 20 for turn in play_turns(a, a, draw, 500))
    assert outcomes(a, a, draw, 0, 4, 500).tolist() == [twin(a, a, draw, part, 500) for part in range(4)]


GAMES = {
    "pig": GAME,
    "pig to 100": Pig(),
    "pig to 20 with passes": Pig(target=20, allow_pass=True),
    "pig to 101 with passes": Pig(target=101, allow_pass=True),
    "ten sides": Pig(target=64, sides=10),
    "a hundred sides": Pig(target=150, sides=100),
    "a coin": Piglet(target=16),
    "a biased coin": Piglet(target=9, heads=0.7),
    "more points than the target": Race(7, {5: 0.25, 900: 0.25}, 0.5),
    "large points": Race(40, {1: 0.3, 1000: 0.05}, 0.65),
    "to 1": Pig(target=1),
    "to 1 with passes": Pig(target=1, allow_pass=True),
    "odd gains": Race(25, {1: 0.1, 4: 0.3, 7: 0.25}, 0.35),
    "no bust": Race(25, {2: 0.5, 3: 0.5}, 0.0),
}


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_every_game_of_full_lanes_ends_alike(name, paired):
    game = GAMES[name]
    for number in range(2):
        draw = Draw(number, "dice", 2 + number, 3 - number)
        a, b = random_strategy(game, seed=2 + 2 * number), random_strategy(game, seed=3 + 2 * number)
        ends = outcomes(a, b, draw, 0, 100, 60, paired).tolist()
        assert ends == [twin(a, b, draw, part, 60, paired) for part in range(100)]


@pytest.mark.parametrize("most_turns", [1, 2, 3, 25])
def test_the_last_turn_is_the_same_one(most_turns):
    game, seen = Pig(target=20, allow_pass=True), set()
    players = skip_when_level(game), Strategy.from_function(game, lambda i, j, k: False), random_strategy(game, seed=3)
    for first, second, paired in itertools.product(players, players, (False, True)):
        ends = outcomes(first, second, Draw(6, "dice"), 0, 66, most_turns, paired).tolist()
        assert ends == [twin(first, second, Draw(6, "dice"), part, most_turns, paired) for part in range(66)]
        seen |= set(ends)
    assert seen >= {1: {3}, 2: {2, 3}, 3: {2, 3}, 25: {0, 1, 2}}[most_turns]


def test_a_game_does_not_depend_on_the_lane_it_is_played_in():
    game = Pig(target=50)
    a, b = random_strategy(game, seed=1), hold_at(game, 9)
    whole = outcomes(a, b, Draw(9, "dice", 4, 2), 0, 1100, 1000)
    for start, count in itertools.product((0, 1, 64, 999), (1, 63, 64, 65, 100)):
        part = outcomes(a, b, Draw(9, "dice", 4, 2), start, start + count, 1000)
        assert np.array_equal(part, whole[start : start + count])


def test_outcomes_are_tallied_by_match_with_the_couples_won():
    ended = np.array([0, 0, 0, 1, 2, 3, 1, 0, 0, 0, 3, 0, 0], dtype=np.uint8)
    counts = np.zeros((3, 5), dtype=np.int64)
    tally(ended, 2, 6, counts)  # games 2-5 of the first match, all of the second, 0-2 of the third
    matches = ended[:4], ended[4:10], ended[10:]
    expected = [[*np.bincount(match, minlength=4), won] for match, won in zip(matches, (1, 1, 0), strict=True)]
    assert counts.tolist() == expected  # couples are won by the games (2, 3) and (10, 11)


@pytest.mark.parametrize("name", GAMES)
def test_the_kernel_reads_the_same_rolls(name):
    game = GAMES[name]
    die = Die.of(game.die, game.bust)
    how = reader(die, game.target)
    runs = np.zeros((4 * how.runs_of_word, 64), dtype=np.int64)
    rolls = np.zeros((len(runs) * how.digits, 64), dtype=np.int32)
    for lane in range(64):
        counter = map(np.uint64, (1, lane, 3, 5, 7, STREAMS["dice"]))
        words = tuple(map(np.uint64, philox_block(*counter)))
        if die.is_fair:
            read_fair(words, how.runs, how.runs_of_word, runs, lane)
        else:
            read_with_alias(words, how.runs, how.alias, how.cut, runs, lane)
    unpack(runs, how.digits, rolls)
    assert len(rolls) == 4 * die.rolls_per_word
    for lane in range(64):
        source = Draw(7, "dice", 5, 3, lane).rolls(die)
        assert rolls[:, lane].tolist() == [min(next(source), game.target) for _ in range(len(rolls))]


@pytest.mark.parametrize("target", [1, 8, 30])
def test_tables_hold_every_decision(target):
    game = Pig(target=target, allow_pass=True)
    players = [random_strategy(game, seed=s) for s in range(3)]
    tables = pack([p.table for p in players])
    for n, player in enumerate(players):
        decides = np.add.outer(np.arange(target), np.arange(target)) < target  # nobody asks where the turn has won
        assert np.array_equal(decisions_of(tables)[n], player.table[decides])


def decisions_of(packed):
    """The decisions of packed strategies, shape (n, own scores and turn totals, opponent's scores)."""
    rows = packed.decisions[: -packed.target * packed.width].reshape(-1, packed.size // packed.width, packed.width)
    return np.unpackbits(rows, axis=2)[:, :, : packed.target]


def test_pairs_whose_tables_do_not_fit_together_play_the_same(monkeypatch):
    game = GAMES["pig"]
    rows = np.stack([random_strategy(game, seed=s).table for s in range(4)])
    pairs = [(0, 1), (2, 3), (3, 3), (1, 0)]
    draw = Draw(2, "dice", 6, 5)  # as in a further round of matches
    expected = play_pairs(game, rows, pairs, 31, draw, workers=2)
    for most in (3 * packed_bytes(game.target), 1):  # members that play are packed; every pair alone
        for module in ("pigevo.core.machine", "pigevo.simulation.lane_kernels"):
            monkeypatch.setattr(f"{module}.PIECE", most)
        for some in (pairs, pairs[1:3]):
            first = 0 if some is pairs else 1
            counts = play_pairs(game, rows, some, 31, draw.at(pair=draw.pair + first), workers=2)
            assert np.array_equal(counts, expected[first : first + len(some)])


def test_pairs_play_with_the_dice_of_their_number():
    game = GAMES["pig"]
    players = [random_strategy(game, seed=s) for s in range(3)]
    pairs = [(0, 1), (2, 0), (0, 1)]
    counts = play_pairs(game, np.stack([player.table for player in players]), pairs, 9, Draw(2, "dice", 6))
    for number, (a, b) in enumerate(pairs):
        draw = Draw(2, "dice", 6, number)
        won = [twin(players[a], players[b], draw, part, 1000) for part in range(9)].count(0)
        assert counts[number].tolist() == [won, 9 - won, 0, 0, 0]
    assert not np.array_equal(counts[0], counts[2])


def on_board(a, b, draw, count, most_turns, paired=False):
    place = draw.pair, *map(np.uint64, (draw.generation, draw.seed, STREAMS[draw.stream]))
    tables = np.stack([a.table, b.table])
    return player_on_board(a.game, tables, np.array([[0, 1]]), 10**6, most_turns, place, paired)(0, count).tolist()


def mixed(game, seed):
    chances = np.where(
        game.starts, 1.0, Draw(seed, "validation").uniforms(int(np.prod(game.shape))).reshape(game.shape)
    )
    return Strategy(game, chances)


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("game", [game for game in TINY.values() if not game.one_die], ids=str)
def test_every_game_on_a_board_ends_alike(game, paired):
    a, b, draw = random_strategy(game, seed=6), random_strategy(game, seed=7), Draw(3, "dice", 2, 3)
    assert on_board(a, b, draw, 100, 60, paired) == [twin(a, b, draw, part, 60, paired) for part in range(100)]


@pytest.mark.parametrize("game", [Pig(target=20), *TINY.values()], ids=str)
def test_decisions_left_to_chance_end_alike(game):
    a, b, draw = mixed(game, 1), mixed(game, 2), Draw(5, "dice", 1, 2)
    ends = on_board(a, b, draw, 60, 80)
    assert ends == [twin(a, b, draw, part, 80) for part in range(60)]
    assert len(set(ends)) > 1


def test_games_of_turns_can_be_drawn_and_counted():
    game = NAMED["ten_rounds"].bind({"turns": 1, "cap": 12})
    a = hold_at(game, 1)
    counts = play_pairs(game, np.stack([a.table, a.table]), [(0, 1)], 600, Draw(1, "dice"))
    wins, losses, stalemates, unfinished, draws = counts[0]
    assert (stalemates, unfinished) == (0, 0)
    assert wins + losses + draws == 600
    assert 60 < draws < 140  # one in six: both roll once, and the first roll is safe


class TestPlain:
    """The plain twin itself follows the rules, turn by turn."""

    def test_turns_alternate_and_add_up(self):
        a, b = hold_at(Pig(target=50), 12), hold_at(Pig(target=50), 25)
        turns = list(play_turns(a, b, Draw(1, "dice"), 1000))
        scores = [0, 0]
        for number, turn in enumerate(turns):
            assert max(scores) < 50
            assert turn.player == number % 2
            assert (turn.own, turn.opponent) == (scores[turn.player], scores[1 - turn.player])
            assert turn.banked == (0 if 0 in turn.rolls else sum(turn.rolls))
            assert 0 not in turn.rolls[:-1]
            scores[turn.player] += turn.banked
        assert scores[turns[-1].player] >= 50

    def test_the_target_is_banked_at_once(self):
        game = Race(10, {3: 1.0}, 0.0)
        (only,) = play_turns(roll_to_win(game), roll_to_win(game), Draw(1, "dice"), 10)
        assert only == Turn(0, 0, 0, (3, 3, 3, 3), 12)
        assert outcome([only], game) == 0

    def test_two_passes_in_a_row_are_a_stalemate_and_one_is_not(self):
        game = Pig(target=10, allow_pass=True)
        passing, rolling = Strategy.from_function(game, lambda i, j, k: False), roll_to_win(game)
        turns = list(play_turns(passing, passing, Draw(1, "dice"), 100))
        assert [t.is_pass for t in turns] == [True, True]
        assert outcome(turns, game) == 2
        assert outcome(list(play_turns(passing, rolling, Draw(1, "dice"), 100)), game) == 1


@pytest.mark.parametrize("allow_pass", [False, True])
@pytest.mark.parametrize(("target", "size"), [(1, 1), (70, 1), (70, (1, 3, 20)), (20, 50)])
def test_members_are_packed_from_their_genes_like_their_tables(target, size, allow_pass):
    grid = CubeGrid(Pig(target, allow_pass=allow_pass), size)
    genomes = np.random.default_rng(target).integers(0, 2, (3, grid.genes), dtype=np.uint8)
    from_genes, from_tables = pack(Members(grid, genomes)), pack(grid.to_tables(genomes))
    assert from_genes[1:] == from_tables[1:]
    assert from_genes.may_pass == (allow_pass and not genomes.all())
    assert np.array_equal(decisions_of(from_genes), decisions_of(from_tables))
