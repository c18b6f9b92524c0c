"""Formulas as operations: which dimensions the operands have says what is computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import islpy as isl

from s2s.analyses.operators.activations import activation, apart
from s2s.analyses.operators.boxes import Box, box_of, instances
from s2s.analyses.operators.conditions import affine_conditions, with_limits
from s2s.analyses.operators.formulas import Formula, Product, product_of
from s2s.analyses.operators.operands import Operands
from s2s.analyses.operators.steps import signed_terms
from s2s.analyses.operators.subscripts import NotAnOperator, Places
from s2s.scop.expressions import Binary, Cast, Const, Expr, Load, Type, Variable, walk
from s2s.scop.nodes import Statement
from s2s.scop.operation import Dim, Kind, Operand, Operation, Role
from s2s.scop.polynomial import Polynomial
from s2s.scop.rewrite import replace_parts
from s2s.source.records import dataclass

_ZERO = Polynomial()


@dataclass(frozen=True)
class Operations:
    """Makes the operations of formulas; ``context``: parameters for which all loops run."""

    places: Places
    context: isl.Set

    def of(self, formula: Formula) -> Iterator[Operation]:
        """The operations that a formula is, in their order. Raises NotAnOperator."""
        self._check_elements(formula)
        beta, rest = formula.beta, formula.rest
        outer = list(self._outer_products(formula)) if not formula.products else []
        if outer:
            yield from outer
            return
        if rest is not None or not formula.products:
            yield from apart(self._elementwise(formula))
            beta = _one(formula)
        for product in formula.products:
            yield self._product(formula, product, beta)
            beta = _one(formula)

    # ---- products

    def _product(self, formula: Formula, product: Product, beta: Expr | None) -> Operation:
        statement = product.statement
        for factor in product.other:
            if isinstance(factor, Cast) and factor.value.type.is_float:
                text = f"a sum in {factor.type} of products of {factor.value.type}"
                raise NotAnOperator(text, statement.name)
            raise NotAnOperator("products of more than elements and constants", statement.name)
        domain = affine_conditions(product.conditions, statement, self.places)
        parts = self.places.named(formula.update.statements)
        targets = [self.places.of_load(load, parts) for load in product.loads]
        used = {n for subs in (formula.subscripts, *targets) for s in subs for n in s.names}
        own = {n for s in formula.subscripts for n in s.names}
        own &= {i.name for i in formula.statement.iterators}
        if not own <= {i.name for i in statement.iterators}:
            raise NotAnOperator("a sum that several elements get", statement.name)
        box = box_of(instances(statement), used, self.context)
        operands = Operands(self.places, box)
        role = Role.WRITE if beta is None or _is_zero(beta) else Role.UPDATE
        store = formula.update.store
        type_ = store.values[0].type
        output = operands.output(store.tensor, type_, formula.subscripts, role)
        inputs = [
            operands.input(name, load, parts)
            for name, load in zip("abcdefgh", product.loads, strict=False)
        ]
        if len(product.loads) > 2:
            raise NotAnOperator(f"products of {len(product.loads)} elements", statement.name)
        for operand in inputs:
            if operand.array == output.array:
                name = self.places.scop.arrays[output.array].spelling
                raise NotAnOperator(
                    f"a sum of elements of '{name}' that it changes", statement.name
                )
            if operand.type != type_ and not _is_wider(type_, operand.type):
                raise NotAnOperator(
                    f"a sum in {type_} of products of {operand.type}", statement.name
                )
        dims = _dims(box, output)
        made = Operation(
            Kind.CONTRACTION, dims, (output, *inputs), formula.update.statements, statement.span,
            alpha=_multiplied(product.coefficients, formula), beta=beta,
            spellings=self._spellings(), held=statement is not formula.statement,
        )  # fmt: skip
        inside = domain.intersect_params(self.context)
        judged = self._judged(made, product, box, inside)
        if judged.kind is not Kind.MATMUL and any(o.type != type_ for o in inputs):
            raise NotAnOperator(f"a sum in {type_} of narrower integers", statement.name)
        return judged

    def _judged(self, made: Operation, product: Product, box: Box, inside: isl.Set) -> Operation:
        """The operation by its kind; conditions become limits of windows, or a triangle."""
        name = product.statement.name
        made = with_limits(made, box, inside, self.context, name)
        if product.op != "add":
            if len(made.inputs) != 1 or made.alpha != _one_like(made):
                raise NotAnOperator("a maximum of products", name)
            kind = Kind.POOL_MAX if _has_windows(made) else Kind.REDUCE
            return replace(made, kind=kind, function=product.op)
        if len(made.inputs) == 1:
            kind = Kind.POOL_SUM if _has_windows(made) else Kind.REDUCE
            return replace(made, kind=kind, function="add")
        if not made.inputs:
            raise NotAnOperator("a sum of what is the same for all iterations", name)
        return replace(made, kind=kind_of(made))

    # ---- element by element

    def _elementwise(self, formula: Formula) -> Operation:
        update, statement = formula.update, formula.statement
        old = Load(update.store.values[0].type, update.store.tensor, update.store.subscripts)
        parts: list[Expr] = [] if formula.rest is None else [formula.rest]
        if formula.beta is not None:
            parts.insert(0, _times(formula.beta, Variable(old.type, "out"), old.type))
        value = replace_parts(parts[0], {old: Variable(old.type, "out")})
        for part in parts[1:]:
            value = Binary(old.type, "add", value, part)
        loads = list(dict.fromkeys(e for e in walk(value) if isinstance(e, Load)))
        read_in = self.places.named(update.statements)
        subscripts = [self.places.of_load(load, read_in) for load in loads]
        used = {n for subs in (formula.subscripts, *subscripts) for s in subs for n in s.names}
        used |= value.variables
        for load, places in zip(loads, subscripts, strict=True):
            if load.tensor == update.store.tensor:
                self._check_unchanged(formula, places)
        box = box_of(instances(statement), used, self.context)
        operands = Operands(self.places, box)
        role = Role.UPDATE if "out" in value.variables else Role.WRITE
        store = update.store
        output = operands.output(store.tensor, old.type, formula.subscripts, role)
        inputs = [operands.input(f"x{k}", load, read_in) for k, load in enumerate(loads)]
        known: dict[Expr, Expr] = {
            load: Variable(load.type, f"x{k}") for k, load in enumerate(loads)
        }
        dims = _dims(box, output)
        if any(d.reduction for d in dims):
            raise NotAnOperator("a loop stores to the same elements again", statement.name)
        value = replace_parts(value, known)
        made = Operation(
            Kind.ELEMENTWISE, dims, (output, *inputs), update.statements, statement.span,
            value=value, spellings=self._spellings(),
        )  # fmt: skip
        made = with_limits(made, box, statement.domain.intersect_params(self.context),
                           self.context, statement.name)  # fmt: skip
        return _named(made)

    def _outer_products(self, formula: Formula) -> Iterator[Operation]:
        """The operations of ``A += u * v``, one for each term; none where it is another form."""
        if formula.beta != _one(formula) or formula.rest is None:
            return
        found = []
        for term, sign in signed_terms(formula.rest):
            product = product_of("add", formula.statement, term, sign)
            if len(product.loads) != 2 or product.other or product.conditions:
                return
            if any(load.type != formula.rest.type for load in product.loads):
                return
            made = self._product(formula, product, formula.beta)
            if made.kind is not Kind.OUTER:
                return
            found.append(made)
        yield from found

    def _spellings(self) -> dict[str, str]:
        return {p.name: p.spelling for p in self.places.scop.parameters}

    def _check_elements(self, formula: Formula) -> None:
        """Each element is updated by instances of its own, but for the sum's."""
        statement = formula.statement
        used = [v.name for v in statement.iterators
                if any(v.name in s.names for s in formula.subscripts)]  # fmt: skip
        writes = self._elements(statement, formula.subscripts)
        indices = self._elements(statement, [Polynomial.name(name) for name in used])
        if not indices.reverse().apply_range(writes).is_injective():
            raise NotAnOperator("several iterations store to one element", statement.name)
        adds = formula.beta == _one(formula) and formula.rest is None
        if not indices.is_injective() and not adds:
            raise NotAnOperator("a loop changes the same elements again", statement.name)

    def _check_unchanged(self, formula: Formula, subscripts: Sequence[Polynomial]) -> None:
        """Other elements of the target that an update reads are none that it stores to.

        Its loops run in another order here, before or after all its sums are added.
        """
        statement = formula.statement
        stored = self._elements(statement, formula.subscripts).range()
        alike = len(subscripts) == len(formula.subscripts)  # not rows to one and flat to the other
        known = {v.name for v in statement.iterators} | set(self.places.scop.parameter_names())
        read = {name for subscript in subscripts for name in subscript.names}
        others = self._elements(statement, subscripts).range()
        if alike and read <= known and stored.is_disjoint(others):
            return
        name = self.places.scop.arrays[formula.update.target].spelling
        raise NotAnOperator(f"it reads elements of '{name}' that it changes", statement.name)

    def _elements(self, statement: Statement, subscripts: Sequence[Polynomial]) -> isl.Map:
        """Where subscripts lead in the instances of a statement."""
        names = ", ".join(v.name for v in statement.iterators)
        places = ", ".join(s.isl() for s in subscripts)
        space = "[" + ", ".join(self.places.scop.parameter_names()) + "] -> "
        found = isl.Map(f"{space}{{ {statement.name}[{names}] -> [{places}] }}")
        return found.intersect_domain(statement.domain.intersect_params(self.context))


def kind_of(operation: Operation) -> Kind:
    """What a sum of products of two operands is, by the dimensions that these have."""
    output, a, b = operation.operands
    moves = {o.name: {d.name for d in operation.moves(o)} for o in operation.operands}
    own, left, right = moves[output.name], moves[a.name], moves[b.name]
    if _windows(operation):
        return Kind.CONVOLUTION
    every = {d.name for d in operation.dims}
    if (own | left | right) != every or (left | right) < own or (left ^ right) - own:
        return Kind.CONTRACTION
    rows, columns = (own & left) - right, (own & right) - left
    sums = (left & right) - own
    if not sums:
        return Kind.OUTER if rows and columns and not own & left & right else Kind.CONTRACTION
    if rows and columns:
        return Kind.MATMUL
    return Kind.MATVEC if rows or columns else Kind.DOT


def _windows(operation: Operation) -> list[tuple[str, str]]:
    """Pairs of an output's dimension and a reduction that one subscript of an input adds up."""
    found = []
    for operand in operation.inputs:
        for axis, subscript in enumerate(operand.subscripts):
            inside = [d for d in operation.dims if d.name in subscript.names]
            outer = [d.name for d in inside if not d.reduction]
            sums = [d.name for d in inside if d.reduction]
            if outer and sums and not _is_split(operand, axis, inside):
                found.append((outer[0], sums[0]))
    return found


_LARGEST_STRIDE = 16
"""Windows of reductions that do not overlap are told from rows by steps up to this."""


def _has_windows(operation: Operation) -> bool:
    """Whether one input is reduced over windows, which may lie side by side."""
    (operand,) = operation.inputs
    for axis, subscript in enumerate(operand.subscripts):
        inside = [d for d in operation.dims if d.name in subscript.names]
        steps = [abs(operand.axis_stride(axis, d.name)) for d in inside if not d.reduction]
        if steps and any(d.reduction for d in inside) and max(steps) <= _LARGEST_STRIDE:
            return True
    return False


def _is_split(operand: Operand, axis: int, inside: Sequence[Dim]) -> bool:
    """Whether dimensions in one subscript are digits of it: none reaches the next one's step."""
    reach = 1
    for dim in sorted(inside, key=lambda d: abs(operand.axis_stride(axis, d.name))):
        step, extent = abs(operand.axis_stride(axis, dim.name)), dim.extent.number
        if step == 0 or step < reach:
            return False
        reach = step * (extent - 1) + reach if extent is not None else step * 1_000_000
    return True


def _is_wider(one: Type, other: Type) -> bool:
    """Whether an integer type has at least the bits of another one."""
    return one.is_integer and other.is_integer and one.bits >= other.bits


def _dims(box: Box, output: Operand) -> tuple[Dim, ...]:
    return tuple(Dim(r.name, r.extent, output.stride(r.name) == _ZERO, r.name) for r in box.ranges)


def _one(formula: Formula) -> Const:
    type_ = formula.update.store.values[0].type
    return Const(type_, 1.0 if type_.is_float else 1)


def _one_like(operation: Operation) -> Const:
    type_ = operation.output.type
    return Const(type_, 1.0 if type_.is_float else 1)


def _is_zero(value: Expr) -> bool:
    while isinstance(value, Cast):
        value = value.value
    return isinstance(value, Const) and value.value == 0


def _times(factor: Expr, value: Expr, type_: Type) -> Expr:
    if isinstance(factor, Const) and factor.value == 1:
        return value
    return Binary(type_, "mul", factor, value)


def _multiplied(factors: Sequence[Expr], formula: Formula) -> Expr:
    if not factors:
        return _one(formula)
    found, *more = factors
    for factor in more:
        found = Binary(factor.type, "mul", found, factor)
    return found


def _named(operation: Operation) -> Operation:
    """An element-wise operation by its usual name."""
    value, output = operation.value, operation.output
    assert value is not None
    names = {d.name for d in operation.dims}
    match value:
        case Binary(_, "mul", factor, Variable(_, "out")) if not _moves(factor, names):
            return replace(operation, kind=Kind.SCALE, alpha=factor)
        case Binary(_, "mul", Variable(_, "out"), factor) if not _moves(factor, names):
            return replace(operation, kind=Kind.SCALE, alpha=factor)
        case Variable(_, "x0") if output.role is Role.WRITE:
            return replace(operation, kind=Kind.COPY)
        case Binary(_, "add", Variable(_, "out"), term) if len(operation.inputs) == 1:
            times = _coefficient(term, "x0")
            if times is not None and not _moves(times, names):
                return replace(operation, kind=Kind.AXPY, alpha=times)
    if not operation.inputs and output.role is Role.WRITE and not _moves(value, names):
        return replace(operation, kind=Kind.FILL)
    if len(operation.inputs) == (output.role is Role.WRITE):
        return replace(operation, function=activation(value, frozenset({"x0", "out"})))
    return operation


def _moves(value: Expr, names: set[str]) -> bool:
    own = {
        name
        for name in value.variables
        if name == "out" or (name[:1] == "x" and name[1:].isdigit())
    }
    return bool(value.variables & names or own)


def _coefficient(term: Expr, name: str) -> Expr | None:
    match term:
        case Variable(type_, found) if found == name:
            return Const(type_, 1.0 if type_.is_float else 1)
        case Binary(_, "mul", factor, Variable(_, found)) if found == name:
            return factor
        case Binary(_, "mul", Variable(_, found), factor) if found == name:
            return factor
    return None
