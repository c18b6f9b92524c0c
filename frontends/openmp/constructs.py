"""Which OpenMP constructs are understood, and where they attach."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import field

from s2s.frontends.openmp.directives import Directive, split_items
from s2s.scop.nodes import Kind
from s2s.scop.tags import DependItem
from s2s.source import Span
from s2s.source.records import dataclass

_TASKLOOP = [Kind.TASKGROUP, Kind.TASKLOOP]
_KINDS: dict[str, list[Kind]] = {
    "parallel": [Kind.PARALLEL],
    "parallel for": [Kind.PARALLEL, Kind.LOOP],
    "parallel for simd": [Kind.PARALLEL, Kind.LOOP],
    "parallel sections": [Kind.PARALLEL, Kind.SECTIONS],
    "parallel master": [Kind.PARALLEL, Kind.MASTER],
    "parallel masked": [Kind.PARALLEL, Kind.MASTER],
    "parallel master taskloop": [Kind.PARALLEL, Kind.MASTER, *_TASKLOOP],
    "parallel masked taskloop": [Kind.PARALLEL, Kind.MASTER, *_TASKLOOP],
    "for": [Kind.LOOP],
    "for simd": [Kind.LOOP],
    "sections": [Kind.SECTIONS],
    "section": [Kind.SECTION],
    "single": [Kind.SINGLE],
    "master": [Kind.MASTER],
    "masked": [Kind.MASTER],
    "master taskloop": [Kind.MASTER, *_TASKLOOP],
    "masked taskloop": [Kind.MASTER, *_TASKLOOP],
    "task": [Kind.TASK],
    "taskloop": _TASKLOOP,
    "taskloop simd": _TASKLOOP,
    "taskgroup": [Kind.TASKGROUP],
    "taskwait": [Kind.TASKWAIT],
    "taskyield": [],
    "barrier": [Kind.BARRIER],
    "critical": [Kind.CRITICAL],
    "atomic": [Kind.ATOMIC],
    "simd": [Kind.SIMD],
    "ordered": [Kind.ORDERED],
}

_MEANINGFUL = frozenset(
    {"private", "firstprivate", "lastprivate", "shared", "default", "reduction", "schedule",
     "collapse", "nowait", "num_threads", "proc_bind", "if", "depend", "linear", "update", "read",
     "write", "capture", "final", "nogroup", "ordered", "doacross", "task_reduction",
     "in_reduction", ""}
)  # fmt: skip
# Clauses that a compiler may ignore: where and how fast something runs, never what it does.
# Memory orders are among them, as atomic updates and what is around them keep their order. How
# often expressions in clauses are evaluated is unspecified, so that none of them counts.
_HINTS = frozenset(
    {"affinity", "priority", "untied", "mergeable", "safelen", "simdlen", "aligned", "nontemporal",
     "order", "num_tasks", "grainsize", "threads", "simd", "hint", "allocate", "seq_cst",
     "acq_rel", "acquire", "release", "relaxed"}
)  # fmt: skip
CLAUSES = _MEANINGFUL | _HINTS
_DEPENDING = ([Kind.TASK], [Kind.TASKWAIT], [Kind.ORDERED])


class NotUnderstood(Exception):
    """A directive or clause that ends a region."""


def construct_kind(directive: Directive) -> list[Kind]:
    """The constructs that a directive combines, outermost first; none for a mere hint.

    Raises NotUnderstood.
    """
    kinds = _KINDS.get(directive.name)
    if kinds is None:
        shown = directive.text if directive.name == "?" else directive.name
        raise NotUnderstood(f"OpenMP '{shown}' is not understood")
    for clause in directive.clauses:
        if clause.name not in CLAUSES:
            raise NotUnderstood(f"clause '{clause.name}' of '{directive.name}' is not understood")
        if clause.name in ("depend", "doacross") and kinds not in _DEPENDING:
            raise NotUnderstood(f"depend on '{directive.name}' is not understood")
    if Kind.TASKGROUP in kinds and directive.clause("nogroup") is not None:
        kinds = [k for k in kinds if k is not Kind.TASKGROUP]
    return [_doacross(directive)] if kinds == [Kind.ORDERED] else kinds


def _doacross(directive: Directive) -> Kind:
    """Whether ``ordered`` is a region, or waits for or signals other iterations."""
    types = {c.modifier() or c.argument.strip() for c in directive.all("depend", "doacross")}
    if not types:
        return Kind.ORDERED
    if types == {"sink"}:
        return Kind.SINK
    if types == {"source"}:
        return Kind.SOURCE
    raise NotUnderstood(f"'{directive.text}' is not understood")


def is_shared_loop(governed: Sequence[Directive]) -> bool:
    """Whether directives in front of a statement make it a loop that a team shares."""
    return bool(governed) and governed[0].name in ("for", "for simd")


def runs_at_once(directive: Directive) -> bool:
    """Whether a task may be executed by the thread that meets it before it goes on.

    That is so where an ``if`` clause may be false. ``final`` concerns the tasks inside.
    """
    return any(not _is_true(c.argument) for c in directive.all("if"))


def makes_final(directive: Directive) -> bool:
    """Whether tasks inside this one may be executed at once."""
    return any(c.argument.strip() != "0" for c in directive.all("final"))


def _is_true(argument: str) -> bool:
    value = argument.split(":", 1)[-1].strip()
    return value.isdigit() and int(value) != 0


@dataclass(frozen=True)
class Attached:
    """The directives of a file and the statements that they govern, by position.

    A directive belongs to the statement that starts at the first token after it. ``next_token``
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
            if directive.is_standalone:
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

    def start(self, start: int) -> int:
        """Where the statement at ``start`` begins with the directives that govern it."""
        return min([start, *(d.span.start for d in self.before(start))])

    def within(self, span: Span) -> list[Directive]:
        """All directives whose line lies inside a span."""
        first, last = bisect_left(self._starts, span.start), bisect_right(self._starts, span.end)
        return list(self.directives[first:last])

    def standalone_between(self, start: int, end: int) -> list[Directive]:
        """Stand-alone directives (taskwait, barrier, ...) in a range of the text."""
        return [d for d in self.within(Span(start, end)) if d.is_standalone]


Subscript = Callable[[str], str | None]
Base = Callable[[str], bool | None]


Subscripts = Callable[[str], tuple[str, ...] | None]


def depend_items(directive: Directive, resolve: Subscripts, base: Base) -> tuple[DependItem, ...]:
    """The tags of a task's depend clauses.

    An item is taken for its base and the start of its first elements: array sections name tags,
    not memory (their lengths may even overlap in correct programs). ``resolve`` turns the C text
    of a subscript into isl text (of several subscripts where it is the flat one of a matrix), None
    where it is not affine; ``base`` tells whether a variable is
    a pointer, None where a name does not stand for one place throughout the region.
    """
    items = []
    for clause in directive.all("depend"):
        kind = clause.modifier()
        if kind not in ("in", "out", "inout", "mutexinoutset", "inoutset"):
            raise NotUnderstood(f"depend type '{kind}' is not understood")
        for text in split_items(clause.argument.split(":", 1)[1]):
            items.append(_item(text.strip(), kind != "in", resolve, base))
    return tuple(items)


def sink_vectors(directive: Directive, resolve: Subscript) -> tuple[tuple[str, ...], ...] | None:
    """The iterations that ``ordered depend(sink: ...)`` waits for, None where not affine."""
    vectors = []
    for clause in directive.all("depend", "doacross"):
        values = [resolve(item) for item in split_items(clause.argument.split(":", 1)[1])]
        known = tuple(value for value in values if value is not None)
        if len(known) != len(values):
            return None
        vectors.append(known)
    return tuple(vectors)


def _item(text: str, writes: bool, resolve: Subscripts, base: Base) -> DependItem:
    match = re.fullmatch(r"([A-Za-z_]\w*)\s*((?:\[[^\[\]]*\]\s*)*)", text)
    pointer = base(match.group(1)) if match else None
    if not match or pointer is None:
        return DependItem("", None, writes)
    subscripts: list[str] = []
    flat = False
    for inner in re.findall(r"\[([^\[\]]*)\]", match.group(2)):
        value = resolve(inner.split(":", 1)[0].strip() or "0")
        if value is None:
            return DependItem("" if pointer else match.group(1), None, writes, pointer)
        subscripts += value
        flat = flat or len(value) > 1
    found = tuple(subscripts)
    return DependItem(match.group(1), found, writes, pointer and bool(found), flat)
