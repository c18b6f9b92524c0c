"""``s2s explain`` for an accelerator: what became of each hardware primitive."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from s2s.driver import hardware
from s2s.scop.accelerator import Accelerator, Operation, constant
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.scop.pipeline import HardwarePrimitive
    from s2s.source import SourceBuffer
    from s2s.targets.forms import AcceleratorProgram, Surroundings

_FROM_CYCLES = "no effect: how deep memories are follows from the cycles"


def explained(buffer: SourceBuffer, program: AcceleratorProgram, design: str, executed: str) -> str:
    """The primitives with lines and fates, then what the target says of its ``design``."""
    parts = [program.described]
    if program.surroundings is not None:
        asked = hardware.explained(
            buffer, program.surroundings.pipeline, Fates(program.accelerator, program.surroundings)
        )
        parts += ["", "hardware primitives", *asked]
    return "\n".join(parts) + "\n" + design + f"\nexecution: {executed}\n"


@dataclass(frozen=True)
class Fates:
    """What became of primitives, by the accelerator that came out."""

    accelerator: Accelerator
    around: Surroundings

    def __call__(self, owner: str, primitive: HardwarePrimitive) -> str:
        func = owner.partition(".")[0].partition("::")[0]
        known: dict[str, Callable[[str, HardwarePrimitive], str]] = {
            "hw_accelerate": self._accelerated,
            "accelerator_output": self._accelerated,
            "accelerate_call_output": self._accelerated,
            "stream_to_accelerator": self._streamed,
            "accelerator_input": self._streamed,
            "store_in": self._stored,
            "compute_share": self._shared,
            "compute_share_root": self._shared,
            "coarse_grain_loop": self._coarse,
        }
        if primitive.name in known:
            return known[primitive.name](func, primitive)
        if primitive.name in ("linebuffer", "fifo_depth"):
            return _FROM_CYCLES
        return "no effect on this array"

    def _accelerated(self, func: str, primitive: HardwarePrimitive) -> str:
        loops = ", ".join(loop.var or loop.name for loop in self.around.around)
        count = len(self.accelerator.operations)
        tiles = f", run in the host's loops {loops}" if loops else ""
        return f"the accelerator ends here: {count} operations{tiles}"

    def _streamed(self, func: str, primitive: HardwarePrimitive) -> str:
        found = []
        for name, origin in self.around.streams.items():
            if origin.func == func and name in self.accelerator.inputs:
                tensor = self.accelerator.tensors[name]
                sizes = "x".join(str(constant(d.extent)) for d in tensor.dimensions)
                found.append(f"the stream {name}: {sizes} words of {tensor.types[0]} in each run")
        return ", ".join(found) or "no stream: the accelerator does not read it"

    def _stored(self, func: str, primitive: HardwarePrimitive) -> str:
        if str(primitive.arguments[0]) == "ROM":
            tables = ", ".join(table.name for table in self.accelerator.nest.tables)
            return f"read-only memories of kernels: {tables}" if tables else "folded to literals"
        stem = func.partition("$")[0].removesuffix("_GLB")
        named = [n for n in self.accelerator.tensors if n == f"{stem}_glb_stencil"]
        return f"buffers of the global buffer: {', '.join(named) or 'none'}"

    def _of(self, func: str) -> list[Operation]:
        return [o for o in self.accelerator.operations if o.store.func == func]

    def _shared(self, func: str, primitive: HardwarePrimitive) -> str:
        own = {o.function for o in self._of(func)}
        users = [o.name for o in self.accelerator.operations if o.function in own]
        several = len(users) > len(own)
        return f"{', '.join(users)} share {', '.join(sorted(own))}" if several else "nothing shared"

    def _coarse(self, func: str, primitive: HardwarePrimitive) -> str:
        loops = {loop.name for o in self._of(func) for loop in o.loops}
        found = sorted(loops & self.accelerator.coarse)
        if not found:
            return "no effect: there is no such loop in the accelerator"
        return f"iterations of {', '.join(found)} are pipelined as a whole"
