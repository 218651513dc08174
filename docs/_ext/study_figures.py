"""Figures of the studies in the pages of `paper/`: `{{ NAME }}` becomes what the committed table says.

Nothing is typed by hand.  When the site is built `figure` reads the tables in `experiments/`; a name that is not in
`FIGURES` is an error.  The paper with its figures is also written to `paper/` of the site, as a journal takes it.
"""

from __future__ import annotations

import csv
import functools
import re
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from markdown import table

from pigevo.experiments.common.tables import read_sections

ROOT = Path(__file__).parents[2]
STUDIES = ROOT / "experiments"


@functools.cache
def rows(name: str) -> list[dict[str, str]]:
    """The rows of a CSV table of a study, as `rules/front.csv`."""
    return list(csv.DictReader((STUDIES / name).read_text(encoding="utf-8").splitlines()))


def lines_of(study: str, name: str, part: str = "") -> list[str]:
    """The lines of a table of a study, or of the part of it below a heading."""
    text = read_sections(STUDIES / study)[name]
    return (text.split(f"### {part}\n")[1].split("\n### ")[0] if part else text).splitlines()


def split_row(line: str) -> list[str]:
    """The cells of a row."""
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split(" | ")]


def cells(study: str, name: str, begins: str, part: str = "") -> list[str]:
    """The cells of the one row of a study's table that begins with some words."""
    (row,) = [line for line in lines_of(study, name, part) if line.startswith(f"| {begins}")]
    return split_row(row)


def mean(cell: str) -> str:
    """A mean without its interval."""
    return cell.split(" (")[0]


def front(name: str, integers: int) -> dict[str, str]:
    """The rule of a front of Pig to 100 with so many integers."""
    (row,) = [one for one in rows("rules/front.csv") if (one["game"], one["front"], one["integers"])
              == ("Pig to 100", name, str(integers))]  # fmt: skip
    return row


def margins() -> list[float]:
    """The margins of the orbits without a pure equilibrium, the least first."""
    return sorted(float(row["margin"]) for row in rows("bonnet2018/margins.csv"))


def small(value: float) -> str:
    """A small number with two digits, as in 1.5e-7."""
    return f"{value:.1e}".replace("e-0", "e-")


def between(seat: str) -> str:
    """What a seat wins in every equilibrium at 100 points."""
    last = rows("bonnet2018/bounds.csv")[-1]
    low, high = float(last[f"{seat}_low"]), float(last[f"{seat}_high"])
    return f"{int(low * 1e7) / 1e7:.7f} to {(int(high * 1e7) + 1) / 1e7:.7f}"


def rules_table() -> str:
    """The published rule, and the best found for each number of integers."""
    some = [("published", front("published", 3)), *(("best found", front("least loss", n)) for n in range(1, 6))]
    return table(
        ("rule", "", "integers", "operations", "difference", "exploitability"),
        ((f"`{one['rule']}`", kind, one["integers"], one["operations"], f"{float(one['difference']):.5f}",
          f"{float(one['exploitability']):.5f}") for kind, one in some),
    )  # fmt: skip


def targets_table() -> str:
    """What the seats win at some targets, and how many orbits have no pure or several equilibria."""
    some = [row for row in rows("bonnet2018/targets.csv") if int(row["target"]) in (20, 40, 61, 62, 80, 100)]
    return table(
        ("target", "first", "second", "third", "orbits", "without a pure equilibrium", "with several"),
        ((row["target"], *(f"{float(row[seat]):.6f}" for seat in ("first", "second", "third")),
          f"{int(row['orbits']):,}", row["without_pure"], row["several"]) for row in some),
    )  # fmt: skip


def settled_table(name: str) -> str:
    """What settings of `rediscovery` win less than the first one on fresh seeds, and what is settled."""
    head, _, _, *found = map(split_row, lines_of("rediscovery", name))
    return table([head[n] for n in (0, 5, 6, 7)], ([row[n] for n in (0, 5, 6, 7)] for row in found))


def budget_table() -> str:
    """What champions win with what is doubled, at equal numbers of games."""
    powers, doubled = (5, 6, 7), ("generations", "population", "games")
    return table(
        ("algorithm", "twice the", *(f"$10^{power}$ games" for power in powers)),
        ((algorithm, what, *(cells("budget", "budget", f"{algorithm}, 10^{power}, {what} |")[6] for power in powers))
         for algorithm in ("paper", "twins") for what in doubled),
    )  # fmt: skip


@functools.cache
def losses() -> dict[tuple[str, str, str], list[str]]:
    """The rows of the losses of the study `learning`, by game, contestant and number of games."""
    found = [split_row(line) for line in lines_of("learning", "loss")[2:]]
    return {(row[0], row[1], row[2]): row for row in found}


def loss(game: str, contestant: str, games: str) -> str:
    """The mean loss of a contestant."""
    return mean(losses()[game, contestant, games][4])


LEARNED, FIVE_SIDES = ("Pig to 30, four sides", "Pig to 100", "ten rounds"), "Pig to 120, five sides"


def learning_table() -> str:
    """The mean losses of all contestants after 10^5 and 10^6 games; nothing where one did not play."""
    columns = [(game, games) for game in LEARNED for games in ("10^5", "10^6")]
    return table(
        ("contestant", *(f"{game}, ${games}$ games" for game, games in columns)),
        ((contestant, *(loss(game, contestant, games) if (game, contestant, games) in losses() else ""
                        for game, games in columns))
         for contestant in dict.fromkeys(contestant for _, contestant, _ in losses())),
    )  # fmt: skip


def lowest_of_learners(games: str, game: str = "Pig to 100") -> str:
    """The lowest mean loss on a game of those who neither evolve nor are told all rules but the die."""
    learners = {contestant for _, contestant, _ in losses() if not contestant.startswith(("evolution", "die"))}
    return min(loss(game, contestant, games) for contestant in learners)


def games_for_a_hundredth(seen: str) -> str:
    """The least number of games of Pig to 100 for a loss of .01, by what a player of them sees."""
    return next(line for line in map(split_row, lines_of("learning", "bound")) if line[:2] == ["Pig to 100", seen])[2]


def of_figure_14(what: str) -> dict[str, str]:
    """A figure of the cubes from hold-at strategies, as published and by each reading that is judged."""
    names = split_row(lines_of("reconstruction", "figures", "Figures of cubes")[1])
    found = cells("reconstruction", "figures", f"figure 14 | {what} |", "Figures of cubes")
    return {name: cell.split(", sd")[0] for name, cell in zip(names, found, strict=True)}


def reconstruction_table() -> str:
    """The judged readings of the cubes: what they come to in figure 14, and how far they are behind the best."""
    highest, end = of_figure_14("highest 1"), of_figure_14("at 60")
    judged = map(split_row, lines_of("reconstruction", "judged", "cubes")[3:])
    return table(
        ("reading", f"highest point (paper: {highest['published']})", f"end (paper: {end['published']})",
         "behind the best (95 %)", "beside the best", "by its farthest figure"),
        ((row[0], highest[row[0]], end[row[0]], row[4], row[5], row[8]) for row in judged if row[0] in highest),
    )  # fmt: skip


def luck_of_search(group: str) -> str:
    """How far ahead a reading may be by luck of the search."""
    (found,) = re.findall(r"by more than ([\d.]+) with", "\n".join(lines_of("reconstruction", "judged", group)))
    return found


def four_players() -> list[dict[str, str]]:
    """The games of Pig for four players, by target."""
    return [row for row in rows("bonnet2018/players.csv") if row["game"].startswith("Pig ")]


def four_players_table() -> str:
    """What each seat of four wins, by target."""
    seats = ("first", "second", "third", "fourth")
    return table(
        ("target", *seats, "orbits", "without a pure equilibrium"),
        ((row["target"], *(f"{float(row[f'seat_{n}']):.6f}" for n in range(1, 5)), f"{int(row['orbits']):,}",
          row["mixing"]) for row in four_players()),
    )  # fmt: skip


MODELS = {"a hold value": "learns a hold value", "both scores": "models both scores"}
"""What the two adapting opponents are called in the study's table and here."""


def adapting_table() -> str:
    """The gains of both adapting opponents, by player, with a limit of a hundredth."""
    found: dict[str, dict[str, str]] = {}
    for row in map(split_row, lines_of("exeter2017", "both_scores")[2:]):
        if len(row) > 5 and row[0] == "0.01":
            found.setdefault(row[1], {})[row[2]] = row[5]
    return table(
        ("player", *MODELS.values()),
        ((player, *(gains[name] for name in MODELS)) for player, gains in found.items()),
    )


FIGURES: dict[str, Callable[[], str]] = {
    "rules: table": rules_table,
    "rules: published difference": lambda: f"{float(front('published', 3)['difference']):.5f}",
    "rules: best with three": lambda: f"`{front('least loss', 3)['rule']}`",
    "rules: difference with three": lambda: f"{float(front('least loss', 3)['difference']):.5f}",
    "rules: difference with four": lambda: f"{float(front('least loss', 4)['difference']):.5f}",
    "rules: families": lambda: cells("rules", "families", "all ")[0].removeprefix("all "),
    "rules: searched": lambda: cells("rules", "families", "all ")[2],
    "rules: without division": lambda: cells("rules", "left_out", "any division")[5],
    "three: table": targets_table,
    "three: orbits": lambda: f"{int(rows('bonnet2018/targets.csv')[-1]['orbits']):,}",
    "three: without pure": lambda: str(len(margins())),
    "three: proved": lambda: str(sum(row["no_pure_one_proved"] == "True" for row in rows("bonnet2018/margins.csv"))),
    "three: several": lambda: rows("bonnet2018/targets.csv")[-1]["several"],
    "three: unsettled": lambda: f"{int(rows('bonnet2018/bounds.csv')[-1]['open_orbits']):,}",
    "three: least margin": lambda: small(margins()[0]),
    "three: median margin": lambda: small(statistics.median(margins())),
    "three: largest margin": lambda: small(margins()[-1]),
    "three: first": lambda: between("first"),
    "three: second": lambda: between("second"),
    "three: third": lambda: between("third"),
    "three: regret distance": lambda: small(float(rows("bonnet2018/regret.csv")[-1]["furthest"])),
    "three: regret sweeps": lambda: f"{int(rows('bonnet2018/regret.csv')[-1]['sweeps']):,}",
    "four: table": four_players_table,
    "four: first mixing": lambda: four_players()[-1]["first_mixing"],
    "four: mixing there": lambda: str(len(four_players()[-1]["first_mixing_orbits"].split("; "))),
    "four: after settled play": lambda: four_players()[-1]["of_them_after_settled_play"],
    "four: least gain": lambda: small(float(four_players()[-1]["least_gain_at_a_pure_choice"])),
    "four: largest gain": lambda: small(max(float(row["largest_gain"]) for row in four_players())),
    "adapting: table": adapting_table,
    "evolution: runs": lambda: cells("rediscovery", "confirmation", "coevolve exploring starts")[1],
    "evolution: median": lambda: cells("rediscovery", "confirmation", "coevolve exploring starts")[2],
    "evolution: least": lambda: cells("rediscovery", "confirmation", "coevolve exploring starts")[3],
    "evolution: goal": lambda: cells("rediscovery", "confirmation", "coevolve exploring starts")[6],
    "ingredients: table": lambda: settled_table("settled"),
    "ingredients: runs": lambda: cells("rediscovery", "settled", "all ingredients")[1],
    "ingredients: median": lambda: cells("rediscovery", "settled", "all ingredients")[2],
    "ingredients: flips alone": lambda: cells("rediscovery", "tuning", "own moves, flips alone")[5],
    "ingredients: no crossover": lambda: cells("rediscovery", "tuning", "own moves, no crossover")[5],
    "opponents: table": lambda: settled_table("opponents"),
    "opponents: runs": lambda: cells("rediscovery", "opponents", "worst of the archive")[1],
    "opponents: median": lambda: cells("rediscovery", "opponents", "worst of the archive")[2],
    "budget: table": budget_table,
    "budget: tenfold, least of twins": lambda: min(
        (
            cells("budget", "tenfold", f"twins, 10^{power}, {what} |")[3]
            for power in (6, 7)
            for what in ("generations", "population", "games")
        ),
        key=lambda cell: float(mean(cell)),
    ),
    "rates: one fifth": lambda: cells("budget", "mutation", "cubes of 20, one_fifth, champion")[3],
    "rates: inherited": lambda: cells("budget", "mutation", "cubes of 20, inherited, champion")[3],
    "benchmark: algorithms": lambda: str(len({row["algorithm"] for row in rows("benchmark/trials.csv")})),
    "benchmark: instances": lambda: str(len({row["instance"] for row in rows("benchmark/trials.csv")})),
    "learning: table": learning_table,
    "learning: seeds": lambda: losses()["Pig to 100", "evolution, twins", "10^5"][3],
    "learning: seeds of single cells": lambda: losses()[LEARNED[0], "evolution, single cells", "10^6"][3],
    "learning: twins": lambda: loss("Pig to 100", "evolution, twins", "10^5"),
    "learning: twins, a million": lambda: loss("Pig to 100", "evolution, twins", "10^6"),
    "learning: next": lambda: lowest_of_learners("10^5"),
    "learning: next, a million": lambda: lowest_of_learners("10^6"),
    "learning: twins, five sides": lambda: loss(FIVE_SIDES, "evolution, twins", "10^5"),
    "learning: next, five sides": lambda: lowest_of_learners("10^5", FIVE_SIDES),
    "learning: small, values": lambda: loss(LEARNED[0], "value iteration", "10^5"),
    "learning: small, twins": lambda: loss(LEARNED[0], "evolution, twins", "10^5"),
    "learning: small, fictitious play": lambda: cells(
        "learning", "evolution", f"fictitious play, {LEARNED[0]}, 10^6 |"
    )[3],
    "learning: single cells": lambda: loss(LEARNED[0], "evolution, single cells", "10^6"),
    "learning: with cubes": lambda: loss(LEARNED[0], "evolution, twins", "10^6"),
    "learning: games by winners": lambda: games_for_a_hundredth("winners"),
    "learning: games by throws": lambda: games_for_a_hundredth("throws"),
    "learning: die alone": lambda: ", ".join(loss(game, "die alone", "10^4") for game in LEARNED),
    "reconstruction: tried": lambda: f"{sum(row['group'] == 'cubes' for row in rows('reconstruction/searched.csv')):,}",
    "reconstruction: paper": lambda: of_figure_14("highest 1")["published"],
    "reconstruction: text": lambda: of_figure_14("highest 1")["the text"],
    "reconstruction: luck": lambda: luck_of_search("cubes"),
    "reconstruction: table": reconstruction_table,
    "reconstruction: optima": lambda: lines_of("reconstruction", "optimum")[0].split()[0],
    "reconstruction: most entries": lambda: max(
        split_row(line)[1] for line in lines_of("reconstruction", "optimum")[5:] if line
    ),
    "2016: figures": lambda: cells("exeter2016", "table", "all ")[1],
    "2016: agree": lambda: cells("exeter2016", "table", "all ")[2],
}


def figure(name: str) -> str:
    """What stands in the place of `{{ NAME }}`."""
    if name not in FIGURES:
        raise ValueError(f"there is no figure {name!r} of a study: see FIGURES in docs/_ext/study_figures.py")
    return FIGURES[name]()


def filled(text: str) -> str:
    """A text with its figures put in."""
    return re.sub(r"\{\{ (.+?) \}\}", lambda found: figure(found[1]), text)


def sources(bibliography: str) -> dict[str, tuple[str, str]]:
    """The works of a BibTeX file by key: how a text cites each, and its line in a list of references."""
    found = {}
    for key, body in re.findall(r"^@\w+\{(.+?),\n(.*?)^\}", bibliography, flags=re.M | re.S):
        parts = dict(re.findall(r"^  (\w+) = \{(.+?)\},?$", body, flags=re.M))
        names = [one.split(",")[0].strip("{}") for one in parts["author"].split(" and ")]
        who = names[0] if len(names) == 1 else " & ".join(names) if len(names) == 2 else f"{names[0]} et al."
        where = parts.get("journal") or parts.get("institution") or parts.get("publisher") or parts.get("booktitle", "")
        authors = " & ".join(one.strip("{}") for one in parts["author"].split(" and "))
        link = f"https://doi.org/{parts['doi']}" if "doi" in parts else parts.get("url", "")
        end = f" <{link}>" if link else ""
        found[key] = f"{who} {parts['year']}", f"{authors} ({parts['year']}). {parts['title']}. *{where}*.{end}"
    return found


def as_page(text: str, bibliography: str) -> str:
    """A paper in the form of JOSS as a page: its title above it, citations in words, and its references below."""
    works = sources(bibliography)
    _, header, body = text.split("---\n", 2)
    (title,) = re.findall(r"^title: ['\"]?(.+?)['\"]?$", header, flags=re.M)
    cited: list[str] = []

    def cite(found: re.Match[str]) -> str:
        keys = [key.strip().removeprefix("@") for key in found[1].split(";")]
        cited.extend(keys)
        return "(" + "; ".join(works[key][0] for key in keys) + ")"

    body = re.sub(r"\[(@[^]]+)\]", cite, body)
    listed = "\n".join(f"- {works[key][1]}" for key in sorted(set(cited)))
    body = re.sub(r"^# ", "## ", body, flags=re.M)
    return f"# {title}\n{body.rstrip()}\n\n{listed}\n"


PAPER = "paper/paper"


def _beside(app: Any) -> Path:
    """The paper's source."""
    return Path(app.srcdir, f"{PAPER}.md")


def fill(app: Any, page: str, source: list[str]) -> None:
    """Put the figures into a page that is being read; it is read anew each time, as the tables may have changed."""
    if page.startswith("paper/"):
        app.env.note_reread()
        source[0] = filled(source[0])
        if page == PAPER:
            source[0] = as_page(source[0], _beside(app).with_suffix(".bib").read_text(encoding="utf-8"))


def write_paper(app: Any, failed: Exception | None) -> None:
    """Write the paper as a journal takes it: its figures put in, with its bibliography."""
    source, made = _beside(app), Path(app.outdir, f"{PAPER}.md")
    if failed is None and source.exists() and made.parent.is_dir():
        made.write_text(filled(source.read_text(encoding="utf-8")), encoding="utf-8")
        made.with_suffix(".bib").write_bytes(source.with_suffix(".bib").read_bytes())


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of it."""
    app.connect("source-read", fill)
    app.connect("build-finished", write_paper)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
