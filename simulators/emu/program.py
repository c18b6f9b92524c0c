"""From a file to the counts of its run."""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from s2s.simulators.emu.dialect import failure, parse
from s2s.simulators.emu.machine import Machine
from s2s.simulators.emu.sites import Site
from s2s.simulators.emu.translation import translate
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError
from s2s.source.records import dataclass

_RUNTIME = Path(__file__).parent / "runtime"
_FLAGS = (
    *("-O2", "-w", "-std=gnu17", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing"),
    "-pthread",
    f"-I{_RUNTIME}",
)
_TROUBLE = 112


@dataclass(frozen=True)
class Region:
    """A named part of a run (``hooks_region_begin``, or ``timed`` after ``starttiming``)."""

    name: str
    migrations: int
    remotes: int
    threads: int
    cycles: int


@dataclass(frozen=True)
class Run:
    """What one run of a program did.

    Lists are by nodelet: ``outbound`` migrations from it, threads ``created`` and ``died`` there,
    ``loads``, ``stores`` and ``atomics`` in its memory, ``remotes`` (packets of stores and remote
    operations) from it. ``traffic[i][j]`` are migrations from i to j. ``cycles`` is the estimate
    of the run's time, of which ``chain``, ``nodelet`` and ``contexts`` say what it was bound by.
    """

    status: int
    stdout: str
    stderr: str
    outbound: tuple[int, ...]
    created: tuple[int, ...]
    died: tuple[int, ...]
    loads: tuple[int, ...]
    stores: tuple[int, ...]
    atomics: tuple[int, ...]
    remotes: tuple[int, ...]
    traffic: tuple[tuple[int, ...], ...]
    migrations_by_site: tuple[tuple[Site, int], ...]
    remotes_by_site: tuple[tuple[Site, int], ...]
    regions: tuple[Region, ...]
    remote_spawns: int
    cycles: int
    chain: int
    nodelet: int
    contexts: int

    @property
    def migrations(self) -> int:
        return sum(self.outbound)

    @property
    def accesses(self) -> int:
        return sum(self.loads) + sum(self.stores) + sum(self.atomics)

    @property
    def threads(self) -> int:
        return sum(self.created)

    def region(self, name: str) -> Region | None:
        return next((region for region in self.regions if region.name == name), None)


@dataclass(frozen=True)
class Program:
    """A compiled program; ``close`` forgets it."""

    path: Path
    machine: Machine
    sites: tuple[Site, ...]
    folder: tempfile.TemporaryDirectory[str]

    @cached_property
    def executable(self) -> Path:
        return Path(self.folder.name) / "program"

    def run(
        self, arguments: Sequence[str] = (), timeout: float | None = None,
        followed: Sequence[int] = (),
    ) -> Run:  # fmt: skip
        """Run it; the program's standard input is empty.

        ``followed``: the file descriptor of ``work_done.begin_outside``, if somebody follows it.

        Raises UserError when it does not end by itself: a signal, a full memory, the timeout.
        """
        report = Path(self.folder.name) / "report.json"
        report.unlink(missing_ok=True)
        told = {"S2S_FOLLOWED": str(followed[0])} if followed else {}
        command = [str(self.executable), str(report), self.path.name, *arguments]
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout,
                pass_fds=followed,
                env={**os.environ, **told},
            )
        except subprocess.TimeoutExpired:
            raise failure(f"{self.path}: not done in {timeout:g} s", "s2s-emu-timeout") from None
        if done.returncode < 0 or done.returncode == _TROUBLE or not report.exists():
            raise failure(f"{self.path}: {_trouble(done)}", "s2s-emu-run")
        return _run(json.loads(report.read_text()), self.sites, done)

    def close(self) -> None:
        self.folder.cleanup()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def build(
    path: Path, machine: Machine, compiler: str = "gcc", flags: Sequence[str] = ()
) -> Program:
    """Translate a program and compile it for a machine.

    ``flags`` are for the preprocessor (-I, -D). Raises UserError for what cannot be read or run.
    """
    translation = translate(parse(path, compiler, flags))
    folder = tempfile.TemporaryDirectory(prefix="s2s-emu-")
    source = Path(folder.name) / "program.c"
    source.write_text(translation.text)
    program = Program(path, machine, translation.sites, folder)
    objects = [str(source), str(_runtime(compiler, machine.definitions()))]
    try:
        _compile(compiler, machine.definitions(), *objects, "-lm", "-o", str(program.executable))
    except UserError:
        program.close()
        raise
    return program


@lru_cache(maxsize=4)
def _runtime(compiler: str, definitions: tuple[str, ...]) -> Path:
    """The machine, compiled once for all programs of a process."""
    folder = Path(tempfile.mkdtemp(prefix="s2s-emu-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    compiled = folder / "runtime.o"
    _compile(compiler, definitions, "-c", str(_RUNTIME / "runtime.c"), "-o", str(compiled))
    return compiled


def _compile(compiler: str, definitions: Sequence[str], *arguments: str) -> None:
    command = [compiler, *_FLAGS, *definitions, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise failure(f"cannot run '{compiler}': {error.strerror}", "s2s-emu-compiler") from None
    if done.returncode:
        raise _refused(done.stderr)


def _refused(said: str) -> UserError:
    """What the compiler says first, at the line of the source that it comes from.

    The linker says what it misses before it says "error".
    """
    lines = said.splitlines()
    for word in ("undefined reference", "error: ", "error"):
        first = next((line for line in lines if word in line), None)
        if first is not None:
            what = first[first.find(word) :].removeprefix("error: ")
            text = f"the compiler refuses the program: {what}"
            return UserError(Diagnostic(Severity.ERROR, text, "s2s-emu-compiler", _place(lines)))
    return failure(f"the compiler refuses the program: {said.strip()}", "s2s-emu-compiler")


def _place(lines: Sequence[str]) -> Location | None:
    """The first place of the source among the compiler's lines; its columns are not ours."""
    for line in lines:
        match = re.match(r"(.+?):(\d+):\d+: (?:error|note): ", line)
        if match and not match[1].startswith((tempfile.gettempdir() + "/s2s-emu-", str(_RUNTIME))):
            return Location(match[1], int(match[2]), 1, int(match[2]), 1)
    return None


_MEANINGS = {
    "SIGSEGV": " (memory that nobody has)",
    "SIGXCPU": " (no more processor time; '--time-limit' allows for more)",
}


def _trouble(done: subprocess.CompletedProcess[str]) -> str:
    last = done.stderr.strip().splitlines()[-1:] or ["it ended without a report"]
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        return f"it died of {name}{_MEANINGS.get(name, '')}"
    return last[0]


def _run(
    report: dict[str, Any], sites: Sequence[Site], done: subprocess.CompletedProcess[str]
) -> Run:
    lists = ("outbound", "created", "died", "loads", "stores", "atomics", "remotes")
    numbers = ("remote_spawns", "cycles", "chain", "nodelet", "contexts")
    count = len(report["outbound"])
    flat = report["traffic"]
    counted: dict[str, Any] = {name: tuple(report[name]) for name in lists}
    counted |= {name: report[name] for name in numbers}
    return Run(
        status=done.returncode,
        stdout=done.stdout,
        stderr=done.stderr,
        traffic=tuple(tuple(flat[i : i + count]) for i in range(0, count * count, count)),
        migrations_by_site=_by_site(report["sites"], sites),
        remotes_by_site=_by_site(report["remote_sites"], sites),
        regions=tuple(Region(**region) for region in report["regions"]),
        **counted,
    )


def _by_site(counts: Sequence[int], sites: Sequence[Site]) -> tuple[tuple[Site, int], ...]:
    """The sites where something was counted, the most first."""
    found = [(site, count) for site, count in zip(sites, counts, strict=True) if count]
    return tuple(sorted(found, key=lambda pair: -pair[1]))


def default_compiler() -> str:
    return os.environ.get("CC") or "gcc"
