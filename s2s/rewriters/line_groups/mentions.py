"""Where a file mentions its variables and functions, and what it does with them there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from functools import cached_property
from typing import Literal

from s2s.frontends.c import clang
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.unit import Unit
from s2s.source.records import dataclass

Kind = Literal["read", "write", "update", "scan", "block", "address"]
_SCANS = frozenset({"scanf", "fscanf", "sscanf"})
# Functions of the C library that call nothing of the program.
_QUIET = _SCANS | {
    "printf", "fprintf", "puts", "fputs", "putchar", "fopen", "fclose", "fgetc", "getc", "fgets",
    "atoi", "atol", "atof", "strtol", "strtod", "strcmp", "strlen", "getenv", "exit", "abort",
    "malloc", "calloc", "free", "memset", "memcpy", "omp_get_max_threads", "omp_set_num_threads",
    "omp_get_num_threads",
}  # fmt: skip
_JUMPS = frozenset({"LABEL_STMT", "GOTO_STMT", "SWITCH_STMT", "INDIRECT_GOTO_STMT"})


@dataclass(frozen=True, eq=False)
class Mention:
    """A use of a variable; ``path`` has the blocks around it, with the number of the statement.

    ``block`` is an argument that is part of an array, ``address`` any other way to hand it on.
    """

    decl: Decl
    function: str
    kind: Kind
    path: tuple[tuple[Node, int], ...]


@dataclass
class Mentions:
    """All mentions in the functions of a file."""

    unit: Unit
    functions: list[Node]
    _variables: dict[Decl, list[Mention]] = field(default_factory=dict)
    _calls: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    _asked: dict[Node, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in self.functions:
            _Visit(self, node.name).visit(node, "read", ())
        for cursor in self._outside():
            _Visit(self, "").visit(self.unit.convert(cursor), "read", ())

    def _outside(self) -> Iterable[object]:
        """Variables of the file, and what the program's own headers define."""
        for cursor in self.unit.declared:
            kind = clang.kind(cursor)
            if kind == "VAR_DECL" or (kind == "FUNCTION_DECL" and clang.is_definition(cursor)):
                name = self.unit.converter.file_name(clang.place(cursor)[0])
                own = name and not self.unit.is_system(name)
                if own and (kind == "VAR_DECL" or name != self.unit.buffer.path):
                    yield cursor

    def note(self, mention: Mention) -> None:
        self._variables.setdefault(mention.decl, []).append(mention)

    def note_function(self, name: str, function: str, statement: int) -> None:
        self._calls.setdefault(name, []).append((function, statement))

    def of(self, decl: Decl) -> list[Mention] | None:
        """All mentions of a variable, None where its address is handed on."""
        found = self._variables.get(decl, [])
        return None if any(m.kind == "address" for m in found) else found

    def calls(self, name: str) -> int | None:
        """How often a function is named."""
        return len(self._calls.get(name, ()))

    def is_set_before(self, mention: Mention) -> bool:
        """Whether the code in front sets a variable, with no other code of the file in between."""
        if mention.function in self._jumping or not mention.path:
            return False
        for block, place in mention.path:
            if self._calls_file(block.children[place]):
                continue
            for earlier in reversed(block.children[:place]):
                if earlier.kind == "BINARY_OPERATOR" and earlier.op == "=":
                    target = earlier.children[0]
                    if target.kind == "DECL_REF_EXPR" and target.decl is mention.decl:
                        return True
                if self._calls_file(earlier):
                    break
        return False

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(node.name for node in self.functions)

    @cached_property
    def _jumping(self) -> frozenset[str]:
        return frozenset(n.name for n in self.functions if not _JUMPS.isdisjoint(n.kinds))

    def _calls_file(self, node: Node) -> bool:
        """Whether something names a function of the file or calls one by a pointer.

        Asked for each mention of each variable, about the statements before it: kept.
        """
        found = self._asked.get(node)
        if found is None:
            found = self._asked[node] = self._has_call(node)
        return found

    def _has_call(self, node: Node) -> bool:
        for inner in node.walk():
            decl = inner.decl if inner.kind == "DECL_REF_EXPR" else None
            if decl is not None and decl.kind == "FUNCTION_DECL" and decl.name in self._names:
                return True
            if inner.kind == "CALL_EXPR" and not _names_callee(inner):
                return True
        return False

    def is_settled(self, decl: Decl) -> bool:
        """Whether a variable has the same value whenever functions of the file but ``main`` run."""
        if decl.type.innermost().const and decl.is_static:
            return True
        mentions = self.of(decl)
        if mentions is None or not decl.is_static or decl.thread_local:
            return False
        changed = [m for m in mentions if m.kind != "read"]
        return all(m.function == "main" and self._is_early(m) for m in changed)

    def _is_early(self, mention: Mention) -> bool:
        """Whether a place in ``main`` is before all that runs functions of the file."""
        if "main" in self._jumping or self.calls("main") or b"constructor" in self.unit.buffer.data:
            return False
        statement = mention.path[0][1] if mention.path else -1
        main = next((n for n in self.functions if n.name == "main"), None)
        if main is None or statement < 0 or mention.kind == "block":
            return False
        return not any(map(self._may_run_file, main.children[-1].children[: statement + 1]))

    def _may_run_file(self, node: Node) -> bool:
        if self._calls_file(node):
            return True
        calls = (n for n in node.walk() if n.kind == "CALL_EXPR")
        return not self._is_all_static and any(call.name not in _QUIET for call in calls)

    @cached_property
    def _is_all_static(self) -> bool:
        """Whether other files cannot call any function here, ``main`` aside."""
        declared = (self.unit.global_named(n.name) for n in self.functions if n.name != "main")
        return all(decl is not None and decl.is_static for decl in declared)


def _names_callee(call: Node) -> bool:
    if not call.children:
        return False
    decl = call.children[0].bare.decl
    return decl is not None and decl.kind == "FUNCTION_DECL"


@dataclass
class _Visit:
    """Goes through a function; ``kind`` is what is done with the value of a node."""

    mentions: Mentions
    function: str

    def visit(self, node: Node, kind: Kind, path: tuple[tuple[Node, int], ...]) -> None:
        if node.kind == "COMPOUND_STMT":
            for place, child in enumerate(node.children):
                self.visit(child, "read", (*path, (node, place)))
        elif node.kind in ("DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"):
            self._place(node, kind, path)
        elif node.kind == "IMPLICIT_CAST" or node.kind == "MEMBER_REF_EXPR":
            self._all(node.children, kind, path)
        elif node.kind == "CALL_EXPR":
            self._call(node, path)
        elif node.kind == "UNARY_OPERATOR" and node.op == "&":
            self._all(node.children, "scan" if kind == "scan" else "address", path)
        elif node.assigns:
            self.visit(node.children[0], "write" if node.op == "=" else "update", path)
            self._all(node.children[1:], "read", path)
        else:
            self._all(node.children, "read", path)

    def _all(self, nodes: Iterable[Node], kind: Kind, path: tuple[tuple[Node, int], ...]) -> None:
        for node in nodes:
            self.visit(node, kind, path)

    def _call(self, node: Node, path: tuple[tuple[Node, int], ...]) -> None:
        scans = node.name in _SCANS and _names_callee(node)
        for place, child in enumerate(node.children):
            kind: Kind = "read" if not place else "scan" if scans else "block"
            self.visit(child, kind if scans or child.bare.type.kind == "array" else "read", path)

    def _place(self, node: Node, kind: Kind, path: tuple[tuple[Node, int], ...]) -> None:
        base = node
        while base.kind == "ARRAY_SUBSCRIPT_EXPR":
            self.visit(base.children[1], "read", path)
            base = base.children[0].bare
        decl = base.decl
        if base.kind != "DECL_REF_EXPR" or decl is None:
            self.visit(base, "read", path)
            return
        if decl.kind == "FUNCTION_DECL":
            self.mentions.note_function(decl.name, self.function, 0)
        elif decl.kind == "VAR_DECL":
            partial = node.type.kind == "array"
            if partial and kind not in ("block", "scan"):
                kind = "address"
            elif not partial and kind == "block":
                kind = "read"
            self.mentions.note(Mention(decl, self.function, kind, path))
