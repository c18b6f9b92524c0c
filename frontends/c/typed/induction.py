"""Induction variables substituted: ``sum += *w++ * x[k]`` is ``sum += w[i * n + k] * x[k]``.

Only for reading, as ``pointers``: the nodes have the places of the source. A pointer or counter
that a nest only sets, or moves by the same amount in each iteration of a loop, holds at each place
what it held before the nest and what complete iterations of the loops around have added (Allen and
Kennedy, "Optimizing Compilers for Modern Architectures", section 5.5). That is right where each of
these loops runs at least once: whoever uses the result has to ask for that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType

from s2s.frontends.c.facts import Facts, initializer
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.liveness import dead_after
from s2s.frontends.c.syntax import INCREMENTS, Decl, Node
from s2s.frontends.c.typed.induction_loops import (
    InductionLoop,
    candidates,
    read_loop,
)
from s2s.frontends.c.typed.nodes import in_place, reference, with_replaced
from s2s.frontends.c.typed.sums import (
    Value,
    added,
    multiplied,
    negated,
    number,
    pointer_value,
    subscript,
)
from s2s.source.records import dataclass

_JUMPS = frozenset(
    {"GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT", "CONTINUE_STMT", "BREAK_STMT", "RETURN_STMT",
     "SWITCH_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT", "LAMBDA_EXPR", "STMT_EXPR"}
)  # fmt: skip
_CHOICES = frozenset({"IF_STMT", "CONDITIONAL_OPERATOR"})


@dataclass(frozen=True)
class Substituted:
    """A nest without the steps, and what variables that live on hold after it."""

    nest: Node
    finals: tuple[tuple[Decl, Value], ...] = ()


def with_induction_substituted(
    function: Node, nest: Node, facts: Facts
) -> tuple[Node, Node, tuple[str, ...]]:
    """A function with one nest of it substituted, the nest there, and what has to follow it."""
    found = substitute_induction(nest, facts, _starts(function, nest))
    if found is None:
        return function, nest, ()
    finals = []
    for decl, value in found.finals:
        if dead_after(function, [nest], decl, exposed=True):
            continue
        text = value.text()
        if not text or (value.base is not None and value.base.decl is not decl):
            return function, nest, ()
        finals.append(f"{decl.name} {'=' if value.base is None else '+='} {text};")
    return with_replaced(function, nest, found.nest), found.nest, tuple(finals)


def _starts(function: Node, nest: Node) -> dict[Decl, int]:
    """Numbers that integers are set to before a nest in the same block."""
    block = next((b for b in function.walk() if any(c is nest for c in b.children)), None)
    if block is None or block.kind != "COMPOUND_STMT":
        return {}
    found: dict[Decl, int] = {}
    for statement in block.children:
        if statement is nest:
            break
        if not statement.kinds.isdisjoint(("LABEL_STMT", "CASE_STMT", "DEFAULT_STMT")):
            return {}
        for decl in statement.assigned:
            found.pop(decl, None)
        for decl, value in _set_to(statement):
            number_ = constant_value(value)
            if number_ is not None and decl.type.kind == "int":
                found[decl] = number_
    return found


def _set_to(statement: Node) -> Iterator[tuple[Decl, Node]]:
    """Variables that a statement does nothing but set, with the values."""
    if statement.kind == "DECL_STMT":
        for variable in statement.children:
            first = initializer(variable) if variable.kind == "VAR_DECL" else None
            if first is not None and variable.decl is not None:
                yield variable.decl, first
    elif statement.op == "=" and (decl := statement.changed) is not None:
        yield decl, statement.children[1]


class _Dropped(Exception):
    """A variable that has no closed form."""

    def __init__(self, decl: Decl | None) -> None:
        super().__init__()
        self.decl = decl


def substitute_induction(
    nest: Node, facts: Facts, starts: Mapping[Decl, int] = MappingProxyType({})
) -> Substituted | None:
    """The nest with all variables substituted that have a closed form; None where none has.

    ``starts``: numbers that variables are known to be before the nest.
    """
    if nest.kind != "FOR_STMT" or any(n.kind in _JUMPS for n in nest.walk()):
        return None
    tracked = set(candidates(nest, facts))
    while tracked:
        try:
            return _Substitution(nest, frozenset(tracked), starts).run()
        except _Dropped as drop:
            if drop.decl not in tracked:
                return None
            tracked.discard(drop.decl)
        except NotAffine:
            return None
    return None


@dataclass
class _Substitution:
    """Goes through a nest once, with what each variable holds."""

    nest: Node
    tracked: frozenset[Decl]
    starts: Mapping[Decl, int]
    state: dict[Decl, Value | None] = field(default_factory=dict)
    around: tuple[Decl, ...] = ()

    def run(self) -> Substituted:
        declared = {n.decl for n in self.nest.walk() if n.kind == "VAR_DECL"}
        outside = [d for d in self.tracked if d not in declared]
        for decl in outside:
            self.state[decl] = Value.of(decl, self.nest.span)
            if decl in self.starts:
                self.state[decl] = Value(None, number(self.starts[decl], self.nest.span))
        made = self._loop(self.nest)
        assert len(made) == 1
        finals = []
        for decl in sorted(outside, key=lambda d: d.offset):
            value = self.state.get(decl)
            if value is None:
                raise _Dropped(decl)
            if any(n.decl in self.tracked - {decl} for n in value.nodes()):
                raise _Dropped(decl)
            finals.append((decl, value))
        return Substituted(made[0], tuple(finals))

    # ---- statements

    def _statement(self, node: Node) -> list[Node]:
        match node.kind:
            case "COMPOUND_STMT":
                inside = [n for child in node.children for n in self._statement(child)]
                return [node.with_children(inside)]
            case "FOR_STMT":
                return self._loop(node)
            case "DECL_STMT":
                return self._declaration(node)
            case "IF_STMT":
                self._check_branches(node)
                test, *branches = node.children
                return [node.with_children([self._value(test), *(self._one(b) for b in branches)])]
            case "NULL_STMT":
                return []
        decl = node.changed
        if decl in self.tracked and decl is not None:
            self._set(node, decl)
            return []
        return [self._value(node)]

    def _one(self, node: Node) -> Node:
        """A statement as one."""
        made = self._statement(node)
        return made[0] if len(made) == 1 else in_place(node, made)

    def _declaration(self, node: Node) -> list[Node]:
        kept: list[Node] = []
        for variable in node.children:
            decl = variable.decl
            if decl is None or decl not in self.tracked:
                kept.append(variable.with_children([self._value(c) for c in variable.children]))
                continue
            first = initializer(variable)
            self.state[decl] = None if first is None else self._fixed(decl, first)
        return [node.with_children(kept)] if kept else []

    def _set(self, node: Node, decl: Decl) -> None:
        """A statement that does nothing but set or move a variable."""
        if node.op == "=":
            self.state[decl] = self._fixed(decl, node.children[1])
        else:
            self._move(decl, self._amount(node, decl))

    def _fixed(self, decl: Decl, node: Node) -> Value:
        """What a variable is set to. Raises _Dropped where that may change while it holds it."""
        if any(n.kind == "CALL_EXPR" or n.assigns for n in node.walk()):
            raise _Dropped(decl)
        value = self._value(node)
        if decl.type.kind != "pointer":
            self._check_steady(decl, value)
            return Value(None, value)
        found = pointer_value(value)
        for part in found.nodes():
            self._check_steady(decl, part, rows=True)
        return found

    def _check_steady(self, decl: Decl, value: Node, *, rows: bool = False) -> None:
        """That a value is made of numbers and of what keeps its value in the loops around."""
        for part in value.walk():
            loads = part.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR") or (
                part.kind == "UNARY_OPERATOR" and part.op == "*"
            )
            if loads and not rows and part.kind != "MEMBER_REF_EXPR":
                raise _Dropped(decl)
            if part.kind != "DECL_REF_EXPR" or part.decl is None:
                continue
            changes = part.decl in self.nest.assigned and part.decl not in self.tracked
            if changes and part.decl not in self.around:
                raise _Dropped(decl)

    def _amount(self, node: Node, decl: Decl) -> Node:
        """By how much a node moves its target."""
        if node.op in INCREMENTS:
            return number(1 if node.op.endswith("++") else -1, node.span)
        if node.op not in ("+=", "-="):
            raise _Dropped(decl)
        by = node.children[1]
        if any(n.decl in self.tracked for n in by.walk()) or by.type.kind != "int":
            raise _Dropped(decl)
        for part in by.walk():
            steady = part.decl is None or part.decl not in self.nest.assigned
            plain = part.op in ("", "+", "-", "*") and part.kind != "CALL_EXPR"
            if not (steady and plain) or part.kind == "ARRAY_SUBSCRIPT_EXPR":
                raise _Dropped(decl)
        return by if node.op == "+=" else negated(by)

    def _move(self, decl: Decl, by: Node) -> None:
        value = self.state.get(decl)
        if value is None:
            raise _Dropped(decl)
        self.state[decl] = value.moved(by)

    def _check_branches(self, node: Node) -> None:
        """That no branch moves what is declared outside of it."""
        declared = {n.decl for n in node.walk() if n.kind == "VAR_DECL"}
        for part in node.children[1:]:
            for below in part.walk():
                decl = below.changed
                if decl in self.tracked and decl not in declared:
                    raise _Dropped(decl)

    # ---- loops

    def _loop(self, node: Node) -> list[Node]:
        loop = read_loop(node)
        before: list[Node] = []
        for other in loop.others:
            before += self._statement(other)
        if before and node is self.nest:
            raise NotAffine(node, "more is set in the header")
        if any(n.decl in self.tracked for n in (*loop.first.walk(), *loop.limit.walk())):
            raise _Dropped(next(n.decl for p in (loop.first, loop.limit) for n in p.walk()
                                if n.decl in self.tracked))  # fmt: skip
        entry = dict(self.state)
        net = self._net([loop.node.children[3], *loop.moved], loop)
        for decl, by in net.items():
            known = self.state.get(decl)
            if by is None or known is None:
                self.state[decl] = None
            else:
                self.state[decl] = known.moved(self._after(loop, decl, by))
        around, self.around = self.around, (*self.around, loop.variable)
        body = self._one(loop.node.children[3])
        rest = [n for step in loop.moved for n in self._statement(step)]
        self.around = around
        body = body if not rest else in_place(body, [*body.statements, *rest])
        if net and not any(n.assigns or n.kind == "CALL_EXPR" for n in body.walk()):
            raise _Dropped(next(iter(net)))
        for decl, by in net.items():
            known = entry.get(decl)
            steady = by is not None and known is not None
            self.state[decl] = (
                known.moved(multiplied(by, loop.count)) if steady and known and by else None
            )
        *head, _ = loop.node.children
        return [*before, loop.node.with_children([*head, body])]

    def _after(self, loop: InductionLoop, decl: Decl, by: Node) -> Node:
        """What the iterations of a loop before the current one have added."""
        here = reference(loop.variable, loop.node.span)
        ended = added(here, negated(loop.first))
        if loop.step < 0:
            ended = added(loop.first, negated(here))
        if abs(loop.step) == 1:
            return multiplied(by, ended)
        amount = constant_value(by)
        if amount is None or amount % abs(loop.step):
            raise _Dropped(decl)
        return multiplied(number(amount // abs(loop.step), loop.node.span), ended)

    def _net(self, nodes: Sequence[Node], loop: InductionLoop) -> dict[Decl, Node | None]:
        """What an iteration adds to each variable that it moves; None for what it sets."""
        found: dict[Decl, Node | None] = {}
        for node in nodes:
            for decl, by in self._net_of(node).items():
                if by is not None and any(n.decl is loop.variable for n in by.walk()):
                    raise _Dropped(decl)
                known = found.get(decl, number(0, node.span))
                found[decl] = None if by is None or known is None else added(known, by)
        return found

    def _net_of(self, node: Node) -> Mapping[Decl, Node | None]:
        if self.tracked.isdisjoint(node.assigned):
            return {}
        if node.kind == "FOR_STMT":
            loop = read_loop(node)
            inside = self._net([node.children[3], *loop.moved], loop)
            whole: dict[Decl, Node | None] = {
                d: None if by is None else multiplied(by, loop.count) for d, by in inside.items()
            }
            whole |= {d: None for other in loop.others for d in self._net_of(other)}
            return whole
        decl = node.changed
        if node.kind == "VAR_DECL" and node.decl in self.tracked and node.decl is not None:
            return {node.decl: None}
        if decl in self.tracked and decl is not None:
            return {decl: None if node.op == "=" else self._amount(node, decl)}
        found: dict[Decl, Node | None] = {}
        for child in node.children:
            for below, by in self._net_of(child).items():
                known = found.get(below, number(0, node.span))
                found[below] = None if by is None or known is None else added(known, by)
        return found

    # ---- expressions

    def _value(self, node: Node) -> Node:
        """An expression by what the variables hold; steps in it happen."""
        if self.tracked.isdisjoint(node.decls):
            return node
        if node.kind == "DECL_REF_EXPR" and node.decl in self.tracked and node.decl is not None:
            return self._read(node, node.decl)
        decl = node.changed
        if decl in self.tracked and decl is not None:
            return self._stepped(node, decl)
        if node.kind in _CHOICES or node.op in ("&&", "||"):
            self._check_choice(node)
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
            base, index = node.children
            if base.type.kind == "int":
                base, index = index, base
            return subscript(node, self._value(base), self._value(index))
        if node.kind == "UNARY_OPERATOR" and node.op == "*":
            return subscript(node, self._value(node.children[0]), number(0, node.span))
        if node.kind == "MEMBER_REF_EXPR" and node.children[0].type.kind == "pointer":
            return self._member(node)
        return node.with_children([self._value(child) for child in node.children])

    def _member(self, node: Node) -> Node:
        """``p->x`` where ``p`` moves is ``p[k].x``."""
        base = self._value(node.children[0])
        element = node.children[0].type.element
        if base is node.children[0] or element is None:
            return node.with_children([base])
        record = Node("ARRAY_SUBSCRIPT_EXPR", node.span, element, [])
        return node.with_children([subscript(record, base, number(0, node.span))])

    def _read(self, node: Node, decl: Decl) -> Node:
        value = self.state.get(decl)
        if value is None:
            raise _Dropped(decl)
        return value.node(node.type)

    def _stepped(self, node: Node, decl: Decl) -> Node:
        if node.op not in INCREMENTS and node.op not in ("+=", "-="):
            raise _Dropped(decl)
        before = self._read(node, decl)
        self._move(decl, self._amount(node, decl))
        return before if node.op.startswith("post") else self._read(node, decl)

    def _check_choice(self, node: Node) -> None:
        """That nothing moves in a part that may be left out."""
        for part in node.children[1:]:
            for below in part.walk():
                decl = below.changed
                if decl in self.tracked:
                    raise _Dropped(decl)
