"""The hash that code hosts know a line by, against values that theirs gives."""

from __future__ import annotations

import pytest

from s2s.cli.fingerprints import line_hashes

_HELLO = " hello; \t{0}world!!!{0}{0}{0}  \t\tGreetings{0} End{0}"
_HELLO_HASHES = (
    "e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1",
    "b3edc88f2938467e:1", "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "hashes"),
    [
        ("", ("c129715d7a2bc9a3:1",)),
        (
            " a\nb\n  \t\tc\n d",
            ("271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"),
        ),
        (_HELLO.format("\n"), _HELLO_HASHES),
        (_HELLO.format("\r"), _HELLO_HASHES),
        (_HELLO.format("\r\n"), _HELLO_HASHES),
        (
            "Lorem ipsum dolor sit amet.\n" * 10,
            (
                *(f"a7f2ff13bc495cf2:{n}" for n in range(1, 7)),
                "a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1", "55ec222b86bcae53:1",
                "cc97dc7b1d7d8f7b:1", "c129715d7a2bc9a3:1",
            ),
        ),
    ],
)  # fmt: skip
def test_hashes_are_those_of_code_hosts(text: str, hashes: tuple[str, ...]) -> None:
    assert line_hashes(text) == hashes
