"""The text as g++ compiles it with our header leaves the same bits as the simulator.

Random kernels are compared in ``test_programs.py``; these have what is not drawn there.
"""

from __future__ import annotations

from pathlib import Path

from s2s.scop.pooling import Axis, Kind, Mask, Pooling
from s2s.transforms.davinci.forward import make_forward
from tests.transforms.davinci.host import Job, count_equal
from tests.transforms.davinci.references import outputs, run
from tests.transforms.davinci.test_programs import arrays_of


def test_bits_are_those_of_the_host(tmp_path: Path) -> None:
    y, x = Axis(19, 3, 2, 1, 10), Axis(23, 4, 3, 2, 8)
    jobs = []
    for kind, mask in ((Kind.MAX, Mask.FIRST), (Kind.AVERAGE, Mask.NONE)):
        pooling = Pooling("pool", kind, False, (2,), 20, y, x, mask, 0)
        program, arrays = make_forward(pooling, "im2col", single=True), arrays_of(pooling, 7)
        jobs.append(Job(program, arrays, outputs(run(program, arrays, deep=False), program)))
    assert count_equal(tmp_path, jobs) == 2
