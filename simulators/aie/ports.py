"""Ports of a graph's kernels in C++, as what the reader knows.

::

    adf::input_buffer<int16> &in       ->  input_window_int16 *restrict in
    in.data()                          ->  in->ptr
    adf::input_cascade<acc48> *sums    ->  no parameter: the core has one cascade each way
    readincr_v<8>(sums)                ->  get_scd()
    writeincr_v8(sums, acc)            ->  put_mcd(acc)
"""

from __future__ import annotations

import re

_BUFFER = re.compile(
    r"\b(?:adf::)?(input|output)(?:_async)?(?:_circular)?_buffer\s*<\s*(\w+)[^&;{}]*?&\s*(?:restrict\s+)?"
)
_DATA = re.compile(r"\b(\w+)\.data\(\)")
_OF_WINDOW = re.compile(r"\b((?:window_)?read(?:incr)?|window_readdecr)_v\s*<([^<>;]*)>\s*\(")
_CASCADE = re.compile(
    r"\b(?:adf::)?(input|output)_(?:cascade\s*<\s*acc48\s*>|stream_acc48)\s*\*\s*"
    r"(?:__?)?(?:restrict\s+)?(\w+)"
)


def with_plain_ports(text: str) -> str:
    """The text with buffers as windows and without parameters for cascades."""
    if _BUFFER.search(text):
        text = _BUFFER.sub(lambda m: f"{m[1]}_window_{m[2].removesuffix('_t')} * restrict ", text)
        text = _DATA.sub(r"\1->ptr", text)
    names = {m[2] for m in _CASCADE.finditer(text)}
    text = _OF_WINDOW.sub(lambda m: f"{m[1]}_v{m[2].strip()}(", text)
    for name in names:
        text = re.sub(rf"\breadincr_v8\s*\(\s*{name}\s*\)", "get_scd()", text)
        text = re.sub(rf"\bwriteincr(?:_v8)?\s*\(\s*{name}\s*,", "put_mcd(", text)
    return _without(text)


def _without(text: str) -> str:
    """The text without parameters that are cascades, and without the commas beside them."""
    text = re.sub(rf",\s*{_CASCADE.pattern}", "", text)
    text = re.sub(rf"{_CASCADE.pattern}\s*,", "", text)
    return _CASCADE.sub("", text)
