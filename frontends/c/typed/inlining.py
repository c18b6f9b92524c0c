"""Calls of functions that have loops or assignments: their statements before what uses the result.

Only for reading: the nodes have the places of the source, and no text is made of them. Parameters
are declared with what is passed for them; each call has variables of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.definitions import runs_statements
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.nodes import assignment, block, declaration, local, reference

_DEEPEST = 16
_NOT_ALWAYS = frozenset({"CONDITIONAL_OPERATOR", "&&", "||"})


def inlined(body: Node, definition: Callable[[Decl], Node | None]) -> Node:
    """A function's body without such calls. Raises NotATensorNest."""
    return _Inliner(definition, 0).block(body)


class _Inliner:
    def __init__(self, definition: Callable[[Decl], Node | None], depth: int) -> None:
        self._definition, self._depth = definition, depth

    def block(self, node: Node) -> Node:
        """A statement in place of one."""
        if node.kind == "COMPOUND_STMT":
            return node.with_children([s for child in node.children for s in self._of(child)])
        made = self._of(node)
        return made[0] if len(made) == 1 else block(made, node.span)

    def _of(self, node: Node) -> list[Node]:
        """The statements that a statement becomes."""
        if node.kind == "COMPOUND_STMT":
            return [self.block(node)]
        if node.is_loop or node.kind == "IF_STMT":
            return self._control(node)
        if node.kind == "CALL_EXPR" and (definition := self._runs(node)) is not None:
            return [self._called(node, definition, None)]
        before: list[Node] = []
        made = self._expression(node, before)
        return [*before, made]

    def _control(self, node: Node) -> list[Node]:
        """Loops, whose headers call nothing that has statements, and branches."""
        before: list[Node] = []
        parts = []
        for place, child in enumerate(node.children):
            is_body = place == len(node.children) - 1 if node.kind != "DO_STMT" else place == 0
            if is_body or (node.kind == "IF_STMT" and place):
                parts.append(self.block(child))
            elif node.kind == "IF_STMT":
                parts.append(self._expression(child, before))
            else:
                self._check_none(child)
                parts.append(child)
        return [*before, node.with_children(parts)]

    def _expression(self, node: Node, before: list[Node]) -> Node:
        """An expression or declaration; the calls in it are made in the statements ``before``."""
        if node.kind == "CALL_EXPR" and (definition := self._runs(node)) is not None:
            arguments = [
                node.children[0],
                *(self._expression(c, before) for c in node.children[1:]),
            ]
            call = node.with_children(arguments)
            result = local(f"{node.name}_result", node.type, node.span)
            before += [declaration(result, None, node.span), self._called(call, definition, result)]
            return reference(result, node.span)
        if node.kind in _NOT_ALWAYS or node.op in _NOT_ALWAYS:
            first, *others = node.children
            for other in others:
                self._check_none(other)
            return node.with_children([self._expression(first, before), *others])
        return node.with_children([self._expression(child, before) for child in node.children])

    def _runs(self, call: Node) -> Node | None:
        """The function that a call runs, where it has statements."""
        found = None if call.decl is None else self._definition(call.decl)
        return found if found is not None and runs_statements(found) else None

    def _check_none(self, node: Node) -> None:
        for below in node.walk():
            if below.kind == "CALL_EXPR" and self._runs(below) is not None:
                raise NotATensorNest(below.span, f"a call of '{below.name}'")

    def _called(self, call: Node, definition: Node, result: Decl | None) -> Node:
        parameters = [c for c in definition.children if c.kind == "PARM_DECL"]
        if len(parameters) != len(call.children) - 1:
            raise NotATensorNest(call.span, f"a call of '{call.name}'")
        if self._depth >= _DEEPEST:
            raise NotATensorNest(call.span, f"'{call.name}' calls itself")
        own = {
            n.decl: replace(n.decl, kind="VAR_DECL")
            for n in definition.walk()
            if n.kind in ("PARM_DECL", "VAR_DECL") and n.decl is not None and not n.decl.is_static
        }
        bound = [
            declaration(own[parameter.decl], argument, argument.span)
            for parameter, argument in zip(parameters, call.children[1:], strict=True)
            if parameter.decl is not None
        ]
        body = _renamed(definition.children[-1], own)
        rest = _with_result(body, call, result)
        inner = _Inliner(self._definition, self._depth + 1)
        return block([*bound, *inner.block(rest).statements], call.span)


def _renamed(node: Node, own: Mapping[Decl, Decl]) -> Node:
    """A function's body with variables of its own."""
    children = [_renamed(child, own) for child in node.children]
    made = node.with_children(children)
    if node.decl in own and node.decl is not None:
        made = replace(made, decl=own[node.decl], _kinds=None, _decls=None, _assigned=None)
        if made.kind == "VAR_DECL" and made.decl is not None:
            made.decl.node = made
    return made


def _with_result(body: Node, call: Node, result: Decl | None) -> Node:
    """A body that stores what it returns, where that is at its end alone."""
    for place, node in enumerate(body.children):
        if any(below.kind == "RETURN_STMT" for below in node.walk()):
            head, tail = body.children[:place], body.children[place:]
            if any(below.is_loop for one in tail for below in one.walk()):
                text = f"'{call.name}' returns from more than its end"
                raise NotATensorNest(node.span, text)
            value = _returned(tail, call)
            if result is None or value is None:
                return body.with_children(head)
            return body.with_children([*head, assignment(reference(result, value.span), value)])
    if result is not None:
        raise NotATensorNest(call.span, "a function that ends without a value")
    return body


def _returned(nodes: Sequence[Node], call: Node) -> Node | None:
    """What statements return, as one expression; None for nothing."""
    if not nodes:
        raise NotATensorNest(call.span, "a function that ends without a value")
    node, *rest = nodes
    match node.kind:
        case "RETURN_STMT" if not rest:
            return node.children[0] if node.children else None
        case "RETURN_STMT" if node.children:
            return node.children[0]
        case "COMPOUND_STMT":
            return _returned([*node.children, *rest], call)
        case "IF_STMT":
            test, *branches = node.children
            sides = [_returned([branches[0], *rest], call)]
            sides.append(_returned([*branches[1:], *rest], call))
            if sides[0] is not None and sides[1] is not None:
                parts = [test, sides[0], sides[1]]
                return Node("CONDITIONAL_OPERATOR", node.span, call.type, parts)
    text = f"a call of '{call.name}', which has other statements than returns"
    raise NotATensorNest(node.span, text)
