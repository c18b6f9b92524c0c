"""What calls do to memory: known library functions, callees seen, and everything else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from s2s.frontends.c import clang
from s2s.frontends.c.facts import ALLOCATORS, Facts, gather
from s2s.frontends.c.lvalues import resolve
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.openmp.directives import Directive
from s2s.source import Span
from s2s.source.records import dataclass

# Functions of <math.h>, <stdlib.h>, <ctype.h> and <string.h> whose value depends on their
# arguments alone. Setting errno is not an effect that a program can order against its arrays.
_MATH = (
    "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 "
    "log10 log1p pow sqrt cbrt hypot fabs ceil floor trunc round rint nearbyint fmod remainder "
    "fmin fmax fdim fma copysign erf erfc tgamma lround llround lrint llrint ldexp scalbn logb "
    "ilogb nan"
)
_OTHER_PURE = (
    "abs labs llabs isalpha isdigit isspace isupper islower toupper tolower isnan isinf isfinite "
    "__builtin_expect __builtin_fabs __builtin_sqrt __builtin_sqrtf __builtin_fabsf __builtin_abs "
    "__builtin_popcount __builtin_clz __builtin_ctz __builtin_inf __builtin_nan __builtin_isnan "
    "__builtin_huge_val __builtin_fmax __builtin_fmin __builtin_prefetch omp_get_num_threads "
    "omp_get_max_threads omp_get_num_procs omp_in_parallel"
)
PURE = frozenset(
    [name + suffix for name in _MATH.split() for suffix in ("", "f", "l")] + _OTHER_PURE.split()
)
# name: (arguments whose memory is read, arguments whose memory is written)
_MEMORY: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "memcpy": ((1,), (0,)),
    "memmove": ((1,), (0,)),
    "memset": ((), (0,)),
    "memcmp": ((0, 1), ()),
    "strlen": ((0,), ()),
    "strcmp": ((0, 1), ()),
}
_OUTPUT_CALLS = (
    "printf fprintf puts putchar fputs fputc putc fflush omp_set_num_threads omp_set_dynamic "
    "omp_set_nested omp_set_schedule omp_get_wtime"
)
_OUTPUT = frozenset(_OUTPUT_CALLS.split())
# The stream among the arguments: what is after it counts as output.
_STREAMS = {"fprintf": 0, "fputs": 1, "fputc": 1, "putc": 1, "fflush": 0}

# Calls that cannot race: the thread's number, and the heap's own business.
_UNSEEN = frozenset({"omp_get_thread_num", "free"}) | ALLOCATORS
# Words in the names of directives that all threads of a team have to meet.
_JOINING = frozenset({"for", "sections", "single", "barrier", "ordered"})

_ABORTS = frozenset({"__assert_fail", "abort", "__assert_rtn"})
# Fresh memory is nobody's; which address it has is not the program's business.
_FRESH = ALLOCATORS - {"alloca"}


@dataclass(frozen=True)
class Effects:
    """What a call may do: memory behind arguments, globals, output, or anything at all."""

    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()
    global_reads: frozenset[Decl] = frozenset()
    global_writes: frozenset[Decl] = frozenset()
    output: bool = False
    anything: bool = False
    reason: str = ""


ANYTHING = Effects(anything=True, output=True)


@dataclass
class _Summary:
    reads: set[int] = field(default_factory=set)
    writes: set[int] = field(default_factory=set)
    global_reads: set[Decl] = field(default_factory=set)
    global_writes: set[Decl] = field(default_factory=set)
    output: bool = False
    anything: bool = False

    def freeze(self) -> Effects:
        if self.anything:
            return ANYTHING
        return Effects(
            frozenset(self.reads), frozenset(self.writes), frozenset(self.global_reads),
            frozenset(self.global_writes), self.output,
        )  # fmt: skip


class CallEffects:
    """Answers what a call may touch; summaries of callees are computed once.

    ``directives`` are the places of the file's OpenMP directives. A callee that holds one which its
    caller's team or tasks have to do with may do anything. With ``observing``, calls that tell a
    thread its number or manage memory are without effect, as are such directives. ``elsewhere``
    tells the effects of a function that another file defines.
    """

    def __init__(
        self, convert: Callable[[object], Node], directives: Sequence[Directive] = (),
        elsewhere: Callable[[Decl], Effects | None] = lambda decl: None,
        *, observing: bool = False,
    ) -> None:  # fmt: skip
        self._convert = convert
        self._directives = directives
        self._elsewhere = elsewhere
        self._observing = observing
        self._summaries: dict[Decl, Effects] = {}

    def of(self, call: Node) -> Effects:
        """Effects of a call expression, its arguments counted from 0."""
        decl = call.decl
        if is_plain_construction(call):
            return Effects()
        if decl is None or decl.kind not in ("FUNCTION_DECL", "CXX_METHOD"):
            return ANYTHING
        if decl.is_global and not self._has_body(decl):
            if self._observing and decl.name in _UNSEEN:
                return Effects()
            known = known_effects(decl.name, len(call.children) - 1)
            if known is None and _fails(call):
                return Effects(output=True)
            if known is not None:
                return known
        return self._summary(decl)

    def is_known(self, call: Node) -> bool:
        """Whether a call, by a pointer or a method's perhaps, is known to compute a value alone."""
        return False

    def definition(self, call: Node) -> Node | None:
        """The function that a call reaches, where its body is in the file."""
        decl = call.decl
        if decl is None or decl.kind != "FUNCTION_DECL" or not self._has_body(decl):
            return None
        return self._convert(decl.cursor.get_definition())

    def of_function(self, decl: Decl) -> Effects:
        """Effects of a call to a function that is defined in the file."""
        return self._summary(decl)

    def _has_body(self, decl: Decl) -> bool:
        return decl.cursor is not None and decl.cursor.get_definition() is not None

    def _summary(self, decl: Decl) -> Effects:
        if decl not in self._summaries:
            plain = decl.kind == "FUNCTION_DECL" and decl.cursor is not None
            if plain and clang.is_instance(decl.cursor):
                return ANYTHING
            definition = decl.cursor.get_definition() if plain else None
            if definition is None:
                self._summaries[decl] = (self._elsewhere(decl) if plain else None) or ANYTHING
            else:
                self._settle(decl, self._convert(definition))
        return self._summaries[decl]

    def _settle(self, decl: Decl, function: Node) -> None:
        """The least effects that a function has if calls of itself have them.

        What was found for other functions on the way may rest on less, so it is found again.
        """
        if not decl.in_file or not self._joins_callers(function):
            found: Effects | None = None
            known = dict(self._summaries)
            self._summaries[decl] = Effects()
            while found != self._summaries[decl]:
                found = self._summaries[decl]
                self._summaries = {**known, decl: found}
                self._summaries[decl] = self._summarize(function)
        else:
            self._summaries[decl] = ANYTHING

    def _joins_callers(self, function: Node) -> bool:
        """Whether a function holds directives that are about the team of its caller."""
        if self._observing:
            return False
        inside = [d for d in self._directives if _holds(function.span, d.span)]
        regions = [_governed(function, d) for d in inside if d.name.startswith("parallel")]
        return any(
            _JOINING & set(d.name.split()) and not any(_holds(r, d.span) for r in regions)
            for d in inside
        )

    def _summarize(self, function: Node) -> Effects:
        facts = gather(function)
        parameters = [n.decl for n in function.children if n.kind == "PARM_DECL"]
        summary = _Summary()
        positions = {d: i for i, d in enumerate(parameters) if d is not None}
        for node in function.walk():
            self._add(node, facts, positions, summary)
            if summary.anything:
                break
        return summary.freeze()

    def _add(self, node: Node, facts: Facts, positions: dict[Decl, int], summary: _Summary) -> None:
        if node.kind in UNMODELLED or node.type.volatile:
            summary.anything = True
        elif node.kind == "CALL_EXPR":
            self._add_call(node, facts, positions, summary)
        elif node.assigns:
            self._touch(node.children[0], facts, positions, summary, write=True)
        elif node.kind in ("DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR") or (
            node.kind == "UNARY_OPERATOR" and node.op == "*"
        ):
            self._touch(node, facts, positions, summary, write=False)

    def _add_call(
        self, node: Node, facts: Facts, positions: dict[Decl, int], summary: _Summary
    ) -> None:
        effects = self.of(node)
        if effects.anything:
            summary.anything = True
            return
        summary.output |= effects.output
        summary.global_reads |= effects.global_reads
        summary.global_writes |= effects.global_writes
        arguments = node.children[1:]
        for touched, write in ((effects.reads, False), (effects.writes, True)):
            for position in touched:
                if position < len(arguments):
                    self._behind(arguments[position], facts, positions, summary, write)

    def _touch(
        self, node: Node, facts: Facts, positions: dict[Decl, int], summary: _Summary,
        *, write: bool,
    ) -> None:  # fmt: skip
        path = resolve(node)
        if path is None:
            return
        if path.root is None:
            base = _followed(node)
            if base is None:
                summary.anything = True
            else:
                self._behind(base, facts, positions, summary, write)
        elif path.root.thread_local:
            summary.anything = True
        elif path.pointer_depth:
            self._behind_pointer(path.root, facts, positions, summary, write, frozenset())
        elif path.root.is_global or path.root.is_static:
            (summary.global_writes if write else summary.global_reads).add(path.root)

    def _behind(
        self, node: Node, facts: Facts, positions: dict[Decl, int], summary: _Summary, write: bool
    ) -> None:
        """The memory behind a pointer-valued expression."""
        roots = pointer_roots(node)
        if roots is None:
            summary.anything = True
            return
        for root in roots:
            self._behind_pointer(root, facts, positions, summary, write, frozenset())

    def _behind_pointer(
        self, root: Decl, facts: Facts, positions: dict[Decl, int], summary: _Summary,
        write: bool, seen: frozenset[Decl],
    ) -> None:  # fmt: skip
        if root in seen:
            return
        if root.is_global or root.is_static:
            if root.type.kind == "array" and root.type.innermost().kind != "pointer":
                (summary.global_writes if write else summary.global_reads).add(root)
            else:
                summary.anything = True
            return
        if root in facts.escaped and root.type.kind == "pointer":
            summary.anything = True
            return
        if root in positions:
            (summary.writes if write else summary.reads).add(positions[root])
        if root.type.kind in ("array", "record") and root.type.innermost().kind != "pointer":
            return
        if root.type.kind == "float":  # its own memory: it holds no address
            return
        for source in facts.sources.get(root, []):
            roots = pointer_roots(source)
            if roots is None:
                summary.anything = True
                return
            for inner in roots:
                self._behind_pointer(inner, facts, positions, summary, write, seen | {root})


def _followed(node: Node) -> Node | None:
    """The pointer that an element or a member is found behind: ``p++`` in ``*p++``."""
    pointers = [c for c in node.children if c.type.kind == "pointer"]
    return pointers[0] if len(pointers) == 1 else None


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start < outer.end


def _governed(function: Node, directive: Directive) -> Span:
    """A directive with the statement after it."""
    behind = [n.span for n in function.walk() if n.span.start >= directive.span.end]
    start = min((s.start for s in behind), default=directive.span.end)
    end = max((s.end for s in behind if s.start == start), default=start)
    return Span(directive.span.start, end)


_NOT_MODELLED = (
    "ASM_STMT MS_ASM_STMT GCC_ASM_STMT ADDR_LABEL_EXPR INDIRECT_GOTO_STMT CXX_TRY_STMT "
    "CXX_THROW_EXPR CXX_DELETE_EXPR LAMBDA_EXPR CXX_NEW_EXPR "
    "OBJC_MESSAGE_EXPR BLOCK_EXPR PACK_EXPANSION_EXPR CXX_CATCH_STMT VA_ARG_EXPR"
)
UNMODELLED = frozenset(_NOT_MODELLED.split())


def is_plain_construction(call: Node) -> bool:
    """Whether a call constructs or copies a record whose constructors do nothing else."""
    decl = call.decl
    if decl is None or decl.kind != "CONSTRUCTOR" or decl.cursor is None:
        return False
    return len(call.children) <= 1 and bool(decl.cursor.semantic_parent.type.is_pod())


def pointer_roots(node: Node) -> set[Decl] | None:
    """Variables that a pointer-valued expression is computed from; None where unknown.

    A constant, a null pointer and fresh memory have no root.
    """
    if node.kind in (
        "INTEGER_LITERAL",
        "STRING_LITERAL",
        "CXX_NULL_PTR_LITERAL_EXPR",
        "GNU_NULL_EXPR",
    ):
        return set()
    if node.kind == "CALL_EXPR" and node.name in ALLOCATORS:
        return set()
    if node.kind in ("CSTYLE_CAST_EXPR", "IMPLICIT_CAST") and node.children:
        operand = node.children[-1]
        return _address_roots(operand) if operand.type.kind == "int" else pointer_roots(operand)
    if node.kind == "UNARY_OPERATOR" and node.op in ("&", "++", "--", "post++", "post--"):
        path = resolve(node.children[0])
        return None if path is None or path.root is None else {path.root}
    if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-", ",", "="):
        pointers = [c for c in node.children if c.type.kind in ("pointer", "array")]
        if len(pointers) == 1:
            return pointer_roots(pointers[0])
        return None
    if node.kind == "COMPOUND_ASSIGNMENT_OPERATOR":
        return pointer_roots(node.children[0])
    if node.kind == "CONDITIONAL_OPERATOR" and len(node.children) == 3:
        left, right = (pointer_roots(c) for c in node.children[1:])
        return None if left is None or right is None else left | right
    path = resolve(node)
    return None if path is None or path.root is None else {path.root}


def _fails(call: Node) -> bool:
    """Whether a call ends the program as failed: nobody relies on what memory holds then."""
    return call.name == "exit" and len(call.children) == 2 and bool(call.children[1].value)


def _address_roots(node: Node) -> set[Decl] | None:
    """What a pointer is computed from that is made of an integer: ``(long)p + bytes``."""
    if node.value == 0:
        return set()
    while node.kind in ("CSTYLE_CAST_EXPR", "IMPLICIT_CAST") and node.children:
        if node.children[-1].type.kind in ("pointer", "array"):
            return pointer_roots(node.children[-1])
        node = node.children[-1]
    if node.kind != "BINARY_OPERATOR" or node.op not in ("+", "-"):
        return None
    converted = [c for c in node.children if _holds_address(c)]
    return _address_roots(converted[0]) if len(converted) == 1 else None


def _holds_address(node: Node) -> bool:
    return any(
        n.kind in ("CSTYLE_CAST_EXPR", "IMPLICIT_CAST") and n.type.kind == "int" and n.children
        and n.children[-1].type.kind in ("pointer", "array") for n in node.walk()
    )  # fmt: skip


def known_effects(name: str, arguments: int) -> Effects | None:
    """Effects of a library function by its name, None where it is not known."""
    if name in PURE or name in _FRESH:
        return Effects()
    if name in _MEMORY:
        reads, writes = _MEMORY[name]
        return Effects(frozenset(reads), frozenset(writes))
    if name in _OUTPUT:
        printed = frozenset(range(arguments)) - {_STREAMS.get(name, -1)}
        return Effects(reads=printed, output=True)
    if name in _ABORTS:
        return Effects(output=True)
    return None
