"""Three given strategies: win probabilities, the certificate that nobody gains by deviating, and simulated games.

Independently of a solver's claims, the certificate recomputes, over the whole game, the win probabilities
of the strategy and the best response of one player to the two others.  It shares with the
solver only the die and the list of orbits: turns are followed forwards and not backwards, the
responder's orbits are solved one unknown at a time, and gains are compared at every state and
every turn total.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import is_integer
from pigevo.core.machine import Progress, available_cores, map_threads
from pigevo.core.text import short_repr
from pigevo.dice import Die, Draw
from pigevo.errors import InputError
from pigevo.games import Pig
from pigevo.simulation.match import Match
from pigevo.three_player.evaluation_kernels import evaluate_orbits, play_three, respond_orbits
from pigevo.three_player.rules import orbits_by_total, plain_die, throws_of, won_values
from pigevo.three_player.strategy import Strategy, one_game

MOST_GAMES = 10**9
"""The largest number of games between three strategies."""

CERTIFICATE = dict.fromkeys(
    (f"pigevo.three_player.evaluation_kernels.{name}" for name in ("evaluate_orbits", "respond_orbits")),
    f"{__name__}:small_certificate",
)
"""The kernels of a certificate, for `pigevo.compiled.cache.compile_ahead`."""


def evaluate(strategies: Sequence[Strategy], won: Floats | None = None) -> Floats:
    """Win probabilities at the start of every turn, exactly.

    Args:
        strategies: the strategies of players 0, 1 and 2, who take turns in this order.
        won: other values where a player has won, shape (3, T + 1, T + 1, T + 1), by mover, next and third player and
            the points that they need; without them a win is worth 1 and everything else 0.

    Returns:
        An array of shape (3, 3, T + 1, T + 1, T + 1): win probability of player `p` when player `m` is
        to move, by m, p, and the points needed by the mover, the next and the third player.

    Raises:
        InputError: there are not three strategies, or they are for different games.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> tp.evaluate([solution.strategy] * 3).shape
        (3, 3, 6, 6, 6)
    """
    game = one_game(strategies)
    won = won_values(game.target) if won is None else won
    values = np.stack([np.roll(won, m, axis=0) for m in range(3)])
    first, second, third = (s.tables for s in strategies)
    orbits = np.concatenate(list(orbits_by_total(game.target)))
    evaluate_orbits(orbits, (first, second, third), plain_die(game), values.reshape(3, 3, -1))
    return values


def win_probabilities(strategies: Sequence[Strategy]) -> tuple[float, float, float]:
    """Win probabilities of first, second and third seat at the start of a game.

    Args:
        strategies: the strategies of the three seats; the first one moves first.

    Raises:
        InputError: there are not three strategies, or they are for different games.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> lifted = tp.lifted(pigevo.Pig(target=5))
        >>> [round(p, 4) for p in tp.win_probabilities([solution.strategy, lifted, lifted])]
        [0.7579, 0.193, 0.0491]
    """
    target = one_game(strategies).target
    first, second, third = evaluate(strategies)[0, :, target, target, target].tolist()
    return first, second, third


LIMIT = 1e-12  # the largest gain by deviating with which a strategy is certified as an equilibrium


@dataclass(frozen=True)
class Certificate:
    """The largest gain of one player by deviating from a strategy that all three play.

    Args:
        gain: the largest gain in win probability at any state, at the start of a turn or within it.
        where: the state of the largest gain: points needed by the mover, who gains, by the next and by the third
            player, and the turn total.
        error: the largest difference between the claimed and the recomputed win probabilities.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> solution.certificate.holds
        True
    """

    gain: float
    where: tuple[int, ...]
    error: float

    @property
    def holds(self) -> bool:
        """Whether gain and error are both at most `LIMIT`."""
        return bool(self.gain <= LIMIT and self.error <= LIMIT)


def certify(strategy: Strategy, claimed: Floats, won: Floats | None = None) -> Certificate:
    """Check whether a strategy that all three play is an equilibrium, and check the values claimed for it.

    Args:
        strategy: the strategy.
        claimed: win probabilities, shape (T + 1, T + 1, T + 1, 3), as in `ThreeSolution.values`.
        won: other values where a player has won, from 0 to 1, as in `evaluate`.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> tp.certify(solution.strategy, solution.values).holds
        True
    """
    game = one_game([strategy] * 3)
    own, best = evaluate([strategy] * 3, won)[0], won_values(game.target) if won is None else won.copy()
    orbits = np.concatenate(list(orbits_by_total(game.target)))
    gain, state, k = respond_orbits(orbits, strategy.tables, throws_of(game), best.reshape(3, -1), own.reshape(3, -1))
    a, b, c = map(int, np.unravel_index(state, own.shape[1:]))
    error = np.abs(np.moveaxis(claimed, -1, 0) - own)[:, 1:, 1:, 1:].max()
    return Certificate(max(0.0, float(gain)), (a, b, c, int(k)), float(error) if np.isfinite(error) else np.inf)


def small_certificate() -> None:
    """Call the kernels of certificates."""
    certify(Strategy.from_function(Pig(2), lambda a, b, c, k: 1), np.zeros((3, 3, 3, 3)))


MOST_TURNS = 100_000  # the number of turns of all three players after which a game is reported as unfinished
BATCH = 10_000  # the number of games that a thread plays at a time


@dataclass(frozen=True)
class ThreeMatch:
    """The results of games of three players.

    Args:
        wins: games won by the first, the second and the third seat.
        unfinished: games stopped after `MOST_TURNS` turns.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> match = tp.play([solution.strategy] * 3, games=1000, seed=1)
        >>> sum(match.wins) + match.unfinished
        1000
    """

    wins: tuple[int, int, int]
    unfinished: int = 0

    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(self.wins) + self.unfinished

    @property
    def win_rates(self) -> tuple[float, float, float]:
        """The share of games that each seat won."""
        first, second, third = (w / self.games for w in self.wins)
        return first, second, third

    def intervals(self, confidence: float = 0.95) -> tuple[tuple[float, float], ...]:
        """Wilson's interval for the win probability of each seat."""
        return tuple(Match(w, self.games - w).interval(confidence) for w in self.wins)


def play(
    strategies: Sequence[Strategy],
    games: int = 1000,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ThreeMatch:
    """Play games between three strategies, seated in this order; the first one moves first in every game.

    Args:
        strategies: those of the first, second and third seat; to change seats, play each order.
        games: the number of games, from 1 to `MOST_GAMES`.
        seed: determines every roll; game `n` does not depend on the number of games.
        workers: threads, all cores by default; the result does not depend on it.
        progress: called with the number of games played since the last call.

    Raises:
        InputError: there are not three strategies, they are for different games, the number of games or the
            seed is out of range.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> match = tp.play([solution.strategy] * 3, games=1000, seed=1)
        >>> sum(match.wins)
        1000
    """
    game = one_game(strategies)
    if not is_integer(games) or not 1 <= games <= MOST_GAMES:
        raise InputError(f"games = {short_repr(games)}: play a whole number of games, from 1 to {MOST_GAMES:,}.")
    draw, die = Draw(seed, "dice"), Die.of(game.die, game.bust)
    first, second, third = (s.tables for s in strategies)
    players, table = (first, second, third), (die.own, die.alias, die.cut)
    *_, seed_word, stream = draw.key
    batches = [range(start, min(start + BATCH, int(games))) for start in range(0, int(games), BATCH)]

    def run(batch: range) -> Ints:
        return play_three(players, table, batch.start, batch.stop, MOST_TURNS, seed_word, stream)

    def played(batch: range) -> None:
        if progress is not None:
            progress(len(batch))

    counts = np.sum(map_threads(run, batches, workers or available_cores(), played), axis=0)
    a, b, c, unfinished = counts.tolist()
    return ThreeMatch((a, b, c), unfinished)
