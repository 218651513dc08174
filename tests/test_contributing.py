"""What CONTRIBUTING.md and the page of promises say is true: targets, paths, registries, checks, workflows and tests."""

import re
from pathlib import Path

import yaml

from pigevo.settings.schema import GROUPS

ROOT = Path(__file__).parents[1]
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
