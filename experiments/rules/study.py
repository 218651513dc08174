"""The best rule that a person can remember: all families, both objectives, four contenders, and the human who errs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pigevo import optimal
from pigevo.exact.thresholds import Thresholds
from pigevo.figures.axes import figure_of, save_figure
from pigevo.games import GAMES, Game
from pigevo.storage.files import write_bytes
from pigevo.strategies.rules import parse_rule

from ..common import tables as markdown
from ..common.tables import write_section
from . import contest, descent, exhaust, general, proof, slips
from .exhaust import Found, LeastExploitable, least_exploitable, searched
from .front import (
    ALONE,
    BOTH,
    EXPLOITED,
    LOSS,
    PUBLISHED,
    UNDIVIDED,
    Judged,
    as_csv,
    as_markdown,
    by_integers,
    fronts,
    fronts_data,
    judged,
    plot_fronts,
)

LOG = logging.getLogger(__name__)

RULE = "21+(j-i)/8; race either>=71"
"""Keep pace and end race (Neller & Presser 2010)."""

DRAWN = (PUBLISHED, LOSS, EXPLOITED, UNDIVIDED, ALONE)
"""The fronts of the picture."""

TARGETS = (100, 50)
OTHERS: dict[str, Callable[[Game, int, int], str]] = {
    "ten_rounds": general.ten_rounds_table,
    "two_dice": general.two_dice_table,
}
PROVEN = {1: 1, 2: 2, 3: 3, 4: 2}
"""Numbers of integers whose best rule is compared with all rules of many forms, and how many a base has at most."""

MOST_SEEDS, STARTS, INTEGERS = 10, 3, (1, 2, 3, 4)
"""Runs of each contender at most; descents of a form for each seed; numbers of integers that are exhausted."""


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables.

    Args:
        folder: where everything goes; the figures of a family that is there are not computed again.
        seeds: runs of each contender in each contest, as many as `contest.py` has seeds at most; descents take
            `MOST_SEEDS` at most.
        workers: threads.
    """
    _made(folder, seeds, workers)


def _made(folder: Path, seeds: int, workers: int) -> dict[Game, dict[str, list[Judged]]]:
    """What `run` does; the fronts of each game."""
    wanted, seeds = seeds, min(seeds, MOST_SEEDS)
    made: dict[Game, dict[str, list[Judged]]] = {}
    for target in TARGETS:
        game = GAMES["pig"].bind({"target": target})
        done = exhausted(game, folder / "exhausted" / str(target), workers)
        if target == TARGETS[0]:
            by_descent(folder, done, seeds)
            with_slips(folder, done)
        end = "" if target == TARGETS[0] else f"_{target}"
        write_section(folder, f"families{end}", families_table(done))
        write_section(folder, f"front{end}", as_markdown(done.fronts, game))
        write_section(folder, f"exploited{end}", exploited_table(done.least))
        rules = [one for some in done.fronts.values() for one in some]
        write_section(folder, f"ranks{end}", ranks_table(rules))
        made[game] = done.fronts
        if target == TARGETS[0]:
            write_section(folder, "left_out", exhaust.left_out_table(family_bests(done)))
    write_bytes(folder / "front.csv", as_csv(made).encode())
    game = next(iter(made))
    drawn = plot_fronts(fronts_data({name: made[game][name] for name in DRAWN}))
    save_figure(folder / "fronts.png", figure_of(drawn))
    LOG.info("the contest")
    best = {one.integers: one.difference for one in made[game][LOSS] if one.integers in INTEGERS}
    referee = Thresholds(optimal(game).strategy)
    path = folder / "contest.csv"
    older = [(budget, contest.contest(referee, some[:wanted], path, budget)) for budget, some in contest.OLDER]
    write_section(folder, "contest_older", contest.older_tables(older, best))
    fresh = contest.contest(referee, contest.FRESH[:wanted], path)
    write_section(folder, "contest", f"{contest.contest_table(fresh, best)}\n{contest.compared_table(fresh)}")
    return made


def run_full(folder: Path, seeds: int, workers: int) -> None:
    """The study, what bounds prove, all rules around the best with five integers, and rules for other games.

    Args:
        folder, seeds, workers: see `run`.
    """
    game, fronts_of = next(iter(_made(folder, seeds, workers).items()))
    LOG.info("around the best with five integers")
    referee = Thresholds(optimal(game).strategy)
    ends = [descent.descended(form, STARTS * min(seeds, MOST_SEEDS), referee).rule for form in descent.FIVE]
    write_section(folder, "five", exhaust.around_table(ends, referee, workers))
    LOG.info("bounds on all rules of many forms")
    best = {one.rule: PROVEN[one.integers] for one in fronts_of[LOSS] if one.integers in PROVEN}
    write_section(folder, "proven", proof.proven_table(best, game))
    for name, table in OTHERS.items():
        LOG.info(name)
        text = table(GAMES[name].bind({}), min(seeds, STARTS), workers)
        write_section(folder, name, text)


@dataclass(frozen=True)
class Exhausted:
    """A game's families, evaluated, and what follows.

    Args:
        game: the game.
        found: the families.
        seconds: how long they took.
        fronts: by their names, the published rule and the least exploitable ones among them.
        least: the least exploitable rules.
    """

    game: Game
    found: Sequence[Found]
    seconds: float
    fronts: dict[str, list[Judged]]
    least: Sequence[LeastExploitable]


def exhausted(game: Game, folder: Path, workers: int) -> Exhausted:
    """All families of a game, and their fronts."""
    found, seconds = searched(game, folder, workers)
    LOG.info("%d rules in %.0f s; the fronts", sum(len(one.family) for one in found), seconds)
    least = [least_exploitable(found, integers, game, workers) for integers in INTEGERS]
    published = parse_rule(RULE.replace("71", str(game.target - 29)))
    made = {PUBLISHED: [judged(published, game)]} | fronts(found, game)
    made[EXPLOITED] = [judged(one.rule, game) for one in least]
    return Exhausted(game, found, seconds, made, least)


def by_descent(folder: Path, done: Exhausted, seeds: int) -> None:
    """Descents of forms that are too large, and what rules lose in the hands of somebody who errs.

    The best rule with five integers that a descent has found joins the front; no family says that there is no better.
    """
    referee = Thresholds(optimal(done.game).strategy)
    LOG.info("descents of forms that are too large")
    forms = [descent.descended(form, STARTS * seeds, referee) for form in (*descent.EXHAUSTED, *descent.FIVE)]
    write_section(folder, "descents", descent.descents_table(forms))
    five = min((one for one in forms if one.form in descent.FIVE), key=lambda one: one.difference)
    done.fronts[LOSS][:] = by_integers([*done.fronts[LOSS], judged(five.rule, done.game)])
    some = [*done.fronts[PUBLISHED], *done.fronts[LOSS], *done.fronts[EXPLOITED], *done.fronts[UNDIVIDED]]
    rules = dict.fromkeys(one.rule for one in some)
    write_section(folder, "robust", slips.robust_table(list(rules), referee))


def with_slips(folder: Path, done: Exhausted) -> None:
    """What slips cost the rules of all fronts, and the best plan and better numbers for who slips."""
    LOG.info("slips")
    loss = slips.losses(done.game)
    rules = list(dict.fromkeys(one.rule for some in done.fronts.values() for one in some))
    write_section(folder, "slips", slips.slips_table(rules, done.game, loss))
    write_section(folder, "plans", slips.plans_table(done.game))
    small = [one for one in done.fronts[BOTH] if one.integers <= max(slips.FAR)]
    some = [*done.fronts[PUBLISHED], *small, *(one for one in done.fronts[LOSS] if one.integers in INTEGERS)]
    tuned = list(dict.fromkeys(one.rule for one in some))
    write_section(folder, "tuned", slips.tuned_table(tuned, loss))


def family_bests(done: Exhausted) -> list[exhaust.FamilyBest]:
    """The best rule of every family."""
    found = []
    for one in done.found:
        best = int(one.difference.argmin())
        rule, figure = one.family.rule(best), round(float(one.difference[best]), 5)
        found.append(exhaust.FamilyBest(one.family.name, int(one.integers[best]), rule.text, figure))
    return found


def families_table(done: Exhausted) -> str:
    """Every family: how many rules it has, and the best of them."""
    rows = []
    for one in done.found:
        best = int(one.difference.argmin())
        rows.append((one.family.name, one.integers[best], f"{len(one.family):,}", f"`{one.family.rule(best)}`",
                     f"{one.difference[best]:.5f}"))  # fmt: skip
    total = sum(len(one.family) for one in done.found)
    rows.append((f"all {len(done.found)}", "", f"{total:,}", f"{done.seconds:.0f} s", ""))
    return markdown.table(["family", "integers", "rules", "best", "difference"], rows)


def exploited_table(least: Sequence[LeastExploitable]) -> str:
    """The least exploitable rules, and how far they are proven to be that."""
    rows = [
        (integers, f"`{one.rule}`", f"{one.exploitability:.5f}", "yes" if one.proven else "open")
        for integers, one in zip(INTEGERS, least, strict=True)
    ]
    return markdown.table(["integers", "least exploitable of all families", "exploitability", "proven"], rows)


def ranks_table(rules: Sequence[Judged]) -> str:
    """The rules of all fronts by loss, each with its place by exploitability."""
    different = sorted(dict.fromkeys(rules), key=lambda one: one.difference)
    places = np.argsort(np.argsort([one.exploitability for one in different])) + 1
    rows = [
        (place, by_exploitability, f"`{one.rule}`", one.integers, f"{one.difference:.5f}", f"{one.exploitability:.5f}")
        for (place, one), by_exploitability in zip(enumerate(different, start=1), places.tolist(), strict=True)
    ]
    head = ["by loss", "by exploitability", "rule", "integers", "difference", "exploitability"]
    return markdown.table(head, rows)
