"""The named strategies, each a function of the game and of its parameters.

Most are rules of (i, j, k): `i` is the own banked score, `j` the opponent's, `k` the turn total.  In games where a turn
can go on past the target, all of them bank when they reach it, and roll until ahead in a last turn of their own.  A
new strategy is a function here with the same decorator; no other list is needed.

The last five are results of the study `rules`: the best play for a person with one, two, three and four numbers.
Their end races are measured from the target, so that a name means the same play in longer and shorter games; the
default numbers are the best for Pig to 100.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

from pigevo.core.array_names import ArrayLike, Bools, Ints
from pigevo.core.checked_values import LARGEST_SEED, Within
from pigevo.core.imports import numpy as np
from pigevo.core.registry import Registry
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.games.game import ROLLS
from pigevo.strategies.arguments import checks_arguments
from pigevo.strategies.strategy import Strategy, forced_rolls, of_rule

STRATEGIES = Registry(
    "strategy", 1, "pigevo.strategies", calls=checks_arguments,
    lister="`pigevo strategies` lists them, and there is no file or folder of that name",
)  # fmt: skip

Points = Annotated[int, Within(0)]
Parts = Annotated[int, Within(1)]
Seed = Annotated[int, Within(0, LARGEST_SEED)]

LARGEST_DEFICIT = 10**9  # beyond every score, and small enough for numpy's integers


@STRATEGIES.register(source="Neller & Presser 2004; Exeter 2016, section 2.1")
def hold_at(game: Game, n: Points = 20) -> Strategy:
    """Holds when the turn total reaches `n`; in Pig with six sides, 20 maximises the expected points of one turn.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig()
        >>> round(pigevo.win_probability(pigevo.hold_at(game, 25), pigevo.hold_at(game, 20)).overall, 6)
        0.511724
    """
    return named_strategy(game, lambda i, j, k: k < n, f"hold_at:{n}")


@STRATEGIES.register(source="Exeter 2016, section 3.4.5; with `behind` = 2 its table 1")
def score(game: Game, n: Points = 20, behind: Points = 0) -> Strategy:
    """Rolls while not ahead of the opponent, turn total included; once ahead, holds at `n`.

    Args:
        game: the game.
        n: the turn total at which it holds.
        behind: the least deficit at which it rolls on beyond `n`; 0 is the rule in the report's text, which rolls when
            level. Table 1 was computed with 2: roll while `k < n or i + k < j - 1`, which is what indices from 1 and
            `>=` give.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig()
        >>> round(pigevo.win_probability(pigevo.score(game, 20), pigevo.hold_at(game, 20)).overall, 4)
        0.5037
    """
    name = f"score:{n},{behind}" if behind else f"score:{n}"
    far = min(behind, LARGEST_DEFICIT)
    return named_strategy(game, lambda i, j, k: (i + k <= j - far) | (k < n), name)


@STRATEGIES.register(source="Exeter 2017, section 3.3.6")
def roll_to_win(game: Game) -> Strategy:
    """Never holds before the target.

    Raises:
        InputError: the game has no target.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig(target=30)
        >>> round(pigevo.win_probability(pigevo.roll_to_win(game), pigevo.optimal(game).strategy).overall, 6)
        0.5
    """
    needs_target(game, "roll_to_win")
    return named_strategy(game, lambda i, j, k: True, "roll_to_win")


@STRATEGIES.register(source="Exeter 2017, section 3.3.6, which does not say where it holds")
def turtle(game: Game, n: Points = 5) -> Strategy:
    """Holds at a very small turn total.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig()
        >>> pigevo.turtle(game, 5) == pigevo.hold_at(game, 5)
        True
    """
    return named_strategy(game, lambda i, j, k: k < n, f"turtle:{n}")


@STRATEGIES.register(source="Exeter 2017, section 3.3.6, which gives the score but not `n`")
def roll_and_wait(game: Game, score: Points = 80, n: Points = 20) -> Strategy:
    """Holds at `n` until it has banked `score`; then passes while ahead, and rolls to win when caught up.

    Raises:
        InputError: the game does not allow passing.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig(allow_pass=True)
        >>> pigevo.roll_and_wait(game, 80, 20).name
        'roll_and_wait:80,20'
    """
    _needs_passing(game, "roll_and_wait")
    needs_target(game, "roll_and_wait")
    return named_strategy(
        game, lambda i, j, k: np.where(i < score, k < n, (i <= j) | (k > 0)), f"roll_and_wait:{score},{n}"
    )


@STRATEGIES.register(source="Exeter 2017, section 2.3.4, which does not say how it plays otherwise")
def skip_when_level(game: Game, n: Points = 20) -> Strategy:
    """Passes whenever the banked scores are equal, but not at 0-0; holds at `n` otherwise.

    Raises:
        InputError: the game does not allow passing.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig(allow_pass=True)
        >>> plays = pigevo.skip_when_level(game).roll[:, :, 0]
        >>> bool(plays[30, 30]), bool(plays[30, 29])
        (False, True)
    """
    _needs_passing(game, "skip_when_level")
    needs_target(game, "skip_when_level")
    return named_strategy(game, lambda i, j, k: (k < n) & ((k > 0) | (i != j) | (i == 0)), f"skip_when_level:{n}")


@STRATEGIES.register(source="the usual advice for a fixed number of rolls")
def rolls(game: Game, n: Parts = 4) -> Strategy:
    """Holds after `n` rolls of a turn.

    Raises:
        InputError: no decision of the game depends on the number of rolls.

    Example:
        >>> import pigevo
        >>> from pigevo.games import GAMES
        >>> four = pigevo.parse_strategy("rolls:4", GAMES["ten_rounds"].bind({"rolls": True}))
        >>> round(pigevo.win_probability(four, pigevo.hold_at(four.game, 20)).overall, 4)
        0.4484
    """
    if ROLLS not in game.remembers:
        raise InputError("rolls counts the rolls of a turn: it needs a game of turns with --rolls (rolls=True).")
    if n > game.most_rolls:
        raise InputError(
            f"rolls:{n} counts further than the game, which distinguishes at most {game.most_rolls} rolls."
        )
    return named_strategy(game, lambda i, j, k: game.mesh[ROLLS] < n, f"rolls:{n}")


@STRATEGIES.register(source="Neller & Presser 2010")
def keep_pace_and_end_race(game: Game, c: Points = 21, d: Annotated[int, Within(1)] = 8, e: Points = 29) -> Strategy:
    """Rolls to win when either score is within `e` of the target; else holds at `c + round((j - i) / d)`.

    `j - i` may be negative; halves are rounded up.

    Raises:
        InputError: the game has no target.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig()
        >>> met = pigevo.win_probability(pigevo.keep_pace_and_end_race(game), pigevo.optimal(game).strategy)
        >>> round(met.overall, 4)
        0.4954
    """
    needs_target(game, "keep_pace_and_end_race")
    end = game.target - e

    def rule(i: Ints, j: Ints, k: Ints) -> Bools:
        rolls: Bools = (i >= end) | (j >= end) | (k < c + np.floor((j - i) / d + 0.5))
        return rolls

    return named_strategy(game, rule, f"keep_pace_and_end_race:{c},{d},{e}")


@STRATEGIES.register(source="Exeter 2016, section 3.4.5")
def random_strategy(game: Game, seed: Seed = 0) -> Strategy:
    """Rolls or holds in each decision state with probability 1/2, drawn once from the population stream of `seed`.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig()
        >>> pigevo.random_strategy(game, seed=1) == pigevo.random_strategy(game, seed=1)
        True
        >>> round(pigevo.win_probability(pigevo.random_strategy(game, seed=1), pigevo.hold_at(game, 20)).overall, 3)
        0.103
    """
    from pigevo.dice import Draw

    draw = Draw(seed, "population").at(part=1)  # part 0 is used for a run's population
    coins = draw.bits(*game.shape).astype(np.bool_)
    return Strategy(game, coins | forced_rolls(game), f"random_strategy:{seed}")


@STRATEGIES.register(source="experiments/rules")
def next_multiple(game: Game, n: Parts = 25) -> Strategy:
    """Rolls until its score, turn total included, reaches the next multiple of `n`.

    Raises:
        InputError: the game has no target.
    """
    return _rule(game, f"multiple({n})", f"next_multiple:{n}")


@STRATEGIES.register(source="experiments/rules")
def next_multiple_and_end_race(game: Game, n: Parts = 24, e: Points = 28) -> Strategy:
    """Rolls to win when either score is within `e` of the target; else rolls on to the next multiple of `n`.

    Raises:
        InputError: the game has no target.
    """
    return _rule(game, f"multiple({n}); race {_near(game, 'either', 1, e)}", f"next_multiple_and_end_race:{n},{e}")


@STRATEGIES.register(source="experiments/rules")
def two_totals_and_end_race(game: Game, ahead: Points = 18, behind: Points = 22, e: Points = 79) -> Strategy:
    """Rolls to win when both players together need at most `e` points; else holds at one total ahead, another behind.

    Args:
        game: the game.
        ahead: the turn total to hold at while ahead.
        behind: the turn total to hold at while behind or level.
        e: the largest number of points needed by both players together at which it rolls to win.

    Raises:
        InputError: the game has no target.
    """
    rule = f"{ahead} if ahead else {behind}; race {_near(game, 'sum', 2, e)}"
    return _rule(game, rule, f"two_totals_and_end_race:{ahead},{behind},{e}")


@STRATEGIES.register(source="experiments/rules")
def keep_pace_and_weigh(game: Game, c: Points = 22, d: Parts = 7, e: Points = 122) -> Strategy:
    """Keeps pace; rolls to win when twice its own missing points plus the opponent's are at most `e`.

    Args:
        game: the game.
        c: the turn total to hold at when level.
        d: the number by which the difference of the scores is divided.
        e: the largest value of twice its own missing points plus the opponent's at which it rolls to win.

    Raises:
        InputError: the game has no target.
    """
    rule = f"{c}+(j-i)/{d}; race {_near(game, '2*own+opponent', 3, e)}"
    return _rule(game, rule, f"keep_pace_and_weigh:{c},{d},{e}")


@STRATEGIES.register(source="experiments/rules")
def keep_pace_and_end_either(game: Game, c: Points = 21, d: Parts = 8, e: Points = 25, w: Points = 115) -> Strategy:
    """Keeps pace; rolls to win by the condition of `keep_pace_and_end_race` or by that of `keep_pace_and_weigh`.

    Args:
        game: the game.
        c: the turn total to hold at when level.
        d: the number by which the difference of the scores is divided.
        e: the largest number of points that either player needs at which it rolls to win.
        w: the largest value of twice its own missing points plus the opponent's at which it rolls to win, too.

    Raises:
        InputError: the game has no target.
    """
    race = f"{_near(game, 'either', 1, e)} or {_near(game, '2*own+opponent', 3, w)}"
    return _rule(game, f"{c}+(j-i)/{d}; race {race}", f"keep_pace_and_end_either:{c},{d},{e},{w}")


def _near(game: Game, scores: str, weight: int, missing: int) -> str:
    """The condition that a weighted sum of missing points is at most a number."""
    return f"{scores}>={max(0, weight * game.target - missing)}"


def _rule(game: Game, text: str, name: str) -> Strategy:
    from pigevo.strategies.rules import parse_rule

    needs_target(game, name.partition(":")[0])
    return replace(parse_rule(text).strategy(game), name=name)


def named_strategy(game: Game, rule: Callable[[Ints, Ints, Ints], ArrayLike], name: str) -> Strategy:
    """A strategy from a rule for races in which whoever reaches the target wins at once, and for games of turns.

    Where the other player may still reply, or a player must hold to win, it holds once it has come to the target; if
    the other player has come to it, it rolls until it is ahead.
    """
    if not game.reply and not game.must_hold:
        return of_rule(game, rule, name)

    def to_the_end(i: Ints, j: Ints, k: Ints) -> ArrayLike:
        return np.where(j >= game.target, i + k <= j, np.where(i + k < game.target, rule(i, j, k), False))

    return of_rule(game, to_the_end, name)


def needs_target(game: Game, name: str) -> None:
    """Refuse a game without target for the named strategy."""
    if not game.target:
        raise InputError(f"{name} plays to a target: it needs a game that has one.")


def _needs_passing(game: Game, name: str) -> None:
    if not game.allow_pass:
        raise InputError(f"{name} passes: it needs a game with allow_pass=True.")
