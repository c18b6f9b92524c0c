"""One piece of the iteration space with all that the steps before code generation found out."""

from __future__ import annotations

from dataclasses import field

from s2s.scop.contraction import Contraction
from s2s.scop.expressions import Type
from s2s.scop.layouts import Tiled
from s2s.scop.vector_kernel import ALONE, Cascade, ConstantVector, Datapath
from s2s.source.records import dataclass
from s2s.transforms.aie.datapath import PART_BITS
from s2s.transforms.aie.fusion import Fusion
from s2s.transforms.aie.mapping import Mapping, Piece
from s2s.transforms.aie.reuse import Block
from s2s.transforms.aie.rings import Ring
from s2s.transforms.aie.triplets import OutputGroup, Roles, Vector


@dataclass(frozen=True)
class Body:
    """One piece after fusion: what ``lower`` makes a loop nest of."""

    contraction: Contraction
    mapping: Mapping
    datapath: Datapath
    piece: Piece
    roles: Roles
    groups: tuple[OutputGroup, ...]
    homes: dict[Vector, Block]
    fusion: Fusion
    layouts: dict[str, Tiled]
    types: dict[str, Type]
    """Types of the packed arrays."""
    initials: dict[Vector, Vector] = field(default_factory=dict)
    """What output vectors start with, where that is not a number."""
    factors: dict[Vector, Vector] = field(default_factory=dict)
    """What output vectors' sums are multiplied by in the end."""
    constant: ConstantVector | None = None
    """What all outputs start with: the vector, to be shifted left by ``constant_shift``."""
    constant_shift: int = 0
    rings: dict[Block, Ring] = field(default_factory=dict)
    """The register in which a block's row goes around, where rows do."""
    cascade: Cascade = ALONE

    @property
    def part(self) -> int:
        """Elements of operand X in one load."""
        return PART_BITS // self.datapath.x_bits

    @property
    def window_size(self) -> int:
        """Elements of operand Z."""
        return PART_BITS // self.datapath.z_bits

    @property
    def is_streamed(self) -> bool:
        """Whether the weights are packed in the order of their use."""
        scalar = self.roles.scalar is self.contraction.weight
        lanes = all(term.scalar.is_scalar for g in self.groups for term in g.terms)
        return self.mapping.streamed and scalar and lanes and not self.mapping.paper
