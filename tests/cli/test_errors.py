"""Errors that are no wrong words: bugs, interrupts, streams, packages and settings that are missing or damaged."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pigevo.cli import entry
from pigevo.cli.commands import command_names
from pigevo.errors import InputError
from pigevo.settings.compose import Composer
from pigevo.settings.schema import CHOICES
from pigevo.settings.settings import Settings
from pigevo.storage.files import locked
from tests.cli.small import RUN
from tests.small import environment_of_a_process

PROGRAM = f"{sys.executable} -m pigevo"
WRONG_FILES = [
    ("experiment: other", "the experiment mine calls itself other"),
    ("experiment: mine\nmutatoin: 3", "in experiment/mine.yaml: there is no setting mutatoin"),
    ("experiment: mine\nmutation: lots", "in experiment/mine.yaml: mutation: Value 'lots'"),
    ("experiment: [mine", "is not valid YAML"),
    ("defaults:\n  - override /fitness: gams\nexperiment: mine", "no fitness 'gams'"),
]


def raising(error):
    def fail(*_, **__):
        raise error

    return fail


def shell(command, folder, **environment):
    """A command line of bash, in a process that finds this pigevo."""
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False,
        env=environment_of_a_process() | environment,
    )  # fmt: skip


def python(code, folder):
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


def test_a_wrong_file_of_the_user(refused, ran, tmp_path):
    folder = tmp_path / "conf" / "experiment"
    folder.mkdir(parents=True)
    for content, message in WRONG_FILES:
        (folder / "mine.yaml").write_text(f"# @package _global_\n{content}\n")
        refused(f"--config-dir {tmp_path / 'conf'} experiment=mine", message)
    assert not (tmp_path / "outputs").exists()


def test_a_refusal_of_an_operator_leaves_nothing(refused, monkeypatch, tmp_path):
    monkeypatch.setattr("pigevo.settings.settings.try_out", raising(InputError("cubes.sizes do not fit.")))
    refused("experiment=cube_random", "pigevo: cubes.sizes do not fit.\n")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_another_process_works_in_is_left_alone(refused, tmp_path):
    folder = tmp_path / "outputs" / Settings.of("debug=fast").folder
    with locked(folder):
        refused("debug=fast", "another process is at work")
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
    with pytest.raises(type(error)) as raised:
        pigevo("seed=1")
    assert raised.value is error


def test_interrupted_and_full_traces_on_request(pigevo, monkeypatch):
    monkeypatch.setattr("pigevo.runs.run", raising(KeyboardInterrupt()))
    output = pigevo("seed=1")
    assert (output.status, output.err) == (130, "pigevo: interrupted.\n")
    assert "HYDRA_FULL_ERROR" not in os.environ
    monkeypatch.setenv("HYDRA_FULL_ERROR", "1")
    with pytest.raises(InputError):
        pigevo("mutation=7")


def interrupted_import(then):
    """An import of a package that Ctrl-C reaches, and which does something else with it."""

    def dispatch(words, began):
        try:
            signal.getsignal(signal.SIGINT)(signal.SIGINT, None)
        except KeyboardInterrupt:
            return then()
        raise AssertionError("Ctrl-C did not come")

    return dispatch


def test_an_interrupt_that_a_package_turns_into_another_error_is_called_so(pigevo, monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    for error in (RuntimeError("Error calling __set_name__"), ImportError("numba._devicearray failed to import")):
        monkeypatch.setattr(entry, "_dispatch", interrupted_import(raising(error)))
        output = pigevo("seed=1")
        assert (output.status, output.err) == (130, "pigevo: interrupted.\n")
    assert signal.getsignal(signal.SIGINT) == before


def test_a_run_stops_after_an_interrupt_that_a_package_has_swallowed(pigevo, monkeypatch):
    dispatch = entry._dispatch
    monkeypatch.setattr(
        entry, "_dispatch", lambda words, began: interrupted_import(lambda: dispatch(words, began))(0, 0)
    )
    output = pigevo(RUN)
    assert output.status == 130
    assert "goes on from there" in output.err


FAST = ("--version", "mutatoin=1", "mutation=7", "--cfg job", "--help", *(f"{name} --help" for name in command_names()))


def test_started_fast(tmp_path):
    """Each help, a typo, a refused value and a composed config import nothing heavy."""
    code = (
        f"import sys; from pigevo.cli import main\nfor line in {FAST!r}:\n    main(line.split())\n"
        "    print('LOADED', line, sorted({'numba', 'scipy', 'matplotlib', 'deap'} & set(sys.modules)))"
    )
    output = python(code, tmp_path).stdout
    assert all(f"LOADED {line} []" in output for line in FAST), output


def test_wrong_choices_are_answered_without_hydra_as_hydra_would(tmp_path):
    words = [f"{group}=knokout" for group in CHOICES]
    code = (
        "import sys; from pigevo.cli import main\nfor word in sys.argv[1:]: main([word])\nprint('hydra' in sys.modules)"
    )
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    sentences = []
    for word in words:
        with pytest.raises(InputError) as refusal:
            Composer()([word])
        sentences.append(f"pigevo: {refusal.value}")
    assert (done.stdout, done.stderr.splitlines()) == ("False\n", sentences)


def test_a_choice_in_a_folder_of_the_users(pigevo, tmp_path):
    (tmp_path / "conf" / "selection").mkdir(parents=True)
    (tmp_path / "conf" / "selection" / "mine.yaml").write_text("name: knockout\n")
    for words in (f"--config-dir {tmp_path / 'conf'}", f"hydra.searchpath=[file://{tmp_path / 'conf'}]"):
        assert "name: knockout" in pigevo(f"{words} --cfg job selection=mine").out


def test_a_reader_who_leaves(tmp_path):
    done = shell(f"{PROGRAM} --help | head -c 1; exit ${{PIPESTATUS[0]}}", tmp_path)
    assert (done.stderr, len(done.stdout)) == ("", 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", ["--help", pytest.param("--cfg job", marks=pytest.mark.slow)])
def test_output_that_cannot_be_written(words, tmp_path):
    done = shell(f"{PROGRAM} {words} > /dev/full", tmp_path)
    assert done.stderr == "pigevo: standard output cannot be written: No space left on device.\n"
    assert done.returncode == 2


def test_closed_output(tmp_path):
    for words in ("--help", "game.target=12 debug=fast"):
        done = shell(f"{PROGRAM} {words} >&-", tmp_path)
        assert done.stderr == "pigevo: standard output is closed: send it to a file, or to /dev/null.\n"
        assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_a_python_without_the_packages(tmp_path):
    """An environment that was not activated: nothing is installed."""
    import pigevo

    source = Path(pigevo.__file__).parents[1]
    done = shell(f"{sys.executable} -S -m pigevo duel a b", tmp_path, PYTHONPATH=str(source))
    lacks = "lacks click, deap, hydra-core, matplotlib, numba, numpy, scipy and tqdm: activate the environment"
    assert done.stderr.startswith(f"pigevo: {sys.executable} {lacks}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("module", "package", "words"), [("hydra", "hydra-core", ["--cfg", "job"]), ("numba", "numba", ["duel", "a", "b"])]
)
def test_one_package_is_missing(module, package, words, tmp_path):
    code = f"import sys; sys.modules[{module!r}] = None\nfrom pigevo.cli import main; sys.exit(main({words!r}))"
    done = python(code, tmp_path)
    assert done.stderr.startswith(f"pigevo: {sys.executable} lacks {package}: activate")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("error", "status"), [("OSError(5, 'Input/output error')", 2), ("ImportError('broken')", 1)])
def test_a_settings_file_that_cannot_be_read_is_named_and_a_broken_package_raises(error, status, tmp_path):
    (tmp_path / "own" / "matplotlib").mkdir(parents=True)
    (tmp_path / "own" / "matplotlib" / "__init__.py").write_text(f"raise {error}")
    path = f"{tmp_path / 'own'}:{environment_of_a_process()['PYTHONPATH']}"
    done = shell(f"{PROGRAM} show hold_at:3 --target 9", tmp_path, PYTHONPATH=path)
    assert done.returncode == status
    assert done.stderr.startswith("pigevo: matplotlib cannot start with its settings") == (status == 2)
    assert ("Traceback" in done.stderr) == (status == 1)


@pytest.mark.parametrize(
    "words", ["--cfg job", "debug=fast", "resume x", "check ops.py:f", "duel ops.py:f optimal", "-m seed=1,2"]
)
def test_a_folder_that_is_gone(refused, tmp_path, words):
    (tmp_path / "gone").mkdir()
    os.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    refused(words, "the present folder has been removed: go to another one.")


@pytest.mark.slow
def test_a_wrong_matplotlib_backend_does_not_matter(tmp_path):
    output = shell(f"{PROGRAM} {RUN} fitness.games=4", tmp_path, MPLBACKEND="nope")
    assert output.returncode == 0, output.stderr
    assert (tmp_path / "run" / "figures" / "curve.png").is_file()


COMP_LINES = {
    "pigevo experiment=cube_r": "experiment=cube_random", "python -m pigevo game=pigl": "game=piglet",
    "pigevo 'x": "", "pigevo experiment=${": "", "pigevo \x1b": "",
}  # fmt: skip


def test_a_line_to_complete(pigevo, monkeypatch):
    for line, completion in COMP_LINES.items():
        monkeypatch.setenv("COMP_LINE", line)
        output = pigevo("--shell-completion query=bash")
        assert (output.status, output.out.strip(), output.err) == (0, completion, ""), line


def test_a_completion_that_is_none(refused, monkeypatch):
    monkeypatch.delenv("COMP_LINE", raising=False)
    for words in ("", "install=%", "install=bas\x1bh", "install=bash install=bash", "install=tcsh", "query=bash"):
        refused(["--shell-completion", *words.split(" ")], "")


DUEL, SWEEP = "duel hold_at:3 hold_at:4 --target 9", "-m debug=fast game.target=9 seed=1,2"


@pytest.mark.parametrize(
    ("content", "threads", "words", "status"),
    [
        ("{", "", DUEL, 2),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in [
                ("[1, 2]", "", DUEL, 2),
                ("num_threads: 0", "", DUEL, 2),
                ("", "0", DUEL, 2),
                ("", "0", SWEEP, 2),
                ("developer_mode: 1", "", DUEL, 0),
            ]
        ),
    ],
)
def test_settings_of_numba_that_make_no_sense(tmp_path, content, threads, words, status):
    (tmp_path / ".numba_config.yaml").write_text(content)
    done = shell(f"{PROGRAM} {words}", tmp_path, **({"NUMBA_NUM_THREADS": threads} if threads else {}))
    assert done.returncode == status
    assert done.stderr.startswith("pigevo: numba cannot start with its settings" if status else "")
    assert done.stderr.count("\n") == bool(status)
    assert not (tmp_path / "outputs").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "status"), [(b"\xff\xfe", 2), (b"text.usetex: True\n", 2), (b"lines.linewidth: 9\n", 0)]
)
def test_a_file_of_matplotlib(tmp_path, content, status):
    """One that cannot be read, or drawn with, is reported after the work; the run goes on from there."""
    (tmp_path / "matplotlibrc").write_bytes(content)
    done = shell(f"export PATH=; {PROGRAM} {RUN} fitness.games=4", tmp_path)
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    (tmp_path / "matplotlibrc").unlink()
    assert shell(f"{PROGRAM} {RUN} fitness.games=4", tmp_path).returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="`ulimit -v` limits a process on Linux")
@pytest.mark.parametrize("limit", [150_000, 300_000, 450_000])
@pytest.mark.parametrize(
    "words", ["solve", "duel hold_at:20 hold_at:25", "experiment=cube_random debug=fast", "tournament hold_at:20..22"]
)
def test_too_little_address_space_is_one_sentence(tmp_path, words, limit):
    done = shell(f"unset OPENBLAS_NUM_THREADS; ulimit -v {limit}; {PROGRAM} {words}", tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("pigevo: there is not enough memory: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("can't start new thread"),
        ImportError("a.so: failed to map segment from shared object"),
        OSError(12, "Cannot allocate memory"),
    ],
)
def test_errors_for_lack_of_memory_say_memory(monkeypatch, capsys, error):
    monkeypatch.setattr(entry, "_dispatch", raising(error))
    assert entry.main(["solve"]) == 2
    assert capsys.readouterr().err.startswith("pigevo: there is not enough memory: ")
