"""Loops in other words: ``while`` and ``do`` loops that count, ``for`` loops without all parts.

``x = 0; while (x < n) { ...; x++; }`` becomes ``for (x = 0; x < n; x++) ...``, and what follows
``if (c) continue;`` becomes what is guarded by ``!c``. What is not recognized stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.frontends.c.syntax import INCREMENTS, CType, Decl, Node
from s2s.frontends.c.typed.nodes import in_place, with_replaced
from s2s.source import Span

_INT = CType("int", "int", 4, canonical="int")
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "!="})
AT_LEAST_ONCE = "at least once"
COUNTS_DOWN = "counts down to zero"
"""Names of loop nodes: the body runs before it is tested; zero ends it in any type."""


def desugar_loops(node: Node) -> Node:
    """A function's body with loops in their usual form."""
    if node.kind == "COMPOUND_STMT":
        return node.with_children(_sequence(node.children))
    if node.kind in ("WHILE_STMT", "DO_STMT", "FOR_STMT"):
        return _sequence([node])[-1]
    below = [desugar_loops(child) for child in node.children]
    return node.with_children(below)


def _sequence(nodes: Sequence[Node]) -> list[Node]:
    """Statements one after the other; a loop takes its variable's first value in."""
    done: list[Node] = []
    for node in nodes:
        if node.kind in ("WHILE_STMT", "DO_STMT", "FOR_STMT"):
            done.append(_loop(node, done))
        else:
            done.append(desugar_loops(node))
    return done


def _loop(node: Node, before: list[Node]) -> Node:
    """A loop as a ``for`` loop; what sets its variable is taken out of the list before it."""
    start, test, step, body = _parts(node)
    if start is None and test is not None:
        counted = _counted(node, test, step, body)
        if counted is not None:
            variable, shift, test, step, body = counted
            start = _start(variable, shift, before)
    elif start is not None and test is not None and step is None:
        counted = _counted(node, test, step, body)
        if counted is not None:
            _, shift, test, step, body = counted
            start = _less(start, shift)
    body = in_place(body, _continued(_statements(desugar_loops(body))))
    if start is None or test is None or step is None:
        if node.kind == "DO_STMT":
            return node.with_children([body, *node.children[1:]])
        return node.with_children([*node.children[:-1], body])
    name = AT_LEAST_ONCE if node.kind == "DO_STMT" else test.name
    return replace(node.with_children([start, test, step, body]), kind="FOR_STMT", name=name)


_Parts = tuple["Node | None", "Node | None", "Node | None", Node]


def _parts(node: Node) -> _Parts:
    """Start, test, step and body of a loop, as far as they are there."""
    if node.kind == "WHILE_STMT":
        return None, node.children[0], None, node.children[-1]
    if node.kind == "DO_STMT":
        return None, node.children[1], None, node.children[0]
    *head, body = node.children
    if len(head) == 3:
        return head[0], head[1], head[2], body
    start = test = step = None
    for part in head:
        if part.kind == "DECL_STMT" or (part.op == "=" and test is None and start is None):
            start = part
        elif test is None and (part.op in _COMPARISONS or _is_step_and_test(part)):
            test = part
        else:
            step = part
    return start, test, step, body


def _is_step_and_test(node: Node) -> bool:
    return node.kind == "UNARY_OPERATOR" and node.op in ("post--", "--")


def _counted(
    node: Node, test: Node, step: Node | None, body: Node
) -> tuple[Node, int, Node, Node, Node] | None:
    """Variable, what is added to its first value, test, step and body of a counting loop."""
    inner = test.children[0] if test.op in _COMPARISONS else test
    inner = inner.bare
    if step is None and _is_step_and_test(inner):
        return _counted_down(node, test, inner, body)
    if step is None and node.kind == "DO_STMT" and inner.op in INCREMENTS and inner is not test:
        variable = inner.children[0].bare
        if _is_name(variable) and not _sets(body, variable.decl):
            return variable, 0, test.with_children([variable, *test.children[1:]]), inner, body
    variables = [v for v in (c.bare for c in test.children) if _is_name(v)]
    statements = _statements(body)
    for variable in variables if test.op in _COMPARISONS else ():
        if step is not None:
            if step.changed is variable.decl and not _sets(body, variable.decl):
                return variable, 0, test, step, body
            continue
        if not statements or statements[-1].changed is not variable.decl:
            continue
        rest = in_place(body, statements[:-1])
        if not _sets(rest, variable.decl) and not _continues(rest):
            return variable, 0, test, statements[-1], rest
    return None


def _counted_down(
    node: Node, test: Node, inner: Node, body: Node
) -> tuple[Node, int, Node, Node, Node] | None:
    """``while (n--)``, ``while (n-- > 0)``, ``while (--n)``, and the same after ``do``."""
    variable = inner.children[0].bare
    zero = test is inner or (test.op in (">", "!=") and test.children[1].value == 0)
    at_zero = test is not inner and test.op == ">=" and test.children[1].value == 0
    if not _is_name(variable) or _sets(body, variable.decl) or not (zero or at_zero):
        return None
    after, done = inner.op == "post--", node.kind == "DO_STMT"
    shift = 0 if done else -1
    # What the test sees is one more than what the next iteration does where the step comes after.
    op = ">=" if after or at_zero else ">"
    if after and at_zero:
        return None
    bound = replace(inner, kind="INTEGER_LITERAL", op="", value=0, children=[], type=_INT)
    tested = Node("BINARY_OPERATOR", test.span, _INT, [variable, bound], op, COUNTS_DOWN)
    return variable, shift, tested, replace(inner, op="--"), body


def _start(variable: Node, shift: int, before: list[Node]) -> Node:
    """``variable = first``; an assignment of it just before the loop is taken in."""
    value = variable
    for place in range(len(before) - 1, -1, -1):
        one = before[place]
        if one.op == "=" and one.changed is variable.decl:
            direct = place == len(before) - 1 or one.children[1].value is not None
            if direct:
                value = one.children[1]
                del before[place]
            break
        if variable.decl in {n.decl for n in one.walk()}:
            first = _declared(one, variable.decl)
            if first is not None:
                value, before[place] = first, _without_value(one, variable.decl)
            break
    start = Node("BINARY_OPERATOR", variable.span, variable.type, [variable, value], op="=")
    return _less(start, shift)


def _declared(node: Node, decl: Decl | None) -> Node | None:
    """The number that a variable is declared with; None where it is declared otherwise."""
    for child in node.children if node.kind == "DECL_STMT" else ():
        if child.decl is decl and child.children and child.children[-1].value is not None:
            return child.children[-1]
    return None


def _without_value(node: Node, decl: Decl | None) -> Node:
    """A declaration that does not set a variable."""
    return node.with_children(
        [c if c.decl is not decl else c.with_children([]) for c in node.children]
    )


def _less(start: Node, shift: int) -> Node:
    """A loop's start with one less as the first value where ``shift`` is not 0."""
    if not shift:
        return start
    if start.kind == "DECL_STMT":
        return start.with_children([*start.children[:-1], _less(start.children[-1], shift)])
    *head, value = start.children
    one = Node("INTEGER_LITERAL", value.span, _INT, [], value=abs(shift))
    value = Node("BINARY_OPERATOR", value.span, _INT, [value, one], op="-")
    return start.with_children([*head, value])


def _is_name(node: Node) -> bool:
    return node.kind == "DECL_REF_EXPR" and node.decl is not None and node.decl.type.kind == "int"


def _statements(node: Node) -> list[Node]:
    if node.kind == "COMPOUND_STMT":
        return node.children
    return [] if node.kind == "NULL_STMT" else [node]


def _sets(body: Node, decl: Decl | None) -> bool:
    return any(node.changed is decl for node in body.walk())


# ---- continue


def _continues(node: Node) -> bool:
    """Whether a statement goes on with the next iteration of the loop around it."""
    if node.is_loop:
        return False
    return node.kind == "CONTINUE_STMT" or any(_continues(child) for child in node.children)


def with_continues_taken(node: Node) -> Node:
    """``if (c) continue; rest`` as ``if (!c) { rest }``, unless the rest would stand twice."""
    below = [with_continues_taken(child) for child in node.children]
    if node.kind in ("FOR_STMT", "WHILE_STMT") and _continues(below[-1]):
        body = in_place(below[-1], _continued(_statements(below[-1])))
        parts = [id(part) for part in body.walk()]
        below[-1] = body if len(set(parts)) == len(parts) else below[-1]
    if all(a is b for a, b in zip(below, node.children, strict=True)):
        return node
    return node.with_children(below)


def _continued(nodes: Sequence[Node]) -> list[Node]:
    """``if (c) continue; rest`` as ``if (!c) { rest }``; other jumps stay."""
    done: list[Node] = []
    for place, node in enumerate(nodes):
        if node.kind == "CONTINUE_STMT":
            return done
        if node.kind == "COMPOUND_STMT" and _continues(node):
            return [*done, *_continued([*node.children, *nodes[place + 1 :]])]
        if node.kind != "IF_STMT" or not _continues(node):
            done.append(node)
            continue
        test, *branches = node.children
        rest = nodes[place + 1 :]
        sides = [_statements(branch) for branch in branches] + [[]] * (2 - len(branches))
        then, otherwise = (_continued([*side, *rest]) for side in sides)
        if not then:
            test, then, otherwise = _not(test), otherwise, []
        parts = [in_place(node, side) for side in (then, otherwise) if side]
        return [*done, node.with_children([test, *parts])] if parts else done
    return done


def _not(test: Node) -> Node:
    return Node("UNARY_OPERATOR", test.span, _INT, [test], op="!")


# ---- declarations


def with_single_declarations(node: Node) -> Node:
    """A statement in which each declaration of several variables is one for each of them."""
    if "DECL_STMT" not in node.kinds:
        return node
    below = [with_single_declarations(child) for child in node.children]
    if node.kind != "COMPOUND_STMT":
        return node.with_children(below)
    singles = [one for child in below for one in _singles(child)]
    return node.with_children(singles)


def _singles(node: Node) -> list[Node]:
    if node.kind != "DECL_STMT" or len(node.children) < 2:
        return [node]
    ends = [*(variable.span.end for variable in node.children[:-1]), node.span.end]
    spans = map(Span, [node.span.start, *ends], ends)
    return [
        replace(node.with_children([variable]), span=span)
        for variable, span in zip(node.children, spans, strict=True)
    ]


# ---- assignments in assignments


def with_single_assignments(node: Node) -> Node:
    """A statement in which ``a[i] = b[i] = v;`` is ``{ b[i] = v; a[i] = b[i]; }``.

    Where neither target names what the other one assigns to.
    """
    if "BINARY_OPERATOR" not in node.kinds and node.kind != "BINARY_OPERATOR":
        return node
    if node.kind == "BINARY_OPERATOR" and node.op == "=":
        return _one_by_one(node)
    if node.kind not in _WITH_STATEMENTS:
        return node
    return node.with_children(list(map(with_single_assignments, node.children)))


_WITH_STATEMENTS = frozenset({
    "COMPOUND_STMT", "FOR_STMT", "WHILE_STMT", "DO_STMT", "IF_STMT", "SWITCH_STMT", "CASE_STMT",
})  # fmt: skip


def _one_by_one(node: Node) -> Node:
    target, value = node.children
    inner = value.uncast
    if inner.kind != "BINARY_OPERATOR" or inner.op != "=" or inner.in_macro:
        return node
    first = inner.children[0]
    apart = not {n.decl for n in first.walk() if n.decl} & {_base(target)}
    apart &= not {n.decl for n in target.walk() if n.decl} & {_base(first)}
    plain = not any(n.kind == "CALL_EXPR" or n.assigns for n in (*first.walk(), *target.walk()))
    if not apart or not plain:
        return node
    before = _one_by_one(inner)
    after = node.with_children([target, with_replaced(value, inner, first)])
    return Node("COMPOUND_STMT", node.span, node.type, [before, after], in_macro=node.in_macro)


def _base(target: Node) -> Decl | None:
    """The variable that an element is of."""
    while target.kind != "DECL_REF_EXPR" and target.children:
        target = target.children[0]
    return target.decl
