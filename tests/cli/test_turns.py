"""`pigevo turns` as a person uses it: the table of chance and size that the ten-round blog asks for."""

import json

import numpy as np
import pytest


def test_hold_at_20_in_words(pigevo):
    said = pigevo("turns hold_at:20")
    assert said.status == 0, said.err
    for part in (
        "bust    0.6245",
        "8.1418 points on average",
        "takes 12.6368 turns",
        "Holding at 20 or 21 brings most",
    ):
        assert part in said.out


def test_figures_are_those_of_turns_that_are_played():
    import pigevo

    game = pigevo.Pig(30, 4)
    rng, wanted = np.random.default_rng(1), pigevo.exact.mean_turns_alone(pigevo.hold_at(game, 9))
    turns = [alone(30, 4, 9, rng) for _ in range(4000)]
    assert np.mean(turns) == pytest.approx(wanted, abs=4 * np.std(turns) / len(turns) ** 0.5)


def alone(target, sides, hold, rng):
    """Turns until somebody who holds at a total has won, with nobody else there."""
    score = turns = 0
    while score < target:
        turns, total = turns + 1, 0
        while total < hold and score + total < target:
            face = int(rng.integers(1, sides + 1))
            if face == 1:
                total = 0
                break
            total += face
        score += total
    return turns


def test_for_programs(pigevo):
    record = json.loads(pigevo("turns hold_at:2 --game piglet --target 6 --json").out)
    assert (record["bust"], record["mean"], record["turns_alone"]) == (0.75, 0.5, 12.0)
    assert [row["mean"] for row in record["holds"][:3]] == [0.5, 0.5, 0.375]


def test_places_and_games_that_have_none_are_refused(refused):
    refused("turns hold_at:3 --target 9 --own 9", "outside the game")
    refused("turns hold_at:3 --game ten_rounds", "races of one die")
