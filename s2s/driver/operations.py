"""The operators of a C file: each outermost nest as operations, or why not and then what is inside.

``operations_of`` walks over the functions in the order of the source. What it yields is what
offloading, ``explain`` and the partition look at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from s2s.frontends.c.regions import Attempt, Function, candidates, functions, inner_candidates
from s2s.frontends.c.unit import Unit
from s2s.scop.operation import Recognised, Unrecognised
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.frontends.c.syntax import Decl, Node
    from s2s.scop.nodes import Scop


@dataclass(frozen=True)
class Nest:
    """A nest of a function and what it is; ``scop`` is None where it was not lifted.

    ``finals``, ``needs`` and ``optional`` are those of ``Lifted``.
    """

    function: Function
    attempt: Attempt
    found: Recognised | Unrecognised
    scop: Scop | None = None
    finals: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.node.name


def operations_of(unit: Unit) -> Iterator[Nest]:
    """The nests of a file; of one that is no operator as a whole also those inside."""
    for function in functions(unit, every=True):
        for attempt in candidates(function):
            yield from _nests(function, attempt)


def _nests(function: Function, attempt: Attempt) -> Iterator[Nest]:
    nest = read_nest(function, attempt)
    yield nest
    if isinstance(nest.found, Unrecognised):
        for inner in inner_candidates(attempt):
            yield from _nests(function, inner)


def read_nest(
    function: Function,
    attempt: Attempt,
    numbers: Mapping[str, int] = MappingProxyType({}),
    *,
    named: bool = False,
) -> Nest:
    """What one nest computes; ``numbers``: what the program asks factors of counters to be.

    ``named``: products that stay what they are and are added to subscripts count as one number.
    """
    import islpy as isl

    from s2s.analyses.operators.recognise import recognise
    from s2s.frontends.c.not_liftable import NotLiftable
    from s2s.scop.budget import budget

    try:
        with budget():
            lifted = lift_separate(function, attempt, numbers, named=named)
            found = recognise(lifted.scop, function.node.name)
            more = (lifted.finals, lifted.needs, lifted.optional)
            return Nest(function, attempt, found, lifted.scop, *more)
    except NotLiftable as error:
        return Nest(function, attempt, Unrecognised(error.reason, error.span))
    except isl.Error as error:
        return Nest(function, attempt, Unrecognised(f"given up: {error}", attempt.span))


@dataclass(frozen=True)
class Lifted:
    """A SCoP in which each assignment is a statement with a typed store.

    ``finals``: C statements that set what the nest's pointers and counters hold after it.
    ``needs``: conditions in C under which calls by pointers only compute values. ``optional``:
    pointers that may be null, in which case nothing is stored by them.
    """

    scop: Scop
    finals: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()


def lift_separate(
    function: Function,
    attempt: Attempt,
    numbers: Mapping[str, int] = MappingProxyType({}),
    *,
    named: bool = False,
) -> Lifted:
    """A nest, lifted, with ``numbers`` for some of its factors. Raises NotLiftable."""
    from s2s.frontends.c.assemble import Assembler
    from s2s.frontends.c.harmless import KnownCalls, pointers_called
    from s2s.frontends.c.typed.constants import with_constants_written_out
    from s2s.frontends.c.typed.definitions import Definitions
    from s2s.frontends.c.typed.desugar import with_continues_taken, with_single_declarations
    from s2s.frontends.c.typed.factors import with_numbers, with_products_named
    from s2s.frontends.c.typed.helpers import with_helpers_written_out
    from s2s.frontends.c.typed.induction import with_induction_substituted
    from s2s.frontends.c.typed.lanes import with_lanes_outside
    from s2s.frontends.c.typed.loops_from_zero import with_loops_from_zero
    from s2s.frontends.c.typed.nodes import with_replaced
    from s2s.frontends.c.typed.null_tests import with_null_tests_taken
    from s2s.frontends.c.typed.pointers import with_pointers_written_out
    from s2s.frontends.c.typed.tests import with_choices_as_values, with_tests_in_one_form
    from s2s.frontends.c.typed.views import with_views_named

    function = _with_values_inlined(function)
    definition = Definitions(function.unit, as_written=True)
    function, statement = _with_columns_read(function, attempt)
    asked = with_numbers(statement, numbers, _spelled(function)) if numbers else statement
    if named:
        asked = with_products_named(asked, function.facts, _spelled(function))
    counted = with_constants_written_out(asked, function.node, function.facts)
    counted = with_loops_from_zero(counted, function.facts)
    counted, multiples = with_lanes_outside(counted, function.facts)
    whole, statement = with_replaced(function.node, statement, counted), counted
    nest = with_helpers_written_out(statement, function.facts, definition)
    nest = with_tests_in_one_form(nest, function.facts)
    whole = with_replaced(whole, statement, nest)
    whole = with_pointers_written_out(with_single_declarations(whole), function.facts)
    nest = _same(whole, statement)
    taken = with_continues_taken(nest)
    whole, nest = with_replaced(whole, nest, taken), taken
    taken, optional = with_null_tests_taken(nest)
    taken = with_choices_as_values(taken)
    whole, nest = with_replaced(whole, nest, taken), taken
    text = attempt.lifter.affine.text
    taken = with_views_named(nest, function.facts, text)
    whole, nest = with_replaced(whole, nest, taken), taken
    whole, nest, finals = with_induction_substituted(whole, nest, function.facts)
    plain = function.attempt([nest])
    plain.lifter.texts = False
    harmless = function.unit.harmless
    pointers = dict(pointers_called(nest, harmless, text))
    plain.lifter.calls = KnownCalls(function.calls, harmless, pointers, text)
    assembler = Assembler(plain.lifter, plain.raw(), whole, separate=True, texts=False, rows=True)
    scop = assembler.run()
    assembler.typed_leaves.definition = Definitions(function.unit)
    needs = tuple(
        f"({' || '.join(f'{pointer} == {name}' for name in names)})"
        for pointer, names in pointers.items()
    )
    whole_steps = tuple(
        f"(({function.unit.buffer.text(m.limit.span)}) % {m.by} == 0)" for m in multiples
    )
    chosen = tuple(f"{text} == {value}" for text, value in numbers.items())
    return Lifted(scop, finals, (*chosen, *needs, *whole_steps), optional)


def with_countdowns(function: Function) -> Function:
    """A function in which loops that count their length down count up."""
    from s2s.frontends.c.typed.countdowns import with_countdowns_counted

    node = with_countdowns_counted(function.node)
    return function if node is function.node else replace(function, node=node)


def factors(function: Function, attempt: Attempt) -> list[str]:
    """What multiplies counters of a nest and is no number, in C."""
    from s2s.frontends.c.typed.factors import factors_of

    if len(attempt.statements) != 1:
        return []
    return factors_of(attempt.statements[0], function.facts, _spelled(function))


def has_products(function: Function, attempt: Attempt) -> bool:
    """Whether a nest is another one where products that are added have names."""
    from s2s.frontends.c.typed.factors import with_products_named

    every = (with_products_named(s, function.facts, _spelled(function)) for s in attempt.statements)
    return any(a is not b for a, b in zip(every, attempt.statements, strict=True))


def _spelled(function: Function) -> Callable[[Node], str]:
    """The text of a node without spaces."""
    buffer = function.unit.buffer
    return lambda node: "".join(buffer.text(node.span).split())


def _with_values_inlined(function: Function) -> Function:
    """A function without calls of those that assign to variables of their own to make a value."""
    from s2s.frontends.c.typed.definitions import Definitions
    from s2s.frontends.c.typed.errors import NotATensorNest
    from s2s.frontends.c.typed.inlining import inlined
    from s2s.frontends.c.typed.scope import written_arrays

    known = Definitions(function.unit, as_written=True)

    def definition(decl: Decl) -> Node | None:
        found = known(decl)
        if found is None or any(node.is_loop for node in found.walk()):
            return None
        own = {n.decl for n in found.walk() if n.kind in ("PARM_DECL", "VAR_DECL")}
        written = written_arrays(found)
        is_value = all(d in own and d.type.kind in ("int", "float") for d in written)
        return found if is_value else None

    try:
        body = inlined(function.body, definition)
    except NotATensorNest:
        return function
    whole = function.node.with_children([*function.node.children[:-1], body])
    return function if whole is function.node else replace(function, node=whole)


def has_columns(function: Function, first: Node, second: Node) -> bool:
    """Whether the second of two loops reads windows that the first one copies, and no one else."""
    from s2s.frontends.c.typed.columns import Columns

    if first.kind != "FOR_STMT" or second.kind != "FOR_STMT":
        return False
    if "CALL_EXPR" in first.kinds:
        function = _with_values_inlined(function)
    columns = Columns(function.node, function.facts, function.unit.buffer)
    fill, use = (_same(function.node, node) for node in (first, second))
    return columns.as_one(fill, use) is not None


def _with_columns_read(function: Function, attempt: Attempt) -> tuple[Function, Node]:
    """A function in which an attempt's loops, or loops in it, read what others have copied.

    Raises NotLiftable where there are two that are not one.
    """
    from s2s.frontends.c.not_liftable import NotLiftable
    from s2s.frontends.c.typed.columns import Columns
    from s2s.frontends.c.typed.nodes import block, with_replaced

    columns = Columns(function.node, function.facts, function.unit.buffer)
    first, *others = [_same(function.node, s) for s in attempt.statements]
    if not others:
        made: Node | None = columns.without(first)
        last = first
    else:
        (last,) = others
        made = columns.as_one(first, last)
    if made is None:
        raise NotLiftable(attempt.span, "two loops of which the second one does not read windows")
    if made is last:
        return function, made
    node = with_replaced(function.node, last, made)
    if others:
        node = with_replaced(node, first, block([], first.span))
    return replace(function, node=node), made


def _same(whole: Node, statement: Node) -> Node:
    """A statement in a function that was rebuilt; liveness looks for it there."""
    found = (n for n in whole.walk() if n.span == statement.span and n.kind == statement.kind)
    return next(found, statement)
