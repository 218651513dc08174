"""No damaged file of a run is taken for what it wrote, and files of others are neither read nor touched."""

import os
import random
import shutil
import string
import tempfile
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.cli.summary import summary
from pigevo.errors import InputError
from pigevo.evolution.lineage import GAINS
from pigevo.evolution.logbook import MEASURED, Champion
from pigevo.evolution.selection.map_elites import MapElites
from pigevo.runs import run
from pigevo.runs.folder import CONFIG, OVERRIDES, SOURCES, clear, settings_of
from pigevo.runs.load import load_run
from pigevo.runs.metrics import CHAMPIONS, read_metrics
from pigevo.runs.result import load_population, read_result, save_population, write_result
from pigevo.runs.verify import verify
from pigevo.strategies.parse import CHAMPION
from pigevo.sweeps import Job
from pigevo.sweeps.run_sweep import drive
from tests.cases import sample
from tests.small import done_here, resealed, small_settings, small_words

TEXTS = ("result.json", "metrics.csv", "champions.csv", CONFIG, OVERRIDES, SOURCES, "operators/crossover/ops.py")


def changes(text, chosen, count):
    """A text with one thing changed: a character, a line, or its end."""
    for place in sorted(chosen.sample(range(len(text)), min(len(text), count))):
        other = chosen.choice([c for c in string.digits + string.ascii_letters + ' .,:"#\n-_{' if c != text[place]])
        yield f"{text[place]!r} at {place} is {other!r}", text[:place] + other + text[place + 1 :]
        yield f"{text[place]!r} at {place} is gone", text[:place] + text[place + 1 :]
        yield f"cut at {place}", text[:place]
    lines = text.splitlines(keepends=True)
    for number in sorted(chosen.sample(range(len(lines)), min(len(lines), count))):
        yield f"line {number} is gone", "".join(lines[:number] + lines[number + 1 :])
        yield f"line {number} is there twice", "".join(lines[: number + 1] + lines[number:])


@pytest.mark.parametrize("name", TEXTS)
def test_every_small_change_of_a_text_file_is_found(copied, capsys, name):
    """By `verify`, and of a file that it reads by `load_run`."""
    chosen, path = random.Random(f"{name} 14"), copied / name
    text = path.read_text()
    reading = {
        "result.json": pigevo.load_run,
        "metrics.csv": pigevo.load_run,
        "champions.csv": lambda folder: pigevo.load_run(folder).champions,
        CONFIG: lambda folder: pigevo.load_run(folder).settings,
        SOURCES: lambda folder: pigevo.load_run(folder).settings,
    }.get(name)
    for number, (what, changed) in enumerate(changes(text, chosen, 15 if reading else 2)):
        path.write_text(changed)
        if reading is None:
            assert verify(copied, 0, 1).differences == (f"{name} was changed since it was written",), what
            continue
        with pytest.raises(InputError, match=r"damaged|was changed since it was written"):
            reading(copied)
        if number % 20 == 0:
            assert main(["verify", str(copied), "--generations", "0"]) in (1, 2), what
            output = capsys.readouterr()
            assert "same to the bit" not in output.out
            assert ("different:" in output.out) != output.err.startswith("pigevo: ")
    path.write_text(text)
    assert main(["verify", str(copied), "--run-code", "--generations", "0"]) == 0
    assert "its files have the hashes with which they were written" in capsys.readouterr().out


def test_every_file_of_a_finished_run_but_its_log_is_compared(copied):
    chosen = random.Random("files")
    names = list(read_result(copied)["files"])
    there = {str(path.relative_to(copied)) for path in copied.rglob("*") if path.is_file()}
    assert set(names) == there - {"result.json", "run.log", ".lock"} >= set(TEXTS) - {"result.json"}
    contents = {name: (copied / name).read_bytes() for name in names}
    for name, content in contents.items():
        if name == "metrics.csv":  # its rows are needed
            continue
        place = chosen.randrange(len(content))
        damaged = content[:place] + bytes([content[place] ^ 1 << chosen.randrange(8)]) + content[place + 1 :]
        (copied / name).unlink()
        if place % 2:
            (copied / name).write_bytes(damaged)
        if name in (CONFIG, SOURCES):  # without which nothing is made again
            assert main(["verify", str(copied)]) in (1, 2)
        else:
            sentence = f"{name} {'was changed since it was written' if place % 2 else 'is missing'}"
            assert sentence in verify(copied, -1, 1).differences
        (copied / name).write_bytes(content)
    assert verify(copied, -1, 1).same


def test_a_file_of_another_run_in_its_place_is_found(copied):
    pigevo.hold_at(pigevo.Pig(12), 5).save(copied / CHAMPION)
    for read in (lambda: pigevo.load_run(copied).champion, lambda: pigevo.parse_strategy(str(copied), pigevo.Pig(12))):
        with pytest.raises(InputError, match=r"champion\.npz was changed since it was written"):
            read()


def test_a_run_that_goes_on_or_is_shown_checks_what_it_reads(copied):
    settings = settings_of(copied)
    assert run(settings, copied)["digest"]
    text = (copied / "result.json").read_text()
    (copied / "result.json").write_text(text.replace('"overall": 0.', '"overall": 0.9'))
    with pytest.raises(InputError, match=r"result\.json is damaged \(it was changed .*force=true"):
        run(settings, copied)
    (copied / "result.json").unlink()
    config = (copied / CONFIG).read_text()
    (copied / CONFIG).write_text(config.replace("seed: 0", "seed: 1"))
    assert main(["resume", str(copied)]) == 2
    assert any(
        "checkpoint.npz belongs to another config hash" in sentence for sentence in verify(copied, 0, 1).differences
    )
    (copied / CONFIG).write_text(config)
    assert main(["resume", str(copied)]) == 0


@pytest.mark.parametrize("lacking", ["begun_with", "own_interval", "random_search"])
def test_a_result_of_before_0_2_0_is_refused_in_one_sentence(copied, capsys, lacking):
    record = read_result(copied)
    del (record if lacking in record else record["baseline"])[lacking]
    write_result(
        copied, {key: value for key, value in record.items() if key not in ("format", "hash")}, record["files"]
    )
    assert main(["report", str(copied)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{lacking} is missing" in line
    assert "force=true" in line


@pytest.mark.parametrize(
    "name", ["champion", "peak_mean", "best_seen", "evaluations", "digest", "baseline", "measured"]
)
def test_a_result_that_is_not_true_is_another_one_when_the_run_is_made_again(copied, name):
    wrong = {
        "champion": {"overall": 0.75},
        "baseline": {"own_mean": 0.125},
        "measured": {"luck": 0.0},
        "digest": "0" * 64,
    }
    written, other = read_result(copied)[name], wrong.get(name, 0)
    resealed(copied, **{name: written | other if isinstance(other, dict) else other})
    assert verify(copied, 3, 1).same
    verified = verify(copied, 99, 1)
    assert any(name in sentence for sentence in verified.differences), verified.differences


def with_figures(folder):
    """A run with every column that pigevo knows, and a function of generations that gives one more."""
    words = ("lineage=true", "behaviour=true", "selection=map_elites", "population.size=12", "fitness=siblings")
    run(small_settings(*words, "fitness.games=20"), folder, on_generation=lambda generation: {"own": generation.number})
    return folder


def test_no_recorded_figure_is_said_to_be_the_same_that_is_not(tmp_path):
    folder = with_figures(tmp_path / "run")
    path = folder / "metrics.csv"
    head, *lines = path.read_text().splitlines()
    columns, whole = head.split(","), path.read_text()
    verified = verify(folder, 99, 1)
    assert (verified.differences, verified.whole, verified.not_compared) == ((), True, ("own",))
    assert {"entropy", "behaviour", *MEASURED, *GAINS, *MapElites.outcome_columns} <= set(columns)
    for number, column in enumerate(columns):
        line = next(n for n, line in enumerate(lines) if n and line.split(",")[number])
        cells = lines[line].split(",")
        cells[number] = "5x1x1" if column == "cube_size" else "f" * 64 if column == "digest" else "1"
        path.write_text("\n".join([head, *lines[:line], ",".join(cells), *lines[line + 1 :], ""]))
        if path.read_text() != whole and column != "generation":  # which says what is compared
            resealed(folder)
            found = verify(folder, 99, 1).differences
            assert any(f": {column} is" in sentence for sentence in found) == (
                column not in ("seconds", "own", "digest")
            )
    path.write_text(whole)
    resealed(folder)
    assert verify(folder, 99, 1).same


def test_no_recorded_champion_or_parent_is_left_out(tmp_path):
    folder = with_figures(tmp_path / "run")
    for name, sentence in (("champions.csv", "other champions"), ("lineage.csv", "other parents or values")):
        whole = (folder / name).read_text()
        members = 1 if name == "champions.csv" else 12
        kept = whole.splitlines(keepends=True)[:-members]
        (folder / name).write_text("".join(kept))
        resealed(folder)
        assert verify(folder, 99, 1).differences == (f"{name} holds {sentence} than the run has",)
        (folder / name).write_text(whole)


def test_so_are_champions_and_populations_of_other_runs(copied):
    pigevo.hold_at(pigevo.Pig(12), 5).save(copied / CHAMPION)
    grid, genomes = load_population(copied / "population.npz")
    save_population(copied / "population.npz", grid, genomes[::-1], 6)
    resealed(copied)
    differences = verify(copied, 99, 1).differences
    assert "champion.npz holds another strategy than the champion" in differences
    assert "population.npz holds another population than the last" in differences
    grid = settings_of(copied).plan.waves[0].grid
    CHAMPIONS.write(copied, [Champion(0, grid, np.packbits(np.zeros(grid.genes, np.uint8)).tobytes())])
    resealed(copied)
    assert "generation 0: another champion than in champions.csv" in verify(copied, 0, 1).differences


@pytest.fixture
def stopped(tmp_path):
    """A run that has not finished."""
    folder = tmp_path / "run"
    run(small_settings(), folder)
    (folder / "result.json").unlink()
    assert pigevo.load_run(folder).result is None
    assert verify(folder, 0, 1).same
    return folder


def test_rows_of_an_unfinished_run_are_those_that_its_checkpoint_counts_on(stopped):
    text, chosen = (stopped / "metrics.csv").read_text(), random.Random(14)
    header = text.index("\n") + 1
    for number in range(12):
        place = chosen.choice([n for n in range(header, len(text)) if text[n].isdigit()])
        other = chosen.choice([digit for digit in string.digits if digit != text[place]])
        (stopped / "metrics.csv").write_text(text[:place] + other + text[place + 1 :])
        with pytest.raises(InputError, match="other rows than a checkpoint has recorded"):
            pigevo.load_run(stopped)
        assert number > 2 or not verify(stopped, 0, 1).same
    (stopped / "metrics.csv").write_text(text + text.splitlines(keepends=True)[-1].replace("6,", "7,", 1))
    assert len(pigevo.load_run(stopped).metrics["generation"]) == text.count("\n")


def test_champions_of_an_unfinished_run_are_those_that_its_checkpoint_counts_on(stopped):
    path, chosen = stopped / "champions.csv", random.Random(15)
    lines = path.read_text().splitlines(keepends=True)[:-1]  # the last generation's is found at the end
    text = "".join(lines)
    path.write_text(text)
    assert list(pigevo.load_run(stopped).champions) == [0, 2, 4]
    for number in range(12):
        place = chosen.randrange(text.index("\n0,") + 1, len(text))
        other = chosen.choice([letter for letter in "0aB,\n" if letter != text[place]])
        path.write_text(text[:place] + other + text[place + 1 :])
        with pytest.raises(InputError, match=r"champions\.csv"):
            pigevo.load_run(stopped)
        assert number > 2 or any("champions.csv" in sentence for sentence in verify(stopped, 0, 1).differences)
    path.unlink()
    with pytest.raises(InputError, match=r"fewer or other champions than a checkpoint has recorded"):
        pigevo.load_run(stopped)
    path.write_text(text + lines[-1][:20])  # what a killed process was writing
    assert list(pigevo.load_run(stopped).champions) == [0, 2, 4]


@pytest.mark.parametrize("name", ["checkpoint.npz", "checkpoint.before.npz"])
def test_verify_names_a_damaged_checkpoint(stopped, name):
    content = bytearray((stopped / name).read_bytes())
    content[len(content) // 3] ^= 4
    (stopped / name).write_bytes(content)
    (sentence,) = verify(stopped, 0, 1).differences
    assert name in sentence


def test_every_recorded_row_says_what_was_measured_and_the_last_one_is_the_result(tmp_path):
    made = run(small_settings("generations=5", "record_every=2"), tmp_path)
    metrics = read_metrics(tmp_path)
    assert metrics["generation"].tolist() == [0, 2, 4, 5]
    assert not np.isnan([metrics[name] for name in MEASURED]).any()
    assert {name: metrics[name][-1] for name in MEASURED} == made["measured"]
    assert (metrics["measured_low"] <= metrics["measured"]).all()
    assert (metrics["measured"] <= metrics["measured_high"]).all()
    last = pigevo.load_run(tmp_path)
    matrix = pigevo.win_matrix(last.population)
    truth = (matrix.sum(axis=1) - matrix.diagonal()) / (len(matrix) - 1)
    champion = last.population.index(last.champion)
    assert made["measured"]["luck"] == pytest.approx(made["measured"]["measured"] - truth[champion], abs=1e-12)
    assert verify(tmp_path, 99, 1).same
    lines = " ".join(summary(made, last.settings, tmp_path).split("\nmeasured ", 1)[1].splitlines()[:2])
    assert "games" in lines
    assert "luck" in lines


def test_an_exact_fitness_measures_nothing(tmp_path):
    settings = pigevo.Settings.of("fitness=exact_vs_optimal", "debug=fast", "game.target=12", "baseline=none")
    made = run(settings, tmp_path)
    assert made["measured"] is None
    assert not set(MEASURED) & set(read_metrics(tmp_path))
    assert "measured " not in summary(made, settings, tmp_path)


def test_a_column_of_ones_own_must_have_another_name(tmp_path):
    with pytest.raises(InputError, match="returned the column 'luck'"):
        run(small_settings(), tmp_path, on_generation=lambda _: {"luck": 1.0})


NAMES = ("metrics.csv", "result.json", "champion.npz", "checkpoint.npz", "run.log", "notes.txt", ".hydra/config.yaml",
         "figures/curve.png", "figures/mine.png", "operators/mine.py", ".x.partial", "deep/er/.metrics.csv.abcdefgh.partial",
         ".metrics.csv.partial", "report/table.csv")  # fmt: skip


ELSEWHERE = {"curve.png", "champion.png", "config.yaml", "metrics.csv", ".curve.png.abcdefgh.partial"}


def everything(folder):
    """Every path below a folder: what it is, and what is in it."""
    contents = {}
    for path in folder.rglob("*"):
        content = path.read_bytes() if path.is_file() else None
        contents[str(path.relative_to(folder))] = os.readlink(path) if path.is_symlink() else content
    return contents


def strangers(folder, names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{name} of somebody")


@pytest.mark.parametrize("force", sample(["true", "false"], 0))
def test_a_folder_with_files_of_others_is_left_as_it_is(tmp_path, monkeypatch, capsys, force):
    (tmp_path / "all").mkdir()
    monkeypatch.chdir(tmp_path / "all")
    strangers(tmp_path / "all", NAMES)
    for number, name in enumerate((*NAMES, "-ä ß.txt")):
        strangers(tmp_path / str(number), [name])
    before = everything(tmp_path)
    for place in (".", "../all", tmp_path / "all", *(tmp_path / str(number) for number in range(len(NAMES) + 1))):
        assert main([*small_words(), f"hydra.run.dir={place}", f"force={force}"]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "must be new or empty, but has other files (" in line
        assert "name another folder" in line
    assert everything(tmp_path) == before


def test_an_empty_folder_will_do_also_through_links(tmp_path):
    (tmp_path / "disk" / "run").mkdir(parents=True)
    (tmp_path / "outputs").symlink_to(tmp_path / "disk")
    run(small_settings(), tmp_path / "outputs" / "run")
    assert (tmp_path / "disk" / "run" / "result.json").is_file()


def test_a_sweep_with_one_run_among_files_of_others_begins_none(tmp_path):
    settings = small_settings("force=true")
    strangers(tmp_path / "1", ["metrics.csv"])
    jobs = [Job(settings.with_(seed=seed), tmp_path / f"{seed}") for seed in range(2)]
    before = everything(tmp_path)
    with pytest.raises(InputError, match="must be new or empty, but has other files"):
        drive(jobs, [], tmp_path / "sweeps", done_here)
    assert everything(tmp_path) == before


def test_a_sweep_s_folder_with_files_of_others_is_left_as_it_is(tmp_path):
    jobs = [Job(small_settings(), tmp_path / "run")]
    home = drive(jobs, [], tmp_path / "sweeps", done_here)
    with pytest.raises(InputError, match="must be new or empty, but has other files"):
        run(jobs[0].settings, home)
    for name in ("sweep.json", ".lock"):
        (home / name).unlink()
    strangers(home, ["failures.json", "mine.txt"])
    before = everything(home)
    with pytest.raises(InputError, match="must be new or empty, but has other files"):
        drive(jobs, [], tmp_path / "sweeps", done_here)
    assert everything(home) == before


def test_only_files_that_the_run_wrote_are_in_its_result(copied):
    """Others' files under names that runs of other settings write stay, and are not listed as the run's."""
    (copied / "result.json").unlink()
    others = {"archive.npz", "lineage.csv", "figures/curve.svg", "figures/elites.png"}
    strangers(copied, others)
    before = everything(copied)
    result = run(settings_of(copied).with_(figures="none"), copied)
    assert not others & set(result["files"])
    assert {name: everything(copied)[name] for name in others} == {name: before[name] for name in others}


@pytest.mark.parametrize("force", [True, False])
def test_what_others_have_put_beside_a_run_stays(copied, force):
    """Also when it is begun anew, and beside what killed processes left."""
    (copied / "result.json").unlink()
    own = [
        ".metrics.csv.abcd_123.partial",
        "figures/.curve.png.zzzzzzzz.partial",
        ".hydra/.config.yaml.aaaaaaaa.partial",
    ]
    others = [name for name in NAMES if not (copied / name).exists() and name != "result.json"]
    strangers(copied, [*others, *own])
    before = everything(copied)
    run(settings_of(copied).with_(force=force, figures="none"), copied)
    after = everything(copied)
    assert {name: after.get(name) for name in others} == {name: before[name] for name in others}
    assert [name for name in own if name in after] == []


def test_a_run_is_removed_by_the_names_of_its_files(copied):
    assert (copied / "operators/crossover/ops.py").is_file()
    mine = {"operators/crossover/mine.py", "figures/mine.png"}
    strangers(copied, mine)
    clear(copied)
    left = {name for name, content in everything(copied).items() if content is not None}
    assert left - {"run.log"} == {".lock", ".hydra/config.yaml", ".hydra/overrides.yaml", *mine}


@pytest.mark.parametrize("name", ["figures", ".hydra", "metrics.csv", "result.json", "checkpoint.npz", "run.log", ".lock",
                                  "figures/curve.png", "operators"])  # fmt: skip
@pytest.mark.parametrize("force", [True, False])
def test_nothing_is_read_written_or_removed_through_a_link(copied, tmp_path, name, force):
    """Neither to a file of others nor, as a log or a lock, to where nothing is."""
    elsewhere, settings, path = tmp_path / "elsewhere", settings_of(copied), copied / name
    strangers(elsewhere, ELSEWHERE)
    (copied / "result.json").unlink()
    if path.is_dir():
        shutil.rmtree(path)
        path.symlink_to(elsewhere)
    else:
        path.unlink(missing_ok=True)
        path.symlink_to(elsewhere / path.name)
    before = everything(tmp_path)
    with pytest.raises(InputError, match="is a link, and pigevo's"):
        run(settings.with_(force=force), copied)
    after = everything(tmp_path)
    assert {place: after[place] for place in before} == before
    assert set(everything(elsewhere)) == ELSEWHERE


NOBODY = 65534


@pytest.fixture
def closed():
    """A function that takes away all rights to write in a folder, also those of root, until the test ends."""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        changed = []

        def close(folder):
            for path in (folder, *folder.rglob("*")):
                changed.append((path, path.stat().st_mode))
                path.chmod(0o555 if path.is_dir() else 0o444)
            if os.geteuid() == 0:
                os.seteuid(NOBODY)

        close.home = Path(place)
        try:
            yield close
        finally:
            if os.geteuid() != os.getuid():
                os.seteuid(os.getuid())
            for path, mode in changed:
                path.chmod(mode)


def test_a_finished_run_is_shown_and_an_unfinished_one_is_refused_in_a_sentence(closed):
    settings, finished, unfinished = small_settings(), closed.home / "finished", closed.home / "unfinished"
    before = run(settings, finished)
    run(settings, unfinished)
    (unfinished / "result.json").unlink()
    assert load_run(finished).champion.digest  # all is imported now that this needs: nobody may not read what root has
    closed(closed.home)
    with pytest.raises(OSError, match="ermission denied"):
        (finished / "new").touch()
    assert run(settings, finished)["digest"] == before["digest"]
    assert load_run(finished).champion.digest
    for folder, force in ((finished, True), (unfinished, False)):
        with pytest.raises(InputError, match=r"cannot be written: Permission denied\."):
            run(settings.with_(force=force), folder)
