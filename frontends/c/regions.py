"""Finding regions: which statements of a function to lift, without any pragma in the source."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from s2s.frontends.c.counting_whiles import with_counted_whiles
from s2s.frontends.c.definitions import definitions
from s2s.frontends.c.effects import CallEffects, Effects
from s2s.frontends.c.facts import Facts, gather
from s2s.frontends.c.given import given_numbers
from s2s.frontends.c.not_liftable import Changing, NotLiftable
from s2s.frontends.c.own_statement import makes_one_statement
from s2s.frontends.c.sketch import LoopWords, is_nest
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import identifiers, next_token
from s2s.frontends.c.unit import Unit
from s2s.frontends.openmp.constructs import Attached, is_shared_loop
from s2s.frontends.openmp.directives import Directive
from s2s.source import Span
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.frontends.c.lift import Lifter
    from s2s.frontends.c.raw import Raw
    from s2s.scop.nodes import Scop

_WANTS_LOOP = re.compile(
    r"pragma\s+(GCC\s+(ivdep|unroll)|clang\s+loop|(no)?unroll|ivdep|vector|acc|simd|loop)\b"
)
# Constructs whose code becomes a function of its own: threads, tasks or devices call it.
_OUTLINED = ("parallel", "task", "teams", "target")
# An ``ordered`` without a number or a ``collapse`` by a macro may take any number of loops.
_MOST_TAKEN = 16


@dataclass
class Function:
    """A function definition with what the analyses of its regions share."""

    unit: Unit
    node: Node
    attached: Attached
    calls: CallEffects
    off: tuple[Span, ...] = ()

    @cached_property
    def facts(self) -> Facts:
        return gather(self.node)

    @cached_property
    def hidden(self) -> frozenset[str]:
        """Words in the function's text that may stand for pragmas."""
        text = self.unit.buffer.data[self.node.span.start : self.node.span.end]
        return self.unit.pragma_words & identifiers(text)

    @property
    def body(self) -> Node:
        return self.node.children[-1]

    @cached_property
    def outlined(self) -> tuple[Span, ...]:
        """The statements that compilers move into functions of their own, for threads."""
        return tuple(
            node.span for node in self.node.walk()
            if any(d.name.startswith(_OUTLINED) for d in self.attached.before(node.span.start))
        )  # fmt: skip

    def with_counted_whiles(self) -> Function:
        """The function with ``while`` loops that count as ``for`` loops; itself without any."""
        node = with_counted_whiles(self.node, lambda span: not self.attached.within(span))
        return self if node is self.node else replace(self, node=node)

    def attempt(self, statements: list[Node]) -> Attempt:
        return Attempt(self, statements)


@dataclass
class Attempt:
    """Statements that may become a region, and the reasons why parts of it stay whole."""

    function: Function
    statements: list[Node]
    notes: list[tuple[Span, str]] = field(default_factory=list)
    _changing: list[tuple[Span, str]] = field(default_factory=list)
    observing: bool = False
    """Whether the region is only looked at for races."""
    checking: bool = False
    """Whether what comes of the region has a guard that checks ``Scop.steady``."""
    unmerged: bool = False
    """Whether the form that was made last is the same with ``separate`` and without."""
    _elements: bool = False
    """Whether it may also check elements of arrays, since the region is not lifted without them."""

    @cached_property
    def lifter(self) -> Lifter:
        """What lifts the statements; most are left after a look at their syntax, without it."""
        function, unit = self.function, self.function.unit
        where = (function.attached, self.statements)
        if self.observing:
            from s2s.frontends.c.observe import Observer

            calls = CallEffects(unit.convert, unit.pragmas, observing=True)
            return Observer(unit.buffer, function.facts, calls, *where)
        from s2s.frontends.c.lift import Lifter

        return Lifter(
            unit.buffer, function.facts, function.calls, *where, in_team=self._is_shared_loop
        )

    @property
    def _is_shared_loop(self) -> bool:
        """Whether a team that is formed elsewhere shares the region, a loop, or loops inside."""
        first, *more = self.statements
        governed = self.function.attached.before(first.span.start)
        if more or governed or first.kind != "FOR_STMT":
            return not more and is_shared_loop(governed)
        inside = [d.name for d in self.function.attached.within(first.span)]
        return "for" in inside and set(inside) <= {"for", "simd", "for simd", "barrier"}

    @property
    def is_outlined(self) -> bool:
        """Whether the region, or a construct around it, is code of a function of its own."""
        own = self.function.attached.before(self.statements[0].span.start)
        here = self.statements[0].span
        return any(d.name.startswith(_OUTLINED) for d in own) or any(
            span.start <= here.start and here.end <= span.end for span in self.function.outlined
        )

    @property
    def directives(self) -> list[Directive]:
        """The directives in the statements and those that govern them."""
        return self.function.attached.within(self.span)

    @property
    def span(self) -> Span:
        start = self.function.attached.start(self.statements[0].span.start)
        return Span(start, self.statements[-1].span.end)

    @property
    def whole(self) -> Span:
        """The text of the statements, with the last one's semicolon."""
        return Span(self.span.start, self.lifter.end(self.statements[-1]))

    def _check_end(self) -> None:
        """Refuse a loop whose text ends in a macro that makes more than its last statement."""
        last = self.statements[-1]
        while last.kind in ("FOR_STMT", "WHILE_STMT", "IF_STMT") and last.children:
            last = last.children[-1]
        if not last.in_macro or self.observing:
            return
        unit = self.function.unit
        text = unit.buffer.text(Span(last.span.start, self.lifter.end(last)))
        if not makes_one_statement(text, unit.macros):
            raise NotLiftable(last.span, "a macro expands to several statements")

    def raw(self) -> Raw:
        """The tree of loops, branches, constructs and leaves. Raises NotLiftable."""
        self.check_pragmas()
        self._check_end()
        raw = self.lifter.lift()
        self.notes = [*self._changing, *self.lifter.notes]
        return raw

    def check_pragmas(self) -> None:
        """Pragmas of macros cannot be seen; some others want a loop right behind them."""
        unit = self.function.unit
        if self.function.hidden:
            name = min(self.function.hidden)
            raise NotLiftable(self.span, f"'{name}' may hide pragmas in this function")
        start = self.span.start
        before = bisect_right(unit.directive_lines, start, key=lambda line: line.span.end)
        for line in reversed(unit.directive_lines[:before]):
            following = next_token(unit.buffer.data, line.span.end)
            if following == start and _WANTS_LOOP.match(line.text):
                raise NotLiftable(self.span, "a pragma in front wants a loop behind it")
            if following < start:
                break  # so it is after those that stand before

    def scop(self, *, apart: bool = False, separate: bool = False) -> Scop:
        """The polyhedral form; with ``apart``, private scalars hold no statements together.

        With ``separate`` each statement of the source is one, and all scalars are memory.

        Raises NotLiftable.
        """
        from s2s.frontends.c.assemble import Assembler  # isl is not needed before
        from s2s.frontends.c.lift_leaves import Checks
        from s2s.frontends.c.observe import ObservingAssembler

        strict = "-fno-strict-aliasing" not in self.function.unit.flags
        self.lifter.separate = separate
        if self.checking:
            self.lifter.checks = Checks.ELEMENTS if self._elements else Checks.MEMBERS
        kind = ObservingAssembler if self.observing else Assembler
        try:
            assembler = kind(
                self.lifter, self.raw(), self.function.node, strict, apart, separate,
                outlined=self.is_outlined,
            )  # fmt: skip
            scop = assembler.run()
            self.unmerged = assembler.unmerged
            given = partial(given_numbers, self.function.unit, self.function.node)
            return replace(scop, given=given)
        except Changing as problem:
            self._begin_again(problem)
            try:
                return self.scop(apart=apart, separate=separate)
            except NotLiftable as left:
                if self.checking and not self._elements:
                    self._elements = True
                    self._begin_again()
                    return self.scop(apart=apart, separate=separate)
                if "is not affine" not in left.reason:
                    raise
                raise NotLiftable(problem.span, problem.reason) from None

    def _begin_again(self, problem: Changing | None = None) -> None:
        """Lift without parameters that may change; with all of them again where there is none."""
        old = self.lifter
        changing = old.changing | problem.places if problem is not None else frozenset()
        self._changing = [*self._changing, (problem.span, problem.reason)] if problem else []
        self.lifter = type(old)(
            old.buffer, old.facts, old.calls, old.attached, old.region, guarding=old.guarding,
            in_team=old.in_team, changing=changing,
        )  # fmt: skip

    def again(self, *, guarding: bool = False) -> Attempt:
        """The same statements, to be lifted anew (with ``guarding``, see ``Lifter``)."""
        attempt = self.function.attempt(self.statements)
        attempt.checking = self.checking
        attempt.lifter.guarding = guarding
        return attempt


def find_observed(function: Function) -> Iterator[Attempt]:
    """What to look at for races: parallel constructs, or the whole body around other constructs.

    These attempts have SCoPs that only show races.
    """
    alone = [a for a in candidates(function) if _is_parallel(a)]
    spans = [a.span for a in alone]
    directives = function.attached.within(function.node.span)
    others = [
        d for d in directives
        if d.name not in _LOCAL and not any(s.start <= d.span.start < s.end for s in spans)
    ]  # fmt: skip
    if others and function.body.children and not function.off:
        yield _observing(function, function.body.children)
    else:
        yield from (_observing(function, a.statements) for a in alone)


# Directives without an order between threads or tasks.
_LOCAL = frozenset({"simd", "threadprivate", "declare simd", "declare reduction", "critical",
                    "atomic", "flush", "taskyield"})  # fmt: skip


def under_directives(function: Function) -> Iterator[Span]:
    """The statements that threads or tasks run as a directive says."""
    for node in function.node.walk() if function.attached.within(function.node.span) else ():
        if any(d.name not in _LOCAL for d in function.attached.before(node.span.start)):
            yield node.span


def _is_parallel(attempt: Attempt) -> bool:
    governed = attempt.function.attached.before(attempt.statements[0].span.start)
    return bool(governed) and governed[0].name.startswith("parallel")


def _observing(function: Function, statements: list[Node]) -> Attempt:
    return Attempt(function, statements, observing=True)


def functions(
    unit: Unit, wanted: Callable[[LoopWords], bool] = is_nest, *, every: bool = False
) -> Iterator[Function]:
    """The functions of a file that a pass could act on, as ``definitions`` finds them."""
    return functions_of(unit, definitions(unit, wanted, every=every))


def functions_of(unit: Unit, cursors: Iterable[Any]) -> Iterator[Function]:
    """The functions with these definitions, those of them that have a body."""
    attached = Attached(unit.pragmas, lambda offset: next_token(unit.buffer.data, offset))
    calls = call_effects(unit)
    off = tuple(_switched_off(unit))
    for cursor in cursors:
        function = _function(unit, cursor, attached, calls, off)
        if function is not None:
            yield function


def call_effects(unit: Unit) -> CallEffects:
    """What calls in a file do, with the other files of the program."""
    return CallEffects(unit.convert, unit.pragmas, lambda decl: _effects_elsewhere(unit, decl))


def _effects_elsewhere(unit: Unit, decl: Decl) -> Effects | None:
    """The summary of a function that another file defines, in terms of this one's globals."""
    found = None if unit.program is None or decl.is_static else unit.program.definition(decl.name)
    if found is None:
        return None
    other, cursor = found
    there = other.converter.decl_of(cursor)
    if there is None:
        return None
    effects = CallEffects(other.convert, other.pragmas).of_function(there)

    def here(decls: frozenset[Decl]) -> frozenset[Decl]:
        same = {d: None if d.is_static else unit.global_named(d.name) for d in decls}
        return frozenset(known or d for d, known in same.items())

    return replace(
        effects, global_reads=here(effects.global_reads), global_writes=here(effects.global_writes)
    )


def _function(
    unit: Unit, cursor: Any, attached: Attached, calls: CallEffects, off: tuple[Span, ...]
) -> Function | None:
    node = unit.convert(cursor)
    if not node.children or node.children[-1].kind != "COMPOUND_STMT":
        return None
    return Function(unit, node, attached, calls, off)


def function_at(unit: Unit, offset: int, off: tuple[Span, ...]) -> Function | None:
    """The function of a file whose definition is around a place in the text."""
    data = unit.buffer.data
    attached = Attached(unit.pragmas, lambda offset: next_token(data, offset))
    cursor = unit.function_around(Span(offset, offset + 1))
    found = cursor and _function(unit, cursor, attached, call_effects(unit), off)
    return found.with_counted_whiles() if found else None


def candidates(function: Function, parent: Node | None = None) -> Iterator[Attempt]:
    """The outermost loops and OpenMP constructs below a statement, each an attempt."""
    node = function.body if parent is None else parent
    for child in node.children:
        governed = function.attached.before(child.span.start)
        shared = is_shared_loop(governed)
        whole = not governed or shared or governed[0].name.startswith("parallel")
        if whole and (child.kind == "FOR_STMT" or (governed and child.kind.endswith("STMT"))):
            attempt = function.attempt([child])
            if not any(attempt.span.overlaps(span) for span in function.off):
                yield attempt
            else:
                yield from candidates(function, _last_taken(function, child))
        elif child.kind.endswith("STMT"):
            yield from candidates(function, _last_taken(function, child))


def inner_candidates(attempt: Attempt) -> Iterator[Attempt]:
    """What to try when the outermost statements could not become a region."""
    for statement in attempt.statements:
        yield from candidates(attempt.function, _last_taken(attempt.function, statement))


def _last_taken(function: Function, statement: Node) -> Node:
    """The innermost of the loops that a directive in front takes together (``collapse(2)``)."""
    count = 1
    for directive in function.attached.before(statement.span.start):
        for clause in directive.all("collapse", "ordered"):
            number = clause.argument.strip()
            count = max(count, int(number) if number.isdigit() else _MOST_TAKEN)
    for _ in range(count - 1):
        body = statement.children[-1:]
        while body and body[0].kind == "COMPOUND_STMT":
            body = [n for n in body[0].children if n.kind in ("FOR_STMT", "COMPOUND_STMT")][:1]
        if not body or body[0].kind != "FOR_STMT":
            break
        statement = body[0]
    return statement


def _switched_off(unit: Unit) -> Iterator[Span]:
    """Ranges between ``#pragma s2s off`` and ``on``; with ``#pragma scop`` all but the scops."""
    start: int | None = None
    scops: list[Span] = []
    opened: int | None = None
    for line in unit.directive_lines:
        words = line.text.split()
        if words[:3] == ["pragma", "s2s", "off"] and start is None:
            start = line.span.start
        elif words[:3] == ["pragma", "s2s", "on"] and start is not None:
            yield Span(start, line.span.end)
            start = None
        elif words[:2] == ["pragma", "scop"]:
            opened = line.span.end
        elif words[:2] == ["pragma", "endscop"] and opened is not None:
            scops.append(Span(opened, line.span.start))
            opened = None
    if start is not None:
        yield Span(start, len(unit.buffer.data))
    if scops:
        ends = [0, *(e for s in scops for e in (s.start, s.end)), len(unit.buffer.data)]
        yield from (Span(a, b) for a, b in zip(ends[::2], ends[1::2], strict=True) if a < b)


__all__ = [
    "Attempt",
    "Function",
    "NotLiftable",
    "candidates",
    "find_observed",
    "functions",
    "functions_of",
    "inner_candidates",
]
