"""s2s from Python: ``import s2s; result = s2s.transform("heat.c", flags=["-O2"])``.

Every function does what the command of its name does, by the same code, and gives data in place of
text: ``docs/python.md`` has the tour. What goes wrong is a ``UserError`` that knows where.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal, overload

from s2s.cli import inputs
from s2s.cli.api_options import (
    Chosen,
    Flags,
    as_error,
    as_user_error,
    driver_options,
    with_schedule,
)
from s2s.cli.result_of import result_of
from s2s.driver import guarded
from s2s.driver.child import Limit, in_child
from s2s.driver.results import Result
from s2s.source.diagnostics import Diagnostic, UsageError, UserError
from s2s.source.records import dataclass
from s2s.targets import registry

if TYPE_CHECKING:
    from s2s.cli.verify import Verdict
    from s2s.driver.options import Options, Outcome
    from s2s.tuning.results import Designs, Mappings

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
    given = Flags(build_directory, tuple(flags))
    chosen = Chosen(
        passes=None if passes is None else tuple(passes),
        parallel=parallel, reassociate=reassociate, force=force, check=check, strict=strict,
        spacelimit=spacelimit, happens_before=happens_before, header=header,
    )  # fmt: skip
    with as_user_error():
        found = driver_options(target, chosen, sizes, parameters, generator, options)
        found = replace(found, compiler=given.compiler(compiler, file), others=given.others(others))
        if schedule is not None:
            found = with_schedule(found, schedule, passes)
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

    With ``line`` those around that line. The arguments are those of ``transform``;
    ``Result.explanation`` is the command's text. Raises UserError.
    """
    given = Flags(build_directory, tuple(flags))
    chosen = Chosen(
        passes=None if passes is None else tuple(passes),
        parallel=parallel, reassociate=reassociate, explain=True, line=line,
    )  # fmt: skip
    with as_user_error():
        found = driver_options(target, chosen, sizes, parameters, generator, options)
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
    from s2s.cli.verify import check_files, judge
    from s2s.cli.verify_runs import Plan
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

    with as_user_error():
        found = find_machine(machine)
        args = read_options(found, os.fspath(file), arguments, options)
        ran = in_child(lambda: _answer(lambda: found.run(args)), Limit(time_limit))
        if isinstance(ran, UserError | UsageError):
            raise ran
        if ran is None or isinstance(ran, Exception):
            raise UserError(as_error(f"{os.fspath(file)}: the simulator failed: {ran}", machine))
        if ran.picture is not None:
            write_pictures(ran.picture, args)
    record: Mapping[str, Any] = {}
    with suppress(ValueError):
        record = json.loads(ran.record) if ran.record else {}
    return Simulation(machine, ran.text, record, ran.errors, tuple(ran.said), ran.status)


@overload
def tune(
    file: Path,
    *,
    target: Literal["clockwork"],
    flags: Sequence[str] = ...,
    sizes: Mapping[str, Sequence[int]] | None = ...,
    parameters: Mapping[str, object] | None = ...,
    generator: str = ...,
    limits: Mapping[str, int] | None = ...,
    memory: str = ...,
    effort: int | None = ...,
    budget: float | None = ...,
    jobs: int = ...,
    cache: Path | None = ...,
) -> Designs: ...
@overload
def tune(
    file: Path,
    *,
    target: Literal["spatial"],
    machine: str = ...,
    layer: str | None = ...,
    flags: Sequence[str] = ...,
    sizes: Mapping[str, Sequence[int]] | None = ...,
    parameters: Mapping[str, object] | None = ...,
    generator: str = ...,
    objective: Literal["runtime", "energy", "edp"] = ...,
    fixes: Sequence[str] = ...,
    style: str = ...,
    dividing: bool = ...,
    decoupled: bool = ...,
    model: str = ...,
    effort: int | None = ...,
    jobs: int = ...,
    scheduler: str = ...,
    cache: Path | None = ...,
) -> Mappings: ...
@overload
def tune(
    file: Path,
    *,
    target: Literal["cpu", "aie"] = ...,
    flags: Sequence[str] = ...,
    passes: Sequence[str] | None = ...,
    parallel: bool = ...,
    compiler: str | None = ...,
    sizes: Mapping[str, int] | None = ...,
    budget: float = ...,
    cache: Path | None = ...,
    build: str = ...,
    run: str = ...,
    options: Mapping[str, object] | None = ...,
    time_limit: int = ...,
) -> Result: ...
@overload
def tune(file: Path, *, target: str, **options: Any) -> Result | Designs | Mappings: ...
def tune(file: Path, *, target: str = "cpu", **options: Any) -> Result | Designs | Mappings:
    """Search for what is fastest by measuring or simulating, in the way of the target.

    ``cpu`` and ``aie`` choose among passes or mappings, as ``s2s transform --tune``: ``passes``,
    ``parallel``, ``compiler``, ``flags`` and ``options`` are those of ``transform``; ``sizes`` are
    values of the regions' parameters to measure with, ``budget`` is seconds for the file. With
    ``build`` and ``run``, shell commands with ``{}`` for the source and ``{dir}`` for a directory,
    the user's own program is timed. Gives a ``Result``.

    ``clockwork`` schedules a pipeline in Halide-like C++, as ``s2s tune --target clockwork``:
    ``sizes``, ``parameters`` and ``generator`` are those of ``transform``; ``limits`` are numbers
    of ``pes``, ``memories``, ``streams`` and ``words``; ``memory`` is the kind of memory tiles;
    ``effort`` bounds the work, ``budget`` the seconds, ``jobs`` is processes. Gives ``Designs``.

    ``spatial`` maps layers (``.m``, ONNX, C, Halide-like C++), as ``s2s tune --target spatial``:
    ``machine`` is a name or a TOML file, ``objective`` ``runtime``, ``energy`` or ``edp``; the
    others are the command's. Gives ``Mappings``.

    ``cache`` is where what was found is remembered ("" for nowhere; the command's by default).
    Raises UserError.
    """
    from s2s.cli import api_tuning

    with as_user_error():
        if target == "clockwork":
            return api_tuning.tune_designs(file, **options)
        if target == "spatial":
            return api_tuning.tune_mappings(file, **options)
        return _tune_passes(file, target=target, **options)


def _tune_passes(
    file: Path,
    *,
    target: str,
    flags: Sequence[str] = (),
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
    """Choose among passes, or among a target's mappings. Raises UserError or UsageError."""
    from s2s.tuning.measuring import Measuring
    from s2s.tuning.settings import Tuning, default_cache

    given = Flags(None, tuple(flags))
    chosen = Chosen(passes=None if passes is None else tuple(passes), parallel=parallel)
    found = driver_options(target, chosen, None, None, "", options)
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


def _run(
    file: Path, text: str | bytes | None, given: Flags, options: Options, seconds: int
) -> Result:
    """One file through the driver. Raises UserError, UsageError or InternalError."""
    name = os.fspath(file)
    flags = (*_helper_flags(name, given, options), *given.flags(name))
    with inputs.open_text(name, text, flags) as source:
        every = (*source.extra_flags, *flags)
        outcome = guarded.transform_named(source.path, name, every, options, seconds)
    return result_of(outcome, name, options.passes)


def _helper_flags(name: str, given: Flags, options: Options) -> tuple[str, ...]:
    """Those that bring in the other files of a Halide program. Raises UserError."""
    if not options.others:
        return ()
    from s2s.cli.programs import helpers_among
    from s2s.driver.halide_programs import include_flags

    found = helpers_among({name: given.flags(name), **dict(options.others)})
    return include_flags([one for one in found if one != name])


def _answer(work: Any) -> Any:
    """The value of work, or what it raises, in a form that goes through a pipe."""
    try:
        return work()
    except (UserError, UsageError) as error:
        return error
    except Exception as error:
        return RuntimeError(f"{type(error).__name__}: {error}")
