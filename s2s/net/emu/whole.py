"""Whole programs: the source and what was emitted run with the same small arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from s2s.net import Mismatch
from s2s.net.emu.outputs import difference, same
from s2s.net.emu.programs import FILLED, SHORT, TOO_LONG, UNFINISHED, Ended, run
from s2s.source.records import dataclass

# Many threads, the last first, and other rubbish in fresh memory.
TURNED = {**SHORT, "S2S_NET_LIMIT": "1500", "S2S_NET_THREADS": "64", **FILLED[1]}
_QUICK = 0.01
# Several iterations for each of 64 threads on each nodelet, and a remainder; and few.
_SIZES = (519, 10)


@dataclass(frozen=True)
class Seen:
    """What was compared: the functions of parallel loops that ran, and why others were not."""

    reached: frozenset[str]
    why: str = ""


def compare(source: Path, emitted: Path, argument_words: bool) -> Seen:
    """Run both with each choice of arguments. Raises Mismatch."""
    reached: set[str] = set()
    why = ""
    for alternatives in _choices(source.parent, argument_words):
        for arguments in alternatives:
            wanted = run(source, arguments, SHORT)
            if wanted is None or wanted.status < 0:
                why = "the program does not end by itself with small arguments"
                continue
            problem = _unsteady(source, arguments, wanted)
            if problem:
                why = problem
                continue
            found = _compared(emitted, arguments, wanted)
            reached |= found.reached if found is not None else set()
            why = why if found is not None else "what was emitted takes too long here"
            if wanted.status == 0:
                break
    return Seen(frozenset(reached), why)


def _choices(folder: Path, argument_words: bool) -> Iterator[Sequence[Sequence[str]]]:
    """No arguments, numbers, and files with graphs: edges with weights or, else, without."""
    yield [()]
    if not argument_words:
        return
    for size in _SIZES:
        yield [(_graph(folder, size, weighted), "3") for weighted in (True, False)]
    yield [("271", "3", "2")]
    yield [("5", "3", "2")]


def _graph(folder: Path, size: int, weighted: bool) -> str:
    """A graph in a file, `vertices edges` and a line for each edge."""
    path = folder / f"{'weighted' if weighted else 'plain'}-{size}"
    edges = list(_edges(size))
    last = [f" {1 + (u + v) % 5}" if weighted else "" for u, v in edges]
    lines = [f"{u} {v}{weight}" for (u, v), weight in zip(edges, last, strict=True)]
    path.write_text("\n".join([f"{size} {len(edges)}", *lines]) + "\n")
    return str(path)


def _edges(size: int) -> Iterator[tuple[int, int]]:
    """Vertices with up to 18 neighbours, behind them triangles, and an edge to the last one."""
    half = size // 2
    for u in range(size % 8, half):
        for k in range(u * 7 % 19):
            yield u, (u * 31 + 17 * k + k * k) % half
    yield half - 1, size - 1
    for u in range(size - (size - half) // 3 * 3, size, 3):
        yield u, u + 1
        yield u + 1, u + 2
        yield u + 2, u


def _unsteady(source: Path, arguments: Sequence[str], first: Ended) -> str:
    """Why a program's output cannot be compared, '' where it can."""
    other = run(source, arguments, TURNED)
    if other is None or other.status != first.status:
        return "the program does not end in the same way each time"
    if not same(first.printed, other.printed):
        return "what the program prints depends on the order of iterations"
    return ""


def _compared(emitted: Path, arguments: Sequence[str], wanted: Ended) -> Ended | None:
    """The emitted program's runs, None where these take long. Raises Mismatch where one is wrong.

    Starting threads takes longer than iterations: a program that is not quick itself may be slow.
    """
    first, other = (run(emitted, arguments, settings) for settings in FILLED)
    if wanted.seconds > _QUICK and any(e is None or e.status == TOO_LONG for e in (first, other)):
        return None
    for found in (first, other):
        _check(arguments, wanted, found)
    return first


def _check(arguments: Sequence[str], wanted: Ended, found: Ended | None) -> None:
    given = " ".join(re.sub(r".*/", "", one) for one in arguments) or "no arguments"
    if found is None:
        raise Mismatch(f"the emitted program does not end with {given}")
    if found.status == UNFINISHED:
        last = re.search(r"^s2s-net: ('.*)$", found.said, re.MULTILINE)
        raise Mismatch(f"the emitted program: {last[1] if last else 'threads are left'}")
    if found.status != wanted.status:
        how = f"ends with {found.status} in place of {wanted.status}"
        raise Mismatch(f"the emitted program {how} with {given}")
    if not same(wanted.printed, found.printed):
        what = difference(wanted.printed, found.printed)
        raise Mismatch(f"the emitted program prints {what} with {given}")
