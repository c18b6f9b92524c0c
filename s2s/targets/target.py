"""What a target is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from s2s.scop.contraction import Contraction, Wishes
    from s2s.transforms.aie.mapping import Mapping


class Searches(Protocol):
    """Finds by measuring what a target would otherwise choose by counting (``--tune``)."""

    def best_mapping(self, contraction: Contraction, wishes: Wishes) -> Mapping | None:
        """The best mapping for the AI Engine; None where no search finds one."""
        ...
