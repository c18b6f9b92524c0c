"""Operations as calls of CBLAS: products of matrices and vectors in all layouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.scop.expressions import Const, Expr, Type
from s2s.scop.library_calls import Address, AtLeast, LibraryCall, NotTaken, NotZero, Scalar
from s2s.scop.operation import PRODUCTS, Dim, Kind, Operand, Operation
from s2s.scop.polynomial import Polynomial
from s2s.transforms.libraries import integers
from s2s.transforms.libraries.strides import (
    ONE,
    Group,
    Matrix,
    Roles,
    fuse,
    matrix_of,
    roles_of,
    squeeze,
)
from s2s.transforms.libraries.windows import convolution

LIBRARY = "blas"


def take(operations: Sequence[Operation]) -> tuple[LibraryCall, int]:
    """The call for the first of some operations, and how many it does. Raises NotTaken."""
    first = operations[0]
    if first.kind is Kind.CONVOLUTION:
        return _convolution(first), 1
    _check(first)
    if first.kind in PRODUCTS | {Kind.REDUCE}:
        first = squeeze(first)
    if first.attributes.get("triangle"):
        return _triangle([first, *operations[1:]])
    roles = roles_of(first) if len(first.operands) == 3 else None
    match first.kind:
        case Kind.AXPY | Kind.SCALE:
            return _vector(first), 1
        case Kind.REDUCE if first.function == "add" and len(first.inputs) == 1:
            return _total(first), 1
        case kind if kind in PRODUCTS and roles is not None:
            return _product(first, roles), 1
    raise NotTaken(f"BLAS has no {first.kind.value}")


def _convolution(operation: Operation) -> LibraryCall:
    """A convolution as products of weights and what windows see, which the runtime writes out."""
    of = letter(operation.output.type)
    if any(o.rows for o in operation.operands):
        raise NotTaken("its rows may lie anywhere")
    entry, function = f"cblas_{of}gemm of windows", f"s2s_{of}convolution"
    return convolution(operation, LIBRARY, entry, function, factors=True)


def _check(operation: Operation) -> None:
    if operation.kind is not Kind.MATMUL or operation.attributes.get("triangle"):
        letter(operation.output.type)
    for operand in operation.operands:
        if operand.is_padded:
            raise NotTaken("it is padded")


def letter(type_: Type) -> str:
    """The letter in the names of a type's functions. Raises NotTaken."""
    letters = {("float", 32): "s", ("float", 64): "d"}
    if (type_.code, type_.bits) not in letters:
        raise NotTaken(f"BLAS has no {type_}")
    return letters[type_.code, type_.bits]


def _product(operation: Operation, roles: Roles) -> LibraryCall:
    output, a, b = operation.operands
    rows = fuse(roles.rows, (output, a))
    columns = fuse(roles.columns, (output, b))
    sums = fuse(roles.sums, (a, b))
    known = {d.name for part in (roles.batch, roles.rows, roles.columns, roles.sums) for d in part}
    if known != operation.names:
        raise NotTaken("a dimension is in one of the factors alone")
    if not sums:
        if not (rows and columns):
            raise NotTaken("a product element by element")
        return _outer(operation, roles, rows, columns)
    *others, inner = sums
    if others:  # a call for each of their iterations, which adds to what is there
        if not _is_one(operation.beta):
            raise NotTaken("the sum runs over several dimensions that do not follow each other")
        again = tuple(d for group in others for d in group.dims)
        roles = replace(roles, batch=(*roles.batch, *again))
    if rows and columns:
        return _gemm(operation, roles, rows, columns, inner)
    if not rows and not columns:
        return _dot(operation, roles, inner)
    if rows:
        return _gemv(operation, roles, rows, inner, a, b)
    return _gemv(operation, roles, columns, inner, b, a)


def _loops(roles: Roles, *groups: Sequence[Group]) -> tuple[Dim, ...]:
    """The dimensions around the call: batches, and all groups but the last ones."""
    return (*roles.batch, *(d for group in groups for one in group[:-1] for d in one.dims))


def _address(operation: Operation, operand: Operand, loops: Sequence[Dim]) -> Address:
    inside = operation.names - {d.name for d in loops}
    return Address(operand, operand.offset(frozenset(inside)))


def _gemm(
    operation: Operation,
    roles: Roles,
    rows: Sequence[Group],
    columns: Sequence[Group],
    sums: Group,
) -> LibraryCall:
    output, a, b = operation.operands
    if columns[-1].step(output) != ONE:
        rows, columns, a, b = columns, rows, b, a
    if columns[-1].step(output) != ONE:
        raise NotTaken(f"neither rows nor columns of '{output.base}' are contiguous")
    m, n = rows[-1], columns[-1]
    c = Matrix(False, m.step(output), n.extent)
    first, second = matrix_of(a, m, sums), matrix_of(b, sums, n)
    loops = _loops(roles, rows, columns)
    there = [_address(operation, o, loops) for o in (a, b, output)]
    if output.type.is_integer:
        matrices, leading = (first, second, c), _leading(first, second, c)
        return integers.product(operation, (m, n, sums), matrices, there, loops, leading)
    of = letter(output.type)
    return LibraryCall(
        LIBRARY, f"cblas_{of}gemm", f"s2s_{of}gemm",
        (
            int(first.transposed), int(second.transposed), m.extent, n.extent, sums.extent,
            _alpha(operation), there[0], first.leading, there[1], second.leading,
            _beta(operation), there[2], c.leading,
        ),
        operation, loops, (*_leading(first, second, c), *_nonzero(operation)),
        (m.extent, n.extent, sums.extent, first.leading, second.leading, c.leading),
        m.extent * n.extent * sums.extent, "matmul",
    )  # fmt: skip


def _gemv(
    operation: Operation, roles: Roles, rows: Sequence[Group], sums: Group, a: Operand, x: Operand
) -> LibraryCall:
    output, m = operation.output, rows[-1]
    matrix = matrix_of(a, m, sums)
    loops = _loops(roles, rows)
    of = letter(output.type)
    high, wide = (sums.extent, m.extent) if matrix.transposed else (m.extent, sums.extent)
    steps = sums.step(x), m.step(output)
    return LibraryCall(
        LIBRARY, f"cblas_{of}gemv", f"s2s_{of}gemv",
        (
            int(matrix.transposed), high, wide, _alpha(operation),
            _address(operation, a, loops), matrix.leading,
            _address(operation, x, loops), steps[0],
            _beta(operation), _address(operation, output, loops), steps[1],
        ),
        operation, loops,
        (*_leading(matrix), *(AtLeast(s, ONE) for s in steps), *_nonzero(operation)),
        (m.extent, sums.extent, matrix.leading, *steps), m.extent * sums.extent,
        "matvec" if operation.held or not matrix.transposed else "columns",
    )  # fmt: skip


def _outer(
    operation: Operation, roles: Roles, rows: Sequence[Group], columns: Sequence[Group]
) -> LibraryCall:
    output, x, y = operation.operands
    if not _is_one(operation.beta):
        raise NotTaken("BLAS adds outer products to what is there")
    if columns[-1].step(output) != ONE:
        rows, columns, x, y = columns, rows, y, x
    if columns[-1].step(output) != ONE:
        raise NotTaken(f"neither rows nor columns of '{output.base}' are contiguous")
    m, n, of = rows[-1], columns[-1], letter(output.type)
    loops = _loops(roles, rows, columns)
    steps, c = (m.step(x), n.step(y)), Matrix(False, m.step(output), n.extent)
    return LibraryCall(
        LIBRARY, f"cblas_{of}ger", f"s2s_{of}ger",
        (
            m.extent, n.extent, _alpha(operation), _address(operation, x, loops), steps[0],
            _address(operation, y, loops), steps[1], _address(operation, output, loops), c.leading,
        ),
        operation, loops,
        (*_leading(c), *(AtLeast(s, ONE) for s in steps), *_nonzero(operation)),
        (m.extent, n.extent, c.leading, *steps), m.extent * n.extent, "outer",
    )  # fmt: skip


def _dot(operation: Operation, roles: Roles, sums: Group) -> LibraryCall:
    output, x, y = operation.operands
    of, steps = letter(output.type), (sums.step(x), sums.step(y))
    loops = roles.batch
    return LibraryCall(
        LIBRARY, f"cblas_{of}dot", f"s2s_{of}dot",
        (
            sums.extent, _alpha(operation), _address(operation, x, loops), steps[0],
            _address(operation, y, loops), steps[1],
            _beta(operation), _address(operation, output, loops),
        ),
        operation, loops, tuple(AtLeast(s, ONE) for s in steps),
        (sums.extent, *steps), sums.extent, "dot",
    )  # fmt: skip


def _total(operation: Operation) -> LibraryCall:
    """Sums of rows or columns, or of a vector, as products with ones."""
    output, a = operation.operands
    of = letter(output.type)  # that of the input, too: a recogniser's sum has one type
    own = [d for d in operation.dims if output.stride(d.name) != Polynomial()]
    if any(a.stride(d.name) == Polynomial() for d in operation.dims):
        raise NotTaken("a dimension is not in the input")
    rows = fuse(own, (output, a))
    *others, sums = fuse([d for d in operation.dims if d not in own], (a,))
    if others and not _is_one(operation.beta):
        raise NotTaken("the sum runs over several dimensions that do not follow each other")
    again = tuple(d for group in others for d in group.dims)
    loops = (*again, *(d for group in rows[:-1] for d in group.dims))
    there, first = _address(operation, output, loops), _address(operation, a, loops)
    alpha, beta = _alpha(operation), _beta(operation)
    if not rows:
        step = sums.step(a)
        return LibraryCall(
            LIBRARY, f"cblas_{of}dot with ones", f"s2s_{of}total",
            (sums.extent, alpha, first, step, beta, there), operation, loops,
            (AtLeast(step, ONE), *_nonzero(operation)), (sums.extent, step), sums.extent, "sum",
        )  # fmt: skip
    m = rows[-1]
    matrix, step = matrix_of(a, m, sums), m.step(output)
    high, wide = (sums.extent, m.extent) if matrix.transposed else (m.extent, sums.extent)
    return LibraryCall(
        LIBRARY, f"cblas_{of}gemv with ones", f"s2s_{of}totals",
        (int(matrix.transposed), high, wide, alpha, first, matrix.leading, beta, there, step),
        operation, loops, (*_leading(matrix), AtLeast(step, ONE), *_nonzero(operation)),
        (m.extent, sums.extent, matrix.leading, step), m.extent * sums.extent, "sum",
    )  # fmt: skip


def _vector(operation: Operation) -> LibraryCall:
    """``y += a * x`` and ``y *= a`` of one dimension."""
    output, of = operation.output, letter(operation.output.type)
    groups = fuse(operation.dims, operation.operands)
    if not groups:
        raise NotTaken("a single element")
    n, loops = groups[-1], tuple(d for g in groups[:-1] for d in g.dims)
    steps = tuple(n.step(o) for o in operation.operands)
    name = "axpy" if operation.kind is Kind.AXPY else "scal"
    between = tuple(
        part for o in operation.inputs for part in (_address(operation, o, loops), n.step(o))
    )
    return LibraryCall(
        LIBRARY, f"cblas_{of}{name}", f"s2s_{of}{name}",
        (n.extent, _alpha(operation), *between, _address(operation, output, loops), n.step(output)),
        operation, loops, (*(AtLeast(s, ONE) for s in steps), *_nonzero(operation)),
        (n.extent, *steps), n.extent, name,
    )  # fmt: skip


# ---- triangles


def _triangle(operations: Sequence[Operation]) -> tuple[LibraryCall, int]:
    """``syrk`` of one operation, ``syr2k`` of two with the factors exchanged."""
    first = operations[0]
    if first.kind is not Kind.MATMUL:
        raise NotTaken("it runs over a triangle")
    output, a, b = first.operands
    roles = roles_of(first)
    rows, columns, sums = (
        fuse(roles.rows, (output, a)), fuse(roles.columns, (output, b)), fuse(roles.sums, (a, b))
    )  # fmt: skip
    if roles.batch or len(rows) != 1 or len(columns) != 1 or len(sums) != 1:
        raise NotTaken("it runs over a triangle of more than a matrix")
    lower = first.attributes["triangle"] == "lower"
    if not _first_is(first, rows[0]):
        lower = not lower
    m, n, k = rows[0], columns[0], sums[0]
    if m.extent != n.extent:
        raise NotTaken("its triangle is of no square")
    if columns[0].step(output) != ONE:
        m, n, a, b, lower = n, m, b, a, not lower
    if n.step(output) != ONE:
        raise NotTaken(f"neither rows nor columns of '{output.base}' are contiguous")
    one, other = matrix_of(a, m, k), matrix_of(b, n, k)
    c = Matrix(False, m.step(output), n.extent)
    if one.transposed != other.transposed:
        raise NotTaken("its factors lie in memory in different ways")
    same = a.base == b.base and a.offset(first.names) == b.offset(first.names)
    if same and one == other:
        return _syrk(first, lower, m, k, a, one, c), 1
    if len(operations) > 1 and _is_exchanged(first, operations[1]):
        return _syr2k(first, lower, m, k, (a, b), (one, other), c), 2
    raise NotTaken("a triangle of a product of two matrices")


def _first_is(operation: Operation, rows: Group) -> bool:
    """Whether the output's first subscript is that of the rows."""
    return rows.inner.name in operation.output.subscripts[0].names


def _is_exchanged(first: Operation, second: Operation) -> bool:
    """Whether a second product is the first one with its factors exchanged, added to it."""
    if second.kind is not first.kind or second.alpha != first.alpha or not _is_one(second.beta):
        return False
    if second.attributes.get("triangle") != first.attributes.get("triangle"):
        return False
    if second.output.array != first.output.array:
        return False
    (one, other), (third, fourth) = _factors(first), _factors(second)
    return one == fourth and other == third


Factor = tuple[str, Polynomial, Polynomial, Polynomial]


def _factors(operation: Operation) -> tuple[Factor, Factor]:
    """Where the factors lie, that of the output's first subscript first: base, offset, steps."""
    (sums,) = [d.name for d in operation.dims if d.reduction]
    first = operation.output.subscripts[0].names
    found = sorted(
        ((not any(o.stride(n) != Polynomial() for n in first), o) for o in operation.inputs),
        key=lambda item: item[0],
    )
    made = []
    for _, operand in found:
        (own,) = [d.name for d in operation.moves(operand) if not d.reduction]
        offset = operand.offset(operation.names)
        made.append((operand.base, offset, operand.stride(own), operand.stride(sums)))
    return made[0], made[1]


def _syrk(
    operation: Operation, lower: bool, m: Group, k: Group, a: Operand, matrix: Matrix, c: Matrix
) -> LibraryCall:
    of = letter(operation.output.type)
    return LibraryCall(
        LIBRARY, f"cblas_{of}syrk", f"s2s_{of}syrk",
        (
            int(lower), int(matrix.transposed), m.extent, k.extent, _alpha(operation),
            _address(operation, a, ()), matrix.leading,
            _beta(operation), _address(operation, operation.output, ()), c.leading,
        ),
        operation, (), (*_leading(matrix, c), *_nonzero(operation)),
        (m.extent, k.extent, matrix.leading, c.leading), m.extent * m.extent * k.extent, "syrk",
    )  # fmt: skip


def _syr2k(
    operation: Operation, lower: bool, m: Group, k: Group, inputs: tuple[Operand, Operand],
    matrices: tuple[Matrix, Matrix], c: Matrix,
) -> LibraryCall:  # fmt: skip
    of = letter(operation.output.type)
    (a, b), (one, other) = inputs, matrices
    return LibraryCall(
        LIBRARY, f"cblas_{of}syr2k", f"s2s_{of}syr2k",
        (
            int(lower), int(one.transposed), m.extent, k.extent, _alpha(operation),
            _address(operation, a, ()), one.leading, _address(operation, b, ()), other.leading,
            _beta(operation), _address(operation, operation.output, ()), c.leading,
        ),
        operation, (), (*_leading(one, other, c), *_nonzero(operation)),
        (m.extent, k.extent, one.leading, other.leading, c.leading),
        m.extent * m.extent * k.extent * Polynomial.integer(2), "syr2k",
    )  # fmt: skip


# ---- arguments


def _leading(*matrices: Matrix) -> tuple[AtLeast, ...]:
    return tuple(AtLeast(m.leading, m.columns) for m in matrices)


def _alpha(operation: Operation) -> Scalar:
    value: Expr | float = 1.0 if operation.alpha is None else operation.alpha
    return Scalar(value, operation.output.type)


def _beta(operation: Operation) -> Scalar:
    value: Expr | float = 0.0 if operation.beta is None else operation.beta
    return Scalar(value, operation.output.type)


def _nonzero(operation: Operation) -> tuple[NotZero, ...]:
    """BLAS does not read what a factor 0 stands before: NaN times 0 would be lost."""
    factors = (operation.alpha, operation.beta)
    return tuple(NotZero(f) for f in factors if f is not None and not isinstance(f, Const))


def _is_one(value: Expr | None) -> bool:
    return isinstance(value, Const) and value.value == 1
