"""Where a program asks for its pipeline: ``realize``, ``compile_to_*``, ``print_loop_nest``."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide.evaluate.containers import Items
from s2s.frontends.halide.evaluate.objects import Finished
from s2s.frontends.halide.evaluate.values import VOID, deref, number
from s2s.frontends.halide.evaluate.world import World, to_expr
from s2s.scop.errors import Illegal

ENDS = frozenset(
    {
        *("realize", "compile_jit", "compile_to_callable", "compile_to_file", "compile_to_object"),
        *("compile_to_static_library", "compile_to_header", "compile_to_c", "compile_to_bitcode"),
        *("compile_to_assembly", "compile_to_llvm_assembly", "compile_to_lowered_stmt"),
        *("compile_to_multitarget_static_library", "infer_input_bounds"),
    }
)


class PipelineObject:
    """A ``Pipeline``."""

    words = "a Pipeline"

    def __init__(self, world: World, outputs: list[Any]) -> None:
        self.world, self.outputs = world, outputs

    def call(self, name: str, arguments: list[Any]) -> Any:
        if name in ENDS:
            ask(self.world, self.outputs, name, arguments)
            return VOID
        if name == "print_loop_nest":
            return VOID
        if name == "add_requirement":
            text = " ".join(str(deref(a)) for a in arguments[1:])
            self.world.requirements.append((to_expr(arguments[0]), text))
            return VOID
        if name == "outputs":
            return Items(list(self.outputs), None, lambda: VOID)
        if name == "defined":
            return bool(self.outputs)
        raise Illegal(f"'Pipeline::{name}' is not supported")


def ask(world: World, outputs: list[Any], name: str, arguments: list[Any]) -> None:
    """The program is done building this pipeline: the sizes that it asks for are estimates."""
    if world.generating:
        if name == "realize":
            raise Illegal("'realize' in a generator is not supported: nothing is computed here")
        return
    if not outputs:
        raise Illegal("a Pipeline without outputs")
    values = [deref(a) for a in arguments]
    text = next((v for v in values if isinstance(v, str)), "")
    if name == "realize" and values and isinstance(values[0], Items):
        extents = [number(deref(v)) for v in values[0].items]
        for output in outputs:
            known = world.program.estimates.setdefault(output.func.name, {})
            for index, extent in enumerate(extents):
                if extent is not None:
                    known.setdefault(index, (0, int(extent)))
    raise Finished(outputs, text.rsplit("/", 1)[-1])
