"""``s2s profile``: where a program's time goes, and what s2s makes of the loops there."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from s2s.cli.arguments import positive
from s2s.cli.profiler.samples import Place, Profile, run_sampled
from s2s.source import output
from s2s.source.diagnostics import Diagnostic, Severity, UsageError, UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.driver.loop_nests import LoopNest

_SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".h", ".hpp")
# Nests with less of the time are not asked about.
_LEAST = 0.01
_REASONS = 3


@dataclass(frozen=True)
class HotLoop:
    """A nest of loops, the samples in it, and what s2s says of it."""

    path: str
    nest: LoopNest
    samples: int
    said: tuple[Diagnostic, ...] = ()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options; the program and its arguments follow ``--``."""
    parser.add_argument(
        "-p", dest="build_directory", metavar="BUILD_DIR",
        help="take compiler flags from BUILD_DIR/compile_commands.json",
    )  # fmt: skip
    parser.add_argument(
        "--cflags", dest="own_flags", default="", metavar="FLAGS",
        help="compiler flags of all files: --cflags='-O3 -I include'",
    )  # fmt: skip
    parser.add_argument(
        "--top", type=positive, default=10, metavar="N", help="nests to show (default: %(default)s)"
    )
    parser.add_argument(
        "--budget", type=positive, default=20, metavar="SECONDS",
        help="processor time to ask what s2s does with one file (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--json", metavar="FILE", help="write the loops' lines and seconds")


def main(args: argparse.Namespace) -> int:
    """Run the program and show its hottest nests on standard error; its exit status."""
    if not args.cflags:
        raise UsageError("a program is needed: s2s profile -- ./program")
    if args.build_directory and args.own_flags:
        raise UsageError("'--cflags' has no effect with '-p'")
    if args.json:
        output.check_writable(args.json)
    output.flush_standard_output()
    profile = run_sampled(args.cflags)
    flags = _Flags(args.build_directory, tuple(shlex.split(args.own_flags)))
    loops = _hot_loops(profile, flags)
    if args.json:
        output.write_file(args.json, _as_json(profile, loops))
    shown = [_explained(loop, loops, profile, flags, args.budget) for loop in loops[: args.top]]
    sys.stderr.write("\n".join(_report(profile, shown, loops, args.cflags)) + "\n")
    return profile.status


@dataclass(frozen=True)
class _Flags:
    """With which flags files are compiled."""

    build_directory: str | None
    given: tuple[str, ...]

    def of(self, path: str) -> tuple[str, ...]:
        if self.build_directory is None:
            return self.given
        from s2s.cli.compile_commands import flags_for

        try:
            return flags_for(self.build_directory, path)
        except UserError:  # a header
            return self.given


def _hot_loops(profile: Profile, flags: _Flags) -> list[HotLoop]:
    """The nests with samples, hottest first."""
    from s2s.driver.loop_nests import loop_nests

    by_path: dict[str, dict[int, int]] = {}
    for place, count in profile.samples.items():
        if place.line and place.path.endswith(_SUFFIXES) and os.path.isfile(place.path):
            by_path.setdefault(place.path, {})[place.line] = count
    found: list[HotLoop] = []
    for path, lines in by_path.items():
        hot: Counter[LoopNest] = Counter()
        nests = loop_nests(path, flags.of(path))
        for line, count in lines.items():
            nest = next((n for n in reversed(nests) if n.has(line)), None)
            if nest is not None:
                hot[nest] += count
        found += [HotLoop(path, nest, count) for nest, count in hot.items()]
    return sorted(found, key=lambda loop: (-loop.samples, loop.path, loop.nest))


def _explained(
    loop: HotLoop, loops: Sequence[HotLoop], profile: Profile, flags: _Flags, budget: int
) -> HotLoop:
    """A nest with what was done there, or the reasons why nothing was."""
    if loop.samples < _LEAST * profile.count:
        return loop
    said = _said_of(loop.path, flags.of(loop.path), budget)
    here = [d for d in said if _is_about(d, loop.nest)]
    done = [d for d in here if d.severity is Severity.REMARK]
    return HotLoop(loop.path, loop.nest, loop.samples, tuple((done or here)[:_REASONS]))


_SAID: dict[tuple[str, tuple[str, ...]], list[Diagnostic]] = {}


def _said_of(path: str, flags: tuple[str, ...], budget: int) -> list[Diagnostic]:
    """A remark or a reason for each region of a file."""
    from s2s.cli.root_causes import Regions
    from s2s.driver.guarded import transform_file
    from s2s.driver.options import Options

    if (path, flags) not in _SAID:
        try:
            outcome = transform_file(path, flags, Options(budget=budget))
            _SAID[path, flags] = list(Regions().condensed(outcome.diagnostics))
        except UserError as error:
            _SAID[path, flags] = list(error.diagnostics)
    return _SAID[path, flags]


def _is_about(said: Diagnostic, nest: LoopNest) -> bool:
    place = said.location
    if said.severity is Severity.ERROR or place is None:
        return said.severity is Severity.ERROR
    return place.line <= nest.last and nest.first <= max(place.line, place.end_line)


def _as_json(profile: Profile, loops: Sequence[HotLoop]) -> bytes:
    """``{"loops": [{"file", "line", "seconds"}]}``, hottest first."""
    rows = [
        {"file": loop.path, "line": loop.nest.first,
         "seconds": round(profile.seconds_of(loop.samples), 4)}
        for loop in loops
    ]  # fmt: skip
    return (json.dumps({"loops": rows}, indent=1) + "\n").encode()


def _report(
    profile: Profile, shown: Sequence[HotLoop], loops: Sequence[HotLoop], command: Sequence[str]
) -> Iterator[str]:
    count = profile.count
    yield f"{profile.seconds:.2f} s of processor time in {command[0]} ({count} samples)"
    yield f"{'seconds':>9} {'share':>6}  loops"
    for loop in shown:
        nest = loop.nest
        what = f"{_short(loop.path)}:{nest.first}-{nest.last} in {nest.function}"
        yield _row(profile, loop.samples, what)
        for said in loop.said:
            line = f", line {said.location.line}" if said.location else ""
            yield f"{'':18}{said.severity.value}: {said.text} [{said.id}]{line}"
    rest = sum(loop.samples for loop in loops[len(shown) :])
    if rest:
        yield _row(profile, rest, f"{len(loops) - len(shown)} other nests")
    yield from _outside(profile, sum(loop.samples for loop in loops))


def _outside(profile: Profile, in_loops: int) -> Iterator[str]:
    """What is not in a loop of the source: libraries, code without lines, and the rest."""
    unknown = Counter[str]()
    for place, samples in profile.samples.items():
        if not _is_known(place):
            unknown[os.path.basename(place.path) or "elsewhere"] += samples
    for name, samples in unknown.most_common():
        if samples >= _LEAST * profile.count:
            yield _row(profile, samples, f"{name} (no lines: compile with -g to see them)")
    rest = profile.count - in_loops - sum(unknown.values())
    if rest:
        yield _row(profile, rest, "outside of loops")


def _is_known(place: Place) -> bool:
    return bool(place.line) and os.path.isfile(place.path)


def _row(profile: Profile, samples: int, what: str) -> str:
    share = 100 * samples / profile.count
    return f"{profile.seconds_of(samples):9.2f} {share:5.1f}%  {what}"


def _short(path: str) -> str:
    """A path from here where it is below, else as it is."""
    near = os.path.relpath(path)
    return path if near.startswith("..") else near


__all__ = ["HotLoop", "add_arguments", "main"]
