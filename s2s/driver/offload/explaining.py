"""What ``s2s explain --offload`` says: of each operation who could take it, who has it, why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from s2s.driver.offload.blocks import Block
from s2s.frontends.c.unit import Unit
from s2s.source import Span
from s2s.source.offload import Region as Written
from s2s.transforms.outline.graph import HOST, Node
from s2s.transforms.outline.partition import Partition

Kept = Sequence[tuple[Span, str]]


def explain(
    unit: Unit,
    blocks: Sequence[tuple[Block, Partition]],
    written: Mapping[object, Written],
    kept: Kept,
) -> str:
    """A line for each nest, in the order of the file, and the shares as in the paper's Table 1.

    ``written`` are the regions that have code, ``kept`` statements that are no pieces, and why.
    """
    seen = _Seen(blocks)
    shown = [(span, why) for span, why in kept if not seen.is_hidden(span)]
    lines = [(unit.buffer.location(span).line, f"stays on the host: {why}") for span, why in shown]
    for block, part in blocks:
        lines += _of_block(block, part, written, seen)
    text = "".join(f"{unit.buffer.path}:{line}: {said}\n" for line, said in sorted(lines))
    return text + shares(blocks, len(shown)) + "\n"


class _Seen:
    """Which operations are told of and counted: a nest that stays, or those inside of it.

    These are where a device has one of them; else the nest is one thing that stays.
    """

    def __init__(self, blocks: Sequence[tuple[Block, Partition]]) -> None:
        taken: list[Span] = []
        staying: list[Span] = []
        for block, part in blocks:
            pieces = {piece for region in part.regions for piece in region.pieces}
            for piece in block.facts:
                (taken if piece in pieces else staying).append(block.node.children[piece].span)
        self._opened = [s for s in staying if any(_is_inside(one, s) for one in taken)]
        self._closed = [s for s in staying if s not in self._opened]

    def is_hidden(self, span: Span) -> bool:
        """Whether a statement or block is part of a nest that stays as a whole."""
        return any(_is_inside(span, whole) for whole in self._closed)

    def operations(self, block: Block) -> list[Node]:
        """Those of a block that are told of."""
        if self.is_hidden(block.node.span):
            return []
        opened = {k for k, one in enumerate(block.node.children) if one.span in self._opened}
        return [n for n in block.graph.nodes if n.op != HOST and n.piece not in opened]


def _is_inside(span: Span, whole: Span) -> bool:
    return whole.start <= span.start and span.end <= whole.end and span != whole


def _of_block(
    block: Block, part: Partition, written: Mapping[object, Written], seen: _Seen
) -> Iterator[tuple[int, str]]:
    for node in seen.operations(block):
        able = [one.name for one in part.annotated if node in one.nodes]
        words = f"{node.op}: " + (f"{', '.join(able)} could take it; " if able else "")
        got = next((r for r in part.regions if node.piece in r.pieces and r in written), None)
        if got is not None:
            yield node.line, f"{words}{got.device} has it in {written[got].name}"
            continue
        why = [f"{r.name}: {r.reason}" for r in part.rejected if r.node is node]
        yield node.line, f"{words}the host keeps it ({'; '.join(why) or 'no pattern is for it'})"


def shares(blocks: Sequence[tuple[Block, Partition]], kept: int = 0) -> str:
    """How much of the program is on devices: operations and multiplications, as in Table 1."""
    every: list[Node] = []
    there: list[Node] = []
    seen = _Seen(blocks)
    for block, part in blocks:
        pieces = {piece for region in part.regions for piece in region.pieces}
        own = seen.operations(block)
        every += own
        there += [node for node in own if node.piece in pieces]
    macs, of = sum(n.macs for n in there), sum(n.macs for n in every)
    share = f"{100 * macs / of:.0f} %" if of else "none there"
    return (
        f"on devices: {len(there)} of {len(every) + kept} nests and operations,"
        f" {macs} of {of} multiplications ({share})"
    )
