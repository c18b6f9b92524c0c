"""All edits of one parsed file: those of its regions, functions and sequences of statements."""

from __future__ import annotations

from dataclasses import field

from s2s.driver.options import Options
from s2s.driver.races import Told
from s2s.driver.regions import Regions
from s2s.driver.remarks import Remarks
from s2s.driver.text_passes import TextPasses
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.unit import Unit
from s2s.scop.allowance import Allowance
from s2s.source import Edit, work_done
from s2s.source.compiler import family
from s2s.source.flags import wants_known_counts
from s2s.source.records import dataclass

# Files with as many loops may be worth several processes.
_MANY = 24
_LOOPS = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT"})


@dataclass
class FileEdits:
    """Works through functions; ``remarks`` are filled by ``run``.

    ``races`` are those that were looked for meanwhile, if they were.
    """

    unit: Unit
    options: Options
    functions: list[Function]
    remarks: Remarks = field(init=False)
    races: Told | None = None

    def __post_init__(self) -> None:
        allowance = Allowance.of_seconds(self.options.budget)
        self.remarks = Remarks(self.unit, self.options, allowance)

    def run(self) -> list[Edit]:
        """The edits of all that was transformed, executed against the source's text."""
        regions = Regions(self.unit, self.options, self.remarks)
        texts = TextPasses(self.options, self.remarks)
        loops = sum(_weight(function.body) for function in self.functions)
        work_done.begin(loops)
        if loops < _MANY:
            return self._checked(regions, texts)
        from s2s.driver.ahead import working_ahead

        with working_ahead(regions, self.functions, texts.claims) as ahead:
            edits = self._checked(regions, texts)
            self.races = None if ahead is None else ahead.races
        return edits

    def _checked(self, regions: Regions, texts: TextPasses) -> list[Edit]:
        edits = self._made(regions, texts)
        if regions.adviser is not None:
            self.remarks.diagnostics += regions.adviser.unknown_sizes()
        edits = self._executed(edits, texts) if self.options.check else edits
        return self._finished(edits)

    def _made(self, regions: Regions, texts: TextPasses) -> list[Edit]:
        """The edits of functions, one after the other."""
        edits: list[Edit] = []
        for function in self._in_order():
            regions.claimed = texts.claims(function)
            edits += regions.edits(function.with_counted_whiles())
            edits += texts.edits(function, edits)
            edits += regions.sequences(function, [*edits, *texts.unread])
            edits += regions.remaining(function, edits, texts)
            if self.options.explain:
                self._explain(function)
            work_done.advance(_weight(function.body), inside=True)
        if self.options.schedule is not None:
            self.options.schedule.check_used()
        edits += texts.read_again(edits)
        if texts.searches and family(self.options.compiler) == "gcc":
            from s2s.rewriters.unroll_searches import unrolled

            for function in self.functions:
                edits += list(unrolled(function, texts.searches, edits))
        if edits:
            from s2s.rewriters.align_arrays import align_arrays

            for function in self.functions:
                edits = align_arrays(function, edits)
            edits = self._expecting(self._in_strips(self._outlined(edits)))
        return edits

    def _in_order(self) -> list[Function]:
        """The functions as they stand; where time is short, those with the deepest nests first."""
        if not self.options.budget:
            return self.functions
        return sorted(self.functions, key=lambda function: -_deepest(function.body))

    def _outlined(self, edits: list[Edit]) -> list[Edit]:
        """The edits with functions for what holds tiles in registers."""
        if self.unit.is_cxx or not any(b"vector_size" in e.text for e in edits):
            return edits
        from s2s.rewriters.outline_tiles import outline_tiles

        for function in self.functions:
            edits = outline_tiles(function, edits)
        return edits

    def _in_strips(self, edits: list[Edit]) -> list[Edit]:
        """The edits with strips where the compiler makes vectors of these alone."""
        if not wants_known_counts(self.unit.flags, self.options.compiler):
            return edits
        from s2s.rewriters.vector_pragmas import is_heard
        from s2s.rewriters.vector_strips import in_strips

        heard = self.options.hears_simd
        if is_heard(self.unit, parallel=self.options.parallel, heard=heard):
            return edits
        return in_strips(self.unit, edits)

    def _expecting(self, edits: list[Edit]) -> list[Edit]:
        """The edits with guards of which gcc knows what is likely."""
        if family(self.options.compiler) != "gcc":
            return edits
        from s2s.rewriters.expect_apart import expect_apart

        for function in self.functions:
            edits = expect_apart(function, edits)
        return edits

    def _finished(self, edits: list[Edit]) -> list[Edit]:
        """The edits with what changes nothing that is executed."""
        if not edits:
            return edits
        from s2s.rewriters.keep_out_of_line import keep_out_of_line
        from s2s.rewriters.mention_variables import mention_variables
        from s2s.rewriters.vector_pragmas import heard_pragmas

        for function in self.functions:
            edits = mention_variables(function, edits)
            edits = edits if self.unit.is_cxx else keep_out_of_line(function, edits)
        if family(self.options.compiler) != "gcc":
            return edits
        return heard_pragmas(
            self.unit, edits, parallel=self.options.parallel, heard=self.options.hears_simd
        )

    def _explain(self, function: Function) -> None:
        from s2s.driver.explain.cycles import cycles_of
        from s2s.driver.observation import observe

        observe(function, self.remarks)
        self.remarks.parts += cycles_of(function, self.options)

    def _executed(self, edits: list[Edit], texts: TextPasses) -> list[Edit]:
        """The edits without those that do not do what the source does."""
        if not edits:
            return edits
        from s2s.driver.crew import each_ahead
        from s2s.net.check import Net
        from s2s.rewriters.outline_tiles import used_tiles

        net = Net(
            self.unit, self.options.reassociate, self.options.strict, dead=texts.dead,
            several=each_ahead,
        )  # fmt: skip
        for failure in list(net.failures(edits)):
            edits = [e for e in edits if e not in failure.edits]
            edits = used_tiles(edits)
            self.remarks.withdraw(failure.where)
            self.remarks.failed(failure.where, failure.problem)
        return edits


def _weight(node: Node) -> int:
    """How many loops a function has, for how long it takes."""
    if _LOOPS.isdisjoint(node.kinds):
        return 0
    return node.is_loop + sum(map(_weight, node.children))


def _deepest(node: Node) -> int:
    """How many loops stand in each other below a node, at most."""
    if _LOOPS.isdisjoint(node.kinds):
        return 0
    return node.is_loop + max((_deepest(child) for child in node.children), default=0)
