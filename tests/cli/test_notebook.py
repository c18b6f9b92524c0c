"""The notebook of the docs, its cells executed in order as a kernel does it."""

import ast
import json
from typing import Any

import pytest

from s2s.driver.results import Result
from tests.places import ROOT


def _run(source: str, names: dict[str, Any]) -> Any:
    """Execute a cell; the value of an expression at its end."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return None


def test_it_shows_dependences_and_times_two_orders(capsys: pytest.CaptureFixture[str]) -> None:
    notebook = json.loads((ROOT / "docs" / "schedule.ipynb").read_text())
    cells = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
    lines = [line for cell in cells for line in cell.splitlines() if line.strip()]
    assert len(lines) <= 20
    names: dict[str, Any] = {}
    shown = [_run(cell, names) for cell in cells]
    assert isinstance(shown[0], Result) and "multiply" in shown[0]._repr_html_()
    said = capsys.readouterr().out
    assert "flow on c" in said and "carried by multiply/i/j/k" in said
    assert said.index("for (int k") < said.index("c[i][j] += ")
    assert said.count("time: ") == 2
    assert names["mine"].region("multiply").pass_name == "schedule"
