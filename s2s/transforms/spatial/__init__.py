"""Loop nests to layers of spatial accelerators, and mappings to tiled loop nests."""
