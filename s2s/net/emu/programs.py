"""The source and what was emitted as programs for the host: compiling and running them."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from s2s.net.emu.deferred import defer_spawns
from s2s.source.compiler_answers import version_of
from s2s.source.kept import keep, kept_place
from s2s.source.records import dataclass

_HERE = Path(__file__).parent
_FLAGS = (
    *("-O0", "-w", "-x", "c", "-std=gnu17", "-ffp-contract=off", "-fwrapv"),
    *("-fno-strict-aliasing", "-ftrivial-auto-var-init=pattern", "-fno-stack-protector"),
    f"-I{_HERE / 'include'}",
)
_RUNTIME = _HERE / "runtime"
# What files of the runtime include.
_INCLUDED = (_RUNTIME / "limits.c", _HERE / "include" / "driving.h")
_LONGEST = 20.0
UNFINISHED = 119
TOO_LONG = -signal.SIGPROF
# How long the source may run, and each of its calls, in ms; what was emitted has far longer, as a
# thread costs more than an iteration.
SHORT = {"S2S_NET_LIMIT": "400", "S2S_NET_CALL": "20"}
# What fresh memory holds, twice: something, and zero.
FILLED = ({"MALLOC_PERTURB_": "85"}, {"MALLOC_PERTURB_": "255"})


@dataclass(frozen=True)
class Ended:
    """How a run ended: the status (negative for a signal), what it printed, what it said."""

    status: int
    printed: str
    said: str
    seconds: float

    @property
    def reached(self) -> set[str]:
        return set(re.findall(r"^s2s-net: reached (\w+)$", self.said, re.MULTILINE))


@dataclass(frozen=True)
class Refusal(Exception):
    """The compiler's first error."""

    said: str


@dataclass(frozen=True)
class Building:
    """A compiler at work on a program."""

    process: subprocess.Popen[str]
    path: Path

    def done(self) -> Path:
        """The program. Raises Refusal."""
        _, said = self.process.communicate()
        if self.process.returncode:
            raise Refusal(_first_error(said))
        return self.path


def _first_error(said: str) -> str:
    lines = said.splitlines()
    for word in ("undefined reference", "error: "):
        for line in lines:
            if word in line:
                return line[line.find(word) :].removeprefix("error: ")
    return said.strip()[:200]


def build_source(path: Path, flags: Sequence[str], folder: Path, harness: str = "") -> Building:
    """The source; its threads run one after another."""
    text = folder / "source.c"
    text.write_text(f'{_renamed(harness)}#include "{path}"\n{harness}')
    given = ("-fopenmp", "-DS2S_NET_SOURCE", f"-I{path.parent}", *flags)
    return _build([text, *_runtime("threads.c", harness)], given, folder / "source")


def build_emitted(
    text: bytes, flags: Sequence[str], folder: Path, harness: str = "", *, later: bool = True
) -> Building:
    """What was emitted; ``later`` says whether its threads run when they are waited for."""
    path = folder / "emitted.c"
    first = b'#line 1 "emitted.c"\n' + (defer_spawns(text) if later else text)
    path.write_bytes(_renamed(harness).encode() + first + b"\n" + harness.encode())
    return _build([path, *_runtime("limits.c", harness)], flags, folder / "emitted")


def _runtime(name: str, harness: str) -> list[Path]:
    files = [name, "driving.c"] if "driving.h" in harness else [name]
    return [_compiled(_RUNTIME / file) for file in files]


@lru_cache(maxsize=4)
def _compiled(source: Path) -> Path:
    """A file of the runtime as an object of the user's cache; itself where there is no place."""
    parts = [path.read_bytes() for path in (source, *_INCLUDED)]
    about = "\n".join((version_of(["gcc"]), *_FLAGS[:-1])).encode()
    place = kept_place("emu", source.stem, b"\0".join([about, *parts]), ".o")
    return (place and keep(place, lambda made: _compile(source, made))) or source


def _compile(source: Path, made: Path) -> None:
    """Raises OSError."""
    done = subprocess.run(
        ["gcc", *_FLAGS, "-c", str(source), "-o", str(made)], capture_output=True, check=False
    )
    if done.returncode:
        raise OSError(done.returncode, "gcc refuses it")


def _renamed(harness: str) -> str:
    return "#define main s2s_net_program\n" if harness else ""


def _build(sources: Sequence[Path], flags: Sequence[str], program: Path) -> Building:
    texts = [str(source) for source in sources if source.suffix == ".c"]
    objects = ["-x", "none", *(str(source) for source in sources if source.suffix == ".o")]
    command = ["gcc", *_FLAGS, *flags, *texts, *objects, "-o", str(program), "-lm"]
    quiet = {**os.environ, "LC_ALL": "C"}
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, errors="replace", env=quiet,
    )  # fmt: skip
    return Building(process, program)


def run(
    program: Path, arguments: Sequence[str] = (), settings: Mapping[str, str] | None = None
) -> Ended | None:
    """One run in an own folder's place; None where it does not end."""
    env = {**os.environ, **FILLED[0], "OMP_NUM_THREADS": "1", **(settings or {})}
    before = _spent()
    try:
        done = subprocess.run(
            [str(program), *arguments], cwd=program.parent, env=env, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=_LONGEST, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    printed, said = (text.decode("latin-1") for text in (done.stdout, done.stderr))
    return Ended(done.returncode, printed, said, _spent() - before)


def _spent() -> float:
    """The time that processes which have ended took of the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
