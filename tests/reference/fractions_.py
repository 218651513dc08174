"""Win probabilities of two fixed strategies as exact fractions, by Gaussian elimination."""

from fractions import Fraction

from tests.reference.rules import Toy, played, start, states


def piglet(target, heads, allow_pass=False):
    """Piglet with a coin whose probability is a fraction."""
    return Toy(target, ((1, Fraction(heads)),), 1 - Fraction(heads), allow_pass)


def solve(game, a, b):
    """The pair (a wins, b wins) from each state, as a dict of state to two fractions.

    Each state is one equation: x = sum of coefficient * other x + constant. The states are
    eliminated one by one, those with most points first, and then put back in.
    """
    order = sorted(states(game), key=lambda s: (s.i + s.j, s.k, s.i, s.player, s.passed), reverse=True)
    place = {s: n for n, s in enumerate(order)}
    solved = []
    for n, s in enumerate(order):
        row, constant = {}, [Fraction(0), Fraction(0)]
        for probability, after in played(game, (a, b), s):
            if after in ("a", "b"):
                constant["ab".index(after)] += probability
            elif after != "stalemate":
                row[place[after]] = row.get(place[after], Fraction(0)) + probability
        while row and min(row) < n:  # put in the equations of the states eliminated before
            m = min(row)
            factor = row.pop(m)
            for column, coefficient in solved[m][0].items():
                row[column] = row.get(column, Fraction(0)) + factor * coefficient
            constant = [c + factor * d for c, d in zip(constant, solved[m][1], strict=True)]
        scale = 1 - row.pop(n, Fraction(0))  # x = own * x + ...
        solved.append(({m: c / scale for m, c in row.items()}, [c / scale for c in constant]))
    values = [None] * len(order)
    for n in reversed(range(len(order))):
        row, constant = solved[n]
        values[n] = tuple(constant[p] + sum((c * values[m][p] for m, c in row.items()), Fraction(0)) for p in (0, 1))
    return {s: values[n] for s, n in place.items()}


def win(game, a, b):
    """The fractions (first, second, stalemate_first, stalemate_second) of a against b."""
    values = solve(game, a, b)
    first, second = values[start(0)], values[start(1)]
    return first[0], second[0], 1 - sum(first), 1 - sum(second)
