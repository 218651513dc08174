"""The rules of the games, and nothing else.

A new game is one class in a file of this folder, registered in `GAMES`, and one YAML in `conf/game/`.
"""

from pigevo.games.game import GAMES, Game, Throw
from pigevo.games.game_record import GameRecord, game_from_record, game_to_record
from pigevo.games.pig import Pig
from pigevo.games.race import Piglet, Race

__all__ = ["GAMES", "Game", "GameRecord", "Pig", "Piglet", "Race", "Throw", "game_from_record", "game_to_record"]
