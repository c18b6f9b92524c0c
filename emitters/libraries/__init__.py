"""C of the host that calls libraries for operations."""
