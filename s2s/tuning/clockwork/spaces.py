"""A search for a source, whether it has a schedule or not."""

from __future__ import annotations

from s2s.tuning.clockwork.limits import Limits
from s2s.tuning.clockwork.parameters import ParameterSpace, parameter_space
from s2s.tuning.clockwork.search import Plan, Search
from s2s.tuning.clockwork.space import Program
from s2s.tuning.clockwork.store import Store
from s2s.tuning.clockwork.unscheduled import DirectiveSpace, directive_space, has_schedule


def search_space(program: Program, plan: Plan, store: Store) -> Search:
    """A search that has run; the store remembers what it found on the way. Raises UserError."""
    space = space_of(program, plan.limits)
    search = Search(space, plan, store, space.extents)
    search.run()
    return search


def space_of(program: Program, limits: Limits) -> ParameterSpace | DirectiveSpace:
    """The parameters of a source with a schedule, or schedules for one without."""
    if has_schedule(program):
        return parameter_space(program)
    return directive_space(program, limits)
