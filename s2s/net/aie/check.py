"""An emitted kernel, executed against its source before it leaves.

The kernel's text runs on the simulator; the header's functions that pack, spread and gather run on
the host, as they would for a user, beside the source's own program. Both get the same elements,
random in the range in which no sum overflows, and have to leave the same output.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from s2s.net import Mismatch
from s2s.net.aie.data import SETS, arrays_of, random_arrays
from s2s.net.aie.host import HEADER, Host
from s2s.net.aie.reference import dtype_of
from s2s.net.source import Caller, NotCallable
from s2s.scop.contraction import Array, Contraction
from s2s.scop.cores import Cores
from s2s.scop.vector_kernel import Kernel, PackedArray
from s2s.source.diagnostics import UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    from s2s.simulators.aie.program import Program

    Values = np.ndarray[Any, np.dtype[Any]]

Elements = Callable[[int], "Mapping[str, Values]"]
"""A set of elements by its number: those of each array, with some after its end."""

_SECONDS = 60
_MOST_CORES = 2
"""Cores whose kernels are simulated: the first and the last one."""


class Source(Protocol):
    """A program that can be called with the arrays of its contraction."""

    def caller(self, arrays: Sequence[str]) -> Caller:
        """The file that calls it. Raises NotCallable."""


@dataclass(frozen=True)
class Emitted:
    """What is about to leave: the kernel's text, its header, and what they were printed from."""

    kernel: Kernel
    text: str
    header: str
    cores: Cores | None = None


class _NotRun(Exception):
    """The source could not be run here, and why."""


def check(contraction: Contraction, source: Source, emitted: Emitted) -> str:
    """Run both; empty if the outputs are equal, otherwise why they could not be compared.

    ``contraction`` is the whole program's. Raises Mismatch where the outputs differ or the text
    does not run.
    """
    whole = contraction if emitted.cores is None else emitted.cores.whole
    bits = min(whole.accumulator.bits, emitted.kernel.datapath.accumulator_bits)
    return compare(
        arrays_of(whole), lambda number: random_arrays(whole, bits, number), source, emitted
    )


def compare(arrays: Sequence[Array], elements: Elements, source: Source, emitted: Emitted) -> str:
    """As ``check``, with the program's arrays and the sets of their elements."""
    try:
        caller = source.caller([array.name for array in arrays])
    except NotCallable as problem:
        return str(problem)
    every = range(1 if emitted.cores is None else len(emitted.cores.origins))
    tried = sorted({every[0], every[-1]})[:_MOST_CORES]
    host = Host(emitted.kernel, arrays, emitted.cores, tried)
    with tempfile.TemporaryDirectory(prefix="s2s-net-") as folder:
        run = _Run(Path(folder), elements, emitted, host)
        try:
            run.build(caller)
            run.pack()
        except _NotRun as problem:
            return str(problem)
        run.kernels()
        run.unpack()
        run.compare()
    return ""


class _Run:
    """The steps of one comparison, in a folder of their own."""

    def __init__(self, folder: Path, elements: Elements, emitted: Emitted, host: Host) -> None:
        self._folder = folder
        self._elements = elements
        self._emitted = emitted
        self._host = host
        self._program: Program

    def build(self, caller: Caller) -> None:
        """Compile the source and the host's part. Raises _NotRun, Mismatch."""
        compiler = "g++" if caller.is_cxx else "gcc"
        if shutil.which("gcc") is None or shutil.which(compiler) is None:
            raise _NotRun(f"there is no {compiler}")
        source = str(self._folder / ("source.cc" if caller.is_cxx else "source.c"))
        self._write(source, caller.text)
        self._write(HEADER, self._emitted.header)
        self._write("host.c", self._host.text())
        rounds = ["-ffp-contract=off", "-fno-fast-math"]  # after each operation, as the text says
        own = ["-O1", "-w", "-fwrapv", "-fno-strict-aliasing", *rounds, "-c"]
        of_source = [compiler, *caller.flags, *own, source, "-o", str(self._folder / "source.o")]
        with ThreadPoolExecutor(2) as pool:
            first = pool.submit(self._ran, of_source, None)
            second = pool.submit(self._ran, ["gcc", "-O0", "-w", "-c", "host.c"], self._folder)
            self._read()  # meanwhile
        for done, error, what in (
            (first.result(), _NotRun, f"{compiler} refuses the source"),
            (second.result(), Mismatch, "the header of the kernel does not compile"),
        ):
            if done.returncode:
                raise error(f"{what}: {_first_error(done)}")
        libraries = ["-lm", *(["-lstdc++"] if caller.is_cxx else [])]
        link = ["-fopenmp", "-Wl,--unresolved-symbols=ignore-all", "-o", "host"]
        done = self._ran(["gcc", "host.o", "source.o", *libraries, *link], self._folder)
        if done.returncode:
            raise _NotRun(f"the source does not link: {_first_error(done)}")

    def pack(self) -> None:
        """Run the source on copies of its arrays, and pack them."""
        for number in range(SETS):
            given = self._elements(number)
            for place, array in enumerate(self._host.arrays):
                given[array.name].tofile(self._folder / f"{number}.{place}.in")
        self._call_host("pack")

    def _read(self) -> None:
        """The program of the kernel's text. Raises Mismatch."""
        from s2s.simulators.aie.reading.read import read

        try:
            self._program = read(self._emitted.text, f"{self._emitted.kernel.name}.cc")
        except UserError as error:
            text = error.diagnostics[0].text
            raise Mismatch(f"the emitted kernel is not understood: {text}") from None

    def kernels(self) -> None:
        """Run the kernel's text on the simulator, for each set of elements and each core."""
        from s2s.simulators.aie.execute import KernelFault, execute

        kernel = self._emitted.kernel
        for number in range(SETS):
            for core in self._host.tried:
                arrays = {
                    array.name: self._packed(f"{number}.{core}.{place}.packed", array)
                    for place, array in enumerate(kernel.arrays)
                }
                try:
                    left = execute(self._program, arrays).arrays[kernel.output.name]
                except KernelFault as fault:
                    text = f"the emitted kernel fails in line {fault.line}: {fault}"
                    raise Mismatch(text) from None
                result = left.ravel().astype(dtype_of(kernel.output.type))
                result.tofile(self._folder / f"{number}.{core}.result")

    def _packed(self, name: str, array: PackedArray) -> Values:
        import numpy as np

        return np.fromfile(self._folder / name, dtype_of(array.type))

    def unpack(self) -> None:
        """Bring the kernels' outputs back into the program's own."""
        self._call_host("unpack")

    def compare(self) -> None:
        """Raise Mismatch where an element of the output is not as the source left it."""
        import numpy as np

        name = self._emitted.kernel.output.name
        array = next(a for a in self._host.arrays if a.name == name)
        for number in range(SETS):
            wanted, found, mine, covered = (
                np.fromfile(self._folder / f"{number}.{what}", dtype_of(array.type))
                for what in ("wanted", "found", "mine", "any")
            )
            differing = np.flatnonzero((wanted != found) & ((mine != 0) | (covered == 0)))
            if differing.size:
                at = int(differing[0])
                raise Mismatch(
                    f"the emitted kernel leaves {found[at]} in element {at} of '{name}', the"
                    f" source {wanted[at]} ({differing.size} elements differ)"
                )

    def _call_host(self, mode: str) -> None:
        done = self._ran(["./host", mode], self._folder)
        if done.returncode:
            text = f"the source or its packing ends with status {done.returncode}"
            raise Mismatch(f"{text} on arrays of the extents that were found")

    def _write(self, name: str, text: str) -> None:
        (self._folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")

    def _ran(self, command: list[str], folder: Path | None) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_SECONDS,
                env={**os.environ, "LC_ALL": "C"},
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _NotRun(f"'{command[0]}' takes more than {_SECONDS} seconds") from None


def _first_error(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in done.stderr.splitlines() if "error" in line]
    return (lines or done.stderr.splitlines() or ["no word"])[0]
