"""A folder with files of others is refused, a run touches only what it made, and one that is only to be read is shown."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.folder import clear, settings_of
from pigevo.runs.load import load_run
from pigevo.sweeps import Job
from pigevo.sweeps.run_sweep import drive
from tests.cases import sample
from tests.small import done_here, small_settings, small_words

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
