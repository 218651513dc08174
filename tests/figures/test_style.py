"""The colours of lines differ for everyone, and the numbers of names beside curves."""

from itertools import combinations, pairwise, permutations

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from pigevo.figures.axes import (
    AMOUNTS,
    COLORS,
    DIVIDER,
    ODDS,
    STYLE,
    figure_of,
    label_ends,
    line,
    save_figure,
    spread,
    styled,
)
from pigevo.figures.bands import band, plot_bands

EYES = {
    "all cones": np.eye(3),
    "no red cones": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no green cones": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}  # fmt: skip
"""On linear RGB, of full severity: G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, IEEE TVCG 15 (2009), 1291-1298."""

APART = 8.0
"""The least difference of two colours in lightness L*, of 100."""


def lightness(colors, eye):
    """CIE L* of colours, shape (n, 3), as an eye sees them: what a grey print keeps."""
    srgb = np.asarray(colors, dtype=float)
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    y = np.clip(linear @ np.transpose(EYES[eye]), 0, 1) @ [0.2126, 0.7152, 0.0722]
    return np.where(y > 216 / 24389, 116 * np.cbrt(y) - 16, y * 24389 / 27)


@pytest.mark.parametrize("eye", EYES)
def test_colours_of_lines_differ_in_grey_and_for_the_colour_blind(eye):
    levels = lightness([mpl.colors.to_rgb(color) for color in COLORS], eye)
    apart = {(a, b): abs(levels[a] - levels[b]) for a, b in combinations(range(len(COLORS)), 2)}
    assert min(apart.values()) >= APART


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("name", [AMOUNTS, ODDS])
def test_maps_of_amounts_grow_lighter_for_everyone(name, eye):
    levels = lightness(colormaps[name](np.linspace(0, 1, 64))[:, :3], eye)
    assert (np.diff(levels) > 0).all()


def contrast_on_white(color):
    srgb = np.array(mpl.colors.to_rgb(color))
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return 1.05 / (linear @ [0.2126, 0.7152, 0.0722] + 0.05)


def test_every_line_has_a_contrast_of_3_to_1_on_white():
    lines = [*(line(n) for n in range(20)), *(line(n, 7) for n in range(7)), line(0, 1), DIVIDER]
    assert min(contrast_on_white(style["color"]) for style in lines) >= 3


def test_ordered_lines_go_from_dark_to_light():
    shades = [line(n, 6)["color"][:3] for n in range(6)]
    assert (np.diff(lightness(shades, "all cones")) > 3).all()


def test_twenty_lines_are_all_different():
    assert len({tuple(line(n).values()) for n in range(20)}) == 20
    assert len({line(n)["linestyle"] for n in range(4)}) == 4


def test_the_style_is_the_house_s_and_the_user_s_stays():
    @styled
    def size():
        return mpl.rcParams["font.size"]

    with mpl.rc_context({"font.size": 3}):
        assert size() == STYLE["font.size"]
        assert mpl.rcParams["font.size"] == 3


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0.01, 0.1))
def test_names_stand_apart_in_the_order_of_their_curves(heights, size):
    moved = spread(np.array(heights), np.full(len(heights), size))
    assert (np.diff(moved[np.argsort(heights, kind="stable")]) >= size - 1e-9).all()
    assert size / 2 - 1e-9 <= moved.min() <= moved.max() <= 1 - size / 2 + 1e-9


@pytest.mark.parametrize(
    ("heights", "sizes", "moved"),
    [
        ([0.2, 0.5, 0.8], [0.1, 0.1, 0.1], [0.2, 0.5, 0.8]),
        ([0.5, 0.5], [0.1, 0.1], [0.45, 0.55]),
        ([0.5, 0.5], [0.1, 0.3], [0.4, 0.6]),
        ([], [], []),
    ],
)
def test_names_move_no_more_than_they_must(heights, sizes, moved):
    assert spread(np.array(heights), np.array(sizes)) == pytest.approx(moved)


def test_a_name_stands_at_the_margin_or_where_its_curve_ends():
    ax = Figure().add_subplot()
    lines = {
        "whole": ax.plot([0, 10], [0, 1])[0], "early": ax.plot([0, 4], [0, 0.5])[0],
        "gone": ax.plot([0, 10], [5, 5])[0], "gap": ax.plot([0, 9, 10], [0, 0.2, np.nan])[0],
    }  # fmt: skip
    ax.set(xlim=(0, 10), ylim=(0, 1))
    label_ends(ax, lines)
    placed = {text.get_text(): text for text in ax.texts}
    assert set(placed) == {"whole", "early", "gap"}
    assert placed["whole"].xy == pytest.approx((10, 1))
    assert placed["gap"].xy == pytest.approx((9, 0.2))
    assert placed["early"].arrow_patch is None
    assert placed["whole"].arrow_patch is not None


def test_no_leader_crosses_another_name_where_curves_end_together():
    ax = Figure(figsize=(5, 4.2), layout="constrained").add_subplot()
    lines = {f"goal {n}": ax.plot([0, 1], [n / 10, 0.98 - n / 40])[0] for n in range(3)}
    ax.set(xlim=(0, 1.04), ylim=(0, 1))
    label_ends(ax, lines)
    ax.get_figure().draw_without_rendering()
    for text, other in permutations(ax.texts, 2):
        leader, word = text.arrow_patch.get_window_extent(), Text.get_window_extent(other)
        assert leader.x1 <= word.x0 or not leader.overlaps(word)


def test_many_names_of_curves_that_end_together_have_pieces_of_their_lines_in_the_order_of_the_ends():
    ax = Figure(figsize=(5, 4.2), layout="constrained").add_subplot()
    looks = [line(n) for n in range(7)]
    lines = {f"goal {n}": ax.plot([0, 1], [0, 0.5 + n / 100], **look)[0] for n, look in enumerate(looks)}
    ax.set(xlim=(0, 1), ylim=(0, 1))
    label_ends(ax, lines)
    ax.get_figure().draw_without_rendering()
    names, pieces = ax.texts, [one for one in ax.lines if one not in lines.values()]
    assert not any(name.arrow_patch for name in names)
    assert [(one.get_color(), one.get_linestyle()) for one in pieces] == [tuple(look.values()) for look in looks]
    boxes = [Text.get_window_extent(name) for name in names]
    assert all(below.y1 <= above.y0 for below, above in pairwise(boxes))
    for name, piece in zip(boxes, pieces, strict=True):
        drawn = piece.get_window_extent()
        assert ax.bbox.x1 < drawn.x0 < drawn.x1 < name.x0
        assert name.y0 < drawn.y0 <= drawn.y1 < name.y1


@pytest.mark.parametrize(("low", "alike"), [(0.0, True), (0.1, False)])
def test_two_curves_that_end_at_one_point_have_no_leaders_from_it(low, alike):
    ax = Figure(figsize=(5, 4.2), layout="constrained").add_subplot()
    lines = {f"goal {n}": ax.plot([0, 1], [n / 10, end])[0] for n, end in enumerate((0.0, low, 1.0))}
    ax.set(xlim=(0, 1.04), ylim=(0, 1))
    label_ends(ax, lines)
    assert [name.arrow_patch is None for name in ax.texts] == [alike] * 3


def test_a_tint_in_a_file_has_the_colour_of_its_line(tmp_path):
    ax = plot_bands({f"setting {n}": band(np.random.default_rng(n).normal(n, 0.2, (9, 40))) for n in range(5)})
    colors = [area.get_facecolor()[0] for area in ax.collections]
    image = np.asarray(Image.open(save_figure(tmp_path / "bands.png", figure_of(ax))).convert("RGB")).reshape(-1, 3)
    seen, counts = np.unique(image, axis=0, return_counts=True)
    tints = [255 * (1 - color[3] * (1 - color[:3])) for color in colors]
    areas = seen[counts > 2000].astype(float)
    assert all(np.abs(areas - tint).max(axis=1).min() <= 1.5 for tint in tints)


def test_names_stay_within_the_height_of_the_axes():
    ax = Figure(figsize=(5, 4), layout="constrained").add_subplot()
    ends = {"one\nabove": (10, 0), "high": (4, 1), "low": (4, 0)}
    lines = {name: ax.plot([0, x], [0.5, y])[0] for name, (x, y) in ends.items()}
    ax.set(xlim=(0, 10), ylim=(0, 1))
    label_ends(ax, lines)
    ax.get_figure().draw_without_rendering()
    for text in ax.texts:
        box = Text.get_window_extent(text)
        assert ax.bbox.y0 <= box.y0 < box.y1 <= ax.bbox.y1, text.get_text()
