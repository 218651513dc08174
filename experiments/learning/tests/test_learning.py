"""The learners against plain Python, the exact engine and OpenSpiel; the bound; and the tables of the study."""

import itertools

import numpy as np
import pytest
from scipy import optimize

import pigevo
from experiments.common.tests.prose import cells_of
from pigevo.dice import Draw
from pigevo.experiments import load_study
from pigevo.experiments.common.tables import read_sections
from pigevo.experiments.learning import bound, contestants, evolution, learners, report, trials, tuning
from pigevo.experiments.learning.drawing import LOWEST, OTHERS, decade_below, plot_learning
from pigevo.experiments.learning.rules import FREE, strategy_of
from pigevo.experiments.learning.value_kernels import iterate_values
from pigevo.games import GAMES
from pigevo.games.board import board_of
from pigevo.settings.settings import Settings

STUDY = load_study("learning")
TINY = pigevo.Pig(10, 2)
ROUNDS = GAMES["ten_rounds"].bind({"turns": 2, "cap": 20})
NEAR = {"CFR": 2}
"""A setting that comes near the optimum soon: not one of those of CFR that divide by the reach, whose variance is larger."""
ENDS = (
    "Pig to 30, four sides, 10^7", "Pig to 100, 10^6", "ten rounds, 10^6", "Pig to 120, ten sides, 10^6",
    "Pig to 120, five sides, 10^6",
)  # fmt: skip
"""The largest number of games of each game, as tables name it."""
LEARN = [name for name in contestants.LEARNERS if name != "tree search"]


def made(name, game, seed=1, setting=0):
    make, options = contestants.LEARNERS[name]
    return make(game, seed, **options[setting])


@pytest.mark.parametrize("game", [TINY, pigevo.Pig(12, 3), pigevo.Piglet(4), ROUNDS], ids=str)
def test_values_iterated_with_the_true_chances_are_the_optimums(game):
    model, board = made("value iteration", game), board_of(game)
    shares = np.broadcast_to(board.chances, model.counts.shape).copy()
    iterate_values(model.rules, board.order, model.v, model.decided, shares, 0.5, 0.0, 10_000)
    best = pigevo.optimal(game)
    assert model.v[:, 0] == pytest.approx(best.values.ravel(), abs=1e-4)
    assert trials.judge(strategy_of(game, model.rolls, "iterated"))[1] == pytest.approx(0, abs=1e-6)


def plain_q_learning(target, sides, games, seed, epsilon, power):
    """Q-learning in plain Python, by own score, opponent's score and turn total; of the package only the dice."""
    values, visits = {}, {}

    def best(state):
        own, _, total = state
        if total == 0:
            return values.get((state, 1), 0.5)
        if own + total >= target:
            return values.get((state, 0), 0.5)
        return max(values.get((state, a), 0.5) for a in (0, 1))

    for game in range(games):
        words = iter(Draw(seed, "dice", part=game).words(4000).tolist())
        state = (0, 0, 0)
        while state is not None:
            own, other, total = state
            word = next(words)
            u = (word % 2**32) / 2**32
            held, rolled = (values.get((state, a), 0.5) for a in (0, 1))
            rolls = total == 0 or (own + total < target and rolled > held)
            if 0 < total < target - own and u < epsilon:
                rolls = u < epsilon / 2
            face = word * sides // 2**64 + 1
            if rolls and face > 1 and own + total + face < target:
                after, worth = (own, other, total + face), None
            elif (rolls and face > 1) or (not rolls and own + total >= target):
                after, worth = None, 1.0
            else:
                after, worth = (other, own if rolls else own + total, 0), None
            if worth is None:
                same = rolls and face > 1
                worth = best(after) if same else 1 - best(after)
            key = (state, int(rolls))
            visits[key] = visits.get(key, 0) + 1
            now = values.get(key, 0.5)
            values[key] = now + (worth - now) * np.exp(-power * np.log(visits[key]))
            state = after
    return values


def test_q_learning_is_its_plain_twin():
    target, sides, games = 12, 3, 300
    expected = plain_q_learning(target, sides, games, 5, 0.2, 0.7)
    learner = learners.QLearning(pigevo.Pig(target, sides), 5, 0.2, 0.7)
    learner.play(0, games)
    found = learner.q.reshape(target, target, -1, 2)
    for ((own, other, total), action), value in expected.items():
        assert found[own, other, total, action] == pytest.approx(value, abs=1e-12)
    assert np.count_nonzero(learner.visits) == len(expected)


@pytest.mark.parametrize("name", LEARN)
def test_counts_and_sums_go_on_after_thousands_of_millions_of_games(name):
    """The opening of Pig is left three times a game, so that 10^9 games count more than 2^31 there."""
    learner, many = made(name, TINY), 2**31 - 1
    learner.play(0, 10)
    counts = [getattr(learner, key) for key in ("visits", "counts", "turns") if hasattr(learner, key)]
    sums = [getattr(learner, key) for key in ("chosen", "mean") if hasattr(learner, key)]
    for values in counts + sums:
        values[...] = many
    learner.play(10, 200)
    assert all(values.min() >= many and values.max() > many for values in counts + sums)
    for key, value in vars(learner).items():
        assert not isinstance(value, np.ndarray) or np.isfinite(value).all(), key


@pytest.mark.parametrize("name", ["Q-learning", "TD(lambda)", "policy gradient", "fictitious play", "CFR"])
def test_games_may_be_played_in_parts(name):
    whole, parts = made(name, TINY), made(name, TINY)
    whole.play(0, 500)
    for first, games in ((0, 1), (1, 199), (200, 300)):
        parts.play(first, games)
    assert (whole.rolls == parts.rolls).all()
    for key, value in vars(whole).items():
        if isinstance(value, np.ndarray):
            assert (value == getattr(parts, key)).all(), key


@pytest.mark.parametrize("game", [TINY, ROUNDS], ids=str)
@pytest.mark.parametrize("name", LEARN)
def test_every_learner_comes_near_the_optimum_of_a_tiny_game(name, game):
    learner, played = made(name, game, setting=NEAR.get(name, 3)), 0
    start = trials.judge(strategy_of(game, learner.rolls, "start"))[0]
    for games in trials.steps(5).tolist():
        learner.play(played, games - played)
        played = games
    loss, _ = trials.judge(strategy_of(game, learner.rolls, name))
    assert loss < min(0.04, 0.5 * start)


def test_q_learning_learns_the_exact_value_of_a_tiny_game():
    learner = learners.QLearning(TINY, 3, 0.1, 0.85)
    learner.play(0, 1_000_000)
    values = np.where(learner.rules.allowed == FREE, learner.q.max(axis=2), learner.q[:, :, 1])[:, 0]
    assert values[0] == pytest.approx(pigevo.optimal(TINY).value, abs=0.01)


def test_td_with_a_whole_trace_averages_results():
    """With lambda 1, no exploration and a step size of 1/n, the value of the opening is the share of games won."""
    learner = learners.TDLambda(pigevo.Pig(3, 2), 1, 0.0, 1.0, 1.0)
    learner.play(0, 2000)
    rolled = pigevo.optimal(pigevo.Pig(3, 2)).value
    assert learner.v[0, 0] == pytest.approx(rolled, abs=0.04)


def test_a_search_finds_the_decision_that_wins_now():
    game = pigevo.Pig(10, 2)
    search = learners.TreeSearch(game, 1, 0.7, 0.7)
    search.play(0, 400 * len(search.roots))
    found, best = strategy_of(game, search.rolls, "search"), pigevo.optimal(game).strategy
    free = np.broadcast_to(game.decision_states, game.shape)
    assert trials.judge(found)[0] < 0.1
    assert (found.roll != best.roll)[free].mean() < 0.3


def test_the_die_alone_is_solved_as_the_game_with_that_die():
    """Counted shares are a loaded die, which the package solves by its other engine."""
    game = pigevo.Pig(15, 3)
    learner = learners.DieAlone(game, 1, 0.1, 1.0)
    learner.play(0, 50)
    later = learner.counts[:, 3:].sum(axis=0).reshape(-1, 3).sum(axis=0) + 1.0
    assert learner.shares()[3:] == pytest.approx(np.tile(later / later.sum(), game.target - 1))
    leads, shares = board_of(game).leads[:3].tolist(), learner.shares()[:3]
    by_face = tuple(float(shares[leads.index(lead)]) for lead in (-1, 2, 3))  # a bust, and turn totals of 2 and 3
    later = pigevo.Pig(15, numbers=(1, 2, 3), weights=by_face)
    learner.shares = lambda: np.tile(shares, len(board_of(game).leads) // 3)
    learner.play(50, 0)
    assert (strategy_of(game, learner.rolls, "alone").roll == pigevo.optimal(later).strategy.roll).all()


@pytest.mark.parametrize("wanted", [0.2, 0.41, 0.7, 0.95])
def test_the_divergence_is_the_least_there_is(wanted):
    chances, worth = np.array([0.25, 0.25, 0.5]), np.array([0.1, 0.5, 1.0])
    least = optimize.minimize(
        lambda law: np.sum(chances * np.log(chances / np.maximum(law, 1e-300))), [0.3, 0.3, 0.4],
        bounds=[(1e-9, 1)] * 3, constraints=[{"type": "eq", "fun": lambda law: law.sum() - 1},
                                             {"type": "eq", "fun": lambda law: law @ worth - wanted}],
        options={"ftol": 1e-14, "maxiter": 500},
    )  # fmt: skip
    found = bound.divergence(chances, worth[:, None], np.array([wanted]))
    assert found[0] == pytest.approx(least.fun, abs=1e-6)


def test_nothing_comes_about_beyond_all_outcomes():
    found = bound.divergence(np.array([0.5, 0.5]), np.array([[0.0], [1.0]]), np.array([1.0]))
    assert np.isinf(found[0])


def test_no_test_between_two_laws_of_a_throw_errs_less_than_the_bound():
    """The best test, enumerated: of all sequences of throws, those that are likelier in one world decide for it."""
    chances, worth, throws = np.array([0.5, 0.5]), np.array([0.0, 1.0]), 12
    divergence = bound.divergence(chances, worth[:, None], np.array([0.7]))[0]
    other = np.array([0.3, 0.7])
    assert divergence == pytest.approx(np.sum(chances * np.log(chances / other)), abs=1e-9)
    errs = 0.0
    for sequence in itertools.product((0, 1), repeat=throws):
        errs += 0.5 * min(chances[[*sequence]].prod(), other[[*sequence]].prod())
    assert 0.25 * np.exp(-throws * divergence) < errs


def test_the_bound_falls_with_games_and_who_sees_throws_needs_fewer():
    found = bound.evidence(pigevo.Pig(20, 3))
    seen = {how: [found.least_loss(10.0**n, how) for n in range(8)] for how in ("throws", "winners")}
    assert all(a > b for losses in seen.values() for a, b in itertools.pairwise(losses))
    assert all(a < b for a, b in zip(seen["throws"], seen["winners"], strict=True))
    assert found.least_loss(found.games_for(0.001, "throws"), "throws") == pytest.approx(0.001, rel=1e-3)


@pytest.mark.parametrize("family", evolution.EXPERIMENTS)
@pytest.mark.parametrize("task", [contestants.ANOTHER, *contestants.TASKS.values()], ids=lambda task: str(task.game))
def test_evolution_spends_its_budget_and_no_more(family, task):
    tried = contestants.options_of(f"evolution, {family}")
    for decade, options in itertools.product((4, 6), (tried[0], tried[-1])):
        plan = Settings.of(*evolution.words(family, task.words, task.size, 10**decade, options)).plan
        assert plan.game == task.game
        generations = sum(wave.generations for wave in plan.waves)
        games = plan.fitness.plays.games
        spent = plan.size * (generations + 1) * games if family == "archive" else plan.size // 2 * generations * games
        assert 0.6 * 10**decade < spent <= 1.02 * 10**decade


def test_without_an_edge_each_state_has_a_gene_from_the_start():
    task = contestants.TASKS[contestants.WHERE]
    options = {**contestants.options_of(contestants.CUBES)[0], "edge": 0.0}
    waves = Settings.of(*evolution.words("twins", task.words, task.size, 10_000, options)).plan.waves
    choices = int(np.broadcast_to(task.game.decision_states, task.game.shape).sum())
    assert {wave.grid.genes for wave in waves} == {choices}


def test_all_contestants_were_tried_with_twelve_settings():
    assert {len(contestants.options_of(name)) for name in contestants.EVERYONE} == {12}
    for name in contestants.LEARNERS:
        made(name, TINY, setting=11).play(0, 1)


def openspiel_q_learning(parameters, games, seed):
    """The values of the first seat, by what it sees, after OpenSpiel's tabular Q-learning on its own Pig."""
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not here; it has no wheel for every machine")
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms.tabular_qlearner import QLearner

    np.random.seed(seed)  # the players' moves; the environment draws its dice elsewhere
    dice = rl_environment.ChanceEventSampler(seed)
    environment = rl_environment.Environment(pyspiel.load_game("pig", parameters), chance_event_sampler=dice)
    seats = [QLearner(player, 2, step_size=0.1) for player in (0, 1)]
    for _ in range(games):
        step, acted = environment.reset(), set()
        while not step.last():
            player = step.current_player()
            acted.add(player)
            step = environment.step([seats[player].step(step).action])
        for player in acted:
            seats[player].step(step)
    return seats[0]._q_values


@pytest.mark.slow
def test_openspiels_q_learning_on_its_own_pig_comes_as_near_to_the_optimum():
    """Another implementation of the algorithm and of the game; its players see the turn total and both scores."""
    games, target, sides = 6000, 6, 3
    game = pigevo.Pig(target, sides)
    learned = openspiel_q_learning({"winscore": target, "diceoutcomes": sides, "horizon": 500}, games, seed=1)

    def rolls(own, other, total):
        seen = [float(n == place) for place in (total, own, other) for n in range(target + 1)]
        return bool(learned[str(seen)][0] > learned[str(seen)][1])

    theirs = pigevo.Strategy.from_function(game, rolls, "OpenSpiel")
    learner = learners.QLearning(game, 1, 0.2, 0.6)
    untrained = trials.judge(strategy_of(game, learner.rolls, "untrained"))[0]
    learner.play(0, games)
    ours = strategy_of(game, learner.rolls, "ours")
    losses = [trials.judge(strategy)[0] for strategy in (theirs, ours)]
    assert max(losses) < 0.05 < 0.4 * untrained


HERE = STUDY.HERE


@pytest.mark.parametrize(("losses", "low"), [([0.3, 0.04, 0.0], 0.01), ([2e-5, 0.3], 1e-5), ([0.0, 1e-9], LOWEST)])
def test_a_panel_begins_at_the_decade_below_its_lines(losses, low):
    assert decade_below(losses) == pytest.approx(low)


def test_a_panel_has_its_own_contestants_and_the_others_in_grey():
    own = ([1e4, 1e5, 1e6], [np.array([0.1, 0.2]), np.array([0.01, 0.0]), np.array([0.0, 0.0])])
    other = ([1e4, 1e5], [np.array([0.3]), np.array([0.02])])
    first, _ = plot_learning({"Pig": {"a": own, "b": other}}, "games", "loss", groups={"x": ("a",), "y": ("b",)})
    marks = [line for line in first.lines if line.get_marker() == "v"]
    assert [line.get_xdata()[0] for line in marks] == [1e6, 1e5]  # the median below the edge; only the least seed
    assert [line.get_markerfacecolor() for line in marks] == [marks[0].get_color(), "w"]
    assert sum(line.get_color() == OTHERS["color"] for line in first.lines) == 1


@pytest.fixture(scope="module")
def study():
    """The rows of the study, and those of its tuning."""
    return STUDY.rows_of(HERE / "runs.csv"), tuning.tried(HERE / "tuning.csv", 1, missing=False)


def test_the_tables_follow_from_the_rows(study):
    large = {
        name: report.levels(STUDY.rows_of(HERE / f"{name}.csv"), "loss", decade)
        for name, (decade, _) in STUDY.LARGE.items()
    }
    assert {**STUDY.sections(*study), **large} == read_sections(HERE)


def test_a_few_seeds_play_more_games(monkeypatch, tmp_path, study):
    small = {"Pig to 12": contestants.Task("game=pig game.target=12 game.sides=3", 12, range(3, 5))}
    for module in (STUDY, report):
        monkeypatch.setattr(module, "TASKS", small)
    for name, value in {
        "WHERE": "Pig to 12",
        "LARGE": {"large": (4, range(3))},
        "SHOWN": ["Q-learning", contestants.INFORMED],
    }.items():
        monkeypatch.setattr(STUDY, name, value)
    STUDY.play_large(tmp_path, 1, tuning.chosen(study[1]), "large")
    assert {key[1:] for key in STUDY.rows_of(tmp_path / "large.csv")} == {("Q-learning", str(n)) for n in range(3)}
    assert "| Pig to 12 | Q-learning | 10^4 | 3 |" in read_sections(tmp_path)["large"]


def test_the_seeds_are_fresh_and_the_same_for_all(study):
    rows, tried = study
    seeds = {name: {int(seed) for _, n, seed in rows if n == name} for name in contestants.SHOWN}
    assert seeds.pop(contestants.SINGLE) <= seeds[contestants.CUBES]
    assert len(set(map(frozenset, seeds.values()))) == 1
    assert min(seeds[contestants.INFORMED]) == STUDY.FRESH > max(int(seed) for *_, seed in tried)
    assert len(tried) == 12 * len(tuning.SEEDS) * len(contestants.EVERYONE)


def test_each_seed_plays_the_numbers_of_games_of_its_game(study):
    for (name, contestant, _), row in study[0].items():
        task = contestants.TASKS[name]
        last = trials.top(contestant, task)
        played = range(task.decades[0], last + 1)
        assert {key for key in row if key.startswith("loss")} == {f"loss {decade}" for decade in played}


def test_later_seeds_alone_decide_as_predicted(study):
    """Prediction 14, by the seeds that played the largest numbers of games last, and what the first six had decided."""
    rows, tried = study
    six, later = ({key: row for key, row in rows.items() if (not (int(key[2]) - STUDY.FRESH) % 5) is first}
                  for first in (True, False))  # fmt: skip
    untouched = contestants.UNTOUCHED
    developed = [task for task in contestants.TASKS if task not in untouched]

    def verdicts(of_seeds):
        tables = [report.against_evolution(of_seeds, tried, tasks) for tasks in (developed, untouched)]
        found = [row for text in tables for row in cells_of(text) if row[0].endswith(ENDS)]
        by_name = {tuple(row[0].split(", ", 1)): row[6] for row in found}
        return {key: by_name[key] for key in by_name if key[0] in contestants.LEARNERS}

    before, after = verdicts(six), verdicts(later)
    opened = {key for key in before if before[key] == "open"}
    assert opened == {("TD(lambda)", ENDS[0]), ("value iteration", ENDS[2]), ("value iteration", ENDS[3])}
    assert {key: after[key] for key in sorted(opened)} == dict(zip(sorted(opened), "ABB", strict=True))
    assert {key: after[key] for key in before.keys() - opened} == {key: before[key] for key in before.keys() - opened}
    assert np.mean([*report.of(later, "Pig to 100", contestants.CUBES, "loss 6").values()]) < 0.01
    exploitability, loss = (
        np.mean([*report.of(later, contestants.WHERE, "evolution, archive", f"{figure} 7").values()])
        for figure in ("exploitability", "loss")
    )
    assert exploitability <= 2 * loss


def test_a_row_can_be_made_again(study):
    rows, tried = study
    for name in ("TD(lambda)", "evolution, twins"):
        task, seed = "Pig to 30, four sides", str(STUDY.FRESH + 1)
        again = trials.trial(name, contestants.TASKS[task], tuning.chosen(tried)[name], int(seed), 4)
        for figure in ("loss 4", "exploitability 4", "games 4"):
            assert again[figure] == rows[task, name, seed][figure]


@pytest.mark.slow
def test_the_study_writes_its_tables_and_pictures_and_goes_on(monkeypatch, tmp_path):
    small = {"Pig to 12": contestants.Task("game=pig game.target=12 game.sides=3", 12, range(3, 5))}
    for module in (STUDY, report):
        monkeypatch.setattr(module, "TASKS", small)
    STUDY.run(tmp_path, 1, 1)
    first = (tmp_path / "runs.csv").read_text().splitlines()
    STUDY.run(tmp_path, 2, 1)
    rows = (tmp_path / "runs.csv").read_text().splitlines()
    assert rows[: len(first)] == first
    assert len(rows) == 1 + 2 * len(contestants.EVERYONE)
    assert list(read_sections(tmp_path)) == [
        "bound",
        "evolution",
        "exploitability",
        "further",
        "loss",
        "speed",
        "start",
        "tuning",
        "untouched",
    ]
    pictures = {path.name for path in tmp_path.glob("*.png")}
    assert pictures == {f"{figure}_by_{cost}.png" for figure, cost in STUDY.PICTURES}
