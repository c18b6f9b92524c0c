"""One file through the house: text to SCoPs, transforms, text."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.driver.options import DEFAULTS, Options, Outcome
from s2s.source import SourceBuffer
from s2s.source.compiler_answers import vector_bytes
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError
from s2s.source.flags import may_interchange, may_reassociate
from s2s.source.reading import read_source
from s2s.targets.registry import find
from s2s.targets.request import Request
from s2s.targets.target import (
    Accelerators,
    Contractions,
    Edits,
    Nests,
    Programs,
    Refused,
    Regions,
    Target,
    Traces,
)

if TYPE_CHECKING:
    from s2s.driver.offload.settings import OffloadOptions

# Syntax trees are walked recursively; generated code has sums of thousands of terms.
_DEEPEST = 50_000
_DIRECTIVE = b"#pragma omp "
_DONE, _LEFT = b"/* s2s: ", b"/* libraries: "


def transform_file(path: str, flags: Sequence[str] = (), options: Options = DEFAULTS) -> Outcome:
    """Transform one C file compiled with ``flags`` (no source name, no -o, no -c among them).

    Raises UserError when the file cannot be read or parsed.
    """
    try:
        return _through_the_house(path, flags, options)
    except Exception as error:
        if not _is_too_deep(error):
            raise
    return too_deep(path, flags, options)


def _is_too_deep(error: Exception) -> bool:
    """Whether the interpreter's limit was met, perhaps in a call of the parser's library."""
    return isinstance(error, RecursionError) or "RecursionError" in str(error)


def too_deep(path: str, flags: Sequence[str], options: Options) -> Outcome:
    """What becomes of a file whose constructs are nested too deeply to be parsed or walked.

    Raises UserError where the source is no result of its own.
    """
    data, place = read_source(path), Location(path, 1, 1, 1, 1)
    text = "its constructs are nested too deeply for the parser, as sums of very many terms are"
    if not keeps_source(path, flags, data, options):
        raise UserError(Diagnostic(Severity.ERROR, text, "parse", place))
    missed = Diagnostic(Severity.MISSED, f"left as it is: {text}", "parse", place)
    return Outcome(path, data, data, (missed,))


def _through_the_house(path: str, flags: Sequence[str], options: Options) -> Outcome:
    if may_reassociate(flags):
        options = replace(options, reassociate=True, regroups=True)
    if may_interchange(flags, options.compiler):
        options = replace(options, interchanges=True)
    options = replace(options, vector=vector_bytes(flags, options.compiler))
    buffer = SourceBuffer(path, read_source(path))
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST))
    if options.offload is not None:
        return _offloaded(buffer, flags, options, options.offload)
    target, is_halide = find(options.target), is_pipeline(path, flags, buffer.data)
    request = _request(buffer, flags, options, target)
    if path.endswith(".m"):
        from s2s.driver import layer_files

        return layer_files.transform(target, request, options)
    way = target.halide if is_halide else target.c
    if isinstance(target.halide, Accelerators) and is_memory_file(buffer.data):
        way = target.halide
    match way:
        case Regions():
            from s2s.driver import c_files

            return c_files.transform(buffer, flags, options)
        case Edits() as way:
            from s2s.driver import c_files

            return c_files.edit(way, request, options)
        case Nests() as way:
            from s2s.driver import c_nests, pipelines

            if is_halide:
                return pipelines.transform(way, request, options)
            return c_nests.transform(way, request, options)
        case Traces() as way:
            from s2s.driver import traces

            return traces.transform(way, request, options)
        case Contractions() as way:
            from s2s.driver import contractions

            return contractions.transform(way, request, options)
        case Accelerators() as way:
            from s2s.driver import accelerators

            return accelerators.transform(way, request, options)
        case Programs() as way:
            from s2s.driver import whole_programs

            return whole_programs.transform(way, request, options, transform_file)
        case Refused(reason):
            text = f"'--target {options.target}' has no use for this file: {reason}"
            place = buffer.place(None)
            raise UserError(Diagnostic(Severity.ERROR, text, options.target, place))


def _offloaded(
    buffer: SourceBuffer, flags: Sequence[str], options: Options, chosen: OffloadOptions
) -> Outcome:
    """The program with parts of it on devices, then on libraries of this machine."""
    from s2s.driver.libraries.offloading import NAMES, offload_the_rest, offload_to_libraries

    if is_pipeline(buffer.path, flags, buffer.data):
        text = "'--offload' takes C: make C of this pipeline first, 's2s transform FILE -o DIR/'"
        raise UserError(Diagnostic(Severity.ERROR, text, "offload", buffer.place(None)))
    libraries = [name for name in chosen.devices if name in NAMES]
    devices = tuple(name for name in chosen.devices if name not in NAMES)
    if not devices:
        done = offload_to_libraries(buffer, flags, libraries, options)
    else:
        from s2s.driver.offload.program import offload

        options = replace(options, offload=replace(chosen, devices=devices))
        done = offload(buffer, flags, options, transform_file)
        done = offload_the_rest(done, flags, libraries, options) if libraries else done
    asked = chosen.rest or options.parallel or options.passes != DEFAULTS.passes
    return _with_rest(done, flags, options) if asked and not options.explain else done


def _with_rest(done: Outcome, flags: Sequence[str], options: Options) -> Outcome:
    """What devices and libraries have left of a program, transformed for the host."""
    import tempfile
    from pathlib import Path

    from s2s.driver import c_files

    with tempfile.TemporaryDirectory(prefix="s2s-rest-") as folder:
        for name, data in done.companions:
            if name.endswith(".h"):
                Path(folder, name).parent.mkdir(exist_ok=True)
                Path(folder, name).write_bytes(data)
        home = os.path.dirname(os.path.abspath(done.path))
        every = [*flags, f"-I{folder}", f"-I{home}"]
        # A comment tells functions that need no second look: these do.
        text = done.text.replace(_DONE, _LEFT)
        rest = c_files.transform(
            SourceBuffer(done.path, text), every, replace(options, offload=None)
        )
    count = sum(d.severity is Severity.REMARK for d in rest.diagnostics)
    about = f"{count} of the loops that stay on the host are transformed for it"
    said = Diagnostic(Severity.REMARK, about, "offload", Location(done.path, 1, 1, 1, 1))
    text = rest.text.replace(_LEFT, _DONE)
    files = dict(done.companions)
    files["Makefile"] = _with_openmp(files["Makefile"], done.text, text, options)
    both = (*done.diagnostics, said)
    return replace(done, text=text, diagnostics=both, companions=tuple(files.items()))


def _with_openmp(makefile: bytes, before: bytes, after: bytes, options: Options) -> bytes:
    """A Makefile by which directives that were added count."""
    if after.count(_DIRECTIVE) == before.count(_DIRECTIVE):
        return makefile
    flag = b"-fopenmp" if options.parallel else b"-fopenmp-simd"
    return makefile + b"\noverride CFLAGS += " + flag + b"\n"


def _request(
    buffer: SourceBuffer, flags: Sequence[str], options: Options, target: Target
) -> Request:
    """What the target is asked for."""
    of_target = options.of_target
    if of_target is None and target.options is not None:
        of_target = target.options()
    return Request(
        buffer,
        flags,
        options.given,
        of_target,
        options.header,
        options.check,
        options.explain,
        options.strict,
        options.tune,
    )


def keeps_source(path: str, flags: Sequence[str], data: bytes, options: Options) -> bool:
    """Whether the source itself is a right result where s2s fails: C for the host is."""
    target = find(options.target)
    return isinstance(target.halide if is_pipeline(path, flags, data) else target.c, Regions)


def is_memory_file(data: bytes) -> bool:
    """Whether a file has memories of Clockwork, which is not C++ for the host."""
    if b"prog" not in data:
        return False
    from s2s.source.clockwork import heads

    return heads.is_memory_file(data)


def is_pipeline(path: str, flags: Sequence[str], data: bytes) -> bool:
    """Whether a file is Halide-like C++."""
    is_c = os.path.splitext(path)[1] in (".c", ".i") and not any(f[:2] == "-x" for f in flags)
    if is_c or b"include" not in data:
        return False
    from s2s.driver import pipelines

    return pipelines.is_pipeline(path, flags, data)
