"""The study of rules from beginning to end: families, fronts, contenders, errors, other games, bounds, and pictures."""

import csv
import functools
import io
import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pigevo
from pigevo.dice import Draw
from pigevo.exact import optimal
from pigevo.exact.thresholds import Thresholds
from pigevo.experiments import experiments_folder
from pigevo.experiments.common.tables import read_sections
from pigevo.experiments.rules import contest, descent, exhaust, families, front, general, proof, slips, study
from pigevo.experiments.rules.families import divides, looks_at_opponent, numbers_of, with_numbers
from pigevo.experiments.rules.front import STAR, fronts_data, plot_fronts
from pigevo.figures.axes import figure_of
from pigevo.games import GAMES, Pig
from pigevo.strategies.rules import (
    AtLeast,
    Complexity,
    Constant,
    KeepUp,
    Leaves,
    Multiple,
    Rule,
    complexity,
    parse_rule,
)
from pigevo.strategies.rules.reading import known_rules
from tests.cases import rules, rules_for_rounds

GAME = Pig(target=30)
RACES = [((Leaves(n),),) for n in (3, 9)] + [((AtLeast("either", 20),),), ((AtLeast("own", 15),), (Leaves(6),))]
SMALL = families.Family(
    "small", [Constant(n) for n in range(4, 20)] + [Multiple(7), KeepUp(9, -1), KeepUp(9, 4)], [(), *RACES]
)

families_of = functools.cache(families.families)


def found_of(family, referee):
    return exhaust.Found(family, exhaust.exhaust(family, referee), *exhaust.complexities(family))


def rows_of(table):
    return [[cell.strip("` ") for cell in line.strip("| ").split(" | ")] for line in table.splitlines()[2:]]


def check_rows(game, rows):
    """Each row of a table is what its rule asks, and what it loses to the optimum and to its best response."""
    best = pigevo.optimal(game).strategy
    for text, integers, operations, difference, exploitability, *_ in rows:
        rule = parse_rule(text)
        strategy = rule.strategy(game)
        assert complexity(rule) == Complexity(int(integers), int(operations))
        assert abs(1 - 2 * pigevo.win_probability(strategy, best).overall - float(difference)) < 0.6e-5
        assert abs(pigevo.best_response(strategy).overall - 0.5 - float(exploitability)) < 0.6e-5


PUBLISHED = "21+(j-i)/8; race either>=71"


@pytest.fixture(scope="session")
def referee():
    """The optimum of the board of the study of rules, prepared for meeting rules."""
    return Thresholds(pigevo.optimal(GAME).strategy)


@pytest.fixture
def small_study(monkeypatch):
    """The study of few families, few forms and two contenders, on small boards."""
    lines = [parse_rule(f"{n}+(j-i)/{d}").base for n in (8, 9) for d in (4, 5)]
    sides = [parse_rule(f"{n} if ahead else {n + 2}").base for n in (7, 8)]
    either = [((AtLeast("either", n),),) for n in (18, 20)]
    doubled = [((AtLeast("either", n),), (AtLeast("sum", 30),)) for n in (18, 20)]
    numbers = [Constant(n) for n in range(5, 12)]
    made = [families.Family("n", numbers), families.Family("two", numbers, either),
            families.Family("three", lines, either), families.Family("four", sides, doubled)]  # fmt: skip
    monkeypatch.setattr(exhaust, "families", lambda *_: made)
    monkeypatch.setattr(study, "TARGETS", (40, 30))
    monkeypatch.setattr(study, "STARTS", 1)
    monkeypatch.setattr(study, "PROVEN", {1: 1})
    monkeypatch.setattr(descent, "EXHAUSTED", descent.EXHAUSTED[:1])
    monkeypatch.setattr(descent, "FIVE", ("8+(j-i)/4; race own>=18 or opponent>=18 or sum>=30",))
    few = {name: contest.CONTENDERS["random rules"] for name in ("random rules", contest.PREDICTED)}
    monkeypatch.setattr(contest, "CONTENDERS", few)
    monkeypatch.setattr(study, "OTHERS", {"ten_rounds": general.ten_rounds_table})
    monkeypatch.setattr(general, "FORMS_OF_TEN_ROUNDS", ())
    monkeypatch.setattr(general, "families_of_ten_rounds", lambda: [[Rule(Constant(20))]])
    monkeypatch.setattr(exhaust.around_table, "__defaults__", (1,))


@pytest.mark.slow
def test_the_whole_study_goes_from_beginning_to_end(tmp_path, small_study):
    study.run_full(tmp_path, 2, 1)
    made = {name.replace("_30", "_50") for name in read_sections(tmp_path)}
    assert made == set(read_sections(experiments_folder() / "rules")) - {"two_dice"}
    assert {path.name for path in tmp_path.glob("*.csv")} == {"front.csv", "contest.csv"}
    assert (tmp_path / "fronts.png").read_bytes().startswith(b"\x89PNG")
    printed = [one for one in csv.DictReader((tmp_path / "front.csv").open()) if one["front"] == "least loss"]
    games = [pigevo.Pig(target=40), pigevo.Pig(target=30)]
    assert {one["game"] for one in printed} == {str(game) for game in games}
    for one in printed:
        game = games[one["game"] == str(games[1])]
        won = pigevo.win_probability(parse_rule(one["rule"]).strategy(game), pigevo.optimal(game).strategy).overall
        assert abs(1 - 2 * won - float(one["difference"])) < 1e-9
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    study.run_full(tmp_path, 2, 1)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def test_every_member_of_a_family_is_evaluated(referee):
    result = found_of(SMALL, referee)
    assert len(result.difference) == len(SMALL) == 19 * 5
    best = pigevo.optimal(GAME).strategy
    for number in range(len(SMALL)):
        rule = SMALL.rule(number)
        won = pigevo.win_probability(rule.strategy(GAME), best).overall
        assert abs(result.difference[number] - (1 - 2 * won)) < 1e-7
        cost = complexity(rule)
        assert (result.integers[number], result.operations[number]) == (cost.integers, cost.operations)


def test_some_members_are_evaluated_as_all_are(referee):
    chosen = np.array([93, 4, 4, 17])
    np.testing.assert_allclose(
        exhaust.met(SMALL, chosen, referee), exhaust.exhaust(SMALL, referee)[chosen], rtol=0, atol=1e-7
    )


@pytest.mark.parametrize("target", [50, pytest.param(100, marks=pytest.mark.slow)])
def test_families_are_of_one_form_and_no_larger_than_they_say(target):
    for family in families_of(target):
        ends = [family.rule(n) for n in (0, len(family) // 2, len(family) - 1)]
        assert len({divides(rule) for rule in ends}) == 1
        assert len({looks_at_opponent(rule) for rule in ends}) == 1
        assert max(complexity(rule).integers for rule in ends) <= 5
        assert len({family.rule(n) for n in range(0, len(family), 997)}) == len(range(0, len(family), 997))


def test_what_was_evaluated_is_kept(tmp_path, monkeypatch, referee):
    monkeypatch.setattr(exhaust, "families", lambda *_: [SMALL])
    first, spent = exhaust.searched(GAME, tmp_path, 1)
    monkeypatch.setattr(exhaust, "exhaust", None)
    second, spent_again = exhaust.searched(GAME, tmp_path, 1)
    assert (first[0].difference == second[0].difference).all()
    assert spent == spent_again > 0


def test_the_best_by_complexity_are_the_best(referee):
    result = found_of(SMALL, referee)
    best = {(one.integers, one.operations): one.rule for one in exhaust.by_complexity([result])}
    keys = set(zip(result.integers.tolist(), result.operations.tolist(), strict=True))
    assert set(best) == keys
    for key in keys:
        alike = (result.integers == key[0]) & (result.operations == key[1])
        (own,) = exhaust.differences([best[key]], referee)
        assert abs(own - result.difference[alike].min()) < 1e-6


def test_descents_of_a_form_find_its_best(referee):
    result = descent.descended("10; race either>=20", 6, referee)
    family = families.Family(
        "", [Constant(n) for n in range(1, 31)], [((AtLeast("either", n),),) for n in range(1, 31)]
    )
    assert abs(result.difference - exhaust.exhaust(family, referee).min()) < 1e-7
    assert 1 <= result.ended <= result.starts == 6


def test_the_general_engine_evaluates_rules_alike(referee):
    rules = [parse_rule(text) for text in ("9", "7+(j-i)/3; race either>=20", "multiple(8); race leaves<=9")]
    by_engine = general.General(referee.opponent, 2)
    np.testing.assert_allclose(
        exhaust.differences(rules, by_engine), exhaust.differences(rules, referee), rtol=0, atol=1e-12
    )


def test_every_rule_around_one_is_evaluated(referee):
    rule = parse_rule("7 if ahead else 9+(j-i)/4; race either>=20")
    rows = rows_of(exhaust.around_table([rule], referee, 1, far=1))
    near = [parse_rule(f"{a} if ahead else {n}+(j-i)/{d}; race either>={e}")
            for a in (6, 7, 8) for n in (8, 9, 10) for d in (3, 4, 5) for e in (19, 20, 21)]  # fmt: skip
    assert {exhaust.neighbours(rule, 1).rule(n) for n in range(81)} == set(near)
    result = exhaust.differences(near, referee)
    assert rows == [[rule.text, "81", near[int(result.argmin())].text, f"{result.min():.5f}"]]


def test_a_front_can_leave_families_out(referee):
    other = families.Family("n+(j-i)/d", [parse_rule("9+(j-i)/4").base], [()])
    result = [found_of(SMALL, referee), found_of(other, referee)]
    assert any(divides(one.rule) for one in exhaust.by_complexity(result))
    assert not any(divides(one.rule) for one in exhaust.by_complexity(result, lambda rule: not divides(rule)))


@pytest.mark.parametrize("integers", [1, 2, 3])
def test_the_least_exploitable_rule_is_that_of_brute_force(referee, integers):
    result = found_of(SMALL, referee)
    least = exhaust.least_exploitable([result], integers, GAME, 1)
    all_ = [exhaust.exploitability(SMALL.rule(n), GAME) for n in np.flatnonzero(result.integers == integers).tolist()]
    assert least.proven
    assert abs(least.exploitability - min(all_)) < 1e-7
    assert abs(exhaust.exploitability(least.rule, GAME) - least.exploitability) < 1e-12
    assert complexity(least.rule).integers == integers
    assert least.answers <= len(all_)


def test_a_rule_that_nobody_exploits_more_than_the_optimum_does_is_found():
    """Its exploitability is its loss, which single precision may have rounded up."""
    game = Pig(target=2)  # every roll but a 1 wins, so every rule is the optimum
    prepared = Thresholds(pigevo.optimal(game).strategy)
    result = found_of(families.Family("", [Constant(n) for n in (1, 2)]), prepared)
    result = replace(result, difference=result.difference + np.float32(5e-8))
    least = exhaust.least_exploitable([result], 1, game, 1)
    assert (least.proven, abs(least.exploitability) < 1e-12) == (True, True)


def test_no_rule_of_a_front_is_beaten():
    made = [front.judged(SMALL.rule(n), GAME) for n in range(0, len(SMALL), 7)]
    unbeaten = front.unbeaten(made, lambda one: (one.integers, one.operations))
    assert unbeaten
    for one in made:
        beaten = any(o.difference <= one.difference and o.integers <= one.integers and o.operations <= one.operations
                     for o in unbeaten)  # fmt: skip
        assert beaten
    for one in unbeaten:
        assert not any(o.difference < one.difference and o.integers <= one.integers and o.operations <= one.operations
                       for o in made)  # fmt: skip


def test_a_front_is_written_with_every_figure_in_its_column():
    one = front.judged(parse_rule("9 if ahead else 12; race either>=20"), GAME)
    rows = list(csv.DictReader(io.StringIO(front.as_csv({GAME: {"least loss": [one]}}))))
    assert len(rows) == 1
    row = rows[0]
    assert (row["game"], row["front"], row["rule"]) == (str(GAME), "least loss", one.rule.text)
    assert (int(row["integers"]), int(row["operations"])) == (3, 3)
    won = pigevo.win_probability(one.rule.strategy(GAME), pigevo.optimal(GAME).strategy).overall
    assert abs(float(row["difference"]) - (1 - 2 * won)) < 1e-9
    answered = pigevo.best_response(one.rule.strategy(GAME)).overall
    assert abs(float(row["exploitability"]) - (answered - 0.5)) < 1e-9


def test_a_budget_is_kept_and_a_rule_seen_costs_nothing(referee):
    counted = descent.Meter(referee, 3)
    rules = [Rule(Constant(n)) for n in (9, 10, 9)]
    result = counted(rules)
    assert result[0] == result[2] != result[1]
    assert len(counted.seen) == 2
    with pytest.raises(descent.SpentError):
        counted([Rule(Constant(n)) for n in (11, 12, 13)])
    assert len(counted.seen) == 3
    assert counted.best[1][0] == min(counted.seen.values())


@pytest.mark.parametrize("name", contest.CONTENDERS)
def test_a_contender_spends_its_budget_and_repeats_itself(name, referee):
    seen = []
    for _ in range(2):
        counted = descent.Meter(referee, 300)
        with pytest.raises(descent.SpentError):
            contest.CONTENDERS[name](counted, 5, GAME.target)
        seen.append(list(counted.seen.items()))
    assert len(seen[0]) == 300
    assert seen[0] == seen[1]
    assert max(complexity(rule).integers for rule, _ in seen[0]) <= descent.MOST_INTEGERS


def test_a_tie_in_the_contest_is_nobodys_win():
    rule = Rule(Constant(20))
    runs = {
        "a": [{1: (0.2, rule)}, {1: (0.1, rule)}],
        "b": [{1: (0.2, rule)}, {1: (0.3, rule)}],
        "c": [{2: (0.2, rule)}] * 2,
    }
    assert contest.wins(runs, 1) == {"a": 1, "b": 0, "c": 0}
    assert contest.wins(runs, 2) == {"a": 1, "b": 0, "c": 0}
    assert "| nobody alone | 1 |" in contest.contest_table(runs, {1: 0.1})


@pytest.mark.parametrize(
    ("text", "own", "other", "operations", "divides"),
    [
        (PUBLISHED, 70, 0, None, True),
        (PUBLISHED, 71, 0, 2, False),
        ("21+(j-i)/8; race opponent>=75 or own+2*opponent>=194 or leaves<=13", 0, 75, 1, False),
        ("21+(j-i)/8; race opponent>=75 or leaves<=13", 80, 0, None, True),
        ("19 if ahead else 24+(j-i)/4", 1, 0, 1, False),
        ("19 if ahead else 24+(j-i)/4", 0, 0, None, True),
    ],
)
def test_what_a_turn_asks_depends_on_the_scores_at_its_beginning(text, own, other, operations, divides):
    cost, divided = front.asked(parse_rule(text), pigevo.Pig())
    dearest = complexity(parse_rule(text)).operations
    assert cost[own, other] == (dearest if operations is None else operations)
    assert divided[own, other] == divides
    assert cost.max() == dearest


@pytest.mark.parametrize(
    ("mean", "spread", "read"),
    [(0.004, 0.002, "better, and large enough"), (0.0005, 0.0005, "better, and small"), (0.0015, 0.002, "better"),
     (0.0, 0.001, "equivalent"), (0.0002, 0.004, "undecided"), (-0.0015, 0.002, "worse")],
)  # fmt: skip
def test_a_mean_over_seeds_is_read_beside_the_smallest_effect_of_interest(mean, spread, read):
    more = mean + spread * np.linspace(-1, 1, 30) / np.linspace(-1, 1, 30).std(ddof=1)
    assert contest.reading(more) == read
    rule, own = Rule(Constant(20)), contest.PREDICTED
    result = {own: [{3: (0.01, rule)}] * 30, "other": [{3: (0.01 + one, rule), 4: (0.0, rule)} for one in more]}
    cells = contest.compared_table(result).splitlines()[2].strip("| ").split(" | ")
    assert cells[:1] + cells[2:3] == ["other", read]
    assert cells[1].startswith(f"{mean:+.5f} (")
    fewer = int((more > 0).sum())
    assert cells[3].startswith(f"{fewer} (")
    assert cells[3].endswith(f", 0, {30 - fewer}")


def test_a_contest_goes_on_from_runs_of_its_own_budget(tmp_path, referee, monkeypatch):
    monkeypatch.setattr(
        contest, "CONTENDERS", {name: contest.CONTENDERS[name] for name in list(contest.CONTENDERS)[:2]}
    )
    path = tmp_path / "contest.csv"
    few, more = (contest.contest(referee, [7], path, budget) for budget in (50, 200))
    assert few != more
    monkeypatch.setattr(contest, "Meter", None)  # nothing is evaluated again
    assert contest.contest(referee, [7], path, 50) == few
    assert contest.contest(referee, [7], path, 200) == more
    with pytest.raises(TypeError):
        contest.contest(referee, [7, 8], path, 200)


def test_a_descent_ends_where_no_step_helps(referee):
    counted = descent.Meter(referee, 10**5)
    end = descent.descend(parse_rule("15; race either>=29"), counted)
    for place in range(2):
        assert min(counted(descent.moved(end, place))) == counted([end])[0]


def test_random_rules_are_rules():
    source = descent.Source(Draw(3, "mutation"))
    forms = {type(descent.random_rule(source, 100).base).__name__ for _ in range(300)}
    assert forms == {"Constant", "Sum", "KeepUp", "Multiple", "Marks", "Quarters", "ConditionalBase"}


def test_crossing_keeps_types(referee):
    source = descent.Source(Draw(1, "mutation"))
    pset = contest.primitives(source, 30)
    for _ in range(50):
        mother, father = (contest.Tree(contest.grow(source, pset, contest.Ruled, 3)) for _ in range(2))
        child = contest.crossed(source, mother, father)
        types = [contest.Ruled]
        for node in child:
            assert node.ret is types.pop(0)
            types[:0] = getattr(node, "args", [])
        assert types == []


def test_a_descent_asks_for_no_more_integers_than_it_may(referee):
    rule = parse_rule("9 if ahead else 9")
    assert any("lead" in one.text for one in descent.moved(rule, 0))
    assert not any("lead" in one.text for one in descent.moved(rule, 0, 2))
    assert complexity(descent.descend(rule, descent.Meter(referee, 1000), 2)).integers == 2


def test_misjudged_fractions_are_rounded_the_other_way():
    down = slips.with_fractions(parse_rule("10+(j-i)/4"), slips.Down)
    up = slips.with_fractions(parse_rule("10+(j-i)/4"), slips.Up)
    near = slips.with_fractions(parse_rule("10+(j-i)/4"), slips.Coarse)
    i, j = np.array([0, 0, 0, 5, 0]), np.array([3, 5, 8, 0, 18])
    assert down.at(i, j, 100).tolist() == [10, 11, 12, 8, 14]
    assert up.at(i, j, 100).tolist() == [11, 12, 12, 9, 15]
    assert near.at(i, j, 100).tolist() == [11, 11, 13, 9, 15]


def test_who_errs_by_one_remembers_as_many_numbers():
    texts = {rule.text for rule in slips.off_by_one(parse_rule("18 if ahead else 22; race sum>=121"))}
    assert texts == {f"{a} if ahead else {b}; race sum>={c}" for a, b, c in
                     [(17, 22, 121), (19, 22, 121), (18, 21, 121), (18, 23, 121), (18, 22, 120), (18, 22, 122)]}  # fmt: skip


def test_two_dice_have_rules_too(monkeypatch):
    monkeypatch.setattr(general, "ALONE", range(6, 12))
    monkeypatch.setattr(general, "FORMS_OF_TWO_DICE", ("9; race either>=20",))
    game = GAMES["two_dice"].bind({"target": 25})
    rows = rows_of(general.two_dice_table(game, 2, 1))
    assert len(rows) == 3
    check_rows(game, rows)
    best = pigevo.optimal(game).strategy
    held = min(1 - 2 * pigevo.win_probability(pigevo.hold_at(game, n), best).overall for n in range(6, 12))
    assert abs(float(rows[0][3]) - held) < 1e-5


def test_ten_rounds_have_rules_too(monkeypatch):
    monkeypatch.setattr(general, "HOLDS", range(5, 9))
    monkeypatch.setattr(general, "LEADS", range(3, 7))
    monkeypatch.setattr(general, "DIVISORS", range(2, 5))
    game = GAMES["ten_rounds"].bind({"turns": 3, "cap": 40, "sides": 4})
    rows = rows_of(general.ten_rounds_table(game, 2, 1, ("6 if ahead else 8; last 5+(j-i)",)))
    counts = [1, 1, 2, 2, 1, 2, 2, 2, 2, 2, 3]  # `ahead` and `max(n,j-i)` need no number
    assert [int(row[1]) for row in rows] == [*counts, 2, 3, 4, 3, 3]
    check_rows(game, rows)
    best = pigevo.optimal(game).strategy

    def least(texts):
        return min(1 - 2 * pigevo.win_probability(parse_rule(text).strategy(game), best).overall for text in texts)

    holds = range(5, 9)
    families = {
        5: [f"max({n},{m}+(j-i)/turns)" for n in holds for m in holds],
        8: [f"{n}; last {m}+(j-i)" for n in holds for m in range(3, 7)],
        14: [f"max({m},{a}+(j-i)/turns if second else {b}+(j-i)/turns)" for m in holds for a in holds for b in holds],
    }
    for row, texts in families.items():
        assert abs(float(rows[row][3]) - least(texts)) < 0.6e-5


PIG_TO_23 = Pig(target=23)
few = settings(max_examples=40, deadline=None)


@given(st.one_of(rules, rules_for_rounds))
@few
def test_a_rule_with_its_own_numbers_is_itself(rule):
    assert with_numbers(rule, numbers_of(rule)) == rule
    assert len(numbers_of(rule)) >= complexity(rule).integers


@given(rules, st.integers(0, 22), st.integers(0, 22))
@few
def test_a_rule_that_never_looks_at_the_opponent_plays_alike_whatever_it_has(rule, score, other_score):
    if not looks_at_opponent(rule):
        roll = rule.strategy(PIG_TO_23).roll
        assert (roll[:, score] == roll[:, other_score]).all()


def test_what_a_rule_asks_of_a_player_and_its_numbers():
    assert divides(parse_rule(PUBLISHED))
    assert not divides(parse_rule("21+(j-i)"))
    assert looks_at_opponent(parse_rule("21; race behind"))
    assert not looks_at_opponent(parse_rule("marks(25,50); race own>=70 or leaves<=20"))
    for_rounds = parse_rule("max(17, 18 + (j - i)/turns)")
    assert divides(for_rounds)
    assert looks_at_opponent(for_rounds)
    assert looks_at_opponent(parse_rule("20; last 16+(j-i)"))
    assert numbers_of(for_rounds) == (17, 18)
    assert with_numbers(for_rounds, (14, 19)).text == "max(14,19+(j-i)/turns)"


def test_every_rule_of_a_front_is_a_point_in_both_panels():
    fronts = {name: known_rules(pigevo.Pig(), name) for name in ("least loss", "published", "by both")}
    panels = plot_fronts(fronts_data(fronts))
    for axes, objective in zip(panels, ("difference", "exploitability"), strict=True):
        drawn = [list(map(tuple, line.get_xydata())) for line in axes.get_lines()]
        rules = [[(rule.integers, getattr(rule, objective)) for rule in fronts[name]]
                for name in ("least loss", "by both", "published")]  # fmt: skip
        assert [sorted(points) for points in drawn] == [sorted(points) for points in rules]
        assert axes.get_lines()[-1].get_marker() == "*"
    (legend,) = figure_of(panels).legends
    assert [text.get_text() for text in legend.get_texts()] == ["least loss", "by both", STAR]


def test_without_the_published_rule_there_is_no_star():
    axes, _ = plot_fronts(fronts_data({"least loss": known_rules(pigevo.Pig(), "least loss")}))
    assert [line.get_marker() for line in axes.get_lines()] == ["o"]


T = GAME.target
RULES = [
    ("6+j/3-i/5; race either>=15 or leaves<=4", "9+j/6-i/9; race either>=21 or leaves<=8"),
    ("max(5,8-(j-i)/2); race own>=9 and behind or sum>=30", "max(7,11-(j-i)/9); race own>=14 and behind or sum>=44"),
    (
        "7 if lead>=3 else multiple(6); race leaves<=2 and ahead",
        "9 if lead>=8 else multiple(9); race leaves<=9 and ahead",
    ),
    ("marks(5,11,15)", "marks(9,17,22)"),
    ("quarters(5,6,7,8); race behind", "quarters(9,9,9,12); race behind"),
    ("max(8,j-i-2); race both>=4 and leaves<=6", "max(11,j-i-9); race both>=11 and leaves<=9"),
]


def box_of(low, high):
    return proof.Box(parse_rule(low), parse_rule(high))


def members(box, count=60):
    """Some members, the same each time."""
    ends = list(zip(numbers_of(box.low), numbers_of(box.high), strict=True))
    for n in range(count):
        numbers = [a + (7 * n * (place + 1) + n // 3) % (b - a + 1) for place, (a, b) in enumerate(ends)]
        if all(a < b for a, b in itertools.pairwise(numbers)) or not box.low.text.startswith("marks"):
            yield with_numbers(box.low, numbers)


@pytest.mark.parametrize("ends", RULES, ids=lambda ends: ends[0])
def test_a_bound_is_no_more_than_what_any_member_loses(ends, referee):
    box = box_of(*ends)
    totals, (may, must) = proof.turn_totals(box.base, T), proof.races(box, T)
    bound = proof.best_within(*totals, may, must, *referee.arrays)
    rules = list(members(box))
    assert len(rules) > 10
    assert bound <= exhaust.differences(rules, referee).min() + 1e-12
    for rule in rules:
        plan = rule.planned(GAME)
        raced = plan >= T
        assert (raced | ((totals[0] <= plan) & (plan <= totals[1]))).all()
        assert (may | ~raced | (totals[1] >= plan)).all()
        assert (raced | ~must).all()


def test_the_bound_on_one_rule_is_what_it_loses(referee):
    rule = parse_rule("8+(j-i)/4; race either>=20 or leaves<=5")
    box = proof.Box(rule, rule)
    bound = proof.best_within(*proof.turn_totals(box.base, T), *proof.races(box, T), *referee.arrays)
    assert abs(bound - exhaust.differences([rule], referee)[0]) < 1e-12


def test_halves_are_all_of_a_box_and_no_more():
    for ends in (("4; race own>=3 or leaves<=2", "6; race own>=7 or leaves<=2"), ("marks(2,3,4)", "marks(5,6,7)")):
        left, result = [box_of(*ends)], []
        while left:
            box = left.pop()
            result += [box.low.text] if box.single else []
            left += box.halves()
        assert len(result) == len(set(result))
        if ends[0].startswith("marks"):
            assert set(result) == {f"marks({a},{b},{c})" for a, b, c in itertools.combinations(range(2, 8), 3)
                                  if a <= 5 and 3 <= b <= 6 and c >= 4}  # fmt: skip
        else:
            assert len(result) == len(box_of(*ends)) == 15


def test_forms_ask_for_as_many_integers_as_they_say():
    for n in range(1, 5):
        for form in proof.bases(n, 100):
            assert form.low.integers == form.high.integers == n
    for n in range(3):
        races = proof.any_race(n, 100)
        assert len(set(races)) == len(races)
        for race in races:
            assert sum(one.integers for group in race.high for one in group) == n
            assert parse_rule(f"9; race {_text(race.high)}").race == race.high if race.high else True


def _text(race):
    return " or ".join(" and ".join(one.text for one in group) for group in race)


@pytest.mark.parametrize(
    "game", [Pig(8, sides=2), *(pytest.param(one, marks=pytest.mark.slow) for one in (Pig(12, sides=3), GAME))], ids=str
)
def test_a_search_with_bounds_finds_the_best_of_brute_force(game, monkeypatch):
    """Of constants with every race of one number, from the second best: a bound that is too high would leave it so."""
    target = game.target
    referee = Thresholds(optimal(game).strategy)
    monkeypatch.setattr(proof, "bases", lambda n, target: proof.plain(1, target)[:1] if n == 1 else [])
    conditions = [f"{what}>={n}" for what in proof.MEASURES for n in range(3 * target)]
    conditions += [f"leaves<={n}" for n in range(target)]
    races = [race for one in conditions for race in (one, f"{one} and ahead", f"{one} and behind")]
    rules = [parse_rule(f"{n}; race {race}") for n in range(1, target + 1) for race in races]
    rules = [one for one in rules if one.integers == 2]
    lost = exhaust.differences(rules, referee)
    best = lost.min()
    second = np.where(lost > best + 1e-6, lost, np.inf).argmin()
    assert lost[second] < best + 0.1
    result = proof.proven(rules[second], game, 1)
    assert abs(result.difference - best) < 1e-9
    assert abs(exhaust.differences([result.rule], referee)[0] - best) < 1e-9
    assert complexity(result.rule).integers == result.integers == 2
