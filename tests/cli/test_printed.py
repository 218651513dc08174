"""What commands print to be read, and games played with single keys, on a terminal and elsewhere."""

import io
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import pigevo as package
from pigevo.cli import main
from pigevo.cli.output import fitted
from pigevo.core.text import clipped, for_shell, percent, short_repr, table, visible
from pigevo.games import Pig
from pigevo.people import read_people
from pigevo.storage.records import with_checksum
from tests.cases import sample
from tests.cli.conftest import RUN
from tests.small import environment_of_a_process, module_of_posix, posix

fcntl, pty, termios = map(module_of_posix, ("fcntl", "pty", "termios"))
WAIT = 120.0


class Terminal:
    """A child process whose three streams are a terminal."""

    def __init__(self, words, folder, columns=60, program=("-m", "pigevo"), **environment):
        self.own, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, *program, *words], stdin=its, stdout=its, stderr=its, cwd=folder, start_new_session=True,
            env=environment_of_a_process() | {"TERM": "xterm"} | environment,
        )  # fmt: skip
        os.close(its)
        self.seen, self._has_keys = "", environment.get("TERM") != "dumb"

    def read(self):
        """What comes next; nothing at the end."""
        assert select.select([self.own], [], [], WAIT)[0], f"nothing comes after {self.seen[-300:]!r}"
        try:
            got = os.read(self.own, 4096).decode()
        except OSError:  # Linux says so at the end
            got = ""
        self.seen += got
        return got

    def asked(self, times):
        """Wait until so many questions have been asked, or until the end; whether they were."""
        while self.seen.count("hold? ") < times and self.read():
            pass
        return self.seen.count("hold? ") >= times

    def answered(self, *typed):
        """Type an answer to each question; whether all were asked for."""
        for number, keys in enumerate(typed, start=1):
            if not self.asked(number):
                return False
            self.when_raw()
            os.write(self.own, keys.encode())
        return True

    def when_raw(self):
        """Wait until a key is waited for, so that none is typed before."""
        until = time.monotonic() + 2.0
        while self._has_keys and termios.tcgetattr(self.own)[3] & termios.ICANON and time.monotonic() < until:
            time.sleep(0.01)

    def interrupt(self):
        """Send SIGINT until the process says something: one that comes just before a read begins does not end that."""
        for _ in range(60):
            self.process.send_signal(signal.SIGINT)
            if select.select([self.own], [], [], 2.0)[0]:
                return

    def end(self):
        """Read to the end; the exit status and the lines."""
        while self.read():
            pass
        status = self.process.wait(WAIT)
        os.close(self.own)
        return status, self.seen.replace("\r\n", "\n").splitlines()


CIRCLE = "tournament turtle:5 roll_to_win roll_and_wait:80,5 --allow-pass --times 5"
EXPLAINED = "explain --own 97 --opponent 99"
PRINTED = {
    "describe truncation_tenth": ["It is selection=truncation with other numbers.", "selection.share=0.1"],
    "describe waves_long": ["cubes.generations=[150, 450, 400, 2000, 4000]"],
    "describe lexicase": [
        "in a random order",
        "source: Spector 2012",
        "selection.share=0.5",
        "python -m pigevo selection=lexi",
    ],
    "describe deap": [f"{group}=deap: a choice of {group}" for group in ("selection", "crossover", "mutator")],
    "duel roll_and_wait:5,3 hold_at:3 --target 10 --allow-pass": ["against hold_at:3"],
    "duel hold_at:3 hold_at:3 --target 10 --games 20": [
        "overall        0.500000",
        "of 20 games",
        "difference (Neller & Presser 2010)",
    ],
    "duel skip_when_level:3 skip_when_level:3 --target 10 --allow-pass --games 20": ["stalemates     "],
    "dynamics hold_at:3 optimal --target 9 --generations 5 --populations 50": [
        "A single hold_at:3 among 59 of optimal takes over with probability"
    ],
    f"{EXPLAINED} hold_at:2 hold_at:20": [
        "  P(97,99,0) = 1/6 (1 - Q(99,97,0)) + 1/6 P(97,99,2) + 2/3\n",
        "  Q(99,99,0) = 0.857143\n",
        "  [ 1.0000 -0.1667  0.1667 ] [P(97,99,0)]   [ 0.8333 ]\n",
        "  P(97,99,2) = 0.142857\n",
        "  Q(99,97,0) = 0.881633\n",
    ],
    "explain --own 0 --opponent 0 hold_at:20 hold_at:20": [
        "a matrix of 50 by 50 with 278 entries other than 0: --json prints it"
    ],
    "explain --own 40 --opponent 60 --turn 18": ["optimal in ", "it rolls; the optimum rolls"],
    "explain --own 0 --opponent 0 --turn 20 hold_at:20": [
        "at own 0, opponent 0, total 20: it holds; the optimum rolls",
        "optimal against itself      0.619878  0.619257  roll by 0.000621",
    ],
    "explain --own 0 --opponent 50 --turn 0 hold_at:20 --target 60": ["roll, as it must"],
    "fair-test hold_at:3 hold_at:3 --target 20": [
        "they are level: no number of games tells them apart",
        "played   1,538 games, seed 0:",
    ],
    "fair-test hold_at:3 hold_at:4 --target 20 --most 0": ["played   none: raise --most, or give a number of --games"],
    "fair-test skip_when_level:3 skip_when_level:5 --target 10 --allow-pass --games 200": [
        "of the games; of these skip_when_level:3 wins"
    ],
    "show --help": ["150 in equal_turns, 150 in skunk, 200 in ten_rounds]"],
    "solve --target 10 --save a/best.npz": ["never (rolls to win)   when the opponent has 0", "saved as"],
    "strategies --target 10": [
        "not here: roll_and_wait passes: it needs a game with allow_pass=True.",
        "score:20,0 (n, behind)",
        "Holds when the turn total reaches `n`",
        "Sources, and the usual numbers of a strategy, are about Pig to 100",
    ],
    "three-player --game piglet --target 10 --heads 0.56": [
        "0 without a pure equilibrium, 14 with several (1 of different win probabilities)",
        "certificate holds",
        "mixed choices             none",
    ],
    "tournament hold_at:1..12 optimal --target 20 --times 50 --top 3": [
        "13 strategies in Pig to 20: exact win probabilities of both seats\n",
        "\n     1  optimal ",
        "and 10 more, which --top 13 shows",
        "order          transitive",
        "cycles         none of three strategies",
        "Nash mixture   optimal 1.000",
        "Bradley-Terry  differs from the matrix by 0.0",
    ],
    CIRCLE: ["order          not transitive", "cycles         1 of three strategies", " > roll_to_win +"],
    f"{CIRCLE} --dominated": [
        "dominated      none: ",
        "leaves turtle:5, roll_to_win, roll_and_wait:80,5 after 0 rounds",
    ],
    "turns hold_at:20": [
        "bust    0.6245",
        "8.1418 points on average",
        "takes 12.6368 turns",
        "Holding at 20 or 21 brings most",
    ],
}


@pytest.mark.parametrize("words", PRINTED)
def test_what_is_printed_has_all_parts(answer, words):
    output = answer(words)
    for part in PRINTED[words]:
        assert part in output or part in " ".join(output.split())


LONG = "replicator  a large population after a time of 2000, from nearly equal shares; hold_at:20 leads with 25 %"


@pytest.fixture
def terminal(capsys, monkeypatch):
    """Standard output is a terminal of 80 columns."""
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("terminal")
def test_a_long_line_goes_on_below_its_second_column():
    assert fitted(f"short\n  {LONG}").split("\n") == [
        "short",
        "  replicator  a large population after a time of 2000, from nearly equal shares;",
        "              hold_at:20 leads with 25 %",
    ]
    assert fitted("x" * 100) == "x" * 100  # a path is not broken


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("number", ["25 %", "14.7 s", "12 ms", "2.5 GiB", "p = 0.19"])
def test_a_number_stays_with_its_unit(number):
    assert fitted(f"{'a ' * (39 - len(number) // 2)}ends {number}").split("\n")[1].endswith(number)


def test_a_file_keeps_tables_and_without_a_width_all_lines(monkeypatch):
    assert fitted(LONG) == LONG
    monkeypatch.setenv("COLUMNS", "80")
    assert len(fitted(LONG).split("\n")) == 2
    row = "name  " + "0.5  " * 20
    assert fitted(row) == row


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    "words", ["duel hold_at:3 optimal", "turns hold_at:3", "dynamics hold_at:3 turtle:2 optimal", "respond hold_at:3"]
)
def test_answers_fit_a_terminal_of_80_columns(capsys, words):
    assert main([*words.split(), "--target", "20"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


SENTENCES = [
    "card --target 50 --to card.html", "show hold_at:20 --picture none", "show hold_at:3 --target 20 --at 4,5", "strategies",
    "duel hold_at:3 optimal --target 20 --games 1000", "describe knockout", "study", "three-player --target 5", "check ops.py:coins",
]  # fmt: skip


@pytest.mark.parametrize("words", SENTENCES)
def test_sentences_in_a_file_fit_80_columns(pigevo, monkeypatch, words):
    Path("ops.py").write_text(
        "import numpy as np\ndef coins(genomes, context): return np.random.randint(0, 2, genomes.shape)\n"
    )
    monkeypatch.setenv("COLUMNS", "80")
    assert [line for line in pigevo(words).out.splitlines() if len(line) > 80] == []


RED = "\x1b[31m\x1b]0;owned\x07"


def test_what_cannot_be_seen_is_written_out():
    assert visible("plain, ü and 🎲\n\tnext") == "plain, ü and 🎲\n\tnext"
    assert visible(f"a{RED}b\r\x7f\u202e\u2028\xa0\udcff") == (
        "a\\x1b[31m\\x1b]0;owned\\x07b\\r\\x7f\\u202e\\u2028\\xa0\\udcff"
    )


WORDS_OF_COMMANDS = [
    ("my run", "'my run'", '"my run"'),
    ("seed=range(10)", "'seed=range(10)'", '"seed=range(10)"'),
    ("mutation=0.001,0.01", "mutation=0.001,0.01", '"mutation=0.001,0.01"'),
    ("C:\\Lab\\run", "'C:\\Lab\\run'", '"C:\\Lab\\run"'),
    ("game.target=9", "game.target=9", "game.target=9"),
    ("it's & more\\", "'it'\"'\"'s & more\\'", '"it\'s & more\\\\"'),
    ('a\\"b c"', "'a\\\"b c\"'", '"a\\\\\\"b c\\""'),
    ("", "''", '""'),
]


@pytest.mark.parametrize(("word", "on_posix", "on_windows"), WORDS_OF_COMMANDS)
def test_a_word_of_a_printed_command_is_quoted_as_the_users_shell_does(monkeypatch, word, on_posix, on_windows):
    with monkeypatch.context() as system:
        system.setattr("os.name", "posix")
        assert for_shell(word) == on_posix
        system.setattr("os.name", "nt")
        assert for_shell(word) == on_windows
    if on_windows[:1] == '"':  # what Python writes for the same word where it needs quotes, as one with a space does
        assert on_windows == subprocess.list2cmdline([f" {word}"]).replace('" ', '"', 1)
    else:
        assert on_windows == subprocess.list2cmdline([word])


def test_every_printed_command_is_quoted_alike(refused):
    root = Path(package.__file__).parents[1]
    files = [file for folder in ("pigevo", "experiments") for file in (root / folder).rglob("*.py")]
    assert {file.name for file in files if "shlex" in file.read_text(encoding="utf-8")} == {"text.py"}
    refused(["mix:0.5,optimal,my table.csv"], "write pigevo show 'mix:0.5,optimal,my table.csv'.")


def test_a_value_in_a_sentence_is_short():
    assert short_repr("x") == "'x'"
    assert len(short_repr("x" * 10**6)) == 59
    assert short_repr(10**5000) == "a number of too many digits"
    deep: list = []
    for _ in range(10_000):
        deep = [deep]
    assert short_repr(deep) == "a value of too many levels"

    class Mute:
        def __repr__(self):
            raise AttributeError

    assert short_repr(Mute()) == "a Mute"
    assert clipped("a\nb  c" + "d" * 50, 20) == "a b cddd...dddddddd"


@pytest.mark.parametrize(("share", "digits", "text"), [
    (0.0, 1, "0.0 %"), (0.0004, 1, "less than 0.1 %"), (0.0004, 2, "0.04 %"), (0.00004, 2, "less than 0.01 %"),
    (0.0004, 0, "less than 0.1 %"), (0.9996, 1, "more than 99.9 %"), (0.9996, 2, "99.96 %"), (1.0, 1, "100.0 %"),
    (0.99996, 2, "more than 99.99 %"), (0.0006, 1, "0.1 %"),
    (1 - 1e-9, 5, "more than 99.99999 %"), (1e-9, 5, "less than 0.00001 %"),
])  # fmt: skip
def test_a_share_is_rounded_to_none_or_all_only_where_it_is(share, digits, text):
    assert percent(share, digits) == text


@pytest.fixture
def mine(tmp_path):
    game = package.Pig(target=9)
    return package.Strategy(game, package.hold_at(game, 3).roll, name=f"mine{RED}").save(tmp_path / "mine.npz")


def test_the_name_of_a_strategy(pigevo, mine):
    output = pigevo("duel mine.npz hold_at:4 --target 9")
    assert output.status == 0
    assert "mine\\x1b[31m" in output.out
    assert "\x1b" not in output.out
    assert json.loads(pigevo("duel mine.npz hold_at:4 --target 9 --json").out)["a"] == f"mine{RED}"


@pytest.mark.parametrize(
    "words", [["duel", f"a{RED}", "optimal"], [f"mutation={RED}"], [f"{RED}=3"], ["resume", RED], ["status", RED], ["--cfg", RED], [f"--{RED}"],
              ["check", f"{RED}.py:f"], ["solve", "--target", RED], ["--config-dir", RED, "seed=1"], [f"experiment={RED}"], [f"seed=\udcff{RED}"]],
)  # fmt: skip
def test_a_word(pigevo, words):
    output = pigevo(words)
    assert (output.status, output.err.count("\n")) == (2, 1)
    assert "\x1b" not in output.err


@pytest.mark.usefixtures("no_pictures")
def test_the_name_of_a_folder_and_the_log_of_a_run(pigevo, tmp_path):
    output = pigevo([*RUN.split()[:-1], f"hydra.run.dir='run{RED}'"])
    assert output.status == 0
    assert "run\\x1b[31m" in output.out
    assert "\x1b" not in output.out + output.err
    assert pigevo(["resume", f"run{RED}"]).status == 0
    log = (tmp_path / f"run{RED}" / "run.log").read_text()
    assert "\x1b" not in log


def test_the_record_of_a_sweep(pigevo, tmp_path):
    run = {"folder": "../x", "setting": RED, "seed": 1, "config_hash": "", "config": {}}
    (tmp_path / "sweep.json").write_bytes(with_checksum({"format": 1, "swept": [], "runs": [run]}))
    (tmp_path / "failures.json").write_bytes(with_checksum({"failures": {"../x": f"failed{RED}"}}))
    output = pigevo("status .")
    assert output.status == 1
    assert "failed\\x1b[31m" in output.out
    assert "\x1b" not in output.out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_an_output_that_lacks_letters_gets_their_numbers(monkeypatch, mine, encoding, tmp_path):
    monkeypatch.chdir(tmp_path)
    game = package.Pig(target=9)
    package.Strategy(game, np.ones((9, 9, 9), bool), name="würfel🎲").save("other.npz")
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["duel", "other.npz", "hold_at:4", "--target", "9"]) == 0
    name = stream.buffer.getvalue().decode(encoding).partition(" ")[0]
    assert name == {"ascii": "w\\xfcrfel\\U0001f3b2", "latin-1": "würfel\\U0001f3b2", "utf-8": "würfel🎲"}[encoding]


NAMES = "keep_pace_and_end_race:21,8,29 next_multiple_and_end_race:24,28 optimal"
WIDE = {
    f"dynamics {NAMES} --populations 20": "takes over (95 % interval)",
    f"tournament {NAMES} --games 20 --times 5": "round robin",
    f"show {NAMES.removesuffix(' optimal')} --picture none": "decides wrongly",
    "show optimal --at 10,20 --picture none": "how often in a game",
    "rules": "exploitability",
    "rules --card": "against one who knows it",
    "describe lexicase": "python -m pigevo selection=lexicase",
    "strategies": "overall",
}
IN_TURN = "import sys; from pigevo.cli import main; [(main(words.split()), print('END')) for words in sys.argv[1:]]"


@posix
def test_tables_and_descriptions_fit_a_pseudo_terminal(tmp_path):
    """Without a line that wraps or a number that is cut; a head may be broken, but stays above its own column."""
    status, lines = Terminal(WIDE, tmp_path, 80, ("-c", IN_TURN)).end()
    assert status == 0
    printed = "\n".join(lines).split("END")[:-1]
    for (words, part), answer in zip(WIDE.items(), printed, strict=True):
        assert max(map(len, answer.splitlines())) <= 80, words
        assert set(part.split()) <= set(answer.split()), words
        assert not re.search(r"[\d.(]$\n\s*[\d.)]+(\)|$)", answer, flags=re.M), words


def test_a_table_is_broken_at_its_heads_first_and_never_in_its_numbers():
    heads, rows = ("name", "a long head", "interval"), [("x" * 9, "0.25", "0.1 to 0.4"), ("y", "0.5", "0.2 to 0.8")]
    whole = ["  name       a long head    interval", f"  {'x' * 9}         0.25  0.1 to 0.4",
             "  y                  0.5  0.2 to 0.8"]  # fmt: skip
    assert table(heads, rows, "<>>") == table(heads, rows, "<>>", 36) == whole
    assert table(heads, rows, "<>>", 31)[:2] == ["             a long", "  name         head    interval"]
    assert table(heads, rows, "<>>", 24)[-4:] == [
        "", "  name         interval", f"  {'x' * 9}  0.1 to 0.4", "  y          0.2 to 0.8"
    ]  # fmt: skip
    assert table(("name", ""), [("x", "")], "<<", 20) == ["  name", "  x"]  # a column without text


WORDS = ["play", "hold_at:3", "--target", "9", "--seed", "3"]


@posix
@pytest.mark.slow
def test_a_whole_game_with_one_key_for_each_choice(tmp_path):
    terminal = Terminal(WORDS, tmp_path)
    terminal.answered("?", "o", "\x1b[A", *"r" * 90)
    status, lines = terminal.end()
    assert status == 0
    assert any(line.startswith("Review: what you win against hold_at:3") for line in lines)
    assert any(line.startswith("  against") for line in lines)
    assert any("hold? an arrow" in line for line in lines)
    assert max(map(len, lines)) <= 60
    assert "\x1b" not in terminal.seen


@posix
@pytest.mark.slow
def test_keys_that_are_typed_at_once_are_answers_one_after_the_other(tmp_path):
    terminal = Terminal(WORDS, tmp_path)
    assert terminal.answered("?o?\rq")
    status, lines = terminal.end()
    assert status == 0
    assert terminal.seen.count("hold? ") == 5
    assert "hold? roll" in terminal.seen, "Enter rolls"
    assert "The game is unfinished: you leave." in lines


@posix
@pytest.mark.parametrize("interrupt", sample(["h\x03", signal.SIGINT], 1))
def test_ctrl_c_ends_it_with_a_sentence_and_keeps_what_was_played(tmp_path, interrupt):
    terminal = Terminal([*WORDS[:3], "90", "--seed", "1", "--save", "games.csv"], tmp_path)
    assert terminal.answered("h", "h")
    assert terminal.asked(3)
    terminal.when_raw()
    if interrupt == signal.SIGINT:
        terminal.interrupt()
    else:
        os.write(terminal.own, interrupt.encode())
    status, lines = terminal.end()
    assert status == 130
    assert lines[-1] == "pigevo: interrupted: the game is unfinished, and its turns are in games.csv."
    (game,) = read_people(tmp_path / "games.csv", Pig(target=90)).games
    assert len(game.turns_of("you")) == 2 + (interrupt == "h\x03")


@posix
@pytest.mark.slow
def test_ctrl_d_and_a_terminal_that_is_gone_end_it(tmp_path):
    terminal = Terminal(WORDS, tmp_path)
    assert terminal.answered("\x04")
    status, lines = terminal.end()
    assert status == 0
    assert "The game is unfinished: the input has ended." in lines
    terminal = Terminal(WORDS, tmp_path)
    assert terminal.asked(1)
    os.close(terminal.own)
    assert terminal.process.wait(WAIT) in (0, 2, 141, -signal.SIGHUP)


@posix
@pytest.mark.slow
def test_a_dumb_terminal_sends_lines(tmp_path):
    terminal = Terminal(WORDS, tmp_path, TERM="dumb", NO_COLOR="1")
    assert terminal.answered("o\n", "q\n")
    status, lines = terminal.end()
    assert status == 0
    assert "\x1b" not in terminal.seen
    assert terminal.seen.count("hold? ") == 2  # Enter is not an answer of its own
    assert "The game is unfinished: you leave." in lines
