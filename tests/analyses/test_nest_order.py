"""Nests whose loops gcc exchanges by itself: what the model says, and what gcc says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from s2s.analyses.nest_order import is_exchanged
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.source.flags import may_interchange
from tests.lifting import analysed, lifted, parse_text

_BEFORE = (
    "float aa[256][256], bb[256][256], cc[256][256]; double dd[256][256]; int ii[256][256];\n"
    "struct pair { float x, y; } pp[256][256]; float a[256];\n"
)
_FULL = "for (int i = 0; i < 256; i++) for (int j = 1; j < 256; j++)"
EXCHANGED = {
    "column_recurrence": f"{_FULL} aa[j][i] = aa[j - 1][i] + bb[j][i];",
    "two_statements": f"{_FULL} {{ aa[j][i] = aa[j - 1][i]; cc[j][i] = aa[j][i] * 2; }}",
    "doubles": f"{_FULL} dd[j][i] = dd[j - 1][i] * 3;",
    "in_place": f"{_FULL} ii[j][i] = ii[j][i] * 3 + 1;",
    "one_pointer": f"{_FULL} p[j][i] = p[j][i] * 3;",
    "old_style": "int i, j; for (i = 0; i < 99; ++i) for (j = 3; j < 50; j++) aa[j][i] = bb[j][i];",
    "next_column": "for (int i = 0; i < 255; i++) for (int j = 0; j < 256; j++)"
                   " aa[j][i] = bb[j][i + 1] / cc[j][i];",
}  # fmt: skip
OTHERS = {
    "parameters": "for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) aa[j][i] = bb[j][i];",
    "triangle": "for (int i = 0; i < 256; i++) for (int j = i; j < 256; j++) aa[j][i] = bb[j][i];",
    "downwards": "for (int i = 255; i >= 0; i--) for (int j = 255; j >= 0; j--) aa[j][i] = 1;",
    "every_second": "for (int i = 0; i < 256; i += 2) for (int j = 0; j < 256; j++) aa[j][i] = 1;",
    "few": "for (int i = 0; i < 256; i++) for (int j = 0; j < 4; j++) aa[j][i] *= 3;",
    "row_total": f"{_FULL} a[i] += aa[j][i];",
    "transposed": f"{_FULL} aa[j][i] = bb[i][j] + cc[j][i];",
    "iterator": f"{_FULL} aa[j][i] = bb[j][i] * i;",
    "three_loops": "for (int k = 0; k < 9; k++) " + _FULL + " aa[j][i] = aa[j][i] * 3;",
    "between": "for (int i = 0; i < 256; i++) { a[i] = 0; for (int j = 0; j < 256; j++)"
               " aa[j][i] = bb[j][i]; }",
    "pointers": f"{_FULL} p[j][i] = q[j][i];",
    "selection": f"{_FULL} if (bb[j][i] > 0) aa[j][i] = 1;",
    "rows": f"{_FULL} aa[i][j] = bb[i][j];",
    "two_distances": "for (int i = 0; i < 256; i++) for (int j = 2; j < 256; j++)"
                     " aa[j][i] = aa[j - 1][i] + aa[j - 2][i];",
}  # fmt: skip


def _program(bodies: dict[str, str]) -> str:
    functions = (
        f"void {name}(int n, float (*p)[256], float (*q)[256]) {{ {body} }}\n"
        for name, body in bodies.items()
    )
    return _BEFORE + "".join(functions)


def test_which_nests() -> None:
    unit = parse_text(_program({**EXCHANGED, **OTHERS}))
    found = {name for name, scop in lifted(unit) if is_exchanged(scop, analysed(scop).pruned)}
    assert found == set(EXCHANGED)


def test_gcc_says_so(tmp_path: Path) -> None:
    version = subprocess.run(["gcc", "-dumpversion"], capture_output=True, text=True).stdout
    if version.partition(".")[0].strip() != "12":
        pytest.skip("the model is that of gcc 12")
    source = tmp_path / "nests.c"
    source.write_text(_program(EXCHANGED))
    asked = ["gcc", "-O3", "-c", str(source), "-o", "/dev/null", "-fopt-info-loop-optimized"]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stderr
    lines = {int(n) for n in re.findall(r"nests\.c:(\d+):\d+: optimized: loops interchanged", said)}
    first = _BEFORE.count("\n") + 1
    assert lines == set(range(first, first + len(EXCHANGED)))


def test_such_nests_are_left_to_gcc(tmp_path: Path) -> None:
    source = tmp_path / "nest.c"
    source.write_text(_program({"nest": EXCHANGED["column_recurrence"]}))
    changed = {
        (compiler, level): transform_file(
            str(source), [level], Options(compiler=compiler, strict=True)
        ).changed
        for compiler, level in (("gcc", "-O3"), ("gcc", "-O2"), ("clang", "-O3"))
    }
    assert changed == {("gcc", "-O3"): False, ("gcc", "-O2"): True, ("clang", "-O3"): True}


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("-O3", True), ("-Ofast", True), ("-O2", False), ("", False), ("-O3 -O2", False),
        ("-O2 -floop-interchange", True), ("-fno-loop-interchange -O3", False), ("-Os", False),
    ],
)  # fmt: skip
def test_flags(flags: str, expected: bool) -> None:
    assert may_interchange(flags.split(), "gcc") == expected
    assert not may_interchange(flags.split(), "clang")
