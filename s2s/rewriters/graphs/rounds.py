"""The text for vertices that push only sometimes: if they have changed, or if few of them push."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.rewriters.graphs.active import Rounds, Setting
from s2s.rewriters.graphs.flip import Flip
from s2s.rewriters.graphs.flipped import Flipped
from s2s.rewriters.graphs.layout import header, indented, margin_of, opened
from s2s.rewriters.graphs.mirror import Mirror
from s2s.rewriters.graphs.refused import Refused
from s2s.rewriters.graphs.same import Same
from s2s.source import Edit
from s2s.source.records import dataclass

# Edges that are pulled for each one that is pushed: an atomic costs so many loads. On Emu a thread
# goes to its neighbour and back either way, as what is sent costs no migration.
_WORTH = {"cpu": 4, "emu": 1}


@dataclass(frozen=True)
class Changed:
    """Marks of changed vertices: what is written around the rounds and in them.

    Without ``rounds`` there are no marks. With ``hybrid`` the edges of the vertices that would push
    are counted each time, and vertices pull if they are many, or in graphs with fewer than
    ``small`` vertices, for which a loop to count takes longer than it gains. Where there is no
    memory for the marks, all vertices count as changed.
    """

    flip: Flip
    rounds: Rounds | None
    flipped: Flipped
    prefix: str
    machine: str
    hybrid: bool
    small: int = 0

    @property
    def _marks(self) -> str:
        return f"{self.prefix}changed"

    @property
    def _count(self) -> str:
        """The number of vertices."""
        loop = self.flip.loop
        return f"(unsigned long)({loop.function.unit.buffer.text(loop.last.span)})"

    @property
    def _vertex(self) -> str:
        return self.flip.loop.iterator.name

    def text(self) -> str:
        """The loop that pushes, or the choice between it and the one that pulls."""
        marked = f"(!{self._marks} || {self._marks}[{self._vertex}])"
        done = f"if ({self._marks}) {self._marks}[{self._vertex}] = 0;"
        marked, done = (marked, done) if self.rounds is not None else ("", "")
        other = self.flipped.text(marked, done)
        if not self.hybrid:
            return other
        attempt = self.flip.loop.function.attempt([self.flip.loop.node])
        source = attempt.function.unit.buffer.text(attempt.whole)
        push, pull = (source, other) if self.flip.pushes else (other, source)
        pushed, pulled = f"{self.prefix}pushed", f"{self.prefix}pulled"
        counts = indented(self._counts(marked), 4)
        if self.small:
            counts = f"    if ({self._count} >= {self.small}) {{\n{indented(counts, 8)}\n    }}"
        worth = _WORTH[self.machine]
        lines = [
            "{", f"    long {', '.join(f'{name} = 0' for name in self._counters)};", counts,
            *self._until(),
            f"    if ({pushed} < {pulled}{f' / {worth}' if worth > 1 else ''}) {{",
            indented(push, 8), "    } else {", indented(pull, 8),
        ]  # fmt: skip
        if self.rounds is not None:
            clear = self._over_all([f"{self._marks}[{self._vertex}] = 0;"])
            lines += [f"        if ({self._marks}) {{", indented(clear, 12), "        }"]
        return "\n".join([*lines, "    }", "}"])

    @property
    def _leaves(self) -> bool:
        """Whether a vertex that pulls leaves its edges once it has found one."""
        return self.machine == "emu" and self.flip.update.op == "="

    @property
    def _counters(self) -> list[str]:
        names = ["pushed", "pulled", *(["pulling"] if self._leaves else [])]
        return [f"{self.prefix}{name}" for name in names]

    def _until(self) -> list[str]:
        """Before a vertex that pulls finds one of those that push, it asks as many as there are
        edges of both for each edge of the latter; others have no edges to it that still matter.
        """
        if not self._leaves:
            return []
        pushed, pulled, pulling = self._counters
        asked = f"(double){pulling} * ({pushed} + {pulled}) / {pushed}"
        return [f"    if ({pushed} > 0 && {asked} < {pulled})", f"        {pulled} = {asked};"]

    def _counts(self, marked: str) -> str:
        """The loop that counts the edges of vertices that would push, and of those that pull."""
        mirror = self.flipped.mirror
        same = Same(mirror.loop, mirror.edges, mirror.graph, mirror.here, mirror.there)
        own = [
            f"(!({same.value(c.node)}))" if c.negated else f"({same.value(c.node)})"
            for c in self.flip.sweep.conditions if not c.edges
        ]  # fmt: skip
        here, _ = self.flipped.conditions()
        there = ([marked, *here], self._degree(mirror))
        pushing, pulling = ((own, self._degree(same)), there)[:: 1 if self.flip.pushes else -1]
        names = self._counters
        lines = [_under(pushing[0], f"{names[0]} += {pushing[1]};")]
        if self._leaves:
            found = f"{names[1]} += {pulling[1]}; {names[2]}++;"
            lines.append(_under(pulling[0], f"{{ {found} }}"))
        else:
            lines.append(_under(pulling[0], f"{names[1]} += {pulling[1]};"))
        if mirror.needs_here or same.needs_here:
            lines.insert(0, self.flipped.here())
        return self._over_all(lines, ", ".join(names))

    def edits(self) -> Iterator[Edit]:
        """What is put around the rounds, and where values are set. Raises Refused."""
        if self.rounds is None:
            return
        function, node = self.flip.loop.function, self.rounds.loop
        last = self.flip.loop.last
        declared = {n.decl for n in node.walk() if n.kind == "VAR_DECL"}
        if any(n.decl in declared for n in last.walk() if n.decl is not None):
            raise Refused(node.span, "not flipped: the number of vertices is known in a round only")
        names = function.unit.names
        known = "malloc" in names and "free" in names
        allocate, free = ("malloc", "free") if known else ("__builtin_malloc", "__builtin_free")
        memory = f"{allocate}({self._count} * sizeof *{self._marks})"
        if self.hybrid and self.small:
            memory = f"{self._count} < {self.small} ? 0 : {memory}"
        type_ = "long" if self.machine == "emu" else "unsigned char"
        fill = self._over_all([f"{self._marks}[{self._vertex}] = 1;"])
        lines = [
            "{", f"    {type_} *{self._marks} = {memory};",
            f"    if ({self._marks}) {{", indented(fill, 8), "    }", "    ",
        ]  # fmt: skip
        margin = margin_of(function, node)
        text = indented("\n".join(lines), len(margin)).lstrip() + f"{margin}    "
        yield Edit(node.span.start, node.span.start, text.encode("utf-8", "surrogateescape"))
        end = function.attempt([node]).lifter.end(node)
        yield Edit(end, end, f"\n{margin}    {free}({self._marks});\n{margin}}}".encode())
        for number, setting in enumerate(self.rounds.settings):
            yield self._marked(setting, number)

    def _marked(self, setting: Setting, number: int) -> Edit:
        """A statement that sets a value, and marks the vertex if it is another one."""
        function = setting.loop.function
        span = function.attempt([setting.statement]).whole
        text, target = (function.unit.buffer.text(s) for s in (span, setting.target.span))
        words = setting.target.type.canonical.split()
        type_ = " ".join(w for w in words if w not in ("const", "volatile"))
        old = f"{self.prefix}old{number}"
        mark = f"if ({self._marks} && {old} != {target}) "
        mark += f"{self._marks}[{setting.loop.iterator.name}] = 1;"
        new = f"{{ const {type_} {old} = {target}; {text} {mark} }}"
        return Edit(span.start, span.end, new.encode("utf-8", "surrogateescape"))

    def _over_all(self, body: list[str], reduced: str = "") -> str:
        """A loop over all vertices, parallel if the flipped one is."""
        loop = self.flip.loop
        clause = f" reduction(+ : {reduced})" if reduced else ""
        lines = [f"#pragma omp parallel for{clause}"] if loop.is_parallel else []
        head = header(loop.function, loop)
        return "\n".join([*lines, opened(head), *(f"    {line}" for line in body), "}"])

    def _degree(self, mirror: Mirror) -> str:
        """The number of a vertex's edges in the lists that are written about."""
        first, last = mirror.end(self.flipped.edges.first), mirror.end(self.flipped.edges.last)
        return last if first == "0" else f"{last} - {first}"


def _under(conditions: list[str], statement: str) -> str:
    asked = [c for c in conditions if c]
    return f"if ({' && '.join(asked)}) {statement}" if asked else statement
