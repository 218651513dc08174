"""The study of Exeter 2016: in a tiny form, what it compares, and its figures under other readings."""

import csv

import numpy as np
import pytest

import pigevo
from experiments.common.tests.tiny import shorter
from pigevo.experiments import load_study
from pigevo.experiments.common import settings as study_settings
from pigevo.experiments.common.group import Group, answers
from pigevo.experiments.common.tables import read_sections
from pigevo.experiments.exeter2016 import answers as ANSWERS
from pigevo.experiments.exeter2016 import chance as CHANCE
from pigevo.experiments.exeter2016 import pace as PACE
from pigevo.experiments.exeter2016 import questions as QUESTIONS
from pigevo.experiments.exeter2016 import reached as REACHED
from pigevo.experiments.exeter2016 import readings as READINGS
from pigevo.experiments.exeter2016 import rows as ROWS
from pigevo.experiments.exeter2016 import sentences as SENTENCES
from pigevo.experiments.exeter2016.rows import match_variation
from pigevo.runs.load import Run

EIGHT = pigevo.hold_at(pigevo.Pig(target=30), 8)
TINY = "debug=fast game.target=40 population.size=4"


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """The study on a game to 40, two generations a run; its pictures and tables are those of the real game."""
    study = load_study("exeter2016")
    words = shorter(study, TINY, "generations=")
    monkeypatch.setattr(study, "read_settings", lambda _: words)
    monkeypatch.setattr(study.pictures, "GAMES", (2, 4))
    for module in (study.pictures, study.rows):
        monkeypatch.setattr(module, "REPEATS", 10)
    monkeypatch.setattr(study.rows, "REPLICATIONS", 20)
    monkeypatch.setattr(study.reached, "RANDOM", 1)
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


STUDY = load_study("exeter2016")
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
    chance, n, spread, precision = CHANCE.chance, 20_000, 0.01, 0.004
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
    law = CHANCE.number_law([apart, together], together=False)
    assert law == pytest.approx([0.1 * 0.5 * 0.2, 0.5 * 0.2 + 0.05 * 0.8, 0.45 * 0.2 + 0.5 * 0.8, 0.45 * 0.8])
    whole = CHANCE.number_law([apart], together=True)
    assert whole == pytest.approx([0.1, 0.4, 0.5])
    assert whole @ np.arange(3) == pytest.approx(apart.sum())


def test_the_part_of_the_noise_is_a_difference_of_differences(groups):
    answered = {(one.a, one.b): one for one in answers([*QUESTIONS.falls(groups)])}
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
        patch.setattr(QUESTIONS, "LUCK", {"cubes_0.005_exact": ("figure_9_0.005", 300)})
        patch.setattr(QUESTIONS, "SHRINKING", ("figure_9_0.005", "cubes_0.005_exact"))
        first = answers([*QUESTIONS.falls(groups | surviving)])[0]
        ends = answers([*QUESTIONS.shrinking(groups | surviving)])
    assert first.better is None
    assert ends[1].better == ends[1].b == "end of cubes of 10"
    assert ends[3].better == ends[3].b


def test_rates_are_compared_with_one_that_was_chosen_before(groups):
    """Not with whichever did best in the same runs, which would look better than it is."""
    answered = answers([*QUESTIONS.rates(groups)])
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
    assert {name for name, words in settings.items() if "round_robin" in words} == set(READINGS.ROUND_ROBINS)


def test_a_round_robin_that_never_changes_peaks_where_figure_7_does():
    """101 points of one population of the published average, each with the luck of 2,000 games: .136, 90 % .132 to .1425."""
    runs = group("figure_7", np.full((500, 1), 0.118) + np.linspace(0, 0.03, 101))
    figure_7 = {"points": [[0, 0.118]], "flat_from": 0, "peak": 0.139, "remark": ""}
    average, peak = (
        one.row(n) for n, one in enumerate(ROWS._evolved({"figure_7": runs}, published(figure_7=figure_7)))
    )
    frozen = peak.readings[READINGS.FROZEN]
    assert [frozen.low, frozen.value, frozen.high] == pytest.approx([0.132, 0.136, 0.1425], abs=0.0008)
    assert (peak.ours.agrees, frozen.agrees) == (False, True)
    assert (average.ours.agrees, average.readings[READINGS.FROZEN].agrees) == (False, True)


def test_a_flat_curve_is_an_average_and_not_one_point():
    """Figure 7 at 500: .118 is the moving average, and one point of a run that lies at .1405 can well be there."""
    runs = group("figure_7", 0.1405 + LUCK.normal(0, 0.009, (30, 101)))
    figure_7 = {"points": [[0, 0.118], [500, 0.118]], "flat_from": 0, "remark": ""}
    (one,) = ROWS._evolved({"figure_7": runs}, published(figure_7=figure_7))
    assert one.what == "average of the generations from 0 on"
    row = one.row(0)
    assert not row.ours.agrees
    assert row.ours.high - row.ours.low < 0.006
    point = ROWS.sampled(0.118, ROWS.at(runs, 500)(READINGS.measured(runs.mean, 0)))
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
        assert rows[figure].readings[READINGS.BEFORE].agrees
    assert all(rows[figure].ours.agrees and not rows[figure].readings for figure in names[::2])
    of_course = list(ROWS._evolved({"figure_8": groups["figure_8"]}, STUDY.read_published()))
    assert all("generation 0" not in one.what for one in of_course)


def test_no_two_rows_and_no_two_readings_have_the_same_luck():
    means = np.full((30, 5), 0.12)
    one = ROWS.Sampled("f", "w", 0.12, {READINGS.TEXT: means, READINGS.FROZEN: means}, ROWS.peak)
    first, second = one.row(0), one.row(1)
    assert first == one.row(0)
    values = {first.ours.value, second.ours.value, first.readings[READINGS.FROZEN].value}
    lucks = [READINGS.measured(means, *place) for place in ((0, 0), (1, 0), (0, 1))]
    assert len(values) > 1
    assert all(abs(np.corrcoef(lucks[0].ravel(), other.ravel())[0, 1]) < 0.3 for other in lucks[1:])


def test_luck_has_the_law_of_so_many_games():
    shares = READINGS.measured(np.full((400, 50), 0.3), 3)
    assert shares.mean() == pytest.approx(0.3, abs=0.0005)
    assert shares.std() == pytest.approx((0.3 * 0.7 / READINGS.MEASURED) ** 0.5, rel=0.03)


def test_the_share_of_generations_and_the_ratio_of_two_decays_are_told():
    """Figures 6 and 13 are one algorithm from two beginnings: what begins lower is down sooner, however one counts."""
    figures = {name: group(name, np.tile(0.12 + start * np.exp(-0.15 * np.arange(101)), (5, 1)))
               for name, start in (("figure_5", 0.38), ("figure_6", 0.38), ("figure_13", 0.3), ("figure_16", 0.31))}  # fmt: skip
    text = PACE.as_markdown(figures, STUDY.read_published())
    assert text.count("\n| figure 6 |") == 4
    assert "| figure 13 | 0.2 | 150 | 88.2 (88.2 to 88.2) | 0.59 (0.59 to 0.59) |" in text
    line = next(line for line in text.splitlines() if line.startswith("| figure 13 / figure 6"))
    assert "| 1.67 | 0.85 (0.85 to 0.85) |" in line


def test_a_level_is_that_of_the_second_half_and_a_fluctuation_that_of_changes():
    falling = np.where(np.arange(101) < 50, 0.5, 0.1)
    swinging = 0.2 + 0.01 * (-1.0) ** np.arange(101)
    runs = group("rates_knockout_0.005", [falling, swinging])
    assert SENTENCES.level(runs) == pytest.approx([0.1, 0.2], abs=3e-4)
    assert SENTENCES.fluctuation(runs, SENTENCES.LEVEL_FROM) == pytest.approx([0, 0.02])


def test_a_peak_is_the_highest_record_of_the_first_wave():
    """Of ten runs two are highest in generation 10 of the wave, and rise in it as far as they ever do there."""
    runs = cubes("c", (0.42, 0.5, 0.5), sd=0)
    runs.mean[:2, 2] = 0.47
    lines = SENTENCES.peaks({f"rates_cubes_{rate}": runs for rate in ("0.005", "0.01", "0.05")}).splitlines()
    rise = (2 + 8 * 0.1) / 10
    assert "| 0.05 | 10 | 100 (10 to 100) | 0.20 (0.03 to 0.56) |" in lines[-1]
    assert f"| {rise:.2f} (" in lines[-1]


def test_the_table_of_distinct_states_is_made_again():
    lines = read_sections(STUDY.HERE)["reached"].splitlines()
    kinds = REACHED.found(2)
    again = REACHED.as_markdown(kinds).splitlines()
    assert again[5:] == lines[5:]  # hold at 20 and the optimum
    means = [float(cell.split(" (")[0].replace(",", "").removesuffix(" %")) for cell in lines[4].split("|")[2:-1]]
    ones = kinds["random"]
    states = [
        [one.expected(1), 100 * one.share(1000), one.games_for(0.05), 100 * one.most / one.states] for one in ones
    ]
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
