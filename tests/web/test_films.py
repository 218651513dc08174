"""Films of runs for the page: what they show is what the run has recorded."""

import base64
import json
import zlib
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.figures.decisions import decisions_data
from pigevo.web.films import MOST_FRAMES, example_film, film_of, frames_among, title_of
from pigevo.web.site import EXAMPLES, MADE_BY, as_text, champions_of, film_files, page_files

WORDS = ("cube_random", "debug=fast", "cubes.sizes=[5,3]", "cubes.generations=[3,3]", "record_every=2")


def unpacked(text, target):
    """The frames that `packed` has packed, shape (frames, 2, T, T)."""
    stack = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8).reshape(-1, 2, target, target)
    return np.asarray(np.bitwise_xor.accumulate(stack, axis=0))


@pytest.fixture(scope="module", autouse=True)
def _no_pictures():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("runs") / "run"
    pigevo.evolve(*WORDS, "game.target=12", folder=place)
    return place


@pytest.fixture(scope="module")
def film(folder):
    return film_of(folder, "mine")


def test_the_curve_and_the_frames_are_the_run_s(film, folder):
    run, record = pigevo.load_run(folder), film.record
    for name in ("generation", "best", "mean", "worst"):
        assert record["curve"][name] == run.metrics[name].tolist()
    for name in ("generation", "cube_size"):
        assert [frame[name] for frame in record["frames"]] == run.metrics[name].tolist()
    assert record["frames"][-1]["overall"] == pytest.approx(run.result["champion"]["overall"], abs=1e-12)
    assert record["digest"] == run.metrics["digest"][-1]
    assert np.array_equal(film.champion.roll, run.champion.roll)


def test_the_maps_are_the_optimum_s_and_the_champions_(film, folder):
    run, planes = pigevo.load_run(folder), unpacked(film.record["maps"], 12)
    assert len(planes) == 1 + len(film.record["frames"])
    best = pigevo.optimal(run.champion.game).strategy
    for plane, strategy in ((planes[0], best), (planes[-1], run.champion)):
        assert np.array_equal(plane[0], decisions_data(strategy).first_hold)
        begun = pigevo.reach(strategy, best).overall[:, :, 0]
        assert (plane[1][begun > 1e-2] == film.record["shades"]).all()
        assert (plane[1][begun < 1e-5] == 0).all()
    assert len({plane[0].tobytes() for plane in planes[1:]}) > 1


def test_where_enough_champions_are_recorded_none_is_made_again(tmp_path, monkeypatch):
    monkeypatch.setattr("pigevo.runs.stepper.MOST_CHAMPIONS", 20)
    words = ("cube_random", "debug=fast", "cubes.sizes=[6]", "cubes.generations=[30]", "record_every=1")
    pigevo.evolve(*words, "game.target=12", folder=tmp_path / "run")
    monkeypatch.setattr("pigevo.runs.pictures.repeated", lambda *_: pytest.fail("a generation is made again"))
    film = film_of(tmp_path / "run")
    assert [frame["generation"] for frame in film.record["frames"]] == list(range(0, 31, 2))
    assert film.record["curve"]["generation"] == list(range(31))


def test_a_film_is_called_by_what_its_folder_says():
    assert title_of(Path("outputs/cube_random/mutation=0.005-3a266154d3")) == "cube_random: mutation=0.005"
    assert title_of(Path("runs/my-first")) == "my-first"


def test_few_generations_are_all_shown_and_of_many_more_early_ones():
    assert frames_among([0, 10, 20], [10, 20]) == (0, 10, 20)
    recorded = range(0, 3601, 5)
    frames = frames_among(list(recorded), [150, 603, 3600])
    assert len(frames) == MOST_FRAMES
    assert {0, 150, 3600} <= set(frames) <= set(recorded)  # 603 is the end of a wave, and not recorded
    assert np.searchsorted(frames, 900) >= MOST_FRAMES // 2


def test_another_game_and_a_folder_without_a_run_are_refused(tmp_path):
    pigevo.evolve("ten_rounds", "debug=fast", folder=tmp_path / "run")
    with pytest.raises(InputError, match="the page shows runs over both scores and the turn total"):
        film_of(tmp_path / "run")
    with pytest.raises(InputError):
        film_of(tmp_path)


def test_own_runs_come_first_on_the_page(film):
    files = page_files([film])
    films = json.loads(files["data/films/index.json"])
    assert [entry["title"] for entry in films] == ["mine", *(title for title, _ in MADE_BY.values())]
    assert json.loads(files["data/films/run-1.json"]) == json.loads(as_text(film.record))
    assert all(f"data/films/{entry['file']}" in files for entry in films)
    assert not list(champions_of([film]))  # another target than the page's


def test_a_champion_of_the_page_s_game_is_a_strategy_of_the_page(tmp_path):
    pigevo.evolve("debug=fast", "cubes=only_20", folder=tmp_path / "run")
    film = film_of(tmp_path / "run")
    files = page_files([film])
    entries = {entry["id"]: entry for entry in json.loads(files["data/index.json"])["strategies"]}
    entry = entries["run-1"]
    assert entry["title"] == "Your champion"
    bits = np.unpackbits(np.frombuffer(files[f"data/{entry['file']}"], np.uint8))
    assert np.array_equal(bits.reshape(100, 100, 100).astype(bool), film.champion.roll)


def test_the_page_s_own_films_are_small_and_whole():
    assert sum(len((EXAMPLES / f"{name}.json").read_bytes()) for name in MADE_BY) < 300_000
    best = pigevo.optimal(pigevo.Pig()).strategy
    for name, (title, words) in MADE_BY.items():
        record = json.loads((EXAMPLES / f"{name}.json").read_text())
        assert record["title"] == title
        assert record["command"] == "python -m pigevo " + " ".join(words)
        assert len(record["frames"]) <= MOST_FRAMES
        assert record["curve"]["generation"][-1] == record["frames"][-1]["generation"]
        planes = unpacked(record["maps"], record["target"])
        assert len(planes) == 1 + len(record["frames"])
        assert np.array_equal(planes[0][0], decisions_data(best).first_hold)
    assert len(film_files()) == 1 + len(MADE_BY)


@pytest.mark.long
@pytest.mark.parametrize("name", MADE_BY)
def test_the_page_s_own_films_can_be_made_again(name):
    packed_before = json.loads((EXAMPLES / f"{name}.json").read_text())
    again = json.loads(as_text(example_film(name)))
    assert {**again, "made_by": None} == {**packed_before, "made_by": None}
