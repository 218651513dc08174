"""What studies share: how they are found, their settings and jobs, tables, comparisons, and curves of what was spent."""

import csv
import inspect
import re
import shutil
import sys

import numpy as np
import pytest
import yaml

from pigevo.core.intervals import mean_p
from pigevo.errors import InputError
from pigevo.experiments import experiments_folder, load_study, study_names
from pigevo.experiments.common.group import Question, answers, detectable
from pigevo.experiments.common.group import as_markdown as comparisons_table
from pigevo.experiments.common.settings import conclude, in_turn, jobs_of, read_settings
from pigevo.experiments.common.spent import (
    SMALLEST_LOSS,
    Spent,
    anytime_data,
    ecdf_data,
    plot_anytime,
    plot_beside,
    plot_ecdf,
    plot_spent,
    spent_data,
)
from pigevo.experiments.common.tables import (
    HEADER,
    WINS,
    Row,
    as_markdown,
    exact,
    read_sections,
    sampled,
    write_section,
    write_table,
)
from pigevo.runs.progress import Interrupted
from pigevo.settings import compose
from pigevo.settings.schema import GROUPS, conf_folder
from pigevo.settings.settings import Settings
from pigevo.sweeps.job import FAILED, FINISHED, INTERRUPTED, Job, JobOutcome, SomeFailed


def test_the_studies_are_the_folders_with_a_study_file():
    assert "exeter2016" in study_names()
    assert study_names() == sorted(p.name for p in experiments_folder().iterdir() if (p / "study.py").exists())


@pytest.mark.parametrize("name", study_names())
def test_every_study_can_be_run_and_tells_its_result(name):
    assert list(inspect.signature(load_study(name).run).parameters) == ["folder", "seeds", "workers"]
    assert (experiments_folder() / name / "README.md").is_file()


@pytest.fixture
def experiments(tmp_path, monkeypatch):
    """A folder of one study with a module beside it."""
    monkeypatch.setattr("pigevo.experiments.experiments_folder", lambda: tmp_path)
    monkeypatch.setattr(sys.modules["pigevo.experiments"], "__path__", [str(tmp_path)])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "beside.py").write_text("ANSWER = 42\n")
    (tmp_path / "mine" / "study.py").write_text("from .beside import ANSWER\n")
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("pigevo.experiments.mine")]:
        del sys.modules[name]


def test_a_study_can_import_the_modules_beside_it(experiments):
    assert load_study("mine").ANSWER == 42
    assert load_study("mine") is load_study("mine")
    assert "beside" not in sys.modules


def test_a_study_that_fails_is_not_kept(experiments):
    (experiments / "mine" / "study.py").write_text("1 / 0\n")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            load_study("mine")


def test_another_name_is_refused():
    with pytest.raises(InputError, match="no study 'exeter2061'; did you mean exeter2017 or exeter2016"):
        load_study("exeter2061")


SETTINGS = read_settings(experiments_folder() / "exeter2016" / "settings.yaml")


@pytest.mark.slow
def test_the_paper_is_done_with_its_own_numbers(tmp_path):
    jobs = jobs_of(SETTINGS["paper"], 30, tmp_path)
    assert {len(members) for members in jobs.values()} == {30}
    settings_of = {name: members[0].settings.values for name, members in jobs.items()}
    assert {values["population"]["size"] for values in settings_of.values()} == {20}
    for name, values in settings_of.items():
        games = 25 if values["selection"]["name"] == "round_robin" else 100
        assert values["fitness"] == {"name": "games", "games": games, "paired": False}
        if name in ("figure_5", "figure_6"):
            assert (values["generations"], values["record_every"]) == (200, 2)
        elif values["cubes"]["name"] == "waves":
            assert values["cubes"] == {"name": "waves", "sizes": [20, 10, 5], "generations": 100}
        else:
            assert (values["generations"], values["record_every"]) == (1000, 10)


@pytest.mark.slow
def test_every_further_setting_makes_a_run_of_its_own(tmp_path):
    jobs = jobs_of(SETTINGS["paper"] | SETTINGS["further"], 1, tmp_path)
    hashes = [job.settings.hash for (job,) in jobs.values()]
    assert len(set(hashes)) == len(hashes) == len(SETTINGS["paper"]) + len(SETTINGS["further"])


def test_seeds_come_one_after_the_other_and_the_longest_runs_of_each_first(tmp_path):
    jobs = jobs_of({"a": "experiment=cube_random"}, 3, tmp_path) | jobs_of({"b": "mutation=0.5"}, 2, tmp_path)
    order = [(job.folder.relative_to(tmp_path).as_posix(), job.settings.seed) for job in in_turn(jobs)]
    assert order == [
        ("runs/b/seed_00", 0), ("runs/a/seed_00", 0), ("runs/b/seed_01", 1), ("runs/a/seed_01", 1), ("runs/a/seed_02", 2),
    ]  # fmt: skip


def test_a_study_goes_on_only_if_every_run_has_finished(tmp_path):
    job = Job(Settings.of(), tmp_path / "x")
    conclude([JobOutcome(job, FINISHED)])
    with pytest.raises(SomeFailed, match=r"1 of 2 runs failed:\n.*x: it broke"):
        conclude([JobOutcome(job, FINISHED), JobOutcome(job, FAILED, "it broke")])
    with pytest.raises(Interrupted, match="the same command goes on"):
        conclude([JobOutcome(job, INTERRUPTED), JobOutcome(job, FAILED, "it broke")])


STUDIES = sorted(path.parent.name for path in experiments_folder().glob("*/settings.yaml"))
RUN_BY_CODE = "jobs_of(", "pigevo.evolve(", "pigevo.generations(", "pigevo.sweep("


def words_of(study):
    """The words of every kind of run of a study, by a name."""
    parts = read_settings(experiments_folder() / study / "settings.yaml")
    words = {f"{part} {name}": words.split() for part, settings in parts.items() for name, words in settings.items()}
    if study == "illumination":
        words = {name: load_study(study).at_budget(found) for name, found in words.items()}
    if study == "rediscovery":
        settled = load_study(study).settled
        words |= {
            f"{name} {n}": settled.words_of_run(settled.words_of_setting(name, n))
            for name in settled.FAMILIES
            for n in (0, 1)
        }
        words |= {name: settled.words_of_run([*more]) for name, more in settled.LESS.items()}
    if study == "tuning":
        module = load_study(study)
        values = {"population.size": "30", "fitness.games": "50", "cubes.sizes": "[20,10]"}
        words |= {"original": [*module.WORDS, *module.proposed({})], "one": [*module.WORDS, *module.proposed(values)]}
        words |= {name: module.whole([found]) for name, found in module.PAPER.items()}
    return words


def hashes_of(words):
    return {name: _hash(found) for name, found in words.items()}


def _hash(words):
    try:
        return Settings.of(*words, "seed=7", "baseline=none").hash
    except InputError as error:
        return str(error)


KEPT = {"name", "experiment", "function", "on_generation", "hydra", "debug", "workers", "force", "figures"}
"""What a file calls itself, and what does not decide a run."""


def _with_other_defaults(conf):
    """Change every default in a folder of configs, to values that need not fit: a study asks for none of them."""
    choices = {
        group: sorted(path.stem for path in (conf / group).glob("*.yaml") if path.stem != "custom") for group in GROUPS
    }
    for path in (path for folder in ("", "experiment", *GROUPS) for path in (conf / folder).glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        read = yaml.safe_load(text)
        defaults = {"defaults": [_other_choice(one, choices) for one in read["defaults"]]} if "defaults" in read else {}
        changed = {key: value if key in KEPT else _other(value) for key, value in read.items()} | defaults
        package = "# @package _global_\n" if text.startswith("# @package _global_") else ""
        path.write_text(package + yaml.safe_dump(changed, sort_keys=False), encoding="utf-8")


def _other_choice(line, choices):
    """A line of a defaults list with the next choice of its group."""
    if not isinstance(line, dict):
        return line
    ((key, name),) = line.items()
    names = choices.get(key.removeprefix("override /"))
    return {key: names[names.index(name) - 1]} if names else line


def _other(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 2 if isinstance(value, int) else 0.5 * value + 0.25  # chances stay below 1
    if isinstance(value, str):
        return re.sub(r"\d+", lambda n: str(int(n[0]) + 2), value) if "${" in value else f"other_{value}"
    if isinstance(value, list):
        return [_other(one) for one in value] or [3]
    return 3 if value is None else value  # an empty mapping stays: what an operator does then, it says itself


@pytest.fixture(scope="module")
def changed_conf(tmp_path_factory):
    """A copy of conf/ with other defaults."""
    folder = tmp_path_factory.mktemp("changed") / "conf"
    shutil.copytree(conf_folder(), folder)
    _with_other_defaults(folder)
    return folder


@pytest.fixture
def other_defaults(changed_conf, monkeypatch):
    """The package with other defaults in conf/, from when the function is called."""
    caches = (compose.loading, compose._packaged, compose._packaged_base)

    def change():
        monkeypatch.setattr(compose, "conf_folder", lambda: changed_conf)
        for cache in caches:
            cache.cache_clear()

    yield change
    for cache in caches:
        cache.cache_clear()


@pytest.mark.parametrize("every", [pytest.param(15, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)])
@pytest.mark.parametrize("study", STUDIES)
def test_no_default_of_the_package_moves_a_study(study, every, other_defaults):
    words = dict([*words_of(study).items()][::every])
    before = hashes_of(words)
    assert all(re.fullmatch("[0-9a-f]{64}", found) for found in before.values())
    other_defaults()
    assert hashes_of(words) == before


def test_the_other_defaults_are_other_values(other_defaults):
    default = compose.Composer()(["experiment=cube_random"]).values
    other_defaults()
    changed = compose.Composer()(["experiment=cube_random"]).values
    assert {key for key, value in changed.items() if value == default[key]} <= KEPT


def test_every_study_that_evolves_states_its_settings():
    evolve = {
        path.parent.name
        for name in study_names()
        for path in (experiments_folder() / name).glob("*.py")
        if any(call in path.read_text(encoding="utf-8") for call in RUN_BY_CODE)
    }
    stated = {name for name in STUDIES if "stated:" in (experiments_folder() / name / "settings.yaml").read_text()}
    assert evolve == stated == {*STUDIES}


NO, YES = exact(0.5, 0.4, 2), exact(0.3, 0.3, 2)


def test_a_published_number_agrees_if_it_lies_in_the_band_or_beside_it_by_its_precision():
    ours = np.linspace(0.1, 0.2, 101)
    figures = [sampled(published, ours, precision=0.01) for published in (0.09, 0.096, 0.15, 0.204, 0.21)]
    assert [figure.agrees for figure in figures] == [False, True, True, True, False]
    assert np.allclose([figures[0].low, figures[0].value, figures[0].high], [0.105, 0.15, 0.195])


def test_few_runs_judge_nothing():
    """Three runs of the very law of the published one are no band of 90 % of it."""
    few, enough = (sampled(0.15, np.linspace(0.1, 0.2, n)) for n in (19, 20))
    assert (few.agrees, enough.agrees) == (None, True)
    text = as_markdown([Row("t", "w", 0.15, few, "off"), Row("t", "v", 0.5, NO, "off")])
    assert "| too few runs |" in text
    assert text.splitlines()[-1] == "| all | 2 | too few runs, 20 are needed |  |"


def test_an_exact_number_agrees_if_it_is_printed_alike():
    assert exact(0.5347, 0.534698, 4).agrees
    assert not exact(0.5348, 0.534698, 4).agrees


def test_a_remark_is_said_where_the_texts_rules_do_not_agree_and_numbered_once(tmp_path):
    rows = [Row("t", "w", 0.5, NO, "off"), Row("t", "v", 0.5, NO, "off"), Row("t", "u", 0.3, YES, "not said")]
    text = as_markdown(rows)
    assert text.count("no [1]") == 2
    assert text.count("[1] off") == 1
    assert "not said" not in text
    assert "| t | u | 0.3 | 0.3000, exact | yes |" in text
    write_table(tmp_path, "table", rows)
    read = list(csv.reader((tmp_path / "table.csv").open()))
    assert tuple(read[0]) == (*HEADER, "remark")
    assert read[1][4:] == ["", "", "False", "off"]
    assert read[3][6:] == ["True", ""]


def test_readings_have_columns_of_their_own_and_are_counted_where_they_bear(tmp_path):
    rows = [
        Row("t", "w", 0.5, NO, "off", {"a": YES}),
        Row("t", "v", 0.5, NO, "off", {"a": NO, "b": YES}),
        Row("t", "u", 0.3, YES),
    ]
    lines = as_markdown(rows).splitlines()
    assert lines[0].endswith("| agrees? | a | b |")
    assert lines[2].endswith("| no [1] | 0.3000, exact: yes |  |")
    assert lines[3].endswith("| 0.4000, exact: no | 0.3000, exact: yes |")
    assert lines[-3:] == ["| all | 3 | 1 |  |", "| a | 2 | 0 | 1 |", "| b | 1 | 0 | 1 |"]
    write_table(tmp_path, "table", rows)
    read = list(csv.DictReader((tmp_path / "table.csv").open()))
    assert [row["a: agrees"] for row in read] == ["True", "False", ""]
    assert [row["b: ours"] for row in read] == ["", "0.3", ""]


def test_a_section_is_written_in_place_of_the_one_of_its_name_and_no_other_changes(tmp_path):
    assert read_sections(tmp_path) == {}
    first, second = "| a |\n|---|\n\n### Part\n\n| 1 |\n", "| b |\n"
    write_section(tmp_path, "b_2", second)
    write_section(tmp_path, "a", "old\n")
    write_section(tmp_path, "a", first)
    assert read_sections(tmp_path) == {"a": first, "b_2": second}
    assert (tmp_path / "tables.md").read_text() == f"## a\n\n{first}\n## b_2\n\n{second}"
    assert [path.name for path in tmp_path.iterdir()] == ["tables.md"]


def figures(*values):
    return dict(enumerate(values))


def test_no_interval_of_a_difference_is_wider_than_figures_can_differ():
    a, b = figures(0.10, 0.35), figures(0.30, 0.20)
    (free,), (cut,) = answers([Question("a", "b", a, b)]), answers([Question("a", "b", a, b)], WINS)
    assert free.low < -0.5 < 0.5 < free.high
    assert (cut.low, cut.high, cut.better) == (None, None, None)  # it would contain every possible difference
    (cut,) = answers([Question("a", "b", figures(0.3, 0.45), figures(0.1, 0.2))], WINS)
    assert (cut.high, cut.better) == (0.5, None)


def test_answers_are_named_and_those_without_a_common_seed_left_out():
    noise = np.random.default_rng(1).normal(0, 0.001, 12)
    a, b = dict(enumerate(0.3 + noise)), dict(enumerate([0.2] * 12))
    compared = answers(
        [Question("new", "old", a, b), Question("x", "y", {1: 0.5}, {2: 0.5}), Question("old", "old", b, b)]
    )
    assert [(answer.a, answer.b, answer.better) for answer in compared] == [("new", "old", "new"), ("old", "old", None)]
    assert compared[0].difference == pytest.approx(0.1, abs=0.002)
    text = comparisons_table(compared)
    assert "| new | old | 12 | +0.1" in text
    assert text.splitlines()[2].endswith("| A |")
    assert text.splitlines()[3].endswith("| open |")


@pytest.mark.parametrize("seeds", [5, 30])
def test_the_detectable_effect_is_found_four_times_in_five(seeds):
    draws = np.random.default_rng(2).normal(detectable(seeds), 1, (5000, seeds))
    assert np.mean([mean_p(draw) <= 0.05 for draw in draws]) == pytest.approx(0.8, abs=0.025)


METRICS = {"evaluations": np.array([0, 100, 1000]), "best": np.array([0.2, 0.4, 0.45])}
STOPPED = {name: column[:2] for name, column in METRICS.items()}


def test_a_curve_is_the_last_record_at_or_before_each_amount():
    data = spent_data([METRICS, STOPPED])
    for amount, best in zip(data.x, data.best.T, strict=True):
        before = METRICS["best"][METRICS["evaluations"] <= amount * (1 + 1e-9)]
        assert best[0] == before[-1]
    assert data.best[1, -1] == STOPPED["best"][-1]
    assert len(plot_spent({"mine": data}).lines) == 1


def test_nothing_spent_is_drawn_too():
    first = {name: column[:1] for name, column in METRICS.items()}
    assert len(plot_spent({"mine": spent_data([first])}).figure.axes) == 1


def test_each_curve_stands_beside_the_first_one_the_worst_of_the_others_first():
    x = np.array([1.0, 10.0])
    curves = {name: Spent(x, np.array([[0.1, end]])) for name, end in
              (("whole", 0.45), ("good", 0.44), ("bad", 0.2), ("same", 0.45))}  # fmt: skip
    panels = plot_beside(curves)
    assert [ax.get_title() for ax in panels] == ["bad", "good", "same"]
    for ax, end in zip(panels, (0.2, 0.44, 0.45), strict=True):
        whole, own = ax.lines
        assert (whole.get_ydata()[-1], own.get_ydata()[-1]) == pytest.approx((0.05, 0.5 - end))
        assert whole.get_linestyle() != own.get_linestyle()


def tick_labels(axes):
    axes.figure.draw_without_rendering()
    return {label.get_text() for axis in (axes.xaxis, axes.yaxis) for label in axis.get_ticklabels(which="both")}


def test_numbers_along_logarithmic_axes_are_no_formulas():
    """Names may have dollars, so that no text is read as a formula."""
    x, gap = np.geomspace(100, 1000, 20), np.geomspace(0.2, 0.013, 20)
    labels = tick_labels(plot_spent({"one": Spent(x, np.tile(0.5 - gap, (3, 1)))}))
    assert {"0.1", "0.02", "100", "1,000"} <= labels
    assert not any("$" in label for label in labels)


SPENT = [np.array([0, 10, 100]), np.array([0, 20, 100]), np.array([0, 100])]
LOSSES = [np.array([0.3, 0.2, 0.1]), np.array([0.3, 0.1, 0.0]), np.array([0.3, 0.2])]


def test_at_any_time_the_last_record_counts():
    data = anytime_data(SPENT, LOSSES)
    assert (data.x[0], data.x[-1], data.runs) == (1, pytest.approx(100), 3)
    for x, median in zip(data.x, data.median, strict=True):
        now = [loss[np.maximum(spent, 1) <= x * (1 + 1e-9)][-1] for spent, loss in zip(SPENT, LOSSES, strict=True)]
        assert median == np.median(now)
    assert (data.low[-1], data.high[-1]) == pytest.approx((0.05, 0.15))  # the middle half of the trials


def test_shares_of_targets_hit_are_counted():
    hit = np.array([[0.01, 0.1, np.inf, np.inf], [0.01, 1.0, 1.0, np.inf]])
    data = ecdf_data(hit, np.array([[0, 1], [0, 0], [1, 1]]))
    assert data.median.tolist() == [(hit <= x * (1 + 1e-9)).mean() for x in data.x]
    assert data.median[-1] == 5 / 8
    assert (data.low[-1], data.high[-1]) == pytest.approx((0.5, 0.75), abs=0.01)
    none = ecdf_data(np.full((3, 2), np.inf), np.array([[0, 1, 2]]))
    assert none.median.tolist() == [0] * len(none.x)


def test_the_optimum_itself_has_a_place_on_the_logarithmic_scale():
    axes = plot_anytime({"best": anytime_data([np.array([0, 9])], [np.array([0.1, 0.0])])}, "games")
    assert axes.lines[0].get_ydata()[-1] == SMALLEST_LOSS
    assert axes.get_xlabel() == "games spent"
    labels = tick_labels(axes)
    assert {"1", "0.01", "0.000001"} <= labels
    assert not any("$" in label for label in labels)


def test_tints_are_drawn_where_few_curves_are():
    curve = anytime_data(SPENT, LOSSES)
    for count in (3, 7):
        axes = plot_ecdf({f"a{n}": curve for n in range(count)})
        drawn = [line for line in axes.lines if len(line.get_xdata()) > 2]  # without the samples before names
        assert len(drawn) == count
        assert len(axes.collections) == (count if count == 3 else 0)
        assert ("tint" in axes.get_title(loc="left")) == (count == 3)
