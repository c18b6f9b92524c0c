"""From a function's syntax to what its threads execute."""
