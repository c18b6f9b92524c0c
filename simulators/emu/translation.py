"""A program's syntax tree as one C file that runs on the machine."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from s2s.simulators.emu import declarations, statements
from s2s.simulators.emu.dialect import failure, line_of
from s2s.simulators.emu.expressions import Expressions
from s2s.simulators.emu.sites import Site, Sites
from s2s.simulators.emu.symbols import Home, Scope, Symbol
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Translation:
    """The C text of a program on the machine, and what its site numbers stand for."""

    text: str
    sites: tuple[Site, ...]


def translate(tree: Any) -> Translation:
    """Make each access of a program (``c_ast.FileAST``) pass through the machine.

    Raises UserError where the program has what the simulator does not know.
    """
    defined = frozenset(n.decl.name for n in tree.ext if isinstance(n, c_ast.FuncDef))
    if "main" not in defined:
        raise failure("the program has no 'main'", "s2s-emu-main")
    writer = _File(defined)
    text = "\n".join(line_of(node) + writer.declaration(node) for node in tree.ext)
    return Translation(f"{_FIRST}\n{text}\n{writer.last()}", writer.sites.all)


_FIRST = '#include "access.h"'


class _File:
    """Writes what stands outside of functions."""

    def __init__(self, defined: frozenset[str]) -> None:
        self.sites = Sites()
        self._scope = Scope()
        self._expressions = Expressions(self._scope, self.sites, defined)
        self._replicated: dict[str, bool] = {}  # whether they are defined
        self._declared: dict[str, Any] = {}

    def declaration(self, node: Any) -> str:
        match node:
            case c_ast.FuncDef():
                self._scope.learn(node.decl.type)
                return statements.function(self._scope, self._expressions, node)
            case c_ast.Typedef():
                return declarations.typedef(self._scope, node)
            case c_ast.Decl():
                return self._data(node)
        return ""

    def _data(self, node: Any) -> str:
        self._scope.learn(node.type)
        if node.name is None or isinstance(node.type, c_ast.FuncDecl):
            return declarations.plain(self._scope, node)
        if "_Thread_local" in node.storage:
            return self._copies(node)
        self._scope.add(Symbol(node.name, node.type, Home.STATIC))
        return declarations.static(node)

    def _copies(self, node: Any) -> str:
        """Replicated data is behind a pointer to its view; initial values are each copy's."""
        name = node.name
        self._scope.add(Symbol(name, node.type, Home.REPLICATED))
        is_declared = "extern" in node.storage
        node.storage = ["extern"] if is_declared else ["static"]
        self._replicated[name] = self._replicated.get(name, False) or not is_declared
        coord = node.coord
        declarations.rename(node, f"s2s_{'declared' if is_declared else 'initial'}_{name}")
        if is_declared:
            self._declared.setdefault(name, coord)
        initial = declarations.static(node)
        return f"{initial}\nstatic __typeof__({node.name}) *{name};"

    def last(self) -> str:
        """The site counters, and where replicated data gets its copies."""
        for name, is_defined in self._replicated.items():
            if not is_defined:
                place = self._declared[name]
                raise failure(f"'{name}' is not defined in this file", "s2s-emu-link", place)
        count = len(self.sites.all)
        copies = "\n".join(
            f"{name} = s2s_replicate(&s2s_initial_{name}, sizeof s2s_initial_{name});"
            for name in self._replicated
        )
        return (
            f"long s2s_sites[{count}], s2s_remote_sites[{count}];\n"
            f"const int s2s_site_count = {count};\nvoid s2s_set_up(void)\n{{\n{copies}\n}}\n"
        )
