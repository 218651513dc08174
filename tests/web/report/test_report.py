"""`report.html` says what the result says, is one file that is only text, and belongs to its run or sweep."""

import json
import re
import shlex
import shutil
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.film import reel_of
from pigevo.settings.settings import Settings
from pigevo.storage.records import with_checksum
from pigevo.web.report.champion import reel_for
from tests.small import small_words, without_champions
from tests.web.page import read, refuse_outside
from tests.web.report.conftest import RUN, reported, sketch

HOSTILE = "<script>alert('1')</script>\"&amp;<img src=x onerror=alert(2)>"
STRANGE = "a\x1b[31m\u202eb"
"""What a terminal would obey."""


def test_a_runs_page_says_what_its_result_says(of_run):
    page, run = of_run.page, pigevo.load_run(of_run.folder)
    result = run.result
    refuse_outside(page)
    assert of_run.record["champion"] == result["champion"]
    tiles = [part["text"] for part in page.all("strong")]
    assert tiles[0] == f"{result['champion']['overall']:.4f}"
    assert {f"{result[name]:.4f}" for name in ("peak_mean", "last_mean")} <= set(tiles)
    base = result["baseline"]
    rows = page.rows(f"What {base['populations']:,}")
    assert rows[1][1:] == [f"{base['own_mean']:.4f}", "{:.4f} to {:.4f}".format(*base["own_interval"])]
    text = page.text_of("body")
    for part in (result["digest"], run.champion.digest, "mutation0.3"):
        assert part in text
    assert f"pigevo verify {'/'.join(of_run.folder.parts[-3:])}" in text
    assert str(of_run.folder.parents[2]) not in text


def test_the_command_in_the_page_makes_the_same_run(of_run):
    (command,) = [part["text"] for part in of_run.page.all("code") if "python -m pigevo" in part["text"]]
    words = shlex.split(command)[3:]
    assert Settings.of(*words).hash == pigevo.load_run(of_run.folder).result["config_hash"]


def test_a_run_with_an_operator_from_python_is_told_as_far_as_its_folder_can(tmp_path, wording, wrong, sketched):
    folder = tmp_path / "run"
    pigevo.evolve(*small_words("baseline=none"), crossover=lambda first, second, context: second, folder=folder)
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
def test_every_game_has_a_report(game, tmp_path, wording, monkeypatch):
    monkeypatch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
    common = ("debug=fast", "population.size=4", "fitness.games=10", "mutation=0.1", "generations=2", "record_every=1")
    settings = Settings.of(*common, *f"game={game}".split())
    run(settings, tmp_path / "run")
    wording(tmp_path / "run")
    page = read(tmp_path / "run" / "report.html")
    refuse_outside(page)
    assert str(settings.plan.game) in page.text_of("header")
    assert len(page.rows("The turn total at which each first holds")) == 8


def test_pictures_of_a_run_in_the_format_that_is_wanted(made, samples, sketched, tmp_path):
    """The run of a sweep has none of its own; the curve has all that it was compared with."""
    shutil.copytree(made.parents[1] / "default" / RUN, tmp_path / "run")
    record = reported(tmp_path / "run", samples, "--no-film", "--figures", "svg").record
    assert record["pictures"] == [str(tmp_path / f"run/figures/{name}.svg") for name in ("curve", "champion")]
    curve, champion = (Path(name).read_text() for name in record["pictures"])

    assert all(
        f">{words}" in curve for words in ("random populations, single cells", "random search", "generation</text>")
    )
    assert ">optimal</text>" in champion
    assert main(["verify", str(tmp_path / "run")]) == 0


def test_a_sweeps_page_says_what_the_command_says(of_sweep):
    record, page = of_sweep.record, of_sweep.page
    assert record["html"] == str(of_sweep.folder / "report.html")
    refuse_outside(page)
    heads, *rows = page.rows("Ranked by")
    assert [heads[0], *heads[2:]] == ["setting", "mean", "95 % interval", "seeds", "standard deviation"]
    assert [[row[0], *row[2:]] for row in rows] == [
        [r["setting"], f"{r['mean']:.4f}", f"{r['low']:.4f} to {r['high']:.4f}", str(r["runs"]), f"{r['sd']:.4f}"]
        for r in record["ranking"]
    ]
    assert "All runs have finished." in page.text_of("header")
    section = next(one["text"] for one in page.all("section") if one["text"].startswith("What was found"))
    first, *others = record["first"]
    verdict = f"First are {first}" if others else f"{first} is first"
    if len(others) + 1 == len(rows):
        verdict = f"3 seeds do not tell these {len(rows)} settings apart"
        assert "last setting" not in section
        assert "best setting" not in section
    assert section.removeprefix("What was found").startswith(verdict)
    assert [label["text"] for label in page.all("label")][:3] == ["generations", "evaluations", "seconds"]
    assert len([one for one in page.all("svg") if one.get("@role") == "img"]) == 12


def test_the_page_tells_of_every_run(of_sweep):
    page, loaded = of_sweep.page, pigevo.load_sweep(of_sweep.folder)
    (table,) = [one for one in page.all("table") if one["text"].startswith("settingseedstate")]
    for member, done in loaded.runs.items():
        means = (done.result[name] for name in ("peak_mean", "last_mean", "best_seen"))
        figures = "".join(f"{value:.4f}" for value in (done.result["champion"]["overall"], *means))
        assert f"{member.setting}{member.seed}finished{figures}{done.result['digest'][:12]}" in table["text"]


def test_the_champions_are_those_of_the_best_and_the_median_run(of_sweep):
    results = pigevo.load_sweep(of_sweep.folder).results()
    best = results["setting"] == of_sweep.record["ranking"][0]["setting"]
    order = np.argsort(-results["last_mean"][best], kind="stable")
    values, seeds = results["last_mean"][best][order], results["seed"][best][order]
    titles = [one["text"] for one in of_sweep.page.all("h3")]
    assert f"The best run: seed {seeds[0]}, {values[0]:.4f}" in titles
    assert f"The median run: seed {seeds[1]}, {values[1]:.4f}" in titles


@pytest.mark.slow
def test_a_sweep_that_is_partly_done_is_told_as_such(sweep, wording):
    folders = [member.folder for member in pigevo.load_sweep(sweep).members]
    shutil.rmtree(folders[0])
    (folders[4] / "result.json").unlink()
    record = wording(sweep, "--no-film")
    head = read(sweep / "report.html").text_of("header")
    assert record["runs"] == {"missing": 1, "finished": 4, "interrupted": 1}
    assert "4 of 6 runs have finished (1 missing, 1 interrupted); the others are left out." in head


@pytest.mark.slow
def test_the_same_run_gives_the_same_bytes_whatever_the_place_and_the_users_matplotlib(
    of_run, one, wording, monkeypatch
):
    monkeypatch.chdir(one.parent)
    with mpl.rc_context({"axes.grid": True, "lines.linewidth": 9, "font.size": 30, "svg.fonttype": "path"}):
        wording(one.name)
    assert (one / "report.html").read_bytes() == (of_run.folder / "report.html").read_bytes()


@pytest.mark.slow
def test_the_same_sweep_gives_the_same_bytes(sweep, wording):
    wording(sweep)
    before = (sweep / "report.html").read_bytes()
    wording(sweep)
    assert (sweep / "report.html").read_bytes() == before


def test_names_are_only_text(sweep, wording, monkeypatch):
    """In settings, in the command and of the folder: no element, and nothing that a terminal obeys."""
    sketch(monkeypatch, curves=False)
    monkeypatch.setattr("pigevo.web.report.curves.BUTTONS", {"generation": "generations"})
    record = json.loads((sweep / "sweep.json").read_text())
    for entry in record["runs"]:
        entry["setting"] = f"{entry['setting']},{HOSTILE}"
        entry["config"]["mutation"] = f"{entry['config']['mutation']}{HOSTILE}"
    entries = {name: record[name] for name in ("name", "swept", "runs")}
    (sweep / "sweep.json").write_bytes(with_checksum({**entries, "overrides": [HOSTILE]}))
    hostile = sweep.parent / (STRANGE + HOSTILE.replace("/", "\N{FRACTION SLASH}"))
    sweep.rename(hostile)
    wording(hostile, "--no-film")
    page, content = read(hostile / "report.html"), (hostile / "report.html").read_text(encoding="utf-8")
    refuse_outside(page)
    assert len(page.all("script")) == 1
    assert page.all("h1")[0]["text"] == "a\\x1b[31m\\u202eb" + hostile.name.removeprefix(STRANGE)
    assert not {"\x1b", "\u202e"} & set(content)
    assert "alert" not in page.all("script")[0]["text"]
    assert any(HOSTILE in part["text"] for part in page.all("code"))
    assert any(HOSTILE in part["text"] for part in page.all("text"))
    assert any(HOSTILE in (part.get("@aria-label") or "") for part in page.all("svg"))
    assert all(part["@src"].startswith("data:") for part in page.all("img"))


def test_a_report_belongs_to_its_run(of_run, one, sketched):
    shutil.copy(of_run.folder / "report.html", one)
    assert main(["verify", str(one)]) == 0
    settings = pigevo.load_run(one).settings
    run(settings.with_(force=True), one)
    assert not (one / "report.html").exists()
    (one / "report.html").write_text("of somebody")
    run(settings.with_(force=True), one)
    assert (one / "report.html").read_text() == "of somebody"


def test_the_film_shows_the_champions_of_the_run(of_run):
    assert of_run.record["film"] is True
    frames = [part for part in of_run.page.all("figure") if "frame" in (part.get("@class") or "")]
    titles = [part["text"] for part in frames]
    won = f"{100 * pigevo.load_run(of_run.folder).result['champion']['overall']:.2f} %"
    assert [title.split(",")[0] for title in titles[:-1]] == [f"generation {n}" for n in reel_of(of_run.folder).numbers]
    assert titles[-1] == "the optimum"
    assert titles[-2] == f"generation 6, wave 2 (cubes of 4): {won}"
    assert 1 < len([part for part in frames if part["@class"] == "frame key"]) <= 6
    assert "The run has recorded all of them." in of_run.page.text_of("body")


def test_champions_that_are_made_again_are_announced_and_told(one, capsys, sketched):
    without_champions(one)
    assert main(["report", str(one)]) == 0
    out, err = capsys.readouterr()
    assert re.search(r"for the film generations are made again, which took \d+\.\d s; --no-film leaves it out", err)
    assert f"Those of {len(reel_of(one).numbers)} were made again" in read(one / "report.html").text_of("body")
    size = (one / "report.html").stat().st_size / 1e6
    assert out.splitlines()[-1] == f"{one / 'report.html'}: open it in a browser ({size:.1f} MB)"


@pytest.mark.parametrize(
    ("asked", "why"), [(None, "`pigevo report --film` puts it in"), (False, "left out"), (True, "")]
)
def test_a_long_run_has_a_film_only_if_asked(of_run, monkeypatch, asked, why):
    monkeypatch.setattr("pigevo.web.report.champion.SECONDS", -1.0)
    film = reel_for(of_run.folder, pigevo.load_run(of_run.folder).champion, asked, 1)
    assert (why in film) if why else film.numbers


def test_a_damaged_run_is_refused_and_nothing_is_written(one, wrong):
    result = (one / "result.json").rename(one / "kept.json")
    assert "has not finished: `pigevo resume" in wrong(one)
    result.rename(one / "result.json")
    (one / "champion.npz").write_bytes(b"something else")
    assert "was changed since it was written" in wrong(one)
    (one / "metrics.csv").write_text("a,b\n1,2\n")
    assert "was changed since it was written" in wrong(one)
    assert not (one / "report.html").exists()


def test_a_run_that_is_not_what_it_says_is_refused(one, wrong, monkeypatch, sketched):
    """Figures and hashes that fit each other, and generations that do not: what makes the film finds it."""

    def other(reel):
        raise InputError("generation 2 made again is not the one in metrics.csv.")

    monkeypatch.setattr("pigevo.web.report.champion.champions", other)
    sentence = wrong(one)
    assert "generation 2 made again is not the one in metrics.csv; --no-film makes the report without" in sentence
    assert not (one / "report.html").exists()


def test_a_report_is_not_written_through_a_link_or_over_a_strangers_file(
    of_run, sweep, one, wrong, wording, tmp_path, sketched
):
    elsewhere = tmp_path / "elsewhere.html"
    elsewhere.write_text("of somebody")
    for folder in (sweep, one):
        (folder / "report.html").symlink_to(elsewhere)
        assert "is a link" in wrong(folder)
        (folder / "report.html").unlink()
        (folder / "report.html").write_text("of somebody")
        assert "was not written by pigevo" in wrong(folder)
        (folder / "report.html").unlink()
    assert "was not written by pigevo" in wrong(one, "--html", elsewhere)
    assert "must end with .html" in wrong(one, "--html", tmp_path / "page.txt")
    assert elsewhere.read_text() == "of somebody"
    assert not (sweep / "report").exists()
    place = tmp_path / "deep" / "page.html"
    place.parent.mkdir()
    shutil.copy(of_run.folder / "report.html", place)
    assert wording(one, "--html", place, "--no-film")["html"] == str(place)
    page = read(place)
    refuse_outside(page)
    assert "The film was left out" in page.text_of("body")


def test_wrong_words_are_one_sentence(one, wrong):
    assert "nowhere holds no sweep" in wrong("nowhere")
    assert "--metric is about the settings of a sweep" in wrong(one, "--metric", "champion")
    assert "--axis is about the settings of a sweep" in wrong(one, "--axis", "games")
    assert not (one / "report.html").exists()
