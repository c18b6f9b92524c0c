"""Which values to load again when more are wanted than there are registers of a kind.

The reads of an iteration, in the order of their cycles, are a sequence of requests to a store with
as many places as there are registers that the operands may name. The value whose next read is
furthest goes first (L. A. Belady, 1966); a later read of it starts a new life.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from s2s.simulators.aie.timing.bundles import Bundle
from s2s.simulators.aie.timing.modulo import Schedule
from s2s.simulators.aie.timing.operation import Body, Register
from s2s.simulators.aie.timing.physical import Physical
from s2s.simulators.aie.timing.spills import Split

Place = frozenset[int]


def evictions(
    body: Body,
    bundles: Sequence[Bundle],
    left: Sequence[Bundle],
    schedule: Schedule,
    physical: Physical,
) -> list[Split]:
    """The lives that begin anew, for the kinds of registers that bundles were left without."""
    kinds = {places: None for bundle in left if (places := _places(bundle, physical))}
    found: list[Split] = []
    for kind in kinds:
        alike = [
            bundle
            for bundle in bundles
            if bundle.file is left[0].file and _places(bundle, physical) == kind
        ]
        found.extend(_kind(body, alike, schedule, _disjoint(kind)))
    return found


def _places(bundle: Bundle, physical: Physical) -> frozenset[Place]:
    return frozenset(frozenset(place) for place in bundle.places(physical))


def _disjoint(places: Iterable[Place]) -> int:
    """How many of the places can be taken at once."""
    taken: set[int] = set()
    count = 0
    for place in sorted(places, key=sorted):
        if not taken & place:
            taken |= place
            count += 1
    return count


def _kind(
    body: Body, bundles: Sequence[Bundle], schedule: Schedule, capacity: int
) -> Iterator[Split]:
    owner = {register: number for number, b in enumerate(bundles) for register in b.members}
    requests = _requests(body, owner, schedule)
    outside = {owner[r] for r in body.live_in if r in owner}
    following = _following([number for number, _ in requests])
    held: dict[int, int] = {}
    lives: dict[int, list[set[int]]] = {}
    for place, (number, reader) in enumerate(requests):
        if number not in held:
            if len(held) >= capacity:
                del held[max(held, key=lambda one: held[one])]
            lives.setdefault(number, []).append(set())
        held[number] = following[place]
        lives[number][-1].add(reader)
    for number, some in lives.items():
        anew = some if number in outside and (len(some) > 1 or number not in held) else some[1:]
        for readers in anew:
            yield Split(bundles[number], frozenset(readers), 0)


def _requests(body: Body, owner: dict[Register, int], schedule: Schedule) -> list[tuple[int, int]]:
    """The bundles that are read, in time, each with the number of the reading operation."""
    found = {
        (schedule.times[one.number] + schedule.interval * part.distance, one.number, owner[r])
        for one in body.operations
        for part, _ in one.reads()
        if (r := part.register) in owner
    }
    return [(number, reader) for _, reader, number in sorted(found)]


def _following(sequence: Sequence[int]) -> list[int]:
    """For each request the place of the next one for the same bundle."""
    following = [0] * len(sequence)
    seen: dict[int, int] = {}
    for place in range(len(sequence) - 1, -1, -1):
        following[place] = seen.get(sequence[place], 1 << 30)
        seen[sequence[place]] = place
    return following
