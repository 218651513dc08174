"""The study of three players: in miniature, its pictures, iterations and Piglet, what its README says, and its command."""

import csv
import json
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo import three_player as tp
from pigevo.experiments import load_study
from pigevo.experiments.bonnet2018 import coalitions, drawing, iterations, n_players, piglet, proofs, rewarded_solver
from pigevo.experiments.bonnet2018.n_players import solve_many
from pigevo.experiments.bonnet2018.study import solve_choosing
from pigevo.games.two_dice import TwoDice
from tests.reference import three

PLACE = Path(__file__).parents[1]
README = (PLACE / "README.md").read_text()
TEXT = " ".join(README.split())
TABLES = set(
    [
        "targets",
        "shortfall",
        "coalition",
        "piglet",
        "simulation_2",
        "coins",
        "iterations",
        "target62",
        "one_orbit",
        "cycles",
        "fractions",
        "rewards",
        "uniqueness",
        "selections",
        "players",
        "small_games",
        "bounds",
        "margins",
        "regret",
        "regret_whole",
    ]
)


@pytest.fixture
def study(monkeypatch):
    module = load_study("bonnet2018")
    short = {"TARGET": 12, "GAMES": 500, "target62": lambda _: [{"x": 1}], "one_orbit": lambda _: [{"x": 1}],
             "regret": lambda _: [{"x": 1}], "iterations.WHOLE": (5,),
             "piglet.PIGLET_TARGETS": 4, "piglet.COINS": np.array([0.4, 0.5]),
             "piglet.COIN_TARGETS": (1, 3),
             "proofs.FRACTION_GAMES": (tp.Piglet(4),), "rewarded_solver.REWARD_TARGETS": (5,),
             "FOUR": ((tp.Piglet, 2),), "THREE": ((TwoDice, 4),), "n_players.SMALL_TARGETS": (3,),
             "n_players.CHANCES": (0.2,), "COUNTED": (5, 12, 13),
             "SELECTED_TARGET": 6, "iterations.WATCHED": [(9, "in_place"), (9, "regret")]}  # fmt: skip
    for name, value in short.items():
        monkeypatch.setattr(f"pigevo.experiments.bonnet2018.{name if '.' in name else f'study.{name}'}", value)
    return module


def rows(path):
    return list(csv.DictReader(path.read_text().splitlines()))


@pytest.mark.slow
@pytest.mark.parametrize("drawn", [False, True])
def test_the_study_in_miniature(study, tmp_path, monkeypatch, drawn):
    pictures = set()
    if not drawn:  # what they show is read from the tables all the same
        for name in ("plot_curves", "plot_hold_table", "plot_surfaces", "plot_chain", "figure_of"):
            monkeypatch.setattr(drawing, name, lambda *_, **__: None)
        monkeypatch.setattr(drawing, "save_figure", lambda path, _: pictures.add(path.stem))
    study.run(tmp_path, seeds=2, workers=1)
    assert {p.stem for p in tmp_path.glob("*.csv")} >= TABLES
    pictures |= {p.stem for p in tmp_path.glob("*.png")}
    assert pictures == {"seats", "piglet", "coins", "losses", "piglet_holds", "surface", "orbit"}
    targets = rows(tmp_path / "targets.csv")
    assert len(targets) == 12
    assert sum(float(targets[-1][s]) for s in ("first", "second", "third")) == pytest.approx(1)
    assert len(rows(tmp_path / "simulation_2.csv")) == 6
    assert all(row["converged"] == "True" for row in rows(tmp_path / "iterations.csv"))

    made = {p: p.stat().st_mtime_ns for p in [*tmp_path.rglob("*.csv"), *tmp_path.rglob("*.json")]}
    (tmp_path / "coins.csv").unlink()
    monkeypatch.setattr("pigevo.experiments.bonnet2018.piglet.coin", None)  # each coin is kept: none is computed again
    monkeypatch.setattr(study, "draw", lambda *_: None)
    study.run(tmp_path, seeds=2, workers=1)
    assert all(p.stat().st_mtime_ns == t for p, t in made.items() if p.name != "coins.csv")
    assert len(rows(tmp_path / "coins.csv")) == 4


def table_after(heading):
    """The rows of the first table of the study's text after some words."""
    lines = README[README.index(heading) :].splitlines()
    table = [line for line in lines[next(n for n, line in enumerate(lines) if line.startswith("|")) :]]
    end = next(n for n, line in enumerate([*table, ""]) if not line.startswith("|"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:end]]


@pytest.mark.slow
def test_what_the_two_player_optimum_loses_stands_in_the_text(pig62):
    lost = {view: 100 * tp.lifted_loss(pig62, view).mean(axis=1) for view in tp.VIEWS}
    printed = {int(row[0]): row[1:4] for row in table_after("loses, in percentage points")}
    for target in (30, 39, 50, 62):
        assert printed[target] == [f"{lost[view][target - 1]:.2f}" for view in ("leader", "both", "next")]


def test_play_leads_from_an_orbit_to_those_with_less_to_go(study):
    assert study.leads_to((32, 62, 61), (30, 58, 58))
    assert study.leads_to((32, 62, 61), (61, 32, 62))
    assert not study.leads_to((32, 62, 61), (33, 40, 33))
    assert study.leads_to((44, 57, 47, 58), (57, 42, 57, 42))
    assert not study.leads_to((41, 48, 58, 56), (37, 53, 53, 58))


def test_a_curve_has_a_gap_where_equilibria_differ_filled_with_all_of_them():
    rows = [("0.4", 5, 0.1), ("0.5", 5, 0.2), ("0.5", 5, 0.3), ("0.5", 10, 0.7), ("0.4", 10, 0.6), ("0.6", 5, 0.1)]
    data = drawing.coins_data([{"heads": h, "goal": str(g), "gain": str(y)} for h, g, y in [*rows, ("0.6", 10, 0.5)]])
    assert data.x.tolist() == [0.4, 0.5, 0.6]
    assert np.isnan(data.series["target 5"]).tolist() == [False, True, False]
    assert data.series["target 10"].tolist() == [0.6, 0.7, 0.5]
    assert data.dots == (("target 5", 0.5, 0.2), ("target 5", 0.5, 0.3))


def test_the_hold_table_is_piglets_of_the_paper():
    """Figure 1: when b = 1 the player plays to win in this turn."""
    holds = drawing.hold_table(pigevo.optimal(pigevo.Piglet(10)).strategy)
    assert holds[:, 0].tolist() == list(range(1, 11))
    assert holds.shape == (10, 10)
    drawn = drawing.plot_hold_table(holds)
    assert [int(t.get_text()) for t in drawn.texts] == holds.ravel().tolist()


@pytest.fixture(scope="module")
def solution():
    return tp.solve(tp.Piglet(10, 0.56))


def test_seats_and_orbits_for_every_target(solution):
    seats, orbits = drawing.seats_data(solution), drawing.orbits_data(solution)
    assert seats.x.tolist() == orbits.x.tolist() == list(range(1, 11))
    assert sum(seats.series.values()) == pytest.approx(1)
    assert [seats.series[f"{s} seat"][-1] for s in drawing.SEATS] == pytest.approx(solution.value)
    assert orbits.series["several equilibria"].tolist() == [0] * 6 + [1] * 4  # (4, 7, 7)
    assert not orbits.series["no pure equilibrium"].any()


def test_pictures(solution):
    panels = [drawing.seats_data(solution), drawing.orbits_data(solution)]
    drawn = drawing.plot_curves(panels)
    assert [axes.get_xlabel() for axes in drawn] == ["target", "target"]
    first = drawn[0].get_lines()
    assert [line.get_label() for line in first] == list(panels[0].series)
    assert np.array_equal(first[0].get_ydata(), panels[0].series["first seat"])


ORACLE = json.loads((Path(__file__).parents[3] / "tests" / "oracles.json").read_text())["three_player_cycle"]
CYCLING = ["in_place", "separate", "random_order"]


@pytest.mark.parametrize("method", iterations.METHODS)
def test_a_small_target_converges(method):
    swept = []
    result = iterations.watch(tp.Game(target=12), method, progress=swept.append)
    assert result.converged
    assert swept == [1] * result.sweeps
    assert result.cycle == ()


@pytest.mark.parametrize("method", CYCLING)
def test_where_they_converge_they_find_the_solution(method):
    game = tp.Game(target=12)
    course = iterations.Course(game, iterations.METHODS[method], 3)
    for number in range(200):
        course.sweep(number)
    solution = np.moveaxis(tp.solve(game).values, -1, 0)
    assert course.values[0][:, 1:, 1:, 1:] == pytest.approx(solution[:, 1:, 1:, 1:], abs=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("method", CYCLING)
def test_at_62_they_cycle_between_the_states_of_the_paper(pig62, method):
    result = iterations.watch(pig62.game, method, 600, orbit=(pig62, (32, 62, 61)))
    assert not result.converged
    assert sorted(scores for scores, _ in result.cycle) == sorted(map(tuple, ORACLE["states"]))
    assert result.change > 1e-6
    if method == "in_place":
        assert result.period == 10


@pytest.mark.slow
def test_an_order_can_make_a_cycle_where_there_are_several_pure_equilibria(pig62):
    needs = (43, 43, 50)
    assert needs in [o.needs for o in pig62.several]
    assert not iterations.watch(pig62.game, "by_player", 400, orbit=(pig62, needs)).converged
    assert iterations.watch(pig62.game, "separate", 400, orbit=(pig62, needs)).converged


@pytest.mark.slow
def test_regret_matching_does_not_come_to_rest_either(pig62):
    assert not iterations.watch(pig62.game, "regret", 3000, orbit=(pig62, (32, 62, 61))).converged


@pytest.mark.slow
def test_at_an_orbit_with_a_pure_equilibrium_they_come_to_rest_there(pig62):
    for method in ("in_place", "separate", "random_order", "regret"):
        assert iterations.watch(pig62.game, method, 600, orbit=(pig62, (34, 26, 62))).converged


def test_wrong_input_is_told():
    with pytest.raises(pigevo.InputError, match="no method 'in-place'; did you mean in_place"):
        iterations.watch(tp.Game(target=3), "in-place")
    with pytest.raises(pigevo.InputError, match="too few"):
        iterations.watch(tp.Game(target=3), sweeps=10)


@pytest.mark.parametrize("heads", [0.3, 0.5, 1.0])
def test_exhaustion_and_the_solver_agree(heads):
    game = tp.Piglet(9, heads)
    result, solution = piglet.exhaust(game), tp.solve(game)
    assert result.complete
    gaps = np.abs(result.worlds - solution.values)[:, 1:, 1:, 1:].max(axis=(1, 2, 3, 4))
    assert gaps.min() < 1e-12


@pytest.mark.slow
def test_where_equilibria_differ_in_payoff_all_are_told():
    """A fair-looking coin at which the orbit (4, 7, 7) has three equilibria, two of them pure."""
    game = tp.Piglet(10, 0.56)
    result = piglet.exhaust(game)
    assert result.branches == {(4, 7, 7): 3}
    assert len(result.values_at(10)) == 3
    assert len(result.values_at(9)) == 1
    solution = tp.solve(game)
    (orbit,) = solution.several
    assert orbit.needs == (4, 7, 7)
    for number in range(3):
        value = solve_choosing(game, {(4, 7, 7): number}).value
        assert np.abs(result.values_at(10) - value).max(axis=1).min() < 1e-12
    pure = three.pure_equilibria(
        (4, 7, 7), game.die, game.bust, lambda m, a, b, c: np.roll(solution.values[a, b, c], m)
    )
    distinct = {tuple(np.round(v.ravel(), 9)) for v in pure}
    assert len(distinct) == 2


def test_what_the_paper_says_of_its_figures():
    fair, biased = piglet.exhaust(tp.Piglet(10)), piglet.exhaust(tp.Piglet(10, 0.45))
    gains = np.array([fair.gains_at(target)[0] for target in range(1, 11)])
    assert (gains[:, 0] > gains[:, 1]).all()
    assert (gains[:, 1] > gains[:, 2]).all()
    assert gains[3, 1] < gains[2, 1]  # the second player's gain falls from target 3 to target 4
    assert gains.sum(axis=1) == pytest.approx(0, abs=1e-12)
    assert biased.gains_at(10)[0, 0] > gains[9, 0]  # target 10: 0.45 is better for the first player than 0.5
    assert gains[0] == pytest.approx([5 / 7, -1 / 7, -4 / 7])


def test_worlds_beyond_the_limit_are_owned_up_to():
    result = piglet.exhaust(tp.Piglet(7, 0.56), most=2)
    assert not result.complete
    assert len(result.worlds) == 2


@pytest.mark.parametrize("game", [tp.Piglet(6), tp.Piglet(5, 0.4), tp.Game(target=6)], ids=str)
def test_fractions_are_the_solvers_numbers_without_rounding(game):
    result, solution = proofs.solve_in_fractions(game), tp.solve(game)
    assert len(result) == game.target**3
    for needs, shares in result.items():
        assert sum(shares) == 1
        assert [float(share) for share in shares] == pytest.approx(solution.values[needs].tolist(), abs=1e-14)


def test_fractions_of_the_text_are_right_and_a_wrong_decision_or_a_mixture_is_refused(monkeypatch):
    result = proofs.solve_in_fractions(tp.Piglet(4))
    printed = {int(row[0]): row[1:4] for row in table_after("as fractions")}
    for target in range(1, 5):
        assert printed[target] == [str(share) for share in result[target, target, target]]
    assert result[1, 1, 1] == (Fraction(4, 7), Fraction(2, 7), Fraction(1, 7))
    with pytest.raises(pigevo.InputError, match="mixes"):
        proofs.solve_in_fractions(tp.Piglet(7, 0.33))
    with pytest.raises(pigevo.InputError, match="no plain fraction"):
        proofs.solve_in_fractions(tp.Piglet(3, np.pi / 6))
    game = tp.Piglet(3)
    rolls = tp.Strategy.from_function(game, lambda *_: 0)
    wrong = tp.ThreeSolution(rolls, tp.solve(game).values, ())
    monkeypatch.setattr(proofs.three_player, "solve", lambda _: wrong)
    with pytest.raises(pigevo.InputError, match="only to rounding"):
        proofs.solve_in_fractions(game)


def test_the_chain_of_an_orbit_is_that_of_the_papers_second_figure():
    chain = drawing.chain_data(tp.Piglet(10), (4, 3, 5))
    assert chain.holds == (2, 1, 2)
    assert chain.leaves == (0.25, 0.5, 0.25)
    assert chain.after == ((2, 3, 5), (4, 2, 5), (4, 3, 3))
    drawn = [text.get_text() for text in drawing.plot_chain(chain).texts]
    assert {"[4], 3, 5", "4, [3], 5", "4, 3, [5]", "2, [3], 5", "4, 2, [5]", "[4], 3, 3"} <= set(drawn)
    out = 1 - 0.75 * 0.5 * 0.75  # equation 3 of the paper: where the orbit is left
    shares = [0.25 / out, 0.75 * 0.5 / out, 0.75 * 0.5 * 0.25 / out]
    values = tp.solve(tp.Piglet(10)).values
    own = [values[3, 5, 2][2], values[5, 4, 2][1], values[4, 3, 3][0]]
    assert values[4, 3, 5][0] == pytest.approx(sum(s * v for s, v in zip(shares, own, strict=True)))


@pytest.mark.slow
def test_the_cycle_of_target_62_makes_a_coalition_twice_and_breaks_it_twice(pig62):
    rows = coalitions.cycles(pig62)
    assert [row["kind"] for row in rows] == ["makes", "makes", "breaks", "breaks"]
    printed = table_after("Each switch at (32, 62, 61)")
    for row, cells in zip(rows, printed, strict=True):
        assert cells[0] == str(row["switcher_needs"])
        assert cells[1:4] == [f"{row[who]:+.5f}" for who in ("own", "partner", "third")]
        assert cells[4] == row["kind"] + " it"
    assert row["after_making"]
    assert min(row["joint_first"], row["joint_second"]) > 0 > row["joint_third"]
    steps = [np.array([row["own"], row["partner"], row["third"]]) for row in rows]
    assert np.abs([step.sum() for step in steps]).max() < 1e-12
    around = sum(s if n % 2 == 0 else s[[1, 0, 2]] for n, s in enumerate(steps))
    assert np.abs(around).max() < 1e-12  # the cycle ends where it began


def test_rewards_of_the_text(monkeypatch):
    monkeypatch.setattr(rewarded_solver, "REWARD_TARGETS", (20,))
    printed = {row[1]: row[2:5] for row in table_after("expect by seat") if row[0] == "20"}
    rows = rewarded_solver.rewards(1)
    assert set(printed) == {row["rewards"] for row in rows}
    for row in rows:
        assert printed[row["rewards"]] == [f"{round(row[s], 4) + 0.0:.4f}" for s in ("first", "second", "third")]
        assert row["largest_gain"] < 1e-14


@pytest.mark.parametrize(
    ("heads", "kinds", "both_gain"),
    [(0.475, ["makes", "makes", "breaks", "breaks"], True), (0.33, ["makes", "makes", "neither", "breaks"], False)],
)
def test_in_piglet_a_cycle_need_not_be_a_coalition(heads, kinds, both_gain):
    rows = coalitions.cycles(tp.solve(tp.Piglet(7, heads)))
    assert [row["kind"] for row in rows] == kinds
    assert all(row["own"] > 0 for row in rows)
    assert (min(rows[0]["joint_first"], rows[0]["joint_second"]) > 0) == both_gain
    assert rows[0]["joint_third"] < 0


@pytest.mark.parametrize("players", [4, 3], ids=["four_players", "falling"])
def test_games_of_more_players_and_of_falling_scores_are_all_in_the_text_and_solved(players):
    solved = [row for row in rows(PLACE / "players.csv") if row["players"] == str(players)]
    assert len(solved) > 10
    for row in solved:
        assert f"| {row['game']} | {float(row['seat_1']):.6f} |" in README
        assert max(float(row["largest_gain"]), float(row["error"])) < 1e-12


@pytest.mark.parametrize(("game", "players"), [(tp.Piglet(5), 4), (tp.Game(10), 4), (TwoDice(20), 3)], ids=str)
def test_a_row_of_these_tables_comes_out_again(game, players):
    made = rows(PLACE / "players.csv")
    (there,) = [row for row in made if (row["game"], row["players"]) == (str(game), str(players))]
    (recomputed,) = n_players.solved_row(game, players, 1)
    for name, value in recomputed.items():
        if name.startswith("seat"):
            assert float(there[name]) == pytest.approx(value, abs=1e-12)
        elif name in ("orbits", "open", "mixing", "sweeps"):
            assert int(there[name]) == value


def test_counts_of_equilibria_add_up_and_are_in_the_text():
    counted = rows(PLACE / "uniqueness.csv")
    kinds = ("by_elimination", "one_pure", "one_mixed", "several")
    printed = [[int(cell.replace(",", "")) for cell in cells] for cells in table_after("counts the orbits of Pig")]
    assert printed == [[int(row[name]) for name in ("target", "orbits", *kinds)] for row in counted]
    assert all(orbits == sum(by_kind) for _, orbits, *by_kind in printed)
    unique = [target for target, orbits, by_elimination, *_ in printed if orbits == by_elimination]
    assert f"*Up to {max(unique)} the equilibrium of the whole game is unique*" in README
    assert all(float(row["largest_gain"]) < 1e-14 for row in rows(PLACE / "selections.csv"))


@pytest.mark.slow
def test_orbits_of_target_62_are_counted_again(pig62):
    module = load_study("bonnet2018")
    recomputed = {str(row["target"]): row for row in module.uniqueness(pig62)}
    for row in rows(PLACE / "uniqueness.csv"):
        if int(row["target"]) <= 62:
            assert row == {name: str(value) for name, value in recomputed[row["target"]].items()}


def test_small_games_hold_and_the_time_of_pig_for_four_is_extrapolated():
    small, four = rows(PLACE / "small_games.csv"), {row["game"]: row for row in rows(PLACE / "players.csv")}
    text = TEXT
    assert f"All {len(small)} games of `small_games.csv`" in text
    assert all(row["holds"] == "True" for row in small)
    assert f"after at most {max(int(row['sweeps']) for row in small)} sweeps" in text
    forty, fifty = (sum(float(four[f"Pig to {t}"][f"seconds_{w}"]) for w in ("solved", "certified")) for t in (40, 50))
    assert f"{forty:.0f} processor seconds at 40 and {fifty:.0f} at 50" in text
    power = np.log(fifty / forty) / np.log(50 / 40)
    assert f"the power of about {power:.1f}." in text
    assert f"about {fifty * 2**power / 60:.0f} processor minutes" in text
    tables = {t: (t + 1) ** 4 * (8 * 3 * 4 + t + 16) / 1e9 for t in (61, 100)}  # as `check_many` counts them
    assert f"the tables take {tables[100]:.0f} GB at 100" in text
    assert f"At 61 they take {tables[61]:.1f} GB, and the process came to 3.54 GB" in text
    needed = 3.54 * tables[100] / tables[61]
    assert f"by that share 100 needs {needed:.0f} GB, or {needed * 1e9 / 2**30:.0f} GiB" in text


def test_the_first_orbits_of_four_without_a_pure_equilibrium_stand_in_the_text():
    (row,) = [row for row in rows(PLACE / "players.csv") if row["game"] == "Pig to 61"]
    text, orbits = TEXT, row["first_mixing_orbits"].split("; ")
    assert f"comes at target {row['first_mixing']}, as predicted below 62" in text
    assert f"several turns at {row['open']} orbits" in text
    listed = [f"({orbit.replace(' ', ', ')})" for orbit in orbits]
    assert f"have none: {', '.join(listed[:-1])} and {listed[-1]}" in text
    assert row["of_them_after_settled_play"] == "3"
    assert f"somebody gains {float(row['least_gain_at_a_pure_choice']):.1e}".replace("e-0", "e-") in text


def test_the_iterations_stand_in_the_text():
    words = {"in_place": "in place", "separate": "separate policies", "random_order": "random order",
             "discount": "discount 0.9 for each turn", "regret": "regret matching"}  # fmt: skip
    table = README.partition("[iterations.csv]")[2].partition("[one_orbit.csv]")[0]
    said = {
        cells[1].strip(): cells[2:4] for cells in (line.split("|") for line in table.splitlines()) if len(cells) == 5
    }
    for row in rows(PLACE / "iterations.csv"):
        cell = said[words[row["method"]]][int(row["target"]) - 61].strip()
        if row["converged"] == "True":
            assert cell == f"converges, {row['sweeps']} sweeps"
        elif row["period"]:
            assert cell.endswith(f", period {row['period']} sweeps")
        else:
            assert f"after {row['sweeps']} sweeps" in cell


def rows_with(name, **values):
    """The rows of a table that have these values."""
    with (PLACE / f"{name}.csv").open() as file:
        return [row for row in csv.DictReader(file) if values.items() <= row.items()]


def by_orbit(name):
    grouped = defaultdict(list)
    for row in rows_with(name):
        grouped[int(row["a"]), int(row["b"]), int(row["c"])].append(row)
    return grouped


def test_every_target_printed_is_that_of_the_table():
    for cells in table_after("## Every target to 100"):
        (row,) = rows_with("targets", target=cells[0])
        assert cells[1:4] == [f"{float(row[seat]):.6f}" for seat in ("first", "second", "third")]
        assert [cell.replace(",", "") for cell in cells[4:]] == [row[n] for n in ("orbits", "without_pure", "several")]


def test_what_orbits_have_is_counted():
    mixing = [Counter(int(row["mixing_players"]) > 0 for row in orbit) for orbit in by_orbit("orbits").values()]
    kinds = Counter((count[False], count[True]) for count in mixing if count.total() > 1)
    assert kinds == {(2, 1): 75, (3, 2): 4, (1, 2): 2}
    assert "Of the 81 with several, 75 have two pure equilibria and a mixed one, four have three pure and two" in TEXT
    alone = Counter(row["mixing_players"] for row in rows_with("margins"))
    assert alone == {"2": 35, "3": 1}
    assert [(row["a"], row["b"], row["c"]) for row in rows_with("margins", mixing_players="3")] == [("36", "44", "84")]


def test_simulated_games_agree_with_the_exact_values():
    simulated = rows_with("simulation_1")
    rates = (f"{float(row['rate']):.4f}"[1:] for row in simulated)
    assert "gave the seats {}, {} and {}".format(*rates) in TEXT
    assert all(float(row["low"]) < float(row["exact"]) < float(row["high"]) for row in simulated)
    assert {row["games"] for row in simulated} == {"1000000"}


@pytest.mark.parametrize(("column", "view"), [(1, "leader"), (2, "both"), (3, "next")])
def test_what_the_two_player_optimum_loses_is_that_of_the_table(column, view):
    lost = {int(row["target"]): 100 * np.mean([float(row[s]) for s in ("first", "second", "third")])
            for row in rows_with("shortfall", view=view)}  # fmt: skip
    for cells in table_after("loses, in percentage points"):
        assert cells[column] == f"{lost[int(cells[0])]:.2f}"
    if view == "leader":
        assert [target for target, points in lost.items() if points > 1] == [*range(39, 44), 56, 57]
        assert "more than one percentage point at 39 to 43, 56 and 57 only" in TEXT


def test_what_a_coalition_takes_is_that_of_the_table():
    lost = {int(row["target"]): [100 * float(row[f"lost_{s}"]) for s in ("first", "second", "third")]
            for row in rows_with("coalition")}  # fmt: skip
    assert "take {:.3f}, {:.3f} and {:.3f} percentage points from him at 100".format(*lost[100]) in TEXT
    most = max(lost, key=lambda target: max(lost[target]))
    assert f"at most {max(lost[most]):.2f} (target {most}), and nothing up to 45" in TEXT
    assert max(max(points) for target, points in lost.items() if target <= 45) < 1e-9 < max(lost[46])


def test_the_switches_printed_are_those_of_the_table():
    words = {"makes": "makes it", "breaks": "breaks it"}
    for cells, row in zip(
        table_after("## Are policy orbits"), rows_with("cycles", a="32", b="62", c="61"), strict=True
    ):
        assert cells[0] == row["switcher_needs"]
        assert cells[1:4] == [f"{float(row[name]):+.5f}" for name in ("own", "partner", "third")]
        assert cells[4] == words[row["kind"]]


def test_what_is_said_of_all_cycles_is_counted():
    cycles = by_orbit("cycles")
    switches = [row for cycle in cycles.values() for row in cycle]
    assert (len(cycles), len(switches)) == (35, 140)
    assert all([row["kind"] for row in cycle] == ["makes", "makes", "breaks", "breaks"] for cycle in cycles.values())
    partner, third, own = (np.array([float(row[name]) for row in switches]) for name in ("partner", "third", "own"))
    assert not ((partner < 0) & (third < 0)).any()
    moved = np.median(np.abs(partner) / own)
    assert f"at the median a switch moves {moved:.0f} times as much" in TEXT
    joint = np.array([[float(row[f"joint_{p}"]) for p in ("first", "second", "third")] for row in switches])
    assert joint[:, :2].min() > 0 > joint[:, 2].max()
    assert {row["after_making"] for row in switches} == {"True"}
    assert f"at most {-joint[:, 2].min():.2f} percentage points".replace("0.", ".") in TEXT
    mean = [float(cycles[32, 62, 61][0][f"joint_{p}"]) for p in ("first", "second", "third")]
    assert "at (32, 62, 61) {:.3f} and {:.3f} percentage points".format(*mean[:2]).replace("0.", ".") in TEXT
    assert f"and the third {-mean[2]:.3f} less".replace("0.", ".") in TEXT
    needs_least = sum(min(orbit) in {int(row["switcher_needs"]) for row in cycle} for orbit, cycle in cycles.items())
    assert f"In {needs_least} of the 35 orbits the one who needs least is one of them" in TEXT


def test_rewards_printed_are_those_of_the_table():
    printed, made = table_after("`z, -z/2, -z/2`"), rows_with("rewards")
    assert len(printed) == len(made)
    for cells in printed:
        (row,) = [row for row in made if (row["target"], row["rewards"]) == (cells[0], cells[1])]
        assert [float(cell) for cell in cells[2:]] == pytest.approx(
            [float(row[seat]) for seat in ("first", "second", "third")], abs=5.1e-5
        )
    counted = {row["target"]: row["without_pure"] for row in rows_with("rewards", rewards="2, 1, -3")}
    assert f"in {counted['20']} orbits at target 20, and in {counted['40']} at 40" in TEXT


def test_other_rewards(answer, record_of):
    words = "bonnet2018 --target 20 --rewards 2,1,-3 --after-first-win play_on --coalition"
    output = answer(words)
    assert "expected reward by seat   0.435333  0.069974  -0.505307" in output
    assert "rewards                   2, 1, -3 (the two others play on)" in output
    assert "hundredths of a point" in output
    record = record_of(words)
    assert record["rewards"] == {"places": [2, 1, -3], "after_first_win": "play_on"}
    assert sum(map(sum, record["places"])) == pytest.approx(3)
    assert record["certificate"]["holds"]
    assert "by points needed" in answer("bonnet2018 --target 5 --rewards points_needed")


def test_what_an_equilibrium_is_worth_is_in_units_of_the_rewards(record_of):
    orbits = record_of("bonnet2018 --target 20 --rewards 2,1,-3")["without_pure"]
    assert len(orbits) == 4  # as in README.md
    for orbit in orbits:
        for equilibrium in orbit["equilibria"]:
            assert [sum(row) for row in equilibrium["values"]] == pytest.approx([0, 0, 0])


def test_a_win_alone(answer, record_of):
    record = record_of("bonnet2018 --target 20 --coalition")
    assert record["value"] == pytest.approx(tp.solve(tp.Game(target=20)).value)
    assert record["coalition"] == pytest.approx(record["value"], abs=1e-6)
    assert "win probability by seat" in answer("bonnet2018 --target 5")


def test_four_players(record_of):
    record = record_of("bonnet2018 --players 4 --game piglet --target 5 --heads 0.44")
    assert record["value"] == pytest.approx(solve_many(tp.Piglet(5, 0.44), 4).value)
    assert [orbit["needs"] for orbit in record["open_orbits"] if orbit["mixing"]] == [[4, 5, 4, 5]]
    assert record["certificate"]["holds"]


def test_scores_that_fall(answer):
    output = answer("bonnet2018 --game two_dice --target 9")
    for part in ("Two-dice Pig to 9 for 3 players", "the last one changed values by", "certificate holds"):
        assert part in output


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--players 9", "9 players: choose from 2 to 8"),
        ("--players 4 --coalition", "only for three players of a race with one die"),
        ("--game two_dice --rewards 2,1,-3", "only for three players of a race with one die"),
        ("--game skunk", "without a last turn"),
        ("--players 4 --allow-pass", "may not pass"),
        ("--allow-pass", "three players may not pass"),
        ("--rewards 1,2,3", "must not rise from first to third place"),
        ("--rewards 2,one,0", "write it as three numbers"),
        ("--rewards 2", "give three numbers"),
        ("--rewards score", "did you mean scores"),
        ("--reward 2,1,0", "o such option"),
    ],
)
def test_what_cannot_be_solved_is_refused(refused, words, why):
    refused(f"bonnet2018 --target 5 {words}", why)


def test_who_sacrifices_himself_in_a_coalition_is_told(answer, record_of):
    words = "bonnet2018 --game piglet --target 10 --coalition"
    changes = record_of(words)["coalition_changes"]
    assert np.sum(changes, axis=1) == pytest.approx([0, 0, 0], abs=1e-12)
    assert (changes[0][1] > 0, changes[0][0] < 0, changes[0][2] < 0) == (True, True, True)
    (line,) = [line for line in answer(words).splitlines() if "against the first" in line]
    assert line.endswith("   the third sacrifices himself")
    assert f"{100 * changes[0][2]:+.4f}" in line
    nothing = answer("bonnet2018 --target 10 --coalition")
    assert nothing.count("nobody sacrifices himself") == 3
