"""How often intervals hold what is true, measured: those of means with their verdicts, and those of `pigevo people`.

`python -m tests.measure_intervals` prints the tables of docs/explanation/intervals.md (a few minutes);
`tests/core/test_numerics.py` holds the page to them. `python -m tests.measure_intervals people` prints the table of
docs/people.md, of simulated players (some ten minutes; with a number of players that is less than 400, less).

`tests/champions.csv` has what the champions of many runs win against the optimum, by the words of each run and without
its seed; all seeds were drawn for this file alone.  Samples of it are drawn with replacement.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy import special, stats

import pigevo
from experiments.common.tables import table
from pigevo.core.intervals import CONFIDENCE, mean_interval, mean_p
from pigevo.errors import InputError
from pigevo.people import HoldValue, RecordedTurn, when_behind
from pigevo.people.habits import fitted, log_chances
from pigevo.people.recorded_games import history_of
from pigevo.sweeps.statistics import seeds_for, seeds_wanted

Draw = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]
NOISE = 0.05
"""The standard deviation around each of two places that are 1 apart."""


def two_places(share: float) -> Draw:
    """Values near 1, and with the probability `share` near 0."""
    return lambda rng, shape: (rng.uniform(size=shape) >= share) + NOISE * rng.normal(size=shape)


LAWS: dict[str, tuple[Draw, float, float]] = {
    "normal": (lambda rng, shape: rng.normal(size=shape), 0.0, 1.0),
    "uniform": (lambda rng, shape: rng.uniform(size=shape), 0.5, 12**-0.5),
    "difference of two exponentials": (
        lambda rng, shape: rng.exponential(size=shape) - rng.exponential(size=shape), 0.0, 2**0.5
    ),
    "exponential": (lambda rng, shape: rng.exponential(size=shape), 1.0, 1.0),
    "lognormal": (lambda rng, shape: rng.lognormal(size=shape), np.exp(0.5), float(np.sqrt(np.e * (np.e - 1)))),
    "half and half": (two_places(0.5), 0.5, (0.25 + NOISE**2) ** 0.5),
    "four to one": (two_places(0.2), 0.8, (0.16 + NOISE**2) ** 0.5),
}  # fmt: skip
"""How each law is drawn, its mean and its standard deviation."""


def champions() -> dict[str, np.ndarray]:
    """What champions win, by the words of their runs."""
    samples: dict[str, list[float]] = {}
    with (Path(__file__).parent / "champions.csv").open(newline="") as file:
        for words, value in csv.reader(file):
            samples.setdefault(words, []).append(float(value))
    return {words: np.array(values) for words, values in samples.items()}


def drawn_from(values: np.ndarray) -> tuple[Draw, float, float]:
    """The law of values that are drawn with replacement."""
    return lambda rng, shape: rng.choice(values, shape), float(values.mean()), float(values.std())


RUNS = {f"`{words}`": drawn_from(values) for words, values in champions().items()}
"""The same of champions of real runs."""

ALL = {**RUNS, **LAWS}

HARD = ("exponential", "lognormal", "half and half", "four to one")

SEEDS = (3, 5, 10, 20, 30)
TOGETHER = 24
EFFECTS = (2.0, 1.5, 1.0, 0.8, 0.5)
OPEN = ((0.5, 10), (0.8, 5), (0.8, 10), (1.5, 5))
"""True effects, and how many seeds there are, of comparisons that are open."""

MOST_MORE = 2000
SAMPLES = 10_000
"""Of each figure; a tenth of that where several intervals are read together, or seeds are added."""


def coverage(law: str, seeds: int, samples: int, together: int = 1, seed: int = 1) -> float:
    """How often all of some intervals, widened as `report` does it, hold the true mean at once."""
    draw, mean, _ = ALL[law]
    rng, level = np.random.default_rng(seed), 1 - (1 - CONFIDENCE) / together
    return float(np.mean([
        all(_holds(values, level, mean) for values in draw(rng, (together, seeds))) for _ in range(samples)
    ]))  # fmt: skip


def hall(values: np.ndarray) -> tuple[float, float]:
    """Hall's transformation of Student's t (1992), on either side the wider of both."""
    n, middle, error = _parts(values)
    skewness = float(stats.skew(values, bias=False)) if n > 2 else 0.0
    a, most = skewness / (3 * n**0.5), float(special.stdtrit(n - 1, (1 + CONFIDENCE) / 2))

    def bent(g: float) -> float:
        return g - a * (g**2 + 0.5) if abs(a) < 1e-6 else float((np.cbrt(1 + 3 * a * (g - a / 2)) - 1) / a)

    return middle - max(bent(most), most) * error, middle - min(bent(-most), -most) * error


def johnson(values: np.ndarray) -> tuple[float, float]:
    """Johnson's modified t (1978): Student's interval, moved by the skewness of the sample."""
    n, middle, error = _parts(values)
    away = float(special.stdtrit(n - 1, (1 + CONFIDENCE) / 2)) * error
    moved = float(stats.skew(values, bias=False)) * error / (6 * n**0.5) if n > 2 else 0.0
    return middle + moved - away, middle + moved + away


def bca(values: np.ndarray) -> tuple[float, float]:
    """The bias-corrected and accelerated bootstrap (Efron 1987), of scipy."""
    rng = np.random.default_rng(values.view(np.uint64)[0] % 2**32)
    bootstrap = stats.bootstrap((values,), np.mean, n_resamples=999, vectorized=True, method="BCa", random_state=rng)
    low, high = bootstrap.confidence_interval
    return float(low), float(high)


def student(values: np.ndarray) -> tuple[float, float]:
    """What pigevo takes, or all numbers where it is undetermined."""
    low, high = mean_interval(values)
    return (-np.inf, np.inf) if low is None or high is None else (low, high)


METHODS: dict[str, Callable[[np.ndarray], tuple[float, float]]] = {
    "Student's t": student, "Johnson's t": johnson, "Hall's t, if wider": hall, "bootstrap BCa": bca
}  # fmt: skip
SIZES = (3, 5, 10, 30)
FEW = {"bootstrap BCa": 10}
"""A method that takes long has so many times fewer samples."""


def _parts(values: np.ndarray) -> tuple[int, float, float]:
    return len(values), float(values.mean()), float(values.std(ddof=1)) / len(values) ** 0.5


def beside(law: str, method: str, seeds: int, samples: int, seed: int = 1) -> tuple[float, float]:
    """How often a method's interval holds the mean, and how wide it is: the median, in standard deviations of the law.

    Samples whose values are all alike count as held by all.
    """
    draw, mean, sd = ALL[law]
    rng, held, widths = np.random.default_rng(seed), [], []
    for _ in range(max(samples // FEW.get(method, 1), 1)):
        values = draw(rng, (seeds,))
        low, high = METHODS[method](values) if np.ptp(values) > 0 else (-np.inf, np.inf)
        held.append(low <= mean <= high)
        widths.append((high - low) / sd)
    return float(np.mean(held)), float(np.median(widths))


def power(law: str, effect: float, samples: int, seed: int = 1) -> float:
    """How often a single comparison finds a true effect with as many seeds as `compare` asks for.

    Of an effect to the side of the longer tail and one to the other side it is the rarer.
    """
    draw, mean, sd = LAWS[law]
    around = draw(np.random.default_rng(seed), (samples, recommended_seeds(effect))) - mean
    return float(min(
        np.mean([mean_p(values + way * effect * sd) <= 1 - CONFIDENCE for values in around]) for way in (1, -1)
    ))  # fmt: skip


def recommended_seeds(effect: float) -> int:
    """The seeds that `compare` asks for where an effect is as found."""
    wanted = seeds_for(effect, 1 - CONFIDENCE)
    assert wanted is not None
    return wanted


def settled(effect: float, seeds: int, samples: int, seed: int = 1) -> float:
    """How often an open comparison of normal differences is settled with as many seeds in all as `compare` asks for.

    Where that is no more than there are, with twice as many, as `compare` says.
    """
    rng, decided = np.random.default_rng(seed), []
    while len(decided) < samples:
        values = rng.normal(effect, 1, seeds)
        if mean_p(values) > 1 - CONFIDENCE:
            wanted = seeds_wanted(float(values.mean() / values.std(ddof=1)), 1 - CONFIDENCE, seeds)[0] or MOST_MORE
            more = wanted - seeds if wanted > seeds else seeds
            added = rng.normal(effect, 1, min(more, MOST_MORE))
            decided.append(mean_p(np.concatenate([values, added])) <= 1 - CONFIDENCE)
    return float(np.mean(decided))


def _holds(values: np.ndarray, level: float, mean: float) -> bool:
    low, high = mean_interval(values, level)
    return low is None or high is None or low <= mean <= high


def as_markdown(samples: int) -> str:
    """All tables of the page.

    Args:
        samples: of each figure.
    """
    few = max(samples // 10, 1)
    tried = {(method, law, n): beside(law, method, n, few * 2) for method in METHODS for law in ALL for n in SIZES}
    compared = []
    for kind, laws in (("runs", RUNS), ("hard laws", HARD)):
        for method in METHODS:
            shares = [[tried[method, law, n] for law in laws] for n in SIZES]
            cells = (f"{np.mean(one, axis=0)[0]:.2f}, {np.mean(one, axis=0)[1]:.1f}" for one in shares)
            compared.append((kind, method, *cells))
    alone = [(law, *(f"{coverage(law, n, samples):.2f}" for n in SEEDS)) for law in ALL]
    together = [(law, *(f"{coverage(law, n, few, TOGETHER):.2f}" for n in SEEDS)) for law in LAWS]
    powers = [
        (effect, recommended_seeds(effect), *(f"{power(law, effect, samples):.2f}" for law in LAWS))
        for effect in EFFECTS
    ]
    opened = [(effect, n, f"{settled(effect, n, few):.2f}") for effect, n in OPEN]
    heads = [f"{n} seeds" for n in SEEDS]
    return "\n".join([
        table(["held, width", "method", *(f"{n} seeds" for n in SIZES)], compared),
        table(["one interval", *heads], alone),
        table([f"{TOGETHER} at once", *heads], together),
        table(["effect", "seeds", *LAWS], powers),
        table(["true effect", "seeds that left it open", "settled by as many as were asked for"], opened),
    ])  # fmt: skip


PIG = pigevo.Pig()
GAMES = (1, 2, 3, 5, 10)
PLAYERS = ((20, 0), (20, 0.02), (20, 0.1), (20, 0.2), (31, 0.1), (31, 0.2), (45, 0.2))
"""The hold values and the slips of the table's players."""

BEHIND, OTHERWISE = 28, 18
"""Where the players hold who look at the scores."""

Rule = Callable[[int, int], int]


def games_of(rule: Rule, slip: float, games: int, seed: int) -> list[list[RecordedTurn]]:
    """The turns of one player in each game, who holds at `rule(own, opponent)`, against one who holds at 20.

    The player slips in this share of all decisions, and moves first in every other game.
    """
    draw = np.random.default_rng([seed, int(1000 * slip)])
    return [_game(rule, slip, n % 2, draw) for n in range(games)]


def _game(rule: Rule, slip: float, mover: int, draw: np.random.Generator) -> list[RecordedTurn]:
    scores, turns = [0, 0], []
    while max(scores) < PIG.target:
        own, other = scores[mover], scores[1 - mover]
        dice = _turn(own, 20 if mover else rule(own, other), 0 if mover else slip, draw)
        banked = 0 if dice[-1] == 0 else sum(dice)
        if mover == 0:
            turns.append(RecordedTurn("ann", len(turns) + 1, own, other, len(dice), banked, dice))
        scores[mover] += banked
        mover = 1 - mover
    return turns


def _turn(own: int, hold: int, slip: float, draw: np.random.Generator) -> tuple[int, ...]:
    dice: list[int] = []
    rolls = True
    while rolls:
        face = int(draw.integers(1, 7))
        dice.append(0 if face == 1 else face)
        slips = draw.random() < slip
        rolls = face > 1 and own + sum(dice) < PIG.target and (sum(dice) < hold) != slips
    return tuple(dice)


def hidden(turns: list[RecordedTurn]) -> list[RecordedTurn]:
    """The same turns as the form has them, without dice."""
    return [RecordedTurn(turn.player, turn.number, turn.own, turn.opponent, turn.rolls, turn.banked) for turn in turns]


def of_hold_values(
    hold: int, slip: float, games: Sequence[int], players: int, dice: bool = False
) -> list[tuple[float, float]]:
    """The share of players whose interval contains `hold`, and the mean number of values in it.

    A pair for each number of games: those of one player are the first ones of the same record.
    """
    values: list[list[HoldValue]] = [[] for _ in games]
    for seed in range(players):
        played = games_of(lambda i, j: hold, slip, max(games), seed)
        known = [[dice_rows for dice_rows in (history_of(PIG, turn) for turn in (game if dice else hidden(game))) if dice_rows.decisions]
                 for game in played]  # fmt: skip
        whole = [one for game in known for one in game]
        logs = log_chances(PIG, whole)
        for many, intervals in zip(games, values, strict=True):
            end = sum(len(game) for game in known[:many])
            if one := fitted(logs[:end], whole[:end]):
                intervals.append(one)
    return [
        (float(np.mean([one.low <= hold <= one.high for one in intervals])),
         float(np.mean([one.high - one.low + 1 for one in intervals])))
        for intervals in values
    ]  # fmt: skip


def when_they_look(slip: float, games: int, players: int) -> list[tuple[float, float]]:
    """The same of those who hold higher when behind: of the turns begun behind, and of the others."""
    held, wide = [], []
    for seed in range(players):
        turns = [
            turn for game in games_of(lambda i, j: BEHIND if i < j else OTHERWISE, slip, games, seed) for turn in game
        ]
        try:
            compared = when_behind(PIG, hidden(turns))
        except InputError:  # too few turns of either kind
            continue
        parts = ((compared.behind, BEHIND), (compared.otherwise, OTHERWISE))
        held.append([one.low <= true <= one.high for one, true in parts])
        wide.append([one.high - one.low + 1 for one, _ in parts])
    return list(zip(np.mean(held, axis=0).tolist(), np.mean(wide, axis=0).tolist(), strict=True))


def table_of_players(players: int) -> Iterator[str]:
    """Coverage, and in brackets how many values the interval has, as the page prints it."""
    yield "| holds at | slips | " + " | ".join(f"{n} game{'s' * (n > 1)}" for n in GAMES) + " |"
    yield "|---|---|" + "---|" * len(GAMES)
    for hold, slip in PLAYERS:
        yield _row(hold, slip, of_hold_values(hold, slip, GAMES, players))
    cells = [when_they_look(0, games, players) for games in GAMES]
    for part, name in enumerate((f"{BEHIND} behind", f"{OTHERWISE} otherwise")):
        yield _row(name, 0, [cell[part] for cell in cells])


def _row(name: object, slip: float, cells: list[tuple[float, float]]) -> str:
    return f"| {name} | {slip} | " + " | ".join(f"{held:.3f} ({wide:.1f})" for held, wide in cells) + " |"


if __name__ == "__main__":
    if sys.argv[1:2] == ["people"]:
        for line in table_of_players(int(sys.argv[2]) if len(sys.argv) > 2 else 400):
            print(line, flush=True)
    else:
        print(as_markdown(SAMPLES))
