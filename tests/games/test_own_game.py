"""The game that the documentation tells to write, put where it says."""

import importlib
import io
import json
import re
import subprocess
import sys
import types
from dataclasses import InitVar, dataclass, field
from functools import cached_property, partial

import numpy as np
import pytest
import yaml

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.games import GAMES, Game, Throw, game_from_record
from pigevo.games.game_record import make_game
from pigevo.runs.folder import located
from pigevo.settings.settings import Settings
from pigevo.strategies import hold_at, random_strategy
from tests.docs.pages import DOCS, EXAMPLES
from tests.reference.any_game import assert_best_as_every_state, assert_pair_as_every_state
from tests.small import environment_of_a_process

PAGE = (DOCS / "how_to" / "game.md").read_text(encoding="utf-8")


@pytest.fixture
def described(monkeypatch):
    """The game of the example, registered for a while as the page says."""
    assert "ten_rounds" in GAMES  # the others are found before they are copied
    monkeypatch.setattr(GAMES, "_entries", dict(GAMES._entries))
    decorator = re.search(r"`(@GAMES\.register\(.*?\))`", PAGE).group(1)
    code = (EXAMPLES / "keep_five.py").read_text(encoding="utf-8").replace("@dataclass", f"{decorator}\n@dataclass")
    module = types.ModuleType("keep_five_of_the_page")
    module.GAMES = GAMES
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(code, "keep_five.py", "exec"), module.__dict__)
    return GAMES["keep_five"]


def test_it_is_played_as_every_state_says(described):
    game = described.bind({"target": 9})
    assert_pair_as_every_state(hold_at(game, 5), random_strategy(game, seed=1))
    assert_best_as_every_state(game)


def test_its_yaml_names_its_options(described):
    values = yaml.safe_load(next(block for block in re.findall(r"^```yaml\n(.*?)^```", PAGE, flags=re.M | re.S)))
    assert values.pop("name") == "keep_five"
    assert described.completed(described.check(values, "game")) == described.completed({})


@pytest.fixture
def file(tmp_path, monkeypatch):
    """The game of the example in a file of the user's, in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_bytes((EXAMPLES / "keep_five.py").read_bytes())
    return tmp_path / "mine.py"


SMALL = ("game.target=9", "population.size=6", "generations=1", "cubes=none", "fitness.games=4", "baseline=none")


@pytest.mark.parametrize(
    "words",
    [
        "duel hold_at:3 optimal", "show hold_at:3 --picture none", "show hold_at:3 --at 4:6", "solve", "strategies",
        "explain --own 4 --opponent 6 --turn 3", "respond hold_at:3", "tournament hold_at:3 hold_at:4",
        "play hold_at:3 --games 1",
    ],
)  # fmt: skip
def test_commands_take_it_from_its_file(file, capsys, monkeypatch, words):
    monkeypatch.setattr("sys.stdin", io.StringIO("h\n" * 400))
    for game in ("mine.py:KeepFive --target 9", "mine.py game.target=9"):
        assert main(f"{words} --game {game}".split()) == 0
        assert "KeepFive" in "".join(capsys.readouterr()) or words.startswith("play")


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("mine.py:KeepSix", "there is no function 'KeepSix' in mine.py; did you mean KeepFive?"),
        ("none.py:KeepFive", "there is no file none.py."),
        ("two.py", "two.py has First, second and third: name one, as in two.py:third."),
        ("two.py:First", "First must be a frozen dataclass: write @dataclass(frozen=True) above the class."),
        ("two.py:second", "second must be a game: a class that inherits from pigevo.games.Game, or a function that is"),
        ("two.py:third", "third must return a game, as its annotation says: it returns an int."),
        ("mine.py:KeepFive game.sides=6", "there is no setting game.sides; KeepFive takes target."),
    ],
)
def test_what_is_no_game_is_refused_with_one_sentence(file, capsys, game, message):
    (file.parent / "two.py").write_text(
        "from pigevo.games import Game\n\n\nclass First(Game):\n    target = 9\n\n\n"
        "def second():\n    return 1\n\n\ndef third() -> Game:\n    return 1\n"
    )
    assert main(["duel", "hold_at:3", "optimal", "--game", *game.split()]) == 2
    assert message in capsys.readouterr().err


def test_a_strategy_for_it_is_saved_and_loaded(file):
    game = make_game("mine.py:KeepFive", {"target": 9})
    again = pigevo.load_strategy(hold_at(game, 4).save(file.parent / "saved.npz"))
    assert again == hold_at(game, 4)
    assert again.game == game
    file.write_text(file.read_text(encoding="utf-8").replace("Throw(5,", "Throw(4,"), encoding="utf-8")
    make_game("mine.py:KeepFive", {"target": 9})
    with pytest.raises(InputError, match=r"the rules of .*KeepFive have changed since this was saved"):
        pigevo.load_strategy(file.parent / "saved.npz")


def test_no_file_s_record_runs_code(file, capsys):
    """A saved strategy may come from anybody: what it names is neither imported nor called."""
    saved = file.parent / "saved.npz"
    hold_at(make_game("mine.py:KeepFive", {"target": 9}), 4).save(saved)
    elsewhere = {"name": f"{file.parent}/evil.py:Game", "options": {}, "rules": ""}
    (file.parent / "evil.py").write_text("open('sprung', 'w')\n")
    for record in (elsewhere, {"name": "os:mkdir", "options": {"path": "sprung"}, "rules": ""}):
        with pytest.raises(InputError, match="no code runs because a file names it"):
            game_from_record(record)
    assert not (file.parent / "sprung").exists()
    show = [sys.executable, "-m", "pigevo", "show", "saved.npz", "--picture", "none"]
    process = subprocess.run(show, capture_output=True, text=True, check=False, env=environment_of_a_process())
    assert (process.returncode, process.stdout) == (2, "")
    assert f"give the game with --game {file}:KeepFive" in process.stderr
    assert main(["show", "saved.npz", "--picture", "none", "--game", "mine.py", "--target", "9"]) == 0


def test_an_option_that_no_other_game_has(file, capsys):
    text = file.read_text(encoding="utf-8").replace("= 50", "= 50\n    points: int = 5")
    file.write_text(text.replace("Throw(5", "Throw(self.points"), encoding="utf-8")
    for options in ("--target 9 --game-option points=2", "game.target=9 game.points=2"):
        assert main(["duel", "hold_at:3", "optimal", "--game", "mine.py", *options.split()]) == 0
        assert "KeepFive to 9 (points=2)" in capsys.readouterr().out


def test_a_function_annotated_to_return_a_game_is_one(file, capsys):
    file.write_text("import pigevo\n\n\ndef short(target: int = 9) -> pigevo.Race:\n    return pigevo.Pig(target)\n")
    assert main(["duel", "hold_at:3", "hold_at:3", "--game", "mine.py", "--target", "7"]) == 0
    assert "in Pig to 7" in capsys.readouterr().out


@dataclass(frozen=True)
class Coin(pigevo.Pig):
    """Pig with a coin, which pigevo solved and played with Pig's die."""

    @cached_property
    def throws(self):
        return Throw(0, 0.5, "turn"), Throw(1, 0.5)


@dataclass(frozen=True)
class SafeStart(pigevo.Pig):
    """Pig whose first throw of a turn cannot lose it."""

    @property
    def first_throws(self):
        return tuple(Throw(points, 0.2) for points in range(2, 7))


@dataclass(frozen=True)
class Risky(Game):
    """Rounds in which a throw may lose the whole score, and a player may pass."""

    turns: int = 3
    cap: int = 5
    allow_pass: bool = True
    draw: float = 0.5

    @cached_property
    def throws(self):
        return Throw(0, 0.5, "score"), Throw(2, 0.5)


@dataclass
class Thawed(Game):
    target: int = 5
    throws = (Throw(0, 0.5, "turn"), Throw(2, 0.5))


@dataclass(frozen=True)
class Listed(Risky):
    more: object = None


@dataclass(frozen=True)
class Hidden(Risky):
    hidden: int = field(default=1, compare=False)


class TestClassesThatInherit:
    """What a class changes of the game that it inherits from is solved and played, or refused."""

    def test_a_race_with_other_throws_than_its_die_is_refused(self):
        with pytest.raises(InputError, match=r"Coin\.throws is not what its die brings.* inherits from pigevo\.Game"):
            Coin(target=10)

    def test_a_race_with_another_first_throw_is_another_game(self):
        game, pig = SafeStart(target=8), pigevo.Pig(target=8)
        assert game.rules != pig.rules
        a, b = hold_at(game, 3), random_strategy(game, seed=2)
        assert a != hold_at(pig, 3)
        unsure = pigevo.parse_strategy("noisy:0.1,hold_at:3", pig)
        pigevo.win_probability(unsure, unsure)  # whose prepared turns must not be taken for those of the other game
        assert_pair_as_every_state(a, b)
        assert_pair_as_every_state(*[pigevo.parse_strategy("noisy:0.1,hold_at:3", game)] * 2)
        assert_best_as_every_state(game, a, b)
        with pytest.raises(InputError):
            pigevo.win_probability(a, hold_at(pig, 3))

    @pytest.mark.parametrize("draw", [0.5, 0.25, 0.0])
    @pytest.mark.parametrize("turns", [1, 2, 3])
    def test_the_optimum_passes_where_a_throw_may_lose_the_score(self, turns, draw):
        game = Risky(turns=turns, draw=draw)
        best = pigevo.optimal(game)
        if draw == 0.5:  # else the game is not constant-sum: each player plays best for itself
            assert_best_as_every_state(game)
        answer = pigevo.best_response(best.strategy)
        assert (answer.value, answer.second) == pytest.approx((best.value, best.second), abs=1e-12)
        assert not best.strategy.roll[game.beginning].all() or turns == 1

    @pytest.mark.parametrize("game", [Thawed, partial(Listed, more=[1]), partial(Listed, more=np.ones(2))])
    def test_games_that_cannot_be_told_apart_are_refused(self, game):
        with pytest.raises(InputError, match=r"must be a dataclass with frozen=True whose fields are numbers"):
            game()

    def test_every_field_counts_when_games_are_compared(self):
        with pytest.raises(InputError, match=r"Hidden\.hidden must count when games are compared"):
            Hidden()

    def test_what_games_keep_cannot_be_written_to(self):
        for game in (pigevo.Pig(target=5), Risky()):
            for array in (game.starts, game.decision_states, *game.mesh.values()):
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 0

    def test_a_throw_that_hardly_ever_gains_is_solved(self):
        chance = 1e-7
        game = Rare(chance)
        assert pigevo.optimal(game).value == pytest.approx(0.5, abs=1e-3)


@dataclass(frozen=True)
class Rare(Game):
    chance: float = 0.5
    target: int = 4
    cap: int = 6
    reply: str = "second"

    @cached_property
    def throws(self):
        return Throw(0, 1 - self.chance, "turn"), Throw(1, self.chance)


HEAD = "import random\nfrom dataclasses import dataclass\nimport pigevo\nfrom pigevo.games import Game, Throw\n\n\n"
CLASS = HEAD + "@dataclass(frozen=True)\nclass Mine(Game):\n    target: int = 9\n    {}\n"
THROWS = "@property\n    def throws(self): return {}"
CHECKED = {
    "probabilities of a throw must be at least 0 and add up to 1": CLASS.format(THROWS.format("(Throw(2, 0.5),)")),
    "never gain points, or always end the turn": CLASS.format(THROWS.format("(Throw(0, 1.0, 'turn'),)")),
    "a throw of -1 points cannot be played": CLASS.format(THROWS.format("(Throw(-1, 0.5), Throw(2, 0.5))")),
    "by zero (mine.py, line 11)": CLASS.format(THROWS.format("1 // 0")),
    "Mine must be a frozen dataclass": HEAD + "class Mine(Game):\n    target = 9\n    throws = (Throw(1, 1.0),)\n",
    "Mine has other rules when it is asked again": CLASS.format(
        THROWS.format("(Throw(0, (p := random.random()), 'turn'), Throw(2, 1 - p))")
    ),
    "Mine needs a default for extra, as in extra: int = 10.": CLASS.format(THROWS.format("(Throw(2, 1.0),)")).replace(
        "target:", "extra: int\n    target:"
    ),
    "a game defines throws, or faces, as a property": CLASS.format("pass"),
    "faces must be a property that gives a tuple of pairs": CLASS.format(
        f"{THROWS.format('(Throw(2, 1.0),)')}\n    faces = (('2', Throw(2, 1.0)),)"
    ),
    "Mine has another hash each time": CLASS.format(
        f"{THROWS.format('(Throw(2, 1.0),)')}\n    def __hash__(self): return random.getrandbits(60)"
    ),
    "NotImplementedError": CLASS.format("pass"),
}


@pytest.mark.parametrize("message", CHECKED)
def test_a_game_that_cannot_be_played_fails_its_check(file, capsys, message):
    file.write_text(CHECKED[message])
    assert main(["check", "mine.py:Mine"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "fails a check of a game" in lines[0]
    checks = [line for line in lines[1:] if not line.startswith(" " * 10)]
    assert [line.split()[0] for line in checks] == ["kept"] * (len(checks) - 1) + ["broken"]
    assert message in " ".join(map(str.strip, lines[lines.index(checks[-1]) + 1 :]))


def test_a_kind_of_pig_from_a_file_is_checked_evolved_and_shown(file, tmp_path, capsys):
    file.write_text(
        "from dataclasses import dataclass\n\nimport pigevo\n\n\n@dataclass(frozen=True)\n"
        "class Short(pigevo.Pig):\n    target: int = 20\n"
    )
    assert main(["check", "mine.py:Short"]) == 0
    assert "passes all checks of a game" in capsys.readouterr().out
    run = pigevo.evolve("debug=fast", "game=mine.py:Short", baseline="none", folder=tmp_path / "run")
    assert run.champion.game.target == 20
    assert main(["duel", str(tmp_path / "run"), "hold_at:20", "--game", "mine.py"]) == 0
    assert "hold_at:20 in Short to 20" in capsys.readouterr().out


def test_a_game_that_is_played_otherwise_than_it_is_solved_fails_its_check(file, monkeypatch, capsys):
    real = pigevo.simulation.play_match
    monkeypatch.setattr(
        "pigevo.settings.operator_checks.play_match", lambda a, b, games, seed: real(b, a, games=games, seed=seed)
    )
    assert main(["check", "mine.py:KeepFive"]) == 1
    assert "wins a game against the optimum, not" in capsys.readouterr().out


@pytest.mark.parametrize("function", ["os:mkdir", "os:makedirs", "subprocess:Popen", "evil.py:harm", "evil.py:Harm"])
def test_settings_of_somebody_else_call_nothing_that_is_no_game(file, function):
    """A run's folder names its game: what does not say that it is one is not called."""
    (file.parent / "evil.py").write_text(
        "def harm(name='sprung'):\n    open(name, 'w')\n\n\nclass Harm:\n    def __init__(self, name='sprung'):\n"
        "        open(name, 'w')\n"
    )
    values = Settings.of("debug=fast").values
    for options in ({}, {"name": "sprung"}, {"path": "sprung"}, {"args": ["touch", "sprung"]}):
        with pytest.raises(InputError):
            make_game(function, options)
        with pytest.raises(InputError):
            Settings.read({**values, "game": {"name": "custom", "function": function, **options}})
    assert not (file.parent / "sprung").exists()


@pytest.mark.slow
def test_runs_record_it_and_refuse_another_one(file):
    run = pigevo.evolve(*SMALL, game="mine.py:KeepFive", folder=file.parent / "run")
    assert str(run.champion.game) == "KeepFive to 9"
    settings = Settings.of(*SMALL, "game=mine.py")
    assert settings.hash == Settings.of(*SMALL, "game=mine.py:KeepFive").hash
    assert settings.sources["game"]["files"] == [str(file)]
    assert settings.values["game"] == {"name": "custom", "function": f"{file}:KeepFive", "target": 9}
    assert main(["resume", "run"]) == 0
    code = "import pigevo; run = pigevo.load_run('run'); print(run.champion.game, len(run.population))"
    again = [sys.executable, "-c", code]
    process = subprocess.run(again, capture_output=True, text=True, check=True, env=environment_of_a_process())
    assert process.stdout.startswith("KeepFive to 9 6")
    file.write_text(file.read_text(encoding="utf-8").replace("Throw(5,", "Throw(4,"), encoding="utf-8")
    assert Settings.of(*SMALL, "game=mine.py").hash != settings.hash
    with pytest.raises(InputError, match=r"KeepFive has changed since the run in .* began"):
        located(file.parent / "run", settings.values)


def test_evolve_takes_a_class_or_an_instance(file):
    kind = type(make_game("mine.py", {}))
    runs = [pigevo.evolve(*SMALL, game=game) for game in ("mine.py", kind)]
    runs.append(pigevo.evolve(*SMALL[1:], game=kind(target=9)))
    assert len({json.dumps(run.result["digest"]) for run in runs}) == 1
    words = [word for word in SMALL if word != "game.target=9"]
    assert str(pigevo.evolve(*words, game=pigevo.Pig(target=9, sides=4)).champion.game) == str(pigevo.Pig(9, sides=4))
    race = pigevo.Race(9, {1: 0.5, 2: 0.25}, 0.25)
    assert pigevo.evolve(*words, game=race).champion.game == race


@pytest.mark.slow
def test_a_sweep_reads_it_in_its_workers(file):
    swept = pigevo.sweep(
        *SMALL[1:], "game.target=9,10", game="mine.py:KeepFive", outputs=file.parent / "out", workers=1
    )
    games = {str(member.load().champion.game) for member in swept.members}
    assert games == {"KeepFive to 10", "KeepFive to 9"}


@dataclass(frozen=True)
class Unseen(Game):
    """A coin that gains `gain` points, which is no field."""

    target: int = 12
    gain: InitVar[int] = 3

    def __post_init__(self, gain):
        object.__setattr__(self, "_gain", gain)
        super().__post_init__()

    @cached_property
    def throws(self):
        return Throw(0, 0.5, "turn"), Throw(self._gain, 0.5)


class Changed(pigevo.Pig):
    """Pig in which a value of the class decides the first throw."""

    gain = 1

    @property
    def first_throws(self):
        return (Throw(self.gain, 1.0),)


def test_games_that_their_fields_do_not_tell_apart_are_refused():
    """Each got the optimum of the one that had been asked before."""
    hidden = Unseen(gain=1)
    assert pigevo.optimal(hidden).value > 0.5
    with pytest.raises(InputError, match=r"Unseen to 12 has had other rules before.*be a field"):
        pigevo.optimal(Unseen(gain=6))
    game = Changed(target=13)
    before = pigevo.optimal(game).value
    Changed.gain = 2
    try:
        for call in (pigevo.optimal, partial(pigevo.hold_at, n=4), lambda game: pigevo.Strategy.from_holds(game, 4)):
            with pytest.raises(InputError, match="has had other rules before"):
                call(game)
    finally:
        Changed.gain = 1
    assert pigevo.optimal(game).value == before


OTHER_RACES = """
from dataclasses import dataclass

import pigevo
from pigevo.games import Throw


@dataclass(frozen=True)
class ThreeFirst(pigevo.Pig):
    \"\"\"Pig whose first throw of a turn gains 3.\"\"\"

    @property
    def first_throws(self):
        return (Throw(3, 1.0),)


@dataclass(frozen=True)
class LastTurn(pigevo.Pig):
    \"\"\"Pig in which the other player has a last turn.\"\"\"

    reply = "other"
    cap = 20
"""


@pytest.mark.parametrize("name", ["ThreeFirst", "LastTurn"])
def test_a_race_with_rules_of_its_own_is_saved_and_run_as_what_it_is(name, tmp_path, monkeypatch):
    """They were read back as the plain race with their die."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / f"races_{name}.py").write_text(OTHER_RACES)
    game = getattr(importlib.import_module(f"races_{name}"), name)(target=12)
    mine = pigevo.hold_at(game, 4)
    mine.save(tmp_path / "mine.npz")
    read = pigevo.load_strategy(tmp_path / "mine.npz")
    assert (read, read.game.rules) == (mine, game.rules)
    run = pigevo.evolve("debug=fast", "baseline=none", "figures=none", game=game, folder=tmp_path / "run")
    best = pigevo.optimal(game).strategy
    assert pigevo.load_run(tmp_path / "run").champion.game.rules == game.rules
    assert run.result["champion"]["overall"] == pigevo.win_probability(run.champion, best).overall


@dataclass(frozen=True)
class Loaded(Game):
    """A coin that loses the turn with a chance."""

    target: int = 12
    p: float = 0.5

    @cached_property
    def throws(self):
        return Throw(0, self.p, "turn"), Throw(2, 1 - self.p)


def test_numbers_of_numpy_make_the_same_game_as_python_s():
    games = Loaded(p=np.float64(0.5)), Loaded(), Loaded(target=np.int64(12))
    players = [pigevo.hold_at(game, 6) for game in games]
    assert len({*players}) == len({player.digest for player in players}) == 1
    assert repr(games[0].rules) == repr(games[1].rules) == repr(games[2].rules)


def test_a_class_without_a_docstring_says_nothing_of_its_throws():
    @dataclass(frozen=True)
    class Silent(Loaded):
        pass

    assert Silent().rules_in_words == "The first to have 12 wins."
