"""Stop rules of budgets: when so many strategies were evaluated, or so many games simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.errors import InputError
from pigevo.evolution.operators import State
from pigevo.evolution.plan import Evaluated, Plan, StopRule
from pigevo.evolution.registries import STOPS


@STOPS.register(name="evaluations")
@dataclass(frozen=True)
class Evaluations(StopRule):
    """The run ends with the generation by which so many strategies have been evaluated, as `result.json` counts them.

    Args:
        evaluations: how many, each newly made strategy once; the last generation is evaluated whole.
    """

    evaluations: Annotated[int, Within(1, 10**15)] = 100_000

    def ends(self, generation: Evaluated, remembered: State) -> bool:
        """Whether they have, this generation included."""
        return generation.state.evaluations + generation.state.fresh >= self.evaluations


@STOPS.register(name="games")
@dataclass(frozen=True)
class PlayedGames(StopRule):
    """The run ends with the first generation before which so many games have been simulated, as `metrics.csv` counts.

    Those that find the champion among the members of this last generation come on top.

    Args:
        games: how many.
    """

    games: Annotated[int, Within(1, 10**15)] = 10_000_000

    def check(self, plan: Plan) -> None:
        """The fitness must play games; of the user's own, only playing shows it.

        Raises:
            InputError: it plays none.
        """
        if not plan.fitness.plays.games and "fitness" not in plan.own:
            raise InputError(
                f"stop=games would never end the run, since {plan.names['fitness']} plays no games: "
                f"choose stop=evaluations."
            )

    def ends(self, generation: Evaluated, remembered: State) -> bool:
        """Whether they have."""
        return generation.state.games >= self.games
