"""Whether the guard of new code lets in nothing but the parameters that the code was made for.

The condition is read from the emitted text as a set of parameters. What is not affine in it
(addresses, floating point) is taken to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import islpy as isl

from s2s.frontends.c.syntax import Node
from s2s.net import Mismatch
from s2s.net.arithmetic import NoValue
from s2s.source.records import dataclass

_SETS = {"<": "lt_set", "<=": "le_set", ">": "gt_set", ">=": "ge_set", "==": "eq_set",
         "!=": "ne_set"}  # fmt: skip
_CASTS = frozenset({"IMPLICIT_CAST", "CSTYLE_CAST_EXPR"})
_THREADS = "_threads"  # no parameter begins so


@dataclass(frozen=True)
class GuardReader:
    """``names`` are isl's names of parameters by C text, ``inside`` the variables declared before.

    ``threads`` is what the number of threads is called.
    """

    names: Mapping[str, str]
    text: Callable[[Node], str]
    threads: str
    inside: Mapping[str, Node]

    def holds(self, node: Node) -> isl.Set:
        """Parameters for which a condition may hold."""
        node = node.uncast
        if node.kind == "DECL_REF_EXPR" and node.name in self.inside:
            return self.holds(self.inside[node.name])
        if node.kind == "BINARY_OPERATOR" and node.op in ("&&", "||"):
            left, right = (self.holds(child).align_params(self._space) for child in node.children)
            return left.intersect(right) if node.op == "&&" else left.union(right)
        if node.kind == "BINARY_OPERATOR" and node.op in _SETS:
            try:
                return self._compared(node)
            except NoValue:
                return isl.Set.universe(self._space)
        if node.value is not None:
            return isl.Set.universe(self._space) if node.value else isl.Set.empty(self._space)
        return isl.Set.universe(self._space)

    @property
    def _space(self) -> isl.Space:
        return isl.Set(f"[{', '.join([*self.names.values(), _THREADS])}] -> {{ : }}").get_space()

    def _affine(self, node: Node) -> isl.PwAff:
        """The value over the parameters. Raises NoValue."""
        if node.value is not None and node.kind != "DECL_REF_EXPR":
            return self._expression(str(node.value))
        spelled = node.name if node.kind == "DECL_REF_EXPR" else self.text(node)
        name = _THREADS if spelled == self.threads else self.names.get(spelled)
        if name is not None:
            return self._expression(name)
        if node.kind in _CASTS and node.type.kind == "int":
            return self._affine(node.children[-1])
        if node.kind == "UNARY_OPERATOR" and node.op == "-":
            return self._affine(node.children[0]).neg()
        if node.kind == "CONDITIONAL_OPERATOR":
            condition, then, other = node.children
            held = self._exactly(condition)
            return isl.PwAff.cond(held, self._affine(then), self._affine(other))
        if node.kind == "BINARY_OPERATOR":
            return self._binary(node.op, *map(self._affine, node.children))
        raise NoValue(f"'{spelled}' is not affine")

    def _exactly(self, condition: Node) -> isl.PwAff:
        if condition.kind != "BINARY_OPERATOR" or condition.op not in _SETS:
            raise NoValue("a condition of several parts")
        return self._compared(condition).indicator_function()

    def _compared(self, node: Node) -> isl.Set:
        """Where a comparison holds. Raises NoValue."""
        first, second = (self._affine(child) for child in node.children)
        found: isl.Set = getattr(first, _SETS[node.op])(second)
        return found

    def _expression(self, text: str) -> isl.PwAff:
        header = ", ".join([*self.names.values(), _THREADS])
        return isl.PwAff(f"[{header}] -> {{ [{text}] }}")

    @staticmethod
    def _binary(op: str, left: isl.PwAff, right: isl.PwAff) -> isl.PwAff:
        if op == "+":
            return left.add(right)
        if op == "-":
            return left.sub(right)
        if op == "*" and (left.is_cst() or right.is_cst()):
            return left.mul(right)
        if op in ("/", "%") and right.is_cst():
            return left.tdiv_q(right) if op == "/" else left.tdiv_r(right)
        raise NoValue(f"'{op}' is not affine")


def check_guard(reader: GuardReader, guard: Node | None, known: isl.Set, context: isl.Set) -> None:
    """Raise Mismatch where a guard may let in parameters that are not ``known`` to be right."""
    if guard is None:
        let_in = context
    else:
        held = reader.holds(guard)
        place = held.find_dim_by_name(isl.dim_type.param, _THREADS)
        if place >= 0:
            held = held.project_out(isl.dim_type.param, place, 1)
        let_in = held.intersect(context)
    if not let_in.is_subset(known):
        where = let_in.subtract(known).coalesce()
        raise Mismatch(f"the new code is not for all parameters of its guard: {where}")
