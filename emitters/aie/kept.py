"""Rows of the layer before that a core keeps from step to step, as C around its kernel.

In each step the rows move up, what came is copied in after them, and the kernel reads the first
ones. Before the first tile and after the last one there is the border.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import gcd

from s2s.emitters.aie.kernel import scalar_type
from s2s.scop.core_chain import Kept
from s2s.scop.expressions import Type
from s2s.source.records import dataclass

INDENT = "    "
Ends = Callable[[str], tuple[str, str]]
"""Source and target of what is copied, by where it stands."""
_LOAD, _ALIGN = 32, 16
_BATCH = 4
"""Vectors that are loaded before the first of them is stored."""


@dataclass(frozen=True)
class KeptText:
    """``array`` are the kept rows, ``size`` elements, which ``take`` brings on by a step.

    ``came`` has what came, ``arrived`` elements.

    Tiles come from step ``first`` on, ``count`` of them; ``steps``: those of a run.
    """

    kept: Kept
    type: Type
    array: str
    take: str
    came: str
    arrived: int
    size: int
    first: int
    count: int
    steps: int
    place: int

    def declarations(self) -> Iterator[str]:
        """The rows, the number of the step, the function."""
        type_ = scalar_type(self.type)
        fill = ", ".join([str(self.kept.fill)] * (_LOAD * 8 // self.type.bits))
        yield f"/* s2s: in {type_} {self.came}[{self.arrived}]"
        yield f" * memory: {self.array} at {self.place:#x} */"
        yield f"alignas(32) static {type_} {self.array}[{self._whole()}];"
        yield f"alignas(32) static const {type_} {self.array}_border[] = {{{fill}}};"
        yield f"static int {self.array}_step = 0;"
        yield ""
        yield f"static void {self.take}(const {type_} *restrict from)"
        yield "{"
        yield from (INDENT + line for line in self._body())
        yield "}"
        yield ""

    def _whole(self) -> int:
        each = _LOAD * 8 // self.type.bits
        return -(-self.size // each) * each

    def _body(self) -> Iterator[str]:
        kept, step = self.kept, f"{self.array}_step"
        yield f"if ({step} == 0) {{"
        yield from (INDENT + line for line in self._bordered(0, self._whole()))
        if kept.rows > kept.new:
            yield "} else {"
            yield from (INDENT + line for line in self._moved())
        yield "}"
        start = kept.at * kept.row
        yield f"if ({step} >= {self.first} && {step} < {self.first + self.count}) {{"
        yield from (INDENT + line for line in self._copied())
        yield "} else {"
        yield from (INDENT + line for line in self._bordered(start, kept.new * kept.row))
        yield "}"
        yield f"{step} = {step} == {self.steps - 1} ? 0 : {step} + 1;"

    def _bordered(self, start: int, count: int) -> Iterator[str]:
        def one(at: str) -> tuple[str, str]:
            return f"{self.array}_border", f"{self.array} + {start} + {at}"

        yield from self._loop(count, start, one, 1)

    def _moved(self) -> Iterator[str]:
        kept = self.kept
        by = kept.new * kept.row

        def one(at: str) -> tuple[str, str]:
            return f"{self.array} + {by} + {at}", f"{self.array} + {at}"

        yield from self._loop((kept.rows - kept.new) * kept.row, by, one, _BATCH)

    def _copied(self) -> Iterator[str]:
        kept = self.kept
        source, target = [], [str(kept.at * kept.row + kept.offset)]
        common = kept.at * kept.row + kept.offset
        depth = 0
        for number, (count, own, other) in enumerate(kept.around):
            if count > 1:
                index = f"d{number}"
                yield f"{INDENT * depth}for (int {index} = 0; {index} < {count}; ++{index}) {{"
                source.append(f"{own} * d{number}")
                target.append(f"{other} * d{number}")
                common = gcd(common, own, other)
                depth += 1
        to = " + ".join([self.array, *target])
        start = " + ".join(["from", *source])

        def one(at: str) -> tuple[str, str]:
            return f"{start} + {at}", f"{to} + {at}"

        yield from (INDENT * depth + line for line in self._loop(kept.chunk, common, one, _BATCH))
        for level in reversed(range(depth)):
            yield f"{INDENT * level}}}"

    def _loop(self, count: int, start: int, one: Ends, batch: int) -> Iterator[str]:
        """Copies ``count`` elements in vectors as wide as all places allow, else one by one."""
        bytes_ = self.type.bits // 8
        width = next(
            (w for w in (_LOAD, _ALIGN) if not count * bytes_ % w and not start * bytes_ % _ALIGN),
            0,
        )
        if not width:
            yield f"for (int n = 0; n < {count}; ++n) {{"
            source, target = one("n")
            yield f"{INDENT}*({target}) = *({source});"
            yield "}"
            return
        lanes = width // bytes_
        vector = f"v{lanes}{'u' if self.type.code == 'uint' else ''}int{self.type.bits}"
        vectors = count // lanes
        whole = vectors // batch * batch
        if whole:
            yield (
                f"for (int n = 0; n < {whole * lanes}; n += {batch * lanes})"
                f" chess_prepare_for_pipelining chess_loop_range({whole // batch},"
                f" {whole // batch}) {{"
            )
            yield from (INDENT + line for line in _vectors(one, vector, lanes, "n", batch))
            yield "}"
        if vectors > whole:
            yield "{"
            rest = _vectors(one, vector, lanes, str(whole * lanes), vectors - whole)
            yield from (INDENT + line for line in rest)
            yield "}"


def _vectors(one: Ends, vector: str, lanes: int, at: str, count: int) -> Iterator[str]:
    places = [f"{at} + {k * lanes}" if k else at for k in range(count)]
    for k, place in enumerate(places):
        yield f"const {vector} part{k} = *(const {vector} *)({one(place)[0]});"
    for k, place in enumerate(places):
        yield f"*({vector} *)({one(place)[1]}) = part{k};"
