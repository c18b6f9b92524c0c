"""A program of one region: the file itself, with functions after it that run the region alone.

Each candidate's text stands in a function of its own, all in one program, so that they run on the
same memory and by the same threads. What is around the region is said by ``surroundings``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from s2s.frontends.c.regions import Function
from s2s.source import Edit, apply_edits
from s2s.source.records import dataclass

PREFIX = "s2s_"
_CONDITIONAL = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b", re.MULTILINE)
_HEADER = f"""
#ifdef __cplusplus
extern "C" {{
#endif
extern double {PREFIX}now(void);
extern void *{PREFIX}block(int, unsigned long, unsigned long, int);
extern void *{PREFIX}table(int, long, unsigned long, int);
extern void {PREFIX}fill(void *, unsigned long, int);
extern void {PREFIX}set(void *, unsigned long, long);
extern double (*const {PREFIX}candidates[])(const long *);
extern const int {PREFIX}count;
"""
_FOOTER = """
#ifdef __cplusplus
}
#endif
"""


@dataclass
class Outline:
    """The C text that surrounds a region: definitions at file scope, values, and uses after it.

    ``names`` are the places of values in the array that a candidate's function is called with.
    """

    function: Function
    names: list[str]
    definitions: list[str] = field(default_factory=list)
    setup: list[str] = field(default_factory=list)
    uses: list[str] = field(default_factory=list)

    def program(self, candidates: Sequence[bytes]) -> bytes:
        """The file with a function for each candidate after the one that holds the region."""
        parts = [_HEADER.encode(), *(f"{line}\n".encode() for line in self.definitions)]
        for number, text in enumerate(candidates):
            parts += [self._candidate(number, text)]
        names = ", ".join(f"{PREFIX}candidate_{n}" for n in range(len(candidates)))
        parts += [f"double (*const {PREFIX}candidates[])(const long *) = {{{names}}};\n".encode(),
                  f"const int {PREFIX}count = {len(candidates)};\n{_FOOTER}".encode()]  # fmt: skip
        end = self.function.node.span.end
        return apply_edits(self.function.unit.buffer.data, [Edit(end, end, b"".join(parts))])

    def _candidate(self, number: int, text: bytes) -> bytes:
        head = [f"double {PREFIX}candidate_{number}(const long *{PREFIX}values)", "{",
                f"    (void){PREFIX}values;", *(f"    {line}" for line in self.setup),
                f"    const double {PREFIX}began = {PREFIX}now();", "    {", ""]  # fmt: skip
        # A region that is a single statement may stand before its semicolon.
        tail = ["", "    ;}", f"    const double {PREFIX}took = {PREFIX}now() - {PREFIX}began;",
                *(f"    {line}" for line in self.uses),
                f"    return {PREFIX}took;", "}", ""]  # fmt: skip
        return "\n".join(head).encode() + _balanced(text) + "\n".join(tail).encode()


def _balanced(text: bytes) -> bytes:
    """A text with the other halves of conditionals that begin before it or end after it.

    What surrounds the text was compiled, so the branch in which it begins is one that is taken.
    """
    depth = lowest = 0
    for found in _CONDITIONAL.finditer(text):
        depth += -1 if found[1] == b"endif" else 1
        lowest = min(lowest, depth)
    return b"#if 1\n" * -lowest + text + b"\n#endif\n" * (depth - lowest)
