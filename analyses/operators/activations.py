"""Names of functions of one element in single precision, by what they compute."""

from __future__ import annotations

from dataclasses import replace

from s2s.analyses.operators.steps import signed_terms
from s2s.scop.expressions import Binary, Call, Const, Expr, Variable
from s2s.scop.operation import Kind, Operation, Role

_FUNCTIONS = {"expf": "exp", "tanhf": "tanh"}


def activation(value: Expr, elements: frozenset[str]) -> str:
    """``exp``, ``tanh`` or ``logistic`` of one of some elements; empty for all else."""
    name, argument = _function(value)
    return name if isinstance(argument, Variable) and argument.name in elements else ""


def apart(operation: Operation) -> list[Operation]:
    """``out = exp(a - b)`` as ``out = a - b; out = exp(out)``, so that it is of one element."""
    value, output = operation.value, operation.output
    own = any(o.array == output.array for o in operation.inputs)
    if operation.kind is not Kind.ELEMENTWISE or operation.function or own or value is None:
        return [operation]
    name, argument = _function(value)
    if argument is None or argument.type != value.type:
        return [operation]
    same = Variable(value.type, output.name)
    call = replace(
        operation, operands=(replace(output, role=Role.UPDATE),), function=name,
        value=_called(value, same),
    )  # fmt: skip
    return [replace(operation, value=argument), call]


def _function(value: Expr) -> tuple[str, Expr | None]:
    """The function that a value is, and its argument; None where it is another value."""
    match value:
        case Call(_, name, (argument,)) if name in _FUNCTIONS:
            return _FUNCTIONS[name], argument
        case Binary(_, "div", Const(_, number), below) if number == 1:
            return "logistic", _logistic(below)
    return "", None


def _logistic(below: Expr) -> Expr | None:
    """What ``x`` is in a sum ``1 + expf(-x)``; None in others."""
    terms = list(signed_terms(below))
    if [sign for _, sign in terms] != [1, 1]:
        return None
    for (one, _), (other, _) in (terms, terms[::-1]):
        match one, other:
            case Const(_, number), Call(_, "expf", (argument,)) if number == 1:
                return _negative(argument)
    return None


def _negative(value: Expr) -> Expr:
    match value:
        case Binary(_, "sub", Const(_, number), argument) if number == 0:
            return argument
    return Binary(value.type, "sub", Const(value.type, -0.0), value)


def _called(value: Expr, argument: Expr) -> Expr:
    """The function that a value is, of another argument."""
    if isinstance(value, Call):
        return Call(value.type, value.name, (argument,))
    one = Const(value.type, 1.0)
    exponential = Call(value.type, "expf", (_negative(argument),))
    return Binary(value.type, "div", one, Binary(value.type, "add", one, exponential))
