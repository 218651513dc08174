"""The form for writing down games by hand (Exeter 2017, figure 5): its texts, and an example line."""

from __future__ import annotations

from dataclasses import dataclass

from pigevo.games import Game
from pigevo.people.record_files import cells_of, refuse_other_games
from pigevo.people.recorded_games import People, Person, RecordedGame, RecordedTurn

ABOVE = ("game", "player", "seat", "preference", "question_2", "question_3")
LINE = ("turn", "dice", "rolls", "banked", "score")
"""The columns of the file: those written once above the lines of a player, and those of a line."""

CHOICES = {"preference": ("averse", "neutral", "seeking"), "question_2": ("a", "b"), "question_3": ("a", "b")}
"""The choices to be circled."""

TURNS = 22
"""The number of lines of a player, as in the report's form."""

SIDES = ("1 (moves first)", "2 (moves second)")
"""The seat of the player on the left, and of the one on the right."""


@dataclass(frozen=True)
class TrackerForm:
    """The texts of the page.

    Args:
        title: the title.
        how: instructions, one or two sentences each.
        example: a turn as an example, by the columns of the file, in their order.
        questions: the meaning of the answers above the lines.
        foot: the text at the bottom.
    """

    title: str
    how: tuple[str, ...]
    example: dict[str, str]
    questions: str
    foot: str

    @property
    def csv(self) -> str:
        """The first two rows of a file: the names of the columns, and the example."""
        return f"{','.join(self.example)}\n{','.join(self.example.values())}\n"


def tracker_form(game: Game, command: str = "pigevo people games.csv") -> TrackerForm:
    """The form for a game.

    Args:
        game: a race of one die to a bounded target.
        command: the command that reads the typed file.

    Raises:
        InputError: records of this game are not supported.

    Example:
        >>> import pigevo
        >>> from pigevo.people import tracker_form
        >>> print(tracker_form(pigevo.Pig()).csv)
        game,player,seat,preference,question_2,question_3,turn,dice,rolls,banked,score
        7,Ann B,1,neutral,a,b,1,4 5 6 2,4,17,17
        <BLANKLINE>
    """
    refuse_other_games(game)
    example = _example(game)
    lost = "; a roll that loses the turn stands there, too" if game.bust else ""
    passed = " A pass has 0 rolls." if game.allow_pass else ""
    return TrackerForm(
        title=f"{game}: a game, turn by turn",
        how=(
            "1. One page is one game. Number it, and write both names, the same in every game: a name is one person. "
            "Who moves first is on the left. Both circle their answers before the game, unseen by the other.",
            f"2. Each turn is a line. dice: what each roll showed, as {example['dice']}{lost} (this column may stay "
            "empty). rolls: how many. banked: the points that the turn brought, 0 if it was lost. score: the total."
            + passed,
            "3. To type it off, begin a table with the grey row below. Each line of the form is a row of the table, "
            "as the example is: first what stands above the lines, then the line. Save the table as CSV.",
        ),
        example=example,
        questions=(
            "preference: do you rather take a sure thing (averse) or a gamble (seeking), or is it all the same to you "
            "(neutral)? question_2: a, a sure £10; or b, an even chance of £20 or nothing. question_3: the same with "
            "£1 million and £2 million."
        ),
        foot=f"A game of more than {TURNS} turns needs a second page. The table is read by: {command}",
    )


def _example(game: Game) -> dict[str, str]:
    """A first turn that `read_people` accepts, as an example."""
    faces = sorted(points for points, _ in game.die if points)
    dice: list[int] = []
    for points in faces[(len(faces) - 1) // 2 :] + faces[: (len(faces) - 1) // 2]:
        dice.append(points)
        if len(dice) == 4 or sum(dice) >= game.target:
            break
    turn = RecordedTurn("Ann B", 1, 0, 0, len(dice), sum(dice), tuple(dice))
    played = RecordedGame("7", ("Ann B", "Carl"), (turn,))
    cells = cells_of(People(game, (Person("Ann B", "neutral", "a", "b"), Person("Carl")), (played,)))[0]
    return {name: cells[name] for name in (*ABOVE, *LINE)}
