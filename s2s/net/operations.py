"""Operations on values, as text of Python expressions.

Where an operation could leave its type's range the result is ``loose``, equal to the right one
modulo two to the number of bits; ``wrapped`` is what nobody can tell from C's.
"""

from __future__ import annotations

from s2s.net.errors import NotExecuted
from s2s.net.shapes import INT, LONG, Shape, common, widened
from s2s.net.texts import Term, holds, number_in, scaled, width_of, wrap

_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
_LOOSE = frozenset({"+", "-", "*"})


class Operations:
    """What operators make of values; integers, pointers, vectors and numbers with fractions."""

    def wrapped(self, term: Term) -> str:
        return wrap(term.text, term.shape) if term.loose else term.text

    def convert(self, term: Term, to: Shape) -> str:
        source, text = term.shape, term.text
        if to.kind == "int":
            if source.kind == "float":
                return wrap(f"_int({text})", to) if not to.boolean else f"({text} != 0)"
            if to.boolean:
                return text if source.boolean else f"({self.wrapped(term)} != 0)"
            if source.kind == "pointer":
                return wrap(text, to)
            fits = to.least <= source.least and source.most <= to.most
            if not term.loose and (fits or holds(text, to)):
                return text
            narrow = to.size <= source.size
            return wrap(text if narrow else self.wrapped(term), to)
        if to.kind == "float":
            return self._number(term, to)
        if to.kind in ("pointer", "record", "union", "void"):
            return self.wrapped(term)
        if to.is_vector:
            return text if source.is_vector else f"({self.convert(term, to.target)},)*{to.count}"
        raise NotExecuted(f"a conversion to {to.kind}")

    def _number(self, term: Term, to: Shape) -> str:
        text = self.wrapped(term)
        if term.shape.kind != "float":
            literal = number_in(text)
            text = f"{float(literal)!r}" if literal is not None else f"float({text})"
            return text if to.size == 8 or literal is not None else f"_R({text}).value"
        if term.shape.size > to.size:
            return f"_R({text}).value"
        return text

    def operation(self, op: str, left: Term, right: Term) -> Term:
        """A binary operation on values."""
        if "pointer" in (left.shape.kind, right.shape.kind):
            return self._on_pointers(op, left, right)
        if left.shape.is_vector or right.shape.is_vector:
            return self._on_vectors(op, left, right)
        if op in ("<<", ">>"):
            return self._shift(op, left, right)
        shape = common(left.shape, right.shape)
        if op in _COMPARISONS:
            a, b = self.convert(left, shape), self.convert(right, shape)
            return Term(f"({a} {op} {b})", INT)
        if shape.kind == "float":
            return self._on_numbers(
                op, self.convert(left, shape), self.convert(right, shape), shape
            )
        if op in ("/", "%"):
            return self._divided(op, left, right, shape)
        a, b = self._ring(left, shape), self._ring(right, shape)
        if op in _LOOSE:
            return Term(f"({a}{op}{b})", shape, loose=True)
        if op in ("&", "|", "^"):
            return Term(f"({a} {op} {b})", shape, left.loose or right.loose or shape.size == 8)
        raise NotExecuted(f"'{op}'")

    def _ring(self, term: Term, shape: Shape) -> str:
        """Text of an operand where only its value modulo the type's range matters."""
        return term.text if term.shape == shape else self.convert(term, shape)

    def _divided(self, op: str, left: Term, right: Term, shape: Shape) -> Term:
        a, b = self.convert(left, shape), self.convert(right, shape)
        literal = number_in(b)
        if not shape.signed and literal:
            return Term(f"({a} {'//' if op == '/' else op} {b})", shape)
        return Term(f"{'_quo' if op == '/' else '_rem'}({a}, {b})", shape)

    def _on_numbers(self, op: str, left: str, right: str, shape: Shape) -> Term:
        if op == "/":
            text = f"_div({left}, {right})"
        elif op in _LOOSE:
            text = f"({left} {op} {right})"
        else:
            raise NotExecuted(f"'{op}' on numbers")
        return Term(f"_R({text}).value" if shape.size == 4 else text, shape)

    def _on_vectors(self, op: str, left: Term, right: Term) -> Term:
        """An operation on each pair of lanes; a scalar is the same in all of them."""
        shape = left.shape if left.shape.is_vector else right.shape
        a, b = self.convert(left, shape), self.convert(right, shape)
        element = shape.target
        if element.kind != "float":
            raise NotExecuted("a vector of integers")
        one = self._on_numbers(op, "x", "y", element).text
        return Term(f"tuple([{one} for x, y in zip({a}, {b})])", shape)

    def _shift(self, op: str, left: Term, right: Term) -> Term:
        shape = widened(left.shape)
        a, b = self.convert(left, shape), self.wrapped(right)
        if op == ">>":
            return Term(f"({a} >> {b})", shape)
        return Term(f"_shl({a}, {b})", shape, loose=True)

    def _on_pointers(self, op: str, left: Term, right: Term) -> Term:
        if op in _COMPARISONS:
            return Term(f"({self.wrapped(left)} {op} {self.wrapped(right)})", INT)
        if op == "-" and right.shape.kind == "pointer":
            difference = f"{left.text}-{right.text}"
            return Term(f"(({difference})//{width_of(left.shape)})", LONG)
        if left.shape.kind != "pointer":
            left, right = right, left
        if op not in ("+", "-") or right.shape.kind != "int":
            raise NotExecuted(f"'{op}' on pointers")
        return Term(f"({left.text}{op}{scaled(self.wrapped(right), left.shape)})", left.shape)
