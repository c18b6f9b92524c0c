"""What the target ``spatial`` takes, and what it makes of it."""
