"""Exeter 2016: what is compared with what, on runs whose answer is known."""

import numpy as np
import pytest

from pigevo.runs.load import Run
from pigevo.studies.find import load_study
from pigevo.studies.group import Group, answers
from pigevo.studies.settings import read_settings

STUDY = load_study("exeter2016")
QUESTIONS, ANSWERS = STUDY.questions, STUDY.answers
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


def test_the_part_of_the_noise_is_a_difference_of_differences(groups):
    found = {(one.a, one.b): one for one in answers([*QUESTIONS.falls(groups)])}
    name = "figure 9, mutation 0.005: lost"
    noise = found[f"{name} with games", "lost with exact pairing"]
    assert noise.difference == pytest.approx(0.03, abs=0.005)
    assert noise.better == noise.a
    smaller = found[f"{name} with exact pairing", "what exact pairing takes away"]
    assert smaller.difference == pytest.approx(0.12 - 0.03, abs=0.01)
    assert smaller.low < smaller.difference < smaller.high
    assert found[f"{name} with games", "lost if survivors stay"].difference == pytest.approx(0.07, abs=0.005)
    both = found["cubes, mutation 0.005 exact: lost", "lost if survivors stay as well"]
    assert both.difference == pytest.approx(0.11, abs=0.005)
    assert len(found) == 2 * 3 + 2


def test_two_significant_falls_may_leave_their_difference_open():
    """Games lose something, exact pairing loses something, and which loses more cannot be said."""
    groups = {name: cubes(name, (0.4, 0.35, 0.25), sd=0.03) for name in ("figure_9_0.005", "cubes_0.005_exact")}
    kept = {name: cubes(name, (0.4, 0.4, 0.4)) for name in ("cubes_kept", "cubes_exact_kept")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QUESTIONS, "LUCK", {"cubes_0.005_exact": ("figure_9_0.005", 300)})
        patch.setattr(QUESTIONS, "SHRINKING", ("figure_9_0.005", "cubes_0.005_exact"))
        first = answers([*QUESTIONS.falls(groups | kept)])[0]
        ends = answers([*QUESTIONS.shrinking(groups | kept)])
    assert first.better is None
    assert ends[1].better == ends[1].b == "end of cubes of 10"
    assert ends[3].better == ends[3].b


def test_rates_are_compared_with_one_that_was_chosen_before(groups):
    """Not with whichever did best in the same runs, which would look better than it is."""
    found = answers([*QUESTIONS.rates(groups)])
    assert len(found) == 3 * 5
    assert {one.b for one in found} == {"mutation 0.005"}
    assert found[0].a == "end of cubes of 20: mutation 0"
    assert found[0].difference == pytest.approx(0.36 - 0.43, abs=0.005)
    by_name = {one.a: one for one in found}
    assert by_name["end of cubes of 5: mutation 0.001"].better == "end of cubes of 5: mutation 0.001"


def test_a_median_is_told_with_the_lowest_the_highest_and_who_falls(groups):
    means = groups["cubes_0"].mean
    means[:, GENERATIONS == 300] = np.linspace(0.352, 0.429, 10)[:, None]
    means[:, GENERATIONS == 100] = 0.36
    line = next(line for line in ANSWERS._rates(groups).splitlines() if line.startswith("| 0 |"))
    assert "| 10 | 0.3600 (0.3600 to 0.3600) |" in line
    assert "| 0.3905 (0.3520 to 0.4290) | 0.4000 (0.4000 to 0.4000) | 1 |" in line


def test_every_setting_that_is_compared_is_one_of_the_study():
    settings = read_settings(STUDY.HERE / "settings.yaml")
    known = {*settings["paper"], *settings["further"]}
    named = {
        *QUESTIONS.SHRINKING,
        *QUESTIONS.LUCK,
        *QUESTIONS.WISHES,
        *QUESTIONS.WISHES.values(),
        *ANSWERS.BESIDE_RANDOM,
    }
    named |= {noisy for noisy, _ in QUESTIONS.LUCK.values()}
    assert named <= known
    assert all(name in known for settings in STUDY.pictures.CURVES.values() for name in settings)
