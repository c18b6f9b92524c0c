"""A region's new text: calls where the guard holds, the source's own text elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from s2s.emitters.c.expressions import Names
from s2s.emitters.c.guard import READ_EARLY, Emission, Guard
from s2s.emitters.libraries.calls import LIMIT, Printer, first
from s2s.emitters.libraries.values import NoText, Texts
from s2s.scop.library_calls import LibraryCall, NotZero
from s2s.scop.nodes import Scop
from s2s.scop.operation import Operand, Operation, Recognised
from s2s.scop.polynomial import Polynomial
from s2s.source import Edit, SourceBuffer, Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Enough:
    """That an amount of work is at least so much."""

    work: Polynomial
    least: float

    @property
    def is_known(self) -> bool | None:
        """Whether it is; None where that is seen as the program runs."""
        number = self.work.number
        return None if number is None else number >= self.least


def may_be_enough(any_of: Sequence[Enough]) -> bool:
    """Whether one of some conditions may hold; without any there is nothing to ask."""
    return not any_of or any(one.is_known is not False for one in any_of)


@dataclass(frozen=True)
class Step:
    """One step of a region: a call with what makes it worth it (any of that), or loops (None).

    ``saved``: nanoseconds for each unit of work; 0 for a call that is made whether it pays or not.
    """

    operation: Operation
    call: LibraryCall | None = None
    enough: tuple[Enough, ...] = ()
    saved: float = 0.0


def decisive(steps: Sequence[Step]) -> list[tuple[Enough, ...]]:
    """What makes the steps of a nest worth it, any of which has to hold.

    A library that takes long to begin a call (oneDNN to make a convolution) loses more in a short
    one than others gain beside it, so that its calls decide where there are some.
    """
    calls = [(step.call, step.enough) for step in steps if step.call is not None]
    slow = [enough for call, enough in calls if call.library == "onednn" and not call.is_optional]
    return slow or [enough for _, enough in calls]


@dataclass(frozen=True)
class Region:
    """A nest and what it becomes; the SCoP assumes that all its loops run.

    ``finals``: statements that set what its pointers and counters hold after it. ``needs``: more
    conditions under which the new code is right. ``optional``: pointers that may be null, in
    which case nothing is stored by them.
    """

    scop: Scop
    found: Recognised
    steps: tuple[Step, ...]
    span: Span
    finals: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()
    otherwise: str | None = None
    """What runs where the guard does not hold; None: the source's own text."""

    @property
    def libraries(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(s.call.library for s in self.steps if s.call is not None))


def emit(region: Region, buffer: SourceBuffer, prefix: str, *, c90: bool = False) -> Edit:
    """The edit of a region. Raises Unprintable or NoText for what C has no text for here."""
    rows = _rows(region)
    checked = frozenset(pair for pair in region.found.disjoint if not pair & rows.keys())
    scop = replace(region.scop, checked=checked)
    spellings = {p.name: p.spelling for p in scop.parameters}
    spellings |= {f"{array}.row": f"{prefix}{array}_row" for array in rows}
    names = Names(
        spellings,
        frozenset(p.name for p in scop.parameters if p.size < 8),
        frozenset(p.name for p in scop.parameters if p.unsigned),
    )
    early, late = _conditions(Guard(scop, Emission(buffer, prefix=prefix), names))
    printer = Printer(Texts(spellings), prefix, c90)
    lines: list[str] = []
    for step in region.steps:
        own = printer.loops(step.operation) if step.call is None else printer.call(step.call)
        base = step.operation.output.base
        lines += own if base not in region.optional else [f"if ({base}) {{", *own, "}"]
    lines += region.finals
    parts = [*early, *_sizes(region, printer), *late, *region.needs]
    if not rows:
        parts += _available(region, printer)
        return _edit(region, buffer, list(dict.fromkeys(parts)), lines)
    guard = " && ".join((*early, *late)) or "1"
    declared = [
        f"const long {prefix}{array}_row = {guard} ? {_row_step(o, region, printer)} : 0;"
        for array, o in rows.items()
    ]
    parts += [f"{prefix}{array}_row >= 1" for array in rows]
    parts += [
        _apart(region, printer, pair) for pair in sorted(map(sorted, region.found.disjoint))
        if set(pair) & rows.keys()
    ]  # fmt: skip
    parts += _available(region, printer)
    return _edit(region, buffer, list(dict.fromkeys(parts)), lines, declared)


def _conditions(guard: Guard) -> tuple[list[str], list[str]]:
    """What has to hold before members are read, and all else."""
    early: list[str] = []
    late: list[str] = []
    for part in guard.parts():
        (early if part.what == READ_EARLY else late).append(part.text)
    return early, [" && ".join(late)] if late else []


def _rows(region: Region) -> dict[str, Operand]:
    """The operands of which pointers lead to the rows, by their arrays."""
    return {o.array: o for step in region.steps for o in step.operation.operands if o.rows}


def _last(operation: Operation, value: Polynomial) -> Polynomial:
    """The largest value over the indices. Raises NoText for steps that may go backward."""
    for dim in operation.dims:
        step, rest = value.divide(dim.name)
        if any(times < 0 for times in step.terms.values()) or step.constant < 0:
            raise NoText("subscripts that fall")
        value = rest + step * (dim.extent - Polynomial.integer(1))
    return value


def _row_step(operand: Operand, region: Region, printer: Printer) -> str:
    """The distance of rows, of all that are used."""
    rows = [
        _last(step.operation, o.subscripts[0])
        for step in region.steps for o in step.operation.operands if o.array == operand.array
    ]  # fmt: skip
    pointers = operand.base.removesuffix("[0]")
    counts = dict.fromkeys(printer.texts.size(r + Polynomial.integer(1)) for r in rows)
    if len(counts) > 1:
        raise NoText("several parts of an array of rows")
    size = f"(long)sizeof **{pointers}"
    return f"s2s_row_step((const void *const *){pointers}, {next(iter(counts))}, {size})"


def _apart(region: Region, printer: Printer, pair: Sequence[str]) -> str:
    """That two arrays do not overlap, by the first and the last of their elements."""
    ends: list[tuple[str, str]] = []
    for array in pair:
        found = [
            (step.operation, o)
            for step in region.steps for o in step.operation.operands if o.array == array
        ]  # fmt: skip
        if any(o.scalar for _, o in found):
            raise NoText("a scalar beside rows")
        spans = {
            (
                f"(const char *)({first(o)} + {printer.texts.inside(o.offset(op.names))})",
                f"(const char *)({first(o)} + {printer.texts.size(_last(op, o.address))} + 1)",
            )
            for op, o in found
        }
        if len(spans) > 1:
            raise NoText("several parts of an array")
        ends.append(spans.pop())
    (one, end), (other, last) = ends
    return f"({end} <= {other} || {last} <= {one})"


def _is_known(scop: Scop, left: Polynomial, right: Polynomial) -> bool:
    """Whether the assumptions say that ``left >= right``."""
    difference = left - right
    if difference.number is not None:
        return difference.number >= 0
    if not difference.is_affine or not difference.names <= set(scop.parameter_names()):
        return False
    space = "[" + ", ".join(scop.parameter_names()) + "] -> "
    where = isl.Set(f"{space}{{ : {difference.isl()} >= 0 }}")
    return bool(scop.assumptions.is_subset(where))


def _available(region: Region, printer: Printer) -> list[str]:
    """That the libraries are loaded, or now have to be; last, for this counts calls.

    What a region saves needs all of its libraries, so that each of them counts all of it. For calls
    that the runtime can do without, it asks itself, if there are others.
    """
    steps = [s for s in region.steps if s.call is not None and not (s.saved and s.call.is_optional)]
    calls = [(s.call, s.saved) for s in steps or region.steps if s.call is not None]
    saved = " + ".join(printer.saved(call.whole_work, each) for call, each in calls if each)
    word = "pays" if saved else "has"
    asked = dict.fromkeys(call.library for call, _ in calls)
    return [f"s2s_{word}_{library}({saved})" for library in asked]


def _sizes(region: Region, printer: Printer) -> list[str]:
    """Conditions on sizes: that it is worth it, and what the functions ask for."""
    found: list[str] = []
    for call in (step.call for step in region.steps if step.call is not None):
        found += [
            printer.condition(c) for c in call.conditions
            if isinstance(c, NotZero) or not _is_known(region.scop, c.left, c.right)
        ]  # fmt: skip
        found += [
            printer.narrow(size) for size in call.narrow
            if not _is_known(region.scop, Polynomial.integer(LIMIT), size)
        ]  # fmt: skip
    return [*_worth(region, printer), *(text for text in found if text)]


def _worth(region: Region, printer: Printer) -> list[str]:
    """That one of the calls is worth it."""
    enough = decisive(region.steps)
    if any(not each or any(one.is_known for one in each) for each in enough):
        return []
    found = [one for each in enough for one in each if one.is_known is None]
    texts = dict.fromkeys(printer.work(one.work, one.least) for one in found)
    if len(texts) == 1:
        return list(texts)
    return [f"({' || '.join(f'({text})' for text in texts)})"]


def _edit(
    region: Region,
    buffer: SourceBuffer,
    parts: Sequence[str],
    lines: Sequence[str],
    declared: Sequence[str] = (),
) -> Edit:
    span = region.span
    start = buffer.data.rfind(b"\n", 0, span.start) + 1
    before = buffer.data[start : span.start].decode("utf-8", "surrogateescape")
    indent = before if not before.strip() else before[: len(before) - len(before.lstrip())]
    source = region.otherwise
    if source is None:
        source = buffer.data[span.start : span.end].decode("utf-8", "surrogateescape")
    entries = ", ".join(dict.fromkeys(s.call.entry for s in region.steps if s.call is not None))
    condition = f" &&\n{indent}    ".join(parts)
    own = source if not source.startswith("#") else f"\n{source}"
    text = "\n".join(
        [
            f"/* s2s: {entries} */",
            *([f"{indent}{{"] if declared else []),
            *(f"{indent}{line}" for line in declared),
            f"{indent}if ({condition}) {{",
            *(f"{indent}    {line}" for line in lines),
            f"{indent}}} else {{",
            f"{indent}{own}" if not own.startswith("\n") else own.lstrip("\n"),
            f"{indent}}}",
            *([f"{indent}}}"] if declared else []),
        ]
    )
    return Edit(span.start, span.end, text.encode("utf-8", "surrogateescape"))
