"""The study of Exeter 2016: in a tiny form, its tables, the claims of its README, and what its pictures show."""

import csv
import re

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from scipy import stats

import pigevo
from experiments.common.tests.prose import Rows, cells_of, numbers, readme_and_tables
from pigevo.errors import InputError
from pigevo.experiments import experiments_folder, load_study
from pigevo.experiments.common import settings as study_settings
from pigevo.experiments.common.group import Group, answers
from pigevo.experiments.common.tables import read_sections
from pigevo.experiments.exeter2016 import answers as ANSWERS
from pigevo.experiments.exeter2016 import pictures as PICTURES
from pigevo.experiments.exeter2016 import rows as ROWS
from pigevo.experiments.exeter2016.answers import against_random, random_peaks, random_table
from pigevo.experiments.exeter2016.pictures import (
    Reproduction,
    cubes_data,
    density_data,
    operators_data,
    plot_cubes,
    plot_density,
    plot_operators,
    plot_reproduction,
)
from pigevo.experiments.exeter2016.rows import match_variation
from pigevo.figures.axes import COLORS, figure_of
from pigevo.figures.bands import band
from pigevo.games.pig_variants import TenRounds
from pigevo.runs.load import Run
from pigevo.strategies import CubeGrid
from tests.small import shorter

STUDY = load_study("exeter2016")
PIG_TO_30 = pigevo.Pig(target=30)
EIGHT = pigevo.hold_at(PIG_TO_30, 8)
TINY = "debug=fast game.target=40 population.size=4"


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """The study on a game to 40, two generations a run; its pictures and tables are those of the real game."""
    study = STUDY
    words = shorter(study, TINY, "generations=")
    monkeypatch.setattr(study, "read_settings", lambda _: words)
    monkeypatch.setattr(study.pictures, "GAMES", (2, 4))
    for module in (study.pictures, study.rows):
        monkeypatch.setattr(module, "REPEATS", 10)
    monkeypatch.setattr(study.rows, "REPLICATIONS", 20)
    monkeypatch.setattr(study.answers, "RANDOM_PAIRS", 1)
    all_of = study._random  # 999 populations each
    monkeypatch.setattr(
        study, "_random", lambda settings: {size: found[:60] for size, found in all_of(settings).items()}
    )
    return study


def test_table_1_has_ten_of_its_twelve_score_entries_exactly_and_two_misprints():
    """The rule behind it: roll while `k < h or i + k < j - 1`, as indices from 1 and `>=` give it."""
    rows = [row for row in ROWS.table_1(STUDY.read_published()["table_1"]) if row.figure == "table 1"]
    assert len(rows) == 25
    of_scores = [row for row in rows if "score" in row.what and "optimal" not in row.what]
    assert len(of_scores) == 12
    wrong = {row.what: row for row in of_scores if not row.ours.agrees}
    first, second = "hold_at:20 first against score:20,2", "hold_at:25 first against score:20,2"
    assert set(wrong) == {first, second}
    assert [round(wrong[what].ours.value, 4) for what in (first, second)] == [0.5274, 0.5397]
    assert [wrong[what].published for what in (first, second)] == [0.5272, 0.5435]
    assert all("misprint" in row.remark for row in wrong.values())
    assert wrong[second].published == next(
        row.published for row in rows if row.what.endswith("25 first against hold_at:20")
    )
    others = [row for row in rows if not row.ours.agrees and row.what not in wrong]
    assert all("optimal" in row.what and "optimum" in row.remark for row in others)


@pytest.mark.slow
def test_the_study_writes_every_picture_and_table(tiny, tmp_path, monkeypatch):
    tiny.run(tmp_path, 2, 2)
    pictures = {path.stem for path in tmp_path.glob("*.png")}
    further = ["figure_01", "figure_02", "averages", "figure_10", "figure_11", "figure_17", "reached"]
    assert pictures == {*tiny.pictures.CURVES, *further}
    rows = list(csv.DictReader((tmp_path / "table.csv").open()))
    assert {row["figure"] for row in rows} >= {f"figure {n}" for n in ("5", "9, mutation 0.05", "10", "17")} | {
        "table 1"
    }
    answers = read_sections(tmp_path)["answers"]
    assert answers.count("\n### ") == 7
    assert read_sections(tmp_path)["sentences"].count("\n### ") == 5
    assert "| figure 13 / figure 6 | 1.67 |" in read_sections(tmp_path)["pace"]
    made = {path: path.stat().st_mtime_ns for path in tmp_path.glob("runs/*/*/result.json")}
    assert len(made) == 2 * (42 + 9)
    monkeypatch.setattr(tiny.pictures, "draw", lambda *_: None)
    tiny.run(tmp_path, 2, 2)
    assert {path: path.stat().st_mtime_ns for path in made} == made


@pytest.mark.parametrize("kind", ["random", "hold_at", "score"])
def test_both_tournaments_begin_with_the_same_strategies(kind):
    """Section 4.3 says so of figures 7 and 8; equal seeds do it."""
    runs = [pigevo.evolve(f"{name}_{kind}", *TINY.split(), seed=3) for name in ("round_robin", "knockout")]
    first, second = (run.metrics["mean"].tolist() for run in runs)
    assert first[0] == second[0]
    assert first != second


@pytest.mark.slow
def test_a_figure_alone_has_its_own_runs_and_no_others(tiny, tmp_path):
    (axes,) = tiny.SINGLE_FIGURES["9"](tmp_path, 1, 1).axes
    assert {"0.5 %", "1 %", "5 %"} <= {text.get_text() for text in axes.texts}
    assert {path.name for path in (tmp_path / "runs").iterdir()} == set(tiny.pictures.CURVES["figure_09"])
    four = tiny.SINGLE_FIGURES["averages"](tmp_path, 2, 1).axes
    assert len(four) == 4
    assert [path.name for path in tmp_path.glob("runs/figure_7/*")] == ["seed_00"]


GENERATIONS = np.arange(0, 301, 5.0)
RANDOM = np.random.default_rng(11)


def cubes(name, ends, seeds=10, sd=0.003, champion=0.4):
    """Runs of three waves that stand at given means at their ends."""
    means = np.interp(GENERATIONS, (0, 100, 200, 300), (0.17, *ends)) + RANDOM.normal(0, sd, (seeds, len(GENERATIONS)))
    wave = np.repeat([1, 2, 3], [21, 20, 20])
    metrics = {"generation": GENERATIONS, "wave": wave, "cube_size": np.array(["20", "10", "5"])[wave - 1],
               "evaluations": 20 * GENERATIONS, "games": 1000 * GENERATIONS}  # fmt: skip
    run = Run({"champion": {"overall": champion}}, metrics)
    return Group(name, tuple(range(seeds)), GENERATIONS, means, (run,) * seeds)


@pytest.fixture
def groups():
    """With games .15 are lost, with exact pairing .12: what exact pairing takes away is the smaller part."""
    noisy = {f"figure_9_{rate}": (0.43, 0.38, 0.28) for rate in ("0.005", "0.01", "0.05")}
    exact = {f"cubes_{rate}_exact": (0.47, 0.44, 0.35) for rate in ("0.005", "0.01", "0.05")}
    other = {"cubes_kept": (0.44, 0.42, 0.36), "cubes_exact_kept": (0.48, 0.48, 0.47), "cubes_0": (0.36, 0.36, 0.36),
             "cubes_0.0001": (0.36, 0.36, 0.36), "cubes_0.001": (0.4, 0.39, 0.37)}  # fmt: skip
    of_one_wave = {name: cubes(name, (0.12, 0.12, 0.12)) for name in ("figure_8", "figure_12", "figure_13")}
    for group in of_one_wave.values():
        group.runs[0].metrics["wave"][:] = 1
    return of_one_wave | {name: cubes(name, ends) for name, ends in (noisy | exact | other).items()}


def test_the_chance_of_a_band_is_that_of_further_runs():
    """Bands of 30 normal runs, a further run with the error of a reading, and whether it lies in the widened band."""
    chance, n, spread, precision = ROWS.chance, 20_000, 0.01, 0.004
    runs, further = RANDOM.normal(0.3, spread, (n, 30)), RANDOM.normal(0.3, spread, n)
    low, high = np.quantile(runs, (0.05, 0.95), axis=1)
    read = further + RANDOM.uniform(-precision, precision, n)
    agree = (low - precision <= read) & (read <= high + precision)
    assert chance(float((high - low).mean()), 30, precision) == pytest.approx(agree.mean(), abs=0.01)
    plain = ((low <= further) & (further <= high)).mean()
    assert chance(float((high - low).mean()), 30, 0) == pytest.approx(plain, abs=0.01)
    assert plain < 0.87


def test_the_law_of_the_number_that_agree():
    apart, together = np.array([0.9, 0.5]), np.array([0.8])
    law = ROWS.number_law([apart, together], together=False)
    assert law == pytest.approx([0.1 * 0.5 * 0.2, 0.5 * 0.2 + 0.05 * 0.8, 0.45 * 0.2 + 0.5 * 0.8, 0.45 * 0.8])
    whole = ROWS.number_law([apart], together=True)
    assert whole == pytest.approx([0.1, 0.4, 0.5])
    assert whole @ np.arange(3) == pytest.approx(apart.sum())


def test_the_part_of_the_noise_is_a_difference_of_differences(groups):
    answered = {(one.a, one.b): one for one in answers([*ANSWERS.falls(groups)])}
    name = "figure 9, mutation 0.005: lost"
    noise = answered[f"{name} with games", "lost with exact pairing"]
    assert noise.difference == pytest.approx(0.03, abs=0.005)
    assert noise.better == noise.a
    smaller = answered[f"{name} with exact pairing", "what exact pairing takes away"]
    assert smaller.difference == pytest.approx(0.12 - 0.03, abs=0.01)
    assert smaller.low < smaller.difference < smaller.high
    assert answered[f"{name} with games", "lost if survivors stay"].difference == pytest.approx(0.07, abs=0.005)
    both = answered["cubes, mutation 0.005 exact: lost", "lost if survivors stay as well"]
    assert both.difference == pytest.approx(0.11, abs=0.005)
    assert len(answered) == 2 * 3 + 2


def test_two_significant_falls_may_leave_their_difference_open():
    """Games lose something, exact pairing loses something, and which loses more cannot be said."""
    groups = {name: cubes(name, (0.4, 0.35, 0.25), sd=0.03) for name in ("figure_9_0.005", "cubes_0.005_exact")}
    surviving = {name: cubes(name, (0.4, 0.4, 0.4)) for name in ("cubes_kept", "cubes_exact_kept")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ANSWERS, "LUCK", {"cubes_0.005_exact": ("figure_9_0.005", 300)})
        patch.setattr(ANSWERS, "SHRINKING", ("figure_9_0.005", "cubes_0.005_exact"))
        first = answers([*ANSWERS.falls(groups | surviving)])[0]
        ends = answers([*ANSWERS.shrinking(groups | surviving)])
    assert first.better is None
    assert ends[1].better == ends[1].b == "end of cubes of 10"
    assert ends[3].better == ends[3].b


def test_rates_are_compared_with_one_that_was_chosen_before(groups):
    """Not with whichever did best in the same runs, which would look better than it is."""
    answered = answers([*ANSWERS.rates(groups)])
    assert len(answered) == 3 * 5
    assert {one.b for one in answered} == {"mutation 0.005"}
    assert answered[0].a == "end of cubes of 20: mutation 0"
    assert answered[0].difference == pytest.approx(0.36 - 0.43, abs=0.005)
    by_name = {one.a: one for one in answered}
    assert by_name["end of cubes of 5: mutation 0.001"].better == "end of cubes of 5: mutation 0.001"


def test_a_median_is_told_with_the_lowest_the_highest_and_who_falls(groups):
    means = groups["cubes_0"].mean
    means[:, GENERATIONS == 300] = np.linspace(0.352, 0.429, 10)[:, None]
    means[:, GENERATIONS == 100] = 0.36
    line = next(line for line in ANSWERS._rates(groups).splitlines() if line.startswith("| 0 |"))
    assert "| 10 | 0.3600 (0.3600 to 0.3600) |" in line
    assert "| 0.3905 (0.3520 to 0.4290) | 0.4000 (0.4000 to 0.4000) | 1 |" in line


LUCK = np.random.default_rng(7)


def group(name, means, every=10):
    means = np.atleast_2d(np.asarray(means, dtype=float))
    return Group(name, tuple(range(len(means))), np.arange(means.shape[1]) * float(every), means, ())


def published(**figures):
    """`published.yaml` with some figures only, and nothing that needs no runs."""
    return {"first_populations": [], **figures}


def test_the_round_robins_are_those_of_the_settings():
    settings = study_settings.read_settings(STUDY.HERE / "settings.yaml")["paper"]
    assert {name for name, words in settings.items() if "round_robin" in words} == set(ROWS.ROUND_ROBINS)


def test_a_round_robin_that_never_changes_peaks_where_figure_7_does():
    """101 points of one population of the published average, each with the luck of 2,000 games: .136, 90 % .132 to .1425."""
    runs = group("figure_7", np.full((500, 1), 0.118) + np.linspace(0, 0.03, 101))
    figure_7 = {"points": [[0, 0.118]], "flat_from": 0, "peak": 0.139, "remark": ""}
    average, peak = (
        one.row(n) for n, one in enumerate(ROWS._evolved({"figure_7": runs}, published(figure_7=figure_7)))
    )
    frozen = peak.readings[ROWS.FROZEN]
    assert [frozen.low, frozen.value, frozen.high] == pytest.approx([0.132, 0.136, 0.1425], abs=0.0008)
    assert (peak.ours.agrees, frozen.agrees) == (False, True)
    assert (average.ours.agrees, average.readings[ROWS.FROZEN].agrees) == (False, True)


def test_a_flat_curve_is_an_average_and_not_one_point():
    """Figure 7 at 500: .118 is the moving average, and one point of a run that lies at .1405 can well be there."""
    runs = group("figure_7", 0.1405 + LUCK.normal(0, 0.009, (30, 101)))
    figure_7 = {"points": [[0, 0.118], [500, 0.118]], "flat_from": 0, "remark": ""}
    (one,) = ROWS._evolved({"figure_7": runs}, published(figure_7=figure_7))
    assert one.what == "average of the generations from 0 on"
    row = one.row(0)
    assert not row.ours.agrees
    assert row.ours.high - row.ours.low < 0.006
    point = ROWS.sampled(0.118, ROWS.at(runs, 500)(ROWS.measured(runs.mean, 0)))
    assert point.agrees


def test_only_what_is_flat_is_averaged():
    runs = group("figure_13", [np.linspace(0.415, 0.12, 101)])
    figure_13 = {"points": [[0, 0.415], [150, 0.2], [250, 0.12], [1000, 0.12]], "flat_from": 250, "remark": ""}
    rows = list(ROWS._evolved({"figure_13": runs}, published(figure_13=figure_13)))
    assert [one.what for one in rows] == [
        "mean of the population, generation 150", "average of the generations from 250 on",
    ]  # fmt: skip
    assert rows[1].take(runs.mean) == pytest.approx(runs.mean[0, 25:].mean())
    assert rows[0].take(runs.mean) == pytest.approx(runs.mean[0, 15])


def test_first_populations_are_told_once_and_before_the_cubes_are_those_of_the_run_without():
    populations = STUDY.read_published()["first_populations"]
    names = [one["figures"] for one in populations]
    assert names == ["figures 7 and 8", "figure 9, all rates", "figures 12 and 13", "figure 14", "figures 15 and 16"]
    levels = {"figure_8": 0.1165, "figure_9_0.005": 0.173, "figure_13": 0.4153, "figure_14": 0.363, "figure_16": 0.43}
    groups = {name: group(name, np.full((30, 2), level)) for name, level in levels.items()}
    rows = {one.figure: one.row(n) for n, one in enumerate(ROWS._first(groups, populations))}
    for figure in ("figure 9, all rates", "figure 14"):
        assert not rows[figure].ours.agrees
        assert rows[figure].remark
        assert rows[figure].readings[ROWS.BEFORE].agrees
    assert all(rows[figure].ours.agrees and not rows[figure].readings for figure in names[::2])
    of_course = list(ROWS._evolved({"figure_8": groups["figure_8"]}, STUDY.read_published()))
    assert all("generation 0" not in one.what for one in of_course)


def test_no_two_rows_and_no_two_readings_have_the_same_luck():
    means = np.full((30, 5), 0.12)
    one = ROWS.Sampled("f", "w", 0.12, {ROWS.TEXT: means, ROWS.FROZEN: means}, ROWS.peak)
    first, second = one.row(0), one.row(1)
    assert first == one.row(0)
    values = {first.ours.value, second.ours.value, first.readings[ROWS.FROZEN].value}
    lucks = [ROWS.measured(means, *place) for place in ((0, 0), (1, 0), (0, 1))]
    assert len(values) > 1
    assert all(abs(np.corrcoef(lucks[0].ravel(), other.ravel())[0, 1]) < 0.3 for other in lucks[1:])


def test_luck_has_the_law_of_so_many_games():
    shares = ROWS.measured(np.full((400, 50), 0.3), 3)
    assert shares.mean() == pytest.approx(0.3, abs=0.0005)
    assert shares.std() == pytest.approx((0.3 * 0.7 / ROWS.MEASURED) ** 0.5, rel=0.03)


def test_the_share_of_generations_and_the_ratio_of_two_decays_are_told():
    """Figures 6 and 13 are one algorithm from two beginnings: what begins lower is down sooner, however one counts."""
    figures = {name: group(name, np.tile(0.12 + start * np.exp(-0.15 * np.arange(101)), (5, 1)))
               for name, start in (("figure_5", 0.38), ("figure_6", 0.38), ("figure_13", 0.3), ("figure_16", 0.31))}  # fmt: skip
    text = ROWS.pace_table(figures, STUDY.read_published())
    assert text.count("\n| figure 6 |") == 4
    assert "| figure 13 | 0.2 | 150 | 88.2 (88.2 to 88.2) | 0.59 (0.59 to 0.59) |" in text
    line = next(line for line in text.splitlines() if line.startswith("| figure 13 / figure 6"))
    assert "| 1.67 | 0.85 (0.85 to 0.85) |" in line


def test_a_level_is_that_of_the_second_half_and_a_fluctuation_that_of_changes():
    falling = np.where(np.arange(101) < 50, 0.5, 0.1)
    swinging = 0.2 + 0.01 * (-1.0) ** np.arange(101)
    runs = group("rates_knockout_0.005", [falling, swinging])
    assert ANSWERS.level(runs) == pytest.approx([0.1, 0.2], abs=3e-4)
    assert ANSWERS.fluctuation(runs, ANSWERS.LEVEL_FROM) == pytest.approx([0, 0.02])


def test_a_peak_is_the_highest_record_of_the_first_wave():
    """Of ten runs two are highest in generation 10 of the wave, and a third one in 50: ten records of five generations."""
    runs = cubes("c", (0.42, 0.5, 0.5), sd=0)
    runs.mean[:2, 2], runs.mean[2, 10] = 0.47, 0.47
    lines = ANSWERS.peaks({f"rates_cubes_{rate}": runs for rate in ("0.005", "0.01", "0.05")}).splitlines()
    first, others = runs.mean[0, 0], 7 * 0.1
    third = (runs.mean[2, 2] - first) / (0.47 - first)
    by_10, by_50 = (2 + third + others) / 10, (3 + 5 * others) / 10
    assert lines[-2].startswith(f"| 0.05 | 10 | 100 (10 to 100) | 10 | 0.20 (0.03 to 0.56) | {by_10:.2f} (")
    assert lines[-1].startswith(f"| 0.05 | 10 | 100 (10 to 100) | 50 | 0.30 (0.07 to 0.65) | {by_50:.2f} (")


def test_the_table_of_distinct_states_is_made_again():
    lines = read_sections(STUDY.HERE)["reached"].splitlines()
    kinds = ANSWERS.distinct_states(2)
    again = ANSWERS.distinct_states_table(kinds).splitlines()
    assert again[5:] == lines[5:]  # hold at 20 and the optimum
    means = [float(cell.split(" (")[0].replace(",", "").removesuffix(" %")) for cell in lines[4].split("|")[2:-1]]
    ones = kinds["random"]
    states = [
        [one.expected(1), one.expected(1000), 100 * one.share(1000), one.games_for(0.05),
         one.games_for(50_000 / 505_000), 100 * one.most / one.states] for one in ones
    ]  # fmt: skip
    assert np.mean(states, axis=0) == pytest.approx(means, rel=0.01)


def test_win_rates_of_matches_spread_as_the_binomial_law_has_it():
    rates = match_variation(EIGHT, [10, 100], repeats=4000, seed=3, workers=1)
    assert rates.shape == (2, 4000)
    # Seats alternate, so a rate has the mean variance of both seats: a little less than that of a fair coin.
    first = pigevo.win_probability(EIGHT, EIGHT).first
    for games, row in zip((10, 100), rates, strict=True):
        assert row.mean() == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(4000 * games))
        assert row.std() == pytest.approx(np.sqrt(first * (1 - first) / games), rel=0.05)
    assert np.array_equal(rates, match_variation(EIGHT, [10, 100], repeats=4000, seed=3, workers=2))
    assert not np.array_equal(rates, match_variation(EIGHT, [10, 100], repeats=4000, seed=2))


PLACE = experiments_folder() / "exeter2016"
README, TABLES = readme_and_tables("exeter2016")
PROSE = " ".join(README.split())
NOISY = "figure 9, mutation"
ROWS_OF_FIGURES = {
    "5 |": ["figure 5 |"],
    "6 |": ["figure 6 |"],
    "7 |": ["figure 7 |"],
    "8 |": ["figure 8 |"],
    "9 | cubes at 0.5 %": [f"{NOISY} 0.005 |"],
    "9 | at 1 %": [f"{NOISY} 0.01 |"],
    "9 | at 5 %": [f"{NOISY} 0.05 |"],
    "10 |": ["figure 10 |"],
    "12, 15 |": ["figure 12 |", "figure 15 |"],
    "13, 16 |": ["figure 13 |", "figure 16 |"],
    "14 |": ["figure 14 | mean"],
    "17 |": ["figure 17 |"],
    "generation 0 |": [
        "figures 7 and 8",
        "figure 9, all rates",
        "figures 12 and 13",
        "figure 14 | generation 0",
        "figures 15 and 16",
    ],
    "table 1 |": ["table 1 |"],
}
"""How the rows of the README's table begin, and those of the table of all published figures."""


@pytest.mark.parametrize("beginning", ROWS_OF_FIGURES)
def test_the_figures_and_the_rows_that_agree_are_those_of_the_table(beginning):
    (line,) = [line for line in README.splitlines() if line.startswith(f"| {beginning}")]
    rows = [cells for start in ROWS_OF_FIGURES[beginning] for cells in cells_of(TABLES["table"], start)]
    body, agree = line.rstrip(" |").rsplit("|", 1)
    assert agree.strip() == f"{sum(cells[4].startswith('yes') for cells in rows)} of {len(rows)}"
    assert figures_missing(body, Rows("\n".join(" | ".join(cells) for cells in rows))) == set()


def figures_missing(text, rows):
    """The figures of a text that stand in none of the rows."""
    return {number.text for number in numbers(text) if number.is_figure and not rows.rows_of(number)}


def test_every_published_figure_is_in_the_table_of_the_readme():
    beginnings = [f"| {start}" for starts in ROWS_OF_FIGURES.values() for start in starts]
    rows = [line for line in TABLES["table"].splitlines() if re.match(r"\| (figures? \d|table 1)", line)]
    assert [row for row in rows if not row.startswith(tuple(beginnings))] == []


def luck_of_figure_8():
    """The peak of 101 points whose average is the published one, by luck alone: its 90 % band and median, exactly."""
    peaks = stats.binom.ppf(np.array([0.05, 0.5, 0.95]) ** (1 / 101), ROWS.MEASURED, 0.128)
    return {bare(peak / ROWS.MEASURED) for peak in peaks} | {"101"}


def test_what_no_table_has_is_computed_again():
    for text in luck_of_figure_8():
        assert text in PROSE
    grids = [CubeGrid(pigevo.Pig(), size).genes for size in (20, 10, 5)]
    assert "75, 550 and 4,200 genes" in PROSE
    assert grids == [75, 550, 4200]
    best = pigevo.best_response(pigevo.hold_at(pigevo.Pig(), 20)).value
    assert f"wins {100 * best:.4f} %" in PROSE
    optimum = [row for row in ROWS.table_1(STUDY.read_published()["table_1"]) if "optimal" in row.what]
    off = max(abs(row.published - row.ours.value) for row in optimum if row.figure == "table 1")
    assert f"optimum are off by up to {bare(round(off, 4))}." in PROSE
    averaged = PICTURES.OVER
    assert f"over {averaged}, the {averaged // 2} before and the {averaged // 2} after" in PROSE


def bare(value):
    return f"{value:g}".removeprefix("0")


def test_what_should_agree_follows_from_the_bands_of_the_table():
    assert ROWS.chance_table(TABLES["table"]) == TABLES["chance"]
    rows = ROWS.judged(TABLES["table"])
    assert (len(rows), sum(row.agrees for row in rows)) == (70, 33)
    assert "| all | 70 | 33 |" in TABLES["table"]


@pytest.mark.slow
def test_the_whiskers_of_figure_17_are_those_of_the_table():
    """Of 20 replications the band ended below the published .64, since both its ends are drawn, too."""
    said = STUDY.read_published()["figure_17"]
    rows = ROWS._variation(said | {"games": {100: said["games"][100]}})
    assert len(rows) == 4
    for row in rows:
        assert f"| figure 17 | {row.what} | {row.published:g} | {row.ours} | yes |" in TABLES["table"]


def test_the_published_peaks_are_no_rare_best_of_as_many_random_populations():
    """By simulation of games of the population means that random populations have, about .1165 (sd .0014)."""
    random = np.random.default_rng(5)
    means = random.normal(0.1165, 0.0014, 20_000)
    found = random.binomial(2000, means) / 2000
    for figure, peak in (("figure 7", 0.139), ("figure 8", 0.133)):
        one = ROWS.reaching(means, peak)
        assert one == pytest.approx((found >= peak).mean(), abs=0.002)
        (cells,) = cells_of(TABLES["peaks"], f"{figure} |")
        assert float(cells[4].removesuffix(" %")) == pytest.approx(100 * one, abs=0.15)
        assert float(cells[5].removesuffix(" %")) == pytest.approx(100 * (1 - (1 - one) ** 101), abs=3)
        share = float(cells[2].removesuffix(" %")) / 100
        assert float(cells[3]) == pytest.approx(np.quantile(found, 1 - share), abs=0.0012)
        assert cells[4] in PROSE
        assert f"{bare(peak)} in {cells[5]}" in PROSE


def test_readings_found_after_the_comparison_are_marked_so():
    head = TABLES["table"].splitlines()[0]
    assert head.count("found after the comparison") == 2
    assert ROWS.BEFORE in head
    assert ROWS.FROZEN in head


REMARKS = re.findall(r"^\[(\d+)\] (.*)$", TABLES["table"], flags=re.M)


@pytest.mark.parametrize(("number", "remark"), REMARKS, ids=lambda text: text[:20])
def test_every_number_of_a_remark_is_that_of_its_rows(number, remark):
    lines = [line for line in TABLES["table"].splitlines() if line.startswith("|")]
    figures = {line.split("|")[1] for line in lines if f"no [{number}]" in line}
    rows = Rows("\n".join(line for line in lines if line.split("|")[1] in figures))
    exact = bare(round(pigevo.optimal(pigevo.Pig()).value, 6))
    computed = {exact} | (luck_of_figure_8() if "101" in remark else set())
    assert figures
    assert figures_missing(remark, rows) <= computed


def test_the_table_is_made_of_what_is_published_and_of_exact_figures_as_they_are():
    figures = STUDY.read_published()
    remarks = (PLACE / "published.yaml").read_text()
    assert all(remark in remarks.replace('\\"', '"') for _, remark in REMARKS)
    lines = [line.replace(" |  |  |", "").split(" [")[0] for line in TABLES["table"].splitlines()]
    for row in ROWS.table_1(figures["table_1"]):
        verdict = "yes" if row.ours.agrees else "no"
        assert f"| {row.figure} | {row.what} | {row.published:g} | {row.ours} | {verdict}" in lines


def test_the_verdicts_on_sentences_are_those_of_the_table():
    table = TABLES["sentences"]
    better = {(row[0], row[1]): row[6] for row in cells_of(table) if len(row) == 7 and row[0] != "A"}
    rates, least = ("mutation 0.005", "mutation 0.05"), "mutation 0.01"
    found = [better[f"{kind}: {rate}", least] for kind in ("knockout", "round robin") for rate in rates]
    assert found == ["open", "B", "A", "B"]  # P1
    for kind in ("knockout", "round robin", "cubes"):  # P2 and P3
        assert better[f"{kind}: mutation 0.005", "mutation 0.05"] == "B"
    search = {row[0].partition(":")[0]: row[6][:4] for row in cells_of(table) if row[1].startswith("random search")}
    assert search == {"knockout": "open", "round robin": "A (s"}  # P4, with more games
    peaks = [row for row in cells_of(table) if re.fullmatch(r"[\d.]+", row[0])]
    assert [row[4].split()[0] for row in peaks if row[3] == "10"] == ["0.00"] * 3  # P5
    (champions,), (random,) = (
        cells_of(table, f"{who} |") for who in ("champions of the cubes at 0.5 %", "random strategies")
    )
    high, low = float(champions[2].split()[3].rstrip(")")), float(random[2].split()[1].lstrip("("))
    assert high < low  # P6
    for verdict in ("in the round robin 5 % is worse, too", "does not hold: it fluctuates less", "knockout is open"):
        assert verdict in PROSE


GRID = pigevo.CubeGrid(PIG_TO_30, 10)


@pytest.mark.parametrize("seed", range(5))
def test_a_generation_keeps_what_the_parents_share_and_flips_what_it_says(seed):
    data = operators_data(GRID, 0.2, seed)
    a, b, c, d = (GRID.strategy(genome) for genome in data.genomes)
    exact = [pigevo.win_probability(*pair).overall for pair in ((a, b), (b, a), (c, d), (d, c))]
    assert data.wins.tolist() == pytest.approx(exact)
    assert data.survives.tolist() == [exact[0] >= 0.5, exact[1] > 0.5, exact[2] >= 0.5, exact[3] > 0.5]
    first, second = data.genomes[data.survives]
    assert (data.agree == (first == second)).all()
    assert (data.child[data.agree] == first[data.agree]).all()


def test_a_generation_is_random_where_it_should_be():
    generations = [operators_data(GRID, 0.2, seed) for seed in range(40)]
    coins = np.concatenate([data.child[~data.agree] for data in generations])
    assert 0.4 < coins.mean() < 0.6
    assert 0.14 < np.mean([data.child != data.mutated for data in generations]) < 0.26
    assert (operators_data(GRID, 0, 3).mutated == operators_data(GRID, 0, 3).child).all()


def test_the_picture_marks_coins_and_flips():
    data = operators_data(GRID, 0.3, 4)
    for panel, row, color, marked in ((1, 2, COLORS[1], ~data.agree), (2, 1, COLORS[2], data.child != data.mutated)):
        axes = plot_operators(data)[panel]
        cells = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
        colored = {(cell.get_x(), cell.get_y()) for cell in cells if cell.get_facecolor()[:3] == to_rgb(color)}
        assert colored == {(gene, row) for gene in np.flatnonzero(marked)}
        assert marked.any()
    digits = [text.get_text() for text in plot_operators(data)[2].texts if text.get_text() in ("0", "1")]
    assert digits == [str(gene) for gene in (*data.child, *data.mutated)]


def test_pictures_that_nobody_can_read_are_refused():
    with pytest.raises(InputError, match="a picture shows at most 40 genes, but this grid has 75: use larger cubes"):
        operators_data(pigevo.CubeGrid(pigevo.Pig(), 20), 0.1)
    with pytest.raises(InputError, match="cubes are drawn for games with three dimensions"):
        cubes_data(pigevo.hold_at(TenRounds(turns=2), 5), 10)


@pytest.mark.parametrize("size", [10, 7, (15, 10, 4)])
def test_cubes_are_those_of_the_genome(size):
    grid = pigevo.CubeGrid(PIG_TO_30, size)
    genome = np.random.default_rng(2).integers(0, 2, grid.genes, dtype=np.uint8)
    strategy, data = grid.strategy(genome), cubes_data(grid.strategy(genome), size)
    assert (data.genes, data.size) == (grid.genes, grid.label)
    assert [edges[-1] for edges in data.edges] == [30, 30, 30]
    i, j, k = np.meshgrid(*(edges[:-1] for edges in data.edges), indexing="ij")
    decided = i + np.maximum(k, 1) < 30
    assert decided.sum() == grid.genes
    assert np.array_equal(data.rolls, decided & strategy.roll[i, j, np.maximum(k, 1)])


def test_each_side_that_is_seen_is_drawn_once_and_one_gene_in_orange():
    data = cubes_data(pigevo.roll_to_win(PIG_TO_30), 10)
    (axes,) = plot_cubes([data])
    (faces,) = axes.collections
    assert data.rolls.sum() == data.genes == 18
    assert len(faces.get_facecolor()) == 3 * 3 + 6 + 3 * 3  # towards own score 30, towards opponent's score 0, on top
    orange = [color for color in faces.get_facecolor() if color[0] > color[2]]
    assert len(orange) == 1  # the first cube: only its front is seen
    assert axes.get_title() == "cubes of 10: 18 genes"


SAMPLE = np.random.default_rng(0).normal(0.1, 0.01, (3, 200))


def test_the_density_and_its_normal_law_have_an_area_of_1_and_the_tail_5_percent():
    data = density_data(SAMPLE, {"mark": 0.15})
    for curve in (data.density, data.normal):
        assert np.trapezoid(curve, data.x) == pytest.approx(1, abs=0.002)
    assert stats.norm(SAMPLE.mean(), SAMPLE.std(ddof=1)).sf(data.tail) == pytest.approx(0.05)
    assert [text.get_text() for text in plot_density(data).texts] == ["mark: 0.1500"]


def test_a_reproduction_shows_bands_and_published_points():
    bands = {"a": band(SAMPLE), "b": band(SAMPLE + 0.1)}
    data = Reproduction("t", bands, {"b": [(10, 0.2), (20, 0.3)]}, (0.1, 0.12, 0.14), "cells", [100])
    axes = plot_reproduction(data, "Paper")
    texts = {text.get_text() for text in axes.texts}
    assert texts == {"cells\n(means, 95 %)", "a", "b", "the optimum"}
    assert [text.get_text() for text in figure_of(axes).legends[0].get_texts()] == ["Paper"]
    assert axes.get_title() == "t (3 seeds: median and 90 %)"


@pytest.mark.parametrize(("seeds", "spread"), [(2, "range"), (19, "range"), (20, "90 %")])
def test_few_seeds_are_drawn_from_the_lowest_to_the_highest_and_no_share_is_claimed(seeds, spread):
    """As no row is judged with fewer than twenty: the middle 90 % of two lie between them, and hold hardly any other run."""
    runs = cubes("figure_8", (0.12, 0.12, 0.12), seeds)
    said, random = {"figure_8": {"title": "t", "points": [[0, 0.12]]}}, {"20": np.full((9, 20), 0.12)}
    axes = PICTURES.curves("figure_08", {"figure_8": runs}, said, random).axes[0]
    assert axes.get_title() == f"t ({seeds} seeds: median and {spread})"
    (drawn,) = [one.get_paths()[0].vertices[:, 1] for one in axes.collections]
    assert (drawn.max() == runs.mean.max()) == (spread == "range")


def test_few_seeds_are_drawn_whole_beside_many_too_and_their_name_says_so():
    many, few = (cubes(name, (0.12, 0.12, 0.12), seeds) for name, seeds in (("figure_13", 30), ("hold_at_exact", 10)))
    said, random = {"figure_13": {"title": "t", "points": [[0, 0.12]]}}, {"20": np.full((9, 20), 0.12)}
    axes = PICTURES.curves("figure_13", {"figure_13": many, "hold_at_exact": few}, said, random).axes[0]
    assert axes.get_title() == "t (median and 90 %)"
    assert {"ours\n(30 seeds)", "exact pairing\n(10 seeds: range)"} <= {text.get_text() for text in axes.texts}
    drawn = [one.get_paths()[0].vertices[:, 1] for one in axes.collections]
    assert [one.max() for one in drawn] == [np.quantile(many.mean, 0.95, axis=0).max(), few.mean.max()]


def test_curves_of_different_numbers_of_seeds_say_theirs():
    bands = {"a": band(SAMPLE), "b": band(SAMPLE[:1]), "short": band(SAMPLE[:2, :50])}
    axes = plot_reproduction(Reproduction("t", bands), "Paper")
    assert {text.get_text() for text in axes.texts} == {"a\n(3 seeds)", "b\n(1 seed)", "short (2 seeds)", "the optimum"}
    assert axes.get_title() == "t (median and 90 %)"


DRAWN = np.random.default_rng(5)
POPULATIONS = DRAWN.normal(0.12, 0.01, (300, 20))


def runs_of(means):
    return Group("g", tuple(range(len(means))), np.arange(means.shape[1], dtype=float), means, ())


def test_random_populations_are_no_different_from_random_populations():
    compared = against_random(runs_of(DRAWN.normal(0.12, 0.01 / 20**0.5, (30, 50))), POPULATIONS)
    assert compared.low < 0 < compared.high
    assert 0.3 < compared.superiority < 0.7
    assert compared.p > 0.01
    assert compared.reached > 0.05 * compared.peaks
    assert compared.peak == pytest.approx(compared.random_peak, abs=0.001)


def test_better_populations_are_told_from_random_ones():
    compared = against_random(runs_of(DRAWN.normal(0.125, 0.01 / 20**0.5, (30, 50))), POPULATIONS)
    assert compared.low > 0.003
    assert compared.difference == pytest.approx(0.005, abs=0.002)
    assert compared.p < 0.001
    assert compared.reached < 0.05 * compared.peaks


def test_random_peaks_may_exceed_every_population_of_the_sample():
    """Three hundred means drawn again could not; so many random populations do, as often as their law says."""
    peaks = random_peaks(POPULATIONS, 200, 400)
    largest = POPULATIONS.mean(axis=1).max()
    assert (peaks > largest).mean() > 0.1
    means = DRAWN.choice(POPULATIONS.ravel(), (400, 200, 20)).mean(axis=2).max(axis=1)
    assert np.median(peaks) == pytest.approx(np.median(means), abs=0.0003)


def test_intervals_that_are_read_together_are_wider():
    runs = runs_of(DRAWN.normal(0.125, 0.01 / 20**0.5, (6, 5)))
    alone, among = against_random(runs, POPULATIONS), against_random(runs, POPULATIONS, 4)
    assert among.low < alone.low < alone.difference < alone.high < among.high


@pytest.mark.long
def test_the_interval_holds_the_difference():
    held = []
    for _ in range(400):
        compared = against_random(runs_of(0.1 + DRAWN.exponential(0.02, (5, 1))), DRAWN.normal(0.12, 0.01, (300, 2)))
        held.append(compared.low <= 0 <= compared.high)
    assert np.mean(held) > 0.85  # exponential figures of five runs: Student's t, .88


def test_the_table_has_a_line_for_each_setting():
    rows = {
        name: against_random(runs_of(np.full((4, 3), 0.2) + DRAWN.random((4, 3)) / 99), POPULATIONS) for name in "ab"
    }
    assert [line[:6] for line in random_table(rows).splitlines()[2:]] == ["| a, 4", "| b, 4"]
