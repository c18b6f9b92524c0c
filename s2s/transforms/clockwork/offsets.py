"""The earliest cycles at which operations with known strides may begin: longest paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2s.analyses.cycles import Dependence, by_memory, longest_wait
from s2s.scop.accelerator import Accelerator, Operation
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError


@dataclass(frozen=True)
class Wait:
    """``target`` begins at least ``cycles`` after ``source`` does (less than 0: before it)."""

    source: str
    target: str
    cycles: int


def waits(
    accelerator: Accelerator,
    dependences: Iterable[Dependence],
    strides: Mapping[str, tuple[int, ...]],
    *,
    latencies: bool = True,
) -> list[Wait]:
    """What dependences ask of the first iterations, with these strides of the loops.

    Raises MappingError where an operation's own iterations cannot keep their order.
    """
    known = {o.name: o for o in accelerator.operations}
    found: dict[tuple[str, str], int] = {}
    for each in dependences:
        source, target = known[each.source], known[each.target]
        most = longest_wait(each, strides[source.name], strides[target.name])
        most += _start(target, strides) - _start(source, strides)
        most += _latency(accelerator, each) if latencies else 0
        most += each.kind == "RAW" and by_memory(accelerator, each)
        if source is target and most > 0:
            raise MappingError(f"{source.name} needs what it computes {most} cycles too late")
        pair = source.name, target.name
        found[pair] = max(found.get(pair, most), most)
    return [Wait(*pair, most) for pair, most in found.items() if pair[0] != pair[1]]


def earliest(
    names: Iterable[str], waits: Iterable[Wait], first: Mapping[str, int] | None = None
) -> dict[str, int]:
    """The least offsets, none below ``first`` (0). Raises MappingError where waits go round."""
    found = {name: (first or {}).get(name, 0) for name in names}
    known = list(waits)
    for _ in range(len(found) + 1):
        changed = False
        for wait in known:
            least = found[wait.source] + wait.cycles
            if found[wait.target] < least:
                found[wait.target], changed = least, True
        if not changed:
            return found
    raise MappingError("operations wait for each other")


def delay_initializations(
    accelerator: Accelerator, offsets: Mapping[str, int], waits: Iterable[Wait]
) -> dict[str, int]:
    """Operations that load nothing run as late as those that need them allow."""
    found = dict(offsets)
    known = list(waits)
    for operation in accelerator.operations:
        if not operation.loads:
            after = [found[w.target] - w.cycles for w in known if w.source == operation.name]
            found[operation.name] = max(found[operation.name], min(after, default=0))
    return found


def _start(operation: Operation, strides: Mapping[str, tuple[int, ...]]) -> int:
    pairs = zip(strides[operation.name], operation.minima, strict=True)
    return sum(s * m for s, m in pairs)


def _latency(accelerator: Accelerator, each: Dependence) -> int:
    first = accelerator.latencies.get(each.source, 0)
    second = accelerator.latencies.get(each.target, 0)
    if each.kind == "RAW":
        return first
    if each.kind == "WAR":
        return -second
    loads = {load.tensor for load in accelerator.operation(each.target).loads}
    # Of two writes in one cycle the later one has to consume what the earlier one made.
    return first - second + (each.source == each.target or each.buffer not in loads)
