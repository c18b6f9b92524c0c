"""Charts of what ``s2s bench`` has recorded: a chart for each suite and metric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from s2s.cli.reports.units import report_error

_MOST_ROWS = 200


def charts_of(path: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The charts of a file of records. Raises UserError for what is none."""
    try:
        records = [record for record in values["records"] if _is_number(record["value"])]
        groups: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
        for record in records:
            key = str(record["suite"]), str(record["metric"]), str(record["unit"])
            groups.setdefault(key, []).append(record)
        note = _setting(values.get("setting") or {})
        return [_chart(*key, group, note) for key, group in groups.items()]
    except (KeyError, TypeError, AttributeError) as error:
        raise report_error(path, f"has no records of 's2s bench': {error!r}") from error


def _chart(
    suite: str, metric: str, unit: str, records: list[Mapping[str, Any]], note: str
) -> dict[str, Any]:
    names = list(dict.fromkeys(str(record["variant"]) for record in records))
    rows: dict[str, tuple[list[float | None], list[float | None]]] = {}
    for record in records:
        values, published = rows.setdefault(
            str(record["case"]), ([None] * len(names), [None] * len(names))
        )
        place = names.index(str(record["variant"]))
        values[place] = record["value"]
        told = record.get("published")
        published[place] = told if _is_number(told) else None
    shown = [[case, *both] for case, both in list(rows.items())[:_MOST_ROWS]]
    if len(rows) > _MOST_ROWS:
        note = f"The first {_MOST_ROWS} of {len(rows)} cases. {note}"
    title = f"{suite}: {metric}"
    return {"title": title, "unit": unit, "names": names, "rows": shown, "note": note}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _setting(setting: Mapping[str, Any]) -> str:
    wanted = ("date", "cpu", "cores", "compiler", "flags")
    return "; ".join(f"{name} {setting[name]}" for name in wanted if setting.get(name))
