"""A loop's body in three parts: what prepares a call, the call, and what uses its results.

::

    for (k ..) {                     the head: seed = ..., and what it needs from head to head
        seed = ... k ...;            the call: run
        run(n, &seed, row);          the rest: s += ...
        for (i ..) s += row[i]; }

The head of later iterations, and the call, may run before the rest of earlier ones where the head
reads nothing that the rest writes, and where what both set is not read by the rest before it has
set it anew, or can be kept for each lane (backward slicing, Weiser, ICSE 1981; distribution of
loops with scalar expansion, Allen and Kennedy, sections 5.3 and 6.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from s2s.frontends.c.liveness import dead_after
from s2s.frontends.c.lvalues import resolve
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.idioms.loops import CountedLoop, Unproved, Unsuitable
from s2s.rewriters.interleaving.flow import (
    Flow,
    MemoryUse,
    Reader,
    Tracked,
    keeps_no_pointers,
    may_be_same,
    pointed_variable,
)
from s2s.rewriters.interleaving.operands import Parameter, Role
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Row:
    """Where a call stores. ``array`` is one that each iteration fills anew; None: its own place."""

    argument: Node
    array: Decl | None
    uses: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Slices:
    """The parts of a loop's body, each in the order of the text.

    ``kept`` are variables of which each lane's value is kept for the rest; ``declared`` those of
    the head or the call that the body declares.
    """

    loop: CountedLoop
    call: Node
    callee: Node
    parameters: tuple[Parameter, ...]
    arguments: tuple[Node, ...]
    row: Row
    head: tuple[Node, ...]
    rest: tuple[Node, ...]
    kept: tuple[Decl, ...]
    declared: tuple[Decl, ...]


class Slicer:
    """Takes one loop apart. Raises Unsuitable, or Unproved where order may matter."""

    def __init__(
        self, function: Function, loop: CountedLoop, call: Node, callee: Node, *, shared: bool
    ) -> None:
        self.function = function
        self.loop = loop
        self.call = call
        self.callee = callee
        self.shared = shared
        self.tracked = Tracked(function)
        self.reader = Reader(function, self.tracked)
        self.body = list(loop.body.children)
        self.place = next(i for i, s in enumerate(self.body) if s is call)
        self.flows = [Flow() if s is call else self.reader.read([s]) for s in self.body]

    def slices(self) -> Slices:
        """The parts, proved."""
        for node in _leaving(self.loop.body):
            raise Unsuitable(node, "the loop may be left, or an iteration ended")
        pairs = self._arguments()
        cells = [v for a, p in pairs if p.role is Role.CELL and (v := pointed_variable(a))]
        if len(set(cells)) != len(cells):
            raise Unsuitable(self.call, "a variable is handed over twice")
        (row_argument,) = [a for a, p in pairs if p.role is Role.ROW]
        row = self._row(row_argument)
        call = self._call_flow([a for a, p in pairs if p.role is not Role.CELL], cells, row)
        chosen = self._slice(call, cells)
        head = [i for i in range(len(self.body)) if i in chosen]
        rest = [i for i in range(len(self.body)) if i not in chosen and i != self.place]
        before = self._combined([*(i for i in head if i < self.place)])
        self._check_head(head, rest, call)
        self._check_memory(head, rest, row, row_argument, call)
        set_by_head = set().union(*(self.flows[i].writes for i in head)) if head else set()
        kept = self._kept(head, rest, set_by_head, set(cells), before)
        declared = tuple(d for i in head for d in _declared(self.body[i]))
        used = set(cells) | {d for i in rest for d in self.flows[i].reads | self.flows[i].writes}
        return Slices(
            self.loop, self.call, self.callee, tuple(p for _, p in pairs),
            tuple(a for a, _ in pairs), row, tuple(self.body[i] for i in head),
            tuple(self.body[i] for i in rest), tuple(kept),
            tuple(d for d in declared if d in used),
        )  # fmt: skip

    # -- the call ---------------------------------------------------------------------------

    def _arguments(self) -> list[tuple[Node, Parameter]]:
        decls = [n.decl for n in self.callee.children if n.kind == "PARM_DECL"]
        arguments = self.call.children[1:]
        if len(decls) != len(arguments) or not keeps_no_pointers(self.function, self.call):
            raise Unsuitable(self.call, f"'{self.call.name}' is not called plainly")
        varying = {d for flow in self.flows for d in flow.writes} | {self.loop.counter.decl}
        varying |= {v for a in arguments if (v := pointed_variable(a)) is not None}
        found = []
        for decl, argument in zip(decls, arguments, strict=True):
            assert decl is not None
            found.append((argument, Parameter(decl, self._role(decl, argument, varying))))
        if sum(p.role is Role.ROW for _, p in found) != 1:
            raise Unsuitable(self.call, f"'{self.call.name}' does not fill one row")
        return found

    def _role(self, decl: Decl, argument: Node, varying: set[Decl]) -> Role:
        if decl.type.kind in ("int", "float"):
            return Role.VARYING if any(d in varying for d in argument.decls) else Role.UNIFORM
        element = decl.type.element
        if decl.type.kind != "pointer" or element is None or element.kind not in ("int", "float"):
            raise Unsuitable(self.call, f"'{self.call.name}' takes what lanes cannot have")
        variable = pointed_variable(argument)
        if variable is None:
            return Role.ROW
        if variable not in self.tracked or _plain(variable) != _plain_name(element.spelling):
            raise Unsuitable(self.call, f"'{variable.name}' is no plain variable")
        return Role.CELL

    def _call_flow(self, values: Sequence[Node], cells: Sequence[Decl], row: Row) -> Flow:
        """What the call reads and sets besides its row."""
        plain = [v for v in values if row.array is None or v is not row.argument]
        flow = Flow()
        for value in plain:
            one = self._address(value) if value is row.argument else self.reader.read([value])
            if one.writes or one.output or any(m.write for m in one.memory):
                raise Unsuitable(self.call, "an argument does more than compute a value")
            flow.reads |= one.reads
            flow.exposed |= one.exposed
            flow.memory += one.memory
        if row.array is not None:
            names = [d for d in row.argument.decls if d is not None and d is not row.array]
            flow.reads |= set(names)
            flow.exposed |= set(names)
        flow.reads |= set(cells)
        flow.exposed |= set(cells)
        flow.writes |= set(cells)
        return flow

    def _address(self, node: Node) -> Flow:
        """What it takes to compute the address of a row."""
        bare = node.uncast
        if bare.kind == "UNARY_OPERATOR" and bare.op == "&":
            found = self.reader.read([bare.children[0]])
            found.memory = [m for m in found.memory if m.node is not bare.children[0]]
            return found
        return self.reader.read([node])

    def _row(self, argument: Node) -> Row:
        """An array that all iterations fill in the same place, or a place for each iteration."""
        arrays = {
            n.decl for n in argument.walk()
            if n.kind == "DECL_REF_EXPR" and n.decl is not None and n.type.kind == "array"
        }  # fmt: skip
        varying = {d for flow in self.flows for d in flow.writes} | {self.loop.counter.decl}
        if len(arrays) != 1 or any(d in varying for d in argument.decls):
            return Row(argument, None)
        (array,) = arrays
        element = array.type.element
        if element is None or not element.scalar or array.type.count is None:
            return Row(argument, None)
        others = [d for d in argument.decls if d is not None and d is not array]
        if not _is_offset(argument) or any(d not in self.tracked for d in others):
            raise Unsuitable(argument, "the row's address is not understood")
        return Row(argument, array, tuple(self._uses(array)))

    def _uses(self, array: Decl) -> list[Node]:
        """The references of the loop to an array, all of them to load elements."""
        found = []
        for place, statement in enumerate(self.body):
            if place == self.place:
                continue
            if place < self.place and array in statement.decls:
                raise Unproved(statement, f"'{array.name}' is used before the call")
            loads = {
                id(n.children[0].bare) for n in statement.walk()
                if n.kind == "ARRAY_SUBSCRIPT_EXPR" and n.type.scalar
            }  # fmt: skip
            stored = {id(n.children[0]) for n in statement.walk() if n.assigns}
            for node in statement.walk():
                if id(node) in stored and node.kind == "ARRAY_SUBSCRIPT_EXPR" and (
                    node.children[0].bare.decl is array
                ):  # fmt: skip
                    raise Unproved(node, f"'{array.name}' is changed after the call")
                if node.kind == "DECL_REF_EXPR" and node.decl is array:
                    if id(node) not in loads or node.in_macro:
                        raise Unproved(node, f"'{array.name}' is used for more than its elements")
                    found.append(node)
        return found

    # -- slicing ----------------------------------------------------------------------------

    def _slice(self, call: Flow, cells: Sequence[Decl]) -> set[int]:
        """The statements that the call's operands depend on, from any iteration before."""
        chosen: set[int] = set()
        need = set(call.exposed)
        order = [*reversed(range(self.place)), *reversed(range(self.place, len(self.body)))]
        seen: set[tuple[frozenset[Decl], frozenset[int]]] = set()
        while (state := (frozenset(need), frozenset(chosen))) not in seen:
            seen.add(state)
            for place in order:
                flow = self.flows[place]
                if place == self.place and need & set(cells):
                    name = min(d.name for d in need & set(cells))
                    raise Unproved(self.call, f"'{name}' goes on from call to call")
                if flow.writes & need:
                    chosen.add(place)
                    need = (need - flow.set_) | flow.exposed
        return chosen

    def _combined(self, places: Iterable[int]) -> Flow:
        return self.reader.read([self.body[i] for i in places])

    # -- proofs -----------------------------------------------------------------------------

    def _check_head(self, head: list[int], rest: list[int], call: Flow) -> None:
        counter = self.loop.counter.decl
        for place, flow in enumerate(self.flows):
            if counter in flow.writes:
                raise Unsuitable(self.body[place], f"'{counter.name}' is set in the loop")
        for place in head:
            flow = self.flows[place]
            if flow.output or any(m.write for m in flow.memory):
                raise Unproved(self.body[place], "what prepares the call has effects")
        for place in rest:
            if self.flows[place].output:
                raise Unproved(self.body[place], "the loop prints")
        if self.shared:
            whole = Flow()
            done: set[Decl] = set()
            for place in sorted([*head, self.place]):
                flow = call if place == self.place else self.flows[place]
                whole.exposed |= flow.exposed - done
                done |= flow.set_
                whole.writes |= flow.writes
            if carried := whole.exposed & whole.writes:
                name = min(d.name for d in carried)
                raise Unproved(self.call, f"'{name}' goes on from iteration to iteration")

    def _check_memory(
        self, head: list[int], rest: list[int], row: Row, argument: Node, call: Flow
    ) -> None:
        """Nothing that is read early, the bound included, is written in the loop."""
        early = [*call.memory, *(m for i in head for m in self.flows[i].memory)]
        bound = self.reader.read([self.loop.bound_node])
        if bound.writes or bound.output or any(m.write for m in bound.memory):
            raise Unsuitable(self.call, "the loop's bound has effects")
        early += bound.memory
        later = [m for i in rest for m in self.flows[i].memory]
        written = [m for m in later if m.write]
        element = argument.uncast.type.element
        assert element is not None
        if row.array is None:
            if self.shared:
                raise Unproved(argument, "rows of other threads' iterations would be filled")
            stored = MemoryUse(self._root(argument), element, True, argument)
            written.append(stored)
            if any(self._meet(stored, m) for m in later):
                raise Unproved(argument, "the loop may use what the call stores")
        else:
            self._check_array(row.array, later)
            written.append(MemoryUse(row.array, element, True, argument))
        for use in early:
            if any(self._meet(use, other) for other in written):
                raise Unproved(use.node, "the loop may write what prepares the call")
        changed = {d for flow in self.flows for d in flow.writes} | call.writes
        if bound.reads & changed:
            raise Unsuitable(self.call, "the loop changes its bound")

    def _root(self, argument: Node) -> Decl | None:
        """The variable that a row lies in, where no pointer leads to it."""
        bare = argument.uncast
        if not any(n.kind == "DECL_REF_EXPR" and n.type.kind == "array" for n in argument.walk()):
            return None
        path = resolve(bare.children[0]) if bare.op == "&" else None
        if path is None or path.root is None:
            raise Unsuitable(argument, "the row's address is not understood")
        return None if path.pointer_depth else path.root

    def _check_array(self, array: Decl, later: list[MemoryUse]) -> None:
        if any(m.root is array and m.node.kind == "CALL_EXPR" for m in later):
            raise Unproved(self.call, f"'{array.name}' is used by a call")
        if any(m.root is None and self._meet(m, MemoryUse(array, m.type, True, m.node))
               for m in later):  # fmt: skip
            raise Unproved(self.call, f"'{array.name}' may be used through a pointer")
        size = (array.type.count or 0) * (array.type.element.size if array.type.element else 0)
        if not 0 < size <= _LARGEST:
            raise Unsuitable(self.call, f"'{array.name}' is too large for copies")

    def _meet(self, one: MemoryUse, other: MemoryUse) -> bool:
        return may_be_same(self.function, one, other, self.tracked)

    def _kept(
        self, head: list[int], rest: list[int], set_by_head: set[Decl], cells: set[Decl],
        before: Flow,
    ) -> list[Decl]:  # fmt: skip
        """The variables of which the rest, or what follows the loop, needs each lane's value."""
        after = self._seen_by(rest, cells)
        kept = []
        for decl in sorted(set_by_head | cells, key=lambda d: d.offset):
            if decl in cells and any(decl in self.flows[i].writes for i in head if i > self.place):
                raise Unproved(self.call, f"'{decl.name}' is set after the call, too")
            if decl in after.exposed:
                if decl in after.writes:
                    raise Unproved(self.call, f"'{decl.name}' is set by several parts of the loop")
                last = max([i for i in head if decl in self.flows[i].writes], default=-1)
                last = max(last, self.place if decl in cells else -1)
                first = min(i for i in rest if decl in self.flows[i].reads)
                if first < last or not (decl in before.set_ or (decl in cells)):
                    raise Unproved(self.call, f"'{decl.name}' may be used before it is set")
                kept.append(decl)
            elif _is_declared_in(decl, self.loop.node):
                continue
            elif decl in after.writes:
                if decl not in after.set_ and not self._is_dead(decl):
                    raise Unproved(self.call, f"'{decl.name}' is read after the loop")
            elif (decl in cells or self.shared) and not self._is_dead(decl):
                if decl not in cells and decl not in before.set_:
                    raise Unproved(self.call, f"'{decl.name}' is read after the loop")
                kept.append(decl)
        return kept

    def _seen_by(self, rest: list[int], cells: set[Decl]) -> Flow:
        """What the rest does; a variable that other parts set again is none that it has set."""
        flow = Flow()
        for place, statement in enumerate(self.body):
            if place in rest:
                self.reader.extend(flow, [statement])
            else:
                flow.set_ -= cells if place == self.place else self.flows[place].writes
        return flow

    def _is_dead(self, decl: Decl) -> bool:
        return dead_after(self.function.node, [self.loop.node], decl)


# Bytes of an array that each lane gets a copy of.
_LARGEST = 1 << 23


def _leaving(body: Node) -> Iterator[Node]:
    """What ends an iteration of the loop, or the loop."""
    stack = [(body, True)]
    while stack:
        node, own = stack.pop()
        if own and node.kind in ("CONTINUE_STMT", "BREAK_STMT"):
            yield node
        inner = own and not (node.is_loop and node is not body)
        stack.extend((child, inner) for child in node.children)


def _declared(statement: Node) -> list[Decl]:
    if statement.kind != "DECL_STMT":
        return []
    return [c.decl for c in statement.children if c.kind == "VAR_DECL" and c.decl is not None]


def _is_declared_in(decl: Decl, loop: Node) -> bool:
    return decl.in_file and loop.span.start <= decl.offset < loop.span.end


def _is_offset(argument: Node) -> bool:
    """Whether an address is an array, plus or minus what no memory is read for, or an element's."""
    bare = argument.uncast
    if bare.kind == "UNARY_OPERATOR" and bare.op == "&":
        bare = bare.children[0]
    kinds = {n.kind for n in bare.walk()}
    return kinds <= {"DECL_REF_EXPR", "BINARY_OPERATOR", "INTEGER_LITERAL", "IMPLICIT_CAST",
                     "ARRAY_SUBSCRIPT_EXPR", "CSTYLE_CAST_EXPR"}  # fmt: skip


def _plain(decl: Decl) -> str:
    return _plain_name(decl.type.spelling)


def _plain_name(spelling: str) -> str:
    return " ".join(w for w in spelling.split() if w != "const")
