"""Functions that no run of the whole program reaches, with made-up arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from s2s.net import Mismatch
from s2s.net.emu.outputs import difference, same
from s2s.net.emu.programs import FILLED, SHORT, UNFINISHED, run
from s2s.net.emu.whole import TURNED, Seen
from s2s.source.records import dataclass

_CASE = re.compile(r"^case (\d+) (\d+)\n(.*?)^end (-?\d+)$", re.MULTILINE | re.DOTALL)
_RESULT = re.compile(r"^q .*\n", re.MULTILINE)
Cases = dict[tuple[int, int], "Case"]


@dataclass(frozen=True)
class Case:
    """One call: what it has printed and changed, and how it ended."""

    text: str
    status: int

    def agrees(self, other: Case) -> bool:
        """Whether both did the same; what a function has allocated may be longer in one."""
        ours, theirs = (_RESULT.findall(case.text) for case in (self, other))
        begins = "".join(ours[: len(theirs)]), "".join(theirs[: len(ours)])
        rest = (_RESULT.sub("", case.text) for case in (self, other))
        return self.status == other.status and same(*begins) and same(*rest)


def compare(source: Path, emitted: Path, functions: Sequence[str]) -> Seen:
    """Call the functions of both programs. Raises Mismatch."""
    wanted = _cases(source, SHORT)
    other = _cases(source, TURNED)
    ended = {key for key, case in wanted.items() if case.status == 0}
    steady = {k for k in ended if k in other and wanted[k].agrees(other[k])}
    reached: set[str] = set()
    for settings in FILLED:
        reached |= _compared(emitted, settings, {k: wanted[k] for k in steady}, functions)
    why = "no arguments are known for it" if len(ended) == len(steady) else _UNSTEADY
    driven = {functions[number] for number, _ in steady}
    undriven = set(functions) - driven
    found = {n for n in reached if re.sub(r"^s2s_|_\d+(_home)?$", "", n) not in undriven}
    return Seen(frozenset(found), why if undriven else "")


_UNSTEADY = "what it computes depends on the order of iterations"


def _cases(program: Path, settings: dict[str, str]) -> Cases:
    done = run(program, (), settings)
    return {} if done is None else _parsed(done.printed)


def _parsed(printed: str) -> Cases:
    return {(int(m[1]), int(m[2])): Case(m[3], int(m[4])) for m in _CASE.finditer(printed)}


def _compared(
    emitted: Path, settings: dict[str, str], wanted: Cases, functions: Sequence[str]
) -> set[str]:
    done = run(emitted, (), settings)
    if done is None:
        raise Mismatch("the emitted functions do not end")
    found = _parsed(done.printed)
    for key, case in wanted.items():
        name = functions[key[0]]
        other = found.get(key, Case("", -1))
        if other.status == UNFINISHED:
            raise Mismatch(f"the emitted '{name}' does not wait for its threads")
        if other.status != case.status:
            raise Mismatch(f"the emitted '{name}' does not come to its end")
        if not case.agrees(other):
            what = difference(case.text, other.text)
            raise Mismatch(f"the emitted '{name}' computes {what}")
    return done.reached
