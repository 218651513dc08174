"""The study of three players: in miniature, its iterations, and Piglet by exhaustion."""

import csv
import importlib
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo import three_player as tp
from pigevo.experiments import load_study
from pigevo.experiments.bonnet2018.uniqueness_tables import solve_choosing
from pigevo.games.two_dice import TwoDice
from tests.reference import three

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
        "four_players",
        "falling",
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
             "regret": lambda _: [{"x": 1}], "iteration_tables.WHOLE": (5,),
             "piglet_tables.PIGLET_TARGETS": 4, "piglet_tables.COINS": np.array([0.4, 0.5]),
             "piglet_tables.COIN_TARGETS": (1, 3),
             "fractions_table.FRACTION_GAMES": (tp.Piglet(4),), "reward_tables.REWARD_TARGETS": (5,),
             "FOUR": ((tp.Piglet, 2),), "THREE": ((TwoDice, 4),), "n_player_tables.SMALL_TARGETS": (3,),
             "n_player_tables.CHANCES": (0.2,), "uniqueness_tables.COUNTED": (5, 12, 13),
             "uniqueness_tables.SELECTED_TARGET": 6, "iteration_tables.WATCHED": [(9, "in_place"), (9, "regret")]}  # fmt: skip
    for name, value in short.items():
        place = (
            module
            if "." not in name
            else importlib.import_module(f"pigevo.experiments.bonnet2018.{name.split('.')[0]}")
        )
        monkeypatch.setattr(place, name.split(".")[-1], value)
    return module


def drawing():
    return importlib.import_module("pigevo.experiments.bonnet2018.drawing")


def rows(path):
    return list(csv.DictReader(path.read_text().splitlines()))


@pytest.mark.slow
@pytest.mark.parametrize("drawn", [False, True])
def test_the_study_in_miniature(study, tmp_path, monkeypatch, drawn):
    pictures = set()
    if not drawn:  # what they show is read from the tables all the same
        for name in ("plot_curves", "plot_hold_table", "plot_surfaces", "plot_chain", "figure_of"):
            monkeypatch.setattr(drawing(), name, lambda *_, **__: None)
        monkeypatch.setattr(drawing(), "save_figure", lambda path, _: pictures.add(path.stem))
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
    monkeypatch.setattr(
        "pigevo.experiments.bonnet2018.piglet_tables.coin", None
    )  # each coin is kept: none is computed again
    monkeypatch.setattr(study, "draw", lambda *_: None)
    study.run(tmp_path, seeds=2, workers=1)
    assert all(p.stat().st_mtime_ns == t for p, t in made.items() if p.name != "coins.csv")
    assert len(rows(tmp_path / "coins.csv")) == 4


README = (Path(__file__).parents[1] / "README.md").read_text()


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
    data = drawing().coins_data([{"heads": h, "goal": str(g), "gain": str(y)} for h, g, y in [*rows, ("0.6", 10, 0.5)]])
    assert data.x.tolist() == [0.4, 0.5, 0.6]
    assert np.isnan(data.series["target 5"]).tolist() == [False, True, False]
    assert data.series["target 10"].tolist() == [0.6, 0.7, 0.5]
    assert data.dots == (("target 5", 0.5, 0.2), ("target 5", 0.5, 0.3))


def test_the_hold_table_is_piglets_of_the_paper():
    """Figure 1: when b = 1 the player plays to win in this turn."""
    holds = drawing().hold_table(pigevo.optimal(pigevo.Piglet(10)).strategy)
    assert holds[:, 0].tolist() == list(range(1, 11))
    assert holds.shape == (10, 10)
    drawn = drawing().plot_hold_table(holds)
    assert [int(t.get_text()) for t in drawn.texts] == holds.ravel().tolist()


ORACLE = json.loads((Path(__file__).parents[3] / "tests" / "oracles.json").read_text())["three_player_cycle"]
iterations = importlib.import_module("pigevo.experiments.bonnet2018.iterations")
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


exhaust = importlib.import_module("pigevo.experiments.bonnet2018.piglet_worlds").exhaust


@pytest.mark.parametrize("heads", [0.3, 0.5, 1.0])
def test_exhaustion_and_the_solver_agree(heads):
    game = tp.Piglet(9, heads)
    result, solution = exhaust(game), tp.solve(game)
    assert result.complete
    gaps = np.abs(result.worlds - solution.values)[:, 1:, 1:, 1:].max(axis=(1, 2, 3, 4))
    assert gaps.min() < 1e-12


@pytest.mark.slow
def test_where_equilibria_differ_in_payoff_all_are_told():
    """A fair-looking coin at which the orbit (4, 7, 7) has three equilibria, two of them pure."""
    game = tp.Piglet(10, 0.56)
    result = exhaust(game)
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
    fair, biased = exhaust(tp.Piglet(10)), exhaust(tp.Piglet(10, 0.45))
    gains = np.array([fair.gains_at(target)[0] for target in range(1, 11)])
    assert (gains[:, 0] > gains[:, 1]).all()
    assert (gains[:, 1] > gains[:, 2]).all()
    assert gains[3, 1] < gains[2, 1]  # the second player's gain falls from target 3 to target 4
    assert gains.sum(axis=1) == pytest.approx(0, abs=1e-12)
    assert biased.gains_at(10)[0, 0] > gains[9, 0]  # target 10: 0.45 is better for the first player than 0.5
    assert gains[0] == pytest.approx([5 / 7, -1 / 7, -4 / 7])


def test_worlds_beyond_the_limit_are_owned_up_to():
    result = exhaust(tp.Piglet(7, 0.56), most=2)
    assert not result.complete
    assert len(result.worlds) == 2


def part(name):
    return importlib.import_module(f"pigevo.experiments.bonnet2018.{name}")


@pytest.mark.parametrize("game", [tp.Piglet(6), tp.Piglet(5, 0.4), tp.Game(target=6)], ids=str)
def test_fractions_are_the_solvers_numbers_without_rounding(game):
    result, solution = part("fractions_table").solve_in_fractions(game), tp.solve(game)
    assert len(result) == game.target**3
    for needs, shares in result.items():
        assert sum(shares) == 1
        assert [float(share) for share in shares] == pytest.approx(solution.values[needs].tolist(), abs=1e-14)


def test_fractions_of_the_text_are_right_and_a_wrong_decision_or_a_mixture_is_refused(monkeypatch):
    fractions = part("fractions_table")
    result = fractions.solve_in_fractions(tp.Piglet(4))
    printed = {int(row[0]): row[1:4] for row in table_after("as fractions")}
    for target in range(1, 5):
        assert printed[target] == [str(share) for share in result[target, target, target]]
    assert result[1, 1, 1] == (Fraction(4, 7), Fraction(2, 7), Fraction(1, 7))
    with pytest.raises(pigevo.InputError, match="mixes"):
        fractions.solve_in_fractions(tp.Piglet(7, 0.33))
    with pytest.raises(pigevo.InputError, match="no plain fraction"):
        fractions.solve_in_fractions(tp.Piglet(3, np.pi / 6))
    game = tp.Piglet(3)
    rolls = tp.Strategy.from_function(game, lambda *_: 0)
    wrong = tp.ThreeSolution(rolls, tp.solve(game).values, ())
    monkeypatch.setattr(fractions.three_player, "solve", lambda _: wrong)
    with pytest.raises(pigevo.InputError, match="only to rounding"):
        fractions.solve_in_fractions(game)


def test_the_chain_of_an_orbit_is_that_of_the_papers_second_figure():
    chain = part("orbit_drawing").chain_data(tp.Piglet(10), (4, 3, 5))
    assert chain.holds == (2, 1, 2)
    assert chain.leaves == (0.25, 0.5, 0.25)
    assert chain.after == ((2, 3, 5), (4, 2, 5), (4, 3, 3))
    drawn = [text.get_text() for text in part("orbit_drawing").plot_chain(chain).texts]
    assert {"[4], 3, 5", "4, [3], 5", "4, 3, [5]", "2, [3], 5", "4, 2, [5]", "[4], 3, 3"} <= set(drawn)
    out = 1 - 0.75 * 0.5 * 0.75  # equation 3 of the paper: where the orbit is left
    shares = [0.25 / out, 0.75 * 0.5 / out, 0.75 * 0.5 * 0.25 / out]
    values = tp.solve(tp.Piglet(10)).values
    own = [values[3, 5, 2][2], values[5, 4, 2][1], values[4, 3, 3][0]]
    assert values[4, 3, 5][0] == pytest.approx(sum(s * v for s, v in zip(shares, own, strict=True)))


@pytest.mark.slow
def test_the_cycle_of_target_62_makes_a_coalition_twice_and_breaks_it_twice(pig62):
    rows = part("orbit_coalitions").cycles(pig62)
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
    tables = part("reward_tables")
    monkeypatch.setattr(tables, "REWARD_TARGETS", (20,))
    printed = {row[1]: row[2:5] for row in table_after("expect by seat") if row[0] == "20"}
    rows = tables.rewards(1)
    assert set(printed) == {row["rewards"] for row in rows}
    for row in rows:
        assert printed[row["rewards"]] == [f"{round(row[s], 4) + 0.0:.4f}" for s in ("first", "second", "third")]
        assert row["largest_gain"] < 1e-14


@pytest.mark.parametrize(
    ("heads", "kinds", "both_gain"),
    [(0.475, ["makes", "makes", "breaks", "breaks"], True), (0.33, ["makes", "makes", "neither", "breaks"], False)],
)
def test_in_piglet_a_cycle_need_not_be_a_coalition(heads, kinds, both_gain):
    rows = part("orbit_coalitions").cycles(tp.solve(tp.Piglet(7, heads)))
    assert [row["kind"] for row in rows] == kinds
    assert all(row["own"] > 0 for row in rows)
    assert (min(rows[0]["joint_first"], rows[0]["joint_second"]) > 0) == both_gain
    assert rows[0]["joint_third"] < 0


STUDY = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["four_players", "falling"])
def test_games_of_more_players_and_of_falling_scores_are_all_in_the_text_and_solved(name):
    solved = rows(STUDY / f"{name}.csv")
    assert len(solved) > 10
    for row in solved:
        assert f"| {row['game']} | {float(row['seat_1']):.6f} |" in README
        assert max(float(row["largest_gain"]), float(row["error"])) < 1e-12


@pytest.mark.parametrize(("game", "players"), [(tp.Piglet(5), 4), (tp.Game(10), 4), (TwoDice(20), 3)], ids=str)
def test_a_row_of_these_tables_comes_out_again(game, players):
    made = rows(STUDY / f"{'four_players' if players == 4 else 'falling'}.csv")
    (there,) = [row for row in made if row["game"] == str(game)]
    (recomputed,) = part("n_player_tables").solved_row(game, players, 1)
    for name, value in recomputed.items():
        if name.startswith("seat"):
            assert float(there[name]) == pytest.approx(value, abs=1e-12)
        elif name in ("orbits", "open", "mixing", "sweeps"):
            assert int(there[name]) == value


def test_counts_of_equilibria_add_up_and_are_in_the_text():
    counted = rows(STUDY / "uniqueness.csv")
    kinds = ("by_elimination", "one_pure", "one_mixed", "several")
    printed = [[int(cell.replace(",", "")) for cell in cells] for cells in table_after("counts the orbits of Pig")]
    assert printed == [[int(row[name]) for name in ("target", "orbits", *kinds)] for row in counted]
    assert all(orbits == sum(by_kind) for _, orbits, *by_kind in printed)
    unique = [target for target, orbits, by_elimination, *_ in printed if orbits == by_elimination]
    assert f"*Up to {max(unique)} the equilibrium of the whole game is unique*" in README
    assert all(float(row["largest_gain"]) < 1e-14 for row in rows(STUDY / "selections.csv"))


@pytest.mark.slow
def test_orbits_of_target_62_are_counted_again(pig62):
    module = part("uniqueness_tables")
    recomputed = {str(row["target"]): row for row in module.uniqueness(pig62)}
    for row in rows(STUDY / "uniqueness.csv"):
        if int(row["target"]) <= 62:
            assert row == {name: str(value) for name, value in recomputed[row["target"]].items()}


def test_small_games_hold_and_the_time_of_pig_for_four_is_extrapolated():
    small, four = rows(STUDY / "small_games.csv"), {row["game"]: row for row in rows(STUDY / "four_players.csv")}
    text = " ".join(README.split())
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
    (row,) = [row for row in rows(STUDY / "four_players.csv") if row["game"] == "Pig to 61"]
    text, orbits = " ".join(README.split()), row["first_mixing_orbits"].split("; ")
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
    for row in rows(STUDY / "iterations.csv"):
        cell = said[words[row["method"]]][int(row["target"]) - 61].strip()
        if row["converged"] == "True":
            assert cell == f"converges, {row['sweeps']} sweeps"
        elif row["period"]:
            assert cell.endswith(f", period {row['period']} sweeps")
        else:
            assert f"after {row['sweeps']} sweeps" in cell
