"""A device that takes any operations, runs their C, and fails in several ways, from a seed.

``S2S_FLAKY`` is ``SEED:PERCENT``: that often it refuses to be built, or raises after it has written
to outputs; now and then it ends. With ``S2S_FLAKY_SLEEPS`` it does not come to an end.
"""

import os
import random
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from s2s.simulators.devices import Spent, register_engine
from s2s.simulators.devices.libraries import load_library
from s2s.simulators.devices.reference import Reference
from s2s.source.offload import Region
from s2s.transforms.outline import (
    Function,
    Module,
    Refused,
    is_op,
    register_codegen,
    register_patterns,
    write_json,
)

register_patterns([("flaky.anything", is_op())])


@register_codegen("flaky", merges=True)
def codegen(
    functions: Sequence[Function], options: Mapping[str, Any], constant_names: Sequence[str]
) -> list[Module]:
    if os.environ.get("S2S_FLAKY_REFUSES") and len(functions[0].nodes) == 1:
        raise Refused("it has one operation")
    return [Module("json", {f"{one.name}.json": write_json(one)}) for one in functions]


def dice() -> tuple[random.Random, int]:
    seed, _, percent = os.environ.get("S2S_FLAKY", "0:0").partition(":")
    return random.Random(seed), int(percent)


RANDOM, PERCENT = dice()


def fails() -> bool:
    return RANDOM.randrange(100) < PERCENT


class Whole(Reference):
    """A region's C, of which all regions' are compiled at once."""

    def __init__(self, folder: Path, region: Region) -> None:
        self._names = [argument.name for argument in region.arguments]
        self._function = library(folder)[region.name]


@cache
def library(folder: Path) -> Any:
    """All functions of a program's regions; the types that they need stand before each of them."""
    heads: dict[str, None] = {}
    bodies = []
    for path in sorted(folder.glob("region_*/region_*.c")):
        head, name, body = path.read_text().partition(f"void {path.stem}(")
        heads[head] = None
        bodies.append(name + body)
    return load_library("\n".join([*heads, *bodies]), "gcc")


@register_engine("flaky")
class Flaky:
    def __init__(self, folder: Path, region: Region) -> None:
        if fails():
            raise RuntimeError("was not built")
        self.reference = Whole(folder, region)
        self.outputs = [a.name for a in region.arguments if a.is_written]

    def run(self, arrays: Mapping[str, Any]) -> Spent:
        done = self.reference.run(dict(arrays))
        for name in self.outputs:
            arrays[name][...] = done[name]
            if fails():
                arrays[name].reshape(-1)[:1] += 1
                raise RuntimeError(f"broke after '{name}'")
        if os.environ.get("S2S_FLAKY_SLEEPS"):
            time.sleep(60)
        if PERCENT and RANDOM.randrange(1000) == 0:
            os._exit(1)
        return Spent(1)
