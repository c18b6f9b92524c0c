"""Values of variables that the two sides of an ``if`` set, followed beyond it.

After ``if (y < 0) y = 0;`` the value of ``y`` is a maximum of zero and what it was.
"""

from __future__ import annotations

from s2s.frontends.c.affine import Affine
from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.syntax import Decl, Node
from s2s.scop.polynomial import Polynomial


class SideValues:
    """What is known of the variables that an ``if`` sets: before it, and after each of its sides.

    To be made before the sides are read. ``begin`` and ``end`` are called around each of them.
    """

    def __init__(self, affine: Affine, node: Node, context: Context) -> None:
        self._affine = affine
        self._set = node.assigned
        self._condition = affine.condition(node.children[0], context) if self._set else None
        self._before = self._known()
        self._after: list[dict[Decl, Polynomial]] = []

    def _known(self) -> dict[Decl, Polynomial]:
        values = self._affine.values
        return {decl: values[decl] for decl in self._set if decl in values}

    def begin(self) -> None:
        """A side starts with what was known before the ``if``."""
        self._affine.values.update(self._before)

    def end(self) -> None:
        """A side is over: what it leaves does not hold for the other one."""
        self._after.append(self._known())
        for decl in self._set:
            self._affine.values.pop(decl, None)

    def join(self) -> None:
        """Both sides are over: what is chosen from known values is known."""
        then, otherwise = (*self._after, self._before)[:2]
        if self._condition is None:
            return
        for decl in then.keys() & otherwise.keys():
            value = self._affine.chosen.choose(self._condition, then[decl], otherwise[decl])
            if value is not None:
                self._affine.values[decl] = value
