"""Logs of units, as a build leaves them, of regions of each kind."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent

SOURCE = Path(__file__).with_name("logs.c").read_text()
NEW = (_HERE / "logs_changed.c").read_text().removesuffix("\n")
OLD = SOURCE[SOURCE.index("for (int j") : SOURCE.index("+ 1;") + 4]


def said(path: str, severity: str, id_: str, text: str, lines: tuple[int, int]) -> dict[str, Any]:
    at = {"path": path, "line": lines[0], "column": 3, "end_line": lines[1], "end_column": 5}
    return {
        "severity": severity, "id": id_, "text": text, "location": at, "region": at, "notes": [],
    }  # fmt: skip


def log(path: Path, state: str = "changed", **more: Any) -> dict[str, Any]:
    """A unit's log; the file of its source is written, too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SOURCE)
    start = SOURCE.index(OLD)
    name = path.name
    dependence = {
        "source": "S1", "target": "S1", "kind": "flow", "arrays": ["a"], "line": 5, "to_line": 5,
        "carried": 2, "distance": ["0", "1"], "race": False,
    }  # fmt: skip
    within = {**dependence, "kind": "anti", "carried": 0, "to_line": 4, "distance": ["0", "0"]}
    record = {
        "id": "turn/j", "function": "turn", "line": 3, "end_line": 5, "by": "permute",
        "guard": "n >= 8 && (n > 2 || n < 0)", "left_out": 0,
        "loops": [
            {"id": "turn/j", "line": 3, "depth": 0, "text": "for (int j = 0; j < n; j++)"},
            {"id": "turn/j/i", "line": 4, "depth": 1, "text": "for (int i = 1; i < n; i++)"},
        ],
        "statements": [
            {"name": "S1", "line": 5, "end_line": 5, "text": "a[i][j] = a[i - 1][j] + 1;",
             "order": "S1[j, i] -> [i, j]"}
        ],
        "dependences": [dependence, within],
        "dimensions": [
            {"name": "i", "role": "band", "runs": "sequential", "size": 1},
            {"name": "j", "role": "band", "runs": "simd", "size": 1},
        ],
    }  # fmt: skip
    edit = {"start": start, "end": start + len(OLD), "line": 3, "end_line": 5, "text": NEW}
    values = {
        "remembered": False, "schema": "s2s-unit-log", "version": 1, "s2s": "1", "unit": str(path),
        "source": name, "directory": str(path.parent), "command": ["gcc", "-c", name],
        "state": state, "reason": "", "seconds": {"transform": 0.5, "compile": 0.1},
        "diagnostics": [
            *([said(name, "remark", "permute", "permuted loops to (i, j)", (3, 5))]
              if state in ("changed", "fell back") else []),
            said(name, "missed", "effects", "call to 'unknown' may write any array", (10, 11)),
            said(name, "warning", "race", "data race on 'b': nothing orders these accesses",
                 (18, 18)),
        ],
        "digest": blake2b(SOURCE.encode(), digest_size=20).hexdigest(),
        "edits": [edit] if state in ("changed", "fell back") else [],
        "regions": [record] if state in ("changed", "fell back") else [],
    }  # fmt: skip
    return {**values, **more}


def write(folder: Path, logs: list[dict[str, Any]]) -> None:
    folder.mkdir(exist_ok=True)
    for number, values in enumerate(logs):
        (folder / f"{number}.json").write_text(json.dumps(values))
