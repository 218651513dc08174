"""Functions of users for tests: their files, their identity, and some without a file."""

from pathlib import Path

from pigevo.user_code.loading import identity_of_object


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)
    return Path(path).absolute()


def identity(function):
    return identity_of_object(function).identity


def typed(text, **values):
    space = {"__name__": "__main__", **values}
    exec(text, space)
    return space["f"]
