"""Classes and class templates whose method is a kernel, as functions with variables of the file.

    template <typename T, int N> class Row { T kept[N]; T scale; public: Row(T s): scale(s) {}
      void filter(input_window<T> *in); };

``--function 'Row<int16, 8>::filter'`` makes ``int16 kept[8]; int16 scale;`` variables of the file
and ``filter`` a function that does what the constructor does first; the constructor's numbers are
parameters after the kernel's own, its arrays are the file's. Templates are instantiated by their
words: each parameter's name is replaced by what is given for it. What else a text has of templates
with types as parameters goes; lines stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from s2s.simulators.aie.definitions import Definition, definitions, drop_items
from s2s.source.records import dataclass

CONSTRUCTED = "__s2s_constructed"
"""What a kernel calls after its constructor, which runs once and not with it."""
CHOSEN = re.compile(r"\s*(?P<name>\w+)\s*(?:<(?P<given>.*)>)?\s*::\s*(?P<method>\w+)\s*", re.S)
_HEAD = re.compile(
    r"(?:template\s*<(?P<parameters>[^{};()]*?)>\s*)?(?:class|struct)\s+(?P<name>\w+)\s*(?=[{:])"
)
_METHOD = re.compile(
    r"(?:template\s*<(?P<parameters>[^{};()]*?)>\s*)?(?P<result>[^{}();=]*?)"
    r"\b(?P<name>\w+)\s*(?:<[^<>{};()]*>)?\s*::\s*(?P<method>\w+)\s*(?=\()"
)
_INSTANCE = re.compile(r"template\s+(?:class|struct)\s+(?P<name>\w+)\s*(?P<given><[^;{}]*>)\s*;")
_OF_TYPES = re.compile(r"template\s*<\s*(?:>|[^<>{};()]*\b(?:typename|class)\b)")
_LABEL = re.compile(r"\b(?:public|private|protected)\s*:(?!:)")
_SAME = re.compile(r"\b(?:std::)?is_same\s*<\s*([\w ]+?)\s*,\s*([\w ]+?)\s*>\s*::\s*value")
_CHOICE = re.compile(
    r"(?:\btypename\s+)?\b(?:std::)?conditional\s*<\s*\(*\s*([01])\s*\)*\s*,\s*([\w ]+?)\s*,"
    r"\s*([\w ]+?)\s*>\s*::\s*type"
)
_LIMIT = re.compile(
    r"\b(?:std::)?numeric_limits\s*<\s*(\w+)\s*>\s*::\s*(lowest|min|max|infinity)\s*\(\s*\)"
)
_ASSERT = re.compile(r"\bstatic_assert\s*\((?:[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*\)\s*;")
_REGISTER = re.compile(r"\bREGISTER_\w+\s*\([^()]*\)\s*;?")
_REGISTERED = re.compile(r"\bREGISTER_FUNCTION\s*\(\s*\w+\s*::\s*(\w+)")
_PORTED = re.compile(
    r"\bvoid\s+(\w+)\s*\([^(){};]*\b(?:in|out)put_(?:window|stream|buffer)[^(){};]*\)\s*\{"
)
_ARRAY = re.compile(r"\(\s*&\s*(\w+)\s*\)\s*(\[[^;]*)$", re.S)
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()\n]|\([^()\n]*\))*\)\)")
_ALIGNED = re.compile(r"\balignas\s*\([^()]*\)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_PLAIN = re.compile(r"[\w:]+(?:\s+[\w:]+)*[\s*&]*")


class NotInstantiated(Exception):
    """A class that is chosen and is not there, or not as it is chosen: ``place`` in the text."""

    def __init__(self, place: int, text: str) -> None:
        super().__init__(text)
        self.place, self.text = place, text


@dataclass(frozen=True)
class _Method:
    """A definition: its parameters' and its body's text, what a constructor sets in its head."""

    place: int
    result: str
    parameters: str
    initial: str
    body: str


@dataclass(frozen=True)
class _Class:
    item: Definition
    parameters: tuple[str, ...]
    members: tuple[str, ...]
    methods: Mapping[str, _Method]


def method_of(function: str | None) -> str | None:
    """The kernel's name: that of a method that is chosen by its class."""
    match = CHOSEN.fullmatch(function or "")
    return match["method"] if match else function


def instantiated(text: str, function: str | None) -> str:
    """The text with the class of ``function`` as variables and functions; others are left out.

    Raises NotInstantiated.
    """
    if "class" not in text and "template" not in text:
        return text
    text = _ATTRIBUTE.sub("", text)
    items = list(definitions(text))
    match = CHOSEN.fullmatch(function or "")
    if match is None:
        return text
    found = _class(text, items, match["name"])
    if found is None:
        raise NotInstantiated(0, f"there is no class '{match['name']}'")
    given = _arguments(match["given"] or "")
    if len(given) != len(found.parameters):
        names = ", ".join(_name(one) for one in found.parameters)
        said = f"'{match['name']}' takes {len(found.parameters)} arguments <{names}>"
        raise NotInstantiated(found.item.start, said)
    values = {_name(p): _operand(g) for p, g in zip(found.parameters, given, strict=True)}
    methods = dict(found.methods)
    for name, method in _outside(text, items, match["name"]):
        methods[name] = method
    if match["method"] not in methods:
        said = f"'{match['name']}' has no method '{match['method']}' with a body"
        raise NotInstantiated(found.item.start, said)
    made = _functions(text, match["name"], match["method"], found.members, methods)
    rest = drop_items(text, [one for one in items if _is_of_class(text[one.start : one.end])])
    return evaluated(rest + "\n" + _replaced(made, values))


@dataclass(frozen=True)
class Kernel:
    """A method of a class: its place in a text, how it is chosen, whether that is all it takes."""

    place: int
    shown: str
    is_whole: bool


def kernels(text: str) -> list[Kernel]:
    """The classes of a text that may hold a kernel; of templates those that it gives values."""
    found, hollow = [], []
    for one in definitions(text):
        match = _HEAD.match(text, one.start)
        if match is None:
            continue
        name, inside = match["name"], text[one.start : one.end]
        known = _REGISTERED.findall(inside) + _methods_of(text, name) + _PORTED.findall(inside)
        method = next((word for word in known if word != name), None)
        words = ", ".join(_name(p) for p in _arguments(match["parameters"] or ""))
        shown = f"{name}<{words}>" if words else name
        if method is None:
            hollow += [Kernel(match.start("name"), f"{shown}::METHOD", False)] if words else []
        elif given := [""] if not words else _instances(text, name):
            found += [Kernel(match.start("name"), f"{name}{g}::{method}", True) for g in given]
        else:
            found.append(Kernel(match.start("name"), f"{shown}::{method}", False))
    return found or hollow[:1]


def how_to_choose(found: list[Kernel]) -> str:
    """What to write for one of these kernels."""
    names = " or ".join(f"'{one.shown}'" for one in found)
    name = _WORD.findall(found[0].shown)[0]
    what = "the kernels are methods of classes" if len(found) > 1 else f"'{name}' is a class"
    text = f"{what}: --function {names} chooses {'one' if len(found) > 1 else 'a kernel'}"
    return text if all(one.is_whole for one in found) else text + " with values for its parameters"


def _instances(text: str, name: str) -> list[str]:
    """The values of ``template class Row<int16, 8>;``."""
    found = (one["given"] for one in _INSTANCE.finditer(text) if one["name"] == name)
    return list(dict.fromkeys(" ".join(one.split()) for one in found))


def evaluated(text: str) -> str:
    """The text with what templates ask of types answered."""
    if "::" not in text and "static_assert" not in text:
        return text
    text = _ASSERT.sub("", _REGISTER.sub("", text))
    text = _SAME.sub(lambda m: str(int(_plain(m[1]) == _plain(m[2]))), text)
    text = _CHOICE.sub(lambda m: m[2] if m[1] == "1" else m[3], text)
    return _LIMIT.sub(_limit, text)


def _plain(type_: str) -> str:
    return type_.strip().removesuffix("_t")


def _limit(match: re.Match[str]) -> str:
    kind = re.fullmatch(r"(u?)int(\d+)(?:_t)?", match[1])
    if kind is None:
        if match[2] == "infinity":
            return "(1.0f / 0.0f)"
        return {"max": "3.40282347e38f", "min": "1.17549435e-38f"}.get(match[2], "-3.40282347e38f")
    bits, unsigned = int(kind[2]), bool(kind[1])
    most = (1 << (bits - 1 + unsigned)) - 1
    return str(most) if match[2] == "max" else "0" if unsigned else f"(-{most} - 1)"


# ------------------------------------------------------------------------------------- reading


def _arguments(text: str) -> tuple[str, ...]:
    """What commas separate outside of brackets."""
    found, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "(<[{") - (letter in ")>]}")
        if letter == "," and depth == 0:
            found.append(text[start:at])
            start = at + 1
    found.append(text[start:])
    return tuple(one.strip() for one in found if one.strip())


def _operand(given: str) -> str:
    """A type or a number as it is, any other expression (``-1``, ``2 + 2``) in parentheses."""
    return given if _PLAIN.fullmatch(given) or "<" in given else f"({given})"


def _name(parameter: str) -> str:
    """The name that a parameter declares."""
    array = _ARRAY.search(parameter)
    if array is not None:
        return array[1]
    words = _WORD.findall(re.split(r"[=\[]", parameter)[0])
    return words[-1] if words else ""


def _class(text: str, items: list[Definition], name: str) -> _Class | None:
    for one in items:
        match = _HEAD.match(text, one.start)
        if match is None or match["name"] != name:
            continue
        start = text.index("{", match.end())
        inner = text[start + 1 : _closing(text, start)]
        inner = _LABEL.sub(lambda m: " " * len(m[0]), inner)
        members, methods = [], {}
        for part in definitions(inner):
            piece = inner[part.start : part.end]
            if re.match(r"\s*(?:friend\b|using\b|;)", piece) or "REGISTER_" in piece:
                continue
            if part.is_function and (made := _read(piece, start + 1 + part.start)) is not None:
                methods[part.name] = made
            elif _is_variable(piece.rstrip("; \n")):
                members.append(piece)
        return _Class(one, _arguments(match["parameters"] or ""), tuple(members), methods)
    return None


def _is_variable(member: str) -> bool:
    """Whether it is no method that is only declared; such may have ``=`` for its parameters."""
    head = member.partition("=")[0]
    return "(" not in _ALIGNED.sub("", _ARRAY.sub("", head))


def _outside(text: str, items: list[Definition], name: str) -> Iterator[tuple[str, _Method]]:
    """Methods whose bodies stand after the class."""
    for one in items:
        piece = text[one.start : one.end]
        match = _METHOD.match(piece)
        if one.is_function and match is not None and match["name"] == name:
            made = _read(piece[match.start("result") :], one.start + match.start("result"))
            if made is not None:
                result = match["result"].strip()
                yield (
                    match["method"],
                    _Method(made.place, result, made.parameters, made.initial, made.body),
                )


def _methods_of(text: str, name: str) -> list[str]:
    pattern = rf"\b{name}\s*(?:<[^<>{{}};()]*>)?\s*::\s*(\w+)\s*\((?=[^;{{}}]*\{{)"
    return [m for m in re.findall(pattern, text) if m != name]


def _read(piece: str, place: int) -> _Method | None:
    start = piece.find("(")
    if start < 0:
        return None
    end = _closing(piece, start)
    body = piece.find("{", end)
    while body > 0 and piece[body - 1 : body] in ("", "]"):
        body = piece.find("{", body + 1)
    head = piece[end + 1 : body]
    initial = head.partition(":")[2] if ":" in head else ""
    result = piece[:start].rstrip()
    result = result[: len(result) - len(_WORD.findall(result)[-1])] if _WORD.search(result) else ""
    return _Method(place, result.strip(), piece[start + 1 : end], initial, piece[body + 1 : -1])


def _closing(text: str, start: int) -> int:
    """The bracket that closes the one at ``start``."""
    pairs = {"(": ")", "{": "}", "[": "]"}
    closing = [pairs[text[start]]]
    for at in range(start + 1, len(text)):
        if text[at] in pairs:
            closing.append(pairs[text[at]])
        elif text[at] == closing[-1]:
            closing.pop()
            if not closing:
                return at
    return len(text) - 1


def _is_of_class(piece: str) -> bool:
    """Whether an item is a class, a template over types, or a method of one."""
    if _OF_TYPES.match(piece) or _INSTANCE.match(piece):
        return True
    head = _HEAD.match(piece)
    if head is not None and (head["parameters"] or "(" in piece):
        return True
    match = _METHOD.match(piece)
    return match is not None and match["name"] not in ("aie", "std", "adf")


# -------------------------------------------------------------------------------------- making


def _functions(
    text: str, name: str, kernel: str, members: tuple[str, ...], methods: Mapping[str, _Method]
) -> str:
    """Variables for members, the other methods, and the kernel after its constructor."""
    made = methods.get(name)
    names = {_name(one.rstrip("; \n")) for one in members}
    arrays = {_name(one.rstrip("; \n")) for one in members if _ARRAY.search(one.rstrip("; \n"))}
    ours = {one: f"{one}" for one in names}
    parameters, sets = [], []
    if made is not None:
        taken = {}
        for one in _arguments(made.parameters):
            if not _ARRAY.search(one):
                fresh = f"{_name(one)}_given" if _name(one) in names else _name(one)
                taken[_name(one)] = fresh
                parameters.append(_replaced(one.split("=")[0], {_name(one): fresh}))
        for one in _arguments(made.initial):
            match = re.match(r"(\w+)\s*[({](.*)[)}]\s*$", one, re.S)
            if match is not None and match[1] not in arrays:
                sets.append(f"{ours[match[1]]} = {_replaced(match[2], taken)};")
        body = _replaced(made.body, taken) if taken else made.body
        sets.append(f"{{ {body} }} {CONSTRUCTED}();")
    lines = [_variable(one.rstrip("; \n")) for one in members]
    for other, method in methods.items():
        if other not in (name, kernel) and not other.startswith("register"):
            head = f"{method.result or 'void'} {other}({method.parameters})"
            lines.append(f"{_marker(text, method.place)}{head} {{{method.body}}}")
    chosen = methods[kernel]
    both = ", ".join(one for one in (chosen.parameters.strip(), *parameters) if one)
    head = f"{chosen.result or 'void'} {kernel}({both})"
    lines.append(f"{_marker(text, chosen.place)}{head} {{ {' '.join(sets)} {chosen.body}}}")
    return "\n".join(lines) + "\n"


def _variable(member: str) -> str:
    """A member as a variable of the file; a reference to an array is the array."""
    member = " ".join(member.split())
    member = _ARRAY.sub(lambda m: f"{m[1]}{m[2]}", member)
    return f"{member};" if member.startswith("static") else f"static {member};"


def _marker(text: str, place: int) -> str:
    """A line marker, so that what follows counts as where it stood."""
    before = text[:place]
    lines = before.split("\n")
    for back in range(len(lines) - 1, -1, -1):
        match = re.match(r'\s*#\s*(?:line\s+)?(\d+)\s+("[^"]*")', lines[back])
        if match is not None:
            return f"# {int(match[1]) + len(lines) - 2 - back} {match[2]}\n"
    return ""


def _replaced(text: str, values: Mapping[str, str]) -> str:
    """The text with words in the place of others, but not as members of something."""
    if not values:
        return text
    pattern = re.compile(r"(?<![\w.])(?<!->)(?:" + "|".join(map(re.escape, values)) + r")\b")
    return pattern.sub(lambda match: values[match[0]], text)
