"""Functions of C as nests over tensors, and which one of a file's functions is meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from s2s.driver.options import Options, Outcome
from s2s.net.source import OfFunction
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Severity, UsageError, UserError
from s2s.source.records import dataclass
from s2s.targets.forms import NestProgram

if TYPE_CHECKING:
    from s2s.frontends.c.syntax import Node
    from s2s.frontends.c.unit import Unit
    from s2s.scop.nest import Nest
    from s2s.targets.request import Output, Request
    from s2s.targets.source_options import SourceOptions
    from s2s.targets.target import Nests

T = TypeVar("T")


@dataclass(frozen=True)
class Words:
    """How errors name what is looked for: their id, and what one function and several are."""

    id: str
    one: str = "loop nest"
    several: str = "loop nests"


def transform(way: Nests, request: Request, options: Options) -> Outcome:
    """What a target makes of the file's only function that has a nest.

    Raises UserError for what is refused, Mismatch for a wrong result.
    """
    buffer, words = request.buffer, Words(options.target)

    def take(program: NestProgram, node: Node) -> tuple[NestProgram, Output]:
        return program, way.emit(program, request)

    program, output = only_function(buffer, request.flags, request.given, words, take)
    checked = output.check(options.check)
    if options.explain:
        from s2s.driver.explain.c_nest import explained

        text = explained(program, checked.words) + output.explanation
        output = replace(output, explanation=text)
    return Outcome.of(buffer, output, checked)


def only_function(
    buffer: SourceBuffer,
    flags: Sequence[str],
    given: SourceOptions,
    words: Words,
    take: Callable[[NestProgram, Node], T],
    check: Callable[[Node], None] = lambda node: None,
) -> T:
    """What is taken of a file's only function of which a nest is.

    ``take`` raises UserError or NotATensorNest for what it refuses, ``check`` the latter for what
    is not worth lifting, which takes long. Functions that another one of those calls are parts of
    that one. Raises UserError where there is no function, or several, with the reasons, and
    UsageError for sizes of what is no integer there.
    """

    def taken(function: OfFunction) -> T:
        return _taken(function, words, take, check)

    return only(buffer, flags, given, words, taken)


def only(
    buffer: SourceBuffer,
    flags: Sequence[str],
    given: SourceOptions,
    words: Words,
    taken: Callable[[OfFunction], T],
) -> T:
    """What is ``taken`` of a file's only function of which something is. Raises UserError."""
    from s2s.frontends.c.parse import parse_as_compiled
    from s2s.frontends.c.typed import functions_with_loops

    unit = parse_as_compiled(buffer, flags)
    if unit.errors:
        raise UserError(*unit.errors[:1])
    functions = dict(functions_with_loops(unit))
    numbers = _numbers(given, functions.values())
    refused: dict[str, tuple[Diagnostic, ...]] = {}
    found: dict[str, T] = {}
    for name, node in functions.items():
        if given.generator in ("", name):
            function = OfFunction(unit, name, node, numbers)
            try:
                found[name] = taken(function)
            except UserError as error:
                refused[name] = error.diagnostics
    inner = _called_by_others(unit, list(found)) if len(found) > 1 else set()
    outer = {name: one for name, one in found.items() if name not in inner} or found
    if len(outer) == 1:
        return next(iter(outer.values()))
    if outer:
        text = f"several functions are {words.several}: {', '.join(outer)}"
        raise UserError(_error(buffer, f"{text}; --generator NAME picks one", None, words))
    if not refused:
        raise UserError(_error(buffer, "no function with a loop nest", None, words))
    parts = _called_by_others(unit, list(refused))
    raise UserError(*(one for name, said in refused.items() if name not in parts for one in said))


def _numbers(given: SourceOptions, functions: Iterable[Node]) -> dict[str, int]:
    """The values of integers that the user gave. Raises UsageError for those of anything else."""
    declared: dict[str, set[str]] = {}
    for function in functions:
        for node in function.walk():
            if node.decl is not None and node.kind in _VALUES:
                for name in _names(node):
                    declared.setdefault(name, set()).add(node.decl.type.kind)
    found: dict[str, int] = {}
    said = [("size", name, sizes[0] if len(sizes) == 1 else None) for name, sizes in given.sizes]
    said += [("param", name, _integer(value)) for name, value in given.parameters]
    for option, name, value in said:
        why = "is no variable of a function with loops"
        if name in declared:
            why = "is one integer" if "int" in declared[name] else "is no integer"
        if value is None or "int" not in declared.get(name, ()):
            text = f"--{option}: '{name}' {why}"
            raise UsageError(text)
        found[name] = value
    return found


_VALUES = frozenset({"PARM_DECL", "VAR_DECL", "MEMBER_REF_EXPR"})


def _names(node: Node) -> Iterator[str]:
    """The names by which the user may call a value: ``width``, ``l.width``."""
    if node.kind == "MEMBER_REF_EXPR":
        from s2s.frontends.c.members import member_path

        path, _ = member_path(node)
        yield from (".".join(path[k:]) for k in range(len(path)))
    elif node.decl is not None:
        yield node.decl.name


def _integer(text: str) -> int | None:
    return int(text) if text.removeprefix("-").isdecimal() else None


def _taken(
    function: OfFunction,
    words: Words,
    take: Callable[[NestProgram, Node], T],
    check: Callable[[Node], None],
) -> T:
    """What is taken of the nest of a function. Raises UserError."""
    from s2s.frontends.c.typed import NotATensorNest
    from s2s.frontends.c.typed.region import region_nest

    name, node, unit = function.name, function.node, function.unit
    try:
        check(node)
        return take(_program(function, region_nest(name, unit, function.numbers)), node)
    except NotATensorNest as error:
        text = f"no {words.one} for '{name}': {error.reason}"
        raise UserError(_error(unit.buffer, text, error.span, words)) from None


def _program(function: OfFunction, nest: Nest) -> NestProgram:
    place = function.unit.buffer.place(function.node.span)
    return NestProgram(nest, f"function {function.name}", place, function)


def _called_by_others(unit: Unit, names: Sequence[str]) -> set[str]:
    """Those of some functions that others of them call: parts of these."""
    from s2s.frontends.c.typed import called_names, functions_with_loops

    known = {name: called_names(node) for name, node in functions_with_loops(unit)}
    found: set[str] = set()
    for name in names:
        todo, seen = [name], {name}
        while todo:
            for called in known.get(todo.pop(), set()) - seen:
                seen.add(called)
                todo.append(called)
        found |= seen - {name}
    return found


def _error(buffer: SourceBuffer, text: str, at: Span | None, words: Words) -> Diagnostic:
    return Diagnostic(Severity.ERROR, text, words.id, buffer.place(at))
