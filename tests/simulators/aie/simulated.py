"""Kernels run by the simulator, from their text alone."""

from collections.abc import Mapping

import numpy as np

from s2s.emitters.aie.kernel import emit
from s2s.scop.vector_kernel import Kernel
from s2s.simulators.aie.execute import execute
from s2s.simulators.aie.reading.read import read
from tests.transforms.aie.contractions import Values, dtype, packed, unpacked


def simulate(kernel: Kernel, inputs: Mapping[str, Values]) -> Values:
    """The output in the source's layout."""
    arrays = {
        a.name: np.zeros(a.size, dtype(a)) if a.is_output else packed(a, inputs[a.name])
        for a in kernel.arrays
    }
    found = execute(read(emit(kernel), "kernel.cc"), arrays)
    return unpacked(kernel.output, found.arrays[kernel.output.name].ravel())
