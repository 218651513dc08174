"""What a tracker of experiments is told of each generation of a run."""

import json


def to_json(generation, path: str = "tracked.jsonl"):
    """A line a generation, at the end of a file, with all settings and the folder of the run."""
    plan = generation.plan
    line = {"settings": dict(plan.settings), "folder": plan.folder, "generation": generation.number}
    line |= {"mean": float(generation.exact.mean()), "score": float(generation.scores.max())}
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def to_mlflow(generation, every: int = 10, experiment: str = "pigevo"):
    """Every so many generations to MLflow (pip install mlflow), as a run of its own, which ends with this one."""
    import mlflow

    plan = generation.plan
    if generation.number % every and not generation.is_last:
        return
    if mlflow.active_run() is None:
        mlflow.set_experiment(experiment)
        mlflow.start_run(run_name=f"{plan.settings['experiment'] or 'default'}, seed {plan.seed}")
        mlflow.log_params({**plan.settings, "folder": plan.folder})
    seen = {"best": generation.exact.max(), "mean": generation.exact.mean(), "games": generation.state.games}
    mlflow.log_metrics({name: float(value) for name, value in seen.items()}, step=generation.number)
    if generation.is_last:
        mlflow.end_run()
