"""Three players: bounds over all equilibria, proofs that no pure one exists, margins, and the tables of the text."""

import csv
import importlib
import itertools
import re
from fractions import Fraction

import numpy as np
import pytest

from pigevo import three_player as tp
from pigevo.experiments import experiments_folder
from pigevo.experiments.bonnet2018.coalitions import coalition
from pigevo.experiments.bonnet2018.uniqueness_tables import solve_choosing
from pigevo.games import Race
from pigevo.three_player.equilibria import best_turns
from pigevo.three_player.rules import rotated, throws_of

PLACE = experiments_folder() / "bonnet2018"
README = (PLACE / "README.md").read_text()


def part(name):
    return importlib.import_module(f"pigevo.experiments.bonnet2018.{name}")


enclosures, margins = part("enclosures"), part("margins")


def rows(name):
    return list(csv.DictReader((PLACE / name).read_text().splitlines()))


def inside(enclosure, values):
    """How far values by state lie beyond their bounds at most."""
    own = np.moveaxis(values, -1, 0)[:, 1:, 1:, 1:]
    return max((enclosure.low[:, 1:, 1:, 1:] - own).max(), (own - enclosure.high[:, 1:, 1:, 1:]).max())


def test_bounds_hold_the_exact_fractions_and_are_narrow():
    game = tp.Piglet(8)
    exact, enclosure = part("fractions_table").solve_in_fractions(game), enclosures.enclose(game)
    for needs, shares in exact.items():
        for p, share in enumerate(shares):
            low, high = (float(bounds[(p, *needs)]) for bounds in (enclosure.low, enclosure.high))
            assert Fraction(low) <= share <= Fraction(high)
    assert (enclosure.high - enclosure.low).max() < 1e-13
    assert (enclosure.high > enclosure.low)[:, 1:, 1:, 1:].all()


@pytest.mark.parametrize("game", [tp.Game(target=12), tp.Piglet(7, 0.33), tp.Piglet(8, 0.475)], ids=str)
def test_the_solvers_equilibrium_lies_within_the_bounds(game):
    solution, enclosure = tp.solve(game), enclosures.enclose(game)
    assert inside(enclosure, solution.values) < 1e-14  # the solver's own rounding
    assert {o.needs for o in solution.without_pure} <= set(enclosure.open_orbits)


def test_so_does_every_other_equilibrium():
    game, several = tp.Piglet(10, 0.56), (4, 7, 7)
    enclosure = enclosures.enclose(game)
    result = [solve_choosing(game, {several: number}) for number in range(3)]
    assert max(inside(enclosure, one.values) for one in result) < 1e-14
    apart = np.ptp([one.value for one in result], axis=0).max()
    low, high = enclosure.at(10)
    assert 1e-6 < apart <= (high - low).max()


@pytest.mark.parametrize(("heads", "needs"), [(0.33, (2, 7, 6)), (0.475, (5, 5, 6))])
def test_where_there_is_no_pure_equilibrium_every_pure_choice_is_refuted(heads, needs):
    enclosure = enclosures.enclose(tp.Piglet(7, heads))
    assert needs in enclosure.open_orbits
    assert list(enclosures.pure_choices(enclosure, needs)) == []
    assert list(enclosures.pure_choices(enclosure, (1, 2, 3)))


def test_where_there_are_pure_equilibria_they_are_not_refuted():
    enclosure = enclosures.enclose(tp.Piglet(7, 0.56))
    assert len(list(enclosures.pure_choices(enclosure, (4, 7, 7)))) >= 2


def hold_values(game, needs, values, holds):
    """What the three win at the start of their turns in an orbit of Piglet, by plain linear equations."""
    heads = game.die[0][1]
    leave = [heads**n for n in holds]
    ends = []
    for m in range(3):
        a, b, c = rotated(needs, m)
        after = np.roll(values[b, c, a - holds[m]], 1) if holds[m] < a else np.array([1.0, 0, 0])
        ends.append(np.roll(after, m))  # by player
    system = np.eye(3) - np.array([[0, 1 - leave[0], 0], [0, 0, 1 - leave[1]], [1 - leave[2], 0, 0]])
    return np.linalg.solve(system, np.array(leave)[:, None] * np.array(ends)).diagonal()


def test_the_margin_is_that_of_all_turns_tried_one_by_one():
    game, needs = tp.Piglet(7, 0.33), (2, 7, 6)
    solution = tp.solve(game)
    worth = {
        h: hold_values(game, needs, solution.values, h) for h in itertools.product(*(range(1, n + 1) for n in needs))
    }
    gains = [
        max(max(worth[(*h[:m], n, *h[m + 1 :])][m] for n in range(1, needs[m] + 1)) - worth[h][m] for m in range(3))
        for h in worth
    ]
    (row,) = margins.margins(solution, enclosures.enclose(game))
    assert row["margin"] == pytest.approx(min(gains), rel=1e-9)
    assert row["no_pure_one_proved"]


SMALL = [((0.428, 0.07), (3, 3, 7)), ((0.4, 0.2), (3, 4, 5)), ((0.3, 0.4), (6, 4, 2))]
"""Games to 7 without a pure equilibrium at an orbit or with one, by the chances of one and two points."""


def small_orbit(chances, needs):
    """An orbit of a small game: the game, its best turns, and the lines of all turns of each player."""
    game = Race(7, dict(enumerate(chances, 1)), round(1 - sum(chances), 3))
    turns = best_turns(needs, np.ascontiguousarray(np.moveaxis(tp.solve(game).values, -1, 0)), throws_of(game))
    return game, turns, [every_turn(np.insert(turns.held[m], 3, 1.0, axis=1), needs[m], chances) for m in range(3)]


def holds_line(lines, line):
    return len(lines) and np.abs(lines - line).max(axis=1).min() < 1e-12


@pytest.mark.parametrize(("chances", "needs"), SMALL)
def test_the_margin_is_that_of_all_decisions_tried(chances, needs):
    """Also those of which no turn is ever best; and every pure choice is found that gains no more than is allowed."""
    game, turns, every = small_orbit(chances, needs)
    gains, best, alone = margins.largest_gains(every, every), margins.every_best_turn(turns), coalition(game)
    assert margins.margin(turns, alone)[0] == pytest.approx(gains.min(), rel=1e-9, abs=1e-15)
    for choice in np.argwhere(gains < np.quantile(gains, 0.4))[::3]:
        gain, lines = gains[tuple(choice)], [every[m][number] for m, number in enumerate(choice)]
        for m in range(3):
            given = margins.conditions(m, lines[(m + 1) % 3], lines[(m + 2) % 3], best, gain)
            assert holds_line(margins.turns_that(turns, m, *given), lines[m])
            assert holds_line(margins.near_best_turns(turns, m, best[m], gain, alone), lines[m])


@pytest.mark.parametrize(("chances", "needs"), SMALL)
def test_the_turns_found_are_those_that_meet_the_conditions(chances, needs):
    _, turns, every = small_orbit(chances, needs)
    random = np.random.default_rng(46)
    for m in range(3):
        for _ in range(20):
            weights = random.normal(size=(3, 4))
            least = np.median(every[m] @ weights.T, axis=0)
            meet = every[m][(every[m] @ weights.T >= least - 1e-14).all(axis=1)]
            found = margins.turns_that(turns, m, weights, least)
            assert all(holds_line(found, line) for line in meet)
            assert all(holds_line(meet, line) for line in found)


def every_turn(held, needed, chances):
    """The lines of a player's turns, by plain recursion over all decisions, shape (turns, 4)."""

    def line(k, holds):
        if k >= needed or k in holds:
            return held[min(k, needed)]
        return sum(chance * line(k + points, holds) for points, chance in enumerate(chances, 1))

    totals = range(1, needed)
    return np.array([line(0, h) for n in range(needed) for h in itertools.combinations(totals, n)])


@pytest.mark.slow
def test_that_target_62_needs_mixing_is_proved_in_rational_numbers(pig62):
    needs = (32, 62, 61)
    enclosure = enclosures.enclose(pig62.game)
    assert inside(enclosure, pig62.values) < 1e-13
    states = [rotated(needs, m) for m in range(3)]
    rolls = [[pig62.strategy.chance(*s, k) > 0.5 for k in range(s[0])] for s in states]
    gain = enclosures.least_gain(enclosure, needs, rolls)
    recorded = next(row for row in rows("margins.csv") if (row["a"], row["b"], row["c"]) == ("32", "62", "61"))
    assert float(gain) == pytest.approx(float(recorded["gain_in_fractions"]), rel=1e-4)
    assert 0.99 * float(recorded["margin"]) < gain <= Fraction(recorded["margin"])
    assert [o for o in enclosure.open_orbits if next(enclosures.pure_choices(enclosure, o), None) is None] == [needs]


def test_every_table_that_the_text_names_is_there_or_made_by_the_command():
    source = (PLACE / "study.py").read_text()
    made = set(re.findall(r'"(\w+\.csv)"', source)) | {"simulation_1.csv"}
    named = set(re.findall(r"`(\w+\.csv)`", README))
    assert named <= made
    linked = re.findall(r"\]\((\w+\.csv)\)", README)
    assert {"bounds.csv", "margins.csv", "regret.csv"} <= set(linked) <= made
    assert all((PLACE / name).exists() for name in linked)


def test_what_the_text_says_of_all_equilibria_stands_in_the_tables():
    result = rows("margins.csv")
    sizes = sorted(float(row["margin"]) for row in result)
    assert len(result) == 36
    assert all(row["no_pure_one_proved"] == "True" for row in result)
    text = " ".join(README.split())
    for size in (sizes[0], sizes[-1], np.median(sizes)):
        assert f"{size:.2g}".replace("e-0", "e-") in text
    assert all(row["margin_at_least"] == row["margin"] for row in result)
    nearer = [row for row in result if float(row["margin"]) < 0.999 * float(row["margin_of_best_turns"])]
    by_orbit = {", ".join(row[side] for side in "abc"): float(row["margin"]) for row in result}
    printed = re.findall(r"^\| (\d+, \d+, \d+) \| ([\d.e-]+) \|$", README, re.MULTILINE)
    assert len(printed) == 6
    assert all(f"{by_orbit[orbit]:.1e}".replace("e-0", "e-") == size for orbit, size in printed)
    assert max(sizes) < 1e-5
    needs = np.array([[int(row[side]) for side in "abc"] for row in result])
    tried = np.array([row["turns"].split() for row in result], int)
    third = np.arange(3) == needs.argmax(axis=1)[:, None]
    assert (tried[~third].max(), tried[third].max()) == (7, 25)
    assert "few turns, seven at most" in text
    assert "They are 25 at most" in text
    assert f"At {len(nearer)} orbits a turn that is never best comes nearer" in text
    last = rows("bounds.csv")[-1]
    for seat in ("first", "second", "third"):
        low, high = float(last[f"{seat}_low"]), float(last[f"{seat}_high"])
        assert f" {np.floor(low * 1e8) / 1e8:.8f} to {np.ceil(high * 1e8) / 1e8:.8f}".replace(" 0.", " .") in text
    widest = max(float(last[f"{seat}_high"]) - float(last[f"{seat}_low"]) for seat in ("first", "second", "third"))
    assert f"may differ by {widest:.1e} at most".replace("e-0", "e-") in text
    assert float(rows("bounds.csv")[61]["widest"]) < 1e-13
    *_, before, end = rows("regret.csv")
    assert before["sweeps"] == "100000"
    assert float(before["furthest"]) == pytest.approx(float(end["furthest"]), rel=1e-3)


def test_sweeps_of_regret_matching_are_counted_again():
    (recomputed,) = part("iteration_tables").iteration(20, "regret")
    (recorded,) = [row for row in rows("regret_whole.csv") if row["target"] == "20"]
    assert {name: str(recomputed[name]) for name in recorded} == recorded


def test_how_iterations_go_at_two_orbits_stands_in_the_table():
    begin = README.index("| method | (32, 62, 61), no pure equilibrium")
    recorded = [line.strip("| ").split(" | ") for line in README[begin:].split("\n\n")[0].splitlines()[2:]]
    named = {"in place, separate policies": ("in_place", "separate"), "random order": ("random_order",),
             "discount 0.9 for each turn": ("discount",), "one player after the other (ours)": ("by_player",),
             "regret matching": ("regret",)}  # fmt: skip
    result = {(row["needs"], row["method"]): row for row in rows("one_orbit.csv")}
    assert {one for name, *_ in recorded for one in named[name]} == {method for _, method in result}
    for name, *cells in recorded:
        for needs, cell in zip(("32 62 61", "43 43 50"), cells, strict=True):
            for row in (result[needs, method] for method in named[name]):
                assert (row["converged"] == "True") == cell.startswith("converge")
                if row["converged"] == "True":
                    assert cell.endswith(f", {int(row['sweeps']):,} sweeps")
                elif row["cycle"]:
                    states = {tuple(one.split(":")[0].split()) for one in row["cycle"].split("; ")}
                    assert states == set(re.findall(r"\((\d+), (\d+), (\d+)\)", cell))
                    assert ("period" in cell) == bool(row["period"])
                    assert not row["period"] or cell.endswith(f"period {row['period']}")
                else:
                    assert cell == f"not at rest after {int(row['sweeps']):,} sweeps"
