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
    lines = [(unit.buffer.location(span).line, f"stays on the host: {why}") for span, why in kept]
    for block, part in blocks:
        lines += _of_block(block, part, written)
    text = "".join(f"{unit.buffer.path}:{line}: {said}\n" for line, said in sorted(lines))
    return text + shares(blocks, len(kept)) + "\n"


def _of_block(
    block: Block, part: Partition, written: Mapping[object, Written]
) -> Iterator[tuple[int, str]]:
    for node in block.graph.nodes:
        if node.op == HOST:
            continue
        able = [one.name for one in part.annotated if node in one.nodes]
        words = f"{node.op}: " + (f"{', '.join(able)} could take it; " if able else "")
        got = next((r for r in part.regions if node.piece in r.pieces and r in written), None)
        if got is not None:
            yield node.line, f"{words}{got.device} has it in {written[got].name}"
            continue
        why = [f"{r.name}: {r.reason}" for r in part.rejected if r.node is node]
        yield node.line, f"{words}the host keeps it ({'; '.join(why) or 'no pattern is for it'})"


def _operations(block: Block) -> list[Node]:
    return [node for node in block.graph.nodes if node.op != HOST]


def shares(blocks: Sequence[tuple[Block, Partition]], kept: int = 0) -> str:
    """How much of the program is on devices: operations and multiplications, as in Table 1.

    A nest that stays, in which there are others, is counted by these.
    """
    every: list[Node] = []
    there: list[Node] = []
    inner = [block.node.span for block, _ in blocks if _operations(block)]
    for block, part in blocks:
        pieces = {piece for region in part.regions for piece in region.pieces}
        opened = {
            piece
            for piece, statement in enumerate(block.node.children)
            if any(statement.span.start <= s.start and s.end <= statement.span.end for s in inner)
        }
        own = [node for node in _operations(block) if node.piece not in opened]
        every += own
        there += [node for node in own if node.piece in pieces]
    macs, of = sum(n.macs for n in there), sum(n.macs for n in every)
    share = f"{100 * macs / of:.0f} %" if of else "none there"
    return (
        f"on devices: {len(there)} of {len(every) + kept} nests and operations,"
        f" {macs} of {of} multiplications ({share})"
    )
