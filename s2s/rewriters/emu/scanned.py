"""Variables that are read from a file stay in registers: only what is scanned lies in memory.

    if (fscanf(file, "%ld", &u) != 1)      if ((s2s_got = fscanf(file, "%ld", &s2s_in_u),
        ...                                        u = s2s_in_u, s2s_got) != 1)

A variable whose address is taken lies in the frame of its function, and each later use sends the
thread there. The scanning functions keep no pointer, so a copy is as good.
"""

from __future__ import annotations

from dataclasses import field

from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.emu.captures import parameter
from s2s.rewriters.emu.program import Program, written
from s2s.source.records import dataclass

_SCANNING = {"fscanf": 2, "scanf": 1, "sscanf": 2}


@dataclass
class Scanned:
    """Rewrites a program's functions; ``count`` is the number of variables."""

    program: Program
    count: int = 0
    _names: dict[int, dict[int, str]] = field(default_factory=dict)

    def run(self) -> None:
        for function in self.program.functions.values():
            found = self._variables(function)
            if found:
                self._rewrite(function, found)

    def _variables(self, function: Node) -> dict[Decl, Node]:
        """The local variables whose address only scanning functions get, with declarations."""
        declared = {
            n.decl: n for n in function.walk() if n.kind == "VAR_DECL" and n.decl is not None
        }
        scanned: dict[Decl, Node] = {}
        others: set[Decl] = set()
        for node in function.walk():
            if node.kind != "UNARY_OPERATOR" or node.op != "&":
                continue
            decl = node.children[0].uncast.decl
            if decl not in declared or decl is None:
                continue
            if self._is_scanned(node) and decl.type.scalar and not decl.type.volatile:
                scanned[decl] = declared[decl]
            else:
                others.add(decl)
        return {
            d: n
            for d, n in scanned.items()
            if d not in others and not d.is_static and self._is_movable(function, n)
        }

    def _is_scanned(self, node: Node) -> bool:
        call = self.program.parents[id(node)]
        while call.kind in ("IMPLICIT_CAST", "UNEXPOSED_EXPR"):
            call = self.program.parents[id(call)]
        first = _SCANNING.get(call.name, 0) if call.kind == "CALL_EXPR" else 0
        given = call.children[1:]
        return bool(first) and not call.in_macro and any(g.uncast is node for g in given[first:])

    def _is_movable(self, function: Node, node: Node) -> bool:
        """Whether it is declared in a block, once, and only scanning gives it a value."""
        statement = self.program.parents[id(node)]
        block = self.program.parents.get(id(statement))
        if node.children:
            return False
        values = (written(n) for n in function.walk() if n.op != "&")
        if any(v is not None and v.uncast.decl is node.decl for v in values):
            return False
        return block is not None and block.kind == "COMPOUND_STMT" and not node.in_macro

    def _rewrite(self, function: Node, found: dict[Decl, Node]) -> None:
        self.count += len(found)
        for decl, node in found.items():
            statement = self.program.statement(self.program.parents[id(node)])
            copy = parameter(decl.type, f"s2s_in_{decl.name}")
            self.program.rewriting.insert(statement.end, f" {copy};")
        calls = [n for n in function.walk() if n.kind == "CALL_EXPR" and n.name in _SCANNING]
        for call in calls:
            self._copy(call, found)

    def _copy(self, call: Node, found: dict[Decl, Node]) -> None:
        taken = []
        for given in call.children[1:]:
            node = given.uncast
            inner = node.children[0].uncast if node.op == "&" else node
            if node.op == "&" and inner.decl in found and inner.decl is not None:
                taken.append(inner.decl)
                self.program.rewriting.replace(inner.span, f"s2s_in_{inner.decl.name}")
        if not taken:
            return
        copies = ", ".join(f"{d.name} = s2s_in_{d.name}" for d in taken)
        text = self.program.text(call)
        if self.program.parents[id(call)].kind == "COMPOUND_STMT":
            self.program.rewriting.replace(call.span, f"{text}, {copies}")
            return
        got = self._result(found[taken[0]])
        self.program.rewriting.replace(call.span, f"({got} = {text}, {copies}, {got})")

    def _result(self, node: Node) -> str:
        """The variable for a call's value, which is declared after a scanned one."""
        declaration = self.program.parents[id(node)]
        block = self.program.parents[id(declaration)]
        names = self._names.setdefault(id(block), {})
        if id(declaration) not in names:
            names[id(declaration)] = f"s2s_got_{len(names)}" if names else "s2s_got"
            end = self.program.statement(declaration).end
            self.program.rewriting.insert(end, f" int {names[id(declaration)]};")
        return names[id(declaration)]
