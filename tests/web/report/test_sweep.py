"""A sweep's `report.html` says what the command line says."""

import shutil

import numpy as np
import pytest

import pigevo
from tests.web.page import read, refuse_outside


def test_a_sweeps_page_says_what_the_command_says(of_sweep):
    record, page = of_sweep.record, of_sweep.page
    assert record["html"] == str(of_sweep.folder / "report.html")
    refuse_outside(page)
    heads, *rows = page.rows("Ranked by")
    assert [heads[0], *heads[2:]] == ["setting", "mean", "95 % interval", "seeds", "standard deviation"]
    assert [[row[0], *row[2:]] for row in rows] == [
        [r["setting"], f"{r['mean']:.4f}", f"{r['low']:.4f} to {r['high']:.4f}", str(r["runs"]), f"{r['sd']:.4f}"]
        for r in record["ranking"]
    ]
    assert "All runs have finished." in page.text_of("header")
    assert [label["text"] for label in page.all("label")][:3] == ["generations", "evaluations", "seconds"]
    assert len([one for one in page.all("svg") if one.get("@role") == "img"]) == 12


def test_the_page_tells_of_every_run(of_sweep):
    page, found = of_sweep.page, pigevo.load_sweep(of_sweep.folder)
    (table,) = [one for one in page.all("table") if one["text"].startswith("settingseedstate")]
    for member, done in found.runs.items():
        figures = "".join(
            f"{value:.4f}"
            for value in (
                done.result["champion"]["overall"],
                *(done.result[name] for name in ("peak_mean", "last_mean", "best_seen")),
            )
        )
        assert f"{member.setting}{member.seed}finished{figures}{done.result['digest'][:12]}" in table["text"]


def test_the_champions_are_those_of_the_best_and_the_median_run(of_sweep):
    results = pigevo.load_sweep(of_sweep.folder).results()
    best = results["setting"] == of_sweep.record["ranking"][0]["setting"]
    order = np.argsort(-results["last_mean"][best], kind="stable")
    values, seeds = results["last_mean"][best][order], results["seed"][best][order]
    titles = [one["text"] for one in of_sweep.page.all("h3")]
    assert f"The best run: seed {seeds[0]}, {values[0]:.4f}" in titles
    assert f"The median run: seed {seeds[1]}, {values[1]:.4f}" in titles


@pytest.mark.slow
def test_a_sweep_that_is_partly_done_is_told_as_such(sweep, wording):
    folders = [member.folder for member in pigevo.load_sweep(sweep).members]
    shutil.rmtree(folders[0])
    (folders[4] / "result.json").unlink()
    record = wording(sweep, "--no-film")
    head = read(sweep / "report.html").text_of("header")
    assert record["runs"] == {"missing": 1, "finished": 4, "interrupted": 1}
    assert "4 of 6 runs have finished (1 missing, 1 interrupted); the others are left out." in head
