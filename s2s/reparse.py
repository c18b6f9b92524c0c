"""The emitted text, parsed again: it has to execute the same instances in a legal order.

The legality proof speaks of a schedule; what is compiled is text. Here the new text goes through
the parser, its loops are executed for small parameter values by a small interpreter, and the
statement instances found are compared with the region's domains and dependences.
"""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import repeat

import islpy as isl

from s2s.frontends.c.syntax import Node
from s2s.net import Mismatch
from s2s.scop.nodes import Scop, Statement
from s2s.source import Span

Instance = tuple[str, tuple[int, ...]]

_STEPS = 200_000
_INSTANCES = 20_000
_THREADS = 3
_THREAD_COUNTS = frozenset({"omp_get_max_threads", "omp_get_num_procs"})
# More dependent pairs than this between two statements are not looked at one by one.
_PAIRS = 4_000
# Where there are about more than this, those of a few instances: counting takes long, too.
_COUNTED, _FEW = 20_000, 8
_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


@dataclass
class Interpreter:
    """Executes the control flow of emitted code and records where leaves are reached.

    ``values`` are the parameters by C spelling; ``leaves`` the spans of source text. ``assume`` is
    the value of conditions that involve anything else (pointers, thread counts).
    """

    text: Callable[[Node], str]
    leaves: Mapping[int, tuple[int, str]]
    iterators: Mapping[str, tuple[str, ...]]
    values: dict[str, int]
    found: list[Instance] = field(default_factory=list)
    steps: int = 0

    def __post_init__(self) -> None:
        self._starts = sorted(self.leaves)

    def run(self, node: Node, environment: dict[str, int]) -> None:
        self.steps += 1
        if self.steps > _STEPS:
            raise Mismatch("the emitted loops do not end")
        kind = node.kind
        leaf = self._leaf_at(node)
        if leaf is not None:
            self._record(leaf[1], environment)
        elif kind == "COMPOUND_STMT":
            self._block(node, dict(environment))
        elif kind == "FOR_STMT":
            self._for(node, dict(environment))
        elif kind == "IF_STMT":
            self._if(node, environment)
        elif kind == "DECL_STMT":
            for child in node.children:
                self._declare(child, environment)
        elif kind == "BINARY_OPERATOR" and node.op == "=":
            if not _is_data(node, {**self.values, **environment}):
                environment[node.children[0].name] = self._value(node.children[1], environment)
        elif kind not in ("NULL_STMT", "CSTYLE_CAST_EXPR"):
            raise Mismatch(f"unexpected {kind.lower()} in emitted code")

    def _leaf_at(self, node: Node) -> tuple[int, str] | None:
        """The leaf that a node begins, behind the leaf's own pragmas perhaps."""
        position = bisect_right(self._starts, node.span.start) - 1
        if position < 0:
            return None
        leaf = self.leaves[self._starts[position]]
        return leaf if node.span.start < leaf[0] else None

    def _record(self, name: str, environment: dict[str, int]) -> None:
        self.found.append((name, tuple(environment.get(i, 0) for i in self.iterators[name])))

    def _block(self, node: Node, environment: dict[str, int]) -> None:
        behind = -1
        for child in node.children:
            if child.span.start < behind:
                continue
            leaf = self._leaf_at(child)
            self.run(child, environment)
            if leaf is not None:
                behind = leaf[0]

    def _for(self, node: Node, environment: dict[str, int]) -> None:
        init, condition, increment, body = node.children
        self.run(init, environment)
        while self._value(condition, environment):
            self.run(body, environment)
            self._step(increment, environment)

    def _step(self, node: Node, environment: dict[str, int]) -> None:
        name = node.children[0].name
        amount = 1 if node.kind == "UNARY_OPERATOR" else self._value(node.children[1], environment)
        environment[name] += -amount if "-" in node.op else amount

    def _if(self, node: Node, environment: dict[str, int]) -> None:
        condition, *branches = node.children
        if self._value(condition, environment):
            self.run(branches[0], environment)
        elif len(branches) > 1:
            self.run(branches[1], environment)

    def _declare(self, node: Node, environment: dict[str, int]) -> None:
        held = node.children and node.children[-1].kind == "ARRAY_SUBSCRIPT_EXPR"
        if node.kind == "VAR_DECL" and node.children and node.type.kind == "int" and not held:
            environment[node.name] = self._value(node.children[-1], environment)

    def _value(self, node: Node, environment: dict[str, int]) -> int:
        if node.value is not None and node.kind != "DECL_REF_EXPR":
            return node.value
        spelled = node.name if node.kind == "DECL_REF_EXPR" else self.text(node)
        if spelled in environment:
            return environment[spelled]
        if spelled in self.values:
            return self.values[spelled]
        if node.kind in ("IMPLICIT_CAST", "CSTYLE_CAST_EXPR"):
            return self._value(node.children[-1], environment)
        if node.kind == "CALL_EXPR" and node.name in _THREAD_COUNTS:
            return _THREADS
        if node.kind == "UNARY_OPERATOR" and node.op == "-":
            return -self._value(node.children[0], environment)
        if node.kind == "CONDITIONAL_OPERATOR":
            condition, then, otherwise = node.children
            chosen = then if self._value(condition, environment) else otherwise
            return self._value(chosen, environment)
        if node.kind == "BINARY_OPERATOR":
            return self._binary(node, environment)
        raise Mismatch(f"'{spelled}' has no value")

    def _binary(self, node: Node, environment: dict[str, int]) -> int:
        left, right = node.children
        if node.op == "&&":
            return int(
                bool(self._value(left, environment)) and bool(self._value(right, environment))
            )
        if node.op == "||":
            return int(
                bool(self._value(left, environment)) or bool(self._value(right, environment))
            )
        a, b = self._value(left, environment), self._value(right, environment)
        if node.op in ("/", "%"):
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if node.op == "/" else a - quotient * b
        return int(_OPERATIONS[node.op](a, b))


def _is_data(assignment: Node, known: Mapping[str, int]) -> bool:
    """Whether an assignment stores, loads or moves an element that a local holds."""
    target, value = assignment.children
    while value.kind == "IMPLICIT_CAST":
        value = value.children[-1]
    if any(side.kind == "ARRAY_SUBSCRIPT_EXPR" for side in (target, value)):
        return True
    return target.name not in known or (value.kind == "DECL_REF_EXPR" and value.name not in known)


_SAMPLES = ((4, "max"), (18, "min-max"), (7, "max-min"))
_LARGER = (0, 8, 16, 64, 256)


def small_parameters(scop: Scop, known: isl.Set) -> Iterator[dict[str, int]]:
    """A few small parameter values for which the new code runs, some of them lopsided."""
    names = [p.name for p in scop.parameters]
    for size, shape in _SAMPLES if names else [(0, "max")]:
        # A guard may ask for more iterations than the sample has.
        points = (_sample(known, len(names), size + more, shape) for more in _LARGER)
        point = next((p for p in points if p is not None), None)
        if point is not None:
            yield dict(zip(names, point, strict=True))


def _sample(known: isl.Set, count: int, size: int, shape: str) -> list[int] | None:
    """Values between 0 and ``size``, largest or smallest one after the other."""
    near = known.move_dims(isl.dim_type.set, 0, isl.dim_type.param, 0, count)
    for position in range(count):
        near = near.lower_bound_val(isl.dim_type.set, position, isl.Val(0))
        near = near.upper_bound_val(isl.dim_type.set, position, isl.Val(size))
    if near.is_empty():
        return None
    values = []
    for position in range(count):
        largest = shape == "max" or (shape == "max-min") == (position % 2 == 0)
        value = _end(near, position, largest=largest)
        near = near.fix_val(isl.dim_type.set, position, value)
        values.append(int(value.to_python()))
    return values


def _end(points: isl.Set, position: int, *, largest: bool) -> isl.Val:
    """Largest or smallest value of a dimension; ``dim_max_val`` need not be an integer."""
    line = points.project_out(
        isl.dim_type.set, position + 1, points.dim(isl.dim_type.set) - position - 1
    ).project_out(isl.dim_type.set, 0, position)
    end = line.lexmax() if largest else line.lexmin()
    return end.sample_point().get_coordinate_val(isl.dim_type.set, 0)


def instances(scop: Scop, values: Mapping[str, int]) -> set[Instance]:
    """All statement instances of a region for given parameter values."""
    found: set[Instance] = set()
    for statement in scop.statements:
        vectors = _vectors(_fix(statement.domain, values))
        found.update(zip(repeat(statement.name), vectors, strict=False))
    return found


def _vectors(domain: isl.Set) -> list[tuple[int, ...]]:
    """The coordinates of all points of a bounded set."""
    found: list[tuple[int, ...]] = []
    kind, places = isl.dim_type.set, range(domain.dim(isl.dim_type.set))

    def note(point: isl.Point) -> None:
        value = point.get_coordinate_val
        found.append(tuple([value(kind, i).get_num_si() for i in places]))

    domain.foreach_point(note)
    return found


def _fix(domain: isl.Set, values: Mapping[str, int]) -> isl.Set:
    for name, value in values.items():
        position = domain.find_dim_by_name(isl.dim_type.param, name)
        if position >= 0:
            domain = domain.fix_val(isl.dim_type.param, position, isl.Val(value))
    return domain


def compare(
    scop: Scop, dependences: isl.UnionMap, values: Mapping[str, int], executed: list[Instance]
) -> None:
    """Raise Mismatch unless the executed instances are the region's, in an order that is legal.

    A leaf whose text does not name all of its iterators is compared by those that it names.
    """
    wanted = instances(scop, values)
    shown = {s.name: _shown(s) for s in scop.statements}
    hidden = {s.name for s in scop.statements if len(shown[s.name]) < s.depth}
    expected = Counter((n, tuple(v[i] for i in shown[n])) for n, v in wanted)
    actual = Counter((n, tuple(v[i] for i in shown[n])) for n, v in executed)
    if expected != actual:
        missing, extra = sorted(expected - actual)[:3], sorted(actual - expected)[:3]
        raise Mismatch(f"instances differ for {dict(values)}: missing {missing}, extra {extra}")
    position = {instance: i for i, instance in enumerate(executed)}
    for source, target in _pairs(dependences, values, executed):
        if source[0] in hidden or target[0] in hidden:
            continue
        if position[source] >= position[target]:
            raise Mismatch(f"{source} has to run before {target} for {dict(values)}")


def _shown(statement: Statement) -> list[int]:
    return [i for i, v in enumerate(statement.iterators) if v.spelling in statement.uses]


def _too_many(scop: Scop, values: Mapping[str, int]) -> bool:
    """Whether constant bounds make the region too large to execute here."""
    counts = (_fix(s.domain, values).project_out_all_params() for s in scop.statements)
    return sum(c.count_val().to_python() for c in counts) > _INSTANCES


def _pairs(
    dependences: isl.UnionMap, values: Mapping[str, int], executed: list[Instance]
) -> list[tuple[Instance, Instance]]:
    """Dependent pairs of instances; of statements with very many, those of a few instances."""
    found: list[tuple[Instance, Instance]] = []
    counts = Counter(name for name, _ in executed)

    def note(item: isl.Map) -> None:
        left = item.get_tuple_name(isl.dim_type.in_)
        right = item.get_tuple_name(isl.dim_type.out)
        split = item.dim(isl.dim_type.in_)
        most = counts[left] * counts[right]
        if not most:
            return
        fixed = item
        for name, value in values.items():
            place = fixed.find_dim_by_name(isl.dim_type.param, name)
            if place >= 0:
                fixed = fixed.fix_val(isl.dim_type.param, place, isl.Val(value))
        if most > _COUNTED:
            few = fixed.intersect_domain(_some(left, split, executed))
            about = few.wrap().count_val().to_python() * counts[left] // _FEW
            if about > _COUNTED:
                fixed = few
        flat = fixed.wrap().flatten()
        if most <= _PAIRS or flat.count_val().to_python() <= _PAIRS:
            found.extend(((left, v[:split]), (right, v[split:])) for v in _vectors(flat))

    dependences.foreach_map(note)
    return found


def _some(name: str, depth: int, executed: list[Instance]) -> isl.Set:
    """A few instances of a statement, from the first to the last that ran."""
    of_it = [vector for other, vector in executed if other == name]
    chosen = {of_it[i * (len(of_it) - 1) // (_FEW - 1)] for i in range(_FEW)} if of_it else set()
    points = " or ".join(
        " and ".join(f"x{i} = {value}" for i, value in enumerate(vector)) for vector in chosen
    )
    names = ", ".join(f"x{i}" for i in range(depth))
    held = (points or "true") if of_it else "false"
    return isl.Set(f"{{ {name}[{names}] : {held} }}")


def check(scop: Scop, dependences: isl.UnionMap, known: isl.Set, block: Node,
          leaves: list[tuple[Span, str]], text: Callable[[Node], str],
          threads: str = "s2s_threads") -> None:  # fmt: skip
    """Execute the new code's loops for small sizes. Raises Mismatch.

    ``block`` is the code behind the region's guard; ``leaves`` are offsets in the parsed text;
    ``threads`` is the name of the number of threads.
    """
    spans = {span.start: (span.end, name) for span, name in leaves}
    iterators = {s.name: tuple(v.spelling for v in s.iterators) for s in scop.statements}
    for values in small_parameters(scop, known):
        if _too_many(scop, values):
            continue
        spelled = {p.spelling: values[p.name] for p in scop.parameters}
        spelled[threads] = _THREADS
        interpreter = Interpreter(text, spans, iterators, spelled)
        interpreter.run(block, {})
        compare(scop, dependences, values, interpreter.found)
