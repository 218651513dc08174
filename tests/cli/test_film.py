"""`pigevo film`: the champions of a run, as they were."""

import json

import numpy as np
import pytest
from PIL import Image

import pigevo as package
from pigevo.errors import InputError
from pigevo.runs.film import champions, reel_of
from tests.cli.small import change


def test_the_film_ends_with_the_champion_of_the_run(pigevo, finished, tmp_path):
    said = pigevo("film run --to film.gif --every 1 --json")
    assert said.status == 0
    assert "6 generations are made again" in said.err
    record = json.loads(said.out)
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
    assert reel_of(finished, 4).numbers == (0, 3, 4, 6)
    assert reel_of(finished).numbers == tuple(range(7))
    (*_, (number, last)) = champions(reel_of(finished, 6))
    assert number == 6
    assert np.array_equal(last.roll, package.load_run(finished).champion.roll)


def test_each_is_the_best_of_its_generation_by_the_run_s_own_fitness(pigevo):
    words = "debug=fast game.target=12 population.size=8 fitness=exact_vs_optimal selection=truncation generations=3 record_every=1"
    assert pigevo(f"{words} mutation=0.03 hydra.run.dir=own").status == 0
    record = json.loads(pigevo("film own --to a.gif --json").out)
    run = package.load_run("own")
    assert record["overall"] == pytest.approx(run.metrics["best"].tolist())
    assert (run.metrics["worst"] < run.metrics["best"]).any()


def test_by_default_it_lies_among_the_pictures(pigevo, finished, tmp_path):
    said = pigevo("film run --every 3")
    assert "outputs/pictures/run.gif: 3 champions, from generation 0" in said.out
    assert (tmp_path / "outputs/pictures/run.gif").is_file()


def test_a_run_that_has_not_finished_is_shown_as_far_as_it_is(pigevo, tmp_path, finished):
    for name in ("result.json", "champion.npz"):
        (finished / name).unlink()
    rows = (finished / "metrics.csv").read_text().splitlines(keepends=True)
    (finished / "metrics.csv").write_text("".join(rows[:3]))
    assert json.loads(pigevo("film run --to a.gif --json").out)["generations"] == [0, 1, 2]


def test_another_past_is_refused(pigevo, finished):
    (finished / "result.json").unlink()
    change(finished, 2, "digest", "0" * 64)
    said = pigevo("film run --to a.gif")
    assert said.status == 2
    assert "generation 2 made again is not the one in run/metrics.csv" in said.err
    assert not (finished.parent / "a.gif").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("film nowhere", "nowhere holds no run"),
        ("film run --to a.avi", "let it end with .gif or .mp4"),
        ("film run --to a.mp4", "needs ffmpeg, which is not found"),
        ("film run --every 0", "0 is not in the range"),
    ],
)
def test_refused_in_a_sentence(pigevo, finished, monkeypatch, words, told):
    monkeypatch.setenv("PATH", "")
    said = pigevo(words)
    assert (said.status, said.err.count("\n")) == (2, 1)
    assert told in said.err


def test_mp4_where_ffmpeg_is_found(pigevo, finished, tmp_path):
    from matplotlib.animation import FFMpegWriter

    if not FFMpegWriter.isAvailable():
        pytest.skip("ffmpeg is not here")
    assert pigevo("film run --to a.mp4 --every 3").status == 0
    assert (tmp_path / "a.mp4").read_bytes()[4:8] == b"ftyp"


def test_a_game_of_turns_has_no_film(pigevo):
    assert pigevo("experiment=ten_rounds debug=fast game.turns=2 game.cap=10 hydra.run.dir=turns").status == 0
    said = pigevo("film turns")
    assert (said.status, "a film shows both scores of a race" in said.err) == (2, True)


def test_too_long_a_film_is_refused(finished, monkeypatch):
    monkeypatch.setattr("pigevo.runs.film.MOST_FRAMES", 5)
    with pytest.raises(InputError, match="too long: say --every"):
        reel_of(finished, 1)
