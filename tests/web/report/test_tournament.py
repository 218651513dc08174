"""The page of a tournament: the ranking, the matrix with its shades, and who was left out."""

import re
from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.figures.matrices import color_spread
from pigevo.web.report.tournament import cell_text, shades_of, tournament_report
from tests.web.page import read

GAME = pigevo.Pig(20)


def text_of(played):
    return "".join(tournament_report(played)).replace("\N{NO-BREAK SPACE}", " ")


def test_it_has_the_ranking_and_the_matrix_in_its_order():
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
