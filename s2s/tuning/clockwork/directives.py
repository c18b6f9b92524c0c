"""The schedule of a source that has none, as directives of Halide.

The output is cut into tiles, of which each run of the array makes one; all Funcs are computed in
the tile, each with a memory after it; images come in as streams. ``Written`` has what there is to
choose from, and ``text`` writes a choice: as the text that a user may paste at the end of
``generate``, which is also what is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from s2s.scop.expressions import Const, Load, Variable, walk
from s2s.scop.pipeline import Definition, Func, Pipeline, shown
from s2s.source.cxx_methods import method_body
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass

_WINDOW = 81
"""Sums over no more elements than that take them all in one cycle."""
_PLANES = 4
"""Dimensions after the second of no more elements are unrolled."""
_CALL = re.compile(r"\s*(\w+)\s*\(([\w\s,]*)\)")


@dataclass(frozen=True)
class Stage:
    """A Func by its name in the source, with its variables; ``sums``: for each update the
    reduction variables that are unrolled; ``planes``: small dimensions that are, with extents.
    """

    name: str
    variables: tuple[str, ...]
    sums: tuple[tuple[str, ...], ...] = ()
    planes: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Written:
    """What a schedule is written for. ``extents`` are the output's; ``inner`` are computed in the
    tile, those of ``optional`` may be left inline; ``entries`` are the Funcs at which streams come
    in, ``images`` those that do without such a Func; ``alike`` may share a kernel.
    """

    output: Stage
    extents: tuple[int, ...]
    bound: bool
    inner: tuple[Stage, ...]
    optional: frozenset[str]
    entries: tuple[Stage, ...]
    images: tuple[tuple[str, int], ...]
    alike: tuple[str, ...]
    names: Mapping[str, str]

    def text(self, choice: Mapping[str, str]) -> str:
        """The directives of a choice, a line each."""
        return "\n".join(self._lines(choice))

    def _lines(self, choice: Mapping[str, str]) -> Iterator[str]:
        rate, output = int(choice["rate"]), self.output
        first, second = output.variables[:2] if choice["order"] == "rows" else (
            output.variables[1::-1]
        )  # fmt: skip
        names = self.names
        yield f"Var {', '.join(names[v] for v in ('xo', 'yo', 'xi', 'yi'))};"
        if self.bound:
            pairs = zip(output.variables, self.extents, strict=True)
            yield output.name + "".join(f".bound({v}, 0, {e})" for v, e in pairs) + ";"
        size = dict(zip(output.variables, (choice["width"], choice["height"]), strict=False))
        loops = f"{names['xo']}, {names['yo']}, {names['xi']}, {names['yi']}"
        tile = f".tile({first}, {second}, {loops}, {size[first]}, {size[second]})"
        yield (
            f"{output.name}.compute_root(){tile}"
            + _planes(output, names["xi"], names["yi"], names["xo"], names["yo"], bound=False)
            + _unrolled(names["xi"], rate)
            + f".hw_accelerate({names['xi']}, {names['xo']});"
        )
        place = f".compute_at({output.name}, {names['xo']})"
        for stage in self.inner:
            if stage.name not in self.optional or choice[f"buffer {stage.name}"] == "true":
                yield from _buffered(stage, place, choice["order"], rate)
        for stage in self.entries:
            yield f"{stage.name}.compute_root().stream_to_accelerator();"
            yield _copied(stage, f"{stage.name}.in(){place}", choice["order"], rate)
        for image, rank in self.images:
            own = tuple(f"_{k}" for k in range(rank))
            planes = tuple(zip(own[2:], (e for _, e in output.planes), strict=False))
            yield f"{image}.in().compute_root().stream_to_accelerator();"
            stage = Stage(image, own, planes=planes)
            yield _copied(stage, f"{image}.in().in(){place}", choice["order"], rate)
        yield from self._shared(choice, first, second)

    def _shared(self, choice: Mapping[str, str], first: str, second: str) -> Iterator[str]:
        where = choice.get("sharing", "none")
        if where == "none":
            return
        loop = {"pixel": first, "line": second, "block": "Var::outermost()"}[where]
        sums = {stage.name for stage in self.inner if stage.sums}
        *others, root = (f"{n}.update()" if n in sums else n for n in self.alike)
        yield f"{root}.compute_share_root({loop});"
        yield from (f"{name}.compute_share({root});" for name in others)


def _unrolled(variable: str, rate: int) -> str:
    return f".unroll({variable}, {rate}, TailStrategy::RoundUp)" if rate > 1 else ""


def _planes(stage: Stage, *loops: str, bound: bool = True) -> str:
    """Small dimensions innermost and unrolled."""
    if not stage.planes:
        return ""
    names = [name for name, _ in stage.planes]
    bounds = "".join(f".bound({name}, 0, {extent})" for name, extent in stage.planes)
    order = f".reorder({', '.join((*names, *loops))})"
    return (bounds if bound else "") + order + "".join(f".unroll({name})" for name in names)


def _loops(stage: Stage, order: str) -> tuple[str, ...]:
    """The stage's two loops, the innermost first."""
    two = stage.variables[:2]
    return two if order == "rows" else two[::-1]


def _copied(stage: Stage, head: str, order: str, rate: int) -> str:
    loops = _loops(stage, order)
    turned = f".reorder({', '.join(loops)})" if order != "rows" and not stage.planes else ""
    return f"{head}{_planes(stage, *loops)}{turned}{_unrolled(loops[0], rate)};"


def _buffered(stage: Stage, place: str, order: str, rate: int) -> Iterator[str]:
    yield _copied(stage, stage.name + place, order, rate)
    loops = _loops(stage, order)
    for number, variables in enumerate(stage.sums):
        head = f"{stage.name}.update({number or ''})"
        turned = (
            f".reorder({', '.join((*variables, *loops))})" if variables and order != "rows" else ""
        )
        sums = "".join(f".unroll({v})" for v in variables)
        if turned or sums or rate > 1:
            yield f"{head}{turned}{sums}{_unrolled(loops[0], rate)};"


def read_unscheduled(
    text: str, pipeline: Pipeline, sizes: Sequence[tuple[str, tuple[int, ...]]] = ()
) -> Written:
    """What to write a schedule for. Raises UserError where the source cannot have one."""
    if len(pipeline.outputs) != 1:
        raise _refused("a schedule is written for one output; this program has more")
    if method_body(text, "generate") is None:
        raise _refused("a schedule is written at the end of 'generate'; this program has none")
    reader = _Reader(text, pipeline)
    output = pipeline.funcs[pipeline.outputs[0]]
    stage = reader.stage(output)
    if stage is None or len(output.vars) < 2:
        raise _refused(f"'{output.name}' has no definition with two variables to write it for")
    own, known = _extents(pipeline, output, sizes)
    small = {v: e for v, e in zip(stage.variables[2:], own[2:], strict=True) if e <= _PLANES}
    stage = _with_planes(stage, small)
    entries = [_with_planes(s, small) for f in reader.entries() if (s := reader.stage(f))]
    inner = [_with_planes(s, small) for f in reader.inner() if (s := reader.stage(f))]
    plain = {s.name for s in inner if not s.sums}
    return Written(
        stage,
        own,
        not known,
        tuple(inner),
        frozenset(plain),
        tuple(entries),
        tuple(reader.images()),
        tuple(reader.alike(inner)),
        _free_names(text),
    )


def _with_planes(stage: Stage, extents: Mapping[str, int]) -> Stage:
    found = tuple((v, extents[v]) for v in stage.variables[2:] if v in extents)
    return replace(stage, planes=found)


def insert(text: str, directives: str) -> str:
    """The source with directives at the end of ``generate``, in braces of their own."""
    body = method_body(text, "generate")
    assert body is not None
    line = text.rfind("\n", 0, body.end) + 1
    margin = text[line : body.end]
    margin = margin if margin.strip() == "" else ""
    inside = "".join(f"{margin}        {each}\n" for each in directives.splitlines())
    block = f"{margin}    {{\n{inside}{margin}    }}\n"
    place = line if margin else body.end
    return text[:place] + block + text[place:]


class _Reader:
    """Names of a source for what its pipeline has."""

    def __init__(self, text: str, pipeline: Pipeline) -> None:
        self.text, self.pipeline = text, pipeline
        self.stages: dict[str, Func] = {}

    def stage(self, func: Func) -> Stage | None:
        """The Func as the source calls it; None where a definition names it by an expression."""
        at = func.definition.at if func.definition else None
        match = _CALL.match(self.text[at.start : at.end]) if at else None
        if match is None:
            return None
        variables = tuple(v.strip() for v in match[2].split(","))
        if not all(variables) or len(variables) != len(func.vars):
            return None
        self.stages[match[1]] = func
        return Stage(match[1], variables, tuple(map(_sum, func.updates)))

    def inner(self) -> Iterator[Func]:
        """Funcs that are computed in the tile: neither constants nor at the boundary."""
        entries = {f.name for f in self.entries()}
        for func in self.pipeline.funcs.values():
            made = func.name.endswith("_im") or func.name in self.pipeline.outputs
            if not made and func.name not in entries and self._reads_images(func, set()):
                yield func

    def entries(self) -> Iterator[Func]:
        """Funcs that take one element of an image for each of their own."""
        for func in self.pipeline.funcs.values():
            if func.name in self.pipeline.outputs or func.updates or not func.definition:
                continue
            loads = list(_loads(func.definition))
            own = tuple(func.vars)
            if loads and all(
                load.tensor in self.pipeline.images and _plain(load) == own for load in loads
            ):
                yield func

    def images(self) -> Iterator[tuple[str, int]]:
        """Images that other Funcs read, by the names of the source's variables, with ranks."""
        entries = {f.name for f in self.entries()}
        read = {
            load.tensor
            for func in self.pipeline.funcs.values()
            if func.name not in entries and not func.name.endswith("_im")
            for definition in func.stages
            for load in _loads(definition)
        }
        for name, image in self.pipeline.images.items():
            if name in read and image.data is None:
                match = re.search(rf'(\w+)\s*[{{(]\s*"{re.escape(name)}"', self.text)
                yield match[1] if match else name, image.rank

    def alike(self, stages: Sequence[Stage]) -> list[str]:
        """Stages with the same last definition but for what they read and write."""
        groups: dict[str, list[str]] = {}
        for stage in stages:
            func = self.stages[stage.name]
            groups.setdefault(_signature(func), []).append(stage.name)
        return max(groups.values(), key=len, default=[])

    def _reads_images(self, func: Func, seen: set[str]) -> bool:
        seen.add(func.name)
        for definition in func.stages:
            for load in _loads(definition):
                image = self.pipeline.images.get(load.tensor)
                if image is not None and image.data is None:
                    return True
                other = self.pipeline.funcs.get(load.tensor)
                if other and other.name not in seen and self._reads_images(other, seen):
                    return True
        return False


def _loads(definition: Definition) -> Iterator[Load]:
    for value in definition.values:
        yield from (node for node in walk(value) if isinstance(node, Load))


def _plain(load: Load) -> tuple[str, ...]:
    return tuple(s.name if isinstance(s, Variable) else "" for s in load.subscripts)


def _sum(update: Definition) -> tuple[str, ...]:
    """The reduction variables of an update that are unrolled: all of a small window."""
    size = 1
    for variable in update.rvars:
        size *= int(variable.extent.value) if isinstance(variable.extent, Const) else _WINDOW + 1
    return tuple(shown(v.name) for v in update.rvars) if size <= _WINDOW else ()


def _signature(func: Func) -> str:
    """The last definition with Funcs and variables by the order in which they occur."""
    text = repr([(d.args, d.values) for d in func.stages[-1:]])
    names: dict[str, str] = {}
    return re.sub(
        r"(tensor|name)='([^']*)'",
        lambda m: f"{m[1]}={names.setdefault(m[2], str(len(names)))}",
        text,
    )


def _extents(
    pipeline: Pipeline, output: Func, sizes: Sequence[tuple[str, tuple[int, ...]]]
) -> tuple[tuple[int, ...], bool]:
    """The output's extents, and whether the program says them itself."""
    bounds = {b.var: b.extent for b in output.schedule.bounds}
    own = [bounds.get(v) for v in output.vars]
    if all(isinstance(e, Const) for e in own):
        return tuple(int(e.value) for e in own if isinstance(e, Const)), True
    given = dict(sizes)
    if found := given.get(output.name) or given.get("output"):
        if len(found) != len(output.vars):
            raise _refused(f"--size: '{output.name}' has {len(output.vars)} dimensions")
        return found, False
    estimates = pipeline.estimates.get(output.name, {})
    if len(estimates) == len(output.vars):
        return tuple(estimates[k][1] for k in range(len(output.vars))), False
    raise _refused(f"how large '{output.name}' is: give --size {output.name}=WxH")


def _free_names(text: str) -> dict[str, str]:
    """Names of loops that the source does not have."""
    found = {}
    for name in ("xo", "yo", "xi", "yi"):
        new = name
        while re.search(rf"\b{new}\b", text):
            new += "_"
        found[name] = new
    return found


def _refused(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "tune"))
