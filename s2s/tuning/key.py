"""What a measurement depends on: the region, the passes, the compiler, its flags, the machine."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from s2s import __version__
from s2s.driver import passes
from s2s.driver.make_pass import make_pass
from s2s.driver.options import Options
from s2s.scop.nodes import Construct, Loop, Scop, walk
from s2s.source.compiler_answers import version_of
from s2s.tuning.settings import Tuning

_COMMENT_OR_STRING = re.compile(
    r"""//(?:\\\n|[^\n])*|/\*.*?\*/|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')""", re.DOTALL
)
_TOKEN = re.compile(r"""\"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\w+|\S""")
# Environment variables that decide how many threads run, and where.
_THREADS = ("OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "OMP_SCHEDULE", "OMP_DYNAMIC")


def key(text: str, scop: Scop, options: Options, tuning: Tuning) -> str:
    """The key of a region with this source text under these options, a hash in hexadecimal."""
    parts = [
        "\n".join(signature(text, scop)),
        "\n".join(_passes(options)),
        "\n".join((*tuning.compiler, version_of(tuning.compiler), *tuning.flags)),
        "\n".join(machine()),
        repr((sorted(tuning.sizes.items()), tuning.build, tuning.run)),
    ]
    return sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def signature(text: str, scop: Scop) -> Iterator[str]:
    """What makes a region this region, wherever in a file it stands."""
    yield normalized(text)
    yield from (f"{p.name} {p.type}" for p in scop.parameters)
    yield f"{scop.context} {scop.assumptions}"
    for array in scop.arrays.values():
        yield f"{array.name} {array.rank} {array.row_rank} {array.sizes} {array.element_size}"
    for statement in scop.statements:
        yield f"{statement.name} {statement.domain} {statement.schedule}"
        yield from (f"{a.array} {a.relation} {a.write} {a.exact} {a.commutes}"
                    for a in statement.accesses)  # fmt: skip
    for node in walk(scop.tree):
        if isinstance(node, Construct):
            yield f"{node.kind.value} {node.collapse} {node.nowait} {node.clauses} {node.depends}"
        elif isinstance(node, Loop):
            yield f"for {node.variable.name} {node.step}"


def normalized(text: str) -> str:
    """C text as its tokens, one blank between them; lines of directives stay lines."""
    bare = _COMMENT_OR_STRING.sub(lambda found: found[1] or " ", text).replace("\\\n", " ")
    lines = (" ".join(_TOKEN.findall(line)) for line in bare.splitlines())
    return "".join(f"\n{line}\n" if line.startswith("#") else f"{line} " for line in lines if line)


def _passes(options: Options) -> Iterator[str]:
    """The passes with their versions and options, so that new defaults are measured again."""
    yield f"s2s {__version__} {replace(options, tune=None, strict=False, explain=False)}"
    for spec in options.passes:
        made = make_pass(spec, options)
        about = passes.options(passes.name_of(spec))
        yield f"{spec} {made.version} {made!r} {[o.tune for o in about]}"


def machine() -> tuple[str, ...]:
    """Processor, cores, caches, and how many threads the environment asks for."""
    cores = len(os.sched_getaffinity(0))
    environment = (f"{name}={os.environ.get(name, '')}" for name in _THREADS)
    sizes = (f"L{level} {size}" for level, size in cache_sizes())
    return (platform.machine(), processor(), f"{cores} cores", *sizes, *environment)


@cache
def processor() -> str:
    """The name of this machine's processor."""
    try:
        found = re.search(r"^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        return platform.processor()
    return found[1] if found else platform.processor()


@cache
def cache_sizes() -> tuple[tuple[int, int], ...]:
    """Level and bytes of the data caches of one core; empty where the system does not say."""
    return tuple(
        (int(level), _bytes(size))
        for kind, level, size in caches_of_a_core()
        if kind != "Instruction"
    )


def caches_of_a_core() -> list[list[str]]:
    """Type, level and size of each cache as the system tells them: 'Data', '1', '48K'."""
    found = []
    for place in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        with suppress(OSError):
            found.append([(place / n).read_text().strip() for n in ("type", "level", "size")])
    return found


def _bytes(text: str) -> int:
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    return int(text.rstrip("KMG")) * units.get(text[-1:], 1)


def caches() -> Sequence[int]:
    """Bytes of the data caches, largest last; typical ones where the system does not say."""
    return sorted(size for _, size in cache_sizes()) or (32 << 10, 1 << 20, 16 << 20)
