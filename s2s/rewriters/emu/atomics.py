"""``omp atomic``, ``omp critical`` and the compiler's atomic functions as Emu's operations.

Where the old value is not wanted, the update is sent (``REMOTE_*``) unless that is switched off.
"""

from __future__ import annotations

import re
from dataclasses import field

from s2s.emitters.emu.atomics import Cell, Helper, update
from s2s.frontends.c.syntax import Node
from s2s.frontends.openmp.directives import Directive
from s2s.rewriters.emu.builtins import Builtins
from s2s.rewriters.emu.program import Program, governed
from s2s.source import Span
from s2s.source.records import dataclass

_UPDATES = {f"{op}=": op for op in ("+", "-", "*", "/", "&", "|", "^", "<<", ">>")}
_COMMUTES = ("+", "*", "&", "|", "^")


@dataclass
class Atomics:
    """Rewrites what is atomic; ``helpers`` are the functions that the program then needs."""

    program: Program
    remote: bool
    helpers: set[Helper] = field(default_factory=set)
    locks: set[str] = field(default_factory=set)

    def run(self) -> None:
        """Rewrite the whole program. Raises Refused."""
        for directive in reversed(self.program.unit.pragmas):
            if directive.name == "atomic":
                self._atomic(directive)
            elif directive.name == "critical":
                self._critical(directive)
        builtins = Builtins(self.program, self.remote, self.helpers)
        for function in self.program.functions.values():
            for node in reversed(list(function.walk())):
                builtins.rewrite(node)

    def combine(self, op: str, cell: Cell, place: str, operand: str, *, remote: bool) -> str:
        return update(op, cell, place, operand, remote=remote, helpers=self.helpers)

    def _atomic(self, directive: Directive) -> None:
        node = governed(self.program, directive)
        kinds = {c.name for c in directive.clauses}
        if node is None:
            raise self.program.refused(directive.span, "an atomic construct without a statement")
        if "read" in kinds or "write" in kinds:
            if not _is_word(node.children[0].uncast if node.children else node):
                raise self._wrong(node)
            self._drop(directive)
            return
        if node.kind == "COMPOUND_STMT" or "capture" in kinds:
            text = self._captured(node)
        elif "compare" in kinds or node.kind == "IF_STMT":
            text = self._compared(node)
        else:
            text = self._updated(node) + ";"
        self.program.rewriting.replace(self.program.statement(node), text)
        self._drop(directive)

    def _drop(self, directive: Directive) -> None:
        """Take a pragma's line out."""
        data = self.program.data
        start = data.rfind(b"\n", 0, directive.span.start) + 1
        end = directive.span.end + (data[directive.span.end : directive.span.end + 1] == b"\n")
        self.program.rewriting.replace(Span(start, end), "")

    def _updated(self, node: Node) -> str:
        found = self._update_of(node)
        if found is None:
            raise self._wrong(node)
        place, op, operand = found
        return self._call(place, op, operand, remote=True)

    def _update_of(self, node: Node) -> tuple[Node, str, str] | None:
        """Cell, operator and operand of ``x op= y``, ``x++``, ``x = x op y``, ``x = y op x``."""
        node = node.uncast
        if node.kind == "UNARY_OPERATOR" and node.op in ("post++", "++", "post--", "--"):
            return node.children[0], "+" if node.op.endswith("++") else "-", "1"
        if node.kind == "COMPOUND_ASSIGNMENT_OPERATOR" and node.op in _UPDATES:
            place = node.children[0]
            return place, _UPDATES[node.op], self._operand(place, node.children[1])
        if node.kind != "BINARY_OPERATOR" or node.op != "=":
            return None
        place, value = node.children[0].uncast, node.children[1].uncast
        if value.kind == "CONDITIONAL_OPERATOR":
            return self._least_of(place, value)
        if value.kind != "BINARY_OPERATOR":
            return None
        left, right = value.children
        if self._same(left, place) and f"{value.op}=" in _UPDATES:
            return place, value.op, self._operand(place, right)
        if self._same(right, place) and value.op in _COMMUTES:
            return place, value.op, self._operand(place, left)
        return None

    def _least_of(self, place: Node, value: Node) -> tuple[Node, str, str] | None:
        """``x = y < x ? y : x`` in its forms."""
        condition, yes, no = (c.uncast for c in value.children)
        if condition.kind != "BINARY_OPERATOR" or condition.op not in ("<", ">", "<=", ">="):
            return None
        other = no if self._same(yes, place) else yes
        if not (self._same(yes, place) or self._same(no, place)):
            return None
        kept = self._kept(condition, place, other)
        if kept is None:
            return None
        taken_if_less = kept if not self._same(yes, place) else not kept
        operand = self._operand(place, other, ordered=True)
        return place, "min" if taken_if_less else "max", operand

    def _kept(self, condition: Node, place: Node, other: Node) -> bool | None:
        """Whether a comparison asks for ``other < place``; None where it compares others."""
        left, right = condition.children
        if self._same(left, other) and self._same(right, place):
            return condition.op.startswith("<")
        if self._same(left, place) and self._same(right, other):
            return condition.op.startswith(">")
        return None

    def _compared(self, node: Node) -> str:
        """``if (y < x) x = y;`` and its like."""
        inner = node
        if node.kind == "IF_STMT" and len(node.children) == 2:
            condition, inner = node.children[0].uncast, node.children[1]
            while inner.kind == "COMPOUND_STMT" and len(inner.children) == 1:
                inner = inner.children[0]
            inner = inner.uncast
            if inner.kind == "BINARY_OPERATOR" and inner.op == "=":
                place, value = (c.uncast for c in inner.children)
                if condition.kind == "BINARY_OPERATOR" and condition.op in ("<", ">", "<=", ">="):
                    less = self._kept(condition, place, value)
                    if less is not None:
                        operand = self._operand(place, value, ordered=True)
                        return self._call(place, "min" if less else "max", operand, True) + ";"
        elif (found := self._update_of(inner)) is not None:
            return self._call(*found, remote=True) + ";"
        raise self._wrong(node)

    def _captured(self, node: Node) -> str:
        """``v = x++``, ``{ v = x; x += y; }``: the old value is wanted."""
        if node.kind == "COMPOUND_STMT" and len(node.children) == 2:
            first, second = (c.uncast for c in node.children)
            found = self._update_of(second)
            if first.op == "=" and found is not None and self._same(first.children[1], found[0]):
                target = self.program.text(first.children[0])
                return f"{target} = {self._call(*found, remote=False)};"
        elif node.kind == "BINARY_OPERATOR" and node.op == "=":
            value = node.children[1].uncast
            if value.kind == "UNARY_OPERATOR" and value.op in ("post++", "post--"):
                found = self._update_of(value)
                if found is not None:
                    target = self.program.text(node.children[0])
                    return f"{target} = {self._call(*found, remote=False)};"
        raise self._wrong(node)

    def _operand(self, place: Node, node: Node, ordered: bool = False) -> str:
        """An operand's text, if converting it to the cell's type first changes nothing."""
        cell, given = place.uncast.type, node.uncast.type
        same = cell.kind == given.kind and cell.size >= given.size
        if ordered and not (same and (cell.signed == given.signed or cell.size > given.size)):
            raise self.program.refused(node.span, "an atomic comparison of different types")
        if cell.kind == "int" and given.kind != "int":
            raise self.program.refused(node.span, "an atomic update of an integer by another type")
        return self.program.text(node)

    def _call(self, place: Node, op: str, operand: str, remote: bool) -> str:
        place = place.uncast
        cell = self._cell(place)
        text = self.program.text(place)
        return self.combine(op, cell, f"&{text}", operand, remote=remote and self.remote)

    def _cell(self, place: Node) -> Cell:
        type_ = place.type
        if type_.kind not in ("int", "float") or type_.size not in (4, 8):
            reason = f"an atomic update of '{type_.spelling}' ({type_.size} bytes)"
            raise self.program.refused(place.span, reason)
        spelling = type_.canonical.replace("volatile ", "").replace("const ", "")
        return Cell(spelling, type_.kind, type_.size, type_.signed)

    def _same(self, left: Node, right: Node) -> bool:
        texts = [self.program.flat.buffer.text(n.uncast.span).strip("() ") for n in (left, right)]
        return texts[0] == texts[1]

    def _wrong(self, node: Node) -> Exception:
        return self.program.refused(node.span, "an atomic construct of this form")

    def _critical(self, directive: Directive) -> None:
        """A lock on nodelet 0; what was sent has arrived before it opens."""
        node = governed(self.program, directive)
        if node is None:
            raise self.program.refused(directive.span, "a critical construct without a statement")
        name = next((c.argument for c in directive.clauses if not c.name), "")
        lock = f"s2s_lock_{re.sub(r'[^A-Za-z0-9]', '_', name)}".rstrip("_")
        self.locks.add(lock)
        span = self.program.statement(node)
        text = self.program.rewriting.text(span)
        self.program.rewriting.replace(
            span,
            f"{{ while (ATOMIC_CAS(&{lock}, 1, 0)) RESCHEDULE();\n{text}\nFENCE(); {lock} = 0; }}",
        )
        self._drop(directive)


def _is_word(node: Node) -> bool:
    return node.type.scalar and node.type.size in (1, 2, 4, 8)
