"""What a directive says: the constructs that it combines, its clauses, its tags."""

from __future__ import annotations

import re
from itertools import takewhile

from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.openmp.constructs import CLAUSES
from s2s.frontends.openmp.directives import Directive, split_items
from s2s.source.records import dataclass

_CLAUSES = CLAUSES | frozenset(
    {"map", "device", "num_teams", "thread_limit", "dist_schedule", "is_device_ptr", "defaultmap",
     "use_device_ptr", "use_device_addr", "has_device_addr", "bind", "copyprivate", "copyin",
     "uniform", "nocontext", "compare", "fail", "weak"}
)  # fmt: skip
_ON_DEVICES = frozenset({"teams", "distribute", "parallel", "for", "simd", "loop"})
_OTHER_WORDS = {"masked": "master", "loop": "for", "do": "for"}


@dataclass(frozen=True)
class Part:
    """A construct: its directive, its statement, and the constructs in between."""

    directive: Directive
    node: Node
    rest: list[tuple[str, Directive]]

    def without(self, word: str) -> Part:
        """Without the next construct of a kind in between."""
        at = next(k for k, (w, _) in enumerate(self.rest) if w == word)
        return Part(self.directive, self.node, [*self.rest[:at], *self.rest[at + 1 :]])


def words_of(directive: Directive) -> list[str]:
    """The constructs that a directive combines; ``simd`` adds nothing to a loop shared out."""
    if directive.name == "target data":
        return ["data"]
    words = [*directive.name.split(), *_combined(directive)]
    words = [_OTHER_WORDS.get(word, word) for word in words]
    if "for" in words or "taskloop" in words or "distribute" in words:
        words = [w for w in words if w != "simd"]
    return words


def is_understood(directive: Directive) -> bool:
    """Whether nothing unknown decides what a construct does."""
    combined = _combined(directive)
    return all(c.name in _CLAUSES for c in directive.clauses[len(combined) :])


def _combined(directive: Directive) -> list[str]:
    """Constructs of a device directive that stand after the part which is its name."""
    if directive.name.split()[0] not in ("target", "teams", "distribute"):
        return []
    names = [clause.name for clause in directive.clauses]
    return list(takewhile(lambda name: name in _ON_DEVICES, names))


def named_in(node: Node) -> dict[str, Decl]:
    """The variables of around that a statement names."""
    return {
        d.name: d for d in node.decls
        if d is not None and d.kind in ("VAR_DECL", "PARM_DECL")
        and not (d.is_local and node.span.start <= d.offset < node.span.end)
    }  # fmt: skip


def never_parallel(directive: Directive) -> bool:
    """Whether a construct's condition is false."""
    return any(c.argument.split(":")[-1].strip() == "0" for c in directive.all("if"))


def makes_all_final(directive: Directive) -> bool:
    final = directive.clause("final")
    return final is not None and final.argument.strip() not in ("0", "")


def count_collapsed(directive: Directive) -> int:
    counts = [c.argument.strip() for c in directive.all("collapse", "ordered")]
    return max((int(text) for text in counts if text.isdigit()), default=1)


def tags_of(directive: Directive) -> tuple[tuple[object, str], ...]:
    """What depend clauses name: variables, or any memory."""
    found: list[tuple[object, str]] = []
    for clause in directive.all("depend"):
        for item in split_items(clause.argument.split(":", 1)[-1]):
            name = item.strip()
            plain = re.fullmatch(r"[A-Za-z_]\w*", name) and name != "omp_all_memory"
            found.append((name if plain else "?", clause.modifier()))
    return tuple(found)
