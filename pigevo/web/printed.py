"""The pages of `pigevo.figures.page`, a card and a form for games by hand, as HTML that prints on one sheet of A4."""

from __future__ import annotations

from collections.abc import Iterable

from pigevo.figures.page import CARD_AXES, GREY, TINTS, CardText, HoldTable, cell_text, tints
from pigevo.people.record_files import CHOICES, LINE, SIDES, TURNS, TrackerForm
from pigevo.web.html import PRINTED, Html, document, tag

FEW = 15  # the largest number of columns with large cells

CARD_STYLE = f"""{PRINTED}
.how, .rules {{ font-size: 8.5pt; line-height: 1.25; }}
.holds {{ margin: 2mm 0; table-layout: fixed; font-variant-numeric: tabular-nums; text-align: center; }}
.holds th, .holds td {{ padding: 0; line-height: 4.7mm; }}
.holds td[class] {{ border: 0.3pt solid #999; }}
.many {{ min-width: 32rem; }}
.many th, .many td {{ font-size: 8.5pt; }}
.few th, .few td {{ font-size: 10.5pt; line-height: 6.5mm; }}
.holds .across, .holds .down {{ font-weight: 400; font-size: 9.5pt; }}
.down span {{ writing-mode: vertical-rl; transform: rotate(180deg); }}
.rules {{ min-width: 32rem; }}
.rules th, .rules td {{ padding: 0.8mm 2.5mm 0.8mm 0; border-bottom: 0.3pt solid #aaa; }}
.rules th, .rules td {{ text-align: left; vertical-align: top; }}
.rules td:nth-child(3) {{ width: 30%; }}
.rules th:last-child, .rules td:last-child {{ padding-right: 0; text-align: right; }}
code {{ font: 7.5pt/1.3 "DejaVu Sans Mono", Consolas, monospace; }}
@media print {{ .many, .rules {{ min-width: 0; }} }}
"""

FORM_STYLE = f"""{PRINTED}
h1 {{ font-size: 15pt; }}
p, .example td, th {{ font-size: 8.5pt; line-height: 1.25; }}
.example {{ margin: 1.5mm 0; }}
.example th, .example td, .lines th, .lines td {{ border: 0.3pt solid #777; padding: 0.5mm 1mm; text-align: center; }}
.example th, .lines th {{ background: #ebebeb; }}
.lines {{ table-layout: fixed; }}
.lines td {{ height: 7.3mm; }}
.lines .turn, .lines .rolls {{ width: 12%; }}
.lines .dice {{ width: 43%; }}
.lines .banked {{ width: 18%; }}
.players {{ display: flex; flex-wrap: wrap; gap: 4mm 6mm; margin-top: 1mm; }}
.players section {{ flex: 1; min-width: 18rem; }}
.above {{ display: flex; align-items: flex-end; margin-bottom: 1.3mm; font-size: 9pt; }}
.above b {{ width: 27mm; flex: none; }}
.above span {{ width: 20mm; flex: none; }}
.above .one {{ width: auto; }}
.above i {{ flex: 1; border-bottom: 0.6pt solid #555; height: 5mm; }}
.number {{ margin-top: 2mm; max-width: 22rem; }}
@media print {{ .players {{ flex-wrap: nowrap; }} .players section {{ min-width: 0; }} }}
"""


def card_html(table: HoldTable, text: CardText) -> bytes:
    """The page as an HTML document that prints on one sheet of A4."""
    colors = [f".t{number} {{ background: {tint}; }}" for number, tint in enumerate(TINTS)]
    style = "\n".join([CARD_STYLE, *colors, f".end {{ background: {GREY}; }}"])
    parts = [tag("h1", text.title), *(tag("p", line) for line in text.reading), _html_table(table)]
    if text.rules:
        parts += [tag("h2", text.heading), *(tag("p", line, class_="how") for line in text.how), _html_rules(text)]
    return document(text.title, tag("main", parts, tag("footer", tag("p", text.foot))), style)


def _html_table(table: HoldTable) -> Html:
    down, across = (CARD_AXES.get(name, name) for name in table.axes)
    colors = [[f"t{level}" if level >= 0 else "end" for level in row] for row in tints(table).tolist()]
    begin = tag("th", tag("span", down), class_="down", rowspan=len(table.rows) + 2)
    heads = [
        tag("tr", begin, tag("td"), tag("th", across, class_="across", colspan=len(table.columns), scope="colgroup")),
        tag("tr", tag("td"), [tag("th", str(score), scope="col") for score in table.columns]),
    ]
    rows = [
        tag("tr", tag("th", str(score), scope="row"),
            [tag("td", cell_text(table, row, column), class_=color) for column, color in enumerate(colors[row])])
        for row, score in enumerate(table.rows)
    ]  # fmt: skip
    size = "few" if len(table.columns) <= FEW else "many"
    return tag("div", tag("table", heads, rows, class_=f"holds {size}"), class_="wide", tabindex=0)


def _html_rules(text: CardText) -> Html:
    head, *rules = text.rules
    heads = (head.numbers, head.sentence, head.formula, head.wins)
    rows = [tag("tr", (tag("th", name, scope="col") for name in heads))]
    rows += [
        tag("tr", (tag("td", cell) for cell in (row.numbers, row.sentence, tag("code", row.formula), row.wins)))
        for row in rules
    ]
    return tag("div", tag("table", rows, class_="rules"), class_="wide", tabindex=0)


def form_html(form: TrackerForm) -> bytes:
    """The form as a separate document."""
    example = tag("table", _cells("th", form.example), _cells("td", form.example.values()), class_="example")
    parts = [
        tag("h1", form.title),
        *(tag("p", line) for line in form.how),
        tag("div", example, class_="wide", tabindex=0),
        tag("p", form.questions),
        tag("div", tag("b", "game"), tag("i"), class_="above number"),
        tag("div", [_player(seat) for seat in SIDES], class_="players"),
    ]
    return document(form.title, tag("main", parts, tag("footer", tag("p", form.foot))), FORM_STYLE)


def _player(seat: str) -> Html:
    """The name, the seat, the answers and the lines of a player."""
    answers = [
        tag("div", tag("b", name), [tag("span", choice) for choice in choices], class_="above")
        for name, choices in CHOICES.items()
    ]
    heads = tag("tr", [tag("th", name, class_=name, scope="col") for name in LINE])
    lines = [_cells("td", [str(turn + 1), *("" for _ in LINE[1:])]) for turn in range(TURNS)]
    return tag(
        "section",
        tag("div", tag("b", "player"), tag("i"), class_="above"),
        tag("div", tag("b", "seat"), tag("span", seat, class_="one"), class_="above"),
        answers,
        tag("table", heads, lines, class_="lines"),
    )


def _cells(kind: str, cells: Iterable[str]) -> Html:
    return tag("tr", [tag(kind, cell) for cell in cells])
