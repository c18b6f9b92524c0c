"""Calls: of C's library and of the file's own functions."""

from __future__ import annotations

from typing import Protocol

from s2s.frontends.c.facts import ALLOCATORS
from s2s.frontends.c.syntax import Node
from s2s.net.errors import NotExecuted
from s2s.net.library import INTEGERS, OUTPUT, mathematics
from s2s.net.program import Program
from s2s.net.shapes import INT, Shape
from s2s.net.texts import Term


class Writer(Protocol):
    """What writes the expressions of one function."""

    program: Program

    def value(self, node: Node) -> Term: ...
    def exact(self, node: Node) -> str: ...
    def converted(self, node: Node, to: Shape) -> str: ...


def evaluate_call(writer: Writer, node: Node) -> Term:
    name, arguments = node.name, node.children[1:]
    if not name or node.children[0].kind != "DECL_REF_EXPR":
        raise NotExecuted("a call through a pointer")
    if found := mathematics(name):
        writer.program.library[f"_f_{name}"] = found[0]
        texts = [writer.converted(a, found[1]) for a in arguments]
        return Term(f"_f_{name}({', '.join(texts)})", found[1])
    if name in OUTPUT:
        return Term(f"_say({', '.join([repr(name), *_said(writer, arguments)])})", INT)
    if name in ("omp_get_max_threads", "omp_get_num_procs"):
        return Term(str(writer.program.threads), INT)
    if name in INTEGERS:
        writer.program.library[f"_f_{name}"] = INTEGERS[name][0]
        texts = [writer.exact(a) for a in arguments]
        return Term(f"_f_{name}({', '.join(texts)})", INTEGERS[name][1])
    return _library(writer, node, name, arguments) or _own(writer, node, arguments)


def _said(writer: Writer, arguments: list[Node]) -> list[str]:
    return [writer.exact(a) for a in arguments if writer.value(a).shape.is_scalar]


def _library(writer: Writer, node: Node, name: str, arguments: list[Node]) -> Term | None:
    if name == "free":
        return Term(writer.exact(arguments[0]), INT)
    if name in ALLOCATORS:
        sizes = [writer.exact(a) for a in arguments]
        if name == "calloc":
            return Term(
                f"M.allocate_zeros({sizes[0]}*{sizes[1]})", writer.program.shapes.of(node.type)
            )
        size = sizes[0] if name in ("malloc", "alloca", "valloc") else sizes[1]
        return Term(f"M.allocate({size})", writer.program.shapes.of(node.type))
    if name in ("memset", "memcpy", "memmove"):
        return _memory(writer, name, arguments)
    return None


def _memory(writer: Writer, name: str, arguments: list[Node]) -> Term:
    target = writer.value(_uncast(arguments[0]))
    size = writer.exact(arguments[2])
    shape = target.shape.target.innermost()
    if not shape.is_scalar:
        raise NotExecuted(f"'{name}' of records")
    if name == "memset":
        if arguments[1].value != 0 and shape.size != 1:
            raise NotExecuted("'memset' to a pattern")
        value = "0.0" if shape.kind == "float" else writer.converted(arguments[1], shape)
        return Term(f"_clear(M, {target.text}, {value}, {size}, {shape.size})", target.shape)
    source = writer.value(_uncast(arguments[1]))
    if source.shape.target.innermost() != shape:
        raise NotExecuted(f"'{name}' between types")
    return Term(f"_copy(M, {target.text}, {source.text}, {size}, {shape.size})", target.shape)


def _own(writer: Writer, node: Node, arguments: list[Node]) -> Term:
    name, parameters, result = writer.program.define(node)
    if len(parameters) != len(arguments):
        raise NotExecuted(f"the arguments of '{node.name}'")
    texts = [writer.converted(a, p) for a, p in zip(arguments, parameters, strict=True)]
    return Term(f"{name}({', '.join(texts)})", result)


def _uncast(node: Node) -> Node:
    while node.kind in ("IMPLICIT_CAST", "CSTYLE_CAST_EXPR") and node.type.kind == "pointer":
        node = node.children[-1]
    return node
