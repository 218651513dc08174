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
    ("~nothing", "no setting nothing to delete"),
    ("experiment=cube_randm", "no experiment 'cube_randm'; did you mean cube_random"),
    ("fitness=gams", "no fitness 'gams'; did you mean games"),
    ("game=100", f"game is one of {', '.join(choices('game'))}."),
    ("experiment=", "experiment is one of coevolve, coevolve_noisy, coevolve_noisy_archive"),
    (
        "experiment=[cube_random,knockout_random]",
        "experiment is one of coevolve, coevolve_noisy, coevolve_noisy_archive",
    ),
    ("experiment=cube_random experiment=knockout_random", "experiment is given twice"),
    ("mutation=lots", "mutation = lots is of the wrong kind: it must be a number"),
    ("seed=1.5", "seed = 1.5 is of the wrong kind: it must be a whole number"),
    ("force=maybe", "it must be true or false"),
    ("mutation=1.5", "mutation = 1.5 is out of range: it must be from 0 to 1"),
    ("seed=-1", "seed = -1 is out of range"),
    ("debug=fsat", "did you mean fast?"),
    ("population.size=21", "population.size = 21 is odd"),
    ("population=hold_at population.values=[]", "population.values is empty: give at least one, as in population."),
    ("population=score population.values=[20,-1]", "population.values = -1 is out of range: it must be at least 0"),
    ("selection=truncation selection.share=0", "selection.share = 0.0 is out of range: it must be above 0 and at most"),
    ("seed=9223372036854775808", "it must be from 0 to 9223372036854775807"),
    ("crossover=deap crossover.operator=cxTwoPonit", "did you mean cxTwoPoint"),
    ("crossover=deap crossover.operator=cxTwoPoint crossover.arguments.indpb=0.3", "it takes none"),
    ("mutator=deap mutator.operator=mutGaussian", "it takes mu, sigma, indpb"),
    ("game.target=0", "game.target = 0 is out of range"),
    ("game.target=ten", "game.target = 'ten' must be a whole number"),
    ("game.target=5000", "game: a target of 5000 is no game here"),
    ("+game.targt=50", "no setting game.targt"),
    ("game=piglet game.sides=6", f"it belongs to game={' or game='.join(WITH_SIDES)}."),
    ("cubes.sizes=[20,10]", "it belongs to cubes=waves"),
    ("fitness=exact fitness.games=50", "it belongs to fitness=archive_games or fitness=games or fitness=sets"),
    ("cubes=waves cubes.sizes=20", "cubes.sizes = 20 must be a list"),
    ("selection=deap selection.arguments.k=5", "multiple values for argument 'k'); it takes tournsize"),
    ("hydra.run.dir=", "hydra.run.dir is empty: write a folder"),
    ("hydra.foo=3", "hydra.foo changes nothing here; of Hydra"),
    ("mutation=0.1,0.2", "add -m to run each of them"),
    ("cubes.sizes=[20", "'cubes.sizes=[20' cannot be read"),
    ("mutation=${foo}", "mutation has no value that can be read"),
    ("mutation 0.005", "'mutation' has no value: write mutation=VALUE"),
    ("mutation = 0.005", "write mutation=0.005 without spaces"),
    ("=3", "sets nothing"),
    ("dule hold_at:20 optimal", "there is no command 'dule'; did you mean duel or rules?"),
    ("hold_at:20", "'hold_at:20' is a strategy: write pigevo show hold_at:20."),
    ("plot optimal", "there is no command 'plot'; did you mean show?"),
    ("evolve", "there is no command 'evolve'; did you mean experiment=cube_random?"),
    ("cube_random", "did you mean experiment=cube_random?"),
    ("seed=1 duel", "'duel' is a command, which comes first"),
    ("mutation:0.005", "Settings are written key=value."),
    ("--mutation 0.005", "settings are written key=value, without dashes"),
    ("--cfg jobb", "invalid choice: 'jobb'"),
    ("--cfg job -m", "--multirun and --cfg exclude each other"),
    ("--resolve", "unrecognized arguments: --resolve; settings are written key=value"),
    ("--config-dir /no/such/folder", "--config-dir: there is no folder '/no/such/folder'"),
    ("--config-name foo", "Cannot find primary config 'foo'"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=[w for w, _ in WRONG])
def test_one_sentence(refused, ran, tmp_path, words, message):
    refused(words, message)
    assert ran == []
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_value_in_a_sweep_stops_it_before_the_first_run(pigevo, ran):
    said = pigevo("-m mutation=0.1,oops")
    assert said.status == 2
    assert "mutation = oops is of the wrong kind" in said.err
    assert ran == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("experiment: other", "the experiment mine calls itself other"),
        ("experiment: mine\nmutatoin: 3", "in experiment/mine.yaml: there is no setting mutatoin"),
        ("experiment: mine\nmutation: lots", "in experiment/mine.yaml: mutation: Value 'lots'"),
        ("experiment: [mine", "is no YAML"),
        ("defaults:\n  - override /fitness: gams\nexperiment: mine", "no fitness 'gams'"),
    ],
)
def test_a_wrong_file_of_the_user(refused, ran, tmp_path, content, message):
    folder = tmp_path / "conf" / "experiment"
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(f"# @package _global_\n{content}\n")
    refused(f"--config-dir {tmp_path / 'conf'} experiment=mine", message)
    assert not (tmp_path / "outputs").exists()


def test_a_refusal_of_an_operator_leaves_nothing(pigevo, monkeypatch, tmp_path):
    def refuse(plan):
        raise InputError("cubes.sizes do not fit.")

    monkeypatch.setattr("pigevo.settings.settings.try_out", refuse)
    said = pigevo("experiment=cube_random")
    assert (said.status, said.err) == (2, "pigevo: cubes.sizes do not fit.\n")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_another_process_works_in_is_left_alone(pigevo, ran, monkeypatch):
    pigevo("seed=0")
    folder = ran[0][1]

    def refuse(settings, folder, *_):
        with locked(folder):
            raise AssertionError("the lock is held")

    monkeypatch.setattr("pigevo.runs.run", refuse)
    with locked(folder):
        said = pigevo("seed=0")
    assert said.status == 2
    assert "another process is at work" in said.err
    assert [path.name for path in folder.iterdir()] == [".lock"]


def test_a_bug_in_a_run_is_no_wrong_input(pigevo, monkeypatch):
    def fail(settings, folder, *_):
        raise ValueError("a bug")

    monkeypatch.setattr("pigevo.runs.run", fail)
    with pytest.raises(ValueError, match="a bug"):
        pigevo("seed=1")


def test_interrupted(pigevo, monkeypatch):
    def interrupt(settings, folder, *_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pigevo.runs.run", interrupt)
    said = pigevo("seed=1")
    assert (said.status, said.err) == (130, "pigevo: interrupted.\n")


def test_full_traces_on_request(pigevo, monkeypatch):
    monkeypatch.setenv("HYDRA_FULL_ERROR", "1")
    with pytest.raises(InputError):
        pigevo("mutation=7")


def test_environment_is_left_alone(pigevo):
    pigevo("mutation=7")
    assert "HYDRA_FULL_ERROR" not in os.environ


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
        "explain --help",
    )
    code = (
        f"import sys; from pigevo.cli import main\nfor line in {lines!r}:\n    main(line.split())\n"
        "    print('LOADED', line, sorted({'numba', 'scipy', 'matplotlib', 'deap'} & set(sys.modules)))"
    )
    said = _python(code, tmp_path).stdout
    assert all(f"LOADED {line} []" in said for line in lines), said


def test_a_reader_who_leaves(tmp_path):
    program = f"{sys.executable} -m pigevo --cfg job | head -c 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "e"


PRINTING = ["duel hold_at:3 hold_at:4 --target 9", "--help", "--cfg job"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(("words", "python"), [*((words, "") for words in PRINTING), ("--version", "-u")])
def test_output_that_cannot_be_written(words, python, tmp_path):
    program = f"{sys.executable} {python} -m pigevo {words} > /dev/full"
    done = subprocess.run(["bash", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == "pigevo: standard output cannot be written: No space left on device.\n"
    assert done.returncode == 2


@pytest.mark.parametrize("words", ["--help", "game.target=12 debug=fast"])
def test_closed_output(words, tmp_path):
    program = f"{sys.executable} -m pigevo {words} >&-"
    done = subprocess.run(["bash", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == "pigevo: standard output is closed: send it to a file, or to /dev/null.\n"
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_another_error_of_the_system_is_no_matter_of_the_output(pigevo, monkeypatch, capsys):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pigevo.cli.entry._dispatch", fail)
    with pytest.raises(OSError, match="No space left"):
        pigevo("--version")


@pytest.mark.parametrize("words", [["duel", "a", "b"], []])
def test_a_python_without_the_packages(words, tmp_path):
    """An environment that was not activated: nothing is installed."""
    import pigevo

    done = subprocess.run(
        [sys.executable, "-S", "-m", "pigevo", *words], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(Path(pigevo.__file__).parents[1])},
    )  # fmt: skip
    assert done.stderr == (
        f"pigevo: {sys.executable} lacks click, deap, hydra-core, matplotlib, numba, numpy, scipy and tqdm: activate "
        "the environment that has pigevo (`source .venv/bin/activate`), or do `pip install .` in the folder of its source.\n"
    )
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("module", "package", "words"),
    [
        ("hydra", "hydra-core", ["--cfg", "job"]),
        ("omegaconf", "omegaconf", ["--cfg", "job"]),
        ("numba", "numba", ["duel", "a", "b"]),
    ],
)
def test_one_package_is_missing(module, package, words, tmp_path):
    code = f"import sys; sys.modules[{module!r}] = None\nfrom pigevo.cli import main; sys.exit(main({words!r}))"
    done = _python(code, tmp_path)
    assert done.stderr.startswith(f"pigevo: {sys.executable} lacks {package}: activate")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert list(tmp_path.iterdir()) == []


def test_a_module_of_pigevo_that_is_missing_is_a_bug(pigevo, monkeypatch):
    def fail(*_):
        import pigevo.nothing  # noqa: F401

    monkeypatch.setattr("pigevo.cli.entry._dispatch", fail)
    with pytest.raises(ModuleNotFoundError):
        pigevo("--version")


def test_as_a_module(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "pigevo", "seed=-1"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("pigevo: seed = -1")
