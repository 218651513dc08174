"""`pigevo tune experiment=cube_random 'mutation=0.0001..0.05:log'`: search for the settings that do best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import json_option, show

if TYPE_CHECKING:
    from pigevo.sweeps.tuning import Confirmed, Tuned

SHOWN = 5
"""Proposals that are listed, the best first."""

_EPILOG = """\
A setting is searched if it is a range, LOW..HIGH, LOW..HIGH:log or LOW..HIGH:STEP (whole numbers stay whole), or has
several values, as selection=knockout,tournament.  All others are as in a run.

Optuna proposes, by its seeded TPE sampler, in batches of --batch whatever the number of workers: with one version of
Optuna the same command does the same runs.  What is finished is not done again, after Ctrl-C or a kill as well, and
more --runs go on from fewer.  Settings that are refused, such as an odd population.size with a knockout, count as
proposals that are worth nothing.
"""


@click.command(epilog=_EPILOG)
@click.argument("words", nargs=-1, required=True, metavar="KEY=RANGE... [KEY=VALUE...]")
@click.option("--runs", type=click.IntRange(1), default=100, show_default=True, help="Runs of the search at most.")
@click.option("--seeds", type=click.IntRange(1), default=3, show_default=True, help="Seeds, and runs, of a proposal.")
@click.option(
    "--confirm", type=click.IntRange(0), default=10, show_default=True,
    help="Fresh seeds for the best settings, and for those without what is searched.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of Optuna's sampler.")
@click.option("--batch", type=click.IntRange(1), default=4, show_default=True, help="Proposals made at once.")
@click.option("--workers", type=click.IntRange(1), default=None, help="Runs at the same time; all cores by default.")
@json_option
def command(
    words: tuple[str, ...], runs: int, seeds: int, confirm: int, seed: int, batch: int, workers: int | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Search for the settings whose champions win most against the optimum, and confirm them with fresh seeds."""
    from pigevo.runs.progress import begin_logging
    from pigevo.sweeps.tuning import tune

    begin_logging(None)
    found = tune(words, runs, seeds, confirm, seed, batch, workers)
    show(_record(found), _text(found), as_json)


def _record(found: Tuned) -> dict[str, Any]:
    return {
        "sweep": str(found.folder),
        "seeds": found.seeds,
        "proposals": [asdict(one) for one in found.proposals],
        "best": asdict(found.best),
        "importance": dict(found.importance),
        "evaluator": found.evaluator,
        "confirmed": found.confirmed and asdict(found.confirmed),
        "default": found.default and asdict(found.default),
        "compared": found.compared and {**asdict(found.compared), "better": found.compared.better},
    }


def _text(found: Tuned) -> str:
    from pigevo.storage.cache_dirs import display_path

    refused = Counter(one.refused for one in found.proposals if one.refused)
    lines = [f"{len(found.proposals)} proposals with {found.seeds} seeds each; the champion's exact win probability:"]
    lines += [f"  {count} refused: {why}" for why, count in refused.most_common(3)]
    done = {one.setting: one.score for one in found.proposals if one.score is not None}
    for setting, score in sorted(done.items(), key=lambda one: -(one[1] or 0))[:SHOWN]:
        lines.append(f"  {score:.4f}  {setting}")
    if found.importance:
        lines += ["", f"share in the variance of the scores ({found.evaluator}): {_shares(found.importance)}"]
    if found.confirmed:
        lines += ["", f"with {len(found.confirmed.champions)} fresh seeds", _line("best", found.confirmed)]
        lines += [_line("default", found.default)] if found.default else []
        lines += [_difference(found)] if found.compared else []
    place = display_path(found.folder)
    lines += ["", f"pigevo report {place}", "      all settings that were done"]
    if found.default:
        lines += [f"pigevo compare {place} {found.best.setting} {found.default.setting}"]
    return "\n".join(lines)


def _shares(importance: Mapping[str, float]) -> str:
    return ", ".join(f"{key} {share:.2f}" for key, share in importance.items())


def _line(name: str, one: Confirmed) -> str:
    return f"  {name:8}{one.mean:.4f}{_interval(one.low, one.high)}  {one.setting}"


def _difference(found: Tuned) -> str:
    compared = found.compared
    assert compared
    verdict = {"best": "the best is better", "default": "the default is better", None: "undecided"}[compared.better]
    return f"  {'':8}{compared.difference:+.4f}{_interval(compared.low, compared.high, '+.4f')} between them: {verdict}"


def _interval(low: float | None, high: float | None, form: str = ".4f") -> str:
    return "" if low is None else f" (95 % interval {low:{form}} to {high:{form}})"
