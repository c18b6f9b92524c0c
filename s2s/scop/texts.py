"""What is known of a statement's own text, and what new code declares beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from s2s.source import Span
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import islpy as isl

    from s2s.scop.nodes import LoopVariable, Statement


@dataclass(frozen=True)
class Assignment:
    """An expression statement that sets one variable or element and does nothing else.

    ``operator`` is where ``=``, ``+=`` and so on stand (``operation`` is the latter's ``+``, empty
    for a plain one), ``end`` is where the value ends, parentheses included; ``type`` is that of
    the target.
    """

    target: Span
    operator: Span
    operation: str
    end: int
    type: str
    copied: Span | None = None
    instead: str = ""


@dataclass(frozen=True)
class Choice:
    """Text of which an affine condition picks one part: an ``if`` statement or ``c ? a : b``.

    ``condition`` are the instances of the statement (of its space, not only of its domain) in which
    the first part runs; ``otherwise`` is None for an ``if`` without ``else``.
    """

    span: Span
    condition: isl.Set
    then: Span
    otherwise: Span | None
    statement: bool
    blocks: frozenset[Span] = frozenset()
    """Parts that are compound statements."""
    type: str = ""
    """The C type that parts of an expression are converted to, where one has another type."""
    left_out: Span | None = None
    """The text that goes with a statement in a block of which nothing stays."""
    plain: frozenset[Span] = frozenset()
    """Parts of an expression that need no parentheses wherever it stands."""


# In texts that transforms write: the prefix of names that the new code introduces.
# What the names of a called function's variables begin with where its body stands in the caller.
INLINED = "s2sin_"
PREFIX = "\ufdd5"


@dataclass(frozen=True)
class Storage:
    """An array of ``size`` elements that each iteration of the innermost tile loop has.

    With ``carry`` the array outlives the iteration: its last ``carry`` elements become the first
    ones of the next iteration. Without a size it is a scalar of each iteration of the innermost
    loop that uses it. ``inner`` are further sizes; what has ``cells`` may have several elements of
    the array ``name`` in one of its own, to which they lead.
    """

    name: str
    type: str
    size: int
    carry: int = 0
    inner: tuple[int, ...] = ()
    cells: isl.Map | None = None


@dataclass(frozen=True)
class Copy:
    """An assignment between a carried scalar and an element that has exactly its type.

    ``place`` is the element's place: the target where the statement ``stores`` the scalar, else all
    of the value. ``text`` can stand for the scalar wherever it is named; ``names`` are the text's
    variables. ``plain``: the statement does nothing else.
    """

    statement: str
    place: Span
    text: str
    stores: bool
    plain: bool
    names: frozenset[str]


@dataclass(frozen=True)
class Carried:
    """A private scalar that carries values between statements, as an array of its lifetimes.

    Every iteration of the loops around a lifetime has a value of its own, so the array's
    subscripts are their ``iterators``. No C text can be made as long as it is neither contracted
    to an element nor expanded: ``places`` are the texts that name it, by statement.
    """

    array: str
    spelling: str
    type: str
    iterators: tuple[LoopVariable, ...]
    places: Mapping[str, tuple[Span, ...]]
    sets: frozenset[str]
    """Statements that set it, having read all that they read, and do nothing else."""
    hidden: frozenset[str] = frozenset()
    """Names that stand for different variables in different places of a lifetime."""
    copies: tuple[Copy, ...] = ()


def still_declares(statement: Statement, carried: Carried) -> frozenset[str]:
    """What a statement's text declares where what names a carried scalar is other text."""
    name = len(carried.spelling.encode("utf-8", "surrogateescape"))
    places = carried.places.get(statement.name, ())
    gone = any(place.end - place.start > name for place in places)  # with its type
    return statement.declares - {carried.spelling} if gone else statement.declares
