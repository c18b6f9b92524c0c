"""Functions that only compute a value: of their arguments, and of memory that nobody changes.

A call of one, directly or by a pointer, may be made earlier or later than the source makes it, as
long as its arguments are the same. A program that ends in it (``assert``) still ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from s2s.frontends.c.effects import PURE, CallEffects, Effects
from s2s.frontends.c.facts import gather
from s2s.frontends.c.syntax import Decl, Node
from s2s.source.records import dataclass

_ABORTS = frozenset({"__assert_fail", "abort"})
_JUMPS = frozenset({"GOTO_STMT", "INDIRECT_GOTO_STMT", "ASM_STMT", "STMT_EXPR"})
_DEEPEST = 4


@dataclass
class Harmless:
    """Judges functions; ``every`` has all that a file defines, ``variables`` those outside."""

    every: Callable[[], Iterable[Node]]
    variables: Callable[[], Iterable[Node]] = tuple
    _known: dict[str, bool] = field(default_factory=dict)
    _functions: dict[str, Node] | None = None
    _escaped: set[Decl] | None = None

    @property
    def functions(self) -> dict[str, Node]:
        """The last definition of each name; of a name that has several none is known."""
        if self._functions is None:
            self._functions = {}
            for function in self.every():
                if function.name in self._functions:
                    self._known[function.name] = False
                self._functions[function.name] = function
        return self._functions

    def is_harmless(self, name: str, depth: int = 0) -> bool:
        """Whether calls of a function do nothing but compute a value."""
        if name not in self.functions:
            return name in PURE
        if name not in self._known:
            self._known[name] = False  # what calls itself may never end
            self._known[name] = depth < _DEEPEST and self._judge(self.functions[name], depth)
        return self._known[name]

    def like(self, pointer: Node) -> list[str]:
        """The harmless functions that a pointer may lead to, by the type that it has."""
        wanted = pointer.type.element
        if wanted is None:
            return []
        return sorted(
            name for name, node in self.functions.items()
            if node.type.canonical == wanted.canonical
            and self.is_harmless(name)
        )  # fmt: skip

    def _judge(self, function: Node, depth: int) -> bool:
        for node in function.children[-1].walk():
            if node.kind in _JUMPS or node.type.volatile:
                return False
            if node.kind == "VAR_DECL" and node.decl is not None and node.decl.is_static:
                return False
            if node.assigns and not self._is_own(node.children[0]):
                return False
            if node.kind == "CALL_EXPR" and not self._may_call(node, depth):
                return False
            if node.kind == "MEMBER_REF_EXPR" or (node.kind == "UNARY_OPERATOR" and node.op == "*"):
                return False
            if node.kind == "ARRAY_SUBSCRIPT_EXPR" and any(
                child.type.kind == "pointer" for child in node.children
            ):
                return False
            if node.kind == "DECL_REF_EXPR" and not self._may_read(node):
                return False
        return True

    def _is_own(self, target: Node) -> bool:
        """Whether what is stored to is a local number."""
        decl = target.decl
        plain = target.kind == "DECL_REF_EXPR" and decl is not None
        return plain and decl is not None and decl.is_local and not decl.is_static

    def _may_call(self, node: Node, depth: int) -> bool:
        if node.name in _ABORTS and node.name not in self.functions:
            return True
        direct = node.decl is not None and node.decl.kind == "FUNCTION_DECL"
        return direct and self.is_meant(node) and self.is_harmless(node.name, depth + 1)

    def is_meant(self, call: Node) -> bool:
        """Whether a call of a name is of the function that is known by it, no other overload."""
        known = self.functions.get(call.name)
        if known is None or call.decl is None:
            return True
        return known.type.canonical == call.decl.type.canonical

    def _may_read(self, node: Node) -> bool:
        """Whether nothing that has an address elsewhere can change what a name stands for."""
        decl = node.decl
        if decl is None or decl.is_local or decl.kind not in ("VAR_DECL",):
            return True
        if decl.type.innermost().const:
            return True
        return decl.is_static and not decl.type.volatile and decl not in self.escaped

    @property
    def escaped(self) -> set[Decl]:
        """Variables that something in the file has the address of."""
        if self._escaped is None:
            self._escaped = set()
            for function in self.functions.values():
                self._escaped |= gather(function).escaped
            for variable in self.variables():
                self._escaped |= {d for d in variable.decls - {variable.decl} if d is not None}
        return self._escaped


def is_pointer_call(node: Node) -> bool:
    """Whether a call is by a pointer."""
    decl = node.decl
    return node.kind == "CALL_EXPR" and (decl is None or decl.kind != "FUNCTION_DECL")


class KnownCalls(CallEffects):
    """The effects of calls, none where a call is known to compute a value alone.

    ``pointers``: the texts of pointers that are taken to lead to harmless functions, with these.
    """

    def __init__(
        self, inner: CallEffects, harmless: Harmless, pointers: dict[str, list[str]],
        text: Callable[[Node], str],
    ) -> None:  # fmt: skip
        self.__dict__.update(inner.__dict__)
        self._harmless, self._pointers, self._text = harmless, pointers, text

    def of(self, call: Node) -> Effects:
        if self.is_known(call):
            return Effects()
        return super().of(call)

    def name_of(self, call: Node) -> str:
        """By what a call that only computes a value calls; empty for other calls."""
        if not self.is_known(call):
            return ""
        text = self._text(call.children[0])
        return f"({text})" if is_pointer_call(call) else call.name

    def is_known(self, call: Node) -> bool:
        """Whether a call only computes a value."""
        if not is_pointer_call(call):
            if call.kind != "CALL_EXPR" or not self._harmless.is_meant(call):
                return False
            return self._harmless.is_harmless(call.name)
        return bool(call.children) and self._text(call.children[0]) in self._pointers


def pointers_called(nest: Node, harmless: Harmless, text: Callable[[Node], str]) -> Iterator[
    tuple[str, list[str]]
]:  # fmt: skip
    """Pointers by which a nest calls, that it does not change, with what they may lead to."""
    stores = [n.children[0] for n in nest.walk() if n.assigns and n.children]
    if any(s.type.kind not in ("int", "float") or s.type.character for s in stores):
        return
    for node in nest.walk():
        if not is_pointer_call(node) or not node.children:
            continue
        pointer = node.children[0]
        place = pointer
        while place.kind == "MEMBER_REF_EXPR" and len(place.children) == 1:
            (place,) = place.children
        steady = place.kind == "DECL_REF_EXPR" and place.decl not in nest.assigned
        targets = harmless.like(pointer) if steady and pointer.type.kind == "pointer" else []
        if targets:
            yield text(pointer), targets
