"""The files of a design, executed beside the C function that they came from.

Both get the same arrays: the function compiled by gcc in a program of its own, the design cycle
by cycle on the machine, with its streams cut out of the arrays.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from s2s.net import Mismatch
from s2s.net.source import ENTRY, Caller, NotCallable
from s2s.scop.expressions import Const
from s2s.scop.nest import Nest
from s2s.source.diagnostics import UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    Values = np.ndarray[Any, np.dtype[Any]]
    Words = np.ndarray[Any, np.dtype[np.uint32]]

_SECONDS = 60
_FLAGS = ("-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off")


class Source(Protocol):
    """A program that can be called with arrays."""

    def caller(self, arrays: Sequence[str]) -> Caller:
        """The file that calls it. Raises NotCallable."""


class Stream(Protocol):
    """Whose elements a stream has, and the first of them, innermost dimension first."""

    @property
    def array(self) -> str: ...
    @property
    def minima(self) -> tuple[int, ...]: ...


def check_design(
    source: Source, nest: Nest, streams: Mapping[str, Stream], files: Mapping[str, str]
) -> str:
    """Empty if both give the same, otherwise why they could not be compared. Raises Mismatch."""
    with tempfile.TemporaryDirectory(prefix="s2s-net-") as name:
        folder = Path(name)
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
        design = _Design(folder, nest.name)
        arrays = _Arrays(nest, streams, design)
        before = [arrays.made(k) for k in range(len(arrays.names))]
        try:
            after = _run_function(folder, source, arrays.names, before)
        except NotCallable as problem:
            return str(problem)
        design.compare(arrays, before, after)
    return ""


class _Design:
    """The files, as a user's would be read."""

    def __init__(self, folder: Path, name: str) -> None:
        from s2s.simulators.amber.design import read_design
        from s2s.simulators.amber.machine import load
        from s2s.simulators.amber.netlist import flatten
        from s2s.simulators.amber.placement import read_placement
        from s2s.source.clockwork.memory_file import read_program

        try:
            design = read_design(f"{folder}/{name}_design.json")
            self.program = replace(read_program(design.memory), streamed=design.streamed)
            self.netlist = flatten(design, self.program, load())
            self.placed: Mapping[str, Sequence[str]] | None = None
            place = folder / f"{name}.place.json"
            if place.is_file():
                placement = read_placement(str(place), design, self.program, load())
                self.placed = placement.functions.texts
        except UserError as error:
            raise Mismatch(f"the emitted design fails: {_said(error)}") from None
        self.compute = design.compute

    def compare(self, arrays: _Arrays, before: Sequence[Values], after: Sequence[Values]) -> None:
        """Run it on what was before. Raises Mismatch where it gives something else than after."""
        import numpy as np

        from s2s.simulators.amber.execute import execute

        flat = [np.zeros(0, np.uint32)]
        flat += [arrays.words(name, before) for name in self.program.inputs]
        try:
            made = execute(
                self.program, self.compute, self.netlist, np.concatenate(flat), placed=self.placed
            ).words
        except UserError as error:
            raise Mismatch(f"the emitted design fails: {_said(error)}") from None
        first = 0
        for name in self.program.outputs:
            wanted = arrays.words(name, after)
            own = made[first : first + wanted.size]
            first += wanted.size
            if not np.array_equal(own, wanted):
                place = int(np.nonzero(own != wanted)[0][0])
                array = arrays.streams[name].array
                raise Mismatch(
                    f"the emitted design gives {own[place]} for word {place} of '{array}', the"
                    f" function {wanted[place]} ({int((own != wanted).sum())} words differ)"
                )


def _said(error: UserError) -> str:
    said = error.diagnostics[0]
    return f"line {said.location.line}: {said.text}" if said.location else said.text


@dataclass(frozen=True)
class _Arrays:
    """The function's arrays, as large as they are declared, or as the design touches them."""

    nest: Nest
    streams: Mapping[str, Stream]
    design: _Design

    @property
    def names(self) -> list[str]:
        """All that streams come from or go to, in the order of the function's arguments."""
        used = {stream.array for stream in self.streams.values()}
        return [a.name for a in self.nest.arguments if a.name in used]

    def shape(self, array: str) -> tuple[int, ...]:
        """Extents, outermost dimension first."""
        argument = next(a for a in self.nest.arguments if a.name == array)
        assert argument.tensor is not None
        ends = [0] * len(argument.tensor.dimensions)
        for name, stream in self.streams.items():
            if stream.array == array:
                extents = self.design.program.boxes[name].extents[::-1]
                sizes = [a + b for a, b in zip(stream.minima, extents, strict=False)]
                ends = [max(a, b) for a, b in zip(ends, sizes, strict=True)]
        for k, dimension in enumerate(argument.tensor.dimensions):
            if isinstance(dimension.extent, Const):
                ends[k] = int(dimension.extent.value)
        return tuple(ends[::-1])

    def kind(self, array: str) -> np.dtype[Any]:
        from s2s.net.pipelines.arrays import dtype

        argument = next(a for a in self.nest.arguments if a.name == array)
        return dtype(argument.type)

    def made(self, number: int) -> Values:
        """Values that are made up: of integers all bits, floats of a few."""
        import numpy as np

        array = self.names[number]
        kind, shape = self.kind(array), self.shape(array)
        random = np.random.default_rng(number)
        if kind.kind == "f":
            found: Values = (random.integers(-512, 512, shape) / 8).astype(kind)
            return found
        bits = kind.itemsize * 8
        words = random.integers(0, 1 << min(bits, 32), shape, np.uint64)
        return words.astype(f"u{kind.itemsize}").view(kind)

    def words(self, name: str, values: Sequence[Values]) -> Words:
        """A stream's words, those of an array's elements."""
        import numpy as np

        stream, box = self.streams[name], self.design.program.boxes[name]
        array = values[self.names.index(stream.array)]
        extents = box.extents[: len(stream.minima)] if stream.minima else ()
        ends = zip(stream.minima[::-1], extents, strict=True)
        part = array[tuple(slice(low, low + size) for low, size in ends)]
        part = np.ascontiguousarray(part)
        if part.dtype.kind in "fb":
            part = part.view(f"u{part.dtype.itemsize}")
        mask = 2 ** self.design.program.width(name) - 1
        found: Words = (part.astype(np.int64) & mask).astype(np.uint32).ravel()
        return found


def _run_function(
    folder: Path, source: Source, names: Sequence[str], before: Sequence[Values]
) -> list[Values]:
    """What the function makes of the arrays. Raises NotCallable."""
    import numpy as np

    caller = source.caller(list(names))
    compiler = "g++" if caller.is_cxx else "gcc"
    if shutil.which(compiler) is None:
        raise NotCallable(f"there is no {compiler}")
    text = folder / ("function.cc" if caller.is_cxx else "function.c")
    text.write_text(caller.text + _main(before))
    program = folder / "function"
    link = ["-Wl,--unresolved-symbols=ignore-all", "-lm", "-o", str(program)]
    done = _call([compiler, *caller.flags, *_FLAGS, str(text), *link])
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        raise NotCallable(f"{compiler} refuses the source: {(errors or ['no message'])[0]}")
    np.concatenate([np.frombuffer(a.tobytes(), np.uint8) for a in before]).tofile(folder / "before")
    done = _call([str(program), str(folder / "before"), str(folder / "after")])
    if done.returncode:
        raise NotCallable(f"the function ends with status {done.returncode} on made-up arrays")
    data = np.fromfile(folder / "after", np.uint8)
    found, first = [], 0
    for array in before:
        found.append(data[first : first + array.nbytes].view(array.dtype).reshape(array.shape))
        first += array.nbytes
    return found


def _main(arrays: Sequence[Values]) -> str:
    """A program that reads arrays, calls the function and writes them."""
    size = sum(a.nbytes for a in arrays)
    lines = [
        "#include <stdio.h>",
        f"static char s2s_bytes[{size}] __attribute__((aligned(64)));",
        "int main(int count, char **names)",
        "{",
        '    FILE *file = fopen(names[1], "rb");',
        f"    if (!file || fread(s2s_bytes, 1, {size}, file) != {size})",
        "        return 1;",
        "    fclose(file);",
        f"    static char s2s_own[{len(arrays)}][{max(a.nbytes for a in arrays)}]"
        " __attribute__((aligned(64)));",
        f"    void *arrays[{len(arrays)}];",
    ]
    first = 0
    for k, array in enumerate(arrays):
        lines.append(f"    __builtin_memcpy(s2s_own[{k}], s2s_bytes + {first}, {array.nbytes});")
        lines.append(f"    arrays[{k}] = s2s_own[{k}];")
        first += array.nbytes
    lines.append(f"    {ENTRY}(arrays);")
    first = 0
    for k, array in enumerate(arrays):
        lines.append(f"    __builtin_memcpy(s2s_bytes + {first}, s2s_own[{k}], {array.nbytes});")
        first += array.nbytes
    lines += [
        '    file = fopen(names[2], "wb");',
        f"    return !file || fwrite(s2s_bytes, 1, {size}, file) != {size} || fclose(file);",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _call(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise NotCallable(f"{command[0]} takes more than {_SECONDS} seconds") from None
