"""The clauses of the source's parallel constructs that the new construct keeps."""

from __future__ import annotations

import re

from s2s.emitters.c.errors import Unprintable
from s2s.scop.nodes import Construct, Kind, Loop, Scop, walk

# What the expression of a clause must not contain when it moves: assignments, and calls (but
# those of the OpenMP runtime).
_EFFECTS = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)|\b(?!omp_get_)\w+\s*\(")
_KEPT = ("num_threads", "proc_bind", "if")


def carried_clauses(scop: Scop) -> tuple[str, ...]:
    """The clauses; raises Unprintable where they differ or cannot move."""
    found: set[tuple[str, ...]] = set()
    for node in walk(scop.tree):
        if isinstance(node, Construct) and node.kind is Kind.PARALLEL:
            kept = [
                f"{name}({argument})" for name, argument in node.clauses
                if name in _KEPT
            ]  # fmt: skip
            found.add(tuple(sorted(kept)))
    if len(found) > 1:
        raise Unprintable("the parallel regions have different num_threads, if or proc_bind")
    clauses = found.pop() if found else ()
    varying = {n.variable.spelling for n in walk(scop.tree) if isinstance(n, Loop)}
    for clause in clauses:
        words = set(re.findall(r"\w+", clause)) & varying
        if words:
            raise Unprintable(f"'{clause}' depends on the loop variable '{min(words)}'")
        if _EFFECTS.search(clause.partition("(")[2]):
            raise Unprintable(f"'{clause}' may have effects that happen once for each execution")
    return clauses
