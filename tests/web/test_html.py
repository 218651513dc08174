"""Elements, drawings and dots: escaped, without names in common, and the same every time."""

import base64
import io

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from pigevo.web.drawing import drawn, picture, pixels, svg
from pigevo.web.html import COLUMNS, Html, document, join, setting_name, table, tag
from tests.web.page import Page, refuse_outside


def test_texts_are_escaped_and_elements_are_not():
    assert tag("p", "a < b & ", tag("b", "c"), ["d", ["e"]]) == "<p>a &lt; b &amp; <b>c</b>de</p>"
    assert (
        tag("img", alt='"><script>', hidden=True, id=None, checked=False)
        == '<img alt="&quot;&gt;&lt;script&gt;" hidden>'
    )
    assert (
        tag("label", "x", for_="a", class_="b", aria_hidden="true")
        == '<label for="a" class="b" aria-hidden="true">x</label>'
    )
    assert join(["\x1b[2J", Html("<br>")]) == "\\x1b[2J<br>"


def test_a_table_tells_words_from_numbers():
    page = Page(table(["a", "b"], [["x", "1"]], "said"))
    assert page.rows("said") == [["a", "b"], ["x", "1"]]
    assert [one.get("@class") for one in page.all("td")] == [None, "n"]
    assert [one["@scope"] for one in page.all("th")] == ["col", "col"]


def test_code_that_would_end_its_element_is_none():
    with pytest.raises(AssertionError):
        document("t", "", "p{}</style><script>1</script>")


def figure(text):
    with drawn():
        made = Figure(layout="constrained")
        axes = made.subplots()
        axes.plot([0, 1, 2], [1, 3, 2], "o-", label=text)
        axes.axhline(2, color="k")
        axes.legend()
        return made


def test_drawings_share_no_names_and_follow_the_colours_of_the_page():
    text = '<b>&"$x^2$ url(#a)'
    one, two = (svg(figure(text), name, f"of {name}") for name in ("one", "two"))
    page = Page(document("t", [tag("label", for_="x"), tag("p", id="x"), one, two], "p{}", "1").decode())
    refuse_outside(page)
    assert text in [part["text"] for part in page.all("text")]
    assert 'stroke="currentColor"' in one
    assert "#000" not in one
    assert "http" not in one
    assert "style=" not in one
    assert one == svg(figure(text), "one", "of one")
    assert len(page.all("use")) > 4


def test_a_picture_tells_its_size_and_no_date():
    made = Page(picture(figure("x"), "what it shows", 50)).all("img")[0]
    image = Image.open(io.BytesIO(base64.b64decode(made["@src"].partition(",")[2])))
    assert (str(image.width), str(image.height)) == (made["@width"], made["@height"])
    assert image.info.keys() <= {"dpi"}
    assert made["@alt"] == "what it shows"


def test_dots_are_the_colours_they_were():
    colours = np.array([[[1, 0, 0], [0, 1, 0]], [[0, 0, 1], [1, 1, 1]]], dtype=float)
    image = Image.open(io.BytesIO(base64.b64decode(pixels(colours).partition(",")[2]))).convert("RGB")
    assert (np.array(image) == colours * 255).all()


def test_cells_of_a_table_of_many_columns_say_their_heads_on_a_narrow_screen():
    heads = ["setting", tag("b", "axis"), *(f"head {n}" for n in range(COLUMNS - 1))]
    cells = Page(str(table(heads, [["cell"] * len(heads)]))).all("td")
    assert [one.get("@data-head") for one in cells] == ["setting", None, *heads[2:]]
    few = Page(str(table(heads[:1] * COLUMNS, [["cell"] * COLUMNS])))
    assert not any("@data-head" in one for one in few.all("td"))


def test_the_name_of_a_setting_goes_on_after_a_comma():
    assert setting_name("a=1,b=<2>") == "<code>a=1,<wbr>b=&lt;2&gt;</code>"
