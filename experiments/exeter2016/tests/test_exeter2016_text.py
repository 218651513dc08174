"""The tables of exeter2016 follow from what was published, and the claims of its README from the tables."""

import re

import numpy as np
import pytest
from scipy import stats

import pigevo
from experiments.common.tests.prose import Rows, cells_of, numbers, readme_and_tables
from pigevo.experiments import experiments_folder, load_study
from pigevo.experiments.exeter2016 import chance as CHANCE
from pigevo.experiments.exeter2016 import peaks as PEAKS
from pigevo.experiments.exeter2016 import pictures as PICTURES
from pigevo.experiments.exeter2016 import readings as READINGS
from pigevo.experiments.exeter2016 import rows as ROWS
from pigevo.strategies import CubeGrid

PLACE = experiments_folder() / "exeter2016"
STUDY = load_study("exeter2016")
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
    peaks = stats.binom.ppf(np.array([0.05, 0.5, 0.95]) ** (1 / 101), READINGS.MEASURED, 0.128)
    return {bare(peak / READINGS.MEASURED) for peak in peaks} | {"101"}


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
    assert CHANCE.as_markdown(TABLES["table"]) == TABLES["chance"]
    rows = CHANCE.judged(TABLES["table"])
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
        one = PEAKS.reaching(means, peak)
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
    assert READINGS.BEFORE in head
    assert READINGS.FROZEN in head


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
    assert [row[3].split()[0] for row in peaks] == ["0.00"] * 3  # P5
    (champions,), (random,) = (
        cells_of(table, f"{who} |") for who in ("champions of the cubes at 0.5 %", "random strategies")
    )
    high, low = float(champions[2].split()[3].rstrip(")")), float(random[2].split()[1].lstrip("("))
    assert high < low  # P6
    for verdict in ("in the round robin 5 % is worse, too", "does not hold: it fluctuates less", "knockout is open"):
        assert verdict in PROSE
