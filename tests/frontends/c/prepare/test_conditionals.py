"""Regions with conditional compilation: every configuration of the output is right."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

INSIDE = """
#include <stdio.h>
static double m[40][40];
int main(void)
{
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < 40; j++)
#if A > 1
            m[j][i] = m[j][i] + i - j;
#elif defined(B)
            m[j][i] = m[j][i] + 2 * i - j;
#else
# ifndef C
            m[j][i] = m[j][i] + 3 * i - j;
# else
            m[j][i] = m[j][i] + 4 * i - j;
# endif
#endif
    }
    for (int i = 0; i < 40; i += 3) printf("%g %g\\n", m[i][39 - i], m[i][i]);
    return 0;
}
"""

AROUND_A_PRAGMA = """
#include <stdio.h>
static double m[40][40];
static void note(int k) { printf("%d\\n", k); }
int main(void)
{
#ifdef A
    note(1);
    #pragma omp parallel for
#endif
    for (int i = 0; i < 40; i++) {
#ifdef B
        for (int j = 1; j < 40; j++) m[j][i] = m[j][i] + i - j;
#else
        for (int j = 0; j < 40; j++) m[j][i] = m[j][i] + 2 * i - j;
#endif
    }
#ifdef C
    note(2);
#endif
    for (int i = 0; i < 40; i += 3) printf("%g %g\\n", m[i][39 - i], m[i][i]);
    return 0;
}
"""

IN_A_CALLEE = """
#include <stdio.h>
static double m[40][40];
static void column(double a[40][40], int i)
{
#ifdef A
    for (int j = 0; j < 40; j++) a[j][i] = a[j][i] + i - j;
#endif
#ifndef B
    for (int j = 0; j < 40; j++) a[j][i] = a[j][i] + 2 * i + j;
#endif
}
int main(void)
{
    for (int i = 0; i < 40; i++)
        column(m, i);
    for (int i = 0; i < 40; i += 3) printf("%g %g\\n", m[i][39 - i], m[i][i]);
    return 0;
}
"""


def _run(source: Path, flags: list[str]) -> str:
    program = source.with_suffix(".out")
    command = ["gcc", "-w", "-O0", "-fopenmp", *flags, str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("parsed", [[], ["-DA=2"], ["-DB", "-DC"]])
@pytest.mark.parametrize("text", [INSIDE, AROUND_A_PRAGMA, IN_A_CALLEE])
def test_every_configuration_does_what_it_did(text: str, parsed: list[str], tmp_path: Path) -> None:
    source, changed = tmp_path / "program.c", tmp_path / "changed.c"
    source.write_text(text)
    outcome = transform_file(str(source), ("-fopenmp", *parsed), Options(force=True))
    changed.write_bytes(outcome.text)
    for flags in ([], ["-DA=2"], ["-DB"], ["-DC"], ["-DA=2", "-DB"]):
        assert _run(changed, flags) == _run(source, flags), (parsed, flags)


def test_the_new_code_is_for_one_configuration(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(AROUND_A_PRAGMA)
    outcome = transform_file(str(source), ("-fopenmp",), Options(force=True, strict=True))
    assert b"#if !defined(A) && !defined(B)\n" in outcome.text


def test_a_region_that_defines_a_macro_stays(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(INSIDE.replace("#if A > 1", "#define A 2\n#if A > 1"))
    outcome = transform_file(str(source), (), Options(force=True))
    assert not outcome.changed
    assert any("preprocessor definitions" in said.text for said in outcome.diagnostics)
