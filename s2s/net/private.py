"""Variables of which each thread has its own: they have their old values after the construct."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.openmp.directives import Directive


def private_in(node: Node, directives: Sequence[Directive]) -> Iterator[tuple[Decl, bool]]:
    """Variables from around a statement that it has its own of; whether with their values."""
    listed: dict[str, bool] = {}
    for directive in directives:
        shown = set(directive.listed("lastprivate", "linear"))
        for name in directive.listed("private"):
            listed.setdefault(name, False)
        for name in directive.listed("firstprivate"):
            if name not in shown:
                listed[name] = True
        if directive.name != "simd":
            for name in _iterators(node, directive):
                if name not in shown:
                    listed.setdefault(name, False)
    if not listed:
        return
    inside = {n.decl for n in node.walk() if n.kind == "VAR_DECL"}
    seen: set[Decl] = set()
    for inner in node.walk():
        decl = inner.decl
        if inner.kind != "DECL_REF_EXPR" or decl is None or decl in seen or decl in inside:
            continue
        if decl.name in listed:
            seen.add(decl)
            yield decl, listed[decl.name]


def _iterators(node: Node, directive: Directive) -> Iterator[str]:
    """The variables of the loops that a directive takes."""
    if "for" not in directive.name.split() and "taskloop" not in directive.name.split():
        return
    numbers = [c.argument.strip() for c in directive.all("collapse")]
    count = next((int(n) for n in numbers if n.isdigit()), 1)
    while count and node.kind == "FOR_STMT" and len(node.children) == 4:
        init = node.children[0]
        if init.kind == "BINARY_OPERATOR" and init.op == "=" and init.children[0].name:
            yield init.children[0].name
        node, count = node.children[3], count - 1
        while node.kind == "COMPOUND_STMT" and len(node.children) == 1:
            node = node.children[0]
