"""Innermost loops as kernels, with the source's as the fallback."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import field
from functools import cached_property

import islpy as isl

from s2s.analyses.region import Analysis, analyse
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.guard import Emission
from s2s.emitters.cuda.arguments import Variables
from s2s.emitters.cuda.prelude import prelude
from s2s.emitters.cuda.region import Offloaded, emit
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Attempt, Function, candidates, inner_candidates
from s2s.frontends.c.text import free_prefix
from s2s.frontends.c.unit import Unit
from s2s.frontends.c.vector_look import innermost_loops
from s2s.scop.budget import budget, is_over
from s2s.source import Edit, Span
from s2s.source.diagnostics import Diagnostic, Severity
from s2s.source.records import dataclass
from s2s.transforms.assume import assume_disjoint
from s2s.transforms.contract import contract_all
from s2s.transforms.errors import NotApplicable
from s2s.transforms.offload import offload
from s2s.transforms.prove import prove
from s2s.transforms.transformed import Transformed

_DIRECTIVE = re.compile(rb"^[ \t]*#", re.MULTILINE)


@dataclass
class Offload:
    """Works through the functions of a file; ``diagnostics`` are filled by ``run``."""

    unit: Unit
    strict: bool
    functions: list[Function]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _count: int = 0

    @cached_property
    def _prefix(self) -> str:
        return free_prefix(self.unit.buffer.data)

    def run(self) -> list[Edit]:
        """The kernels before their functions, and what runs them in place of the loops."""
        edits: list[Edit] = []
        in_front: dict[int, str] = {}
        for function in self.functions:
            found = [o for a in self._loops(function) if (o := self._try(a)) is not None]
            if found:
                in_front[function.node.span.start] = "".join(o.kernel for o in found)
                edits += [o.edit for o in found]
        if edits:
            in_front[0] = prelude(self._prefix) + in_front.get(0, "")
        texts = {at: text.encode("utf-8", "surrogateescape") for at, text in in_front.items()}
        return [*edits, *(Edit(at, at, text) for at, text in texts.items())]

    def _loops(self, function: Function) -> Iterator[Attempt]:
        """Innermost loops; none where other threads may be at work on what lies between elements.

        Arrays are copied back from the first touched element to the last.
        """
        if function.attached.within(function.node.span):
            self._missed(function.node.span, "no kernels in functions with OpenMP constructs")
            return
        for attempt in candidates(function):
            yield from self._innermost(attempt)

    def _innermost(self, attempt: Attempt) -> Iterator[Attempt]:
        statement = attempt.statements[0]
        if list(innermost_loops(statement)) == [statement]:
            yield attempt
        else:
            for inner in inner_candidates(attempt):
                yield from self._innermost(inner)

    def _try(self, attempt: Attempt) -> Offloaded | None:
        """The kernel of a loop; None where there is none, with a remark that says why."""
        with budget():
            try:
                return self._offloaded(attempt)
            except NotLiftable as problem:
                self._missed(problem.span, problem.reason)
            except NotApplicable as problem:
                self._missed(problem.where, problem.reason)
            except Unprintable as problem:
                self._missed(attempt.span, f"no kernel: {problem}")
            except isl.Error as problem:
                if self.strict and not is_over(problem):
                    raise
                self._missed(attempt.span, "given up: the polyhedral computation failed")
        return None

    def _offloaded(self, attempt: Attempt) -> Offloaded:
        """Every statement for itself, or else merged with those that share private scalars."""
        if _DIRECTIVE.search(self.unit.buffer.data, attempt.span.start, attempt.span.end):
            raise NotApplicable(attempt.span, "there are preprocessor directives in the loop")
        with suppress(NotLiftable, NotApplicable, Unprintable):
            return self._kernel(attempt, analyse(attempt.again().scop(separate=True)))
        return self._kernel(attempt, analyse(attempt.scop()))

    def _kernel(self, attempt: Attempt, analysis: Analysis) -> Offloaded:
        try:
            done = offload(analysis.scop, analysis.pruned)
        except NotApplicable as first:
            try:
                apart = assume_disjoint(analysis.whole)
            except NotApplicable:
                raise first from None
            analysis = analyse(contract_all(apart))
            done = offload(analysis.scop, analysis.pruned)
        return self._emitted(attempt, analysis, done)

    def _emitted(self, attempt: Attempt, analysis: Analysis, done: Transformed) -> Offloaded:
        prove(analysis, done)
        emission = Emission(self.unit.buffer, prefix=self._prefix, is_cxx=True)
        name = f"{self._prefix}kernel{self._count + 1}"
        found = emit(done.scop, emission, name, _variables(attempt))
        self._count += 1
        place = self.unit.buffer.location(attempt.span)
        text = done.scop.history[0]
        self.diagnostics.append(Diagnostic(Severity.REMARK, text, "cuda", place))
        return found

    def _missed(self, span: Span, text: str) -> None:
        place = self.unit.buffer.location(span)
        said = Diagnostic(Severity.MISSED, text, "cuda", place)
        if said not in self.diagnostics:
            self.diagnostics.append(said)


def _variables(attempt: Attempt) -> Variables:
    """The variables of a loop whose values a kernel can be given, and those it declares."""
    nodes = list(attempt.statements[0].walk())
    inner = frozenset(n.name for n in nodes if n.kind == "VAR_DECL")
    named = [n.decl for n in nodes if n.kind == "DECL_REF_EXPR" and n.decl is not None]
    enumerated = {d.name for d in named if d.kind == "ENUM_CONSTANT_DECL"}
    inside = attempt.function.node.span
    constants = frozenset(
        d.name for d in named
        if d.kind == "ENUM_CONSTANT_DECL" and not inside.start <= d.offset < inside.end
    )  # fmt: skip
    numbers = frozenset(
        d.name for d in named
        if d.type.kind in ("int", "float") and d.type.size <= 8 and not d.type.volatile
    )  # fmt: skip
    macros = frozenset(attempt.function.unit.macro_words)
    return Variables(numbers - inner - enumerated, inner, constants, macros)
