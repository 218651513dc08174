"""Operators of a user's, handed over from Python: what they may be, and that they cannot spoil a run."""

import json
import re
from dataclasses import make_dataclass, replace
from types import MappingProxyType

import numpy as np
import pytest
from deap import tools

import pigevo
from pigevo.cli import main
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.operators import Outcome, as_operator
from pigevo.evolution.outcome_names import RESULT_FIELDS
from pigevo.evolution.selection.map_elites import MapElites
from pigevo.evolution.toolbox import REMEMBERING, make_toolbox
from pigevo.runs.result import write_result
from pigevo.storage.array_files import write_arrays
from pigevo.strategies import EliteMap, load_elite_map
from tests.evolution.helpers import remembering, run_to_the_end, states_of

HERE = r"\S*test_own_operators\.py, line \d+"


class TestInstances:
    """Operators that Python hands over ready made."""

    def test_keep_their_methods(self, make_plan):
        class Mine(pigevo.Selection):
            def pairs(self, size, context):
                return [(0, 1)]

            def remember(self, genomes, context):
                return {"seen": np.array([context.generation])}

            def __call__(self, scores, context):
                return [0, 1]

        for given in (Mine, Mine()):
            state = states_of(make_plan(selection=given))[1]
            assert state.games == 20
            assert state.memory["selection"]["seen"].tolist() == [0]

    def test_of_another_kind_are_refused(self, make_plan):
        class Mine(pigevo.Mutation):
            def __call__(self, first, second, context):
                return first

        for given in (Mine, Mine()):
            with pytest.raises(InputError, match="Mine cannot be a crossover: its class must inherit from Crossover"):
                make_plan(crossover=given)

    @pytest.mark.parametrize("name", ["pairs", "plays", "remember", "couples", "opponents", "outcome", "truth"])
    def test_that_say_more_than_a_function_can_must_inherit(self, make_plan, name):
        given = type("Mine", (), {name: lambda *_: None, "__call__": lambda self, scores, context: [0]})
        for one in (given, given()):
            with pytest.raises(InputError, match="Mine cannot be a selection: its class must inherit from Selection"):
                make_plan(selection=one)

    def test_that_can_be_called_are_enough(self, make_plan):
        class Mine:
            def __call__(self, scores, context):
                return [0, 1]

        for given in (Mine, Mine()):
            assert len(states_of(make_plan(selection=given))) == 7


class TestWhatIsShared:
    """Nothing that several operators are told can be changed by one of them."""

    @pytest.mark.parametrize("kind", ["selection", "crossover", "mutator", "replacement"])
    def test_scores_are_not_written_to(self, make_plan, kind):
        def mine(*data):
            data[-1].scores[...] = 0

        mine.__signature__ = signature_of(kind)
        with pytest.raises(InputError, match=rf"the {kind} .* failed: ValueError: .*read-only \({HERE}\)"):
            run_to_the_end(make_plan(**{kind: in_a_run(mine, kind)}))

    @pytest.mark.parametrize("kind", REMEMBERING)
    def test_neither_are_the_population_and_the_state_that_are_remembered(self, make_plan, kind):
        def population(self, genomes, context):
            genomes ^= 1
            return {}

        def state(self, genomes, context):
            if "seen" in context.state:
                context.state["seen"][0] = 5
            return {"seen": np.zeros(3)}

        for remember in (population, state):
            with pytest.raises(ValueError, match="read-only"):
                run_to_the_end(remembering(make_plan(), kind, remember))

    def test_a_replacement_that_changes_survivors_does_not_change_the_parents(self, make_plan):
        def spoiling(survivors, context):
            survivors ^= 1
            return survivors[:0]

        plan = make_plan()
        spoiled = replace(plan, replacement=as_operator("replacement", spoiling), own={"replacement": None})
        assert [s.digest for s in states_of(spoiled)] == [s.digest for s in states_of(plan)]


def signature_of(kind):
    from inspect import Parameter, Signature

    names = {"selection": ["scores"], "crossover": ["first", "second"]}.get(kind, ["genomes"])
    return Signature([Parameter(name, Parameter.POSITIONAL_ONLY) for name in (*names, "context")])


def in_a_run(function, kind):
    """The function from the second generation on, so that it is not told before the run."""

    def right(*data):
        return [0, 1] if kind == "selection" else data[0][:0] if kind == "replacement" else data[0]

    def mine(*data):
        return function(*data) if data[-1].generation else right(*data)

    mine.__signature__ = signature_of(kind)
    return mine


class TestUsersOfDeap:
    """Operators as DEAP's users write them: row by row, in place, on arrays of bytes."""

    def test_change_rows_in_place(self, make_plan):
        def crossover(first, second, context):
            for one, other in zip(first, second, strict=True):
                tools.cxUniform(one, other, 0.5)
            return first

        def mutator(genomes, context):
            for genome in genomes:
                (changed,) = tools.mutFlipBit(genome, context.rate)
                assert changed is genome
            return genomes

        states = states_of(make_plan(crossover=crossover, mutator=mutator, mutation=0.3))
        assert len({state.digest for state in states}) == 7
        assert {state.genomes.dtype for state in states} == {np.dtype(np.uint8)}

    def test_select_members_by_their_index(self, make_plan):
        def selection(scores, context):
            return tools.selBest([int(n) for n in scores.argsort()], 4, fit_attr="real")

        plan = make_plan(selection=selection)
        assert all(s.fresh == 8 for s in states_of(plan))

    def test_may_hand_the_toolbox_arrays_of_their_own(self, make_plan):
        plan = make_plan()
        toolbox = make_toolbox(plan, plan.waves[0].grid)
        rows = np.asfortranarray(Draw(1, "population").bits(5, plan.waves[0].grid.genes))
        children = toolbox.mate(rows, np.zeros(5), 8, 3)
        assert toolbox.mutate(children, np.zeros(5), 3).shape == (8, plan.waves[0].grid.genes)


class Margin(pigevo.Selection):
    """The better half survives; it tells how good both halves are."""

    outcome_name, outcome_columns = "margin", ("upper", "lower")
    changed = MappingProxyType({})

    def __call__(self, scores, context):
        return np.argsort(-scores, kind="stable")[: len(scores) // 2]

    def outcome(self, genomes, context, wins):
        values = wins(np.argsort(-context.scores, kind="stable"))
        upper, lower = (float(half.mean()) for half in np.array_split(values, 2))
        found = {"columns": {"upper": upper, "lower": lower}, "record": {"upper": upper}, "arrays": {"wins": values}}
        return Outcome(**{**found, **self.changed})


class TestOutcomes:
    """What a selection says of a population is in the record, and nowhere else."""

    WORDS = ("debug=fast", "game.target=12", "baseline=none", "figures=none", "fitness=exact_vs_optimal", "seed=3")

    def test_are_columns_a_field_and_a_file(self, tmp_path):
        run = pigevo.evolve(*self.WORDS, selection=Margin, folder=tmp_path / "run")
        upper, lower = run.metrics["upper"], run.metrics["lower"]
        assert (upper + lower) / 2 == pytest.approx(run.metrics["mean"])
        assert run.result["margin"] == {"upper": upper[-1]}
        with np.load(tmp_path / "run/archive.npz") as file:
            assert file["wins"].mean() == pytest.approx(run.metrics["mean"][-1])
            assert file["wins"].max() == run.result["champion"]["overall"]
        silent = type("Margin", (Margin,), {"outcome_name": "", "outcome_columns": ()})
        other = pigevo.evolve(*self.WORDS, selection=silent, folder=tmp_path / "other")
        assert other.result["digest"] == run.result["digest"]
        assert not (tmp_path / "other/archive.npz").exists()

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"columns": {"upper": 0.5}}, "numbers for the columns upper, lower"),
            ({"columns": {"upper": 0.5, "lower": "x"}}, "numbers for the columns upper, lower"),
            ({"columns": None}, "numbers for the columns upper, lower"),
            ({"columns": ["upper", "lower"]}, "numbers for the columns upper, lower"),
            ({"record": [1]}, "a record with entries by name"),
            ({"record": None}, "a record with entries by name"),
            ({"record": {"upper": np.zeros(2)}}, "a record that JSON can hold"),
            ({"arrays": {"wins": [1]}}, "arrays of numbers by name from `outcome`"),
        ],
    )
    def test_of_another_kind_are_refused(self, changed, said):
        with pytest.raises(InputError, match=rf"the selection .*Margin.* returned .*; it must return {said}"):
            pigevo.evolve(*self.WORDS, selection=type("Margin", (Margin,), {"changed": changed}))

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            *(
                ({"outcome_name": name}, r"which result\.json already has")
                for name in ("digest", "files", "hash", "format")
            ),
            *(({"outcome_name": name}, "it must be a name") for name in ("a b", "a/b", 3)),
            ({"outcome_name": "elites"}, "which belongs to pigevo's MapElites"),
            *(({"outcome_columns": columns}, "it must be a tuple") for columns in (3, "upper", ["upper"], ("a b",))),
            *(
                ({"outcome_columns": ("upper", name)}, r"which metrics\.csv already has")
                for name in ("best", "entropy", "luck", "gain_selection", "digest")
            ),
        ],
    )
    def test_cannot_take_names_that_are_taken(self, tmp_path, changed, said):
        with pytest.raises(InputError, match=rf"^the selection .*Margin.* has .*outcome_.*{said}"):
            pigevo.evolve(*self.WORDS, selection=type("Margin", (Margin,), changed), folder=tmp_path / "run")
        assert not list(tmp_path.iterdir())

    def test_cannot_be_returned_as_a_column_by_others(self):
        with pytest.raises(InputError, match="returned the column 'upper': choose another name"):
            pigevo.evolve(*self.WORDS, selection=Margin, on_generation=lambda generation: {"upper": 1})

    def test_may_be_those_of_a_class_of_pigevo_that_is_inherited(self):
        run = pigevo.evolve(*self.WORDS, "selection=map_elites", selection=type("Mine", (MapElites,), {}))
        assert run.elite_map.coverage == run.result["elites"]["coverage"]

    @pytest.mark.parametrize("words", [(), ("selection=map_elites", "lineage=true")])
    def test_have_names_beside_all_of_a_result(self, words, tmp_path):
        result = pigevo.evolve(*self.WORDS, *words, folder=tmp_path / "run").result
        assert set(result) - {"elites"} == set(RESULT_FIELDS)

    @pytest.mark.parametrize("name", ["columns", "record", "arrays"])
    def test_leave_other_names_to_options(self, name):
        def call(self, scores, context):
            return np.argsort(-scores)[: getattr(self, name)]

        given = make_dataclass("Mine", [(name, int, 4)], bases=(pigevo.Selection,), namespace={"__call__": call})
        run = pigevo.evolve(*self.WORDS, selection=given, on_generation=lambda generation: {"number": 1})
        assert set(run.metrics["number"]) == {1}

    def test_are_read_only_from_a_file_of_the_run_s_own(self, tmp_path):
        folder = tmp_path / "run"
        pigevo.evolve(*self.WORDS, folder=folder)
        (folder / "archive.npz").write_bytes(b"of somebody else")
        assert pigevo.load_run(folder).archive == {}
        assert main(["report", str(folder), "--figures", "svg"]) == 0
        assert main(["verify", str(folder)]) == 0

    @pytest.mark.parametrize(
        ("name", "changed", "said"),
        [
            ("pigevo_elites", lambda _: np.array('{"format": 99}'), r"later pigevo \(format 99\)"),
            ("places", lambda places: places + 99, "a cell lies outside the map"),
            ("wins", lambda wins: wins[:-1], "wins has the shape"),
            ("measures", lambda measures: measures.astype(np.float32), "measures holds float32"),
            ("bits", None, "it has no bits"),
        ],
    )
    def test_that_are_no_map_are_refused_as_one(self, name, changed, said, tmp_path, capsys):
        folder = tmp_path / "run"
        made = pigevo.evolve(*self.WORDS, "selection=map_elites", folder=folder)
        arrays = {**made.archive}
        array = arrays.pop(name)
        arrays |= {name: changed(array)} if changed else {}
        with pytest.raises(InputError, match=said):
            EliteMap.of(arrays)
        write_arrays(folder / "archive.npz", arrays)
        with pytest.raises(InputError, match=said):
            load_elite_map(folder / "archive.npz")
        capsys.readouterr()
        assert main(["verify", str(folder)]) != 0
        assert "archive.npz holds other arrays than the run" in capsys.readouterr().out
        record = json.loads((folder / "result.json").read_text())
        names = record.pop("files")
        write_result(folder, {key: record[key] for key in record if key not in ("format", "hash")}, names)
        with pytest.raises(InputError, match=said):
            assert pigevo.load_run(folder).elite_map
        assert main(["report", str(folder), "--figures", "svg"]) != 0
        assert re.search(said, capsys.readouterr().err)
