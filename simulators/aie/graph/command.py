"""``s2s simulate FOLDER --machine aie1``: a graph, its kernels and its test bench.

The folder has ``graph.h`` and ``aie.cpp``; ports of the array read and write the files that the
graph names, those that are written lie beside them as the test bench of the vendor leaves them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from s2s.simulators.aie.graph.build import build, run_main
from s2s.simulators.aie.graph.check import check
from s2s.simulators.aie.graph.cores import Core, dtype_of, element_bits, read_cores
from s2s.simulators.aie.graph.graph import Graph, Outside, Port
from s2s.simulators.aie.graph.run import Ran, run
from s2s.simulators.aie.graph.syntax import Unit, parse
from s2s.simulators.aie.graph.tokens import refusal
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.simulators.aie.program import Array
    from s2s.simulators.aie.timing.machine import Machine

GRAPH, BENCH = "graph.h", "aie.cpp"


@dataclass(frozen=True)
class GraphRun:
    """A graph that ran; ``memory``: bytes in use by core, ``macs`` of all kernels."""

    graph: Graph
    cores: dict[str, Core]
    memory: dict[str, int]
    ran: Ran

    @property
    def macs(self) -> int:
        return sum(core.macs for core in self.cores.values())


def load_graph(folder: str) -> Graph:
    """The graph of a folder with what its test bench does. Raises UserError."""
    unit, path = Unit(), os.path.join(folder, GRAPH)
    parse(_text(path), path, unit)
    graph = build(unit, path)
    bench = os.path.join(folder, BENCH)
    parse(_text(bench), bench, unit)
    run_main(unit, graph, bench)
    return graph


def run_folder(folder: str, machine: Machine, iterations: int = 0, timed: bool = True) -> GraphRun:
    """Run the graph of a folder and write its output files. Raises UserError.

    ``iterations``: fewer than the test bench asks for; a run that is not ``timed`` has values only.
    """
    graph = load_graph(folder)
    cores = read_cores(graph, folder, machine if timed else None)
    path = os.path.join(folder, GRAPH)
    memory = check(graph, cores, machine, path)
    for port, file in graph.updates:
        _update(graph, cores, port, os.path.join(folder, file))
    given = {o.name: _read(graph, cores, o, folder) for o in graph.outside.values() if o.is_input}
    ran = run(graph, cores, machine, given, iterations or graph.iterations)
    for name, data in ran.outputs.items():
        _write(graph, cores, graph.outside[name], data, folder)
    return GraphRun(graph, cores, memory, ran)


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as problem:
        raise refusal(f"{path}: {problem.strerror}", path, 1) from None


def _update(graph: Graph, cores: dict[str, Core], name: str, path: str) -> None:
    """A run-time parameter's elements to the kernels that it is connected to."""
    import numpy as np

    for link in graph.leaving((name, "out", 0)):
        core = cores[link.target[0]]
        argument = next(a for a in core.arguments if a.port == link.target)
        values = np.array(_numbers(path), dtype=np.int64)
        core.parameters[argument.name] = values.astype(dtype_of(core.array(argument.name)))


def _array(graph: Graph, cores: dict[str, Core], port: Port) -> Array:
    """The parameter of a kernel that a port is."""
    core = cores[port[0]]
    return core.array(next(a.name for a in core.arguments if a.port == port))


def _read(graph: Graph, cores: dict[str, Core], outside: Outside, folder: str) -> bytes:
    import numpy as np

    links = graph.leaving((outside.name, "out", 0))
    if not links:
        return b""
    array = _array(graph, cores, links[0].target)
    values = np.array(_numbers(os.path.join(folder, outside.file)), dtype=np.int64)
    return values.astype(dtype_of(array)).tobytes()


def _write(
    graph: Graph, cores: dict[str, Core], outside: Outside, data: bytes, folder: str
) -> None:
    """A file as the vendor's simulator writes it, without time stamps."""
    import numpy as np

    link = graph.feeding((outside.name, "in", 0))
    assert link is not None
    array = _array(graph, cores, link.source)
    values = np.frombuffer(data, dtype_of(array))
    each = max(1, outside.bits // element_bits(array))
    path = os.path.join(folder, outside.file)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    words = [str(value) for value in values.tolist()]
    lines = [" ".join(words[at : at + each]) for at in range(0, len(words), each)]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, ""]))


def _numbers(path: str) -> list[int]:
    """The numbers of a file of a port, without its time stamps."""
    text = _text(path)
    try:
        if "T" in text:
            lines = [line for line in text.splitlines() if not line.startswith("T")]
            text = "\n".join(lines)
        return [int(word) for word in text.split()]
    except ValueError as problem:
        raise refusal(f"{path}: {problem}", path, 1) from None


def report(done: GraphRun, machine: Machine) -> str:
    """Cycles, the rate, and a line for each core."""
    ran, graph = done.ran, done.graph
    rate = done.macs / max(ran.cycles, 1)
    lines = [
        f"graph {graph.name} on {machine.name}: {len(graph.kernels)} kernels,"
        f" {graph.iterations} iterations",
        f"multiplications {done.macs}",
        f"cycles {ran.cycles:.0f}: {rate:.2f} multiplications per cycle",
    ]
    for name, count in ran.moved.items():
        file = graph.outside[name].file
        lines.append(f"  {file}: {count} bytes, {count / max(ran.cycles, 1):.2f} per cycle")
    parameters = sum(
        value.nbytes for core in done.cores.values() for value in core.parameters.values()
    )
    rate = float(machine["array.parameter_rate"]) / float(machine["array.megahertz"])
    lines.append(
        f"  parameters: {parameters} bytes, written before the run over memory-mapped AXI4:"
        f" at least {parameters / rate:.0f} cycles"
    )
    lines.append("core  tile  calls  busy  waits for buffers  for the cascade  bytes  function")
    for name, usage in ran.usage.items():
        kernel = graph.kernels[name]
        at = f"{kernel.at[0]},{kernel.at[1]}" if kernel.at else "any"
        busy = f"{(usage.busy - usage.cascade) / max(ran.cycles, 1):.0%}"
        lines.append(
            f"{name}  {at}  {usage.calls}  {busy}  {usage.locks:.0f}  {usage.cascade:.0f}"
            f"  {done.memory[name]}  {kernel.function}"
        )
    return "\n".join(lines) + "\n"
