"""The Amber array: mapped designs of words, executed cycle by cycle against the program order."""
