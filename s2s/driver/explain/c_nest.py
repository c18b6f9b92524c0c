"""``s2s explain`` for a function of C that a target takes as a loop nest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s.driver.explain.loop_nest import print_loop_nest
from s2s.driver.explain.pipeline import bounds, statements, with_inputs

if TYPE_CHECKING:
    from s2s.targets.forms import NestProgram


def explained(program: NestProgram, executed: str) -> str:
    """What the target was given, as text; ``executed`` says how its result was tried."""
    nest = program.nest
    stored = [argument.name for argument in nest.arguments if argument.output]
    shown = print_loop_nest(nest.body, {}, stored)
    parts = [
        [f"{program.at.path}:{program.at.line}: {program.described}"],
        ["bounds", *bounds(nest)],
        ["loop nest", *(f"  {line}" for line in shown.splitlines())],
        ["SCoP", *statements(with_inputs(nest))],
        [f"execution: {executed}"],
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"
