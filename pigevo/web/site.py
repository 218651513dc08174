"""The files of the page: its own files, and the strategies and films that it shows."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property, partial
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np

from pigevo import __version__
from pigevo.core.arrays import Ints
from pigevo.core.checked_values import JsonObject
from pigevo.dice import Die
from pigevo.errors import InputError
from pigevo.exact import best_response, optimal
from pigevo.exact.evaluate import worth_between
from pigevo.games import GAMES, Game, Pig, Throw
from pigevo.games.game import ROLLS, plain_face
from pigevo.people.adapting import CAP, CHANGE, SLIP_CHANCES, answers_to_holds
from pigevo.people.habits import SLIPS, neutral_values
from pigevo.storage.files import make_marked, path_in, refuse_strangers, write_bytes
from pigevo.strategies import Strategy, hold_at, load_strategy, roll_and_wait, roll_to_win, score, skip_when_level
from pigevo.strategies.rules import parse_rule
from pigevo.web.html import POLICY

KIND = "page"  # the mark of a folder to which pigevo has written the page

STATIC = files("pigevo.web") / "static"
SKIPPED = ("__pycache__", ".")
"""Prefixes of names that are not part of the page: files left by Python, an editor or a system."""

WORKER = "service_worker.js"

UNBEATEN = "No strategy beats the optimum: computed exactly, for every score."

GAME = Pig()
OWN_GAME = "yours"  # the name in addresses of the user's game

CHAMPION = Path(__file__).with_name("champion.npz")
"""The evolved champion of the page, of `python -m pigevo experiment=coevolve seed=1 fitness.exploring_starts=0`.

`champion.json` beside it is the record of that run, by which tests know that it is the same.
"""

RULES = {
    "one": "multiple(25)",
    "two": "multiple(24); race either>=72",
    "three": "22+(j-i)/7; race 2*own+opponent>=178",
    "four": "21+(j-i)/7; race own+2*opponent>=194 or leaves<=13",
}
"""The best rules by the number of numbers to remember, from the study `rules`."""

PUBLISHED = "21+(j-i)/8; race either>=71"

EXAMPLES = files("pigevo.web") / "example_films"

MADE_BY: dict[str, tuple[str, tuple[str, ...]]] = {
    "cube_random": (
        "By games of luck (Exeter 2016)",
        ("experiment=cube_random", "mutation=0.005"),
    ),
    "rediscover": (
        "By the exact referee",
        ("experiment=rediscover", "record_every=10"),
    ),
}
"""The titles of the page's own films, and the words of their runs."""


@dataclass(frozen=True, eq=False)
class PageStrategy:
    """A strategy with its title, a sentence about its play, its source, and its rule as typed, if it is a rule.

    `id` is its name in addresses and files, in lower-case letters, digits and hyphens. The strategy is created when
    first needed.
    """

    id: str
    title: str
    sentence: str
    make: Callable[[], Strategy]
    source: str = ""
    rule: str = ""

    @cached_property
    def strategy(self) -> Strategy:
        """The strategy itself."""
        return self.make()

    @property
    def file(self) -> str:
        """The file of its decisions."""
        return f"{self.id}.bits"


@dataclass(frozen=True, eq=False)
class Film:
    """A run for the page: its film as plain values, and the strategy of its last frame."""

    record: JsonObject
    champion: Strategy


class PageFiles(Mapping[str, bytes]):
    """The content of each file of the page by its name, with `/` after folders.

    Files that take long to compute are computed once, when they are first read.
    """

    def __init__(self, ready: Mapping[str, bytes], later: Mapping[str, Callable[[], bytes]]) -> None:
        self._ready, self._later = ready, later

    def __getitem__(self, name: str) -> bytes:
        return self._later[name]() if name in self._later else self._ready[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._ready
        yield from self._later

    def __len__(self) -> int:
        return len(self._ready) + len(self._later)


def page_files(runs: Sequence[Film] = (), game: Game = GAME) -> PageFiles:
    """The whole page. Champions of the user's runs become strategies of the page, if they play its game.

    A `game` that is not among the page's games is added to them.
    """
    games = other_games() | own_game(game)
    ready = dict(_static(STATIC, ""))
    ready["index.html"] = ready["index.html"].replace(b"@POLICY@", POLICY.encode())
    later = {
        f"data/games/{name}/{opponent.id}.worth": partial(worth_file, game, opponent.id)
        for name, game in games.items()
        for opponent in opponents_in(game)
    }
    later["data/adapting.json"] = partial(adapting_file, GAME)
    worker = ready.pop(WORKER)
    ready |= _data(runs, games) | film_files(runs)
    return PageFiles({**ready, WORKER: service_worker(worker, ready, later)}, later)


def service_worker(script: bytes, ready: Mapping[str, bytes], later: Iterable[str]) -> bytes:
    """The service worker of the page, by which it works without its server after the first visit.

    Args:
        script: the worker, with `@FILES@` and `@LATER@` for its lists.
        ready: the content of the files that it stores at once; their digests tell it what has changed.
        later: the names of files that are computed when first requested. Their digest is that of the whole version.
    """
    digests = {name: sha256(content).hexdigest() for name, content in ready.items()}
    version = sha256(json.dumps([__version__, digests], sort_keys=True).encode()).hexdigest()
    lists = {b"@FILES@": digests, b"@LATER@": dict.fromkeys(later, version)}
    for mark, listed in lists.items():
        script = script.replace(mark, json.dumps(listed, indent=1).encode())
    return script


def write_site(
    folder: str | os.PathLike[str],
    runs: Sequence[Film] = (),
    begun: Callable[[], None] = lambda: None,
    game: Game = GAME,
) -> list[Path]:
    """Write the page as static files, which any host can serve, with films of the user's runs and a game of the user's.

    The folder must be new, empty, or one to which the page was written before; only its own files are replaced.
    `begun` is called after all checks, before the games are solved, which takes a while.
    """
    target, content = Path(folder), page_files(runs, game)
    refuse_strangers(target, KIND, lambda _: False)
    make_marked(target, KIND)
    paths = {name: path_in(target, name) for name in content}  # refuses links before anything is written
    begun()
    return [write_bytes(path, content[name]) for name, path in paths.items()]


def _static(folder: Traversable, within: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if path.name.startswith(SKIPPED):
            continue
        if path.is_dir():
            yield from _static(path, f"{within}{path.name}/")
        else:
            yield within + path.name, path.read_bytes()


ENTRY = ("id", "title", "sentence", "source", "rule", "file")  # the entry of each strategy in the list


def _data(runs: Sequence[Film], further_games: Mapping[str, Game]) -> dict[str, bytes]:
    """The strategies, bit-packed, and the list of them."""
    strategies = [*page_strategies(), *champions_of(runs)]
    games = {"pig": GAME, **further_games}
    index = {
        "game": {"target": GAME.target, "sides": GAME.sides},
        "strategies": [{name: getattr(strategy, name) for name in ENTRY} for strategy in strategies],
        "games": [rules_of(name, game) for name, game in games.items()],
    }  # fmt: skip
    packed = {f"data/{strategy.file}": np.packbits(strategy.strategy.roll).tobytes() for strategy in strategies}
    return {"data/index.json": json.dumps(index, separators=(",", ":"), allow_nan=False).encode(), **packed}


def page_strategies() -> Iterator[PageStrategy]:
    """All strategies of the page; the first three are offered first as opponents."""
    yield PageStrategy(
        "optimal", "The optimum", UNBEATEN, lambda: optimal(GAME).strategy,
        "Neller & Presser 2004; solved by pigevo",
    )  # fmt: skip
    yield PageStrategy(
        "hold-at-20", "Hold at 20", "Banks as soon as a turn is worth 20, whatever the scores.",
        lambda: hold_at(GAME, 20), "Neller & Presser 2004",
    )  # fmt: skip
    yield PageStrategy(
        "champion", "The evolved champion", "Evolved from random strategies by playing only against its own ancestors.",
        lambda: load_strategy(CHAMPION), "python -m pigevo experiment=coevolve seed=1 fitness.exploring_starts=0",
    )  # fmt: skip
    for number, text in RULES.items():
        yield _rule(f"rule-{number}", f"The {number}-number rule", text, "pigevo study rules")
    yield _rule("keep-pace", "Keep pace, end race", PUBLISHED, "Neller & Presser 2010")
    yield _score("score-20", GAME, 20, "Exeter 2016, section 3.4.5")
    yield PageStrategy(
        "hold-at-25", "Hold at 25", "Banks as soon as a turn is worth 25: the best of its kind against the optimum.",
        lambda: hold_at(GAME, 25), "Neller & Presser 2004",
    )  # fmt: skip
    yield PageStrategy(
        "roll-to-win", "Roll to win", "Never banks before it has won: the bravest, and nearly the worst.",
        lambda: roll_to_win(GAME), "Exeter 2017, section 3.3.6",
    )  # fmt: skip


def _rule(id: str, title: str, text: str, source: str) -> PageStrategy:
    rule = parse_rule(text)
    return PageStrategy(id, title, rule.sentence, lambda: rule.strategy(GAME), source, rule.text)


def _score(id: str, game: Game, n: int, source: str = "") -> PageStrategy:
    sentence = f"Rolls while it is not ahead; once ahead it banks at {n}."
    return PageStrategy(id, f"Score {n}", sentence, lambda: score(game, n), source)


def film_files(own: Sequence[Film] = ()) -> dict[str, bytes]:
    """The files of the Watch part: the films, the user's first, and the list of them."""
    films = {f"run-{n}.json": as_text(film.record).encode() for n, film in enumerate(own, start=1)}
    films |= {f"{name}.json": (EXAMPLES / f"{name}.json").read_bytes() for name in MADE_BY}
    titles = [{"file": name, "title": json.loads(content)["title"]} for name, content in films.items()]
    listed = {"index.json": json.dumps(titles, indent=1).encode()}
    return {f"data/films/{name}": content for name, content in (listed | films).items()}


def champions_of(own: Sequence[Film]) -> Iterator[PageStrategy]:
    """The champions of the user's runs that play the page's game, as strategies of the page."""
    for n, film in enumerate(own, start=1):
        if film.champion.game == GAME:
            yield _champion(film, f"run-{n}", "Your champion" + (f" {n}" if len(own) > 1 else ""))


def _champion(film: Film, id: str, title: str) -> PageStrategy:
    run, last = film.record["title"], film.record["frames"][-1]
    sentence = f"Evolved by {run}; it wins {100 * last['overall']:.1f} % against the optimum."
    return PageStrategy(id, title, sentence, lambda: film.champion, f"generation {last['generation']} of {run}")


def as_text(record: JsonObject) -> str:
    """A film as the file that the page reads."""
    return json.dumps(record, separators=(",", ":"), allow_nan=False) + "\n"


@cache
def other_games() -> dict[str, Game]:
    """The games of the page besides Pig to 100, by their names in addresses: the named ones, and Pig with passing."""
    games = {name: entry.bind({}) for name, entry in GAMES.items() if name != "pig"}
    return {**games, "pig_with_passing": Pig(allow_pass=True)}


def own_game(game: Game) -> dict[str, Game]:
    """A user's game by its name in addresses; empty if the page has that game already.

    Raises:
        InputError: decisions depend on the number of rolls, which the page does not count.
    """
    if ROLLS in game.remembers:
        raise InputError(f"the page plays no game in which a decision depends on the rolls of the turn, as {game}.")
    known = (GAME, *other_games().values())
    return {} if any(game.rules == other_game.rules for other_game in known) else {OWN_GAME: game}


def opponents_in(game: Game) -> Iterator[PageStrategy]:
    """The optimum, and the named strategies whose parameters make sense in the game."""
    n = neutral_values(game)[0]
    yield PageStrategy("optimal", "The optimum", UNBEATEN, lambda: optimal(game).strategy)
    holds = n < game.size  # else it holds only where every player does: it would be rolling to win by another name
    if holds:
        aside = "; the score that it risks is not counted" if game.falls else ""
        hold = f"Banks as soon as a turn is worth {n}: from there on one more throw loses at least as much of the turn"
        hold += f" total as it adds, on average{aside}."
        yield PageStrategy("hold-at", f"Hold at {n}", hold, lambda: hold_at(game, n))
    if game.falls:  # solving against another opponent takes seconds there
        return
    if holds:
        yield _score("score", game, n)
    if not game.target:
        return
    brave = f"Never banks before it has come to {game.target}."
    yield PageStrategy("roll-to-win", "Roll to win", brave, lambda: roll_to_win(game))
    if game.allow_pass:
        lead = 4 * game.target // 5
        waits = f"Banks at {n} until it has {lead}; then it passes while it is ahead."
        yield PageStrategy("roll-and-wait", "Roll and wait", waits, lambda: roll_and_wait(game, lead, n))
        skips = f"Passes whenever the scores are level, but not at 0 to 0; banks at {n}."
        yield PageStrategy("skip-when-level", "Skip when level", skips, lambda: skip_when_level(game, n))


def rules_of(name: str, game: Game) -> JsonObject:
    """The rules of a game for the page, which knows no game otherwise."""
    opponents = [] if game == GAME else opponents_in(game)
    own = name == OWN_GAME
    return {
        "name": name, "title": _own_title(game) if own else _title(game),
        "rules": sha256(repr(game.rules).encode()).hexdigest() if own else "",  # the name may be another game's
        "sentence": game.rules_in_words,
        "target": game.target, "size": game.size, "turns": game.turns, "cap": game.cap, "reply": game.reply,
        "level": game.level, "draw": game.draw, "falls": game.falls, "passing": game.allow_pass,
        "die": _die(game) if game.one_die else None,
        "axes": [[axis.name, axis.values[0], len(axis.values)] for axis in game.between],
        "throws": [_throw(game, throw) for throw in game.effective_throws],
        "firstThrows": [_throw(game, throw) for throw in game.first_effective_throws],
        "opponents": [
            {"id": opponent.id, "title": opponent.title, "sentence": opponent.sentence} for opponent in opponents
        ],
    }  # fmt: skip


def _title(game: Game) -> str:
    """The title of a game that has the usual options, but for passing."""
    return str(game).partition(" (")[0] + (", passing allowed" if game.allow_pass else "")


def _own_title(game: Game) -> str:
    """The title of a user's game, which has all its options and is that of no other game of the page."""
    others = [_title(other) for other in (GAME, *other_games().values())]
    return f"{game} (yours)" if str(game) in others else str(game)


def _die(game: Game) -> JsonObject:
    """How seeded dice are read from random words in a one-die race."""
    die = Die.of(game.die, game.bust)
    slots = {name: getattr(die, name).tolist() for name in ("own", "alias", "cut")}
    return {**slots, "rolls": die.rolls_per_word, "fair": die.is_fair}


def _throw(game: Game, throw: Throw) -> JsonObject:
    """A throw, and the faces with which it can land, with their weights; a game may have faces for some throws only."""
    lands = throw.points, throw.ends
    faces = [[face, outcome.chance] for face, outcome in game.faces if (outcome.points, outcome.ends) == lands]
    return {**asdict(throw), "faces": faces or [[plain_face(throw), throw.chance]]}


@cache
def adapting_file(game: Game) -> bytes:
    """`BestResponses` without the strategies, which the page solves itself, and the slips with their prior."""
    answers = answers_to_holds(game)
    record = {
        "target": game.target, "limit": CAP, "change": CHANGE, "slips": SLIPS.tolist(),
        "slipChances": SLIP_CHANCES.tolist(), "to": answers.to.tolist(), "gains": answers.gains.tolist(),
        "losses": answers.losses.tolist(),
    }  # fmt: skip
    return json.dumps(record, separators=(",", ":"), allow_nan=False).encode()


_SOLVING = threading.Lock()


def worth_file(game: Game, id: str) -> bytes:
    """The data of an opponent for the page: the value of each state, and the turn total at which it holds there.

    The value is that of best play against it, with the opponent to move, as 64-bit floats by the axes that do not
    change during a turn. The turn totals, 16-bit integers, are left out for the optimum, because they follow from the
    values.
    """
    with _SOLVING:  # one after the other: a browser may request two at the same time, or one again before it is there
        return _solved(game, id)


@cache
def _solved(game: Game, id: str) -> bytes:
    opponent = next(entry for entry in opponents_in(game) if entry.id == id).strategy
    best = opponent if id == "optimal" else best_response(opponent).strategy
    after = worth_between(best, opponent)[1][:-3].astype("<f8").tobytes()
    return after if id == "optimal" else after + holds_of(opponent).astype("<u2").tobytes()


def holds_of(strategy: Strategy) -> Ints:
    """The turn total at which a strategy first holds, for each state in which a turn can begin."""
    rolls = strategy.roll.reshape(-1, strategy.game.size)
    return np.where(rolls.all(axis=1), rolls.shape[1], rolls.argmin(axis=1))
