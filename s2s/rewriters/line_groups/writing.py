"""The text of a region whose lines run in groups, side by side as lanes of vectors.

A group has the elements of its lines in arrays on the stack, lanes last. Where lines are left over
the last one fills the lanes that have none; what these compute is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import islpy as isl

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.c.text import identifiers
from s2s.rewriters.line_groups.copying import loops
from s2s.rewriters.line_groups.kernels import Kernel
from s2s.rewriters.line_groups.lane_text import LaneArrayText, LaneText
from s2s.rewriters.line_groups.reading import Item, Loop, Run, Scope, Uniform, runs
from s2s.rewriters.line_groups.region import LineArray, Region
from s2s.rewriters.line_groups.touches import element_of, lengths_of
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Copies:
    """The elements that are copied into the lanes of a group and back.

    ``names`` are the texts of parameters, which are in ``allowed``.
    """

    into: Mapping[LineArray, isl.Set]
    back: Mapping[LineArray, isl.Set]
    allowed: isl.Set
    names: Mapping[str, str]


@dataclass
class Writer:
    """Writes one region; ``lanes`` lines are in a group."""

    region: Region
    lanes: int
    copies: Copies

    @cached_property
    def _data(self) -> bytes:
        return self.region.function.unit.buffer.data

    @cached_property
    def _taken(self) -> set[str]:
        every = {b for text in self.region.function.unit.own_texts for b in identifiers(text)}
        return every

    def _fresh(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    @cached_property
    def _lane(self) -> str:
        return self._fresh("lane")

    @cached_property
    def _line(self) -> str:
        return self._fresh(f"{self.region.lane.decl.name}_of")

    @cached_property
    def _first(self) -> str:
        return self._fresh(f"{self.region.lane.decl.name}_first")

    @cached_property
    def _count(self) -> str:
        return self._fresh("lines")

    @cached_property
    def _element(self) -> str:
        """What counters of copies begin with."""
        return self._fresh("e")

    @cached_property
    def _names(self) -> dict[Decl, str]:
        return {d: self._fresh(f"{d.name}_lanes") for d in self.region.arrays}

    @cached_property
    def _kernel_names(self) -> dict[str, str]:
        own = self.region.function.node.name
        return {name: self._fresh(f"{own}_{name}") for name in self.region.kernels}

    # -- kernels ------------------------------------------------------------------------------

    def kernels(self) -> Iterator[str]:
        """Functions that work on blocks with lanes, in front of the region."""
        for kernel in self.region.kernels.values():
            yield from self._kernel(kernel)
            yield ""

    def _kernel(self, kernel: Kernel) -> Iterator[str]:
        arrays: dict[Decl, LaneArrayText] = {}
        for decl in kernel.parameters:
            arrays[decl] = LaneArrayText(
                decl.name, tuple(range(len(lengths_of(kernel.types[decl]) or ())))
            )
        counters = {loop.counter.decl for run in runs(kernel.scope.body) for loop in run.loops}
        own = _own_of_kernel(kernel)
        outside = counters.intersection(kernel.scope.variables)
        declared: list[str] = [f"int {d.name};" for d in sorted(outside, key=lambda d: d.name)]
        for decl in kernel.scope.variables:
            lengths = lengths_of(decl.type)
            if decl in counters or decl in own:
                continue
            arrays[decl] = LaneArrayText(decl.name, tuple(range(len(lengths or ()))))
            declared.append(self._declared(decl.name, decl.type, lengths or ()))
        named = {d.name for d in (*kernel.scope.variables, *kernel.parameters)}
        if self._lane in named:
            raise NotLiftable(kernel.function.node.span, "a name is taken")
        parameters = ", ".join(
            self._declared(d.name, t, lengths_of(t) or ())[:-1] for d, t in kernel.types.items()
        )
        yield "static inline __attribute__((always_inline))"
        yield f"void {self._kernel_names[kernel.name]}({parameters})"
        yield "{"
        yield from (f"\t{line}" for line in declared)
        text = LaneText(self._data, arrays, {}, self._lane)
        yield from _in(self._items(kernel.scope.body, text, own))
        yield "}"

    # -- the region ---------------------------------------------------------------------------

    def body(self) -> Iterator[str]:
        """What stands in the place of the function's statements, the source's aside."""
        region = self.region
        shared, lane = region.shared, region.lane
        if shared is not None:
            yield f"int {shared.decl.name};"
            if region.construct:
                yield f"#pragma omp {region.construct}"
            yield f"{shared.text.replace('(int ', '(', 1)} {{"
            yield from _in(self._groups(lane.first.c, lane.last.c))
            yield "}"
        else:
            yield from self._groups(lane.first.c, lane.last.c)

    def _groups(self, first: str, last: str) -> Iterator[str]:
        name = self._first
        yield f"for (int {name} = {first}; {name} <= {last}; {name} += {self.lanes}) {{"
        yield from _in(self._group(last))
        yield "}"

    def _group(self, last: str) -> Iterator[str]:
        lanes, lane, line, first = self.lanes, self._lane, self._line, self._first
        for array in self.region.arrays.values():
            lengths = tuple(array.lengths[d] for d in array.kept)
            yield self._declared(self._names[array.decl], array.decl.type, lengths)
        left = f"{last} - {first}"
        yield f"const int {self._count} = {left} < {lanes - 1} ? {left} + 1 : {lanes};"
        yield f"int {line}[{lanes}];"
        yield f"for (int {lane} = 0; {lane} < {lanes}; {lane}++)"
        yield f"\t{line}[{lane}] = {first} + ({lane} < {self._count} ? {lane} : {self._count} - 1);"
        for array, elements in self.copies.into.items():
            yield from self._copied(array, elements, back=False)
        yield from self._scope(self.region.scope, self._text, self.region.own)
        for array, elements in self.copies.back.items():
            yield from self._copied(array, elements, back=True)

    @cached_property
    def _text(self) -> LaneText:
        arrays = {
            array.decl: LaneArrayText(self._names[array.decl], array.kept)
            for array in self.region.arrays.values()
        }  # fmt: skip
        numbers = {
            decl: f"{self._line}[{self._lane}]"
            for run in runs(self.region.scope.body) for loop in run.loops
            for decl in (loop.counter.decl,) if decl.name == self.region.lane.decl.name
        }  # fmt: skip
        return LaneText(self._data, arrays, numbers, self._lane)

    def _declared(self, name: str, type_: CType, lengths: tuple[int, ...]) -> str:
        inside = "".join(f"[{n}]" for n in (*lengths, self.lanes))
        element = element_of(type_).spelling.replace("const ", "")
        return f"{element} {name}{inside};"

    # -- statements ---------------------------------------------------------------------------

    def _items(
        self, items: Sequence[Item], text: LaneText, own: dict[Decl, list[Run]]
    ) -> Iterator[str]:
        for item in items:
            if isinstance(item, Scope):
                yield from self._scope(item, text, own)
            elif isinstance(item, Uniform):
                yield f"{item.decl.name} = {text.text(item.value)};"
            elif isinstance(item, Run):
                yield from self._run(item, text, own)
            elif self.region.is_line_loop(item) and text is self._text:
                yield from self._items(item.body, text, own)
            else:
                yield f"{item.counter.header} {{"
                yield from _in(self._items(item.body, text, own))
                yield "}"

    def _scope(self, scope: Scope, text: LaneText, own: dict[Decl, list[Run]]) -> Iterator[str]:
        """A function's statements in a block, with the integers that hold for all lanes."""
        declared = [f"int {name};" for name in sorted(set(self._integers(scope.body)))]
        lines = [*declared, *self._items(scope.body, text, own)]
        if scope is self.region.scope:
            yield from lines
            return
        yield "{"
        yield from _in(lines)
        yield "}"

    def _integers(self, items: Sequence[Item]) -> Iterator[str]:
        for item in items:
            if isinstance(item, Uniform):
                yield item.decl.name
            elif isinstance(item, Loop):
                if not self.region.is_line_loop(item) and not item.counter.declared:
                    yield item.counter.decl.name
                yield from self._integers(item.body)

    def _run(self, run: Run, text: LaneText, own: dict[Decl, list[Run]]) -> Iterator[str]:
        waiting: list[Node] = []
        for statement in run.statements:
            if statement.kind != "CALL_EXPR":
                waiting.append(statement)
                continue
            yield from self._straight(run, waiting, text, own)
            waiting = []
            blocks = ", ".join(text.block(a) for a in statement.children[1:])
            yield f"{self._kernel_names[statement.name]}({blocks});"
        yield from self._straight(run, waiting, text, own)

    def _straight(
        self, run: Run, statements: list[Node], text: LaneText, own: dict[Decl, list[Run]]
    ) -> Iterator[str]:
        if not statements:
            return
        if any(n.kind == "CALL_EXPR" for n in run.statements) and any(
            run in r for r in own.values()
        ):
            raise NotLiftable(run.statements[0].span, "a variable lives across a call")
        lane = self._lane
        yield "#pragma omp simd"
        yield f"for (int {lane} = 0; {lane} < {self.lanes}; {lane}++) {{"
        for decl, users in own.items():
            if run in users:
                yield f"\t{decl.type.spelling} {decl.name};"
        for statement in statements:
            yield f"\t{_one_line(statement, text.text(statement))};"
        yield "}"

    # -- copies -------------------------------------------------------------------------------

    def _copied(self, array: LineArray, elements: isl.Set, *, back: bool) -> Iterator[str]:
        """Loops over elements of lines, lanes innermost."""
        lane, count = self._lane, self._count if back else self.lanes
        own = self._names[array.decl]

        def copy(subscripts: Sequence[str]) -> list[str]:
            texts = dict(zip(array.kept, subscripts, strict=True))
            lanes = own + "".join(f"[{text}]" for text in subscripts) + f"[{lane}]"
            texts[array.lane] = f"{self._line}[{lane}]"
            if array.shared is not None and self.region.shared is not None:
                texts[array.shared] = self.region.shared.decl.name
            memory = array.decl.name + "".join(f"[{texts[d]}]" for d in range(len(array.lengths)))
            sides = (memory, lanes) if back else (lanes, memory)
            head = f"for (int {lane} = 0; {lane} < {count}; {lane}++)"
            return [head, f"\t{sides[0]} = {sides[1]};"]

        copies, span = self.copies, self.region.function.node.span
        lines = loops(elements, copies.allowed, copies.names, self._element, copy, span)
        yield from lines


def _own_of_kernel(kernel: Kernel) -> dict[Decl, list[Run]]:
    """Numbers that one run of a kernel sets before it reads them; no other run uses them."""
    counters = {loop.counter.decl for run in runs(kernel.scope.body) for loop in run.loops}
    numbers = {d for d in kernel.scope.variables if d.type.kind != "array"} - counters
    users: dict[Decl, list[Run]] = {}
    late: set[Decl] = set()
    for run in runs(kernel.scope.body):
        ready: set[Decl] = set()
        for statement in run.statements:
            target, *values = statement.children
            read = {d for v in values for d in v.decls if d in numbers}
            if statement.op != "=" and target.decl in numbers and target.kind == "DECL_REF_EXPR":
                read.add(target.decl)
            late |= {d for d in read if d is not None and d not in ready}
            if target.kind == "DECL_REF_EXPR" and target.decl in numbers and target.decl:
                ready.add(target.decl)
            for decl in {d for d in statement.decls if d in numbers and d is not None}:
                if run not in users.setdefault(decl, []):
                    users[decl].append(run)
    return {d: found for d, found in users.items() if d not in late}


def _one_line(statement: Node, text: str) -> str:
    if "#" in text or "//" in text or "/*" in text or "\\" in text:
        raise NotLiftable(statement.span, "a statement has comments or directives in it")
    return " ".join(text.split())


def _in(lines: Iterable[str]) -> Iterator[str]:
    return (line if line.startswith("#") else f"\t{line}" for line in lines)
