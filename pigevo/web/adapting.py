"""What the page needs for the opponent that adapts: its answers' worth, and the constants of what it believes."""

from __future__ import annotations

import json
from functools import cache

from pigevo.games import Game
from pigevo.people.adapting import CAP, CHANGE, SLIP_CHANCES, answers_to_holds
from pigevo.people.habits import SLIPS


@cache
def adapting_file(game: Game) -> bytes:
    """What `Answers` has but the strategies, which the page solves for itself, and the slips with their prior."""
    answers = answers_to_holds(game)
    record = {
        "target": game.target, "limit": CAP, "change": CHANGE, "slips": SLIPS.tolist(),
        "slipChances": SLIP_CHANCES.tolist(), "to": answers.to.tolist(), "gains": answers.gains.tolist(),
        "losses": answers.losses.tolist(),
    }  # fmt: skip
    return json.dumps(record, separators=(",", ":")).encode()
