"""The study of rules: from beginning to end, exhausted families, fronts, contenders, errors and other games."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

import pigevo
from experiments.rules.tests.cases import GAME, SMALL, check_rows, families_of, found_of, rows_of
from pigevo.dice import Draw
from pigevo.exact.thresholds import Thresholds
from pigevo.experiments import experiments_folder
from pigevo.experiments.common.tables import read_sections
from pigevo.experiments.rules import (
    around,
    contest,
    descent,
    exhaust,
    exploit,
    families,
    front,
    general,
    genetic,
    grammar,
    in_play,
    meter,
    robust,
    search,
    study,
    templates,
    ten_rounds,
    two_dice,
)
from pigevo.experiments.rules.parts import divides, looks_at_opponent
from pigevo.games import GAMES, Pig
from pigevo.strategies.rules import (
    AtLeast,
    Constant,
    Rule,
    complexity,
    parse_rule,
)


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
    monkeypatch.setattr(search, "families", lambda *_: made)
    monkeypatch.setattr(study, "TARGETS", (40, 30))
    monkeypatch.setattr(study, "STARTS", 1)
    monkeypatch.setattr(study, "PROVEN", {1: 1})
    monkeypatch.setattr(templates, "EXHAUSTED", templates.EXHAUSTED[:1])
    monkeypatch.setattr(templates, "FIVE", ("8+(j-i)/4; race own>=18 or opponent>=18 or sum>=30",))
    few = {name: contest.CONTENDERS["random rules"] for name in ("random rules", contest.PREDICTED)}
    monkeypatch.setattr(contest, "CONTENDERS", few)
    monkeypatch.setattr(study, "OTHERS", {"ten_rounds": ten_rounds})
    monkeypatch.setattr(ten_rounds, "FORMS", ())
    monkeypatch.setattr(ten_rounds, "families", lambda: [[Rule(Constant(20))]])
    monkeypatch.setattr(around.table, "__defaults__", (1,))


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
    monkeypatch.setattr(search, "families", lambda *_: [SMALL])
    first, spent = search.searched(GAME, tmp_path, 1)
    monkeypatch.setattr(search, "exhaust", None)
    second, spent_again = search.searched(GAME, tmp_path, 1)
    assert (first[0].difference == second[0].difference).all()
    assert spent == spent_again > 0


def test_the_best_by_complexity_are_the_best(referee):
    result = found_of(SMALL, referee)
    best = {(one.integers, one.operations): one.rule for one in search.by_complexity([result])}
    keys = set(zip(result.integers.tolist(), result.operations.tolist(), strict=True))
    assert set(best) == keys
    for key in keys:
        alike = (result.integers == key[0]) & (result.operations == key[1])
        (own,) = exhaust.differences([best[key]], referee)
        assert abs(own - result.difference[alike].min()) < 1e-6


def test_descents_of_a_form_find_its_best(referee):
    result = templates.descended("10; race either>=20", 6, referee)
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
    rows = rows_of(around.table([rule], referee, 1, far=1))
    near = [parse_rule(f"{a} if ahead else {n}+(j-i)/{d}; race either>={e}")
            for a in (6, 7, 8) for n in (8, 9, 10) for d in (3, 4, 5) for e in (19, 20, 21)]  # fmt: skip
    assert {around.neighbours(rule, 1).rule(n) for n in range(81)} == set(near)
    result = exhaust.differences(near, referee)
    assert rows == [[rule.text, "81", near[int(result.argmin())].text, f"{result.min():.5f}"]]


def test_a_front_can_leave_families_out(referee):
    other = families.Family("n+(j-i)/d", [parse_rule("9+(j-i)/4").base], [()])
    result = [found_of(SMALL, referee), found_of(other, referee)]
    assert any(divides(one.rule) for one in search.by_complexity(result))
    assert not any(divides(one.rule) for one in search.by_complexity(result, lambda rule: not divides(rule)))


@pytest.mark.parametrize("integers", [1, 2, 3])
def test_the_least_exploitable_rule_is_that_of_brute_force(referee, integers):
    result = found_of(SMALL, referee)
    least = exploit.least_exploitable([result], integers, GAME, 1)
    all_ = [exploit.exploitability(SMALL.rule(n), GAME) for n in np.flatnonzero(result.integers == integers).tolist()]
    assert least.proven
    assert abs(least.exploitability - min(all_)) < 1e-7
    assert abs(exploit.exploitability(least.rule, GAME) - least.exploitability) < 1e-12
    assert complexity(least.rule).integers == integers
    assert least.answers <= len(all_)


def test_a_rule_that_nobody_exploits_more_than_the_optimum_does_is_found():
    """Its exploitability is its loss, which single precision may have rounded up."""
    game = Pig(target=2)  # every roll but a 1 wins, so every rule is the optimum
    prepared = Thresholds(pigevo.optimal(game).strategy)
    result = found_of(families.Family("", [Constant(n) for n in (1, 2)]), prepared)
    result = replace(result, difference=result.difference + np.float32(5e-8))
    least = exploit.least_exploitable([result], 1, game, 1)
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
    counted = meter.Meter(referee, 3)
    rules = [Rule(Constant(n)) for n in (9, 10, 9)]
    result = counted(rules)
    assert result[0] == result[2] != result[1]
    assert len(counted.seen) == 2
    with pytest.raises(meter.SpentError):
        counted([Rule(Constant(n)) for n in (11, 12, 13)])
    assert len(counted.seen) == 3
    assert counted.best[1][0] == min(counted.seen.values())


@pytest.mark.parametrize("name", contest.CONTENDERS)
def test_a_contender_spends_its_budget_and_repeats_itself(name, referee):
    seen = []
    for _ in range(2):
        counted = meter.Meter(referee, 300)
        with pytest.raises(meter.SpentError):
            contest.CONTENDERS[name](counted, 5, GAME.target)
        seen.append(list(counted.seen.items()))
    assert len(seen[0]) == 300
    assert seen[0] == seen[1]
    assert max(complexity(rule).integers for rule, _ in seen[0]) <= meter.MOST_INTEGERS


def test_a_tie_in_the_contest_is_nobodys_win():
    rule = Rule(Constant(20))
    runs = {
        "a": [{1: (0.2, rule)}, {1: (0.1, rule)}],
        "b": [{1: (0.2, rule)}, {1: (0.3, rule)}],
        "c": [{2: (0.2, rule)}] * 2,
    }
    assert contest.wins(runs, 1) == {"a": 1, "b": 0, "c": 0}
    assert contest.wins(runs, 2) == {"a": 1, "b": 0, "c": 0}
    assert "| nobody alone | 1 |" in contest.table(runs, {1: 0.1})


@pytest.mark.parametrize(
    ("text", "own", "other", "operations", "divides"),
    [
        ("21+(j-i)/8; race either>=71", 70, 0, None, True),
        ("21+(j-i)/8; race either>=71", 71, 0, 2, False),
        ("21+(j-i)/8; race opponent>=75 or own+2*opponent>=194 or leaves<=13", 0, 75, 1, False),
        ("21+(j-i)/8; race opponent>=75 or leaves<=13", 80, 0, None, True),
        ("19 if ahead else 24+(j-i)/4", 1, 0, 1, False),
        ("19 if ahead else 24+(j-i)/4", 0, 0, None, True),
    ],
)
def test_what_a_turn_asks_depends_on_the_scores_at_its_beginning(text, own, other, operations, divides):
    cost, divided = in_play.asked(parse_rule(text), pigevo.Pig())
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
    cells = contest.compared(result).splitlines()[2].strip("| ").split(" | ")
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
    counted = meter.Meter(referee, 10**5)
    end = descent.descend(parse_rule("15; race either>=29"), counted)
    for place in range(2):
        assert min(counted(descent.moved(end, place))) == counted([end])[0]


def test_random_rules_are_rules():
    source = grammar.Source(Draw(3, "mutation"))
    forms = {type(grammar.random_rule(source, 100).base).__name__ for _ in range(300)}
    assert forms == {"Constant", "Sum", "KeepUp", "Multiple", "Marks", "Quarters", "ConditionalBase"}


def test_crossing_keeps_types(referee):
    source = grammar.Source(Draw(1, "mutation"))
    pset = genetic.primitives(source, 30)
    for _ in range(50):
        mother, father = (genetic.Tree(genetic.grow(source, pset, genetic.Ruled, 3)) for _ in range(2))
        child = genetic.crossed(source, mother, father)
        types = [genetic.Ruled]
        for node in child:
            assert node.ret is types.pop(0)
            types[:0] = getattr(node, "args", [])
        assert types == []


def test_a_descent_asks_for_no_more_integers_than_it_may(referee):
    rule = parse_rule("9 if ahead else 9")
    assert any("lead" in one.text for one in descent.moved(rule, 0))
    assert not any("lead" in one.text for one in descent.moved(rule, 0, 2))
    assert complexity(descent.descend(rule, meter.Meter(referee, 1000), 2)).integers == 2


def test_misjudged_fractions_are_rounded_the_other_way():
    down = robust.with_fractions(parse_rule("10+(j-i)/4"), robust.Down)
    up = robust.with_fractions(parse_rule("10+(j-i)/4"), robust.Up)
    near = robust.with_fractions(parse_rule("10+(j-i)/4"), robust.Coarse)
    i, j = np.array([0, 0, 0, 5, 0]), np.array([3, 5, 8, 0, 18])
    assert down.at(i, j, 100).tolist() == [10, 11, 12, 8, 14]
    assert up.at(i, j, 100).tolist() == [11, 12, 12, 9, 15]
    assert near.at(i, j, 100).tolist() == [11, 11, 13, 9, 15]


def test_who_errs_by_one_remembers_as_many_numbers():
    texts = {rule.text for rule in robust.off_by_one(parse_rule("18 if ahead else 22; race sum>=121"))}
    assert texts == {f"{a} if ahead else {b}; race sum>={c}" for a, b, c in
                     [(17, 22, 121), (19, 22, 121), (18, 21, 121), (18, 23, 121), (18, 22, 120), (18, 22, 122)]}  # fmt: skip


def test_two_dice_have_rules_too(monkeypatch):
    monkeypatch.setattr(two_dice, "ALONE", range(6, 12))
    monkeypatch.setattr(two_dice, "FORMS", ("9; race either>=20",))
    game = GAMES["two_dice"].bind({"target": 25})
    rows = rows_of(two_dice.table(game, 2, 1))
    assert len(rows) == 3
    check_rows(game, rows)
    best = pigevo.optimal(game).strategy
    held = min(1 - 2 * pigevo.win_probability(pigevo.hold_at(game, n), best).overall for n in range(6, 12))
    assert abs(float(rows[0][3]) - held) < 1e-5


def test_ten_rounds_have_rules_too(monkeypatch):
    monkeypatch.setattr(ten_rounds, "HOLDS", range(5, 9))
    monkeypatch.setattr(ten_rounds, "LEADS", range(3, 7))
    monkeypatch.setattr(ten_rounds, "DIVISORS", range(2, 5))
    game = GAMES["ten_rounds"].bind({"turns": 3, "cap": 40, "sides": 4})
    rows = rows_of(ten_rounds.table(game, 2, 1, ("6 if ahead else 8; last 5+(j-i)",)))
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
