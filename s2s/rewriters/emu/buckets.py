"""Serial loops that put things into vertices: each nodelet does it to its own, in the same order.

    for (...) {                                    for (...) {
        read source, target;                           read source, target;
        insert(&vs[source]->out, target);              a record goes to the bucket of vs[source]
    }                                              }
                                                   a thread for each nodelet works its bucket off

The thread that reads stays where it is: records are stores, and stores do not migrate. Where a
bucket is full, all are emptied. It is the same as before if what is put off touches memory of its
own vertex only (``owned``), in the order in which that vertex was named, and nothing of what goes
on in the meantime.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property

from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.emu.layouts import Layout, Layouts
from s2s.rewriters.emu.loops import ParallelLoop
from s2s.rewriters.emu.objects import Objects
from s2s.rewriters.emu.owned import Code, NotOwned, fields_inside, touched
from s2s.rewriters.emu.program import Program, root, written
from s2s.rewriters.emu.region import is_closed
from s2s.rewriters.emu.unique import unique_fields
from s2s.source.records import dataclass

_LEAVES = frozenset({"GOTO_STMT", "RETURN_STMT", "LABEL_STMT", "INDIRECT_GOTO_STMT"})
_JUMPS = frozenset({"BREAK_STMT", "CONTINUE_STMT"})


# What is put off is run by a function of its own, before this one, where its types are not known.
_TYPES = re.compile(rb"\b(?:typedef\b|(?:struct|union|enum)\b[^;(){}=]*\{)")


@dataclass(frozen=True, eq=False)
class Put:
    """A statement that is put off.

    ``variable`` is the pointer to its vertex, or ``element`` the expression ``vs[index]`` for it.
    ``given`` are the arguments, or the uses of variables, that are worked out before.
    """

    node: Node
    variable: Decl | None
    element: Node | None
    given: tuple[Node, ...]
    code: Code


@dataclass(frozen=True, eq=False)
class Building:
    """A serial loop with its puts; ``homes`` are where their variables get their vertices."""

    loop: Node
    function: Node
    puts: tuple[Put, ...]
    homes: dict[Decl, tuple[Node, ...]]


@dataclass
class Buckets:
    """Finds the loops of a program."""

    program: Program
    objects: Objects
    layouts: Layouts
    loops: Sequence[ParallelLoop]
    _owner: dict[int, bool] = field(default_factory=dict)

    def find(self) -> list[Building]:
        if not is_closed(self.program) or not self._arrays or self._ends_late:
            return []
        threads = self.program.reached([loop.body for loop in self.loops])
        found: list[Building] = []
        for decl, function in self.program.functions.items():
            text = self.program.data[function.span.start : function.span.end]
            if decl in threads or _TYPES.search(text):
                continue
            for node in function.walk():
                inside = any(node.span in other.loop.span for other in found)
                if node.is_loop and not inside and self._is_serial(node):
                    building = self._building(node, function)
                    if building is not None:
                        found.append(building)
        return found

    @cached_property
    def _ends_late(self) -> bool:
        """Whether something may run after ``exit``, or beside the first thread."""
        names = ("atexit", "on_exit", "signal", "setjmp", "longjmp", "at_quick_exit")
        nodes = (n for f in self.program.functions.values() for n in f.walk())
        return b"cilk_spawn" in self.program.data or any(
            n.kind == "CALL_EXPR" and n.name in names for n in nodes
        )

    @cached_property
    def _unique(self) -> frozenset[Decl]:
        return unique_fields(self.program, self.objects)

    @cached_property
    def _arrays(self) -> set[int]:
        """Arrays of pointers whose elements are only ever the blocks that come with them."""
        arrays = {n for n, layout in self.layouts.of.items() if layout is Layout.POINTERS}
        blocks = {
            id(site.destination)
            for number, sites in self.objects.sites.items()
            if self.layouts.of.get(number) is Layout.BLOCK
            for site in sites
        }
        for node in (n for f in self.program.functions.values() for n in f.walk()):
            place = written(node)
            if place is not None and place.kind != "DECL_REF_EXPR" and id(place) not in blocks:
                where = self.objects.location(place)
                if where is not None and place.kind != "MEMBER_REF_EXPR":
                    arrays.discard(self.objects.find(where))
        return arrays

    def work_out_addresses(self) -> None:
        """Write addresses of blocks in place of reading them where both are known to be equal."""
        for function in self.program.functions.values():
            stored = {id(w) for n in function.walk() if (w := written(n)) is not None}
            for node in function.walk():
                inside = any(node.span in loop.span for loop in self.loops)
                if inside or id(node) in stored or not self._is_element(node):
                    continue
                text = self.layouts.address(node, function)
                if text:
                    above = self.program.parents[id(node)]
                    if above.kind not in ("VAR_DECL", "CALL_EXPR") and above.op != "=":
                        text = f"(({node.type.spelling}){text})"
                    self.program.rewriting.replace(node.span, text)

    def _is_serial(self, node: Node) -> bool:
        inside = any(node.span in loop.span or loop.span in node.span for loop in self.loops)
        marked = any(d.span in node.span for d in self.program.unit.pragmas)
        above = self.program.parents[id(node)]
        if above.kind != "COMPOUND_STMT":
            return False
        return not inside and not marked and not node.in_macro and not node.kinds & _LEAVES

    def _building(self, loop: Node, function: Node) -> Building | None:
        homes = self._homes(loop, function)
        puts = tuple(self._puts(loop.children[-1 if loop.kind != "DO_STMT" else 0], loop, homes))
        reads = any(put.code.read for put in puts)
        if not puts or not reads or not self._is_apart(loop, puts):
            return None
        used = {put.variable for put in puts}
        return Building(loop, function, puts, {d: n for d, n in homes.items() if d in used})

    def _homes(self, loop: Node, function: Node) -> dict[Decl, tuple[Node, ...]]:
        """Local pointers that are only ever ``vs[index]``, and where they become so."""
        found: dict[Decl, list[Node]] = {}
        bad: set[Decl | None] = set()
        for node in function.walk():
            place, value = written(node), None
            if node.kind == "VAR_DECL" and node.type.kind == "pointer" and not node.in_macro:
                if not node.children:
                    continue
                decl, value = node.decl, node.children[-1].uncast
            elif place is not None and place.kind == "DECL_REF_EXPR":
                decl = place.decl
                value = node.children[1].uncast if node.op == "=" else None
            else:
                continue
            usable = value is not None and self._is_element(value) and node.span in loop.span
            if decl is None or not usable or not self._is_placed(node) or decl.is_static:
                bad.add(decl)
            else:
                found.setdefault(decl, []).append(node)
        return {d: tuple(n) for d, n in found.items() if d not in bad and not d.is_global}

    def _is_placed(self, node: Node) -> bool:
        """Whether a statement can follow."""
        above = self.program.parents[id(node)]
        if above.kind == "DECL_STMT":
            above = self.program.parents[id(above)]
        return above.kind == "COMPOUND_STMT" and not node.in_macro

    def _is_element(self, node: Node) -> bool:
        """Whether an expression is ``vs[index]`` for an array of blocks, with no other effect."""
        if node.kind != "ARRAY_SUBSCRIPT_EXPR" or node.in_macro:
            return False
        target = self.objects.target(node.children[0])
        if target is None or self.objects.find(target) not in self._arrays:
            return False
        return not any(n.kind == "CALL_EXPR" or written(n) is not None for n in node.walk())

    def _puts(self, node: Node, loop: Node, homes: dict[Decl, tuple[Node, ...]]) -> Iterator[Put]:
        for statement in node.statements if node.kind == "COMPOUND_STMT" else [node]:
            if statement.kind in ("DECL_STMT", "NULL_STMT"):
                continue
            put = self._put(statement, homes)
            if put is not None:
                yield put
            elif statement.kind == "IF_STMT":
                for branch in statement.children[1:]:
                    yield from self._puts(branch, loop, homes)
            elif statement.kind == "COMPOUND_STMT":
                yield from self._puts(statement, loop, homes)
            elif statement.is_loop:
                body = statement.children[-1 if statement.kind != "DO_STMT" else 0]
                yield from self._puts(body, loop, homes)

    def _put(self, node: Node, homes: dict[Decl, tuple[Node, ...]]) -> Put | None:
        """A statement as one that a vertex's own thread can run."""
        if node.in_macro or (not node.is_loop and node.kinds & _JUMPS):
            return None
        elements = {self._words(n): n for n in node.walk() if self._is_element(n)}
        variables = {n.decl for n in node.walk() if n.decl in homes}
        owners: list[tuple[Decl | None, Node | None]] = [(d, None) for d in variables]
        owners.sort(key=lambda one: one[0].name if one[0] else "")
        owners += [(None, element) for element in elements.values()]
        for variable, element in owners:
            put = self._owned_by(node, variable, element)
            if put is not None:
                return put
        return None

    def _owned_by(self, node: Node, variable: Decl | None, element: Node | None) -> Put | None:
        words = self._words(element) if element is not None else ""

        def is_owner(one: Node) -> bool:
            if variable is not None:
                return one.kind == "DECL_REF_EXPR" and one.decl is variable
            return one.kind == "ARRAY_SUBSCRIPT_EXPR" and self._words(one) == words

        owners = {id(n) for n in node.walk() if is_owner(n)}
        given = self._given(node, owners)
        if given is None:
            return None
        code = Code(
            self.program,
            self.objects,
            self._unique,
            lambda one: id(one) in owners,
            frozenset(map(id, given)),
        )
        try:
            code.run([node])
        except NotOwned:
            return None
        return Put(node, variable, element, given, code) if code.written else None

    def _given(self, node: Node, owners: set[int]) -> tuple[Node, ...] | None:
        """What is worked out before: a call's other arguments, and variables of the loop."""
        found: list[Node] = []
        tops = [node]
        if node.kind == "CALL_EXPR":
            tops = []
            for argument in node.children[1:]:
                is_plain = argument.uncast.kind == "DECL_REF_EXPR" or argument.kinds <= _NUMBERS
                if is_plain or any(id(n) in owners for n in argument.walk()):
                    tops.append(argument)
                elif argument.type.scalar and not argument.in_macro:
                    found.append(argument)
                else:
                    return None
        declared = {n.decl for n in node.walk() if n.kind == "VAR_DECL"}
        written_here = {r.decl for n in node.walk() if (w := written(n)) and (r := root(w))}
        for top in tops:
            for use in _outside(top, owners):
                decl = use.decl
                if use.kind != "DECL_REF_EXPR" or decl is None or decl in declared:
                    continue
                if decl.kind not in ("VAR_DECL", "PARM_DECL") or decl.is_global or decl.is_static:
                    continue
                if not use.type.scalar or use.type.volatile or decl in written_here:
                    return None
                found.append(use)
        odd = any(set("[(") & set(one.type.spelling) for one in found)
        return None if odd else tuple(found)

    def _is_apart(self, loop: Node, puts: Sequence[Put]) -> bool:
        """Whether the rest of a loop leaves alone what is put off, and the reverse."""
        later: set[int] = set()
        changed: set[int] = set()
        asked: set[Decl] = set()
        for put in puts:
            later |= put.code.read | put.code.written
            changed |= put.code.written
            asked |= put.code.globals
        rest = list(_without(loop, puts))
        called = self.program.reached(rest_node for rest_node in rest if rest_node.kind in _NAMES)
        rest += [n for d in called for n in self.program.functions[d].walk()]
        try:
            read, stored, variables = self._effects(rest)
        except NotOwned:
            return False
        return not (read & changed or stored & later or variables & asked)

    def _effects(self, nodes: Sequence[Node]) -> tuple[set[int], set[int], set[Decl | None]]:
        """The objects that nodes read and write, and the variables that they write."""
        read: set[int] = set()
        stored: set[int] = set()
        variables: set[Decl | None] = set()
        for node in nodes:
            is_access = node.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR") or (
                node.kind == "UNARY_OPERATOR" and node.op == "*"
            )
            if is_access:
                read.update(touched(self.objects, node))
            place = written(node)
            if place is not None:
                top = root(place)
                variables.add(top.decl if top is not None else None)
                if place.kind != "DECL_REF_EXPR":
                    stored.update(touched(self.objects, place))
            if node.kind == "CALL_EXPR" and node.decl not in self.program.functions:
                if node.decl is None or node.decl.kind != "FUNCTION_DECL":
                    raise NotOwned("a function is called through a pointer")
                for argument in node.children[1:]:
                    if argument.uncast.type.kind in ("pointer", "array"):
                        target = self.objects.target(argument)
                        if target is not None:
                            stored.add(self.objects.find(target))
                            stored.update(fields_inside(self.objects, argument.uncast.type))
        return read, stored, variables

    def _words(self, node: Node) -> str:
        return "".join(self.program.flat.buffer.text(node.span).split())


_NUMBERS = frozenset({"INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "IMPLICIT_CAST"})
_NAMES = ("DECL_REF_EXPR", "CALL_EXPR")


def _outside(node: Node, owners: set[int]) -> Iterator[Node]:
    """The nodes below one that are in no pointer to the vertex."""
    if id(node) in owners:
        return
    yield node
    for child in node.children:
        yield from _outside(child, owners)


def _without(loop: Node, puts: Sequence[Put]) -> Iterator[Node]:
    """The nodes of a loop that run at once: those of puts only where they are given."""
    later = {id(put.node): put for put in puts}
    waiting = [loop]
    while waiting:
        node = waiting.pop()
        put = later.get(id(node))
        if put is None:
            yield node
            waiting += node.children
            continue
        waiting += put.given
        if put.element is not None:
            waiting.append(put.element)
