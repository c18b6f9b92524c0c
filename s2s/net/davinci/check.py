"""A kernel's text, executed against its source before it leaves.

The text is read twice: by g++ with a header of ours, together with the function that packs and
unpacks, beside the source's own program; and by the simulator, which also checks buffers, flags and
races. Arrays hold numbers that half precision has exactly, so that a maximum has to be equal; sums
may differ by what rounding each addition to half precision can do.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from s2s.emitters.davinci.host import Array
from s2s.net import Mismatch
from s2s.net.source import ENTRY, Caller, NotCallable
from s2s.scop.cce import Program
from s2s.scop.pooling import Kind, Pooling
from s2s.simulators.davinci.machine import INCLUDE
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    Values = np.ndarray[Any, np.dtype[Any]]

_SECONDS = 120
_INSTRUCTIONS = 60_000
"""Vector instructions of a block that the simulator runs in the net."""


class Source(Protocol):
    """A program that can be called with arrays."""

    def caller(self, arrays: Sequence[str]) -> Caller:
        """The file that calls it. Raises NotCallable."""


@dataclass(frozen=True)
class Emitted:
    """What is about to leave, and what it was printed from; ``arrays`` are the program's own in
    the order of the host function, each with its C type, the outputs last.
    """

    pooling: Pooling
    program: Program
    text: str
    arrays: tuple[tuple[Array, str], ...]


def check(source: Source, emitted: Emitted) -> str:
    """Run all; empty if everything agrees, otherwise why it could not be compared.

    Raises Mismatch where values differ or the text does not run.
    """
    _simulate(emitted)
    try:
        caller = source.caller([one.places.array for one, _ in emitted.arrays])
    except NotCallable as problem:
        return str(problem)
    if shutil.which("g++") is None or shutil.which("gcc") is None:
        return "there is no gcc and g++"
    with tempfile.TemporaryDirectory(prefix="s2s-net-") as folder:
        return _run(Path(folder), caller, emitted)


def _simulate(emitted: Emitted) -> None:
    """Run the first block with all checks. Raises Mismatch."""
    from s2s.scop.cce import calls
    from s2s.simulators.davinci.command import execute_text
    from s2s.simulators.davinci.machine import load
    from s2s.source.diagnostics import UserError

    if (
        sum(times for call, times in calls(emitted.program.body) if call.name[0] == "v")
        > _INSTRUCTIONS
    ):
        return
    try:
        chip = load("ascend910-documented")
        loaded = execute_text("kernel", emitted.text, chip, blocks=1, deep=True)
    except UserError as error:
        raise Mismatch(f"the kernel does not run: {error}") from None
    for found in loaded.execution.findings.found.values():
        raise Mismatch(f"line {found.line} of the kernel: {found.text}")


def _run(folder: Path, caller: Caller, emitted: Emitted) -> str:
    name = "source.cc" if caller.is_cxx else "source.c"
    (folder / name).write_text(caller.text)
    (folder / "main.cc").write_text(_main(emitted))
    compiler = "g++" if caller.is_cxx else "gcc"
    own = ["-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-c", name, "-o", "source.o"]
    done = _call([compiler, *caller.flags, *own], folder)
    if done.returncode:
        return f"{compiler} refuses the source: {_first_error(done.stderr)}"
    flags = ["-std=c++17", "-O1", "-w", "-D__CCE_KT_TEST__", f"-I{INCLUDE}"]
    done = _call(["g++", *flags, "main.cc", "-c", "-o", "main.o"], folder)
    if done.returncode:
        raise Mismatch(f"the kernel does not compile: {_first_error(done.stderr)}")
    link = ["-fopenmp", "-Wl,--unresolved-symbols=ignore-all", "-lm", "-o", "main"]
    done = _call(["g++", "main.o", "source.o", *link], folder)
    if done.returncode:
        return f"the source does not link: {_first_error(done.stderr)}"
    _compare(folder, emitted)
    return ""


def _main(emitted: Emitted) -> str:
    # The source has a function of the kernel's name, too.
    name = emitted.program.name
    lines = [
        '#include "cce_host.h"',
        re.sub(rf"\b{name}\(", f"{name}_of_s2s(", emitted.text),
        f'extern "C" void {ENTRY}(void **arrays);',
        "int main() {",
    ]
    words = {"made": [], "wanted": []}  # type: dict[str, list[str]]
    for k, (one, kind) in enumerate(emitted.arrays):
        count = _count(one)
        for copy, found in words.items():
            own = f"{copy}{k}" if one.is_output else f"in{k}"
            found.append(own)
            if not one.is_output and copy == "wanted":
                continue
            lines.append(f"    {kind} *{own} = ({kind} *)std::calloc({count}, sizeof({kind}));")
            lines.append(f'    FILE *f_{own} = std::fopen("{k}.in", "rb");')
            lines.append(f"    if (std::fread({own}, sizeof({kind}), {count}, f_{own}) != {count})")
            lines.append("        return 1;")
    lines += [
        f"    {name}_host({', '.join(words['made'])});",
        f"    void *arrays[] = {{{', '.join(words['wanted'])}}};",
        f"    {ENTRY}(arrays);",
        "    FILE *out;",
    ]
    for k, (one, kind) in enumerate(emitted.arrays):
        for copy in words if one.is_output else ():
            lines.append(f'    out = std::fopen("{copy}{k}.out", "wb");')
            lines.append(f"    std::fwrite({copy}{k}, sizeof({kind}), {_count(one)}, out);")
            lines.append("    std::fclose(out);")
    return "\n".join([*lines, "}"]) + "\n"


def _count(one: Array) -> int:
    """Elements of an array up to its last one."""
    places = one.places
    steps = {
        "s2s_c": places.channel, "s2s_ky": places.kernel_y, "s2s_kx": places.kernel_x,
        "s2s_y": places.line, "s2s_x": places.point,
    } | {f"s2s_n{k}": step for k, step in enumerate(places.batches)}  # fmt: skip
    return places.start + sum((extent - 1) * steps[name] for name, extent in one.extents) + 1


def _compare(folder: Path, emitted: Emitted) -> None:
    import numpy as np

    pooling = emitted.pooling
    random = np.random.default_rng(1)
    for k, (one, kind) in enumerate(emitted.arrays):
        count = _count(one)
        values: Values
        if one.is_output and not pooling.accumulates:
            values = np.zeros(count)
        elif one.places is pooling.masks:
            values = random.integers(0, 2, count)
        elif "int" in kind:
            values = random.integers(0 if kind[0] == "u" else -100, 100, count)
        else:
            values = random.integers(-512, 512, count) / 64
            values[random.random(count) < 0.2] = 8.0  # several in a window have the maximum
        values.astype(_DTYPES[kind]).tofile(folder / f"{k}.in")
    done = _call(["./main"], folder)
    if done.returncode:
        raise Mismatch(f"the kernel or its source ends with status {done.returncode}")
    for k, (one, kind) in enumerate(emitted.arrays):
        if one.is_output:
            found = [np.fromfile(folder / f"{copy}{k}.out", _DTYPES[kind]).astype(np.float64)
                     for copy in ("made", "wanted")]  # fmt: skip
            _compare_values(one, found[0], found[1], tolerance(pooling))


def _compare_values(one: Array, made: Values, wanted: Values, allowed: float) -> None:
    import numpy as np

    wrong = np.flatnonzero(~((made == wanted) | (np.abs(made - wanted) <= allowed)))
    if wrong.size:
        place = int(wrong[0])
        raise Mismatch(
            f"{wrong.size} of {made.size} elements of '{one.places.array}' differ, first element "
            f"{place}: {made[place]:g}, not {wanted[place]:g}"
        )


def tolerance(pooling: Pooling, largest: float = 8.0) -> float:
    """How far a sum of elements up to ``largest`` may be off: half a unit in the last place of
    each partial sum and of the quotient (2**-11 of it).
    """
    terms = pooling.y.kernel * pooling.x.kernel
    if pooling.kind is Kind.MAX and not pooling.backward:
        return 0.0
    if pooling.backward:
        terms = min(terms, 4096)
        least = 1.0 if pooling.kind is not Kind.AVERAGE else max(1.0, float(pooling.divisor or 1))
        return (terms + 2) * terms * largest / least * 2.0**-11
    divided = float(terms if pooling.divisor is None else pooling.divisor or 1)
    if pooling.kind is Kind.SUM:
        divided = 1.0
    return (terms + 2) * terms * largest / divided * 2.0**-11


_DTYPES = {
    "float": "float32", "double": "float64", "int8_t": "int8", "uint8_t": "uint8",
    "int16_t": "int16", "uint16_t": "uint16", "int32_t": "int32", "half": "float16",
    "int64_t": "int64", "uint32_t": "uint32", "uint64_t": "uint64",
}  # fmt: skip


def _call(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            words, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise Mismatch(f"'{words[0]}' does not end within {_SECONDS} seconds") from None


def _first_error(said: str) -> str:
    lines = said.strip().splitlines()
    return next((line for line in lines if "error" in line), lines[0] if lines else "no message")
