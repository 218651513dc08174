"""Watch, in a browser: a run's champions, step by step, with the figures that the run has recorded."""

import json

import numpy as np
import pytest

from pigevo.web.site import EXAMPLES, MADE_BY
from tests.web.browser import RIGHT, UP
from tests.web.test_films import unpacked
from tests.web.test_page_look import changed, pixels, set_to

pytestmark = pytest.mark.page

FILMS = {name: json.loads((EXAMPLES / f"{name}.json").read_text()) for name in MADE_BY}


@pytest.fixture
def watch(page):
    page.open("#watch")
    wait_for_film(page, "cube_random.json")
    return page


def wait_for_film(page, name):
    page.wait(lambda: page.run("return document.querySelector('.course')?.dataset.ready") == name, "the film")


def figures_of(page):
    return page.run("return {...document.querySelector('#watch-says').dataset}")


def hold_to(page, film, n):
    """Hold what the page says of a frame to the film's figures."""
    figures, frame, curve = figures_of(page), film["frames"][n], film["curve"]
    mean = curve["mean"][curve["generation"].index(frame["generation"])]
    assert figures["generation"] == str(frame["generation"])
    cubes = "single cells" if str(frame["cube_size"]) == "1" else f"cubes of {frame['cube_size']}"
    assert [float(figures[name]) for name in ("overall", "mean")] == pytest.approx([frame["overall"], mean], abs=1e-9)
    said = f"Generation {frame['generation']:,}, {cubes}: {100 * frame['overall']:.1f} % against the optimum"
    assert page.text("#watch-says").replace("\u00a0", " ") == said


def test_steps_and_the_slider_go_through_the_generations(watch):
    film = FILMS["cube_random"]
    last = len(film["frames"]) - 1
    hold_to(watch, film, 0)
    assert watch.first("#watch-back").get_attribute("aria-disabled") == "true"
    for button, n in (("on", 1), ("on", 2), ("back", 1)):
        watch.first(f"#watch-{button}").click()
        hold_to(watch, film, n)
    set_to(watch, "#watch-frame", last)
    hold_to(watch, film, last)
    assert watch.first("#watch-on").get_attribute("aria-disabled") == "true"
    for button, n in (("on", last), ("first", 0)):
        watch.first(f"#watch-{button}").click()
        hold_to(watch, film, n)


def test_keys_go_through_the_generations(watch):
    watch.run("document.querySelector('#watch-frame').focus()")
    watch.press(RIGHT, RIGHT, RIGHT)
    hold_to(watch, FILMS["cube_random"], 3)
    assert "against the optimum" in watch.first("#watch-frame").get_attribute("aria-valuetext")


def test_it_plays_and_pauses_and_ends_with_the_last_generation(watch):
    button = watch.first("#watch-play")
    button.click()
    assert button.text == "Pause"
    watch.wait(lambda: figures_of(watch)["generation"] not in ("0", "5"), "two frames")
    button.click()
    assert button.text == "Play"
    stopped = figures_of(watch)["generation"]
    watch.run("return new Promise((done) => setTimeout(done, 700))")
    assert figures_of(watch)["generation"] == stopped
    last = len(FILMS["cube_random"]["frames"]) - 1
    set_to(watch, "#watch-frame", last - 1)
    button.click()
    watch.wait(lambda: button.text == "Play", "the end")
    hold_to(watch, FILMS["cube_random"], last)


def test_the_champion_s_map_changes_and_the_optimum_s_does_not(watch):
    before = [pixels(watch, f"#watch-{name}") for name in ("champion", "optimum")]
    assert changed(*before) > 0.1
    set_to(watch, "#watch-frame", 40)
    assert changed(before[0], pixels(watch, "#watch-champion")) > 0.1
    assert changed(before[1], pixels(watch, "#watch-optimum")) == 0


def test_a_pair_of_scores_says_where_both_first_hold(watch):
    planes = unpacked(FILMS["cube_random"]["maps"], 100)[:, 0]
    best, before, now = planes[0], planes[30], planes[31]
    i, j = min((place for place in np.argwhere((now != before) & (now != best)) if place.any()), key=sum)
    set_to(watch, "#watch-frame", 30)
    watch.run("document.querySelector('#watch-optimum').focus()")
    watch.press(RIGHT * int(i), UP * int(j))
    pair = watch.run("return {...document.querySelector('#watch-pair').dataset}")
    assert pair == {"i": str(i), "j": str(j), "champion": str(now[i, j]), "optimum": str(best[i, j])}
    assert f"the champion first holds at {now[i, j]}, the optimum at {best[i, j]}" in watch.text("#watch-pair")


def points_of_the_curve(page):
    """The points of the champions' line, shape (frames, 2)."""
    line = page.run("return document.querySelector('.course .champion').getAttribute('points')")
    return np.array([[float(part) for part in point.split(",")] for point in line.split()])


def hold_to_a_straight_line(wanted, drawn):
    slope, start = np.polyfit(wanted, drawn, 1)
    np.testing.assert_allclose(drawn, start + slope * wanted, atol=1e-6)


def test_the_curve_is_drawn_through_the_figures_and_answers_to_the_mouse(watch):
    film, points = FILMS["cube_random"], points_of_the_curve(watch)
    overall, generations = (np.array([frame[name] for frame in film["frames"]]) for name in ("overall", "generation"))
    hold_to_a_straight_line(overall, points[:, 1])
    hold_to_a_straight_line(np.sqrt(generations), points[:, 0])
    svg = watch.first(".course")
    right = round(points[25, 0] - svg.size["width"] / 2)
    watch.mouse().move_to_element_with_offset(svg, right, 0).click().perform()
    hold_to(watch, film, 25)
    watch.first("#watch-short").click()
    assert watch.text("#watch-says").endswith(
        f": {100 * (0.5 - overall[25]):.3f} percentage points less than the optimum"
    )
    hold_to_a_straight_line(np.log(0.5 - overall), points_of_the_curve(watch)[:, 1])
    words = watch.run("return [...document.querySelectorAll('.course text')].map((text) => text.textContent)")
    assert {"percentage points less than the optimum", "50", "0.01"} <= {*words}
    assert "the optimum itself" not in watch.text("#watch .keys")


def test_the_other_run(watch):
    set_to(watch, "#watch-run", "rediscover.json", "change")
    wait_for_film(watch, "rediscover.json")
    film = FILMS["rediscover"]
    hold_to(watch, film, 0)
    watch.wait(
        lambda: (
            watch.run("return announcer.textContent")
            == watch.run("return document.querySelector('#watch-says').textContent")
        ),
        "the words that are read aloud",
    )
    set_to(watch, "#watch-frame", 59)
    hold_to(watch, film, 59)
    words = "In a terminal with pigevo, this command evolves the same champions again: "
    assert words + FILMS["rediscover"]["command"] in watch.text("#watch").splitlines()


def test_on_a_phone(page):
    page.be_a_phone()
    page.open("#watch")
    wait_for_film(page, "cube_random.json")
    canvas = page.first("#watch-champion")
    page.touch(page.middle(canvas, 0.6, 0.4))
    page.wait(lambda: page.run("return document.querySelector('#watch-pair').dataset.i"), "the pair that was touched")


def test_on_a_phone_the_names_of_the_runs_are_whole(page):
    page.be_a_phone(360, 640)
    page.open("#watch")
    page.first("#watch-run")
    script = """
    const select = document.querySelector("#watch-run"), pen = document.createElement("canvas").getContext("2d");
    pen.font = getComputedStyle(select).font;
    return [...select.options].map(({ text }) => pen.measureText(text).width);
    """
    names = page.run(script)
    assert len(names) == 2
    assert max(names) < 360 - 80  # the edges of the page and of the list, and its arrow
