"""The vendor's vector API, ``aie::``, as functions of C that the reader knows.

    aie::vector<int16, 16> v = aie::load_v<16>(p);   ->  v16int16 v = __aie_load(16, p);
    v.insert(0, w);                                  ->  (v = __aie_insert(v, 0, w));
    acc.to_vector<int16>(10)                         ->  __aie_to_int16(acc, 10)

Numbers of templates have to be numbers when this runs, or constants of the text. What stays of
``aie::`` is not understood. ``include/aie_api/aie.hpp`` says the same in C++, over the intrinsics.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping

from s2s.simulators.aie.intrinsics import named_type
from s2s.simulators.aie.ports import with_plain_ports

_CONSTANT = re.compile(
    r"\b(?:constexpr|const)\s+(?:static\s+)?(?:unsigned\s+int|unsigned|int|size_t|u?int\d+(?:_t)?)"
    r"\s+(\w+)\s*=\s*([\w\s+*/()-]+?)\s*;"
)
_TYPE = re.compile(r"\baie::(vector|accum)\s*<\s*(\w+)\s*,\s*([^<>,;{}]+?)\s*>")
_VALUE = re.compile(
    r"\baie::(zeros|broadcast)\s*<\s*(\w+)\s*(?:,\s*([^<>;{}]+?)\s*)?>\s*\(\s*(\)?)"
)
_OPERATIONS = re.compile(
    r"\busing\s+(\w+)\s*=\s*aie::(sliding_mul(?:_sym)?(?:_[xy]{1,2})?)_ops\s*<([^<>;]*)>\s*;"
)
_DIRECT = re.compile(
    r"\baie::(sliding_mul(?:_sym)?(?:_[xy]{1,2})?)_ops\s*<([^<>;]*)>\s*::\s*(mul|mac)(_sym)?\s*\("
)
_TILES = re.compile(
    r"\b(?:using\s+(?P<alias>\w+)\s*=\s*)?aie::mmul\s*<(?P<words>[^<>;]*)>"
    r"(?(alias)\s*;|\s+(?P<names>\w+(?:\s*,\s*\w+)*)\s*;)"
)
_SLIDING = re.compile(r"\baie::(sliding_m(?:ul|ac)(?:_sym)?)\s*<([^<>;]*)>\s*\(")
_NUMBERED = re.compile(
    r"\baie::(load_v|load_unaligned_v|c?begin_vector|c?begin_restrict_vector)\s*<([^<>;]*)>\s*\("
)
_UNALIGNED_STORE = re.compile(r"\baie::store_unaligned_v\s*(?:<[^<>;]*>\s*)?\(")
_PLAIN = re.compile(
    r"\baie::(store_v|add|sub|mul|mac|max|min|concat|mul_square|reduce_(?:add|max|min)"
    r"|shuffle_(?:up|down)(?:_rotate|_replicate|_fill)?|filter_(?:even|odd))\s*\("
)
_CONVERTED = re.compile(r"\baie::to_(fixed|float)\s*(?:<\s*(?:int32(?:_t)?|float)\s*>\s*)?\(")
_METHOD = re.compile(
    r"\b(\w+)\s*(?:\.|->)\s*(?:template\s+)?(insert|extract|to_vector|from_vector|pack|unpack|push|get|set)\s*"
    r"(?:<\s*([^<>;]*?)\s*>)?\s*\("
)
_CHAINED = re.compile(
    r"\)\s*\.\s*(?:template\s+)?(to_vector|extract|pack|unpack)\s*(?:<\s*([^<>;]*?)\s*>)?\s*\("
)
_TILE = re.compile(r"\baie::tile\s+(\w+)\s*=\s*aie::tile::current\(\)\s*;")
_PUTS = {"insert", "from_vector", "push", "set"}
_BITS = re.compile(r"u?int(\d+)$")


def lowered(text: str) -> str:
    """The text without what of the vector API is understood."""
    text = text.replace("aie::vector_decl_align", "32")
    text = with_plain_ports(text)
    if "aie::" not in text:
        return text
    tiles = _TILE.findall(text)
    text = _TILE.sub("", text)
    for name in tiles:
        text = re.sub(rf"\b{name}\.cycles\(\)", "0", text)
    return _Rewriting(text).text()


def _element(name: str) -> str:
    return name.removesuffix("_t")


class _Rewriting:
    def __init__(self, text: str) -> None:
        self._text = text
        self._numbers: dict[str, int] = {}
        for name, value in _CONSTANT.findall(text):
            number = _number(value, self._numbers)
            if number is not None:
                self._numbers[name] = number

    def text(self) -> str:
        text = _TYPE.sub(self._type, self._with_sizes_of_tiles(self._text))
        text = _VALUE.sub(self._value, text)
        text = self._tiles(self._sliding(text))
        text = _NUMBERED.sub(self._numbered, text)
        text = _UNALIGNED_STORE.sub("__aie_store_unaligned(", text)
        text = _PLAIN.sub(lambda m: f"__aie_{m[1].removesuffix('_v')}(", text)
        text = _CONVERTED.sub(lambda m: "float2fix(" if m[1] == "fixed" else "fix2float(", text)
        return _methods(text, self._numbers)

    def _with_sizes_of_tiles(self, text: str) -> str:
        """``NAME::size_A`` and its kin of names for tiles as numbers."""
        for match in _TILES.finditer(text):
            given = [_number(one, self._numbers) for one in match["words"].split(",")[:3]]
            if not match["alias"] or len(given) < 3:
                continue
            for word, one, other in (("A", 0, 1), ("B", 1, 2), ("C", 0, 2)):
                first, second = given[one], given[other]
                if first is not None and second is not None:
                    name = rf"\b{match['alias']}::size_{word}\b"
                    text = re.sub(name, str(first * second), text)
        return text

    def _type(self, match: re.Match[str]) -> str:
        count = _number(match[3], self._numbers)
        kind = f"v{count}{_element(match[2]).removeprefix('acc' * match[2].endswith('float'))}"
        return match[0] if count is None or named_type(kind) is None else kind

    def _value(self, match: re.Match[str]) -> str:
        word = _element(match[2]).removeprefix("acc" * match[2].endswith("float"))
        bits = _BITS.match(word)
        count = _number(match[3], self._numbers) if match[3] else None
        if count is None and bits and not match[3]:
            count = 512 // int(bits[1])
        if count is None:
            return match[0]
        kind = f"v{count}{word}"
        if match[1] == "zeros":
            return f"null_{kind}({match[4]}"
        return f"__aie_broadcast_{kind}({match[4]}"

    def _numbered(self, match: re.Match[str]) -> str:
        count = _number(match[2], self._numbers)
        if count is None:
            return match[0]
        name = "begin" if "begin" in match[1] else match[1].removesuffix("_v")
        return f"__aie_{name}({count}, "

    def _sliding(self, text: str) -> str:
        found = {m[1]: (m[2], m[3]) for m in _OPERATIONS.finditer(text)}
        text = _OPERATIONS.sub("", text)
        for name, (which, words) in found.items():
            shape = self._shape(words, which)
            if shape is None:
                continue
            sym = "_sym" * ("_sym" in which)
            for method in ("mul", "mac"):
                text = re.sub(
                    rf"\b{name}::{method}{sym}\s*\(", f"__aie_sliding_{method}{sym}({shape}, ", text
                )

        def plain(match: re.Match[str]) -> str:
            shape = self._shape(match[2], "sliding_mul")
            return match[0] if shape is None else f"__aie_{match[1]}({shape}, "

        def direct(match: re.Match[str]) -> str:
            shape = self._shape(match[2], match[1])
            if shape is None or ("_sym" in match[1]) != bool(match[4]):
                return match[0]
            return f"__aie_sliding_{match[3]}{match[4] or ''}({shape}, "

        return _DIRECT.sub(direct, _SLIDING.sub(plain, text))

    def _tiles(self, text: str) -> str:
        """Tiles of matrices: their sums are accumulators, ``mul`` and ``mac`` assignments."""
        shapes: dict[str, str] = {}

        def declared(match: re.Match[str]) -> str:
            given = [_number(one, self._numbers) for one in match["words"].split(",")[:3]]
            if None in given or len(given) < 3:
                return match[0]
            rows, _, columns = given
            assert rows is not None and columns is not None
            shape = ", ".join(map(str, given))
            if match["alias"]:
                aliases[match["alias"]] = shape, f"v{rows * columns}acc48"
                return ""
            shapes.update(dict.fromkeys(re.findall(r"\w+", match["names"]), shape))
            return f"v{rows * columns}acc48 {match['names']};"

        aliases: dict[str, tuple[str, str]] = {}
        text = _TILES.sub(declared, text)
        for alias, (shape, kind) in aliases.items():
            for match in re.finditer(rf"\b{alias}\s+(\w+(?:\s*,\s*\w+)*)\s*;", text):
                shapes.update(dict.fromkeys(re.findall(r"\w+", match[1]), shape))
            text = re.sub(rf"\b{alias}(?=\s+\w)", kind, text)
        for name, shape in shapes.items():
            text = re.sub(
                rf"\b{name}\s*\.\s*(mul|mac)\s*\(",
                lambda m, n=name, s=shape: (  # type: ignore[misc]
                    f"__AIE_OPEN__({n} = __aie_mmul_{m[1]}({s}, {n if m[1] == 'mac' else 0}, "
                ),
                text,
            )
        return text

    def _shape(self, words: str, which: str) -> str | None:
        """Lanes, points, and the steps of coefficients and of data along points and lanes."""
        given = [_number(one, self._numbers) for one in words.split(",")]
        numbers = [one for one in given if one is not None]
        if len(numbers) < 2:
            return None
        lanes, points, *steps = numbers
        coefficient, along, across = (*steps, *[1] * 3)[:3]
        if which.endswith("_xy"):
            across = along
        elif which.endswith("_x"):
            across = 1
        elif which.endswith("_y"):
            along, across = 1, along
        return f"{lanes}, {points}, {coefficient}, {along}, {across}"


def _methods(text: str, numbers: Mapping[str, int]) -> str:
    """Methods as functions; those that change their object as assignments to it."""

    def chained(match: re.Match[str]) -> str:
        return f") __AIE_{match[1]}__{_element((match[2] or '').strip())}("

    text = _METHOD.sub(lambda m: _method(m, numbers), text)
    text = _closed(text)
    text = _CHAINED.sub(chained, text)
    return _of_results(text, numbers)


def _method(match: re.Match[str], numbers: Mapping[str, int]) -> str:
    name, method, argument = match[1], match[2], match[3] or ""
    call = _function(method, argument, numbers)
    if call is None:
        return match[0]
    head, first = call
    if method in _PUTS:
        return f"__AIE_OPEN__({name} = {head}({name}, {first}"
    return f"{head}({name}, {first}"


def _function(method: str, argument: str, numbers: Mapping[str, int]) -> tuple[str, str] | None:
    """The function of a method, and what comes between its object and its arguments."""
    if method == "to_vector":
        return f"__aie_to_{_element(argument)}" if argument else "__aie_to", ""
    if method == "pack":
        return f"__aie_pack_{_element(argument.strip()) or 'int8'}", ""
    if method == "unpack":
        return "unpack", ""
    if method == "extract":
        count = _number(argument, numbers)
        return None if count is None else ("__aie_extract", f"{count}, ")
    return f"__aie_{method}", ""


def _closed(text: str) -> str:
    """A bracket after the call of each assignment."""
    while (at := text.find("__AIE_OPEN__")) >= 0:
        start = text.index("(", text.index("= __aie_", at))
        end = _closing(text, start)
        text = f"{text[:at]}{text[at + 12 : end + 1]}){text[end + 1 :]}"
    return text.replace(", )", ")")


_MARK = re.compile(r"\) __AIE_(to_vector|extract|pack|unpack)__(\w*)\(")


def _of_results(text: str, numbers: Mapping[str, int]) -> str:
    """Methods of what a call gives: ``f(x).to_vector<T>(s)``."""
    while match := _MARK.search(text):
        start = _opening(text, match.start())
        word = re.search(r"[\w:]*$", text[:start])
        first = word.start() if word else start
        call = _function(match[1], match[2], numbers) or (f"__aie_{match[1]}", "")
        inner = text[first : match.start() + 1]
        text = f"{text[:first]}{call[0]}({inner}, {call[1]}{text[match.end() :]}"
    return text.replace(", )", ")")


def _closing(text: str, start: int) -> int:
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
    return len(text) - 1


def _opening(text: str, end: int) -> int:
    depth = 0
    for at in range(end, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            return at
    return 0


_SUMS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.floordiv, ast.FloorDiv: operator.floordiv,
}  # fmt: skip


def _number(text: str, names: Mapping[str, int]) -> int | None:
    """The value of numbers and names that are added or multiplied."""
    try:
        return _value_of(ast.parse(text.strip(), mode="eval").body, names)
    except (SyntaxError, KeyError, TypeError, ZeroDivisionError):
        return None


def _value_of(node: ast.AST, names: Mapping[str, int]) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.BinOp):
        left, right = _value_of(node.left, names), _value_of(node.right, names)
        return _SUMS[type(node.op)](left, right)
    raise TypeError
