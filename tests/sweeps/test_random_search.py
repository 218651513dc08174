"""Random search beside the settings of a sweep: a draw for each seed, in tables, rankings, curves and comparisons."""

import csv
import io
import json
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.colors import to_hex

import pigevo
from pigevo.cli import main
from pigevo.cli.commands.report import describe
from pigevo.core.intervals import mean_interval
from pigevo.sweeps import Job
from pigevo.sweeps.curves import panels_of
from pigevo.sweeps.record import WHOLE
from pigevo.sweeps.report import _answer, ranking_of, report, title_of, verdicts
from pigevo.sweeps.run_sweep import drive
from pigevo.web.drawing import page_colour
from pigevo.web.html import minus
from pigevo.web.report.sweep import _ranking
from tests.small import done_here, small_settings
from tests.sweeps.cases import two_rates

SEEDS = range(3)
RATES = (0, 0.3)
WORDS = ("game.target=30", "cubes=waves", "cubes.sizes=[4,2]", "cubes.generations=[2,4]", "baseline=random_search",
         "baseline.populations=2")  # fmt: skip


@pytest.fixture(scope="module")
def compared(tmp_path_factory, samples):
    """Two rates with three seeds each, on cubes of 4 and then of 2, beside random search."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(samples))
        return two_rates(tmp_path_factory.mktemp("outputs"), 3, *WORDS)


@pytest.fixture
def sweep(compared):
    return pigevo.load_sweep(compared)


def by_record(sweep, cubes):
    """What the runs' own records say, by seed, each once."""
    by_seed = {}
    for member, run in sweep.runs.items():
        (search,) = (search for search in run.result["baseline"]["random_search"] if search["cubes"] == cubes)
        assert search["seed"] == member.seed
        by_seed.setdefault(member.seed, set()).add(search["by_matches"])
    assert all(len(values) == 1 for values in by_seed.values())  # the rates share a search, the seeds do not
    return {seed: values.pop() for seed, values in by_seed.items()}


@pytest.mark.parametrize("sign", [1, -1])
def test_a_setting_and_a_random_search_have_one_colour_in_all_figures_whatever_the_ranking(sweep, monkeypatch, sign):
    figures = {}
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda path, figure: figures.update({path.stem: figure}))
    for module in ("report", "curves"):
        monkeypatch.setattr(f"pigevo.sweeps.{module}.is_ordered", lambda _: False)
    ranking = sorted(ranking_of(sweep, "champion"), key=lambda ranked: sign * ranked.mean)
    monkeypatch.setattr("pigevo.sweeps.report.ranking_of", lambda *_: ranking)
    dots = re.findall("<svg.*?</svg>", "".join(map(str, _ranking(report(sweep)))))
    of_curves = {line.get_label(): to_hex(line.get_color()) for line in figures["mean"].axes[0].get_lines()}
    rows = figures["hand_in"].axes[1]
    names = [label.get_text() for label in rows.get_yticklabels()]
    assert len(names) == len(RATES) + 2
    for row, (name, dot) in enumerate(zip(names, dots, strict=True)):
        (mean,) = (line for line in rows.get_lines() if line.get_marker() == "|" and line.get_ydata()[0] == row)
        (color,) = {color for label, color in of_curves.items() if f"{label},".startswith(f"{name},")}
        assert to_hex(mean.get_color()) == color
        assert page_colour(color) in dot


def test_each_seed_has_a_draw_and_each_search_its_rows(sweep):
    results, table = sweep.results(), sweep.table()
    for cubes in ("4", "2"):
        values, name = by_record(sweep, cubes), f"random_search,cubes={cubes}"
        assert len(set(values.values())) == len(SEEDS)
        rows = results["setting"] == name
        assert dict(zip(results["seed"][rows].tolist(), results["champion"][rows].tolist(), strict=True)) == values
        assert set(results["run"][rows].tolist()) == {""}
        assert np.isnan(results["last_mean"][rows]).all()
        assert np.isnan(results["mutation"][rows]).all()
        long = (table["setting"] == name) & (table["metric"] == "champion")
        assert sorted(table["value"][long].tolist()) == sorted(values.values())
    assert results["mutation"][: len(sweep.runs)].tolist() == [0.0] * 3 + [0.3] * 3
    assert not {"random_search_mean", "random_search_best"} & set(table["metric"].tolist())


def test_it_stands_in_the_ranking_with_its_interval(sweep, compared, monkeypatch, capsys):
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    made = report(sweep)
    assert len(made.ranking) == 4
    assert [ranked.setting for ranked in made.settings] == [
        ranked.setting for ranked in made.ranking if "mutation" in ranked.setting
    ]
    for ranked in made.ranking:
        if "random_search" in ranked.setting:
            values = np.array([*by_record(sweep, ranked.setting.partition("=")[2]).values()])
            assert (ranked.runs, ranked.mean) == (3, pytest.approx(values.mean()))
            assert (ranked.low, ranked.high) == mean_interval(values, 1 - 0.05 / 4, sweep.attainable)
    text, printed = " ".join(verdicts(made)), describe(made).splitlines()
    for size in (4, 2):
        assert any(line.startswith(f"  random search, cubes of {size}  ") for line in printed)
        assert f"Random search, cubes of {size} (chosen by the same matches out of " in text
    by_mean = report(sweep, "last_mean")
    assert by_mean.searches == {}
    assert len(by_mean.ranking) == 2


@pytest.mark.parametrize(
    ("better", "sentence"),
    [
        ((), "None of the 3 settings is shown to beat random search, cubes of 20."),
        (("m=1",), "m=1 beats random search, cubes of 20; no other setting is shown to."),
        (("m=1", "m=2"), "m=1 and 2 beat random search, cubes of 20; no other setting is shown to."),
        (("m=1", "m=2", "m=3"), "All 3 settings beat random search, cubes of 20."),
    ],
)
def test_the_answer_says_which_settings_beat_the_best_random_search(better, sentence):
    """Of two searches the one with the larger mean counts."""
    high, low = "random_search,cubes=20", "random_search,cubes=5"
    against = [
        SimpleNamespace(a=high, b=name, better=name if name in better else None) for name in ("m=1", "m=2", "m=3")
    ]
    searches = {low: [], high: against}
    ranking = [SimpleNamespace(setting=name) for name in ("m=1", high, "m=2", low, "m=3")]
    assert _answer(SimpleNamespace(ranking=ranking, searches=searches)) == [sentence]


def test_a_single_setting_is_called_by_its_name():
    pair = SimpleNamespace(a="random_search", b="", better="random_search")
    ranking = [SimpleNamespace(setting=name) for name in ("random_search", "")]
    made = SimpleNamespace(ranking=ranking, searches={"random_search": [pair]})
    assert _answer(made) == [f"{WHOLE.capitalize()} is not shown to beat random search."]


def test_the_ranking_as_a_table_to_hand_in(compared, capsys):
    run = compared.parent.parent / "default" / "0-0"
    for form, begins in (
        ("markdown", "| mutation | seeds |"),
        ("latex", r"\begin{tabular}{lrrrrr}"),
        ("csv", "mutation,seeds,"),
    ):
        assert main(["report", str(compared), "--table", form]) == 0
        output = capsys.readouterr().out
        assert output.startswith(begins)
        assert "random search, cubes of 4" in output
        assert main(["report", str(run), "--table", form]) == 2
        assert "is a run" in capsys.readouterr().err
    rows = [*csv.reader(io.StringIO(output))]
    assert rows[0] == ["mutation", "seeds", "mean", "low", "high", "standard deviation"]
    assert {row[0] for row in rows[1:]} == {"0", "0.3", "random search, cubes of 4", "random search, cubes of 2"}
    assert not (compared / "report.html").exists()


@pytest.mark.parametrize(
    "words", ["--axis games", "--html page.html", "--film", "--no-film", "--figures pdf", "--json"]
)
def test_an_option_without_effect_on_the_table_is_refused(compared, capsys, words):
    assert main(["report", str(compared), "--table", "csv", *words.split()]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert f"--table prints the ranking and writes nothing: {words.split()[0]} has no effect" in output.err


def test_compare_takes_random_search_as_a_setting(compared, capsys):
    def pairs(*settings):
        assert main(["compare", str(compared), *settings, "--json"]) == 0
        return {(pair["a"], pair["b"]): pair["seeds"] for pair in json.loads(capsys.readouterr().out)["compared"]}

    assert set(pairs("random_search")) == {
        (f"random_search,cubes={size}", f"mutation={rate}") for size in (4, 2) for rate in RATES
    }
    assert pairs("random_search,cubes=4", "mutation=0") == {("random_search,cubes=4", "mutation=0"): 3}
    assert [set(pair) for pair in pairs()] == [{"mutation=0", "mutation=0.3"}]
    assert main(["compare", str(compared), "random_search", "mutation=0"]) == 2
    assert "more than one setting" in capsys.readouterr().err


def test_the_report_and_compare_give_the_same_intervals(sweep, compared, monkeypatch):
    """All comparisons with random search are corrected together, whichever command makes them."""
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    made, alone = report(sweep), pigevo.compare(sweep, "random_search")
    assert [pair for pairs in made.searches.values() for pair in pairs] == alone.compared
    assert alone.correction.startswith("4 comparisons")
    page = "".join(map(str, _ranking(made)))
    for pair in alone.compared:
        ends = "undetermined" if pair.low is None else minus(f"{pair.low:+.4f} to {pair.high:+.4f}")
        assert f">{ends}</td>" in page
        assert f">{pair.corrected:.2g}</td>" in page
    assert f"against random search for {alone.correction}" in page


def test_its_line_in_the_curves_is_not_that_of_random_populations(sweep):
    (panel,) = panels_of(sweep, "mean", "generation", 0.9)
    tried = sweep.searches[0].strategies
    lines = {f"random search, cubes of {size}, best of {tried:,}": size for size in ("4", "2")}
    assert set(panel.searches) == set(lines)
    for name, size in lines.items():
        assert panel.searches[name] == pytest.approx(np.mean([*by_record(sweep, size).values()]))
    assert list(panel.random) == ["random populations, cubes of 4 (95 %)"]
    (panel,) = panels_of(sweep, "diversity", "generation", 0.9)
    assert not panel.searches


def test_settings_with_other_budgets_have_searches_of_their_own(tmp_path):
    words = ("baseline=random_search", "baseline.populations=2")
    jobs = [Job(small_settings(*words, f"population.size={size}"), tmp_path / str(size)) for size in (4, 8)]
    loaded = pigevo.load_sweep(drive(jobs, ["population.size=4,8"], tmp_path / "sweeps", done_here))
    assert {search.setting for search in loaded.searches} == {
        f"random_search,population.size={size}" for size in (4, 8)
    }
    assert len({search.strategies for search in loaded.searches}) == 2
    (panel,) = panels_of(loaded, "mean", "generation", 0.9)
    assert len(panel.searches) == 2


def test_a_record_whose_search_was_the_same_for_every_seed_counts_once(sweep):
    for run in sweep.runs.values():
        for search in run.result["baseline"]["random_search"]:
            del search["seed"]
            search["by_matches"] = 0.25
    assert {(search.seed, search.champion) for search in sweep.searches} == {(0, 0.25)}
    assert len(sweep.searches) == 2


def test_panels_and_bands_stand_in_the_order_of_their_values(sweep):
    members = [replace(member, setting=str(n)) for n, member in enumerate(sweep.members[:4])]
    rates = dict(zip("0123", ("0.1", "0.01", "1e-3", "0.05"), strict=True))
    mixed = replace(sweep, members=tuple(members), swept=("mutation",))
    mixed.__dict__["words"] = {setting: {"mutation": rate, "experiment": ""} for setting, rate in rates.items()}
    mixed.__dict__["runs"] = dict(zip(members, sweep.runs.values(), strict=False))
    (panel,) = panels_of(mixed, "diversity", "generation", 0.9)
    assert list(panel.bands) == [f"mutation={rate}" for rate in ("1e-3", "0.01", "0.05", "0.1")]


@pytest.mark.parametrize(
    ("setting", "title"),
    [
        ("random_search", "random search"),
        ("random_search,cubes=1", "random search, single cells"),
        ("random_search,cubes=10", "random search, cubes of 10"),
        ("random_search,cubes=20,fitness=exact", "random search, cubes of 20, fitness=exact"),
        ("mutation=0.01", "mutation=0.01"),
    ],
)
def test_random_search_is_called_by_its_cubes(setting, title):
    assert title_of(setting) == title
