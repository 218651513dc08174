"""The tables of the study of rules are computed again, and the claims of its README follow from them."""

import csv
import re

import numpy as np
import pytest

import pigevo
from pigevo.games import GAMES
from pigevo.strategies.rules import Complexity, complexity, parse_rule
from pigevo.studies.find import experiments_folder, load_study
from tests.experiments.prose import readme_and_tables
from tests.experiments.rules import families_of

load_study("rules")
from pigevo_study_rules import (  # noqa: E402
    around,
    contest,
    in_play,
    left_out,
    proof,
    slips,
    study,
    templates,
    ten_rounds,
    two_dice,
)

PLACE = experiments_folder() / "rules"
README, TABLES = readme_and_tables("rules")
FRONT = list(csv.DictReader((PLACE / "front.csv").open()))
TWICE = "22+(j-i)/7; race 2*own+opponent>=178"


def slips_of(line):
    """A rule of the table of slips: its differences by the chance of a slip, its costs, and its places."""
    rule, integers, *cells = line.strip("| ").split(" | ")
    return rule.strip("`"), integers, [float(one) for one in cells[:5]], [float(one) for one in cells[5:7]], cells[7:]


SLIPS = TABLES["slips.md"].splitlines()[2:]


def robust_of(text):
    """A rule's difference as it is, and with a number off by one at worst."""
    (row,) = [line for line in TABLES["robust.md"].splitlines() if line.startswith(f"| `{text}` |")]
    cells = row.strip("| ").split(" | ")
    return float(cells[1]), float(cells[3])


@pytest.mark.parametrize(
    ("name", "tables", "whole", "every"),
    [("ten_rounds", ten_rounds, 15, 6), *(pytest.param(*one, 1, marks=pytest.mark.slow) for one in (
        ("ten_rounds", ten_rounds, 15), ("two_dice", two_dice, 2)))],
)  # fmt: skip
def test_the_rules_for_other_games_are_as_they_say(name, tables, whole, every):
    game = GAMES[name].bind({})
    best = pigevo.optimal(game).strategy
    told = re.findall(r"^\| `(.*)` \| (\d) \| (\d+) \| (0\.\d+) \| (0\.\d+) \|", TABLES[f"{name}.md"], re.M)
    assert len(told) == whole + len(tables.FORMS)
    for text, integers, operations, difference, exploitability in told[::every]:
        rule = parse_rule(text)
        assert complexity(rule) == Complexity(int(integers), int(operations))
        strategy = rule.strategy(game)
        assert abs(1 - 2 * pigevo.win_probability(strategy, best).overall - float(difference)) < 0.6e-5
        assert abs(pigevo.best_response(strategy).overall - 0.5 - float(exploitability)) < 0.6e-5


def test_who_moves_first_in_a_round_holds_higher_and_a_rule_that_says_so_is_better_than_all_others():
    game = GAMES["ten_rounds"].bind({})
    best, (_, _, total) = pigevo.optimal(game).strategy, game.scores
    held = [
        [next(k for k in range(1, game.cap) if not best.roll[game.cell(left=left, second=s, difference=0, total=k)])
         for s in (0, 1)] for left in range(2, 11)
    ]  # fmt: skip
    assert {first - second for first, second in held} == {3, 4, 5, 6, 7}
    left, second, behind = game.mesh["left"], game.mesh["second"], -game.mesh["difference"]
    plan = np.maximum(17, np.where(second, 17, 21) + (2 * behind + left) // (2 * left))
    plan = np.where((left == 1) & (second == 1), behind + 1, plan)
    tried = pigevo.Strategy.from_function(game, lambda *_: total < plan)
    told = dict(re.findall(r"^\| `(.*)` \| \d+ \| \d+ \| (0\.\d+) \| 0", TABLES["ten_rounds.md"], re.M))
    difference = 1 - 2 * pigevo.win_probability(tried, best).overall
    assert abs(float(told[ten_rounds.TRIED]) - difference) < 0.6e-5
    assert difference < min(float(one) for rule, one in told.items() if "second" not in rule)
    assert difference > min(float(one) for rule, one in told.items() if parse_rule(rule).integers == 3)


@pytest.mark.parametrize("every", [34, pytest.param(1, marks=pytest.mark.slow)])
def test_what_slips_cost_is_what_mixed_strategies_lose(every):
    game = pigevo.Pig()
    best = pigevo.optimal(game).strategy
    for line in SLIPS[::every]:
        rule, _, told, (cost, early), _ = slips_of(line)
        own = best if rule == slips.OPTIMUM else parse_rule(rule).strategy(game)
        for chance, difference in zip((0, *slips.CHANCES), told, strict=True):
            word = "optimal" if rule == slips.OPTIMUM else f"rule: {rule}"
            won = pigevo.win_probability(pigevo.parse_strategy(f"noisy:{chance},{word}", game), best).overall
            assert abs(1 - 2 * won - difference) < 0.6e-5
        assert abs(cost - (told[3] - told[0])) < 1.1e-5
        too_soon = pigevo.Strategy(game, np.where(np.arange(100) == 0, own.roll, 0.95 * own.roll))
        assert abs(1 - 2 * pigevo.win_probability(too_soon, best).overall - told[0] - early) < 1.1e-5


def test_the_rules_that_survive_slips_are_those_of_the_table():
    told = [line.strip("| ").split(" | ") for line in README.splitlines() if re.match(r"\| [1-5] \| `", line)]
    found = [slips_of(line) for line in SLIPS[1:]]
    assert len(found) == len({row["rule"] for row in FRONT if row["game"] == str(pigevo.Pig())}) == 34
    order = [[row[0] for row in sorted(found, key=lambda row, n=n: row[2][n])] for n in range(5)]
    for rule, _, _, _, places in found:  # rounded figures may be equal
        assert all(abs(int(place) - 1 - order[n].index(rule)) <= 1 for n, place in enumerate(places))
    least = np.empty((5, 5))
    for integers, *rules in told:
        mine = [row for row in found if row[1] == integers]
        for n, rule in enumerate(rules):
            best = min(mine, key=lambda row, n=n: row[2][n])
            rule = rules[0] if rule == "the same" else rule
            assert best[0] == rule.strip("`"), (integers, n)
            least[int(integers) - 1, n] = best[2][n]
    assert (np.diff(least[:, :4], axis=0) < 0).all()
    assert least[3, 4] < least[4, 4] == min(row[2][4] for row in found if row[1] == "5")


def test_no_rule_is_better_than_the_best_plan_of_who_slips():
    plans = [line.strip("| ").split(" | ") for line in TABLES["plans.md"].splitlines()[2:]]
    assert [float(own) for _, own, *_ in plans] == slips_of(SLIPS[0])[2]
    for n, (chance, _, best, gain, *_) in enumerate(plans):
        found = [slips_of(line)[2][n] for line in SLIPS]
        found += [float(one) for one in re.findall(rf"\| {chance} \| .*`.*` \| (0\.\d+) \|", TABLES["tuned.md"])]
        assert min(found) >= float(best)
        assert (float(gain) > 0) == (n > 0)


@pytest.mark.parametrize("chance", [0.05, *(pytest.param(one, marks=pytest.mark.slow) for one in (0.01, 0.02, 0.1))])
def test_the_best_plans_are_found_again(chance):
    game = pigevo.Pig()
    plan = slips.best_plan(game, chance)
    (told,) = [
        line.strip("| ").split(" | ") for line in TABLES["plans.md"].splitlines() if line.startswith(f"| {chance:.0%} ")
    ]
    won = pigevo.win_probability(pigevo.noisy(plan, chance), pigevo.optimal(game).strategy).overall
    assert abs(1 - 2 * won - float(told[2])) < 0.6e-5
    holds = [int((~plan.roll[i, j, : 100 - i]).argmax()) for i, j in ((0, 0), (50, 50), (60, 30), (30, 60), (40, 60))]
    assert [str(n) for n in holds] == told[4:]


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
    (_, _, _, (own, early), _), *found = map(slips_of, SLIPS)
    assert early > 0.99 * own
    stopping = {row[0] for row in found if row[0].startswith(("multiple", "marks"))}
    assert {row[0] for row in found if abs(row[3][0] - own) > own / 10} == stopping
    assert len(stopping) == 5


@pytest.mark.slow
def test_better_numbers_for_who_slips_are_found_again():
    forms = ("25", "24; race either>=72", TWICE)
    again = slips.tuned_table([parse_rule(one) for one in forms], slips.losses(pigevo.Pig())).splitlines()[2:]
    assert len(again) == len(forms) * len(slips.TUNED)
    assert set(again) < set(TABLES["tuned.md"].splitlines())


@pytest.mark.slow
def test_the_rules_around_are_those_of_the_ends_of_descents():
    referee, game = pigevo.optimal(pigevo.Pig()).strategy, pigevo.Pig()
    middles = re.findall(r"^\| `(.*?)` \| ([\d,]+) \| `(.*?)` \| (0\.\d+) \|$", TABLES["five.md"], re.M)
    ends = re.findall(r"^\| `.*?` \| `(.*?)` \|", TABLES["descents.md"], re.M)
    assert [one[0] for one in middles] == ends[-len(templates.FIVE) :]
    for middle, count, best, difference in middles:
        family = around.neighbours(parse_rule(middle))
        assert count == f"{len(family):,}"
        assert complexity(parse_rule(best)).integers == 5
        won = pigevo.win_probability(parse_rule(best).strategy(game), referee).overall
        assert abs(1 - 2 * won - float(difference)) < 0.6e-5


@pytest.mark.parametrize("name", ["two_dice", "ten_rounds"])
def test_the_tables_of_other_games_are_of_the_families_and_forms_that_there_are(name):
    ends = [re.findall(r"`(.*?)`.*\| (all of \d+|3 descents)", line) for line in TABLES[f"{name}.md"].splitlines()[2:]]
    told = [one for some in ends for one in some]
    if name == "ten_rounds":
        whole = [how for text, how in told if "all" in how and "second" not in text]
        assert whole == [f"all of {len(one)}" for one in ten_rounds.families()]
    shapes = [re.sub(r"\d+", "n", text) for text, how in told if "descents" in how]
    assert shapes == [
        re.sub(r"\d+", "n", form) for form in {"two_dice": two_dice, "ten_rounds": ten_rounds}[name].FORMS
    ]


def test_what_an_error_costs_is_not_what_the_rule_then_has():
    own, worst = robust_of("multiple(25)")
    assert f"24 instead of 25 has .{worst * 1e5:05.0f}, which is .{(worst - own) * 1e5:05.0f} more" in README


def test_what_is_proven_is_the_front_and_is_proven_again():
    game = pigevo.Pig()
    told = re.findall(r"^\| (\d) \| (\d) \| `(.*?)` \|", TABLES["proven.md"], re.M)
    best = {row["integers"]: row["rule"] for row in FRONT if row["game"] == str(game) and row["front"] == "least loss"}
    assert told == [(str(n), str(most), best[str(n)]) for n, most in study.PROVEN.items()]
    again = proof.table({parse_rule(rule): int(most) for n, most, rule in told if n in "12"}, game).splitlines()
    assert TABLES["proven.md"].splitlines()[:4] == again


def test_headings_call_the_best_the_best_found():
    headings = [line.lower() for line in README.splitlines() if line.startswith("#")]
    assert [line for line in headings if "best" in line and "found" not in line] == []


def test_the_table_is_of_the_front():
    told = [line for line in README.splitlines() if line.startswith("| `")]
    best = [row for row in FRONT if row["game"] == str(pigevo.Pig()) and row["front"] in ("published", "least loss")]
    assert len(told) == len(best) == 6
    for line, row in zip(told, best, strict=True):
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        assert re.match(r"`(.*)`", cells[0])[1] == row["rule"]
        assert cells[1:3] == [row["integers"], row["operations"]]
        assert cells[3:] == [f"{float(row[key]):.5f}" for key in ("difference", "exploitability")]


def test_every_rule_that_is_told_of_stands_in_a_table():
    everywhere = "".join(TABLES.values())
    told = [one for one in re.findall(r"`([^`]*)`", README) if re.search(r"; race|; last|multiple|/turns|\bif\b", one)]
    assert len(told) > 8
    assert [one for one in told if f"`{one}`" not in everywhere and "NAME" not in one] == []


def exhausted():
    """The least difference of all families by the number of integers."""
    best = [row for row in FRONT if row["game"] == str(pigevo.Pig()) and row["front"] == "least loss"]
    return {n: float(row["difference"]) for row in best if (n := int(row["integers"])) in study.INTEGERS}


def test_the_older_contests_are_those_of_their_file():
    path = PLACE / "contest.csv"  # everything is there: nobody is asked
    older = [(budget, contest.contest(None, seeds, path, budget)) for budget, seeds in contest.OLDER]
    assert contest.older_tables(older, exhausted()) == TABLES["contest_older.md"]
    steps, anew = (
        np.mean([contest.up_to(one, contest.ASKED) for one in older[0][1][name]])
        for name in (contest.PREDICTED, "genetic programming")
    )
    assert f"the mean was .{(anew - steps) * 1e5:05.0f} better" in README


def test_the_contest_of_fresh_seeds_is_that_of_its_file():
    fresh = contest.contest(None, contest.FRESH, PLACE / "contest.csv")  # everything is there: nobody is asked
    assert TABLES["contest.md"] == f"{contest.table(fresh, exhausted())}\n{contest.compared(fresh)}"
    assert not set(contest.FRESH) & {seed for _, seeds in contest.OLDER for seed in seeds}


def test_what_is_left_out_is_that_of_the_families():
    assert left_out.table(left_out.from_markdown(TABLES["families.md"])) == TABLES["left_out.md"]


def test_what_rules_ask_in_play_is_computed_again():
    game = pigevo.Pig()
    found = re.findall(
        r"^\| `(.*)` \| \d+ \| \d+ \| [\d.]+ \| [\d.]+ \| ([\d.]+) \| ([\d.]+) \|$", TABLES["front.md"], re.M
    )
    for text, operations, divides in found[::9]:
        asked = in_play.in_play(parse_rule(text), game)
        assert (f"{asked.operations:.2f}", f"{asked.divides:.3f}") == (operations, divides)
    assert len(found) > 40


def test_three_and_four_integers_beat_the_published_rule_in_both():
    own = {(row["front"], row["integers"]): row for row in FRONT if row["game"] == str(pigevo.Pig())}
    published = own["published", "3"]
    for name, key in (("least loss", "difference"), ("least exploitable", "exploitability")):
        for integers in "34":
            assert float(own[name, integers][key]) < float(published[key])
            assert complexity(parse_rule(own[name, integers]["rule"])).integers == int(integers)
    assert float(own["least loss", "4"]["difference"]) < 0.0052
    assert float(own["least exploitable", "4"]["exploitability"]) < 0.0032
    assert float(own["least loss", "5"]["difference"]) < 0.0046
    assert float(own["least loss", "5"]["exploitability"]) < 0.0028


@pytest.mark.slow
def test_the_tables_are_of_the_families_that_there_are():
    for end, target in (("", 100), ("_50", 50)):
        made = families_of(target)
        table = TABLES[f"families{end}.md"]
        assert f"| all {len(made)} |  | {sum(map(len, made)):,} |" in table
        for family in made:
            assert re.search(rf"^\| {re.escape(family.name)} \| \d \| {len(family):,} \|", table, re.M)
