"""A suite of loops under one compiler: transformed, built, checked and timed in turn."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from s2s.bench.objects import Objects
from s2s.bench.programs.trial import COMPARISON_FLAGS, Transformed, run_tool
from s2s.bench.records import Outcome
from s2s.bench.single_loops.description import Functions, LoopSuite, functions
from s2s.bench.single_loops.result import LOSS, LoopResult
from s2s.bench.single_loops.server import Digest, Server
from s2s.bench.spread import ratio_range
from s2s.bench.suite import Request
from s2s.driver.vectorized import CannotCompileError, Report, compile_asking, letters
from s2s.source.records import dataclass
from s2s.tuning import measure
from s2s.tuning.measure import MeasurementError

DEFAULT_FLAGS = "-O3 -march=native"
FAST = "-ffast-math"
# New code may have `#pragma omp simd`; without such a pragma the flag does nothing.
ALWAYS = ("-fopenmp-simd",)

# Relative differences that are allowed between results on a suite's own data: contraction of
# a * b + c alone, or any order of operations. Random data are compared bit by bit, and only where
# s2s was allowed to reassociate sums of them are compared.
_CONTRACTED, _REASSOCIATED = 1e-4, 1e-2
_SUMS_TOLERANCE = 1e-3
# Below it floats are denormal numbers, which have few digits to agree in: products of many factors
# end there.
_SMALLEST = 1.2e-38
_SEEDS = ((1, False), (2, True))

# Short requests are repeated until this many seconds are spent on a loop, or so often.
_SECONDS, _MOST = 0.08, 6


@dataclass(frozen=True)
class Variant:
    """A compiler and whether floating-point operations may be reordered."""

    name: str
    compiler: str
    fast: bool


@dataclass(frozen=True)
class _Build:
    """Programs of one text, for timing and for checking; what the compiler said of the first."""

    text: Functions
    timed: Path
    exact: Path
    reports: tuple[Report, ...]


@dataclass(frozen=True)
class _Servers:
    """Running programs: the timed and the exact one of a text."""

    timed: Server
    exact: Server


@dataclass
class Trial:
    """The work on one variant. ``results`` raises MeasurementError where nothing can be built."""

    suite: LoopSuite
    variant: Variant
    request: Request
    folder: Path
    said: list[Mapping[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._around = Objects(self.variant.compiler, self.folder / "around")

    def results(self) -> Iterator[LoopResult]:
        """One result for each loop; what fails for one loop is a result, too."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "calls.h").write_text(self.suite.calls)
        original = self._build("original", self.suite.source)
        transformed = self._transform()
        self.said = list(transformed.said)
        new = self._build("s2s", transformed.sources[0]) if transformed.sources else original
        with ExitStack() as stack:
            old_servers, new_servers = (
                _Servers(stack.enter_context(Server(b.timed)), stack.enter_context(Server(b.exact)))
                for b in (original, new)
            )
            for loop in self.suite.loops:
                if not self.request.only or loop in self.request.only:
                    yield self._loop(loop, original, new, old_servers, new_servers)

    # -- building ---------------------------------------------------------------------------

    def _transform(self) -> Transformed:
        options = ("--compiler", self.variant.compiler, *self.request.options)
        flags = (*self._flags(), *self.suite.flags, *self.suite.source_flags)
        return run_tool((self.suite.source,), self.folder / "text", flags, options)

    def _flags(self, *, exact: bool = False) -> tuple[str, ...]:
        """The flags of the timed build, or of the one whose bits are compared."""
        sweeps = f"-DSWEEPS={self.suite.sweeps[self.request.size]}"
        fast = (FAST,) if self.variant.fast and not exact else ()
        more = COMPARISON_FLAGS if exact else ()
        return (*self.request.given_flags(DEFAULT_FLAGS), *fast, *more, *ALWAYS, sweeps)

    def _build(self, name: str, source: Path) -> _Build:
        text = functions(source.read_text("utf-8", "replace"))
        timed, reports = self._program(f"{name}-timed", source, self._flags())
        exact, _ = self._program(f"{name}-exact", source, self._flags(exact=True))
        return _Build(text, timed, exact, reports)

    def _program(
        self, name: str, source: Path, flags: Sequence[str]
    ) -> tuple[Path, tuple[Report, ...]]:
        """Compile and link; what the compiler vectorized in ``source``."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        mine = (*flags, *self.suite.flags, *self.suite.source_flags)
        quoted = f"-iquote{self.suite.source.parent.absolute()}"
        compiler = self.variant.compiler
        try:
            found = compile_asking(
                compiler, [*mine, quoted], str(source), str(folder / f"{source.name}.o")
            )
        except CannotCompileError as error:
            raise MeasurementError(f"does not compile: {error}") from error
        objects = [folder / f"{source.name}.o", *self._surroundings(flags)]
        measure.build(compiler, list(flags), objects, folder / "loops", self.suite.libraries)
        return folder / "loops", tuple(r for r in found if Path(r.path) == source)

    def _surroundings(self, flags: Sequence[str]) -> list[Path]:
        """Objects of what both texts are linked with."""
        shared = (*flags, *self.suite.flags)
        parts = [(file, (*shared, *self.suite.source_flags)) for file in self.suite.support]
        return self._around.of([*parts, (self.suite.driver, (*shared, f"-I{self.folder}"))])

    # -- one loop ---------------------------------------------------------------------------

    def _loop(
        self, loop: str, original: _Build, new: _Build, old_servers: _Servers, servers: _Servers
    ) -> LoopResult:
        result = LoopResult(
            suite=self.suite.name,
            case=loop,
            variant=self.variant.name,
            outcome=Outcome.UNCHANGED,
            before=_letter(original, loop),
            after=_letter(new, loop),
            applied=self._applied(loop, original.text),
        )
        try:
            if _text(original, loop) == _text(new, loop):
                return replace(result, original=min(self._seconds(loop, [old_servers.timed])[0]))
            outcome, inexact = self._checked(loop, old_servers.exact, servers.exact)
            result = replace(result, outcome=outcome, inexact=inexact)
            if outcome is not Outcome.CHANGED:
                return result
            return self._timed(result, old_servers.timed, servers.timed)
        except MeasurementError as error:
            return replace(result, outcome=Outcome.FAILED, note=str(error))

    def _applied(self, loop: str, text: Functions) -> str:
        """The remarks about a function, with the passes that they come from."""
        lines = [text.lines[name] for name in text.with_callees(loop)]
        found = [
            f"{said['text']} [{said['id']}]"
            for said in self.said
            if said["severity"] == "remark"
            and said.get("location")
            and any(said["location"]["line"] in own for own in lines)
        ]
        return ", ".join(dict.fromkeys(found))

    def _checked(self, loop: str, old: Server, new: Server) -> tuple[Outcome, bool]:
        """Whether both compute the same on random data, and whether that needed a tolerance."""
        inexact = False
        for seed, signed in _SEEDS:
            wanted = old.check(loop, seed, signed=signed)
            try:
                found = new.check(loop, seed, signed=signed)
            except MeasurementError:
                return Outcome.CRASHED, False
            if found.bits != wanted.bits:
                inexact = True
                if not self.variant.fast or not _agree(wanted, found):
                    return Outcome.DIFFERENT, False
        return Outcome.CHANGED, inexact

    def _timed(self, result: LoopResult, old: Server, new: Server) -> LoopResult:
        """Both in turn; once more where the new code seems to be slower, which may be noise."""
        tolerance = _REASSOCIATED if self.variant.fast else _CONTRACTED
        sweeps = self.suite.sweeps[self.request.size]
        wanted, found = (server.time(result.case, sweeps).result for server in (old, new))
        if not _close(wanted, found, tolerance):
            return replace(
                result, outcome=Outcome.INEXACT, note=f"{found:.6g} in the place of {wanted:.6g}"
            )
        before, after = self._seconds(result.case, [old, new])
        if min(before) < min(after) * LOSS:
            again = self._seconds(result.case, [old, new])
            before, after = before + again[0], after + again[1]
        return replace(
            result, original=min(before), transformed=min(after), range=ratio_range(before, after)
        )

    def _seconds(self, loop: str, servers: Sequence[Server]) -> list[list[float]]:
        """The times of several rounds, in each of which the servers take turns."""
        sweeps = self.suite.sweeps[self.request.size]
        found = [[server.time(loop, sweeps).seconds] for server in servers]
        rounds = math.ceil(_SECONDS / max(1e-6, *(times[0] for times in found)))
        for _ in range(min(max(rounds, self.request.repeat), _MOST * self.request.repeat)):
            for times, server in zip(found, servers, strict=True):
                times.append(server.time(loop, sweeps).seconds)
        return found


def _letter(build: _Build, loop: str) -> str:
    """Whether the compiler vectorized a loop in a function or in one that it calls."""
    lines = [build.text.lines[name] for name in build.text.with_callees(loop)]
    return letters(r for r in build.reports if any(r.line in own for own in lines))


def _text(build: _Build, loop: str) -> list[str]:
    """A function's text and that of those that it calls."""
    return [build.text.texts[name] for name in build.text.with_callees(loop)]


def _agree(left: Digest, right: Digest) -> bool:
    return all(_close(a, b, _SUMS_TOLERANCE) for a, b in zip(left.sums, right.sums, strict=True))


def _close(left: float, right: float, tolerance: float) -> bool:
    return (
        (math.isnan(left) and math.isnan(right))
        or left == right
        or math.isclose(left, right, rel_tol=tolerance, abs_tol=_SMALLEST)
    )


def variants(compilers: Sequence[str]) -> list[Variant]:
    """Each compiler as it is used for speed, then with the order of operations kept.

    A compiler is called by its family where there is one of that family only.
    """
    from s2s.source.compiler import family

    named = [family(compiler) for compiler in compilers]
    names = [
        name if named.count(name) == 1 else re.sub(r"\W+", "-", Path(compiler).name)
        for name, compiler in zip(named, compilers, strict=True)
    ]
    return [
        Variant(name if fast else f"{name}-ieee", compiler, fast)
        for fast in (True, False)
        for name, compiler in zip(names, compilers, strict=True)
    ]
