"""Private scalars that carry values between statements kept apart.

``scalars`` merges the statements that share such a variable. Here they stay apart instead, so that
their loops can be distributed and interchanged: the variable becomes an array over the loops around
one of its lifetimes (an iteration of the loop whose body sets it before it reads it). Transforms
have to give that array memory again, by contraction to an element or by expansion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.lift import Lifter
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.raw import Raw, RawLeaf, leaves, loops
from s2s.frontends.c.scalars import (
    is_private,
    merge_declarations,
    merge_for,
    merge_private,
    scalars,
)
from s2s.frontends.c.syntax import Decl, Node
from s2s.scop.texts import Carried, Copy
from s2s.source import SourceBuffer, Span
from s2s.source.records import dataclass

_ELEMENTS = ("ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR", "MEMBER_REF_EXPR")


@dataclass(frozen=True, eq=False)
class Lifetime:
    """A loop body whose every iteration has a value of ``decl`` of its own."""

    decl: Decl
    context: Context
    span: Span

    def holds(self, leaf: RawLeaf) -> bool:
        return leaf.span in self.span


def keep_apart(
    tree: Raw, lifter: Lifter, dead: Callable[[Decl], bool]
) -> tuple[Raw, tuple[Lifetime, ...]]:
    """The tree with everything merged but what shares separable scalars, and their lifetimes.

    Raises NotLiftable where there is no such scalar.
    """
    wanted = {
        d for d in scalars(tree) if _is_separable(d, lifter) and (dead(d) or is_private(tree, d))
    }
    while wanted:
        merged = merge_declarations(tree, wanted)
        merged = merge_private(merged, dead, wanted)
        found = {d: _lifetimes(merged, d, lifter) for d in wanted}
        failed = {d for d, lifetimes in found.items() if not lifetimes}
        failed |= _declared_with_others(merged, found)
        if not failed:
            ordered = sorted(wanted, key=lambda d: d.offset)
            return merged, tuple(item for d in ordered for item in found[d])
        wanted -= failed
    raise NotLiftable(tree.span, "no scalar whose statements could be kept apart")


def _declared_with_others(tree: Raw, found: Mapping[Decl, tuple[Lifetime, ...]]) -> set[Decl]:
    """Those that share a declaration with a variable that stays: its type would go with theirs."""
    return {
        decl for leaf in leaves(tree) if not leaf.declares <= found.keys()
        for decl in leaf.declares & found.keys() if any(f.holds(leaf) for f in found[decl])
    }  # fmt: skip


def _is_separable(decl: Decl, lifter: Lifter) -> bool:
    """Whether every use of a variable is plain text that can be replaced by an array's element.

    Integers that subscripts, bounds or conditions use are followed by value instead.
    """
    type_ = decl.type
    if type_.kind not in ("int", "float") or type_.volatile or type_.reference:
        return False
    if decl in lifter.facts.escaped or decl.is_static:
        return False
    if any(node.in_macro for node in lifter.facts.references.get(decl, [])):
        return False
    return type_.kind == "float" or not any(_steers(root, decl) for root in lifter.region)


def _steers(root: Node, decl: Decl) -> bool:
    """Whether a variable is part of a subscript, a loop's header or a condition."""
    if decl not in root.decls:
        return False
    for node in root.walk():
        parts: Iterable[Node] = ()
        if node.kind == "ARRAY_SUBSCRIPT_EXPR":
            parts = node.children
        elif node.kind == "FOR_STMT":
            parts = node.children[:-1]
        elif node.kind in ("IF_STMT", "WHILE_STMT", "SWITCH_STMT", "CONDITIONAL_OPERATOR"):
            parts = node.children[:1]
        if any(decl in part.decls for part in parts):
            return True
    return False


def _lifetimes(tree: Raw, decl: Decl, lifter: Lifter) -> tuple[Lifetime, ...]:
    """The loop bodies that would be merged for a variable; none where they cannot be kept apart."""
    whole = merge_for(tree, decl)
    before = {id(leaf) for leaf in leaves(tree)}
    if any(decl in leaf.exposed for leaf in leaves(whole)):
        return ()
    bodies = [leaf for leaf in leaves(whole) if id(leaf) not in before]
    if not any(_holds_loop(tree, body.span) for body in bodies):
        return ()
    found = tuple(Lifetime(decl, body.context, body.span) for body in bodies)
    inside = [leaf for leaf in leaves(tree) if any(f.holds(leaf) for f in found)]
    return found if all(_is_replaceable(leaf, decl, lifter) for leaf in inside) else ()


def _holds_loop(tree: Raw, span: Span) -> bool:
    return any(loop.span in span for loop in loops(tree))


def _is_replaceable(leaf: RawLeaf, decl: Decl, lifter: Lifter) -> bool:
    """Whether the leaf's text names a variable only where the syntax tree shows it."""
    if decl not in leaf.references | leaf.declares:
        return True
    if leaf.pragmas or any(
        decl.name in lifter.buffer.text(d.span) for d in lifter.attached.within(leaf.span)
    ):
        return False
    if decl not in leaf.declares:
        return True
    return _becomes_assignments(leaf, lifter.buffer)


def _becomes_assignments(leaf: RawLeaf, buffer: SourceBuffer) -> bool:
    """Whether a leaf declares variables with ``=``, so that elements for their names, and for the
    type before the first one, leave assignments with commas between them.
    """
    if len(leaf.nodes) != 1 or leaf.nodes[0].kind != "DECL_STMT" or leaf.nodes[0].in_macro:
        return False
    end = 0
    for variable in leaf.nodes[0].children:
        value = _initial_value(variable) if variable.kind == "VAR_DECL" else None
        if value is None or variable.decl is None or variable.in_macro:
            return False
        if buffer.data[_name_end(variable.decl) : value.span.start].strip() != b"=":
            return False
        if end and buffer.data[end : variable.decl.offset].strip() != b",":
            return False
        end = value.span.end
    return True


def _initial_value(variable: Node) -> Node | None:
    values = [c for c in variable.children if c.kind != "NAMESPACE_REF"]
    return values[0] if len(values) == 1 and values[0].kind != "INIT_LIST_EXPR" else None


def _name_end(decl: Decl) -> int:
    return decl.offset + len(decl.name.encode())


# -- descriptions ---------------------------------------------------------------------------


def describe(
    lifetime: Lifetime, array: str, members: list[tuple[RawLeaf, str]], tree: Raw, lifter: Lifter
) -> Carried:
    """What transforms have to know of a lifetime's array; ``members`` are leaves with names."""
    decl = lifetime.decl
    places = {name: _places(leaf, decl) for leaf, name in members}
    sets = {name for leaf, name in members if _value_set(leaf, decl) is not None}
    hidden = _ambiguous_names(lifetime, tree)
    copies = []
    for leaf, name in members:
        copy = _copy(leaf, name, lifetime, lifter)
        if copy is not None and not copy.names & hidden:
            copies.append(copy)
    return Carried(
        array, decl.name, decl.type.spelling, lifetime.context.iterators,
        places, frozenset(sets), hidden, tuple(copies),
    )  # fmt: skip


def _places(leaf: RawLeaf, decl: Decl) -> tuple[Span, ...]:
    found = []
    for root in leaf.nodes:
        for node in root.walk():
            if node.kind == "DECL_REF_EXPR" and node.decl is decl:
                found.append(node.span)
            elif node.kind == "VAR_DECL" and node.decl is decl:
                first = root.kind == "DECL_STMT" and root.children[0].decl is decl
                found.append(Span(node.span.start if first else decl.offset, _name_end(decl)))
    return tuple(sorted(found))


def _value_set(leaf: RawLeaf, decl: Decl) -> Node | None:
    """The value of a leaf that does nothing but set the variable from others."""
    if len(leaf.nodes) != 1:
        return None
    (node,) = leaf.nodes
    value: Node | None = None
    if node.kind == "BINARY_OPERATOR" and node.op == "=":
        target, source = node.children
        value = source if target.kind == "DECL_REF_EXPR" and target.decl is decl else None
    elif node.kind == "DECL_STMT" and len(node.children) == 1 and node.children[0].decl is decl:
        value = _initial_value(node.children[0])
    elif node.kind == "DECL_STMT" and all(_is_constant(c) for c in node.children):
        value = next((_initial_value(c) for c in node.children if c.decl is decl), None)
    if value is None or _has_effects(value) or any(n.decl is decl for n in value.walk()):
        return None
    return value


def _is_constant(variable: Node) -> bool:
    """Whether a declaration's value is made of literals, so that it reads nothing."""
    value = _initial_value(variable) if variable.kind == "VAR_DECL" else None
    return value is not None and not any(n.decl is not None for n in value.walk())


def _has_effects(node: Node) -> bool:
    return any(n.assigns for n in node.walk())


def _copy(leaf: RawLeaf, name: str, lifetime: Lifetime, lifter: Lifter) -> Copy | None:
    """The leaf as an assignment between the variable and an element, if it is one."""
    decl = lifetime.decl
    value = _value_set(leaf, decl)
    if value is not None:
        names = _element_names(value, lifetime, lifter)
        if names is None:
            return None
        return Copy(name, value.span, _text(value, lifter.buffer), False, True, names)
    node = leaf.nodes[0]
    if len(leaf.nodes) != 1 or node.kind != "BINARY_OPERATOR" or node.op != "=":
        return None
    target, source = node.children
    names = _element_names(target, lifetime, lifter)
    if names is None or _has_effects(source):
        return None
    if not any(n.decl is decl for n in source.walk()):
        return None
    plain = source.kind == "DECL_REF_EXPR"
    return Copy(name, target.span, _text(target, lifter.buffer), True, plain, names)


def _text(element: Node, buffer: SourceBuffer) -> str:
    """An element's text as an operand of any operator."""
    text = buffer.text(element.span)
    return text if element.kind == "ARRAY_SUBSCRIPT_EXPR" else f"({text})"


def _element_names(node: Node, lifetime: Lifetime, lifter: Lifter) -> frozenset[str] | None:
    """Variables of an element's text, which means the same throughout a lifetime; else None."""
    if node.kind not in _ELEMENTS or (node.kind == "UNARY_OPERATOR" and node.op != "*"):
        return None
    if node.kind == "MEMBER_REF_EXPR" and node.type.kind != "float":
        return None  # it might be a bit-field
    if _plain_type(node.type.canonical) != _plain_type(lifetime.decl.type.canonical):
        return None
    names = set()
    for inner in node.walk():
        if inner.in_macro or inner.kind == "CALL_EXPR" or inner.type.volatile:
            return None
        if inner.kind != "DECL_REF_EXPR" or inner.decl is None:
            continue
        changes = inner.decl not in lifetime.context.decls and inner.decl in lifter.assigned
        if changes or inner.decl in lifter.hoisted.names:
            return None
        names.add(inner.decl.name)
    return None if _has_effects(node) else frozenset(names)


def _plain_type(spelling: str) -> str:
    return " ".join(w for w in spelling.split() if w not in ("const", "register"))


def _ambiguous_names(lifetime: Lifetime, tree: Raw) -> frozenset[str]:
    """Names that stand for different variables in different places of a lifetime."""
    declared = set(lifetime.context.decls)
    for leaf in leaves(tree):
        if lifetime.holds(leaf):
            declared |= leaf.references | leaf.declares | set(leaf.context.decls)
    names = Counter(decl.name for decl in declared)
    return frozenset(name for name, count in names.items() if count > 1)
