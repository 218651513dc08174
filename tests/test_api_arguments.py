"""What the Python functions are given: anything but a game or a strategy is refused in a sentence with the argument."""

import inspect
from dataclasses import dataclass

import numpy as np
import pytest

import pigevo
from pigevo import three_player
from pigevo.errors import InputError
from pigevo.games import GAMES

GAME = pigevo.Pig(target=9)
STRATEGY = pigevo.hold_at(GAME, 3)
RIGHT = {"Game": GAME, "Strategy": STRATEGY, "Iterable[Strategy]": [STRATEGY, STRATEGY]}
WRONG = ["hold_at:3", None, 5, np.zeros((9, 9, 9)), pigevo.optimal(GAME)]


def needed(function):
    parameters = inspect.signature(function).parameters.values()
    return [p for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]


FUNCTIONS = {
    name: getattr(pigevo, name)
    for name in dir(pigevo)
    if name[0] != "_" and name != "InputError" and callable(getattr(pigevo, name))
}
TAKERS = [
    pytest.param(function, place, id=f"{name}-{parameter.name}")
    for name, function in FUNCTIONS.items()
    for place, parameter in enumerate(needed(function))
    if parameter.annotation in RIGHT and not inspect.isclass(function)
]


def test_they_are_many():
    assert len(TAKERS) > 35


@pytest.mark.parametrize(("function", "place"), TAKERS)
def test_another_thing_than_a_game_or_a_strategy_is_refused_by_the_argument_s_name(function, place):
    parameters = needed(function)
    arguments = [RIGHT.get(parameter.annotation, 3) for parameter in parameters]
    for wrong in WRONG:
        given = [*arguments]
        given[place] = [STRATEGY, wrong] if "Iterable" in parameters[place].annotation else wrong
        with pytest.raises(InputError, match=rf"^{function.__name__}: (each of )?{parameters[place].name} must be a "):
            function(*given)
        named = dict(zip([parameter.name for parameter in parameters], given, strict=True))
        with pytest.raises(InputError, match=parameters[place].name):
            function(**named)


NUMBERS = [
    pytest.param(function, parameter, id=f"{name}-{parameter.name}")
    for name, function in FUNCTIONS.items()
    for parameter in inspect.signature(function).parameters.values()
    if parameter.annotation in ("int", "float", "bool", "int | None", "float | None") and not inspect.isclass(function)
]


def test_there_are_numbers():
    assert len(NUMBERS) > 25


@pytest.mark.parametrize(("function", "parameter"), NUMBERS)
def test_another_thing_than_a_number_or_a_truth_value_is_refused(function, parameter):
    arguments = {needs.name: RIGHT.get(needs.annotation, 3) for needs in needed(function)}
    for wrong in ("x", [1], np.zeros(2), None):
        if wrong is None and "None" in parameter.annotation:
            continue
        words = None if parameter.annotation == "int" else parameter.name  # a whole number is called what it counts
        with pytest.raises(InputError, match=words):
            taken = function(**{**arguments, parameter.name: wrong})
            next(taken)  # what yields its results refuses at the first one


@pytest.mark.parametrize("name", [*GAMES])
def test_a_game_refuses_fields_of_another_kind(name):
    game = GAMES[name].function
    for field in inspect.signature(game).parameters:
        for wrong in ("x", "false", np.zeros(2), object()):
            with pytest.raises(InputError):
                game(**{field: wrong})
    for too_large in {"target", "cap", "turns"} & {*inspect.signature(game).parameters}:
        with pytest.raises(InputError):  # not a process that takes all memory
            game(**{too_large: 10**30})


def test_numbers_of_numpy_are_numbers():
    assert pigevo.Pig(target=np.int64(9), allow_pass=np.bool_(False)) == GAME
    assert GAMES["big_pig"].function(target=np.int16(9), bonus=np.int64(25)) == GAMES["big_pig"].function(target=9)
    played = pigevo.play_match(STRATEGY, STRATEGY, games=np.int64(10), seed=np.uint8(1), paired=np.bool_(True))
    assert played == pigevo.play_match(STRATEGY, STRATEGY, games=10, seed=1, paired=True)


@pytest.mark.parametrize("wrong", WRONG)
def test_so_do_classes(wrong):
    for make in (
        lambda: pigevo.Strategy(wrong, STRATEGY.roll), lambda: pigevo.CubeGrid(wrong, 3),
        lambda: pigevo.Strategy.from_function(wrong, lambda i, j, k: k < 3),
        lambda: pigevo.Strategy.from_holds(wrong, 3),
    ):  # fmt: skip
        with pytest.raises(InputError, match="game must be a game"):
            make()


@pytest.mark.parametrize(("wrong", "instead"), [
    ("hold_at:3", r"not 'hold_at:3': write parse_strategy\('hold_at:3', game\)\."),
    (np.zeros(3), r"not an array: write Strategy\(game, array\)\."),
    (pigevo.optimal(GAME), r"its \.strategy is one\."),
    (None, r"not None\."),
])  # fmt: skip
def test_the_sentence_says_what_to_write(wrong, instead):
    with pytest.raises(InputError, match=instead):
        pigevo.win_probability(STRATEGY, wrong)
    with pytest.raises(InputError, match=instead):
        pigevo.tournament([STRATEGY, wrong] if not isinstance(wrong, str) else {"a": STRATEGY, "b": wrong})


def test_a_strategy_where_a_game_is_meant_says_where_its_game_is():
    with pytest.raises(InputError, match=r"its \.game is one"):
        pigevo.optimal(STRATEGY)


def test_a_generator_of_strategies_is_taken():
    several = [pigevo.hold_at(GAME, n) for n in (2, 3)]
    assert np.array_equal(pigevo.win_matrix(strategy for strategy in several), pigevo.win_matrix(several))


@pytest.mark.parametrize("wrong", [None, 5])
def test_a_word_is_a_text(wrong):
    with pytest.raises(InputError, match="text must be a word"):
        pigevo.parse_strategy(wrong, GAME)


@pytest.mark.parametrize("wrong", ["x", None, 5, STRATEGY])
def test_functions_for_three_players_say_what_they_take(wrong):
    for of_game in (three_player.solve, three_player.lifted):
        with pytest.raises(InputError, match="three players play a race with one die"):
            of_game(wrong)
    mine = three_player.lifted(pigevo.Pig(target=3))
    for of_strategies in (three_player.play, three_player.evaluate, three_player.win_probabilities):
        with pytest.raises(InputError, match="takes strategies for three"):
            of_strategies([mine, mine, wrong])
        with pytest.raises(InputError, match="takes a list of three strategies"):
            of_strategies(wrong)
    with pytest.raises(InputError, match="takes strategies for three"):
        three_player.certify(wrong, np.zeros((4, 4, 4, 3)))


def test_a_target_that_is_too_large_for_three_is_refused_before_any_memory_is_taken():
    with pytest.raises(InputError, match="too large for three players"):
        three_player.solve(pigevo.Pig(target=1000))


def test_the_default_of_a_user_s_game_is_taken_as_it_is():
    @dataclass(frozen=True)
    class Loose(type(GAMES["progressive"].function())):
        note: int = None

    assert Loose(9).note is None
    with pytest.raises(InputError, match=r"Loose\.note = 'x' must be a whole number"):
        Loose(9, note="x")
