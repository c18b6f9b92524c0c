"""What a loop over edges costs, pulled and pushed: migrations on Emu, memory accesses elsewhere.

A thread migrates to a neighbour to load from it and back again; an atomic update migrates too,
unless it is a remote one, whose value nobody asks for. The numbers are per edge.
"""

from __future__ import annotations

from s2s.frontends.c.graph_loops import Of
from s2s.rewriters.graphs.flip import Flip
from s2s.rewriters.graphs.mirror import Mirror
from s2s.source.records import dataclass

# To the neighbour and back, if it is not on the same one of 8 nodelets.
_TRIP = 2 * 7 / 8
# Parts of the vertices or edges for which conditions hold: what a round is about, anything else.
_EQUAL, _OTHER = 1 / 8, 1 / 2
# Of the neighbours that are asked until one has the answer.
_UNTIL = 1 / 2
# A loop over the vertices more: a thread to each and back, a pointer read, for some edges each.
_LOOP = 3.5 / 8
# An atomic update, in loads of what is rarely in a cache (two threads, Zen 3).
_ATOMIC = 3.0


@dataclass(frozen=True)
class Cost:
    """What one edge costs the loop as it is, and flipped."""

    now: float
    flipped: float

    @property
    def gains(self) -> bool:
        return self.flipped < self.now


def cost(flip: Flip, mirror: Mirror, machine: str, *, remote: bool, active: bool) -> Cost:
    """The estimates for a loop; ``active`` if flipped it would be for changed vertices only.

    ``remote``: whether atomics will be remote ones, which cost no migration.
    """
    own, other = passing(flip, mirror)
    remote = remote and _has_remote(flip)
    load, atomic = (_TRIP, 0.0 if remote else _TRIP) if machine == "emu" else (1.0, _ATOMIC)
    pull_asks = Of.OWN if flip.pushes else Of.NEIGHBOUR
    push_asks = Of.NEIGHBOUR if flip.pushes else Of.OWN
    pull_filter, push_filter = (other, own) if flip.pushes else (own, other)
    pull = pull_filter * load * _asks(flip, mirror, pull_asks)
    if flip.sweep.ends_early:
        pull *= _UNTIL
    asks = _asks(flip, mirror, push_asks) or machine == "cpu"
    push = push_filter * (load * asks + atomic) * (_OTHER if active else 1.0)
    if machine == "emu":
        push += _LOOP * sum(n is not None for n in (flip.update.first, flip.update.last))
    return Cost(push, pull) if flip.pushes else Cost(pull, push)


def _has_remote(flip: Flip) -> bool:
    """Whether Emu has a remote operation for an update: on integers of 64 bits."""
    type_ = flip.update.target.type
    return type_.kind == "int" and type_.size == 8 and flip.update.op != "*"


def asks(flip: Flip, mirror: Mirror) -> bool:
    """Whether vertices that push ask their neighbours for something."""
    return _asks(flip, mirror, Of.NEIGHBOUR if flip.pushes else Of.OWN)


def _asks(flip: Flip, mirror: Mirror, whose: Of) -> bool:
    """Whether an edge needs values of that end of it, the target itself left out."""
    nodes = [flip.update.value, *(c.node for c in flip.sweep.conditions)]
    if flip.update.value is flip.update.target:
        nodes = nodes[1:]
    return any(whose in mirror.side(node) for node in nodes)


def passing(flip: Flip, mirror: Mirror) -> tuple[float, float]:
    """The parts of own vertices and of neighbours that conditions on them alone let through."""
    found = {Of.OWN: 1.0, Of.NEIGHBOUR: 1.0}
    for condition in flip.sweep.conditions:
        all_sides = mirror.side(condition.node)
        sides = all_sides - {Of.SHARED}
        equal = condition.node.op == "==" and not condition.negated and sides != all_sides
        for whose in found:
            if sides == {whose}:
                found[whose] *= _EQUAL if equal else _OTHER
    return found[Of.OWN], found[Of.NEIGHBOUR]
