"""Sums of four iterations of a loop at once, where each waits for itself.

::

    for (i = 0; i < n; i++) {            for (i = 0; i < n; i++) {
        float s = 0;                         if (no sum of i is there)
        for (k = 0; k < m; k++)      ->          for (k = 0; k < m; k++) {
            s += square(p[i][k] - x[k]);             s_0 += ...; ... s_3 += ...; }
        if (s < least) {                     if (sums[at] < least) {
            least = s; place = i; }              least = sums[at]; place = i; } }
    }

A sum whose order is kept waits in each step for the one before; sums of different iterations do
not wait for each other (unroll-and-jam, Callahan, Carr and Kennedy 1990, of what distribution,
Allen and Kennedy 1987, would put into a loop of its own). What uses the sums stays where it is, in
its order, so that the nest need not be affine: rows are found through pointers, have lengths that
data say, and stand in functions that are called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import ClassVar

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.team_regions import PerThread
from s2s.frontends.c.text import free_prefix
from s2s.frontends.openmp.directives import Directive
from s2s.rewriters.idioms.loops import CountedLoop, Unproved, Unsuitable, counted_loop
from s2s.rewriters.sums.head import Head, read_head
from s2s.rewriters.sums.lanes import Lanes
from s2s.rewriters.sums.proof import Proof
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit
from s2s.source.flags import is_c90, may_reassociate
from s2s.source.records import dataclass
from s2s.transforms.scop_pass import Look

# Clauses of a shared loop that let each thread run its iterations in their order.
_CLAUSES = frozenset(
    {"private", "firstprivate", "reduction", "shared", "default", "nowait", "schedule",
     "num_threads", "if"}
)  # fmt: skip


@dataclass(frozen=True)
class JamSums(TextPass):
    """The pass: ``rows`` sums are computed at once."""

    name: ClassVar[str] = "jam-sums"
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.NEST, Look.INNERMOST})
    rows: int = field(
        default=4,
        metadata={"help": "sums that are computed at once", "least": 2, "tune": (2, 4, 8)},
    )
    reassociate: bool = field(
        default=False, metadata={"help": "sums and products may be regrouped"}
    )

    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """Loops of a function around sums, where no edit covers them."""
        flags = function.unit.flags
        if is_c90(flags) or function.hidden or self.reassociate or may_reassociate(flags):
            return
        prefix = free_prefix(function.unit.buffer.data)
        for loop in (n for n in function.body.walk() if n.kind == "FOR_STMT"):
            start = function.attached.start(loop.span.start)
            taken = any(e.start < loop.span.end and start < e.end for e in done)
            if taken or loop.in_macro or any(loop.span.overlaps(s) for s in function.off):
                continue
            try:
                edit = self._edit(function, loop, prefix)
            except Unproved as problem:
                yield Rewrite(problem.node.span, problem.reason)
            except (Unsuitable, NotLiftable):
                continue
            else:
                words = f"sums of {self.rows} iterations are computed at once"
                yield Rewrite(loop.span, words, (edit,))
                return

    def _edit(self, function: Function, node: Node, prefix: str) -> Edit:
        head, call, rest = _parts(function, node)
        loop = counted_loop(function, node)
        if loop.counter.node is not None or loop.counter.step is None or len(loop.inductions) != 1:
            raise Unsuitable(node, "the loop does not count")
        governed = function.attached.before(node.span.start)
        _check_directives(node, governed)
        Proof(function, loop, head, rest, call).check()
        lanes = Lanes(function, loop, head, rest, call, self.rows, prefix)
        if governed:
            _check_own(function, loop, lanes)
        span, text = lanes.text(governed)
        return Edit(span.start, span.end, text)


def _parts(function: Function, node: Node) -> tuple[Head, Node | None, Sequence[Node]]:
    """The sums of a loop's body, the call that computes them, and the rest. Raises Unsuitable."""
    statements = node.children[-1].statements
    loops = [n for n, s in enumerate(statements) if s.kind == "FOR_STMT"]
    if loops and statements[0].kind != "NULL_STMT":
        until = loops[0] + 1
        if len(statements) > until:
            return read_head(function, statements[:until], None), None, statements[until:]
        raise Unsuitable(node, "nothing uses the sum")
    for call in (c for s in statements for c in _calls(s)):
        callee = function.calls.definition(call)
        if callee is None or not callee.span or callee.in_macro:
            continue
        head = _called(function, call, callee)
        if head is not None:
            return head, call, statements
    raise Unsuitable(node, "there is no sum")


def _calls(statement: Node) -> Iterator[Node]:
    """Calls that a statement makes whatever its values are."""
    if statement.kind == "DECL_STMT" or statement.assigns or statement.kind == "CALL_EXPR":
        stack = [statement]
        while stack:
            node = stack.pop()
            if node.kind == "CALL_EXPR" and not node.in_macro:
                yield node
            elif node.kind != "CONDITIONAL_OPERATOR" and node.op not in ("&&", "||"):
                stack.extend(node.children)


def _called(function: Function, call: Node, callee: Node) -> Head | None:
    """What a called function computes, None where it is another kind of function."""
    body = callee.children[-1]
    plain = call.type.kind in ("int", "float") and body.kind == "COMPOUND_STMT"
    if not plain:
        return None
    statements = body.statements
    parameters = [n for n in callee.children if n.kind == "PARM_DECL"]
    here = all(n.decl is not None and n.decl.in_file for n in parameters)
    if not here or not 0 < len(parameters) == len(call.children) - 1 or len(statements) < 2:
        return None
    last = statements[-1]
    if last.kind != "RETURN_STMT" or not last.children:
        return None
    if any(n.kind == "RETURN_STMT" for s in statements[:-1] for n in s.walk()):
        return None
    inner = replace(function, node=callee)
    return read_head(inner, statements[:-1], last.children[0])


def _check_directives(node: Node, governed: Sequence[Directive]) -> None:
    """Each thread runs neighbouring iterations in their order. Raises Unsuitable."""
    if not governed:
        return
    if len(governed) != 1 or governed[0].name not in ("for", "parallel for"):
        raise Unsuitable(node, "the loop's directive is another one than 'for'")
    for clause in governed[0].clauses:
        dynamic = clause.name == "schedule" and clause.argument.strip() != "static"
        if clause.name not in _CLAUSES or dynamic:
            raise Unsuitable(node, f"clause '{clause.name}' hands out single iterations")


def _check_own(function: Function, loop: CountedLoop, lanes: Lanes) -> None:
    """Each thread has for itself what the sums are kept in. Raises Unsuitable."""
    threads = PerThread(function.node, function.facts, function.attached, loop.node)
    body = loop.body.span
    for decl in lanes.used:
        inside = decl.in_file and body.start <= decl.offset < body.end
        if not (inside or threads.is_own(decl)):
            raise Unsuitable(loop.node, f"threads share '{decl.name}'")
