"""``s2s verify``: run original and transformed programs and compare what they do.

Files given together are one program; a directory stands for its C files, each a program of its
own. A program is built twice with the same flags, plus ``-ffp-contract=off`` so that floating
point can be compared exactly, and both are run with each number of threads: standard output and
exit status must agree. A difference counts only against an original that agrees with itself. New
code runs for all sizes here, not only for those for which a gain is expected.

Outcomes, one per program:

- ``same``: nothing differed (a program that was not changed is only compiled).
- ``different``, ``timeout``, ``compile-error``: only the transformed program prints otherwise,
  does not end, does not compile.
- ``tool-error``: the transformation failed on files that compile.
- ``unstable``: the runs of the original do not agree with each other.
- ``not-judged``: the original does not compile or end, or has no ``main`` to run (it is then
  compiled in both forms), or a sanitizer already speaks up about it.

The exit status is 0 if all programs are ``same`` and 1 otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from s2s.cli.flags import add_flags, read_flags
from s2s.cli.progress import Progress
from s2s.cli.verify_runs import DEFAULT_FLAGS, JudgedError, Plan, compare_all, headline
from s2s.driver.child import Limit, OutOfTimeError, SignalledError, clean_end, in_child
from s2s.driver.offload.settings import OffloadOptions
from s2s.source import work_done
from s2s.source.compiler import CommandLine, command_line
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.driver.options import Options, Outcome

    Transform = Callable[[str, Sequence[str], Options], Outcome]


@dataclass(frozen=True)
class Verdict:
    """What was found out about one program; ``detail`` is for people."""

    file: str
    threads: tuple[int, ...]
    outcome: str
    changed: bool
    detail: str = ""

    def __str__(self) -> str:
        detail = self.detail or ("" if self.changed else "unchanged")
        return f"{self.file}: {self.outcome}" + (f" ({detail})" if detail else "")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``s2s verify``."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="C sources and objects of one program, or a directory of one-file programs",
    )
    parser.add_argument(
        "--threads", type=_counts, default=(1, 2, 3), metavar="LIST", help="default: 1,2,3"
    )
    parser.add_argument(
        "--runs",
        type=_count,
        default=1,
        metavar="N",
        help="runs of the transformed program with each number of threads (default: 1)",
    )
    parser.add_argument(
        "--timeout", type=float, default=60.0, metavar="S", help="seconds a run may take (60)"
    )
    parser.add_argument(
        "--time-limit",
        type=_count,
        default=Limit.processor,
        metavar="S",
        help="seconds of processor time that transforming a program may take (%(default)s)",
    )
    parser.add_argument(
        "--sanitize", default="", metavar="LIST", help="build with -fsanitize=LIST, too"
    )
    parser.add_argument("--cc", default="gcc", metavar="COMPILER", help="default: gcc")
    parser.add_argument("--json", metavar="FILE", help="write a line of JSON for each program")
    parser.add_argument(
        "--args", default="", metavar="WORDS", help="the programs' command line, quoted as one"
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        default=1e-4,
        metavar="X",
        help="with --offload: how much printed numbers may differ, relative to the largest of their"
        " line (default: %(default)s)",
    )
    parser.add_argument(
        "--shares",
        action="store_true",
        help="with --offload: say how much of what a program multiplies and adds devices do",
    )
    add_flags(parser, "Devices", OffloadOptions, "offload")


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return value


def _counts(text: str) -> tuple[int, ...]:
    try:
        return tuple(_count(word) for word in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers") from error


def main(args: argparse.Namespace) -> int:
    """Run ``s2s verify``; ``args.cflags`` holds what followed ``--``."""
    offload = read_flags(args, OffloadOptions, "offload")
    if offload.devices:
        from s2s.cli.verify_offload import judge_offloaded

        words, verdicts = shlex.split(args.args), []
        for file in args.files:
            same, said = judge_offloaded(
                file, args.cflags, offload, words, tolerance=args.tolerance, timeout=args.timeout,
                shares=args.shares,
            )  # fmt: skip
            print(said, flush=True)
            verdicts.append(same)
        return 0 if all(verdicts) else 1
    plan = Plan(
        args.cc,
        tuple(args.cflags) or DEFAULT_FLAGS,
        args.threads,
        args.runs,
        args.timeout,
        args.sanitize,
        tuple(shlex.split(args.args)),
        args.time_limit,
    )
    try:
        return run(args.files, plan, json_path=args.json)
    except SignalledError as signalled:
        return 128 + signalled.number


def run(
    files: Sequence[str],
    plan: Plan,
    *,
    json_path: str | None = None,
    transform: Transform | None = None,
) -> int:
    """Judge the programs, print a line for each, and give the exit status."""
    _check_sanitizer(plan)
    programs = list(_programs(files))
    all_same = True
    with clean_end(), contextlib.ExitStack() as stack:
        progress = stack.enter_context(Progress("verifying", len(programs)))
        log = stack.enter_context(_opened(json_path)) if json_path else None
        for program in programs:
            progress.doing(f"verifying {program[0]}")
            verdict = judge(program, plan, transform)
            progress.step()
            all_same = all_same and verdict.outcome == "same"
            print(verdict, flush=True)
            if log:
                print(json.dumps(_record(verdict)), file=log, flush=True)
    return 0 if all_same else 1


def check_files(files: Sequence[str], plan: Plan) -> None:
    """Raise UserError for files of one program that are not there, and for what cannot be run."""
    _check_sanitizer(plan)
    if not files:
        raise _user_error("no files")
    for file in files:
        if not os.path.isfile(file):
            raise _user_error(f"{file}: No such file")


def _check_sanitizer(plan: Plan) -> None:
    if "thread" in plan.sanitize and "clang" not in plan.compiler:
        raise _user_error("gcc sees races in correct OpenMP programs; '--cc clang' is needed")


def _record(verdict: Verdict) -> dict[str, object]:
    return {
        "file": verdict.file,
        "threads": list(verdict.threads),
        "outcome": verdict.outcome,
        "changed": verdict.changed,
        "detail": verdict.detail,
    }


def _opened(path: str) -> TextIO:
    try:
        return open(path, "w", encoding="utf-8")
    except OSError as error:
        raise _user_error(f"{path}: {error.strerror}") from error


def _programs(files: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The programs that the arguments name; raises UserError for what is not there."""
    together = tuple(file for file in files if not os.path.isdir(file))
    for file in together:
        if not os.path.exists(file):
            raise _user_error(f"{file}: No such file or directory")
    if together:
        yield together
    for directory in files:
        if os.path.isdir(directory):
            names = sorted(name for name in os.listdir(directory) if name.endswith(".c"))
            if not names:
                raise _user_error(f"{directory}: no C files in this directory")
            yield from ((os.path.join(directory, name),) for name in names)


def _user_error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "verify"))


def judge(files: Sequence[str], plan: Plan, transform: Transform | None = None) -> Verdict:
    """Build, run and compare the one program that ``files`` make."""
    verdict = Verdict(files[0], plan.threads, "same", changed=False)
    parts = 3 + len(plan.threads) * (1 + plan.runs)
    with tempfile.TemporaryDirectory(prefix="s2s-") as directory, work_done.counted(parts):
        try:
            original = os.path.join(directory, "original")
            line = _line(plan, files)
            runnable = _build_original(line, original)
            work_done.advance()
            outcomes = _transformed(line, transform, plan.time_limit)
            work_done.advance()
            verdict = replace(verdict, changed=bool(outcomes))
            line = _with_stand_ins(line, outcomes, directory)
            if not runnable:
                raise _without_main(line, directory)
            if outcomes:
                compare_all(original, _build_transformed(line, directory), plan)
        except JudgedError as judged:
            return replace(verdict, outcome=judged.outcome, detail=judged.detail)
    return verdict


def _line(plan: Plan, files: Sequence[str]) -> CommandLine:
    """The command that builds a program, but for its output."""
    sanitize = (f"-fsanitize={plan.sanitize}", "-fno-sanitize-recover=all", "-g")
    return command_line(
        [
            *shlex.split(plan.compiler),
            *files,
            *plan.flags,
            "-ffp-contract=off",
            *(sanitize if plan.sanitize else ()),
            "-lm",
        ]
    )


def _build_original(line: CommandLine, program: str) -> bool:
    """Build the original; False if it compiles and only ``main`` is missing."""
    said = _compile(line, (), program)
    if said is None:
        return True
    for source in line.inputs:
        compile_error = source.language and _compile_only(line, source.path, program)
        if compile_error:
            raise JudgedError("not-judged", f"the original does not compile: {compile_error}")
    if not re.search(r"undefined (?:reference|symbol)\b.*\bmain\b", said):
        raise JudgedError("not-judged", f"the original does not link: {headline(said)}")
    return False


def _compile(line: CommandLine, options: Sequence[str], output: str) -> str | None:
    """Run a compiler; what it says if it fails, None if all went well."""
    command = [*line.compiler, *line.arguments, *options, "-o", output]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=os.environ | {"LC_ALL": "C"},
        )
    except OSError as error:
        raise _user_error(f"{line.compiler[0]}: {error.strerror}") from error
    return done.stderr.decode("utf-8", "replace") if done.returncode else None


def _compile_only(line: CommandLine, path: str, output: str) -> str | None:
    """Compile one of the sources alone; the first error if that fails."""
    places = {source.place for source in line.inputs if source.path != path}
    kept = tuple(word for place, word in enumerate(line.arguments) if place not in places)
    said = _compile(replace(line, arguments=kept), ("-c",), output)
    return None if said is None else headline(said)


def _transformed(
    line: CommandLine, transform: Transform | None, seconds: int
) -> dict[int, Outcome]:
    """The outcomes of the sources that change, by their places on the command line."""
    try:
        answer = in_child(lambda: _transform_here(line, transform), Limit(seconds))
    except OutOfTimeError as error:
        raise JudgedError("tool-error", str(error)) from None
    if answer is None:
        raise JudgedError("tool-error", "the transformer crashed")
    outcomes, failure = answer
    if failure:
        raise JudgedError("tool-error", failure)
    return outcomes


def _transform_here(
    line: CommandLine, transform: Transform | None
) -> tuple[dict[int, Outcome], str]:
    from s2s.driver.options import Options
    from s2s.driver.transform import transform_file

    options = Options(force=True, compiler=line.compiler[-1])
    outcomes = {}
    for source in line.inputs:
        if source.language:
            try:
                flags = line.flags_for(source)
                outcome = (transform or transform_file)(source.path, flags, options)
            except Exception as error:
                kind = "" if isinstance(error, UserError) else f"{type(error).__name__}: "
                return {}, f"{source.path}: {kind}{error}"
            if outcome.changed:
                outcomes[source.place] = outcome
    return outcomes, ""


def _with_stand_ins(line: CommandLine, outcomes: dict[int, Outcome], directory: str) -> CommandLine:
    """The command with the transformed texts in the places of their originals."""
    from s2s.cli import stand_in

    arguments = list(line.arguments)
    staged = []
    for source in line.inputs:
        if source.place in outcomes:
            place = os.path.join(directory, str(source.place))
            one = stand_in.stage(line, source, outcomes[source.place], place)
            if one is None:
                detail = f"{source.path} cannot be compiled from another place"
                raise JudgedError("not-judged", detail)
            arguments[source.place] = one.file
            staged.append(one)
    return replace(line, arguments=(*stand_in.front_flags(staged), *arguments))


def _without_main(line: CommandLine, directory: str) -> JudgedError:
    """What there is to say about files that have nothing to run."""
    output = os.path.join(directory, "transformed.o")
    for source in line.inputs:
        said = source.language and _compile_only(line, source.path, output)
        if said:
            return JudgedError("compile-error", said)
    return JudgedError("not-judged", "no main: compiled both, nothing to run")


def _build_transformed(line: CommandLine, directory: str) -> str:
    program = os.path.join(directory, "transformed")
    said = _compile(line, (), program)
    if said is not None:
        raise JudgedError("compile-error", headline(said))
    work_done.advance()
    return program
