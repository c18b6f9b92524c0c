"""Races among what threads certainly execute, region or not."""
