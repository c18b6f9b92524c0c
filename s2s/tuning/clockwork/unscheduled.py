"""A source without a schedule as a space: each candidate is the source with one written into it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.source.records import dataclass
from s2s.tuning.clockwork.bound import Extents
from s2s.tuning.clockwork.directives import Written, insert, read_unscheduled
from s2s.tuning.clockwork.limits import Limits
from s2s.tuning.clockwork.space import Axis, Places, Program, values_at

_RATES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16)
_MOST_TILES = 24


@dataclass(frozen=True)
class DirectiveSpace:
    """What to write is ``written``; the base are rows, one element a cycle, the largest tile."""

    own: Program
    written: Written
    axes: tuple[Axis, ...]
    base: Places
    extents: Extents = ()

    def values(self, places: Places) -> dict[str, str]:
        """A candidate's values."""
        return values_at(self.axes, places)

    def directives(self, places: Places) -> str:
        """A candidate's schedule."""
        return self.written.text(self.values(places))

    def program(self, places: Places) -> Program:
        """The source with a candidate's schedule."""
        text = insert(self.own.data.decode("utf-8"), self.directives(places))
        return replace(self.own, data=text.encode())


def has_schedule(program: Program) -> bool:
    """Whether the source says where an accelerator is."""
    funcs = program.steps.pipeline.funcs.values()
    primitives = [primitive for func in funcs for primitive in func.schedule.hardware]
    for func in funcs:
        for stage in func.stages:
            primitives += stage.schedule.hardware
    return any(primitive.name == "hw_accelerate" for primitive in primitives)


def directive_space(program: Program, limits: Limits) -> DirectiveSpace:
    """The space of a source. Raises UserError where no schedule can be written into it."""
    pipeline = program.steps.pipeline
    written = read_unscheduled(program.data.decode("utf-8"), pipeline, program.sizes)
    axes = tuple(_axes(written))
    tile = _largest(written, limits.words)
    first = {"rate": "1", "order": "rows", "sharing": "none", **tile}
    base = []
    for axis in axes:
        wanted = tuple(first.get(name, "true") for name in axis.names)
        base.append(axis.values.index(wanted))
    return DirectiveSpace(program, written, axes, tuple(base))


def _axes(written: Written) -> Iterator[Axis]:
    width, height = written.extents[:2]
    yield Axis(("rate",), tuple((str(r),) for r in _RATES if r <= width))
    yield Axis(("width",), tuple((str(w),) for w in _parts(width)))
    yield Axis(("height",), tuple((str(h),) for h in _parts(height)))
    yield Axis(("order",), (("rows",), ("columns",)))
    for name in sorted(written.optional):
        yield Axis((f"buffer {name}",), (("true",), ("false",)))
    if len(written.alike) > 1:
        yield Axis(("sharing",), (("none",), ("pixel",), ("line",), ("block",)))


def _parts(extent: int) -> list[int]:
    """Tiles that divide an extent as it is: others would compute more than there is."""
    return sorted({extent // k for k in range(1, _MOST_TILES + 1) if extent % k == 0})


def _largest(written: Written, words: int) -> dict[str, str]:
    """The widest tile whose stream fits, the highest of that width."""
    width, height = written.extents[:2]
    for wide in reversed(_parts(width)):
        for high in reversed(_parts(height)):
            if wide * high <= words:
                return {"width": str(wide), "height": str(high)}
    return {"width": str(_parts(width)[0]), "height": str(_parts(height)[0])}
