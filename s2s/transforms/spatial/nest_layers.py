"""A conformable loop nest as a layer: which loop is K, C, R, S, Y or X, or M, N or K.

What decides are the subscripts: a loop of both operands and not of the output is a reduction, and
so on. Chapter 5.5 of Chatarasi's dissertation takes the layer from the workload instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from s2s.analyses.conformability.normal_form import Affine, Normal
from s2s.analyses.conformability.orders import is_update
from s2s.scop.expressions import Binary, Cast, Expr, Load, walk
from s2s.scop.nodes import Access, Statement
from s2s.source import Span
from s2s.source.records import dataclass
from s2s.source.spatial.layers import Computation, Index, Kind, Layer, Tensor

_COMBINE = {"add": "+", "max": "max", "min": "min"}


class NoLayer(Exception):
    """A nest that is no layer: ``reason``, and ``at`` which place."""

    def __init__(self, reason: str, at: Span) -> None:
        super().__init__(reason)
        self.reason, self.at = reason, at


@dataclass(frozen=True)
class NestLayer:
    """``places``: for each dimension that is a loop of the nest, which one (0 is the outermost).

    Dimensions without a place are 1.
    """

    layer: Layer
    places: Mapping[str, int]


@dataclass(frozen=True)
class _Operand:
    array: str
    axes: tuple[Affine, ...]

    @property
    def loops(self) -> frozenset[int]:
        return frozenset(k for axis in self.axes for k in axis.terms)

    @property
    def sums(self) -> tuple[Affine, ...]:
        """The subscripts of more than one loop."""
        return tuple(axis for axis in self.axes if len(axis.terms) > 1)


def layer_of(name: str, normal: Normal, *, innermost_first: bool = False) -> NestLayer:
    """The layer of a statement in a conformable nest of fixed extents.

    ``innermost_first``: subscripts stand as in Halide, not as in C. Raises NoLayer.
    """
    statement = normal.statement
    for k, extent in enumerate(normal.extents):
        if extent is None or normal.around[k]:
            said = f"the loop over {normal.names[k]} has no fixed number of iterations"
            raise NoLayer(said, statement.span)
    combine, output, inputs = _parts(normal, innermost_first)
    for shape in (_product, _convolution, _pooling):
        found = shape(normal, output, inputs, combine)
        if found is not None:
            return _built(name, normal, *found)
    return _own(name, normal, output, inputs, combine)


def contraction_of(name: str, normal: Normal, *, innermost_first: bool = False) -> NestLayer:
    """A nest as a contraction over its loops by their own names. Raises NoLayer."""
    combine, output, inputs = _parts(normal, innermost_first)
    return _own(name, normal, output, inputs, combine)


def _parts(normal: Normal, innermost_first: bool) -> tuple[str, _Operand, list[_Operand]]:
    """How the output combines, the output, the factors. Raises NoLayer."""
    combine, operands = _computation(normal.statement)
    output = _operand(normal, normal.statement.write, innermost_first)
    return combine, output, [_operand(normal, access, innermost_first) for access in operands]


def _operand(normal: Normal, access: Access, innermost_first: bool) -> _Operand:
    axes = normal.subscripts(access.elements)
    axes = axes[::-1] if innermost_first else axes
    return _Operand(access.array, tuple(axis for axis in axes if axis is not None))


def _computation(statement: Statement) -> tuple[str, list[Access]]:
    """How the output combines, and the accesses of the factors. Raises NoLayer."""
    store = statement.expression
    if store is None or not is_update(statement, store.tensor):
        raise NoLayer("it does not add up products, or choose a maximum", statement.span)
    value = _plain(store.values[0])
    if not isinstance(value, Binary) or value.op not in _COMBINE:
        raise NoLayer("it does not add up products, or choose a maximum", statement.span)
    sides = [_plain(value.left), _plain(value.right)]
    rest = [side for side in sides if not _is(side, store.tensor)]
    factors = _factors(rest[0]) if len(rest) == 1 else None
    if factors is None or len(factors) > 2:
        raise NoLayer("what is combined is no product of one or two elements", statement.span)
    reads = [access for access in statement.reads if access.array != store.tensor]
    found = []
    for load in factors:
        named = [access for access in reads if access.array == load.tensor]
        if len({str(access.elements) for access in named}) != 1:
            raise NoLayer(f"'{load.tensor}' is read in more than one place", statement.span)
        found.append(named[0])
    return _COMBINE[value.op], found


def _plain(value: Expr) -> Expr:
    while isinstance(value, Cast):
        value = value.value
    return value


def _is(value: Expr, tensor: str) -> bool:
    return isinstance(value, Load) and value.tensor == tensor


def _factors(value: Expr) -> list[Load] | None:
    value = _plain(value)
    if isinstance(value, Load):
        inner = [node for sub in value.subscripts for node in walk(sub) if isinstance(node, Load)]
        return None if inner else [value]
    if isinstance(value, Binary) and value.op == "mul":
        left, right = _factors(value.left), _factors(value.right)
        return None if left is None or right is None else left + right
    return None


_Found = tuple[Kind, dict[str, int], dict[str, int], dict[str, int]]
"""The kind, the loop of each dimension, strides and dilations of Y and X."""


def _product(
    normal: Normal, output: _Operand, inputs: Sequence[_Operand], combine: str
) -> _Found | None:
    """A product of matrices: each operand has two loops, each pair of them shares one."""
    if combine != "+" or len(inputs) != 2 or any(one.sums for one in (output, *inputs)):
        return None
    first, second = inputs
    rows, columns = first.loops & output.loops, second.loops & output.loops
    inner = first.loops & second.loops
    if not len(rows) == len(columns) == len(inner) == 1 or rows == columns:
        return None
    if any(len(one.loops) != 2 or not _unit(one) for one in (output, *inputs)):
        return None
    first_axis = next(axis for axis in output.axes if axis.terms)
    m, n = (rows, columns) if rows <= first_axis.terms.keys() else (columns, rows)
    return Kind.GEMM, {"M": min(m), "N": min(n), "K": min(inner)}, {}, {}


def _unit(one: _Operand) -> bool:
    return all(c == 1 for axis in one.axes for c in axis.terms.values())


def _convolution(
    normal: Normal, output: _Operand, inputs: Sequence[_Operand], combine: str
) -> _Found | None:
    """A filter over an image, one for each channel, for groups of them, or for all."""
    if combine != "+" or len(inputs) != 2 or output.sums or not _unit(output):
        return None
    image, weights = sorted(inputs, key=lambda one: (-len(one.sums), -_spread(one, output)))
    if not image.sums and not _spread(weights, output):  # a vector: it is what is filtered
        image, weights = weights, image
    if weights.sums or not _unit(weights):
        return None
    places: dict[str, int] = {}
    strides: dict[str, int] = {}
    dilations: dict[str, int] = {}
    everywhere = output.loops & image.loops & weights.loops
    sliding = [axis for axis in image.axes if len(axis.terms) == 2]
    whole = [axis for axis in image.axes if axis.terms.keys() & output.loops - weights.loops]
    if len(sliding) != len(image.sums) or len(whole) > 3:
        return None
    for dim, window, axis in zip(("X", "Y"), ("S", "R"), reversed(whole), strict=False):
        if not _slides(axis, output, weights):
            return None
        (outer,) = axis.terms.keys() & output.loops
        places[f"{dim}'"], strides[dim] = outer, axis.terms[outer]
        for inner in axis.terms.keys() - {outer}:
            places[window], dilations[window] = inner, axis.terms[inner]
    if len(whole) == 3:
        if len(whole[0].terms) != 1:
            return None
        places["N"] = min(whole[0].terms)
    return _channels(places, strides, dilations, output, image, weights, everywhere)


def _spread(one: _Operand, output: _Operand) -> int:
    return len(one.loops & output.loops)


def _slides(axis: Affine, output: _Operand, weights: _Operand) -> bool:
    """Whether a subscript is a loop of the output, with one of the weights or without."""
    outer = axis.terms.keys() & output.loops
    inner = axis.terms.keys() - outer
    return (
        len(outer) == 1
        and inner <= weights.loops - output.loops
        and all(c > 0 for c in axis.terms.values())
        and not axis.parameters
    )


def _channels(
    places: dict[str, int],
    strides: dict[str, int],
    dilations: dict[str, int],
    output: _Operand,
    image: _Operand,
    weights: _Operand,
    everywhere: frozenset[int],
) -> _Found | None:
    used = set(places.values())
    filters = (output.loops & weights.loops) - everywhere - used
    inner = (image.loops & weights.loops) - everywhere - used
    if len(filters) > 1 or len(inner) > 1 or len(everywhere) > 1:
        return None
    if everywhere:
        depthwise = not filters and not inner
        places["C" if depthwise else "G"] = min(everywhere)
        kind = Kind.DSCONV if depthwise else Kind.NGCONV
    else:
        kind = Kind.CONV
    places |= {"K": min(filters)} if filters else {}
    places |= {"C": min(inner)} if inner else {}
    loops = output.loops | image.loops | weights.loops
    if set(places.values()) != loops or not _separate(image):
        return None
    return kind, places, strides, dilations


def _separate(one: _Operand) -> bool:
    """Whether no loop is in two subscripts."""
    return sum(len(axis.terms) for axis in one.axes) == len(one.loops)


def _pooling(
    normal: Normal, output: _Operand, inputs: Sequence[_Operand], combine: str
) -> _Found | None:
    """A maximum over windows of each channel."""
    if combine != "max" or len(inputs) != 1 or output.sums or not _unit(output):
        return None
    (image,) = inputs
    sliding = [axis for axis in image.axes if len(axis.terms) == 2]
    single = [axis for axis in image.axes if len(axis.terms) == 1]
    if not 1 <= len(sliding) <= 2 or len(single) > 2 or not _separate(image):
        return None
    places: dict[str, int] = {}
    strides, dilations = {}, {}
    for dim, window, axis in zip(("X", "Y"), ("S", "R"), reversed(sliding), strict=False):
        outer = axis.terms.keys() & output.loops
        if len(outer) != 1 or any(c < 1 for c in axis.terms.values()):
            return None
        (first,), (second,) = outer, axis.terms.keys() - outer
        places |= {f"{dim}'": first, window: second}
        strides[dim], dilations[window] = axis.terms[first], axis.terms[second]
    for dim, axis in zip(("C", "N"), reversed(single), strict=False):
        places[dim] = min(axis.terms)
    return Kind.POOL, places, strides, dilations


def _built(
    name: str,
    normal: Normal,
    kind: Kind,
    places: dict[str, int],
    strides: dict[str, int],
    dilations: dict[str, int],
) -> NestLayer:
    def extent(dim: str) -> int:
        return int(normal.extents[places[dim]] or 1) if dim in places else 1

    if kind is Kind.GEMM:
        sizes = [(dim, extent(dim)) for dim in ("M", "N", "K")]
        return NestLayer(Layer(name, kind, tuple(sizes)), places)
    stride = strides.get("Y", 1), strides.get("X", 1)
    dilation = dilations.get("R", 1), dilations.get("S", 1)
    order: list[str] = [dim for dim in ("N", "G") if dim in places]
    order += [dim for dim in ("K", "C") if not (dim == "K" and kind in (Kind.DSCONV, Kind.POOL))]
    sizes = [(dim, extent(dim)) for dim in (*order, "R", "S")]
    for dim, window, place in (("Y", "R", 0), ("X", "S", 1)):
        rows = (extent(f"{dim}'") - 1) * stride[place]
        sizes.append((dim, rows + dilation[place] * (extent(window) - 1) + 1))
    return NestLayer(Layer(name, kind, tuple(sizes), stride, dilation), places)


def _own(
    name: str, normal: Normal, output: _Operand, inputs: Sequence[_Operand], combine: str
) -> NestLayer:
    """A contraction whose dimensions are the loops by their own names."""
    names = [re.sub(r"\W", "_", one) for one in normal.names]

    def tensor(one: _Operand) -> Tensor:
        axes = []
        for axis in one.axes:
            if axis.parameters:
                raise NoLayer(f"'{one.array}' begins at no number", normal.statement.span)
            terms = tuple((names[k], c) for k, c in axis.terms.items())
            axes.append(Index(terms, axis.constant))
        return Tensor(one.array, tuple(axes))

    own = Computation(tensor(output), tuple(map(tensor, inputs)), combine)
    used = frozenset[str]().union(*(one.dims for one in own.tensors))
    if len(set(names)) != len(names) or used != set(names):
        raise NoLayer("a loop is in no subscript, or two have one name", normal.statement.span)
    sizes = tuple((dim, int(normal.extents[k] or 1)) for k, dim in enumerate(names))
    places = {dim: k for k, dim in enumerate(names)}
    return NestLayer(Layer(name, Kind.CONTRACTION, sizes, own=own), places)
