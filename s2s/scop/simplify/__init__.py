"""One simplifier of typed expressions, and what is known of their ranges."""
