"""Who gets a nest: the first library in the user's order that has a function for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from math import prod

from s2s.driver.libraries.thresholds import (
    least_chains,
    least_channels,
    least_work,
    saved_time,
)
from s2s.emitters.libraries.region import Enough, Step, decisive, may_be_enough
from s2s.scop.expressions import Const
from s2s.scop.library_calls import AtLeast, LibraryCall, NotTaken
from s2s.scop.operation import Kind, Operation
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass
from s2s.transforms.libraries import blas, onednn

LIBRARIES: dict[str, Callable[[Sequence[Operation]], tuple[LibraryCall, int]]] = {
    "blas": blas.take,
    "onednn": onednn.take,
}
_LOOPS = frozenset({Kind.FILL, Kind.COPY, Kind.ELEMENTWISE, Kind.SCALE, Kind.AXPY})
"""What the host does as well by loops of its own."""


@dataclass(frozen=True)
class Decision:
    """The steps of a nest, or why it has none; ``offers``: what each library said."""

    steps: tuple[Step, ...]
    reason: str = ""
    offers: tuple[tuple[str, str], ...] = field(default=())

    @property
    def is_taken(self) -> bool:
        return bool(self.steps)


@dataclass(frozen=True)
class Wish:
    """What the user asks for: the libraries, ``force``: whether it pays or not.

    ``reorders``: the compiler may add in any order, so that the host's sums are no chains.
    """

    libraries: tuple[str, ...]
    force: bool = False
    reorders: bool = False


def decide(operations: Sequence[Operation], wish: Wish, *, inner: bool) -> Decision:
    """The steps for a nest's operations; ``inner``: it is in a loop that stays on the host."""
    steps: list[Step] = []
    offers: list[tuple[str, str]] = []
    slower: list[str] = []
    place = 0
    while place < len(operations):
        found = _offer(operations[place:], wish, offers, slower)
        if found is not None:
            call, count = found
            saved = 0.0 if wish.force else _saved(call)
            steps.append(Step(call.operation, call, _enough(call, wish), saved))
            place += count
            continue
        operation = operations[place]
        if operation.kind not in _LOOPS and not _is_sum(operation):
            others = offers[-1][1] if offers else f"no library has {operation.kind.value}"
            reason = slower[0] if slower else others
            return Decision((), reason, tuple(offers))
        steps.append(Step(operation))
        place += 1
    return _worth(steps, offers, inner=inner)


def _saved(call: LibraryCall) -> float:
    """Nanoseconds that each unit of a call's work saves."""
    slow = _is_slow(call.operation)
    return saved_time(call.library, call.kind, terms=_terms(call), slow=slow)


def _is_slow(operation: Operation) -> bool:
    """Whether the source has its sums in a variable or tests borders: nothing is vectorised."""
    return operation.held or any(operand.is_padded for operand in operation.inputs)


def _terms(call: LibraryCall) -> int | None:
    """How many products a sum of one call has, if that is known."""
    return _size(call, reduction=True).number


def _size(call: LibraryCall, *, reduction: bool) -> Polynomial:
    """How many sums one call has, or how many products each of them."""
    around = {dim.name for dim in call.loops}
    size = Polynomial.integer(1)
    for dim in call.operation.dims:
        if dim.reduction is reduction and dim.name not in around:
            size = size * dim.extent
    return size


def _enough(call: LibraryCall, wish: Wish) -> tuple[Enough, ...]:
    """From where on a call is worth it: with any of these; always without one."""
    if wish.force:
        return ()
    enough = Enough(call.work, least_work(call.library, call.kind))
    least, free = least_chains(call.kind)
    if call.library != "blas" or least == float("inf") or wish.reorders:
        return (enough,)
    longer = _size(call, reduction=True) - Polynomial.integer(free)
    return enough, Enough(_size(call, reduction=False) * longer, least)


def _is_sum(operation: Operation) -> bool:
    """Whether elements are added to what is there, which loops do beside a call."""
    beta = operation.beta
    adds = isinstance(beta, Const) and beta.value == 1 and operation.function == "add"
    return operation.kind is Kind.REDUCE and adds


def _offer(
    operations: Sequence[Operation],
    wish: Wish,
    offers: list[tuple[str, str]],
    slower: list[str],
) -> tuple[LibraryCall, int] | None:
    libraries: Sequence[str] = wish.libraries
    if operations[0].kind is Kind.CONVOLUTION:  # by windows before by products
        libraries = sorted(libraries, key=lambda name: name == "blas")
    small: tuple[LibraryCall, int] | None = None
    for library in libraries:
        try:
            call, count = LIBRARIES[library](operations)
        except NotTaken as refusal:
            offers.append((library, refusal.reason))
            continue
        if not wish.force and least_work(library, call.kind) == float("inf"):
            slower.append(f"{call.entry} is no faster than the host's loops")
            offers.append((library, slower[-1]))
            continue
        if library == "blas" and call.kind == "convolution" and not wish.force:
            call, least = _with_channels(call)
            if least:
                offers.append((library, f"{call.entry} gains from {least} output channels on"))
                continue
        offers.append((library, call.entry))
        if may_be_enough(_enough(call, wish)):
            return call, count
        small = small or (call, count)  # another library may gain with less
    return small


def _with_channels(call: LibraryCall) -> tuple[LibraryCall, int]:
    """Windows as products where there are channels enough; how many, if there never are."""
    _, _, channels, _, *shape = (a for a in call.arguments if isinstance(a, Polynomial))
    kernel = [size.number for size in shape[6:9]]
    known = [size for size in kernel if size is not None]
    taps = prod(known) if len(known) == len(kernel) else None
    least = least_channels(held=_is_slow(call.operation), taps=taps)
    if channels.number is not None:
        return call, least if channels.number < least else 0
    enough = AtLeast(channels, Polynomial.integer(least))
    return replace(call, conditions=(*call.conditions, enough)), 0


def _worth(steps: Sequence[Step], offers: Sequence[tuple[str, str]], *, inner: bool) -> Decision:
    calls = [s.call for s in steps if s.call is not None]
    if not calls:
        return Decision(
            (), "element by element: the host's compiler does that as well", tuple(offers)
        )
    if inner and all(len(c.operation.dims) < 2 and c.library == "blas" for c in calls):
        return Decision(
            (), "one loop inside of others: a call for each would cost more", tuple(offers)
        )
    enough = decisive(steps)
    if any(map(may_be_enough, enough)):
        return Decision(tuple(steps), "", tuple(offers))
    most = enough[-1][0]
    text = f"too small: {most.work.number} of at least {most.least:.0f} operations"
    return Decision((), text, tuple(offers))
