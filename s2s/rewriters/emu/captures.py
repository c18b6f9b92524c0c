"""What a parallel loop's body takes from outside: by value, by address, for itself, or reduced."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum

from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.rewriters.emu.loops import ParallelLoop
from s2s.rewriters.emu.program import Program, root, written
from s2s.source.records import dataclass

VARIABLES = ("VAR_DECL", "PARM_DECL")


class How(Enum):
    """How a worker gets a variable."""

    VALUE = "value"
    ADDRESS = "address"
    OWN = "own"
    REDUCED = "reduced"
    LAST = "last"


@dataclass(frozen=True, eq=False)
class Capture:
    """A variable from outside of a loop; ``op`` is that of a reduction."""

    decl: Decl
    how: How
    op: str = ""

    @property
    def name(self) -> str:
        return self.decl.name


@dataclass(frozen=True, eq=False)
class Member:
    """A field that no iteration writes, read once by the spawner: ``name`` stands for ``node``."""

    name: str
    text: str
    type: CType
    nodes: tuple[Node, ...]


def captures(program: Program, loop: ParallelLoop) -> list[Capture]:
    """The variables, in the order of their names in the text. Raises Refused."""
    names = _uses(loop)
    changed = {id(r.decl) for n in loop.body.walk() if (r := _changed(n)) is not None}
    reduced = {n: c.modifier() for c in loop.clauses if c.name == "reduction" for n in c.names()}
    own = {*loop.listed("private"), *_collapsed(loop)}
    last = loop.listed("lastprivate")
    if loop.variable.name in last:
        raise program.refused(loop.span, f"the last value of '{loop.variable.name}'")
    found = []
    for decl, use in names.items():
        if decl.thread_local:
            raise program.refused(use.span, f"'{decl.name}' is local to threads")
        if decl.name in reduced:
            found.append(Capture(decl, How.REDUCED, reduced[decl.name]))
        elif decl.name in last:
            if decl.type.kind == "array":
                raise program.refused(use.span, f"the last value of the array '{decl.name}'")
            found.append(Capture(decl, How.LAST))
        elif decl.name in own:
            found.append(Capture(decl, How.OWN))
        elif decl.type.kind == "array" and decl.name in loop.listed("firstprivate"):
            raise program.refused(use.span, f"each thread's copy of the array '{decl.name}'")
        elif decl.type.kind == "array":
            if not decl.is_global:
                _check_rows(program, decl.type, use)
                found.append(Capture(decl, How.VALUE))
        elif id(decl) not in changed or decl.name in loop.listed("firstprivate"):
            _check_rows(program, decl.type, use)
            if not decl.is_global or decl.type.scalar:
                found.append(Capture(decl, How.VALUE))
        elif not decl.is_global:
            found.append(Capture(decl, How.ADDRESS))
    return _without_written_globals(program, loop, found)


def _check_rows(program: Program, type_: CType, use: Node) -> None:
    """A parameter's rows have constant lengths. Raises Refused."""
    row = type_.element
    while row is not None and row.kind == "array":
        if row.count is None:
            raise program.refused(use.span, f"'{use.name}' has rows of a length that varies")
        row = row.element


def _uses(loop: ParallelLoop) -> dict[Decl, Node]:
    """The variables from outside of a loop that its body names."""
    found: dict[Decl, Node] = {}
    for node in loop.body.walk():
        decl = node.decl
        if node.kind != "DECL_REF_EXPR" or decl is None or decl.kind not in VARIABLES:
            continue
        inside = decl.in_file and loop.node.span.start <= decl.offset < loop.node.span.end
        if not inside and decl is not loop.variable:
            found.setdefault(decl, node)
    return found


def _collapsed(loop: ParallelLoop) -> Iterator[str]:
    """The variables of the loops that ``collapse`` takes in; they are each thread's own."""
    depth = next((c.argument for c in loop.clauses if c.name == "collapse"), "1")
    node = loop.node
    for _ in range(int(depth) - 1 if depth.isdigit() else 0):
        body = node.children[-1]
        while body.kind == "COMPOUND_STMT" and body.children:
            body = body.children[0]
        if body.kind != "FOR_STMT":
            return
        node = body
        target = written(node.children[0])
        if target is not None and target.decl is not None:
            yield target.decl.name


def _changed(node: Node) -> Node | None:
    """The variable that an expression writes to, or whose address it takes."""
    lvalue = written(node)
    return root(lvalue) if lvalue is not None else None


def _without_written_globals(
    program: Program, loop: ParallelLoop, found: list[Capture]
) -> list[Capture]:
    """Globals that a called function writes are no values to pass on."""
    called = [program.functions[d] for d in program.reached([loop.body])]
    changed = {id(r.decl) for f in called for n in f.walk() if (r := _changed(n)) is not None}
    return [c for c in found if not (c.how is How.VALUE and id(c.decl) in changed)]


def members(
    program: Program, loop: ParallelLoop, values: Iterable[Capture], taken: set[str]
) -> list[Member]:
    """Fields of captured structures that nothing in the loop writes, each under a free name.

    What a pointer points to is read ahead only where every iteration reads through it anyhow.
    """
    bases = {id(c.decl): c for c in values if c.how is How.VALUE}
    region = [loop.body, *(program.functions[d] for d in program.reached([loop.body]))]
    fields, records = _written_fields(region)
    sure = {id(d) for d in _certainly_read(loop)}
    groups: dict[str, list[Node]] = {}
    for node in loop.body.walk():
        if node.kind != "MEMBER_REF_EXPR" or node.in_macro or not node.type.scalar:
            continue
        base = node.children[0].uncast
        if base.kind != "DECL_REF_EXPR" or id(base.decl) not in bases or node.type.volatile:
            continue
        assert base.decl is not None and node.decl is not None
        pointed = base.type.kind == "pointer"
        record = base.type.element if pointed and base.type.element else base.type
        if record.kind != "record" or record.canonical.replace("const ", "") in records:
            continue
        if id(node.decl) in fields or (pointed and id(base.decl) not in sure):
            continue
        groups.setdefault(f"{base.decl.name}{'->' if pointed else '.'}{node.name}", []).append(node)
    found = []
    for text, nodes in groups.items():
        name = nodes[0].name
        while name in taken:
            name += "_"
        taken.add(name)
        found.append(Member(name, text, nodes[0].type, tuple(nodes)))
    return found


def _written_fields(region: Iterable[Node]) -> tuple[set[int], set[str]]:
    """Fields that are written or whose address is taken; structures that are written whole."""
    fields: set[int] = set()
    records: set[str] = set()
    for top in region:
        for node in top.walk():
            lvalue = written(node)
            if lvalue is None:
                continue
            if lvalue.type.kind in ("record", "union"):
                records.add(lvalue.type.canonical.replace("const ", ""))
            while lvalue.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR") and lvalue.children:
                if lvalue.decl is not None:
                    fields.add(id(lvalue.decl))
                lvalue = lvalue.children[0].uncast
                if lvalue.type.kind == "pointer":
                    break  # it is read, and not written
    return fields, records


def _certainly_read(loop: ParallelLoop) -> Iterator[Decl]:
    """Pointers through which each iteration reads, whatever it finds."""
    certain = [loop.node.children[1]]
    body = loop.body
    for statement in body.statements:
        if statement.kind == "IF_STMT":
            certain.append(statement.children[0])
        elif statement.kind == "FOR_STMT" and len(statement.children) == 4:
            certain += statement.children[:2]
        elif not statement.is_loop:
            certain.append(statement)
        if statement.kinds & {"CONTINUE_STMT", "RETURN_STMT"}:
            break
    for top in certain:
        yield from _read_through(top)


def _read_through(node: Node) -> Iterator[Decl]:
    if node.kind == "MEMBER_REF_EXPR" and node.children:
        base = node.children[0].uncast
        if base.kind == "DECL_REF_EXPR" and base.type.kind == "pointer" and base.decl:
            yield base.decl
    children = node.children
    if node.kind == "CONDITIONAL_OPERATOR" or node.op in ("&&", "||"):
        children = children[:1]
    for child in children:
        if child.kind not in ("IF_STMT", "SWITCH_STMT") and not child.is_loop:
            yield from _read_through(child)


# Behind which stars the name of a pointer to a function or an array belongs.
_INNERMOST = re.compile(r"\(\s*\*(?:[\s*]|const\b|volatile\b|restrict\b|__restrict\b)*(?=[)\[])")


def parameter(type_: CType, name: str) -> str:
    """A parameter of a type; an array is a pointer to its elements."""
    spelling = type_.spelling
    if inner := _INNERMOST.search(spelling):
        before, after = spelling[: inner.end()].rstrip(), spelling[inner.end() :]
        blank = "" if before.endswith("*") else " "
        return f"{before}{blank}{name}{after}"
    if type_.kind in ("array", "pointer") and spelling.endswith("]"):
        first = spelling.find("[")
        rest = spelling[spelling.find("]") + 1 :]
        head = spelling[:first].rstrip()
        return f"{head} (*{name}){rest}" if rest else f"{head} *{name}"
    return f"{spelling}{name}" if spelling.endswith("*") else f"{spelling} {name}"


def address_parameter(type_: CType, name: str) -> str:
    return parameter(type_, f"*{name}")
