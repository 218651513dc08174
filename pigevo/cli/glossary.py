"""The meaning of columns, figures, settings and words of the output that are not described in a docstring.

This is the only glossary: help, `pigevo describe`, reports and the documentation use its sentences.
"""

from __future__ import annotations

import re


def _entries(text: str) -> dict[str, str]:
    """Lines `word: sentences`, continued in indented lines; a word without sentences has those of `WORDS`."""
    entries = re.findall(r"^(\w+):(.*(?:\n    .*)*)", text, re.MULTILINE)
    return {word: " ".join(sentences.split()) or WORDS[word] for word, sentences in entries}


WORDS = _entries("""\
referee: The exact win probability against the optimal strategy, shown beside all results. A run does not use it,
    unless its fitness is exact.
optimal: The strategy that no other strategy beats, on average over both seats. It is computed, not evolved. No
    strategy wins more against it than it wins against itself: 0.5, unless the value of a draw is not a half.
exact: Computed by solving the equations of the game, with no sampling. `simulated` figures come from games with dice,
    and have an interval.
simulated: Counted in games with dice, and so with an interval. `exact` figures need none.
overall: A win probability as the mean of both seats: moving first, and moving second.
moving_first: The win probability of the player who begins. In Pig it is above 0.5 for two equal players.
second: The win probability of a strategy that moves second. `first` is the one when it moves first.
first: The win probability of a strategy that moves first. `second` is the one when it moves second.
stalemate: The end of a game in a state that neither player's strategy can leave, because both always pass there; it
    counts as a win for neither. It is possible only in games that allow passing. A player who passes only with
    some probability leaves the state at some time.
draw: Equal scores at the end of a game of turns. `game.draw` is the value of a draw.
unfinished: A simulated game that was stopped because it had too many turns; it counts as a win for neither. The command
    prints their number.
exploitability: The win probability of the best response against a strategy minus a half, in games where a draw is worth
    a half. 0 means that no strategy beats it.
best_response: The strategy that does best against one given opponent. `pigevo respond` computes it.
difference_from_optimal: The win probability of the optimum when it moves first against a strategy, minus the strategy's
    when that moves first. If a draw is worth a half, it is twice the strategy's loss compared with a
    half (Neller & Presser 2010).
rule: A strategy that a person can remember: a turn total to hold at that depends on both banked scores (its base), and
    a condition to roll to win (its race). It is typed as `rule: 21+(j-i)/8; race either>=71` in place of a strategy;
    `pigevo rules` explains a rule, and lists the best.
noisy: `noisy:0.05,A` is the strategy A with random errors: at each decision the other choice is made with probability
    0.05.
mix: `mix:0.5,A,B` is a strategy that draws at each decision whether A or B decides. It is mixed by decision, not by
    game: its probability of rolling is the weighted mean of both.
mirror: `mirror:A` is the strategy A with the two players' scores exchanged.
base: The part of a rule that gives the hold value: 25, 21+(j-i)/8 with i the own score and j the opponent's,
    max(25,j-i-10), max(17,18+(j-i)/8), multiple(25), marks(25,50,74), quarters(24,25,23,25), end, or one of two by a
    condition, as in 19 if ahead else 24; in a game of rounds also 18+(j-i)/turns.
turns: In a rule for a game of rounds: the player's remaining turns, this one included. `18+(j-i)/turns` distributes a
    deficit over them.
race: The part of a rule with the condition to roll to win: on own, opponent, either (the greater score), both (the
    smaller one), sum, lead, deficit, own+2*opponent or 2*own+opponent, as in `race either>=71`, or on the points that a
    hold leaves. Conditions are joined by and, or.
last: The part of a rule for a game of rounds with the hold value in the player's last turn, as in `20; last 16+(j-i)`.
    The player with the last turn of the game rolls until ahead, for any rule.
multiple: `multiple(25)` in a rule: roll until score and turn total together reach or pass the next multiple of 25.
marks: `marks(25,50,74)` in a rule: roll until score and turn total together reach or pass the next of these marks;
    after the last one, roll to win.
quarters: `quarters(24,25,23,25)` in a rule: the hold values in the four quarters of the way to the target.
leaves: `leaves<=25` in a rule: the hold planned at the beginning of the turn would leave at most 25 points to go.
ahead: In a rule: having the larger banked score. `behind` means having the smaller one; level is neither.
front: The rules that no other rule of at most the same complexity beats, by integers, by operations, or by both.
    `pigevo rules` lists them; the study `rules` describes the rules compared.
integers: The number of numbers in a rule, repetitions included, which a person must remember.
operations: The mental arithmetic that a rule needs in a turn: 1 for a comparison, 2 for an addition, a subtraction, a
    doubling or a step of a division (`pigevo.strategies.rules.rule`).
gaps: Places at which a strategy rolls again above a turn total at which it holds. There the first hold does not
    describe its play.
first_holds_at: The smallest turn total at which a strategy holds. Where it has gaps it rolls again above it.
interval: A range that contains the true figure with 95 % confidence, as far as chance is concerned. It does not cover
    effects of settings that were not varied, and is too narrow if few seeds have missed rare events. `undetermined`:
    there are too few seeds for an interval.
setting: The choices with which runs were made, all but the seed: in a sweep those that differ, as `mutation=0.005`.
standard_deviation: How far the results of single seeds lie from their mean, typically: about two in three are nearer.
corrected: A p-value is the probability of a difference at least as large if there were none. Who makes many comparisons
    sees some by luck; corrected p-values (Benjamini-Yekutieli) and simultaneous intervals allow for all of them.
effect: A mean difference in standard deviations of the differences, seed by seed (Cohen's d_z). The larger it is, the
    fewer seeds are needed to settle it.
open: A comparison that these seeds do not decide: the interval of the difference contains 0. It does not mean equal.
    `compare` estimates how many seeds would decide it.
power: The probability that a comparison shows a difference if there is one of the assumed size. 80 % is usual; more
    seeds or games give more.
gene: A bit that decides one cell of a strategy's array, or a whole cube: 0 holds, 1 rolls. A genome is all genes of a
    strategy.
genome: All genes of a strategy, as zeros and ones. Evolution changes it, and never the strategy itself.
cube: A block of neighbouring cells of a strategy's array that share one gene. `cubes.sizes` sets the sizes;
    its sides may differ, so that it is a cuboid.
cell: One state of the game: own score, opponent's score, turn total. A strategy decides for each whether to roll.
decision_state: A state in which play consults the strategy: the game is not yet won and the rules allow a choice.
turn_total: The points at risk in this turn. Holding banks them, and a throw that ends the turn loses them.
match: A number of simulated games between two strategies with alternating seats. `fitness.games` sets the number.
checkpoint: The saved state from which a stopped run continues, with the same result to the bit. `checkpoint_every` sets
    how often one is written.
hall_of_fame: The best strategies of all recorded generations according to the referee. A run's digest includes them.
custom: A function of your own as the operator, game or stop rule: `crossover=ops.py:mine`. `pigevo check ops.py:mine`
    checks the laws for an operator or a stop rule.
strategy: A decision, to roll or to hold, for every state of the game. It is an array of own score, opponent's score
    and turn total.
population: The strategies of one generation, each as a genome. `population.size` sets their number.
generation: One round of evolution: strategies are compared, survivors have children, and these are the next
    population.
fitness: The measure that decides which strategy is better: simulated matches, or exact win probabilities. It is the
    only information about the game that evolution uses.
champion: The result of a run: the best strategy of its last generation by its own fitness. Its figures are exact win
    probabilities against the optimum; the referee had no part in choosing it.
wave: A stretch of generations with cubes of one size. At its end each gene is copied into its smaller cubes,
    which the next wave can change one by one.
cube_grid: The division of a strategy's array into cubes of one size, each of which is one gene. `cubes` chooses it.
operator: A function of the evolution: a population, fitness, selection, crossover, mutator or replacement. It takes
    data and a context, and returns data.
baseline: The comparison of a run with random strategies, and with random search of as many strategies by the same
    matches. The difference is due to evolution.
archive: Past champions of a run, which its strategies play instead of each other. Their ages grow geometrically, so
    that early ones are not forgotten.
map_of_elites: The best strategy for each way of playing: the plane of two behaviours is divided into cells, and each
    contains the best strategy found for it. `RUN@X,Y` is the one of a cell.
orbit: In a game for three: the three states, by points still needed by mover, next and third, that lead to each other
    while nobody scores. All values after a hold are known when an orbit is solved.
equilibrium: Strategies such that no player gains by changing only its own. With two players, the optimum against
    itself is one.
certificate: The largest gain of one player by deviating from an equilibrium, at any state, computed by code that is
    independent of the solver. Below 1e-12 it is a rounding error.
instance: A task of the benchmark: Pig with a target and a die, a cube grid, the number of games of a match or exact
    answers, and whether the optimal strategy may be played. t20-d3-c2-g100-oracle is one.
oracle: An opponent that measures the quality of a strategy directly: the optimal strategy, if an instance of the
    benchmark allows it. Without one, strategies play only each other.
anytime: Evaluated during the whole trial and not only at its end: the champion's quality as a function of the budget
    spent. The benchmark's referee evaluates at amounts that grow geometrically.
ert: The expected running time to a target: the total amount that an algorithm's trials spent until they hit the target
    or ended, divided by the number that hit it.
ecdf: An empirical cumulative distribution: the share of all pairs of a target and an instance that an algorithm has
    hit, as a function of the share of its budget spent.
reach: The expected number of visits to each state in one game.
seat: The order of moves. Figures are `first`, `second`, or `overall`, the mean of both.
run: One evolution with one seed, and the folder of its files.
sweep: Many runs: every combination of the values of some settings, and a folder with their record.
study: A publication reproduced in a folder of `experiments/`: its figures beside ours, with intervals.
co_evolution: Evolution in which strategies are evaluated by their results against each other, and not by a fixed
    measure. Here the truth is known, so that claims about it can be decided: `pigevo study coevolution`.
transitive: A property of winning: if a beats b and b beats c, then a beats c. Then strategies have an order, and the
    choice of opponents does not matter.
cyclic_triple: Three strategies of which the first beats the second, the second the third, and the third the first,
    each in more than half of the games. Their share of all triples measures how far winning is from being transitive.
nash_mixture: Weights of some strategies such that none of these wins more than half against a player who draws one of
    them by its weight before each game.
disengagement: In co-evolution: one side is so much stronger that its opponents no longer show who of the other side is
    better.
generalisation: The mean result of a strategy against all strategies of a game. It differs from being unbeaten.
stream: Random numbers of one purpose, such as mutation. Each is a function of seed, stream, generation and pair, so
    that no result depends on the number of threads.
""")
"""The words of the output and of the documentation."""

METRICS = _entries("""\
generation: The number of the population, from 0, which is the one that the run begins with. A row is recorded for
    generation 0, for every `record_every`-th, and for the last one of each wave.
wave: The number of the wave, from 1: a stretch of generations with cubes of one size. Without waves it is 1.
cube_size: The edges of the cubes of which each is one gene: 20, or 20x10x5 along own score, opponent's score and
    turn total. It is 1 where every cell is a gene.
evaluations: The number of strategies that the run's fitness evaluated before this population; 0 in row 0. Each newly
    made one counts once.
games: The number of games simulated for the run's own fitness before this population; 0 if fitness is exact.
best: The largest exact win probability against the optimum in this population, the mean of both seats. The run itself
    does not use it, unless its fitness is exact.
mean: The average exact win probability of this population against the optimum. No strategy can have more than
    `optimum_overall`.
worst: The smallest exact win probability against the optimum in this population. Like `best`, it is the referee's.
diversity: The share of genes in which two members differ, on average over all pairs. 0 means that all are copies, and
    random genomes differ in about 0.5.
seconds: The time that the run has taken so far, added up over interruptions. No digest depends on it.
entropy: The mean entropy of a gene in this population, in bits. 1 means that each gene is 0 in half of the members,
    and 0 that all members are copies.
behaviour: The share of decisions in which two members differ, on average over all pairs, where each state is weighted
    by how often the optimum decides there against itself. It is recorded with the setting `behaviour=true`.
measured: The champion's score by the run's own fitness, if that plays games. The best of many in a sample was also
    lucky, so the score is too high on average.
measured_low: The lower end of the 95 % interval of `measured`, from its games. It does not take into account that these
    games chose the champion.
measured_high: The upper end of the 95 % interval of `measured`, from its games. It does not take into account that
    these games chose the champion.
measured_games: The number of simulated games behind `measured`: the champion's own.
luck: The champion's score minus the same score without luck, from exact win probabilities against the same opponents
    instead of games. The run never uses it.
elites_luck: The mean of `luck` over the best tenth of the population by the run's own fitness, at most ten members,
    including the champion.
gain_selection: The mean of the parents of this population's members, against the optimum, minus that of the previous
    population. It is recorded with `lineage=true`; the four gains add up to the change of the mean in one generation.
gain_crossover: The effect of crossover on the mean of this population: children before mutation minus the means of
    their parents. It is recorded with `lineage=true`.
gain_mutation: The effect of mutation on the mean of this population: children minus the same ones before mutation. It
    is recorded with `lineage=true`.
gain_arrivals: The effect of members without parents, such as immigrants, on the mean of this population. It is recorded
    with `lineage=true`.
coverage: In a run with a map of elites (`selection=map_elites`): the share of its cells that have an elite. Some cells
    cannot be reached.
qd_score: In a run with a map of elites: the sum of the exact win probabilities of all elites against the optimum. It
    grows when a cell is reached and when its elite becomes better.
digest: The SHA-256 of the population, the counts and the operators' memory. Two runs with the same digest were
    identical so far, on any machine.
""")
"""The columns of `metrics.csv`."""

RESULTS = _entries("""\
hash: The SHA-256 of the rest of the file. If it does not match, the file was changed.
format: The version of the file's layout. A later pigevo reads it, an earlier one refuses it.
champion:
optimum: The optimal strategy's win probability against itself when it moves first. In Pig moving first is an
    advantage; where moving last is one, the figure is below 0.5.
optimum_overall: The optimal strategy's win probability against itself, the mean of both seats. No strategy wins more
    against it: 0.5, unless the value of a draw is not a half (`game.draw`).
peak_mean: The largest mean of a recorded population against the optimum, exactly. The run may have lost some of it
    since.
peak_generation: The generation in which the population had its largest mean. It is one of the recorded ones.
last_mean: The mean of the last population against the optimum, exactly. The difference from `peak_mean` was lost.
best_seen: The largest exact win probability of any recorded member. The run could not know it, unless its fitness is
    exact.
generations: The number of generations of the run, generation 0 not counted. As a setting it is the planned number,
    where there are no waves.
planned: The planned number of generations. A stop rule or a user's function may have ended the run earlier.
baseline: The comparison of the run with random strategies and with random search of the same budget. It is empty if the
    setting `baseline` is `none`.
versions: The versions of pigevo, Python and all packages that made the result. `begun_with` are those at its
    beginning.
seconds: The wall clock of the run from the beginning of the command, added up over interruptions. `phases` are its
    parts.
phases: The distribution of the run's `seconds` over its parts, which add up to them: `start`, `compile`, `play`,
    `select`, `vary`, `referee`, `random_search`, `pictures` and `rest`.
start: The seconds from the beginning of the command to that of evolution. It is one of the `phases`.
compile: The seconds in which kernels were compiled. It is one of the `phases`, and no other contains it.
pictures: The seconds in which the run's pictures were drawn. It is one of the `phases`.
rest: The seconds in which files were written, and of everything else. It is one of the `phases`.
play: The seconds in which strategies were evaluated by the run's own fitness. It is one of the `phases`.
select: The seconds in which survivors were selected. It is one of the `phases`.
vary: The seconds in which children were made: crossover, mutation, replacement. It is one of the `phases`.
checkout: The `commit` of pigevo's repository that made the result, and whether it was `changed` there. It is empty
    where pigevo was installed and does not run from a checkout.
commit: The commit of pigevo's repository. A result of a changed checkout is not that commit's.
changed: Whether `pigevo/` or `conf/` differed from the commit when the run ended. Only results of a checkout have it.
begun_with: The versions of pigevo, Python and all packages when the run began. Those of its end are in `versions`.
champion_member: The number of the champion in the last population, from 0. Its genes are those of that row.
config_hash: The hash of all settings that can change a result. The same one finds the same folder.
champion_games: The games, out of `games`, that decided the champion of a finished run. Where members play each other,
    all of the last generation meet, or the best 500 of a larger one if selection needs fewer matches; the champions
    recorded in between cost further games, which are not counted.
config: All settings of the run, composed. `pigevo --cfg job` shows them before a run.
files: The SHA-256 of each file that does not change after the run; `run.log` has none. Reading a file
    that was changed gives a warning.
populations: The number of random populations with which the run is compared. They are the same for every run.
members: The number of random strategies in all random populations together. The champion is ranked among them.
own_mean: The mean win probability against the optimum of random populations with the run's first genome. `own_interval`
    is the 95 % interval of that mean.
own_interval: The 95 % interval of `own_mean`. It is that of the mean over random populations.
own_best: The best random strategy of the run's first genome, by the referee. It is the best of all `members`.
cells_mean: The mean win probability of random populations in which every cell is a gene. `cells_interval` is the 95 %
    interval of that mean.
cells_interval: The 95 % interval of `cells_mean`. It is that of the mean over random populations.
cells_best: The best random strategy whose every cell is a gene of its own, by the referee. It is the best of as many
    as there are in all populations.
peak_among_means: The number of random populations whose mean is at least the run's largest mean: `reached` of
    `sample`.
champion_among_members: The number of random strategies at least as good as the champion, by the size of the cubes:
    `reached` of `sample`.
random_search: Random search: as many random strategies as the run evaluated, of which the best is chosen by the run's
    own matches. The difference to it is due to evolution.
cache: The files with cached random samples. `pigevo cache` shows their folder.
recorded: The number of populations that the run recorded. Its peak is the best of these, so it is compared with the
    best of as many random ones.
best_of_recorded_bound: A bound of the chance that the best of as many random populations as the run recorded is as
    good as its peak. It holds with 95 % confidence.
value: The figure of the run that is ranked among random ones. `reached` of these are at least as large.
sample: The number of random figures. `reached` of them are at least as large as the run's.
reached: The number of random figures, out of `sample`, that are at least as large as the run's.
largest: The largest of the random figures. If the run's is above it, `reached` is 0.
cubes: The size of the cubes that random search used. As a setting it is how the array of a strategy is divided into
    genes.
by_matches: The win probability against the optimum of the strategy that random search chose by the run's own matches.
    Matches depend on luck, so it is not the best one.
strategies: The number of random strategies that random search tried. `pigevo strategies` lists those with names.
""")
"""The figures of `result.json`, including nested ones."""

TABLES = _entries("""\
run: The name of the run's folder. It is made of the settings and their hash.
setting: The values that distinguish a run from the others of its sweep, without the seed. Runs of one setting differ
    only in their luck.
seed: The number that determines all random numbers of a run. The same settings and seed give the same run, to the bit.
metric: The name of the figure in a row of the long table: a column of `metrics.csv`, or a figure of the finished run.
    `value` is the number.
random_populations_mean: The mean win probability of random populations with the run's first genome. It is listed at the
    last generation of the run.
random_populations_best: The best random strategy with the run's first genome, by the referee. It is listed at the last
    generation of the run.
""")
"""The columns of a sweep's tables that are not in `metrics.csv` or `result.json`."""

GROUPS = _entries("""\
game: The rules: the outcomes of a throw, what ends a turn and what that costs, and how the game ends.
population: The first strategies of a run.
selection: The pairs that play, and the strategies that survive a generation and have children.
fitness:
crossover: How two parents become one child, gene by gene.
mutator: How genes change by chance after crossover.
replacement: The survivors and immigrants that are in the next generation beside the children.
cubes: How the array of a strategy is divided into genes: single cells, or cubes that shrink wave by wave.
islands: How the population is divided into islands, which evolve separately, and which members migrate.
stop: The rule that ends a run before its planned end. No rule depends on the clock, or on the referee.
baseline:
experiment: Settings that belong together, under one name.
sweep: A ready sweep: the values of several settings, of which every combination is run.
strategy:
launcher: The machines on which the runs of a sweep are executed: `hydra/launcher=NAME`.
""")
"""The meaning of each group of choices."""

SETTINGS = _entries("""\
experiment: The settings that a run begins with, by name; every one of them can be changed. `pigevo --help` lists the
    experiments.
mutation: The probability that a gene flips. Mutators with their own measure of change do not use it; it cannot be set
    for them.
record_every: The number of generations between two rows of `metrics.csv`. The champions of the same generations are
    recorded, or of every second, fourth and so on. It changes the record, and with it the run's identity.
checkpoint_every: The number of generations between two checkpoints, from which a stopped run continues. It changes no
    result.
lineage: Whether the parents of members and the effects of operators are recorded: see `pigevo lineage`. The referee
    then takes up to three times as long. It changes no result, and is part of the run's identity.
behaviour: Whether the diversity by behaviour is recorded, a column of `metrics.csv`. It changes no result, and is part
    of the run's identity.
on_generation: A function of your own that is called with each generation, `on_generation=watch.py:every`. Numbers that
    it returns by name are columns of `metrics.csv`, and `{"stop": True}` ends the run. Its further arguments are
    options, `on_generation.options.NAME=VALUE`.
figures: The format of a run's pictures: `png`, `pdf` or `svg`; with `none` it draws none. With `auto` they are PNG
    files, and the runs of a sweep draw none. It changes no result.
workers: The number of threads of one run. Results do not depend on it.
force: Whether a finished run is repeated. Its files are overwritten.
debug: With `fast` every run takes seconds: few generations and few games. It is for tests, not for results.
""")
"""The settings outside groups; `seed` and `generations` are above."""
