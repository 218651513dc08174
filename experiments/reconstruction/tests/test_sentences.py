"""Sentences of section 4, as questions about runs."""

import numpy as np
import pytest

from pigevo.dice import Draw
from pigevo.experiments.reconstruction import sentences
from pigevo.experiments.reconstruction.courses import read
from pigevo.experiments.reconstruction.program import SIZE, Program, Setting, given, referee
from pigevo.experiments.reconstruction.sentences import NINE, SENTENCES, luck, of_figure_9, true_of
from pigevo.strategies import Members


def flat(level, dip=0.0):
    values = np.full(61, level)
    values[0], values[21:41] = 0.1, level - dip
    values[50:] += 0.02
    return values


def test_sentences_are_true_of_curves_that_do_what_they_say():
    zigzag = flat(0.2, 0.05) + 0.01 * (-1.0) ** np.arange(61)
    true = of_figure_9(dict(zip(NINE, (flat(0.3, 0.05), flat(0.3, 0.05), zigzag), strict=True)))
    assert list(true.values()) == [True] * 5
    slow = np.linspace(0.1, 0.2, 61)
    false = of_figure_9(dict(zip(NINE, (zigzag, slow, flat(0.4)), strict=True)))
    assert list(false.values()) == [False, False, True, False, False]


def published():
    return {
        (curve, name): np.array([float(value)])
        for group in read("published.yaml").values()
        for curve, said in group.items()
        for name, value in said["rows"].items()
    }


def test_sentences_are_true_of_the_published_figures_but_where_two_are_read_alike():
    true = true_of(published())
    assert len(true) == len(SENTENCES) == 15
    assert [words for words, said in true.items() if not said[0]] == [
        "4.5: score strategies are higher than hold-at ones with knockout"
    ]


WRONG = {
    "4.3: at all": ("figure 9, 5 %", "at 60", 0.13),
    "4.3.1": ("figure 9, 0.5 %", "highest 1", 0.13),
    "4.4: cubes": ("figure 14", "at 1", 0.44),
    "4.2: mutation": ("figure 6", "at 20", 0.41),
    "4.2: it falls": ("figure 5", "at 10", 0.42),
    "4.2: it ends": ("figure 5", "level 20", 0.16),
    "4.3: knockout": ("figure 8", "highest 1", 0.17),
    "4.4: knockout": ("figure 13", "level 25", 0.21),
    "4.4: it becomes": ("figure 13", "level 25", 0.14),
    "4.5: knockout": ("figure 16", "at 15", 0.44),
    "4.5: score strategies are higher than hold-at ones with": ("figure 16", "level 25", 0.11),
    "4.3: round robin": ("figure 7", "highest 0", 0.16),
    "4.4: round robin": ("figure 12", "lowest 0", 0.35),
    "4.5: round robin": ("figure 15", "highest 0", 0.5),
    "4.5: score strategies are higher than hold-at ones in": ("figure 15", "level 0", 0.41),
}


@pytest.mark.parametrize("start", WRONG)
def test_a_sentence_is_false_of_a_figure_that_contradicts_it(start):
    *key, value = WRONG[start]
    (words,) = (one.words for one in SENTENCES if one.words.startswith(start))
    assert not true_of(published() | {tuple(key): np.array([value])})[words][0]


def test_a_sentence_without_its_figures_is_left_out():
    assert true_of({("figure 14", "at 1"): np.array([0.2, 0.5])})[
        "4.4: cubes fall at once from hold-at strategies"
    ].tolist() == [True, False]


@pytest.mark.parametrize("start", sentences.GIVEN)
def test_the_given_strategies_win_as_often_as_the_sentences_say(start):
    grid, genomes = given(Program(), Setting(start), 0)
    assert referee(Program(), Members(grid, genomes)).mean() == pytest.approx(sentences.GIVEN[start], abs=5e-5)


@pytest.mark.parametrize("sides", [1, 2])
def test_luck_carries_a_curve_out_of_its_bounds_in_one_of_twenty_runs(sides):
    """Of 4,000 curves of 101 records, 5 % leave the bounds, as a normal law has it (within 4 standard errors)."""
    wins = 0.4 + (0.4 * 0.6 / (SIZE * 100)) ** 0.5 * Draw(1, "validation").normals(404_000).reshape(4000, 101)
    away = wins - 0.4 if sides == 1 else np.abs(wins - 0.4)
    assert np.mean(away.max(axis=1) > luck(0.4, sides)) == pytest.approx(0.05, abs=4 * (0.05 * 0.95 / 4000) ** 0.5)
