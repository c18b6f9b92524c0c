"""The steps of a given schedule, applied one after the other to a region's tree of loops."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from s2s.driver.given_schedule import is_named
from s2s.driver.results import Loop, Statement
from s2s.source.located_json import Value
from s2s.source.records import dataclass
from s2s.source.spelling import did_you_mean
from s2s.transforms import steps
from s2s.transforms.loop_tree import Band, Tree, bands, statements

_KEYS = {
    "interchange": ("loops",),
    "tile": ("loops", "sizes"),
    "fuse": ("loops",),
    "distribute": ("loop", "before"),
    "skew": ("loop", "by", "factor"),
    "reverse": ("loop",),
    "shift": ("loop", "by", "statement"),
    "parallel": ("loop",),
    "vectorize": ("loop",),
    "unroll-jam": ("loop", "factor"),
}
_OPTIONAL = frozenset({"statement", "factor"})


@dataclass(frozen=True)
class Names:
    """What the loops and statements of a region are called."""

    loops: Mapping[str, Loop]
    statements: Mapping[str, Statement]

    def loop(self, tree: Tree, value: Value) -> Band:
        """The loop that a text names: its id, ``file:line``, or a variable of one loop only.

        Raises UserError.
        """
        given = value.text()
        known = {band.name: band for band in bands(tree)}
        if given in known:
            return known[given]
        found = [
            name for name in known
            if name in self.loops and is_named(given, name, self.loops[name].at)
        ]  # fmt: skip
        found = found or [n for n in known if _short(n).endswith(f"/{given}")]
        if len(found) == 1:
            return known[found[0]]
        if found:
            raise value.wrong(f"'{given}' may be {' or '.join(found)}")
        there = [*known, *(loop.place for loop in self.loops.values() if loop.id in known)]
        raise value.wrong(f"no loop is named '{given}'{did_you_mean(given, there)}")

    def statement(self, tree: Tree, value: Value) -> str:
        """The name in the SCoP of a statement, or of the first one of a loop. Raises UserError."""
        given = value.text()
        for name, known in self.statements.items():
            if given == name or is_named(given, known.id, known.at):
                return name
        for band in bands(tree):
            known_loop = self.loops.get(band.name)
            if given == band.name or (known_loop and is_named(given, band.name, known_loop.at)):
                return statements(band)[0]
        there = [n for s in self.statements.values() for n in (s.id, s.place)]
        there += [band.name for band in bands(tree)]
        raise value.wrong(f"no statement is named '{given}'{did_you_mean(given, there)}")


def _short(name: str) -> str:
    """An id without the number that tells loops over one variable apart."""
    return re.sub(r"#\d+$", "", name)


def apply_step(tree: Tree, step: Value, names: Names) -> tuple[Tree, str]:
    """A tree after one step, and what was done in words. Raises UserError at the step's place."""
    kind, members = _kind(step)
    word = _words(kind, members)

    def loops() -> list[Band]:
        found = [names.loop(tree, value) for value in members["loops"].items()]
        if len({band.name for band in found}) != len(found):
            raise members["loops"].wrong("a loop is there twice")
        return found

    def loop(key: str = "loop") -> Band:
        return names.loop(tree, members[key])

    def pair() -> tuple[Band, Band]:
        found = loops()
        if len(found) != 2:
            raise members["loops"].wrong(f"'{kind}' is about two loops")
        return found[0], found[1]

    def number(key: str, default: int = 1) -> int:
        return members[key].number() if key in members else default

    def only() -> str | None:
        return names.statement(tree, members["statement"]) if "statement" in members else None

    ways: dict[str, Callable[[], Tree]] = {
        "interchange": lambda: steps.interchange(tree, *pair()),
        "tile": lambda: steps.tile(tree, loops(), [v.number() for v in members["sizes"].items()]),
        "fuse": lambda: steps.fuse(tree, *pair()),
        "distribute": lambda: steps.distribute(
            tree, loop(), names.statement(tree, members["before"])
        ),
        "skew": lambda: steps.skew(tree, loop(), loop("by"), number("factor")),
        "reverse": lambda: steps.reverse(tree, loop()),
        "shift": lambda: steps.shift(tree, loop(), number("by"), only()),
        "parallel": lambda: steps.parallel(tree, loop()),
        "vectorize": lambda: steps.vectorize(tree, loop()),
        "unroll-jam": lambda: steps.unroll_jam(tree, loop(), number("factor", 4)),
    }
    try:
        return ways[kind](), word
    except steps.Impossible as problem:
        raise step.wrong(f"'{kind}' is not possible: {problem}") from None


def _kind(step: Value) -> tuple[str, dict[str, Value]]:
    """The step's name and its arguments: ``{"step": "tile", "loops": [...], "sizes": [...]}``."""
    if not isinstance(step.value, dict) or "step" not in step.value:
        raise step.wrong('a step is expected: {"step": "tile", "loops": [...], "sizes": [...]}')
    name = step.value["step"]
    if name.text() not in _KEYS:
        raise name.wrong(f"no step is named '{name.value}'{did_you_mean(name.value, _KEYS)}")
    keys = _KEYS[name.value]
    members = step.members(("step", *keys))
    for key in keys:
        if key not in members and key not in _OPTIONAL:
            raise step.wrong(f"'{name.value}' needs '{key}'")
    return name.value, members


def _words(kind: str, members: Mapping[str, Value]) -> str:
    """A step in words for a remark and for the comment in the new code."""
    named = [v for key in ("loop", "loops") if key in members for v in members[key].texts()]
    short = " and ".join(f"'{name.rpartition('/')[2]}'" for name in named)
    sizes = "x".join(str(v.plain()) for v in members["sizes"].items()) if "sizes" in members else ""
    done = {
        "interchange": f"interchanged {short}",
        "tile": f"tiled {short} {sizes}",
        "fuse": f"fused {short}",
        "distribute": f"distributed {short}",
        "skew": f"skewed {short}",
        "reverse": f"reversed {short}",
        "shift": f"shifted statements of {short}",
        "parallel": f"{short} in parallel",
        "vectorize": f"{short} in vectors",
        "unroll-jam": f"unrolled and jammed {short}",
    }
    return done[kind]
