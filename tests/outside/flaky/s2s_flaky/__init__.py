"""A device that takes any operations, runs their C, and fails in several ways, from a seed.

``S2S_FLAKY`` is ``SEED:PERCENT``. It is told what it may do wrong: to raise before or after writing
to outputs, to refuse to be built, and (once) to end.
"""

import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from s2s.simulators.devices import Spent, register_engine
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


@register_engine("flaky")
class Flaky:
    def __init__(self, folder: Path, region: Region) -> None:
        if fails():
            raise RuntimeError("was not built")
        self.reference = Reference(folder, region)
        self.outputs = [a.name for a in region.arguments if a.is_written]

    def run(self, arrays: Mapping[str, Any]) -> Spent:
        done = self.reference.run(dict(arrays))
        for name in self.outputs:
            arrays[name][...] = done[name]
            if fails():
                arrays[name].reshape(-1)[:1] += 1
                raise RuntimeError(f"broke after '{name}'")
        if PERCENT and RANDOM.randrange(200) == 0:
            os._exit(1)
        return Spent(1)
