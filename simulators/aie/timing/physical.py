"""The registers that there are, and which of them an operand may name.

Vector registers are counted in parts of 128 bits: xa is parts 0 to 3, xb 4 to 7, xc 8 to 11, xd 12
to 15; wr0 to wr3 are the halves of xa and xb, wc0 and wc1 those of xc, wd0 and wd1 those of xd; ya
is xa and xb, yd is xd and xb. Accumulators are counted in halves of 384 bits.
"""

from __future__ import annotations

from functools import cache

from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.operation import File, Role

Place = tuple[int, ...]
Demand = tuple[int, int, Role]

_X = {"xa": 0, "xb": 4, "xc": 8, "xd": 12}
_W = {"wr0": 0, "wr1": 2, "wr2": 4, "wr3": 6, "wc0": 8, "wc1": 10, "wd0": 12, "wd1": 14}
_Y = {"ya": ("xa", "xb"), "yd": ("xd", "xb")}


class Physical:
    """The register files of a machine."""

    def __init__(self, machine: Machine) -> None:
        self._x = _parts_of(machine["registers.x_operand"])
        self._z = _parts_of(machine["registers.z_operand"])
        self.sizes = {
            File.VECTOR: int(machine["registers.vector_parts"]),
            File.ACCUMULATOR: 2 * int(machine["registers.accumulators"]),
            File.SCALAR: int(machine["registers.scalars"]),
        }
        self._known: dict[tuple[File, int, Role], tuple[Place, ...]] = {}
        self._frames: dict[tuple[File, frozenset[Demand]], tuple[Place, ...]] = {}

    def places(self, file: File, count: int, role: Role = Role.ANY) -> tuple[Place, ...]:
        """All registers of ``count`` parts that an operand of this role may name."""
        key = file, count, role
        if key not in self._known:
            self._known[key] = self._places(file, count, role)
        return self._known[key]

    def frames(self, file: File, demands: frozenset[Demand]) -> tuple[Place, ...]:
        """The runs of parts that give every operand (offset, parts, role) a register."""
        key = file, demands
        if key not in self._frames:
            size = max(at + count for at, count, _ in demands)
            self._frames[key] = tuple(
                place
                for place in self.places(file, size)
                if all(self._fits(file, place, demand) for demand in demands)
            )
        return self._frames[key]

    def _fits(self, file: File, place: Place, demand: Demand) -> bool:
        at, count, role = demand
        wanted = place[at : at + count]
        return any(one[:count] == wanted for one in self.places(file, count, role))

    def _places(self, file: File, count: int, role: Role) -> tuple[Place, ...]:
        if file is File.VECTOR:
            places = _vector_places(_rounded(count))
            allowed = {Role.X: self._x, Role.Z: self._z}.get(role)
            if allowed is not None:
                places = tuple(place for place in places if set(place) <= allowed)
            return places
        if file is File.ACCUMULATOR:
            step = 2 if count > 1 else 1
            return tuple(tuple(range(i, i + step)) for i in range(0, self.sizes[file], step))
        return tuple((i,) for i in range(self.sizes[file]))


def _rounded(count: int) -> int:
    return next((size for size in (1, 2, 4, 8) if size >= count), count)


@cache
def _vector_places(count: int) -> tuple[Place, ...]:
    if count <= 4:
        return tuple(tuple(range(i, i + count)) for i in range(0, 16, count))
    if count == 8:
        return tuple((*_run(low), *_run(high)) for low, high in _Y.values())
    return ()


def _run(name: str) -> range:
    return range(_X[name], _X[name] + 4)


def _parts_of(names: list[str]) -> frozenset[int]:
    parts: set[int] = set()
    for name in names:
        parts |= set(_run(name)) if name in _X else {_W[name], _W[name] + 1}
    return frozenset(parts)
