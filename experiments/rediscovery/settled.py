"""What is settled on fresh seeds, by plans made before the runs: what ten seeds left open, and operators after tuning.

Settings are beside one of them, on thirty seeds on which nothing was chosen.  The ten seeds of the table `ingredients`,
and ten of each setting of `archives`, came first.  What follows was fixed after them and before the runs here.

Own moves and DEAP's operators are compared after equal tuning, on a game that took no part in the development of
either.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import pigevo
from pigevo.core.arrays import Floats
from pigevo.core.intervals import CONFIDENCE, mean_interval, share_interval
from pigevo.core.text import with_interval
from pigevo.dice import Draw
from pigevo.storage.files import csv_bytes, write_bytes

from ..common.settings import with_stated
from ..common.tables import finite, mean_of, read_rows, table


@dataclass(frozen=True)
class Plan:
    """What is compared, fixed before the runs.

    Args:
        first: the first of the seeds.
        settings: the names of the settings, all compared with the first of them.
        interest: the smallest effect of interest, in win probability.
        behind: a champion that wins less than this against the optimum stayed behind.
    """

    first: int
    settings: tuple[str, ...]
    interest: float
    behind: float

    @property
    def reference(self) -> str:
        """The setting with which the others are compared."""
        return self.settings[0]

    def words(self, settings: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
        """The words of each setting, from the parts of the study's settings."""
        known = {name: words for part in settings.values() for name, words in part.items()}
        return {name: known[name] for name in self.settings}


INGREDIENTS = Plan(
    first=993_001,
    settings=(
        "all_ingredients", "moves_alone", "no_level_moves", "cells_from_the_start", "survivors_not_kept",
        "half_survives", "no_crossover", "no_aim_at_visits", "moves_chosen_alike", "no_flips", "flips_alone",
    ),
    interest=0.0004,
    behind=0.4985,
)  # fmt: skip
"""Which ingredient of `rediscover` does it: one is taken away at a time.

Half of the loss of all ingredients to the optimum in the ten seeds before (.0008) is of interest: what changes less is
not what brings a run near the optimum.

Left out of the eighteen of `ingredients` is what ten seeds have settled and is no ingredient of the experiment (both
hill climbers, DEAP's operators, random search, a population of 80), and what differs from a setting here by more than
one thing or takes the place of what is taken away here (two other crossovers, flips with a heavy tail, shifts by a
fixed law)."""

OPPONENTS = Plan(
    first=995_001,
    settings=(
        "worst_of_the_archive", "mean_of_the_archive", "the_last_champion_alone", "own_round_robin",
        "own_round_robin_half_survives",
    ),
    interest=0.0005,
    behind=0.4995,
)  # fmt: skip
"""Which opponents do without an oracle: the five settings of `archives`, on a game to 50.

Of interest is .0005, the loss to the optimum that the study's goal for `coevolve` on that game, .4995, allows."""

PLANS = {"settled": INGREDIENTS, "opponents": OPPONENTS}
"""By the name of the table and of the folder of the runs."""

Rows = dict[str, dict[int, float]]
"""What the champion of each run wins against the optimum, by setting and seed."""


@dataclass(frozen=True)
class Settled:
    """A setting beside the first one of a plan, seed by seed.

    Args:
        mean, low, high: the mean difference and its interval, simultaneous with those of all settings (Bonferroni).
        effect: the mean difference in standard deviations of the differences (Cohen's d_z).
        verdict: `as good` if both one-sided tests at 5 % / settings say that the difference is smaller than what is of
            interest (Schuirmann 1987), with a word on the side if the interval leaves 0 out as well; else `worse` or
            `better` if it leaves 0 out, else `undecided`.
    """

    setting: str
    mean: float
    low: float | None
    high: float | None
    effect: float | None
    verdict: str


def settled(rows: Rows, plan: Plan) -> list[Settled]:
    """Each setting beside the first one, corrected for how many are asked, whether all are there or not."""
    return [_settled(name, _difference(rows, name, plan), plan) for name in rows if name != plan.reference]


def _difference(rows: Rows, name: str, plan: Plan) -> Floats:
    return np.array([figure - rows[plan.reference][seed] for seed, figure in rows[name].items()])


def _settled(name: str, differences: Floats, plan: Plan) -> Settled:
    share = (1 - CONFIDENCE) / (len(plan.settings) - 1)
    low, high = mean_interval(differences, 1 - share, by_signs=True)
    near, far = mean_interval(differences, 1 - 2 * share, by_signs=True)  # both one-sided tests at this share
    side = "" if low is None or high is None or low <= 0 <= high else "worse" if high < 0 else "better"
    if near is not None and far is not None and max(-near, far) < plan.interest:
        verdict = f"as good, a little {side}" if side else "as good"
    else:
        verdict = side or "undecided"
    mean, spread = float(differences.mean()), float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0
    return Settled(name, mean, low, high, mean / spread if spread else None, verdict)


def settled_table(rows: Rows, plan: Plan) -> str:
    """Champions of each setting, how many stayed behind, and what is settled."""
    by = {one.setting: one for one in settled(rows, plan)}
    head = ["setting", "runs", "median", "least", f"below {plan.behind} (95 %)",
            f"less {plan.reference.replace('_', ' ')} (95 %)", "effect d_z", "verdict"]  # fmt: skip
    return table(
        head, [_line(name, np.array(list(found.values())), by.get(name), plan) for name, found in rows.items()]
    )


def _line(name: str, figures: Floats, one: Settled | None, plan: Plan) -> Sequence[object]:
    behind = int((figures < plan.behind).sum())
    share = with_interval(behind / len(figures), *share_interval(behind, len(figures)), ".2f")
    start = (name.replace("_", " "), len(figures), f"{np.median(figures):.5f}", f"{figures.min():.5f}", share)
    if one is None:
        return (*start, "", "", "")
    effect = "" if one.effect is None else f"{one.effect:+.2f}"
    return (*start, with_interval(one.mean, one.low, one.high, "+.5f"), effect, one.verdict)


def settled_as_csv(plans: Sequence[Rows]) -> bytes:
    """A row for each run of some plans, whose settings have names of their own."""
    runs = [
        [name, seed, repr(figure)] for rows in plans for name, found in rows.items() for seed, figure in found.items()
    ]
    return csv_bytes([["setting", "seed", "champion"], *runs])


HERE = Path(__file__).parent
TUNING_GAME = ("game=pig", "game.target=40", "game.sides=8", "game.bust=[1,2]")
BUDGET, CONFIGS, TUNING, TESTED = 2_000, 8, (0, 1), range(990_001, 990_031)
"""Strategies of a run, settings of a family, seeds on which they are chosen, and those on which they are judged."""

OWN, DEAP = "own moves", "DEAP's operators"
LESS = {
    "own moves, flips alone": ("mutator=expected_flips",),
    "own moves, no crossover": ("crossover=blocks", "crossover.share=0"),
}
"""What is taken away from the best setting of the own moves."""

TuningKey = tuple[str, str, int]
TuningRows = dict[TuningKey, float]


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


def words_of_setting(family: str, number: int) -> list[str]:
    """The words of a family's setting: 0 is the usual one, the others are drawn."""
    place = list(FAMILIES).index(family)
    drawn = None if number == 0 else Draw(number, "validation", generation=place).uniforms(5)
    found, size, children = FAMILIES[family](drawn)
    generations = max(2, -(-(BUDGET - size) // children))
    waves = [generations // 2, generations - generations // 2]
    return [*found, f"population.size={size}", "cubes.sizes=[8,4]", f"cubes.generations={waves}".replace(" ", "")]


def words_of_run(family_words: Sequence[str]) -> list[str]:
    """The words of a run of a family's setting, with those of the game and all that the study states."""
    found = ("experiment=rediscover", *TUNING_GAME, *family_words, "record_every=1", "baseline=none")
    return with_stated(found, HERE / "settings.yaml")


def best_after(family_words: list[str], seed: int) -> float:
    """The best member's win probability against the optimum after at most `BUDGET` strategies."""
    run = pigevo.evolve(*words_of_run(family_words), seed=seed)
    spent = np.asarray(run.metrics["evaluations"]) <= BUDGET
    return float(np.asarray(run.metrics["best"])[spent][-1])


def chosen_setting(rows: TuningRows, family: str) -> int:
    """The setting with the best mean on the tuning seeds."""
    means = [np.mean([rows[family, str(number), seed] for seed in TUNING]) for number in range(CONFIGS)]
    return int(np.argmax(means))


def tuned(path: Path) -> TuningRows:
    """All runs of the tuning; what the file has is read, and what it lacks is done and added to it.

    They are of Pig to 40 with a die of eight sides, of which 1 and 2 lose the turn.  Each family has `CONFIGS`
    settings, its usual one and others drawn at random from a space of four or five options, and each of them
    `len(TUNING)` runs of `BUDGET` strategies.  The one with the best mean is run on `TESTED` seeds on which nothing was
    chosen, and so is it with one ingredient taken away.
    """
    rows = _read_tuning(path) if path.exists() else {}
    for family in FAMILIES:
        for number in range(CONFIGS):
            for seed in TUNING:
                _fill(rows, path, (family, str(number), seed), words_of_setting(family, number))
    for seed in TESTED:
        for name, of in _tested(rows):
            _fill(rows, path, (name, "test", seed), of)
    return rows


def _tested(rows: TuningRows) -> Iterator[tuple[str, list[str]]]:
    for family in FAMILIES:
        yield family, words_of_setting(family, chosen_setting(rows, family))
    for name, more in LESS.items():
        own = [one for one in words_of_setting(OWN, chosen_setting(rows, OWN)) if not _gone(one, more)]
        yield name, [*own, *more]


def _gone(word: str, more: tuple[str, ...]) -> bool:
    """Whether a word of the setting has no meaning beside those that replace it."""
    return any(word.partition("=")[0].startswith(one.partition("=")[0]) for one in more)


def _fill(rows: TuningRows, path: Path, key: TuningKey, of: list[str]) -> None:
    if key not in rows:
        rows[key] = best_after(of, key[2])
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["family", "setting", "seed", "best"])
        writer.writerows([*one, repr(figure)] for one, figure in rows.items())
        write_bytes(path, text.getvalue().encode())


def _read_tuning(path: Path) -> TuningRows:
    def of_row(row: Mapping[str, str]) -> tuple[TuningKey, float]:
        return (row["family"], row["setting"], int(row["seed"])), finite(row["best"])

    return dict(read_rows(path, ("family", "setting", "seed", "best"), of_row))


def tuning_table(rows: TuningRows) -> str:
    """What was chosen, what it comes to on the seeds of the test, and the differences from the own moves."""
    settings = [
        (family, number, " ".join(words_of_setting(family, number)),
         f"{np.mean([rows[family, str(number), seed] for seed in TUNING]):.5f}",
         "chosen" if number == chosen_setting(rows, family) else "")
        for family in FAMILIES for number in range(CONFIGS)
    ]  # fmt: skip
    own = _of(rows, OWN)
    lines: list[tuple[object, ...]] = []
    for name in (*FAMILIES, *LESS):
        found = _of(rows, name)
        less = found - own
        d = f"{less.mean() / less.std(ddof=1):+.2f}" if name != OWN else ""
        beside = mean_of(less, "+.5f") if name != OWN else ""
        lines.append(
            (name, len(found), f"{np.median(found):.5f}", f"{found.min():.5f}", f"{found.max():.5f}", beside, d)
        )
    head = ["family", "seeds", "median", "least", "greatest", "less own moves (95 %)", "effect d_z"]
    head_of_settings = ["family", "setting", "words", f"mean of {len(TUNING)} tuning runs", ""]
    return table(head, lines) + "\n" + table(head_of_settings, settings)


def _of(rows: TuningRows, name: str) -> Floats:
    return np.array([rows[name, "test", seed] for seed in TESTED])
