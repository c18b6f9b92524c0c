"""The search of mappings for spatial accelerators."""
