"""The film of champions."""

from PIL import Image

import pigevo
from pigevo.figures.evolving import LAST, save_evolving

GAME = pigevo.Pig(target=20)


def test_the_film_has_a_picture_for_each_champion_and_rests_on_the_last(tmp_path):
    champions = {generation: pigevo.hold_at(GAME, 3 + generation) for generation in (0, 2, 5)}
    save_evolving(tmp_path / "film.gif", champions)
    with Image.open(tmp_path / "film.gif") as film:
        assert film.n_frames == 3
        pictures, pauses = [], []
        for number in range(3):
            film.seek(number)
            pauses.append(film.info["duration"])
            pictures.append(film.convert("RGB").tobytes())
    assert len(set(pictures)) == 3
    assert pauses[-1] == LAST
