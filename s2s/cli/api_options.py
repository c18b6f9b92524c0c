"""The options of the driver from the arguments of ``s2s.transform`` and its neighbours."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from s2s.cli import compile_commands
from s2s.source.diagnostics import Diagnostic, Severity, UsageError, UserError
from s2s.source.records import dataclass
from s2s.source.spelling import did_you_mean
from s2s.targets import registry
from s2s.targets.source_options import SourceOptions

if TYPE_CHECKING:
    from s2s.driver.options import Options
    from s2s.targets.target import Target

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Chosen:
    """Options of the driver that the caller has given."""

    passes: tuple[str, ...] | None = None
    parallel: bool = False
    reassociate: bool = False
    force: bool = False
    check: bool = True
    strict: bool = False
    spacelimit: int = 0
    happens_before: bool = True
    explain: bool = False
    line: int | None = None
    header: str = ""


@dataclass(frozen=True)
class Flags:
    """Where the compiler's flags come from."""

    build_directory: Path | None
    own: tuple[str, ...]

    def flags(self, file: Path) -> tuple[str, ...]:
        given = tuple(compile_commands.source_flags(self.own))
        if self.build_directory is None:
            return given
        known = compile_commands.flags_for(os.fspath(self.build_directory), os.fspath(file))
        return (*known, *given)

    def compiler(self, chosen: str | None, file: Path) -> str:
        if chosen is not None or self.build_directory is None:
            return chosen or "gcc"
        name = os.fspath(self.build_directory)
        return compile_commands.compiler_for(name, os.fspath(file))

    def others(self, files: Sequence[Path]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return tuple((os.fspath(file), self.flags(file)) for file in files)


def driver_options(
    target: str,
    chosen: Chosen,
    sizes: Mapping[str, Sequence[int]] | None,
    parameters: Mapping[str, object] | None,
    generator: str,
    options: Mapping[str, object] | None,
) -> Options:
    """The driver's options. Raises UserError or UsageError for what has no effect or no meaning."""
    from s2s.driver import passes
    from s2s.driver.options import DEFAULTS

    found = registry.find(target)
    if not found.has_passes and chosen.passes is not None:
        raise UsageError(f"target '{target}' has no passes to choose from")
    for spec in chosen.passes or ():
        passes.check(spec)
    values = {one.name: getattr(chosen, one.name) for one in fields(chosen)}
    if chosen.passes is None:
        del values["passes"]
    given = source_options(sizes, parameters, generator)
    own = own_options(found, options or {})
    return replace(DEFAULTS, **values, target=target, given=given, of_target=own, record=True)


def source_options(
    sizes: Mapping[str, Sequence[int]] | None,
    parameters: Mapping[str, object] | None,
    generator: str = "",
) -> SourceOptions:
    """What is said of a source in Halide-like C++."""
    return SourceOptions(
        tuple((name, tuple(extents)) for name, extents in (sizes or {}).items()),
        tuple((name, str(value)) for name, value in (parameters or {}).items()),
        generator,
    )


def with_schedule(
    found: Options, schedule: Mapping[str, Any] | Path, passes: Sequence[str] | None
) -> Options:
    """The driver's options with an order in place of passes. Raises UserError or UsageError."""
    from s2s.driver.given_schedule import read_schedule, schedule_of

    if passes is not None or not registry.find(found.target).has_passes:
        raise UsageError("a schedule has no effect with passes, or for another target than C's")
    if isinstance(schedule, Mapping):
        given = schedule_of(schedule)
    else:
        given = read_schedule(os.fspath(schedule))
    return replace(found, schedule=given, passes=given.passes)


def own_options(target: Target, options: Mapping[str, object]) -> object:
    """The target's own options. Raises UsageError."""
    if target.options is None:
        if options:
            raise UsageError(f"target '{target.name}' has no option '{next(iter(options))}'")
        return None
    known = {one.name: one for one in fields(target.options)}
    values = {}
    for name, value in options.items():
        if name not in known:
            hint = did_you_mean(name, known)
            raise UsageError(f"target '{target.name}' has no option '{name}'{hint}")
        parse = known[name].metadata.get("parse")
        try:
            values[name] = parse(value) if parse is not None and isinstance(value, str) else value
        except ValueError as error:
            raise UsageError(f"option '{name}' of target '{target.name}': {error}") from None
    return target.options(**values)


@contextmanager
def as_user_error() -> Iterator[None]:
    """Errors of usage as the user's, and the place of either where tracebacks are shown."""
    try:
        yield
    except UsageError as error:
        raise UserError(as_error(str(error), "usage")) from None
    except UserError as error:
        if error.location is not None:
            at = error.location
            error.add_note(f"at {at.path}:{at.line}:{at.column}")
        raise


def as_error(text: str, kind: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, text, kind)
