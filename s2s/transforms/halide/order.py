"""In which order Funcs are realized, and which of them share loops (compute_with).

A Func comes after those that it calls. What is called by several, or shares loops, comes in the
order of the names without their numbers, then in the order of the text, so that the same program
gives the same nest whatever was made before it.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import NoReturn

from s2s.scop.errors import Illegal
from s2s.source.records import dataclass
from s2s.transforms.halide.environment import Environment, calls_in_order, reach_funcs
from s2s.transforms.halide.sharing import Pairs, check_pairs, shared_loops, shared_stages


@dataclass
class _Graph:
    """Which node needs which; nodes are Funcs and groups (``_fg0``) of Funcs that share loops."""

    needs: dict[str, list[str]]
    groups: dict[str, list[str]]
    funcs: Environment
    finished: list[str] = field(default_factory=list)
    _open: dict[str, bool] = field(default_factory=dict)

    def visit(self, node: str) -> None:
        """Append what a node needs, then the node, to ``finished``.

        Raises Illegal where a node needs itself: Funcs that share loops call each other through
        a third one, or share them in a circle.
        """
        stack: list[tuple[str, bool]] = [(node, False)]
        while stack:
            current, ready = stack.pop()
            if ready:
                self.finished.append(current)
                self._open[current] = False
            elif current not in self._open:
                self._open[current] = True
                stack.append((current, True))
                stack.extend((n, False) for n in reversed(self.needs.get(current, [])))
            elif self._open[current]:
                self._refuse_circle()

    def _refuse_circle(self) -> NoReturn:
        """The Funcs that are begun and not finished wait for each other."""
        waiting = [n for n, is_open in self._open.items() if is_open and n in self.funcs]
        levels = [level for n in waiting for _, level in shared_stages(self.funcs[n])]
        names = ", ".join(waiting)
        at = levels[0].at if levels else None
        raise Illegal(f"compute_with: {names} need each other in a circle", at)


def realization_groups(outputs: list[str], funcs: Environment) -> tuple[list[list[str]], Pairs]:
    """The Funcs in the order of their realization, those that share loops together.

    The last of a group owns the loops. Raises Illegal for a compute_with that has no order.
    """
    pairs = shared_loops(funcs)
    check_pairs(pairs, funcs)
    groups = _connected(funcs, pairs)
    group_of = {member: name for name, members in groups.items() for member in members}
    needs: dict[str, list[str]] = {}
    for parent, _, child, _, _ in pairs:
        needs.setdefault(parent, []).append(child)
    for name in funcs:
        group = group_of[name]
        needs.setdefault(name, []).append(group)
        known = needs.setdefault(group, [])
        known += [c for c in calls_in_order(funcs[name], funcs) if c != name and c not in known]
    position = {name: i for i, name in enumerate(reach_funcs(outputs, funcs, wrappers=True))}
    for below in needs.values():
        below.sort(key=lambda n: (_stem(n), position.get(n, 0), n))
    graph = _Graph(needs, groups, funcs)
    for output in outputs:
        graph.visit(output)
    place = {name: i for i, name in enumerate(graph.finished)}
    ordered = [groups[n] for n in graph.finished if n in groups]
    return [sorted(group, key=lambda n: place.get(n, len(place))) for group in ordered], pairs


def _stem(name: str) -> str:
    """A name without the number that makes it unique."""
    return re.sub(r"[0-9]+$", "", name.split("$", 1)[0])


def _connected(funcs: Environment, pairs: Pairs) -> dict[str, list[str]]:
    """Groups of Funcs that share loops, directly or through others; most have one member."""
    beside: dict[str, set[str]] = {name: set() for name in funcs}
    for parent, _, child, _, _ in pairs:
        beside[parent].add(child)
        beside[child].add(parent)
    groups: dict[str, list[str]] = {}
    seen: set[str] = set()
    for name in funcs:
        if name in seen:
            continue
        group, stack = [], [name]
        while stack:
            current = stack.pop()
            if current not in seen:
                seen.add(current)
                group.append(current)
                stack += sorted(beside[current], reverse=True)
        groups[f"_fg{len(groups)}"] = group
    return groups
