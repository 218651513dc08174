"""The tables of the study of rules are computed again, and the claims of its README follow from them."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

import pigevo
from experiments.common.tests.prose import readme_and_tables
from experiments.rules.tests.test_rules import check_rows, families_of, rows_of
from pigevo.experiments import experiments_folder
from pigevo.experiments.rules import contest, descent, exhaust, front, general, proof, slips, study
from pigevo.games import GAMES
from pigevo.strategies.rules import complexity, parse_rule, reading
from pigevo.strategies.strategy import of_rule

PLACE = experiments_folder() / "rules"
README, TABLES = readme_and_tables("rules")
FRONT = list(csv.DictReader((PLACE / "front.csv").open()))
OWN = [row for row in FRONT if row["game"] == str(pigevo.Pig())]
BEST = {row["integers"]: row for row in OWN if row["front"] == "least loss"}
FORMS = {"two_dice": general.FORMS_OF_TWO_DICE, "ten_rounds": general.FORMS_OF_TEN_ROUNDS}
TWICE = "22+(j-i)/7; race 2*own+opponent>=178"


def rows(table):
    return rows_of(TABLES[table])


SLIPS = {rule: (integers, [*map(float, cells[:5])], [*map(float, cells[5:7])], cells[7:])
         for rule, integers, *cells in rows("slips")}  # fmt: skip
"""By rule, its integers, its differences by the chance of a slip, what slips cost (all, and early holds), and its places."""


def difference_of(strategy, opponent):
    """What the opponent wins more often, overall."""
    return 1 - 2 * pigevo.win_probability(strategy, opponent).overall


@pytest.mark.parametrize(
    ("name", "whole", "every"),
    [
        ("ten_rounds", 15, 6),
        pytest.param("ten_rounds", 15, 1, marks=pytest.mark.slow),
        pytest.param("two_dice", 2, 1, marks=pytest.mark.slow),
    ],
)
def test_the_rules_for_other_games_are_evaluated_again(name, whole, every):
    assert len(rows(name)) == whole + len(FORMS[name])
    check_rows(GAMES[name].bind({}), rows(name)[::every])


def test_who_moves_first_in_a_round_holds_higher_and_a_rule_that_says_so_is_better_than_all_others():
    game = GAMES["ten_rounds"].bind({})
    best, (_, _, total) = pigevo.optimal(game).strategy, game.scores
    holds = [
        [next(k for k in range(1, game.cap) if not best.roll[game.cell(left=left, second=s, difference=0, total=k)])
         for s in (0, 1)] for left in range(2, 11)
    ]  # fmt: skip
    assert {first - second for first, second in holds} == {3, 4, 5, 6, 7}
    left, second, behind = game.mesh["left"], game.mesh["second"], -game.mesh["difference"]
    plan = np.maximum(17, np.where(second, 17, 21) + (2 * behind + left) // (2 * left))
    plan = np.where((left == 1) & (second == 1), behind + 1, plan)
    difference = difference_of(of_rule(game, lambda *_: total < plan), best)
    in_table = {rule: float(cell) for rule, _, _, cell, *_ in rows("ten_rounds")}
    assert abs(in_table[general.TRIED] - difference) < 0.6e-5
    assert difference < min(other for rule, other in in_table.items() if "second" not in rule)
    assert difference > min(other for rule, other in in_table.items() if parse_rule(rule).integers == 3)


@pytest.mark.parametrize("every", [34, pytest.param(1, marks=pytest.mark.slow)])
def test_what_slips_cost_is_what_mixed_strategies_lose(every):
    game = pigevo.Pig()
    best = pigevo.optimal(game).strategy
    for rule, (_, differences, (cost, early), _) in list(SLIPS.items())[::every]:
        own = best if rule == slips.OPTIMUM else parse_rule(rule).strategy(game)
        word = "optimal" if rule == slips.OPTIMUM else f"rule: {rule}"
        for chance, difference in zip((0, *slips.CHANCES), differences, strict=True):
            noisy = pigevo.parse_strategy(f"noisy:{chance},{word}", game)
            assert abs(difference_of(noisy, best) - difference) < 0.6e-5
        assert abs(cost - (differences[3] - differences[0])) < 1.1e-5
        too_soon = pigevo.Strategy(game, np.where(np.arange(100) == 0, own.roll, 0.95 * own.roll))
        assert abs(difference_of(too_soon, best) - differences[0] - early) < 1.1e-5


def test_the_rules_that_survive_slips_are_those_of_the_table():
    rules = {rule: row for rule, row in SLIPS.items() if rule != slips.OPTIMUM}
    assert len(rules) == len({row["rule"] for row in OWN}) == 34
    by_chance = [sorted(rules, key=lambda rule, n=n: rules[rule][1][n]) for n in range(5)]
    for rule, (*_, places) in rules.items():  # rounded figures may be equal
        assert all(abs(int(place) - 1 - by_chance[n].index(rule)) <= 1 for n, place in enumerate(places))
    least = np.empty((5, 5))
    for line in re.findall(r"^\| [1-5] \| `.*", README, re.M):
        integers, *printed = [cell.strip("` ") for cell in line.strip("| ").split(" | ")]
        for n, rule in enumerate(printed):
            best = next(name for name in by_chance[n] if rules[name][0] == integers)
            assert best == (printed[0] if rule == "the same" else rule), (integers, n)
            least[int(integers) - 1, n] = rules[best][1][n]
    assert (np.diff(least[:, :4], axis=0) < 0).all()
    assert least[3, 4] < least[4, 4]


def test_no_rule_is_better_than_the_best_plan_of_who_slips():
    plans = rows("plans")
    assert [float(own) for _, own, *_ in plans] == SLIPS[slips.OPTIMUM][1]
    for n, (chance, _, best, gain, *_) in enumerate(plans):
        differences = [row[1][n] for row in SLIPS.values()]
        differences += [float(row) for row in re.findall(rf"\| {chance} \| .*`.*` \| (0\.\d+) \|", TABLES["tuned"])]
        assert min(differences) >= float(best)
        assert (float(gain) > 0) == (n > 0)


@pytest.mark.parametrize("chance", [0.05, *(pytest.param(n, marks=pytest.mark.slow) for n in (0.01, 0.02, 0.1))])
def test_the_best_plans_are_found_again(chance):
    game = pigevo.Pig()
    plan = slips.best_plan(game, chance)
    (row,) = [row for row in rows("plans") if row[0] == f"{chance:.0%}"]
    assert abs(difference_of(pigevo.noisy(plan, chance), pigevo.optimal(game).strategy) - float(row[2])) < 0.6e-5
    holds = [int((~plan.roll[i, j, : 100 - i]).argmax()) for i, j in ((0, 0), (50, 50), (60, 30), (30, 60), (40, 60))]
    assert [str(n) for n in holds] == row[4:]


def test_a_best_plan_is_not_bettered_by_any_other_choice():
    game, chance = pigevo.Piglet(target=8), 0.2
    best, plan = pigevo.optimal(game).strategy, slips.best_plan(game, chance)
    value = pigevo.win_probability(pigevo.noisy(plan, chance), best).overall
    assert value > pigevo.win_probability(pigevo.noisy(best, chance), best).overall + 1e-4
    for cell in np.argwhere(np.broadcast_to(game.decision_states, game.shape)):
        other = plan.roll.copy()
        other[tuple(cell)] ^= True
        changed = pigevo.noisy(pigevo.Strategy(game, other), chance)
        assert pigevo.win_probability(changed, best).overall <= value + 1e-12
    assert slips.best_plan(game, 0.0) == best


def test_multiples_and_marks_alone_pay_more_than_a_tenth_more_than_the_optimum():
    own, early = SLIPS[slips.OPTIMUM][2]
    assert early > 0.99 * own
    stopping = {rule for rule in SLIPS if rule.startswith(("multiple", "marks"))}
    assert {rule for rule, row in SLIPS.items() if abs(row[2][0] - own) > own / 10} == stopping
    assert len(stopping) == 5


@pytest.mark.slow
def test_better_numbers_for_who_slips_are_found_again():
    forms = ("25", "24; race either>=72", TWICE)
    again = slips.tuned_table([parse_rule(one) for one in forms], slips.losses(pigevo.Pig())).splitlines()[2:]
    assert len(again) == len(forms) * len(slips.TUNED)
    assert set(again) < set(TABLES["tuned"].splitlines())


@pytest.mark.slow
def test_the_rules_around_are_those_of_the_ends_of_descents():
    referee, game = pigevo.optimal(pigevo.Pig()).strategy, pigevo.Pig()
    ends = re.findall(r"^\| `.*?` \| `(.*?)` \|", TABLES["descents"], re.M)
    assert [middle for middle, *_ in rows("five")] == ends[-len(descent.FIVE) :]
    for middle, count, best, difference in rows("five"):
        assert count == f"{len(exhaust.neighbours(parse_rule(middle))):,}"
        assert complexity(parse_rule(best)).integers == 5
        assert abs(difference_of(parse_rule(best).strategy(game), referee) - float(difference)) < 0.6e-5


@pytest.mark.parametrize("name", FORMS)
def test_the_tables_of_other_games_are_of_the_families_and_forms_that_there_are(name):
    ends = re.findall(r"`([^`]*)`[^`]*?\| (all of \d+|3 descents)", TABLES[name])
    if name == "ten_rounds":
        whole = [how for text, how in ends if "all" in how and "second" not in text]
        assert whole == [f"all of {len(family)}" for family in general.families_of_ten_rounds()]
    shapes = [re.sub(r"\d+", "n", text) for text, how in ends if "descents" in how]
    assert shapes == [re.sub(r"\d+", "n", form) for form in FORMS[name]]


def test_what_an_error_costs_is_not_what_the_rule_then_has():
    own, worst = next((float(row[1]), float(row[3])) for row in rows("robust") if row[0] == "multiple(25)")
    assert f"24 instead of 25 scores .{worst * 1e5:05.0f}, which is .{(worst - own) * 1e5:05.0f} more" in README


def test_what_is_proven_is_the_front_and_is_proven_again():
    proven = [tuple(row[:3]) for row in rows("proven")]
    assert proven == [(str(n), str(most), BEST[str(n)]["rule"]) for n, most in study.PROVEN.items()]
    again = proof.proven_table({parse_rule(rule): int(most) for n, most, rule in proven if n in "12"}, pigevo.Pig())
    assert TABLES["proven"].splitlines()[:4] == again.splitlines()


def test_headings_call_the_best_the_best_found():
    headings = [line.lower() for line in README.splitlines() if line.startswith("#")]
    assert [line for line in headings if "best" in line and "found" not in line] == []


def test_the_table_is_of_the_front():
    printed = [
        [cell.strip("` ") for cell in line.strip("| ").split(" | ")]
        for line in README.splitlines()
        if line.startswith("| `")
    ]
    best = [row for row in OWN if row["front"] in ("published", "least loss")]
    figures = [[f"{float(row[key]):.5f}"[1:] for key in ("difference", "exploitability")] for row in best]
    expected = [[row["rule"], row["integers"], row["operations"], *own] for row, own in zip(best, figures, strict=True)]
    assert [[cells[0].removesuffix("` (published)"), *cells[1:]] for cells in printed] == expected
    assert len(printed) == 6


def test_every_rule_of_the_text_stands_in_a_table():
    everywhere = "".join(TABLES.values())
    rules = [
        code for code in re.findall(r"`([^`]*)`", README) if re.search(r"; race|; last|multiple|/turns|\bif\b", code)
    ]
    assert len(rules) > 8
    assert [code for code in rules if f"`{code}`" not in everywhere and "NAME" not in code] == []


EXHAUSTED = {int(n): float(row["difference"]) for n, row in BEST.items() if int(n) in study.INTEGERS}
"""The least difference of all families by the number of integers."""


def test_the_older_contests_are_those_of_their_file():
    path = PLACE / "contest.csv"  # has every run: none is made
    older = [(budget, contest.contest(None, seeds, path, budget)) for budget, seeds in contest.OLDER]
    assert contest.older_tables(older, EXHAUSTED) == TABLES["contest_older"]
    steps, anew = (
        np.mean([contest.up_to(run, contest.ASKED) for run in older[0][1][name]])
        for name in (contest.PREDICTED, "genetic programming")
    )
    assert f"the mean was .{(anew - steps) * 1e5:05.0f} better" in README


def test_the_contest_of_fresh_seeds_is_that_of_its_file():
    fresh = contest.contest(None, contest.FRESH, PLACE / "contest.csv")
    assert TABLES["contest"] == f"{contest.contest_table(fresh, EXHAUSTED)}\n{contest.compared_table(fresh)}"
    assert not set(contest.FRESH) & {seed for _, seeds in contest.OLDER for seed in seeds}


def test_the_table_of_families_left_out_follows_from_that_of_families():
    found = re.findall(r"^\| (.+?) \| (\d+) \| [\d,]+ \| `(.+?)` \| ([\d.]+) \|$", TABLES["families"], re.M)
    families = [exhaust.FamilyBest(name, int(integers), rule, float(value)) for name, integers, rule, value in found]
    assert exhaust.left_out_table(families) == TABLES["left_out"]


def test_what_rules_ask_in_play_is_computed_again():
    game = pigevo.Pig()
    table = re.findall(
        r"^\| `(.*)` \| \d+ \| \d+ \| [\d.]+ \| [\d.]+ \| ([\d.]+) \| ([\d.]+) \|$", TABLES["front"], re.M
    )
    for text, operations, divides in table[::9]:
        asked = front.in_play(parse_rule(text), game)
        assert (f"{asked.operations:.2f}", f"{asked.divides:.3f}") == (operations, divides)
    assert len(table) > 40


def test_three_and_four_integers_beat_the_published_rule_in_both():
    by_front = {(row["front"], row["integers"]): row for row in OWN}
    for name, key in (("least loss", "difference"), ("least exploitable", "exploitability")):
        for integers in "34":
            row = by_front[name, integers]
            assert float(row[key]) < float(by_front["published", "3"][key])
            assert complexity(parse_rule(row["rule"])).integers == int(integers)


@pytest.mark.slow
def test_the_tables_are_of_the_families_that_there_are():
    for end, target in (("", 100), ("_50", 50)):
        made = families_of(target)
        table = TABLES[f"families{end}"]
        assert f"| all {len(made)} |  | {sum(map(len, made)):,} |" in table
        for family in made:
            assert re.search(rf"^\| {re.escape(family.name)} \| \d \| {len(family):,} \|", table, re.M)


def test_the_package_knows_the_rules_of_the_front():
    known = Path(reading.__file__).with_name("known.csv")
    assert known.read_bytes() == (PLACE / "front.csv").read_bytes()
