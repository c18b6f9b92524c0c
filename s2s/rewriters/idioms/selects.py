"""A switch that picks what to assign to one element becomes a selection among computed values.

::

    switch (kind[i]) {                       for (l ...) v0[l] = a[i] + b[i];
    case 1: a[i] += c[i]; break;      ->     for (l ...) v1[l] = a[i] + c[i];
    default: a[i] += b[i]; break;            for (l ...) a[i] = kind[i] == 1 ? v1[l] : v0[l];
    }

Also where the cases are reached by ``goto``. Every way through the body assigns the same element
once, so no store is invented. The values of a strip are computed on all ways: they are
floating-point expressions without effects, and what they load is shown, or asked, to be inside of
its array. Where gcc has to mind floating-point exceptions it would compute them after branches, so
there they are computed by loops of their own, into arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.frontends.c.integer_constants import constant_value
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import ASSIGNMENTS, Node
from s2s.frontends.c.text import read_parenthesized
from s2s.rewriters.expressions import ElementRead, is_pure, loads, same, unit_stride, variables
from s2s.rewriters.idioms.conditions import checks
from s2s.rewriters.idioms.loops import (
    CountedLoop,
    Unproved,
    Unsuitable,
    counted_loop,
    statement_span,
    unlabelled,
)
from s2s.rewriters.idioms.room import check_room
from s2s.rewriters.idioms.writing import Writer
from s2s.scop.stack import on_stack
from s2s.source.records import dataclass

# Iterations of a strip, and the most values that are computed for each of them.
_SIZE = 256
_MOST = 8


@dataclass(frozen=True)
class Way:
    """What is assigned where the selector is one of ``keys``; no keys: in all other cases."""

    keys: tuple[int, ...]
    assignment: Node


@dataclass(frozen=True)
class Select:
    """A loop around one switch; the last of the ``ways`` has no keys."""

    loop: CountedLoop
    switch: Node
    ways: tuple[Way, ...]
    checks: tuple[str, ...]

    @property
    def target(self) -> Node:
        return self.ways[0].assignment.children[0]


def find_select(function: Function, node: Node) -> Select:
    """Recognise a loop. Raises Unsuitable."""
    body = [s for s in node.children[-1].statements if s.kind != "NULL_STMT"]
    if not body or body[0].kind != "SWITCH_STMT":
        raise Unsuitable(node, "the loop does not begin with a switch")
    loop = counted_loop(function, node)
    try:
        *picked, other = _ways(body)
        ways = (*(w for w in picked if w.assignment is not other.assignment), other)
        if len(loop.inductions) != 1 or loop.counter.node is not None:
            raise Unsuitable(node, "the loop does more than count")
        check_room(node, [loop.body], {loop.counter.decl: loop.step}, _SIZE)
        return Select(loop, body[0], ways, _proved(function, loop, body[0], ways))
    except Unsuitable as problem:
        raise Unproved(problem.node, problem.reason) from None


# -- the ways through the body ------------------------------------------------------------------


def _ways(body: list[Node]) -> Iterator[Way]:
    """What each case assigns, and what all others do, which comes last."""
    switch, behind = body[0], body[1:]
    parts = list(switch.children[-1].children)
    default: Node | None = None
    has_default = False
    for position, part in enumerate(parts):
        keys: list[int] = []
        others = False
        while part.kind in ("CASE_STMT", "DEFAULT_STMT"):
            others |= part.kind == "DEFAULT_STMT"
            if part.kind == "CASE_STMT":
                keys.append(_key(part))
            part = part.children[-1]
        if not keys and not others:
            continue
        found = _assigned(switch, [part, *parts[position + 1 :]], behind)
        if others:
            default, has_default = found, True
        elif keys:
            yield Way(tuple(keys), found)
    yield Way((), default if has_default and default is not None else _assigned(switch, [], behind))


def _key(case: Node) -> int:
    value = constant_value(case.children[0]) if len(case.children) == 2 else None
    if value is None:
        raise Unsuitable(case, "a case of the switch is not one number")
    return value


def _assigned(switch: Node, inside: list[Node], behind: list[Node]) -> Node:
    """The only assignment on the way from a case to the end of the body. Raises Unsuitable."""
    found: list[Node] = []
    rest = [*inside, None, *behind]  # None: where a break leads to
    places = {s.name: n for n, s in enumerate(behind) if s.kind == "LABEL_STMT"}
    position, steps = 0, 0
    while position < len(rest):
        steps += 1
        node = rest[position]
        position += 1
        if node is None:
            continue
        node = unlabelled(node)
        while node.kind in ("CASE_STMT", "DEFAULT_STMT"):
            node = node.children[-1]
        if node.kind == "COMPOUND_STMT":
            rest[position:position] = node.children
        elif node.kind == "BREAK_STMT":
            position = rest.index(None)
        elif node.kind == "GOTO_STMT" and node.children and node.children[0].name in places:
            position = rest.index(None) + 1 + places[node.children[0].name]
        elif node.op in ASSIGNMENTS:
            found.append(node)
        elif node.kind != "NULL_STMT":
            raise Unsuitable(node, "a case does more than assign an element")
        if len(found) > 1 or steps > 10 * len(rest):
            raise Unsuitable(node, "a case does more than assign an element")
    if not found:
        raise Unsuitable(switch, "not every case assigns the element")
    return found[0]


# -- what is proved -----------------------------------------------------------------------------


def _proved(
    function: Function, loop: CountedLoop, switch: Node, ways: tuple[Way, ...]
) -> tuple[str, ...]:
    """Conditions for strips. Raises Unsuitable."""
    selector, target = switch.children[0], ways[0].assignment.children[0]
    if not 2 <= len(ways) <= _MOST:
        raise Unsuitable(switch, "too many or too few cases")
    if target.kind != "ARRAY_SUBSCRIPT_EXPR" or target.type.kind != "float":
        raise Unsuitable(target, "what is assigned is no floating-point element of an array")
    if not is_pure(selector) or selector.type.kind != "int":
        raise Unsuitable(selector, "the selector has effects")
    steps = {loop.counter.decl: loop.step}
    stored = _element(target, steps)
    found = [replace(e, guarded=False) for e in _elements(selector, steps)]
    for way in ways:
        left, value = way.assignment.children
        if not same(left, target) or way.assignment.in_macro or left.in_macro:
            raise Unsuitable(left, "cases assign different elements")
        if not is_pure(value) or not _is_floating(value):
            raise Unsuitable(value, "a value cannot be computed without need")
        found += [replace(e, guarded=True) for e in _elements(value, steps)]
    for load in found:
        if None in load.sizes or load.root.type.kind != "array":
            raise Unsuitable(load.node, f"'{load.root.name}' may be what the loop stores, or end")
        if load.root is stored.root and not same(load.node, target):
            raise Unsuitable(load.node, "a value is computed from another one")
    if None in stored.sizes or stored.root in variables(loop.bound_node):
        raise Unsuitable(target, f"nothing is known of '{stored.root.name}'")
    guarded = [load for load in found if load.guarded and load.root is not stored.root]
    return tuple(dict.fromkeys(checks(loop, guarded, _SIZE)))


def _is_floating(value: Node) -> bool:
    """Whether an expression computes with floating-point numbers only: nothing overflows."""
    return all(
        n.type.kind == "float" or not n.op for n in _above_subscripts(value)
    )  # fmt: skip


def _above_subscripts(node: Node) -> Iterator[Node]:
    yield node
    if node.kind != "ARRAY_SUBSCRIPT_EXPR":
        for child in node.children:
            yield from _above_subscripts(child)


def _elements(node: Node, steps: dict) -> Iterator[ElementRead]:  # type: ignore[type-arg]
    for load in loads(node, set(steps)):
        if load is None or not unit_stride(load, steps):
            raise Unsuitable(node, "a value does not walk along memory")
        yield load


def _element(node: Node, steps: dict) -> ElementRead:  # type: ignore[type-arg]
    (found,) = _elements(node, steps)
    if not found.varies:
        raise Unsuitable(node, "all iterations assign the same element")
    return found


# -- the new text -------------------------------------------------------------------------------


def select_text(select: Select, writer: Writer, *, arrays: bool) -> bytes:
    """The loop in strips of computed values, and the source's loop for what remains.

    With ``arrays`` the values are computed by loops of their own.
    """
    loop, p = select.loop, writer.prefix
    more = " && ".join([f"({writer.condition()})", loop.more(_SIZE), *select.checks])
    type_ = select.target.type.canonical
    all_nodes = [loop.body]
    *picked, other = select.ways
    names = [f"{p}value{n}" for n in range(len(select.ways))]
    ordered = list(zip((other, *picked), names, strict=True))
    selector = read_parenthesized(writer.buffer.data, select.switch.span.start)
    assert selector is not None
    lines = [
        "{",
        f"/* s2s: a selection among {len(select.ways)} values */",
        writer.init(),
        f"while ({more}) {{",
        *writer.bases(all_nodes),
        *(on_stack(f"{type_} {name}[{_SIZE}]") for name in names if arrays),
        *(line for way, name in ordered if arrays for line in _value_loop(way, name, writer)),
        writer.lanes(_SIZE) + " {",
        *writer.shadows(all_nodes),
        f"const {select.switch.children[0].type.spelling} {p}case = "
        f"{writer.buffer.text(selector).strip()};",
        *(f"const {type_} {name}_at = " + (f"{name}[{p}l];" if arrays else
          f"{_value(way.assignment, writer)};") for way, name in ordered),
        f"{type_} {p}picked = {names[0]}_at;",
        *(f"{p}picked = {_asks(way, p)} ? {name}_at : {p}picked;"
          for way, name in zip(picked, names[1:], strict=True)),
        f"{writer.buffer.text(select.target.span)} = {p}picked;",
        "}",
        loop.advance(_SIZE),
        "}",
        f"for (; {writer.condition()}; {loop.header.increment})",
        "    " + writer.body(),
        "}",
    ]  # fmt: skip
    return writer.assembled([line for line in lines if line])


def _asks(way: Way, prefix: str) -> str:
    tests = [f"{prefix}case == {key}" for key in way.keys]
    return tests[0] if len(tests) == 1 else "(" + " || ".join(tests) + ")"


def _value_loop(way: Way, name: str, writer: Writer) -> list[str]:
    used = way.assignment.children[1:] if way.assignment.op == "=" else [way.assignment]
    inner = writer.shadows(used)
    value = f"{name}[{writer.prefix}l] = {_value(way.assignment, writer)};"
    return [writer.lanes(_SIZE) + " {", *inner, value, "}"]


def _value(assignment: Node, writer: Writer) -> str:
    """The text of the value that an assignment gives its target."""
    target = assignment.children[0]
    end = statement_span(writer.function, assignment).end
    behind = writer.buffer.data[target.span.end : end].decode("utf-8", "surrogateescape")
    blank, _, value = behind.strip().removesuffix(";").partition(assignment.op)
    if blank:
        raise Unsuitable(assignment, "the text of an assignment is not understood")
    if assignment.op == "=":
        return value.strip()
    return f"{writer.buffer.text(target.span)} {assignment.op[:-1]} ({value.strip()})"
