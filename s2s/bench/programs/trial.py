"""One program of a suite: transformed in each way, built, compared and timed.

The tool runs as a user runs it, in a process of its own, so that its time counts from the start
and a defect ends one variant only. All variants of a program are timed in turn.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import s2s
from s2s.analyses.schedule_steps import LETTERS
from s2s.bench.objects import Objects
from s2s.bench.programs.description import Case
from s2s.bench.programs.result import Result
from s2s.bench.records import Outcome
from s2s.bench.spread import ratio_range
from s2s.bench.suite import Request, thread_counts, words
from s2s.source.records import dataclass
from s2s.tuning import measure
from s2s.tuning.measure import COMPILATIONS, MeasurementError, Program, Run

# Contraction of a * b + c depends on how a compiler sees the loop around it, so bits are compared
# without it, and the builds that are timed only have to agree within rounding.
COMPARISON_FLAGS = ("-ffp-contract=off",)
DEFAULT_FLAGS = "-O3 -march=native -fopenmp"
OWN_FLAGS = "own"
TOOL_LIMIT_SECONDS = 600.0


@dataclass(frozen=True)
class Variant:
    """A way to transform and run a program: options of ``s2s transform`` and threads."""

    name: str
    options: tuple[str, ...]
    threads: int


@dataclass(frozen=True)
class Transformed:
    """What the tool made of a program: its sources, None if no byte changed; what was ``said``."""

    sources: tuple[Path, ...] | None
    seconds: float
    letters: str = ""
    note: str = ""
    said: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, eq=False)
class _Build:
    """Executables of one text, for timing and for comparing; and what compiling it took."""

    timed: Program
    exact: Program
    compile_seconds: float


@dataclass(frozen=True)
class _Way:
    """What one set of options led to: a text, its build if any byte changed, or an error."""

    transformed: Transformed | None = None
    build: _Build | None = None
    error: str = ""


def variants(case: Case, threads: Sequence[int]) -> list[Variant]:
    """OpenMP programs with and without happens-before; sequential ones as they are, or parallel."""
    if case.sequential:
        serial = [Variant("seq", (), 1)]
        return serial + [Variant(f"par-{t}t", ("--parallel",), t) for t in threads if t > 1]
    return [
        Variant(f"{name}-{count}t", options, count)
        for count in threads
        for name, options in (("nohb", ("--no-happens-before",)), ("popp", ()))
    ]


def run_tool(
    sources: Sequence[Path], folder: Path, flags: Sequence[str], options: Sequence[str]
) -> Transformed:
    """``s2s transform`` of a program's files into ``folder``; raises MeasurementError."""
    folder.mkdir(parents=True, exist_ok=True)
    package = Path(s2s.__file__).resolve().parent.parent
    search = os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH", "")]))
    command = [sys.executable, "-m", "s2s", "transform", *map(str, sources), "-o", f"{folder}/"]
    command += ["--remarks", "json", *options, "--", *flags]
    start = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "PYTHONPATH": search},
            stdin=subprocess.DEVNULL,
            timeout=TOOL_LIMIT_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise MeasurementError(f"s2s transform took more than {error.timeout:.0f} s") from error
    seconds = time.perf_counter() - start
    said = _remarks(done.stderr)
    if done.returncode != 0:
        raise MeasurementError(f"not transformed: {_first(said, 'error') or done.stderr[-200:]}")
    texts = tuple(folder / source.name for source in sources)
    changed = any(a.read_bytes() != b.read_bytes() for a, b in zip(sources, texts, strict=True))
    note = _first(said, "remark" if changed else "missed") or _first(said, "error")
    return Transformed(texts if changed else None, seconds, _letters(said), note, said)


def _remarks(text: str) -> list[Mapping[str, object]]:
    start = text.find("[")
    try:
        found: list[Mapping[str, object]] = json.loads(text[start:]) if start >= 0 else []
    except json.JSONDecodeError:
        return []
    return found


def _first(said: Sequence[Mapping[str, object]], severity: str) -> str:
    """The first text of that severity, and how many others there are."""
    texts = list(dict.fromkeys(str(d["text"]) for d in said if d["severity"] == severity))
    more = f" (and {len(texts) - 1} more)" if len(texts) > 1 else ""
    return f"{texts[0]}{more}" if texts else ""


def _letters(said: Sequence[Mapping[str, object]]) -> str:
    found = {letter for d in said for letter in str(d.get("letters", ""))}
    return "".join(letter for letter in LETTERS if letter in found)


class Trial:
    """The work on one case: transform, build, compare, time."""

    def __init__(self, case: Case, request: Request, folder: Path) -> None:
        self.case = case
        self.request = request
        self.compiler = request.compiler or "gcc"
        self.folder = folder.absolute()
        given = words("--flags", request.flags or DEFAULT_FLAGS)
        base = case.own_flags if request.flags == OWN_FLAGS else given
        size = case.size_flags.get(request.size, ())
        self.flags = (*base, *case.flags, *size, *request.cflags)
        self.source_flags = (*self.flags, *case.source_flags)
        self.variants = variants(case, request.threads or thread_counts())
        self._fixed = Objects(self.compiler, self.folder / "support")
        self._builds: dict[tuple[bytes, ...], _Build] = {}

    def results(self) -> list[Result]:
        """One result for each variant; whatever fails is a result too."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            original = self._build("original", self.case.sources)
        except MeasurementError as error:
            return [self._result(v, _Way(error=str(error)), Outcome.FAILED) for v in self.variants]
        ways = {o: self._way(o) for o in dict.fromkeys(v.options for v in self.variants)}
        results = []
        for threads in dict.fromkeys(v.threads for v in self.variants):
            here = {v: ways[v.options] for v in self.variants if v.threads == threads}
            results += self._measured(original, here, threads)
        return results

    def _way(self, options: tuple[str, ...]) -> _Way:
        name = "-".join(["s2s", *(option.strip("-") for option in options)])
        flags = (*self.request.options, *options)
        transformed = None
        try:
            transformed = run_tool(self.case.sources, self.folder / name, self.source_flags, flags)
            if transformed.sources is None:
                return _Way(transformed)
            text = tuple(path.read_bytes() for path in transformed.sources)
            if text not in self._builds:
                self._builds[text] = self._build(name, transformed.sources)
            return _Way(transformed, self._builds[text])
        except MeasurementError as error:
            return _Way(transformed, error=str(error))

    def _build(self, name: str, sources: Sequence[Path]) -> _Build:
        timed, seconds = self._program(name, sources, ())
        exact, _ = self._program(f"{name}-exact", sources, COMPARISON_FLAGS, times=1)
        return _Build(timed, exact, seconds)

    def _program(
        self, name: str, sources: Sequence[Path], extra: tuple[str, ...], times: int = COMPILATIONS
    ) -> tuple[Program, float]:
        """Compile and link one text; the program and the compiler's seconds for the sources."""
        includes = [f"-iquote{source.parent.absolute()}" for source in self.case.sources]
        flags = [*self.source_flags, *extra, *includes]
        folder = self.folder / f"{name}.build"
        folder.mkdir(exist_ok=True)
        objects = [folder / f"{number}-{s.name}.o" for number, s in enumerate(sources)]
        seconds = sum(
            measure.compile_object(self.compiler, flags, source, target, times=times)
            for source, target in zip(sources, objects, strict=True)
        )
        objects += self._unchanging(extra)
        program = folder / self.case.name
        measure.build(self.compiler, self.flags, objects, program, self.case.libraries)
        arguments = self.case.sizes[self.request.size]
        return Program(program, arguments, self.case.time, self.case.environment), seconds

    def _unchanging(self, extra: tuple[str, ...]) -> list[Path]:
        """Objects of what is never transformed: files of the suite, and our drivers."""
        parts = [(file, (*self.source_flags, *extra)) for file in self.case.support]
        return self._fixed.of([*parts, *((f, (*self.flags, *extra)) for f in self.case.drivers)])

    def _measured(
        self, original: _Build, ways: Mapping[Variant, _Way], threads: int
    ) -> list[Result]:
        """Compare the exact builds, then time the others, whose outputs have to agree as well."""
        try:
            expected = self._expected(original, threads)
            outcomes = {v: self._checked(way, expected, threads) for v, way in ways.items()}
            right = [w.build for v, w in ways.items() if outcomes[v] is Outcome.CHANGED]
            builds = list(dict.fromkeys([original, *filter(None, right)]))
            programs = [build.timed for build in builds]
            runs = dict(
                zip(builds, measure.interleave(programs, threads, self.request.repeat), strict=True)
            )
        except MeasurementError as error:
            failed = _Way(error=str(error))
            return [self._result(v, failed, Outcome.FAILED) for v in ways]
        results = []
        for variant, way in ways.items():
            outcome = outcomes[variant]
            mine = runs[way.build] if outcome is Outcome.CHANGED and way.build else None
            if mine and not self._agree(runs[original], mine):
                outcome, mine = Outcome.INEXACT, None
            results.append(self._result(variant, way, outcome, original, runs[original], mine))
        return results

    def _expected(self, original: _Build, threads: int) -> str:
        """The original's output, which has to hold what outputs are compared by."""
        output = measure.run(original.exact, threads).output
        if self.case.exact and not self.case.exact.search(output):
            raise MeasurementError(f"the original prints no line with '{self.case.exact.pattern}'")
        return output

    def _checked(self, way: _Way, expected: str, threads: int) -> Outcome:
        """Whether the exact build computes what the original does."""
        if way.error:
            return Outcome.FAILED
        if way.build is None:
            return Outcome.UNCHANGED
        try:
            output = measure.run(way.build.exact, threads).output
        except MeasurementError:
            return Outcome.CRASHED
        same = self._same(expected, output, self.case.tolerance, None)
        return Outcome.CHANGED if same else Outcome.DIFFERENT

    def _agree(self, original: Sequence[Run], mine: Sequence[Run]) -> bool:
        """Whether the timed runs printed the same up to rounding."""
        rounding = max(self.case.rounding, self.case.tolerance)
        first = original[0].output
        return all(
            self._same(first, run.output, rounding, self.case.exact) for run in (*original, *mine)
        )

    def _same(
        self, left: str, right: str, tolerance: float, also_ignored: re.Pattern[str] | None
    ) -> bool:
        ignored = [p for p in (self.case.time, self.case.ignore, also_ignored) if p]
        return measure.same_output(left, right, tolerance=tolerance, ignore=ignored)

    def _result(
        self,
        variant: Variant,
        way: _Way,
        outcome: Outcome,
        original: _Build | None = None,
        base: Sequence[Run] = (),
        mine: Sequence[Run] | None = None,
    ) -> Result:
        done = way.transformed
        compiled = None
        if original and original.compile_seconds and way.build:
            compiled = way.build.compile_seconds / original.compile_seconds
        return Result(
            suite=self.case.suite,
            case=self.case.name,
            variant=variant.name,
            threads=variant.threads,
            outcome=outcome,
            baseline="original-1t" if self.case.sequential else f"original-{variant.threads}t",
            original=measure.fastest(base) if base else None,
            transformed=measure.fastest(mine) if mine else None,
            range=ratio_range([r.seconds for r in base], [r.seconds for r in mine or ()]),
            published=self.case.published.get(variant.name),
            letters=done.letters if done else "",
            tool_seconds=done.seconds if done else None,
            compile_ratio=compiled,
            note=way.error or (done.note if done else ""),
        )
