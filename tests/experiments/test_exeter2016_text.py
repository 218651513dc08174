"""Every figure of the README of exeter2016 is one of the tables beside it, or is computed here."""

import re

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.cli.commands.study import SEEDS
from pigevo.core.intervals import CONFIDENCE
from pigevo.strategies import CubeGrid
from pigevo.studies.find import experiments_folder, load_study
from pigevo.studies.settings import jobs_of, read_settings
from pigevo.studies.tables import BAND_SHARE, sampled
from tests.experiments.prose import not_called_open, numbers, open_claims, paragraphs, told_rows, unfounded

PLACE = experiments_folder() / "exeter2016"
STUDY = load_study("exeter2016")
TABLES = {path.name: path.read_text() for path in PLACE.glob("*.md") if path.name != "README.md"}
PARAGRAPHS = [one for one in paragraphs((PLACE / "README.md").read_text()) if numbers(one)]


def published(*beginnings):
    return [("table.md", one) for one in beginnings]


def answered(*beginnings):
    return [("answers.md", one) for one in beginnings]


NOISY, EXACT = "figure 9, mutation", "cubes, mutation"
SOURCES = {
    "Eight students": [],
    "Population 20": published("figure 5 |", "figure 6 |"),
    "Our figures are exact": [*published("figure 10 |"), *answered("single cells | 300")],
    "A published figure is": [],
    "Settings are compared": [],
    
    "The paper's figures 1 and 2": [],
    "*Figure 1:": [],
    "*Figure 2:": [],
    "**Moving averages": [],
    "*One run (seed 0)": [],
    "has every number": published("all |"),
    "If the report had": [("chance.md", one) for one in ("all |", "judged by a band", "exact")],
    "| 5 |": published("figure 5 |"),
    "| 6 |": published("figure 6 |"),
    "| 7 |": published("figure 7 |"),
    "| 8 |": published("figure 8 |"),
    "| 9 | cubes at 0.5 %": published(f"{NOISY} 0.005 |"),
    "| 9 | at 1 %": published(f"{NOISY} 0.01 |"),
    "| 9 | at 5 %": published(f"{NOISY} 0.05 |"),
    "| 10 |": published("figure 10 |"),
    "| 12, 15 |": published("figure 12 |", "figure 15 |"),
    "| 13, 16 |": published("figure 13 |", "figure 16 |"),
    "| 14 |": published("figure 14 | mean"),
    "| 17 |": published("figure 17 |"),
    "| generation 0 |": published("figures 7 and 8", "figure 9, all rates", "figures 12 and 13",
                                  "figure 14 | generation 0", "figures 15 and 16"),
    "| table 1 |": published("table 1 |"),
    "Figures 3 and 4": [],
    "*Figure 9": published(NOISY),
    "*Figure 10": published("figure 10"),
    "*Figure 11": [],
    "**(a)": [*published("(a)", "figure 9, all rates", "figure 14 | generation 0", "figures 7 and 8",
                         f"{NOISY} 0.005 | mean of the population, generation 25", f"{NOISY} 0.01 | mean of the population, generation 25")],
    "**(b)": [*published("(b)", "figure 7 |", "figure 12 |", "figure 15 |"),
              *answered("round robin hold at kept | 200", "round robin score kept | 200")],
    "*Figure 12": published("figure 12 |"),
    "**Figures 6 and 13": [("pace.md", "figure")],
    "What else": published(NOISY, "figure 5 |", "figure 8 |", "figure 13 |", "figure 16 |"),
    "Entries without": published("table 1 |"),
    "**Other tournaments": [("variants.md", "end of cubes of")],
    "**A mutation of an exact": [("variants.md", "end of cubes of")],
    "**How many": [("reached.md", kind) for kind in ("random |", "hold at 20 |", "the optimum |")],
    "**Round robin and knockout": answered("figure 7, random", "figure 8, random"),
    "**Cubes lose": answered(*(f"{NOISY} {rate}: end of cubes of" for rate in ("0.005", "0.01", "0.05"))),
    "*What the noise": answered(f"{NOISY} 0.005"),
    "**The noise": answered(*(f"{NOISY} {rate}: lost with" for rate in ("0.005", "0.01", "0.05"))),
    "**Without": answered("0 |", "0.005 |", f"{EXACT} 0.005 exact: lost", f"{NOISY} 0.005: lost with games | lost if survivors"),
    "**Which rate": answered("0 |", "0.0001 |", "end of cubes of"),
    "**Luck": answered(*(f"{NOISY} {rate}, generation" for rate in ("0.005", "0.01", "0.05")),
                       *(f"figure {n}, generation" for n in (8, 12, 13))),
    "**What the further": [*answered("cubes kept, ", "cubes exact kept, ", "cubes round robin, ", "cubes sets, ", "cubes two points, ",
                                     "cubes one point, ", "cubes v optimal, ", "cubes exploit, ", "knockout, mutation"),
                           *answered("cubes v optimal | 300", "cubes exploit | 300", "cubes exact kept | 300")],
    "The paper found": published("table 1 | optimal first against hold_at:20", "section 5.2"),
}  # fmt: skip
"""How each paragraph begins, and the rows that it tells of."""


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """What no table has: the settings, and what is computed here."""
    jobs = jobs_of(read_settings(PLACE / "settings.yaml")["paper"], 1, tmp_path_factory.mktemp("jobs"))
    numbers_of_settings, shares = set(), {BAND_SHARE, CONFIDENCE}
    for (job,) in jobs.values():
        values, cubes = job.settings.values, job.settings.values["cubes"]
        shares.add(values["mutation"])
        numbers_of_settings |= {values["population"]["size"], values["fitness"]["games"], values["record_every"]}
        numbers_of_settings |= {job.settings.plan.generations, *cubes.get("sizes", ()), cubes.get("generations", 1)}
    numbers_of_settings |= {SEEDS, SEEDS // STUDY.FURTHER, STUDY.readings.MEASURED, *range(3, 18)}  # and of figures
    numbers_of_settings |= {CubeGrid(pigevo.Pig(), size).genes for size in (20, 10, 5)}
    best = pigevo.best_response(pigevo.hold_at(pigevo.Pig(), 20)).value
    precision = sampled.__defaults__[0]
    return (
        {f"{number:,}" for number in numbers_of_settings}
        | {f"{100 * share:g} %" for share in shares}
        | {f"{100 * best:.4f} %", bare(precision), "2016", "0", ".5"}  # the year, where nothing is, and the optimum
    )


def bare(value):
    return f"{value:g}".removeprefix("0")


def luck_of_figure_8():
    """The peak of 101 points whose average is the published one, by luck alone: its 90 % band and median, exactly."""
    peaks = stats.binom.ppf(np.array([0.05, 0.5, 0.95]) ** (1 / 101), STUDY.readings.MEASURED, 0.128)
    return {bare(peak / STUDY.readings.MEASURED) for peak in peaks} | {"101"}


def worst_of_the_optimum():
    """How far an entry of table 1 with the optimum is off at most."""
    rows = [row for row in STUDY.rows.table_1(STUDY.read_published()["table_1"]) if "optimal" in row.what]
    return {bare(round(max(abs(row.published - row.ours.value) for row in rows if row.figure == "table 1"), 4))}


def source_of(paragraph):
    return told_rows(paragraph, SOURCES, TABLES)


def body_of(paragraph):
    """A row of the README without its number of rows that agree."""
    return paragraph.rstrip(" |").rsplit("|", 1)[0] if paragraph.startswith("|") else paragraph


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=lambda text: text[:40])
def test_every_number_is_that_of_a_row(paragraph, known):
    computed = luck_of_figure_8() if "101" in paragraph else worst_of_the_optimum() if "off by" in paragraph else set()
    if "games reach" in paragraph:  # what the report guessed, and all states
        computed = {"1,000", "5 %", "50", "505,000"}
    if re.search(r"[Ff]igures? [12]\b", paragraph):
        computed = {"1", "2"}
    if "Moving averages" in paragraph:
        computed = {str(STUDY.pictures.OVER), str(STUDY.pictures.OVER // 2)}
    assert unfounded(body_of(paragraph), source_of(paragraph), known | computed) == []


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=lambda text: text[:40])
def test_what_is_open_is_called_so_and_nothing_is_claimed_of_it(paragraph):
    assert not_called_open(paragraph, source_of(paragraph)) == []
    assert open_claims(paragraph) == []


@pytest.mark.parametrize("paragraph", [one for one in PARAGRAPHS if one.startswith("|")], ids=lambda text: text[:20])
def test_the_rows_that_agree_are_counted(paragraph):
    verdicts = [row.split("|")[5].strip().startswith("yes") for row in source_of(paragraph)]
    assert paragraph.rstrip(" |").rsplit("|", 1)[1].strip() == f"{sum(verdicts)} of {len(verdicts)}"


def test_what_should_agree_follows_from_the_bands_of_the_table():
    assert STUDY.chance.as_markdown(TABLES["table.md"]) == TABLES["chance.md"]
    rows = STUDY.chance.judged(TABLES["table.md"])
    assert (len(rows), sum(row.agrees for row in rows)) == (70, 32)


def test_readings_found_after_the_comparison_are_marked_so():
    head = TABLES["table.md"].splitlines()[0]
    assert head.count("found after the comparison") == 2
    assert STUDY.readings.BEFORE in head
    assert STUDY.readings.FROZEN in head


def test_every_published_row_is_told():
    rows_of_text = {row for paragraph in PARAGRAPHS if paragraph.startswith("|") for row in source_of(paragraph)}
    rows = [line for line in TABLES["table.md"].splitlines() if re.match(r"\| (figure|table 1)", line)]
    assert [row for row in rows[1:] if row not in rows_of_text] == []


REMARKS = re.findall(r"^\[(\d+)\] (.*)$", TABLES["table.md"], flags=re.M)


@pytest.mark.parametrize(("number", "remark"), REMARKS, ids=lambda text: text[:20])
def test_every_number_of_a_remark_is_that_of_its_rows(number, remark, known):
    lines = [line for line in TABLES["table.md"].splitlines() if line.startswith("|")]
    of = {line.split("|")[1] for line in lines if f"no [{number}]" in line}
    rows = [line for line in lines if line.split("|")[1] in of]
    exact = {bare(round(pigevo.optimal(pigevo.Pig()).value, 6)), "2004"}
    assert rows
    assert unfounded(remark, rows, known | exact | (luck_of_figure_8() if "101" in remark else set())) == []


def test_the_table_is_made_of_what_is_published_and_of_exact_figures_as_they_are():
    figures = STUDY.read_published()
    remarks = (PLACE / "published.yaml").read_text()
    assert all(remark in remarks.replace('\\"', '"') for _, remark in REMARKS)
    lines = [line.replace(" |  |  |", "").split(" [")[0] for line in TABLES["table.md"].splitlines()]
    for row in STUDY.rows.table_1(figures["table_1"]):
        verdict = "yes" if row.ours.agrees else "no"
        assert f"| {row.figure} | {row.what} | {row.published:g} | {row.ours} | {verdict}" in lines
