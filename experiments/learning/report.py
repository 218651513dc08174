"""The tables of the study, from its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.intervals import mean_interval
from pigevo.core.text import with_interval
from pigevo.games import Game

from ..coevolution.kept import Rows
from ..common.group import Question, answers
from ..common.group import as_markdown as compared
from ..common.tables import table
from .bound import Evidence, Seen, evidence
from .contestants import CUBES, EVERYONE, INFORMED, LEARNERS, SHOWN, SINGLE, TASKS, WHERE, Options
from .rules import strategy_of
from .trials import judge
from .tuning import LEAST, better_evolution, digits

LOSS = (0.0, 0.5)
"""What a loss or an exploitability can be."""

SEEN: Sequence[Seen] = ("throws", "winners")
LOSSES = (0.01, 0.001, 0.0001)
"""For which the bound says how many games it takes."""

FAR = 9
"""The last power of ten of the bound."""

PRESETS = {"policy gradient": 0, "value iteration": 1}
"""Learners that begin with much, and the games after which this is seen: one begins with a hold boundary, one solves
the game as it imagines it before it has seen throws."""


def of(rows: Rows, task: str, name: str, figure: str) -> dict[int, float]:
    """A figure of a contestant on a task by seed, of those seeds that have it."""
    return {int(seed): row[figure] for (t, n, seed), row in rows.items() if (t, n) == (task, name) and figure in row}


def decades_of(rows: Rows, task: str) -> list[int]:
    """The powers of ten that were played on a task."""
    found = {int(key.split()[1]) for (t, *_), row in rows.items() if t == task for key in row}
    return sorted(found)


def levels(rows: Rows, figure: str, first: int = 0) -> str:
    """The mean of a figure over seeds, by task, contestant and power of ten, from the `first` on."""
    lines = []
    for task in TASKS:
        decades = [decade for decade in decades_of(rows, task) if decade >= first]
        for name in SHOWN:
            by_decade = [np.array([*of(rows, task, name, f"{figure} {decade}").values()]) for decade in decades]
            lines += [(task, name, f"10^{decade}", len(values), _mean(values), f"{np.median(values):.5f}")
                      for decade, values in zip(decades, by_decade, strict=True) if len(values)]  # fmt: skip
    return table(["game", "contestant", "games", "seeds", f"{figure} (95 % interval)", "median"], lines)


def _mean(values: Floats) -> str:
    return with_interval(float(values.mean()), *mean_interval(values, within=LOSS), ".5f")


def against_evolution(rows: Rows, tried: Rows, tasks: Sequence[str]) -> str:
    """Each learner that is told no more beside the better way to evolve, in digits, seed by seed."""
    asked = []
    for task in tasks:
        for decade in decades_of(rows, task):
            rival = better_evolution(tried, decade)
            for name in SHOWN:
                if name not in (INFORMED, rival):
                    where = f"{task}, 10^{decade}"
                    asked.append(Question(f"{name}, {where}", f"{rival}, {where}", _digits(rows, task, name, decade),
                                          _digits(rows, task, rival, decade)))  # fmt: skip
    return compared(answers(asked))


def further(rows: Rows) -> str:
    """What else was predicted, in digits, seed by seed: of CFR beside Q-learning, and of twins without cubes."""
    pairs = [("CFR", "Q-learning", 6), *((SINGLE, CUBES, decade) for decade in (4, 5, 6))]
    asked = [Question(f"{a}, 10^{decade}", f"{b}, 10^{decade}", _digits(rows, WHERE, a, decade),
                      _digits(rows, WHERE, b, decade)) for a, b, decade in pairs]  # fmt: skip
    played = {task: [name for name in EVERYONE if any(key[:2] == (task, name) for key in rows)] for task in TASKS}
    ratios = [(task, f"{max(_ratio(rows, task, name) for name in names):.2f}") for task, names in played.items()]
    head = ["game", "largest ratio of mean exploitability to mean loss"]
    return compared(answers(asked)) + "\n" + table(head, ratios)


def _ratio(rows: Rows, task: str, name: str) -> float:
    """The mean exploitability of a contestant's longest trials, as a multiple of their mean loss; 0 without a loss."""
    decade = max(d for d in decades_of(rows, task) if of(rows, task, name, f"loss {d}"))
    exploitability, loss = (np.mean([*of(rows, task, name, f"{figure} {decade}").values()])
                            for figure in ("exploitability", "loss"))  # fmt: skip
    return float(exploitability / loss) if loss > LEAST else 0.0


def _digits(rows: Rows, task: str, name: str, decade: int) -> Mapping[int, float]:
    return {seed: digits(loss) for seed, loss in of(rows, task, name, f"loss {decade}").items()}


def speed(rows: Rows) -> str:
    """The games that each contestant plays and learns from in a second, in its longest trials."""
    lines = []
    for task in TASKS:
        for name in SHOWN:
            decade = max((d for d in decades_of(rows, task) if of(rows, task, name, f"seconds {d}")), default=None)
            if decade is not None:
                games = of(rows, task, name, f"games {decade}")
                rates = [games[seed] / spent for seed, spent in of(rows, task, name, f"seconds {decade}").items()]
                lines.append((task, name, f"10^{decade}", f"{float(np.median(rates)):,.0f}"))
    return table(["game", "contestant", "games", "games a second (median)"], lines)


def bounds() -> str:
    """What the bound says of each task: the least loss by games, and the games that a loss takes."""
    found = {task: evidence(what.game) for task, what in TASKS.items()}
    needed = [(task, seen, *(_rounded(one.games_for(loss, seen)) for loss in LOSSES))
              for task, one in found.items() for seen in SEEN]  # fmt: skip
    losses = [(task, seen, *(f"{one.least_loss(10.0**decade, seen):.5f}" for decade in range(4, FAR + 1)))
              for task, one in found.items() for seen in SEEN]  # fmt: skip
    states = [(task, len(one.gap), f"{one.visits.sum():.1f}", f"{_half(one):,}") for task, one in found.items()]
    return "\n".join([
        table(["game", "seen", *(f"games for a loss of {loss:g}" for loss in LOSSES)], needed),
        table(["game", "seen", *(f"least loss at 10^{decade}" for decade in range(4, FAR + 1))], losses),
        table(["game", "states with a choice that good play comes to", "visits in a game",
               "states that have half of the visits"], states),
    ])  # fmt: skip


def start(settings: Mapping[str, Options]) -> str:
    """What learners lose that begin with much, before their first game or after one, and the bound of no games."""
    lines = []
    for task, what in TASKS.items():
        begun = [f"{_loss_at_first(name, what.game, settings[name]):.5f}" for name in PRESETS]
        lines.append((task, *begun, f"{evidence(what.game).least_loss(0, 'winners'):.5f}"))
    after = {0: "before its first game", 1: "after one game"}
    losses = [f"loss of {name} {after[games]}" for name, games in PRESETS.items()]
    return table(["game", *losses, "least loss at no games"], lines)


def _loss_at_first(name: str, game: Game, options: Options) -> float:
    """The loss of one of `PRESETS`."""
    learner = LEARNERS[name][0](game, 0, **options)
    if PRESETS[name]:
        learner.play(0, PRESETS[name])
    return judge(strategy_of(game, learner.rolls, name))[0]


def _half(found: Evidence) -> int:
    """How many states have half of all visits, the most visited ones."""
    share = np.cumsum(np.sort(found.visits)[::-1]) / found.visits.sum()
    return int(np.searchsorted(share, 0.5)) + 1


def _rounded(games: float) -> str:
    """A number with two significant digits, in full."""
    return f"{float(f'{games:.1e}'):,.0f}"
