"""`pigevo tune` as a person uses it."""

import json

import pytest

from tests.small import done_here

SMALL = "tune debug=fast game.target=9 baseline=none fitness.games=4"
SEARCH = f"{SMALL} mutation=0.001..0.1:log population.size=4..7 --runs 5 --seeds 1 --confirm 4"


@pytest.fixture
def done_at_once(monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.pool.run_jobs", lambda jobs, _, **options: done_here(jobs, **options))


def test_the_best_is_told_with_its_interval_beside_the_default(pigevo, done_at_once):
    said = pigevo(SEARCH)
    assert said.status == 0, said.err
    record = json.loads(pigevo(f"{SEARCH} --json").out)
    best, fresh = record["best"], record["confirmed"]
    setting = ",".join(f"{key}={value}" for key, value in best["values"].items())
    assert f"  {best['score']:.4f}  {setting}\n" in said.out
    assert (
        f"best    {fresh['mean']:.4f} (95 % interval {fresh['low']:.4f} to {fresh['high']:.4f})  {setting}" in said.out
    )
    assert "mutation=0.01,population.size=20" in said.out
    refused = sum(bool(one["refused"]) for one in record["proposals"])
    assert refused
    assert "refused: population.size = " in said.out
    assert ("fANOVA" in said.out) == bool(record["importance"])
    assert pigevo(f"report {record['sweep']}").status == 0
    assert "paired by seed" in pigevo(f"compare {record['sweep']} {setting} mutation=0.01,population.size=20").out


def test_what_cannot_be_searched_is_refused(refused):
    refused(f"{SMALL} mutation=0.01", "there is nothing to search")
    refused(f"{SMALL} mutation=0.1..0.01", "the first number must be below the second")
    refused(f"{SMALL} mutatoin=0..1", "there is no setting mutatoin")
    refused(f"{SMALL} mutation=0..1 --runs 2", "at least 3, one a seed")
