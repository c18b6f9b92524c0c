"""Dynamic schedules for parallel loops whose iterations differ in cost.

::

    #pragma omp parallel for                      #pragma omp parallel for schedule(dynamic, ...)
    for (j = 0; j < n; j++)                ->     for (j = 0; j < n; j++)
        x[j] = search(table, n, key[j]);              x[j] = search(table, n, key[j]);

Without a schedule clause compilers give each thread one contiguous part. That is unbalanced where
an inner loop is longer in later iterations (triangles), or is left early depending on data. Only
the directive's text changes, so such loops need not be affine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import ClassVar

from s2s.frontends.c.affine import Affine
from s2s.frontends.c.counted_loops import counted_loop
from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.leaving import leaves_loop
from s2s.frontends.c.lift import Lifter
from s2s.frontends.c.loop_range import loop_header
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.raw import RawLeaf
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.openmp.directives import Directive
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.rewriters.unroll_searches import searches
from s2s.scop.nodes import LoopVariable
from s2s.source import Edit, SourceBuffer
from s2s.source.records import dataclass

# Clauses that have nothing to do with which thread runs an iteration.
_NEUTRAL = frozenset({"private", "firstprivate", "lastprivate", "shared", "default", "reduction",
                      "num_threads", "if", "proc_bind"})  # fmt: skip
_NAME = re.compile(rb"parallel(?:\s|\\\r?\n)+for\b")
# An inner loop of no more iterations costs about the same however early it is left.
_SHORT = 64
# Chunks for each loop: enough to balance some dozens of threads, few enough to cost nothing.
_CHUNKS = 256


@dataclass(frozen=True)
class Balance(TextPass):
    """The pass: ``chunk`` iterations are handed out together; 0 asks for a part of all of them."""

    name: ClassVar[str] = "balance"
    directives_only: ClassVar[bool] = True
    chunk: int = field(
        default=0, metadata={"help": "iterations of a chunk, 0: by the loop's length", "least": 0}
    )

    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """The directives of one function that get a schedule."""
        for loop in function.node.walk():
            directives = function.attached.before(loop.span.start)
            if loop.kind != "FOR_STMT" or len(loop.children) != 4 or not directives:
                continue
            directive = directives[-1]
            if any(loop.span.overlaps(span) for span in function.off) or not _is_open(directive):
                continue
            reason = _uneven(function, loop)
            place = _insertion(function.unit.buffer, directive)
            if reason is None or place is None or any(e.start <= place < e.end for e in done):
                continue
            if _may_move(function, loop, directive):
                clause = f" schedule(dynamic, {self._chunk(function, loop)})"
                found = tuple(s for b in _bodies(function, loop) for s in searches(b))
                edit = Edit(place, place, clause.encode())
                yield Rewrite(loop.span, f"dynamic schedule: {reason}", (edit,), found)

    def _chunk(self, function: Function, loop: Node) -> str:
        if self.chunk:
            return str(self.chunk)
        length = _length(function, loop)
        if length is None:
            return "16"
        if length.isdigit():
            return str(int(length) // _CHUNKS + 1)
        return f"{length} > 0 ? {length} / {_CHUNKS} + 1 : 1"


def _is_open(directive: Directive) -> bool:
    """Whether a directive distributes a loop and leaves the schedule to the implementation."""
    named = {clause.name for clause in directive.clauses}
    return directive.name == "parallel for" and named <= _NEUTRAL


def _insertion(buffer: SourceBuffer, directive: Directive) -> int | None:
    """Where a clause can be put in: after the directive's name."""
    found = _NAME.search(buffer.data, directive.span.start, directive.span.end)
    return None if found is None else found.end()


def _length(function: Function, loop: Node) -> str | None:
    """C text of about how many iterations a loop has, None where it is not simple."""
    try:
        counted = counted_loop(loop)
        (bound, *others) = counted.bounds(counted.constant_step)
    except NotAffine:
        return None
    if others or counted.constant_step != 1 or bound.relation == "!=":
        return None
    limit = bound.limit.uncast
    if limit.value is not None:
        return str(limit.value) if limit.value > 0 else None
    return limit.name if limit.kind == "DECL_REF_EXPR" else None


# -- costs --------------------------------------------------------------------------------------


def _uneven(function: Function, loop: Node) -> str | None:
    """Why iterations differ in cost, None where nothing says so."""
    body = loop.children[3]
    for node in body.walk():
        if node.is_loop and _depends_on_data(node):
            return "an inner loop is left early"
        if node.kind == "CALL_EXPR":
            for callee in _callees(function, node):
                if any(n.is_loop and _depends_on_data(n) for n in callee.walk()):
                    return f"'{node.name}' has a loop that is left early"
    triangle = _triangle(function, loop)
    return None if triangle is None else f"the loop over '{triangle}' gets longer or shorter"


def _depends_on_data(loop: Node) -> bool:
    """Whether a loop of some length ends when data says so."""
    if loop.kind in ("WHILE_STMT", "DO_STMT"):
        return True
    if loop.kind != "FOR_STMT" or len(loop.children) != 4 or not leaves_loop(loop.children[3]):
        return False
    numbers = [n.value for n in loop.children[1].children if n.value is not None]
    return not any(abs(number) <= _SHORT for number in numbers)


def _callees(function: Function, call: Node) -> Iterator[Node]:
    """The functions of the file that a call reaches."""
    seen: set[Decl] = set()
    pending = [call]
    while pending:
        node = pending.pop()
        if node.decl is None or node.decl in seen:
            continue
        seen.add(node.decl)
        body = function.calls.definition(node)
        if body is not None:
            yield body
            pending += [n for n in body.walk() if n.kind == "CALL_EXPR"]


def _bodies(function: Function, loop: Node) -> list[Node]:
    """A loop and the bodies of the file's functions that it calls."""
    calls = [n for n in loop.walk() if n.kind == "CALL_EXPR"]
    return [loop, *(b for call in calls for b in _callees(function, call))]


def _triangle(function: Function, loop: Node) -> str | None:
    """The inner loop whose length depends on the iterator of ``loop``."""
    outer = _iterator(loop)
    if outer is None:
        return None
    lifter = function.attempt([loop]).lifter
    name = lifter.affine.fresh_name(outer.name)
    variable = LoopVariable(name, outer.name, outer.type.spelling, False)
    context = Context((variable,), (outer,), ("true",))
    for node in loop.children[3].walk():
        if node.kind == "FOR_STMT" and _length_has(node, name, lifter.affine, context):
            inner = _iterator(node)
            return inner.name if inner is not None else ""
    return None


def _iterator(loop: Node) -> Decl | None:
    try:
        return counted_loop(loop).variable
    except NotAffine:
        return None


def _length_has(loop: Node, name: str, affine: Affine, context: Context) -> bool:
    """Whether a counted loop's length is affine and depends on a name."""
    try:
        header = loop_header(loop, affine, context)
    except NotAffine:
        return False
    if len(header.bounds) != 1 or header.start is None:
        return False
    bound = affine.polynomial(header.bounds[0].limit, context)
    return bound is not None and bool((bound - header.start).coefficient((name,)))


# -- whether the threads may be others ----------------------------------------------------------


def _may_move(function: Function, loop: Node, directive: Directive) -> bool:
    """Whether nothing shows which thread runs an iteration, or in which order they end.

    Floating-point reductions would be grouped in another way. Variables that live longer than an
    iteration, thread numbers, output and unknown calls keep a loop as it is.
    """
    if any(n.name.startswith("omp_") for b in _bodies(function, loop) for n in b.walk()
           if n.kind in ("CALL_EXPR", "DECL_REF_EXPR")):  # fmt: skip
        return False
    if any(d.name == "threadprivate" for d in function.attached.directives):
        return False
    lifter = function.attempt([loop]).lifter
    try:
        leaf = lifter.whole(loop.children[3])
    except NotLiftable:
        return False
    return _is_independent(leaf, lifter, directive, _iterator(loop))


def _is_independent(
    leaf: RawLeaf, lifter: Lifter, directive: Directive, iterator: Decl | None
) -> bool:
    reduced = set(directive.listed("reduction"))
    private = set(directive.listed("private", "lastprivate"))
    copied = set(directive.listed("firstprivate", "lastprivate"))
    for touch in leaf.touches:
        root = touch.root
        if root is None or root.thread_local:
            return False
        if root in leaf.declares or not touch.write:
            continue
        if root.name in reduced:
            if root.type.kind != "int":
                return False
        elif touch.is_scalar:
            own = root.name in private and root not in leaf.exposed
            if not own or root.name in copied or root is iterator:
                return False
        elif root.name in private | copied and "*" not in touch.key:
            return False
    exposed = {d.name for d in leaf.exposed if d is not iterator}
    return not exposed & private and not any(d.is_static for d in leaf.declares)
