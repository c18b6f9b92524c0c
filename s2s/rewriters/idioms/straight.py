"""Whether straight code makes a vector loop of its iterations; a matter of gain, not of proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, Decl, Node
from s2s.rewriters.expressions import ElementRead, divides_integers, is_plain, loads, same
from s2s.rewriters.idioms.events import is_prelude
from s2s.rewriters.idioms.loops import unlabelled


def are_vectors(nodes: Sequence[Node], steps: Mapping[Decl, int], stepped: Set[Decl]) -> bool:
    """Whether compilers are expected to make vectors of statements that run one after the other.

    ``steps`` are the variables of the loop's header, ``stepped`` those that statements move.
    """
    flat = list(_flat(nodes))
    if not all(_is_simple(n, stepped) for n in flat):
        return False
    stepping = {*steps, *stepped}
    elements = [(place, is_store, e) for place, n in enumerate(flat)
                for is_store, e in _elements(n, stepping)]  # fmt: skip
    found = [(p, s, e) for p, s, e in elements if e is not None and _is_in_row(e)]
    if len(found) < len(elements):
        return False
    stores = [(p, e) for p, is_store, e in found if is_store]
    return all(
        _keeps_apart(store, at, element, place, is_store, steps, stepped)
        for at, store in stores for place, is_store, element in found
        if element.root is store.root and element is not store
    )  # fmt: skip


def _flat(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in map(unlabelled, nodes):
        if node.kind == "COMPOUND_STMT":
            yield from _flat(node.children)
        elif node.kind == "IF_STMT":
            if any(n.kind == "ARRAY_SUBSCRIPT_EXPR" for n in node.children[0].walk()):
                yield node  # not the same in all iterations: no straight code
            else:
                yield from _flat(node.children[1:])
        elif node.kind != "NULL_STMT":
            yield node


def _is_simple(node: Node, stepped: Set[Decl]) -> bool:
    """Whether a statement moves a variable, or assigns a plain value."""
    if is_prelude(node):
        return True
    if node.op in INCREMENTS:
        return _moves(node, stepped)
    if node.op not in ASSIGNMENTS or len(node.children) != 2:
        return False
    target, value = node.children
    if target.kind == "DECL_REF_EXPR" and node.op != "=" and target.decl not in stepped:
        return False
    if target.kind not in ("DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"):
        return False
    plain = all(is_plain(n) or _moves(n, stepped) for c in node.children for n in c.walk())
    return plain and target.type.scalar and not divides_integers(value)


def _moves(node: Node, stepped: Set[Decl]) -> bool:
    """Whether an operation moves one of some variables by one."""
    return node.op in INCREMENTS and node.children[0].decl in stepped


def _elements(node: Node, stepping: Set[Decl]) -> Iterator[tuple[bool, ElementRead | None]]:
    target = node.children[0] if node.op in ASSIGNMENTS else None
    for child in node.children:
        is_store = child is target and child.kind == "ARRAY_SUBSCRIPT_EXPR"
        for element in loads(child, stepping):
            yield is_store, element
        if is_store and node.op != "=":
            for element in loads(child, stepping):
                yield False, element


def _is_in_row(element: ElementRead) -> bool:
    *outer, last = element.indices
    return all(i.variable is None for i in outer) and abs(last.coefficient) <= 1


def _keeps_apart(
    store: ElementRead, at: int, other: ElementRead, place: int, is_store: bool,
    steps: Mapping[Decl, int], stepped: Set[Decl],
) -> bool:  # fmt: skip
    """Whether a store and another access of its array are in order with vectors of statements."""
    if store.indices[-1].variable is None:
        return False
    if store.indices[-1].variable in stepped or other.indices[-1].variable in stepped:
        return is_store  # one element after the other, wherever the variable stands
    if same(store.node, other.node):
        return True
    a, b = other.indices[-1], store.indices[-1]
    if is_store or a.variable is not b.variable or a.constant is None or b.constant is None:
        return False
    pace = b.coefficient * steps[b.variable] if b.variable is not None else 0
    if a.coefficient != b.coefficient or not pace:
        return False
    later, rest = divmod(a.constant - b.constant, pace)
    return bool(rest) or (later > 0 and place <= at)


def is_same_work(ways: Sequence[Sequence[Node]]) -> bool:
    """Whether all ways store the same elements: a selection of values does the same."""
    targets = [[n.children[0] for n in _flat(way) if n.op in ASSIGNMENTS] for way in ways]
    first, *others = targets
    return bool(first) and all(
        all(any(same(t, o) for o in other) for t in first)
        and all(any(same(t, o) for o in first) for t in other)
        for other in others
    )
