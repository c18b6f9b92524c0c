"""Goes through a program in its order and keeps what is known of its memory.

Branches are both taken, and what they leave is joined. A loop that only changes numbers and arrays
is looked at as a whole (``loops``); of others, what holds in each round is found by going through
them until nothing new comes up. Wherever a loop is come to, the state is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.facts import initializer, size_expressions
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.c.text import next_token
from s2s.frontends.c.unit import Unit
from s2s.frontends.openmp.constructs import Attached
from s2s.frontends.openmp.directives import Directive
from s2s.rewriters.graphs.edge_lists.contents import Guards
from s2s.rewriters.graphs.edge_lists.expressions import Frame
from s2s.rewriters.graphs.edge_lists.guards import guard
from s2s.rewriters.graphs.edge_lists.loops import Loops
from s2s.rewriters.graphs.edge_lists.memory import State, fresh, joined, plain_type
from s2s.rewriters.graphs.edge_lists.operations import bytes_of, unknown
from s2s.rewriters.graphs.edge_lists.terms import Lin, Object, Value
from s2s.source.records import dataclass

_MOST_ROUNDS = 8
_MOST_STEPS = 60_000
_ONE = frozenset({"for", "single", "master", "masked", "critical", "atomic", "simd", "for simd",
                  "parallel for", "parallel for simd", "barrier", "flush", "ordered"})  # fmt: skip
_OWN = ("private", "firstprivate", "lastprivate", "reduction", "linear", "copyprivate")


class TooLong(Exception):
    """A program has more paths than are gone through."""


@dataclass
class Visit:
    """The state in which a loop is come to, and the variables there."""

    state: State
    variables: dict[Decl, Object]
    function: Node


@dataclass
class Machine(Loops):
    """Runs functions of a file. ``visits`` are by the ``id`` of loops, ``skipped`` has reasons."""

    unit: Unit
    state: State = field(default_factory=State)
    frame: Frame = None  # type: ignore[assignment]
    globals: dict[Decl, Object] = field(default_factory=dict)
    visits: dict[int, list[Visit]] = field(default_factory=dict)
    skipped: dict[int, str] = field(default_factory=dict)
    changed: dict[int, set[Object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        data = self.unit.buffer.data
        self.attached = Attached(self.unit.pragmas, lambda offset: next_token(data, offset))
        self.own = {id(self.unit.convert(c)) for c in self.unit.functions()}
        self.made: dict[Any, Object] = {}
        self.steps = 0
        self.looped = False
        self.wide = False
        self.trace = None
        self.exits: list[list[State]] = []
        self.known_members: dict[str, list[tuple[str, str]]] = {}

    # -- statements -------------------------------------------------------------------------

    def body(self, function: Node) -> None:
        if {"GOTO_STMT", "INDIRECT_GOTO_STMT", "ASM_STMT", "LABEL_STMT"} & function.kinds:
            self._give_up(function, "has jumps")
            return
        self.statement(function.children[-1])

    def members(self, type_: CType) -> list[tuple[str, str]]:
        name = plain_type(type_)
        if name not in self.known_members:
            cursor = self.record(name)
            found = [] if cursor is None else list(cursor.type.get_canonical().get_fields())
            kinds = [(f.spelling, self.unit.converter.type_of(f).kind) for f in found]
            self.known_members[name] = kinds
        return self.known_members[name]

    def record(self, name: str) -> Any:
        """The cursor of a struct's definition, by its name or that of its type."""
        for cursor in self.unit.declared:
            if clang.kind(cursor) in ("STRUCT_DECL", "TYPEDEF_DECL"):
                type_ = cursor.type.get_canonical()
                words = [w for w in type_.spelling.split() if w != "const"]
                if " ".join(words) == name:
                    return type_.get_declaration()
        return None

    def _give_up(self, node: Node, why: str) -> None:
        """Nothing is known after a statement, and its loops are not looked at."""
        self.skip(node, why)
        for owner in [*self.state.objects(), *self.made.values()]:
            self.state.escaped.add(owner)
            self.state.forget(owner, (node, why))
        for place in list(self.state.cells):
            del self.state.cells[place]
        for owner in {*self.globals.values(), *self.frame.variables.values()}:
            self.state.forget(owner, (node, why))
        if "RETURN_STMT" in node.kinds:
            self.frame.returns.append((self.state.copy(), unknown()))

    def skip(self, node: Node, why: str) -> None:
        waiting, seen = [node], set()
        while waiting:
            for part in waiting.pop().walk():
                if part.is_loop:
                    self.skipped[id(part)] = why
                function = self.definition(part) if part.kind == "CALL_EXPR" else None
                if function is not None and id(function) not in seen:
                    seen.add(id(function))
                    waiting.append(function)

    def statement(self, node: Node) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TooLong
        if self.state.dead:
            return
        directives = self._directives(node)
        wide, self.wide = self.wide, self._is_wide(directives)
        self._plain(node)
        self.wide = wide
        self._forget_own(directives)

    def _plain(self, node: Node) -> None:
        kind = node.kind
        if kind == "COMPOUND_STMT":
            for child in node.children:
                self.statement(child)
        elif kind == "DECL_STMT":
            for child in node.children:
                self._declaration(child)
        elif kind == "IF_STMT":
            self._branch(node)
        elif node.is_loop:
            self._loop(node)
        elif kind == "RETURN_STMT":
            value: Value = self.value(node.children[0]) if node.children else unknown()
            self.frame.returns.append((self.state.copy(), value))
            self.state.dead = True
            self.state.gone = self.trace is not None and self.frame is self.trace.frame
        elif kind in ("BREAK_STMT", "CONTINUE_STMT"):
            self.exits[-1].append(self.state.copy())
            self.state.dead = True
            if self.trace is not None and kind == "BREAK_STMT":
                self.trace.odd = True
        elif kind in ("SWITCH_STMT", "CASE_STMT", "DEFAULT_STMT"):
            self._give_up(node, "is a switch")
        elif kind != "NULL_STMT":
            self.value(node)

    def _directives(self, node: Node) -> Sequence[Directive]:
        if id(self.frame.function) not in self.own:
            return ()
        return self.attached.before(node.span.start)

    def _is_wide(self, directives: Sequence[Directive]) -> bool:
        """Whether several threads do all of a statement."""
        if any(d.name not in _ONE for d in directives):
            return True
        return self.wide and not any(d.name != "atomic" for d in directives)

    def _forget_own(self, directives: Sequence[Directive]) -> None:
        """Variables that threads have for themselves are not what they were set to."""
        names = {v for d in directives for v in d.listed(*_OWN)}
        names |= {v for d in directives for c in d.all("reduction") for v in c.names()}
        for decl in [*self.frame.variables, *self.globals]:
            if decl.name in names and not self.state.dead:
                owner = self.variable(decl)
                for place in [p for p in self.state.cells if p[0] is owner]:
                    self.state.escape(self.state.cells[place])
                if decl.type.kind != "pointer":
                    self.state.forget(owner)

    def _declaration(self, node: Node) -> None:
        if node.kind != "VAR_DECL" or node.decl is None:
            return
        if node.decl.is_static or node.decl.is_global:
            self.variable(node.decl).lasting = True
            return
        first = initializer(node)
        value = self.value(first) if first is not None else None
        owner = self.variable(node.decl)
        if node.type.kind == "array":
            owner.size = self._size(node)
            self.declare(node, None)
            if value is not None:
                self._release(value)
            return
        if value is None and node.type.kind in ("int", "float"):
            value = unknown()
        self.declare(node, value)

    def _size(self, node: Node) -> Lin | None:
        sizes = [self.whole(s) for s in size_expressions(node)]
        if not sizes:
            return bytes_of(node.type)
        inner = node.type.element
        if len(sizes) != 1 or inner is None or inner.kind == "array":
            return None
        return sizes[0].scaled(inner.size)

    def _branch(self, node: Node) -> None:
        condition, then, *otherwise = node.children
        asked = self.value(condition)
        guards: tuple[Guards, Guards] = guard(asked)
        before = self.state.copy()
        outside = self.state.guards
        self.state.guards |= guards[0]
        self.statement(then)
        after, self.state = self.state, before
        self.state.guards |= guards[1]
        for child in otherwise:
            self.statement(child)
        if after.dead and after.gone:
            self.state.guards = outside  # or else the loop is not gone on with
        found = joined([after, self.state], fresh())
        if found is None:
            self.state.dead = True
        else:
            self.state = found

    # -- loops ------------------------------------------------------------------------------

    def _loop(self, node: Node) -> None:
        if self.trace is not None:
            self.inner(node)
            return
        if node.kind == "FOR_STMT" and len(node.children) == 4:
            self._start(node.children[0])
        self.visits.setdefault(id(node), []).append(
            Visit(self.state.copy(), dict(self.frame.variables), self.frame.function)
        )
        before = self.state.copy()
        if self.is_simple(node):
            self.simple(node)
        else:
            self._rounds(node)
        self._note(node, before)

    def _note(self, node: Node, before: State) -> None:
        """Remember whose contents a loop may change."""
        found = self.changed.setdefault(id(node), set())
        state = self.state
        for array in {*state.versions, *before.versions, *state.contents, *before.contents}:
            if state.version(array) != before.version(array):
                found.add(array[0])
        found |= {o for o in state.epochs if state.epochs[o] != before.epochs.get(o, 0)}

    def _start(self, node: Node) -> None:
        if node.kind.endswith("STMT"):
            self.statement(node)
        else:
            self.value(node)

    def _rounds(self, node: Node) -> None:
        """A loop that changes pointers: what holds at the beginning of each round."""
        tag = fresh()
        looped, self.looped = self.looped, True
        head = self.state
        for _ in range(_MOST_ROUNDS):
            self.state = head.copy()
            self.exits.append([])
            self._round(node)
            left = self.exits.pop()
            found = joined([head, self.state, *left], tag)
            assert found is not None
            if _same(found, head):
                break
            head = found
        else:
            self.state = head
            self._give_up(node, "changes too much")
            head = self.state
        self.looped = looped
        self.state = head

    def _round(self, node: Node) -> None:
        """One round: the body, and what the header does, in any order that is possible."""
        if node.kind == "WHILE_STMT" or (node.kind == "FOR_STMT" and len(node.children) == 4):
            condition, *parts, body = node.children[-3:] if node.kind == "FOR_STMT" else (
                node.children)  # fmt: skip
            self._start(condition)
        else:
            body = node.children[0 if node.kind == "DO_STMT" else -1]
            parts = [c for c in node.children if c is not body]
            before = self.state.copy()
            for part in parts:
                self._start(part)
            found = joined([before, self.state], fresh())
            self.state = before if found is None else found
        self.statement(body)
        continued = joined([self.state, *self.exits[-1]], fresh())
        if continued is not None:
            self.state = continued
        for part in parts:
            if not self.state.dead:
                self._start(part)

    def enter(self, node: Node) -> None:
        """Go through a loop's body for the loops in it, from the state as it is."""
        kept = self.state.copy()
        looped, self.looped = self.looped, True
        self.exits.append([])
        self._round(node)
        self.exits.pop()
        self.looped = looped
        self.state = kept

    def variable_at(self, decl: Decl, visit: Visit) -> Object | None:
        """The object of a variable where a loop is come to."""
        if decl.is_local and not decl.is_static:
            return visit.variables.get(decl)
        return self.globals.get(decl)


def _same(one: State, other: State) -> bool:
    return (
        one.cells == other.cells and one.contents == other.contents
        and one.versions == other.versions and one.epochs == other.epochs
    )  # fmt: skip
