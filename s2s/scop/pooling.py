"""Pooling: a reduction over windows of an image, forward and backward.

Forward, for each channel::

    out[oy, ox] = max (or sum / count) over (ky, kx) of
        in[oy * stride_y + ky * dilation_y - top, ox * stride_x + kx * dilation_x - left]

Points outside of the image do not count for a maximum and are 0 in a sum. Backward, gradients of
outputs are added to the points of their window: to the one that had the maximum (a mask says
which), or to all of them, divided by the count.
"""

from __future__ import annotations

from enum import Enum
from math import prod

from s2s.source.records import dataclass

LOWEST = -65504.0
"""The least number of half precision, which counts as lower than all."""


class Kind(Enum):
    """What becomes of a window."""

    MAX = "max"
    AVERAGE = "average"
    SUM = "sum"


class Mask(Enum):
    """Which points of a window a forward maximum marks, where it leaves a mask.

    ALL marks every point that equals the maximum (the paper), FIRST the first of them in the
    order of rows (as frameworks do).
    """

    NONE = "none"
    FIRST = "first"
    ALL = "all"


@dataclass(frozen=True)
class Places:
    """Where an array of the program has its elements: ``start`` is the first one's place.

    Steps from one image to the next (for each of ``Pooling.batches``), one channel, one line, one
    point; ``kernel_y`` and ``kernel_x`` are a mask's steps from one point of a window to the next.
    """

    array: str
    start: int
    batches: tuple[int, ...]
    channel: int
    line: int
    point: int
    kernel_y: int = 0
    kernel_x: int = 0


@dataclass(frozen=True)
class Numbers:
    """The number of the point that has a window's maximum, in an array of its own.

    ``places``: where the number of each window is. ``values``: the number, from ``start`` on with
    the steps of coordinates. ``otherwise``: where no point has it; ``is_last``: of several points
    the last one counts, not the first.
    """

    places: Places
    values: Places
    otherwise: int
    is_last: bool


@dataclass(frozen=True)
class Axis:
    """Windows along a dimension: ``size`` points of the image, ``count`` windows.

    ``before``: points of padding before the first one; after the last one as many as windows
    reach.
    """

    size: int
    kernel: int
    stride: int
    before: int
    count: int
    dilation: int = 1

    @property
    def reach(self) -> int:
        """Points from the first to the last one of a window."""
        return (self.kernel - 1) * self.dilation + 1

    @property
    def after(self) -> int:
        """Points of padding that the last window reaches."""
        return max(0, (self.count - 1) * self.stride + self.reach - self.before - self.size)

    @property
    def padded(self) -> int:
        """Points with the padding on both sides, up to the last one that a window has."""
        return max(self.before + self.size + self.after, self.before + self.size)

    def inside(self, window: int) -> int:
        """How many points of a window lie in the image."""
        first = window * self.stride - self.before
        return sum(0 <= first + k * self.dilation < self.size for k in range(self.kernel))


@dataclass(frozen=True)
class Pooling:
    """``batches`` are extents of what is pooled alike: images, groups of channels.

    ``y`` and ``x`` are the windows. ``divisor``: None for as many as a window has points
    ("count_include_pad"), 0 for as many as lie in the image, otherwise the number itself. ``image``
    and ``windows`` say where the program has both (backward, gradients of the image and of the
    windows), ``masks`` its mask, ``numbers`` what it has instead of one, forward; ``element`` is
    its type of elements. A program that ``accumulates`` adds to what its output has; a maximum is
    ``least`` where all points are lower; points outside of the image are ``outside`` in one (None:
    they do not count).
    """

    name: str
    kind: Kind
    backward: bool
    batches: tuple[int, ...]
    channels: int
    y: Axis
    x: Axis
    mask: Mask = Mask.NONE
    divisor: float | None = None
    element: str = "float"
    image: Places | None = None
    windows: Places | None = None
    masks: Places | None = None
    numbers: Numbers | None = None
    accumulates: bool = False
    least: float = LOWEST
    outside: float | None = None

    @property
    def batch(self) -> int:
        return prod(self.batches)

    @property
    def blocks(self) -> int:
        """C1: groups of 16 channels."""
        return -(-self.channels // 16)

    @property
    def planes(self) -> int:
        """Images times groups of channels."""
        return self.batch * self.blocks

    @property
    def is_in_layout(self) -> bool:
        """Whether the program's arrays have their elements in the order that kernels need.

        That is N C1 H W C0: 16 channels next to each other, no gaps.
        """
        if self.image is None or self.windows is None or self.numbers or self.channels != 16:
            return False
        y, x = self.y, self.x
        masks = self.masks is None or self._is_packed(self.masks, y.count, x.count)
        own = self._is_packed(self.windows, y.count, x.count)
        return masks and own and self._is_packed(self.image, y.size, x.size)

    def _is_packed(self, places: Places, lines: int, points: int) -> bool:
        """Whether an array has planes of so many lines and points, and nothing else."""
        steps: list[tuple[int, int]] = [(16, places.channel), (points, places.point)]
        steps.append((lines, places.line))
        if places is self.masks:
            steps += [(self.x.kernel, places.kernel_x), (self.y.kernel, places.kernel_y)]
        steps += zip(reversed(self.batches), reversed(places.batches), strict=True)
        wanted = 1
        for extent, step in steps:
            if extent > 1 and step != wanted:
                return False
            wanted *= extent
        return places.start == 0

    @property
    def input(self) -> str:
        """The kernel's argument that is read first."""
        return "gradients" if self.backward else "image"

    @property
    def output(self) -> str:
        """The kernel's argument that is written."""
        return "image" if self.backward else "windows"

    @property
    def mask_name(self) -> str:
        return "masks"

    def count(self, oy: int, ox: int) -> float:
        """By what the sum of a window is divided."""
        if self.divisor:
            return self.divisor
        if self.divisor is None:
            return self.y.kernel * self.x.kernel
        return max(1, self.y.inside(oy) * self.x.inside(ox))

    @property
    def divides_evenly(self) -> bool:
        """Whether all windows are divided by the same number."""
        return self.divisor != 0 or all(
            axis.before == 0 and axis.after == 0 for axis in (self.y, self.x)
        )
