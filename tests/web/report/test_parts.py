"""Parts of a report, curves, dots and films, and the page of a tournament: the numbers that they show."""

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.figures.axes import COLORS, LEAST, PALE, axes_or_new, figure_of, line
from pigevo.figures.bands import Band, Panel
from pigevo.figures.curve import curve_data
from pigevo.figures.decisions import DrawnDecisions
from pigevo.figures.matrices import color_spread
from pigevo.sweeps.load import Member, Sweep
from pigevo.sweeps.statistics import RankedSetting
from pigevo.web import report
from pigevo.web.drawing import STYLE, drawn, svg
from pigevo.web.report.champion import DOTS, coloured
from pigevo.web.report.curves import (
    MOST_DRAWN,
    MOST_POINTS,
    PICTURE_WIDTH,
    POINTS,
    _run_pane,
    along,
    best_part,
    thinned,
    thinned_curve,
)
from pigevo.web.report.sweep import dot_of, scale_of
from pigevo.web.report.tournament import cell_text, shades_of, tournament_report
from tests.web.page import Page, contrast, read


def rows(count):
    waves = [{"wave": 1, "cube_size": "10"}] * 5 + [{"wave": 2, "cube_size": "5"}] * (count - 5)
    return [{"generation": n, "best": 0.4, "mean": n / 1000, "worst": 0.0} | wave for n, wave in enumerate(waves)]


def test_a_curve_along_another_axis_has_its_waves_there():
    metrics = {"seconds": np.arange(10) ** 2 / 10, "evaluations": np.arange(10) * 20}
    moved = along(curve_data(rows(10)), metrics, "seconds")
    assert moved.generations.tolist() == metrics["seconds"].tolist()
    assert moved.waves == ((1.6, "10"), (8.1, "5"))
    assert along(curve_data(rows(10)), metrics, "evaluations").waves == ((80, "10"), (180, "5"))


def test_a_long_curve_is_drawn_at_recorded_places_and_at_its_ends():
    thin = thinned_curve(curve_data(rows(1000)))
    assert 90 <= len(thin.generations) <= 2 * MOST_POINTS + 2
    assert thin.generations[[0, -1]].tolist() == [0, 999]
    assert np.diff(thin.generations).max() < 25
    assert (thin.mean == thin.generations / 1000).all()


def test_a_long_curve_keeps_its_peaks_and_dips_and_is_described_in_full():
    noise = 0.3 + 0.1 * np.sin(np.arange(2001) / 7)
    noise[[1237, 801]] = 0.4877, 0.0123
    whole = curve_data([row | {"mean": mean} for row, mean in zip(rows(2001), noise.tolist(), strict=True)])
    thin = thinned_curve(whole)
    assert len(thin.generations) <= 2 * MOST_POINTS + 2
    assert {801, 1237} <= set(thin.generations.tolist())
    assert (thin.mean == noise[thin.generations]).all()
    short = thinned_curve(curve_data(rows(40)))
    assert short.generations.tolist() == [*range(40)]
    pane = _run_pane(along(whole, {"generation": whole.generations}, "generation"), "generation", "a")
    assert "the largest is 0.4877." in str(pane)


@pytest.mark.parametrize("bands", [2, 400])
def test_many_bands_are_drawn_at_fewer_places(bands):
    x = np.arange(1000.0)
    band = Band(x, x / 2, x / 3, x, 0.9, 3)
    (thin,) = thinned([Panel("", {str(n): band for n in range(bands)}, {})])
    places = thin.bands["0"]
    assert len(places.x) * bands <= max(POINTS, 12 * bands)
    assert places.x[[0, -1]].tolist() == [0, 999]
    assert (places.median == places.x / 2).all()
    assert (places.low == places.x / 3).all()


@pytest.mark.parametrize("target", [40, 300])
def test_a_frame_is_seen_from_the_corner_where_both_have_nothing(target):
    first = np.zeros((target, target), int)
    first[0, target - 1] = first[:, 0] = 10_000
    colours = coloured(DrawnDecisions("", target, first, 1.0))
    assert max(colours.shape[:2]) <= DOTS
    yellow = np.array([253, 231, 37]) / 255
    assert np.allclose(colours[-1], yellow, atol=0.01)
    assert np.allclose(colours[0, -1], np.array([68, 1, 84]) / 255, atol=0.01)
    if target <= DOTS:
        assert np.allclose(colours[0, 0], yellow, atol=0.01)


def test_of_many_settings_the_best_are_drawn():
    names = [f"mutation={n}" for n in range(100)]
    runs = [Member(Path(name), name, seed, {}, "finished") for name in names for seed in range(2)]
    sweep = Sweep(Path(), ("mutation",), tuple(runs))
    sweep.__dict__["runs"] = {member: object() for member in runs}
    part = best_part(sweep, names[::-1])
    assert part.settings == names[-MOST_DRAWN:]
    assert {member: run for member, run in sweep.runs.items() if member in part.members} == part.runs
    assert len(part.members) == 2 * MOST_DRAWN


def test_dots_stand_where_their_figures_are():
    ranking = [
        RankedSetting("a", 3, 0.4, 0.3, 0.45, 0.1),
        RankedSetting("b", 3, 0.2, -0.5, 1.4, 0.1),
        RankedSetting("c", 1, 0.1, None, None, 0),
    ]
    scale = scale_of(ranking, 0.5)
    assert scale == (0.0, 1.0)
    first, second, third = (Page(dot_of(setting, scale, 0.5, COLORS[0])) for setting in ranking)
    assert first.all("svg")[0]["@aria-hidden"] == "true"
    assert float(first.all("circle")[0]["@cx"]) == pytest.approx(6 + 188 * 0.4, abs=0.1)
    assert float(first.all("line", class_="interval")[0]["@x1"]) == pytest.approx(6 + 188 * 0.3, abs=0.1)
    (cut,) = second.all("line", class_="interval")
    assert [cut["@x1"], cut["@x2"]] == ["6.0", "194.0"]
    assert third.all("line", class_="interval") == []
    assert scale_of([RankedSetting("a", 1, 0.5, None, None, 0)], 0.5) == (0.45, 0.5)


def test_lines_have_the_page_s_own_colours_which_are_light_on_a_dark_page():
    with drawn():
        axes = axes_or_new(None, (3, 2))
        for number, color in enumerate(COLORS):
            axes.plot([0, 1], [0, number], color=color)
        for number in range(3):
            axes.plot([0, 1], [1, number], **line(number, 3))
        axes.axhspan(0, 1, color=PALE)
        element = str(svg(figure_of(axes), "one", "lines"))
    style = (Path(report.__file__).parent / "report.css").read_text()
    dark = style.split("prefers-color-scheme: dark")[1].split("* {")[0]
    light = {name: value for name, value in re.findall(r"--(curve-\d|shade-\d+|paper): (#\w+)", dark)}
    paper = light.pop("paper")
    for number, color in enumerate(COLORS):
        assert f'stroke="var(--curve-{number}, {color})"' in element
        assert contrast(light[f"curve-{number}"], paper) > 4.5
    shades = [light[f"shade-{number}"] for number in range(11)]
    assert min(contrast(shade, paper) for shade in shades) > 4
    for name in ("shade-0", "shade-5", "shade-10"):
        assert f'stroke="var(--{name}, #' in element
    assert "var(--pale, #dedede)" in element


def test_the_letters_of_charts_are_as_large_as_those_of_notes():
    css = (files("pigevo.web.report") / "report.css").read_text(encoding="utf-8")
    shown = float(re.search(r"figure > svg, figure > img \{[^}]*max-width: ([\d.]+)rem", css)[1])
    note = float(re.search(r"\.note, figcaption, footer \{[^}]*font-size: ([\d.]+)em", css)[1])
    assert shown * LEAST / (72 * PICTURE_WIDTH) == pytest.approx(note, rel=0.02)
    assert {size for key, size in STYLE.items() if "size" in key} == {LEAST}


GAME = pigevo.Pig(20)


def text_of(played):
    return "".join(tournament_report(played)).replace("\N{NO-BREAK SPACE}", " ")


def test_the_page_of_a_tournament_has_the_ranking_and_the_matrix_in_its_order():
    played = pigevo.tournament(["hold_at:3", "optimal", "hold_at:8"], game=GAME)
    page = text_of(played)
    best, middle, last = (ranked.name for ranked in played.ranking)
    assert page.index(f">{best}</td>") < page.index(f">{middle}</td>") < page.index(f">{last}</td>")
    for number, name in enumerate((best, middle, last), start=1):
        assert f'<th scope="row">{number} {name}</th>' in page
    rows, columns = [played.names.index(name) for name in (best, last)]
    assert f">{100 * played.overall[rows, columns]:.1f}</td>" in page
    assert f"The best mean is that of {best}: it wins {100 * played.ranking[0].mean:.1f} % of its games" in page
    assert "Left out" not in page


def test_equal_means_at_the_top_are_both_named():
    page = text_of(pigevo.tournament(["hold_at:3", "noisy:0,hold_at:8", "hold_at:8"], game=GAME))
    assert "The best mean is shared by noisy:0,hold_at:8 and hold_at:8: they win" in page
    assert "is that of" not in page


def test_strategies_that_decide_alike_are_named():
    names = ["hold_at:3", "noisy:0,hold_at:8", "hold_at:8"]
    assert "<p>noisy:0,hold_at:8 and hold_at:8 decide alike everywhere.</p>" in text_of(
        pigevo.tournament(names, game=GAME)
    )
    assert "alike" not in text_of(pigevo.tournament(names[:2], game=GAME))


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "none"), (0.001, "less than 1 %"), (0.0743, "7 %"), (0.57, "57 %"), (0.999, "more than 99 %"), (1, "100 %")],
)
def test_estimated_shares_are_whole_percent(share, text):
    played = pigevo.tournament(["hold_at:3", "optimal"], game=GAME)
    ranking = tuple(replace(ranked, round_robin=share) for ranked in played.ranking)
    assert f'<td class="n" data-head="wins a round robin">{text}</td>' in text_of(replace(played, ranking=ranking))


def test_games_that_were_played_have_intervals_and_exact_figures_have_none():
    names = ["hold_at:3", "hold_at:8"]
    page, exact = (text_of(pigevo.tournament(names, game=GAME, games=games)) for games in (100, None))
    assert "95 % interval" in page
    assert "These are shares of the 100 games that each pair played" in page
    assert "interval" not in exact
    assert "shares of" not in exact


def test_a_cycle_is_named():
    page = text_of(pigevo.tournament(["turtle:5", "roll_to_win", "roll_and_wait"], game=pigevo.Pig(allow_pass=True)))
    assert "There is a cycle of three: " in page


def test_what_is_not_0_is_never_0_and_colours_are_explained():
    played = pigevo.tournament(["hold_at:1", "hold_at:20", "optimal"])
    page, spread = text_of(played), 100 * color_spread(played.overall) * 0.8
    assert [*map(cell_text, (0, 1e-9, 0.0036, 0.5, 0.9996, 1))] == ["0", "<0.1", "0.4", "50.0", ">99.9", "100"]
    assert ">none</td>" in page
    assert not re.search(r">0\.0(?: %)?<", page)
    assert f"the strongest colours from {50 + spread:.1f} up and from {50 - spread:.1f} down." in page


@pytest.mark.parametrize("good", [4, 9, 19])
def test_shades_are_centred_on_a_half_and_one_bad_entrant_does_not_make_the_others_alike(good):
    strength = np.append(np.linspace(0, 0.1, good), -5)
    overall = np.clip(0.5 + strength[:, None] - strength, 0.01, 0.99)
    shades = shades_of(overall)
    assert (np.diag(shades) == 0).all()
    assert (shades == -shades.T).all()
    assert len(np.unique(shades[:good, :good])) >= 7
    assert (shades[:good, good] == 5).all()


def test_the_command_writes_it_and_says_who_was_left_out(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "anna.py").write_text("def rule(i, j, k):\n    return k < 5\n")
    (tmp_path / "class" / "bob.py").write_text("def rule(i, j, k):\n    return 1 / 0 > k\n")
    assert main(["tournament", "class", "optimal", "--target", "20", "--folder", "out"]) == 1
    page = (tmp_path / "out/tournament.html").read_text()
    assert "Left out" in page
    assert "bob.py:rule fails: ZeroDivisionError" in page or "bob.py fails: ZeroDivisionError" in page
    assert "saved as out/tournament.html" in capsys.readouterr().out


def test_a_title_is_on_the_page_and_of_the_window_as_text(tmp_path, capsys):
    title = "Class 7b </h1><script>alert(1)</script> \N{OWL}"
    words = ["tournament", "hold_at:5", "optimal", "--target", "20"]
    assert main([*words, "--folder", str(tmp_path / "out"), "--title", title]) == 0
    page = read(tmp_path / "out/tournament.html")
    assert (page.text_of("h1"), page.text_of("title")) == (title, f"{title} - pigevo")
    assert main([*words, "--title", title]) == 2
    assert "--title is about the page in --folder: give that, too" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["<b>", "a & b"])
def test_names_are_text(name):
    played = pigevo.tournament([pigevo.Strategy(GAME, pigevo.hold_at(GAME, 5).roll, name), "optimal"], game=GAME)
    assert "<b>" not in text_of(played)
