"""The process in which one Python file of strategies is read; it is told what to do in JSON (`pigevo/begin.py`).

It calls the functions of the file for every state, writes down the arrays that come of it, and ends.  What the file
prints goes nowhere, and where its time is up, or it breaks down, the process notes where it stands and ends.
"""

import sys
from pathlib import Path

MOST_MEMORY = 2**34


def main() -> None:
    """Do what standard input says: a JSON object of `reference`, `functions`, `game`, `seconds` and `folder`."""
    import faulthandler
    import json

    from pigevo.errors import InputError
    from pigevo.games import game_from_record
    from pigevo.strategies.own import own_strategy
    from pigevo.tournaments.apart import ANSWER, STACK, with_place

    told = json.loads(sys.stdin.readline())
    folder, game = Path(told["folder"]), game_from_record(told["game"])
    stack = (folder / STACK).open("w")
    faulthandler.enable(stack, all_threads=False)
    faulthandler.dump_traceback_later(told["seconds"], exit=True, file=stack)
    limit_memory()
    answers = []
    for number, function in enumerate(told["functions"]):
        reference, error = f"{told['reference']}:{function}", ""
        try:
            own_strategy(reference, game).save(folder / f"{number}.npz")
        except InputError as refused:
            error = with_place(str(refused), reference)
        answers.append(error)
    (folder / ANSWER).write_text(json.dumps(answers), encoding="utf-8")
    faulthandler.cancel_dump_traceback_later()


def limit_memory() -> None:
    """Take no more memory than a strategy can need, where the system knows such a limit: then Python tells the line."""
    from contextlib import suppress

    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
