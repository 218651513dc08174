"""`pigevo film` and `pigevo lineage`: champions and members of a run, as they were."""

import json

import numpy as np
import pytest
from PIL import Image

import pigevo as package
from pigevo.errors import InputError
from pigevo.runs.film import champions, reel_of
from tests.cli.small import SMALL, change
from tests.small import resealed, without_champions


@pytest.mark.slow
def test_the_film_ends_with_the_champion_of_the_run(pigevo, finished, tmp_path):
    output = pigevo("film run --to film.gif --every 1 --json")
    assert output.status == 0
    assert "2 of 7 champions are not recorded: 5 generations are made again, which" in output.err
    record = json.loads(output.out)
    assert record["generations"] == [0, 1, 2, 3, 4, 5, 6]
    run = package.load_run(finished)
    assert record["overall"][-1] == pytest.approx(run.result["champion"]["overall"])
    best = run.metrics["best"]
    for generation, largest in zip(run.metrics["generation"], best, strict=True):
        assert record["overall"][generation] <= largest + 1e-12
    with Image.open(tmp_path / "film.gif") as film:
        assert film.n_frames > 1
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".gif"] == ["film.gif"]


def test_generations_are_chosen_with_the_ends_of_waves(finished):
    assert reel_of(finished).numbers == (0, 2, 3, 4, 6)
    assert reel_of(finished, 4).numbers == (0, 3, 4, 6)
    assert reel_of(finished, 1).numbers == tuple(range(7))
    assert reel_of(finished, 1).missing == (1, 5)


def test_what_is_recorded_is_not_made_again(pigevo, finished, monkeypatch):
    monkeypatch.setattr("pigevo.runs.film.made_again", lambda *_: pytest.fail("made again"))
    monkeypatch.setattr("pigevo.runs.film.save_film", lambda _, figures, *__: [*figures])
    output = pigevo("film run --json")
    assert "pigevo: 5 champions that the run has recorded are drawn" in output.err
    assert json.loads(output.out)["generations"] == [0, 2, 3, 4, 6]
    assert dict(champions(reel_of(finished, 2))) == dict(package.load_run(finished).champions)


def test_those_made_again_are_as_those_recorded(finished):
    recorded = dict(champions(reel_of(finished)))
    without_champions(finished)
    assert reel_of(finished).missing == reel_of(finished).numbers == tuple(range(7))
    assert {number: one for number, one in champions(reel_of(finished)) if number in recorded} == recorded
    assert recorded[6] == package.load_run(finished).champion


def test_of_many_some_are_shown_and_few_do_not_make_a_film(finished, monkeypatch):
    monkeypatch.setattr("pigevo.runs.film.USUAL_FRAMES", 3)
    assert reel_of(finished).numbers == (0, 3, 6)
    monkeypatch.setattr("pigevo.runs.film.USUAL_FRAMES", 60)
    monkeypatch.setattr("pigevo.runs.metrics.Champions.__len__", lambda _: 4)  # of five generations
    assert reel_of(finished).numbers == tuple(range(7))
    monkeypatch.setattr("pigevo.runs.film.ENOUGH", 4)
    assert reel_of(finished).numbers == (0, 2, 3, 4, 6)


@pytest.mark.slow
def test_a_run_with_operators_that_only_python_has_is_filmed_too(pigevo, tmp_path):
    words = ("debug=fast", "game.target=9", "population.size=4", "generations=4", "record_every=1")
    package.evolve(*words, crossover=lambda first, second, context: first, folder=tmp_path / "own")
    assert pigevo("film own --to a.gif").status == 0


@pytest.mark.slow
def test_each_is_the_best_of_its_generation_by_the_run_s_own_fitness(pigevo):
    words = "debug=fast game.target=12 population.size=8 fitness=exact_vs_optimal selection=truncation generations=3 record_every=1"
    assert pigevo(f"{words} mutation=0.03 hydra.run.dir=own").status == 0
    record = json.loads(pigevo("film own --to a.gif --json").out)
    run = package.load_run("own")
    assert record["overall"] == pytest.approx(run.metrics["best"].tolist())
    assert (run.metrics["worst"] < run.metrics["best"]).any()


@pytest.mark.slow
def test_by_default_it_lies_among_the_pictures(pigevo, finished, tmp_path):
    output = pigevo("film run --every 3")
    assert "outputs/pictures/run.gif: 3 champions, from generation 0" in output.out
    assert (tmp_path / "outputs/pictures/run.gif").is_file()


@pytest.mark.slow
def test_a_run_that_has_not_finished_is_shown_as_far_as_it_is(pigevo):
    def stops(generation):
        if generation.number == 4:
            raise KeyboardInterrupt

    words = [
        "debug=fast",
        "game.target=9",
        "population.size=4",
        "generations=9",
        "record_every=1",
        "checkpoint_every=1",
    ]
    with pytest.raises(KeyboardInterrupt):
        package.evolve(*words, folder="half", on_generation=stops)
    assert json.loads(pigevo("film half --to a.gif --json").out)["generations"] == [0, 1, 2, 3]


def test_another_past_is_refused(pigevo, finished):
    change(finished, 2, "digest", "0" * 64)
    output = pigevo("film run --to a.gif")
    assert (output.status, "metrics.csv was changed since it was written" in output.err) == (2, True)
    resealed(finished)
    output = pigevo("film run --to a.gif --every 1")
    assert output.status == 2
    assert "generation 2 made again is not the one in run/metrics.csv" in output.err
    assert not (finished.parent / "a.gif").exists()


def test_another_champion_is_refused(pigevo, finished):
    path = finished / "champions.csv"
    path.write_text(path.read_text().replace("\n4,", "\n5,"))
    output = pigevo("film run --to a.gif")
    assert (output.status, "champions.csv was changed since it was written" in output.err) == (2, True)


def test_mp4_where_ffmpeg_is_found(pigevo, finished, tmp_path):
    from matplotlib.animation import FFMpegWriter

    if not FFMpegWriter.isAvailable():
        pytest.skip("ffmpeg is not here")
    assert pigevo("film run --to a.mp4 --every 3").status == 0
    assert (tmp_path / "a.mp4").read_bytes()[4:8] == b"ftyp"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["experiment=ten_rounds game.turns=2 game.cap=10", "game=skunk game.target=9 game.cap=12",
              "game=equal_turns game.target=9 game.cap=12", "game=piglet game.target=1"]
)  # fmt: skip
def test_every_game_has_a_film(pigevo, tmp_path, words):
    assert pigevo(f"{words} debug=fast population.size=4 hydra.run.dir=other").status == 0
    assert pigevo("film other --to a.gif").status == 0
    with Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames > 1


def test_too_long_a_film_is_refused(finished, monkeypatch):
    monkeypatch.setattr("pigevo.runs.film.MOST_FRAMES", 5)
    with pytest.raises(InputError, match="too long: say --every"):
        reel_of(finished, 1)


WORDS = f"{SMALL.replace('record_every=2', 'record_every=1')} figures=none baseline=none"


@pytest.fixture
def made(pigevo):
    assert pigevo(f"{WORDS} lineage=true hydra.run.dir=known").status == 0
    assert pigevo(f"{WORDS} hydra.run.dir=plain").status == 0


def test_the_line_the_gains_and_the_champions(pigevo, made, tmp_path):
    output = pigevo("lineage known --to line.png --tournament champions.png")
    assert output.status == 0, output.err
    assert "made again" not in output.err
    assert "back to generation 0" in output.out
    assert "  mutation " in output.out
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
    assert pigevo(f"{WORDS} hydra.run.dir=begun").status == 0
    (tmp_path / "begun/result.json").unlink()
    refused("lineage begun", "the run has not finished")


def test_a_selection_that_needs_more_than_scores_has_no_intensity(pigevo):
    words = "experiment=illuminate debug=fast game.target=9 figures=none lineage=true hydra.run.dir=map"
    assert pigevo(words).status == 0
    output = pigevo("lineage map")
    assert output.status == 0
    assert "intensity" not in output.out
    assert json.loads(pigevo("lineage map --json").out)["selection"] is None
