"""A folder with files of others is refused, and in its own folder a run touches only what it made, never through links."""

import contextlib
import os
import random
import string
from pathlib import Path

import pytest

from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.folder import PICTURES, clear
from pigevo.runs.former import is_former
from pigevo.storage.files import place_in, remove_own, remove_partials
from pigevo.sweeps import Job
from pigevo.sweeps.run_sweep import drive
from tests.small import done_here

NAMES = ("metrics.csv", "result.json", "champion.npz", "checkpoint.npz", "run.log", "notes.txt", ".hydra/config.yaml",
         "figures/curve.png", "figures/mine.png", "operators/mine.py", ".x.partial", "deep/er/.metrics.csv.abcdefgh.partial",
         ".metrics.csv.partial", "report/table.csv", "digests.csv")  # fmt: skip

OWN = ("result.json", "digests.csv")
"""Of these names those that mean something in a run's folder."""


def everything(folder):
    """Every path below a folder: what it is, and what is in it."""
    found = {}
    for home, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = Path(home, name)
            what = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
            found[str(path.relative_to(folder))] = what
    return found


def strangers(folder, names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{name} of somebody")


@pytest.fixture
def elsewhere(tmp_path):
    """A folder of others, to which links lead."""
    folder = tmp_path / "elsewhere"
    strangers(folder, ["curve.png", "champion.png", "config.yaml", "metrics.csv", ".curve.png.abcdefgh.partial"])
    return folder


@pytest.mark.parametrize("force", ["true", "false"])
@pytest.mark.parametrize("names", [NAMES, *([name] for name in NAMES)], ids=["all", *NAMES])
def test_a_folder_with_files_of_others_is_left_as_it_is(tmp_path, monkeypatch, capsys, as_overrides, names, force):
    home = tmp_path / "home"
    strangers(home, names)
    monkeypatch.chdir(home)
    before = everything(home)
    for place in (".", str(home), "../home"):
        assert main([*as_overrides(), f"hydra.run.dir={place}", f"force={force}"]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "is no run's folder and not empty" in line
        assert "choose a new one" in line
    assert everything(home) == before


@pytest.mark.parametrize("seed", range(8))
def test_so_is_one_with_files_of_any_names(tmp_path, make_settings, seed):
    chosen = random.Random(seed)
    letters = string.ascii_letters + string.digits + "._- äß"
    names = ["f" + "".join(chosen.choices(letters, k=chosen.randint(1, 20))) + "z" for _ in range(4)]
    strangers(tmp_path / "run", [*names, chosen.choice(NAMES)])
    before = everything(tmp_path / "run")
    with pytest.raises(InputError, match="choose a new one"):
        run(make_settings("force=true"), tmp_path / "run")
    assert everything(tmp_path / "run") == before


def test_an_empty_folder_will_do(tmp_path, make_settings):
    (tmp_path / "run").mkdir()
    assert run(make_settings(), tmp_path / "run")["digest"]


def test_the_folder_of_a_sweep_is_no_run_s(tmp_path, make_settings):
    settings = make_settings()
    home = drive([Job(settings, tmp_path / "0")], [], tmp_path / "sweeps", done_here)
    before = everything(home)
    with pytest.raises(InputError, match="is no run's folder"):
        run(settings, home)
    assert everything(home) == before


@pytest.mark.parametrize("force", ["true", "false"])
def test_a_sweep_with_one_run_among_files_of_others_begins_none(tmp_path, make_settings, force):
    settings = make_settings(f"force={force}")
    strangers(tmp_path / "1", ["metrics.csv"])
    jobs = [Job(settings.with_(seed=seed), tmp_path / f"{seed}") for seed in range(2)]
    before = everything(tmp_path)
    with pytest.raises(InputError, match="is no run's folder"):
        drive(jobs, [], tmp_path / "sweeps", done_here)
    assert everything(tmp_path) == before


def test_a_sweep_s_folder_with_files_of_others_is_left_as_it_is(tmp_path, make_settings):
    jobs = [Job(make_settings(), tmp_path / "run")]
    home = drive(jobs, [], tmp_path / "sweeps", done_here)
    for name in ("sweep.json", ".lock"):
        (home / name).unlink()
    strangers(home, ["failures.json", "mine.txt"])
    before = everything(home)
    with pytest.raises(InputError, match="is no sweep's folder"):
        drive(jobs, [], tmp_path / "sweeps", done_here)
    assert everything(home) == before


@pytest.mark.parametrize("force", ["true", "false"])
def test_what_others_have_put_beside_a_run_stays(tmp_path, make_settings, pictures, force):
    """Also when it is begun anew, and beside what killed processes left."""
    folder = tmp_path / "run"
    run(make_settings(), folder)
    (folder / "result.json").unlink()
    own = [
        ".metrics.csv.abcd_123.partial",
        "figures/.curve.png.zzzzzzzz.partial",
        ".hydra/.config.yaml.aaaaaaaa.partial",
    ]
    others = [name for name in NAMES if not (folder / name).exists() and name not in OWN]
    strangers(folder, [*others, *own])
    before = everything(folder)
    run(make_settings(f"force={force}"), folder)
    after = everything(folder)
    assert {name: after.get(name) for name in others} == {name: before[name] for name in others}
    assert [name for name in own if name in after] == []


def test_a_run_is_removed_by_the_names_of_its_files(tmp_path, make_settings, pictures, monkeypatch):
    ops = tmp_path / "ops.py"
    ops.write_text("def half(first, second, context):\n    return first\n")
    settings = make_settings("crossover=custom", f"crossover.function={ops}:half")
    folder = tmp_path / "run"
    run(settings, folder)
    assert (folder / "operators/crossover/ops.py").is_file()
    strangers(folder, ["operators/crossover/mine.py", "figures/mine.png"])
    clear(folder)
    left = {name for name, content in everything(folder).items() if content is not None}
    assert left == {".lock", ".hydra/config.yaml", "operators/crossover/mine.py", "figures/mine.png"}
    for name in ("operators/crossover/mine.py", "figures/mine.png"):
        (folder / name).unlink()
    run(settings, folder)
    clear(folder)
    assert sorted(everything(folder)) == [".hydra", ".hydra/config.yaml", ".lock"]


@pytest.mark.parametrize("name", ["figures", ".hydra", "metrics.csv", "result.json", "checkpoint.npz", "run.log", ".lock",
                                  "figures/curve.png", "operators"])  # fmt: skip
@pytest.mark.parametrize("force", ["true", "false"])
def test_nothing_is_read_written_or_removed_through_a_link(tmp_path, make_settings, elsewhere, pictures, name, force):
    folder = tmp_path / "run"
    run(make_settings(), folder)
    (folder / "result.json").unlink()
    path = folder / name
    target = elsewhere / Path(name).name if (elsewhere / Path(name).name).exists() else elsewhere
    if path.is_dir():
        for inner in path.iterdir():
            inner.unlink()
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
    path.symlink_to(target)
    before = everything(tmp_path)
    with pytest.raises(InputError, match="is a link, and pigevo's"):
        run(make_settings(f"force={force}"), folder)
    after = everything(tmp_path)
    assert {n: after[n] for n in before} == before


def test_a_link_that_leads_nowhere_makes_no_file_there(tmp_path, make_settings):
    folder = tmp_path / "run"
    run(make_settings(), folder)
    (folder / "result.json").unlink()
    for name in (".lock", "run.log"):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(tmp_path / "nowhere")
        with pytest.raises(InputError, match="is a link"):
            run(make_settings(), folder)
        assert not (tmp_path / "nowhere").exists()
        (folder / name).unlink()


def test_a_run_s_folder_may_itself_be_reached_through_links(tmp_path, make_settings):
    (tmp_path / "disk").mkdir()
    (tmp_path / "outputs").symlink_to(tmp_path / "disk")
    run(make_settings(), tmp_path / "outputs" / "run")
    assert (tmp_path / "disk" / "run" / "result.json").is_file()


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "", "a//b", "."])
def test_a_name_that_leads_out_of_the_folder_is_none(tmp_path, name):
    with pytest.raises(InputError, match="is no name of a file"):
        place_in(tmp_path, name)


def test_sources_that_name_other_files_remove_none(tmp_path, make_settings):
    from pigevo.storage.checksums import sealed_json

    folder = tmp_path / "run"
    run(make_settings(), folder)
    strangers(tmp_path, ["x.py", "y.py"])
    files = [str(tmp_path / "run" / "a" / "x.py"), str(tmp_path / "y.py")]
    for sources in ({"..": {"identity": "", "files": files}}, {"../..": {"identity": "", "files": files[:1]}}):
        (folder / "operators").mkdir(exist_ok=True)
        (folder / "operators" / "sources.json").write_bytes(sealed_json({"sources": sources}))
        with contextlib.suppress(InputError):
            clear(folder)
        assert (tmp_path / "x.py").is_file()
        assert (tmp_path / "y.py").is_file()


def test_a_folder_where_a_file_would_be_stays(tmp_path):
    (tmp_path / "metrics.csv").mkdir()
    strangers(tmp_path / "metrics.csv", ["mine"])
    with pytest.raises(InputError, match="is no file, and pigevo's file would be there"):
        remove_own(tmp_path, ["metrics.csv"])
    assert (tmp_path / "metrics.csv" / "mine").is_file()


def test_partial_files_are_known_by_the_exact_name_of_a_file(tmp_path):
    own = [".a.csv.abcdefgh.partial", "figures/.b.png.01234_67.partial"]
    others = [".a.csv.partial", ".aXcsv.abcdefgh.partial", ".a.csv.abcdefghi.partial", ".a.csv.ABCDEFGH.partial",
              "a.csv.abcdefgh.partial", ".b.png.01234567.partial", "figures/.a.csv.abcdefgh.partial", "deep/.a.csv.abcdefgh.partial",
              ".a.csv.abcdefgh.partial.txt"]  # fmt: skip
    strangers(tmp_path, [*own, *others])
    (tmp_path / ".a.csv.linklink.partial").symlink_to(tmp_path / "nowhere")
    remove_partials(tmp_path, ["a.csv", "figures/b.png"])
    left = {name for name in everything(tmp_path) if name.endswith((".partial", ".txt"))}
    assert left == {*others, ".a.csv.linklink.partial"}


def test_the_pictures_of_a_run_are_among_its_files(tmp_path, make_settings, pictures):
    run(make_settings(), tmp_path / "run")
    assert {str(path.relative_to(tmp_path / "run")) for path in (tmp_path / "run" / "figures").iterdir()} == set(
        PICTURES
    )


@pytest.mark.parametrize("force", ["true", "false"])
def test_a_stranger_s_digests_are_neither_removed_nor_believed(tmp_path, make_settings, force):
    """The file of that name was pigevo 0.1.0's, whose folders are told by their unsealed configs."""
    folder = tmp_path / "run"
    done = run(make_settings(), folder)
    (folder / "result.json").unlink()
    strangers(folder, ["digests.csv"])
    before = (folder / "digests.csv").read_bytes()
    assert not is_former(folder)
    assert run(make_settings(f"force={force}"), folder)["digest"] == done["digest"]
    assert (folder / "digests.csv").read_bytes() == before
