"""From a pipeline to its initial nest: all loops in their places, bounds by name.

The names that are left for bounds inference: ``f.s0.x.min`` and ``.max`` (the region of a stage
that is needed where its loops stand), ``f.x.min_realized`` and ``.extent_realized`` (the memory),
``f.s0.x.min_unbounded`` and ``.max_unbounded`` (what is needed before ``bound``). Nested
definitions may give one name several times, the innermost counts, as in Halide.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace

from s2s.scop.build import const
from s2s.scop.expressions import Expr
from s2s.scop.nest import Block, Define, For, Node
from s2s.scop.pipeline import OUTERMOST, Func, LevelKind, Pipeline
from s2s.scop.rewrite import map_children, substitute_in
from s2s.source.records import dataclass
from s2s.transforms.halide.environment import Environment, environment
from s2s.transforms.halide.injection import Injection
from s2s.transforms.halide.inline import can_be_inlined, check_inline_schedule, inlined
from s2s.transforms.halide.legality import check_levels, is_used
from s2s.transforms.halide.levels import ROOT_LOOP
from s2s.transforms.halide.order import realization_groups
from s2s.transforms.halide.sharing import Pairs, check_shared_schedules
from s2s.transforms.halide.specialization import use_conditions
from s2s.transforms.halide.wrapping import wrap


@dataclass(frozen=True)
class Initial:
    """The initial nest with what the later passes ask for.

    ``funcs`` are those of the pipeline after wrapping, with final levels; ``groups`` the order of
    their realization (callees first), those that share loops together.
    """

    body: Node
    funcs: Environment
    groups: tuple[tuple[str, ...], ...]
    pairs: Pairs


def initial_nest(pipeline: Pipeline, keep: Container[str] = ()) -> Initial:
    """The loop nest of a pipeline before bounds inference.

    Funcs of ``keep`` have the loop of one iteration that ``Var::outermost()`` names.
    Raises Illegal for a schedule that cannot be carried out.
    """
    funcs = environment(pipeline)
    wrap(funcs)
    groups, pairs = realization_groups(pipeline.outputs, funcs)
    for func in funcs.values():
        use_conditions(func)
    check_shared_schedules(pairs, funcs)
    outputs = frozenset(pipeline.outputs)
    nest: Node = For(ROOT_LOOP, const(0), const(1), "serial", Block(()))
    for names in reversed(groups):
        group = [funcs[n] for n in names if _is_realized(funcs[n], outputs, nest)]
        if group:
            nest = _with_group(nest, group, outputs, funcs, pairs)
    assert isinstance(nest, For)
    split_up = {n for n, f in funcs.items() if _splits_outermost(f)}
    body = _without_outermost(nest.body, split_up, keep)
    body = substitute_in(body, {k: v for n in split_up for k, v in _outermost_bounds(funcs[n])})
    return Initial(body, funcs, tuple(tuple(g) for g in groups), pairs)


def _is_realized(func: Func, outputs: frozenset[str], nest: Node) -> bool:
    """Whether a Func is an output or used; its levels are checked.

    A Func that the text calls may be used nowhere: what was inlined may take one component only.
    """
    if func.name in outputs:
        return True
    if not is_used(func, nest):
        return False
    check_levels(func, nest)
    return True


def _with_group(
    nest: Node, group: list[Func], outputs: frozenset[str], funcs: Environment, pairs: Pairs
) -> Node:
    first = group[0]
    alone = len(group) == 1 and not any(p.parent == first.name for p in pairs)
    inline = first.schedule.compute_level.kind is LevelKind.INLINE
    if alone and inline and can_be_inlined(first):
        check_inline_schedule(first)
        return inlined(nest, first)
    return Injection(group, outputs, funcs, pairs).into(nest)


def _without_outermost(node: Node, split_up: Container[str], keep: Container[str]) -> Node:
    """The nest without the loops of one iteration around all loops of a stage.

    Only Funcs of ``split_up`` name the variable of this loop.
    """
    if isinstance(node, For) and node.name.endswith("." + OUTERMOST):
        body = node.body
        if node.func in split_up:
            body = substitute_in(body, {node.name: const(0)})
        body = _without_outermost(body, split_up, keep)
        kept = replace(node, minimum=const(0), extent=const(1), body=body)
        return kept if node.func in keep else body
    if isinstance(node, Define) and f".{OUTERMOST}.loop_" in node.name:
        return _without_outermost(node.body, split_up, keep)
    return map_children(node, lambda child: _without_outermost(child, split_up, keep))


def _splits_outermost(func: Func) -> bool:
    return any(s.old == OUTERMOST for d in func.stages for s in d.schedule.splits)


def _outermost_bounds(func: Func) -> Iterator[tuple[str, Expr]]:
    for stage in range(len(func.stages)):
        for side, value in (("loop_min", 0), ("loop_max", 0), ("loop_extent", 1)):
            yield f"{func.name}.s{stage}.{OUTERMOST}.{side}", const(value)
