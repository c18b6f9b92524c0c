"""Parallel loops become functions that threads run, and loops that spawn these threads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field, replace

from s2s.emitters.emu.atomics import Cell
from s2s.emitters.emu.reductions import Reduction, identity
from s2s.emitters.emu.workers import Header, Passed, Worker
from s2s.frontends.c.syntax import CType, Node
from s2s.frontends.c.text import identifiers
from s2s.rewriters.emu.aligned import is_static_array
from s2s.rewriters.emu.atomics import Atomics
from s2s.rewriters.emu.captures import (
    Capture,
    How,
    Member,
    address_parameter,
    captures,
    members,
    parameter,
)
from s2s.rewriters.emu.layouts import Layout, Layouts
from s2s.rewriters.emu.loops import ParallelLoop, continues
from s2s.rewriters.emu.macros import changes_of
from s2s.rewriters.emu.program import Program
from s2s.rewriters.emu.teams import declaration
from s2s.source import Span
from s2s.source.diagnostics import Diagnostic
from s2s.source.records import dataclass

_WHOLE = ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "INTEGER_LITERAL", "CALL_EXPR")
_SPREAD = (Layout.STRIPED, Layout.POINTERS)


@dataclass
class Spawning:
    """Works through the parallel loops of a program."""

    program: Program
    layouts: Layouts
    atomics: Atomics
    at_home: bool
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _counts: dict[str, int] = field(default_factory=dict)

    def plan(self, loop: ParallelLoop) -> Plan:
        """What a loop takes from outside; its uses of it are renamed. Raises Refused."""
        element = None if self.at_home else self._element(loop)
        rest = loop if element is None else _without_first(loop)
        found = captures(self.program, rest)
        taken = {n for n in identifiers(self._original(loop).encode())}
        fields = members(self.program, rest, found, taken)
        for capture in found:
            if capture.how is How.ADDRESS:
                self._rename(rest, capture)
        for member in fields:
            for node in member.nodes:
                self.program.rewriting.replace(node.span, member.name)
        return Plan(loop, rest, element, _used(rest, found, fields), fields)

    def write(self, plan: Plan) -> str:
        """Put the spawning loop in a loop's place; the functions that it needs."""
        loop = plan.loop
        name = loop.function.name
        self._counts[name] = self._counts.get(name, 0) + 1
        worker = self._worker(plan, f"s2s_{name}_{self._counts[name]}")
        indent = self._indent(loop)
        plain_place = self.program.parents[id(loop.node)].kind == "COMPOUND_STMT"
        if self.at_home:
            home, per_word = self._home(plan)
            text = worker.spawn_homes(home, per_word, indent, plain_place)
            functions = worker.for_some()
        else:
            one = self._one(plan)
            text, functions = worker.spawn_ones(one, indent, plain_place), worker.for_one(one)
            home = ""
        at_margin = not self._indent_at(loop.start) and loop.start != loop.node.span.start
        text += "\n" + changed if (changed := changes_of(self.program, loop.span)) else ""
        self.program.rewriting.replace(loop.span, indent + text if at_margin else text)
        self._say(loop, home)
        return functions

    def _say(self, loop: ParallelLoop, home: str) -> None:
        what = "a thread for each iteration"
        if self.at_home:
            where = f"at {home.format(loop.variable.name)}" if home else "where the spawner is"
            what = f"a thread for each nodelet, {where}"
        self.diagnostics.append(self.program.remark(loop.node.span, f"parallel loop: {what}"))

    def _worker(self, plan: Plan, name: str) -> Worker:
        loop = plan.loop
        own = [_own(loop, c) for c in plan.captures if c.how in (How.OWN, How.LAST)]
        return Worker(
            name,
            self._header(loop),
            [
                *map(_passed, plan.by_value()),
                *(_member(m) for m in plan.members),
                *(p for c in plan.captures if c.how is How.LAST for p in _last(loop, c)),
            ],
            own,
            [self._reduction(loop, c) for c in plan.captures if c.how is How.REDUCED],
            self._body(plan),
            continues(loop),
            lambda op, cell, place, value: self.atomics.combine(
                op, cell, place, value, remote=self.atomics.remote
            ),
            [c.name for c in plan.captures if c.how is How.LAST],
        )

    def _reduction(self, loop: ParallelLoop, capture: Capture) -> Reduction:
        type_ = capture.decl.type
        spelling = type_.canonical.replace("volatile ", "")
        cell = Cell(spelling, type_.kind, type_.size, type_.signed)
        found = Reduction(capture.name, cell, capture.op)
        try:
            identity(capture.op, cell)
        except KeyError:
            reason = f"the reduction '{capture.op}'"
            raise self.program.refused(loop.span, reason) from None
        if type_.kind not in ("int", "float") or (not found.is_apart and type_.size not in (4, 8)):
            reason = f"a reduction over '{capture.name}' of type '{type_.spelling}'"
            raise self.program.refused(loop.span, reason)
        return found

    def _header(self, loop: ParallelLoop) -> Header:
        type_ = loop.variable.type
        text = self.program.text
        return Header(
            type_.spelling.replace("const ", ""),
            loop.variable.name,
            text(loop.first),
            loop.relation,
            text(loop.bound) if loop.bound.uncast.kind in _WHOLE else f"({text(loop.bound)})",
            text(loop.step) if loop.step is not None else "1",
            loop.up,
        )

    def _one(self, plan: Plan) -> Passed | None:
        """What a thread for one iteration gets of it: an element, the variable, or both."""
        variable = plan.loop.variable
        uses = any(n.decl is variable for n in plan.rest.body.walk())
        uses = uses or any(c.how is How.LAST for c in plan.captures)
        number = Passed(parameter(variable.type, variable.name), variable.name, variable.name)
        if plan.element is None:
            return number if uses else None
        declared, value = plan.element
        assert declared.decl is not None
        name = declared.decl.name
        first = Passed(parameter(declared.type, name), self._original_text(value), name)
        if not uses:
            return first
        return Passed(
            f"{first.parameter}, {number.parameter}", f"{first.argument}, {number.argument}", name
        )

    def _element(self, loop: ParallelLoop) -> tuple[Node, Node] | None:
        """``T v = a[i];`` at the start of a body: the spawner reads it."""
        body = loop.body
        if body.kind != "COMPOUND_STMT" or not body.children:
            return None
        first = body.children[0]
        if first.kind != "DECL_STMT" or len(first.children) != 1:
            return None
        declared = first.children[0]
        value = declared.children[-1].uncast if declared.children else None
        if value is None or declared.kind != "VAR_DECL" or not self._is_home(loop, value):
            return None
        return declared, value

    def _is_home(self, loop: ParallelLoop, node: Node) -> bool:
        """Whether a node is ``a[i]`` of an array on all nodelets that the loop leaves alone."""
        if node.kind != "ARRAY_SUBSCRIPT_EXPR" or node.in_macro:
            return False
        array, index = (c.uncast for c in node.children)
        if index.decl is not loop.variable or self.layouts.layout(array) not in _SPREAD:
            return False
        return self._stays(loop, array)

    def _stays(self, loop: ParallelLoop, array: Node) -> bool:
        """Whether the spawner sees the same array as the iterations do."""
        base = array.children[0].uncast if array.kind == "MEMBER_REF_EXPR" else array
        if base.kind != "DECL_REF_EXPR" or base.decl is None:
            return False
        if is_static_array(array):
            return True  # of all threads, by one name (``move_arrays``)
        found = captures(self.program, loop)
        mine = [c for c in found if c.decl is base.decl and c.how is How.VALUE]
        if array.kind == "DECL_REF_EXPR":
            return bool(mine)
        known = members(self.program, loop, mine, set())
        return any(array in m.nodes for m in known)

    def _home(self, plan: Plan) -> tuple[str, int]:
        """Where iteration ``{}`` belongs, and how many elements there are in a word."""
        places: dict[str, list[int]] = {}
        for node in plan.loop.body.walk():
            if self._is_home(plan.loop, node):
                array = self._original_text(node.children[0].uncast)
                size = max(node.type.size, 1)
                places.setdefault(f"&{array}[{{}}]", []).append(max(8 // size, 1))
        if not places:
            return "", 1
        best = max(places, key=lambda place: len(places[place]))
        return best, places[best][0]

    def _body(self, plan: Plan) -> str:
        """The iteration's statements as lines with four blanks in front."""
        body = plan.loop.body
        if body.kind != "COMPOUND_STMT":
            text = self.program.rewriting.text(self.program.statement(body))
            return _lines(text, self._indent_at(body.span.start), first=True)
        start, end = body.span.start + 1, body.span.end - 1
        if plan.element is not None:
            start = self.program.statement(body.children[0]).end
        text = self.program.rewriting.text(Span(start, end))
        return _lines(text, self._inner_indent(text), first=False)

    def _inner_indent(self, text: str) -> str:
        for line in text.splitlines()[1:]:
            if line.strip() and not line.startswith("#"):
                return line[: len(line) - len(line.lstrip())]
        return ""

    def _indent(self, loop: ParallelLoop) -> str:
        return self._indent_at(loop.node.span.start)

    def _indent_at(self, offset: int) -> str:
        buffer = self.program.flat.buffer
        line = buffer.data[buffer.line_start(offset) : offset].decode("utf-8", "replace")
        return line[: len(line) - len(line.lstrip())]

    def _rename(self, loop: ParallelLoop, capture: Capture) -> None:
        for node in loop.body.walk():
            if node.kind == "DECL_REF_EXPR" and node.decl is capture.decl:
                if node.in_macro:
                    raise self.program.refused(node.span, "a macro names a variable of all threads")
                self.program.rewriting.replace(node.span, f"(*s2s_at_{capture.name})")

    def _original(self, loop: ParallelLoop) -> str:
        return self.program.flat.buffer.text(loop.node.span)

    def _original_text(self, node: Node) -> str:
        return self.program.flat.buffer.text(node.span)


@dataclass(frozen=True, eq=False)
class Plan:
    """A loop, the loop without the element that its spawner reads, and what it captures."""

    loop: ParallelLoop
    rest: ParallelLoop
    element: tuple[Node, Node] | None
    captures: list[Capture]
    members: list[Member]

    def by_value(self) -> list[Capture]:
        return [c for c in self.captures if c.how in (How.VALUE, How.ADDRESS)]


def _without_first(loop: ParallelLoop) -> ParallelLoop:
    """The loop as it is when the first statement of its body is gone."""
    body, node = loop.body, loop.node
    rest = Node(body.kind, body.span, body.type, body.children[1:])
    return replace(loop, node=Node(node.kind, node.span, node.type, [*node.children[:3], rest]))


def _used(loop: ParallelLoop, found: Iterable[Capture], fields: Iterable[Member]) -> list[Capture]:
    """Without those of which only fields are used that are passed themselves."""
    passed = {id(n.children[0].uncast) for m in fields for n in m.nodes}
    used = {
        id(n.decl) for n in loop.body.walk() if n.kind == "DECL_REF_EXPR" and id(n) not in passed
    }
    return [c for c in found if id(c.decl) in used]


def _own(loop: ParallelLoop, capture: Capture) -> str:
    """The declaration of a variable that each thread has for itself."""
    first = ""
    if capture.how is How.LAST and capture.name in loop.listed("firstprivate"):
        first = f" = s2s_in_{capture.name}"
    return f"{declaration(_unqualified(capture.decl.type), capture.name)}{first};"


def _last(loop: ParallelLoop, capture: Capture) -> list[Passed]:
    """Where the value of the last iteration goes, and with which value threads begin."""
    type_, name = _unqualified(capture.decl.type), capture.name
    place = Passed(parameter(type_, f"*s2s_at_{name}"), f"&{name}", f"s2s_at_{name}")
    if name not in loop.listed("firstprivate"):
        return [place]
    return [place, Passed(parameter(type_, f"s2s_in_{name}"), name, f"s2s_in_{name}")]


def _passed(capture: Capture) -> Passed:
    name, type_ = capture.name, capture.decl.type
    if capture.how is How.ADDRESS:
        return Passed(address_parameter(type_, f"s2s_at_{name}"), f"&{name}", f"s2s_at_{name}")
    return Passed(parameter(_unqualified(type_), name), name, name)


def _unqualified(type_: CType) -> CType:
    """The type of a parameter: what it points to may be const, it itself need not be."""
    spelling = type_.spelling
    if type_.kind == "pointer":
        spelling = re.sub(r"\*\s*const$", "*", spelling)
    elif type_.kind != "array":
        spelling = re.sub(r"^const ", "", spelling)
    return replace(type_, spelling=spelling)


def _member(member: Member) -> Passed:
    return Passed(parameter(_unqualified(member.type), member.name), member.text, member.name)


def _lines(text: str, indent: str, *, first: bool) -> str:
    """Lines with another indent; ``first`` if the first one begins in mid line."""
    found = []
    for number, line in enumerate(text.splitlines()):
        if line.startswith("#"):
            found.append(line)
        elif number == 0 and first:
            found.append(f"    {line}")
        elif line.strip():
            found.append(
                "    " + (line.removeprefix(indent) if line.startswith(indent) else line.lstrip())
            )
        elif found:
            found.append("")
    while found and not found[-1].strip():
        found.pop()
    return "".join(f"{line}\n" for line in found)
