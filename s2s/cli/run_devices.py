"""``s2s run FOLDER``: a host's program natively, each of its regions on its device."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from s2s.cli.arguments import positive
from s2s.cli.progress import Progress
from s2s.cli.reporting import complain
from s2s.source import output
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.offload import Manifest, Region, read_manifest
from s2s.source.records import dataclass


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folder, the program's own arguments, and what is written of the run."""
    parser.add_argument("folder", metavar="FOLDER", help="what '--offload' has written")
    parser.add_argument("arguments", nargs="*", metavar="ARG", help="arguments of the program")
    parser.add_argument(
        "--time-limit", type=positive, default=3600, metavar="SECONDS",
        help="time for the whole program (default: %(default)s)",
    )  # fmt: skip
    add_options(parser)


def add_options(parser: argparse._ActionsContainer) -> None:
    """The options that other kinds of program do not have."""
    add = parser.add_argument
    add(
        "--compare", action="store_true",
        help="compare each region's results with those of its own C, and say how far they are off",
    )  # fmt: skip
    add("--json", metavar="FILE", help="write what was counted to FILE")
    add(
        "--region-limit", type=positive, default=600, metavar="SECONDS",
        help="time that a region may take before the host runs it (default: %(default)s)",
    )  # fmt: skip


@dataclass(frozen=True)
class Counted:
    """A region's calls: how many, those that the host ran, what the device took, bytes, seconds.

    ``error``: how far an element was off at most, where results are compared.
    """

    region: str
    device: str
    calls: int
    on_host: int
    amount: float
    bytes: float
    seconds: float
    error: float


def main(args: argparse.Namespace) -> int:
    """Build and run; the program's own exit status."""
    folder = Path(args.folder)
    manifest = read_manifest(folder)
    with Progress(f"building {folder}"):
        program = build(folder, manifest)
    with tempfile.TemporaryDirectory(prefix="s2s-run-") as scratch:
        report = Path(scratch, "report")
        status = _run(program, folder, args, report)
        counted = read_report(report)
    complain(as_text(manifest, counted, with_error=args.compare))
    if args.json:
        record = json.dumps([asdict(one) for one in counted], indent=1) + "\n"
        output.write_file(args.json, record.encode())
    return status


def build(folder: Path, manifest: Manifest, *, linked: str = "") -> Path:
    """``make`` the host's program, with more in ``linked``. Raises UserError."""
    command = ["make", "-s", "-C", str(folder), *([f"LDFLAGS={linked}"] if linked else [])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise _error(f"{folder}: 'make' cannot be run: {error.strerror}") from None
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if "error" in line.lower()]
        raise _error(f"{folder}: the host's program is not built: {(said or ['no message'])[0]}")
    return folder / os.path.splitext(manifest.host)[0]


def _run(program: Path, folder: Path, args: argparse.Namespace, report: Path) -> int:
    paths = [str(Path(p).absolute()) for p in sys.path if p]
    environment = {
        **os.environ,
        "S2S_DEVICES": str(folder.absolute()),
        "S2S_PYTHON": sys.executable,
        "S2S_REPORT": str(report),
        "S2S_TIMEOUT": str(args.region_limit),
        "S2S_COMPARE": "1" if args.compare else "",
        "PYTHONPATH": os.pathsep.join(paths),
    }
    command = [str(program.absolute()), *args.arguments]
    try:
        done = subprocess.run(command, env=environment, timeout=args.time_limit)
    except subprocess.TimeoutExpired:
        raise _error(f"{program}: does not end within {args.time_limit} s") from None
    except OSError as error:
        raise _error(f"{program}: {error.strerror}") from None
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


def read_report(path: Path) -> list[Counted]:
    """What the runtime has counted; nothing where no region was called."""
    if not path.is_file():
        return []
    rows = [line.split("\t") for line in path.read_text().splitlines()]
    return [
        Counted(name, device, int(calls), int(on_host), *map(float, rest))
        for name, device, calls, on_host, *rest in reversed(rows)
    ]


def expected(region: Region, one: Counted) -> float:
    """Seconds on the device itself: launches, transfers, and the cycles that it took."""
    numbers = region.options
    if not {"launch", "transfer", "clock"} <= set(numbers):
        return 0.0
    launches = (one.calls - one.on_host) * float(numbers["launch"])
    moving = one.bytes / float(numbers["transfer"])
    return launches + moving + one.amount / float(numbers["clock"])


def as_text(manifest: Manifest, counted: Sequence[Counted], *, with_error: bool = False) -> str:
    """One table: a line for each region of the program."""
    by_name = {one.region: one for one in counted}
    head = ("region", "line", "device", "operations", "calls", "on host", "cycles", "bytes", "us")
    rows: list[tuple[str, ...]] = [(*head, "error") if with_error else head]
    for region in manifest.regions:
        one = by_name.get(region.name, Counted(region.name, region.device, 0, 0, 0, 0, 0, 0))
        names = ", ".join(dict.fromkeys(o.partition(" ")[0] for o in region.operations))
        rows.append((
            region.name, str(region.line), region.device, names, str(one.calls), str(one.on_host),
            f"{one.amount:,.0f}", f"{one.bytes:,.0f}", f"{1e6 * expected(region, one):,.1f}",
            *([f"{one.error:.3g}"] if with_error else []),
        ))  # fmt: skip
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = ["  ".join(
        word.ljust(width) if k < 4 else word.rjust(width)
        for k, (word, width) in enumerate(zip(row, widths, strict=True))
    ).rstrip() for row in rows]  # fmt: skip
    done = [one for one in counted if one.calls > one.on_host]
    lines.append(
        f"{len(manifest.regions)} regions, {len(done)} run on devices:"
        f" {sum(one.amount for one in done):,.0f} cycles,"
        f" {sum(one.bytes for one in done):,.0f} bytes moved,"
        f" {1e6 * sum(expected(manifest.region(o.region), o) for o in done):,.1f} us expected"
    )
    return "\n".join(lines) + "\n"


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "run"))
