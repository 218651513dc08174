"""What a finished run hands over: champion, population, figures, and last of all `result.json`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError
from pigevo.evolution.loop import final_ranking, meetings
from pigevo.evolution.plan import Plan
from pigevo.evolution.verdict import games_of
from pigevo.files import write_bytes
from pigevo.runs.baseline import Comparison, compare
from pigevo.runs.checkpoint import Checkpoint
from pigevo.runs.metrics import digestible
from pigevo.runs.population import NAME as POPULATION
from pigevo.runs.population import save_population
from pigevo.runs.progress import bar_of_judging
from pigevo.runs.provenance import versions
from pigevo.strategies import Strategy

NAME = "result.json"


@dataclass(frozen=True, eq=False)
class Finish:
    """The end of a run.

    Args:
        champion: the best of the last generation, by the run's own judge.
        record: what `result.json` holds.
        comparison: the run beside its baseline, if it has one.
    """

    champion: Strategy
    record: dict[str, Any]
    comparison: Comparison | None


def conclude(plan: Plan, config: Mapping[str, Any], config_hash: str, point: Checkpoint) -> Finish:
    """Find the champion, judge it exactly, and compare the run with its baseline."""
    from pigevo.exact import optimal, win_probability

    state, books = point.state, point.books
    grid = plan.waves[state.wave].grid
    judged_alone = hasattr(plan.judge, "remember")  # against past champions
    matches = len(state.genomes) if judged_alone else len(meetings(plan, state))
    with bar_of_judging("finding the champion", matches, games_of(plan.judge)):
        order, verdict = final_ranking(plan, state)
    champion = grid.strategy(state.genomes[order[0]], f"champion of generation {state.generation}")
    figures = win_probability(champion, optimal(plan.game).strategy)
    rows = list(books.logbook)
    peak = max(rows, key=lambda row: row["mean"])
    evaluations = state.evaluations + state.fresh
    comparison = compare(plan, config["baseline"], peak["mean"], len(rows), figures.overall, evaluations)
    record = {
        "champion": {"first": figures.first, "second": figures.second, "overall": figures.overall},
        "optimum": optimal(plan.game).value,
        "peak_mean": peak["mean"],
        "peak_generation": peak["generation"],
        "last_mean": rows[-1]["mean"],
        "best_seen": max(row["best"] for row in rows),
        "generations": state.generation,
        "evaluations": evaluations,
        "games": state.games + verdict.games,
        "seconds": round(point.seconds, 3),
        "baseline": comparison.record() if comparison else None,
        "digest": digest(plan, point, champion),
        "versions": versions(),
        "begun_with": dict(point.versions),
        "config_hash": config_hash,
        "config": dict(config),
    }
    return Finish(champion, record, comparison)


def digest(plan: Plan, point: Checkpoint, champion: Strategy) -> str:
    """A SHA-256 of the last population, the champion, the hall of fame, the metrics and the counters."""
    state, books = point.state, point.books
    parts = [
        repr((STREAM_VERSION, plan.seed, state.generation, state.wave, state.evaluations, state.games)).encode(),
        np.packbits(state.genomes).tobytes(),
        champion.digest.encode(),
        b"".join(np.asarray(member).tobytes() for member in books.hall),
        digestible(books.logbook),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def write_finish(folder: Path, plan: Plan, point: Checkpoint, finish: Finish) -> None:
    """Write `champion.npz` and `population.npz`; `result.json` comes after everything else."""
    state = point.state
    finish.champion.save(folder / "champion.npz")
    save_population(folder / POPULATION, plan.waves[state.wave].grid, state.genomes, state.generation)


def write_result(folder: Path, record: Mapping[str, Any]) -> None:
    """Write `result.json`, which says that the run is finished."""
    write_bytes(folder / NAME, (json.dumps(record, indent=2) + "\n").encode())


def read_result(folder: Path) -> dict[str, Any] | None:
    """The result of a finished run; None if it has not finished.

    Raises:
        InputError: the file is there and damaged.
    """
    path = folder / NAME
    if not path.exists():
        return None
    try:
        record: dict[str, Any] = dict(json.loads(path.read_text()))
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{path} is damaged: remove it, or run again with force=true.") from error
    if "config_hash" not in record:
        raise InputError(f"{path} is damaged: remove it, or run again with force=true.")
    return record


def summary(record: Mapping[str, Any]) -> str:
    """A finished run in a few lines."""
    champion, base = record["champion"], record["baseline"]
    lines = [
        f"{record['generations']} generations, {record['evaluations']:,} strategies judged, "
        f"{record['games']:,} games, {record['seconds']:.1f} s",
        f"champion          {champion['overall']:.4f} against the optimum, exact "
        f"(moving first {champion['first']:.4f}, second {champion['second']:.4f})",
        f"population mean   {record['peak_mean']:.4f} at its peak in generation {record['peak_generation']}, "
        f"{record['last_mean']:.4f} in the last",
    ]
    if base:
        peak, best = base["peak_among_means"], base["champion_among_members"]
        lines += [
            f"random search     means of {base['populations']} random populations: {base['own_mean']:.4f}, "
            f"at most {peak['largest']:.4f}; single cells: {base['cells_mean']:.4f}",
            f"  peak mean       {_rarity(peak)}",
            f"  champion        {_rarity(best)}",
        ]
    return "\n".join(lines)


def _rarity(placed: Mapping[str, Any]) -> str:
    from pigevo.evolution.placement import Placement

    return str(Placement(**placed))
