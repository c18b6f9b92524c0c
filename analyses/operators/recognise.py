"""Operators in a region of C whose sizes stay symbols.

``recognise`` takes a SCoP in which every assignment is a statement of its own and gives the
operations that together do what it does, in their order. Nothing is told by a name.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from s2s.analyses.operators.boxes import instances
from s2s.analyses.operators.formulas import formulas_of
from s2s.analyses.operators.merging import merge
from s2s.analyses.operators.operations import Operations
from s2s.analyses.operators.order import check_order
from s2s.analyses.operators.softmax import softmax_of
from s2s.analyses.operators.subscripts import NotAnOperator, Places
from s2s.analyses.operators.updates import Updates
from s2s.scop.nodes import Scop
from s2s.scop.operation import Operation, Recognised, Unrecognised


def recognise(scop: Scop, function: str) -> Recognised | Unrecognised:
    """What a region of a function computes; where a part of it is no operator, why."""
    try:
        context = running(scop)
        if context.is_empty():
            raise NotAnOperator("the loops never run")
        operations = _operations(scop, context)
    except NotAnOperator as error:
        where = next((s.span for s in scop.statements if s.name == error.statement), scop.span)
        return Unrecognised(error.reason, where)
    except isl.Error as error:
        return Unrecognised(f"isl: {error}", scop.span)
    return Recognised(
        scop.span,
        function,
        tuple(operations),
        str(context),
        _disjoint(scop, operations),
        {p.name: p.spelling for p in scop.parameters},
    )


def running(scop: Scop) -> isl.Set:
    """The parameters for which each statement has an instance and the SCoP is exact."""
    found = scop.context.intersect(scop.assumptions)
    for statement in scop.statements:
        found = found.intersect(instances(statement).params())
    return found.coalesce()


def _operations(scop: Scop, context: isl.Set) -> list[Operation]:
    if any(not s.exact for s in scop.statements):
        raise NotAnOperator("what executes depends on data")
    updates = Updates(scop).run()
    if not updates:
        raise NotAnOperator("nothing is stored that anybody reads")
    check_order(scop, updates, context)
    places = Places(scop)
    made = Operations(places, context)
    found: list[Operation] = []
    while updates:
        pair = updates[:2]
        rows = softmax_of(pair[0], pair[1], places, context) if len(pair) > 1 else None
        if rows is not None:
            found.append(rows)
            updates = updates[2:]
            continue
        for formula in formulas_of(updates.pop(0), places):
            found += made.of(formula)
    return merge(found)


def _disjoint(scop: Scop, operations: Sequence[Operation]) -> frozenset[frozenset[str]]:
    """Pairs of arrays, one of which is written, that may share memory."""
    arrays = {o.array for op in operations for o in op.operands}
    written = {o.array for op in operations for o in op.live_out}
    return frozenset(pair for pair in scop.may_alias if pair <= arrays and pair & written)
