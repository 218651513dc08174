"""The words of the output and of the documentation: the one glossary, of which all others are a part."""

from __future__ import annotations

WORDS = {
    "referee": (
        "The exact win probability against the optimal strategy, which is shown beside everything. A run does not see"
        " it, unless its fitness is that."
    ),
    "optimal": (
        "The strategy that no other beats, the mean of both seats. It is computed, not evolved. No strategy wins "
        "more against it than it wins against itself: 0.5, unless a draw is worth other than a half."
    ),
    "exact": (
        "Computed by solving the equations of the game, with no sampling. `simulated` figures come from games with "
        "dice, and have an interval."
    ),
    "simulated": "Counted in games with dice, and so with an interval. `exact` figures need none.",
    "overall": "A win probability as the mean of both seats: moving first, and moving second.",
    "moving_first": "The win probability of the one who begins. In Pig it is above 0.5 for two equal players.",
    "second": "The win probability of the one who does not begin. `first` is that of the one who does.",
    "first": "The win probability of the one who begins. `second` is that of the one who does not.",
    "stalemate": (
        "The end of a game in which both players pass at unchanged scores; it counts for nobody. It needs a game that"
        " allows passing."
    ),
    "draw": "Equal scores at the end of a game of turns. `game.draw` says what they are worth.",
    "unfinished": (
        "A simulated game of so many turns that it was given up; it counts for nobody. The command says how many "
        "there were."
    ),
    "exploitability": (
        "What the best response wins against a strategy, less a half, in games in which a draw is worth a half. 0 "
        "means that nobody beats it."
    ),
    "best_response": "The strategy that does best against one given opponent. `pigevo respond` computes it.",
    "difference_from_optimal": (
        "What the optimum, moving first, wins more often than the strategy moving first against it. Where a draw is "
        "worth a half, it is twice what the strategy lacks of one half (Neller & Presser 2010)."
    ),
    "rule": (
        "A strategy that a person can remember: a turn total to hold at, from both banked scores (its base), and when "
        "to roll to win (its race). It is typed as `rule: 21+(j-i)/8; race either>=71` wherever a strategy is asked "
        "for; `pigevo rules` explains one, and lists the best."
    ),
    "base": (
        "The part of a rule that says where to hold: 25, 21+(j-i)/8 with i the own score and j the other one's, "
        "max(25,j-i-10), max(17,18+(j-i)/8), multiple(25), marks(25,50,74), quarters(24,25,23,25), end, or one of two "
        "by a condition, as in 19 if ahead else 24; in a game of rounds also 18+(j-i)/turns."
    ),
    "turns": (
        "In a rule for a game of rounds: the turns that the player still has, this one included. `18+(j-i)/turns` "
        "shares out a deficit over them."
    ),
    "race": (
        "The part of a rule that says when to roll to win: a condition on own, opponent, either (the greater score), "
        "both (the smaller one), sum, lead, deficit, own+2*opponent or 2*own+opponent, as in `race either>=71`, or on "
        "what a hold leaves. Conditions are joined by and, or."
    ),
    "last": (
        "The part of a rule for a game of rounds that says where to hold in the own last turn, as in `20; last "
        "16+(j-i)`. Who makes the last turn of the game rolls until ahead, whatever the rule."
    ),
    "multiple": (
        "`multiple(25)` in a rule: roll until score and turn total together reach or pass the next multiple of 25."
    ),
    "marks": (
        "`marks(25,50,74)` in a rule: roll until score and turn total together reach or pass the next of these marks; "
        "after the last one, roll to win."
    ),
    "quarters": "`quarters(24,25,23,25)` in a rule: where to hold in each quarter of the way to the target.",
    "leaves": (
        "`leaves<=25` in a rule: the hold that is planned when the turn begins would leave 25 or fewer points to go."
    ),
    "ahead": "In a rule: to have the larger banked score. `behind` is to have the smaller; who is level is neither.",
    "front": (
        "Of rules: those than which no other is better that asks no more, by integers, by operations, or by both. "
        "`pigevo rules` lists them, and the study `rules` tells among which rules."
    ),
    "integers": "How many numbers a rule has, each where it stands: what a person must remember of it.",
    "operations": (
        "What a rule makes a person reckon at a turn: 1 for a comparison, 2 for an addition, a subtraction, a doubling "
        "or a step of a division (`pigevo.strategies.rules.rule`)."
    ),
    "gaps": (
        "Places at which a strategy rolls again above a turn total at which it holds. There the number at which it "
        "first holds does not tell what it does."
    ),
    "first_holds_at": "The smallest turn total at which a strategy holds. Where it has gaps it rolls again above it.",
    "interval": (
        "Where the true figure lies with 95 % confidence, as far as luck is concerned. It says nothing of what was "
        "not varied, and is too narrow where few seeds have missed what happens rarely. *Undetermined*: the seeds are "
        "too few to tell anything."
    ),
    "effect": (
        "A mean difference in standard deviations of the differences, seed by seed (Cohen's d_z). The larger it is, "
        "the fewer seeds settle it."
    ),
    "gene": (
        "What decides one cell of a strategy's array, or a whole cuboid of them: 0 holds, 1 rolls. A genome is all "
        "genes of a strategy."
    ),
    "genome": "All genes of a strategy, as zeros and ones. Evolution changes it, and never the strategy itself.",
    "cuboid": (
        "A block of neighbouring cells of a strategy's array that share one gene. `cubes.sizes` says how large."
    ),
    "cell": (
        "One state of the game: own score, opponent's score, turn total. A strategy says for each whether to roll."
    ),
    "asked": (
        "Of a cell: that play can come to it and has a choice there. Cells in which the game is won are not asked."
    ),
    "turn_total": "The points at risk in this turn. Holding banks them, and a throw that ends the turn loses them.",
    "match": "A number of simulated games between two strategies, seats alternating. `fitness.games` says how many.",
    "checkpoint": (
        "What a run that was stopped goes on from, to the same result to the bit. `checkpoint_every` says how often "
        "one is written."
    ),
    "hall_of_fame": (
        "The best strategies of all recorded generations, as the referee saw them. A run's digest holds them."
    ),
    "custom": (
        "A function of your own as the operator of a group: `crossover=ops.py:mine`. "
        "`pigevo check ops.py:mine` tries the laws that it must keep."
    ),
    "strategy": (
        "A decision, to roll or to hold, for every state of the game. It is an array of own score, opponent's score "
        "and turn total."
    ),
    "population": "The strategies of one generation, each as a genome. `population.size` says how many.",
    "generation": (
        "One round of evolution: strategies are compared, survivors have children, and these are the next population."
    ),
    "fitness": (
        "What decides which strategy is better: simulated matches, or exact win probabilities. It is all that "
        "evolution sees of the game."
    ),
    "champion": (
        "The strategy that the run hands over: the best of its last generation by its own fitness. Its figures are "
        "exact win probabilities against the optimum; the referee had no part in choosing it."
    ),
    "wave": (
        "A stretch of generations with cuboids of one size. At its end each gene is copied into its smaller cuboids, "
        "which the next wave can change one by one."
    ),
    "cube_grid": (
        "The division of a strategy's array into cuboids of one size, each of which is one gene. `cubes` chooses it."
    ),
    "operator": (
        "A function that evolution is made of: a population, fitness, selection, crossover, mutator or replacement. It"
        " takes data and a context, and returns data."
    ),
    "baseline": (
        "What a run is compared with: random strategies, and random search with as many strategies and the same "
        "matches. What the run has above it is what evolution added."
    ),
    "archive": (
        "Past champions of a run, which its strategies meet in place of each other. Their ages grow geometrically, so "
        "that early ones are not forgotten."
    ),
    "orbit": (
        "In a game for three: the three states that lead to each other while nobody scores, of points still needed by "
        "mover, next and third. Everything after a hold is known when an orbit is solved."
    ),
    "equilibrium": (
        "Strategies of which none gains by being changed alone. With two players the optimum against itself is one."
    ),
    "certificate": (
        "The largest gain that one player has by leaving an equilibrium, at any state, computed by other code than "
        "the solver's. Below 1e-12 it is rounding."
    ),
    "instance": (
        "A task of the benchmark: Pig with a target and a die, a cube grid, how many games a match has or that answers "
        "are exact, and whether the optimal strategy may be met. t20-d3-c2-g100-oracle is one."
    ),
    "oracle": (
        "An opponent that tells how good a strategy is by itself: the optimal strategy, where an instance of the "
        "benchmark lets it be met. Without one, strategies know only each other."
    ),
    "anytime": (
        "Judged all along, and not at the end alone: what a champion is worth for what has been spent until then. The "
        "benchmark's referee looks at amounts that grow geometrically."
    ),
    "ert": (
        "The expected running time to a target: all that the trials of an algorithm spent until they hit the target or "
        "ended, for each that hit it."
    ),
    "ecdf": (
        "An empirical cumulative distribution: the share of all pairs of a target and an instance that an algorithm "
        "has hit, over the share of its budget that it has spent."
    ),
    "reach": "How often play comes to each state, as an expected number of visits in one game.",
    "seat": "Who moves first. Figures are `first`, `second`, or `overall`, the mean of both.",
    "run": "One evolution with one seed, and the folder that holds what it left.",
    "sweep": "Many runs: every combination of the values of some settings, and a folder that remembers them.",
    "study": "A publication done again, in a folder of `experiments/`: its figures beside ours, with intervals.",
    "co_evolution": (
        "Evolution in which strategies are judged by their results against each other, and not by any fixed measure. "
        "Here the truth is known beside it, so that claims about it can be decided: `pigevo study coevolution`."
    ),
    "transitive": (
        "Of winning: whoever beats one who beats a third beats that one, too. Then strategies have an order, and it "
        "does not matter whom one meets."
    ),
    "cyclic_triple": (
        "Three strategies of which the first beats the second, the second the third, and the third the first, each in "
        "more than half of the games. Their share of all triples tells how far winning is from being transitive."
    ),
    "nash_mixture": (
        "Weights of some strategies such that none of these wins more than half against a player who draws one of them "
        "by its weight before each game."
    ),
    "disengagement": (
        "In co-evolution: one side is so much stronger that its opponents tell nothing any more of who of the other "
        "side is better."
    ),
    "generalisation": (
        "The mean result of a strategy against all strategies of a game. It is another thing than not being beaten."
    ),
    "stream": (
        "Random numbers of one purpose, such as mutation. Each is a function of seed, stream, generation and pair, so "
        "that no result depends on the number of threads."
    ),
}
"""Each word with its sentences."""
