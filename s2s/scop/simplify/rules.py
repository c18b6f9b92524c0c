"""What the rules of simplification ask of the simplifier that applies them."""

from __future__ import annotations

from typing import Protocol

from s2s.scop.expressions import Expr
from s2s.scop.linear import Sum
from s2s.scop.simplify.ranges import Range


class Simplify(Protocol):
    """See ``simplify.Simplifier``."""

    final: bool

    def __call__(self, expr: Expr) -> Expr: ...

    def proves(self, condition: Expr) -> bool: ...

    def constant(self, expr: Expr) -> int | None: ...

    def linear(self, expr: Expr) -> Sum: ...

    def build(self, form: Sum) -> Expr: ...

    def bounds(self, expr: Expr) -> Range: ...

    def bounds_of_sum(self, form: Sum) -> Range: ...

    def place(self, expr: Expr) -> int: ...
