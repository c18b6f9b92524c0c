"""What s2s writes for: one file or folder for each target."""
