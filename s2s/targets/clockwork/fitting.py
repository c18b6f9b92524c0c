"""Who uses a buffer that does not fit into memory tiles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2s.scop.accelerator import Accelerator


def with_users(accelerator: Accelerator, text: str) -> str:
    """A text about a buffer with the operation that stores to it first, and the last load."""
    from s2s.scop.notation import written

    found = re.search(r"buffer '?(\w+)'?: ", text)
    if found is None:
        return text
    stores = [o for o in accelerator.operations if o.store.tensor == found[1]]
    loads = [(o, x) for o in accelerator.operations for x in o.loads if x.tensor == found[1]]
    text += f"; {stores[0].name} stores to it" if stores else ""
    return text + (f", {loads[-1][0].name} loads {written(loads[-1][1])}" if loads else "")
