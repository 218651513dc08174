"""Ten rounds of Pig as a school blog plays it: its formula, its questions, and the optimum, exactly."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import minimize_scalar

import pigevo
from pigevo.core.intervals import mean_interval
from pigevo.core.text import with_interval
from pigevo.figures.axes import figure_of, save_figure
from pigevo.figures.decisions import decisions_data, plot_decisions
from pigevo.games import GAMES, Game
from pigevo.strategies.stick_formula import by_rolls
from pigevo.sweeps import run_jobs

from ..common.group import Group, groups_of
from ..common.settings import conclude, in_turn, jobs_of, read_settings
from ..common.tables import table as markdown
from ..common.tables import write_section
from .players import beating_turns, formula, mean_points, repaired, rolls_each_turn, sharp, worth_of

LOG = logging.getLogger(__name__)
HERE = Path(__file__).parent
MOST_SEEDS, MOST_OWN_SEEDS = 3, 5
"""Runs of evolution, and of evolution by its own matches: the study shall take minutes."""

DIGITS = {"ten_rounds": 5, "self_play": 4}
"""The decimals in which runs of each setting differ."""

EXACT: Mapping[str, int] = {}
"""Options of the game of the exact part, if not the usual ones."""

TARGETS = range(8, 31)
ROLLS = range(1, 9)
LEASTS = (1, 14, 17, 18, 19, 20, 21, 22, 23, 24)
POWERS = (4.0, 8.0, 16.0, 32.0, 64.0, 128.0)


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables and pictures.

    Args:
        folder: where everything goes.
        seeds: how many seeds evolution has, `MOST_SEEDS` at most.
        workers: processes.
    """
    settings = read_settings(HERE / "settings.yaml")
    jobs = jobs_of(settings["evolution"], min(seeds, MOST_SEEDS), folder)
    own = jobs_of(settings["games"], min(seeds, MOST_OWN_SEEDS), folder)
    conclude(run_jobs(in_turn(jobs | own), workers, "runs of ten rounds"))
    for name, group in groups_of(jobs | own).items():
        write_section(folder, name, by_seed(group, DIGITS[name]))
    game: Game = GAMES["ten_rounds"].bind(EXACT)
    LOG.info("solving, and all players against all")
    best = pigevo.optimal(game)
    targets = {n: _against(pigevo.hold_at(game, n), best.strategy) for n in TARGETS}
    mended = {n: _against(repaired(pigevo.hold_at(game, n)), best.strategy) for n in TARGETS}
    rolls = {n: _against(by_rolls(game, rolls_each_turn(n), f"{n} rolls"), best.strategy) for n in ROLLS}
    powers = {p: best_divisor(game, best.strategy, p) for p in POWERS}
    threshold = best_threshold(game, best.strategy)
    sharpened = by_rolls(game, sharp(threshold), "the formula, sharpened")
    players = [
        formula(game),
        repaired(formula(game)),
        sharpened,
        repaired(sharpened),
        by_rolls(game, rolls_each_turn(4), "four rolls"),
        pigevo.hold_at(game, 14),
        pigevo.hold_at(game, max(targets, key=targets.__getitem__)),
        repaired(pigevo.hold_at(game, max(mended, key=mended.__getitem__))),
        best.strategy,
    ]
    write_section(folder, "table", table(players))
    points = dict(zip(TARGETS, mean_points(game, TARGETS).tolist(), strict=True))
    columns = {"hold at": targets, "and last turn repaired": mended, "points of a turn": points}
    write_section(folder, "targets", lines_of(columns))
    write_section(folder, "beaten", beaten(game, best.strategy))
    write_section(folder, "rolls", lines_of({"rolls each turn": rolls}))
    write_section(folder, "answers", answers(players, best, powers, threshold, groups_of(jobs)))
    save_figure(folder / "optimum.png", figure_of(plot_decisions([decisions_data(best.strategy)])))


def best_divisor(game: Game, opponent: pigevo.Strategy, power: float) -> tuple[float, float]:
    """The divisor with which the formula of a power does best against an opponent, as a threshold, and what it wins.

    The formula sticks for sure from a threshold on: `power * v * log(rolls) >= log(divisor)`.
    """

    def lost(threshold: float) -> float:
        return -_against(formula(game, power, float(np.exp(power * threshold))), opponent)

    found = minimize_scalar(lost, bounds=(0.5, 2.0), method="bounded", options={"xatol": 1e-3})
    return float(found.x), -float(found.fun)


def best_threshold(game: Game, opponent: pigevo.Strategy) -> float:
    """Where `v * log(rolls)` should make a player hold who leaves nothing to chance: of all that differ, the best."""
    places = [(n, r) for n in TARGETS for r in range(2, n) if 2 <= n / r <= max(points for points, _ in game.die)]
    values = sorted({float(worth_of(n, r)) for n, r in places})
    return max(values, key=lambda value: _against(by_rolls(game, sharp(value), "tried"), opponent))


def beaten(game: Game, best: pigevo.Strategy) -> str:
    """What players win against the optimum who roll until they have beaten the opponent, from a least turn total on."""
    turns = {n: float(np.mean(beating_turns(best, n))) for n in LEASTS}
    scores = {n: _against(pigevo.parse_strategy(f"rule: max({n},j-i+1)", game), best) for n in LEASTS}
    heads = ("hold at, at the earliest", "must beat the opponent's score")
    text = lines_of({heads[0]: turns, heads[1]: scores})
    return text.replace("against the optimum", "must beat the opponent's last turn", 1)


def by_seed(group: Group, digits: int) -> str:
    """What the champion of each seed wins against the optimum of its game, and their mean with its interval."""
    rows: list[tuple[str, ...]] = []
    for seed, run in zip(group.seeds, group.runs, strict=True):
        assert run.result is not None
        won = run.result["champion"]
        played = f"{run.result['games']:,}"
        mended = _against(repaired(run.champion), pigevo.optimal(run.champion.game).strategy)
        figures = (won["first"], won["second"], won["overall"], mended)
        rows.append((str(seed), *(f"{figure:.{digits}f}" for figure in figures), played))
    mean = with_interval(float(group.champion.mean()), *mean_interval(group.champion), f".{digits}f")
    rows.append(("mean (95 % interval)", "", "", mean, "", ""))
    return markdown(["seed", "moving first", "second", "overall", "last turn repaired", "simulated games"], rows)


def table(players: Sequence[pigevo.Strategy]) -> str:
    """All against all: what the player of the row wins, moving first and moving second, a draw counting a half."""
    names = [one.name for one in players]
    lines = [f"| first / second | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for a in players:
        found = [pigevo.win_probability(a, b) for b in players]
        lines.append(f"| {a.name} | {' | '.join(f'{p.first:.4f} / {p.second:.4f}' for p in found)} |")
    return "\n".join([*lines, ""])


def lines_of(columns: Mapping[str, Mapping[int, float]]) -> str:
    """Overall win probabilities against the optimum, by a number."""
    first, *others = columns
    heads = "".join(f" {name} |" for name in others)
    lines = [f"| {first} | against the optimum |{heads}", f"|---|---|{'---|' * len(others)}"]
    for n, value in columns[first].items():
        more = "".join(f" {columns[name][n]:.4f} |" for name in others)
        lines.append(f"| {n} | {value:.4f} |{more}")
    return "\n".join([*lines, ""])


def answers(
    players: Sequence[pigevo.Strategy],
    best: pigevo.exact.Solution,
    powers: Mapping[float, tuple[float, float]],
    threshold: float,
    groups: Mapping[str, Group],
) -> str:
    """What the blog asks, with our figures."""
    plain, mended, tuned, both, four, _, target, fixed, optimum = players
    mine = {one.name: pigevo.win_probability(one, optimum) for one in players}
    own = pigevo.win_probability(optimum, optimum)
    answer = pigevo.best_response(plain)
    lines = [
        f"- **How good is the formula?** It wins {mine[plain.name].overall:.4f} against the optimum, "
        f"and {pigevo.win_probability(plain, target).overall:.4f} against {target.name}; "
        f"the best response to it wins {answer.overall:.4f}.",
        f"- **What does repairing the last turn give?** {_gain(mine, mended, plain)} against the optimum; "
        f"against the formula as it is it wins {pigevo.win_probability(mended, plain).overall:.4f}.",
        f"- **Is rolling four times every turn good?** It wins {mine[four.name].overall:.4f} against the optimum, and "
        f"{pigevo.win_probability(four, plain).overall:.4f} against the formula.",
        f"- **Which constants are best for the formula?** None: the larger the power, with the best divisor for it, "
        f"the better. {_ladder(powers)}. In the limit nothing is left to chance: it holds once `v ln(rolls)` is "
        f"{threshold:.4f} ({_first_holds(threshold)}), and wins {mine[tuned.name].overall:.4f}; "
        f"{mine[both.name].overall:.4f} with the last turn repaired.",
        f"- **What is the best target number?** {target.name}, with {mine[target.name].overall:.4f}; with the last "
        f"turn repaired {fixed.name}, with {mine[fixed.name].overall:.4f}.",
        f"- **What is the correct way to play?** The optimum: it wins {own.first:.6f} when it moves first and "
        f"{own.second:.6f} when it moves second, draws counting a half ({own.draw_first:.4f} of its games are drawn). "
        "To know what one must beat is worth more than to begin.",
    ]
    for name, group in groups.items():
        found = ", ".join(f"{value:.4f}" for value in group.champion)
        lines.append(
            f"- **How far does evolution come?** `experiment={name}`: {found} against the optimum of its game."
        )
    return "\n".join([*lines, ""])


def _against(one: pigevo.Strategy, other: pigevo.Strategy) -> float:
    return float(pigevo.win_probability(one, other).overall)


def _gain(mine: Mapping[str, pigevo.exact.WinProbability], new: pigevo.Strategy, old: pigevo.Strategy) -> str:
    return f"{mine[new.name].overall:.4f} instead of {mine[old.name].overall:.4f}"


def _ladder(powers: Mapping[float, tuple[float, float]]) -> str:
    def one(power: float, threshold: float, value: float) -> str:
        return f"`rolls^({power:g} v) / {np.exp(power * threshold):.3g}` wins {value:.4f}"

    return ", ".join(one(power, *found) for power, found in powers.items())


def _first_holds(threshold: float) -> str:
    """At which totals a sharp rule holds, by the number of rolls."""
    least = {r: int(np.ceil(6 * r * threshold / np.log(r) - 1e-9)) for r in range(3, 8)}
    return ", ".join(f"{total} after {r} rolls" for r, total in least.items() if total <= 6 * r)
