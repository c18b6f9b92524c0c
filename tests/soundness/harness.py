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
STENCIL = (_HERE / "harness_stencil.c").read_text()

# The same with tasks; the writes depend on data, so no element is sure to be written.
TASKS = (_HERE / "harness_tasks.c").read_text()

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
