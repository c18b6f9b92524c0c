"""Several ids for each trip: an edge loop reads some neighbours ahead while its thread is at home.

    for (long k = 0; k < v->out.size; k++)      const long end = v->out.size;
        sum += v->out.edges[k].to->rank;        for (long first = 0; first < end; first += 8) {
                                                    to_0 = v->out.edges[first].to, to_1 = ...;
                                                    for (k = first; ...; k++, to_0 = to_1, ...)
                                                        sum += to_0->rank;
                                                }

A thread that would return to its vertex for each edge then goes from neighbour to neighbour. What
is read ahead has to stay as it is (``Region``), and each iteration has to read it anyhow, so that
no address is read that the source would not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import pairwise

from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.emu.captures import parameter
from s2s.rewriters.emu.layouts import Layout, Layouts
from s2s.rewriters.emu.loops import ParallelLoop
from s2s.rewriters.emu.objects import Objects
from s2s.rewriters.emu.program import Program, root, written
from s2s.rewriters.emu.region import Region
from s2s.source import Edit
from s2s.source.records import dataclass

REGISTERS = 12
"""Values to carry; a thread's context has room for 18 words, some of which the loop needs."""

MOST = 8
"""Ids for each trip, if it is one value for each."""

_LEAVES = {"BREAK_STMT", "GOTO_STMT", "RETURN_STMT", "LABEL_STMT"}


@dataclass
class Batches:
    """Rewrites the edge loops of parallel loops; ``done`` are those that it rewrote."""

    program: Program
    objects: Objects
    layouts: Layouts
    done: list[Node] = field(default_factory=list)

    def run(self, loop: ParallelLoop) -> None:
        region = Region(self.program, self.objects, loop)
        if not region.is_known:
            return
        for node in loop.body.walk():
            if node.kind == "FOR_STMT" and not any(n.is_loop for n in node.children[-1].walk()):
                batch = self._batch(region, node)
                if batch is not None:
                    self._write(batch)
                    self.done.append(node)

    def _batch(self, region: Region, node: Node) -> Batch | None:
        header = _header(node)
        if header is None or node.in_macro:
            return None
        index, first, last = header
        body = node.children[3]
        if body.kinds & _LEAVES or _writes(body, index):
            return None
        fixed = _fixed(region.loop, node)
        loads = self._loads(region, body, index, fixed)
        if not region.stays(last, fixed) or not loads:
            return None
        if not self._goes_away(body, loads):
            return None
        return Batch(node, index, first, last, loads)

    def _loads(
        self, region: Region, body: Node, index: Decl, fixed: set[Decl]
    ) -> dict[str, list[Node]]:
        """What each iteration reads at home by its index, by text; {} where it reads more there."""
        found: dict[str, list[Node]] = {}
        owners: set[Decl | None] = set()
        certain = {id(n) for n in _certain(body)}
        for node in _reads(body):
            if not self._is_of_row(region, node, index, fixed):
                continue
            if node.type.kind in ("record", "array") and self._is_selected(node):
                continue
            if node.in_macro or not node.type.scalar:
                return {}
            found.setdefault(self._words(node), []).append(node)
            owners.add(_owner(node))
        if not all(any(id(n) in certain for n in nodes) for nodes in found.values()):
            return {}
        inside = {id(n) for nodes in found.values() for top in nodes for n in top.walk()}
        for node in body.walk():
            is_read = node.kind == "MEMBER_REF_EXPR" and id(node) not in inside
            if is_read and self._is_read_of(node, owners):
                return {}
        return found

    def _is_selected(self, node: Node) -> bool:
        above = self.program.parents.get(id(node))
        return above is not None and above.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR")

    def _is_read_of(self, node: Node, owners: set[Decl | None]) -> bool:
        """Whether a member is read of a vertex whose rows are read ahead."""
        base = node.children[0].uncast if node.children else node
        if base.kind != "DECL_REF_EXPR" or base.decl not in owners:
            return False
        for above in self.program.outward(node):
            if above.kind == "UNARY_OPERATOR" and above.op == "&":
                return False
            if above.kind != "MEMBER_REF_EXPR":
                break
        return not self._is_sent(node)

    def _is_sent(self, node: Node) -> bool:
        """Whether it is what an update or a store writes, which goes there by itself."""
        above = self.program.parents.get(id(node))
        return above is not None and written(above) is node

    def _is_of_row(self, region: Region, node: Node, index: Decl, fixed: set[Decl]) -> bool:
        """Whether a load's address is made of the index and of what stays, in memory at home."""
        if node.kind not in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"):
            return False
        element = node
        while element.kind == "MEMBER_REF_EXPR" and element.children:
            element = element.children[0].uncast
            if element.type.kind == "pointer":
                return False
        if element.kind != "ARRAY_SUBSCRIPT_EXPR":
            return False
        array, place = (c.uncast for c in element.children)
        if not _is_index(place, index) or self.layouts.layout(array) is not Layout.LOCAL:
            return False
        return region.stays(array, fixed) and region.stays(node, {*fixed, index})

    def _goes_away(self, body: Node, loads: dict[str, list[Node]]) -> bool:
        """Whether an iteration reads anything besides."""
        inside = {id(n) for nodes in loads.values() for top in nodes for n in top.walk()}
        for node in body.walk():
            if id(node) in inside:
                continue
            if node.kind == "CALL_EXPR" and node.decl in self.program.functions:
                return True
            if node.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"):
                own = root(node)
                if own is None and not self._is_sent(node):
                    return True
        return False

    def _words(self, node: Node) -> str:
        return "".join(self.program.flat.buffer.text(node.span).split())

    def _write(self, batch: Batch) -> None:
        number = len(self.done) + 1
        indent = self._indent(batch.node)
        count = max(2, min(MOST, REGISTERS // len(batch.loads)))
        next_, last = f"s2s_k_{number}", f"s2s_end_{number}"
        lines = [
            f"const long {last} = {self.program.text(batch.last)};",
            f"for (long {next_} = {self.program.text(batch.first)}; {next_} < {last};"
            f" {next_} += {count}) {{",
        ]
        shifts = []
        for place, nodes in enumerate(batch.loads.values()):
            names = [f"s2s_{_name(nodes[0])}_{number}_{place}_{k}" for k in range(count)]
            for k, name in enumerate(names):
                at = f"{next_} + {k}" if k else next_
                value = self._at(nodes[0], batch.index, at)
                if k:
                    value = f"{at} < {last} ? {value} : 0"
                declared = parameter(nodes[0].type, name)
                lines.append(f"    {declared.removeprefix('const ')} = {value};")
            shifts += [f"{a} = {b}" for a, b in pairwise(names)]
            for node in nodes:
                self.program.rewriting.replace(node.span, names[0])
        kind, name = batch.index.type.spelling, batch.index.name
        lines.append(
            f"    for ({kind} {name} = {next_}; {name} < {last} && {name} < {next_} + {count};"
        )
        lines += [f"         {line}" for line in _wrapped([f"{name}++", *shifts])]
        body = self._body(batch.node.children[3], indent)
        text = f"\n{indent}    ".join(lines)
        self.program.rewriting.replace(
            self.program.statement(batch.node),
            f"{{\n{indent}    {text}{body}\n{indent}    }}\n{indent}}}",
        )

    def _body(self, body: Node, indent: str) -> str:
        text = self.program.rewriting.text(self.program.statement(body))
        if body.kind == "COMPOUND_STMT":
            first, *rest = text.split("\n")
            moved = [f"        {r}" if r.strip() and not r.startswith("#") else r for r in rest]
            return " " + "\n".join([first, *moved])
        return f"\n{indent}            " + text.replace("\n", "\n        ")

    def _at(self, load: Node, index: Decl, value: str) -> str:
        """The text of a load with another index."""
        uses = [n for n in load.walk() if n.kind == "DECL_REF_EXPR" and n.decl is index]
        edits = [
            Edit(n.span.start, n.span.end, value.encode("utf-8", "surrogateescape")) for n in uses
        ]
        return self.program.rewriting.text_with(load.span, edits)

    def _indent(self, node: Node) -> str:
        start = self.program.flat.buffer.line_start(node.span.start)
        line = self.program.data[start : node.span.start].decode("utf-8", "replace")
        return line[: len(line) - len(line.lstrip())]


@dataclass(frozen=True, eq=False)
class Batch:
    """An edge loop, its header, and what it reads ahead, by text."""

    node: Node
    index: Decl
    first: Node
    last: Node
    loads: dict[str, list[Node]]


def _header(node: Node) -> tuple[Decl, Node, Node] | None:
    """``for (T k = first; k < last; k++)``."""
    if len(node.children) != 4:
        return None
    init, condition, step, _ = node.children
    condition, step = condition.uncast, step.uncast
    if init.kind != "DECL_STMT" or len(init.children) != 1 or not init.children[0].children:
        return None
    index = init.children[0].decl
    moves = step.kind == "UNARY_OPERATOR" and step.op in ("post++", "++")
    if index is None or index.type.kind != "int" or not moves or condition.op != "<":
        return None
    if step.children[0].uncast.decl is not index or condition.children[0].uncast.decl is not index:
        return None
    first, last = init.children[0].children[-1], condition.children[1]
    signed = index.type.signed and last.uncast.type.signed
    fits = signed and first.uncast.type.size <= index.type.size
    return (index, first, last) if fits else None


def _is_index(node: Node, index: Decl) -> bool:
    return node.kind == "DECL_REF_EXPR" and node.decl is index


def _writes(body: Node, decl: Decl) -> bool:
    lvalues = (written(n) for n in body.walk())
    return any(v is not None and v.kind == "DECL_REF_EXPR" and v.decl is decl for v in lvalues)


def _fixed(loop: ParallelLoop, node: Node) -> set[Decl]:
    """Local variables that the edge loop neither declares nor writes, nor shares with others."""
    changed = {r.decl for n in node.walk() if (w := written(n)) is not None and (r := root(w))}
    taken = {
        r.decl
        for n in loop.function.walk()
        if n.kind == "UNARY_OPERATOR" and n.op == "&" and (r := root(n.children[0])) is not None
    }
    shared = {
        r.decl
        for n in loop.body.walk()
        if (w := written(n)) is not None and (r := root(w)) is not None
        if not (r.decl and loop.node.span.start <= r.decl.offset < loop.node.span.end)
    }
    declared = {n.decl for n in node.walk() if n.kind == "VAR_DECL"}
    used = {n.decl for n in node.walk() if n.kind == "DECL_REF_EXPR" and n.decl is not None}
    return {d for d in used if not d.is_global and d not in changed | taken | shared | declared}


def _reads(body: Node) -> Iterator[Node]:
    """Loads, the largest first; what is inside one that is taken comes after it."""
    for node in body.walk():
        if node.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"):
            yield node


def _certain(body: Node) -> Iterator[Node]:
    """The nodes that each iteration works out."""
    for statement in body.statements:
        yield from _worked_out(statement)
        if "CONTINUE_STMT" in statement.kinds:
            return


def _worked_out(node: Node) -> Iterator[Node]:
    yield node
    children = node.children
    if node.kind in ("IF_STMT", "CONDITIONAL_OPERATOR", "SWITCH_STMT") or node.op in ("&&", "||"):
        children = children[:1]
    for child in children:
        yield from _worked_out(child)


def _owner(node: Node) -> Decl | None:
    """The variable through which a load finds its row."""
    while node.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR") and node.children:
        node = node.children[0].uncast
    return node.decl


def _name(node: Node) -> str:
    return node.name if node.kind == "MEMBER_REF_EXPR" else "value"


def _wrapped(parts: list[str]) -> list[str]:
    lines = [""]
    for number, part in enumerate(parts):
        text = part + ("," if number + 1 < len(parts) else ")")
        if len(lines[-1]) + len(text) > 84 and lines[-1]:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + text
    return lines
