"""Under which conditions, and in which loops, an expression of a region is evaluated."""

from __future__ import annotations

from dataclasses import replace

from s2s.frontends.c.syntax import Decl, Node
from s2s.scop.nodes import LoopVariable
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Context:
    """Where in a region an expression stands: the loops and affine conditions around it."""

    iterators: tuple[LoopVariable, ...] = ()
    decls: tuple[Decl, ...] = ()
    formulas: tuple[str, ...] = ()
    certain: bool = True
    """Whether reaching this point depends on nothing but the formulas."""
    conditions: tuple[Node, ...] = ()
    """Conditions that depend on data and that statements have to be guarded by."""
    ranges: tuple[str, ...] = ()
    """Those of the formulas that are ranges of loops."""

    def under(self, formula: str) -> Context:
        return replace(self, formulas=(*self.formulas, f"({formula})"))

    def maybe(self) -> Context:
        return replace(self, certain=False)

    def guarded(self, condition: Node) -> Context:
        return replace(self, certain=False, conditions=(*self.conditions, condition))

    def inside(self, variable: LoopVariable, decl: Decl, formula: str) -> Context:
        return replace(
            self,
            iterators=(*self.iterators, variable),
            decls=(*self.decls, decl),
            formulas=(*self.formulas, f"({formula})"),
            ranges=(*self.ranges, f"({formula})"),
        )

    @property
    def formula(self) -> str:
        return " and ".join(self.formulas) if self.formulas else "true"


@dataclass(frozen=True)
class Requirement:
    """``violation`` must have no solution below ``context``."""

    context: Context
    violation: str
    node: Node
