"""What is kept of a region for who asks for data: statements, dependences, orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import islpy as isl

from s2s.analyses.dependence_kinds import distances, parts
from s2s.driver.results import Dependence, Dimension, Loop, Region, Schedule, Statement
from s2s.scop import nodes
from s2s.scop.budget import budget
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Location
from s2s.source.records import dataclass
from s2s.transforms.loop_tree import Band, Seq, Stmt, Tree, loop_tree

if TYPE_CHECKING:
    from s2s.analyses.region import Analysis
    from s2s.driver.pass_manager import Taken
    from s2s.frontends.c.regions import Function

_SHOWN = 200


@dataclass(frozen=True)
class Recorder:
    """Makes the data about one region of a function; ``names`` are its loops' by offsets."""

    buffer: SourceBuffer
    function: str
    names: Mapping[int, str]

    def region(self, analysis: Analysis, found: Taken | None) -> Region:
        """What there is to say of a region, and of what a pass has made of it."""
        scop = analysis.scop
        loops = self.loops(scop)
        statements = tuple(self.statements(scop, loops))
        after, guard, text = None, "", ""
        if found is not None:
            after = _new_order(found.done.scop)
            guard = found.rewritten.guard
            text = found.rewritten.edit.text.decode("utf-8", "surrogateescape")
        return Region(
            next(iter(loops.values())).id if loops else self.function,
            self.function,
            self.buffer.place(scop.span),
            pass_name=found.name if found else "",
            steps=found.done.scop.history if found else (),
            loops=tuple(loops.values()),
            statements=statements,
            dependences=tuple(self._dependences(analysis, loops)),
            before=source_order(scop),
            after=after,
            guard=guard,
            text=text,
        )

    def loops(self, scop: nodes.Scop) -> dict[nodes.Loop, Loop]:
        """The loops of a region, outside in, in program order."""
        found: dict[nodes.Loop, Loop] = {}
        taken: dict[str, int] = {}
        for around, node in _with_loops(scop.tree):
            if isinstance(node, nodes.Loop):
                name = self.names.get(node.span.start)
                if name is None:  # of a text that was put in: a call's body, a macro's
                    outer = found[around[-1]].id if around else self.function
                    name = f"{outer}/{node.variable.spelling}"
                    taken[name] = taken.get(name, 0) + 1
                    name += f"@{taken[name]}"
                at = self.buffer.place(node.header)
                found[node] = Loop(name, node.variable.spelling, at, node.step)
        return found

    def statements(self, scop: nodes.Scop, loops: Mapping[nodes.Loop, Loop]) -> Iterator[Statement]:
        """The statements of a region, in program order."""
        count: dict[str, int] = {}
        around = {
            node.statement: ids
            for ids, node in _with_loops(scop.tree)
            if isinstance(node, nodes.Leaf)
        }
        for statement in scop.statements:
            ids = tuple(loops[loop].id for loop in around.get(statement.name, ()))
            inner = ids[-1] if ids else self.function
            count[inner] = count.get(inner, 0) + 1
            text = " ".join(self.buffer.text(statement.span).split())
            yield Statement(
                statement.name, f"{inner}:{count[inner]}", self.buffer.place(statement.span),
                text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...",
                ids, str(statement.domain),
            )  # fmt: skip

    def _dependences(
        self, analysis: Analysis, loops: Mapping[nodes.Loop, Loop]
    ) -> Iterator[Dependence]:
        """The dependences of a region; none where isl takes too long to take them apart."""
        found: list[Dependence] = []
        with suppress(isl.Error), budget():
            found += list(self.take_apart(analysis.scop, analysis.pruned, loops))
            found += list(self.take_apart(analysis.scop, analysis.races, loops, race=True))
        yield from found

    def take_apart(
        self, scop: nodes.Scop, relation: isl.UnionMap, loops: Mapping[nodes.Loop, Loop],
        *, race: bool = False,
    ) -> Iterator[Dependence]:  # fmt: skip
        """The parts of a relation between instances, with the places of both ends."""
        known = {s.name: s for s in self.statements(scop, loops)}
        spans = {s.name: s.span for s in scop.statements}
        steps = {loop.id: loop.step for loop in loops.values()}
        for part in parts(scop, relation):
            source, target = known[part.source], known[part.target]
            shared = tuple(_common(source.loops, target.loops))
            far, signs = distances(part.relation, [steps[name] for name in shared])
            yield Dependence(
                part.source, part.target, part.kind, part.arrays,
                self._place(spans[part.source]), self._place(spans[part.target]),
                shared, far, signs, str(part.relation), race,
            )  # fmt: skip

    def _place(self, span: Span) -> Location:
        return self.buffer.place(span)


def recorder(function: Function) -> Recorder:
    """The recorder of a function's regions."""
    from s2s.frontends.c.loop_names import loop_names

    return Recorder(function.unit.buffer, function.node.name, loop_names(function))


def _with_loops(
    tree: nodes.Tree, around: tuple[nodes.Loop, ...] = ()
) -> Iterator[tuple[tuple[nodes.Loop, ...], nodes.Tree]]:
    """The nodes of a tree, outside in, each with the loops around it."""
    yield around, tree
    match tree:
        case nodes.Sequence():
            below: tuple[nodes.Tree | None, ...] = tree.children
        case nodes.Loop():
            below, around = (tree.body,), (*around, tree)
        case nodes.Construct():
            below = (tree.body,)
        case nodes.Branch():
            below = tree.then, tree.otherwise
        case _:
            below = ()
    for child in below:
        if child is not None:
            yield from _with_loops(child, around)


def _common(first: tuple[str, ...], second: tuple[str, ...]) -> Iterator[str]:
    for a, b in zip(first, second, strict=False):
        if a != b:
            return
        yield a


def source_order(scop: nodes.Scop) -> Schedule:
    """The order of the source, as a tree with a band for each loop."""
    loops = (node for node in nodes.walk(scop.tree) if isinstance(node, nodes.Loop))
    tree = _tree(scop, loop_tree(scop, dict.fromkeys(loops, "")))
    maps = {s.name: str(s.schedule.intersect_domain(s.domain)) for s in scop.statements}
    return Schedule(_yaml(tree), maps)


def _tree(scop: nodes.Scop, tree: Tree) -> isl.Schedule:
    """A tree of loops as isl's."""
    match tree:
        case Stmt():
            return isl.Schedule.from_domain(isl.UnionSet.from_set(scop.statement(tree.name).domain))
        case Band():
            return _band(scop, tree)
        case Seq():
            result, *others = (_tree(scop, child) for child in tree.children)
            for other in others:
                result = result.sequence(other)
            return result


def _band(scop: nodes.Scop, band: Band) -> isl.Schedule:
    inside = _tree(scop, band.body)
    partial = isl.UnionMap("{ }")
    for name, row in band.exprs.items():
        inputs = ", ".join(v.name for v in scop.statement(name).iterators)
        partial = partial.union(isl.UnionMap(f"{{ {name}[{inputs}] -> [{row}] }}"))
    domain = inside.get_domain()
    function = isl.MultiUnionPwAff.from_union_map(partial.intersect_domain(domain))
    return inside.insert_partial_schedule(function.gist(domain))


def _new_order(scop: nodes.Scop) -> Schedule:
    """The order that a pass has chosen: one band, whose parallel members are coincident."""
    schedule = scop.target
    assert schedule is not None
    maps = {
        name: item.intersect_domain(scop.statement(name).domain)
        for name, item in schedule.maps.items()
    }
    dimensions = tuple(
        Dimension(d.name, d.role.value, d.parallelism.value, d.size) for d in schedule.dimensions
    )
    texts = {name: str(item) for name, item in maps.items()}
    return Schedule(_target_tree(scop, list(maps.values())), texts, dimensions)


def _target_tree(scop: nodes.Scop, maps: list[isl.Map]) -> str:
    """The YAML of one band; empty where the order is no function (elements of several parts)."""
    union = isl.UnionMap.from_map(maps[0])
    for item in maps[1:]:
        union = union.union(isl.UnionMap.from_map(item))
    if not union.is_single_valued():
        return ""
    tree = isl.Schedule.from_domain(union.domain())
    function = isl.MultiUnionPwAff.from_union_map(union).gist(union.domain())
    tree = tree.insert_partial_schedule(function)
    assert scop.target is not None
    band = tree.get_root().child(0)
    for position, dimension in enumerate(scop.target.dimensions):
        if dimension.parallelism.value == "parallel" and dimension.statements is None:
            band = band.band_member_set_coincident(position, 1)
    return _yaml(band.get_schedule())


def _yaml(tree: isl.Schedule) -> str:
    printer = isl.Printer.to_str(isl.DEFAULT_CONTEXT)
    printer = printer.set_yaml_style(isl.yaml_style.BLOCK).print_schedule(tree)
    return str(printer.get_str())
