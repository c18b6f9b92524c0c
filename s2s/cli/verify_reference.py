"""What ``s2s verify --offload`` compares numbers with: sums, and whole programs, in wider types.

Each call of a library is checked as the program runs: what it leaves against sums in double
precision (in ``long double`` for doubles), element by element, within a bound that holds for any
order of the sum (``emitters/libraries/runtime/s2s_checked.c``). A program over ``float`` is also
built with ``double`` in place of it; where that prints the same text, its numbers are what both
the host's and the offloaded program's are compared with.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from s2s.driver.libraries.files import compiler_of, runtime_folder
from s2s.source.records import dataclass

CHECKS = "s2s_checked"
_WRAPPED = (
    *(f"s2s_{p}{name}" for p in "sd" for name in (
        "gemm", "gemv", "ger", "dot", "syrk", "syr2k", "totals", "total", "convolution")),
    "s2s_convolution", "s2s_softmax", "s2s_elements",
)  # fmt: skip
_MATHEMATICAL = (
    "acos", "asin", "atan", "atan2", "cbrt", "ceil", "copysign", "cos", "cosh", "erf", "erfc",
    "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "frexp",
    "hypot", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "lrint", "lround", "modf",
    "nearbyint", "pow", "remainder", "rint", "round", "sin", "sinh", "sqrt", "tan", "tanh",
    "tgamma", "trunc",
)  # fmt: skip


@dataclass(frozen=True)
class Checked:
    """Calls of libraries that ran, their results that were checked, and the worst of these.

    ``worst`` is how far a result was off as a share of ``(terms + 2) * epsilon *`` the sum of its
    products' absolute values.
    """

    calls: int
    results: int
    worst: float

    @property
    def is_within(self) -> bool:
        return self.worst <= 1

    def __str__(self) -> str:
        calls = f"{self.calls:,} calls of libraries" if self.calls != 1 else "1 call of a library"
        return f"{calls}: {self.results:,} results within {self.worst:.2g} of their bound"


def add_checks(folder: Path) -> str:
    """Put the checks beside a program that calls libraries; what its linker has to be told."""
    if not (folder / "s2s_libraries.c").exists():
        return ""
    source = runtime_folder() / f"{CHECKS}.c"
    made = str(folder / f"{CHECKS}.o")
    command = ["gcc", "-O2", f"-I{folder}", "-c", str(source), "-o", made]
    subprocess.run(command, check=True)
    wrapped = ",".join(f"--wrap={name}" for name in _WRAPPED)
    return f"{CHECKS}.o -Wl,{wrapped}"


def read_checks(path: Path) -> Checked | None:
    """What a program's checks have found; None where no library was called."""
    if not path.exists():
        return None
    calls, results, worst = path.read_text().split()
    return Checked(int(calls), int(results), float(worst))


def widen(file: str, flags: Sequence[str], program: Path) -> bool:
    """Build a file with ``double`` in place of ``float``; whether it has any and can be built."""
    text = Path(file).read_text(errors="replace")
    if compiler_of(file, flags) != "gcc" or not re.search(r"\bfloat\b", text):
        return False
    names = (*((f"{n}f", n) for n in _MATHEMATICAL), ("strtof", "strtod"), ("float", "double"))
    defined = [f"-D{name}={wider}" for name, wider in names]
    command = ["gcc", "-w", *flags, *defined, "-O2", file, "-o", str(program), "-lm"]
    return subprocess.run(command, capture_output=True).returncode == 0
