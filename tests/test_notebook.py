"""The notebook of the documentation, run cell by cell as Jupyter would."""

import ast
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

NOTEBOOK = Path(__file__).parent.parent / "docs" / "notebook.ipynb"
# What Jupyter shows of an object that has several, the first it finds.
FORMATS = ("_repr_html_", "_repr_markdown_", "_repr_svg_")


def shown(cell, names):
    """Run a cell; what its last line shows."""
    *statements, last = ast.parse(cell).body
    exec(compile(ast.Module(statements, []), "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    found = (getattr(value, name)() for name in FORMATS if hasattr(value, name))
    return next(found)


@pytest.mark.slow
@pytest.mark.usefixtures("own_data")
def test_every_cell_shows_a_drawing_or_a_table_with_a_name_for_screen_readers():
    names = {}
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    outputs = [
        ET.fromstring(shown("".join(cell["source"]), names))
        for cell in cells
        if cell["cell_type"] == "code"
    ]
    assert [output.tag.rpartition("}")[2] for output in outputs] == [
        *("svg", "figure", "figure", "table", "table", "svg"),
    ]
    for output in outputs:
        named = [each.text for each in output.iter() if each.tag.endswith(("title", "caption"))]
        assert named[0]
    rows = [[cell.text for cell in row] for row in outputs[4].iter("tr")]
    assert rows[0] == ["agent", "Elo and its 95 % interval", "wins", "draws", "losses"]
    assert rows[1][0] == "1. perfect"
    lines = [each for each in outputs[5].iter() if each.tag.endswith("polyline")]
    assert [line.get("class") for line in lines] == ["wins", "draws", "losses"]
