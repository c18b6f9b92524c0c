"""The text of a candidate region rewritten before it is lifted, and where it came from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from s2s.frontends.c.effects import Effects
from s2s.frontends.c.parse import parse_edited
from s2s.frontends.c.prepare.callee import Callee
from s2s.frontends.c.prepare.callees import Callees
from s2s.frontends.c.prepare.calls import CallSite, call_sites
from s2s.frontends.c.prepare.closed_forms import advances_in_nest, closed_forms
from s2s.frontends.c.prepare.conditionals import Text, closed, only_under
from s2s.frontends.c.prepare.continues import has_continues, structured_continues
from s2s.frontends.c.prepare.flat_rows import divides_counter, flat_rows, lay_out
from s2s.frontends.c.prepare.inline import Names, NotInlinable, expand
from s2s.frontends.c.prepare.named_calls import embeds_calls, named_calls
from s2s.frontends.c.prepare.pointer_ends import counted_pointers, ends_at_pointers
from s2s.frontends.c.prepare.prepared_buffer import PreparedBuffer
from s2s.frontends.c.prepare.remainders import chosen_remainders, wraps_around
from s2s.frontends.c.prepare.row_pointers import declares_rows, substituted_rows
from s2s.frontends.c.prepare.threads import hoisted_thread_count
from s2s.frontends.c.prepare.walkers import substituted_walkers, walks_inside
from s2s.frontends.c.regions import Attempt, Function, function_at
from s2s.frontends.c.text import identifiers
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.records import dataclass

_MOST_ROUNDS = 8
_LARGEST = 20_000  # bytes of prepared text: what is longer takes long, and nothing is gained
_INDENT = "    "
_DECLARES_ONLY = re.compile(r"[^=()\[\]]*?(\w+);")


@dataclass(frozen=True)
class Prepared:
    """A prepared region: ``attempt`` is on the new text.

    ``span`` is what in that text replaces ``original`` of the file itself, in the configurations
    of the preprocessor that fulfil ``conditions``. ``front`` are declarations before it, in a
    block, ``behind`` statements after it; ``closing`` is the end of a condition that moved behind
    it, into ``tail``.
    """

    attempt: Attempt
    span: Span
    original: Span
    conditions: tuple[str, ...] = ()
    front: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    closing: Span | None = None
    tail: bytes = b""

    @property
    def unit(self) -> Unit:
        return self.attempt.function.unit

    @property
    def source(self) -> SourceBuffer:
        """The file as it is."""
        buffer = self.unit.buffer
        assert isinstance(buffer, PreparedBuffer)
        return buffer.original

    @property
    def text(self) -> bytes:
        return self.unit.buffer.data[self.span.start : self.span.end]

    @property
    def fallback(self) -> str:
        """The source's own text, beginning with the blanks before its first line.

        Where statements follow the region it is the prepared text, which leaves things to them.
        """
        if self.behind:
            whole = self.attempt.whole
            return _blanks_before(self.unit.buffer, whole.start) + self.unit.buffer.text(whole)
        return _blanks_before(self.source, self.original.start) + self._original_text()

    def _original_text(self) -> str:
        without = [] if self.closing is None else [Edit(self.closing.start, self.closing.end, b"")]
        return self.source.edited(self.original, without)

    def edit(self, inner: Edit, under: Sequence[str]) -> Edit:
        """The edit of the original file that an edit inside the prepared region amounts to.

        ``under`` are conditions of the preprocessor in the region itself.
        """
        text = self._with_front(inner.text, self._needed(inner), self.behind)
        wanted = tuple(dict.fromkeys((*under, *self.conditions)))
        otherwise = _bytes(self._original_text())
        edit = Edit(self.original.start, self.original.end, text)
        edit = only_under(self.source, edit, wanted, otherwise)
        return Edit(edit.start, edit.end, edit.text + self.tail)

    def _with_front(self, text: bytes, front: Sequence[str], behind: Sequence[str] = ()) -> bytes:
        if not front and not behind:
            return text
        base = _indentation(self)
        lines = [b"{", *(base + _INDENT.encode() + _bytes(line) for line in front)]
        ending = [base + _INDENT.encode() + _bytes(line) for line in behind]
        return b"\n".join([*lines, base + _INDENT.encode() + text, *ending, base + b"}"])

    def _needed(self, inner: Edit) -> tuple[str, ...]:
        """The lines in front without variables that the new code declares where it needs them."""
        needed = tuple(line for line in self.front if not _DECLARES_ONLY.fullmatch(line))
        names = {m[1] for line in self.front if (m := _DECLARES_ONLY.fullmatch(line))}
        if not names:
            return needed
        data = self.unit.buffer.data
        text = self._with_front(inner.text, needed)
        whole = data[: self.span.start] + text + data[self.span.end :]
        edit = Edit(self.span.start, self.span.end, text)
        unit = parse_edited(self.unit, [edit], SourceBuffer(self.unit.buffer.path, whole))
        function = None if unit.errors else function_at(unit, self.span.start, ())
        start, end = self.span.start, self.span.start + len(text)
        free = function is None or any(
            n.name in names and (n.decl is None or not start <= n.decl.offset < end)
            for n in function.body.walk()
            if n.kind == "DECL_REF_EXPR" and start <= n.span.start < end
        )
        return self.front if free else needed


def _blanks_before(buffer: SourceBuffer, place: int) -> str:
    """The blanks at the beginning of a line, where nothing else is before a place in it."""
    head = buffer.text(Span(buffer.line_start(place), place))
    return head if not head.strip() else ""


@dataclass(frozen=True)
class _Changes:
    """What one round does: edits inside the region, declarations in front, statements behind.

    ``bodies`` are the places where edits put in what has regions of its own in this file.
    """

    edits: tuple[Edit, ...]
    front: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    bodies: frozenset[Span] = frozenset()


def prepare(
    attempt: Attempt, callees: Callees, *, closing: Span | None = None, every: bool = False
) -> Prepared | None:
    """A region after all preparations that apply, repeated until none does; None for none.

    Calls without an effect on memory stay, unless ``every`` is set: nothing is gained by their
    bodies. ``closing`` is as in ``Configuration``. What was not prepared, and why, stands in the
    notes of the attempts' lifters.
    """
    start = attempt.whole
    state = Prepared(attempt, start, start)
    names = Names(_identifiers(attempt, callees))
    if closing is not None:
        ending = closed(Text(attempt.lifter.buffer.data, start, ()), closing)
        balanced = _apply(replace(state, closing=closing), _Changes(ending))
        if balanced is None:
            return None
        balanced = replace(balanced, span=balanced.attempt.whole, tail=ending[-1].text)
        state, callees = balanced, Callees(balanced.unit)
    bodies = {name: c.inside.end - c.inside.start for name, c in callees.by_name.items()}
    for number in range(_MOST_ROUNDS):
        if number and _outgrows(state.attempt, bodies):
            break
        changes = _collect(state.attempt, callees, names, every)
        following = _apply(state, changes) if changes is not None else None
        if following is None:
            break
        state = following
        callees = Callees(state.unit)
    return None if state.attempt is attempt else state


def _outgrows(attempt: Attempt, bodies: Mapping[str, int]) -> bool:
    """Whether bodies in place of calls would be far too long: to look at each takes long, too."""
    calls = (n for s in attempt.statements for n in s.walk() if n.kind == "CALL_EXPR")
    return sum(bodies.get(call.name, 0) for call in calls) > 2 * _LARGEST


def _identifiers(attempt: Attempt, callees: Callees) -> set[str]:
    """Names that mean something to the function, to what it calls, or to a macro."""
    function = attempt.function
    buffer = function.unit.buffer
    found = identifiers(buffer.data[function.node.span.start : function.node.span.end])
    for callee in (c for statement in attempt.statements for c in callees.reachable(statement)):
        found |= callee.named
    return found | function.unit.macro_words


def _collect(attempt: Attempt, callees: Callees, names: Names, every: bool) -> _Changes | None:
    edits: list[Edit] = []
    front: list[str] = []
    conditions: list[str] = []
    bodies: set[Span] = set()
    for site in call_sites(attempt, callees):
        if not every and not _worthwhile(site, attempt, callees):
            continue
        try:
            expansion = expand(site, attempt, callees, names)
        except NotInlinable as problem:
            text = f"'{site.callee.name}' is not inlined: {problem}"
            attempt.lifter.notes.append((site.call.span, text))
            continue
        edits.append(expansion.edit)
        if site.callee.in_main:
            bodies.add(Span(expansion.edit.start, expansion.edit.end))
        front += expansion.front
        conditions += expansion.conditions
    if not edits:
        counted = counted_pointers(attempt, names)
        if counted is not None:
            return _Changes(counted.edits, counted.front)
        structured = structured_continues(attempt) if has_continues(attempt) else ()
        if structured:
            return _Changes(structured)
        walked = (
            substituted_walkers(attempt) or substituted_rows(attempt) or chosen_remainders(attempt)
        )
        if walked:
            return _Changes(walked)
        named = named_calls(attempt, names)
        if named:
            return _Changes(named)
        rows = _flat_rows(attempt)
        if rows is not None:
            return rows
        hoisted = hoisted_thread_count(attempt)
        if hoisted is None:
            advanced = closed_forms(attempt)
            if advanced is None:
                return None
            return _Changes(tuple(sorted(advanced.edits)), behind=advanced.behind)
        edits, front = list(hoisted.edits), [hoisted.front]
    return _Changes(tuple(sorted(edits)), tuple(front), (), tuple(conditions), frozenset(bodies))


def _flat_rows(attempt: Attempt) -> _Changes | None:
    """A flat loop as one over its whole rows, followed by what is left of it."""
    loop = attempt.statements[0]
    found = flat_rows(attempt.function, loop) if len(attempt.statements) == 1 else None
    if found is None:
        return None
    buffer = attempt.lifter.buffer
    line = buffer.text(Span(buffer.line_start(loop.span.start), loop.span.start))
    around = line if not line.strip() else ""
    edit = Edit(loop.span.start, attempt.whole.end, _bytes(lay_out(found.nest, around, _INDENT)))
    rest = lay_out(found.rest, around + _INDENT, _INDENT)
    return _Changes((edit,), (found.front,), (rest,))


def divides_in_rows(attempt: Attempt) -> bool:
    """Whether a region is a loop that divides what it counts: a cheap look."""
    return len(attempt.statements) == 1 and divides_counter(attempt.statements[0])


def _worthwhile(site: CallSite, attempt: Attempt, callees: Callees) -> bool:
    """Whether the body of a callee tells more than a summary of its effects."""
    if site.callee.choice is not None:
        return True
    effects: Effects = attempt.lifter.calls.of(site.call)
    touches = effects.anything or effects.reads or effects.writes or effects.global_writes
    inside = (site.callee, *callees.reachable(site.callee.body))
    return bool(touches) or any(callee.pragmas for callee in inside)


def _apply(state: Prepared, changes: _Changes) -> Prepared | None:
    """The next state; None where its text is too long or does not parse."""
    buffer = state.unit.buffer
    start, end = state.attempt.whole.start, state.attempt.whole.end
    edits = list(changes.edits)
    opening = _opening(state, changes)
    replaced = bool(edits) and edits[0].start == start
    if replaced:
        edits[0] = Edit(start, edits[0].end, opening + edits[0].text)
    elif opening:
        edits.insert(0, Edit(start, start, opening))
    closing_ = _closing(state, changes)
    if closing_:
        edits.append(Edit(end, end, closing_))
    data = apply_edits(buffer.data, edits)
    grown = len(data) - len(buffer.data)
    span = Span(state.span.start, state.span.end + grown)
    if span.end - span.start > _LARGEST:
        return None
    unit = parse_edited(state.unit, edits, _buffer(buffer, data, edits, changes.bodies))
    if unit.errors:
        return None
    first = state.attempt.statements[0].span.start
    moved = sum(len(e.text) - (e.end - e.start) for e in edits if e.end <= first)
    moved += len(opening) if replaced else 0
    attempt = _same_statement(unit, state.attempt, first + moved)
    if attempt is None:
        return None
    under = tuple(dict.fromkeys((*state.conditions, *changes.conditions)))
    front, behind = (*state.front, *changes.front), (*changes.behind, *state.behind)
    return replace(state, attempt=attempt, span=span, conditions=under, front=front, behind=behind)


def _buffer(
    buffer: SourceBuffer, data: bytes, edits: list[Edit], places: frozenset[Span]
) -> PreparedBuffer:
    bodies = tuple(e for e in edits if Span(e.start, e.end) in places)
    before = buffer
    if not isinstance(before, PreparedBuffer):
        before = PreparedBuffer(buffer.path, b"", buffer)
    rounds = (*before.rounds, tuple(edits)), (*before.bodies, bodies)
    return PreparedBuffer(buffer.path, data, before.original, *rounds)


def _opening(state: Prepared, changes: _Changes) -> bytes:
    """A block with declarations, or more of them where there is a block already."""
    base = _indentation(state).decode("utf-8", "surrogateescape")
    lines = [f"{{\n{base}{_INDENT}"] if _opens_block(state, changes) else []
    lines += [f"{line}\n{base}{_INDENT}" for line in changes.front]
    return _bytes("".join(lines))


def _closing(state: Prepared, changes: _Changes) -> bytes:
    """What follows the region, up to the end of a new block."""
    base = b"\n" + _indentation(state)
    lines = [base + _INDENT.encode() + _bytes(line) for line in changes.behind]
    return b"".join([*lines, *([base + b"}"] if _opens_block(state, changes) else [])])


def _opens_block(state: Prepared, changes: _Changes) -> bool:
    has_block = bool(state.front or state.behind)
    return bool(changes.front or changes.behind) and not has_block


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _indentation(state: Prepared) -> bytes:
    buffer = state.unit.buffer
    head = buffer.data[buffer.line_start(state.span.start) : state.span.start]
    return head if not head.strip() else b""


def _same_statement(unit: Unit, attempt: Attempt, offset: int) -> Attempt | None:
    function: Function | None = function_at(unit, offset, attempt.function.off)
    if function is None:
        return None
    kind = attempt.statements[0].kind
    found = next(
        (n for n in function.body.walk() if n.span.start == offset and n.kind == kind), None
    )
    return None if found is None else function.attempt([found])


def calls_with_loops(attempt: Attempt, callees: Callees) -> bool:
    """Whether a region calls visible functions that have loops, directly or not."""
    return any(
        _has_loop(callee) for node in attempt.statements for callee in callees.reachable(node)
    )


def calls_with_choices(attempt: Attempt, callees: Callees) -> bool:
    """Whether a nest of loops calls visible functions that compute an integer and nothing else."""
    loops = [n for s in attempt.statements for n in s.walk() if n.kind == "FOR_STMT"]
    if len(loops) < 2:
        return False
    calls = (n for n in loops[0].walk() if n.kind == "CALL_EXPR" and n.type.kind == "int")
    return any(
        all(child.type.kind == "int" for child in call.children[1:])
        and (callee := callees.of(call)) is not None and callee.choice is not None
        for call in calls
    )  # fmt: skip


def _has_loop(callee: Callee) -> bool:
    return any(n.kind == "FOR_STMT" for n in callee.body.walk())


def has_preparations(attempt: Attempt, callees: Callees) -> bool:
    """Whether it is worth while to try: a look at the syntax alone."""
    if advances_in_nest(attempt.statements[0]) or has_continues(attempt):
        return True
    if divides_in_rows(attempt):
        return True
    if declares_rows(attempt) or walks_inside(attempt) or wraps_around(attempt):
        return True
    if ends_at_pointers(attempt) or embeds_calls(attempt):
        return True
    return any(
        n.kind == "CALL_EXPR" and (n.name == "omp_set_num_threads" or callees.of(n) is not None)
        for statement in attempt.statements
        for n in statement.walk()
    )


def prepared_text(attempt: Attempt, *, every: bool = True) -> bytes | None:
    """The file with a region prepared, for tests and for people; None where nothing applies."""
    found = prepare(attempt, Callees(attempt.function.unit), every=every)
    return None if found is None else found.unit.buffer.data


__all__ = [
    "Prepared",
    "PreparedBuffer",
    "calls_with_choices",
    "calls_with_loops",
    "has_preparations",
    "prepare",
    "prepared_text",
]
