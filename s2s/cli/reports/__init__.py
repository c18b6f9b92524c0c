"""Pages for people, in one file without network: builds, files, simulated machines."""
