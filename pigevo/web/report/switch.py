"""Pictures of which one is seen at a time: chosen by buttons that need no script."""

from __future__ import annotations

from collections.abc import Mapping

from pigevo.web.html import Html, Part, tag


def switch(name: str, question: str, choices: Mapping[str, Part], chosen: str) -> Html:
    """Buttons, and below them what belongs to the one that is pressed.

    Args:
        name: which no other switch of the page has.
        question: what is chosen.
        choices: what belongs to each button, by what is written on it; at most four, which the style knows.
        chosen: the one that is pressed at first, and printed if nobody presses another.
    """
    buttons: list[Html] = []
    for number, label in enumerate(choices):
        key = f"{name}-{number}"
        buttons += [
            tag("input", type="radio", name=name, id=key, class_=f"c{number}", checked=label == chosen),
            tag("label", label, for_=key),
        ]
    panes = [tag("div", inside, class_=f"pane p{number}") for number, inside in enumerate(choices.values())]
    return tag("fieldset", tag("legend", question), buttons, panes, class_="switch")
