"""Loops that no compiler vectorizes as they stand, written so that one does.

Several proposers (``s2s/transforms/vector/``) offer ways to write a loop; a model of the compiler
estimates what each of them costs, and the cheapest one that is proved to be legal is taken. To keep
the loop as it is, is one of the choices. The renamings among them, and the choice among renamings,
are those of chapter 4 (PolySIMD) of P. Chatarasi's dissertation "Advancing compiler optimizations
for general-purpose and domain-specific parallel architectures" (Georgia Tech, 2020).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality, vector_cost
from s2s.analyses.extents import constant, iteration_count
from s2s.analyses.vector_cost import Compiler
from s2s.scop.nodes import Scop
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.scop_pass import Form, Look, ScopPass
from s2s.transforms.transformed import Transformed
from s2s.transforms.vector.candidate import Candidate, VectorLoop
from s2s.transforms.vector.proposers import proposers

# Least estimated gain where the loop is a vector loop as it is, and there is less to be gained.
_SURE = 1.3
_NO_WAY = "no way to write the loop is expected to be faster"


@dataclass(frozen=True)
class Polysimd(ScopPass):
    """The pass."""

    name: ClassVar[str] = "polysimd"
    form: ClassVar[Form] = Form.SEPARATE
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.NEST, Look.INNERMOST})
    one_loop: ClassVar[bool] = True
    paper: bool = field(
        default=False, metadata={"help": "the renamings of the PolySIMD chapter alone"}
    )
    compiler: Compiler = field(
        default="gcc", metadata={"help": "the compiler that has to vectorize the new code"}
    )
    spacelimit: int = field(
        default=0, metadata={"help": "bound on the storage of renamings, in vectors; 0: none"}
    )
    vector: int = field(default=16, metadata={"help": "bytes of a vector", "least": 16})
    gain: float = field(default=1.15, metadata={"help": "least estimated gain to act"})
    shortest: int = field(
        default=16, metadata={"help": "iterations of the loop below which all stays"}
    )
    reassociate: bool = field(
        default=False, metadata={"help": "floating-point operations in another order"}
    )

    regroups: bool = field(
        default=False, metadata={"help": "the compiler may regroup sums, and has vectors of exp"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """The cheapest way to write the loop. Raises NotApplicable with the reason."""
        calls = any(s.calls for s in scop.statements)
        loop = VectorLoop(
            scop, dependences, self.compiler, self.reassociate and (self.regroups or not calls),
            self.paper, self.spacelimit, self.vector,
        )  # fmt: skip
        loop.single()
        check_aliases(scop)
        reasons: list[NotApplicable] = []
        short: list[NotApplicable] = []
        before = vector_cost.cycles(scop, dependences, self.compiler, reassociate=loop.reassociate)
        if self._is_hopeless(loop, before):
            raise NothingToGain(scop.span, _NO_WAY)
        gain = max(self.gain, _SURE) if self._is_vectorized(loop) else self.gain
        found = [
            (cost, candidate)
            for candidate, cost in self._priced(loop, reasons)
            if cost * gain <= before
        ]
        for _, candidate in sorted(found, key=lambda item: item[0]):
            if _is_legal(candidate, loop):
                try:
                    return self._transformed(candidate, scop)
                except NotApplicable as problem:
                    short.append(problem)
        if short:
            raise short[0]
        if reasons and not found:
            raise reasons[0]
        raise NothingToGain(scop.span, _NO_WAY)

    def _is_hopeless(self, loop: VectorLoop, before: float) -> bool:
        """Whether the model knows without candidates that none can gain."""
        if vector_cost.least_cycles(loop.scop, loop.dependences) * self.gain > before:
            return True
        return vector_cost.is_at_best(
            loop.scop, loop.dependences, self.compiler, reassociate=loop.reassociate
        )

    def _is_vectorized(self, loop: VectorLoop) -> bool:
        """Whether the compiler makes vectors of all innermost loops as they are."""
        return all(
            vector_cost.vectorizes(
                loop.scop, body, loop.dependences,
                compiler=self.compiler, reassociate=loop.reassociate,
            )
            for body in vector_cost.bodies(loop.scop)
        )  # fmt: skip

    def _priced(
        self, loop: VectorLoop, reasons: list[NotApplicable]
    ) -> Iterator[tuple[Candidate, float]]:
        """All candidates with what they cost; why others have none goes into ``reasons``."""
        for _, propose in proposers(paper=self.paper):
            try:
                for candidate in propose(loop):
                    cost = self._cost(candidate, loop)
                    if cost is not None:
                        yield candidate, cost
            except NotApplicable as problem:
                reasons.append(problem)

    def _cost(self, candidate: Candidate, loop: VectorLoop) -> float | None:
        if candidate.cycles is not None:
            return candidate.cycles
        after = _dependences(candidate, loop)
        if after is None:
            return None
        return vector_cost.cycles(
            candidate.scop, after, self.compiler, reassociate=loop.reassociate
        )

    def _transformed(self, candidate: Candidate, scop: Scop) -> Transformed:
        profitable = candidate.profitable
        if profitable is None:
            profitable = _long_enough(scop, max(self.shortest, candidate.shortest))
        return Transformed(
            candidate.scop, profitable, instances=candidate.instances, proof=candidate.proof
        )


def check_aliases(scop: Scop) -> None:
    """Where arrays may overlap, the pass wants to be asked again with a guard that compares them.

    A compiler would do the same for the loop as it is.
    """
    written = {a.array for s in scop.statements for a in s.accesses if a.write}
    for pair in sorted(scop.may_alias, key=sorted):
        if pair & written:
            names = " and ".join(f"'{scop.arrays[n].spelling}'" for n in sorted(pair))
            raise NotApplicable(scop.span, f"{names} may overlap")


def _dependences(candidate: Candidate, loop: VectorLoop) -> isl.UnionMap | None:
    """What the candidate's schedule has to respect; None where no schedule is legal."""
    if candidate.proof is not None:
        return candidate.proof.dependences(loop.scop, candidate.scop, loop.dependences)
    if candidate.instances is not None:
        return loop.dependences.apply_domain(candidate.instances).apply_range(candidate.instances)
    return loop.dependences


def _is_legal(candidate: Candidate, loop: VectorLoop) -> bool:
    after = _dependences(candidate, loop)
    return after is not None and legality.check(candidate.scop, after) is None


def _long_enough(scop: Scop, shortest: int) -> isl.Set:
    """Parameters for which the innermost loops are worth it."""
    deepest = max(s.depth for s in scop.statements)
    count = iteration_count(scop, deepest - 1)
    number = constant(count)
    if number is not None and number < shortest:
        raise NothingToGain(scop.span, f"the loop has {number} iterations")
    return count.add_constant_val(isl.Val(-shortest)).nonneg_set()
