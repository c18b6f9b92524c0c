"""Other forms of a region: repeated sweeps, elements in locals, guarded statements."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import islpy as isl
import pytest

from s2s.driver.transform import transform_file
from s2s.transforms.errors import NotApplicable
from s2s.transforms.localize import localize
from s2s.transforms.repeats import drop_repeats
from tests.lifting import lifted, parse_text, scop_of
from tests.programs import read_body
from tests.soundness.harness import check, program

_PROGRAMS = Path(__file__).parent / "forms"

ARRAYS = (
    "double *x = u_; double (*a)[n + 2] = (double (*)[n + 2])(u_ + n + m + 64); "
    "double (*b)[n + 2] = (double (*)[n + 2])v_; "
    "if (sizeof(double) * ((m + 2) * (n + 2) + n + m + 64) > "
    "sizeof(double) * 4 * (n + 2) * (m + 2)) return;"
)

SWEEP = read_body(_PROGRAMS / "columns_of_a_sweep.c")
ELEMENT = read_body(_PROGRAMS / "columns_of_elements.c")
GUARDED = read_body(_PROGRAMS / "guarded_columns.c")


def _disjoint(loops: str) -> str:
    arrays = "#define X x[i]\nstatic double x[300], a[300][300], b[300][300];\n"
    return f"{arrays}void f(int n, int m) {{ {loops} }}"


# -- repeats ------------------------------------------------------------------------------------


def test_a_repeated_sweep_runs_once() -> None:
    scop = drop_repeats(scop_of(_disjoint(SWEEP)))
    wanted = isl.Set("[n, m] -> { S1[i, j] : i = 0 < n and 0 < j < m }")
    assert scop.statements[0].domain.is_equal(wanted)
    assert scop.statements[1].domain.is_equal(scop_of(_disjoint(SWEEP)).statements[1].domain)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[j] = 1.0 - x[j - 1]", "x[j] = 1.0 - x[j]"),  # reads what it writes
        ("x[j] = 1.0 - x[j - 1]", "x[j] = 1.0 - x[j + 1]"),  # reads ahead
        ("x[j] = 1.0 - x[j - 1]", "x[j] = i - x[j - 1]"),  # differs with i
        ("x[j] = 1.0 - x[j - 1]", "x[j / 2] = 1.0 - x[290]"),  # sets elements twice
        ("x[j] = 1.0 - x[j - 1]", "x[j] += 1.0"),
        ("x[j] = 1.0 - x[j - 1]", "x[j] = a[j][0]"),  # written by another statement
        ("j = 1; j < m", "j = 1; j < i"),  # sweeps differ
        ("a[j][i] = x[j]", "a[j][i] = x[j]; x[j + 2] = b[i][j]"),  # another writer
    ],
)
def test_sweeps_that_differ_stay(old: str, new: str) -> None:
    assert old in SWEEP
    with pytest.raises(NotApplicable, match="no statement repeats itself"):
        drop_repeats(scop_of(_disjoint(SWEEP.replace(old, new))))


# -- elements in locals ---------------------------------------------------------------------------


def _localized(loops: str) -> list[str]:
    unit = parse_text(_disjoint(loops))
    ((_, scop), *_) = lifted(unit)
    changed = localize(scop, unit.buffer.text)
    return [s.name for s in changed.statements]


def test_an_element_becomes_a_local() -> None:
    assert _localized(ELEMENT) == ["S1_local", "S1", "S2"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[i] = a[j][i] - x[i - 1]", "x[i] += a[j][i]"),  # carried by the inner loop
        ("x[i] = a[j][i] - x[i - 1]", "x[j] = a[j][i] - x[i - 1]"),  # moves with the inner loop
        ("x[i] = a[j][i] - x[i - 1]", "x[i] = a[j][i] - x[n - i]"),  # read by another name
        ("x[i] = a[j][i]", "if (b[j][i] > 0) x[i] = a[j][i]"),  # not always set
        ("x[i] * x [i]", "x[i] * x[(int)b[0][0]]"),  # read at an unknown place
        ("x[i] * x [i]", "b[i][j]"),  # not read at all
        ("x[i] * x [i]", "x[i] * *(x + i)"),  # named in another way
        ("x[i] * x [i]", "x[i] * X"),
    ],
)
def test_elements_that_carry_values_stay(old: str, new: str) -> None:
    assert old in ELEMENT
    with pytest.raises(NotApplicable, match="no element is set anew"):
        _localized(ELEMENT.replace(old, new))


# -- the new code ---------------------------------------------------------------------------------


def test_a_rare_condition_keeps_the_source(tmp_path: Path) -> None:
    path = tmp_path / "rare.c"
    path.write_text(_disjoint(GUARDED))
    new = transform_file(str(path), ["-O2"]).text.decode()
    assert "s2s_often = 4 * s2s_held >= s2s_asked;" in new
    assert re.search(r"if \(a\[0\]\[i\] > 0\.4\) \{\s+s2s_held\+\+;", new)


# -- random nests ---------------------------------------------------------------------------------

_INNER = ("int j = 1; j < m; j++", "int j = m - 1; j > 0; j--", "int j = 1; j < m; j += 2")
_OUTER = ("int i = 1; i < n; i++", "int i = n - 1; i > 0; i--")
_TARGETS = ("x[j]", "x[i]", "a[j][i]", "a[j][i]")
_OPERANDS = (
    "x[j - 1]",
    "x[i - 1]",
    "x[j]",
    "x[i]",
    "a[j - 1][i]",
    "a[j][i]",
    "b[j][i]",
    "x[n - i]",
)
_BEGINNINGS = (
    (), (),
    ("x[j] = 0.7 - x[j - 1];",),
    ("x[j] = b[j][0] * x[j - 1];", "a[j][i] = x[j] + b[j][i];"),
    ("x[i] = a[j][i] - x[i - 1];", "a[j][i] = x[i] + b[j][i];"),
    ("x[i] = 0.5 * a[j][i];", "b[j][i] = x[i] * x[i];"),
)  # fmt: skip
_TESTS = ("a[0][i] > 0.4", "x[i] > 0.3", "b[1][i] < 0.8 && x[0] > 0")


def _random_nest(random: Random) -> str:
    """Two loops with sweeps, elements that are set again and again, and conditions around."""
    statements = list(random.choice(_BEGINNINGS))
    for _ in range(random.randint(1, 2)):
        target, first, second = random.choice(_TARGETS), *random.sample(_OPERANDS, 2)
        statements.append(f"{target} = 0.5 * {first} - {random.choice(('0.1', second))};")
    inner = f"for ({random.choice(_INNER)}) {{ {' '.join(statements)} }}"
    if random.random() < 0.4:
        inner = f"if ({random.choice(_TESTS)}) {inner}"
    return f"for ({random.choice(_OUTER)}) {inner}"


@pytest.mark.parametrize("seed", range(2))
def test_random_nests_do_the_same(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    nests = "\n".join(_random_nest(random) for _ in range(8))
    result = check(tmp_path, program(nests, declare=ARRAYS))
    assert not result.different, nests
    assert "loops to" in result.messages
