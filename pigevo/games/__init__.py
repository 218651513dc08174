"""The rules of the games, and nothing else.

A new game of one die is one class in a file of this folder, registered in `GAMES`,
and one YAML in `conf/game/`.
"""

from pigevo.games.pig import Pig
from pigevo.games.piglet import Piglet
from pigevo.games.race import GAMES, GameRecord, Race, game_from_record, game_to_record

__all__ = ["GAMES", "GameRecord", "Pig", "Piglet", "Race", "game_from_record", "game_to_record"]
