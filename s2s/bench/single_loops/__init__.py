"""Suites whose cases are single loops of one file, compiler by compiler."""
