"""The form for writing down games by hand, as a document that prints on one sheet of A4."""

from __future__ import annotations

from collections.abc import Iterable

from pigevo.people.record_files import CHOICES, LINE, SIDES, TURNS, TrackerForm
from pigevo.web.html import PRINTED, Html, document, tag

STYLE = f"""{PRINTED}
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
    return document(form.title, tag("main", parts, tag("footer", tag("p", form.foot))), STYLE)


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
