"""Equilibria in fractions: what the solver finds in floating point, proved without rounding for small targets.

At an orbit the float solution says only which turns are played. Their win probabilities are a
rational linear system, solved in fractions, and that nobody gains by another decision is
compared in fractions, too. Where players mix, the numbers are not always rational: two who
mix fix each other's chance by linear equations, three by a quadratic one.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

import pigevo
from pigevo import three_player
from pigevo.games import Race
from pigevo.three_player.rules import Needs, orbits_by_total, rotated

from .curves import SEATS
from .records import Rows

LARGEST_DENOMINATOR = 10_000
"""Chances of a roll are fractions with at most this denominator, as 1/6."""

Shares = tuple[Fraction, Fraction, Fraction]
"""Win probabilities of mover, next and third."""

Line = tuple[Shares, Fraction]
"""What the three win when a turn leaves the scores, and the chance that it does."""

FRACTION_GAMES: tuple[Race, ...] = (three_player.Piglet(16), three_player.Game(target=10))


def solve_in_fractions(game: Race) -> dict[Needs, Shares]:
    """Win probabilities of a pure equilibrium, by the points needed, as fractions.

    Args:
        game: the game; small, since denominators grow with every orbit.

    Raises:
        InputError: the chances are no plain fractions, or the solution mixes, or is only to rounding an equilibrium.
    """
    die, bust = plain_chances(game)
    solution = three_player.solve(game)
    if solution.mixed:
        raise pigevo.InputError(f"the solution of {game} mixes: its numbers need not be fractions.")
    found: dict[Needs, Shares] = {}
    for orbit in itertools.chain.from_iterable(orbits_by_total(game.target)):
        a, b, c = orbit.tolist()
        states = [rotated((a, b, c), m) for m in range(3)]
        rolls = [[solution.strategy.chance(*needs, k) == 1 for k in range(needs[0])] for needs in states]
        lines = [turn_lines(needs, turn, die, found)[0] for needs, turn in zip(states, rolls, strict=True)]
        for m, needs in enumerate(states):
            found[needs] = start_shares(lines[m], lines[(m + 1) % 3], lines[(m + 2) % 3])
        for needs, turn in zip(states, rolls, strict=True):
            _check(needs, turn, die, bust, found)
    return found


def plain_chances(game: Race) -> tuple[list[tuple[int, Fraction]], Fraction]:
    """The gains of a roll with their chances, and the chance of a bust, as fractions.

    Args:
        game: the game.

    Raises:
        InputError: the chances are no plain fractions.
    """
    die, bust = [(points, _plain(chance)) for points, chance in game.die], _plain(game.bust)
    if bust + sum(chance for _, chance in die) != 1:
        raise pigevo.InputError(f"the chances of {game} are no plain fractions that add up to 1.")
    return die, bust


def _plain(chance: float) -> Fraction:
    """The simple fraction that a chance in floating point stands for."""
    found = Fraction(chance).limit_denominator(LARGEST_DENOMINATOR)
    if abs(float(found) - chance) > np.finfo(float).eps:
        raise pigevo.InputError(f"a chance of {chance} is no plain fraction: its denominator is too large.")
    return found


def turn_lines(
    needs: Needs, rolls: list[bool], die: list[tuple[int, Fraction]], found: Mapping[Needs, Shares]
) -> list[Line]:
    """The line of a turn from each turn total on.

    Args:
        needs: points needed by mover, next and third.
        rolls: at each turn total.
        die: the gains and their chances.
        found: the win probabilities after a hold.
    """
    one, none = Fraction(1), Fraction(0)
    lines: list[Line] = [((one, none, none), one)] * needs[0]
    for k in range(needs[0] - 1, -1, -1):
        if rolls[k]:
            ends = [(p, lines[k + g] if k + g < needs[0] else ((one, none, none), one)) for g, p in die]
            first, second, third = (sum((p * line[0][n] for p, line in ends), none) for n in range(3))
            lines[k] = (first, second, third), sum((p * line[1] for p, line in ends), none)
        else:
            lines[k] = _hold(needs, k, found), one
    return lines


def _hold(needs: Needs, k: int, found: Mapping[Needs, Shares]) -> Shares:
    a, b, c = needs
    following, third, mover = found[b, c, a - k]
    return mover, following, third


def start_shares(mover: Line, following: Line, third: Line) -> Shares:
    """Win probabilities at the start of a turn, from the lines of the three.

    Args:
        mover, following, third: their lines, in the order of their turns.
    """
    stays = [1 - line[1] for line in (mover, following, third)]
    out = 1 - stays[0] * stays[1] * stays[2]

    def share(n: int) -> Fraction:
        later = following[0][(n - 1) % 3] + stays[1] * third[0][(n - 2) % 3]
        return (mover[0][n] + stays[0] * later) / out

    return share(0), share(1), share(2)


def _check(
    needs: Needs, rolls: list[bool], die: list[tuple[int, Fraction]], bust: Fraction, found: dict[Needs, Shares]
) -> None:
    """Refuse a turn in which another decision would be better, however little."""
    a, b, c = needs
    worth = [Fraction(1)] * a
    busted = found[b, c, a][2]
    for k in range(a - 1, -1, -1):
        roll = bust * busted + sum(p * (worth[k + g] if k + g < a else 1) for g, p in die)
        hold = _hold(needs, k, found)[0] if k else roll
        worth[k] = roll if rolls[k] else hold
        if worth[k] < max(roll, hold):
            raise pigevo.InputError(f"at {needs} and turn total {k} the solution is an equilibrium only to rounding.")


def fractions() -> Rows:
    """Win probabilities by seat in fractions, for each target of `FRACTION_GAMES`, beside the solver's."""
    rows = []
    for game in FRACTION_GAMES:
        found, solution = solve_in_fractions(game), three_player.solve(game)
        for t in range(1, game.target + 1):
            exact = found[t, t, t]
            gap = max(abs(float(e) - v) for e, v in zip(exact, solution.values[t, t, t].tolist(), strict=True))
            digits = len(str(exact[0].denominator))
            told = {s: str(e) if digits <= 40 else "" for s, e in zip(SEATS, exact, strict=True)}
            rows.append({"game": type(game).__name__.lower(), "target": t, **told, "digits": digits, "gap": gap})
    return rows
