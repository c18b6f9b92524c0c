"""Items of ``depend`` clauses as tags of a SCoP."""

from __future__ import annotations

import islpy as isl

from s2s.frontends.c.raw import Raw, constructs
from s2s.scop.tags import TagBase


def distinct_tags(raw: Raw) -> frozenset[frozenset[str]]:
    """Bases of tags, one of them written, of which pointers might make the same addresses."""
    pairs: set[frozenset[str]] = set()
    items = [i for c in constructs(raw) for i in c.depends if i.base]
    for a in items:
        for b in items:
            matters = a.base != b.base and (a.writes or b.writes) and not (a.flat or b.flat)
            if matters and a.subscripts and b.subscripts and (a.pointer or b.pointer):
                pairs.add(frozenset((a.base, b.base)))
    return frozenset(pairs)


def tag_base(raw: Raw, base: str, space: str) -> TagBase:
    """The first subscripts of a base's tags; ``space`` is the parameters' isl text."""
    first = isl.Set(f"{space}{{ [o] : false }}")
    single = True
    for construct in constructs(raw):
        names = ", ".join(v.name for v in construct.context.iterators)
        around = f"exists ({names} : {construct.context.formula}" if names else "("
        for item in construct.depends:
            if item.base == base:
                value = item.subscripts[0] if item.subscripts else "0"
                first = first.union(isl.Set(f"{space}{{ [o] : {around} and o = {value}) }}"))
                single = single and item.subscripts is not None and len(item.subscripts) == 1
    return TagBase(first, single)
