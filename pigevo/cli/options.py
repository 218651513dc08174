"""Options and arguments shared by several commands: games and strategies as typed, JSON, threads of a run."""

from __future__ import annotations

import functools
import importlib
import json
import logging
import os
import re
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import click
from click.core import ParameterSource

from pigevo.cli.choice_descriptions import arguments
from pigevo.cli.output import fitted, remark, say
from pigevo.core.checked_values import JsonObject
from pigevo.core.machine import available_cores
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.figures import FORMATS
from pigevo.games import GAMES, Game
from pigevo.games.game_record import make_game, names_own_game
from pigevo.storage.records import to_json
from pigevo.strategies import STRATEGIES, Strategy, load_elite_map, load_strategy, names_file, parse_strategy
from pigevo.strategies.named import Points
from pigevo.strategies.parse import CHAMPION, cell_of, single_words
from pigevo.strategies.rules import is_rule
from pigevo.user_code.limits import SECONDS, limit_of, refuse_timeout
from pigevo.user_code.loading import Consent, consenting

if TYPE_CHECKING:
    from pigevo.settings.settings import Settings

F = TypeVar("F", bound=Callable[..., object])


class NamedPath(click.Path):
    """The type of a path.

    `~` is the user's home: shells replace it only where a word begins with it, and not in `--save=~/mine.npz`. An empty
    word, which would mean the present folder, is refused.
    """

    def __init__(self, **kinds: bool) -> None:
        super().__init__(path_type=Path, **kinds)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        if not os.fspath(value):
            name = param.opts[0] if isinstance(param, click.Option) else param and param.human_readable_name
            raise InputError(f"{name or 'the path'} is empty: write a path.")
        return super().convert(os.path.expanduser(value), param, ctx)


PATH, FILE, FOLDER = NamedPath(), NamedPath(dir_okay=False), NamedPath(file_okay=False)
"""Types of arguments and options: a path, a file, or a folder, that need not exist."""


class NewFile(NamedPath):
    """The type of an option for a file to write; a folder is refused with the path of a file in it as `example`."""

    def __init__(self, example: str) -> None:
        super().__init__()
        self.example = example

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        path = super().convert(value, param, ctx)
        if os.path.isdir(path):
            name = param.opts[0] if param else "the option"
            raise InputError(
                f"{value} is a folder: name a file in it, as in {name} {os.path.join(value, self.example)}."
            )
        return path


EPILOG = """\
A strategy is NAME or NAME:number,number; or the path of a saved strategy (.npz); or a run's folder, for its champion;
or a table (.csv) of turn totals to hold at, with a line for each own score and a column for each score of the opponent;
or FILE.py:FUNCTION, a function (i, j, k) that says whether to roll (in a game of rounds also a function of everything
that a decision depends on, (left, second, difference, total) or, with --rolls, (left, second, difference, total,
rolls), in this order), or a function of the game that returns a Strategy; or a rule in quotes, 'rule: 21+(j-i)/8; race
either>=71' (see `pigevo rules --help`); or made from other strategies: noisy:0.05,A decides otherwise than A with a
chance of 0.05 at each decision, mix:0.5,A,B draws at each decision whether A or B decides, mirror:A exchanges the
scores.
Without --game and its options the game is that of a saved strategy or a run's folder, or else Pig to 100.
"""
"""The part of a command's help about strategies."""


def purpose(title: str) -> Callable[[click.Command], click.Command]:
    """A decorator of commands: the heading below which the help lists a command."""

    def titled(command: click.Command) -> click.Command:
        command.purpose = title  # type: ignore[attr-defined]
        return command

    return titled


def figures_option(command: F) -> F:
    """Decorator: pass `figures`, the format of pictures, to the command, as in a run's setting `figures`."""
    return click.option("--figures", type=click.Choice(FORMATS), help="Format of pictures; png by default.")(command)


def timeout_option(seconds: float) -> Callable[[F], F]:
    """Decorator: pass `timeout`, the limit of users' functions, which is `seconds` by default."""
    about = "Seconds of processor time that each function of a file may take."
    return click.option("--timeout", type=click.FloatRange(0, min_open=True), default=seconds, show_default=True,
                        help=about)  # fmt: skip


def limits_functions(command: F) -> F:
    """Decorator: the option --timeout of a command that calls users' functions itself, a game's in `game_options` too.

    It stands above `game_options`.
    """

    @functools.wraps(command)
    def with_limit(timeout: float, **values: object) -> object:
        refuse_timeout(timeout)
        with limit_of(timeout):
            return command(**values)

    return timeout_option(SECONDS)(typing.cast(F, with_limit))


def game_options(command: F) -> F:
    """Decorator: pass the `game` given by --game and the games' own options to the command.

    The options are read from the signatures of all games, so a new game needs no change here.
    """

    @functools.wraps(command)
    def with_game(game: str, game_option: tuple[str, ...], **values: object) -> object:
        given = {option: values.pop(option) for option in options_of_games()}
        typed = {option: value for option, value in given.items() if value is not None}
        options = typed | dict(map(_named_value, game_option))
        return command(game=build_game(game, options), **values)

    for option, (hint, games) in reversed(options_of_games().items()):
        with_game = _game_option(option, hint, games)(with_game)
    about_own = "An option of a game of your own that no other game has; repeatable."
    with_game = click.option("--game-option", multiple=True, metavar="NAME=VALUE", help=about_own)(with_game)
    about_game = f"The game: {', '.join(GAMES)}; or one of your own, FILE.py:CLASS."
    return typing.cast(F, click.option("--game", default="pig", show_default=True, help=about_game)(with_game))


STATE_OPTIONS = {
    "left": "Remaining turns of the player to move, in a game of turns; all by default.",
    "second": "1 if the player moves last in a round, in a game of turns.",
    "last_turn": "Points that the opponent banked last, in games where decisions depend on it.",
}


def place_options(command: F) -> F:
    """Decorator: pass as `at` the typed options of `STATE_OPTIONS`, on which decisions depend besides the scores."""

    @functools.wraps(command)
    def with_place(**values: object) -> Any:
        typed = {name: values.pop(name) for name in STATE_OPTIONS}
        return command(at={name: value for name, value in typed.items() if value is not None}, **values)

    for name, about in reversed(STATE_OPTIONS.items()):
        with_place = click.option(f"--{name.replace('_', '-')}", type=int, help=about)(with_place)
    return typing.cast(F, with_place)


def json_option(command: F) -> F:
    """Decorator: the option --json, for programs; `show` prints either form."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def code_options(command_runs_code: bool = False) -> Callable[[F], F]:
    """Decorator: the options --run-code and --source of a command that may need the code that a run's folder names.

    `command_runs_code` is true for a command whose purpose is to run this code (`resume`): then only the copies in the
    folder need --run-code.
    """

    def with_options(command: F) -> F:
        @functools.wraps(command)
        def with_consent(run_code: bool, source: tuple[str, ...], **values: object) -> object:
            with consenting(Consent(command_runs_code or run_code, run_code, dict(map(_named_file, source)))):
                return command(**values)

        needed = (
            "the copies in the run's folder, too"
            if command_runs_code
            else "the code that the folder names: read it before"
        )
        named = click.option("--source", multiple=True, metavar="NAME.py=PATH",
                             help="Where a file of the run's own operators lies now; repeatable.")  # fmt: skip
        return typing.cast(F, click.option("--run-code", is_flag=True, help=f"Run {needed}.")(named(with_consent)))

    return with_options


def _named_file(text: str) -> tuple[str, Path]:
    name, sign, file = text.partition("=")
    if not (sign and name.endswith(".py") and file):
        raise InputError(f"--source {text}: write it as NAME.py=PATH.")
    path = Path(os.path.expanduser(file))
    if not path.is_file():
        raise InputError(f"--source {text}: there is no file {file}.")
    return name, path


def as_flags(words: Sequence[str]) -> list[str]:
    """Convert words written as in a run, `game=NAME` and `game.key=value`, to options of commands."""
    flags: list[str] = []
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not re.fullmatch(r"game(\.[a-z_]+)?", key):
            flags.append(word)
        elif key != "game" and key.partition(".")[2] not in options_of_games():
            flags += ["--game-option", f"{key.partition('.')[2]}={value}"]
        elif key == "game" or value.lower() not in ("true", "false"):
            flags += [_flag(key.rpartition(".")[2]), value]
        elif value.lower() == "true":
            flags.append(_flag(key.rpartition(".")[2]))
    return flags


def build_game(name: str, options: Mapping[str, object]) -> Game:
    """The game of the given name with these options."""
    if not names_own_game(name):
        entry = GAMES[name]
        for option in options:
            if option not in entry.options:
                takes = ", ".join(map(_flag, entry.options))
                raise InputError(f"{name} has no {_flag(option)}; it takes {takes}.")
    return make_game(name, options)


def _named_value(text: str) -> tuple[str, object]:
    """The name and value in `NAME=VALUE`; a number or a list as in JSON, anything else as a word."""
    name, sign, value = text.partition("=")
    if not sign:
        raise InputError(f"--game-option {text}: write it as NAME=VALUE.")
    try:
        return name, json.loads(value.lower() if value.lower() in ("true", "false") else value)
    except (ValueError, RecursionError):  # the latter from deeply nested brackets
        return name, value


def picked(record: object, *names: str) -> JsonObject:
    """Some fields or properties of a value by name, for a record."""
    return {name: getattr(record, name) for name in names}


def show(record: Mapping[str, object], text: str, as_json: bool) -> None:
    """Print the record as JSON (null for numbers that are not finite), or otherwise the text."""
    say(to_json(record, indent=2) if as_json else fitted(text))


def options_of_games() -> dict[str, tuple[Any, list[str]]]:
    """Each option of any game: its annotation, and the games that have it."""
    options: dict[str, tuple[Any, list[str]]] = {}
    for name, entry in GAMES.items():
        for option in entry.options:
            options.setdefault(option, (entry.hints.get(option, str), []))[1].append(name)
    return options


def _game_option(name: str, hint: object, games: list[str]) -> Callable[[F], F]:
    kind = typing.get_args(hint)[0] if typing.get_origin(hint) is Annotated else hint
    about = _sentence(games, name)
    if kind is bool:
        return click.option(_flag(name), name, is_flag=True, default=None, help=f"{about}.")
    if any(part is tuple or typing.get_origin(part) is tuple for part in (kind, *typing.get_args(kind))):
        return click.option(_flag(name), name, type=Numbers(), help=f"{about}.")
    defaults = [f"{GAMES[g].defaults[name]} in {g}" for g in games if name in GAMES[g].defaults]
    about = f"{about} [{', '.join(defaults)}]." if defaults else f"{about}."
    return click.option(_flag(name), name, type=kind if kind in (int, float) else str, help=about)


class Numbers(click.ParamType):  # type: ignore[type-arg]  # which click before 8.2 does not take
    """A parameter type: numbers separated by commas."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, ...]:
        """The numbers as a tuple; in brackets, too, as in a run's settings."""
        if not isinstance(value, str):
            return tuple(value)
        try:
            return tuple(map(_number, value.strip().removeprefix("[").removesuffix("]").split(",")))
        except ValueError as error:
            name = param.opts[0] if param else "numbers"
            message = f"{name} {short_repr(value)}: write numbers with commas between them, as in 0,1,1,2."
            raise InputError(message) from error


def _number(word: str) -> float:
    try:
        return int(word)
    except ValueError:
        return float(word)


def _sentence(games: list[str], option: str) -> str:
    """The description of a game's option in its docstring."""
    for game in games:
        if text := arguments(GAMES[game].function).get(GAMES[game].parameter(option)):
            return f"{text[0].upper()}{text[1:].partition('. ')[0].rstrip('.')}"
    return f"Of {', '.join(games)}"


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def at_most_the_cores(settings: Settings) -> Settings:
    """The settings with at most as many workers as the machine has cores, and a note if they had more."""
    cores = available_cores()
    if settings.workers <= cores:
        return settings
    message = "workers = %d: this machine has %d, so the run takes %d."
    logging.getLogger("pigevo").warning(message, settings.workers, cores, cores)
    return settings.with_(workers=cores)


def read_strategy(text: str, game: Game) -> Strategy:
    """The strategy given by a word of the command line, including `optimal`."""
    importlib.import_module("pigevo.exact")  # registers `optimal`
    strategy = parse_strategy(text, game)
    if sentence := out_of_reach(text, game):
        remark(f"pigevo: {sentence}")
    return strategy


def read_pair(a: str, b: str, game: Game) -> tuple[Strategy, Strategy]:
    """Two strategies; if two words give the same name, as two runs' champions may have, the words are the names."""
    first, second = read_strategy(a, game), read_strategy(b, game)
    if first.name == second.name and a != b:
        return replace(first, name=a), replace(second, name=b)
    return first, second


def out_of_reach(text: str, game: Game) -> str:
    """The sentence about points in a named strategy that are more than the game's target; empty if none are."""
    name, _, numbers = text.partition(":")
    if not game.target or is_rule(text) or name.strip() not in STRATEGIES or not numbers:
        return ""
    entry, options = STRATEGIES.spelled(text)
    for option, value in options.items():
        if entry.hints.get(option) == Points and value > game.target:
            tenth, rest = divmod(value, 10)
            likely = rest == 0 and tenth <= game.target
            meant = f"; did you mean {text.replace(str(value), str(tenth))}?" if likely else ""
            return f"{text}: {value} points are more than the {game.target} that win in {game}{meant or '.'}"
    return ""


def game_of_words(words: Sequence[str], game: Game) -> Game:
    """The game for strategies: `game`, if any option of it was typed.

    Otherwise it is that of the first word that is a saved strategy, a run's folder or a cell of its map, and `game` if
    there is none.
    """
    if game_was_typed():
        return game
    for word in (single for several in words for single in single_words(several)):
        path = Path(os.path.expanduser(word))
        if (cell := cell_of(word)) and os.path.isfile(cell[0]):
            return load_elite_map(cell[0]).grid.game
        if names_file(word) and (word.lower().endswith(".npz") or os.path.isdir(path)):
            file = path / CHAMPION if os.path.isdir(path) else path
            if os.path.isfile(file):
                return load_strategy(file).game
    return game


def game_was_typed() -> bool:
    """Whether the command has any option about the game."""
    return any(map(_was_typed, ("game", "game_option", *options_of_games())))


def _was_typed(name: str) -> bool:
    context = click.get_current_context()
    is_given = context.get_parameter_source(name) not in (None, ParameterSource.DEFAULT)
    return is_given and context.params.get(name) != ()  # before click 8.3 the command line gave also what has no words


def refuse_void(why: str, *names: str) -> None:
    """Refuse options of the command that were typed where they have no effect; `why` begins the sentence."""
    context = click.get_current_context()
    for option in context.command.params:
        if option.name in names and _was_typed(option.name):
            words = option.secondary_opts if context.params[option.name] is False else option.opts
            typed = option.human_readable_name if isinstance(option, click.Argument) else words[0]
            raise click.UsageError(f"{why}: {typed} has no effect, leave it out.")
