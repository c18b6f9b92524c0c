"""From pipelines to an array: operations over buffers, their cycles, their places."""
