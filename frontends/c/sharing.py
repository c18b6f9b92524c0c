"""Data-sharing: which variables a piece of code shares with other threads and tasks.

The rules are those of OpenMP's data-sharing attributes: clauses first, then what is predetermined
(declared inside a construct, threadprivate), then what a task makes firstprivate by default.
"""

from __future__ import annotations

from collections.abc import Sequence

from s2s.frontends.c.raw import RawConstruct
from s2s.frontends.c.syntax import Decl
from s2s.frontends.openmp.directives import Directive
from s2s.scop.nodes import TASKS, Kind
from s2s.source import Span
from s2s.source.records import dataclass

_PRIVATE = ("private", "firstprivate", "lastprivate", "linear", "reduction", "in_reduction",
            "task_reduction")  # fmt: skip


@dataclass(frozen=True)
class Sharing:
    """Answers for one region; ``loops`` are the places of its loops in the text."""

    directives: Sequence[Directive]
    loops: Sequence[Span]

    def is_shared(self, decl: Decl, around: Sequence[RawConstruct]) -> bool:
        """Whether code below these constructs may share a variable with other threads or tasks.

        A variable that is shared between the tasks of one iteration only counts as private: its
        copies in other iterations are other variables.
        """
        if self._is_threadprivate(decl):
            return False
        everywhere = decl.is_global or decl.is_static
        in_team = any(c.kind is Kind.PARALLEL for c in around)
        if around and not (in_team or everywhere or self._has_tasks):
            return False  # each thread of the caller's team has run into the function by itself
        private = False
        own = False
        for construct in around:
            directive = construct.directive
            if not everywhere and _inside(construct.span, decl):
                private = own = True
            elif decl.name in directive.listed(*_PRIVATE):
                private, own = True, construct.kind not in TASKS
            elif construct.kind in TASKS:
                alone = private or (not in_team and not everywhere)
                if decl.name in directive.listed("shared"):
                    private = own and self._in_loop(decl)
                elif _default(directive) == "firstprivate" or (alone and not _default(directive)):
                    private = True
        return not private

    def is_own_pointer(self, decl: Decl, around: Sequence[RawConstruct]) -> bool:
        """Whether a pointer may have another value in each thread, task or iteration."""
        names = [c.directive.listed("private", "lastprivate", "linear") for c in around]
        listed = any(decl.name in found for found in names)
        return listed or any(_inside(c.span, decl) for c in around) or self._in_loop(decl)

    def _in_loop(self, decl: Decl) -> bool:
        return any(_inside(span, decl) for span in self.loops)

    @property
    def _has_tasks(self) -> bool:
        return any(d.name.startswith("task") for d in self.directives)

    def _is_threadprivate(self, decl: Decl) -> bool:
        return decl.name in _threadprivate(self.directives)


def _threadprivate(directives: Sequence[Directive]) -> set[str]:
    found = [c for d in directives if d.name == "threadprivate" for c in d.clauses]
    return {name for clause in found for name in clause.names()}


def _inside(span: Span, decl: Decl) -> bool:
    return decl.in_file and span.start <= decl.offset < span.end


def _default(directive: Directive) -> str:
    clause = directive.clause("default")
    return "" if clause is None or clause.argument == "none" else clause.argument
