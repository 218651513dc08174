"""A run's `report.html` says what its result says, whatever the game."""

import shlex

import pytest

import pigevo
from pigevo.runs import run
from pigevo.settings.settings import Settings
from tests.small import small_words
from tests.web.page import read, refuse_outside


def test_a_runs_page_says_what_its_result_says(of_run):
    page, run = of_run.page, pigevo.load_run(of_run.folder)
    result = run.result
    refuse_outside(page)
    assert of_run.record["champion"] == result["champion"]
    tiles = [part["text"] for part in page.all("strong")]
    assert tiles[0] == f"{result['champion']['overall']:.4f}"
    assert f"{result['peak_mean']:.4f}" in tiles
    assert f"{result['last_mean']:.4f}" in tiles
    base = result["baseline"]
    rows = page.rows(f"What {base['populations']:,}")
    assert rows[1][1:] == [f"{base['own_mean']:.4f}", "{:.4f} to {:.4f}".format(*base["own_interval"])]
    said = page.text_of("body")
    assert result["digest"] in said
    assert run.champion.digest in said
    assert f"pigevo verify {'/'.join(of_run.folder.parts[-3:])}" in said
    assert "mutation0.3" in said
    assert str(of_run.folder.parents[2]) not in said


def test_the_command_in_the_page_makes_the_same_run(of_run):
    (command,) = [part["text"] for part in of_run.page.all("code") if "python -m pigevo" in part["text"]]
    words = shlex.split(command)[3:]
    assert Settings.of(*words).hash == pigevo.load_run(of_run.folder).result["config_hash"]


def test_a_run_with_an_operator_from_python_is_told_as_far_as_its_folder_can(tmp_path, wording, wrong):
    folder = tmp_path / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        pigevo.evolve(*small_words(), crossover=lambda first, second, context: second, folder=folder)
    wording(folder)
    page = read(folder / "report.html")
    refuse_outside(page)
    assert "was handed over from Python" in page.text_of("body")
    assert "crossovercustom" in page.text_of("body")
    assert "python -m pigevo " not in page.text_of("body")
    config = folder / ".hydra" / "config.yaml"
    config.write_text(config.read_text().replace("seed: 0", "seed: 1"))
    assert "was changed" in wrong(folder)


@pytest.mark.parametrize(
    "game",
    [
        "ten_rounds game.turns=3 game.cap=8 game.rolls=true",
        pytest.param("ten_rounds game.turns=3 game.cap=8", marks=pytest.mark.slow),
        pytest.param("piglet game.target=4", marks=pytest.mark.slow),
        pytest.param("two_dice game.target=10", marks=pytest.mark.slow),
        pytest.param("equal_turns game.target=6 game.cap=9", marks=pytest.mark.slow),
        pytest.param("pig game.target=8 game.allow_pass=true", marks=pytest.mark.slow),
    ],
)
def test_every_game_has_a_report(game, tmp_path, wording):
    common = ("debug=fast", "population.size=4", "fitness.games=10", "mutation=0.1", "generations=2", "record_every=1")
    settings = Settings.of(*common, *f"game={game}".split())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        run(settings, tmp_path / "run")
    wording(tmp_path / "run")
    page = read(tmp_path / "run" / "report.html")
    refuse_outside(page)
    assert str(settings.plan.game) in page.text_of("header")
    assert len(page.rows("The turn total at which each first holds")) == 8
