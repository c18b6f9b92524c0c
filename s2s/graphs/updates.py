"""What a loop over edges does: one update of a vertex, under conditions.

::

    for v: if (own) for e: if (each) target = min(target, value);

Reductions are recognised by what they compute: ``x += e``, ``x = e | x``, ``if (e < x) x = e``,
``x = x < e ? x : e``. An assignment of the same value by all edges is one as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.graphs import EdgeLoop, VertexLoop
from s2s.frontends.c.syntax import Decl, Node
from s2s.graphs.rewrite import Refused
from s2s.idioms.expressions import same
from s2s.source import Span

_COMMUTATIVE = frozenset({"+", "*", "|", "&", "^"})
_LESS = {"<": True, "<=": True, ">": False, ">=": False}


@dataclass(frozen=True)
class Condition:
    """What has to hold: ``node`` or, ``negated``, its contrary. ``edges``: it is asked per edge."""

    node: Node
    negated: bool
    edges: bool


@dataclass(frozen=True)
class Update:
    """``target = target op value``; ``min`` and ``max`` are operators, ``=`` sets the value.

    Where a local collects the result, ``around`` are the statements that load and store it, and
    ``target`` is where it is stored.
    """

    node: Node
    target: Node
    op: str
    value: Node
    around: tuple[Node, ...] = ()

    @property
    def collector(self) -> Decl | None:
        """The local that collects the result."""
        return self.around[0].decl if self.around else None

    @property
    def own(self) -> frozenset[Span]:
        """Where the text names the target or the collector to update it."""
        inside = {n.span for part in (self.node, *self.around) for n in part.walk()}
        if self.value is self.target:
            return frozenset(inside)
        return frozenset(inside - {n.span for n in self.value.walk()})


@dataclass
class Sweep:
    """A vertex loop that does nothing but one update for each edge, and its parts."""

    loop: VertexLoop
    edges: EdgeLoop | None = None
    update: Update | None = None
    conditions: list[Condition] = field(default_factory=list)
    ends_early: bool = False
    """Whether the edges are left behind the first update."""


def read(loop: VertexLoop) -> Sweep:
    """The parts of a loop with one update for each edge. Raises Refused for any other."""
    sweep = Sweep(loop)
    _block(sweep, [loop.body])
    if sweep.update is None or sweep.edges is None:
        raise Refused(loop.node.span, "no update for each edge", silent=True)
    if sweep.ends_early and sweep.update.op != "=":
        raise Refused(loop.node.span, "the edges are left early")
    return sweep


def _block(sweep: Sweep, nodes: Sequence[Node]) -> None:
    for node in nodes:
        if node.kind == "COMPOUND_STMT":
            _block(sweep, node.children)
        elif node.kind in ("DECL_STMT", "NULL_STMT") or _is_copy(sweep, node):
            continue
        elif sweep.update is not None:
            _behind(sweep, node)
        elif node.kind == "IF_STMT":
            _branch(sweep, node)
        elif node.kind == "FOR_STMT":
            _edges(sweep, node)
        else:
            sweep.update = _update(sweep, node)


def _is_copy(sweep: Sweep, node: Node) -> bool:
    """Whether a statement sets a variable that stands for its value in all that follows."""
    target = node.children[0] if node.op == "=" and node.children else None
    return target is not None and target.decl in sweep.loop.places.followed


def _behind(sweep: Sweep, node: Node) -> None:
    if node.kind == "BREAK_STMT" and sweep.edges is not None:
        sweep.ends_early = True
        return
    sweep.update = _stored(sweep, node)


def _stored(sweep: Sweep, node: Node) -> Update:
    """The update of a local that is loaded in front of the edges and stored behind them.

    ::

        long best = next[v];
        for e: if (value < best) best = value;
        next[v] = best;
    """
    update = sweep.update
    assert update is not None
    decl = update.target.decl if update.target.kind == "DECL_REF_EXPR" else None
    declared = decl.node if decl is not None else None
    inside = declared is not None and any(n is declared for n in sweep.loop.body.walk())
    found = _compound(node) or _assigned(node)
    if decl is None or declared is None or not inside or found is None or update.around:
        raise Refused(node.span, "something follows the update")
    first = initializer(declared)
    stored = found.value.kind == "DECL_REF_EXPR" and found.value.decl is decl
    alike = decl.type.canonical == found.target.type.canonical
    if first is None or not stored or not alike or update.value is update.target:
        raise Refused(node.span, "something follows the update")
    loads = found.op == "=" and same(_bare(first), found.target)
    adds = found.op == update.op and found.op in ("+", "|", "^") and _bare(first).value == 0
    if not (loads or adds):
        raise Refused(node.span, "something follows the update")
    return replace(update, target=found.target, around=(declared, node))


def _edges(sweep: Sweep, node: Node) -> None:
    found = next((e for e in sweep.loop.edge_loops if e.node is node), None)
    if found is None or sweep.edges is not None:
        raise Refused(node.span, "a loop that is not over the vertex's edges", silent=True)
    sweep.edges = found
    _block(sweep, [found.body])


def _branch(sweep: Sweep, node: Node) -> None:
    update = _extremum_of(node)
    if update is not None and sweep.edges is not None:
        sweep.update = update
        return
    condition, then, *otherwise = node.children
    inner = then.children[0] if then.kind == "COMPOUND_STMT" and len(then.children) == 1 else then
    if inner.kind == "CONTINUE_STMT" and not otherwise:
        sweep.conditions.append(Condition(condition, True, sweep.edges is not None))
        return
    if otherwise:
        raise Refused(node.span, "a choice between two things to do")
    sweep.conditions.append(Condition(condition, False, sweep.edges is not None))
    _block(sweep, [then])
    if sweep.update is None:
        raise Refused(node.span, "a condition without an update")


# -- updates ------------------------------------------------------------------------------------


def _update(sweep: Sweep, node: Node) -> Update:
    found = _compound(node) or _assigned(node)
    if found is None:
        raise Refused(node.span, "a statement that is no update")
    if sweep.edges is None:
        raise Refused(node.span, "an update that is not made for each edge", silent=True)
    return found


def _compound(node: Node) -> Update | None:
    if node.kind == "COMPOUND_ASSIGNMENT_OPERATOR":
        target, value = node.children
        operator = node.op.removesuffix("=")
        if operator == "-":
            return Update(node, target, "-", value)
        return Update(node, target, operator, value) if operator in _COMMUTATIVE else None
    if node.kind == "UNARY_OPERATOR" and node.op in ("++", "post++", "--", "post--"):
        target = node.children[0]
        return Update(node, target, node.op[-2:], target)
    return None


def _assigned(node: Node) -> Update | None:
    if node.kind != "BINARY_OPERATOR" or node.op != "=":
        return None
    target, value = node.children
    bare = _bare(value)
    if bare.kind == "BINARY_OPERATOR" and bare.op in _COMMUTATIVE:
        for mine, other in (bare.children, bare.children[::-1]):
            if same(_bare(mine), target):
                return Update(node, target, bare.op, other)
    if bare.kind == "BINARY_OPERATOR" and bare.op == "-" and same(_bare(bare.children[0]), target):
        return Update(node, target, "-", bare.children[1])
    if bare.kind == "CONDITIONAL_OPERATOR":
        return _chosen(node, target, bare)
    return Update(node, target, "=", value)


def _chosen(node: Node, target: Node, choice: Node) -> Update | None:
    """``x = e < x ? e : x`` and its likes."""
    condition, yes, no = choice.children
    if not any(same(_bare(part), target) for part in (yes, no)):
        return Update(node, target, "=", choice)
    value = no if same(_bare(yes), target) else yes
    keeps = value is no
    least = _is_less(condition, target, value)
    if least is None:
        return None
    return Update(node, target, "min" if least != keeps else "max", _bare(value))


def _extremum_of(node: Node) -> Update | None:
    """The extremum that ``if (e < x) x = e;`` keeps."""
    if len(node.children) != 2:
        return None
    condition, then = node.children
    inner = then.children[0] if then.kind == "COMPOUND_STMT" and len(then.children) == 1 else then
    if inner.kind != "BINARY_OPERATOR" or inner.op != "=":
        return None
    target, value = inner.children
    least = _is_less(condition, target, value)
    if least is None:
        return None
    return Update(node, target, "min" if least else "max", _bare(value))


def _is_less(condition: Node, target: Node, value: Node) -> bool | None:
    """Whether a condition says that the value is less than the target; None if it is another."""
    condition = _bare(condition)
    if condition.kind != "BINARY_OPERATOR" or condition.op not in _LESS:
        return None
    left, right = condition.children
    less = _LESS[condition.op]
    if same(_bare(left), _bare(value)) and same(_bare(right), target):
        return less
    if same(_bare(right), _bare(value)) and same(_bare(left), target):
        return not less
    return None


def _bare(node: Node) -> Node:
    while node.kind == "IMPLICIT_CAST" and node.children:
        node = node.children[-1]
    return node
