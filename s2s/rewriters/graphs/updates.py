"""What a loop over edges does: one update of a vertex, under conditions.

::

    for v: if (own) for e: if (each) target = min(target, value);

Reductions are recognised by what they compute: ``x += e``, ``x = e | x``, ``if (e < x) x = e``,
``x = x < e ? x : e``. An assignment of the same value by all edges is one as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.graph_loops import EdgeLoop, VertexLoop
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.expressions import same
from s2s.rewriters.graphs.refused import Refused
from s2s.source import Span
from s2s.source.records import dataclass

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

    Where a local, ``collector``, collects the result, ``target`` is where it is stored after the
    edges. ``first`` is what all vertices' targets are set to before, ``last`` what they are set to
    in the end, with the collector for what they are then. ``named`` are nodes that name the target
    besides the update.
    """

    node: Node
    target: Node
    op: str
    value: Node
    collector: Decl | None = None
    first: Node | None = None
    last: Node | None = None
    named: tuple[Node, ...] = ()

    @property
    def own(self) -> frozenset[Span]:
        """Where the text names the target or the collector to update it."""
        inside = {n.span for n in self.node.walk()}
        if self.value is not self.target:
            inside -= {n.span for n in self.value.walk()}
        inside |= {n.span for part in self.named for n in part.walk()}
        if self.last is not None:
            inside |= {n.span for n in self.last.walk() if n.decl is self.collector}
        return frozenset(inside)


@dataclass
class Sweep:
    """A vertex loop that does nothing but one update for each edge, and its parts."""

    loop: VertexLoop
    edges: EdgeLoop | None = None
    update: Update | None = None
    conditions: list[Condition] = field(default_factory=list)
    ends_early: bool = False
    """Whether the edges are left after the first update."""
    begun: Update | None = None
    """An assignment before the edges."""


def read(loop: VertexLoop) -> Sweep:
    """The parts of a loop with one update for each edge. Raises Refused for any other."""
    sweep = Sweep(loop)
    _check_captures(loop)
    _block(sweep, [loop.body])
    if sweep.update is None or sweep.edges is None:
        raise Refused(loop.node.span, "no update for each edge", silent=True)
    if sweep.ends_early and sweep.update.op != "=":
        raise Refused(loop.node.span, "the edges are left early")
    sweep.update = _begun(sweep, sweep.update)
    return sweep


def _check_captures(loop: VertexLoop) -> None:
    """Refuse atomics in loops over edges whose values are used."""
    attached = loop.function.attached
    for directive in attached.within(loop.node.span) if loop.edge_loops else ():
        if directive.name == "atomic" and directive.clause("capture") is not None:
            start = attached.next_token(directive.span.end)
            found = next((n for n in loop.body.walk() if n.span.start == start), loop.body)
            raise Refused(found.span, "not flipped: the value of an atomic is used")


def _begun(sweep: Sweep, update: Update) -> Update:
    """The update with what the target is set to before the edges."""
    begun = sweep.begun
    if begun is not None:
        if update.first is not None or not same(begun.target, update.target):
            raise Refused(begun.node.span, "an update that is not made for each edge", silent=True)
        update = replace(update, first=begun.value, named=(*update.named, begun.target))
    sets = update.first is not None or update.last is not None
    if sets and any(not c.edges for c in sweep.conditions):
        raise Refused(update.node.span, "not flipped: only some vertices are set")
    if sets and update.op == "=":
        raise Refused(update.node.span, "not flipped: the update is not commutative")
    return update


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
        elif sweep.edges is None:
            _before(sweep, node)
        else:
            sweep.update = _update(node)


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
    """The update of a local that is loaded before the edges and stored behind them.

    ::

        long best = next[v];
        for e: if (value < best) best = value;
        next[v] = best;

    It may begin with anything, and what is stored may be computed of it.
    """
    update = sweep.update
    assert update is not None
    decl = update.target.decl if update.target.kind == "DECL_REF_EXPR" else None
    found = _compound(node) or _assigned(node)
    first, named = _initial(sweep, decl) if decl is not None else (None, ())
    ends = found is None or update.collector is not None or update.value is update.target
    if decl is None or found is None or first is None or ends:
        raise Refused(node.span, "something follows the update")
    alike = decl.type.canonical == found.target.type.canonical
    stored = found.value.kind == "DECL_REF_EXPR" and found.value.decl is decl
    result = replace(update, target=found.target, collector=decl)
    if not alike or (found.op != "=" and not stored):
        raise Refused(node.span, "something follows the update")
    named = (*named, found.target, *(n for n in found.node.walk() if n.decl is decl))
    if found.op == "=" and stored and same(first.bare, found.target):
        return replace(result, named=(*named, first))
    if found.op == update.op and found.op in ("+", "|", "^") and _is_zero(first.bare):
        return replace(result, named=(*named, first))
    if found.op != "=":
        raise Refused(node.span, "something follows the update")
    last = None if stored else found.value
    return replace(result, first=first, last=last, named=named)


def _initial(sweep: Sweep, decl: Decl) -> tuple[Node | None, tuple[Node, ...]]:
    """What a local of the loop is set to before the edges, and the nodes that name it."""
    begun, declared = sweep.begun, decl.node
    if begun is not None and begun.target.kind == "DECL_REF_EXPR" and begun.target.decl is decl:
        if decl not in sweep.loop.private:
            return None, ()
        sweep.begun = None
        return begun.value, (begun.target,)
    inside = declared is not None and any(n is declared for n in sweep.loop.body.walk())
    return initializer(declared) if inside and declared is not None else None, ()


def _is_zero(node: Node) -> bool:
    return node.value == 0


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
    if condition.op == "&&" and not otherwise and sweep.edges is not None:
        left, right = condition.children
        sweep.conditions.append(Condition(left, False, True))
        _branch(sweep, replace(node, children=[right, then]))
        return
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


def _before(sweep: Sweep, node: Node) -> None:
    """An assignment before the edges, which may set what they update."""
    found = _assigned(node)
    if found is None or found.op != "=" or sweep.begun is not None or sweep.conditions:
        raise Refused(node.span, "an update that is not made for each edge", silent=True)
    sweep.begun = found


def _update(node: Node) -> Update:
    found = _compound(node) or _assigned(node)
    if found is None:
        raise Refused(node.span, "a statement that is no update")
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
    bare = value.bare
    if bare.kind == "BINARY_OPERATOR" and bare.op in _COMMUTATIVE:
        for mine, other in (bare.children, bare.children[::-1]):
            if same(mine.bare, target):
                return Update(node, target, bare.op, other)
    if bare.kind == "BINARY_OPERATOR" and bare.op == "-" and same(bare.children[0].bare, target):
        return Update(node, target, "-", bare.children[1])
    if bare.kind == "CONDITIONAL_OPERATOR":
        return _chosen(node, target, bare)
    return Update(node, target, "=", value)


def _chosen(node: Node, target: Node, choice: Node) -> Update | None:
    """``x = e < x ? e : x`` and its likes."""
    condition, yes, no = choice.children
    if not any(same(part.bare, target) for part in (yes, no)):
        return Update(node, target, "=", choice)
    value = no if same(yes.bare, target) else yes
    keeps = value is no
    least = _is_less(condition, target, value)
    if least is None:
        return None
    return Update(node, target, "min" if least != keeps else "max", value.bare)


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
    return Update(node, target, "min" if least else "max", value.bare)


def _is_less(condition: Node, target: Node, value: Node) -> bool | None:
    """Whether a condition says that the value is less than the target; None if it is another."""
    condition = condition.bare
    if condition.kind != "BINARY_OPERATOR" or condition.op not in _LESS:
        return None
    left, right = condition.children
    less = _LESS[condition.op]
    if same(left.bare, value.bare) and same(right.bare, target):
        return less
    if same(right.bare, value.bare) and same(left.bare, target):
        return not less
    return None
