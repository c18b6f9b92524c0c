"""A core as it runs: memories, pipes, instructions. Imported late: it computes with numpy."""
