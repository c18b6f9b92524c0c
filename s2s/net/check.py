"""Executing what was changed: the source's statements and the new ones, with the same values.

``failures(unit, edits, ...)`` parses the file with all edits made, finds the statements that each
edit has changed, and executes both versions on small inputs (``inputs``) with memory that is filled
as it is read (``memory``). Both have to end in the same way, with equal values in all memory that
the source writes and in the variables that are read afterwards; the new text may write nothing
else, and nothing that it does may be undefined. What cannot be executed (calls of unknown
functions, ``volatile``, inline assembly) or is too long is left to the proofs of the passes.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field
from functools import cached_property, partial

from s2s.frontends.c.counting_whiles import with_counted_whiles
from s2s.frontends.c.graph_pragmas import Graph
from s2s.frontends.c.liveness import dead_after
from s2s.frontends.c.parse import parse_again
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import directives
from s2s.frontends.c.unit import Unit
from s2s.net import Mismatch
from s2s.net.errors import NotExecuted, OutOfSteps, Undefined, Unreached
from s2s.net.execution import Compiled, Compiler, Ended, Values
from s2s.net.graphs import GraphInput, graph_inputs
from s2s.net.inputs import Input, inputs, roles_of, sizes_in
from s2s.net.memory import Cells, World, is_own
from s2s.net.objects import Objects
from s2s.net.pragmas import check_directives, same_code
from s2s.net.surroundings import Surroundings
from s2s.net.verdicts import ALL, EACH, FILE, ONCE, Checked, Failure, Several, Verdict
from s2s.net.where import Changed, changed_by, found_again, moved
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.records import dataclass

# Bytes of new text that take longer than copies of the process.
_LONG = 16_000
# New code with more has no end: conditions may stand inside of loops now.
_ENDLESS = 400_000
_RELATIVE, _ABSOLUTE = 1e-4, 1e-4
_SHARED = re.compile(r"pragma omp (parallel|for|sections|task|taskloop|distribute|teams|target)\b")


@dataclass
class Net:
    """Checks the edits of one file; ``verdicts`` say what was executed.

    ``graphs`` are those that the code goes through; with more than ``gains`` elements it gains.
    ``dead`` are variables of the file that nothing reads behind a place: they are not compared.
    ``several`` checks places of a long text at once.
    """

    unit: Unit
    reassociate: bool = False
    strict: bool = False
    left: int = FILE
    graphs: Sequence[Graph] = ()
    gains: int = 0
    dead: Sequence[tuple[Span, frozenset[str]]] = ()
    several: Several | None = None
    verdicts: list[tuple[Span, Verdict]] = field(default_factory=list)
    _once: bool = False

    def failures(self, edits: Sequence[Edit]) -> Iterator[Failure]:
        """The edits that do not do what the source does."""
        if not edits or self.unit.is_cxx:
            return
        ordered = sorted(edits, key=lambda e: (e.start, e.end))
        data = apply_edits(self.unit.buffer.data, ordered)
        again = parse_again(self.unit, SourceBuffer(self.unit.buffer.path, data))
        if again.errors:
            problem = Mismatch(f"emitted code does not parse: {again.errors[0].text}")
            yield Failure(tuple(edits), Span(0, len(self.unit.buffer.data)), problem)
            return
        places = list(self._places(ordered))
        check = partial(self._checked, again, ordered)
        with self._ahead(check, [old for old, _ in places], ordered) as ahead:
            for number, (old, group) in enumerate(places):
                checked = ahead(number)
                if checked is None or not checked.is_same(self.left):
                    checked = check(old)
                else:
                    self.left -= checked.steps
                self.verdicts.append((old.span, checked.verdict))
                if checked.problem is not None:
                    yield Failure(group, old.span, checked.problem)

    def _ahead(
        self, check: Callable[[Changed], Checked], places: Sequence[Changed], edits: Sequence[Edit]
    ) -> AbstractContextManager[Callable[[int], Checked | None]]:
        """The places of a long text several at once, each as if it were the only one.

        Of more places than there are steps for, most are not executed in their turn.
        """
        long = sum(len(edit.text) for edit in edits) >= _LONG
        if self.several is None or self.strict or not long or not 1 < len(places) <= FILE // ALL:
            return nullcontext(lambda number: None)

        def alone(old: Changed) -> Checked:
            self.left = FILE
            return check(old)

        return self.several(alone, places)

    def _checked(self, again: Unit, edits: Sequence[Edit], old: Changed) -> Checked:
        verdict, problem, left = Verdict(), None, self.left
        self._once = False
        try:
            self._compare(old, again, edits, verdict)
        except Mismatch as different:
            problem = different
        except NotExecuted as different:
            verdict.why = str(different)
        except Exception as different:
            if self.strict:
                raise
            verdict.why = f"{type(different).__name__}: {different}"
        return Checked(verdict, problem, left - self.left, self._once)

    def _places(self, edits: Sequence[Edit]) -> Iterator[tuple[Changed, tuple[Edit, ...]]]:
        """The statements that edits change, with these edits; those that overlap together."""
        for cursor in self.unit.functions():
            start, end = cursor.extent.start.offset, cursor.extent.end.offset
            inside = [e for e in edits if start <= e.start and e.end <= end
                      and not e.start == e.end == start]  # fmt: skip
            if inside:
                yield from self._merged(self.unit.convert(cursor), inside)

    def _merged(
        self, function: Node, edits: list[Edit]
    ) -> Iterator[tuple[Changed, tuple[Edit, ...]]]:
        groups: list[tuple[Changed, list[Edit]]] = []
        for edit in edits:
            found = changed_by(function, Span(edit.start, edit.end))
            group = [edit]
            while groups and groups[-1][0].span.end > found.span.start:
                other, more = groups.pop()
                both = Span(min(other.span.start, found.span.start),
                            max(other.span.end, found.span.end))  # fmt: skip
                found, group = changed_by(function, both), [*more, *group]
            groups.append((found, group))
        yield from ((found, tuple(group)) for found, group in groups if found.statements)

    def _compare(self, old: Changed, again: Unit, edits: Sequence[Edit], verdict: Verdict) -> None:
        if self.left <= 0 and not same_code(*self._texts(old.span, moved(edits, old.span), again)):
            verdict.why = "no steps are left"
            return
        new = found_again(old, again, edits)
        if self._is_directive(old, new, again):
            return
        before = Compiler(self.unit, strict=True)
        after = Compiler(again, gains=self.gains)
        guard = _guard(new, again, self.unit, old)
        pair = _Pair(
            old, new, before.compiled(old.statements, old.function, None),
            after.compiled(new.statements, new.function, guard),
            Surroundings(before, old), self.reassociate,
            frozenset().union(*(n for span, n in self.dead if span.overlaps(old.span))),
        )  # fmt: skip
        text = again.buffer.data[new.span.start : new.span.end].decode("latin-1")
        text += "".join(_called(text, edits))
        pool = sizes_in(self.unit.buffer.data[old.span.start : old.span.end].decode("latin-1"))
        verdict.taken = None if guard is None else 0
        tried = [GraphInput(given, {}) for given in
                 inputs(sizes_in(text), pool[:3], exact=self.reassociate,
                        vectors="vector_size" in text)]  # fmt: skip
        if self.graphs:
            tried = list(graph_inputs(self.graphs, exact=self.reassociate))
        self._try(pair, tried, roles_of([old.function]), verdict)
        if guard is not None:
            verdict.taken = len(after.taken)

    def _is_directive(self, old: Changed, new: Changed, again: Unit) -> bool:
        """Whether nothing but directives was changed. Raises Mismatch where they mean more."""
        was, now = self._texts(old.span, new.span, again)
        if not same_code(was, now):
            return False
        check_directives(was, now)
        return True

    def _texts(self, old: Span, new: Span, again: Unit) -> tuple[bytes, bytes]:
        """What was at a place and what is there now, each from the beginning of its line on."""
        before, after = self.unit.buffer, again.buffer
        return (before.data[before.line_start(old.start) : old.end],
                after.data[after.line_start(new.start) : new.end])  # fmt: skip

    def _try(
        self, pair: _Pair, tried: list[GraphInput], roles: dict[str, str], verdict: Verdict
    ) -> None:
        """Compare for one input after the other while there are steps left."""
        left, each = min(ALL, self.left), EACH
        start = left
        too_large = _ENDLESS
        for given in tried:
            if left <= 0:
                break
            if verdict.compared and given.given.least >= too_large:
                continue
            try:
                world = World(given.given.contents, roles, given.given.distance, given.given.size)
                world.arrays = given.arrays
                left -= pair.run(world, given.given, each) + 30
                verdict.compared += 1
            except (Undefined, Unreached) as problem:
                left -= 300
                verdict.why = str(problem)
            except Mismatch:
                # Iterations that threads share may not write what others read; where two names
                # are of one array, each of them may have elements of its own.
                if not given.given.distance or not self._shares(pair.old):
                    raise
                left -= 300
                verdict.why = "threads of the source race where its arrays overlap"
            except OutOfSteps:
                verdict.why = "too many steps"
                left -= each // 2
                # Twice too long: nothing of that order is short enough.
                size = given.given.size
                too_large = size if too_large == _ENDLESS else min(too_large, size // 2)
                if not verdict.compared:  # constant sizes: one input has to do
                    self._once = True
                    left, each = (1, min(ONCE, self.left)) if each == EACH else (0, each)
                    start += each if left else 0
        self.left -= start - left

    def _shares(self, old: Changed) -> bool:
        """Whether the source says that threads share what was changed, or some of it."""
        function = old.function.span
        lines = directives(self.unit.buffer.data[: function.end])
        spans = [node.span for node in old.function.walk()]
        for line in lines:
            if line.span.start >= function.start and _SHARED.match(line.text):
                behind = [s for s in spans if s.start >= line.span.end]
                shared = min(behind, key=lambda s: (s.start, -s.end), default=line.span)
                if shared.start < old.span.end and old.span.start < shared.end:
                    return True
        return False


def _called(text: str, edits: Sequence[Edit]) -> Iterator[str]:
    """The texts of functions that edits add, and a text calls."""
    names = set(re.findall(r"\b(\w+)\(", text))
    for edit in edits:
        if edit.start == edit.end:
            added = edit.text.decode("latin-1")
            if names.intersection(re.findall(r"^static\b.*?\b(\w+)\((?!\()", added, re.MULTILINE)):
                yield added


def _guard(new: Changed, again: Unit, unit: Unit, old: Changed) -> Node | None:
    """The branch that chooses between the new code and the source's own text."""
    source = unit.buffer.data[old.statements[0].span.start : old.statements[-1].span.end]
    wanted = b"".join(source.split())
    for statement in new.statements:
        children = statement.statements
        for node in children:
            if node.kind == "IF_STMT" and len(node.children) == 3:
                other = node.children[2].span
                text = b"".join(again.buffer.data[other.start : other.end].split())
                if wanted[:200] in text:
                    return node
    return None


@dataclass
class _Pair:
    """Both versions of changed statements."""

    old: Changed
    new: Changed
    before: Compiled
    after: Compiled
    surroundings: Surroundings
    reassociate: bool
    dead: frozenset[str] = frozenset()

    def run(self, world: World, given: Input, steps: int) -> int:
        """Execute both and compare; the number of steps of the source."""
        memory = Cells(world)
        values = self.surroundings.run(memory, lambda *v: given.value(world, *v))
        if memory.outside() is not None:
            raise Undefined("a store outside of an array")
        source, result = memory.go_on()
        wanted = self._execute(self.before, source, values, steps)
        if source.outside() is not None:
            raise Undefined("a store outside of an array")
        try:
            found = self._execute(self.after, result, values, _ENDLESS)
        except Undefined as problem:
            raise Mismatch(f"undefined for size {given.size}: {problem}") from None
        except OutOfSteps:
            raise Mismatch(f"does not end for size {given.size}") from None
        different = self._difference(wanted, found, source, result)
        if different:
            raise Mismatch(f"{different} for size {given.size}")
        return max(wanted.steps, found.steps)

    def _execute(self, code: Compiled, memory: Cells, values: Values, steps: int) -> Ended:
        for name in code.free:
            if name not in values:
                raise NotExecuted(f"'{name}' has no value")
        return code.run(memory, values, steps)

    def _difference(self, wanted: Ended, found: Ended, source: Cells, result: Cells) -> str:
        objects = Objects(source, result)
        if wanted.how != found.how or not self._equal(wanted.value, found.value, objects):
            return f"ends with '{found.how} {found.value}', not '{wanted.how} {wanted.value}'"
        if wanted.said != found.said:
            return "other output"
        if wanted.how not in ("return", "exit"):
            for name in sorted({*wanted.values, *found.values}):
                both = wanted.values.get(name, 0), found.values.get(name, 0)
                if name in wanted.values and name in found.values and self._equal(*both, objects):
                    continue
                if self._is_read_later(name):
                    return f"'{name}' is {both[1]}, not {both[0]}"
        different = self._other_memory(source, result, objects)
        if not different and objects.differ(partial(self._equal, objects=objects)):
            return "an object that is allocated here has other values"
        return different

    def _is_read_later(self, name: str) -> bool:
        if name in self.dead:
            return False
        decl = self._decl(name)
        if decl is None:
            return True
        old = self.as_counted
        return not dead_after(old.function, old.statements, decl, exposed=True)

    @cached_property
    def as_counted(self) -> Changed:
        """The source's statements where ``while`` loops that count are ``for`` loops: these are
        known to set their counters first.
        """
        function = with_counted_whiles(self.old.function, lambda _: True)
        if function is self.old.function:
            return self.old
        found = changed_by(function, self.old.span)
        return found if found.statements else self.old

    def _decl(self, name: str) -> Decl | None:
        known = self.before.free.get(name)
        return known[0] if known is not None else None

    def _other_memory(self, source: Cells, result: Cells, objects: Objects) -> str:
        world = source.world
        if (outside := result.outside()) is not None:
            return f"a store outside of {self._name(world, outside)}"
        stores, earlier = source.stores(), source.earlier
        for address in stores | result.stores():
            if is_own(address):  # a local array: the other text may have none
                continue
            was, now = source[address], result[address]
            known = address in stores or address in earlier
            if was == now and was and known:
                continue
            if self._is_dead(world, address):
                continue
            if not known:
                return f"a store to {self._name(world, address)} that the source does not make"
            if not self._equal(was, now, objects):
                return f"{self._name(world, address)} is {now}, not {was}"
        return ""

    def _is_dead(self, world: World, address: int) -> bool:
        """Whether it is in an array that nothing reads behind, or in one that only these use."""
        segment = world.segment(address)
        if segment is not None and segment.name.lstrip("&") in self.dead:
            return True
        if segment is None or not segment.name.startswith("&"):
            return False
        name = segment.name[1:]
        inside = self.old.statements
        uses = (n for n in self.old.function.walk() if n.kind == "DECL_REF_EXPR" and n.name == name)
        return all(any(s.span.start <= n.span.start < s.span.end for s in inside) for n in uses)

    def _name(self, world: World, address: int) -> str:
        segment = world.segment(address)
        return f"'{segment.name.lstrip('&')}'" if segment is not None else "memory"

    def _equal(self, wanted: object, found: object, objects: Objects) -> bool:
        if isinstance(wanted, float) and isinstance(found, float):
            return same_number(wanted, found, tolerant=self.reassociate)
        return wanted == found or objects.are_same(wanted, found)


def same_number(wanted: float, found: float, *, tolerant: bool) -> bool:
    """Whether numbers are equal to the bit, or nearly where operations may be regrouped."""
    if wanted != wanted or found != found:
        return wanted != wanted and found != found
    if tolerant:
        return math.isclose(wanted, found, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE)
    return struct.pack("d", wanted) == struct.pack("d", found)
