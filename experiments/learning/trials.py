"""What is compared, the choice of settings, and trials: how good a contestant is after 10^4, 10^5, ... games, exactly.

Contestants are the learners, and evolution by simulated games alone within a budget, by the package's two best settings
for that.  Of each twelve settings are tried, all with the same games, on a game that is not reported.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from time import process_time

import numpy as np

import pigevo
from pigevo.core.arrays import Ints
from pigevo.core.text import with_interval
from pigevo.exact import best_response, optimal, win_probability
from pigevo.games import Game
from pigevo.games.game_record import make_game
from pigevo.strategies import Strategy

from ..coevolution.kept import Key, Rows, kept
from ..common.settings import with_stated
from ..common.tables import table
from .learners import (
    CountedModel,
    DieAlone,
    FictitiousPlay,
    Learner,
    PolicyGradient,
    QLearning,
    RegretSampling,
    TDLambda,
    TreeSearch,
)
from .play_kernels import strategy_of

Options = Mapping[str, float | bool | str]
"""Of a learner or of evolution, by name."""


@dataclass(frozen=True)
class Task:
    """A game to be learned.

    Args:
        words: the game, in words of the command line.
        size: its points: the target, or what a long turn brings.
        decades: the powers of ten of the numbers of games.
    """

    words: str
    size: int
    decades: range = range(4, 7)

    @cached_property
    def game(self) -> Game:
        """The game."""
        (_, name), *options = (word.split("=") for word in self.words.split())
        return make_game(name, {key.removeprefix("game."): int(value) for key, value in options})


ANOTHER = Task("game=pig game.target=20 game.sides=3", 20)
"""The game on which settings are chosen."""

TASKS: Mapping[str, Task] = {
    "Pig to 30, four sides": Task("game=pig game.target=30 game.sides=4", 30, range(4, 8)),
    "Pig to 100": Task("game=pig game.target=100 game.sides=6", 100),
    "ten rounds": Task("game=ten_rounds game.cap=120", 100),
    "Pig to 120, ten sides": Task("game=pig game.target=120 game.sides=10", 120),
    "Pig to 120, five sides": Task("game=pig game.target=120 game.sides=5", 120),
}


def grid(**values: Sequence[float | bool | str]) -> tuple[Options, ...]:
    """All combinations of values of options."""
    return tuple(dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values()))


LEARNERS: Mapping[str, tuple[Callable[..., Learner], tuple[Options, ...]]] = {
    "Q-learning": (QLearning, grid(epsilon=(0.02, 0.05, 0.1, 0.2), power=(0.6, 0.7, 0.85))),
    "TD(lambda)": (TDLambda, grid(epsilon=(0.05, 0.15), power=(0.7, 0.85), trace=(0.3, 0.6, 0.9))),
    "value iteration": (CountedModel, grid(epsilon=(0.05, 0.1, 0.2), unseen=(0.5, 1.0), prior=(1.0, 4.0))),
    "die alone": (DieAlone, grid(epsilon=(0.05, 0.1, 0.2), prior=(0.5, 1.0, 2.0, 4.0))),
    "policy gradient": (PolicyGradient, grid(rate=(10.0, 30.0), softness=(1.0, 2.0, 4.0), trace=(0.0, 0.8))),
    "fictitious play": (
        FictitiousPlay, grid(epsilon=(0.05, 0.1, 0.2), power=(0.6, 0.75), growing=(False, True))
    ),
    "CFR": (RegretSampling, grid(epsilon=(0.1, 0.3, 0.6), clipped=(False, True), by_reach=(False, True))),
    "tree search": (TreeSearch, grid(curiosity=(0.3, 0.7, 1.4), boldness=(0.5, 0.7, 0.8, 0.9))),
}  # fmt: skip
"""The learners with twelve settings each."""

EVOLUTIONS: Mapping[str, tuple[str, tuple[Options, ...]]] = {
    "evolution, archive": ("archive", grid(generations=(50, 100, 200), edge=(0.2, 0.4), by=("worst", "mean"))),
    "evolution, twins": ("twins", grid(generations=(100, 200, 400), edge=(0.2, 0.4), step=(0.15, 0.3))),
}
"""The two ways to evolve, with as many."""

INFORMED = "die alone"
"""The learner that is told the rules but for the die, and so is no match for the others."""

EVERYONE = (*LEARNERS, *EVOLUTIONS)

SINGLE, CUBES, WHERE, SINGLES = "evolution, single cells", "evolution, twins", "Pig to 30, four sides", 10
"""The twins again with a gene for each state, whom they are set beside, on which game, and with how many seeds."""

SHORTER = (INFORMED, SINGLE)
"""Those that play a tenth of the games of the others."""

UNTOUCHED = ("Pig to 120, ten sides", "Pig to 120, five sides")
"""The games on which neither a learner nor evolution was developed or tried."""

SHOWN = (*EVERYONE, SINGLE)
"""All that tables and pictures have."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "learn what a state is worth": ("Q-learning", "TD(lambda)", "value iteration", INFORMED),
    "learn what to do": ("policy gradient", "fictitious play", "CFR", "tree search"),
    "evolve": (*EVOLUTIONS, SINGLE),
}
"""All of them, as columns of the pictures."""


def options_of(name: str) -> tuple[Options, ...]:
    """The settings that are tried."""
    return (LEARNERS.get(name) or EVOLUTIONS[name])[1]


HERE = Path(__file__).parent
EXPERIMENTS = {"archive": "experiment=coevolve_noisy_archive", "twins": "experiment=coevolve_noisy"}
USUAL_BUDGET = 1_000_000
"""Games of a run that has as many generations as the option says."""

SHARES = {"archive": (0.2, 0.33, 0.47), "twins": (0.12, 0.28, 0.6)}
"""Shares of the generations of the waves, as in the experiments of the package."""

POPULATION, FEW, LEAST_MATCH = {"archive": 20, "twins": 200}, 20, 100
"""Members; of twins there are few where matches would have less than so many games."""

ARCHIVE, STILL = 3, 3
"""Past champions that a member meets, and last generations in which nothing is changed."""


def words_of_evolution(
    family: str, game: str, size: int, budget: int, options: Mapping[str, float | bool | str]
) -> list[str]:
    """The words of a run that evolves.

    `archive` plays past champions and keeps the best (`experiment=coevolve_noisy_archive`); `twins` is an evolution
    strategy whose twins play each other (`experiment=coevolve_noisy`).  A larger budget gives more generations and
    longer matches, both as its square root.

    Args:
        family: `archive` or `twins`.
        game: its words.
        size: the points of the game: its target, or what a long turn brings.
        budget: games, of which nearly all are spent.
        options: `generations` of a run of the usual budget; `edge` of the first cubes, as a share of the points, 0 for
            single cells; of the
            archive which case counts, `by`; of twins the `step`, the standard deviation of the first step as a share of
            the points, a tenth of which it is at the end.
    """
    count = float(options["generations"]) * (budget / USUAL_BUDGET) ** 0.5
    waves = [max(1, round(share * count)) for share in SHARES[family]]
    finest = round(float(options["edge"]) * size / 4)
    own = _archive if family == "archive" else _twins
    chosen = [EXPERIMENTS[family], *game.split(), "baseline=none", "figures=none", "workers=1",
              f"cubes.generations={waves}".replace(" ", ""), *own(waves, finest, size, budget, options)]  # fmt: skip
    return with_stated(chosen, HERE / "settings.yaml")


def _archive(
    waves: list[int], finest: int, size: int, budget: int, options: Mapping[str, float | bool | str]
) -> list[str]:
    couple = 2 * ARCHIVE
    games = budget // (POPULATION["archive"] * (sum(waves) + 1)) // couple * couple
    coarse, fine = max(1, 4 * finest), max(1, 2 * finest)
    sizes = f"[{coarse},{fine},[{fine},{fine},1]]"
    return [f"cubes.sizes={sizes}", f"fitness.games={max(couple, games)}", f"fitness.by={options['by']}"]


def _twins(
    waves: list[int], finest: int, size: int, budget: int, options: Mapping[str, float | bool | str]
) -> list[str]:
    count, step = sum(waves), float(options["step"]) * size
    pairs = POPULATION["twins"] // 2
    if budget < pairs * count * LEAST_MATCH:
        pairs = FEW // 2
    edges = [max(1, n * finest) for n in (4, 2, 1)]
    sizes = ",".join(f"[{edge},{edge},1]" for edge in edges)
    return [
        f"population.size={2 * pairs}", f"cubes.sizes=[{sizes}]",
        f"fitness.games={max(2, budget // (pairs * count) // 2 * 2)}", f"mutator.step={step:g}",
        f"mutator.end={0.1 * step:g}", f"mutator.over={max(1, round(0.4 * count))}",
        f"mutator.until={max(1, count - STILL)}", f"crossover.over={2 * pairs}",
    ]  # fmt: skip


PARTS, FIRST = 8, 100
"""Parts into which each decade of games is divided, after each of which some learners think; and the first part."""

Figures = dict[str, float]
"""By `loss`, `exploitability`, `seconds` and `games`, and the power of ten."""


def largest_decade(name: str, task: Task) -> int:
    """The largest power of ten that a contestant plays."""
    return task.decades[-1] - (name in SHORTER)


def trial(name: str, task: Task, options: Options, seed: int, last: int) -> Figures:
    """The figures of a contestant with a seed.

    Args:
        name: of the contestant.
        task: the game.
        options: of the contestant.
        seed: of its dice.
        last: the last power of ten.
    """
    decades = range(task.decades[0], last + 1)
    if name in LEARNERS:
        return _learned(name, task, options, seed, decades)
    found: Figures = {}
    for decade in decades:
        found |= _evolved(EVOLUTIONS[CUBES if name == SINGLE else name][0], task, options, seed, decade)
    return found


def judge(strategy: Strategy) -> tuple[float, float]:
    """The exact loss to the optimum and the exploitability."""
    loss = 0.5 - win_probability(strategy, optimal(strategy.game).strategy).overall
    return max(loss, 0.0), max(best_response(strategy).overall - 0.5, 0.0)


def steps(decade: int) -> Ints:
    """The numbers of games after which a learner thinks, up to a power of ten."""
    many = PARTS * (decade - int(np.log10(FIRST)))
    return np.rint(FIRST * 10.0 ** (np.arange(many + 1) / PARTS)).astype(np.int64)


def _learned(name: str, task: Task, options: Options, seed: int, decades: range) -> Figures:
    make = LEARNERS[name][0]
    _compile(name, task)
    found: Figures = {}
    learner, played, seconds = make(task.game, seed, **options), 0, 0.0
    for games in steps(decades[-1]).tolist():
        begun = process_time()
        learner.play(played, games - played)
        seconds, played = seconds + process_time() - begun, games
        if (decade := round(np.log10(games), 9)) in decades:
            found |= _figures(int(decade), strategy_of(task.game, learner.rolls, name), games, seconds)
    return found


@cache
def _compile(name: str, task: Task) -> None:
    make, tried = LEARNERS[name]
    make(task.game, 0, **tried[0]).play(0, 1)


def _evolved(family: str, task: Task, options: Options, seed: int, decade: int) -> Figures:
    chosen = words_of_evolution(family, task.words, task.size, 10**decade, options)
    begun = process_time()
    run = pigevo.evolve(*chosen, seed=seed)
    seconds = process_time() - begun
    return _figures(decade, run.champion, int(run.metrics["games"][-1]), seconds)


def _figures(decade: int, strategy: Strategy, games: int, seconds: float) -> Figures:
    loss, exploitability = judge(strategy)
    return {
        f"loss {decade}": loss, f"exploitability {decade}": exploitability, f"games {decade}": games,
        f"seconds {decade}": seconds,
    }  # fmt: skip


TUNING_SEEDS = (1, 2)
LEAST_LOSS = 1e-7
"""The smallest loss that counts as one, since zero has no logarithm."""

Chosen = Mapping[str, Options]
"""The setting of each contestant."""


def tried_settings(path: Path, workers: int, missing: bool) -> Rows:
    """The figures of all settings by contestant, number of the setting and seed.

    Args:
        path: a CSV file.
        workers: processes.
        missing: whether what the file lacks is computed; else what it has is all.
    """
    names = ("contestant", "setting", "seed")
    keys: list[Key] = [
        (name, n, seed) for name in EVERYONE for n in range(len(options_of(name))) for seed in TUNING_SEEDS
    ]
    return kept(path, names, keys if missing else keys_in(path, len(names)), figures_of_setting, workers)


def keys_in(path: Path, parts: int) -> list[Key]:
    """The keys of the rows of a file, which have so many parts."""
    with path.open(newline="", encoding="utf-8") as file:
        return [tuple(row[:parts]) for row in list(csv.reader(file))[1:]]


def figures_of_setting(key: Key) -> Mapping[str, float]:
    """The figures of a setting with a seed."""
    name, number, seed = str(key[0]), int(key[1]), int(key[2])
    return trial(name, ANOTHER, options_of(name)[number], seed, ANOTHER.decades[-1])


def digits(loss: float) -> float:
    """The digits of a win probability that are right: the decimal logarithm of the loss, turned."""
    return float(-np.log10(max(loss, LEAST_LOSS)))


def scores(rows: Rows, decades: range = ANOTHER.decades) -> dict[str, list[float]]:
    """The mean digits of each setting of each contestant, over seeds and powers of ten."""
    found: dict[str, dict[int, list[float]]] = {}
    for (name, number, _), row in rows.items():
        of_row = [digits(row[f"loss {decade}"]) for decade in decades]
        found.setdefault(name, {}).setdefault(int(number), []).extend(of_row)
    return {name: [float(np.mean(by_number[n])) for n in sorted(by_number)] for name, by_number in found.items()}


def chosen(rows: Rows) -> Chosen:
    """The setting of each contestant with the most digits."""
    return {name: options_of(name)[int(np.argmax(of_settings))] for name, of_settings in scores(rows).items()}


def better_evolution(rows: Rows, decade: int) -> str:
    """The way to evolve that has more digits at a power of ten; beyond those tried, at the nearest one."""
    at = min(max(decade, ANOTHER.decades[0]), ANOTHER.decades[-1])
    best = {name: int(np.argmax(scores(rows)[name])) for name in EVOLUTIONS}
    return max(EVOLUTIONS, key=lambda name: scores(rows, range(at, at + 1))[name][best[name]])


def tuning_table(rows: Rows) -> str:
    """The chosen setting of each contestant, and how far the twelve are apart."""
    lines = []
    for name, of_settings in scores(rows).items():
        options = ", ".join(f"{key} {value}" for key, value in chosen(rows)[name].items())
        lines.append((name, len(of_settings), options, with_interval(max(of_settings), None, None, ".2f"),
                      f"{np.median(of_settings):.2f}", f"{min(of_settings):.2f}"))  # fmt: skip
    better = [(f"10^{decade}", better_evolution(rows, decade)) for decade in ANOTHER.decades]
    head = ["contestant", "settings", "chosen", "digits of the best", "of the median", "of the worst"]
    return table(head, lines) + "\n" + table(["games", "the better evolution"], better)
