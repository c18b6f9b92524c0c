"""Nest to nest: loops over tensors brought into the form that is printed."""
