"""Suites of whole programs, original against transformed."""
