"""What columns, figures, settings and words of the output mean, where no docstring is the place to say it.

Help, `pigevo describe` and the documentation take their sentences from here.
"""

from __future__ import annotations

from pigevo.cli.vocabulary import WORDS as WORDS

METRICS = {
    "generation": (
        "The number of the population, from 0, which is the one that the run begins with. A row is recorded for "
        "generation 0, for every `record_every`-th, and for the last one of each wave."
    ),
    "wave": (
        "The number of the wave, from 1: a stretch of generations with cuboids of one size. Without waves it is 1."
    ),
    "cube_size": (
        "The edges of the cuboids of which each is one gene: 20, or 20x10x5 along own score, opponent's score and "
        "turn total. It is 1 where every cell is a gene."
    ),
    "evaluations": "How many strategies the run's fitness has evaluated until here. Each newly made one counts once.",
    "games": (
        "How many games were simulated until here, for the run's own fitness. It stays 0 where fitness is exact."
    ),
    "best": (
        "The largest exact win probability against the optimum in this population, the mean of both seats. The run "
        "itself does not see it, unless its fitness is that."
    ),
    "mean": (
        "The average exact win probability of this population against the optimum. No strategy can have more than "
        "`optimum_overall`."
    ),
    "worst": (
        "The smallest exact win probability against the optimum in this population. It is the referee's view, as "
        "`best` is."
    ),
    "diversity": (
        "The share of genes in which two members differ, on average over all pairs. 0 means that all are copies, and "
        "coins have 0.5."
    ),
    "seconds": "How long the run has taken until here, added up over interruptions. It is in no digest.",
    "measured": (
        "The champion's score by the run's own fitness, where that plays games. Who is best of many by a sample was "
        "lucky too, so it is too high on average."
    ),
    "measured_low": (
        "The lower end of the 95 % interval of `measured`, from the games behind it. It does not know that these games "
        "chose the champion."
    ),
    "measured_high": (
        "The upper end of the 95 % interval of `measured`, from the games behind it. It does not know that these games "
        "chose the champion."
    ),
    "measured_games": "How many simulated games are behind `measured`. They are the champion's own.",
    "luck": (
        "The champion's score less the same score without luck: exact win probabilities against the same opponents in "
        "the place of games. The run never sees it."
    ),
    "elites_luck": (
        "The mean of `luck` over the best tenth of the population by the run's own fitness, ten members at most. "
        "The champion is one of them."
    ),
    "digest": (
        "A SHA-256 of the population, the counts and what operators remember. Two runs with the same one were the "
        "same until here, on any machine."
    ),
}
"""The columns of `metrics.csv`."""

RESULTS = {
    "hash": "The SHA-256 of everything else that the file says. Where it does not fit, the file was changed.",
    "format": "The version of the file's layout. A later pigevo reads it, an earlier one refuses it.",
    "champion": WORDS["champion"],
    "optimum": (
        "What the optimal strategy wins against itself when it moves first. In Pig that is an advantage; where the "
        "last word is worth more, it is below 0.5."
    ),
    "optimum_overall": (
        "What the optimal strategy wins against itself, the mean of both seats. No strategy wins more against it: 0.5, "
        "unless a draw is worth other than a half (`game.draw`)."
    ),
    "peak_mean": (
        "The largest mean of a recorded population against the optimum, exactly. The run may have lost some of it "
        "since."
    ),
    "peak_generation": "The generation in which the population had its largest mean. It is one of the recorded ones.",
    "last_mean": (
        "The mean of the last population against the optimum, exactly. What it lacks of `peak_mean` was lost."
    ),
    "best_seen": (
        "The largest exact win probability of any member that was recorded. The run could not know that it had it, "
        "unless its fitness is exact."
    ),
    "generations": (
        "The number of generations of the run, generation 0 not counted. As a setting it is the planned number, where "
        "there are no waves."
    ),
    "planned": (
        "How many generations were asked for. A stop rule or a function of the user's may have ended the run before."
    ),
    "baseline": (
        "The run beside random strategies and random search with the same budget. It is empty where the setting "
        "`baseline` is `none`."
    ),
    "versions": (
        "The versions of pigevo, Python and all packages that made the result. `begun_with` are those at its beginning."
    ),
    "begun_with": (
        "The versions of pigevo, Python and all packages when the run began. Those of its end are in `versions`."
    ),
    "config_hash": "The hash of all settings that can change a result. The same one finds the same folder.",
    "champion_games": (
        "Of the `games` of a finished run, those that named the champion. In them all members of the last generation "
        "meet, or the best 500 of a larger one where selection asks for fewer matches; the champions that are recorded "
        "in between cost further games, which are counted nowhere."
    ),
    "config": "All settings of the run, composed. `pigevo --cfg job` shows them before a run.",
    "files": "The SHA-256 of each file of the finished run. Who reads a file that was changed is told so.",
    "populations": "How many random populations the run is compared with. They are the same ones for every run.",
    "members": (
        "How many random strategies there are in all random populations together. The champion is placed among them."
    ),
    "own_mean": (
        "What random populations of the run's first genome win on average against the optimum. `own_interval` is the "
        "95 % interval of that mean."
    ),
    "own_interval": "The 95 % interval of `own_mean`. It is that of the mean over random populations.",
    "own_best": (
        "The best random strategy of the run's first genome, by the referee. It is the best of all `members`."
    ),
    "cells_mean": (
        "What random populations win on average if every cell is a gene of its own. `cells_interval` is the 95 % "
        "interval of that mean."
    ),
    "cells_interval": "The 95 % interval of `cells_mean`. It is that of the mean over random populations.",
    "cells_best": (
        "The best random strategy whose every cell is a gene of its own, by the referee. It is the best of as many as"
        " there are in all populations."
    ),
    "peak_among_means": (
        "How many random populations are as good on average as this one at its best. `reached` of `sample` are."
    ),
    "champion_among_members": (
        "How many random strategies are as good as the champion, by the size of the cubes. `reached` of `sample` are."
    ),
    "random_search": (
        "Random search: as many random strategies as the run evaluated, the best chosen by the run's own matches. "
        "What it finds tells what evolution added."
    ),
    "cache": (
        "The files in which random samples are kept, so that they need not be made again. `pigevo cache` tells where."
    ),
    "recorded": (
        "How many populations the run recorded. Its peak is the best of as many, so it stands beside the best of as "
        "many random ones."
    ),
    "best_of_recorded_bound": (
        "A bound of the chance that the best of as many random populations as the run recorded is as good as its "
        "peak. It holds with 95 % confidence."
    ),
    "value": "The figure of the run that stands among random ones. `reached` tells how many of them are as large.",
    "sample": "How many random figures there are. `reached` of them are as large as the run's.",
    "reached": "How many random figures are at least as large as the run's. `sample` tells of how many.",
    "largest": "The largest of the random figures. Where the run's is above it, `reached` is 0.",
    "cubes": (
        "The size of the cubes that random search used. As a setting it is how the array of a strategy is divided "
        "into genes."
    ),
    "by_matches": (
        "What the strategy wins against the optimum that random search chose by the run's own matches. Matches are a "
        "matter of luck, so it is not the best one."
    ),
    "by_referee": (
        "What the best random strategy wins against the optimum, chosen by that very figure. Nobody without an exact "
        "referee could have chosen it."
    ),
    "strategies": "How many random strategies random search tried. `pigevo strategies` lists those that have names.",
}
"""The figures of `result.json`, inner ones too."""

TABLES = {
    "run": "The name of the run's folder. It is made of the settings and their hash.",
    "setting": (
        "What tells a run from the others of its sweep, without the seed. Runs of one setting differ in their luck "
        "only."
    ),
    "seed": (
        "The number that decides all random numbers of a run. The same settings and seed give the same run, to the bit."
    ),
    "metric": (
        "Which figure a row of the long table holds: a column of `metrics.csv`, or a figure of the finished run. "
        "`value` holds the number."
    ),
    "random_search_mean": (
        "What random populations of the run's first genome win on average. It stands at the last generation of the run."
    ),
    "random_search_best": (
        "The best random strategy of the run's first genome, by the referee. It stands at the last generation of the "
        "run."
    ),
}
"""The columns of a sweep's tables, beside those of `metrics.csv` and `result.json`."""

GROUPS = {
    "game": (
        "The rules that are played: what a throw brings, what ends a turn and what that costs, and how the game ends."
    ),
    "population": "What a run begins with: the first strategies.",
    "selection": "Who meets whom, and which strategies survive a generation to have children.",
    "fitness": WORDS["fitness"],
    "crossover": "How two parents become one child, gene by gene.",
    "mutator": "How genes change by chance after crossover.",
    "replacement": "Who stays, or comes from elsewhere, beside the children in the next generation.",
    "cubes": "How the array of a strategy is divided into genes: single cells, or cuboids that shrink wave by wave.",
    "islands": (
        "How the population is divided into islands, which evolve by themselves, and who moves from one to another."
    ),
    "stop": "What ends a run before it is as long as planned. No rule looks at the clock, or at the referee.",
    "baseline": WORDS["baseline"],
    "experiment": "Settings that belong together, under one name.",
    "sweep": "A ready sweep: the values of several settings, of which every combination is run.",
    "strategy": WORDS["strategy"],
    "launcher": "Where the runs of a sweep are done: `hydra/launcher=NAME`.",
}
"""What is chosen in each group."""

SETTINGS = {
    "experiment": (
        "The settings that a run begins with, by name; every one of them can be changed. `pigevo --help` lists the "
        "experiments."
    ),
    "mutation": (
        "The probability that a gene flips. Mutators that have their own measure of change do not use it, and then it"
        " is no setting."
    ),
    "record_every": (
        "How many generations lie between two rows of `metrics.csv`. The champions of the same ones are recorded, "
        "or of every second or fourth of them and so on. It changes what is recorded, and with it the run's identity."
    ),
    "checkpoint_every": (
        "How many generations lie between two checkpoints, from which a run that was stopped goes on. It changes no "
        "result."
    ),
    "workers": "How many threads one run uses. No result depends on it.",
    "force": "Whether a run that has finished is done again. It writes over what the run left.",
    "debug": "With `fast` every run takes seconds: few generations and few games. It is for trying, not for results.",
}
"""The settings that belong to no group; `seed` and `generations` stand above."""
