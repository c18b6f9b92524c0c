"""Flat loops that divide their counter into rows and columns, as loops over these.

::

    for (p = 0; p < w * h; p++) {            for (y = 0; y < h; y++)
        int x = p % w, y = p / w;                for (x = 0; x < w; x++) {
        out[p] = f(x, y);            ->              const int p = y * w + x;
    }                                                out[p] = f(x, y);
                                                 }
                                             for (p = w > 0 && h > 0 ? n : 0; p < n; p++) ...

(Strip-mining by the divisor; Allen and Kennedy, "Optimizing Compilers for Modern Architectures",
section 9.3.) A division takes as long as twenty additions and has no vectors. Whole rows run as
two loops; what is left runs as it was: where the length is no product with the divisor, the end of
the last row, and everything if the divisor is not positive. So the order of all iterations is kept
whatever the variables hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from s2s.frontends.c.counted_loops import counted_loop
from s2s.frontends.c.facts import initializer
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.prepare.own_variables import is_kept, is_own
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import free_prefix, identifiers, statement_end
from s2s.source import Edit, Span
from s2s.source.records import dataclass

_TAB = 8
_JUMPS = frozenset(
    {"GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT", "BREAK_STMT", "RETURN_STMT", "SWITCH_STMT",
     "FOR_STMT", "WHILE_STMT", "DO_STMT", "STMT_EXPR", "StmtExpr", "LAMBDA_EXPR"}
)  # fmt: skip
# Calls that are an instruction or a few: a division beside others is not worth another loop.
_SHORT = frozenset(
    {"abs", "labs", "fabs", "fabsf", "sqrt", "sqrtf", "fmin", "fminf", "fmax", "fmaxf"}
)


@dataclass(frozen=True)
class FlatRows:
    """A loop's lines: ``front`` comes before the ``nest`` over whole rows, ``rest`` after it.

    Each line begins with the tabs of its depth; those of the source keep what they have beyond it.
    """

    divisor: str
    front: str
    nest: tuple[str, ...]
    rest: tuple[str, ...]


def lay_out(lines: Iterable[str], around: str, unit: str) -> str:
    """Lines as a text of which the first one stands at its place already."""

    def line(text: str) -> str:
        plain = text.lstrip("\t")
        return around + unit * (len(text) - len(plain)) + plain if plain else ""

    return "\n".join(map(line, lines)).removeprefix(around)


@dataclass(frozen=True)
class _Flat:
    """A loop with what it counts with, to where, and what that is divided by."""

    counter: Decl
    declared: bool
    end: Node
    body: Node
    divisor: Decl
    divisions: tuple[Node, ...]


@dataclass(frozen=True)
class _Names:
    """The counters of rows and columns, and the statements that declare them."""

    row: str
    column: str
    declarations: tuple[Node, ...] = ()


def divides_counter(loop: Node) -> bool:
    """Whether an innermost loop divides by a variable: a cheap look."""
    if loop.kind != "FOR_STMT" or not computes_only(loop.children[-1]):
        return False
    return any(map(_is_division, loop.children[-1].walk()))


def computes_only(body: Node) -> bool:
    """Whether a loop's body has no loops, jumps or calls, but for short ones and ``continue``."""
    if not _JUMPS.isdisjoint(body.kinds):
        return False
    return all(n.name in _SHORT for n in body.walk() if n.kind == "CALL_EXPR")


def flat_rows(function: Function, loop: Node) -> FlatRows | None:
    """The loop's rows; None where it is no such loop."""
    if not divides_counter(loop) or function.attached.within(loop.span):
        return None
    if function.attached.before(loop.span.start) or any(n.in_macro for n in _shape(loop)):
        return None
    flat = _flat(function, loop)
    return None if flat is None else _written(function, flat)


def _shape(loop: Node) -> Iterator[Node]:
    """What is written anew: the header, and in the body all but what macros expand to."""
    yield loop
    for part in loop.children[:3]:
        yield from part.walk()
    yield loop.children[-1]


def _is_division(node: Node) -> bool:
    if node.kind != "BINARY_OPERATOR" or node.op not in ("/", "%") or node.type.kind != "int":
        return False
    return all(c.bare.kind == "DECL_REF_EXPR" and c.bare.value is None for c in node.children)


# -- what is looked for -------------------------------------------------------------------------


def _flat(function: Function, loop: Node) -> _Flat | None:
    try:
        counted = counted_loop(loop)
        step = counted.constant_step
        (bound, *others) = counted.bounds(step)
    except NotAffine:
        return None
    counter, body = counted.variable, counted.body
    if step != 1 or others or bound.relation != "<" or not bound.is_exact:
        return None
    if constant_value(counted.first) != 0 or not is_own(function, counter):
        return None
    if counter in body.assigned or has_static(body):
        return None
    end = bound.limit.bare
    if not all(_is_factor(function, n, loop, counter) for n in end.walk()):
        return None
    divided = [n for n in body.walk() if _is_division(n) and n.children[0].bare.decl is counter]
    divisors = Counter(n.children[1].bare.decl for n in divided)
    for divisor, _ in divisors.most_common(1):
        chosen = tuple(n for n in divided if n.children[1].bare.decl is divisor)
        if divisor is None or not is_kept(function, divisor, loop, counter):
            return None
        if any(n.in_macro or not _is_like(n, counter) for n in chosen):
            return None
        return _Flat(counter, counted.declared, end, body, divisor, chosen)
    return None


def has_static(body: Node) -> bool:
    """Whether a variable of a body outlives it, so that it cannot stand there twice."""
    return any(
        n.kind == "VAR_DECL" and n.decl is not None and n.decl.is_static for n in body.walk()
    )  # fmt: skip


def _is_factor(function: Function, node: Node, loop: Node, counter: Decl) -> bool:
    """Whether a part of a loop's end is a product of what it keeps."""
    if node.value is not None or node.op == "*":
        return _is_like(node, counter)
    if node.kind == "IMPLICIT_CAST":
        return _is_like(node, counter)
    plain = node.kind == "DECL_REF_EXPR" and node.decl is not None
    return plain and node.decl is not None and is_kept(function, node.decl, loop, counter)


def _is_like(node: Node, counter: Decl) -> bool:
    """Whether a value has the counter's type."""
    if node.value is not None:
        return node.type.kind == "int" and node.value >= 0
    sizes = node.type.size == counter.type.size
    return node.type.kind == "int" and sizes and node.type.signed == counter.type.signed


# -- the new text -------------------------------------------------------------------------------


def _written(function: Function, flat: _Flat) -> FlatRows | None:
    buffer = function.unit.buffer
    span = _statement(function, flat.body)
    if span is None:
        return None
    prefix = free_prefix(buffer.data)
    names = _own_names(function, flat, span) or _Names(f"{prefix}row", f"{prefix}column")
    type_, divisor = plain(flat.counter.type.spelling), flat.divisor.name
    name, end = flat.counter.name, buffer.text(flat.end.span)
    count = _other_factors(function, flat)
    if count is None:
        rows = f"{prefix}rows"
        above = " && ".join(f"{value} > 0" for value in dict.fromkeys((divisor, end)))
        front = f"const {type_} {rows} = {above} ? {end} / {divisor} : 0;"
        done = f"{rows} * {divisor}"
    else:
        rows, done = count, f"{prefix}done"
        above = " && ".join(f"{factor} > 0" for factor in dict.fromkeys((divisor, rows)))
        front = f"const {type_} {done} = {above} ? {end} : 0;"
    place = f"const {type_} {name} = {names.row} * {divisor} + {names.column};"
    nest = (
        f"for ({type_} {names.row} = 0; {names.row} < {rows}; {names.row}++)",
        f"\tfor ({type_} {names.column} = 0; {names.column} < {divisor}; {names.column}++) {{",
        *([f"\t\t{place}"] if _is_read(flat) else []),
        *(f"\t\t{line}" for line in levelled(_inner(function, flat, names, span))),
        "\t}",
    )
    declared = f"{type_} " if flat.declared else ""
    head = f"for ({declared}{name} = {done}; {name} < {end}; {name}++)"
    text = buffer.text(span)
    block = flat.body.kind == "COMPOUND_STMT"
    rest = levelled(f"{head} {text}") if block else (head, *(f"\t{t}" for t in levelled(text)))
    return FlatRows(divisor, front, nest, tuple(rest))


def levelled(text: str) -> Iterator[str]:
    """The lines of a text without what all but the first are indented by, tabs as blanks."""
    lines = text.expandtabs(_TAB).split("\n")
    least = min((len(t) - len(t.lstrip()) for t in lines[1:] if t.strip()), default=0)
    yield lines[0]
    for line in lines[1:]:
        yield line[min(least, len(line) - len(line.lstrip())) :]


def _statement(function: Function, body: Node) -> Span | None:
    """A loop's body with its semicolon."""
    if body.kind == "COMPOUND_STMT":
        return body.span
    end = statement_end(function.unit.buffer.data, body.span.end)
    return None if end is None else Span(body.span.start, end)


def plain(spelling: str) -> str:
    return " ".join(word for word in spelling.split() if word != "const")


def _other_factors(function: Function, flat: _Flat) -> str | None:
    """What the divisor is multiplied by to give the loop's end; None where that is not seen.

    Products of signed numbers do not wrap. A variable is the product that it begins with if it and
    the factors are never set again.
    """
    end = flat.end
    if not flat.counter.type.signed:
        return None
    if (
        end.kind == "DECL_REF_EXPR"
        and end.decl is not None
        and function.facts.is_constant(end.decl)
    ):
        found = (n for n in function.body.walk() if n.kind == "VAR_DECL" and n.decl is end.decl)
        value = next((initializer(n) for n in found), None)
        named = [] if value is None else [n for n in value.walk() if n.kind == "DECL_REF_EXPR"]
        if (
            value is None
            or any(n.in_macro for n in value.walk())
            or not all(n.decl is not None and function.facts.is_constant(n.decl) for n in named)
            or not all(_is_factor(function, n, flat.body, flat.counter) for n in value.walk())
        ):
            return None
        end = value.bare
    factors = list(_factors(end))
    same = [f for f in factors if f.decl is flat.divisor]
    others = [f for f in factors if f is not (same[0] if same else None)]
    if not same or len(others) != 1 or others[0].kind != "DECL_REF_EXPR":
        return None
    return others[0].name


def _factors(node: Node) -> Iterator[Node]:
    node = node.bare
    if node.kind == "BINARY_OPERATOR" and node.op == "*":
        for child in node.children:
            yield from _factors(child)
    else:
        yield node


def _own_names(function: Function, flat: _Flat, span: Span) -> _Names | None:
    """The names that the body's first statements give to row and column, where they can be those of
    the counters.
    """
    found: dict[str, str] = {}
    declarations: list[Node] = []
    for statement in flat.body.statements:
        if statement.kind != "DECL_STMT" or not all(_declares(flat, v) for v in statement.children):
            break
        declarations.append(statement)
        for variable in statement.children:
            value = initializer(variable)
            assert value is not None
            found.setdefault(value.bare.op, variable.name)
    count = sum(len(d.children) for d in declarations)
    if count != len(found) or not found or flat.body.kind != "COMPOUND_STMT":
        return None
    prefix = free_prefix(function.unit.buffer.data)
    names = _Names(found.get("/", f"{prefix}row"), found.get("%", f"{prefix}column"),
                   tuple(declarations))  # fmt: skip
    header = {
        flat.counter.name,
        flat.divisor.name,
        *identifiers(function.unit.buffer.data[flat.end.span.start : flat.end.span.end]),
    }
    count_ = _other_factors(function, flat)
    return None if {names.row, names.column} & {*header, count_} else names


def _declares(flat: _Flat, variable: Node) -> bool:
    """Whether a variable is a row or a column, and nothing else ever."""
    value = initializer(variable) if variable.kind == "VAR_DECL" else None
    if value is None or variable.decl is None or value.bare not in flat.divisions:
        return False
    type_ = variable.decl.type
    alike = type_.size == flat.counter.type.size and type_.signed == flat.counter.type.signed
    kept = flat.body.assigned.get(variable.decl) == 1 and not type_.volatile
    taken = any(n.op == "&" and n.kind == "UNARY_OPERATOR" and variable.decl in n.decls
                for n in flat.body.walk())  # fmt: skip
    hidden = sum(n.kind == "VAR_DECL" and n.name == variable.name for n in flat.body.walk()) > 1
    return alike and type_.kind == "int" and kept and not taken and not hidden


def _is_read(flat: _Flat) -> bool:
    """Whether the counter is read by more than the divisions."""
    inside = {id(n.children[0].bare) for n in flat.divisions}
    return any(
        n.kind == "DECL_REF_EXPR" and n.decl is flat.counter and id(n) not in inside
        for n in flat.body.walk()
    )  # fmt: skip


def _inner(function: Function, flat: _Flat, names: _Names, span: Span) -> str:
    """The body with rows and columns in the place of divisions."""
    buffer = function.unit.buffer
    if flat.body.kind == "COMPOUND_STMT":
        span = Span(span.start + 1, span.end - 1)
    edits = [_without(buffer.data, d) for d in names.declarations]
    for node in flat.divisions:
        if not any(d.span.start <= node.span.start < d.span.end for d in names.declarations):
            text = names.row if node.op == "/" else names.column
            edits.append(Edit(node.span.start, node.span.end, text.encode()))
    return buffer.edited(span, sorted(edits)).strip()


def _without(data: bytes, declaration: Node) -> Edit:
    """A declaration taken away with its semicolon."""
    end = declaration.span.end
    end = end if data[end - 1 : end] == b";" else data.index(b";", end) + 1
    return Edit(declaration.span.start, end, b"")


__all__ = [
    "FlatRows",
    "computes_only",
    "divides_counter",
    "flat_rows",
    "has_static",
    "lay_out",
    "levelled",
    "plain",
]
