"""Three numbers of a rule, found by CMA-ES, Optuna and pymoo: the exact win probability is what they optimise."""

import numpy as np

import pigevo

GAME = pigevo.Pig()
OPTIMUM = pigevo.optimal(GAME).strategy


def strategy_of(numbers):
    """Holds at `base + slope * (j - i)`; rolls to win once either player has `race` points."""
    base, slope, race = numbers
    return pigevo.Strategy.from_holds(
        GAME, lambda i, j: np.where(np.maximum(i, j) >= race, np.inf, base + slope * (j - i)), name="found"
    )


def loss(numbers):
    """0.5 minus the win probability against the optimum, exactly."""
    return 0.5 - pigevo.win_probability(strategy_of(numbers), OPTIMUM).overall


def by_cma(seed=1, tries=300):
    """CMA-ES (pip install cma)."""
    import cma

    options = {"bounds": [[10, -0.5, 40], [35, 0.5, 100]], "CMA_stds": [5, 0.1, 10]}
    options |= {"maxfevals": tries, "seed": seed, "verbose": -9}
    return strategy_of(cma.fmin2(loss, [20, 0, 80], 1, options)[0])


def by_optuna(seed=1, tries=300):
    """Optuna's sampler TPE (pip install optuna)."""
    import optuna

    def ask(trial):
        base, slope = trial.suggest_float("base", 10, 35), trial.suggest_float("slope", -0.5, 0.5)
        return loss((base, slope, trial.suggest_float("race", 40, 100)))

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    study.optimize(ask, n_trials=tries)
    return strategy_of(study.best_params.values())


def by_pymoo(seed=1, tries=300):
    """Differential evolution of pymoo (pip install pymoo)."""
    from pymoo.algorithms.soo.nonconvex.de import DE
    from pymoo.core.problem import ElementwiseProblem
    from pymoo.optimize import minimize

    class Task(ElementwiseProblem):
        def _evaluate(self, x, out, *args, **kwargs):
            out["F"] = loss(x)

    task = Task(n_var=3, n_obj=1, xl=[10, -0.5, 40], xu=[35, 0.5, 100])
    return strategy_of(minimize(task, DE(pop_size=20), ("n_eval", tries), seed=seed).X)


if __name__ == "__main__":
    for find in (by_cma, by_optuna, by_pymoo):
        print(f"{find.__name__:10} {pigevo.win_probability(find(), OPTIMUM).overall:.4f}")
