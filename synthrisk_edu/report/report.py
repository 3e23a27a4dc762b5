"""What is the whole story? The notebook `report.ipynb`, run on your tables, as one page.

    confidential, synthetic = read_pair("confidential.csv", "synthetic.csv")
    risk_report(confidential, synthetic).save("page.html")

The cells are the package's own and are run by plain `exec`, in this process and in a namespace of
their own. The data never leave the machine.
"""

import ast
import datetime
import os
import tempfile
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from html import escape
from pathlib import Path

import pandas as pd

from synthrisk_edu import __version__, checks
from synthrisk_edu.pages import html_document
from synthrisk_edu.progress import track
from synthrisk_edu.report.roles import named_tables

NOTEBOOK = Path(__file__).with_name("report.ipynb")
STYLE = Path(__file__).with_name("page.css").read_text("utf-8")
ON_BINDER = "This page was made on Binder. Never upload confidential data there."
FROM_FRAMES = """\
# This report was made from data frames. Name your files here, then run the notebook.
"""


def risk_report(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame | Sequence[pd.DataFrame],
    *,
    known: Sequence[str] | None = None,
    synthesized: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
    control: pd.DataFrame | None = None,
    weights: str | None = None,
    fraction: float | None = None,
    radius: float | Mapping[str, float] | None = None,
    limits: Mapping[str, float] | None = None,
    records: int = 0,
    title: str = "Risk report",
    seed: int = 0,
    progress: bool = False,
) -> "Report":
    """Measure risk and utility of synthetic tables: run `report.ipynb` on them.

    Args:
        confidential: the true data.
        synthetic: one frame or a list of m frames. Rows pair if a column is equal in both row by
            row, or if you name the roles; else nothing is matched.
        known: columns the intruder knows and that were not synthesized; what is left out here and
            below is guessed, and the guess is said.
        synthesized: columns that were replaced.
        keys: columns an intruder looks people up with; by default the known ones.
        targets: columns an intruder wants to learn; by default the synthesized ones.
        control: records of people of the same kind who did not take part.
        weights: the column that says how many people of the population a record stands for.
        fraction: the share of the population that is in the confidential table, instead.
        radius: one number for all quantities, or a mapping; by default 10 %, and for synthesized
            ones the radius with the highest risk.
        limits: measure → the most it may be; see `.numbers` for the measures.
        records: so many records, those most at risk, are explained with their values.
        title: the headline.
        seed: large tables are sampled in places; equal seeds, equal samples.
        progress: whether to show how far it is.

    >>> true = pd.DataFrame({"Sex": list("FFMM"), "Job": ["cook", "nurse"] * 2})
    >>> report = risk_report(true, true.assign(Job="cook"))
    >>> report.numbers.set_index("measure").value["expected match risk, giving up"].iloc[0]
    np.float64(1.0)
    """
    import nbformat  # slow to import

    several = isinstance(synthetic, list | tuple)
    synthetics = checks.frames("synthetic", synthetic if several else [synthetic])
    tables = {"confidential": confidential, "synthetics": synthetics, "control": control}
    choices = {"known": known, "synthesized": synthesized, "keys": keys, "targets": targets}
    choices |= {"weights": weights, "fraction": fraction, "radius": radius, "limits": limits}
    choices |= {"records": checks.number("records", records, 0, whole=True)}
    choices |= {"title": str(title), "seed": checks.number("seed", seed, 0, whole=True)}
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    cells["choices"].source = _written(cells["choices"].source, choices)
    names = run_cells(notebook, tables | choices, skip=("files", "choices"), show=progress)
    cells["files"].source = _files_cell(cells["files"].source, **tables)
    return Report(notebook, names["notes"], title, limits)


def run_cells(notebook, names, skip=(), show=False):
    """Run the code cells in a namespace, and keep what each shows in its outputs.

    The value of a last line that is an expression is shown, as Jupyter does it. Returns the names.
    """
    from nbformat.v4 import new_output  # slow to import

    names = {"__name__": "report"} | names
    cells = [one for one in notebook.cells if one.cell_type == "code" and one.id not in skip]
    for cell in track(cells, "making the report", show):
        tree, names["_"] = ast.parse(cell.source), None
        if isinstance(last := tree.body[-1], ast.Expr):  # what Jupyter calls _
            kept = ast.Assign([ast.Name("_", ast.Store())], last.value)
            tree.body[-1] = ast.fix_missing_locations(ast.copy_location(kept, last))
        exec(compile(tree, f"<cell {cell.id} of the report>", "exec"), names)
        if names["_"] is not None:
            html = names["_"]._repr_html_()
            cell.outputs = [new_output("display_data", {"text/html": html})]
    return names


class Report:
    """What `risk_report` found.

    Attributes:
        notebook: the notebook that was run, with what each cell shows.
        numbers: a tidy frame of all numbers: section, measure, value, compared_with, its_value.
        look_at: the sentences of *What to look at*, the gravest first; empty if there are none.
        passed: the sentences about limits that were passed.
    """

    def __init__(self, notebook, notes, title, limits=None):
        """Keep what was found; use `risk_report` to get here."""
        self.notebook, self.title = notebook, title
        self.numbers, self.look_at = notes.numbers, notes.look_at
        self.passed = list(notes.passed(limits))

    @cached_property
    def body(self) -> str:
        """What stands on the page: first the cells with a number `page`, then all others."""
        from nbconvert import HTMLExporter  # slow to import
        from nbformat.v4 import new_notebook

        cells = [one for one in self.notebook.cells if one.metadata.get("page") != 0]
        order = sorted(cells, key=lambda one: one.metadata.get("page", 99))
        shown = new_notebook(cells=order, metadata=self.notebook.metadata)
        plain = ("input", "input_prompt", "output_prompt", "anchor_links")
        how = {f"exclude_{name}": True for name in plain}
        made, _ = HTMLExporter(template_name="basic", **how).from_notebook_node(shown)
        return made

    @property
    def html(self) -> str:
        """The report as one page that needs no other file and no network."""
        banner = f"<p><strong>{ON_BINDER}</strong></p>" if on_binder() else ""
        head = f"<h1>{escape(self.title)}</h1>\n{banner}"
        return html_document(self.title, f"{head}\n{self.body}", STYLE)

    @property
    def cells(self) -> dict:
        """The cells of the notebook by name: `report.cells["choices"].source` is a text."""
        return {cell.id: cell for cell in self.notebook.cells}

    def run(self) -> "Report":
        """Run the notebook anew, from the cell that reads the files on; return a new report.

        For after a cell was changed; *Run All* in Jupyter does the same with the saved notebook.
        """
        notebook = deepcopy(self.notebook)
        names = run_cells(notebook, {})
        return Report(notebook, names["notes"], names["title"], names["limits"])

    def save(self, where: str | Path) -> Path:
        """Write the page ("page.html") or the notebook ("report.ipynb"), whole or not at all."""
        import nbformat  # slow to import

        path = Path(where).expanduser()
        kinds = {".html": lambda: self.html, ".ipynb": lambda: nbformat.writes(self.notebook)}
        if path.suffix.lower() not in kinds:
            raise ValueError(f"{path.name!r} must end with .html (a page) or .ipynb (a notebook).")
        if not path.parent.is_dir():
            raise FileNotFoundError(
                f"there is no folder {path.parent.name!r} to save {path.name!r} in; make it first."
            )
        write_whole(path, kinds[path.suffix.lower()]())
        return path

    def _repr_html_(self):
        """Show the report in a notebook."""
        return self.body

    def __repr__(self):
        """Say what is in it."""
        return f"<Report {self.title!r}: {len(self.numbers)} numbers, {len(self.look_at)} warnings>"


def write_whole(path, text):
    """Write a text to a file beside the path, which then takes its place: whole or not at all."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".report-") as folder:
        made = Path(folder, path.name)
        made.write_text(text, "utf-8", errors="replace")
        os.replace(made, path)


def on_binder():
    """Say whether this runs on a server of Binder."""
    return any(name.startswith("BINDER_") for name in os.environ)


# ------------------------------------------------------------- what a cell of the notebook says


def describe_files(confidential, synthetics, control=None):
    """Return which tables were compared; a synthetic file has its checksum.

    The confidential file has none: an insider could try guesses of its values against it.
    """
    rows = []
    for name, one in named_tables(confidential, synthetics, control).items():
        file = one.attrs.get("file") if came_from_file(one) else None
        row = {"table": name, "file": Path(file).name if file else "a data frame"}
        row |= {"records": len(one), "columns": one.shape[1]}
        shown = file and name.startswith("synthetic")
        rows.append(row | {"sha256": one.attrs["sha256"] if shown else "not shown"})
    return pd.DataFrame(rows)


def made_when(seed):
    """Say when the report was made, and with what."""
    return f"Made on {datetime.date.today()} with synthrisk_edu {__version__}, seed {seed}."


def came_from_file(frame):
    """Say whether a frame is what was read from its file, as far as its shape tells."""
    shape = frame.attrs.get("rows"), frame.attrs.get("columns")
    return bool(frame.attrs.get("file")) and shape == (len(frame), list(map(str, frame.columns)))


# --------------------------------------------------------------------- the notebook that is saved


def _written(source, choices):
    """Put what was chosen into the cell of the choices, before the comment of each line."""
    lines = []
    for line in source.splitlines():
        name, _, rest = line.partition(" = ")
        _, sign, comment = rest.partition("  # ")
        lines.append(f"{name} = {choices[name]!r}{sign}{comment}")
    return "\n".join(lines)


def _files_cell(source, confidential, synthetics, control):
    """Return the cell that reads the files; of frames it says what to put there."""
    tables = [confidential, *synthetics, *([] if control is None else [control])]
    if not all(map(came_from_file, tables)):
        return FROM_FRAMES + source
    files = ", ".join(repr(one.attrs["file"]) for one in tables)
    how = "".join(f", {name}={value!r}" for name, value in confidential.attrs["how"].items())
    names = "confidential, *synthetics" + ("" if control is None else ", control")
    lines = ["from synthrisk_edu.report import read_files", ""]
    lines += [f"{names} = read_files([{files}]{how})"]
    return "\n".join(lines + (["control = None"] if control is None else []))
