"""``--offload blas,onednn``: nests of a C file as calls of libraries on this machine.

The result is the file with calls where a guard holds and its own text elsewhere, the runtime that
calls the libraries, a Makefile that looks for them, and a manifest.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import takewhile, zip_longest
from pathlib import Path

from s2s.driver.libraries.deciding import Decision, Wish, decide
from s2s.driver.libraries.files import program_files, runtime_files, with_libraries
from s2s.driver.libraries.judged import Judged
from s2s.driver.libraries.macros import expand, invocation_at, unused
from s2s.driver.libraries.shares import count_nodes
from s2s.driver.operations import (
    Nest,
    factors,
    has_columns,
    has_products,
    read_nest,
    with_countdowns,
)
from s2s.driver.options import Options, Outcome
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.libraries.region import Region, emit
from s2s.emitters.libraries.values import NoText, Texts
from s2s.frontends.c.counting_whiles import WHILE
from s2s.frontends.c.own_statement import is_one_statement, makes_one_statement
from s2s.frontends.c.parse import parse_as_compiled
from s2s.frontends.c.regions import Attempt, Function, candidates, functions, inner_candidates
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.text import free_prefix
from s2s.frontends.c.typed.factors import numbers_for
from s2s.frontends.c.unit import Unit
from s2s.scop.operation import PRODUCTS, Operation, Recognised, Unrecognised
from s2s.scop.polynomial import Polynomial
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.flags import is_c90, may_reassociate
from s2s.source.records import dataclass

NAMES = ("blas", "onednn")
_FROM_MACRO = "its text comes from a macro"
INCLUDE = b'#include "s2s_libraries.h"\n'


def offload_to_libraries(
    buffer: SourceBuffer, flags: Sequence[str], libraries: Sequence[str], options: Options
) -> Outcome:
    """A program's nests on libraries. Raises UserError for what is no C."""
    unit, judged, text = _transformed(buffer, flags, libraries, options)
    explanation = "".join(explained(unit, judged)) if options.explain else ""
    said = () if options.explain else tuple(_remarks(unit, judged))
    files = (*runtime_files(), *program_files(buffer, unit, flags, judged))
    return Outcome(
        buffer.path, buffer.data, text, said, explanation, files,
        name=os.path.basename(buffer.path), read=tuple(sorted(unit.included)),
    )  # fmt: skip


def offload_the_rest(
    done: Outcome, flags: Sequence[str], libraries: Sequence[str], options: Options
) -> Outcome:
    """What devices have left of a program, on libraries; their own text is left alone."""
    with tempfile.TemporaryDirectory(prefix="s2s-rest-") as folder:
        for name, data in done.companions:
            if "/" not in name:
                Path(folder, name).write_bytes(data)
        home = os.path.dirname(os.path.abspath(done.path))
        buffer = SourceBuffer(done.path, done.text)
        every = [*flags, f"-I{folder}", f"-I{home}"]
        unit, judged, text = _transformed(buffer, every, libraries, options)
        explanation = "".join(explained(unit, judged)) if options.explain else ""
        said = (*done.diagnostics, *(() if options.explain else _remarks(unit, judged)))
    files = dict(done.companions)
    if any(j.edit is not None for j in judged):
        files["Makefile"] = with_libraries(files["Makefile"], judged)
        files |= dict(runtime_files())
    return replace(
        done, text=text, diagnostics=said, explanation=done.explanation + explanation,
        companions=tuple(files.items()),
    )  # fmt: skip


def _transformed(
    buffer: SourceBuffer, flags: Sequence[str], libraries: Sequence[str], options: Options
) -> tuple[Unit, list[Judged], bytes]:
    unit, judged = _judged(buffer, flags, libraries, options)
    back: list[Edit] = []
    written_out = expand(buffer, _macros(unit, judged), flags)
    if written_out is not None:
        unit, judged = _judged(written_out, flags, libraries, options)
        back = unused(written_out, [j.edit for j in judged if j.edit is not None])
    edits = [j.edit for j in judged if j.edit is not None]
    if not edits:
        return unit, judged, buffer.data
    return unit, judged, INCLUDE + apply_edits(unit.buffer.data, sorted([*edits, *back]))


def _judged(
    buffer: SourceBuffer, flags: Sequence[str], libraries: Sequence[str], options: Options
) -> tuple[Unit, list[Judged]]:
    unit = parse_as_compiled(buffer, flags, on_disk=False)
    if unit.errors:
        raise UserError(*unit.errors[:1])
    wish = Wish(tuple(libraries), options.force, may_reassociate(flags))
    return unit, list(Work(unit, wish).run())


def _macros(unit: Unit, judged: Sequence[Judged]) -> set[Span]:
    """The uses of macros that nests come from which multiply and accumulate."""
    found = set()
    for one in judged:
        (nest, *_) = one.nest.attempt.statements
        begins = unit.buffer.data[nest.span.start : nest.span.start + 2] in (b"fo", b"wh", b"do")
        if one.edit is None and not begins and _multiplies(nest):
            use = invocation_at(unit.buffer, nest.span.start)
            found |= {use} if use is not None else set()
    return found


def _multiplies(nest: Node) -> bool:
    """Whether products are added up somewhere."""
    return any(
        n.op in ("+=", "-=", "=") and any(m.op == "*" and len(m.children) == 2 for m in n.walk())
        for n in nest.walk()
    )


def _remarks(unit: Unit, judged: Sequence[Judged]) -> Iterator[Diagnostic]:
    """What went to libraries, and of the outermost nests of which nothing did why."""
    for place, one in enumerate(judged):
        if one.edit is not None:
            yield _remark(unit, one)
        elif one.depth == 0:
            inner = takewhile(lambda j: j.depth > 0, judged[place + 1 :])
            if all(j.edit is None for j in inner):
                yield _remark(unit, one)


@dataclass
class Work:
    """Goes through the nests of a file, from outside."""

    unit: Unit
    wish: Wish
    _prefix: str = field(init=False)
    _own: str = field(init=False)

    def __post_init__(self) -> None:
        self._prefix = free_prefix(self.unit.buffer.data)
        names = {f.node.name for f in functions(self.unit, every=True)}
        self._own = min(names & _MATHEMATICAL, default="")

    def run(self) -> Iterator[Judged]:
        for found in functions(self.unit, every=True):
            function = with_countdowns(found.with_counted_whiles())
            yield from self._judge_each(function, list(candidates(function)), 0)

    def _judge_each(
        self, function: Function, attempts: Sequence[Attempt], depth: int
    ) -> Iterator[Judged]:
        """Nests one after the other; two of them as one where they are one operation."""
        done: Attempt | None = None
        for attempt, following in zip_longest(attempts, attempts[1:]):
            if attempt is done:
                continue
            pair = self._pair(function, attempt, following)
            if pair is not None:
                nest = read_nest(function, pair)
                decision, edit = self._decided(nest, depth)
                if edit is not None:
                    yield Judged(nest, decision, edit, depth)
                    done = following
                    continue
            yield from self._judge(function, attempt, depth)

    def _pair(self, function: Function, one: Attempt, other: Attempt | None) -> Attempt | None:
        """Two nests as one, if only spaces and comments are between them."""
        if other is None or one.directives or other.directives:
            return None
        first, second = one.statements[0], other.statements[0]
        if not has_columns(function, first, second):
            return None
        return function.attempt([first, second])

    def _judge(self, function: Function, attempt: Attempt, depth: int) -> Iterator[Judged]:
        nest = read_nest(function, attempt)
        decision, edit = self._decided(nest, depth)
        if isinstance(nest.found, Unrecognised):
            nest, decision, edit = self._otherwise_read(nest, depth) or (nest, decision, edit)
        yield Judged(nest, decision, edit, depth)
        if edit is None:
            yield from self._judge_each(function, list(inner_candidates(attempt)), depth + 1)

    def _otherwise_read(self, nest: Nest, depth: int) -> tuple[Nest, Decision, Edit] | None:
        """A nest that is operators where products have names, or where its strides are numbers.

        Each of these numbers is asked for in turn.
        """
        if has_products(nest.function, nest.attempt):
            one = read_nest(nest.function, nest.attempt, named=True)
            decision, edit = self._decided(one, depth)
            if edit is not None:
                return one, decision, edit
        found: tuple[Nest, Decision, Edit] | None = None
        texts = factors(nest.function, nest.attempt)
        for numbers in reversed(list(numbers_for(texts))):
            one = read_nest(nest.function, nest.attempt, numbers)
            decision, edit = self._decided(one, depth, found[2].text.decode() if found else None)
            found = (one, decision, edit) if edit is not None else found
        return found

    def _decided(
        self, nest: Nest, depth: int, otherwise: str | None = None
    ) -> tuple[Decision, Edit | None]:
        """What is done with a nest; ``otherwise`` is what runs where that cannot be done."""
        if isinstance(nest.found, Unrecognised):
            return Decision((), nest.found.reason), None
        operations = nest.found.operations
        if self._own and any(one.function in _EXPONENTIAL for one in operations):
            return Decision((), f"'{self._own}' is the program's own"), None
        decision = decide(operations, self.wish, inner=depth > 0)
        if not decision.is_taken:
            return decision, None
        if _ENTRIES.fullmatch(nest.name):
            return Decision((), f"'{nest.name}' would call itself"), None
        if not self._is_own(nest):
            return Decision((), _FROM_MACRO, decision.offers), None
        if nest.attempt.lifter.in_team:
            return Decision((), "a team that is formed elsewhere shares the loop"), None
        try:
            return decision, self._edit(nest, decision, otherwise)
        except (Unprintable, NoText) as error:
            return Decision((), str(error), decision.offers), None

    def _is_own(self, nest: Nest) -> bool:
        """Whether a nest's text is the nest and nothing else, and nothing that a macro makes."""
        statements = nest.attempt.statements
        ends = [*(s.span.start for s in statements[1:]), nest.attempt.whole.end]
        return not any(s.in_macro for s in statements) and all(
            self._is_whole(statement, end) for statement, end in zip(statements, ends, strict=True)
        )

    def _is_whole(self, statement: Node, end: int) -> bool:
        """Whether the text of a loop is that loop alone, up to an end."""
        start, buffer, macros = statement.span.start, self.unit.buffer, self.unit.macros
        if WHILE in statement.parts:  # an assignment stands before it
            loop = statement.parts[WHILE].span.start
            if not makes_one_statement(buffer.text(Span(start, loop)), macros):
                return False
            start = loop
        return is_one_statement(buffer.text(Span(start, end)), macros)

    def _edit(self, nest: Nest, decision: Decision, otherwise: str | None = None) -> Edit:
        import islpy as isl

        assert nest.scop is not None and isinstance(nest.found, Recognised)
        running = isl.Set(nest.found.assumptions)
        scop = replace(nest.scop, assumptions=running)
        whole = nest.attempt.whole
        more = (nest.finals, nest.needs, nest.optional, otherwise)
        region = Region(scop, nest.found, decision.steps, whole, *more)
        return emit(region, self.unit.buffer, self._prefix, c90=is_c90(self.unit.flags))


_MATHEMATICAL = frozenset({"expf", "tanhf"})
_EXPONENTIAL = frozenset({"softmax", "exp", "tanh", "logistic"})

_ENTRIES = re.compile(
    r"(cblas_|s2s_)?[sdcz](gemm|gemv|ger|dot|axpy|scal|syrk|syr2k)_?|dnnl_\w+|s2s_\w+"
)
"""Names of what is called, in C and in Fortran: their own bodies have to stay loops."""


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
    text = f"{what}: by {', '.join(entries)}{_bound(judged)}"
    return Diagnostic(Severity.REMARK, text, "offload", place)


def _bound(judged: Judged) -> str:
    """What may change in floating point: the order of sums."""
    products = [
        step.operation
        for step in judged.decision.steps
        if step.call is not None
        and step.operation.kind in PRODUCTS
        and step.operation.output.type.is_float
    ]
    texts = [Texts(op.spellings).size(_terms(op)).replace("(long)", "") for op in products]
    sums = [text for text in texts if text != "1"]
    if not sums:
        return ""
    return (
        f" (sums of {', '.join(dict.fromkeys(sums))} terms in another order: each may differ by"
        " 2 * terms * epsilon * the sum of its products' absolute values)"
    )


def _terms(operation: Operation) -> Polynomial:
    """How many products a sum has."""
    found = Polynomial.integer(1)
    for dim in operation.dims:
        if dim.reduction:
            found = found * dim.extent
    return found


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
        if one.edit is None and isinstance(one.nest.found, Unrecognised):
            at = unit.buffer.location(one.nest.found.where)
            reason += f" (line {at.line})" if at.line != place.line else ""
        asked = f" ({offers})" if offers else ""
        yield (
            f"{place.path}:{place.line}-{place.end_line}: {one.nest.name}: {describe(one.nest)}"
            f" -> {taken}{reason}{asked}\n"
        )
    taken_products, products = _products(judged)
    if products:
        share = f"{taken_products} of {products} operations that multiply and accumulate"
        nodes = count_nodes(judged)
        every = f"{nodes.taken} of {nodes.all} operations ({100 * nodes.taken / nodes.all:.0f} %)"
        yield f"{unit.buffer.path}: {every}, {share} are on libraries\n"


def _products(judged: Sequence[Judged]) -> tuple[int, int]:
    """Operations that multiply, of the outermost nests that are operators: taken, and in all."""
    taken = every = 0
    inside: int | None = None
    for one in judged:
        if inside is not None and one.depth > inside and one.edit is None:
            continue
        inside = None
        if isinstance(one.nest.found, Recognised):
            inside = one.depth
            count = sum(op.kind in PRODUCTS for op in one.nest.found.operations)
            every += count
            taken += count if one.edit is not None else 0
    return taken, every
