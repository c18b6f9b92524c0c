"""The passes by name; each is a frozen dataclass whose fields are its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import islpy as isl

    from s2s.scop.nodes import Scop
    from s2s.transforms.transformed import Transformed

NAMES = ("popp", "permute")


class Pass(Protocol):
    """A pass: pure, from a SCoP and its dependences to a SCoP with a target schedule."""

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Raises NotApplicable with the place and the reason."""
        ...


def make(name: str, *, parallel: bool = False) -> Pass:
    """The pass of that name with default options. Raises KeyError for an unknown one."""
    if name == "popp":
        from s2s.transforms.popp import Popp

        return Popp()
    if name == "permute":
        from s2s.transforms.permute import Permute

        return Permute(parallel=parallel)
    raise KeyError(name)
