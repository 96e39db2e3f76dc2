"""The corpus queries, a file a subject."""
