"""Calls of helper functions with loops written out: ``c[i] += dot(n, a + i * n, x);``.

Only for reading, as ``pointers``: the body's nodes take the call's place, with arguments for
parameters and variables of their own for its locals. A function is written out that has one way
through, declarations, loops and assignments, with a value at its end or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace

from s2s.frontends.c.facts import Facts, gather
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.c.typed.addresses import plain_name
from s2s.frontends.c.typed.countdowns import with_countdowns_counted
from s2s.frontends.c.typed.nodes import with_replaced
from s2s.frontends.c.typed.sums import number, subscript
from s2s.source import Span
from s2s.source.records import dataclass

_JUMPS = frozenset(
    {"GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT", "CONTINUE_STMT", "BREAK_STMT", "SWITCH_STMT",
     "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT", "LAMBDA_EXPR", "STMT_EXPR", "ASM_STMT"}
)  # fmt: skip
_CHOICES = frozenset({"IF_STMT", "CONDITIONAL_OPERATOR", "FOR_STMT"})
_DEEPEST = 3


class _Stays(Exception):
    """A call that is not written out."""


def with_helpers_written_out(
    nest: Node, facts: Facts, definition: Callable[[Decl], Node | None]
) -> Node:
    """A nest without calls of helper functions; ``facts`` are told of their locals."""
    if "CALL_EXPR" not in nest.kinds:
        return nest
    return _Helpers(facts, definition).one(nest)


@dataclass
class _Helpers:
    facts: Facts
    definition: Callable[[Decl], Node | None]
    depth: int = 0

    def one(self, node: Node) -> Node:
        """A statement as one."""
        made = self.statements(node)
        if len(made) == 1:
            return made[0]
        whole = Span(node.span.start - 1, node.span.end)  # as if it began with a bracket
        return Node("COMPOUND_STMT", whole, node.type, made, in_macro=node.in_macro)

    def statements(self, node: Node) -> list[Node]:
        if "CALL_EXPR" not in node.kinds:
            return [node]
        match node.kind:
            case "COMPOUND_STMT":
                return [node.with_children([n for c in node.children for n in self.statements(c)])]
            case "FOR_STMT":
                return [node.with_children([*node.children[:-1], self.one(node.children[-1])])]
            case "IF_STMT":
                test, *branches = node.children
                return [node.with_children([test, *map(self.one, branches)])]
        calls = list(_calls(node))
        if len(calls) != 1:
            return [node]
        try:
            return self._written_out(node, calls[0])
        except _Stays:
            return [node]

    def _written_out(self, statement: Node, call: Node) -> list[Node]:
        function = None if call.decl is None else self.definition(call.decl)
        function = None if function is None else with_countdowns_counted(function)
        if function is None or self.depth >= _DEEPEST or "FOR_STMT" not in function.kinds:
            raise _Stays
        body = _Body(function, call, statement, self.facts)
        made, value = body.statements, body.value
        if statement is call:
            after: list[Node] = []
        elif value is None or body.stores:
            raise _Stays
        else:
            after = [with_replaced(statement, call, value)]
        self.depth += 1
        inside = [n for s in made for n in self.statements(s)]
        self.depth -= 1
        return [*inside, *after]


def _calls(node: Node) -> Iterator[Node]:
    """The calls of a statement that are always made."""
    if node.kind == "CALL_EXPR":
        yield node
    elif node.kind not in _CHOICES and node.op not in ("&&", "||"):
        for child in node.children:
            yield from _calls(child)


@dataclass
class _Body:
    """A function's statements with a call's arguments. Raises _Stays."""

    function: Node
    call: Node
    place: Node
    facts: Facts
    statements: list[Node] = field(default_factory=list)
    value: Node | None = None

    def __post_init__(self) -> None:
        body = self.function.children[-1]
        parameters = [c for c in self.function.children if c.kind == "PARM_DECL"]
        arguments = self.call.children[1:]
        if body.kind != "COMPOUND_STMT" or len(parameters) != len(arguments):
            raise _Stays
        if not body.kinds.isdisjoint(_JUMPS) or not all(map(_is_movable, body.walk())):
            raise _Stays
        *most, last = body.children or [body]
        returned = last.kind == "RETURN_STMT"
        if any("RETURN_STMT" in s.kinds for s in (most if returned else body.children)):
            raise _Stays
        self.at = Span(self.place.span.start, self.place.span.start)
        self.own = gather(self.function)
        self.known: dict[Decl, Node] = {}
        self.fresh: dict[Decl, Decl] = {}
        for parameter, argument in zip(parameters, arguments, strict=True):
            self._bind(parameter, argument)
        statements = most if returned else body.children
        self.statements += [self.rewritten(_with_choices(s)) for s in statements]
        if returned and last.children:
            self.value = self.rewritten(last.children[0])

    @property
    def stores(self) -> bool:
        """Whether it stores to memory that others have."""
        return any(
            n.assigns and n.children[0].kind != "DECL_REF_EXPR"
            for s in self.statements for n in s.walk()
        )  # fmt: skip

    def _bind(self, parameter: Node, argument: Node) -> None:
        decl = parameter.decl
        if decl is None or any(n.assigns or n.kind == "CALL_EXPR" for n in argument.walk()):
            raise _Stays
        if decl in self.own.escaped or not _leads_alike(decl.type, argument.type):
            raise _Stays
        pointer, integer = decl.type.kind == "pointer", decl.type.kind == "int"
        loads = not argument.kinds.isdisjoint(("ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR"))
        assigned = bool(self.own.assigned.get(decl))
        if not assigned and (pointer or (integer and not loads)):
            self.known[decl] = argument
            return
        own = self._local(decl)
        at, type_ = self.at, own.type
        variable = Node("VAR_DECL", at, type_, [argument], name=own.name, decl=own, in_macro=True)
        self.facts.sources.setdefault(own, []).append(argument)
        self.statements.append(Node("DECL_STMT", at, type_, [variable], in_macro=True))

    def _local(self, decl: Decl) -> Decl:
        """The variable that stands for a local of the function here."""
        if decl not in self.fresh:
            if decl.is_static or decl in self.own.escaped:
                raise _Stays
            made = replace(decl, kind="VAR_DECL")
            self.fresh[decl] = made
            for name in ("assigned", "sources", "references", "stores"):
                entries, theirs = getattr(self.facts, name), getattr(self.own, name)
                if decl in theirs:
                    entries[made] = theirs[decl]
            if decl in self.own.copied:
                self.facts.copied.add(made)
        return self.fresh[decl]

    def rewritten(self, node: Node) -> Node:
        """The body's nodes in the caller's names."""
        if node.kind == "VAR_DECL" and node.decl is not None:
            decl = self._local(node.decl)
            return replace(self._below(node), decl=decl)
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            if node.decl in self.known:
                return self.known[node.decl]
            if node.decl.kind in ("VAR_DECL", "PARM_DECL") and node.decl.is_local:
                return replace(self._below(node), decl=self._local(node.decl))
            return self._below(node)
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
            base, index = node.children
            if base.uncast.decl in self.known:
                return subscript(self._below(node), self.rewritten(base), self.rewritten(index))
        if node.kind == "UNARY_OPERATOR" and node.op == "*" and node.children[0].decl in self.known:
            zero = number(0, self.at)
            return subscript(self._below(node), self.rewritten(node.children[0]), zero)
        return self._below(node)

    def _below(self, node: Node) -> Node:
        """A node of the body where the call stands, of no width: it has no text there."""
        children = list(map(self.rewritten, node.children))
        return replace(node, children=children, span=self.at, in_macro=True, _kinds=None,
                       _decls=None, _assigned=None)  # fmt: skip


def _with_choices(node: Node) -> Node:
    """A statement with ``if (c) v = e;`` of a scalar as ``v = c ? e : v``, which needs no text."""
    made = node.with_children(list(map(_with_choices, node.children)))
    if made.kind != "IF_STMT" or len(made.children) != 2:
        return made
    test, then = made.children
    while then.kind == "COMPOUND_STMT" and len(then.children) == 1:
        then = then.children[0]
    if then.kind != "BINARY_OPERATOR" or then.op != "=":
        return made
    target, value = then.children
    plain = target.kind == "DECL_REF_EXPR" and target.type.kind in ("int", "float")
    if not plain or plain_name(target.type) != plain_name(value.type):
        return made
    if any(n.assigns or n.kind == "CALL_EXPR" for n in (*test.walk(), *value.walk())):
        return made
    chosen = Node("CONDITIONAL_OPERATOR", made.span, target.type, [test, value, target])
    return Node("BINARY_OPERATOR", made.span, target.type, [target, chosen], op="=")


def _leads_alike(to: CType, source: CType) -> bool:
    """Whether a pointer is passed as one to the same elements; other types are converted."""
    if to.kind != "pointer":
        return True
    if to.element is None or source.element is None:
        return False
    return plain_name(to.element) == plain_name(source.element)


def _is_movable(node: Node) -> bool:
    """Whether a node of a body means the same elsewhere: no names that only it can see."""
    if node.type.volatile or node.kind == "MEMBER_REF_EXPR":
        return False
    if node.kind == "VAR_DECL":
        return node.type.kind in ("int", "float", "pointer")
    decl = node.decl
    own = decl is None or decl.is_local or decl.kind == "FUNCTION_DECL"
    return node.kind != "DECL_REF_EXPR" or own or node.type.kind == "array"
