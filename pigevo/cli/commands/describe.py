"""`pigevo describe WORD`: what a choice, a column, a setting or a word of the output is."""

from __future__ import annotations

import textwrap
from dataclasses import asdict

import click

from pigevo.cli.options import json_option, show
from pigevo.cli.word_descriptions import Meaning, meanings

WIDTH = 100

_EPILOG = """\
WORD is a choice of any group (lexicase, waves, or selection=lexicase where several groups have it), a group, a
setting, a named strategy, an experiment, a command, a column of any table, a figure of result.json, or a word of the
output.
"""


@click.command(epilog=_EPILOG)
@click.argument("word", nargs=-1, required=True)
@json_option
def command(word: tuple[str, ...], as_json: bool) -> None:
    """What a choice, a column, a setting or a word of the output is."""
    text = " ".join(word)
    found = meanings(text)
    show({"word": text, "meanings": [asdict(one) for one in found]}, "\n\n".join(map(describe, found)), as_json)


def describe(one: Meaning) -> str:
    """One meaning as lines to read."""
    lines = [f"{one.word}: {one.kind}", *textwrap.wrap(one.text, WIDTH, initial_indent="  ", subsequent_indent="  ")]
    if one.source:
        lines += textwrap.wrap(f"source: {one.source}", WIDTH, initial_indent="  ", subsequent_indent="    ")
    if one.settings:
        lines.append("  settings:")
    for name, takes, about in one.settings:
        said = "; ".join(part for part in (takes, about.rstrip(".")) if part)
        lines += textwrap.wrap(f"{name}  {said}", WIDTH, initial_indent="    ", subsequent_indent="        ")
    if one.example:
        lines.append(f"  {one.example}")
    return "\n".join(lines)
