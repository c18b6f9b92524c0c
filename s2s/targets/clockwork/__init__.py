"""``--target clockwork``: designs for a coarse-grained array of processing elements."""
