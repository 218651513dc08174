"""What a tracker of experiments is told of each generation of a run."""


def to_csv(generation, path: str = "tracked.csv"):
    """A line a generation, at the end of a file."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{generation.plan.seed},{generation.number},{generation.exact.mean()},{generation.scores.max()}\n")


def to_mlflow(generation, every: int = 10, experiment: str = "pigevo"):
    """Every so many generations to MLflow (pip install mlflow), as a run of its own, which ends with this one."""
    import mlflow

    if generation.number % every and not generation.is_last:
        return
    if mlflow.active_run() is None:
        mlflow.set_experiment(experiment)
        mlflow.start_run(run_name=f"seed {generation.plan.seed}")
        mlflow.log_params({"game": str(generation.plan.game), "seed": generation.plan.seed, **generation.plan.names})
    seen = {"best": generation.exact.max(), "mean": generation.exact.mean(), "games": generation.state.games}
    mlflow.log_metrics({name: float(value) for name, value in seen.items()}, step=generation.number)
    if generation.is_last:
        mlflow.end_run()
