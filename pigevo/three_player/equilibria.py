"""The best turns at one orbit, the turns that elimination leaves, and every equilibrium in these turns.

Turns are lines, as `orbit_kernels.py` explains: a turn is worth `own + (1 - leave) x` if a bust is worth `x`.

An equilibrium is looked for only where elimination leaves more than one turn.  Each player plays one of the remaining
turns, or mixes two neighbouring ones.  Every combination that bounds of the bust values do not exclude is tried; it is
an equilibrium if no player gains more than `TIE` by another turn.

A player who mixes is indifferent between two neighbouring turns, so that player's bust value
is the break point between them.  The bust value depends on how the other two mix: it is
linear in each weight.  Two mixing players determine each other's weight by one linear equation
each; three by a chain of three fractions `(p w + q) / (r w + s)`, which is one quadratic
equation.  A single mixing player needs a bust value that happens to equal a break point, a tie.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Floats, Ints
from pigevo.errors import InputError
from pigevo.three_player.orbit_kernels import LEAVE, NEXT, OWN, THIRD, best_turn, prepare_orbit, start_values
from pigevo.three_player.rules import Needs, PlainDie, Throws

TIE = 1e-14  # gains smaller than this are treated as zero


@dataclass(frozen=True, eq=False)
class BestTurns:
    """The best turns of an orbit, where n players need `needs` points; made by `best_turns`.

    `held`, shape (n, room, n), has all players' values after a hold at each turn total and after a win; `exits`, shape
    (n, n + 1), the lines of throws that end the turn with another score; `lines`, shape (n, room, n + 1), those of the
    best turns in the order of the bust value; `starts` the bust value from which each turn is best, and 1 after the
    last. Elimination leaves each player the turns from `first` to before `last`.
    """

    needs: tuple[int, ...]
    throws: Throws
    held: Floats
    exits: Floats
    lines: Floats
    starts: Floats
    first: Ints
    last: Ints

    @property
    def die(self) -> PlainDie:
        """The gains and their probabilities."""
        return self.throws[:2]

    @property
    def left(self) -> list[Floats]:
        """For each player, the lines of the turns that elimination leaves, shape (turns, n + 1)."""
        return [self.lines[m, self.first[m] : self.last[m]] for m in range(len(self.needs))]

    def rolls(self, m: int, x: float, low: int, weight: float) -> Floats:
        """The chance to roll at each turn total if player `m` mixes turn `low` of `left` with the next one.

        `weight` is that of the next one. Mixing two whole turns is equivalent to mixing the decisions at which they
        differ, in proportion to the chances that each turn reaches them (Kuhn 1953). At totals that neither reaches,
        the decision is the best one for a bust value of `x`.
        """
        chance, come = self._turn(m, x).astype(np.float64), np.zeros((2, self.needs[m]))
        for number, share in ((self.first[m] + low, 1 - weight), (self.first[m] + low + 1, weight)):
            if share > 0:
                rolls = self._turn(m, (self.starts[m, number] + self.starts[m, number + 1]) / 2)
                come += share * self._reach(rolls) * np.stack([1 - rolls, rolls])
        reached = come.sum(axis=0)
        np.divide(come[1], reached, out=chance, where=reached > 0)
        return chance

    def _turn(self, m: int, x: float) -> Bytes:
        """The turn totals at which the best turn for a bust value of `x` rolls."""
        a, rolls = self.needs[m], np.empty(self.needs[m], np.uint8)
        own, leave = np.empty((2, a))
        best_turn(x, self.held[m], self.exits[m], a, self.throws, own, leave, rolls)
        return rolls

    def _reach(self, rolls: Bytes) -> Floats:
        """The chance to reach each turn total."""
        gains, chances = self.die
        reach = np.zeros(len(rolls) + gains.max())
        reach[0] = 1
        for k in np.flatnonzero(rolls):
            reach[k + gains] += reach[k] * chances
        return reach[: len(rolls)]


def best_turns(needs: Sequence[int], values: Floats, throws: Throws) -> BestTurns:
    """The best turns at an orbit, from values by player and points needed, shape (n, T + 1, ..., T + 1)."""
    by_state = np.ascontiguousarray(values).reshape(len(needs), -1)
    return BestTurns(tuple(needs), throws, *prepare_orbit(np.array(needs), by_state, throws, values.shape[1] - 1))


def mixed_lines(left: Sequence[Floats], low: Sequence[int], weights: Sequence[float] | Floats) -> Floats:
    """The line of each player that mixes a turn with the next one, given the next one's weight, shape (n, n + 1)."""
    return np.array([
        turns[i] if w == 0 else (1 - w) * turns[i] + w * turns[i + 1]
        for turns, i, w in zip(left, low, weights, strict=True)
    ])  # fmt: skip


def largest_gain(left: Sequence[Floats], played: Floats, bust: Sequence[float]) -> float:
    """The largest gain of a player by another turn, at its own move, while the others do not change theirs."""
    gains = []
    for turns, line, x in zip(left, played, bust, strict=True):
        worth = turns[:, 0] + (1 - turns[:, -1]) * x
        gains.append(worth.max() - (line[0] + (1 - line[-1]) * x))
    return float(max(gains))


def no_equilibrium(turns: BestTurns) -> InputError:
    """The error for an orbit without a computed equilibrium."""
    return InputError(f"no equilibrium was found at {turns.needs}: take a die with less extreme probabilities.")


Weights = tuple[float, ...]


@dataclass(frozen=True)
class PlayerChoice:
    """A player's choice: turn number `low`, or a mixture of it and the next one."""

    low: int
    mixes: bool


def mixing_weights(lines: Sequence[Floats], choice: Sequence[PlayerChoice]) -> Iterator[Weights]:
    """The weights that make every mixing player indifferent.

    Yields:
        For each player the weight of the higher turn, from 0 to 1, and 0 for players that do not mix.
    """
    mixing = [m for m in range(3) if choice[m].mixes]
    if not mixing:
        yield (0.0, 0.0, 0.0)
    elif len(mixing) == 1:
        yield from _one_mixes(lines, choice, mixing[0])
    elif len(mixing) == 2:
        yield from _two_mix(lines, choice, *mixing)
    else:
        yield from _three_mix(lines, choice)


def _one_mixes(lines: Sequence[Floats], choice: Sequence[PlayerChoice], m: int) -> Iterator[Weights]:
    """At a tie any weight is best for the mixing player; yields one from each interval that can suit the others."""
    if abs(_conditions(lines, choice, m)[0]) > TIE:
        return
    # The weights at which an opponent is indifferent between its turn and a neighbour of it: between two of them, the
    # opponents' turns suit every weight or none.
    ends = {0.0, 1.0}
    for opponent in ((m + 1) % 3, (m + 2) % 3):
        low = choice[opponent].low
        for edge in (low - 1, low):
            if 0 <= edge < len(lines[opponent]) - 1:
                moved = [PlayerChoice(edge, True) if n == opponent else p for n, p in enumerate(choice)]
                a0, a1, a2, _ = _conditions(lines, moved, opponent)
                slope = a1 if (opponent + 1) % 3 == m else a2
                if slope:
                    ends.add(min(1.0, max(0.0, -a0 / slope)))
    for low_end, high_end in itertools.pairwise(sorted(ends)):
        yield tuple((low_end + high_end) / 2 if n == m else 0.0 for n in range(3))


def _two_mix(lines: Sequence[Floats], choice: Sequence[PlayerChoice], m: int, n: int) -> Iterator[Weights]:
    weights = [0.0, 0.0, 0.0]
    # The third player does not mix, so each condition has only the weight of the opponent who mixes.
    for player, opponent in ((m, n), (n, m)):
        a0, a1, a2, _ = _conditions(lines, choice, player)
        slope = a1 if (player + 1) % 3 == opponent else a2
        if slope == 0:
            return
        weights[opponent] = float(-a0 / slope)
    if all(0 <= w <= 1 for w in weights):
        yield tuple(weights)


def _three_mix(lines: Sequence[Floats], choice: Sequence[PlayerChoice]) -> Iterator[Weights]:
    """Player 0's condition gives `w1` from `w2`, player 1's `w2` from `w0`, player 2's `w0` from `w1`."""
    conditions = [_conditions(lines, choice, m) for m in range(3)]
    # A condition gives `v = (-a2 w - a0) / (a3 w + a1)`. Such fractions are chained by multiplying their matrices, and
    # a common factor of a matrix changes nothing. w1 must be what the chain makes of it: `r w^2 + (s - p) w - q = 0`.
    chain = np.eye(2)
    for a0, a1, a2, a3 in conditions:
        chain = chain @ np.array([[-a2, -a0], [a3, a1]])
    (p, q), (r, s) = chain / max(np.abs(chain).max(), np.finfo(float).tiny)
    for root in np.roots(np.trim_zeros(np.array([r, s - p, -q]), "f")):
        if abs(root.imag) > 1e-9 or not -1e-9 <= root.real <= 1 + 1e-9:
            continue
        w1 = float(root.real)
        w0 = _follow(conditions[2], w1)
        w2 = _follow(conditions[1], w0)
        polished = _polish(conditions, np.array([w0, w1, w2]))
        if ((polished >= 0) & (polished <= 1)).all():
            yield tuple(polished.tolist())


def _follow(condition: Floats, weight: float) -> float:
    """The next player's weight as a function of the third player's."""
    a0, a1, a2, a3 = condition
    below = a1 + a3 * weight
    return float(-(a0 + a2 * weight) / below) if below else np.inf


def _polish(conditions: Sequence[Floats], weights: Floats) -> Floats:
    """The weights after two steps of Newton's method on the three conditions."""
    for _ in range(2):
        if not np.isfinite(weights).all():
            return weights
        rest, slopes = np.zeros(3), np.zeros((3, 3))
        for m, (a0, a1, a2, a3) in enumerate(conditions):
            n, h = (m + 1) % 3, (m + 2) % 3
            rest[m] = a0 + a1 * weights[n] + a2 * weights[h] + a3 * weights[n] * weights[h]
            slopes[m, n], slopes[m, h] = a1 + a3 * weights[h], a2 + a3 * weights[n]
        if abs(np.linalg.det(slopes)) < 1e-300:
            return weights
        weights = weights - np.linalg.solve(slopes, rest)
    return weights


def _conditions(lines: Sequence[Floats], choice: Sequence[PlayerChoice], m: int) -> Floats:
    """The coefficients `a0, a1, a2, a3` of the condition that mixing player `m` is indifferent.

    With the weights `v` of the next and `w` of the third player, the bust value of `m` exceeds the break point by
    `a0 + a1 v + a2 w + a3 v w`.
    """
    n, h = (m + 1) % 3, (m + 2) % 3
    here, there = lines[m][choice[m].low], lines[m][choice[m].low + 1]
    x = (here[OWN] - there[OWN]) / (here[LEAVE] - there[LEAVE])
    worth = here[OWN] + (1 - here[LEAVE]) * x
    # What a bust is worth to m: the next player leaves the scores, which m sees as the third player, or busts, too;
    # then the third player leaves them, which m sees as the next one, or busts; then m has a turn of value `worth`.
    third, stay = _along(lines[n], choice[n], THIRD), 1 - _along(lines[n], choice[n], LEAVE)
    stay[1] -= 1  # only the difference depends on the weight
    reached = _along(lines[h], choice[h], NEXT) - worth * _along(lines[h], choice[h], LEAVE)
    reached[0] += worth
    return np.array(
        [
            third[0] + stay[0] * reached[0] - x,
            third[1] + stay[1] * reached[0],
            stay[0] * reached[1],
            stay[1] * reached[1],
        ]
    )


def _along(turns: Floats, chosen: PlayerChoice, part: int) -> Floats:
    """A part of a line as the two numbers of `start + slope * weight`."""
    start = turns[chosen.low, part]
    return np.array([start, turns[chosen.low + 1, part] - start if chosen.mixes else 0.0])


def missed(lines: Sequence[Floats], m: int) -> Floats:
    """The excess of a player's bust value over each break point, if the break point were the value of its bust.

    Shape (turns of `m` less 1, turns of the next, turns of the third player), for pure turns of the others.
    """
    here, there = lines[m][:-1], lines[m][1:]
    x = (here[:, OWN] - there[:, OWN]) / (here[:, LEAVE] - there[:, LEAVE])
    worth = (here[:, OWN] + (1 - here[:, LEAVE]) * x)[:, None, None]
    following, third = lines[(m + 1) % 3][:, None], lines[(m + 2) % 3]
    reached = third[:, NEXT] + (1 - third[:, LEAVE]) * worth
    gap: Floats = following[..., THIRD] + (1 - following[..., LEAVE]) * reached - x[:, None, None]
    return gap


SAME = 1e-11  # equilibria whose turns differ by less than this are the same


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """One equilibrium of an orbit, with players numbered in the order of their turns.

    Each player plays the turn with the number in `turns`, or mixes it with the next one, whose weight is in `weights`;
    `lines`, shape (3, 4), are the resulting lines. `bust` has the value of a bust to each; `values`, shape (3, 3), has
    the win probabilities of mover, next and third with each player to move.
    """

    turns: tuple[int, ...]
    weights: Weights
    lines: Floats
    bust: tuple[float, ...]
    values: Floats

    @property
    def mixing(self) -> int:
        """The number of players that mix."""
        return sum(0 < w < 1 for w in self.weights)

    @property
    def stay(self) -> float:
        """The chance that all three bust one after the other."""
        return float(np.prod(1 - self.lines[:, LEAVE]))


def all_equilibria(lines: Sequence[Floats], symmetric: bool = False) -> list[Equilibrium]:
    """Every equilibrium in these turns, beginning with the one that the solution uses.

    That one has the fewest mixing players, and among these the smallest chance that all three
    bust one after the other, so that the game moves on soonest.  This rule does not depend on
    the numbering of the players.
    """
    equilibria: list[Equilibrium] = []
    for choice in sorted(_choices(lines), key=lambda choice: sum(p.mixes for p in choice)):
        if _is_tie(choice, equilibria):
            continue
        for weights in mixing_weights(lines, choice):
            candidate = _equilibrium(lines, choice, weights)
            same = any(np.abs(candidate.lines - equilibrium.lines).max() < SAME for equilibrium in equilibria)
            if not same and largest_gain(lines, candidate.lines, candidate.bust) <= TIE:
                equilibria.append(candidate)
    if symmetric:
        equilibria = [equilibrium for equilibrium in equilibria if np.ptp(equilibrium.lines, axis=0).max() < SAME]
    return sorted(equilibria, key=lambda equilibrium: (equilibrium.mixing, equilibrium.stay))


def _is_tie(choice: Sequence[PlayerChoice], known: Sequence[Equilibrium]) -> bool:
    """Whether a single player would mix two turns of which one is a known pure equilibrium."""
    if sum(p.mixes for p in choice) != 1:
        return False
    return any(
        all(0 <= turn - chosen.low <= chosen.mixes for turn, chosen in zip(equilibrium.turns, choice, strict=True))
        for equilibrium in known
    )


def _choices(lines: Sequence[Floats]) -> list[tuple[PlayerChoice, ...]]:
    """Every choice of turns and break points that the bust values allow for some weights."""
    options = [
        [*(PlayerChoice(i, False) for i in range(len(t))), *(PlayerChoice(i, True) for i in range(len(t) - 1))]
        for t in lines
    ]
    possible = np.logical_and.reduce([_possible(lines, options, m) for m in range(3)])
    return [tuple(options[m][i] for m, i in enumerate(choice)) for choice in np.argwhere(possible).tolist()]


def _possible(lines: Sequence[Floats], options: Sequence[Sequence[PlayerChoice]], m: int) -> Bools:
    """Whether player `m`'s bust value can match the choice of `m`, by the choices of players 0, 1 and 2.

    It lies between its values at the corners, where the others play one of their two turns.
    """
    n, h = (m + 1) % 3, (m + 2) % 3
    above = missed(lines, m)  # by break point, and the turns of n and h
    corners = [[[p.low + p.mixes * end for p in options[opponent]] for end in (0, 1)] for opponent in (n, h)]
    sides = np.stack([above[:, v][:, :, w] for v in corners[0] for w in corners[1]])
    reach_up, reach_down = sides.max(axis=0) >= -TIE, sides.min(axis=0) <= TIE
    everywhere = np.ones((1, *reach_up.shape[1:]), np.bool_)
    reach_up = np.concatenate([everywhere, reach_up])  # turn t begins at break point t - 1
    reach_down = np.concatenate([reach_down, everywhere])
    fits = np.stack([reach_up[p.low + p.mixes] & reach_down[p.low] for p in options[m]])
    return np.moveaxis(fits, (0, 1, 2), (m, n, h))


def _equilibrium(lines: Sequence[Floats], choice: Sequence[PlayerChoice], weights: Weights) -> Equilibrium:
    low = tuple(p.low for p in choice)
    mixed = mixed_lines(lines, low, weights)
    values = np.array([start_values(mixed, m) for m in range(3)])
    bust = tuple(float(values[(m + 1) % 3, 2]) for m in range(3))
    return Equilibrium(low, weights, mixed, bust, values)


ALIKE = 1e-10  # win probabilities that differ by less than this are treated as equal


@dataclass(frozen=True, eq=False)
class OpenOrbit:
    """An orbit where elimination leaves more than one turn to a player.

    Args:
        needs: points needed by the three players, in the order of their turns.
        turns: the number of turns left to each of them.
        equilibria: all equilibria, beginning with the one that the solution uses.

    Example:
        >>> from pigevo import three_player as tp
        >>> tp.OpenOrbit(needs=(32, 62, 61), turns=(2, 1, 2), equilibria=()).needs
        (32, 62, 61)
    """

    needs: Needs
    turns: tuple[int, ...]
    equilibria: tuple[Equilibrium, ...]

    @property
    def outcomes(self) -> int:
        """The number of different win probabilities of the equilibria; different play can lead to the same ones."""
        distinct: list[Floats] = []
        for equilibrium in self.equilibria:
            if not any(np.abs(equilibrium.values - values).max() < ALIKE for values in distinct):
                distinct.append(equilibrium.values)
        return len(distinct)

    @property
    def has_pure(self) -> bool:
        """Whether one of the equilibria is pure."""
        return self.equilibria[0].mixing == 0


def solve_open(turns: BestTurns) -> OpenOrbit:
    """Find every equilibrium of an orbit."""
    a, b, c = turns.needs
    equilibria = all_equilibria(turns.left, symmetric=a == b == c)
    if not equilibria:  # only a die with extreme probabilities can cause this
        raise no_equilibrium(turns)
    return OpenOrbit((a, b, c), tuple(len(t) for t in turns.left), tuple(equilibria))
