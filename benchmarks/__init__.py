"""Programs that ``s2s bench`` measures, and what is published of them; docs/benchmarks.md."""
