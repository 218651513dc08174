"""What the report could not find out: which of our settings are compared with which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..common.group import Group, Question
from .rows import short

Groups = Mapping[str, Group]

RATES = ("0", "0.0001", "0.001", "0.005", "0.01", "0.05")
KNOWN = "0.005"
"""The lowest rate that the report has, which every other is compared with."""
SHRINKING = (
    "figure_9_0.005", "figure_9_0.01", "figure_9_0.05", "cubes_0.005_exact", "cubes_0.01_exact", "cubes_0.05_exact",
    "cubes_kept", "cubes_exact_kept",
)  # fmt: skip
LUCK = {
    "cubes_0.005_exact": ("figure_9_0.005", 300), "cubes_0.01_exact": ("figure_9_0.01", 300),
    "cubes_0.05_exact": ("figure_9_0.05", 300), "knockout_exact": ("figure_8", 200),
    "hold_at_exact": ("figure_13", 200), "round_robin_hold_at_exact": ("figure_12", 50),
}  # fmt: skip
"""Exact pairing, the same with games, and the generation until which both go."""
WISHES = {
    "cubes_sets": "figure_9_0.005", "cubes_round_robin": "figure_9_0.005", "cubes_two_points": "figure_9_0.005",
    "cubes_one_point": "figure_9_0.005", "cubes_kept": "figure_9_0.005", "cubes_exact_kept": "cubes_0.005_exact",
    "cubes_v_optimal": "cubes_exact_kept", "cubes_exploit": "cubes_v_optimal", "hold_at_sets": "figure_13",
    "knockout_0.001": "figure_8", "knockout_0.0001": "figure_8", "knockout_0": "figure_8",
    "round_robin_hold_at_kept": "figure_12", "round_robin_score_kept": "figure_15",
}  # fmt: skip

VARIANTS = {
    "cubes_swiss": ("Swiss system, 5 rounds of 20 games", "figure_9_0.005"),
    "cubes_bracket": ("bracket, 2 rounds of 66 games", "figure_9_0.005"),
    "cubes_double_elimination": ("double elimination, 3 rounds of 37 games", "figure_9_0.005"),
    "cubes_everyone": ("round robin, 5 games a pair", "figure_9_0.005"),
    "share_0.005": ("an exact share, 0.5 %", "figure_9_0.005"),
    "share_0.01": ("an exact share, 1 %", "figure_9_0.01"),
    "share_0.05": ("an exact share, 5 %", "figure_9_0.05"),
}
"""Settings with all seeds, in words, and the paper's own from which they differ in one thing."""


def shrinking(groups: Groups) -> Iterator[Question]:
    """The end of each wave against the end of the one before."""
    for group in (groups[name] for name in SHRINKING):
        sizes, ends = group.wave_sizes, group.wave_ends
        for number in range(1, len(ends)):
            a, b = f"{short(group.name)}: end of cubes of {sizes[number]}", f"end of cubes of {sizes[number - 1]}"
            later, before = (group.by_seed(group.at(end)) for end in (ends[number], ends[number - 1]))
            yield Question(a, b, later, before)  # of the same runs: what they spent in between needs no word


def falls(groups: Groups) -> Iterator[Question]:
    """What population means lose from the end of the largest cubes to that of the smallest: differences of differences.

    Exact pairing takes a part of the loss away; whether that part is the smaller one is a question of its own.
    """
    for name, (noisy, _) in LUCK.items():
        if len(groups[noisy].wave_ends) > 1:
            games, without = lost(groups[noisy]), lost(groups[name])
            taken = {seed: games[seed] - without[seed] for seed in games.keys() & without.keys()}
            yield Question(f"{short(noisy)}: lost with games", "lost with exact pairing", games, without)
            yield Question(f"{short(noisy)}: lost with exact pairing", "what exact pairing takes away", without, taken)
    games, exact, kept, both = (
        lost(groups[name]) for name in ("figure_9_0.005", "cubes_0.005_exact", "cubes_kept", "cubes_exact_kept")
    )
    yield Question("figure 9, mutation 0.005: lost with games", "lost if survivors stay", games, kept)
    yield Question("cubes, mutation 0.005 exact: lost", "lost if survivors stay as well", exact, both)


def lost(group: Group) -> dict[int, float]:
    """How much lower the mean is at the end of the last wave than at that of the first, by seed."""
    first, *_, last = group.wave_ends
    return group.by_seed(group.at(first) - group.at(last))


def at_rate(groups: Groups, rate: str) -> Group:
    """The cubes at a mutation rate, in 100-game matches."""
    return groups.get(f"cubes_{rate}") or groups[f"figure_9_{rate}"]


def rates(groups: Groups) -> Iterator[Question]:
    """At the end of each wave, every rate against the lowest that the report has."""
    for wave, size in enumerate(at_rate(groups, KNOWN).wave_sizes):
        ends = {rate: (at_rate(groups, rate), at_rate(groups, rate).wave_ends[wave]) for rate in RATES}
        for rate in (rate for rate in RATES if rate != KNOWN):
            yield _question(f"end of cubes of {size}: mutation {rate}", f"mutation {KNOWN}", ends[rate], ends[KNOWN])


def luck(groups: Groups) -> Iterator[Question]:
    """Exact pairing against games, at the end and before."""
    for exact, (noisy, end) in LUCK.items():
        for generation in sorted({min(100, end), end}):
            what = f"{short(noisy)}, generation {generation}: exact pairing"
            yield _question(what, "games", (groups[exact], generation), (groups[noisy], generation))


def wishes(groups: Groups) -> Iterator[Question]:
    """Each further setting against the one from which it differs in one thing."""
    for name, other in WISHES.items():
        a, b = groups[name], groups[other]
        end = min(a.generation[-1], b.generation[-1])
        yield _question(f"{short(name)}, generation {end:.0f}", short(other), (a, end), (b, end))


def variants(groups: Groups, beginning: str) -> Iterator[Question]:
    """Each variant whose name begins so against the paper's own setting, at the end of each wave."""
    for name, (what, other) in VARIANTS.items():
        if name.startswith(beginning):
            a, b = groups[name], groups[other]
            for size, end in zip(a.wave_sizes, a.wave_ends, strict=True):
                yield _question(f"end of cubes of {size}: {what}", short(other), (a, end), (b, end))


def _question(a: str, b: str, of_a: tuple[Group, float], of_b: tuple[Group, float]) -> Question:
    """Population means of two groups, each at a generation."""
    (first, start), (second, end) = of_a, of_b
    figures = first.by_seed(first.at(start)), second.by_seed(second.at(end))
    return Question(a, b, *figures, first.budget(start), second.budget(end))
