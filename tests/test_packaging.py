"""What the checkout says of itself is true: its archives, its version, CONTRIBUTING.md, and the page of promises."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

import pigevo
from pigevo.settings.schema import GROUPS

ROOT = Path(__file__).parents[1]
PICTURES = {".png", ".gif", ".svg"}


def build(what, source, place):
    """The file that hatch packs from a source folder."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", what, "-d", str(place)], cwd=source, check=True,
        capture_output=True,
    )  # fmt: skip
    return next(place.iterdir())


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """The names in the source archive, and the wheel that is built from it alone, unpacked."""
    pytest.importorskip("hatchling", reason="hatchling is in the extra `test`")
    place = tmp_path_factory.mktemp("packed")
    with tarfile.open(build("sdist", ROOT, place / "sdist")) as archive:
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # Python 3.11.4 and later
        archive.extractall(place / "source", **safely)
    source = next((place / "source").iterdir())
    wheel = build("wheel", source, place / "wheel")
    assert wheel.stat().st_size < 5_000_000
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place / "installed")
    return source, place / "installed"


def files_under(folder):
    """The names of all files in a folder, without Python's cache."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in files if "__pycache__" not in path.parts}


@pytest.mark.slow
def test_the_source_holds_what_the_checkout_does(packed):
    for folder in ("pigevo", "conf", "experiments", "tests"):
        assert files_under(packed[0] / folder) == files_under(ROOT / folder)


@pytest.mark.slow
def test_the_wheel_holds_code_choices_and_studies_but_no_pictures_and_no_tests(packed):
    for folder, place in (("pigevo", "pigevo"), ("conf", "pigevo/conf"), ("experiments", "pigevo/experiments")):
        packaged = {name for name in files_under(ROOT / folder) if "tests" not in Path(name).parts}
        expected = {name for name in packaged if Path(name).suffix not in PICTURES} - {"conftest.py"}
        present = {name for name in files_under(packed[1] / place) if not name.startswith(("conf/", "experiments/"))}
        assert present == expected
    assert not {path.suffix for path in packed[1].rglob("*")} & PICTURES


def test_what_is_installed_finds_its_choices_and_studies(packed, tmp_path):
    code = "from pigevo.cli import main; print(*map(main, (['--help'], ['study'], ['--version'])))"
    output = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": str(packed[1]), "PYTHONDONTWRITEBYTECODE": "1"},
    ).stdout  # fmt: skip
    assert "cube_random" in output
    assert "exeter2016" in output
    assert output.endswith(f"pigevo {pigevo.__version__}\n0 0 0\n")


def test_every_file_names_the_same_version(packed):
    metadata = next(packed[1].glob("*.dist-info")) / "METADATA"
    assert f"\nVersion: {pigevo.__version__}\n" in metadata.read_text()


def test_the_citation_has_the_date_of_the_latest_version():
    version, date = re.search(r"^## (\S+) - (\S+)$", (ROOT / "CHANGELOG.md").read_text(), flags=re.M).groups()
    cited = re.search(r"^date-released: (\S+)$", (ROOT / "CITATION.cff").read_text(), flags=re.M)
    assert (version, date) == (pigevo.__version__, cited.group(1))


GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / ".github" / "workflows").glob("*.yml")}
HOST = (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def steps_of(*names):
    return [step for name in names for job in WORKFLOWS[name]["jobs"].values() for step in job["steps"]]


def targets_in(text):
    return re.findall(r"(?:`|^|&& |then )make ([a-z-]+)", text, flags=re.M)


def test_every_target_in_the_text_exists():
    targets = set(re.findall(r"^([a-z-]+):.*##", MAKEFILE, flags=re.M))
    targets_in_text = set(targets_in(f"{GUIDE}\n{HOST}"))
    assert {"test", "check", "bench"} <= targets_in_text <= targets


def test_every_path_and_registry_in_the_text_exists():
    places = re.findall(r"`((?:pigevo|conf|tests|docs)/[\w/.-]*)`", GUIDE)
    assert len(places) > 15
    assert [place for place in places if not (ROOT / place).exists()] == []
    registries = set(re.findall(r"`([A-Z]+S)`", GUIDE)) - {"STREAM_VERSION"}
    known = {name for _, name in GROUPS.values()} | {"STRATEGIES", "ALLOCATION_RULES", "LAUNCHERS"}
    assert {"SELECTIONS", "GAMES"} <= registries <= known


def test_servers_and_commits_call_the_same_targets_and_nothing_else():
    commands = [step["run"] for step in steps_of("tests", "docs") if "run" in step]
    assert [line for line in commands if not line.startswith(("make ", "apt-get "))] == []
    assert set(WORKFLOWS) == {"tests", "docs"}
    assert sorted(targets_in("\n".join(commands))) == sorted(targets_in(HOST))
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    assert hook["entry"] == "make check"
    assert "make check" in HOST.splitlines()


def test_the_host_tries_every_python_and_three_systems():
    matrix = WORKFLOWS["tests"]["jobs"]["suite"]["strategy"]["matrix"]
    declared = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())
    assert matrix["python"] == declared
    assert {system.split("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}


PROMISES = ROOT / "docs" / "promises.md"


def test_each_promise_names_a_test_that_exists():
    promises = re.findall(r"^- (.*?)(?=^- |^#|\Z)", PROMISES.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(promises) > 20
    for promise in promises:
        tests = re.findall(r"`((?:experiments/\w+/)?tests/[\w/]+\.py)::([\w:]+)`", promise)
        assert tests, promise
        for path, names in tests:
            source = (ROOT / path).read_text(encoding="utf-8")
            for name in names.split("::"):  # a class and its method, or a function
                assert re.search(rf"^ *(def|class) {name}\b", source, re.MULTILINE), (path, names)
