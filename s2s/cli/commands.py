"""``s2s transform`` and ``s2s explain``: from parsed arguments to an exit status."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from s2s.cli import compile_commands, ineffective, inputs
from s2s.cli.destinations import (
    check_outputs,
    check_same_kind,
    destinations,
    emit,
    named,
    save_schedule,
)
from s2s.cli.explanation import blocks, file_and_line
from s2s.cli.flags import read_flags
from s2s.cli.preloading import load_for
from s2s.cli.programs import file_flags, program_flags, programs_of
from s2s.cli.progress import Progress
from s2s.cli.render import Sources, as_text
from s2s.cli.reporting import Reporter, Status
from s2s.cli.root_causes import Filter
from s2s.driver import guarded
from s2s.driver.offload.settings import OffloadOptions
from s2s.source import output
from s2s.source.diagnostics import Diagnostic, InternalError, Severity, UsageError, UserError
from s2s.source.records import dataclass
from s2s.targets.registry import find
from s2s.targets.source_options import SourceOptions, header_name

if TYPE_CHECKING:
    from concurrent.futures import Future

    from s2s.driver.options import Options, Outcome
    from s2s.tuning.cache import Table


def transform(args: argparse.Namespace) -> int:
    """Transform each file; one that fails does not keep the others from being written."""
    ineffective.check_transform(args)
    check_outputs(args)
    for path in filter(None, (args.sarif, args.remarks_yaml, args.save_schedule)):
        output.check_writable(path)
    wanted = None if args.show is None else Filter.read(args.show)
    reporter = Reporter(
        args.remarks, args.sarif, wanted=wanted, verbose=args.verbose, yaml=args.remarks_yaml
    )
    try:
        files = programs_of(args)
        places = destinations(files, args)
        several = find(args.target).names_files or args.offload_devices
        if several and args.output in (*places, None, "-"):
            option = "--offload" if args.offload_devices else f"--target {args.target}"
            raise UsageError(f"'{option}' writes several files: '-o DIRECTORY/'")
        if len(files) > 1 and set(args.offload_devices) - {"blas", "onednn"}:
            raise UsageError("'--offload' to devices takes a program of one file")
        _check_kinds(args)
        others = [*args.files, *filter(None, places)]
        _check_overwrites("--sarif", args.sarif, others)
        _check_overwrites("--remarks-yaml", args.remarks_yaml, [*others, args.sarif or ""])
        statuses = _transform_all(files, places, args, reporter)
    except UserError as error:
        reporter.say(error.diagnostics)
        statuses = [Status.USER_ERROR]
    finished = reporter.finish()
    for failure in (Status.INTERNAL, Status.USER_ERROR, Status.USAGE):
        if failure in (*statuses, finished):
            return failure
    unchanged = all(status == Status.UNCHANGED for status in statuses)
    return Status.UNCHANGED if unchanged and args.require_change else Status.DONE


def _transform_all(
    files: Sequence[str], places: Sequence[str | None], args: argparse.Namespace, reporter: Reporter
) -> list[Status]:
    """All files, ``--jobs`` at once; what is said and written comes in their order.

    Over a source nothing is written before all are done: they read each other.
    """
    later: list[Callable[[], None]] = []
    statuses = []
    each = [(name, args, place) for name, place in zip(files, places, strict=True)]
    with started(each, args.jobs) as ahead, Progress("transforming", len(files)) as progress:
        for name, _, destination in each:
            progress.doing(f"transforming {name}")
            statuses.append(_transform_one(name, destination, args, reporter, ahead, later))
            progress.step()
    for write in later:
        write()
    return statuses


@contextmanager
def started(
    work: Sequence[tuple[str, argparse.Namespace, str | None]], jobs: int
) -> Iterator[Ahead]:
    """What the driver makes of several files at once, each with its options and its destination.

    Nothing where it is one after the other. What is not yet begun is dropped when the block ends.
    """
    load_for([name for name, _, _ in work], any(a.command == "report" for _, a, _ in work))
    if jobs < 2 or len(work) < 2:
        yield {}
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(jobs)  # each waits for a process of its own
    try:
        yield {name: pool.submit(_driven, name, args, place) for name, args, place in work}
    finally:
        pool.shutdown(cancel_futures=True)


def _transform_one(
    name: str, destination: str | None, args: argparse.Namespace, reporter: Reporter,
    ahead: Ahead, later: list[Callable[[], None]],
) -> Status:  # fmt: skip
    reporter.begin("<stdin>" if name == "-" else name)
    try:
        if destination:
            output.check_writable(destination)
        outcome = outcome_of(name, args, reporter, destination, ahead)
        if args.diff or args.in_place:
            check_same_kind(outcome, "--diff" if args.diff else "--in-place")
        if destination:
            destination = named(destination, outcome, args.output)
        if args.save_schedule:
            save_schedule(args.save_schedule, outcome, name, args.passes)
        if args.in_place:
            later.append(partial(emit, outcome, name, destination))
        else:
            emit(outcome, name, destination, as_diff=args.diff)
    except UserError as error:
        reporter.say(error.diagnostics)
        return Status.USER_ERROR
    except UsageError as error:
        # What only the file's text shows to be one; other files may know the name.
        reporter.say([Diagnostic(Severity.ERROR, str(error), "usage")])
        return Status.USAGE
    except InternalError:
        return Status.INTERNAL
    if args.target == "cpu":
        reporter.edited(outcome.path, outcome.edits or ())
    reporter.say(outcome.diagnostics)
    return Status.DONE if outcome.changed else Status.UNCHANGED


def _check_kinds(args: argparse.Namespace) -> None:
    """Raise UsageError for a setting that is for another kind of file, before one is written."""
    for name in args.files:
        if name != "-" and os.path.isfile(name):
            _check_kind(name, args, file_flags(name, args))


def _check_kind(name: str, args: argparse.Namespace, flags: Sequence[str]) -> None:
    from s2s.driver.transform import is_memory_file, is_pipeline

    names_files = find(getattr(args, "target", "cpu")).names_files
    with suppress(OSError), open(name, "rb") as stream:
        data = stream.read()
        chosen = is_pipeline(name, flags, data) or (names_files and is_memory_file(data))
        ineffective.check_file(args, name, is_pipeline=chosen)


def _check_overwrites(option: str, path: str | None, others: Iterable[str]) -> None:
    if path and any(os.path.realpath(path) == os.path.realpath(other) for other in others):
        raise UsageError(f"'{option} {path}' would overwrite a source file")


def outcome_of(
    name: str, args: argparse.Namespace, reporter: Reporter, destination: str | None = None,
    ahead: Ahead | None = None,
) -> Outcome:  # fmt: skip
    """The driver's outcome for one file, begun before perhaps.

    A defect is reported here. Under ``--strict``, and where the source is no result of its own
    (another target, Halide-like C++), it ends as InternalError; otherwise the file comes out as it
    went in.
    """
    begun = None if ahead is None else ahead.get(name)
    driven = _driven(name, args, destination) if begun is None else begun.result()
    if driven.source is not None:
        reporter.sources.add(driven.source.name, driven.source.data)
    if driven.outcome is not None:
        return driven.outcome
    assert driven.error is not None
    if driven.source is None or isinstance(driven.error, UserError | UsageError):
        raise driven.error
    source = driven.source
    reporter.say_internal(source.name, driven.error)
    from s2s.driver.options import Outcome

    if args.strict or not driven.keeps:
        raise InternalError(str(driven.error)) from driven.error
    return Outcome(source.name, source.data, source.data)


@dataclass(frozen=True)
class _Driven:
    """What came of a file: the source as it was read, and an outcome or what was raised.

    ``keeps``: the source is a right result where s2s fails.
    """

    source: inputs.Source | None = None
    outcome: Outcome | None = None
    error: Exception | None = None
    keeps: bool = False


Ahead = dict[str, "Future[_Driven]"]


def _driven(name: str, args: argparse.Namespace, destination: str | None) -> _Driven:
    """One file through the driver, with nothing said; may run beside others."""
    source, keeps = None, False
    try:
        flags = program_flags(name, args)
        with inputs.open_source(name, flags) as source:
            _check_kind(source.path, args, flags)
            options = replace(options_of(name, args, flags), header=header_name(destination))
            from s2s.driver.transform import keeps_source

            keeps = keeps_source(source.path, flags, source.data, options)
            every = (*source.extra_flags, *flags)
            found = guarded.transform_named(
                source.path, source.name, every, options, args.time_limit
            )
            return _Driven(source, found, None, keeps)
    except Exception as error:
        return _Driven(source, None, error, keeps)


def _others(name: str, args: argparse.Namespace) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The other files of the program, with their flags: those of the command line, and of a build.

    What a build defines twice is of different programs, and is not looked at.
    """
    files = [f for f in getattr(args, "files", ()) if f not in (name, "-")]
    found = [(f, file_flags(f, args)) for f in dict.fromkeys(files)]
    if args.build_directory is not None and name != "-":
        known = {os.path.realpath(f) for f in (name, *files)}
        built = compile_commands.sources(args.build_directory)
        found += [(f, flags) for f, flags in built if f not in known]
    return tuple(found)


def _compiler(name: str, args: argparse.Namespace) -> str:
    """What the new text is for: what the user says, or else the build's compiler."""
    if args.compiler is not None or args.build_directory is None:
        return args.compiler or "gcc"
    return compile_commands.compiler_for(args.build_directory, name)


def options_of(name: str, args: argparse.Namespace, flags: Sequence[str]) -> Options:
    """What the command line chooses for a file that is compiled with ``flags``."""
    from s2s.driver.options import Options
    from s2s.tuning.measuring import from_arguments

    target = find(getattr(args, "target", "cpu"))
    compiler = _compiler(name, args)
    offload = read_flags(args, OffloadOptions, "offload")
    options = Options(
        strict=args.strict,
        reassociate=args.reassociate,
        parallel=args.parallel,
        compiler=compiler,
        target=target.name,
        spacelimit=args.spacelimit,
        explain=args.command in ("explain", "report"),
        record=args.command == "report",
        line=file_and_line(args.file)[1] if args.command == "explain" else None,
        force=args.force,
        happens_before=args.happens_before,
        tune=from_arguments(args, (compiler,), flags) if args.command == "transform" else None,
        probe=args.probe,
        budget=args.budget,
        check=args.check,
        given=read_flags(args, SourceOptions),
        of_target=read_flags(args, target.options, target.name),
        offload=offload if offload.devices else None,
        others=_others(name, args),
    )
    if args.passes is not None:
        options = replace(options, passes=args.passes)
    return _with_order(options, args)


def _with_order(options: Options, args: argparse.Namespace) -> Options:
    """The options with the order that the user gives. Raises UserError."""
    if getattr(args, "save_schedule", None) is not None:
        options = replace(options, record=True)
    path = getattr(args, "schedule", None)
    if path is None:
        return options
    from s2s.driver.given_schedule import read_schedule

    given = read_schedule(path)
    return replace(options, schedule=given, passes=given.passes)


def explain(args: argparse.Namespace) -> int:
    """Print what the driver found and did, and why not more."""
    name, line = file_and_line(args.file)
    ineffective.check_transform(args)
    reporter = Reporter()
    try:
        with Progress(f"explaining {name}"):
            outcome = outcome_of(name, args, reporter)
    except UserError as error:
        reporter.say(error.diagnostics)
        return Status.USER_ERROR
    except InternalError:
        return Status.INTERNAL
    text = _explained(outcome, name, line, reporter.sources)
    silent = f"{name}: '--target {args.target}' explains nothing of this file\n".encode()
    output.write_standard_output(text or silent)
    return Status.DONE


def _explained(outcome: Outcome, name: str, line: int | None, sources: Sources) -> bytes:
    """The explanation, or the part of it for a line, and the remarks about the same lines."""
    parts = blocks(outcome.explanation)
    chosen = [block for block in parts if line is None or line in block.lines]
    remarks = [
        remark
        for remark in outcome.diagnostics
        if line is None
        or (remark.location and any(remark.location.line in block.lines for block in chosen))
    ]
    if line is not None and not (chosen and outcome.explanation):
        text = f"{name}:{line}: no region here\n"
    else:
        text = "".join(block.text for block in chosen)
        text = text if line is None else text.rstrip("\n") + "\n"
    text += "".join(as_text(remark, sources) for remark in remarks)
    return text.encode("utf-8", "surrogateescape")


def tune(args: argparse.Namespace) -> int:
    """Tune a kernel; without a file list what ``--tune`` has remembered, or forget it."""
    ineffective.check_tune(args)
    if args.file is not None:
        from s2s.cli import tune_designs, tune_kernels, tune_mappings

        others = {"clockwork": tune_designs.main, "spatial": tune_mappings.main}
        way = others.get(args.target, tune_kernels.main)
        flags = tuple(compile_commands.source_flags(args.cflags))
        return way(args, read_flags(args, SourceOptions), flags)
    from s2s.tuning.aie.store import MEASURED
    from s2s.tuning.cache import Cache
    from s2s.tuning.choice import CHOICES, newest_first
    from s2s.tuning.clockwork.store import TABLES
    from s2s.tuning.settings import default_cache
    from s2s.tuning.spatial.store import MAPPINGS

    cache = Cache(default_cache() if args.tune_cache is None else args.tune_cache)
    if args.clear:
        tables: tuple[Table[Any], ...] = (CHOICES, MEASURED, *TABLES, MAPPINGS)
        forgotten = sum(map(cache.clear, tables))
        text = f"{forgotten} choices forgotten\n"
    else:
        text = "".join(
            f"{r.when}\t{r.place}\t{r.ratio:.2f}\t{r.spec or r.failure or 'original'}\t{r.sizes}\n"
            for r in newest_first(cache)
        )
    Reporter().say(Diagnostic(Severity.WARNING, text, "tune") for text in cache.warnings)
    output.write_standard_output(text.encode("utf-8", "surrogateescape"))
    return Status.DONE
