"""Settings of a sweep, and two sweeps, compared by seed; their budgets are named where they differ."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.core.intervals import SHARE
from pigevo.errors import InputError
from pigevo.experiments.common.group import Question, answers, as_markdown
from pigevo.runs.load import Run
from pigevo.storage.records import with_checksum
from pigevo.sweeps.comparison import QUICK, Budget, Comparison, budget_of, compare, difference
from pigevo.sweeps.report import report, verdicts
from pigevo.sweeps.statistics import compare_pairs
from tests.own import write
from tests.small import done_here, resealed
from tests.sweeps.cases import two_rates


def test_two_settings_by_seed_from_the_command_and_from_python(sweep, capsys):
    loaded = pigevo.load_sweep(sweep)
    results = loaded.results()
    a, b = (results["champion"][results["setting"] == f"mutation={rate}"] for rate in ("0", "0.3"))
    made = pigevo.compare(loaded, "mutation=0", "mutation=0.3")
    (pair,) = made.compared
    assert (pair.a, pair.b, pair.seeds) == ("mutation=0", "mutation=0.3", 4)
    assert pair.difference == pytest.approx((a - b).mean())
    assert pair.effect == pytest.approx((a - b).mean() / (a - b).std(ddof=1))
    (alone,) = compare(str(sweep)).compared
    assert abs(alone.difference) == pytest.approx(abs(pair.difference))
    assert main(["compare", str(sweep), "mutation=0", "mutation=0.3"]) == 0
    output = capsys.readouterr().out
    assert output == f"{made}\n"
    assert "mutation=0  against  mutation=0.3" in output
    assert "of 4 seeds" in output
    assert [pair.difference for pair in pigevo.compare(loaded, loaded).compared] == [0, 0]
    for wrong, message in (((loaded, "mutation=0"), "must be a setting"), (("a", "b", "c"), "at most two settings")):
        with pytest.raises(InputError, match=message):
            pigevo.compare(loaded, *wrong)


def test_a_comparison_says_that_runs_are_quick_ones(sweep, capsys):
    record = json.loads((sweep / "sweep.json").read_text())
    for debug in ("none", "fast"):
        record["runs"][0]["config"]["debug"] = debug
        for run in record["runs"][1:]:
            run["config"]["debug"] = "none"
        entries = {name: record[name] for name in ("name", "overrides", "swept", "runs")}
        (sweep / "sweep.json").write_bytes(with_checksum(entries))
        assert main(["compare", str(sweep)]) == 0
        assert ("Runs of debug=fast are among them" in capsys.readouterr().out) == (debug == "fast")


def test_settings_with_identical_runs_are_said_to_be_so(tmp_path, monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    never = write(tmp_path / "ops.py", "def same(genomes, context):\n    return genomes.copy()\n")
    sweep = pigevo.load_sweep(two_rates(tmp_path, 3, f"mutator={never}:same"))
    made = pigevo.compare(sweep)
    assert [(pair.identical, pair.wanted_seeds) for pair in made.compared] == [(True, 0)]
    assert "the runs of both are identical, seed by seed: what differs between the settings changed" in str(made)
    assert "open:" not in str(made)
    identical = "The runs of these 2 settings are identical, seed by seed: what differs between them changed nothing."
    assert verdicts(report(sweep))[-2:] == [identical, QUICK]
    third = replace(
        sweep, members=(*sweep.members, *(replace(m, setting="x=1", seed=m.seed + 1) for m in sweep.members))
    )
    words = " ".join(verdicts(report(third)))
    assert "The runs of mutation=0 and 0.3 are identical, seed by seed" in words
    assert not any(pair.identical for pair in pigevo.compare(third, "x=1").compared)


def test_what_is_compared_with_what(sweep):
    loaded = pigevo.load_sweep(sweep)

    def pairs(names, *chosen):
        """Of the sweep as if it had had these settings, each with one seed."""
        members = [replace(member, setting=name, seed=1) for member, name in zip(loaded.members, names, strict=False)]
        runs = dict(zip(members, loaded.runs.values(), strict=False))
        made = replace(loaded, members=tuple(members))
        made.__dict__["runs"] = runs
        found = pigevo.compare(made, *chosen)
        assert found.picked_from == (None if chosen or len(members) <= 6 else 21)
        return {(pair.a, pair.b) for pair in found.compared}

    a, b, c = names = "x=1", "x=2", "x=3"
    assert {frozenset(pair) for pair in pairs(names)} == {frozenset((a, b)), frozenset((a, c)), frozenset((b, c))}
    assert pairs(names, b) == {(b, a), (b, c)}
    assert pairs(names, c, a) == {(c, a)}
    assert len(pairs(f"x={n}" for n in range(7))) == 6  # of many each is compared with one alone
    assert pairs(["sizes=[2,1],rate=0", b], "sizes=[2,1],rate=0") == {("sizes=[2,1],rate=0", b)}


def test_runs_that_have_not_finished_are_not_hidden(sweep):
    loaded = pigevo.load_sweep(sweep)

    def without(*lost, state="failed"):
        """The sweep as if runs of a setting with these seeds had not finished."""
        members = [
            replace(member, state=state) if (member.setting, member.seed) in lost else member
            for member in loaded.members
        ]
        return replace(loaded, members=tuple(members))

    missing = compare(without(("mutation=0.3", 1), state="missing"))
    assert missing.compared[0].seeds == 3
    assert "7 of 8 runs have finished (1 missing); the others are left out" in str(missing)
    assert not compare(loaded).left_out
    failed = without(*(("mutation=0.3", seed) for seed in range(4)))
    for words in ((), ("mutation=0.3",), ("mutation=0.3", "mutation=0")):
        with pytest.raises(InputError, match=r"mutation=0\.3 has no finished run \(4 failed\)"):
            compare(failed, *words)
    assert "4 of 8 runs have finished (4 failed)" in failed.left_out
    two = compare(loaded, without(("mutation=0", 2)))
    assert two.left_out == ("B: 7 of 8 runs have finished (1 failed); the others are left out",)


def test_two_sweeps(sweep, capsys, tmp_path):
    """Each half of the sweep as a sweep of its own."""
    record = json.loads((sweep / "sweep.json").read_text())
    halves = {}
    for rate in (0.0, 0.3):
        halves[rate] = sweep.parent / f"half{rate}"
        halves[rate].mkdir()
        runs = [run for run in record["runs"] if run["config"]["mutation"] == rate]
        entries = {name: record[name] for name in ("name", "overrides", "swept")}
        (halves[rate] / "sweep.json").write_bytes(with_checksum({**entries, "runs": runs}))
    assert main(["compare", *map(str, halves.values()), "--json"]) == 0
    comparison = json.loads(capsys.readouterr().out)
    assert comparison["A"].endswith("(mutation=0)")
    (pair,) = comparison["compared"]
    assert (pair["a"], pair["b"]) == ("A", "B")
    assert pair["difference"] == pytest.approx(compare(str(sweep), "mutation=0", "mutation=0.3").compared[0].difference)


def test_what_cannot_be_compared_is_refused_with_what_would_be_right(sweep):
    loaded = pigevo.load_sweep(sweep)

    def changed(rates, first_seed=0):
        """Two seeds of each rate of the sweep under other rates and seeds."""
        members = []
        for rate, other in rates.items():
            for seed, member in enumerate([m for m in loaded.members if m.values["mutation"] == rate][:2], first_seed):
                values = {**member.values, "mutation": other, "seed": seed}
                members.append(replace(member, values=values, setting=f"mutation={other}", seed=seed))
        return replace(loaded, members=tuple(members))

    both = changed({0: 0, 0.3: 0.3})
    with pytest.raises(InputError, match=r"no setting in common: `pigevo report .*give all values to one sweep"):
        compare(both, changed({0: 0.1, 0.3: 0.2}))
    for later in (changed({0: 0, 0.3: 0.3}, 7), changed({0: 0, 0.3: 0.1}, 7)):
        with pytest.raises(InputError, match=r"no seed in common.*run them with the same seeds"):
            compare(both, later)
    with pytest.raises(InputError, match=r"has one setting: .*name a second sweep"):
        compare(changed({0: 0}))


def test_two_sweeps_are_labelled_by_all_settings_in_which_they_differ(sweep):
    loaded = pigevo.load_sweep(sweep)

    def changed(rate, **settings):
        """The runs of one mutation rate, as if they had had other settings too."""
        members = [member for member in loaded.members if member.values["mutation"] == rate]
        made = tuple(replace(member, values={**member.values, **settings}) for member in members)
        return replace(loaded, members=made)

    def labels(*sweeps):
        made = pigevo.compare(*sweeps)
        assert [(pair.a, pair.b) for pair in made.compared] == [("A", "B")]
        return [made.names[name].partition(" ")[2] for name in "AB"]

    fitness = loaded.members[0].values["fitness"]
    exact = {"name": "exact"}
    assert labels(changed(0), changed(0.3)) == ["(mutation=0)", "(mutation=0.3)"]
    assert labels(changed(0), changed(0.3, generations=7, workers=3)) == [
        "(generations=6,mutation=0)",
        "(generations=7,mutation=0.3)",
    ]
    assert labels(changed(0, experiment="mine"), changed(0.3, fitness=exact)) == [
        f"(experiment=mine,fitness=games,fitness.games={fitness['games']},fitness.paired=false,mutation=0)",
        "(experiment=null,fitness=exact,mutation=0.3)",
    ]
    assert labels(changed(0), changed(0)) == ["", ""]
    later = tuple(replace(member, values={**member.values, "generations": 7}) for member in loaded.members)
    made = pigevo.compare(loaded, replace(loaded, members=later))  # what varies inside a sweep labels none
    assert [made.names[name].partition(" ")[2] for name in "AB"] == ["(generations=6)", "(generations=7)"]
    assert {(pair.a, pair.b) for pair in made.compared} == {
        (f"A: mutation={rate}", f"B: mutation={rate}") for rate in ("0", "0.3")
    }


def text_of(*differences):
    values = {"a": dict(enumerate(0.5 + np.array(differences))), "b": dict.fromkeys(range(len(differences)), 0.5)}
    return str(Comparison("champion", {}, compare_pairs(values, [("a", "b")], SHARE)))


def test_an_interval_stays_within_what_a_difference_can_be():
    """Three seeds, one far astray: Student's interval alone would be -0.5652 to +1.2319."""
    assert "(-0.5652 to +1.0000)" in text_of(0.1, 0.15, 0.75)
    assert "(undetermined)" in text_of(-0.5, 0.01, 0.5)
    assert "(undetermined)" in text_of(0.2)


@pytest.mark.parametrize("effect", [0.02, 0.2, 0.9, 1.2])
def test_an_open_comparison_says_how_many_seeds_it_needs_in_all(effect):
    line = text_of(*(effect * 0.01 + 0.01 * np.array([-1, 0, 1, -0.5])))
    assert "open, not settled: " in line
    assert re.search(r"seeds in all would be needed to tell, perhaps [\d,]+|: take twice as many\n", line)
    assert "tell with a chance of 80 %" in line


def test_rank_statistics_are_printed():
    assert "by ranks: A12 1.00, Wilcoxon p = 0.25" in text_of(0.01, 0.05, 0.2)
    assert "Holm" not in text_of(0.01, 0.05, 0.2)


def test_that_all_seeds_agree_and_it_is_open_is_explained():
    assert "all 3 seeds have the same sign, which chance alone gives in 1 of 4 cases" in text_of(0.01, 0.05, 0.2)
    assert "same sign" not in text_of(0.01, 0.05, -0.2)
    assert "both seeds have the same sign, which chance alone gives in 1 of 2 cases" in text_of(0.01, 0.05)
    assert "a is better" in text_of(0.066, 0.079, 0.084, 0.092, 0.101)
    values = {"a": dict.fromkeys(range(3), 0.3), "b": {0: 0.34, 1: 0.35, 2: 0.355}}
    values |= {name: {0: 0.3, 1: at, 2: 0.6 - at} for name, at in (("c", 0.31), ("d", 0.32), ("e", 0.33))}
    pairs = [("a", name) for name in "bcde"]
    text = " ".join(str(Comparison("champion", {}, compare_pairs(values, pairs, SHARE))).split())
    assert text.count("by Holm") == 4
    assert "would settle this comparison alone; among so many it does not" in text


WAVES = Budget(300, 6020, 319_000, (("20", 100), ("10", 200), ("5", 300)))
SINGLE = Budget(300, 6020, 319_000, (("20", 300),))


@pytest.mark.parametrize(
    ("a", "b", "text"),
    [
        (WAVES, WAVES, ""),
        (SINGLE, Budget(200, 4020, 219_000, (("20", 200),)), "generations 300 and 200; strategies 6,020 and 4,020; games 319,000 and 219,000"),
        (WAVES, SINGLE, "cubes of 20 to generation 100, of 10 to generation 200, of 5 to generation 300, and of 20 to generation 300"),
        (SINGLE, Budget(300, 6020, 0, (("20", 300),)), "games 319,000 and 0"),
    ],
)  # fmt: skip
def test_in_what_budgets_differ(a, b, text):
    assert difference(a, b) == text


def run(evaluations=80, games=700):
    columns = {"generation": [0, 5, 10], "wave": [1, 1, 2], "cube_size": ["4", "4", "2"],
               "evaluations": [10, 40, evaluations], "games": [0, 250, 500]}  # fmt: skip
    result = {"generations": 10, "evaluations": evaluations, "games": games}
    return Run(result, {name: np.array(column) for name, column in columns.items()})


def test_the_budget_is_that_of_the_median_run():
    assert budget_of([run(70), run(80, 900), run(100)]) == Budget(10, 80, 700, (("4", 5), ("2", 10)))
    assert budget_of([run()], 5) == Budget(5, 40, 250, (("4", 5),))
    assert budget_of([run()], 2.5) == Budget(2.5, 25, 125, (("4", 0),))


def test_compare_names_the_budgets(sweep, finished_sweep, capsys):
    """One setting of the copy played ten times the games."""
    games = pigevo.load_sweep(sweep).members[0].load().result["games"]
    for member in pigevo.load_sweep(sweep).members:
        if member.setting == "mutation=0":
            resealed(member.folder, games=10 * games)
    main(["compare", str(sweep), "mutation=0", "mutation=0.3"])
    budgets = f"games {10 * games:,} and {games:,}"
    assert f"their budgets differ: {budgets}" in capsys.readouterr().out
    assert [pair.budgets for pair in compare(str(finished_sweep)).compared] == [""]
    pairs = {pair.a: pair.budgets for pair in compare(str(sweep), str(finished_sweep)).compared}
    assert pairs["A: mutation=0"] == budgets


def test_so_do_the_tables_of_studies():
    a, b = ({seed: value + seed / 1000 for seed in range(10)} for value in (0.3, 0.1))
    b[3] += 0.001
    answered = answers([Question("new", "old", a, b, SINGLE, WAVES), Question("new", "old", a, b)])
    assert answered[0].budgets.startswith("cubes of 20")
    lines = as_markdown(answered).splitlines()
    assert lines[2].endswith(f"| A ({answered[0].budgets}) |")
    assert lines[3].endswith("| A |")


def test_a_setting_is_also_named_by_the_choice_that_was_typed(tmp_path, monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.run_sweep.run_jobs", lambda jobs, _, **options: done_here(jobs, **options))
    crossovers = ["agree_or_random", "two_point", "one_point"]
    sweep = pigevo.sweep(
        "debug=fast", "game.target=9", "baseline=none", crossover=crossovers, seed=range(2), outputs=tmp_path
    )
    (pair,) = pigevo.compare(sweep, "crossover=two_point", "crossover=agree_or_random").compared
    assert sweep.words[pair.a]["crossover.points"] == "2"
    with pytest.raises(InputError, match=r"did you mean"):
        pigevo.compare(sweep, "crossover=three_point")
