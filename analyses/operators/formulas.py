"""Updates as ``beta * old + sum of alpha * products + rest``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf

from s2s.analyses.operators.steps import number_of, signed_terms, step_of, summed
from s2s.analyses.operators.subscripts import NotAnOperator, Places
from s2s.analyses.operators.updates import Reduction, Update
from s2s.scop.expressions import (
    Binary,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Type,
    Unary,
    Variable,
    walk,
)
from s2s.scop.nodes import Statement
from s2s.scop.polynomial import Polynomial
from s2s.scop.rewrite import replace_parts
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Product:
    """``coefficients * elements``, summed over the instances of a statement.

    ``conditions``: where it is added. ``op``: add, max or min. ``other``: factors that are neither
    elements nor the same for all instances.
    """

    op: str
    statement: Statement
    coefficients: tuple[Expr, ...]
    loads: tuple[Load, ...]
    conditions: tuple[Expr, ...] = ()
    other: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Formula:
    """What an update stores at ``subscripts`` of its target (outermost first).

    ``beta``: the factor of what was there, None: that does not count. ``products``: sums over
    ``reductions`` and more. ``rest``: what else is added, a value of one instance.
    """

    update: Update
    subscripts: tuple[Polynomial, ...]
    beta: Expr | None
    products: tuple[Product, ...]
    rest: Expr | None

    @property
    def statement(self) -> Statement:
        return self.update.statement


def formulas_of(update: Update, places: Places) -> list[Formula]:
    """The formulas that an update is, one after the other. Raises NotAnOperator.

    There are two where what is stored is a function of a sum: the sum, and the function of it.
    """
    store, statement = update.store, update.statement
    subscripts = places.of(store.tensor, store.subscripts, places.named(update.statements))
    value, type_ = update.value, store.values[0].type
    old = Load(type_, store.tensor, store.subscripts)
    step, heads = step_of(store), frozenset(update.reductions)
    looped = {i.name for i in statement.iterators} - {n for s in subscripts for n in s.names}
    if step is not None and not step.value.variables & heads and (looped or step.op != "add"):
        products = [product_of(step.op, statement, t, s) for t, s in signed_terms(step.value)]
        if len(products) > 1 and step.op != "add":
            raise NotAnOperator("a maximum of sums", statement.name)
        return [Formula(update, subscripts, _one(type_), tuple(products), None)]
    linear = _linear(update, subscripts, value, old)
    if linear is not None and not (heads and any(map(_is_scaled, linear.products))):
        return [linear]
    if not heads:
        return [Formula(update, subscripts, None, (), value)]
    return _function_of_sum(update, subscripts, value, old)


def _is_scaled(product: Product) -> bool:
    """Whether it has more factors than two elements and what is the same for all instances."""
    return bool(product.other) or len(product.loads) > 2


def _function_of_sum(
    update: Update, subscripts: tuple[Polynomial, ...], value: Expr, old: Load
) -> list[Formula]:
    """The sum, stored as it is, and then what becomes of it."""
    name = update.statement.name
    inner = _only_part(value, frozenset(update.reductions))
    if inner is None or inner.type != old.type or any(e is old for e in walk(value)):
        raise NotAnOperator("a function of several sums", name)
    around = replace_parts(value, {inner: old})
    last = Formula(replace(update, value=around), subscripts, None, (), around)
    match inner:
        case Binary(_, "max" | "min" as op, base, Variable(_, mark)) if not _marks(base, update):
            reduction = update.reductions[mark]
            if reduction.op != op:
                raise NotAnOperator("a maximum of a sum", name)
            first = Formula(replace(update, value=base), subscripts, None, (), base)
            products = tuple(_of_reduction(reduction, (), 1, base))
            found = [first, Formula(update, subscripts, _one(old.type), products, None)]
        case _:
            linear = _linear(update, subscripts, inner, old)
            if linear is None:
                raise NotAnOperator("a function of several sums", name)
            found = [linear]
    return found if inner is value else [*found, last]


def _only_part(value: Expr, heads: frozenset[str]) -> Expr | None:
    """The smallest part of a value outside of which there is no sum; of a maximum with its seed."""
    gone = Const(value.type, 0)
    parts = [e for e in walk(value) if e.variables & heads]
    for part in parts:
        seeded = isinstance(part, Variable) and any(
            isinstance(e, Binary) and e.op in ("max", "min") and e.right is part for e in parts
        )
        if not seeded and not replace_parts(value, {part: gone}).variables & heads:
            return part
    return None


def _marks(value: Expr, update: Update) -> bool:
    return bool(value.variables & frozenset(update.reductions))


def _linear(
    update: Update, subscripts: tuple[Polynomial, ...], value: Expr, old: Load
) -> Formula | None:
    """A value that is linear in what was there and in the sums; None where it is not."""
    beta: list[tuple[Expr, int]] = []
    rest: list[tuple[Expr, int]] = []
    products: list[Product] = []
    heads = frozenset(update.reductions)

    def wanted(part: Expr) -> bool:
        return bool(part.variables & heads) or any(e is old for e in walk(part))

    for term, sign in _expanded(value, 1, wanted):
        factors = list(_factors(term))
        found = [f for f in factors if wanted(f)]
        others = [f for f in factors if f not in found]
        match found:
            case []:
                if not is_nothing(term, "add"):
                    rest.append((term, sign))
            case [Load()] if found == [old]:
                beta.append((_multiplied(others, old), sign))
            case [Variable(_, name)] if update.reductions[name].op == "add":
                products += _of_reduction(update.reductions[name], others, sign)
            case _:
                return None
    if not (beta or rest or products):
        rest.append((value, 1))
    factor = summed(beta, old) if beta else None
    return Formula(update, subscripts, factor, tuple(products), summed(rest, old) if rest else None)


def _of_reduction(
    reduction: Reduction, factors: Sequence[Expr], sign: int, base: Expr | None = None
) -> Iterator[Product]:
    """The products that a factor times a sum is a sum of; ``base``: what a maximum begins with."""
    for term, own in signed_terms(reduction.value):
        product = product_of(reduction.op, reduction.statement, term, own * sign, base)
        if reduction.op != "add" and (factors or sign < 0):
            raise NotAnOperator("a function of a maximum", reduction.statement.name)
        coefficients = list(product.coefficients)
        loads, other = list(product.loads), list(product.other)
        for factor in factors:
            _sort(factor, reduction.statement, coefficients, loads, other)
        yield replace(
            product, coefficients=tuple(coefficients), loads=tuple(loads), other=tuple(other)
        )


def product_of(
    op: str, statement: Statement, term: Expr, sign: int, base: Expr | None = None
) -> Product:
    coefficients: list[Expr] = [] if sign > 0 else [_minus_one(term.type)]
    loads: list[Load] = []
    other: list[Expr] = []
    conditions: list[Expr] = []
    for factor in _factors(term):
        chosen = _chosen(factor, op, base)
        if chosen is not None:
            conditions.append(chosen[0])
            for inner in _factors(chosen[1]):
                _sort(inner, statement, coefficients, loads, other)
        else:
            _sort(factor, statement, coefficients, loads, other)
    return Product(
        op, statement, tuple(coefficients), tuple(loads), tuple(conditions), tuple(other)
    )


def _chosen(factor: Expr, op: str, base: Expr | None) -> tuple[Expr, Expr] | None:
    """When a factor counts, and what it is then; None for one that always does."""
    match factor:
        case Select(_, condition, then, otherwise) if is_nothing(otherwise, op, base):
            return condition, then
        case Select(_, condition, then, otherwise) if is_nothing(then, op, base):
            return Unary(condition.type, "not", condition), otherwise
    return None


def is_nothing(value: Expr, op: str, base: Expr | None = None) -> bool:
    """Whether a literal changes no result: 0 in a sum, what is no more than ``base`` in a maximum
    that begins with it, or what no number is below.
    """
    number, begins = number_of(value), None if base is None else number_of(base)
    if number is None:
        return False
    if op == "add":
        return number == 0
    sign = 1 if op == "max" else -1
    return sign * number == -inf or (begins is not None and sign * number <= sign * begins)


def _is_widened(cast: Cast) -> bool:
    """Whether an integer becomes one of at least as many bits: modulo those it stays the same."""
    one, other = cast.value.type, cast.type
    return one.is_integer and other.is_integer and 8 <= one.bits <= other.bits


def _sort(
    factor: Expr,
    statement: Statement,
    coefficients: list[Expr],
    loads: list[Load],
    other: list[Expr],
) -> None:
    inner = {i.name for i in statement.iterators}
    if isinstance(factor, Load):
        loads.append(factor)
    elif isinstance(factor, Cast) and isinstance(factor.value, Load) and _is_widened(factor):
        loads.append(factor.value)
    elif not factor.reads and not factor.variables & inner:
        coefficients.append(factor)
    else:
        other.append(factor)


def _expanded(value: Expr, sign: int, wanted: Callable[[Expr], bool]) -> Iterator[tuple[Expr, int]]:
    """The terms of a sum, with factors of sums multiplied out that have what is wanted in them."""
    for term, own in signed_terms(value, sign):
        match term:
            case Binary(type_, "mul", left, right) if wanted(left) or wanted(right):
                for one, other in ((left, right), (right, left)):
                    parts = list(signed_terms(one))
                    if len(parts) > 1 and wanted(one) and not wanted(other):
                        for part, its in parts:
                            product = Binary(type_, "mul", part, other)
                            yield from _expanded(product, own * its, wanted)
                        break
                else:
                    yield term, own
            case _:
                yield term, own


def _factors(term: Expr) -> Iterator[Expr]:
    """The factors of a product; what it is divided by as a factor ``1 / x``."""
    match term:
        case Binary(_, "mul", left, right):
            yield from _factors(left)
            yield from _factors(right)
        case Binary(type_, "div", left, right) if type_.is_float and not _is_one(left):
            yield from _factors(left)
            yield Binary(type_, "div", Const(type_, 1.0), right)
        case Binary(type_, "sub", Const(_, 0), right) if type_.is_float:
            yield _minus_one(type_)
            yield from _factors(right)
        case _:
            yield term


def _is_one(value: Expr) -> bool:
    return isinstance(value, Const) and value.value == 1


def _minus_one(type_: Type) -> Const:
    return Const(type_, -1.0 if type_.is_float else -1)


def _multiplied(factors: Sequence[Expr], like: Expr) -> Expr:
    if not factors:
        return _one(like.type)
    first, *more = factors
    for factor in more:
        first = Binary(like.type, "mul", first, factor)
    return first


def _one(type_: Type) -> Const:
    return Const(type_, 1.0 if type_.is_float else 1)
