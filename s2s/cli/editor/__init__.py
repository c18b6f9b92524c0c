"""``s2s lsp``: what s2s says of a file while it is edited, by the Language Server Protocol."""
