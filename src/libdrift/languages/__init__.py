"""One folder a language: its registry, its surfaces, its names in code."""
