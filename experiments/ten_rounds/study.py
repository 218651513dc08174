"""Ten rounds of Pig as a school blog plays it: its formula, its questions, and the optimum, exactly.

Beside the formula are the players that the blog asks for, among them one who must beat what the other one's last turn
banked.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

import pigevo
from pigevo.core.arrays import Floats, Ints
from pigevo.errors import InputError
from pigevo.figures.axes import figure_of, save_figure
from pigevo.figures.decisions import decisions_data, plot_decisions
from pigevo.games import GAMES, Game
from pigevo.games.game import DIFFERENCE, LEFT, SECOND, TOTAL
from pigevo.strategies.stick_formula import Stick, by_rolls, until_ahead
from pigevo.sweeps import run_jobs

from ..common.group import Group, groups_of
from ..common.settings import conclude, in_turn, jobs_of, read_settings
from ..common.tables import WINS, mean_of, write_section
from ..common.tables import table as markdown

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
    mean = mean_of(group.champion, f".{digits}f", WINS)
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


def formula(game: Game, power: float = 4.0, divisor: float = 50.0) -> pigevo.Strategy:
    """The blog's formula, `rolls ** (power * v) / divisor`, by its public name."""
    return pigevo.parse_strategy(f"stick_formula:{power!r},{divisor!r}", game)


def sharp(threshold: float) -> Stick:
    """The formula in the limit of large powers: it holds for sure from a threshold on, and rolls for sure below it."""
    return lambda total, rolls: worth_of(total, rolls) >= threshold - 1e-12


def worth_of(total: Any, rolls: Any) -> Any:
    """`v * log(rolls)`, all that the formula looks at."""
    return total / rolls / 6 * np.log(rolls)


def rolls_each_turn(count: int) -> Stick:
    """Roll so many times in every turn."""
    return lambda total, rolls: (rolls >= count) + 0 * total


def repaired(strategy: pigevo.Strategy) -> pigevo.Strategy:
    """The same, but who makes the last turn of the game rolls until ahead, and then sticks."""
    return until_ahead(strategy, f"{strategy.name}, last turn repaired")


def banked(game: Game, rolls: Floats) -> Floats:
    """The chance of each number of points that a turn banks, shape (n, points).

    Args:
        game: of rounds, in which a 1 loses the turn total alone.
        rolls: the chance of rolling at each turn total, of n turns, shape (n, cap).
    """
    highest = max(throw.points for throw in (*game.throws, *game.first_throws))
    found = np.zeros((len(rolls), game.cap + highest))
    here = np.zeros_like(found)
    for throw in game.first_throws:
        (found if throw.ends else here)[:, throw.points] += throw.chance
    for total in range(1, game.cap):
        on = here[:, total] * rolls[:, total]
        found[:, total] += here[:, total] - on
        for throw in game.throws:
            (found if throw.ends else here)[:, throw.points + (0 if throw.ends else total)] += on * throw.chance
    found[:, game.cap :] += here[:, game.cap :]
    return found


def mean_points(game: Game, targets: Sequence[int]) -> Floats:
    """The points of a turn, on average, of who holds at each target number, shape (n,)."""
    chances = banked(game, holding(game, np.array(targets)))
    return np.asarray(chances @ np.arange(chances.shape[1]))


def holding(game: Game, targets: Ints) -> Floats:
    """The chance of rolling of who holds at each target number, shape (n, cap)."""
    return (np.arange(game.cap) < targets[:, None]).astype(float)


def beating_turns(opponent: pigevo.Strategy, least: int = 1) -> tuple[float, float]:
    """What a player wins, moving first and second, who rolls until it has beaten the other one's last turn.

    It holds once its turn total is above what the opponent banked in the last turn, and not below `least`; in the first
    turn of the game there is nothing to beat.  What a strategy of the game does not depend on, the points of that turn,
    is carried along here, with the lead.

    Args:
        opponent: whom it meets.
        least: the turn total below which it never holds.
    """
    game = opponent.game
    own = banked(game, holding(game, np.maximum(least, np.arange(game.cap) + 1)))
    first, second = (_won(opponent, own, seat) for seat in (0, 1))
    return first, second


def _won(opponent: pigevo.Strategy, own: Floats, seat: int) -> float:
    """What it wins in a seat, given what its turns bank by the points to beat, shape (cap, points)."""
    game = opponent.game
    leads = np.arange(-game.cap, game.cap + 1)
    state = np.zeros((len(leads), game.cap))  # by the lead, and the points of the opponent's last turn
    state[game.cap, 0] = 1.0
    for left in range(game.turns, 0, -1):
        for mover in (0, 1):
            if mover == seat:
                state = _moved(state @ own, leads)[:, None] * (np.arange(game.cap) == 0)
            else:
                rolls = _by_lead(opponent, left, mover)
                theirs = banked(game, rolls)[::-1]  # the own lead is the opponent's deficit
                state = _told(state.sum(axis=1)[:, None] * theirs, game.cap)
    final = state.sum(axis=1)
    return float(final[leads > 0].sum() + game.draw * final[leads == 0].sum())


def _by_lead(strategy: pigevo.Strategy, left: int, second: int) -> Floats:
    """A strategy's chance of rolling in a turn, by its lead and the turn total, shape (leads, cap)."""
    at = {LEFT: left - 1, SECOND: second}
    if [axis.name for axis in strategy.game.axes] != [LEFT, SECOND, DIFFERENCE, TOTAL]:
        raise InputError(f"{strategy} is not a strategy of ten rounds, whose turns alone are counted here.")
    return np.asarray(strategy.roll[at[LEFT], at[SECOND]], dtype=float)


def _moved(chances: Floats, leads: Ints) -> Floats:
    """The lead after a turn, of chances by lead and points, shape (leads,); longer leads count as the longest."""
    cap = int(leads[-1])
    points = np.arange(chances.shape[1])
    after = np.clip(leads[:, None] + points, -cap, cap) + cap
    found: Floats = np.bincount(after.ravel(), weights=chances.ravel(), minlength=len(leads)).astype(np.float64)
    return found


def _told(chances: Floats, cap: int) -> Floats:
    """Chances by lead and by the opponent's points, after its turn, shape (leads, cap)."""
    leads, points = np.arange(-cap, cap + 1), np.arange(chances.shape[1])
    after = np.clip(leads[:, None] - points, -cap, cap) + cap
    place = after * cap + np.minimum(points, cap - 1)
    found: Floats = np.bincount(place.ravel(), weights=chances.ravel(), minlength=len(leads) * cap).astype(np.float64)
    return found.reshape(len(leads), cap)
