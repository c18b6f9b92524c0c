"""What a compiler may do with a program, or take for one, by the flags on its command line."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from s2s.source.compiler import family

_REASSOCIATING = re.compile(
    r"-f(?P<no>no-)?(?:fast-math|unsafe-math-optimizations|associative-math)|-O(?P<level>.*)"
)


def may_reassociate(flags: Sequence[str]) -> bool:
    """Whether the compiler may reorder floating-point operations; the last flag on it counts."""
    allowed = fast = False
    for found in filter(None, map(_REASSOCIATING.fullmatch, flags)):
        if found["level"] is not None:
            fast = found["level"] == "fast"
        else:
            allowed = not found["no"]
            fast = fast and allowed
    return allowed or fast


_INTERCHANGING = re.compile(r"-f(?P<no>no-)?loop-interchange|-O(?P<level>.*)")


def may_interchange(flags: Sequence[str], compiler: str) -> bool:
    """Whether the compiler exchanges loops by itself: gcc at -O3. The last flag on it counts."""
    asked: bool | None = None
    level = ""
    for found in filter(None, map(_INTERCHANGING.fullmatch, flags)):
        if found["level"] is not None:
            level = found["level"]
        else:
            asked = not found["no"]
    at_level = level == "fast" or (level.isdigit() and int(level) >= 3)
    return family(compiler) == "gcc" and (at_level if asked is None else asked)


_COSTED = re.compile(r"-f(?:vect-cost-model=.*|no-tree-(?:loop-)?vectorize)|-O(?P<level>.*)")


def wants_known_counts(flags: Sequence[str], compiler: str) -> bool:
    """Whether the compiler makes vectors of loops with a known number of iterations alone.

    gcc does from version 12 on at -O2, where no flag chooses another cost model; those before make
    no vectors there.
    """
    level, chosen = "", False
    for found in filter(None, map(_COSTED.fullmatch, flags)):
        if found["level"] is not None:
            level = found["level"]
        else:
            chosen = True
    return family(compiler) == "gcc" and level == "2" and not chosen


_ERRNO = re.compile(
    r"-f(?:no-)?(?:math-errno|fast-math)|-O(?P<level>.*)|-f(?:no-builtin.*|freestanding)"
    r"|.*redundant-decls"
)


def may_leave_errno(flags: Sequence[str]) -> bool:
    """Whether a compiler keeps ``errno`` as libm sets it because nobody told it not to.

    Not where the flags say whether it is kept, little is optimized, or names of the library are not
    the library's; nor where the compiler is to show what is declared again. Without a level of
    optimization the file is taken to be compiled with one later.
    """
    level = "2"
    for found in filter(None, map(_ERRNO.fullmatch, flags)):
        if found["level"] is None:
            return False
        level = found["level"]
    return level in ("2", "3", "s", "z")


def may_make_vectors(flags: Sequence[str]) -> bool:
    """Whether no flag asks for a level of optimization at which compilers make no vectors."""
    levels = [flag[2:] for flag in flags if flag.startswith("-O")]
    return not levels or levels[-1] in ("2", "3", "fast")


_C90 = re.compile(r"-ansi|-std=(c89|c90|gnu89|gnu90|iso9899:1990|iso9899:199409)")


def is_c90(flags: Sequence[str]) -> bool:
    """Whether the last of the flags that choose a language asks for C90."""
    chosen = [f for f in flags if f.startswith("-std=") or f == "-ansi"]
    return bool(chosen) and bool(_C90.fullmatch(chosen[-1]))


_QUOTED = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"', re.MULTILINE)


def elsewhere(flags: Sequence[str], path: str, data: bytes) -> tuple[str, ...]:
    """The flags of a file for what is made of it in another folder: headers are found there, too.

    Without a header in quotes the file's own folder is not named.
    """
    made = [
        f"-I{os.path.abspath(flag[2:])}" if flag.startswith("-I") and flag[2:]
        else os.path.abspath(flag) if before == "-I"
        else flag
        for before, flag in zip(("", *flags), flags, strict=False)
    ]  # fmt: skip
    home = [f"-I{os.path.dirname(os.path.abspath(path))}"] if _QUOTED.search(data) else []
    return (*made, *(word for word in home if word not in made))
