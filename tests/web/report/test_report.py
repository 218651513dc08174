"""`report.html` says what the result says, is one file of text, belongs to its run or sweep, and fits on A4."""

import base64
import json
import re
import shlex
import shutil
from pathlib import Path
from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.text import Text

import pigevo
from pigevo.cli import main
from pigevo.core.text import percent, percent_below, ranges_in_short, without_folders
from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.pictures import reel_of
from pigevo.settings.settings import Settings
from pigevo.storage.records import with_checksum
from pigevo.sweeps.job import Job
from pigevo.sweeps.run_sweep import drive
from pigevo.sweeps.statistics import compare_pairs
from pigevo.web.report import curves, reported_settings, sweep, write_report
from pigevo.web.report.champion import reel_for
from pigevo.web.report.run import title_of_run
from pigevo.web.report.tournament import MOST_CELLS, tournament_report
from tests.small import done_here, small_settings, small_words, without_champions
from tests.web.page import Page, read, refuse_outside
from tests.web.report.conftest import RUN, reported, sketch

HOSTILE = "<script>alert('1')</script>\"&amp;<img src=x onerror=alert(2)>"
STRANGE = "a\x1b[31m\u202eb"
"""What a terminal would obey."""


def test_a_runs_page_says_what_its_result_says(run_report):
    page, run = run_report.page, pigevo.load_run(run_report.folder)
    result, text = run.result, page.text_of("body")
    refuse_outside(page)
    assert run_report.record["champion"] == result["champion"]
    tiles = [part["text"] for part in page.all("strong")]
    assert tiles[0] == percent_below(result["champion"]["overall"], 0.5)
    assert {f"{100 * result[name]:.1f} %" for name in ("peak_mean", "last_mean")} <= set(tiles)
    base = result["baseline"]
    rows = page.rows(f"What {base['populations']:,}")
    assert rows[1][1:] == [f"{base['own_mean']:.4f}", "{:.4f} to {:.4f}".format(*base["own_interval"])]
    verify = f"pigevo verify {'/'.join(run_report.folder.parts[-3:])}"
    assert [part for part in (result["digest"], run.champion.digest, "mutation0.3", verify) if part not in text] == []
    assert str(run_report.folder.parents[2]) not in text


def test_a_title_has_what_differs_and_sentences_have_percentages(run_report):
    page, run = run_report.page, pigevo.load_run(run_report.folder)
    title = title_of_run(reported_settings(run))
    assert page.text_of("h1") == title
    assert page.text_of("title") == f"{title} - pigevo"
    assert ", mutation = 0.3" in title
    assert "seed" not in title
    champion = next(part["text"] for part in page.all("section") if part["@id"] == "champion")
    assert f"{percent(run.result['champion']['first'])} moving first" in champion.replace("\N{NO-BREAK SPACE}", " ")
    assert "Above it, it may roll again." in champion
    assert "*" not in next(part["text"] for part in page.all("section") if part["@id"] == "words")


def test_the_command_in_the_page_makes_the_same_run(run_report):
    (command,) = [part["text"] for part in run_report.page.all("code") if "python -m pigevo" in part["text"]]
    words = shlex.split(command)[3:]
    assert Settings.of(*words).hash == pigevo.load_run(run_report.folder).result["config_hash"]


def interval_of(ranked):
    return "undetermined" if ranked["low"] is None else f"{ranked['low']:.4f} to {ranked['high']:.4f}"


def test_the_first_printed_page_of_a_sweep_can_be_handed_in(sweep_report):
    """Answer, figure, settings, seeds, and the command."""
    page, record = sweep_report.page, sweep_report.record
    first = page.all("section")[0]
    assert (first["@id"], first["@class"]) == ("hand-in", "sheet")
    assert [section["@id"] for section in page.all("section")].index("found") == 1
    best = record["ranking"][0]
    wanted = [
        f"{best['mean']:.4f}",
        interval_of(best),
        "over seeds 0 to 2.",
        f"Computed by pigevo {pigevo.__version__}.",
        "mutation0, 0.3",
        "python -m pigevo -m ",
    ]
    assert [part for part in wanted if part not in first["text"]] == []
    assert re.search("better than every other|no difference between|nothing is settled", first["text"])
    style = page.text_of("style")
    assert ".sheet { display: none; }" in style
    assert ".sheet { display: block; break-after: page;" in style


def test_a_page_to_publish_names_no_folder_of_its_maker_and_has_a_title(tmp_path, report, sketched, monkeypatch):
    ops = tmp_path / "home of anna" / "ops.py"
    ops.parent.mkdir()
    ops.write_text(
        "def same(genomes, context): return genomes.copy()\ndef alike(genomes, context): return genomes.copy()\n"
    )
    words = [f"mutator={ops}:{name}" for name in ("same", "alike")]
    jobs = [
        Job(
            small_settings("baseline=none", word, f"seed={seed}"), tmp_path / "outputs" / "default" / f"{number}-{seed}"
        )
        for number, word in enumerate(words)
        for seed in range(2)
    ]
    typed = [f"mutator={ops}:same,{ops}:alike", "seed=range(2)"]
    sweep = drive(jobs, typed, tmp_path / "outputs" / "sweeps", done_here)
    drawn = {}
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda file, figure: drawn.update({file.stem: figure}))
    report(sweep, "--title", "Two  mutators & <b>one</b> figure")
    page = read(sweep / "report.html")
    refuse_outside(page)
    assert "anna" not in (sweep / "report.html").read_text()
    assert "mutator=ops.py:same,ops.py:alike" in page.text_of("body")
    assert page.text_of("h1") == "Two mutators & <b>one</b> figure"
    assert page.text_of("title") == "Two mutators & <b>one</b> figure - pigevo"
    texts = [text.get_text() for figure in drawn.values() for text in figure.findobj(Text)]
    assert not [text for text in texts if "anna" in text]
    assert "mutator=ops.py:same" in texts
    assert "identical: mutator=ops.py:" in page.text_of("body")
    assert "not settled beside" not in page.text_of("body")


@pytest.mark.parametrize("title", ["", " ", "x" * 121])
def test_a_title_is_a_line(title, refusal, tmp_path):
    assert "write a title of at most 120 characters" in refusal(tmp_path, "--title", title)


@pytest.mark.parametrize(
    ("text", "published"),
    [
        ("mutator=/home/anna b/ops.py:mine", "mutator=ops.py:mine"),
        ("'/home/anna/ops.py:a,/home/anna/x/b.csv'", "'ops.py:a,b.csv'"),
        ("~/ops.py:mine", "ops.py:mine"),
        ("no file /home/anna/data.txt, nor C:/x y/b.json", "no file data.txt, nor b.json"),
        ("/home/anna/x.py and /a/b.txt, https://x.org/a.html", "x.py and b.txt, https://x.org/a.html"),
        (r"C:\Users\anna\ops.py:mine and D:/x/y.npz", "ops.py:mine and y.npz"),
        (r'"C:\\Users\\anna\\ops.py:mine"', '"ops.py:mine"'),
        ("outputs/mine/ops.py and ../x/ops.py and a/b.csv", "outputs/mine/ops.py and ../x/ops.py and a/b.csv"),
        ("</td> / of it, 1/2 in /x/ops.pyc", "</td> / of it, 1/2 in /x/ops.pyc"),
    ],
)
def test_files_without_their_folders(text, published):
    assert without_folders(text) == published


@pytest.mark.parametrize(
    ("numbers", "text"), [([], ""), ([3], "3"), ([0, 1, 2], "0 to 2"), ([0, 2, 3, 9], "0, 2 to 3, 9")]
)
def test_seeds_in_short(numbers, text):
    assert ranges_in_short(numbers) == text


def test_a_run_with_an_operator_from_python_has_no_command(tmp_path, report, refusal, sketched):
    folder = tmp_path / "run"
    pigevo.evolve(*small_words("baseline=none"), crossover=lambda first, second, context: second, folder=folder)
    report(folder)
    page = read(folder / "report.html")
    refuse_outside(page)
    text = page.text_of("body")
    parts = ("was handed over from Python", "crossovercustom", "python -m pigevo ")
    assert [part in text for part in parts] == [True, True, False]
    config = folder / ".hydra" / "config.yaml"
    config.write_text(config.read_text().replace("seed: 0", "seed: 1"))
    assert "was changed" in refusal(folder)


@pytest.mark.parametrize(
    "game",
    [
        "ten_rounds game.turns=3 game.cap=8 game.rolls=true",
        *(
            pytest.param(game, marks=pytest.mark.slow)
            for game in (
                "ten_rounds game.turns=3 game.cap=8", "piglet game.target=4", "two_dice game.target=10",
                "equal_turns game.target=6 game.cap=9", "pig game.target=8 game.allow_pass=true",
            )
        ),
    ],
)  # fmt: skip
def test_every_game_has_a_report(game, tmp_path, report, monkeypatch):
    monkeypatch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
    common = ("debug=fast", "population.size=4", "fitness.games=10", "mutation=0.1", "generations=2", "record_every=1")
    settings = Settings.of(*common, *f"game={game}".split())
    run(settings, tmp_path / "run")
    report(tmp_path / "run")
    page = read(tmp_path / "run" / "report.html")
    refuse_outside(page)
    assert str(settings.plan.game) in page.text_of("header")
    assert len(page.rows("The turn total at which each first holds")) == 8


def test_pictures_of_a_run_in_the_format_that_is_wanted(finished_sweep, samples, sketched, tmp_path):
    """The run of a sweep has none of its own; the curve has all that it was compared with."""
    shutil.copytree(finished_sweep.parents[1] / "default" / RUN, tmp_path / "run")
    record = reported(tmp_path / "run", samples, "--no-film", "--figures", "svg").record
    assert record["pictures"] == [str(tmp_path / f"run/figures/{name}.svg") for name in ("curve", "champion")]
    curve, champion = (Path(name).read_text() for name in record["pictures"])
    for words in ("random populations, single cells", "random search", "generation</text>"):
        assert f">{words}" in curve
    assert ">the optimum</text>" in champion
    assert main(["verify", str(tmp_path / "run")]) == 0


def test_a_sweeps_page_says_what_the_command_says(sweep_report):
    record, page = sweep_report.record, sweep_report.page
    assert record["html"] == str(sweep_report.folder / "report_last_mean.html")
    refuse_outside(page)
    heads, *rows = page.rows("Ranked by")
    assert [heads[0], *heads[2:]] == ["setting", "mean", "95 % interval", "seeds", "standard deviation"]
    assert [[row[0], *row[2:]] for row in rows] == [
        [r["setting"], f"{r['mean']:.4f}", interval_of(r), str(r["runs"]), f"{r['sd']:.4f}"] for r in record["ranking"]
    ]
    assert page.text_of("header").startswith("A sweep: mutation and seed")
    assert "All runs have finished." in page.text_of("header")
    section = next(part["text"] for part in page.all("section") if part["text"].startswith("What was found"))
    first, *others = record["first"]
    verdict = f"Of the settings, {first} is best"
    if len(others) + 1 == len(rows):
        verdict = f"With 3 seeds, no difference between these {len(rows)} settings is shown"
        assert "last setting" not in section
        assert "best setting" not in section
    assert section.removeprefix("What was found").startswith(verdict)
    assert [label["text"] for label in page.all("label")][:3] == ["generations", "evaluations", "seconds"]
    assert len(page.all("svg", role="img")) == 13  # the figure to hand in, and the curves


def test_the_page_tells_of_every_run(sweep_report):
    page, loaded = sweep_report.page, pigevo.load_sweep(sweep_report.folder)
    (table,) = [part["text"] for part in page.all("table") if part["text"].startswith("settingseedstate")]
    for member, done in loaded.runs.items():
        means = (done.result[name] for name in ("peak_mean", "last_mean", "best_seen"))
        figures = "".join(f"{value:.4f}" for value in (done.result["champion"]["overall"], *means))
        assert f"{member.setting}{member.seed}finished{figures}{done.result['digest'][:12]}" in table


def test_the_champions_are_those_of_the_best_and_the_median_run(sweep_report):
    results = pigevo.load_sweep(sweep_report.folder).results()
    best = results["setting"] == sweep_report.record["ranking"][0]["setting"]
    order = np.argsort(-results["last_mean"][best], kind="stable")
    values, seeds = results["last_mean"][best][order], results["seed"][best][order]
    titles = [part["text"] for part in sweep_report.page.all("h3")]
    assert f"The best run: seed {seeds[0]}, {100 * values[0]:.1f} %" in titles
    assert f"The median run: seed {seeds[1]}, {100 * values[1]:.1f} %" in titles


@pytest.mark.slow
def test_a_sweep_that_is_partly_done_says_so(sweep, report):
    folders = [member.folder for member in pigevo.load_sweep(sweep).members]
    shutil.rmtree(folders[0])
    (folders[4] / "result.json").unlink()
    assert report(sweep, "--no-film")["runs"] == {"missing": 1, "finished": 4, "interrupted": 1}
    head = read(sweep / "report.html").text_of("header")
    assert "4 of 6 runs have finished (1 missing, 1 interrupted); the others are left out." in head


@pytest.mark.slow
def test_the_same_run_gives_the_same_bytes_whatever_the_place_and_the_users_matplotlib(
    run_report, run_copy, report, monkeypatch
):
    monkeypatch.chdir(run_copy.parent)
    with mpl.rc_context({"axes.grid": True, "lines.linewidth": 9, "font.size": 30, "svg.fonttype": "path"}):
        report(run_copy.name)
    assert (run_copy / "report.html").read_bytes() == (run_report.folder / "report.html").read_bytes()


@pytest.mark.slow
def test_the_same_sweep_gives_the_same_bytes(sweep, report):
    pages = [(report(sweep), (sweep / "report.html").read_bytes())[1] for _ in range(2)]
    assert pages[0] == pages[1]


def test_names_are_only_text(sweep, report, monkeypatch):
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
    report(hostile, "--no-film")
    page, content = read(hostile / "report.html"), (hostile / "report.html").read_text(encoding="utf-8")
    refuse_outside(page)
    assert len(page.all("script")) == 1
    assert page.all("h1")[0]["text"] == "a\\x1b[31m\\u202eb" + hostile.name.removeprefix(STRANGE)
    assert not {"\x1b", "\u202e"} & set(content)
    assert "alert" not in page.all("script")[0]["text"]
    for name, key in (("code", "text"), ("text", "text"), ("svg", "@aria-label")):
        assert any(HOSTILE in (part.get(key) or "") for part in page.all(name)), name
    assert all(part["@src"].startswith("data:") for part in page.all("img"))


def test_a_report_belongs_to_its_run(run_report, run_copy, sketched):
    shutil.copy(run_report.folder / "report.html", run_copy)
    assert main(["verify", str(run_copy)]) == 0
    settings = pigevo.load_run(run_copy).settings
    run(settings.with_(force=True), run_copy)
    assert not (run_copy / "report.html").exists()
    (run_copy / "report.html").write_text("of somebody")
    run(settings.with_(force=True), run_copy)
    assert (run_copy / "report.html").read_text() == "of somebody"


def test_the_film_shows_the_champions_of_the_run(run_report):
    assert run_report.record["film"] is True
    frames = [part for part in run_report.page.all("figure") if "frame" in (part.get("@class") or "")]
    *titles, last = [part["text"] for part in frames]
    assert [title.split(",")[0] for title in titles] == [f"generation {n}" for n in reel_of(run_report.folder).numbers]
    won = f"{100 * pigevo.load_run(run_report.folder).result['champion']['overall']:.1f} %"
    assert (titles[-1], last) == (f"generation 6, wave 2 (cubes of 4): {won}", "the optimum")
    assert 1 < len([part for part in frames if part["@class"] == "frame key"]) <= 6
    assert "The run has recorded all of them." in run_report.page.text_of("body")


def test_champions_that_are_made_again_are_announced(run_copy, capsys, sketched):
    without_champions(run_copy)
    assert main(["report", str(run_copy)]) == 0
    out, err = capsys.readouterr()
    assert re.search(r"generations are made again for the film, which took \d+\.\d s; --no-film leaves it out", err)
    assert f"Those of {len(reel_of(run_copy).numbers)} were made again" in read(run_copy / "report.html").text_of(
        "body"
    )
    size = (run_copy / "report.html").stat().st_size / 1e6
    assert out.splitlines()[-1] == f"{run_copy / 'report.html'}: open it in a browser ({size:.1f} MB)"


@pytest.mark.parametrize(("wanted", "why"), [(None, "`pigevo report --film` adds it"), (False, "left out"), (True, "")])
def test_a_long_run_has_a_film_only_if_wanted(run_report, monkeypatch, wanted, why):
    monkeypatch.setattr("pigevo.web.report.champion.SECONDS", -1.0)
    film = reel_for(run_report.folder, pigevo.load_run(run_report.folder).champion, wanted, 1)
    assert (why in film) if why else film.numbers


def test_a_damaged_run_is_refused_and_nothing_is_written(run_copy, refusal):
    result = (run_copy / "result.json").rename(run_copy / "elsewhere.json")
    assert "has not finished: `pigevo resume" in refusal(run_copy)
    result.rename(run_copy / "result.json")
    (run_copy / "champion.npz").write_bytes(b"something else")
    assert "was changed since it was written" in refusal(run_copy)
    (run_copy / "metrics.csv").write_text("a,b\n1,2\n")
    assert "was changed since it was written" in refusal(run_copy)
    assert not (run_copy / "report.html").exists()


def test_a_run_that_is_not_what_it_says_is_refused(run_copy, refusal, monkeypatch, sketched):
    """Figures and hashes that fit each other, and generations that do not: what makes the film finds it."""

    def other(reel):
        raise InputError("generation 2, repeated, is not the one in metrics.csv.")

    monkeypatch.setattr("pigevo.web.report.champion.champions", other)
    sentence = refusal(run_copy)
    assert "generation 2, repeated, is not the one in metrics.csv; --no-film makes the report without" in sentence
    assert not (run_copy / "report.html").exists()


def test_a_report_is_not_written_through_a_link_or_over_a_strangers_file(
    run_report, sweep, run_copy, refusal, report, tmp_path, sketched
):
    elsewhere = tmp_path / "elsewhere.html"
    elsewhere.write_text("of somebody")
    for folder in (sweep, run_copy):
        page = folder / "report.html"
        page.symlink_to(elsewhere)
        assert "is a link" in refusal(folder)
        page.unlink()
        page.write_text("of somebody")
        assert "was not written by pigevo" in refusal(folder)
        page.unlink()
    assert "was not written by pigevo" in refusal(run_copy, "--html", elsewhere)
    assert "must end with .html" in refusal(run_copy, "--html", tmp_path / "page.txt")
    assert elsewhere.read_text() == "of somebody"
    assert not (sweep / "report").exists()
    place = tmp_path / "deep" / "page.html"
    place.parent.mkdir()
    shutil.copy(run_report.folder / "report.html", place)
    assert report(run_copy, "--html", place, "--no-film")["html"] == str(place)
    page = read(place)
    refuse_outside(page)
    assert "The film was left out" in page.text_of("body")


def test_wrong_words_are_one_sentence(run_copy, refusal):
    assert "there is no folder nowhere" in refusal("nowhere")
    for option, value in (("--metric", "champion"), ("--axis", "games")):
        assert f"{option} is about the settings of a sweep" in refusal(run_copy, option, value)
    assert not (run_copy / "report.html").exists()


@pytest.mark.page
def test_in_a_browser_the_film_is_moved_by_its_slider(run_copy, report, window, sketched):
    """The script of the page runs although the page forbids all others, and nothing is refused."""
    report(run_copy)
    window.complaints()
    window.driver.get((run_copy / "report.html").as_uri())
    assert window.complaints() == []
    page = Page(window.driver.page_source)
    assert len(page.all("div", class_="film live")) == 1
    (slider,) = page.all("div", class_="slider")
    assert "@hidden" not in slider
    (last,) = [part for part in page.all("figure") if "on" in (part.get("@class") or "").split()]
    (moved,) = page.all("input", type="range")
    assert last["text"] == moved["@aria-valuetext"]
    assert last["text"].startswith("generation 6,")
    window.requested()


def test_of_very_many_comparisons_the_page_has_some_and_says_so():
    """With 120 settings it would have had 20 MB, and was refused after all its work."""
    names = [f"m={n}" for n in range(60)]
    values = {name: {seed: 0.3 + 0.001 * n * (seed + 1) for seed in range(4)} for n, name in enumerate(names)}
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    comparison = SimpleNamespace(compared=compare_pairs(values, pairs), correction="1,770 comparisons")
    made = SimpleNamespace(
        differences=comparison, against_random=None, sweep=SimpleNamespace(folder=Path("outputs/sweeps/x")),
        metric="champion", settings=names,
    )  # fmt: skip
    text = "".join(map(str, sweep._differences(made)))
    assert text.count("<tr>") == sweep.MOST_ROWS + 2
    assert "Which settings are better (1770 comparisons)" in text
    assert "480 more comparisons" in text
    assert "1,270 of them are left out here" in text
    assert "pigevo compare outputs/sweeps/x" in text


def test_long_settings_are_broken_after_commas_in_a_picture():
    setting = "replacement=survivors_and_offspring,selection=round_robin,fitness=exact_vs_optimal"
    lines = curves._wrapped(setting).split("\n")
    assert "".join(lines) == setting
    assert max(map(len, lines)) <= curves.MOST_IN_LINE
    assert all(line.endswith(",") for line in lines[:-1])
    assert curves._wrapped("mutation=0.01") == "mutation=0.01"


WIDTH = 703  # pixels between the margins
A4 = (595, 842)  # points


@pytest.fixture
def paper(window, run_report):
    """The report of a run, as it is printed."""
    yield from printed(window, run_report.record["html"])


@pytest.fixture(params=[3, MOST_CELLS])
def tournament_paper(window, request, tmp_path):
    """The page of a tournament of entrants with long names, as it is printed."""
    game = pigevo.Pig(30)
    entrants = {f"Maximiliane Schmidt-Huber-{n}.py": pigevo.hold_at(game, n) for n in range(1, request.param)}
    entrants[f"{'anna_schmidt_1234567_file_' * 4}.py"] = pigevo.hold_at(game, 0)
    played = tournament_report(pigevo.tournament(entrants, times=5))
    yield from printed(window, write_report(tmp_path / "tournament.html", "Class 7b", played))


def printed(window, path):
    size = {"width": WIDTH, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    window.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    window.driver.get(Path(path).as_uri())
    window.prefer(media="print", color_scheme="dark")
    yield window
    window.be_a_desktop()
    window.complaints(), window.requested()


def box(paper, selector):
    """Left, top, right and bottom of the first visible element."""
    script = "const box = arguments[0].getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom];"
    return paper.run(script, paper.first(selector))


@pytest.mark.page
def test_the_curve_and_the_figures_fill_the_first_page_side_by_side(paper):
    curve, tiles = box(paper, "#curves figure"), box(paper, ".tiles")
    assert curve[2] <= tiles[0] < tiles[2] <= WIDTH
    assert curve[2] - curve[0] > 0.55 * WIDTH
    assert curve[1] < tiles[3]


@pytest.mark.page
def test_a_film_is_one_row_that_ends_with_the_optimum(paper):
    assert len(paper.all(".film .frame")) > 2
    tops = paper.run("return arguments[0].map((frame) => frame.getBoundingClientRect().top)", paper.all(".film img"))
    assert max(tops) - min(tops) < 1
    assert box(paper, ".film .goal img")[2] <= WIDTH


@pytest.mark.page
def test_scales_keep_their_colours_and_letters_are_dark(paper):
    style = "return [...document.querySelectorAll(arguments[0])].map((part) => getComputedStyle(part)[arguments[1]])"
    assert set(paper.run(style, ".scale i", "printColorAdjust")) == {"exact"}
    assert paper.run(style, "html", "color") == ["rgb(0, 0, 0)"]
    assert paper.run(style, "html", "backgroundColor") == ["rgb(255, 255, 255)"]


@pytest.mark.page
def test_each_number_is_below_its_colour(paper):
    centre = "const b = (part) => part.getBoundingClientRect(), [bar] = arguments[0].children;"
    script = f"{centre} return [...arguments[0].querySelectorAll('text[text-anchor]')].map((text) =>"
    script += " [+text.textContent, (b(text).left / 2 + b(text).right / 2 - b(bar).left) / b(bar).width])"
    for scale in paper.all(".scale"):
        centres = dict(paper.run(script, scale))
        top = max(centres)
        assert centres == pytest.approx({total: total / top for total in centres}, abs=0.005)
        assert len(centres) > 2


def pages(paper):
    """Width and height in points of the pages that are printed, whatever paper the printer prefers."""
    letter = {"paperWidth": 8.5, "paperHeight": 11, "preferCSSPageSize": True}
    content = base64.b64decode(paper.driver.execute_cdp_cmd("Page.printToPDF", letter)["data"])
    return [
        (round(float(width)), round(float(height)))
        for width, height in re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", content)
    ]


@pytest.mark.page
def test_pages_are_a4(paper):
    assert set(pages(paper)) == {A4}


@pytest.mark.page
def test_a_matrix_of_any_size_with_long_names_fits_a_page(tournament_paper):
    assert box(tournament_paper, ".matrix")[2] <= WIDTH
    assert tournament_paper.run("return document.documentElement.scrollWidth") <= WIDTH
    assert set(pages(tournament_paper)) == {A4}


@pytest.mark.page
def test_the_ranking_of_a_class_takes_two_pages_and_its_wins_are_bold(window, tmp_path):
    game = pigevo.Pig(30)
    entrants = {f"pupil{n}.py": pigevo.hold_at(game, n) for n in range(5, 18)}
    played = tournament_report(pigevo.tournament({"optimal": pigevo.optimal(game).strategy, **entrants}, times=5))
    for paper in printed(window, write_report(tmp_path / "tournament.html", "Class 7b", played)):
        assert len(pages(paper)) == 2
        style = "const {columnCount} = getComputedStyle(arguments[0]); return columnCount;"
        assert paper.run(style, paper.first("#words dl")) == "2"
        assert "no network" not in paper.run("return document.body.innerText")
        weights = paper.run(
            "return [...document.querySelectorAll('.matrix td')].map((cell) => "
            "[cell.textContent, getComputedStyle(cell).fontWeight])"
        )
        assert {(float(text) > 50, weight) for text, weight in weights if text not in ("", "50.0")} == {
            (True, "700"), (False, "400")
        }  # fmt: skip
