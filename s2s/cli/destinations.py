"""Where results go: standard output, a file, a directory, a patch, the source itself."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2s.source import output
from s2s.source.diagnostics import Diagnostic, Location, Severity, UsageError, UserError

if TYPE_CHECKING:
    import argparse

    from s2s.driver.options import Outcome


def check_outputs(args: argparse.Namespace) -> None:
    """Raise UsageError for outputs that exclude each other."""
    given = [
        option
        for option, is_given in (
            ("-o", args.output is not None), ("--diff", args.diff), ("--in-place", args.in_place)
        )
        if is_given
    ]  # fmt: skip
    if len(given) > 1:
        raise UsageError(f"'{given[1]}' has no effect with '{given[0]}'")
    if args.in_place and "-" in args.files:
        raise UsageError("the standard input is no file for '--in-place'")
    for word in given[:1] if args.target and given != ["-o"] else ():
        _check_target(word, args.target)


def _check_target(option: str, name: str) -> None:
    from s2s.targets.registry import find
    from s2s.targets.target import Edits, Regions

    if not isinstance(find(name).c, Edits | Regions):
        raise UsageError(f"'{option}' has no effect with '--target {name}', which writes a program")


def destinations(files: Sequence[str], args: argparse.Namespace) -> list[str | None]:
    """Where the result of each file goes; None is the standard output.

    Raises UsageError for a combination without sense, UserError for an unusable directory.
    """
    if args.in_place:
        return list(files)
    if args.diff:
        return [None] * len(files)
    return _named_by(files, args.output)


def _named_by(files: Sequence[str], out: str | None) -> list[str | None]:
    if out is None or out == "-":
        if len(files) > 1:
            raise UsageError("several files need '-o DIRECTORY/', '--diff' or '--in-place'")
        return [None]
    if not out.endswith("/") and not (len(files) > 1 and os.path.isdir(out)):
        if len(files) > 1 or not out:
            raise UsageError(f"'-o {out}' is not a directory, which several files need")
        return [out]
    output.make_directory(out)
    names = [os.path.basename(name) for name in files]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated:
        raise UsageError(f"two files would become '{os.path.join(out, repeated)}'")
    if "-" in names:
        raise UsageError("the standard input has no name for '-o DIRECTORY/'")
    return [os.path.join(out, name) for name in names]


def named(destination: str, outcome: Outcome, out: str | None) -> str:
    """Where the text goes: in a directory it has the name or the ending that the target gives."""
    if out is None or destination == out:
        return destination
    if outcome.name:
        return os.path.join(os.path.dirname(destination), outcome.name)
    return os.path.splitext(destination)[0] + outcome.suffix if outcome.suffix else destination


def emit(outcome: Outcome, name: str, destination: str | None, *, as_diff: bool = False) -> None:
    """Write the result; an unchanged file over itself is left alone, time stamp and all."""
    if as_diff:
        from s2s.driver.results import unified_diff

        patch = unified_diff(name, outcome.original, outcome.text)
        output.write_standard_output(patch.encode("utf-8", "surrogateescape"))
    elif destination is None:
        output.write_standard_output(outcome.text)
    elif outcome.changed or not _same_file(name, destination):
        output.write_file(destination, outcome.text)
        for companion, text in outcome.companions:
            path = os.path.join(os.path.dirname(destination), companion)
            if os.path.dirname(companion):
                output.make_directory(os.path.dirname(path))
            output.write_file(path, text)


def check_same_kind(outcome: Outcome, option: str) -> None:
    """Raise UserError where what came out is another file than the source."""
    if outcome.suffix or outcome.name or outcome.companions:
        text = f"'{option}' is for C: this file becomes another one"
        place = Location(outcome.path, 1, 1, 1, 1)
        raise UserError(Diagnostic(Severity.ERROR, text, "output", place))


def _same_file(first: str, second: str) -> bool:
    return os.path.exists(first) and os.path.exists(second) and os.path.samefile(first, second)


def save_schedule(
    path: str, outcome: Outcome, name: str, passes: Sequence[str] | None
) -> None:  # fmt: skip
    """Write the orders of all changed regions to a file."""
    import json

    from s2s.cli.result_of import result_of
    from s2s.driver.passes import DEFAULT

    found = result_of(outcome, name, tuple(DEFAULT) if passes is None else passes)
    output.write_file(path, (json.dumps(found.schedule, indent=2) + "\n").encode())
