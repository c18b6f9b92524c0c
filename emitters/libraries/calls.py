"""A region as calls of the runtime's functions and as loops over elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from s2s.emitters.libraries.values import NoText, Texts, plain_type
from s2s.scop.expressions import Binary, Const, Expr, Variable
from s2s.scop.library_calls import (
    Address,
    Argument,
    AtLeast,
    LibraryCall,
    NotZero,
    Scalar,
)
from s2s.scop.operation import Dim, Kind, Operand, Operation
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

LIMIT = 2147483647


@dataclass(frozen=True)
class Printer:
    """Prints calls and loops; introduced names begin with ``prefix``.

    ``c90``: counters are declared before the loops.
    """

    texts: Texts
    prefix: str = "s2s_"
    c90: bool = False

    def call(self, call: LibraryCall) -> list[str]:
        """The lines of a call, in loops over what the library's function does not do at once."""
        names = {d.name: f"{self.prefix}{d.name}" for d in call.loops}
        inner = replace(self.texts, indices={**self.texts.indices, **names})
        arguments = ", ".join(_argument(inner, a) for a in call.arguments)
        return self._nested(call.loops, names, f"{call.function}({arguments});")

    def _nested(self, dims: Sequence[Dim], names: Mapping[str, str], body: str) -> list[str]:
        """A statement in loops."""
        if not dims:
            return [body]
        word = "" if self.c90 else "long "
        lines = [
            f"for ({word}{names[d.name]} = 0; {names[d.name]} < {self.texts.size(d.extent)};"
            f" {names[d.name]}++)"
            for d in dims
        ]
        lines = [f"{'    ' * k}{line}" for k, line in enumerate([*lines, body])]
        if not self.c90:
            return lines
        counters = ", ".join(names[d.name] for d in dims)
        return ["{", f"    long {counters};", *(f"    {line}" for line in lines), "}"]

    def loops(self, operation: Operation) -> list[str]:
        """The lines of loops that do an operation of elements."""
        names = {d.name: f"{self.prefix}{d.name}" for d in operation.dims}
        inner = replace(self.texts, indices={**self.texts.indices, **names})
        elements = {o.name: element(inner, o) for o in operation.operands}
        inner = replace(inner, elements=elements)
        walked = operation.inputs[0] if operation.kind is Kind.REDUCE else operation.output
        dims = _outer_first(operation, walked)
        target, where = elements[operation.output.name], _inside(inner, operation)
        if operation.kind is Kind.REDUCE:
            value = inner.value(summed(operation))
            return self._nested(dims, names, f"{where}{target} += {value};")
        value = inner.value(value_of(operation))
        return self._nested(dims, names, f"{where}{target} = {value};")

    def condition(self, condition: AtLeast | NotZero) -> str:
        """A condition of a call; empty where it always holds."""
        if isinstance(condition, NotZero):
            return f"{self.texts.value(condition.value)} != 0"
        left, right = condition.left, condition.right
        difference = left - right
        if difference.number is not None and difference.number >= 0:
            return ""
        return f"{self.texts.size(left)} >= {self.texts.size(right)}"

    def narrow(self, size: Polynomial) -> str:
        """That a size fits ``int``; empty where it surely does."""
        if size.number is not None and abs(size.number) <= LIMIT:
            return ""
        return f"{self.texts.size(size)} <= {LIMIT}"

    def work(self, work: Polynomial, least: float) -> str:
        """That there is enough to do of what is not known before."""
        return f"{self._amount(work)} >= {least:.0f}.0"

    def saved(self, work: Polynomial, each: float) -> str:
        """The nanoseconds that are saved if each unit of work saves some."""
        if work.number is not None:
            return f"{work.number * each:.0f}.0"
        return f"{each} * {self._amount(work).removeprefix('(double)')}"

    def _amount(self, work: Polynomial) -> str:
        """An amount of work, as a floating-point number."""
        if work.constant or len(work.terms) != 1:
            return f"(double)({self.texts.size(work)})"
        ((names, times),) = work.terms.items()
        factors = [self.texts.inside(Polynomial.name(name)) for name in names]
        factors = [factor.removeprefix("(long)") for factor in factors]
        factors[0] = f"{times}.0 * {factors[0]}" if times != 1 else f"(double){factors[0]}"
        return " * ".join(factors)


def summed(operation: Operation) -> Expr:
    """What a sum of elements adds to what is there. Raises NoText for other reductions."""
    (operand,) = operation.inputs
    one = isinstance(operation.beta, Const) and operation.beta.value == 1
    if operation.function != "add" or not one or operand.is_padded:
        raise NoText("a reduction beside the call")
    element = Variable(operand.type, operand.name)
    alpha = operation.alpha
    if alpha is None or (isinstance(alpha, Const) and alpha.value == 1):
        return element
    return Binary(operation.output.type, "mul", alpha, element)


def value_of(operation: Operation) -> Expr:
    """What an operation of elements stores."""
    value = operation.value
    assert value is not None
    return value


def _inside(texts: Texts, operation: Operation) -> str:
    """The test for a triangle of the output's elements; empty where all count."""
    side = operation.attributes.get("triangle")
    if not side:
        return ""
    row, column = map(texts.size, operation.output.subscripts)
    return f"if ({row} {'>=' if side == 'lower' else '<='} {column}) "


def _outer_first(operation: Operation, operand: Operand) -> Sequence[Dim]:
    """The dimensions by the steps of an operand, the largest first."""

    def size(dim: Dim) -> tuple[int, int]:
        step = operand.stride(dim.name)
        return step.degree, abs(step.number or 0)

    return sorted(operation.dims, key=size, reverse=True)


def element(texts: Texts, operand: Operand) -> str:
    """The text of an element."""
    if operand.scalar:
        return operand.base.removeprefix("&")
    return f"{first(operand)}[{texts.size(operand.address)}]"


def first(operand: Operand) -> str:
    """A pointer to the first of the elements, which lie in a row."""
    qualified = "const " if not operand.writes else ""
    return f"(({qualified}{plain_type(operand.type)} *){operand.base})"


def _argument(texts: Texts, argument: Argument) -> str:
    match argument:
        case Address(operand, offset):
            base = operand.base if operand.scalar else first(operand)
            return (
                base
                if not (offset.terms or offset.constant)
                else (f"{base} + {texts.inside(offset)}")
            )
        case Scalar(value, type_):
            return texts.scalar(value, type_)
        case Polynomial():
            return texts.size(argument)
    return str(argument)
