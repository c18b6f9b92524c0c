"""The forms of a region in which passes are asked about it.

Each of them computes the same and has dependences of its own. A form is made when it is asked for:
most regions need only the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from s2s.analyses.region import Analysis, analyse
from s2s.driver import passes
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Attempt
from s2s.scop.nodes import Loop, Scop, walk
from s2s.source.records import dataclass
from s2s.transforms.assume import assume_rows_apart
from s2s.transforms.contract import contract_all
from s2s.transforms.errors import NotApplicable
from s2s.transforms.localize import localize
from s2s.transforms.repeats import drop_repeats
from s2s.transforms.scop_pass import Form, Look, ScopPass


@dataclass(frozen=True)
class Forms:
    """The forms of one region, whose syntax shows ``seen``; ``explicit`` as in ``analyse``."""

    attempt: Attempt
    seen: frozenset[Look]
    explicit: bool

    @property
    def alone(self) -> bool:
        """Whether the region is an innermost loop that compilers leave scalar, or slow vectors."""
        return Look.INNERMOST in self.seen

    def first(self) -> Analysis:
        """The form that all regions have. Raises NotLiftable."""
        return analyse(self.attempt.scop(separate=self.alone), explicit=self.explicit)

    def all(
        self, first: Analysis, specs: Sequence[str]
    ) -> Iterator[tuple[Analysis, tuple[str, ...]]]:
        """The forms with the passes that take them so.

        A loop ``alone`` is first there with every statement for itself, at last with statements
        merged that share a private scalar. A nest is there for passes on loops when nothing else
        has made another one of it.
        """
        regions = passes.of_form(specs, Form.REGION, Form.REST)
        separate = passes.of_form(specs, Form.SEPARATE)
        loops = passes.of_form(specs, Form.LOOPS)
        if self.alone:
            yield first, separate
            # What other forms are kept for is told apart by the object.
            same = self.attempt.unmerged
            merged = replace(first) if same else self._lifted(separate=False)
            if merged is not None:
                yield merged, (*filter(self._is_looked_for, regions), *loops)
                if any(s.locals for s in merged.scop.statements):
                    yield merged, separate
            return
        if regions:
            yield first, regions
            for form in self.others(first.scop):
                yield form, regions
        yield first, loops
        separate = _taking(first.scop, separate)
        # Constructs keep their places in passes on separate statements.
        if not separate or self.attempt.directives:
            return
        with suppress(NotLiftable):
            apart = self.attempt.again().scop(separate=True)
            separate = _taking(apart, separate)  # what was one statement may have loops
            if separate:
                yield analyse(apart, explicit=self.explicit), separate

    def _is_looked_for(self, spec: str) -> bool:
        return not passes.known_of(spec)[1].isdisjoint(self.seen)

    def separate(self) -> Analysis | None:
        """The region with every statement for itself; None where that has no form."""
        return self._lifted(separate=True)

    def lifted(self, separate: bool) -> Analysis:
        """The region with each statement for itself, or not. Raises NotLiftable."""
        scop = self.attempt.again().scop(separate=separate)
        return analyse(scop, explicit=self.explicit)

    def _lifted(self, *, separate: bool) -> Analysis | None:
        try:
            return self.lifted(separate)
        except NotLiftable:
            return None

    def others(self, merged: Scop) -> Iterator[Analysis]:
        """Further forms of a region of which ``merged`` is the first.

        Private scalars in elements or arrays; statements guarded by conditions on data; repeated
        sweeps left out; elements in locals.
        """
        attempt, explicit = self.attempt, self.explicit
        if any(s.opaque for s in merged.statements):
            with suppress(NotLiftable):
                apart = contract_all(attempt.again().scop(apart=True))
                yield analyse(apart, explicit=explicit)
        if attempt.lifter.guardable:
            with suppress(NotLiftable):
                yield analyse(attempt.again(guarding=True).scop(), explicit=explicit)
        if max(s.depth for s in merged.statements) > 1:
            source = attempt.function.unit.buffer.text
            for change in (drop_repeats, partial(localize, source=source)):
                changed = _changed(merged, change)
                if changed is not None:
                    yield analyse(changed, explicit=explicit)


def _taking(scop: Scop, specs: Sequence[str]) -> tuple[str, ...]:
    """The passes that have a use for a region, by the number of its loops."""
    nest = sum(isinstance(n, Loop) for n in walk(scop.tree)) > 1
    return tuple(s for s in specs if not (nest and _takes_one_loop(s)))


def _takes_one_loop(spec: str) -> bool:
    """Whether a pass has no use for nests."""
    kind = passes.find(passes.name_of(spec))
    return issubclass(kind, ScopPass) and kind.one_loop


def _changed(scop: Scop, change: Callable[[Scop], Scop]) -> Scop | None:
    """A region changed in a way that needs no schedule, with arrays taken for disjoint if that is
    what it takes; None where it cannot be changed.
    """
    with suppress(NotApplicable):
        return change(scop)
    with suppress(NotApplicable):
        return change(assume_rows_apart(scop))
    return None
