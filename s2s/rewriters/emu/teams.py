"""What regions of OpenMP mean on Emu, where a region has one thread, as it may.

#pragma omp parallel private(mine)          {
{                                               long mine;
    mine = 0;                                   mine = 0;
    #pragma omp for                             loop with reduction(+ : mine)
    for (...) mine += a[i];          ->
    #pragma omp atomic                          REMOTE_ADD(&sum, mine);
    sum += mine;
}                                           }

Loops that the region's threads share are made parallel where each variable that a thread has for
itself is the same for all, or only added up; others run as they stand.
"""

from __future__ import annotations

import re
from dataclasses import field

from s2s.emitters.emu.library import KNOWN, TEAM
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.openmp.directives import Clause, Directive
from s2s.rewriters.emu.program import Program, governed, root, written
from s2s.source.records import dataclass

_ADDS = {"+=": "+", "-=": "+", "*=": "*", "&=": "&", "|=": "|", "^=": "^"}
_STEPS = ("++", "--", "post++", "post--")
_OWN = ("private", "firstprivate", "lastprivate", "reduction")
_LOCK = re.compile(rb"\bomp_lock_t\b")


@dataclass(frozen=True)
class Team:
    """The variables that each thread of a region has for itself, around a loop that they share.

    ``own`` are those whose values may differ between threads.
    """

    program: Program
    loop: Node
    own: frozenset[Decl] = field(default=frozenset())

    def shared(self, listed: set[str]) -> list[Clause] | None:
        """Reductions that the loop then has besides, None where it needs the region's threads.

        ``listed`` are the variables that clauses of the loop itself are about.
        """
        found: list[Clause] = []
        if any(n.kind == "CALL_EXPR" and n.name in TEAM for n in self.loop.walk()):
            return None
        used = {n.decl for n in self.loop.walk() if n.kind == "DECL_REF_EXPR"}
        for decl in sorted(self.own & used, key=lambda d: d.offset):
            if decl.name in listed:
                continue
            op = self._op(decl)
            if op is None:
                return None
            found.append(Clause("reduction", f"{op} : {decl.name}"))
        return found

    def _op(self, decl: Decl) -> str | None:
        """By which operation a loop adds to a variable, which it must not use otherwise."""
        if decl.type.kind not in ("int", "float"):
            return None
        ops: set[str | None] = set()
        seen: set[int] = set()
        for node in self.loop.walk():
            op = self._added(node, decl)
            if op is not None:
                ops.add(op)
                seen |= {id(n) for n in node.walk() if n.decl is decl}
        uses = {id(n) for n in self.loop.walk() if n.kind == "DECL_REF_EXPR" and n.decl is decl}
        return ops.pop() if len(ops) == 1 and uses == seen else None

    def _added(self, node: Node, decl: Decl) -> str | None:
        if node.kind == "IF_STMT":
            return self._least(node, decl)
        above = self.program.parents.get(id(node))
        if above is None or above.kind not in ("COMPOUND_STMT", "IF_STMT", "FOR_STMT"):
            return None
        if node.kind == "UNARY_OPERATOR" and node.op in _STEPS and _is(node.children[0], decl):
            return "+"
        if node.kind == "COMPOUND_ASSIGNMENT_OPERATOR" and node.op in _ADDS:
            target, value = node.children
            if _is(target, decl) and not _names(value, decl):
                return _ADDS[node.op]
        if node.kind == "BINARY_OPERATOR" and node.op == "=" and _is(node.children[0], decl):
            value = node.children[1].uncast
            if value.kind == "BINARY_OPERATOR" and value.op in ("+", "*", "&", "|", "^"):
                left, right = value.children
                if _is(left, decl) and not _names(right, decl):
                    return value.op
        return None

    def _least(self, node: Node, decl: Decl) -> str | None:
        """``if (y < x) x = y;`` and its like."""
        if len(node.children) != 2:
            return None
        condition, inner = node.children[0].uncast, node.children[1]
        while inner.kind == "COMPOUND_STMT" and len(inner.children) == 1:
            inner = inner.children[0]
        inner = inner.uncast
        is_set = (
            inner.kind == "BINARY_OPERATOR" and inner.op == "=" and _is(inner.children[0], decl)
        )
        if not is_set or condition.kind != "BINARY_OPERATOR" or condition.op not in ("<", ">"):
            return None
        value = self._words(inner.children[1])
        left, right = condition.children
        if _names(inner.children[1], decl) or "(" in value or "++" in value or "--" in value:
            return None
        if _is(right, decl) and self._words(left) == value:
            return "min" if condition.op == "<" else "max"
        if _is(left, decl) and self._words(right) == value:
            return "max" if condition.op == "<" else "min"
        return None

    def _words(self, node: Node) -> str:
        return "".join(self.program.flat.buffer.text(node.span).split())


def team_of(program: Program, loop: Node, function: Node) -> Team:
    """The team that shares a loop: that of the region around it, or of those that call it."""
    regions = []
    for directive in program.unit.pragmas:
        node = governed(program, directive) if directive.name == "parallel" else None
        if node is not None and loop.span in node.span and node is not loop:
            regions.append((node, directive))
    if not regions:
        written_here = {d for n in function.walk() if (d := _set(n)) is not None}
        local = [n for n in function.walk() if n.kind in ("VAR_DECL", "PARM_DECL") and n.decl]
        own = {n.decl for n in local if n.decl in written_here or _may_differ(n, set())}
        return Team(program, loop, frozenset(d for d in own if d and not _inside(d, loop)))
    own_now: set[Decl] = set()
    for node, directive in sorted(regions, key=lambda r: r[0].span.start):
        own_now |= _own_of(node, directive, loop)
    return Team(program, loop, frozenset(own_now))


def _own_of(region: Node, directive: Directive, loop: Node) -> set[Decl]:
    """Variables of a region's threads that may differ from thread to thread."""
    changed = {d for n in region.walk() if (d := _set(n)) is not None}
    first = set(directive.listed("firstprivate"))
    listed = set(directive.listed(*_OWN))
    own = {
        n.decl for n in region.walk()
        if n.kind == "DECL_REF_EXPR" and n.decl is not None and n.decl.name in listed
        and (n.decl.name not in first or n.decl in changed or n.decl.type.kind == "array")
    }  # fmt: skip
    declared = [n for n in region.walk() if n.kind == "VAR_DECL" and n.decl is not None]
    for node in sorted(declared, key=lambda n: n.span.start):
        decl = node.decl
        if decl is None or decl.is_static or _inside(decl, loop):
            continue
        if decl in changed or _may_differ(node, own):
            own.add(decl)
    return {d for d in own if d is not None}


def _may_differ(declared: Node, own: set[Decl]) -> bool:
    """Whether a variable's first value may be another one in each thread."""
    if declared.kind == "PARM_DECL":
        return False
    if not declared.children or declared.type.kind in ("array", "record", "union"):
        return True
    value = declared.children[-1]
    return "CALL_EXPR" in value.kinds or any(n.decl in own for n in value.walk())


def _set(node: Node) -> Decl | None:
    """The variable that an expression writes or whose address it takes."""
    lvalue = written(node)
    target = root(lvalue) if lvalue is not None else None
    return target.decl if target is not None else None


def _inside(decl: Decl, loop: Node) -> bool:
    return decl.in_file and loop.span.start <= decl.offset < loop.span.end


def _is(node: Node, decl: Decl) -> bool:
    node = node.uncast
    return node.kind == "DECL_REF_EXPR" and node.decl is decl


def _names(node: Node, decl: Decl) -> bool:
    return any(n.decl is decl for n in node.walk())


@dataclass(frozen=True)
class Library:
    """The functions of OpenMP's library that a program calls."""

    names: frozenset[str]
    locks: bool


def library(program: Program, loops: list[Node]) -> Library:
    """What a program calls. Raises Refused for what is not known, or asks for a thread's number in
    a parallel loop.
    """
    names = set()
    inside = [*loops, *(program.functions[d] for d in program.reached(loops))]
    in_loops = {id(n) for top in inside for n in top.walk() if n.name in TEAM}
    for function in program.functions.values():
        for node in function.walk():
            if node.kind == "DECL_REF_EXPR" and node.name.startswith("omp_"):
                if node.decl in program.functions or (
                    node.decl and node.decl.kind != "FUNCTION_DECL"
                ):
                    continue
                if node.name not in KNOWN or id(node) in in_loops:
                    raise program.refused(node.span, f"'{node.name}'")
                names.add(node.name)
    return Library(frozenset(names), _LOCK.search(program.data) is not None)


def own_variables(program: Program, directive: Directive, node: Node) -> tuple[str, str]:
    """Declarations of the variables that a region's thread has for itself, and what closes them.

    Raises Refused for variables of types that cannot be declared once more.
    """
    decls = {n.decl.name: n.decl for n in node.walk() if n.kind == "DECL_REF_EXPR" and n.decl}
    first, copies = "", ""
    for name in directive.listed("private", "firstprivate"):
        decl = decls.get(name)
        if decl is None:
            continue
        if decl.type.kind == "array" and decl.type.innermost().kind == "array":
            raise program.refused(directive.span, f"a region's own variable: '{name}'")
        if name in directive.listed("firstprivate"):
            if decl.type.kind == "array":
                raise program.refused(directive.span, f"a region's own copy of an array: '{name}'")
            first += f"{declaration(decl.type, f's2s_in_{name}')} = {name}; "
            copies += f"{declaration(decl.type, name)} = s2s_in_{name}; "
        else:
            copies += f"{declaration(decl.type, name)}; "
    if not copies:
        return "", ""
    return f"{{ {first}{{ {copies}", " } }"


def declaration(type_: CType, name: str) -> str:
    """A variable's declaration; arrays have constant lengths."""
    spelling = type_.spelling
    if type_.kind == "array" and "[" in spelling and "(" not in spelling:
        at = spelling.index("[")
        return f"{spelling[:at].rstrip()} {name}{spelling[at:]}"
    if match := re.search(r"\(\s*\*+\s*(?=[)\[])", spelling):
        return f"{spelling[: match.end()]}{name}{spelling[match.end() :]}"
    spelling = re.sub(r"^const ", "", spelling) if type_.kind != "pointer" else spelling
    return f"{spelling}{name}" if spelling.endswith("*") else f"{spelling} {name}"
