"""Evolve and Watch, in a browser: a link is a run of Python's, and a film has the figures that a run has recorded."""

import json
import re
import shlex
import threading
import time

import numpy as np
import pytest

import pigevo
from pigevo.evolution.random_search import search
from pigevo.web.films import film_of
from pigevo.web.serve import PageServer
from pigevo.web.site import EXAMPLES, MADE_BY, page_files
from tests.web.browser import LEFT, RIGHT, UP
from tests.web.test_films import unpacked
from tests.web.test_page_strategies import changed, pixels, set_to

pytestmark = pytest.mark.page

WORDS = [
    "mutation=0.02",
    "population.size=8",
    "fitness.games=10",
    "cubes.sizes=20,10",
    "cubes.generations=10",
    "seed=3",
]
LINK = f"?evolve&{'&'.join(WORDS)}"
ENDS = 20


@pytest.fixture
def evolve(page):
    page.open(LINK)
    wait_for_the_end(page)
    return page


def figures_of(page):
    return page.run("return {...(document.querySelector('#evolve-says')?.dataset ?? {})}")


def wait_for_the_end(page):
    page.wait(lambda: figures_of(page).get("done") == "true" and figures_of(page)["random"], "the end of the run")


def words_of(page):
    """The words of the command that the page gives."""
    return shlex.split(page.text("#evolve-command"))[3:]


def hold_to(page, run):
    """Hold what the page says in the end to a run of pigevo and its last generation."""
    last, figures = run, figures_of(page)
    members, plays = last.plan.size, last.plan.fitness.plays.games
    games = last.state.games + members * (members - 1) // 2 * plays  # as in the run's result: all meet for the champion
    assert f" {games:,} games" in page.text("#evolve-speed")
    assert figures["generation"] == str(last.number)
    strategies = last.state.evaluations + last.state.fresh
    wanted = {
        "mean": last.exact.mean(), "best": last.exact.max(), "champion": last.exact[last.best],
        "random": search(last.plan, last.plan.waves[0].grid, strategies).by_matches,
    }  # fmt: skip
    assert {name: float(figures[name]) for name in wanted} == pytest.approx(wanted, abs=1e-9)


def last_of(words):
    *_, last = pigevo.generations(*words, "baseline=none")
    return last


def test_a_link_is_a_run_and_the_command_repeats_it(evolve):
    words = words_of(evolve)
    assert words == ["experiment=cube_random", *(word.replace("20,10", "[20,10]") for word in WORDS)]
    hold_to(evolve, last_of(words))
    assert evolve.first("#evolve-link").get_attribute("href").endswith(LINK)
    assert "in generation 20" in evolve.first("#evolve-chart").accessible_name


def test_what_is_turned_begins_another_run(evolve):
    assert evolve.run("return document.querySelector('.course .before').getAttribute('points')") == ""
    before = evolve.run("return document.querySelector('.course .mean').getAttribute('points')")
    evolve.run("document.querySelector('#evolve-mutation').focus()")
    evolve.press(LEFT)
    evolve.wait(lambda: "mutation=0.01" in words_of(evolve), "the new rate")
    wait_for_the_end(evolve)
    assert "mutation=0.01" in evolve.run("return location.search")
    assert evolve.run("return document.querySelector('.course .before').getAttribute('points')") == before
    set_to(evolve, "#evolve-replacement", "survivors_and_offspring", "change")
    set_to(evolve, "#evolve-selection", "round_robin", "change")
    set_to(evolve, "#evolve-fitness", "exact_vs_optimal", "change")
    wait_for_the_end(evolve)
    words = words_of(evolve)
    assert {"selection=round_robin", "replacement=survivors_and_offspring", "fitness=exact_vs_optimal"} <= {*words}
    assert not [word for word in words if word.startswith("fitness.games")]
    hold_to(evolve, last_of(words))


def test_the_trials_are_runs(evolve):
    evolve.button("#evolve .trials", "no luck").click()
    assert words_of(evolve) == ["experiment=cube_random", "mutation=0.005", "fitness=exact_vs_optimal", "seed=3"]
    assert evolve.button("#evolve .trials", "no luck").get_attribute("aria-pressed") == "true"
    evolve.button("#evolve .trials", "the run of 2016").click()
    assert words_of(evolve) == ["experiment=cube_random", "mutation=0.005", "seed=3"]
    assert "75" in evolve.text(".why table")


def test_a_run_that_no_link_asks_for_waits_and_what_it_has_not_come_to_is_not_explained(page):
    page.open("#evolve")
    page.wait(lambda: figures_of(page).get("generation") == "0", "the first generation")
    time.sleep(0.5)
    assert figures_of(page)["generation"] == "0"
    assert page.first("#evolve-play").text == "Run"
    assert page.text("#evolve-why").endswith("When the run comes to it, this says what the flips do there.")
    page.first("#evolve-step").click()
    page.wait(lambda: figures_of(page)["generation"] == "1", "a generation")
    assert page.text("#evolve-why").startswith("Cubes of 20: 75 genes \u00d7 0.005 = 0.375 flips in a child.")
    assert "Cubes of 10" not in page.text("#evolve-why")
    page.first("#evolve-play").click()
    wait_for_the_end(page)
    _, second, third = page.text("#evolve-why").split("\n\n")
    assert second.startswith("Cubes of 10: ")
    assert "4,200 genes \u00d7 0.005 = 21 flips" in third
    said = (
        r"from selection\. In this run the line goes from \d+\.\d % in generation 200 to (\d+\.\d) % in generation 300"
    )
    course = re.search(said, third.replace("\u00a0", " "))
    assert float(course[1]) == pytest.approx(100 * float(figures_of(page)["mean"]), abs=0.051)


def test_evolve_pauses_and_goes_on_step_by_step(page):
    page.prefer(reduced_motion="reduce")
    page.open(LINK)
    page.wait(lambda: figures_of(page).get("generation") == "0", "the first generation")
    button = page.first("#evolve-play")
    assert button.text == "Run"
    for generation in ("1", "2"):
        page.first("#evolve-step").click()
        page.wait(lambda expected=generation: figures_of(page)["generation"] == expected, generation)
    page.first("#evolve-slow").click()
    button.click()
    page.wait(lambda: int(figures_of(page)["generation"]) > 3, "two generations")
    button.click()
    assert button.text == "Go on"
    page.run("return new Promise((done) => setTimeout(done, 400))")
    stopped = figures_of(page)["generation"]
    page.run("return new Promise((done) => setTimeout(done, 700))")
    assert figures_of(page)["generation"] == stopped != str(ENDS)
    page.first("#evolve-slow").click()
    button.click()
    wait_for_the_end(page)
    hold_to(page, last_of(words_of(page)))
    assert button.text == "Again"
    page.first("#evolve-again").click()
    page.wait(lambda: figures_of(page).get("generation") == "0", "the start")


def random_in_words(page):
    """What the page says of random search: its figure in percent, and the number of its strategies where it is said."""
    words = page.text("#evolve-says").replace("\u00a0", " ")
    said = re.search(r", (\d+\.\d) % for random search(?: with ([\d,]+) strategies)?$", words)
    return said and (float(said[1]), said[2])


def test_a_step_is_compared_with_random_search_of_as_many_strategies(page):
    plan = pigevo.Settings.of("experiment=cube_random", "seed=0").plan
    page.prefer(reduced_motion="reduce")
    page.open("?evolve&seed=0")
    page.wait(lambda: figures_of(page).get("random"), "generation 0")
    for generation in (1, 2, 3):
        page.first("#evolve-step").click()
        page.wait(lambda number=str(generation): figures_of(page)["generation"] == number, "the generation")
        page.wait(lambda: figures_of(page)["random"], "random search")
        right = search(plan, plan.waves[0].grid, 20 * (generation + 1)).by_matches
        assert float(figures_of(page)["random"]) == pytest.approx(right, abs=1e-9)
        assert random_in_words(page) == (round(100 * right, 1), None)


def test_random_search_that_lags_says_how_many_strategies_it_has(page):
    """Thirty strategies that all meet in 200 games take longer than ten generations."""
    page.open("?evolve&population.size=30&fitness.games=200&cubes.generations=20&cubes.sizes=20")
    page.first("#evolve-says")
    seen = set()
    script = "const says = document.querySelector('#evolve-says'); return [says.textContent, says.dataset.random];"

    def ended():
        words, fair = page.run(script)
        seen.add((bool(fair), "for random search with" in words, "for random search" in words))
        return figures_of(page).get("done") == "true" and fair

    page.wait(ended, "the end")
    assert seen <= {(False, False, False), (False, True, True), (True, False, True)}
    assert (False, True, True) in seen
    words = "; " + page.text("#evolve-says").split(", ")[1] + "."
    assert page.run("return document.querySelector('#evolve-chart').getAttribute('aria-label')").endswith(words)


def test_the_speed_of_evolve_is_that_which_one_sees(page):
    page.prefer(reduced_motion="reduce")
    page.open("?evolve&cubes.generations=40")
    page.wait(lambda: figures_of(page).get("generation") == "0", "the first generation")
    time.sleep(0.5)  # in which nothing goes on
    script = """
    const done = arguments[0], [says, speed] = ["says", "speed"].map((name) => document.querySelector(`#evolve-${name}`));
    const begun = performance.now();
    new MutationObserver(() => says.dataset.done === "true" && done([120000 / (performance.now() - begun), Number(speed.dataset.speed)]))
      .observe(speed, { attributes: true });
    document.querySelector("#evolve-play").click();
    """
    seen, shown = page.driver.execute_async_script(script)
    assert shown == pytest.approx(seen, rel=0.2)


def test_figures_of_the_run_before_are_gone_at_once_and_no_step_waits_for_a_champion(page):
    page.prefer(reduced_motion="reduce")
    page.open("?evolve&population.size=60&fitness.games=1000&cubes.generations=10")
    page.wait(lambda: figures_of(page).get("generation") == "0", "the first generation")
    assert page.text("#evolve h3") == "Finding the champion of generation 0\u00a0..."
    assert page.all(".keys .before") == []
    page.first("#evolve-step").click()
    page.wait(lambda: figures_of(page).get("generation") == "1", "a generation")
    assert figures_of(page)["champion"] == ""
    script = """
    const slider = document.querySelector("#evolve-mutation");
    slider.value = 0;
    slider.dispatchEvent(new Event("change"));
    const says = document.querySelector("#evolve-says");
    return [says.textContent, Object.keys(says.dataset).length, document.querySelector("#evolve-spread").textContent.trim(), document.querySelector(".course .mean").getAttribute("points")];
    """
    assert page.run(script) == ["Judging generation 0\u00a0...", 0, "", ""]
    assert len(page.all(".keys .before")) == 1
    page.wait(lambda: figures_of(page).get("generation") == "0", "the first generation")


def test_the_maps_say_where_both_first_hold(evolve):
    last = last_of(words_of(evolve))
    evolve.run("document.querySelector('#evolve-optimum').focus()")
    evolve.press(RIGHT * 30, UP * 40)
    said = evolve.run("return {...document.querySelector('#evolve-pair').dataset}")

    def hold(strategy):
        return str(next(k for k in range(1, 101) if 30 + k >= 100 or not strategy.roll[30, 40, k]))

    optimum = pigevo.optimal(pigevo.Pig()).strategy
    assert said == {"i": "30", "j": "40", "champion": hold(last.champion), "optimum": hold(optimum)}


def test_the_maps_are_level_whatever_their_titles_are(evolve):
    tops = [evolve.ends(f"#evolve-{name}")[0] for name in ("champion", "optimum")]
    assert tops[0] == tops[1]


def test_the_champion_can_be_played_against(evolve):
    switched_off = "return document.querySelector('#evolve-challenge').ariaDisabled"
    assert (
        evolve.run(f"document.querySelector('#evolve-again').click(); {switched_off}") == "true"
    )  # nobody is crowned yet
    evolve.wait(lambda: evolve.run(switched_off) == "false", "the champion of generation 0")
    evolve.button("#evolve", "Play against the champion").click()
    evolve.wait(lambda: evolve.all("#play .card, #play .board, #play button"), "the game")
    assert "Your evolved champion" in evolve.text("#play")


def test_a_link_that_makes_no_sense_is_the_usual_run(page):
    page.prefer(reduced_motion="reduce")
    page.open(
        "?evolve&mutation=2&population.size=7&cubes.sizes=0&selection=bracket&seed=-1&fitness.games=x&population=9"
    )
    page.wait(lambda: figures_of(page).get("generation") == "0", "the first generation")
    assert words_of(page) == ["experiment=cube_random", "mutation=0.005", "population.size=8", "seed=0"]
    said = page.text("#evolve-trouble")
    assert said.startswith("mutation=2 is not a number from 0 to 1: mutation=0.005 is taken. ")
    assert "population.size=7 is not an even number, which a knockout needs: population.size=8 is taken. " in said
    assert said.count(" is taken.") == 6
    assert said.endswith(" population is not a word that the page knows: it is left out.")
    set_to(page, "#evolve-mutation", 0, "change")
    assert page.all("#evolve .trouble") == []


@pytest.mark.parametrize("text", ["abc", "-5", "1.5", str(2**63)])
def test_a_seed_that_is_none_gets_a_sentence(page, text):
    page.open("#evolve")
    page.wait(lambda: figures_of(page).get("generation") == "0", "the first generation")
    set_to(page, "#evolve-seed", text, "change")
    assert page.text("#evolve .trouble") == f"{text} is not a whole number from 0 to 9223372036854775807: 0 is taken."
    assert words_of(page)[-1] == "seed=0"
    set_to(page, "#evolve-seed", "7", "change")
    assert (page.all("#evolve .trouble"), words_of(page)[-1]) == ([], "seed=7")


@pytest.mark.parametrize(("seed", "following"), [("0", "1"), ("5000000000", "5000000001"), (str(2**63 - 1), "0")])
def test_the_next_seed_is_one_more(page, seed, following):
    page.open(f"?evolve&seed={seed}")
    page.first("#evolve-new-seed")
    page.run("document.querySelector('#evolve-new-seed').click()")  # while a run that begins moves it
    assert page.run("return document.querySelector('#evolve-seed').value") == following
    assert words_of(page)[-1] == f"seed={following}"


def test_on_a_phone_the_slider_of_the_mutation_is_seen_with_the_chart(page):
    page.be_a_phone(390, 844)
    page.open("?evolve")
    boxes = [page.first(selector).rect for selector in ("#evolve-mutation", "#evolve-cubes", "#evolve-chart")]
    assert max(box["y"] + box["height"] for box in boxes) - min(box["y"] for box in boxes) < 500


def test_on_a_phone_the_chart_comes_into_view_when_the_run_begins(page):
    page.be_a_phone(390, 844)
    page.open("#evolve")
    page.wait(lambda: figures_of(page).get("generation") == "0", "the first generation")
    box = "const box = document.querySelector('#evolve-chart').getBoundingClientRect(); return [box.top, box.bottom]"
    assert page.run(box)[1] > 844
    page.first("#evolve-play").click()
    top, bottom = page.run(box)
    assert 0 <= top < bottom <= 844


def test_a_run_that_is_turned_leaves_the_game_of_the_day(page):
    page.open("?daily#evolve")
    page.wait(lambda: figures_of(page).get("generation") == "0", "the first generation")
    set_to(page, "#evolve-mutation", 0, "change")
    assert page.run("return location.search").endswith("&daily")
    page.driver.refresh()
    page.wait(lambda: figures_of(page).get("generation") is not None, "the run")
    assert page.run("return new URLSearchParams(location.search).get('mutation')") == words_of(page)[1].split("=")[1]


@pytest.mark.parametrize(
    ("words", "after"),
    [("?seed=7&opponent=hold-at-20&first=you", "?seed=7&opponent=hold-at-20&first=you"),
     ("?opponent=hold-at-20&first=you", "?evolve&mutation=0.005&seed=1&opponent=hold-at-20&first=you"),
     ("?evolve&seed=0&game=piglet&daily&foo=1", "?evolve&mutation=0.005&seed=1&game=piglet&daily")],
)  # fmt: skip
def test_a_run_that_is_turned_leaves_what_is_asked_of_play(page, words, after):
    """Its own seed takes no place where the dice of a lesson have one."""
    page.open(f"{words}#evolve")
    page.first("#evolve-new-seed")
    page.run("document.querySelector('#evolve-new-seed').click()")  # while a run that begins moves it
    assert words_of(page)[-1] == "seed=1"
    assert page.run("return location.search") == after


FILMS = {name: json.loads((EXAMPLES / f"{name}.json").read_text()) for name in MADE_BY}


@pytest.fixture
def watch(page):
    page.open("#watch")
    wait_for_film(page, "cube_random.json")
    return page


def wait_for_film(page, name):
    page.wait(lambda: page.run("return document.querySelector('.course')?.dataset.ready") == name, "the film")


def figures_of_film(page):
    return page.run("return {...document.querySelector('#watch-says').dataset}")


def hold_to_film(page, film, n):
    """Hold what the page says of a frame to the film's figures."""
    figures, frame, curve = figures_of_film(page), film["frames"][n], film["curve"]
    mean = curve["mean"][curve["generation"].index(frame["generation"])]
    assert figures["generation"] == str(frame["generation"])
    cubes = "single cells" if str(frame["cube_size"]) == "1" else f"cubes of {frame['cube_size']}"
    assert [float(figures[name]) for name in ("overall", "mean")] == pytest.approx([frame["overall"], mean], abs=1e-9)
    said = f"Generation {frame['generation']:,}, {cubes}: {100 * frame['overall']:.1f} % against the optimum"
    assert page.text("#watch-says").replace("\u00a0", " ") == said


def test_steps_and_the_slider_go_through_the_generations(watch):
    film = FILMS["cube_random"]
    last = len(film["frames"]) - 1
    hold_to_film(watch, film, 0)
    assert watch.first("#watch-back").get_attribute("aria-disabled") == "true"
    for button, n in (("on", 1), ("on", 2), ("back", 1)):
        watch.first(f"#watch-{button}").click()
        hold_to_film(watch, film, n)
    set_to(watch, "#watch-frame", last)
    hold_to_film(watch, film, last)
    assert watch.first("#watch-on").get_attribute("aria-disabled") == "true"
    for button, n in (("on", last), ("first", 0)):
        watch.first(f"#watch-{button}").click()
        hold_to_film(watch, film, n)


def test_keys_go_through_the_generations(watch):
    watch.run("document.querySelector('#watch-frame').focus()")
    watch.press(RIGHT, RIGHT, RIGHT)
    hold_to_film(watch, FILMS["cube_random"], 3)
    assert "against the optimum" in watch.first("#watch-frame").get_attribute("aria-valuetext")


def test_watch_plays_and_pauses_and_ends_with_the_last_generation(watch):
    button = watch.first("#watch-play")
    button.click()
    assert button.text == "Pause"
    watch.wait(lambda: figures_of_film(watch)["generation"] not in ("0", "5"), "two frames")
    button.click()
    assert button.text == "Play"
    stopped = figures_of_film(watch)["generation"]
    watch.run("return new Promise((done) => setTimeout(done, 700))")
    assert figures_of_film(watch)["generation"] == stopped
    last = len(FILMS["cube_random"]["frames"]) - 1
    set_to(watch, "#watch-frame", last - 1)
    button.click()
    watch.wait(lambda: button.text == "Play", "the end")
    hold_to_film(watch, FILMS["cube_random"], last)


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
    hold_to_film(watch, film, 25)
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
    hold_to_film(watch, film, 0)
    watch.wait(
        lambda: (
            watch.run("return announcer.textContent")
            == watch.run("return document.querySelector('#watch-says').textContent")
        ),
        "the words that are read aloud",
    )
    set_to(watch, "#watch-frame", 59)
    hold_to_film(watch, film, 59)
    words = "In a terminal with pigevo, this command evolves the same champions again: "
    assert words + FILMS["rediscover"]["command"] in watch.text("#watch").splitlines()


def test_the_game_of_a_film_is_said(watch):
    assert watch.text("#watch .game") == "The game is Pig to 100."


def test_the_game_of_a_film_of_ones_own_is_said_with_its_options(window, tmp_path):
    words = ("cube_random", "debug=fast", "cubes.sizes=[6]", "cubes.generations=[2]", "game.target=12", "game.sides=8")
    run = pigevo.evolve(*words, folder=tmp_path / "run")
    with PageServer(page_files([film_of(run.folder)])) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        window.driver.get(f"{server.address}#watch")
        wait_for_film(window, "run-1.json")
        assert window.text("#watch .game") == "run. The game is Pig to 12 (sides=8)."
        window.driver.get("about:blank")
        server.shutdown()
        thread.join()
    window.complaints(), window.requested()


def test_watch_on_a_phone(page):
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
