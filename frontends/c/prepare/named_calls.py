"""What slow functions of <math.h> return gets names, where there is much beside the calls.

::

    for (j = 0; j < n; j++) {                  for (j = 0; j < n; j++) {
        x = r[i].x - s[j].x;                       x = r[i].x - s[j].x;
        f[i].x += q[j] * exp(-a * x) * x;  ->      double exp_of = -a * x;
    }                                              double exp_value = exp(exp_of);
                                                   f[i].x += q[j] * exp_value * x;
                                               }

What stands beside a call can then be in a loop of its own. Calls that are not always made stay
where they are, and so do all in statements that do anything else but assign once.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.mathematical import is_slow
from s2s.frontends.c.prepare.inline import Names
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import ASSIGNMENTS, Node
from s2s.frontends.c.text import statement_end
from s2s.source import Edit, SourceBuffer

# Operations and elements beside the calls from which on the loop is worth a look: with fewer the
# calls hide them.
_MUCH = 8
_ASSIGNING = frozenset({"BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"})
_CHOICES = frozenset({"CONDITIONAL_OPERATOR", "STMT_EXPR"})
_WORK = frozenset({"BINARY_OPERATOR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"})


def embeds_calls(attempt: Attempt) -> bool:
    """Whether a region is an innermost loop with such calls among other operations."""
    return next(_found(attempt), None) is not None


def named_calls(attempt: Attempt, names: Names) -> tuple[Edit, ...]:
    """The edits that name what each of the calls returns, and what it is called with."""
    buffer = attempt.function.unit.buffer
    edits: list[Edit] = []
    for statement, calls in _found(attempt):
        declared = ""
        for call in calls:
            value = names.fresh(f"{call.name}_value")
            declared += _declarations(buffer, call, value, names)
            edits.append(Edit(call.span.start, call.span.end, _bytes(value)))
        start = statement.span.start
        edits.append(Edit(start, start, _bytes(declared)))
    return tuple(sorted(edits))


def _declarations(buffer: SourceBuffer, call: Node, value: str, names: Names) -> str:
    """Declarations of a call's value and, before it, of what it is called with."""
    argument = call.children[1]
    text = buffer.text(call.span)
    if not _is_work(argument):
        return f"{call.type.spelling} {value} = {text}; "
    of = names.fresh(f"{call.name}_of")
    with_name = buffer.edited(call.span, [Edit(argument.span.start, argument.span.end, _bytes(of))])
    first = f"{call.type.spelling} {of} = {buffer.text(argument.span)}; "
    return f"{first}{call.type.spelling} {value} = {with_name}; "


def _found(attempt: Attempt) -> Iterator[tuple[Node, list[Node]]]:
    """Statements of a loop's body with the calls in them that can be made before."""
    body = _body(attempt)
    if body is None or not any(_is_slow(n) for n in body.walk()):
        return
    if sum(n.kind in _WORK for n in body.walk()) < _MUCH:
        return
    data = attempt.function.unit.buffer.data
    for statement in body.children:
        if attempt.function.attached.before(statement.span.start) or statement.in_macro:
            continue
        value = _value(statement)
        if value is None or (statement.kind != "DECL_STMT" and not _ends(statement, data)):
            continue
        calls = list(_embedded(value))
        if calls and not any(n.in_macro for call in calls for n in call.walk()):
            yield statement, calls


def _body(attempt: Attempt) -> Node | None:
    """The block that an innermost loop repeats, if a region is one."""
    (loop, *rest) = attempt.statements
    if rest or loop.kind != "FOR_STMT" or loop.children[-1].kind != "COMPOUND_STMT":
        return None
    inner = any(n.is_loop for n in loop.walk() if n is not loop)
    return None if inner else loop.children[-1]


def _value(statement: Node) -> Node | None:
    """What a statement assigns, or the one variable that it declares begins with.

    None where anything in it has another effect.
    """
    parts = statement.children
    if statement.kind == "DECL_STMT":
        value = initializer(parts[0]) if len(parts) == 1 and parts[0].kind == "VAR_DECL" else None
    elif statement.kind in _ASSIGNING and statement.op in ASSIGNMENTS and len(parts) == 2:
        value = parts[1]
    else:
        value = None
    inside = [n for part in parts for n in part.walk()]
    if any(n.assigns or (n.kind == "CALL_EXPR" and not _is_slow(n)) for n in inside):
        return None
    return value


def _ends(statement: Node, data: bytes) -> bool:
    return statement_end(data, statement.span.end) is not None


def _embedded(value: Node) -> Iterator[Node]:
    """Calls that are always made and are not all of a value; of nested ones the outer."""
    left = [] if _is_slow(value.bare) else [value]
    while left:
        node = left.pop()
        if _is_slow(node):
            yield node
        elif node.kind not in _CHOICES and node.op not in ("&&", "||"):
            left += node.children


def _is_slow(node: Node) -> bool:
    floating = node.kind == "CALL_EXPR" and node.type.kind == "float" and len(node.children) > 1
    return floating and is_slow(node.name)


def _is_work(node: Node) -> bool:
    return any(n.kind == "BINARY_OPERATOR" for n in node.walk())


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
