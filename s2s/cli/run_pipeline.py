"""``s2s run PIPELINE.cpp``: Halide-like C++, compiled by way of its C and called on files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import field
from typing import TYPE_CHECKING, Any

from s2s.cli import arrays, inputs
from s2s.cli.arguments import positive
from s2s.cli.compile_commands import source_flags
from s2s.cli.flags import add_flags, read_flags
from s2s.cli.progress import Progress
from s2s.cli.reporting import Reporter, Status
from s2s.source.diagnostics import Diagnostic, Severity, UsageError, UserError
from s2s.source.records import dataclass
from s2s.targets.source_options import SourceOptions

if TYPE_CHECKING:
    from s2s.driver.native_run import Program, Ran


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Sources, files of arrays, values of scalars, and where results go."""
    parser.add_argument(
        "words_given",
        nargs="+",
        metavar="WORD",
        help="the program's C++ files, then files for its inputs (in their order, or NAME=FILE:"
        " an image or .npy) and values of its scalars (NAME=VALUE)",
    )
    parser.add_argument(
        "-o",
        dest="outputs",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="where an output goes (repeated: the others'): an image or .npy",
    )
    parser.add_argument(
        "--convert",
        action="store_true",
        help="convert elements of files, full scale to full scale (255 of uint8 is 1.0 of floats)",
    )
    parser.add_argument(
        "--no-check",
        dest="check",
        action="store_false",
        help="leave out trying the compiled C against the program's definitions",
    )
    parser.add_argument(
        "--time-limit",
        type=positive,
        default=600,
        metavar="SECONDS",
        help="processor time for s2s and for the program, each (default: %(default)s)",
    )
    add_flags(parser, "Halide-like C++", SourceOptions)


@dataclass
class _Words:
    """What the words of the command line are for."""

    sources: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    scalars: dict[str, int | float] = field(default_factory=dict)


def main(args: argparse.Namespace) -> int:
    """Run the program; 0, or the status of what went wrong."""
    from s2s.cli.limited import limited

    sources = _sources(args.words_given)
    reporter = Reporter()
    with limited(args.time_limit, sources[0]), Progress(f"running {sources[0]}"):
        program = _read(sources, args, reporter)
        words = _sort(args.words_given[len(sources) :], program)
        places = _destinations(args.outputs, program)
        for path in places.values():
            arrays.check_array_output(path)
        given = {
            name: arrays.fit_array(
                arrays.read_array(path), name, path, *program.inputs[name], args.convert
            )
            for name, path in words.files.items()
        }
        ran = _run(program, given, words, args)
        for name, path in places.items():
            arrays.write_array(path, ran.outputs[name], args.convert)
    reporter.say(_results(ran, places))
    return Status.DONE


def _sources(words: Sequence[str]) -> list[str]:
    """The program's files: the first words with the ending of C++."""
    found: list[str] = []
    for word in words:
        if os.path.splitext(word)[1] not in inputs.C_SUFFIXES or "=" in word:
            break
        found.append(word)
    if not found:
        if os.path.isdir(words[0]):
            raise inputs.input_error(words[0], "is a directory, not a C++ source file")
        raise UsageError(f"'{words[0]}' is no C++ file to run")
    return found


def _read(sources: Sequence[str], args: argparse.Namespace, reporter: Reporter) -> Program:
    from s2s.driver.halide_programs import include_flags
    from s2s.driver.native_run import read_program
    from s2s.driver.transform import is_pipeline

    flags = (*include_flags(sources[1:]), *source_flags(args.cflags))
    with ExitStack() as stack:
        for source in (stack.enter_context(inputs.open_source(s, flags)) for s in sources):
            reporter.sources.add(source.name, source.data)
            if not is_pipeline(source.path, flags, source.data):
                why = "is not Halide-like C++: it does not include 'Halide.h'"
                raise inputs.input_error(source.name, why)
        source = stack.enter_context(inputs.open_source(sources[0], flags))
        return read_program(source.path, source.data, flags, read_flags(args, SourceOptions))


def _sort(words: Sequence[str], program: Program) -> _Words:
    """Files by inputs, values by scalars. Raises UsageError for what is none of these."""
    found = _Words()
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name in program.scalars:
            found.scalars[name] = _number(name, value)
        elif equals and name in program.inputs:
            found.files[name] = value
        elif equals and not os.path.exists(word):
            names = ", ".join((*program.inputs, *program.scalars))
            raise UsageError(f"no input is named '{name}' (there are: {names})")
        else:
            left = [name for name in program.inputs if name not in found.files]
            if not left:
                raise UsageError(f"'{word}' is one file more than there are inputs")
            found.files[left[0]] = word
    missing = [name for name in program.inputs if name not in found.files]
    if missing:
        type, rank = program.inputs[missing[0]]
        raise UsageError(f"input '{missing[0]}' ({type}, {rank} dimensions) has no file")
    found.scalars.update(_defaults(program, found.scalars))
    return found


def _defaults(program: Program, given: Mapping[str, Any]) -> Iterator[tuple[str, int | float]]:
    for name, default in program.scalars.items():
        if name not in given:
            if default is None:
                raise UsageError(f"scalar '{name}' has no value: '{name}=VALUE' gives one")
            yield name, default


def _number(name: str, text: str) -> int | float:
    words = {"true": 1, "false": 0}
    for read in (words.__getitem__, int, float):
        try:
            return read(text)
        except (KeyError, ValueError):
            continue
    raise UsageError(f"'{name}={text}': '{text}' is no number")


def _destinations(words: Sequence[str], program: Program) -> dict[str, str]:
    """Files by outputs. Raises UsageError."""
    found: dict[str, str] = {}
    names = ", ".join(program.outputs)
    for word in words:
        name, equals, path = word.partition("=")
        if not equals:
            left = [name for name in program.outputs if name not in found]
            if not left:
                raise UsageError(f"'-o {word}' is one file more than there are outputs ({names})")
            name, path = left[0], word
        if name not in program.outputs:
            raise UsageError(f"no output is named '{name}' (there are: {names})")
        found[name] = path
    if not found:
        raise UsageError(f"'-o FILE' says where the output goes ({names})")
    return found


def _run(
    program: Program, given: Mapping[str, Any], words: _Words, args: argparse.Namespace
) -> Ran:
    """The call; what is wrong with it is said of the files that it was given."""
    from s2s.driver.native_run import run_program

    try:
        return run_program(program, given, words.scalars, check=args.check, seconds=args.time_limit)
    except UserError as error:
        about = tuple(_about(d, words.files) for d in error.diagnostics)
        raise UserError(*about) from error


def _about(said: Diagnostic, files: Mapping[str, str]) -> Diagnostic:
    named = next((path for name, path in files.items() if f"'{name}'" in said.text), None)
    if said.location is not None or named is None:
        return said
    return Diagnostic(said.severity, f"{named}: {said.text}", said.id)


def _results(ran: Ran, places: Mapping[str, str]) -> Iterator[Diagnostic]:
    """How large the outputs are, and where they begin."""
    for name, path in places.items():
        size = "x".join(map(str, reversed(ran.outputs[name].shape))) or "1"
        text = f"{path}: '{name}' of {size} elements"
        minima = ran.minima.get(name, ran.minima.get(name.rpartition(".")[0], ()))
        if any(minima):
            text += f", the first at {'x'.join(map(str, minima))}"
        yield Diagnostic(Severity.REMARK, text, "run")
