"""Labelled cases of the core rules: a query, and what planvet must say of its plan, written by hand beside it."""
