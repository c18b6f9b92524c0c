"""Contractions: convolutions and matrix products as one object, apart from any schedule.

A contraction sums products of two tensors over its reduction loops::

    out[o(i)] = type((initial(i) + sum over r of image[g(i, r)] * weight[h(i, r)]) >> shift)

Subscripts are affine in the loops, one for each dimension of the array. Products and sums are
those of integers, without overflow (a frontend that cannot know that refuses), so that the order
of the terms does not matter; the last conversion wraps. Strides and dilations are coefficients of
the subscripts. Convolutions in one to three dimensions, fully connected, depth-wise and
point-wise layers and matrix products all have this form.

Dimensions are listed innermost first, as Halide's arguments are; loops outermost first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from math import prod

from s2s.scop.expressions import Type
from s2s.scop.linear import Linear
from s2s.source import Span
from s2s.source.records import dataclass
from s2s.source.sums import print_sum


class NotAContraction(Exception):
    """A program that is no contraction: ``reason``, and ``at`` which statement of it (or None)."""

    def __init__(self, reason: str, at: Span | None = None) -> None:
        super().__init__(reason)
        self.reason, self.at = reason, at


@dataclass(frozen=True)
class Loop:
    """``extent`` iterations from 0. ``name`` is the canonical one.

    ``source``: the name in the program, for messages and for directives that mention it.
    """

    name: str
    extent: int
    reduction: bool = False
    source: str = field(default="", compare=False)


class Subscript(Linear[str]):
    """An affine function of loops, which stand in the order of the contraction's loops."""

    def value(self, point: Mapping[str, int]) -> int:
        """The value at an iteration; loops that ``point`` lacks count as 0."""
        value = self.constant
        for name, c in self.terms.items():
            value += c * point.get(name, 0)
        return value

    def reach(self, extents: Mapping[str, int]) -> tuple[int, int]:
        """The least and the greatest value over all iterations."""
        return self.bounds({name: (0, extents[name] - 1) for name in self.terms})

    def __str__(self) -> str:
        return print_sum(self.terms.items(), self.constant)


@dataclass(frozen=True)
class View:
    """How the elements of an array come out of the program's memory.

    ``memory[step * i - first]`` where each index i is in its range [low, high) of ``inside``,
    ``fill`` elsewhere; ``less`` is taken off both. ``type`` and ``extents`` are those of the
    memory, ``steps`` (none: all 1) are outputs' that leave elements out. ``is_distance``: memory
    has distances d of shifts, and elements are ``-(1 << (31 - d))``.
    """

    type: Type
    extents: tuple[int, ...]
    first: tuple[int, ...]
    inside: tuple[tuple[int, int], ...]
    fill: int | float = 0
    less: int = 0
    steps: tuple[int, ...] = ()
    is_distance: bool = False


@dataclass(frozen=True)
class Array:
    """Memory with ``extents`` elements per dimension, dense, innermost first; subscripts from 0.

    ``view`` (None: as they are) says how elements come out of the program's own memory.
    ``reached`` (None: all) is how many elements of that the program may reach; what would lie
    behind them need not exist. ``data`` (None: the caller passes them) are the memory's elements
    where the program has them itself, in their order.
    """

    name: str
    type: Type
    extents: tuple[int, ...]
    view: View | None = None
    reached: int | None = field(default=None, compare=False)
    data: tuple[int | float, ...] | None = None

    @property
    def memory(self) -> Array:
        """The program's own memory."""
        if self.view is None:
            return self
        view = self.view
        return Array(self.name, view.type, view.extents, None, self.reached, self.data)

    @property
    def size(self) -> int:
        """Elements in all."""
        return prod(self.extents)

    @property
    def strides(self) -> tuple[int, ...]:
        """Distance in elements between neighbours of each dimension."""
        return tuple(prod(self.extents[:place]) for place in range(len(self.extents)))


@dataclass(frozen=True)
class Access:
    """``array[subscripts]``, one subscript for each dimension, innermost first."""

    array: Array
    subscripts: tuple[Subscript, ...]

    @property
    def loops(self) -> frozenset[str]:
        """The loops that tell elements apart."""
        return frozenset(name for s in self.subscripts for name in s.terms)

    @property
    def linear(self) -> Subscript:
        """The place in the array counted in elements, in its own (row-major) layout."""
        found = Subscript()
        for subscript, stride in zip(self.subscripts, self.array.strides, strict=True):
            found = found.plus(subscript, stride)
        return found

    def __str__(self) -> str:
        return f"{self.array.name}({', '.join(map(str, self.subscripts))})"


@dataclass(frozen=True)
class FloatSum:
    """How a sum of floats is made, so that it rounds as the program's does.

    ``order``: reductions, outermost first, and whether each counts down; in each of their
    iterations the terms are at ``taps`` (none: one term), which say where the other reductions
    are. ``is_empty``: the sum begins with its first term. ``scale``: by what it is multiplied in
    the end. ``adds_last``: what sums start with elsewhere is added behind the terms, before that.
    """

    order: tuple[tuple[str, bool], ...]
    taps: tuple[tuple[tuple[str, int], ...], ...] = ()
    is_empty: bool = False
    scale: float | None = None
    adds_last: bool = False


@dataclass(frozen=True)
class Scale:
    """By what sums are multiplied before they are shifted, and what is added to the product.

    Sums have at most 32 bits there. Results are what the shift leaves in 32 bits, unless they are
    saturated. ``is_narrow``: the program multiplies in 32 bits. ``is_negative``: products are
    taken off.
    """

    factor: Access
    late: int = 0
    is_narrow: bool = False
    is_negative: bool = False


@dataclass(frozen=True)
class Contraction:
    """The value of ``output`` for all iterations of the loops that are not reductions.

    ``loops``: the loops of the output, outermost dimension first, then the reduction loops; none
    has extent 1 unless there is no other. ``initial``: what the sum starts with, a number or an
    element (of a bias, or of the output itself), before the shift. ``saturate``: results that the
    output's type lacks become its nearest, they do not wrap. ``least``, ``most``: what results are
    limited to before they become elements (None: not), as by a rectifier. ``rounds``: half of what
    the shift drops is added to ``initial``. ``negative``: products are taken off. ``floats``: how
    sums of floats are made (None: those of integers). ``scale``: by what sums of integers are
    multiplied before the shift. ``arguments``:
    names of the arrays in the order in which the caller passes them. Loop names are canonical:
    x, y, z are loops that only output and image have, k one that the weights have too, r, s, t are
    the reductions that slide over x, y, z and c is the one that does not slide.
    """

    name: str
    loops: tuple[Loop, ...]
    output: Access
    image: Access
    weight: Access
    accumulator: Type
    shift: int = 0
    initial: int | float | Access = 0
    saturate: bool = False
    arguments: tuple[str, ...] = ()
    least: int | float | None = None
    most: int | float | None = None
    rounds: bool = False
    negative: bool = False
    floats: FloatSum | None = None
    scale: Scale | None = None

    @cached_property
    def extents(self) -> dict[str, int]:
        """Iterations of each loop."""
        return {loop.name: loop.extent for loop in self.loops}

    @property
    def output_loops(self) -> tuple[Loop, ...]:
        """The loops that are not reductions, outermost first."""
        return tuple(loop for loop in self.loops if not loop.reduction)

    @property
    def reductions(self) -> tuple[Loop, ...]:
        """The reduction loops, outermost first."""
        return tuple(loop for loop in self.loops if loop.reduction)

    @property
    def accesses(self) -> tuple[Access, ...]:
        """Output, image and weight, then the initial element and the factor if there are such."""
        start = (self.initial,) if isinstance(self.initial, Access) else ()
        end = (self.scale.factor,) if self.scale is not None else ()
        return (self.output, self.image, self.weight, *start, *end)

    @property
    def macs(self) -> int:
        """Multiplications that the program asks for."""
        terms = prod(loop.extent for loop in self.loops)
        if self.floats is None or not self.floats.taps:
            return terms
        inside = {name for tap in self.floats.taps for name, _ in tap}
        return terms // prod(self.extents[name] for name in inside) * len(self.floats.taps)

    def loop(self, name: str) -> Loop:
        """The loop with a canonical name; KeyError where there is none."""
        for loop in self.loops:
            if loop.name == name:
                return loop
        raise KeyError(name)

    def __str__(self) -> str:
        lines = [
            f"for {loop.name} < {loop.extent}{' (sum)' if loop.reduction else ''}"
            for loop in self.loops
        ]
        start = f"{self.initial} + " if self.initial != 0 else ""
        products = f"sum {self.image} * {self.weight}"
        value = f"{start or '0 '}- {products}" if self.negative else f"{start}{products}"
        value = value.replace("+ - ", "- ")
        if self.scale is not None:
            late = f" + {self.scale.late}" if self.scale.late else ""
            value = f"({value}) * {self.scale.factor}{late}"
        value = f"({value}) >> {self.shift}" if self.shift else value
        value = f"rounded {value}" if self.rounds else value
        scale = self.floats.scale if self.floats is not None else None
        value = f"({value}) * {scale}" if scale is not None else value
        value = f"max({value}, {self.least})" if self.least is not None else value
        value = f"min({value}, {self.most})" if self.most is not None else value
        value = f"saturated {value}" if self.saturate else value
        arrays = ", ".join(_declared(a.array) for a in self.accesses[:3])
        return "\n".join([arrays, *lines, f"{self.output} = {value}  [{self.accumulator}]"])


@dataclass(frozen=True)
class Wishes:
    """What a program's schedule asks of a mapping, in canonical names of loops.

    ``vector``: the loop whose iterations are lanes; ``jam``: (loop, factor), for the vector loop
    in vectors; ``order``: loops outermost first; ``pipelined``: the innermost one.
    """

    vector: str = ""
    jam: tuple[tuple[str, int], ...] = ()
    order: tuple[str, ...] = ()
    pipelined: str = ""
    at: Span | None = None

    def __str__(self) -> str:
        words = [f"vectors along {self.vector}"] if self.vector else []
        words += [f"{name} unrolled {factor} times" for name, factor in self.jam]
        words += [f"the loops {' '.join(self.order)} in that order"] if self.order else []
        words += [f"{self.pipelined} innermost"] if self.pipelined else []
        return ", ".join(words)


def _declared(array: Array) -> str:
    text = f"{array.type} {array.name}({', '.join(map(str, array.extents))})"
    view = array.view
    if view is None:
        return text
    around = view.inside != tuple((0, extent) for extent in array.extents)
    text += f" with {view.fill} around {array.memory.extents}" if around else ""
    return f"{text} less {view.less}" if view.less else text


def affine(terms: Mapping[str, int], constant: int, order: Sequence[str]) -> Subscript:
    """A subscript in canonical form: terms in the order of the loops, zeros left out."""
    return Subscript({n: terms[n] for n in order if terms.get(n, 0)}, constant)
