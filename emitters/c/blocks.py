"""New code as a tree of blocks, without those that are superfluous.

What prints loops writes a line for each thing, with braces at the ends of lines, and need not care
whether a block is the only thing in another one. ``tidy`` takes out

- blocks that are all or the last of what is in another one, and blocks that declare nothing;
- the braces of a piece of source text that is all that a block does;
- iterators of the source that nothing names: they are there for the net, which reads from them
  which instances run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from textwrap import dedent

from s2s.source.records import dataclass

# Marks in lines, taken out of the finished text again; they are characters that no text has
# (Unicode's noncharacters). A line after VERBATIM keeps its own indentation, a declaration after
# ITERATOR may go, a brace before FENCE stays because of what the source declares inside.
OPEN, CLOSE, END, VERBATIM = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"
ORIGINAL, ITERATOR, FENCE = "\ufdd4", "\ufdd5", "\ufdd6"

_WORD = re.compile(r"[A-Za-z_]\w*")
_DECLARATION = re.compile(
    r"(?:(?:__typeof__\(.*?\)|[A-Za-z_]\w*)[\s*]+)+"
    r"(?=[A-Za-z_]\w*\s*(?:[=;,\[]|__attribute__))"
)
_CONDITION = re.compile(r"if \((.*)\)")
_STANDALONE = re.compile(r"#pragma omp (?:ordered depend|barrier|taskwait)|#(?!pragma)")
_COUNTER = re.compile(r"for \((?:[A-Za-z_]\w*[\s*]+)+([A-Za-z_]\w*) =")


@dataclass
class Leaf:
    """A piece of source text, its lines as far from each other as they were."""

    name: str
    lines: list[str]
    is_bare: bool = False
    """Whether braces were taken from it: what it declares is declared around it."""


@dataclass
class Block:
    """Items in braces after a head of no, one or more lines; without ``braces`` a single item."""

    head: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    braces: bool = True
    is_fence: bool = False
    otherwise: Block | None = None
    has_left_out: bool = False
    """Whether something was declared that goes: what the net reads has it before the items."""


Item = str | Leaf | Block


def parse(lines: Sequence[str]) -> list[Item]:
    """The items that lines are: those of a block end with its opening and begin with its brace."""
    top = Block()
    stack = [top]
    rest = iter(lines)
    for line in rest:
        text = line.strip()
        if OPEN in line:
            stack[-1].items.append(_leaf(line, rest))
        elif text.startswith("}"):
            block = stack.pop()
            text = text[1:].strip()
            if text.endswith("{"):
                block.otherwise = Block([text[:-1].strip()])
                stack.append(block.otherwise)
                continue
        elif text.rstrip(FENCE).endswith("{"):
            head = text.rstrip(FENCE)[:-1].strip()
            stack.append(_opened(stack[-1], Block([head] if head else [])))
            stack[-1].is_fence = text.endswith(FENCE)
            continue
        elif text.startswith("for ("):
            stack.append(_opened(stack[-1], Block([text], braces=False)))
            continue
        else:
            stack[-1].items.append(text)
        while not stack[-1].braces:
            stack.pop()
    assert stack == [top], "braces of new code do not match"
    return top.items


def _opened(around: Block, block: Block) -> Block:
    around.items.append(block)
    return block


def _leaf(line: str, rest: Iterator[str]) -> Leaf:
    """The leaf that begins in a line, with the other lines that it has."""
    before, marked = line.split(OPEN, 1)
    name, text = marked.split(CLOSE, 1)
    found = [text]
    while END not in found[-1]:
        text = next(rest)
        found.append(text.removeprefix(before) if not text.startswith("#") else text)
    found[-1] = found[-1].replace(END, "")
    return Leaf(name, found)


def leave_out_iterators(block: Block) -> None:
    """Take the iterators that nothing names out of a tidy block, and make it tidy again."""
    for inner in _all(block):
        inner.items = [i for i in inner.items if not _is_left_out(i)]
    tidy(block)


def _all(block: Block) -> Iterator[Block]:
    yield block
    for item in (*block.items, block.otherwise):
        if isinstance(item, Block):
            yield from _all(item)


def _is_left_out(item: Item) -> bool:
    return isinstance(item, str) and item.startswith(ITERATOR)


def tidy(block: Block) -> None:
    """Take superfluous braces out of a block, and mark the iterators that nothing names."""
    for item in block.items:
        if isinstance(item, Block):
            tidy(item)
    if block.otherwise is not None:
        tidy(block.otherwise)
    _mark_iterators(block)
    if block.braces:
        while _unwrap(block):
            pass
        _strip_leaf(block)
    _join_conditions(block)


def _mark_iterators(block: Block) -> None:
    """Keep the mark of those declarations alone whose names the items after them do not have."""
    kept: list[Item] = []
    for item in reversed(block.items):
        if isinstance(item, str) and item.startswith(ITERATOR):
            text = item.removeprefix(ITERATOR)
            (name,) = declared(text)
            if not any(name in words(k) for k in kept):
                block.has_left_out = True
                # Without a use there is a warning, which may be an error.
                text = item if text.endswith(f"(void){name};") else f"{item} (void){name};"
            kept.append(text)
        else:
            kept.append(item)
    block.items = kept[::-1]


def words(item: Item) -> set[str]:
    """The names in an item, but for iterators that go."""
    if isinstance(item, str):
        return set() if item.startswith(ITERATOR) else set(_WORD.findall(item))
    if isinstance(item, Leaf):
        return set(_WORD.findall("\n".join(item.lines)))
    found = set(_WORD.findall("\n".join(item.head)))
    for inner in (*item.items, *([] if item.otherwise is None else [item.otherwise])):
        found |= words(inner)
    return found


def declared(text: str) -> list[str]:
    """The names that a line declares; none if it is no declaration."""
    text = text.removeprefix(ITERATOR)
    start = _DECLARATION.match(text)
    if start is None or text.startswith(("typedef ", "return ", "goto ", "if ")):
        return []
    names = text[start.end() :].split("=")[0] if "=" in text else text[start.end() :].split("[")[0]
    return _WORD.findall(names.split("__attribute__")[0])


def _is_plain(item: Item) -> bool:
    """Whether an item is a block without a head that is not there for what the source declares."""
    return isinstance(item, Block) and not item.head and not item.is_fence


def _unwrap(block: Block) -> bool:
    """Take the braces from one of a block's items."""
    for position, item in enumerate(block.items):
        if not isinstance(item, Block) or item.head or item.otherwise is not None:
            continue
        before = block.items[position - 1] if position else None
        if isinstance(before, str) and before.startswith("#") and not _STANDALONE.match(before):
            continue  # the directive's structured block
        if _may_be_open(block, item, position):
            block.items[position : position + 1] = item.items
            block.has_left_out |= item.has_left_out
            return True
    return False


def _may_be_open(block: Block, inner: Block, position: int) -> bool:
    """Whether what a block declares may be declared in the block around it."""
    if inner.is_fence:
        return len(block.items) == 1 and not block.head
    is_last = position == len(block.items) - 1
    around = {n for item in block.items if isinstance(item, str) for n in declared(item)}
    around |= {n for line in block.head for n in _COUNTER.findall(line)}
    bare = [i.lines for i in inner.items if isinstance(i, Leaf) and i.is_bare]
    for lines in filter(_may_declare, bare):
        if not is_last or any(_declares(lines, name) for name in around):
            return False
    own = [n for item in inner.items if isinstance(item, str) for n in declared(item)]
    if not own:
        return not any(isinstance(i, str) and i.startswith("typedef") for i in inner.items)
    if not is_last or around & set(own):
        return False
    before = [i for i in block.items[:position] if not (isinstance(i, str) and i[:1] in "#/")]
    return not before or (isinstance(before[-1], str) and bool(declared(before[-1])))


def _strip_leaf(block: Block) -> None:
    """Take the braces from source text after which a block does nothing more."""
    *before, last = block.items or [""]
    if not isinstance(last, Leaf) or not all(isinstance(i, str) and declared(i) for i in before):
        return
    lines = last.lines
    if any(line.startswith(VERBATIM) for line in lines):
        return
    if _is_one_block(lines):
        inside = dedent("\n".join(lines[1:-1])).split("\n")
    elif len(lines) == 1 and re.fullmatch(r"\{ [^{}]*; \}", lines[0].strip()):
        inside = [lines[0].strip()[2:-2].strip()]
    else:
        return
    names = {n for item in before if isinstance(item, str) for n in declared(item)}
    names |= {n for line in block.head for n in _COUNTER.findall(line)}
    if not any(_declares(inside, name) for name in names):
        last.lines, last.is_bare = inside, True


def _is_one_block(lines: Sequence[str]) -> bool:
    """Whether lines are a block whose braces stand alone on the first and on the last one."""
    if len(lines) < 3 or lines[0].strip() != "{" or lines[-1].strip() != "}":
        return False
    depth = 0
    for brace in re.findall(r"[{}]", "\n".join(lines[:-1])):
        depth += 1 if brace == "{" else -1
        if depth == 0:
            return False
    return depth == 1


def _may_declare(lines: Sequence[str]) -> bool:
    """Whether source text may be more than one statement that declares nothing."""
    text = "\n".join(lines)
    return text.count(";") != 1 or re.match(r"\s*\w+[\s*]+\w", text) is not None


def _declares(lines: Sequence[str], name: str) -> bool:
    """Whether source text may declare a name again."""
    return bool(re.search(rf"\w[\s*]+{name}\s*[=;,\[)]", "\n".join(lines))) and any(
        re.match(rf"\s*\w[\w\s,*]*\b{name}\b", line) for line in lines
    )


def _join_conditions(block: Block) -> None:
    """Write one condition for two of which each is all of the other's block, else or not."""
    plain = block.otherwise is None and not block.has_left_out
    if plain and len(block.items) == 1 and block.head:
        _join_both(block, block.items[0])
    inner = block.otherwise
    if inner is None or inner.has_left_out or inner.head != ["else"] or len(inner.items) != 1:
        return
    only = inner.items[0]
    if isinstance(only, Block) and only.head and only.head[0].startswith("if ("):
        only.head = [f"else {only.head[0]}", *only.head[1:]]
        block.otherwise = only


def _join_both(block: Block, only: Item) -> None:
    if not isinstance(only, Block) or only.otherwise is not None or len(only.head) != 1:
        return
    outer, inner = (_CONDITION.fullmatch(head) for head in (block.head[0], only.head[0]))
    if len(block.head) == 1 and only.braces and outer and inner:
        both = (f"({c})" if "||" in c or "?" in c else c for c in (outer[1], inner[1]))
        block.head, block.items = [f"if ({' && '.join(both)})"], only.items
