"""The picture of fronts of rules."""

import pigevo
from pigevo.experiments.rules.drawing import STAR, fronts_data, plot_fronts
from pigevo.figures.axes import figure_of
from pigevo.strategies.rules.reading import known_rules


def test_every_rule_of_a_front_is_a_point_in_both_panels():
    fronts = {name: known_rules(pigevo.Pig(), name) for name in ("least loss", "published", "by both")}
    panels = plot_fronts(fronts_data(fronts))
    for axes, objective in zip(panels, ("difference", "exploitability"), strict=True):
        drawn = [list(map(tuple, line.get_xydata())) for line in axes.get_lines()]
        rules = [[(rule.integers, getattr(rule, objective)) for rule in fronts[name]]
                for name in ("least loss", "by both", "published")]  # fmt: skip
        assert [sorted(points) for points in drawn] == [sorted(points) for points in rules]
        assert axes.get_lines()[-1].get_marker() == "*"
    (legend,) = figure_of(panels).legends
    assert [text.get_text() for text in legend.get_texts()] == ["least loss", "by both", STAR]


def test_without_the_published_rule_there_is_no_star():
    axes, _ = plot_fronts(fronts_data({"least loss": known_rules(pigevo.Pig(), "least loss")}))
    assert [line.get_marker() for line in axes.get_lines()] == ["o"]
