"""``--offload blas,onednn``: nests of a C file as calls of libraries on this machine.

The result is the file with calls where a guard holds and its own text elsewhere, the runtime that
calls the libraries, a Makefile that looks for them, and a manifest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from s2s.driver.libraries.deciding import Decision, decide
from s2s.driver.libraries.files import companions
from s2s.driver.operations import Nest, read_nest
from s2s.driver.options import Outcome
from s2s.emitters.c.guard import Unprintable
from s2s.emitters.libraries.region import Region, emit
from s2s.emitters.libraries.values import NoText
from s2s.frontends.c.parse import Unit, parse_as_compiled
from s2s.frontends.c.regions import Attempt, Function, candidates, functions, inner_candidates
from s2s.frontends.c.text import free_prefix
from s2s.scop.operation import Recognised, Unrecognised
from s2s.source import Edit, SourceBuffer, apply_edits
from s2s.source.diagnostics import Diagnostic, Severity, UserError

NAMES = ("blas", "onednn")
INCLUDE = b'#include "s2s_libraries.h"\n'


@dataclass(frozen=True)
class Judged:
    """A nest with what was decided, and its edit if it goes to a library."""

    nest: Nest
    decision: Decision
    edit: Edit | None = None
    depth: int = 0


def offload_to_libraries(
    buffer: SourceBuffer, flags: Sequence[str], libraries: Sequence[str], *, force: bool = False
) -> Outcome:
    """A program's nests on libraries. Raises UserError for what is no C."""
    unit = parse_as_compiled(buffer, flags)
    if unit.errors:
        raise UserError(*unit.errors[:1])
    work = Work(unit, tuple(libraries), force)
    judged = list(work.run())
    edits = [j.edit for j in judged if j.edit is not None]
    text = buffer.data
    if edits:
        text = INCLUDE + _line(buffer) + apply_edits(buffer.data, edits)
    said = tuple(_remark(unit, j) for j in judged if j.edit is not None or j.depth == 0)
    explanation = "".join(explained(unit, judged))
    return Outcome(
        buffer.path, buffer.data, text, said, explanation,
        companions(buffer, unit, flags, judged), name=os.path.basename(buffer.path),
        read=tuple(sorted(unit.included)), edits=None,
    )  # fmt: skip


def _line(buffer: SourceBuffer) -> bytes:
    """Messages of the compiler name the lines of the source."""
    return b""


@dataclass
class Work:
    """Goes through the nests of a file, from outside."""

    unit: Unit
    libraries: tuple[str, ...]
    force: bool = False
    _prefix: str = field(init=False)

    def __post_init__(self) -> None:
        self._prefix = free_prefix(self.unit.buffer.data)

    def run(self) -> Iterator[Judged]:
        for function in functions(self.unit, every=True):
            for attempt in candidates(function):
                yield from self._judge(function, attempt, 0)

    def _judge(self, function: Function, attempt: Attempt, depth: int) -> Iterator[Judged]:
        nest = read_nest(function, attempt)
        decision, edit = self._decided(nest, depth)
        yield Judged(nest, decision, edit, depth)
        if edit is None:
            for inner in inner_candidates(attempt):
                yield from self._judge(function, inner, depth + 1)

    def _decided(self, nest: Nest, depth: int) -> tuple[Decision, Edit | None]:
        if isinstance(nest.found, Unrecognised):
            return Decision((), nest.found.reason), None
        operations = nest.found.operations
        decision = decide(operations, self.libraries, inner=depth > 0, force=self.force)
        if not decision.is_taken:
            return decision, None
        own = _own_entry(nest, decision)
        if own:
            return Decision((), f"'{own}' would call itself"), None
        if any(
            d.name.startswith("parallel") is False
            for d in nest.attempt.directives
            if d.name != "simd"
        ):
            return Decision((), "the loop is shared by a team that is formed elsewhere"), None
        try:
            return decision, self._edit(nest, decision)
        except (Unprintable, NoText) as error:
            return Decision((), str(error), decision.offers), None

    def _edit(self, nest: Nest, decision: Decision) -> Edit:
        from dataclasses import replace

        import islpy as isl

        assert nest.scop is not None and isinstance(nest.found, Recognised)
        running = isl.Set(nest.found.assumptions)
        scop = replace(nest.scop, assumptions=running)
        region = Region(scop, nest.found, decision.steps, nest.attempt.whole)
        return emit(region, self.unit.buffer, self._prefix)


def _own_entry(nest: Nest, decision: Decision) -> str:
    """The function's name, where it is that of what would be called."""
    name = nest.name
    for step in decision.steps:
        if step.call is not None:
            entry = step.call.entry
            plain = entry.removeprefix("cblas_")
            if name in (entry, plain, f"{plain}_", step.call.function):
                return name
    return ""


def describe(nest: Nest) -> str:
    """What a nest was recognised as."""
    if isinstance(nest.found, Unrecognised):
        return "no operator"
    return ", ".join(op.function or op.kind.value for op in nest.found.operations)


def _remark(unit: Unit, judged: Judged) -> Diagnostic:
    place = unit.buffer.location(judged.nest.attempt.span)
    what = describe(judged.nest)
    if judged.edit is None:
        text = f"stays on the host: {judged.decision.reason} [{what}]"
        return Diagnostic(Severity.MISSED, text, "offload", place)
    entries = dict.fromkeys(s.call.entry for s in judged.decision.steps if s.call is not None)
    text = f"{what}: by {', '.join(entries)}"
    return Diagnostic(Severity.REMARK, text, "offload", place)


def explained(unit: Unit, judged: Sequence[Judged]) -> Iterator[str]:
    """A line for each nest: what it is, who could take it, who got it, why not more."""
    for one in judged:
        place = unit.buffer.location(one.nest.attempt.span)
        offers = "; ".join(f"{library}: {said}" for library, said in one.decision.offers)
        taken = "host" if one.edit is None else "library"
        if one.edit is not None:
            entries = [s.call.entry for s in one.decision.steps if s.call is not None]
            taken = ", ".join(dict.fromkeys(entries))
        reason = f" because {one.decision.reason}" if one.decision.reason else ""
        asked = f" ({offers})" if offers else ""
        yield (
            f"{place.path}:{place.line}: {one.nest.name}: {describe(one.nest)}"
            f" -> {taken}{reason}{asked}\n"
        )
