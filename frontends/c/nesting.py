"""Which OpenMP constructs a SCoP can have inside of which others."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.frontends.c.raw import RawConstruct
from s2s.frontends.openmp.directives import Directive
from s2s.scop.nodes import TASKS, Kind

# Constructs that give a piece of work to one of the threads.
_SHARES = frozenset({Kind.LOOP, Kind.SECTION, Kind.SECTIONS, Kind.SINGLE, Kind.MASTER})
_SHARED_OUT = frozenset({Kind.LOOP, Kind.SECTIONS, Kind.SINGLE, Kind.MASTER})


def say_why_misplaced(kind: Kind, directive: Directive, inside: Sequence[RawConstruct]) -> str:
    """Why a construct cannot stand ``inside`` of others, outermost first; empty where it can."""
    around = [c.kind for c in inside]
    in_task = any(k in around for k in TASKS)
    shared = any(k in around for k in _SHARES)
    if kind is Kind.PARALLEL and in_task:
        return "parallel inside a task is not understood"
    if kind is Kind.PARALLEL and Kind.PARALLEL in around:
        return "nested parallel regions are not understood"
    if kind in _SHARED_OUT and Kind.PARALLEL not in around:
        return f"orphaned '{directive.name}'"
    if kind in _SHARED_OUT and (shared or in_task):
        return f"'{directive.name}' is nested wrongly"
    if kind is Kind.SECTION:
        return "'section' is nested wrongly"
    if kind in TASKS and not shared:
        return "tasks of several threads are not understood"
    if kind in (Kind.ORDERED, Kind.SOURCE, Kind.SINK) and not _in_ordered_loop(inside):
        return "'ordered' outside of a loop that allows it"
    return ""


def _in_ordered_loop(inside: Sequence[RawConstruct]) -> bool:
    loop = next((c for c in reversed(inside) if c.kind is not Kind.TASKGROUP), None)
    return (
        loop is not None and loop.kind is Kind.LOOP and loop.directive.clause("ordered") is not None
    )
