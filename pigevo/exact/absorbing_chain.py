"""Markov chains that end, solved without a subtraction: Grassmann, Taksar & Heyman 1985, Operations Research 33.

A chain that hardly ever ends has equations `x = gains + M x` in which `1 - M` is nearly singular, so that a solver that
subtracts finds nothing right.  The chance of leaving a state is also the sum of the chances of all that may follow:
with it every number of a solution is right to some roundings, however long the chain lasts (O'Cinneide 1993, Numerische
Mathematik 65).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats


@dataclass(frozen=True, eq=False)
class AbsorbingChain:
    """A chain of n states after elimination: state s is followed by earlier states alone.

    Args:
        steps: in row s, the chances of earlier states to follow s, later ones passed over; in column s, the chances of
            s to follow earlier states, shape (n, n).
        leaving: the chance to leave a state for an earlier one or the end, shape (n,).
    """

    steps: Floats
    leaving: Floats

    def expected(self, gains: Floats) -> Floats:
        """The expected sum of the gains of all states visited, by the first state: the solution of `x = gains + M x`.

        Example:
            >>> import numpy as np
            >>> from pigevo.exact.absorbing_chain import chain_of
            >>> long = chain_of(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0.0, 1e-18]))
            >>> long.expected(np.array([0.0, 1e-18]))
            array([1., 1.])
        """
        sums, found = np.array(gains, np.float64), np.zeros(len(self.leaving))
        for state in range(len(sums) - 1, -1, -1):
            sums[:state] += self.steps[:state, state] * _quotient(sums[state], self.leaving[state])
        for state in range(len(sums)):
            following = (self.steps[state, :state] * found[:state]).sum()
            found[state] = _quotient(sums[state] + following, self.leaving[state])
        return found

    def visits(self, begun: Floats) -> Floats:
        """The expected visits to each state, by the chances of each to be the first: the solution of `v = begun + v M`.

        Example:
            >>> import numpy as np
            >>> from pigevo.exact.absorbing_chain import chain_of
            >>> chain_of(np.array([[0.0, 1.0], [0.75, 0.0]]), np.array([0.0, 0.25])).visits(np.array([1.0, 0.0]))
            array([4., 4.])
        """
        coming, found = np.array(begun, np.float64), np.zeros(len(self.leaving))
        for state in range(len(coming) - 1, -1, -1):
            coming[:state] += self.steps[state, :state] * _quotient(coming[state], self.leaving[state])
        for state in range(len(coming)):
            from_earlier = (found[:state] * self.steps[:state, state]).sum()
            found[state] = _quotient(coming[state] + from_earlier, self.leaving[state])
        return found


def chain_of(steps: Floats, ends: Floats) -> AbsorbingChain:
    """The chain with chances `steps` of one state after another, shape (n, n), and `ends` of the end, shape (n,)."""
    left, ends, out = steps.copy(), ends.copy(), np.zeros(len(ends))
    for state in range(len(ends) - 1, -1, -1):
        out[state] = ends[state] + left[state, :state].sum()
        share = _quotient(left[:state, state], out[state])
        left[:state, :state] += share[:, None] * left[state, :state]
        ends[:state] += share * ends[state]
    return AbsorbingChain(left, out)


def _quotient(part: Floats | float, whole: float) -> Floats:
    """The quotient; 0 where a state is never left, and so gains nothing."""
    return np.asarray(part / whole if whole else 0.0 * part)
