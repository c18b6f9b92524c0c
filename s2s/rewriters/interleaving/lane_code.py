"""The body of a function for several calls at once: one lane of vectors for each call.

::

    double t = a * x;              for (l = 0; l < 8; l++) {         /* vectors */
    x = t - (int)t;         ->         double t = a * x[l];
                                       x[l] = t - (int)t; }

What all calls compute alike (*uniform*) is computed once; loops have to be uniform. What a
variable holds is asked for at each place: it may be uniform before a loop and *varying* in it
(divergence analysis; Coutinho et al., PACT 2011, section 2). The code reads no arrays, and each
lane stores to a row of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import chain, count

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.syntax import CASTS, Decl, Node
from s2s.rewriters.idioms.loops import Unsuitable
from s2s.rewriters.interleaving.operands import Parameter, Role, constant_text, spelled
from s2s.source.records import dataclass

_INFIX = frozenset(
    ("*", "/", "+", "-", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&",
     "||")
)  # fmt: skip
_PREFIX = frozenset(("-", "+", "~", "!"))


@dataclass
class _Group:
    """Straight code of the lanes: assignments of variables, and stores to rows."""

    lines: list[tuple[Decl | None, str, str]] = field(default_factory=list)
    first_reads: set[Decl] = field(default_factory=set)
    written: list[Decl] = field(default_factory=list)
    stores: list[tuple[Decl, str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class _Spread:
    """A uniform value that lanes go on with."""

    decl: Decl


_State = dict[Decl, bool]
"""Which variables have a value, and whether lanes have different ones."""


class LaneCode:
    """Writes the lanes of one call. Raises Unsuitable where the function is of another kind."""

    def __init__(
        self, call: Node, callee: Node, parameters: Sequence[Parameter], lanes: int, prefix: str
    ) -> None:
        self.call = call
        self.callee = callee
        self.parameters = {p.decl: p for p in parameters}
        self.lanes = lanes
        self.prefix = prefix
        self._names: dict[Decl, str] = {}
        self._numbers = count()
        self._items: list[str | _Group | _Spread] = []
        self._group = _Group()
        self._variables: dict[Decl, None] = {}
        self._uniform: dict[Decl, None] = {}
        self._loops: list[Node] = []
        self.extents: list[str] = []
        """How many elements of a row each store reaches, from the first one to the last one."""

    def lines(self) -> list[str]:
        """The code; arrays of values, cells and pointers to rows are declared around it."""
        state: _State = {
            p.decl: p.role is Role.VARYING for p in self.parameters.values()
            if p.role in (Role.UNIFORM, Role.VARYING)
        }  # fmt: skip
        statements = list(self.callee.children[-1].children)
        returned = statements.pop() if statements[-1:] and _returns(statements[-1]) else None
        if returned is not None and any(n.assigns or _calls(n) for n in returned.walk()):
            raise self._no("returns what has effects")
        self._sequence(statements, state)
        self._flush()
        return self._finished()

    def name(self, decl: Decl) -> str:
        """The name of what the lanes have for a variable, cell or row."""
        if decl not in self._names:
            plain = f"{self.prefix}{decl.name}"
            names = chain([plain], (f"{plain}{i}" for i in count(2)))
            taken = set(self._names.values())
            self._names[decl] = next(name for name in names if name not in taken)
        return self._names[decl]

    def uniform_name(self, decl: Decl) -> str:
        return f"{self.name(decl)}_all"

    @property
    def lane(self) -> str:
        return f"{self.prefix}l"

    @property
    def head(self) -> str:
        """The loop over lanes."""
        return f"for (int {self.lane} = 0; {self.lane} < {self.lanes}; {self.lane}++)"

    # -- statements -------------------------------------------------------------------------

    def _sequence(self, statements: Sequence[Node], state: _State) -> None:
        for statement in statements:
            self._statement(statement, state)

    def _statement(self, node: Node, state: _State) -> None:
        if node.kind == "COMPOUND_STMT":
            self._sequence(node.children, state)
        elif node.kind == "DECL_STMT":
            for child in node.children:
                value = initializer(child) if child.kind == "VAR_DECL" else None
                if child.kind != "VAR_DECL" or child.decl is None:
                    raise self._no("declares what is not understood")
                if value is None:
                    state.pop(child.decl, None)
                else:
                    self._assign(child.decl, "=", value, state)
        elif node.kind == "FOR_STMT" and len(node.children) == 4:
            self._loop(node, state)
        elif node.assigns:
            self._assignment(node, state)
        elif node.kind != "NULL_STMT":
            raise self._no("has statements that lanes cannot run")

    def _assignment(self, node: Node, state: _State) -> None:
        target, *values = node.children
        value = values[0] if values else None
        op = node.op if values else ("+=" if "++" in node.op else "-=")
        if target.kind == "DECL_REF_EXPR" and target.decl is not None:
            self._assign(target.decl, op, value, state)
            return
        cell = self._cell(target)
        if cell is not None:
            text = "1" if value is None else self._text(value, state)
            if op != "=":
                self._note_read(cell)
            self._note_write(cell)
            self._group.lines.append((cell, op, text))
            return
        self._store(target, op, value, state)

    def _store(self, target: Node, op: str, value: Node | None, state: _State) -> None:
        base = target.children[0] if target.kind == "ARRAY_SUBSCRIPT_EXPR" else None
        row = None if base is None else self.parameters.get(base.decl)  # type: ignore[arg-type]
        if row is None or row.role is not Role.ROW or op != "=" or value is None:
            raise self._no("stores to what is no row of its lane")
        index = target.children[1]
        if self._varies(index, state):
            raise self._no("stores to places that differ between lanes")
        kept = f"{self.prefix}kept{next(self._numbers)}"
        self.extents.append(self._extent(index))
        self._group.lines.append((None, kept, self._text(value, state)))
        self._group.stores.append((row.decl, self._text(index, state), kept))

    def _assign(self, decl: Decl, op: str, value: Node | None, state: _State) -> None:
        if decl.type.kind not in ("int", "float") or decl.type.volatile or decl.type.size > 8:
            raise self._no(f"has '{decl.name}', which lanes cannot have")
        if not decl.is_local or decl.is_static:
            raise self._no(f"sets '{decl.name}', which is not its own")
        varies = value is not None and self._varies(value, state)
        if op != "=":
            if decl not in state:
                raise self._no(f"reads '{decl.name}' before it is set")
            varies = varies or state[decl]
        if not varies:
            self._flush()
            text = "1" if value is None else self._text(value, state)
            self._items.append(f"{self.uniform_name(decl)} {op} {text};")
            self._uniform[decl] = None
            state[decl] = False
            return
        text = "1" if value is None else self._text(value, state)
        if op != "=":
            if not state[decl]:
                op, text = "=", f"{self.uniform_name(decl)} {op[:-1]} {text}"
            else:
                self._note_read(decl)
        self._variables[decl] = None
        self._note_write(decl)
        self._group.lines.append((decl, op, text))
        state[decl] = True

    def _loop(self, node: Node, state: _State) -> None:
        first, condition, increment, body = node.children
        self._flush()
        if first.kind == "DECL_STMT" or first.assigns:
            self._statement(first, state)
        elif first.kind != "NULL_STMT":
            raise self._no("has a loop that is not understood")
        around = self._around_loop(node, state)
        self._flush()
        self._spread(state, around)
        if self._varies(condition, around) or self._varies(increment, around):
            raise self._no("has a loop whose length differs between lanes")
        self._items.append(f"while ({self._text(condition, around)}) {{")
        inside = dict(around)
        self._loops.append(node)
        self._statement(body, inside)
        self._loops.pop()
        self._flush()
        self._assignment(increment, inside)
        self._spread(inside, around)
        self._items.append("}")
        state.clear()
        state.update(around)

    def _extent(self, index: Node) -> str:
        """How many elements a store in a loop fills: as many as the loop has iterations."""
        if len(self._loops) != 1:
            return ""
        first, condition, increment, _ = self._loops[0].children
        left, *_ = index.children or [index]
        plain = index.op in ("+", "-") and index.children[-1].value is not None
        counter, start = _counter(first)
        step = increment.op in ("++", "post++") or (
            increment.op == "+=" and increment.children[1].value == 1
        )
        counts = increment.children[0].decl is counter and condition.children[0].decl is counter
        if counter is None or not (step and counts) or condition.op not in ("<", "<="):
            return ""
        if (left if plain else index).decl is not counter or (index.children and not plain):
            return ""
        bound = condition.children[1]
        if start is None or not (self._is_argument(start) and self._is_argument(bound)):
            return ""
        more = " + 1" if condition.op == "<=" else ""
        state = dict.fromkeys(self.parameters, False)
        return f"(long){self._text(bound, state)} - (long){self._text(start, state)}{more}"

    def _is_argument(self, node: Node) -> bool:
        """Whether an expression is made of numbers and of uniform arguments that stay."""
        named = [n.decl for n in node.walk() if n.kind == "DECL_REF_EXPR"]
        return all(
            d in self.parameters and self.parameters[d].role is Role.UNIFORM
            and d not in self.callee.assigned for d in named if d is not None
        )  # fmt: skip

    def _around_loop(self, node: Node, state: _State) -> _State:
        """What variables are at the head of a loop, whichever iteration comes next."""
        found = dict(state)
        while True:
            probe = LaneCode(
                self.call, self.callee, tuple(self.parameters.values()), self.lanes, self.prefix
            )
            after = dict(found)
            probe._statement(node.children[3], after)
            probe._assignment(node.children[2], after)
            merged = {d: after.get(d, False) or v for d, v in found.items()}
            if merged == found:
                return found
            found = merged

    def _spread(self, state: _State, wanted: _State) -> None:
        self._items += [_Spread(d) for d, v in wanted.items() if v and not state.get(d, True)]

    def _flush(self) -> None:
        if self._group.lines:
            self._items.append(self._group)
        self._group = _Group()

    # -- expressions ------------------------------------------------------------------------

    def _cell(self, node: Node) -> Decl | None:
        """The parameter behind which a cell lies: ``*p`` or ``p[0]``."""
        base = None
        first = node.kind == "ARRAY_SUBSCRIPT_EXPR" and node.children[1].value == 0
        if first or (node.kind == "UNARY_OPERATOR" and node.op == "*"):
            base = node.children[0].bare
        found = None if base is None or base.decl is None else self.parameters.get(base.decl)
        return found.decl if found is not None and found.role is Role.CELL else None

    def _varies(self, node: Node, state: _State) -> bool:
        if self._cell(node) is not None:
            return True
        if node.kind == "DECL_REF_EXPR" and node.decl in state:
            return state[node.decl]
        return any(self._varies(child, state) for child in node.children)

    def _text(self, node: Node, state: _State) -> str:
        cell = self._cell(node)
        if cell is not None:
            self._note_read(cell)
            return f"{self.name(cell)}[{self.lane}]"
        kind, parts = node.kind, node.children
        if kind == "DECL_REF_EXPR" and node.decl is not None:
            return self._variable(node.decl, state)
        if node.type.kind not in ("int", "float") or node.type.size > 8:
            raise self._no("computes with what lanes cannot have")
        if (constant := constant_text(node)) is not None:
            return constant
        if kind in CASTS:
            value = self._text(parts[-1], state)
            return value if kind == "IMPLICIT_CAST" else f"({spelled(node.type)}){value}"
        if kind == "UNARY_OPERATOR" and node.op in _PREFIX:
            return f"({node.op}{self._text(parts[0], state)})"
        if kind == "BINARY_OPERATOR" and node.op in _INFIX:
            left, right = (self._text(p, state) for p in parts)
            return f"({left} {node.op} {right})"
        if kind == "CONDITIONAL_OPERATOR":
            condition, left, right = (self._text(p, state) for p in parts)
            return f"({condition} ? {left} : {right})"
        raise self._no("computes in ways that lanes cannot")

    def _variable(self, decl: Decl, state: _State) -> str:
        if decl.kind not in ("VAR_DECL", "PARM_DECL") or not decl.is_local or decl.is_static:
            raise self._no(f"reads '{decl.name}', which is not its own")
        if decl not in state:
            raise self._no(f"may read '{decl.name}' before it is set")
        if not state[decl]:
            return self.uniform_name(decl)
        self._note_read(decl)
        return f"\0{self.name(decl)}\0"

    def _note_read(self, decl: Decl) -> None:
        if decl not in self._group.written:
            self._group.first_reads.add(decl)

    def _note_write(self, decl: Decl) -> None:
        if decl not in self._group.written:
            self._group.written.append(decl)

    # -- text -------------------------------------------------------------------------------

    def _finished(self) -> list[str]:
        groups = [item for item in self._items if isinstance(item, _Group)]
        carried = {d for group in groups for d in group.first_reads}
        carried |= {d for d, p in self.parameters.items() if p.role is Role.CELL}
        found = [
            f"{spelled(d.type)} {self.name(d)}[{self.lanes}];" for d in self._variables
            if d in carried and self._role(d) in (None, Role.UNIFORM)
        ]  # fmt: skip
        found += [
            f"{spelled(d.type)} {self.uniform_name(d)};" for d in self._uniform
            if self._role(d) in (None, Role.VARYING)
        ]  # fmt: skip
        for item in self._items:
            if isinstance(item, str):
                found.append(item)
            elif isinstance(item, _Group):
                found += self._group_lines(item, carried)
            elif item.decl in carried:
                name = self.name(item.decl)
                found.append(f"{self.head} {name}[{self.lane}] = {self.uniform_name(item.decl)};")
        return found

    def _role(self, decl: Decl) -> Role | None:
        found = self.parameters.get(decl)
        return None if found is None else found.role

    def _group_lines(self, group: _Group, carried: set[Decl]) -> list[str]:
        def place(text: str) -> str:
            for decl in (*self._variables, *self.parameters):
                name = self.name(decl)
                own = name if decl not in carried else f"{name}[{self.lane}]"
                text = text.replace(f"\0{name}\0", own)
            return text

        rows = {kept: self.parameters[row].type for row, _, kept in group.stores}
        found = [f"{spelled(type_)} {kept}[{self.lanes}];" for kept, type_ in rows.items()]
        found += ["#pragma omp simd", f"{self.head} {{"]
        found += [
            f"{spelled(d.type)} {self.name(d)};" for d in group.written if d not in carried
        ]  # fmt: skip
        for decl, op, text in group.lines:
            if decl is None:
                found.append(f"{op}[{self.lane}] = {place(text)};")
            else:
                name = self.name(decl)
                own = name if decl not in carried else f"{name}[{self.lane}]"
                found.append(f"{own} {op} {place(text)};")
        found.append("}")
        for row, index, kept in group.stores:
            found.append(f"{self.head} {self.name(row)}[{self.lane}][{index}] = "
                         f"{kept}[{self.lane}];")  # fmt: skip
        return found

    def _no(self, reason: str) -> Unsuitable:
        return Unsuitable(self.call, f"'{self.callee.name}' {reason}")


def _returns(node: Node) -> bool:
    return node.kind == "RETURN_STMT"


def _calls(node: Node) -> bool:
    return node.kind == "CALL_EXPR"


def _counter(first: Node) -> tuple[Decl | None, Node | None]:
    """The variable that a loop begins with, and its value."""
    if first.kind == "DECL_STMT" and len(first.children) == 1:
        return first.children[0].decl, initializer(first.children[0])
    if first.op == "=":
        return first.children[0].decl, first.children[1]
    return None, None
