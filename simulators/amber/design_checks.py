"""A design against its program: every operation has a kernel, streams have their elements."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.simulators.amber.design import Design, stream_ranges
from s2s.simulators.amber.problems import line_of, problem
from s2s.source.clockwork.programs import Loop, Program


def check_operations(program: Program) -> None:
    """No conditions, and places from data are those of words that the operation loads."""
    for operation, _ in program.operations:
        pieces = [piece for access in operation.accesses for piece in access.pieces]
        if operation.conditions or any(piece.condition is not None for piece in pieces):
            raise problem(f"{operation.name}: a design has no conditions", operation.at)
        for access in operation.accesses:
            for element in access.elements:
                if operation.place_of(element) is None:
                    text = f"{operation.name}: in a design the element of '{element.buffer}' that"
                    raise problem(f"{text} is an address has to be loaded, too", access.at)


def check_kernels(design: Design, program: Program) -> None:
    """Every operation has one kernel, with its function and its iterations."""
    operations = {op.name: (op, loops) for op, loops in program.operations}
    users: dict[str, str] = {}
    for one in design.of_type("kernel"):
        for name, controller in one.uses:
            if name not in operations:
                raise problem(f"instance '{one.name}': '{program.path}' has no operation '{name}'")
            operation, loops = operations[name]
            place = line_of(program.path, operation.line)
            if name in users:
                raise problem(f"instances '{users[name]}' and '{one.name}' both run {name}", place)
            users[name] = one.name
            function = one.fields.get("function", operation.function)
            if function != operation.function:
                raise problem(
                    f"instance '{one.name}' computes '{function}', {name} '{operation.function}'",
                    place,
                )
            if controller.extent != iterations(loops):
                raise problem(
                    f"instance '{one.name}' runs {name} for {_times(controller.extent)}"
                    f" iterations, its loops have {_times(iterations(loops))}",
                    place,
                )
    for name, (operation, _) in operations.items():
        if name not in users:
            raise problem(f"no kernel runs {name}", line_of(program.path, operation.line))


def iterations(loops: Sequence[Loop]) -> tuple[int, ...]:
    """Extents as controllers have them: innermost first, none of 1."""
    return tuple(loop.extent for loop in reversed(loops) if loop.extent > 1)


def _times(extents: tuple[int, ...]) -> str:
    return "*".join(map(str, reversed(extents))) or "1"


def check_streams(design: Design, program: Program) -> None:
    """Streams are of the program, and the elements that are at their ports exist."""
    for one in design.of_type("input", "output"):
        known = program.inputs if one.type == "input" else program.outputs
        box = program.boxes.get(one.buffer)
        if one.buffer not in known or box is None:
            raise problem(f"instance '{one.name}': the program has no {one.type} '{one.buffer}'")
        for ranges in stream_ranges(one):
            if len(ranges) != len(box.minima):
                raise problem(
                    f"instance '{one.name}': '{one.buffer}' has {len(box.minima)} dimensions"
                )
            for d, (low, high) in enumerate(ranges):
                least, greatest = box.minima[d], box.minima[d] + box.extents[d] - 1
                if low < least or high > greatest:
                    raise problem(
                        f"instance '{one.name}': index {d} of '{one.buffer}' goes from {low} to"
                        f" {high}, its elements from {least} to {greatest}"
                    )
