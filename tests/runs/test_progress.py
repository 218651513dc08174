"""The bar of a run."""

import io

import pytest

from pigevo.runs import progress
from pigevo.runs.stepper import beginning, steps


@pytest.mark.parametrize(("words", "last"), [((), 6), (("stop=evaluations", "stop.evaluations=13"), 2)])
def test_a_run_that_was_ended_is_whole(make_settings, monkeypatch, words, last):
    shown = io.StringIO()

    class AtOnce(progress.ProgressBar):
        def __init__(self, **options):
            super().__init__(
                **{**options, "disable": False, "file": shown, "mininterval": 0, "dynamic_ncols": False, "ncols": 200}
            )

    monkeypatch.setattr(progress, "ProgressBar", AtOnce)
    settings = make_settings(*words)
    point = beginning(settings)
    with progress.RunBar(point.state, settings.plan.generations) as bar:
        for step in steps(settings, point):
            bar.step(step.point.state, step.row)
        bar.end(step.point.state)
    said = [line for line in shown.getvalue().replace("\r", "\n").splitlines() if line.strip()]
    assert said[-1].startswith("100%")
    assert f"{last}/{last} " in said[-1]
