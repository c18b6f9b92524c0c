"""The form that values have here: sums of products of elements, and what is done to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.scop.expressions import INT32, Expr, Load, Type
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Factor:
    """An element, or ``fill`` where not all ``conditions`` hold; ``less`` is taken off.

    ``is_distance``: a sum is shifted to the right by it.
    """

    load: Load
    conditions: tuple[Expr, ...] = ()
    fill: int | float = 0
    less: int = 0
    is_distance: bool = False

    @property
    def tensor(self) -> str:
        """What the element is one of."""
        return self.load.tensor

    @property
    def is_plain(self) -> bool:
        """Whether it is the element as it is."""
        return self == Factor(self.load)


@dataclass(frozen=True)
class Product:
    """An element times another one, where ``conditions`` hold; ``negative``: taken off.

    Without ``right`` it is multiplied by the number ``literal``.
    """

    left: Factor
    right: Factor | None
    conditions: tuple[Expr, ...] = ()
    negative: bool = False
    literal: int | float = 1

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The elements."""
        return (self.left,) if self.right is None else (self.left, self.right)

    def scaled(self, by: int | float) -> Product | None:
        """So many times the product; None where that is none."""
        if self.right is None and (self.literal in (1, -1) or not isinstance(by, float)):
            return replace(self, literal=self.literal * by)
        if self.right is not None and by in (1, -1):
            return replace(self, negative=self.negative == (by == 1))
        return None


@dataclass(frozen=True)
class Sum:
    """``(constant + loads + products) >> shift``, then within ``low`` and ``high``.

    ``bits``: how many of the lowest bits agree with the program's value; None: all. ``scale``: the
    number by which a sum of floats is multiplied before it is limited, ``last`` the element that
    is added before that; products of such a sum stand
    in the order in which they are added, behind the constant (a float) or the load.

    ``factor`` (an element or a number): by what a sum of integers is multiplied before the shift,
    in the type ``multiplied``; ``late`` is added to that. ``is_narrow``: the result is what that
    leaves in 32 bits. A factor that is a distance d stands for ``1 << (31 - d)``, before a shift
    by 31.
    """

    products: tuple[Product, ...] = ()
    loads: tuple[Factor, ...] = ()
    constant: int | float = 0
    shift: int = 0
    bits: int | None = None
    low: int | float | None = None
    high: int | float | None = None
    scale: float | None = None
    last: Factor | None = None
    factor: Factor | int | None = None
    multiplied: Type = INT32
    late: int = 0
    is_narrow: bool = False

    @property
    def is_finished(self) -> bool:
        """Whether nothing can be added any more."""
        ends = self.low, self.high, self.scale, self.last, self.factor
        return self.shift != 0 or any(end is not None for end in ends)

    def wrapped(self, bits: int) -> Sum:
        """The same where only so many bits are known to be right."""
        return replace(self, bits=bits if self.bits is None else min(bits, self.bits))

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value of a sum that is not finished."""
        low: float = self.constant
        high = low
        for factor in self.loads:
            ends = _ends(factor)
            low, high = low + ends[0], high + ends[1]
        for product in self.products:
            others = (product.literal,) if product.right is None else _ends(product.right)
            corners = [a * b for a in _ends(product.left) for b in others]
            corners = [-c for c in corners] if product.negative else corners
            corners += [0] if product.conditions else []
            low, high = low + min(corners), high + max(corners)
        return low, high


def _ends(factor: Factor) -> tuple[float, float]:
    values: list[float] = [factor.load.type.smallest, factor.load.type.largest]
    values += [factor.fill] if factor.conditions else []
    return min(values) - factor.less, max(values) - factor.less


def literal(factors: Sequence[Factor]) -> tuple[Product, ...]:
    """Elements as products with the number 1."""
    return tuple(Product(factor, None) for factor in factors)
