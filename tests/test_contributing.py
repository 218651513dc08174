"""What CONTRIBUTING.md says is true: targets, paths, registries, checks and workflows."""

import re
from pathlib import Path

import yaml

from pigevo.settings.schema import GROUPS

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / ".github" / "workflows").glob("*.yml")}


def commands_of(target):
    """What a target of the Makefile does, without the environment and with its variables left out."""
    lines = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, flags=re.M).group(1).splitlines()
    return [line.strip().replace("$(BIN)/", "") for line in lines]


def steps_of(*names):
    return [step for name in names for job in WORKFLOWS[name]["jobs"].values() for step in job["steps"]]


def test_every_target_in_the_text_exists():
    targets = set(re.findall(r"^([a-z-]+):.*##", MAKEFILE, flags=re.M))
    runs = "\n".join(step.get("run", "") for step in steps_of(*WORKFLOWS))
    targets_in_text = set(re.findall(r"(?:`|^|&& )make ([a-z-]+)", f"{GUIDE}\n{runs}", flags=re.M))
    assert {"test", "check", "bench"} <= targets_in_text <= targets


def test_every_path_and_registry_in_the_text_exists():
    places = re.findall(r"`((?:pigevo|conf|tests|docs)/[\w/.-]*)`", GUIDE)
    assert len(places) > 15
    assert [place for place in places if not (ROOT / place).exists()] == []
    registries = set(re.findall(r"`([A-Z]+S)`", GUIDE)) - {"STREAM_VERSION"}
    known = {name for _, name in GROUPS.values()} | {"STRATEGIES", "SPENDINGS"}
    assert {"SELECTIONS", "GAMES"} <= registries <= known


def test_commits_and_the_host_are_checked_as_make_check_does():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    workflows = " ".join(f".github/workflows/{name}.yml" for name in ("tests", "docs"))
    assert [hook["entry"] for hook in hooks] == [
        line.replace(".github/workflows/*.yml", workflows) for line in commands_of("check")
    ]
    assert set(WORKFLOWS) == {"tests", "docs"}
    assert "make check" in [step.get("run") for step in steps_of("tests")]
    assert "make check" in (ROOT / ".ci" / "run").read_text().splitlines()


def test_the_host_tries_every_python_and_three_systems():
    matrix = WORKFLOWS["tests"]["jobs"]["suite"]["strategy"]["matrix"]
    declared = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())
    assert matrix["python"] == declared
    assert {system.split("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}
