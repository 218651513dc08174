"""Own moves and DEAP's operators after equal tuning, on a game that took no part in the development of either.

Pig to 40 with a die of eight sides, of which 1 and 2 lose the turn.  Each family has `CONFIGS` settings, its usual one
and others drawn at random from a space of four or five options, and each of them `len(TUNING)` runs of `BUDGET`
strategies.  The one with the best mean is run on `TESTED` seeds on which nothing was chosen, and so is it with one
ingredient taken away.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

import pigevo
from pigevo.core.arrays import Floats
from pigevo.core.intervals import mean_interval
from pigevo.core.text import with_interval
from pigevo.dice import Draw
from pigevo.storage.files import write_bytes

from ..common.settings import with_stated
from ..common.tables import table

HERE = Path(__file__).parent
GAME = ("game=pig", "game.target=40", "game.sides=8", "game.bust=[1,2]")
BUDGET, CONFIGS, TUNING, TESTED = 2_000, 8, (0, 1), range(990_001, 990_031)
"""Strategies of a run, settings of a family, seeds on which they are chosen, and those on which they are judged."""

OWN, DEAP = "own moves", "DEAP's operators"
LESS = {
    "own moves, flips alone": ("mutator=expected_flips",),
    "own moves, no crossover": ("crossover=blocks", "crossover.share=0"),
}
"""What is taken away from the best setting of the own moves."""

Key = tuple[str, str, int]
Rows = dict[Key, float]


def own_words(u: Floats | None) -> tuple[list[str], int, int]:
    """The words of a setting by five uniform numbers, its population, and the children of a generation."""
    size, share = (20, 0.1) if u is None else (2 * int(5 + 16 * u[0]), 0.05 + 0.45 * u[1])
    found = ["selection=truncation", f"selection.share={share:.3f}"]
    if u is not None:
        found += [f"crossover.share={u[2]:.2f}", f"mutator.least_share={0.1 + 0.9 * u[3]:.2f}",
                  f"mutator.exponent={u[4]:.2f}"]  # fmt: skip
    return found, size, max(1, size - max(2, round(size * share)))


def deap_words(u: Floats | None) -> tuple[list[str], int, int]:
    """The same of DEAP's operators: tournament, uniform crossover, flips, and whether survivors stay."""
    size, rate, tourn, mixed, stay = (
        (20, 0.002, 3, 0.5, False) if u is None
        else (2 * int(5 + 16 * u[0]), 10 ** (-4 + 2.5 * u[1]), 2 + int(6 * u[2]), 0.05 + 0.45 * u[3], u[4] < 0.5)
    )  # fmt: skip
    found = [
        "selection=deap", f"selection.arguments.tournsize={tourn}", "crossover=deap",
        f"crossover.arguments.indpb={mixed:.3f}", "mutator=deap", f"mutation={rate:.5f}",
        f"replacement={'survivors_and_offspring' if stay else 'offspring'}",
    ]  # fmt: skip
    return found, size, size // 2 if stay else size


FAMILIES: dict[str, Callable[[Floats | None], tuple[list[str], int, int]]] = {OWN: own_words, DEAP: deap_words}


def words(family: str, number: int) -> list[str]:
    """The words of a family's setting: 0 is the usual one, the others are drawn."""
    place = list(FAMILIES).index(family)
    chosen = None if number == 0 else Draw(number, "validation", generation=place).uniforms(5)
    found, size, children = FAMILIES[family](chosen)
    generations = max(2, -(-(BUDGET - size) // children))
    waves = [generations // 2, generations - generations // 2]
    return [*found, f"population.size={size}", "cubes.sizes=[8,4]", f"cubes.generations={waves}".replace(" ", "")]


def all_words(family_words: Sequence[str]) -> list[str]:
    """The words of a run of a family's setting, with those of the game and all that the study states."""
    found = ("experiment=rediscover", *GAME, *family_words, "record_every=1", "baseline=none")
    return with_stated(found, HERE / "settings.yaml")


def best_after(family_words: list[str], seed: int) -> float:
    """The best member's win probability against the optimum after at most `BUDGET` strategies."""
    run = pigevo.evolve(*all_words(family_words), seed=seed)
    spent = np.asarray(run.metrics["evaluations"]) <= BUDGET
    return float(np.asarray(run.metrics["best"])[spent][-1])


def chosen(rows: Rows, family: str) -> int:
    """The setting with the best mean on the tuning seeds."""
    means = [np.mean([rows[family, str(number), seed] for seed in TUNING]) for number in range(CONFIGS)]
    return int(np.argmax(means))


def measured(path: Path) -> Rows:
    """All runs; what the file has is read, and what it lacks is done and added to it."""
    rows = _read(path) if path.exists() else {}
    for family in FAMILIES:
        for number in range(CONFIGS):
            for seed in TUNING:
                _fill(rows, path, (family, str(number), seed), words(family, number))
    for seed in TESTED:
        for name, of in _tested(rows):
            _fill(rows, path, (name, "test", seed), of)
    return rows


def _tested(rows: Rows) -> Iterator[tuple[str, list[str]]]:
    for family in FAMILIES:
        yield family, words(family, chosen(rows, family))
    for name, more in LESS.items():
        own = [one for one in words(OWN, chosen(rows, OWN)) if not _gone(one, more)]
        yield name, [*own, *more]


def _gone(word: str, more: tuple[str, ...]) -> bool:
    """Whether a word of the setting has no meaning beside those that replace it."""
    return any(word.partition("=")[0].startswith(one.partition("=")[0]) for one in more)


def _fill(rows: Rows, path: Path, key: Key, of: list[str]) -> None:
    if key not in rows:
        rows[key] = best_after(of, key[2])
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["family", "setting", "seed", "best"])
        writer.writerows([*one, repr(figure)] for one, figure in rows.items())
        write_bytes(path, text.getvalue().encode())


def _read(path: Path) -> Rows:
    with path.open(newline="", encoding="utf-8") as file:
        return {(one["family"], one["setting"], int(one["seed"])): float(one["best"]) for one in csv.DictReader(file)}


def as_markdown(rows: Rows) -> str:
    """What was chosen, what it comes to on the seeds of the test, and the differences from the own moves."""
    tuned = [
        (family, number, " ".join(words(family, number)),
         f"{np.mean([rows[family, str(number), seed] for seed in TUNING]):.5f}",
         "chosen" if number == chosen(rows, family) else "")
        for family in FAMILIES for number in range(CONFIGS)
    ]  # fmt: skip
    own = _of(rows, OWN)
    lines: list[tuple[object, ...]] = []
    for name in (*FAMILIES, *LESS):
        found = _of(rows, name)
        less = found - own
        d = f"{less.mean() / less.std(ddof=1):+.2f}" if name != OWN else ""
        beside = with_interval(float(less.mean()), *mean_interval(less), "+.5f") if name != OWN else ""
        lines.append(
            (name, len(found), f"{np.median(found):.5f}", f"{found.min():.5f}", f"{found.max():.5f}", beside, d)
        )
    head = ["family", "seeds", "median", "least", "greatest", "less own moves (95 %)", "effect d_z"]
    head_of_tuned = ["family", "setting", "words", f"mean of {len(TUNING)} tuning runs", ""]
    return table(head, lines) + "\n" + table(head_of_tuned, tuned)


def _of(rows: Rows, name: str) -> Floats:
    return np.array([rows[name, "test", seed] for seed in TESTED])
