"""A read or write of memory by a piece of C, and what ends the reading of one."""

from __future__ import annotations

from collections.abc import Iterable

from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.scop.polynomial import Polynomial
from s2s.source import Span
from s2s.source.records import dataclass

WORLD = "?world"
OUTPUT = "?output"
THREAD_LOCAL = "thread-local variable"
SPELLINGS = {WORLD: "any memory", OUTPUT: "the program's output"}


@dataclass(frozen=True)
class Touch:
    """A read or write of ``key`` (root variable and path).

    ``subscripts`` are None one by one where not polynomial; ``subscripts is None`` means that the
    whole array may be touched. ``context`` gives the iterators that subscripts use.
    """

    root: Decl | None
    key: str
    subscripts: tuple[Polynomial | None, ...] | None
    pointers: tuple[bool, ...]
    sizes: tuple[str | None, ...]
    type: CType
    write: bool
    context: Context
    span: Span
    union: bool = False
    commutes: str | None = None
    via: Decl | None = None
    """The copy of the root pointer that the text names."""
    in_macro: bool = False
    """Whether the span is that of a macro around the expression."""
    member: Node | None = None
    """The member that all subscripts follow: ``p->a`` of ``p->a[i][j]``."""

    @property
    def is_scalar(self) -> bool:
        """Whether this is a scalar variable as a whole, no field of a record."""
        plain = not self.pointers and not self.key and self.subscripts == ()
        return plain and self.root is not None and self.root.type.scalar


class Escape(Exception):
    """Control leaves a piece of code, or it contains what no model covers."""

    def __init__(self, node: Node, reason: str) -> None:
        super().__init__(reason)
        self.node = node
        self.reason = reason


def names_thread_local(statements: Iterable[Node]) -> bool:
    """Whether a piece of code names a variable that each thread has for itself."""
    named = (decl for statement in statements for decl in statement.decls)
    return any(decl is not None and decl.thread_local for decl in named)
