"""The host's text with calls of regions, and the files of a region."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2s.driver.offload.blocks import Block
from s2s.driver.offload.facts import indent
from s2s.driver.offload.regions import Outlined
from s2s.emitters.offload.host import HEADER
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, Span, apply_edits
from s2s.source.offload import C_TYPES
from s2s.transforms.outline.partition import Partition, Region
from s2s.transforms.outline.table import Function, Module


def region_files(original: Function, function: Function, module: Module) -> dict[str, bytes]:
    """The device's files and the function they were made of, in the region's folder.

    What the device's passes have made of its text is beside it.
    """
    texts = {f"{original.name}.c": original.text}
    if function.text != original.text:
        texts[f"{original.name}_device.c"] = function.text
    files = {name: text.encode("utf-8", "surrogateescape") for name, text in texts.items()}
    return {f"{original.name}/{name}": data for name, data in {**files, **module.files}.items()}


def host_text(
    unit: Unit, blocks: Sequence[tuple[Block, Partition]], outlined: Mapping[object, Outlined]
) -> bytes:
    """The user's file in which regions are called; the user's text runs where that fails."""
    edits: list[Edit] = []
    for block, part in reversed(blocks):  # what is inside of others comes after them
        edits = _with_block(unit, block, part, outlined, edits)
    if not edits:
        return unit.buffer.data
    return f'#include "{HEADER}"\n'.encode() + apply_edits(unit.buffer.data, edits)


def _with_block(
    unit: Unit,
    block: Block,
    part: Partition,
    outlined: Mapping[object, Outlined],
    inner: Sequence[Edit],
) -> list[Edit]:
    """The edits of blocks, a further one's among them, which may be around some of them."""
    flat = [p for item in part.sequence for p in _pieces(item)]
    if flat == sorted(flat):
        done = list(inner)
        for region in part.regions:
            span = _span(outlined[region])
            text = _call(unit, outlined[region], unit.buffer.data[span.start : span.end].decode(
                "utf-8", "surrogateescape"))  # fmt: skip
            done.append(Edit(span.start, span.end, text.encode("utf-8", "surrogateescape")))
        return done
    whole = _rewritten(unit, block, part, outlined, inner)
    return [whole, *(e for e in inner if not whole.start <= e.start < whole.end)]


def _pieces(item: int | Region) -> list[int]:
    return [item] if isinstance(item, int) else sorted(item.pieces)


def _span(one: Outlined) -> Span:
    return Span(one.pieces[0].span.start, one.pieces[-1].span.end)


def _call(unit: Unit, one: Outlined, text: str) -> str:
    """The call, and the text that runs where the device has not done it."""
    column = one.pieces[0].column(unit)
    pad = " " * column
    known = {a.name: a for a in one.function.arguments}
    passed = {c.name: c.expression or c.name for piece in one.pieces for c in piece.captured}
    words = ", ".join(
        f"({'' if a.is_written else 'const '}{C_TYPES[a.type]} *){passed[a.name]}"
        for a in known.values()
    )
    guard = "".join(f"{name} != {value} || " for name, value in one.assumed.items())
    about = f"/* s2s: {one.region.name} on {one.region.device} */"
    inside = indent(text, column, column + 4)
    return f"{about}\n{pad}if ({guard}s2s_{one.function.name}({words})) {{\n{inside}\n{pad}}}"


def _rewritten(
    unit: Unit,
    block: Block,
    part: Partition,
    outlined: Mapping[object, Outlined],
    inner: Sequence[Edit],
) -> Edit:
    """All of a block's statements in their new order, each with the text before it."""
    data, statements = unit.buffer.data, block.node.children
    starts, ends = [], []
    for number, node in enumerate(statements):
        facts = block.facts.get(number)
        span = facts.piece.span if facts is not None else _statement(data, node.span)
        starts.append(span.start)
        ends.append(span.end)
    spans = [Span(ends[k - 1] if k else starts[0], ends[k]) for k in range(len(statements))]
    texts = [unit.buffer.edited(s, (e for e in inner if s.start <= e.start < s.end)) for s in spans]
    made = []
    for item in part.sequence:
        if isinstance(item, int):
            made.append(texts[item])
            continue
        one = outlined[item]
        own = [
            data[p.span.start : p.span.end].decode("utf-8", "surrogateescape") for p in one.pieces
        ]
        column = one.pieces[0].column(unit)
        first, *others = own
        text = "\n".join([first, *(" " * column + other for other in others)])
        made.append("\n" + " " * column + _call(unit, one, text))
    text = "".join(made).lstrip("\n")
    return Edit(starts[0], ends[-1], text.encode("utf-8", "surrogateescape"))


def _statement(data: bytes, span: Span) -> Span:
    """With the semicolon after an expression."""
    after = data[span.end : span.end + 200].lstrip()
    if after[:1] == b";" and data[span.end - 1 : span.end] != b";":
        return Span(span.start, data.index(b";", span.end) + 1)
    return span
