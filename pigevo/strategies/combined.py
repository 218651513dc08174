"""Strategies made from others: with slips, as a mixture of two, or with the scores exchanged; in Python and as words.

The results are ordinary strategies, with probabilities of rolling where needed, and can be used wherever mixed
strategies can. As a word, a combination has its number first and then its strategies: `noisy:0.05,optimal`,
`mix:0.5,hold_at:20,optimal`, `mirror:optimal`. Each of these may be any strategy's word, also another combination.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pigevo.core.checked_values import is_real
from pigevo.core.imports import numpy as np
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.games.game import DIFFERENCE, OPPONENT, OWN, TOTAL
from pigevo.strategies.arguments import checks_arguments
from pigevo.strategies.strategy import Strategy, same_game

WRITTEN = {"noisy": "noisy:CHANCE,STRATEGY", "mix": "mix:SHARE,STRATEGY,STRATEGY", "mirror": "mirror:STRATEGY"}
EXAMPLES = {"noisy": "noisy:0.05,optimal", "mix": "mix:0.5,hold_at:20,optimal", "mirror": "mirror:optimal"}
PARTS = {"noisy": 1, "mix": 2, "mirror": 1}  # the number of strategies in each kind of combination
MOST_NESTED = 20  # the largest number of combinations in one word

_HEAD = re.compile(rf"\s*({'|'.join(WRITTEN)})\s*(:|\Z)")
_NUMBER = re.compile(r"\s*[-+]?[0-9.]*[0-9][0-9.]*(e[-+]?[0-9]+)?\s*", re.ASCII)
"""A number or a range of numbers; it belongs to the strategy before it."""


@checks_arguments
def noisy(strategy: Strategy, chance: float) -> Strategy:
    """A strategy with random errors: at each decision the other choice is made with a given probability.

    Args:
        strategy: the intended strategy; where it rolls with probability `r`, the result rolls with `r + chance (1 - 2
            r)`.
        chance: the probability of an error at each decision, from 0 to 1, independent of the past.

    Raises:
        InputError: `chance` is not a probability.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig(target=20)
        >>> erring = pigevo.noisy(pigevo.hold_at(game, 8), 0.05)
        >>> erring.name, float(erring.roll[0, 0, 7]), float(erring.roll[0, 0, 8])
        ('noisy:0.05,hold_at:8', 0.95, 0.05)
    """
    _probability(chance, "the chance of a slip")
    game, roll = strategy.game, strategy.roll.astype(np.float64)
    slipping = np.where(game.decision_states, (1 - chance) * roll + chance * (1 - roll), roll)
    return Strategy(game, slipping, f"noisy:{chance:g},{strategy.name}")


@checks_arguments
def mix(first: Strategy, second: Strategy, share: float) -> Strategy:
    """A mixture of two strategies, drawn anew at each decision: its chance of rolling is the weighted mean of theirs.

    This differs from choosing one of the two before the game, which wins the weighted mean of both win probabilities:
    here a turn may begin with one strategy and end with the other.

    Args:
        first: the strategy that decides with probability `share`.
        second: the strategy that decides otherwise.
        share: the weight of `first`, from 0 to 1.

    Raises:
        InputError: the strategies are for different games, or `share` is not a probability.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig(target=20)
        >>> mixed = pigevo.mix(pigevo.hold_at(game, 6), pigevo.hold_at(game, 9), 0.25)
        >>> mixed.roll[0, 0, [5, 8, 9]].tolist()
        [1.0, 0.75, 0.0]
    """
    _probability(share, "the share of the first strategy")
    same_game(first, second)
    roll = share * first.roll.astype(np.float64) + (1 - share) * second.roll
    return Strategy(first.game, roll, f"mix:{share:g},{first.name},{second.name}")


@checks_arguments
def mirror(strategy: Strategy) -> Strategy:
    """A strategy with the two players' scores exchanged.

    At own score i, the opponent's j and turn total k it decides as the strategy would at (j, i, k). Where that is
    no decision state, because j + k points would have won (or win by a hold), it decides as the strategy does at
    (i, j, k). In a game where decisions depend only on the difference of the scores, the difference changes its sign.
    The mirror of a mirror is the strategy itself, and a strategy that uses only the turn total is its own mirror.

    Args:
        strategy: the strategy to mirror.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig(target=20)
        >>> bold_behind = pigevo.parse_strategy("rule: 8+(j-i)/2", game)
        >>> bool(bold_behind.roll[0, 6, 9]), bool(pigevo.mirror(bold_behind).roll[0, 6, 9])
        (True, False)
        >>> pigevo.mirror(pigevo.hold_at(game, 8)) == pigevo.hold_at(game, 8)
        True
    """
    game, mesh = strategy.game, dict(strategy.game.mesh)
    if DIFFERENCE in mesh:
        mesh[DIFFERENCE] = -mesh[DIFFERENCE]
    else:
        mesh[OWN], mesh[OPPONENT] = mesh[OPPONENT], mesh[OWN]
    indices = [mesh[axis.name] - axis.values[0] for axis in game.axes]
    decides = np.broadcast_to(game.decision_states, game.shape)
    there = tuple(np.clip(index, 0, size - 1) for index, size in zip(indices, game.shape, strict=True))
    decided = decides[there]
    for index, size in zip(indices, game.shape, strict=True):
        decided = decided & (index >= 0) & (index < size)
    if game.must_hold:
        has_won = np.broadcast_to(game.mesh[OWN] + game.mesh[TOTAL] >= game.target, game.shape)
        decided = decided & (has_won == has_won[there])
    return Strategy(game, np.where(decided, strategy.roll[there], strategy.roll), f"mirror:{strategy.name}")


@dataclass(frozen=True)
class Combination:
    """A combination as typed: its name, its number as text (empty for `mirror`), and the words of its strategies."""

    name: str
    chance: str
    words: tuple[str, ...]

    def spelled(self, words: Sequence[str]) -> str:
        """The word for the same combination of other strategies."""
        return f"{self.name}:{','.join([*([self.chance] if self.chance else []), *words])}"

    def of(self, strategies: Sequence[Strategy]) -> Strategy:
        """The combination of these strategies."""
        if self.name == "mirror":
            return mirror(strategies[0])
        chance = float(self.chance)
        return noisy(strategies[0], chance) if self.name == "noisy" else mix(strategies[0], strategies[1], chance)


def read_combination(text: str) -> Combination | None:
    """The combination that a word describes; None if it describes none."""
    head = _HEAD.match(text)
    if not head:
        return None
    name, rest = head[1], text[head.end() :]
    if len(re.findall("|".join(f"{name}:" for name in WRITTEN), text)) > MOST_NESTED:
        raise InputError(f"{short_repr(text)} has more than {MOST_NESTED} combinations within each other.")
    chance = ""
    if name != "mirror":
        chance, _, rest = rest.partition(",")
        _refuse_chance(chance.strip(), text, name)
    words = _strategies(rest) if name == "mix" else [rest.strip()]
    words = [word for word in words if word]
    if len(words) != PARTS[name]:
        wanted = ("", "one strategy", "two strategies")[PARTS[name]]
        given = f"{len(words)} ({', '.join(map(repr, words[:4]))})" if words else "none"
        raise InputError(
            f"{name} is made of {wanted}, and {short_repr(text)} names {given}: "
            f"write {WRITTEN[name]}, as in {EXAMPLES[name]}"
            f"{'; a file whose name has a comma cannot be named in it' if len(words) > PARTS[name] else ''}."
        )
    return Combination(name, chance.strip(), tuple(words))


def _refuse_chance(chance: str, text: str, name: str) -> None:
    try:
        right = 0 <= float(chance) <= 1
    except ValueError:
        right = False
    if not right:
        raise InputError(
            f"{short_repr(chance)} in {short_repr(text)} must be a probability from 0 to 1: "
            f"write {WRITTEN[name]}, as in {EXAMPLES[name]}."
        )


def _strategies(text: str) -> list[str]:
    """Split a text at commas into the words of strategies.

    A number after a comma belongs to the strategy before it, a comma in brackets to its rule; an inner combination
    takes as many strategies as it needs.
    """
    words: list[str] = []
    missing = 0  # strategies that inner combinations of the last word still need
    for piece in _between_commas(text):
        if words and (missing or _NUMBER.fullmatch(piece)):
            words[-1] += f",{piece}"
            missing += 0 if _NUMBER.fullmatch(piece) else _strategies_after(piece) - 1
        else:
            words.append(piece)
            missing = _strategies_after(piece)
    return [word.strip() for word in words]


def _between_commas(text: str) -> list[str]:
    """Split a text at commas outside brackets."""
    pieces, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return pieces


def _strategies_after(piece: str) -> int:
    """The number of strategies that must follow a part before a comma."""
    while piece.strip().startswith("mirror:"):
        piece = piece.partition(":")[2]
    head = _HEAD.match(piece)
    return PARTS[head[1]] if head and head[1] != "mirror" else 0


def _probability(value: object, what: str) -> None:
    if not is_real(value) or not 0 <= value <= 1:
        raise InputError(f"{what} must be a probability from 0 to 1, not {short_repr(value)}.")
