"""Pages for people: what a build, a file or a simulated machine did, in one file without network."""
