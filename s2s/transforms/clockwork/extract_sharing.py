"""Which operations share a kernel, and which loops are coarse-grained, from the primitives."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.errors import Illegal
from s2s.scop.nest import For, Nest, walk
from s2s.scop.pipeline import HardwarePrimitive, StageName, matches
from s2s.transforms.clockwork.extract_tile import Tile


def coarse_loops(tile: Tile, nest: Nest) -> frozenset[str]:
    """Loops that ``coarse_grain_loop`` and ``compute_share_root`` name."""
    found: set[str] = set()
    for func, stage, primitive in _primitives(tile):
        if primitive.name in ("coarse_grain_loop", "compute_share_root") and primitive.arguments:
            variable = str(primitive.arguments[0])
            found |= {
                node.name
                for node in walk(nest.body)
                if isinstance(node, For)
                and (node.func, node.stage) == (func, stage)
                and matches(node.var, variable)
            }
    return frozenset(found)


def shared_operations(tile: Tile, accelerator: Accelerator) -> dict[str, str]:
    """From an operation's name to that of the one whose kernel it uses (``compute_share``).

    Raises Illegal where the two have different numbers of operations.
    """
    found: dict[str, str] = {}
    for func, stage, primitive in _primitives(tile):
        if primitive.name != "compute_share":
            continue
        (root,) = primitive.arguments
        assert isinstance(root, StageName)
        own = _operations(accelerator, func, stage)
        others = _operations(accelerator, root.func, root.stage)
        if len(own) != len(others):
            text = f"{StageName(func, stage)} has {len(own)} operations, {root} {len(others)}"
            raise Illegal(f"{text}: they cannot share", primitive.at)
        found |= {a.name: b.name for a, b in zip(own, others, strict=True)}
        found |= _first_values(accelerator, func, root.func)
    return found


def _first_values(accelerator: Accelerator, func: str, root: str) -> dict[str, str]:
    """Sums that share a kernel and begin with one value have that from one kernel, too."""
    own, others = _operations(accelerator, func, 0), _operations(accelerator, root, 0)
    alike = len(own) == len(others) and all(
        a.value is b.value and not a.loads for a, b in zip(own, others, strict=True)
    )
    return {a.name: b.name for a, b in zip(own, others, strict=True)} if alike else {}


def _primitives(tile: Tile) -> Iterator[tuple[str, int, HardwarePrimitive]]:
    for func in tile.funcs.values():
        for stage, definition in enumerate(func.stages):
            for primitive in definition.schedule.hardware:
                yield func.name, stage, primitive


def _operations(accelerator: Accelerator, func: str, stage: int) -> list[Operation]:
    ours = (func, stage)
    return [o for o in accelerator.operations if (o.store.func, o.store.stage) == ours]
