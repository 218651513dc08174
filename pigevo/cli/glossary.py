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
referee: The exact win probability against the optimal strategy, which is shown beside everything. A run does not see
    it, unless its fitness is exact.
optimal: The strategy that no other beats, the mean of both seats. It is computed, not evolved. No strategy wins more
    against it than it wins against itself: 0.5, unless a draw is worth other than a half.
exact: Computed by solving the equations of the game, with no sampling. `simulated` figures come from games with dice,
    and have an interval.
simulated: Counted in games with dice, and so with an interval. `exact` figures need none.
overall: A win probability as the mean of both seats: moving first, and moving second.
moving_first: The win probability of the one who begins. In Pig it is above 0.5 for two equal players.
second: The win probability of the one who does not begin. `first` is that of the one who does.
first: The win probability of the one who begins. `second` is that of the one who does not.
stalemate: The end of a game in which both players pass at unchanged scores; it counts for nobody. It needs a game
    that allows passing.
draw: Equal scores at the end of a game of turns. `game.draw` says what they are worth.
unfinished: A simulated game of so many turns that it was given up; it counts for nobody. The command says how many
    there were.
exploitability: What the best response wins against a strategy beyond a half, in games in which a draw is worth a half.
    0 means that nobody beats it.
best_response: The strategy that does best against one given opponent. `pigevo respond` computes it.
difference_from_optimal: What the optimum, moving first, wins more often than the strategy moving first against it.
    Where a draw is worth a half, it is twice what the strategy wins less than one half (Neller & Presser 2010).
rule: A strategy that a person can remember: a turn total to hold at, from both banked scores (its base), and when to
    roll to win (its race). It is typed as `rule: 21+(j-i)/8; race either>=71` wherever a strategy is asked for;
    `pigevo rules` explains one, and lists the best.
noisy: `noisy:0.05,A` is the strategy A in the hands of a player who slips: wherever there is a choice, it is the other
    one with a chance of 0.05.
mix: `mix:0.5,A,B` is a strategy that draws at each decision whether A or B decides. It is mixed by decision, not by
    game: its chance of rolling is the weighted mean of both.
mirror: `mirror:A` is the strategy A with the scores exchanged: it takes the opponent's score for its own, and its own
    for the opponent's.
base: The part of a rule that says where to hold: 25, 21+(j-i)/8 with i the own score and j the other one's,
    max(25,j-i-10), max(17,18+(j-i)/8), multiple(25), marks(25,50,74), quarters(24,25,23,25), end, or one of two by a
    condition, as in 19 if ahead else 24; in a game of rounds also 18+(j-i)/turns.
turns: In a rule for a game of rounds: the turns that the player still has, this one included. `18+(j-i)/turns` shares
    out a deficit over them.
race: The part of a rule that says when to roll to win: a condition on own, opponent, either (the greater score), both
    (the smaller one), sum, lead, deficit, own+2*opponent or 2*own+opponent, as in `race either>=71`, or on what a
    hold leaves. Conditions are joined by and, or.
last: The part of a rule for a game of rounds that says where to hold in the own last turn, as in `20; last 16+(j-i)`.
    Who makes the last turn of the game rolls until ahead, whatever the rule.
multiple: `multiple(25)` in a rule: roll until score and turn total together reach or pass the next multiple of 25.
marks: `marks(25,50,74)` in a rule: roll until score and turn total together reach or pass the next of these marks;
    after the last one, roll to win.
quarters: `quarters(24,25,23,25)` in a rule: where to hold in each quarter of the way to the target.
leaves: `leaves<=25` in a rule: the hold that is planned when the turn begins would leave 25 or fewer points to go.
ahead: In a rule: to have the larger banked score. `behind` is to have the smaller; who is level is neither.
front: Of rules: those than which no other is better that asks no more, by integers, by operations, or by both.
    `pigevo rules` lists them, and the study `rules` tells among which rules.
integers: How many numbers a rule has, each where it stands: what a person must remember of it.
operations: What a rule makes a person reckon at a turn: 1 for a comparison, 2 for an addition, a subtraction, a
    doubling or a step of a division (`pigevo.strategies.rules.rule`).
gaps: Places at which a strategy rolls again above a turn total at which it holds. There the number at which it first
    holds does not tell what it does.
first_holds_at: The smallest turn total at which a strategy holds. Where it has gaps it rolls again above it.
interval: Where the true figure lies with 95 % confidence, as far as luck is concerned. It says nothing of what was
    not varied, and is too narrow where few seeds have missed what happens rarely. *Undetermined*: the seeds are too
    few to tell anything.
effect: A mean difference in standard deviations of the differences, seed by seed (Cohen's d_z). The larger it is, the
    fewer seeds settle it.
gene: What decides one cell of a strategy's array, or a whole cuboid of them: 0 holds, 1 rolls. A genome is all genes
    of a strategy.
genome: All genes of a strategy, as zeros and ones. Evolution changes it, and never the strategy itself.
cuboid: A block of neighbouring cells of a strategy's array that share one gene. `cubes.sizes` says how large.
cell: One state of the game: own score, opponent's score, turn total. A strategy says for each whether to roll.
decision_state: A state in which play consults the strategy: the game is not yet won and the rules leave a choice.
turn_total: The points at risk in this turn. Holding banks them, and a throw that ends the turn loses them.
match: A number of simulated games between two strategies, seats alternating. `fitness.games` says how many.
checkpoint: What a run that was stopped goes on from, to the same result to the bit. `checkpoint_every` says how often
    one is written.
hall_of_fame: The best strategies of all recorded generations, as the referee saw them. A run's digest holds them.
custom: A function of your own as the operator, game or stop rule: `crossover=ops.py:mine`. `pigevo check ops.py:mine`
    tries the laws that an operator or a stop rule must keep.
strategy: A decision, to roll or to hold, for every state of the game. It is an array of own score, opponent's score
    and turn total.
population: The strategies of one generation, each as a genome. `population.size` says how many.
generation: One round of evolution: strategies are compared, survivors have children, and these are the next
    population.
fitness: What decides which strategy is better: simulated matches, or exact win probabilities. It is all that
    evolution sees of the game.
champion: The strategy that the run hands over: the best of its last generation by its own fitness. Its figures are
    exact win probabilities against the optimum; the referee had no part in choosing it.
wave: A stretch of generations with cuboids of one size. At its end each gene is copied into its smaller cuboids,
    which the next wave can change one by one.
cube_grid: The division of a strategy's array into cuboids of one size, each of which is one gene. `cubes` chooses it.
operator: A function that evolution is made of: a population, fitness, selection, crossover, mutator or replacement.
    It takes data and a context, and returns data.
baseline: What a run is compared with: random strategies, and random search with as many strategies and the same
    matches. What the run has above it is what evolution added.
archive: Past champions of a run, which its strategies meet in place of each other. Their ages grow geometrically, so
    that early ones are not forgotten.
map_of_elites: The best strategy of each way of playing: the plane of two behaviours is divided into cells, and each
    has the best strategy that was found for it. `RUN@X,Y` is that of a cell.
orbit: In a game for three: the three states that lead to each other while nobody scores, of points still needed by
    mover, next and third. Everything after a hold is known when an orbit is solved.
equilibrium: Strategies of which none gains by being changed alone. With two players the optimum against itself is
    one.
certificate: The largest gain that one player has by leaving an equilibrium, at any state, computed by other code than
    the solver's. Below 1e-12 it is rounding.
instance: A task of the benchmark: Pig with a target and a die, a cube grid, how many games a match has or that
    answers are exact, and whether the optimal strategy may be met. t20-d3-c2-g100-oracle is one.
oracle: An opponent that tells how good a strategy is by itself: the optimal strategy, where an instance of the
    benchmark lets it be met. Without one, strategies know only each other.
anytime: Judged all along, and not at the end alone: what a champion is worth for what has been spent until then. The
    benchmark's referee looks at amounts that grow geometrically.
ert: The expected running time to a target: all that the trials of an algorithm spent until they hit the target or
    ended, for each that hit it.
ecdf: An empirical cumulative distribution: the share of all pairs of a target and an instance that an algorithm has
    hit, over the share of its budget that it has spent.
reach: How often play comes to each state, as an expected number of visits in one game.
seat: Who moves first. Figures are `first`, `second`, or `overall`, the mean of both.
run: One evolution with one seed, and the folder that holds what it left.
sweep: Many runs: every combination of the values of some settings, and a folder that remembers them.
study: A publication done again, in a folder of `experiments/`: its figures beside ours, with intervals.
co_evolution: Evolution in which strategies are judged by their results against each other, and not by any fixed
    measure. Here the truth is known beside it, so that claims about it can be decided: `pigevo study coevolution`.
transitive: Of winning: whoever beats one who beats a third beats that one, too. Then strategies have an order, and it
    does not matter whom one meets.
cyclic_triple: Three strategies of which the first beats the second, the second the third, and the third the first,
    each in more than half of the games. Their share of all triples tells how far winning is from being transitive.
nash_mixture: Weights of some strategies such that none of these wins more than half against a player who draws one of
    them by its weight before each game.
disengagement: In co-evolution: one side is so much stronger that its opponents tell nothing any more of who of the
    other side is better.
generalisation: The mean result of a strategy against all strategies of a game. It is another thing than not being
    beaten.
stream: Random numbers of one purpose, such as mutation. Each is a function of seed, stream, generation and pair, so
    that no result depends on the number of threads.
""")
"""The words of the output and of the documentation."""

METRICS = _entries("""\
generation: The number of the population, from 0, which is the one that the run begins with. A row is recorded for
    generation 0, for every `record_every`-th, and for the last one of each wave.
wave: The number of the wave, from 1: a stretch of generations with cuboids of one size. Without waves it is 1.
cube_size: The edges of the cuboids of which each is one gene: 20, or 20x10x5 along own score, opponent's score and
    turn total. It is 1 where every cell is a gene.
evaluations: How many strategies the run's fitness has evaluated until here. Each newly made one counts once.
games: How many games were simulated until here, for the run's own fitness. It stays 0 where fitness is exact.
best: The largest exact win probability against the optimum in this population, the mean of both seats. The run itself
    does not see it, unless its fitness is exact.
mean: The average exact win probability of this population against the optimum. No strategy can have more than
    `optimum_overall`.
worst: The smallest exact win probability against the optimum in this population. It is the referee's view, as `best`
    is.
diversity: The share of genes in which two members differ, on average over all pairs. 0 means that all are copies, and
    random genomes differ in about 0.5.
seconds: How long the run has taken until here, added up over interruptions. No digest depends on it.
entropy: The mean entropy of a gene in this population, in bits. 1 means that half of the members have each gene, and 0
    that all are copies.
behaviour: The share of decisions in which two members differ, on average over all pairs, where each state counts by
    how often the optimum, playing itself, decides there. It is recorded with the setting `behaviour=true`.
measured: The champion's score by the run's own fitness, where that plays games. Who is best of many by a sample was
    lucky too, so it is too high on average.
measured_low: The lower end of the 95 % interval of `measured`, from the games behind it. It does not know that these
    games chose the champion.
measured_high: The upper end of the 95 % interval of `measured`, from the games behind it. It does not know that these
    games chose the champion.
measured_games: How many simulated games are behind `measured`. They are the champion's own.
luck: The champion's score less the same score without luck: exact win probabilities against the same opponents in the
    place of games. The run never sees it.
elites_luck: The mean of `luck` over the best tenth of the population by the run's own fitness, ten members at most.
    The champion is one of them.
gain_selection: The mean of the parents of this population's members, against the optimum, less that of the population
    before. It is recorded with `lineage=true`; the four gains add up to the change of the mean in one generation.
gain_crossover: What crossover brought to the mean of this population: children before mutation less the means of their
    parents. It is recorded with `lineage=true`.
gain_mutation: What mutation brought to the mean of this population: children less the same ones before mutation. It is
    recorded with `lineage=true`.
gain_arrivals: What members from nowhere, such as immigrants, brought to the mean of this population. It is recorded
    with `lineage=true`.
coverage: Of a run with a map of elites (`selection=map_elites`): the share of its cells that have an elite. Some cells
    nobody can reach.
qd_score: Of a run with a map of elites: the sum of the exact win probabilities of all elites against the optimum. It
    grows when a cell is reached and when its elite becomes better.
digest: A SHA-256 of the population, the counts and what operators remember. Two runs with the same one were the same
    until here, on any machine.
""")
"""The columns of `metrics.csv`."""

RESULTS = _entries("""\
hash: The SHA-256 of everything else that the file says. Where it does not fit, the file was changed.
format: The version of the file's layout. A later pigevo reads it, an earlier one refuses it.
champion:
optimum: What the optimal strategy wins against itself when it moves first. In Pig that is an advantage; where the
    last word is worth more, it is below 0.5.
optimum_overall: What the optimal strategy wins against itself, the mean of both seats. No strategy wins more against
    it: 0.5, unless a draw is worth other than a half (`game.draw`).
peak_mean: The largest mean of a recorded population against the optimum, exactly. The run may have lost some of it
    since.
peak_generation: The generation in which the population had its largest mean. It is one of the recorded ones.
last_mean: The mean of the last population against the optimum, exactly. The difference from `peak_mean` was lost.
best_seen: The largest exact win probability of any member that was recorded. The run could not know that it had it,
    unless its fitness is exact.
generations: The number of generations of the run, generation 0 not counted. As a setting it is the planned number,
    where there are no waves.
planned: How many generations were asked for. A stop rule or a function of the user's may have ended the run before.
baseline: The run beside random strategies and random search with the same budget. It is empty where the setting
    `baseline` is `none`.
versions: The versions of pigevo, Python and all packages that made the result. `begun_with` are those at its
    beginning.
phases: What of the run's `seconds` its parts took: `play`, `select`, `vary` and `referee`. The rest is bookkeeping.
play: The seconds in which strategies were evaluated by the run's own fitness. It is one of the `phases`.
select: The seconds in which survivors were selected. It is one of the `phases`.
vary: The seconds in which children were made: crossover, mutation, replacement. It is one of the `phases`.
checkout: The `commit` of pigevo's repository that made the result, and whether it was `changed` there. It is empty
    where pigevo was installed and does not run from a checkout.
commit: The commit of pigevo's repository. A result of a changed checkout is not that commit's.
changed: Whether `pigevo/` or `conf/` differed from the commit when the run ended. Only a result of a checkout says so.
begun_with: The versions of pigevo, Python and all packages when the run began. Those of its end are in `versions`.
champion_member: The number of the champion in the last population, from 0. Its genes are those of that row.
config_hash: The hash of all settings that can change a result. The same one finds the same folder.
champion_games: Of the `games` of a finished run, those that named the champion. In them all members of the last
    generation meet, or the best 500 of a larger one where selection asks for fewer matches; the champions that are
    recorded in between cost further games, which are counted nowhere.
config: All settings of the run, composed. `pigevo --cfg job` shows them before a run.
files: The SHA-256 of each file of the finished run. Reading a file that was changed gives a warning.
populations: How many random populations the run is compared with. They are the same ones for every run.
members: How many random strategies there are in all random populations together. The champion is placed among them.
own_mean: What random populations of the run's first genome win on average against the optimum. `own_interval` is the
    95 % interval of that mean.
own_interval: The 95 % interval of `own_mean`. It is that of the mean over random populations.
own_best: The best random strategy of the run's first genome, by the referee. It is the best of all `members`.
cells_mean: What random populations win on average if every cell is a gene of its own. `cells_interval` is the 95 %
    interval of that mean.
cells_interval: The 95 % interval of `cells_mean`. It is that of the mean over random populations.
cells_best: The best random strategy whose every cell is a gene of its own, by the referee. It is the best of as many
    as there are in all populations.
peak_among_means: How many random populations are as good on average as this one at its best. `reached` of `sample`
    are.
champion_among_members: How many random strategies are as good as the champion, by the size of the cubes. `reached` of
    `sample` are.
random_search: Random search: as many random strategies as the run evaluated, the best chosen by the run's own
    matches. What it finds tells what evolution added.
cache: The files in which random samples are kept, so that they need not be made again. `pigevo cache` tells where.
recorded: How many populations the run recorded. Its peak is the best of as many, so it stands beside the best of as
    many random ones.
best_of_recorded_bound: A bound of the chance that the best of as many random populations as the run recorded is as
    good as its peak. It holds with 95 % confidence.
value: The figure of the run that stands among random ones. `reached` tells how many of them are as large.
sample: How many random figures there are. `reached` of them are as large as the run's.
reached: How many random figures are at least as large as the run's. `sample` tells of how many.
largest: The largest of the random figures. Where the run's is above it, `reached` is 0.
cubes: The size of the cubes that random search used. As a setting it is how the array of a strategy is divided into
    genes.
by_matches: What the strategy wins against the optimum that random search chose by the run's own matches. Matches are
    a matter of luck, so it is not the best one.
by_referee: What the best random strategy wins against the optimum, chosen by that very figure. Nobody without an
    exact referee could have chosen it.
strategies: How many random strategies random search tried. `pigevo strategies` lists those that have names.
""")
"""The figures of `result.json`, including nested ones."""

TABLES = _entries("""\
run: The name of the run's folder. It is made of the settings and their hash.
setting: What tells a run from the others of its sweep, without the seed. Runs of one setting differ in their luck
    only.
seed: The number that decides all random numbers of a run. The same settings and seed give the same run, to the bit.
metric: Which figure a row of the long table holds: a column of `metrics.csv`, or a figure of the finished run.
    `value` holds the number.
random_populations_mean: What random populations of the run's first genome win on average. It stands at the last
    generation of the run.
random_populations_best: The best random strategy of the run's first genome, by the referee. It stands at the last
    generation of the run.
""")
"""The columns of a sweep's tables that are not in `metrics.csv` or `result.json`."""

GROUPS = _entries("""\
game: The rules that are played: what a throw brings, what ends a turn and what that costs, and how the game ends.
population: What a run begins with: the first strategies.
selection: Who meets whom, and which strategies survive a generation to have children.
fitness:
crossover: How two parents become one child, gene by gene.
mutator: How genes change by chance after crossover.
replacement: Who stays, or comes from elsewhere, beside the children in the next generation.
cubes: How the array of a strategy is divided into genes: single cells, or cuboids that shrink wave by wave.
islands: How the population is divided into islands, which evolve by themselves, and who moves from one to another.
stop: What ends a run before it is as long as planned. No rule looks at the clock, or at the referee.
baseline:
experiment: Settings that belong together, under one name.
sweep: A ready sweep: the values of several settings, of which every combination is run.
strategy:
launcher: Where the runs of a sweep are done: `hydra/launcher=NAME`.
""")
"""The meaning of each group of choices."""

SETTINGS = _entries("""\
experiment: The settings that a run begins with, by name; every one of them can be changed. `pigevo --help` lists the
    experiments.
mutation: The probability that a gene flips. Mutators that have their own measure of change do not use it, and then it
    is no setting.
record_every: How many generations lie between two rows of `metrics.csv`. The champions of the same ones are recorded,
    or of every second or fourth of them and so on. It changes what is recorded, and with it the run's identity.
checkpoint_every: How many generations lie between two checkpoints, from which a run that was stopped goes on. It
    changes no result.
lineage: Whether it is recorded whom members come from, and what each operator brought: see `pigevo lineage`. The
    referee takes up to three times as long then. It changes no result, and is part of the run's identity.
behaviour: Whether the diversity by behaviour is recorded, a column of `metrics.csv`. It changes no result, and is part
    of the run's identity.
on_generation: A function of your own that is called with each generation, `on_generation=watch.py:every`. Numbers that
    it returns by name are columns of `metrics.csv`, and `{"stop": True}` ends the run. Its further arguments are
    options, `on_generation.options.NAME=VALUE`.
figures: The format of a run's pictures: `png`, `pdf` or `svg`; with `none` it draws none. With `auto` they are PNG
    files, and the runs of a sweep draw none. It changes no result.
workers: How many threads one run uses. No result depends on it.
force: Whether a run that has finished is done again. It writes over what the run left.
debug: With `fast` every run takes seconds: few generations and few games. It is for trying, not for results.
""")
"""The settings outside groups; `seed` and `generations` are above."""
