"""Files that are transformed for a report: several at once, and the same content once.

What came of a file is remembered with its options, its text and the files that it includes, so the
second page of a folder takes what reading it takes. ``S2S_CACHE=0`` switches that off, as for
``s2s cc``; what went wrong, was measured or depends on the time that it took is made anew.
"""

from __future__ import annotations

import argparse
import os
import pickle
import time
from collections.abc import Sequence
from dataclasses import replace

from s2s.cli import commands, remembered
from s2s.cli.programs import program_flags
from s2s.cli.progress import Progress
from s2s.cli.reporting import Reporter
from s2s.cli.reports.units import ReportedUnit, failed_unit, unit_of_outcome
from s2s.driver.options import Outcome
from s2s.source.diagnostics import InternalError, UserError

Source = tuple[str, argparse.Namespace]
"""A file by its name, and the options with which it is transformed."""


def transform_sources(
    sources: Sequence[Source], jobs: int, reporter: Reporter, progress: Progress
) -> list[ReportedUnit]:
    """The units of files, ``jobs`` of which are transformed at once.

    Raises UserError for what is no file; what else keeps one from being transformed is said, and
    is its unit's.
    """
    places = [_place(*source) for source in sources]
    known = [_recall(place) for place in places]
    rest = [(*one, None) for one, unit in zip(sources, known, strict=True) if unit is None]
    units = []
    with commands.started(rest, jobs) as ahead:
        for source, place, unit in zip(sources, places, known, strict=True):
            progress.doing(f"transforming {source[0]}")
            units.append(unit or _transform(source, place, reporter, ahead))
            progress.step()
    return units


def _transform(
    source: Source, place: str, reporter: Reporter, ahead: commands.Ahead
) -> ReportedUnit:
    name, args = source
    begun, since = time.perf_counter(), time.time()
    try:
        outcome = commands.outcome_of(name, args, reporter, ahead=ahead)
    except UserError as error:
        if not os.path.isfile(name):
            raise
        reporter.say(error.diagnostics)
        return failed_unit(name, error.diagnostics, str(error))
    except InternalError as error:
        return failed_unit(name, (), str(error))
    unit = unit_of_outcome(outcome, name, args.cflags, time.perf_counter() - begun)
    _keep(place, unit, outcome, since)
    return unit


def _place(name: str, args: argparse.Namespace) -> str:
    """Where a file's unit is kept, by all that decides but for what the file includes."""
    if args.probe or args.budget or args.passes is not None:
        return ""  # passes of other packages may be another text by now
    if not os.path.isfile(name):
        return ""
    try:
        options = commands.options_of(name, args, program_flags(name, args))
        texts = [remembered.contents(name), *(remembered.contents(f) for f, _ in options.others)]
    except (OSError, UserError):
        return ""
    words = [name, *program_flags(name, args), repr(options), str(args.time_limit)]
    return remembered.place_of("report", [*map(os.fsencode, words), *texts])


def _recall(place: str) -> ReportedUnit | None:
    known = remembered.recall(place) if place else None
    if known is None:
        return None
    try:
        unit: ReportedUnit = pickle.loads(known)
    except Exception:  # of another version, perhaps
        return None
    return replace(unit, remembered=True)


def _keep(place: str, unit: ReportedUnit, outcome: Outcome, since: float) -> None:
    wrong = any(said.id == "internal" for said in unit.diagnostics)
    if outcome.read is not None and not wrong:
        remembered.keep(place, (*outcome.read, unit.path), pickle.dumps(unit), since)
