"""Compile a program before and after s2s, run both with several threads, and compare."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.inputs import printed_otherwise

_HERE = Path(__file__).parent
COMMON = (_HERE / "numbers.h").read_text()
_MAIN = (_HERE / "main.h").read_text()

# The five-point stencil and its way back, as two parallel loops below a sequential one.
STENCIL = """
    for (int t = 0; t < T; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = 0.25 * (v[i-1][j] + v[i+1][j] + v[i][j-1] + v[i][j+1]);
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i][j] + 0.01 * u[i-1][j];
    }
"""

# The same with tasks; the writes depend on data, so no element is sure to be written.
TASKS = """
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: v[i - 1], v[i], v[i + 1]) depend(out: u[i])
            for (int j = 1; j < m - 1; j++)
                if (v[i][j] < 0.9) u[i][j] = 0.25 * (v[i-1][j] + v[i+1][j] + v[i][j-1] + v[i][j+1]);
        }
        for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: u[i - 1], u[i]) depend(inout: v[i])
            for (int j = 1; j < m - 1; j++)
                if (u[i][j] > 0.1) v[i][j] = u[i][j] + 0.01 * u[i-1][j];
        }
    }
"""

ROWS = "double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;"


@dataclass(frozen=True)
class Result:
    """What s2s did with a program; ``different`` is empty when both versions agree."""

    transformed: bool
    messages: str
    different: str


def program(
    loops: str,
    *,
    before: str = "",
    declare: str = ROWS,
    after: str = "",
    call: str = "sweep(n, m, T, u_, v_);",
) -> str:
    """A whole program around some loops."""
    head = "void sweep(int n, int m, int T, double *u_, double *v_)"
    body = f"{head}\n{{\n    {declare}\n{loops}\n    {after}\n}}\n"
    return f"{COMMON}{before}{body}#define CALL {call}\n{_MAIN}"


def check(
    folder: Path,
    text: str | bytes,
    *flags: str,
    name: str = "a.c",
    force: bool = True,
    passes: tuple[str, ...] = Options().passes,
) -> Result:
    """Transform, run with 1, 2 and 3 threads, compare; with ``force`` without regard to gains."""
    source, changed = folder / name, folder / f"new_{name}"
    source.write_bytes(text if isinstance(text, bytes) else text.encode())
    options = ["-O2", "-fopenmp", "-ffp-contract=off", "-w", *flags]
    outcome = transform_file(str(source), options, Options(strict=True, force=force, passes=passes))
    messages = "\n".join(f"{d.text} [{d.id}]" for d in outcome.diagnostics)
    if not outcome.changed:
        return Result(False, messages, "")
    changed.write_bytes(outcome.text)
    return Result(True, messages, printed_otherwise(source, changed, options))
