"""Edge flipping: vertices that pull along their incoming edges push along their outgoing ones.

::

    parallel for v: for e in in(v):             parallel for u: for e in out(u):
        next[v] = min(next[v],           ->         atomic next[nbr(e)] =
                      dist[nbr(e)] + w[e])              min(next[nbr(e)], dist[u] + w[e])

Section 7.3.2. The other way round the atomics go away. Both loops make the same updates with the
same values: an edge is in a list of each of its ends. They make them in another order, so updates
have to commute, and nothing that they read may be written by them.
"""

from __future__ import annotations

from s2s.frontends.c.graph_loops import GraphAccess, Of, VertexLoop
from s2s.frontends.c.graph_pragmas import Graph
from s2s.frontends.c.graphs import graphs_of
from s2s.frontends.c.places import Field, ValueAt
from s2s.frontends.c.syntax import Node
from s2s.rewriters.graphs.edge_lists import Program, find_graph
from s2s.rewriters.graphs.independence import check_reads
from s2s.rewriters.graphs.mirror import Mirror
from s2s.rewriters.graphs.refused import Refused
from s2s.rewriters.graphs.updates import Sweep, Update, read
from s2s.source.records import dataclass

_PLAIN = frozenset(
    {"DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "INTEGER_LITERAL",
     "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_UNARY_EXPR", "BINARY_OPERATOR",
     "UNARY_OPERATOR", "CONDITIONAL_OPERATOR", "IMPLICIT_CAST", "CSTYLE_CAST_EXPR"}
)  # fmt: skip


@dataclass(frozen=True)
class Flip:
    """A loop that may be flipped. ``pushes``: whether it does now.

    ``apart`` is what has to hold as the program runs: C conditions.
    """

    sweep: Sweep
    graph: Graph
    pushes: bool
    apart: tuple[str, ...] = ()

    @property
    def loop(self) -> VertexLoop:
        return self.sweep.loop

    @property
    def update(self) -> Update:
        assert self.sweep.update is not None
        return self.sweep.update

    def mirror(self, prefix: str) -> Mirror:
        assert self.sweep.edges is not None
        return Mirror(self.loop, self.sweep.edges, self.graph, f"{prefix}here", f"{prefix}there")


def flippable(loop: VertexLoop, program: Program, *, reassociate: bool) -> Flip:
    """The loop, in a program, as one that may be flipped. Raises Refused."""
    sweep = read(loop)
    _check_clauses(loop)
    graph = _graph(sweep, program)
    _check_variables(sweep)
    pushes = _check_target(sweep)
    _check_commutes(sweep, reassociate=reassociate)
    _check_pure(sweep)
    _check_writes(sweep)
    assert sweep.update is not None
    apart = check_reads(loop, sweep.update, graph.memory)
    return Flip(sweep, graph, pushes, apart)


def _graph(sweep: Sweep, program: Program) -> Graph:
    """The graph whose lists a loop goes through, all vertices of it: declared, or built."""
    loop, edges = sweep.loop, sweep.edges
    assert edges is not None
    item = loop.item(edges.ends[0])
    found = [g for g in graphs_of(loop.function) if g.lists(item)]
    if not found:
        try:
            return find_graph(program, loop, edges, _target(sweep))
        except Refused as problem:
            words = f"no other lists are known for '{item}': {problem.reason}"
            raise Refused(edges.node.span, f"not flipped: {words}") from None
    _check_copies(loop)
    whole = [g for g in found if g.count == loop.count]
    if len(whole) != 1:
        raise Refused(loop.node.span, "not flipped: the loop may not be over all vertices")
    return whole[0]


_CLAUSES = frozenset(
    {"private", "firstprivate", "shared", "default", "schedule", "num_threads", "if", "proc_bind",
     "reduction"}
)  # fmt: skip


def _check_clauses(loop: VertexLoop) -> None:
    """Whether directives say nothing of the order of iterations, or of values after the loop."""
    for directive in loop.directives:
        if directive.name not in ("parallel for", "for"):
            raise Refused(loop.node.span, f"not flipped: the loop is a '{directive.name}'")
        for clause in directive.clauses:
            if clause.name not in _CLAUSES:
                raise Refused(loop.node.span, f"not flipped: the loop has a '{clause.name}'")


def _check_variables(sweep: Sweep) -> None:
    """What the loop leaves in variables is not asked for: the new loop does not set them."""
    loop, edges = sweep.loop, sweep.edges
    assert edges is not None
    inside = {n.decl for n in loop.node.walk() if n.kind == "VAR_DECL"}
    listed = {v for d in loop.directives for v in d.listed("private", "firstprivate")}
    for decl in (*loop.places.followed, edges.iterator):
        if decl in inside or decl.name in listed:
            continue
        if any(not _holds(loop.node, n) for n in loop.function.body.walk()
               if n.kind == "DECL_REF_EXPR" and n.decl is decl):  # fmt: skip
            raise Refused(loop.node.span, f"not flipped: '{decl.name}' is used elsewhere, too")


def _holds(loop: Node, node: Node) -> bool:
    return loop.span.start <= node.span.start < loop.span.end


def _check_copies(loop: VertexLoop) -> None:
    """Whether the number of vertices still is the member that it was copied from."""
    term = loop.places.term(loop.last)
    if not isinstance(term, ValueAt) or loop.places.origin(term.place) == term.place:
        return
    (*_, last) = loop.places.origin(term.place).steps or (None,)
    copy = term.place.root.node if term.place.root is not None else None
    for node in loop.function.body.walk():
        changes = node.assigns
        target = node.children[0] if changes and node.children else None
        if target is None or target.kind != "MEMBER_REF_EXPR" or copy is None:
            continue
        same = isinstance(last, Field) and target.name == last.name
        if same and target.span.start > copy.span.start:
            raise Refused(target.span, "not flipped: the number of vertices changes")


def _target(sweep: Sweep) -> GraphAccess:
    assert sweep.update is not None
    target = sweep.update.target
    return next(a for a in sweep.loop.accesses if a.node is target and a.write)


def _check_target(sweep: Sweep) -> bool:
    """Whether the neighbour is updated, not the own vertex; anything else is refused."""
    target = _target(sweep)
    if target.of not in (Of.OWN, Of.NEIGHBOUR) or not isinstance(target.subject, ValueAt):
        raise Refused(target.node.span, "not flipped: what is updated is no vertex's")
    if target.of is Of.NEIGHBOUR and sweep.loop.is_parallel and target.atomic is None:
        raise Refused(target.node.span, "not flipped: neighbours are updated without an atomic")
    if target.atomic is not None and target.atomic.clause("capture") is not None:
        raise Refused(target.node.span, "not flipped: the value of an atomic is used")
    field = target.node.decl
    if field is not None and field.cursor is not None and field.cursor.is_bitfield():
        raise Refused(target.node.span, "not flipped: a bit field is updated")
    return target.of is Of.NEIGHBOUR


def _check_commutes(sweep: Sweep, *, reassociate: bool) -> None:
    update = sweep.update
    assert update is not None
    type_, value = update.target.type, update.value.type
    if type_.kind not in ("int", "float"):
        raise Refused(update.node.span, "not flipped: no number is updated")
    if update.op == "=":
        _check_same_for_all(sweep)
        return
    if type_.kind == "float" or value.kind == "float":
        if not reassociate:
            raise Refused(update.node.span, "not flipped: floating-point updates keep their order "
                          "without --reassociate")  # fmt: skip
        if type_.kind != "float":
            raise Refused(update.node.span, "not flipped: an integer is updated by fractions")
    if update.op in ("min", "max") and not _is_within(update):
        raise Refused(update.node.span, "not flipped: the value is converted when it is kept")


def _is_within(update: Update) -> bool:
    """Whether all values of the source's type are ones of the target's."""
    target, value = update.target.type, update.value.type
    if target.kind == "float":
        return value.kind == "float" and value.size <= target.size
    if value.size == target.size:
        return value.signed == target.signed
    return value.size < target.size and (target.signed or not value.signed)


def _check_same_for_all(sweep: Sweep) -> None:
    """An assignment is a reduction if all edges assign the same."""
    update, loop = sweep.update, sweep.loop
    assert update is not None
    for node in update.value.walk():
        if node.decl is None or node.value is not None or node.kind == "CALL_EXPR":
            continue
        of, _ = loop.whose(loop.places.place(node), sweep.edges)
        if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") and of is not Of.SHARED:
            raise Refused(update.node.span, "not flipped: the update is not commutative")


def _check_pure(sweep: Sweep) -> None:
    """Conditions are asked in another order, for other edges: none may do harm."""
    update = sweep.update
    assert update is not None
    ends = [node for node in (update.first, update.last) if node is not None]
    for node in (update.value, *ends, *(c.node for c in sweep.conditions)):
        for part in _expanded(sweep, node):
            if not _is_pure(part):
                raise Refused(part.span, "not flipped: an expression has effects or calls")
    for condition in sweep.conditions:
        for part in _expanded(sweep, condition.node):
            if any(n.op in ("/", "%") for n in part.walk()):
                raise Refused(part.span, "not flipped: a condition divides")


def _is_pure(node: Node) -> bool:
    """Whether evaluating an expression changes nothing and calls nothing."""
    for part in node.walk():
        changes = part.assigns
        if part.kind not in _PLAIN or changes or part.type.volatile:
            return False
        if "_Atomic" in part.type.canonical or (part.decl and part.decl.type.volatile):
            return False
    return True


def _expanded(sweep: Sweep, node: Node) -> list[Node]:
    """An expression, and those that the locals in it stand for."""
    found, pending = [], [node]
    while pending:
        part = pending.pop()
        found.append(part)
        sources = (sweep.loop.places.source(n.decl) for n in part.walk() if n.decl is not None)
        pending += [s for s in sources if s is not None and s not in found]
    return found


def _check_writes(sweep: Sweep) -> None:
    """The update is all that the loop writes."""
    update = sweep.update
    assert update is not None
    for access in sweep.loop.accesses:
        if not access.write or access.node is update.target or access.node in update.named:
            continue
        counters = [sweep.edges.iterator if sweep.edges is not None else None, update.collector]
        if not access.place.steps and access.place.root in counters:
            continue
        decl = access.node.decl if access.node.kind == "DECL_REF_EXPR" else None
        if decl is None or decl not in sweep.loop.places.followed:
            raise Refused(access.node.span, "not flipped: the loop writes something else")
