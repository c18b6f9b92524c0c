"""Running a program with the sampler in it, and the lines of the source that its samples are at."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass

_SAMPLER = Path(__file__).with_name("sampler.c")
# The type of a program in its ELF header that is loaded where it says.
_TYPE, _FIXED = slice(16, 18), 2
_WORD = 8


@dataclass(frozen=True, order=True)
class Place:
    """A line of a source file; where there is none, ``line`` is 0 and ``path`` what was loaded."""

    path: str
    line: int


@dataclass(frozen=True)
class Profile:
    """What a program did: its exit status, its processor time, and at which places it went."""

    status: int
    seconds: float
    samples: Mapping[Place, int]

    @property
    def count(self) -> int:
        return sum(self.samples.values())

    def seconds_of(self, samples: int) -> float:
        """The processor time that so many samples stand for."""
        return self.seconds * samples / self.count


def run_sampled(command: Sequence[str], compiler: str = "gcc") -> Profile:
    """Run a program with its own input and output. Raises UserError where it cannot be sampled."""
    with tempfile.TemporaryDirectory(prefix="s2s-profile-") as folder:
        library = _sampler(Path(folder), compiler)
        status, seconds = _run(command, library, folder)
        found = Counter[Place]()
        for maps in Path(folder).glob("*.maps"):
            found += _places(maps, maps.with_suffix(".samples"))
    if not found:
        raise _error(
            f"{command[0]}: no samples: it took {seconds:.3f} s of processor time"
            " (a program that is linked statically cannot be sampled)"
        )
    return Profile(status, seconds, found)


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "profile"))


def _sampler(folder: Path, compiler: str) -> Path:
    library = folder / "sampler.so"
    command = [compiler, "-O2", "-shared", "-fPIC", str(_SAMPLER), "-o", str(library)]
    try:
        built = subprocess.run(
            [*command, "-ldl", "-lrt", "-pthread"], capture_output=True, check=False
        )
    except OSError as error:
        raise _error(f"{compiler}: {error.strerror}") from error
    if built.returncode:
        raise _error(f"the sampler does not build: {built.stderr.decode(errors='replace')[:300]}")
    return library


def _run(command: Sequence[str], library: Path, folder: str) -> tuple[int, float]:
    """Exit status and processor time; a signal that ends the program gives 128 and its number."""
    preload = " ".join(filter(None, [str(library), os.environ.get("LD_PRELOAD", "")]))
    environment = {**os.environ, "LD_PRELOAD": preload, "S2S_PROFILE": folder}
    before = _used()
    try:
        program = subprocess.Popen(list(command), env=environment)
    except OSError as error:
        raise _error(f"{command[0]}: {error.strerror}") from error
    while True:
        try:
            status = program.wait()
            break
        except KeyboardInterrupt:  # the program has the signal, too
            with suppress(ProcessLookupError):
                program.send_signal(signal.SIGINT)
    return status if status >= 0 else 128 - status, _used() - before


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclass(frozen=True)
class _Loaded:
    """A part of a file in memory, ``offset`` bytes from the file's begin."""

    start: int
    end: int
    offset: int
    path: str


def _places(maps: Path, samples: Path) -> Counter[Place]:
    """The places of one process."""
    loaded = list(_read_maps(maps.read_text(errors="surrogateescape")))
    by_file: dict[str, Counter[int]] = {}
    found = Counter[Place]()
    for address, count in Counter(_read_samples(samples)).items():
        part = next((p for p in loaded if p.start <= address < p.end), None)
        if part is None:
            found[Place("", 0)] += count
        else:
            within = address if _is_fixed(part.path) else address - _base(part.path, loaded)
            by_file.setdefault(part.path, Counter())[within] += count
    for path, addresses in by_file.items():
        for place, address in zip(_lines(path, list(addresses)), addresses, strict=True):
            found[place] += addresses[address]
    return found


def _read_maps(text: str) -> Iterator[_Loaded]:
    for line in text.splitlines():
        words = line.split(maxsplit=5)
        if len(words) == 6 and words[5].startswith("/"):
            start, _, end = words[0].partition("-")
            yield _Loaded(int(start, 16), int(end, 16), int(words[2], 16), words[5])


def _base(path: str, loaded: Sequence[_Loaded]) -> int:
    return min(part.start - part.offset for part in loaded if part.path == path)


def _read_samples(path: Path) -> tuple[int, ...]:
    """The addresses in a sampler's file, which is mostly a hole."""
    with path.open("rb") as stream:
        (count,) = struct.unpack("=Q", stream.read(_WORD))
        data = stream.read(_WORD * count)
    return struct.unpack(f"={len(data) // _WORD}Q", data)


def _is_fixed(path: str) -> bool:
    """Whether a program is loaded where its addresses say, not anywhere."""
    try:
        with open(path, "rb") as stream:
            return int.from_bytes(stream.read(18)[_TYPE], "little") == _FIXED
    except OSError:
        return False


def _lines(path: str, addresses: Sequence[int]) -> list[Place]:
    """Where in the source the code at these addresses comes from; inlined code from its own."""
    nowhere = [Place(path, 0)] * len(addresses)
    if shutil.which("addr2line") is None or not os.path.exists(path):
        return nowhere
    asked = "".join(f"{address:#x}\n" for address in addresses)
    told = subprocess.run(
        ["addr2line", "-e", path], input=asked.encode(), capture_output=True, check=False
    )
    lines = told.stdout.decode(errors="surrogateescape").splitlines()
    if told.returncode or len(lines) != len(addresses):
        return nowhere
    return [_place(line, path) for line in lines]


def _place(text: str, loaded: str) -> Place:
    """``/a/b.c:12 (discriminator 3)``, or question marks where nothing is known."""
    name, _, rest = text.rpartition(":")
    number = rest.split()[0] if rest.split() else ""
    if not number.isdigit() or not int(number) or name.startswith("?"):
        return Place(loaded, 0)
    return Place(os.path.normpath(name), int(number))
