"""How often the intervals of `pigevo people` hold what is true of simulated players.

`python -m tests.people.coverage` prints the table of docs/people.md (some ten minutes; with a number of players that
is less than 400, less).
"""

import sys
from collections.abc import Callable, Iterator, Sequence

import numpy as np

import pigevo
from pigevo.errors import InputError
from pigevo.people import HoldValue, RecordedTurn, when_behind
from pigevo.people.habits import fitted, log_chances
from pigevo.people.recorded_games import history_of

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


def table(players: int) -> Iterator[str]:
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
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else 400):
        print(line, flush=True)
