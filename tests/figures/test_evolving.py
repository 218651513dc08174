"""The film of champions."""

import numpy as np
from PIL import Image

import pigevo
from pigevo.figures.evolving import film_data, film_figures
from pigevo.runs.pictures import save_film

GAME = pigevo.Pig(target=20)
CHAMPIONS = {generation: pigevo.hold_at(GAME, 3 + generation) for generation in (0, 2, 5)}


def test_each_frame_is_a_champion_in_play_against_the_optimum():
    best, frames = film_data(CHAMPIONS)
    optimum = pigevo.optimal(GAME).strategy
    assert best.title == "optimum"
    for (generation, champion), frame in zip(CHAMPIONS.items(), frames, strict=True):
        assert frame.title == f"generation {generation}: {pigevo.win_probability(champion, optimum).overall:.2%}"
        assert np.array_equal(frame.turns, pigevo.reach(champion, optimum).overall[:, :, 0])
        assert frame.first_hold[0, 0] == 3 + generation


def test_the_film_shows_every_frame_and_rests_on_the_last(tmp_path):
    save_film(tmp_path / "film.gif", film_figures(*film_data(CHAMPIONS)), per_second=4, rest=2)
    with Image.open(tmp_path / "film.gif") as film:
        pictures, milliseconds = [], 0
        for number in range(film.n_frames):
            film.seek(number)
            milliseconds += film.info["duration"]
            pictures.append(film.convert("RGB").tobytes())
    assert len(set(pictures)) == 3
    assert milliseconds == 3 * 250 + 2000
