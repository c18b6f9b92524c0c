"""Operations in a row that are one: what is set or scaled before something is added to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.scop.expressions import Cast, Const, Expr
from s2s.scop.operation import PRODUCTS, Kind, Operand, Operation, Role
from s2s.scop.polynomial import Polynomial


def merge(operations: Sequence[Operation]) -> list[Operation]:
    """The operations with zeros and factors that stand before a sum taken into it as ``beta``."""
    found: list[Operation] = []
    for operation in operations:
        place = _last_user(found, operation)
        joined = None if place is None else _joined(found[place], operation)
        if joined is not None and place is not None:
            del found[place]
        found.append(joined or operation)
    return found


def _last_user(done: Sequence[Operation], operation: Operation) -> int | None:
    """The last operation before that has anything to do with what this one stores to."""
    for place in reversed(range(len(done))):
        if any(o.array == operation.output.array for o in done[place].operands):
            return place
    return None


def _joined(first: Operation, second: Operation) -> Operation | None:
    if second.kind not in PRODUCTS | {Kind.REDUCE} or second.function not in ("", "add"):
        return None
    if not _is_one(second.beta) or not same_elements(first, second):
        return None
    statements = tuple(dict.fromkeys((*first.statements, *second.statements)))
    output = second.output
    if first.kind is Kind.FILL and _is_zero(first.value):
        operands = (replace(output, role=Role.WRITE), *second.inputs)
        beta: Expr | None = Const(output.type, 0.0 if output.type.is_float else 0)
        return replace(second, operands=operands, beta=beta, statements=statements)
    if first.kind is Kind.SCALE:
        return replace(second, beta=first.alpha, statements=statements)
    return None


def same_elements(first: Operation, second: Operation) -> bool:
    """Whether two operations store to the same elements."""
    one, other = first.output, second.output
    if one.array != other.array or one.base != other.base:
        return False
    if first.attributes.get("triangle") != second.attributes.get("triangle"):
        return False
    return _elements(first, one) == _elements(second, other)


Elements = tuple[Polynomial, frozenset[tuple[Polynomial, Polynomial]]]


def _elements(operation: Operation, operand: Operand) -> Elements:
    """Where the first element is, and the step and extent of each dimension."""
    steps = frozenset((operand.stride(d.name), d.extent) for d in operation.moves(operand))
    return operand.offset(operation.names), steps


def _is_one(value: Expr | None) -> bool:
    return isinstance(value, Const) and value.value == 1


def _is_zero(value: Expr | None) -> bool:
    while isinstance(value, Cast):
        value = value.value
    return isinstance(value, Const) and value.value == 0
