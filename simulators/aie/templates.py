"""Function templates over numbers, as functions with these numbers as parameters.

``template <int N> void row(int *p)`` is ``void row(const int N, int *p)``, and ``row<4>(q)`` is
``row(4, q)``: every call is inlined, so that the number is a constant where it has to be one.
Templates over types stay as they are, and are refused by the parser.
"""

from __future__ import annotations

import re

_TEMPLATE = re.compile(r"\btemplate\s*<([^<>]*)>([^;{}()]*?\b(\w+)\s*\(\s*)(\)?)")
_NUMBER = re.compile(r"\s*(?:(?:unsigned|int|short|long|bool|u?int\d+(?:_t)?|size_t)\s+)+\w+\s*$")


def as_parameters(text: str) -> str:
    """The text with the parameters of templates among those of their functions."""
    names: list[str] = []

    def defined(match: re.Match[str]) -> str:
        parameters = match[1].split(",")
        if not all(_NUMBER.match(one) for one in parameters):
            return match[0]
        names.append(match[3])
        own = ", ".join(f"const {' '.join(one.split())}" for one in parameters)
        return _lines(match[1]) + match[2] + own + (")" if match[4] else ", ")

    text = _TEMPLATE.sub(defined, text)
    for name in dict.fromkeys(names):
        text = re.sub(rf"\b({name})\s*<([^<>;{{}}]*)>\s*\(\s*(\)?)", _called, text)
    return text


def _called(match: re.Match[str]) -> str:
    return f"{match[1]}({match[2]}{')' if match[3] else ', '}"


def _lines(text: str) -> str:
    """The ends of lines of a text that is left out."""
    return "\n" * text.count("\n")
