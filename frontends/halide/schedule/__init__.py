"""What the scheduling directives do to a pipeline's Funcs, with Halide's rules and refusals.

For the evaluator::

    program = Program()                              # one for a translation unit
    func = Func(program.unique("f"), ...); program.funcs[func.name] = func
    begin(func, definition)                          # each new definition, pure or update
    FuncDirectives(program, func).compute_at(at_loop(g, LoopVar("x"), at=span))
    stage = FuncDirectives(program, func).stage(0)   # update(i) is stage(i + 1)
    stage.split(LoopVar("x"), LoopVar("xo"), LoopVar("xi"), 8, TailStrategy.AUTO, at=span)
    stage.tile([x, y], [xo, yo], [xi, yi], [8, 8], at=span)
    special = stage.specialize(condition)            # a Stage again

Methods have C++'s names (``in_`` for ``in``) on ``Stage`` for loops and on ``FuncDirectives``
for the Func as a whole; what C++ overloads is one method with lists (see ``tile``). Every method
takes ``at``, the span of the call, and raises ``errors.Illegal`` there. Numbers are ``int`` or
INT32 expressions; loop variables are ``LoopVar(name, reduction)``. An RVar's name is that of its
``ReductionVariable``. ``rfactor``, ``in_`` and ``clone_in`` give a new Func, entered in
``program.funcs``.
"""

from s2s.frontends.halide.schedule.base import LoopVar, Program
from s2s.frontends.halide.schedule.beginning import begin
from s2s.frontends.halide.schedule.function import FuncDirectives
from s2s.frontends.halide.schedule.placement import at_loop, inlined, root
from s2s.frontends.halide.schedule.stage import Stage
from s2s.scop.pipeline import OUTERMOST

__all__ = [
    "OUTERMOST",
    "FuncDirectives",
    "LoopVar",
    "Program",
    "Stage",
    "at_loop",
    "begin",
    "inlined",
    "root",
]
