"""Behaviour found by running: the examples of two releases' documentation, each in both."""
