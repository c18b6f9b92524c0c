"""The new loops: a strip of conditions at a time, a list of what they pick, and the source's body.

The list holds the iterations whose terms hold. The source's body, its condition included, runs for
these in their order, once the list is long enough, or all is listed; or slow values of all of them
are computed first (``stages``), and what is left of the work after. What is left when lists turn
out to be of no use (addresses meet, nearly all iterations are picked) runs as the source has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import one_line, read_parenthesized
from s2s.rewriters.hit_lists.gain import element_size
from s2s.rewriters.hit_lists.nests import Nest, first_value
from s2s.rewriters.hit_lists.proof import Proof
from s2s.rewriters.hit_lists.ranges import Range
from s2s.rewriters.hit_lists.stages import Stages
from s2s.rewriters.idioms.loops import CountedLoop, Unsuitable, statement_span
from s2s.rewriters.indentation import indent_by_braces
from s2s.source import Span

# Iterations whose conditions are computed at once, and how many are listed before their work is
# done, at least: what these read is still in the first cache then.
_STRIP, _LISTED = 64, 192
# Nests that run as they were after so many lists in a row that were short, or held nearly all.
_WAIT, _IN_A_ROW = 63, 2
# Iterations below which a list takes longer than it saves.
_SHORT = 16
# Where text of the source is put when the lines around it have been indented.
_COPIED = re.compile(r"(?P<indent>^[ \t]*)@(?P<what>setup|body|stage\d+)@$", re.MULTILINE)
_TRUTHS = frozenset({"<", "<=", ">", ">=", "==", "!=", "!", "&&", "||"})


class Text:
    """Writes one nest; ``wait`` is a variable, which outlives the nest if it ``lasts``."""

    def __init__(
        self, function: Function, nest: Nest, prefix: str, wait: str, *, lasts: bool
    ) -> None:  # fmt: skip
        self.function = function
        self.nest = nest
        self.prefix = prefix
        self.wait = wait
        self.lasts = lasts
        self.buffer = function.unit.buffer
        self.stages: Stages | None = None

    def names(self) -> dict[Decl, tuple[str, str]]:
        """C texts of the least and greatest value that each counter has in the nest."""
        return {
            loop.counter.decl: (self._name(loop, "low"), self._name(loop, "high"))
            for loop in self.nest.loops
        }

    def edit(self, proof: Proof) -> str:
        """What takes the place of the nest."""
        if proof.values is not None:
            room = _STRIP + _LISTED
            self.stages = Stages(self.nest, proof.values, self.prefix, room, _STRIP)
        lines = list(self._lines(proof))
        text = indent_by_braces(lines, self.buffer, self.nest.whole.span.start)
        return _COPIED.sub(self._copied, text)

    def _name(self, loop: CountedLoop, what: str) -> str:
        return f"{self.prefix}{loop.counter.decl.name}_{what}"

    def _lines(self, proof: Proof) -> Iterator[str]:
        nest, p, wait = self.nest, self.prefix, self.wait
        outer = nest.loops[0].header.condition
        yield "{"
        yield "/* s2s: iterations that the condition picks, as a list */"
        for loop in self._in_list():
            yield f"{_type(loop)} {self._name(loop, 'list')}[{_STRIP + _LISTED}];"
        if self.stages is not None:
            yield from self.stages.arrays()
        flag = "long long" if element_size(proof.terms) == 8 else "int"
        yield f"{flag} {p}picked[{_STRIP}];"
        yield f"int {p}listed, {p}few = 1{f', {p}rounds = 0' if proof.pairs else ''};"
        yield f"unsigned long long {p}seen;"
        if self.lasts:
            yield f"if ({wait} > 0) {{"
            yield f"{p}few = 0;"
            yield f"if (!--{wait})"
            yield f"{wait} = {1 - _IN_A_ROW};"
            yield "}"
        else:
            yield f"int {wait} = 0;"
        yield from self._begin(proof)
        if not self._rows:
            yield f"if (({outer}) && !({nest.inner.more(_SHORT)}))"
            yield f"{p}few = 0;"
        yield f"while ({p}few && ({outer})) {{"
        yield f"{p}listed = 0;"
        yield f"{p}seen = 0;"
        yield from self._fill(proof)
        yield from self._decide(proof)
        yield from self._work()
        yield from self._judge()
        yield "}"
        yield from self._rest()
        yield "}"

    def _begin(self, proof: Proof) -> Iterator[str]:
        """The counters as they are before the first iteration."""
        outer, *inner = self.nest.loops
        yield f"{outer.header.init};"
        if proof.pairs:
            yield f"const {_type(outer)} {self.prefix}first = {outer.counter.decl.name};"
        for loop in inner:
            yield f"int {self.prefix}inside = 0;"
            if loop.header.init_node is not None and loop.header.init_node.kind == "DECL_STMT":
                yield f"{_type(loop)} {loop.counter.decl.name} = 0;"

    def _in_list(self) -> list[CountedLoop]:
        """The loops whose counters are listed: the inner one, others where the work reads them."""
        *outer, inner = self.nest.loops
        if self.stages is None:
            return [*outer, inner]
        used = self.stages.values.reads
        return [*(loop for loop in outer if loop.counter.decl in used), inner]

    @property
    def _rows(self) -> bool:
        return len(self.nest.loops) > 1

    def _fill(self, proof: Proof) -> Iterator[str]:
        p, inner = self.prefix, self.nest.inner
        outer = self.nest.loops[0].header.condition
        yield f"while ({p}listed < {_LISTED} && ({outer})) {{"
        if self._rows:
            first = one_line(self.buffer.text(first_value(inner).span))
            yield f"if (!{p}inside) {{"
            yield f"{inner.counter.decl.name} = {first};"
            yield f"{p}inside = 1;"
            yield "}"
            yield f"if (!({inner.header.condition})) {{"
            yield f"{self.nest.loops[0].header.increment};"
            yield f"{p}inside = 0;"
            yield "continue;"
            yield "}"
        yield from self._strip(proof)
        yield "}"

    def _strip(self, proof: Proof) -> Iterator[str]:
        p, inner = self.prefix, self.nest.inner
        name, type_ = inner.counter.decl.name, _type(inner)
        left = f"{inner.distance()}{' + 1' if '=' in inner.relation else ''}"
        yield f"const unsigned long {p}left = {left};"
        yield f"const int {p}some = {p}left < {_STRIP} ? (int){p}left : {_STRIP};"
        yield f"const {type_} {p}at = {name};"
        yield f"for (int {p}l = 0; {p}l < {p}some; {p}l++) {{"
        yield f"const {type_} {name} = {p}at + {p}l;"
        for decl in proof.outer:
            yield f"{decl.type.spelling} {decl.name};"
        if self.nest.setup:
            yield "@setup@"
        yield f"{p}picked[{p}l] = {self._flag(proof)};"
        if self.stages is not None:
            yield from self.stages.noted(f"{p}l")
        yield "}"
        if self.stages is not None:
            yield f"const int {p}before = {p}listed;"
        yield f"for (int {p}l = 0; {p}l < {p}some; {p}l++) {{"
        for loop in self._in_list()[:-1]:
            yield f"{self._name(loop, 'list')}[{p}listed] = {loop.counter.decl.name};"
        yield f"{self._name(inner, 'list')}[{p}listed] = {p}at + {p}l;"
        yield f"{p}listed += {p}picked[{p}l];"
        yield "}"
        if self.stages is not None:
            yield f"for (int {p}h = {p}before; {p}h < {p}listed; {p}h++) {{"
            yield from self.stages.picked(f"{self._name(inner, 'list')}[{p}h] - {p}at")
            yield "}"
        yield f"{p}seen += {p}some;"
        yield f"{name} += {p}some;"

    def _flag(self, proof: Proof) -> str:
        """The terms of the list as one value, without jumps."""
        terms = proof.terms
        if any(t.in_macro for t in terms):
            if len(terms) != len(self.nest.terms):
                raise Unsuitable(self.nest.condition, "a macro makes part of the condition")
            span = read_parenthesized(self.buffer.data, self.nest.branch.span.start)
            assert span is not None
            whole = one_line(self.buffer.text(span))
            return f"!({whole})" if self.nest.skips else f"({whole}) != 0"
        return " & ".join(self._term(t) for t in terms)

    def _term(self, term: Node) -> str:
        text = " ".join(one_line(self.buffer.text(term.span)).split())
        if self.nest.skips:
            return f"!({text})"
        return f"({text})" if term.op in _TRUTHS else f"(({text}) != 0)"

    def _decide(self, proof: Proof) -> Iterator[str]:
        """Whether the list may be used, before its first use, and whether lists are of use."""
        p = self.prefix
        if proof.pairs:
            yield f"if ({p}listed && !{p}rounds++) {{"
            yield from self._compare(proof.pairs)
            yield "}"

    def _judge(self) -> Iterator[str]:
        """Lists are of no use where nearly all iterations are picked, several times in a row."""
        p, wait = self.prefix, self.wait
        yield f"if ({p}seen >= {_SHORT} && {p}listed <= {p}seen - {p}seen / 8) {{"
        yield f"{wait} = 0;"
        yield f"}} else if (--{wait} <= -{_IN_A_ROW}) {{"
        yield f"{p}few = 0;"
        yield f"{wait} = {_WAIT};"
        yield "}"

    def _compare(self, pairs: tuple[tuple[Range, Range], ...]) -> Iterator[str]:
        p = self.prefix
        ranges = list(dict.fromkeys(r for pair in pairs for r in pair))
        for loop in self.nest.loops:
            names = tuple(self._name(loop, end) for end in ("low", "high"))
            if not any(n in text for n in names for r in ranges for text in (r.first, r.end)):
                continue
            last = "" if "=" in loop.relation else " - 1"
            first = f"{p}first"
            if loop is not self.nest.loops[0]:
                first = one_line(self.buffer.text(first_value(loop).span))
            yield f"const long {self._name(loop, 'low')} = {first};"
            yield f"const long {self._name(loop, 'high')} = (long)({loop.bound}){last};"
        for number, one in enumerate(ranges):
            yield f"const char *const {p}from{number} = {one.first};"
            yield f"const char *const {p}to{number} = {one.end};"
        yield f"int {p}apart = 1;"
        for one, other in pairs:
            a, b = ranges.index(one), ranges.index(other)
            yield f"{p}apart &= {p}to{a} <= {p}from{b} || {p}to{b} <= {p}from{a};"
        yield f"if (!{p}apart) {{"
        yield f"{self.nest.loops[0].counter.decl.name} = {p}first;"
        yield f"{p}listed = 0;"
        yield f"{p}few = 0;"
        if self._rows:
            yield f"{p}inside = 0;"
        yield "break;"
        yield "}"

    def _work(self) -> Iterator[str]:
        p = self.prefix
        counters = {
            loop.counter.decl: f"const {_type(loop)} {loop.counter.decl.name} = "
                               f"{self._name(loop, 'list')}[{p}h];"
            for loop in self._in_list()
        }  # fmt: skip
        if self.stages is not None:
            yield from self.stages.loops(counters)
            return
        yield f"for (int {p}h = 0; {p}h < {p}listed; {p}h++) {{"
        yield from counters.values()
        yield "@body@"
        yield "}"

    def _copied(self, match: re.Match[str]) -> str:
        """Text of the source, moved to where it stands now as a whole."""
        span = self._span(match["what"])
        line = self.buffer.text(Span(self.buffer.line_start(span.start), span.start))
        before = line[: len(line) - len(line.lstrip())]
        first, *more = self.buffer.text(span).rstrip().splitlines()
        lines = [first]
        for one in more:
            lines.append(one.removeprefix(before) if one.startswith(before) else one.lstrip())
        return "\n".join(match["indent"] + one if one.strip() else "" for one in lines)

    def _span(self, what: str) -> Span:
        if what == "setup":
            return self.nest.setup_span
        if what == "body" or self.stages is None:
            return statement_span(self.function, self.nest.inner.body)
        statements = self.stages.values.stages[int(what.removeprefix("stage"))].statements
        end = statement_span(self.function, statements[-1]).end
        return Span(statements[0].span.start, end)

    def _rest(self) -> Iterator[str]:
        for loop in self.nest.loops:
            header = loop.header
            if self._rows and loop is self.nest.inner:
                yield f"if (!{self.prefix}inside) {{"
                first = one_line(self.buffer.text(first_value(loop).span))
                yield f"{loop.counter.decl.name} = {first};"
                yield "}"
                yield f"{self.prefix}inside = 0;"
            rows = self._rows and loop is not self.nest.inner
            yield f"for (; {header.condition}; {header.increment}){' {' if rows else ''}"
        yield "@body@"
        if self._rows:
            yield "}"


def _type(loop: CountedLoop) -> str:
    return loop.counter.decl.type.spelling.removeprefix("const ")
