"""What is the whole story? The notebook `report.ipynb`, run on your tables, as one page.

    confidential, synthetic = read_pair("confidential.csv", "synthetic.csv")
    risk_report(confidential, synthetic, keys=["Age"], targets=["Income"]).save("page.html")

The cells are the package's own. They run in this process, and the data never leave the machine.
"""

import ast
import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from copy import deepcopy
from functools import cached_property
from html import escape
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.pages import html_document, without_empty_heads
from synthrisk_edu.progress import track
from synthrisk_edu.report.reading import fingerprint

NOTEBOOK = Path(__file__).with_name("report.ipynb")
STYLE = Path(__file__).with_name("page.css").read_text("utf-8")
OFF_THE_PAGE = "off the page"  # the tag of a cell that a reader of the page does not need


def risk_report(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame | Sequence[pd.DataFrame],
    *,
    keys: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
    known: Sequence[str] | None = None,
    synthesized: Sequence[str] | None = None,
    identifiers: Sequence[str] | None = None,
    weights: str | None = None,
    control: pd.DataFrame | None = None,
    fraction: float | None = None,
    special: Mapping[str, Sequence[float]] | None = None,
    groups: Mapping[str, int | None] | None = None,
    radius: float | Mapping[str, float] | None = None,
    limits: Mapping[str, float] | None = None,
    records: int = 0,
    title: str = "Risk report",
    seed: int = 0,
    progress: bool = False,
) -> "Report":
    """Measure risk and utility of synthetic tables: run `report.ipynb` on them.

    Name `keys` and `targets` where everything is synthetic, `known` and `synthesized` where some
    columns were replaced and row i is the same person in both tables; both pairs where both make
    sense. Nothing is guessed.

    Args:
        confidential: the true data.
        synthetic: one frame or a list of m frames.
        keys: columns an intruder looks people up with.
        targets: columns an intruder wants to learn.
        known: columns that were not changed; the intruder knows them.
        synthesized: columns that were replaced; the intruder knows the true values.
        identifiers: columns that tell people apart and nothing else; they take no part. An empty
            list says that there are none.
        weights: the column that says how many people of the population a record stands for.
        control: records of people of the same kind who did not take part.
        fraction: the share of the population that is in the confidential table, instead of weights.
        special: column → codes that are no amounts, such as {"income": [-8]}.
        groups: key or target → number of groups; by default 20 where there are more than 100
            different numbers. None leaves them as they are.
        radius: one number for the synthesized numbers, or column → radius; by default the one with
            the highest risk.
        limits: measure → the most it may be; see `.numbers` for the measures.
        records: so many records, those most at risk, are explained with their values.
        title: the headline.
        seed: halves, and rows that are looked up, are drawn; equal seeds, equal pages.
        progress: whether to show how far it is.

    >>> true = pd.DataFrame({"Sex": list("FFMM"), "Job": ["cook", "nurse"] * 2})
    >>> report = risk_report(true, true.assign(Job="cook"), known=["Sex"], synthesized=["Job"])
    >>> report.numbers.set_index("measure").value["expected match risk"].iloc[0]
    np.float64(2.0)
    """
    import nbformat  # slow to import

    parameters = {name: value for name, value in locals().items() if name != "nbformat"}
    several = isinstance(synthetic, list | tuple)
    synthetics = checks.frames("synthetic", synthetic if several else [synthetic])
    tables = {"confidential": confidential, "synthetics": synthetics, "control": control}
    if weights is not None and fraction is not None:
        raise ValueError("give weights or fraction, not both: they say the same.")
    checks.number("records", records, 0, whole=True)
    checks.number("seed", seed, 0, whole=True)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    names = run_cells(notebook, parameters | tables, skip=("parameters", "read"), show=progress)
    cells["parameters"].source = _written(cells["parameters"].source, parameters | _files(tables))
    return Report(notebook, names)


def run_cells(notebook, names, skip=(), show=False):
    """Run the code cells in this process and keep what each prints and shows, as Jupyter does."""
    from IPython.core.formatters import DisplayFormatter  # slow to import
    from nbformat.v4 import new_output

    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.id not in skip]
    for cell in track(cells, "making the report", show):
        tree = ast.parse(cell.source)
        names["_"] = None
        if isinstance(tree.body[-1], ast.Expr):  # what a cell ends with is shown
            tree.body[-1] = ast.Assign([ast.Name("_", ast.Store())], tree.body[-1].value)
        code = compile(ast.fix_missing_locations(tree), f"<cell {cell.id} of the report>", "exec")
        with redirect_stdout(StringIO()) as printed:
            exec(code, names)
        cell.outputs = []
        if printed.getvalue():
            cell.outputs.append(new_output("stream", text=printed.getvalue()))
        if names["_"] is not None:
            data, metadata = DisplayFormatter().format(names["_"])
            cell.outputs.append(new_output("display_data", data, metadata=metadata))
    return names


class Report:
    """What `risk_report` found.

    Attributes:
        notebook: the notebook that was run, with what each cell shows.
        numbers: a tidy frame of all numbers: section, measure, value, compared_with, its_value.
        look_at: warnings, the gravest first; empty if there are none.
        passed: the sentences about limits that were passed.
    """

    def __init__(self, notebook, names):
        """Keep what was found; use `risk_report` to get here."""
        self.notebook = notebook
        self.title = str(names["title"])
        self.numbers = names["numbers"]
        self.look_at = names["look_at"]
        self.passed = names["passed"]

    @cached_property
    def html(self) -> str:
        """The report as one page that needs no other file and no network."""
        return html_document(self.title, f"<h1>{escape(self.title)}</h1>\n{self.body}", STYLE)

    @cached_property
    def body(self) -> str:
        """What stands on the page: the notebook as nbconvert shows it, without its code."""
        try:
            from nbconvert import HTMLExporter  # slow to import
        except ImportError:
            raise ImportError(
                "the page needs nbconvert, which is not here: install it, pip install "
                '"synthrisk_edu[pages]", or save the notebook, report.save("report.ipynb").'
            ) from None
        from traitlets.config import Config

        config = Config()
        config.TagRemovePreprocessor.enabled = True
        config.TagRemovePreprocessor.remove_cell_tags = {OFF_THE_PAGE}
        hidden = ("input", "input_prompt", "output_prompt", "anchor_links")
        options = {f"exclude_{what}": True for what in hidden}
        exporter = HTMLExporter(template_name="basic", config=config, **options)
        html, _ = exporter.from_notebook_node(self.notebook)
        # On a narrow page a table moves sideways, by keyboard, too.
        html = html.replace('<div class="output_html', '<div tabindex="0" class="output_html')
        return without_empty_heads(html)

    @property
    def cells(self) -> dict:
        """The cells of the notebook by name: `report.cells["parameters"].source` is a text."""
        return {cell.id: cell for cell in self.notebook.cells}

    def run(self) -> "Report":
        """Run the notebook anew, from the cell that reads the files on; return a new report.

        For after a cell was changed; *Run All* in Jupyter does the same with the saved notebook.
        """
        notebook = deepcopy(self.notebook)
        return Report(notebook, run_cells(notebook, {}))

    def save(self, where: str | Path) -> Path:
        """Write the page ("page.html") or the notebook ("report.ipynb"), whole or not at all."""
        import nbformat  # slow to import

        path = Path(where).expanduser()
        if path.suffix.lower() not in (".html", ".ipynb"):
            raise ValueError(f"{path.name!r} must end with .html (a page) or .ipynb (a notebook).")
        is_page = path.suffix.lower() == ".html"
        text = self.html if is_page else nbformat.writes(self.notebook)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".report-") as folder:
            made = Path(folder, path.name)
            made.write_text(text, "utf-8", errors="replace")
            os.replace(made, path)
        return path

    def _repr_html_(self):
        """Show the page in a notebook."""
        return self.body


def _files(tables):
    """Return the paths of the tables and how they were read; None for a table that was changed."""
    frames = [tables["confidential"], tables["control"], *tables["synthetics"]]
    paths = []
    options = {}
    for table in frames:
        if table is not None and table.attrs.get("as_read") == fingerprint(table):
            paths.append(table.attrs["file"])
            options |= table.attrs["options"]
        else:
            paths.append(None)
    confidential, control, *synthetic = paths
    files = {"confidential": confidential, "synthetic": synthetic, "control": control}
    return files | {"reading": options}


def _written(source, values):
    """Put the values into the cell of the parameters, before the comment of each line."""
    lines = []
    for line in source.splitlines():
        name, _, rest = line.partition(" = ")
        _, sign, comment = rest.partition("  #")
        lines.append(f"{name} = {_plain(values[name])!r}{sign}{comment}")
    return "\n".join(lines)


def _plain(value):
    """Return a value as it can be written into a cell: lists, mappings, numbers and texts."""
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    is_list = hasattr(value, "__iter__") and not isinstance(value, str | type)
    return [_plain(one) for one in value] if is_list else value
