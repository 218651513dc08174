"""`pigevo film` and `pigevo lineage`: champions and members of a run, as they were."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import pigevo as package
from pigevo.errors import InputError
from pigevo.runs.pictures import champions, reel_of
from tests.cli.small import SMALL, change
from tests.small import resealed, without_champions

TINY = "debug=fast game.target=9 population.size=4 record_every=1"


@pytest.mark.slow
def test_the_film_ends_with_the_champion_of_the_run(pigevo, finished):
    output = pigevo("film run --to film.gif --every 1 --json")
    assert "2 of 7 champions are not recorded: 5 generations are made again, which" in output.err
    record, run = json.loads(output.out), package.load_run(finished)
    assert record["generations"] == [0, 1, 2, 3, 4, 5, 6]
    assert record["overall"][-1] == pytest.approx(run.result["champion"]["overall"])
    for generation, largest in zip(run.metrics["generation"], run.metrics["best"], strict=True):
        assert record["overall"][generation] <= largest + 1e-12
    with Image.open("film.gif") as film:
        assert film.n_frames > 1
    assert [path.name for path in Path().glob("*.gif")] == ["film.gif"]


def test_generations_are_chosen_with_the_ends_of_waves(finished):
    assert reel_of(finished).numbers == (0, 2, 3, 4, 6)
    assert reel_of(finished, 4).numbers == (0, 3, 4, 6)
    assert reel_of(finished, 1).numbers == tuple(range(7))
    assert reel_of(finished, 1).missing == (1, 5)


def test_what_is_recorded_is_not_made_again(pigevo, finished, monkeypatch):
    monkeypatch.setattr("pigevo.runs.pictures.repeated", lambda *_: pytest.fail("made again"))
    monkeypatch.setattr("pigevo.runs.pictures.save_film", lambda _, figures, *__: [*figures])
    output = pigevo("film run --json")
    assert "pigevo: 5 champions that the run has recorded are drawn" in output.err
    assert json.loads(output.out)["generations"] == [0, 2, 3, 4, 6]
    assert dict(champions(reel_of(finished, 2))) == dict(package.load_run(finished).champions)


def test_those_made_again_are_as_those_recorded(finished):
    recorded = dict(champions(reel_of(finished)))
    without_champions(finished)
    assert reel_of(finished).missing == reel_of(finished).numbers == tuple(range(7))
    again = dict(champions(reel_of(finished)))
    assert {number: again[number] for number in recorded} == recorded
    assert recorded[6] == package.load_run(finished).champion


def test_of_many_some_are_shown_and_few_do_not_make_a_film(finished, monkeypatch):
    monkeypatch.setattr("pigevo.runs.pictures.USUAL_FRAMES", 3)
    assert reel_of(finished).numbers == (0, 3, 6)
    monkeypatch.setattr("pigevo.runs.pictures.USUAL_FRAMES", 60)
    monkeypatch.setattr("pigevo.runs.metrics.Champions.__len__", lambda _: 4)  # of five generations
    assert reel_of(finished).numbers == tuple(range(7))
    monkeypatch.setattr("pigevo.runs.pictures.ENOUGH", 4)
    assert reel_of(finished).numbers == (0, 2, 3, 4, 6)


def test_too_long_a_film_is_refused(finished, monkeypatch):
    monkeypatch.setattr("pigevo.runs.pictures.MOST_FRAMES", 5)
    with pytest.raises(InputError, match="too long: say --every"):
        reel_of(finished, 1)


@pytest.mark.slow
def test_a_run_with_operators_that_only_python_has_is_filmed_too(answer):
    package.evolve(*TINY.split(), "generations=4", crossover=lambda first, second, context: first, folder="own")
    answer("film own --to a.gif")


@pytest.mark.slow
def test_each_is_the_best_of_its_generation_by_the_run_s_own_fitness(record_of):
    words = ["population.size=8", "fitness=exact_vs_optimal", "selection=truncation", "generations=3", "mutation=0.03"]
    run = package.evolve("debug=fast", "game.target=12", "record_every=1", *words, folder="own")
    assert record_of("film own --to a.gif")["overall"] == pytest.approx(run.metrics["best"].tolist())
    assert (run.metrics["worst"] < run.metrics["best"]).any()


@pytest.mark.slow
def test_by_default_it_lies_among_the_pictures(answer, finished):
    assert "outputs/pictures/run_Pig-to-12.gif: 3 champions, from generation 0" in answer("film run --every 3")
    assert Path("outputs/pictures/run_Pig-to-12.gif").is_file()


@pytest.mark.slow
def test_a_run_that_has_not_finished_is_shown_as_far_as_it_is(record_of):
    def stops(generation):
        if generation.number == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        package.evolve(*TINY.split(), "generations=9", "checkpoint_every=1", folder="half", on_generation=stops)
    assert record_of("film half --to a.gif")["generations"] == [0, 1, 2, 3]


def test_another_past_is_refused(refused, pigevo, finished):
    change(finished, 2, "digest", "0" * 64)
    refused("film run --to a.gif", "metrics.csv was changed since it was written")
    resealed(finished)
    output = pigevo("film run --to a.gif --every 1")
    assert output.status == 2
    assert "generation 2, repeated, is not the one in run/metrics.csv" in output.err
    assert not Path("a.gif").exists()


def test_another_champion_is_refused(refused, finished):
    path = finished / "champions.csv"
    path.write_text(path.read_text().replace("\n4,", "\n5,"))
    refused("film run --to a.gif", "champions.csv was changed since it was written")


def test_mp4_where_ffmpeg_is_found(answer, finished):
    from matplotlib.animation import FFMpegWriter

    if not FFMpegWriter.isAvailable():
        pytest.skip("ffmpeg is not here")
    answer("film run --to a.mp4 --every 3")
    assert Path("a.mp4").read_bytes()[4:8] == b"ftyp"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["experiment=ten_rounds game.turns=2 game.cap=10", "game=skunk game.target=9 game.cap=12",
              "game=equal_turns game.target=9 game.cap=12", "game=piglet game.target=1"]
)  # fmt: skip
def test_every_game_has_a_film(answer, words):
    answer(f"{words} debug=fast population.size=4 hydra.run.dir=other")
    answer("film other --to a.gif")
    with Image.open("a.gif") as film:
        assert film.n_frames > 1


WORDS = f"{SMALL.replace('record_every=2', 'record_every=1')} figures=none baseline=none"


@pytest.fixture
def known(answer):
    """A run that records its lineage."""
    answer(f"{WORDS} lineage=true hydra.run.dir=known")
    return package.load_run("known")


def test_the_line_the_gains_and_the_champions(pigevo, record_of, known):
    output = pigevo("lineage known --to line.png --tournament champions.png")
    assert output.status == 0, output.err
    assert "made again" not in output.err
    assert "back to generation 0" in output.out
    assert "  mutation " in output.out
    for name in ("line.png", "champions.png"):
        assert Path(name).stat().st_size > 1000
    record = record_of("lineage known")
    line, champion = record["line"], known.result["champion"]
    assert [member["generation"] for member in line] == known.metrics["generation"].tolist()
    assert line[-1]["value"] == pytest.approx(champion["overall"], abs=1e-12)
    assert line[-1]["member"] == known.result["champion_member"]
    second, fourth = (record["champions"].index(generation) for generation in (2, 4))
    met = package.win_probability(known.champions[2], known.champions[4])
    assert record["matrix"][second][fourth] == pytest.approx(met.overall, abs=1e-12)
    assert record["selection"]["textbook_takeover"] == 9
    mutation = next(row for row in record["gains"] if row["operator"] == "mutation")
    assert mutation["mean"] == pytest.approx(np.nanmean(known.metrics["gain_mutation"]), abs=1e-15)
    assert 0 <= mutation["better"] + mutation["worse"] <= 1
    fewer = record_of("lineage known --champions 3")
    assert [fewer["champions"][0], fewer["champions"][-1]] == [0, 6]
    assert np.shape(fewer["matrix"]) == (3, 3)


def test_a_run_without_the_record_is_made_again(pigevo, answer, record_of, known):
    answer(f"{WORDS} hydra.run.dir=plain")
    again = pigevo("lineage plain --json")
    assert "6 generations are made again" in again.err
    assert {**record_of("lineage known"), "run": ""} == {**json.loads(again.out), "run": ""}


def test_a_run_without_champions_draws_no_tournament(refused, known):
    without_champions(known.folder)
    refused("lineage known --tournament champions.png", "known has recorded 0 champions")


def test_an_unfinished_run_has_no_lineage_yet(refused, known):
    (known.folder / "result.json").unlink()
    refused("lineage known", "the run has not finished")


def test_a_selection_that_needs_more_than_scores_has_no_intensity(answer, record_of):
    answer("experiment=illuminate debug=fast game.target=9 figures=none lineage=true hydra.run.dir=map")
    assert "intensity" not in answer("lineage map")
    assert record_of("lineage map")["selection"] is None
