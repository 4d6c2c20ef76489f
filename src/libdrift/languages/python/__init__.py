"""Python: packages from an index, surfaces from sources, stubs and imports."""
