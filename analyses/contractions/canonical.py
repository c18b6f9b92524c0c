"""A value as a ``Contraction``: arrays in their dimensions, loops by their roles.

The result does not depend on the program's names of loops, on their order, on whether arrays are
flat, nor on the order of factors: programs of one convolution give one object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from s2s.analyses.contractions.arrays import shape_arrays
from s2s.analyses.contractions.bounds import Guard
from s2s.analyses.contractions.float_sums import order_of
from s2s.analyses.contractions.joining import join_tiles
from s2s.analyses.contractions.linear import Affine
from s2s.analyses.contractions.naming import name_loops
from s2s.analyses.contractions.rolling import roll_products
from s2s.analyses.contractions.scales import scale_of, with_late_number
from s2s.analyses.contractions.statements import AffineStore, Range
from s2s.analyses.contractions.tables import with_table
from s2s.analyses.contractions.uses import Use
from s2s.analyses.contractions.values import Element, Table, Value
from s2s.analyses.contractions.views import cut_to, viewed
from s2s.scop.contraction import Access, Contraction, Loop, NotAContraction, affine
from s2s.scop.expressions import FLOAT32, INT32, Type
from s2s.scop.linear import Linear
from s2s.scop.nest import Tensor


def contraction(
    name: str,
    written: AffineStore,
    value: Value,
    tensors: Mapping[str, Tensor],
    arguments: Sequence[str],
) -> Contraction:
    """The contraction that a value is; NotAContraction says what it is not."""
    try:
        value = roll_products(value)
    except NotAContraction as error:
        raise NotAContraction(error.reason, written.store.at) from None
    value, tensors, arguments = _with_tables(with_late_number(value), tensors, arguments)
    target = Element(written.tensor, tensors[written.tensor].types[0], written.subscripts)
    loops, uses = _shaped(value, target, tensors)
    value, subscripts = join_tiles(value, written.subscripts, uses)
    if len(value.loops) + len(value.reductions) < len(loops.every):
        loops, uses = _shaped(value, replace(target, subscripts=subscripts), tensors)
    output, image, weight, *start = uses
    ends = [start.pop()] if value.factor is not None else []
    _check_result(value, output.array.type)
    _check_output(loops, value, output)
    rounds = bool(start) and not ends and _is_half(value)
    if len(start) > 1 or (start and value.form.constant and not rounds):
        raise NotAContraction("the sum starts with more than one value", written.store.at)
    image, weight = _roles(output, image, weight)
    uses, backward = _forward(loops, [output, image, weight, *start, *ends])
    output, image, weight, *more = uses
    start, ends = more[: len(start)], more[len(start) :]
    order, names = name_loops(loops.ranges, output, image, weight, [*start, *ends])
    access = _Access(order, names)
    is_float = value.accumulator.is_float
    both = value.form.low is not None and value.form.high is not None
    wraps = value.form.is_narrow and value.form.multiplied != INT32
    saturates = not is_float and both and not wraps
    used = {u.array.name for u in (output, image, weight, *start, *ends)}
    return Contraction(
        name,
        tuple(Loop(names[r.name], r.extent, r.name not in output.loops, r.source) for r in order),
        access(output),
        access(image),
        access(weight),
        value.accumulator,
        value.form.shift,
        access(start[0]) if start else value.form.constant,
        saturates,
        tuple(a for a in arguments if a in used),
        *(_inside(value, output.array.type) if saturates else (value.form.low, value.form.high)),
        rounds,
        value.negative,
        order_of(value, names, backward) if is_float else None,
        scale_of(value, access(ends[0])) if ends else None,
    )


def _with_tables(
    value: Value, tensors: Mapping[str, Tensor], arguments: Sequence[str]
) -> tuple[Value, Mapping[str, Tensor], Sequence[str]]:
    """A value with arrays in the place of numbers that the program has itself."""
    if value.table is not None:
        image, weight = value.products[0]
        tensors, weight = with_table(weight, value.table, tensors)
        value = replace(value, products=((image, weight),))
        arguments = [*arguments, weight.tensor]
    if value.factor is not None and value.factor.literal is not None:
        table = Table((1,), (value.factor.literal,))
        tensors, factor = with_table(replace(value.factor, subscripts=(Linear(),)), table, tensors)
        value = replace(value, factor=factor)
        arguments = [*arguments, factor.tensor]
    return value, tensors, arguments


def _shaped(
    value: Value, target: Element, tensors: Mapping[str, Tensor]
) -> tuple[_Loops, list[Use]]:
    """The loops of a value, and the uses of output, factors and initial elements."""
    loops = _Loops((*value.loops, *value.reductions))
    ends = () if value.factor is None else (value.factor,)
    return loops, _uses(loops, [target, *value.products[0], *value.loads, *ends], tensors)


def _is_half(value: Value) -> bool:
    """Whether what is added to a sum's start only rounds the result to the nearest."""
    form = value.form
    return form.shift > 0 and form.constant == 1 << (form.shift - 1)


def _inside(value: Value, type_: Type) -> tuple[float | None, float | None]:
    """The limits that are not those of the type, which results saturate to anyway."""
    low, high = value.form.low, value.form.high
    return None if low == type_.smallest else low, None if high == type_.largest else high


class _Loops:
    """The loops of a value; those of one iteration are no loops."""

    def __init__(self, every: Sequence[Range]) -> None:
        for loop in every:
            if loop.extent < 1:
                raise NotAContraction(f"loop {loop.source} has no iteration")
        self.every = tuple(every)
        self.ranges = tuple(r for r in every if r.extent > 1)
        self.extents = {r.name: (0, r.extent - 1) for r in self.ranges}
        self._begin = {
            r.name: Linear({r.name: 1} if r.extent > 1 else {}, r.minimum) for r in every
        }

    def guards(self, element: Element) -> tuple[Guard, ...]:
        """An element's bounds in loops that count from 0."""
        found = [guard.with_values(self._begin) for guard in element.guards]
        return tuple(guard for guard in found if guard.value.terms)

    def from_zero(self, subscripts: Sequence[Affine]) -> tuple[Affine, ...]:
        """Subscripts in loops that count from 0."""
        return tuple(s.with_values(self._begin) for s in subscripts)


def _uses(loops: _Loops, elements: Sequence[Element], tensors: Mapping[str, Tensor]) -> list[Use]:
    """The elements with the shapes of their arrays; uses of one array share its shape."""
    found: list[Use | None] = [None] * len(elements)
    for name in {e.tensor for e in elements}:
        places = [k for k, e in enumerate(elements) if e.tensor == name]
        uses = [loops.from_zero(elements[k].subscripts) for k in places]
        if name not in tensors:
            raise NotAContraction(f"{name} is used before it is computed")
        guards = [guard for k in places for guard in loops.guards(elements[k])]
        one = elements[places[0]]
        ways = {(elements[k].less, elements[k].is_distance) for k in places}
        if len(places) > 1 and (guards or len(ways) > 1 or one.is_distance):
            raise NotAContraction(f"elements of {name} are used in two ways")
        form = shape_arrays(tensors[name], uses, loops.extents, guards)
        array, first = viewed(one, form)
        data = tensors[name].data
        if isinstance(data, tuple):
            array = replace(array, data=data)
        if elements[0].tensor == name:
            array, subscripts = cut_to(array, form.subscripts[0], loops.extents)
            if any(own != form.subscripts[0] for own in form.subscripts):
                raise NotAContraction(f"an element of {name} is computed from another one")
            for place in places:
                found[place] = Use(array, subscripts)
            continue
        for place, own in zip(places, form.subscripts, strict=True):
            moved = tuple(s.shifted(by) for s, by in zip(own, first, strict=True))
            found[place] = Use(array, moved)
    return [use for use in found if use is not None]


def _check_result(value: Value, type_: Type) -> None:
    form = value.form
    if value.accumulator.is_float or type_.is_float:
        if (value.accumulator, type_) != (FLOAT32, FLOAT32):
            raise NotAContraction(f"sums of {value.accumulator} become elements of {type_}")
        return
    if form.bits is not None and form.bits < type_.bits:
        text = f"only the lowest {form.bits} bits of a sum are kept, then {type_.bits} are used"
        raise NotAContraction(text)
    for limit in (form.low, form.high):
        if limit is not None and not type_.smallest <= limit <= type_.largest:
            raise NotAContraction(f"the result is limited to {limit}, which no {type_} is")
    if form.low is not None and form.high is not None and form.low > form.high:
        raise NotAContraction(f"the result is limited to {form.low} and {form.high}")


def _check_output(loops: _Loops, value: Value, output: Use) -> None:
    """Each iteration of the output's loops writes an element of its own."""
    inside = {r.name for r in value.loops}
    for loop in loops.ranges:
        if loop.name in inside and loop.name not in output.loops:
            text = f"loop {loop.source} computes the same elements again"
            raise NotAContraction(text)
        if loop.name in inside and sum(map(bool, output.coefficients(loop.name))) > 1:
            raise NotAContraction(f"loop {loop.source} moves in more than one dimension")
    for subscript in output.subscripts:
        if len(subscript.terms) > 1:
            raise NotAContraction("a dimension of the output has more than one loop")


def _forward(loops: _Loops, uses: Sequence[Use]) -> tuple[list[Use], set[str]]:
    """The uses with loops counted so that the first use that they move in is walked forward.

    Beside them the loops that were turned around.
    """
    values = {}
    for loop in loops.ranges:
        steps = [c for use in uses for c in use.coefficients(loop.name) if c]
        if steps and steps[0] < 0:
            values[loop.name] = Linear({loop.name: -1}, loop.extent - 1)
    found = [Use(use.array, tuple(s.with_values(values) for s in use.subscripts)) for use in uses]
    return found, set(values)


def _roles(output: Use, first: Use, second: Use) -> tuple[Use, Use]:
    """Image and weights among two factors.

    The image is what windows slide over; without any, what more of the output's loops walk
    through, but for a vector (which then is multiplied by a matrix of weights); between the
    factors of a product of matrices the one that the output's innermost loop does not move in.
    """
    inner = next((min(s.terms) for s in output.subscripts if s.terms), "")

    def rank(use: Use) -> tuple[int, bool, int, bool]:
        own = use.loops & output.loops
        slides = sum(1 for s in use.subscripts if s.terms.keys() & own and s.terms.keys() - own)
        return slides, bool(use.loops) and not own, len(own), inner not in own

    return (second, first) if rank(second) > rank(first) else (first, second)


class _Access:
    """Uses in canonical names."""

    def __init__(self, order: Sequence[Range], names: Mapping[str, str]) -> None:
        self._names = dict(names)
        self._order = [names[r.name] for r in order]

    def __call__(self, use: Use) -> Access:
        return Access(
            use.array,
            tuple(
                affine({self._names[n]: c for n, c in s.terms.items()}, s.constant, self._order)
                for s in use.subscripts
            ),
        )
