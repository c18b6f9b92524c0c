"""Types as the text declares them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.simulators.aie.intrinsics import WINDOW, named_type
from s2s.simulators.aie.reading.kinds import ArrayOf, Kind, PointerTo, Scope, StructOf, Void, Window
from s2s.simulators.aie.values import DOUBLE, FLOAT, ScalarType
from s2s.source.diagnostics import UserError

Node = Any
Failure = Callable[[Node, str], UserError]
_WORDS = {
    "char": ScalarType(8), "short": ScalarType(16), "int": ScalarType(32), "long": ScalarType(32),
    "_Bool": ScalarType(8, False), "float": FLOAT,
}  # fmt: skip


class Declarations:
    """Reads declarators; ``count`` evaluates the extent of an array."""

    def __init__(self, fail: Failure, count: Callable[[Node], int]) -> None:
        self._fail = fail
        self._count = count

    def kind(self, node: Node, scope: Scope) -> Kind | None:
        """The kind of a declarator; None for ``auto``. Raises UserError for what no kernel has."""
        name = type(node).__name__
        if name in ("Decl", "Typename", "Typedef"):
            return self.kind(node.type, scope)
        if name == "TypeDecl":
            return self._named(node, scope)
        inner = self.kind(node.type, scope) if name in ("PtrDecl", "ArrayDecl") else None
        if name == "Union":
            raise self._fail(node, "unions are not understood")
        if inner is None and name == "PtrDecl":
            return None  # auto *p
        if inner is None:
            raise self._fail(node, f"a type that is not understood ({name})")
        if name == "ArrayDecl":
            return ArrayOf(inner, None if node.dim is None else self._count(node.dim))
        if isinstance(inner, Window):
            return inner
        restrict = "restrict" in node.quals
        return PointerTo(inner, _is_const(node.type), "_Atomic" in node.quals, restrict)

    def _named(self, node: Node, scope: Scope) -> Kind | None:
        if type(node.type).__name__ == "Enum":
            return ScalarType(32)
        if type(node.type).__name__ == "Struct":
            return self.structure(node.type, scope)
        names = getattr(node.type, "names", None)
        if names is None:
            raise self._fail(node, "unions are not understood")
        if any(word.endswith("cfloat") for word in names):
            raise self._fail(node, "complex floats are not simulated")
        if "double" in names:
            return DOUBLE
        if len(names) == 1:
            return self._single(node, names[0], scope)
        bits = {"char": 8, "short": 16}.get(next((w for w in names if w in ("char", "short")), ""))
        if bits is None:
            bits = 64 if names.count("long") > 1 else 32
        return ScalarType(bits, "unsigned" not in names)

    def structure(self, node: Node, scope: Scope) -> StructOf:
        """A structure that is defined here, or was before."""
        key = f"struct {node.name}"
        if node.decls is None:
            found = scope.kind(key)
            if not isinstance(found, StructOf):
                raise self._fail(node, f"'{key}' is not defined in front of its use")
            return found
        members = []
        for one in node.decls:
            kind = self.kind(one, scope)
            inner = kind
            while isinstance(inner, ArrayOf):
                inner = inner.element
            if kind is None or (kind is not inner and isinstance(inner, StructOf)):
                raise self._fail(one, "an array of structures is not understood")
            members.append((one.name, kind))
        made = StructOf(node.name or "", tuple(members))
        if node.name:
            scope.kinds[key] = made
        return made

    def _single(self, node: Node, name: str, scope: Scope) -> Kind | None:
        if name == "__s2s_auto":
            return None
        if name == "void":
            return Void()
        if name in ("unsigned", "signed"):
            return ScalarType(32, name == "signed")
        window = WINDOW.match(name)
        if window:
            element = named_type(window[3])
            assert isinstance(element, ScalarType)
            return Window(element, window[1] == "input", window[2] == "stream")
        found = _WORDS.get(name) or named_type(name) or scope.kind(name)
        found = found or scope.kind(f"struct {name}")
        if found is None or isinstance(found, Window):
            raise self._fail(node, f"type '{name}' is not simulated")
        return found  # type: ignore[return-value]


def is_const(node: Node) -> bool:
    """Whether what a declaration declares may not be assigned to."""
    return _is_const(node.type)


def _is_const(node: Node) -> bool:
    while type(node).__name__ == "ArrayDecl":
        node = node.type
    return "const" in getattr(node, "quals", ())
