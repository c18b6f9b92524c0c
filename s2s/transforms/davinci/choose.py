"""Which variant of a pooling is made: the one asked for, or the fastest by the cost model."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.scop.cce import Program
from s2s.scop.pooling import Kind, Pooling
from s2s.source.records import dataclass
from s2s.transforms.davinci.backward import MERGES, make_backward
from s2s.transforms.davinci.cost import estimate
from s2s.transforms.davinci.errors import Unmappable
from s2s.transforms.davinci.forward import make_forward
from s2s.transforms.davinci.pipes import Numbers
from s2s.transforms.davinci.ways import WAYS


@dataclass(frozen=True)
class Made:
    """A variant's program and how many cycles are expected; of one without, why there is none."""

    variant: str
    program: Program | None
    cycles: float
    reason: str = ""


def make(pooling: Pooling, variant: str, *, single: bool = False) -> Program:
    """A variant's program; sums are ``single`` precision. Raises Unmappable."""
    name = _own_name(pooling, variant)
    if not pooling.backward:
        return make_forward(pooling, name, single=single)
    if single and pooling.kind is not Kind.MAX:
        raise Unmappable("backward, sums are in half precision")
    if name not in MERGES:
        raise Unmappable(f"there is no variant '{variant}' backward: {', '.join(MERGES)}")
    return make_backward(pooling, name)


def _own_name(pooling: Pooling, variant: str) -> str:
    """The paper's pair of instructions has a name for each direction; either is meant."""
    if variant in ("im2col", "col2im"):
        return "col2im" if pooling.backward else "im2col"
    return variant


def make_all(
    pooling: Pooling, numbers: Numbers, variant: str = "auto", *, single: bool = False
) -> Sequence[Made]:
    """Variants, the fastest first; those without a program last."""
    names = list(MERGES if pooling.backward else WAYS) if variant == "auto" else [variant]
    found = []
    for name in names:
        try:
            program = make(pooling, name, single=single)
            own = _own_name(pooling, name)
            found.append(Made(own, program, estimate(program, numbers)))
        except Unmappable as error:
            found.append(Made(name, None, float("inf"), str(error)))
    return sorted(found, key=lambda made: made.cycles)
