"""A kernel on its tile: the program, its ports, how long a call takes, and what it leaves."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from s2s.simulators.aie.graph.graph import Graph, Kernel, Port
from s2s.simulators.aie.graph.tokens import refusal
from s2s.simulators.aie.program import Array, Program
from s2s.simulators.aie.values import ScalarType, VectorType
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.simulators.aie.timing.machine import Machine

SUMS = 8
"""Sums in one transfer over the cascade."""
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


@dataclass(frozen=True)
class Argument:
    """A parameter of a kernel's function; ``kind``: buffer, cascade or parameter."""

    name: str
    kind: str
    port: Port


@dataclass
class Text:
    """A kernel's function as it was read, shared by all cores that run it.

    ``cycles`` are those of a call, by the places of its buffers; without a ``machine`` they are 1.
    """

    program: Program
    parameters: tuple[tuple[str, str, str, int], ...]
    """Name, kind, side and number of each."""
    machine: Machine | None
    trips: dict[int, float] | None = None
    cycles: dict[tuple[int, ...], float] = field(default_factory=dict)


@dataclass
class Core:
    """``kept`` are arrays of the kernel's own that live on from call to call."""

    kernel: Kernel
    text: Text
    arguments: tuple[Argument, ...]
    parameters: dict[str, Any] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    macs: int = 0

    @property
    def program(self) -> Program:
        return self.text.program

    def array(self, name: str) -> Array:
        """A parameter that is memory. Raises UserError where it is none."""
        found = next((p for p in self.program.parameters if p.name == name), None)
        if not isinstance(found, Array):
            text = f"'{name}' of '{self.kernel.function}' is no buffer and no array"
            raise refusal(text, self.kernel.source, 1)
        return found

    def bytes_of(self, name: str, elements: int) -> int:
        """Bytes of so many elements of a parameter."""
        return elements * element_bits(self.array(name)) // 8

    def call(self, inputs: Mapping[str, bytes], cascade: Any) -> tuple[dict[str, bytes], Any]:
        """Run the kernel once: its outputs, and what it sends. Raises UserError for a fault."""
        import numpy as np

        from s2s.simulators.aie.execute import KernelFault, execute
        from s2s.simulators.aie.report import average_trips

        given: dict[str, Any] = dict(self.kept)
        for name, data in inputs.items():
            given[name] = np.frombuffer(data, dtype_of(self.array(name)))
        given |= self.parameters
        if cascade is not None:
            given["cascade_in"] = cascade
        try:
            done = execute(self.program, given)
        except KernelFault as fault:
            path = self.kernel.source
            place = Location(path, fault.line or 1, 1, fault.line or 1, 1)
            text = f"{self.kernel.name}: {fault}"
            raise UserError(Diagnostic(Severity.ERROR, text, "simulate", place)) from None
        if self.text.trips is None:
            self.text.trips = average_trips(self.program, done.counts)
        self.macs += done.counts.multiplications
        self.kept = {a.name: done.arrays[a.name] for a in self.program.arrays if a.is_static}
        outputs = {
            a.name: done.arrays[a.name].ravel().astype(dtype_of(self.array(a.name))).tobytes()
            for a in self.arguments
            if a.kind == "buffer" and a.port[1] == "out"
        }
        return outputs, done.arrays.get("cascade_out")

    def cycles(self, graph: Graph, turn: int) -> float:
        """Cycles of the call number ``turn``, with the copies of buffers that it works on."""
        from s2s.simulators.aie.timing.estimate import estimate

        if self.text.machine is None:
            return 1.0
        known = self.text.cycles
        places = {a.name: graph.places.get(a.port, ()) for a in self.arguments}
        copies = tuple(p[turn % len(p)] if p else -1 for p in places.values())
        if copies not in known:
            chosen = dict(zip(places, copies, strict=True))
            parameters = tuple(
                replace(p, place=chosen[p.name])
                if isinstance(p, Array) and chosen.get(p.name, -1) >= 0
                else p
                for p in self.program.parameters
            )
            program = replace(self.program, parameters=parameters)
            known[copies] = estimate(program, self.text.machine, self.text.trips or {}).total
        return known[copies]


def element_bits(array: Array) -> int:
    kind = array.element
    if isinstance(kind, VectorType):
        return kind.width
    assert isinstance(kind, ScalarType)
    return kind.bits


def dtype_of(array: Array) -> Any:
    """The type of numpy for an array's elements."""
    import numpy as np

    kind = array.element
    bits = kind.bits if isinstance(kind, ScalarType | VectorType) else 32
    signed = not isinstance(kind, ScalarType | VectorType) or kind.signed
    return np.dtype(f"{'i' if signed else 'u'}{bits // 8}")


def read_cores(graph: Graph, folder: str, machine: Machine | None) -> dict[str, Core]:
    """The programs of all kernels' files; no cycles without a machine. Raises UserError."""
    texts: dict[tuple[str, str], Text] = {}
    found = {}
    for name, kernel in graph.kernels.items():
        path = os.path.join(folder, kernel.source)
        key = path, kernel.function
        if key not in texts:
            texts[key] = _read(kernel, path, machine)
        text = texts[key]
        ports = tuple(Argument(p, k, (name, s, n)) for p, k, s, n in text.parameters)
        found[name] = Core(replace(kernel, source=path), text, ports)
    return found


def _read(kernel: Kernel, path: str, machine: Machine | None) -> Text:
    from s2s.simulators.aie.reading.read import read

    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError as problem:
        raise refusal(f"{path}: {problem.strerror}", path, 1) from None
    program = read(text, path, function=kernel.function)
    return Text(program, _parameters(kernel, text, path), machine)


def _parameters(kernel: Kernel, text: str, path: str) -> tuple[tuple[str, str, str, int], ...]:
    """The parameters of a kernel's function with the ports that they are, numbered by direction."""
    plain = _COMMENT.sub(" ", text)
    match = re.search(rf"\bvoid\s+{re.escape(kernel.function)}\s*\(", plain)
    if match is None:
        raise refusal(f"there is no function 'void {kernel.function}(..)'", path, 1)
    counts = {"in": 0, "out": 0}
    found = []
    for word in _split(plain[match.end() :]):
        side = "out" if re.search(r"\boutput_", word) else "in"
        kind = "parameter"
        if re.search(r"\b(?:in|out)put_(?:cascade\b|stream_acc)", word):
            kind = "cascade"
        elif re.search(r"\b(?:in|out)put_(?:\w+_)?(?:buffer|window)", word):
            kind = "buffer"
        elif re.search(r"\b(?:in|out)put_(?:stream|pktstream)", word):
            raise refusal(f"streams of kernels are not simulated in a graph: {word}", path, 1)
        name = re.search(r"(\w+)\s*\)?\s*(?:\[[^\]]*\])?\s*$", word)
        if name is None:
            raise refusal(f"the parameter '{word}' is not understood", path, 1)
        found.append((name[1], kind, side, counts[side]))
        counts[side] += 1
    return tuple(found)


def _split(text: str) -> list[str]:
    """The parameters up to the closing bracket."""
    found, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        if sign in "(<[":
            depth += 1
        elif sign == ")" and depth == 0:
            found.append(text[start:at].strip())
            break
        elif sign in ")>]":
            depth -= 1
        elif sign == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    return [word for word in found if word]
