"""The values of rolling and holding in any state, for one player against another, and the costs of wrong decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import JsonObject
from pigevo.errors import InputError
from pigevo.exact.boards import by_axes, by_turn_state, turn_backwards
from pigevo.exact.equations import TurnStates, state_between, state_within
from pigevo.exact.evaluate import worth_between
from pigevo.exact.solve import optimal
from pigevo.exact.visits import reach, turn_starts
from pigevo.games.game import OPPONENT, OWN, TOTAL, Game
from pigevo.strategies import Strategy, same_game
from pigevo.strategies.arguments import checks_arguments

ROUNDING = 1e-12  # smaller differences are treated as rounding


@dataclass(frozen=True)
class Choice:
    """The win probabilities of `playing` after a roll and after a hold (None where not allowed)."""

    playing: str
    against: str
    roll: float
    hold: float | None

    @property
    def gain(self) -> float | None:
        """The value of rolling minus that of holding; None where no hold is allowed."""
        return None if self.hold is None else self.roll - self.hold

    @property
    def better(self) -> str:
        """`roll`, `hold` or `either`."""
        if self.gain is None or self.gain > ROUNDING:
            return "roll"
        return "hold" if self.gain < -ROUNDING else "either"


@dataclass(frozen=True, eq=False)
class Choices:
    """The win probabilities of `a` against `b` after both choices in every state, solved at the first look-up."""

    a: Strategy
    b: Strategy

    @cached_property
    def _between(self) -> tuple[Floats, Floats]:
        return worth_between(self.a, self.b)

    def at(self, state: int, within: int) -> Choice:
        """The choice in state `within` of a turn that began in state `state`."""
        turn, waiting = TurnStates(self.a, state), self._between[1]
        rolled, held = self.values_along(turn)
        hold: float | None = float(held[within])
        if within == 0:
            reply = TurnStates(self.b, turn.held(0))
            hold = _passed(turn, reply, waiting) if self.a.game.allow_pass else None
        return Choice(self.a.name, self.b.name, float(rolled[within]), hold)

    def values_along(self, turn: TurnStates) -> tuple[Floats, Floats]:
        """The values of a roll and of a hold at each state of a's turn, shape (W,) each; a pass counts as a hold."""
        after = self._between[1]
        return _rolled(turn, after), after[[turn.held(within) for within in range(len(turn.rolls))]]


def _rolled(turn: TurnStates, after: Floats) -> Floats:
    """The value of a roll at each state of a turn, shape (W,), from the values after the turn."""
    worth, rolled = np.empty(len(turn.rolls)), np.empty(len(turn.rolls))
    # Backwards: throws lead to later states of the turn, whose values are then known.
    for within in range(len(worth) - 1, -1, -1):
        rolled[within] = sum(p * (worth[to] if inside else after[to]) for p, to, inside in turn.thrown(within))
        held = after[turn.held(within)]
        worth[within] = held + turn.rolls[within] * (rolled[within] - held)
    return rolled


def _passed(turn: TurnStates, reply: TurnStates, waiting: Floats) -> float:
    """The value of a pass, after which the opponent's turn `reply` follows.

    If both players always pass here, the scores never change: the game goes on for ever, and nobody wins.
    """
    goes_on = turn.board.partner[turn.state] != reply.state or reply.rolls[0] > 0 or 0 < turn.rolls[0] < 1
    return float(waiting[reply.state]) if goes_on else 0.0


@dataclass(frozen=True)
class Decision:
    """A strategy's decision in one state, compared with the optimum.

    `rolls` and `optimum_rolls` are the probabilities that the strategy and the optimum roll; `choices` has the values
    of the strategy against the optimum, of the strategy against itself, and of the optimum against itself (only the
    last for the optimum).
    """

    game: str
    strategy: str
    place: Mapping[str, int]
    rolls: float
    optimum_rolls: float
    choices: tuple[Choice, ...]

    @property
    def as_json(self) -> JsonObject:
        """Plain values that JSON can hold."""
        choices = [asdict(choice) | {"gain": choice.gain, "better": choice.better} for choice in self.choices]
        return asdict(self) | {"choices": choices}


@checks_arguments
def explain_turn(
    strategy: Strategy, own: int, opponent: int, turn: int, rolls: int | None = None, **at: int
) -> Decision:
    """The values of rolling and holding in one state, if the player continues with its strategy afterwards.

    Args:
        strategy: the strategy of the player to move.
        own: its banked score.
        opponent: the opponent's banked score.
        turn: the turn total.
        rolls: the number of rolls in this turn, in games where decisions depend on it.
        at: `left`, `second` and `last_turn`, in games that have them.

    Raises:
        InputError: the game does not have the state, or there is no choice in it.

    Example:
        >>> import pigevo
        >>> decision = pigevo.explain_turn(pigevo.hold_at(pigevo.Pig(), 20), own=0, opponent=0, turn=20)
        >>> decision.rolls, decision.optimum_rolls
        (0.0, 1.0)
    """
    game = strategy.game
    state, within = state_between(game, own, opponent, **at), state_within(game, turn, rolls)
    place = TurnStates(strategy, state).place(within)
    if game.target and place[OWN] + turn >= game.size:
        raise InputError(f"{own} banked and a turn total of {turn} reach {game.size}: the game is won there.")
    best = optimal(game).strategy
    rolls_now, best_rolls = (float(TurnStates(player, state).rolls[within]) for player in (strategy, best))
    pairs = [(best, best)] if strategy == best else [(strategy, best), (strategy, strategy), (best, best)]
    choices = tuple(Choices(a, b).at(state, within) for a, b in pairs)
    return Decision(str(game), strategy.name, place, rolls_now, best_rolls, choices)


@dataclass(frozen=True)
class TotalChoice:
    """The two choices at one turn total, the strategy's probability of rolling, and the expected visits.

    `roll` and `hold` are its win probabilities if it rolls or holds this once and both then continue with their
    strategies; to hold at 0, where passing is allowed, is to pass. `visits` is the expected number of visits in a game,
    the mean of both seats.
    """

    total: int
    chance: float
    roll: float
    hold: float
    visits: float

    @property
    def loses(self) -> float:
        """The loss of the strategy's choice compared with the better one."""
        return max(self.roll, self.hold) - self.chance * self.roll - (1 - self.chance) * self.hold


@checks_arguments
def choices_at(a: Strategy, b: Strategy, own: int, opponent: int) -> list[TotalChoice]:
    """The exact values of the choices of `a` at a pair of scores against `b`.

    Args:
        a: the strategy to move.
        b: its opponent.
        own: the banked score of `a`.
        opponent: the banked score of `b`.

    Returns:
        A record for each turn total at which `a` has a choice, ascending, without totals that no throws add up to.

    Raises:
        InputError: the strategies play different games, a decision of their game depends on more than both scores and
            the turn total, or a score is outside the game.

    Example:
        >>> import pigevo
        >>> a, b = pigevo.hold_at(pigevo.Pig(), 20), pigevo.optimal(pigevo.Pig()).strategy
        >>> at_20 = next(choice for choice in pigevo.choices_at(a, b, 0, 0) if choice.total == 20)
        >>> round(at_20.roll, 6), round(at_20.hold, 6)
        (0.578354, 0.588618)
    """
    same_game(a, b)
    game = a.game
    if [axis.name for axis in game.axes] != [OWN, OPPONENT, TOTAL]:
        raise InputError(f"two scores do not say all that a choice depends on in {game}: take a race.")
    turn = TurnStates(a, state_between(game, own, opponent))
    values = Choices(a, b)
    rolled, held = values.values_along(turn)
    decides = np.broadcast_to(game.decision_states, game.shape)[own, opponent]
    if decides[0]:
        held[0] = values.at(turn.state, 0).hold  # of a pass
    visits = reach(a, b).overall[own, opponent]
    return [
        TotalChoice(k, float(turn.rolls[k]), float(rolled[k]), float(held[k]), float(visits[k]))
        for k in turn.thrown_to()
        if decides[k]
    ]


def decision_costs(strategy: Strategy) -> Floats:
    """The win probability that each decision of a strategy costs in a game against the optimum.

    The cost of a state is the expected number of the strategy's decisions there (the mean of both seats) times the
    loss of its decision compared with the better one if all later decisions were optimal. The sum of all costs is the
    difference between the win probabilities of the optimum and of the strategy against the optimum (the performance
    difference lemma, Kakade & Langford 2002).

    Example:
        >>> import pigevo
        >>> from pigevo.exact import decision_costs
        >>> costs = decision_costs(pigevo.hold_at(pigevo.Pig(), 20))
        >>> round(float(costs.sum()), 6)  # it wins 0.460080 instead of 0.5
        0.03992
    """
    game, best = strategy.game, optimal(strategy.game).strategy
    lost = by_axes(game, _lost_by_decision(strategy, best))
    return np.where(np.broadcast_to(game.decision_states, game.shape), lost * reach(strategy, best).overall, 0.0)


def _lost_by_decision(strategy: Strategy, best: Strategy) -> Floats:
    """The gain of the optimal decision over the strategy's, between optimal players, shape (W, B)."""
    chances, after = by_turn_state(strategy), worth_between(best, best)[1]
    worth, lost = np.empty(chances.shape), np.empty(chances.shape)
    # The loss of the chance c to roll is max(roll, hold) - c roll - (1 - c) hold = max(gained, 0) - c gained.
    for within, rolled, held in turn_backwards(best, after, worth):
        gained = rolled - held
        lost[within] = np.maximum(gained, 0) - chances[within] * gained
    return lost


@dataclass(frozen=True)
class CostlyPlace:
    """Scores, and other values that do not change during a turn, at which a strategy loses against the optimum.

    `cost` is the win probability that its decisions there cost in a game, and `turns` the expected number of its turns
    that begin there, the mean of both seats. `rolls` are the turn totals reached in play, ascending, at which it rolls
    (perhaps with a probability) where holding is better; `holds` those at which it holds where rolling is better.
    """

    at: dict[str, int]
    cost: float
    turns: float
    rolls: tuple[int, ...]
    holds: tuple[int, ...]


@dataclass(frozen=True)
class LossRegion:
    """The part of a strategy's loss in one of the `REGIONS` of scores, with the decision in it that costs most.

    `cost` and `turns` are as in a `CostlyPlace`, for all scores of the region; the regions' costs add up to the loss.
    `at` and `turn_total` are where the costliest decision is, `rolls` whether the strategy rolls there, which is wrong,
    and `decision_cost` its part of `cost`.
    """

    name: str
    cost: float
    turns: float
    at: dict[str, int]
    turn_total: int
    rolls: bool
    decision_cost: float


@dataclass(frozen=True)
class Loss:
    """The overall loss of a strategy against the optimum, the scores with the highest costs, and the loss by regions.

    `regions` are those with a loss, in races; other games have none.
    """

    total: float
    places: tuple[CostlyPlace, ...]
    regions: tuple[LossRegion, ...] = ()


REGIONS = ("level", "ahead", "behind", "last turns")
"""Regions of scores; each pair of scores is in one of them.

In the *last turns* a player has three quarters of the target or more. Elsewhere scores are *level* if they differ by at
most a tenth of the target, and the player to move is *ahead* or *behind* if they differ by more.
"""


def _region_of_scores(game: Game) -> Ints:
    """The index in `REGIONS` of each pair of own and opponent's score, in a race."""
    own, opponent = np.ix_(game.axes[0].values, game.axes[1].values)
    target = game.target
    lead = own - opponent
    region = np.where(abs(lead) <= target / 10, 0, np.where(lead > 0, 1, 2))
    return np.where(np.maximum(own, opponent) >= 0.75 * target, 3, region)


def dearest_places(strategy: Strategy, most: int = 10, costs: Floats | None = None) -> Loss:
    """The scores at which a strategy's decisions cost most against the optimum.

    `costs` are its `decision_costs`, if they have been computed already.

    Example:
        >>> import pigevo
        >>> from pigevo.exact import dearest_places
        >>> dearest = dearest_places(pigevo.hold_at(pigevo.Pig(), 25)).places[0]
        >>> dearest.at, round(dearest.cost, 4), dearest.rolls
        ({'own': 0, 'opponent': 0}, 0.0014, (21, 22, 23, 24))
    """
    game, best = strategy.game, optimal(strategy.game).strategy
    costs = decision_costs(strategy) if costs is None else costs
    begun = turn_starts(strategy, best)
    cost_of = costs.sum(axis=tuple(range(len(game.between), len(game.axes))))  # by the scores at which a turn begins
    places: list[CostlyPlace] = []
    for number in np.argsort(-cost_of, axis=None, kind="stable")[:most]:
        index = np.unravel_index(number, cost_of.shape)
        if cost_of[index] <= ROUNDING:
            break
        wrong = costs[index] > ROUNDING
        rolls, holds = (
            tuple(np.unique(np.nonzero(states)[0]).tolist())
            for states in (wrong & ~best.roll[index], wrong & best.roll[index])
        )
        at = {axis.name: axis.values[int(n)] for axis, n in zip(game.between, index, strict=True)}
        places.append(CostlyPlace(at, float(cost_of[index]), float(begun[index]), rolls, holds))
    return Loss(float(costs.sum()), tuple(places), _loss_by_region(strategy, best, costs, begun))


def _loss_by_region(strategy: Strategy, best: Strategy, costs: Floats, begun: Floats) -> tuple[LossRegion, ...]:
    """The regions of scores in which a strategy loses; none in games other than races with three axes."""
    game = strategy.game
    if not game.target or [axis.name for axis in game.axes] != [OWN, OPPONENT, TOTAL]:
        return ()
    regions, region_of = [], _region_of_scores(game)
    for number, name in enumerate(REGIONS):
        within = np.where((region_of == number)[:, :, None], costs, 0.0)
        if within.max() > ROUNDING:
            i, j, k = (int(n) for n in np.unravel_index(within.argmax(), within.shape))
            at, rolls = {OWN: i, OPPONENT: j}, not bool(best.roll[i, j, k])
            turns = float(begun[region_of == number].sum())
            regions.append(LossRegion(name, float(within.sum()), turns, at, k, rolls, float(within[i, j, k])))
    return tuple(regions)
