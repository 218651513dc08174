"""The tutorial, executed as a notebook is, in an empty folder: no cell fails, and its text tells what its cells print."""

import re
from pathlib import Path

import pytest

import pigevo
from pigevo.compiled.cache import cache_folder

nbformat = pytest.importorskip("nbformat", reason="nbclient is in the extra `test`")
nbclient = pytest.importorskip("nbclient", reason="nbclient is in the extra `test`")
pytest.importorskip("ipykernel", reason="ipykernel is in the extra `test`")
pytest.importorskip("pyspiel", reason="open_spiel is not here; it has no wheel for every machine")

ROOT = Path(__file__).parents[2]
TUTORIAL = ROOT / "docs" / "tutorial.ipynb"
PICTURED = {"hold_20", "best.strategy", "run", "run.champion", "small.champion"}
TABLES = {"sweep", "match", "pigevo.win_probability(hold_20, best.strategy)", "pigevo.win_probability(mine, hold_20)"}


def read():
    return nbformat.read(TUTORIAL, as_version=4)


def without_evolution():
    """The notebook without its sections from the first run to the last."""
    notebook = read()
    first = [cell.source.splitlines()[0] for cell in notebook.cells]
    begin, end = first.index("## Evolution"), first.index("## Other people's tools")
    notebook.cells[begin:end] = []
    return notebook


@pytest.fixture(scope="module", params=[without_evolution, pytest.param(read, marks=pytest.mark.slow)])
def executed(request, tmp_path_factory):
    """The notebook after a run of its kernel; a failing cell fails here, with its traceback."""
    place = tmp_path_factory.mktemp("notebook")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("XDG_CACHE_HOME", str(place / "cache"))
        for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR"):
            patch.setenv(name, str(place / name))
        patch.delenv("DISPLAY", raising=False)
        if kernels := cache_folder():
            patch.setenv("NUMBA_CACHE_DIR", str(kernels.parent))  # the kernels need not be compiled again
        notebook, work = request.param(), place / "work"
        work.mkdir()
        where = {"metadata": {"path": str(work)}}
        nbclient.NotebookClient(notebook, kernel_name="python3", timeout=600, resources=where).execute()
    return notebook, work


def figures_and_output(notebook):
    """For each text, its figures in bold, and what the cells before and after it print."""
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            near = [c for c in notebook.cells[max(0, number - 1) : number + 2] if c.cell_type == "code"]
            yield re.findall(r"\*\*([\d.,]+)\*\*", cell.source), "\n".join(map(printed, near))


def printed(cell):
    """What a cell shows, as text; pictures aside."""
    output = [o.text if o.output_type == "stream" else o.data.get("text/html", "") for o in cell.outputs]
    return re.sub(r'&nbsp;|src="[^"]*"|<[^>]*>', " ", "\n".join(output))


def test_every_figure_of_the_text_is_printed_by_a_cell_beside_it(executed):
    pairs = list(figures_and_output(executed[0]))
    assert sum(len(figures) for figures, _ in pairs) >= 7
    for figures, output in pairs:
        for figure in figures:
            assert re.search(rf"(?<![\d.]){re.escape(figure)}", output), f"{figure} is not in: {output}"


def test_every_decimal_figure_of_the_text_is_one_that_is_checked():
    for cell in read().cells:
        if cell.cell_type == "markdown":
            plain = re.sub(r"\*\*[\d.,]+\*\*|`[^`]*`", "", cell.source)
            assert re.findall(r"\d+\.\d+", plain) == []


def test_records_show_themselves_with_their_pictures(executed):
    last = {cell.source.splitlines()[-1]: cell for cell in executed[0].cells if cell.cell_type == "code"}
    assert {name for cell in read().cells for name in cell.source.splitlines()} >= PICTURED | TABLES
    shows_itself = last.keys() & (PICTURED | TABLES)
    assert len(shows_itself) >= 5
    for line in shows_itself:
        (output,) = [o.data for o in last[line].outputs if o.output_type == "execute_result"]
        assert set(output) == {"text/html", "text/plain", *(["image/png"] if line in PICTURED else [])}
        assert " object at 0x" not in output["text/plain"]


def test_nothing_is_printed_that_it_does_not_mean_to(executed):
    for cell in executed[0].cells:
        if cell.cell_type == "code":
            assert [o for o in cell.outputs if o.output_type == "stream" and o.name == "stderr"] == []


def test_it_leaves_nothing_but_its_outputs(executed):
    sweeps = any("pigevo.sweep(" in cell.source for cell in executed[0].cells)
    assert [path.name for path in executed[1].iterdir()] == ["outputs"] * sweeps


def test_openspiel_and_pigevo_agree(executed):
    cell = executed[0].cells[-2]
    theirs, ours = (float(figure) for figure in re.findall(r"(0\.\d+)", printed(cell)))
    assert theirs == pytest.approx(ours, abs=1e-6)
    tiny = pigevo.hold_at(pigevo.Pig(target=4), 3)
    assert ours == 2 * pigevo.win_probability(tiny, tiny).first - 1


def test_it_is_kept_without_what_it_prints():
    notebook = read()
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert cell.metadata == {}
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
