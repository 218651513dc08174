"""`pigevo lineage` as a person uses it."""

import json

import numpy as np
import pytest

import pigevo as package
from tests.cli.small import SMALL

WORDS = f"{SMALL.replace('record_every=2', 'record_every=1')} figures=none baseline=none"


@pytest.fixture
def made(pigevo):
    assert pigevo(f"{WORDS} lineage=true hydra.run.dir=known").status == 0
    assert pigevo(f"{WORDS} hydra.run.dir=plain").status == 0


def test_the_line_the_gains_and_the_champions(pigevo, made, tmp_path):
    said = pigevo("lineage known --to line.png --tournament champions.png")
    assert said.status == 0, said.err
    assert "made again" not in said.err
    assert "back to generation 0" in said.out
    assert "  mutation " in said.out
    assert (tmp_path / "line.png").stat().st_size > 1000
    assert (tmp_path / "champions.png").stat().st_size > 1000
    record = json.loads(pigevo("lineage known --json").out)
    run = package.load_run(tmp_path / "known")
    assert [one["generation"] for one in record["line"]] == run.metrics["generation"].tolist()
    assert record["line"][-1]["value"] == pytest.approx(run.result["champion"]["overall"], abs=1e-12)
    assert record["line"][-1]["member"] == run.result["champion_member"]
    assert package.win_probability(run.champions[2], run.champions[4]).overall == pytest.approx(
        record["matrix"][record["champions"].index(2)][record["champions"].index(4)], abs=1e-12
    )
    assert record["selection"]["textbook_takeover"] == 9
    mutation = next(row for row in record["gains"] if row["operator"] == "mutation")
    assert mutation["mean"] == pytest.approx(np.nanmean(run.metrics["gain_mutation"]), abs=1e-15)
    assert 0 <= mutation["better"] + mutation["worse"] <= 1


def test_a_run_without_the_record_is_made_again(pigevo, made):
    again = pigevo("lineage plain --json")
    assert "6 generations are made again" in again.err
    known, plain = json.loads(pigevo("lineage known --json").out), json.loads(again.out)
    assert {**known, "run": ""} == {**plain, "run": ""}


def test_fewer_champions_may_meet(pigevo, made):
    record = json.loads(pigevo("lineage known --champions 3 --json").out)
    assert record["champions"][0] == 0
    assert record["champions"][-1] == 6
    assert np.shape(record["matrix"]) == (3, 3)


def test_what_cannot_be_is_refused(pigevo, refused, tmp_path):
    refused("lineage nowhere", "holds no run")
    assert pigevo(f"{WORDS} hydra.run.dir=begun").status == 0
    (tmp_path / "begun/result.json").unlink()
    refused("lineage begun", "the run has not finished")


def test_a_selection_that_needs_more_than_scores_has_no_intensity(pigevo):
    words = "experiment=illuminate debug=fast game.target=9 figures=none lineage=true hydra.run.dir=map"
    assert pigevo(words).status == 0
    said = pigevo("lineage map")
    assert said.status == 0
    assert "intensity" not in said.out
    assert json.loads(pigevo("lineage map --json").out)["selection"] is None
