"""The loop as text, with the sums of several iterations at once where that many are left.

::

    for (i = 0; i < n; i++) {          int at = 4; float sums[4];
        float s = 0;                   for (i = 0; i < n; i++) {
        for (k = 0; k < m; k++)            if (at >= 4 && 4 iterations are left) {
            s += a[i][k] * x[k];   ->          float s_0 = 0; ... float s_3 = 0;
        rest(s);                               for (k = 0; k < m; k++) { s_0 += ...; s_3 += ...; }
    }                                          sums[0] = s_0; ...; at = 0; }
                                           if (at < 4) { float s = sums[at++]; rest(s); }
                                           else { /* as it was */ } }
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.openmp.directives import Directive
from s2s.rewriters.idioms.loops import CountedLoop, Unsuitable, statement_span
from s2s.rewriters.indentation import indent_by_braces
from s2s.rewriters.sums.head import SHORTEST, Head, varies
from s2s.source import Edit, Span
from s2s.source.records import dataclass

# Iterations that run as they were after rows that were too short.
_PAUSE = 32


@dataclass
class Lanes:
    """Writes one loop whose ``head`` computes sums for ``count`` iterations; ``call`` is as in
    ``Proof``. Raises Unsuitable.
    """

    function: Function
    loop: CountedLoop
    head: Head
    rest: Sequence[Node]
    call: Node | None
    count: int
    prefix: str

    def __post_init__(self) -> None:
        self.buffer = self.function.unit.buffer
        self.counter = self.loop.counter.decl
        self.own = self._own()
        self.uniform = self._uniform()
        self.results = [] if self.call is not None else self._results()
        declared = {d for s in self.rest for d in s.decls}
        self.used = [d for d in self.results if d in declared or not self._is_inside(d)]

    # -- names ------------------------------------------------------------------------------

    def _own(self) -> list[Decl]:
        """What each lane has for itself: the scalars of the head, and a function's parameters."""
        parameters = [] if self.call is None else self._parameters()
        found = [*parameters, *sorted(self.head.set_, key=lambda d: d.offset)]
        if len({d.name for d in found}) != len(found):
            raise Unsuitable(self.head.loop.node, "two variables have one name")
        if self.call is not None:
            mine = {n.decl.name for n in self.function.node.walk()
                    if n.decl is not None and n.decl.is_local}  # fmt: skip
            others = {n.decl for p in self.head.parts for n in p.walk()
                      if n.kind == "DECL_REF_EXPR" and n.decl is not None} - set(found)  # fmt: skip
            if any(d.name in mine for d in others):
                raise Unsuitable(self.call, "a name means something else in the called function")
        return found

    def _parameters(self) -> list[Decl]:
        children = self.head.function.node.children
        return [n.decl for n in children if n.kind == "PARM_DECL" and n.decl is not None]

    def _uniform(self) -> set[Decl]:
        """Which of these have one value for all lanes: parameters, and the inner loop's counter."""
        varying = {self.counter} | {d for s in self.rest for d in s.assigned}
        same: set[Decl] = set()
        if self.call is not None:
            set_ = self.head.set_
            for decl, argument in zip(self._parameters(), self.call.children[1:], strict=True):
                if decl not in set_ and not varies(argument, varying):
                    same.add(decl)
        inner = self.head.loop
        moving = ({*self.own} | {self.counter}) - same - {inner.counter.decl}
        assert inner.header.init_node is not None
        header = (inner.header.init_node, inner.header.condition_node)
        assigned = [
            p.assigned for p in (*self.head.before, *self.head.after)
            if not (p.kind == "DECL_STMT" and p.children[0].decl is inner.counter.decl)
        ]  # fmt: skip
        shared = (s for s in self.head.before if s.kind == "DECL_STMT" and len(s.children) > 1)
        alone = not any(inner.counter.decl in s.assigned for s in shared)
        alone &= not any(inner.counter.decl in a for a in assigned)
        if alone and not any(varies(n, moving) for n in header):
            same.add(inner.counter.decl)
        return same

    @property
    def is_even(self) -> bool:
        """Whether the inner loop is as long in all lanes."""
        return self.head.loop.counter.decl in self.uniform

    def _results(self) -> list[Decl]:
        """Scalars of the head that may be read after it."""
        inner = self.head.loop.node.span
        return [d for d in self.own if not (d.in_file and inner.start <= d.offset < inner.end)]

    def _is_inside(self, decl: Decl) -> bool:
        body = self.loop.body.span
        return decl.in_file and body.start <= decl.offset < body.end

    def _name(self, decl: Decl, lane: int) -> str:
        kind = "all" if decl in self.uniform else f"row{lane}"
        return f"{self.prefix}{kind}_{decl.name}"

    def _ahead(self, lane: int) -> str:
        """The loop's counter in a lane."""
        return f"{self.prefix}at{lane}_{self.counter.name}"

    def _names(self, lane: int) -> dict[Decl, str]:
        mine = {self.counter: self._ahead(lane)} if self.call is None else {}
        return mine | {d: self._name(d, lane) for d in self.own}

    # -- text of parts -----------------------------------------------------------------------

    def _renamed(self, span: Span, nodes: Sequence[Node], names: Mapping[Decl, str]) -> str:
        edits: dict[int, Edit] = {}
        for node in (n for root in nodes for n in root.walk()):
            new = None if node.decl is None else names.get(node.decl)
            if new is None or node.kind not in ("DECL_REF_EXPR", "VAR_DECL"):
                continue
            assert node.decl is not None
            old = node.decl.name.encode()
            place = node.decl.offset
            if node.kind == "DECL_REF_EXPR":  # parentheses around it may be part of its span
                place = self.buffer.data.find(old, node.span.start, node.span.end)
            there = self.buffer.data[place : place + len(old)] == old
            if node.in_macro or not there or not span.start <= place < span.end:
                raise Unsuitable(node, "a name's place in the text is not understood")
            edits[place] = Edit(place, place + len(old), new.encode())
        text = self.buffer.edited(span, [edits[p] for p in sorted(edits)])
        if "#" in text or "//" in text:
            raise Unsuitable(nodes[0], "a directive or a comment is inside of what is copied")
        return " ".join(text.split())

    def _statement(self, node: Node, lane: int) -> str:
        span = statement_span(self.head.function, node)
        return self._renamed(span, [node], self._names(lane))

    def _value(self, node: Node, lane: int) -> str:
        return self._renamed(node.span, [node], self._names(lane))

    def _argument(self, node: Node, lane: int) -> str:
        return self._renamed(node.span, [node], {self.counter: self._ahead(lane)})

    def _body(self, lane: int) -> list[str]:
        return [self._statement(s, lane) for s in self.head.loop.body.statements]

    # -- the lanes ----------------------------------------------------------------------------

    def _fill(self) -> Iterator[str]:
        count = self.count
        type_ = spelled(self.counter.type, self.loop.node)
        for lane in range(1, count):
            ahead = self.loop.counter.advanced(str(lane))
            yield f"const {type_} {self._ahead(lane)} = {self.counter.name}{ahead};"
        yield f"const {type_} {self._ahead(0)} = {self.counter.name};"
        for lane in range(count):
            yield from self._begin(lane)
        yield from self._even() if self.is_even else self._uneven()

    def _begin(self, lane: int) -> Iterator[str]:
        """The declarations of a lane, and what runs before its inner loop."""
        if self.call is not None:
            pairs = zip(self._parameters(), self.call.children[1:], strict=True)
            for decl, argument in pairs:
                if decl not in self.uniform or lane == 0:
                    value = self._argument(argument, lane)
                    yield f"{spelled(decl.type, argument)} {self._name(decl, lane)} = {value};"
        declared = {n.decl for part in self.head.parts for n in part.walk() if n.kind == "VAR_DECL"}
        parameters = [] if self.call is None else self._parameters()
        for decl in self.own:
            outside = decl not in declared and decl not in parameters
            if outside and (decl not in self.uniform or lane == 0):
                yield f"{spelled(decl.type, self.head.loop.node)} {self._name(decl, lane)};"
        for statement in self.head.before:
            text = self._statement(statement, lane)
            counter = self.head.loop.counter.decl
            alone = statement.kind == "DECL_STMT" and len(statement.children) == 1
            if counter in self.uniform and alone and statement.children[0].decl is counter and lane:
                continue
            yield text

    def _even(self) -> Iterator[str]:
        inner = self.head.loop
        span = Span(inner.node.span.start, inner.body.span.start)
        parts = [n for n in inner.node.children if n is not inner.body]
        yield f"{self._renamed(span, parts, self._names(0))} {{"
        for lane in range(self.count):
            yield from self._braced(self._body(lane))
        yield "}"
        yield from self._end()

    def _uneven(self) -> Iterator[str]:
        """Lanes together as far as the shortest one goes, then what is left of each."""
        p, inner = self.prefix, self.head.loop
        init = inner.header.init_node
        assert init is not None
        for lane in range(self.count):
            names = self._names(lane)
            yield f"{self._renamed(init.span, [init], names).rstrip(';')};"
            counter, bound = names[inner.counter.decl], self._bound(lane)
            more = "" if "=" not in inner.relation else " + 1"
            length = f"(unsigned long)({bound}) - (unsigned long){counter}{more}"
            yield f"const unsigned long {p}length_{lane} = {self._condition(lane)} ? {length} : 0;"
        yield f"unsigned long {p}least = {p}length_0;"
        for lane in range(1, self.count):
            yield f"if ({p}length_{lane} < {p}least) {p}least = {p}length_{lane};"
        yield f"if ({p}least < {SHORTEST}) {{"
        yield f"{p}pause = {_PAUSE};"
        yield "} else {"
        yield f"for (; {p}least > 0; {p}least--) {{"
        for lane in range(self.count):
            step = f"{self._names(lane)[inner.counter.decl]}++;"
            yield from self._braced([*self._body(lane), step])
        yield "}"
        for lane in range(self.count):
            yield f"for (; {self._condition(lane)}; {self._names(lane)[inner.counter.decl]}++) {{"
            yield from self._body(lane)
            yield "}"
        yield from self._end()
        yield "}"

    def _condition(self, lane: int) -> str:
        return self._value(self.head.loop.header.condition_node, lane)

    def _bound(self, lane: int) -> str:
        return self._value(self.head.loop.bound_node, lane)

    def _braced(self, lines: list[str]) -> list[str]:
        declares = any(s.kind == "DECL_STMT" for s in self.head.loop.body.statements)
        return ["{", *lines, "}"] if declares else lines

    def _end(self) -> Iterator[str]:
        p = self.prefix
        for lane in range(self.count):
            for statement in self.head.after:
                yield self._statement(statement, lane)
            if self.head.value is not None:
                yield f"{p}sums[{lane}] = {self._value(self.head.value, lane)};"
            for decl in self.used:
                yield f"{p}kept_{decl.name}[{lane}] = {self._name(decl, lane)};"
        yield f"{p}at = 0;"

    # -- the loop -----------------------------------------------------------------------------

    def text(self, governed: Sequence[Directive]) -> tuple[Span, bytes]:
        """What is replaced, and the text; ``governed`` are directives of the loop."""
        p, loop, shared = self.prefix, self.loop.node, bool(governed)
        start = self.function.attached.start(loop.span.start) if governed else loop.span.start
        end = statement_span(self.function, loop).end
        header = self.buffer.text(Span(loop.span.start, self.loop.body.span.start)).rstrip()
        body = self.buffer.text(statement_span(self.function, self.loop.body))
        first = f"{p}at >= {self.count} && {self.loop.more(self.count)}"
        first += f" && {self._long_enough()}" if self.is_even else f" && {p}pause-- <= 0"
        lines = [
            "{",
            f"/* s2s: sums of {self.count} iterations of '{self.counter.name}' at once */",
            *self._declarations(shared=shared),
            *self._directives(start, governed),
            f"{header} {{",
            *([f"if ({p}at > 0 && {self.counter.name} != {p}next) {p}at = {self.count};"] * shared),
            f"if ({first}) {{",
            *self._fill(),
            "}",
            f"if ({p}at < {self.count}) {{",
            *([f"{p}next = {self.counter.name}{self.loop.counter.advanced('1')};"] * shared),
            *self._with_sums(),
            "} else {",
            body,
            "}",
            "}",
            "}",
        ]
        text = indent_by_braces(lines, self.buffer, self.loop.node.span.start)
        return Span(start, end), text.encode("utf-8", "surrogateescape")

    def _long_enough(self) -> str:
        """C text: whether the inner loop is worth it, in terms of the source's own names."""
        inner = self.head.loop
        names: dict[Decl, str] = {}
        if self.call is not None:
            pairs = zip(self._parameters(), self.call.children[1:], strict=True)
            names = {d: f"({self.buffer.text(a.span)})" for d, a in pairs if d in self.uniform}
        bound = self._renamed(inner.bound_node.span, [inner.bound_node], names)
        first = _start(inner)
        from_ = self._renamed(first.span, [first], names)
        return f"(long)({bound}) - (long)({from_}) >= {SHORTEST}"

    def _declarations(self, *, shared: bool) -> Iterator[str]:
        p = self.prefix
        if shared:  # some other schedule may hand out other iterations than neighbours
            yield f"{spelled(self.counter.type, self.loop.node)} {p}next = 0;"
        yield f"int {p}at = {self.count};"
        if not self.is_even:
            yield f"int {p}pause = 0;"
        if self.call is not None:
            yield f"{spelled(self.call.type, self.call)} {p}sums[{self.count}];"
        for decl in self.used:
            yield f"{spelled(decl.type, self.loop.node)} {p}kept_{decl.name}[{self.count}];"

    def _directives(self, start: int, governed: Sequence[Directive]) -> Iterator[str]:
        """The loop's directive; each thread has its own sums."""
        if not governed:
            return
        p, (directive,) = self.prefix, governed
        text = self.buffer.text(Span(start, self.loop.node.span.start)).rstrip()
        if directive.name == "parallel for":
            values = (
                [f"{p}sums"] if self.call is not None else [f"{p}kept_{d.name}" for d in self.used]
            )
            pause = "" if self.is_even else f", {p}pause"
            text += f" \\\n        firstprivate({p}at, {p}next{pause})"
            text += f" private({', '.join(values)})" if values else ""
        yield text

    def _with_sums(self) -> Iterator[str]:
        """The body, with values that are there in place of what computes them."""
        p = self.prefix
        yield f"const int {p}lane = {p}at++;"
        body = self.loop.body.span
        if self.call is not None:
            value = Edit(self.call.span.start, self.call.span.end, f"{p}sums[{p}lane]".encode())
            yield self.buffer.edited(statement_span(self.function, self.loop.body), [value])
            return
        for decl in self.used:
            type_ = f"{spelled(decl.type, self.loop.node)} " if self._is_inside(decl) else ""
            yield f"{type_}{decl.name} = {p}kept_{decl.name}[{p}lane];"
        gone = statement_span(self.function, self.head.loop.node).end
        if self.loop.body.kind == "COMPOUND_STMT":
            yield self.buffer.text(Span(gone, body.end - 1)).strip()


def _start(inner: CountedLoop) -> Node:
    """The value that the inner loop begins with."""
    node = inner.header.init_node
    assert node is not None
    if node.op == "=":
        return node.children[1]
    if node.kind == "DECL_STMT" and len(node.children) == 1 and node.children[0].children:
        return node.children[0].children[-1]
    raise Unsuitable(inner.node, "where the inner loop begins is not understood")


def spelled(type_: CType, where: Node) -> str:
    """The type of a variable, without qualifiers of its own. Raises Unsuitable."""
    text = type_.spelling
    if any(c in text for c in "([{") or type_.reference:
        raise Unsuitable(where, "a type's text is not understood")
    head, star, tail = text.rpartition("*")
    words = [w for w in tail.split() if w not in ("const", "restrict", "__restrict", "volatile")]
    return f"{head}{star}" if star else " ".join(words)
