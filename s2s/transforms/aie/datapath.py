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

_DATAPATHS = {
    (32, 32): Datapath(8, 1, 32, 32, 80),
    (16, 16): Datapath(16, 2, 16, 16, 48),
    (8, 8): Datapath(16, 8, 8, 8, 48),
}


def datapath_of(x_bits: int, z_bits: int) -> Datapath:
    """The datapath for operands of these widths; narrower operands are widened by packing."""
    bits = max(x_bits, z_bits)
    if (bits, bits) not in _DATAPATHS:
        raise Unmappable("datapath", f"no multiplication of {x_bits} by {z_bits} bits")
    return _DATAPATHS[bits, bits]
