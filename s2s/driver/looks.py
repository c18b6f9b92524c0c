"""What loops show of themselves: their text, then their syntax, both cheaper than lifting.

Which of it makes a loop worth lifting is said by the passes that are asked (``looks_for``). What is
left out here is not lifted, so it has no remark; ``s2s explain`` looks at every region.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from s2s.driver import passes
from s2s.frontends.c import sketch
from s2s.frontends.c.looping_names import calls_looping, calls_rooted, names_defined_in
from s2s.frontends.c.macro_words import TooManyWordsError, loops_with, words_of
from s2s.frontends.c.own_headers import NotFoundError, OwnHeaders
from s2s.frontends.c.place_words import may_touch_many
from s2s.frontends.c.text import directives
from s2s.transforms.scop_pass import Form, Look

if TYPE_CHECKING:
    from s2s.frontends.c.regions import Attempt
    from s2s.frontends.c.syntax import Node

# A pragma but those after which a file is what it is without them.
_PRAGMA = re.compile(
    rb"pragma(?![ \t]+(?:once|message|pack|weak|warning|error|comment|STDC|GCC|clang)\b)"
)
_IN_TEXT: dict[Look, Callable[[sketch.LoopWords], bool]] = {
    Look.NEST: sketch.is_nest,
    Look.ROWS: sketch.is_nest,
    Look.INNERMOST: sketch.may_gain,
    Look.PLACES: may_touch_many,
    Look.DIVISION: sketch.divides_counter,
    Look.REMAINDER: sketch.takes_remainders,
    Look.WALK: sketch.may_walk,
    Look.COPY: sketch.is_copy,
    Look.MEMBERS: sketch.has_members,
    Look.ROOTS: sketch.has_roots,
    Look.LOOP: lambda loop: loop.keyword == "for",
    Look.OUTER: sketch.is_outer,
}


def wanted(specs: Sequence[str], *, parallel: bool = False) -> Callable[[sketch.LoopWords], bool]:
    """Which loops in a function's text make it worth looking at its syntax.

    No default pass is loaded before a loop shows something that default passes look for.
    ``parallel``: parallel loops are to be added.
    """
    default = all(passes.name_of(spec) in passes.DEFAULT for spec in specs)
    among = passes.DEFAULT_LOOKS | ({Look.LOOP, Look.OUTER} if parallel else frozenset())
    known = [look for look in Look if not default or look in among]

    def is_wanted(loop: sketch.LoopWords) -> bool:
        shown = {look for look in known if _IN_TEXT[look](loop)}
        return bool(shown) and not shown.isdisjoint(_looks_for(specs, parallel=parallel))

    return is_wanted


def _looks_for(specs: Sequence[str], *, parallel: bool) -> frozenset[Look]:
    adding = passes.of_form(specs, Form.REST) if parallel else ()
    return passes.looks_for(specs) | passes.looks_for(adding)


def find_looked_at(path: str, flags: Sequence[str], *, parallel: bool = False) -> list[str] | None:
    """A file and its own headers, whose words show nothing that default passes look at.

    None where they may show something. ``parallel`` is as in ``wanted``.
    """
    try:
        with open(path, "rb") as stream:
            text = stream.read()
    except OSError:
        return None
    headers = None
    with suppress(NotFoundError):
        headers = OwnHeaders(path, text, flags).find()
    if may_change(text, headers, parallel=parallel):
        return None
    return [path, *(headers.texts if headers else ())]


def read_ahead(path: str, flags: Sequence[str]) -> None:
    """Keep in memory what each look at a file reads of its own headers, for files that follow."""
    with suppress(OSError, NotFoundError):
        with open(path, "rb") as stream:
            headers = OwnHeaders(path, stream.read(), flags).find()
        for text in headers.texts.values():
            directives(text)
            names_defined_in(text)


def may_change(text: bytes, headers: OwnHeaders | None, *, parallel: bool = False) -> bool:
    """Whether a file has directives, or a loop that default passes look at, by its words.

    Macros are expanded where the ``headers`` are known; elsewhere their uses may be anything.
    ``parallel`` is as in ``wanted``.
    """
    if _PRAGMA.search(text):
        return True
    words = words_of(text.decode("latin-1"))
    is_wanted = wanted(tuple(passes.DEFAULT), parallel=parallel)
    if headers is None:
        every = sketch.loops(sketch.without_single_trips(words))
        return any(is_wanted(loop) or sketch.may_hide(loop) for loop in every)
    try:
        loops = list(loops_with(words, headers.macros.needed(words)))
    except TooManyWordsError:
        return True
    if any(map(is_wanted, loops)):
        return True
    calling = [loop for loop in loops if sketch.may_inline(loop)]
    if not calling:
        return False
    return calls_rooted(calling, text) or calls_looping(
        calling, words, [*headers.texts.values()], text
    )


def shown(attempt: Attempt, asked: frozenset[Look]) -> frozenset[Look]:
    """What is asked for and a region's syntax shows; sequences that copy are no regions."""
    from s2s.driver.member_look import stores_beside_members
    from s2s.driver.nest_look import may_gain_from_order
    from s2s.driver.row_look import shares_narrow_rows
    from s2s.frontends.c.place_look import touches_many
    from s2s.frontends.c.prepare import divides_counter, takes_remainders
    from s2s.frontends.c.vector_look import is_vector_loop

    looks: dict[Look, Callable[[Attempt], bool]] = {
        Look.NEST: may_gain_from_order,
        Look.ROWS: shares_narrow_rows,
        Look.INNERMOST: is_vector_loop,
        Look.PLACES: touches_many,
        Look.DIVISION: lambda attempt: divides_counter(attempt.statements[0]),
        Look.REMAINDER: lambda attempt: takes_remainders(attempt.statements[0]),
        Look.MEMBERS: stores_beside_members,
        Look.LOOP: lambda attempt: attempt.statements[0].kind == "FOR_STMT",
        Look.OUTER: lambda attempt: _is_outer(attempt.statements[0]),
    }
    return frozenset(look for look, shows in looks.items() if look in asked and shows(attempt))


def _is_outer(node: Node) -> bool:
    """Whether a statement is a loop that does more in an iteration than a few operations."""
    return node.kind == "FOR_STMT" and any(
        inner.is_loop or inner.kind == "CALL_EXPR"
        for child in node.children for inner in child.walk()
    )  # fmt: skip


def is_shown_inside(attempt: Attempt, asked: frozenset[Look]) -> bool:
    """Whether loops inside a region show what is asked for as regions by themselves."""
    from s2s.frontends.c.place_look import has_loops_that_touch_many
    from s2s.frontends.c.vector_look import has_vector_loops

    if Look.LOOP in asked and any(
        n.kind == "FOR_STMT" for s in attempt.statements for c in s.children for n in c.walk()
    ):
        return True
    inside = (n for s in attempt.statements for c in s.children for n in c.walk())
    if Look.PLACES in asked and has_loops_that_touch_many(attempt):
        return True
    if Look.OUTER in asked and any(map(_is_outer, inside)):
        return True
    return Look.INNERMOST in asked and has_vector_loops(attempt)
