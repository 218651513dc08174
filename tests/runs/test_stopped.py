"""A run stopped anywhere, by anything, goes on to the same end."""

import signal

import pytest

import pigevo
from pigevo.runs import Interrupted, run
from pigevo.runs.checkpoint import load_checkpoint
from tests.cases import sample
from tests.runs.cases import ENDED, PROGRESS, RING, STAR, WAVES, left_after, untimed
from tests.small import small_settings, small_words

KINDS = {
    "waves": (*WAVES, "replacement=survivors_and_offspring"), "seldom": ("generations=9", "checkpoint_every=4", "record_every=3"),
    "ended": ENDED, "no progress": PROGRESS, "ring": RING,
    "rates": ("replacement=immigrants", "replacement.share=0.3", "mutator=inherited_rate"), "star": STAR,
    "roulette": ("selection=roulette", "fitness=exact_vs_optimal", "crossover=blocks"),
}  # fmt: skip


@pytest.mark.parametrize("kind", sample(KINDS, 0, 1, 2, 3, 4, 5))
def test_a_run_killed_after_any_generation_and_resumed_is_the_same(tmp_path, kind):
    """Its record of descent, too, which changes nothing in the run itself."""
    settings = small_settings(*KINDS[kind], "lineage=true")
    whole = run(settings, tmp_path / "whole")
    without = pigevo.evolve(*small_words(*KINDS[kind])).result
    assert whole["digest"] == without["digest"]
    assert whole["config_hash"] != without["config_hash"]
    for generation in range(whole["generations"]):
        folder = tmp_path / str(generation)
        left_after(generation, settings, folder)
        assert not (folder / "result.json").exists()
        again = run(settings, folder)
        assert again["digest"] == whole["digest"]
        assert again["champion"] == whole["champion"]
        assert untimed(folder) == untimed(tmp_path / "whole")
        for name in ("champions.csv", "lineage.csv"):
            assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_run_after_its_generation(tmp_path, number):
    def interrupt(generation):
        if generation.number == 3:
            signal.raise_signal(number)

    settings, before = small_settings(), signal.getsignal(number)
    with pytest.raises(Interrupted, match="stopped after generation 3; the same command goes on from there"):
        run(settings, tmp_path / "run", on_generation=interrupt)
    assert signal.getsignal(number) is before
    point, refused = load_checkpoint(tmp_path / "run", settings.hash)
    assert (point.state.generation, refused) == (3, [])
    assert run(settings, tmp_path / "run")["digest"] == run(settings, tmp_path / "whole")["digest"]
