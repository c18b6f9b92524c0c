"""isl's code for schedules, functions and sets, each with its parameters in the context's order.

The part of isl that makes a modulo's operand positive adds a constraint of the context to it, and
looks for one by the places of parameters, not by their names: given ``[m, n]`` and a context in
``[n, m]``, what is printed may be the parity of ``n`` where that of ``m`` is meant.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl


def loops(
    known: isl.Set, schedule: isl.UnionMap, iterators: Sequence[str],
    options: isl.UnionMap | None = None,
) -> isl.AstNode:  # fmt: skip
    """Loops over a schedule where ``known`` holds, their counters named.

    Made once for what reads the same: files have many loops of one shape.
    """
    key = str(known), str(schedule), tuple(iterators), "" if options is None else str(options)
    found = _made.get(key)
    if found is None:
        if len(_made) >= _KEPT:
            _made.clear()
        found = _made[key] = _loops(known, schedule, iterators, options)
    return found


_KEPT = 256
_made: dict[tuple[str, str, tuple[str, ...], str], isl.AstNode] = {}


def _loops(
    known: isl.Set, schedule: isl.UnionMap, iterators: Sequence[str], options: isl.UnionMap | None
) -> isl.AstNode:
    known = known.align_params(schedule.get_space())
    ids = isl.IdList.alloc(isl.DEFAULT_CONTEXT, len(iterators))
    for name in iterators:
        ids = ids.add(isl.Id(name, context=isl.DEFAULT_CONTEXT))
    build = isl.AstBuild.from_context(known).set_iterators(ids)
    if options is not None:
        build = build.set_options(options.align_params(known.get_space()))
    return build.node_from_schedule_map(schedule.align_params(known.get_space()))


def value(known: isl.Set, function: isl.PwAff) -> isl.AstExpr:
    """A function of parameters, for values for which ``known`` holds."""
    function = function.align_params(known.get_space())
    build = isl.AstBuild.from_context(known.align_params(function.get_space()))
    return build.expr_from_pw_aff(function)


def condition(known: isl.Set, wanted: isl.Set) -> isl.AstExpr:
    """A condition on parameters, for values for which ``known`` holds."""
    wanted = wanted.align_params(known.get_space())
    build = isl.AstBuild.from_context(known.align_params(wanted.get_space()))
    return build.expr_from_set(wanted)


def in_one_piece(sizes: isl.Set) -> isl.Set:
    """A set as one piece, where pieces that overlap make one: ``k < n or k >= 0`` for n > 0."""
    hull = isl.Set.from_basic_set(sizes.simple_hull())
    return hull if hull.is_subset(sizes) else sizes
