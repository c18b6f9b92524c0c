"""Loops that change numbers and arrays only, looked at as a whole."""

from __future__ import annotations

from typing import Any

from s2s.frontends.c.counted_loops import Bound, CountedLoop, comma_parts, initialization
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.syntax import Node
from s2s.rewriters.graphs.edge_lists.calls import Calls, is_library
from s2s.rewriters.graphs.edge_lists.contents import Unknown
from s2s.rewriters.graphs.edge_lists.memory import State, fresh, joined
from s2s.rewriters.graphs.edge_lists.operations import allocates, unknown
from s2s.rewriters.graphs.edge_lists.recognise import recognise_contents, scalars_behind
from s2s.rewriters.graphs.edge_lists.terms import (
    Anywhere,
    Array,
    Counter,
    Elem,
    Lin,
    Sym,
    Target,
    number,
    of,
)
from s2s.rewriters.graphs.edge_lists.trace import Range, Store, Trace
from s2s.source.records import dataclass

_MOST_RUNS = 5
_JUMPS = frozenset({"SWITCH_STMT", "GOTO_STMT", "LABEL_STMT", "ASM_STMT", "INDIRECT_GOTO_STMT",
                    "CXX_TRY_STMT", "LAMBDA_EXPR", "StmtExpr"})  # fmt: skip
_WHY = "is written by something else than what builds lists"


@dataclass(frozen=True)
class Effects:
    """What a loop changes: cells, objects as a whole."""

    cells: frozenset[Array]
    objects: frozenset[Any]


class Loops(Calls):
    """Goes through loops at once. ``trace`` is set inside of one."""

    trace: Trace | None
    exits: list[list[State]]
    wide: bool

    def statement(self, node: Node) -> None:
        raise NotImplementedError

    def enter(self, node: Node) -> None:
        raise NotImplementedError

    # -- what a loop may be made of ---------------------------------------------------------

    def is_simple(self, node: Node) -> bool:
        """Whether a loop changes no pointer but its own, and calls nothing that does."""
        return self._is_simple(node, frozenset())

    def _is_simple(self, node: Node, inside: frozenset[int]) -> bool:
        if not _JUMPS.isdisjoint(node.kinds):
            return False
        declared = {n.decl for n in node.walk() if n.kind in ("VAR_DECL", "PARM_DECL")}
        for part in node.walk():
            changes = part.assigns
            target = part.children[0] if changes and part.children else None
            if target is not None and target.type.kind not in ("int", "float"):
                record = target.type.kind == "record" and target.kind == "ARRAY_SUBSCRIPT_EXPR"
                if not record and target.decl not in declared:
                    return False
            if part.kind == "CALL_EXPR" and not self._is_simple_call(part, inside):
                return False
        return True

    def _is_simple_call(self, node: Node, inside: frozenset[int]) -> bool:
        function = self.definition(node)
        if function is not None:
            known = id(function) not in inside
            return known and self._is_simple(function, inside | {id(function)})
        passes = any(c.decl is not None and c.decl.kind == "FUNCTION_DECL"
                     for c in node.children[1:])  # fmt: skip
        return is_library(node.decl) and not allocates(node) and node.name != "free" and not passes

    # -- stores and loads of the iteration --------------------------------------------------

    def stored(self, target: Target, value: Any, node: Node) -> bool:
        if self.trace is None:
            return False
        known = target.index is not None and isinstance(value, Lin)
        self.trace.stores.append(Store(
            target.array, target.index or unknown(), value if isinstance(value, Lin) else unknown(),
            self.state.guards, self.trace.depth, self.trace.exact and known, node,
        ))  # fmt: skip
        return True

    def loaded(self, target: Target) -> Lin | None:
        if self.trace is None or target.index is None:
            return None
        known = self.trace.last(target.array, target.index, self.state.guards)
        if isinstance(known, Lin):
            return known
        if known is None:
            return None
        before = sum(s.array == target.array for s in self.trace.stores)
        return of(Elem(target.array, ("after", self.trace.serial, before), target.index))

    # -- the loop ---------------------------------------------------------------------------

    def simple(self, node: Node) -> None:
        """A whole loop: its effects, and what it builds."""
        found = self._range(node)
        trace = Trace(serial=fresh(), frame=self.frame)
        before = self.state
        before.guards = frozenset()
        effects, last = self._iterated(node, trace, Counter(0), found)
        trace.ends = dict(last.cells)
        self.trace = None
        self.state = before.copy()
        self._apply(effects, trace, node)
        if _nested(node) or "CALL_EXPR" in node.kinds:
            self.enter(node)
        same = found is not None and self._again(node) == found.bound
        if found is not None and same and not trace.odd and not self.wide:
            contents = recognise_contents(trace, found, before, self.state)
            self.state.contents.update(contents)
            self.state.cells.update(scalars_behind(trace, found, before, effects.cells))
        if "RETURN_STMT" in node.kinds:
            self.frame.returns.append((self.state.copy(), unknown()))

    def _apply(self, effects: Effects, trace: Trace, node: Node) -> None:
        for owner in effects.objects:
            self.state.forget(owner, (node, "may be written by a call"))
        for cell in effects.cells:
            self._lose(cell)
        written = {s.array: s.node for s in trace.stores}
        for array, where in written.items():
            if "?" in array[1]:
                self.state.forget(array[0], (where, _WHY))
            self.state.fill(array, Unknown((where, _WHY)))
            self._reach(Target(*array), where.type, (where, _WHY))

    def _lose(self, cell: Array) -> None:
        value = self.state.cells.get(cell)
        if value is None or isinstance(value, Lin):
            self.state.cells[cell] = unknown()
        else:
            self.state.escape(value)
            self.state.cells[cell] = Anywhere()

    def _iterated(
        self, node: Node, trace: Trace, counter: Counter | None, found: Range | None
    ) -> tuple[Effects, State]:
        """An iteration from a state that all of them begin with."""
        start, kept = self.state, len(trace.stores)
        there = {*start.objects(), *self.frame.variables.values(), *self.made.values()}
        outer, self.trace = self.trace, trace
        cells: frozenset[Array] = frozenset()
        objects: frozenset[Any] = frozenset()
        for _ in range(_MOST_RUNS):
            del trace.stores[kept:]
            self.state = begin = start.copy()
            for owner in objects:
                begin.forget(owner)
            for cell in cells:
                self._carry(cell, trace)
            if found is not None:
                value = unknown() if counter is None else of(counter)
                begin.cells[(self.variable(found.variable), ())] = value
            compared = begin.copy()
            self.exits.append([])
            self._iteration(node)
            last = joined([self.state, *self.exits.pop()], fresh()) or self.state
            known = {*there, *self.globals.values(), *start.outside.values()}
            if found is not None:
                known.discard(self.variable(found.variable))
            more = frozenset(
                c for c, v in last.cells.items() if c[0] in known and _differs(compared, c, v)
            )
            touched = frozenset(
                o for o, e in last.epochs.items() if o in known and e != compared.epochs.get(o, 0)
            )
            if more <= cells and touched <= objects:
                break
            cells, objects = cells | more, objects | touched
        else:
            trace.odd = True
            objects |= set(start.objects())
        self.trace = outer
        if found is not None:
            cells |= {(self.variable(found.variable), ())}
        return Effects(cells, objects), last

    def _carry(self, cell: Array, trace: Trace) -> None:
        value = self.state.cells.get(cell)
        if value is not None and not isinstance(value, Lin):
            self._lose(cell)
        else:
            self.state.cells[cell] = of(Sym(("carried", trace.serial, trace.depth, cell)))

    def _iteration(self, node: Node) -> None:
        """What a round does, but for the step of a counter."""
        body = node.children[0 if node.kind == "DO_STMT" else -1]
        header = [c for c in node.children if c is not body]
        if node.kind == "FOR_STMT" and len(node.children) == 4:
            header = header[1:]
        for part in header[:1]:
            self._part(part)
        self.statement(body)
        self.state.dead = False
        counted = self._header(node) is not None
        for part in header[1:] if not counted else ():
            self._part(part)

    def _part(self, node: Node) -> None:
        if node.kind.endswith("STMT"):
            self.statement(node)
        else:
            self.value(node)

    def inner(self, node: Node) -> None:
        """A loop in one that is looked at."""
        assert self.trace is not None
        trace = self.trace
        if node.kind == "FOR_STMT" and len(node.children) == 4:
            self._part(node.children[0])
        found = self._range(node)
        row = _row(found) if trace.depth == 0 and not trace.rows and trace.exact else None
        exact = trace.exact
        if row is not None:
            trace.rows.append(row)
            trace.depth = 1
        else:
            trace.exact = False
        start = self.state
        counter = Counter(1) if row is not None else None
        effects, _ = self._iterated(node, trace, counter, found)
        self.state = start
        trace.depth, trace.exact = (0, exact) if row is not None else (trace.depth, exact)
        for owner in effects.objects:
            self.state.forget(owner)
        for cell in effects.cells:
            self._lose(cell)

    # -- headers ----------------------------------------------------------------------------

    def _header(self, node: Node) -> tuple[CountedLoop, Bound] | None:
        """A loop that counts a local integer by 1 or -1, and what it counts to."""
        if node.kind != "FOR_STMT" or len(node.children) != 4:
            return None
        init, *rest = node.children
        try:
            loop = CountedLoop(*initialization([*comma_parts(init)][-1]), *rest)
            step, decl, bound = loop.constant_step, loop.variable, loop.bound
        except NotAffine:
            return None
        plain = decl.type.kind == "int" and decl.is_local and not decl.type.volatile
        if not plain or decl.is_static or step not in (1, -1) or bound is None:
            return None
        if not bound.is_exact or not bound.is_reached_by(step, decl):
            return None
        moved = any(n.decl is decl for n in _targets(loop.body))
        return None if moved or (bound.relation == "!=" and step < 0) else (loop, bound)

    def _again(self, node: Node) -> Lin | None:
        """The bound of a loop's variable in the state as it is."""
        header = self._header(node)
        return None if header is None else self.whole(header[1].limit.bare)

    def _range(self, node: Node) -> Range | None:
        """What the variable of a loop counts, in the state after its initialization."""
        header = self._header(node)
        if header is None:
            return None
        loop, limit = header
        decl, closed = loop.variable, limit.relation in ("<=", ">=")
        first = self.state.value((self.variable(decl), ()), decl.type)
        bound = self.whole(limit.limit.bare)
        if not isinstance(first, Lin) or (limit.relation == "!=" and first != number(0)):
            return None
        if loop.constant_step == 1:
            return Range(decl, first, bound + 1 if closed else bound, 1, bound)
        return Range(decl, bound if closed else bound + 1, first + 1, -1, bound)


def _differs(state: State, cell: Array, value: Any) -> bool:
    known = state.cells.get(cell)
    return not state.is_first(cell, value) if known is None else known != value


def _targets(node: Node) -> list[Node]:
    return [
        n.children[0] for n in node.walk()
        if n.children and (n.assigns or n.op == "&")
    ]  # fmt: skip


def _nested(node: Node) -> bool:
    return any(n.is_loop for child in node.children for n in child.walk())


def _row(found: Range | None) -> tuple[Array, Any] | None:
    """The offsets between which a loop counts, for the vertex of the loop around."""
    if found is None or found.step != 1:
        return None
    first, last = found.first.atom, found.last.atom
    if not isinstance(first, Elem) or not isinstance(last, Elem):
        return None
    same = (first.array, first.version) == (last.array, last.version)
    own = first.index == of(Counter(0)) and last.index == of(Counter(0)) + 1
    return (first.array, first.version) if same and own else None
