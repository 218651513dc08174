"""Two-player games given by their payoff matrices: best responses, equilibria and dominated strategies.

    from pigevo import matrix_games
    game = matrix_games.prisoners_dilemma()
    matrix_games.dominated(game)      # "lie", by "confess"
    matrix_games.equilibria(game)     # both confess

The win matrix of a tournament is such a game: `MatrixGame.symmetric(pigevo.win_matrix(strategies), names)`.

The names below are loaded when first used (PEP 562), so that importing the package loads no scipy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.lazy_exports import exported_names, lazy_getattr

# A module must not have the name of a function below: importing it would replace the function.
_HOMES = {
    "game": ["MatrixGame", "prisoners_dilemma", "rock_paper_scissors"],
    "dominance": ["Dominated", "Elimination", "dominated", "eliminate"],
    "nash": ["Equilibrium", "best_responses", "equilibria", "pure_equilibria"],
}

__all__ = exported_names(_HOMES)
if TYPE_CHECKING:
    from pigevo.matrix_games.dominance import (
        Dominated as Dominated,
        Elimination as Elimination,
        dominated as dominated,
        eliminate as eliminate,
    )
    from pigevo.matrix_games.game import (
        MatrixGame as MatrixGame,
        prisoners_dilemma as prisoners_dilemma,
        rock_paper_scissors as rock_paper_scissors,
    )
    from pigevo.matrix_games.nash import (
        Equilibrium as Equilibrium,
        best_responses as best_responses,
        equilibria as equilibria,
        pure_equilibria as pure_equilibria,
    )
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
