"""``s2s explain`` for Halide-like C++: pipeline, bounds, loop nest, SCoP and its proof."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from s2s.driver import hardware
from s2s.driver.explain.loop_nest import print_loop_nest
from s2s.scop.nest import Allocate, Nest, Tensor, walk
from s2s.scop.notation import written
from s2s.scop.pipeline import Definition, Func, LevelKind, LoopLevel, Pipeline

if TYPE_CHECKING:
    from s2s.driver.pipeline_proof import Proof
    from s2s.driver.pipelines import Lowered
    from s2s.scop.nodes import Access, Scop, Statement
    from s2s.source import SourceBuffer


def explained(buffer: SourceBuffer, found: Lowered, executed: str) -> str:
    """All that is known of a pipeline, as text; ``executed`` says how it was tried."""
    nest = found.nest
    shown = print_loop_nest(nest.body, found.initial.funcs, found.pipeline.outputs)
    asked = list(hardware.explained(buffer, found.pipeline, hardware.on_processor))
    parts = [
        [f"pipeline {found.pipeline.name}", *_ports(found.pipeline)],
        ["definitions", *_definitions(buffer, found)],
        *([["hardware primitives", *asked]] if asked else []),
        ["bounds", *bounds(nest)],
        ["loop nest", *(f"  {line}" for line in shown.splitlines())],
        ["SCoP", *statements(with_inputs(nest) or found.proof.scop)],
        [f"proof: {_verdict(found.proof)}", f"execution: {executed}"],
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _ports(pipeline: Pipeline) -> Iterator[str]:
    for image in pipeline.images.values():
        if image.data is None:
            yield f"  input {image.name}: {image.type}, {image.rank} dimensions"
    for scalar in pipeline.scalars.values():
        yield f"  input {scalar.name}: {scalar.type}"
    for name in pipeline.outputs:
        func = pipeline.funcs[name]
        types = ", ".join(map(str, func.types))
        yield f"  output {name}: {types}, {len(func.vars)} dimensions"


def _definitions(buffer: SourceBuffer, found: Lowered) -> Iterator[str]:
    for func in found.initial.funcs.values():
        for stage in func.stages:
            place = ""
            if stage.at is not None and buffer.is_own(stage.at.start):
                place = f"   (line {buffer.line_column(stage.at.start)[0]})"
            yield f"  {_defined(func, stage)}{place}"
        levels = _levels(func)
        if levels:
            yield f"    {levels}"


def _defined(func: Func, stage: Definition) -> str:
    left = f"{func.name}({', '.join(written(a) for a in stage.args)})"
    values = [written(v) for v in stage.values]
    right = values[0] if len(values) == 1 else f"({', '.join(values)})"
    ranges = [f"{r.name} in [{written(r.minimum)}, +{written(r.extent)})" for r in stage.rvars]
    if stage.predicate is not None and written(stage.predicate) != "1":
        ranges.append(f"where {written(stage.predicate)}")
    return f"{left} = {right}" + (f"   over {', '.join(ranges)}" if ranges else "")


def _levels(func: Func) -> str:
    schedule = func.schedule
    computed, stored = _level(schedule.compute_level), _level(schedule.store_level)
    return f"computed {computed}" + (f", stored {stored}" if stored != computed else "")


def _level(level: LoopLevel) -> str:
    if level.kind is LevelKind.LOOP:
        return f"at {level.func}, {level.var}"
    return "inline" if level.kind is LevelKind.INLINE else "at the root"


def bounds(nest: Nest) -> Iterator[str]:
    """What is passed and allocated, with its extents, in lines."""
    tensors: list[tuple[str, Tensor]] = [
        ("passed", a.tensor) for a in nest.arguments if a.tensor is not None
    ]
    tensors += [("allocated", n.tensor) for n in walk(nest.body) if isinstance(n, Allocate)]
    for kind, tensor in tensors:
        sides = []
        for dimension in tensor.dimensions:
            side = f"[{written(dimension.minimum)}, +{written(dimension.extent)})"
            if dimension.fold is not None:
                side += f" folded by {written(dimension.fold)}"
            sides.append(side)
        yield f"  {tensor.name} ({kind}): {' x '.join(sides) or 'one element'}"


def with_inputs(nest: Nest) -> Scop | None:
    """The SCoP of a nest with the reads of inputs, where the budget allows it."""
    import islpy as isl

    from s2s.scop.budget import budget
    from s2s.scop.lift_nest import lift_nest

    try:
        with budget():
            return lift_nest(nest)
    except (isl.Error, ValueError):
        return None


def statements(scop: Scop | None) -> Iterator[str]:
    """The statements of a SCoP with domains, order and accesses, in lines."""
    if scop is None:
        return
    for statement in scop.statements:
        store = statement.store
        yield f"  {statement.name}: {store.func} stage {store.stage}"
        yield f"    domain   {_exactly(statement)}{statement.domain}"
        yield f"    schedule {statement.schedule}"
        yield f"    writes   {_access(statement.write)}"
        for read in statement.reads:
            yield f"    reads    {_access(read)}"


def _exactly(statement: Statement) -> str:
    return "" if statement.exact else "within "


def _access(access: Access) -> str:
    return ("" if access.exact else "within ") + str(access.elements)


def _verdict(proof: Proof) -> str:
    if proof.unknown:
        return f"none, {proof.unknown}"
    return "every value read is the one that the definitions give, no concurrent loop has a race"
