"""Loops in the text of a function: a look that is cheaper than converting its syntax.

Most functions have no nest of loops, and most of their loops are such that compilers make vectors
of them without help. The words of the text decide here what ``vector_look`` would say of the
syntax; where they do not tell, a loop counts as one that may gain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from s2s.frontends.c.mathematical import is_mathematical
from s2s.source.records import dataclass

LOOPS = frozenset({"for", "while", "do"})
CHOICES = frozenset({"if", "?", "switch", "break", "continue", "goto", "return"})
# Functions of the library that are an instruction where ``errno`` is left alone.
ROOTS = frozenset({"sqrt", "sqrtf"})
COMPARISONS = frozenset({"<", "<=", ">", ">=", "!="})
_BEFORE_STATEMENTS = frozenset({";", "{", "}", ":"})
# Words of a step, at most: ``i = n->step + i``.
_STEP = 9
_STEPS = frozenset({"++", "--", "+=", "-="})
_COUNTS = frozenset({"++", "--"})
_ASSIGNMENTS = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="])
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_DIVISIONS = frozenset({"/", "%"})
_MEMORY = frozenset({"[", "*", "->", "."})
_NO_CALLS = frozenset({"if", "switch", "return", "sizeof", "while", "for", "assert"})
_LEAVING = frozenset({"break", "return"})
# What the condition of an event may not have: memory that is no element of an array.
_IMPURE = frozenset({"->", "."})


@dataclass(frozen=True)
class LoopWords:
    """The words of a loop: its keyword, those between its parentheses, and its body's."""

    keyword: str
    header: Sequence[str]
    body: Sequence[str]


def loops(words: Sequence[str]) -> Iterator[LoopWords]:
    """The loops in the words of a function, nested ones too."""
    return (loop_at(words, at) for at, word in enumerate(words) if word in LOOPS)


def loop_at(words: Sequence[str], at: int) -> LoopWords:
    """The loop whose keyword, or the macro in place of it, stands at a place."""
    behind = at + 1
    header: Sequence[str] = ()
    if words[at] != "do":
        behind = closed(words, behind)
        header = words[at + 2 : behind - 1]
    end = closed(words, behind)
    if end == behind:
        end = _semicolon(words, behind)
    return LoopWords(words[at], header, words[behind:end])


def without_single_trips(words: Sequence[str]) -> list[str]:
    """The words without ``do`` and ``while (0)`` around blocks, as macros have them."""
    dropped: set[int] = set()
    for at, word in enumerate(words):
        if word == "do":
            end = closed(words, at + 1)
            if list(words[end : end + 4]) == ["while", "(", "0", ")"]:
                dropped |= {at, *range(end, end + 4)}
    return [word for at, word in enumerate(words) if at not in dropped]


def is_nest(loop: LoopWords) -> bool:
    """Whether a loop has another one inside that may be counted, as it may itself, and memory."""
    inner = "for" in loop.body or "while" in loop.body
    if not inner or _MEMORY.isdisjoint(loop.body) or not _counts(loop):
        return False
    return any(_counts(one) for one in loops(loop.body))


def has_members(loop: LoopWords) -> bool:
    """Whether a nest has members of what pointers lead to."""
    return ("->" in loop.body or "->" in loop.header) and is_nest(loop)


def has_roots(loop: LoopWords) -> bool:
    """Whether a loop takes square roots itself."""
    return not ROOTS.isdisjoint(loop.body)


def divides_counter(loop: LoopWords) -> bool:
    """Whether an innermost loop divides what it may count by what is no number."""
    words = loop.body
    if loop.keyword != "for" or _DIVISIONS.isdisjoint(words) or not LOOPS.isdisjoint(words):
        return False
    return any(
        word in _DIVISIONS and left in loop.header and right.isidentifier()
        for left, word, right in zip(words, words[1:], words[2:], strict=False)
    )


def takes_remainders(loop: LoopWords) -> bool:
    """Whether an innermost loop takes remainders of what is in parentheses by a variable."""
    words = loop.body
    if loop.keyword != "for" or "%" not in words or not LOOPS.isdisjoint(words):
        return False
    return any(
        (left, word) == (")", "%") and right in loop.header
        for left, word, right in zip(words, words[1:], words[2:], strict=False)
    )


def may_walk(loop: LoopWords) -> bool:
    """Whether a ``do`` loop may choose what it stores to where a pointer walks, and do no more."""
    words = loop.body
    walks = loop.keyword == "do" and "?" in words and "*" in words and words.count(";") == 2
    return walks and not _COUNTS.isdisjoint(words) and LOOPS.isdisjoint(words)


def is_bounded(loop: LoopWords) -> bool:
    """Whether a loop may count: a ``for`` with a condition, a ``while`` that compares and steps."""
    if loop.keyword != "for":
        return loop.keyword == "while" and _steps_what_it_compares(loop)
    parts = _parts(loop.header)
    return len(parts) != 3 or bool(parts[1])


def may_inline(loop: LoopWords) -> bool:
    """Whether calls in a loop may be written out so that it becomes part of a nest."""
    kept = "return" in loop.body or "goto" in loop.body
    return loop.keyword == "for" and is_bounded(loop) and not kept


def is_outer(loop: LoopWords) -> bool:
    """Whether a loop may be a counted one with loops or calls inside, and memory."""
    calls = any(after == "(" and is_name(word) for word, after in pairwise(loop.body))
    return is_nest(loop) or (loop.keyword == "for" and calls and not _MEMORY.isdisjoint(loop.body))


def _counts(loop: LoopWords) -> bool:
    """Whether a loop may be counted as parts of nests are, with nothing left out in its header."""
    return is_bounded(loop) and (loop.keyword != "for" or all(_parts(loop.header)))


def _parts(header: Sequence[str]) -> list[Sequence[str]]:
    """What semicolons part; all of it is one part where a macro makes the header."""
    places = [at for at, word in enumerate(header) if word == ";"]
    starts = [0, *(at + 1 for at in places)]
    return [header[a:b] for a, b in zip(starts, [*places, len(header)], strict=True)]


def _steps_what_it_compares(loop: LoopWords) -> bool:
    """Whether a variable that the condition of a ``while`` compares is stepped by a statement."""
    if COMPARISONS.isdisjoint(loop.header):
        return False
    body = [word for word in loop.body if word not in "()"]
    starts = [at + 1 for at, word in enumerate(body) if word in _BEFORE_STATEMENTS]
    steps = (_stepped(body[at : at + _STEP]) for at in (0, *starts))
    before = ["", *loop.header]
    compared = {w for w, b in zip(loop.header, before, strict=False) if b not in ("->", ".")}
    return not compared.isdisjoint(filter(None, steps))


def _stepped(words: Sequence[str]) -> str:
    """The variable that a statement which begins with these words counts, if it does."""
    first, second, *others = (*words, "", "")
    if first in _COUNTS:
        return second
    adds = second in _STEPS or (second == "=" and not {"+", "-"}.isdisjoint(others))
    return first if adds else ""


def may_gain(loop: LoopWords) -> bool:
    """Whether an innermost loop may be one that a compiler leaves scalar, or slow vectors."""
    if not is_bounded(loop) or not LOOPS.isdisjoint(loop.body):
        return False
    elements = "[" in loop.body or "[" in loop.header
    if loop.keyword == "while" or not CHOICES.isdisjoint(loop.body):
        return elements and not calls(loop.header) and _may_choose(loop.body)
    if calls(loop.body) or _waits_for_itself(loop.body):
        return False
    if elements and (not _counts_by_one(loop.header) or _multiplies_in_subscripts(loop.body)):
        return True
    if not elements and not _accumulates(loop.body):
        return False
    return (
        _changes_variables(loop.body)
        or _moves_elements(loop.body)
        or (elements and _updates_in_place(loop))
    )


def is_copy(loop: LoopWords) -> bool:
    """Whether a loop does nothing but set elements to others."""
    words = [w for w in loop.body if w not in "{};"]
    if words.count("=") != 1 or loop.keyword != "for" or not _counts(loop):
        return False
    place = words.index("=")
    value = [w for w in words[place + 1 :] if w not in "()"]
    if words[place - 1] not in "])" or len(value) <= 3 or not is_name(value[0]):
        return False
    end = 1
    while end < len(value) and value[end] == "[":
        end = closed(value, end)
    return end == len(value)


def _may_choose(body: Sequence[str]) -> bool:
    """Whether a body with branches may be one of which strips, or vectors, are made.

    Where it calls something or leaves the loop, that is an event: the branch of an ``if`` that asks
    nothing but elements. What runs in each iteration is straight code.
    """
    leaves = not _LEAVING.isdisjoint(body) and not ("switch" in body and "return" not in body)
    if "goto" in body or not (leaves or calls(body)):
        return True  # jumps may be to a label, as a branch
    always, conditions = _events(body)
    if not conditions or calls(always) or not (_LEAVING | {"switch"}).isdisjoint(always):
        return False
    asked = [*conditions, *statements(always)]
    return all(map(_is_pure, conditions)) and any("[" in s and _is_plain(s) for s in asked)


def _events(body: Sequence[str]) -> tuple[list[str], list[Sequence[str]]]:
    """The words that run in each iteration; the conditions of branches that call or leave."""
    words = body[1:-1] if body[:1] == ["{"] and closed(body, 0) == len(body) else body
    always: list[str] = []
    conditions: list[Sequence[str]] = []
    at = 0
    while at < len(words):
        if words[at] == "if":
            start = closed(words, at + 1)
            end = statement_end(words, start)
            inside = words[start:end]
            rare = calls(inside) or not _LEAVING.isdisjoint(inside)
            if rare and words[end : end + 1] != ["else"]:
                conditions.append(words[at + 2 : start - 1])
                at = end
                continue
        end = max(statement_end(words, at), at + 1)
        always += words[at:end]
        at = end
    return always, conditions


def statement_end(words: Sequence[str], at: int) -> int:
    """After the statement that begins at a place."""
    if words[at : at + 1] != ["if"]:
        end = closed(words, at) if words[at : at + 1] == ["{"] else at
        return end if end != at else min(_semicolon(words, at) + 1, len(words))
    end = statement_end(words, closed(words, at + 1))
    return statement_end(words, end + 1) if words[end : end + 1] == ["else"] else end


def _is_pure(condition: Sequence[str]) -> bool:
    """Whether a condition may be evaluated ahead: no calls, no pointers followed.

    Of a conjunction the first operand alone may be.
    """
    depth = 0
    for at, word in enumerate(condition):
        depth += (word == "(") - (word == ")")
        if word == "&&" and not depth:
            condition = condition[:at]
            break
    followed = any(
        word in "*&" and not (is_name(before) or before[0].isdigit() or before in ")]")
        for before, word in pairwise(["(", *condition])
    )
    return _IMPURE.isdisjoint(condition) and not followed and not calls(condition)


def _is_plain(statement: Sequence[str]) -> bool:
    """Whether a condition, or what a declaration sets, asks for no members."""
    value = statement[statement.index("=") + 1 :] if "=" in statement else statement
    return _IMPURE.isdisjoint(value)


# -- the words of a loop's body -----------------------------------------------------------------


def closed(words: Sequence[str], at: int) -> int:
    """After the bracket that closes the one at a place; that place where there is none."""
    if at >= len(words) or words[at] not in _CLOSING:
        return at
    opening, closing, depth = words[at], _CLOSING[words[at]], 0
    for place in range(at, len(words)):
        depth += (words[place] == opening) - (words[place] == closing)
        if not depth:
            return place + 1
    return len(words)


def _semicolon(words: Sequence[str], at: int) -> int:
    """After the first semicolon outside of brackets, or after the block before it."""
    while at < len(words) and words[at] != ";":
        block = words[at] == "{"
        at = max(closed(words, at), at + 1)
        if block:
            return at
    return at


def may_hide(loop: LoopWords) -> bool:
    """Whether a loop may be another one where macros of headers are known, or calls are inlined."""
    words = (*loop.header, *loop.body)
    macros = any(word.isupper() and following == "(" for word, following in pairwise(words))
    return macros or (loop.keyword == "for" and calls(words))


def is_name(word: str) -> bool:
    return word[0].isalpha() or word[0] == "_"


def calls(body: Sequence[str]) -> bool:
    """Whether anything but mathematical functions is called; other names may be macros'."""
    return any(
        following == "(" and is_name(word) and word not in _NO_CALLS and not word.isupper()
        and not is_mathematical(word)
        for word, following in pairwise(body)
    )  # fmt: skip


def _counts_by_one(header: Sequence[str]) -> bool:
    places = [at for at, word in enumerate(header) if word == ";"]
    step = header[places[1] + 1 :] if len(places) == 2 else ()
    return len(step) == 2 and not _COUNTS.isdisjoint(step)


def _multiplies_in_subscripts(body: Sequence[str]) -> bool:
    """Whether a subscript multiplies, divides, or is itself in memory."""
    depth = 0
    for word in body:
        if depth and word in ("*", "/", "%", "["):
            return True
        depth += (word == "[") - (word == "]")
    return False


def statements(body: Sequence[str]) -> Iterator[Sequence[str]]:
    """The statements of a body that has no others in them."""
    start = 0
    for at, word in enumerate(body):
        if word in (";", "{", "}"):
            if start < at:
                yield body[start:at]
            start = at + 1
    if start < len(body):
        yield body[start:]


def assignment(statement: Sequence[str]) -> int | None:
    return next((at for at, word in enumerate(statement) if word in _ASSIGNMENTS), None)


def _changes_variables(body: Sequence[str]) -> bool:
    """Whether a variable is set that the body does not declare, or there is more to read."""
    declared: set[str] = set()
    for statement in statements(body):
        if not _COUNTS.isdisjoint(statement):
            return True
        at = assignment(statement)
        target = statement if at is None else statement[:at]
        rest = () if at is None else statement[at + 1 :]
        if not _ASSIGNMENTS.isdisjoint(rest):
            return True
        if _declares(target):
            declared |= {w for w in target if is_name(w)}
        elif len(target) == 1 and at is not None and target[0] not in declared:
            return True
    return False


def _updates_in_place(loop: LoopWords) -> bool:
    """Whether memory is updated whose place does not name what the loop counts by."""
    parts = _parts(loop.header)
    counters = set(filter(is_name, parts[2] if len(parts) == 3 else ()))
    for statement in statements(loop.body):
        at = assignment(statement)
        target = statement[: at or 0]
        named = statement[at] != "=" if at else False
        again = at is not None and " ".join(target) in " ".join(statement[at + 1 :])
        if len(target) > 1 and counters.isdisjoint(target) and (named or again):
            return True
    return False


def _accumulates(body: Sequence[str]) -> bool:
    """Whether a variable is set, by a statement that could be a reduction."""
    targets = (s[0] for s in statements(body) if s[1:2] and s[1] in ("=", "+=", "-=", "*="))
    return any(is_name(target) for target in targets)


def _waits_for_itself(body: Sequence[str]) -> bool:
    """Whether all that a body does is to set a variable to what follows from its own value.

    Not where that is a plain sum or product.
    """
    found = list(statements(body))
    if len(found) != 1 or len(found[0]) < 3 or assignment(found[0]) != 1:
        return False
    target, operator, *value = found[0]
    if not is_name(target) or not _ASSIGNMENTS.isdisjoint(value) or not _COUNTS.isdisjoint(value):
        return False
    return value.count(target) > 1 or (operator != "=" and target in value)


def _declares(words: Sequence[str]) -> bool:
    """Whether these words are types and names, as before an initial value."""
    return (
        len(words) > 1 and is_name(words[0]) and is_name(words[-1])
        and all(is_name(w) or w in ("*", ",") for w in words)
    )  # fmt: skip


def _moves_elements(body: Sequence[str]) -> bool:
    """Whether an array that the body writes is named with different subscripts."""
    named: dict[str, set[tuple[str, ...]]] = {}
    for at, word in enumerate(body):
        if is_name(word) and at + 1 < len(body) and body[at + 1] == "[":
            end = at + 1
            while end < len(body) and body[end] == "[":
                end = closed(body, end)
            named.setdefault(word, set()).add(tuple(body[at + 1 : end]))
    written = set()
    for statement in statements(body):
        place = assignment(statement)
        if place and statement[place - 1] == "]":
            written.add(statement[statement.index("[") - 1])
    return any(len(named.get(name, ())) > 1 for name in written)
