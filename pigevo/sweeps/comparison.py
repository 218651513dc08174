"""Comparisons between the settings of one sweep, or between those of two sweeps.

Every "is better" is reported with what the runs spent, because a setting that played more games should be better.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pigevo.core.arrays import own_errors
from pigevo.core.intervals import CONFIDENCE, Range
from pigevo.core.text import counted, ends_of, for_shell, level, percent
from pigevo.errors import InputError, unknown
from pigevo.runs.load import Run
from pigevo.runs.metrics import wave_ends
from pigevo.settings.schema import GROUPS, VOLATILE, choices, conf_folder
from pigevo.sweeps.load import MOST_NAMED, RANDOM_SEARCH, Member, Sweep, load_sweep, refuse_unknown_metric
from pigevo.sweeps.record import SEED, SWEEP_FILE, WHOLE, flat, flat_together, label, swept
from pigevo.sweeps.statistics import MOST_SEEDS, POWER, Compared, compare_pairs, rank_settings

MOST_FOR_EVERY_PAIR = 6
"""The largest number of settings that are all compared with each other; with more, each is compared with the best."""

Figures = Mapping[str, Mapping[int, float]]


QUICK = "Runs of debug=fast are among them: they are for trying, and settle nothing."
"""What is said of results that were made with `debug=fast`."""

GAMES = (
    "The settings play different games, each against the optimum of its own: a larger figure in one game does not mean "
    "better play than in another."
)


@dataclass(frozen=True)
class Budget:
    """The budget spent by the median run of a setting; `waves` are cube sizes with the last generation of each.

    A random search has strategies only: the other numbers are nan.
    """

    generations: float
    strategies: float
    games: float
    waves: tuple[tuple[str, int], ...]


def budget_of(runs: Sequence[Run], generation: float | None = None) -> Budget:
    """The budget of the finished runs of a setting, up to a generation if one is given."""
    generations, strategies, games = np.median([_spent_until(run, generation) for run in runs], axis=0).tolist()
    return Budget(generations, strategies, games, _waves(runs[0], generation))


def difference(a: Budget, b: Budget) -> str:
    """How two budgets differ, the first one's values first; empty if they do not."""
    parts = [
        f"{name} {first:,.0f} and {second:,.0f}"
        for name, first, second in (
            ("generations", a.generations, b.generations),
            ("strategies", a.strategies, b.strategies),
            ("games", a.games, b.games),
        )
        if not np.isnan(first + second) and round(first) != round(second)
    ]
    sizes = [[size for size, _ in side.waves] for side in (a, b)]
    if a.waves and b.waves and a.waves != b.waves and (sizes[0] != sizes[1] or len(a.waves) > 1):
        parts.append(f"cubes {_waves_text(a.waves)}, and {_waves_text(b.waves)}")
    return "; ".join(parts)


def _spent_until(run: Run, generation: float | None) -> tuple[float, float, float]:
    if generation is None:
        assert run.result is not None
        return run.result["generations"], run.result["evaluations"], run.result["games"]
    generations = run.metrics["generation"].astype(float)
    strategies, games = (
        float(np.interp(generation, generations, run.metrics[name])) for name in ("evaluations", "games")
    )
    return generation, strategies, games


def _waves(run: Run, generation: float | None) -> tuple[tuple[str, int], ...]:
    count = None if generation is None else np.searchsorted(run.metrics["generation"], generation, side="right")
    metrics = {name: run.metrics[name][:count] for name in ("wave", "cube_size", "generation")}
    return tuple((str(metrics["cube_size"][row]), int(metrics["generation"][row])) for row in wave_ends(metrics))


def _waves_text(waves: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"of {size} to generation {last:,}" for size, last in waves)


Budgets = Mapping[str, Budget]
Digests = Mapping[str, Mapping[int, str]]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Pairwise comparisons of settings by a figure, corrected for the number of comparisons.

    `names` are the sweeps A and B if two sweeps are compared; `cautions` are sentences about runs that were made with
    `debug=fast`, and about settings that play different games;
    `picked_from` is the number of all pairs of settings if each is compared with the best; otherwise None. `left_out`
    are sentences about runs that have not finished, and `unpaired` is one about pairs without a common seed.
    """

    metric: str
    names: Mapping[str, str]
    compared: list[Compared]
    picked_from: int | None = None
    left_out: tuple[str, ...] = ()
    unpaired: str = ""
    cautions: tuple[str, ...] = ()

    @property
    def quick(self) -> bool:
        """Whether runs were made with `debug=fast`."""
        return QUICK in self.cautions

    @property
    def correction(self) -> str:
        """What the intervals and p-values are corrected for, and how; empty for a single comparison."""
        if self.picked_from is not None:
            return f"all {self.picked_from:,} pairs, since the best was found by the same seeds (Bonferroni)"
        return f"{len(self.compared)} comparisons (Benjamini-Yekutieli)" if len(self.compared) > 1 else ""

    def __str__(self) -> str:
        lines = [f"{name}  {description}" for name, description in self.names.items()]
        lines += [*self.left_out, *filter(None, [self.unpaired])]
        lines.append(f"{self.metric}, paired by seed; {level(CONFIDENCE)} intervals and p-values by Student's t")
        if self.correction:
            lines += [f"both corrected for {self.correction}"]
        for pair in self.compared:
            lines += ["", *_verdict(pair, bool(self.correction))]
        if any(pair.effect is not None and pair.wanted_seeds != 0 for pair in self.compared):
            lines += [
                "",
                f"(So many seeds tell with a chance of {level(POWER)}. The number is uncertain, as the difference "
                "itself is; if differences are skewed, more may be needed.)",
            ]
        for caution in self.cautions:
            lines += ["", caution]
        return "\n".join(lines)


@own_errors
def compare(
    sweep: Sweep | str | os.PathLike[str], *against: Sweep | str | os.PathLike[str], metric: str = "champion"
) -> Comparison:
    """Compare the settings of one sweep with each other, or those of two sweeps, seed by seed.

    Args:
        sweep: a sweep or its folder.
        *against: nothing, to compare every two settings, or each with the best if there are many; one setting, such as
            `"mutation=0.01"`, to compare it with all others; two settings, to compare these; `"random_search"`, to
            compare each random search with every setting; or another sweep, to compare the settings that both have.
        metric: `champion`, the exact win probability of a run's champion against the optimum, or another of the
            results of a sweep: `peak_mean`, `last_mean`, `best_seen`.

    Returns:
        The comparisons, which print as sentences. Differences are means over seeds, with Student's 95 % intervals and
        p-values of the paired t-test, corrected for the number of comparisons (Benjamini and Yekutieli, Ann. Statist.
        29, 2001), or, where each setting is compared with the best, for all pairs (Bonferroni). Beside them stand
        Vargha and Delaney's A12 and the p-value of Wilcoxon's signed ranks, also corrected by Holm's method; no verdict
        depends on them.

    Raises:
        InputError: the sweep, setting or metric does not exist, or there is nothing to compare.

    Example:
        >>> import tempfile
        >>> import pigevo
        >>> with tempfile.TemporaryDirectory() as outputs:
        ...     sweep = pigevo.sweep("debug=fast", "game.target=9", "baseline=none", mutation=[0, 0.3], seed=range(3),
        ...                          outputs=outputs)
        ...     comparison = pigevo.compare(sweep)
        >>> [(pair.a, pair.b, pair.seeds) for pair in comparison.compared]
        [('mutation=0', 'mutation=0.3', 3)]
    """
    refuse_unknown_metric(metric)
    first = sweep if isinstance(sweep, Sweep) else load_sweep(sweep)
    if len(against) > 2:
        raise InputError("compare takes a sweep and at most two settings, or two sweeps.")
    if len(against) == 1:
        if isinstance(second := against[0], Sweep):
            return _two_sweeps(first, second, metric)
        if isinstance(second, os.PathLike) or _is_sweep(second):
            return _two_sweeps(first, load_sweep(second), metric)
    if wrong := [word for word in against if not isinstance(word, str)]:
        raise InputError(f"{wrong[0]} must be a setting, as 'mutation=0.01': two sweeps are compared alone.")
    return compare_settings(first, [str(word) for word in against], metric)


@own_errors
def compare_settings(sweep: Sweep, words: Sequence[str] = (), metric: str = "champion") -> Comparison:
    """Compare the settings of one sweep, seed by seed, and with random search if it is named.

    Without words every two settings are compared, or each with the best if there are many, or a single one with random
    search; with one word a setting is compared with all others; with two words these settings are compared.
    """
    figures, picked_from = sweep.by_seed(metric), None
    ranked = [
        ranking.setting for ranking in rank_settings({name: [*by_seed.values()] for name, by_seed in figures.items()})
    ]
    evolved = [setting for setting in ranked if setting in sweep.by_setting]
    searches = [setting for setting in ranked if setting not in evolved]
    if searches and (list(words) == [RANDOM_SEARCH] or (not words and len(evolved) == 1)):
        pairs = [(search, setting) for search in searches for setting in evolved]
    else:
        pairs = _pairs(evolved, [_setting(word, list(figures), sweep) for word in words])
        if not words and len(evolved) > MOST_FOR_EVERY_PAIR:
            picked_from = math.comb(len(evolved), 2)
    if not pairs and (without := sweep.without_runs):
        raise InputError(f"{sweep.folder} has nothing to compare yet: {'; '.join([*without.values()][:MOST_NAMED])}.")
    if not pairs:
        raise InputError(f"{sweep.folder} has one setting: to compare it, name a second sweep.")
    compared = _compare(figures, pairs, _spent(sweep), sweep.digests, sweep.attainable, picked_from)
    left_out = tuple(filter(None, [sweep.left_out]))
    said = cautions(sweep, together=_members(pairs, sweep.finished))
    return Comparison(metric, {}, compared, picked_from, left_out, _unpaired(figures, pairs), said)


def cautions(*sweeps: Sweep, together: Iterable[Sequence[Member]] | None = None) -> tuple[str, ...]:
    """What makes comparisons doubtful, in sentences; `together` are the runs that are compared, by default all."""
    groups = [[member for sweep in sweeps for member in sweep.finished]] if together is None else together
    return (*([GAMES] if any(map(_play_different_games, groups)) else []), *([QUICK] if is_quick(*sweeps) else []))


def _play_different_games(members: Sequence[Member]) -> bool:
    typed = flat_together(member.values for member in members)
    return len({tuple(item for item in words.items() if item[0].split(".")[0] == "game") for words in typed}) > 1


def is_quick(*sweeps: Sweep) -> bool:
    """Whether runs of sweeps were made with `debug=fast`."""
    return any(member.values.get("debug") == "fast" for sweep in sweeps for member in sweep.finished)


def _members(pairs: Iterable[tuple[str, str]], finished: Sequence[Member]) -> list[Sequence[Member]]:
    """The finished runs of each pair of settings; all of them for a random search, which several settings may share."""
    settings = {member.setting for member in finished}
    return [
        [member for member in finished if member.setting in pair] if settings.issuperset(pair) else finished
        for pair in pairs
    ]


def _pairs(ranked: Sequence[str], chosen: Sequence[str]) -> list[tuple[str, str]]:
    """The chosen two, the chosen one with all others, or every two; if these are too many, each with the best."""
    if len(chosen) == 2:
        return [(chosen[0], chosen[1])]
    reference = chosen[0] if chosen else ranked[0]
    if chosen or len(ranked) > MOST_FOR_EVERY_PAIR:
        return [(reference, setting) for setting in ranked if setting != reference]
    return list(itertools.combinations(ranked, 2))


def _two_sweeps(first: Sweep, second: Sweep, metric: str) -> Comparison:
    """The settings that both have, one by one; or the only setting of each.

    Each sweep is labelled by every setting in which it differs as a whole from the other, including those that follow
    from a choice, because that cannot be seen from the settings alone.
    """
    members = [*first.members, *second.members]
    values = dict(zip(members, flat_together(member.values for member in members), strict=True))
    sweeps = {"A": first, "B": second}
    of_sweeps = {name: values[sweep.members[0]] for name, sweep in sweeps.items()}
    between = [
        key
        for key in sorted(
            {key for by_seed in of_sweeps.values() for key in by_seed} - {SEED, *VOLATILE}, key=_position_in_label
        )
        if of_sweeps["A"].get(key) != of_sweeps["B"].get(key) and _constant(first, key) and _constant(second, key)
    ]
    keys = [key for key in swept([member.values for member in members]) if key not in between]
    renamed = {
        name: sweep.renamed({member: f"{name}: {label(values[member], keys)}".rstrip(": ") for member in sweep.members})
        for name, sweep in sweeps.items()
    }
    a, b = renamed.values()
    pairs = [(of_a, of_b) for of_a in a.by_setting if (of_b := f"B{of_a.removeprefix('A')}") in b.by_setting]
    figures = a.by_seed(metric) | b.by_seed(metric)
    if not pairs:
        raise InputError(
            f"the two sweeps have no setting in common: `pigevo report {for_shell(first.folder)}` and "
            f"`pigevo report {for_shell(second.folder)}` show each alone; to compare their settings, give all values "
            "to one sweep, which does not repeat finished runs."
        )
    spent, digests = {**_spent(a), **_spent(b)}, {**a.digests, **b.digests}
    names = {name: label(of_sweep, between) for name, of_sweep in of_sweeps.items()}
    descriptions = {name: f"{sweep.folder}" + f" ({names[name]})" * bool(names[name]) for name, sweep in sweeps.items()}
    left_out = tuple(f"{name}: {sweep.left_out}" for name, sweep in sweeps.items() if sweep.left_out)
    compared = _compare(figures, pairs, spent, digests, max(first.attainable, second.attainable))
    said = cautions(first, second, together=_members(pairs, [*a.finished, *b.finished]))
    return Comparison(metric, descriptions, compared, None, left_out, _unpaired(figures, pairs), said)


def _spent(sweep: Sweep) -> Budgets:
    """What the runs of each setting spent, and how many strategies each random search drew."""
    drawn: dict[str, list[int]] = {}
    for search in sweep.searches:
        drawn.setdefault(search.setting, []).append(search.strategies)
    of_searches = {name: Budget(np.nan, float(np.median(numbers)), np.nan, ()) for name, numbers in drawn.items()}
    return {setting: budget_of(runs) for setting, runs in sweep.by_setting.items()} | of_searches


def _unpaired(figures: Figures, pairs: Sequence[tuple[str, str]]) -> str:
    """A sentence about the pairs that no seed compares; empty if there is none."""
    without = [f"{a or WHOLE} and {b or WHOLE}" for a, b in pairs if not figures[a].keys() & figures[b].keys()]
    if not without:
        return ""
    which = "; ".join(without) if len(without) <= MOST_NAMED else f"{len(without):,} pairs of settings"
    return f"{which}: not compared, since they have no seed in common"


def _compare(
    figures: Figures,
    pairs: Sequence[tuple[str, str]],
    spent: Budgets,
    digests: Digests,
    within: Range,
    picked_from: int | None = None,
) -> list[Compared]:
    paired = [(a, b) for a, b in pairs if figures[a].keys() & figures[b].keys()]
    if not paired:
        raise InputError(
            "the settings have no seed in common, and they are compared seed by seed: run them with the same seeds."
        )
    compared = [
        replace(pair, budgets=difference(spent[pair.a], spent[pair.b])) if pair.a in spent and pair.b in spent else pair
        for pair in compare_pairs(figures, paired, within, picked_from)
    ]
    return [_settled(pair) if identical(digests, pair.a, pair.b) else pair for pair in compared]


def _settled(pair: Compared) -> Compared:
    """A comparison of identical runs, which no further seed can change."""
    return replace(pair, identical=True, wanted_seeds=0, fewest_wanted=0, most_wanted=0)


def identical(digests: Digests, a: str, b: str) -> bool:
    """Whether the runs of two settings are the same to the bit with every seed that both have, at least one."""
    first, second = digests.get(a, {}), digests.get(b, {})
    common = first.keys() & second.keys()
    return bool(common) and all(first[seed] == second[seed] for seed in common)


def _setting(word: str, settings: Sequence[str], sweep: Sweep) -> str:
    """The setting named by a word: by all of its parts, by parts that no other setting has, or by a choice."""
    if word in settings:
        return word
    fitting = _named_by(word, settings) or [setting for setting in _chosen_by(word, sweep) if setting in settings]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting and (unfinished := _named_by(word, list(sweep.without_runs))):
        raise InputError(f"{sweep.without_runs[unfinished[0]]}.")
    if fitting:
        raise InputError(f"{word} is more than one setting: {' '.join(fitting)}; write one of them whole.")
    raise unknown("setting", word, [setting or WHOLE for setting in settings])


def _chosen_by(word: str, sweep: Sweep) -> list[str]:
    """The settings that have what a choice stands for: `crossover=two_point` is an `n_point` of two points."""
    group, _, choice = word.partition("=")
    if group not in GROUPS or choice not in choices(group):
        return []
    from omegaconf import OmegaConf

    typed_of_all = flat({group: OmegaConf.to_container(OmegaConf.load(conf_folder() / group / f"{choice}.yaml"))})
    meant = {key: value for key, value in typed_of_all.items() if key.partition(".")[0] == group}
    return [setting for setting, typed in sweep.words.items() if meant.items() <= typed.items()]


def _named_by(word: str, settings: Sequence[str]) -> list[str]:
    """The settings of which a word names parts."""
    wanted, parts = _parts(word), {setting: _parts(setting) for setting in settings}
    return [name for name in settings if all(any(_fits(part, whole) for whole in parts[name]) for part in wanted)]


def _fits(part: str, whole: str) -> bool:
    """Whether a part of a word names a part of a setting; either may name a function with folders of its file."""
    key, _, value = part.partition("=")
    whole_key, _, known = whole.partition("=")
    same_file = ":" in value and (known.endswith(f"/{value}") or value.endswith(f"/{known}"))
    return part == whole or (key == whole_key and same_file)


def _parts(setting: str) -> list[str]:
    """`a=[1,2],b=3` as `a=[1,2]` and `b=3`."""
    parts: list[str] = []
    for piece in setting.split(","):
        if "=" in piece or not parts:
            parts.append(piece)
        else:
            parts[-1] += f",{piece}"
    return parts


def _position_in_label(key: str) -> tuple[int, str]:
    """The position of a setting in a label: the experiment, then choices, then the other settings."""
    return (0 if key == "experiment" else 1 if key in GROUPS else 2), key


def _constant(sweep: Sweep, key: str) -> bool:
    return len({words.get(key) for words in sweep.words.values()}) == 1


def _is_sweep(word: str) -> bool:
    if os.path.isfile(Path(word) / SWEEP_FILE) or Path(word).name == SWEEP_FILE:
        return True
    return "=" not in Path(word).name and word != RANDOM_SEARCH


def _verdict(pair: Compared, many: bool) -> list[str]:
    open_words = f"open, not settled: {_wanted(pair)}"
    verdict = [f"{pair.better} is better"] if pair.better else [open_words, *_agreement(pair)]
    if pair.identical:
        verdict = [
            "the runs of both are identical, seed by seed: what differs between the settings changed nothing in them"
        ]
    if pair.budgets:
        verdict.append(f"{'but ' if pair.better else ''}their budgets differ: {pair.budgets}")
    mean = f"difference {pair.difference:+.4f} ({ends_of(pair.low, pair.high, form='+.4f')})"
    p = f"p = {pair.p:.2g}" + (f", corrected {pair.corrected:.2g}" if many else "")
    ties = f" ({pair.ties:,} equal, counting half)" if pair.ties else ""
    ranks = f"by ranks: A12 {pair.a12:.2f}, Wilcoxon p = {pair.wilcoxon:.2g}"
    verdict.append(ranks + (f", by Holm {pair.holm:.2g}" if many else ""))
    return [
        f"{pair.a or WHOLE}  against  {pair.b or WHOLE}",
        f"  {mean}, better with {percent(pair.wins, 0)} of {counted(pair.seeds, 'seed')}{ties}, {p}",
        *(f"  {sentence}" for sentence in verdict),
    ]


def _wanted(pair: Compared) -> str:
    """The range of numbers of seeds that would have a good chance to settle the comparison."""
    if pair.effect is None:
        return "these seeds do not tell how many would settle it"
    if pair.wanted_seeds is not None and pair.wanted_seeds <= pair.seeds:
        return (
            f"{pair.seeds} seeds mostly show a difference as large as the one found, but it may be smaller: take twice "
            "as many"
        )
    beyond = f"more than {MOST_SEEDS:,}"
    needed = beyond if pair.wanted_seeds is None else f"about {pair.wanted_seeds:,}"
    ends = (beyond if n is None else f"{n:,}" for n in (pair.fewest_wanted, pair.most_wanted))
    perhaps = [f", perhaps {end}" for end in ends if end != needed]
    return f"{needed} seeds in all would be needed to tell{''.join(perhaps)}"


def _agreement(pair: Compared) -> list[str]:
    """The reason why a comparison is open although all seeds agree."""
    if not pair.agree or pair.seeds < 2:
        return []
    same = f"{'both' if pair.seeds == 2 else f'all {pair.seeds}'} seeds have the same sign"
    if pair.p <= 1 - CONFIDENCE:
        return [f"{same}, and p = {pair.p:.2g} would settle this comparison alone; among so many it does not"]
    return [f"{same}, which chance alone gives in 1 of {2 ** (pair.seeds - 1)} cases"]
