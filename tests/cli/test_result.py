"""What a run says: its result on standard output, its course on standard error, and commands that work."""

import json
import shlex
from pathlib import Path

import pytest
import yaml

import pigevo as package
from pigevo.cli.summary import advice, summary
from pigevo.runs.sentences import sentences
from pigevo.settings.settings import Settings
from pigevo.sweeps.planning import combinations
from tests.cli.small import RUN

pytestmark = pytest.mark.usefixtures("no_pictures")

RECORD = {
    "champion": {"first": 0.26, "second": 0.22, "overall": 0.24}, "peak_mean": 0.3, "peak_generation": 20,
    "last_mean": 0.2, "optimum_overall": 0.5, "generations": 100, "evaluations": 2000, "games": 100000, "seconds": 3.25, "baseline": None,
}  # fmt: skip


def test_the_result_is_on_standard_output_and_the_course_on_standard_error(pigevo):
    said = pigevo(f"{RUN} fitness.games=30")
    record = json.loads(Path("run/result.json").read_text())
    overall = record["champion"]["overall"]
    assert said.out.startswith(
        f"The champion wins {100 * overall:.1f} % against the optimal strategy; 50 % is the best"
    )
    assert f"champion       wins {overall:.4f} against the optimal strategy, exactly" in said.out
    assert f"folder         {Path('run')}" in said.out
    assert "6 generations, population of 6" in said.err
    assert "The champion wins" not in said.err
    assert "generations, population of" not in said.out
    again = pigevo(f"{RUN} fitness.games=30")
    assert again.out == said.out
    assert again.err == "finished before (force=true runs it again)\n"


def test_json_is_the_result_and_nothing_else(pigevo, finished):
    for words in (f"{RUN} fitness.games=30 --json", f"--json {RUN} fitness.games=30", "resume run --json"):
        assert json.loads(pigevo(words).out) == json.loads((finished / "result.json").read_text())


def test_a_sweep_says_where_it_lies_in_json(pigevo, monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.run_sweep.drive", lambda jobs, words, home, launcher: home / "name")
    record = json.loads(pigevo("-m seed=1,2 debug=fast --json").out)
    assert record == {"sweep": str(Path("outputs/sweeps/name").absolute()), "runs": 2}


DEAD = [
    ("experiment=rediscover", ["mutation", "generations"]),
    ("", []),
    pytest.param("experiment=cube_random", ["generations"], marks=pytest.mark.slow),
    pytest.param("mutator=boundary", ["mutation"], marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("words", "dead"), DEAD)
def test_cfg_shows_what_will_happen(pigevo, words, dead):
    said = pigevo(f"{words} seed=3 --cfg job")
    values = yaml.safe_load(said.out)
    settings = Settings.of(*words.split(), "seed=3")
    assert {"mutation", "generations"} - set(values) == set(dead)
    assert "hydra" not in values
    assert Settings.read(values, base=settings.base) == settings
    assert said.out.splitlines()[-1] == f"# folder: outputs/{settings.folder}"
    assert not Path("outputs").exists()


def test_cfg_shows_hydra_s_own_settings_too(pigevo):
    assert set(yaml.safe_load(pigevo("--cfg hydra").out)) == {"hydra"}
    assert {"hydra", "seed"} <= set(yaml.safe_load(pigevo("--cfg all").out))
    assert "# folder: elsewhere" in pigevo("--cfg job hydra.run.dir=elsewhere").out


def first_paragraph(record):
    return " ".join(summary(record, Settings.of(), Path("x")).partition("\n\n")[0].split())


def test_it_says_what_was_lost_and_what_random_search_finds():
    place = {"value": 0.24, "sample": 6000, "reached": 1200, "chance": 0.2, "bound": 0.21, "tries": 2000,
             "best_of_tries": 1.0, "best_of_tries_bound": 1.0, "largest": 0.3}  # fmt: skip
    found = {"cubes": "1", "strategies": 10**6, "by_matches": 0.31, "by_referee": 0.33}
    base = {"random_search": [found], "champion_among_members": place}
    assert sentences(RECORD | {"baseline": base}) == (
        "The champion wins 24.0 % against the optimal strategy; 50 % is the best there is. Random search, with as many "
        "strategies and the same matches, finds one that wins 31.0 %.",
        "The population was best in generation 20 of 100, when it won 30.0 % on average; it has lost 10.0 points since.",
    )
    assert sentences(RECORD | {"last_mean": 0.29})[1].endswith("it has lost 1.0 points since.")
    assert sentences(RECORD | {"last_mean": 0.3})[1].endswith("and has kept what it found.")


def test_the_best_there_is_is_what_the_optimum_wins_against_itself():
    assert sentences(RECORD | {"optimum_overall": 0.5507})[0] == (
        "The champion wins 24.0 % against the optimal strategy; 55.1 % is the best there is, as this game counts draws."
    )
    former = {key: value for key, value in RECORD.items() if key != "optimum_overall"}
    assert sentences(former)[0] == "The champion wins 24.0 % against the optimal strategy."


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


def test_a_function_of_ones_own_is_advised_as_one_types_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "ops.py").write_text(OWN)
    settings = Settings.of("crossover=own/ops.py:mixed", "crossover.options.share=0.3")
    found = [command for command, _ in advice(RECORD, settings, Path("a run")) if "crossover" in command]
    assert found
    for command in found:
        assert f"crossover={tmp_path}/own/ops.py:mixed" in command
        assert "custom" not in command


@pytest.mark.slow
@pytest.mark.parametrize("words", SETTINGS, ids=" ".join)
@pytest.mark.parametrize("last", [0.2, 0.3])
def test_every_command_that_is_advised_works_and_changes_what_it_says_alone(words, last, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "ops.py").write_text(OWN)
    place = tmp_path / "outputs" / "mutation=0.1,seed=3 (best)"
    place.mkdir(parents=True)
    package.hold_at(package.Pig(), 20).save(place / "champion.npz")
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
        rest = [word for word in program[3:] if word != "-m"]
        key, _, _ = change.partition("=")
        for run in combinations([*rest, change]):
            found = Settings.of(*run)
            assert found.plan
            if key == "experiment":
                continue
            changed = {name for name in settings.identity if found.identity.get(name) != settings.identity[name]}
            assert changed <= {key}
        if key == "seed":
            assert len(combinations([*rest, change])) == 10


def test_two_commands_are_advised(pigevo):
    said = pigevo(f"{RUN} fitness.games=30").out
    tail = said.splitlines()[said.splitlines().index("try next") + 1 :]
    assert len(tail) == 4
    assert [line.startswith("      ") for line in tail] == [False, True, False, True]
