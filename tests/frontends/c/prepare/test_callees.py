"""Declarations that keep a function apart, found without a search of the whole text for each."""

from __future__ import annotations

import random
import re

from s2s.frontends.c.prepare.callees import _KEPT, _kept_heads

_WORDS = (
    b"noinline", b"__weak__", b"my_weak", b"f", b"g", b"f", b"(", b")", b"(", b")", b";", b"{",
    b"}", b" ", b" ", b"__attribute__",
)  # fmt: skip
_PATTERN = rb"%s[^;{}]*\bf\s*\(|\bf\s*\([^;{}]*\)[^;{}]*%s" % (_KEPT, _KEPT)


def test_parts_with_such_words_tell_what_the_whole_text_tells() -> None:
    draw, kept = random.Random(11), 0
    for _ in range(5000):
        text = b"".join(draw.choice(_WORDS) + draw.choice((b"", b" ", b"\n")) for _ in range(20))
        whole = bool(re.search(_PATTERN, text))
        assert whole == any(re.search(_PATTERN, head) for head in _kept_heads(text)), text
        kept += whole
    assert 200 < kept < 4800
