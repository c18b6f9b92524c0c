"""Table 5.1's verdicts on C of our own, and nests that break each rule, refused at their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.analyses.conformability import Conformability, judge
from s2s.frontends.c.regions import candidates, functions
from s2s.frontends.c.unit import Unit
from tests.lifting import parse_text
from tests.places import ROOT

_HERE = Path(__file__).parent

BROKEN = sorted((Path(__file__).parent / "broken").glob("*.c"))
TABLE = {
    "conv1d": "YYYY Y",
    "conv2d": "YYYY Y",
    "conv2d_pointwise": "YYYY Y",
    "conv2d_depthwise": "YYYY Y",
    "conv2d_strided": "YYYY Y",
    "conv2d_dilated": "YYYY Y",
    "mlp": "YYYY Y",
    "pooling": "YYYY Y",
    "gemm": "YYYY Y",
    "gemm_triangular": "YYYY Y",
    "lstm_single_cell": "YYYY Y",
    "lstm_parametric_multi_cell": "YNYY N",
    "elementwise": "YYYY Y",
    "stencil": "YYYY Y",
}
"""Table 5.1: R1 R2 R3 R4, then all of them."""


def judged(text: str) -> tuple[Unit, Conformability]:
    """The verdicts on the only nest of a file."""
    unit = parse_text(text)
    (function,) = functions(unit, every=True)
    (attempt,) = candidates(function)
    return unit, judge(attempt.scop(separate=True))


@pytest.mark.parametrize("name", TABLE)
def test_table_5_1(name: str) -> None:
    text = (ROOT / "benchmarks" / "marvel" / f"{name}.c").read_text()
    assert judged(text)[1].letters == TABLE[name]


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_rule_is_said_at_its_line(path: Path) -> None:
    """The first line has the verdicts; ``// R1: WORDS`` is at the line that breaks a rule."""
    text = path.read_text()
    unit, found = judged(text)
    assert f"// {found.letters}" == text.splitlines()[0]
    (broken,) = (verdict for verdict in found.verdicts if not verdict.holds)
    line = text.splitlines()[unit.buffer.location(broken.at).line - 1]
    rule, words = line.split("// ")[1].split(": ", 1)
    assert broken.rule == rule
    assert words in broken.reason


def test_each_rule_is_broken_by_three_nests() -> None:
    rules = [path.read_text().split("// R")[1][0] for path in BROKEN]
    assert min(rules.count(rule) for rule in "1234") >= 3


def test_loops_are_normalized_first() -> None:
    _, found = judged(
        "void f(int o[restrict 32], int a[restrict 70]) {\n"
        "  for (int i = 69; i > 5; i -= 2) o[(69 - i) / 2] += a[69 - i];\n}\n"
    )
    assert found.letters == "YYYY Y"
    (dimensions,) = found.dimensions
    assert dimensions.normal is not None
    assert dimensions.normal.extents == (32,)
    assert [node.affine.text(("i",)) for node in dimensions.ordered] == ["i", "2 * i"]


def test_pointers_are_taken_for_disjoint_and_that_is_said() -> None:
    _, found = judged("void f(int *o, int *a) { for (int i = 0; i < 9; i++) o[i] = a[i]; }")
    assert (found.letters, found.disjoint) == ("YYYY Y", ("a", "o"))


def test_rows_of_flat_arrays_are_dimensions() -> None:
    _, found = judged((_HERE / "flat_rows.c").read_text())
    assert found.letters == "YYYY Y"
    names = ("y", "x", "r", "s")
    (dimensions,) = found.dimensions
    image = [node for node in dimensions.ordered if node.array == "a"]
    assert {node.axis: node.affine.text(names) for node in image} == {0: "y + r", 1: "x + s"}


@pytest.mark.parametrize(
    ("head", "letters"),
    [
        ("i = ii; i < ii + 8", "YYYY Y"),
        ("i = ii; i < ii + 7", "YYNY N"),  # leaves out each eighth
        ("i = ii; i < ii + 9", "YYNY N"),  # has each eighth twice
    ],
)
def test_tiles_are_joined_where_they_are_all_of_the_loop(head: str, letters: str) -> None:
    _, found = judged(
        "void f(int o[restrict 65][2], int a[restrict 65][4]) {\n"
        "  for (int ii = 0; ii < 64; ii += 8) for (int j = 0; j < 4; j++)\n"
        f"    for (int {head}; i++) o[i][0] = a[i][j] > o[i][0] ? a[i][j] : o[i][0];\n}}\n"
    )
    assert found.letters == letters
    normal = found.dimensions[0].normal
    assert normal is not None
    assert len(normal.names) == (2 if "+ 8" in head else 3)


@pytest.mark.parametrize(
    ("statement", "letters"),
    [
        ("o[0] = (signed char)(o[0] + a[i]);", "YYYY Y"),  # cut off at each step, or at the end
        ("o[0] = (signed char)(o[0] > a[i] ? o[0] : a[i]);", "YNYY N"),
        ("b[0] = b[0] > (short)a[i] ? b[0] : (short)a[i];", "YYYY Y"),
        ("o[0] += o[0] * a[i];", "YNYY N"),
        ("o[0] = o[0] - a[i];", "YYYY Y"),
        ("o[0] = a[i] - o[0];", "YNYY N"),
        ("o[0] = o[0] * a[i] + 1;", "YNYY N"),
        ("o[0] = o[0] + 1 + a[i];", "YYYY Y"),
        ("o[0] ^= a[i];", "YYYY Y"),
    ],
)
def test_reductions_are_those_whose_order_does_not_matter(statement: str, letters: str) -> None:
    head = "void f(int o[restrict 1], int a[restrict 8], short b[restrict 9]) {\n"
    _, found = judged(f"{head}  for (int i = 0; i < 8; i++)\n    {statement}\n}}\n")
    assert found.letters == letters


def test_loops_that_count_down_are_turned_round() -> None:
    _, found = judged(
        "void f(int o[restrict 8], int a[restrict 8][9]) {\n"
        "  for (int i = 7; i >= 0; i--) for (int j = 8; j >= 0; --j) o[i] += a[i][j];\n}\n"
    )
    assert found.letters == "YYYY Y"
    normal = found.dimensions[0].normal
    assert normal is not None
    assert normal.extents == (8, 9)
