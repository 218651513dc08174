"""Budget, illumination, lineage, mutation by cube size, structure and tuning: each small, its tables and README's claims."""

import csv
import itertools
import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
from omegaconf import OmegaConf

import pigevo
from experiments.common.tests.prose import Rows, cells_of, numbers, readme_and_tables
from pigevo.compiled.kernel import cache_folder
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.operators import Context
from pigevo.exact import turn_starts
from pigevo.experiments import experiments_folder, load_study
from pigevo.experiments.common import settings as study_settings
from pigevo.experiments.common.tables import read_sections
from pigevo.experiments.mutation_by_cube_size import tables as MUTATION
from pigevo.settings.schema import conf_folder
from pigevo.settings.settings import Settings
from pigevo.sweeps import Job
from pigevo.sweeps.run_sweep import drive
from pigevo.sweeps.tuning import search_space
from tests.small import done_here, shorter, small_words

ILLUMINATION_STUDY = load_study("illumination")


def test_all_that_a_run_of_map_elites_evaluates_makes_the_map_that_it_hands_over():
    words = ("experiment=illuminate", "debug=fast", "game.target=12", "cubes.sizes=[6,2]", "figures=none", "workers=1")
    whole = ILLUMINATION_STUDY.watched(pigevo.generations(*words))
    run = pigevo.evolve(*words)
    assert Settings.of(*words).plan.selection.cells == ILLUMINATION_STUDY.MAP.cells
    assert np.array_equal(whole.wins, run.elite_map.table, equal_nan=True)
    assert whole.evaluations == run.result["evaluations"]
    assert whole.figures["qd_score"] == run.elite_map.qd_score


@pytest.mark.slow
def test_illumination_writes_its_tables_and_goes_on(monkeypatch, tmp_path):
    monkeypatch.setattr(ILLUMINATION_STUDY, "BUDGET", 450)
    monkeypatch.setattr(ILLUMINATION_STUDY, "TARGET", 40)
    ILLUMINATION_STUDY.run(tmp_path, 2, 1)
    names = {path.name for path in tmp_path.iterdir() if path.is_file()}
    tables = "runs.csv tables.md cells.csv map.png visited.png"
    assert names == set(tables.split())
    assert list(read_sections(tmp_path)) == ["landscape", "rarely", "table", "visited"]
    rows = list(csv.DictReader((tmp_path / "runs.csv").open()))
    assert [row["experiment"] for row in rows] == ["illuminate"] * 2 + ["rediscover"] * 2 + ["visited"] * 2
    assert all(int(row["evaluations"]) >= 450 for row in rows)
    cells = list(csv.DictReader((tmp_path / "cells.csv").open()))
    for name in ("illuminate", "rediscover"):
        assert sum(int(row[f"{name} runs"]) for row in cells) == sum(
            int(row["cells"]) for row in rows if row["experiment"] == name
        )
        best = max(float(row["best"]) for row in rows if row["experiment"] == name)
        assert max(float(row[f"{name} best"] or 0) for row in cells) == best
    monkeypatch.setattr(ILLUMINATION_STUDY, "watched", None)  # what is there is not done again
    before = read_sections(tmp_path)["table"]
    ILLUMINATION_STUDY.run(tmp_path, 2, 1)
    assert read_sections(tmp_path)["table"] == before


LINEAGE_STUDY = load_study("lineage")


@pytest.mark.slow
def test_the_gains_of_each_wave_add_up_to_the_change_of_the_mean(monkeypatch, tmp_path):
    tiny = shorter(LINEAGE_STUDY, "debug=fast game.target=12")
    monkeypatch.setattr(LINEAGE_STUDY, "read_settings", lambda _: tiny)
    LINEAGE_STUDY.run(tmp_path, 2, 2)
    rows = list(csv.DictReader((tmp_path / "runs.csv").open()))
    assert {(row["setting"], int(row["seed"]) - LINEAGE_STUDY.FRESH) for row in rows} == {
        (n, k) for n in tiny["runs"] for k in (0, 1)
    }
    for row in rows:
        assert sum(float(row[name]) for name in LINEAGE_STUDY.OPERATORS) == pytest.approx(
            float(row["change"]), abs=1e-12
        )
    assert read_sections(tmp_path)["table"].count("| games | ") == len({row["cubes"] for row in rows})
    assert read_sections(tmp_path)["champions"].count("| 2 | ") == len(tiny["runs"])


def test_the_earlier_champion_is_counted_where_it_wins_and_half_where_both_do(monkeypatch):
    game = pigevo.Pig(target=12)
    weak, good, best = pigevo.hold_at(game, 1), pigevo.hold_at(game, 6), pigevo.optimal(game).strategy
    met = iter([good, weak, best, best])

    def of_a_run(*words):
        assert words[-2:] == ("seed=7", "baseline=none")
        for number in range(26):
            plan = SimpleNamespace(wave_ends={3, 5, 25})
            champion = next(met) if number in (10, 15, 20, 25) else None
            yield SimpleNamespace(number=number, plan=plan, champion=champion)

    monkeypatch.setattr(pigevo, "generations", of_a_run)
    found = LINEAGE_STUDY.Champions({"games": "mutation=0.1"})(("games", 7))
    assert found == {"champions": 4, "earlier": 1.5 / 6}


def test_the_table_of_champions_is_that_of_the_runs():
    path = LINEAGE_STUDY.HERE / "champions.csv"
    keys = [(row["setting"], row["seed"]) for row in csv.DictReader(path.open())]
    assert keys == [(name, str(LINEAGE_STUDY.FRESH + k)) for k in range(30) for name in ("games", "exact")]
    rows = LINEAGE_STUDY.kept(path, LINEAGE_STUDY.KEY, keys, pytest.fail)
    assert LINEAGE_STUDY.champions_table(rows) == read_sections(LINEAGE_STUDY.HERE)["champions"]


STRUCTURE_STUDY = load_study("structure")
STRUCTURE_WORDS = study_settings.read_settings(STRUCTURE_STUDY.HERE / "settings.yaml")


@pytest.mark.parametrize("luck", STRUCTURE_WORDS)
def test_all_three_have_the_same_matches(luck):
    met = {}
    for name, words in STRUCTURE_WORDS[luck].items():
        plan = Settings.of(*words.split(), "workers=1").plan
        count = plan.islands.count
        pairs = plan.selection.pairs(plan.size // count, Context(Draw(1, "selection"), plan.waves[0].grid))
        met[name] = (count * len(pairs), plan.fitness.plays, plan.size, plan.generations, plan.rate)
    assert len(set(map(repr, met.values()))) == 1
    assert met["cellular"][0] == 324


@pytest.mark.slow
def test_structure_writes_its_tables(monkeypatch, tmp_path):
    tiny = shorter(STRUCTURE_STUDY, "debug=fast game.target=12", ("cubes.generations=", "game.", "record_every="))
    monkeypatch.setattr(STRUCTURE_STUDY, "read_settings", lambda _: tiny)
    STRUCTURE_STUDY.run(tmp_path, 2, 2)
    rows = list(csv.DictReader((tmp_path / "runs.csv").open()))
    assert [(row["luck"], row["population"]) for row in rows[::2]] == [
        (luck, name) for luck, part in STRUCTURE_WORDS.items() for name in part
    ]
    assert {row["seed"] for row in rows} == {str(STRUCTURE_STUDY.FRESH), str(STRUCTURE_STUDY.FRESH + 1)}
    assert all(0 < float(row["mean"]) < float(row["champion"]) + 0.2 < 0.8 for row in rows)
    table = read_sections(tmp_path)["table"]
    assert table.count("| cellular, ") == 3 + 6
    ends = [abs(float(end)) for pair in re.findall(r"\(([-+.\d]+) to ([-+.\d]+)\)", table) for end in pair]
    assert ends
    assert max(ends) <= 1  # no win probability, no diversity and no difference of two can be larger
    assert "| islands, exact, champion | panmixia, exact, champion | 2 |" in table


TUNING_STUDY = load_study("tuning")
PAPER_VALUES = {
    "mutation": "0.005",
    "population.size": "20",
    "fitness.games": "100",
    "cubes.sizes": "[20,10,5]",
    "replacement": "offspring",
}


def spent(words):
    """The games of a run by its plan: those of all generations, and those that name the champion."""
    plan = Settings.of(*TUNING_STUDY.WORDS, *words, "workers=1").plan
    return plan.fitness.games * (plan.generations * plan.size // 2 + plan.champion_matches)


def test_the_papers_own_settings_have_their_own_generations():
    assert TUNING_STUDY.at_budget(PAPER_VALUES)[-1] == "cubes.generations=100"
    assert spent(TUNING_STUDY.at_budget(PAPER_VALUES)) == TUNING_STUDY.BUDGET
    for words in TUNING_STUDY.PAPER.values():
        assert spent([words]) == TUNING_STUDY.BUDGET


@pytest.mark.parametrize(
    "changed",
    [{"population.size": "60", "fitness.games": "20"}, {"population.size": "10", "fitness.games": "400"},
     {"cubes.sizes": "[10]", "fitness.games": "33"}, {"population.size": "38", "cubes.sizes": "[20,10]"}],
)  # fmt: skip
def test_no_proposal_spends_more_and_none_much_less(changed):
    values = PAPER_VALUES | changed
    games = spent(TUNING_STUDY.at_budget(values))
    a_generation = 3 * int(values["population.size"]) // 2 * int(values["fitness.games"])
    assert TUNING_STUDY.BUDGET - a_generation < games <= TUNING_STUDY.BUDGET


def test_what_leaves_no_generation_is_refused():
    with pytest.raises(InputError, match="leave no generation in 319,000 games"):
        TUNING_STUDY.at_budget(PAPER_VALUES | {"population.size": "60", "fitness.games": "180"})


def test_the_papers_settings_are_among_those_that_are_searched():
    space = {option.key: option.distribution for option in search_space(TUNING_STUDY.SEARCHED)[1]}
    for key, value in PAPER_VALUES.items():
        assert space[key]._contains(space[key].to_internal_repr(type(getattr(space[key], "low", ""))(value)))


@pytest.mark.slow
def test_tuning_writes_its_tables(monkeypatch, tmp_path):
    monkeypatch.setattr(TUNING_STUDY, "BUDGET", 6_000)
    monkeypatch.setattr(TUNING_STUDY, "WORDS", (*TUNING_STUDY.WORDS, "debug=fast", "game.target=20"))
    monkeypatch.setattr(TUNING_STUDY, "with_stated", lambda words, _: [*words])
    monkeypatch.setattr(TUNING_STUDY, "RUNS", 120)
    monkeypatch.setattr(TUNING_STUDY, "SEARCHED", ("mutation=0..0.1", "population.size=4..8:2", "fitness.games=2..4",
                                            "cubes.sizes=[10],[5]", "replacement=offspring"))  # fmt: skip
    TUNING_STUDY.run(tmp_path, 2, 2)
    table = read_sections(tmp_path)["table"]
    assert table.count("| tuned | ") == 1 + 4
    assert "| random search | 2 | " in table
    assert len(list(csv.DictReader((tmp_path / "proposals.csv").open()))) == 2


class Study:
    """The README, the tables and the rows of files of a study."""

    def __init__(self, name):
        self.place = experiments_folder() / name
        readme, tables = readme_and_tables(name)
        self.prose, self.tables = " ".join(readme.split()), "\n".join(tables.values())

    def rows(self, name="runs.csv", **values):
        """The rows of a file that have these values."""
        with (self.place / name).open() as file:
            return [row for row in csv.DictReader(file) if values.items() <= row.items()]


ILLUMINATION, LINEAGE, STRUCTURE, TUNING = map(Study, ("illumination", "lineage", "structure", "tuning"))


def test_illumination_has_both_experiments_with_thirty_seeds_and_the_same_budget():
    for name in ("illuminate", "rediscover"):
        assert [int(row["seed"]) for row in ILLUMINATION.rows(experiment=name)] == list(range(6000, 6030))
        assert all(3000 <= int(row["evaluations"]) < 3300 for row in ILLUMINATION.rows(experiment=name))


def test_the_verdicts_of_illumination_are_those_of_the_tables():
    ours, theirs = (ILLUMINATION.rows(experiment=name) for name in ("illuminate", "rediscover"))
    better = sum(float(a["best"]) > float(b["best"]) for a, b in zip(ours, theirs, strict=True))
    assert f"better with illuminate in {better} of 30 seeds" in ILLUMINATION.tables
    (best,) = re.findall(r"^\| rediscover .*?\(\S+ to (\S+)\) \| [^|]+\|$", ILLUMINATION.tables, re.M)
    assert float(best) <= 0.5
    ratio = next(row for row in ILLUMINATION.tables.splitlines() if row.startswith("| ratio seed by seed |")).split("|")
    low = [float(re.search(r"\(([\d.]+) to", ratio[n])[1]) for n in (2, 4)]
    assert min(low) > 2  # predictions 1 and 2
    assert "1. Holds" in ILLUMINATION.prose
    assert "2. Holds" in ILLUMINATION.prose


def found_in_maps(part, what):
    """What a table of the maps has of something."""
    section = read_sections(ILLUMINATION.place)[part]
    return next(line.strip("| ").split(" | ")[1] for line in section.splitlines() if line.startswith(f"| {what} |"))


def test_the_verdicts_of_illumination_on_its_maps_are_those_of_the_tables():
    ours, theirs = (ILLUMINATION.rows(experiment=name) for name in ("illuminate", "rediscover"))
    assert not any(float(a["best"]) > float(b["best"]) for a, b in zip(ours, theirs, strict=True))  # prediction 3
    assert np.mean([float(row["best"]) for row in ours]) > 0.49
    reached = int(found_in_maps("landscape", "cells that were reached").split()[0])  # predictions 4 and 5
    near, regions = map(int, re.findall(r"\d+", found_in_maps("landscape", "cells within 0.01 of the optimum")))
    assert (regions, near - int(found_in_maps("landscape", "of them in the optimum's region"))) == (2, 1)
    assert 0.3 < near / reached < 1 / 3
    assert "in nearly a third of the cells that were reached" in ILLUMINATION.prose
    column, row = (
        float(found_in_maps("landscape", f"of them in the optimum's {line}").split()[-2]) for line in ("column", "row")
    )
    assert column >= 0.4
    assert row >= 12
    level = "best with a change of 0 (within half a cell)"
    assert (
        min(float(found_in_maps("landscape", what)) for what in (level, "best with a change below that")) > 0.49
    )  # prediction 6
    assert int(found_in_maps("visited", "cells within 0.01 of the optimum").split()[0]) < 42  # prediction 7
    assert float(found_in_maps("visited", level)) > 0.49
    short = sum(float(row["best"]) < 0.49 for row in ILLUMINATION.rows(experiment="visited"))
    assert f"in {short} of 30 runs on the second map even the best loses more than .01" in ILLUMINATION.prose


def test_in_pig_to_100_play_comes_to_a_quarter_of_all_pairs_of_scores():
    shares = []
    for target in (60, 100):
        best = pigevo.optimal(pigevo.Pig(target)).strategy
        shares.append(float((turn_starts(best, best) >= 0.0001).mean()))
    assert (round(shares[0], 3), round(shares[1], 2)) == (0.030, 0.25)
    assert "comes as often to a quarter of all pairs of scores" in ILLUMINATION.prose


def test_the_verdicts_of_lineage_are_those_of_the_table():
    cells = {(row[0], row[1]): row[3:] for row in cells_of(read_sections(LINEAGE.place)["table"]) if len(row) == 7}
    gains = {  # of selection, crossover, mutation, and all: the mean and both ends
        key: [[float(number) for number in re.findall(r"[+-][\d.]+", cell)] for cell in row]
        for key, row in cells.items()
        if key[1].isdigit()
    }
    assert all(gains[luck, "20"][0][1] > -gains[luck, "20"][2][1] for luck in ("games", "exact"))  # prediction 1
    for luck in ("games", "exact"):
        assert -gains[luck, "5"][2][0] - gains[luck, "5"][0][0] > 0.0005
        for size in ("10", "5"):
            assert gains[luck, size][1][1] > -0.0005  # prediction 2
    assert gains["exact", "20"][1][2] < -0.0005 < gains["games", "20"][1][2]
    assert gains["exact", "5"][0][1] > 1.5 * gains["games", "5"][0][2]  # prediction 3
    first, second, third = (gains["games", size][3][0] for size in ("20", "10", "5"))
    assert -(second + third) > first / 2
    earlier = [line for line in LINEAGE.tables.splitlines() if re.match(r"\| (games|exact) \| 30 \| 20 ", line)]
    assert all(float(re.search(r"\(([\d.]+) to", line)[1]) > 0.5 for line in earlier)  # prediction 4
    assert len(earlier) == 2


def test_the_table_of_lineage_is_that_of_thirty_runs_of_each_setting():
    assert len(LINEAGE.rows()) == 2 * 30 * 3
    for setting in ("games", "exact"):
        for cubes in ("20", "10", "5"):
            own = LINEAGE.rows(setting=setting, cubes=cubes)
            assert sorted(int(row["seed"]) for row in own) == list(range(47_000, 47_030))
            (line,) = (one for one in LINEAGE.tables.splitlines() if one.startswith(f"| {setting} | {cubes} | 30 |"))
            means = [
                np.mean([float(row[name]) for row in own]) for name in ("selection", "crossover", "mutation", "change")
            ]
            assert re.findall(r"([+-]\d\.\d{5}) \(", line) == [f"{mean:+.5f}" for mean in means]


def test_the_table_of_structure_is_that_of_the_runs():
    table = STRUCTURE.tables
    assert len(STRUCTURE.rows()) == 270
    for luck in ("one game", "ten games", "exact"):
        own = STRUCTURE.rows(luck=luck.replace(" ", "_"))
        assert {row["games"].removesuffix(".0") for row in own} == {
            "0" if luck == "exact" else "64800" if luck == "one game" else "648000"
        }
        means = {}
        for name in ("panmixia", "cellular", "islands"):
            of = sorted((row for row in own if row["population"] == name), key=lambda row: int(row["seed"]))
            assert [int(row["seed"]) for row in of] == list(range(33_000, 33_030))
            means[name] = np.array([float(row["mean"]) for row in of])
            assert f"| {name}, {luck} | 30 |" in table
            assert f"{means[name].mean():.4f} (" in table
        for name in ("cellular", "islands"):
            apart = (means[name] - means["panmixia"]).mean()
            assert (
                f"| {name}, {luck}, last population | panmixia, {luck}, last population | 30 | {apart:+.4f} (" in table
            )


def test_the_table_of_tuning_is_that_of_the_proposals():
    table, proposals = TUNING.tables, TUNING.rows("proposals.csv")
    done = [row for row in proposals if row["score"]]
    best = max(done, key=lambda row: float(row["score"]))
    assert f"| proposals | {len(proposals)} |" in table
    assert f"| refused | {len(proposals) - len(done)} |" in table
    for key in ("mutation", "population.size", "fitness.games", "cubes.sizes", "replacement"):
        assert f"| {key} | {best[key]} |" in table
    assert f"| mean of the search's seeds | {float(best['score']):.4f} |" in table


def test_the_headline_of_tuning_is_that_of_thirty_fresh_seeds():
    (cells,) = cells_of(TUNING.tables, "tuned | 30")
    assert f"wins {cells[2].split()[0][1:]} against the optimum" in TUNING.prose


BUDGET_STUDY = load_study("budget")
BUDGET_WORDS = study_settings.read_settings(BUDGET_STUDY.HERE / "settings.yaml")
BUDGETS = [part for part in BUDGET_WORDS if not part.startswith("mutation")]


def plans_of(part):
    return {name: Settings.of(*words.split(), "workers=1").plan for name, words in BUDGET_WORDS[part].items()}


def said(part, name):
    """The values of a setting by key."""
    return dict(word.split("=", 1) for word in BUDGET_WORDS[part][name].split())


@pytest.mark.parametrize("part", BUDGETS)
def test_one_factor_is_doubled_at_equal_games(part):
    plans = plans_of(part)
    assert [*plans] == ["generations", "population", "games"]
    base = {"population": plans["games"].size, "games": plans["population"].fitness.games}
    assert plans["generations"].size == base["population"]
    assert plans["generations"].fitness.games == base["games"]
    assert plans["population"].size == 2 * base["population"]
    assert plans["games"].fitness.games == 2 * base["games"]
    for plan in plans.values():
        meetings = plan.champion_matches if part.startswith("paper") else plan.size // 2
        games = plan.fitness.games * (plan.generations * plan.size // 2 + meetings)
        assert games == pytest.approx(10.0 ** int(part[-1]), rel=0.005)


@pytest.mark.parametrize("part", [part for part in BUDGETS if part.startswith("twins")])
def test_the_schedules_of_twins_keep_their_shares_of_the_generations(part):
    for name, plan in plans_of(part).items():
        count, values = plan.generations, said(part, name)
        assert [wave.generations / count for wave in plan.waves] == pytest.approx([0.12, 0.28, 0.6], abs=0.01)
        assert int(values["mutator.over"]) == pytest.approx(0.4 * count, abs=1)
        assert int(values["mutator.until"]) == count - 3


@pytest.mark.parametrize("size", BUDGET_STUDY.SIZES)
def test_the_fixed_rate_is_the_best_of_the_grid_of_rates(size):
    path = BUDGET_STUDY.HERE.parent / "mutation_by_cube_size" / "ranking.csv"
    best = next(row for row in csv.DictReader(path.open()) if row["setting"].startswith(f"cubes.sizes=[{size}],"))
    fixed, rising = (said(f"mutation_{size}", name) for name in ("fixed", "rising"))
    assert best["setting"] == f"cubes.sizes=[{size}],mutation={fixed['mutation']}"
    assert (rising["mutation"], rising["mutator.end"]) == ("0", fixed["mutation"])


BUDGET_RUNS = [*csv.DictReader((BUDGET_STUDY.HERE / "runs.csv").open())]
_, BUDGET_TABLES = readme_and_tables("budget")


def test_the_tables_of_the_budget_are_those_of_the_runs():
    for part, settings in BUDGET_WORDS.items():
        section = "mutation" if part.startswith("mutation") else {"8": "large", "9": "largest"}.get(part[-1], "budget")
        for name in settings:
            own = [row for row in BUDGET_RUNS if (row["part"], row["setting"]) == (part, name)]
            count = {"7": 10, "8": 3, "9": 1}.get(part[-1], 20)
            assert [int(row["seed"]) for row in own] == [*range(BUDGET_STUDY.FRESH, BUDGET_STUDY.FRESH + count)]
            figures = np.array([float(row["champion"]) for row in own])
            (cells,) = (
                row for row in cells_of(BUDGET_TABLES[section], BUDGET_STUDY._words(part, name) + " |") if len(row) == 9
            )
            assert cells[1] == str(count)
            assert cells[6].partition(" (")[0] == f"{np.mean(figures):.4f}"
            assert cells[8].partition(" (")[0] == f"{np.mean(-np.log10(0.5 - figures)):.3f}"
            assert [" (" in cell for cell in (cells[6], cells[8])] == [count > 1] * 2  # a single run has no interval


def compared(table, beginning, beside):
    """The ends of the interval of a comparison, and its verdict: A, B or open."""
    (cells,) = cells_of(BUDGET_TABLES[table], f"{beginning} | {beside} |")
    low, high = re.search(r"\((\S+) to (\S+)\)", cells[3]).groups()
    return float(low), float(high), cells[6]


def test_the_verdicts_on_what_is_doubled_are_those_of_the_tables():
    beside = {
        (power, name): compared("budget", f"paper, 10^{power}, generations, champion", name)
        for power in (5, 6, 7)
        for name in ("population", "games")
    }
    assert {verdict for _, _, verdict in beside.values()} == {"B"}  # predictions 1 and 2
    assert {key for key, (_, high, _) in beside.items() if high > -0.05} == {(7, "games")}
    rows = [row for row in cells_of(BUDGET_TABLES["budget"], "twins") if len(row) == 7]
    assert {row[6] for row in rows} == {"open"}  # prediction 3
    for name in ("generations", "population", "games"):  # prediction 4
        assert compared("tenfold", f"paper, 10^6, {name}", "10^5")[1] < 0.1
        assert compared("tenfold", f"twins, 10^6, {name}", "10^5")[2] == "A"
        assert compared("tenfold", f"twins, 10^7, {name}", "10^6")[2] == "A"
    low = {
        name: compared("tenfold", f"twins, 10^6, {name}", "10^5")[0] for name in ("generations", "population", "games")
    }
    assert [name for name, end in low.items() if end < 0.3] == ["generations"]
    high = {name: compared("tenfold", f"twins, 10^7, {name}", "10^6")[1] for name in low}
    assert [name for name, end in high.items() if end < 0.3] == ["generations"]
    assert compared("tenfold", "paper, 10^7, generations", "10^6")[1] > 0.1


def test_with_a_hundred_million_games_nothing_is_decided():
    rows = [row for row in cells_of(BUDGET_TABLES["large"]) if len(row) == 7 and row[2] == "3"]
    assert len(rows) == 18
    assert {row[6] for row in rows} == {"open"}


def test_the_verdicts_on_rates_are_those_of_the_tables():
    for size in BUDGET_STUDY.SIZES:
        assert compared("mutation", f"cubes of {size}, rising, champion", "fixed")[2] == "open"
        assert compared("mutation", f"cubes of {size}, inherited, champion", "fixed")[2] == "open"
        (fifth,) = (
            row for row in cells_of(BUDGET_TABLES["mutation"], f"cubes of {size}, one_fifth |") if len(row) == 7
        )
        assert fifth[3:5] == [f"{0.01 / int(fifth[2]):.2g}"] * 2
        (found,) = (
            row for row in cells_of(BUDGET_TABLES["mutation"], f"cubes of {size}, inherited |") if len(row) == 7
        )
        assert float(found[3]) < float(said(f"mutation_{size}", "fixed")["mutation"])
    assert compared("mutation", "cubes of 20, one_fifth, champion", "fixed")[1] < -0.02


@pytest.mark.slow
def test_the_study_of_the_budget_writes_its_tables(monkeypatch, tmp_path):
    dropped = ("cubes.generations=", "population.size=", "fitness.games=", "mutator.", "record_every=")
    tiny = shorter(BUDGET_STUDY, "debug=fast game.target=40", dropped)
    monkeypatch.setattr(BUDGET_STUDY, "read_settings", lambda _: tiny)
    monkeypatch.setattr(BUDGET_STUDY, "SEEDS", {5: 1, 6: 1, 7: 1, 9: 1 / 2})
    monkeypatch.setattr(BUDGET_STUDY, "TESTED", 6)
    BUDGET_STUDY.run(tmp_path, 2, 2)
    assert "large" not in read_sections(tmp_path)
    BUDGET_STUDY.run_full(tmp_path, 2, 2)
    rows = list(csv.DictReader((tmp_path / "runs.csv").open()))
    spent = {f"{algorithm}_{power}" for algorithm in ("paper", "twins") for power in (5, 6, 7, 9)}
    assert {row["part"] for row in rows} == spent | {f"mutation_{size}" for size in BUDGET_STUDY.SIZES}
    assert {row["seed"] for row in rows} == {str(BUDGET_STUDY.FRESH), str(BUDGET_STUDY.FRESH + 1)}
    tables = read_sections(tmp_path)
    first = [row for row in rows if (row["part"], row["setting"]) == ("paper_5", "games")]
    right = np.mean([-np.log10(max(0.5 - float(row["champion"]), 1e-7)) for row in first])
    assert "| paper, 10^5, games | 2 |" in tables["budget"]
    assert f"{right:.3f} (" in tables["budget"]
    assert tables["budget"].count("| twins, 10^5, generations, champion | population | 2 |") == 1
    assert "10^7" not in tables["budget"] + tables["tenfold"]
    assert tables["large"].count("| twins, 10^7, generations, champion | population | 2 |") == 1
    assert tables["large"].count("| twins, 10^7, games | 10^6 | 2 |") == 1
    assert tables["largest"].count("| twins, 10^9, games | 1 |") == 1
    assert "10^9" not in tables["large"]
    assert tables["mutation"].count(" | fixed | 2 |") == 3 * 3 * 2
    assert tables["mutation"].count("| cubes of 10, one_fifth | 2 |") == 2
    assert (tmp_path / "pictures" / "budget.png").stat().st_size > 10_000


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    """Cubes of 6 alone, and waves of 6 and 3; no mutation, and much."""
    words = [word for word in small_words("cubes=waves", "cubes.generations=2") if "mutation" not in word]
    words += ["baseline=random_search", "baseline.populations=8"]
    home = tmp_path_factory.mktemp("sweep")
    cases = itertools.product(("[6]", "[6,3]"), ("0", "0.3"), range(2))
    cache_folder()  # of compiled kernels: found before that of samples is another one
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        jobs = [
            Job(Settings.of(*words, f"cubes.sizes={sizes}", f"mutation={rate}", f"seed={seed}"), home / "runs" / str(n))
            for n, (sizes, rate, seed) in enumerate(cases)
        ]
        return pigevo.load_sweep(drive(jobs, words, home / "sweeps", done_here))


def test_every_table_holds_what_the_runs_say(sweep):
    text = MUTATION.as_text(sweep)
    groups = MUTATION.groups_of_sweep(sweep)
    assert {key: len(group.seeds) for key, group in groups.items()} == dict.fromkeys(
        [("6", "0"), ("6", "0.3"), ("6, 3", "0"), ("6, 3", "0.3")], 2
    )
    parts = dict(part.split("\n", 1) for part in text.split("\n### ")[1:])
    champions = parts["Champions"].splitlines()
    row = next(line for line in champions if line.startswith("| 6, 3 |"))
    means = [groups["6, 3", rate].champion.mean() for rate in ("0", "0.3")]
    # two seeds give no interval within 0 to 1; these settings have a random search each, none for a whole row
    assert row == f"| 6, 3 | {means[0]:.4f} | {means[1]:.4f} |  |"
    assert "| cubes 6, 3, mutation 0 | mutation 0.3 | 2 |" in parts["Rates compared: champions, cubes alike"]
    assert parts["Rates compared: champions, cubes alike"].count("| 2 |") == 2
    cubes = parts["Cubes compared: champions, rates alike"]
    apart = groups["6", "0.3"].champion.mean() - groups["6, 3", "0.3"].champion.mean()
    assert f"| cubes 6, mutation 0.3 | cubes 6, 3 | 2 | {apart:+.4f} |" in cubes
    waves = parts["Waves: the mean of the population at the end of each"]
    group = groups["6, 3", "0.3"]
    # nor within what strategies can win, 0 to a half
    assert f"| cubes 6, 3, mutation 0.3 | {group.at(2).mean():.4f} |" in waves
    assert "| cubes 6, 3, mutation 0.3: end of cubes of 3 | end of cubes of 6 | 2 |" in waves
    (random,) = [line for line in parts["Random populations"].splitlines() if line.startswith("| 6 |")]
    assert random.startswith("| 6 | 8 | ")


def test_what_differs_in_budget_says_so(sweep):
    """Cubes alone and waves have other generations on each size."""
    (one, _) = MUTATION.answers([*MUTATION._cubes(MUTATION.groups_of_sweep(sweep))])
    assert "cubes of 6 to generation" in one.budgets
    assert all(not one.budgets for one in MUTATION.answers([*MUTATION._rates(MUTATION.groups_of_sweep(sweep))]))


MUTATION_README, MUTATION_TABLES = readme_and_tables("mutation_by_cube_size")
MUTATION_TABLE = MUTATION_TABLES["compared"]
RATES = ("0", "0.0001", "0.001", "0.005", "0.01", "0.05")


def test_the_grid_of_the_readme_and_the_table_and_the_ranking_are_of_the_same_runs():
    ranking = csv.DictReader((experiments_folder() / "mutation_by_cube_size/ranking.csv").open())
    ranked = {row["setting"]: row for row in ranking}
    swept = OmegaConf.load(conf_folder() / "sweep" / "mutation_by_cube_size.yaml").hydra.sweeper.params
    searched = {name for name in ranked if name.startswith("random_search")}
    assert searched == {f"random_search,cubes={size}" for size in ("20", "10", "5")}
    assert len(ranked.keys() - searched) == math.prod(len(str(swept[key]).split(",")) for key in ("cubes", "mutation"))
    assert f"hold for all {len(ranked)} at once" in MUTATION_README
    for cubes in ("20", "10", "5", "20, 10, 5"):
        (row,), (printed,) = cells_of(MUTATION_TABLE, f"{cubes} | 0."), cells_of(MUTATION_README, f"{cubes} |")
        names = [f"cubes.sizes=[{cubes.replace(' ', '')}],mutation={rate}" for rate in RATES]
        names += [f"random_search,cubes={cubes}"] if "," not in cubes else []
        for name, cell, short in zip(names, row[1 : len(names) + 1], printed[1 : len(names) + 1], strict=True):
            run = ranked[name]
            assert [number.value for number in numbers(cell)] == [
                round(float(run[key]), 4) for key in ("mean", "low", "high")
            ]
            assert Rows(cell).have_interval(*numbers(short))


def test_rates_that_are_called_open_are_open_and_rates_that_are_called_better_are_better():
    """The sentence on smaller cubes, which has no figures."""
    verdicts = {(line.split("|")[1].strip(), line.split("|")[2].strip()): line.split("|")[7].split()[0]
                for line in MUTATION_TABLES["compared"].splitlines() if line.count("|") == 8}  # fmt: skip
    for cubes, good in (("20", ("0.005", "0.01")), ("10", ("0.005",)), ("5", ("0.001",))):
        name = f"cubes {cubes}, mutation"
        for a, b in (("0.001", "0.005"), ("0.001", "0.01"), ("0.005", "0.01")):
            shown = (cubes, a, b) == ("10", "0.005", "0.01")
            assert verdicts[f"{name} {a}", f"mutation {b}"] == ("A" if shown else "open")
        for rate in good:
            assert verdicts[f"{name} 0", f"mutation {rate}"] == "B"
            assert verdicts[f"{name} {rate}", "mutation 0.05"] == "A"
