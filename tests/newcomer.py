"""Operators as a newcomer writes them: a plain function, or a class, of each kind."""

from dataclasses import dataclass

import numpy as np

import pigevo


def random_half(size, context, share: float = 0.5):
    return (context.draw.uniforms(size * context.grid.genes) < share).astype(np.uint8).reshape(size, -1)


def rolls(tables, context):
    return tables.mean(axis=(1, 2, 3))


def best_half(scores, context):
    return np.argsort(-scores, kind="stable")[: len(scores) // 2]


def first_parent(first, second, context):
    return first


def nothing(genomes, context):
    return genomes


def one_stays(survivors, context):
    return survivors[:1]


@dataclass(frozen=True)
class Champions(pigevo.Fitness):
    """Who wins against the best of the generation before; it is remembered."""

    first: str = "hold_at:3"

    def remember(self, genomes, context):
        return {"best": genomes[[np.argmax(context.scores)]]}

    def __call__(self, tables, context):
        if "best" in context.state:
            other = context.grid.strategy(context.state["best"][0])
        else:
            other = pigevo.parse_strategy(self.first, context.game)
        mine = [pigevo.Strategy(context.game, table) for table in tables]
        return np.array([pigevo.win_probability(strategy, other).overall for strategy in mine])


class Matches(pigevo.Fitness):
    """Members meet, in the pairs that the selection chooses."""

    @property
    def plays(self):
        return pigevo.Plays(members=True)

    def __call__(self, tables, context):
        players = [pigevo.Strategy(context.game, table) for table in tables]
        won = [pigevo.win_probability(players[a], players[b]).overall for a, b in context.pairs]
        return np.stack([won, 1 - np.array(won)], axis=1)


@dataclass(frozen=True)
class Neighbours(pigevo.Selection):
    """Everyone meets the next few, and the better half survives."""

    reach: int = 1

    def pairs(self, size, context):
        members = np.arange(size)
        return np.concatenate([np.stack([members, (members + n) % size], axis=1) for n in range(1, self.reach + 1)])

    def __call__(self, scores, context):
        return np.argsort(-scores, kind="stable")[: len(scores) // 2]


class Counting(pigevo.Mutation):
    """Flips one gene more in every generation, which it has counted itself."""

    def remember(self, genomes, context):
        return {"count": context.state.get("count", np.zeros(1, np.int64)) + 1}

    def __call__(self, genomes, context):
        changed = genomes.copy()
        changed[:, : int(context.state["count"][0]) if context.state else 0] ^= 1
        return changed


PLAIN = {"population": random_half, "fitness": rolls, "selection": best_half, "crossover": first_parent,
         "mutator": nothing, "replacement": one_stays}  # fmt: skip
CLASSES = {"fitness": Champions, "selection": Neighbours, "mutator": Counting}
