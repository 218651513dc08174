"""Operators and strategies of the user's, from files outside the package, in every command that calls them."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import pigevo as package
from pigevo.evolution.operators import KINDS
from pigevo.games import Pig
from pigevo.settings.settings import Settings
from pigevo.strategies import parse_strategy
from pigevo.user_code import loading
from pigevo.web.report import NOT_RUN
from tests.cli.conftest import digest_of
from tests.web.page import Page
from tests.web.report.conftest import sketch

pytestmark = pytest.mark.usefixtures("kernels_stay")

SMALL = "debug=fast game.target=12 fitness.games=10 population.size=6 generations=5 record_every=1 checkpoint_every=1"
OPS = '''
"""Operators of a newcomer's."""
import numpy as np
from mixing import mix


def random_half(size, context, share: float = 0.5):
    return (context.draw.uniforms(size * context.grid.genes) < share).astype(np.uint8).reshape(size, -1)


def rolls(tables, context, weight: float = 1.0):
    return weight * tables.mean(axis=(1, 2, 3))


def best_third(scores, context):
    return np.argsort(-scores, kind="stable")[: max(1, len(scores) // 3)]


def mixed(first, second, context, share: float = 0.5):
    return mix(first, second, context.draw.uniforms(first.size).reshape(first.shape) < share)


def flipped(genomes, context):
    return genomes ^ (context.draw.uniforms(genomes.size).reshape(genomes.shape) < context.rate)


def one_stays(survivors, context):
    return survivors[:1]
'''
MIXING = "import numpy as np\n\n\ndef mix(a, b, mask):\n    return np.where(mask, a, b)\n"
NAMES = {"population": "random_half", "fitness": "rolls", "selection": "best_third", "crossover": "mixed",
         "mutator": "flipped", "replacement": "one_stays"}  # fmt: skip


@pytest.fixture
def ops(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mixing.py").write_text(MIXING)
    (tmp_path / "own" / "ops.py").write_text(OPS)
    return tmp_path / "own" / "ops.py"


def custom(*kinds, path="own/ops.py"):
    return " ".join(f"{kind}=custom {kind}.function={path}:{NAMES[kind]}" for kind in kinds)


def small(*kinds):
    """The settings of a small run, without those that the user's operators do not have."""
    words = [word for word in SMALL.split() if not ("fitness" in kinds and word.startswith("fitness."))]
    return " ".join([*words, custom(*kinds)])


@pytest.mark.parametrize("kinds", [pytest.param(("fitness",), marks=pytest.mark.slow), tuple(KINDS)], ids="+".join)
def test_an_operator_of_each_kind_runs_and_says_so_again(pigevo, answer, record_of, ops, kinds):
    words = f"{small(*kinds)} hydra.run.dir=run"
    assert answer(words).startswith("The champion wins")
    for kind in kinds:
        assert (Path("run/operators") / kind / "ops.py").read_text() == OPS  # to be read
        assert (Path("run/operators") / kind / "mixing.py").read_text() == MIXING
    record = record_of("verify run --run-code --generations 99")
    assert (record["same"], record["whole"], record["changed"]) == (True, True, [])
    assert "finished before" in pigevo(words).err


FOREIGN = """import numpy as np


def r9(genomes, context):
    return genomes ^ (np.random.random(genomes.shape) < context.rate)
"""


def test_verify_names_an_operator_that_draws_from_elsewhere(answer, pigevo, ops):
    Path("rnd.py").write_text(FOREIGN)
    answer(f"{SMALL} baseline=none mutator=rnd.py:r9 hydra.run.dir=run")
    output = pigevo("verify run --run-code")
    assert output.status == 1
    assert (
        "the record was altered, a machine erred, or its operator rnd.py:r9 draws from elsewhere than context.draw: "
        "`pigevo check rnd.py:r9`" in output.out
    )
    assert pigevo("check rnd.py:r9").status == 1


FAILING = """def fails(genomes, context):
    return genomes.copy() if context.generation < 3 else genomes // (1 // len(LIMIT))


LIMIT = ()
"""


def test_an_operator_s_error_names_the_generation(ops, pigevo):
    Path("late.py").write_text(FAILING)
    failed = "in generation 3, the mutator fails (late.py, line 1) failed: ZeroDivisionError"
    for command in (f"{SMALL} baseline=none mutator=late.py:fails hydra.run.dir=run", "resume run"):
        output = pigevo(command)
        assert output.status == 2
        assert failed in output.err
        assert (
            "Generations up to 3 are kept: the same command goes on from there, as does `pigevo resume run`. After an "
            "edit of the file the command begins another run."
        ) in " ".join(output.err.split())


def test_own_operators_do_what_they_say_and_their_options_count(answer, ops):
    for name, more in (("half", ""), ("first", "crossover.options.share=1"), ("second", "crossover.options.share=0")):
        answer(f"{small('crossover')} mutation=0 hydra.run.dir={name} {more}")
    assert len({digest_of(Path(name)) for name in ("half", "first", "second")}) == 3
    values = package.load_run("first").settings.values["crossover"]
    assert values == {"name": "custom", "function": f"{ops}:mixed", "options": {"share": 1.0}}


@pytest.mark.slow
@pytest.mark.parametrize("path", ["own/ops.py", "own.ops"])
def test_a_sweep_hands_operators_to_worker_processes(pigevo, ops, path):
    (ops.parent / "__init__.py").write_text("")
    ops.write_text(OPS.replace("from mixing", "from .mixing"))
    words = f"{small()} {custom('population', 'mutator', path=path)}"
    assert "4 of 4 runs are finished" in pigevo(f"-m {words} seed=1,2 mutation=0.1,0.2 hydra.launcher.workers=1").err
    (sweep,) = Path("outputs/sweeps").iterdir()
    loaded = package.load_sweep(sweep)
    assert set(loaded.settings) == {"mutation=0.1", "mutation=0.2"}
    for member in loaded.members:
        words_here = f"{words} seed={member.seed} {member.setting}"
        assert "finished before" in pigevo(words_here).err  # the same folder
        name = member.folder.name.rpartition("-")[2]
        pigevo(f"{words_here} hydra.run.dir=here/{name}")
        assert digest_of(Path(f"here/{name}")) == digest_of(member.folder)


@pytest.mark.slow
def test_operators_can_be_swept(pigevo, ops):
    ops.write_text(OPS + "\n\ndef first_only(first, second, context):\n    return first\n")
    names = ("agree_or_random", f"{ops.name}:mixed", f"{ops.name}:first_only")
    words = f"crossover={names[0]},own/{names[1]},own/{names[2]}"
    assert pigevo(f"-m {SMALL} {words} seed=1,2 hydra.launcher.workers=1").status == 0
    (sweep,) = Path("outputs/sweeps").iterdir()
    assert set(package.load_sweep(sweep).settings) == {f"crossover={name}" for name in names}
    assert "finished before" in pigevo(f"{SMALL} {custom('crossover')} seed=2").err  # so it is written in full
    for name in ("own/ops.py:mixed", "ops.py:mixed"):
        assert "crossover=ops.py:mixed" in pigevo(f"compare {sweep} crossover=agree_or_random crossover={name}").out
    assert pigevo(f"compare {sweep} crossover=agree_or_random crossover=ps.py:mixed").status == 2


def test_a_place_is_a_choice(ops):
    assert Settings.of(f"crossover={ops}:mixed") == Settings.of(*custom("crossover", path=ops).split())


@pytest.mark.slow
def test_a_second_process_from_another_folder_finds_the_same_run(answer, ops):
    answer(f"{small(*KINDS)} hydra.run.dir=here")
    shutil.copytree(ops.parent, "elsewhere/moved")
    words = small(*KINDS).replace("own/ops.py", "moved/ops.py").split()
    command = [sys.executable, "-m", "pigevo", *words, "--json", "hydra.run.dir=run"]
    for _ in range(2):
        done = subprocess.run(command, cwd="elsewhere", env=os.environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        record = json.loads(done.stdout)
        assert record["digest"] == digest_of(Path("here"))
        assert record["config_hash"] == package.load_run("here").settings.hash
    assert "finished before" in done.stderr


@pytest.fixture
def stopped(pigevo, ops, stopping):
    """A run with an operator of the user's that was stopped in its middle."""
    with stopping(2):
        assert pigevo(f"{small('crossover')} hydra.run.dir=run").status == 130
    return Path("run")


@pytest.mark.parametrize(("command", "changed"), [("resume run", "mixing.py"), ("verify run --run-code", "ops.py")])
def test_a_changed_operator_is_refused_and_never_taken_from_the_folder(pigevo, answer, ops, stopped, command, changed):
    for path in (stopped / "operators").rglob("*.py"):
        path.write_text("raise SystemExit('code out of a folder was run')\n")
    original = (ops.parent / changed).read_text()
    (ops.parent / changed).write_text(original + "# edited\n")
    output = pigevo(command)
    assert (output.status, output.out) == (2, "")
    for part in (
        f"{ops}:mixed has changed since the run in",
        "its content at that time is in",
        "run/operators/crossover.",
    ):
        assert part in output.err
    ops.unlink()
    assert f"there is no file {ops}" in pigevo(command).err
    ops.write_text(OPS)
    (ops.parent / changed).write_text(original)
    answer(command)


def test_with_the_same_file_a_run_goes_on_to_the_same_end(pigevo, answer, stopped):
    answer(f"{small('crossover')} hydra.run.dir=whole")
    output = pigevo("resume run --json")
    assert "going on after generation 2" in output.err
    assert json.loads(output.out)["digest"] == digest_of(Path("whole"))


def test_the_command_itself_makes_another_run_of_a_changed_operator(answer, pigevo, ops):
    words = small("crossover")
    answer(words)
    (former,) = Path("outputs/default").iterdir()
    ops.write_text(OPS.replace("< share", "> share"))
    answer(words)
    (new,) = set(Path("outputs/default").iterdir()) - {former}
    assert digest_of(former) != digest_of(new)
    output = pigevo(f'{words} hydra.run.dir="{former}"')
    assert (output.status, "holds a run of another config" in output.err) == (2, True)


WRONG = [
    ("crossover=custom", "crossover.function is missing: write crossover.function=FILE.py:NAME"),
    (
        "crossover=own/ops.py",
        "own/ops.py has random_half, rolls, best_third, mixed, flipped and one_stays: name one, as in own/ops.py:one_stays.",
    ),
    ("crossover=custom crossover.function=own/nothing.py:mixed", "there is no file own/nothing.py"),
    ("crossover=custom crossover.function=own/ops.py:mxied", "did you mean mixed?"),
    ("crossover=custom crossover.function=own/ops.py:mixed crossover.share=1", "crossover.options.share"),
    ("crossover=own/ops.py:mixed crossover.options.shrae=1", "crossover.options.shrae"),
    ("mutator=custom mutator.function=own/ops.py:best_third", "the mutator best_third (own/ops.py, line 15)"),
    ("selection=custom selection.function=own/ops.py:rolls", "the selection rolls (own/ops.py, line 11)"),
    ("crossover.function=own/ops.py:mixed", "crossover.function"),
    (
        "mutator=own/ops.py:mixed",
        "mixed(first, second, context, share) takes the arguments of a crossover: crossover=own/ops.py:mixed",
    ),
    (
        "crossover=own/ops.py:flipped",
        "flipped(genomes, context) takes the arguments of a mutator: mutator=own/ops.py:flipped",
    ),
]


def test_a_wrong_operator_is_one_sentence_before_there_is_a_folder(refused, ops, tmp_path):
    for words, message in WRONG:
        refused(f"{SMALL} {words}", message)
    assert [path.name for path in tmp_path.iterdir()] == ["own"]


SPRUNG = "import pathlib\npathlib.Path('sprung').touch()\n"


@pytest.fixture
def foreign(answer, ops):
    """A finished run of somebody else, whose operator leaves a trace when its file is imported."""
    ops.write_text(OPS + SPRUNG)
    answer(f"{small('crossover')} baseline=none hydra.run.dir=run")
    Path("sprung").unlink()
    loading._loaded.clear()  # as in another process
    return Path("run")


READING = (
    "verify run", "report run", "lineage run", "replay run --generation 0 --pairing 0 --game 0",
"page --run run --to site",
)  # fmt: skip


@pytest.mark.parametrize("command", READING)
def test_a_command_that_reads_runs_no_code_unasked_and_says_what_it_would_need(
    pigevo, ops, foreign, command, monkeypatch
):
    sketch(monkeypatch)
    output = pigevo(command)
    assert not Path("sprung").exists()
    assert f"run names code, {ops}:mixed, and code that a folder names runs only if asked for" in output.err
    assert "say --run-code, or --source ops.py=PATH" in output.err
    assert output.status == (0 if command == "report run" else 2)


def settings_in(report):
    """The settings that a report says differ from the experiment's, and its text."""
    page = Page(report.read_text())
    tables = [rows for rows in page.tables if rows[0][0] == "setting" and len(rows[0]) == 2]
    return tables[0][1:], page.text_of("main")


def test_a_report_without_the_code_says_what_differs_as_with_it(pigevo, answer, ops, foreign, monkeypatch):
    sketch(monkeypatch)
    assert pigevo("report run --no-film").status == 0
    assert not Path("sprung").exists()
    rows, text = settings_in(foreign / "report.html")
    assert "What differs from pigevo's defaults:" in text
    assert ["crossover", "custom"] in rows
    assert ["crossover.options.share", "0.5"] in rows
    assert NOT_RUN in text
    assert "names code" not in text.partition("Where this is from")[0]
    answer("report run --no-film --run-code")
    with_code, text = settings_in(foreign / "report.html")
    assert rows == with_code
    assert NOT_RUN not in text


def test_code_asked_for_by_name_is_run(answer, ops, foreign):
    answer("verify run --run-code")
    assert Path("sprung").exists()


def test_verify_runs_no_code_of_a_record_that_is_not_whole(pigevo, ops, foreign):
    path = foreign / ".hydra/config.yaml"
    path.write_text(path.read_text().replace("seed: 0", "seed: 1"))
    output = pigevo("verify run --run-code")
    assert (output.status, Path("sprung").exists()) == (1, False)
    assert "different: .hydra/config.yaml was changed since it was written" in output.out


def test_on_another_machine_a_file_of_the_same_content_may_lie_anywhere(pigevo, answer, ops, foreign, caplog):
    ops.parent.rename("moved")
    pigevo("verify run --run-code")
    said = f"{ops}:mixed runs from run/operators/crossover/ops.py, which is unchanged since the run in run began"
    assert said in caplog.messages
    answer("verify run --source ops.py=moved/ops.py")
    refused = pigevo("resume run")
    assert refused.status == 2
    for part in (f"there is no file {ops}", "--source ops.py=PATH", "the present folder", "say --run-code"):
        assert part in refused.err
    for file in ("ops.py", "mixing.py"):
        shutil.copy(Path("moved") / file, file)
    assert "finished before" in pigevo("resume run").err
    answer("report run --run-code --no-film")
    Path("moved/mixing.py").write_text(MIXING + "# edited")
    assert "moved/ops.py is another ops.py than the run" in pigevo("verify run --source ops.py=moved/ops.py").err


def test_a_file_of_the_same_content_may_have_another_name(pigevo, answer, ops, foreign):
    shutil.move(ops, ops.with_name("mine.py"))
    for consent in ("", "--run-code "):
        loading._loaded.clear()
        answer(f"verify run {consent}--source ops.py=own/mine.py")
    assert "--run-code" in pigevo("verify run").err  # the consent was for that command
    (ops.parent / "mixing.py").write_text(MIXING + "# edited")
    assert "own/mine.py is another ops.py than the run" in pigevo("verify run --source ops.py=own/mine.py").err


def test_an_unfinished_run_goes_on_with_a_file_that_lies_elsewhere(pigevo, answer, ops, stopped):
    answer(f"{small('crossover')} hydra.run.dir=whole")
    ops.parent.rename("moved")
    output = pigevo("resume run --json --source ops.py=moved/ops.py")
    assert json.loads(output.out)["digest"] == digest_of(Path("whole"))


@pytest.mark.slow
def test_a_sweep_is_reported_without_its_code_and_goes_on_where_the_file_lies_elsewhere(pigevo, answer, ops):
    words = f"{small('crossover')} seed=1,2 mutation=0.1,0.2 hydra.launcher.workers=1"
    answer(f"-m {words}")
    (sweep,) = Path("outputs/sweeps").iterdir()
    loading._loaded.clear()
    ops.write_text(OPS + SPRUNG)
    ops.parent.rename("moved")
    assert pigevo(f"report {sweep}").status == 0
    rows, text = settings_in(sweep / "report.html")
    assert "What differs from" in text.partition("What was found")[0]  # on the page to hand in
    (moved := Path("moved/ops.py")).write_text(OPS)
    assert pigevo(f"report {sweep} --source ops.py={moved}").status == 0
    with_code, _ = settings_in(sweep / "report.html")
    assert [row for row in rows if row[0] != "crossover.function"] == [
        row for row in with_code if row[0] != "crossover.function"
    ]
    again = pigevo(f"-m {words.replace('own/ops.py', str(moved))}").err
    assert "4 of 4 runs are finished" in again
    assert not Path("sprung").exists()


@pytest.fixture
def _looked_at_often(monkeypatch):
    """A function that never ends is interrupted as soon as its processor time is up, and not before on a busy machine."""
    monkeypatch.setattr("pigevo.user_code.limits.LOOK_SECONDS", 0.05)
    monkeypatch.setattr("pigevo.user_code.limits.PATIENCE", 1000)


@pytest.mark.usefixtures("_looked_at_often")
@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("duel pupil.py:rule hold_at:3 --target 9", 2),
        ("show pupil.py:rule --target 9", 2),
        ("check pupil.py:rule --kind strategy", 1),
        ("check pupil.py:rule", 1),
    ],
)
def test_a_function_that_divides_by_zero_in_one_state_does_not_play(pigevo, words, status):
    Path("pupil.py").write_text("def rule(i, j, k):\n    return 100 / (k - 5) > 5\n")
    output = pigevo(words)
    assert output.status == status
    assert re.search(
        r"ZeroDivisionError: .* at i = 0, j = 0, k = 5 \(pupil.py, line 2\)",
        " ".join(f"{output.out} {output.err}".split()),
    )


PRINTS = "print('read')\ndef rule(i, j, k):\n    print(i, j, k)\n    return k < 5\n"


@pytest.mark.usefixtures("_looked_at_often")
@pytest.mark.parametrize(
    "command",
    [
        "duel {} {}",
        "show {} --picture map",
        "card {} --to card.html",
        "respond {}",
        "fair-test {} hold_at:3",
        "duel noisy:0.1,{} hold_at:3",
    ],
)
def test_what_a_strategy_prints_is_not_shown_and_a_line_says_so_once(pigevo, command, caplog):
    Path("pupil.py").write_text(PRINTS)
    words = f"{command.replace('{}', 'pupil.py:rule')} --target 9"
    printing = pigevo(words)
    assert [record.getMessage() for record in caplog.records] == ["pupil.py prints: its output is not shown"]
    Path("pupil.py").write_text("def rule(i, j, k):\n    return k < 5\n")
    quiet = pigevo(words)
    assert re.sub(r"[0-9.]+ s\n", "", printing.out) == re.sub(r"[0-9.]+ s\n", "", quiet.out)
    assert printing.status == 0


@pytest.mark.usefixtures("_looked_at_often")
def test_check_hides_what_a_strategy_prints_for_its_states(pigevo):
    Path("pupil.py").write_text(PRINTS)
    output = pigevo("check pupil.py:rule --kind strategy")
    assert output.status == 0
    assert output.out.startswith("read\nrule (pupil.py, line 2) passes all checks")


@pytest.mark.usefixtures("_looked_at_often")
def test_a_strategy_cannot_ask(pigevo, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n" * 1000))
    Path("pupil.py").write_text("def rule(i, j, k):\n    return input('roll? ') == 'yes'\n")
    output = pigevo("duel pupil.py:rule hold_at:3 --target 9")
    assert (output.status, output.out) == (2, "")
    assert "pupil.py:rule fails: a function here may not ask with input() (pupil.py, line 2)." in output.err


@pytest.mark.usefixtures("_looked_at_often")
def test_a_wrong_answer_is_named_with_its_line_as_in_a_tournament(pigevo):
    Path("pupil.py").write_text("def rule(i, j, k):\n    if k < 5:\n        return True\n    return 'hold'\n")
    for command in ("duel pupil.py hold_at:3 --target 9", "check pupil.py"):
        output = pigevo(command)
        assert "pupil.py:rule: the rule returns 'hold'" in " ".join(output.out.split()) or "duel" in command
        assert "(pupil.py, line 4)." in " ".join(f"{output.out}{output.err}".split())


FOR_EVER = {
    "rule": "def rule(i, j, k):\n    while k > 3:\n        pass\n    return True\n",
    "import": "while True:\n    pass\ndef rule(i, j, k): return True\n",
    "of the game": "def rule(game):\n    while True:\n        pass\n",
}


@pytest.mark.usefixtures("_looked_at_often")
@pytest.mark.parametrize("text", FOR_EVER)
@pytest.mark.parametrize("command", ["duel {} hold_at:3", "show {}", "duel noisy:0.1,{} hold_at:3"])
def test_a_function_that_loops_for_ever_is_refused_in_a_sentence(pigevo, command, text):
    Path("pupil.py").write_text(FOR_EVER[text])
    output = pigevo(f"{command.format('pupil.py:rule')} --target 9 --timeout 0.1")
    assert output.status == 2
    assert re.search(
        r"it takes more than 0\.1 s of processor time; perhaps it never ends \(pupil.py, line [123]\)",
        " ".join(output.err.split()),
    )
    assert not output.out


BY_ONE = ["reach", "turns", "respond", "card", "play", "explain --own 0 --opponent 0 hold_at:3", "fair-test hold_at:3"]


@pytest.mark.usefixtures("_looked_at_often")
@pytest.mark.parametrize("command", BY_ONE)
def test_every_command_that_calls_a_function_has_the_timeout_of_a_tournament(pigevo, command):
    Path("pupil.py").write_text(FOR_EVER["rule"])
    output = pigevo(f"{command} pupil.py --target 9 --timeout 0.1")
    assert output.status == 2
    assert "it takes more than 0.1 s" in output.err
    assert (
        "a timeout must be above 0 and at most 100,000 s, not nan s" in pigevo(f"{command} pupil.py --timeout nan").err
    )


@pytest.mark.usefixtures("_looked_at_often")
def test_the_timeout_holds_for_a_game_too(pigevo):
    Path("pupil.py").write_text(FOR_EVER["import"])
    output = pigevo("duel hold_at:3 hold_at:4 --game pupil.py:rule --timeout 0.1")
    assert output.status == 2
    assert "it takes more than 0.1 s" in " ".join(output.err.split())


@pytest.mark.usefixtures("_looked_at_often")
@pytest.mark.parametrize("text", FOR_EVER)
def test_a_function_that_takes_long_is_named_once_while_it_is_waited_for(pigevo, text, monkeypatch, caplog):
    Path("pupil.py").write_text(FOR_EVER[text])
    monkeypatch.setattr("pigevo.user_code.limits.WORD_SECONDS", 0.01)
    assert pigevo("duel pupil.py:rule hold_at:3 --target 9 --timeout 0.3").status == 2
    (record,) = caplog.records
    assert re.match(r"pupil\.py(:rule)? is still at work; it may take 0\.3 s of processor time", record.getMessage())


@pytest.mark.usefixtures("_looked_at_often")
@pytest.mark.parametrize("arguments", ["i, j, k", "own, other, total", "game", "genomes, context"])
def test_check_says_so_too_after_a_single_call(pigevo, arguments):
    Path("pupil.py").write_text("def rule(i, j, k): return k < 20\ndef unchanged(genomes, context): return genomes\n")
    for name in ("rule", "unchanged"):  # the limit holds for imports and compilation, too
        assert pigevo(f"check pupil.py:{name}").status == 0
    called = "open('called', 'a').write('x')"
    Path("pupil.py").write_text(f"def rule({arguments}):\n    {called}\n    while True:\n        pass\n")
    output = pigevo("check pupil.py:rule --timeout 0.2")
    assert (output.status, output.out) == (2, "")
    assert re.search(
        r"it takes more than 0\.2 s of processor time; perhaps it never ends \(pupil.py, line [34]\)\.\n$", output.err
    )
    assert Path("called").read_text() == "x"


@pytest.mark.usefixtures("_looked_at_often")
def test_check_gives_a_strategy_the_time_of_a_tournament_unless_another_is_typed(pigevo, monkeypatch):
    monkeypatch.setattr("pigevo.cli.commands.check.SECONDS", 0.1)
    Path("pupil.py").write_text(FOR_EVER["rule"])
    assert "it takes more than 0.1 s of processor time" in pigevo("check pupil.py").err
    assert "it takes more than 0.2 s of processor time" in pigevo("check pupil.py --timeout 0.2").err


@pytest.mark.usefixtures("_looked_at_often")
@pytest.mark.parametrize("command", ["duel {} hold_at:3", "show {}", "card {}", "respond {}", "fair-test {} hold_at:3"])
def test_a_function_of_other_arguments_is_refused_by_every_command_with_what_a_strategy_takes(pigevo, command):
    Path("jonas.py").write_text("def jonas(punkte):\n    return punkte < 20\n")
    output = pigevo(f"{command.format('jonas.py')} --target 9")
    assert output.status == 2
    why = "jonas.py takes (punkte), and a strategy takes (i, j, k) or (game) (jonas.py, line 1)."
    assert why in " ".join(output.err.split())


@pytest.mark.usefixtures("_looked_at_often")
def test_check_says_what_a_strategy_takes(refused):
    Path("emil.py").write_text("def rule(mine, yours):\n    return mine < yours\n")
    refused(
        "check emil.py", "rule (emil.py, line 1) is no operator, and no strategy, which takes (i, j, k) or (game): "
    )


@pytest.mark.usefixtures("_looked_at_often")
def test_what_another_thread_prints_meanwhile_is_shown_and_blames_nobody(tmp_path, capsys, caplog):
    (tmp_path / "quiet.py").write_text("import time\ntime.sleep(0.3)\ndef rule(i, j, k):\n    return k < 5\n")
    ended, printed = threading.Event(), []

    def host():
        while not ended.is_set():
            print("host", len(printed), flush=True)
            printed.append(f"host {len(printed)}")
            ended.wait(0.01)

    hosts = threading.Thread(target=host)
    hosts.start()
    try:
        parse_strategy(f"{tmp_path}/quiet.py:rule", Pig(12))
    finally:
        ended.set()
        hosts.join()
    assert capsys.readouterr().out.splitlines() == printed
    assert "prints" not in caplog.text
