"""The text of loops over strips that all go the same way (``uniform``)."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.syntax import Node
from s2s.rewriters.idioms.conditions import INTEGERS, as_bit
from s2s.rewriters.idioms.uniform import Fork, Uniform, Way
from s2s.rewriters.idioms.writing import Writer

# Strips to run as they were at most, before one is tested again. A mixed strip makes that four
# times as many, a straight one half as many.
_LONGEST_WAIT = 256
# Where stores have masks, compilers make vectors of conditional stores that need no test.
_ROLLED = "#pragma clang loop unroll(disable)"
_NO_MASKS = "#if !defined __AVX512VL__ && !defined __ARM_FEATURE_SVE"


def uniform_text(found: Uniform, writer: Writer) -> bytes:
    """The loop with tests of strips."""
    strips = _first(found, writer) if found.masks else _again_and_again(found, writer)
    lines = ["{", f"/* s2s: {found.reason} */", writer.init(), *strips, "}"]
    return writer.assembled([line for line in lines if line])


def _first(found: Uniform, writer: Writer) -> list[str]:
    """Strips as long as they go the same way, then the source's loop.

    What compilers make of it with masks is too fast for more tests in between, and faster where
    they know what the loop begins with: where the first strip is mixed, the source's loop runs
    as it was. Only that one keeps its labels.
    """
    loop, p = found.loop, writer.prefix
    enough = f"if (({writer.condition()}) && {loop.more(found.least)})"
    anew = writer.anew()
    rest = [f"for (; {writer.condition()}; {loop.header.increment})", "    " + writer.body()]
    if anew is None:
        return [_NO_MASKS, enough, *_strips(found, writer), "#endif", *rest]
    started = f"{p}started"
    behind = [rest[0], "    " + writer.copied_body(f"_{p}rest")]
    whole = [f"for ({anew}; {writer.condition()}; {loop.header.increment})", rest[1]]
    strips = [enough, *_strips(found, writer, f"{started} = 1;")]
    # Braces: the source's body may be an `if`, which an `else` after it would belong to.
    return [_NO_MASKS, f"int {started} = 0;", *strips, f"if ({started}) {{", *behind, "}", "else",
            "#endif", *whole]  # fmt: skip


def _again_and_again(found: Uniform, writer: Writer) -> list[str]:
    """Strips and, where they go different ways, some iterations of the source's loop, in turn."""
    p, first = writer.prefix, found.least
    return [
        f"long {p}run = ({writer.condition()}) && {found.loop.more(first)} ? 0 : {first}, "
        f"{p}wait = {first};",
        f"while ({writer.condition()}) {{",
        *writer.some(f"{p}run"),
        "    " + writer.body(),
        *_strips(found, writer, f"if ({p}wait > {first}) {p}wait /= 2;"),
        f"{p}run = {p}wait;",
        f"if ({p}wait < {_LONGEST_WAIT * found.size}) {p}wait *= 4;",
        "}",
    ]


def _strips(found: Uniform, writer: Writer, more: str = "") -> list[str]:
    """The loop over strips that all go the same way; ``more`` is done after each."""
    loop, size = found.loop, found.size
    asked = " && ".join([f"({writer.condition()})", loop.more(size), *found.checks])
    used = [*(f.hit.condition for f in found.root.forks()), *_used(found.root)]
    tests = [*writer.bases(used), *_fork(found.root, found, writer, "")]
    return [f"while ({asked}) {{", *tests, loop.advance(size), more, "}"]


def _used(side: Fork | Way) -> Iterator[Node]:
    if isinstance(side, Way):
        yield from side.nodes
    else:
        yield from _used(side.yes)
        yield from _used(side.no)


def _fork(fork: Fork, found: Uniform, writer: Writer, below: str) -> Iterator[str]:
    """The test of a strip, and what runs for each outcome; ``below`` tells nested ones apart."""
    size = found.size
    count = f"{writer.prefix}count{below}"
    yield f"{INTEGERS[fork.element]} {count} = 0;"
    yield writer.lanes(size) + " {"
    yield from writer.shadows([fork.hit.condition])
    yield f"{count} += {as_bit(fork.hit)};"
    yield "}"
    yes, no = (
        list(_side(s, found, writer, f"{below}{n}")) for s, n in ((fork.yes, 1), (fork.no, 0))
    )
    if _is_source(fork.yes) or _is_source(fork.no):
        yield f"if ({count} != {0 if _is_source(fork.yes) else size}) break;"
        yield from no if _is_source(fork.yes) else yes
    elif yes and no:
        yield f"if ({count} != 0 && {count} != {size}) break;"
        yield from [f"if ({count}) {{", *yes, "}", "else {", *no, "}"]
    else:
        yield from [f"if ({count} == {size if yes else 0}) {{", *(yes or no), "}"]
        yield f"else if ({count} != {0 if yes else size}) break;"


def _is_source(side: Fork | Way) -> bool:
    return isinstance(side, Way) and side.parts is None


def _side(side: Fork | Way, found: Uniform, writer: Writer, below: str) -> Iterator[str]:
    if isinstance(side, Fork):
        yield from _fork(side, found, writer, below)
    elif side.parts is not None and side.nodes:
        if found.rolled:
            yield _ROLLED
        yield writer.lanes(found.size) + " {"
        yield from writer.shadows(side.nodes)
        for part in side.parts:
            yield part if isinstance(part, str) else writer.text(part)
        yield "}"
