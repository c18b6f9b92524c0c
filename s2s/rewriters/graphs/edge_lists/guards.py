"""Conditions in one form, so that equal ones are the same."""

from __future__ import annotations

from s2s.rewriters.graphs.edge_lists.contents import Guards
from s2s.rewriters.graphs.edge_lists.terms import Lin, Op, Value, of

_NONE: Guards = frozenset()


def guard(value: Value) -> tuple[Guards, Guards]:
    """What is known where a condition holds, and where it does not."""
    if not isinstance(value, Lin):
        return _NONE, _NONE
    atom = value.atom
    if isinstance(atom, Op) and len(atom.args) == 2:
        left, right = atom.args
        if atom.name == "&&":
            (one, _), (other, _) = guard(left), guard(right)
            return one | other, frozenset({(value, False)})
        if atom.name == "||":
            (_, one), (_, other) = guard(left), guard(right)
            return frozenset({(value, True)}), one | other
    if (isinstance(atom, Op) and atom.name == "!") or (
        isinstance(atom, Op) and isinstance(atom.name, tuple) and atom.name[0] == "!"
    ):
        yes, no = guard(atom.args[0])
        return no, yes
    form, holds = _plain(value)
    return frozenset({(form, holds)}), frozenset({(form, not holds)})


def _plain(value: Lin) -> tuple[Lin, bool]:
    """A comparison by ``==`` or ``<``, and whether it has to hold."""
    atom = value.atom
    if not isinstance(atom, Op) or not isinstance(atom.name, tuple) or len(atom.args) != 2:
        return value, True
    left, right = atom.args
    name, rest = atom.name[0], atom.name[1:]
    if name in ("==", "!="):
        first, second = sorted((left, right), key=repr)
        return of(Op(("==", *rest), (first, second))), name == "=="
    if name in ("<", ">="):
        return of(Op(("<", *rest), (left, right))), name == "<"
    if name in (">", "<="):
        return of(Op(("<", *rest), (right, left))), name == ">"
    return value, True
