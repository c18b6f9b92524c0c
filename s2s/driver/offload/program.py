"""``--offload``: a program's regions on devices, the rest on the host.

A file of C becomes a folder: the host's C with calls of regions, a folder for each region with its
code in its device's form, the manifest, the runtime and a Makefile.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from s2s.driver.offload.blocks import Block, make_block
from s2s.driver.offload.captures import NoPiece
from s2s.driver.offload.choosing import load_devices
from s2s.driver.offload.doors import Transform
from s2s.driver.offload.explaining import explain
from s2s.driver.offload.facts import Facts, look_at
from s2s.driver.offload.pieces import Piece, blocks, inner_blocks, piece_of
from s2s.driver.offload.regions import Outlined, outline
from s2s.driver.offload.settings import OffloadOptions
from s2s.driver.offload.threads import is_under_directive, threaded_functions
from s2s.driver.offload.writing import host_text, region_files
from s2s.driver.options import Options, Outcome
from s2s.emitters.offload import host as printed
from s2s.frontends.c.parse import parse_as_compiled
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.unit import Unit
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.flags import elsewhere
from s2s.source.offload import NAME, Manifest, Region
from s2s.source.records import dataclass
from s2s.transforms.outline import table
from s2s.transforms.outline.cost import costs_of
from s2s.transforms.outline.matching import Rejected
from s2s.transforms.outline.partition import (
    Choice,
    Partition,
    choose_by_time,
    others,
    partition,
    split,
)
from s2s.transforms.outline.partition import Region as Item

_PREFIX = "region_"


def offload(
    buffer: SourceBuffer, flags: Sequence[str], options: Options, transform: Transform
) -> Outcome:
    """All files of a program with its regions on devices. Raises UserError for what is no C.

    ``transform`` is how any file goes through the house, for those that regions become.
    """
    assert options.offload is not None
    load_devices(options.offload)
    flags = elsewhere(flags, buffer.path, buffer.data)
    unit = parse_as_compiled(buffer, flags)
    if unit.errors:
        raise UserError(*unit.errors[:1])
    if unit.is_cxx:
        reason = "'--offload' to devices takes a program in C"
        raise UserError(Diagnostic(Severity.ERROR, reason, "offload", buffer.place(None)))
    work = _Work(unit, options, options.offload, transform)
    work.run()
    manifest = Manifest(buffer.path, os.path.basename(buffer.path), tuple(work.regions))
    text = host_text(unit, work.blocks, work.outlined)
    stem = os.path.splitext(os.path.basename(buffer.path))[0]
    files = {
        NAME: manifest.write(),
        printed.HEADER: printed.print_header(manifest.regions).encode(),
        printed.SOURCE: printed.print_functions(manifest.regions).encode(),
        "Makefile": printed.print_makefile(manifest, stem, flags).encode(),
        **printed.runtime_files(),
        **work.files,
    }
    explanation = explain(unit, work.blocks, work.written, work.kept)
    return Outcome(
        buffer.path, buffer.data, text, tuple(work.said), explanation, tuple(files.items()),
        name=manifest.host, read=tuple(sorted(unit.included)),
    )  # fmt: skip


@dataclass
class _Work:
    """One program: its blocks with their partitions, its regions with their files."""

    unit: Unit
    options: Options
    chosen: OffloadOptions
    transform: Transform
    blocks: list[tuple[Block, Partition]] = field(default_factory=list)
    outlined: dict[object, Outlined] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    said: list[Diagnostic] = field(default_factory=list)
    written: dict[object, Region] = field(default_factory=dict)
    kept: list[tuple[Span, str]] = field(default_factory=list)

    @property
    def _prefix(self) -> str:
        """Of the regions' names; the program has no such."""
        used = self.unit.buffer.data
        return _PREFIX if _PREFIX.encode() not in used else f"offloaded_{_PREFIX}"

    def run(self) -> None:
        """Look at all blocks, those inside of others after them."""
        threaded = threaded_functions(self.unit)
        level = [
            ((name, node), block) for name, node, block in blocks(self.unit) if name not in threaded
        ]
        while level:
            level = [
                (function, inner)
                for function, block, facts in self._look(level)
                for inner in self._take(function, block, facts)
            ]

    def _look(
        self, level: Sequence[tuple[tuple[str, Node], Node]]
    ) -> Iterator[tuple[tuple[str, Node], Node, Mapping[int, Facts | NoPiece]]]:
        """Blocks with the facts of their statements, or why there are none."""
        given = {n: e[0] for n, e in self.options.given.sizes if len(e) == 1}
        pieces: list[Piece] = []
        found: list[dict[int, Facts | NoPiece]] = []
        for function, block in level:
            found.append({})
            for number in range(len(block.children)):
                try:
                    pieces.append(piece_of(self.unit, function, block, number, given))
                except NoPiece as why:
                    found[-1][number] = why
        facts = {id(p): f for p, f in zip(pieces, look_at(self.unit, pieces), strict=True)}
        for (function, block), known in zip(level, found, strict=True):
            for piece in pieces:
                if piece.block is block:
                    known[piece.number] = facts[id(piece)]
            yield function, block, known

    def _take(
        self, function: tuple[str, Node], node: Node, found: Mapping[int, Facts | NoPiece]
    ) -> Iterator[Node]:
        """Give a block's regions to devices; the blocks in what is left are yielded."""
        facts = {k: one for k, one in found.items() if isinstance(one, Facts)}
        taken: set[int] = set()
        if facts:
            block = make_block(self.unit, function, node, facts)
            merging = table.merging()
            choice = Choice(self.chosen.rule, self.chosen.most, merging)
            result = partition(block.graph, self.chosen.devices, choice)
            self._say_rejected(result.rejected)
            result = self._generate(block, result)
            self.blocks.append((block, result))
            taken = {piece for region in result.regions for piece in region.pieces}
        for number, statement in enumerate(node.children):
            why = found[number]
            if number in taken:
                continue
            if isinstance(why, NoPiece) and statement.kind == "FOR_STMT":
                self._say(Severity.MISSED, f"stays on the host: {why.reason}", statement)
                self.kept.append((statement.span, why.reason))
            if not is_under_directive(self.unit, statement.span):
                yield from inner_blocks(statement)

    def _generate(self, block: Block, result: Partition) -> Partition:
        """Code for all regions; what has none becomes the host's, or another device's."""
        sequence: list[int | Item] = []
        rejected = list(result.rejected)
        for item in result.sequence:
            made = [item] if isinstance(item, int) else self._made(block, item, result, rejected)
            sequence += made
        return replace(result, sequence=tuple(sequence), rejected=tuple(rejected))

    def _made(
        self, block: Block, region: Item, result: Partition, rejected: list[Rejected]
    ) -> list[int | Item]:
        """A region that has code; else smaller ones, those of other devices, or its pieces."""
        why = self._refusal(block, region)
        if not why:
            return [region]
        known = [
            one for one in rejected if one.name != region.device or one.node not in region.nodes
        ]
        rejected[:] = [*known, *(Rejected(region.device, node, why) for node in region.nodes)]
        first, rest = split(region)
        if first is not None and rest is not None:
            parts = (self._made(block, part, result, rejected) for part in (first, rest))
            return [item for made in parts for item in made]
        devices = self.chosen.devices
        for one in others(region, result, devices[devices.index(region.device) + 1 :]):
            if self.chosen.rule != "time" or choose_by_time(
                block.graph, one.composites, one.device
            ):
                return self._made(block, one, result, rejected)
        return [*sorted(region.pieces)]

    def _refusal(self, block: Block, region: Item) -> str:
        """Keep a region with its code; why there is none, empty if there is."""
        name = f"{self._prefix}{len(self.regions)}"
        outlined = outline(self.unit, block, region, name)
        codegen = table.find_codegen(region.device)
        assert codegen is not None
        try:
            function = outlined.function
            for one in table.passes_of(region.device):
                function = one(function)
            given = {"check": self.options.check, "transform": self.transform}
            (module,) = codegen([function], given, sorted(function.constants))
        except Exception as why:
            if not isinstance(
                why, table.Refused
            ):  # a device's, of which other regions know nothing
                if self.options.strict:
                    raise
                text = f"internal error of {region.device}: {why or type(why).__name__}"
                self._say(Severity.WARNING, f"{region.name} stays on the host: {text}",
                          outlined.pieces[0].node)  # fmt: skip
                return text
            self._say(Severity.MISSED, f"{region.name} is nothing for {region.device}: {why}",
                      outlined.pieces[0].node)  # fmt: skip
            return str(why) or "its code generator refuses it"
        self._add(outlined, function, module)
        return ""

    def _add(self, outlined: Outlined, function: table.Function, module: table.Module) -> None:
        """Keep a region for which a device has code, of the function that its passes gave."""
        region = outlined.region
        files = region_files(outlined.function, function, module)
        key = hashlib.sha256(repr(sorted(module.files.items())).encode()).hexdigest()[:24]
        line = outlined.pieces[0].line(self.unit)
        written = Region(
            function.name, region.device, module.format,
            tuple(f"{function.name}/{name}" for name in module.files), function.arguments,
            line, tuple(map(str, region.nodes)), sum(n.macs for n in region.nodes), key,
            {**module.options, **_numbers(region.device),
             **({"borders": function.borders} if function.borders else {})},
        )  # fmt: skip
        self.regions.append(written)
        self.written[region] = written
        self.outlined[region] = outlined
        self.files.update(files)
        said = f": {module.said}" if module.said else ""
        text = f"{region.name} goes to {region.device} as {function.name}{said}"
        self._say(Severity.REMARK, text, outlined.pieces[0].node)

    def _say_rejected(self, rejected: Sequence[Rejected]) -> None:
        for one in rejected:
            line = self.unit.buffer.line_offset(one.node.line)
            at = SourceBuffer.place(self.unit.buffer, None)
            at = replace(at, line=one.node.line, end_line=one.node.line) if line >= 0 else at
            text = f"{one.node.op} is nothing for {one.name}: {one.reason}"
            self.said.append(Diagnostic(Severity.MISSED, text, "offload", at))

    def _say(self, severity: Severity, text: str, node: Node) -> None:
        place = self.unit.buffer.location(node.span)
        self.said.append(Diagnostic(severity, text, "offload", place))


def _numbers(device: str) -> dict[str, float]:
    """What a report of a run needs, to say how long it would take on the device."""
    found = costs_of(device)
    return {"launch": found.launch, "transfer": found.transfer, "clock": found.clock}
