"""s2s from Python: ``import s2s; result = s2s.transform("heat.c", flags=["-O2"])``.

Every function does what the command of its name does, by the same code, and gives data in place of
text: ``docs/python.md`` has the tour. What goes wrong is a ``UserError`` that knows where.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from s2s.cli import compile_commands, inputs
from s2s.cli.result_of import result_of
from s2s.driver import guarded
from s2s.driver.child import Limit, in_child
from s2s.driver.results import Result
from s2s.source.diagnostics import Diagnostic, Severity, UsageError, UserError
from s2s.source.spelling import did_you_mean
from s2s.targets import registry
from s2s.targets.source_options import SourceOptions

if TYPE_CHECKING:
    from s2s.cli.verify import Verdict
    from s2s.driver.options import Options, Outcome
    from s2s.targets.target import Target

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Simulation:
    """What a run on a simulated machine leaves: its words, all that was counted, its status."""

    machine: str
    text: str
    record: Mapping[str, Any] = field(default_factory=dict, repr=False)
    errors: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    status: int = 0


def transform(
    file: Path,
    *,
    text: str | bytes | None = None,
    flags: Sequence[str] = (),
    build_directory: Path | None = None,
    others: Sequence[Path] = (),
    target: str = "cpu",
    passes: Sequence[str] | None = None,
    parallel: bool = False,
    reassociate: bool = False,
    compiler: str | None = None,
    force: bool = False,
    check: bool = True,
    strict: bool = False,
    spacelimit: int = 0,
    happens_before: bool = True,
    sizes: Mapping[str, Sequence[int]] | None = None,
    parameters: Mapping[str, object] | None = None,
    generator: str = "",
    options: Mapping[str, object] | None = None,
    schedule: Mapping[str, Any] | Path | None = None,
    header: str = "",
    time_limit: int = Limit.processor,
) -> Result:
    """Transform a C file, or make C of Halide-like C++, as ``s2s transform`` does.

    ``text`` stands in for what is in the file (an editor's buffer). ``flags`` are the compiler's,
    ``build_directory`` has a compile_commands.json with more. ``others`` are the other files of the
    program. ``passes`` are names with options as in ``--passes``; the words that follow are the
    command's options of these names. ``sizes`` and ``parameters`` are those of ``--size`` and
    ``--param``; ``options`` are the target's own: ``{"unroll": 8}`` for ``--clockwork-unroll 8``.
    ``schedule`` is an order that is given in place of passes (docs/schedules.md), or a file with
    one. ``time_limit`` is in seconds of processor time.

    Nothing is written; ``Result.text`` is what came out. Raises UserError, or InternalError for a
    defect of s2s.
    """
    given = _Given(build_directory, tuple(flags))
    chosen = _Chosen(
        passes=None if passes is None else tuple(passes),
        parallel=parallel, reassociate=reassociate, force=force, check=check, strict=strict,
        spacelimit=spacelimit, happens_before=happens_before, header=header,
    )  # fmt: skip
    with _as_user_error():
        found = _driver_options(target, chosen, sizes, parameters, generator, options)
        found = replace(found, compiler=given.compiler(compiler, file), others=given.others(others))
        if schedule is not None:
            found = _with_schedule(found, schedule, passes)
        return _run(file, text, given, found, time_limit)


def explain(
    file: Path,
    *,
    line: int | None = None,
    text: str | bytes | None = None,
    flags: Sequence[str] = (),
    build_directory: Path | None = None,
    target: str = "cpu",
    passes: Sequence[str] | None = None,
    parallel: bool = False,
    reassociate: bool = False,
    sizes: Mapping[str, Sequence[int]] | None = None,
    parameters: Mapping[str, object] | None = None,
    generator: str = "",
    options: Mapping[str, object] | None = None,
    time_limit: int = Limit.processor,
) -> Result:
    """All regions of a file, also those that no pass would change, as ``s2s explain`` prints them.

    With ``line`` those of the function there. The arguments are those of ``transform``;
    ``Result.explanation`` is the command's text. Raises UserError.
    """
    given = _Given(build_directory, tuple(flags))
    chosen = _Chosen(
        passes=None if passes is None else tuple(passes),
        parallel=parallel, reassociate=reassociate, explain=True, line=line,
    )  # fmt: skip
    with _as_user_error():
        found = _driver_options(target, chosen, sizes, parameters, generator, options)
        found = replace(found, compiler=given.compiler(None, file))
        return _run(file, text, given, found, time_limit)


def verify(
    *files: Path,
    flags: Sequence[str] = ("-O2", "-fopenmp"),
    compiler: str = "gcc",
    threads: Sequence[int] = (1, 2, 3),
    runs: int = 1,
    timeout: float = 60.0,
    sanitize: str = "",
    arguments: Sequence[str] = (),
    passes: Sequence[str] | None = None,
    time_limit: int = Limit.processor,
) -> Verdict:
    """Run one program of some files as it is and transformed, and compare what both do.

    As ``s2s verify``: ``Verdict.outcome`` is ``same`` where nothing differs with any number of
    ``threads``, ``Verdict.changed`` says whether there was something to compare. ``timeout`` is
    seconds for a run; ``passes`` are those to verify, in place of the default ones.

    Raises UserError for files that are not there.
    """
    from s2s.cli.verify import Plan, check_files, judge
    from s2s.driver.child import clean_end

    plan = Plan(
        compiler, tuple(flags), tuple(threads), runs, timeout, sanitize, tuple(arguments),
        time_limit,
    )  # fmt: skip
    names = [os.fspath(file) for file in files]
    check_files(names, plan)
    with clean_end():
        return judge(names, plan, None if passes is None else _only(tuple(passes)))


def _only(passes: tuple[str, ...]) -> Callable[[str, Sequence[str], Options], Outcome]:
    """The driver with these passes. Raises UserError for what is none."""
    from s2s.driver import passes as known
    from s2s.driver.transform import transform_file

    for spec in passes:
        known.check(spec)
    return lambda path, flags, given: transform_file(path, flags, replace(given, passes=passes))


def simulate(
    file: Path,
    machine: str,
    arguments: Sequence[str] = (),
    *,
    time_limit: int = 600,
    **options: object,
) -> Simulation:
    """Run an emitted program on a simulated machine, as ``s2s simulate FILE --machine NAME``.

    ``options`` are those of the machine, with underscores: ``seed=3`` for ``--seed 3``, True for a
    switch; ``report`` and ``trace`` name files to write. ``Simulation.record`` is what ``--json``
    writes. Raises UserError.
    """
    import json

    from s2s.cli.simulate import read_options, write_pictures
    from s2s.simulators.machine import find_machine

    with _as_user_error():
        found = find_machine(machine)
        args = read_options(found, os.fspath(file), arguments, options)
        ran = in_child(lambda: _answer(lambda: found.run(args)), Limit(time_limit))
        if isinstance(ran, UserError | UsageError):
            raise ran
        if ran is None or isinstance(ran, Exception):
            raise UserError(_error(f"{os.fspath(file)}: the simulator failed: {ran}", machine))
        if ran.picture is not None:
            write_pictures(ran.picture, args)
    record: Mapping[str, Any] = {}
    with suppress(ValueError):
        record = json.loads(ran.record) if ran.record else {}
    return Simulation(machine, ran.text, record, ran.errors, tuple(ran.said), ran.status)


def tune(
    file: Path,
    *,
    flags: Sequence[str] = (),
    target: str = "cpu",
    passes: Sequence[str] | None = None,
    parallel: bool = False,
    compiler: str | None = None,
    sizes: Mapping[str, int] | None = None,
    budget: float = 120.0,
    cache: Path | None = None,
    build: str = "",
    run: str = "",
    options: Mapping[str, object] | None = None,
    time_limit: int = Limit.processor,
) -> Result:
    """Choose among passes, or among a target's mappings, by measuring: ``s2s transform --tune``.

    ``sizes`` are values of the regions' parameters to measure with; ``budget`` is seconds for the
    file; ``cache`` is where choices are remembered (the command's by default). With ``build`` and
    ``run``, shell commands with ``{}`` for the source and ``{dir}`` for a directory, the user's own
    program is timed. Raises UserError.
    """
    from s2s.tuning.measuring import Measuring
    from s2s.tuning.settings import Tuning, default_cache

    given = _Given(None, tuple(flags))
    chosen = _Chosen(passes=None if passes is None else tuple(passes), parallel=parallel)
    with _as_user_error():
        found = _driver_options(target, chosen, None, None, "", options)
        there = registry.find(target)
        if not (there.has_passes or there.searches):
            raise UsageError(f"'--target {target}' has nothing to choose by measuring")
        name = given.compiler(compiler, file)
        settings = Tuning(
            (name,), tuple(flags), default_cache() if cache is None else os.fspath(cache),
            dict(sizes or {}), budget, build, run,
        )  # fmt: skip
        found = replace(found, compiler=name, tune=Measuring(settings))
        return _run(file, None, given, found, time_limit)


# -- what the functions share --------------------------------------------------------------------


@dataclass(frozen=True)
class _Chosen:
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
class _Given:
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


def _driver_options(
    target: str,
    chosen: _Chosen,
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
    given = SourceOptions(
        tuple((name, tuple(extents)) for name, extents in (sizes or {}).items()),
        tuple((name, str(value)) for name, value in (parameters or {}).items()),
        generator,
    )
    own = _own_options(found, options or {})
    return replace(DEFAULTS, **values, target=target, given=given, of_target=own, record=True)


def _with_schedule(
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


def _own_options(target: Target, options: Mapping[str, object]) -> object:
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


def _run(
    file: Path, text: str | bytes | None, given: _Given, options: Options, seconds: int
) -> Result:
    """One file through the driver. Raises UserError, UsageError or InternalError."""
    name = os.fspath(file)
    flags = given.flags(name)
    with inputs.open_text(name, text, flags) as source:
        every = (*source.extra_flags, *flags)
        outcome = guarded.transform_named(source.path, name, every, options, seconds)
    return result_of(outcome, name, options.passes)


@contextmanager
def _as_user_error() -> Iterator[None]:
    """Errors of usage as the user's, and the place of either where tracebacks are shown."""
    try:
        yield
    except UsageError as error:
        raise UserError(_error(str(error), "usage")) from None
    except UserError as error:
        if error.location is not None:
            at = error.location
            error.add_note(f"at {at.path}:{at.line}:{at.column}")
        raise


def _error(text: str, kind: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, text, kind)


def _answer(work: Any) -> Any:
    """The value of work, or what it raises, in a form that goes through a pipe."""
    try:
        return work()
    except (UserError, UsageError) as error:
        return error
    except Exception as error:
        return RuntimeError(f"{type(error).__name__}: {error}")
