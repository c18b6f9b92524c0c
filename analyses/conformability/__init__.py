"""Whether a loop nest can be mapped by data-centric directives: rules R1 to R4.

Chapter 5.4 of Chatarasi's dissertation: R1, it is one perfect nest without conditions; R2, its only
dependences are those of reductions; R3, the graph of its subscripts has a topological order; R4,
subscripts that do not follow from others are plain iterators. Rules are judged on the region's
normal form, in which loops start at 0 and step by 1.
"""

from __future__ import annotations

from s2s.analyses.conformability.orders import judge_dependences
from s2s.analyses.conformability.shape import judge_shape
from s2s.analyses.conformability.subscripts import Dimensions, dimensions
from s2s.analyses.conformability.verdicts import Verdict
from s2s.scop.nodes import Scop
from s2s.source.records import dataclass

__all__ = ["Conformability", "Verdict", "judge"]


@dataclass(frozen=True)
class Conformability:
    """The verdicts on R1 to R4, in that order, and each statement's dimensions.

    ``disjoint`` are arrays that had to be taken for different memory.
    """

    verdicts: tuple[Verdict, ...]
    dimensions: tuple[Dimensions, ...]
    disjoint: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether all four rules hold."""
        return all(verdict.holds for verdict in self.verdicts)

    @property
    def letters(self) -> str:
        """``YYYY Y``, as in Table 5.1: each rule, then all of them."""
        rules = "".join("Y" if verdict.holds else "N" for verdict in self.verdicts)
        return f"{rules} {'Y' if self.holds else 'N'}"


def judge(scop: Scop) -> Conformability:
    """The four verdicts on a region, each with the place that decides it.

    Arrays that are passed by pointers are taken for disjoint.
    """
    found = tuple(dimensions(scop, statement) for statement in scop.statements)
    order = next((d.order for d in found if not d.order.holds), found[0].order)
    plain = next((d.plain for d in found if not d.plain.holds), found[0].plain)
    touched = {a.array for s in scop.statements for a in s.accesses}
    written = {a.array for s in scop.statements for a in s.accesses if a.write}
    pairs = [pair for pair in scop.may_alias if pair <= touched and pair & written]
    disjoint = tuple(sorted(frozenset[str]().union(*pairs)))
    verdicts = (judge_shape(scop), judge_dependences(scop), order, plain)
    return Conformability(verdicts, found, disjoint)
