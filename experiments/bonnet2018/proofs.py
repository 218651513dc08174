"""What is proved of equilibria: bounds over all of them, win probabilities in fractions, and orbits without a pure one.

The solver chooses one equilibrium where an orbit has several, and compares floating-point numbers.

- Fractions, for small targets: the float solution says only which turns are played at an orbit. Their win probabilities
  are a rational linear system, solved in fractions, and that nobody gains by another decision is compared in fractions,
  too. Where players mix, the numbers are not always rational: two who mix fix each other's chance by linear equations,
  three by a quadratic one.
- Enclosures: nothing is chosen and nothing is rounded the wrong way. Orbit by orbit, all that any equilibrium can be
  worth is enclosed between two numbers, from what any equilibrium can be worth later (`kernels.py`). Where a decision
  may be a roll and a hold, both are followed: if every pure choice contradicts itself, the orbit has no pure
  equilibrium, whichever equilibrium is played later.
- Margins: how far the best pure choice of an orbit is from an equilibrium, where the solver finds no pure one. A pure
  choice gives each of the three players one turn. The *gain* of a player is what the best of all turns, played whenever
  the orbit comes round to that player, would win more at its start, while the two others stay as they are. The *margin*
  of the orbit is the smallest, over all pure choices, of the largest gain of the three. All turns are meant, also those
  that are never best. Most cannot matter: see `margin`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

import pigevo
from pigevo import three_player
from pigevo.core.arrays import Bools, Bytes, Floats
from pigevo.core.machine import Progress
from pigevo.games import Race
from pigevo.three_player.equilibria import BestTurns, best_turns
from pigevo.three_player.orbit_kernels import LEAVE, NEXT, OWN, THIRD
from pigevo.three_player.rules import Needs, orbits_by_total, plain_die, rotated, throws_of, won_values

from .coalitions import Coalition, coalition
from .kernels import FREE, HOLDS, ROLLS, bound_orbit, bound_orbits
from .records import SEATS, Rows

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


@dataclass(frozen=True, eq=False)
class Enclosure:
    """Bounds of the win probabilities in every equilibrium of a game.

    Args:
        game: the game.
        low, high: bounds, shape (3, T + 1, T + 1, T + 1), by the player (0 the mover) and the points that each needs.
        open_orbits: the orbits at which bounds do not decide every decision, each with how many they leave open.
    """

    game: Race
    low: Floats
    high: Floats
    open_orbits: dict[Needs, int]

    def at(self, target: int) -> Floats:
        """Bounds of the seats' win probabilities at the start of a game to a target, shape (2, 3).

        Args:
            target: up to that of the game.
        """
        return np.stack([self.low[:, target, target, target], self.high[:, target, target, target]])

    def opened(self, needs: Needs, asked: Bytes | None = None) -> Bools | None:
        """The decisions that stay open at an orbit if some are as asked, shape (3, T); None if none can be so.

        Args:
            needs: points needed in the orbit.
            asked: of each decision, as in `bound_orbit`; by default nothing.
        """
        T, (die, chances) = self.game.target, _die_bounds(self.game)
        asked = np.full((3, T), FREE, np.uint8) if asked is None else asked
        bounds, found = np.repeat([0.0, 1.0], 9).reshape(2, 3, 3), np.zeros((3, T), np.bool_)
        work = np.empty((2, T + die.max(), 3))
        done = bound_orbit(bounds, np.array(needs), self.low, self.high, die, chances, asked, found, work)
        return found if done else None


def _die_bounds(game: Race) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.int64]], Floats]:
    """The gains, and bounds of their chances and, last, of that of a bust."""
    gains, chances = plain_die(game)
    exact = np.append(chances, game.bust)
    return gains, np.stack([np.nextafter(exact, 0), np.nextafter(exact, 1)])


def enclose(game: Race, progress: Progress | None = None) -> Enclosure:
    """Bound the values of every equilibrium of a game.

    Args:
        game: the game.
        progress: is called with the number of orbits whenever so many more are done.
    """
    (die, chances), low, high = _die_bounds(game), won_values(game.target), won_values(game.target)
    found: dict[Needs, int] = {}
    for orbits in orbits_by_total(game.target):
        opened = bound_orbits(orbits, low, high, die, chances)
        found.update({(a, b, c): n for (a, b, c), n in zip(orbits.tolist(), opened.tolist(), strict=True) if n})
        if progress is not None:
            progress(len(orbits))
    return Enclosure(game, low, high, found)


def pure_choices(enclosure: Enclosure, needs: Needs) -> Iterator[Bytes]:
    """The pure choices at an orbit's open decisions that the bounds do not refute, shape (3, T) each.

    If there is none, no pure equilibrium exists there, whichever equilibrium is played later.

    Args:
        enclosure: of the game.
        needs: points needed in the orbit.
    """
    waiting = [np.full((3, enclosure.game.target), FREE, np.uint8)]
    while waiting:
        asked = waiting.pop()
        opened = enclosure.opened(needs, asked)
        if opened is None:
            continue
        free = np.argwhere(opened & (asked == FREE))
        if not len(free):
            yield asked
            continue
        for choice in (ROLLS, HOLDS):
            waiting.append(asked.copy())
            waiting[-1][tuple(free[0])] = choice


def bounds_by_target(enclosure: Enclosure) -> Rows:
    """For every target what the seats win at least and at most in any equilibrium, rounded outward.

    Args:
        enclosure: of the largest target.
    """
    rows = []
    for t in range(1, enclosure.game.target + 1):
        low, high = enclosure.at(t)
        ends = {
            f"{s}_{name}": float(v) for n, s in enumerate(SEATS) for name, v in (("low", low[n]), ("high", high[n]))
        }
        opened = sum(max(needs) <= t for needs in enclosure.open_orbits)
        rows.append({"target": t, **ends, "widest": float((high - low).max()), "open_orbits": opened})
    return rows


def least_gain(enclosure: Enclosure, needs: Needs, rolls: list[list[bool]]) -> Fraction:
    """A gain that some player has at least, at every pure choice of the open decisions, in rational numbers.

    Whoever changes one open decision, and nothing else, gains so much at the start of the turn, whichever equilibrium
    is played later. All other decisions are as the bounds say.

    Args:
        enclosure: of the game.
        needs: points needed in the orbit.
        rolls: for each of the three whether the turn total is rolled at, for the decisions that are not open.
    """
    opened = enclosure.opened(needs)
    free = [] if opened is None else [(int(m), int(k)) for m, k in np.argwhere(opened)]
    gains = []
    for choice in itertools.product((False, True), repeat=len(free)):
        turns = [list(turn) for turn in rolls]
        for (m, k), roll in zip(free, choice, strict=True):
            turns[m][k] = roll
        now = _enclosed(enclosure, needs, turns)
        best = Fraction(-1)
        for m, k in free:
            turns[m][k] = not turns[m][k]
            best = max(best, _enclosed(enclosure, needs, turns)[m][0] - now[m][1])
            turns[m][k] = not turns[m][k]
        gains.append(best)
    return min(gains)


def _enclosed(enclosure: Enclosure, needs: Needs, turns: list[list[bool]]) -> list[tuple[Fraction, Fraction]]:
    """What each of the three wins at least and at most at the start of the own turn, if these turns are played.

    Every win probability rises with those of later states, so the lower bounds of these give lower bounds.
    """
    die, states = plain_chances(enclosure.game)[0], [rotated(needs, m) for m in range(3)]
    ends: list[list[Fraction]] = [[], [], []]
    for bounds in (enclosure.low, enclosure.high):
        lines: list[Line] = [turn_lines(s, t, die, _Later(bounds))[0] for s, t in zip(states, turns, strict=True)]
        for m in range(3):
            ends[m].append(start_shares(lines[m], lines[(m + 1) % 3], lines[(m + 2) % 3])[0])
    return [(low, high) for low, high in ends]


class _Later(dict[Needs, Shares]):
    """Bounds in floating point, which are rational numbers, as what `turn_lines` looks up."""

    def __init__(self, bounds: Floats) -> None:
        super().__init__()
        self.bounds = bounds

    def __missing__(self, needs: Needs) -> Shares:
        mover, following, third = (Fraction(float(v)) for v in self.bounds[(slice(None), *needs)])
        return mover, following, third


IN_FRACTIONS: tuple[Needs, ...] = ((32, 62, 61), (45, 76, 52))
"""Orbits whose proof is also made in rational numbers: that of target 62, and that of the smallest margin at 100."""

ROUNDING = 1e-14
"""A weighted sum is computed with an error of less than this."""


def margins(solution: three_player.ThreeSolution, enclosure: Enclosure) -> Rows:
    """The margin of every orbit without a pure equilibrium, and whether it is proved that it has none.

    Args:
        solution: of the game.
        enclosure: of the same game.
    """
    values, throws = np.ascontiguousarray(np.moveaxis(solution.values, -1, 0)), throws_of(solution.game)
    alone, rows = coalition(solution.game), []
    for orbit in solution.without_pure:
        turns = best_turns(orbit.needs, values, throws)
        gain, tried = margin(turns, alone)
        best = every_best_turn(turns)
        proof: Fraction | str = ""
        if orbit.needs in IN_FRACTIONS:
            states = [rotated(orbit.needs, m) for m in range(3)]
            played = [[solution.strategy.chance(*s, k) > 0.5 for k in range(s[0])] for s in states]
            proof = least_gain(enclosure, orbit.needs, played)
        a, b, c = orbit.needs
        rows.append({
            "a": a, "b": b, "c": c, "mixing_players": orbit.equilibria[0].mixing,
            "turns": " ".join(str(n) for n in tried), "margin": gain, "margin_at_least": gain,
            "margin_of_best_turns": float(largest_gains(best, best).min()),
            "no_pure_one_proved": next(pure_choices(enclosure, orbit.needs), None) is None,
            "gain_in_fractions": float(proof) if proof else "",
        })  # fmt: skip
    return rows


def margin(turns: BestTurns, alone: Coalition) -> tuple[float, list[int]]:
    """The margin of an orbit, and how many turns of each player were tried.

    The best turns alone give an upper bound. A pure choice below it can have only few turns of two players
    (`near_best_turns`). For each pair of these, what the third one's turn must bring is a list of linear conditions
    (`conditions`), and all turns that meet them are found (`turns_that`). The third is who needs most points, and has
    most turns.

    Args:
        turns: of an orbit.
        alone: the game of each player against the two others.
    """
    best = every_best_turn(turns)
    gain = float(largest_gains(best, best).min())
    m = int(np.argmax(turns.needs))
    n, h = (m + 1) % 3, (m + 2) % 3
    near_n, near_h = (near_best_turns(turns, player, best[player], gain, alone) for player in (n, h))
    found = []
    for following, third in itertools.product(near_n, near_h):
        found.append(turns_that(turns, m, *conditions(m, following, third, best, gain)))
        if len(found[-1]):
            lines = {m: found[-1], n: following[None], h: third[None]}
            gain = min(gain, float(largest_gains([lines[player] for player in range(3)], best).min()))
    tried = {m: sum(len(lines) for lines in found), n: len(near_n), h: len(near_h)}
    return gain, [tried[player] for player in range(3)]


def every_best_turn(turns: BestTurns) -> list[Floats]:
    """The lines of all turns that are best for some bust value from 0 to 1, shape (turns, 4) for each player.

    Args:
        turns: of an orbit.
    """
    counts = [int(np.argmax(turns.starts[m] == 1.0)) for m in range(3)]
    return [turns.lines[m, : counts[m]] for m in range(3)]


def largest_gains(lines: Sequence[Floats], best: Sequence[Floats]) -> Floats:
    """The largest gain of the three at every pure choice, shape (turns of player 0, of 1, of 2).

    Args:
        lines: of the turns that each can choose.
        best: of the turns that each can change to; the best of all is one that is sometimes best.
    """
    grid = [lines[0][:, None, None], lines[1][None, :, None], lines[2][None, None, :]]
    stay = [1 - g[..., LEAVE] for g in grid]
    worst = np.zeros(tuple(len(t) for t in lines))
    for m in range(3):
        n, h = (m + 1) % 3, (m + 2) % 3
        elsewhere = grid[n][..., THIRD] + stay[n] * grid[h][..., NEXT]  # a bust is worth this, and what comes round
        round_trip = stay[n] * stay[h]
        most = np.full(elsewhere.shape, -np.inf)
        for turn in best[m]:
            out = 1 - (1 - turn[LEAVE]) * round_trip
            most = np.maximum(most, (turn[OWN] + (1 - turn[LEAVE]) * elsewhere) / out)
        worst = np.maximum(worst, most - (grid[m][..., OWN] + stay[m] * elsewhere) / (1 - stay[m] * round_trip))
    return worst


def near_best_turns(turns: BestTurns, m: int, best: Floats, gain: float, alone: Coalition) -> Floats:
    """The lines of all turns of a player in pure choices at which nobody gains more than `gain`, shape (turns, 4).

    Who gains at most `gain` by another turn for good gains no more by playing it once, at the bust value `x` of that
    pure choice (a change for good gains what one turn does, divided by a number of at most 1). What a turn loses,
    beside the best one, is a convex function of `x`, piecewise linear with the break points of the best turns. So a
    turn that loses at most `gain` anywhere in an interval does so at one of these break points or at an end.

    The interval of `x` is what a coalition of the two others leaves: who gains at most `gain` has no less than that,
    less `gain`, and the three win probabilities add up to 1.

    Args:
        turns: of an orbit.
        m: the player.
        best: the lines of the player's turns that are sometimes best.
        gain: in win probability.
        alone: the game of each player against the two others.
    """
    b, c, a = (turns.needs[(m + n) % 3] for n in (1, 2, 3))  # the next player moves
    least = [float(alone.values[r, r, b, c, a]) - gain for r in range(3)]
    ends = max(0.0, least[2]), min(1.0, 1 - least[0] - least[1])
    points = [*ends, *(x for x in turns.starts[m, 1 : len(best)] if ends[0] < x < ends[1])]
    near = []
    for x in points:
        most = (best[:, OWN] + (1 - best[:, LEAVE]) * x).max()
        near.append(turns_that(turns, m, np.array([[1.0, 0, 0, -x]]), np.array([most - gain - x])))
    return np.unique(np.concatenate(near), axis=0)


def conditions(m: int, following: Floats, third: Floats, best: Sequence[Floats], gain: float) -> tuple[Floats, Floats]:
    """What the line of a player's turn must fulfil for nobody to gain more than `gain`, given the two other turns.

    With `n` the next and `h` the third player, `stay` the chance to bust, and the line of `m` to be found:

    - The value of `m` at its own start is the only `v = own + stay (elsewhere + round trip v)`, whose right-hand side
      rises more slowly than `v`. So `v` is at least the best one less `gain` if, and only if, the right-hand side is
      no less than that number where `v` is that number.
    - A given turn loses at most `gain` for good only if it does once (`near_best_turns`), so where its bust value lies
      in an interval. The bust value of `n` is the only `x = third_h + stay_h (next_m + stay_m (own_n + stay_n x))`,
      that of `h` the only `x = third_m + stay_m (next_n + stay_n (own_h + stay_h x))`; as before, each of the two is
      on the right side of an end of its interval if, and only if, the right-hand side is, where `x` is that end.

    All of this is linear in the line of `m`: the first condition is exact, the others are necessary.

    Args:
        m: the player.
        following, third: the lines of the turns of the next player and of the third one.
        best: the lines of the turns of each player that are sometimes best.
        gain: in win probability.

    Returns:
        Weights and least sums, as `turns_that` takes them.
    """
    stay_n, stay_h = 1 - following[LEAVE], 1 - third[LEAVE]
    elsewhere, round_trip = following[THIRD] + stay_n * third[NEXT], stay_n * stay_h
    stay = 1 - best[m][:, LEAVE]
    v = float(((best[m][:, OWN] + stay * elsewhere) / (1 - stay * round_trip)).max()) - gain
    rows = [(1.0, 0.0, 0.0, elsewhere + round_trip * v, v)]  # weights of own, next, third and stay, and the least sum
    for sign, x in zip((1, -1), _within(following, best[(m + 1) % 3], gain), strict=True):
        worth = following[OWN] + stay_n * x
        rows.append((0.0, sign * stay_h, 0.0, sign * stay_h * worth, sign * (x - third[THIRD])))
    for sign, x in zip((1, -1), _within(third, best[(m + 2) % 3], gain), strict=True):
        worth = third[OWN] + stay_h * x
        rows.append((0.0, 0.0, sign, sign * (following[NEXT] + stay_n * worth), sign * x))
    weights, least = np.array(rows)[:, :4], np.array(rows)[:, 4]
    least, weights[:, LEAVE] = least - weights[:, LEAVE], -weights[:, LEAVE]  # stay is 1 - leave
    return weights, least


def _within(turn: Floats, best: Floats, gain: float) -> tuple[float, float]:
    """The least and the largest bust value at which a turn loses at most `gain`; the first is larger if none is."""
    spare, slope = turn[OWN] - best[:, OWN] + gain + ROUNDING, best[:, LEAVE] - turn[LEAVE]
    low, high = -spare[slope > 0] / slope[slope > 0], -spare[slope < 0] / slope[slope < 0]
    return float(low.max(initial=0.0)), float(high.min(initial=1.0))


def turns_that(turns: BestTurns, m: int, weights: Floats, least: Floats) -> Floats:
    """The lines of all turns of a player of which weighted sums are large enough, shape (turns, 4).

    A turn is decided at one total after the other, beginning at 0. It has then brought a part of its line, and stands
    at each higher total with some chance. What it can still bring to a weighted sum is bounded over *all* decisions at
    once: from a total k it brings at most `most[k]`, the larger of what a hold brings and of the average of `most` at
    the totals that a roll leads to. This follows by induction from the highest total down, since what comes after a
    total does not depend on how it was reached. So where the part, and `most` at the totals at which the turn may
    stand, do not add up to `least` for each of the weighted sums, no turn that begins so is meant, and none of them is
    followed. At the end nothing is left to decide, and the bound is the sum itself.

    Args:
        turns: of an orbit.
        m: the player.
        weights: of the four parts of a line, shape (sums, 4).
        least: of each sum, shape (sums,).
    """
    a, (gains, chances) = turns.needs[m], turns.die
    totals = np.minimum(np.arange(a + gains.max()), a)
    held = np.column_stack([turns.held[m], np.ones(len(turns.held[m]))])[totals]  # as lines: who holds leaves
    most = held @ weights.T
    for k in range(a - 1, -1, -1):
        roll = chances @ most[k + gains]
        most[k] = np.maximum(most[k], roll) if k else roll
    reach = np.zeros(len(held))
    reach[0] = 1
    waiting = [(0, np.zeros(4), reach)]
    found = []
    while waiting:
        k, line, reach = waiting.pop()
        if (weights @ line + reach[k:] @ most[k:] < least - ROUNDING).any():
            continue
        k = next((int(total) for total in np.flatnonzero(reach) if total >= k), a)
        if k >= a:
            found.append(line + reach[k:] @ held[k:])
            continue
        further = reach.copy()
        further[k + gains] += reach[k] * chances
        waiting.append((k + 1, line, further))
        if k:
            waiting.append((k + 1, line + reach[k] * held[k], reach))
    return np.array(found).reshape(-1, 4)
