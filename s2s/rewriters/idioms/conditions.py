"""Conditions evaluated for a strip of iterations at once: what their loads need, and their text."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.syntax import Node
from s2s.frontends.c.text import marks
from s2s.rewriters.expressions import CASTS, ElementRead, Index, same
from s2s.rewriters.idioms.events import Hit
from s2s.rewriters.idioms.loops import CountedLoop, Unsuitable, known_range
from s2s.source import Span

# Bytes of each array in a strip: a strip's test needs about as long as one mispredicted branch.
STRIP_BYTES = 256
# Integers as wide as an element.
INTEGERS = {1: "signed char", 2: "short", 4: "int", 8: "long"}


def widens(condition: Node) -> bool:
    """Whether elements are converted to a type of another size, but to compare with a constant."""

    def varying(node: Node) -> bool:
        return any(n.kind == "ARRAY_SUBSCRIPT_EXPR" for n in node.walk())

    wide = [
        n for n in condition.walk()
        if n.kind in CASTS and n.type.size != n.children[-1].type.size and n.type.size > 4
        and n.type.kind == "float" and varying(n)
    ]  # fmt: skip
    others = [
        n for n in condition.walk()
        if n.kind == "DECL_REF_EXPR" and n.type.kind == "float" and n.type.size == 8
    ]  # fmt: skip
    return bool(wide and others)


def element_size(loop: CountedLoop, found: list[ElementRead]) -> int:
    """Bytes of the elements that conditions compare. Raises Unsuitable."""
    types = {(v.node.type.size, v.node.type.kind) for v in found if v.varies}
    sizes = {size for size, _ in types}
    if len(sizes) != 1 or not {kind for _, kind in types} <= {"int", "float"}:
        raise Unsuitable(loop.node, "the condition compares elements of different sizes")
    size = sizes.pop()
    if size not in INTEGERS:
        raise Unsuitable(loop.node, "the condition's elements do not fit vectors")
    return size


def checks(
    loop: CountedLoop, found: list[ElementRead], count: int, *, leaves: bool = False
) -> Iterator[str]:
    """Conditions under which a strip's loads are inside of their arrays.

    Only where the source might not do them all: it may leave the loop (``leaves``), or asks
    something first.
    Raises Unsuitable.
    """
    sure = [load for load in found if not load.guarded]
    for load in found:
        if load.guarded and not any(_is_beside(load, other) for other in sure):
            _check_rows(load)
        if load.varies and (leaves or load.guarded):
            size, index = load.sizes[-1], load.indices[-1]
            if size is None or index.constant is None:
                raise Unsuitable(
                    load.node, f"nothing is known of the size of '{load.root.name}', and the "
                    "source may end before it loads so much",
                )  # fmt: skip
            yield from _within(loop, index, size, count)


def _is_beside(load: ElementRead, other: ElementRead) -> bool:
    """Whether a load is of the array that another one is of, or is that one."""
    if same(load.node, other.node):
        return not load.varies
    arrays = all(n.kind == "ARRAY_SUBSCRIPT_EXPR" for n in (load.node, other.node))
    if not arrays or load.sizes[-1] is None:
        return False
    return load.varies and same(load.node.children[0], other.node.children[0])


def _check_rows(load: ElementRead) -> None:
    """A load that the source may not do at all: what does not step has to be a known place."""
    for index, size in zip(load.indices, load.sizes, strict=True):
        if size is None:
            raise Unsuitable(load.node, "a load that is not sure to happen may fault")
        if index.variable is None and not (
            index.constant is not None and 0 <= index.constant < size
        ):
            raise Unsuitable(load.node, "a load that is not sure to happen may fault")


def _within(loop: CountedLoop, index: Index, size: int, count: int) -> Iterator[str]:
    """C conditions for ``0 <= coefficient * variable + constant < size`` in a whole strip."""
    stepping = next(i for i in loop.inductions if i.decl is index.variable)
    step = 1 if stepping.step is None else stepping.step
    constant, scale = index.constant or 0, abs(index.coefficient)
    low, high = (
        (-constant, size - 1 - constant) if index.coefficient > 0
        else (constant - (size - 1), constant)
    )  # fmt: skip
    least, most = -(-low // scale), high // scale
    first, last = known_range(loop)
    if stepping is not loop.counter or stepping.node is not None:
        first = last = None
    # An update before a condition shifts its values by one more step.
    ahead = (count - 1 if stepping.node is None else count) * step
    if first is None or first < least:
        yield f"(long){stepping.decl.name} >= {least - min(0, ahead)}"
    if last is None or last > most:
        yield f"(long){stepping.decl.name} <= {most - max(0, ahead)}"


def as_bit(hit: Hit) -> str:
    """A condition as 0 or 1; both sides of a conjunction are evaluated."""
    if hit.negated:
        return f"!({hit.text})"
    data = hit.text.encode("utf-8", "surrogateescape")
    found = list(marks(data, Span(0, len(data))))
    if found and all(mark == b"&&" for _, mark in found):
        places = [0, *(at + 2 for at, _ in found)], [*(at for at, _ in found), len(data)]
        parts = (
            data[a:b].decode("utf-8", "surrogateescape").strip()
            for a, b in zip(*places, strict=True)
        )
        return " & ".join(f"(({part}) != 0)" for part in parts)
    return f"(({hit.text}) != 0)"
