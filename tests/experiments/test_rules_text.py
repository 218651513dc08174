"""Every figure of the README of rules is one of the tables beside it."""

import re

import pytest

from pigevo.strategies.rules import complexity, parse_rule
from pigevo.studies.find import experiments_folder
from tests.experiments.prose import numbers, paragraphs, told_rows, unfounded

PLACE = experiments_folder() / "rules"
README = (PLACE / "README.md").read_text()
TABLES = {path.name: path.read_text() for path in PLACE.glob("*.md") if path.name != "README.md"}
PARAGRAPHS = [one for one in paragraphs(README) if numbers(one)]


def rows(table, *beginnings):
    return [(f"{table}.md", one) for one in beginnings]


def front(*texts):
    return rows("front", *(f"`{text}` |" for text in texts))


PUBLISHED = "21+(j-i)/8; race either>=71"
TWICE = "22+(j-i)/7; race 2*own+opponent>=178"
SOURCES = {}
KNOWN = {}
