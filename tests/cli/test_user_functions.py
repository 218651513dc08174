"""Users' functions in every command that calls them: the same sentence for the same error."""

import io
import re
import threading
from pathlib import Path

import pytest

from pigevo.games import Pig
from pigevo.strategies import parse_strategy


@pytest.fixture(autouse=True)
def _looked_at_often(monkeypatch):
    """A function that never ends is interrupted as soon as its processor time is up, and not before on a busy machine."""
    monkeypatch.setattr("pigevo.user_code.time_limit.LOOK_SECONDS", 0.05)
    monkeypatch.setattr("pigevo.user_code.time_limit.PATIENCE", 1000)


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


def test_check_hides_what_a_strategy_prints_for_its_states(pigevo):
    Path("pupil.py").write_text(PRINTS)
    output = pigevo("check pupil.py:rule --kind strategy")
    assert output.status == 0
    assert output.out.startswith("read\nrule (pupil.py, line 2) passes all checks")


def test_a_strategy_cannot_ask(pigevo, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n" * 1000))
    Path("pupil.py").write_text("def rule(i, j, k):\n    return input('roll? ') == 'yes'\n")
    output = pigevo("duel pupil.py:rule hold_at:3 --target 9")
    assert (output.status, output.out) == (2, "")
    assert "pupil.py:rule fails: a function here may not ask with input() (pupil.py, line 2)." in output.err


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


@pytest.mark.parametrize("command", BY_ONE)
def test_every_command_that_calls_a_function_has_the_timeout_of_a_tournament(pigevo, command):
    Path("pupil.py").write_text(FOR_EVER["rule"])
    output = pigevo(f"{command} pupil.py --target 9 --timeout 0.1")
    assert output.status == 2
    assert "it takes more than 0.1 s" in output.err
    assert (
        "a timeout must be above 0 and at most 100,000 s, not nan s" in pigevo(f"{command} pupil.py --timeout nan").err
    )


def test_the_timeout_holds_for_a_game_too(pigevo):
    Path("pupil.py").write_text(FOR_EVER["import"])
    output = pigevo("duel hold_at:3 hold_at:4 --game pupil.py:rule --timeout 0.1")
    assert output.status == 2
    assert "it takes more than 0.1 s" in " ".join(output.err.split())


@pytest.mark.parametrize("text", FOR_EVER)
def test_a_function_that_takes_long_is_named_once_while_it_is_waited_for(pigevo, text, monkeypatch, caplog):
    Path("pupil.py").write_text(FOR_EVER[text])
    monkeypatch.setattr("pigevo.user_code.time_limit.WORD_SECONDS", 0.01)
    assert pigevo("duel pupil.py:rule hold_at:3 --target 9 --timeout 0.3").status == 2
    (record,) = caplog.records
    assert re.match(r"pupil\.py(:rule)? is still at work; it may take 0\.3 s of processor time", record.getMessage())


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


def test_check_gives_a_strategy_the_time_of_a_tournament_unless_another_is_typed(pigevo, monkeypatch):
    monkeypatch.setattr("pigevo.cli.commands.check.SECONDS", 0.1)
    Path("pupil.py").write_text(FOR_EVER["rule"])
    assert "it takes more than 0.1 s of processor time" in pigevo("check pupil.py").err
    assert "it takes more than 0.2 s of processor time" in pigevo("check pupil.py --timeout 0.2").err


@pytest.mark.parametrize("command", ["duel {} hold_at:3", "show {}", "card {}", "respond {}", "fair-test {} hold_at:3"])
def test_a_function_of_other_arguments_is_refused_by_every_command_with_what_a_strategy_takes(pigevo, command):
    Path("jonas.py").write_text("def jonas(punkte):\n    return punkte < 20\n")
    output = pigevo(f"{command.format('jonas.py')} --target 9")
    assert output.status == 2
    why = "jonas.py takes (punkte), and a strategy takes (i, j, k) or (game) (jonas.py, line 1)."
    assert why in " ".join(output.err.split())


def test_check_says_what_a_strategy_takes(refused):
    Path("emil.py").write_text("def rule(mine, yours):\n    return mine < yours\n")
    refused(
        "check emil.py", "rule (emil.py, line 1) is no operator, and no strategy, which takes (i, j, k) or (game): "
    )


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
