"""Declarations as text, of types, functions and data; members are written only once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast, c_generator

from s2s.simulators.emu.symbols import BUILTIN_LIST, Home, Scope, Symbol, innermost


def plain(scope: Scope, node: Any) -> str:
    """A declaration without memory of its own: of a type, or of a function."""
    if node.name is not None:
        scope.add(Symbol(node.name, node.type, Home.NOWHERE))
    return f"{drop_initial(node)};"


def typedef(scope: Scope, node: Any) -> str:
    if node.name == BUILTIN_LIST:
        return ""  # the compiler knows it
    scope.learn(node.type)
    scope.add(Symbol(node.name, node.type, Home.NOWHERE, is_type=True))
    return f"{drop_initial(node)};"


def static(node: Any) -> str:
    """A declaration of static data, whose initial values are constants."""
    initial = f" = {c_generator.CGenerator().visit(node.init)}" if node.init else ""
    if isinstance(node.init, c_ast.InitList):
        initial = f" = {{{c_generator.CGenerator().visit(node.init)}}}"
    return f"{drop_initial(node)}{initial};"


def definition(declared: Any) -> str:
    """The structure that a declaration defines, as a declaration of its own, or nothing."""
    inner = innermost(declared)
    if getattr(inner, "decls", None) is None:
        return ""
    text = f"{c_generator.CGenerator().visit(inner)};\n"
    inner.decls = None
    return text


def drop_initial(node: Any) -> str:
    """A declaration's text without a value. A structure's members are written only once."""
    initial = getattr(node, "init", None)
    if hasattr(node, "init"):
        node.init = None
    text = str(c_generator.CGenerator().visit(node))
    if hasattr(node, "init"):
        node.init = initial
    for inner in nodes(node.type):
        if isinstance(inner, c_ast.Struct | c_ast.Union) and inner.name and inner.decls:
            inner.decls = None
        elif isinstance(inner, c_ast.Enum) and inner.name:
            inner.values = None
    return text


def rename(declaration: Any, name: str) -> None:
    inner = declaration.type
    while not isinstance(inner, c_ast.TypeDecl):
        inner = inner.type
    inner.declname = name
    declaration.name = name


def nodes(node: Any) -> Iterator[Any]:
    yield node
    for _, child in node.children():
        yield from nodes(child)
