"""Nests of a pipeline in Halide-like C++: judged, and in the order of mappings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from s2s.analyses.conformability import Conformability, judge
from s2s.scop.lift_nest import lift_nest
from s2s.scop.nest import Nest
from s2s.scop.nodes import Leaf, Loop, Scop, Tree, walk
from s2s.source import Span
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.reading import read_source
from s2s.source.records import dataclass
from s2s.source.spatial.layers import Layer
from s2s.source.spatial.problems import problem
from s2s.source.spatial.reading import read_network
from s2s.source.spatial.tiles import tile_levels
from s2s.source.spatial.writing import write_layer
from s2s.targets.cpu import print_nest
from s2s.targets.forms import NestProgram
from s2s.targets.request import Checked, Output, Request
from s2s.targets.spatial.agreement import as_written, check_same
from s2s.targets.spatial.explain import rules
from s2s.targets.spatial.options import SpatialOptions
from s2s.transforms.spatial.map_nests import OwnLoops, map_nest, own_loops
from s2s.transforms.spatial.nest_layers import NestLayer, NoLayer, layer_of
from s2s.transforms.spatial.tiled import Step, tiled_nest


@dataclass(frozen=True)
class Stage:
    """An outermost loop of a pipeline's nest: verdicts, and its layer or why it is none."""

    name: str
    at: Span
    verdicts: Conformability
    layer: NestLayer | None = None
    no_layer: tuple[str, Span] | None = None

    @property
    def refusal(self) -> tuple[str, Span] | None:
        """Why no directives are for it, and the place."""
        for verdict in self.verdicts.verdicts:
            if not verdict.holds:
                return f"{verdict.rule}: {verdict.reason}", verdict.at
        return self.no_layer


def stages(nest: Nest) -> Iterator[Stage]:
    """The outermost loops of a nest, judged."""
    scop = lift_nest(nest)
    for tree in _outermost(scop.tree):
        names = {node.statement for node in walk(tree) if isinstance(node, Leaf)}
        part = replace(
            scop, tree=tree, statements=tuple(s for s in scop.statements if s.name in names)
        )
        if part.statements:
            yield _stage(part)


def _outermost(tree: Tree) -> Iterator[Tree]:
    if isinstance(tree, Loop):
        yield tree
        return
    for child in getattr(tree, "children", ()) or (getattr(tree, "body", None),):
        if child is not None:
            yield from _outermost(child)


def _stage(scop: Scop) -> Stage:
    verdicts, last = judge(scop), scop.statements[-1]
    found = Stage(last.store.func or last.write.array, last.span, verdicts)
    normal = verdicts.dimensions[0].normal
    if not verdicts.holds or normal is None:
        return found
    if len(scop.statements) > 1:
        return replace(found, no_layer=("several statements in the innermost loop", last.span))
    try:
        return replace(found, layer=layer_of(found.name, normal, innermost_first=True))
    except NoLayer as reason:
        return replace(found, no_layer=(reason.reason, reason.at))


def explained(program: NestProgram, request: Request) -> Output:
    """The rules on each outermost loop."""
    lines = []
    for stage in stages(program.nest):
        lines.append(f"loop nest of '{stage.name}'")
        lines += rules(request.buffer, stage.verdicts)
        if stage.layer is not None:
            lines += [f"    {line}" for line in write_layer(stage.layer.layer).splitlines()]
        elif stage.no_layer is not None:
            line = request.buffer.place(stage.no_layer[1]).line
            lines.append(f"  no layer: line {line}: {stage.no_layer[0]}")
    text = "\n".join(["", "conformability", *lines, ""])
    return Output(b"", lambda _: Checked(), explanation=text)


def mapped(program: NestProgram, options: SpatialOptions, request: Request) -> Output:
    """The C of the pipeline with its mapped nests. Raises UserError."""
    layers = read_network(options.mapping, read_source(options.mapping)).layers
    found = list(stages(program.nest))
    chosen = {}
    for layer in layers:
        stage = _of_layer(program, request, found, layer, len(layers) == 1)
        assert stage.layer is not None
        normal = stage.verdicts.dimensions[0].normal
        assert normal is not None
        own = as_written(layer, stage.layer, normal, halide=True)
        check_same(layer, own, stage.name)
        levels = tile_levels(layer, elements=options.elements or None)
        if normal.tiles:
            text = f"the schedule of '{stage.name}' tiles its loops already"
            place = request.buffer.place(stage.at)
            raise UserError(Diagnostic(Severity.ERROR, text, "spatial", place))
        chosen[stage.at] = tiled_nest(normal, levels, own.places).steps
    emitted = print_nest(_changed(program.nest, chosen), request.header or None)

    def check(execute: bool) -> Checked:
        return _check(program, chosen, emitted, request) if execute else Checked()

    names = ", ".join(f"'{layer.name}'" for layer in layers)
    said = Diagnostic(
        Severity.REMARK, f"mapped as {options.mapping} says: {names}", "spatial", program.at
    )
    companions = ((request.header, emitted.header.encode()),) if request.header else ()
    return Output(emitted.source.encode(), check, (said,), companions, suffix=".c")


def _of_layer(
    program: NestProgram, request: Request, found: list[Stage], layer: Layer, alone: bool
) -> Stage:
    """The loops that a layer is for. Raises UserError."""
    named = [stage for stage in found if stage.name == layer.name] or (found if alone else [])
    able = [stage for stage in named if stage.refusal is None]
    if len(able) == 1:
        return able[0]
    if able:
        names = ", ".join(f"'{stage.name}'" for stage in able)
        raise problem(f"layer '{layer.name}' may be for several nests: {names}", layer.at)
    if not named:
        names = ", ".join(dict.fromkeys(f"'{stage.name}'" for stage in found))
        said = f"no Func with loops is named '{layer.name}' (there are: {names})"
        raise problem(said, layer.at)
    refusal = named[-1].refusal
    assert refusal is not None
    text = f"the nest of '{named[-1].name}' cannot be mapped: {refusal[0]}"
    place = request.buffer.place(refusal[1])
    raise UserError(Diagnostic(Severity.ERROR, text, "spatial", place))


def _changed(nest: Nest, chosen: Mapping[Span, tuple[Step, ...]]) -> Nest:
    for own in own_loops(nest.body):
        steps = chosen.get(own.store.at) if own.store.at is not None else None
        if steps is not None and _fits(own, steps):
            nest = map_nest(nest, own, steps)
    return nest


def _fits(own: OwnLoops, steps: tuple[Step, ...]) -> bool:
    return all(step.place < len(own.loops) for step in steps)


def _check(
    program: NestProgram, chosen: Mapping[Span, tuple[Step, ...]], emitted: object, request: Request
) -> Checked:
    """The text against the pipeline's definitions, perhaps at smaller sizes. Raises Mismatch."""
    from s2s.emitters.c.nests import Emitted
    from s2s.net.pipelines.check import check

    pipeline = program.pipeline
    assert pipeline is not None
    assert isinstance(emitted, Emitted)

    def make_again(sizes: Mapping[str, tuple[int, ...]]) -> tuple[Nest, Emitted]:
        from s2s.transforms.halide import lower

        nest = _changed(lower(pipeline, sizes), chosen)
        return nest, print_nest(nest, None)

    found = check(pipeline, program.nest, emitted, request.header, make_again)
    if not found.unknown:
        return Checked(f"the C gave what the definitions give, {found.elements} elements")
    text = f"the C was not executed against its definitions: {found.unknown}"
    return Checked(said=(Diagnostic(Severity.MISSED, text, "net", program.at),))
