"""The study of 2017: its parts on small games, its exact tables made again, how far fair tests stray, and its README."""

import itertools
import math
import re

import numpy as np
import pytest
from scipy import stats

import pigevo
from experiments.common.tests.prose import readme_and_tables
from pigevo.dice import Draw
from pigevo.experiments import experiments_folder, load_study
from pigevo.experiments.common.tables import read_sections
from pigevo.experiments.exeter2017 import adapting, cycles, holds, optimum, persons
from pigevo.experiments.exeter2017.holds import chance_within, extremes
from pigevo.people import RecordedTurn, as_csv, read_people
from pigevo.simulation import play_pairs
from pigevo.tournaments import games_within, match_chances

PLACE = experiments_folder() / "exeter2017"
STUDY = load_study("exeter2017")
PIG, PASSING = pigevo.Pig(), pigevo.Pig(allow_pass=True)
SMALL = pigevo.Pig(target=20)


def test_a_computed_line_agrees_as_printed_and_a_played_one_within_luck():
    line = holds.Line
    assert line("17", "", "0.5426", 0.542649).agrees
    assert not line("17", "", "0.5426", 0.542651).agrees
    assert not line("17", "", "0.5426", 0.5416).agrees
    played = line("17", "", "0.5426", 0.5416, games=300_000)
    assert played.agrees
    assert played.band == pytest.approx((0.5416 - 0.00178, 0.5416 + 0.00178), abs=2e-5)
    assert not line("17", "", "0.5446", 0.5416, games=300_000).agrees


@pytest.mark.slow
def test_the_exact_tables_are_made_as_they_lie_here():
    figures = STUDY.read_published()
    matrix = holds.solve(PIG, 2)
    table = [
        *optimum.lines_of_equations(PIG, figures),
        *holds.lines_of_holds(matrix, figures),
        *optimum.lines_of_optimum(PIG, figures),
    ]
    assert holds.as_table([*table, *cycles.turtle_lines(PASSING, figures)]) == read_sections(PLACE)["table"]
    assert holds.order_table(matrix) == read_sections(PLACE)["order"]
    assert optimum.equations_table(PIG) == read_sections(PLACE)["equations"]
    assert optimum.risk_table(PIG) == read_sections(PLACE)["risk"]


def test_holds_are_what_duels_say():
    small = holds.solve(SMALL, 1)
    for a, b in ((3, 7), (7, 3), (12, 5)):
        p = pigevo.win_probability(pigevo.hold_at(SMALL, a), pigevo.hold_at(SMALL, b))
        assert (small.first[a - 1, b - 1], small.second[a - 1, b - 1]) == pytest.approx((p.first, p.second))
    long = holds._long(small, 200_000)
    exact = match_chances(small.first[4:7, 4:7], small.second[4:7, 4:7], 2_000)
    assert holds._long(small, 2_000)[4:7, 4:7] == pytest.approx(exact, abs=0.005)
    assert long + long.T == pytest.approx(np.ones_like(long))


def test_boxes_are_of_games_that_hold_at_20_begins(monkeypatch):
    monkeypatch.setattr(optimum, "SERIES", 40)
    rates = optimum.box_rates(PIG, 1)
    assert rates.shape == (40,)
    assert abs(rates.mean() - 0.542626) < 4 * 0.0158 / 40**0.5  # seat by seat: overall it is .5084
    assert "0.5426" in optimum.boxes_table(rates, 0.542626)


def test_a_reading_of_roll_and_wait_is_the_named_strategy():
    reading = cycles.Waiting
    table = reading(20, False, "lead", 0).table(PASSING)
    assert np.array_equal(table, pigevo.roll_and_wait(PASSING, 80, 20).table)
    stops = reading(20, True, "score", 86).table(PASSING)
    assert not stops[70, 10:20].any()
    assert stops[70, 1:10].all()
    assert not stops[80:, 0, :86].any()
    assert stops[80, :20, 86:].all()
    hurries = reading(20, True, "score", 86, hurries=True).table(PASSING)
    assert np.array_equal(hurries[:, :, :86], stops[:, :, :86])
    assert hurries[70, :30, 86:].all()
    holds_late = reading(None, False, "score", 86, mark=75, last=9).table(PASSING)
    assert np.array_equal(holds_late[:75], pigevo.optimal(pigevo.Pig()).strategy.table[:75])
    assert not holds_late[75:, 9:].any()
    assert holds_late[75, :9, 86:].all()


def test_readings_of_roll_and_wait_differ_and_are_tried_by_their_figures(monkeypatch):
    readings = [reading for part in cycles.readings_by_part().values() for reading in itertools.islice(part, 500)]
    assert len(set(readings)) == len(readings)
    exact = [cycles.Waiting(20, True, "score", c) for c in (80, 86)]
    monkeypatch.setattr(cycles, "readings_by_part", lambda: {"few": iter(exact)})
    p = pigevo.win_probability(exact[0].strategy(PASSING), pigevo.turtle(PASSING, 5))
    said = [f"{p.first:.6f}", f"{1 - p.second:.6f}"]
    published = STUDY.read_published() | {"roll_and_wait": {"computed": said}}
    text = cycles.roll_and_wait_table(PASSING, published, 1)
    assert "| few | 2 | 0.0000 |" in text
    assert "| that give the report's figures | 1 |" in text


def test_evolution_makes_a_cycle_no_weaker_and_its_margins_are_those_of_duels():
    game = pigevo.Pig(target=20, allow_pass=True)
    start = [pigevo.hold_at(game, 3), pigevo.roll_to_win(game), pigevo.roll_and_wait(game, 15, 3)]
    before = cycles.margins_of(game, np.stack([strategy.table for strategy in start]), 1)
    tables, margins = cycles.evolved(game, start, 150, 0, 1)
    assert margins.min() > before.min()
    made = [pigevo.Strategy(game, table.transpose(0, 2, 1).astype(bool)) for table in tables]
    for n, margin in enumerate(margins):
        a, b = made[n], made[(n + 1) % 3]
        assert margin == pytest.approx(
            (pigevo.win_probability(a, b).overall - pigevo.win_probability(b, a).overall) / 2
        )
    plain = [pigevo.hold_at(SMALL, 3), pigevo.hold_at(SMALL, 8), pigevo.roll_to_win(SMALL)]
    tables, _ = cycles.evolved(SMALL, plain, 60, 0, 1)
    for table in tables:
        pigevo.Strategy(SMALL, table.transpose(0, 2, 1).astype(bool))  # refused if it passed


def test_value_iteration_comes_to_the_exact_solution_faster_in_order():
    iterations = {in_order: list(optimum.sweeps(SMALL, in_order)) for in_order in (False, True)}
    for sweeps in iterations.values():
        assert sweeps[-1].error < 1e-11
        assert sweeps[-1].wrong == 0
        assert sweeps[-1].change <= optimum.LAST < sweeps[-2].change
    assert len(iterations[True]) < len(iterations[False])


def test_best_responses_end_at_the_optimum(monkeypatch):
    monkeypatch.setattr(optimum, "STARTS", range(1, 21))
    histories = optimum.histories(SMALL, 1)
    assert all(history.is_fixed for history in histories)
    assert all(h.against_optimum[h.to_value - 1] == pytest.approx(0.5, abs=1e-12) for h in histories)
    assert all(history.values[-1] == pytest.approx(pigevo.optimal(SMALL).value) for history in histories)


@pytest.mark.parametrize(("power", "hold"), [(0.5, 10), (1.0, 20), (2.0, 43)])
def test_a_utility_of_points_is_a_hold_value(power, hold):
    rolls = optimum.turn_rule(PIG, power)
    assert rolls[:hold].all()
    assert not rolls[hold:90].any()
    utility = {
        n: sum(p * x**power for x, p in pigevo.turn_outcomes(pigevo.hold_at(PIG, n)).items() if x) for n in range(5, 60)
    }
    assert utility[hold] == pytest.approx(max(utility.values()))


def test_simulated_people_are_as_many_as_the_report_s():
    people = persons.simulated(PIG, 0)
    assert [len(people.persons), len(people.games)] == [30, 15]
    preferences = {person.name: person.preference for person in people.persons}
    assert sorted(preferences.values()) == ["averse"] * 10 + ["neutral"] * 10 + ["seeking"] * 10
    assert (preferences["11a"], preferences["11b"]) == ("seeking", "neutral")
    assert (preferences["14a"], preferences["14b"]) == ("averse", "neutral")
    assert as_csv(people) == (PLACE / "people.csv").read_text()
    assert read_people(PLACE / "people.csv", PIG) == people
    assert persons._below([1.0 * n for n in range(1, 17)]) == [False, False]
    assert persons._below([*(1.0 * n for n in range(1, 15)), 3.0, 20.0]) == [True, False]
    assert persons._below([1.0, 2.0]) == []


def test_the_states_of_the_optimum_are_as_many_as_published():
    table = optimum.states_table(PIG, *optimum.reachable(PIG))
    assert "505,000" in table  # Neller & Presser 2004
    assert table == read_sections(PLACE)["states"]


def test_played_again_seat_by_seat(monkeypatch):
    monkeypatch.setattr(holds, "GAMES", 300)
    a, b = pigevo.hold_at(PIG, 1), pigevo.hold_at(PIG, 5)
    first, second, general = holds._played_by_seat(PIG, a, b, 0, 1)
    assert abs(first - 0.023637) < 4 * (0.0236 / 15_000) ** 0.5
    assert abs(second - 0.986039) < 4 * (0.0140 / 15_000) ** 0.5
    assert general == (first + 1 - second) / 2


def test_what_adapting_is_worth_is_what_the_referee_says(monkeypatch):
    monkeypatch.setattr(adapting, "GAMES", 4)
    opponent = adapting.of_holds(SMALL)
    best, persons = pigevo.optimal(SMALL), adapting.persons(opponent)
    for name in ("holds at 15", "optimal", "knows the plan from the first game on"):
        sitting = adapting.sit(opponent, persons[name], 0.01, range(2), 1)
        assert sitting.gains.shape == sitting.beyond.shape == (2, 4)
        assert sitting.beyond.min() >= -0.01 - 1e-12
    known = opponent.sitting().plan(1, 0.01)
    person = persons["knows the plan from the first game on"](0, known)
    wins = [pigevo.win_probability(mine, person).second for mine in (opponent.answers[known.answer], best.strategy)]
    expected = known.share * wins[0] + (1 - known.share) * wins[1]
    assert sitting.beyond[:, 0] == pytest.approx(expected - best.second, abs=1e-12)
    assert sitting.gains[:, 0] == pytest.approx(expected - wins[1], abs=1e-12)


@pytest.mark.slow
def test_sittings_of_one_player_are_made_as_they_lie_here():
    opponent = adapting.of_holds(PIG)
    person = adapting.persons(opponent)["holds at 20"]
    sitting = adapting.sit(opponent, person, 0.01, range(adapting.SITTINGS), 2)
    assert (
        f"| 0.01 | holds at 20 | 20 (20 to 20) | {adapting.mean(sitting.gains[:, : adapting.EARLY])} |"
        in read_sections(PLACE)["adapting"]
    )


def test_the_second_opponent_finds_the_rule_that_somebody_follows_and_loses_no_more_than_its_limit(monkeypatch):
    monkeypatch.setattr(adapting, "GAMES", 6)
    names = ["4", "8", "3+(j-i)/2; race either>=19"]
    opponent = adapting.of_both_scores(SMALL, names, 1)
    strategies = [adapting.parse_rule(name).strategy(SMALL) for name in names]
    for number, player in enumerate([*strategies, pigevo.optimal(SMALL).strategy]):
        sitting = opponent.sitting()
        met = []

        def play(n, chosen, player=player, sitting=sitting, met=met):
            met.append(chosen)
            return player

        again = adapting.Opponent(SMALL, opponent.answers, lambda sitting=sitting: sitting)
        found = adapting.sit(again, play, 0.05, range(1), 1)
        assert int(sitting.chances.argmax()) == number
        assert sitting.estimate == pytest.approx(sitting.chances[2:].sum())
        assert found.beyond.min() >= -0.05 - 1e-12
        assert (met[-1].gain > 0) == (number < 2)  # to the others the optimum is a best response
    assert adapting.mean(found.gains) == "+0.0000"


def test_decisions_of_a_turn_are_those_at_which_there_was_a_choice():
    held = RecordedTurn("a", 1, 3, 7, 3, 12, (4, 6, 2))
    assert list(adapting.decisions(held, 20)) == [(3, 4, 7, 1), (3, 10, 7, 1), (3, 12, 7, 0)]
    lost = RecordedTurn("a", 1, 3, 7, 3, 0, (4, 6, 0))
    assert list(adapting.decisions(lost, 20)) == [(3, 4, 7, 1), (3, 10, 7, 1)]
    assert list(adapting.decisions(held, 15)) == [(3, 4, 7, 1), (3, 10, 7, 1)]


def test_the_3000_games_of_the_report():
    """Figure 15 has 100 results for each number of games: 3000 is the first thousand at which none is expected to stray."""
    strays = {games: 100 * (1 - chance_within(games)) for games in (1537, 2000, 2500, 3000)}
    assert strays[1537] == pytest.approx(5, abs=0.5)  # "the majority of points"
    assert strays[2500] > 1 > strays[3000]
    assert math.ceil(games_within(confidence=0.99) / 1000) * 1000 == 3000


def test_the_100_results_of_3000_games_of_the_report():
    """Figure 16: of 100 means of 100 results, each of 3000 games, the smallest was .4974 and the largest .5020."""
    (low, most), (least, high) = extremes(100 * 3000, 100)
    assert low < 0.4974 < most < 0.5 < least < 0.5020 < high
    (low, _), (_, high) = extremes(3000, 100)
    assert low < 0.475 < 0.525 < high  # "even for high values you can still get stray results"


def test_the_games_of_the_report_played():
    """100 results of 3000 games of a strategy against itself lie where figures 15 and 16 have them."""
    twenty = pigevo.hold_at(SMALL, 20)
    tables = np.stack([twenty.table, twenty.table])
    rates = play_pairs(SMALL, tables, [(0, 1)], 300_000, Draw(1, "dice"), sets=100)[:, 0] / 3000
    assert rates.shape == (100,)
    assert (np.abs(rates - 0.5) > 0.025).sum() <= 4
    (low, most), (least, high) = extremes(3000, 100, confidence=0.999)
    assert low <= rates.min() <= most
    assert least <= rates.max() <= high
    assert abs(rates.mean() - 0.5) < 4 * 0.5 / math.sqrt(300_000)
    assert rates.std() == pytest.approx(0.5 / math.sqrt(3000), rel=0.25)
    wins = pigevo.play_match(twenty, twenty, games=300_000, seed=1).wins
    assert round(rates.sum() * 3000) == wins  # the games of one long match, divided


@pytest.mark.parametrize("p", [0.5, 0.3])
@pytest.mark.parametrize("games", [7, 100])
def test_the_chance_within_a_distance_is_counted(p, games):
    expected = sum(
        stats.binom.pmf(wins, games, p) for wins in range(games + 1) if abs(wins / games - p) <= 0.1 + 1e-12
    )  # fmt: skip
    assert chance_within(games, 0.1, p) == pytest.approx(expected)


def test_extremes_are_those_of_many_draws():
    draws = np.random.default_rng(3).binomial(200, 0.4, (4000, 20)) / 200
    for ends, extreme_rates in zip(extremes(200, 20, 0.4, 0.9), (draws.min(axis=1), draws.max(axis=1)), strict=True):
        inside = ((ends[0] <= extreme_rates) & (extreme_rates <= ends[1])).mean()
        assert 0.88 < inside < 0.96  # 0.9, and what of the ends counts twice


def test_figures_15_and_16_alone_show_what_both_together_do():
    rates, tests = np.full((len(holds.FAIR_LENGTHS), holds.TESTS), 0.5), np.linspace(0.498, 0.502, holds.TESTS)
    both = [len(axes.lines) for axes in holds.picture_fair(rates, tests, 0.025).axes]
    alone = holds.figure_15(rates, 0.025), holds.figure_16(tests)
    assert [len(figure.axes[0].lines) for figure in alone] == both
    assert alone[1].get_suptitle().endswith("100 fair tests: 0.4980 to 0.5020, mean 0.5000")


README, TABLES = readme_and_tables("exeter2017")
ROWS_OF_SECTIONS = {
    "2.2.1": "2.2.1",
    "17 | ten pairs": "17 |",
    "17 | the former": "17 |",
    "17, played": "17, played",
    "18": "18",
    "3.3.5 |": "3.3.5 |",
    "3.3.5, played": "3.3.5, played",
    "N&P": "N&P",
    "2.3.4": "2.3.4",
    "3.3.6 |": "3.3.6 |",
    "3.3.6, played": "3.3.6, played",
}
"""How the rows of the README's table begin, and those of the table of all printed figures."""


def test_the_rows_that_agree_are_those_of_the_table_and_all_are_counted():
    counted = 0
    for beginning, start in ROWS_OF_SECTIONS.items():
        (line,) = [line for line in README.splitlines() if line.startswith(f"| {beginning}")]
        rows = [row for row in TABLES["table"].splitlines() if row.startswith(f"| {start}")]
        if start == "17 |":
            rows = [row for row in rows if ("in general" in row) == ("former" in beginning)]
        assert line.rstrip(" |").endswith(f"| {sum('| yes |' in row for row in rows)} of {len(rows)}")
        counted += len(rows)
    assert counted == sum(row.count("|") == 8 for row in TABLES["table"].splitlines()[2:]) == 84


def test_what_differs_is_what_the_text_says():
    rows = [row for row in TABLES["table"].splitlines() if "| no |" in row]
    assert sum("in general" in row and "by the printed figures of both seats" in row for row in rows) == 5
    assert [row for row in rows if "in general" not in row] == [
        row for row in rows if "36 against 52, hold at 36 first" in row
    ]
    for row in rows:
        if "in general" in row:  # rounded twice, and so by the report's own formula right
            published = re.search(r"general \| ([\d.]+)", row).group(1)
            by_seats = re.search(r"([\d.]+) by the printed", row).group(1)
            assert round(float(by_seats) + 1e-9, 4) == float(published)


def test_the_matches_expected_outside_are_those_of_the_games_that_are_named():
    rows = [row.strip("| ").split(" | ") for row in TABLES["fair"].splitlines()]
    shares = {row[0]: float(row[-1].strip()) for row in rows if row[0].startswith(("expected", "chance"))}
    for games, within in (("1,537", "so many games"), ("3,000", "3,000 games")):
        expected = shares[f"expected outside of 100 matches of {games} games"]
        assert expected == pytest.approx(100 * (1 - shares[f"chance to lie within, in {within}"]), abs=0.006)
        assert f" {expected:.2f}".replace(" 0.", " .") in README.split("## The fair test")[1].split("\n\n")[1]
