"""What the cover of dependence cycles has to do for single loops, in numbers."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2s.scop.nodes import Scop


def counts(
    source: Path, flags: Sequence[str], names: Collection[str]
) -> Iterator[tuple[str, tuple[dict[str, int], float]]]:
    """For each function among ``names`` with one innermost loop its numbers, as Table 4.4 has them.

    They are statements, dependences, cycles, and renamings of sources and sinks that are chosen;
    beside them stand the seconds that the cover took. Loops that cannot be lifted are left out.
    """
    from s2s.frontends.c.not_liftable import NotLiftable
    from s2s.frontends.c.parse import parse
    from s2s.frontends.c.regions import functions
    from s2s.frontends.c.vector_look import innermost_loops
    from s2s.source import SourceBuffer
    from s2s.source.compiler_answers import parser_flags

    buffer = SourceBuffer(str(source), source.read_bytes())
    unit = parse(buffer, tuple(flags), parser_flags(flags))
    for function in functions(unit, every=True) if not unit.errors else ():
        name = function.node.name
        nodes = list(innermost_loops(function.node)) if name in names else []
        if len(nodes) == 1:
            with suppress(NotLiftable):
                scop = function.attempt(nodes).again(guarding=True).scop(separate=True)
                yield name, _numbers(scop)


def _numbers(scop: Scop) -> tuple[dict[str, int], float]:
    from s2s.analyses.cover import cover
    from s2s.scop.nodes import Loop, walk

    loop = [n for n in walk(scop.tree) if isinstance(n, Loop)][-1]
    start = time.perf_counter()
    found = cover(scop, loop)
    seconds = time.perf_counter() - start
    numbers = {
        "statements": len(found.graph.statements),
        "dependences": found.graph.count(),
        "cycles": len(found.cycles),
        "sovr": sum(r.kind == "source" for r in found.chosen),
        "sivr": sum(r.kind == "sink" for r in found.chosen),
    }
    return numbers, seconds
