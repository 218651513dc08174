"""The rediscovery study: how near to the optimum evolution comes, and what each of its ingredients gives.

A champion is compared with the optimum: where they differ, and what its decisions are worth. The curves of the pictures
are tables, too: win probability against the optimum by strategies evaluated.
"""

from __future__ import annotations

import csv
import itertools
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, LogNorm
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation

import pigevo
from pigevo.core.arrays import Floats, Ints
from pigevo.core.intervals import share_interval
from pigevo.core.text import percent
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import referee
from pigevo.exact import gene_importance, optimal, reach, turn_starts
from pigevo.figures.axes import (
    AMOUNTS,
    COLORS,
    LEAST,
    WIDTH,
    Given,
    Panels,
    add_caption,
    color_bar,
    figure_of,
    grid_of,
    new_figure,
    panels_or_new,
    save_figure,
    styled,
)
from pigevo.figures.decisions import FIRST_HOLD, decisions_data, highest
from pigevo.figures.evolving import film_data, film_figures
from pigevo.figures.matrices import MasterTournament, master_tournament_data, plot_master_tournament
from pigevo.runs.load import Run
from pigevo.runs.pictures import champions, reel_of, save_film
from pigevo.storage.files import csv_bytes, write_bytes
from pigevo.strategies import Strategy
from pigevo.sweeps import run_jobs

from ..common.group import Group, Question, answers, groups_of
from ..common.group import as_markdown as compared_table
from ..common.settings import conclude, in_turn, jobs_of, read_settings
from ..common.spent import Spent, plot_beside, plot_spent, spent_data
from ..common.tables import WINS, write_section
from . import settled

SELDOM = 1e-3
"""Pairs of scores with fewer expected turns per game are not coloured."""


WORTHLESS = 1e-7
"""Decisions that are worth less win probability are not coloured."""


@dataclass(frozen=True, eq=False)
class Learned:
    """A comparison of a champion with the optimum.

    Args:
        target: points of the game.
        champion, best: turn totals at which the champion and the optimum first hold, shape (T, T), by own
            and opponent's score.
        turns: expected number of the champion's turns that begin at each pair of scores, shape (T, T).
        agreement: the share of the champion's decisions, weighted by their frequency in play, that equal the optimum's.
        cells_agree: the share of all decision states in which they are equal.
        importance: win probability that the champion's decisions at each pair of scores are worth, summed over the turn
            totals at which they are the better choice, shape (T, T).
    """

    target: int
    champion: Ints
    best: Ints
    turns: Floats
    agreement: float
    cells_agree: float
    importance: Floats


def learned_data(champion: Strategy) -> Learned:
    """Compare a champion with the optimum of its game, in play against it.

    Raises:
        InputError: The game is not a race with one die.
    """
    game = champion.game
    if not game.one_die:
        raise InputError(f"the picture of what a champion has learned is for races of one die, not for {game}.")
    best = optimal(game).strategy
    visits = reach(champion, best).overall
    decides = np.broadcast_to(game.decision_states, game.shape)
    weights = np.where(decides, visits, 0.0)
    same = champion.roll == best.roll
    return Learned(
        target=game.target,
        champion=decisions_data(champion).first_hold,
        best=decisions_data(best).first_hold,
        turns=visits[:, :, 0],
        agreement=float(weights[same].sum() / weights.sum()) if weights.any() else 1.0,
        cells_agree=float(same[decides].mean()),
        importance=np.maximum(gene_importance(champion, best), 0).sum(axis=2),
    )


@styled
def plot_learned(data: Learned, ax: Given = None) -> Panels:
    """Draw where champion and optimum first hold, where they differ, and the value of the champion's decisions.

    Only scores at which turns begin in play are coloured; decisions at other scores have never been selected.

    Args:
        data: result of `learned_data`.
        ax: four panels; by default in a new figure.
    """
    panels = panels_or_new(ax, 4, _two_rows)
    seen = data.turns >= SELDOM
    colors = {"cmap": AMOUNTS, "vmin": 0, "vmax": highest(data.target)}
    for axes, holds, name in ((panels[0], data.champion, "the champion"), (panels[1], data.best, "the optimum")):
        image = _hatched(axes, np.where(seen, holds, np.nan), name, colors)
    color_bar(image, panels[:2], FIRST_HOLD, extend="max")
    later = np.where(seen, np.sign(data.champion - data.best), np.nan)
    colors = {"cmap": ListedColormap([COLORS[1], "#ffffff", COLORS[2]]), "vmin": -1.5, "vmax": 1.5}
    bar = color_bar(_hatched(panels[2], later, "the champion holds", colors), panels[2], "", ticks=[-1, 0, 1])
    bar.ax.set_yticklabels(["earlier", "alike", "later"])
    worth = np.where(data.importance >= WORTHLESS, data.importance, np.nan)
    colors = {"cmap": AMOUNTS, "norm": LogNorm(WORTHLESS, 1e-2)}
    image = _hatched(panels[3], worth, "what its decisions are worth", colors)
    color_bar(image, panels[3], "win probability", extend="max")
    if ax is None:
        alike = f"{100 * data.agreement:.1f} % of the decisions that arise in play"
        figure_of(panels).suptitle(f"{alike} are the optimum's ({100 * data.cells_agree:.1f} % of all cells)")
        rare = f"fewer than 1 turn in {1 / SELDOM:,.0f} games begins there"
        add_caption(panels[2], f"Hatched: {rare}, or decisions are worth less than {WORTHLESS:.7f}.")
    return panels


def _two_rows() -> Iterable[Axes]:
    """A new figure with two rows of two panels; each row makes room for its own colour bars."""
    for row in np.ravel(new_figure((WIDTH, 9.6)).subfigures(2, 1, squeeze=False)).tolist():
        yield from row.subplots(1, 2)


def _hatched(axes: Axes, numbers: Floats, title: str, colors: Mapping[str, Any]) -> AxesImage:
    """Draw numbers over both scores; NaN is hatched."""
    frame: dict[str, Any] = {"transform": axes.transAxes, "facecolor": "w", "edgecolor": "0.75", "lw": 0, "zorder": 0}
    axes.add_patch(Rectangle((0, 0), 1, 1, hatch="////", **frame))
    axes.set(title=title, xlabel="own score", ylabel="opponent's score", box_aspect=1)
    extent = (0, len(numbers), 0, len(numbers))
    return axes.imshow(numbers.T, origin="lower", extent=extent, interpolation="nearest", **colors)


LOG = logging.getLogger(__name__)
HERE = Path(__file__).parent
GOALS = {
    "rediscover": 0.4998, "rediscover_long": 0.4999, "coevolve": 0.499, "exploit": -0.001,
    "rediscover_target_50": 0.4995, "coevolve_target_50": 0.4995, "exploit_target_50": -0.0005,
    "rediscover_piglet": 0.4995, "coevolve_piglet": 0.4995, "exploit_piglet": -0.0005,
    "coevolve_exploring_starts": 0.499,
}  # fmt: skip
"""What a champion shall win against the optimum, or against its opponent less what the best response wins."""
FRESH = 2000
"""The first of the seeds on which nothing was chosen: settings were tried on smaller ones."""
FORGETS = 77002
"""The seed whose run loses what it has learned where all games begin with the opening."""
CONFIRMING = 880_001
"""The first of the seeds for `coevolve` with exploring starts, which were chosen by none of them."""
FURTHER = 3
"""One setting compared with another gets one seed for so many of the goals', but two at least."""
GAMES = ("Pig to 100", "Pig to 50", "Piglet")
LONGER = ("rediscover long", "coevolve noisy")
"""The settings in words that only one game has: they are drawn last."""
PARTS = ("goals", "forgetting", "confirmation", "ingredients", "baselines")
"""Of the settings, in the order of the tables."""
CHUNK = 500
NEVER = 1e-6
"""Scores at which fewer turns than this begin in a game are those where play never comes."""


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables and pictures.

    Args:
        folder: where everything goes.
        seeds: how many seeds the goals have.
        workers: processes.
    """
    settings, few = read_settings(HERE / "settings.yaml"), max(2, seeds // FURTHER)
    jobs = jobs_of(settings["goals"], seeds, folder, FRESH) | jobs_of(settings["forgetting"], 1, folder, FORGETS)
    jobs |= jobs_of(settings["confirmation"], seeds, folder, CONFIRMING)
    for part in ("ingredients", "baselines"):
        jobs |= jobs_of(settings[part], few, folder)
    conclude(run_jobs(in_turn(jobs), workers, "runs of rediscovery"))
    settled_runs = [_settle(name, settings, seeds, folder, workers) for name in settled.PLANS]
    write_bytes(folder / "settled.csv", settled.settled_as_csv(settled_runs))
    LOG.info("reading the runs, drawing and comparing")
    groups = groups_of(jobs)
    random = {seed: _random_search(groups["all_ingredients"], seed) for seed in range(few)}
    goals, forgetting, confirmation, parts, plain = ({name: groups[name] for name in settings[part]} for part in PARTS)
    write_section(folder, "goals", _goals(goals))
    write_section(folder, "ingredients", _compared({**parts, **plain}, random))
    write_section(folder, "forgetting", _forgetting(forgetting))
    write_section(folder, "confirmation", _goals(confirmation))
    write_section(folder, "tuning", settled.tuning_table(settled.tuned(folder / "tuning.csv")))
    near = {name: group for name, group in goals.items() if not name.startswith("exploit")}
    for name, drawn in (("goals", near), ("ingredients", parts)):
        write_bytes(folder / f"{name}.csv", curves_as_csv(drawn))
        save_figure(folder / f"{name}.png", figure_of(PICTURES[name](read_curves(folder / f"{name}.csv"))))
    learned = _learned(folder, groups["rediscover"])
    lineages = {name: _lineage(groups[name]) for name in ("coevolve", "coevolve_noisy")}
    save_figure(folder / "generations.png", figure_of(plot_master_tournament(lineages["coevolve"])))
    write_section(folder, "learned", _told(learned, lineages))


def _settle(
    name: str, settings: Mapping[str, Mapping[str, str]], seeds: int, folder: Path, workers: int
) -> settled.Rows:
    """The runs of a plan, which have a folder of their own, and their table."""
    plan = settled.PLANS[name]
    jobs = jobs_of(plan.words(settings), seeds, folder / name, plan.first)
    conclude(run_jobs(in_turn(jobs), workers, f"runs of {name}"))
    rows = {setting: group.by_seed(group.champion) for setting, group in groups_of(jobs).items()}
    write_section(folder, name, settled.settled_table(rows, plan))
    return rows


@styled
def _curves_of_each_game(spent: Mapping[str, Spent]) -> Panels:
    """Draw the curves of each game in a panel of its own, by setting in words; a setting has the same line in all."""
    panels = panels_or_new(None, len(GAMES), grid_of(len(GAMES), 1, (WIDTH, 3.6), sharex=True))
    in_order = sorted(spent, key=lambda name: name.startswith(LONGER))
    meaning = up = ""
    for game, ax in zip(GAMES, panels, strict=True):
        ending = f" {game}".replace(" Pig to", " target").lower()
        plot_spent({name.removesuffix(ending): spent[name] for name in in_order if _game(name) == game}, ax)
        for text in ax.texts:
            if isinstance(text, Annotation) and text.get_text().startswith(LONGER[1]):
                # It ends amid the others: its name goes where there are none.
                text.set(position=(-18, -24), ha="right", va="top")
                leader = {"arrowstyle": "-", "lw": 1.2, "shrinkA": 0, "shrinkB": 0, "color": ax.lines[-1].get_color()}
                ax.annotate("", text.xy, (-18, -27), textcoords="offset points", arrowprops=leader)
        meaning, up = ax.get_title("left"), ax.get_ylabel()
        ax.set(ylabel="", xlabel=ax.get_xlabel() if ax is panels[-1] else "")
        ax.set_title(game, loc="left", fontsize=LEAST)
    figure = figure_of(panels)
    figure.supylabel(up, fontsize=12)
    figure.suptitle(meaning, fontsize=12)
    return panels


PICTURES: Mapping[str, Callable[[Mapping[str, Spent]], Panels]] = {
    "goals": _curves_of_each_game,
    "ingredients": plot_beside,
}
"""What draws the curves of a table, by the name of the table and of the picture."""


def _game(name: str) -> str:
    return GAMES[1] if name.endswith("target 50") else GAMES[2] if name.endswith("piglet") else GAMES[0]


def _learned(folder: Path, group: Group) -> Learned:
    """What the median champion learned, and how it came to it."""
    middle = int(np.argsort(group.champion, kind="stable")[len(group.runs) // 2])
    run = group.runs[middle]
    data = learned_data(run.champion)
    save_figure(folder / "learned.png", figure_of(plot_learned(data)))
    assert run.folder is not None
    curve = reel_of(run.folder).curve
    save_film(folder / "evolution.gif", film_figures(*film_data(_champions(run, every=25), curve), curve), dpi=70)
    return data


def _lineage(group: Group) -> MasterTournament:
    """The champions of the first seed's generations against each other."""
    champions = _champions(group.runs[0], every=50)
    return master_tournament_data(list(champions), list(champions.values()))


def _champions(run: Run, every: int) -> dict[int, Strategy]:
    """A run's champions after generation 0."""
    assert run.folder is not None
    return {number: champion for number, champion in champions(reel_of(run.folder, every)) if number}


def _figure(group: Group) -> np.ndarray:
    """Each champion against the optimum; of exploiters against their opponent, less what the best response wins."""
    fitness = group.runs[0].settings.choices["fitness"]
    if fitness.name != "exact_vs":
        return group.champion
    opponent = pigevo.parse_strategy(fitness.options["opponent"], group.runs[0].champion.game)
    most = pigevo.best_response(opponent).overall
    return np.array([pigevo.win_probability(run.champion, opponent).overall - most for run in group.runs])


def _goals(groups: Mapping[str, Group]) -> str:
    lines = [
        "| experiment | runs | median | least | greatest | goal | runs that meet it (95 %) | strategies | games |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, group in groups.items():
        found, spent = _figure(group), _spent(group)
        lines.append(
            f"| {_words(name)} | {len(found)} | {np.median(found):.5f} | {found.min():.5f} | {found.max():.5f} | "
            f"{_met(found, GOALS.get(name))} | {spent['evaluations']:,.0f} | {spent['games']:,.0f} |"
        )
    return "\n".join([*lines, ""])


def _met(figures: np.ndarray, goal: float | None) -> str:
    """A goal and how many runs meet it, with the interval of the share."""
    if goal is None:
        return " | "
    met = int((figures >= goal).sum())
    low, high = share_interval(met, len(figures))
    return f"{goal} | {met} of {len(figures)} ({low:.2f} to {high:.2f})"


def _spent(group: Group) -> dict[str, float]:
    """What the median run spent."""
    results = [run.result for run in group.runs if run.result is not None]
    return {what: float(np.median([result[what] for result in results])) for what in ("evaluations", "games")}


def _compared(groups: Mapping[str, Group], random: Mapping[int, float]) -> str:
    """Champions of all settings, and each setting beside the first one, seed by seed."""
    figures = {_words(name): group.by_seed(group.champion) for name, group in groups.items()}
    strategies = {_words(name): _spent(group)["evaluations"] for name, group in groups.items()}
    (first, whole), *_ = figures.items()
    figures["random search"], strategies["random search"] = dict(random), strategies[first]
    lines = ["| setting | runs | strategies | median | least | greatest |", "|---|---|---|---|---|---|"]
    for title, by_seed in figures.items():
        found = np.array(list(by_seed.values()))
        spread = f"{np.median(found):.5f} | {found.min():.5f} | {found.max():.5f}"
        lines.append(f"| {title} | {len(found)} | {strategies[title]:,.0f} | {spread} |")
    spent = {_words(name): group.budget() for name, group in groups.items()}
    asked = [
        Question(title, first, by_seed, whole, spent.get(title), spent[first])
        for title, by_seed in figures.items() if title != first
    ]  # fmt: skip
    return "\n".join([*lines, "", compared_table(answers(asked, WINS))])


def _forgetting(groups: Mapping[str, Group]) -> str:
    """Champions of the same seed under each setting, and what happened at the steepest fall under the first one."""
    runs = {name: _champions(group.runs[0], every=50) for name, group in groups.items()}
    best = pigevo.optimal(next(iter(groups.values())).runs[0].champion.game).strategy
    figures = {
        name: {n: (_wins(one, best), pigevo.best_response(one).overall - 0.5) for n, one in champions.items()}
        for name, champions in runs.items()
    }
    titles = [f"{_words(name)}: {what}" for name in runs for what in ("against the optimum", "exploitability")]
    lines = [f"| generation | {' | '.join(titles)} |", "|---" * (len(titles) + 1) + "|"]
    for number in next(iter(runs.values())):
        cells = [f"{figure:.5f}" for found in figures.values() for figure in found[number]]
        lines.append(f"| {number} | {' | '.join(cells)} |")
    (first, champions), *_ = runs.items()
    numbers = list(champions)
    falls = [figures[first][a][0] - figures[first][b][0] for a, b in pairwise(numbers)]
    place = int(np.argmax(falls))
    before, after = champions[numbers[place]], champions[numbers[place + 1]]
    return "\n".join([*lines, "", *_fall(before, after, best), ""])


def _fall(before: Strategy, after: Strategy, best: Strategy) -> list[str]:
    """What a later champion that is worse wins against an earlier one, and where."""
    met = turn_starts(before, after)
    never = turn_starts(before, before) < NEVER
    mended = pigevo.Strategy(before.game, np.where(never[:, :, None], best.roll, before.roll))
    rows = {
        "the later champion against the earlier one": f"{_wins(after, before):.5f}",
        "turns of the earlier champion in such a game": f"{met.sum():.2f}",
        "those that begin at scores where it never comes against itself": f"{met[never].sum():.2f}",
        "the later champion against the earlier one with the optimum's decisions there": f"{_wins(after, mended):.5f}",
        "the earlier champion with these decisions against itself without them": f"{_wins(mended, before):.5f}",
    }
    title = f"| {before.name} and {after.name}, the opening | |"
    return [title, "|---|---|", *(f"| {what} | {figure} |" for what, figure in rows.items())]


def _wins(a: Strategy, b: Strategy) -> float:
    return float(pigevo.win_probability(a, b).overall)


def _told(learned: Learned, lineages: Mapping[str, MasterTournament]) -> str:
    lines = [
        f"The median champion of `rediscover` decides as the optimum in {percent(learned.agreement)} of the "
        f"decisions that arise in play, and in {percent(learned.cells_agree)} of all cells.\n"
    ]
    for name, data in lineages.items():
        pairs = len(data.generations) * (len(data.generations) - 1) // 2
        lines.append(
            f"`{name}`, seed {FRESH}: {len(data.cycles)} cycles of three among {len(data.generations)} champions; in "
            f"{len(data.lost)} of {pairs:,} pairs the earlier one wins. "
            + "".join(f"{a:,} beats {b:,} beats {c:,} beats {a:,}. " for a, b, c in data.cycles[:3])
        )
    return "\n".join([*lines, ""])


def _random_search(group: Group, seed: int) -> float:
    """The best of as many random strategies on cubes as a run of the setting evaluates."""
    settings, metrics = group.runs[0].settings, group.runs[0].metrics
    grid, left = settings.plan.waves[0].grid, int(metrics["evaluations"][-1])
    best = 0.0
    for part in range(-(-left // CHUNK)):
        genomes = Draw(seed, "validation", part).bits(min(CHUNK, left - part * CHUNK), grid.genes)
        best = max(best, float(referee(grid.game, grid.to_tables(genomes)).max()))
    return best


def _words(name: str) -> str:
    return name.replace("_", " ")


def curves_as_csv(groups: Mapping[str, Group]) -> bytes:
    """The best member of each recorded generation, a column for each seed; empty where a setting lacks the seed.

    A setting spends as many strategies in every run, so that its seeds share their rows.
    """
    seeds = sorted({seed for group in groups.values() for seed in group.seeds})
    rows: list[list[object]] = [["setting", "strategies", *seeds]]
    for name, group in groups.items():
        best = {seed: run.metrics["best"] for seed, run in zip(group.seeds, group.runs, strict=True)}
        for record, strategies in enumerate(group.runs[0].metrics["evaluations"].tolist()):
            cells = (f"{best[seed][record]:.9f}" if seed in best else "" for seed in seeds)
            rows.append([name, strategies, *cells])
    return csv_bytes(rows)


def read_curves(path: Path) -> dict[str, Spent]:
    """The curves that `curves_as_csv` has written, by setting in words."""
    with path.open(newline="", encoding="utf-8") as file:
        _, *rows = csv.reader(file)
    return {
        name.replace("_", " "): _curve(np.array([[cell or "nan" for cell in row[1:]] for row in records], dtype=float))
        for name, records in itertools.groupby(rows, key=lambda row: row[0])
    }


def _curve(columns: np.ndarray) -> Spent:
    """The curves of a setting, from its columns: strategies, then those of seeds, which are NaN without a run."""
    strategies, *seeds = columns.T
    return spent_data([{"evaluations": strategies, "best": best} for best in seeds if not np.isnan(best).any()])
