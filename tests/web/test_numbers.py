"""Figures as the page writes them."""

from tests.web.in_node import needs_node, run

pytestmark = needs_node
SCRIPT = """
import { counted, genesText, percent, thousands, worthTexts } from "./js/numbers.js";
say({
  worths: [[0.565346, 0.565263], [0.3089, 0.3083], [0.848927, 0.830272], [0.5, 0.5]].map((pair) => worthTexts(...pair)),
  shares: [percent(7e-10), percent(7e-10, 2), percent(0), percent(0.0006)],
  counts: [thousands(3600), counted(1234, "game"), genesText(1), genesText(5)],
});
"""


def test_figures_agree_with_their_difference_and_are_never_0_where_they_are_not_0(tmp_path):
    said = run(SCRIPT, tmp_path)
    assert [[text.replace("\u00a0", " ") for text in pair] for pair in said["worths"]] == [
        ["56.535 %", "56.526 %"],  # 0.01 apart
        ["30.89 %", "30.83 %"],
        ["84.893 %", "83.027 %"],  # 1.87 apart
        ["50.00 %", "50.00 %"],
    ]
    shares = [text.replace("\u00a0", " ") for text in said["shares"]]
    assert shares == ["less than 0.1 %", "less than 0.01 %", "0.0 %", "0.1 %"]
    assert said["counts"] == ["3,600", "1,234 games", "single cells", "cubes of 5"]
