"""`pigevo study NAME --figure N`: one figure of a publication, and nothing else."""


def test_a_figure_is_drawn_alone(record_of, tmp_path):
    (file,) = record_of("study exeter2017 --figure 4 --folder drawn")["files"]
    assert (tmp_path / file).read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in (tmp_path / "drawn").iterdir()] == ["figure_04_alone.png"]


def test_a_figure_may_have_fewer_seeds_than_a_study(record_of):
    (file,) = record_of("study bonnet2018 --figure 2 --seeds 1 --folder drawn")["files"]
    assert file.endswith("figure_02_alone.png")


def test_a_study_without_a_publication_has_no_such_figures(refused):
    refused("study learning --figure loss", "learning draws no figure alone: leave --figure out")
