"""Names as Clockwork's files have them: ``f_stencil`` for a Func's elements, ``f_s1_y`` loops."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from s2s.scop.build import var
from s2s.scop.expressions import Expr, Load, Variable
from s2s.scop.nest import Allocate, Argument, For, Nest, Node, Store, Tensor
from s2s.scop.rewrite import map_children, transform
from s2s.transforms.halide.environment import Environment


def give_names(
    name: str,
    arguments: tuple[Argument, ...],
    body: Node,
    tables: Mapping[str, Tensor],
    funcs: Environment,
) -> Nest:
    """The nest with unique names of letters, digits and underscores."""
    naming = _Naming(funcs)
    new_tables = tuple(
        replace(t, name=naming.unique(_plain(n), naming.tensors, n)) for n, t in tables.items()
    )
    streams = []
    for argument in arguments:
        assert argument.tensor is not None
        tensor = naming.tensor(argument.tensor)
        streams.append(replace(argument, name=tensor.name, tensor=tensor))
    return Nest(_plain(name), tuple(streams), naming.visit(body), new_tables)


class _Naming:
    def __init__(self, funcs: Environment) -> None:
        self._funcs = funcs
        self._taken: set[str] = set()
        self.tensors: dict[str, str] = {}
        self._loops: dict[str, str] = {}

    def unique(self, wanted: str, names: dict[str, str], old: str) -> str:
        """A name that nothing has yet, kept in ``names``."""
        new, number = wanted, 0
        stem, end = (wanted[:-8], "_stencil") if wanted.endswith("_stencil") else (wanted, "")
        while new in self._taken:
            number += 1
            new = f"{stem}_{number}{end}"
        self._taken.add(new)
        names[old] = new
        return new

    def tensor(self, tensor: Tensor) -> Tensor:
        """The tensor by its new name."""
        func = self._funcs.get(tensor.name)
        stem = _plain(re.sub(r"\$+[0-9]+", "", tensor.name))
        level = ""
        if func is not None and func.schedule.memory == "GLB":
            stem, level = stem.removesuffix("_GLB"), "_glb"
        return replace(
            tensor, name=self.unique(f"{stem}{level}_stencil", self.tensors, tensor.name)
        )

    def visit(self, node: Node) -> Node:
        """The nest with new names; those of unrolled copies become different ones."""
        match node:
            case For():
                return self._scoped(self._loops, node.name, lambda: self._loop(node))
            case Allocate():
                return self._scoped(self.tensors, node.tensor.name, lambda: self._memory(node))
            case Store():
                return replace(
                    node,
                    tensor=self.tensors[node.tensor],
                    subscripts=tuple(map(self._expr, node.subscripts)),
                    values=tuple(map(self._expr, node.values)),
                )
        return map_children(node, self.visit)

    def _scoped(self, names: dict[str, str], old: str, make: Callable[[], Node]) -> Node:
        before = names.get(old)
        node = make()
        if before is None:
            del names[old]
        else:
            names[old] = before
        return node

    def _loop(self, node: For) -> Node:
        new = self.unique(_plain(re.sub(r"\$[0-9]+\.", ".", node.name)), self._loops, node.name)
        return replace(node, name=new, body=self.visit(node.body))

    def _memory(self, node: Allocate) -> Node:
        tensor = self.tensor(node.tensor)
        return Allocate(tensor, self.visit(node.body))

    def _expr(self, expr: Expr) -> Expr:
        return transform(expr, self._renamed)

    def _renamed(self, node: Expr) -> Expr:
        if isinstance(node, Variable):
            return var(self._loops[node.name])
        if isinstance(node, Load):
            return replace(node, tensor=self.tensors[node.tensor])
        return node


def _plain(name: str) -> str:
    return re.sub(r"\W", "_", name.replace("$$", "$"))
