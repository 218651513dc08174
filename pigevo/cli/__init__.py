"""The command line: a run of an experiment through Hydra, or one of the commands."""

from pigevo.cli.entry import command, main

__all__ = ["command", "main"]
