"""Colours that can be read, in the light and in the dark."""

import re

import pytest

from pigevo.web.site import page_files

READABLE = 4.5
"""The least contrast of text (WCAG 2.1, 1.4.3)."""

PAIRS = [
    *[(text, ground) for text in ("ink", "soft", "mine", "theirs", "bad", "good", "accent") for ground in ("paper", "card")],
    ("on-accent", "accent"), ("ink", "tint"),
]  # fmt: skip


def schemes():
    """The variables of the light scheme, and of the dark one."""
    text = page_files()["style.css"].decode()
    blocks = re.findall(r":root\s*{(.*?)}", text, re.DOTALL)
    light = dict(re.findall(r"--([\w-]+):\s*(#\w{6})", blocks[0]))
    return {"light": light, "dark": light | dict(re.findall(r"--([\w-]+):\s*(#\w{6})", blocks[1]))}


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


def test_black_on_white():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_text_can_be_read():
    found = schemes()
    assert found["light"]["paper"] != found["dark"]["paper"]
    for name, colours in found.items():
        low = [pair for pair in PAIRS if contrast(*(colours[part] for part in pair)) < READABLE]
        assert low == [], name
