"""A design whose nodes wait for words and for room: ``NAME_handshakes.json``, and its run.

``docs/clockwork.md`` says what each field means. Where a stream stands still, what depends on it
waits; where all wait for each other, an error names who waits for whom.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from graphlib import CycleError, TopologicalSorter
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.simulators.amber.design import Counts
from s2s.simulators.amber.execute import FAULT, compiled_text, run_compiled
from s2s.simulators.amber.faults import described
from s2s.simulators.amber.generate import cpp_text
from s2s.simulators.amber.netlist import linear_element
from s2s.simulators.amber.problems import problem
from s2s.source.reading import read_source
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.simulators.amber.data import Words
    from s2s.source.clockwork.programs import Program
    from s2s.source.diagnostics import UserError

KINDS = ("input", "output", "kernel", "write", "read")  # in the engine's order
WIRE = "wire"


@dataclass(frozen=True)
class Node:
    """A node as it stands in the file."""

    name: str
    type: str
    fields: Mapping[str, Any]

    @property
    def count(self) -> int:
        """How many turns it has."""
        return sum(prod(turns["extent"]) for turns in self.fields["turns"])


@dataclass(frozen=True)
class Handshakes:
    """A design of a file; nodes are its ``instances``, each after those to which wires lead."""

    path: str
    instances: Mapping[str, Node]
    queues: list[Mapping[str, Any]]


@dataclass(frozen=True)
class HandshakeRun:
    """Cycles of a run, the words of its outputs; of each queue the most words, of each node its
    turns and in how many cycles it waited for words and for room.
    """

    design: Handshakes
    cycles: int
    words: Words
    longest: tuple[int, ...]
    nodes: Mapping[str, tuple[int, ...]]

    def record(self) -> dict[str, Any]:
        """All counts, for JSON."""
        pairs = zip(self.design.queues, self.longest, strict=True)
        names = ("from", "to", "port", "kind", "capacity", "tiles")
        queues = [{n: q[n] for n in names if n in q} | {"longest": most} for q, most in pairs]
        counts = ("turns", "waited_for_words", "waited_for_room")
        nodes = {n: dict(zip(counts, each, strict=True)) for n, each in self.nodes.items()}
        return {"cycles": self.cycles, "queues": queues, "nodes": nodes}


def read_handshakes(path: str) -> Handshakes:
    """The design of a file. Raises UserError for one that is none."""
    try:
        table = json.loads(read_source(path))
        if table["format"] != 1:
            raise problem(f"{path}: is no design of format 1")
        nodes = {n: Node(n, fields["type"], fields) for n, fields in table["nodes"].items()}
        queues = list(table["queues"])
        return Handshakes(path, _sorted(path, nodes, queues), queues)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise problem(f"{path}: a field is missing or wrong: {error}") from None


def _sorted(
    path: str, nodes: Mapping[str, Node], queues: list[Mapping[str, Any]]
) -> dict[str, Node]:
    """Nodes in an order in which words by wires alone lead forward. Raises UserError."""
    graph: TopologicalSorter[str] = TopologicalSorter({name: () for name in nodes})
    for queue in queues:
        source = nodes[queue["from"]]
        if queue["kind"] == WIRE and not source.fields.get("latency"):
            graph.add(queue["to"], queue["from"])
    try:
        return {name: nodes[name] for name in graph.static_order()}
    except CycleError as error:
        names = " -> ".join(error.args[1])
        raise problem(f"{path}: a circle without a register: {names}") from None


@contextmanager
def compiled_handshakes(
    found: Handshakes, program: Program, compute: str
) -> Iterator[CompiledHandshakes]:
    """What runs a design on words, again and again. Raises UserError."""
    try:
        numbers = list(_numbers(found, program))
    except (KeyError, TypeError, ValueError) as error:
        raise problem(f"{found.path}: a field is missing or wrong: {error}") from None
    text = cpp_text(program, str(Path(compute).resolve()), numbers)
    with compiled_text(text, compute) as folder:
        yield CompiledHandshakes(folder, found, program)


@dataclass(frozen=True)
class CompiledHandshakes:
    """A compiled design in its folder."""

    folder: Path
    found: Handshakes
    program: Program

    def __call__(self, words: Words, *, check: bool = True, stalls: int = 0) -> HandshakeRun:
        """Run it on the words of the input streams; streams stand still in ``stalls`` percent of
        the cycles. Raises UserError for what goes wrong, a deadlock among it.
        """
        import numpy as np

        found = self.found
        done = run_compiled(self.folder, words, "hp" if check else "h", stalls)
        said = json.loads(done.stdout)
        if done.returncode == FAULT:
            if "deadlock" in said:
                raise _deadlock(found, said)
            raise described(said, found, self.program)
        nodes = {n: tuple(k) for n, k in zip(found.instances, said["nodes"], strict=True)}
        given = np.fromfile(self.folder / "out", "<u4")
        return HandshakeRun(found, said["cycles"], given, tuple(said["queues"]), nodes)


def _deadlock(found: Handshakes, said: Mapping[str, Any]) -> UserError:
    """Who waits for whom."""
    parts = []
    for number, is_room in said["waits"]:
        queue = found.queues[number]
        if is_room:
            words = f"{queue['capacity']} word{'s' if queue['capacity'] != 1 else ''}"
            parts.append(
                f"'{queue['from']}' waits for room in its queue of {words} to port"
                f" '{queue['port']}' of '{queue['to']}'"
            )
        else:
            parts.append(f"'{queue['to']}' waits at port '{queue['port']}' for '{queue['from']}'")
    return problem(f"{found.path}: deadlock in cycle {said['deadlock']}: {', '.join(parts)}")


# ---- the numbers that the engine loads (include/handshakes.cpp)


def _numbers(found: Handshakes, program: Program) -> Iterator[int]:
    operations = {operation.name: k for k, (operation, _) in enumerate(program.operations)}
    places = {name: k for k, name in enumerate(found.instances)}
    yield len(found.instances)
    for node in found.instances.values():
        yield from _node(node, places[node.name], program, operations)
    yield len(found.queues)
    for queue in found.queues:
        yield from _queue(queue, found.instances[queue["to"]], places)


def _node(node: Node, place: int, program: Program, operations: Mapping[str, int]) -> Iterator[int]:
    yield from (KINDS.index(node.type), place, node.fields.get("latency", 0), node.count)
    yield len(node.fields["turns"])
    for turns in node.fields["turns"]:
        yield from (len(turns["extent"]), *turns["extent"])
        yield from _row(turns["turn"])
        yield operations[turns["operation"]] if node.type == "kernel" else -1
        index = turns.get("index", [])
        yield len(index)
        for row in index:
            yield from _row(row)
        if node.type in ("input", "output"):
            counts = [Counts(row["start"], tuple(row["stride"])) for row in turns["element"]]
            whole = linear_element(program.boxes[node.fields["buffer"]], counts)
            stride = whole.stride or (0,) * len(turns["extent"])
            yield from (whole.start, *stride)


def _queue(queue: Mapping[str, Any], reader: Node, places: Mapping[str, int]) -> Iterator[int]:
    """A queue, and for each piece of its reader's turns that takes words from it which they are."""
    port, kind = queue["port"], queue["kind"]
    number = int(port.removeprefix("in") or 0)
    yield from (places[queue["from"]], places[queue["to"]], number, queue["capacity"])
    yield int(kind != WIRE)
    taken = [
        (k, turns["takes"][port])
        for k, turns in enumerate(reader.fields["turns"])
        if turns.get("takes", {}).get(port, {}).get("from") == queue["from"]
    ]
    yield len(taken)
    for k, word in taken:
        yield from (k, *_row(word))


def _row(counts: Mapping[str, Any]) -> Iterator[int]:
    yield from (counts["start"], *counts["stride"])
