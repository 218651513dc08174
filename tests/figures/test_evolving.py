"""The film of champions."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

import pigevo
from pigevo.figures.axes import figure_of
from pigevo.figures.character import hold_data
from pigevo.figures.curve import curve_data
from pigevo.figures.evolving import film_data, film_figures, frame_data, plot_frame
from pigevo.games import GAMES
from pigevo.runs.pictures import save_film
from tests.small import environment_of_a_process

GAME = pigevo.Pig(target=20)
CHAMPIONS = {generation: pigevo.hold_at(GAME, 3 + generation) for generation in (0, 2, 5)}


def test_each_frame_is_a_champion_in_play_against_the_optimum():
    best, frames = film_data(CHAMPIONS)
    optimum = pigevo.optimal(GAME).strategy
    assert best.title == "the optimum"
    for (generation, champion), frame in zip(CHAMPIONS.items(), frames, strict=True):
        won = pigevo.win_probability(champion, optimum).overall
        assert frame.title == f"generation {generation}: {100 * won:.1f} %"
        assert np.array_equal(frame.turns, pigevo.reach(champion, optimum).overall[:, :, 0])
        assert frame.decisions.first_hold[0, 0] == 3 + generation


def test_places_are_weighed_by_the_turns_that_begin_there():
    game = GAMES["ten_rounds"].bind({"turns": 2, "cap": 9})
    optimum, champion = pigevo.optimal(game).strategy, pigevo.hold_at(game, 4)
    frame = frame_data("", champion, optimum)
    assert frame.turns.shape == frame.decisions.first_hold.shape == (2, 19)
    assert frame.turns[1].sum() == frame.turns[1, 9] == 0.5  # the first turn of who moves first, at a lead of 0
    assert np.array_equal(frame.turns, pigevo.reach(champion, optimum).overall[:, 0, :, 0])


@pytest.mark.parametrize("game", [pigevo.Pig(target=1), GAMES["ten_rounds"].bind({"turns": 1, "cap": 9})])
def test_where_there_is_nothing_to_draw_over_two_axes_hold_values_are_drawn(game):
    champions = {0: pigevo.hold_at(game, 4), 3: pigevo.hold_at(game, 7)}
    best, frames = film_data(champions, curve())
    assert [frame.holds for frame in frames] == [hold_data(champion) for champion in champions.values()]
    for frame, figure in zip(frames, film_figures(best, frames, curve()), strict=True):
        axes, below = figure.axes
        optimum, champion = axes.lines
        assert (optimum.get_label(), champion.get_label(), axes.get_title()) == ("the optimum", "champion", frame.title)
        edge = axes.get_xlim()[1] / 1.03
        holds = [edge if hold.first is None else hold.first for hold in frame.holds]
        assert list(champion.get_xdata()) == pytest.approx(holds)
        assert below.get_xlabel() == "generation"


@pytest.mark.slow
def test_the_film_shows_every_frame_and_rests_on_the_last(tmp_path):
    save_film(tmp_path / "film.gif", film_figures(*film_data(CHAMPIONS)), per_second=4, rest=2, dpi=20)
    with Image.open(tmp_path / "film.gif") as film:
        pictures, milliseconds = [], 0
        for number in range(film.n_frames):
            film.seek(number)
            milliseconds += film.info["duration"]
            pictures.append(film.convert("RGB").tobytes())
    assert len(set(pictures)) == 3
    assert milliseconds == 3 * 250 + 2000


def curve():
    figures = {"best": 0.3, "mean": 0.2, "worst": 0.1}
    waves = [{"wave": 1, "cube_size": "10"}] * 3 + [{"wave": 2, "cube_size": "1"}] * 3
    return curve_data([{"generation": n} | wave | figures for n, wave in enumerate(waves)])


def test_titles_name_the_wave_and_the_curve_marks_the_generation():
    best, frames = film_data(CHAMPIONS, curve())
    waves = ["wave 1 (cubes of 10)", "wave 1 (cubes of 10)", "wave 2 (single cells)"]
    for (number, wave), frame in zip(zip(CHAMPIONS, waves, strict=True), frames, strict=True):
        assert frame.title == f"generation {number}, {wave}: {100 * frame.overall:.1f} %"
    for frame, figure in zip(frames, film_figures(best, frames, curve()), strict=True):
        champion, _, below = [ax for ax in figure.axes if ax.get_label() != "<colorbar>"]
        assert champion.get_title() == frame.title.replace(", wave", "\nwave")
        assert np.array_equal(champion.get_images()[0].get_array(), frame.decisions.first_hold.T)
        (marked,) = [line for line in below.lines if line.get_marker() == "D"]
        assert (marked.get_xdata()[0], marked.get_ydata()[0]) == (frame.generation, frame.overall)


def test_a_title_is_no_wider_than_its_panel():
    best, frames = film_data({3600: CHAMPIONS[0]}, curve())
    assert frames[0].title.startswith("generation 3,600, wave 2 (single cells): ")
    panels = plot_frame(best, replace(frames[0], title="generation 3,600, wave 2 (cubes of 20x20x10): 32.0 %"))
    figure_of(panels).draw_without_rendering()
    assert panels[0].title.get_window_extent().width <= panels[0].get_window_extent().width


def test_nothing_is_pale_and_places_where_turns_begin_are_outlined():
    best, (frame,) = film_data({0: CHAMPIONS[5]})
    panels = plot_frame(best, frame)
    assert all(ax.get_images()[0].get_alpha() is None for ax in panels)
    (outline,) = panels[0].collections
    edges = {tuple(map(tuple, segment)) for segment in np.array(outline.get_segments()).tolist()}
    assert frame.turns[7, 0] < 1e-3 <= frame.turns[8, 0]
    assert ((8, 0), (8, 1)) in edges


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="files have no limit here")
def test_a_film_that_finds_no_room_is_one_sentence(tmp_path):
    program = (
        "import resource; from pathlib import Path; from pigevo.runs.pictures import save_film\n"
        "from pigevo.figures.axes import new_figure\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "try: save_film(Path('f.gif'), [new_figure((2, 1)) for _ in range(3)])\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment_of_a_process(), capture_output=True, text=True
    )
    assert done.stdout == "InputError f.gif cannot be written: File too large.\n"
    assert not [*tmp_path.iterdir()]
