"""Layers: what a spatial accelerator computes, as loops and affine subscripts.

A layer is ``output(...) op= operand(...) * ...`` for all iterations of its dimensions::

    CONV    O(N,K,Y',X')   += I(N,C,Y,X)   * W(K,C,R,S)      Y = sy*Y' + dy*R,  X = sx*X' + dx*S
    DSCONV  O(N,C,Y',X')   += I(N,C,Y,X)   * W(C,R,S)        one filter for each channel: K is 1
    NGCONV  O(N,G,K,Y',X') += I(N,G,C,Y,X) * W(G,K,C,R,S)    K and C are those of one group
    TRCONV  O(N,K,sy*Y+R,sx*X+S) += I(N,C,Y,X) * W(K,C,R,S)
    POOL    O(N,C,Y',X')   max= I(N,C,Y,X)
    FC      as CONV; GEMM, LSTM  O(M,N) += I(M,K) * W(K,N)
    RESIDUAL_IDENTITY  O(N,C,Y,X) += I(N,C,Y,X)

Y and X of a convolution are sizes of the padded input, Y' and X' those of the output. A layer of
kind CONTRACTION brings its own dimensions and says what it computes.
"""

from __future__ import annotations

from collections.abc import Mapping as Sizes
from dataclasses import field
from enum import Enum
from functools import cached_property
from math import prod

from s2s.source.diagnostics import Location
from s2s.source.records import dataclass
from s2s.source.spatial.directives import Mapping
from s2s.source.sums import print_sum


class Kind(Enum):
    """Types of layers; all but the last one are MAESTRO's."""

    CONV = "CONV"
    DSCONV = "DSCONV"
    NGCONV = "NGCONV"
    TRCONV = "TRCONV"
    FC = "FC"
    POOL = "POOL"
    GEMM = "GEMM"
    LSTM = "LSTM"
    RESIDUAL_IDENTITY = "RESIDUAL_IDENTITY"
    CONTRACTION = "CONTRACTION"


@dataclass(frozen=True)
class Index:
    """A subscript: the sum of ``coefficient * dimension``, and a constant."""

    terms: tuple[tuple[str, int], ...]
    constant: int = 0

    def value(self, point: Sizes[str, int]) -> int:
        """The subscript at an iteration."""
        return self.constant + sum(c * point[dim] for dim, c in self.terms)

    def width(self, tile: Sizes[str, int]) -> int:
        """From the least to the greatest subscript of a tile of the given sizes, both counted."""
        return 1 + sum(abs(c) * (tile[dim] - 1) for dim, c in self.terms)

    def __str__(self) -> str:
        return print_sum(self.terms, self.constant)


@dataclass(frozen=True)
class Tensor:
    """An access of a tensor: one subscript for each of its axes, outermost first."""

    name: str
    axes: tuple[Index, ...]

    @property
    def dims(self) -> frozenset[str]:
        """The dimensions that its elements are told apart by."""
        return frozenset(dim for axis in self.axes for dim, _ in axis.terms)

    def volume(self, tile: Sizes[str, int]) -> int:
        """Elements of the box around what a tile touches."""
        return prod(axis.width(tile) for axis in self.axes)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.axes))})"


@dataclass(frozen=True)
class Computation:
    """``output combine= operands[0] * operands[1] * ...``; ``combine`` is +, max or min."""

    output: Tensor
    operands: tuple[Tensor, ...]
    combine: str = "+"

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """The operands, then the output."""
        return (*self.operands, self.output)

    def __str__(self) -> str:
        sign = {"+": "+="}.get(self.combine, f"{self.combine}=")
        return f"{self.output} {sign} {' * '.join(map(str, self.operands))}"


@dataclass(frozen=True)
class Layer:
    """A layer as it is written, and what follows from it.

    ``sizes``: dimension to size, in the order of the text; Y and X, where they are written, are
    those of the input. ``stride``, ``dilation``: rows, then columns. ``own`` is what a CONTRACTION
    computes. ``mapping``: its directives, None where there are none.
    """

    name: str
    kind: Kind
    sizes: tuple[tuple[str, int], ...]
    stride: tuple[int, int] = (1, 1)
    dilation: tuple[int, int] = (1, 1)
    own: Computation | None = None
    mapping: Mapping | None = None
    at: Location | None = field(default=None, compare=False, repr=False)

    @cached_property
    def slides(self) -> bool:
        """Whether Y and X are an input over which R and S slide."""
        return self.kind in (Kind.CONV, Kind.DSCONV, Kind.NGCONV, Kind.FC, Kind.POOL)

    @cached_property
    def loops(self) -> dict[str, int]:
        """Iterations of each dimension of the computation, in the order of the text."""
        written = dict(self.sizes)
        if not self.slides:
            return written
        found = {}
        for dim, size in self.sizes:
            if dim in WINDOWS:
                window, place = WINDOWS[dim]
                reach = self.dilation[place] * (written[window] - 1) + 1
                found[f"{dim}'"] = (size - reach) // self.stride[place] + 1
            else:
                found[dim] = size
        return found

    @cached_property
    def extents(self) -> dict[str, int]:
        """Sizes by all names that directives may use: the loops, and Y and X of the input."""
        found = dict(self.loops)
        if self.slides:
            for dim, (window, place) in WINDOWS.items():
                reach = self.dilation[place] * (found[window] - 1) + 1
                found[dim] = (found[f"{dim}'"] - 1) * self.stride[place] + reach
        return found | dict(self.sizes)

    @cached_property
    def computation(self) -> Computation:
        """What one iteration does, in the dimensions of ``loops``."""
        if self.own is not None:
            return self.own
        return _computation(self.kind, frozenset(self.loops), self.stride, self.dilation)

    @property
    def reductions(self) -> frozenset[str]:
        """The dimensions whose iterations meet in one element of the output."""
        return frozenset(self.loops) - self.computation.output.dims

    @property
    def macs(self) -> int:
        """Iterations in all."""
        return prod(self.loops.values())


WINDOWS = {"Y": ("R", 0), "X": ("S", 1)}
"""What slides over Y and X, and its place in ``stride`` and ``dilation``."""

_CONVOLUTION = frozenset({"K", "C", "R", "S", "Y", "X"})
NEEDED = {
    Kind.CONV: _CONVOLUTION,
    Kind.DSCONV: _CONVOLUTION - {"K"},
    Kind.NGCONV: _CONVOLUTION | {"G"},
    Kind.TRCONV: _CONVOLUTION,
    Kind.FC: _CONVOLUTION,
    Kind.POOL: _CONVOLUTION - {"K"},
    Kind.GEMM: frozenset({"M", "N", "K"}),
    Kind.LSTM: frozenset({"M", "N", "K"}),
    Kind.RESIDUAL_IDENTITY: frozenset({"C", "Y", "X"}),
}
"""Dimensions that a layer of a kind must have; Y' and X' do for Y and X where R and S slide."""

ALLOWED = {
    kind: needed if kind in (Kind.GEMM, Kind.LSTM) else needed | {"N"}
    for kind, needed in NEEDED.items()
} | {Kind.DSCONV: _CONVOLUTION | {"N"}}
"""Dimensions that it may have. K of a DSCONV is 1."""


@dataclass(frozen=True)
class Network:
    """Layers that run one after the other."""

    name: str
    layers: tuple[Layer, ...]


def _computation(
    kind: Kind, dims: frozenset[str], stride: tuple[int, int], dilation: tuple[int, int]
) -> Computation:
    def tensor(name: str, *axes: str) -> Tensor:
        there = [axis for axis in axes if axis not in ("N", "K") or axis in dims]
        return Tensor(name, tuple(special.get(axis, Index(((axis, 1),))) for axis in there))

    special: dict[str, Index] = {}
    if kind in (Kind.GEMM, Kind.LSTM):
        return Computation(tensor("O", "M", "N"), (tensor("I", "M", "K"), tensor("W", "K", "N")))
    if kind is Kind.RESIDUAL_IDENTITY:
        return Computation(tensor("O", "N", "C", "Y", "X"), (tensor("I", "N", "C", "Y", "X"),))
    if kind is Kind.TRCONV:
        special = {f"{d}o": Index(((d, stride[p]), (w, 1))) for d, (w, p) in WINDOWS.items()}
        filters = tensor("W", "K", "C", "R", "S")
        return Computation(
            tensor("O", "N", "K", "Yo", "Xo"), (tensor("I", "N", "C", "Y", "X"), filters)
        )
    special = {d: Index(((f"{d}'", stride[p]), (w, dilation[p]))) for d, (w, p) in WINDOWS.items()}
    if kind is Kind.POOL:
        pooled = tensor("O", "N", "C", "Y'", "X'")
        return Computation(pooled, (tensor("I", "N", "C", "Y", "X"),), "max")
    if kind is Kind.DSCONV:
        ones = ("K",) if "K" in dims else ()
        out = tensor("O", "N", *ones, "C", "Y'", "X'")
        return Computation(
            out, (tensor("I", "N", "C", "Y", "X"), tensor("W", *ones, "C", "R", "S"))
        )
    group = ("G",) if kind is Kind.NGCONV else ()
    image = tensor("I", "N", *group, "C", "Y", "X")
    filters = tensor("W", *group, "K", "C", "R", "S")
    return Computation(tensor("O", "N", *group, "K", "Y'", "X'"), (image, filters))
