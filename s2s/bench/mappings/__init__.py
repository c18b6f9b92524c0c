"""Mappings for spatial accelerators beside the published ones (``s2s bench marvel``)."""
