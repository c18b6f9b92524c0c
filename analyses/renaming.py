"""Variable renamings that break dependence cycles: section 4.3 of the PolySIMD chapter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, order=True)
class Renaming:
    """SoVR (``source``) of a read or SiVR (``sink``) of a write.

    ``access`` is the index in ``Statement.accesses`` of the access that is renamed.
    """

    kind: Literal["source", "sink"]
    statement: str
    access: int
