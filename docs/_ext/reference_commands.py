"""The reference of the commands, from the commands themselves."""

from __future__ import annotations

import re

import click
from markdown import code, fence, prose, table

from pigevo.cli.commands import command_names, load_command
from pigevo.cli.options import game_options

OPTION = ("option", "what it does")


def commands() -> str:
    """Each command: how it is typed, what it does, and its options."""
    return "\n".join(_one(name) for name in command_names())


def shared_options() -> str:
    """The options of the games."""
    command = click.command("any")(game_options(lambda: None))
    return table(OPTION, _records(command.params, click.Context(command)))


def _one(name: str) -> str:
    command = load_command(name)
    context = click.Context(command, info_name=f"pigevo {name}")
    shared = {one.name for one in click.command("any")(game_options(lambda: None)).params}
    takes_game = shared <= {one.name for one in command.params}
    own = [one for one in command.params if not (takes_game and one.name in shared)]
    usage = " ".join([f"pigevo {name}", *command.collect_usage_pieces(context)])
    parts = [f"(command-{name})=", f"## pigevo {name}", "", _paragraphs(command.help or ""), "", fence(usage)]
    parts.append(table(OPTION, _records(own, context)))
    if takes_game:
        parts.append("It also takes the [options of the games](#options-of-the-games).\n")
    parts.append(_paragraphs(command.epilog or ""))
    return "\n".join(parts) + "\n"


def _records(params: list[click.Parameter], context: click.Context) -> list[tuple[str, str]]:
    found = (one.get_help_record(context) for one in params if isinstance(one, click.Option))
    return [(code(one[0]), prose(one[1])) for one in found if one]


def _paragraphs(text: str) -> str:
    """Paragraphs; one that click leaves as it is stays so."""
    return "\n\n".join(
        fence(part.lstrip("\b\n")) if part.startswith("\b") else prose(part)
        for part in re.split(r"\n\s*\n", text.strip())
    )
