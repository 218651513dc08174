"""A run as a film for the page: its champions by generation, beside the optimum, and its curve.

`python -m pigevo.web.films` makes the page's own films again, from the runs up.

Champions that the run has not recorded are recomputed and checked against its digests, as in `pigevo film`.
A film is a plain JSON record; its maps are bytes, with each frame stored as the difference to the
previous one, deflated.
"""

from __future__ import annotations

import base64
import math
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import JsonObject
from pigevo.errors import InputError
from pigevo.evolution.logbook import DIGEST_COLUMN
from pigevo.exact import optimal, reach, win_probability
from pigevo.figures.decisions import decisions_data
from pigevo.games import Game
from pigevo.runs import pictures, run
from pigevo.runs.checkpoint import versions
from pigevo.runs.folder import settings_of
from pigevo.runs.metrics import read_rows
from pigevo.runs.pictures import Reel, champions, reel_of
from pigevo.settings.settings import Settings
from pigevo.storage.files import write_bytes
from pigevo.strategies import Strategy
from pigevo.web.site import EXAMPLES, MADE_BY, Film, as_text

FORMAT = 1
MOST_FRAMES = 60
LARGEST_TARGET = 255  # the largest target for which a byte can store turn totals
SHADES = 7  # the number of shades on a map

CURVE = {"generation": int, "best": float, "mean": float, "worst": float}  # columns of metrics.csv, and their types

COMMON, RARE = 1e-2, 1e-5
"""Expected turns in a game that begin at a pair of scores: at `COMMON` or more its colour is full, at `RARE` or less it
is palest."""


def film_of(folder: Path, title: str = "", command: str = "", workers: int = 1) -> Film:
    """Make the film of a run, under its title or that from its folder, with the command if there is one."""
    rows, reel = read_rows(folder), page_reel(folder, workers)
    plan = settings_of(folder).plan
    best = optimal(plan.game).strategy
    planes, frames, champion = [plane_of(best, best)], [], best
    for number, champion in champions(reel):
        wave = plan.waves[plan.wave_at(number)]
        won = win_probability(champion, best).overall
        frames.append({"generation": number, "cube_size": wave.grid.label, "overall": won})
        planes.append(plane_of(champion, best))
    record = {
        "format": FORMAT,
        "title": title or title_of(folder),
        "command": command,
        "made_by": {name: number for name, number in versions().items() if name != "machine"},
        "digest": rows[-1][DIGEST_COLUMN],
        "target": plan.game.target,
        "game": str(plan.game),
        "shades": SHADES,
        "curve": {name: [read(row[name]) for row in rows] for name, read in CURVE.items()},
        "frames": frames,
        "maps": packed(planes),
    }
    return Film(record, champion)


def title_of(folder: Path) -> str:
    """The title from a run's folder: the experiment, and the settings without their hash."""
    path = folder.resolve()
    settings, _, code = path.name.rpartition("-")
    return f"{path.parent.name}: {settings}" if re.fullmatch(r"[0-9a-f]{10}", code) else path.name


def page_reel(folder: Path, workers: int = 1) -> Reel:
    """The plan of a run's film: at most `MOST_FRAMES` of its recorded generations.

    If it has recorded enough champions, none is recomputed.
    """
    plan = settings_of(folder).plan
    refuse_other_games(plan.game)
    recorded = [int(row["generation"]) for row in read_rows(folder)]
    reel = reel_of(folder, workers=workers)
    if not reel.missing:
        return replace(reel, numbers=frames_among(list(reel.recorded), plan.wave_ends))
    apart = recorded[1] - recorded[0] if len(recorded) > 1 else 1
    reel = reel_of(folder, apart * max(1, -(-len(recorded) // (pictures.MOST_FRAMES // 2))), workers)
    candidates = sorted(set(reel.numbers) & set(recorded))
    return replace(reel, numbers=frames_among(candidates, plan.wave_ends))


def refuse_other_games(game: Game) -> None:
    """Refuse a game whose strategies the page cannot show."""
    if game.shape != (game.target,) * 3:
        raise InputError(f"the page shows runs over both scores and the turn total, and {game} has other decisions.")
    if not 2 <= game.target <= LARGEST_TARGET:
        raise InputError(f"the page shows runs to a target from 2 to {LARGEST_TARGET}, not to {game.target}.")


def frames_among(recorded: Sequence[int], ends: Iterable[int]) -> tuple[int, ...]:
    """At most `MOST_FRAMES` of the recorded generations, denser at first, including the ends of waves."""
    if len(recorded) <= MOST_FRAMES:
        return tuple(recorded)
    chosen = {recorded[0], recorded[-1], *(set(ends) & set(recorded))}
    count = MOST_FRAMES - len(chosen)
    for n in range(1, count + 1):
        wished = recorded[-1] * (n / (count + 1)) ** 2
        left = (generation for generation in recorded if generation not in chosen)
        chosen.add(min(left, key=lambda generation: abs(generation - wished)))
    return tuple(sorted(chosen))


def plane_of(strategy: Strategy, best: Strategy) -> Bytes:
    """One frame's bytes, shape (2, T, T) by own and opponent's score: the first hold, and the fullness of its colour.

    The second is from 0 to `SHADES`, by the number of turns that begin there in a game against the optimum.
    """
    turns = np.maximum(reach(strategy, best).overall[:, :, 0], 1e-300)
    full = np.clip(1 + np.log10(turns / COMMON) / math.log10(COMMON / RARE), 0, 1)
    return np.stack([decisions_data(strategy).first_hold, np.rint(full * SHADES)]).astype(np.uint8)


def packed(planes: Sequence[Bytes]) -> str:
    """Frames as text: the first, then the differences from one to the next, deflated, in base 64."""
    stack = np.stack(planes)
    stack[1:] ^= stack[:-1].copy()
    return base64.b64encode(zlib.compress(stack.tobytes(), 9)).decode()


def example_film(name: str) -> JsonObject:
    """Make one of the page's own films: its run in a temporary folder, then the film."""
    title, words = MADE_BY[name]
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        run(Settings.of(*words), path, words)
        return film_of(path, title, f"python -m pigevo {' '.join(words)}").record


if __name__ == "__main__":
    for example in MADE_BY:
        write_bytes(Path(str(EXAMPLES), f"{example}.json"), as_text(example_film(example)).encode())
