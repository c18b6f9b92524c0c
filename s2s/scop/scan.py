"""The nest that runs the typed statements of a SCoP in the order of the source.

Loops come from isl's scan of the sequential order, in which each loop stays whole; what not all
iterations execute is in branches. Loops have the names of the source and, where they do not start
at a number or have a step, count from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import islpy as isl

from s2s.scop import build
from s2s.scop.expressions import INT32, Const, Expr, Variable, walk
from s2s.scop.linear import expression
from s2s.scop.literals import cast
from s2s.scop.nest import Argument, Block, For, If, Nest, Node, Store, expressions
from s2s.scop.nest import walk as below
from s2s.scop.nodes import Scop, Statement
from s2s.scop.normal_form import linear
from s2s.scop.rewrite import change_own, map_children, transform
from s2s.scop.simplify.ranges import UNKNOWN, Range, of_operation

_OPERATIONS: Mapping[str, Callable[..., Expr]] = {
    "add": build.add, "sub": build.sub, "mul": build.mul, "minus": build.neg,
    "min": build.minimum, "max": build.maximum, "div": build.div, "fdiv_q": build.div,
    "pdiv_q": build.div, "pdiv_r": build.mod, "zdiv_r": build.mod,
}  # fmt: skip
_CONNECTIVES = {
    "and_": build.both, "and_then": build.both, "or_": build.either, "or_else": build.either,
}  # fmt: skip


class NotScannable(Exception):
    """A SCoP has a statement without a typed expression, or never runs."""


def scan(
    scop: Scop, name: str, arguments: tuple[Argument, ...], *,
    nodes: Mapping[str, Node] | None = None,
) -> Nest:  # fmt: skip
    """The nest of a region.

    ``arguments`` are the arrays that its statements name, ``nodes`` what statements do that are no
    single store, by their names. Raises NotScannable.
    """
    nodes = nodes or {}
    if scop.guards or any(s.expression is None and s.name not in nodes for s in scop.statements):
        raise NotScannable("a statement has no typed expression")
    known = scop.context & scop.assumptions
    if known.is_empty():
        raise NotScannable("the region never runs")
    return Nest(name, arguments, _Scan(scop, nodes).node(_loops(scop, known)))


def _loops(scop: Scop, known: isl.Set) -> isl.AstNode:
    """Isl's loops over the sequential order, each of them whole.

    Schedule and context have their parameters in one order: isl takes them by their places.
    """
    schedule = scop.schedule().intersect_params(known)
    known = known.align_params(schedule.get_space())
    schedule = schedule.align_params(known.get_space())
    names = [f"t{k}" for k in range(scop.statements[0].schedule.dim(isl.dim_type.out))]
    times = ", ".join(names)
    whole = "; ".join(f"[{times}] -> atomic[{k}]" for k in range(len(names)))
    ids = isl.IdList.alloc(isl.DEFAULT_CONTEXT, len(names))
    for time in names:
        ids = ids.add(isl.Id(time, context=isl.DEFAULT_CONTEXT))
    making = isl.AstBuild.from_context(known).set_iterators(ids)
    making = making.set_options(isl.UnionMap(f"{{ {whole} }}").align_params(known.get_space()))
    return making.node_from_schedule_map(schedule)


class _Scan:
    """Turns isl's nodes into those of a nest."""

    def __init__(self, scop: Scop, nodes: Mapping[str, Node]) -> None:
        self._nodes = {s.name: nodes.get(s.name) or s.store for s in scop.statements}
        self._statements = {s.name: s for s in scop.statements}
        spellings = {p.name: p.spelling for p in scop.parameters}
        self._values = {name: build.var(text) for name, text in spellings.items()}
        taken = {*scop.arrays, *spellings.values(), *_invariants(scop, self._nodes)}
        self._names = dict.fromkeys(taken, 1)
        self._ranges: dict[str, Range] = {}

    def node(self, node: isl.AstNode) -> Node:
        """A node with all that is below it."""
        match _node_kind(node):
            case "block":
                return Block(tuple(self.node(child) for child in _children(node)))
            case "if_":
                then, *otherwise = (self.node(child) for child in _children(node))
                condition = self._condition(node.if_get_cond())
                return If(condition, then, otherwise[0] if otherwise else None)
            case "for_":
                return self._loop(node)
            case "user":
                return self._store(node.user_get_expr())
        return self.node(node.mark_get_node())

    def _loop(self, node: isl.AstNode) -> Node:
        iterator = node.for_get_iterator().get_id().get_name()
        source = self._source(node, iterator)
        first, low = self._value(node.for_get_init()), build.const(0)
        step, count = self._iterations(node, first)
        name = self._fresh(source)
        value: Expr = build.var(name)
        if not isinstance(count, Const) and build.is_one(step):
            low_end, high_end = self._range(first)[0], self._range(self._last(node))[1]
            if low_end is not None and high_end is not None:
                return self._bounded(node, name, low_end, high_end)
        if build.is_one(step) and isinstance(first, Const):
            low = first
        else:
            value = build.add(build.mul(value, step), first)
        self._values[iterator] = value
        if isinstance(low, Const) and isinstance(count, Const):
            self._ranges[name] = int(low.value), int(low.value) + int(count.value) - 1
        return For(name, low, count, "serial", self.node(node.for_get_body()), var=source)

    def _bounded(self, node: isl.AstNode, name: str, low: int, high: int) -> Node:
        """A loop whose ends depend on loops around it: all values it may have, under its ends."""
        iterator = node.for_get_iterator().get_id().get_name()
        source = self._source(node, iterator)
        first, last = self._value(node.for_get_init()), self._last(node)
        here = self._values[iterator] = build.var(name)
        self._ranges[name] = low, high
        inside = build.both(build.binary("ge", here, first), build.binary("le", here, last))
        body = If(inside, self.node(node.for_get_body()))
        count = build.const(max(high - low + 1, 0))
        return For(name, build.const(low), count, "serial", body, var=source)

    def _range(self, value: Expr) -> Range:
        """The least and the greatest value of an expression."""
        match value:
            case Const(_, int(number)):
                return number, number
            case Variable(_, name):
                return self._ranges.get(name, UNKNOWN)
        return of_operation(value, self._range)

    def _iterations(self, node: isl.AstNode, first: Expr) -> tuple[Expr, Expr]:
        """The step of a loop and how many iterations it has."""
        if node.for_is_degenerate():
            return build.const(1), build.const(1)
        step = self._value(node.for_get_inc())
        distance = expression(linear(build.sub(self._last(node), first)))
        return step, expression(linear(build.add(build.div(distance, step), 1)))

    def _last(self, node: isl.AstNode) -> Expr:
        """The greatest value that a loop's variable may have."""
        condition = node.for_get_cond()
        end = self._value(condition.get_op_arg(1))
        return end if _operation(condition) == "le" else build.sub(end, 1)

    def _fresh(self, source: str) -> str:
        """A name that no other loop of the nest has."""
        count = self._names[source] = self._names.get(source, 0) + 1
        return source if count == 1 else f"{source}.{count}"

    def _source(self, node: isl.AstNode, iterator: str) -> str:
        """What the source calls the variable of a loop; isl's name where it does not count one."""
        for call in _calls(node):
            for place, variable in enumerate(self._called(call).iterators):
                if iterator in _names(call.get_op_arg(place + 1)):
                    return variable.spelling
        return iterator

    def _called(self, call: isl.AstExpr) -> Statement:
        return self._statements[call.get_op_arg(0).get_id().get_name()]

    def _store(self, call: isl.AstExpr) -> Node:
        """An instance of a statement."""
        statement = self._called(call)
        values = {
            variable.name: self._value(call.get_op_arg(place + 1))
            for place, variable in enumerate(statement.iterators)
        }

        def change(expr: Expr) -> Expr:
            if isinstance(expr, Variable) and expr.name in values:
                return cast(expr.type, values[expr.name])
            return expr

        def changed(node: Node) -> Node:
            node = change_own(map_children(node, changed), lambda expr: transform(expr, change))
            if not isinstance(node, Store):
                return node
            subscripts = tuple(cast(INT32, s) for s in node.subscripts)
            return Store(node.tensor, subscripts, node.values, at=node.at)

        return changed(self._nodes[statement.name])

    def _condition(self, expr: isl.AstExpr) -> Expr:
        op = _operation(expr)
        left, right = expr.get_op_arg(0), expr.get_op_arg(1)
        if op in _CONNECTIVES:
            return _CONNECTIVES[op](self._condition(left), self._condition(right))
        return build.binary(op, self._value(left), self._value(right))

    def _value(self, expr: isl.AstExpr) -> Expr:
        match isl.ast_expr_type(expr.get_type()).name:
            case "int":
                return build.const(expr.get_val().to_python())
            case "id":
                return self._values[expr.get_id().get_name()]
        op, count = _operation(expr), expr.get_op_n_arg()
        if op in ("cond", "select"):
            condition = self._condition(expr.get_op_arg(0))
            return build.select(condition, *(self._value(expr.get_op_arg(k)) for k in (1, 2)))
        return _OPERATIONS[op](*(self._value(expr.get_op_arg(k)) for k in range(count)))


def _invariants(scop: Scop, nodes: Mapping[str, Node]) -> set[str]:
    """Names in the statements' expressions that are no iterators."""
    found: set[str] = set()
    for statement in scop.statements:
        every = below(nodes[statement.name])
        parts = (e for node in every for part in expressions(node) for e in walk(part))
        names = {e.name for e in parts if isinstance(e, Variable)}
        found |= names - {v.name for v in statement.iterators}
    return found


def _node_kind(node: isl.AstNode) -> str:
    return isl.ast_node_type(node.get_type()).name


def _operation(expr: isl.AstExpr) -> str:
    return isl.ast_expr_op_type(expr.get_op_type()).name


def _children(node: isl.AstNode) -> Iterator[isl.AstNode]:
    """The nodes directly below."""
    match _node_kind(node):
        case "block":
            below = node.block_get_children()
            yield from (below.get_at(k) for k in range(below.n_ast_node()))
        case "for_":
            yield node.for_get_body()
        case "if_":
            yield node.if_get_then_node()
            if node.if_has_else_node():
                yield node.if_get_else_node()


def _calls(node: isl.AstNode) -> Iterator[isl.AstExpr]:
    """The instances of statements in a node."""
    if _node_kind(node) == "user":
        yield node.user_get_expr()
    for child in _children(node):
        yield from _calls(child)


def _names(expr: isl.AstExpr) -> set[str]:
    """The names in an expression."""
    match isl.ast_expr_type(expr.get_type()).name:
        case "id":
            return {expr.get_id().get_name()}
        case "int":
            return set()
    return set().union(*(_names(expr.get_op_arg(k)) for k in range(expr.get_op_n_arg())))
