"""Several iterations of a loop as lanes of vectors through a recurrence that each of them runs.

::

    for (k = 0; k < n; k++) {               for (k = 0; k < n; k++) {
        seed = ...;                             if (no row is left) {
        fill(m, &seed, x);             ->           seeds of 8 iterations;
        for (i = 0; i < m; i++)                     fill of all 8, as lanes: 8 rows
            s += x[i] ...;                      }
    }                                           for (i ..) s += row[i] ...; }

A recurrence waits in each step for the one before: one after the other, calls keep a processor
idle, and there are no vectors along them. Iterations of the loop around are independent as far as
the call goes, so that lanes are made of these (outer-loop vectorization, Nuzman and Zaks, PACT
2008; of whole functions, Karrenberg and Hack, CGO 2011). What uses the results stays where it is,
in its order, in the same thread; only what prepares the calls runs ahead, into rows of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import ClassVar

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.team_regions import PerThread
from s2s.frontends.c.text import free_prefix
from s2s.rewriters.idioms.loops import Unsuitable, counted_loop
from s2s.rewriters.interleaving.flow import pointed_variable
from s2s.rewriters.interleaving.latency import waits_for_itself
from s2s.rewriters.interleaving.slices import Slicer, Slices
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit
from s2s.source.flags import is_c90
from s2s.source.records import dataclass
from s2s.transforms.scop_pass import Look

# Clauses of a shared loop that let each thread run the iterations that it ran.
_CLAUSES = frozenset({"private", "firstprivate", "reduction", "nowait", "schedule"})


@dataclass(frozen=True)
class Interleave(TextPass):
    """The pass: ``lanes`` calls run at once."""

    name: ClassVar[str] = "interleave"
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.NEST})
    lanes: int = field(
        default=8, metadata={"help": "iterations that run at once", "least": 2, "tune": (4, 8, 16)}
    )

    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """Loops of a function that call what waits for itself, where no edit covers them."""
        unit = function.unit
        if unit.is_cxx or is_c90(unit.flags) or function.hidden:
            return
        prefix = free_prefix(unit.buffer.data)
        for loop, call in _calls_in_loops(function.body, None):
            start = function.attached.start(loop.span.start)
            taken = any(e.start < loop.span.end and start < e.end for e in done)
            if taken or any(loop.span.overlaps(s) for s in function.off):
                continue
            callee = _definition(function, call)
            if callee is None or not waits_for_itself(callee):
                continue
            from s2s.rewriters.interleaving.text import Text  # few loops come here

            try:
                slices = self._slices(function, loop, call, callee)
                edit = Text(function, slices, self.lanes, prefix).edit()
            except Unsuitable as problem:
                yield Rewrite(problem.node.span, problem.reason)
            except NotLiftable as problem:
                yield Rewrite(problem.span, problem.reason)
            else:
                words = f"'{call.name}' runs for {self.lanes} iterations of "
                words += f"'{slices.loop.counter.decl.name}' at once, as lanes"
                yield Rewrite(loop.span, words, (edit,), holds_loops=True)
                return

    def _slices(self, function: Function, loop: Node, call: Node, callee: Node) -> Slices:
        governed = function.attached.before(loop.span.start)
        shared = bool(governed)
        if [d.name for d in governed] not in ([], ["for"]):
            raise Unsuitable(loop, "the loop's directive is another one than 'for'")
        for directive in governed:
            for clause in directive.clauses:
                if clause.name not in _CLAUSES or (
                    clause.name == "schedule" and clause.argument.strip() != "static"
                ):
                    raise Unsuitable(loop, f"clause '{clause.name}' hands out single iterations")
        counted = counted_loop(function, loop)
        if counted.counter.node is not None or counted.step != 1 or len(counted.inductions) != 1:
            raise Unsuitable(loop, "the loop does not count by one")
        slices = Slicer(function, counted, call, callee, shared=shared).slices()
        if shared:
            _check_own(function, loop, slices)
        return slices


def _check_own(function: Function, loop: Node, slices: Slices) -> None:
    """Each thread has for itself what is set ahead. Raises Unsuitable."""
    threads = PerThread(function.node, function.facts, function.attached, loop)
    set_: set[Decl] = {d for s in slices.head for d in s.assigned}
    pointed = (n for s in (*slices.head, slices.call) for n in s.walk() if n.op == "&")
    set_ |= {d for n in pointed if (d := pointed_variable(n)) is not None}
    set_ |= {slices.row.array} if slices.row.array is not None else set()
    for decl in set_:
        if not (decl.thread_local or threads.is_own(decl)):
            raise Unsuitable(loop, f"threads share '{decl.name}'")


def _calls_in_loops(node: Node, loop: Node | None) -> Iterator[tuple[Node, Node]]:
    """Calls that are statements of a loop's body, with the loop."""
    for child in node.children:
        if child.kind == "CALL_EXPR" and loop is not None and node is loop.children[-1]:
            yield loop, child
        elif child.kind == "FOR_STMT":
            yield from _calls_in_loops(child, child)
        elif child.kind.endswith("STMT"):
            yield from _calls_in_loops(child, loop if child is loop_body(loop) else None)


def loop_body(loop: Node | None) -> Node | None:
    """The block that a loop repeats."""
    return None if loop is None else loop.children[-1]


def _definition(function: Function, call: Node) -> Node | None:
    """The only function that a call reaches, here or in another file of the program."""
    found = function.calls.definition(call)
    program = function.unit.program
    if found is not None or program is None or call.decl is None or call.decl.is_static:
        return found
    elsewhere = program.definition(call.decl.name)
    if elsewhere is None:
        return None
    other, cursor = elsewhere
    return other.convert(cursor)
