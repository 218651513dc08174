"""The study of reconstruction in a tiny form, its tables made again, and the programs judged on a fresh seed."""

import csv
import functools
import itertools
import sys
from collections import defaultdict

import numpy as np
import pytest

from experiments.common.tests.prose import cells_of
from pigevo.experiments import experiments_folder, load_study
from pigevo.experiments.common.tables import read_sections
from pigevo.experiments.reconstruction import optimum, scoring, search
from pigevo.experiments.reconstruction import program as PROGRAM
from pigevo.experiments.reconstruction.program import Program, Setting, read, worded
from pigevo.experiments.reconstruction.scoring import RECORDED, Reading, Scored, luck_of
from pigevo.experiments.reconstruction.search import Joint
from tests.small import shorter

STUDY = load_study("reconstruction")
SMALL = "target=20 sizes=[10,5,2] wave=20"
FOLDER = experiments_folder() / "reconstruction"


def test_the_words_of_all_readings_and_settings_are_options_with_allowed_values():
    allowed = {name: hint.__args__ for name, hint in _hints(Program).items() if hasattr(hint, "__args__")}
    programs = [worded(Program, reading.program) for reading in search.tried("cubes") + search.tried("cells")]
    programs += [worded(Program, reading.program) for own in STUDY.readings("judged").values() for reading in own]
    programs += [worded(Program, words) for words in read("readings.yaml")["pairs"]]
    for program in programs:
        for name in allowed.keys() - {"sizes"}:
            assert getattr(program, name) in allowed[name], (name, program)
    tried = search.tried("cubes")
    assert len({reading.program for reading in tried}) * len(RECORDED) == len(tried)
    assert len(read("readings.yaml")["singles"]) >= 30
    for group in read("published.yaml").values():
        for said in group.values():
            assert worded(Setting, said["setting"]).start in ("random", "optimal", "hold_at", "score")
    with pytest.raises(TypeError, match="wrong"):
        worded(Program, "wrong=1")


def _hints(made):
    return {name: eval(hint, vars(sys.modules[made.__module__])) for name, hint in made.__annotations__.items()}


@pytest.mark.parametrize("group", ["cubes", "cells", "round_robin"])
def test_every_judged_reading_was_tried_and_every_record_exists(group):
    tried = {(reading.program, reading.recorded) for reading in search.tried(group)}
    assert {(reading.program, reading.recorded) for reading in STUDY.readings("judged")[group]} <= tried
    assert {reading.recorded for reading in STUDY.readings("judged")[group]} <= RECORDED.keys()


def test_far_behind_is_what_lies_beyond_luck_with_all_of_its_interval(monkeypatch):
    best, other = (
        Scored(Reading(name, ""), range(3), {("a", "x"): np.array([0.2, 0.21, 0.19])}, {("a", "x"): 0.2}, {})
        for name in "ab"
    )
    for low, word in (
        (0.0, "not told apart"),
        (1.0, "behind"),
        (scoring.luck_of(len(search.tried("cells"))) + 1, "far behind"),
    ):
        monkeypatch.setattr(STUDY, "behind", lambda *_, low=low: (99.0, low, 100.0))
        assert STUDY._verdicts(other, best, scoring.luck_of(len(search.tried("cells"))), 2)[5] == word


@pytest.mark.slow
def test_the_study_in_a_tiny_form(monkeypatch, tmp_path):
    published = {
        "cubes": {f"figure 9, {rate} %": {"setting": f"start=random mutation={rate} cubes=true", "rows": {"at 2": 0.2, "highest 1": 0.3}}
                  for rate in ("0.5", "1", "5")},
        "cells": {"figure 6": {"setting": "start=optimal generations=4 every=2", "rows": {"at 1": 0.49}}},
        "round_robin": {"figure 7": {"setting": "start=random generations=2 every=1 round_robin=true", "rows": {"level 0": 0.2}}},
    }  # fmt: skip
    monkeypatch.setattr(scoring, "read", lambda _: published)
    readings = [Reading("the text", SMALL), Reading("other", f"{SMALL} mutation=none", "half")]
    monkeypatch.setattr(STUDY, "readings", lambda part: dict.fromkeys(list(published)[part == "near" :], readings))
    monkeypatch.setattr(search, "tried", lambda _: readings)
    monkeypatch.setattr(search, "programs", lambda: {reading.program: reading.name for reading in readings})
    told = read("readings.yaml")
    told["joint"] = {"the text": SMALL, "other": f"{SMALL} mutation=none"}
    told["pairs"] = [f"{SMALL} mutation=none next=survivors"]
    monkeypatch.setattr(search, "read", lambda _: told)
    tiny = shorter(STUDY, "debug=fast game.target=12 cubes.sizes=[4,2]")
    monkeypatch.setattr(STUDY, "read_settings", lambda _: tiny)
    monkeypatch.setattr(optimum, "candidates", lambda: iter([("the optimum", optimum._strategy(*_best()))]))
    STUDY.run_full(tmp_path, 5, 2)
    tables = read_sections(tmp_path)
    assert tables.keys() == {"search", "fresh", "judged", "near", "figures", "joint", "sentences", "optimum", "effects"}
    assert tables["judged"].count("| the text | 2 |") == 3
    rows = list(csv.DictReader((tmp_path / "runs.csv").open()))
    of_joint = [row for row in rows if row["group"].startswith("joint")]
    of_near = [row for row in rows if row["group"].startswith("near")]
    assert {row["seed"] for row in of_near} == {str(STUDY.NEAR), str(STUDY.NEAR + 1)}
    assert (len(of_near), len(rows) - len(of_near) - len(of_joint)) == (2 * 2 * (1 + 1), 2 * 2 * (6 + 5 + 1 + 1))
    lines = list(csv.DictReader((tmp_path / "fresh.csv").open()))
    assert [len(row) for row in lines] == [3 + 6 + 1 + 1 + 5] * 3
    assert "3 programs on seed 63000" in tables["fresh"]
    cubes = {row["reading"] for row in of_joint if row["group"] == "joint cubes"}
    assert {"the text", "the text, halved", "other", "other, halved"} <= cubes
    assert len(cubes) <= 6  # a program has a third line where something else that it may have recorded fits best
    assert len(of_joint) == 2 * (len(cubes) * (6 + 5) + 2 * (1 + 1))
    assert tables["joint"].count("far behind") + tables["joint"].count("not told apart") > 0
    assert {row["seed"] for row in rows if row not in of_near} == {str(STUDY.FRESH), str(STUDY.FRESH + 1)}
    assert (tmp_path / "pictures/cubes.png").stat().st_size > 5_000
    before = (tmp_path / "runs.csv").read_bytes()
    monkeypatch.setattr(PROGRAM, "evolve", None)  # everything is there already
    STUDY.run(tmp_path, 5, 2)
    assert (tmp_path / "runs.csv").read_bytes() == before


def test_the_picture_has_a_panel_for_each_curve_with_every_published_figure():
    published = {
        ("figure 9, 1 %", "at 42"): 0.16,
        ("figure 9, 1 %", "lowest 5"): 0.2,
        ("figure 14", "highest 1"): 0.245,
    }
    readings = [
        Scored(Reading(name, ""), range(2), {key: np.array([0.1, 0.2]) for key in published}, published, {})
        for name in "ab"
    ]
    panels = scoring.plot_readings(readings)
    assert [axes.get_title(loc="left") for axes in panels] == ["figure 9, 1 %", "figure 14"]
    words = [[label.get_text() for label in axes.get_yticklabels()] for axes in panels]
    assert words == [["in generation 210", "lowest from\ngeneration 25 on"], ["highest"]]


def _best():
    best = optimum.pigevo.optimal(optimum.Pig()).strategy
    return best.game, best.roll


def test_the_tables_are_those_of_the_runs():
    tables = read_sections(FOLDER)
    with (FOLDER / "runs.csv").open() as file:
        rows = list(csv.DictReader(file))
    for group, own in STUDY.readings("judged").items():
        for reading in own:
            mine = [row for row in rows if (row["group"], row["reading"]) == (group, reading.name)]
            for name, said in read("published.yaml")[group].items():
                for figure, value in said["rows"].items():
                    found = [float(row["value"]) for row in mine if (row["curve"], row["figure"]) == (name, figure)]
                    assert len(found) == round(STUDY.SHARES[group] * 30)
                    (line,) = (
                        one
                        for one in _part(tables["figures"], group)
                        if one.startswith(f"| {name} | {figure} | {value} |")
                    )
                    assert f"| {np.mean(found):.3f} (" in line
            assert any(
                one.startswith(f"| {reading.name} | {round(STUDY.SHARES[group] * 30)} |")
                for one in _part(tables["judged"], group)
            )
    with (FOLDER / "searched.csv").open() as file:
        groups = [row["group"] for row in csv.DictReader(file)]
    for group in ("cubes", "cells"):
        assert groups.count(group) == len(search.tried(group))
        assert f"{len(search.tried(group)):,} readings were tried" in tables["judged"]


def _part(section, group):
    """The lines of a group's part of a section."""
    parts = section.split("### ")
    return next(part for part in parts if part.partition("\n")[0].endswith(group.replace("_", " "))).splitlines()


def test_the_verdicts_of_the_readme_are_those_of_the_tables():
    tables = read_sections(FOLDER)
    lines = {group: cells_of("\n".join(_part(tables["judged"], group)[4:])) for group in STUDY.readings("judged")}
    by_name = {group: {cells[0]: cells for cells in own if len(cells) > 8} for group, own in lines.items()}
    best = {group: next(iter(own)) for group, own in by_name.items()}
    assert best == {
        "cubes": "the same genes flip, halved", "cells": "survivors stay, no selection", "round_robin": "nobody is replaced",
    }  # fmt: skip
    assert all(by_name[group][name][8] == "not excluded" for group, name in best.items())
    cubes = by_name["cubes"]
    assert {name for name, cells in cubes.items() if cells[5] == "far behind"} == {"the text", "the text, halved"}
    assert all(cubes[name][8] == "excluded" for name in ("the text", "the text, halved", "ten strangers"))
    assert by_name["round_robin"]["the text"][8] == "excluded"
    entries = cells_of(tables["optimum"].partition("published")[2])
    assert max(int(cells[1]) for cells in entries if len(cells) > 1) == 3
    assert [cells[-1] for cells in cells_of(tables["effects"])[1:]] == ["open", "open", "open", "A", "A", "A"]


def test_which_programs_lead_by_all_curves_on_the_seed_of_the_search():
    with (FOLDER / "searched.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["group"] == "together"]
    told = read("readings.yaml")
    judged = set(told["joint"].values())
    assert len(judged) == 16
    assert {row["program"] for row in rows} == judged | set(told["singles"].values())
    assert len(rows) == len(judged) + 47
    assert [row["program"] in judged for row in rows[:7]] == [True] * 6 + [False]
    assert (rows[6]["program"], rows[6]["log_likelihood"], rows[0]["log_likelihood"]) == (
        "mutation=large",
        "43.46",
        "53.65",
    )


def _programs(text):
    """The lines of a table of the joint question, but for that of the best of each group."""
    lines = {cells[0]: [*cells, "", "", ""] for cells in cells_of(text) if len(cells) > 3}
    return [cells for name, cells in lines.items() if name not in ("program", "the best of each group")]


def test_no_program_is_behind_all_curves_and_those_without_selection_come_nearest_without_the_round_robin():
    every, bare = (_programs(part) for part in read_sections(FOLDER)["joint"].split("### Without the round robin"))
    names = read("readings.yaml")["joint"]
    assert {cells[0] for cells in every} >= {*names, *(f"{name}, halved" for name in names)}
    luck = scoring.luck_of(int(np.prod([len(search.tried(group)) for group in STUDY.readings("judged")])))
    assert all("far behind" in cells[5] for cells in every)
    assert min(float(cells[5].split(" (")[1].split(" to ")[0]) for cells in every) > luck > 14.0
    assert every[0][0] == "mutated genes get a coin, no selection, average so far"
    by_name = {cells[0]: cells for cells in every}
    assert "not told apart" in by_name["survivors stay, no selection"][6]
    assert min(every, key=lambda cells: float(cells[2]))[0].startswith("nobody is replaced")
    assert all("no selection" in cells[0] for cells in bare[:4])
    assert all("not told apart" in cells[4] for cells in bare[:4])
    by_name = {cells[0]: cells for cells in bare}
    assert by_name["few late flips, first of both"][5].endswith("not told apart")
    assert not any(by_name[name][6] for name in (*[cells[0] for cells in bare[:4]], "few late flips, first of both"))


def test_programs_that_were_found_on_the_seeds_that_judge_have_seeds_of_their_own():
    with (FOLDER / "runs.csv").open() as file:
        rows = list(csv.DictReader(file))
    for later, first in ((True, STUDY.LATER), (False, STUDY.FRESH)):
        seeds = {
            int(row["seed"])
            for row in rows
            if not row["group"].startswith("near")
            and later == (row["group"] in ("cubes", "joint cubes") and "no selection" in row["reading"])
        }
        assert seeds == set(range(first, first + 8))
    for program in read("readings.yaml")["found_later"]:
        assert STUDY.seeds_of(program, "cubes", 8) == range(STUDY.LATER, STUDY.LATER + 8)
        assert STUDY.seeds_of(program, "cells", 5) == range(STUDY.FRESH, STUDY.FRESH + 5)
    without_selection = {
        reading.program for reading in STUDY.readings("judged")["cubes"] if "no selection" in reading.name
    }
    assert without_selection == set(read("readings.yaml")["found_later"])


GROUPS = ("cubes", "cells", "round_robin")


def rows_of(name):
    with (FOLDER / name).open() as file:
        return list(csv.DictReader(file))


@functools.cache
def published(group):
    return {(curve, name): float(value) for curve, said in read("published.yaml")[group].items()
            for name, value in said["rows"].items()}  # fmt: skip


def on_search():
    rows = [row for row in rows_of("searched.csv") if row["group"] == "together"]
    return {row["program"]: float(row["log_likelihood"]) for row in rows}


def of_fresh_seed():
    """The programs of `fresh.csv`."""
    found = []
    for row in rows_of("fresh.csv"):
        columns = list(row)
        sentences = {
            words: np.array([row[words] == "1"]) for words in columns[columns.index("figure 15, lowest 0") + 1 :]
        }
        groups = {}
        for group in GROUPS:
            figures = {key: np.array([float(row[", ".join(key)])]) for key in published(group)}
            true = sentences if group == "cubes" else {}
            reading = Reading(row["reading"], row["program"], row["recorded"])
            groups[group] = Scored(reading, [search.FRESH_SEED], figures, published(group), true)
        found.append(Joint(row["reading"], groups))
    return found


def judged():
    """The readings of `runs.csv`, by its group and their name."""
    by_name = defaultdict(lambda: defaultdict(list))
    for row in rows_of("runs.csv"):
        by_name[row["group"], row["reading"]][row["curve"], row["figure"]].append(
            (int(row["seed"]), float(row["value"]))
        )
    found = {}
    for (group, name), values in by_name.items():
        said = published(group.split(" ")[-1])
        figures = {key: np.array([value for _, value in values[key]]) for key in said}
        true = {
            key[1]: np.array([value for _, value in own]) == 1 for key, own in values.items() if key[0] == "sentence"
        }
        seeds = [seed for seed, _ in values[next(iter(said))]]
        found[group, name] = Scored(Reading(name, ""), seeds, figures, said, true)
    return found


def test_the_table_of_the_fresh_seed_is_that_of_its_figures():
    found = of_fresh_seed()
    assert search.fresh_table(found, on_search()) == read_sections(FOLDER)["fresh"]
    programs = [one.groups["cubes"].reading.program for one in found]
    assert programs == [*search.programs(), *read("readings.yaml")["pairs"]]
    before = {row["program"]: row["recorded"] for row in rows_of("searched.csv") if row["group"] == "together"}
    recorded = {one.groups["cubes"].reading.program: one.groups["cubes"].reading.recorded for one in found}
    assert {program: recorded[program] for program in before} == before


def test_pairs_are_of_the_first_single_readings_and_of_no_selection():
    likelihoods = on_search()
    singles = read("readings.yaml")["singles"].values()
    first = sorted(singles, key=lambda program: -likelihoods[program])[:8]
    options = [*first, "selection=first"]
    pairs = {
        frozenset(pair) for pair in itertools.combinations(options, 2) if len({one.split("=")[0] for one in pair}) == 2
    }
    tried = {frozenset(program.split()) for program in likelihoods}
    assert {frozenset(program.split()) for program in read("readings.yaml")["pairs"]} == pairs - tried


@pytest.mark.parametrize("group", GROUPS)
def test_the_sentences_and_their_column_are_those_of_the_runs(group):
    found, tables = judged(), read_sections(FOLDER)
    own = [found[group, reading.name] for reading in STUDY.readings("judged")[group]]
    assert STUDY._sentences(group, own) in tables["sentences"]
    assert tables["sentences"].endswith(STUDY.unscored())
    for one in own:
        assert any(line.startswith(f"| {one.reading.name} | {len(one.seeds)} |")
                   and line.endswith(f" | {one.cautious(every_sentence=True):.1f} |")
                   for line in tables["judged"].splitlines())  # fmt: skip
    order = sorted(own, key=lambda one: -one.cautious())
    assert order[0] is max(own, key=lambda one: one.cautious(every_sentence=True))


def test_programs_of_the_joint_question_with_all_sentences():
    found, lines = judged(), read_sections(FOLDER)["joint"].split("### Without the round robin")[0].splitlines()
    for name, program in read("readings.yaml")["joint"].items():
        others = {group: found[f"joint {group}", name] for group in GROUPS[1:]}
        for line in (search.named(name, recorded) for recorded in RECORDED):
            if ("joint cubes", line) in found:
                together = Joint(line, {"cubes": found["joint cubes", line], **others}).cautious(every_sentence=True)
                assert any(row.startswith(f"| {line} |") and row.endswith(f" | {together:.1f} |") for row in lines), (
                    program
                )


def test_readings_that_came_near_are_those_of_the_runs():
    found, tables = judged(), read_sections(FOLDER)
    near = {
        group: [found[f"near {group}", reading.name] for reading in own]
        for group, own in STUDY.readings("near").items()
    }
    assert STUDY._near(near) == tables["near"]
    verdicts = {cells[0]: (cells[5], cells[8]) for cells in cells_of(tables["near"]) if len(cells) > 8}
    assert verdicts["losers stay, winners do not"] == ("behind", "excluded")
    assert verdicts["ten of the beginning stay"] == ("behind", "not excluded")
    assert {seed for own in near.values() for one in own for seed in one.seeds} == set(
        range(STUDY.NEAR, STUDY.NEAR + 5)
    )


def test_what_the_readme_says_of_the_fresh_seed():
    """The verdicts on predictions 18 to 20, and who is as near as luck may be."""
    found, before = of_fresh_seed(), on_search()
    here = {one.groups["cubes"].reading.program: search._likelihood_of_all(one) for one in found}
    order, luck = sorted(here, key=lambda program: -here[program]), luck_of(len(found))
    judged_programs, pairs = set(read("readings.yaml")["joint"].values()), read("readings.yaml")["pairs"]
    others = [program for program in order if program not in judged_programs and program not in pairs]
    assert (len(before), len(others), len(pairs)) == (63, 47, 26)
    assert order[:2] == ["mutation=value", "next=survivors mutation=large"]
    assert others[0] == "mutation=large"
    assert sum(here[program] > here[order[0]] - luck for program in order) == 7
    of_search = [program for program in order if program in before]
    first_there = sorted(before, key=lambda program: -before[program])[:6]
    assert sum(program in of_search[:10] for program in first_there) == 3
    every = {one.groups["cubes"].reading.program: search._likelihood_of_all(one, True) for one in found}
    assert max(every, key=lambda program: every[program]) == order[1]
    assert max(pairs, key=lambda program: here[program]) == order[1]
    assert f"{here['mutation=value selection=first']:.2f}" == "34.21"
    bare = {
        one.groups["cubes"].reading.program: search._likelihood_of_all(one.apart_from("round_robin")) for one in found
    }
    assert all(bare[program] < bare["mutation=first_wave"] for program in read("readings.yaml")["found_later"])
