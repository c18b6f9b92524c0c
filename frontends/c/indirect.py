"""In words: where data decide which element of an array a statement touches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from s2s.frontends.c.facts import Facts
from s2s.frontends.c.lvalues import resolve
from s2s.frontends.c.syntax import Decl, Node
from s2s.source import Span

_ELEMENTS = frozenset({"ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"})


def describe(
    indirect: Iterable[tuple[Node, Decl, Node]], facts: Facts
) -> Iterator[tuple[Span, str]]:
    """What to say of subscripts that are not affine: each is a reference, its array and its index.

    Arrays whose elements the index is made of are named, once for each array that it selects from.
    """
    said: set[tuple[Decl, frozenset[str]]] = set()
    for reference, array, index in indirect:
        sources = frozenset(_arrays(index, facts) - {array.name})
        if sources and (array, sources) not in said:
            said.add((array, sources))
            names = " and ".join(f"'{name}'" for name in sorted(sources))
            text = f"which element of '{array.name}' this is depends on the data in {names}"
            yield reference.span, text


def _arrays(value: Node, facts: Facts) -> set[str]:
    """Names of the arrays whose elements a value comes from, through variables that hold them."""
    found: set[str] = set()
    seen: set[Decl] = set()
    pending = [value]
    while pending:
        node = pending.pop()
        if node.kind in _ELEMENTS or (node.kind == "UNARY_OPERATOR" and node.op == "*"):
            path = resolve(node)
            found |= set() if path is None or path.root is None else {path.root.name}
        elif node.kind == "DECL_REF_EXPR" and node.decl is not None and node.decl not in seen:
            seen.add(node.decl)
            pending += facts.sources.get(node.decl, [])
        else:
            pending += node.children
    return found
