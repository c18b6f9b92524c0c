"""Below which cycles no candidate is, so that loops of which nothing can come are not tried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import islpy as isl
import pytest

from s2s.analyses import dependences, vector_cost
from s2s.analyses.vector_cost import Compiler, cycles, is_at_best, least_cycles
from s2s.scop.nodes import Scop
from s2s.transforms import polysimd
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.vector.candidate import VectorLoop
from s2s.transforms.vector.proposers import proposers
from tests.analyses.vector_loops import kernels, loops

ARRAYS = (
    "double g[64][64][8], h[64][64][8], w[64], x[64], y[64]; int at[64]; float e[64]; double u;"
)
BODIES = {
    "blocks": "g[i][3][0] = h[i][3][0] * 2; g[i][3][1] = h[i][3][1] + h[i][3][0];",
    "rows": "w[i] = x[i] + y[i]; x[i] = y[i] * 2;",
    "overwritten": "w[i + 1] = x[i] * 2; w[i] = x[i] + g[i][1][0];",
    "one after another": "g[i][2][0] = g[i - 1][2][0] * x[i]; w[i] = g[i - 1][2][0];",
    "swept": "g[i][2][0] = g[i - 1][2][0] * h[i][1][1]; g[i][2][1] = x[i];",
    "table": "w[at[i]] = x[i]; g[i][0][0] = y[i];",
    "same block": "g[i][2][at[1]] = x[i]; g[i][2][1] = y[i];",
    "temporary": "double t = h[i][0][0]; g[i][0][0] = t * t; w[i] = t + w[i];",
    "sum": "w[3] += g[i][0][0] * h[i][0][0]; x[i] = w[i + 1];",
    "backwards": "w[63 - i] = w[i] + g[i][4][4];",
    "scalars": "double t = x[i] * 3; double s = t + y[i]; w[i] = s * t; x[i] = s - t;",
    "useless": "double t = x[i] * y[i] + w[i]; t = x[i]; w[i] = t;",
    "floats and doubles": "e[i] = e[i] * 2; w[i] = x[i] + y[i];",
    "every other": "w[i] = x[2 * i];",
    "late": "x[i] = w[i] * 2; w[i] = x[i - 3] + y[i];",
    "seldom": "if (i == 7) g[i][1][2] = h[i][1][0]; w[i] = y[i];",
    "in part": "if (i < n / 2) g[i][1][2] = h[i][1][0]; w[i] = y[i];",
    "through a scalar": "double t = h[i][0][0]; double s = t * h[i][0][1]; g[i][0][0] = s;",
    "through two": "double t = h[i][0][0]; g[i][0][1] = t; t = h[i][0][1]; g[i][0][0] = t;",
    "of the last": "double s = u * h[i][0][1]; u = g[i][1][1]; g[i][0][0] = s;",
    "set twice": "w[i] = x[i] + y[i]; w[i + 1] = x[i];",
}


def scop_of(body: str) -> Scop:
    return loops(f"{ARRAYS} void f(int n) {{ for (int i = 4; i < n; i++) {{ {body} }} }}")["f"][0]


def priced(scop: Scop, compiler: Compiler) -> Iterator[tuple[float, str]]:
    """What all candidates for a loop cost."""
    known = dependences.conservative(scop).all
    loop = VectorLoop(scop, known, compiler, vector=32)
    yield cycles(scop, known, compiler), "as it is"
    for name, propose in proposers(paper=False):
        try:
            for candidate in propose(loop):
                after: isl.UnionMap | None = known
                if candidate.proof is not None:
                    after = candidate.proof.dependences(scop, candidate.scop, known)
                elif candidate.instances is not None:
                    after = known.apply_domain(candidate.instances)
                    after = after.apply_range(candidate.instances)
                if candidate.cycles is not None:
                    yield candidate.cycles, name
                elif after is not None:
                    yield cycles(candidate.scop, after, compiler), name
        except NotApplicable:
            pass


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", [*BODIES, *kernels()])
def test_no_candidate_is_cheaper(name: str, compiler: Compiler) -> None:
    scop = scop_of(BODIES[name]) if name in BODIES else kernels()[name][0]
    known = dependences.conservative(scop).all
    least = least_cycles(scop, known)
    if is_at_best(scop, known, compiler):
        least = cycles(scop, known, compiler)
    for cost, proposer in priced(scop, compiler):
        assert least <= cost * 1.0001, proposer


def test_blocks_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*, paper: bool) -> NoReturn:
        raise AssertionError(f"candidates are asked for (paper={paper})")

    scop = scop_of(BODIES["blocks"])
    known = dependences.conservative(scop).all
    assert least_cycles(scop, known) * 1.15 > vector_cost.cycles(scop, known, "gcc")
    monkeypatch.setattr(polysimd, "proposers", fail)
    with pytest.raises(NothingToGain, match="no way to write the loop"):
        polysimd.Polysimd().run(scop, known)


def test_what_may_be_overwritten_does_not_count() -> None:
    both = scop_of("g[i][2][0] = x[i]; g[i][2][1] = y[i];")
    one = scop_of("g[i][2][0] = x[i]; g[i + 1][2][0] = y[i];")
    none = scop_of("w[i] = w[i - 1];")
    scalar = scop_of(BODIES["through a scalar"])
    part = scop_of(BODIES["in part"])
    scops = both, one, none, scalar, part
    costs = [least_cycles(s, dependences.conservative(s).all) for s in scops]
    assert costs[0] > 12 > costs[1] == 0
    assert 0 < costs[2] < 0.1
    assert costs[3] > 18
    assert costs[4] < 0.1


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_what_is_as_fast_as_it_can_be(compiler: Compiler) -> None:
    scops = {name: scop_of(body) for name, body in BODIES.items()}
    known = {name: dependences.conservative(scop).all for name, scop in scops.items()}
    best = {name for name, scop in scops.items() if is_at_best(scop, known[name], compiler)}
    assert best == {"rows", "scalars"}
