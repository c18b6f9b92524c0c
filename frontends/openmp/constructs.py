"""Which OpenMP constructs are understood, and where they attach."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from s2s.frontends.openmp.directives import STANDALONE, Directive, split_items
from s2s.scop.nodes import DependItem, Kind
from s2s.source import Span

_KINDS: dict[str, list[Kind]] = {
    "parallel": [Kind.PARALLEL],
    "parallel for": [Kind.PARALLEL, Kind.LOOP],
    "parallel for simd": [Kind.PARALLEL, Kind.LOOP],
    "for": [Kind.LOOP],
    "for simd": [Kind.LOOP],
    "single": [Kind.SINGLE],
    "master": [Kind.MASTER],
    "masked": [Kind.MASTER],
    "task": [Kind.TASK],
    "taskwait": [Kind.TASKWAIT],
    "barrier": [Kind.BARRIER],
    "critical": [Kind.CRITICAL],
    "atomic": [Kind.ATOMIC],
    "simd": [Kind.SIMD],
}

_CLAUSES = frozenset(
    {"private", "firstprivate", "lastprivate", "shared", "default", "reduction", "schedule",
     "collapse", "nowait", "num_threads", "proc_bind", "if", "depend", "untied", "mergeable",
     "safelen", "simdlen", "aligned", "linear", "update", "read", "write", "capture", "seq_cst",
     "priority", "final", ""}
)  # fmt: skip


class NotUnderstood(Exception):
    """A directive or clause that ends a region."""


def construct_kind(directive: Directive) -> list[Kind]:
    """The constructs that a directive combines, outermost first. Raises NotUnderstood."""
    kinds = _KINDS.get(directive.name)
    if kinds is None:
        shown = directive.text if directive.name == "?" else directive.name
        raise NotUnderstood(f"OpenMP '{shown}' is not understood")
    for clause in directive.clauses:
        if clause.name not in _CLAUSES:
            raise NotUnderstood(f"clause '{clause.name}' of '{directive.name}' is not understood")
        if clause.name == "if" and Kind.TASK in kinds:
            raise NotUnderstood("a conditional task is not understood")
        if clause.name == "depend" and kinds != [Kind.TASK]:
            raise NotUnderstood(f"depend on '{directive.name}' is not understood")
    return kinds


@dataclass(frozen=True)
class Attached:
    """The directives of a file and the statements that they govern, by position.

    A directive belongs to the statement that starts at the first token behind it. ``next_token``
    gives that position.
    """

    directives: tuple[Directive, ...]
    next_token: Callable[[int], int]
    _starts: list[int] = field(init=False)
    _governed: dict[int, list[Directive]] = field(init=False)

    def __post_init__(self) -> None:
        governed: dict[int, list[Directive]] = {}
        waiting: list[Directive] = []
        for position, directive in enumerate(self.directives):
            if directive.name in STANDALONE:
                waiting = []
                continue
            waiting.append(directive)
            target = self.next_token(directive.span.end)
            following = self.directives[position + 1 :]
            if following and following[0].span.start == target:
                continue
            governed.setdefault(target, []).extend(waiting)
            waiting = []
        object.__setattr__(self, "_governed", governed)
        object.__setattr__(self, "_starts", [d.span.start for d in self.directives])

    def before(self, start: int) -> Sequence[Directive]:
        """The directives that govern the statement at ``start``, outermost first."""
        return self._governed.get(start, [])

    def within(self, span: Span) -> list[Directive]:
        """All directives whose line lies inside a span."""
        first, last = bisect_left(self._starts, span.start), bisect_right(self._starts, span.end)
        return list(self.directives[first:last])

    def standalone_between(self, start: int, end: int) -> list[Directive]:
        """Stand-alone directives (taskwait, barrier, ...) in a range of the text."""
        return [d for d in self.within(Span(start, end)) if d.name in STANDALONE]


Subscript = Callable[[str], str | None]
Base = Callable[[str], bool | None]


def depend_items(directive: Directive, resolve: Subscript, base: Base) -> tuple[DependItem, ...]:
    """The tags of a task's depend clauses.

    An item is taken for its base and the start of its first elements: array sections name tags,
    not memory (their lengths may even overlap in correct programs). ``resolve`` turns the C text
    of a subscript into isl text, None where it is not affine; ``base`` tells whether a variable is
    a pointer, None where a name does not stand for one place throughout the region.
    """
    items = []
    for clause in directive.all("depend"):
        kind = clause.modifier()
        if kind not in ("in", "out", "inout", "mutexinoutset"):
            raise NotUnderstood(f"depend type '{kind}' is not understood")
        for text in split_items(clause.argument.split(":", 1)[1]):
            items.append(_item(text.strip(), kind != "in", resolve, base))
    return tuple(items)


def _item(text: str, writes: bool, resolve: Subscript, base: Base) -> DependItem:
    match = re.fullmatch(r"([A-Za-z_]\w*)\s*((?:\[[^\[\]]*\]\s*)*)", text)
    pointer = base(match.group(1)) if match else None
    if not match or pointer is None:
        return DependItem("", None, writes)
    subscripts = []
    for inner in re.findall(r"\[([^\[\]]*)\]", match.group(2)):
        value = resolve(inner.split(":", 1)[0].strip() or "0")
        if value is None:
            return DependItem("" if pointer else match.group(1), None, writes, pointer)
        subscripts.append(value)
    return DependItem(match.group(1), tuple(subscripts), writes, pointer and bool(subscripts))
