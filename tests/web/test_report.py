"""`report.html`: one file that says what the command line says, and needs nothing else."""

import json
import os
import shlex
import shutil
from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.film import reel_of
from pigevo.seals import sealed_json
from pigevo.settings import Settings
from pigevo.sweeps import Job, Outcome
from pigevo.sweeps.drive import drive
from tests.small import small_settings, small_words, without_champions
from tests.web.page import read, refuse_outside

HOSTILE = "<script>alert('1')</script>\"&amp;<img src=x onerror=alert(2)>"


def done_here(jobs, *, on_outcome):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        for job in jobs:
            run(job.settings, job.folder)
    return [Outcome(job, "finished") for job in jobs]


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory):
    from pigevo.compiled import cache_folder

    cache_folder()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A sweep with waves, of two mutation rates with three seeds each, inside `outputs`."""
    home = tmp_path_factory.mktemp("made") / "outputs" / "sweeps"
    words = ("cubes=waves", "cubes.sizes=[6,4]", "cubes.generations=[3,3]", "baseline=random_search")
    jobs = [
        Job(small_settings(*words, f"mutation={rate}", f"seed={seed}"), home.parent / "default" / f"{rate}-{seed}")
        for rate in (0, 0.3)
        for seed in range(3)
    ]
    return drive(jobs, [*words, "mutation=0,0.3", "seed=range(3)"], home, done_here)


@pytest.fixture
def sweep(made, tmp_path):
    shutil.copytree(made.parents[1], tmp_path / "outputs")
    return tmp_path / "outputs" / "sweeps" / made.name


@pytest.fixture
def one(sweep):
    return sweep.parents[1] / "default" / "0.3-1"


@pytest.fixture
def told(capsys):
    """Call the command line: what it says as JSON."""

    def call(*words):
        assert main(["report", *map(str, words), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return call


@pytest.fixture
def wrong(capsys):
    """Call the command line with something wrong: its one sentence."""

    def call(*words):
        assert main(["report", *map(str, words)]) == 2
        said = capsys.readouterr().err
        return said.splitlines()[-1]

    return call


def test_a_sweeps_page_says_what_the_command_says(sweep, told):
    record = told(sweep, "--metric", "last_mean")
    assert record["html"] == str(sweep / "report.html")
    page = read(sweep / "report.html")
    refuse_outside(page)
    heads, *rows = page.rows("Ranked by")
    assert [heads[0], *heads[2:]] == ["setting", "mean", "95 % interval", "seeds", "standard deviation"]
    assert [[row[0], *row[2:]] for row in rows] == [
        [r["setting"], f"{r['mean']:.4f}", f"{r['low']:.4f} to {r['high']:.4f}", str(r["runs"]), f"{r['sd']:.4f}"]
        for r in record["ranking"]
    ]
    assert "All runs have finished." in page.text_of("header")
    assert [label["text"] for label in page.all("label")][:3] == ["generations", "evaluations", "seconds"]
    assert len([one for one in page.all("svg") if one.get("@role") == "img"]) == 12


def test_the_page_tells_of_every_run(sweep, told):
    told(sweep)
    page, found = read(sweep / "report.html"), pigevo.load_sweep(sweep)
    (table,) = [one for one in page.all("table") if one["text"].startswith("settingseedstate")]
    for member, done in found.runs.items():
        figures = "".join(
            f"{value:.4f}"
            for value in (
                done.result["champion"]["overall"],
                *(done.result[name] for name in ("peak_mean", "last_mean", "best_seen")),
            )
        )
        assert f"{member.setting}{member.seed}finished{figures}{done.result['digest'][:12]}" in table["text"]


def test_the_champions_are_those_of_the_best_and_the_median_run(sweep, told):
    record = told(sweep)
    results, page = pigevo.load_sweep(sweep).results(), read(sweep / "report.html")
    best = results["setting"] == record["ranking"][0]["setting"]
    order = np.argsort(-results["champion"][best], kind="stable")
    values, seeds = results["champion"][best][order], results["seed"][best][order]
    titles = [one["text"] for one in page.all("h3")]
    assert f"The best run: seed {seeds[0]}, {values[0]:.4f}" in titles
    assert f"The median run: seed {seeds[1]}, {values[1]:.4f}" in titles


def test_a_runs_page_says_what_its_result_says(one, told):
    record = told(one)
    page, result = read(one / "report.html"), pigevo.load_run(one).result
    refuse_outside(page)
    assert record["champion"] == result["champion"]
    tiles = [part["text"] for part in page.all("strong")]
    assert tiles[0] == f"{result['champion']['overall']:.4f}"
    assert f"{result['peak_mean']:.4f}" in tiles
    assert f"{result['last_mean']:.4f}" in tiles
    base = result["baseline"]
    rows = page.rows(f"What {base['populations']:,}")
    assert rows[1][1:] == [f"{base['own_mean']:.4f}", "{:.4f} to {:.4f}".format(*base["own_interval"])]
    said = page.text_of("body")
    assert result["digest"] in said
    assert pigevo.load_run(one).champion.digest in said
    assert f"pigevo verify {'/'.join(one.parts[-3:])}" in said
    assert "mutation0.3" in said
    assert str(one.parents[2]) not in said


def test_the_command_in_the_page_makes_the_same_run(one, told):
    told(one, "--no-film")
    (command,) = [part["text"] for part in read(one / "report.html").all("code") if "python -m pigevo" in part["text"]]
    words = shlex.split(command)[3:]
    assert Settings.of(*words).hash == pigevo.load_run(one).result["config_hash"]


def test_the_film_shows_the_champions_of_the_run(one, told):
    assert told(one)["film"] is True
    page = read(one / "report.html")
    frames = [part for part in page.all("figure") if "frame" in (part.get("@class") or "")]
    titles = [part["text"] for part in frames]
    won = f"{100 * pigevo.load_run(one).result['champion']['overall']:.2f} %"
    assert titles == [*(title for title in titles if title.startswith("generation ")), "the optimum"]
    assert [title.split(":")[0] for title in titles[:-1]] == [f"generation {n}" for n in reel_of(one).numbers]
    assert titles[-2] == f"generation 6: {won}"
    assert 1 < len([part for part in frames if part["@class"] == "frame key"]) <= 6
    assert told(one, "--no-film")["film"] is False
    page = read(one / "report.html")
    assert "film was left out" in page.text_of("body")
    assert "recorded all" not in page.text_of("body")
    assert not [part for part in page.all("figure") if "frame" in (part.get("@class") or "")]


def test_the_page_says_which_champions_of_a_film_were_made_again(one, told):
    told(one)
    assert "The run has recorded all of them." in read(one / "report.html").text_of("body")
    without_champions(one)
    told(one)
    assert f"Those of {len(reel_of(one).numbers)} were made again" in read(one / "report.html").text_of("body")


def test_a_long_run_has_a_film_only_if_asked(one, told, monkeypatch):
    monkeypatch.setattr("pigevo.web.report.film.SECONDS", -1.0)
    assert told(one)["film"] is False
    assert "pigevo report --film puts it in" in read(one / "report.html").text_of("body")
    assert told(one, "--film")["film"] is True


def test_the_same_folder_gives_the_same_bytes(sweep, one, told, monkeypatch, tmp_path):
    for folder in (sweep, one):
        told(folder)
        first = (folder / "report.html").read_bytes()
        monkeypatch.chdir(tmp_path)
        told(os.path.relpath(folder))
        assert (folder / "report.html").read_bytes() == first
        monkeypatch.chdir("/")


def test_the_users_settings_of_matplotlib_change_nothing(one, told):
    import matplotlib as mpl

    told(one, "--no-film")
    first = (one / "report.html").read_bytes()
    with mpl.rc_context({"axes.grid": True, "lines.linewidth": 9, "font.size": 30, "svg.fonttype": "path"}):
        told(one, "--no-film")
    assert (one / "report.html").read_bytes() == first


def test_hostile_names_are_only_text(sweep, told):
    record = json.loads((sweep / "sweep.json").read_text())
    for entry in record["runs"]:
        entry["setting"] = f"{entry['setting']},{HOSTILE}"
        entry["config"]["mutation"] = f"{entry['config']['mutation']}{HOSTILE}"
    kept = {name: record[name] for name in ("name", "swept", "runs")}
    (sweep / "sweep.json").write_bytes(sealed_json({**kept, "overrides": [HOSTILE]}))
    hostile = sweep.parent / HOSTILE.replace("/", "\N{FRACTION SLASH}")
    sweep.rename(hostile)
    told(hostile)
    page = read(hostile / "report.html")
    refuse_outside(page)
    assert len(page.all("script")) == 1
    assert page.all("h1")[0]["text"] == hostile.name
    assert "alert" not in page.all("script")[0]["text"]
    assert any(HOSTILE in part["text"] for part in page.all("code"))
    assert any(HOSTILE in part["text"] for part in page.all("text"))
    assert any(HOSTILE in (part.get("@aria-label") or "") for part in page.all("svg"))
    assert all(part["@src"].startswith("data:") for part in page.all("img"))


def test_names_that_a_terminal_would_obey_are_written_out(sweep, told):
    strange = sweep.parent / "a\x1b[31m\u202eb"
    sweep.rename(strange)
    told(strange, "--no-film")
    content = (strange / "report.html").read_text(encoding="utf-8")
    assert "\x1b" not in content
    assert "\u202e" not in content
    assert "a\\x1b[31m\\u202eb" in content


def test_a_reader_is_told_where_the_page_is_in_one_line(sweep, one, capsys):
    for folder in (one, sweep):
        assert main(["report", str(folder), "--no-film"]) == 0
        last = capsys.readouterr().out.splitlines()[-1]
        size = (folder / "report.html").stat().st_size / 1e6
        assert last == f"{folder / 'report.html'}: open it in a browser ({size:.1f} MB)"


def test_a_film_is_announced_with_what_it_costs(one, capsys, monkeypatch):
    import pigevo.web.report.film as film

    found = film.reel_of
    monkeypatch.setattr(film, "reel_of", lambda *words, **more: replace(found(*words, **more), seconds=12.34))
    assert main(["report", str(one)]) == 0
    said = capsys.readouterr().err
    assert "for the film generations are made again, which took 12.3 s; --no-film leaves it out" in said


def test_a_sweep_that_is_partly_done_is_told_as_such(sweep, told):
    folders = [member.folder for member in pigevo.load_sweep(sweep).members]
    shutil.rmtree(folders[0])
    (folders[4] / "result.json").unlink()
    record = told(sweep, "--no-film")
    head = read(sweep / "report.html").text_of("header")
    assert record["runs"] == {"missing": 1, "finished": 4, "interrupted": 1}
    assert "4 of 6 runs have finished (1 missing, 1 interrupted); the others are left out." in head


def test_a_damaged_run_is_refused_and_nothing_is_written(one, wrong):
    (one / "champion.npz").write_bytes(b"something else")
    assert "was changed since it was written" in wrong(one)
    (one / "metrics.csv").write_text("a,b\n1,2\n")
    assert "was changed since it was written" in wrong(one)
    assert not (one / "report.html").exists()


def test_a_run_that_is_not_what_it_says_is_refused(one, wrong, monkeypatch):
    """Figures and hashes that fit each other, and generations that do not: what makes the film finds it."""

    def other(reel):
        raise InputError("generation 2 made again is not the one in metrics.csv.")

    monkeypatch.setattr("pigevo.web.report.film.champions", other)
    said = wrong(one)
    assert "generation 2 made again is not the one in metrics.csv; --no-film makes the report without" in said
    assert not (one / "report.html").exists()


def test_an_unfinished_run_is_refused(one, wrong):
    (one / "result.json").unlink()
    assert "has not finished: `pigevo resume" in wrong(one)


def test_a_report_is_not_written_through_a_link_or_over_a_strangers_file(sweep, one, wrong, told, tmp_path):
    elsewhere = tmp_path / "elsewhere.html"
    elsewhere.write_text("of somebody")
    for folder in (sweep, one):
        (folder / "report.html").symlink_to(elsewhere)
        assert "is a link" in wrong(folder)
        (folder / "report.html").unlink()
        (folder / "report.html").write_text("of somebody")
        assert "is no report of pigevo's" in wrong(folder)
        (folder / "report.html").unlink()
    assert "is no report of pigevo's" in wrong(one, "--html", elsewhere)
    assert "let it end with .html" in wrong(one, "--html", tmp_path / "page.txt")
    assert elsewhere.read_text() == "of somebody"
    assert not (sweep / "report").exists()
    place = tmp_path / "deep" / "page.html"
    assert told(one, "--html", place, "--no-film")["html"] == str(place)
    assert told(one, "--html", place, "--no-film")["html"] == str(place)
    refuse_outside(read(place))


def test_a_report_belongs_to_its_run(one, told, capsys):
    told(one, "--no-film")
    assert main(["verify", str(one)]) == 0
    settings = pigevo.load_run(one).settings
    run(settings.with_(force=True), one)
    assert not (one / "report.html").exists()
    (one / "report.html").write_text("of somebody")
    run(settings.with_(force=True), one)
    assert (one / "report.html").read_text() == "of somebody"


def test_a_run_with_an_operator_from_python_is_told_as_far_as_its_folder_can(tmp_path, told, wrong):
    folder = tmp_path / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        pigevo.evolve(*small_words(), crossover=lambda first, second, context: second, folder=folder)
    told(folder)
    page = read(folder / "report.html")
    refuse_outside(page)
    assert "was handed over from Python" in page.text_of("body")
    assert "crossovercustom" in page.text_of("body")
    assert "python -m pigevo " not in page.text_of("body")
    config = folder / ".hydra" / "config.yaml"
    config.write_text(config.read_text().replace("seed: 0", "seed: 1"))
    assert "was changed" in wrong(folder)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "nowhere holds no sweep"),
        (["RUN", "--metric", "champion"], "--metric is about the settings of a sweep"),
        (["RUN", "--axis", "games"], "--axis is about the settings of a sweep"),
    ],
)
def test_wrong_words_are_one_sentence(words, said, one, wrong):
    assert said in wrong(*(one if word == "RUN" else word for word in words))
    assert not (one / "report.html").exists()


@pytest.mark.parametrize(
    "game",
    [
        "ten_rounds game.turns=3 game.cap=8",
        "ten_rounds game.turns=3 game.cap=8 game.rolls=true",
        "piglet game.target=4",
        "two_dice game.target=10",
        "equal_turns game.target=6 game.cap=9",
        "pig game.target=8 game.allow_pass=true",
    ],
)
def test_every_game_has_a_report(game, tmp_path, told):
    common = ("debug=fast", "population.size=4", "fitness.games=10", "mutation=0.1", "generations=2", "record_every=1")
    settings = Settings.of(*common, *f"game={game}".split())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        run(settings, tmp_path / "run")
    told(tmp_path / "run")
    page = read(tmp_path / "run" / "report.html")
    refuse_outside(page)
    assert str(settings.plan.game) in page.text_of("header")
    assert len(page.rows("The turn total at which each first holds")) == 8
