"""A tiled nest in the place of the source's nest, whose statement keeps its text."""

from __future__ import annotations

import re
from dataclasses import field
from itertools import groupby

from s2s.emitters.c.expressions import Names
from s2s.emitters.c.guard import Emission, Guard
from s2s.emitters.c.region import Rewritten
from s2s.scop.nodes import LoopVariable, Scop
from s2s.source import Edit, Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class PrintedLoop:
    """A loop over tiles of the source's loop ``place``; names are without the prefix.

    From the start of the loop ``around`` (None: from 0 to ``extent``), ``size`` at a step; where
    the last tile is ``partial``, its end is computed. ``about`` stands beside it as a comment,
    ``level`` before the first loop of each level.
    """

    place: int
    name: str
    around: str | None
    size: int
    partial: bool
    about: str
    level: int


@dataclass(frozen=True)
class PrintedNest:
    """All that is printed: tile loops, then the source's own loops.

    ``first`` and ``stride`` of a source's loop lead from its number of the iteration to its
    iterator's value; ``inner`` is the tile loop that it runs in; ``single`` have one iteration.
    ``extents`` are numbers of iterations.
    """

    loops: tuple[PrintedLoop, ...]
    inner: tuple[PrintedLoop | None, ...]
    single: frozenset[int]
    extents: tuple[int, ...]
    first: tuple[int, ...]
    stride: tuple[int, ...]
    about: str


def emit(scop: Scop, nest: PrintedNest, emission: Emission) -> Rewritten:
    """The edit that puts the nest in the place of the region. Raises Unprintable."""
    spelling = {p.name: p.spelling for p in scop.parameters}
    narrow = frozenset(p.name for p in scop.parameters if p.size < 8)
    unsigned = frozenset(p.name for p in scop.parameters if p.unsigned)
    guard = Guard(scop, emission, Names(spelling, narrow, unsigned))
    condition = guard.condition()
    printer = _Printer(scop, nest, emission)
    base = _indentation(emission, scop.span)
    printer.line(f"/* s2s: {nest.about} */")
    for variable in () if condition else scop.statements[0].iterators:
        if not variable.declared:  # it is declared around the nest, whose loops have their own now
            printer.line(f"(void){variable.spelling};")
    for line in guard.declarations():
        printer.line(line)
    if condition:
        printer.line(f"if ({condition}) {{")
        printer.depth += 1
    printer.nest()
    if condition:
        printer.depth -= 1
        printer.line("} else {")
    before, leaf, after = printer.text(base)
    if condition:
        after += f"{_original(emission, scop.span)}\n{base}    }}\n"
    text = f"{{\n{before}{leaf}{after}{base}}}"
    data = text.encode("utf-8", "surrogateescape")
    start = len(f"{{\n{before}".encode("utf-8", "surrogateescape"))
    span = Span(start, start + len(leaf.encode("utf-8", "surrogateescape")))
    name = scop.statements[0].name
    return Rewritten(Edit(scop.span.start, scop.span.end, data), ((span, name),))


def _indentation(emission: Emission, span: Span) -> str:
    start = emission.buffer.line_start(span.start)
    head = emission.buffer.data[start : span.start].decode("utf-8", "replace")
    match = re.match(r"[ \t]*", head)
    return match.group() if match else ""


def _original(emission: Emission, span: Span) -> str:
    """The source's own text, to the byte, beginning where its first line did."""
    start = emission.buffer.line_start(span.start)
    head = emission.buffer.data[start : span.start].decode("utf-8", "replace")
    return (head if not head.strip() else "") + emission.buffer.text(span)


@dataclass
class _Printer:
    scop: Scop
    nest_: PrintedNest
    emission: Emission
    depth: int = 1
    _before: list[str] = field(default_factory=list)
    _leaf: str = ""
    _after: list[str] = field(default_factory=list)

    def line(self, text: str) -> None:
        lines = self._after if self._leaf else self._before
        lines.append(text if text.startswith("#") else "    " * self.depth + text)

    def text(self, base: str) -> tuple[str, str, str]:
        """What is before the statement, it itself, what is after it."""
        head = "".join(f"{base if line[:1] != '#' else ''}{line}\n" for line in self._before[:-1])
        tail = "".join(f"{base}{line}\n" for line in self._after[1:])
        return f"{head}{base}{self._before[-1]}", self._leaf, f"{self._after[0]}\n{tail}"

    def nest(self) -> None:
        """The loops and the statement in them."""
        top = self.depth
        for level, loops in groupby(self.nest_.loops, lambda loop: loop.level):
            self.line(f"/* level {level} */")
            for loop in loops:
                self._tile_loop(loop)
        self.line("/* one processing element */")
        for place, variable in enumerate(self._variables):
            if place not in self.nest_.single:
                self._own_loop(place, variable)
        self._statement()
        while self.depth > top:
            self.depth -= 1
            self.line("}")

    @property
    def _variables(self) -> tuple[LoopVariable, ...]:
        return self.scop.statements[0].iterators

    def _bounds(self, place: int, around: str | None) -> tuple[str, str]:
        """First iteration of what is around, and the one after its last."""
        if around is None:
            return "0", str(self.nest_.extents[place])
        loop = next(one for one in self.nest_.loops if one.name == around)
        name = self._name(around)
        return name, f"{name}_end" if loop.partial else f"{name} + {loop.size}"

    def _name(self, name: str) -> str:
        return f"{self.emission.prefix}{name}"

    def _tile_loop(self, loop: PrintedLoop) -> None:
        name = self._name(loop.name)
        start, end = self._bounds(loop.place, loop.around)
        head = f"for (long {name} = {start}; {name} < {end}; {name} += {loop.size}) {{"
        self.line(f"{head} /* {loop.about} */")
        self.depth += 1
        if loop.partial:
            self.line(f"long {name}_end = {name} + {loop.size};")
            self.line(f"if ({name}_end > {end}) {name}_end = {end};")

    def _plain(self, place: int) -> bool:
        return self.nest_.first[place] == 0 and self.nest_.stride[place] == 1

    def _own_loop(self, place: int, variable: LoopVariable) -> None:
        inner = self.nest_.inner[place]
        start, end = self._bounds(place, None if inner is None else inner.name)
        if not self._plain(place):
            name = self._name(variable.spelling)
            self.line(f"for (long {name} = {start}; {name} < {end}; {name}++) {{")
        else:
            name, type_ = variable.spelling, variable.type
            first = start if inner is None else f"({type_}){start}"
            bound = end if inner is None or not variable.unsigned else f"({type_})({end})"
            self.line(f"for ({type_} {name} = {first}; {name} < {bound}; {name}++) {{")
        self.depth += 1

    def _statement(self) -> None:
        """The source's text after declarations of what no loop here runs over."""
        words = []
        for place, variable in enumerate(self._variables):
            inner = self.nest_.inner[place]
            if place in self.nest_.single:
                number = "0" if inner is None else self._name(inner.name)
            elif self._plain(place):
                continue
            else:
                number = self._name(variable.spelling)
            value = self._value(place, number)
            cast = "" if value.lstrip("-").isdigit() else f"({variable.type})"
            value = f"({value})" if cast and " " in value else value
            words.append(f"const {variable.type} {variable.spelling} = {cast}{value};")
        for word in words:
            self.line(word)
        self.line("")
        self._leaf = self.emission.buffer.text(self.scop.statements[0].span)
        self._after.append("" if self._leaf.rstrip().endswith((";", "}")) else ";")

    def _value(self, place: int, number: str) -> str:
        first, stride = self.nest_.first[place], self.nest_.stride[place]
        if number == "0":
            return str(first)
        text = number if stride == 1 else f"{stride} * {number}"
        if stride == -1:
            return f"{first} - {number}"
        return text if not first else f"{first} + {text}"
