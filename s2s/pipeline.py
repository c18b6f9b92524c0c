"""The regions of one parsed file: lifted, transformed, proved, emitted, read again.

Nothing here is fatal for a file: what cannot be lifted, is not legal or has no gain stays as it is,
with a remark; a defect of s2s leaves the region as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import chain, count
from typing import TYPE_CHECKING

import islpy as isl

from s2s import passes
from s2s.analyses import dependences, happens_before, legality
from s2s.analyses.guards import fold_guards
from s2s.analyses.races import unordered_conflicts
from s2s.balance import Balance
from s2s.diagnostics import Diagnostic, InternalError, Severity
from s2s.driver import Options
from s2s.emitters.c.guard import Emission, Unprintable
from s2s.emitters.c.region import Rewritten, emit
from s2s.explain import describe
from s2s.frontends.c.lift import NotLiftable
from s2s.frontends.c.parse import Unit
from s2s.frontends.c.prepare import (
    Callees,
    Configuration,
    Prepared,
    Text,
    Undecided,
    calls_with_loops,
    configuration,
    has_preparations,
    in_front,
    only_under,
    prepare,
)
from s2s.frontends.c.regions import Attempt, Function, candidates, inner_candidates, observed
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import identifiers
from s2s.race_reports import places, race_warnings
from s2s.scop.nodes import Construct, Kind, Loop, Scop, walk
from s2s.source import Edit, Span
from s2s.steps import letters
from s2s.transforms.assume import assume_disjoint
from s2s.transforms.contract import contract_all
from s2s.transforms.errors import NotApplicable
from s2s.transforms.split import split_further
from s2s.transforms.transformed import Transformed
from s2s.tuning.advice import Advice

if TYPE_CHECKING:
    from s2s.tuning.tuner import Tuner

# isl counts elementary operations; a region that needs more than this stays as it is.
_OPERATION_BUDGET = 12_000_000

# Words in the names of directives whose statements several threads share.
_DISTRIBUTES = frozenset({"task", "for", "sections", "section", "taskloop"})

# What the expression of a clause must not contain when it moves: assignments, and calls (but
# those of the OpenMP runtime).
_EFFECTS = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)|\b(?!omp_get_)\w+\s*\(")
# Passes that move the calls in a source's tasks as they are: the callee, transformed in its own
# place, does more for them than its body here.
_TASK = re.compile(r"#\s*pragma\s+omp\s+task\b")
_KEEP_CALLS = frozenset({"phases"})
_C90 = re.compile(r"-ansi|-std=(c89|c90|gnu89|gnu90|iso9899:1990|iso9899:199409)")


@dataclass(frozen=True)
class Analysis:
    """What the analyses say of a region; ``whole`` still has its pseudo statements."""

    whole: Scop
    scop: Scop
    conservative: isl.UnionMap
    ordered: isl.UnionMap
    pruned: isl.UnionMap
    races: isl.UnionMap


@dataclass(frozen=True)
class _Declined:
    """Why a pass did not apply, and where in the source."""

    where: Span
    reason: str
    name: str


@dataclass
class Pipeline:
    """Works through functions; ``diagnostics`` and ``explanation`` are filled by ``run``.

    ``fallback`` is the source's text of a prepared region.
    """

    unit: Unit
    options: Options
    functions: list[Function]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    fallback: str | None = None
    _parts: list[str] = field(default_factory=list)
    _taken_apart: tuple[Analysis, Analysis | None] | None = None

    @cached_property
    def _tuner(self) -> Tuner | None:
        if self.options.tune is None:
            return None
        from s2s.tuning.tuner import Tuner

        return Tuner(self.unit, self.options, self.options.tune)

    @property
    def explanation(self) -> str:
        return "\n".join(self._parts)

    def run(self) -> list[Edit]:
        """The edits of all regions that were transformed."""
        balance = self._without_balance()
        edits: list[Edit] = []
        for function in self.functions:
            for attempt in candidates(function):
                edits += self._attempt(function, attempt)
            if balance is not None:
                edits += self._schedules(function, balance, edits)
            if self.options.explain:
                self._observe(function)
        return edits

    def _without_balance(self) -> Balance | None:
        """The pass that edits directives, taken from those that work on regions."""
        specs = self.options.passes
        chosen = [s for s in specs if passes.name_of(s) == Balance.name]
        self.options = replace(self.options, passes=tuple(s for s in specs if s not in chosen))
        made = [passes.make(s) for s in chosen[:1]]
        return made[0] if made and isinstance(made[0], Balance) else None

    def _schedules(self, function: Function, balance: Balance, done: Sequence[Edit]) -> list[Edit]:
        """Schedules for loops of a function that no region's edit covers."""
        found = []
        for change in balance.edits(function):
            place = change.edit.start
            if any(edit.start <= place < edit.end for edit in done):
                continue
            text = f"dynamic schedule: {change.reason}"
            where = self.unit.buffer.location(change.loop.span)
            self.diagnostics.append(Diagnostic(Severity.REMARK, text, Balance.name, where))
            found.append(change.edit)
        return found

    def _observe(self, function: Function) -> None:
        """Report the races of regions that need not be such as can be transformed."""
        for attempt in observed(function):
            with _budget():
                self._survive(attempt, partial(self._observed_races, attempt))

    def _observed_races(self, attempt: Attempt) -> None:
        with suppress(NotLiftable):  # what could be transformed has had its remark
            scop = attempt.scop()
            order = happens_before.compute(scop)
            self._report_races(scop, unordered_conflicts(scop, order))

    def _attempt(self, function: Function, attempt: Attempt) -> list[Edit]:
        """Try a statement, prepared if it can be, then what is inside it."""
        calls_loops = calls_with_loops(attempt, self._callees)
        promising = self.options.explain or _promising(attempt)
        if not promising and not calls_loops:
            return []
        under = self._configuration(attempt)
        if under is not None:
            edit = self._survive(attempt, lambda: self._prepared(attempt, under))
            if edit is None and promising and under.closing is None:
                edit = self._try(function, attempt)
                edit = edit and only_under(self.unit.buffer, edit, under.conditions)
            if edit is not None:
                return [edit]
        inner: list[Edit] = []
        for candidate in inner_candidates(attempt):
            inner += self._attempt(function, candidate)
        return inner

    @cached_property
    def _callees(self) -> Callees:
        return Callees(self.unit)

    def _configuration(self, attempt: Attempt) -> Configuration | None:
        """The preprocessor's conditions in a region; None where it must stay because of them."""
        try:
            text = Text(self.unit.buffer.data, attempt.whole, self.unit.skipped)
            always, statement = self._callees.always_defined, attempt.statements[0].span.start
            before = configuration(in_front(text, attempt.span.start), always).conditions
            inside = configuration(text, always, statement)
            return replace(inside, conditions=(*before, *inside.conditions))
        except (Undecided, NotLiftable) as problem:
            self._missed(attempt.span, str(problem), "lift")
            return None

    def _prepared(self, attempt: Attempt, under: Configuration) -> Edit | None:
        """The edit of a region whose prepared text is transformed."""
        if under.closing is None and not has_preparations(attempt, self._callees):
            return None
        prepared = prepare(attempt, self._callees, closing=under.closing)
        edit = None if prepared is None else self._try_prepared(prepared, under)
        notes = [(self.unit, note) for note in attempt.lifter.notes]
        attempt.lifter.notes.clear()
        if prepared is not None:
            notes += [(prepared.unit, note) for note in prepared.attempt.lifter.notes]
        for unit, (span, text) in notes if edit is None else ():
            if "is not inlined" in text:
                self._missed(span, text, "inline", unit)
        return edit

    def _try_prepared(self, prepared: Prepared, under: Configuration) -> Edit | None:
        if not (self.options.explain or _promising(prepared.attempt)):
            return None
        options = self.options
        if self._tuner is not None:
            options = replace(options, tune=self._tuner.for_the_rest())
        if _TASK.search(prepared.fallback):
            specs = tuple(s for s in options.passes if passes.name_of(s) not in _KEEP_CALLS)
            options = replace(options, passes=specs)
        again = Pipeline(prepared.unit, options, [], fallback=prepared.fallback)
        edit = again._try(prepared.attempt.function, prepared.attempt)
        self.diagnostics += [d for d in again.diagnostics if d not in self.diagnostics]
        if edit is None:
            return None
        self._parts += again._parts
        return prepared.edit(edit, under.conditions)

    def _try(self, function: Function, attempt: Attempt) -> Edit | None:
        """The edit of one region; None where it stays as it is, with a remark that says why."""
        with _budget():
            return self._survive(attempt, lambda: self._region(function, attempt))

    def _survive(self, attempt: Attempt, work: Callable[[], Edit | None]) -> Edit | None:
        """What ``work`` gives; None with a remark where it cannot be done or fails."""
        try:
            return work()
        except NotLiftable as problem:
            self._missed(problem.span, problem.reason, "lift")
        except isl.Error as problem:
            if self.options.strict and "operations" not in str(problem):
                raise
            over = "operations" in str(problem)
            why = "the polyhedral computation takes too long" if over else _short(problem)
            self._missed(attempt.span, f"given up: {why}", "budget")
        except InternalError as problem:
            if self.options.strict:
                raise
            self._missed(attempt.span, f"internal error: {problem}; left as it was", "internal")
        except Exception as problem:
            if self.options.strict:
                raise
            text = f"internal error: {type(problem).__name__}: {_short(problem)}; left as it was"
            self._missed(attempt.span, text, "internal")
        return None

    def _region(self, function: Function, attempt: Attempt) -> Edit | None:
        """Try all passes; where they decline, once more with scalars' statements kept apart."""
        analysis = self._analyse(attempt.scop())
        self._report_races(analysis.whole, analysis.races)
        declined: list[_Declined] = []
        advice = self._advice(function, attempt, analysis)
        self.diagnostics += advice.diagnostics
        found = self._first_taken(function, analysis, advice.specs, declined)
        apart = None if found is not None else self._apart(attempt, analysis.scop)
        if apart is not None:
            found = self._first_taken(function, apart, advice.specs, declined)
            analysis = apart if found is not None else analysis
        outcome = "; ".join(f"{d.reason} [{d.name}]" for d in declined)
        scop = analysis.scop
        if found is not None:
            name, done, rewritten = found
            outcome = f"{', '.join(done.scop.history)} [{name}]"
            place = self.unit.buffer.location(_first_loop(scop))
            said = Diagnostic(Severity.REMARK, done.scop.history[0] + advice.remark, name, place)
            self.diagnostics.append(replace(said, letters=letters(done.scop)))
            scop = done.scop
        else:
            self._say_declined(declined, attempt)
        if self.options.explain:
            self._parts.append(
                describe(self.unit.buffer, function.node.name, scop, analysis.conservative,
                         analysis.ordered, analysis.pruned, analysis.races, outcome)
            )  # fmt: skip
        return rewritten.edit if found is not None else None

    def _first_taken(
        self, function: Function, analysis: Analysis, specs: Sequence[str],
        declined: list[_Declined],
    ) -> tuple[str, Transformed, Rewritten] | None:  # fmt: skip
        """The first pass that applies, and what it makes; the others go into ``declined``."""
        for spec in specs:
            name = passes.name_of(spec)
            try:
                return name, *self._transform(function, analysis, spec)
            except (NotApplicable, Unprintable) as problem:
                where = analysis.scop.span
                if isinstance(problem, NotApplicable):
                    where = problem.where
                declined.append(_Declined(where, str(problem), name))
        return None

    def _apart(self, attempt: Attempt, merged: Scop) -> Analysis | None:
        """The region with private scalars in elements or arrays; None where it has none."""
        if not any(s.opaque for s in merged.statements):
            return None
        try:
            return self._analyse(contract_all(attempt.again().scop(apart=True)))
        except NotLiftable:
            return None

    def _advice(self, function: Function, attempt: Attempt, analysis: Analysis) -> Advice:
        """Which passes to try: all of them in their order, or what ``--tune`` has measured."""
        if self._tuner is None:
            return Advice(self.options.passes)
        trial = {
            force: Pipeline(
                self.unit, replace(self.options, force=force, tune=None), [], fallback=self.fallback
            )
            for force in (False, True)
        }

        apart = cache(lambda: self._apart(attempt, analysis.scop))

        def edit_of(spec: str, force: bool) -> Edit | None:
            for form in (lambda: analysis, apart):
                with suppress(NotApplicable, Unprintable, InternalError, isl.Error), _budget():
                    found = form()
                    if found is not None:
                        return trial[force]._transform(function, found, spec)[1].edit
            return None

        from s2s.tuning.tuner import Region

        return self._tuner.advise(Region(function, attempt, analysis.scop, edit_of))

    def _transform(
        self, function: Function, analysis: Analysis, spec: str
    ) -> tuple[Transformed, Rewritten]:
        """Run one pass; where aliases stand in its way, once more with arrays taken for disjoint.

        Raises NotApplicable or Unprintable.
        """
        options = self.options
        chosen = passes.make(
            spec,
            parallel=options.parallel,
            reassociate=options.reassociate,
            compiler=options.compiler,
        )
        try:
            done = split_further(chosen.run(analysis.scop, analysis.pruned), analysis.pruned)
            return done, self._emit(function, analysis, done)
        except NotApplicable as first:
            apart = self._disjoint(analysis)
            if apart is None:
                raise first from None
            done = split_further(chosen.run(apart.scop, apart.pruned), apart.pruned)
            return done, self._emit(function, apart, done)

    def _disjoint(self, analysis: Analysis) -> Analysis | None:
        """The region with arrays taken for disjoint, analysed once for all passes."""
        if self._taken_apart is None or self._taken_apart[0] is not analysis:
            apart: Analysis | None = None
            with suppress(NotApplicable):
                apart = self._analyse(contract_all(assume_disjoint(analysis.whole)))
            self._taken_apart = analysis, apart
        return self._taken_apart[1]

    def _analyse(self, scop: Scop) -> Analysis:
        """Algorithm 1 of PoPP: P, HB, and P' = P intersected with HB."""
        found = dependences.conservative(scop)
        explicit = any(isinstance(n, Construct) for n in walk(scop.tree))
        if explicit and self.options.happens_before:
            order = happens_before.compute(scop)
            pruned = found.all.intersect(order.relation).coalesce()
            # A race is not parallelism that the source has declared: it stays a dependence.
            kept = pruned.union(found.exact.subtract(order.relation)).coalesce()
            races = unordered_conflicts(scop, order)
            reduced, kept = fold_guards(scop, kept)
            return Analysis(scop, reduced, found.all, order.relation, kept, races)
        nothing = isl.UnionMap.empty(found.all.get_space())
        reduced, kept = fold_guards(scop, found.all)
        ordered = dependences.sequential_order(scop)
        return Analysis(scop, reduced, found.all, ordered, kept, nothing)

    def _report_races(self, scop: Scop, races: isl.UnionMap) -> None:
        said = {places(d) for d in self.diagnostics if d.id == "race"}
        for warning in race_warnings(self.unit.buffer, scop, races):
            if places(warning) not in said:
                self.diagnostics.append(warning)

    def _emit(self, function: Function, analysis: Analysis, done: Transformed) -> Rewritten:
        """Prove, print and read again. Raises NotApplicable, Unprintable or InternalError."""
        scop, pruned = analysis.scop, analysis.pruned
        if done.instances is not None:
            if not legality.keeps_instances(scop, done.scop, done.instances):
                raise InternalError("a split does not keep all instances")
            pruned = pruned.apply_domain(done.instances).apply_range(done.instances)
        violation = legality.check(done.scop, pruned)
        if violation is not None:
            raise NotApplicable(scop.span, f"not legal: {violation.reason}")
        emission = self._emission(function, scop, done)
        rewritten = emit(done.scop, emission)
        self._read_again(function, done.scop, pruned, rewritten, emission.prefix)
        return rewritten

    def _emission(self, function: Function, scop: Scop, done: Transformed) -> Emission:
        if not self.unit.is_cxx and _is_c90(self.unit.flags):
            raise Unprintable("in C90 a for statement cannot declare its variable")
        words = identifiers(self.unit.buffer.data)
        taken = {word.split("_")[0] for word in words if word.startswith("s2s")}
        prefix = next(
            f"{p}_" for p in chain(["s2s"], (f"s2s{i}" for i in count(2))) if p not in taken
        )
        return Emission(
            self.unit.buffer,
            clauses=_carried_clauses(scop),
            profitable=None if self.options.force else done.profitable,
            per_thread=() if self.options.force else done.per_thread,
            least_bytes=0 if self.options.force else done.least_bytes,
            prefix=prefix,
            is_cxx=self.unit.is_cxx,
            fallback=self.fallback,
        )

    def _read_again(
        self, function: Function, scop: Scop, pruned: isl.UnionMap, rewritten: Rewritten,
        prefix: str,
    ) -> None:  # fmt: skip
        from s2s.frontends.c.reread import reread
        from s2s.reparse import check

        block, text = reread(self.unit, rewritten.edit, function.node.name)
        start = rewritten.edit.start
        leaves = [(Span(s.start + start, s.end + start), name) for s, name in rewritten.leaves]
        domain = None
        for statement in scop.statements:
            needs = statement.domain.params()
            domain = needs if domain is None else domain.union(needs)
        assert domain is not None
        known = scop.assumptions.intersect(domain).intersect(scop.context)
        ordered = pruned if scop.reuse is None else pruned.union(scop.reuse)
        check(scop, ordered, known, block, leaves, text, f"{prefix}threads")

    # -- words ------------------------------------------------------------------------------

    def _missed(self, span: Span, text: str, id_: str, unit: Unit | None = None) -> None:
        place = (unit or self.unit).buffer.location(span)
        said = Diagnostic(Severity.MISSED, text, id_, place)
        if said not in self.diagnostics:
            self.diagnostics.append(said)

    def _say_declined(self, declined: list[_Declined], attempt: Attempt) -> None:
        """One message for a region that no pass took; what else matters stands in its notes."""
        notes = [
            Diagnostic(Severity.NOTE, d.reason, d.name, self.unit.buffer.location(d.where))
            for d in declined[1:]
        ]
        for span, text in attempt.notes[:8]:
            if text.startswith("call"):
                self._missed(span, text, "effects")
            else:
                place = self.unit.buffer.location(span)
                notes.append(Diagnostic(Severity.NOTE, text, "lift", place))
        if not declined:
            return
        first = declined[0]
        place = self.unit.buffer.location(first.where)
        self.diagnostics.append(
            Diagnostic(Severity.MISSED, first.reason, first.name, place, tuple(notes))
        )


def _first_loop(scop: Scop) -> Span:
    return next((n.span for n in walk(scop.tree) if isinstance(n, Loop)), scop.span)


def _promising(attempt: Attempt) -> bool:
    """Whether a pass could act at all: cheaper than lifting, so it comes first."""
    node = attempt.statements[0]
    directives = attempt.lifter.attached.within(attempt.span)
    if any(_DISTRIBUTES & set(d.name.split()) for d in directives):
        return any(n.kind == "FOR_STMT" for n in node.walk())
    return not directives and (_has_strided_nest(node, ()) or _has_reuse(node, ()))


def _has_reuse(node: Node, around: tuple[Decl, ...]) -> bool:
    """Whether a nest has references that do not change with one of its loops."""
    if node.kind == "FOR_STMT" and len(node.children) == 4:
        init = node.children[0]
        first = init.children[0] if init.children else init
        if first.decl is None:
            return False
        return _has_reuse(node.children[3], (*around, first.decl))
    if any(n.kind == "FOR_STMT" for n in node.walk() if n is not node):
        return any(_has_reuse(child, around) for child in node.children)
    if len(around) < 2:
        return False
    return any(not set(around) <= {n.decl for n in r.walk()} for r in _references(node))


def _references(node: Node) -> Iterator[Node]:
    """The array references in a tree that are no part of another one."""
    if node.kind == "ARRAY_SUBSCRIPT_EXPR":
        yield node
        return
    for child in node.children:
        yield from _references(child)


def _has_strided_nest(node: Node, around: tuple[Decl, ...]) -> bool:
    """Whether an innermost loop of a nest walks across rows of an array or asks for boundaries."""
    if node.kind == "FOR_STMT" and len(node.children) == 4:
        init = node.children[0]
        first = init.children[0] if init.children else init
        decl = first.decl
        if decl is None:
            return False
        return _has_strided_nest(node.children[3], (*around, decl))
    if any(n.kind == "FOR_STMT" for n in node.walk() if n is not node):
        return any(_has_strided_nest(child, around) for child in node.children)
    if len(around) < 2:
        return False
    if any(n.kind in ("IF_STMT", "CONDITIONAL_OPERATOR") and _asks(n, around) for n in node.walk()):
        return True
    return any(
        (n.kind == "ARRAY_SUBSCRIPT_EXPR" and _crosses_rows(n, around[-1]))
        or (n.kind == "BINARY_OPERATOR" and n.op == "=" and _is_scaled(n, around[-1]))
        for n in node.walk()
    )


def _asks(choice: Node, around: tuple[Decl, ...]) -> bool:
    """Whether a condition compares a loop variable: a boundary, perhaps."""
    return any(n.decl in around for n in choice.children[0].walk() if n.decl is not None)


def _is_scaled(assignment: Node, decl: Decl) -> bool:
    """Whether an integer is set to a product with a loop variable: a flat subscript, perhaps."""
    return assignment.type.kind == "int" and any(
        n.kind == "BINARY_OPERATOR" and n.op == "*" and any(m.decl is decl for m in n.walk())
        for n in assignment.children[1].walk()
    )


def _crosses_rows(subscript: Node, decl: Decl) -> bool:
    """Whether a loop variable is in a subscript but the last, or multiplied in a flat one."""
    base, index = subscript.children
    if base.kind == "ARRAY_SUBSCRIPT_EXPR" and any(n.decl is decl for n in base.walk()):
        return True
    return any(n.op == "*" and any(m.decl is decl for m in n.walk()) for n in index.walk())


def _is_c90(flags: Sequence[str]) -> bool:
    """Whether the last of the flags that choose a language asks for C90."""
    chosen = [f for f in flags if f.startswith("-std=") or f == "-ansi"]
    return bool(chosen) and bool(_C90.fullmatch(chosen[-1]))


def _carried_clauses(scop: Scop) -> tuple[str, ...]:
    """Clauses of the source's parallel constructs that the new one keeps. Raises Unprintable."""
    found: set[tuple[str, ...]] = set()
    for node in walk(scop.tree):
        if isinstance(node, Construct) and node.kind is Kind.PARALLEL:
            kept = [
                f"{name}({argument})" for name, argument in node.clauses
                if name in ("num_threads", "proc_bind", "if")
            ]  # fmt: skip
            found.add(tuple(sorted(kept)))
    if len(found) > 1:
        raise Unprintable("the parallel regions have different num_threads, if or proc_bind")
    clauses = found.pop() if found else ()
    varying = {n.variable.spelling for n in walk(scop.tree) if isinstance(n, Loop)}
    for clause in clauses:
        words = set(re.findall(r"\w+", clause)) & varying
        if words:
            raise Unprintable(f"'{clause}' depends on the loop variable '{min(words)}'")
        if _EFFECTS.search(clause.partition("(")[2]):
            raise Unprintable(f"'{clause}' may have effects that happen once for each execution")
    return clauses


class _budget:
    """Limits isl's work on one region; past it isl raises and the region stays."""

    def __enter__(self) -> None:
        context = isl.DEFAULT_CONTEXT
        self._around = context.get_max_operations()
        context.reset_operations()
        context.set_max_operations(_OPERATION_BUDGET)

    def __exit__(self, *_: object) -> None:
        isl.DEFAULT_CONTEXT.reset_operations()
        isl.DEFAULT_CONTEXT.set_max_operations(self._around)


def _short(error: BaseException) -> str:
    return re.sub(r"\s+", " ", str(error))[:120]
