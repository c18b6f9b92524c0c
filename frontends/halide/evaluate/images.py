"""Images and outputs as the interpreter sees them, and the bounds of their dimensions."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.evaluate.containers import Items
from s2s.frontends.halide.evaluate.language import call_arguments, expanded
from s2s.frontends.halide.evaluate.values import UNDEFINED, deref
from s2s.frontends.halide.evaluate.world import World, integer, subscript, to_expr, variable
from s2s.scop.errors import Illegal
from s2s.scop.expressions import INT32, Expr, Load, Type
from s2s.scop.pipeline import Func, Image


class Range:
    """A minimum and an extent."""

    words = "a Range"

    def __init__(self, minimum: Any, extent: Any) -> None:
        self.fields = {"min": minimum, "extent": extent}

    @property
    def minimum(self) -> Any:
        return self.fields["min"]

    @property
    def extent(self) -> Any:
        return self.fields["extent"]

    def copied(self) -> Range:
        """A copy, as C++ makes them."""
        return Range(self.minimum, self.extent)


class Dimension:
    """``dim(i)`` of an image or of an output."""

    words = "a dimension of an image"

    def __init__(self, world: World, image: Image, index: int) -> None:
        if index < 0 or (0 <= image.rank <= index):
            raise Illegal(f"dimension {index} of '{image.name}', which has {image.rank}")
        self.world, self.image, self.index = world, image, index

    def _symbol(self, what: str) -> Expr:
        known = self.image.bounds.get(self.index, (None, None, None))
        value = known[("min", "extent", "stride").index(what)]
        return value if value is not None else variable(f"{self.image.name}.{what}.{self.index}")

    def m_min(self) -> Expr:
        return self._symbol("min")

    def m_extent(self) -> Expr:
        return self._symbol("extent")

    def m_stride(self) -> Expr:
        return self._symbol("stride")

    def m_max(self) -> Expr:
        whole = typing.binary("add", self.m_min(), self.m_extent())
        return typing.binary("sub", whole, 1)

    def _set(self, *values: Any) -> Dimension:
        old = self.image.bounds.get(self.index, (None, None, None))
        new = [o if v is None else _int32(v) for o, v in zip(old, values, strict=True)]
        self.image.bounds[self.index] = (new[0], new[1], new[2])
        return self

    def m_set_min(self, value: Any) -> Dimension:
        return self._set(value, None, None)

    def m_set_extent(self, value: Any) -> Dimension:
        return self._set(None, value, None)

    def m_set_stride(self, value: Any) -> Dimension:
        return self._set(None, None, value)

    def m_set_bounds(self, minimum: Any, extent: Any) -> Dimension:
        return self._set(minimum, extent, None)

    def m_set_estimate(self, minimum: Any, extent: Any) -> Dimension:
        known = self.world.program.estimates.setdefault(self.image.name, {})
        known[self.index] = (integer(minimum, "an estimate"), integer(extent, "an estimate"))
        return self

    m_set_bounds_estimate = m_set_estimate

    def m_dim(self, index: Any) -> Dimension:
        return Dimension(self.world, self.image, integer(index, "a dimension"))


def _int32(value: Any) -> Expr | None:
    """An int32; an undefined Expr takes a bound back."""
    if deref(value) is UNDEFINED:
        return None
    expr = to_expr(value)
    if expr.type != INT32:
        expr = typing.cast(INT32, expr)
    return expr


class Dimensioned:
    """What has dimensions with bounds: images and outputs."""

    world: World

    def image_of(self) -> Image:
        raise NotImplementedError

    def m_dim(self, index: Any) -> Dimension:
        return Dimension(self.world, self.image_of(), integer(index, "a dimension"))

    def m_width(self) -> Expr:
        return self.m_dim(0).m_extent()

    def m_height(self) -> Expr:
        return self.m_dim(1).m_extent()

    def m_channels(self) -> Expr:
        return self.m_dim(2).m_extent()

    def m_left(self) -> Expr:
        return self.m_dim(0).m_min()

    def m_right(self) -> Expr:
        return self.m_dim(0).m_max()

    def m_top(self) -> Expr:
        return self.m_dim(1).m_min()

    def m_bottom(self) -> Expr:
        return self.m_dim(1).m_max()

    def m_set_min(self, index: Any, value: Any) -> Any:
        self.m_dim(index).m_set_min(value)
        return self

    def m_set_extent(self, index: Any, value: Any) -> Any:
        self.m_dim(index).m_set_extent(value)
        return self

    def m_set_stride(self, index: Any, value: Any) -> Any:
        self.m_dim(index).m_set_stride(value)
        return self

    def m_set_bounds(self, index: Any, minimum: Any, extent: Any) -> Any:
        self.m_dim(index).m_set_bounds(minimum, extent)
        return self

    def m_set_host_alignment(self, *_: Any) -> Any:
        return self

    def m_set_estimates(self, ranges: Any) -> Any:
        for index, item in enumerate(deref(ranges).items):
            one = as_range(item)
            self.m_dim(index).m_set_estimate(one.minimum, one.extent)
        return self


def as_range(value: Any) -> Range:
    """A Range, or the braces that make one."""
    value = deref(value)
    if isinstance(value, Range):
        return value
    if isinstance(value, Items) and len(value.items) == 2:
        return Range(*(deref(v) for v in value.items))
    raise Illegal("a Range needs a minimum and an extent")


class ImageObject(Dimensioned):
    """An ``ImageParam``, an ``Input<Buffer<...>>``, or a Buffer that comes from outside."""

    words = "an input image"

    def __init__(self, world: World, image: Image) -> None:
        self.world, self.image = world, image
        self.func: Func | None = None

    def image_of(self) -> Image:
        return self.image

    def m_call(self, *arguments: Any) -> Expr:
        values = call_arguments(arguments)
        if self.image.rank < 0:
            self.image.rank = len(values)
        values = expanded(values, self.image.rank)
        if len(values) != self.image.rank:
            raise Illegal(
                f"image '{self.image.name}' is read with {len(values)} arguments, "
                f"but has {self.image.rank} dimensions"
            )
        where = tuple(subscript(v, self.image.name, i) for i, v in enumerate(values))
        name = self.image.name if self.func is None else self.func.name
        return Load(self.image.type, name, where)

    def m_name(self) -> str:
        return self.image.name

    def m_type(self) -> Type:
        return self.image.type

    def m_dimensions(self) -> int:
        return self.image.rank

    def m_defined(self) -> bool:
        return True

    def m_set_estimate(self, var: Any, minimum: Any, extent: Any) -> Any:
        name = deref(var).name
        if name.startswith("_") and name[1:].isdigit():
            self.m_dim(int(name[1:])).m_set_estimate(minimum, extent)
        return self

    def m_parameter(self) -> Any:
        return self

    def _nothing(self, *_: Any) -> Any:
        return self

    m_add_trace_tag = m_trace_loads = m_set = m_reset = m_store_in = m_set_host_dirty = _nothing
    m_copy_to_host = m_copy_to_device = m_accelerator_input = _nothing
