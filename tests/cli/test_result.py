"""What a run says: its result on standard output, its course on standard error, and commands that work."""

import json
import shlex
from pathlib import Path

import pytest
import yaml

import pigevo as package
from pigevo.cli.summary import advice, summary
from pigevo.runs.result import sentences
from pigevo.settings.settings import Settings
from pigevo.sweeps.run_sweep import combinations
from tests.cli.small import RUN

MEMBERS = {"value": 0.24, "sample": 6000, "reached": 860, "low": 0.13, "high": 0.15, "largest": 0.39}
NONE = {**MEMBERS, "reached": 0, "low": 0.0, "high": 0.000499}
MEANS = {"value": 0.38, "sample": 300, "reached": 0, "low": 0.0, "high": 0.0099, "largest": 0.21, "recorded": 61}
SEARCH = {"cubes": "20", "strategies": 6020, "games": 320_000, "by_matches": 0.3716}
FINE = {**SEARCH, "cubes": "5", "by_matches": 0.2052}
BASE = {
    "populations": 300, "members": 6000, "own_mean": 0.1725, "own_interval": [0.171, 0.174], "own_best": 0.3868,
    "cells_mean": 0.1165, "cells_interval": [0.1164, 0.1167], "cells_best": 0.1462,
    "peak_among_means": {**MEANS, "best_of_recorded_bound": 1e-26},
    "champion_among_members": {"20": MEMBERS, "5": {**MEMBERS, "reached": 2}}, "random_search": [SEARCH, FINE],
}  # fmt: skip
RECORD = {
    "champion": {"first": 0.27, "second": 0.21, "overall": 0.24}, "peak_mean": 0.3833, "peak_generation": 105,
    "last_mean": 0.218, "optimum_overall": 0.5, "generations": 300, "evaluations": 6020, "games": 319_000, "seconds": 3.2, "baseline": BASE,
}  # fmt: skip


@pytest.fixture(scope="module")
def summary_lines():
    settings = Settings.of("cube_random", mutation=0.005)

    def make(**base):
        return summary({**RECORD, "baseline": {**BASE, **base}}, settings, Path("outputs/x"))

    return make


def test_random_search_by_the_same_matches_stands_first(summary_lines):
    output = summary_lines()
    assert max(map(len, output.splitlines())) <= 100
    output = " ".join(output.split())
    for part in (
        "Random search, with as many strategies and the same matches, finds one that wins 37.2 % with",
        "20.5 % with cubes of 5, the champion's own.",
        "6,020 with cubes of 20: 0.3716 chosen by the same matches",
        "6,020 with cubes of 5: 0.2052 chosen by the same matches",
        "as good as the champion with cubes of 5: 2 of 6,000; the best wins 0.3900",
        "mean of 300 random populations: 0.1725 (0.1710 to 0.1740); with single cells 0.1165 (0.1164 to 0.1167)",
    ):
        assert part in output
    fewer = {"random_search": [{**SEARCH, "strategies": 2000}], "own_interval": [None, None], "populations": 1}
    output = " ".join(summary_lines(**fewer).split())
    assert "Random search, with 2,000 strategies and the same" in output
    assert "mean of 1 random populations: 0.1725; with" in output


def test_a_champion_that_none_reaches_has_the_bound_of_its_sample_and_nothing_else(summary_lines):
    output = summary_lines(champion_among_members={"20x10x15": NONE, "5x10x15": NONE})
    assert " ".join(output.split()).count("none of 6,000, fewer than 1 in 2,003 (95 %)") == 2
    assert " 0 (" not in output
    assert max(map(len, output.splitlines())) <= 100


@pytest.mark.parametrize(("bound", "chance"), [(1e-26, "1 in 1,000,000 "), (0.049, "1 in 20 "), (0.051, ""), (1.0, "")])
def test_a_bound_for_populations_is_printed_where_it_says_something(summary_lines, bound, chance):
    output = " ".join(summary_lines(peak_among_means={**MEANS, "best_of_recorded_bound": bound}).split())
    best = "; even the best of 61, as many as the run recorded, would get there with a probability below "
    assert "populations as good on average as this one at its best: none of 300" in output
    assert (best in output) == bool(chance)
    assert not chance or f"{best}{chance}(95 %)" in output


pytestmark = pytest.mark.usefixtures("no_pictures")


def test_the_result_is_on_standard_output_and_the_course_on_standard_error(pigevo):
    output = pigevo(f"{RUN} fitness.games=30")
    overall = json.loads(Path("run/result.json").read_text())["champion"]["overall"]
    sentence = f"The champion wins {100 * overall:.1f} % against the optimal strategy; 50 % is the best"
    assert output.out.startswith(sentence)
    assert f"champion       wins {overall:.4f} against the optimal strategy, exactly" in output.out
    assert "folder         run" in output.out
    assert "6 generations, population of 6" in output.err
    assert "The champion wins" not in output.err
    assert "generations, population of" not in output.out
    again = pigevo(f"{RUN} fitness.games=30")
    assert again.out == output.out
    assert again.err == "finished before (force=true runs it again)\n"
    advised = output.out.partition("try next\n")[2].splitlines()
    assert [line.startswith("      ") for line in advised] == [False, True, False, True]


def test_json_is_the_result_and_nothing_else(answer, finished):
    for words in (f"{RUN} fitness.games=30 --json", f"--json {RUN} fitness.games=30", "resume run --json"):
        assert json.loads(answer(words)) == json.loads((finished / "result.json").read_text())


def test_it_says_what_was_lost_and_what_random_search_finds():
    search = {"cubes": "1", "strategies": 10**6, "by_matches": 0.31}
    first, second = sentences(RECORD | {"baseline": {"random_search": [search], "champion_among_members": MEMBERS}})[:2]
    wins = "The champion wins 24.0 % against the optimal strategy"
    assert first.startswith(f"{wins}; 50 % is the best there is. Random search, with as many")
    assert first.endswith("strategies and the same matches, finds one that wins 31.0 %.")
    assert second.startswith("The population was best in generation 105 of 300, when it won 38.3 % on average;")
    for mean, ending in ((0.3733, "it has lost 1.0 percentage points since."), (0.3833, "and has kept what it found.")):
        assert sentences(RECORD | {"last_mean": mean})[1].endswith(ending)
    plain = RECORD | {"baseline": None}
    draws = "; 55.1 % is the best there is, as this game counts draws."
    assert sentences(plain | {"optimum_overall": 0.5507})[0] == f"{wins}{draws}"
    del plain["optimum_overall"]  # as in records of before
    assert sentences(plain)[0] == f"{wins}."


def test_a_sweep_says_where_it_lies_in_json(record_of, monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.run_sweep.drive", lambda jobs, words, home, launcher: home / "name")
    record = record_of("-m seed=1,2 debug=fast")
    assert record == {"sweep": str(Path("outputs/sweeps/name").absolute()), "runs": 2}


DEAD = [
    ("experiment=rediscover", ["mutation", "generations"]),
    ("", []),
    pytest.param("experiment=cube_random", ["generations"], marks=pytest.mark.slow),
    pytest.param("mutator=boundary", ["mutation"], marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("words", "dead"), DEAD)
def test_cfg_shows_what_will_happen(answer, words, dead):
    output = answer(f"{words} seed=3 --cfg job")
    values = yaml.safe_load(output)
    settings = Settings.of(*words.split(), "seed=3")
    assert {"mutation", "generations"} - set(values) == set(dead)
    assert "hydra" not in values
    assert Settings.read(values, base=settings.base) == settings
    assert output.splitlines()[-1] == f"# folder: outputs/{settings.folder}"
    assert not Path("outputs").exists()


def test_cfg_shows_hydra_s_own_settings_too(answer):
    assert set(yaml.safe_load(answer("--cfg hydra"))) == {"hydra"}
    assert {"hydra", "seed"} <= set(yaml.safe_load(answer("--cfg all")))
    assert "# folder: elsewhere" in answer("--cfg job hydra.run.dir=elsewhere")


OWN = "import numpy as np\ndef mixed(first, second, context, share: float = 0.5): return first\n"
SETTINGS = [
    [],
    ["experiment=cube_random", "mutation=0.005", "seed=3"],
    ["experiment=rediscover", "debug=fast", "game.target=24", "cubes.sizes=[8,[4,4,1],1]"],
    ["crossover=deap", "crossover.operator=cxUniform", "crossover.arguments.indpb=0.3", "fitness=exact"],
    ["population=named", "population.names=['hold_at:5','keep_pace_and_end_race:21,8,29']", "game=pig"],
    ["fitness=exact_vs", "fitness.opponent=hold_at:25", "mutation=1e-5"],
    ["experiment=knockout_hold_at", "fitness.games=50", "fitness.paired=true", "game.allow_pass=true"],
    ["crossover=custom", "crossover.function=own/ops.py:mixed", "crossover.options.share=0.3", "record_every=7"],
    ["fitness=exact_vs", "fitness.opponent='outputs/mutation=0.1,seed=3 (best)'", "population.size=8"],
    ["game=piglet", "game.target=10", "selection=truncation", "selection.share=0.25", "baseline=random_search"],
]


@pytest.mark.parametrize(
    ("words", "last"),
    [(words, (0.2, 0.3)[n % 2]) if n == 7 else pytest.param(words, (0.2, 0.3)[n % 2], marks=pytest.mark.slow)
     for n, words in enumerate(SETTINGS)],
)  # fmt: skip
def test_every_command_that_is_advised_works_and_changes_what_it_says_alone(words, last, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "ops.py").write_text(OWN)
    package.hold_at(package.Pig(), 20).save("outputs/mutation=0.1,seed=3 (best)/champion.npz")
    settings = Settings.of(*words)
    advised = list(advice(RECORD | {"last_mean": last}, settings, Path("a run")))
    assert len(advised) >= 2
    for command, about in advised:
        assert about
        *program, change = shlex.split(command)
        if program[:2] == ["pigevo", "duel"]:
            assert (program[2], change) == ("a run", "optimal")
            continue
        assert program[:3] == ["python", "-m", "pigevo"]
        assert "custom" not in command  # a function of one's own as one types it
        rest = [word for word in program[3:] if word != "-m"]
        key, _, _ = change.partition("=")
        for run in combinations([*rest, change]):
            settings_of_command = Settings.of(*run)
            assert settings_of_command.plan
            if key == "experiment":
                continue
            identity = settings_of_command.identity
            assert {name for name in settings.identity if identity.get(name) != settings.identity[name]} <= {key}
        if key == "seed":
            assert len(combinations([*rest, change])) == 10
