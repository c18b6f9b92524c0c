"""Loop nests over tensors: the schedule tree of a program whose statements are typed expressions.

The grammar, top to bottom::

    Nest   := name  Argument*  Node
    Node   := Block(Node*) | For(variable, minimum, extent, kind, Node)
            | Allocate(Tensor, Node) | Produce(tensor, Node) | If(condition, Node, Node?)
            | Define(name, value, Node) | Store(tensor, subscripts, value)
            | Check(condition, message) | Hoist(tensor, Node) | Run(function, tensor*)

Loops are normalized to step 1. All bounds, conditions and subscripts are typed expressions
(``s2s.scop.expressions``) over loop variables, names of ``Define``, and the nest's scalar
arguments; names are unique in a nest. Nodes are frozen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from s2s.scop.expressions import Expr, Type
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(frozen=True, eq=False)
class Dimension:
    """``extent`` elements from ``minimum``; ``stride`` in elements, None: dense after the
    dimension before. ``fold``: subscripts count modulo this (storage folding).
    """

    minimum: Expr
    extent: Expr
    stride: Expr | None = None
    fold: Expr | None = None


@dataclass(frozen=True, eq=False)
class Tensor:
    """Memory named by subscripts, first dimension innermost unless ``order`` says otherwise.

    ``types`` has one entry for each component of a tuple; each component is memory of its own.
    ``order`` lists the dimensions by storage, innermost first. ``memory`` is Halide's MemoryType;
    of a nest that is ready to print, one of the kinds in ``s2s.scop.storage``.
    """

    name: str
    types: tuple[Type, ...]
    dimensions: tuple[Dimension, ...]
    order: tuple[int, ...] = ()
    memory: str = "Auto"
    data: object | None = None
    """Elements of a constant table, as ``Image.data``."""
    walked: bool = False
    """Whether pointers to elements may run on from row to row."""


@dataclass(frozen=True, eq=False)
class Argument:
    """What the caller passes: a tensor (``output``: it is written) or a scalar."""

    name: str
    tensor: Tensor | None
    type: Type
    output: bool = False


@dataclass(frozen=True, eq=False)
class Block:
    """Nodes that run one after the other."""

    children: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class For:
    """``kind``: serial, parallel, unrolled or vectorized (each iteration is a lane)."""

    name: str
    minimum: Expr
    extent: Expr
    kind: str
    body: Node
    func: str = ""
    """The Func and the stage whose loop this is, and the loop's name there."""
    stage: int = 0
    var: str = ""
    collapse: int = 1
    """Of how many parallel loops, from this one inward, the iterations are shared out together."""
    invariants: tuple[Expr, ...] = ()
    """What the loops inside need and cannot change, to be computed once for each iteration."""


@dataclass(frozen=True, eq=False)
class Allocate:
    """Memory that lives while ``body`` runs."""

    tensor: Tensor
    body: Node


@dataclass(frozen=True, eq=False)
class Produce:
    """What computes a Func; for messages and for printing."""

    func: str
    body: Node


@dataclass(frozen=True, eq=False)
class If:
    """``otherwise`` (None: nothing) runs where ``condition`` does not hold."""

    condition: Expr
    then: Node
    otherwise: Node | None = None


@dataclass(frozen=True, eq=False)
class Define:
    """A name for a value in ``body``."""

    name: str
    value: Expr
    body: Node


@dataclass(frozen=True, eq=False)
class Store:
    """``tensor(subscripts) = values``: all components are evaluated, then stored.

    ``func``, ``stage``: the definition that it is an instance of, ``instance`` which one: the
    values of the pure variables, then of the reduction variables, innermost first, as the
    definition has them. ``at`` is its place in the source. ``atomic``: iterations of a parallel
    loop may update one element. ``predicate`` (None: always) says where it is stored; the values
    are evaluated anyway. ``blended``: how many of the outermost selections of the values only
    choose to store again what is there (tails of splits). ``shared``: values to be computed first,
    operands before their users.
    """

    tensor: str
    subscripts: tuple[Expr, ...]
    values: tuple[Expr, ...]
    func: str = ""
    stage: int = 0
    instance: tuple[Expr, ...] = ()
    atomic: bool = False
    at: Span | None = None
    predicate: Expr | None = None
    blended: int = 0
    shared: tuple[Expr, ...] = ()


@dataclass(frozen=True, eq=False)
class Check:
    """What must hold as the program runs; else it ends with ``message``."""

    condition: Expr
    message: str


@dataclass(frozen=True, eq=False)
class Hoist:
    """The memory of a tensor that is allocated in ``body`` is got here, once."""

    tensor: str
    body: Node


@dataclass(frozen=True, eq=False)
class Run:
    """A call of a function of another program on the memory of tensors: what an array runs."""

    function: str
    tensors: tuple[str, ...]


Node = Block | For | Allocate | Produce | If | Define | Store | Check | Hoist | Run


@dataclass(frozen=True, eq=False)
class Nest:
    """A lowered program."""

    name: str
    arguments: tuple[Argument, ...]
    body: Node
    tables: tuple[Tensor, ...] = field(default=())
    """Constant tensors (``Tensor.data``)."""
    invariants: tuple[Expr, ...] = ()
    """As those of a loop, for the whole body."""
    needs: tuple[Tensor, ...] = ()
    """Of inputs that the caller describes: the region of each that is read."""


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below, in the order in which they run."""
    match node:
        case Block(below):
            return below
        case For() | Allocate() | Produce() | Define() | Hoist():
            return (node.body,)
        case If(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """All nodes, outside in, in program order."""
    yield node
    for child in children(node):
        yield from walk(child)


def expressions(node: Node) -> tuple[Expr, ...]:
    """The expressions that stand in a node itself."""
    match node:
        case For():
            return (node.minimum, node.extent)
        case Allocate(tensor):
            sides = [(d.minimum, d.extent, d.stride, d.fold) for d in tensor.dimensions]
            return tuple(e for side in sides for e in side if e is not None)
        case If() | Check():
            return (node.condition,)
        case Define():
            return (node.value,)
        case Store():
            predicate = () if node.predicate is None else (node.predicate,)
            return (*node.subscripts, *node.values, *predicate)
    return ()
