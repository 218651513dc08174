"""What `pigevo --help` says."""

from __future__ import annotations

from pathlib import Path

from pigevo.cli import glossary
from pigevo.cli.commands import command_names, load_command
from pigevo.settings.schema import GROUPS, choices, conf_folder

_TOP = """\
pigevo: what does evolution find for the dice game Pig?  With an exact referee.

Run an experiment, with any setting changed (key=value, in any order):
  python -m pigevo experiment=cube_random mutation=0.005 seed=3
  python -m pigevo -m experiment=cube_random 'seed=range(10)' mutation=0.001,0.01    every combination: a sweep
  python -m pigevo --cfg job experiment=cube_random     show all settings, run nothing
  python -m pigevo experiment=cube_random debug=fast    a few seconds, to see that it works

Or give a command (`pigevo duel --help` tells its arguments):"""

_BOTTOM = """\
`pigevo` and `python -m pigevo` are the same.  Hydra composes the settings: `--config-dir` adds configs of your own,
`hydra.run.dir` says where a run lies, `--shell-completion install=bash` completes words.
`pigevo describe WORD` says what a choice, a setting, a column or a word such as champion or cuboid means."""


def overview() -> str:
    """The help: the two ways to call pigevo, and all that can be chosen."""
    names = command_names()
    width = max(map(len, names), default=0)
    commands = [f"  {n:{width}}  {load_command(n).get_short_help_str(90)}" for n in names]
    conf = conf_folder()
    experiments = ["", "Experiments:", *(f"  {n:{20}}  {_description(conf, n)}" for n in choices("experiment"))]
    sweeps = ["", "Sweeps (sweep=name):", *(f"  {n:{20}}  {_description(conf, n, 'sweep')}" for n in choices("sweep"))]
    width = max(map(len, GROUPS))
    groups = ["", "Choices (group=name; their options as group.option=value):"]
    for g in GROUPS:
        groups += [f"  {g:{width}}  {', '.join(choices(g))}", f"  {'':{width}}    {_first(glossary.GROUPS[g])}"]
    return "\n".join([_TOP, *commands, *experiments, *sweeps, *groups, "", _BOTTOM])


def _first(text: str) -> str:
    """The first sentence of a meaning."""
    return f"{text.split('. ')[0].rstrip('.')}."


def _description(conf: Path, name: str, group: str = "experiment") -> str:
    """The first comment of a choice's file that is a sentence, not a command."""
    for line in (conf / group / f"{name}.yaml").read_text(encoding="utf-8").splitlines():
        text = line.lstrip("# ")
        if line.startswith("#") and not text.startswith(("@package", "python -m")):
            return text
    return ""
