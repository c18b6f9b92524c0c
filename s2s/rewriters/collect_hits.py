"""Iterations that a computed condition picks, listed first and worked off after.

::

    for (j = 0; j < n; j++) {            for (j = 0; j < n; j += 64) {
        d = x[i] - x[j];                     for (l = 0; l < 64; l++)       /* vectors */
        if (d * d < cut)         ->              near[l] = (x[i] - x[j + l])^2 < cut;
            work(i, j, d);                   for (l = 0; l < 64; l++) {     /* no jumps */
    }                                            list[m] = j + l;
                                                 m += near[l];
                                             }
                                         }
                                         for (h = 0; h < m; h++) { j = list[h]; the source's body }

A branch that data decide is predicted badly, and keeps compilers from making vectors of what is
computed before it. Particles within a cut-off are the usual case (Verlet's lists of neighbours; the
compaction of loops with conditions: U. Banerjee et al., "Automatic program parallelization", 1993,
and of selection in databases: K. Ross, "Selection conditions in main memory", 2004). The work is
done in the source's order, by the source's text, its condition included; so the list may hold more
than the condition picks, and never less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.text import free_prefix
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit
from s2s.source.flags import is_c90
from s2s.source.records import dataclass
from s2s.transforms.scop_pass import Look


@dataclass(frozen=True)
class CollectHits(TextPass):
    """The pass."""

    name: ClassVar[str] = "collect-hits"
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.NEST, Look.INNERMOST})
    inside: ClassVar[bool] = True

    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """Loops of a function with a condition before their work, where no edit covers them."""
        unit = function.unit
        if unit.is_cxx or is_c90(unit.flags) or function.hidden:
            return
        if not any(True for _ in _candidates(function.body)):
            return
        from s2s.rewriters.hit_lists.rewriting import rewrites  # few functions come here

        yield from rewrites(
            function, _candidates(function.body), done, free_prefix(unit.buffer.data)
        )


def _candidates(body: Node) -> Iterator[Node]:
    """Loops that end with a branch, or skip what comes after one."""
    for node in body.walk():
        if node.kind != "FOR_STMT" or node.children[-1].kind != "COMPOUND_STMT":
            continue
        statements = [s for s in node.children[-1].children if s.kind != "NULL_STMT"]
        branches = [s for s in statements if s.kind == "IF_STMT" and len(s.children) == 2]
        if branches and (
            branches[-1] is statements[-1]
            or any(b.children[1].statements[0].kind == "CONTINUE_STMT"
                   for b in branches if b.children[1].statements)
        ):  # fmt: skip
            yield node
