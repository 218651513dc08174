"""One fresh seed of every program, and the readings that came near: their tables, from the files of figures."""

import csv
import functools
import itertools
from collections import defaultdict

import numpy as np
import pytest

from experiments.common.tests.prose import cells_of
from pigevo.experiments import experiments_folder, load_study
from pigevo.experiments.common.tables import read_sections
from pigevo.experiments.reconstruction import fresh, joint, search
from pigevo.experiments.reconstruction.courses import read
from pigevo.experiments.reconstruction.joint import Joint
from pigevo.experiments.reconstruction.likelihood import RECORDED
from pigevo.experiments.reconstruction.scoring import Reading, Scored, luck_of

STUDY = load_study("reconstruction")
FOLDER = experiments_folder() / "reconstruction"
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
            groups[group] = Scored(reading, [fresh.SEED], figures, published(group), true)
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
    assert fresh.as_markdown(found, on_search()) == read_sections(FOLDER)["fresh"]
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
        for line in (joint.named(name, recorded) for recorded in RECORDED):
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
    here = {one.groups["cubes"].reading.program: fresh._likelihood(one) for one in found}
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
    every = {one.groups["cubes"].reading.program: fresh._likelihood(one, True) for one in found}
    assert max(every, key=lambda program: every[program]) == order[1]
    assert max(pairs, key=lambda program: here[program]) == order[1]
    assert f"{here['mutation=value selection=first']:.2f}" == "34.21"
    bare = {one.groups["cubes"].reading.program: fresh._likelihood(one.apart_from("round_robin")) for one in found}
    assert all(bare[program] < bare["mutation=first_wave"] for program in read("readings.yaml")["found_later"])
