"""Data-centric directives: which indices of a dimension a cluster has, and when.

A mapping is a sequence of levels, outermost first. A level's maps say how what the level above
hands down is shared out over the clusters below it (``SpatialMap``) and over time
(``TemporalMap``), outermost first; the last level's clusters are processing elements. What a level
does not mention stays as it was handed down. Chapter 5.3.2 of Chatarasi's dissertation.
"""

from __future__ import annotations

from dataclasses import field

from s2s.source.diagnostics import Location
from s2s.source.records import dataclass


@dataclass(frozen=True)
class TemporalMap:
    """``size`` indices of ``dim`` at a time, ``offset`` indices further on at each step.

    Sizes of Y and X count rows and columns of the input, those of Y' and X' of the output.
    """

    size: int
    offset: int
    dim: str
    at: Location | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class SpatialMap:
    """As ``TemporalMap``, from one cluster to the next; what there are too few clusters for is
    done by the same ones later (folds).
    """

    size: int
    offset: int
    dim: str
    at: Location | None = field(default=None, compare=False, repr=False)


Map = TemporalMap | SpatialMap


@dataclass(frozen=True)
class Level:
    """Maps, outermost first, over the clusters of one level.

    ``cluster``: what ends the level, ``Cluster(n, P)``: each of its clusters has n of the next
    level; None for the last level. ``physical``: the P (of ``L`` the cluster is a logical one,
    which makes no difference to a mapping).
    """

    maps: tuple[Map, ...]
    cluster: int | None = None
    physical: bool = True
    at: Location | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Mapping:
    """Levels, outermost first; all but the last one end with a cluster."""

    levels: tuple[Level, ...]
    at: Location | None = field(default=None, compare=False, repr=False)

    @property
    def clusters(self) -> tuple[int, ...]:
        """How many clusters of a level are in one of the level above, from the second level on."""
        return tuple(level.cluster for level in self.levels if level.cluster is not None)
