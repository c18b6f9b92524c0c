"""Which element a flat subscript names: the quotient and remainder that stay within the rows.

``a[i * n - j]`` is ``a[i][-j]`` and ``a[i - 1][n - j]``; C says the same element for both, a model
with rows must take the one whose inner subscript lies in ``[0, n)``. There is at most one such
form for each execution, so one that is proved for all executions of a touch is the right one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set

import islpy as isl

from s2s.frontends.c.arrays import Memory
from s2s.frontends.c.evaluated import Context
from s2s.scop.nodes import Parameter
from s2s.scop.polynomial import Polynomial, RowSize, delinearize, size_candidates

# What subscripts written by hand carry: a column of the row before or behind, or one beyond.
_CARRIES = (0, 1, -1, 2, -2)
# An assumption that only smaller sizes fulfil is as good as none.
_LARGE = 64


def split_flat_subscripts(
    memory: Memory,
    parameters: Collection[str],
    context: isl.Set,
    products: Mapping[str, Polynomial],
    moving: Set[str] = frozenset(),
) -> None:
    """Choose ``memory.shape`` and ``memory.splits`` for an array that delinearization found.

    ``context`` holds in every execution; ``products`` are parameters that are equal to polynomials
    of others. Of several shapes one is taken whose form is proved: ``a[i * n + j]`` in a loop over
    ``j < n`` has rows of ``n``, not of ``i``. Where none is, the first one is taken that lies
    within the rows for some parameters, such as are not ``moving`` before others: counters of loops
    around the region are no lengths. That becomes an assumption of the region. Where there is none,
    the array loses its shape.
    """
    if not memory.exact or all(s is None or s.is_affine for s in memory.flat_subscripts()):
        return
    executions = _Known(parameters, context)
    if _has_planes(memory, executions, products):
        return
    if not memory.shape:
        return
    shapes = sorted(memory.shapes, key=lambda sizes: any(s.name in moving for s in sizes))
    for proved in (True, False) if len(memory.shapes) > 1 else (False,):
        for shape in shapes:
            memory.shape, memory.splits = shape, {}
            if _split(memory, executions, proved=proved):
                return
    memory.exact = False


def _has_planes(memory: Memory, executions: _Known, products: Mapping[str, Polynomial]) -> bool:
    """Whether rows are as long as a loop that counts to a product: ``a[i * h * w + p]``."""
    flat = [s for s in memory.flat_subscripts() if s is not None]
    used = {n: v for n, v in products.items() if any(s.with_named(v, n) != s for s in flat)}
    if not used:
        return False
    parameters = frozenset(executions.parameters)
    memory.shape_flat(parameters, used)
    for shape in memory.shapes:
        memory.shape, memory.splits = shape, {}
        if _split(memory, executions, proved=True):
            return True
    memory.shape_flat(parameters)
    return False


def _split(memory: Memory, known: _Known, *, proved: bool = False) -> bool:
    """Whether the array's shape has a form for all that touches it."""
    for touch in memory.touches:
        last = touch.subscripts[-1] if touch.subscripts else None
        if last is None or (last, touch.context.formulas) in memory.splits:
            continue
        value = memory.flat(last)
        assert value is not None
        carries = _carries(value, memory.shape, known.of(touch.context), proved=proved)
        if carries is None:
            return False
        memory.splits[last, touch.context.formulas] = carries
    return True


class _Known:
    """The executions of all touches of an array, by their conditions."""

    def __init__(self, parameters: Collection[str], context: isl.Set) -> None:
        self.parameters = parameters
        self._context = context
        self._known: dict[tuple[str, ...], _Executions] = {}

    def of(self, context: Context) -> _Executions:
        names = (*(v.name for v in context.iterators), context.formula)
        if names not in self._known:
            space = f"[{', '.join(self.parameters)}] -> "
            self._known[names] = _Executions(context, space, self._context)
        return self._known[names]


class _Executions:
    """The executions of a touch, as an isl set over its iterators."""

    def __init__(self, context: Context, space: str, parameters: isl.Set) -> None:
        names = ", ".join(v.name for v in context.iterators)
        self._pattern = f"{space}{{{{ [{names}] : {{}} }}}}"
        self.all = self.where(context.formula).intersect_params(parameters)
        self.carries: dict[tuple[str, RowSize], int | None] = {}
        """What is known to be carried, by the inner subscript and the size of a row."""

    def where(self, condition: str) -> isl.Set:
        return isl.Set(self._pattern.format(condition))

    def stays(self, inner: Polynomial, size: RowSize, carry: int) -> bool:
        """Whether a subscript of which ``carry`` rows are taken is in its row each time."""
        value = inner - size.polynomial().scaled(carry)
        return value.is_affine and bool(self.outside(value, size).is_empty())

    def outside(self, value: Polynomial, size: RowSize) -> isl.Set:
        """Those in which ``value`` is not in ``[0, size)``."""
        return self.all.intersect(self.where(f"{value.isl()} < 0 or {value.isl()} >= {size.isl()}"))


def _carries(
    subscript: Polynomial, sizes: tuple[RowSize, ...], executions: _Executions, *, proved: bool
) -> tuple[int, ...] | None:
    """The choice for each size, innermost first: what an inner one carries goes to the next."""
    chosen = []
    rest = subscript
    for size in reversed(sizes):
        rest, inner = size.divide(rest)
        carry = _carry(inner, size, executions) if inner.is_affine else 0
        if carry is None or (proved and not executions.stays(inner, size, carry)):
            return None
        chosen.append(carry)
        rest = rest + Polynomial.integer(carry)
    return tuple(chosen)


def _carry(inner: Polynomial, size: RowSize, executions: _Executions) -> int | None:
    """The proved carry, else the first one that is right for large sizes, too."""
    key = inner.isl(), size
    if key not in executions.carries:
        executions.carries[key] = _found_carry(inner, size, executions)
    return executions.carries[key]


def _found_carry(inner: Polynomial, size: RowSize, executions: _Executions) -> int | None:
    runs = executions.all.params()
    possible: int | None = None
    for carry in _CARRIES:
        value = inner - size.polynomial().scaled(carry)
        outside = executions.outside(value, size)
        if outside.is_empty():
            return carry
        if possible is None and _is_useful(runs.subtract(outside.params()), runs):
            possible = carry
    return possible


def _is_useful(right: isl.Set, runs: isl.Set) -> bool:
    """Whether an assumption lets each parameter grow that may be large where the code runs."""
    for position in range(runs.dim(isl.dim_type.param)):
        large, allowed = (
            s.lower_bound_val(isl.dim_type.param, position, isl.Val(_LARGE)) for s in (runs, right)
        )
        if allowed.is_empty() and not large.is_empty():
            return False
    return not right.is_empty()


def proved_split(
    subscript: Polynomial, context: Context, parameters: Mapping[str, Parameter]
) -> list[Polynomial] | None:
    """Subscripts of which a flat one is made, each inner one proved to lie within its size."""
    space = "[" + ", ".join(parameters) + "] -> "
    executions = _Executions(context, space, isl.Set(f"{space}{{ : }}"))
    for sizes in size_candidates([subscript], frozenset(parameters)):
        parts = delinearize(subscript, sizes)
        # Items of one array are compared subscript by subscript: one kind of rows for all.
        if parts is None or any(size.factor > 1 for size in sizes):
            continue
        inner = zip(parts[1:], sizes, strict=True)
        if all(executions.outside(value, size).is_empty() for value, size in inner):
            return parts
    return None
