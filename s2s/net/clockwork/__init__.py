"""What leaves for the array, executed against the program that it came from."""
