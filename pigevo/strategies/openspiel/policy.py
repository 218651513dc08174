"""The policy class; importing this file imports OpenSpiel."""

from __future__ import annotations

import numpy as np
import pyspiel
from open_spiel.python.policy import Policy

from pigevo.errors import InputError
from pigevo.strategies import Strategy

ROLL, STOP = 0, 1


class StrategyPolicy(Policy):  # type: ignore[misc]  # OpenSpiel's types are not read
    """A strategy as a policy of OpenSpiel's `pig` with these parameters; `random_state` is for `sample_action`."""

    def __init__(self, strategy: Strategy, parameters: dict[str, int], random_state: object = None) -> None:
        super().__init__(pyspiel.load_game("pig", parameters), [0, 1], random_state)
        self.strategy = strategy
        self._shape = tuple(self.game.observation_tensor_shape())

    def action_probabilities(self, state: pyspiel.State, player_id: int | None = None) -> dict[int, float]:
        """The probabilities of the legal actions of the player to move: 0 is roll, 1 is stop."""
        mover = state.current_player()
        if mover not in self.player_ids or player_id not in (None, mover):
            raise InputError("a policy is asked for a state in which that player is to move.")
        # One row each for the turn total, the first player's score and the second's, all 0 but for a single 1.
        observation = np.asarray(state.observation_tensor(mover))
        if observation.size != np.prod(self._shape):
            raise InputError(f"{self.strategy.name} plays {self.strategy.game}, and the state is of another game.")
        total, *scores = observation.reshape(self._shape).argmax(axis=1).tolist()
        own, opponent = scores[mover], scores[1 - mover]
        if own + total >= self.strategy.game.target:
            return {STOP: 1.0}
        rolls = float(self.strategy.roll[own, opponent, total])
        return {ROLL: rolls, STOP: 1.0 - rolls}
