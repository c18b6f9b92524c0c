"""An emitted graph, run on the simulator beside its source.

The header's functions make the files of the ports on the host, the simulator runs the graph's own
text on them, and the header's functions bring back what the graph left. Of a long run only the
first steps are executed, and what they leave is compared.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.emitters.aie.elements import c_type
from s2s.net import Mismatch
from s2s.net.aie.check import Source
from s2s.net.aie.data import SETS, SLACK, arrays_of, random_arrays
from s2s.net.aie.reference import dtype_of
from s2s.net.source import ENTRY, Caller, NotCallable
from s2s.scop.contraction import Array, Contraction
from s2s.source.diagnostics import UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    Values = np.ndarray[Any, np.dtype[Any]]

_SECONDS = 120
_MACS = 4_000_000
"""Multiplications that are executed for one set of elements."""


@dataclass(frozen=True)
class EmittedGraph:
    """``files`` by name; ``header`` is that of the functions for the host.

    ``layers`` follow each other, often one; the first ``lag`` of the ``steps`` leave no output.
    """

    layers: tuple[Contraction, ...]
    name: str
    steps: int
    header: str
    files: Mapping[str, str]
    lag: int = 0

    @property
    def whole(self) -> Contraction:
        """The layer that has the output."""
        return self.layers[-1]

    @property
    def arrays(self) -> list[Array]:
        """The program's arrays, without what layers give to each other."""
        between = {layer.output.array.name for layer in self.layers[:-1]}
        found = {a.name: a for layer in self.layers for a in arrays_of(layer)}
        return [array for name, array in found.items() if name not in between]

    def elements(self, number: int) -> dict[str, Values]:
        """Set ``number`` of elements by array; what a layer gets from another one has any."""
        found: dict[str, Values] = {}
        for place, layer in enumerate(self.layers):
            fixed = frozenset({layer.image.array.name}) if place else frozenset()
            bits = min(layer.accumulator.bits, 48)
            found |= random_arrays(layer, bits, number, fixed)
        return found


def check_graph(source: Source, emitted: EmittedGraph) -> str:
    """Run both; empty if the outputs are equal, otherwise why they could not be compared.

    Raises Mismatch where the outputs differ or the graph does not run.
    """
    arrays = emitted.arrays
    try:
        caller = source.caller([array.name for array in arrays])
    except NotCallable as problem:
        return str(problem)
    each = max(1, sum(layer.macs for layer in emitted.layers) // emitted.steps)
    steps = min(emitted.steps, max(1, _MACS // each - emitted.lag) + emitted.lag)
    with tempfile.TemporaryDirectory(prefix="s2s-net-") as folder:
        return _Run(Path(folder), emitted, arrays, steps).whole(caller)


class _Run:
    def __init__(
        self, folder: Path, emitted: EmittedGraph, arrays: Sequence[Array], steps: int
    ) -> None:
        self._folder = folder
        self._emitted = emitted
        self._arrays = arrays
        self._steps = steps

    def whole(self, caller: Caller) -> str:
        """All steps of a comparison. Raises Mismatch."""
        from s2s.simulators.aie.graph.command import run_folder
        from s2s.simulators.aie.timing.machine import load

        problem = self._build(caller)
        if problem:
            return problem
        for number in range(SETS):
            given = self._emitted.elements(number)
            for place, array in enumerate(self._arrays):
                given[array.name].tofile(self._folder / f"{place}.in")
            self._host("pack")
            try:
                run_folder(str(self._folder), load(), self._steps, timed=False)
            except UserError as error:
                text = error.diagnostics[0].text
                raise Mismatch(f"the emitted graph does not run: {text}") from None
            self._host("unpack")
            self._compare()
        return ""

    def _build(self, caller: Caller) -> str:
        for name, text in self._emitted.files.items():
            path = self._folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        (self._folder / "data").mkdir()
        compiler, ending = ("g++", "cc") if caller.is_cxx else ("gcc", "c")
        source = self._folder / f"source.{ending}"
        source.write_text(caller.text, encoding="utf-8", errors="surrogateescape")
        (self._folder / "host.c").write_text("\n".join([*self._text(), ""]))
        own = ["-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-c"]
        commands = [
            [compiler, *caller.flags, *own, str(source), "-o", str(self._folder / "source.o")],
            ["gcc", "-O1", "-w", "-c", "host.c"],
            ["gcc", "host.o", "source.o", "-lm", *(["-lstdc++"] if caller.is_cxx else []),
             "-fopenmp", "-Wl,--unresolved-symbols=ignore-all", "-o", "host"],
        ]  # fmt: skip
        for number, command in enumerate(commands):
            try:
                done = self._ran(command, None if number == 0 else self._folder)
            except (FileNotFoundError, subprocess.TimeoutExpired):
                return f"'{command[0]}' does not run here"
            if done.returncode and number == 1:
                raise Mismatch(f"the header of the graph does not compile: {_first(done.stderr)}")
            if done.returncode:
                return f"{command[0]} refuses the source: {_first(done.stderr)}"
        return ""

    def _ran(self, command: list[str], folder: Path | None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", timeout=_SECONDS, env={**os.environ, "LC_ALL": "C"}, check=False,
        )  # fmt: skip

    def _host(self, mode: str) -> None:
        done = self._ran(["./host", mode], self._folder)
        if done.returncode:
            text = f"the source or its windows end with status {done.returncode}"
            raise Mismatch(f"{text} on arrays of the extents that were found")

    def _compare(self) -> None:
        import numpy as np

        output = self._emitted.whole.output.array.memory
        wanted, found, mine = (
            np.fromfile(self._folder / name, dtype_of(output.type))
            for name in ("wanted", "found", "mine")
        )
        differing = np.flatnonzero((wanted != found) & (mine != 0))
        if differing.size:
            at = int(differing[0])
            raise Mismatch(
                f"the emitted graph leaves {found[at]} in element {at} of '{output.name}', the"
                f" source {wanted[at]} ({differing.size} elements differ)"
            )

    def _text(self) -> Iterator[str]:
        """The host's program: it runs the source and writes files, or reads them back."""
        whole, name = self._emitted.whole, self._emitted.name
        names = {array.name: f"a{number}" for number, array in enumerate(self._arrays)}
        output = whole.output.array
        yield f'#include "{self._emitted.header}"'
        yield from _PRELUDE
        yield f"void {ENTRY}(void **arrays);"
        yield "int main(int count, char **words)"
        yield "{"
        for number, array in enumerate(self._arrays):
            size = f"{prod(array.extents) + SLACK} * sizeof({c_type(array.type)})"
            yield f'    {c_type(array.type)} *a{number} = load("{number}.in", {size});'
        size = f"{prod(output.memory.extents) + SLACK} * sizeof *{names[output.name]}"
        given = [names[name] for layer in self._emitted.layers for name in self._inputs(layer)]
        yield "    if (words[1][0] == 'p') {"
        words = ", ".join([*given, '"data"'])
        yield f"        if ({name}_write({words})) return 6;"
        yield f"        void *arrays[] = {{{', '.join(names.values())}}};"
        yield f"        {ENTRY}(arrays);"
        yield f'        save("wanted", {names[output.name]}, {size});'
        yield "    } else {"
        yield from self._unpacked(names[output.name], size)
        yield "    }"
        yield "    return 0;"
        yield "}"

    def _inputs(self, layer: Contraction) -> list[str]:
        """Arrays of a layer that the host passes, in the order of the kernel's arguments."""
        known = {array.name for array in self._arrays}
        accesses = {a.array.name: a for a in layer.accesses}
        return [
            name
            for name in layer.arguments or tuple(accesses)
            if name != layer.output.array.name
            and name in known
            and accesses[name].array.data is None
        ]

    def _unpacked(self, output: str, size: str) -> Iterator[str]:
        name, whole = self._emitted.name, self._emitted.whole
        is_whole = self._steps == self._emitted.steps
        test = "if (" if is_whole else "(void)("
        yield f'        {test}{name}_read({output}, "data")){" return 7;" if is_whole else ";"}'
        type_ = c_type(whole.output.array.memory.type)
        yield f"        {type_} *mine = calloc(1, {size});"
        if is_whole:
            yield f"        memset(mine, 1, {size});"
        else:
            array = whole.output.array.name
            last, type_ = whole.name, c_type(whole.output.array.type)
            yield f"        static {type_} ones[{last}_{array}_elements];"
            yield "        memset(ones, 1, sizeof ones);"
            yield f"        for (int n = 0; n < {last}_cores; n += {last}_links)"
            steps = self._steps - self._emitted.lag
            yield f"            for (int step = 0; step < {steps}; ++step)"
            yield f"                {last}_{array}_gather((void *)ones, n, step, mine);"
        yield f'        save("found", {output}, {size});'
        yield f'        save("mine", mine, {size});'


def _first(errors: str) -> str:
    lines = [line for line in errors.splitlines() if "error" in line]
    return (lines or errors.splitlines() or ["no word"])[0]


_PRELUDE = """\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void *load(const char *name, size_t bytes)
{
    FILE *file = fopen(name, "rb");
    void *found = malloc(bytes + 1);
    if (!file || !found || fread(found, 1, bytes, file) != bytes) exit(4);
    fclose(file);
    return found;
}

static void save(const char *name, const void *from, size_t bytes)
{
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(from, 1, bytes, file) != bytes || fclose(file)) exit(5);
}
""".splitlines()
