"""The kind of pass that edits text over syntax, and what it gives back."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, Span
from s2s.source.diagnostics import Diagnostic
from s2s.source.records import dataclass
from s2s.transforms.scop_pass import Form, Pass


@dataclass(frozen=True)
class Rewrite:
    """Edits of one place and what they do; without edits, why the place stays as it is.

    ``searches`` are loops, inside or in functions called from there, that only look for something.
    ``prepared`` is what passes on regions see, too: what they make of it may take its place.
    ``dead`` are variables of the file whose values there nobody reads after the place, at least
    those that the new text does not write.
    """

    where: Span
    reason: str
    edits: tuple[Edit, ...] = ()
    searches: tuple[Node, ...] = ()
    prepared: bool = False
    dead: frozenset[str] = frozenset()
    holds_loops: bool = False


class TextPass(Pass):
    """A pass that recognises something in the syntax, proves what it needs, and writes new text.

    Edits of a pass that writes ``directives_only``, or declarations between functions, are compared
    with the source; all others are parsed again, and executed beside it. Those of one that
    ``exchanges_lists`` are right only for graphs in which the lists of outgoing and of incoming
    edges agree. One that acts ``inside`` is asked about loops, too, that others have left in their
    text.
    """

    form: ClassVar[Form] = Form.FUNCTION
    directives_only: ClassVar[bool] = False
    exchanges_lists: ClassVar[bool] = False
    inside: ClassVar[bool] = False

    @abstractmethod
    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """What can be done in a function, and why not more; ``done`` are the edits of others."""

    def claims(self, function: Function) -> frozenset[Span]:
        """Innermost loops that other passes shall leave to this one."""
        return frozenset()

    @property
    def gains_above(self) -> int:
        """The number of elements above which the new text takes its new ways."""
        return 0


class FilePass(Pass):
    """Text passes one after the other, each on the file that the last one has left."""

    form: ClassVar[Form] = Form.FILE

    @property
    def regroups(self) -> bool:
        """Whether floating-point operations may be done in another order."""
        return False

    @abstractmethod
    def steps(self, unit: Unit) -> Iterable[TextPass]:
        """The passes in their order."""

    def prepare(self, data: bytes) -> tuple[Edit, ...]:
        """What is edited before the file is parsed for the first time."""
        return ()

    def remarks(self, unit: Unit) -> Sequence[Diagnostic]:
        """What is odd about what the file says to the pass."""
        return ()
