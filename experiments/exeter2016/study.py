"""Exeter 2016 done again: what is run, what is drawn, what is compared with what."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from omegaconf import OmegaConf
from scipy import stats

import pigevo
from pigevo.arena import match_variation
from pigevo.dice import Draw
from pigevo.figures.boxes import boxes_data, plot_boxes
from pigevo.figures.decisions import decisions_data
from pigevo.figures.density import density_data, plot_density
from pigevo.figures.reproduction import Reproduction, plot_reproduction
from pigevo.figures.surface import plot_surfaces
from pigevo.files import write_bytes
from pigevo.runs.pictures import save_figure
from pigevo.studies.group import Group, groups_of
from pigevo.studies.paired import Question, answers, detectable
from pigevo.studies.paired import as_markdown as compared_table
from pigevo.studies.randomness import against_random, drawn_again
from pigevo.studies.randomness import as_markdown as random_table
from pigevo.studies.settings import conclude, in_turn, jobs_of, read_settings
from pigevo.studies.table import Row, exact_row, sampled_row, write_table
from pigevo.sweeps import run_jobs
from pigevo.sweeps.curves import random_sample

LOG = logging.getLogger(__name__)
HERE = Path(__file__).parent
FURTHER = 3
"""The settings that the paper did not have get one seed for so many of its own, but two at least."""
PAPER = "Exeter 2016"
RATES = ("0", "0.0001", "0.001", "0.005", "0.01", "0.05")
GAMES = (25, 50, 100, 250, 500, 1000)
REPEATS = 500
MEASURED = 20 * 100
"""Games from which the paper estimates a population mean: 20 strategies, 100 games each against the optimum."""
RATE_LABELS = {"0": "none", "0.0001": "0.01 %", "0.001": "0.1 %", "0.005": "0.5 %", "0.01": "1 %", "0.05": "5 %"}
CURVES = {
    "figure_05": {"figure_5": "ours"}, "figure_06": {"figure_6": "ours"}, "figure_07": {"figure_7": "ours"},
    "figure_08": {"figure_8": "ours"}, "figure_09": {f"figure_9_{r}": RATE_LABELS[r] for r in RATES[3:]},
    "figure_12": {"figure_12": "ours", "round_robin_hold_at_kept": "survivors stay"},
    "figure_13": {"figure_13": "ours", "hold_at_exact": "exact pairing"}, "figure_14": {"figure_14": "ours"},
    "figure_15": {"figure_15": "ours", "round_robin_score_kept": "survivors stay"}, "figure_16": {"figure_16": "ours"},
    "cubes_exact": {"figure_9_0.005": "100 games", "cubes_0.005_exact": "exact pairing",
                    "cubes_kept": "100 games, survivors stay", "cubes_exact_kept": "exact pairing, survivors stay"},
    "cubes_mutation": {**{f"cubes_{r}": RATE_LABELS[r] for r in RATES[:3]},
                       **{f"figure_9_{r}": RATE_LABELS[r] for r in RATES[3:]}},
}  # fmt: skip
TITLES = {
    "figure_09": "Cubes from random strategies, by mutation rate",
    "cubes_exact": "Cubes from random strategies, 0.5 % mutation",
    "cubes_mutation": "Cubes from random strategies, by mutation rate",
}


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables and pictures.

    Args:
        folder: where everything goes.
        seeds: how many seeds the paper's own settings have.
        workers: processes.
    """
    settings = read_settings(HERE / "settings.yaml")
    further = jobs_of(settings["further"], max(2, seeds // FURTHER), folder)
    jobs = jobs_of(settings["paper"], seeds, folder) | further
    conclude(run_jobs(in_turn(jobs), workers, "runs of exeter2016"))
    LOG.info("reading the runs, drawing and comparing")
    published = OmegaConf.to_container(OmegaConf.load(HERE / "published.yaml"))
    groups = groups_of(jobs)
    _, cells = random_sample(jobs["figure_8"][0].settings)
    _, cubes = random_sample(jobs["figure_9_0.005"][0].settings)
    _draw(folder, groups, published, cells)
    write_table(folder, "table", _rows(groups, published, cells))
    write_bytes(folder / "answers.md", _answers(groups, cells, cubes).encode())


def _draw(folder: Path, groups: Mapping[str, Group], published: Any, cells: np.ndarray) -> None:
    game = pigevo.Pig()
    best = decisions_data(pigevo.optimal(game).strategy)
    random = tuple(np.quantile(cells.mean(axis=1), (0.025, 0.5, 0.975)).tolist())
    for name, settings in CURVES.items():
        points = {s: published[s]["points"] for s in settings if name.startswith("figure") and s in published}
        data = Reproduction(
            title=TITLES.get(name) or published[next(iter(settings))]["title"],
            bands={label: groups[setting].band() for setting, label in settings.items()},
            published={settings[s]: [tuple(point) for point in found] for s, found in points.items()},
            random=random,
            ends=groups[next(iter(settings))].wave_ends[:-1],
        )
        save_figure(folder / f"{name}.png", plot_reproduction(data, PAPER))
    save_figure(folder / "figure_03_04.png", plot_surfaces([best]))
    final = decisions_data(groups["figure_9_0.005"].strategy())
    save_figure(folder / "figure_11.png", plot_surfaces([final, best]))
    marks = {f"peak of {_short(s)}": float(np.median(groups[s].peak)) for s in ("figure_7", "figure_8")}
    marks |= {"figure 7, published": 0.139, "figure 8, published": 0.133}
    figure = Figure(figsize=(7.5, 4.4), layout="constrained")
    axes = figure.add_subplot()
    plot_density(axes, density_data(cells.mean(axis=1), marks))
    axes.set(xlabel="population mean against the optimum, exact", ylabel="density", title="300 random populations")
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    save_figure(folder / "figure_10.png", figure)
    hold = pigevo.hold_at(game, 20)
    figure = Figure(figsize=(7.5, 4.4), layout="constrained")
    axes = figure.add_subplot()
    plot_boxes(axes, boxes_data(GAMES, match_variation(hold, hold, GAMES, REPEATS)))
    axes.axhline(0.5, color="k", lw=1, ls=":")
    title = f"Hold at 20 against itself, {REPEATS} matches of each length"
    axes.set(xlabel="games of a match", ylabel="share of games won", title=title)
    save_figure(folder / "figure_17.png", figure)


def _rows(groups: Mapping[str, Group], published: Any, cells: np.ndarray) -> list[Row]:
    rows = []
    for name, said in published.items():
        if name not in groups:
            continue
        figure, remark = _short(name), said.get("remark", "")
        for generation, value in said["points"]:
            what = f"mean of the population, generation {generation}"
            rows.append(sampled_row(figure, what, value, _measured(groups[name].at(generation)), remark))
        if "peak" in said:
            peaks = _measured(groups[name].mean).max(axis=1)
            rows.append(sampled_row(figure, "peak of the population mean", said["peak"], peaks, remark))
    return [*rows, *_random_rows(cells), *_variation_rows(published["figure_17"]), *_table_1(published["table_1"])]


def _measured(means: np.ndarray) -> np.ndarray:
    """Population means as the paper would have estimated them from games, which the luck of these games spreads."""
    luck = Draw(0, "validation", 1).uniforms(means.size).reshape(means.shape)
    return np.asarray(stats.binom.ppf(luck, MEASURED, means) / MEASURED)


def _random_rows(cells: np.ndarray) -> list[Row]:
    means = cells.mean(axis=1)
    again = _measured(drawn_again(means, 999, len(means)))
    return [
        sampled_row("figure 10", "centre of 300 random populations", 0.1165, again.mean(axis=1), reading=0.0005),
        sampled_row("figure 10", "the worst of them", 0.09, again.min(axis=1)),
        sampled_row("figure 10", "the best of them", 0.142, again.max(axis=1)),
    ]


def _variation_rows(said: Any) -> list[Row]:
    """Figure 17 twenty times over: the band of each quartile and whisker."""
    hold, rows = pigevo.hold_at(pigevo.Pig(), 20), []
    boxes = [boxes_data([g], match_variation(hold, hold, [g], REPEATS, n)) for n in range(20) for g in said["games"]]
    for place, games in enumerate(said["games"]):
        own = boxes[place :: len(said["games"])]
        found = {"lower quartile": [b.quartiles[0, 0] for b in own], "upper quartile": [b.quartiles[0, 2] for b in own]}
        found |= {"lower whisker": [b.whiskers[0, 0] for b in own], "upper whisker": [b.whiskers[0, 1] for b in own]}
        for what, value in said["games"][games].items():
            ours = np.array(found[what])
            rows.append(sampled_row("figure 17", f"{what}, {games} games", value, ours, said["remark"]))
    return rows


def _table_1(said: Any) -> list[Row]:
    game = pigevo.Pig()
    players = [pigevo.parse_strategy(name, game) for name in said["strategies"]]
    rows = []
    for other, line in zip(players, said["rows"], strict=True):
        for first, value in zip(players, line, strict=True):
            what = f"{first.name} first against {other.name}"
            remark = said["misprints"].get(what, said["remarks"]["optimal"])
            rows.append(exact_row("table 1", what, value, pigevo.win_probability(first, other).first, 4, remark))
    ours = pigevo.win_probability(players[0], players[1]).first
    rows.append(exact_row("section 5.2", "Neller: optimal first against hold_at:20", 0.5874, ours, 4, said["neller"]))
    best = pigevo.best_response(players[1]).value
    rows.append(exact_row("section 5.2", "the same number: best response to hold_at:20, first", 0.5874, best, 4))
    return rows


def _answers(groups: Mapping[str, Group], cells: np.ndarray, cubes: np.ndarray) -> str:
    seeds, few = len(groups["figure_8"].seeds), len(groups["cubes_sets"].seeds)
    random = {_short(name): against_random(groups[name], cells, 4) for name in ("figure_7", "figure_8")}
    random |= {_short(name): against_random(groups[name], cubes, 4) for name in ("figure_9_0.005", "figure_9_0.01")}
    parts = [
        f"{seeds} seeds find a paired difference of {detectable(seeds):.2f} standard deviations with a power of 80 %, "
        f"{few} seeds one of {detectable(few):.2f}.\n",
        "## Are round robin and knockout different from random search?\n", random_table(random),
        "## Does the cube system get worse when cubes shrink, and is it the noise of selection?\n",
        compared_table(answers(_shrinking(groups))),
        "## Which mutation rate is best at each cube size?\n", _rates(groups), compared_table(answers(_best(groups))),
        "## How much is luck of the 100 games?\n", compared_table(answers(_luck(groups))), _spread(groups),
        "## What the further wishes are worth\n", compared_table(answers(_wishes(groups))),
    ]  # fmt: skip
    return "\n".join(parts)


def _shrinking(groups: Mapping[str, Group]) -> list[Question]:
    """The end of each wave against the end of the one before."""
    names = [n for n, g in groups.items() if len(g.wave_ends) == 3 and ("exact" in n or "9_" in n or "kept" in n)]
    questions = []
    for name in names:
        group, ends = groups[name], groups[name].wave_ends
        for (before, size), (after, smaller) in zip(
            zip(ends, (20, 10), strict=False), zip(ends[1:], (10, 5), strict=True), strict=True
        ):
            a, b = f"{_short(name)}: end of cubes of {smaller}", f"end of cubes of {size}"
            questions.append(_question(a, b, (group, after), (group, before)))
    return questions


def _at_rate(groups: Mapping[str, Group], rate: str) -> Group:
    return groups.get(f"cubes_{rate}") or groups[f"figure_9_{rate}"]


def _rates(groups: Mapping[str, Group]) -> str:
    lines = ["| mutation | end of cubes of 20 | of 10 | of 5 | champion |", "|---|---|---|---|---|"]
    for rate in RATES:
        group = _at_rate(groups, rate)
        ends = [float(np.median(group.at(end))) for end in group.wave_ends]
        lines.append(f"| {rate} | " + " | ".join(f"{x:.4f}" for x in [*ends, np.median(group.champion)]) + " |")
    return "\n".join(["Medians of the population mean.\n", *lines, ""])


def _best(groups: Mapping[str, Group]) -> list[Question]:
    """At each cube size, the rate with the best mean against every other."""
    questions = []
    for wave, size in enumerate((20, 10, 5)):
        ends = {rate: (g := _at_rate(groups, rate), g.wave_ends[wave]) for rate in RATES}
        best = max(ends, key=lambda rate: float(ends[rate][0].at(ends[rate][1]).mean()))
        questions += [
            _question(f"cubes of {size}: mutation {best}", f"mutation {rate}", ends[best], ends[rate])
            for rate in RATES if rate != best
        ]  # fmt: skip
    return questions


LUCK = {
    "cubes_0.005_exact": ("figure_9_0.005", 300), "cubes_0.01_exact": ("figure_9_0.01", 300),
    "cubes_0.05_exact": ("figure_9_0.05", 300), "knockout_exact": ("figure_8", 200),
    "hold_at_exact": ("figure_13", 200), "round_robin_hold_at_exact": ("figure_12", 50),
}  # fmt: skip


def _luck(groups: Mapping[str, Group]) -> list[Question]:
    questions = []
    for exact, (noisy, end) in LUCK.items():
        a, b = groups[exact], groups[noisy]
        for generation in sorted({min(100, end), end}):
            what = f"{_short(noisy)}, generation {generation}: exact pairing"
            questions.append(_question(what, "games", (a, generation), (b, generation)))
    return questions


def _spread(groups: Mapping[str, Group]) -> str:
    lines = ["| runs | generation | sd over seeds, games | sd over seeds, exact pairing |", "|---|---|---|---|"]
    for exact, (noisy, end) in LUCK.items():
        a, b = groups[exact], groups[noisy]
        common = [b.seeds.index(seed) for seed in a.seeds]
        if len(common) > 1:
            games, pairing = b.at(end)[common].std(ddof=1), a.at(end).std(ddof=1)
            lines.append(f"| {_short(noisy)} | {end} | {games:.4f} | {pairing:.4f} |")
    return "\n".join([*lines, ""])


WISHES = {
    "cubes_sets": "figure_9_0.005", "cubes_round_robin": "figure_9_0.005", "cubes_two_points": "figure_9_0.005",
    "cubes_one_point": "figure_9_0.005", "cubes_kept": "figure_9_0.005", "cubes_exact_kept": "cubes_0.005_exact",
    "cubes_v_optimal": "cubes_exact_kept", "cubes_exploit": "cubes_v_optimal", "hold_at_sets": "figure_13",
    "knockout_0.001": "figure_8", "knockout_0.0001": "figure_8", "knockout_0": "figure_8",
    "round_robin_hold_at_kept": "figure_12", "round_robin_score_kept": "figure_15",
}  # fmt: skip


def _wishes(groups: Mapping[str, Group]) -> list[Question]:
    questions = []
    for name, other in WISHES.items():
        a, b = groups[name], groups[other]
        end = min(a.generation[-1], b.generation[-1])
        questions.append(_question(f"{_short(name)}, generation {end:.0f}", _short(other), (a, end), (b, end)))
    return questions


def _question(a: str, b: str, of_a: tuple[Group, float], of_b: tuple[Group, float]) -> Question:
    """Population means of two groups, each at a generation."""
    (first, at), (second, then) = of_a, of_b
    figures = first.by_seed(first.at(at)), second.by_seed(second.at(then))
    return Question(a, b, *figures, first.budget(at), second.budget(then))


def _short(name: str) -> str:
    return name.replace("_0", ", mutation 0").replace("_", " ")
