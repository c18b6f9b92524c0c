"""Subscripts of typed loads and stores as polynomials, checked against the accesses of the SCoP."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod

import islpy as isl

from s2s.scop.expressions import Binary, Cast, Const, Expr, Load, Variable
from s2s.scop.nodes import Access, Array, Scop, Statement
from s2s.scop.polynomial import Polynomial, RowSize, delinearize


class NotAnOperator(Exception):
    """Code that is none of the operators: ``reason``, in words of the source."""

    def __init__(self, reason: str, statement: str = "") -> None:
        super().__init__(reason)
        self.reason, self.statement = reason, statement


_NO_SUMS: Mapping[str, str] = {}


def polynomial(
    expr: Expr, names: Mapping[str, str], sums: Mapping[str, str] = _NO_SUMS
) -> Polynomial | None:
    """An integer expression over iterators and parameters; ``names``: the SCoP's by the source's.

    ``sums``: parameters that stand for sums of others where these are factors, by isl's text.

    None where it is no polynomial. Signed arithmetic of C does not overflow where it is defined,
    and that unsigned arithmetic does not wrap is among the assumptions of the SCoP.
    """
    match expr:
        case Const(_, int() as number):
            return Polynomial.integer(number)
        case Variable(_, name):
            return Polynomial.name(names.get(name, name))
        case Cast(type_, inner) if type_.is_integer and inner.type.is_integer:
            return polynomial(inner, names, sums)
        case Binary(_, "add" | "sub" | "mul" as op, left, right):
            first, second = (polynomial(e, names, sums) for e in (left, right))
            if first is None or second is None:
                return None
            if op == "mul":
                return _named(first, sums) * _named(second, sums)
            return first + second if op == "add" else first - second
    return None


def _named(value: Polynomial, sums: Mapping[str, str]) -> Polynomial:
    """A factor, by its name where it is a sum that has one."""
    name = sums.get(value.isl()) if sums and value.is_affine else None
    return value if name is None else Polynomial.name(name)


def row_step(array: str) -> str:
    """The name of the elements from a row to the next, of rows that pointers lead to."""
    return f"{array}.row"


class Places:
    """Where the elements that a SCoP's statements name are, subscripts outermost first."""

    def __init__(self, scop: Scop) -> None:
        self.scop = scop
        self.names = {p.spelling: p.name for p in scop.parameters}
        self._sums = {p.equals: p.name for p in scop.parameters if p.equals}
        self._space = "[" + ", ".join(scop.parameter_names()) + "] -> "
        self._sizes: dict[tuple[str, tuple[Polynomial, ...]], tuple[Polynomial | None, ...]] = {}

    def named(self, names: Collection[str]) -> list[Statement]:
        """The statements of these names."""
        return [s for s in self.scop.statements if s.name in names]

    def sizes(
        self, array: Array, subscripts: tuple[Polynomial, ...]
    ) -> tuple[Polynomial | None, ...]:
        """Elements in each dimension of an element's subscripts, None where it is not known."""
        if (array.name, subscripts) in self._sizes:
            return self._sizes[array.name, subscripts]
        if array.row_rank == 1 and array.sizes == (None, None):
            return (None, Polynomial.name(row_step(array.name)))
        return tuple(None if text is None else self._size(text) for text in array.sizes)

    def _size(self, text: str) -> Polynomial:
        """An inner size, which isl's text gives as an affine function of the parameters."""
        function = isl.PwAff(f"{self._space}{{ [({text})] }}")
        found = affine_polynomial(function)
        if found is None:
            raise NotAnOperator(f"the size '{text}' is not affine")
        return found

    def of_load(self, load: Load, statements: Sequence[Statement]) -> tuple[Polynomial, ...]:
        """The subscripts of a load in one of some statements. Raises NotAnOperator."""
        return self.of(load.tensor, load.subscripts, statements)

    def of(
        self, name: str, subscripts: Sequence[Expr], statements: Sequence[Statement]
    ) -> tuple[Polynomial, ...]:
        """The subscripts of an element. Raises NotAnOperator where they are not affine."""
        statement = statements[-1]
        array = self.scop.arrays.get(name)
        if array is None:
            raise NotAnOperator(f"'{name}' is no array of the region", statement.name)
        found = [polynomial(s, self.names, self._sums) for s in reversed(subscripts)]
        known = [p for p in found if p is not None]
        if len(known) != len(found):
            text = f"which element of '{array.spelling}' it is depends on data"
            raise NotAnOperator(text, statement.name)
        if array.flat and known:
            rows = [RowSize.parse(size or "") for size in array.sizes[-len(array.flat) :]]
            flat = known[-1]
            for name, value in array.products:
                flat = flat.with_named(value, name)
            split = delinearize(flat, rows)
            if split is None:
                raise NotAnOperator(
                    f"the subscript of '{array.spelling}' has no rows", statement.name
                )
            known[-1:] = split
        if any(not s.is_affine for s in known):
            text = f"the places of '{array.spelling}' are not affine in the loops"
            raise NotAnOperator(text, statement.name)
        read_in = next((s for s in statements if self._has(s, array, known)), None)
        if read_in is None:
            text = f"the places of '{array.spelling}' are not the ones that its rows give"
            raise NotAnOperator(text, statement.name)
        if array.rank == 1 or array.flat:
            return self._in_components(array, known, read_in)
        return tuple(known)

    def _in_components(
        self, array: Array, known: Sequence[Polynomial], statement: Statement
    ) -> tuple[Polynomial, ...]:
        """Subscripts with the last one taken apart, where rows have numbers for each point."""
        digits, sizes = self._split(known[-1], statement)
        row = self._size(array.sizes[-1] or "") if array.flat else None
        points = row.divided(prod(sizes)) if row is not None else None
        if not sizes or (array.flat and points is None):
            return tuple(known)
        found = (*known[:-1], *digits)
        outer = self.sizes(array, tuple(known))[:-1]
        self._sizes[array.name, found] = (*outer, points, *map(Polynomial.integer, sizes))
        return found

    def _split(
        self, value: Polynomial, statement: Statement
    ) -> tuple[tuple[Polynomial, ...], list[int]]:
        """A flat subscript in rows of constant sizes; each inner one stays within its row."""
        iterators = {v.name for v in statement.iterators}
        steps = sorted({abs(c) for n, c in value.terms.items() if set(n) & iterators})
        found: list[Polynomial] = []
        sizes: list[int] = []
        rest, unit = value, 1
        for step in steps:
            size = step // unit
            if step <= unit or step % unit:
                continue
            inner = self._inside(rest, size, statement)
            if inner is not None:
                upper = (rest - inner).divided(size)
                if upper is not None:
                    found.insert(0, inner)
                    sizes.insert(0, size)
                    rest, unit = upper, step
        return (rest, *found), sizes

    def _inside(self, value: Polynomial, size: int, statement: Statement) -> Polynomial | None:
        """The part of a subscript below a row's size, where it never leaves the row."""
        terms = {n: c for n, c in value.terms.items() if c % size}
        names = ", ".join(v.name for v in statement.iterators)
        for constant in (value.constant % size, value.constant % size - size):
            part = Polynomial(terms, constant)
            if not terms:
                return part if 0 <= constant < size else None
            text = f"{part.isl()} < 0 or {part.isl()} >= {size}"
            outside = isl.Set(f"{self._space}{{ {statement.name}[{names}] : {text} }}")
            if statement.domain.is_disjoint(outside):
                return part
        return None

    def _has(self, statement: Statement, array: Array, subscripts: list[Polynomial]) -> bool:
        """Whether an access of a statement is to these elements."""
        iterators = {v.name for v in statement.iterators}
        known = iterators | set(self.scop.parameter_names())
        named = {n for s in subscripts for n in s.names}
        accesses = [a for a in statement.accesses if a.array == array.name and _is_told(a)]
        if not named <= known or not accesses:
            return False
        names = ", ".join(v.name for v in statement.iterators)
        target = ", ".join(s.isl() for s in subscripts)
        wanted = isl.Map(f"{self._space}{{ {statement.name}[{names}] -> {array.name}[{target}] }}")
        wanted = wanted.intersect_domain(statement.domain)
        return any(_is_to(wanted, a) for a in accesses)


def _is_to(wanted: isl.Map, access: Access) -> bool:
    """Whether an access is to what is wanted, where it happens: a condition may be around it."""
    if not access.write:
        wanted = wanted.intersect_domain(access.relation.domain())
    return bool(wanted.is_subset(access.relation)) and not access.relation.is_empty()


def _is_told(access: Access) -> bool:
    """Whether it is known which element it is, even where it may not be read."""
    return access.exact or (not access.write and bool(access.relation.is_single_valued()))


def affine_polynomial(function: isl.PwAff) -> Polynomial | None:
    """A function of parameters as a polynomial; None where it has pieces or rounds."""
    pieces = function.get_pieces()
    return of_aff(pieces[0][1]) if len(pieces) == 1 else None


def of_aff(aff: isl.Aff) -> Polynomial | None:
    """An affine function of parameters; a quotient that is rounded is a name of its own."""
    if not aff.get_denominator_val().is_one():
        return None
    found = Polynomial.integer(aff.get_constant_val().to_python())
    for place in range(aff.dim(isl.dim_type.param)):
        times = aff.get_coefficient_val(isl.dim_type.param, place).to_python()
        if times:
            name = aff.get_dim_name(isl.dim_type.param, place)
            found = found + Polynomial({(str(name),): times})
    for place in range(aff.dim(isl.dim_type.div)):
        times = aff.get_coefficient_val(isl.dim_type.div, place).to_python()
        if times:
            found = found + Polynomial({(_quotient(aff.get_div(place)),): times})
    return found


def _quotient(aff: isl.Aff) -> str:
    """Isl's text of a rounded quotient of parameters."""
    by = aff.get_denominator_val()
    inner = of_aff(aff.scale_val(by))
    if inner is None:
        raise NotAnOperator("a bound rounds twice")
    return f"floor({inner.isl()}/{by.to_python()})"
