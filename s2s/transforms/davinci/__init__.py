"""Pooling to programs for the DaVinci core."""
