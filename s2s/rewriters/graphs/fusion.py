"""Node fusion: neighbouring loops over the same vertices become one (section 7.3.1).

::

    parallel for v: if (in(v)) a += d(v);           parallel for v: {
    parallel for v: if (!in(v)) b += d(v);    ->        if (in(v)) a += d(v);
                                                        if (!in(v)) b += d(v); }

Each vertex is visited once: one thread, and one migration to it. The order that results is proved
by ``analyses.legality`` on the region's dependences; the new text keeps that of the bodies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import ClassVar

from s2s.frontends.c.graph_loops import VertexLoop
from s2s.frontends.c.graphs import graphs_of, vertex_loop
from s2s.frontends.c.leaving import leaves_early
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node
from s2s.rewriters.expressions import same
from s2s.rewriters.graphs.clauses import directive_of
from s2s.rewriters.graphs.layout import check_gap, gap, header, indented, inside, margin_of, opened
from s2s.rewriters.graphs.refused import Refused
from s2s.rewriters.graphs.region import analyse_loops
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit, Span
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable
from s2s.transforms.fuse_loops import fuse


@dataclass(frozen=True)
class Fusion(TextPass):
    """Makes one loop of neighbours over the same vertices.

    On Emu that is any loops in parallel, as each one costs threads on all nodelets.
    """

    machine: str = "cpu"
    name: ClassVar[str] = "graph"

    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """The loops of a function that become one, and why others do not."""
        for block in function.body.walk():
            if block.kind == "COMPOUND_STMT":
                for run in _runs(function, block, self.machine):
                    yield from _fused(function, run)


def _runs(function: Function, block: Node, machine: str) -> Iterator[list[VertexLoop]]:
    """Loops of a block that follow each other with the same range, two at least."""
    run: list[VertexLoop] = []
    for child in [*block.children, None]:
        loop = vertex_loop(function, child) if child is not None and (
            child.kind == "FOR_STMT" and not _is_off(function, child)) else None  # fmt: skip
        if loop is not None and run and _same_range(run[0], loop):
            run.append(loop)
            continue
        threads = machine == "emu" and all(v.is_parallel for v in run)
        if len(run) > 1 and (threads or _is_of_graph(function, run)):
            yield run
        run = [loop] if loop is not None else []


def _is_off(function: Function, node: Node) -> bool:
    return any(node.span.overlaps(span) for span in function.off) or bool(function.hidden)


def _same_range(one: VertexLoop, other: VertexLoop) -> bool:
    same_type = one.iterator.type.canonical == other.iterator.type.canonical
    return same_type and same(one.first, other.first) and same(one.last, other.last)


def _is_of_graph(function: Function, run: Sequence[VertexLoop]) -> bool:
    """Whether loops are over the vertices of a graph: one has edges, or the graph is declared."""
    declared = {g.count for g in graphs_of(function)}
    return any(loop.edge_loops or loop.count in declared for loop in run)


def _fused(function: Function, run: list[VertexLoop]) -> Iterator[Rewrite]:
    """One loop for as many as can be, from the first on."""
    taken = run[:1]
    for loop in run[1:]:
        try:
            _prove(function, [*taken, loop])
            taken.append(loop)
        except Refused as problem:
            yield Rewrite(problem.where, problem.reason)
            if len(taken) > 1:
                yield _written(function, taken)
            taken = [loop]
    if len(taken) > 1:
        yield _written(function, taken)


def _prove(function: Function, loops: Sequence[VertexLoop]) -> None:
    """Raise Refused unless the loops may become one."""
    directive_of(loops)
    for loop in loops:
        if leaves_early(loop.body):
            raise Refused(loop.node.span, "not fused: a loop's body is left early")
        if loop.node.in_macro:
            raise Refused(loop.node.span, "not fused: a macro makes part of a loop")
        if not loop.declared and loop.iterator is not loops[0].iterator:
            raise Refused(loop.node.span, "not fused: loops set different variables")
    for one, other in pairwise(loops):
        check_gap(function, one, other)
    try:
        analysis = analyse_loops(function, loops)
        fuse(analysis.scop, analysis.pruned, parallel=any(v.is_parallel for v in loops))
    except Refused as problem:
        raise Refused(problem.where, f"not fused: {problem.reason}") from None
    except NotApplicable as problem:
        raise Refused(problem.where, problem.reason) from None


def _written(function: Function, loops: Sequence[VertexLoop]) -> Rewrite:
    """The loops as one: the first one's header, and each body in a block of its own."""
    first, last = loops[0], loops[-1]
    attempt = function.attempt([loop.node for loop in loops])
    margin = margin_of(function, first.node)
    lines = [directive_of(loops)] if first.directive is not None else []
    lines.append(opened(header(function, first)))
    for loop in loops:
        copy = ""
        if loop.iterator.name != first.iterator.name:
            type_ = loop.iterator.type.spelling
            copy = f"const {type_} {loop.iterator.name} = {first.iterator.name};\n"
        lines += [f"    {{{gap(function, loop)}", indented(copy + inside(function, loop.body), 8)]
        lines.append("    }")
    lines.append("}")
    span = Span(attempt.span.start, attempt.lifter.end(last.node))
    said = f"{len(loops)} loops over the same vertices are one"
    text = indented("\n".join(lines), len(margin)).lstrip()
    return Rewrite(
        first.node.span,
        said,
        (Edit(span.start, span.end, text.encode("utf-8", "surrogateescape")),),
    )
