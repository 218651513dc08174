"""Watch, in a browser: a run's champions, step by step, with the figures that the run has recorded."""

import json

import numpy as np
import pytest

from pigevo.web.site import EXAMPLES, MADE_BY
from tests.web.test_films import unpacked
from tests.web.test_page_look import changed, pixels, set_to

pytestmark = pytest.mark.page

FILMS = {name: json.loads((EXAMPLES / f"{name}.json").read_text()) for name in MADE_BY}


@pytest.fixture
def watch(page):
    page.open("#watch")
    page.wait(lambda: ready(page) == "cube_random.json", "the film")
    return page


def ready(page):
    return page.run("return document.querySelector('.course')?.dataset.ready")


def figures_of(page):
    return page.run("return {...document.querySelector('#watch-says').dataset}")


def frame_of(film, n):
    frame, curve = film["frames"][n], film["curve"]
    mean = curve["mean"][curve["generation"].index(frame["generation"])]
    return {"generation": str(frame["generation"]), "overall": frame["overall"], "mean": mean}


def held_to(page, film, n):
    figures, wanted = figures_of(page), frame_of(film, n)
    assert figures["generation"] == wanted["generation"]
    assert float(figures["overall"]) == pytest.approx(wanted["overall"], abs=1e-9)
    assert float(figures["mean"]) == pytest.approx(wanted["mean"], abs=1e-9)
    assert f"generation {wanted['generation']}," in page.text("#watch-says")


def test_steps_and_the_slider_go_through_the_generations(watch):
    film = FILMS["cube_random"]
    held_to(watch, film, 0)
    assert watch.one("#watch-back").get_attribute("aria-disabled") == "true"
    watch.one("#watch-on").click()
    watch.one("#watch-on").click()
    held_to(watch, film, 2)
    watch.one("#watch-back").click()
    held_to(watch, film, 1)
    last = len(film["frames"]) - 1
    set_to(watch, "#watch-frame", last)
    held_to(watch, film, last)
    assert watch.one("#watch-on").get_attribute("aria-disabled") == "true"
    watch.one("#watch-on").click()
    held_to(watch, film, last)
    watch.one("#watch-first").click()
    held_to(watch, film, 0)


def test_keys_go_through_the_generations(watch):
    from selenium.webdriver.common.keys import Keys

    watch.run("document.querySelector('#watch-frame').focus()")
    watch.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    held_to(watch, FILMS["cube_random"], 3)
    assert "against the optimum" in watch.one("#watch-frame").get_attribute("aria-valuetext")


def test_it_plays_and_pauses(watch):
    button = watch.one("#watch-play")
    button.click()
    assert button.text == "Pause"
    watch.wait(lambda: figures_of(watch)["generation"] not in ("0", "5"), "two frames")
    button.click()
    assert button.text == "Play"
    stopped = figures_of(watch)["generation"]
    watch.run("return new Promise((done) => setTimeout(done, 700))")
    assert figures_of(watch)["generation"] == stopped


def test_it_ends_with_the_last_generation(watch):
    last = len(FILMS["cube_random"]["frames"]) - 1
    set_to(watch, "#watch-frame", last - 1)
    watch.one("#watch-play").click()
    watch.wait(lambda: watch.one("#watch-play").text == "Play", "the end")
    held_to(watch, FILMS["cube_random"], last)


def test_the_champion_s_map_changes_and_the_optimum_s_does_not(watch):
    before = [pixels(watch, f"#watch-{name}") for name in ("champion", "optimum")]
    assert changed(*before) > 0.1
    set_to(watch, "#watch-frame", 40)
    assert changed(before[0], pixels(watch, "#watch-champion")) > 0.1
    assert changed(before[1], pixels(watch, "#watch-optimum")) == 0
    watch.picture("watch")


def test_a_pair_of_scores_says_where_both_first_hold(watch):
    from selenium.webdriver.common.keys import Keys

    planes = unpacked(FILMS["cube_random"]["maps"], 100)[:, 0]
    best, before, now = planes[0], planes[30], planes[31]
    i, j = min((place for place in np.argwhere((now != before) & (now != best)) if place.any()), key=sum)
    set_to(watch, "#watch-frame", 30)
    watch.run("document.querySelector('#watch-optimum').focus()")
    watch.press(Keys.ARROW_RIGHT * int(i), Keys.ARROW_UP * int(j))
    pair = watch.run("return {...document.querySelector('#watch-pair').dataset}")
    assert pair == {"i": str(i), "j": str(j), "champion": str(now[i, j]), "optimum": str(best[i, j])}
    assert f"the champion first holds at {now[i, j]}, the optimum at {best[i, j]}" in watch.text("#watch-pair")


def test_the_curve_is_drawn_through_the_figures_and_answers_to_the_mouse(watch):
    from selenium.webdriver import ActionChains

    film = FILMS["cube_random"]
    line = watch.run("return document.querySelector('.course .champion').getAttribute('points')")
    points = np.array([[float(part) for part in point.split(",")] for point in line.split()])
    overall = np.array([frame["overall"] for frame in film["frames"]])
    generations = np.array([frame["generation"] for frame in film["frames"]])
    for drawn, wanted in ((points[:, 1], overall), (points[:, 0], np.sqrt(generations))):
        slope, start = np.polyfit(wanted, drawn, 1)
        np.testing.assert_allclose(drawn, start + slope * wanted, atol=1e-6)
    svg = watch.one(".course")
    x, _ = points[25]
    ActionChains(watch.driver).move_to_element_with_offset(svg, round(x - svg.size["width"] / 2), 0).click().perform()
    held_to(watch, film, 25)
    watch.one("#watch-short").click()
    missing = watch.run("return document.querySelector('.course .champion').getAttribute('points')")
    heights = np.array([float(point.split(",")[1]) for point in missing.split()])
    slope, start = np.polyfit(np.log(0.5 - overall), heights, 1)
    np.testing.assert_allclose(heights, start + slope * np.log(0.5 - overall), atol=1e-6)


def test_the_other_run(watch):
    set_to(watch, "#watch-run", "rediscover.json", "change")
    watch.wait(lambda: ready(watch) == "rediscover.json", "the film")
    film = FILMS["rediscover"]
    held_to(watch, film, 0)
    set_to(watch, "#watch-frame", 59)
    held_to(watch, film, 59)
    assert "experiment=rediscover" in watch.text("#watch")
    watch.picture("watch-rediscover")


def test_on_a_phone(page):
    page.be_a_phone()
    page.open("#watch")
    page.wait(lambda: ready(page) == "cube_random.json", "the film")
    assert page.run("return document.documentElement.scrollWidth") <= 360
    canvas = page.one("#watch-champion")
    page.touch(page.middle(canvas, 0.6, 0.4))
    page.wait(lambda: page.run("return document.querySelector('#watch-pair').dataset.i"), "the pair that was touched")
    page.picture("watch-phone")
