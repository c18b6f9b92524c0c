"""Windows along one dimension, found from the points that they have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field

from s2s.scop.pooling import Axis
from s2s.source.records import dataclass


@dataclass
class Seen:
    """For the number of a window its points along this dimension."""

    points: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def add(self, window: int, points: Collection[int]) -> bool:
        """Whether this agrees with what was seen of the same window before."""
        found = tuple(sorted(points))
        return self.points.setdefault(window, found) == found


def fit_axis(seen: Seen, count: int, limit: int | None) -> Axis | None:
    """The axis of which all windows seen are windows; ``limit``: points of the image, if known."""
    known = seen.points
    largest = max(known.values(), key=len)
    highest = max(p[-1] for p in known.values())
    size = highest + 1
    if limit is not None and size > limit:
        return None
    for dilation in _dilations(largest):
        for kernel in range(len(largest), len(largest) + 8):
            for stride in _strides(known, dilation):
                for before in _befores(known, stride, kernel, dilation):
                    for points in dict.fromkeys((limit or size, size)):
                        axis = Axis(points, kernel, stride, before, count, dilation)
                        if all(_points(axis, w) == p for w, p in known.items()):
                            return axis
    return None


def _points(axis: Axis, window: int) -> tuple[int, ...]:
    first = window * axis.stride - axis.before
    every = (first + k * axis.dilation for k in range(axis.kernel))
    return tuple(p for p in every if 0 <= p < axis.size)


def _dilations(points: tuple[int, ...]) -> Iterator[int]:
    yield points[1] - points[0] if len(points) > 1 else 1


def _strides(known: Mapping[int, tuple[int, ...]], dilation: int) -> Iterator[int]:
    """Differences between neighbouring windows, the most frequent first; then small numbers."""
    votes: dict[int, int] = {}
    for window, points in known.items():
        after = known.get(window + 1)
        if after is not None:
            for move in (after[0] - points[0], after[-1] - points[-1]):
                votes[move] = votes.get(move, 0) + 1
    ranked = [m for m in sorted(votes, key=lambda m: -votes[m]) if m > 0]
    yield from dict.fromkeys([*ranked, *range(1, 9)])


def _befores(
    known: Mapping[int, tuple[int, ...]], stride: int, kernel: int, dilation: int
) -> Iterator[int]:
    """Padding with which some window begins where it was seen to begin, or less."""
    reach = (kernel - 1) * dilation + 1
    found = {window * stride - points[0] for window, points in known.items()}
    found |= {window * stride + reach - 1 - points[-1] for window, points in known.items()}
    yield from sorted(b for b in found if 0 <= b < max(reach, 1))
