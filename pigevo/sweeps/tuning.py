"""A search for good settings: Optuna proposes, the worker pool runs, and fresh seeds confirm the best settings.

Proposals are made in batches of a fixed size, independent of the number of workers, and results are reported to Optuna
in order; its sampler is seeded.  So the same command makes the same proposals (with one version of Optuna), and a
killed search needs no record of its own: it is repeated from its runs, of which finished ones are only read.
"""

from __future__ import annotations

import logging
import math
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.intervals import mean_interval
from pigevo.core.machine import available_cores
from pigevo.core.text import LONGEST_VALUE, clipped, counted
from pigevo.errors import InputError
from pigevo.runs.progress import Interrupted
from pigevo.runs.result import read_result
from pigevo.settings.compose import Composer, explained, parsed
from pigevo.storage.files import locked
from pigevo.sweeps import run_sweep
from pigevo.sweeps.job import FAILED, INTERRUPTED, Job, each_once
from pigevo.sweeps.record import flat_together, hashed_name, is_sweep, label, tidy, write_failures, write_record
from pigevo.sweeps.run_sweep import plan_jobs
from pigevo.sweeps.statistics import Compared, compare_pairs

if TYPE_CHECKING:
    from optuna import Study
    from optuna.distributions import BaseDistribution

LOG = logging.getLogger(__name__)

FRESH = 10_000  # the first of the seeds for confirmation; a search uses those from 0 on
STARTUP = 10  # the number of random proposals before Optuna's model of the results is used
PATIENCE = 12  # the number of proposals that may be refused before any is accepted

ProposalWords = Callable[[Mapping[str, str]], Sequence[str]]
"""A function that returns the words of a proposal from its values by key; without values, of the original settings."""


@dataclass(frozen=True)
class Proposal:
    """Settings that were tried.

    Args:
        values: the values by key, as typed.
        score: the champion's exact win probability against the optimum, the mean over the seeds of the search; None if
            there is none.
        refused: the reason why the settings were refused or a run failed; otherwise empty.
    """

    values: Mapping[str, str]
    score: float | None
    refused: str = ""

    @property
    def setting(self) -> str:
        """The values in words."""
        return ",".join(f"{key}={value}" for key, value in self.values.items())


@dataclass(frozen=True)
class Confirmed:
    """The results of settings with seeds that took no part in the search: the champions' exact win probabilities.

    `low` and `high` are the 95 % interval of the mean, None if undetermined.
    """

    setting: str
    champions: tuple[float, ...] = field(repr=False)
    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class Tuned:
    """A search: its sweep's folder, all proposals in order, and the best of them beside the original settings.

    `importance` is the share of each key in the variance of the scores, by the method `evaluator`; empty where
    fewer than two settings were done. `default_was_proposed` is whether the search ran the original settings too: then
    the sweep has them with seeds by which the best was found, and only the fresh ones may be compared.
    """

    folder: Path
    seeds: int
    proposals: tuple[Proposal, ...] = field(repr=False)
    best: Proposal
    importance: Mapping[str, float]
    evaluator: str
    confirmed: Confirmed | None = None
    default: Confirmed | None = None
    compared: Compared | None = None
    default_was_proposed: bool = False


def tune(
    words: Sequence[str], runs: int = 100, seeds: int = 3, confirm: int = 10, seed: int = 0, batch: int = 4,
    workers: int | None = None, outputs: str | os.PathLike[str] = "outputs", words_of: ProposalWords | None = None,
) -> Tuned:  # fmt: skip
    """Search for the settings whose champions have the largest exact win probability against the optimum.

    Args:
        words: settings as on the command line; those with a range `LOW..HIGH`, `LOW..HIGH:log`, `LOW..HIGH:STEP` or
            with several values are searched.
        runs: the largest number of runs of the search: `seeds` for each proposal.
        seeds: the number of seeds of each proposal, the same for all: 0, 1, ...
        confirm: the number of fresh seeds for the best proposal and for the original settings; 0: none.
        seed: the seed of Optuna's sampler (TPE).
        batch: the number of proposals made before the results of the first of them are known; results depend on it.
        workers: runs at the same time, all cores by default; results do not depend on it.
        outputs: the folder of runs and sweeps.
        words_of: returns the words for a proposal's values, and for no values those of the original settings; by
            default `key=value` for each.

    Returns:
        The search; `folder` contains a sweep of all runs.

    Raises:
        InputError: Optuna is not installed, there is nothing to search, or all settings are refused.

    Example:
        >>> import tempfile
        >>> from pigevo.sweeps.tuning import tune
        >>> with tempfile.TemporaryDirectory() as outputs:
        ...     tuned = tune(["debug=fast", "game.target=9", "baseline=none", "mutation=0..0.1"], runs=2, seeds=1,
        ...                  confirm=0, workers=1, outputs=outputs)
        ...     len(tuned.proposals), tuned.best.score == max(proposal.score for proposal in tuned.proposals)
        (2, True)
    """
    optuna = _optuna()
    fixed, space = search_space(words)
    if runs < seeds:
        raise InputError(f"runs = {runs} is less than one proposal takes: it must be at least {seeds}, one a seed.")
    search = _Search(fixed, space, seeds, Path(outputs).absolute(), workers or available_cores(), words_of)
    search.name(words, seed, batch)
    with _quiet(optuna), search.lock:
        sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=STARTUP, multivariate=True, constant_liar=True)
        study = optuna.create_study(direction="maximize", sampler=sampler)
        proposals = _proposals(study, search, runs // seeds, batch)
        done = [proposal for proposal in proposals if proposal.score is not None]
        if not done:
            raise InputError(f"no proposal came to a result: {proposals[-1].refused}")
        best = max(done, key=lambda proposal: proposal.score or 0.0)
        vary = len({proposal.score for proposal in done}) > 1
        importance, evaluator = _importance(study) if vary else ({}, "")
        tuned = Tuned(search.folder, seeds, tuple(proposals), best, importance, evaluator)
        return _confirmed(tuned, search, confirm) if confirm else tuned


def _optuna() -> ModuleType:
    try:
        return import_module("optuna")
    except ImportError as error:
        raise InputError("a search for settings needs Optuna: pip install 'optuna>=4' scikit-learn.") from error


@contextmanager
def _quiet(optuna: ModuleType) -> Iterator[None]:
    """A context without Optuna's own log lines and its warnings about experimental features."""
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            yield
    finally:
        optuna.logging.set_verbosity(before)


_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?::(log|{_NUMBER}))?")
_LIKE_RANGE = re.compile(r"[+-]?[\d.]*\d\.\.")
_WHOLE = re.compile(r"[+-]?\d+")

WRITTEN = "write LOW..HIGH, LOW..HIGH:log, LOW..HIGH:STEP, or values with commas between"
DIGITS = 4  # the number of significant digits of a proposed number that is not whole
LARGEST = 1e300  # the largest absolute value of a number of a range: the width of a range is finite, too
SMALLEST_STEP = 1e-9  # the smallest step of a range as a share of its width, unless the numbers are whole


@dataclass(frozen=True)
class Dimension:
    """A setting that is searched: numbers from `low` to `high`, by steps or evenly in their logarithm, or `choices`."""

    key: str
    low: float = 0
    high: float = 0
    step: float | None = None
    log: bool = False
    choices: tuple[str, ...] = ()

    @property
    def distribution(self) -> BaseDistribution:
        """The dimension as an Optuna distribution."""
        from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

        if self.choices:
            return CategoricalDistribution(self.choices)
        if isinstance(self.low, int) and isinstance(self.high, int):
            return IntDistribution(self.low, self.high, self.log, int(self.step or 1))
        return FloatDistribution(self.low, self.high, self.log, self.step)

    def text(self, value: object) -> str:
        """A proposed value as typed, inside the range; without steps, rounded to a small part of value and range."""
        if not isinstance(value, float):
            return str(value)
        digits = 15 if self.step else DIGITS + max(0, _magnitude(value) - _magnitude(self.high - self.low))
        return repr(min(max(float(f"{value:.{digits}g}"), self.low), self.high))


def _magnitude(number: float) -> int:
    """The position of a number's first digit: 2 for 345.6."""
    return math.floor(math.log10(abs(number))) if number else 0


def search_space(words: Sequence[str]) -> tuple[list[str], list[Dimension]]:
    """The words that set one value, and the dimensions of those that give a range or several values."""
    fixed: list[str] = []
    space: list[Dimension] = []
    for word in words:
        key, _, value = word.partition("=")
        if key.lstrip("+") in ("seed", "force"):
            why = "each proposal is done with the first --seeds seeds" if "seed" in key else "finished runs are kept"
            raise InputError(f"{word} cannot be set here: {why}.")
        dimension = _dimension(key, value)
        if dimension is None:
            fixed.append(word)
        else:
            space.append(dimension)
    keys = [dimension.key for dimension in space]
    for key in keys:
        if keys.count(key) > 1:
            raise InputError(f"{key} is searched twice: {WRITTEN}, once.")
    if not space:
        raise InputError(f"there is nothing to search: {WRITTEN}, as in 'mutation=0.0001..0.05:log'.")
    return fixed, space


def _dimension(key: str, value: str) -> Dimension | None:
    if match := _RANGE.fullmatch(value):
        return _numbers(key, value, *match.groups())
    if _LIKE_RANGE.match(value):
        raise InputError(f"{key}={value} is no range of numbers: {WRITTEN}.")
    with explained():
        (read,) = parsed([f"{key}={value}"])
        if not read.is_sweep_override():
            return None
        choices = tuple(dict.fromkeys(str(value) for value in read.sweep_string_iterator()))
    if not choices:
        raise InputError(f"{key}={value} has no value: {WRITTEN}.")
    return Dimension(key, choices=choices)


def _numbers(key: str, value: str, low: str, high: str, more: str | None) -> Dimension:
    """The dimension of a range; `more` is `log`, the step, or None."""
    step = None if more == "log" else more
    numbers = [text for text in (low, high, step) if text is not None]
    if any(abs(float(text)) > LARGEST for text in numbers):
        word = clipped(f"{key}={value}", LONGEST_VALUE)
        raise InputError(f"{word}: the numbers of a range lie between {-LARGEST:g} and {LARGEST:g}.")
    kind = int if all(map(_WHOLE.fullmatch, numbers)) else float
    dimension = Dimension(key, kind(low), kind(high), None if step is None else kind(step), more == "log")
    if dimension.low >= dimension.high:
        raise InputError(f"{key}={value}: the first number must be below the second.")
    if dimension.log and dimension.low <= 0:
        raise InputError(f"{key}={value}: a logarithmic range begins above 0.")
    if dimension.step is not None and not 0 < dimension.step <= dimension.high - dimension.low:
        raise InputError(f"{key}={value}: a step lies between 0 and the width of the range.")
    if isinstance(dimension.step, float) and dimension.step < SMALLEST_STEP * (dimension.high - dimension.low):
        raise InputError(f"{key}={value}: the step is too small for the range: leave it out.")
    return dimension


class _Search:
    """The runs of a search, which are one sweep."""

    def __init__(
        self,
        fixed: list[str],
        space: list[Dimension],
        seeds: int,
        home: Path,
        workers: int,
        words_of: ProposalWords | None,
    ) -> None:
        self.space, self.seeds, self.home = space, seeds, home
        self._fixed, self._workers, self._composer = fixed, workers, Composer()
        self._words_of = words_of or (lambda values: [f"{key}={value}" for key, value in values.items()])
        self.done: list[Job] = []
        self.lock = ExitStack()  # of the sweep's folder, from the first run on
        self._failures: dict[Path, str] = {}

    def name(self, words: Sequence[str], seed: int, batch: int) -> None:
        """Name the sweep; the name is the same if a search is continued or confirmed by more seeds."""
        key = repr((sorted(words), self.seeds, seed, batch))
        experiment = next((word.partition("=")[2] for word in self._fixed if word.startswith("experiment=")), "default")
        self._words = words
        self.folder = (
            self.home / "sweeps" / hashed_name(["tune", experiment, *(dimension.key for dimension in self.space)], key)
        )

    def jobs(self, values: Mapping[str, str], seeds: Sequence[int]) -> list[Job]:
        """The runs of a proposal, or, without values, of the original settings; an InputError refuses settings."""
        words = [*self._fixed, *self._words_of(values)]
        overrides = [[*words, f"seed={seed}"] for seed in seeds]
        return plan_jobs(overrides, self._composer, lambda _, settings, __: settings.folder_in(self.home))

    def check(self, values: Mapping[str, str]) -> None:
        """Refuse words that cannot be composed for any numbers."""
        self._composer([*self._fixed, *self._words_of(values)])

    def run(self, jobs: Sequence[Job], title: str) -> dict[Path, str]:
        """Execute unfinished runs; returns errors by folder.  The first runs make the sweep's folder."""
        if not jobs:
            return {}
        if not self.done:
            self.lock.enter_context(locked(self.folder, "sweep", is_sweep))
            tidy(self.folder)
        self.done = list(each_once([*self.done, *jobs]).values())
        write_record(self.folder, self.done, self._words, [dimension.key for dimension in self.space])
        outcomes = run_sweep.run_jobs(jobs, self._workers, title=title)
        if any(outcome.state == INTERRUPTED for outcome in outcomes):
            raise Interrupted(f"stopped during {title}; the same command goes on from there.")
        errors = {outcome.job.folder: outcome.error for outcome in outcomes if outcome.state == FAILED}
        self._failures |= errors
        write_failures(self.folder, self._failures)
        return errors


def _proposals(study: Study, search: _Search, count: int, batch: int) -> list[Proposal]:
    from optuna.trial import TrialState

    distributions = {dimension.key: dimension.distribution for dimension in search.space}
    proposals: list[Proposal] = []
    while len(proposals) < count:
        trials = [study.ask(distributions) for _ in range(min(batch, count - len(proposals)))]
        values = [
            {dimension.key: dimension.text(trial.params[dimension.key]) for dimension in search.space}
            for trial in trials
        ]
        title = f"proposals {len(proposals) + 1} to {len(proposals) + len(trials)} of {count}"
        tried = _tried(search, values, title, is_first=not proposals)
        for trial, proposal in zip(trials, tried, strict=True):
            state = TrialState.PRUNED if proposal.score is None else TrialState.COMPLETE
            study.tell(trial, proposal.score, state=state)
        proposals += tried
        if len(proposals) >= PATIENCE and all(proposal.score is None for proposal in proposals):
            raise InputError(f"{len(proposals)} proposals, and all are refused: {proposals[-1].refused}")
    return proposals


def _tried(search: _Search, batch: Sequence[Mapping[str, str]], title: str, is_first: bool) -> list[Proposal]:
    """The results of the proposals of a batch, whose runs are executed together."""
    if is_first:
        search.check(batch[0])
    planned: list[list[Job] | str] = []
    for values in batch:
        try:
            planned.append(search.jobs(values, range(search.seeds)))
        except InputError as error:
            planned.append(str(error))
    failed = search.run([job for jobs in planned if not isinstance(jobs, str) for job in jobs], title)
    proposals = []
    for values, jobs in zip(batch, planned, strict=True):
        wrong = (
            jobs if isinstance(jobs, str) else next((failed[job.folder] for job in jobs if job.folder in failed), "")
        )
        score = None if wrong or isinstance(jobs, str) else float(np.mean(_champions(jobs)))
        proposals.append(Proposal(values, score, wrong))
    return proposals


def _champions(jobs: Sequence[Job]) -> Floats:
    """The win probabilities of the champions of finished runs against the optimum, shape (runs,)."""
    results = [read_result(job.folder) for job in jobs]
    return np.array([result["champion"]["overall"] for result in results if result is not None])


def _most(jobs: Sequence[Job]) -> float:
    """What the optimum wins against itself in the games of the runs; 1 if no record says it."""
    results = [read_result(job.folder) for job in jobs]
    return max((result.get("optimum_overall", 1.0) for result in results if result is not None), default=1.0)


def _importance(study: Study) -> tuple[dict[str, float], str]:
    """The share of the scores' variance explained by each key, and the method."""
    from optuna import importance

    for name, kind in (("fANOVA", "FanovaImportanceEvaluator"), ("PED-ANOVA", "PedAnovaImportanceEvaluator")):
        try:
            evaluator = getattr(importance, kind)(**({"seed": 0} if name == "fANOVA" else {}))
            shares = importance.get_param_importances(study, evaluator=evaluator)
            return {key: float(share) for key, share in shares.items()}, name
        except ImportError:  # fANOVA needs scikit-learn
            continue
        except (ValueError, RuntimeError):  # too few proposals, or all equal
            break
    return {}, ""


def _confirmed(tuned: Tuned, search: _Search, confirm: int) -> Tuned:
    """A search with the results of the best and of the original settings on fresh seeds, and their comparison."""
    seeds = range(FRESH, FRESH + confirm)
    best = search.jobs(tuned.best.values, seeds)
    try:
        original = search.jobs({}, seeds)
    except InputError as error:
        LOG.warning("without the searched settings there is no run to compare with: %s", error)
        original = []
    tried = {job.folder for job in search.done}
    proposed = bool(original) and any(job.folder in tried for job in search.jobs({}, range(search.seeds)))
    failed = search.run([*best, *original], counted(confirm, "fresh seed"))
    if failed:
        raise InputError(f"a run with a fresh seed failed: {next(iter(failed.values()))}")
    keys = [dimension.key for dimension in search.space]
    together = flat_together(job.settings.values for job in search.done)  # named as in the record of the sweep
    names = {job.folder: label(typed, keys) for job, typed in zip(search.done, together, strict=True)}
    of_best = _confirm(names[best[0].folder], best)
    of_original = _confirm(names[original[0].folder], original) if original else None
    compared = None
    if of_original:
        sides = {
            "best": dict(zip(seeds, of_best.champions, strict=True)),
            "default": dict(zip(seeds, of_original.champions, strict=True)),
        }
        (compared,) = compare_pairs(sides, [("best", "default")], within=(0.0, max(_most(best), _most(original))))
    return replace(tuned, confirmed=of_best, default=of_original, compared=compared, default_was_proposed=proposed)


def _confirm(setting: str, jobs: Sequence[Job]) -> Confirmed:
    """The results of finished runs of one setting."""
    champions = _champions(jobs)
    low, high = mean_interval(champions, within=(0.0, _most(jobs)))
    return Confirmed(setting, tuple(champions.tolist()), float(champions.mean()), low, high)
