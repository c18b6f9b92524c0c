"""``s2s report``: what a build or some files became, as a page, a line, or remarks for tools.

What is given is known by its content: a folder with the logs of ``s2s cc``, a single log, a C file
or a folder of such files (transformed for the report), the records of ``s2s bench`` or the loops of
a profile as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from s2s.cli.arguments import positive
from s2s.cli.progress import Progress
from s2s.cli.render import printable
from s2s.cli.reporting import Reporter, Status
from s2s.cli.reports.units import ReportedUnit, read_log, read_logs, report_error
from s2s.source import output
from s2s.source.diagnostics import UsageError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.cli.reports.sources import Source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to read, what to write; how files are transformed is as in ``s2s transform``."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE",
        help="the folder that S2S_LOG_DIR named, C files or a folder of them, JSON of 's2s bench'"
        " or of a profile",
    )  # fmt: skip
    parser.add_argument("-o", dest="output", metavar="PAGE", help="the page: one HTML file")
    parser.add_argument(
        "--summary", action="store_true", help="print a line about all units, as after a build"
    )
    parser.add_argument("--title", metavar="TEXT", help="the page's heading (default: from FILE)")
    parser.add_argument(
        "--most", type=positive, metavar="BYTES", default=0,
        help="size of the page, past which sources are left out (default: 5 million)",
    )  # fmt: skip


@dataclass
class _Given:
    """What the command line's files hold."""

    units: list[ReportedUnit] = field(default_factory=list)
    charts: list[dict[str, Any]] = field(default_factory=list)
    times: dict[str, dict[int, float]] = field(default_factory=dict)


def main(args: argparse.Namespace) -> int:
    """Write what was asked for; the exit status."""
    from s2s.cli.ineffective import check_transform

    if not args.output and not args.summary and not args.sarif and not args.remarks_yaml:
        raise UsageError("'-o PAGE', '--summary', '--sarif' or '--remarks-yaml' says what to make")
    args.target = "cpu"
    check_transform(args)
    for path in filter(None, (args.output, args.sarif, args.remarks_yaml)):
        output.check_writable(path)
        if any(os.path.realpath(path) == os.path.realpath(name) for name in args.files):
            raise UsageError(f"'{path}' would overwrite what is reported on")
    reporter = Reporter("none")
    given = _read(args, reporter)
    if args.sarif or args.remarks_yaml:
        _write_remarks(args, given)
    if args.output:
        output.write_file(args.output, _page(args, given))
    if args.summary:
        from s2s.cli.reports.build import summary

        output.write_standard_output(f"s2s: {printable(summary(given.units))}\n".encode())
    here = (unit for unit in given.units if not unit.directory)  # not compiled in a build
    failed = any(unit.state == "failed" for unit in here)
    return Status.USER_ERROR if failed else Status.DONE


def _read(args: argparse.Namespace, reporter: Reporter) -> _Given:
    from s2s.cli.reports.sources import transform_sources

    given = _Given()
    known: set[str] = set()
    for name in args.files:
        if os.path.realpath(name) in known:
            raise UsageError(f"'{name}' is given twice")
        known.add(os.path.realpath(name))
    with Progress(f"reading {args.files[0]}"):
        sources = _read_others(args, given)
    with Progress("transforming", len(sources)) as progress:
        given.units += transform_sources(sources, args.jobs, reporter, progress)
    return given


def _read_others(args: argparse.Namespace, given: _Given) -> list[Source]:
    """Read what was made before; the sources, each with its options.

    Those that are named are one program, each below a folder is one of its own.
    """
    from s2s.cli.programs import programs_of

    named: list[str] = []
    folders: list[str] = []
    for name in args.files:
        if os.path.isdir(name) and (below := _sources_below(name)):
            folders += below
        elif os.path.isdir(name):
            given.units += read_logs(name)
        elif name.endswith(".json"):
            _read_json(name, given)
        else:
            named.append(name)
    whole = argparse.Namespace(**{**vars(args), "files": named})
    found = [(name, whole) for name in programs_of(whole)]
    for name in folders:
        found.append((name, argparse.Namespace(**{**vars(args), "files": [name]})))
    return found


def _sources_below(folder: str) -> list[str]:
    """The C files of a folder that has no JSON in it, and of those in it; each is a program."""
    try:
        if any(name.endswith(".json") for name in os.listdir(folder)):
            return []
    except OSError as error:
        raise report_error(folder, error.strerror or str(error)) from error
    found = []
    for path, _, names in os.walk(folder):
        found += [os.path.join(path, name) for name in names if name.endswith(".c")]
    return sorted(found)


def _read_json(name: str, given: _Given) -> None:
    """A log, benchmarks or a profile. Raises UserError for anything else."""
    try:
        with open(name, "rb") as stream:
            values = json.load(stream)
    except (OSError, ValueError) as error:
        raise report_error(name, str(getattr(error, "strerror", None) or error)) from error
    values = values if isinstance(values, dict) else {}
    if "loops" in values:
        for path, lines in _times(name, values["loops"]).items():
            given.times.setdefault(path, {}).update(lines)
    elif "records" in values:
        from s2s.cli.reports.charts import charts_of

        given.charts += charts_of(name, values)
    elif (unit := read_log(name)) is not None:
        given.units.append(unit)
    else:
        raise report_error(name, "neither a log of 's2s cc' nor of a benchmark nor a profile")


def _times(name: str, loops: Any) -> dict[str, dict[int, float]]:
    """Seconds of loops; relative names are looked for beside the profile, then here."""
    found: dict[str, dict[int, float]] = {}
    try:
        for loop in loops:
            line, seconds = int(loop["line"]), float(loop["seconds"])
            beside = os.path.join(os.path.dirname(name), str(loop["file"]))
            path = beside if os.path.exists(beside) else str(loop["file"])
            lines = found.setdefault(os.path.realpath(path), {})
            lines[line] = max(seconds, lines.get(line, 0.0))
    except (KeyError, TypeError, ValueError) as error:
        text = (
            f'is no profile: it has to be {{"loops": [{{"file", "line", "seconds"}}]}} ({error!r})'
        )
        raise report_error(name, text) from error
    return found


def _page(args: argparse.Namespace, given: _Given) -> bytes:
    """The page; sources that would make it too large are left out."""
    from s2s.cli.reports.build import MOST_TEXT, BuildData
    from s2s.cli.reports.page import LARGEST, make_page

    most = args.most or LARGEST
    title = args.title or _title(args.files, given.units)
    for room in (MOST_TEXT, MOST_TEXT // 4, 0):
        page = make_page(BuildData(given.units, given.times, room=room).run(title, given.charts))
        if len(page) <= most:
            break
    return page


def _title(files: Sequence[str], units: Sequence[ReportedUnit]) -> str:
    first = os.path.basename(os.path.abspath(files[0]))
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return f"s2s: {first}{more}" if units else f"s2s bench: {first}{more}"


def _write_remarks(args: argparse.Namespace, given: _Given) -> None:
    """One log for all units, in each form that was asked for."""
    from s2s.cli.reports.remarks import Remarks

    remarks = Remarks(given.units, given.times)
    if args.sarif:
        output.write_file(args.sarif, remarks.as_sarif())
    if args.remarks_yaml:
        output.write_file(args.remarks_yaml, remarks.as_yaml())
