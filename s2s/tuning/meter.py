"""Timing candidates: in a program of the region alone, or in the user's own program."""

from __future__ import annotations

import os
import resource
import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from s2s.scop.nodes import Scop
from s2s.source.records import dataclass
from s2s.tuning import harness, key, sizes
from s2s.tuning.errors import NotMeasurable, OutOfTime
from s2s.tuning.measure import ENVIRONMENT
from s2s.tuning.outline import Outline
from s2s.tuning.settings import Tuning

_LEAST_ROUNDS, _MOST_ROUNDS = 3, 60
# Seconds for the rounds of one candidate, and of the original in one round.
_ROUNDS_SECONDS, _SHORT, _LONG = 0.6, 0.1, 0.5
# How often sizes are tried, and how many statement instances they make at first.
_SCALES, _FIRST_INSTANCES = 4, 3e7
_TRIAL_SECONDS = 10.0
# The rest of the file may call what is in other files, and must not be linked.
_ONLY_WHAT_IS_USED = ("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections")


@dataclass
class RegionMeter:
    """Times texts of a region in a generated program; the first one decides on the sizes."""

    outline: Outline
    scop: Scop
    tuning: Tuning
    directory: Path
    point: Mapping[str, int] = field(default_factory=dict)
    _limits: sizes.Limits = field(init=False)
    _programs: int = 0

    def __post_init__(self) -> None:
        caches = key.caches()
        wanted = min(512 << 20, caches[-1] * 3 // 2)
        self._limits = sizes.Limits(wanted, min(wanted, 4 * caches[-2 % len(caches)]))

    @property
    def described(self) -> str:
        """The sizes in the user's words."""
        spelling = {p.name: p.spelling for p in self.scop.parameters}
        return ", ".join(f"{spelling[n]} = {v}" for n, v in self.point.items() if n in spelling)

    def measure(self, texts: Sequence[bytes], limit: float) -> list[float]:
        """Seconds of each text, the least of several runs in turn; ``limit`` is in seconds too.

        Raises NotMeasurable.
        """
        end = time.monotonic() + limit
        program = self._build(texts, limit)
        if not self.point:
            self._scale(program, end)
        seconds = min(_ROUNDS_SECONDS * len(texts), max(0.0, (end - time.monotonic()) / 2))
        rounds = self._run(program, _LEAST_ROUNDS, _MOST_ROUNDS, seconds, end - time.monotonic())
        return [min(column) for column in zip(*rounds, strict=True)]

    def _scale(self, program: Path, end: float) -> None:
        """Choose sizes at which the original takes long enough, and not too long."""
        instances, took = _FIRST_INSTANCES, 0.0
        for _ in range(_SCALES):
            limits = replace(self._limits, most_instances=instances)
            point = sizes.choose(self.scop, limits, self.tuning.sizes)
            if point == self.point:
                break
            self.point = point
            took = self._trial(program, end)
            if _SHORT <= took <= _LONG:
                return
            wanted = instances * _LONG / 2 / max(took, 1e-4)
            instances = min(wanted, self._limits.most_instances)
        if took >= _TRIAL_SECONDS:
            raise NotMeasurable("it runs too long at all sizes that were tried")

    def _trial(self, program: Path, end: float) -> float:
        """Seconds of the original at the current sizes; a run that takes too long is broken off."""
        left = end - time.monotonic()
        try:
            return self._run(program, 1, 1, 0.0, min(left, _TRIAL_SECONDS))[0][0]
        except OutOfTime:
            if left <= _TRIAL_SECONDS:
                raise
            return _TRIAL_SECONDS

    def _build(self, texts: Sequence[bytes], limit: float) -> Path:
        shared = self.directory / "harness.o"
        compiler = list(self.tuning.compiler)
        if not shared.exists():
            source = self.directory / "harness.c"
            source.write_text(harness.TEXT, encoding="utf-8")
            _call([*compiler, "-O2", "-c", str(source), "-o", str(shared)], limit)
        self._programs += 1
        unit = self.outline.function.unit
        suffix = "cpp" if unit.is_cxx else "c"
        source = self.directory / f"region{self._programs}.{suffix}"
        program = source.with_suffix("")
        source.write_bytes(self.outline.program(texts))
        flags = [*_without_language(self.tuning.flags), "-w", "-fno-lto", *_ONLY_WHAT_IS_USED]
        # Another name for the user's own; headers beside the file.
        flags += [
            "-Dmain=s2s_main_of_the_user",
            "-iquote",
            os.path.dirname(unit.buffer.path) or ".",
        ]
        libraries = ["-lm", *["-lstdc++"] * unit.is_cxx]
        _call([*compiler, *flags, str(source), str(shared), "-o", str(program), *libraries], limit)
        return program

    def _run(
        self, program: Path, least: int, most: int, seconds: float, limit: float
    ) -> list[list[float]]:
        values = map(str, self._values())
        command = [str(program), str(least), str(most), f"{seconds:.3f}", *values]
        lines = _call(command, limit).splitlines()
        rounds = [[float(word) for word in line.split()] for line in lines if line.strip()]
        if not rounds:
            raise NotMeasurable("the measuring program printed nothing")
        return rounds

    def _values(self) -> list[int]:
        """What the program is called with: parameters, and what memory they ask for."""
        found = sizes.extents(self.scop, self.point)
        known = dict(self.point)
        for name, (count, before) in sizes.elements(self.scop, found, self.point).items():
            known |= {f"{name} elements": count, f"{name} before": before}
        for name, extent in found.items():
            counts = (max(1, high + 1) for high in extent.highs)
            known |= {f"{name} count {place}": count for place, count in enumerate(counts)}
        return [known.get(name, 1) for name in self.outline.names]


def _without_language(flags: Sequence[str]) -> list[str]:
    """The flags without ``-x``, which would hold for objects too; suffixes tell the language."""
    words = iter(flags)
    kept = []
    for word in words:
        if word == "-x":
            next(words, None)
        elif not word.startswith("-x"):
            kept.append(word)
    return kept


@dataclass
class ProgramMeter:
    """Times whole files with the commands that the user has given."""

    name: str
    tuning: Tuning
    directory: Path
    described: str = "the given command"
    _programs: int = 0

    def measure(self, texts: Sequence[bytes], limit: float) -> list[float]:
        """Seconds of the user's command with each of the files. Raises NotMeasurable."""
        end = time.monotonic() + limit
        commands = [self._build(text, end - time.monotonic()) for text in texts]
        best = [float("inf")] * len(texts)
        for number in range(_LEAST_ROUNDS + 1):
            for place, command in enumerate(commands):
                took = self._time(command, end - time.monotonic())
                best[place] = min(best[place], took) if number else best[place]
        return best

    def _build(self, text: bytes, limit: float) -> list[str]:
        """Write and build a candidate; the command that runs it."""
        self._programs += 1
        place = self.directory / str(self._programs)
        place.mkdir()
        source = place / os.path.basename(self.name)
        source.write_bytes(text)
        if self.tuning.build:
            _call(_shell(self.tuning.build, source), limit)
        return _shell(self.tuning.run, source)

    @staticmethod
    def _time(command: list[str], limit: float) -> float:
        began = time.monotonic()
        _call(command, limit)
        return time.monotonic() - began


def _shell(command: str, source: Path) -> list[str]:
    text = command.replace("{dir}", shlex.quote(str(source.parent)))
    return ["sh", "-c", text.replace("{}", shlex.quote(str(source)))]


def _call(command: Sequence[str], limit: float) -> str:
    """Standard output of a command that ends well. Raises NotMeasurable."""
    name = os.path.basename(command[0])
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env={**ENVIRONMENT, **os.environ},
            timeout=max(0.1, limit),
            preexec_fn=_large_stack,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise OutOfTime("the time for measuring is over") from None
    except OSError as error:
        raise NotMeasurable(f"{name}: {error.strerror}") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or (
            done.stderr.splitlines() or ["no message"]
        )
        raise NotMeasurable(f"{name} ended with status {done.returncode}: {lines[0][:200]}")
    return done.stdout


def _large_stack() -> None:
    """Room for variable-length arrays, which the region may have around it."""
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))
