"""Lines of a grid that do not depend on each other: a region, its two loops over lines, its arrays.

Two lines never touch the same element of an array that the region writes: all its subscripts in two
dimensions are the counters of the two loops, in every access. So lines may run in any order and
side by side; each one keeps the source's order. Variables that every run of statements sets before
it reads them are a line's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.rewriters.line_groups.kernels import Kernel, parameters_of
from s2s.rewriters.line_groups.reading import (
    Counter,
    Item,
    Loop,
    Reader,
    Run,
    Scope,
    Uniform,
    runs,
    scopes,
)  # fmt: skip
from s2s.rewriters.line_groups.touches import Touch, touches
from s2s.source.records import dataclass


@dataclass(frozen=True)
class LineArray:
    """An array with the dimensions that tell a line from another, and all others."""

    decl: Decl
    shared: int | None
    lane: int
    lengths: tuple[int, ...]
    written: bool

    @property
    def kept(self) -> tuple[int, ...]:
        """The dimensions inside of a line."""
        return tuple(d for d in range(len(self.lengths)) if d not in (self.shared, self.lane))


@dataclass
class Region:
    """A function whose loops over lines can be made the outermost ones.

    ``construct`` is that by which threads share the loops over lines, or empty. ``own`` are the
    variables of a line, with the runs that set them.
    """

    scope: Scope
    shared: Counter | None
    lane: Counter
    construct: str
    kernels: dict[str, Kernel]
    arrays: dict[Decl, LineArray] = field(default_factory=dict)
    own: dict[Decl, list[Run]] = field(default_factory=dict)
    touched: dict[int, list[list[Touch]]] = field(default_factory=dict)

    @property
    def function(self) -> Function:
        return self.scope.function

    def is_line_loop(self, loop: Loop) -> bool:
        """Whether a loop counts lines."""
        names = {c.decl.name for c in (self.shared, self.lane) if c is not None}
        return loop.counter.decl.name in names

    def inside(self, run: Run) -> tuple[Loop, ...]:
        """The loops around a run that are inside of a line."""
        return tuple(loop for loop in run.loops if not self.is_line_loop(loop))

    def items(self, items: Sequence[Item] | None = None) -> Iterator[Item]:
        """What each line does, one after the other: loops over lines and functions are opened."""
        for item in self.scope.body if items is None else items:
            if isinstance(item, Scope) or (isinstance(item, Loop) and self.is_line_loop(item)):
                yield from self.items(item.body)
            else:
                yield item

    def statements(self, run: Run) -> list[list[Touch]]:
        """What each statement of a run touches."""
        return self.touched[id(run)]

    def every(self) -> Iterator[tuple[Run, Touch]]:
        for run in runs(self.scope.body):
            for touch_list in self.statements(run):
                for touch in touch_list:
                    yield run, touch


def read_region(function: Function, reader: Reader, kernel_reader: Reader) -> Region:
    """Raises NotLiftable with what keeps lines from being independent."""
    if len(function.node.children) > 1:
        raise NotLiftable(function.node.span, "the function has parameters")
    if not function.node.type.spelling.startswith("void ("):
        raise NotLiftable(function.node.span, "the function has a result")
    scope = reader.read(function)
    every = list(runs(scope.body))
    if not every:
        raise NotLiftable(function.node.span, "there are no loops with straight code")
    kernels = _Kernels(kernel_reader)
    problem = NotLiftable(function.node.span, "no two loops are around all statements")
    for shared, lane in _pairs(every):
        constructs = {loop.shared for run in every for loop in run.loops} - {""}
        if len(constructs) > 1:
            raise NotLiftable(function.node.span, "threads share loops in two ways")
        region = Region(scope, shared, lane, "".join(constructs), kernels.known)
        region.touched = {id(run): list(touches(run, kernels.of)) for run in every}
        try:
            _check_loops(region, every)
            _find_arrays(region)
            _find_own(region, every)
            return region
        except NotLiftable as found:
            problem = found
    raise problem


@dataclass
class _Kernels:
    """The functions that are called, read once."""

    reader: Reader
    known: dict[str, Kernel] = field(default_factory=dict)

    def of(self, call: Node) -> Kernel:
        name = call.children[0].decl.name if call.children and call.children[0].decl else ""
        if name not in self.known:
            function = self.reader.find(name)
            if function is None or call.type.kind != "void":
                raise NotLiftable(call.span, "a function is called that is not of this file")
            parameters = parameters_of(function)
            self.known[name] = _kernel(function, self.reader.read(function), parameters)
        if len(call.children) - 1 != len(self.known[name].parameters):
            raise NotLiftable(call.span, "a call has other arguments than parameters")
        return self.known[name]


def _kernel(function: Function, scope: Scope, types: dict[Decl, CType]) -> Kernel:
    """What a kernel touches. Raises NotLiftable where that is more than its blocks."""

    def none(call: Node) -> Kernel:
        raise NotLiftable(call.span, "a kernel calls a function")

    written: set[Decl] = set()
    reads: set[Decl] = set()
    for run in runs(scope.body):
        if any(loop.counter.first.parameters | loop.counter.last.parameters for loop in run.loops):
            raise NotLiftable(run.statements[0].span, "a loop of a kernel has no constant bounds")
        for touch in (t for one in touches(run, none) for t in one):
            decl = touch.decl
            if decl.is_global and (touch.writes or touch.lengths):
                raise NotLiftable(touch.node.span, f"a function uses '{decl.name}' of the file")
            if touch.block or (touch.writes and decl in run.known):
                raise NotLiftable(touch.node.span, "a function uses an array as a whole")
            if touch.writes:
                written.add(decl)
            if decl.is_global:
                reads.add(decl)
    return Kernel(
        function, scope, tuple(types), frozenset(written & {*types}), frozenset(reads), types
    )


def _pairs(every: Sequence[Run]) -> Iterator[tuple[Counter | None, Counter]]:
    """Loops around all statements: one that threads share or none, and one for the lanes."""
    names = [[loop.counter.decl.name for loop in run.loops] for run in every]
    common = [
        loop for loop in every[0].loops
        if all(around.count(loop.counter.decl.name) == 1 for around in names)
    ]  # fmt: skip
    outer = [loop for loop in common if loop.shared]
    teams = any(loop.shared for run in every for loop in run.loops)
    for lane in reversed([loop for loop in common if loop not in outer]):
        if teams:
            yield from ((loop.counter, lane.counter) for loop in outer)
        else:
            yield from ((o.counter, lane.counter) for o in common if o is not lane)
            yield None, lane.counter


def _check_loops(region: Region, every: Sequence[Run]) -> None:
    for run in every:
        lines = [loop for loop in run.loops if region.is_line_loop(loop)]
        for loop in lines:
            wanted = region.lane
            if region.shared is not None and loop.counter.decl.name == region.shared.decl.name:
                wanted = region.shared
            here = loop.counter
            same = (here.first.c, here.last.c, here.rising) == (
                wanted.first.c, wanted.last.c, wanted.rising
            )  # fmt: skip
            if (
                not same
                or not here.rising
                or loop.shared != (region.construct if wanted is region.shared else "")
            ):
                raise NotLiftable(loop.node.span, "loops over lines are not alike")
        counters = {loop.counter.isl for loop in lines}
        every_counter = {loop.counter.isl for loop in run.loops}
        for loop in lines:
            if any(
                name in loop.counter.first.isl + loop.counter.last.isl for name in every_counter
            ):
                raise NotLiftable(loop.node.span, "lines begin or end at different places")
        for loop in region.inside(run):
            bounds = loop.counter.first.isl + loop.counter.last.isl
            if any(name in bounds for name in counters):
                raise NotLiftable(loop.node.span, "lines are not of the same length")


def _find_arrays(region: Region) -> None:
    """The arrays of lines: all that is written, and what is read in the same manner."""
    written = {t.decl for _, t in region.every() if t.writes and t.lengths}
    for decl in sorted({t.decl for _, t in region.every() if t.lengths}, key=lambda d: d.name):
        uses = [(run, t) for run, t in region.every() if t.decl is decl]
        lane = _dimension(uses, region.lane)
        shared = None if region.shared is None else _dimension(uses, region.shared)
        plain = decl.is_global and not decl.thread_local and decl.kind == "VAR_DECL"
        missing = region.shared is not None and shared is None
        if plain and lane is not None and not missing:
            lengths = uses[0][1].lengths
            array = LineArray(decl, shared, lane, lengths, decl in written)
            if all(_stays_inside(run, t, array, region) for run, t in uses):
                region.arrays[decl] = array
                continue
        if decl in written or any(t.block for _, t in uses):
            raise NotLiftable(uses[0][1].node.span, f"lines share '{decl.name}'")
    if not any(array.written for array in region.arrays.values()):
        raise NotLiftable(region.function.node.span, "no array of lines is written")
    for _, touch in region.every():
        if touch.decl.kind == "PARM_DECL":
            raise NotLiftable(touch.node.span, "a parameter is used")


def _dimension(uses: Sequence[tuple[Run, Touch]], counter: Counter) -> int | None:
    """The only dimension whose subscript is a counter wherever an array is used."""
    found: int | None = None
    for run, touch in uses:
        places = [
            d for d, node in enumerate(touch.subscripts)
            if node.bare.kind == "DECL_REF_EXPR" and node.bare.decl in run.known
            and node.bare.decl is not None and node.bare.decl.name == counter.decl.name
        ]  # fmt: skip
        if len(places) != 1 or found not in (None, places[0]):
            return None
        found = places[0]
    return found


def _stays_inside(run: Run, touch: Touch, array: LineArray, region: Region) -> bool:
    """Whether other subscripts say nothing of which line it is."""
    names = {c.decl.name for c in (region.shared, region.lane) if c is not None}
    for dimension, node in enumerate(touch.subscripts):
        if dimension in array.kept and any(
            d is not None and d.name in names and d in run.known for d in node.decls
        ):
            return False
    return True


def _find_own(region: Region, every: Sequence[Run]) -> None:
    """The variables that runs set first; all others are not written. Raises NotLiftable."""
    fixed = {loop.counter.decl for run in every for loop in run.loops}
    for scope in scopes(region.scope):
        fixed |= {item.decl for item in scope.body if isinstance(item, Uniform)}
    written = {t.decl for _, t in region.every() if t.writes and not t.lengths}
    for run in every:
        ready: set[Decl] = set()
        for statement in region.statements(run):
            for touch in statement:
                decl = touch.decl
                if decl not in written:
                    if not touch.lengths and decl.is_local and decl not in run.known:
                        raise NotLiftable(touch.node.span, f"'{decl.name}' has no known value")
                    continue
                if touch.reads and decl not in ready:
                    raise NotLiftable(touch.node.span, f"'{decl.name}' is kept between statements")
                if touch.writes:
                    ready.add(decl)
                    users = region.own.setdefault(decl, [])
                    if run not in users:
                        users.append(run)
    for decl in written:
        if decl in fixed or decl.type.volatile:
            raise NotLiftable(region.function.node.span, f"'{decl.name}' is set by statements")
    _check_steady(region, every, written)


def _check_steady(region: Region, every: Sequence[Run], written: set[Decl]) -> None:
    """Bounds and subscripts are made of what the region does not write. Raises NotLiftable."""
    changed = written | {a.decl for a in region.arrays.values() if a.written}
    for kernel in region.kernels.values():
        if kernel.reads & changed:
            raise NotLiftable(kernel.function.node.span, "a function reads what lines write")
    for _, touch in region.every():
        if any(not node.decls.isdisjoint(changed) for node in touch.subscripts):
            raise NotLiftable(touch.node.span, "a subscript is written in the region")
    values = [
        v for run in every for loop in run.loops for v in (loop.counter.first, loop.counter.last)
    ]
    values += [v for run in every for v in run.known.values()]
    for value in values:
        if any(parameter.decl in changed for parameter in value.parameters):
            raise NotLiftable(region.function.node.span, "a bound is written in the region")
