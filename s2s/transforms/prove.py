"""The proof that a transformed region respects the dependences of the source."""

from __future__ import annotations

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.region import Analysis
from s2s.source.diagnostics import InternalError
from s2s.transforms.errors import NotApplicable
from s2s.transforms.transformed import Transformed


def prove(analysis: Analysis, done: Transformed) -> isl.UnionMap:
    """The dependences that a pass's result respects. Raises NotApplicable or InternalError."""
    scop, pruned = analysis.scop, analysis.pruned
    if done.proof is not None:
        after = done.proof.dependences(scop, done.scop, pruned)
        if after is None:
            raise NotApplicable(scop.span, "not legal: other storage would change values")
        pruned = after
    elif done.instances is not None:
        if not legality.keeps_instances(scop, done.scop, done.instances):
            raise InternalError("a split does not keep all instances")
        pruned = pruned.apply_domain(done.instances).apply_range(done.instances)
    violation = legality.check(done.scop, pruned)
    if violation is not None:
        raise NotApplicable(scop.span, f"not legal: {violation.reason}")
    return pruned
