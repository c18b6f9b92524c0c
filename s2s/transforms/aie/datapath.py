"""The fixed-point datapath of the AI Engine, by the widths of its operands (facts 1.1)."""

from __future__ import annotations

from s2s.scop.vector_kernel import Datapath
from s2s.transforms.aie.errors import Unmappable

ALIGNMENT_BITS = 128
"""Vector loads and stores are aligned to this."""
PART_BITS = 256
"""What one load brings: a W register; operand Z is one of them."""
X_BITS = (512, 1024)
"""Sizes of operand X."""
FLOATS = Datapath(8, 1, 32, 32, 32, is_float=True)
"""Products of single floats, whose sums are vectors."""

_DATAPATHS = (
    Datapath(16, 8, 8, 8, 48),
    Datapath(16, 4, 16, 8, 48),
    Datapath(16, 2, 16, 16, 48),
    Datapath(8, 2, 32, 16, 80),
    Datapath(8, 1, 32, 32, 80),
)
"""The one that multiplies most comes first."""


def datapath_of(x_bits: int, z_bits: int) -> Datapath:
    """The datapath for operands of these widths; narrower operands are widened by packing.

    X is never narrower than Z on the machine. Raises Unmappable for more than 32 bits.
    """
    for found in _DATAPATHS:
        if found.x_bits >= x_bits and found.z_bits >= z_bits:
            return found
    raise Unmappable("datapath", f"no multiplication of {x_bits} by {z_bits} bits")
