"""Sets and maps read from isl's notation, each text once.

The statements of a region share most of their domains and access relations, and a region is lifted
again with its text prepared, in other forms and loop by loop. isl's objects are values, so all may
share what was read.
"""

from __future__ import annotations

from functools import lru_cache

import islpy as isl

_KEPT = 8192  # a few kilobytes each

ANY = "S'"
"""The name that stands for any statement in texts that many statements share."""


@lru_cache(maxsize=_KEPT)
def read_set(text: str) -> isl.Set:
    """The set of a text; raises ``isl.Error`` where it is none."""
    return isl.Set(text)


@lru_cache(maxsize=_KEPT)
def read_domain(text: str) -> isl.Set:
    """The set of a text, in few pieces."""
    return read_set(text).coalesce()


@lru_cache(maxsize=_KEPT)
def read_map(text: str) -> isl.Map:
    """The map of a text; raises ``isl.Error`` where it is none."""
    return isl.Map(text)


@lru_cache(maxsize=_KEPT)
def read_relation(text: str, domain: str) -> isl.Map:
    """The map of a text on the set of another."""
    return read_map(text).intersect_domain(read_set(domain))


@lru_cache(maxsize=_KEPT)
def read_parameters(text: str) -> isl.Set:
    """The parameters for which the set of a text has elements."""
    return read_set(text).params()


@lru_cache(maxsize=_KEPT)
def named_domain(text: str, name: str) -> isl.Set:
    """The set of a text about ``ANY`` statement, in few pieces, for the statement ``name``."""
    return read_domain(text).set_tuple_name(name)


@lru_cache(maxsize=_KEPT)
def named_relation(text: str, domain: str, name: str) -> isl.Map:
    """The map of a text on the set of another, both about ``ANY`` statement, for one of them."""
    return read_relation(text, domain).set_tuple_name(isl.dim_type.in_, name)
