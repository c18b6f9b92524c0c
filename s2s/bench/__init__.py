"""``s2s bench``: original against transformed, suite by suite."""
