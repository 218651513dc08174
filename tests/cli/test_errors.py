"""Every wrong word is one line that says what was wrong, status 2, and leaves nothing behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pigevo.errors import InputError
from pigevo.games import GAMES
from pigevo.settings.schema import choices
from pigevo.storage.lock import locked

WITH_SIDES = [name for name in GAMES if "sides" in GAMES[name].options]
WRONG = [
    ("mutatoin=0.005", "no setting mutatoin; did you mean mutation"),
    ("target=50", "did you mean game.target?"),
    ("+mutatoin=3", "no setting 'mutatoin'; did you mean mutation"),
    ("+mutation=0.1", "write mutation=VALUE without +"),
    ("~mutation", "the setting mutation is missing"),
    ("experiment=cube_randm", "no experiment 'cube_randm'; did you mean cube_random"),
    ("game=100", f"game is one of {', '.join(choices('game'))}."),
    ("experiment=cube_random experiment=knockout_random", "experiment is given twice"),
    ("seed=1.5", "seed = 1.5 is of the wrong kind: it must be a whole number"),
    ("mutation=1.5", "mutation = 1.5 is out of range: it must be from 0 to 1"),
    ("population.size=21", "population.size = 21 is odd"),
    ("population=score population.values=[20,-1]", "population.values = -1 is out of range: it must be at least 0"),
    ("seed=9223372036854775808", "it must be from 0 to 9223372036854775807"),
    ("crossover=deap crossover.operator=cxTwoPoint crossover.arguments.indpb=0.3", "it takes none"),
    ("game.target=5000", "game: a target of 5000 cannot be played"),
    ("game=piglet game.sides=6", f"it belongs to game={' or game='.join(WITH_SIDES)}."),
    ("cubes=waves cubes.sizes=20", "cubes.sizes = 20 must be a list"),
    ("hydra.run.dir=", "hydra.run.dir is empty: write a folder"),
    ("hydra.foo=3", "hydra.foo changes nothing here; of Hydra"),
    ("mutation=0.1,0.2", "add -m to run each of them"),
    ("cubes.sizes=[20", "'cubes.sizes=[20' cannot be read"),
    ("mutation=${foo}", "mutation has no value that can be read"),
    ("mutation = 0.005", "write mutation=0.005 without spaces"),
    ("=3", "sets nothing"),
    ("dule hold_at:20 optimal", "there is no command 'dule'; did you mean duel or rules?"),
    ("noisy:0.05,optimal", "'noisy:0.05,optimal' is a strategy: write pigevo show noisy:0.05,optimal."),
    ("hold_at:20", "'hold_at:20' is a strategy: write pigevo show hold_at:20."),
    ("evolve", "there is no command 'evolve'; did you mean experiment=cube_random?"),
    ("seed=1 duel", "'duel' is a command, which comes first"),
    ("--mutation 0.005", "settings are written key=value, without dashes"),
    ("--cfg jobb", "invalid choice: 'jobb'"),
    ("--cfg job -m", "--multirun and --cfg exclude each other"),
    ("--resolv", "unrecognized arguments: --resolv; settings are written key=value"),
    ("--resolve --cfg job", "--resolve is not an option of pigevo: `pigevo --cfg job` shows values that are resolved"),
    ("--info config", "--info is not an option of pigevo: `pigevo --cfg all` shows what was composed"),
    ("-p game --cfg job", "-p is not an option of pigevo: `pigevo --cfg job` shows all settings"),
    ("-m seed=1,2 hydra/sweeper=optuna", "to search among them with Optuna, write `pigevo tune`"),
    ("-m seed=1,2 hydra/launcher=joblib", "hydra.launcher.workers=N does N runs at a time"),
    ("-m seed=1,2 hydra.launcher.n_jobs=2", "hydra.launcher.n_jobs; hydra.launcher.workers=N does N runs at a time"),
    ("--config-dir /no/such/folder", "--config-dir: there is no folder '/no/such/folder'"),
    ("--config-name foo", "Cannot find primary config 'foo'"),
    ("-m mutation=0.1,oops", "mutation = oops is of the wrong kind"),
]
WRONG_FILES = [
    ("experiment: other", "the experiment mine calls itself other"),
    ("experiment: mine\nmutatoin: 3", "in experiment/mine.yaml: there is no setting mutatoin"),
    ("experiment: mine\nmutation: lots", "in experiment/mine.yaml: mutation: Value 'lots'"),
    ("experiment: [mine", "is not valid YAML"),
    ("defaults:\n  - override /fitness: gams\nexperiment: mine", "no fitness 'gams'"),
]


def raising(error):
    def fail(*_):
        raise error

    return fail


def test_one_sentence(refused, ran, tmp_path):
    for words, message in WRONG:
        refused(words, message)
    assert ran == []
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_file_of_the_user(refused, ran, tmp_path):
    folder = tmp_path / "conf" / "experiment"
    folder.mkdir(parents=True)
    for content, message in WRONG_FILES:
        (folder / "mine.yaml").write_text(f"# @package _global_\n{content}\n")
        refused(f"--config-dir {tmp_path / 'conf'} experiment=mine", message)
    assert not (tmp_path / "outputs").exists()


def test_a_refusal_of_an_operator_leaves_nothing(pigevo, monkeypatch, tmp_path):
    monkeypatch.setattr("pigevo.settings.settings.try_out", raising(InputError("cubes.sizes do not fit.")))
    output = pigevo("experiment=cube_random")
    assert (output.status, output.err) == (2, "pigevo: cubes.sizes do not fit.\n")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_another_process_works_in_is_left_alone(pigevo, ran, monkeypatch):
    pigevo("seed=0")
    folder = ran[0][1]

    def refuse(settings, folder, *_):
        with locked(folder):
            raise AssertionError("the lock is held")

    monkeypatch.setattr("pigevo.runs.run", refuse)
    with locked(folder):
        output = pigevo("seed=0")
    assert output.status == 2
    assert "another process is at work" in output.err
    assert [path.name for path in folder.iterdir()] == [".lock"]


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("pigevo.runs.run", ValueError("a bug")),
        ("pigevo.cli.entry._dispatch", OSError(28, "No space left on device")),
        ("pigevo.cli.entry._dispatch", ModuleNotFoundError("pigevo.nothing", name="pigevo.nothing")),
    ],
)
def test_a_bug_is_no_wrong_input_nor_a_matter_of_the_output(pigevo, monkeypatch, place, error):
    monkeypatch.setattr(place, raising(error))
    with pytest.raises(type(error), match=str(error).replace("[", r"\[")):
        pigevo("seed=1")


def test_interrupted_and_full_traces_on_request(pigevo, monkeypatch):
    monkeypatch.setattr("pigevo.runs.run", raising(KeyboardInterrupt()))
    output = pigevo("seed=1")
    assert (output.status, output.err) == (130, "pigevo: interrupted.\n")
    assert "HYDRA_FULL_ERROR" not in os.environ
    monkeypatch.setenv("HYDRA_FULL_ERROR", "1")
    with pytest.raises(InputError):
        pigevo("mutation=7")


def _python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


def test_started_fast(tmp_path):
    """Help, a typo, a refused value and a composed config import nothing heavy."""
    lines = (
        "--help",
        "--version",
        "mutatoin=1",
        "mutation=7",
        "--cfg job",
        "duel --help",
        "tournament --help",
        "dynamics --help",
    )
    code = (
        f"import sys; from pigevo.cli import main\nfor line in {lines!r}:\n    main(line.split())\n"
        "    print('LOADED', line, sorted({'numba', 'scipy', 'matplotlib', 'deap'} & set(sys.modules)))"
    )
    output = _python(code, tmp_path).stdout
    assert all(f"LOADED {line} []" in output for line in lines), output


def _shell(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", program], cwd=folder, capture_output=True, text=True, check=False)


def test_a_reader_who_leaves(tmp_path):
    done = _shell(f"{sys.executable} -m pigevo --help | head -c 1; exit ${{PIPESTATUS[0]}}", tmp_path)
    assert (done.stderr, len(done.stdout)) == ("", 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", ["--help", pytest.param("--cfg job", marks=pytest.mark.slow)])
def test_output_that_cannot_be_written(words, tmp_path):
    done = _shell(f"{sys.executable} -m pigevo {words} > /dev/full", tmp_path)
    assert done.stderr == "pigevo: standard output cannot be written: No space left on device.\n"
    assert done.returncode == 2


def test_closed_output(tmp_path):
    for words in ("--help", "game.target=12 debug=fast"):
        done = _shell(f"{sys.executable} -m pigevo {words} >&-", tmp_path)
        assert done.stderr == "pigevo: standard output is closed: send it to a file, or to /dev/null.\n"
        assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_a_python_without_the_packages(tmp_path):
    """An environment that was not activated: nothing is installed."""
    import pigevo

    done = subprocess.run(
        [sys.executable, "-S", "-m", "pigevo", "duel", "a", "b"], cwd=tmp_path, capture_output=True, text=True,
        check=False, env={"PYTHONPATH": str(Path(pigevo.__file__).parents[1])},
    )  # fmt: skip
    lacks = "lacks click, deap, hydra-core, matplotlib, numba, numpy, scipy and tqdm: activate the environment"
    assert done.stderr.startswith(f"pigevo: {sys.executable} {lacks}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("module", "package", "words"), [("hydra", "hydra-core", ["--cfg", "job"]), ("numba", "numba", ["duel", "a", "b"])]
)
def test_one_package_is_missing(module, package, words, tmp_path):
    code = f"import sys; sys.modules[{module!r}] = None\nfrom pigevo.cli import main; sys.exit(main({words!r}))"
    done = _python(code, tmp_path)
    assert done.stderr.startswith(f"pigevo: {sys.executable} lacks {package}: activate")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert list(tmp_path.iterdir()) == []
