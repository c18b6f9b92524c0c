"""The new loop as text: the parts of its body, and the lanes of the call between them."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.idioms.loops import Unsuitable, statement_span
from s2s.rewriters.indentation import indent_by_braces
from s2s.rewriters.interleaving.flow import pointed_variable
from s2s.rewriters.interleaving.lane_code import LaneCode
from s2s.rewriters.interleaving.operands import Parameter, Role, spelled
from s2s.rewriters.interleaving.slices import Slices
from s2s.source import Edit, Span

# Rows below are done before lanes would pay; arrays may be so many times as long as a row.
_LEAST, _LONGER = 16, 4


class Text:
    """Writes one loop. Raises Unsuitable where the called function is of another kind."""

    def __init__(self, function: Function, slices: Slices, lanes: int, prefix: str) -> None:
        self.function = function
        self.slices = slices
        self.lanes = lanes
        self.prefix = prefix
        self.buffer = function.unit.buffer
        self.code = LaneCode(
            slices.call, slices.callee, slices.parameters, lanes, f"{prefix}{slices.callee.name}_"
        )
        self.counter = slices.loop.counter.decl

    def edit(self) -> Edit:
        """The edit of the loop with the directives before it."""
        code = self.code.lines()
        loop = self.slices.loop.node
        start = self.function.attached.start(loop.span.start)
        end = statement_span(self.function, loop).end
        p, before = self.prefix, self.buffer.text(Span(start, loop.span.start)).rstrip()
        header = self.buffer.text(Span(loop.span.start, self.slices.loop.body.span.start))
        body = self.slices.loop.body
        lines = ["{", *self._declarations()]
        lines += [before] if before else []
        lines += [f"{header.rstrip()} {{", *self._ahead(code)]
        forgotten = [] if self.slices.row.array is None else [f"{p}last = 0;"]
        lines += [f"if ({p}ready) {{", *self._restored(), self._rest(), *self._used()]
        lines += ["} else {", self.buffer.text(body.span), *forgotten, "}"]
        lines += ["}", *self._finish(), "}"]
        text = indent_by_braces(lines, self.buffer, self.slices.loop.node.span.start)
        return Edit(start, end, text.encode("utf-8", "surrogateescape"))

    # -- around the loop --------------------------------------------------------------------

    def _declarations(self) -> Iterator[str]:
        p, name, callee = self.prefix, self.counter.name, self.slices.callee.name
        yield f"/* s2s: {self.lanes} iterations of '{name}' run '{callee}' as lanes */"
        yield f"{spelled(self.counter.type)} {p}from = 0;"
        yield f"int {p}ready = 0;"
        if (array := self.slices.row.array) is not None:
            yield f"{self._element} *{p}rows = 0, *{p}last = 0;"
            yield f"const unsigned long {p}row_size = sizeof {array.name} / sizeof *{p}rows;"
        for decl in self.slices.kept:
            yield f"{spelled(decl.type)} {self._kept(decl)}[{self.lanes}];"

    def _finish(self) -> Iterator[str]:
        if (array := self.slices.row.array) is not None:
            p = self.prefix
            yield f"if ({p}last) __builtin_memcpy({array.name}, {p}last, sizeof {array.name});"
            yield f"__builtin_free({p}rows);"

    @property
    def _element(self) -> str:
        (row,) = [q for q in self.slices.parameters if q.role is Role.ROW]
        return spelled(row.type)

    def _kept(self, decl: Decl) -> str:
        return f"{self.prefix}kept_{decl.name}"

    # -- lanes ------------------------------------------------------------------------------

    def _ahead(self, code: list[str]) -> Iterator[str]:
        """The head of so many iterations, and their calls, where the last ones are used up."""
        p, name = self.prefix, self.counter.name
        array = self.slices.row.array
        yield f"if (!{p}ready || {name} < {p}from || {name} - {p}from >= {self.lanes}) {{"
        yield f"{p}ready = 0;"
        yield f"if ({self.slices.loop.more(self.lanes)}) {{"
        for parameter, argument in self._pairs(Role.UNIFORM):
            value = self.buffer.text(argument.span)
            name_ = self.code.uniform_name(parameter.decl)
            yield f"{spelled(parameter.type)} {name_} = {value};"
        yield f"const long {p}extent = {self._extent()};"
        if array is None:
            yield f"if ({p}extent >= {_LEAST}) {{"
        else:
            enough = f"{p}row_size <= {_LONGER} * (unsigned long){p}extent"
            yield f"if ({p}extent >= {_LEAST} && {enough} && !{p}rows) {{"
            size = f"{self.lanes} * sizeof {array.name}"
            yield f"{p}rows = ({self._element} *)__builtin_malloc({size});"
            yield f"if ({p}rows) {self.code.head}"
            lane = f"{p}rows + {self.code.lane} * {p}row_size"
            yield f"__builtin_memcpy({lane}, {array.name}, sizeof {array.name});"
            yield "}"
            yield f"if ({p}extent >= {_LEAST} && {p}rows) {{"
        yield from self._lanes(code)
        yield f"{p}from = {name};"
        yield f"{p}ready = 1;"
        yield from ("}", "}", "}")

    def _lanes(self, code: list[str]) -> Iterator[str]:
        p, array = self.prefix, self.slices.row.array
        for role in (Role.VARYING, Role.CELL):
            for parameter, _ in self._pairs(role):
                yield f"{spelled(parameter.type)} {self.code.name(parameter.decl)}[{self.lanes}];"
        ((row, argument),) = self._pairs(Role.ROW)
        pointers = self.code.name(row.decl)
        yield f"{self._element} *{pointers}[{self.lanes}];"
        type_, name = spelled(self.counter.type), self.counter.name
        yield f"const {type_} {p}first = {name};"
        yield f"{self.code.head} {{"
        yield f"const {type_} {name} = {p}first + {self.code.lane};"
        yield f"(void){name};"
        yield from self._heads(pointers, argument)
        yield "}"
        if array is None:
            yield from self._apart(pointers, code)
        else:
            yield from code
        for parameter, argument in self._pairs(Role.CELL):
            decl = pointed_variable(argument)
            if decl in self.slices.kept:
                kept, cell = self._kept(decl), self.code.name(parameter.decl)
                yield f"{self.code.head} {kept}[{self.code.lane}] = {cell}[{self.code.lane}];"

    def _heads(self, pointers: str, argument: Node) -> Iterator[str]:
        """One lane's head, and the operands of its call."""
        p, lane, array = self.prefix, self.code.lane, self.slices.row.array
        call = self.slices.call.span.start
        cells = [pointed_variable(a) for _, a in self._pairs(Role.CELL)]
        for statement in self.slices.head:
            if statement.span.start < call:
                yield self.buffer.text(statement_span(self.function, statement))
        for parameter, value in self._pairs(Role.VARYING):
            yield f"{self.code.name(parameter.decl)}[{lane}] = {self.buffer.text(value.span)};"
        for (parameter, _), decl in zip(self._pairs(Role.CELL), cells, strict=True):
            assert decl is not None
            yield f"{self.code.name(parameter.decl)}[{lane}] = {decl.name};"
        address = self.buffer.text(argument.span)
        if array is not None:
            address = f"{p}rows + {lane} * {p}row_size + (({address}) - {array.name})"
        yield f"{pointers}[{lane}] = {address};"
        for statement in self.slices.head:
            if statement.span.start > call:
                yield self.buffer.text(statement_span(self.function, statement))
        for decl in self.slices.kept:
            if decl not in cells:
                yield f"{self._kept(decl)}[{lane}] = {decl.name};"

    def _apart(self, pointers: str, code: list[str]) -> Iterator[str]:
        """Lanes where rows do not overlap, calls one after the other where they do."""
        p, lane = self.prefix, self.code.lane
        yield f"int {p}apart = 1;"
        yield f"for (int {lane} = 1; {lane} < {self.lanes}; {lane}++)"
        here, before = (f"(unsigned long){pointers}[{x}]" for x in (lane, f"{lane} - 1"))
        size = f"(unsigned long){p}extent * sizeof *{pointers}[0]"
        yield f"    {p}apart &= {here} - {before} - {size} <= ~0UL / {2 * self.lanes};"
        yield f"if ({p}apart) {{"
        yield from code
        yield "} else"
        yield f"{self.code.head} {self.slices.callee.name}({', '.join(self._again())});"

    def _again(self) -> Iterator[str]:
        for parameter in self.slices.parameters:
            name = self.code.name(parameter.decl)
            if parameter.role is Role.UNIFORM:
                yield self.code.uniform_name(parameter.decl)
            else:
                sign = "&" if parameter.role is Role.CELL else ""
                yield f"{sign}{name}[{self.code.lane}]"

    def _extent(self) -> str:
        found = set(self.code.extents)
        if len(found) != 1 or "" in found:
            name = self.slices.callee.name
            raise Unsuitable(self.slices.call, f"how much '{name}' fills is not known")
        return found.pop()

    def _pairs(self, role: Role) -> list[tuple[Parameter, Node]]:
        pairs = zip(self.slices.parameters, self.slices.arguments, strict=True)
        return [(p, a) for p, a in pairs if p.role is role]

    # -- the rest ---------------------------------------------------------------------------

    def _restored(self) -> Iterator[str]:
        p, name = self.prefix, self.counter.name
        if self.slices.kept or self.slices.row.array is not None:
            yield f"const int {p}at = (int)({name} - {p}from);"
        for decl in self.slices.declared:
            yield f"{spelled(decl.type)} {decl.name};"
        for decl in self.slices.kept:
            yield f"{decl.name} = {self._kept(decl)}[{p}at];"
        if self.slices.row.array is not None:
            yield f"{self._element} *const {p}row = {p}rows + {p}at * {p}row_size;"

    def _rest(self) -> str:
        """The body without the head and the call, with the lane's row in place of the array."""
        gone = [statement_span(self.function, s) for s in (*self.slices.head, self.slices.call)]
        edits = [Edit(self._line_start(s.start), s.end, b"") for s in gone]
        edits += [
            Edit(n.span.start, n.span.end, f"{self.prefix}row".encode())
            for n in self.slices.row.uses if not any(s.start <= n.span.start < s.end for s in gone)
        ]  # fmt: skip
        return self.buffer.edited(self.slices.loop.body.span, edits)

    def _line_start(self, place: int) -> int:
        """The end of the text before a statement that is left out."""
        start = self.buffer.line_start(place)
        alone = not self.buffer.text(Span(start, place)).strip()
        return start - 1 if alone and start > self.slices.loop.body.span.start + 1 else place

    def _used(self) -> Iterator[str]:
        if self.slices.row.array is not None:
            yield f"{self.prefix}last = {self.prefix}row;"
